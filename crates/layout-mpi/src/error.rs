//! What can go wrong, a sentence each.

use std::fmt;

use layout_algebra::LayoutError;

/// Why something is refused.
///
/// What every rank can find out alone is refused on all ranks alike, before anything is sent; what only some of them
/// can know is agreed upon first, so that all of them return an error and none waits for the others.
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
    /// The algebra refuses.
    Layout(LayoutError),
    /// Two coordinates of a mesh lead to one rank.
    SharedRank {
        /// The layout of ranks.
        mesh: String,
    },
    /// The layout of a mesh leads beyond the last rank.
    TooFewRanks {
        /// The layout of ranks.
        mesh: String,
        /// The largest rank that it leads to.
        reaches: usize,
        /// The number of ranks.
        ranks: usize,
    },
    /// A communicator that is not the one that the mesh was made for.
    OtherRanks {
        /// The number of ranks of the mesh.
        mesh: usize,
        /// The number of ranks of the communicator.
        communicator: usize,
    },
    /// A mesh has no such mode.
    NoMode {
        /// The name or number.
        mode: String,
        /// The names or numbers that there are.
        modes: String,
    },
    /// A number of names that is not that of the modes, or a name twice.
    Names {
        /// The names.
        names: String,
        /// The number of modes.
        modes: usize,
    },
    /// A mode of a mesh is named twice where each has one use.
    ModeTwice {
        /// Its name or number.
        mode: String,
    },
    /// A mode is split into extents that do not make up its own.
    Split {
        /// The extent.
        extent: usize,
        /// Into what.
        into: String,
    },
    /// Not as many deals as the tensor has modes, or coordinates as there are modes.
    Modes {
        /// How many there are.
        given: usize,
        /// How many there have to be.
        needed: usize,
    },
    /// Blocks of no elements.
    EmptyBlock,
    /// A coordinate outside of the shape.
    Outside {
        /// The coordinate.
        coordinate: String,
        /// The shape.
        shape: String,
    },
    /// A redistribution between tensors of two shapes.
    Shapes {
        /// The shape on one side.
        from: String,
        /// The shape on the other.
        to: String,
    },
    /// The ranks did not call the same function with the same arguments.
    Disagree {
        /// What they called.
        what: &'static str,
    },
    /// The ranks called the same function with elements of two types.
    OtherElements {
        /// What they called.
        what: &'static str,
        /// The elements of this rank.
        elements: String,
        /// The elements of another rank.
        other: String,
    },
    /// Another rank has an error in what all of them called.
    OnRank {
        /// What they called.
        what: &'static str,
        /// The last rank that has an error.
        rank: usize,
    },
    /// A tensor is not distributed as the redistribution was planned for.
    OtherDistribution,
    /// What is received would be written to one element twice.
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
    /// A message that does not say of which type its elements are.
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
            Error::SharedRank { mesh } => write!(f, "a mesh {mesh} leads to one rank from two coordinates"),
            Error::TooFewRanks { mesh, reaches, ranks: 0 } => {
                write!(f, "a mesh {mesh} reaches rank {reaches}, and there are no ranks")
            }
            Error::TooFewRanks { mesh, reaches, ranks } => {
                write!(f, "a mesh {mesh} reaches rank {reaches}, and the ranks are 0 to {}", ranks - 1)
            }
            Error::OtherRanks { mesh, communicator } => {
                write!(f, "the mesh was made for {mesh} ranks, and the communicator has {communicator}")
            }
            Error::NoMode { mode, modes } => write!(f, "the mesh has no mode {mode}: its modes are {modes}"),
            Error::Names { names, modes } => {
                write!(f, "the names of {modes} modes are {modes} different ones, and not {names}")
            }
            Error::ModeTwice { mode } => write!(f, "mode {mode} of the mesh is named twice, and has one use"),
            Error::Split { extent, into } => write!(f, "a mode of {extent} does not split into {into}"),
            Error::Modes { given, needed } => write!(f, "{given} are given for {needed} modes"),
            Error::EmptyBlock => f.write_str("a block has at least one element, and not 0"),
            Error::Outside { coordinate, shape } => write!(f, "the coordinate {coordinate} is outside of {shape}"),
            Error::Shapes { from, to } => {
                write!(f, "a tensor of the shape {from} is not redistributed to one of the shape {to}")
            }
            Error::Disagree { what } => write!(f, "the ranks disagree: {what} has other arguments on another rank"),
            Error::OtherElements { what, elements, other } => {
                write!(
                    f,
                    "the ranks disagree: {what} has elements of {elements} on this rank, and of {other} on another"
                )
            }
            Error::OnRank { what, rank } => write!(f, "rank {rank} has an error in {what}"),
            Error::OtherDistribution => f.write_str("the tensor has another distribution than the one planned for"),
            Error::NotInjective { layout } => {
                write!(f, "nothing is received under {layout}: two of its coordinates share an element")
            }
            Error::ElementTypes { message, tensor } => write!(f, "a message of {message} for a tensor of {tensor}"),
            Error::NoElementType { tensor } => {
                write!(f, "a message for a tensor of {tensor} that does not say its type: send_checked sends it along")
            }
            Error::Truncated { message, tensor } => {
                write!(f, "a message of {message} bytes for a tensor whose elements are {tensor} bytes")
            }
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {}

impl From<LayoutError> for Error {
    fn from(error: LayoutError) -> Self {
        Error::Layout(error)
    }
}

/// Numbers as they are written in a tuple.
pub(crate) fn tuple(numbers: &[usize]) -> String {
    let numbers: Vec<String> = numbers.iter().map(usize::to_string).collect();
    format!("({})", numbers.join(","))
}
