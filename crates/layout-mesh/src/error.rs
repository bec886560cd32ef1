//! Errors.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use layout_algebra::LayoutError;

/// The most elements of a rank.
pub(crate) const MOST_ELEMENTS: usize = 1 << 24;
/// The most pieces of a plan for a mode, and the most steps of the search for them.
pub(crate) const MOST_PIECES: usize = 1 << 20;
/// The most ranks that one rank sends to.
pub(crate) const MOST_RANKS: usize = 1 << 24;

/// An error. All ranks return the same error, without communication.
///
/// ```
/// use layout_algebra::layout;
/// use layout_mesh::Mesh;
/// let error = Mesh::on_paper(6, 0, layout!((2, 4): right)).unwrap_err();
/// assert_eq!(error.to_string(), "a mesh (2,4):(4,1) reaches rank 7, and the ranks are 0 to 5");
/// ```
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// An error of the algebra.
    Layout(LayoutError),
    /// Two coordinates of a mesh have the same rank.
    SharedRank {
        /// The layout of ranks.
        mesh: String,
    },
    /// The layout of a mesh reaches beyond the last rank.
    TooFewRanks {
        /// The layout of ranks.
        mesh: String,
        /// The largest rank of the layout.
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
    /// There is no such rank.
    NoRank {
        /// The rank.
        rank: usize,
        /// The number of ranks.
        ranks: usize,
    },
    /// The meshes of two distributions are those of different ranks, or of different numbers of
    /// ranks.
    OtherMeshes {
        /// The rank of the distribution before, and the number of ranks.
        from: [usize; 2],
        /// The rank of the distribution after, and the number of ranks.
        to: [usize; 2],
    },
    /// A mesh has no such mode.
    NoMode {
        /// The name or number.
        mode: String,
        /// The names or numbers of the modes of the mesh.
        modes: String,
    },
    /// The number of names is not that of the modes, or a name is repeated.
    Names {
        /// The names.
        names: String,
        /// The number of modes.
        modes: usize,
    },
    /// A mode of a mesh is used twice.
    ModeTwice {
        /// Its name or number.
        mode: String,
    },
    /// A mode is split into extents whose product is not its extent.
    Split {
        /// The extent.
        extent: usize,
        /// The extents that it is split into.
        into: String,
    },
    /// A list whose length is not the number of modes.
    Modes {
        /// The items of the list.
        what: &'static str,
        /// The length of the list.
        given: usize,
        /// The number of modes.
        needed: usize,
    },
    /// Blocks of no elements.
    EmptyBlock,
    /// A strided shard of no chunks.
    NoChunks,
    /// A distribution without a layout: shards of shards with a remainder.
    NoLayout,
    /// A redistribution to a sum over ranks.
    ToPartial,
    /// More elements on a rank than the limit of an enumeration.
    Elements {
        /// The number of elements.
        elements: usize,
    },
    /// A slice exceeds its mode, or its step is 0.
    Slice {
        /// The mode.
        mode: usize,
        /// The first index, one past the last, and the step.
        slice: [usize; 3],
        /// The extent of the mode.
        extent: usize,
    },
    /// A border far wider than the tensor.
    Border {
        /// The width of the border.
        width: usize,
        /// The extent of the mode.
        extent: usize,
    },
    /// A border around shards that are not intervals.
    NoInterval {
        /// The mode.
        mode: usize,
    },
    /// A coordinate outside of the shape.
    Outside {
        /// The coordinate.
        coordinate: String,
        /// The shape.
        shape: String,
    },
    /// An order of modes that is not a permutation.
    Order {
        /// The numbers.
        order: String,
        /// The number of modes.
        modes: usize,
    },
    /// A redistribution between tensors of two shapes.
    Shapes {
        /// The shape before.
        from: String,
        /// The shape after.
        to: String,
    },
    /// A plan with more pieces than the limit.
    Pieces {
        /// The size of the blocks before, and the number of ranks.
        from: [usize; 2],
        /// The size of the blocks after, and the number of ranks.
        to: [usize; 2],
        /// The extent of the mode.
        extent: usize,
    },
    /// A plan with more transfers than the limit.
    Transfers,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Layout(error) => error.fmt(f),
            Error::SharedRank { mesh } => {
                write!(f, "a mesh {mesh} leads to one rank from two coordinates")
            }
            Error::TooFewRanks { mesh, reaches, ranks: 0 } => {
                write!(f, "a mesh {mesh} reaches rank {reaches}, and there are no ranks")
            }
            Error::TooFewRanks { mesh, reaches, ranks } => {
                write!(
                    f,
                    "a mesh {mesh} reaches rank {reaches}, and the ranks are 0 to {}",
                    ranks - 1
                )
            }
            Error::NoRanks { mesh } => write!(f, "a mesh {mesh} has no ranks"),
            Error::NoModes => f.write_str("a mesh has at least one mode, and none is left"),
            Error::NoRank { rank, ranks } => match ranks.checked_sub(1) {
                Some(last) => write!(f, "there is no rank {rank}: the ranks are 0 to {last}"),
                None => write!(f, "there is no rank {rank}: there are no ranks"),
            },
            Error::OtherMeshes { from: [one, from], to: [other, to] } => write!(
                f,
                "the distribution before is seen from rank {one} of {from}, and the one after \
                 from rank {other} of {to}"
            ),
            Error::NoMode { mode, modes } => {
                write!(f, "the mesh has no mode {mode}: its modes are {modes}")
            }
            Error::Names { names, modes } => {
                write!(f, "the names of {modes} modes are {modes} different ones, and not {names}")
            }
            Error::ModeTwice { mode } => {
                write!(f, "mode {mode} of the mesh is named twice, and has one use")
            }
            Error::Split { extent, into } => {
                write!(f, "a mode of {extent} does not split into {into}")
            }
            Error::Modes { what, given, needed } => {
                write!(f, "{given} {what} are given for {needed} modes")
            }
            Error::EmptyBlock => f.write_str("a block has at least one element, and not 0"),
            Error::NoChunks => {
                f.write_str("a strided shard is one of at least one chunk, and not of 0")
            }
            Error::NoLayout => f.write_str("shards of shards with a remainder are no layout"),
            Error::ToPartial => f.write_str(
                "a sum over ranks is where a redistribution begins, and not where it ends",
            ),
            Error::Elements { elements } => {
                write!(
                    f,
                    "a rank with {elements} elements, which are looked at one by one: at most {}",
                    MOST_ELEMENTS
                )
            }
            Error::Slice { mode, slice: [start, end, step], extent } => {
                write!(
                    f,
                    "{start}..{end} in steps of {step} is no slice of mode {mode}, whose extent \
                     is {extent}"
                )
            }
            Error::Border { width, extent } => {
                write!(f, "a border of {width} around shards of a mode of {extent}: it is too wide")
            }
            Error::NoInterval { mode } => {
                write!(
                    f,
                    "a border lies around an interval of each mode, and shards of mode {mode} are \
                     several"
                )
            }
            Error::Outside { coordinate, shape } => {
                write!(f, "the coordinate {coordinate} is outside of {shape}")
            }
            Error::Order { order, modes } => {
                write!(
                    f,
                    "an order of {modes} modes names each of 0 to {} once, and not {order}",
                    modes - 1
                )
            }
            Error::Shapes { from, to } => {
                write!(
                    f,
                    "a tensor of the shape {from} is not redistributed to one of the shape {to}"
                )
            }
            Error::Pieces { from: [block, shards], to: [other, others], extent } => write!(
                f,
                "blocks of {block} over {shards} ranks and of {other} over {others} cut an extent \
                 of {extent} into more pieces than a plan has: {}",
                MOST_PIECES
            ),
            Error::Transfers => {
                write!(
                    f,
                    "a rank has something for more than {} others, which are too many",
                    MOST_RANKS
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

impl core::error::Error for Error {}

impl From<LayoutError> for Error {
    fn from(error: LayoutError) -> Self {
        Error::Layout(error)
    }
}

/// Numbers, separated by commas as in a tuple.
pub(crate) fn tuple(numbers: &[usize]) -> String {
    let numbers: Vec<String> = numbers.iter().map(usize::to_string).collect();
    format!("({})", numbers.join(","))
}
