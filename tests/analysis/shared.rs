//! The best layout of shared memory against brute force over all linear layouts of small tiles,
//! against random ones of larger tiles, against `best_swizzle`, and against what Triton chooses for
//! the conversions of its own tests.

use std::collections::BTreeSet;

use layout_algebra::analysis::*;
use layout_algebra::prelude::*;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::questions::{access, brute_conflicts, brute_ways, brute_width, flat, text, threads_of};

// ---- a layout as a table of offsets -------------------------------------------------------------

/// The offset of each element, for the offsets of its bits.
pub(super) fn table(basis: &[usize]) -> Vec<usize> {
    let mut offsets = vec![0];
    for vector in basis {
        offsets.extend_from_within(..);
        let half = offsets.len() / 2;
        offsets[half..].iter_mut().for_each(|offset| *offset ^= vector);
    }
    offsets
}

/// Accesses of both sides, each by its widest, which are so many bits; `None` if a side's are no
/// whole bytes.
fn accesses(
    offsets: &[usize],
    sides: [&FlatLayout; 2],
    bits: usize,
) -> Option<(usize, [usize; 2])> {
    let widths = sides.map(|side| brute_width(&|element| offsets[element], side, bits, 16));
    let of = |k: usize| sides[k].threads().div_ceil(32) * (sides[k].values() * bits / widths[k]);
    (widths[0] % 8 == 0 && widths[1] % 8 == 0).then(|| (of(0) + of(1), widths))
}

/// (passes, accesses) of both sides, from sets of words; `None` if a side's accesses are no whole
/// bytes.
fn cost(offsets: &[usize], sides: [&FlatLayout; 2], bits: usize) -> Option<(usize, usize)> {
    let (accesses, widths) = accesses(offsets, sides, bits)?;
    let passes = |k: usize| {
        brute_ways(&|element| offsets[element], sides[k], bits, widths[k]).iter().sum::<usize>()
    };
    Some((passes(0) + passes(1), accesses))
}

/// The lesser of a cost and that of one layout more.
fn lesser(
    least: Option<(usize, usize)>,
    basis: &[usize],
    sides: [&FlatLayout; 2],
    bits: usize,
) -> Option<(usize, usize)> {
    [least, cost(&table(basis), sides, bits)].into_iter().flatten().min()
}

/// All that a result says of itself.
fn checked(
    writes: &FlatLayout,
    reads: &FlatLayout,
    bits: usize,
) -> (BestSharedLayout, (usize, usize)) {
    let best = writes.best_shared_layout(reads, bits);
    let offsets = table(best.basis());
    let mut each = vec![false; best.size()];
    assert!(
        offsets.iter().all(|&offset| !std::mem::replace(&mut each[offset], true)),
        "a bijection: {best}"
    );
    assert!(
        offsets
            .iter()
            .enumerate()
            .all(|(element, &offset)| best.at(element) == offset && offset < best.size())
    );
    let (at, about) =
        (|element: usize| offsets[element], format!("{best} of {writes} and {reads}, {bits} bits"));
    for (side, by, conflicts) in [
        (writes, best.write_bits, best.write_conflicts),
        (reads, best.read_bits, best.read_conflicts),
    ] {
        assert_eq!(brute_width(&at, side, bits, 16), by, "{about}");
        assert_eq!(brute_conflicts(&at, side, bits, by).0, conflicts, "{about}");
    }
    assert_eq!(best.conflicts(), best.write_conflicts + best.read_conflicts, "{about}");
    assert!(best.is_optimal(), "{about}: {best:?}");
    if let Some((swizzle, plain)) = best.swizzled() {
        let memory = |element| swizzle.apply(plain.at(element));
        assert!((0..best.size()).all(|element| memory(element) == best.at(element)), "{about}");
    }
    assert_eq!(
        cost(&offsets, [writes, reads], bits),
        Some((best.passes, best.accesses)),
        "{about}"
    );
    (best, (best.passes, best.accesses))
}

// ---- thread-value layouts -----------------------------------------------------------------------

/// Thread-value layouts of elements of `bits` bits: some bits are nobody's, some of thread and
/// value go nowhere, and some are swizzled.
fn side(bits: u32) -> impl Strategy<Value = FlatLayout> {
    let order = Just((0..bits).collect::<Vec<_>>()).prop_shuffle();
    let parts = (0..=bits.min(7), vec(0u32..10, 12), any::<bool>(), any::<bool>(), 0..bits.max(1));
    (order, parts, 0u32..6).prop_map(
        move |(mut order, (threads, odd, sorted, whole, values), swizzled)| {
            if sorted {
                order.sort_unstable();
                order.rotate_left((threads % bits.max(1)) as usize);
            }
            if !whole {
                order.truncate(bits.max(1) as usize - (values / 3) as usize);
            }
            let mut strides: Vec<usize> = order.iter().map(|bit| 1 << bit).collect();
            for (place, odd) in odd.iter().enumerate() {
                if *odd == 0 && !whole && place <= strides.len() {
                    strides.insert(place, 0);
                }
            }
            let (first, rest) = strides.split_at((threads as usize).min(strides.len()));
            let mode = |strides: &[usize]| match strides {
                [] => ("1".to_string(), "0".to_string()),
                _ => {
                    let all = strides.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
                    (format!("({})", vec!["2"; strides.len()].join(",")), format!("({all})"))
                }
            };
            let ((s0, d0), (s1, d1)) = (mode(first), mode(rest));
            let layout: DynLayout = text(&format!("({s0},{s1}):({d0},{d1})"));
            // A swizzle within the tile, so that bits of thread and value are several bits of the
            // element.
            match swizzled {
                count @ 1..=2 if bits >= 2 * count => {
                    let swizzle = DynSwizzle::new(
                        count,
                        0,
                        if threads % 2 == 0 { 1 } else { -1 } * (bits - count) as i32,
                    );
                    flat(&ComposedLayout::new(swizzle.expect("a swizzle"), 0, layout))
                }
                _ => flat(&layout),
            }
        },
    )
}

fn two_sides(bits: std::ops::RangeInclusive<u32>) -> impl Strategy<Value = [FlatLayout; 2]> {
    bits.prop_flat_map(|bits| [side(bits), side(bits)])
}

fn size_of(sides: &[FlatLayout; 2], element: usize) -> usize {
    sides[0].best_shared_layout(&sides[1], element).basis().len()
}

// ---- all linear layouts -------------------------------------------------------------------------

/// All lists of `count` vectors of `bits` bits that are independent of one another and of `before`.
fn independent(before: &[usize], bits: usize, count: usize, found: &mut dyn FnMut(&[usize])) {
    if count == 0 {
        return found(before);
    }
    let span: BTreeSet<usize> = table(before).into_iter().collect();
    for vector in (1..1 << bits).filter(|vector| !span.contains(vector)) {
        independent(&[before, &[vector]].concat(), bits, count - 1, found);
    }
}

/// The least cost over all invertible matrices of `bits` x `bits`.
fn least_of_all(sides: [&FlatLayout; 2], bits: usize, element: usize) -> (usize, usize) {
    let mut least = None;
    independent(&[], bits, bits, &mut |basis| {
        least = lesser(least, basis, sides, element);
    });
    least.expect("the layout as it is")
}

/// All subspaces of so many dimensions of the space with this basis, each once and as a basis.
fn subspaces(of: &[usize], dimensions: usize) -> Vec<Vec<usize>> {
    // Each has one basis, in coordinates, whose highest bits rise and are in no other vector of it.
    let mut all = vec![vec![]];
    for _ in 0..dimensions {
        let longer = |before: &Vec<usize>| {
            let highest: usize = before.iter().map(|vector: &usize| 1 << vector.ilog2()).sum();
            let next =
                (1..1usize << of.len()).filter(|v| highest < 1 << v.ilog2() && v & highest == 0);
            next.map(|vector| [&before[..], &[vector]].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    let elements = table(of);
    all.into_iter()
        .map(|basis| basis.into_iter().map(|vector| elements[vector]).collect())
        .collect()
}

/// The offsets of all elements, for the elements of the bits of an offset.
fn offsets_of(elements: &[usize]) -> Vec<usize> {
    let mut offsets = vec![0; 1 << elements.len()];
    table(elements).into_iter().enumerate().for_each(|(offset, element)| offsets[element] = offset);
    offsets
}

/// The least cost over all invertible matrices, but for symmetries. A layout is which element each
/// bit of an offset stands for. Whether a side goes by `2^k` elements is a question of the first
/// `k` of these, and of the space of all others, whose elements are aligned; who does not go by
/// `2^k` does not go by more. Which accesses meet in a bank is a question of the space of elements
/// that lie in bank 0, whose bits are the last. (Elements of a word or more, so that words have no
/// bits of their own.)
fn least_but_for_symmetries(
    sides: [&FlatLayout; 2],
    bits: usize,
    element: usize,
) -> (usize, usize) {
    let (vector, banks) = ((128 / element).ilog2() as usize, (1024 / element).ilog2() as usize);
    let (vector, far) = (vector.min(bits), bits.saturating_sub(banks));
    // The first bits and the space of the others.
    let mut found: Vec<(Vec<usize>, Vec<usize>)> = Vec::new();
    let mut open = vec![(vec![], (0..bits).map(|bit| 1 << bit).collect::<Vec<usize>>())];
    while let Some((first, others)) = open.pop() {
        let Some((_, widths)) =
            accesses(&offsets_of(&[&first[..], &others].concat()), sides, element)
        else {
            continue;
        };
        if first.len() < vector && widths.iter().any(|width| width / element >= 1 << first.len()) {
            for fewer in subspaces(&others, others.len() - 1) {
                let aligned = table(&fewer);
                let next = table(&others).into_iter().filter(|element| !aligned.contains(element));
                open.extend(next.map(|element| ([&first[..], &[element]].concat(), fewer.clone())));
            }
        }
        found.push((first, others));
    }
    let mut least = None;
    for (first, others) in &found {
        for last in subspaces(others, far.min(others.len())) {
            // Some bits between the first and the last ones.
            let mut all = [&first[..], &last].concat();
            for &element in others {
                if !table(&all).contains(&element) {
                    all.insert(first.len(), element);
                }
            }
            least = least.into_iter().chain(cost(&offsets_of(&all), sides, element)).min();
        }
    }
    least.expect("the layout as it is")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5))]

    /// All 20,160 matrices of 4 x 4 bits.
    #[test]
    fn no_linear_layout_of_16_elements_is_better(
        sides in two_sides(4..=4),
        bits in select(vec![8usize, 16, 32, 64, 128]),
    ) {
        let size = size_of(&sides, bits);
        let [writes, reads] = &sides;
        let least = least_of_all([writes, reads], size, bits);
        prop_assert_eq!(checked(writes, reads, bits).1, least);
        if bits >= 32 {
            prop_assert_eq!(least_but_for_symmetries([writes, reads], size, bits), least);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1))]

    /// All matrices of up to 6 x 6 bits, but for symmetries.
    #[test]
    fn no_linear_layout_of_64_elements_is_better(sides in two_sides(5..=6), bits in select(vec![64usize, 128, 128])) {
        let size = size_of(&sides, bits);
        let [writes, reads] = &sides;
        prop_assert_eq!(checked(writes, reads, bits).1, least_but_for_symmetries([writes, reads], size, bits));
    }
}

/// 64 words, of which one side would go by 16 bytes and the other by single words, in 2 passes
/// more: it goes by 8. And 64 words that nothing keeps from going by 16 bytes.
#[test]
fn no_linear_layout_of_64_words_is_better() {
    for (reads, write_bits, passes) in [("(64,1):(1,0)", 64, 4), ("((4,16),1):((16,1),0)", 128, 4)]
    {
        let [writes, reads] =
            ["(16,4):(1,16)", reads].map(|layout| flat(&text::<DynLayout>(layout)));
        let (best, found) = checked(&writes, &reads, 32);
        assert_eq!(
            (best.write_bits, best.read_bits, best.passes),
            (write_bits, 32, passes),
            "{best:?}"
        );
        assert_eq!(found, least_but_for_symmetries([&writes, &reads], 6, 32));
    }
}

/// Triton's 128 x 128 halves, transposed by 512 threads: with the fewest accesses, as its own
/// choice, 1,280 passes.
#[test]
fn a_transpose_of_halves_takes_768_passes() {
    let writes = flat(&text::<DynLayout>(
        "((2,2,2,2,2,2,2,2,2),(8,4)):((8,16,32,64,128,256,512,1024,2048),(1,4096))",
    ));
    let reads = flat(&text::<DynLayout>("((16,32),(8,4)):((1024,1),(128,32))"));
    let (best, _) = checked(&writes, &reads, 16);
    let theirs = text::<DynComposedLayout>("Sw<4,2,8> o 0 o (128,(4,2,16)):(128,(1,64,4))");
    let offsets: Vec<usize> =
        (0..1 << 14).map(|element| theirs.at(element / 128 + element % 128 * 128)).collect();
    println!("{best} {best:?}, {:?}", cost(&offsets, [&writes, &reads], 16));
    assert!(best.passes <= 768, "{best:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// What is counted is so, and random layouts with the vectors of the best are none better.
    #[test]
    fn what_a_result_says_of_itself_is_so(
        sides in two_sides(0..=12),
        bits in select(vec![4usize, 8, 16, 32, 64, 128]),
        seeds in vec(any::<u64>(), 4),
    ) {
        let [writes, reads] = &sides;
        if bits == 4 {
            if let Some(refusal) = panics(|| writes.best_shared_layout(reads, bits)) {
                // Half bytes that do not come in pairs.
                prop_assert_eq!(refusal, "no access of whole bytes");
                return Ok(());
            }
        }
        let (best, cost_of_best) = checked(writes, reads, bits);
        // Those above the vectors' bits, mixed at random.
        let keep = (best.write_bits.max(best.read_bits) / bits).ilog2() as usize;
        let size = best.basis().len();
        for seed in seeds {
            let mixed = mixed(keep, size, seed);
            let other: Vec<_> = best.basis().iter().map(|&offset| mixed[offset]).collect();
            let other = cost(&table(&other), [writes, reads], bits).expect("vectors as before");
            prop_assert!(cost_of_best <= other, "{:?} {:?}", cost_of_best, other);
        }
    }
}

pub(super) fn panics<T>(act: impl FnOnce() -> T + std::panic::UnwindSafe) -> Option<String> {
    let panic = std::panic::catch_unwind(act).err()?;
    Some(
        panic
            .downcast_ref::<String>()
            .cloned()
            .unwrap_or_else(|| panic.downcast_ref::<&str>().unwrap().to_string()),
    )
}

/// A random bijection of offsets, linear, that leaves the lowest bits alone: what each offset
/// becomes.
fn mixed(keep: usize, bits: usize, mut seed: u64) -> Vec<usize> {
    let mut basis: Vec<usize> = (0..keep).map(|bit| 1 << bit).collect();
    while basis.len() < bits {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let vector = ((seed >> 33) as usize % (1 << (bits - keep))) << keep;
        if !table(&basis).contains(&vector) {
            basis.push(vector);
        }
    }
    table(&basis)
}

// ---- best_swizzle -------------------------------------------------------------------------------

/// Never more passes than under the best swizzle over a plain layout of the same tile.
fn is_no_worse(tile: &DynLayout, writes: &DynLayout, reads: &DynLayout, bits: usize) {
    let (best, found) = checked(&flat(writes), &flat(reads), bits);
    let swizzle = flat(tile).best_swizzle(&flat(writes), &flat(reads), bits);
    let memory = |element| swizzle.swizzle.apply(flat(tile).at(element));
    let passes = |side, by| brute_ways(&memory, &flat(side), bits, by).iter().sum::<usize>();
    let swizzled = passes(writes, swizzle.write_bits) + passes(reads, swizzle.read_bits);
    assert!(found.0 <= swizzled, "{tile} {writes} {reads}: {best} and {}", swizzle.swizzle);
}

fn tile_and_sides() -> impl Strategy<Value = [DynLayout; 3]> {
    access().prop_flat_map(|(tile, writes)| {
        let size = tile.size();
        (Just(tile), Just(writes), threads_of(size))
            .prop_map(|(tile, writes, reads)| [tile, writes, reads])
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn no_swizzle_is_better([tile, writes, reads] in tile_and_sides(), bits in select(vec![8usize, 16, 32, 64])) {
        // A padded tile takes more memory, and its offsets are not linear.
        prop_assume!(tile.size() == tile.cosize());
        is_no_worse(&tile, &writes, &reads, bits);
        is_no_worse(&tile, &writes, &writes, bits);
    }
}

/// The tiles of practice, whose swizzles come out.
#[test]
fn the_swizzles_of_practice_come_out() {
    for (tile, writes, reads, bits, swizzle) in [
        ("(32,32):(32,1)", "(32,32):(32,1)", "((32,1),32):((1,0),32)", 32, ""),
        ("(8,64):(64,1)", "((8,8),8):((64,1),8)", "((8,8),8):((1,64),8)", 16, "Sw<3,3,3>"),
        ("(8,32):(32,1)", "((4,8),8):((64,1),8)", "((8,4),8):((1,64),8)", 16, "Sw<2,3,3>"),
        ("(8,16):(16,1)", "((2,8),8):((64,1),8)", "((8,2),8):((1,64),8)", 16, "Sw<1,3,3>"),
        ("(32,32):(32,1)", "(32,32):(32,1)", "(32,32):(1,32)", 32, ""),
        ("(64,64):(64,1)", "((16,8),(4,8)):((256,1),(64,8))", "((64,2),32):((1,64),128)", 32, ""),
    ] {
        let [tile, writes, reads] = [tile, writes, reads].map(text::<DynLayout>);
        is_no_worse(&tile, &writes, &reads, bits);
        let best = flat(&writes).best_shared_layout(&flat(&reads), bits);
        let (found, plain) = best.swizzled().unwrap_or_else(|| panic!("no swizzle: {best}"));
        if !swizzle.is_empty() {
            assert_eq!(found.to_string(), swizzle);
            assert!(
                (0..tile.size()).all(|element| plain.at(element) == tile.at(element)),
                "{plain} {tile}"
            );
        }
    }
}

// ---- Triton -------------------------------------------------------------------------------------

/// The elements of the bits of register, lane and warp.
type Distributed = (Vec<usize>, Vec<usize>, Vec<usize>);

/// What Triton chooses for a conversion through shared memory, written after the source of
/// `optimalSwizzlingLdSt` (`lib/Tools/GenericSwizzling.cpp` of 2025; its Python package has no
/// function that says it): the elements of the bits of an offset, those of the vector, the bank and
/// the segment. The bits of elements are single ones here.
fn triton(from: &Distributed, to: &Distributed, bits: usize, size: usize) -> Vec<usize> {
    let ((from_regs, from_lanes, from_warps), (to_regs, to_lanes, to_warps)) = (from, to);
    let in_both =
        |a: &[usize], b: &[usize]| a.iter().copied().filter(|e| b.contains(e)).collect::<Vec<_>>();
    // The registers that both have go first, 128 bits at most.
    let mut vector = in_both(from_regs, to_regs);
    vector.truncate((128 / bits).ilog2() as usize);
    // A word is filled up with registers of one side that are warps of the other, then with warps.
    let mut from_fills = None;
    if bits << vector.len() < 32 {
        let word = (32 / bits).ilog2() as usize;
        let rest = |regs: &[usize]| {
            regs.iter().copied().filter(|e| !vector.contains(e)).collect::<Vec<_>>()
        };
        let (by_from, by_to) =
            (in_both(&rest(from_regs), to_warps), in_both(&rest(to_regs), from_warps));
        let is_from = if by_from.len() == by_to.len() && !by_from.is_empty() {
            by_from.iter().min() < by_to.iter().min()
        } else {
            by_from.len() > by_to.len()
        };
        from_fills = Some(is_from);
        vector.extend(if is_from { by_from } else { by_to });
        if vector.len() < word {
            vector.extend(in_both(from_warps, to_warps));
        }
        for k in 0..from_warps.len().max(to_warps.len()) {
            for warp in [from_warps.get(k), to_warps.get(k)].into_iter().flatten() {
                if vector.len() < word && !vector.contains(warp) {
                    vector.push(*warp);
                }
            }
        }
        vector.truncate(word);
    }
    // The lanes that go to banks together.
    let words = ((bits << vector.len()) / 32).max(1).ilog2() as usize;
    let tile = |lanes: &[usize]| lanes[..lanes.len() - words].to_vec();
    let (from_tile, to_tile) = (tile(from_lanes), tile(to_lanes));
    let banks = ((1024 / (bits << vector.len())).ilog2() as usize).min(size - vector.len());
    let segments = size - banks - vector.len();
    let units = (0..size).map(|bit| 1usize << bit);
    let used = [&vector[..], &from_tile, &to_tile].concat();
    let mut segment: Vec<usize> = units.clone().filter(|e| !used.contains(e)).collect();
    if segment.len() < segments {
        let only = |of: &[usize], other: &[usize]| -> Vec<usize> {
            let known = [&vector[..], other].concat();
            of.iter()
                .copied()
                .filter(|e| !known.contains(e))
                .collect::<BTreeSet<_>>()
                .into_iter()
                .collect()
        };
        let (mut few, mut many) = (only(&from_tile, &to_tile), only(&to_tile, &from_tile));
        if few.len() > many.len() {
            (few, many) = (many, few);
        }
        let conflicts = segments.saturating_sub(few.len() + segment.len()).min(few.len());
        segment.extend((conflicts..few.len()).map(|k| few[k] ^ many[k]));
        segment.extend(&few[..conflicts]);
        segment.extend(&many[..conflicts]);
    }
    segment.truncate(segments);
    // The banks are what is left: of each vector, the lowest bit stands for it.
    let mut rows = [&vector[..], &segment].concat();
    let mut pivots = BTreeSet::new();
    while let Some(row) = rows.pop() {
        let pivot = row & row.wrapping_neg();
        pivots.insert(pivot);
        rows.iter_mut().filter(|other| **other & pivot != 0).for_each(|other| *other ^= row);
    }
    let mut bank: Vec<usize> = units.filter(|e| !pivots.contains(e)).collect();
    // Banks that are registers of one side go first: that side may have longer vectors.
    if words < 2 {
        let (by_from, by_to) = (in_both(&bank, from_regs), in_both(&bank, to_regs));
        let is_from = from_fills.unwrap_or(by_from.len() > by_to.len());
        let first = if is_from { by_from } else { by_to };
        bank.sort_by_key(|e| !first.contains(e));
    }
    [&vector[..], &bank, &segment].concat()
}

/// The offset of each bit of an element, for the elements of the bits of an offset.
fn inverted(elements: &[usize]) -> Vec<usize> {
    let all = table(elements);
    (0..elements.len())
        .map(|bit| all.iter().position(|element| *element == 1 << bit).expect("a bijection"))
        .collect()
}

/// (thread, value), the values in the order of these registers.
fn thread_values(regs: &[usize], (_, lanes, warps): &Distributed) -> FlatLayout {
    let mode = |strides: &[usize]| {
        let all = strides.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
        (vec!["2"; strides.len()].join(","), all)
    };
    let threads: Vec<_> = lanes.iter().chain(warps).copied().collect();
    let ((s0, d0), (s1, d1)) = (mode(&threads), mode(regs));
    flat(&text::<DynLayout>(&format!("(({s0}),({s1})):(({d0}),({d1}))")))
}

/// The conversions between lanes of 32 in Triton's own tests
/// (`unittest/Dialect/TritonGPU/SwizzleTest.cpp`), which expect that none of them has a conflict:
/// the bits (row, column) of registers, lanes and warps, before and after.
#[test]
fn no_choice_of_tritons_is_better() {
    type Bits = [&'static [(usize, usize)]; 3];
    let cases: [(&str, usize, usize, usize, Bits, Bits); 5] = [
        (
            "128x128 float8 transpose",
            8,
            128,
            128,
            [
                &[(0, 1), (0, 2), (0, 4), (0, 8), (1, 0), (2, 0)],
                &[(0, 16), (0, 32), (0, 64), (4, 0), (8, 0)],
                &[(16, 0), (32, 0), (64, 0)],
            ],
            [
                &[(1, 0), (2, 0), (4, 0), (8, 0), (0, 1), (0, 2)],
                &[(16, 0), (32, 0), (64, 0), (0, 4), (0, 8)],
                &[(0, 16), (0, 32), (0, 64)],
            ],
        ),
        (
            "16x16 bf16 to mma",
            16,
            16,
            16,
            [&[(0, 1), (0, 2), (0, 4)], &[(0, 8), (1, 0), (2, 0), (4, 0), (8, 0)], &[]],
            [&[(0, 1), (8, 0), (0, 8)], &[(0, 2), (0, 4), (1, 0), (2, 0), (4, 0)], &[]],
        ),
        (
            "16x256 u4 to mma",
            4,
            16,
            256,
            [
                &[(0, 1), (0, 2), (0, 4), (0, 8), (0, 16), (4, 0), (8, 0)],
                &[(0, 32), (0, 64), (0, 128), (1, 0), (2, 0)],
                &[],
            ],
            [
                &[(0, 1), (0, 2), (0, 4), (8, 0), (0, 32), (0, 64), (0, 128)],
                &[(0, 8), (0, 16), (1, 0), (2, 0), (4, 0)],
                &[],
            ],
        ),
        (
            "32x16 f32 transpose",
            32,
            32,
            16,
            [&[(4, 0), (8, 0), (16, 0)], &[(0, 1), (0, 2), (0, 4), (0, 8), (1, 0)], &[(2, 0)]],
            [&[(0, 2), (0, 4), (0, 8)], &[(1, 0), (2, 0), (4, 0), (8, 0), (16, 0)], &[(0, 1)]],
        ),
        (
            "128x128 f16 transpose",
            16,
            128,
            128,
            [
                &[(1, 0), (2, 0), (4, 0), (0, 32), (0, 64)],
                &[(8, 0), (16, 0), (32, 0), (64, 0), (0, 1)],
                &[(0, 2), (0, 4), (0, 8), (0, 16)],
            ],
            [
                &[(0, 1), (0, 2), (0, 4), (32, 0), (64, 0)],
                &[(0, 8), (0, 16), (0, 32), (0, 64), (1, 0)],
                &[(2, 0), (4, 0), (8, 0), (16, 0)],
            ],
        ),
    ];
    for (name, bits, rows, columns, from, to) in cases {
        let element = |&(row, column): &(usize, usize)| row * columns + column;
        let side = |bits: Bits| -> Distributed {
            let [regs, lanes, warps] = bits.map(|bits| bits.iter().map(element).collect());
            (regs, lanes, warps)
        };
        let (from, to) = (side(from), side(to));
        let size = (rows * columns).ilog2() as usize;
        let elements = triton(&from, &to, bits, size);
        let chosen = table(&inverted(&elements));
        // Registers have no order in Triton: as its offsets have them, and as they are.
        let first = |side: &Distributed| {
            let mut regs = side.0.clone();
            regs.sort_by_key(|e| elements.iter().position(|v| v == e).unwrap_or(usize::MAX));
            thread_values(&regs, side)
        };
        let orders = [
            [first(&from), first(&to)],
            [thread_values(&from.0, &from), thread_values(&to.0, &to)],
        ];
        for (k, [writes, reads]) in orders.iter().enumerate() {
            let (best, ours) = checked(writes, reads, bits);
            let theirs = cost(&chosen, [writes, reads], bits);
            // As its own tests say: no conflicts, with its registers in its own order.
            let conflicts = |sides: [&FlatLayout; 2], k: usize, widths: [usize; 2]| {
                brute_conflicts(&|element| chosen[element], sides[k], bits, widths[k]).0
            };
            let widths = accesses(&chosen, [writes, reads], bits).map(|(_, widths)| widths);
            let free = |widths| (0..2).all(|k| conflicts([writes, reads], k, widths) == 0);
            assert!(k == 1 || widths.is_some_and(free), "{name}: {theirs:?}");
            assert!(
                theirs.is_some_and(|theirs| ours <= theirs),
                "{name}: {best} {ours:?}, Triton {theirs:?}"
            );
        }
    }
}

// ---- in constants -------------------------------------------------------------------------------

/// A tile of 128 x 128 in const evaluation, in a crate that uses this one: the lint on long
/// evaluations is on.
mod in_const_evaluation {
    use super::*;

    type Writes = Layout!(((32, 8), (4, 16)):((512, 1), (128, 8)));
    type Reads = Layout!(((32, 8), (4, 16)):((4, 128), (1, 1024)));
    const BEST: BestSharedLayout = best_shared_layout::<Writes, Reads>(32);
    const _: () = assert!(BEST.is_optimal());
    const SWIZZLED: bool = BEST.swizzled().is_some();

    #[test]
    fn it_is_that_of_run_time() {
        let [writes, reads] = [flat(&Writes::default()), flat(&Reads::default())];
        assert_eq!(checked(&writes, &reads, 32).0, BEST);
        assert_eq!(SWIZZLED, BEST.swizzled().is_some());
    }
}

// ---- what is refused ----------------------------------------------------------------------------

#[test]
fn layouts_that_are_not_linear_are_refused() {
    let refused = |writes: &str, reads: &str, bits: usize| {
        let [writes, reads] = [writes, reads].map(|layout| flat(&text::<DynLayout>(layout)));
        panics(|| writes.best_shared_layout(&reads, bits)).expect("a refusal")
    };
    assert_eq!(
        refused("(32,6):(1,32)", "(32,4):(1,32)", 32),
        "the writes are not linear in the bits of thread and value: an extent is 6, which is no power of two"
    );
    assert_eq!(
        refused("(32,4):(1,32)", "(32,4):(1,33)", 32),
        "the reads are not linear in the bits of thread and value: 1 and 33 are added to one another, and the sum \
         carries"
    );
    assert_eq!(
        refused("(32,0):(1,32)", "(32,4):(1,32)", 32),
        "the writes are not linear in the bits of thread and value: an extent is 0, which is no power of two"
    );
    assert_eq!(
        refused("(32,4):(1,32)", "(32,4):(1,1048576)", 32),
        "a tile of 2^22 elements, and 2^19 are the most"
    );
    let bits = "an element is of 2^k bits, 4 to 128, and not of 24";
    assert_eq!(refused("(32,4):(1,32)", "(32,4):(1,32)", 24), bits);
    assert_eq!(refused("(32,1):(1,0)", "(32,1):(1,0)", 4), "no access of whole bytes");
    // One element, and one thread of one value.
    let one = flat(&text::<DynLayout>("1:0"));
    let best = one.best_shared_layout(&one, 32);
    assert_eq!(
        (best.to_string(), best.size(), best.at(0), best.accesses),
        ("1:^0".to_string(), 1, 0, 2)
    );
    assert!(best.is_optimal());
    // An offset that takes no part in a sum is a part of the function, and one that does is
    // refused.
    let behind = flat(&text::<DynComposedLayout>("Sw<0,0,0> o 32 o (32,1):(1,0)"));
    assert_eq!(behind.best_shared_layout(&behind, 32).size(), 64);
    let within = flat(&text::<DynComposedLayout>("Sw<0,0,0> o 3 o (32,1):(1,0)"));
    assert!(
        panics(|| within.best_shared_layout(&within, 32))
            .expect("a refusal")
            .contains("3 and 1 are added")
    );
}
