//! SIMD registers, and dispatch to code compiled for an instruction set.
//!
//! An instruction set is a token. Only [`Isa::detect`] makes one, so a token proves that the
//! processor has the instruction set, and all functions here are safe to call.
//!
//! ```
//! use layout_registers::{Element, Holds, Isa, Portable, Task, Vector};
//!
//! /// Adds `x * a` to `c`, a register at a time.
//! struct AddScaled<'x, I, E> {
//!     isa: I,
//!     c: &'x mut [E],
//!     x: E,
//!     a: &'x [E],
//! }
//! impl<I: Holds<E>, E: Element> Task for AddScaled<'_, I, E> {
//!     #[inline(always)]
//!     fn run(self) {
//!         let x = I::Whole::splat(self.isa, self.x);
//!         for (c, a) in self.c.chunks_mut(I::Whole::LEN).zip(self.a.chunks(I::Whole::LEN)) {
//!             let sum = I::Whole::load_first(self.isa, a).mul_add(x, I::Whole::load_first(self.isa, c));
//!             sum.store_first(c);
//!         }
//!     }
//! }
//! fn add_scaled<I: Holds<f32>>(isa: I, c: &mut [f32], x: f32, a: &[f32]) {
//!     isa.run(AddScaled { isa, c, x, a });
//! }
//!
//! let (a, mut c) = ([1.0; 37], [0.5; 37]);
//! add_scaled(Portable, &mut c, 2.0, &a);
//! assert_eq!(c, [2.5; 37]);
//! #[cfg(target_arch = "x86_64")]
//! if let Some(isa) = layout_registers::Avx2::detect() {
//!     add_scaled(isa, &mut c, 2.0, &a);
//!     assert_eq!(c, [4.5; 37]);
//! }
//! ```

use std::fmt::Debug;
use std::ops::{Add, Mul};

/// An element of a matrix.
pub trait Element:
    Copy + Default + Debug + PartialEq + Send + Sync + Mul<Output = Self> + Add<Output = Self> + 'static
{
}
impl Element for f32 {}
impl Element for f64 {}

/// A task that is compiled for each instruction set. `run` and all functions that it calls have to
/// be `#[inline(always)]`.
pub trait Task {
    /// Runs the task.
    fn run(self);
}

/// The proof that the processor has an instruction set.
pub trait Isa: Copy + Send + Sync + 'static {
    /// The number of SIMD registers.
    const REGISTERS: usize;
    /// The token, if this processor has the instruction set.
    fn detect() -> Option<Self>;
    /// Runs a task, compiled for this instruction set.
    fn run<T: Task>(self, task: T);
}

/// The registers of an instruction set for elements `E`: full registers, and shorter ones for
/// matrices of few rows.
pub trait Holds<E: Element>: Isa {
    /// A full register.
    type Whole: Vector<Isa = Self, Element = E>;
    /// A register of half the length, or the shortest one.
    type Half: Vector<Isa = Self, Element = E>;
    /// A register of a quarter of the length, or the shortest one.
    type Quarter: Vector<Isa = Self, Element = E>;
}

/// A register of `LEN` elements.
pub trait Vector: Copy {
    /// The instruction set.
    type Isa: Isa;
    /// The element.
    type Element: Element;
    /// The number of elements.
    const LEN: usize;
    /// Whether [`load_first`](Vector::load_first) takes one instruction.
    const MASKED: bool;

    /// A register with `x` in all elements.
    fn splat(isa: Self::Isa, x: Self::Element) -> Self;
    /// Loads the `LEN` elements of `from`.
    fn load(isa: Self::Isa, from: &[Self::Element]) -> Self;
    /// Loads `from`, at most `LEN` elements, and fills the register with zeros.
    fn load_first(isa: Self::Isa, from: &[Self::Element]) -> Self;
    /// Stores the register to the `LEN` elements of `to`.
    fn store(self, to: &mut [Self::Element]);
    /// Stores the first elements of the register to `to`, at most `LEN`.
    fn store_first(self, to: &mut [Self::Element]);
    /// `self * b + c`
    fn mul_add(self, b: Self, c: Self) -> Self;
    /// `self + b`
    fn add(self, b: Self) -> Self;
}

// ---- any processor ------------------------------------------------------------------------------

/// The instruction set that the compiler assumes for this target.
#[derive(Clone, Copy)]
pub struct Portable;
impl Isa for Portable {
    const REGISTERS: usize = 16;
    fn detect() -> Option<Self> {
        Some(Portable)
    }
    #[inline(never)]
    fn run<T: Task>(self, task: T) {
        task.run();
    }
}
impl Holds<f32> for Portable {
    type Whole = Array<f32, 4>;
    type Half = Array<f32, 4>;
    type Quarter = Array<f32, 4>;
}
impl Holds<f64> for Portable {
    type Whole = Array<f64, 2>;
    type Half = Array<f64, 2>;
    type Quarter = Array<f64, 2>;
}

/// An array of 16 bytes, which the compiler keeps in a SIMD register if the target has one.
#[derive(Clone, Copy)]
pub struct Array<E, const N: usize>([E; N]);
impl<E: Element, const N: usize> Array<E, N> {
    #[inline(always)]
    fn zip(self, b: Self, f: impl Fn(E, E) -> E) -> Self {
        Array(std::array::from_fn(|i| f(self.0[i], b.0[i])))
    }
}
impl<E: Element, const N: usize> Vector for Array<E, N> {
    type Isa = Portable;
    type Element = E;
    const LEN: usize = N;
    const MASKED: bool = false;
    #[inline(always)]
    fn splat(_: Portable, x: E) -> Self {
        Array([x; N])
    }
    #[inline(always)]
    fn load(_: Portable, from: &[E]) -> Self {
        Array(*from.first_chunk().expect("a whole register"))
    }
    #[inline(always)]
    fn load_first(_: Portable, from: &[E]) -> Self {
        let mut array = [E::default(); N];
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
        // Not `f32::mul_add`: a slow library call without an FMA instruction.
        self.zip(b, |x, y| x * y).add(c)
    }
    #[inline(always)]
    fn add(self, b: Self) -> Self {
        self.zip(b, |x, y| x + y)
    }
}

// ---- x86-64 -------------------------------------------------------------------------------------

#[cfg(target_arch = "x86_64")]
mod x86;

#[cfg(target_arch = "x86_64")]
pub use x86::{Avx2, Avx512, F32x4, F32x8, F32x16, F64x2, F64x4, F64x8};
