//! Messages that carry the type of their elements, and are looked at before they are received.

use layout_algebra::prelude::*;
use mpi::datatype::Equivalence;
use mpi::point_to_point::Status;
use mpi::request::{Request, Scope};
use mpi::traits::{Destination, Source};

use crate::element::{name, name_of_tag, tag};
use crate::error::Error;
use crate::raw::{Message, MessageMut, Messages};

/// Sends a tensor's elements with their type: [`send_checked`](SendChecked::send_checked). On every
/// process of rsmpi.
///
/// MPI compares no types. The type is in the message's tag, a number of 2^14 to 2^15 which costs
/// nothing: what [`receive_checked`](ReceiveChecked::receive_checked) looks at. A receive of any
/// tag, as rsmpi's `receive_into`, takes the message too. (Messages of two kinds between the same
/// ranks, which other programs tell apart by tags, are told apart by communicators:
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

/// Receives into tensors that looks at a message first:
/// [`receive_checked`](ReceiveChecked::receive_checked). On every process of rsmpi:
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
    /// Receives the next message of this source, with any tag, into all of the tensor: `MPI_Mprobe`
    /// and `MPI_Mrecv`. It is looked at first, for half a microsecond, since nothing else refuses a
    /// message that is too long ([`MessageMut`]).
    ///
    /// # Errors
    /// If the message has elements of another type, does not say its type, or has another number of
    /// bytes than the tensor has, in place of numbers that mean nothing, of MPI's abort, or of a
    /// tensor that is written in part: the message is taken, and the tensor is as before. Of two
    /// structs, and other types that MPI has no name for, the type is a number made of its name:
    /// one pair in 16,000 has one number.
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
    /// Whether what was received is what the tensor takes: elements of its type, and as many. For
    /// rsmpi's own receives, those that do not wait above all, of messages sent by [`SendChecked`]:
    /// their status says it, at no cost.
    ///
    /// # Errors
    /// Those of [`receive_checked`](ReceiveChecked::receive_checked), but for a message that is
    /// longer than the tensor, with which MPI's own receives end the program ([`MessageMut`]).
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
