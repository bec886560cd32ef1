//! Barriers in shared memory, `mbarrier`: threads arrive, copies bring bytes, and whoever waits is let through when all
//! of a phase are there.

use crate::hopper::{Barriers, Cluster};

/// The memory of a barrier.
#[derive(Debug)]
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
    pub unsafe fn at(first: *const Mbarrier) -> Self {
        Mbarriers { first: first.addr() as u32 }
    }
    #[inline]
    fn place(self, stage: u32) -> u32 {
        self.first + 8 * stage
    }
    /// Makes them: a phase of each is over when `arrivals` have arrived.
    ///
    /// One thread does it, and all of the cluster see it behind [`cluster_sync`](crate::hopper::cluster_sync).
    #[inline]
    pub fn init(self, arrivals: u32) {
        let mut stage = 0;
        while stage < STAGES {
            #[cfg(target_arch = "nvptx64")]
            // SAFETY: `at` says that the memory is there for barriers.
            unsafe {
                core::arch::asm!("mbarrier.init.shared::cta.b64 [{place}], {arrivals};",
                    place = in(reg32) self.place(stage), arrivals = in(reg32) arrivals, options(nostack));
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
    fn wait(self, stage: u32, parity: u32) {
        #[cfg(target_arch = "nvptx64")]
        loop {
            let over: u32;
            // SAFETY: reads a barrier.
            unsafe {
                core::arch::asm!("{{ .reg .pred over;",
                    "mbarrier.try_wait.parity.shared::cta.b64 over, [{place}], {parity};",
                    "selp.u32 {over}, 1, 0, over; }}", place = in(reg32) self.place(stage), parity = in(reg32) parity,
                    over = lateout(reg32) over, options(nostack));
            }
            if over != 0 {
                return;
            }
        }
        #[cfg(not(target_arch = "nvptx64"))]
        let _ = (stage, parity, self.place(stage));
    }
}

/// The side of a ring that says a stage is full: the producer arrives once and says how many bytes its copies bring.
#[derive(Clone, Copy, Debug)]
pub struct Full<const STAGES: u32>(pub Mbarriers<STAGES>);
impl<const STAGES: u32> Full<STAGES> {
    /// The address of a stage's barrier, which copies are told.
    #[inline]
    pub(crate) fn place(self, stage: u32) -> u32 {
        self.0.place(stage)
    }
}
impl<const STAGES: u32> Barriers for Full<STAGES> {
    const STAGES: u32 = STAGES;
    #[inline]
    fn wait(&self, stage: u32, parity: u32) {
        self.0.wait(stage, parity);
    }
    #[inline]
    fn arrive(&self, stage: u32, bytes: u32) {
        #[cfg(target_arch = "nvptx64")]
        // SAFETY: arrives at a barrier.
        unsafe {
            core::arch::asm!("mbarrier.arrive.expect_tx.shared::cta.b64 _, [{place}], {bytes};",
                place = in(reg32) self.0.place(stage), bytes = in(reg32) bytes, options(nostack));
        }
        #[cfg(not(target_arch = "nvptx64"))]
        let _ = (stage, bytes);
    }
}

/// The side of a ring that says a stage is empty: of each group of consumers the first threads arrive, one at each
/// block of the cluster, since each block's copies may go to all of them.
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
impl<const STAGES: u32, const BLOCKS: u32> Barriers for Empty<STAGES, BLOCKS> {
    const STAGES: u32 = STAGES;
    #[inline]
    fn wait(&self, stage: u32, parity: u32) {
        self.barriers.wait(stage, parity);
    }
    #[inline]
    fn arrive(&self, stage: u32, _: u32) {
        if self.thread < BLOCKS {
            #[cfg(target_arch = "nvptx64")]
            // SAFETY: arrives at a barrier of the cluster, whose blocks have not ended: they wait for each other. What
            // this thread wrote is not released to the cluster, which would be a fence of the whole device: products
            // have only read the stage.
            unsafe {
                core::arch::asm!("{{ .reg .b32 there; mapa.shared::cluster.u32 there, {place}, {block};",
                    "mbarrier.arrive.shared::cluster.b64 _, [there]; }}",
                    place = in(reg32) self.barriers.place(stage), block = in(reg32) self.thread, options(nostack));
            }
            #[cfg(not(target_arch = "nvptx64"))]
            let _ = stage;
        }
    }
}
