//! How one mode of a tensor is dealt out: what a program asks for, and the layout that it becomes.
//!
//! ```text
//! from (part, (within a block, which block)) to the index     (P, (b, C)) : (b, (1, b * P))
//! ```
//!
//! `b` is the size of a block, `P` the number of ranks that the mode is dealt to, `C` the number of blocks of each.

use std::fmt;

use layout_algebra::prelude::*;

use crate::error::Error;
use crate::mesh_modes::MeshModes;

/// How one mode of a tensor is dealt to the ranks of a mesh.
///
/// ```
/// use layout_mpi::Deal;
/// assert_eq!(Deal::block_cyclic("rows", 64).to_string(), "blocks of 64 over rows");
/// assert_eq!(Deal::block(["rows", "columns"]).to_string(), "a block for each of rows, columns");
/// assert_eq!((Deal::cyclic(0).to_string(), Deal::whole().to_string()), ("cyclic over 0".into(), "whole".into()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deal {
    pub(crate) modes: MeshModes,
    pub(crate) block: Block,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Block {
    Whole,
    One,
    Of(usize),
}

impl Deal {
    /// All of the mode on each rank: it is not cut.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mpi::{Deal, Distribution, Mesh};
    /// let mesh = Mesh::on_paper(2, 1, layout!(2))?;
    /// assert_eq!(Distribution::new(&mesh, 6, [Deal::whole()])?.local_shape(), [6]);
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    pub fn whole() -> Deal {
        Deal { modes: MeshModes(Vec::new()), block: Block::Whole }
    }

    /// One block for each rank, of the extent divided by the number of ranks and rounded up.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mpi::{Deal, Distribution, Mesh};
    /// let mesh = Mesh::on_paper(2, 1, layout!(2))?;
    /// assert_eq!(Distribution::new(&mesh, 7, [Deal::block(0)])?.local_shape(), [3]); // 4 5 6
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    pub fn block(modes: impl Into<MeshModes>) -> Deal {
        Deal { modes: modes.into(), block: Block::One }
    }

    /// Element by element in turns.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mpi::{Deal, Distribution, Mesh};
    /// let mesh = Mesh::on_paper(2, 1, layout!(2))?;
    /// assert_eq!(Distribution::new(&mesh, 7, [Deal::cyclic(0)])?.global_of(&[2])?, Some(vec![5])); // 1 3 5
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    pub fn cyclic(modes: impl Into<MeshModes>) -> Deal {
        Deal::block_cyclic(modes, 1)
    }

    /// Blocks of `size` elements in turns, as ScaLAPACK deals them.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mpi::{Deal, Distribution, Mesh};
    /// let mesh = Mesh::on_paper(2, 1, layout!(2))?;
    /// let deal = Distribution::new(&mesh, 7, [Deal::block_cyclic(0, 2)])?; // 2 3, 6
    /// assert_eq!((deal.local_shape(), deal.global_of(&[2])?), (vec![3], Some(vec![6])));
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    pub fn block_cyclic(modes: impl Into<MeshModes>, size: usize) -> Deal {
        Deal { modes: modes.into(), block: Block::Of(size) }
    }
}

impl fmt::Display for Deal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let modes: Vec<String> = self.modes.0.iter().map(ToString::to_string).collect();
        let modes = modes.join(", ");
        match self.block {
            Block::Whole => f.write_str("whole"),
            Block::One => write!(f, "a block for each of {modes}"),
            Block::Of(1) => write!(f, "cyclic over {modes}"),
            Block::Of(size) => write!(f, "blocks of {size} over {modes}"),
        }
    }
}

/// One mode of a tensor, dealt out.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct DealtMode {
    /// The extent of the whole.
    pub(crate) extent: usize,
    /// The size of a block.
    pub(crate) block: usize,
    /// The number of ranks that it is dealt to.
    pub(crate) parts: usize,
    /// The modes of the mesh that it is dealt to, the last fastest.
    pub(crate) mesh: Vec<usize>,
    /// From the global index to `part + parts * local`: the left inverse of `(P, (b, C)):(b, (1, b * P))`.
    inverse: DynLayout,
}

impl DealtMode {
    pub(crate) fn new(extent: usize, mesh: Vec<usize>, parts: usize, block: Block) -> Result<DealtMode, Error> {
        let block = match block {
            Block::Of(0) => return Err(Error::EmptyBlock),
            Block::Of(size) => size,
            // Of an empty mode, one block that nobody has anything of.
            Block::Whole | Block::One => extent.div_ceil(parts).max(1),
        };
        let mut mode = DealtMode { extent, block, parts, mesh, inverse: DynLayout::new(1, 1)? };
        mode.inverse = mode.layout(1)?.left_inverse()?;
        Ok(mode)
    }

    /// The blocks of each part; one that is there for the sake of the layout if the mode is empty.
    fn blocks(&self) -> usize {
        self.extent.div_ceil(self.block).div_ceil(self.parts).max(1)
    }

    /// `(P, (b, C)):(b, (1, b * P))`, times `stride`.
    pub(crate) fn layout(&self, stride: usize) -> Result<DynLayout, LayoutError> {
        let (step, turn) = (self.block.checked_mul(stride), self.period().and_then(|turn| turn.checked_mul(stride)));
        // A stride beyond `usize` is not taken where there is one block: the layout says so otherwise.
        let (step, turn) = (step.unwrap_or(usize::MAX), turn.unwrap_or(usize::MAX));
        DynLayout::new((self.parts, (self.block, self.blocks())), (step, (stride, turn)))
    }

    /// How far apart two blocks of a part lie.
    pub(crate) fn period(&self) -> Option<usize> {
        self.block.checked_mul(self.parts)
    }

    /// The extent rounded up to whole turns.
    pub(crate) fn padded(&self) -> Option<usize> {
        self.period()?.checked_mul(self.blocks())
    }

    /// Which part has the element, and as which of its own.
    pub(crate) fn locate(&self, global: usize) -> (usize, usize) {
        let number = self.inverse.index(global);
        (number % self.parts, number / self.parts)
    }

    /// The global index of each of the `count` elements of a part: its layout at that part.
    pub(crate) fn globals(&self, part: usize, count: usize) -> Vec<usize> {
        let layout = self.layout(1).expect("the layout of the whole was made");
        (0..count).map(|local| layout.index([part, local])).collect()
    }

    /// How many elements a part has.
    pub(crate) fn count(&self, part: usize) -> usize {
        match self.period() {
            Some(period) => {
                let rest = (self.extent % period).saturating_sub(part * self.block);
                self.extent / period * self.block + rest.min(self.block)
            }
            None => self.extent.saturating_sub(part.saturating_mul(self.block)).min(self.block),
        }
    }

    /// The part of a coordinate of the mesh.
    pub(crate) fn part(&self, coordinate: &[usize], extents: &[usize]) -> usize {
        self.mesh.iter().fold(0, |part, &mode| part * extents[mode] + coordinate[mode])
    }

    /// Writes the coordinate of the mesh that a part stands at, in the modes that this one is dealt to.
    pub(crate) fn write_part(&self, mut part: usize, extents: &[usize], coordinate: &mut [usize]) {
        for &mode in self.mesh.iter().rev() {
            coordinate[mode] = part % extents[mode];
            part /= extents[mode];
        }
    }
}
