//! Registers of lanes of 16 bytes, one kind for each instruction set.

/// A register of `LANES` lanes of 16 bytes.
///
/// # Safety
/// The caller's processor has the instruction set. A load reads the bytes of a register; a store
/// writes them; a stream also writes them, to an address that is a multiple of the register's size.
pub(crate) trait Register: Copy {
    const LANES: usize;
    const BYTES: usize = 16 * Self::LANES;
    unsafe fn load(from: *const u8) -> Self;
    unsafe fn store(self, to: *mut u8);
    /// Stores past the cache, if the processor can.
    unsafe fn stream(self, to: *mut u8);
    /// Interleaves the elements of `E` bytes of the lower halves of the lanes of two registers.
    unsafe fn low<const E: usize>(self, other: Self) -> Self;
    /// Interleaves the elements of `E` bytes of the upper halves of the lanes of two registers.
    unsafe fn high<const E: usize>(self, other: Self) -> Self;
    /// Transposes the lanes of `LANES` registers, every `step`-th from `at` on: lane `l` of
    /// register `k` becomes lane `k` of register `l`.
    unsafe fn exchange(registers: &mut [Self; 16], at: usize, step: usize);
    /// Loads lane `l` from `from[l]`.
    unsafe fn load_lanes(from: [*const u8; 4]) -> Self;
    /// Stores lane `l` alone.
    unsafe fn store_lane(self, l: usize, to: *mut u8);
    /// Orders streamed bytes before later stores.
    unsafe fn fence();
    /// Picks each byte of a lane: the table has the number of one of the lane's 16 bytes, or 128
    /// for a zero. The table has as many bytes as the register. If `SHUFFLES` is false, the
    /// processor has no such instruction.
    const SHUFFLES: bool;
    unsafe fn shuffle(self, table: *const u8) -> Self;
    unsafe fn or(self, other: Self) -> Self;
    /// Whether stores can bypass the cache.
    const STREAMS: bool = true;

    // Words of four bytes, in registers of several lanes.
    unsafe fn splat(_number: f32) -> Self {
        unreachable!("a register of one lane")
    }
    /// Loads elements of 1, 2 or 4 bytes, each into a word of its own.
    unsafe fn load_words(_from: *const u8, _bytes: usize) -> Self {
        unreachable!("a register of one lane")
    }
    /// The numbers that byte `k` of each word stands for.
    unsafe fn numbers(self, _k: usize) -> Self {
        unreachable!("a register of one lane")
    }
    /// The product, rounded, and then the sum.
    unsafe fn scaled(self, _scale: Self, _bias: Self) -> Self {
        unreachable!("a register of one lane")
    }
}

/// Prefetches a line, whose address need not be valid.
#[inline(always)]
pub(super) fn prefetch(at: *const u8) {
    // SAFETY: every x86-64 has the instruction, which reads nothing that the program sees, from any
    // place.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(at.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = at;
}

/// The register of 16 bytes that every processor of the architecture has.
#[cfg(target_arch = "x86_64")]
pub(super) type Narrow = x86::X;
#[cfg(target_arch = "aarch64")]
pub(super) type Narrow = neon::Q;
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(super) type Narrow = Bytes;

/// 16 bytes, in a register or in memory as the compiler chooses.
#[derive(Clone, Copy)]
pub(super) struct Bytes([u8; 16]);

impl Bytes {
    #[inline(always)]
    fn in_turns<const E: usize>(self, other: Self, first: usize) -> Self {
        Bytes(std::array::from_fn(|k| {
            let (element, byte) = (k / E, k % E);
            let at = first + element / 2 * E + byte;
            if element % 2 == 0 { self.0[at] } else { other.0[at] }
        }))
    }
}

impl Register for Bytes {
    const LANES: usize = 1;
    #[inline(always)]
    unsafe fn load(from: *const u8) -> Self {
        // SAFETY: the caller's promise: 16 bytes may be read.
        unsafe { from.cast::<Self>().read() }
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut u8) {
        // SAFETY: the caller's promise: 16 bytes may be written.
        unsafe { to.cast::<Self>().write(self) }
    }
    #[inline(always)]
    unsafe fn stream(self, to: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { self.store(to) }
    }
    #[inline(always)]
    unsafe fn low<const E: usize>(self, other: Self) -> Self {
        self.in_turns::<E>(other, 0)
    }
    #[inline(always)]
    unsafe fn high<const E: usize>(self, other: Self) -> Self {
        self.in_turns::<E>(other, 8)
    }
    #[inline(always)]
    unsafe fn exchange(_: &mut [Self; 16], _: usize, _: usize) {}
    #[inline(always)]
    unsafe fn load_lanes(from: [*const u8; 4]) -> Self {
        // SAFETY: the caller's promise.
        unsafe { Self::load(from[0]) }
    }
    #[inline(always)]
    unsafe fn store_lane(self, _: usize, to: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { self.store(to) }
    }
    #[inline(always)]
    unsafe fn fence() {}
    const SHUFFLES: bool = false;
    #[inline(always)]
    unsafe fn shuffle(self, _: *const u8) -> Self {
        self
    }
    #[inline(always)]
    unsafe fn or(self, _: Self) -> Self {
        self
    }
    const STREAMS: bool = false;
}

#[cfg(target_arch = "x86_64")]
pub(super) mod x86 {
    use super::Register;
    use std::arch::x86_64::*;

    #[derive(Clone, Copy)]
    pub(in crate::kernel) struct X(__m128i);
    #[derive(Clone, Copy)]
    pub(in crate::kernel) struct Y(__m256i);
    /// As `Y`, but one of the 32 registers of AVX-512.
    #[derive(Clone, Copy)]
    pub(in crate::kernel) struct W(__m256i);
    #[derive(Clone, Copy)]
    pub(in crate::kernel) struct Z(__m512i);

    macro_rules! register {
        ($(#[$attribute:meta])* $name:ident, $lanes:literal, $load:ident $store:ident $stream:ident,
         $($low:ident $high:ident $e:tt),*; $exchange:expr; $lanes_at:expr; $lane:expr;
         $shuffles:literal $shuffle:ident $or:ident
         $(; $half:ident $quarter:ident, $splat:ident $pairs:ident $bytes:ident,
         $word:ident $shift:ident $and:ident $number:ident, $as_floats:ident $product:ident $sum:ident $as_bits:ident)?) => {
            impl Register for $name {
                const LANES: usize = $lanes;
                #[inline(always)]
                unsafe fn load(from: *const u8) -> Self {
                    // SAFETY: the caller's promise: the instruction is there, and the bytes may be
                    // read.
                    $name(unsafe { $load(from.cast()) })
                }
                #[inline(always)]
                unsafe fn store(self, to: *mut u8) {
                    // SAFETY: the caller's promise: the instruction is there, and the bytes may be
                    // written.
                    unsafe { $store(to.cast(), self.0) }
                }
                #[inline(always)]
                unsafe fn stream(self, to: *mut u8) {
                    // SAFETY: as in `store`; the place is aligned.
                    unsafe { $stream(to.cast(), self.0) }
                }
                #[inline(always)]
                unsafe fn low<const E: usize>(self, other: Self) -> Self {
                    // SAFETY: the instruction is there.
                    $name(unsafe { match E { $($e => $low(self.0, other.0),)* } })
                }
                #[inline(always)]
                unsafe fn high<const E: usize>(self, other: Self) -> Self {
                    // SAFETY: the instruction is there.
                    $name(unsafe { match E { $($e => $high(self.0, other.0),)* } })
                }
                #[inline(always)]
                unsafe fn exchange(registers: &mut [Self; 16], at: usize, step: usize) {
                    // SAFETY: the instruction is there.
                    unsafe { $exchange(registers, at, step) }
                }
                #[inline(always)]
                unsafe fn load_lanes(from: [*const u8; 4]) -> Self {
                    // SAFETY: the instructions are there, and 16 bytes may be read at each place.
                    $name(unsafe {
                        let [a, b, c, d] = from;
                        let lanes = [
                            _mm_loadu_si128(a.cast()),
                            _mm_loadu_si128(b.cast()),
                            _mm_loadu_si128(c.cast()),
                            _mm_loadu_si128(d.cast()),
                        ];
                        $lanes_at(lanes)
                    })
                }
                #[inline(always)]
                unsafe fn store_lane(self, l: usize, to: *mut u8) {
                    // SAFETY: the instructions are there, and 16 bytes may be written.
                    unsafe { _mm_storeu_si128(to.cast(), $lane(self.0, l)) }
                }
                #[inline(always)]
                unsafe fn fence() {
                    // SAFETY: every x86-64 has the instruction.
                    unsafe { _mm_sfence() }
                }
                const SHUFFLES: bool = $shuffles;
                #[inline(always)]
                unsafe fn shuffle(self, table: *const u8) -> Self {
                    // SAFETY: the caller's promise: the instructions are there, and the table may
                    // be read.
                    $name(unsafe { $shuffle(self.0, $load(table.cast())) })
                }
                #[inline(always)]
                unsafe fn or(self, other: Self) -> Self {
                    // SAFETY: the instruction is there.
                    $name(unsafe { $or(self.0, other.0) })
                }
                $(
                #[inline(always)]
                unsafe fn splat(number: f32) -> Self {
                    // SAFETY: the caller's promise: the instructions are there.
                    $name(unsafe { $as_bits($splat(number)) })
                }
                #[inline(always)]
                unsafe fn load_words(from: *const u8, bytes: usize) -> Self {
                    // SAFETY: as above; so many bytes for each word may be read.
                    $name(unsafe {
                        match bytes {
                            1 => $bytes($quarter(from.cast())),
                            2 => $pairs($half(from.cast())),
                            _ => $load(from.cast()),
                        }
                    })
                }
                #[inline(always)]
                unsafe fn numbers(self, k: usize) -> Self {
                    // SAFETY: the caller's promise: the instructions are there.
                    $name(unsafe {
                        let shifted = $shift(self.0, _mm_cvtsi32_si128(8 * k as i32));
                        $as_bits($number($and(shifted, $word(255))))
                    })
                }
                #[inline(always)]
                unsafe fn scaled(self, scale: Self, bias: Self) -> Self {
                    // SAFETY: the caller's promise: the instructions are there.
                    $name(unsafe {
                        let product = $product($as_floats(scale.0), $as_floats(self.0));
                        $as_bits($sum(product, $as_floats(bias.0)))
                    })
                }
                )?
            }
        };
    }
    register! { X, 1, _mm_loadu_si128 _mm_storeu_si128 _mm_stream_si128,
        _mm_unpacklo_epi8 _mm_unpackhi_epi8 1, _mm_unpacklo_epi16 _mm_unpackhi_epi16 2,
        _mm_unpacklo_epi32 _mm_unpackhi_epi32 4, _mm_unpacklo_epi64 _mm_unpackhi_epi64 _;
        no_exchange; only_lane; whole; false first_of_two _mm_or_si128
    }
    register! { #[target_feature(enable = "avx2")] Y, 2, _mm256_loadu_si256 _mm256_storeu_si256 _mm256_stream_si256,
        _mm256_unpacklo_epi8 _mm256_unpackhi_epi8 1, _mm256_unpacklo_epi16 _mm256_unpackhi_epi16 2,
        _mm256_unpacklo_epi32 _mm256_unpackhi_epi32 4, _mm256_unpacklo_epi64 _mm256_unpackhi_epi64 _;
        exchange_two; two_lanes; lane_of_two; true _mm256_shuffle_epi8 _mm256_or_si256; _mm_loadu_si128 _mm_loadl_epi64, _mm256_set1_ps _mm256_cvtepu16_epi32 _mm256_cvtepu8_epi32,
        _mm256_set1_epi32 _mm256_srl_epi32 _mm256_and_si256 _mm256_cvtepi32_ps,
        _mm256_castsi256_ps _mm256_mul_ps _mm256_add_ps _mm256_castps_si256
    }
    register! { #[target_feature(enable = "avx2,avx512f,avx512bw,avx512vl")] W, 2, _mm256_loadu_si256 _mm256_storeu_si256 _mm256_stream_si256,
        _mm256_unpacklo_epi8 _mm256_unpackhi_epi8 1, _mm256_unpacklo_epi16 _mm256_unpackhi_epi16 2,
        _mm256_unpacklo_epi32 _mm256_unpackhi_epi32 4, _mm256_unpacklo_epi64 _mm256_unpackhi_epi64 _;
        exchange_two_of_32; two_lanes; lane_of_two; true _mm256_shuffle_epi8 _mm256_or_si256
    }
    register! { #[target_feature(enable = "avx2,avx512f,avx512bw,avx512vl")] Z, 4, _mm512_loadu_si512 _mm512_storeu_si512 _mm512_stream_si512,
        _mm512_unpacklo_epi8 _mm512_unpackhi_epi8 1, _mm512_unpacklo_epi16 _mm512_unpackhi_epi16 2,
        _mm512_unpacklo_epi32 _mm512_unpackhi_epi32 4, _mm512_unpacklo_epi64 _mm512_unpackhi_epi64 _;
        exchange_four; four_lanes; lane_of_four; true _mm512_shuffle_epi8 _mm512_or_si512;
        _mm256_loadu_si256 _mm_loadu_si128, _mm512_set1_ps _mm512_cvtepu16_epi32 _mm512_cvtepu8_epi32,
        _mm512_set1_epi32 _mm512_srl_epi32 _mm512_and_si512 _mm512_cvtepi32_ps,
        _mm512_castsi512_ps _mm512_mul_ps _mm512_add_ps _mm512_castps_si512
    }

    #[inline(always)]
    unsafe fn first_of_two(first: __m128i, _: __m128i) -> __m128i {
        first
    }
    #[inline(always)]
    unsafe fn no_exchange(_: &mut [X; 16], _: usize, _: usize) {}
    #[inline(always)]
    unsafe fn only_lane(lanes: [__m128i; 4]) -> __m128i {
        lanes[0]
    }
    #[inline(always)]
    unsafe fn two_lanes(lanes: [__m128i; 4]) -> __m256i {
        // SAFETY: the caller's promise: the instruction is there.
        unsafe { _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(lanes[0]), lanes[1]) }
    }
    #[inline(always)]
    unsafe fn four_lanes(lanes: [__m128i; 4]) -> __m512i {
        // SAFETY: the caller's promise: the instructions are there.
        unsafe {
            let low = two_lanes(lanes);
            let high = two_lanes([lanes[2], lanes[3], lanes[2], lanes[3]]);
            _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high)
        }
    }
    #[inline(always)]
    unsafe fn whole(register: __m128i, _: usize) -> __m128i {
        register
    }
    macro_rules! exchange_two {
        ($($name:ident $register:ident)*) => { $(
            #[inline(always)]
            unsafe fn $name(r: &mut [$register; 16], at: usize, step: usize) {
                let (a, b) = (r[at].0, r[at + step].0);
                // SAFETY: the caller's promise: the instruction is there.
                unsafe {
                    r[at] = $register(_mm256_permute2x128_si256::<0x20>(a, b));
                    r[at + step] = $register(_mm256_permute2x128_si256::<0x31>(a, b));
                }
            }
        )* };
    }
    exchange_two! { exchange_two Y exchange_two_of_32 W }
    #[inline(always)]
    unsafe fn exchange_four(r: &mut [Z; 16], at: usize, step: usize) {
        // An array's `map` is not always inlined.
        let (a, b, c, d) = (r[at].0, r[at + step].0, r[at + 2 * step].0, r[at + 3 * step].0);
        // SAFETY: the caller's promise: the instruction is there.
        unsafe {
            // Lanes 0 and 1 of a and b, and lanes 2 and 3 of a and b; then the same of c and d.
            let (low, high) =
                (_mm512_shuffle_i64x2::<0x44>(a, b), _mm512_shuffle_i64x2::<0xEE>(a, b));
            let (lower, higher) =
                (_mm512_shuffle_i64x2::<0x44>(c, d), _mm512_shuffle_i64x2::<0xEE>(c, d));
            r[at] = Z(_mm512_shuffle_i64x2::<0x88>(low, lower));
            r[at + step] = Z(_mm512_shuffle_i64x2::<0xDD>(low, lower));
            r[at + 2 * step] = Z(_mm512_shuffle_i64x2::<0x88>(high, higher));
            r[at + 3 * step] = Z(_mm512_shuffle_i64x2::<0xDD>(high, higher));
        }
    }
    #[inline(always)]
    unsafe fn lane_of_two(register: __m256i, l: usize) -> __m128i {
        // SAFETY: the caller's promise: the instruction is there.
        unsafe {
            if l == 0 {
                _mm256_castsi256_si128(register)
            } else {
                _mm256_extracti128_si256::<1>(register)
            }
        }
    }
    #[inline(always)]
    unsafe fn lane_of_four(register: __m512i, l: usize) -> __m128i {
        // SAFETY: the caller's promise: the instruction is there.
        unsafe {
            match l {
                0 => _mm512_castsi512_si128(register),
                1 => _mm512_extracti32x4_epi32::<1>(register),
                2 => _mm512_extracti32x4_epi32::<2>(register),
                _ => _mm512_extracti32x4_epi32::<3>(register),
            }
        }
    }
}

#[cfg(target_arch = "aarch64")]
pub(super) mod neon {
    use super::Register;
    use std::arch::aarch64::*;

    /// NEON is part of every AArch64 that Rust's targets for it describe.
    #[derive(Clone, Copy)]
    pub(in crate::kernel) struct Q(uint8x16_t);

    macro_rules! zip {
        ($a:expr, $b:expr, $zip8:ident $zip16:ident $zip32:ident $zip64:ident) => {
            // SAFETY: the instruction is there.
            Q(unsafe {
                match E {
                    1 => $zip8($a, $b),
                    2 => vreinterpretq_u8_u16($zip16(
                        vreinterpretq_u16_u8($a),
                        vreinterpretq_u16_u8($b),
                    )),
                    4 => vreinterpretq_u8_u32($zip32(
                        vreinterpretq_u32_u8($a),
                        vreinterpretq_u32_u8($b),
                    )),
                    _ => vreinterpretq_u8_u64($zip64(
                        vreinterpretq_u64_u8($a),
                        vreinterpretq_u64_u8($b),
                    )),
                }
            })
        };
    }

    impl Register for Q {
        const LANES: usize = 1;
        #[inline(always)]
        unsafe fn load(from: *const u8) -> Self {
            // SAFETY: the caller's promise: 16 bytes may be read.
            Q(unsafe { vld1q_u8(from) })
        }
        #[inline(always)]
        unsafe fn store(self, to: *mut u8) {
            // SAFETY: the caller's promise: 16 bytes may be written.
            unsafe { vst1q_u8(to, self.0) }
        }
        #[inline(always)]
        unsafe fn stream(self, to: *mut u8) {
            // SAFETY: as in `store`.
            unsafe { vst1q_u8(to, self.0) }
        }
        #[inline(always)]
        unsafe fn low<const E: usize>(self, other: Self) -> Self {
            zip!(self.0, other.0, vzip1q_u8 vzip1q_u16 vzip1q_u32 vzip1q_u64)
        }
        #[inline(always)]
        unsafe fn high<const E: usize>(self, other: Self) -> Self {
            zip!(self.0, other.0, vzip2q_u8 vzip2q_u16 vzip2q_u32 vzip2q_u64)
        }
        #[inline(always)]
        unsafe fn exchange(_: &mut [Self; 16], _: usize, _: usize) {}
        #[inline(always)]
        unsafe fn load_lanes(from: [*const u8; 4]) -> Self {
            // SAFETY: the caller's promise.
            unsafe { Self::load(from[0]) }
        }
        #[inline(always)]
        unsafe fn store_lane(self, _: usize, to: *mut u8) {
            // SAFETY: as in `store`.
            unsafe { vst1q_u8(to, self.0) }
        }
        #[inline(always)]
        unsafe fn fence() {}
        const SHUFFLES: bool = true;
        #[inline(always)]
        unsafe fn shuffle(self, table: *const u8) -> Self {
            // SAFETY: the caller's promise: the instructions are there, and the table may be read.
            Q(unsafe { vqtbl1q_u8(self.0, vld1q_u8(table)) })
        }
        #[inline(always)]
        unsafe fn or(self, other: Self) -> Self {
            // SAFETY: the instruction is there.
            Q(unsafe { vorrq_u8(self.0, other.0) })
        }
    }
}
