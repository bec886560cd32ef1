//! Tensors over swizzled layouts: tiles of shared memory. Tiles and partitions reach each element
//! of the layout once.

use layout_algebra::atom::{UniversalFma, make_tiled_mma};
use layout_algebra::prelude::*;
use layout_algebra::tensor::{Addressable, make_layout_tv};
use proptest::prelude::*;

/// A tensor each of whose elements is its own offset.
fn offsets<L: Addressable>(layout: L) -> Tensor<Vec<usize>, L> {
    let length = layout.reach().unwrap();
    Tensor::new((0..length).collect(), layout).unwrap()
}

/// Everything that cuts and deals, against the layout element by element.
macro_rules! checks {
    ($swizzled:expr, $rows:expr, $columns:expr) => {{
        let (layout, rows, columns) = ($swizzled, $rows, $columns);
        let mut t = offsets(layout);
        for (c, &x) in t.indexed() {
            assert_eq!((x, t[c], t.get(c)), (layout.index(c), layout.index(c), Some(&layout.index(c))));
        }
        assert_eq!((t.get((rows, 0)), t.get((0, columns))), (None, None));
        assert_eq!(t.iter().copied().max().unwrap() + 1, layout.cosize());
        for i in 0..rows {
            assert!(t.slice((i, ..)).iter().copied().eq((0..columns).map(|j| layout.index((i, j)))));
        }
        for j in 0..columns {
            assert!(t.slice((.., j)).iter().copied().eq((0..rows).map(|i| layout.index((i, j)))));
        }
        for (i, j) in (0..rows / 4).flat_map(|i| (0..columns / 8).map(move |j| (i, j))) {
            let tile = t.local_tile(tiler!(4, 8), (i, j)).unwrap();
            for c in tile.layout().coords() {
                assert_eq!(tile[c], layout.index((4 * i + c.0, 8 * j + c.1)));
            }
            for thread in 0..8 {
                let share = tile.local_partition(layout!((2, 4): right), thread).unwrap();
                for (x, y) in (0..2).flat_map(|y| (0..2).map(move |x| (x, y))) {
                    assert_eq!(share[(x, y)], layout.index((4 * i + thread / 4 + 2 * x, 8 * j + thread % 4 + 4 * y)));
                }
            }
        }
        assert!(t.local_tile(tiler!(4, 8), (rows / 4, 0)).is_err());
        let (tiler, tv) = make_layout_tv(layout!((4, 2): right), layout!((1, 4): right)).unwrap();
        let mut dealt = Vec::new();
        for thread in 0..8 {
            let mine = t.partition_tv(tiler, tv, thread).unwrap();
            dealt.extend(mine.iter().copied());
            assert_eq!(mine[(3, 0, 0)], layout.index((thread / 2, thread % 2 * 4 + 3)));
        }
        dealt.sort_unstable();
        let mut all: Vec<usize> = layout.coords().map(|c| layout.index(c)).collect();
        all.sort_unstable();
        assert_eq!(dealt, all);
        // Written from all tiles, each element once.
        for (i, mut tile) in t.try_tiles_mut(tiler!(4, 8)).unwrap().enumerate() {
            tile.transform(|x| x + 1_000_000 * (i + 1));
        }
        for (c, &x) in t.indexed() {
            assert_eq!(x, layout.index(c) + 1_000_000 * (1 + c.0 / 4 + rows / 4 * (c.1 / 8)));
        }
        // To and from.
        let mut plain = Tensor::filled(layout!((rows, columns): right), 0);
        plain.for_each_mut(|(i, j), x| *x = 100 * i + j);
        t.copy_from(&plain).unwrap();
        assert!(layout.coords().all(|(i, j)| t.storage_at(layout.index((i, j))) == 100 * i + j));
        let mut back = Tensor::filled(layout!((rows, columns)), 0);
        back.copy_from(&t).unwrap();
        assert!(back.zip(&plain).unwrap().all(|(a, b)| a == b));
    }};
}
/// The element at an offset.
trait StorageAt {
    fn storage_at(&self, offset: usize) -> usize;
}
impl<L: Addressable> StorageAt for Tensor<Vec<usize>, L> {
    fn storage_at(&self, offset: usize) -> usize {
        self.clone().into_storage()[offset]
    }
}

#[test]
fn static_swizzles() {
    checks!(Swizzle::<3, 3, 3>::new().compose(layout!((8, 64): right)), 8, 64);
    checks!(Swizzle::<2, 0, 3>::new().compose(layout!((8, 16):(16, 1))), 8, 16);
    checks!(Swizzle::<1, 1, -3>::new().compose(layout!((4, 8):(8, 1))), 4, 8);
    checks!(ComposedLayout::new(Swizzle::<2, 1, 3>::new(), 5, layout!((4, 8): right)), 4, 8);
    checks!(ComposedLayout::new(DynSwizzle::new(2, 1, 3).unwrap(), 5, layout!((4, 16))), 4, 16);
}

#[test]
fn storage_holds_the_exact_cosize() {
    // Offsets 0 and 2 become 0 and 3: the swizzle reaches one further than the layout.
    let layout = Swizzle::<1, 0, 1>::new().compose(layout!(2:2));
    assert_eq!(
        Tensor::new([0; 3], layout).unwrap_err().to_string(),
        "cannot make a tensor of layout Sw<1,0,1> o 0 o 2:2: the layout reaches 4 elements, and the storage holds 3"
    );
    let mut t = Tensor::fixed([0; 4], layout);
    t.fill(1);
    assert_eq!(t.into_storage(), [1, 0, 0, 1]);
    // And here one less.
    let layout = ComposedLayout::new(Swizzle::<1, 0, 1>::new(), 3, layout!(1:1));
    assert!(Tensor::new([0; 3], layout).is_ok() && Tensor::new([0; 2], layout).is_err());
    // `const_new` believes its caller, and a tensor does not.
    let n = usize::MAX;
    let layout = ComposedLayout::const_new(Swizzle::<1, 0, 1>::new(), n, layout!(2:1));
    assert_eq!(Tensor::new([0; 3], layout).unwrap_err().kind().as_str(), "overflow");
}

/// Layouts of more leaves than a search takes on: every coordinate is looked at.
#[test]
fn more_leaves_than_a_search_takes() {
    let four = layout!((2, 2, 1, 1):(1, 2, 0, 0));
    let (shape, stride) = (four.shape(), four.stride());
    let shape = (shape, shape, shape, shape, shape, shape, shape, (shape, shape));
    let stride = (stride, stride, stride, stride, stride, stride, stride, (stride, stride));
    let (static_swizzle, swizzle) = (Swizzle::<2, 0, 2>::new(), DynSwizzle::new(2, 0, 2).unwrap());
    let inner = StridedLayout::new(shape, stride);
    let largest = inner.coords().map(|c| swizzle.apply(inner.locate(c))).max().unwrap();
    let known =
        Tensor::new(vec![0; largest + 1], ComposedLayout::new(static_swizzle, int!(0), inner))
            .unwrap();
    assert_eq!(known.view().size(), 1 << 18);
    let asked = ComposedLayout::new(swizzle, 0, inner);
    assert!(Tensor::new(vec![0; largest], asked).is_err());
    assert_eq!(Tensor::new(vec![0; largest + 1], asked).unwrap().iter().count(), 1 << 18);
}

/// A swizzled layout of which nothing is known before run time.
#[test]
fn swizzles_and_layouts_of_run_time() {
    let layout: DynComposedLayout = "Sw<2,1,3> o 5 o (8,16):(16,1)".parse().unwrap();
    let cosize = layout.cosize();
    assert!(Tensor::new(vec![0; cosize - 1], layout.clone()).is_err());
    let mut t = Tensor::new((0..cosize).collect::<Vec<_>>(), layout.clone()).unwrap();
    for i in 0..8 {
        for j in 0..16 {
            let c: DynShape = format!("({i},{j})").parse().unwrap();
            assert_eq!((t[&c], t[i + 8 * j]), (layout.at(i + 8 * j), layout.index(&c)));
            assert_eq!((t.slice((i, ..))[j], t.slice((.., j))[i]), (t[&c], t[&c]));
        }
    }
    assert_eq!((t.get(128), t.get_slice((8, ..)).is_none()), (None, true));
    // Written by rows, each element once.
    for i in 0..8 {
        t.slice_mut((i, ..)).fill(1000 + i);
    }
    assert!((0..128).all(|n| t[n] == 1000 + n % 8));
    assert_eq!(t.iter().filter(|x| **x >= 1000).count(), 128);
    assert_eq!(t.into_storage().into_iter().filter(|x| *x >= 1000).count(), 128);
    let n = usize::MAX;
    let beyond =
        DynComposedLayout::const_new(DynSwizzle::new(1, 0, 1).unwrap(), n, "2:1".parse().unwrap());
    assert_eq!(Tensor::new([0; 3], beyond).unwrap_err().kind().as_str(), "overflow");
}

/// What a view is given of slices, swizzled: as much as follows, and never less than its layout
/// reaches.
#[test]
fn views_of_a_swizzled_tensor_need_no_search() {
    let layout =
        ComposedLayout::new(DynSwizzle::new(3, 0, 3).unwrap(), 0, layout!((64, 64): right));
    let t = offsets(layout);
    for (i, j) in (0..64).flat_map(|i| [0, 7, 63].map(|j| (i, j))) {
        let row = t.slice((i, ..));
        assert_eq!(row[j], layout.index((i, j)));
        assert!(row.layout().reach().unwrap() <= row.into_storage().len());
    }
}

#[test]
fn a_swizzled_tile_takes_no_other_elements() {
    let mut t = offsets(Swizzle::<2, 0, 3>::new().compose(layout!((8, 8): right)));
    let tile = t.tiles_mut(tiler!(4, 4)).next().unwrap();
    let layout = *tile.layout();
    // Bit 2 is moved by bit 3: every other row leaves the tile.
    let other = ComposedLayout::new(Swizzle::<1, 2, 1>::new(), layout.offset(), layout.inner());
    assert_eq!(tile.with_layout(other).unwrap_err().fault(), Fault::Image);
    // One bit of each row number moves its elements among themselves, as two do: the same elements
    // in another order.
    let tile = t.tiles_mut(tiler!(4, 4)).next().unwrap();
    let alike = ComposedLayout::new(Swizzle::<1, 0, 3>::new(), layout.offset(), layout.inner());
    assert!((0..16).all(|i| tile.iter().any(|x| *x == alike.at(i))));
    assert_eq!(tile.with_layout(alike).map(|t| t.size()), Ok(16));
    let tile = t.tiles_mut(tiler!(4, 4)).next().unwrap();
    assert!(tile.transpose().coalesce().size() == 16);
    let mut t = offsets(Swizzle::<2, 0, 3>::new().compose(layout!((8, 8):(0, 1))));
    assert_eq!(t.try_tiles_mut(tiler!(4, 4)).unwrap_err().kind().as_str(), "overlap");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::cases(48) as u32))]
    #[test]
    fn swizzles_of_any_size(
        bits in 0u32..4,
        base in 0u32..4,
        apart in 0i32..3,
        up in any::<bool>(),
        offset in 0usize..70,
        pad in 0usize..5,
    ) {
        let distance = bits as i32 + apart;
        let swizzle = DynSwizzle::new(bits, base, if up { distance } else { -distance }).unwrap();
        let pitch = 16 + pad;
        checks!(ComposedLayout::new(swizzle, offset, layout!((8, 16):(pitch, 1))), 8, 16);
        checks!(ComposedLayout::new(swizzle, offset, layout!((4, 8):(1, 4))), 4, 8);
    }
}

#[test]
fn what_is_made_after_a_swizzled_tensor_is_compact() {
    let layout = Swizzle::<2, 0, 3>::new().compose(layout!((4, 8): right));
    let t = Tensor::new((0..32).collect::<Vec<i32>>(), layout).unwrap();
    let twice = t.map(|x| 2 * x);
    assert_eq!(*twice.layout(), layout!((4, 8)));
    let mut copy = t.fragment_like::<i32>();
    copy.copy_from(&t).unwrap();
    let dynamic =
        Tensor::new((0..32).collect::<Vec<i32>>(), "(4,8):(8,1)".parse::<DynLayout>().unwrap())
            .unwrap();
    let halves = dynamic.map(|x| f64::from(*x) / 2.0);
    assert_eq!(halves.layout().to_string(), "(4,8):(1,4)");
    for (i, j) in layout!((4, 8)).coords() {
        assert_eq!((twice[(i, j)], copy[(i, j)]), (2 * t[(i, j)], t[(i, j)]));
        assert_eq!(halves[i + 4 * j], (8 * i + j) as f64 / 2.0);
    }
    // A thread's part of a swizzled tile, and the fragment that it is copied to.
    let mma = make_tiled_mma(UniversalFma::<i32>::new(), layout!((2, 2, 1)), tiler!(_, _, _));
    let thread = mma.get_slice(3).unwrap();
    let (part, mut fragment) = (thread.partition_a(&t).unwrap(), thread.partition_fragment_a(&t));
    fragment.copy_from(&part).unwrap();
    assert!(fragment.iter().eq(part.iter()) && fragment.length() == 2 * 8);
}

/// A tensor has no XOR strides: the layout with a swizzle that leads to the same offsets is the way
/// to one.
#[test]
fn xor_strides_become_a_swizzle() {
    for text in ["(8,8):(^1,^9)", "(8,8):(^9,^1)", "(8,4):(^1,^10)", "(8,8,3):(^1,^9,64)"] {
        let xor: DynLayout = text.parse().unwrap();
        let error = Tensor::new(vec![0; xor.cosize()], xor.clone()).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "cannot make a tensor of layout {text}: a tensor's strides are natural numbers or negative ones: \
                 `swizzled()` gives a layout with XOR strides as one under a swizzle, which a tensor takes"
            )
        );
        let swizzled = xor.swizzled().unwrap();
        let t = Tensor::new((0..xor.cosize()).collect::<Vec<_>>(), swizzled).unwrap();
        assert!((0..xor.size()).all(|i| t[i] == xor.at(i)), "{text}");
    }
}
