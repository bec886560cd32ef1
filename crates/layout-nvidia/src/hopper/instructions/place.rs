//! Clusters of blocks, which can access each other's shared memory, and barriers for a part of a
//! block.

/// The `SIZE` consecutive blocks of a cluster.
///
/// A kernel with clusters declares them in its body by [`cluster_size!`](crate::cluster_size), and
/// its grid is a multiple of the size.
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
    /// The rank of this block in its cluster.
    #[inline]
    #[must_use]
    pub fn block_rank(self) -> u32 {
        self.rank
    }
    /// All blocks of the cluster, a bit each: the operand of a multicast copy.
    #[inline]
    #[must_use]
    pub fn multicast_mask(self) -> u16 {
        ((1_u32 << SIZE) - 1) as u16
    }
    /// Four floats in the shared memory of another block of the cluster, at the offset that `at`
    /// has in this block: `ld.shared::cluster`.
    ///
    /// # Safety
    /// The block exists, and has not ended; `at` is a multiple of 16 bytes. A [`cluster_sync`]
    /// separates the read from writes before and after it.
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

/// Waits for all threads of the cluster, and for their writes: `barrier.cluster`. For a cluster of
/// one block, `__syncthreads`.
///
/// # Safety
/// All threads of the cluster call this, equally often.
#[inline]
pub unsafe fn cluster_sync<const SIZE: u32>(_: Cluster<SIZE>) {
    // First the block's barrier: LLVM may duplicate an `asm!` into the branches that lead to it,
    // but it keeps this barrier, and the code after it, in one place. `.aligned` requires that a
    // warp arrives converged. SAFETY: the caller's promise.
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

/// Waits for `THREADS` threads of the block at the barrier with this number, 1 to 15:
/// `barrier.sync`. The first threads of a warp wait for the others: [`elect_one`] keeps a warp
/// converged.
///
/// # Safety
/// `THREADS` threads, whole warps, call this for the same barrier, equally often, and no others.
#[inline]
pub unsafe fn named_barrier_sync<const THREADS: u32>(number: u32) {
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: waits for threads that arrive. Not `bar.sync`, which is `.aligned`.
    unsafe {
        core::arch::asm!("barrier.sync {number}, {threads};", number = in(reg32) number,
            threads = const THREADS,
            options(nostack));
    }
    #[cfg(not(target_arch = "nvptx64"))]
    let _ = number;
}

/// Whether the thread with this index is the first of its group.
///
/// The compiler cannot derive the result from an earlier one. Otherwise it might duplicate the code
/// between two calls, once for the first thread and once for the others: these would reach
/// different copies of a barrier, and wait forever.
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

/// Makes this thread's writes to shared memory visible to asynchronous copies and products:
/// `fence.proxy.async`.
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

/// Raises the limit of this warpgroup to `COUNT` registers per thread, from registers that others
/// released: `setmaxnreg.inc`.
///
/// # Safety
/// All threads of the warpgroup call this, in a kernel with [`cluster_size!`](crate::cluster_size).
#[inline]
pub unsafe fn setmaxnreg_inc<const COUNT: u32>() {
    const { assert_register_count(COUNT) };
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: waits for the registers; the rest is the caller's promise.
    unsafe {
        core::arch::asm!("setmaxnreg.inc.sync.aligned.u32 {};", const COUNT, options(nostack));
    }
}
/// Releases the registers of this warpgroup above `COUNT` per thread: `setmaxnreg.dec`.
///
/// # Safety
/// Those of [`setmaxnreg_inc`].
#[inline]
pub unsafe fn setmaxnreg_dec<const COUNT: u32>() {
    const { assert_register_count(COUNT) };
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: ptxas respects the limit; the rest is the caller's promise.
    unsafe {
        core::arch::asm!("setmaxnreg.dec.sync.aligned.u32 {};", const COUNT, options(nostack));
    }
}

/// Declares the blocks of a cluster in a kernel's body; and one resident block on a multiprocessor,
/// which [`setmaxnreg_inc`] and [`setmaxnreg_dec`] require. `crates/layout-nvidia/build` writes
/// both into the kernel's head.
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
