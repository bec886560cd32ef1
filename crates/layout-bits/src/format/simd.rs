//! The vector operations on 16 codes of which the loops over runs consist, for each instruction
//! set.
//!
//! The operations are methods of a token, `Avx512`, `Avx2`, `Neon` or `Portable`, which exists only
//! if the processor has the instructions.

use half::f16;
use pulp::{NullaryFnOnce, cast};

use super::number::{f16_to_f32, f32_to_f16};

/// Codes in a vector.
pub(super) const LANES: usize = 16;

/// Prefetches the cache line that lies `_behind` bytes after `_near`.
#[inline(always)]
pub(super) fn fetch<T>(_near: &T, _behind: usize) {
    // SAFETY: a prefetch is a hint and may have any address.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>((_near as *const T).cast::<i8>().wrapping_add(_behind));
    }
}

/// Operations on twice 16 bytes, and on 16 integers of 32 bits and floats.
pub(super) trait Simd: Copy {
    type Bytes: Copy;
    type Ints: Copy;
    type Floats: Copy;
    type Halves: Copy;
    /// Calls `f` as compiled for these instructions.
    fn vectorize<F: NullaryFnOnce>(self, f: F) -> F::Output;
    fn load(self, from: [&[u8; 16]; 2]) -> Self::Bytes;
    /// `x >> shifts[j / 4] & mask` for each byte; the shifted bits must stay within their byte.
    fn select(self, x: Self::Bytes, shifts: &[u32; 8], mask: u8) -> Self::Bytes;
    /// `low | high << up`; the shifted bits must stay within their byte.
    fn join(self, low: Self::Bytes, high: Self::Bytes, up: u32) -> Self::Bytes;
    /// `table[x]` for `x < 16`.
    fn look(self, table: Self::Bytes, x: Self::Bytes) -> Self::Bytes;
    /// `x - y`, wrapping, sign-extended.
    fn less(self, x: Self::Bytes, y: u8) -> [Self::Ints; 2];
    /// Sign-extends bytes.
    fn signed(self, x: Self::Bytes) -> [Self::Ints; 2];
    /// `words[j / 8] >> (j % 8 * apart)`
    fn spread(self, words: [u32; 2], apart: u32) -> Self::Ints;
    /// `low | (x >> shift & mask) << up`, with a shift for each lane.
    fn add_bits(
        self,
        low: Self::Ints,
        x: Self::Ints,
        shift: &[u32; 16],
        mask: u32,
        up: u32,
    ) -> Self::Ints;
    /// `x ^ flip - y`
    fn less_ints(self, x: Self::Ints, flip: u32, y: u32) -> Self::Ints;
    fn ints(self, from: &[u32; 16]) -> Self::Ints;
    fn store_ints(self, x: Self::Ints, to: &mut [u32; 16]);
    fn floats(self, x: Self::Ints) -> Self::Floats;
    fn load_floats(self, from: &[f32; 16]) -> Self::Floats;
    fn splat(self, x: f32) -> Self::Floats;
    fn times(self, x: Self::Floats, y: Self::Floats) -> Self::Floats;
    fn minus(self, x: Self::Floats, y: Self::Floats) -> Self::Floats;
    fn store(self, x: Self::Floats, to: &mut [f32; 16]);
    /// Stores as `f16`, rounded to nearest.
    fn store_halves(self, x: Self::Floats, to: &mut [f16; 16]);
    /// A lookup table of 16 `f16`s, rounded to nearest.
    fn table_of_halves(self, x: Self::Floats) -> Self::Halves;
    /// `table[x]` for `x < 16`.
    fn look_halves(self, table: Self::Halves, x: Self::Bytes) -> [[f16; 16]; 2];
    fn half(self, bits: u16) -> f32;
    /// Converts from the bits of `f16`s.
    fn of_halves(self, bits: Self::Ints) -> Self::Floats;
}

/// Defines inlined methods of `self`, one line for each operation.
macro_rules! operations {
    ($self:ident; $(fn $name:ident($($x:ident: $of:ty),*) $(-> $to:ty)? $body:block)*) => {
        $(#[inline(always)]
        fn $name($self, $($x: $of),*) $(-> $to)? $body)*
    };
}
#[cfg(target_arch = "aarch64")]
pub(super) use operations;

/// Portable operations on integers and arrays.
#[derive(Clone, Copy)]
pub(super) struct Portable;
#[inline(always)]
fn each<A: Copy, T: Default + Copy, const N: usize>(x: [A; N], f: impl Fn(A) -> T) -> [T; N] {
    let mut to = [T::default(); N];
    for j in 0..N {
        to[j] = f(x[j]);
    }
    to
}
#[inline(always)]
fn pairs<A: Copy, B: Copy, T: Default + Copy, const N: usize>(
    x: [A; N],
    y: [B; N],
    f: impl Fn(A, B) -> T,
) -> [T; N] {
    let mut to = [T::default(); N];
    for j in 0..N {
        to[j] = f(x[j], y[j]);
    }
    to
}
impl Simd for Portable {
    type Bytes = [u64; 4];
    type Ints = [u32; 16];
    type Floats = [f32; 16];
    type Halves = [f16; 16];
    fn vectorize<F: NullaryFnOnce>(self, f: F) -> F::Output {
        f.call()
    }
    operations! { self;
        fn load(from: [&[u8; 16]; 2]) -> [u64; 4] { cast([*from[0], *from[1]]) }
        fn select(x: [u64; 4], shifts: &[u32; 8], mask: u8) -> [u64; 4] {
            pairs(x, [0, 0, 4, 4], |x, j: usize| x >> (shifts[j] & 7) & u64::from_ne_bytes([mask; 8]))
        }
        fn join(x: [u64; 4], y: [u64; 4], up: u32) -> [u64; 4] { pairs(x, y, |x, y| x | y << (up & 7)) }
        fn look(table: [u64; 4], x: [u64; 4]) -> [u64; 4] {
            let (table, x) = (cast::<_, [u8; 32]>(table), cast::<_, [u8; 32]>(x));
            cast(each(x, |x| table[(x & 15) as usize]))
        }
        fn less(x: [u64; 4], y: u8) -> [[u32; 16]; 2] {
            cast(each(cast::<_, [u8; 32]>(x), |x| x.wrapping_sub(y) as i8 as u32))
        }
        fn signed(x: [u64; 4]) -> [[u32; 16]; 2] { cast(each(cast::<_, [i8; 32]>(x), |x| x as u32)) }
        fn spread(words: [u32; 2], apart: u32) -> [u32; 16] {
            std::array::from_fn(|j| words[j / 8] >> ((j as u32 % 8 * apart) & 31))
        }
        fn add_bits(low: [u32; 16], x: [u32; 16], shift: &[u32; 16], mask: u32, up: u32) -> [u32; 16] {
            pairs(low, pairs(x, *shift, |x, shift| (x >> (shift & 31) & mask) << (up & 31)), |low, x| low | x)
        }
        fn less_ints(x: [u32; 16], flip: u32, y: u32) -> [u32; 16] { each(x, |x| (x ^ flip).wrapping_sub(y)) }
        fn ints(from: &[u32; 16]) -> [u32; 16] { *from }
        fn store_ints(x: [u32; 16], to: &mut [u32; 16]) { *to = x; }
        fn floats(x: [u32; 16]) -> [f32; 16] { each(x, |x| x as i32 as f32) }
        fn load_floats(from: &[f32; 16]) -> [f32; 16] { *from }
        fn splat(x: f32) -> [f32; 16] { [x; 16] }
        fn times(x: [f32; 16], y: [f32; 16]) -> [f32; 16] { pairs(x, y, |x, y| x * y) }
        fn minus(x: [f32; 16], y: [f32; 16]) -> [f32; 16] { pairs(x, y, |x, y| x - y) }
        fn store(x: [f32; 16], to: &mut [f32; 16]) { *to = x; }
        fn store_halves(x: [f32; 16], to: &mut [f16; 16]) { *to = each(x, f32_to_f16); }
        fn table_of_halves(x: [f32; 16]) -> [f16; 16] { each(x, f32_to_f16) }
        fn look_halves(table: [f16; 16], x: [u64; 4]) -> [[f16; 16]; 2] {
            cast(each(cast::<_, [u8; 32]>(x), |x| table[(x & 15) as usize]))
        }
        fn half(bits: u16) -> f32 { f16_to_f32(bits) }
        fn of_halves(bits: [u32; 16]) -> [f32; 16] { each(bits, |bits| f16_to_f32(bits as u16)) }
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use x86::{Avx2, Avx512};
#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::{__m128i, __m256, __m256i, __m512, __m512i};

    use half::f16;
    use pulp::{NullaryFnOnce, cast};

    use super::Simd;

    pulp::simd_type! {
        pub(in super::super) struct Avx2 {
            sse2: "sse2",
            ssse3: "ssse3",
            avx: "avx",
            avx2: "avx2",
            f16c: "f16c",
        }
        pub(in super::super) struct Avx512 {
            sse2: "sse2",
            ssse3: "ssse3",
            avx: "avx",
            avx2: "avx2",
            f16c: "f16c",
            avx512f: "avx512f",
            avx512bw: "avx512bw",
        }
    }

    /// The nearest halves.
    #[inline(always)]
    fn halves(_token: pulp::core_arch::x86::F16c, x: __m256) -> __m128i {
        // SAFETY: the token is made only where the processor has the instruction.
        unsafe { core::arch::x86_64::_mm256_cvtps_ph::<0>(x) }
    }
    /// Eight halves as floats.
    #[inline(always)]
    fn floats_of(_token: pulp::core_arch::x86::F16c, x: __m128i) -> __m256 {
        // SAFETY: as above.
        unsafe { core::arch::x86_64::_mm256_cvtph_ps(x) }
    }

    /// The operations with 32-byte registers, which `Avx2` and `Avx512` share.
    macro_rules! bytes {
        () => {
            type Bytes = __m256i;
            fn vectorize<F: NullaryFnOnce>(self, f: F) -> F::Output {
                self.vectorize(f)
            }
            operations! { self;
                fn half(bits: u16) -> f32 {
                    let bits = self.sse2._mm_cvtsi32_si128(i32::from(bits));
                    cast::<_, [f32; 8]>(floats_of(self.f16c, bits))[0]
                }
                fn load(from: [&[u8; 16]; 2]) -> __m256i { cast([*from[0], *from[1]]) }
                fn select(x: __m256i, shifts: &[u32; 8], mask: u8) -> __m256i {
                    let shifted = self.avx2._mm256_srlv_epi32(x, cast(*shifts));
                    self.avx2._mm256_and_si256(shifted, self.avx._mm256_set1_epi8(mask as i8))
                }
                fn join(low: __m256i, high: __m256i, up: u32) -> __m256i {
                    let high = self.avx2._mm256_sll_epi16(high, self.sse2._mm_cvtsi32_si128(up as i32));
                    self.avx2._mm256_or_si256(low, high)
                }
                fn look(table: __m256i, x: __m256i) -> __m256i { self.avx2._mm256_shuffle_epi8(table, x) }
                fn less(x: __m256i, y: u8) -> [Self::Ints; 2] {
                    self.signed(self.avx2._mm256_sub_epi8(x, self.avx._mm256_set1_epi8(y as i8)))
                }
            }
        };
    }

    impl Simd for Avx2 {
        type Ints = [__m256i; 2];
        type Floats = [__m256; 2];
        /// The lower bytes, and the upper ones, twice.
        type Halves = [__m256i; 2];
        bytes!();
        operations! { self;
            fn table_of_halves(x: Self::Floats) -> [__m256i; 2] {
                let [first, second] = x.map(|x| halves(self.f16c, x));
                let (low, sse2) = (self.sse2._mm_set1_epi16(0xff), self.sse2);
                let lows = sse2._mm_packus_epi16(sse2._mm_and_si128(first, low), sse2._mm_and_si128(second, low));
                let highs = [first, second].map(|halves| sse2._mm_srli_epi16::<8>(halves));
                [lows, sse2._mm_packus_epi16(highs[0], highs[1])].map(|x| self.avx2._mm256_broadcastsi128_si256(x))
            }
            fn look_halves(table: [__m256i; 2], x: __m256i) -> [[f16; 16]; 2] {
                // `unpack` works within each 128-bit half of the register.
                let x = self.avx2._mm256_permute4x64_epi64::<0b11_01_10_00>(x);
                let [low, high] = table.map(|table| self.look(table, x));
                let both = [self.avx2._mm256_unpacklo_epi8(low, high), self.avx2._mm256_unpackhi_epi8(low, high)];
                cast(both)
            }
            fn of_halves(bits: [__m256i; 2]) -> [__m256; 2] {
                // `packus` interleaves the 128-bit halves of its operands.
                let both = self.avx2._mm256_packus_epi32(bits[0], bits[1]);
                let [low, high] = cast::<_, [__m128i; 2]>(self.avx2._mm256_permute4x64_epi64::<0b11_01_10_00>(both));
                [floats_of(self.f16c, low), floats_of(self.f16c, high)]
            }
            fn signed(x: __m256i) -> [[__m256i; 2]; 2] {
                cast::<_, [__m128i; 2]>(x).map(|x| {
                    let above = self.sse2._mm_unpackhi_epi64(x, x);
                    [self.avx2._mm256_cvtepi8_epi32(x), self.avx2._mm256_cvtepi8_epi32(above)]
                })
            }
            fn spread(words: [u32; 2], apart: u32) -> [__m256i; 2] {
                let shifts = cast([0, 1, 2, 3, 4, 5, 6, 7].map(|j: u32| j * apart));
                words.map(|word| self.avx2._mm256_srlv_epi32(self.avx._mm256_set1_epi32(word as i32), shifts))
            }
            fn add_bits(low: [__m256i; 2], x: [__m256i; 2], shift: &[u32; 16], mask: u32, up: u32) -> [__m256i; 2] {
                let (shift, up) = (cast::<[u32; 16], [__m256i; 2]>(*shift), self.sse2._mm_cvtsi32_si128(up as i32));
                let mask = self.avx._mm256_set1_epi32(mask as i32);
                let add = |low, x, shift| {
                    let bits = self.avx2._mm256_and_si256(self.avx2._mm256_srlv_epi32(x, shift), mask);
                    self.avx2._mm256_or_si256(low, self.avx2._mm256_sll_epi32(bits, up))
                };
                [add(low[0], x[0], shift[0]), add(low[1], x[1], shift[1])]
            }
            fn less_ints(x: [__m256i; 2], flip: u32, y: u32) -> [__m256i; 2] {
                let (flip, y) = (self.avx._mm256_set1_epi32(flip as i32), self.avx._mm256_set1_epi32(y as i32));
                x.map(|x| self.avx2._mm256_sub_epi32(self.avx2._mm256_xor_si256(x, flip), y))
            }
            fn ints(from: &[u32; 16]) -> [__m256i; 2] { cast(*from) }
            fn store_ints(x: [__m256i; 2], to: &mut [u32; 16]) { *to = cast(x); }
            fn floats(x: [__m256i; 2]) -> [__m256; 2] { x.map(|x| self.avx._mm256_cvtepi32_ps(x)) }
            fn load_floats(from: &[f32; 16]) -> [__m256; 2] { cast(*from) }
            fn splat(x: f32) -> [__m256; 2] { [self.avx._mm256_set1_ps(x); 2] }
            fn times(x: [__m256; 2], y: [__m256; 2]) -> [__m256; 2] {
                [self.avx._mm256_mul_ps(x[0], y[0]), self.avx._mm256_mul_ps(x[1], y[1])]
            }
            fn minus(x: [__m256; 2], y: [__m256; 2]) -> [__m256; 2] {
                [self.avx._mm256_sub_ps(x[0], y[0]), self.avx._mm256_sub_ps(x[1], y[1])]
            }
            fn store(x: [__m256; 2], to: &mut [f32; 16]) { *to = cast(x); }
            fn store_halves(x: [__m256; 2], to: &mut [f16; 16]) {
                *to = cast(x.map(|x| halves(self.f16c, x)));
            }
        }
    }

    impl Simd for Avx512 {
        type Ints = __m512i;
        type Floats = __m512;
        /// Twice.
        type Halves = __m512i;
        bytes!();
        operations! { self;
            fn table_of_halves(x: __m512) -> __m512i {
                let halves = self.avx512f._mm512_cvtps_ph::<0>(x);
                cast([halves, halves])
            }
            fn look_halves(table: __m512i, x: __m256i) -> [[f16; 16]; 2] {
                let places = self.avx512bw._mm512_cvtepu8_epi16(x);
                let found = self.avx512bw._mm512_permutexvar_epi16(places, table);
                cast(found)
            }
            fn of_halves(bits: __m512i) -> __m512 {
                self.avx512f._mm512_cvtph_ps(self.avx512f._mm512_cvtepi32_epi16(bits))
            }
            fn signed(x: __m256i) -> [__m512i; 2] {
                cast::<_, [__m128i; 2]>(x).map(|x| self.avx512f._mm512_cvtepi8_epi32(x))
            }
            fn spread(words: [u32; 2], apart: u32) -> __m512i {
                let shifts = cast([0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7].map(|j: u32| j * apart));
                let [low, high] = words.map(|word| self.avx._mm256_set1_epi32(word as i32));
                let words = self.avx512f._mm512_inserti64x4::<1>(self.avx512f._mm512_castsi256_si512(low), high);
                self.avx512f._mm512_srlv_epi32(words, shifts)
            }
            fn add_bits(low: __m512i, x: __m512i, shift: &[u32; 16], mask: u32, up: u32) -> __m512i {
                let bits = self.avx512f._mm512_srlv_epi32(x, cast(*shift));
                let bits = self.avx512f._mm512_and_si512(bits, self.avx512f._mm512_set1_epi32(mask as i32));
                let bits = self.avx512f._mm512_sll_epi32(bits, self.sse2._mm_cvtsi32_si128(up as i32));
                self.avx512f._mm512_or_si512(low, bits)
            }
            fn less_ints(x: __m512i, flip: u32, y: u32) -> __m512i {
                let x = self.avx512f._mm512_xor_si512(x, self.avx512f._mm512_set1_epi32(flip as i32));
                self.avx512f._mm512_sub_epi32(x, self.avx512f._mm512_set1_epi32(y as i32))
            }
            fn ints(from: &[u32; 16]) -> __m512i { cast(*from) }
            fn store_ints(x: __m512i, to: &mut [u32; 16]) { *to = cast(x); }
            fn floats(x: __m512i) -> __m512 { self.avx512f._mm512_cvtepi32_ps(x) }
            fn load_floats(from: &[f32; 16]) -> __m512 { cast(*from) }
            fn splat(x: f32) -> __m512 { self.avx512f._mm512_set1_ps(x) }
            fn times(x: __m512, y: __m512) -> __m512 { self.avx512f._mm512_mul_ps(x, y) }
            fn minus(x: __m512, y: __m512) -> __m512 { self.avx512f._mm512_sub_ps(x, y) }
            fn store(x: __m512, to: &mut [f32; 16]) { *to = cast(x); }
            fn store_halves(x: __m512, to: &mut [f16; 16]) {
                *to = cast(self.avx512f._mm512_cvtps_ph::<0>(x));
            }
        }
    }
}
