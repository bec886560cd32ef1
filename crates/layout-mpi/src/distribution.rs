//! A distribution: which rank owns what.
//!
//! ```text
//! D(rank, local) = global        for each mode of the tensor what `deal` says
//! ```
//!
//! The whole is the product over the modes: a layout from (coordinate in the mesh, local coordinate) to the number of
//! the global coordinate, with a stride of 0 along the modes of the mesh that hold copies. Where blocks do not divide an
//! extent the layout is one of the extent rounded up, and what lies beyond the end is nobody's: the local tensors hold
//! what there is and no padding.

use std::fmt;

use layout_algebra::prelude::*;

use crate::deal::{Block, Deal, DealtMode};
use crate::error::{Error, tuple};
use crate::mesh::{Mesh, within};
use crate::mesh_modes::MeshModes;

/// A tensor of some shape dealt to the ranks of a mesh, each mode of it by itself.
///
/// `layout().index((mesh coordinate, local coordinate))` is the number of the global coordinate; along modes of the
/// mesh that no mode of the tensor is dealt to it has the stride 0: the ranks there hold copies.
///
/// ```
/// use layout_algebra::layout;
/// use layout_mpi::{Deal, Distribution, Mesh};
/// let mesh = Mesh::on_paper(4, 2, layout!((2, 2): right))?.named(["rows", "columns"])?;
/// let blocks = Distribution::new(&mesh, (8, 8), [Deal::block_cyclic("rows", 2), Deal::block("columns")])?;
/// assert_eq!(blocks.layout()?.to_string(), "((2,2),((2,2),(4,1))):((2,32),((1,4),(8,64)))");
/// assert_eq!(blocks.local_shape(), [4, 4]);
/// assert_eq!(blocks.global_of(&[3, 1])?, Some(vec![7, 1])); // rank 2 has rows 2 3 6 7 and columns 0 1 2 3
/// assert_eq!(blocks.owner_of(&[7, 1])?, (2, vec![3, 1]));
/// # Ok::<(), layout_mpi::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Distribution {
    mesh: Mesh,
    modes: Vec<DealtMode>,
    /// The modes of the tensor in the order of memory, the fastest first.
    order: Vec<usize>,
}

impl Distribution {
    /// A tensor of the shape `shape` dealt to the ranks of `mesh`, a deal for each mode.
    ///
    /// # Errors
    /// If there are not as many deals as modes, a mode of the mesh is not there or has two uses, a block is empty, or
    /// the sizes rounded up to whole blocks leave `usize`. All ranks find out alike.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mpi::{Deal, Distribution, Mesh};
    /// let mesh = Mesh::on_paper(4, 0, layout!((2, 2): right))?;
    /// let error = Distribution::new(&mesh, (8, 8), [Deal::block(0), Deal::cyclic(0)]).unwrap_err();
    /// assert_eq!(error.to_string(), "mode 0 of the mesh is named twice, and has one use");
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    pub fn new<const N: usize>(mesh: &Mesh, shape: impl IntoDynShape, deals: [Deal; N]) -> Result<Distribution, Error> {
        let shape: DynShape = shape.into();
        if shape.leaves().len() != N {
            return Err(Error::Modes { what: "deals", given: N, needed: shape.leaves().len() });
        }
        let all = MeshModes(deals.iter().flat_map(|deal| deal.modes.0.iter().cloned()).collect());
        mesh.numbers(&all)?;
        let extents = mesh.extents();
        let modes = deals.iter().zip(shape.leaves()).map(|(deal, &extent)| {
            let numbers = mesh.numbers(&deal.modes)?;
            let parts = numbers.iter().map(|&mode| extents[mode]).product();
            DealtMode::new(extent, numbers, parts, deal.block)
        });
        let distribution =
            Distribution { mesh: mesh.clone(), modes: modes.collect::<Result<_, _>>()?, order: (0..N).collect() };
        // Whatever is computed from here on is an offset of it.
        distribution.layout()?;
        Ok(distribution)
    }

    /// The mesh.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mpi::{Deal, Distribution, Mesh};
    /// let mesh = Mesh::on_paper(4, 0, layout!(4))?;
    /// assert_eq!(Distribution::new(&mesh, 8, [Deal::block(0)])?.mesh(), &mesh);
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// The modes in the order of memory, the fastest first.
    pub(crate) fn order(&self) -> &[usize] {
        &self.order
    }

    /// All of the tensor on each rank of a mesh, the first mode fastest.
    pub(crate) fn on_mesh_whole(&self, mesh: &Mesh) -> Result<Distribution, Error> {
        let whole = |mode: &DealtMode| DealtMode::new(mode.extent, Vec::new(), 1, Block::Whole);
        let modes = self.modes.iter().map(whole).collect::<Result<Vec<_>, _>>()?;
        Ok(Distribution { mesh: mesh.clone(), order: (0..modes.len()).collect(), modes })
    }

    pub(crate) fn modes(&self) -> &[DealtMode] {
        &self.modes
    }

    /// The extents of the whole.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mpi::{Deal, Distribution, Mesh};
    /// let mesh = Mesh::on_paper(4, 0, layout!(4))?;
    /// assert_eq!(Distribution::new(&mesh, (8, 6), [Deal::block(0), Deal::whole()])?.shape(), [8, 6]);
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    pub fn shape(&self) -> Vec<usize> {
        self.modes.iter().map(|mode| mode.extent).collect()
    }

    /// The extents rounded up to whole blocks for each rank: the shape that the layout counts in.
    ///
    /// # Errors
    /// `overflow` if one leaves `usize`.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mpi::{Deal, Distribution, Mesh};
    /// let mesh = Mesh::on_paper(4, 0, layout!(4))?;
    /// assert_eq!(Distribution::new(&mesh, 10, [Deal::block_cyclic(0, 2)])?.padded_shape()?, [16]);
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    pub fn padded_shape(&self) -> Result<Vec<usize>, Error> {
        let padded: Option<Vec<usize>> = self.modes.iter().map(DealtMode::padded).collect();
        Ok(padded.ok_or(LayoutError::new("padded_shape", Fault::Overflow))?)
    }

    /// The distribution as a layout: `((mesh), (local)) -> number of the global coordinate`, where local coordinates
    /// are (within a block, which block) in each mode, and global ones count through [`padded_shape`] with the first
    /// mode fastest.
    ///
    /// # Errors
    /// `overflow` if the size leaves `usize`.
    ///
    /// [`padded_shape`]: Distribution::padded_shape
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mpi::{Deal, Distribution, Mesh};
    /// let mesh = Mesh::on_paper(6, 0, layout!((2, 3): right))?;
    /// let copies = Distribution::new(&mesh, 8, [Deal::cyclic(0)])?;
    /// assert_eq!(copies.layout()?.to_string(), "((2,3),((1,4))):((1,0),((1,2)))"); // three copies of each half
    /// # Ok::<(), layout_mpi::Error>(())
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
        let mesh = extents.iter().zip(&strides).map(|(&extent, &stride)| DynLayout::new(extent, stride));
        let mesh = DynLayout::tuple(&mesh.collect::<Result<Vec<_>, _>>()?)?;
        Ok(DynLayout::tuple(&[mesh, DynLayout::tuple(&local)?])?)
    }

    /// The extents of this rank's part, which has no padding; zeros on a rank outside of the mesh.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mpi::{Deal, Distribution, Mesh};
    /// let mesh = Mesh::on_paper(4, 3, layout!((2, 2): right))?;
    /// assert_eq!(Distribution::new(&mesh, (5, 7), [Deal::block(0), Deal::cyclic(1)])?.local_shape(), [2, 3]);
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    pub fn local_shape(&self) -> Vec<usize> {
        match self.mesh.coordinates() {
            Some(coordinate) => self.local_shape_at(&coordinate),
            None => vec![0; self.modes.len()],
        }
    }

    pub(crate) fn local_shape_at(&self, coordinate: &[usize]) -> Vec<usize> {
        let extents = self.mesh.extents();
        self.modes.iter().map(|mode| mode.count(mode.part(coordinate, &extents))).collect()
    }

    /// The layout of this rank's part in memory: compact, the first mode fastest, or the one that
    /// [`select`](Distribution::select) brought to another place.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mpi::{Deal, Distribution, Mesh};
    /// let mesh = Mesh::on_paper(4, 3, layout!((2, 2): right))?;
    /// let blocks = Distribution::new(&mesh, (5, 7), [Deal::block(0), Deal::cyclic(1)])?;
    /// assert_eq!(blocks.local_layout().to_string(), "(2,3):(1,2)");
    /// assert_eq!(blocks.select(&[1, 0])?.local_layout().to_string(), "(3,2):(2,1)");
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    pub fn local_layout(&self) -> DynLayout {
        let shape = self.local_shape();
        let strides = self.local_strides(&shape);
        let tuple = |numbers: &[usize]| DynShape::tuple(numbers.iter().map(|&number| DynShape::from(number)));
        let layout = tuple(&shape).and_then(|shape| DynLayout::new(shape, tuple(&strides)?));
        layout.expect("a tensor has modes, and a part of it is no larger than the whole")
    }

    /// The strides of a part of this shape.
    pub(crate) fn local_strides(&self, shape: &[usize]) -> Vec<usize> {
        let (mut strides, mut step) = (vec![0; shape.len()], 1);
        for &mode in &self.order {
            strides[mode] = step;
            step *= shape[mode].max(1);
        }
        strides
    }

    /// The global coordinate of a local one of this rank; `None` on a rank outside of the mesh.
    ///
    /// # Errors
    /// If this rank has no such local coordinate.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mpi::{Deal, Distribution, Mesh};
    /// let mesh = Mesh::on_paper(4, 3, layout!(4))?;
    /// let deal = Distribution::new(&mesh, 10, [Deal::block_cyclic(0, 2)])?; // 6 7, and no 14
    /// assert_eq!(deal.global_of(&[1])?, Some(vec![7]));
    /// assert_eq!(deal.global_of(&[2]).unwrap_err().to_string(), "the coordinate (2) is outside of (2)");
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    pub fn global_of(&self, local: &[usize]) -> Result<Option<Vec<usize>>, Error> {
        let Some(coordinate) = self.mesh.coordinates() else { return Ok(None) };
        let (shape, extents) = (self.local_shape_at(&coordinate), self.mesh.extents());
        within(local, &shape)?;
        let global = self.modes.iter().zip(local).map(|(mode, &local)| {
            // (P, (b, C)):(b, (1, b * P)) at the part and the number of the local element.
            let layout = mode.layout(1)?;
            Ok(layout.try_index([mode.part(&coordinate, &extents), local])?)
        });
        global.collect::<Result<_, Error>>().map(Some)
    }

    /// The rank that owns an element, and its local coordinate there. Where there are copies, the first of them.
    ///
    /// `D(owner) == global`, by the left inverse of the distribution.
    ///
    /// # Errors
    /// If there is no such element.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mpi::{Deal, Distribution, Mesh};
    /// let mesh = Mesh::on_paper(4, 0, layout!(4))?;
    /// let deal = Distribution::new(&mesh, 10, [Deal::block_cyclic(0, 2)])?;
    /// assert_eq!((deal.owner_of(&[7])?, deal.owner_of(&[8])?), ((3, vec![1]), (0, vec![2])));
    /// assert_eq!(deal.owner_of(&[10]).unwrap_err().to_string(), "the coordinate (10) is outside of (10)");
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    pub fn owner_of(&self, global: &[usize]) -> Result<(usize, Vec<usize>), Error> {
        within(global, &self.shape())?;
        let extents = self.mesh.extents();
        let (mut coordinate, mut local) = (vec![0; extents.len()], Vec::new());
        for (mode, &index) in self.modes.iter().zip(global) {
            let (part, number) = mode.locate(index);
            mode.write_part(part, &extents, &mut coordinate);
            local.push(number);
        }
        Ok((self.mesh.rank_at(&coordinate)?, local))
    }

    /// The same memory seen with its modes in another order: `select(&[1, 0])` of a matrix is its transpose. Nothing
    /// moves; a redistribution from there does what there is to move.
    ///
    /// # Errors
    /// If a mode is not there, or not all of them are there once.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mpi::{Deal, Distribution, Mesh};
    /// let mesh = Mesh::on_paper(2, 0, layout!(2))?;
    /// let rows = Distribution::new(&mesh, (6, 8), [Deal::block(0), Deal::whole()])?;
    /// assert_eq!(rows.select(&[1, 0])?.shape(), [8, 6]);
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    pub fn select(&self, modes: &[usize]) -> Result<Distribution, Error> {
        let rank = self.modes.len();
        if modes.len() != rank {
            return Err(Error::Modes { what: "numbers of modes", given: modes.len(), needed: rank });
        }
        let place = |mode: usize| modes.iter().position(|&other| other == mode);
        let order: Option<Vec<usize>> = self.order.iter().map(|&mode| place(mode)).collect();
        let order = order.ok_or_else(|| Error::Order { order: tuple(modes), modes: rank })?;
        let modes = modes.iter().map(|&mode| self.modes[mode].clone()).collect();
        Ok(Distribution { modes, order, mesh: self.mesh.clone() })
    }

    /// This distribution on a mesh whose ranks are renamed so that each has what it has in `from`: then there is
    /// nothing to send. `None` if no mesh of layouts does that, for the parts are other ones.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mpi::{Deal, Distribution, Mesh, Plan};
    /// let rows = Mesh::on_paper(6, 1, layout!((2, 3): right))?;
    /// let columns = Mesh::on_paper(6, 1, layout!((3, 2): right))?;
    /// let from = Distribution::new(&rows, (8, 9), [Deal::cyclic(0), Deal::block(1)])?;
    /// let to = Distribution::new(&columns, (8, 9), [Deal::cyclic(1), Deal::block(0)])?;
    /// assert!(Plan::new(&from, &to)?.elements_sent() > 0);
    /// let renamed = to.relabelled(&from).unwrap();
    /// assert_eq!(renamed.mesh().layout().to_string(), "(3,2):(1,3)");
    /// assert_eq!(Plan::new(&from, &renamed)?.elements_sent(), 0);
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    pub fn relabelled(&self, from: &Distribution) -> Option<Distribution> {
        let same = |(a, b): (&DealtMode, &DealtMode)| {
            a.extent == b.extent && a.parts == b.parts && (a.block == b.block || a.parts == 1)
        };
        let copies = |d: &Distribution| {
            let used = |mode: &usize| d.modes.iter().any(|dealt| dealt.mesh.contains(mode));
            (0..d.mesh.extents().len()).filter(|mode| !used(mode)).collect::<Vec<_>>()
        };
        if self.modes.len() != from.modes.len() || !self.modes.iter().zip(&from.modes).all(same) {
            return None;
        }
        // What each mode, and the copies, are dealt to: the ranks of `from` in the shape of this mesh.
        let own = self.modes.iter().map(|mode| mode.mesh.clone()).chain([copies(self)]);
        let theirs = from.modes.iter().map(|mode| mode.mesh.clone()).chain([copies(from)]);
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
                layouts[mode] = Some(ranks.compose(&DynLayout::new(extents[mode], step).ok()?).ok()?);
                step *= extents[mode];
            }
        }
        let layout = DynLayout::tuple(&layouts.into_iter().collect::<Option<Vec<_>>>()?).ok()?;
        let mesh = from.mesh.with(from.mesh.first(), layout, self.mesh.names.clone()).ok()?;
        Some(Distribution { mesh, modes: self.modes.clone(), order: self.order.clone() })
    }
}

/// The shape, how each mode is dealt, and the mesh.
impl fmt::Display for Distribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} over {}:", tuple(&self.shape()), self.mesh)?;
        for mode in &self.modes {
            let names: Vec<String> = mode.mesh.iter().map(|&k| self.mesh.name(k)).collect();
            match mode.parts {
                1 => write!(f, " whole;")?,
                _ => write!(f, " blocks of {} over {};", mode.block, names.join(", "))?,
            }
        }
        Ok(())
    }
}
impl fmt::Debug for Distribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
