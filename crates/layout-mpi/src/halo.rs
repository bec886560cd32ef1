//! Halos: shards with a border of the neighbours' elements, and the exchange that fills the border.

use layout_algebra::prelude::*;
use layout_mesh::{BoxCopy, Distribution, HaloPlan};
use mpi::request::multiple_scope;
use mpi::topology::Communicator;
use mpi::traits::{Destination, Source};

use crate::agree::{Control, hash};
use crate::committed::LayoutDatatype;
use crate::copy::{Copier, pack, unpack};
use crate::datatype::element_datatype;
use crate::element::name;
use crate::error::Error;
use crate::groups::check_ranks;
use crate::raw::{Message, MessageMut};
use crate::redistribution::Packet;
use crate::tensor::{DistributedTensor, Element};

/// The exchange of borders, planned once and run often. It covers edges and corners, any width, and
/// periodic modes; a rank's shard may be empty, or narrower than the border.
///
/// ```no_run
/// use layout_algebra::layout;
/// use layout_mpi::{DistributedTensor, Distribution, Halo, Mesh, MeshCommunicators, Shard};
/// let universe = mpi::initialize().unwrap();
/// let world = universe.world();
/// let mesh = Mesh::new(&world, layout!((2, 2): right))?;
/// let blocks = Distribution::new(&mesh, (100, 100), (Shard(0), Shard(1)))?;
/// let mut halo = Halo::new(&world, &blocks, 1)?;
/// let mut now = halo.bordered(&DistributedTensor::from_fn(&blocks, |at| (at[0] + at[1]) as f64))?;
/// for _ in 0..10 {
///     halo.exchange(&mut now)?;
///     let old = now.clone();
///     now.for_each_inner(|at, x| *x = 0.25 * (old[[at[0] - 1, at[1]]] + old[[at[0] + 1, at[1]]]
///         + old[[at[0], at[1] - 1]] + old[[at[0], at[1] + 1]]));
/// }
/// let result = now.inner(); // a `DistributedTensor` again
/// # Ok::<(), layout_mpi::Error>(())
/// ```
pub struct Halo<T> {
    control: Control,
    plan: HaloPlan,
    /// A hash of the plan, the same on all ranks.
    number: u64,
    element: LayoutDatatype,
    sends: Vec<Packet>,
    receives: Vec<Packet>,
    outgoing: Vec<T>,
    incoming: Vec<T>,
}

/// A rank's shard with a border around it, under one layout. Made by [`Halo::bordered`].
///
/// `t[[width, width]]` is the first element of the shard.
///
/// ```
/// use layout_mpi::Bordered;
/// fn corner(t: &Bordered<f64>) -> f64 {
///     t[[0, 0]] // the neighbour's element, after an exchange
/// }
/// ```
#[derive(Clone)]
pub struct Bordered<T> {
    distribution: Distribution,
    layout: DynLayout,
    inner: (usize, DynLayout),
    widths: Vec<usize>,
    elements: Vec<T>,
}

impl<T: Element> Halo<T> {
    /// Plans borders of `width` elements on both sides of each mode; beyond the ends of the tensor,
    /// nothing is received. All ranks of `world` have to call it.
    ///
    /// # Errors
    /// Those of [`HaloPlan::new`], and if the communicator has other ranks than the mesh was made
    /// for, or the ranks disagree about the distribution, the width or the type of the elements: on
    /// all ranks.
    ///
    /// ```no_run
    /// use layout_algebra::layout;
    /// use layout_mpi::{Distribution, Halo, Mesh, MeshCommunicators, Shard};
    /// let universe = mpi::initialize().unwrap();
    /// let world = universe.world();
    /// let blocks = Distribution::new(&Mesh::new(&world, layout!(4))?, 100, [Shard(0)])?;
    /// let halo = Halo::<f64>::new(&world, &blocks, 2)?;
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    pub fn new(
        world: &impl Communicator,
        distribution: &Distribution,
        width: usize,
    ) -> Result<Self, Error> {
        let modes = distribution.shape().len();
        Self::of_modes(world, distribution, &vec![width; modes], &vec![false; modes])
    }

    /// [`new`](Halo::new) with a width for each mode, and a flag for periodic modes, in which the
    /// first element follows the last one.
    ///
    /// # Errors
    /// As for [`new`](Halo::new).
    ///
    /// ```no_run
    /// use layout_algebra::layout;
    /// use layout_mpi::{Distribution, Halo, Mesh, MeshCommunicators, Replicate, Shard};
    /// let universe = mpi::initialize().unwrap();
    /// let world = universe.world();
    /// let rows = Distribution::new(&Mesh::new(&world, layout!(4))?, (100, 50), (Shard(0), Replicate))?;
    /// let halo = Halo::<f64>::of_modes(&world, &rows, &[2, 0], &[true, false])?;
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    pub fn of_modes(
        world: &impl Communicator,
        distribution: &Distribution,
        widths: &[usize],
        periodic: &[bool],
    ) -> Result<Self, Error> {
        let what = "Halo::new";
        let control = Control::of(world, what)?;
        let plan = check_ranks(distribution.mesh(), world).and_then(|()| {
            Ok((HaloPlan::new(distribution, widths, periodic)?, element_datatype::<T>()?))
        });
        let value = (distribution, widths, periodic);
        let (plan, element) = control.agree(what, name::<T>(), &value, plan)?;
        let packets = |list: &[(usize, Vec<BoxCopy>)]| {
            let one = |(rank, boxes): &(usize, Vec<BoxCopy>)| {
                let elements = boxes.iter().map(BoxCopy::size).sum();
                Packet { rank: *rank, elements, boxes: boxes.clone() }
            };
            list.iter().map(one).collect()
        };
        let (sends, receives) = (packets(plan.sends()), packets(plan.receives()));
        let (number, outgoing, incoming) = (hash(&value), Vec::new(), Vec::new());
        Ok(Halo { control, plan, number, element, sends, receives, outgoing, incoming })
    }

    /// A tensor with a border of zeros.
    ///
    /// # Errors
    /// If the tensor's distribution is not the planned one.
    ///
    /// ```no_run
    /// use layout_algebra::layout;
    /// use layout_mpi::{DistributedTensor, Distribution, Halo, Mesh, MeshCommunicators, Shard};
    /// let universe = mpi::initialize().unwrap();
    /// let world = universe.world();
    /// let blocks = Distribution::new(&Mesh::new(&world, layout!(4))?, 100, [Shard(0)])?;
    /// let t = DistributedTensor::from_fn(&blocks, |at| at[0]);
    /// assert_eq!(Halo::new(&world, &blocks, 2)?.bordered(&t)?[[0]], 0);
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    pub fn bordered(&self, tensor: &DistributedTensor<T>) -> Result<Bordered<T>, Error> {
        let planned = self.plan.distribution();
        if tensor.distribution() != planned {
            return Err(Error::other_distribution(tensor.distribution(), planned));
        }
        let (layout, inner) = (self.plan.layout(), self.plan.inner());
        let (mut elements, own) = (vec![T::zeroed(); layout.size()], tensor.local());
        (0..own.size()).for_each(|i| elements[inner.0 + inner.1.index(i)] = own[i]);
        let widths = self.plan.widths().to_vec();
        Ok(Bordered { distribution: planned.clone(), layout, inner, widths, elements })
    }

    /// Fills the border with the neighbours' elements. All ranks have to call it.
    ///
    /// # Errors
    /// If a tensor on any rank has another distribution or border than planned, or the ranks use
    /// different plans: on all ranks, before anything is sent.
    ///
    /// ```no_run
    /// use layout_algebra::layout;
    /// use layout_mpi::{DistributedTensor, Distribution, Halo, Mesh, MeshCommunicators, Shard};
    /// let universe = mpi::initialize().unwrap();
    /// let world = universe.world();
    /// let blocks = Distribution::new(&Mesh::new(&world, layout!(4))?, 100, [Shard(0)])?;
    /// let mut halo = Halo::new(&world, &blocks, 2)?;
    /// let mut t = halo.bordered(&DistributedTensor::from_fn(&blocks, |at| at[0]))?;
    /// halo.exchange(&mut t)?;
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    pub fn exchange(&mut self, tensor: &mut Bordered<T>) -> Result<(), Error> {
        let planned = self.plan.distribution();
        let own = if (&tensor.distribution, &tensor.widths[..]) == (planned, self.plan.widths()) {
            Ok(())
        } else {
            let of = |distribution: &Distribution, widths: &[usize]| {
                format!("{distribution} with a border of {widths:?}")
            };
            let tensor = of(&tensor.distribution, &tensor.widths);
            Err(Error::OtherDistribution { tensor, planned: of(planned, self.plan.widths()) })
        };
        self.control.agree("Halo::exchange", name::<T>(), &self.number, own)?;
        let (world, element) = (self.control.communicator(), &self.element);
        let limit = (i32::MAX as usize / size_of::<T>().max(1)).max(1);
        let count =
            |packets: &[Packet]| packets.iter().map(|packet| packet.elements).sum::<usize>();
        self.outgoing.resize(count(&self.sends), T::zeroed());
        self.incoming.resize(count(&self.receives), T::zeroed());
        let (mut copier, mut at) = (Copier::default(), 0);
        let mut sent = Vec::new();
        for packet in &self.sends {
            pack(
                &mut self.outgoing[at..at + packet.elements],
                &tensor.elements,
                &packet.boxes,
                &mut copier,
            );
            at += packet.elements;
        }
        let mut rest = &self.outgoing[..];
        for packet in &self.sends {
            let (own, others) = rest.split_at(packet.elements);
            rest = others;
            sent.extend(
                own.chunks(limit).map(|part| (packet.rank, Message::of_slice(part, element))),
            );
        }
        let (mut coming, mut rest) = (Vec::new(), &mut self.incoming[..]);
        for packet in &self.receives {
            let (own, others) = std::mem::take(&mut rest).split_at_mut(packet.elements);
            rest = others;
            coming.extend(
                own.chunks_mut(limit)
                    .map(|part| (packet.rank, MessageMut::of_slice_mut(part, element))),
            );
        }
        multiple_scope(sent.len() + coming.len(), |scope, requests| {
            multiple_scope(sent.len(), |send_scope, sending| {
                for (rank, part) in &mut coming {
                    requests.add(
                        world.process_at_rank(*rank as i32).immediate_receive_into(scope, part),
                    );
                }
                for (rank, part) in &sent {
                    sending
                        .add(world.process_at_rank(*rank as i32).immediate_send(send_scope, part));
                }
                sending.wait_all(&mut Vec::new());
            });
            requests.wait_all(&mut Vec::new());
        });
        let mut at = 0;
        for packet in &self.receives {
            unpack(
                &mut tensor.elements,
                &self.incoming[at..at + packet.elements],
                &packet.boxes,
                &mut copier,
            );
            at += packet.elements;
        }
        Ok(())
    }
}

impl<T: Element> Bordered<T> {
    /// The shard with its border.
    ///
    /// ```
    /// use layout_mpi::Bordered;
    /// fn size(t: &Bordered<f64>) -> usize {
    ///     t.view().size()
    /// }
    /// ```
    pub fn view(&self) -> Tensor<&[T], DynLayout> {
        Tensor::new(&self.elements[..], self.layout.clone())
            .expect("as many elements as its layout")
    }

    /// The shard with its border, mutable.
    ///
    /// ```
    /// use layout_mpi::Bordered;
    /// fn clear(t: &mut Bordered<f64>) {
    ///     t.view_mut().fill(0.0);
    /// }
    /// ```
    pub fn view_mut(&mut self) -> Tensor<&mut [T], DynLayout> {
        Tensor::new(&mut self.elements[..], self.layout.clone())
            .expect("as many elements as its layout")
    }

    /// Calls `f` for each element of the shard with its coordinate, which counts the border, in the
    /// order of coordinates.
    ///
    /// ```
    /// use layout_mpi::Bordered;
    /// fn average(t: &mut Bordered<f64>) {
    ///     let old = t.clone();
    ///     t.for_each_inner(|at, x| *x = 0.5 * (old[[at[0] - 1]] + old[[at[0] + 1]]));
    /// }
    /// ```
    pub fn for_each_inner(&mut self, mut f: impl FnMut(&[usize], &mut T)) {
        let (first, inner) = &self.inner;
        let shape = inner.shape();
        let mut at = self.widths.clone();
        for i in 0..inner.size() {
            f(&at, &mut self.elements[first + inner.index(i)]);
            for ((at, extent), width) in at.iter_mut().zip(shape.leaves()).zip(&self.widths) {
                *at += 1;
                if *at < extent + width {
                    break;
                }
                *at = *width;
            }
        }
    }

    /// The shard without its border, as a distributed tensor.
    ///
    /// ```
    /// use layout_mpi::{Bordered, DistributedTensor};
    /// fn result(t: &Bordered<f64>) -> DistributedTensor<f64> {
    ///     t.inner()
    /// }
    /// ```
    pub fn inner(&self) -> DistributedTensor<T> {
        let mut inner = DistributedTensor::from_fn(&self.distribution, |_| T::zeroed());
        let (first, layout) = &self.inner;
        let mut own = inner.local_mut();
        (0..layout.size()).for_each(|i| own[i] = self.elements[first + layout.index(i)]);
        inner
    }
}

/// The element at a coordinate that counts the border.
impl<T, const N: usize> std::ops::Index<[usize; N]> for Bordered<T> {
    type Output = T;
    fn index(&self, at: [usize; N]) -> &T {
        let shape = self.layout.shape();
        let within = at.len() == shape.leaves().len()
            && at.iter().zip(shape.leaves()).all(|(c, extent)| c < extent);
        assert!(within, "the coordinate {at:?} is outside of a shard with its border, {shape}");
        let strides = self.layout.stride();
        &self.elements[at.iter().zip(strides.leaves()).map(|(c, stride)| c * stride).sum::<usize>()]
    }
}

/// The distribution and the widths of the border.
impl<T> std::fmt::Debug for Bordered<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Bordered({}, {:?})", self.distribution, self.widths)
    }
}
impl<T> std::fmt::Debug for Halo<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Halo({}, {:?})", self.plan.distribution(), self.plan.widths())
    }
}
