//! The execution of a plan: one kernel per rank, which writes into the peers' parts.

use std::sync::Arc;

use bytemuck::cast_slice;
use cudarc::driver::{CudaStream, DeviceRepr, LaunchConfig, PushKernelArg};
use layout_mesh::Distribution;

use crate::element::Element;
use crate::error::Error;
use crate::group::{Gpus, Kernel};
use crate::memory::Memory;
use crate::piece::{Piece, THREADS};
use crate::push_plan::{MOST_RANKS, PushPlan};
use crate::tensor::{DistributedTensor, check_ranks};

/// The difference between the flags of consecutive runs. No flag of a run equals the value that a
/// rank writes at its time limit.
const EPOCH: u32 = 4;

/// A plan on the devices of a group, made once and run often. A run allocates nothing and uses no
/// staging buffers.
///
/// ```no_run
/// use layout_algebra::layout;
/// use layout_gpus::{DistributedTensor, Element, Gpus, Redistribution};
/// use layout_mesh::{Distribution, Replicate, Shard};
/// let gpus = Gpus::new(&[0, 1, 2, 3])?;
/// let mesh = gpus.mesh(layout!(4))?;
/// let before = Distribution::new(&mesh, (16384, 16384), (Shard(0), Replicate))?;
/// let after = Distribution::new(&mesh, (16384, 16384), (Replicate, Shard(0)))?;
/// let from = DistributedTensor::from_fn(&gpus, &before, Element::F32, |at| at[0] as f32)?;
/// let mut to = DistributedTensor::zeros(&gpus, &after, Element::F32)?;
/// let mut redistribution = Redistribution::new(&gpus, &before, &after, Element::F32)?;
/// redistribution.run(&from, &mut to, gpus.streams())?;
/// gpus.synchronize()?;
/// # Ok::<(), layout_gpus::Error>(())
/// ```
pub struct Redistribution {
    gpus: Gpus,
    plan: PushPlan,
    ranks: Vec<Rank>,
    blocks: u32,
    epoch: u32,
}

/// The arguments of a rank's kernel.
struct Rank {
    kernel: Kernel,
    table: Memory,
    flags: Memory,
    /// The offsets of the table's prefix sums and of its list of ranks.
    ends: u64,
    list: u64,
}

/// The arguments of the kernel, with the fields of `kernel.cu`.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Launch {
    pub(crate) from: [u64; MOST_RANKS],
    pub(crate) to: [u64; MOST_RANKS],
    pub(crate) flags: [u64; MOST_RANKS],
    pub(crate) pieces: u64,
    pub(crate) ends: u64,
    pub(crate) list: u64,
    pub(crate) failed: u64,
    pub(crate) limit: u64,
    pub(crate) piece_count: u32,
    pub(crate) tiles: u32,
    pub(crate) lanes: u32,
    pub(crate) rank: u32,
    pub(crate) ranks: u32,
    pub(crate) epoch: u32,
}

// SAFETY: a struct of integers, with the layout of the struct of the same name in `kernel.cu`.
unsafe impl DeviceRepr for Launch {}

impl Redistribution {
    /// Plans a redistribution of `from` to `to`, compiles the kernel for the plan's forms, and
    /// copies the tables to the devices.
    ///
    /// # Errors
    /// Those of [`PushPlan::new`]; distributions over another number of ranks than the group's; no
    /// memory on a device; no NVRTC.
    ///
    /// ```no_run
    /// use layout_algebra::layout;
    /// use layout_gpus::{Element, Gpus, Redistribution};
    /// use layout_mesh::{BlockCyclic, Distribution, Shard};
    /// let gpus = Gpus::new(&[0, 1])?;
    /// let mesh = gpus.mesh(layout!(2))?;
    /// let from = Distribution::new(&mesh, 99, [Shard(0)])?;
    /// let to = Distribution::new(&mesh, 99, [BlockCyclic(0, 1)])?;
    /// let redistribution = Redistribution::new(&gpus, &from, &to, Element::F16)?;
    /// # Ok::<(), layout_gpus::Error>(())
    /// ```
    pub fn new(
        gpus: &Gpus,
        from: &Distribution,
        to: &Distribution,
        element: Element,
    ) -> Result<Redistribution, Error> {
        Self::of_plan(gpus, PushPlan::new(from, to, element)?)
    }

    /// A redistribution by a given plan, for example of a reshape or a slice.
    ///
    /// # Errors
    /// Those of [`new`](Redistribution::new).
    ///
    /// ```no_run
    /// use layout_algebra::layout;
    /// use layout_gpus::{Element, Gpus, PushPlan, Redistribution};
    /// use layout_mesh::{Distribution, Replicate, Shard};
    /// let gpus = Gpus::new(&[0, 1])?;
    /// let mesh = gpus.mesh(layout!(2))?;
    /// let from = Distribution::new(&mesh, (12, 8), (Shard(0), Replicate))?;
    /// let to = Distribution::new(&mesh, (16, 6), (Shard(0), Replicate))?;
    /// let plan = PushPlan::reshaped(&from, &to, Element::F16)?;
    /// let redistribution = Redistribution::of_plan(&gpus, plan)?;
    /// # Ok::<(), layout_gpus::Error>(())
    /// ```
    pub fn of_plan(gpus: &Gpus, plan: PushPlan) -> Result<Redistribution, Error> {
        check_ranks(gpus, plan.from())?;
        check_ranks(gpus, plan.to())?;
        let pieces = || plan.tables().iter().flat_map(|table| &table.pieces);
        let kernels = gpus.find_kernels(pieces().fold(0, |all, piece| all | piece.form_bit()))?;
        // Each rank has the same number of blocks: block b waits for the blocks b of the others.
        let most = kernels.iter().map(|kernel| kernel.blocks).min().unwrap_or(1);
        let tiles = plan.tables().iter().map(|table| table.tiles()).max().unwrap_or(0);
        let blocks = tiles.clamp(1, most);
        let mut ranks = Vec::new();
        for (rank, (table, kernel)) in plan.tables().iter().zip(kernels).enumerate() {
            let pieces: &[u8] = cast_slice(&table.pieces);
            let (ends, list): (&[u8], &[u8]) = (cast_slice(&table.ends), cast_slice(&table.list));
            let bytes = [pieces, ends, list].concat();
            let mut memory = Memory::zeros(gpus, rank, bytes.len())?;
            memory.write(&bytes)?;
            let ends_at = memory.address() + pieces.len() as u64;
            ranks.push(Rank {
                kernel,
                flags: Memory::zeros(gpus, rank, 4 * blocks as usize * gpus.ranks())?,
                ends: ends_at,
                list: ends_at + ends.len() as u64,
                table: memory,
            });
        }
        Ok(Redistribution { gpus: gpus.clone(), plan, ranks, blocks, epoch: 0 })
    }

    /// The plan.
    ///
    /// ```no_run
    /// use layout_algebra::layout;
    /// use layout_gpus::{Element, Gpus, Redistribution};
    /// use layout_mesh::{Distribution, Shard};
    /// let gpus = Gpus::new(&[0, 1])?;
    /// let blocks = Distribution::new(&gpus.mesh(layout!(2))?, 99, [Shard(0)])?;
    /// let redistribution = Redistribution::new(&gpus, &blocks, &blocks, Element::F16)?;
    /// assert_eq!(redistribution.plan().bytes_sent(0), 0);
    /// # Ok::<(), layout_gpus::Error>(())
    /// ```
    pub fn plan(&self) -> &PushPlan {
        &self.plan
    }

    /// Launches the kernels of all ranks, each on the stream of its rank, and does not wait for
    /// them. Later work on the stream of a rank sees the rank's part of `to` complete, and may
    /// change its part of `from`.
    ///
    /// # Errors
    /// Before any launch: if a tensor has another distribution, other elements or another group
    /// than the plan, the ranks do not have a stream each, or a rank of the group has reached the
    /// time limit before. A timeout *in this run* is an error of the next call:
    /// [`Gpus::synchronize`], a run, or reading a part.
    ///
    /// ```no_run
    /// use layout_algebra::layout;
    /// use layout_gpus::{DistributedTensor, Element, Gpus, Redistribution};
    /// use layout_mesh::{Distribution, Replicate};
    /// let gpus = Gpus::new(&[0, 1])?;
    /// let after = Distribution::new(&gpus.mesh(layout!(2))?, 8, [Replicate])?;
    /// let before = after.clone().partial(0)?; // an all-reduce
    /// let from = DistributedTensor::from_fn(&gpus, &before, Element::F32, |at| at[0] as f32)?;
    /// let mut to = DistributedTensor::zeros(&gpus, &after, Element::F32)?;
    /// let mut sums = Redistribution::new(&gpus, &before, &after, Element::F32)?;
    /// sums.run(&from, &mut to, gpus.streams())?;
    /// assert_eq!(to.part::<f32>(1)?[7], 14.0);
    /// # Ok::<(), layout_gpus::Error>(())
    /// ```
    pub fn run(
        &mut self,
        from: &DistributedTensor,
        to: &mut DistributedTensor,
        streams: &[Arc<CudaStream>],
    ) -> Result<(), Error> {
        self.check(from, to, streams)?;
        let count = self.ranks.len();
        let addresses = |address: &dyn Fn(usize) -> u64| {
            let mut all = [0; MOST_RANKS];
            all.iter_mut().take(count).enumerate().for_each(|(rank, at)| *at = address(rank));
            all
        };
        let mut launch = Launch {
            from: addresses(&|rank| from.address(rank)),
            to: addresses(&|rank| to.address(rank)),
            flags: addresses(&|rank| self.ranks[rank].flags.address()),
            pieces: 0,
            ends: 0,
            list: 0,
            failed: 0,
            limit: self.gpus.limit(),
            piece_count: 0,
            tiles: 0,
            lanes: 0,
            rank: 0,
            ranks: count as u32,
            epoch: self.epoch,
        };
        self.epoch = self.epoch.wrapping_add(EPOCH);
        let config = LaunchConfig {
            grid_dim: (self.blocks, 1, 1),
            block_dim: (THREADS, 1, 1),
            shared_mem_bytes: 0,
        };
        for (rank, (of, table)) in self.ranks.iter().zip(self.plan.tables()).enumerate() {
            launch.pieces = of.table.address();
            (launch.ends, launch.list) = (of.ends, of.list);
            launch.failed = self.gpus.failed_word(rank);
            launch.piece_count = table.pieces.len() as u32;
            (launch.tiles, launch.lanes) = (table.tiles(), table.lanes);
            launch.rank = rank as u32;
            let mut builder = streams[rank].launch_builder(&of.kernel.function);
            // SAFETY: `Launch` is the one argument of the kernel. It reads and writes what the
            // tables say, within the parts of the distributions that were planned for, which
            // `check` has found the tensors to have, and `run_on_host` runs the same tables within
            // bounds. `Memory` is not freed before kernels end.
            unsafe { builder.arg(&launch).launch(config) }?;
        }
        Ok(())
    }

    fn check(
        &self,
        from: &DistributedTensor,
        to: &DistributedTensor,
        streams: &[Arc<CudaStream>],
    ) -> Result<(), Error> {
        let sides = [("from", from, self.plan.from()), ("to", to, self.plan.to())];
        for (side, tensor, planned) in sides {
            let is_same = tensor.distribution() == planned
                && tensor.element() == self.plan.element()
                && tensor.gpus().is_same(&self.gpus);
            if !is_same {
                return Err(Error::Tensor(format!(
                    "`{side}` is {:?} distributed as {}, and what was planned for is {:?} \
                     distributed as {planned}, of one group",
                    tensor.element(),
                    tensor.distribution(),
                    self.plan.element()
                )));
            }
        }
        let (given, contexts) = (streams.len(), self.gpus.contexts());
        if given != contexts.len() {
            return Err(Error::Ranks { given, needed: contexts.len().to_string() });
        }
        for (rank, (stream, context)) in streams.iter().zip(contexts).enumerate() {
            if stream.context() != context {
                return Err(Error::Tensor(format!(
                    "stream {rank} is not of the device of its rank"
                )));
            }
            let same = |other: &Arc<CudaStream>| {
                other.context() == context && other.cu_stream() == stream.cu_stream()
            };
            if let Some(other) = streams[..rank].iter().position(same) {
                return Err(Error::SharedStream { ranks: [other, rank] });
            }
        }
        self.gpus.check()
    }
}

/// The pieces, followed by the words.
const _: () = assert!(size_of::<Piece>() == 224 && align_of::<Piece>() == 8);
