//! How the bits of a field become a number.

use core::fmt;
use std::collections::HashMap;

use half::{bf16, f16};

use crate::element::{E4m3, E5m2};

/// What the bits of a field mean.
///
/// ```
/// use layout_bits::Number;
/// let nibble = Number::Unsigned { minus: 8 };
/// assert_eq!((nibble.decode(15, 4), nibble.to_string()), (7.0, "u - 8".to_string()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// An integer without a sign, less a constant.
    Unsigned {
        /// The constant.
        minus: i32,
    },
    /// An integer with a sign, in two's complement.
    Signed,
    /// A float of 16 bits.
    F16,
    /// A float of 16 bits, 8 of them of exponent.
    Bf16,
    /// A float of 32 bits.
    F32,
    /// An [`E4m3`](crate::E4m3), a float of 8 bits.
    E4m3,
    /// An [`E5m2`](crate::E5m2), a float of 8 bits.
    E5m2,
    /// An [`E8m0`](crate::E8m0), a power of two.
    E8m0,
    /// Half of a power of two: half of an [`E8m0`](crate::E8m0), whose code 255 is no NaN but
    /// `2^127` here. ggml's scale of [`mxfp4`](crate::formats::mxfp4).
    HalfE8m0,
    /// Half of an [`E4m3`] without its sign, whose code 0x7f is 0 and 0xff is 240. ggml's scale of
    /// [`nvfp4`](crate::formats::nvfp4).
    HalfE4m3,
    /// The integer at this index of a table of 16.
    Table(&'static [i8; 16]),
}

/// The most bits of a code for which a table of all codes is made.
const MOST_CODES: usize = 16;

/// Twice the numbers of an [`E2m1`](crate::E2m1), as integers, so without minus zero.
pub(crate) const TWICE_E2M1: [i8; 16] = [0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12];

/// Half of the numbers of an E4m3 as ggml reads them.
const HALF_E4M3: [f32; 256] = {
    let mut table = [0.0; 256];
    let mut code = 0;
    while code < 256 {
        table[code] = match code {
            0x7f => 0.0,
            0xff => 240.0,
            _ => (E4m3::from_bits(code as u8 & 0x7f).to_f64() / 2.0) as f32,
        };
        code += 1;
    }
    table
};

/// The numbers of all codes of 8 bits.
macro_rules! floats_of_a_byte {
    ($($name:ident $element:ident;)*) => { $(
        const $name: [f32; 256] = {
            let mut table = [0.0; 256];
            let mut code = 0;
            while code < 256 {
                table[code] = $element::from_bits(code as u8).to_f64() as f32;
                code += 1;
            }
            table
        };
    )* };
}
floats_of_a_byte! { OF_E4M3 E4m3; OF_E5M2 E5m2; }

impl Number {
    /// The number of these bits, as many as the field has: 1 to 32.
    ///
    /// ```
    /// use layout_bits::Number;
    /// assert_eq!(Number::Signed.decode(0b111110, 6), -2.0);
    /// assert_eq!(Number::F16.decode(0x3c00, 16), 1.0);
    /// assert_eq!((Number::E4m3.decode(0x7e, 8), Number::E5m2.decode(0x7b, 8)), (448.0, 57344.0));
    /// ```
    #[inline(always)]
    pub fn decode(&self, bits: u32, width: usize) -> f32 {
        match self {
            Number::Unsigned { minus } => (i64::from(bits) - i64::from(*minus)) as f32,
            Number::Signed => ((bits << ((32 - width) & 31)) as i32 >> ((32 - width) & 31)) as f32,
            Number::F16 => f16_to_f32(bits as u16),
            Number::Bf16 => bf16::from_bits(bits as u16).to_f32(),
            Number::F32 => f32::from_bits(bits),
            Number::E4m3 => OF_E4M3[bits as usize & 255],
            Number::E5m2 => OF_E5M2[bits as usize & 255],
            Number::E8m0 => f32::from_bits(match bits & 255 {
                0 => 0x0040_0000,
                255 => 0x7fc0_0000,
                bits => bits << 23,
            }),
            Number::HalfE8m0 => {
                f32::from_bits(if bits < 2 { 0x0020_0000 << bits } else { (bits - 1) << 23 })
            }
            Number::HalfE4m3 => HALF_E4M3[bits as usize & 255],
            Number::Table(table) => table[bits as usize & 15].into(),
        }
    }

    /// For each code of `from`, the first code of `to` whose number is less by `less`. `None` if
    /// there are too many codes.
    pub(crate) fn code_map(
        from: (Number, usize),
        to: (Number, usize),
        less: f32,
    ) -> Option<Vec<Option<u32>>> {
        if from.1 > MOST_CODES {
            return None;
        }
        let key = |number: f32| if number.is_nan() { f32::NAN.to_bits() } else { number.to_bits() };
        let mut listed = HashMap::new();
        if !to.0.is_integer() && to.0 != Number::F32 {
            for code in (0..1_u32 << to.1.min(MOST_CODES)).rev() {
                listed.insert(key(to.0.decode(code, to.1)), code);
            }
        }
        let code = |code| {
            let number = from.0.decode(code, from.1);
            // Without a subtraction, minus zero keeps its sign.
            let number = if less == 0.0 { number } else { number - less };
            match to.0 {
                Number::F32 => Some(number.to_bits()),
                _ if to.0.is_integer() => to.0.code_of(number, to.1),
                _ => listed.get(&key(number)).copied(),
            }
        };
        Some((0..1_u32 << from.1).map(code).collect())
    }
    pub(crate) fn is_integer(&self) -> bool {
        matches!(self, Number::Unsigned { .. } | Number::Signed)
    }
    /// The code of an integer.
    pub(crate) fn code_of(&self, number: f32, width: usize) -> Option<u32> {
        // Minus zero is no integer.
        if number.fract() != 0.0 || number.is_nan() || number == 0.0 && number.is_sign_negative() {
            return None;
        }
        let (number, end) = (number as i64, 1_i64 << width);
        let code = match self {
            Number::Unsigned { minus } => Some(number + i64::from(*minus)),
            Number::Signed if (-end / 2..end / 2).contains(&number) => Some(number & (end - 1)),
            _ => None,
        };
        code.filter(|code| (0..end).contains(code)).map(|code| code as u32)
    }

    /// The width that numbers of this kind need, if it is fixed.
    pub(crate) fn width(&self) -> Option<usize> {
        match self {
            Number::Unsigned { .. } | Number::Signed => None,
            Number::F16 | Number::Bf16 => Some(16),
            Number::F32 => Some(32),
            Number::E4m3 | Number::E5m2 | Number::E8m0 | Number::HalfE8m0 | Number::HalfE4m3 => {
                Some(8)
            }
            Number::Table(_) => Some(4),
        }
    }
}

/// Converts without branches, so that loops are vectorized: the exponent is too small by 112, which
/// a product corrects, exactly for subnormal numbers too.
#[inline(always)]
pub(super) fn f16_to_f32(bits: u16) -> f32 {
    let (sign, rest) = (u32::from(bits & 0x8000) << 16, u32::from(bits & 0x7fff));
    let size = f32::from_bits(rest << 13) * f32::from_bits((254 - 15) << 23);
    let special = if rest >= 0x7c00 { 0x7f80_0000 | rest << 13 } else { size.to_bits() };
    f32::from_bits(sign | special)
}

/// The nearest float of 16 bits, as [`f16::from_f32`], without branches.
#[inline(always)]
pub(super) fn f32_to_f16(x: f32) -> f16 {
    let bits = x.to_bits();
    let (sign, size) = ((bits >> 16) & 0x8000, bits & 0x7fff_ffff);
    // Subnormal results: adding a float whose last bit has the weight of the least subnormal `f16`
    // rounds.
    const LAST: u32 = ((127 - 15) + (23 - 10) + 1) << 23;
    let subnormal = (f32::from_bits(size) + f32::from_bits(LAST)).to_bits().wrapping_sub(LAST);
    let normal = size.wrapping_add(0xc800_0fff).wrapping_add(size >> 13 & 1) >> 13;
    let special = if size > 0x7f80_0000 { 0x7e00 | size >> 13 & 0x3ff } else { 0x7c00 };
    let finite = if size < (113 << 23) { subnormal } else { normal };
    f16::from_bits((sign | if size >= (143 << 23) { special } else { finite }) as u16)
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Unsigned { minus: 0 } => f.pad("u"),
            Number::Unsigned { minus } if *minus < 0 => {
                f.pad(&format!("u + {}", minus.unsigned_abs()))
            }
            Number::Unsigned { minus } => f.pad(&format!("u - {minus}")),
            Number::Signed => f.pad("s"),
            Number::F16 => f.pad("f16"),
            Number::Bf16 => f.pad("bf16"),
            Number::F32 => f.pad("f32"),
            Number::E4m3 => f.pad("e4m3"),
            Number::E5m2 => f.pad("e5m2"),
            Number::E8m0 => f.pad("e8m0"),
            Number::HalfE8m0 => f.pad("e8m0 / 2"),
            Number::HalfE4m3 => f.pad("e4m3 / 2"),
            Number::Table(table) if **table == TWICE_E2M1 => f.pad("2 * e2m1"),
            Number::Table(table) => f.pad(&format!("{table:?}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares all `f16`s, and `f32`s around every tie, with the crate `half`.
    #[test]
    fn halves_are_those_of_the_crate() {
        for bits in 0..=u16::MAX {
            let (ours, theirs) = (f16_to_f32(bits), f16::from_bits(bits).to_f32());
            assert!(
                ours.to_bits() == theirs.to_bits() || ours.is_nan() && theirs.is_nan(),
                "{bits:#x}"
            );
            for near in -3..=3_i32 {
                for tie in [0, 0x1000] {
                    let x =
                        f32::from_bits(ours.to_bits().wrapping_add(tie).wrapping_add_signed(near));
                    let (ours, theirs) = (f32_to_f16(x), f16::from_f32(x));
                    assert!(
                        ours.to_bits() == theirs.to_bits() || ours.is_nan() && theirs.is_nan(),
                        "{x:e}"
                    );
                }
            }
        }
        for bits in (0..=u32::MAX).step_by(65521) {
            let x = f32::from_bits(bits);
            let (ours, theirs) = (f32_to_f16(x), f16::from_f32(x));
            assert!(
                ours.to_bits() == theirs.to_bits() || ours.is_nan() && theirs.is_nan(),
                "{x:e}"
            );
        }
    }
}
