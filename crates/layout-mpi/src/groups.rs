//! The ranks of a mesh, and of a mode of it, as communicators.

use layout_algebra::IntoDynLayout;
use layout_mesh::{Mesh, MeshMode};
use mpi::topology::{Color, Communicator, SimpleCommunicator};

use crate::agree::Control;
use crate::error::Error;

/// Meshes for the ranks of a communicator, and communicators for the ranks of a mesh.
pub trait MeshCommunicators: Sized {
    /// The mesh with this layout of a communicator's ranks. It may leave out ranks.
    ///
    /// # Errors
    /// Those of [`Mesh::on_paper`], the same on all ranks. Nothing is sent.
    ///
    /// ```no_run
    /// use layout_algebra::layout;
    /// use layout_mpi::{Mesh, MeshCommunicators};
    /// let universe = mpi::initialize().unwrap();
    /// let mesh = Mesh::new(&universe.world(), layout!((2, 2): right))?.named(["rows", "columns"])?;
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    fn new(
        world: &impl Communicator,
        layout: impl IntoDynLayout,
    ) -> Result<Self, layout_mesh::Error>;

    /// The communicator of this rank's group along a mode, with ranks in the order of the mode;
    /// `None` on a rank outside the mesh. All ranks that the mesh was made for have to call it.
    /// PyTorch's `DeviceMesh.get_group`.
    ///
    /// # Errors
    /// If there is no such mode, the communicator has another number of ranks than the mesh was
    /// made for, or the ranks disagree about the mesh or the mode: on all ranks.
    ///
    /// ```no_run
    /// use layout_algebra::layout;
    /// use layout_mpi::{Mesh, MeshCommunicators};
    /// use mpi::traits::*;
    /// let universe = mpi::initialize().unwrap();
    /// let world = universe.world();
    /// let mesh = Mesh::new(&world, layout!((2, 2): right))?;
    /// assert!(mesh.group(&world, 0)?.is_some_and(|group| group.size() == 2));
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    fn group(
        &self,
        world: &impl Communicator,
        mode: impl Into<MeshMode>,
    ) -> Result<Option<SimpleCommunicator>, Error>;

    /// The communicator of the mesh's ranks in the order of [`ranks`](Mesh::ranks), the last mode
    /// the fastest; `None` on a rank outside the mesh. All ranks that the mesh was made for have to
    /// call it.
    ///
    /// # Errors
    /// If the communicator has other ranks than the mesh was made for, or the ranks disagree about
    /// the mesh: on all ranks.
    ///
    /// ```no_run
    /// use layout_algebra::layout;
    /// use layout_mpi::{Mesh, MeshCommunicators};
    /// use mpi::traits::*;
    /// let universe = mpi::initialize().unwrap();
    /// let world = universe.world();
    /// let mesh = Mesh::new(&world, layout!((2, 2): right))?;
    /// assert_eq!(mesh.communicator(&world)?.is_some(), world.rank() < 4);
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    fn communicator(&self, world: &impl Communicator) -> Result<Option<SimpleCommunicator>, Error>;
}

impl MeshCommunicators for Mesh {
    fn new(
        world: &impl Communicator,
        layout: impl IntoDynLayout,
    ) -> Result<Mesh, layout_mesh::Error> {
        Mesh::on_paper(world.size() as usize, world.rank() as usize, layout)
    }

    fn group(
        &self,
        world: &impl Communicator,
        mode: impl Into<MeshMode>,
    ) -> Result<Option<SimpleCommunicator>, Error> {
        let number = self.number(&mode.into()).map_err(Error::from);
        let number = number.and_then(|number| check_ranks(self, world).map(|()| number));
        let which = number.as_ref().ok().copied();
        let what = "Mesh::group";
        let number = Control::of(world, what)?.agree(what, "", &(self, which), number)?;
        let place = self.coordinates().map(|mut coordinate| {
            let member = std::mem::take(&mut coordinate[number]);
            (self.rank_at(&coordinate), member)
        });
        match place {
            None => Ok(split(world, None)),
            // The color of a group is the rank of its first member.
            Some((first, member)) => Ok(split(world, Some((first?, member)))),
        }
    }

    fn communicator(&self, world: &impl Communicator) -> Result<Option<SimpleCommunicator>, Error> {
        let what = "Mesh::communicator";
        Control::of(world, what)?.agree(what, "", self, check_ranks(self, world))?;
        let number = |coordinate: Vec<usize>| {
            coordinate.iter().zip(self.extents()).fold(0, |number, (c, extent)| number * extent + c)
        };
        Ok(split(world, self.coordinates().map(|coordinate| (self.first(), number(coordinate)))))
    }
}

/// Checks that a communicator has the ranks that the mesh was made for.
pub(crate) fn check_ranks(mesh: &Mesh, world: &impl Communicator) -> Result<(), Error> {
    let communicator = [world.rank(), world.size()].map(|number| number as usize);
    let mesh = [mesh.rank(), mesh.world_size()];
    if communicator == mesh { Ok(()) } else { Err(Error::OtherRanks { mesh, communicator }) }
}

/// The communicator of the ranks with the same color, in the order of their keys. Colors and keys
/// are below the number of ranks, and so fit in MPI's integers.
fn split(
    world: &impl Communicator,
    color_and_key: Option<(usize, usize)>,
) -> Option<SimpleCommunicator> {
    let color =
        color_and_key.map_or(Color::undefined(), |(color, _)| Color::with_value(color as i32));
    world.split_by_color_with_key(color, color_and_key.map_or(0, |(_, key)| key as i32))
}
