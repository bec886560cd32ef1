//! Elements of every type to multiply, and what they stand for: small whole numbers, of which no
//! sum is rounded.
#![allow(dead_code, reason = "each test needs a part of it")]

use std::any::{Any, TypeId, type_name};

use half::{bf16, f16};
use layout_instructions::element::{
    C64, E4m3, E5m2, GaussComplex, I4x8, Packed, S4, Tf32, U1, U1x32, U4, U4x8,
};

/// Pseudo-random numbers: xorshift.
pub struct Numbers(u64);
impl Numbers {
    /// Others for each name.
    pub fn new(name: &str) -> Self {
        let mix = |seed: u64, byte: u8| (seed ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        Numbers(name.bytes().fold(0x9e37_79b9_7f4a_7c15, mix))
    }
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 11
    }
    /// A whole number of at least `low` and at most `high`.
    fn within(&mut self, low: i64, high: i64) -> i64 {
        low + (self.next() % (high - low + 1) as u64) as i64
    }
    /// What products are added to. One integer in four is so near the limits that sums leave them.
    pub fn sum<C: Copy + 'static>(&mut self) -> C {
        let small = self.within(-9, 9);
        let (re, im) = (small as f64, self.within(-9, 9) as f64);
        let large = match self.next() % 8 {
            0 => i32::MAX,
            1 => i32::MIN,
            _ => small as i32,
        };
        let gauss = GaussComplex([re, im, self.within(-9, 9) as f64]);
        any([&f16::from_f64(re), &(re as f32), &re, &C64::new(re, im), &gauss, &large])
    }
}

/// The one of these that is a `T`.
fn any<const N: usize, T: Copy + 'static>(all: [&dyn Any; N]) -> T {
    let one = all.into_iter().find_map(|one| one.downcast_ref::<T>().copied());
    one.unwrap_or_else(|| panic!("no element is a {}", type_name::<T>()))
}

/// A factor of a product.
pub fn word<T: Copy + 'static>(numbers: &mut Numbers) -> T {
    let (re, im) = (numbers.within(-3, 3), numbers.within(-3, 3));
    let float = re as f32;
    let i4 = std::array::from_fn(|_| S4::new(numbers.within(-8, 7) as i8));
    let u4 = std::array::from_fn(|_| U4::new(numbers.within(0, 15) as u8));
    let u1 = std::array::from_fn(|_| U1::new(numbers.within(0, 1) as u8));
    any([
        &f16::from_f32(float),
        &bf16::from_f32(float),
        &Tf32::new(float),
        &E4m3::from_bits([0x00, 0x38, 0x40, 0x44, 0xc4, 0xc0, 0xb8][(re + 7) as usize % 7]),
        &E5m2::from_bits([0x00, 0x3c, 0x40, 0x42, 0xc2, 0xc0, 0xbc][(re + 7) as usize % 7]),
        &float,
        &f64::from(float),
        &C64::new(re as f64, im as f64),
        &(numbers.within(-128, 127) as i8),
        &(numbers.within(0, 255) as u8),
        &(numbers.within(-32768, 32767) as i16),
        &i4[0],
        &u4[0],
        &u1[0],
        &I4x8::from_elements(i4),
        &U4x8::from_elements(u4),
        &U1x32::from_elements(u1),
    ])
}

/// The number that an element is.
pub fn number<T: Any>(x: T) -> C64 {
    let x: &dyn Any = &x;
    macro_rules! any {
        ($($t:ty: $value:expr;)*) => {
            $(if let Some(x) = x.downcast_ref::<$t>() { return C64::from($value(*x)); })*
        };
    }
    any! {
        f16: f64::from;
        bf16: f64::from;
        f32: f64::from;
        f64: f64::from;
        i32: f64::from;
        i16: f64::from;
        i8: f64::from;
        u8: f64::from;
        Tf32: f64::from;
        E4m3: f64::from;
        E5m2: f64::from;
        C64: C64::from;
        GaussComplex: C64::from;
        S4: |x| i64::from(x) as f64;
        U4: |x| i64::from(x) as f64;
        U1: |x| i64::from(x) as f64;
    }
    panic!("an element of another type")
}

/// The numbers of the elements of a word.
pub fn elements<T: Packed<Element: Any>>(word: T) -> impl Iterator<Item = C64> {
    (0..T::ELEMENTS).map(move |i| number(word.unpack_element(i)))
}

/// `C + A * B` at one element for one instruction, by hand, as its name says what the sum becomes.
pub fn expected<C: 'static>(name: &str, c: C64, factors: &[(C64, C64)]) -> C64 {
    let products = factors
        .iter()
        .map(|(a, b)| if name.contains("XORPOPC") { (a - b) * (a - b) } else { a * b });
    let sum = c + products.sum::<C64>();
    match TypeId::of::<C>() == TypeId::of::<i32>() {
        true if name.ends_with("SATURATE") => sum.re.clamp(i32::MIN.into(), i32::MAX.into()).into(),
        true => f64::from(sum.re as i64 as i32).into(),
        false => sum,
    }
}
