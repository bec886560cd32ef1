//! The element types of MMA instructions that Rust does not have, and their values.
//!
//! Halves are [`half::f16`] and [`half::bf16`], complex numbers [`num_complex::Complex`].

use half::{bf16, f16};
use layout_bits::Element;
/// Integers of less than a byte, one by one: CuTe's `int4b_t`, `uint4b_t` and `uint1b_t`.
///
/// ```
/// use layout_instructions::element::{S4, U4};
/// assert_eq!((i64::from(S4::new(-8)), S4::checked(8)), (-8, None));
/// assert_eq!(U4::checked(15).map(i64::from), Some(15));
/// ```
pub use layout_bits::{S4, U1, U4};
use num_complex::Complex;

/// A factor of a product of floats.
pub trait Float: Copy {
    /// The number, exactly.
    fn exact_value(self) -> f64;
}
/// A factor of a product of integers.
pub trait Integer: Copy {
    /// The number.
    fn exact_value(self) -> i64;
}

macro_rules! factors {
    ($($number:ident $to:ty: $($t:ty)*;)*) => { $($(
        impl $number for $t {
            #[inline]
            fn exact_value(self) -> $to {
                self.into()
            }
        }
    )*)* };
}
factors! {
    Float f64: f16 bf16 Tf32 E4m3 E5m2 f32 f64;
    Integer i64: i8 u8 i16 S4 U4 U1;
}

/// A float of 32 bits of which an instruction reads 19: a sign, 8 bits of exponent, 10 of mantissa.
/// CuTe's `tfloat32_t`.
///
/// ```
/// use layout_instructions::element::Tf32;
/// assert_eq!(f64::from(Tf32::new(1.0 + 1.0 / 1024.0)), 1.0 + 1.0 / 1024.0);
/// assert_eq!(f64::from(Tf32::new(1.0 + 1.0 / 4096.0)), 1.0); // the nearest one
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(transparent)]
pub struct Tf32(f32);
impl Tf32 {
    /// The nearest one, the even one of two; of NaN and what rounds beyond the range, as [`f32`]
    /// rounds.
    #[inline]
    pub fn new(value: f32) -> Self {
        if !value.is_finite() {
            return Tf32(value);
        }
        let bits = value.to_bits();
        Tf32(f32::from_bits((bits + 0xfff + (bits >> 13 & 1)) & !0x1fff))
    }
}
impl From<Tf32> for f64 {
    #[inline]
    fn from(x: Tf32) -> f64 {
        x.0.into()
    }
}

/// Floats of 8 bits of the package `layout-bits`, in types of this package: traits of third ones,
/// the driver's for one, are implemented for them.
macro_rules! float8 {
    ($($(#[$doc:meta])* $name:ident;)*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        #[repr(transparent)]
        pub struct $name(layout_bits::$name);
        impl $name {
            /// The nearest one, the even one of two; beyond the range what `ml_dtypes` makes of it.
            #[inline]
            pub const fn new(x: f32) -> Self {
                $name(layout_bits::$name::new(x))
            }
            /// The nearest one; beyond the range the largest: `cvt.rn.satfinite`. NaN is NaN.
            #[inline]
            pub const fn saturating(x: f32) -> Self {
                $name(layout_bits::$name::saturating(x))
            }
            /// The float of these bits.
            #[inline]
            pub const fn from_bits(bits: u8) -> Self {
                $name(layout_bits::$name::from_bits(bits))
            }
            /// Its bits.
            #[inline]
            pub const fn to_bits(self) -> u8 {
                self.0.to_bits()
            }
        }
        impl From<$name> for f64 {
            #[inline]
            fn from(x: $name) -> f64 {
                x.0.to_f64()
            }
        }
        // SAFETY: a byte, of which any bits are a float.
        #[cfg(feature = "cudarc")]
        unsafe impl cudarc::driver::DeviceRepr for $name {}
    )* };
}
float8! {
    /// A float of 4 bits of exponent and 3 of mantissa, without infinities. CuTe's `float_e4m3_t`.
    ///
    /// ```
    /// use layout_instructions::element::E4m3;
    /// assert_eq!(f64::from(E4m3::from_bits(0x7e)), 448.0); // the largest
    /// assert_eq!(f64::from(E4m3::from_bits(0x81)), -0.001953125); // the smallest below zero, 2^-9
    /// assert_eq!(f64::from(E4m3::new(17.0)), 16.0); // 16 and 18 are as near: the even one
    /// assert!(f64::from(E4m3::new(500.0)).is_nan());
    /// assert_eq!(f64::from(E4m3::saturating(500.0)), 448.0);
    /// ```
    E4m3;
    /// A float of 5 bits of exponent and 2 of mantissa: the upper half of an [`f16`](struct@f16).
    /// CuTe's `float_e5m2_t`.
    ///
    /// ```
    /// use layout_instructions::element::E5m2;
    /// assert_eq!(f64::from(E5m2::from_bits(0x7b)), 57344.0); // the largest
    /// assert_eq!(f64::from(E5m2::new(-1e6)), f64::NEG_INFINITY);
    /// assert_eq!(f64::from(E5m2::saturating(-1e6)), -57344.0);
    /// ```
    E5m2;
}

/// The storage of an operand: an element, or a word of several elements that are contiguous along
/// K.
pub trait Packed: Copy + Default {
    /// The element.
    type Element: Copy;
    /// The number of elements.
    const ELEMENTS: usize;
    /// Element `i`, of which the first lies in the lowest bits.
    fn unpack_element(self, i: usize) -> Self::Element;
    /// What holds these elements: `pack_elements(f).unpack_element(i) = f(i)`.
    fn pack_elements(element: impl FnMut(usize) -> Self::Element) -> Self;
}

macro_rules! unpacked {
    ($($t:ty)*) => { $(
        impl Packed for $t {
            type Element = $t;
            const ELEMENTS: usize = 1;
            #[inline]
            fn unpack_element(self, _: usize) -> $t {
                self
            }
            #[inline]
            fn pack_elements(mut element: impl FnMut(usize) -> $t) -> $t {
                element(0)
            }
        }
    )* };
}
unpacked! { f16 bf16 Tf32 E4m3 E5m2 f32 f64 Complex<f64> i8 u8 i16 S4 U4 U1 }

macro_rules! packed {
    ($($(#[$doc:meta])* $name:ident: $count:literal $element:ident;)*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        #[repr(transparent)]
        pub struct $name(pub u32);
        impl $name {
            /// The elements as a word, the first in the lowest bits.
            pub fn from_elements(elements: [$element; $count]) -> Self {
                let bits =
                    |(i, x): (usize, $element)| u32::from(x.to_bits()) << ($element::BITS * i);
                $name(elements.into_iter().enumerate().map(bits).sum())
            }
        }
        impl Packed for $name {
            type Element = $element;
            const ELEMENTS: usize = $count;
            #[inline]
            fn unpack_element(self, i: usize) -> $element {
                $element::from_bits((self.0 >> ($element::BITS * i)) as u8)
            }
            #[inline]
            fn pack_elements(element: impl FnMut(usize) -> $element) -> Self {
                Self::from_elements(core::array::from_fn(element))
            }
        }
    )* };
}
packed! {
    /// Eight [`S4`] in a register.
    ///
    /// ```
    /// use layout_instructions::element::{I4x8, Packed, S4};
    /// let word = I4x8::from_elements([-8, 7, -1, 0, 1, 2, 3, 4].map(S4::new));
    /// assert_eq!(word, I4x8(0x43210f78));
    /// assert_eq!(word.unpack_element(2), S4::new(-1));
    /// ```
    I4x8: 8 S4;
    /// Eight [`U4`] in a register.
    ///
    /// ```
    /// use layout_instructions::element::{Packed, U4, U4x8};
    /// assert_eq!(U4x8(0x43210f78).unpack_element(2), U4::new(15));
    /// ```
    U4x8: 8 U4;
    /// 32 bits in a register.
    ///
    /// ```
    /// use layout_instructions::element::{Packed, U1, U1x32};
    /// assert_eq!(U1x32(0b100).unpack_element(2), U1::new(1));
    /// ```
    U1x32: 32 U1;
}

/// A complex number of two floats of 64 bits. CuTe's `complex<double>`.
///
/// ```
/// use layout_instructions::element::C64;
/// assert_eq!(C64::new(0.0, 1.0) * C64::new(0.0, 1.0), C64::new(-1.0, 0.0));
/// ```
pub type C64 = Complex<f64>;

/// A sum of products of complex numbers in the three numbers that Gauss's method adds up. CuTe's
/// `GaussComplex`.
///
/// ```
/// use layout_instructions::element::GaussComplex;
/// use num_complex::Complex;
/// // (1 + 2i) * (3 + 4i) by three products: 1 * 3, 2 * 4 and (1 + 2) * (3 + 4).
/// assert_eq!(Complex::from(GaussComplex([3.0, 8.0, 21.0])), Complex::new(-5.0, 10.0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(transparent)]
pub struct GaussComplex(pub [f64; 3]);
impl From<GaussComplex> for Complex<f64> {
    #[inline]
    fn from(GaussComplex([t0, t1, t2]): GaussComplex) -> Self {
        Complex::new(t0 - t1, t2 - t0 - t1)
    }
}
