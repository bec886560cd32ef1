//! One bound on the layout is enough for generic code to take tiles, to slice and to index them.

use layout_algebra::prelude::*;
use layout_algebra::tensor::Injective;

/// All elements, tile by tile, by each way to a tile and to an element.
fn total<S: Storage<Item = i32>, L: Tiled<Tiler!(2, 3)>>(t: &Tensor<S, L>) -> i32 {
    let tiles = t.view().zipped_divide(tiler!(2, 3));
    let mut sum = 0;
    for k in 0..t.size() / 6 {
        let tile = tiles.slice((.., k));
        let (i, j) = (k % 2, k / 2);
        let same = t.local_tile(tiler!(2, 3), (i, j)).unwrap();
        let numbered = t.local_tile(tiler!(2, 3), k).unwrap();
        for (a, b) in [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2)] {
            let element = tile[(a, b)];
            assert_eq!(element, t[(2 * i + a, 3 * j + b)]);
            assert_eq!([same[(a, b)], numbered[(a, b)], tile[a + 2 * b]], [element; 3]);
            assert_eq!([tiles[((a, b), (i, j))], tiles[(a + 2 * b, k)]], [element; 2]);
            assert_eq!([tiles.slice((.., (i, j)))[(a, b)], tiles.slice(((a, b), ..))[(i, j)]], [element; 2]);
            sum += element;
        }
        assert_eq!(tile.iter().sum::<i32>(), same.iter().sum());
    }
    sum
}

/// The same of a layout alone.
fn last_of_tile<L: Tiled<Tiler!(2, 3)>>(l: &L, k: usize) -> usize {
    let tiles = l.zipped_divide(tiler!(2, 3));
    let (tile, begin) = tiles.slice((.., k));
    let (share, offset) = tiles.slice(((1, 2), ..));
    assert_eq!(tiles.index(((1, 2), (k % 2, k / 2))), tiles.index((5, k)));
    // Under a swizzle offsets do not add up, unless the slice says from where on.
    assert_eq!(begin + tile.index((1, 2)), offset + share.index((k % 2, k / 2)));
    begin + tile.index((1, 2))
}

fn number<S, L>(t: &mut Tensor<S, L>)
where
    S: StorageMut<Item = i32>,
    L: Tiled<Tiler!(2, 3)> + Injective,
{
    for (k, mut tile) in t.tiles_mut(tiler!(2, 3)).enumerate() {
        tile.fill(k as i32);
        tile[(1, 2)] += 10;
    }
    t.local_tile_mut(tiler!(2, 3), (1, 1)).unwrap()[(0, 0)] = 7;
}

fn check<L: Tiled<Tiler!(2, 3)> + Injective>(layout: L) {
    let length = layout.reach().unwrap();
    let mut t = Tensor::new((0..length as i32).collect::<Vec<_>>(), layout.clone()).unwrap();
    assert_eq!(total(&t), t.iter().sum());
    assert_eq!(total(&t.view()), t.iter().sum());
    for k in 0..t.size() / 6 {
        assert_eq!(last_of_tile(&layout, k), layout.index((2 * (k % 2) + 1, 3 * (k / 2) + 2)));
    }
    number(&mut t);
    assert_eq!((t[(0, 0)], t[(1, 2)], t[(2, 3)], t[(3, 5)]), (0, 10, 7, 13));
}

#[test]
fn one_bound_serves_every_kind_of_layout() {
    let (m, n) = (4, 6);
    check(layout!((4, 6)));
    check(layout!((4, 6): right));
    check(layout!(((2, 2), 6):((6, 12), 1)));
    check(layout!((m, n):(n, 1)));
    check(layout!((4, n):(1, 4)));
    check(Swizzle::<1, 0, 2>::new().compose(layout!((4, 6))));
    check(Swizzle::<1, 0, 2>::new().compose(layout!((m, n))));
}

/// Those of run time have no `Injective`: it is found out when parts are made.
#[test]
fn one_bound_serves_layouts_of_run_time() {
    for text in ["(4,6):(6,1)", "((2,2),6):((1,2),4)"] {
        let layout: DynLayout = text.parse().unwrap();
        let t = Tensor::new((0..24).collect::<Vec<i32>>(), layout.clone()).unwrap();
        assert_eq!(total(&t), 276);
        assert_eq!(last_of_tile(&layout, 3), layout.index((3, 5)));
    }
    let swizzled: DynComposedLayout = "Sw<1,0,2> o 0 o (4,6):(1,4)".parse().unwrap();
    let t = Tensor::new((0..24).collect::<Vec<i32>>(), swizzled.clone()).unwrap();
    assert_eq!(total(&t), 276);
    assert_eq!(last_of_tile(&swizzled, 3), swizzled.index((3, 5)));
}

/// A number or a layout as the tiler: tiles of the whole, counted by numbers.
#[test]
fn a_tiler_may_be_a_number() {
    fn sums<S: Storage<Item = i32>, L: Tiled<Int!(4)>>(t: &Tensor<S, L>) -> Vec<i32> {
        (0..t.size() / 4).map(|k| t.local_tile(int!(4), k).unwrap().iter().sum()).collect()
    }
    let t = Tensor::fixed(core::array::from_fn::<i32, 24, _>(|i| i as i32), layout!((4, 6)));
    assert_eq!(sums(&t), [6, 22, 38, 54, 70, 86]);
    assert_eq!(sums(&t.view().relayout("24:1".parse::<DynLayout>().unwrap()).unwrap()), [6, 22, 38, 54, 70, 86]);
}
