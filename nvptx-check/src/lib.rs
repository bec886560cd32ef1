//! The partition code of a tiled product as kernels: what `check` looks at.
#![no_std]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx, stdarch_nvptx, asm_experimental_arch))]

use core::hint::assert_unchecked;

use layout_algebra::atom::{
    MmaAtom, UniversalCopy, Values, copy, gemm, make_tiled_copy, make_tiled_copy_c, make_tiled_mma,
};
use layout_algebra::prelude::*;
use layout_algebra::tensor::Fragment;

/// What a GPU knows: the number of the thread in its block, that of its block, and the barrier of the block.
#[cfg(target_arch = "nvptx64")]
mod block {
    pub fn thread() -> usize {
        // SAFETY: reads a register.
        unsafe { core::arch::nvptx::_thread_idx_x() as usize }
    }
    pub fn place() -> (usize, usize) {
        // SAFETY: reads registers.
        unsafe { (core::arch::nvptx::_block_idx_x() as usize, core::arch::nvptx::_block_idx_y() as usize) }
    }
    pub fn barrier() {
        // SAFETY: every thread of the block comes here equally often.
        unsafe { core::arch::nvptx::_syncthreads() }
    }
    #[panic_handler]
    fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
        // Linked, this symbol would be the proof that a panic can be reached.
        unsafe extern "C" {
            fn a_panic_can_be_reached() -> !;
        }
        // SAFETY: not defined, and not called if the check holds.
        unsafe { a_panic_can_be_reached() }
    }
}
#[cfg(not(target_arch = "nvptx64"))]
mod block {
    pub fn thread() -> usize {
        0
    }
    pub fn place() -> (usize, usize) {
        (0, 0)
    }
    pub fn barrier() {}
    #[panic_handler]
    fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
        loop {}
    }
}

/// The instruction `fma.rn.f32`, which `a * b + c` is not: two roundings are not one.
#[derive(Clone, Copy, Debug, Default)]
struct Fma;
/// One thread with one value.
type Single = Layout!((1, 1):(0, 0));
impl MmaAtom for Fma {
    type ShapeMnk = (Int<1>, Int<1>, Int<1>);
    type ThrId = Layout!(1:0);
    type ALayout = Single;
    type BLayout = Single;
    type CLayout = Single;
    type A = f32;
    type B = f32;
    type C = f32;
    #[inline(always)]
    fn fma(&self, a: &Values<f32, Single>, b: &Values<f32, Single>, c: Values<f32, Single>) -> Values<f32, Single> {
        let ([a], [b], [c]) = (a.as_ref(), b.as_ref(), c.as_ref());
        [fused(*a, *b, *c)].into()
    }
}
#[cfg(target_arch = "nvptx64")]
#[inline(always)]
fn fused(a: f32, b: f32, c: f32) -> f32 {
    let d;
    // SAFETY: reads and writes registers.
    unsafe {
        core::arch::asm!("fma.rn.f32 {d}, {a}, {b}, {c};", d = lateout(reg32) d, a = in(reg32) a, b = in(reg32) b, c = in(reg32) c,
            options(pure, nomem, nostack));
    }
    d
}
#[cfg(not(target_arch = "nvptx64"))]
#[inline(always)]
fn fused(a: f32, b: f32, c: f32) -> f32 {
    a * b + c
}

macro_rules! kernels {
    ($($(#[$doc:meta])* fn $name:ident($($argument:ident: $type:ty),* $(,)?) $body:block)*) => {
        $(
            $(#[$doc])*
            #[cfg(target_arch = "nvptx64")]
            #[unsafe(no_mangle)]
            pub unsafe extern "ptx-kernel" fn $name($($argument: $type),*) $body
            $(#[$doc])*
            #[cfg(not(target_arch = "nvptx64"))]
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name($($argument: $type),*) $body
        )*
    };
}

/// C = A * B, K-major A and N-major B, whole tiles of 128 x 128 x 8, 256 threads a block: CuTe's `sgemm_2`. `shared`
/// leads to memory of the block for two tiles of 128 x 8; `steps` counts `0 .. k / 8`.
///
/// # Safety
/// The matrices are there, M and N are multiples of 128, K is one of 8, and 16 divides the addresses.
#[inline(always)]
unsafe fn product(
    [m, n, k]: [usize; 3],
    steps: impl Iterator<Item = usize>,
    a: *const f32,
    b: *const f32,
    c: *mut f32,
    shared: *mut f32,
) {
    // SAFETY: the caller's promises; each thread writes what is its own, between barriers.
    unsafe {
        assert_unchecked(b.addr() % 16 == 0 && shared.addr() % 16 == 0);
        let (Ok(m), Ok(n), Ok(k)) =
            (Multiple::<Int<128>>::new(m), Multiple::<Int<128>>::new(n), Multiple::<Int<8>>::new(k))
        else {
            return;
        };
        let a = Tensor::from_raw_ref(a, layout!((m, k):(k, 1)));
        let b = Tensor::from_raw_ref(b, layout!((n, k):(1, n)));
        let mut c = Tensor::from_raw(c, layout!((m, n):(n, 1)));
        let mut shared_a = Tensor::from_raw(shared, layout!((128, 8)));
        let mut shared_b = Tensor::from_raw(shared.add(1024), layout!((128, 8)));

        let Ok(copy_a) = make_tiled_copy(UniversalCopy::<f32>::new(), layout!((32, 8): right), layout!((4, 1))) else {
            return;
        };
        let Ok(copy_b) = make_tiled_copy(UniversalCopy::<f32, Int<4>>::new(), layout!((32, 8)), layout!((4, 1))) else {
            return;
        };
        let mma = make_tiled_mma(Fma, layout!((16, 16, 1)), tiler!((16, 4):(4, 1), (16, 4):(4, 1), _));
        let (Some(thread_a), Some(thread_b), Some(thread)) =
            (copy_a.get_slice(block::thread()), copy_b.get_slice(block::thread()), mma.get_slice(block::thread()))
        else {
            return;
        };
        let (bm, bn) = block::place();

        let mut sum: Fragment<f32, Layout!((1, (4, 2), (4, 2)))> = Fragment::zeroed();
        for step in steps {
            let tile_a = a.local_tile_unchecked(tiler!(128, 8), (bm, step));
            let tile_b = b.local_tile_unchecked(tiler!(128, 8), (bn, step));
            let (from_a, from_b) = (thread_a.partition_s_unchecked(&tile_a), thread_b.partition_s_unchecked(&tile_b));
            if copy(&copy_a, &from_a, &mut thread_a.partition_d_unchecked_mut(&mut shared_a)).is_err()
                || copy(&copy_b, &from_b, &mut thread_b.partition_d_unchecked_mut(&mut shared_b)).is_err()
            {
                return;
            }
            block::barrier();
            let (a, b) = (thread.partition_a_unchecked(&shared_a), thread.partition_b_unchecked(&shared_b));
            gemm(&mma, &a, &b, &mut sum);
            block::barrier();
        }
        let mut tile_c = c.local_tile_unchecked_mut(tiler!(128, 128), (bm, bn));
        // From the registers of the product, in the order of a copy of C, to memory.
        let Ok(copy_c) = make_tiled_copy_c(UniversalCopy::<f32>::new(), &mma) else { return };
        let Some(thread_c) = copy_c.get_slice(block::thread()) else { return };
        let Ok(from) = thread_c.retile_s(&sum, thread.share_c()) else { return };
        let _ = copy(&copy_c, &from, &mut thread_c.partition_d_unchecked_mut(&mut tile_c));
    }
}

kernels! {
    /// [`product`] of sizes below 2^32. What is 32 bits wide here stays so: of a product of such numbers the GPU's
    /// assembler makes one instruction.
    ///
    /// # Safety
    /// As [`product`].
    fn sgemm_2(m: u32, n: u32, k: u32, a: *const f32, b: *const f32, c: *mut f32, shared: *mut f32) {
        // SAFETY: the caller's promises.
        unsafe { product([m, n, k].map(|size| size as usize), (0..k / 8).map(|step| step as usize), a, b, c, shared) }
    }

    /// [`product`] of any sizes.
    ///
    /// # Safety
    /// As [`product`].
    fn sgemm_2_wide(m: usize, n: usize, k: usize, a: *const f32, b: *const f32, c: *mut f32, shared: *mut f32) {
        // SAFETY: the caller's promises.
        unsafe { product([m, n, k], 0..k / 8, a, b, c, shared) }
    }
}
