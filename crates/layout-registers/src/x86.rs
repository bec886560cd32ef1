//! Registers of x86-64.

use super::{Holds, Isa, Task, Vector};
use std::arch::x86_64::*;
use std::marker::PhantomData;

macro_rules! proven {
    ($intrinsic:expr) => {{
        // SAFETY: a token exists, or a register made with one, so the processor has the intrinsic's
        // instruction set. A pointer is that of a slice whose length was just asserted; the access
        // is that long: a full register, or its masked elements.
        unsafe { $intrinsic }
    }};
}

/// An instruction set: its token, and the function that is compiled for it.
macro_rules! isa {
    ($(#[$doc:meta])* $name:ident: $registers:literal registers, $features:literal, $($feature:tt)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $name(());
        impl Isa for $name {
            const REGISTERS: usize = $registers;
            fn detect() -> Option<Self> {
                ($(is_x86_feature_detected!($feature))&&*).then_some($name(()))
            }
            #[inline(always)]
            fn run<T: Task>(self, task: T) {
                #[target_feature(enable = $features)]
                fn compiled<T: Task>(task: T) {
                    task.run();
                }
                // SAFETY: the token `self` exists, so `detect` has found the features that
                // the function is compiled for.
                unsafe { compiled(task) }
            }
        }
    };
}
isa! {
    /// 32 registers of 512 bits, stable since Rust 1.89.
    Avx512: 32 registers, "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma",
    "avx512f" "avx512vl" "avx512dq" "avx512bw" "avx2" "fma"
}
isa! {
    /// 16 registers of 256 bits.
    Avx2: 16 registers, "avx2,fma", "avx2" "fma"
}

/// Instruction sets that contain AVX2.
pub trait AtLeastAvx2: Isa {}
impl AtLeastAvx2 for Avx2 {}
impl AtLeastAvx2 for Avx512 {}
/// Instruction sets that contain AVX-512.
pub trait AtLeastAvx512: Isa {}
impl AtLeastAvx512 for Avx512 {}

impl Holds<f32> for Avx512 {
    type Whole = F32x16<Self>;
    type Half = F32x8<Self>;
    type Quarter = F32x4<Self>;
}
impl Holds<f64> for Avx512 {
    type Whole = F64x8<Self>;
    type Half = F64x4<Self>;
    type Quarter = F64x2<Self>;
}
impl Holds<f32> for Avx2 {
    type Whole = F32x8<Self>;
    type Half = F32x4<Self>;
    type Quarter = F32x4<Self>;
}
impl Holds<f64> for Avx2 {
    type Whole = F64x4<Self>;
    type Half = F64x2<Self>;
    type Quarter = F64x2<Self>;
}

/// A mask of the first `n` elements of a register: one bit for each in AVX-512, all bits of an
/// element in AVX2.
macro_rules! bits {
    ($n:expr) => {
        ((1_u32 << $n) - 1) as _
    };
}
macro_rules! eight_words {
    ($n:expr) => {
        _mm256_cmpgt_epi32(_mm256_set1_epi32($n as i32), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))
    };
}
macro_rules! four_pairs {
    ($n:expr) => {
        _mm256_cmpgt_epi64(_mm256_set1_epi64x($n as i64), _mm256_setr_epi64x(0, 1, 2, 3))
    };
}
macro_rules! four_words {
    ($n:expr) => {
        _mm_cmpgt_epi32(_mm_set1_epi32($n as i32), _mm_setr_epi32(0, 1, 2, 3))
    };
}
macro_rules! two_pairs {
    ($n:expr) => {
        _mm_cmpgt_epi64(_mm_set1_epi64x($n as i64), _mm_set_epi64x(1, 0))
    };
}

/// A register type. A value of `$name<I>` is made with a token `I`, so it proves the instruction
/// set as well.
macro_rules! register {
    (
        $name:ident($inner:ident): $len:literal x $element:ident on $isa:ident,
        $splat:ident $load:ident $store:ident $mul_add:ident $add:ident,
        $load_first:ident $store_first:ident, $first:ident
    ) => {
        #[doc = concat!(stringify!($len), " elements, for any instruction set that is `", stringify!($isa), "`.")]
        #[derive(Clone, Copy)]
        pub struct $name<I>($inner, PhantomData<I>);
        impl<I: $isa> Vector for $name<I> {
            type Isa = I;
            type Element = $element;
            const LEN: usize = $len;
            const MASKED: bool = true;
            #[inline(always)]
            fn splat(_: I, x: $element) -> Self {
                $name(proven!($splat(x)), PhantomData)
            }
            #[inline(always)]
            fn load(_: I, from: &[$element]) -> Self {
                assert!(from.len() == $len);
                $name(proven!($load(from.as_ptr())), PhantomData)
            }
            #[inline(always)]
            fn load_first(_: I, from: &[$element]) -> Self {
                assert!(from.len() <= $len);
                $name(proven!(register!(@$load_first from.as_ptr(), $first!(from.len()))), PhantomData)
            }
            #[inline(always)]
            fn store(self, to: &mut [$element]) {
                assert!(to.len() == $len);
                proven!($store(to.as_mut_ptr(), self.0))
            }
            #[inline(always)]
            fn store_first(self, to: &mut [$element]) {
                assert!(to.len() <= $len);
                proven!($store_first(to.as_mut_ptr(), $first!(to.len()), self.0))
            }
            #[inline(always)]
            fn mul_add(self, b: Self, c: Self) -> Self {
                $name(proven!($mul_add(self.0, b.0, c.0)), PhantomData)
            }
            #[inline(always)]
            fn add(self, b: Self) -> Self {
                $name(proven!($add(self.0, b.0)), PhantomData)
            }
        }
    };
    // AVX-512 takes the mask first, AVX2 the memory.
    (@_mm512_maskz_loadu_ps $from:expr, $mask:expr) => { _mm512_maskz_loadu_ps($mask, $from) };
    (@_mm512_maskz_loadu_pd $from:expr, $mask:expr) => { _mm512_maskz_loadu_pd($mask, $from) };
    (@$load_first:ident $from:expr, $mask:expr) => { $load_first($from, $mask) };
}
register! {
    F32x16(__m512): 16 x f32 on AtLeastAvx512,
    _mm512_set1_ps _mm512_loadu_ps _mm512_storeu_ps _mm512_fmadd_ps _mm512_add_ps,
    _mm512_maskz_loadu_ps _mm512_mask_storeu_ps, bits
}
register! {
    F64x8(__m512d): 8 x f64 on AtLeastAvx512,
    _mm512_set1_pd _mm512_loadu_pd _mm512_storeu_pd _mm512_fmadd_pd _mm512_add_pd,
    _mm512_maskz_loadu_pd _mm512_mask_storeu_pd, bits
}
register! {
    F32x8(__m256): 8 x f32 on AtLeastAvx2,
    _mm256_set1_ps _mm256_loadu_ps _mm256_storeu_ps _mm256_fmadd_ps _mm256_add_ps,
    _mm256_maskload_ps _mm256_maskstore_ps, eight_words
}
register! {
    F64x4(__m256d): 4 x f64 on AtLeastAvx2,
    _mm256_set1_pd _mm256_loadu_pd _mm256_storeu_pd _mm256_fmadd_pd _mm256_add_pd,
    _mm256_maskload_pd _mm256_maskstore_pd, four_pairs
}
register! {
    F32x4(__m128): 4 x f32 on AtLeastAvx2,
    _mm_set1_ps _mm_loadu_ps _mm_storeu_ps _mm_fmadd_ps _mm_add_ps,
    _mm_maskload_ps _mm_maskstore_ps, four_words
}
register! {
    F64x2(__m128d): 2 x f64 on AtLeastAvx2,
    _mm_set1_pd _mm_loadu_pd _mm_storeu_pd _mm_fmadd_pd _mm_add_pd,
    _mm_maskload_pd _mm_maskstore_pd, two_pairs
}
