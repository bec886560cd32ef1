//! Nibbles moved within 64 bytes at once, by one permutation.
//!
//! ```text
//! nibble d of the tile afterwards = nibble from[d] before; bytes of low and of high nibbles: two tables of 64
//! ```

use core::arch::x86_64::__m512i;

use pulp::{NullaryFnOnce, cast};

/// The bytes of a tile.
const BYTES: usize = 64;

/// Which nibble each nibble of a tile was, and where the tiles lie.
#[derive(Debug)]
pub(super) struct Permutation {
    /// For the low nibble of each byte and for the high ones its place among the low nibbles, and 64 on the high ones.
    places: [[u8; BYTES]; 2],
    /// Where the eight words of each tile lie, in the source and in the destination, and how far they reach.
    tiles: Vec<[[u32; 8]; 2]>,
    reach: [usize; 2],
}

pulp::simd_type! {
    struct Vbmi {
        sse2: "sse2",
        avx: "avx",
        avx2: "avx2",
        avx512f: "avx512f",
        avx512vbmi: "avx512vbmi",
    }
}

/// `table[i]` for bytes, of 128 in two registers.
#[inline(always)]
fn look(_token: pulp::core_arch::x86::Avx512vbmi, table: [__m512i; 2], i: __m512i) -> __m512i {
    // SAFETY: the token is made only where the processor has the instruction.
    unsafe { core::arch::x86_64::_mm512_permutex2var_epi8(table[0], i, table[1]) }
}

impl Permutation {
    /// `None` where the processor has no such instruction.
    pub(super) fn new(from: impl Fn(usize) -> usize, tiles: Vec<[[u32; 8]; 2]>) -> Option<Self> {
        Vbmi::try_new()?;
        let end = |side: usize| tiles.iter().flat_map(|tile| tile[side]).max().map(|at| at as usize + 8);
        let reach = [end(0)?, end(1)?];
        let place = |nibble: usize| (from(nibble) / 2 + from(nibble) % 2 * BYTES) as u8;
        let places = [0, 1].map(|half| std::array::from_fn(|byte| place(2 * byte + half)));
        Some(Permutation { places, tiles, reach })
    }

    /// The tiles of each of these places.
    pub(super) fn run(&self, from: &[u8], to: &mut [u8], next: impl FnMut(&mut [usize; 2]) -> bool) {
        let simd = Vbmi::try_new().expect("a permutation is made where there are these instructions");
        simd.vectorize(Tiles { simd, permutation: self, from, to, next });
    }
}

struct Tiles<'a, N> {
    simd: Vbmi,
    permutation: &'a Permutation,
    from: &'a [u8],
    to: &'a mut [u8],
    next: N,
}
impl<N: FnMut(&mut [usize; 2]) -> bool> NullaryFnOnce for Tiles<'_, N> {
    type Output = ();
    #[inline(always)]
    fn call(self) {
        let Tiles { simd, permutation, from, to, mut next } = self;
        let [lows, highs] = permutation.places.map(cast::<_, __m512i>);
        let low = simd.avx512f._mm512_set1_epi32(0x0f0f_0f0f);
        let mut place = [0; 2];
        loop {
            let [reach, room] = permutation.reach;
            let (source, target) = (&from[place[0]..][..reach], &mut to[place[1]..][..room]);
            for &[at, to] in &permutation.tiles {
                // SAFETY: the slice has `reach` bytes, and `at` of a tile of `new` is eight less, or lower.
                let word = |k: usize| unsafe { source.as_ptr().add(at[k] as usize).cast::<i64>().read_unaligned() };
                let pair = |k: usize| simd.sse2._mm_set_epi64x(word(k + 1), word(k));
                let half = |k: usize| {
                    let low = simd.avx._mm256_castsi128_si256(pair(k));
                    simd.avx2._mm256_inserti128_si256::<1>(low, pair(k + 2))
                };
                let x = simd.avx512f._mm512_inserti64x4::<1>(simd.avx512f._mm512_castsi256_si512(half(0)), half(4));
                let high = simd.avx512f._mm512_and_si512(simd.avx512f._mm512_srli_epi32::<4>(x), low);
                let table = [simd.avx512f._mm512_and_si512(x, low), high];
                let high = simd.avx512f._mm512_slli_epi32::<4>(look(simd.avx512vbmi, table, highs));
                let y = simd.avx512f._mm512_or_si512(look(simd.avx512vbmi, table, lows), high);
                let words: [u64; 8] = cast(y);
                for k in 0..8 {
                    // SAFETY: as above.
                    unsafe { target.as_mut_ptr().add(to[k] as usize).cast::<u64>().write_unaligned(words[k]) };
                }
            }
            if !next(&mut place) {
                return;
            }
        }
    }
}
