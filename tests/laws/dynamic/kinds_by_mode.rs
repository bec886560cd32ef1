//! Operations mode by mode on strides of every kind, by brute force: all pairs of modes and entries
//! of two lists, among them modes whose natural strides share bits, extents that are no powers of
//! two, and entries that lead beyond a mode.

use std::collections::{BTreeMap, BTreeSet};

use layout_algebra::DynStride::{Natural, Negative, Xor};
use layout_algebra::prelude::*;

const MODES: [(&str, &str); 14] = [
    ("4", "1"),
    ("4", "^1"),
    ("(4,4)", "(1,^16)"),
    ("(4,2)", "(^64,1)"),
    ("(4,4)", "(^16,1)"),
    ("3", "5"),
    ("(2,3)", "(^1,8)"),
    ("4", "-1"),
    ("6", "^1"),
    ("(2,6)", "(^1,^1)"),
    ("(4,4)", "(^1,^5)"),
    ("1", "8"),
    ("(2,2)", "(3,^64)"),
    ("3", "^64"),
];

const ENTRIES: [&str; 14] = [
    "_",
    "2",
    "4:5",
    "2:4",
    "(2,2):(^1,^2)",
    "(2,2):(^1,^3)",
    "(2,2):(^5,^8)",
    "(2,2):(^16,^48)",
    "(2,2):(^2,^2)",
    "4:3",
    "4:7",
    "3:^1",
    "1:-1",
    "(2,3):(1,2)",
];

/// A mode and the entry for it, and what comes of them by the definitions: `None` where that is not
/// asked, since the operation refuses the mode alone.
struct Case {
    mode: DynLayout,
    /// `None` leaves the mode alone.
    entry: Option<DynLayout>,
    written: (&'static str, &'static str, &'static str),
    composed: Option<Vec<(isize, usize)>>,
    divided: Option<Vec<(isize, usize)>>,
    product: Option<(DynLayout, Vec<(isize, usize)>)>,
}

impl Case {
    fn new(shape: &'static str, stride: &'static str, entry: &'static str) -> Self {
        let mode: DynLayout = format!("{shape}:{stride}").parse().unwrap();
        let written = if entry.contains(':') { entry.to_string() } else { format!("{entry}:1") };
        let tile: Option<DynLayout> = (entry != "_").then(|| written.parse().unwrap());
        let tiler: DynTiler = entry.parse().unwrap();
        let composed = mode.compose(&tiler).is_ok().then(|| through(&mode, &[tile.as_ref()]));
        let divided = mode.logical_divide(&tiler).is_ok().then(|| match &tile {
            None => through(&mode, &[None]),
            Some(tile) => {
                through(&mode, &[Some(tile), Some(&tile.complement(mode.size()).unwrap())])
            }
        });
        let product = mode.logical_product(&tiler).ok().map(|product| {
            let all = through(&product, &[None]);
            (product, all)
        });
        Case { mode, entry: tile, written: (shape, stride, entry), composed, divided, product }
    }
}

/// All pairs: the cases, the layout of both modes and the tiler of both entries; where the strides
/// of both modes have no meaning together there is none.
fn pairs(mut law: impl FnMut([&Case; 2], &DynLayout, &DynTiler)) {
    let each = MODES
        .iter()
        .flat_map(|&(shape, stride)| ENTRIES.map(|entry| Case::new(shape, stride, entry)));
    let all: Vec<Case> = each.collect();
    for first in &all {
        for second in &all {
            let ((s, d, x), (t, e, y)) = (first.written, second.written);
            if let Ok(layout) = format!("({s},{t}):({d},{e})").parse::<DynLayout>() {
                law([first, second], &layout, &format!("<{x},{y}>").parse().unwrap());
            }
        }
    }
}

/// The product without carries.
fn without_carries(a: usize, b: usize) -> usize {
    (0..usize::BITS).filter(|bit| b >> bit & 1 == 1).fold(0, |product, bit| product ^ a << bit)
}

/// The natural and the XOR part of the offset of a coordinate, the leftmost leaf fastest, the last
/// one without an end.
fn parts(layout: &DynLayout, mut number: usize) -> (isize, usize) {
    let (mut sum, mut without) = (0, 0);
    let shape = layout.shape();
    let extents = shape.leaves();
    for (k, (&extent, stride)) in extents.iter().zip(layout.strides()).enumerate() {
        let last = k + 1 == extents.len();
        let c = if last { number } else { number % extent };
        number /= extent;
        match stride {
            Natural(d) => sum += (c * d) as isize,
            Negative(d) => sum -= (c * d) as isize,
            Xor(d) => without ^= without_carries(c, d),
        }
    }
    (sum, without)
}

fn offset(layout: &DynLayout, number: usize) -> isize {
    let (sum, without) = parts(layout, number);
    sum + without as isize
}

/// The parts of `A(B(c))` at each coordinate of one mode, `B` having the modes of all layouts on
/// the right.
fn through(mode: &DynLayout, right: &[Option<&DynLayout>]) -> Vec<(isize, usize)> {
    let mut places = vec![(0, 0)];
    for layout in right {
        let own: Vec<(isize, usize)> = match layout {
            None => (0..mode.size() as isize).map(|place| (place, 0)).collect(),
            Some(layout) => (0..layout.size()).map(|i| parts(layout, i)).collect(),
        };
        places =
            own.iter().flat_map(|y| places.iter().map(move |x| (x.0 + y.0, x.1 ^ y.1))).collect();
    }
    let place =
        |(sum, without): (isize, usize)| usize::try_from(sum).expect("a coordinate") + without;
    places.into_iter().map(|both| parts(mode, place(both))).collect()
}

/// `sum + XOR` of the parts of two modes at each pair of coordinates, the first one the fastest.
fn of_both(first: &[(isize, usize)], second: &[(isize, usize)]) -> Vec<isize> {
    let both = second.iter().flat_map(|y| first.iter().map(move |x| (x.0 + y.0, x.1 ^ y.1)));
    both.map(|(sum, without)| sum + without as isize).collect()
}

fn offsets(layout: &DynLayout) -> Vec<isize> {
    (0..layout.size()).map(|i| layout.signed_index(i)).collect()
}

#[test]
fn a_composition_mode_by_mode_is_one_of_all_modes_together() {
    let (mut answered, mut refused) = (0, 0);
    pairs(|[x, y], layout, tiler| {
        let Ok(composed) = layout.compose(tiler) else {
            refused += 1;
            return;
        };
        answered += 1;
        let [first, second] = [x, y].map(|case| case.composed.as_ref().expect("one of each mode"));
        assert_eq!(
            offsets(&composed),
            of_both(first, second),
            "{layout} o {tiler} is not {composed}"
        );
    });
    assert!(answered > 5000 && refused > 5000, "{answered} {refused}");
    // Natural strides would be both modes together, where each alone has an XOR stride: that is not
    // searched.
    let layout: DynLayout = "((4,4),(4,4)):((1,^16),(1,^64))".parse().unwrap();
    let refused = layout.compose("<4:5,4:5>".parse::<DynTiler>().unwrap()).unwrap_err();
    assert_eq!(refused.fault(), Fault::PartsOverlap { bit: 0 });
    // A bit that the tiler does not reach is nobody's.
    let layout: DynLayout = "((4,4),(2,2)):((1,4),(1,2))".parse().unwrap();
    let composed =
        layout.compose("<(2,2):(^16,^16),(2,2):(^4,^12)>".parse::<DynTiler>().unwrap()).unwrap();
    assert_eq!(composed.to_string(), "((2,2),(2,2)):((^16,^16),(^4,^12))");
}

#[test]
fn a_division_mode_by_mode_is_one_of_all_modes_together() {
    let (mut answered, mut refused) = (0, 0);
    pairs(|[x, y], layout, tiler| {
        let Ok(divided) = layout.logical_divide(tiler) else {
            refused += 1;
            return;
        };
        answered += 1;
        let [first, second] = [x, y].map(|case| case.divided.as_ref().expect("one of each mode"));
        assert_eq!(
            offsets(&divided),
            of_both(first, second),
            "{layout} / {tiler} is not {divided}"
        );
        let all: BTreeSet<isize> = offsets(layout).into_iter().collect();
        assert_eq!(
            offsets(&divided).into_iter().collect::<BTreeSet<_>>(),
            all,
            "{layout} / {tiler}"
        );
        if answered % 10 == 0 {
            let zipped = layout.zipped_divide(tiler).unwrap();
            forms_agree(
                [x, y],
                &divided,
                &zipped,
                [layout.tiled_divide(tiler), layout.flat_divide(tiler)],
            );
        }
    });
    assert!(answered > 1500 && refused > 5000, "{answered} {refused}");
}

/// At each coordinate `((t0, r0), (t1, r1))` of the logical form the zipped one has the same
/// offset, at `((t0, t1), (r0, r1))`; the other forms are that one, unpacked.
fn forms_agree(
    cases: [&Case; 2],
    logical: &DynLayout,
    zipped: &DynLayout,
    unpacked: [Result<DynLayout, LayoutError>; 2],
) {
    // What is left alone is a tile.
    let sizes = [0, 1].map(|k| {
        let mode = logical.mode(k).unwrap();
        let tile =
            if cases[k].entry.is_none() { mode.size() } else { mode.mode(0).unwrap().size() };
        (tile, mode.size() / tile)
    });
    let [(s, u), (t, v)] = sizes;
    for (i, j) in (0..s * u).flat_map(|i| (0..t * v).map(move |j| (i, j))) {
        let at = (i % s + j % t * s) + s * t * (i / s + j / t * u);
        assert_eq!(
            zipped.signed_index(at),
            logical.signed_index(i + s * u * j),
            "{logical} zipped is not {zipped}"
        );
    }
    assert_eq!((zipped.rank(), zipped.mode(0).unwrap().size()), (2, s * t));
    for (form, rank) in unpacked.into_iter().zip([3, 4]) {
        let form = form.unwrap();
        assert_eq!((form.rank(), offsets(&form)), (rank, offsets(zipped)));
    }
}

/// Mode 0 is the layout. The copy that stands where the tile counts is the same one whenever it
/// does, and has offsets of its own.
fn copies_are_disjoint(product: &DynLayout, layout: &DynLayout, tile: &DynLayout) {
    assert_eq!(product.mode(0).as_ref(), Ok(layout));
    let (size, image) = (layout.size(), offsets(layout).into_iter().collect::<BTreeSet<_>>());
    let mut copies = BTreeMap::<isize, BTreeSet<isize>>::new();
    for (i, at) in offsets(product).into_iter().enumerate() {
        copies.entry(offset(tile, i / size)).or_default().insert(at);
    }
    let every: BTreeSet<isize> = copies.values().flatten().copied().collect();
    assert!(copies.values().all(|copy| copy.len() == image.len()), "{layout} x {tile}: {product}");
    assert_eq!(every.len(), copies.len() * image.len(), "{layout} x {tile}: {product}");
    assert!(copies.get(&0).is_none_or(|first| *first == image), "{layout} x {tile}: {product}");
}

#[test]
fn a_product_mode_by_mode_repeats_each_mode_in_disjoint_copies() {
    let (mut answered, mut refused) = (0, 0);
    pairs(|cases, layout, tiler| {
        let Ok(product) = layout.logical_product(tiler) else {
            refused += 1;
            return;
        };
        answered += 1;
        for (k, case) in cases.into_iter().enumerate() {
            assert_eq!(
                product.mode(k).as_ref().ok(),
                case.product.as_ref().map(|(alone, _)| alone)
            );
        }
        // All modes together: natural parts add up, XOR parts without carries.
        if answered % 5 == 0 {
            let [first, second] =
                cases.map(|case| &case.product.as_ref().expect("one of each mode").1);
            assert_eq!(offsets(&product), of_both(first, second), "{layout} x {tiler}: {product}");
        }
        if answered % 10 == 0 {
            let zipped = layout.zipped_product(tiler).unwrap();
            forms_agree(
                cases,
                &product,
                &zipped,
                [layout.tiled_product(tiler), layout.flat_product(tiler)],
            );
            for case in cases {
                let (alone, _) = case.product.as_ref().expect("one of each mode");
                match &case.entry {
                    None => assert_eq!(*alone, case.mode),
                    Some(tile) => copies_are_disjoint(alone, &case.mode, tile),
                }
            }
        }
    });
    assert!(answered > 2000 && refused > 5000, "{answered} {refused}");
}
