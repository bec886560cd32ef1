//! What all ranks have to find out together: an error on one of them is one on all.

use std::hash::{DefaultHasher, Hash, Hasher};

use mpi::collective::SystemOperation;
use mpi::topology::{Communicator, SimpleCommunicator};
use mpi::traits::CommunicatorCollectives;

use crate::error::Error;

/// The most bytes of a type's name that an error tells of.
const NAME: usize = 128;

/// Ok if all ranks called `what` with equal values, elements of one type, and no error; else the error of this rank,
/// what they disagree about, or where there is an error. One reduction of 24 bytes, and three more if there is one.
pub(crate) fn agree<T>(
    world: &impl Communicator,
    what: &'static str,
    elements: &str,
    value: &impl Hash,
    own: Result<T, Error>,
) -> Result<T, Error> {
    let number = hash(&(what, elements, value));
    let failed = if own.is_err() { 1 + world.rank() as u64 } else { 0 };
    let [most, least, failed] = largest(world, [number, !number, failed]);
    // Of equal numbers the largest is the complement of the largest complement.
    let equal = most == !least;
    if equal && failed == 0 {
        return own;
    }
    // All ranks are here. The types with the largest number and with the least one: two, if there are two.
    let number = hash(&elements);
    let [most, least] = largest(world, [number, !number]);
    let types = [most, !least].map(|wanted| name_with(world, elements, number == wanted));
    own.and_then(|_| match types {
        [one, other] if one != other => {
            let other = if one == elements { other } else { one };
            Err(Error::OtherElements { what, elements: elements.into(), other })
        }
        _ if equal => Err(Error::OnRank { what, rank: failed as usize - 1 }),
        _ => Err(Error::Disagree { what }),
    })
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn largest<const N: usize>(world: &impl Communicator, own: [u64; N]) -> [u64; N] {
    let mut all = [0; N];
    world.all_reduce_into(&own[..], &mut all[..], SystemOperation::max());
    all
}

/// The name that is the same on all ranks where `has` it is.
fn name_with(world: &impl Communicator, name: &str, has: bool) -> String {
    let (mut own, mut all) = ([0u8; NAME], [0u8; NAME]);
    if has {
        own.iter_mut().zip(name.bytes()).for_each(|(own, byte)| *own = byte);
    }
    world.all_reduce_into(&own[..], &mut all[..], SystemOperation::max());
    String::from_utf8_lossy(&all).trim_end_matches('\0').into()
}

/// A result of each rank made one of all: ok if it is on all ranks, else the error of this rank, or which other one has
/// an error. All ranks have to call it. What keeps ranks together where they send messages of their own: an error that
/// only the receiver sees would leave the others waiting.
///
/// ```no_run
/// use layout_algebra::prelude::*;
/// use layout_mpi::{Messages, ReceiveChecked, SendChecked, on_all_ranks};
/// use mpi::traits::*;
/// let universe = mpi::initialize().unwrap();
/// let world = universe.world();
/// let mut three = Tensor::new(vec![0.0; 3], layout!(3))?;
/// let received = if world.rank() == 0 {
///     world.process_at_rank(1).send_checked(&Tensor::new(vec![1, 2, 3], layout!(3))?.message()?);
///     Ok(())
/// } else {
///     world.process_at_rank(0).receive_checked(&mut three.message_mut()?).map(|_| ())
/// };
/// // "a message of i32 for a tensor of f64" on rank 1, "rank 1 has an error in the exchange" on rank 0.
/// assert!(on_all_ranks(&world, "the exchange", received).is_err());
/// # Ok::<(), layout_mpi::Error>(())
/// ```
///
/// # Errors
/// Of this rank, or that another one has an error.
pub fn on_all_ranks<T>(world: &impl Communicator, what: &'static str, own: Result<T, Error>) -> Result<T, Error> {
    agree(world, what, "", &(), own)
}

/// From here on, a panic on one rank says which, and ends the program on all ranks: without it, the others would wait
/// for what that rank does not send any more.
///
/// ```no_run
/// let universe = mpi::initialize().unwrap();
/// layout_mpi::abort_on_panic(&universe.world());
/// ```
pub fn abort_on_panic(world: &impl Communicator) {
    let (rank, size, before) = (world.rank(), world.size(), std::panic::take_hook());
    std::panic::set_hook(Box::new(move |panic| {
        before(panic);
        eprintln!("rank {rank} of {size} panicked: the program ends on all ranks");
        SimpleCommunicator::world().abort(1)
    }));
}
