//! The placement of one mode of a tensor on the ranks of a mesh, as a program gives it.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::mesh_modes::{MeshMode, MeshModes};

/// One step of a placement: how the ranks along some modes of the mesh divide the elements that
/// each rank has after the previous step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) modes: MeshModes,
    pub(crate) split: Split,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Split {
    /// This many chunks; a rank has one shard of each chunk.
    Chunks(usize),
    /// Blocks of this many elements, dealt to the ranks round-robin.
    Blocks(usize),
}

/// The placement of one mode of a tensor: [`Replicate`], [`Shard`], [`StridedShard`],
/// [`BlockCyclic`], or several of these one after the other, [`then`](Placement::then).
///
/// PyTorch lists placements by the modes of the mesh; `layout-mesh` lists them by the modes of the
/// tensor:
///
/// | PyTorch, a mesh of (dp, tp) | `layout-mesh`, by the tensor's modes |
/// |---|---|
/// | `[Shard(0), Shard(1)]` | `(Shard("dp"), Shard("tp"))` |
/// | `[Shard(0), Replicate()]` | `(Shard("dp"), Replicate)` |
/// | `[Shard(0), Shard(0)]` | `(Shard(["dp", "tp"]), Replicate)` |
/// | `[_StridedShard(0, split_factor=2), Shard(0)]` of 2 `tp`, no remainder | `(Shard(["tp", "dp"]), Replicate)` |
/// | `[Partial(), Shard(0)]` | `(Shard("tp"), Replicate)`, and then `.partial("dp")` |
///
/// ```
/// use layout_mesh::{BlockCyclic, Placement, Replicate, Shard, StridedShard};
/// assert_eq!(Placement::from(BlockCyclic("rows", 64)).to_string(), "blocks of 64 over rows");
/// assert_eq!(Placement::from(Shard(["dp", "tp"])).to_string(), "a shard for each of dp, then of tp");
/// assert_eq!(Placement::from(Replicate).to_string(), "replicated");
/// let both = Placement::from(Shard("dp")).then(StridedShard("tp", 2));
/// assert_eq!(both.to_string(), "a shard for each of dp, then of 2 chunks for each of tp");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement(pub(crate) Vec<Step>);

impl Placement {
    /// This placement, followed by a placement of the elements of each rank: a shard of a shard.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::{Distribution, Mesh, Placement, Shard, StridedShard};
    /// let mesh = Mesh::on_paper(8, 0, layout!((4, 2): right))?;
    /// let both = Placement::from(Shard(0)).then(StridedShard(1, 2));
    /// let strided = Distribution::new(&mesh, 18, [both])?; // of 0 1 2, 3 4 the first halves: 0 1, 3
    /// assert_eq!((strided.local_shape(), strided.global_of(&[2])?), (vec![3], Some(vec![3])));
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn then(mut self, next: impl Into<Placement>) -> Placement {
        self.0.extend(next.into().0);
        self
    }
}

/// A copy of the mode on each rank: PyTorch's `Replicate`.
///
/// ```
/// use layout_algebra::layout;
/// use layout_mesh::{Distribution, Mesh, Replicate};
/// let mesh = Mesh::on_paper(2, 1, layout!(2))?;
/// assert_eq!(Distribution::new(&mesh, 6, [Replicate])?.local_shape(), [6]);
/// # Ok::<(), layout_mesh::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replicate;

/// One contiguous shard for each rank, of the extent divided by the number of ranks and rounded up:
/// PyTorch's `Shard`, and `torch.chunk`. Over several modes of the mesh, each shard is sharded
/// again by the next mode.
///
/// ```
/// use layout_algebra::layout;
/// use layout_mesh::{Distribution, Mesh, Shard};
/// let mesh = Mesh::on_paper(8, 3, layout!((4, 2): right))?;
/// assert_eq!(Distribution::new(&mesh, 18, [Shard(0)])?.local_shape(), [5]); // 5 to 9
/// let both = Distribution::new(&mesh, 18, [Shard([0, 1])])?; // 5 6 7 and 8 9
/// assert_eq!((both.local_shape(), both.global_of(&[0])?), (vec![2], Some(vec![8])));
/// # Ok::<(), layout_mesh::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard<M>(pub M);

/// One shard of each chunk for each rank: PyTorch's `_StridedShard`. The number of chunks is its
/// split factor.
///
/// ```
/// use layout_algebra::layout;
/// use layout_mesh::{Distribution, Mesh, StridedShard};
/// let mesh = Mesh::on_paper(2, 1, layout!(2))?;
/// let strided = Distribution::new(&mesh, 5, [StridedShard(0, 2)])?; // of 0 1 2 and 3 4
/// assert_eq!((strided.local_shape(), strided.owner_of(&[3])?), (vec![2], (0, vec![2])));
/// # Ok::<(), layout_mesh::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StridedShard<M>(pub M, pub usize);

/// Blocks dealt round-robin to all ranks of some modes of the mesh, the last mode fastest:
/// ScaLAPACK's distribution, with its `MB` or `NB` as the block size. A block size of 1 is the
/// cyclic distribution.
///
/// ```
/// use layout_algebra::layout;
/// use layout_mesh::{BlockCyclic, Distribution, Mesh};
/// let mesh = Mesh::on_paper(2, 1, layout!(2))?;
/// let blocks = Distribution::new(&mesh, 7, [BlockCyclic(0, 2)])?; // 2 3, 6
/// assert_eq!((blocks.local_shape(), blocks.global_of(&[2])?), (vec![3], Some(vec![6])));
/// # Ok::<(), layout_mesh::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockCyclic<M>(pub M, pub usize);

impl From<Replicate> for Placement {
    fn from(_: Replicate) -> Self {
        Placement(Vec::new())
    }
}
impl<M: Into<MeshModes>> From<Shard<M>> for Placement {
    fn from(shard: Shard<M>) -> Self {
        let one = |mode: MeshMode| Step { modes: mode.into(), split: Split::Chunks(1) };
        Placement(shard.0.into().0.into_iter().map(one).collect())
    }
}
impl<M: Into<MeshMode>> From<StridedShard<M>> for Placement {
    fn from(shard: StridedShard<M>) -> Self {
        Placement([Step { modes: shard.0.into().into(), split: Split::Chunks(shard.1) }].into())
    }
}
impl<M: Into<MeshModes>> From<BlockCyclic<M>> for Placement {
    fn from(blocks: BlockCyclic<M>) -> Self {
        Placement([Step { modes: blocks.0.into(), split: Split::Blocks(blocks.1) }].into())
    }
}

/// Placements of all modes of a tensor: an array, a tuple or a list.
///
/// ```
/// use layout_mesh::{BlockCyclic, Placements, Replicate, Shard};
/// fn modes(placements: impl Placements) -> usize {
///     placements.into_placements().len()
/// }
/// assert_eq!(modes((BlockCyclic("rows", 64), Replicate)), 2);
/// assert_eq!(modes([Shard(0), Shard(1), Shard(2)]), 3);
/// ```
pub trait Placements {
    /// One for each mode.
    fn into_placements(self) -> Vec<Placement>;
}
impl<P: Into<Placement>, const N: usize> Placements for [P; N] {
    fn into_placements(self) -> Vec<Placement> {
        self.into_iter().map(Into::into).collect()
    }
}
impl Placements for Vec<Placement> {
    fn into_placements(self) -> Vec<Placement> {
        self
    }
}
macro_rules! tuples {
    ($($name:ident)*) => {
        impl<$($name: Into<Placement>),*> Placements for ($($name,)*) {
            #[allow(non_snake_case, reason = "the values have the names of their types")]
            fn into_placements(self) -> Vec<Placement> {
                let ($($name,)*) = self;
                [$($name.into()),*].into()
            }
        }
    };
}
tuples!(A);
tuples!(A B);
tuples!(A B C);
tuples!(A B C D);
tuples!(A B C D E);
tuples!(A B C D E F);

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("replicated");
        }
        for (k, step) in self.0.iter().enumerate() {
            let modes: Vec<String> = step.modes.0.iter().map(ToString::to_string).collect();
            let modes = modes.join(", ");
            match (k, step.split) {
                (0, Split::Chunks(1)) => write!(f, "a shard for each of {modes}")?,
                (0, Split::Chunks(n)) => write!(f, "a shard of {n} chunks for each of {modes}")?,
                (0, Split::Blocks(n)) => write!(f, "blocks of {n} over {modes}")?,
                (_, Split::Chunks(1)) => write!(f, ", then of {modes}")?,
                (_, Split::Chunks(n)) => write!(f, ", then of {n} chunks for each of {modes}")?,
                (_, Split::Blocks(n)) => write!(f, ", then blocks of {n} over {modes}")?,
            }
        }
        Ok(())
    }
}
