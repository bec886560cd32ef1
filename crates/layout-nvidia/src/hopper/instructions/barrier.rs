//! Barriers in shared memory, `mbarrier`: threads arrive, copies bring bytes, and whoever waits is
//! let through when all of a phase are there.

use layout_algebra::prelude::*;
use layout_algebra::tensor::space::Shared;
use layout_algebra::tensor::{Addressable, Storage};

use crate::hopper::{Barriers, Cluster, Consumer, Producer};

/// The memory of a barrier.
#[derive(Debug, Default)]
#[repr(transparent)]
pub struct Mbarrier(#[allow(dead_code, reason = "the device's")] u64);

/// `STAGES` barriers side by side in shared memory.
#[derive(Clone, Copy, Debug)]
pub struct Mbarriers<const STAGES: u32> {
    first: u32,
}
impl<const STAGES: u32> Mbarriers<STAGES> {
    /// The barriers from this address of shared memory on.
    ///
    /// # Safety
    /// There is memory for them, which nothing else uses.
    #[inline]
    #[must_use]
    pub unsafe fn from_address(first: *const Mbarrier) -> Self {
        Mbarriers { first: first.addr() as u32 }
    }
    #[inline]
    fn stage_address(self, stage: u32) -> u32 {
        self.first + 8 * stage
    }
    /// Makes them: a phase of each is over when `arrivals` have arrived.
    ///
    /// One thread does it, and all of the cluster see it behind
    /// [`cluster_sync`](crate::hopper::cluster_sync).
    #[inline]
    pub fn initialize(self, arrivals: u32) {
        let mut stage = 0;
        while stage < STAGES {
            #[cfg(target_arch = "nvptx64")]
            // SAFETY: `from_address` says that the memory is there for barriers.
            unsafe {
                core::arch::asm!("mbarrier.init.shared::cta.b64 [{place}], {arrivals};",
                    place = in(reg32) self.stage_address(stage), arrivals = in(reg32) arrivals,
                    options(nostack));
            }
            stage += 1;
        }
        #[cfg(target_arch = "nvptx64")]
        // SAFETY: waits.
        unsafe {
            core::arch::asm!("fence.mbarrier_init.release.cluster;", options(nostack));
        }
        #[cfg(not(target_arch = "nvptx64"))]
        let _ = arrivals;
    }
    #[inline]
    fn wait_parity(self, stage: u32, parity: u32) {
        #[cfg(target_arch = "nvptx64")]
        loop {
            let over: u32;
            // SAFETY: reads a barrier.
            unsafe {
                core::arch::asm!("{{ .reg .pred over;",
                    "mbarrier.try_wait.parity.shared::cta.b64 over, [{place}], {parity};",
                    "selp.u32 {over}, 1, 0, over; }}", place = in(reg32) self.stage_address(stage),
                    parity = in(reg32) parity,
                    over = lateout(reg32) over, options(nostack));
            }
            if over != 0 {
                return;
            }
        }
        #[cfg(not(target_arch = "nvptx64"))]
        let _ = (stage, parity, self.stage_address(stage));
    }
}

/// The side of a ring that says a stage is full: the producer arrives once and says how many bytes
/// its copies bring.
#[derive(Clone, Copy, Debug)]
pub struct Full<const STAGES: u32>(pub Mbarriers<STAGES>);
impl<const STAGES: u32> Full<STAGES> {
    /// The address of a stage's barrier, an operand of copies.
    #[inline]
    pub(crate) fn stage_address(self, stage: u32) -> u32 {
        self.0.stage_address(stage)
    }
}
// SAFETY: the device's barriers wait for their phases.
unsafe impl<const STAGES: u32> Barriers for Full<STAGES> {
    const STAGES: u32 = STAGES;
    #[inline]
    fn wait_parity(&self, stage: u32, parity: u32) {
        self.0.wait_parity(stage, parity);
    }
    #[inline]
    fn arrive_expect_tx(&self, stage: u32, bytes: u32) {
        #[cfg(target_arch = "nvptx64")]
        // SAFETY: arrives at a barrier.
        unsafe {
            core::arch::asm!("mbarrier.arrive.expect_tx.shared::cta.b64 _, [{place}], {bytes};",
                place = in(reg32) self.0.stage_address(stage), bytes = in(reg32) bytes,
                options(nostack));
        }
        #[cfg(not(target_arch = "nvptx64"))]
        let _ = (stage, bytes);
    }
}

/// The side of a ring that says a stage is empty: of each group of consumers the first threads
/// arrive, one at each block of the cluster, since each block's copies may go to all of them.
#[derive(Clone, Copy, Debug)]
pub struct Empty<const STAGES: u32, const BLOCKS: u32> {
    barriers: Mbarriers<STAGES>,
    thread: u32,
}
impl<const STAGES: u32, const BLOCKS: u32> Empty<STAGES, BLOCKS> {
    /// The side as the thread with this number in its group of consumers sees it.
    #[inline]
    #[must_use]
    pub fn new(barriers: Mbarriers<STAGES>, _: Cluster<BLOCKS>, thread: usize) -> Self {
        Empty { barriers, thread: thread as u32 }
    }
}
// SAFETY: as above.
unsafe impl<const STAGES: u32, const BLOCKS: u32> Barriers for Empty<STAGES, BLOCKS> {
    const STAGES: u32 = STAGES;
    #[inline]
    fn wait_parity(&self, stage: u32, parity: u32) {
        self.barriers.wait_parity(stage, parity);
    }
    #[inline]
    fn arrive_expect_tx(&self, stage: u32, _: u32) {
        if self.thread < BLOCKS {
            #[cfg(target_arch = "nvptx64")]
            // SAFETY: arrives at a barrier of the cluster, whose blocks have not ended: they wait
            // for each other. What this thread wrote is not released to the cluster, which would be
            // a fence of the whole device: products have only read the stage.
            unsafe {
                if BLOCKS == 1 {
                    // This block, whichever it is of its cluster.
                    core::arch::asm!("mbarrier.arrive.shared::cta.b64 _, [{place}];",
                        place = in(reg32) self.barriers.stage_address(stage), options(nostack));
                } else {
                    core::arch::asm!("{{ .reg .b32 there; mapa.shared::cluster.u32 there, {place}, {block};",
                        "mbarrier.arrive.shared::cluster.b64 _, [there]; }}",
                        place = in(reg32) self.barriers.stage_address(stage),
                        block = in(reg32) self.thread, options(nostack));
                }
            }
            #[cfg(not(target_arch = "nvptx64"))]
            let _ = stage;
        }
    }
}

/// The side of a [`Ring`] that fills stages.
pub type RingProducer<const STAGES: u32, const BLOCKS: u32> =
    Producer<Full<STAGES>, Empty<STAGES, BLOCKS>>;
/// The side of a [`Ring`] that empties them.
pub type RingConsumer<const STAGES: u32, const BLOCKS: u32> =
    Consumer<Full<STAGES>, Empty<STAGES, BLOCKS>>;

/// The barriers of a ring of `STAGES` stages in the blocks of a cluster, of which both sides are
/// made.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::space::Shared;
/// use layout_nvidia::hopper::{Cluster, Mbarrier, Ring};
/// # let mut memory = Vec::new();
/// # memory.resize_with(8, Mbarrier::default);
/// let barriers = Tensor::new(memory.as_slice(), layout!(8))?;
/// let barriers = barriers.in_space::<Shared>();
/// // SAFETY: nothing else uses them.
/// let ring = unsafe { Ring::<4, 1>::from_barriers(&barriers, 0, Cluster::of_this_block()) };
/// let (mut producer, mut consumer) = (ring.producer(), ring.consumer(0));
/// producer.producer_acquire().arrive_and_expect_tx(0);
/// consumer.consumer_wait().consumer_release();
/// # Ok::<(), LayoutError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Ring<const STAGES: u32, const BLOCKS: u32> {
    full: Mbarriers<STAGES>,
    empty: Mbarriers<STAGES>,
    cluster: Cluster<BLOCKS>,
}
impl<const STAGES: u32, const BLOCKS: u32> Ring<STAGES, BLOCKS> {
    /// The ring whose barriers are those from number `first` on: the full ones of all stages, then
    /// the empty ones. Where there are fewer, the kernel traps.
    ///
    /// # Safety
    /// Nothing else uses them.
    #[inline(always)]
    #[must_use]
    pub unsafe fn from_barriers<S: Storage<Item = Mbarrier, Space = Shared>, L: Addressable>(
        barriers: &Tensor<S, L>,
        first: usize,
        cluster: Cluster<BLOCKS>,
    ) -> Self {
        let (full, empty) = (barriers.address(first), barriers.address(first + STAGES as usize));
        let (Some(full), Some(empty), true) =
            (full, empty, first + 2 * STAGES as usize <= barriers.size())
        else {
            crate::device::trap()
        };
        // SAFETY: they are there, and the caller says that nothing else uses them.
        unsafe {
            Ring {
                full: Mbarriers::from_address(full),
                empty: Mbarriers::from_address(empty),
                cluster,
            }
        }
    }
    /// Makes the barriers: in each block, `groups` groups of threads empty a stage. One thread does
    /// it, and all see it behind [`cluster_sync`](crate::hopper::cluster_sync).
    #[inline(always)]
    pub fn initialize(self, groups: u32) {
        self.full.initialize(1);
        self.empty.initialize(groups * BLOCKS);
    }
    /// The same where `producers` threads fill a stage, each of which says how many bytes its
    /// copies bring.
    #[inline(always)]
    pub fn initialize_with_producers(self, producers: u32, groups: u32) {
        self.full.initialize(producers);
        self.empty.initialize(groups * BLOCKS);
    }
    /// The side that fills stages, of one thread.
    #[inline(always)]
    #[must_use]
    pub fn producer(self) -> RingProducer<STAGES, BLOCKS> {
        Producer::new(Full(self.full), Empty::new(self.empty, self.cluster, 0))
    }
    /// The side that empties them, as the thread with this number in its group sees it.
    #[inline(always)]
    #[must_use]
    pub fn consumer(self, thread: usize) -> RingConsumer<STAGES, BLOCKS> {
        Consumer::new(Full(self.full), Empty::new(self.empty, self.cluster, thread))
    }
}
