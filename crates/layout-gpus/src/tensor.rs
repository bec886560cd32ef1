//! A distributed tensor: a distribution, and each rank's part on the rank's device.

use bytemuck::{Pod, cast_slice, cast_slice_mut};
use layout_mesh::Distribution;

use crate::element::Element;
use crate::error::Error;
use crate::group::Gpus;
use crate::memory::Memory;

/// The parts of a tensor, each on the device of its rank.
///
/// ```no_run
/// use layout_algebra::layout;
/// use layout_gpus::{DistributedTensor, Element, Gpus};
/// use layout_mesh::{BlockCyclic, Distribution};
/// let gpus = Gpus::new(&[0, 1])?;
/// let cyclic = Distribution::new(&gpus.mesh(layout!(2))?, 5, [BlockCyclic(0, 1)])?;
/// let t = DistributedTensor::from_fn(&gpus, &cyclic, Element::F32, |global| global[0] as f32)?;
/// assert_eq!(t.part::<f32>(1)?, [1.0, 3.0]);
/// # Ok::<(), layout_gpus::Error>(())
/// ```
pub struct DistributedTensor {
    gpus: Gpus,
    distribution: Distribution,
    element: Element,
    parts: Vec<Memory>,
}

impl DistributedTensor {
    /// A tensor whose bytes are zeros.
    ///
    /// # Errors
    /// If the distribution is over another number of ranks, elements have no bytes, or a device has
    /// too little memory.
    ///
    /// ```no_run
    /// use layout_algebra::layout;
    /// use layout_gpus::{DistributedTensor, Element, Gpus};
    /// use layout_mesh::{Distribution, Shard};
    /// let gpus = Gpus::new(&[0, 1])?;
    /// let blocks = Distribution::new(&gpus.mesh(layout!(2))?, 1 << 20, [Shard(0)])?;
    /// let t = DistributedTensor::zeros(&gpus, &blocks, Element::Bf16)?;
    /// # Ok::<(), layout_gpus::Error>(())
    /// ```
    pub fn zeros(
        gpus: &Gpus,
        distribution: &Distribution,
        element: Element,
    ) -> Result<DistributedTensor, Error> {
        check_ranks(gpus, distribution)?;
        if element.bytes() == 0 {
            return Err(Error::Element(element));
        }
        let part = |rank| {
            let shape = distribution.seen_from(rank)?.local_shape();
            let bytes = shape.iter().try_fold(element.bytes(), |size, &n| size.checked_mul(n));
            let bytes = bytes.filter(|&bytes| bytes < isize::MAX as usize);
            let bytes = bytes.ok_or_else(|| {
                Error::TooLarge(format!(
                    "the part of rank {rank} of {distribution} has too many bytes"
                ))
            })?;
            Memory::zeros(gpus, rank, bytes)
        };
        let parts = (0..gpus.ranks()).map(part).collect::<Result<Vec<_>, Error>>()?;
        Ok(DistributedTensor {
            gpus: gpus.clone(),
            distribution: distribution.clone(),
            element,
            parts,
        })
    }

    /// The tensor with the element `f(coordinate)` at each global coordinate.
    ///
    /// # Errors
    /// Those of [`zeros`](DistributedTensor::zeros), and if `T` does not have the size of an
    /// element.
    ///
    /// ```no_run
    /// use layout_algebra::layout;
    /// use layout_gpus::{DistributedTensor, Element, Gpus};
    /// use layout_mesh::{Distribution, Shard};
    /// let gpus = Gpus::new(&[0, 1])?;
    /// let blocks = Distribution::new(&gpus.mesh(layout!(2))?, 4, [Shard(0)])?;
    /// let t = DistributedTensor::from_fn(&gpus, &blocks, Element::U8, |global| global[0] as u8)?;
    /// assert_eq!(t.part::<u8>(1)?, [2, 3]);
    /// # Ok::<(), layout_gpus::Error>(())
    /// ```
    pub fn from_fn<T: Pod>(
        gpus: &Gpus,
        distribution: &Distribution,
        element: Element,
        mut f: impl FnMut(&[usize]) -> T,
    ) -> Result<DistributedTensor, Error> {
        let mut tensor = DistributedTensor::zeros(gpus, distribution, element)?;
        for rank in 0..gpus.ranks() {
            let mut part = Vec::new();
            distribution.seen_from(rank)?.for_each_coordinate(|_, global| part.push(f(global)));
            tensor.write_part(rank, &part)?;
        }
        Ok(tensor)
    }

    /// Writes the part of a rank, in the order of its
    /// [`local_layout`](layout_mesh::Distribution::local_layout), after all work on the devices has
    /// ended.
    ///
    /// # Errors
    /// If there is no such rank, the size of `T` is not that of an element, the number of values is
    /// not that of the part, or the group has failed.
    ///
    /// ```no_run
    /// use layout_algebra::layout;
    /// use layout_gpus::{DistributedTensor, Element, Gpus};
    /// use layout_mesh::{Distribution, Shard};
    /// let gpus = Gpus::new(&[0, 1])?;
    /// let blocks = Distribution::new(&gpus.mesh(layout!(2))?, 4, [Shard(0)])?;
    /// let mut t = DistributedTensor::zeros(&gpus, &blocks, Element::F32)?;
    /// t.write_part(1, &[2.0f32, 3.0])?;
    /// # Ok::<(), layout_gpus::Error>(())
    /// ```
    pub fn write_part<T: Pod>(&mut self, rank: usize, elements: &[T]) -> Result<(), Error> {
        let bytes = self.check::<T>(rank)?;
        if size_of_val(elements) != bytes {
            let needed = bytes / self.element.bytes();
            let given = elements.len();
            return Err(Error::Tensor(format!(
                "the part of rank {rank} has {needed} elements, and not {given}"
            )));
        }
        self.parts[rank].write(cast_slice(elements))
    }

    /// The part of a rank, after all work on the devices has ended.
    ///
    /// # Errors
    /// If there is no such rank, the size of `T` is not that of an element, or the group has
    /// failed.
    ///
    /// ```no_run
    /// use layout_algebra::layout;
    /// use layout_gpus::{DistributedTensor, Element, Gpus};
    /// use layout_mesh::{Distribution, Shard};
    /// let gpus = Gpus::new(&[0, 1])?;
    /// let blocks = Distribution::new(&gpus.mesh(layout!(2))?, 4, [Shard(0)])?;
    /// let t = DistributedTensor::zeros(&gpus, &blocks, Element::F32)?;
    /// assert_eq!(t.part::<f32>(0)?, [0.0, 0.0]);
    /// # Ok::<(), layout_gpus::Error>(())
    /// ```
    pub fn part<T: Pod>(&self, rank: usize) -> Result<Vec<T>, Error> {
        let bytes = self.check::<T>(rank)?;
        let mut elements = vec![T::zeroed(); bytes / self.element.bytes()];
        self.parts[rank].read(cast_slice_mut(&mut elements))?;
        Ok(elements)
    }

    /// The bytes of a rank's part, if the size of its elements is that of `T`.
    fn check<T>(&self, rank: usize) -> Result<usize, Error> {
        let (given, needed) = (size_of::<T>(), self.element.bytes());
        if given != needed {
            return Err(Error::Tensor(format!("elements have {needed} bytes, and not {given}")));
        }
        let ranks = self.parts.len();
        let no_rank = layout_mesh::Error::NoRank { rank, ranks };
        Ok(self.parts.get(rank).ok_or(Error::Plan(no_rank))?.bytes())
    }

    /// The distribution.
    ///
    /// ```no_run
    /// use layout_algebra::layout;
    /// use layout_gpus::{DistributedTensor, Element, Gpus};
    /// use layout_mesh::{Distribution, Shard};
    /// let gpus = Gpus::new(&[0, 1])?;
    /// let blocks = Distribution::new(&gpus.mesh(layout!(2))?, 4, [Shard(0)])?;
    /// assert_eq!(DistributedTensor::zeros(&gpus, &blocks, Element::U8)?.distribution(), &blocks);
    /// # Ok::<(), layout_gpus::Error>(())
    /// ```
    pub fn distribution(&self) -> &Distribution {
        &self.distribution
    }

    /// The elements.
    ///
    /// ```no_run
    /// use layout_algebra::layout;
    /// use layout_gpus::{DistributedTensor, Element, Gpus};
    /// use layout_mesh::{Distribution, Shard};
    /// let gpus = Gpus::new(&[0, 1])?;
    /// let blocks = Distribution::new(&gpus.mesh(layout!(2))?, 4, [Shard(0)])?;
    /// let t = DistributedTensor::zeros(&gpus, &blocks, Element::F16)?;
    /// assert_eq!(t.element(), Element::F16);
    /// # Ok::<(), layout_gpus::Error>(())
    /// ```
    pub fn element(&self) -> Element {
        self.element
    }

    /// The address of a rank's part in the memory of its device, for other kernels. It is a
    /// multiple of 256, and does not change during the tensor's life.
    ///
    /// # Panics
    /// If there is no such rank.
    ///
    /// ```no_run
    /// use layout_algebra::layout;
    /// use layout_gpus::{DistributedTensor, Element, Gpus};
    /// use layout_mesh::{Distribution, Shard};
    /// let gpus = Gpus::new(&[0, 1])?;
    /// let blocks = Distribution::new(&gpus.mesh(layout!(2))?, 4, [Shard(0)])?;
    /// let t = DistributedTensor::zeros(&gpus, &blocks, Element::F16)?;
    /// assert_eq!(t.address(1) % 256, 0);
    /// # Ok::<(), layout_gpus::Error>(())
    /// ```
    pub fn address(&self, rank: usize) -> u64 {
        self.parts[rank].address()
    }

    pub(crate) fn gpus(&self) -> &Gpus {
        &self.gpus
    }
}

/// Checks that a distribution is over the ranks of the group.
pub(crate) fn check_ranks(gpus: &Gpus, distribution: &Distribution) -> Result<(), Error> {
    let (given, needed) = (distribution.mesh().world_size(), gpus.ranks());
    if given == needed { Ok(()) } else { Err(Error::Ranks { given, needed: needed.to_string() }) }
}
