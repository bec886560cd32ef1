//! Messages whose size is looked at before they are received.

use std::mem::size_of;

use layout_algebra::prelude::*;
use mpi::datatype::Equivalence;
use mpi::point_to_point::Status;
use mpi::traits::Source;

use crate::datatype::Sendable;
use crate::error::Error;
use crate::raw::Messages;

/// Receives into tensors that look at the size of a message first: [`receive_tensor`](ReceiveTensor::receive_tensor).
/// On every process of rsmpi: `world.process_at_rank(0).receive_tensor(&mut tensor)`.
///
/// ```no_run
/// use layout_algebra::prelude::*;
/// use layout_mpi::{Messages, ReceiveTensor};
/// use mpi::traits::*;
/// let universe = mpi::initialize().unwrap();
/// let world = universe.world();
/// if world.rank() == 0 {
///     world.process_at_rank(1).send(&[1.0f64, 2.0][..]);
/// } else {
///     let mut three = Tensor::new(vec![0.0; 3], layout!(3))?;
///     let error = world.process_at_rank(0).receive_tensor(&mut three).unwrap_err();
///     assert_eq!(error.to_string(), "a message of 16 bytes for a tensor whose elements are 24 bytes");
/// }
/// # Ok::<(), layout_mpi::Error>(())
/// ```
pub trait ReceiveTensor: Source {
    /// Receives the next message of this source into all of the tensor.
    ///
    /// # Errors
    /// If the message has another number of bytes than the tensor has, in place of MPI's abort or of a tensor that is
    /// written in part: the message is taken, and the tensor is as before. If two coordinates of the tensor share an
    /// element: nothing is received then.
    fn receive_tensor<S, L>(&self, tensor: &mut Tensor<S, L>) -> Result<Status, Error>
    where
        S: StorageMut<Item: Equivalence>,
        L: Sendable,
    {
        let size = tensor.size() * size_of::<S::Item>();
        let mut own = tensor.message_mut()?;
        let (message, status) = self.matched_probe();
        // Negative where MPI cannot count it: more than 2^31 bytes, which are compared as elements.
        let bytes = status.count(u8::equivalent_datatype());
        let elements = status.count(S::Item::equivalent_datatype());
        let fits = match usize::try_from(bytes) {
            Ok(bytes) => bytes == size,
            Err(_) => usize::try_from(elements).is_ok_and(|elements| elements * size_of::<S::Item>() == size),
        };
        if fits {
            return Ok(message.matched_receive_into(&mut own));
        }
        let bytes = usize::try_from(bytes).unwrap_or(0);
        message.matched_receive_into(&mut vec![0u8; bytes][..]);
        Err(Error::Truncated { message: bytes, tensor: size })
    }
}
impl<P: Source> ReceiveTensor for P {}
