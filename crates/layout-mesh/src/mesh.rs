//! A mesh: a layout of ranks.
//!
//! ```text
//! rank of coordinate c  =  first + mesh(c)
//! ```

use core::fmt;
use core::hash::{Hash, Hasher};

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use alloc::{format, vec};

use layout_algebra::prelude::*;

use crate::error::{Error, tuple};
use crate::mesh_modes::{MeshMode, MeshModes};

/// A mesh: a layout from coordinates to ranks. PyTorch's `DeviceMesh`.
///
/// `mesh.rank_at(&c)? == first + layout.index(c)`
///
/// In `layout!((2, 4): right)` the last mode is the fastest, as in `DeviceMesh` and C; also where
/// modes are flattened or a mode is split, the last one is the fastest.
///
/// ```
/// use layout_algebra::layout;
/// use layout_mesh::Mesh;
/// // The mesh of 8 ranks on rank 6; in `layout-mpi`, MPI gives both: `Mesh::new(&world, ..)`.
/// let mesh = Mesh::on_paper(8, 6, layout!((2, 4): right))?.named(["data", "model"])?;
/// assert_eq!((mesh.coordinates(), mesh.rank_at(&[1, 2])?), (Some(vec![1, 2]), 6));
/// assert_eq!(mesh.submesh("model")?.ranks().collect::<Vec<_>>(), [4, 5, 6, 7]);
/// assert_eq!(mesh.submesh("data")?.ranks().collect::<Vec<_>>(), [2, 6]);
/// # Ok::<(), layout_mesh::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Mesh {
    pub(crate) layout: DynLayout,
    inverse: DynLayout,
    pub(crate) first: usize,
    pub(crate) names: Vec<String>,
    ranks: usize,
    rank: usize,
}

impl Mesh {
    /// The mesh on rank `rank` of `ranks`, without a communicator: to plan for other machines.
    ///
    /// # Errors
    /// If the layout has no ranks, exceeds the last rank, or has a rank twice; `overlap` or
    /// `divisibility` if the layout has no left inverse.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::Mesh;
    /// let mesh = Mesh::on_paper(1_000_000, 999_999, layout!((1000, 1000): right))?;
    /// assert_eq!(mesh.coordinates(), Some(vec![999, 999]));
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn on_paper(ranks: usize, rank: usize, layout: impl IntoDynLayout) -> Result<Mesh, Error> {
        let layout: DynLayout = layout.into();
        let layout = if layout.depth() == 0 { DynLayout::tuple(&[layout])? } else { layout };
        let names = vec![String::new(); layout.rank()];
        let mesh =
            Mesh { inverse: layout.clone(), layout, first: 0, names, ranks, rank }.checked()?;
        if rank < ranks { Ok(mesh) } else { Err(Error::NoRank { rank, ranks }) }
    }

    /// Checks the mesh, and computes the left inverse of its layout.
    fn checked(mut self) -> Result<Mesh, Error> {
        if self.layout.shape().leaves().contains(&0) {
            return Err(Error::NoRanks { mesh: self.layout.to_string() });
        }
        let reaches = self.first.saturating_add(self.layout.cosize());
        if reaches > self.ranks {
            let mesh = match self.first {
                0 => self.layout.to_string(),
                first => format!("{} from rank {first} on", self.layout),
            };
            return Err(Error::TooFewRanks { mesh, reaches: reaches - 1, ranks: self.ranks });
        }
        if !self.layout.is_injective() {
            return Err(Error::SharedRank { mesh: self.layout.to_string() });
        }
        self.inverse = self.layout.left_inverse()?;
        Ok(self)
    }

    /// The same mesh with named modes.
    ///
    /// # Errors
    /// If the number of names is not that of the modes, or a name is repeated.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::Mesh;
    /// let error = Mesh::on_paper(4, 0, layout!((2, 2)))?.named(["x", "x"]).unwrap_err();
    /// assert_eq!(error.to_string(), "the names of 2 modes are 2 different ones, and not x, x");
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn named<const N: usize>(mut self, names: [&str; N]) -> Result<Mesh, Error> {
        self.names = names.iter().map(|&name| name.into()).collect();
        self.check_names()?;
        Ok(self)
    }

    pub(crate) fn check_names(&self) -> Result<(), Error> {
        let (names, modes) = (&self.names, self.layout.rank());
        let twice = |name: &String| {
            !name.is_empty() && names.iter().filter(|other| *other == name).count() > 1
        };
        if names.len() != modes || names.iter().any(twice) {
            return Err(Error::Names { names: names.join(", "), modes });
        }
        Ok(())
    }

    /// The layout of ranks, relative to [`first`](Mesh::first).
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::Mesh;
    /// assert_eq!(Mesh::on_paper(8, 0, layout!((2, 4): right))?.layout().to_string(), "(2,4):(4,1)");
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn layout(&self) -> &DynLayout {
        &self.layout
    }

    /// The rank at the coordinate of zeros.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::Mesh;
    /// assert_eq!(Mesh::on_paper(8, 6, layout!((2, 4): right))?.submesh(1)?.first(), 4);
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn first(&self) -> usize {
        self.first
    }

    /// The number of ranks of the mesh.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::Mesh;
    /// assert_eq!(Mesh::on_paper(9, 0, layout!((2, 4)))?.size(), 8);
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn size(&self) -> usize {
        self.layout.size()
    }

    /// The number of ranks of a mode.
    ///
    /// # Errors
    /// If the mesh has no such mode.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::Mesh;
    /// let mesh = Mesh::on_paper(8, 0, layout!((2, 4)))?;
    /// assert_eq!(mesh.extent(1)?, 4);
    /// assert_eq!(mesh.extent("x").unwrap_err().to_string(), "the mesh has no mode x: its modes are 0, 1");
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn extent(&self, mode: impl Into<MeshMode>) -> Result<usize, Error> {
        Ok(self.extents()[self.number(&mode.into())?])
    }

    /// The number of ranks of each mode.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::Mesh;
    /// assert_eq!(Mesh::on_paper(8, 0, layout!((2, 4)))?.extents(), [2, 4]);
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn extents(&self) -> Vec<usize> {
        self.layout.modes().map(|mode| mode.size()).collect()
    }

    /// The number of all ranks, including those outside of the mesh.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::Mesh;
    /// assert_eq!(Mesh::on_paper(9, 0, layout!((2, 4)))?.world_size(), 9);
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn world_size(&self) -> usize {
        self.ranks
    }

    /// The distance from one rank to another around the ring of all ranks.
    pub(crate) fn steps(&self, from: usize, to: usize) -> usize {
        if to >= from { to - from } else { self.ranks - (from - to) }
    }

    /// This rank, and the number of all ranks.
    pub(crate) fn seen(&self) -> [usize; 2] {
        [self.rank, self.ranks]
    }

    /// This rank.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::Mesh;
    /// assert_eq!(Mesh::on_paper(8, 5, layout!((2, 4)))?.rank(), 5);
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// The same mesh on another rank: one process plans for all of its devices.
    ///
    /// # Errors
    /// If there is no such rank.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::Mesh;
    /// let mesh = Mesh::on_paper(8, 0, layout!((2, 4): right))?;
    /// assert_eq!(mesh.seen_from(6)?.coordinates(), Some(vec![1, 2]));
    /// assert_eq!(mesh.seen_from(8).unwrap_err().to_string(), "there is no rank 8: the ranks are 0 to 7");
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn seen_from(&self, rank: usize) -> Result<Mesh, Error> {
        let ranks = self.ranks;
        if rank < ranks {
            Ok(Mesh { rank, ..self.clone() })
        } else {
            Err(Error::NoRank { rank, ranks })
        }
    }

    /// The number of a mode, given by its name or number.
    ///
    /// # Errors
    /// If the mesh has no such mode.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::{Mesh, MeshMode};
    /// let mesh = Mesh::on_paper(8, 0, layout!((2, 4)))?.named(["data", "model"])?;
    /// assert_eq!(mesh.number(&MeshMode::from("model"))?, 1);
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn number(&self, mode: &MeshMode) -> Result<usize, Error> {
        let found = match mode {
            MeshMode::Number(number) => Some(*number).filter(|&number| number < self.layout.rank()),
            MeshMode::Name(name) => {
                self.names.iter().position(|other| other == name && !name.is_empty())
            }
        };
        found.ok_or_else(|| {
            let modes: Vec<String> = (0..self.layout.rank()).map(|k| self.name(k)).collect();
            Error::NoMode { mode: mode.to_string(), modes: modes.join(", ") }
        })
    }

    /// The numbers of some modes; an error if one is repeated.
    pub(crate) fn numbers(&self, modes: &MeshModes) -> Result<Vec<usize>, Error> {
        let numbers =
            modes.0.iter().map(|mode| self.number(mode)).collect::<Result<Vec<_>, _>>()?;
        match (1..numbers.len()).find(|&k| numbers[..k].contains(&numbers[k])) {
            Some(k) => Err(Error::ModeTwice { mode: self.name(numbers[k]) }),
            None => Ok(numbers),
        }
    }

    /// The name of a mode, or its number if it has none.
    pub(crate) fn name(&self, mode: usize) -> String {
        if self.names[mode].is_empty() { mode.to_string() } else { self.names[mode].clone() }
    }

    /// All ranks of the mesh, the last mode fastest.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::Mesh;
    /// let mesh = Mesh::on_paper(6, 0, layout!((2, 3)))?; // 0 2 4, 1 3 5
    /// assert_eq!(mesh.ranks().collect::<Vec<_>>(), [0, 2, 4, 1, 3, 5]);
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn ranks(&self) -> impl Iterator<Item = usize> {
        let (layout, first) = (self.layout.reverse(), self.first);
        (0..layout.size()).map(move |i| first + layout.index(i))
    }

    /// The coordinate of this rank, a number for each mode; `None` if it is not in the mesh.
    ///
    /// `mesh.rank_at(&mesh.coordinates()?) == mesh.rank()`; `DeviceMesh.get_coordinate`.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::Mesh;
    /// assert_eq!(Mesh::on_paper(5, 2, layout!((2, 2): right))?.coordinates(), Some(vec![1, 0]));
    /// assert_eq!(Mesh::on_paper(5, 4, layout!((2, 2): right))?.coordinates(), None);
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn coordinates(&self) -> Option<Vec<usize>> {
        self.coordinates_of(self.rank)
    }

    /// The coordinate of a rank; `None` if it is not in the mesh.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::Mesh;
    /// assert_eq!(Mesh::on_paper(8, 0, layout!((2, 4): right))?.coordinates_of(7), Some(vec![1, 3]));
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn coordinates_of(&self, rank: usize) -> Option<Vec<usize>> {
        let offset = rank.checked_sub(self.first)?;
        let mut number = self.inverse.index(offset);
        if number >= self.size() || self.layout.index(number) != offset {
            return None;
        }
        let digit = |extent: usize| {
            let digit = number % extent;
            number /= extent;
            digit
        };
        Some(self.extents().into_iter().map(digit).collect())
    }

    /// The rank at a coordinate, a number for each mode. `DeviceMesh.mesh[..]`.
    ///
    /// # Errors
    /// If there is no such coordinate.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::Mesh;
    /// let mesh = Mesh::on_paper(8, 0, layout!((2, 4): right))?;
    /// assert_eq!(mesh.rank_at(&[1, 3])?, 7);
    /// assert_eq!(mesh.rank_at(&[2, 0]).unwrap_err().to_string(), "the coordinate (2,0) is outside of (2,4)");
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn rank_at(&self, coordinate: &[usize]) -> Result<usize, Error> {
        let extents = self.extents();
        within(coordinate, &extents)?;
        Ok(self.first + self.layout.try_index(coordinate)?)
    }

    /// A mesh of the same ranks with another layout and first rank.
    pub(crate) fn with(
        &self,
        first: usize,
        layout: DynLayout,
        names: Vec<String>,
    ) -> Result<Mesh, Error> {
        Mesh { layout, first, names, ..self.clone() }.checked()
    }
}

/// Whether each number of a coordinate is below its extent.
pub(crate) fn within(coordinate: &[usize], shape: &[usize]) -> Result<(), Error> {
    let (given, needed) = (coordinate.len(), shape.len());
    if given != needed {
        return Err(Error::Modes { what: "numbers of a coordinate", given, needed });
    }
    if coordinate.iter().zip(shape).all(|(c, extent)| c < extent) {
        return Ok(());
    }
    Err(Error::Outside { coordinate: tuple(coordinate), shape: tuple(shape) })
}

/// Hashes the mesh without this rank, so that all ranks have the same hash.
impl Hash for Mesh {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.layout, self.first, self.ranks).hash(state);
    }
}

/// The names of the modes and the layout: `data, model: (2,4):(4,1)`, with the first rank if it is
/// not 0.
impl fmt::Display for Mesh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = (0..self.layout.rank()).map(|k| self.name(k)).collect();
        write!(f, "{}: {}", names.join(", "), self.layout)?;
        if self.first > 0 { write!(f, " from rank {} on", self.first) } else { Ok(()) }
    }
}
impl fmt::Debug for Mesh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
