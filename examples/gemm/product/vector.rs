//! The one place that names an instruction set: registers of several elements, and the way into code compiled for them.
//!
//! An instruction set is a token that only [`Isa::detect`] makes, so whoever holds one runs on a processor that has it, and
//! every function here is safe to call.

use std::fmt::Debug;
use std::ops::{Add, Mul};

/// An element of a matrix.
pub trait Element: Copy + Default + Debug + Mul<Output = Self> + Add<Output = Self> + 'static {}
impl Element for f32 {}

/// A piece of work that is compiled anew for each instruction set. `run` has to be `#[inline(always)]`, and all that it calls.
pub trait Task {
    fn run(self);
}

/// The proof that the processor has an instruction set.
pub trait Isa: Copy {
    fn detect() -> Option<Self>;
    /// Runs a piece of work, compiled for this instruction set.
    fn run<T: Task>(self, task: T);
}

/// A register of `LEN` elements.
pub trait Vector: Copy {
    type Isa: Isa;
    type Element: Element;
    const LEN: usize;
    /// Whether [`load_first`](Vector::load_first) takes one instruction.
    const MASKED: bool;

    fn splat(isa: Self::Isa, x: Self::Element) -> Self;
    /// All of `from`, which has `LEN` elements.
    fn load(isa: Self::Isa, from: &[Self::Element]) -> Self;
    /// All of `from`, which has at most `LEN` elements, and zeros after it.
    fn load_first(isa: Self::Isa, from: &[Self::Element]) -> Self;
    /// The whole register to `to`, which has `LEN` elements.
    fn store(self, to: &mut [Self::Element]);
    /// As much of the register as `to` takes, at most `LEN` elements.
    fn store_first(self, to: &mut [Self::Element]);
    /// `self * b + c`
    fn mul_add(self, b: Self, c: Self) -> Self;
    fn add(self, b: Self) -> Self;
    /// A hint that `from` is wanted soon, or is not there at all.
    fn prefetch(isa: Self::Isa, from: *const Self::Element);
}

// ---- any processor ------------------------------------------------------------------------------------------------

/// What the compiler takes for granted on this target.
#[derive(Clone, Copy)]
pub struct Portable;
impl Isa for Portable {
    fn detect() -> Option<Self> {
        Some(Portable)
    }
    #[inline(never)]
    fn run<T: Task>(self, task: T) {
        task.run();
    }
}

/// Four elements, which the compiler keeps in a register where there are any of that size.
#[derive(Clone, Copy)]
pub struct Array<E>([E; 4]);
impl<E: Element> Array<E> {
    #[inline(always)]
    fn zip(self, b: Self, f: impl Fn(E, E) -> E) -> Self {
        Array(std::array::from_fn(|i| f(self.0[i], b.0[i])))
    }
}
impl<E: Element> Vector for Array<E> {
    type Isa = Portable;
    type Element = E;
    const LEN: usize = 4;
    const MASKED: bool = false;
    #[inline(always)]
    fn splat(_: Portable, x: E) -> Self {
        Array([x; 4])
    }
    #[inline(always)]
    fn load(_: Portable, from: &[E]) -> Self {
        Array(*from.first_chunk().expect("a whole register"))
    }
    #[inline(always)]
    fn load_first(_: Portable, from: &[E]) -> Self {
        let mut array = [E::default(); 4];
        array[..from.len()].copy_from_slice(from);
        Array(array)
    }
    #[inline(always)]
    fn store(self, to: &mut [E]) {
        *to.first_chunk_mut().expect("a whole register") = self.0;
    }
    #[inline(always)]
    fn store_first(self, to: &mut [E]) {
        to.copy_from_slice(&self.0[..to.len()]);
    }
    #[inline(always)]
    fn mul_add(self, b: Self, c: Self) -> Self {
        // Not `f32::mul_add`, which is a slow library call where the processor has no such instruction.
        self.zip(b, |x, y| x * y).add(c)
    }
    #[inline(always)]
    fn add(self, b: Self) -> Self {
        self.zip(b, |x, y| x + y)
    }
    #[inline(always)]
    fn prefetch(_: Portable, _: *const E) {}
}

// ---- x86-64 -------------------------------------------------------------------------------------------------------

#[cfg(target_arch = "x86_64")]
pub use x86::{Avx2, Avx512, F32x8, F32x16};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Isa, Task, Vector};
    use std::arch::x86_64::*;

    /// An instruction set: its token, and the function that is compiled for it.
    macro_rules! isa {
        ($(#[$doc:meta])* $name:ident: $features:literal, $($feature:tt)*) => {
            $(#[$doc])*
            #[derive(Clone, Copy)]
            pub struct $name(());
            impl Isa for $name {
                fn detect() -> Option<Self> {
                    ($(is_x86_feature_detected!($feature))&&*).then_some($name(()))
                }
                #[inline(always)]
                fn run<T: Task>(self, task: T) {
                    #[target_feature(enable = $features)]
                    fn compiled_for_it<T: Task>(task: T) {
                        task.run();
                    }
                    // SAFETY: the token `self` exists, so `detect` has found the features that the function is compiled for.
                    unsafe { compiled_for_it(task) }
                }
            }
        };
    }
    isa! {
        /// 32 registers of 512 bits, stable since Rust 1.89.
        Avx512: "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma", "avx512f" "avx512vl" "avx512dq" "avx512bw" "avx2" "fma"
    }
    isa! {
        /// 16 registers of 256 bits.
        Avx2: "avx2,fma", "avx2" "fma"
    }

    macro_rules! proven {
        ($intrinsic:expr) => {{
            // SAFETY: the intrinsic's instruction set is there, since the token or a register made with it is. A pointer is that of a
            // slice, of which no more is touched than the length just asserted: a whole register, or what the mask leaves of it. A
            // prefetch touches nothing.
            unsafe { $intrinsic }
        }};
    }

    /// A register type. `$name` cannot be made without the token `$isa`, so a value of it is a proof as well.
    macro_rules! register {
        (
            $(#[$doc:meta])* $name:ident($inner:ident): $len:literal x $element:ident on $isa:ident,
            $splat:ident $load:ident $store:ident $mul_add:ident $add:ident,
            load |$from:ident, $n:ident| $load_first:expr, store |$to:ident, $k:ident, $value:ident| $store_first:expr
        ) => {
            $(#[$doc])*
            #[derive(Clone, Copy)]
            pub struct $name($inner);
            impl Vector for $name {
                type Isa = $isa;
                type Element = $element;
                const LEN: usize = $len;
                const MASKED: bool = true;
                #[inline(always)]
                fn splat(_: $isa, x: $element) -> Self {
                    $name(proven!($splat(x)))
                }
                #[inline(always)]
                fn load(_: $isa, from: &[$element]) -> Self {
                    assert!(from.len() == $len);
                    $name(proven!($load(from.as_ptr())))
                }
                #[inline(always)]
                fn load_first(_: $isa, from: &[$element]) -> Self {
                    assert!(from.len() <= $len);
                    let ($from, $n) = (from.as_ptr(), from.len());
                    $name(proven!($load_first))
                }
                #[inline(always)]
                fn store(self, to: &mut [$element]) {
                    assert!(to.len() == $len);
                    proven!($store(to.as_mut_ptr(), self.0))
                }
                #[inline(always)]
                fn store_first(self, to: &mut [$element]) {
                    assert!(to.len() <= $len);
                    let ($to, $k, $value) = (to.as_mut_ptr(), to.len(), self.0);
                    proven!($store_first)
                }
                #[inline(always)]
                fn mul_add(self, b: Self, c: Self) -> Self {
                    $name(proven!($mul_add(self.0, b.0, c.0)))
                }
                #[inline(always)]
                fn add(self, b: Self) -> Self {
                    $name(proven!($add(self.0, b.0)))
                }
                #[inline(always)]
                fn prefetch(_: $isa, from: *const $element) {
                    proven!(_mm_prefetch::<_MM_HINT_T0>(from.cast()))
                }
            }
        };
    }
    /// A mask of the first `n` of 8 elements.
    macro_rules! first_of_8 {
        ($n:ident) => {
            _mm256_cmpgt_epi32(_mm256_set1_epi32($n as i32), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))
        };
    }

    register! {
        /// 16 elements in 512 bits.
        F32x16(__m512): 16 x f32 on Avx512,
        _mm512_set1_ps _mm512_loadu_ps _mm512_storeu_ps _mm512_fmadd_ps _mm512_add_ps,
        load |from, n| _mm512_maskz_loadu_ps(first_of_16(n), from),
        store |to, n, value| _mm512_mask_storeu_ps(to, first_of_16(n), value)
    }
    register! {
        /// 8 elements in 256 bits.
        F32x8(__m256): 8 x f32 on Avx2,
        _mm256_set1_ps _mm256_loadu_ps _mm256_storeu_ps _mm256_fmadd_ps _mm256_add_ps,
        load |from, n| _mm256_maskload_ps(from, first_of_8!(n)),
        store |to, n, value| _mm256_maskstore_ps(to, first_of_8!(n), value)
    }

    /// A mask of the first `n` of 16 elements.
    #[inline(always)]
    fn first_of_16(n: usize) -> __mmask16 {
        ((1u32 << n) - 1) as __mmask16
    }
}
