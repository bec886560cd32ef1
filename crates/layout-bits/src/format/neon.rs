//! `Simd` for NEON, which every 64-bit Arm processor has.

use core::arch::aarch64::{float32x4_t, uint8x16_t, uint16x4_t, uint32x4_t};
use core::arch::asm;

use half::f16;
use pulp::aarch64::Neon;
use pulp::{NullaryFnOnce, cast};

use super::simd::{Simd, operations};

/// Converts to `f16`, rounding to nearest.
#[inline(always)]
fn halves(_token: pulp::core_arch::aarch64::Neon, x: float32x4_t) -> uint16x4_t {
    let halves;
    // SAFETY: the token exists only if the processor has the instruction, which reads one register
    // and writes one.
    unsafe {
        asm!("fcvtn {to:v}.4h, {x:v}.4s", to = lateout(vreg) halves, x = in(vreg) x,
            options(pure, nomem, nostack, preserves_flags));
    }
    halves
}
/// Four halves as floats.
#[inline(always)]
fn floats_of(_token: pulp::core_arch::aarch64::Neon, x: uint16x4_t) -> float32x4_t {
    let floats;
    // SAFETY: as above.
    unsafe {
        asm!("fcvtl {to:v}.4s, {x:v}.4h", to = lateout(vreg) floats, x = in(vreg) x,
            options(pure, nomem, nostack, preserves_flags));
    }
    floats
}

/// Right shifts for NEON, whose variable shifts are left shifts: negated counts.
#[inline(always)]
fn right<const N: usize>(shifts: [u32; N]) -> [i32; N] {
    shifts.map(|shift| -(shift as i32))
}

impl Simd for Neon {
    type Bytes = [uint8x16_t; 2];
    type Ints = [uint32x4_t; 4];
    type Floats = [float32x4_t; 4];
    /// The lower bytes, and the upper ones.
    type Halves = [uint8x16_t; 2];
    fn vectorize<F: NullaryFnOnce>(self, f: F) -> F::Output {
        self.vectorize(f)
    }
    operations! { self;
        fn load(from: [&[u8; 16]; 2]) -> Self::Bytes { cast([*from[0], *from[1]]) }
        fn select(x: Self::Bytes, shifts: &[u32; 8], mask: u8) -> Self::Bytes {
            let (neon, mask) = (self.neon, self.neon.vdupq_n_u8(mask));
            let shifts = cast::<[i32; 8], [_; 2]>(right(*shifts));
            let select = |x, shift| neon.vandq_u8(cast(neon.vshlq_u32(cast(x), shift)), mask);
            [select(x[0], shifts[0]), select(x[1], shifts[1])]
        }
        fn join(low: Self::Bytes, high: Self::Bytes, up: u32) -> Self::Bytes {
            let (neon, up) = (self.neon, self.neon.vdupq_n_s16(up as i16));
            let join = |low, high| neon.vorrq_u8(low, cast(neon.vshlq_u16(cast(high), up)));
            [join(low[0], high[0]), join(low[1], high[1])]
        }
        fn look(table: Self::Bytes, x: Self::Bytes) -> Self::Bytes {
            [self.neon.vqtbl1q_u8(table[0], x[0]), self.neon.vqtbl1q_u8(table[1], x[1])]
        }
        fn less(x: Self::Bytes, y: u8) -> [Self::Ints; 2] {
            let y = self.neon.vdupq_n_u8(y);
            self.signed(x.map(|x| self.neon.vsubq_u8(x, y)))
        }
        fn signed(x: Self::Bytes) -> [Self::Ints; 2] {
            let neon = self.neon;
            x.map(|x| {
                let x = cast(x);
                let pairs = [neon.vmovl_s8(neon.vget_low_s8(x)), neon.vmovl_high_s8(x)];
                let fours = pairs.map(|x| [neon.vmovl_s16(neon.vget_low_s16(x)), neon.vmovl_high_s16(x)]);
                cast(fours)
            })
        }
        fn spread(words: [u32; 2], apart: u32) -> Self::Ints {
            let shifts = cast::<[i32; 8], [_; 2]>(right([0, 1, 2, 3, 4, 5, 6, 7].map(|j| j * apart)));
            let [low, high] = words.map(|word| self.neon.vdupq_n_u32(word));
            [(low, shifts[0]), (low, shifts[1]), (high, shifts[0]), (high, shifts[1])]
                .map(|(word, shifts)| self.neon.vshlq_u32(word, shifts))
        }
        fn add_bits(low: Self::Ints, x: Self::Ints, shift: &[u32; 16], mask: u32, up: u32) -> Self::Ints {
            let (neon, shift) = (self.neon, cast::<[i32; 16], [_; 4]>(right(*shift)));
            let (mask, up) = (neon.vdupq_n_u32(mask), neon.vdupq_n_s32(up as i32));
            [0, 1, 2, 3].map(|j| {
                let bits = neon.vandq_u32(neon.vshlq_u32(x[j], shift[j]), mask);
                neon.vorrq_u32(low[j], neon.vshlq_u32(bits, up))
            })
        }
        fn less_ints(x: Self::Ints, flip: u32, y: u32) -> Self::Ints {
            let (flip, y) = (self.neon.vdupq_n_u32(flip), self.neon.vdupq_n_u32(y));
            x.map(|x| self.neon.vsubq_u32(self.neon.veorq_u32(x, flip), y))
        }
        fn ints(from: &[u32; 16]) -> Self::Ints { cast(*from) }
        fn store_ints(x: Self::Ints, to: &mut [u32; 16]) { *to = cast(x); }
        fn floats(x: Self::Ints) -> Self::Floats { x.map(|x| self.neon.vcvtq_f32_s32(cast(x))) }
        fn load_floats(from: &[f32; 16]) -> Self::Floats { cast(*from) }
        fn splat(x: f32) -> Self::Floats { [self.neon.vdupq_n_f32(x); 4] }
        fn times(x: Self::Floats, y: Self::Floats) -> Self::Floats {
            [0, 1, 2, 3].map(|j| self.neon.vmulq_f32(x[j], y[j]))
        }
        fn minus(x: Self::Floats, y: Self::Floats) -> Self::Floats {
            [0, 1, 2, 3].map(|j| self.neon.vsubq_f32(x[j], y[j]))
        }
        fn store(x: Self::Floats, to: &mut [f32; 16]) { *to = cast(x); }
        fn store_halves(x: Self::Floats, to: &mut [f16; 16]) {
            *to = cast(x.map(|x| halves(self.neon, x)));
        }
        fn table_of_halves(x: Self::Floats) -> Self::Halves {
            let [first, second] = cast::<_, Self::Halves>(x.map(|x| halves(self.neon, x)));
            [self.neon.vuzp1q_u8(first, second), self.neon.vuzp2q_u8(first, second)]
        }
        fn look_halves(table: Self::Halves, x: Self::Bytes) -> [[f16; 16]; 2] {
            x.map(|x| {
                let [low, high] = table.map(|table| self.neon.vqtbl1q_u8(table, x));
                cast([self.neon.vzip1q_u8(low, high), self.neon.vzip2q_u8(low, high)])
            })
        }
        fn half(bits: u16) -> f32 {
            cast::<_, [f32; 4]>(floats_of(self.neon, self.neon.vdup_n_u16(bits)))[0]
        }
        fn of_halves(bits: Self::Ints) -> Self::Floats {
            bits.map(|bits| floats_of(self.neon, self.neon.vmovn_u32(bits)))
        }
    }
}
