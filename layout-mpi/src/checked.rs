//! Messages that carry the type of their elements, and are looked at before they are received.

use std::mem::size_of;

use layout_algebra::prelude::*;
use mpi::datatype::{Collection, Equivalence};
use mpi::point_to_point::Status;
use mpi::request::{Request, Scope};
use mpi::traits::{AsDatatype, Destination, Source};

use crate::element::{name, name_of_tag, tag};
use crate::error::Error;
use crate::raw::{Message, MessageMut, Messages};

/// Sends a tensor's elements with their type: [`send_checked`](SendChecked::send_checked). On every process of rsmpi.
///
/// MPI compares no types. The type is in the message's tag, a number of 2^14 to 2^15 which costs nothing: what
/// [`receive_checked`](ReceiveChecked::receive_checked) looks at. A receive of any tag, as rsmpi's `receive_into`, takes
/// the message too.
///
/// ```no_run
/// use layout_algebra::prelude::*;
/// use layout_mpi::{Messages, ReceiveChecked, SendChecked};
/// use mpi::traits::*;
/// let universe = mpi::initialize().unwrap();
/// let world = universe.world();
/// if world.rank() == 0 {
///     world.process_at_rank(1).send_checked(&Tensor::new(vec![1.0f32, 2.0, 3.0], layout!(3))?.message());
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

    /// Begins to send a message with the type of its elements: rsmpi's `immediate_send`, and `MPI_Isend`.
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

/// Receives into tensors that looks at a message first: [`receive_checked`](ReceiveChecked::receive_checked). On every
/// process of rsmpi: `world.process_at_rank(0).receive_checked(&mut tensor.message_mut()?)`.
///
/// ```no_run
/// use layout_algebra::prelude::*;
/// use layout_mpi::{Messages, ReceiveChecked};
/// use mpi::traits::*;
/// let universe = mpi::initialize().unwrap();
/// let world = universe.world();
/// if world.rank() == 0 {
///     world.process_at_rank(1).send(&[1.0f64, 2.0][..]);
/// } else {
///     let mut three = Tensor::new(vec![0.0; 3], layout!(3))?;
///     let error = world.process_at_rank(0).receive_checked(&mut three.message_mut()?).unwrap_err();
///     assert_eq!(error.to_string(), "a message of 16 bytes for a tensor whose elements are 24 bytes");
/// }
/// # Ok::<(), layout_mpi::Error>(())
/// ```
pub trait ReceiveChecked: Source {
    /// Receives the next message of this source into all of the tensor: `MPI_Mprobe` and `MPI_Mrecv`.
    ///
    /// # Errors
    /// If the message has elements of another type, or another number of bytes than the tensor has, in place of
    /// numbers that mean nothing, of MPI's abort, or of a tensor that is written in part: the message is taken, and the
    /// tensor is as before. The type is known of messages that were sent by [`SendChecked`]; of others the bytes are
    /// counted. Of two structs, and other types that MPI has no name for, the type is a number made of its name: one
    /// pair in 16,000 has one number.
    fn receive_checked<T: Equivalence>(&self, message: &mut MessageMut<'_, T>) -> Result<Status, Error> {
        let (found, status) = self.matched_probe();
        let own = if name_of_tag(status.tag()).is_some() { tag::<T>() } else { status.tag() };
        // As many of the tensor's datatype, which may be of more bytes than MPI counts to.
        if status.tag() == own && status.count(message.as_datatype()) == message.count() {
            return Ok(found.matched_receive_into(message));
        }
        let bytes = crate::raw::bytes(&status);
        let mut dropped = Tensor::new(vec![0u8; bytes], DynLayout::left(&DynShape::from(bytes)))?;
        found.matched_receive_into(&mut dropped.message_mut()?);
        Err(match name_of_tag(status.tag()) {
            Some(of) if status.tag() != own => Error::ElementTypes { message: of.into(), tensor: name::<T>().into() },
            _ => Error::Truncated { message: bytes, tensor: message.elements() * size_of::<T>() },
        })
    }
}
impl<P: Source> ReceiveChecked for P {}
