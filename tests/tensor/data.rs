//! Tensors: tiles and partitions cover the whole exactly once; operands that do not fit are
//! refused; threads write only their elements.

use std::panic::{AssertUnwindSafe, catch_unwind};

use layout_algebra::prelude::*;
use layout_algebra::tensor::{
    Addressable, CoordinateIn, Fragment, IntoMemory, Storage, make_layout_tv,
};
use proptest::prelude::*;
use rayon::prelude::*;

/// A tensor of numbers, each element the offset that it lies at.
fn offsets<L: Addressable>(layout: L) -> Tensor<Vec<usize>, L> {
    let length = layout.cosize();
    Tensor::new((0..length).collect(), layout).unwrap()
}

/// The elements of a tensor, sorted.
fn sorted<'a>(elements: impl Iterator<Item = &'a usize>) -> Vec<usize> {
    let mut elements: Vec<usize> = elements.copied().collect();
    elements.sort_unstable();
    elements
}

/// Tiles, shares of threads and mutable tiles of a layout: each covers the tensor exactly once.
macro_rules! covers {
    ($layout:expr, $tiler:expr, $threads:expr) => {{
        let (layout, tiler, threads) = ($layout, $tiler, $threads);
        let t = offsets(layout);
        let all = sorted(t.iter());

        let (rows, columns) = {
            let tiles = layout.zipped_divide(tiler).mode::<1>();
            (tiles.mode::<0>().size(), tiles.mode::<1>().size())
        };
        let mut dealt = Vec::new();
        for (i, j) in (0..columns).flat_map(|j| (0..rows).map(move |i| (i, j))) {
            let tile = t.local_tile(tiler, (i, j)).unwrap();
            assert_eq!(tile.size() * rows * columns, t.size());
            dealt.extend(tile.iter().copied());
        }
        assert_eq!(sorted(dealt.iter()), all, "tiles of {layout}");
        assert!(
            t.local_tile(tiler, (rows, 0)).is_err() && t.local_tile(tiler, (0, columns)).is_err()
        );

        let mut dealt = Vec::new();
        for thread in 0..threads.size() {
            dealt.extend(t.local_partition(threads, thread).unwrap().iter().copied());
        }
        assert_eq!(sorted(dealt.iter()), all, "shares of {layout}");
        assert!(t.local_partition(threads, threads.size()).is_err());

        let mut t = t;
        let tiles = t.try_tiles_mut(tiler).unwrap();
        assert_eq!(tiles.len(), rows * columns);
        for (i, mut tile) in tiles.enumerate() {
            tile.transform(|x| x + 1_000_000 * (i + 1));
        }
        for (element, tile) in t.iter().map(|x| (x % 1_000_000, x / 1_000_000)) {
            assert!(
                all.binary_search(&element).is_ok() && (1..=rows * columns).contains(&tile),
                "{element} {tile}"
            );
        }
        assert_eq!(
            t.storage_sum(),
            all.iter().map(|&x| x as u64).sum::<u64>() + 1_000_000 * t.weights(rows * columns)
        );
    }};
}

/// What the elements of a tensor add up to, and what its tiles' numbers do.
trait Sums {
    fn storage_sum(&self) -> u64;
    fn weights(&self, tiles: usize) -> u64;
}
impl<L: Addressable> Sums for Tensor<Vec<usize>, L> {
    fn storage_sum(&self) -> u64 {
        self.iter().map(|&x| x as u64).sum()
    }
    fn weights(&self, tiles: usize) -> u64 {
        (self.size() / tiles * (tiles * (tiles + 1) / 2)) as u64
    }
}

#[test]
fn static_partitions_cover_exactly_once() {
    covers!(layout!((4, 6)), tiler!(2, 3), layout!((2, 2)));
    covers!(layout!((4, 6): right), tiler!(2, 3), layout!((2, 3): right));
    covers!(layout!((8, 8):(1, 10)), tiler!(4, 2), layout!((4, 2)));
    covers!(layout!(((2, 4), (4, 2)):((1, 8), (2, 32))), tiler!(2, 4), layout!((2, 4): right));
    covers!(layout!((16, 12):(12, 1)), tiler!((4, 2):(4, 1), 3), layout!((8, 4)));
    covers!(layout!((16, 16)), tiler!((4, 2):(1, 8), (2, 2):(8, 1)), layout!((4, 8)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::cases(64) as u32))]

    /// A matrix of whole tiles, of any size and pitch, row-major and column-major.
    #[test]
    fn partitions_of_run_time_sizes_cover_exactly_once(m in 1usize..6, n in 1usize..6, pad in 0usize..5) {
        let (m, n) = (Multiple::<Int!(8)>::new(8 * m).unwrap(), Multiple::<Int!(4)>::new(4 * n).unwrap());
        let (rows, columns) = (m.get() + pad, n.get() + pad);
        covers!(layout!((m, n):(1, rows)), tiler!(4, 2), layout!((2, 4)));
        covers!(layout!((m, n):(columns, 1)), tiler!(8, 4), layout!((4, 2): right));
    }

    /// What the run-time check lets pass, is disjoint: no element is written twice. What it
    /// refuses as an overlap, is one.
    #[test]
    fn tiles_of_any_strides_are_disjoint_or_refused(d0 in 0usize..40, d1 in 0usize..40) {
        let layout = layout!((4, 6):(d0, d1));
        let mut t = Tensor::new(vec![0u8; layout.cosize()], layout).unwrap();
        let injective = DynLayout::from(layout).is_injective();
        match t.try_tiles_mut(tiler!(2, 3)) {
            Ok(tiles) => {
                prop_assert!(injective);
                tiles.for_each(|mut tile| tile.transform(|x| x + 1));
                let written: usize = t.into_storage().into_iter().map(usize::from).sum();
                prop_assert_eq!(written, 24);
            }
            Err(error) => {
                prop_assert!(matches!(error.kind().as_str(), "overlap" | "profile"), "{}", error);
                prop_assert!(error.kind().as_str() != "overlap" || !injective, "{}", error);
            }
        }
    }

    /// Safe indexing is the layout's, and refuses everything else.
    #[test]
    fn an_index_is_checked(m in 0usize..5, n in 0usize..5, i in 0usize..7, j in 0usize..7, k in 0usize..40) {
        let t = offsets(layout!((m, (2, n)):(1, (m, 2 * m))));
        prop_assert_eq!(t.get((i, j)).copied(), (i < m && j < 2 * n).then(|| i + m * j));
        prop_assert_eq!(t.get((i, (j, k))).copied(), (i < m && j < 2 && k < n).then(|| i + m * j + 2 * m * k));
        prop_assert_eq!(t.get(k).copied(), (k < 2 * m * n).then_some(k));
        prop_assert_eq!(t.iter().count(), 2 * m * n);
        prop_assert_eq!(t.get_slice((i, ..)).map(|row| row.size()), (i < m).then_some(2 * n));
    }
}

#[test]
fn thread_value_layouts_cover_exactly_once() {
    macro_rules! check {
        ($threads:expr, $values:expr) => {{
            let (threads, values) = ($threads, $values);
            let (tile, tv) = make_layout_tv(threads, values).unwrap();
            assert_eq!(tv.size(), threads.size() * values.size());
            let mut seen: Vec<usize> = (0..tv.size()).map(|i| tv.at(i)).collect();
            seen.sort_unstable();
            assert_eq!(seen, (0..tv.size()).collect::<Vec<_>>());
            // Dealt from the middle of a matrix, too.
            let t = offsets(layout!((64, 64): right));
            let block = t.local_tile(tile, (1, 1)).unwrap();
            let dealt = block.view().compose(tv);
            let shares =
                (0..threads.size()).flat_map(|thread| dealt.slice((thread, ..)).iter().copied().collect::<Vec<_>>());
            assert_eq!(sorted(shares.collect::<Vec<_>>().iter()), sorted(block.iter()));
        }};
    }
    check!(layout!((4, 8): right), layout!((2, 4): right));
    check!(layout!((4, 8)), layout!((4, 1)));
    check!(layout!((8, 4)), layout!((2, 2)));
    check!(layout!(((2, 2), 8):((1, 16), 2)), layout!((2, 2): right));
}

/// Reads, and writes: the values of all threads in all tiles are the matrix, each element once.
#[test]
fn values_of_all_threads_in_all_tiles_cover_exactly_once() {
    let (m, n) = (Multiple::<Int!(16)>::new(48).unwrap(), Multiple::<Int!(16)>::new(32).unwrap());
    let (tiler, tv) = make_layout_tv(layout!((8, 4): right), layout!((2, 4): right)).unwrap();
    let mut t = offsets(layout!((m, n): right));
    let mut dealt = Vec::new();
    for thread in 0..32 {
        let mine = t.partition_tv(tiler, tv, thread).unwrap();
        assert_eq!(mine.size(), 8 * 3 * 2);
        dealt.extend(mine.iter().copied());
    }
    assert_eq!(sorted(dealt.iter()), (0..48 * 32).collect::<Vec<_>>());
    for thread in 0..32 {
        t.partition_tv_mut(tiler, tv, thread).unwrap().transform(|x| x + 10_000);
    }
    assert_eq!(sorted(t.iter()), (10_000..10_000 + 48 * 32).collect::<Vec<_>>());
    assert!(t.partition_tv(tiler, tv, 32).is_err());
}

/// What is done unchecked, against the same done checked, in memory that ends where the layout
/// does.
#[test]
fn unchecked_accesses_are_the_checked_ones() {
    for (m, n, rows) in (1..6).flat_map(|m| (1..6).flat_map(move |n| [(m, n, true), (m, n, false)]))
    {
        let (d, e) = if rows { (n, 1) } else { (1, m) };
        let layout = layout!((m, n):(d, e));
        let memory: Box<[usize]> = (0..m * n).collect();
        // SAFETY: the memory has the elements of the layout, and is read alone.
        let t = unsafe { Tensor::from_raw_ref(memory.as_ptr(), layout) };
        let (mut changed, mut expected) = (memory.clone(), memory.clone());
        // SAFETY: as above, and nobody else has it meanwhile.
        let mut u = unsafe { Tensor::from_raw(changed.as_mut_ptr(), layout) };
        for (i, j) in (0..n).flat_map(|j| (0..m).map(move |i| (i, j))) {
            // SAFETY: the coordinates lie within the shape, here and below.
            unsafe {
                assert_eq!(t.get_unchecked((i, j)), &t[(i, j)]);
                assert!(t.slice_unchecked((i, ..)).iter().eq(t.slice((i, ..)).iter()));
                assert!(t.slice_unchecked((i.., ..=j)).iter().eq(t.slice((i.., ..=j)).iter()));
                assert!(
                    t.cut_unchecked(layout, (.., j))
                        .iter()
                        .eq(t.cut(layout, (.., j)).unwrap().iter())
                );
                *u.get_unchecked_mut((i, j)) += 1;
                u.slice_unchecked_mut((i, ..)).transform(|x| x + 10);
                u.cut_unchecked_mut(layout, (.., j)).transform(|x| x + 100);
            }
        }
        expected.iter_mut().for_each(|x| *x += 1 + 10 * n + 100 * m);
        assert_eq!(changed, expected);
        let flat = m * n;
        // SAFETY: both have the offsets 0 to m * n - 1.
        assert!(unsafe { t.with_layout_unchecked(layout!(flat)) }.iter().eq(&memory));
    }
}

/// Elements of another size are the same memory, to the last byte of it.
#[test]
fn recast_elements_are_the_same_bytes() {
    for n in 1..9 {
        let memory: Box<[u32]> = (0..4 * n as u32).collect();
        let mut t = Tensor::new(memory.to_vec(), layout!((4, n))).unwrap();
        t.recast_mut::<u8>().unwrap().transform(|x| x ^ 0xff);
        t.recast_mut::<u16>().unwrap().transform(|x| x.swap_bytes());
        assert_eq!(t.recast::<u16>().unwrap().size(), 8 * n);
        let expected = memory.iter().map(|x| (!x).swap_bytes().rotate_right(16));
        assert!(t.iter().copied().eq(expected));
    }
}

#[test]
fn threads_and_values_that_leave_holes_are_refused() {
    assert_eq!(
        make_layout_tv(layout!((4, 8)), layout!((2, 4):(1, 3))).unwrap_err().kind().as_str(),
        "bounds"
    );
}

#[test]
fn all_threads_write_at_once() {
    let (m, n) = (96, 80);
    let mut t = Tensor::filled(layout!((m, n): right), 0_isize);
    t.tiles_mut(tiler!(8, 16))
        .into_par_iter()
        .enumerate()
        .for_each(|(i, mut tile)| tile.fill(i as isize + 1));
    for i in 0..m {
        for j in 0..n {
            assert_eq!(t[(i, j)].unsigned_abs(), 1 + i / 8 + m / 8 * (j / 16));
        }
    }
    t.tiles_mut(tiler!(8, 16)).par_iter_mut().rev().for_each(|mut tile| tile.transform(|x| -x));
    assert!(t.iter().all(|&x| x < 0));
    // Tiles of tiles.
    t.tiles_mut(tiler!(16, 16))
        .for_each(|mut tile| tile.tiles_mut(tiler!(4, 4)).for_each(|mut tile| tile.fill(7)));
    assert!(t.iter().all(|&x| x == 7));
}

#[test]
fn bad_input_is_refused_with_the_numbers() {
    let text = |error: LayoutError| error.to_string();
    assert_eq!(
        text(Tensor::new(vec![0; 23], layout!((4, 6))).unwrap_err()),
        "cannot make a tensor of layout (4,6):(1,4): the layout reaches 24 elements, and the storage holds 23"
    );
    let n = usize::MAX / 2;
    assert_eq!(
        Tensor::new(vec![0; 24], layout!((4, n):(1, 4))).unwrap_err().kind().as_str(),
        "overflow"
    );
    assert_eq!(
        Tensor::new(vec![0; 24], layout!((4, n):(0, 0))).unwrap_err().kind().as_str(),
        "overflow"
    );
    let t = Tensor::new(vec![0; 24], layout!((4, 6))).unwrap();
    assert!(
        text(t.view().with_layout(layout!((5, 5))).unwrap_err())
            .ends_with("the layout reaches 25 elements, and the storage holds 24")
    );
    assert!(
        text(t.local_tile(tiler!(2, 3), (0, 2)).unwrap_err())
            .ends_with("coordinate 2 is out of bounds: the extent is 2")
    );
    let threads = layout!((2, 2):(0, 1));
    assert_eq!(t.local_partition(threads, 0).unwrap_err().kind().as_str(), "overlap");
    let (rows, columns) = (5, 6);
    let ragged = Tensor::new(vec![0; 30], layout!((rows, columns): right)).unwrap();
    assert_eq!(
        ragged.local_tile(tiler!(2, 3), (0, 0)).unwrap_err().kind().as_str(),
        "divisibility"
    );
    let mut t = Tensor::new(vec![0; 24], layout!(24:1)).unwrap();
    let overlapping = layout!((3, 2):(1, 2));
    assert!(
        text(t.partitions_mut(overlapping).unwrap_err())
            .ends_with("the mode 2:2 overlaps the 3 offsets that the modes below it span")
    );
}

#[test]
fn an_index_out_of_bounds_names_coordinate_and_layout() {
    fn refused<L: IntoMemory, C: CoordinateIn<L::InMemory> + 'static>(layout: L, at: C) -> String {
        let mut t = Tensor::new(vec![0; 24], layout).unwrap();
        let text = |result: Result<(), Box<dyn std::any::Any + Send>>| {
            *result.unwrap_err().downcast::<String>().unwrap()
        };
        let read = text(catch_unwind(AssertUnwindSafe(|| assert!(t[at] < 0))));
        let write = text(catch_unwind(AssertUnwindSafe(|| t[at] = 1)));
        assert_eq!(read, write);
        read
    }
    let index = |which: &str, why: &str| format!("cannot index {which}: {why}");
    let outside = |which: &str| index(which, "the coordinate lies outside of the shape");
    let out = |which: &str, number: usize, extent: usize| {
        index(which, &format!("coordinate {number} is out of bounds: the extent is {extent}"))
    };
    let (n, dynamic) = (6, "(4,6):(1,4)".parse::<DynLayout>().unwrap());
    // A static shape in every build.
    assert_eq!(refused(layout!((4, 6)), (4, 2)), out("(4,6):(1,4) at (4,2)", 4, 4));
    assert_eq!(refused(layout!((4, 6)), 24), out("(4,6):(1,4) at 24", 24, 24));
    assert_eq!(
        refused(layout!((4, (2, 3))), (int!(1), (0, 3))),
        out("(4,(2,3)):(1,(4,8)) at (1,(0,3))", 3, 3)
    );
    let swizzled = Swizzle::<1, 0, 2>::new().compose(layout!((4, 6)));
    assert_eq!(refused(swizzled, (1, 6)), out("Sw<1,0,2> o 0 o (4,6):(1,4) at (1,6)", 6, 6));
    // Extents of run time with debug assertions, so that loops over them have no check in a
    // release.
    let named = |at: &str| if cfg!(debug_assertions) { format!(" at {at}") } else { String::new() };
    let (text, at) = (refused(layout!((4, n)), (3, 6)), format!("(4,6):(1,4){}", named("(3,6)")));
    assert_eq!(text, if cfg!(debug_assertions) { out(&at, 6, 6) } else { outside(&at) });
    assert_eq!(
        refused(dynamic.clone(), (4, 2)),
        outside(&format!("(4,6):(1,4){}", named("(4,2)")))
    );
    assert_eq!(refused(dynamic, [0, 6]), outside(&format!("(4,6):(1,4){}", named("(0,6)"))));
}

#[test]
fn a_tile_takes_no_layout_that_leaves_it() {
    let mut t = Tensor::new(vec![0; 24], layout!((4, 6))).unwrap();
    let tile = t.tiles_mut(tiler!(2, 3)).next().unwrap();
    assert_eq!(*tile.layout(), layout!((2, 3):(1, 4)));
    let tile = tile.with_layout(layout!((3, 2):(4, 1))).unwrap();
    assert_eq!(tile.with_layout(layout!((2, 3):(1, 2))).unwrap_err().fault(), Fault::Image);
    let n = 2;
    let tile =
        t.tiles_mut(tiler!(2, 3)).next().unwrap().with_layout(layout!((3, n):(4, 1))).unwrap();
    assert_eq!(tile.with_layout(layout!((n, 3):(1, 2))).unwrap_err().fault(), Fault::Image);
}

#[test]
fn layouts_of_run_time_rank() {
    let layout: DynLayout = "((2,2),6):((1,12),2)".parse().unwrap();
    let mut t = offsets(layout.clone());
    assert_eq!(t[5], layout.index(5));
    assert_eq!(t.get(24), None);
    let coordinate: DynShape = "((1,1),5)".parse().unwrap();
    assert_eq!(t[&coordinate], 23);
    let outside: DynShape = "((2,0),5)".parse().unwrap();
    assert_eq!(t.get(&outside), None);
    assert_eq!(t.slice((.., 2)).iter().copied().collect::<Vec<_>>(), [4, 5, 16, 17]);
    let tiler: DynTiler = "<2,3>".parse().unwrap();
    for (i, mut tile) in t.try_tiles_mut(tiler.clone()).unwrap().enumerate() {
        assert_eq!(tile.size(), 6);
        tile.fill(i);
    }
    assert_eq!(t.iter().sum::<usize>(), 6 * (1 + 2 + 3));
    let broadcast: DynLayout = "(4,6):(0,1)".parse().unwrap();
    let mut t = offsets(broadcast);
    assert_eq!(t.try_tiles_mut(tiler).unwrap_err().kind().as_str(), "overlap");
}

/// What is cut out of a tensor under a `DynLayout`, with or without a swizzle, is what is cut out
/// of the same tensor under a layout of the types.
#[test]
fn parts_under_layouts_of_run_time_rank() {
    let data: Vec<usize> = (0..512).collect();
    let swizzle = Swizzle::<2, 1, 3>::new();
    let run_time = ComposedLayout::new(
        DynSwizzle::from(swizzle),
        0,
        "(8,12):(12,1)".parse::<DynLayout>().unwrap(),
    );
    let (tile, tv) = make_layout_tv(layout!((2, 3): right), layout!((1, 2): right)).unwrap();
    macro_rules! the_same {
        ($($known:expr, $dynamic:expr;)*) => {$(
            let (known, dynamic) = (Tensor::new(&data[..], $known).unwrap(), Tensor::new(&data[..], $dynamic).unwrap());
            the_same!(@ known dynamic:
                local_tile(tiler!(4, 3), (1, 2)), local_tile(tiler!(4, 3), (1, ..)),
                local_tile(tiler!(2:4, 6), (.., 1)),
                outer_partition(tiler!(4, 3), (3, 2)), local_partition(layout!((4, 3)), 7),
                local_partition(layout!((2, (2, 3)):(6, (1, 2))), 11), partition_tv(tile, tv, 5)
            );
            for row in 0..8 {
                assert_eq!(elements(&known.slice((row, ..))), elements(&dynamic.slice((row, ..))));
                assert_eq!(elements(&known.slice((row, 5))), elements(&dynamic.slice((row, int!(5)))));
            }
            // Beyond the tiles, of another nesting, and within a tile.
            assert_eq!(dynamic.local_tile(tiler!(4, 3), (2, 0)).err().unwrap().kind().as_str(), "bounds");
            assert_eq!(dynamic.local_tile(tiler!(4, 3), (0, 0, 0)).err().unwrap().kind().as_str(), "profile");
            assert_eq!(dynamic.outer_partition(tiler!(4, 3), (4, 0)).err().unwrap().kind().as_str(), "bounds");
            assert_eq!(dynamic.local_tile(tiler!(3, 3), (0, 0)).err().unwrap().kind().as_str(), "divisibility");
            assert!(dynamic.get_slice((8, ..)).is_none() && dynamic.get_slice((0, 0, ..)).is_none());
        )*};
        (@ $known:ident $dynamic:ident: $($method:ident($($argument:expr),*)),*) => {
            $(assert_eq!(elements(&$known.$method($($argument),*).unwrap()),
                elements(&$dynamic.$method($($argument),*).unwrap()));)*
        };
    }
    the_same! {
        layout!((8, 12):(12, 1)), "(8,12):(12,1)".parse::<DynLayout>().unwrap();
        layout!(((2, 4), 12):((24, 48), 2)), "((2,4),12):((24,48),2)".parse::<DynLayout>().unwrap();
        swizzle.compose(layout!((8, 12):(12, 1))), run_time;
    }
}

fn elements<S: Storage<Item = usize>, L: Addressable>(tensor: &Tensor<S, L>) -> Vec<usize> {
    tensor.iter().copied().collect()
}

#[test]
fn empty_tensors_have_no_elements() {
    let n = 0;
    let mut t = Tensor::new(Vec::<i32>::new(), layout!((4, n):(1, 4))).unwrap();
    assert_eq!((t.iter().count(), t.get(0), t.get((0, 0))), (0, None, None));
    t.fill(1);
    assert_eq!(t.slice((1, ..)).iter().count(), 0);
    let rows: Vec<_> =
        t.partitions_mut(layout!((4, n):(1, 4))).unwrap().map(|row| row.size()).collect();
    assert_eq!(rows, [0; 4]);
    for layout in ["(4,0):(1,4)", "(4,(0,3)):(1,(4,4))"] {
        let t = Tensor::new(Vec::<i32>::new(), layout.parse::<DynLayout>().unwrap()).unwrap();
        assert_eq!(
            (t.slice((1, ..)).iter().count(), t.slice((.., ..)).iter().count()),
            (0, 0),
            "{layout}"
        );
        assert!(
            t.get_slice((4, ..)).is_none() && t.get_slice((.., 0)).is_none() && t.get(0).is_none(),
            "{layout}"
        );
    }
}

/// Elements that own memory: nothing is dropped twice, nothing leaks.
#[test]
fn elements_may_own_memory() {
    type Texts = Fragment<String, Layout!((2, 3):(4, 1))>;
    let mut t = Texts::from_fn(|(i, j)| format!("{i}{j}"));
    t.view_mut().transpose().slice_mut((2, ..)).fill("x".into());
    let copy = t.map(|text| text.clone() + "!");
    assert_eq!(
        copy.iter().map(String::as_str).collect::<Vec<_>>(),
        ["00!", "10!", "01!", "11!", "x!", "x!"]
    );
    let mut other = t.clone();
    other.copy_from(&copy).unwrap();
    assert_eq!(other.zip(&copy).unwrap().filter(|(a, b)| a == b).count(), 6);
}

/// The partitions of all threads are those of each, one after the other, whatever the layout and
/// the storage are: both compose the layout of the tensor with the thread-value layout.
#[test]
fn partitions_are_dealt_as_each_thread_has_them() {
    macro_rules! dealt {
        ($(($t:expr, $tiler:expr, $tv:expr);)*) => {$({
            let (mut t, tv) = ($t, $tv);
            let threads = tv.mode::<0>().size();
            let name = format!("{} by {tv}", t.layout());
            for thread in 0..threads {
                let mut mine = t.partition_tv_mut($tiler, tv, thread).unwrap();
                mine.fill(1 + thread);
            }
            let written: Vec<usize> = t.iter().copied().collect();
            assert!((1..=threads).all(|thread| written.contains(&thread)), "{name}");
            t.fill(0);
            let mut parts: Vec<_> = t.partitions_mut(tv).unwrap().collect();
            assert_eq!(parts.len(), threads, "{name}");
            parts.iter_mut().enumerate().for_each(|(thread, values)| values.fill(1 + thread));
            drop(parts);
            assert_eq!(t.iter().copied().collect::<Vec<_>>(), written, "{name}");
            t.fill(0);
            t.partitions_mut(tv).unwrap().into_par_iter().enumerate().for_each(|(k, mut values)| values.fill(1 + k));
            assert_eq!(t.iter().copied().collect::<Vec<_>>(), written, "{name} on threads");
            for (thread, values) in t.partitions_mut(tv).unwrap().enumerate().skip(1).step_by(2) {
                assert!((0..values.size()).all(|v| values[v] == 1 + thread), "{name}");
            }
        })*};
    }
    let n = 12;
    let tv = layout!(((4, 6), (2, 2)):((2, 16), (1, 8)));
    let swizzle = Swizzle::<2, 0, 3>::new();
    let mut memory = vec![0; 300];
    let mut big = Tensor::filled(layout!((16, 24): right), 0);
    let mut tile = big.tiles_mut(tiler!(8, 12)).nth(3).unwrap();
    let dynamic = |text: &str| text.parse::<DynLayout>().unwrap();
    dealt! {
        (Tensor::filled(layout!((8, 12)), 0), tiler!(8, 12), tv);
        (Tensor::filled(layout!((8, 12): right), 0), tiler!(8, 12), tv);
        (Tensor::filled(layout!((8, 12):(3, 30)), 0), tiler!(8, 12), tv);
        (Tensor::filled(layout!((8, n):(n, 1)), 0), tiler!(8, 12), tv);
        (Tensor::new(&mut memory[..], layout!((8, 12):(36, 3))).unwrap(), tiler!(8, 12), tv);
        (tile.view_mut(), tiler!(8, 12), tv);
        (Tensor::filled(swizzle.compose(layout!((8, 12): right)), 0), tiler!(8, 12), tv);
        (Tensor::filled(layout!((8, 12): right), 0).flip::<0>(), tiler!(8, 12), tv);
        (Tensor::filled(dynamic("(8,12):(12,1)"), 0), tiler!(8, 12), tv);
        (Tensor::filled(dynamic("(8,12):(12,1)"), 0).flip::<1>(), tiler!(8, 12), tv);
        (Tensor::filled(swizzle.compose(layout!((8, 12): right)).to_dynamic(), 0), tiler!(8, 12), tv);
    }
    // Elements that no thread gets, and layouts known at run time.
    let mut t = Tensor::filled(layout!((4, 6): right), 0);
    let undealt = "the thread-value layout deals out 6 elements, and there are 24";
    assert!(t.partitions_mut(layout!((2, 3):(1, 4))).unwrap_err().to_string().ends_with(undealt));
    let mut t = Tensor::filled(dynamic("(4,6):(6,1)"), 0);
    assert!(t.partitions_mut(dynamic("(2,3):(1,4)")).unwrap_err().to_string().ends_with(undealt));
    let error = t.partition_tv(tiler!(4, 3), layout!((2, 3):(1, 4)), 0).unwrap_err();
    let text = "cannot deal out to threads: the thread-value layout deals out 6 elements, and there are 12";
    assert_eq!(error.to_string(), text);
    t.partitions_mut(dynamic("(4,6):(1,4)"))
        .unwrap()
        .enumerate()
        .for_each(|(k, mut values)| values.fill(k + 1));
    assert_eq!(t.into_storage()[..12], [1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2]);
    let mut t = Tensor::filled(dynamic("(4,6):(6,1)"), 0);
    assert_eq!(t.partitions_mut(dynamic("(2,2,2):(1,2,4)")).unwrap_err().kind().as_str(), "rank");
}
