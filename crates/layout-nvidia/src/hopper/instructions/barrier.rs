//! Barriers in shared memory, `mbarrier`: a phase completes when all of its threads have arrived
//! and all bytes of its copies are written, and then the waiting threads continue.

use layout_algebra::prelude::*;
use layout_algebra::tensor::space::Shared;
use layout_algebra::tensor::{Addressable, Storage};

use crate::hopper::{Barriers, Cluster, Consumer, Producer};

/// The memory of a barrier.
#[derive(Debug, Default)]
#[repr(transparent)]
pub struct Mbarrier(#[allow(dead_code, reason = "the device's")] u64);

/// `STAGES` contiguous barriers in shared memory.
#[derive(Clone, Copy, Debug)]
pub struct Mbarriers<const STAGES: u32> {
    first: u32,
}
impl<const STAGES: u32> Mbarriers<STAGES> {
    /// The barriers at this address of shared memory.
    ///
    /// # Safety
    /// The memory exists, and nothing else uses it.
    #[inline]
    #[must_use]
    pub unsafe fn from_address(first: *const Mbarrier) -> Self {
        Mbarriers { first: first.addr() as u32 }
    }
    #[inline]
    fn stage_address(self, stage: u32) -> u32 {
        self.first + 8 * stage
    }
    /// Initializes the barriers: a phase of each completes after `arrivals` arrivals.
    ///
    /// One thread calls it, and all threads of the cluster see the barriers after
    /// [`cluster_sync`](crate::hopper::cluster_sync).
    #[inline]
    pub fn initialize(self, arrivals: u32) {
        let mut stage = 0;
        while stage < STAGES {
            #[cfg(target_arch = "nvptx64")]
            // SAFETY: `from_address` promises the memory of the barriers.
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

/// The full barriers of a ring: the producer arrives once, with the number of bytes of its copies.
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

/// The empty barriers of a ring: the first threads of each group of consumers arrive, one at each
/// block of the cluster, since the copies of a block may go to all blocks.
#[derive(Clone, Copy, Debug)]
pub struct Empty<const STAGES: u32, const BLOCKS: u32> {
    barriers: Mbarriers<STAGES>,
    thread: u32,
}
impl<const STAGES: u32, const BLOCKS: u32> Empty<STAGES, BLOCKS> {
    /// The barriers for the thread with this index in its group of consumers.
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
            // for each other. The arrival does not release this thread's writes to the cluster,
            // which would be a fence of the whole device: products have only read the stage.
            unsafe {
                if BLOCKS == 1 {
                    // This block, whatever its rank in the cluster.
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

/// The producer of a [`Ring`].
pub type RingProducer<const STAGES: u32, const BLOCKS: u32> =
    Producer<Full<STAGES>, Empty<STAGES, BLOCKS>>;
/// The consumer of a [`Ring`].
pub type RingConsumer<const STAGES: u32, const BLOCKS: u32> =
    Consumer<Full<STAGES>, Empty<STAGES, BLOCKS>>;

/// The barriers of a ring of `STAGES` stages in the blocks of a cluster; they make both sides.
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
    /// The ring whose barriers start at number `first`: the full barriers of all stages, then the
    /// empty barriers. If there are fewer, the kernel traps.
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
        // SAFETY: the barriers exist, and the caller promises that nothing else uses them.
        unsafe {
            Ring {
                full: Mbarriers::from_address(full),
                empty: Mbarriers::from_address(empty),
                cluster,
            }
        }
    }
    /// Initializes the barriers: in each block, `groups` groups of threads empty a stage. One
    /// thread calls it, and all see the barriers after
    /// [`cluster_sync`](crate::hopper::cluster_sync).
    #[inline(always)]
    pub fn initialize(self, groups: u32) {
        self.full.initialize(1);
        self.empty.initialize(groups * BLOCKS);
    }
    /// The same for `producers` threads that fill a stage, each of which announces the bytes of its
    /// copies.
    #[inline(always)]
    pub fn initialize_with_producers(self, producers: u32, groups: u32) {
        self.full.initialize(producers);
        self.empty.initialize(groups * BLOCKS);
    }
    /// The producer, for one thread.
    #[inline(always)]
    #[must_use]
    pub fn producer(self) -> RingProducer<STAGES, BLOCKS> {
        Producer::new(Full(self.full), Empty::new(self.empty, self.cluster, 0))
    }
    /// The consumer, for the thread with this index in its group.
    #[inline(always)]
    #[must_use]
    pub fn consumer(self, thread: usize) -> RingConsumer<STAGES, BLOCKS> {
        Consumer::new(Full(self.full), Empty::new(self.empty, self.cluster, thread))
    }
}
