//! A mesh: a layout of ranks.
//!
//! ```text
//! rank of coordinate c  =  first + mesh(c)
//! groups along a mode   =  mesh o (that mode, its complement)      from (member, group)
//! ```

use std::fmt;
use std::hash::{Hash, Hasher};

use layout_algebra::prelude::*;
use mpi::topology::{Color, Communicator, SimpleCommunicator};

use crate::agree::agree;
use crate::error::{Error, tuple};

/// A mode of a mesh, by its number or its name. Made by `from`.
///
/// ```
/// use layout_mpi::MeshMode;
/// assert_eq!((MeshMode::from(0).to_string(), MeshMode::from("rows").to_string()), ("0".into(), "rows".into()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MeshMode {
    /// The mode of this number.
    Number(usize),
    /// The mode of this name.
    Name(String),
}
impl From<usize> for MeshMode {
    fn from(number: usize) -> Self {
        MeshMode::Number(number)
    }
}
impl From<&str> for MeshMode {
    fn from(name: &str) -> Self {
        MeshMode::Name(name.into())
    }
}
impl fmt::Display for MeshMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MeshMode::Number(number) => number.fmt(f),
            MeshMode::Name(name) => name.fmt(f),
        }
    }
}

/// Some modes of a mesh: one, `"rows"` or `0`, or several, `["rows", "columns"]`. Made by `from`.
///
/// ```
/// use layout_mpi::MeshModes;
/// assert_eq!(MeshModes::from(["rows", "columns"]).0.len(), 2);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeshModes(pub Vec<MeshMode>);
impl<M: Into<MeshMode>> From<M> for MeshModes {
    fn from(mode: M) -> Self {
        MeshModes(vec![mode.into()])
    }
}
impl<M: Into<MeshMode>, const N: usize> From<[M; N]> for MeshModes {
    fn from(modes: [M; N]) -> Self {
        MeshModes(modes.into_iter().map(Into::into).collect())
    }
}

/// A layout of ranks: which rank stands at which coordinate. PyTorch's `DeviceMesh`.
///
/// `mesh.rank_at(&c)? == first + layout.index(c)`
///
/// A layout of ranks is written as any other. `layout!((2, 4): right)` counts along the last mode first, as
/// `DeviceMesh` and C do, and where modes are put together or a mode is split, the last one is the fastest.
///
/// ```
/// use layout_algebra::layout;
/// use layout_mpi::Mesh;
/// // As rank 6 of 8 sees it; `Mesh::new(&world, ..)` asks MPI.
/// let mesh = Mesh::on_paper(8, 6, layout!((2, 4): right))?.named(["data", "model"])?;
/// assert_eq!((mesh.coordinates(), mesh.rank_at(&[1, 2])?), (Some(vec![1, 2]), 6));
/// assert_eq!(mesh.submesh("model")?.ranks().collect::<Vec<_>>(), [4, 5, 6, 7]);
/// assert_eq!(mesh.submesh("data")?.ranks().collect::<Vec<_>>(), [2, 6]);
/// # Ok::<(), layout_mpi::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Mesh {
    layout: DynLayout,
    inverse: DynLayout,
    first: usize,
    names: Vec<String>,
    ranks: usize,
    rank: usize,
}

impl Mesh {
    /// The mesh of the ranks of a communicator that the layout leads to. It may leave some out.
    ///
    /// # Errors
    /// If the layout leads beyond the last rank, or twice to one; `overlap` or `divisibility` if no layout leads back
    /// from the ranks to the coordinates. Nothing is sent: all ranks find out alike.
    ///
    /// ```no_run
    /// use layout_algebra::layout;
    /// use layout_mpi::Mesh;
    /// let universe = mpi::initialize().unwrap();
    /// let mesh = Mesh::new(&universe.world(), layout!((2, 2): right))?.named(["rows", "columns"])?;
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    pub fn new(world: &impl Communicator, layout: impl IntoDynLayout) -> Result<Mesh, Error> {
        Mesh::on_paper(world.size() as usize, world.rank() as usize, layout)
    }

    /// The mesh as rank `rank` of `ranks` sees it, without any of them: to plan for machines that are not at hand.
    ///
    /// # Errors
    /// As for [`new`](Mesh::new).
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mpi::Mesh;
    /// let mesh = Mesh::on_paper(1_000_000, 999_999, layout!((1000, 1000): right))?;
    /// assert_eq!(mesh.coordinates(), Some(vec![999, 999]));
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    pub fn on_paper(ranks: usize, rank: usize, layout: impl IntoDynLayout) -> Result<Mesh, Error> {
        let layout: DynLayout = layout.into();
        let layout = if layout.depth() == 0 { DynLayout::tuple(&[layout])? } else { layout };
        let names = vec![String::new(); layout.rank()];
        Mesh { inverse: layout.clone(), layout, first: 0, names, ranks, rank }.checked()
    }

    /// This mesh with the layout that leads back, if all of it is there.
    fn checked(mut self) -> Result<Mesh, Error> {
        let reaches = self.first.saturating_add(self.layout.cosize());
        if reaches > self.ranks {
            let mesh = self.layout.to_string();
            return Err(Error::TooFewRanks { mesh, reaches: reaches - 1, ranks: self.ranks });
        }
        if !self.layout.is_injective() {
            return Err(Error::SharedRank { mesh: self.layout.to_string() });
        }
        self.inverse = self.layout.left_inverse()?;
        Ok(self)
    }

    /// The same mesh, its modes named.
    ///
    /// # Errors
    /// If there are not as many names as modes, or a name is there twice.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mpi::Mesh;
    /// let error = Mesh::on_paper(4, 0, layout!((2, 2)))?.named(["x", "x"]).unwrap_err();
    /// assert_eq!(error.to_string(), "the names of 2 modes are 2 different ones, and not x, x");
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    pub fn named<const N: usize>(mut self, names: [&str; N]) -> Result<Mesh, Error> {
        self.names = names.iter().map(|&name| name.into()).collect();
        self.check_names()?;
        Ok(self)
    }

    fn check_names(&self) -> Result<(), Error> {
        let (names, modes) = (&self.names, self.layout.rank());
        let twice = |name: &String| !name.is_empty() && names.iter().filter(|other| *other == name).count() > 1;
        if names.len() != modes || names.iter().any(twice) {
            return Err(Error::Names { names: names.join(", "), modes });
        }
        Ok(())
    }

    /// The layout of ranks, from [`first`](Mesh::first) on.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mpi::Mesh;
    /// assert_eq!(Mesh::on_paper(8, 0, layout!((2, 4): right))?.layout().to_string(), "(2,4):(4,1)");
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    pub fn layout(&self) -> &DynLayout {
        &self.layout
    }

    /// The rank at the coordinate of zeros.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mpi::Mesh;
    /// assert_eq!(Mesh::on_paper(8, 6, layout!((2, 4): right))?.submesh(1)?.first(), 4);
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    pub fn first(&self) -> usize {
        self.first
    }

    /// The number of ranks of the mesh.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mpi::Mesh;
    /// assert_eq!(Mesh::on_paper(9, 0, layout!((2, 4)))?.size(), 8);
    /// # Ok::<(), layout_mpi::Error>(())
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
    /// use layout_mpi::Mesh;
    /// let mesh = Mesh::on_paper(8, 0, layout!((2, 4)))?;
    /// assert_eq!(mesh.extent(1)?, 4);
    /// assert_eq!(mesh.extent("x").unwrap_err().to_string(), "the mesh has no mode x: its modes are 0, 1");
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    pub fn extent(&self, mode: impl Into<MeshMode>) -> Result<usize, Error> {
        Ok(self.extents()[self.number(&mode.into())?])
    }

    /// The extents of all modes.
    pub(crate) fn extents(&self) -> Vec<usize> {
        self.layout.modes().map(|mode| mode.size()).collect()
    }

    /// The number of all ranks, those outside of the mesh too.
    pub(crate) fn ranks_in_all(&self) -> usize {
        self.ranks
    }

    /// The rank that sees the mesh so.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mpi::Mesh;
    /// assert_eq!(Mesh::on_paper(8, 5, layout!((2, 4)))?.rank(), 5);
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// The number of a mode, which is named or numbered.
    pub(crate) fn number(&self, mode: &MeshMode) -> Result<usize, Error> {
        let found = match mode {
            MeshMode::Number(number) => Some(*number).filter(|&number| number < self.layout.rank()),
            MeshMode::Name(name) => self.names.iter().position(|other| other == name && !name.is_empty()),
        };
        found.ok_or_else(|| {
            let modes: Vec<String> = (0..self.layout.rank()).map(|k| self.name(k)).collect();
            Error::NoMode { mode: mode.to_string(), modes: modes.join(", ") }
        })
    }

    /// The numbers of some modes, each of which may be there once.
    pub(crate) fn numbers(&self, modes: &MeshModes) -> Result<Vec<usize>, Error> {
        let numbers = modes.0.iter().map(|mode| self.number(mode)).collect::<Result<Vec<_>, _>>()?;
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
    /// use layout_mpi::Mesh;
    /// let mesh = Mesh::on_paper(6, 0, layout!((2, 3)))?; // 0 2 4, 1 3 5
    /// assert_eq!(mesh.ranks().collect::<Vec<_>>(), [0, 2, 4, 1, 3, 5]);
    /// # Ok::<(), layout_mpi::Error>(())
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
    /// use layout_mpi::Mesh;
    /// assert_eq!(Mesh::on_paper(5, 2, layout!((2, 2): right))?.coordinates(), Some(vec![1, 0]));
    /// assert_eq!(Mesh::on_paper(5, 4, layout!((2, 2): right))?.coordinates(), None);
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    pub fn coordinates(&self) -> Option<Vec<usize>> {
        self.coordinates_of(self.rank)
    }

    /// The coordinate of a rank; `None` if it is not in the mesh.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mpi::Mesh;
    /// assert_eq!(Mesh::on_paper(8, 0, layout!((2, 4): right))?.coordinates_of(7), Some(vec![1, 3]));
    /// # Ok::<(), layout_mpi::Error>(())
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
    /// use layout_mpi::Mesh;
    /// let mesh = Mesh::on_paper(8, 0, layout!((2, 4): right))?;
    /// assert_eq!(mesh.rank_at(&[1, 3])?, 7);
    /// assert_eq!(mesh.rank_at(&[2, 0]).unwrap_err().to_string(), "the coordinate (2,0) is outside of (2,4)");
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    pub fn rank_at(&self, coordinate: &[usize]) -> Result<usize, Error> {
        let extents = self.extents();
        if coordinate.len() != extents.len() || coordinate.iter().zip(&extents).any(|(c, extent)| c >= extent) {
            return Err(Error::Outside { coordinate: tuple(coordinate), shape: tuple(&extents) });
        }
        Ok(self.first + self.layout.try_index(coordinate)?)
    }

    /// The mesh with one coordinate of a mode fixed.
    ///
    /// # Errors
    /// If there is no such mode or coordinate, or no other mode.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mpi::Mesh;
    /// let mesh = Mesh::on_paper(8, 0, layout!((2, 4): right))?;
    /// assert_eq!(mesh.slice(0, 1)?.ranks().collect::<Vec<_>>(), [4, 5, 6, 7]);
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    pub fn slice(&self, mode: impl Into<MeshMode>, coordinate: usize) -> Result<Mesh, Error> {
        let mode = self.number(&mode.into())?;
        if coordinate >= self.extents()[mode] {
            return Err(Error::Outside { coordinate: tuple(&[coordinate]), shape: tuple(&[self.extents()[mode]]) });
        }
        let first = self.first + self.layout.mode(mode)?.index(coordinate);
        let kept: Vec<usize> = (0..self.layout.rank()).filter(|&other| other != mode).collect();
        Mesh { first, ..self.clone() }.of_modes(&kept)
    }

    /// The modes named, in this order, at the coordinate of zeros of the others.
    fn of_modes(self, kept: &[usize]) -> Result<Mesh, Error> {
        let names = kept.iter().map(|&mode| self.names[mode].clone()).collect();
        Mesh { layout: self.layout.select(kept)?, names, ..self }.checked()
    }

    /// The mesh of the modes named, in this order, that this rank is in: the coordinates of the other modes are this
    /// rank's. On a rank outside of the mesh they are 0. `DeviceMesh["model", "data"]`.
    ///
    /// # Errors
    /// If there is no such mode, or it is named twice.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mpi::Mesh;
    /// let mesh = Mesh::on_paper(8, 3, layout!((2, 2, 2): right))?.named(["dp", "pp", "cp"])?;
    /// assert_eq!(mesh.submesh(["dp", "cp"])?.ranks().collect::<Vec<_>>(), [2, 3, 6, 7]);
    /// assert_eq!(mesh.submesh(["cp", "dp"])?.ranks().collect::<Vec<_>>(), [2, 6, 3, 7]);
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    pub fn submesh(&self, modes: impl Into<MeshModes>) -> Result<Mesh, Error> {
        let kept = self.numbers(&modes.into())?;
        let mut coordinate = self.coordinates().unwrap_or_else(|| vec![0; self.layout.rank()]);
        kept.iter().for_each(|&mode| coordinate[mode] = 0);
        let first = self.rank_at(&coordinate)?;
        Mesh { first, ..self.clone() }.of_modes(&kept)
    }

    /// The mesh with the modes named as one, in the place of the first of them; the last of them is the fastest.
    /// `DeviceMesh._flatten`.
    ///
    /// # Errors
    /// If there is no such mode, it is named twice, or the name is taken.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mpi::Mesh;
    /// let mesh = Mesh::on_paper(8, 0, layout!((2, 2, 2): right))?.named(["dp", "cp", "tp"])?;
    /// let flat = mesh.flatten(["dp", "cp"], "dp_cp")?;
    /// assert_eq!(flat.layout().to_string(), "(4,2):(2,1)");
    /// assert_eq!(flat.submesh("dp_cp")?.ranks().collect::<Vec<_>>(), [0, 2, 4, 6]);
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    pub fn flatten(&self, modes: impl Into<MeshModes>, name: &str) -> Result<Mesh, Error> {
        let numbers = self.numbers(&modes.into())?;
        let reversed: Vec<usize> = numbers.iter().rev().copied().collect();
        let flat = self.layout.select(&reversed)?.coalesce();
        let place = numbers.iter().copied().min().unwrap_or(0);
        let (mut layouts, mut names) = (Vec::new(), Vec::new());
        for (k, mode) in self.layout.modes().enumerate() {
            if k == place {
                layouts.push(flat.clone());
                names.push(name.to_string());
            } else if !numbers.contains(&k) {
                layouts.push(mode);
                names.push(self.names[k].clone());
            }
        }
        let mesh = Mesh { layout: DynLayout::tuple(&layouts)?, names, ..self.clone() };
        mesh.check_names()?;
        mesh.checked()
    }

    /// The mesh with a mode split into several, of which the last is the fastest. `DeviceMesh._unflatten`.
    ///
    /// # Errors
    /// If there is no such mode, its extent is not the product of those that it is split into, or a name is taken.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mpi::Mesh;
    /// let mesh = Mesh::on_paper(8, 0, layout!(8))?.split(0, [2, 4], ["host", "device"])?;
    /// assert_eq!(mesh.layout().to_string(), "(2,4):(4,1)");
    /// assert_eq!(mesh.split(1, [3, 2], ["a", "b"]).unwrap_err().to_string(), "a mode of 4 does not split into (3,2)");
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    pub fn split<const N: usize>(
        &self,
        mode: impl Into<MeshMode>,
        extents: [usize; N],
        names: [&str; N],
    ) -> Result<Mesh, Error> {
        let number = self.number(&mode.into())?;
        let whole = self.layout.mode(number)?;
        let product = extents.iter().try_fold(1usize, |product, &extent| product.checked_mul(extent));
        if product != Some(whole.size()) {
            return Err(Error::Split { extent: whole.size(), into: tuple(&extents) });
        }
        let (mut layouts, mut all_names): (Vec<DynLayout>, _) = (self.layout.modes().collect(), self.names.clone());
        // The k-th of them takes steps of the product of those behind it.
        let parts = (0..N).map(|k| {
            let step = extents[k + 1..].iter().product::<usize>();
            whole.compose(&DynLayout::new(extents[k], step)?)
        });
        layouts.splice(number..=number, parts.collect::<Result<Vec<_>, LayoutError>>()?);
        all_names.splice(number..=number, names.iter().map(|&name| name.to_string()));
        let mesh = Mesh { layout: DynLayout::tuple(&layouts)?, names: all_names, ..self.clone() };
        mesh.check_names()?;
        mesh.checked()
    }

    /// Which ranks form the groups along a mode: from (member, group) to ranks. The mode is a layout in the mesh's own
    /// coordinates, its complement there says which group, and the mesh leads on to the ranks.
    ///
    /// # Errors
    /// If there is no such mode.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mpi::Mesh;
    /// let mesh = Mesh::on_paper(8, 0, layout!((2, 4): right))?;
    /// assert_eq!(mesh.groups(0)?.to_string(), "(2,4):(4,1)"); // 0 4, 1 5, 2 6, 3 7
    /// assert_eq!(mesh.groups(1)?.to_string(), "(4,2):(1,4)"); // 0 1 2 3, 4 5 6 7
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    pub fn groups(&self, mode: impl Into<MeshMode>) -> Result<DynLayout, Error> {
        let (number, extents) = (self.number(&mode.into())?, self.extents());
        let along = DynLayout::new(extents[number], extents[..number].iter().product::<usize>())?;
        let which = along.complement(self.size())?;
        Ok(self.layout.compose(&DynLayout::tuple(&[along, which])?)?)
    }

    /// The communicator of this rank's group along a mode, the ranks in it in the order of the mode; `None` on a rank
    /// outside of the mesh. All ranks that the mesh was made for have to call it. `DeviceMesh.get_group`.
    ///
    /// # Errors
    /// If there is no such mode, the communicator has another number of ranks than the mesh was made for, or the ranks
    /// disagree about the mesh or the mode: on all ranks.
    ///
    /// ```no_run
    /// use layout_algebra::layout;
    /// use layout_mpi::Mesh;
    /// use mpi::traits::*;
    /// let universe = mpi::initialize().unwrap();
    /// let world = universe.world();
    /// let mesh = Mesh::new(&world, layout!((2, 2): right))?;
    /// assert!(mesh.group(&world, 0)?.is_some_and(|group| group.size() == 2));
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    pub fn group(
        &self,
        world: &impl Communicator,
        mode: impl Into<MeshMode>,
    ) -> Result<Option<SimpleCommunicator>, Error> {
        let number = self.number(&mode.into()).and_then(|number| self.check_ranks(world).map(|()| number));
        let which = number.as_ref().ok().copied();
        let number = agree(world, "Mesh::group", "", &(self, which), number)?;
        let place = self.coordinates().map(|mut coordinate| {
            let member = std::mem::take(&mut coordinate[number]);
            (self.rank_at(&coordinate), member)
        });
        match place {
            None => Ok(split(world, None)),
            // All members name the rank of the first.
            Some((first, member)) => Ok(split(world, Some((first?, member)))),
        }
    }

    /// The communicator of the mesh's ranks in the order of [`ranks`](Mesh::ranks), the last mode fastest; `None` on a
    /// rank outside of the mesh. All ranks that the mesh was made for have to call it.
    ///
    /// # Errors
    /// If the communicator has another number of ranks than the mesh was made for, or the ranks disagree about the mesh:
    /// on all ranks.
    ///
    /// ```no_run
    /// use layout_algebra::layout;
    /// use layout_mpi::Mesh;
    /// use mpi::traits::*;
    /// let universe = mpi::initialize().unwrap();
    /// let world = universe.world();
    /// let mesh = Mesh::new(&world, layout!((2, 2): right))?;
    /// assert_eq!(mesh.communicator(&world)?.is_some(), world.rank() < 4);
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    pub fn communicator(&self, world: &impl Communicator) -> Result<Option<SimpleCommunicator>, Error> {
        agree(world, "Mesh::communicator", "", self, self.check_ranks(world))?;
        let number = |coordinate: Vec<usize>| {
            coordinate.iter().zip(self.extents()).fold(0, |number, (c, extent)| number * extent + c)
        };
        Ok(split(world, self.coordinates().map(|coordinate| (self.first, number(coordinate)))))
    }

    /// The same layout from the rank `first` on.
    pub(crate) fn beginning_at(self, first: usize) -> Result<Mesh, Error> {
        Mesh { first, ..self }.checked()
    }

    /// Ranks of this mesh under another layout, with the names of `named`.
    pub(crate) fn arranged(&self, layout: DynLayout, named: &Mesh) -> Result<Mesh, Error> {
        Mesh { layout, names: named.names.clone(), ..self.clone() }.checked()
    }

    /// Whether a communicator has the ranks that the mesh was made for.
    pub(crate) fn check_ranks(&self, world: &impl Communicator) -> Result<(), Error> {
        let communicator = world.size() as usize;
        if communicator == self.ranks && world.rank() as usize == self.rank {
            return Ok(());
        }
        Err(Error::OtherRanks { mesh: self.ranks, communicator })
    }
}

/// The ranks that give the same color, in the order of their keys. Both are ranks, or numbers below that of all ranks,
/// which MPI counts by the same integer.
fn split(world: &impl Communicator, color_and_key: Option<(usize, usize)>) -> Option<SimpleCommunicator> {
    let color = color_and_key.map_or(Color::undefined(), |(color, _)| Color::with_value(color as i32));
    world.split_by_color_with_key(color, color_and_key.map_or(0, |(_, key)| key as i32))
}

/// Of what all ranks see alike: not of which rank sees it.
impl Hash for Mesh {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.layout, self.first, self.ranks).hash(state);
    }
}

/// The names of the modes and the layout: `data, model: (2,4):(4,1)`, with the first rank where it is not 0.
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
