//! What all ranks have to find out together: an error on one of them is one on all.

use std::hash::{DefaultHasher, Hash, Hasher};

use mpi::collective::SystemOperation;
use mpi::topology::{Communicator, SimpleCommunicator};
use mpi::traits::CommunicatorCollectives;

use crate::error::Error;

/// Ok if all ranks came with equal values and no error; else the error of this rank, or that the ranks disagree.
pub(crate) fn agree<T>(
    world: &impl Communicator,
    what: &'static str,
    value: &impl Hash,
    own: Result<T, Error>,
) -> Result<T, Error> {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    let hash = hasher.finish();
    // The largest hash, the largest of its complements, and whether there is an error. Of equal hashes the first two
    // are complements too.
    let (mine, mut all) = ([hash, !hash, u64::from(own.is_err())], [0u64; 3]);
    world.all_reduce_into(&mine[..], &mut all[..], SystemOperation::max());
    match own {
        Ok(_) if all[0] != !all[1] || all[2] > 0 => Err(Error::Disagree { what }),
        own => own,
    }
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
