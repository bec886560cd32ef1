//! Permutes the nibbles of 64-byte tiles, two tiles at once, with 16-byte shuffles.
//!
//! ```text
//! bits of a nibble's index in its tile: 0 the half of a byte, 1..4 the byte of a word, 4..7 the word
//! in registers: 4 the half of a register, 5 and 6 the register
//! ```

#[cfg(target_arch = "aarch64")]
use core::arch::aarch64::uint8x16_t;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::{__m256i, _mm_storeh_pd, _mm_storel_epi64};

#[cfg(target_arch = "aarch64")]
use pulp::aarch64::Neon as Shuffles;
use pulp::{NullaryFnOnce, cast};

/// Exchanges of bits of a nibble's index, and the positions of the tiles.
#[derive(Debug)]
pub(super) struct Permutation {
    /// Shuffles that permute bits 1 to 4: first, before each exchange of `across`, and last.
    within: [[u8; 32]; 4],
    /// Whether bits 0 and 1 are exchanged.
    halves: bool,
    /// The register bits (1 or 2) with which bit 4 is exchanged, or 0.
    across: [usize; 2],
    /// The offsets of the eight words of each tile in the source and in the destination, and the
    /// bytes that they span.
    tiles: Vec<[[u32; 8]; 2]>,
    reach: [usize; 2],
}

#[cfg(target_arch = "x86_64")]
pulp::simd_type! {
    struct Shuffles {
        sse2: "sse2",
        avx: "avx",
        avx2: "avx2",
    }
}

impl Permutation {
    /// The permutation that moves bit `target[t]` of a nibble's index to bit `t`; `None` if the
    /// processor lacks the instructions.
    pub(super) fn new(target: [usize; 7], mut tiles: Vec<[[u32; 8]; 2]>) -> Option<Self> {
        Shuffles::try_new()?;
        let end =
            |side: usize| tiles.iter().flat_map(|tile| tile[side]).max().map(|at| at as usize + 8);
        let reach = [end(0)?, end(1)?];
        let wanted = |bit: &usize| target[1..4].contains(bit);
        let place = |of: &[usize; 7], bit: usize| {
            of.iter().position(|&one| one == bit).expect("all bits have places")
        };
        // Bit 4, which tells the two words of a register apart, is one that has to be exchanged.
        let mut now = [0, 1, 2, 3, 4, 5, 6];
        now.swap(4, (4..7).find(|&bit| bit == target[0]).or((4..7).find(wanted)).unwrap_or(4));
        let first = now;
        let shuffle = |now: &mut [usize; 7], swaps: &[(usize, usize)]| {
            let before = *now;
            for &(bit, to) in swaps {
                let at = place(now, bit);
                now.swap(at, to);
            }
            let bit =
                |byte: usize, to: usize| (byte >> (to - 1) & 1) << (place(&before, now[to]) - 1);
            std::array::from_fn(|byte| (1..5).map(|to| bit(byte, to)).sum::<usize>() as u8)
        };
        let (mut within, mut across, halves) = ([[0; 32]; 4], [0; 2], target[0] != 0);
        if halves {
            within[0] = shuffle(&mut now, &[(target[0], 1)]);
            now.swap(0, 1);
        }
        for (within, across) in within[1..].iter_mut().zip(&mut across) {
            if let Some(register) = (5..7).find(|&at| wanted(&now[at])) {
                let leaves = (1..5)
                    .map(|at| now[at])
                    .find(|bit| !wanted(bit))
                    .expect("three bits of four are wanted");
                *within = shuffle(&mut now, &[(leaves, 4)]);
                now.swap(4, register);
                *across = register - 4;
            }
        }
        within[3] = shuffle(&mut now, &[(target[1], 1), (target[2], 2), (target[3], 3)]);
        // The word of the tile that is the n-th in the registers, before and after.
        let ends = [first, std::array::from_fn(|at| place(&target, now[at]))];
        let word = |side: usize, n: usize| {
            (4..7).map(|at| (n >> (at - 4) & 1) << (ends[side][at] - 4)).sum::<usize>()
        };
        for tile in &mut tiles {
            *tile = [0, 1].map(|side| std::array::from_fn(|n| tile[side][word(side, n)]));
        }
        Some(Permutation { within, halves, across, tiles, reach })
    }

    /// Permutes the tiles at each place of the loops.
    pub(super) fn run(
        &self,
        from: &[u8],
        to: &mut [u8],
        next: impl FnMut(&mut [usize; 2]) -> bool,
    ) {
        let simd =
            Shuffles::try_new().expect("a permutation is made where there are these instructions");
        simd.vectorize(Tiles { simd, permutation: self, from, to, next });
    }
}

struct Tiles<'a, N> {
    simd: Shuffles,
    permutation: &'a Permutation,
    from: &'a [u8],
    to: &'a mut [u8],
    next: N,
}
#[cfg(target_arch = "x86_64")]
impl<N: FnMut(&mut [usize; 2]) -> bool> NullaryFnOnce for Tiles<'_, N> {
    type Output = ();
    #[inline(always)]
    fn call(self) {
        let Tiles { simd: Shuffles { sse2, avx, avx2 }, permutation, from, to, mut next } = self;
        let Permutation { within, halves, across, tiles, reach } = permutation;
        let (within, middle) = (within.map(cast::<_, __m256i>), avx._mm256_set1_epi16(0x00f0));
        let mut place = [0; 2];
        loop {
            let (source, target) = (&from[place[0]..][..reach[0]], &mut to[place[1]..][..reach[1]]);
            for two in tiles.chunks(2) {
                // A single last tile is moved twice.
                let [first, second] = [&two[0], &two[two.len() - 1]];
                // SAFETY: the slice has `reach` bytes, and a word of a tile of `new` ends there, or
                // before.
                let word = |at: u32| unsafe {
                    source.as_ptr().add(at as usize).cast::<i64>().read_unaligned()
                };
                let mut x = [avx._mm256_setzero_si256(); 4];
                for k in 0..4 {
                    let pair =
                        |at: &[u32; 8]| sse2._mm_set_epi64x(word(at[2 * k + 1]), word(at[2 * k]));
                    let low = avx._mm256_castsi128_si256(pair(&first[0]));
                    x[k] = avx2._mm256_inserti128_si256::<1>(low, pair(&second[0]));
                }
                if *halves {
                    for x in &mut x {
                        let y = avx2._mm256_shuffle_epi8(*x, within[0]);
                        let differ = avx2._mm256_xor_si256(y, avx2._mm256_srli_epi16::<4>(y));
                        let differ = avx2._mm256_and_si256(differ, middle);
                        let both =
                            avx2._mm256_xor_si256(differ, avx2._mm256_slli_epi16::<4>(differ));
                        *x = avx2._mm256_xor_si256(y, both);
                    }
                }
                for (&within, bit) in within[1..].iter().zip(across) {
                    let exchange = |a, b| {
                        let [a, b] = [
                            avx2._mm256_shuffle_epi8(a, within),
                            avx2._mm256_shuffle_epi8(b, within),
                        ];
                        (avx2._mm256_unpacklo_epi64(a, b), avx2._mm256_unpackhi_epi64(a, b))
                    };
                    match bit {
                        1 => {
                            ((x[0], x[1]), (x[2], x[3])) =
                                (exchange(x[0], x[1]), exchange(x[2], x[3]))
                        }
                        2 => {
                            ((x[0], x[2]), (x[1], x[3])) =
                                (exchange(x[0], x[2]), exchange(x[1], x[3]))
                        }
                        _ => {}
                    }
                }
                for k in 0..4 {
                    let y = avx2._mm256_shuffle_epi8(x[k], within[3]);
                    let pairs =
                        [avx._mm256_castsi256_si128(y), avx2._mm256_extracti128_si256::<1>(y)];
                    for (pair, [_, to]) in pairs.into_iter().zip([first, second]) {
                        // SAFETY: as above; any processor of this kind has the instructions.
                        unsafe {
                            _mm_storel_epi64(
                                target.as_mut_ptr().add(to[2 * k] as usize).cast(),
                                pair,
                            );
                            _mm_storeh_pd(
                                target.as_mut_ptr().add(to[2 * k + 1] as usize).cast(),
                                cast(pair),
                            );
                        }
                    }
                }
            }
            if !next(&mut place) {
                return;
            }
        }
    }
}

/// One tile at a time: a register has 16 bytes.
#[cfg(target_arch = "aarch64")]
impl<N: FnMut(&mut [usize; 2]) -> bool> NullaryFnOnce for Tiles<'_, N> {
    type Output = ();
    #[inline(always)]
    fn call(self) {
        let Tiles { simd: Shuffles { neon, .. }, permutation, from, to, mut next } = self;
        let Permutation { within, halves, across, tiles, reach } = permutation;
        let (within, middle) =
            (within.map(|bytes| cast::<_, [uint8x16_t; 2]>(bytes)[0]), neon.vdupq_n_u16(0x00f0));
        let mut place = [0; 2];
        loop {
            let (source, target) = (&from[place[0]..][..reach[0]], &mut to[place[1]..][..reach[1]]);
            for [read, written] in tiles {
                let word = |at: u32| -> [u8; 8] {
                    std::array::from_fn(|byte| source[at as usize..][..8][byte])
                };
                let mut x: [uint8x16_t; 4] =
                    [0, 1, 2, 3].map(|k| cast([word(read[2 * k]), word(read[2 * k + 1])]));
                if *halves {
                    x = x.map(|x| {
                        let y = cast(neon.vqtbl1q_u8(x, within[0]));
                        let differ = neon.veorq_u16(y, neon.vshrq_n_u16::<4>(y));
                        let differ = neon.vandq_u16(differ, middle);
                        let both = neon.veorq_u16(differ, neon.vshlq_n_u16::<4>(differ));
                        cast(neon.veorq_u16(y, both))
                    });
                }
                for (&within, bit) in within[1..].iter().zip(across) {
                    let exchange = |a, b| {
                        let [a, b] = [a, b].map(|x| cast(neon.vqtbl1q_u8(x, within)));
                        (cast(neon.vzip1q_u64(a, b)), cast(neon.vzip2q_u64(a, b)))
                    };
                    match bit {
                        1 => {
                            ((x[0], x[1]), (x[2], x[3])) =
                                (exchange(x[0], x[1]), exchange(x[2], x[3]))
                        }
                        2 => {
                            ((x[0], x[2]), (x[1], x[3])) =
                                (exchange(x[0], x[2]), exchange(x[1], x[3]))
                        }
                        _ => {}
                    }
                }
                for (k, x) in x.into_iter().enumerate() {
                    let pair = cast::<_, [[u8; 8]; 2]>(neon.vqtbl1q_u8(x, within[3]));
                    for (word, &at) in pair.iter().zip(&written[2 * k..]) {
                        target[at as usize..][..8].copy_from_slice(word);
                    }
                }
            }
            if !next(&mut place) {
                return;
            }
        }
    }
}
