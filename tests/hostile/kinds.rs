//! Strides of other kinds: negative strides with arbitrary numbers, and XOR strides, which tensors
//! do not support. A tensor of such a layout is refused, or all of its elements are in the storage,
//! each at the offset of the formula.

use core::ops::{Range, RangeFull};

use layout_algebra::prelude::*;
use layout_algebra::tensor::{Addressable, CoordinateIn, SliceIn};
use layout_algebra::{SignedLayout, Window, composed::Unswizzled, strides::Neg};
use layout_arrays::foreign::ToNdarray;

use crate::judge::{Complaints, LARGE, QUARTER, assert_real};

const EXTENTS: [usize; 8] = [0, 1, 2, 3, 4, 5, LARGE, usize::MAX];
const STRIDES: [usize; 10] = [0, 1, 2, 3, 5, 9, LARGE - 1, QUARTER, usize::MAX / 2 + 1, usize::MAX];
const OFFSETS: [usize; 7] = [0, 1, 6, 16, LARGE, isize::MAX as usize, usize::MAX];

/// All that is asked of the tensor on `memory`, whose elements are their own offsets, if there is
/// one; `offset` is the offset of a coordinate.
fn judge<L>(
    complaints: &mut Complaints,
    memory: &[usize],
    layout: L,
    offset: impl Fn(u128, u128) -> i128,
) -> bool
where
    L: Addressable<Coordinate = (usize, usize)> + Copy,
    (usize, usize): CoordinateIn<L>,
    (usize, RangeFull): SliceIn<L>,
    (RangeFull, usize): SliceIn<L>,
    (Range<usize>, Range<usize>): SliceIn<L, Output: Addressable<Coordinate = (usize, usize)>>,
    Window<(usize, usize), (usize, usize)>: SliceIn<L>,
    (usize, usize): CoordinateIn<<(Range<usize>, Range<usize>) as SliceIn<L>>::Output>
        + CoordinateIn<<Window<(usize, usize), (usize, usize)> as SliceIn<L>>::Output>,
    usize: CoordinateIn<<(usize, RangeFull) as SliceIn<L>>::Output>
        + CoordinateIn<<(RangeFull, usize) as SliceIn<L>>::Output>,
{
    let name = layout.to_string();
    let Some(Ok(t)) = complaints.calm(|| name.clone(), || Tensor::new(memory, layout)) else {
        return false;
    };
    let (m, n) = layout.extents();
    // A stride of 0 leads to one element as often as there are numbers.
    if t.size() > 1 << 12 {
        return true;
    }
    assert_real(t.view().into_storage(), memory);
    let read = complaints.calm(
        || name.clone(),
        || {
            let mut right = t.iter().count() == t.size();
            for (i, k, j) in [0, 1, m / 2, m.wrapping_sub(1)].into_iter().flat_map(|i| {
                [(0, 0), (1, 1), (2, n / 2), (3, n.wrapping_sub(1))].map(|(k, j)| (i, k, j))
            }) {
                match t.get((i, j)) {
                    Some(&element) => right &= element as i128 == offset(i as u128, j as u128),
                    None => right &= i >= m || j >= n,
                }
                if i < m {
                    let row = t.slice((i, ..));
                    right &= row.size() == n && (j >= n || row[j] == t[(i, j)]);
                }
                if let Some(column) = t.get_slice((.., j)) {
                    right &= i >= m || column[i] == t[(i, j)];
                }
                // Parts from there on, as long as they may be, and beyond that: in one column of
                // each row.
                let lengths =
                    if k == i % 4 { &[2, 3, m.wrapping_sub(i), usize::MAX][..] } else { &[] };
                for &length in lengths {
                    let to = i.saturating_add(length);
                    let range = t.try_slice((i..to, j..n.max(j)));
                    let window = t.try_window((i, j), (length, n.saturating_sub(j)));
                    right &= to <= m || (range.is_err() && window.is_err());
                    if let Ok(part) = &range {
                        right &= part.size() == (to - i) * n.saturating_sub(j)
                            && part.iter().count() == part.size();
                        right &= (0..length.min(5))
                            .all(|k| part.get((k, 0)).is_none_or(|x| *x == t[(i + k, j)]));
                    }
                    if let (Ok(part), Ok(window)) = (range, window) {
                        right &= part.iter().eq(window.iter());
                    }
                }
            }
            right
        },
    );
    complaints.expect(read != Some(false), || format!("{name}: another element"));
    read.is_some()
}

#[test]
fn wild_negative_strides() {
    let memory: Vec<usize> = (0..64).collect();
    let mut complaints = Complaints::default();
    let mut made = 0;
    for (m, n) in EXTENTS.into_iter().flat_map(|m| EXTENTS.map(|n| (m, n))) {
        for (d, e) in STRIDES.into_iter().flat_map(|d| STRIDES.map(|e| (d, e))) {
            for f in OFFSETS {
                let layout = SignedLayout::new((m, n), (Neg::new(d), e));
                let moved = ComposedLayout::const_new(Unswizzled, f, layout);
                let offset = |i: u128, j: u128| {
                    f as i128 - (i * d as u128) as i128 + (j * e as u128) as i128
                };
                made += u32::from(judge(&mut complaints, &memory, moved, offset));
                // Moved by its own base.
                if f == 0 {
                    let what = || format!("{layout} by its base");
                    if let Some(Ok(t)) = complaints.calm(what, || Tensor::new(&memory[..], layout))
                    {
                        let base = if m == 0 || n == 0 { 0 } else { (m - 1) * d };
                        complaints.expect(t.layout().offset() == base, what);
                        complaints.expect(t.size() > 1 << 12 || t.iter().count() == t.size(), what);
                    }
                }
            }
        }
    }
    assert!(made > 1000, "{made} layouts are those of tensors");
    complaints.done();
}

/// Parts of negative strides: each element in one of them, or refused.
#[test]
fn parts_share_nothing() {
    let mut complaints = Complaints::default();
    let (mut handed, mut refused) = (0, 0);
    let extents = [1, 2, 3, 4, 5];
    for (m, n) in extents.into_iter().flat_map(|m| extents.map(|n| (m, n))) {
        for (d, e) in (0..9).flat_map(|d| (0..12).map(move |e| (d, e))) {
            let layout = SignedLayout::new((m, n), (Neg::new(d), e)).moved();
            let mut t = Tensor::new(vec![0; 128], layout).unwrap();
            let offsets: std::collections::BTreeSet<usize> =
                (0..m * n).map(|i| layout.at(i)).collect();
            let apart = offsets.len() == m * n;
            match t.try_tiles_mut(tiler!(1, _)) {
                Ok(parts) => {
                    // All at once.
                    let mut all: Vec<_> = parts.collect();
                    all.iter_mut().enumerate().for_each(|(i, row)| row.fill(i + 1));
                    drop(all);
                    complaints.expect(apart, || format!("{layout}: rows share an element"));
                    let right = (0..m * n).all(|i| t[i] == 1 + i % m);
                    complaints.expect(right, || format!("{layout}: an element is in another row"));
                    handed += 1;
                }
                Err(error) => {
                    complaints.expect(!apart, || format!("{layout}: {error}"));
                    refused += 1;
                }
            }
        }
    }
    assert!(handed > 1000 && refused > 500, "{handed} handed out, {refused} refused");
    complaints.done();
}

/// XOR strides are no tensor's, whatever stands around them, and the reason names the way to one.
#[test]
fn xor_strides_are_no_tensors() {
    for text in ["(8,8):(^1,^9)", "(4,4):(^1,4)", "((2,2),3):((^1,^3),8)", "(2,2,0):(^5,^1,1)"] {
        let layout: DynLayout = text.parse().unwrap();
        for f in OFFSETS {
            for swizzle in [DynSwizzle::IDENTITY, DynSwizzle::new(2, 0, 3).unwrap()] {
                let composed = ComposedLayout::const_new(swizzle, f, layout.clone());
                let made = Tensor::new(vec![0u8; 256], composed.clone());
                assert!(
                    made.as_ref().is_ok_and(|t| t.size() == 0) || composed.size() > 0,
                    "{composed}"
                );
                assert!(
                    composed.size() == 0 || made.unwrap_err().fault() == Fault::XorInMemory,
                    "{composed}"
                );
            }
        }
        assert_eq!(
            Tensor::new(vec![0u8; 256], layout.clone()).unwrap_err().fault(),
            Fault::XorInMemory
        );
        let t = Tensor::new(vec![0u8; 256], "256:1".parse::<DynLayout>().unwrap()).unwrap();
        assert_eq!(t.cut(layout.clone(), 0).unwrap_err().fault(), Fault::XorInMemory);
        assert_eq!(t.with_layout(layout).unwrap_err().fault(), Fault::XorInMemory);
    }
}

/// Tiles of more coordinates than anyone counts, of layouts that stand still: made at once, each as
/// it has to be.
#[cfg(target_pointer_width = "64")]
#[test]
fn tiles_that_nobody_counts() {
    let start = std::time::Instant::now();
    let mut memory: Vec<usize> = (0..32).collect();
    for inner in [
        "(8,1152921504606846976):(1,0)",
        "(8,(1073741824,1073741824)):(2,(0,0))",
        "(8,1152921504606846976):(-1,0)",
    ] {
        let (whole, twos): (DynLayout, usize) = (inner.parse().unwrap(), 1 << 61);
        for swizzle in [DynSwizzle::IDENTITY, DynSwizzle::new(1, 0, 1).unwrap()] {
            let layout = ComposedLayout::const_new(swizzle, 8 + whole.base(), whole.clone());
            let t = match Tensor::new(&memory[..], layout.clone()) {
                Ok(t) => t,
                Err(error) => panic!("{layout}: {error}"),
            };
            let tiler: DynTiler = "<4,1>".parse().unwrap();
            let tiles = t.try_tiles(&tiler).unwrap();
            assert_eq!((tiles.len(), tiles.clone().next().unwrap().size()), (twos, 4), "{layout}");
            assert_eq!(tiles.clone().next_back().unwrap()[3], t[(7, 1 << 59)], "{layout}");
            let ragged = t.try_ragged_tiles(&tiler).unwrap();
            assert_eq!(
                (ragged.len(), ragged.clone().next_back().unwrap()[3]),
                (twos, t[(7, 1 << 59)]),
                "{layout}"
            );
        }
        let mut t = Tensor::new(
            &mut memory[..],
            ComposedLayout::const_new(DynSwizzle::IDENTITY, 8, whole.clone()),
        )
        .unwrap();
        let tiler: DynTiler = "<3,1>".parse().unwrap();
        assert_eq!(
            t.try_tiles_mut(&tiler).err().map(|error| error.kind()),
            Some(ErrorKind::Divisibility)
        );
        assert_eq!(
            t.try_ragged_tiles_mut(&tiler).err().map(|error| error.kind()),
            Some(ErrorKind::Overlap)
        );
    }
    // In types, too: of three rows one, which is there again and again.
    let many = 1usize << 61;
    let t = Tensor::new(&memory[..], layout!((3, many):(1, 0))).unwrap();
    assert_eq!(
        (t.ragged_tiles(tiler!(2, 1)).len(), t.ragged_tiles(tiler!(2, 1)).next_back().unwrap()[0]),
        (1 << 62, 2)
    );
    // A million tiles, none of which is looked at before it is asked for.
    let wide =
        Tensor::new(vec![1u8; 4 << 20], "(4,1048576):(1,4)".parse::<DynLayout>().unwrap()).unwrap();
    for _ in 0..100 {
        assert_eq!(wide.try_tiles("<4,1>".parse::<DynTiler>().unwrap()).unwrap().len(), 1 << 20);
    }
    // 33 modes of stride 0 under a swizzle: an element.
    let still =
        format!("Sw<1,0,1> o 0 o ({}):({})", vec!["2"; 33].join(","), vec!["0"; 33].join(","));
    let t = Tensor::new(&memory[..], still.parse::<DynComposedLayout>().unwrap()).unwrap();
    assert_eq!((t.size(), t[0]), (1 << 33, 0));
    // 40 modes that move, and overlap: not decided.
    let moving = format!(
        "Sw<1,0,1> o 0 o ({}):({})",
        vec!["2"; 40].join(","),
        ["1", "3"].repeat(20).join(",")
    );
    let error =
        Tensor::new(vec![0u8; 128], moving.parse::<DynComposedLayout>().unwrap()).unwrap_err();
    assert!(matches!(error.fault(), Fault::ReachUndecided { .. }), "{error}");
    // Blocks that end within leaves, more than are asked.
    let nested: DynLayout = "(4,(3,1152921504606846976)):(1,(4,0))".parse().unwrap();
    let error = Tensor::new(&memory[..], nested)
        .unwrap()
        .try_ragged_tiles("<4,2>".parse::<DynTiler>().unwrap())
        .unwrap_err();
    assert!(matches!(error.fault(), Fault::BlocksUndecided { .. }), "{error}");
    // Many times what all of it takes, and nothing to what counting would.
    assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());
}

/// The same known at run time only, as text and as a composed layout with any offset; and as views
/// of other libraries.
#[test]
fn wild_dynamic_layouts() {
    let memory: Vec<usize> = (0..64).collect();
    let mut complaints = Complaints::default();
    let mut made = 0;
    let signs = ["", "-"];
    for (m, n) in
        [0, 1, 2, 3, LARGE].into_iter().flat_map(|m| [0, 1, 2, 5, usize::MAX].map(|n| (m, n)))
    {
        for (d, e) in [0, 1, 3, 8, QUARTER, usize::MAX]
            .into_iter()
            .flat_map(|d| [0, 1, 5, 16, usize::MAX / 2].map(|e| (d, e)))
        {
            for (s, t) in signs.into_iter().flat_map(|s| signs.map(|t| (s, t))) {
                let Ok(l) = format!("({m},{n}):({s}{d},{t}{e})").parse::<DynLayout>() else {
                    continue;
                };
                for f in OFFSETS {
                    let composed = ComposedLayout::const_new(DynSwizzle::IDENTITY, f, l.clone());
                    let what = || format!("{composed:?}");
                    let tried =
                        complaints.calm(what, || Tensor::new(&memory[..], composed.clone()));
                    let Some(Ok(t)) = tried else { continue };
                    made += 1;
                    if t.size() > 1 << 12 {
                        continue;
                    }
                    complaints.calm(what, || {
                        complaints_free_reads(&t, m, n);
                        t.to_ndarray()
                            .map(|view| view.iter().eq(t.view().to_ndarray().unwrap().iter()))
                            .unwrap_or(true)
                    });
                    let values: Vec<usize> = t.iter().copied().collect();
                    complaints.expect(values.len() == m * n, || {
                        format!("{}: {} elements", what(), values.len())
                    });
                    let right = (0..m * n).all(|i| composed.at(i) == values[i]);
                    complaints.expect(right, || format!("{}: another element", what()));
                    if let Ok(view) = t.to_ndarray() {
                        // The first axis is the fastest in the order of a layout.
                        let same = view.t().iter().copied().eq(values.iter().copied());
                        complaints.expect(same, || format!("{}: an array of others", what()));
                    }
                }
            }
        }
    }
    assert!(made > 1000, "{made} layouts are those of tensors");
    complaints.done();
}
fn complaints_free_reads(t: &Tensor<&[usize], DynComposedLayout>, m: usize, n: usize) {
    for i in 0..m.min(4) {
        if let Ok(row) = t.try_slice((i, ..)) {
            assert!(
                row.size() == n && (0..n).all(|j| row[j] == t[(i, j)]),
                "row {i} of {:?}",
                t.layout()
            );
        }
        for j in 0..n.min(4) {
            if let Ok(part) = t.try_slice((i.., j..)) {
                assert!(part[0] == t[(i, j)], "the part from ({i}, {j}) on of {:?}", t.layout());
            }
            if let Ok(window) = t.try_window((i, j), (1, 1)) {
                assert!(window[0] == t[(i, j)], "the window at ({i}, {j}) of {:?}", t.layout());
            }
        }
    }
}
