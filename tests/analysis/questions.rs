//! The analysis against brute force, against published layouts, and against exhaustive search.

use std::collections::{BTreeMap, BTreeSet};

use layout_algebra::analysis::*;
use layout_algebra::prelude::*;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

pub(super) fn text<T: std::str::FromStr<Err = LayoutError>>(text: &str) -> T {
    text.parse().expect("an operand")
}

pub(super) fn flat(layout: &impl ToFlat) -> FlatLayout {
    FlatLayout::of(layout)
}

// ---- layouts as functions -----------------------------------------------------------------------

fn layouts(strides: Vec<usize>) -> impl Strategy<Value = DynLayout> {
    vec((select(vec![1usize, 2, 2, 3, 4, 4, 5, 8]), select(strides)), 1..5).prop_map(|modes| {
        let (shape, stride): (Vec<_>, Vec<_>) = modes.into_iter().unzip();
        let tree = |leaves: Vec<usize>| {
            DynShape::tuple(leaves.into_iter().map(DynShape::from)).expect("a tuple")
        };
        DynLayout::new(tree(shape), tree(stride)).expect("a layout")
    })
}

fn any_layout() -> impl Strategy<Value = DynLayout> {
    layouts(vec![0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32, 64, 500, 513])
}

fn swizzles(most: u32) -> impl Strategy<Value = DynSwizzle> {
    (0..=most, 0..=most, 0..=most, any::<bool>()).prop_map(|(bits, base, more, down)| {
        let shift = (bits + more).min(bits.max(5)) as i32;
        DynSwizzle::new(bits, base, if down { -shift } else { shift }).expect("a swizzle")
    })
}

fn offsets(layout: &FlatLayout) -> Vec<usize> {
    (0..layout.size()).map(|i| layout.at(i)).collect()
}

fn agrees_with_brute_force(layout: &FlatLayout) {
    let mut sharing = BTreeMap::new();
    offsets(layout).into_iter().for_each(|offset| *sharing.entry(offset).or_insert(0) += 1);
    let cosize = sharing.keys().max().map_or(0, |largest| largest + 1);
    assert_eq!(layout.cosize(), cosize);
    assert_eq!(layout.footprint(), sharing.len());
    assert_eq!(layout.aliasing(), sharing.values().copied().max().unwrap_or(0));
    assert_eq!(layout.gaps(), cosize - sharing.len());
    assert_eq!(layout.is_injective(), sharing.len() == layout.size());
    assert_eq!(layout.is_surjective(), sharing.len() == cosize);
    assert_eq!(layout.is_bijective(), layout.is_injective() && layout.is_surjective());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn a_layout_is_counted_exactly(layout in any_layout()) {
        agrees_with_brute_force(&flat(&layout));
        prop_assert_eq!(flat(&layout).is_injective(), layout.is_injective());
        prop_assert_eq!(flat(&layout).is_compact(), layout.is_compact());
        prop_assert_eq!(flat(&layout).is_surjective(), layout.is_surjective());
    }

    #[test]
    fn a_swizzled_layout_is_counted_exactly(layout in any_layout(), swizzle in swizzles(5), offset in 0usize..100) {
        agrees_with_brute_force(&flat(&ComposedLayout::new(swizzle, offset, layout)));
    }

    #[test]
    fn a_layout_read_as_a_function_is_counted_exactly(
        outer in any_layout(),
        layout in any_layout(),
        offset in 0usize..20,
    ) {
        agrees_with_brute_force(&flat(&ComposedLayout::new(outer, offset, layout)));
    }
}

#[test]
fn an_empty_layout_has_no_offsets() {
    let empty = flat(&text::<DynLayout>("(4,0):(1,4)"));
    assert_eq!((empty.footprint(), empty.aliasing(), empty.gaps()), (0, 0, 0));
    assert!(empty.is_bijective());
}

// ---- accesses -----------------------------------------------------------------------------------

/// The offset of an element.
pub(super) type Memory<'a> = &'a dyn Fn(usize) -> usize;

/// What 32 threads of each warp move: (warp, access, lane) with the first bit.
fn starts(
    memory: Memory<'_>,
    threads: &FlatLayout,
    bits: usize,
    access: usize,
) -> Vec<(usize, usize, usize, usize)> {
    let per = access / bits;
    let accesses = threads.values() / per;
    (0..accesses)
        .flat_map(|k| (0..threads.threads()).map(move |t| (k, t)))
        .map(|(k, t)| (t / 32, k, t % 32, memory(threads.of_thread(t, k * per)) * bits))
        .collect()
}

/// Do two phases of a load of 64 or 128 bits, whose lanes begin at these bits, go as one: each lane
/// with its neighbour at a distance of 1, or each at one of 2?
fn merge(access: usize, firsts: &[usize]) -> bool {
    let same = |distance: usize| {
        firsts
            .iter()
            .enumerate()
            .all(|(lane, first)| firsts.get(lane ^ distance).is_none_or(|other| other == first))
    };
    (access == 64 || access == 128) && (same(1) || same(2))
}

/// Conflicts and the worst degree, from sets of words.
pub(super) fn brute_conflicts(
    memory: Memory<'_>,
    threads: &FlatLayout,
    bits: usize,
    access: usize,
) -> (usize, usize) {
    let ways = brute_ways(memory, threads, bits, access);
    (ways.iter().map(|ways| ways - 1).sum(), ways.into_iter().max().unwrap_or(0))
}

/// The passes of each phase, from sets of words: a phase is a fraction of a warp that moves 128
/// bytes, or two of them that share.
pub(super) fn brute_ways(
    memory: Memory<'_>,
    threads: &FlatLayout,
    bits: usize,
    access: usize,
) -> Vec<usize> {
    let lanes = (1024 / access).min(32);
    let starts = starts(memory, threads, bits, access);
    let mut all = Vec::new();
    for warp in starts.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        let firsts: Vec<usize> = warp.iter().map(|start| start.3).collect();
        for pair in firsts.chunks(2 * lanes) {
            for phase in pair.chunks(if merge(access, pair) { 2 * lanes } else { lanes }) {
                let mut words: Vec<usize> = phase
                    .iter()
                    .flat_map(|first| first / 32..(first + access).div_ceil(32))
                    .collect();
                words.sort_unstable();
                words.dedup();
                let mut of_bank = [0; 32];
                words.iter().for_each(|word| of_bank[word % 32] += 1);
                all.push(of_bank.into_iter().max().unwrap_or(0));
            }
        }
    }
    all
}

pub(super) fn brute_width(
    memory: Memory<'_>,
    threads: &FlatLayout,
    bits: usize,
    alignment: usize,
) -> usize {
    let values = threads.values();
    let goes = |count: usize| {
        (0..threads.threads()).all(|t| {
            (0..values).step_by(count).all(|v| {
                let start = memory(threads.of_thread(t, v));
                start % count == 0
                    && (0..count).all(|k| memory(threads.of_thread(t, v + k)) == start + k)
            })
        })
    };
    let counts = (0..)
        .map(|k| 1 << k)
        .take_while(|&count| values % count == 0 && (count == 1 || count * bits <= 8 * alignment));
    counts.filter(|&count| goes(count)).max().unwrap_or(1) * bits
}

/// Tiles of 2^k elements, some padded, some with their modes cut; and thread-value layouts for
/// them.
fn tile() -> impl Strategy<Value = DynLayout> {
    select(vec![
        "(32,32):(32,1)",
        "(32,32):(33,1)",
        "(32,32):(36,1)",
        "(32,32):(1,32)",
        "(8,64):(64,1)",
        "(64,16):(16,1)",
        "((8,4),32):((4,1),32)",
        "(16,(2,32)):(64,(1,2))",
        "(64,32):(40,1)",
        "(64,64):(64,1)",
    ])
    .prop_map(text)
}

pub(super) fn threads_of(size: usize) -> impl Strategy<Value = DynLayout> {
    let bits = size.trailing_zeros();
    // Bits of the coordinate in any order, 3 to 7 of them for the thread.
    (Just((0..bits).collect::<Vec<_>>()).prop_shuffle(), any::<bool>(), 3..bits.min(8)).prop_map(
        move |(mut order, sorted, threads)| {
            if sorted {
                order.sort_unstable();
                order.rotate_left((threads % bits) as usize);
            }
            let mode = |bits: &[u32]| {
                let tuple = |f: &dyn Fn(u32) -> usize| {
                    DynShape::tuple(bits.iter().map(|&b| DynShape::from(f(b)))).expect("a tuple")
                };
                (tuple(&|_| 2), tuple(&|b| 1 << b))
            };
            let (first, rest) = order.split_at(threads as usize);
            let ((s0, d0), (s1, d1)) = (mode(first), mode(rest));
            DynLayout::new(
                DynShape::tuple([s0, s1]).expect("a pair"),
                DynShape::tuple([d0, d1]).expect("a pair"),
            )
            .expect("a layout")
        },
    )
}

pub(super) fn access() -> impl Strategy<Value = (DynLayout, DynLayout)> {
    tile().prop_flat_map(|tile| {
        let size = tile.size();
        (Just(tile), threads_of(size))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn widths_are_those_of_brute_force(
        (tile, threads) in access(),
        swizzle in swizzles(5),
        bits in select(vec![8usize, 16, 32, 64]),
        alignment in select(vec![4usize, 8, 16]),
    ) {
        let (memory, threads) = (flat(&ComposedLayout::new(swizzle, 0, tile)), flat(&threads));
        let expected = brute_width(&|element| memory.at(element), &threads, bits, alignment);
        prop_assert_eq!(memory.vector_width(&threads, bits, alignment), expected);
    }

    #[test]
    fn conflicts_are_those_of_brute_force(
        (tile, threads) in access(),
        swizzle in swizzles(5),
        bits in select(vec![8usize, 16, 32, 64]),
    ) {
        let (memory, threads) = (flat(&ComposedLayout::new(swizzle, 0, tile)), flat(&threads));
        let widest = memory.vector_width(&threads, bits, 16);
        for access in [bits, 2 * bits, 4 * bits, 8 * bits].into_iter().filter(|access| *access <= widest) {
            let found = WarpAccess::new(&threads, bits, access).bank_conflicts(&memory);
            let (conflicts, ways) = brute_conflicts(&|element| memory.at(element), &threads, bits, access);
            prop_assert_eq!((found.conflicts, found.ways), (conflicts, ways), "{} bits", access);
            prop_assert_eq!(found.passes, found.conflicts + found.phases);
            prop_assert_eq!(found.worst.is_some(), conflicts > 0);
        }
    }

    #[test]
    fn the_threads_of_a_conflict_share_the_bank_and_no_word((tile, threads) in access()) {
        let (memory, threads) = (flat(&tile), flat(&threads));
        if let Some(worst) = WarpAccess::new(&threads, 32, 32).bank_conflicts(&memory).worst {
            let word = |&t: &usize| memory.at(threads.of_thread(t, worst.access));
            let named = &worst.threads[..worst.count];
            prop_assert!(named.iter().all(|t| t / 32 == worst.warp && word(t) % 32 == worst.bank));
            prop_assert_eq!(named.iter().map(word).collect::<BTreeSet<_>>().len(), worst.count);
        }
    }

    #[test]
    fn sectors_and_lines_are_those_of_brute_force(
        (tile, threads) in access(),
        bits in select(vec![8usize, 16, 32, 64]),
    ) {
        let (memory, threads) = (flat(&tile), flat(&threads));
        let access = memory.vector_width(&threads, bits, 16);
        let found = WarpAccess::new(&threads, bits, access).coalescing(&memory);
        // The bytes of each instruction, in order.
        let starts = starts(&|element| memory.at(element), &threads, bits, access);
        let bytes: Vec<Vec<usize>> = starts
            .chunk_by(|a, b| (a.0, a.1) == (b.0, b.1))
            .map(|warp| {
                let bytes = |start: &(usize, usize, usize, usize)| start.3 / 8..(start.3 + access) / 8;
                let mut bytes: Vec<usize> = warp.iter().flat_map(bytes).collect();
                bytes.sort_unstable();
                bytes.dedup();
                bytes
            })
            .collect();
        let units_of = |bytes: &Vec<usize>, unit| bytes.chunk_by(|a, b| a / unit == b / unit).count();
        let units = |unit: usize| bytes.iter().map(|bytes| units_of(bytes, unit)).sum::<usize>();
        let least = |unit: usize| bytes.iter().map(|bytes| bytes.len().div_ceil(unit)).sum::<usize>();
        prop_assert_eq!((found.sectors, found.lines), (units(32), units(128)));
        prop_assert_eq!((found.least_sectors, found.least_lines), (least(32), least(128)));
        prop_assert_eq!(found.instructions, bytes.len());
        prop_assert!(found.ratio() >= 1.0);
    }
}

// ---- what is known ------------------------------------------------------------------------------

type Square = Layout!((32, 32):(32, 1));
type Column = SharedAccess<Layout!((32, 1):(1, 0)), 32, 32>;

const _: () = assert!(bank_conflict_count::<Square, Column>() == 31);
const _: () = assert!(Column::ACCESS.bank_conflicts(&FlatLayout::of_type::<Square>()).ways == 32);
const _: () = assert!(bank_conflicts::<Layout!((32, 32):(33, 1)), Column>() == 0);
const _: () =
    assert!(bank_conflicts::<ComposedLayout<Swizzle<5, 0, 5>, Int<0>, Square>, Column>() == 0);
/// Everybody reads the same word: a broadcast.
const _: () =
    assert!(bank_conflicts::<Square, SharedAccess<Layout!((32, 1):(0, 0)), 32, 32>>() == 0);
/// Contiguous reads of all widths are free of conflicts.
const _: () =
    assert!(bank_conflicts::<Layout!(128:1), SharedAccess<Layout!((32, 1):(1, 0)), 32, 32>>() == 0);
const _: () =
    assert!(bank_conflicts::<Layout!(128:1), SharedAccess<Layout!((32, 2):(2, 1)), 32, 64>>() == 0);
const _: () = assert!(
    bank_conflicts::<Layout!(128:1), SharedAccess<Layout!((32, 4):(4, 1)), 32, 128>>() == 0
);

#[test]
fn the_message_names_the_threads_and_their_bank() {
    let stopped = std::panic::catch_unwind(bank_conflicts::<Square, Column>).unwrap_err();
    let message = stopped
        .downcast_ref::<String>()
        .cloned()
        .or_else(|| stopped.downcast_ref::<&str>().map(|s| s.to_string()));
    let expected =
        "32-way bank conflict: threads 0-31 each need another word of bank 0 in access 0";
    assert_eq!(message.as_deref(), Some(expected));
}

/// CUTLASS's atoms of shared memory, `cute/atom/mma_traits_sm90_gmma.hpp`: in bits `Swizzle<B,4,3>`
/// of bytes over 8 rows of `width` bytes, K-major `(8,8*width):(8*width,1)` and MN-major
/// `(8*width,8):(1,8*width)`. They are made for `ldmatrix` and `wgmma`, which read core matrices of
/// 8 rows of 16 bytes, and for writes of 16 bytes along the rows.
#[test]
fn published_swizzles_are_free_of_conflicts() {
    for (bits, width) in [(1, 32), (2, 64), (3, 128)] {
        for element in [8, 16, 32] {
            let (row, chunk) = (8 * width / element, 128 / element);
            let chunks = row / chunk;
            // (layout, reads: thread = row, value = (element, chunk), writes: thread = (chunk,
            // row), value = element), both as coordinates.
            let forms = [
                (
                    format!("(8,{}):({},1)", 8 * width, 8 * width),
                    format!("(8,({chunk},{chunks})):(1,(8,{}))", 8 * chunk),
                    format!("(({chunks},8),{chunk}):(({},1),8)", 8 * chunk),
                ),
                (
                    format!("({},8):(1,{})", 8 * width, 8 * width),
                    format!("(8,({chunk},{chunks})):({row},(1,{chunk}))"),
                    format!("(({chunks},8),{chunk}):(({chunk},{row}),1)"),
                ),
            ];
            for (inner, reads, writes) in forms {
                let atom: DynComposedLayout = text(&format!("Sw<{bits},7,3> o 0 o {inner}"));
                let atom = atom.recast(1, element).expect("an atom of elements");
                let (reads, writes) =
                    (flat(&text::<DynLayout>(&reads)), flat(&text::<DynLayout>(&writes)));
                let read = WarpAccess::ldmatrix(&reads, element, 1);
                assert_eq!(read.bank_conflicts(&flat(&atom)).conflicts, 0, "reads of {atom}");
                // Without the swizzle all rows that lie 128 bytes apart meet.
                assert_eq!(read.bank_conflicts(&flat(&atom.inner())).ways, width / 16, "{inner}");
                let write = WarpAccess::new(&writes, element, 128);
                assert_eq!(write.bank_conflicts(&flat(&atom)).conflicts, 0, "writes of {atom}");
                assert!(flat(&atom).is_bijective() && atom.cosize() == 64 * width / element);
            }
        }
    }
}

/// `ldmatrix.x4` of a 16x16 block of halves anywhere in a tile of 64 rows of 128 bytes.
#[test]
fn blocks_of_a_swizzled_tile_are_free_of_conflicts() {
    let tile: DynComposedLayout = text("Sw<3,3,3> o 0 o (64,64):(64,1)");
    for (row, column) in [(0, 0), (16, 0), (0, 16), (48, 32), (8, 24)] {
        // Thread i addresses row i % 16 and column 8 * (i / 16); the block begins at (row, column).
        let rows = ComposedLayout::new(
            text::<DynLayout>("4096:1"),
            row + 64 * column,
            text::<DynLayout>("((16,2),8):((1,512),64)"),
        );
        let found = WarpAccess::ldmatrix(&flat(&rows), 16, 4).bank_conflicts(&flat(&tile));
        assert_eq!((found.phases, found.conflicts), (4, 0), "block at {row}, {column}");
        assert_eq!(
            WarpAccess::ldmatrix(&flat(&rows), 16, 4).bank_conflicts(&flat(&tile.inner())).ways,
            8
        );
    }
}

// ---- the best swizzle ---------------------------------------------------------------------------

/// Accesses and conflicts of a pattern under a swizzle; `None` if it takes more memory than
/// the bits of the tile's offsets.
fn cost(
    tile: &DynLayout,
    swizzle: DynSwizzle,
    sides: [&FlatLayout; 2],
    bits: usize,
) -> Option<(usize, usize)> {
    let swizzled = flat(&ComposedLayout::new(swizzle, 0, tile.clone()));
    let of_side = |threads: &FlatLayout| {
        let width = swizzled.vector_width(threads, bits, 16);
        let found = WarpAccess::new(threads, bits, width).bank_conflicts(&swizzled);
        (found.instructions, found.conflicts)
    };
    (swizzled.cosize() <= tile.cosize().next_power_of_two()).then(|| {
        let [write, read] = sides.map(of_side);
        (write.0 + read.0, write.1 + read.1)
    })
}

/// The least cost over all swizzles with `B`, `M` and `|S|` up to `most`.
fn exhaustive(tile: &DynLayout, sides: [&FlatLayout; 2], bits: usize, most: u32) -> (usize, usize) {
    let all = (0..=most.min(5))
        .flat_map(|b| (0..=most).flat_map(move |m| (b..=most).map(move |s| (b, m, s as i32))));
    let all =
        all.flat_map(|(b, m, s)| [DynSwizzle::new(b, m, s), DynSwizzle::new(b, m, -s)]).flatten();
    all.filter_map(|swizzle| cost(tile, swizzle, sides, bits))
        .min()
        .expect("the one that moves nothing")
}

fn is_best(tile: &DynLayout, writes: &DynLayout, reads: &DynLayout, bits: usize, most: u32) {
    let sides = [&flat(writes), &flat(reads)];
    let best = flat(tile).best_swizzle(sides[0], sides[1], bits);
    let claimed = cost(tile, best.swizzle, sides, bits).expect("within the bits of the tile");
    assert_eq!(claimed.1, best.conflicts, "{tile} {} {writes} {reads}", best.swizzle);
    let swizzled = flat(&ComposedLayout::new(best.swizzle, 0, tile.clone()));
    assert_eq!(
        [best.write_bits, best.read_bits],
        sides.map(|side| swizzled.vector_width(side, bits, 16))
    );
    let found = exhaustive(tile, sides, bits, most);
    let all_tried = (tile.cosize() - 1).ilog2() < most;
    assert!(
        claimed <= found && (!all_tried || claimed == found),
        "{tile} {} {writes} {reads} {bits}: {claimed:?}, {found:?}",
        best.swizzle
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// Against all `B, M, S` up to 5.
    #[test]
    fn no_swizzle_up_to_5_is_better(
        (tile, writes) in access(),
        seed in threads_of(512),
        bits in select(vec![8usize, 16, 32, 64]),
    ) {
        let reads = if tile.size() == 512 { seed } else { writes.clone() };
        is_best(&tile, &writes, &reads, bits, 5);
    }

    /// Against all `B, M, S` that stay within the bits of a small tile, where the best is found
    /// exactly.
    #[test]
    fn no_swizzle_at_all_is_better_for_a_small_tile(
        tile in select(vec!["(8,8):(8,1)", "(8,16):(16,1)", "(4,32):(36,1)", "(8,(2,4)):(8,(1,2))"])
            .prop_map(text::<DynLayout>),
        (writes, reads) in (threads_of(64), threads_of(64)),
        bits in select(vec![16usize, 32, 64, 128]),
    ) {
        is_best(&tile, &writes, &reads, bits, 8);
    }
}

/// Transposes, and CUTLASS's tiles, whose swizzles come out.
#[test]
fn the_best_swizzles_of_practice() {
    for (tile, writes, reads, bits, expected) in [
        // A warp writes rows and reads columns of floats, one at a time.
        ("(32,32):(32,1)", "(32,32):(32,1)", "((32,1),32):((1,0),32)", 32, (128, 0)),
        // Rows of 128, 64 and 32 bytes, written by 16 bytes, read by core matrices.
        ("(8,64):(64,1)", "((8,8),8):((64,1),8)", "((8,8),8):((1,64),8)", 16, (128, 0)),
        ("(8,32):(32,1)", "((4,8),8):((64,1),8)", "((8,4),8):((1,64),8)", 16, (128, 0)),
        ("(8,16):(16,1)", "((2,8),8):((64,1),8)", "((8,2),8):((1,64),8)", 16, (128, 0)),
    ] {
        let (tile, writes, reads) =
            (text::<DynLayout>(tile), text::<DynLayout>(writes), text::<DynLayout>(reads));
        let best = flat(&tile).best_swizzle(&flat(&writes), &flat(&reads), bits);
        assert_eq!((best.read_bits, best.conflicts), expected, "{tile}: {best:?}");
        is_best(&tile, &writes, &reads, bits, 5);
    }
    let best = |tile: &str, writes: &str, reads: &str, bits| {
        let [tile, writes, reads] = [tile, writes, reads].map(|l| flat(&text::<DynLayout>(l)));
        tile.best_swizzle(&writes, &reads, bits).swizzle.to_string()
    };
    assert_eq!(
        best("(8,64):(64,1)", "((8,8),8):((64,1),8)", "((8,8),8):((1,64),8)", 16),
        "Sw<3,3,3>"
    );
    assert_eq!(
        best("(8,32):(32,1)", "((4,8),8):((64,1),8)", "((8,4),8):((1,64),8)", 16),
        "Sw<2,3,3>"
    );
    assert_eq!(
        best("(8,16):(16,1)", "((2,8),8):((64,1),8)", "((8,2),8):((1,64),8)", 16),
        "Sw<1,3,3>"
    );
}

/// A tile of 64x64 floats for 128 threads, all in const evaluation, in a crate that uses this one:
/// the lint on long evaluations is on.
mod in_const_evaluation {
    use super::*;

    type Tile = Layout!((64, 64):(64, 1));
    type Writes = Layout!(((16, 8), (4, 8)):((256, 1), (64, 8)));
    type Reads = Layout!(((64, 2), 32):((1, 64), 128));
    const BEST: BestSwizzle = best_swizzle::<Tile, Writes, Reads>(32);
    const P: (u32, u32, i32) = BEST.swizzle.parameters();
    type Swizzled = ComposedLayout<Swizzle<{ P.0 }, { P.1 }, { P.2 }>, Int<0>, Tile>;
    const WRITES: usize = bank_conflict_count::<Swizzled, SharedAccess<Writes, 32, 128>>();
    const READS: usize = bank_conflict_count::<Swizzled, SharedAccess<Reads, 32, 32>>();

    #[test]
    fn the_counts_are_those_of_run_time() {
        let [tile, writes, reads] =
            [flat(&Tile::default()), flat(&Writes::default()), flat(&Reads::default())];
        assert_eq!(tile.best_swizzle(&writes, &reads, 32), BEST);
        assert_eq!(WRITES + READS, BEST.conflicts);
        const { assert!(is_bijective::<Swizzled>() && Swizzled::COSIZE == 4096) };
    }
}

// ---- beyond usize -------------------------------------------------------------------------------

/// The largest power of two.
const HALF: usize = 1 << (usize::BITS - 1);

fn panics(act: impl FnOnce() -> usize + std::panic::UnwindSafe) -> String {
    let panic = std::panic::catch_unwind(act).expect_err("a number leaves usize");
    panic
        .downcast_ref::<String>()
        .cloned()
        .unwrap_or_else(|| panic.downcast_ref::<&str>().expect("text").to_string())
}

#[test]
fn offsets_beyond_usize_are_counted() {
    // 0, HALF, HALF and 2 * HALF.
    let (two, half) = (2, HALF);
    let twice = flat(&layout!((two, two):(half, half)));
    assert_eq!((twice.footprint(), twice.aliasing(), twice.is_injective()), (3, 2, false));
    // 0, 1, HALF .. HALF + 2 and 2 * HALF + 1: of three modes, which interleave.
    let three = flat(&layout!((two, two, two):(half, half, 1)));
    assert_eq!((three.footprint(), three.aliasing()), (6, 2));
    assert!(flat(&layout!((two, two):(half, 1))).is_injective());
    for text in ["(2,2):(9223372036854775808,9223372036854775808)", "(2,2):(2147483648,2147483648)"]
    {
        if let Ok(layout) = text.parse::<DynLayout>() {
            assert_eq!((flat(&layout).footprint(), flat(&layout).aliasing()), (3, 2));
        }
    }
}

#[test]
fn an_offset_a_size_or_a_cosize_beyond_usize_is_said() {
    let (two, half) = (2, HALF);
    let twice = flat(&layout!((two, two):(half, half)));
    let (most, least) = (usize::MAX, usize::MAX as u128 + 1);
    assert_eq!(
        panics(|| twice.at(3)),
        format!(
            "overflow: an offset of a layout is {least} or more, and the largest number is {most}"
        )
    );
    assert_eq!(panics(|| twice.of_thread(1, 1)), panics(|| twice.at(3)));
    assert_eq!(
        panics(|| twice.cosize()),
        format!(
            "overflow: the cosize of a layout is {} or more, and the largest number is {most}",
            least + 1
        )
    );
    assert_eq!(panics(|| twice.gaps()), panics(|| twice.cosize()));
    assert_eq!(
        panics(|| flat(&layout!((two, half):(1, 0))).size()),
        format!(
            "overflow: the size of a layout is {least} or more, and the largest number is {most}"
        )
    );
    // An empty layout is empty, whatever else is in it.
    let zero = 0;
    assert_eq!(flat(&layout!((two, half, zero):(1, 1, 1))).size(), 0);
    assert!(
        panics(|| flat(&layout!((zero, two):(1, 1))).at(0))
            .contains("an empty layout has no valid index")
    );
}

#[test]
fn sectors_and_banks_are_told_apart_beyond_an_eighth_of_usize() {
    // Two bytes whose numbers of bits are 0 and 2^BITS.
    let memory = flat(&text::<DynLayout>(&format!("2:{}", HALF / 4)));
    let access = WarpAccess::new(&flat(&layout!((2, 1):(1, 0))), 8, 8);
    let found = access.coalescing(&memory);
    assert_eq!((found.sectors, found.lines), (2, 2));
    let found = access.bank_conflicts(&memory);
    assert_eq!((found.ways, found.conflicts), (2, 1));
    // 16 bytes of each of two threads, the one at the last whole element.
    let last = flat(&text::<DynLayout>(&format!("(2,4):({},1)", HALF / 4 * 7)));
    let quads = WarpAccess::new(&flat(&layout!((2, 4):(1, 2))), 32, 128);
    assert_eq!(quads.coalescing(&last).sectors, 2);
    assert_eq!(quads.bank_conflicts(&last).ways, 2);
}
