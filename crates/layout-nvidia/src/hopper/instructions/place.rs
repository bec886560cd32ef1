//! Blocks that run side by side and reach each other's shared memory, and threads that wait for a
//! part of their block.

/// The blocks of a cluster, `SIZE` of them in a row.
///
/// A kernel of clusters says so in its body, [`cluster_size!`](crate::cluster_size), and its grid
/// is a multiple of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cluster<const SIZE: u32> {
    rank: u32,
}
impl<const SIZE: u32> Cluster<SIZE> {
    /// The cluster of this block: `%cluster_ctarank`.
    #[inline]
    #[must_use]
    pub fn of_this_block() -> Self {
        if SIZE == 1 {
            return Cluster { rank: 0 };
        }
        #[cfg(target_arch = "nvptx64")]
        let rank = {
            let rank: u32;
            // SAFETY: reads a register.
            unsafe {
                core::arch::asm!("mov.u32 {rank}, %cluster_ctarank;", rank = lateout(reg32) rank,
                    options(pure, nomem, nostack));
            }
            rank
        };
        #[cfg(not(target_arch = "nvptx64"))]
        let rank = 0;
        Cluster { rank }
    }
    /// The number of this block in its cluster.
    #[inline]
    #[must_use]
    pub fn block_rank(self) -> u32 {
        self.rank
    }
    /// All blocks of the cluster, a bit each: the operand of a copy to all of them.
    #[inline]
    #[must_use]
    pub fn multicast_mask(self) -> u16 {
        ((1_u32 << SIZE) - 1) as u16
    }
    /// Four floats of another block of the cluster, which has them in its shared memory where this
    /// one has `at`: `ld.shared::cluster`.
    ///
    /// # Safety
    /// There is such a block, and it has not ended; `at` is a multiple of 16 bytes. It wrote them
    /// before, and nobody writes them until, a [`cluster_sync`].
    #[inline]
    #[must_use]
    pub unsafe fn load_shared_cluster(self, at: *const f32, block: u32) -> [f32; 4] {
        #[cfg(target_arch = "nvptx64")]
        {
            let (a, b, c, d);
            // SAFETY: the caller's promise.
            unsafe {
                core::arch::asm!("{{ .reg .b32 there; mapa.shared::cluster.u32 there, {at}, {block};",
                    "ld.shared::cluster.v4.f32 {{{a}, {b}, {c}, {d}}}, [there]; }}",
                    at = in(reg32) at.addr() as u32,
                    block = in(reg32) block, a = lateout(reg32) a, b = lateout(reg32) b,
                    c = lateout(reg32) c,
                    d = lateout(reg32) d, options(nostack));
            }
            [a, b, c, d]
        }
        #[cfg(not(target_arch = "nvptx64"))]
        // SAFETY: the caller's promise.
        unsafe {
            let _ = block;
            at.cast::<[f32; 4]>().read()
        }
    }
}

/// Waits for all threads of the cluster, and for what they wrote: `barrier.cluster`. Of a cluster
/// of one block, `__syncthreads`.
///
/// # Safety
/// All threads of the cluster come here, equally often.
#[inline]
pub unsafe fn cluster_sync<const SIZE: u32>(_: Cluster<SIZE>) {
    // Before the cluster's, the block's: to LLVM an `asm!` is like any other, which it may write
    // into both branches that lead to it, but it keeps this one, and what follows, in one place.
    // `.aligned` says that a warp comes as one. SAFETY: the caller's promise.
    unsafe { crate::device::sync_threads() };
    if SIZE > 1 {
        #[cfg(target_arch = "nvptx64")]
        // SAFETY: the caller's promise.
        unsafe {
            core::arch::asm!(
                "barrier.cluster.arrive.release.aligned;",
                "barrier.cluster.wait.acquire.aligned;",
                options(nostack)
            );
        }
    }
}

/// Waits for `THREADS` threads of the block that come to the barrier with this number, 1 to 15:
/// `barrier.sync`. Those of a warp that come first wait for the others: [`elect_one`] keeps them
/// together.
///
/// # Safety
/// `THREADS` threads, whole warps, come to this barrier, equally often, and no others.
#[inline]
pub unsafe fn named_barrier_sync<const THREADS: u32>(number: u32) {
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: waits, for threads that come. Not `bar.sync`, which is `.aligned`.
    unsafe {
        core::arch::asm!("barrier.sync {number}, {threads};", number = in(reg32) number,
            threads = const THREADS,
            options(nostack));
    }
    #[cfg(not(target_arch = "nvptx64"))]
    let _ = number;
}

/// Is the thread with this number in its group the first one?
///
/// The compiler does not know the answer from an earlier one. If it did, it might write what is
/// between two questions twice, once for the first thread and once for the others: these would come
/// to two barriers, and wait forever.
#[inline]
#[must_use]
pub fn elect_one(thread: usize) -> bool {
    #[cfg(target_arch = "nvptx64")]
    {
        let first: u32;
        // SAFETY: reads and writes registers.
        unsafe {
            core::arch::asm!("{{ .reg .pred first; setp.eq.u32 first, {thread}, 0; selp.u32 {first}, 1, 0, first; }}",
                thread = in(reg32) thread as u32, first = lateout(reg32) first,
                options(nomem, nostack));
        }
        first != 0
    }
    #[cfg(not(target_arch = "nvptx64"))]
    return thread == 0;
}

/// What this thread wrote to shared memory is seen by copies and products that run beside the
/// threads: `fence.proxy.async`.
#[inline]
pub fn fence_async() {
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: waits.
    unsafe {
        core::arch::asm!("fence.proxy.async.shared::cta;", options(nostack));
    }
}

const fn assert_register_count(registers: u32) {
    assert!(
        registers % 8 == 0 && registers >= 24 && registers <= 256,
        "`setmaxnreg` takes multiples of 8 from 24 to 256"
    );
}

/// This warpgroup has up to `COUNT` registers a thread from here on, out of what others gave back:
/// `setmaxnreg.inc`.
///
/// # Safety
/// All threads of the warpgroup come here, of a kernel that says
/// [`cluster_size!`](crate::cluster_size).
#[inline]
pub unsafe fn setmaxnreg_inc<const COUNT: u32>() {
    const { assert_register_count(COUNT) };
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: waits until there are so many; the rest is the caller's promise.
    unsafe {
        core::arch::asm!("setmaxnreg.inc.sync.aligned.u32 {};", const COUNT, options(nostack));
    }
}
/// This warpgroup gives back what it has above `COUNT` registers a thread: `setmaxnreg.dec`.
///
/// # Safety
/// That of [`setmaxnreg_inc`].
#[inline]
pub unsafe fn setmaxnreg_dec<const COUNT: u32>() {
    const { assert_register_count(COUNT) };
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: the compiler of PTX keeps to it; the rest is the caller's promise.
    unsafe {
        core::arch::asm!("setmaxnreg.dec.sync.aligned.u32 {};", const COUNT, options(nostack));
    }
}

/// Says in a kernel's body how many blocks a cluster has; and that one block runs on a
/// multiprocessor at a time, which lets [`setmaxnreg_inc`] and [`setmaxnreg_dec`] count.
/// `crates/layout-nvidia/build` writes both into the kernel's head.
#[macro_export]
macro_rules! cluster_size {
    ($blocks:expr) => {
        // SAFETY: a comment.
        #[cfg(target_arch = "nvptx64")]
        unsafe {
            ::core::arch::asm!("// head .minnctapersm 1", options(nomem, nostack, preserves_flags));
            if const { $blocks > 1 } {
                ::core::arch::asm!("// head .explicitcluster .reqnctapercluster {}, 1, 1",
                    const $blocks,
                    options(nomem, nostack, preserves_flags));
            }
        }
    };
}
