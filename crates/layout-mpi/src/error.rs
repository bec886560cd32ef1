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
    /// A mesh without ranks.
    NoRanks {
        /// The layout of ranks.
        mesh: String,
    },
    /// A mesh without modes.
    NoModes,
    /// A rank that is not there.
    NoRank {
        /// The rank.
        rank: usize,
        /// The number of ranks.
        ranks: usize,
    },
    /// A communicator that is not the one that the mesh was made for.
    OtherRanks {
        /// The rank that the mesh is seen from, and the number of ranks.
        mesh: [usize; 2],
        /// The rank in the communicator, and the number of ranks.
        communicator: [usize; 2],
    },
    /// Two distributions whose meshes are not seen from the same rank of the same ranks.
    OtherMeshes {
        /// The rank that the one is seen from, and the number of ranks.
        from: [usize; 2],
        /// The same of the other.
        to: [usize; 2],
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
    /// Not as many of something as there are modes.
    Modes {
        /// Of what.
        what: &'static str,
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
    /// Numbers of modes that are not each of the modes once.
    Order {
        /// The numbers.
        order: String,
        /// How many modes there are.
        modes: usize,
    },
    /// A tensor whose shape is not that of the distribution.
    OtherShape {
        /// The shape of the tensor.
        tensor: String,
        /// The shape of the distribution.
        distribution: String,
    },
    /// The rank that deals out a tensor has none.
    NoTensor {
        /// The rank.
        rank: usize,
    },
    /// A redistribution between tensors of two shapes.
    Shapes {
        /// The shape on one side.
        from: String,
        /// The shape on the other.
        to: String,
    },
    /// A plan in more pieces than are looked for.
    Pieces {
        /// The blocks before, over how many ranks.
        from: [usize; 2],
        /// The blocks after, over how many ranks.
        to: [usize; 2],
        /// The extent of the mode.
        extent: usize,
    },
    /// A plan with transfers to more ranks than are looked for.
    Transfers,
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
        /// The last rank that has an error.
        rank: usize,
        /// What it says.
        error: String,
    },
    /// An error of the program's own, in [`on_all_ranks`](crate::on_all_ranks).
    Own(String),
    /// MPI has not begun, or has ended.
    NotRunning {
        /// What needs it.
        what: String,
    },
    /// The ranks of a node found no memory that they can share.
    Memory {
        /// What the system says.
        error: String,
    },
    /// MPI's type of an element has structs in a row, and another extent than the element has bytes: where the second
    /// one begins is not known.
    Arrays {
        /// The type of the elements.
        elements: String,
        /// The extent.
        extent: isize,
        /// The bytes of an element.
        size: usize,
    },
    /// MPI's type of an element has not all of its bytes.
    Bytes {
        /// The type of the elements.
        elements: String,
        /// The bytes of MPI's type.
        bytes: usize,
        /// The bytes of an element.
        size: usize,
    },
    /// MPI's type of an element leads to bytes that are not the element's.
    Reach {
        /// The type of the elements.
        elements: String,
        /// From which byte on.
        from: isize,
        /// Up to which byte.
        to: isize,
        /// The bytes of an element.
        size: usize,
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
            Error::NoRanks { mesh } => write!(f, "a mesh {mesh} has no ranks"),
            Error::NoModes => f.write_str("a mesh has at least one mode, and none is left"),
            Error::NoRank { rank, ranks } => match ranks.checked_sub(1) {
                Some(last) => write!(f, "there is no rank {rank}: the ranks are 0 to {last}"),
                None => write!(f, "there is no rank {rank}: there are no ranks"),
            },
            Error::OtherRanks { mesh: [seen, mesh], communicator: [rank, ranks] } => write!(
                f,
                "the mesh is that of rank {seen} of {mesh}, and in the communicator this is rank {rank} of {ranks}"
            ),
            Error::OtherMeshes { from: [one, from], to: [other, to] } => write!(
                f,
                "the distribution before is seen from rank {one} of {from}, and the one after from rank {other} of {to}"
            ),
            Error::NoMode { mode, modes } => write!(f, "the mesh has no mode {mode}: its modes are {modes}"),
            Error::Names { names, modes } => {
                write!(f, "the names of {modes} modes are {modes} different ones, and not {names}")
            }
            Error::ModeTwice { mode } => write!(f, "mode {mode} of the mesh is named twice, and has one use"),
            Error::Split { extent, into } => write!(f, "a mode of {extent} does not split into {into}"),
            Error::Modes { what, given, needed } => write!(f, "{given} {what} are given for {needed} modes"),
            Error::EmptyBlock => f.write_str("a block has at least one element, and not 0"),
            Error::Outside { coordinate, shape } => write!(f, "the coordinate {coordinate} is outside of {shape}"),
            Error::Order { order, modes } => {
                write!(f, "an order of {modes} modes names each of 0 to {} once, and not {order}", modes - 1)
            }
            Error::OtherShape { tensor, distribution } => {
                write!(f, "a tensor of the shape {tensor} for a distribution of the shape {distribution}")
            }
            Error::NoTensor { rank } => write!(f, "rank {rank} deals out a tensor, and has none"),
            Error::Shapes { from, to } => {
                write!(f, "a tensor of the shape {from} is not redistributed to one of the shape {to}")
            }
            Error::Pieces { from: [block, parts], to: [other, others], extent } => write!(
                f,
                "blocks of {block} over {parts} ranks and of {other} over {others} cut an extent of {extent} into more \
                 pieces than a plan has: {}",
                crate::pieces::MOST
            ),
            Error::Transfers => {
                write!(f, "a rank has something for more than {} others, which are too many", crate::pieces::MOST_RANKS)
            }
            Error::Disagree { what } => write!(f, "the ranks disagree: {what} has other arguments on another rank"),
            Error::OtherElements { what, elements, other } => {
                write!(
                    f,
                    "the ranks disagree: {what} has elements of {elements} on this rank, and of {other} on another"
                )
            }
            Error::OtherCall { what, other } => {
                write!(f, "the ranks are out of step: {what} on this rank, and {other} on another")
            }
            Error::OnRank { what, rank, error } => write!(f, "rank {rank} has an error in {what}: {error}"),
            Error::Own(error) => f.write_str(error),
            Error::NotRunning { what } => write!(f, "MPI does not run, and {what} needs it"),
            Error::Memory { error } => write!(f, "the ranks of a node find no memory that they can share: {error}"),
            Error::Arrays { elements, extent, size } => write!(
                f,
                "MPI's type of {elements} has an array of structs, and the extent {extent} where an element has {size} \
                 bytes: where each struct begins is not known"
            ),
            Error::Bytes { elements, bytes, size } => {
                write!(
                    f,
                    "MPI's type of {elements} has {bytes} bytes, and an element has {size}, all of which are sent"
                )
            }
            Error::Reach { elements, from, to, size } => write!(
                f,
                "MPI's type of {elements} leads from byte {from} up to byte {to}, and an element has the bytes 0 to {size}"
            ),
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
