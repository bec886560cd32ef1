//! What all ranks have to find out together: an error on one of them is one on all.
//!
//! Whatever the ranks call, they agree by the same reduction on the same communicator, which is
//! kept with the program's: so a rank that calls another function than the others, or ends MPI, is
//! found out too.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::sync::{Arc, OnceLock};

use mpi::attribute::traits::CommAttribute;
use mpi::collective::SystemOperation;
use mpi::environment::is_finalized;
use mpi::raw::AsRaw;
use mpi::topology::{AnyCommunicator, Communicator, SimpleCommunicator};
use mpi::traits::{CommunicatorCollectives, Root};

use crate::error::Error;
use crate::kept::{Kept, runs};
use crate::raw;

/// What a rank calls when it ends MPI, as the others hear of it.
const END: &str = "the end of MPI";

/// A duplicate of a communicator on which nothing but this package speaks, one for each
/// communicator of the program.
#[derive(Clone)]
pub(crate) struct Control(Arc<Inner>);

struct Inner {
    own: Kept<SimpleCommunicator>,
    /// Why the ranks are out of step: from then on, nobody waits for anybody.
    out_of_step: OnceLock<Error>,
}

impl CommAttribute for Control {}

impl Control {
    /// That of a communicator, which all its ranks make when they first call something.
    #[expect(clippy::arc_with_non_send_sync, reason = "attributes are seen by all threads")]
    pub(crate) fn of(world: &impl Communicator, what: &str) -> Result<Control, Error> {
        runs(what)?;
        if let Some(control) = world.get_attr::<Control>() {
            return Ok(control.clone());
        }
        let own = Kept::new(world.duplicate());
        let control = Control(Arc::new(Inner { own, out_of_step: OnceLock::new() }));
        raw::attach(world, control.clone());
        if world.as_raw() == SimpleCommunicator::world().as_raw() {
            let last = Arc::new(Last(control.clone()));
            raw::attach(&SimpleCommunicator::self_comm(), AtEnd { _last: last });
        }
        Ok(control)
    }

    /// The duplicate.
    pub(crate) fn communicator(&self) -> &SimpleCommunicator {
        &self.0.own
    }

    /// Ok if all ranks called `what` with equal values, elements of one type, and no error; else
    /// the error of this rank, what they disagree about, or the error of another. One reduction of
    /// 56 bytes, and what says more if there is an error.
    pub(crate) fn agree<T>(
        &self,
        what: &str,
        elements: &str,
        value: &impl Hash,
        own: Result<T, Error>,
    ) -> Result<T, Error> {
        runs(what)?;
        if let Some(error) = self.0.out_of_step.get() {
            return own.and(Err(error.clone()));
        }
        let world = self.communicator();
        let (call, kind, rest) = (hash(&what), hash(&elements), hash(value));
        let failed = if own.is_err() { 1 + world.rank() as u64 } else { 0 };
        let numbers = [call, !call, kind, !kind, rest, !rest, failed];
        let [one, other, kind_one, kind_other, rest_one, rest_other, failed] =
            largest(world, numbers);
        // Of equal numbers the largest is the complement of the largest complement.
        let (calls, kinds) = (one != !other, kind_one != !kind_other);
        if !calls && !kinds && rest_one == !rest_other && failed == 0 {
            return own;
        }
        // All ranks are here.
        let error = if failed > 0 {
            let rank = failed as usize - 1;
            let own = own.as_ref().err().map(ToString::to_string).unwrap_or_default();
            Error::OnRank { rank, what: said(world, rank, what), error: said(world, rank, &own) }
        } else if calls {
            Error::OtherCall {
                what: what.into(),
                other: of_another(world, what, call, [one, !other]),
            }
        } else if kinds {
            let other = of_another(world, elements, kind, [kind_one, !kind_other]);
            Error::OtherElements { what: what.into(), elements: elements.into(), other }
        } else {
            Error::Disagree { what: what.into() }
        };
        if calls {
            let _ = self.0.out_of_step.set(error.clone());
        }
        own.and(Err(error))
    }

    /// The largest number of all ranks, which all of them call for.
    pub(crate) fn largest<const N: usize>(&self, own: [u64; N]) -> [u64; N] {
        largest(self.communicator(), own)
    }
}

/// What this process has of MPI's for itself, and drops first when MPI ends.
#[derive(Clone)]
struct AtEnd {
    _last: Arc<Last>,
}
impl CommAttribute for AtEnd {}

/// Tells the ranks that this one ends MPI: those that are in another function are told what they
/// wait for in vain.
struct Last(Control);
impl Drop for Last {
    fn drop(&mut self) {
        let _ = self.0.agree(END, "", &(), Ok(()));
    }
}

/// A number of what ranks agree about, the same on all of them.
pub(crate) fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn largest<const N: usize>(world: &SimpleCommunicator, own: [u64; N]) -> [u64; N] {
    let mut all = [0; N];
    world.all_reduce_into(&own[..], &mut all[..], SystemOperation::max());
    all
}

/// What one rank says, on all of them.
fn said(world: &SimpleCommunicator, rank: usize, text: &str) -> String {
    let root = world.process_at_rank(rank as i32);
    let mut length = text.len() as u64;
    root.broadcast_into(&mut length);
    let mut bytes = text.as_bytes().to_vec();
    bytes.resize(length as usize, 0);
    if !bytes.is_empty() {
        root.broadcast_into(&mut bytes[..]);
    }
    String::from_utf8_lossy(&bytes).into()
}

/// The text of a rank whose number is another one: of the two that are given, all ranks hear what
/// they stand for.
fn of_another(world: &SimpleCommunicator, text: &str, number: u64, both: [u64; 2]) -> String {
    let has = both.map(|one| if number == one { 1 + world.rank() as u64 } else { 0 });
    let [one, other] = largest(world, has).map(|rank| said(world, rank as usize - 1, text));
    if number == both[0] { other } else { one }
}

/// A result of each rank made one of all: ok if it is on all ranks, else the error of this rank, or
/// that of another one. All ranks have to call it. What keeps ranks together where they send
/// messages of their own: an error that only the receiver sees would leave the others waiting.
///
/// A rank that comes here while others are in another collective function of this package, on the
/// same communicator, takes them with it: they return its error, and so does whatever they call on
/// that communicator from then on. So a program that ends in `on_all_ranks` ends on all ranks.
/// (Those that wait in a receive of MPI's own hear nothing: [`abort_on_error`].)
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
/// // "a message of i32 for a tensor of f64" on rank 1, and on rank 0
/// // "rank 1 has an error in the exchange: a message of i32 for a tensor of f64".
/// assert!(on_all_ranks(&world, "the exchange", received).is_err());
/// # Ok::<(), layout_mpi::Error>(())
/// ```
///
/// # Errors
/// Of this rank ([`Error::Own`] if it is none of this package's), or that of another one.
pub fn on_all_ranks<T, E: Into<Box<dyn std::error::Error>>>(
    world: &impl Communicator,
    what: &str,
    own: Result<T, E>,
) -> Result<T, Error> {
    let own = own.map_err(|error| match error.into().downcast::<Error>() {
        Ok(error) => *error,
        Err(other) => Error::Own(other.to_string()),
    });
    match Control::of(world, what) {
        Ok(control) => control.agree(what, "", &(), own),
        Err(error) => own.and(Err(error)),
    }
}

/// Says a sentence in one write: `mpirun` puts what others say between two.
fn say(sentence: String) {
    let _ = std::io::stderr().write_all((sentence + "\n").as_bytes());
}

/// From here on, a panic on one rank says which, and ends the program on all ranks: without it, the
/// others would wait for what that rank does not send any more.
///
/// ```no_run
/// let universe = mpi::initialize().unwrap();
/// layout_mpi::abort_on_panic(&universe.world());
/// ```
pub fn abort_on_panic(world: &impl Communicator) {
    let (rank, size, before) = (world.rank(), world.size(), std::panic::take_hook());
    std::panic::set_hook(Box::new(move |panic| {
        before(panic);
        if is_finalized() {
            return;
        }
        say(format!("rank {rank} of {size} panicked: the program ends on all ranks"));
        SimpleCommunicator::world().abort(1)
    }));
}

/// What is in a result; an error is said, with its rank, and ends the program on all ranks,
/// wherever they are.
///
/// ```no_run
/// fn program(world: &impl mpi::topology::Communicator) -> Result<(), Box<dyn std::error::Error>> {
///     Err(format!("rank {} has no file", world.rank()).into())
/// }
/// let universe = mpi::initialize().unwrap();
/// layout_mpi::abort_on_error(&universe.world(), program(&universe.world()));
/// ```
pub fn abort_on_error<T, E: Into<Box<dyn std::error::Error>>>(
    world: &impl Communicator,
    own: Result<T, E>,
) -> T {
    own.unwrap_or_else(|error| {
        let (rank, size, error) = (world.rank(), world.size(), error.into());
        say(format!(
            "rank {rank} of {size} has an error, and the program ends on all ranks: {error}"
        ));
        SimpleCommunicator::world().abort(1)
    })
}
