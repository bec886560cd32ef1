//! The products of a warpgroup with A in registers: CuTe's `RS`. B is in shared memory,
//! accumulators are in fp32.
//!
//! ```text
//! sums of 64 x N    ((4,8,4),(2,2,N/8)):((128,1,16),(64,8,512))
//! A of 64 x 16      ((4,8,4),(2,2,2)):((128,1,16),(64,8,512))
//! ```
//!
//! So a thread's accumulators of 16 columns, narrowed, are its values of A at 16 steps along K: the
//! result of a product is an operand of the next one without a move.

#[cfg(not(target_arch = "nvptx64"))]
use generic_array::{GenericArray, sequence::GenericSequence};
use half::{bf16, f16};
use layout_algebra::StaticLayout;
use layout_algebra::atom::{MmaAtom, TiledMma, TiledOperands, Values};
use layout_algebra::prelude::*;
use layout_algebra::tensor::space::{Registers, Shared};
use layout_algebra::tensor::{Addressable, Storage, StorageMut};

#[cfg(target_arch = "nvptx64")]
use crate::hopper::instructions::wgmma::{operand_descriptor, read_register, write_register};
use crate::hopper::instructions::wgmma::{operand_form, split_atoms};
use crate::hopper::{HasDescriptor, InFlight, Wgmma, out_of_bounds};
use crate::hopper::{
    SM90_64x8x16_F32BF16BF16_SS, SM90_64x8x16_F32F16F16_SS, SM90_64x16x16_F32BF16BF16_SS,
    SM90_64x16x16_F32F16F16_SS, SM90_64x32x16_F32BF16BF16_SS, SM90_64x32x16_F32F16F16_SS,
    SM90_64x64x16_F32BF16BF16_SS, SM90_64x64x16_F32F16F16_SS, SM90_64x96x16_F32BF16BF16_SS,
    SM90_64x96x16_F32F16F16_SS, SM90_64x128x16_F32BF16BF16_SS, SM90_64x128x16_F32F16F16_SS,
    SM90_64x192x16_F32BF16BF16_SS, SM90_64x192x16_F32F16F16_SS, SM90_64x256x16_F32BF16BF16_SS,
    SM90_64x256x16_F32F16F16_SS,
};

/// An atom of `wgmma` with A in registers and B in shared memory.
///
/// # Safety
/// The instruction that `mma_async` issues has the N, the K and the layouts of B and of the
/// accumulators of `Shared`.
pub unsafe trait WgmmaRegisters: MmaAtom<C = f32> {
    /// The atom of this shape with both operands in shared memory: B and the accumulators are the
    /// same.
    type Shared: Wgmma<B = Self::B>;
    /// Issues the instruction: adds the product to the values of `c` from number `first` on, or
    /// replaces them if they are not to be kept. A is 8 values, two in a register.
    ///
    /// # Safety
    /// All threads of the warpgroup call this, and the descriptor is that of an operand that has
    /// been written.
    #[doc(hidden)]
    unsafe fn mma_async<LB: HasDescriptor, S: StorageMut<Item = f32>, L: Addressable>(
        c: &mut Tensor<S, L>,
        first: usize,
        a: [u32; 4],
        b: u64,
        keep: bool,
    );
}

/// The numbers of atoms along M, N and K, from (V,M,K), (V,N,K) and (V,M,N).
const fn count_atoms<A: WgmmaRegisters, LA: StaticLayout, LB: HasDescriptor, LC: StaticLayout>()
-> (usize, usize, usize) {
    split_atoms(LA::SIZE / 8, LB::INNER.values(), LC::SIZE / (A::Shared::N / 2))
}

/// The thread-value layouts are PTX's, as for operands in shared memory.
///
/// Rows: N, N / 8, the values of a thread except the first, and the instructions of that shape.
macro_rules! wgmma_registers {
    ($($n:literal $n8:literal $i:tt { $($row:tt)* })*) => { $(
        wgmma_registers! { @ $n $n8 $i $($row)* }
    )* };
    (@ $n:literal $n8:literal $i:tt $name:ident: $shared:ident $element:ident, $text:literal;
        $($row:tt)*) => {
        wgmma_registers! { = $name $shared $element $text, $n $n8 $i }
        wgmma_registers! { @ $n $n8 $i $($row)* }
    };
    (@ $n:literal $n8:literal $i:tt) => {};
    (= $name:ident $shared:ident $element:ident $text:literal,
        $n:literal $n8:literal [$($i:literal)*]) => {
        #[doc = concat!("`wgmma.mma_async.sync.aligned.", $text, "`: 64 x ", $n,
            " x 16, A in registers.")]
        #[allow(non_camel_case_types, reason = "CuTe's name")]
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $name;
        impl MmaAtom for $name {
            type ShapeMnk = Shape!((64, $n, 16));
            type ThrId = Layout!(128:1);
            // PTX gives the layouts of A, B and C, and no operation of the algebra does.
            type ALayout = Layout!(((4, 8, 4), (2, 2, 2)):((128, 1, 16), (64, 8, 512)));
            type BLayout = Layout!((128, ($n, 16)):(0, (1, $n)));
            type CLayout = Layout!(((4, 8, 4), (2, 2, $n8)):((128, 1, 16), (64, 8, 512)));
            type A = $element;
            type B = $element;
            type C = f32;
            #[inline]
            fn fma(
                &self,
                a: &Values<$element, <Self as MmaAtom>::ALayout>,
                b: &Values<$element, <Self as MmaAtom>::BLayout>,
                c: Values<f32, <Self as MmaAtom>::CLayout>,
            ) -> Values<f32, <Self as MmaAtom>::CLayout> {
                #[cfg(target_arch = "nvptx64")]
                {
                    let _ = (a, b, c);
                    // Undefined: a program that calls this does not link.
                    unsafe extern "C" {
                        fn wgmma_takes_a_descriptor_use_InFlight_gemm_registers() -> !;
                    }
                    // SAFETY: never called.
                    unsafe { wgmma_takes_a_descriptor_use_InFlight_gemm_registers() }
                }
                #[cfg(not(target_arch = "nvptx64"))]
                return layout_instructions::host::multiply_values::<Self>(a, b, c);
            }
        }
        #[cfg(not(target_arch = "nvptx64"))]
        layout_instructions::impl_instruction! {
            $name concat!("wgmma.mma_async.sync.aligned.", $text); 64 x $n x 16,
            <$name as MmaAtom>::ShapeMnk, <$name as MmaAtom>::ThrId, <$name as MmaAtom>::ALayout,
            <$name as MmaAtom>::BLayout, <$name as MmaAtom>::CLayout;
            f32: $element, $element; Rounded
        }
        #[cfg(not(target_arch = "nvptx64"))]
        impl crate::Atom for $name {}
        // SAFETY: the row names the atom of its shape.
        unsafe impl WgmmaRegisters for $name {
            type Shared = $shared;
            #[inline(always)]
            unsafe fn mma_async<LB: HasDescriptor, S: StorageMut<Item = f32>, L: Addressable>(
                c: &mut Tensor<S, L>,
                first: usize,
                a: [u32; 4],
                b: u64,
                keep: bool,
            ) {
                #[cfg(target_arch = "nvptx64")]
                {
                    let mut d = [read_register(c, first), $(read_register(c, first + $i)),*];
                    // SAFETY: the instruction reads registers and the described operand, and writes
                    // registers, which are not read before the products complete; the rest is the
                    // caller's promise.
                    unsafe {
                        core::arch::asm!(
                            "{{ .reg .pred keep; setp.ne.b32 keep, {keep}, 0;",
                            concat!("wgmma.mma_async.sync.aligned.", $text, " {{{0}",
                                $(", {", $i, "}",)*
                                "}}, {{{p}, {q}, {r}, {s}}}, {b}, keep, 1, 1, {y}; }}"),
                            inout(reg32) d[0], $(inout(reg32) d[$i],)*
                            keep = in(reg32) u32::from(keep), b = in(reg64) b,
                            p = in(reg32) a[0], q = in(reg32) a[1], r = in(reg32) a[2],
                            s = in(reg32) a[3],
                            y = const operand_form::<Self::Shared, $element, LB,
                                true>().major as u32,
                            options(nostack)
                        );
                    }
                    write_register(c, first, d[0]);
                    $(write_register(c, first + $i, d[$i]);)*
                }
                #[cfg(not(target_arch = "nvptx64"))]
                let _ = (c, first, a, b, keep);
            }
        }
    };
}
wgmma_registers! {
    8 1 [
            1 2 3
    ] {
        SM90_64x8x16_F32F16F16_RS: SM90_64x8x16_F32F16F16_SS f16, "m64n8k16.f32.f16.f16";
        SM90_64x8x16_F32BF16BF16_RS: SM90_64x8x16_F32BF16BF16_SS bf16, "m64n8k16.f32.bf16.bf16";
    }
    16 2 [
            1 2 3 4 5 6 7
    ] {
        SM90_64x16x16_F32F16F16_RS: SM90_64x16x16_F32F16F16_SS f16, "m64n16k16.f32.f16.f16";
        SM90_64x16x16_F32BF16BF16_RS: SM90_64x16x16_F32BF16BF16_SS bf16, "m64n16k16.f32.bf16.bf16";
    }
    32 4 [
            1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
    ] {
        SM90_64x32x16_F32F16F16_RS: SM90_64x32x16_F32F16F16_SS f16, "m64n32k16.f32.f16.f16";
        SM90_64x32x16_F32BF16BF16_RS: SM90_64x32x16_F32BF16BF16_SS bf16, "m64n32k16.f32.bf16.bf16";
    }
    64 8 [
            1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
    ] {
        SM90_64x64x16_F32F16F16_RS: SM90_64x64x16_F32F16F16_SS f16, "m64n64k16.f32.f16.f16";
        SM90_64x64x16_F32BF16BF16_RS: SM90_64x64x16_F32BF16BF16_SS bf16, "m64n64k16.f32.bf16.bf16";
    }
    96 12 [
            1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32
            33 34 35 36 37 38 39 40 41 42 43 44 45 46 47
    ] {
        SM90_64x96x16_F32F16F16_RS: SM90_64x96x16_F32F16F16_SS f16, "m64n96k16.f32.f16.f16";
        SM90_64x96x16_F32BF16BF16_RS: SM90_64x96x16_F32BF16BF16_SS bf16, "m64n96k16.f32.bf16.bf16";
    }
    128 16 [
            1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32
            33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61
            62 63
    ] {
        SM90_64x128x16_F32F16F16_RS: SM90_64x128x16_F32F16F16_SS f16, "m64n128k16.f32.f16.f16";
        SM90_64x128x16_F32BF16BF16_RS: SM90_64x128x16_F32BF16BF16_SS bf16,
            "m64n128k16.f32.bf16.bf16";
    }
    192 24 [
            1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32
            33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61
            62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 88 89 90
            91 92 93 94 95
    ] {
        SM90_64x192x16_F32F16F16_RS: SM90_64x192x16_F32F16F16_SS f16, "m64n192k16.f32.f16.f16";
        SM90_64x192x16_F32BF16BF16_RS: SM90_64x192x16_F32BF16BF16_SS bf16,
            "m64n192k16.f32.bf16.bf16";
    }
    256 32 [
            1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32
            33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61
            62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 88 89 90
            91 92 93 94 95 96 97 98 99 100 101 102 103 104 105 106 107 108 109 110 111 112 113 114
            115 116 117 118 119 120 121 122 123 124 125 126 127
    ] {
        SM90_64x256x16_F32F16F16_RS: SM90_64x256x16_F32F16F16_SS f16, "m64n256k16.f32.f16.f16";
        SM90_64x256x16_F32BF16BF16_RS: SM90_64x256x16_F32BF16BF16_SS bf16,
            "m64n256k16.f32.bf16.bf16";
    }
}

impl<S: StorageMut<Item = f32>, L: Addressable + StaticLayout> InFlight<Tensor<S, L>> {
    /// Adds the product of a fragment of A and a tile of B, a partition of shared memory: `(V, M,
    /// K)` and `(V, N, K)`; if the accumulators are not kept, the product replaces them. CuTe's
    /// `gemm` with an atom `RS`.
    ///
    /// # Safety
    /// All threads of the warpgroup call this; the tile has been written, and is not overwritten
    /// until the products complete.
    #[inline(always)]
    pub unsafe fn gemm_registers<A, H, P, SA, LA, SB, LB>(
        &mut self,
        mma: &TiledMma<A, H, P>,
        a: &Tensor<SA, LA>,
        b: &Tensor<SB, LB>,
        keep: bool,
    ) where
        TiledMma<A, H, P>: TiledOperands,
        A: WgmmaRegisters,
        SA: Storage<Item = A::A, Space = Registers>,
        SB: Storage<Item = A::B, Space = Shared>,
        LA: Addressable + StaticLayout,
        LB: HasDescriptor,
    {
        #[cfg(target_arch = "nvptx64")]
        // SAFETY: the caller's promise.
        unsafe {
            let _ = mma;
            let pair = |i: usize| -> u32 {
                let (Some(first), Some(second)) = (a.value(i), a.value(i + 1)) else {
                    out_of_bounds()
                };
                const { assert!(size_of::<A::A>() == 2, "a register has two values of A") };
                // SAFETY: 16-bit numbers, for which every bit pattern is valid: the A of `wgmma`.
                core::mem::transmute_copy(&[*first, *second])
            };
            core::arch::asm!("wgmma.fence.sync.aligned;", options(nostack));
            layout_algebra::for_static!(K in 0..8, {
                if const { K < count_atoms::<A, LA, LB, L>().2 } {
                    layout_algebra::for_static!(N in 0..4, {
                        if const { N < count_atoms::<A, LA, LB, L>().1 } {
                            layout_algebra::for_static!(M in 0..4, {
                                if const { M < count_atoms::<A, LA, LB, L>().0 } {
                                    let (rows, columns, _) =
                                        const { count_atoms::<A, LA, LB, L>() };
                                    let i = 8 * (M + rows * K);
                                    let x = [pair(i), pair(i + 2), pair(i + 4), pair(i + 6)];
                                    let place = N + columns * K;
                                    let y = operand_descriptor::<A::Shared, SB, LB, true>(b, place);
                                    let first = A::Shared::N / 2 * (M + rows * N);
                                    A::mma_async::<LB, S, L>(&mut self.0, first, x, y,
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
            const { operand_form::<A::Shared, A::B, LB, true>() };
            let value = |i: Option<&_>| -> A::A { *i.unwrap_or_else(|| out_of_bounds()) };
            let other = |i: Option<&_>| -> A::B { *i.unwrap_or_else(|| out_of_bounds()) };
            for (k, n, m) in (0..depth)
                .flat_map(|k| (0..columns).flat_map(move |n| (0..rows).map(move |m| (k, n, m))))
            {
                let x = GenericArray::generate(|v| value(a.value(v + 8 * (m + rows * k))));
                let y = GenericArray::generate(|v| {
                    other(b.value(v + 16 * A::Shared::N * (n + columns * k)))
                });
                let first = A::Shared::N / 2 * (m + rows * n);
                let sum = |v: usize| *self.0.value(first + v).unwrap_or_else(|| out_of_bounds());
                let sums = GenericArray::generate(|v| if keep || k > 0 { sum(v) } else { 0.0 });
                for (v, sum) in mma.atom().fma(&x, &y, sums).into_iter().enumerate() {
                    *self.0.value_mut(first + v).unwrap_or_else(|| out_of_bounds()) = sum;
                }
            }
        }
    }
    /// The accumulators, after all products but those of the last `LEFT` calls, which add to other
    /// accumulators, have completed.
    ///
    /// # Safety
    /// All threads of the warpgroup call this.
    #[inline(always)]
    pub unsafe fn wait_group<const LEFT: u32>(self) -> Tensor<S, L> {
        #[cfg(target_arch = "nvptx64")]
        {
            let mut sums = self.0;
            // SAFETY: the caller's promise.
            unsafe {
                core::arch::asm!("wgmma.wait_group.sync.aligned {};", const LEFT, options(nostack));
            }
            // Whatever reads the accumulators comes after the wait.
            warpgroup_fence_operand(&mut sums);
            sums
        }
        #[cfg(not(target_arch = "nvptx64"))]
        self.0
    }
}

/// A fence for the compiler: the values are computed here. Compilers move arithmetic past products
/// and waits, and arithmetic overlaps the products only if it stands before their wait.
#[inline(always)]
pub fn warpgroup_fence_operand<S: StorageMut<Item = f32>, L: Addressable + StaticLayout>(
    values: &mut Tensor<S, L>,
) {
    #[cfg(target_arch = "nvptx64")]
    layout_algebra::for_static!(I in 0..64, {
        if const { 4 * I < L::SIZE } {
            let mut d = [0, 1, 2, 3].map(|v| read_register(values, 4 * I + v));
            // SAFETY: a comment.
            unsafe {
                core::arch::asm!("// {0} {1} {2} {3}", inout(reg32) d[0], inout(reg32) d[1],
                    inout(reg32) d[2],
                    inout(reg32) d[3], options(nomem, nostack));
            }
            layout_algebra::for_static!(V in 0..4, { write_register(values, 4 * I + V, d[V]); });
        }
    });
    #[cfg(not(target_arch = "nvptx64"))]
    let _ = values;
}
