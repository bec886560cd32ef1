//! What instructions multiply: the types that Rust has no word for, and what each stands for as a number.
//!
//! Halves are [`half::f16`] and [`half::bf16`], complex numbers [`num_complex::Complex`]: what Rust's programs share.

use half::{bf16, f16};
use num_complex::Complex;

/// A factor of a product of floats.
pub trait Float: Copy {
    /// The number, exactly.
    fn value(self) -> f64;
}
/// A factor of a product of integers.
pub trait Integer: Copy {
    /// The number.
    fn value(self) -> i64;
}

macro_rules! factors {
    ($($number:ident $to:ty: $($t:ty)*;)*) => { $($(
        impl $number for $t {
            #[inline]
            fn value(self) -> $to {
                self.into()
            }
        }
    )*)* };
}
factors! {
    Float f64: f16 bf16 Tf32 E4m3 E5m2 f32 f64;
    Integer i64: i8 u8 i16 I4 U4 U1;
}

/// A float of 32 bits of which an instruction reads 19: a sign, 8 bits of exponent, 10 of mantissa. CuTe's
/// `tfloat32_t`.
///
/// ```
/// use layout_nvidia::element::Tf32;
/// assert_eq!(f64::from(Tf32::new(1.0 + 1.0 / 1024.0)), 1.0 + 1.0 / 1024.0);
/// assert_eq!(f64::from(Tf32::new(1.0 + 1.0 / 4096.0)), 1.0); // the nearest one
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(transparent)]
pub struct Tf32(f32);
impl Tf32 {
    /// The nearest one, the even one of two; of NaN and what rounds beyond the range, as [`f32`] rounds.
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

/// Floats of 8 bits: how many of mantissa, the bias of the exponent, the largest one and one that is not a number, and
/// what the largest exponent means.
macro_rules! float8 {
    ($(
        $(#[$doc:meta])*
        $name:ident $mantissa:literal $bias:literal $largest:literal $nan:literal
            |$exponent:ident, $fraction:ident| $special:expr;
    )*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        #[repr(transparent)]
        pub struct $name(u8);
        impl $name {
            /// The nearest one, the even one of two; beyond the range the largest: `cvt.rn.satfinite`. NaN is NaN.
            pub fn new(x: f32) -> Self {
                let sign = (x.to_bits() >> 24) as u8 & 0x80;
                if x.is_nan() {
                    return $name(sign | $nan);
                }
                let size = f64::from(x.abs());
                // Floats of one exponent are 2^(exponent - mantissa) apart; those below the smallest one too.
                let exponent = ((size.to_bits() >> 52) as i32 - 1023).max(1 - $bias);
                let apart = f64::from_bits(((1023 + exponent - $mantissa) as u64) << 52);
                // In such steps, as a whole number: beyond 2^52 floats of 64 bits have no others.
                const WHOLE: f64 = (1_u64 << 52) as f64;
                let steps = (size / apart).min(WHOLE) + WHOLE - WHOLE;
                let bits = ((exponent + $bias - 1) as f64) * f64::from(1 << $mantissa) + steps;
                $name(sign | if bits < f64::from($largest) { bits as u8 } else { $largest })
            }
            /// The float of these bits.
            #[inline]
            pub const fn from_bits(bits: u8) -> Self {
                $name(bits)
            }
            /// Its bits.
            #[inline]
            pub const fn to_bits(self) -> u8 {
                self.0
            }
        }
        impl From<$name> for f64 {
            fn from(x: $name) -> f64 {
                let $exponent = i32::from(x.0 >> $mantissa & (0x7f >> $mantissa));
                let $fraction = x.0 & ((1 << $mantissa) - 1);
                let special: Option<f64> = $special;
                // 2^e, exactly: e is between -16 and 15.
                let power = |e: i32| f64::from_bits(((1023 + e) as u64) << 52);
                let size = special.unwrap_or(match $exponent {
                    0 => f64::from($fraction) * power(1 - $bias - $mantissa),
                    e => f64::from($fraction | 1 << $mantissa) * power(e - $bias - $mantissa),
                });
                if x.0 >> 7 == 0 { size } else { -size }
            }
        }
    )* };
}
float8! {
    /// A float of 4 bits of exponent and 3 of mantissa, without infinities. CuTe's `float_e4m3_t`.
    ///
    /// ```
    /// use layout_nvidia::element::E4m3;
    /// assert_eq!(f64::from(E4m3::from_bits(0x7e)), 448.0); // the largest
    /// assert_eq!(f64::from(E4m3::from_bits(0x81)), -0.001953125); // the smallest below zero, 2^-9
    /// assert!(f64::from(E4m3::from_bits(0x7f)).is_nan());
    /// assert_eq!(f64::from(E4m3::new(17.0)), 16.0); // 16 and 18 are as near: the even one
    /// ```
    E4m3 3 7 0x7e 0x7f |exponent, fraction| (exponent == 15 && fraction == 7).then_some(f64::NAN);
    /// A float of 5 bits of exponent and 2 of mantissa: the upper half of an [`f16`](struct@f16). CuTe's `float_e5m2_t`.
    ///
    /// ```
    /// use layout_nvidia::element::E5m2;
    /// assert_eq!(f64::from(E5m2::from_bits(0x7b)), 57344.0); // the largest
    /// assert_eq!(f64::from(E5m2::from_bits(0xfc)), f64::NEG_INFINITY);
    /// ```
    E5m2 2 15 0x7b 0x7f |exponent, fraction| match (exponent, fraction) {
        (31, 0) => Some(f64::INFINITY),
        (31, _) => Some(f64::NAN),
        _ => None,
    };
}

/// Integers of less than a byte, one by one.
macro_rules! narrow {
    ($($(#[$doc:meta])* $name:ident($inner:ty) $low:literal ..= $high:literal;)*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        #[repr(transparent)]
        pub struct $name($inner);
        impl $name {
            #[doc = concat!("The number, or `None` if it is not in ", stringify!($low), "..=", stringify!($high), ".")]
            #[inline]
            pub const fn new(value: $inner) -> Option<Self> {
                match value {
                    $low..=$high => Some($name(value)),
                    _ => None,
                }
            }
        }
        impl From<$name> for i64 {
            #[inline]
            fn from(x: $name) -> i64 {
                x.0.into()
            }
        }
    )* };
}
narrow! {
    /// An integer of 4 bits with a sign. CuTe's `int4b_t`.
    ///
    /// ```
    /// use layout_nvidia::element::I4;
    /// assert_eq!(I4::new(-8).map(i64::from), Some(-8));
    /// assert_eq!(I4::new(8), None);
    /// ```
    I4(i8) -8 ..= 7;
    /// An integer of 4 bits without a sign. CuTe's `uint4b_t`.
    ///
    /// ```
    /// use layout_nvidia::element::U4;
    /// assert_eq!(U4::new(15).map(i64::from), Some(15));
    /// ```
    U4(u8) 0 ..= 15;
    /// A bit. CuTe's `uint1b_t`.
    ///
    /// ```
    /// use layout_nvidia::element::U1;
    /// assert_eq!(U1::new(1).map(i64::from), Some(1));
    /// ```
    U1(u8) 0 ..= 1;
}

/// What an operand is kept in: an element as such, or a word of several that are neighbours along K.
pub trait Packed: Copy + Default {
    /// The element.
    type Element: Copy;
    /// How many of them.
    const ELEMENTS: usize;
    /// Element `i`, of which the first lies in the lowest bits.
    fn element(self, i: usize) -> Self::Element;
    /// What holds these elements: `of(f).element(i) = f(i)`.
    fn of(element: impl FnMut(usize) -> Self::Element) -> Self;
}

macro_rules! unpacked {
    ($($t:ty)*) => { $(
        impl Packed for $t {
            type Element = $t;
            const ELEMENTS: usize = 1;
            #[inline]
            fn element(self, _: usize) -> $t {
                self
            }
            #[inline]
            fn of(mut element: impl FnMut(usize) -> $t) -> $t {
                element(0)
            }
        }
    )* };
}
unpacked! { f16 bf16 Tf32 E4m3 E5m2 f32 f64 Complex<f64> i8 u8 i16 I4 U4 U1 }

macro_rules! packed {
    ($(
        $(#[$doc:meta])*
        $name:ident: $count:literal $element:ident, $bits:literal bits, |$raw:ident| $value:expr;
    )*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        #[repr(transparent)]
        pub struct $name(pub u32);
        impl $name {
            /// The elements as a word, the first in the lowest bits.
            pub fn pack(elements: [$element; $count]) -> Self {
                let bits = |(i, x): (usize, $element)| (x.0 as u32 & ((1 << $bits) - 1)) << ($bits * i);
                $name(elements.into_iter().enumerate().map(bits).sum())
            }
        }
        impl Packed for $name {
            type Element = $element;
            const ELEMENTS: usize = $count;
            #[inline]
            fn element(self, i: usize) -> $element {
                let $raw = self.0 >> ($bits * i) & ((1 << $bits) - 1);
                $element($value)
            }
            #[inline]
            fn of(element: impl FnMut(usize) -> $element) -> Self {
                Self::pack(core::array::from_fn(element))
            }
        }
    )* };
}
packed! {
    /// Eight [`I4`] in a register.
    ///
    /// ```
    /// use layout_nvidia::element::{I4, I4x8, Packed};
    /// let word = I4x8::pack([-8, 7, -1, 0, 1, 2, 3, 4].map(|x| I4::new(x).unwrap()));
    /// assert_eq!(word, I4x8(0x43210f78));
    /// assert_eq!(word.element(2), I4::new(-1).unwrap());
    /// ```
    I4x8: 8 I4, 4 bits, |raw| (raw as i8) << 4 >> 4;
    /// Eight [`U4`] in a register.
    ///
    /// ```
    /// use layout_nvidia::element::{Packed, U4, U4x8};
    /// assert_eq!(U4x8(0x43210f78).element(2), U4::new(15).unwrap());
    /// ```
    U4x8: 8 U4, 4 bits, |raw| raw as u8;
    /// 32 bits in a register.
    ///
    /// ```
    /// use layout_nvidia::element::{Packed, U1, U1x32};
    /// assert_eq!(U1x32(0b100).element(2), U1::new(1).unwrap());
    /// ```
    U1x32: 32 U1, 1 bits, |raw| raw as u8;
}

/// A complex number of two floats of 64 bits. CuTe's `complex<double>`.
///
/// ```
/// use layout_nvidia::element::C64;
/// assert_eq!(C64::new(0.0, 1.0) * C64::new(0.0, 1.0), C64::new(-1.0, 0.0));
/// ```
pub type C64 = Complex<f64>;

/// A sum of products of complex numbers in the three numbers that Gauss's method adds up. CuTe's `GaussComplex`.
///
/// ```
/// use layout_nvidia::element::GaussComplex;
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
