//! Floats of 8 bits, all 256 values of each type.

use half::f16;
use layout_instructions::element::{E4m3, E5m2};

/// The value of a float with a sign, an exponent of this bias and `MANTISSA` bits.
fn number(bits: u8, mantissa: i32, bias: i32) -> f64 {
    let (exponent, fraction) =
        (i32::from(bits & 0x7f) >> mantissa, f64::from(bits & ((1 << mantissa) - 1)));
    let fraction = fraction / 2_f64.powi(mantissa);
    let size = if exponent == 0 {
        fraction * 2_f64.powi(1 - bias)
    } else {
        (1.0 + fraction) * 2_f64.powi(exponent - bias)
    };
    if bits < 0x80 { size } else { -size }
}

#[test]
fn every_float_of_8_bits_is_its_number() {
    for bits in 0..=255_u8 {
        let (e4m3, e5m2) = (f64::from(E4m3::from_bits(bits)), f64::from(E5m2::from_bits(bits)));
        if bits & 0x7f == 0x7f {
            assert!(e4m3.is_nan());
        } else {
            assert_eq!(e4m3.to_bits(), number(bits, 3, 7).to_bits(), "{bits:#x}");
        }
        // The upper half of an `f16`.
        let half = f16::from_bits(u16::from(bits) << 8).to_f64();
        assert!(e5m2.to_bits() == half.to_bits() || e5m2.is_nan() && half.is_nan(), "{bits:#x}");
        if half.is_finite() {
            assert_eq!(e5m2.to_bits(), number(bits, 2, 15).to_bits(), "{bits:#x}");
        }
    }
}

/// All finite values in order, given by the bits of the nonnegative ones; `new` rounds to nearest,
/// ties to even.
fn rounds(new: impl Fn(f32) -> u8, value: impl Fn(u8) -> f64, largest: u8) {
    for bits in 0..=largest {
        for (sign, flag) in [(1.0, 0), (-1.0, 0x80)] {
            let here = value(bits);
            assert_eq!(new((sign * here) as f32), bits | flag);
            if bits == largest {
                continue;
            }
            // Midpoints and their neighbours in 32 bits: all of them are exact.
            let middle = ((here + value(bits + 1)) / 2.0) as f32;
            assert_eq!(f64::from(middle), (here + value(bits + 1)) / 2.0);
            assert_eq!(new(sign as f32 * middle), (bits + bits % 2) | flag, "{middle}");
            assert_eq!(
                new(sign as f32 * f32::from_bits(middle.to_bits() - 1)),
                bits | flag,
                "below {middle}"
            );
            assert_eq!(
                new(sign as f32 * f32::from_bits(middle.to_bits() + 1)),
                (bits + 1) | flag,
                "above {middle}"
            );
        }
    }
    for beyond in [value(largest) as f32 * 1.5, 1e30, f32::MAX, f32::INFINITY] {
        assert_eq!((new(beyond), new(-beyond)), (largest, largest | 0x80), "{beyond}");
    }
    for tiny in [f32::MIN_POSITIVE, f32::from_bits(1), 1e-30] {
        assert_eq!((new(tiny), new(-tiny)), (0, 0x80), "{tiny}");
    }
    assert!(value(new(f32::NAN)).is_nan() && value(new(-f32::NAN)).is_nan());
}
#[test]
fn a_float_of_32_bits_becomes_the_nearest_of_8() {
    rounds(|x| E4m3::saturating(x).to_bits(), |bits| E4m3::from_bits(bits).into(), 0x7e);
    rounds(|x| E5m2::saturating(x).to_bits(), |bits| E5m2::from_bits(bits).into(), 0x7b);
}
