//! Executes a plan: elements on the same node are read from shared memory, others are sent.

use std::cell::OnceCell;
use std::ops::AddAssign;

use layout_algebra::prelude::*;
use layout_mesh::{BoxCopy, Distribution, Plan, Transfer};
use mpi::request::multiple_scope;
use mpi::topology::Communicator;
use mpi::traits::{Destination, Source};

use crate::agree::{Control, hash};
use crate::committed::LayoutDatatype;
use crate::copy::{Copier, add, pack, unpack};
use crate::datatype::element_datatype;
use crate::element::name;
use crate::error::Error;
use crate::groups::check_ranks;
use crate::raw::{Message, MessageMut, Messages};
use crate::shared::SharedMemory;
use crate::tensor::{DistributedTensor, Element};

/// The most bytes of a message: MPI's counts have 32 bits.
const LIMIT: usize = i32::MAX as usize;

/// The shortest contiguous run for which MPI reads a tile by a datatype, without packing.
const RUN: usize = 8;

/// A plan with its buffers: made once, run often.
///
/// Ranks of a node read tensors in shared memory ([`DistributedTensor::shared`]) directly: one
/// copy, from the sender's layout to the receiver's. All other elements are sent: all receives are
/// posted, then messages are packed and sent one after the other, while earlier ones are in flight.
/// A message that is one tile of contiguous runs is not packed, but sent by a datatype. Both ends
/// know the order of a message's elements, so only elements are sent.
///
/// ```no_run
/// use layout_algebra::layout;
/// use layout_mpi::{BlockCyclic, DistributedTensor, Distribution, Mesh, MeshCommunicators, Redistribution, Replicate, Shard};
/// let universe = mpi::initialize().unwrap();
/// let world = universe.world();
/// let mesh = Mesh::new(&world, layout!((2, 2): right))?;
/// let from = Distribution::new(&mesh, (100, 100), [BlockCyclic(0, 8), BlockCyclic(1, 8)])?;
/// let to = Distribution::new(&mesh, (100, 100), (Shard([0, 1]), Replicate))?;
/// let source = DistributedTensor::from_fn(&from, |global| (global[0] * global[1]) as f64);
/// let mut target = DistributedTensor::from_fn(&to, |_| 0.0);
/// let mut redistribution = Redistribution::new(&world, &from, &to)?;
/// redistribution.run(&source, &mut target)?;
/// # Ok::<(), layout_mpi::Error>(())
/// ```
pub struct Redistribution<T> {
    control: Control,
    plan: Plan,
    /// A hash of the plan, the same on all ranks.
    number: u64,
    limit: usize,
    sends: Vec<Packet>,
    receives: Vec<Packet>,
    element: LayoutDatatype,
    outgoing: Vec<T>,
    incoming: Vec<T>,
    /// The addition for sums over ranks.
    add: Option<fn(&mut T, T)>,
}

/// A transfer with its boxes.
pub(crate) struct Packet {
    pub(crate) rank: usize,
    pub(crate) elements: usize,
    pub(crate) boxes: Vec<BoxCopy>,
}

impl Packet {
    fn all(plan: &Plan, is_send: bool) -> Vec<Packet> {
        let transfers = if is_send { plan.sends() } else { plan.receives() };
        let packet = |transfer: &Transfer| {
            if is_send { plan.boxes_sent(transfer) } else { plan.boxes_received(transfer) }
        };
        transfers
            .iter()
            .map(|t| Packet { rank: t.rank(), elements: t.elements(), boxes: packet(t) })
            .collect()
    }

    /// The elements as a tile of the sender's memory, if they form one tile of contiguous runs in
    /// the order of memory: MPI then reads the tile by a datatype, without packing. In other
    /// orders, as in a transpose, and for single elements, packing is faster than MPI's datatype
    /// engine, which does not copy in blocks.
    fn tile<'a, T>(&self, from: &'a [T], limit: usize) -> Option<Tensor<&'a [T], DynLayout>> {
        let [one] = &self.boxes[..] else { return None };
        let modes: Vec<_> = one.modes.iter().filter(|mode| mode.0 != 1).collect();
        let runs = modes.first().is_none_or(|mode| mode.1 == 1 && mode.0 >= RUN);
        if self.elements > limit || !runs || modes.windows(2).any(|pair| pair[0].1 > pair[1].1) {
            return None;
        }
        let (shape, stride) =
            modes.iter().map(|mode| (DynShape::from(mode.0), DynShape::from(mode.1))).unzip();
        let (shape, stride): (Vec<DynShape>, Vec<DynShape>) = (shape, stride);
        let layout = match modes.len() {
            0 => DynLayout::new(1, 0),
            _ => DynShape::tuple(shape)
                .and_then(|shape| DynLayout::new(shape, DynShape::tuple(stride)?)),
        };
        Tensor::new(from.get(one.from..)?, layout.ok()?).ok()
    }
}

impl<T: Element> Redistribution<T> {
    /// Plans a redistribution from `from` to `to`. All ranks of `world` have to call it.
    ///
    /// # Errors
    /// Those of [`Plan::new`], and if the communicator has another number of ranks than the meshes
    /// were made for, or the ranks disagree about the distributions or the type of the elements: on
    /// all ranks.
    ///
    /// ```no_run
    /// use layout_algebra::layout;
    /// use layout_mpi::{BlockCyclic, Distribution, Mesh, MeshCommunicators, Redistribution, Shard};
    /// let universe = mpi::initialize().unwrap();
    /// let world = universe.world();
    /// let mesh = Mesh::new(&world, layout!(4))?;
    /// let from = Distribution::new(&mesh, 99, [Shard(0)])?;
    /// let to = Distribution::new(&mesh, 99, [BlockCyclic(0, 1)])?;
    /// let redistribution = Redistribution::<f64>::new(&world, &from, &to)?;
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    pub fn new(
        world: &impl Communicator,
        from: &Distribution,
        to: &Distribution,
    ) -> Result<Self, Error> {
        Self::with_limit(world, from, to, LIMIT)
    }

    /// [`new`](Redistribution::new) with messages of at most `limit` elements: longer ones are
    /// split, as are messages of more than 2^31 - 1 bytes.
    ///
    /// # Errors
    /// As for [`new`](Redistribution::new).
    ///
    /// # Panics
    /// If the limit is 0.
    ///
    /// ```no_run
    /// use layout_algebra::layout;
    /// use layout_mpi::{BlockCyclic, Distribution, Mesh, MeshCommunicators, Redistribution, Shard};
    /// let universe = mpi::initialize().unwrap();
    /// let world = universe.world();
    /// let mesh = Mesh::new(&world, layout!(4))?;
    /// let from = Distribution::new(&mesh, 99, [Shard(0)])?;
    /// let to = Distribution::new(&mesh, 99, [BlockCyclic(0, 1)])?;
    /// let redistribution = Redistribution::<f64>::with_limit(&world, &from, &to, 3)?;
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    pub fn with_limit(
        world: &impl Communicator,
        from: &Distribution,
        to: &Distribution,
        limit: usize,
    ) -> Result<Self, Error> {
        assert!(limit > 0, "a message has at least one element");
        Self::of_plan(world, "Redistribution::new", &(from, to), limit, || Plan::new(from, to))
    }

    /// Plans a redistribution with a reshape: the elements in order, the first mode the fastest, in
    /// another shape. All ranks of `world` have to call it.
    ///
    /// # Errors
    /// Those of [`Plan::reshaped`] and [`new`](Redistribution::new): on all ranks.
    ///
    /// ```no_run
    /// use layout_algebra::layout;
    /// use layout_mpi::{Distribution, Mesh, MeshCommunicators, Redistribution, Replicate, Shard};
    /// let universe = mpi::initialize().unwrap();
    /// let world = universe.world();
    /// let mesh = Mesh::new(&world, layout!(4))?;
    /// let from = Distribution::new(&mesh, (12, 8), (Shard(0), Replicate))?;
    /// let to = Distribution::new(&mesh, (16, 6), (Shard(0), Replicate))?;
    /// let redistribution = Redistribution::<f64>::reshaped(&world, &from, &to)?;
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    pub fn reshaped(
        world: &impl Communicator,
        from: &Distribution,
        to: &Distribution,
    ) -> Result<Self, Error> {
        Self::of_plan(world, "Redistribution::reshaped", &(from, to), LIMIT, || {
            Plan::reshaped(from, to)
        })
    }

    /// Plans a redistribution of a slice, given by start, end and step for each mode. All ranks of
    /// `world` have to call it.
    ///
    /// # Errors
    /// Those of [`Plan::sliced`] and [`new`](Redistribution::new): on all ranks.
    ///
    /// ```no_run
    /// use layout_algebra::layout;
    /// use layout_mpi::{Distribution, Mesh, MeshCommunicators, Redistribution, Shard};
    /// let universe = mpi::initialize().unwrap();
    /// let world = universe.world();
    /// let mesh = Mesh::new(&world, layout!(4))?;
    /// let from = Distribution::new(&mesh, 100, [Shard(0)])?;
    /// let odd = Distribution::new(&mesh, 50, [Shard(0)])?;
    /// let redistribution = Redistribution::<f64>::sliced(&world, &from, &[[1, 100, 2]], &odd)?;
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    pub fn sliced(
        world: &impl Communicator,
        from: &Distribution,
        slices: &[[usize; 3]],
        to: &Distribution,
    ) -> Result<Self, Error> {
        Self::of_plan(world, "Redistribution::sliced", &(from, slices, to), LIMIT, || {
            Plan::sliced(from, slices, to)
        })
    }

    /// This redistribution, adding up a sum over ranks ([`Distribution::partial`]). Summands are
    /// added in the order of the ranks' coordinates, so the result is deterministic.
    ///
    /// ```no_run
    /// use layout_algebra::layout;
    /// use layout_mpi::{DistributedTensor, Distribution, Mesh, MeshCommunicators, Redistribution, Replicate, Shard};
    /// let universe = mpi::initialize().unwrap();
    /// let world = universe.world();
    /// let mesh = Mesh::new(&world, layout!(4))?;
    /// let sums = Distribution::new(&mesh, 100, [Replicate])?.partial(0)?;
    /// let blocks = Distribution::new(&mesh, 100, [Shard(0)])?;
    /// let own = DistributedTensor::from_fn(&sums, |global| global[0] as f64);
    /// let mut sum = DistributedTensor::from_fn(&blocks, |_| 0.0);
    /// Redistribution::new(&world, &sums, &blocks)?.adding().run(&own, &mut sum)?; // a reduce-scatter
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    #[must_use]
    pub fn adding(self) -> Self
    where
        T: AddAssign,
    {
        Redistribution { add: Some(|sum, one| *sum += one), ..self }
    }

    fn of_plan(
        world: &impl Communicator,
        what: &str,
        value: &impl std::hash::Hash,
        limit: usize,
        plan: impl FnOnce() -> Result<Plan, layout_mesh::Error>,
    ) -> Result<Self, Error> {
        let limit = limit.min(LIMIT / size_of::<T>().max(1)).max(1);
        let control = Control::of(world, what)?;
        let both = element_datatype::<T>().and_then(|element| Ok((plan()?, element)));
        let both = both.and_then(|both| check_ranks(both.0.from().mesh(), world).map(|()| both));
        let (plan, element) = control.agree(what, name::<T>(), &(value, limit), both)?;
        Ok(Redistribution {
            control,
            sends: Packet::all(&plan, true),
            receives: Packet::all(&plan, false),
            number: hash(&(what, value, limit)),
            limit,
            plan,
            element,
            outgoing: Vec::new(),
            incoming: Vec::new(),
            add: None,
        })
    }

    /// The plan.
    ///
    /// ```no_run
    /// use layout_algebra::layout;
    /// use layout_mpi::{BlockCyclic, Distribution, Mesh, MeshCommunicators, Redistribution, Shard};
    /// let universe = mpi::initialize().unwrap();
    /// let world = universe.world();
    /// let mesh = Mesh::new(&world, layout!(4))?;
    /// let from = Distribution::new(&mesh, 99, [Shard(0)])?;
    /// let to = Distribution::new(&mesh, 99, [BlockCyclic(0, 1)])?;
    /// println!("{}", Redistribution::<f64>::new(&world, &from, &to)?.plan().elements_sent());
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Redistributes: writes every element of `target`. All ranks have to call it.
    ///
    /// # Errors
    /// If a tensor on any rank has another distribution than planned, if the ranks use different
    /// plans or different shared tensors, or if the source is a sum over ranks and the
    /// redistribution does not add ([`adding`](Redistribution::adding)): on all ranks, before
    /// anything is sent.
    ///
    /// ```no_run
    /// use layout_algebra::layout;
    /// use layout_mpi::{BlockCyclic, DistributedTensor, Distribution, Mesh, MeshCommunicators, Redistribution, Shard};
    /// let universe = mpi::initialize().unwrap();
    /// let world = universe.world();
    /// let mesh = Mesh::new(&world, layout!(4))?;
    /// let from = Distribution::new(&mesh, 99, [Shard(0)])?;
    /// let to = Distribution::new(&mesh, 99, [BlockCyclic(0, 1)])?;
    /// let source = DistributedTensor::from_fn(&from, |global| global[0]);
    /// let mut target = DistributedTensor::from_fn(&to, |_| 0);
    /// Redistribution::new(&world, &from, &to)?.run(&source, &mut target)?;
    /// # Ok::<(), layout_mpi::Error>(())
    /// ```
    pub fn run(
        &mut self,
        source: &DistributedTensor<T>,
        target: &mut DistributedTensor<T>,
    ) -> Result<(), Error> {
        let sides =
            [(source.distribution(), self.plan.from()), (target.distribution(), self.plan.to())];
        let other = sides.iter().find(|(tensor, planned)| tensor != planned);
        let own = match other {
            Some((tensor, planned)) => Err(Error::other_distribution(tensor, planned)),
            None if self.plan.from().is_partial() && self.add.is_none() => Err(Error::Summands),
            None => Ok(()),
        };
        let memory = source.shared_memory().map(SharedMemory::number);
        let what = (self.number, memory, self.add.is_some());
        self.control.agree("Redistribution::run", name::<T>(), &what, own)?;
        let world = self.control.communicator();
        let rank = world.rank() as usize;
        let shared = source.shared_memory();
        // Read directly: this rank's own elements, and those in the node's shared memory.
        let sums = self.add.filter(|_| self.plan.from().is_partial());
        let near = |packet: &&Packet| match shared {
            // Summands are all received, then added in order.
            _ if sums.is_some() => false,
            Some(shared) => shared.is_near(packet.rank),
            None => packet.rank == rank,
        };
        let sends: Vec<&Packet> = self.sends.iter().filter(|packet| !near(packet)).collect();
        let receives: Vec<&Packet> = self.receives.iter().filter(|packet| !near(packet)).collect();
        let (from, to) = (source.elements(), target.elements_mut());
        let (limit, element) = (self.limit, &self.element);
        let tiles: Vec<_> = sends.iter().map(|packet| packet.tile(from, limit)).collect();
        let packed = sends
            .iter()
            .zip(&tiles)
            .filter(|(_, tile)| tile.is_none())
            .map(|(packet, _)| packet.elements);
        self.outgoing.resize(packed.sum(), T::default());
        self.incoming.resize(receives.iter().map(|packet| packet.elements).sum(), T::default());

        let parts = |packets: &[&Packet]| {
            packets.iter().map(|packet| packet.elements.div_ceil(limit)).sum::<usize>()
        };
        let mut copier = Copier::default();
        // Each part of a message has a cell that keeps it alive while it is in flight.
        let outgoing: Vec<OnceCell<Message<'_, T>>> =
            (0..parts(&sends)).map(|_| OnceCell::new()).collect();
        let (mut free, mut empty) = (&mut self.outgoing[..], &mut self.incoming[..]);
        let mut coming = Vec::new();
        for packet in &receives {
            let (message, rest) = std::mem::take(&mut empty).split_at_mut(packet.elements);
            empty = rest;
            let parts =
                message.chunks_mut(limit).map(|part| MessageMut::of_slice_mut(part, element));
            coming.extend(parts.map(|part| (packet.rank, part)));
        }
        multiple_scope(outgoing.len(), |send_scope, sent| {
            multiple_scope(coming.len(), |receive_scope, received| {
                for (rank, part) in &mut coming {
                    received.add(
                        world
                            .process_at_rank(*rank as i32)
                            .immediate_receive_into(receive_scope, part),
                    );
                }
                let mut places = outgoing.iter();
                for (packet, tile) in sends.iter().zip(&tiles) {
                    let process = world.process_at_rank(packet.rank as i32);
                    if let Some(tile) = tile {
                        let place = places.next().expect("a place for each part");
                        sent.add(process.immediate_send(
                            send_scope,
                            place.get_or_init(|| {
                                tile.message().expect("a tile has natural strides")
                            }),
                        ));
                        continue;
                    }
                    let (message, rest) = std::mem::take(&mut free).split_at_mut(packet.elements);
                    free = rest;
                    pack(message, from, &packet.boxes, &mut copier);
                    for (part, place) in message.chunks(limit).zip(places.by_ref()) {
                        let message = place.get_or_init(|| Message::of_slice(part, element));
                        sent.add(process.immediate_send(send_scope, message));
                    }
                }
                let mut copy = |packet: &Packet, from: &[T], to: &mut [T]| {
                    packet.boxes.iter().for_each(|of| copier.copy(to, from, of));
                };
                match shared {
                    None => {
                        self.receives.iter().filter(near).for_each(|packet| copy(packet, from, to))
                    }
                    Some(shared) => {
                        let mut packets = self.receives.iter().filter(near);
                        let ranks = self.receives.iter().filter(near).map(|packet| packet.rank);
                        shared.reading(ranks, |_, theirs| {
                            packets.next().into_iter().for_each(|packet| copy(packet, theirs, to));
                        });
                    }
                }
                received.wait_all(&mut Vec::new());
            });
            sent.wait_all(&mut Vec::new());
        });
        let mut at = 0;
        let mut packets: Vec<(&Packet, &[T])> = Vec::new();
        for packet in &receives {
            packets.push((packet, &self.incoming[at..at + packet.elements]));
            at += packet.elements;
        }
        let Some(sums) = sums else {
            packets.iter().for_each(|(packet, from)| unpack(to, from, &packet.boxes, &mut copier));
            return Ok(());
        };
        // Sums begin with zero.
        to.fill(T::zeroed());
        packets.sort_by_key(|packet| self.plan.from().mesh().coordinates_of(packet.0.rank));
        packets.iter().for_each(|(packet, from)| add(to, from, &packet.boxes, sums));
        Ok(())
    }
}

/// The distributions.
impl<T> std::fmt::Debug for Redistribution<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Redistribution({} to {})", self.plan.from(), self.plan.to())
    }
}

impl<T: Element> DistributedTensor<T> {
    /// This tensor with the distribution `to`. All ranks have to call it.
    pub(crate) fn redistributed(
        &self,
        world: &impl Communicator,
        to: &Distribution,
    ) -> Result<Self, Error> {
        let mut target = DistributedTensor::from_fn(to, |_| T::default());
        Redistribution::new(world, self.distribution(), to)?.run(self, &mut target)?;
        Ok(target)
    }
}
