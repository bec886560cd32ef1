//! A distribution: the rank and the local coordinate of each element of a tensor.
//!
//! ```text
//! D(rank, local) = global        for each mode of the tensor what `placed` says
//! ```
//!
//! The whole is the product over the modes: a layout from (coordinate in the mesh, local
//! coordinate) to the number of the global coordinate, with a stride of 0 along the modes of the
//! mesh that hold copies. Where blocks do not divide an extent, the layout has the extent rounded
//! up, and no rank owns what lies beyond the end: the local tensors hold elements only, no padding.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use layout_algebra::prelude::*;

use crate::error::{Error, tuple};
use crate::mesh::{Mesh, within};
use crate::mesh_modes::MeshModes;
use crate::placed::PlacedMode;
use crate::placement::{Placement, Placements, Split};

/// A tensor on the ranks of a mesh, with a placement for each mode of the tensor.
///
/// `layout().index((mesh coordinate, local coordinate))` is the number of the global coordinate;
/// along modes of the mesh that no mode of the tensor is placed on, the stride is 0: the ranks
/// there hold copies.
///
/// ```
/// use layout_algebra::layout;
/// use layout_mesh::{BlockCyclic, Distribution, Mesh, Shard};
/// let mesh = Mesh::on_paper(4, 2, layout!((2, 2): right))?.named(["rows", "columns"])?;
/// let blocks = Distribution::new(&mesh, (8, 8), (BlockCyclic("rows", 2), Shard("columns")))?;
/// assert_eq!(blocks.layout()?.to_string(), "((2,2),((2,2),(4,1))):((2,32),((1,4),(8,64)))");
/// assert_eq!(blocks.local_shape(), [4, 4]);
/// assert_eq!(blocks.global_of(&[3, 1])?, Some(vec![7, 1])); // rank 2 has rows 2 3 6 7 and columns 0 1 2 3
/// assert_eq!(blocks.owner_of(&[7, 1])?, (2, vec![3, 1]));
/// # Ok::<(), layout_mesh::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Distribution {
    mesh: Mesh,
    modes: Vec<PlacedMode>,
    /// The modes of the tensor in the order of memory, the fastest first.
    order: Vec<usize>,
    /// The modes of the mesh along which it is a sum.
    partial: Vec<usize>,
}

impl Distribution {
    /// A tensor of the shape `shape` on the ranks of `mesh`, a placement for each mode.
    ///
    /// # Errors
    /// If there are not as many placements as modes, a mode of the mesh is not there or has two
    /// uses, a block is empty, or the sizes rounded up to whole blocks leave `usize`. All ranks get
    /// the same error.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::{BlockCyclic, Distribution, Mesh, Shard};
    /// let mesh = Mesh::on_paper(4, 0, layout!((2, 2): right))?;
    /// let error = Distribution::new(&mesh, (8, 8), (Shard(0), BlockCyclic(0, 1))).unwrap_err();
    /// assert_eq!(error.to_string(), "mode 0 of the mesh is named twice, and has one use");
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn new(
        mesh: &Mesh,
        shape: impl IntoDynShape,
        placements: impl Placements,
    ) -> Result<Distribution, Error> {
        let (shape, placements): (DynShape, Vec<Placement>) =
            (shape.into(), placements.into_placements());
        let (given, needed) = (placements.len(), shape.leaves().len());
        if given != needed {
            return Err(Error::Modes { what: "placements", given, needed });
        }
        let steps = || placements.iter().flat_map(|placement| &placement.0);
        mesh.numbers(&MeshModes(steps().flat_map(|step| step.modes.0.iter().cloned()).collect()))?;
        let extents = mesh.extents();
        let place = |(placement, &extent): (&Placement, &usize)| {
            let (mut all, mut steps) = (Vec::new(), Vec::new());
            for step in &placement.0 {
                let numbers = mesh.numbers(&step.modes)?;
                steps.push((numbers.iter().map(|&mode| extents[mode]).product(), step.split));
                all.extend(numbers);
            }
            if steps.is_empty() {
                steps.push((1, Split::Chunks(1)));
            }
            PlacedMode::new(extent, all, &steps)
        };
        let modes = placements.iter().zip(shape.leaves()).map(place).collect::<Result<_, _>>()?;
        Distribution {
            mesh: mesh.clone(),
            modes,
            order: (0..needed).collect(),
            partial: Vec::new(),
        }
        .checked()
    }

    /// Checks that the offsets of the layout, if there is one, fit in `usize`.
    fn checked(self) -> Result<Distribution, Error> {
        match self.layout() {
            Err(Error::NoLayout) => {
                let mut extents = self.padded_shape()?.into_iter();
                let size = extents.try_fold(1usize, usize::checked_mul);
                size.map(|_| self).ok_or_else(|| LayoutError::new("layout", Fault::Overflow).into())
            }
            layout => layout.map(|_| self),
        }
    }

    /// The same tensor as a sum of the values of the ranks along some modes of the mesh: PyTorch's
    /// `Partial`. A redistribution from it adds the summands.
    ///
    /// # Errors
    /// If the mesh has no such mode, or the tensor is placed on it.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::{Distribution, Mesh, Plan, Replicate, Shard};
    /// let mesh = Mesh::on_paper(4, 1, layout!(4))?;
    /// let sums = Distribution::new(&mesh, 8, [Replicate])?.partial(0)?; // four summands of each element
    /// let plan = Plan::new(&sums, &Distribution::new(&mesh, 8, [Shard(0)])?)?; // a reduce-scatter
    /// assert_eq!((plan.receives().len(), plan.elements_sent()), (4, 6));
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn partial(mut self, modes: impl Into<MeshModes>) -> Result<Distribution, Error> {
        let numbers = self.mesh.numbers(&modes.into())?;
        let used = |mode: &usize| {
            self.partial.contains(mode)
                || self.modes.iter().any(|placed| placed.mesh.contains(mode))
        };
        if let Some(&mode) = numbers.iter().find(|mode| used(mode)) {
            return Err(Error::ModeTwice { mode: self.mesh.name(mode) });
        }
        self.partial.extend(numbers);
        Ok(self)
    }

    /// Whether the tensor is a sum over ranks.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::{Distribution, Mesh, Replicate};
    /// let whole = Distribution::new(&Mesh::on_paper(4, 1, layout!(4))?, 8, [Replicate])?;
    /// assert!(!whole.is_partial() && whole.partial(0)?.is_partial());
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn is_partial(&self) -> bool {
        !self.partial.is_empty()
    }

    /// The modes of the mesh along which it is a sum.
    pub(crate) fn summed(&self) -> &[usize] {
        &self.partial
    }

    /// The modes of the mesh that no mode of the tensor is placed on: their ranks hold copies or
    /// summands.
    pub(crate) fn copied(&self) -> Vec<usize> {
        let placed = |mode: &usize| self.modes.iter().any(|placed| placed.mesh.contains(mode));
        (0..self.mesh.extents().len()).filter(|mode| !placed(mode)).collect()
    }

    /// All of the tensor on one rank, the first mode fastest.
    ///
    /// # Errors
    /// If there is no such rank.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::{Distribution, Mesh, Shard};
    /// let rows = Distribution::new(&Mesh::on_paper(4, 1, layout!(4))?, 8, [Shard(0)])?;
    /// assert_eq!(rows.on_rank(1)?.local_shape(), [8]);
    /// assert_eq!(rows.on_rank(9).unwrap_err().to_string(), "there is no rank 9: the ranks are 0 to 3");
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn on_rank(&self, rank: usize) -> Result<Distribution, Error> {
        let ranks = self.mesh.world_size();
        if rank >= ranks {
            return Err(Error::NoRank { rank, ranks });
        }
        let mesh = self.mesh.with(
            rank,
            DynLayout::tuple(&[DynLayout::new(1, 0)?])?,
            [String::new()].into(),
        )?;
        let whole =
            |mode: &PlacedMode| PlacedMode::new(mode.extent, Vec::new(), &[(1, Split::Chunks(1))]);
        let modes = self.modes.iter().map(whole).collect::<Result<Vec<_>, _>>()?;
        Ok(Distribution { mesh, order: (0..modes.len()).collect(), modes, partial: Vec::new() })
    }

    /// The mesh.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::{Distribution, Mesh, Shard};
    /// let mesh = Mesh::on_paper(4, 0, layout!(4))?;
    /// assert_eq!(Distribution::new(&mesh, 8, [Shard(0)])?.mesh(), &mesh);
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// The same distribution on another rank, whose shard is then the local one.
    ///
    /// # Errors
    /// If there is no such rank.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::{Distribution, Mesh, Shard};
    /// let blocks = Distribution::new(&Mesh::on_paper(4, 0, layout!(4))?, 9, [Shard(0)])?;
    /// let sizes = (0..4).map(|rank| Ok(blocks.seen_from(rank)?.local_shape()[0]));
    /// assert_eq!(sizes.collect::<Result<Vec<_>, layout_mesh::Error>>()?, [3, 3, 3, 0]);
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn seen_from(&self, rank: usize) -> Result<Distribution, Error> {
        Ok(Distribution { mesh: self.mesh.seen_from(rank)?, ..self.clone() })
    }

    pub(crate) fn modes(&self) -> &[PlacedMode] {
        &self.modes
    }

    /// The shape of the global tensor.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::{Distribution, Mesh, Replicate, Shard};
    /// let mesh = Mesh::on_paper(4, 0, layout!(4))?;
    /// assert_eq!(Distribution::new(&mesh, (8, 6), (Shard(0), Replicate))?.shape(), [8, 6]);
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn shape(&self) -> Vec<usize> {
        self.modes.iter().map(|mode| mode.extent).collect()
    }

    /// The shape rounded up to whole blocks for each rank: the codomain of the layout.
    ///
    /// # Errors
    /// `overflow` if one leaves `usize`.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::{BlockCyclic, Distribution, Mesh};
    /// let mesh = Mesh::on_paper(4, 0, layout!(4))?;
    /// assert_eq!(Distribution::new(&mesh, 10, [BlockCyclic(0, 2)])?.padded_shape()?, [16]);
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn padded_shape(&self) -> Result<Vec<usize>, Error> {
        let padded: Option<Vec<usize>> = self.modes.iter().map(PlacedMode::padded).collect();
        Ok(padded.ok_or(LayoutError::new("padded_shape", Fault::Overflow))?)
    }

    /// The distribution as a layout: `((mesh), (local)) -> index of the global coordinate`. Local
    /// coordinates are (within a block, block) in each mode; the index is that in [`padded_shape`]
    /// with the first mode fastest.
    ///
    /// # Errors
    /// `overflow` if the size exceeds `usize`; if a mode is placed in several steps with a
    /// remainder, for no layout describes that.
    ///
    /// [`padded_shape`]: Distribution::padded_shape
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::{BlockCyclic, Distribution, Mesh};
    /// let mesh = Mesh::on_paper(6, 0, layout!((2, 3): right))?;
    /// let copies = Distribution::new(&mesh, 8, [BlockCyclic(0, 1)])?;
    /// assert_eq!(copies.layout()?.to_string(), "((2,3),((1,4))):((1,0),((1,2)))"); // three copies of each half
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn layout(&self) -> Result<DynLayout, Error> {
        let (extents, mut strides) = (self.mesh.extents(), vec![0usize; self.mesh.extents().len()]);
        let (mut pitch, mut local) = (1usize, Vec::new());
        for (mode, padded) in self.modes.iter().zip(self.padded_shape()?) {
            let whole = mode.layout(pitch)?;
            let mut step = whole.mode(0)?.stride().leaves()[0];
            for &k in mode.mesh.iter().rev() {
                strides[k] = step;
                step = step.saturating_mul(extents[k]);
            }
            local.push(whole.mode(1)?);
            pitch = pitch.checked_mul(padded).ok_or(LayoutError::new("layout", Fault::Overflow))?;
        }
        let mesh =
            extents.iter().zip(&strides).map(|(&extent, &stride)| DynLayout::new(extent, stride));
        let mesh = DynLayout::tuple(&mesh.collect::<Result<Vec<_>, _>>()?)?;
        Ok(DynLayout::tuple(&[mesh, DynLayout::tuple(&local)?])?)
    }

    /// The extents of this rank's shard, which has no padding; zeros on a rank outside of the mesh.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::{BlockCyclic, Distribution, Mesh, Shard};
    /// let mesh = Mesh::on_paper(4, 3, layout!((2, 2): right))?;
    /// assert_eq!(Distribution::new(&mesh, (5, 7), (Shard(0), BlockCyclic(1, 1)))?.local_shape(), [2, 3]);
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn local_shape(&self) -> Vec<usize> {
        match self.mesh.coordinates() {
            Some(coordinate) => self.local_shape_at(&coordinate),
            None => vec![0; self.modes.len()],
        }
    }

    pub(crate) fn local_shape_at(&self, coordinate: &[usize]) -> Vec<usize> {
        let extents = self.mesh.extents();
        self.modes.iter().map(|mode| mode.count(mode.shard(coordinate, &extents))).collect()
    }

    /// The layout of this rank's shard in memory: compact, with the first mode fastest, or in the
    /// order of modes before a [`select`](Distribution::select).
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::{BlockCyclic, Distribution, Mesh, Shard};
    /// let mesh = Mesh::on_paper(4, 3, layout!((2, 2): right))?;
    /// let blocks = Distribution::new(&mesh, (5, 7), (Shard(0), BlockCyclic(1, 1)))?;
    /// assert_eq!(blocks.local_layout().to_string(), "(2,3):(1,2)");
    /// assert_eq!(blocks.select(&[1, 0])?.local_layout().to_string(), "(3,2):(2,1)");
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn local_layout(&self) -> DynLayout {
        self.layout_of(&self.local_shape())
    }

    /// The compact layout of this shape, with the modes in the order of memory.
    pub(crate) fn layout_of(&self, shape: &[usize]) -> DynLayout {
        let strides = self.local_strides(shape);
        let tuple = |numbers: &[usize]| {
            DynShape::tuple(numbers.iter().map(|&number| DynShape::from(number)))
        };
        let layout = tuple(shape).and_then(|shape| DynLayout::new(shape, tuple(&strides)?));
        layout.expect("a tensor has modes, and a shard of it is no larger than the whole")
    }

    /// The strides of a shard of this shape.
    pub(crate) fn local_strides(&self, shape: &[usize]) -> Vec<usize> {
        let (mut strides, mut step) = (vec![0; shape.len()], 1);
        for &mode in &self.order {
            strides[mode] = step;
            step *= shape[mode].max(1);
        }
        strides
    }

    /// The global coordinate of a local coordinate of this rank; `None` outside of the mesh.
    ///
    /// # Errors
    /// If this rank has no such local coordinate.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::{BlockCyclic, Distribution, Mesh};
    /// let mesh = Mesh::on_paper(4, 3, layout!(4))?;
    /// let blocks = Distribution::new(&mesh, 10, [BlockCyclic(0, 2)])?; // 6 7, and no 14
    /// assert_eq!(blocks.global_of(&[1])?, Some(vec![7]));
    /// assert_eq!(blocks.global_of(&[2]).unwrap_err().to_string(), "the coordinate (2) is outside of (2)");
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn global_of(&self, local: &[usize]) -> Result<Option<Vec<usize>>, Error> {
        let Some(coordinate) = self.mesh.coordinates() else { return Ok(None) };
        let (shape, extents) = (self.local_shape_at(&coordinate), self.mesh.extents());
        within(local, &shape)?;
        let modes = self.modes.iter().zip(local);
        Ok(Some(
            modes
                .map(|(mode, &local)| mode.global(mode.shard(&coordinate, &extents), local))
                .collect(),
        ))
    }

    /// The rank that owns an element, and the local coordinate there: of several copies, the first.
    ///
    /// `D(owner) == global`, by the left inverse of the distribution.
    ///
    /// # Errors
    /// If there is no such element.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::{BlockCyclic, Distribution, Mesh};
    /// let mesh = Mesh::on_paper(4, 0, layout!(4))?;
    /// let blocks = Distribution::new(&mesh, 10, [BlockCyclic(0, 2)])?;
    /// assert_eq!((blocks.owner_of(&[7])?, blocks.owner_of(&[8])?), ((3, vec![1]), (0, vec![2])));
    /// assert_eq!(blocks.owner_of(&[10]).unwrap_err().to_string(), "the coordinate (10) is outside of (10)");
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn owner_of(&self, global: &[usize]) -> Result<(usize, Vec<usize>), Error> {
        within(global, &self.shape())?;
        let extents = self.mesh.extents();
        let (mut coordinate, mut local) = (vec![0; extents.len()], Vec::new());
        for (mode, &index) in self.modes.iter().zip(global) {
            let place = mode.locate(index);
            mode.write_shard(place.shard, &extents, &mut coordinate);
            local.push(place.local);
        }
        Ok((self.mesh.rank_at(&coordinate)?, local))
    }

    /// A view of the same memory with its modes in another order: `select(&[1, 0])` of a matrix is
    /// its transpose. No elements move, until a redistribution.
    ///
    /// # Errors
    /// If `modes` is not a permutation of the modes.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::{Distribution, Mesh, Replicate, Shard};
    /// let mesh = Mesh::on_paper(2, 0, layout!(2))?;
    /// let rows = Distribution::new(&mesh, (6, 8), (Shard(0), Replicate))?;
    /// assert_eq!(rows.select(&[1, 0])?.shape(), [8, 6]);
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn select(&self, modes: &[usize]) -> Result<Distribution, Error> {
        let rank = self.modes.len();
        if modes.len() != rank {
            return Err(Error::Modes {
                what: "numbers of modes",
                given: modes.len(),
                needed: rank,
            });
        }
        let place = |mode: usize| modes.iter().position(|&other| other == mode);
        let order: Option<Vec<usize>> = self.order.iter().map(|&mode| place(mode)).collect();
        let order = order.ok_or_else(|| Error::Order { order: tuple(modes), modes: rank })?;
        let modes = modes.iter().map(|&mode| self.modes[mode].clone()).collect();
        Ok(Distribution { modes, order, mesh: self.mesh.clone(), partial: self.partial.clone() })
    }

    /// The same shards with another order of memory, the fastest mode first.
    pub(crate) fn in_order_of(&self, order: &[usize]) -> Distribution {
        Distribution { order: order.to_vec(), ..self.clone() }
    }

    /// Calls `f` with each local coordinate of this rank and its global coordinate, in the order
    /// of memory.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::{Distribution, Mesh, Replicate, Shard};
    /// let mesh = Mesh::on_paper(2, 1, layout!(2))?;
    /// let rows = Distribution::new(&mesh, (4, 2), (Shard(0), Replicate))?;
    /// let mut sum = 0;
    /// rows.for_each_coordinate(|_, global| sum += global[0]); // 2 3 2 3
    /// assert_eq!(sum, 10);
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn for_each_coordinate(&self, mut f: impl FnMut(&[usize], &[usize])) {
        let Some(coordinate) = self.mesh.coordinates() else { return };
        let (shape, extents) = (self.local_shape_at(&coordinate), self.mesh.extents());
        // For each mode, the global index of each local index.
        let globals: Vec<Vec<usize>> = self
            .modes
            .iter()
            .map(|mode| {
                let runs = mode.runs(mode.shard(&coordinate, &extents));
                runs.flat_map(|(start, _, length)| start..start + length).collect()
            })
            .collect();
        let (mut local, mut global) = (vec![0; shape.len()], vec![0; shape.len()]);
        for _ in 0..shape.iter().product() {
            global
                .iter_mut()
                .zip(&globals)
                .zip(&local)
                .for_each(|((global, of), &local)| *global = of[local]);
            f(&local, &global);
            for &mode in &self.order {
                local[mode] += 1;
                if local[mode] < shape[mode] {
                    break;
                }
                local[mode] = 0;
            }
        }
    }

    /// Each local coordinate of this rank with its global coordinate, in the order of memory.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::{BlockCyclic, Distribution, Mesh};
    /// let cyclic = Distribution::new(&Mesh::on_paper(2, 1, layout!(2))?, 5, [BlockCyclic(0, 1)])?;
    /// let all: Vec<_> = cyclic.coordinates().map(|(local, global)| (local[0], global[0])).collect();
    /// assert_eq!(all, [(0, 1), (1, 3)]);
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn coordinates(&self) -> impl Iterator<Item = (Vec<usize>, Vec<usize>)> {
        let shape = self.local_shape();
        let size: usize = shape.iter().product();
        (0..size).map(move |mut number| {
            let mut local = vec![0; shape.len()];
            for &mode in &self.order {
                local[mode] = number % shape[mode];
                number /= shape[mode];
            }
            let global =
                self.global_of(&local).ok().flatten().expect("a coordinate of this rank's shard");
            (local, global)
        })
    }

    /// This distribution on a mesh with permuted ranks, on which each rank has the shard that it
    /// has in `from`, so that nothing has to be sent. `None` if the shards differ, or the ranks
    /// are not a layout.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::{BlockCyclic, Distribution, Mesh, Plan, Shard};
    /// let rows = Mesh::on_paper(6, 1, layout!((2, 3): right))?;
    /// let columns = Mesh::on_paper(6, 1, layout!((3, 2): right))?;
    /// let from = Distribution::new(&rows, (8, 9), (BlockCyclic(0, 1), Shard(1)))?;
    /// let to = Distribution::new(&columns, (8, 9), (BlockCyclic(1, 1), Shard(0)))?;
    /// assert!(Plan::new(&from, &to)?.elements_sent() > 0);
    /// let renamed = to.relabelled(&from).unwrap();
    /// assert_eq!(renamed.mesh().layout().to_string(), "(3,2):(1,3)");
    /// assert_eq!(Plan::new(&from, &renamed)?.elements_sent(), 0);
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn relabelled(&self, from: &Distribution) -> Option<Distribution> {
        let same = |(a, b): (&PlacedMode, &PlacedMode)| {
            a.extent == b.extent && a.shards == b.shards && (a.steps == b.steps || a.shards == 1)
        };
        if self.is_partial()
            || from.is_partial()
            || self.modes.len() != from.modes.len()
            || !self.modes.iter().zip(&from.modes).all(same)
        {
            return None;
        }
        // The modes of the mesh of each mode of the tensor and of the copies: the ranks of `from`
        // in the shape of this mesh.
        let own = self.modes.iter().map(|mode| mode.mesh.clone()).chain([self.copied()]);
        let theirs = from.modes.iter().map(|mode| mode.mesh.clone()).chain([from.copied()]);
        let extents = self.mesh.extents();
        let mut layouts = vec![None; extents.len()];
        for (own, theirs) in own.zip(theirs) {
            let reversed: Vec<usize> = theirs.iter().rev().copied().collect();
            let ranks = match reversed[..] {
                [] => DynLayout::new(1, 0).ok()?,
                _ => from.mesh.layout().select(&reversed).ok()?,
            };
            if ranks.size() != own.iter().map(|&mode| extents[mode]).product::<usize>() {
                return None;
            }
            let mut step = 1;
            for &mode in own.iter().rev() {
                layouts[mode] =
                    Some(ranks.compose(&DynLayout::new(extents[mode], step).ok()?).ok()?);
                step *= extents[mode];
            }
        }
        let layout = DynLayout::tuple(&layouts.into_iter().collect::<Option<Vec<_>>>()?).ok()?;
        let mesh = from.mesh.with(from.mesh.first(), layout, self.mesh.names.clone()).ok()?;
        Some(Distribution { mesh, ..self.clone() })
    }
}

/// The shape, the placements, and the mesh.
impl fmt::Display for Distribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} over {}:", tuple(&self.shape()), self.mesh)?;
        for mode in &self.modes {
            let names: Vec<String> = mode.mesh.iter().map(|&k| self.mesh.name(k)).collect();
            match (mode.shards, mode.blocks_of()) {
                (1, Some(_)) => write!(f, " replicated;")?,
                (_, Some(block)) => write!(f, " blocks of {block} over {};", names.join(", "))?,
                _ => write!(f, " shards over {};", names.join(", "))?,
            }
        }
        let sums: Vec<String> = self.partial.iter().map(|&k| self.mesh.name(k)).collect();
        if sums.is_empty() { Ok(()) } else { write!(f, " a sum over {};", sums.join(", ")) }
    }
}
impl fmt::Debug for Distribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
