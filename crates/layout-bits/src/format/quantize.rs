//! Quantizes by ggml's rules, with the same operations in the same order in `f32`, so that blocks
//! equal those of the package `gguf` bit for bit.

use super::number::{TWICE_E2M1, f32_to_f16};
use super::{Field, Format};

/// How the scale and the codes of a block are computed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Rule {
    /// The number `x` with the largest absolute value gets the code 0: `d = x / -levels`.
    Largest { levels: u8 },
    /// The least number gets the code 0, the greatest the last code: `d = (max - min) / levels`.
    Range { levels: u8 },
    /// The largest absolute value becomes 127; codes are rounded half away from zero.
    Round,
    /// The scale is a power of two below the largest absolute value; a code is that of the nearest
    /// number of the table, the first at a tie.
    PowerOfTwo,
}

/// Writes the lowest `width` bits of `bits` at bit `at`, one by one.
pub(crate) fn put(bytes: &mut [u8], at: usize, width: usize, bits: u32) {
    for k in 0..width {
        let (byte, mask) = ((at + k) / 8, 1 << ((at + k) % 8));
        bytes[byte] = bytes[byte] & !mask | if bits >> k & 1 == 1 { mask } else { 0 };
    }
}

impl Field {
    pub(super) fn put(&self, block: &mut [u8], i: usize, code: u32) {
        let mut shift = 0;
        for part in &self.parts {
            put(block, part.bit(i), part.width, code >> shift);
            shift += part.width;
        }
    }
}

/// The bits of the nearest `f16`.
fn half(of: &str, x: f32) -> Result<u32, String> {
    let half = f32_to_f16(x);
    let largest = half::f16::MAX;
    if half.is_finite() {
        Ok(half.to_bits().into())
    } else {
        Err(format!("its {of} {x:e} is beyond {largest}"))
    }
}

/// `1 / d`, and 0 for 0.
fn inverse(d: f32) -> Result<f32, String> {
    let inverse = if d == 0.0 { 0.0 } else { 1.0 / d };
    if inverse.is_finite() { Ok(inverse) } else { Err(format!("its scale {d:e} has no inverse")) }
}

impl Rule {
    pub(super) fn quantize(
        self,
        format: &Format,
        numbers: &[f32],
        block: &mut [u8],
    ) -> Result<(), String> {
        if let Some(i) = numbers.iter().position(|x| !x.is_finite()) {
            return Err(format!("its element {i} is {}", numbers[i]));
        }
        let field = |number: usize| &format.fields[number];
        let (code, scale) = (field(format.value.code), field(format.value.scale[0]));
        let mut largest = 0.0_f32;
        numbers.iter().for_each(|&x| largest = if x.abs() > largest.abs() { x } else { largest });
        let mut codes = |f: &dyn Fn(f32) -> u32| {
            numbers.iter().enumerate().for_each(|(i, &x)| code.put(block, i, f(x)))
        };
        match self {
            Rule::Largest { levels } => {
                let d = largest / -f32::from(levels);
                let (inverse, middle, last) =
                    (inverse(d)?, f32::from(levels) + 0.5, u32::from(levels) * 2 - 1);
                codes(&|x| ((x * inverse + middle).trunc() as u32).min(last));
                scale.put(block, 0, half("scale", d)?);
            }
            Rule::Range { levels } => {
                let (max, min) = numbers
                    .iter()
                    .fold((numbers[0], numbers[0]), |(max, min), &x| (max.max(x), min.min(x)));
                let d = (max - min) / f32::from(levels);
                if !d.is_finite() {
                    return Err(format!("its range {min:e} to {max:e} overflows"));
                }
                let inverse = inverse(d)?;
                codes(&|x| (((x - min) * inverse + 0.5).trunc() as u32).min(levels.into()));
                scale.put(block, 0, half("scale", d)?);
                for &rest in format.value.rest.iter().flat_map(|rest| &rest.1) {
                    field(rest).put(block, 0, half("least number", min)?);
                }
            }
            Rule::Round => {
                let d = largest.abs() / 127.0;
                let inverse = inverse(d)?;
                codes(&|x| {
                    let (size, whole) = ((x * inverse).abs(), (x * inverse).abs().floor());
                    let size = whole + (2.0 * (size - whole)).floor();
                    (if x * inverse < 0.0 { -size } else { size }) as i8 as u8 as u32
                });
                scale.put(block, 0, half("scale", d)?);
            }
            Rule::PowerOfTwo => {
                let size = largest.abs();
                // As in `gguf`, the logarithm is rounded to `f32` before it is rounded down.
                let exponent = if size > 0.0 { f64::from(size).log2() as f32 } else { -125.0 };
                let exponent = exponent.floor() as i32 - 2 + 127;
                let Ok(exponent) = u8::try_from(exponent) else {
                    return Err(format!("its scale 2^{} is below 2^-127", exponent - 127));
                };
                let d = scale.number.decode(exponent.into(), 8);
                codes(&|x| {
                    let error = |code: usize| (d * f32::from(TWICE_E2M1[code]) - x).abs();
                    (1..16)
                        .fold(0, |best, code| if error(code) < error(best) { code } else { best })
                        as u32
                });
                scale.put(block, 0, exponent.into());
            }
        }
        Ok(())
    }
}
