//! The products of a warpgroup: 64 rows of A, all of B, accumulators in fp32. CuTe's
//! `mma_sm90_gmma.hpp`.
//!
//! An instruction takes 256 bits of each row: 16 halves, or 32 floats of 8 bits. With floats of 8
//! bits both operands have K contiguous, and the device keeps only about 14 bits of the
//! accumulators: a kernel with a long K adds them elsewhere in between.
//!
//! Both operands are in shared memory: CuTe's `SS`. On the device [`gemm`] reads descriptors off
//! the partitions and issues the instructions; on the CPU it computes what their layouts say.

#[cfg(not(target_arch = "nvptx64"))]
use generic_array::{GenericArray, sequence::GenericSequence};
use half::{bf16, f16};
use layout_algebra::StaticLayout;
use layout_algebra::atom::{MmaAtom, TiledMma, TiledOperands, Values};
use layout_algebra::prelude::*;
use layout_algebra::tensor::space::Shared;
use layout_algebra::tensor::{Addressable, Storage, StorageMut};

use crate::element::{E4m3, E5m2};
use crate::hopper::{Form, HasDescriptor, out_of_bounds};

/// An atom of `wgmma` with both operands in shared memory.
///
/// `N` and `K` are those of the instruction that `mma_async` issues, which adds to `N / 2` values
/// of `c` and reads 64 by `K` elements of A and `N` by `K` of B; the layouts of the atom are the
/// instruction's.
pub unsafe trait Wgmma: MmaAtom<C = f32> {
    /// Issues the instruction: adds the product of the described operands to the values of `c` from
    /// number `first` on, or replaces them if they are not to be kept.
    ///
    /// # Safety
    /// All threads of the warpgroup call this, and the descriptors are those of operands that have
    /// been written.
    #[doc(hidden)]
    unsafe fn mma_async<
        LA: HasDescriptor,
        LB: HasDescriptor,
        S: StorageMut<Item = f32>,
        L: Addressable,
    >(
        c: &mut Tensor<S, L>,
        first: usize,
        a: u64,
        b: u64,
        keep: bool,
    );
    /// Waits until all products but the last `LEFT` groups have completed, whose accumulators are
    /// the values of `c` from `first` on.
    ///
    /// # Safety
    /// All threads of the warpgroup call this.
    #[doc(hidden)]
    unsafe fn wait_accumulators<const LEFT: u32, S: StorageMut<Item = f32>, L: Addressable>(
        c: &mut Tensor<S, L>,
        first: usize,
    );
    /// The rows of B.
    const N: usize;
    /// The columns of A and B: 256 bits of a row.
    const K: usize;
}

/// The form of operand A, or B if `B`, of an atom.
pub(super) const fn operand_form<A: Wgmma, T, L: HasDescriptor, const B: bool>() -> Form {
    match Form::of_operand::<T, L>(if B { A::N } else { 64 }, A::K) {
        Ok(form) => form,
        Err(because) => panic!("{}", because.describe_reason()),
    }
}
/// The numbers of atoms along M, N and K, from (V,M,K), (V,N,K) and (V,M,N).
const fn count_atoms<A: Wgmma, LA: HasDescriptor, LB: HasDescriptor, LC: StaticLayout>()
-> (usize, usize, usize) {
    split_atoms(LA::INNER.values(), LB::INNER.values(), LC::SIZE / (A::N / 2))
}
/// The same from the numbers of atoms of A, B and the accumulators.
pub(super) const fn split_atoms(mk: usize, nk: usize, mn: usize) -> (usize, usize, usize) {
    let mut m = 1;
    while m * m * nk < mk * mn {
        m += 1;
    }
    assert!(
        m * m * nk == mk * mn && mn % m == 0 && mk % m == 0,
        "the tiles of A, B and the sums are not those of a product"
    );
    let (n, k) = (mn / m, mk / m);
    assert!(
        m <= 4 && n <= 4 && k <= 8,
        "`gemm` takes up to 4 x 4 atoms and 8 along K at once: cut the tiles"
    );
    (m, n, k)
}

/// The descriptor of part `part` of a partition for operand A, or B if `B`.
#[cfg(target_arch = "nvptx64")]
#[inline(always)]
pub(super) fn operand_descriptor<A: Wgmma, S: Storage, L: HasDescriptor, const B: bool>(
    tensor: &Tensor<S, L>,
    part: usize,
) -> u64 {
    let form = const { operand_form::<A, S::Item, L, B>() };
    // The first part's descriptor plus the distance to this part, which is known at compile time.
    let (Some(first), Some(here)) =
        (tensor.address(0), tensor.address(part * if B { A::N } else { 64 } * A::K))
    else {
        out_of_bounds()
    };
    let (first, here) = (first.addr() as u32, here.addr() as u32);
    form.encode_descriptor(first) + (here.wrapping_sub(first) >> 4) as u64
}

/// One value of the accumulators as a register.
#[cfg(target_arch = "nvptx64")]
#[inline(always)]
pub(super) fn read_register<S: Storage<Item = f32>, L: Addressable>(
    c: &Tensor<S, L>,
    i: usize,
) -> f32 {
    match c.value(i) {
        Some(value) => *value,
        None => out_of_bounds(),
    }
}
#[cfg(target_arch = "nvptx64")]
#[inline(always)]
pub(super) fn write_register<S: StorageMut<Item = f32>, L: Addressable>(
    c: &mut Tensor<S, L>,
    i: usize,
    to: f32,
) {
    match c.value_mut(i) {
        Some(value) => *value = to,
        None => out_of_bounds(),
    }
}

/// The last operands of an instruction: only 16-bit operands may have M or N contiguous, and have
/// bits for it. For other operands `Form` requires K.
#[cfg(target_arch = "nvptx64")]
macro_rules! majors {
    (16) => {
        ", {x}, {y}; }}"
    };
    (32) => {
        "; }} // {x}, {y}"
    };
}
/// The thread-value layouts are PTX's: an operand is the whole tile for each of 128 threads, and
/// accumulators are `((4, 8, 4), (2, 2, N / 8))`. No operation gives them: other layouts are
/// computed from them.
///
/// Rows: N, N / 8, the values of a thread except the first, and the instructions of that shape: K,
/// elements of A and B.
macro_rules! wgmma {
    ($($n:literal $n8:literal $i:tt { $($row:tt)* })*) => { $(
        wgmma! { @ $n $n8 $i $($row)* }
    )* };
    (@ $n:literal $n8:literal $i:tt $name:ident: $k:tt $a:ident $b:ident, $text:literal;
        $($row:tt)*) => {
        wgmma! { = $name $k $a $b $text, $n $n8 $i }
        wgmma! { @ $n $n8 $i $($row)* }
    };
    (@ $n:literal $n8:literal $i:tt) => {};
    (= $name:ident $k:tt $a:ident $b:ident $text:literal, $n:literal $n8:literal [$($i:literal)*])
        => {
        #[doc = concat!("`wgmma.mma_async.sync.aligned.", $text, "`: 64 x ", $n, " x ", $k,
            ", out of shared memory.")]
        #[allow(non_camel_case_types, reason = "CuTe's name")]
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $name;
        impl MmaAtom for $name {
            type ShapeMnk = Shape!((64, $n, $k));
            type ThrId = Layout!(128:1);
            // PTX gives the layouts of A, B and C, and no operation of the algebra does.
            type ALayout = Layout!((128, (64, $k)):(0, (1, 64)));
            type BLayout = Layout!((128, ($n, $k)):(0, (1, $n)));
            type CLayout = Layout!(((4, 8, 4), (2, 2, $n8)):((128, 1, 16), (64, 8, 512)));
            type A = $a;
            type B = $b;
            type C = f32;
            #[inline]
            fn fma(
                &self,
                a: &Values<$a, <Self as MmaAtom>::ALayout>,
                b: &Values<$b, <Self as MmaAtom>::BLayout>,
                c: Values<f32, <Self as MmaAtom>::CLayout>,
            ) -> Values<f32, <Self as MmaAtom>::CLayout> {
                #[cfg(target_arch = "nvptx64")]
                {
                    let _ = (a, b, c);
                    // Undefined: a program that calls this does not link.
                    unsafe extern "C" {
                        fn wgmma_takes_descriptors_use_InFlight_gemm() -> !;
                    }
                    // SAFETY: never called.
                    unsafe { wgmma_takes_descriptors_use_InFlight_gemm() }
                }
                #[cfg(not(target_arch = "nvptx64"))]
                return layout_instructions::host::multiply_values::<Self>(a, b, c);
            }
        }
        #[cfg(not(target_arch = "nvptx64"))]
        layout_instructions::impl_instruction! {
            $name concat!("wgmma.mma_async.sync.aligned.", $text); 64 x $n x $k,
            <$name as MmaAtom>::ShapeMnk, <$name as MmaAtom>::ThrId, <$name as MmaAtom>::ALayout,
            <$name as MmaAtom>::BLayout, <$name as MmaAtom>::CLayout;
            f32: $a, $b; Rounded
        }
        #[cfg(not(target_arch = "nvptx64"))]
        impl crate::Atom for $name {}
        // SAFETY: N and K of the row are written into the instruction and into its layouts.
        unsafe impl Wgmma for $name {
            const N: usize = $n;
            const K: usize = $k;
            #[inline(always)]
            unsafe fn mma_async<LA: HasDescriptor, LB: HasDescriptor, S: StorageMut<Item = f32>,
                L: Addressable>(
                c: &mut Tensor<S, L>,
                first: usize,
                a: u64,
                b: u64,
                keep: bool,
            ) {
                #[cfg(target_arch = "nvptx64")]
                {
                    let mut d = [read_register(c, first), $(read_register(c, first + $i)),*];
                    // SAFETY: the instruction reads the described operands and writes registers,
                    // which are not read before `wait_accumulators`; the rest is the caller's
                    // promise.
                    unsafe {
                        core::arch::asm!(
                            "{{ .reg .pred keep; setp.ne.b32 keep, {keep}, 0;",
                            concat!("wgmma.mma_async.sync.aligned.", $text, " {{{0}",
                                $(", {", $i, "}",)*
                                "}}, {a}, {b}, keep, 1, 1", majors!($k)),
                            inout(reg32) d[0], $(inout(reg32) d[$i],)*
                            keep = in(reg32) u32::from(keep), a = in(reg64) a, b = in(reg64) b,
                            x = const operand_form::<Self, $a, LA, false>().major as u32,
                            y = const operand_form::<Self, $b, LB, true>().major as u32,
                            options(nostack)
                        );
                    }
                    write_register(c, first, d[0]);
                    $(write_register(c, first + $i, d[$i]);)*
                }
                #[cfg(not(target_arch = "nvptx64"))]
                let _ = (c, first, a, b, keep);
            }
            #[inline(always)]
            unsafe fn wait_accumulators<const LEFT: u32, S: StorageMut<Item = f32>, L: Addressable>(
                c: &mut Tensor<S, L>,
                first: usize,
            ) {
                #[cfg(target_arch = "nvptx64")]
                {
                    let mut d = [read_register(c, first), $(read_register(c, first + $i)),*];
                    // SAFETY: waits. The registers are operands, so that all reads of them come
                    // after it.
                    unsafe {
                        core::arch::asm!(
                            concat!("wgmma.wait_group.sync.aligned {left}; // {0}",
                                $(" {", $i, "}",)*),
                            inout(reg32) d[0], $(inout(reg32) d[$i],)* left = const LEFT,
                            options(nostack)
                        );
                    }
                    write_register(c, first, d[0]);
                    $(write_register(c, first + $i, d[$i]);)*
                }
                #[cfg(not(target_arch = "nvptx64"))]
                let _ = (c, first);
            }
        }
    };
}
wgmma! {
    8 1 [
            1 2 3
    ] {
        SM90_64x8x16_F32F16F16_SS: 16 f16 f16, "m64n8k16.f32.f16.f16";
        SM90_64x8x16_F32BF16BF16_SS: 16 bf16 bf16, "m64n8k16.f32.bf16.bf16";
        SM90_64x8x32_F32E4M3E4M3_SS_TN: 32 E4m3 E4m3, "m64n8k32.f32.e4m3.e4m3";
        SM90_64x8x32_F32E4M3E5M2_SS_TN: 32 E4m3 E5m2, "m64n8k32.f32.e4m3.e5m2";
        SM90_64x8x32_F32E5M2E4M3_SS_TN: 32 E5m2 E4m3, "m64n8k32.f32.e5m2.e4m3";
        SM90_64x8x32_F32E5M2E5M2_SS_TN: 32 E5m2 E5m2, "m64n8k32.f32.e5m2.e5m2";
    }
    16 2 [
            1 2 3 4 5 6 7
    ] {
        SM90_64x16x16_F32F16F16_SS: 16 f16 f16, "m64n16k16.f32.f16.f16";
        SM90_64x16x16_F32BF16BF16_SS: 16 bf16 bf16, "m64n16k16.f32.bf16.bf16";
        SM90_64x16x32_F32E4M3E4M3_SS_TN: 32 E4m3 E4m3, "m64n16k32.f32.e4m3.e4m3";
        SM90_64x16x32_F32E4M3E5M2_SS_TN: 32 E4m3 E5m2, "m64n16k32.f32.e4m3.e5m2";
        SM90_64x16x32_F32E5M2E4M3_SS_TN: 32 E5m2 E4m3, "m64n16k32.f32.e5m2.e4m3";
        SM90_64x16x32_F32E5M2E5M2_SS_TN: 32 E5m2 E5m2, "m64n16k32.f32.e5m2.e5m2";
    }
    32 4 [
            1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
    ] {
        SM90_64x32x16_F32F16F16_SS: 16 f16 f16, "m64n32k16.f32.f16.f16";
        SM90_64x32x16_F32BF16BF16_SS: 16 bf16 bf16, "m64n32k16.f32.bf16.bf16";
        SM90_64x32x32_F32E4M3E4M3_SS_TN: 32 E4m3 E4m3, "m64n32k32.f32.e4m3.e4m3";
        SM90_64x32x32_F32E4M3E5M2_SS_TN: 32 E4m3 E5m2, "m64n32k32.f32.e4m3.e5m2";
        SM90_64x32x32_F32E5M2E4M3_SS_TN: 32 E5m2 E4m3, "m64n32k32.f32.e5m2.e4m3";
        SM90_64x32x32_F32E5M2E5M2_SS_TN: 32 E5m2 E5m2, "m64n32k32.f32.e5m2.e5m2";
    }
    64 8 [
            1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
    ] {
        SM90_64x64x16_F32F16F16_SS: 16 f16 f16, "m64n64k16.f32.f16.f16";
        SM90_64x64x16_F32BF16BF16_SS: 16 bf16 bf16, "m64n64k16.f32.bf16.bf16";
        SM90_64x64x32_F32E4M3E4M3_SS_TN: 32 E4m3 E4m3, "m64n64k32.f32.e4m3.e4m3";
        SM90_64x64x32_F32E4M3E5M2_SS_TN: 32 E4m3 E5m2, "m64n64k32.f32.e4m3.e5m2";
        SM90_64x64x32_F32E5M2E4M3_SS_TN: 32 E5m2 E4m3, "m64n64k32.f32.e5m2.e4m3";
        SM90_64x64x32_F32E5M2E5M2_SS_TN: 32 E5m2 E5m2, "m64n64k32.f32.e5m2.e5m2";
    }
    96 12 [
            1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32
            33 34 35 36 37 38 39 40 41 42 43 44 45 46 47
    ] {
        SM90_64x96x16_F32F16F16_SS: 16 f16 f16, "m64n96k16.f32.f16.f16";
        SM90_64x96x16_F32BF16BF16_SS: 16 bf16 bf16, "m64n96k16.f32.bf16.bf16";
        SM90_64x96x32_F32E4M3E4M3_SS_TN: 32 E4m3 E4m3, "m64n96k32.f32.e4m3.e4m3";
        SM90_64x96x32_F32E4M3E5M2_SS_TN: 32 E4m3 E5m2, "m64n96k32.f32.e4m3.e5m2";
        SM90_64x96x32_F32E5M2E4M3_SS_TN: 32 E5m2 E4m3, "m64n96k32.f32.e5m2.e4m3";
        SM90_64x96x32_F32E5M2E5M2_SS_TN: 32 E5m2 E5m2, "m64n96k32.f32.e5m2.e5m2";
    }
    128 16 [
            1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32
            33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61
            62 63
    ] {
        SM90_64x128x16_F32F16F16_SS: 16 f16 f16, "m64n128k16.f32.f16.f16";
        SM90_64x128x16_F32BF16BF16_SS: 16 bf16 bf16, "m64n128k16.f32.bf16.bf16";
        SM90_64x128x32_F32E4M3E4M3_SS_TN: 32 E4m3 E4m3, "m64n128k32.f32.e4m3.e4m3";
        SM90_64x128x32_F32E4M3E5M2_SS_TN: 32 E4m3 E5m2, "m64n128k32.f32.e4m3.e5m2";
        SM90_64x128x32_F32E5M2E4M3_SS_TN: 32 E5m2 E4m3, "m64n128k32.f32.e5m2.e4m3";
        SM90_64x128x32_F32E5M2E5M2_SS_TN: 32 E5m2 E5m2, "m64n128k32.f32.e5m2.e5m2";
    }
    192 24 [
            1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32
            33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61
            62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 88 89 90
            91 92 93 94 95
    ] {
        SM90_64x192x16_F32F16F16_SS: 16 f16 f16, "m64n192k16.f32.f16.f16";
        SM90_64x192x16_F32BF16BF16_SS: 16 bf16 bf16, "m64n192k16.f32.bf16.bf16";
        SM90_64x192x32_F32E4M3E4M3_SS_TN: 32 E4m3 E4m3, "m64n192k32.f32.e4m3.e4m3";
        SM90_64x192x32_F32E4M3E5M2_SS_TN: 32 E4m3 E5m2, "m64n192k32.f32.e4m3.e5m2";
        SM90_64x192x32_F32E5M2E4M3_SS_TN: 32 E5m2 E4m3, "m64n192k32.f32.e5m2.e4m3";
        SM90_64x192x32_F32E5M2E5M2_SS_TN: 32 E5m2 E5m2, "m64n192k32.f32.e5m2.e5m2";
    }
    256 32 [
            1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32
            33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61
            62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 88 89 90
            91 92 93 94 95 96 97 98 99 100 101 102 103 104 105 106 107 108 109 110 111 112 113 114
            115 116 117 118 119 120 121 122 123 124 125 126 127
    ] {
        SM90_64x256x16_F32F16F16_SS: 16 f16 f16, "m64n256k16.f32.f16.f16";
        SM90_64x256x16_F32BF16BF16_SS: 16 bf16 bf16, "m64n256k16.f32.bf16.bf16";
        SM90_64x256x32_F32E4M3E4M3_SS_TN: 32 E4m3 E4m3, "m64n256k32.f32.e4m3.e4m3";
        SM90_64x256x32_F32E4M3E5M2_SS_TN: 32 E4m3 E5m2, "m64n256k32.f32.e4m3.e5m2";
        SM90_64x256x32_F32E5M2E4M3_SS_TN: 32 E5m2 E4m3, "m64n256k32.f32.e5m2.e4m3";
        SM90_64x256x32_F32E5M2E5M2_SS_TN: 32 E5m2 E5m2, "m64n256k32.f32.e5m2.e5m2";
    }
}

/// Accumulators of asynchronous products: they cannot be read before
/// [`into_accumulators`](InFlight::into_accumulators).
#[derive(Debug)]
#[must_use = "the sums are there when the products are over: `finish`"]
pub struct InFlight<C>(pub(super) C);

impl<S: StorageMut<Item = f32>, L: Addressable + StaticLayout> InFlight<Tensor<S, L>> {
    /// The accumulators, before products are added: `wgmma.fence`.
    #[inline(always)]
    pub fn from_accumulators(sums: Tensor<S, L>) -> Self {
        InFlight(sums)
    }
    /// Adds the product of tiles of A and B, partitions of shared memory `(V, M, K)` and `(V, N,
    /// K)`; if the accumulators are not kept, the product replaces them. CuTe's `gemm`, between
    /// `warpgroup_arrive` and `warpgroup_commit_batch`.
    ///
    /// A tile without a descriptor does not compile:
    ///
    /// ```compile_fail,E0080
    /// use half::f16;
    /// use layout_algebra::atom::make_tiled_mma;
    /// use layout_algebra::prelude::*;
    /// use layout_algebra::tensor::space::Shared;
    /// use layout_nvidia::hopper::{InFlight, SM90_64x8x16_F32F16F16_SS};
    /// let mma = make_tiled_mma(SM90_64x8x16_F32F16F16_SS, layout!((1, 1, 1)), tiler!(_, _, _));
    /// let (x, y) = (vec![f16::ZERO; 64 * 80], vec![f16::ZERO; 8 * 16]);
    /// let a = Tensor::new(x.as_slice(), layout!((64, 16):(80, 1)))?; // rows of 160 bytes
    /// let b = Tensor::new(y.as_slice(), layout!((8, (8, 2)):(8, (1, 64))))?;
    /// let (a, b) = (a.in_space::<Shared>(), b.in_space::<Shared>());
    /// let share = mma.get_slice(0).unwrap();
    /// let mut sums = InFlight::from_accumulators(Fragment::<f32, Layout!((4, 1, 1))>::zeroed());
    /// // no descriptor: the rows of the operand (mode 0 of the tile) are not 16 bytes apart within 8 of them
    /// unsafe { sums.gemm(&mma, &share.partition_a(&a)?, &share.partition_b(&b)?, false) };
    /// # Ok::<(), LayoutError>(())
    /// ```
    ///
    /// # Safety
    /// All threads of the warpgroup call this; the tiles have been written, and are not overwritten
    /// until the products complete.
    #[inline(always)]
    pub unsafe fn gemm<A, H, P, SA, LA, SB, LB>(
        &mut self,
        mma: &TiledMma<A, H, P>,
        a: &Tensor<SA, LA>,
        b: &Tensor<SB, LB>,
        keep: bool,
    ) where
        TiledMma<A, H, P>: TiledOperands,
        A: Wgmma,
        SA: Storage<Item = A::A, Space = Shared>,
        SB: Storage<Item = A::B, Space = Shared>,
        LA: HasDescriptor,
        LB: HasDescriptor,
    {
        #[cfg(target_arch = "nvptx64")]
        // SAFETY: the caller's promise.
        unsafe {
            let _ = mma;
            core::arch::asm!("wgmma.fence.sync.aligned;", options(nostack));
            layout_algebra::for_static!(K in 0..8, {
                if const { K < count_atoms::<A, LA, LB, L>().2 } {
                    layout_algebra::for_static!(N in 0..4, {
                        if const { N < count_atoms::<A, LA, LB, L>().1 } {
                            layout_algebra::for_static!(M in 0..4, {
                                if const { M < count_atoms::<A, LA, LB, L>().0 } {
                                    let (rows, columns, _) =
                                        const { count_atoms::<A, LA, LB, L>() };
                                    let x = operand_descriptor::<A, SA, LA, false>(a, M + rows * K);
                                    let place = N + columns * K;
                                    let y = operand_descriptor::<A, SB, LB, true>(b, place);
                                    let first = A::N / 2 * (M + rows * N);
                                    A::mma_async::<LA, LB, S, L>(&mut self.0, first, x, y,
                                        keep || K > 0);
                                }
                            });
                        }
                    });
                }
            });
            core::arch::asm!("wgmma.commit_group.sync.aligned;", options(nostack));
        }
        #[cfg(not(target_arch = "nvptx64"))]
        {
            let (rows, columns, depth) = const { count_atoms::<A, LA, LB, L>() };
            const { (operand_form::<A, A::A, LA, false>(), operand_form::<A, A::B, LB, true>()) };
            let value = |i: Option<&_>| -> A::A { *i.unwrap_or_else(|| out_of_bounds()) };
            let other = |i: Option<&_>| -> A::B { *i.unwrap_or_else(|| out_of_bounds()) };
            for (k, n, m) in (0..depth)
                .flat_map(|k| (0..columns).flat_map(move |n| (0..rows).map(move |m| (k, n, m))))
            {
                let x = GenericArray::generate(|v| value(a.value(v + 64 * A::K * (m + rows * k))));
                let y =
                    GenericArray::generate(|v| other(b.value(v + A::N * A::K * (n + columns * k))));
                let first = A::N / 2 * (m + rows * n);
                let sum = |v: usize| *self.0.value(first + v).unwrap_or_else(|| out_of_bounds());
                let sums = GenericArray::generate(|v| if keep || k > 0 { sum(v) } else { 0.0 });
                for (v, sum) in mma.atom().fma(&x, &y, sums).into_iter().enumerate() {
                    *self.0.value_mut(first + v).unwrap_or_else(|| out_of_bounds()) = sum;
                }
            }
        }
    }
    /// Waits until all products but those of the last `LEFT` calls have completed.
    ///
    /// ```compile_fail,E0133
    /// use layout_algebra::prelude::*;
    /// use layout_nvidia::hopper::{InFlight, SM90_64x8x16_F32F16F16_SS};
    /// let mut sums = InFlight::from_accumulators(Fragment::<f32, Layout!((4, 1, 1))>::zeroed());
    /// sums.warpgroup_wait::<0, SM90_64x8x16_F32F16F16_SS>(); // one thread alone would wait for ever: a promise is asked for
    /// ```
    ///
    /// # Safety
    /// All threads of the warpgroup call this.
    #[inline(always)]
    pub unsafe fn warpgroup_wait<const LEFT: u32, A: Wgmma>(&mut self) {
        layout_algebra::for_static!(I in 0..16, {
            if const { I * A::N / 2 < L::SIZE } {
                // SAFETY: the caller's promise.
                unsafe { A::wait_accumulators::<LEFT, S, L>(&mut self.0, I * A::N / 2) };
            }
        });
    }
    /// Waits until all products have completed.
    ///
    /// # Safety
    /// All threads of the warpgroup call this.
    #[inline(always)]
    pub unsafe fn into_accumulators<A: Wgmma>(mut self) -> Tensor<S, L> {
        // SAFETY: the caller's promise.
        unsafe { self.warpgroup_wait::<0, A>() };
        self.0
    }
}
