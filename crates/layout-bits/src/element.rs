//! Elements smaller than a byte, and 8-bit floats: conversions between bits and numbers.
//!
//! ```text
//! from_bits(to_bits(x)) = x
//! float of e bits of exponent, m of mantissa:   (-1)^s * 2^(max(E, 1) - bias - m) * (F + 2^m if E > 0)
//! ```
//!
//! Conversions equal those of Python's `ml_dtypes` bit for bit. This file needs only `core`.

use core::fmt;

/// A number of `BITS` bits, at most eight.
///
/// ```
/// use layout_bits::{E2m1, Element, U4};
/// assert_eq!((U4::BITS, U4::NAME, U4::from_bits(9).to_bits()), (4, "u4", 9));
/// assert_eq!(E2m1::from_bits(0b1111), E2m1::new(-6.0));
/// ```
pub trait Element:
    Copy + fmt::Debug + fmt::Display + Default + PartialEq + Send + Sync + sealed::Sealed
{
    /// How many bits it has.
    const BITS: usize;
    /// Its name, in lower case.
    const NAME: &'static str;
    /// The element of these bits; those above the lowest `BITS` are ignored.
    fn from_bits(bits: u8) -> Self;
    /// The bits of the element, with zeros above the lowest `BITS`.
    fn to_bits(self) -> u8;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! element {
    ($name:ty, $bits:literal, $text:literal, |$from:ident| $made:expr, |$of:ident| $raw:expr) => {
        impl sealed::Sealed for $name {}
        impl Element for $name {
            const BITS: usize = $bits;
            const NAME: &'static str = $text;
            #[inline(always)]
            fn from_bits($from: u8) -> Self {
                $made
            }
            #[inline(always)]
            fn to_bits(self) -> u8 {
                let $of = self;
                $raw
            }
        }
    };
}
element! { u8, 8, "u8", |bits| bits, |x| x }
element! { i8, 8, "s8", |bits| bits as i8, |x| x as u8 }

/// Integers of less than a byte.
macro_rules! integers {
    ($(
        $(#[$doc:meta])*
        $name:ident($inner:ident) $bits:literal $text:literal $low:literal ..= $high:literal: $($wide:ident)*;
    )*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(transparent)]
        pub struct $name($inner);
        impl $name {
            /// The least one.
            pub const MIN: Self = $name($low);
            /// The greatest one.
            pub const MAX: Self = $name($high);
            /// The number, which has to be in the range of the type.
            ///
            /// # Panics
            #[doc = concat!("If it is not in ", stringify!($low), "..=", stringify!($high), "; in a constant the build stops.")]
            #[inline]
            #[track_caller]
            pub const fn new(value: $inner) -> Self {
                match Self::checked(value) {
                    Some(x) => x,
                    None => panic!(concat!("a number of ", $text, " is in ", stringify!($low), "..=", stringify!($high))),
                }
            }
            #[doc = concat!("The number, or `None` if it is not in ", stringify!($low), "..=", stringify!($high), ".")]
            #[inline]
            pub const fn checked(value: $inner) -> Option<Self> {
                match value {
                    $low..=$high => Some($name(value)),
                    _ => None,
                }
            }
        }
        element! { $name, $bits, $text,
            |bits| $name(((bits << (8 - $bits)) as $inner) >> (8 - $bits)), |x| x.0 as u8 & (0xff >> (8 - $bits)) }
        $(impl From<$name> for $wide {
            #[inline(always)]
            fn from(x: $name) -> $wide {
                x.0.into()
            }
        })*
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    )* };
}
integers! {
    /// A bit. CuTe's `uint1b_t`.
    ///
    /// ```
    /// use layout_bits::U1;
    /// assert_eq!(u8::from(U1::new(1)), 1);
    /// ```
    U1(u8) 1 "u1" 0 ..= 1: u8 u16 u32 u64 usize i16 i32 i64 f32 f64;
    /// An integer of 2 bits without a sign. CuTe's `uint2b_t`.
    ///
    /// ```
    /// use layout_bits::U2;
    /// assert_eq!(U2::checked(4), None);
    /// ```
    U2(u8) 2 "u2" 0 ..= 3: u8 u16 u32 u64 usize i16 i32 i64 f32 f64;
    /// An integer of 4 bits without a sign. CuTe's `uint4b_t`.
    ///
    /// ```
    /// use layout_bits::U4;
    /// assert_eq!(u8::from(U4::new(9)), 9);
    /// ```
    ///
    /// ```compile_fail
    /// use layout_bits::U4;
    /// const TOO_LARGE: U4 = U4::new(16); // a number of u4 is in 0..=15
    /// ```
    U4(u8) 4 "u4" 0 ..= 15: u8 u16 u32 u64 usize i16 i32 i64 f32 f64;
    /// An integer of 6 bits without a sign, as Q4_K's scales.
    ///
    /// ```
    /// use layout_bits::U6;
    /// assert_eq!(f32::from(U6::MAX), 63.0);
    /// ```
    U6(u8) 6 "u6" 0 ..= 63: u8 u16 u32 u64 usize i16 i32 i64 f32 f64;
    /// An integer of 4 bits with a sign. CuTe's `int4b_t`.
    ///
    /// ```
    /// use layout_bits::{Element, S4};
    /// assert_eq!(i8::from(S4::new(-8)), -8);
    /// assert_eq!(S4::new(-8).to_bits(), 0b1000);
    /// ```
    S4(i8) 4 "s4" -8 ..= 7: i8 i16 i32 i64 f32 f64;
}

/// The parameters of a small float format.
struct Float {
    mantissa: u32,
    bias: i32,
    /// The sign bit, 0 if the format has none.
    sign: u8,
    /// The code of the largest number.
    largest: u8,
    /// The codes for numbers beyond the largest, and for NaN, each without and with a sign.
    beyond: [u8; 2],
    nan: [u8; 2],
}

/// `2^e`, exactly, for a normal float of 64 bits.
const fn power(e: i32) -> f64 {
    f64::from_bits(((1023 + e) as u64) << 52)
}

impl Float {
    /// The absolute value of a code without its sign bit.
    const fn size(&self, code: u8) -> f64 {
        let (exponent, fraction) =
            ((code >> self.mantissa) as i32, code & ((1 << self.mantissa) - 1));
        match exponent {
            0 => fraction as f64 * power(1 - self.bias - self.mantissa as i32),
            e => {
                (fraction | 1 << self.mantissa) as f64 * power(e - self.bias - self.mantissa as i32)
            }
        }
    }
    /// The code of the nearest number, ties to even; `beyond` if the rounded number exceeds the
    /// largest.
    const fn code(&self, x: f32, beyond: [u8; 2]) -> u8 {
        let negative = x.is_sign_negative();
        // A format without a sign has no zero.
        if x.is_nan() || self.sign == 0 && x <= 0.0 {
            return self.nan[negative as usize];
        }
        let size = if negative { -(x as f64) } else { x as f64 };
        // Floats with one exponent have the spacing 2^(exponent - mantissa); subnormal ones have
        // that of the smallest exponent.
        let at = (size.to_bits() >> 52) as i32 - 1023;
        let exponent = if at < 1 - self.bias { 1 - self.bias } else { at };
        let apart = power(exponent - self.mantissa as i32);
        // Rounds to a whole number of steps: adding 2^52 to an f64 drops its fraction.
        const WHOLE: f64 = (1_u64 << 52) as f64;
        let steps = size / apart;
        let steps = (if steps < WHOLE { steps } else { WHOLE }) + WHOLE - WHOLE;
        let code = ((exponent + self.bias - 1) as f64) * (1 << self.mantissa) as f64 + steps;
        match code <= self.largest as f64 {
            true => code as u8 | if negative { self.sign } else { 0 },
            false => beyond[negative as usize],
        }
    }
}

/// Floats of at most a byte.
macro_rules! floats {
    ($(
        $(#[$doc:meta])*
        $name:ident $bits:literal $text:literal $float:expr, special |$code:ident| $special:expr;
    )*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
        #[repr(transparent)]
        pub struct $name(u8);
        impl $name {
            const FLOAT: Float = $float;
            /// The nearest number, ties to even, as in `ml_dtypes`, also for NaN and beyond the
            /// largest number.
            #[inline]
            pub const fn new(x: f32) -> Self {
                $name(Self::FLOAT.code(x, Self::FLOAT.beyond))
            }
            /// The nearest number, saturating at the largest, as PTX's `cvt.rn.satfinite`. NaN is
            /// converted as by [`new`](Self::new).
            #[inline]
            pub const fn saturating(x: f32) -> Self {
                let float = Self::FLOAT;
                $name(float.code(x, [float.largest, float.largest | float.sign]))
            }
            /// The float of these bits; those above the type's are ignored.
            #[inline(always)]
            pub const fn from_bits(bits: u8) -> Self {
                $name(bits & (0xff >> (8 - $bits)))
            }
            /// Its bits.
            #[inline(always)]
            pub const fn to_bits(self) -> u8 {
                self.0
            }
            /// The number, exactly.
            #[inline]
            pub const fn to_f64(self) -> f64 {
                let $code = self.0 & !Self::FLOAT.sign;
                let special: Option<f64> = $special;
                let size = match special {
                    Some(special) => special,
                    None => Self::FLOAT.size($code),
                };
                if $code == self.0 { size } else { -size }
            }
        }
        element! { $name, $bits, $text, |bits| $name::from_bits(bits), |x| x.0 }
        impl From<$name> for f64 {
            #[inline]
            fn from(x: $name) -> f64 {
                x.to_f64()
            }
        }
        impl From<$name> for f32 {
            /// Exact: each of these numbers is an `f32`.
            #[inline]
            fn from(x: $name) -> f32 {
                x.to_f64() as f32
            }
        }
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.to_f64().fmt(f)
            }
        }
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.to_f64().fmt(f)
            }
        }
    )* };
}
floats! {
    /// A float of 2 bits of exponent and 1 of mantissa, all of them numbers. `ml_dtypes`'
    /// `float4_e2m1fn`.
    ///
    /// ```
    /// use layout_bits::E2m1;
    /// let positive: Vec<f32> = (0..8).map(|bits| E2m1::from_bits(bits).into()).collect();
    /// assert_eq!(positive, [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0]);
    /// assert_eq!(E2m1::new(2.5), E2m1::new(2.0)); // 2 and 3 are as near: the even one
    /// ```
    E2m1 4 "e2m1" Float { mantissa: 1, bias: 1, sign: 8, largest: 7, beyond: [7, 15], nan: [8, 0] },
        special |_code| None;
    /// A float of 2 bits of exponent and 3 of mantissa, all of them numbers. `ml_dtypes`'
    /// `float6_e2m3fn`.
    ///
    /// ```
    /// use layout_bits::E2m3;
    /// assert_eq!(f32::from(E2m3::from_bits(31)), 7.5);
    /// ```
    E2m3 6 "e2m3" Float { mantissa: 3, bias: 1, sign: 32, largest: 31, beyond: [31, 63], nan: [32, 0] },
        special |_code| None;
    /// A float of 3 bits of exponent and 2 of mantissa, all of them numbers. `ml_dtypes`'
    /// `float6_e3m2fn`.
    ///
    /// ```
    /// use layout_bits::E3m2;
    /// assert_eq!(f32::from(E3m2::from_bits(31)), 28.0);
    /// ```
    E3m2 6 "e3m2" Float { mantissa: 2, bias: 3, sign: 32, largest: 31, beyond: [31, 63], nan: [32, 0] },
        special |_code| None;
    /// A power of two, without a sign: a scale. `ml_dtypes`' `float8_e8m0fnu`. It has no zero: zero
    /// and negative numbers become NaN.
    ///
    /// ```
    /// use layout_bits::E8m0;
    /// assert_eq!(f32::from(E8m0::from_bits(127)), 1.0);
    /// assert!(f32::from(E8m0::from_bits(255)).is_nan() && f32::from(E8m0::new(0.0)).is_nan());
    /// ```
    E8m0 8 "e8m0" Float { mantissa: 0, bias: 127, sign: 0, largest: 254, beyond: [255, 255], nan: [255, 255] },
        special |code| match code {
            0 => Some(power(-127)),
            255 => Some(f64::NAN),
            _ => None,
        };
    /// A float of 4 bits of exponent and 3 of mantissa, without infinities: numbers beyond the
    /// largest become NaN. `ml_dtypes`' `float8_e4m3fn`, CuTe's `float_e4m3_t`.
    ///
    /// ```
    /// use layout_bits::E4m3;
    /// assert_eq!(f32::from(E4m3::from_bits(0x7e)), 448.0); // the largest
    /// assert!(f32::from(E4m3::new(500.0)).is_nan());
    /// assert_eq!(f32::from(E4m3::saturating(500.0)), 448.0);
    /// ```
    E4m3 8 "e4m3" Float { mantissa: 3, bias: 7, sign: 0x80, largest: 0x7e, beyond: [0x7f, 0xff], nan: [0x7f, 0xff] },
        special |code| if code == 0x7f { Some(f64::NAN) } else { None };
    /// A float of 5 bits of exponent and 2 of mantissa: the upper half of a float of 16 bits.
    /// `ml_dtypes`' `float8_e5m2`, CuTe's `float_e5m2_t`.
    ///
    /// ```
    /// use layout_bits::E5m2;
    /// assert_eq!(f32::from(E5m2::from_bits(0x7b)), 57344.0); // the largest
    /// assert_eq!(f32::from(E5m2::new(-70000.0)), f32::NEG_INFINITY);
    /// ```
    E5m2 8 "e5m2" Float { mantissa: 2, bias: 15, sign: 0x80, largest: 0x7b, beyond: [0x7c, 0xfc], nan: [0x7e, 0xfe] },
        special |code| match code {
            0x7c => Some(f64::INFINITY),
            0x7d..=0x7f => Some(f64::NAN),
            _ => None,
        };
}
