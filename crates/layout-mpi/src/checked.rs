//! Messages that carry the type of their elements, and are probed before they are received.

use layout_algebra::prelude::*;
use mpi::datatype::Equivalence;
use mpi::point_to_point::Status;
use mpi::request::{Request, Scope};
use mpi::traits::{Destination, Source};

use crate::element::{name, name_of_tag, tag};
use crate::error::Error;
use crate::raw::{Message, MessageMut, Messages};

/// Sends a tensor's elements with their type: [`send_checked`](SendChecked::send_checked).
/// Implemented for every process of rsmpi.
///
/// MPI does not compare types. The message's tag, a number from 2^14 to 2^15, carries the type at
/// no cost, and [`receive_checked`](ReceiveChecked::receive_checked) compares it. A receive with
/// any tag, as rsmpi's `receive_into`, accepts the message too. (Other programs use tags to tell
/// apart two kinds of messages between the same ranks; here that takes two communicators:
/// `world.duplicate()`.)
///
/// ```no_run
/// use layout_algebra::prelude::*;
/// use layout_mpi::{Messages, ReceiveChecked, SendChecked};
/// use mpi::traits::*;
/// let universe = mpi::initialize().unwrap();
/// let world = universe.world();
/// if world.rank() == 0 {
///     world.process_at_rank(1).send_checked(&Tensor::new(vec![1.0f32, 2.0, 3.0], layout!(3))?.message()?);
/// } else {
///     let mut three = Tensor::new(vec![0i32; 3], layout!(3))?;
///     let error = world.process_at_rank(0).receive_checked(&mut three.message_mut()?).unwrap_err();
///     assert_eq!(error.to_string(), "a message of f32 for a tensor of i32");
/// }
/// # Ok::<(), layout_mpi::Error>(())
/// ```
pub trait SendChecked: Destination {
    /// Sends a message with the type of its elements: rsmpi's `send`, and `MPI_Send`.
    fn send_checked<T: Equivalence>(&self, message: &Message<'_, T>) {
        self.send_with_tag(message, tag::<T>());
    }

    /// Begins to send a message with the type of its elements: rsmpi's `immediate_send`, and
    /// `MPI_Isend`.
    fn immediate_send_checked<'a, 'm, T, Sc>(
        &self,
        scope: Sc,
        message: &'a Message<'m, T>,
    ) -> Request<'a, Message<'m, T>, Sc>
    where
        T: Equivalence,
        Sc: Scope<'a>,
    {
        self.immediate_send_with_tag(scope, message, tag::<T>())
    }
}
impl<P: Destination> SendChecked for P {}

/// Receives into a tensor after probing the message:
/// [`receive_checked`](ReceiveChecked::receive_checked). Implemented for every process of rsmpi:
/// `world.process_at_rank(0).receive_checked(&mut tensor.message_mut()?)`.
///
/// ```no_run
/// use layout_algebra::prelude::*;
/// use layout_mpi::{Messages, ReceiveChecked, SendChecked};
/// use mpi::traits::*;
/// let universe = mpi::initialize().unwrap();
/// let world = universe.world();
/// let (two, mut three) = (Tensor::new(vec![1.0, 2.0], layout!(2))?, Tensor::new(vec![0.0; 3], layout!(3))?);
/// if world.rank() == 0 {
///     world.process_at_rank(1).send_checked(&two.message()?);
///     world.process_at_rank(1).send(&two.message()?);
/// } else {
///     let mut receive = || world.process_at_rank(0).receive_checked(&mut three.message_mut()?);
///     let message = "a message of 16 bytes for a tensor whose elements are 24 bytes";
///     assert_eq!(receive().unwrap_err().to_string(), message);
///     let message = "a message for a tensor of f64 that does not say its type: send_checked sends it along";
///     assert_eq!(receive().unwrap_err().to_string(), message);
/// }
/// # Ok::<(), layout_mpi::Error>(())
/// ```
pub trait ReceiveChecked: Source {
    /// Receives the next message of this source, with any tag, into the whole tensor: `MPI_Mprobe`
    /// and `MPI_Mrecv`. The probe takes half a microsecond; nothing else can refuse a message that
    /// is too long ([`MessageMut`]).
    ///
    /// # Errors
    /// If the message has elements of another type, carries no type, or has another number of bytes
    /// than the tensor. The message is then consumed, and the tensor is unchanged; a raw receive
    /// would give meaningless numbers, a partly written tensor, or MPI's abort. Structs, and other
    /// types without an MPI name, are compared by a hash of the type's name, which collides for one
    /// pair in 16,000.
    fn receive_checked<T: Equivalence>(
        &self,
        message: &mut MessageMut<'_, T>,
    ) -> Result<Status, Error> {
        let (found, status) = self.matched_probe();
        match message.check(&status) {
            Ok(()) => Ok(found.matched_receive_into(message)),
            Err(error) => {
                let bytes = crate::raw::bytes(&status);
                let mut dropped =
                    Tensor::new(vec![0u8; bytes], DynLayout::left(&DynShape::from(bytes)))?;
                found.matched_receive_into(&mut dropped.message_mut()?);
                Err(error)
            }
        }
    }
}
impl<P: Source> ReceiveChecked for P {}

impl<T: Equivalence> MessageMut<'_, T> {
    /// Checks the status of a received message: elements of the tensor's type, and as many. For
    /// rsmpi's own receives, especially immediate ones, of messages sent by [`SendChecked`]. It
    /// costs nothing.
    ///
    /// # Errors
    /// Those of [`receive_checked`](ReceiveChecked::receive_checked), except for a message that is
    /// longer than the tensor: MPI's own receives end the program then ([`MessageMut`]).
    ///
    /// ```no_run
    /// use layout_algebra::prelude::*;
    /// use layout_mpi::{Messages, SendChecked};
    /// use mpi::traits::*;
    /// let universe = mpi::initialize().unwrap();
    /// let world = universe.world();
    /// let this = world.this_process();
    /// let (sent, mut received) = (Tensor::new(vec![1i32; 6], layout!(6))?, Tensor::new(vec![0f32; 6], layout!(6))?);
    /// let (message, mut place) = (sent.message()?, received.message_mut()?);
    /// let status = mpi::request::scope(|scope| {
    ///     let coming = this.immediate_receive_into(scope, &mut place);
    ///     this.send_checked(&message);
    ///     coming.wait()
    /// });
    /// assert_eq!(place.check(&status).unwrap_err().to_string(), "a message of i32 for a tensor of f32");
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    pub fn check(&self, status: &Status) -> Result<(), Error> {
        let tensor = || name::<T>().into();
        match name_of_tag(status.tag()) {
            None => Err(Error::NoElementType { tensor: tensor() }),
            Some(of) if status.tag() != tag::<T>() => {
                Err(Error::ElementTypes { message: of.into(), tensor: tensor() })
            }
            _ => match (crate::raw::bytes(status), self.bytes()) {
                (message, tensor) if message == tensor => Ok(()),
                (message, tensor) => Err(Error::Truncated { message, tensor }),
            },
        }
    }
}
