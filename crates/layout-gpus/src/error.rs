//! Errors.

use std::fmt;
use std::time::Duration;

use crate::element::Element;

/// An error before, or during, a redistribution.
///
/// ```
/// use layout_algebra::layout;
/// use layout_gpus::{Element, PushPlan};
/// use layout_mesh::{Distribution, Mesh, Replicate, Shard};
/// let mesh = Mesh::on_paper(2, 0, layout!(2))?;
/// let sums = Distribution::new(&mesh, 8, [Replicate])?.partial(0)?;
/// let blocks = Distribution::new(&mesh, 8, [Shard(0)])?;
/// let error = PushPlan::new(&sums, &blocks, Element::Bytes(3)).unwrap_err();
/// let text = "elements of 3 bytes are moved and not added: sums are of F16, Bf16 or F32";
/// assert_eq!(error.to_string(), text);
/// # Ok::<(), layout_gpus::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// An error of the distributions, or of the plan.
    Plan(layout_mesh::Error),
    /// An error of the driver, or of NVRTC.
    Cuda(String),
    /// A number of ranks that a group does not have.
    Ranks {
        /// The number of ranks given.
        given: usize,
        /// The number of ranks required.
        needed: String,
    },
    /// A device has no access to the memory of another one.
    Peer {
        /// The rank of the device.
        rank: usize,
        /// The rank whose memory it is.
        peer: usize,
    },
    /// Elements without bytes, or sums of elements that are bytes.
    Element(Element),
    /// A tensor, or bytes, that do not match the redistribution or the rank.
    Tensor(String),
    /// A plan whose tiles or bytes exceed the kernel's integers.
    TooLarge(String),
    /// Two ranks of one device use one stream: the first would wait for the second, which is queued
    /// after it.
    SharedStream {
        /// The ranks.
        ranks: [usize; 2],
    },
    /// A rank waited for a peer until the time limit.
    TimeLimit {
        /// The rank that waited.
        rank: usize,
        /// The peer that did not arrive, or reached the time limit itself.
        peer: usize,
        /// The time that a rank waits.
        limit: Duration,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Plan(error) => error.fmt(f),
            Error::Cuda(text) | Error::Tensor(text) | Error::TooLarge(text) => f.write_str(text),
            Error::Ranks { given, needed } => write!(f, "{given} ranks, and there are {needed}"),
            Error::Peer { rank, peer } => {
                write!(f, "the device of rank {rank} does not reach the memory of rank {peer}")
            }
            Error::Element(Element::Bytes(0)) => f.write_str("an element has at least one byte"),
            Error::Element(element) => write!(
                f,
                "elements of {} bytes are moved and not added: sums are of F16, Bf16 or F32",
                element.bytes()
            ),
            Error::SharedStream { ranks: [one, other] } => {
                write!(
                    f,
                    "ranks {one} and {other} have one stream: kernels that wait for one another \
                     need a stream each"
                )
            }
            Error::TimeLimit { rank, peer, limit } => {
                write!(
                    f,
                    "rank {rank} waited for rank {peer}, which did not come within {limit:?} or \
                     gave up: the group is of no more use"
                )
            }
        }
    }
}

impl std::error::Error for Error {}

impl From<layout_mesh::Error> for Error {
    fn from(error: layout_mesh::Error) -> Self {
        Error::Plan(error)
    }
}
impl From<cudarc::driver::DriverError> for Error {
    fn from(error: cudarc::driver::DriverError) -> Self {
        Error::Cuda(format!("the driver: {error}"))
    }
}
