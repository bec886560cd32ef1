//! The description of a multiply instruction, and the one function that computes all of them on the
//! CPU.
//!
//! ```text
//! D(m, n) = C(m, n) + sum over k of A(m, k) * B(n, k)
//! ```

use core::fmt::{Debug, Display};

use half::f16;
use layout_algebra::atom::{MmaAtom, TvLayout};
use layout_algebra::{FlatLayout, Notation, StaticLayout};
use num_complex::Complex;

use crate::element::{Float, GaussComplex, Integer, Packed};

/// A multiply-add instruction: its shape and thread-value layouts, in elements. CuTe's
/// `MMA_Traits`.
///
/// For operands of less than a byte the [`MmaAtom`] of the same name counts K, also in its layouts,
/// in registers of several elements.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_instructions::Instruction;
/// use layout_instructions::mma::SM80_16x8x16_F32F16F16F32_TN as Atom;
/// assert_eq!((Atom::NAME, Atom::M, Atom::N, Atom::K), ("SM80_16x8x16_F32F16F16F32_TN", 16, 8, 16));
/// // Value 0 of thread 1 is element (0, 2) of A.
/// assert_eq!(<Atom as Instruction>::ALayout::default().index((1, 0)), 0 + 16 * 2);
/// ```
pub trait Instruction: Copy + Default + Debug {
    /// CuTe's name.
    const NAME: &'static str;
    /// The PTX instruction, or the instructions that it consists of.
    const PTX: &'static str;
    /// The rows of A and C.
    const M: usize;
    /// The rows of B and columns of C.
    const N: usize;
    /// The columns of A and B.
    const K: usize;
    /// `(M, N, K)`
    type ShapeMnk: Copy + Default + Notation;
    /// The threads that take part, as a layout: thread of the atom -> thread of the block.
    type ThrId: StaticLayout + Display;
    /// `(thread, value) -> m + M * k`
    type ALayout: TvLayout + Display;
    /// `(thread, value) -> n + N * k`
    type BLayout: TvLayout + Display;
    /// `(thread, value) -> m + M * n`
    type CLayout: TvLayout + Display;
    /// An element of A.
    type A: Copy + Send + Sync + 'static;
    /// An element of B.
    type B: Copy + Send + Sync + 'static;
    /// An element of C and D.
    type C: Copy + Send + Sync + 'static;
    /// The arithmetic of the sum of products.
    type Sum: Arithmetic<Self::A, Self::B, Self::C>;

    /// One element of D: the element of C plus the sum of the K products of `factors`, in order.
    #[inline]
    fn compute_element(c: Self::C, factors: impl Iterator<Item = (Self::A, Self::B)>) -> Self::C {
        let sum =
            factors.fold(Self::Sum::begin_sum(c), |sum, (a, b)| Self::Sum::add_product(sum, a, b));
        Self::Sum::finish_sum(sum)
    }
}

/// A visitor of each instruction of a list.
///
/// ```
/// use layout_instructions::{Instruction, Visitor, mma};
/// struct Count(usize);
/// impl Visitor for Count {
///     fn visit_instruction<I: Instruction>(&mut self) {
///         self.0 += 1;
///     }
/// }
/// let mut count = Count(0);
/// mma::sm80::visit_all(&mut count);
/// assert_eq!(count.0, 65);
/// ```
pub trait Visitor {
    /// Visits an instruction.
    fn visit_instruction<I: Instruction>(&mut self);
    /// Visits an instruction that is an atom on the CPU and the GPU.
    fn visit_atom<I: Atom>(&mut self) {
        self.visit_instruction::<I>();
    }
}

/// An instruction that is an [`MmaAtom`]: its words hold its elements.
///
/// ```
/// use layout_algebra::atom::MmaAtom;
/// use layout_instructions::Atom;
/// fn values_of_a<I: Atom>() -> usize {
///     size_of::<layout_algebra::atom::Values<<I as MmaAtom>::A, <I as MmaAtom>::ALayout>>()
/// }
/// // 4 registers of 8 elements.
/// assert_eq!(values_of_a::<layout_instructions::mma::SM80_16x8x64_S32S4S4S32_TN>(), 16);
/// ```
pub trait Atom:
    Instruction
    + MmaAtom<
        ThrId = <Self as Instruction>::ThrId,
        A: Word<Element = <Self as Instruction>::A>,
        B: Word<Element = <Self as Instruction>::B>,
        C = <Self as Instruction>::C,
        CLayout = <Self as Instruction>::CLayout,
    >
{
}

/// The values of an operand, which may be sent from thread to thread.
pub trait Word: Packed + Send + Sync + 'static {}
impl<T: Packed + Send + Sync + 'static> Word for T {}

/// The arithmetic that adds products of `A` and `B` to a `C`.
///
/// ```
/// use layout_instructions::{Arithmetic, Clamped, Wrapped};
/// fn square<S: Arithmetic<i8, i8, i32>>(x: i8, c: i32) -> i32 {
///     S::finish_sum(S::add_product(S::begin_sum(c), x, x))
/// }
/// assert_eq!(square::<Wrapped>(10, 5), 105);
/// assert_eq!(square::<Wrapped>(1, i32::MAX), i32::MIN);
/// assert_eq!(square::<Clamped>(1, i32::MAX), i32::MAX);
/// ```
pub trait Arithmetic<A, B, C> {
    /// A partial sum.
    type Sum;
    /// The sum that begins with `c`.
    fn begin_sum(c: C) -> Self::Sum;
    /// The sum plus `a * b`.
    fn add_product(sum: Self::Sum, a: A, b: B) -> Self::Sum;
    /// The sum as an element.
    fn finish_sum(sum: Self::Sum) -> C;
}

/// Floats: each product is exact, and rounded to the accumulator's type when it is added. For
/// complex numbers the four products of parts are added in turn. (A GPU adds several products
/// before it rounds: its results are as accurate, and equal if nothing is rounded.)
///
/// ```
/// use half::f16;
/// use layout_instructions::{Arithmetic, Rounded};
/// let one = f16::from_f32(1.0);
/// let sum = <Rounded as Arithmetic<f16, f16, f32>>::add_product(0.5, one, one);
/// assert_eq!(sum, 1.5);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Rounded;
/// Integers modulo 2^32.
///
/// ```
/// use layout_instructions::{Arithmetic, Wrapped};
/// assert_eq!(<Wrapped as Arithmetic<i8, u8, i32>>::finish_sum(1 << 32), 0);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Wrapped;
/// Integers, rounded at the end to the nearest number of 32 bits.
///
/// ```
/// use layout_instructions::{Arithmetic, Clamped};
/// assert_eq!(<Clamped as Arithmetic<i8, u8, i32>>::finish_sum(1 << 32), i32::MAX);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Clamped;
/// Bits: the number of pairs that differ.
///
/// ```
/// use layout_instructions::element::U1;
/// use layout_instructions::{Arithmetic, Xor};
/// let (zero, one) = (U1::new(0), U1::new(1));
/// type Bits = dyn Fn(i64, U1, U1) -> i64;
/// let add: &Bits = &<Xor as Arithmetic<U1, U1, i32>>::add_product;
/// assert_eq!(add(add(7, zero, one), one, one), 8);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Xor;

/// The float type of a sum.
trait Accumulator: Copy {
    /// `self + a * b`, rounded once; with `f16` and `f32`, factors have at most 24 bits, so that an
    /// `f64` holds their product.
    fn fused_multiply_add(self, a: f64, b: f64) -> Self;
}
/// `x + y`; if the sum is not representable, the neighbour whose last bit is 1, which rounds to 51
/// bits or fewer as the exact sum does.
#[inline]
fn sum_to_odd(x: f64, y: f64) -> f64 {
    let sum = x + y;
    let of_y = sum - x;
    let left = (x - (sum - of_y)) + (y - of_y);
    match sum.to_bits() {
        bits if left == 0.0 || !sum.is_finite() || bits & 1 == 1 => sum,
        bits if (left > 0.0) == (sum > 0.0) => f64::from_bits(bits + 1),
        bits => f64::from_bits(bits - 1),
    }
}
impl Accumulator for f16 {
    /// (`half` converts from 64 bits by way of fewer bits.)
    #[inline]
    fn fused_multiply_add(self, a: f64, b: f64) -> Self {
        let sum = sum_to_odd(self.into(), a * b);
        let near = sum as f32;
        let bits = near.to_bits() - u32::from(f64::from(near).abs() > sum.abs());
        f16::from_f32(if f64::from(near) == sum || sum.is_nan() {
            near
        } else {
            f32::from_bits(bits | 1)
        })
    }
}
impl Accumulator for f32 {
    #[inline]
    fn fused_multiply_add(self, a: f64, b: f64) -> Self {
        sum_to_odd(self.into(), a * b) as f32
    }
}
impl Accumulator for f64 {
    #[cfg(not(target_arch = "nvptx64"))]
    #[inline]
    fn fused_multiply_add(self, a: f64, b: f64) -> Self {
        a.mul_add(b, self)
    }
    #[cfg(target_arch = "nvptx64")]
    #[inline]
    fn fused_multiply_add(self, a: f64, b: f64) -> Self {
        a * b + self
    }
}
macro_rules! rounded {
    ($($c:ty)*) => { $(
        impl<A: Float, B: Float> Arithmetic<A, B, $c> for Rounded {
            type Sum = $c;
            #[inline]
            fn begin_sum(c: $c) -> $c {
                c
            }
            #[inline]
            fn add_product(sum: $c, a: A, b: B) -> $c {
                sum.fused_multiply_add(a.exact_value(), b.exact_value())
            }
            #[inline]
            fn finish_sum(sum: $c) -> $c {
                sum
            }
        }
    )* };
}
rounded! { f16 f32 f64 }
impl Arithmetic<Complex<f64>, Complex<f64>, Complex<f64>> for Rounded {
    type Sum = Complex<f64>;
    #[inline]
    fn begin_sum(c: Complex<f64>) -> Complex<f64> {
        c
    }
    #[inline]
    fn add_product(sum: Complex<f64>, a: Complex<f64>, b: Complex<f64>) -> Complex<f64> {
        Complex::new(
            sum.re.fused_multiply_add(a.re, b.re).fused_multiply_add(-a.im, b.im),
            sum.im.fused_multiply_add(a.im, b.re).fused_multiply_add(a.re, b.im),
        )
    }
    #[inline]
    fn finish_sum(sum: Complex<f64>) -> Complex<f64> {
        sum
    }
}
impl Arithmetic<Complex<f64>, Complex<f64>, GaussComplex> for Rounded {
    type Sum = GaussComplex;
    #[inline]
    fn begin_sum(c: GaussComplex) -> GaussComplex {
        c
    }
    #[inline]
    fn add_product(
        GaussComplex([t0, t1, t2]): GaussComplex,
        a: Complex<f64>,
        b: Complex<f64>,
    ) -> GaussComplex {
        GaussComplex([
            t0.fused_multiply_add(a.re, b.re),
            t1.fused_multiply_add(a.im, b.im),
            t2.fused_multiply_add(a.re + a.im, b.re + b.im),
        ])
    }
    #[inline]
    fn finish_sum(sum: GaussComplex) -> GaussComplex {
        sum
    }
}

macro_rules! integers {
    ($($sum:ident |$a:ident, $b:ident| $product:expr, |$total:ident| $into:expr;)*) => { $(
        impl<A: Integer, B: Integer> Arithmetic<A, B, i32> for $sum {
            type Sum = i64;
            #[inline]
            fn begin_sum(c: i32) -> i64 {
                c.into()
            }
            #[inline]
            fn add_product(sum: i64, a: A, b: B) -> i64 {
                let ($a, $b) = (a.exact_value(), b.exact_value());
                sum + $product
            }
            #[inline]
            fn finish_sum($total: i64) -> i32 {
                $into
            }
        }
    )* };
}
integers! {
    Wrapped |a, b| a * b, |sum| sum as i32;
    Clamped |a, b| a * b, |sum| sum.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
    Xor |a, b| i64::from(a != b), |sum| sum as i32;
}

// ---- what is checked when an instruction is compiled --------------------------------------------

/// The checks of a thread-value layout of a tile of `TILE` elements, once for all instructions with
/// this layout.
pub struct Covers<L, const TILE: usize>(L);
impl<L: TvLayout, const TILE: usize> Covers<L, TILE> {
    /// The number of (thread, value) pairs of each element of the tile. Threads that all have the
    /// elements of thread 0, as in shared memory, count once.
    const TIMES: [u8; TILE] = {
        let layout = FlatLayout::of_type::<L>();
        let same = layout.threads() > 1
            && layout.of_thread(layout.threads() - 1, 0) == layout.of_thread(0, 0);
        let size = if same { 1 } else { layout.threads() };
        let (mut times, mut thread) = ([0; TILE], 0);
        while thread < size {
            let mut value = 0;
            while value < layout.values() {
                let element = layout.of_thread(thread, value);
                assert!(element < TILE, "a layout of the instruction leads beyond its tile");
                times[element] += 1;
                value += 1;
            }
            thread += 1;
        }
        times
    };
    /// Whether every element of the tile belongs to a thread.
    pub const ALL: bool = {
        let mut element = 0;
        while element < TILE && Self::TIMES[element] > 0 {
            element += 1;
        }
        element == TILE
    };
    /// Whether every element of the tile belongs to exactly one value of one thread.
    pub const ONCE: bool = {
        let mut element = 0;
        while element < TILE && Self::TIMES[element] == 1 {
            element += 1;
        }
        element == TILE
    };
}

/// Whether the layout of words agrees with the layout of elements: word `w` of a thread holds its
/// elements from `per_word * w` on, contiguous along K and aligned to `per_word`.
pub struct Packs<Words, Elements, const ROWS: usize, const PER_WORD: usize>(Words, Elements);
impl<Words: TvLayout, Elements: TvLayout, const ROWS: usize, const PER_WORD: usize>
    Packs<Words, Elements, ROWS, PER_WORD>
{
    /// Whether the two layouts agree.
    pub const RIGHT: bool = {
        let (words, elements) = (FlatLayout::of_type::<Words>(), FlatLayout::of_type::<Elements>());
        let mut right =
            words.threads() == elements.threads() && words.values() * PER_WORD == elements.values();
        let mut i = 0;
        while right && i < elements.size() {
            let (thread, value) = (i % elements.threads(), i / elements.threads());
            let (word, element) =
                (words.of_thread(thread, value / PER_WORD), elements.of_thread(thread, value));
            right = element % ROWS == word % ROWS
                && element / ROWS == word / ROWS * PER_WORD + value % PER_WORD;
            i += 1;
        }
        right
    };
}

/// The requirements on the layouts of every instruction, by the table that has its row.
#[doc(hidden)]
#[macro_export]
macro_rules! checked {
    ($instruction:ty: $m:literal x $n:literal x $k:literal) => {
        const _: () = {
            type A = <$instruction as $crate::Instruction>::ALayout;
            type B = <$instruction as $crate::Instruction>::BLayout;
            type C = <$instruction as $crate::Instruction>::CLayout;
            const fn count_threads<L: $crate::layout_algebra::atom::TvLayout>() -> usize {
                $crate::layout_algebra::FlatLayout::of_type::<L>().threads()
            }
            let all = <<$instruction as $crate::Instruction>::ThrId as $crate::layout_algebra::StaticLayout>::SIZE;
            assert!(
                count_threads::<A>() == all
                    && count_threads::<B>() == all
                    && count_threads::<C>() == all,
                "a layout of the instruction has other threads than `ThrId`"
            );
            assert!($crate::private::Covers::<A, { $m * $k }>::ALL,
                "no thread has some element of A");
            assert!($crate::private::Covers::<B, { $n * $k }>::ALL,
                "no thread has some element of B");
            assert!($crate::private::Covers::<C, { $m * $n }>::ONCE,
                "the layout of C is no bijection");
        };
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The f32 or f16, of `mantissa` bits, nearest to an exact sum: the digits are counted in an
    /// integer, which loses no bit.
    fn round_to_nearest(c: f64, a: f64, b: f64, mantissa: i32, least: i32) -> f64 {
        let parts = |x: f64| {
            if x == 0.0 {
                return (0, 0);
            }
            let bits = x.abs().to_bits();
            let (exponent, digits) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
            let digits = if exponent == 0 { digits } else { digits | 1 << 52 };
            let zeros = digits.trailing_zeros();
            let sign = if x < 0.0 { -1 } else { 1 };
            (i128::from(digits >> zeros) * sign, exponent.max(1) - 1075 + zeros as i32)
        };
        let (c, of_c) = parts(c);
        let (p, of_p) = parts(a * b);
        let low = of_c.min(of_p);
        assert!(
            of_c - low < 100 && of_p - low < 80,
            "the test draws numbers that an integer holds"
        );
        let sum = (c << (of_c - low)) + (p << (of_p - low));
        let length = 128 - sum.unsigned_abs().leading_zeros() as i32;
        let drop = (length - mantissa).max(least - low).max(0);
        let (kept, rest) = (sum.unsigned_abs() >> drop, sum.unsigned_abs() & ((1 << drop) - 1));
        let half = if drop == 0 { 1 } else { 1 << (drop - 1) };
        let kept = kept + u128::from(drop > 0 && (rest > half || rest == half && kept & 1 == 1));
        kept as f64 * f64::powi(2.0, low + drop) * if sum < 0 { -1.0 } else { 1.0 }
    }

    #[test]
    fn sums_are_rounded_once() {
        // The draws change with the day, and can be repeated.
        let day = std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .map_or(0, |t| t.as_secs() / 86400);
        let seed =
            std::env::var("LAYOUT_NVIDIA_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(day);
        println!("LAYOUT_NVIDIA_SEED={seed}");
        let mut state = seed ^ 0x9e37_79b9_7f4a_7c15;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state >> 20
        };
        let draws = std::env::var("LAYOUT_NVIDIA_DRAWS")
            .ok()
            .and_then(|s| s.parse().ok())
            .unwrap_or(200_000);
        for _ in 0..draws {
            let [a, b, c] = [(); 3].map(|()| f16::from_bits(next() as u16));
            let sum = <Rounded as Arithmetic<f16, f16, f16>>::add_product(c, a, b);
            if a.is_finite() && b.is_finite() && c.is_finite() {
                let exact = round_to_nearest(c.into(), a.into(), b.into(), 11, -24);
                let expected =
                    if exact.abs() > 65504.0 { f64::INFINITY.copysign(exact) } else { exact };
                assert_eq!(f64::from(sum), expected, "{a} * {b} + {c}");
            }
            // Factors near one, and a sum near half of the last bit of `c`, so that ties occur.
            let near = |bits: u64, exponent: i32| {
                f64::from(f32::from_bits(0x3f80_0000 | bits as u32 & 0x7f_ffff))
                    * f64::powi(2.0, exponent)
            };
            let few = if next() % 2 == 0 { 0x7f_f000 } else { 0x7f_ffff };
            let (a, b, c) = (
                near(next() & few, 0),
                near(next() & few, -(next() as i32 % 30)),
                near(next() & few, 0),
            );
            let c = if next() % 2 == 0 { c } else { -c };
            let sum =
                <Rounded as Arithmetic<f32, f32, f32>>::add_product(c as f32, a as f32, b as f32);
            assert_eq!(f64::from(sum), round_to_nearest(c, a, b, 24, -149), "{a} * {b} + {c}");
        }
        let (a, b, c) = (f32::from_bits(0x3f80_0001), f32::from_bits(0x337f_fffe), 1.0);
        // The product is 2^-24 (1 - 2^-46): below the tie, by less than 53 bits can represent.
        assert_eq!(<Rounded as Arithmetic<f32, f32, f32>>::add_product(c, a, b), 1.0);
        assert_eq!(
            <Rounded as Arithmetic<f32, f32, f32>>::add_product(f32::from_bits(0x3f80_0001), a, b),
            f32::from_bits(0x3f80_0001)
        );
        assert!(
            <Rounded as Arithmetic<f16, f16, f16>>::add_product(
                f16::INFINITY,
                f16::NEG_INFINITY,
                f16::ONE
            )
            .is_nan()
        );
    }
}
