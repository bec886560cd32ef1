//! Errors, one sentence for each.

use std::fmt;

use layout_algebra::LayoutError;
use layout_mesh::Distribution;

/// The most contiguous runs of a layout under a swizzle: a datatype lists each run in 12 bytes.
pub(crate) const MOST_RUNS: usize = 1 << 26;

/// Why something is refused.
///
/// Errors that every rank can detect alone are returned on all ranks, before anything is sent.
/// Errors that only some ranks can detect are agreed upon first, so that all ranks return an error
/// and none waits for the others.
///
/// ```
/// use layout_algebra::layout;
/// use layout_mpi::Mesh;
/// let error = Mesh::on_paper(6, 0, layout!((2, 4): right)).unwrap_err();
/// assert_eq!(error.to_string(), "a mesh (2,4):(4,1) reaches rank 7, and the ranks are 0 to 5");
/// ```
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// An operation of the algebra has no result.
    Layout(LayoutError),
    /// An error of `layout-mesh`.
    Mesh(layout_mesh::Error),
    /// A communicator that is not the one that the mesh was made for.
    OtherRanks {
        /// The mesh's own rank, and its number of ranks.
        mesh: [usize; 2],
        /// The rank in the communicator, and the number of ranks.
        communicator: [usize; 2],
    },
    /// A tensor whose shape is not that of the distribution.
    OtherShape {
        /// The shape of the tensor.
        tensor: String,
        /// The shape of the distribution.
        distribution: String,
    },
    /// The rank that scatters a tensor has none.
    NoTensor {
        /// The rank.
        rank: usize,
    },
    /// The ranks called the same function with other arguments.
    Disagree {
        /// What they called.
        what: String,
    },
    /// The ranks called two functions.
    OtherCall {
        /// What this rank called.
        what: String,
        /// What another one called.
        other: String,
    },
    /// The ranks called the same function with elements of two types.
    OtherElements {
        /// What they called.
        what: String,
        /// The elements of this rank.
        elements: String,
        /// The elements of another rank.
        other: String,
    },
    /// Another rank has an error.
    OnRank {
        /// What that rank called.
        what: String,
        /// The rank with the error, the last one if there are several.
        rank: usize,
        /// The text of its error.
        error: String,
    },
    /// An error of the program's own, in [`on_all_ranks`](crate::on_all_ranks).
    Own(String),
    /// MPI has not begun, or has ended.
    NotRunning {
        /// The function that needs MPI.
        what: String,
    },
    /// The ranks of a node cannot allocate shared memory.
    Memory {
        /// The system's error.
        error: String,
    },
    /// MPI's type of an element contains an array of structs, and its extent is not the element's
    /// size: the position of the second struct is unknown.
    Arrays {
        /// The type of the elements.
        elements: String,
        /// The extent.
        extent: isize,
        /// The bytes of an element.
        size: usize,
    },
    /// MPI's type of an element does not cover all bytes of the element.
    Bytes {
        /// The type of the elements.
        elements: String,
        /// The bytes of MPI's type.
        bytes: usize,
        /// The bytes of an element.
        size: usize,
    },
    /// MPI's type of an element reaches bytes outside the element.
    Reach {
        /// The type of the elements.
        elements: String,
        /// The first byte.
        from: isize,
        /// The end, one past the last byte.
        to: isize,
        /// The bytes of an element.
        size: usize,
    },
    /// A tensor's distribution is not the planned one.
    OtherDistribution {
        /// The tensor's distribution.
        tensor: String,
        /// The planned distribution.
        planned: String,
    },
    /// A layout under a swizzle has more contiguous runs than a datatype may list.
    Runs,
    /// The source is a sum over ranks, and the redistribution does not add.
    Summands,
    /// Receiving would write one element twice.
    NotInjective {
        /// The layout of the tensor.
        layout: String,
    },
    /// A message of elements of another type than those of the tensor that receives it.
    ElementTypes {
        /// The elements of the message.
        message: String,
        /// The elements of the tensor.
        tensor: String,
    },
    /// A message that carries no element type.
    NoElementType {
        /// The elements of the tensor.
        tensor: String,
    },
    /// A message of another size than the tensor that receives it.
    Truncated {
        /// The bytes of the message.
        message: usize,
        /// The bytes of the tensor's elements.
        tensor: usize,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Layout(error) => error.fmt(f),
            Error::Mesh(error) => error.fmt(f),
            Error::OtherRanks { mesh: [seen, mesh], communicator: [rank, ranks] } => write!(
                f,
                "the mesh is that of rank {seen} of {mesh}, and in the communicator this is rank \
                 {rank} of {ranks}"
            ),
            Error::OtherShape { tensor, distribution } => {
                write!(
                    f,
                    "a tensor of the shape {tensor} for a distribution of the shape {distribution}"
                )
            }
            Error::NoTensor { rank } => write!(f, "rank {rank} scatters a tensor, and has none"),
            Error::Disagree { what } => {
                write!(f, "the ranks disagree: {what} has other arguments on another rank")
            }
            Error::OtherElements { what, elements, other } => {
                write!(
                    f,
                    "the ranks disagree: {what} has elements of {elements} on this rank, and of \
                     {other} on another"
                )
            }
            Error::OtherCall { what, other } => {
                write!(f, "the ranks are out of step: {what} on this rank, and {other} on another")
            }
            Error::OnRank { what, rank, error } => {
                write!(f, "rank {rank} has an error in {what}: {error}")
            }
            Error::Own(error) => f.write_str(error),
            Error::NotRunning { what } => write!(f, "MPI does not run, and {what} needs it"),
            Error::Memory { error } => {
                write!(f, "the ranks of a node find no memory that they can share: {error}")
            }
            Error::Arrays { elements, extent, size } => write!(
                f,
                "MPI's type of {elements} has an array of structs, and the extent {extent} where \
                 an element has {size} bytes: where each struct begins is not known"
            ),
            Error::Bytes { elements, bytes, size } => {
                write!(
                    f,
                    "MPI's type of {elements} has {bytes} bytes, and an element has {size}, all \
                     of which are sent"
                )
            }
            Error::Reach { elements, from, to, size } => write!(
                f,
                "MPI's type of {elements} leads from byte {from} up to byte {to}, and an element \
                 has the bytes 0 to {size}"
            ),
            Error::OtherDistribution { tensor, planned } => {
                write!(f, "the tensor is distributed as {tensor} and the plan is for {planned}")
            }
            Error::Runs => write!(
                f,
                "a layout under a swizzle with more than {} runs of neighbours, each of which a \
                 datatype lists",
                MOST_RUNS
            ),
            Error::Summands => f.write_str(
                "a sum over ranks is added up by a redistribution that adds: \
                 Redistribution::adding",
            ),
            Error::NotInjective { layout } => {
                write!(
                    f,
                    "nothing is received under {layout}: two of its coordinates share an element"
                )
            }
            Error::ElementTypes { message, tensor } => {
                write!(f, "a message of {message} for a tensor of {tensor}")
            }
            Error::NoElementType { tensor } => {
                write!(
                    f,
                    "a message for a tensor of {tensor} that does not say its type: send_checked \
                     sends it along"
                )
            }
            Error::Truncated { message, tensor } => {
                write!(
                    f,
                    "a message of {message} bytes for a tensor whose elements are {tensor} bytes"
                )
            }
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Error {
    /// `OtherDistribution` with each mesh's own rank, which may be the only difference.
    pub(crate) fn other_distribution(tensor: &Distribution, planned: &Distribution) -> Self {
        let [tensor, planned] =
            [tensor, planned].map(|one| format!("{one} seen from rank {}", one.mesh().rank()));
        Error::OtherDistribution { tensor, planned }
    }
}

impl std::error::Error for Error {}

impl From<layout_mesh::Error> for Error {
    fn from(error: layout_mesh::Error) -> Self {
        Error::Mesh(error)
    }
}

impl From<LayoutError> for Error {
    fn from(error: LayoutError) -> Self {
        Error::Layout(error)
    }
}

/// Numbers, written as a tuple.
pub(crate) fn tuple(numbers: &[usize]) -> String {
    let numbers: Vec<String> = numbers.iter().map(usize::to_string).collect();
    format!("({})", numbers.join(","))
}
