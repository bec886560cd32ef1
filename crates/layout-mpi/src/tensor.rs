//! A distributed tensor: a distribution, and this rank's shard of the elements.

use std::fmt;

use bytemuck::Pod;
use layout_algebra::prelude::*;
use layout_algebra::tensor::CoordinateIn;
use layout_mesh::Distribution;
use mpi::datatype::Equivalence;
use mpi::topology::Communicator;

use crate::agree::Control;
use crate::element::name;
use crate::error::{Error, tuple};
use crate::groups::check_ranks;
use crate::shared::{Placed, SharedMemory};

/// The elements of distributed tensors: numbers and structs of numbers that have an MPI type
/// ([`Equivalence`]), and for which any bits are valid ([`Pod`]), since they are copied through
/// registers.
///
/// ```
/// use layout_mpi::Element;
/// fn bytes<T: Element>(elements: usize) -> usize {
///     elements * size_of::<T>()
/// }
/// assert_eq!(bytes::<f64>(3), 24);
/// ```
pub trait Element: Equivalence + Pod + Default {}
impl<T: Equivalence + Pod + Default> Element for T {}

/// This rank's shard of a tensor on the ranks of a mesh.
///
/// `t.local()[local] == whole[t.distribution().global_of(local)]`
///
/// ```
/// use layout_algebra::layout;
/// use layout_mpi::{BlockCyclic, DistributedTensor, Distribution, Mesh, Replicate};
/// let mesh = Mesh::on_paper(2, 1, layout!(2))?;
/// let cyclic = Distribution::new(&mesh, (4, 3), (BlockCyclic(0, 1), Replicate))?;
/// let t = DistributedTensor::from_fn(&cyclic, |global| 10 * global[0] + global[1]);
/// assert_eq!(t.local().into_storage(), [10, 30, 11, 31, 12, 32]);
/// # Ok::<(), layout_mpi::Error>(())
/// ```
pub struct DistributedTensor<T> {
    distribution: Distribution,
    memory: Memory<T>,
}

enum Memory<T> {
    Own(Vec<T>),
    Shared(SharedMemory<T>),
}

impl<T: Element> DistributedTensor<T> {
    /// The tensor whose element at each global coordinate is the value of `f`. Each rank computes
    /// its own shard; nothing is sent.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mpi::{BlockCyclic, DistributedTensor, Distribution, Mesh};
    /// let mesh = Mesh::on_paper(2, 0, layout!(2))?;
    /// let t = DistributedTensor::from_fn(&Distribution::new(&mesh, 5, [BlockCyclic(0, 1)])?, |global| global[0]);
    /// assert_eq!(t.local().into_storage(), [0, 2, 4]);
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    pub fn from_fn(distribution: &Distribution, f: impl FnMut(&[usize]) -> T) -> Self {
        DistributedTensor {
            distribution: distribution.clone(),
            memory: Memory::Own(elements(distribution, f)),
        }
    }

    /// [`from_fn`](DistributedTensor::from_fn) in memory that the ranks of a node share: a
    /// redistribution reads it directly, with one copy instead of three.
    ///
    /// All ranks of `world` have to call it. The memory is an unlinked file, in `/dev/shm` if there
    /// is room, and exists as long as the tensor: each rank may drop it at any time, even after MPI
    /// has ended.
    ///
    /// # Errors
    /// If the communicator has another number of ranks than the mesh was made for, the ranks
    /// disagree about the distribution or the type of the elements, or there is no room: on all
    /// ranks.
    ///
    /// ```no_run
    /// use layout_algebra::layout;
    /// use layout_mpi::{BlockCyclic, DistributedTensor, Distribution, Mesh, MeshCommunicators};
    /// use mpi::traits::*;
    /// let universe = mpi::initialize().unwrap();
    /// let world = universe.world();
    /// let mesh = Mesh::new(&world, layout!(2))?;
    /// let cyclic = Distribution::new(&mesh, 5, [BlockCyclic(0, 1)])?;
    /// let t = DistributedTensor::shared(&world, &cyclic, |global| global[0])?;
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    pub fn shared(
        world: &impl Communicator,
        distribution: &Distribution,
        f: impl FnMut(&[usize]) -> T,
    ) -> Result<Self, Error> {
        let what = "DistributedTensor::shared";
        let control = Control::of(world, what)?;
        let ranks = check_ranks(distribution.mesh(), world);
        let placed = ranks.and_then(|()| Placed::new(&elements(distribution, f)));
        let placed = control.agree(what, name::<T>(), distribution, placed)?;
        let memory = Memory::Shared(SharedMemory::new(&control, what, placed)?);
        Ok(DistributedTensor { distribution: distribution.clone(), memory })
    }

    /// This rank's shard of a tensor that every rank has.
    ///
    /// The sizes of the top-level modes have to be equal: a tensor of shape `((2,4),7)` fits (8,7),
    /// a tensor of shape `56` does not.
    ///
    /// # Errors
    /// If the shapes differ.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_mpi::{DistributedTensor, Distribution, Mesh, Replicate, Shard};
    /// let mesh = Mesh::on_paper(2, 1, layout!(2))?;
    /// let whole = Tensor::new(vec![0, 1, 2, 3, 4, 5], layout!((2, 3)))?;
    /// let columns = Distribution::new(&mesh, (2, 3), (Replicate, Shard(0)))?;
    /// assert_eq!(DistributedTensor::from_global(&columns, &whole)?.local().into_storage(), [4, 5]);
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    pub fn from_global<S: Storage<Item = T>, L: Addressable>(
        distribution: &Distribution,
        whole: &Tensor<S, L>,
    ) -> Result<Self, Error>
    where
        usize: CoordinateIn<L>,
    {
        let shape = distribution.shape();
        let own: Vec<usize> =
            (0..whole.layout().rank()).map(|mode| whole.layout().mode_size(mode)).collect();
        if own != shape {
            return Err(Error::OtherShape { tensor: tuple(&own), distribution: tuple(&shape) });
        }
        let number = |global: &[usize]| {
            global.iter().zip(&shape).rev().fold(0, |n, (c, extent)| n * extent + c)
        };
        Ok(DistributedTensor::from_fn(distribution, |global| whole[number(global)]))
    }

    /// The distribution.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mpi::{BlockCyclic, DistributedTensor, Distribution, Mesh};
    /// let cyclic = Distribution::new(&Mesh::on_paper(2, 0, layout!(2))?, 5, [BlockCyclic(0, 1)])?;
    /// assert_eq!(DistributedTensor::from_fn(&cyclic, |_| 0).distribution(), &cyclic);
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    pub fn distribution(&self) -> &Distribution {
        &self.distribution
    }

    /// This rank's shard: a tensor without padding, empty on a rank outside the mesh.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mpi::{DistributedTensor, Distribution, Mesh, Shard};
    /// let mesh = Mesh::on_paper(4, 3, layout!((2, 2): right))?;
    /// let blocks = Distribution::new(&mesh, (5, 5), [Shard(0), Shard(1)])?;
    /// let t = DistributedTensor::from_fn(&blocks, |global| 10 * global[0] + global[1]);
    /// assert_eq!((t.local()[[1, 0]], t.local().size()), (43, 4));
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    pub fn local(&self) -> Tensor<&[T], DynLayout> {
        let elements = self.elements();
        Tensor::new(elements, self.distribution.local_layout())
            .expect("the shard has as many elements as its layout")
    }

    /// This rank's shard, mutable.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mpi::{BlockCyclic, DistributedTensor, Distribution, Mesh};
    /// let mesh = Mesh::on_paper(2, 0, layout!(2))?;
    /// let mut t = DistributedTensor::from_fn(&Distribution::new(&mesh, 5, [BlockCyclic(0, 1)])?, |global| global[0]);
    /// t.local_mut().transform(|x| 2 * x);
    /// assert_eq!(t.local().into_storage(), [0, 4, 8]);
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    pub fn local_mut(&mut self) -> Tensor<&mut [T], DynLayout> {
        let layout = self.distribution.local_layout();
        Tensor::new(self.elements_mut(), layout)
            .expect("the shard has as many elements as its layout")
    }

    /// The same tensor with its modes in another order: `select(&[1, 0])` is the transpose. No
    /// element moves.
    ///
    /// # Errors
    /// As for [`Distribution::select`].
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mpi::{DistributedTensor, Distribution, Mesh, Replicate, Shard};
    /// let mesh = Mesh::on_paper(2, 1, layout!(2))?;
    /// let rows = Distribution::new(&mesh, (4, 3), (Shard(0), Replicate))?;
    /// let t = DistributedTensor::from_fn(&rows, |global| 10 * global[0] + global[1]).select(&[1, 0])?;
    /// assert_eq!(t.local()[[2, 0]], 22); // element (2, 2)
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    pub fn select(self, modes: &[usize]) -> Result<Self, Error> {
        Ok(DistributedTensor {
            distribution: self.distribution.select(modes)?,
            memory: self.memory,
        })
    }

    /// The whole tensor on the rank `root`, the first mode the fastest; `None` on the others. All
    /// ranks have to call it.
    ///
    /// # Errors
    /// If there is no such rank, the ranks disagree about it or about the type of the elements, and
    /// as for [`Redistribution::new`](crate::Redistribution::new): on all ranks.
    ///
    /// ```no_run
    /// use layout_algebra::layout;
    /// use layout_mpi::{BlockCyclic, DistributedTensor, Distribution, Mesh, MeshCommunicators};
    /// use mpi::traits::*;
    /// let universe = mpi::initialize().unwrap();
    /// let world = universe.world();
    /// let mesh = Mesh::new(&world, layout!(2))?;
    /// let t = DistributedTensor::from_fn(&Distribution::new(&mesh, 5, [BlockCyclic(0, 1)])?, |global| global[0]);
    /// if let Some(whole) = t.gather(&world, 0)? {
    ///     assert_eq!(whole.into_storage(), [0, 1, 2, 3, 4]);
    /// }
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    pub fn gather(
        &self,
        world: &impl Communicator,
        root: usize,
    ) -> Result<Option<Tensor<Vec<T>, DynLayout>>, Error> {
        let to = Control::of(world, "gather")?;
        let to = to.agree(
            "gather",
            name::<T>(),
            &root,
            self.distribution.on_rank(root).map_err(Error::from),
        )?;
        let whole = self.redistributed(world, &to)?;
        let is_root = to.mesh().coordinates().is_some();
        Ok(is_root
            .then(|| Tensor::new(whole.elements().to_vec(), to.local_layout()))
            .transpose()?)
    }

    /// Scatters a tensor of the rank `root`: the inverse of [`gather`](DistributedTensor::gather).
    /// All ranks have to call it, all but the root with `None`.
    ///
    /// # Errors
    /// If there is no such rank, it has no tensor of the distribution's shape, and as for
    /// [`Redistribution::new`](crate::Redistribution::new): on all ranks.
    ///
    /// ```no_run
    /// use layout_algebra::prelude::*;
    /// use layout_mpi::{BlockCyclic, DistributedTensor, Distribution, Mesh, MeshCommunicators};
    /// use mpi::traits::*;
    /// let universe = mpi::initialize().unwrap();
    /// let world = universe.world();
    /// let cyclic = Distribution::new(&Mesh::new(&world, layout!(2))?, 5, [BlockCyclic(0, 1)])?;
    /// let whole = (world.rank() == 0).then(|| Tensor::new(vec![5, 6, 7, 8, 9], layout!(5))).transpose()?;
    /// let t = DistributedTensor::scatter(&world, 0, whole.as_ref(), &cyclic)?;
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    pub fn scatter<S: Storage<Item = T>, L: Addressable>(
        world: &impl Communicator,
        root: usize,
        whole: Option<&Tensor<S, L>>,
        distribution: &Distribution,
    ) -> Result<Self, Error>
    where
        usize: CoordinateIn<L>,
    {
        let source = distribution.on_rank(root).map_err(Error::from).and_then(|from| match whole {
            Some(whole) if from.mesh().coordinates().is_some() => {
                DistributedTensor::from_global(&from, whole)
            }
            _ if from.mesh().coordinates().is_some() => Err(Error::NoTensor { rank: root }),
            _ => Ok(DistributedTensor { distribution: from, memory: Memory::Own(Vec::new()) }),
        });
        let control = Control::of(world, "scatter")?;
        let source = control.agree("scatter", name::<T>(), &(root, distribution), source)?;
        source.redistributed(world, distribution)
    }

    /// The elements in the order of memory.
    pub(crate) fn elements(&self) -> &[T] {
        match &self.memory {
            Memory::Own(elements) => elements,
            Memory::Shared(shared) => shared.own(),
        }
    }

    /// The elements in the order of memory, mutable.
    pub(crate) fn elements_mut(&mut self) -> &mut [T] {
        match &mut self.memory {
            Memory::Own(elements) => elements,
            Memory::Shared(shared) => shared.own_mut(),
        }
    }

    /// The shared memory, if the tensor is in it.
    pub(crate) fn shared_memory(&self) -> Option<&SharedMemory<T>> {
        match &self.memory {
            Memory::Own(_) => None,
            Memory::Shared(shared) => Some(shared),
        }
    }
}

/// The elements of this rank, in the order of memory.
fn elements<T: Copy>(distribution: &Distribution, mut f: impl FnMut(&[usize]) -> T) -> Vec<T> {
    let mut elements = Vec::with_capacity(distribution.local_shape().iter().product());
    distribution.for_each_coordinate(|_, global| elements.push(f(global)));
    elements
}

/// The distribution, and the memory.
impl<T: fmt::Debug> fmt::Debug for DistributedTensor<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shared = if matches!(self.memory, Memory::Shared(_)) { ", shared" } else { "" };
        write!(f, "DistributedTensor({}{shared})", self.distribution)
    }
}
