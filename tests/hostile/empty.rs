//! Empty tensors and extents of one: every public function with a 0 and with a 1 at every position.
//! An empty layout is a layout; each question about it has an answer, or a refusal in the crate's
//! words.

use layout_algebra::atom::{UniversalCopy, copy, copy_if, make_tiled_copy};
use layout_algebra::prelude::*;
use layout_arrays::ArrayError;
use layout_arrays::foreign::{NdarrayTensor, NdarrayTensorMut, ToNdarray, ToNdarrayMut};

use crate::judge::{Complaints, LARGE};

/// Asks `$t` for each of these, and notes those that panic in words of arithmetic.
macro_rules! ask {
    ($complaints:ident, $name:expr; $($question:expr),* $(,)?) => {$(
        let _ = $complaints.calm(|| format!("{}: {}", $name, stringify!($question)), || {
            let _ = std::hint::black_box($question);
        });
    )*};
}

/// What any tensor and any layout is asked for. `$all` keeps every mode.
macro_rules! ask_of_all {
    ($complaints:ident, $layout:expr, $all:expr) => {{
        let layout = $layout;
        let name = layout.to_string();
        let size = layout.size();
        ask!($complaints, name;
            layout.cosize(), layout.rank(), layout.depth(), layout.shape(), layout.stride(), layout.at(0),
            layout.coords().count(), layout.coalesce(), layout.filter(), layout.flatten(), layout.reverse(),
            format!("{layout:?} {layout:#}"),
        );
        $complaints.expect(layout.coords().count() == size, || format!("{name}: not {size} coordinates"));
        match Tensor::new(vec![5u8; 64], layout.clone()) {
            Err(error) => $complaints.expect(size > 0, || format!("no tensor: {error}")),
            Ok(mut t) => {
                let n = t.layout().size();
                $complaints.expect(t.iter().count() == n && t.iter().all(|x| *x == 5), || format!("{name}: iter"));
                $complaints.expect(n > 0 || t.get(0).is_none(), || format!("{name}: an element of nothing"));
                ask!($complaints, name;
                    t.view().size(), t.indexed().count(), t.zip(&t).map(Iterator::count),
                    t.reduce(0, |sum, x| sum + usize::from(*x)),
                    t.map(|x| *x).size(), t.view().with_layout(layout.clone()).is_ok(),
                    t.cut(layout.clone(), $all).is_ok(),
                    t.get_slice($all).is_some(), t.slice($all).size(), format!("{t:?}"), t.get_mut(0).is_some(),
                );
                let (source, mut seen) = (Tensor::new(vec![6u8; 64], layout.clone()).unwrap(), 0);
                ask!($complaints, name;
                    t.view_mut().fill(7), t.transform(|x| *x), t.for_each_mut(|_, _| seen += 1), t.copy_from(&source),
                    t.copy_if(&source, |_| true), t.slice_mut($all).fill(7), t.cut_mut(layout.clone(), $all).is_ok(),
                    t.clear(),
                    t.axpby(1, &source, 1),
                );
                $complaints.expect(seen == n, || format!("{name}: {seen} elements were changed, not {n}"));
                ask!($complaints, name;
                    t.to_ndarray().map(|view| view.len()), t.to_ndarray_mut().is_ok(),
                );
                if let Ok(view) = t.to_ndarray() {
                    $complaints.expect(view.len() == n, || format!("{name}: an array of {}", view.len()));
                }
                if let Ok(mut view) = t.to_ndarray_mut() {
                    ask!($complaints, name; view.as_typed_tensor_mut().map(|mut t| t.fill(1)));
                }
            }
        }
    }};
}

/// What a matrix is asked for besides.
macro_rules! ask_of_matrix {
    ($complaints:ident, $layout:expr) => {{
        let layout = $layout;
        ask_of_all!($complaints, layout, (.., ..));
        let name = layout.to_string();
        let (m, n) = (layout.mode::<0>().size(), layout.mode::<1>().size());
        if let Ok(mut t) = Tensor::new(vec![5u8; 64], layout) {
            ask!($complaints, name;
                layout.index((0, 0)), t.get((0, 0)).is_some(), t.get_slice((0, ..)).is_some(),
                t.get_slice((.., 0)).is_some(),
                t.try_tiles_mut(tiler!(1, 1)).map(|tiles| tiles.take(9).map(|mut tile| tile.fill(1)).count()),
                t.try_tiles_mut(tiler!(_, _)).map(|tiles| tiles.take(9).map(|mut tile| tile.fill(1)).count()),
                t.local_tile(tiler!(1, 1), (0, 0)).is_ok(), t.local_tile(tiler!(1, 1), (.., 0)).is_ok(),
                t.local_tile_mut(tiler!(1, 1), (0, 0)).is_ok(), t.outer_partition(tiler!(1, 1), (0, 0)).is_ok(),
                t.ragged_tile(tiler!(2, 3), (0, 0)).is_ok(), t.ragged_tile_mut(tiler!(2, 3), (0, 0)).is_ok(),
                t.local_partition(layout!((1, 2)), 0).is_ok(), t.local_partition(layout!((1, 2)), 1).is_ok(),
            );
            // Rows and columns are as many as there are, whatever is in them.
            let dynamic = format!("{layout:#}").parse::<DynLayout>().ok().filter(|_| m < 100 && n < 100);
            let mut u = dynamic.and_then(|layout| Tensor::new(vec![5u8; 64], layout).ok());
            let shape = u.as_ref().map(|u| u.shape());
            if let Some(Ok(rows)) = u.as_mut().zip(shape).map(|(u, shape)| u.partitions_mut(DynLayout::left(&shape))) {
                $complaints.expect(rows.len() == m, || format!("{name}: {} rows, not {m}", rows.len()));
                let sizes: Vec<_> = rows.map(|row| row.size()).collect();
                $complaints.expect(sizes == vec![n; m], || format!("{name}: rows of {sizes:?}"));
            }
            if let (true, Ok(columns)) = (n < 100, t.try_tiles_mut(tiler!(_, 1))) {
                $complaints.expect(columns.len() == n, || format!("{name}: {} columns, not {n}", columns.len()));
                let sizes: Vec<_> = columns.map(|column| column.size()).collect();
                $complaints.expect(sizes == vec![m; n], || format!("{name}: columns of {sizes:?}"));
            }
            $complaints.expect((t.get_slice((0, ..)).is_some()) == (m > 0), || format!("{name}: row 0"));
            $complaints.expect((t.get_slice((.., 0)).is_some()) == (n > 0), || format!("{name}: column 0"));
        }
    }};
}

const EXTENTS: [usize; 4] = [0, 1, 2, LARGE];
const STRIDES: [usize; 4] = [0, 1, 3, usize::MAX];

/// Small enough to be looked at, or empty.
fn few(extents: &[usize]) -> bool {
    extents.contains(&0) || extents.iter().all(|extent| *extent < 100)
}

#[test]
fn vectors_of_none_and_of_one() {
    let mut complaints = Complaints::default();
    for n in [0, 1, 2] {
        for d in STRIDES {
            ask_of_all!(complaints, layout!(n:d), ..);
            ask_of_all!(complaints, layout!((n,):(d,)), (..,));
        }
        ask_of_all!(complaints, layout!(n:1), ..);
        ask_of_all!(complaints, layout!(n:0), ..);
        let (source, mut t) = (
            Tensor::new(vec![5u8; 4], layout!(n)).unwrap(),
            Tensor::new(vec![0u8; 4], layout!(n)).unwrap(),
        );
        ask!(complaints, format!("a copy of {n}");
            copy(&UniversalCopy::<u8>::new(), &source, &mut t),
            copy(&UniversalCopy::<u8, Int<2>>::new(), &source, &mut t),
            copy_if(&UniversalCopy::<u8, Int<2>>::new(), &source, &mut t, |_| true),
        );
    }
    ask_of_all!(complaints, layout!(1:7), ..);
    complaints.done();
}

#[test]
fn matrices_of_none_and_of_one() {
    let mut complaints = Complaints::default();
    for (m, n) in EXTENTS
        .iter()
        .flat_map(|m| EXTENTS.iter().map(move |n| (*m, *n)))
        .filter(|(m, n)| few(&[*m, *n]))
    {
        for (d, e) in STRIDES.iter().flat_map(|d| STRIDES.iter().map(move |e| (*d, *e))) {
            ask_of_matrix!(complaints, layout!((m, n):(d, e)));
            if let Ok(mut t) = Tensor::new(vec![5u8; 64], layout!((m, n):(d, e))) {
                ask!(complaints, format!("({m},{n}):({d},{e})");
                    t.try_tiles_mut(tiler!(2, 3)).map(|tiles| tiles.take(9).map(|mut tile| tile.fill(1)).count()),
                    t.try_tiles_mut(tiler!(2:1, _)).map(|tiles| tiles.take(9).map(|mut tile| tile.fill(1)).count()),
                );
            }
        }
    }
    for n in EXTENTS.into_iter().filter(|n| few(&[*n])) {
        for d in STRIDES {
            ask_of_matrix!(complaints, layout!((1, n):(0, d)));
            ask_of_matrix!(complaints, layout!((n, 2):(d, 1)));
        }
    }
    complaints.done();
}

#[test]
fn nested_matrices_of_none_and_of_one() {
    let mut complaints = Complaints::default();
    let all =
        EXTENTS.iter().flat_map(|m| EXTENTS.iter().flat_map(move |n| EXTENTS.map(|k| (*m, *n, k))));
    for (m, n, k) in all.filter(|(m, n, k)| few(&[*m, *n, *k])) {
        for (d, e) in [(1, 2), (0, 0), (1, usize::MAX), (usize::MAX, 1), (usize::MAX, usize::MAX)] {
            ask_of_all!(complaints, layout!(((m, n), k):((d, e), d)), ((.., ..), ..));
            ask_of_all!(complaints, layout!((m, n, k):(d, e, 1)), (.., .., ..));
            if few(&[k, m]) {
                ask_of_all!(complaints, layout!((k, (1, m)):(d, (0, e))), (.., (.., ..)));
            }
            if few(&[n, k]) {
                ask_of_all!(complaints, layout!((2, n, k):(1, e, d)), (.., .., ..));
            }
        }
    }
    complaints.done();
}

/// Tiled copies of nothing.
#[test]
fn threads_copy_nothing() {
    let mut complaints = Complaints::default();
    let tiled =
        make_tiled_copy(UniversalCopy::<u8, Int<2>>::new(), layout!((2, 1)), layout!((1, 2)))
            .unwrap();
    for (m, n) in [(0, 4), (4, 0), (0, 0), (2, 2), (4, 4)] {
        let (source, mut t) = (
            Tensor::new(vec![5u8; 16], layout!((m, n):(1, 4))).unwrap(),
            Tensor::new(vec![0u8; 16], layout!((m, n):(4, 1))).unwrap(),
        );
        for thread in 0..2 {
            let thread = tiled.get_slice(thread).unwrap();
            ask!(complaints, format!("a copy of ({m},{n})"); {
                let from = thread.partition_s(&source);
                let to = thread.partition_d_mut(&mut t);
                from.and_then(|from| to.and_then(|mut to| copy(&tiled, &from, &mut to)))
            });
        }
        let copied = t.iter().filter(|x| **x == 5).count();
        complaints.expect(copied == m * n, || format!("({m},{n}): {copied} were copied"));
    }
    complaints.done();
}

/// Arrays of other libraries that hold nothing.
#[test]
fn empty_arrays() {
    let mut complaints = Complaints::default();
    for (m, n, k) in (0..8).map(|i| (i & 1, i >> 1 & 1, i >> 2 & 1)) {
        let mut array = ndarray::Array3::<u8>::zeros((m, n, k));
        ask!(complaints, format!("an array of ({m},{n},{k})");
            array.as_typed_tensor().map(|t| t.iter().count()),
            array.as_typed_tensor_mut().map(|mut t| t.fill(1)),
            array.as_typed_tensor_mut().map(|mut t| t.to_ndarray_mut().is_ok()),
            array.as_typed_tensor_mut().map(|mut t| t.slice_mut((.., .., ..)).fill(1)),
            array.view_mut().into_dyn().as_typed_tensor_mut().map(|mut t| t.fill(1)),
            array.as_typed_tensor_mut()
                .map(|mut t| t.try_tiles_mut(tiler!(1, 1, 1)).map(|tiles| tiles.take(9).count())),
        );
    }
    complaints.done();
}

/// Layouts of run-time rank: every placement of 0, 1 and 2 in shapes of rank 1 to 3, and nested
/// ones.
#[test]
fn run_time_rank_of_none_and_of_one() {
    let mut complaints = Complaints::default();
    let forms = [
        "a:1",
        "(a):(1)",
        "(a,b):(1,2)",
        "(a,b):(9,1)",
        "(a,b):(0,z)",
        "((a,b),c):((1,2),4)",
        "(a,(b,c)):(4,(2,1))",
        "(a,b,c):(1,2,4)",
        "(a,b,c):(1,z,3)",
    ];
    for (a, b, c) in (0..27).map(|i| (i % 3, i / 3 % 3, i / 9)) {
        for form in forms {
            let text = form
                .replace('a', &a.to_string())
                .replace('b', &b.to_string())
                .replace('c', &c.to_string());
            let text = text.replace('z', &usize::MAX.to_string());
            let Ok(layout) = text.parse::<DynLayout>() else { continue };
            ask_dynamic(&mut complaints, &layout);
        }
    }
    complaints.done();
}

fn ask_dynamic(complaints: &mut Complaints, layout: &DynLayout) {
    let name = layout.to_string();
    let (size, shape) = (layout.size(), layout.shape());
    ask!(complaints, name;
        layout.cosize(), layout.at(0), layout.try_index(0), layout.coords().count(), layout.coalesce(), layout.filter(),
        layout.flatten(), layout.reverse(), layout.right_inverse(), layout.left_inverse(), layout.nullspace(),
        layout.complement(64),
        layout.complement_ceil(64), layout.is_injective(), layout.is_surjective(), layout.is_bijective(),
        layout.is_compact(),
        layout.layout_like(), layout.max_common_layout(layout), layout.max_common_vector(layout), layout.upcast(2),
        layout.downcast(2),
        layout.compose(layout), layout.logical_divide(layout), layout.zipped_divide(layout),
        layout.tiled_divide(layout),
        layout.flat_divide(layout), layout.logical_product(layout), layout.blocked_product(layout),
        layout.raked_product(layout),
        layout.round_up(2), layout.tile_to_shape(&shape), layout.group(0, 1), layout.logical_divide(1),
        layout.logical_divide(0),
        layout.compose(0), layout.upcast(0), layout.downcast(0), shape.coord(0), shape.size(),
        layout.coalesce_by(&shape),
        DynLayout::left(&shape), DynLayout::right(&shape),
    );
    let Ok(mut t) = Tensor::new(vec![5u8; 64], layout.clone()) else {
        complaints.expect(size > 0, || format!("{name}: no tensor"));
        return;
    };
    complaints.expect(t.iter().count() == size, || format!("{name}: iter"));
    complaints.expect(t.get(0).is_some() == (size > 0), || format!("{name}: element 0"));
    let source = Tensor::new(vec![6u8; 64], layout.clone()).unwrap();
    ask!(complaints, name;
        t.view().size(), t.indexed().count(), t.zip(&t).map(Iterator::count), t.map(|x| *x).size(),
        t.view().with_layout(layout.clone()).is_ok(),
        t.view_mut().fill(7), t.transform(|x| *x), t.copy_from(&source), t.copy_if(&source, |_| true),
        t.to_ndarray().is_ok(), t.to_ndarray_mut().is_ok(), t.get_slice((0, ..)).is_some(), t.get_slice((.., 0)).is_some(),
        t.get_slice((.., .., 0)).is_some(), t.get_slice(..).is_some(),
        t.try_tiles_mut(1).map(|tiles| tiles.take(9).count()),
        t.try_tiles_mut(tiler!(1, 1)).map(|tiles| tiles.take(9).count()),
        t.try_tiles_mut(tiler!(2, _)).map(|tiles| tiles.take(9).count()),
        t.local_tile(tiler!(1, 1), (0, 0)).is_ok(), t.local_tile(1, 0).is_ok(),
    );
    let rank = layout.rank();
    if rank == 2 {
        let (m, n) = (layout.mode(0).unwrap().size(), layout.mode(1).unwrap().size());
        let rows = complaints.calm(
            || name.clone(),
            || {
                t.partitions_mut(DynLayout::left(&layout.shape()))
                    .ok()
                    .map(|rows| rows.map(|row| row.size()).collect::<Vec<_>>())
            },
        );
        complaints.expect(!matches!(&rows, Some(Some(sizes)) if *sizes != vec![n; m]), || {
            format!("{name}: rows {rows:?}")
        });
        let columns = complaints.calm(
            || name.clone(),
            || {
                t.try_tiles_mut(tiler!(_, 1))
                    .ok()
                    .map(|parts| parts.map(|part| part.size()).collect::<Vec<_>>())
            },
        );
        complaints.expect(!matches!(&columns, Some(Some(sizes)) if *sizes != vec![m; n]), || {
            format!("{name}: columns {columns:?}")
        });
        complaints.expect(t.get_slice((0, ..)).is_some() == (m > 0), || format!("{name}: row 0"));
    }
}

/// Coordinates and numbers of empty shapes.
#[test]
fn numbers_of_empty_shapes() {
    let mut complaints = Complaints::default();
    for (m, n) in [(0, 4), (4, 0), (0, 0), (1, 0), (0, 1)] {
        for i in [0, 1, 7, usize::MAX] {
            ask!(complaints, format!("({m},{n}) at {i}");
                idx2crd(i, (m, n)), idx2crd(i, ((m, n), 2)), crd2idx((0, 0), (m, n)), layout!((m, n)).at(i),
                layout!((m, n):(1, 0)).index(i),
                layout!(((m, n), 2)).at(i), layout!(((m, n), 2)).index((i, 0)), identity((m, n)).at(i),
            );
        }
    }
    complaints.done();
}

/// An empty array of extents that no array of its elements could have is none of `ndarray`'s, which
/// counts in bytes.
#[test]
fn empty_arrays_of_huge_extents() {
    let half = isize::MAX as usize / 2;
    let (z, few) = (0, 5);
    let mut bytes = Tensor::new([0u8; 0], layout!((half, z))).unwrap();
    assert_eq!(bytes.to_ndarray().unwrap().shape(), [half, 0]);
    assert_eq!(bytes.to_ndarray_mut().unwrap().shape(), [half, 0]);
    let mut words = Tensor::new([0u64; 0], layout!((half, z))).unwrap();
    let error = words.to_ndarray().unwrap_err();
    assert_eq!(
        [error, words.to_ndarray_mut().unwrap_err()],
        [ArrayError::TooFar, ArrayError::TooFar]
    );
    assert!(
        Tensor::new([0u64; 0], layout!((half, z))).unwrap().slice((.., ..)).to_ndarray().is_err()
    );
    assert_eq!(
        Tensor::new([0u64; 0], layout!((few, z))).unwrap().to_ndarray().unwrap().shape(),
        [5, 0]
    );
    let dynamic: DynLayout = format!("(0,{half}):(1,1)").parse().unwrap();
    assert!(Tensor::new([0u64; 0], dynamic.clone()).unwrap().to_ndarray().is_err());
    assert!(Tensor::new([0u8; 0], dynamic).unwrap().to_ndarray().is_ok());
}
