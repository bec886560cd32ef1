//! Agreement among ranks: an error on one rank becomes an error on all.
//!
//! All functions agree through the same reduction on the same communicator, an attribute of the
//! program's communicator. So a rank that calls another function than the others, or ends MPI, is
//! detected too.

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
use crate::kept::{MpiHandle, check_running};
use crate::raw;

/// The name of the call with which a rank announces that it ends MPI.
const END: &str = "the end of MPI";

/// A duplicate of a communicator that only this package uses, one for each communicator of the
/// program.
#[derive(Clone)]
pub(crate) struct Control(Arc<Inner>);

struct Inner {
    own: MpiHandle<SimpleCommunicator>,
    /// The error with which the ranks got out of step. Once it is set, no rank waits for another.
    out_of_step: OnceLock<Error>,
}

impl CommAttribute for Control {}

impl Control {
    /// The duplicate for a communicator, which all its ranks create at their first call.
    #[expect(clippy::arc_with_non_send_sync, reason = "attributes are seen by all threads")]
    pub(crate) fn of(world: &impl Communicator, what: &str) -> Result<Control, Error> {
        check_running(what)?;
        if let Some(control) = world.get_attr::<Control>() {
            return Ok(control.clone());
        }
        let own = MpiHandle::new(world.duplicate());
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

    /// Ok if all ranks called `what` with equal values, the same element type, and no error;
    /// otherwise this rank's error, the disagreement, or another rank's error. It takes one
    /// reduction of 56 bytes, and broadcasts of texts if there is an error.
    pub(crate) fn agree<T>(
        &self,
        what: &str,
        elements: &str,
        value: &impl Hash,
        own: Result<T, Error>,
    ) -> Result<T, Error> {
        check_running(what)?;
        if let Some(error) = self.0.out_of_step.get() {
            return own.and(Err(error.clone()));
        }
        let world = self.communicator();
        let (call, kind, rest) = (hash(&what), hash(&elements), hash(value));
        let failed = if own.is_err() { 1 + world.rank() as u64 } else { 0 };
        let numbers = [call, !call, kind, !kind, rest, !rest, failed];
        let [one, other, kind_one, kind_other, rest_one, rest_other, failed] =
            largest(world, numbers);
        // All numbers are equal if the largest number is the complement of the largest complement.
        let (calls, kinds) = (one != !other, kind_one != !kind_other);
        if !calls && !kinds && rest_one == !rest_other && failed == 0 {
            return own;
        }
        // All ranks take this branch.
        let error = if failed > 0 {
            let rank = failed as usize - 1;
            let own = own.as_ref().err().map(ToString::to_string).unwrap_or_default();
            Error::OnRank {
                rank,
                what: broadcast_text(world, rank, what),
                error: broadcast_text(world, rank, &own),
            }
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

    /// The largest of all ranks' numbers. All ranks have to call it.
    pub(crate) fn largest<const N: usize>(&self, own: [u64; N]) -> [u64; N] {
        largest(self.communicator(), own)
    }
}

/// An attribute of `MPI_COMM_SELF`, which MPI drops first when it ends.
#[derive(Clone)]
struct AtEnd {
    _last: Arc<Last>,
}
impl CommAttribute for AtEnd {}

/// On drop, tells the other ranks that this one ends MPI, so that ranks in another function return
/// an error instead of waiting.
struct Last(Control);
impl Drop for Last {
    fn drop(&mut self) {
        let _ = self.0.agree(END, "", &(), Ok(()));
    }
}

/// A hash for comparison between ranks.
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

/// Broadcasts one rank's text to all ranks.
fn broadcast_text(world: &SimpleCommunicator, rank: usize, text: &str) -> String {
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

/// The text of a rank whose hash differs. `both` are two different hashes; their texts are
/// broadcast to all ranks.
fn of_another(world: &SimpleCommunicator, text: &str, number: u64, both: [u64; 2]) -> String {
    let has = both.map(|one| if number == one { 1 + world.rank() as u64 } else { 0 });
    let [one, other] =
        largest(world, has).map(|rank| broadcast_text(world, rank as usize - 1, text));
    if number == both[0] { other } else { one }
}

/// Combines the results of all ranks: ok if all are ok, otherwise this rank's error, or another
/// rank's. All ranks have to call it. It keeps ranks together that exchange messages: otherwise an
/// error that only the receiver sees would leave the other ranks waiting.
///
/// If a rank calls this while others are in another collective function of this package, on the
/// same communicator, the others return its error, as do all their later calls on that
/// communicator. So a program that ends with `on_all_ranks` ends on all ranks. (Ranks that wait in
/// a receive of MPI itself are not reached: see [`abort_on_error`].)
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
/// This rank's error ([`Error::Own`] if it is not one of this package), or another rank's.
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

/// Prints a line in one write: `mpirun` may insert other ranks' output between two.
fn print_line(sentence: String) {
    let _ = std::io::stderr().write_all((sentence + "\n").as_bytes());
}

/// Makes a panic on one rank print the rank and end the program on all ranks. Otherwise the others
/// would wait for messages that this rank does not send.
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
        print_line(format!("rank {rank} of {size} panicked: the program ends on all ranks"));
        SimpleCommunicator::world().abort(1)
    }));
}

/// Unwraps a result. An error is printed with its rank, and ends the program on all ranks, whatever
/// they are doing.
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
        print_line(format!(
            "rank {rank} of {size} has an error, and the program ends on all ranks: {error}"
        ));
        SimpleCommunicator::world().abort(1)
    })
}
