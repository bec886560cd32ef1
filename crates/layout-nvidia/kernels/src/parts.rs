//! Divides a step of decoding into parts, and joins the results of the parts.

use core::num::NonZeroU32;

use half::{bf16, f16};
use layout_algebra::for_static;
use layout_algebra::prelude::*;
use layout_nvidia::device::Narrow;
use layout_nvidia::device::{self, kernel};

/// The sizes of a step. In the device's memory they stand before the words of the parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(16))]
pub struct Plan {
    /// The counter of the parts that blocks have taken: 0 at the launch.
    pub counter: u32,
    /// The number of parts of all sequences and heads.
    pub parts: u32,
    /// The number of blocks.
    pub blocks: u32,
    /// The number of sequences.
    pub sequences: u32,
    /// The number of rows of queries of a sequence. The last row sees all keys of the sequence, the
    /// row before it all keys but the last.
    pub queries: u32,
    /// The number of heads of keys and values.
    pub heads: u32,
    /// The number of heads of queries that share one of them.
    pub group: u32,
    /// The number of pages that the table has for each sequence.
    pub pages: u32,
    /// The slots of a page, divided by 16.
    pub per_page: u32,
    /// The number of tiles of 128 keys in a part.
    pub chunk: u32,
    /// Unused: it makes the plan a whole number of pairs of words.
    pub nothing: [u32; 2],
}
impl Plan {
    /// The pairs of words of the plan, before the words of its parts.
    pub const PAIRS: usize = size_of::<Plan>() / 16;
    /// The plan and its parts as the device reads them: two words for each part, which are the
    /// part's word and 0, and two words of 0 behind the last part.
    pub fn plan_words(self, lengths: &[u32]) -> impl Iterator<Item = u64> {
        let pair = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        let own = [
            pair(self.counter, self.parts),
            pair(self.blocks, self.sequences),
            pair(self.queries, self.heads),
            pair(self.group, self.pages),
            pair(self.per_page, self.chunk),
            0,
        ];
        own.into_iter()
            .chain(self.part_words(lengths).chain(core::iter::once(0)).flat_map(|word| [word, 0]))
    }
    /// The plan of a step of sequences of these lengths; the chunk is the one that keeps the blocks
    /// busy. `None` if a head of keys has more than 64 rows, if a sequence with keys has fewer keys
    /// than rows of queries, if the table has too few pages, or if a size is 0 or does not fit in
    /// 16 bits.
    #[must_use]
    pub fn with_chunk(self, lengths: &[u32]) -> Option<Self> {
        let per_row = self.group.div_ceil(8);
        let fits = self.queries > 0 && self.group > 0 && per_row.checked_mul(self.queries)? <= 8;
        let long = |length: &u32| {
            *length == 0 || *length >= self.queries && length.div_ceil(128) <= 0xffff
        };
        let sixteen =
            lengths.len() <= 0xffff && self.heads <= 0xffff && self.per_page > 0 && self.blocks > 0;
        let paged = |length: &u32| length.div_ceil(16).div_ceil(self.per_page) <= self.pages;
        if !(fits && sixteen && lengths.iter().all(|length| long(length) && paged(length))) {
            return None;
        }
        // Chooses the chunk with the least estimated time, in halves of a tile; a part takes one
        // half more than its tiles. The estimate is the larger of two times: whole chunks in
        // rounds; and all parts spread evenly, with half a chunk more for the last part.
        let tiles = |each: &dyn Fn(u64) -> u64| -> u64 {
            lengths.iter().map(|length| each(u64::from(length.div_ceil(128)))).sum::<u64>()
                * u64::from(self.heads)
        };
        let time = |chunk: u64| {
            let (whole, parts) =
                (tiles(&|tiles| tiles / chunk), tiles(&|tiles| tiles.div_ceil(chunk)));
            let late = if parts > whole { chunk } else { 0 };
            let blocks = u64::from(self.blocks);
            u64::max(
                whole.div_ceil(blocks) * (2 * chunk + 1),
                (2 * tiles(&|tiles| tiles) + parts) / blocks + late,
            )
        };
        let longest = u64::from(lengths.iter().max().unwrap_or(&0).div_ceil(128)).max(1);
        let chunk =
            (1..=32).map(|parts| longest.div_ceil(parts)).min_by_key(|chunk| time(*chunk))? as u32;
        let plan = Plan { counter: 0, chunk, sequences: lengths.len() as u32, ..self };
        Some(Plan { parts: u32::try_from(plan.part_words(lengths).count()).ok()?, ..plan })
    }
    /// The parts as words, whole parts first: the sequence, the head, the first tile and the number
    /// of tiles, 16 bits each.
    pub fn part_words(self, lengths: &[u32]) -> impl Iterator<Item = u64> {
        let of = move |whole: bool| {
            (0..).zip(lengths).flat_map(move |(sequence, length): (u64, &u32)| {
                let (tiles, chunk) = (length.div_ceil(128), self.chunk);
                let parts =
                    if whole { 0..tiles / chunk } else { tiles / chunk..tiles.div_ceil(chunk) };
                parts.flat_map(move |part| {
                    let (first, count) = (part * chunk, chunk.min(tiles - part * chunk));
                    let word =
                        move |head: u32| sequence | u64::from(head) << 16 | u64::from(first) << 32;
                    (0..self.heads).map(move |head| word(head) | u64::from(count) << 48)
                })
            })
        };
        of(true).chain(of(false))
    }
}
/// Unpacks the four numbers of a part's word.
#[inline(always)]
#[must_use]
pub fn unpack_part(word: u64) -> [u32; 4] {
    let (low, high) = (word as u32, (word >> 32) as u32);
    [low & 0xffff, low >> 16, high & 0xffff, high >> 16]
}

/// Joins the parts of a step to O, sequences x queries x heads x group x d. A warp computes each
/// row. The kernel may start before the previous launch ends.
///
/// # Safety
/// The results come from `decode` with this plan, `lengths` and `scale`; there is memory for O.
#[kernel(threads = Layout!(128), instances(<64, f16>, <64, bf16>, <128, f16>, <128, bf16>))]
pub unsafe fn join<const D: usize, T: Narrow>(
    plan: *const [u64; 2],
    lengths: *const u32,
    scale: f32,
    sums: *const f32,
    rows: *const f32,
    o: *mut T,
) {
    // SAFETY: the caller's promises, by which a plan with a row has no 0; each warp has its row,
    // each lane its numbers.
    unsafe {
        device::launch_dependents();
        device::grid_dependency_wait();
        let (plan, warp, lane) =
            (plan.cast::<Plan>().read(), device::thread_index() / 32, device::thread_index() % 32);
        let (row, of) =
            ((4 * device::block_index().0 + warp) as u32, plan.queries * plan.heads * plan.group);
        let (all, of, chunk) = (
            plan.sequences * of,
            NonZeroU32::new_unchecked(of),
            NonZeroU32::new_unchecked(plan.chunk),
        );
        if row >= all {
            return;
        }
        let lengths = Tensor::from_global_ref(lengths, layout!(plan.sequences as usize));
        // (sequences)
        let length = *lengths.get_unchecked((row / of) as usize);
        let parts = (length.div_ceil(128) + plan.chunk - 1) / chunk;
        let results = (parts * all) as usize;
        let sums = Tensor::from_global_ref(sums, layout!((2, 32, D / 64, results)));
        // (pairs, lanes, D / 64, results)
        let states_of = Tensor::from_global_ref(rows.cast::<[f32; 2]>(), layout!(results));
        // (results)
        let sums = sums.slice_unchecked((.., lane, .., ..)); // (pairs, D / 64, results)
        let (mut most, mut sum, mut out) = (f32::MIN, 0.0, [0.0; 4]);
        let mut first = 0;
        while first < parts {
            // Eight parts are read at once.
            let (mut states, mut values) = ([[f32::MIN, 0.0]; 8], [[0.0; 4]; 8]);
            for_static!(P in 0..8, {
                if first + (P as u32) < parts {
                    let at = ((first + P as u32) * all + row) as usize;
                    states[P] = *states_of.get_unchecked(at);
                    for_static!(J in 0..4, {
                        if J < D / 32 {
                            values[P][J] = *sums.get_unchecked((J % 2, J / 2, at));
                        }
                    });
                }
            });
            let before = most;
            for_static!(P in 0..8, {
                most = f32::max(most, states[P][0]);
            });
            let shrink = device::exp2((before - most) * scale);
            sum *= shrink;
            out = out.map(|out| out * shrink);
            for_static!(P in 0..8, {
                let power = device::exp2((states[P][0] - most) * scale);
                sum += states[P][1] * power;
                for_static!(J in 0..4, {
                    out[J] += values[P][J] * power;
                });
            });
            first += 8;
        }
        // A row without keys is 0.
        let part = if sum > 0.0 { device::reciprocal(sum) } else { 0.0 };
        let mut o = Tensor::from_global(o.cast::<[T; 2]>(), layout!((32, D / 64, all as usize)));
        // (lanes, D / 64, rows)
        for_static!(J in 0..2, {
            if J < D / 64 {
                *o.get_unchecked_mut((lane, J, row as usize)) =
                    T::convert_pair(out[2 * J] * part, out[2 * J + 1] * part);
            }
        });
    }
}
