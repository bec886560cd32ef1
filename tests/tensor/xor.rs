//! Tensors on XOR strides, against offsets computed by hand.

use layout_algebra::prelude::*;
use layout_algebra::tensor::{Addressable, Columns, Fragment, Rows};
use layout_algebra::{Unswizzled, Xor};

/// `a (x) b`, by the definition.
fn product(a: usize, b: usize) -> usize {
    (0..usize::BITS).filter(|bit| a >> bit & 1 == 1).fold(0, |sum, bit| sum ^ b << bit)
}
fn numbers(length: usize) -> Vec<usize> {
    (0..length).map(|i| 7 * i + 1).collect()
}

/// Each element, by coordinate, by number and in order; rows and columns; and that nothing else is there.
macro_rules! check {
    ($layout:expr, $offset:expr) => {{
        let (layout, offset) = ($layout, $offset);
        let name = layout.to_string();
        let (m, n) = (layout.mode_size(0), layout.mode_size(1));
        let all: Vec<usize> = (0..m * n).map(|i| offset(i % m, i / m)).collect();
        let reach = all.iter().max().map_or(0, |last| last + 1);
        assert_eq!((layout.cosize(), layout.reach()), (reach, Some(reach)), "{name}");
        let data = numbers(reach);
        if reach > 0 {
            let error = Tensor::new(&data[..reach - 1], layout).unwrap_err();
            assert!(
                error
                    .to_string()
                    .ends_with(&format!("the layout reaches {reach} elements, and the storage holds {}", reach - 1)),
                "{error}"
            );
        }
        let t = Tensor::new(&data[..], layout).unwrap();
        assert_eq!(t.layout().to_string(), name);
        let values: Vec<usize> = all.iter().map(|&at| data[at]).collect();
        assert_eq!(t.iter().copied().collect::<Vec<_>>(), values, "{name}");
        assert_eq!(t.reduce(0, |sum, &x| sum + x), values.iter().sum::<usize>(), "{name}");
        for (i, &value) in values.iter().enumerate() {
            assert_eq!((t[i], t[(i % m, i / m)], t.get(i)), (value, value, Some(&value)), "{name} at {i}");
        }
        assert!(t.get((m, 0)).is_none() && t.get((0, n)).is_none() && t.get(m * n).is_none(), "{name}");
        for i in 0..m {
            let row = t.slice((i, ..));
            assert!((0..n).all(|j| row[j] == values[i + m * j]), "{name}, row {i}");
            assert_eq!(row.layout().cosize(), row.layout().reach().unwrap(), "{name}, row {i}");
            for j in 0..n {
                assert_eq!(*row.slice(j).iter().next().unwrap(), values[i + m * j], "{name}");
            }
        }
        for j in 0..n {
            let column = t.slice((.., j));
            assert!(column.iter().zip(&values[m * j..]).all(|(x, y)| x == y), "{name}, column {j}");
        }
        assert!(t.try_slice((m, ..)).is_err() && t.try_slice((.., n)).is_err(), "{name}");
        // Copied into a compact tensor.
        let mut compact = Tensor::filled(StridedLayout::left(layout.shape()), 0);
        compact.copy_from(&t).unwrap();
        assert_eq!(compact.into_storage(), values, "{name}");
        // Written where no two coordinates share an element.
        let distinct: std::collections::BTreeSet<usize> = all.iter().copied().collect();
        let mut written = vec![usize::MAX; reach];
        let mut target = Tensor::new(&mut written[..], layout).unwrap();
        let parts = target.try_parts_mut::<_, Columns>(layout);
        assert_eq!(parts.is_ok(), distinct.len() == all.len(), "{name}");
        if let Ok(parts) = parts {
            parts.enumerate().for_each(|(j, mut part)| part.for_each_mut(|i, x| *x = i + m * j));
            assert!(all.iter().enumerate().all(|(i, &at)| written[at] == i), "{name}");
            assert!((0..reach).all(|at| distinct.contains(&at) || written[at] == usize::MAX), "{name}");
        } else {
            let error = target.try_parts_mut::<_, Columns>(layout).unwrap_err();
            assert_eq!(error.kind().as_str(), "overlap", "{name}: {error}");
        }
    }};
}

#[test]
fn every_element_of_static_layouts() {
    check!(layout!((8, 8):(^1, ^9)), |i, j| i ^ product(j, 9));
    check!(layout!((8, 8):(^9, ^1)), |i, j| product(i, 9) ^ j);
    check!(layout!((4, 8):(^3, ^20)), |i, j| product(i, 3) ^ product(j, 20));
    check!(layout!((3, 5):(^1, ^5)), |i, j| i ^ product(j, 5));
    check!(layout!((5, 3):(^8, ^3)), |i, j| product(i, 8) ^ product(j, 3));
    check!(layout!((4, 4):(^1, ^2)), |i, j| i ^ product(j, 2));
    check!(layout!((4, 4):(^1, 0)), |i, _| i);
    check!(layout!((8, 5):(^1, 64)), |i, j| i + 64 * j);
    check!(layout!((4, (2, 4)):(^1, (^5, ^10))), |i, j| i ^ product(j % 2, 5) ^ product(j / 2, 10));
    check!(layout!((4, (2, 3)):(^1, (^5, 24))), |i, j| (i ^ product(j % 2, 5)) + 24 * (j / 2));
}

#[test]
fn every_element_of_random_layouts() {
    let mut seed = 1u64;
    let mut random = |n: u64| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % n as usize
    };
    for _ in 0..500 {
        let (m, n, d, e) = (random(9), random(9), random(40), random(40));
        check!(XorLayout::new((m, n), (Xor::new(d), Xor::new(e))), |i, j| product(i, d) ^ product(j, e));
        let high = 512 << random(2);
        check!(XorLayout::new((m, n), (Xor::new(d), high)), |i, j| product(i, d) + high * j);
        let pairs = XorLayout::new((m, (n, 3)), (high, (Xor::new(d), Xor::new(e))));
        check!(pairs, |i, j: usize| i * high + (product(j % n, d) ^ product(j / n, e)));
    }
}

#[test]
fn tensors_made_in_every_way() {
    let swizzled = layout!((8, 8):(^1, ^9));
    let by_hand = Swizzle::<3, 0, 3>::new().compose(layout!((8, 8)));
    let data = numbers(64);
    let (t, u) = (Tensor::new(&data[..], swizzled).unwrap(), Tensor::new(&data[..], by_hand).unwrap());
    assert!((0..64).all(|i| t[i] == u[i]));
    let mut fixed = Tensor::fixed([0; 64], swizzled);
    fixed.copy_from(&t).unwrap();
    assert_eq!(fixed.as_slice(), None);
    assert_eq!(fixed.into_storage()[..], data[..]);
    let mut filled = Tensor::filled(swizzled, 3);
    filled[(1, 1)] = 4;
    assert_eq!(filled.into_storage().iter().sum::<i32>(), 3 * 64 + 1);
    // A view of a plain tensor, and back.
    let plain = Tensor::new(&data[..], layout!((8, 8))).unwrap();
    let view = plain.view().relayout(swizzled).unwrap();
    assert!((0..64).all(|i| view[i] == t[i]));
    assert!(view.relayout(layout!((8, 8))).is_ok());
    assert!(Tensor::new(&data[..32], layout!((8, 4))).unwrap().relayout(swizzled).is_err());
    // Tables and copies: the shape alone counts, and which elements there are.
    assert_eq!(t.table().to_string().lines().count(), plain.table().to_string().lines().count());
    assert!(t.view().flip::<0>().map(|x| 2 * x).iter().zip(t.view().flip::<0>().iter()).all(|(x, y)| *x == 2 * y));
    assert_eq!(t.slice((.., 3)).map(|x| x + 1).layout().to_string(), "_8:_1");
    // The algebra.
    assert!((0..64).all(|i| t.view().coalesce()[i] == t[i] && t.view().flatten()[i] == t[i]));
    assert_eq!(t.view().transpose()[(5, 3)], t[(3, 5)]);
    let half = t.view().compose(layout!((8, 4):(1, 8)));
    assert!((0..32).all(|i| half[i] == t[i]));
}

#[test]
fn tiles_shares_and_mutable_parts() {
    let layout = layout!((8, 8):(^1, ^9));
    let data = numbers(64);
    let t = Tensor::new(&data[..], layout).unwrap();
    for (number, tile) in t.tiles(tiler!(2, 4)).enumerate() {
        let (i, j) = (number % 4 * 2, number / 4 * 4);
        assert!((0..2).all(|k| (0..4).all(|l| tile[(k, l)] == t[(i + k, j + l)])), "{number}");
        assert!((0..4).all(|l| tile.slice((1, ..))[l] == t[(i + 1, j + l)]), "{number}");
    }
    for i in 0..4 {
        for j in 0..2 {
            let tile = t.local_tile(tiler!(2, 4), (i, j)).unwrap();
            assert!((0..2).all(|k| (0..4).all(|l| tile[(k, l)] == t[(2 * i + k, 4 * j + l)])));
            // A tile of the tile.
            let inner = tile.local_tile(tiler!(1, 2), (1, 1)).unwrap();
            assert!((0..2).all(|l| inner[(0, l)] == t[(2 * i + 1, 4 * j + 2 + l)]));
        }
    }
    assert!(t.local_tile(tiler!(2, 4), (4, 0)).is_err());
    for thread in 0..8 {
        let share = t.local_partition(layout!((2, 4)), thread).unwrap();
        let (i, j) = (thread % 2, thread / 2);
        assert!((0..4).all(|k| (0..2).all(|l| share[(k, l)] == t[(2 * k + i, 4 * l + j)])));
    }
    let divided = t.view().zipped_divide(tiler!(2, 4));
    assert_eq!(divided[((1, 2), (3, 1))], t[(7, 6)]);

    let mut written = vec![0usize; 64];
    let mut t = Tensor::new(&mut written[..], layout).unwrap();
    for (number, mut tile) in t.tiles_mut(tiler!(2, 4)).enumerate() {
        tile.for_each_mut(|(i, j), x| *x = 1 + 100 * number + 10 * i + j);
        // Within the tile, all of its own algebra; and nothing outside of it.
        assert!(tile.view_mut().flatten().size() == 8 && tile.view_mut().transpose().size() == 8);
        let mut of_tile = tile.view_mut().compose(layout!((2, 2):(1, 4)));
        of_tile.transform(|x| x + 1000);
        assert!(tile.view_mut().relayout(layout!(8:1)).is_err());
        assert!(tile.view_mut().relayout(layout).is_err());
        // Tiles of the tile.
        for mut row in tile.tiles_mut(tiler!(1, 4)) {
            row.transform(|x| x + 10_000);
        }
    }
    for i in 0..64 {
        let (number, k, l) = (i % 8 / 2 + i / 8 / 4 * 4, i % 2, i / 8 % 4);
        let want = 1
            + 100 * number
            + 10 * k
            + l
            + 10_000
            + if l % 4 % 2 == 0 && l < 4 && (l == 0 || l == 2) { 1000 } else { 0 };
        assert_eq!(t[i], want, "{i}");
    }
    // Rows, and sides on threads.
    let mut t = Tensor::filled(layout!((8, 8):(^1, ^9)), 0);
    std::thread::scope(|s| {
        for (i, mut row) in t.try_parts_mut::<_, Rows>(layout).unwrap().enumerate() {
            s.spawn(move || row.fill(i));
        }
    });
    assert!((0..64).all(|i| t[i] == i % 8));
    // What overlaps is refused, at run time too.
    let n = 3;
    let mut overlapping = Tensor::filled(XorLayout::new((4, 4), (Xor::new(1), Xor::new(n))), 0);
    let error = overlapping.try_tiles_mut(tiler!(2, 2)).unwrap_err();
    assert!(error.to_string().contains("leads to offsets that other modes lead to"), "{error}");
    assert!(std::panic::catch_unwind(core::panic::AssertUnwindSafe(|| overlapping.iter_mut().count())).is_err());
}

/// Which layouts a tile of XOR strides accepts: those whose offsets are all its own.
#[test]
fn layouts_within_a_tile() {
    fn image<L: Addressable>(layout: &L) -> std::collections::BTreeSet<usize> {
        (0..layout.size()).map(|i| layout.at(i)).collect()
    }
    fn try_one<L: Addressable, M: Addressable>(from: L, to: M, accepted: &mut (u32, u32, u32)) {
        let mut data = vec![0; from.reach().unwrap()];
        // SAFETY: the elements that the layout reaches are in `data`, which is used by nothing else.
        let tile = unsafe { Tensor::from_raw(data.as_mut_ptr(), from.clone()) };
        let within = image(&to).is_subset(&image(&from));
        match tile.relayout(to.clone()) {
            Ok(_) => {
                assert!(within, "{from} takes {to}");
                accepted.0 += 1;
            }
            Err(error) if error.to_string().contains("is decided for XOR strides only") => accepted.2 += 1,
            Err(error) => {
                assert!(!within, "{from} refuses {to}: {error}");
                accepted.1 += 1;
            }
        }
    }
    let mut seed = 5u64;
    let mut random = |n: u64| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % n as usize
    };
    let mut accepted = (0, 0, 0);
    for round in 0..4000 {
        let mut extent = || if round % 2 == 0 { 1 << random(3) } else { 1 + random(5) };
        let shapes: [(usize, usize, usize); 2] = [(extent(), extent(), extent()), (extent(), extent(), extent())];
        let [d, e] = [[random(8), random(16), 64], [random(8), random(16), 64 * (1 + random(2))]];
        let from = |k: usize| if round % 3 == 0 { 0 } else { k };
        let a = ComposedLayout::new(
            Unswizzled,
            from(random(16)),
            XorLayout::new(shapes[0], (Xor::new(d[0]), Xor::new(d[1]), d[2])),
        );
        let b = ComposedLayout::new(
            Unswizzled,
            from(random(16)),
            XorLayout::new(shapes[1], (Xor::new(e[0]), Xor::new(e[1]), e[2])),
        );
        try_one(a, b, &mut accepted);
        let plain = StridedLayout::new(shapes[1], (e[0], e[1], e[2]));
        try_one(a, plain, &mut accepted);
        try_one(plain, a, &mut accepted);
        try_one(a, a, &mut accepted);
        let swizzled = ComposedLayout::new(Swizzle::<2, 0, 2>::new(), random(2), plain);
        try_one(swizzled, a, &mut accepted);
        try_one(a, swizzled, &mut accepted);
        // XOR strides behind swizzles, one of them and another one.
        let swizzle = |k: usize| DynSwizzle::new(k as u32, 0, 2).unwrap();
        let bits =
            |n: (usize, usize, usize), d: [usize; 3]| XorLayout::new((n.0, n.1), (Xor::new(d[0]), Xor::new(d[1])));
        let (p, q) = (bits(shapes[0], d), bits(shapes[1], e));
        let p = ComposedLayout::new(swizzle(random(3)), from(random(16)), p);
        let q = ComposedLayout::new(swizzle(random(3)), from(random(16)), q);
        try_one(p, q, &mut accepted);
        try_one(p, b, &mut accepted);
        try_one(a, q, &mut accepted);
        try_one(q, plain, &mut accepted);
        try_one(p, p, &mut accepted);
    }
    println!("accepted, refused, undecided: {accepted:?}");
    assert!(accepted.0 > 8000 && accepted.1 > 20_000 && accepted.2 < 12_000, "{accepted:?}");
}

#[test]
fn what_has_no_meaning_in_memory_is_refused() {
    // Beyond `usize`, too many odd extents, and natural strides that meet XOR strides.
    let far = XorLayout::new(4, Xor::new(1 << 63));
    assert_eq!(Tensor::new([0; 8], far).unwrap_err().kind().as_str(), "overflow");
    assert_eq!(
        Tensor::new([0; 8], XorLayout::new((usize::MAX, 2), (Xor::new(0), Xor::new(1)))).unwrap_err().kind().as_str(),
        "overflow"
    );
    let meeting = XorLayout::const_new((4, 4), (Xor::new(1), 2));
    let error = Tensor::new([0; 16], meeting).unwrap_err();
    assert!(error.to_string().contains("bit 1 is one of the offsets of natural strides"), "{error}");
    // What is XORed with all offsets meets a natural stride.
    let at = |from: usize| ComposedLayout::const_new(Unswizzled, from, XorLayout::new((4, 4), (Xor::new(1), 4)));
    assert!(Tensor::new([0; 16], at(3)).is_ok() && Tensor::new([0; 16], at(4)).is_err());
    assert_eq!(Tensor::new([0; 16], at(16)).unwrap_err().kind().as_str(), "bounds");
    assert_eq!(Tensor::new([0; 32], at(16)).unwrap()[(1, 1)], 0);
    // Nothing lies in an empty one.
    let empty = Tensor::new([0; 0], XorLayout::new((0, 4), (Xor::new(usize::MAX), Xor::new(1)))).unwrap();
    assert_eq!((empty.size(), empty.iter().count(), empty.slice((.., 2)).size()), (0, 0, 0));
    // Natural strides beside XOR strides behind a swizzle, which moves the bits of both.
    let mixed = Swizzle::<1, 0, 2>::new().compose(layout!((4, 3):(^1, 8)));
    let error = Tensor::new([0; 64], mixed).unwrap_err();
    assert!(error.to_string().contains("natural strides stand beside XOR strides under a swizzle"), "{error}");
    assert_eq!(Tensor::new([0; 64], mixed.to_dynamic()).unwrap_err().fault(), error.fault());
    let identity = ComposedLayout::new(DynSwizzle::IDENTITY, 0, layout!((4, 3):(^1, 8)));
    assert_eq!(Tensor::new([0; 64], identity).unwrap_err().fault(), error.fault());
    let identity = Swizzle::<0, 0, 0>::new().compose(layout!((4, 3):(^1, 8)));
    assert_eq!(Tensor::new([0; 64], identity).unwrap_err().fault(), error.fault());
    let standing = Swizzle::<1, 0, 2>::new().compose(XorLayout::new((4, 3), (Xor::new(2), 0)));
    assert_eq!(Tensor::new([0, 1, 2, 3, 4, 5, 6, 7], standing).unwrap().slice((3, ..)).iter().sum::<i32>(), 3 * 7);
    let empty =
        Tensor::new([0; 0], Swizzle::<1, 0, 2>::new().compose(XorLayout::new((4, 0), (Xor::new(1), 8)))).unwrap();
    assert_eq!((empty.size(), empty.slice((2.., ..)).size(), empty.try_slice((.., 1)).is_err()), (0, 0, true));
    assert_eq!(empty.relayout(StridedLayout::new(0, 1)).unwrap().size(), 0);
    // Ranges and windows that begin where sums carry.
    let t = Tensor::filled(layout!((8, 8):(^1, ^9)), 0);
    let sentence = "cannot slice (8,8):(^1,^9): the range 1..4 of XOR strides does not begin at a multiple of 4: 1 has \
                    a bit in common with numbers that are kept, so that sum and XOR differ";
    assert_eq!(t.try_slice((1..4, ..)).unwrap_err().to_string(), sentence);
    assert_eq!(t.try_window((1, 0), shape!((3, 2))).unwrap_err().to_string(), sentence);
    assert_eq!(
        t.layout().to_dynamic().slice((1..4, ..)).unwrap_err().fault(),
        t.try_slice((1..4, ..)).unwrap_err().fault()
    );
    let sentence = "cannot cut into blocks (8,8):(^1,^9) by <8,3>: the range 3..6 of XOR strides does not begin at";
    assert!(t.try_ragged_tiles(tiler!(8, 3)).unwrap_err().to_string().starts_with(sentence));
}

/// Counted backwards, a mode of a power of two has the same strides, from its last number on.
#[test]
fn flipped() {
    let data = numbers(1 << 9);
    let l = layout!((8, (2, 4), 3):(^9, (^1, ^6), 128));
    let t = Tensor::new(&data[..], l).unwrap();
    let (a, b) = (t.view().flip::<0>(), t.view().flip::<1>().flip::<0>());
    assert_eq!(a.layout().to_string(), format!("{} o {l}", product(7, 9)));
    for (i, j, k) in (0..8).flat_map(|i| (0..8).flat_map(move |j| (0..3).map(move |k| (i, j, k)))) {
        assert_eq!((a[(i, j, k)], b[(i, j, k)]), (t[(7 - i, j, k)], t[(7 - i, 7 - j, k)]));
    }
    assert!((0..l.size()).all(|i| a.view().flip::<0>()[i] == t[i]));
    assert!((0..8).all(|i| b.slice((i, .., 2))[5] == t[(7 - i, 2, 2)]));
    let mut written = Tensor::filled(layout!((8, 8):(^1, ^9)), 0);
    for (k, mut tile) in written.view_mut().flip::<1>().tiles_mut(tiler!(8, 2)).enumerate() {
        tile.view_mut().flip::<0>().slice_mut((0, ..)).fill(k + 1);
    }
    assert!((0..64).all(|i| written[i] == if i % 8 == 7 { (7 - i / 8) / 2 + 1 } else { 0 }));
    // What has no strides backwards is refused.
    let refused = |f: fn(&[usize])| std::panic::catch_unwind(|| f(&numbers(1 << 9))).is_err();
    assert!(refused(|data| assert_eq!(Tensor::new(data, layout!((3, 4):(^1, ^4))).unwrap().flip::<0>().size(), 12)));
    assert!(refused(|data| assert_eq!(Tensor::new(data, layout!((4, 4):(^1, 4))).unwrap().flip::<1>().size(), 16)));
    assert!(refused(|data| assert_eq!(Tensor::new(data, layout!((4, 4):(^1, ^4))).unwrap().flip::<2>().size(), 16)));
}

/// The same where only run time knows the rank: a `DynLayout`, of which what a slice fixes has to be added, and one
/// behind an offset, which takes all slices.
#[test]
fn known_at_run_time_only() {
    let data = numbers(1 << 12);
    let mut seed = 9u64;
    let mut random = |n: u64| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % n as usize
    };
    let (mut sums, mut refused) = (0, 0);
    for _ in 0..300 {
        let (m, n, d, e) = (1 + random(8), 1 + random(8), random(40), random(40));
        let l = XorLayout::new((m, n, 3), (Xor::new(d), Xor::new(e), 512));
        let of_types = Tensor::new(&data[..], l).unwrap();
        let t = Tensor::new(&data[..], l.to_dynamic()).unwrap();
        assert_eq!((t.layout().cosize(), t.layout().reach()), (l.cosize(), Some(l.cosize())));
        assert!(Tensor::new(&data[..l.cosize() - 1], l.to_dynamic()).is_err());
        assert!((0..l.size()).all(|i| t[i] == of_types[i]), "{l}");
        assert!(t.iter().eq(of_types.iter()), "{l}");
        assert_eq!(
            Tensor::filled(l.to_dynamic(), 0).try_parts_mut::<_, Rows>(l.to_dynamic().group(0, 2).unwrap()).is_ok(),
            Tensor::filled(l, 0).try_parts_mut::<_, Rows>(l.group::<0, 2>()).is_ok()
        );
        let composed = ComposedLayout::new(DynSwizzle::IDENTITY, 0, l.to_dynamic());
        let u = Tensor::new(&data[..], composed).unwrap();
        for i in 0..m {
            let want = of_types.slice((i, .., ..));
            let of_all = u.slice((i, .., ..));
            assert_eq!(of_all.layout().cosize(), want.layout().cosize(), "{l} at {i}");
            assert_eq!(of_all.layout().reach(), Some(want.layout().cosize()), "{l} at {i}");
            assert_eq!(
                want.layout().to_dynamic().to_string(),
                format!(
                    "Sw<0,0,0> o {} o ({n},3):({},512)",
                    product(i, d),
                    if e == 0 { "0".into() } else { format!("^{e}") }
                )
            );
            assert!((0..n * 3).all(|k| of_all[k] == want[k]), "{l} at {i}");
            // Sliced once more, and what natural strides fix is added behind.
            for k in 0..3 {
                let row = of_all.slice((.., k));
                assert!((0..n).all(|j| row[j] == want[(j, k)]), "{l} at {i}");
            }
            match t.try_slice((i, .., ..)) {
                Ok(row) => {
                    assert!((0..n * 3).all(|k| row[k] == want[k]), "{l} at {i}");
                    sums += 1;
                }
                Err(error) => {
                    assert!(error.to_string().contains("so that it is not a sum of both"), "{error}");
                    refused += 1;
                }
            }
        }
        assert!(t.try_slice((m, .., ..)).is_err() && u.try_slice((m, .., ..)).is_err() && u.get((0, n, 0)).is_none());
        // The last number of a mode alone, and what would carry.
        assert_eq!(u.slice((m - 1.., .., ..)).slice((.., n - 1, 2))[0], of_types[(m - 1, n - 1, 2)], "{l}");
        assert_eq!(u.window((m - 1, n - 1, 1), (1, 1, 2))[1], of_types[(m - 1, n - 1, 2)], "{l}");
        assert_eq!(m > 2 && u.try_slice((1..3, .., ..)).is_err(), m > 2 && d > 0, "{l}");
    }
    assert!(sums > 300 && refused > 300, "{sums} {refused}");
    // Tiles, as views and as disjoint mutable ones.
    let l = layout!((8, 8):(^1, ^9));
    let of_types = Tensor::new(&data[..], l).unwrap();
    let composed = ComposedLayout::new(DynSwizzle::IDENTITY, 0, l.to_dynamic());
    let t = Tensor::new(&data[..], composed.clone()).unwrap();
    let tiler: DynTiler = "<2,4>".parse().unwrap();
    for (number, tile) in t.tiles(&tiler).enumerate() {
        let (i, j) = (number % 4 * 2, number / 4 * 4);
        assert!((0..8).all(|k| tile[k] == of_types[(i + k % 2, j + k / 2)]));
    }
    let mut written = vec![0; 64];
    let mut t = Tensor::new(&mut written[..], composed).unwrap();
    for (number, mut tile) in t.tiles_mut(&tiler).enumerate() {
        tile.fill(number);
        assert!(tile.view_mut().relayout("8:1".parse::<DynLayout>().unwrap()).is_err());
    }
    assert!((0..64).all(|i| t[i] == i % 8 / 2 + i / 8 / 4 * 4));
    // What is XORed meets a natural stride, and a swizzle stands behind XOR strides.
    let mixed: DynLayout = "(4,4):(^1,4)".parse().unwrap();
    let at = |from: usize| ComposedLayout::new(DynSwizzle::IDENTITY, from, mixed.clone());
    assert!(Tensor::new(&data[..], at(3)).is_ok() && Tensor::new(&data[..], at(4)).is_err());
    let swizzled = ComposedLayout::new(DynSwizzle::new(2, 0, 2).unwrap(), 0, mixed.clone());
    assert_eq!(Tensor::new(&data[..], swizzled).unwrap_err().kind().as_str(), "stride");
    let empty = ComposedLayout::new(DynSwizzle::IDENTITY, 0, "(0,4):(^1,4)".parse::<DynLayout>().unwrap());
    assert_eq!(Tensor::new(&data[..0], empty).unwrap().iter().count(), 0);
}

/// Natural strides cut by tiles of XOR strides: each element is in one tile, where the divided layout says.
#[test]
fn tensors_of_natural_strides_are_cut_by_tiles_of_xor_strides() {
    let layout = layout!((8, 8): right);
    let tiler = tiler!((2, 2):(^1, ^3), 4);
    let mut t = Tensor::fixed(core::array::from_fn::<_, 64, _>(|offset| offset), layout);
    let divided = layout.zipped_divide(tiler);
    for (number, tile) in t.tiles(tiler).enumerate() {
        assert!(tile.iter().enumerate().all(|(i, &offset)| offset == divided.at(number * 16 + i)));
    }
    for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let tile = t.local_tile(tiler, (i, j)).unwrap();
        assert!((0..16).zip(tile.iter()).all(|(k, &offset)| offset == divided.at(k + 16 * (i + 2 * j))));
    }
    for (number, mut tile) in t.tiles_mut(tiler).enumerate() {
        tile.fill(number);
    }
    let storage = t.into_storage();
    assert!((0..64).all(|i| storage[divided.at(i)] == i / 16));
}

/// Fragments under XOR layouts: their length is the cosize, one past the largest offset by brute force, and each
/// element is at the offset by hand.
#[test]
fn fragments() {
    macro_rules! fragment {
        ($($shape:tt : $stride:tt;)*) => {$({
            type L = Layout!($shape: $stride);
            let layout = L::default();
            let mut offsets: Vec<usize> = (0..layout.size()).map(|i| layout.at(i)).collect();
            let reach = offsets.iter().max().unwrap() + 1;
            let mut t: Fragment<usize, L> = Fragment::zeroed();
            assert_eq!((t.view().into_storage().len(), layout.cosize()), (reach, reach), "{layout}");
            let numbers = numbers(reach);
            let source = Tensor::new(&numbers[..], layout).unwrap();
            t.copy_from(&source).unwrap();
            assert!(offsets.iter().enumerate().all(|(i, &at)| t[i] == numbers[at]), "{layout}");
            // A register copy of it is compact, whatever the strides are.
            let mut compact = t.fragment_like::<usize>();
            compact.copy_from(&t).unwrap();
            assert_eq!(compact.layout().to_string(), StridedLayout::left(layout.shape()).to_string());
            assert!(compact.iter().eq(t.iter()), "{layout}");
            let stored = t.into_storage();
            offsets.sort_unstable();
            assert!(stored.iter().enumerate().all(|(at, &x)| x == if offsets.contains(&at) { numbers[at] } else { 0 }));
        })*};
    }
    fragment! {
        (8, 8):(^1, ^9); (2, 4):(^1, ^18); (2, 4):(^6, ^5); (4, 4, 2):(^3, ^12, ^5); (4, 4, 3):(^3, ^12, 128);
        (4, 1, 3):(^3, ^12, 0); (4, 4):(^3, ^3); (1, 1):(^3, ^3); (2, (2, 2)):(^7, (^6, ^5)); (16, 1):(^5, 0);
        (4, 5):(^1, 4);         (2, 2, 2, 2):(^8, ^12, ^10, ^9); (3, 4):(64, ^7); (2, 8, 2):(^21, ^2, ^40);
    }
}

/// Shares of threads of a tile under XOR strides, swizzled or not: copied to compact registers and back.
#[test]
fn register_copies_of_shares() {
    fn check<L>(layout: L, offset: impl Fn(usize, usize) -> usize)
    where
        L: Addressable + Copy + layout_algebra::tensor::IntoMemory<InMemory = L>,
        (usize, usize): layout_algebra::tensor::CoordinateIn<L>,
    {
        let t = Tensor::new(numbers(64), layout).unwrap();
        assert!((0..64).all(|i| t[(i % 8, i / 8)] == 7 * offset(i % 8, i / 8) + 1));
    }
    let swizzle = Swizzle::<2, 1, 2>::new();
    check(layout!((8, 8):(^9, ^1)), |i, j| product(i, 9) ^ j);
    check(swizzle.compose(layout!((8, 8):(^9, ^1))), |i, j| swizzle.apply(product(i, 9) ^ j));
    macro_rules! shares {
        ($layout:expr) => {{
            let layout = $layout;
            let data = numbers(64);
            let source = Tensor::new(&data[..], layout).unwrap();
            let mut target = Tensor::filled(layout, 0);
            for thread in 0..8 {
                let share = source.local_partition(layout!((2, 4)), thread).unwrap();
                let mut registers = share.fragment_like::<usize>();
                assert_eq!(registers.layout().to_string(), "(_4,_2):(_1,_4)");
                registers.copy_from(&share).unwrap();
                registers.transform(|x| x + 1000);
                target.local_partition_mut(layout!((2, 4)), thread).unwrap().copy_from(&registers).unwrap();
            }
            assert!((0..64).all(|i| target[i] == source[i] + 1000), "{layout}");
        }};
    }
    shares!(layout!((8, 8):(^9, ^1)));
    shares!(layout!((8, (2, 4)):(^1, (^40, ^8))));
    shares!(swizzle.compose(layout!((8, 8):(^9, ^1))));
    shares!(ComposedLayout::new(swizzle, int!(5), layout!((8, 8):(^9, ^1))));
}

/// What is static is compared when the program is built, natural strides beside XOR strides and swizzles too.
#[test]
fn arrays_of_a_length_in_the_type() {
    let mixed = Tensor::fixed(core::array::from_fn::<usize, 20, _>(|i| i), layout!((4, 3):(^1, 8)));
    assert!((0..12).all(|i| mixed[i] == i % 4 + i / 4 * 8));
    const _: () = assert!(matches!(<Layout!((4, 3):(^1, 8)) as Addressable>::SPAN, Some(20)));
    type Meeting = XorLayout<(Int<4>, Int<3>), (Xor<Int<1>>, Int<2>)>;
    const _: () = assert!(<Meeting as Addressable>::SPAN.is_none() && <Meeting as Addressable>::MODES.is_none());
    let swizzle = Swizzle::<1, 0, 3>::new();
    let mut t = Tensor::fixed([0; 64], swizzle.compose(layout!((8, 8):(^9, ^1))));
    t.tiles_mut(tiler!(4, 4)).enumerate().for_each(|(k, mut tile)| tile.fill(k));
    let stored = t.into_storage();
    assert!((0..64).all(|i| stored[swizzle.apply(product(i % 8, 9) ^ (i / 8))] == i % 8 / 4 + i / 8 / 4 * 2));
    let (mut left, right) = (Tensor::fixed([0; 12], layout!((4, 3):(^1, 4))), 1);
    let (mut a, mut b) = left.split_at_mut::<1>(right);
    a.fill(1);
    b.fill(2);
    assert_eq!(left.into_storage(), [1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2]);
}

/// A layout of natural strides behind an offset, cut by tiles of XOR strides: the offset was added, and would be XORed.
/// Either that is the same for every element, or it is refused.
#[test]
fn offsets_that_were_added_are_not_xored() {
    let (mut cut, mut refused) = (0, 0);
    macro_rules! check {
        ($outer:expr, $inner:expr, $tile:expr) => {
            for from in 0..24 {
                let layout = ComposedLayout::new($outer, from, $inner);
                let data: Vec<usize> = (0..layout.cosize()).collect();
                let t = Tensor::new(&data[..], layout).unwrap();
                let divided = $inner.zipped_divide($tile);
                let (tile_size, tiles) = (divided.mode::<0>().size(), divided.mode::<1>().size());
                let expected = |i: usize| layout.outer().apply(from + divided.at(i));
                for number in 0..tiles {
                    match t.local_tile($tile, number) {
                        Ok(tile) => {
                            cut += 1;
                            let right =
                                (0..tile_size).map(|k| expected(number * tile_size + k)).eq(tile.iter().copied());
                            assert!(right, "{layout} by {}, tile {number}", $tile);
                        }
                        Err(error) => {
                            refused += 1;
                            let text = error.to_string();
                            assert!(text.contains("sum and XOR differ") || text.contains("swizzle"), "{text}");
                        }
                    }
                }
                let dynamic = layout.to_dynamic();
                if let Ok(divided) = dynamic.zipped_divide($tile.to_dynamic()) {
                    assert!((0..tile_size * tiles).all(|i| divided.at(i) == expected(i)), "{dynamic} by {}", $tile);
                }
                if let Ok(composed) = layout.try_compose($tile) {
                    let right = |i: usize| composed.at(i) == layout.outer().apply(from + $inner.compose($tile).at(i));
                    assert!((0..tile_size).all(right), "{layout} o {}", $tile);
                }
            }
        };
    }
    let tile = layout!((2, 2):(^1, ^3));
    check!(Swizzle::<2, 0, -2>::new(), layout!(8:1), tile);
    check!(Swizzle::<0, 0, 0>::new(), layout!(8:1), tile);
    check!(Swizzle::<1, 4, 1>::new(), layout!(16:2), tile);
    check!(DynSwizzle::new(1, 0, 3).unwrap(), layout!((4, 4):(1, 4)), tile);
    assert!(cut > 20 && refused > 200, "{cut} cut, {refused} refused");
}

/// A layout whose size is beyond all numbers is no tensor's, whatever its strides reach.
#[test]
fn sizes_beyond_all_numbers() {
    type Far = Int<65536>;
    type Wide = XorLayout<(Far, Far, Far, Far, Int<2>), (Int<0>, Int<0>, Int<0>, Int<0>, Xor<Int<1>>)>;
    assert!(Tensor::new([0; 2], Wide::default()).is_err());
}
