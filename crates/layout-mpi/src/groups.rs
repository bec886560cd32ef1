//! The ranks of a mesh, and of a mode of it, as communicators.

use mpi::topology::{Color, Communicator, SimpleCommunicator};

use crate::agree::Control;
use crate::error::Error;
use crate::mesh::Mesh;
use crate::mesh_modes::MeshMode;

impl Mesh {
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
        let what = "Mesh::group";
        let number = Control::of(world, what)?.agree(what, "", &(self, which), number)?;
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
    /// If the communicator has other ranks than the mesh was made for, or the ranks disagree about the mesh:
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
        let what = "Mesh::communicator";
        Control::of(world, what)?.agree(what, "", self, self.check_ranks(world))?;
        let number = |coordinate: Vec<usize>| {
            coordinate.iter().zip(self.extents()).fold(0, |number, (c, extent)| number * extent + c)
        };
        Ok(split(world, self.coordinates().map(|coordinate| (self.first, number(coordinate)))))
    }

    /// Whether a communicator has the ranks that the mesh was made for.
    pub(crate) fn check_ranks(&self, world: &impl Communicator) -> Result<(), Error> {
        let communicator = [world.rank(), world.size()].map(|number| number as usize);
        if communicator == self.seen() { Ok(()) } else { Err(Error::OtherRanks { mesh: self.seen(), communicator }) }
    }
}

/// The ranks that give the same color, in the order of their keys. Both are ranks, or numbers below that of all ranks,
/// which MPI counts by the same integer.
fn split(world: &impl Communicator, color_and_key: Option<(usize, usize)>) -> Option<SimpleCommunicator> {
    let color = color_and_key.map_or(Color::undefined(), |(color, _)| Color::with_value(color as i32));
    world.split_by_color_with_key(color, color_and_key.map_or(0, |(_, key)| key as i32))
}
