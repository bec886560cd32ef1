//! Parts: each element in exactly one of them, whoever asks, in whatever order, on whatever thread.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use layout_algebra::prelude::*;
use layout_arrays::foreign::{ToNdarray, ToNdarrayMut};
use rayon::prelude::*;

use crate::judge::Complaints;

/// Fails unless the parts that `$make` hands out are those of `layout` by its mode `$mode`, of
/// which there are `expected`: `len` is the truth, and each element of the layout lies in the part
/// of its coordinate.
macro_rules! check_parts {
    ($complaints:expr, $layout:expr, $mode:expr, $t:ident => $make:expr) => {{
        let layout: &DynLayout = $layout;
        let mut $t = Tensor::new(vec![usize::MAX; layout.cosize()], layout.clone()).unwrap();
        let what = format!("{layout} by mode {}", $mode);
        let made = $complaints.calm(
            || what.clone(),
            || {
                let Ok(parts) = $make else { return None };
                let length = parts.len();
                let mut count = 0;
                for (i, mut part) in parts.enumerate() {
                    part.fill(i);
                    count += 1;
                }
                Some((length, count))
            },
        );
        if let Some(Some((length, count))) = made {
            $complaints.expect(length == count, || {
                format!("{what}: {length} parts are told of, and {count} come")
            });
            let extent = layout.mode($mode).map_or(0, |mode| mode.size());
            $complaints.expect(count == extent, || {
                format!("{what}: {count} parts, and the mode has {extent}")
            });
            let right = (0..layout.size()).all(|i| {
                let first = layout.mode(0).map_or(1, |mode| mode.size());
                $t[i] == if $mode == 0 { i % first } else { i / first % extent }
            });
            $complaints.expect(right, || format!("{what}: an element is in another part"));
        }
        made.flatten().is_some()
    }};
}

/// Mode 0 counts the threads, and the others their values.
fn rows(layout: &DynLayout) -> DynLayout {
    DynLayout::left(&layout.shape())
}
/// One tile for each number of mode 1.
fn columns() -> DynTiler {
    "<_,1>".parse().unwrap()
}

/// Parts of layouts whose rank only run time knows: right, or refused.
#[test]
fn parts_of_any_rank() {
    let mut complaints = Complaints::default();
    let mut made = 0;
    for text in [
        "24:1",
        "(24):(1)",
        "((4,6)):((1,4))",
        "1:0",
        "(1):(0)",
        "0:1",
        "(4,6):(1,4)",
        "(4,6):(6,1)",
        "((2,2),6):((1,2),4)",
        "(4,(2,3)):(1,(4,8))",
        "(1,24):(0,1)",
        "(24,1):(1,0)",
        "(2,3,4):(1,2,6)",
        "(2,3,4):(12,4,1)",
        "(2,3,2,2):(1,2,6,12)",
        "(2,1,1):(1,0,0)",
        "(0,4):(1,1)",
        "(4,0):(1,4)",
        "(4,6,0):(1,4,24)",
        "(0,4,6):(1,4,24)",
        "(4,0,6):(1,4,24)",
        "(5,3):(3,5)",
        "(1,1):(0,0)",
        "(2,2):(1,1)",
        "(2,3):(0,1)",
    ] {
        let layout: DynLayout = text.parse().unwrap();
        made +=
            usize::from(check_parts!(complaints, &layout, 0, t => t.partitions_mut(rows(&layout))));
        if layout.rank() == 2 {
            made +=
                usize::from(check_parts!(complaints, &layout, 1, t => t.try_tiles_mut(&columns())));
        }
    }
    complaints
        .expect(made >= 16, || format!("only {made} layouts have parts, which proves little"));
    complaints.done();
}

/// The same on rayon's threads, which rely on `len`.
#[test]
fn parts_of_any_rank_on_threads() {
    for text in ["(2,3,4):(1,2,6)", "24:1", "(24):(1)", "(4,6):(1,4)", "(4,0):(1,4)"] {
        let layout: DynLayout = text.parse().unwrap();
        let mut t = Tensor::new(vec![0; layout.cosize()], layout.clone()).unwrap();
        let parts = t.partitions_mut(rows(&layout));
        assert_eq!(parts.is_ok(), layout.rank() == 2, "{text}");
        if let Ok(parts) = parts {
            let sizes: Vec<usize> = parts.into_par_iter().map(|part| part.size()).collect();
            assert_eq!(sizes.iter().sum::<usize>(), layout.size(), "{text} by rows");
        }
    }
}

/// On `(m, 0)` the parts by rows are `m` empty ones.
#[test]
fn empty_rows_are_rows() {
    let z = 0;
    let mut t = Tensor::new(vec![1; 10], layout!((5, z):(1, 5))).unwrap();
    let rows: Vec<_> =
        t.partitions_mut(layout!((5, z):(1, 5))).unwrap().map(|row| row.size()).collect();
    assert_eq!(rows, [0; 5]);
    let columns = t.try_tiles_mut(tiler!(_, 1)).unwrap();
    assert_eq!((columns.len(), columns.count()), (0, 0));
    let layout: DynLayout = "(5,0):(1,5)".parse().unwrap();
    let mut u = Tensor::new(vec![1; 10], layout.clone()).unwrap();
    let rows: Vec<_> = u.partitions_mut(layout).unwrap().map(|row| row.size()).collect();
    assert_eq!(rows, [0; 5]);
    assert_eq!(t.get_slice((4, ..)).map(|row| row.size()), Some(0));
}

/// 33 leaves are more than an array's view has room for: an error, not a panic.
#[test]
fn many_leaves_are_an_error() {
    for leaves in [16, 17, 32, 33, 40, 64] {
        let list = |number: &str| vec![number; leaves].join(",");
        let layout: DynLayout = format!("({}):({})", list("1"), list("0")).parse().unwrap();
        let mut t = Tensor::new(vec![1u8; 1], layout).unwrap();
        let views = [t.to_ndarray().is_ok(), t.to_ndarray_mut().is_ok()];
        assert_eq!(views[0], views[1]);
        assert!(views[0] || leaves > 16, "{leaves} leaves are refused");
    }
}

/// Parts taken from both ends, split anywhere, reborrowed: each element is in one of them at a
/// time.
#[test]
fn parts_in_any_order() {
    let mut t = Tensor::filled(layout!((12, 10): right), 0usize);
    let mut state = 1u64;
    let mut random = |end: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 40) as usize % end
    };
    for _ in 0..200 {
        t.fill(0);
        let mut tiles = t.tiles_mut(tiler!(3, 2));
        let _ = tiles.reborrow().next();
        let mut rest = vec![tiles];
        let mut taken = Vec::new();
        while let Some(mut parts) = rest.pop() {
            match random(6) {
                0 => taken.extend(parts.next()),
                1 => taken.extend(parts.next_back()),
                2 => taken.extend(parts.nth(random(3))),
                3 => taken.extend(parts.nth_back(random(3))),
                4 => {
                    let middle = [0, 1, 3, usize::MAX][random(4)];
                    let whole = parts.len();
                    let (left, right) = parts.split_at(middle);
                    assert_eq!((left.len(), left.len() + right.len()), (middle.min(whole), whole));
                    rest.push(right);
                    parts = left;
                }
                _ => {}
            }
            if parts.len() > 0 {
                rest.push(parts);
            }
        }
        // All at once, and each written once.
        let elements: usize = taken.iter().map(|tile| tile.size()).sum();
        taken.iter_mut().for_each(|tile| tile.transform(|x| x + 1));
        let places: BTreeSet<_> =
            taken.iter().flat_map(|tile| tile.iter().map(|x| x as *const usize as usize)).collect();
        assert_eq!(places.len(), elements, "two parts share an element");
        drop(taken);
        assert!(t.iter().all(|x| *x <= 1) && t.iter().sum::<usize>() == elements);
    }
}

/// A thread that panics takes no element with it, and the others finish or never begin.
#[test]
fn a_thread_that_panics() {
    for bad in 0..20 {
        let mut t = Tensor::filled(layout!((12, 10)), String::from("old"));
        let done = catch_unwind(AssertUnwindSafe(|| {
            t.tiles_mut(tiler!(3, 2)).into_par_iter().enumerate().for_each(|(i, mut tile)| {
                tile.for_each_mut(|c, x| {
                    assert!(i != bad || c != (1, 1), "enough");
                    *x = format!("new {i}");
                });
            });
        }));
        assert!(done.is_err());
        for (i, tile) in t.tiles_mut(tiler!(3, 2)).enumerate() {
            let new = tile.iter().filter(|x| **x == format!("new {i}")).count();
            let old = tile.iter().filter(|x| *x == "old").count();
            assert_eq!(new + old, 6);
            assert!(
                if i == bad { new == 4 } else { new == 0 || new == 6 },
                "tile {i} was left half-way"
            );
        }
    }
}

/// Thread-value layouts that share, or reach beyond, are refused on every kind of storage.
#[test]
fn partitions_that_share_are_refused() {
    let mut t = Tensor::new((0..24).collect::<Vec<_>>(), layout!((4, 6))).unwrap();
    let mut u = Tensor::new((0..24).collect::<Vec<_>>(), layout!((4, 6)).to_dynamic()).unwrap();
    let (m, n, zero, one, far, most) = (4, 6, 0, 1, 5, usize::MAX);
    for layout in [
        layout!((m, n):(one, zero)),
        layout!((m, n):(one, one)),
        layout!((m, n):(far, far)),
        layout!((m, n):(one, far)),
        layout!((m, n):(most, one)),
        layout!((m, n):(most, most)),
        layout!((most, most):(one, one)),
        layout!((most, n):(zero, one)),
    ] {
        assert!(t.partitions_mut(layout).is_err(), "{layout}");
        let Ok(dynamic) = layout.to_string().parse::<DynLayout>() else { continue };
        assert!(u.partitions_mut(dynamic.clone()).is_err(), "{layout}");
        for mut tile in u.tiles_mut(tiler!(2, 3)) {
            assert!(tile.partitions_mut(dynamic.clone()).is_err(), "{layout}");
        }
    }
}
