//! One bound on the layout is enough for generic code to take tiles, to slice and to index them.

use layout_algebra::prelude::*;
use layout_algebra::tensor::IsTiler;

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
            assert_eq!(
                [tiles.slice((.., (i, j)))[(a, b)], tiles.slice(((a, b), ..))[(i, j)]],
                [element; 2]
            );
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
    L: Tiled<Tiler!(2, 3)>,
{
    for (k, mut tile) in t.tiles_mut(tiler!(2, 3)).enumerate() {
        tile.fill(k as i32);
        tile[(1, 2)] += 10;
    }
    t.local_tile_mut(tiler!(2, 3), (1, 1)).unwrap()[(0, 0)] = 7;
}

/// All tiles at once, as views: by each method that makes them.
fn in_turn<S: Storage<Item = i32>, L: Tiled<Tiler!(2, 3)>>(t: &Tensor<S, L>) -> i32 {
    let tiles = t.tiles(tiler!(2, 3));
    assert_eq!((tiles.len(), t.size()), (4, 24));
    let (again, others) = t.try_tiles(tiler!(2, 3)).unwrap().split_at(3);
    let ragged = t.ragged_tiles(tiler!(2, 3));
    assert_eq!(t.try_ragged_tiles(tiler!(2, 3)).unwrap().len(), tiles.len());
    let mut sum = 0;
    for (k, ((tile, same), block)) in tiles.zip(again.chain(others)).zip(ragged).enumerate() {
        let numbered = t.local_tile(tiler!(2, 3), k).unwrap();
        for (a, b) in [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2)] {
            let element = numbered[(a, b)];
            assert_eq!([tile[(a, b)], tile[[a, b]], tile[a + 2 * b], same[(a, b)]], [element; 4]);
            assert_eq!([block[(a, b)], block[[a, b]], block[a + 2 * b]], [element; 3]);
            sum += element;
        }
        assert_eq!(tile.iter().collect::<Vec<_>>(), numbered.iter().collect::<Vec<_>>());
        assert_eq!(block.iter().collect::<Vec<_>>(), numbered.iter().collect::<Vec<_>>());
    }
    sum
}

/// A tile's own rows, columns and blocks.
fn slices_of_tiles<S: Storage<Item = i32>, L: Tiled<Tiler!(2, 3)>>(t: &Tensor<S, L>) {
    let divided = t.view().zipped_divide(tiler!(2, 3));
    for (k, (tile, block)) in t.tiles(tiler!(2, 3)).zip(t.ragged_tiles(tiler!(2, 3))).enumerate() {
        let (local, column) =
            (t.local_tile(tiler!(2, 3), (k % 2, k / 2)).unwrap(), divided.slice((.., k)));
        for (a, b) in [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2)] {
            let element = tile[(a, b)];
            assert_eq!([tile.slice((a, ..))[b], tile.slice((.., b))[a]], [element; 2]);
            assert_eq!([local.slice((a, ..))[b], local.slice((.., b))[a]], [element; 2]);
            assert_eq!([column.slice((a, ..))[b], column.slice((.., b))[a]], [element; 2]);
            assert_eq!([block.slice((a, ..))[b], block.slice((.., b))[a]], [element; 2]);
            assert_eq!(
                [tile.slice((a..2, ..))[(0, b)], tile.slice((.., b..3))[[a, 0]]],
                [element; 2]
            );
            assert_eq!(tile.slice((a..a + 1, b..b + 1)).iter().collect::<Vec<_>>(), [&element]);
            assert_eq!(block.slice((a..2, b..3))[(0, 0)], element);
        }
        assert!(tile.try_slice((2, ..)).is_err() && tile.try_slice((.., 1..4)).is_err());
        assert_eq!(tile.slice((1..1, ..)).iter().count(), 0);
    }
}

/// The same tiles to write to.
fn number_in_turn<S, L>(t: &mut Tensor<S, L>)
where
    S: StorageMut<Item = i32>,
    L: Tiled<Tiler!(2, 3)>,
{
    for (k, mut tile) in t.tiles_mut(tiler!(2, 3)).enumerate() {
        tile.fill(k as i32);
    }
    for mut tile in t.try_tiles_mut(tiler!(2, 3)).unwrap() {
        tile[(0, 0)] += 10;
        tile[[1, 0]] += 20;
    }
    for mut tile in t.ragged_tiles_mut(tiler!(2, 3)) {
        tile.slice_mut((1, ..))[2] += 30;
    }
    for mut tile in t.try_ragged_tiles_mut(tiler!(2, 3)).unwrap() {
        tile.slice_mut((.., 1..2)).fill(-1);
    }
}

fn check<L: Tiled<Tiler!(2, 3)>>(layout: L) {
    let length = layout.reach().unwrap();
    let mut t = Tensor::new((0..length as i32).collect::<Vec<_>>(), layout.clone()).unwrap();
    assert_eq!(total(&t), t.iter().sum());
    assert_eq!(total(&t.view()), t.iter().sum());
    for k in 0..t.size() / 6 {
        assert_eq!(last_of_tile(&layout, k), layout.index((2 * (k % 2) + 1, 3 * (k / 2) + 2)));
    }
    assert_eq!(in_turn(&t), t.iter().sum());
    assert_eq!(in_turn(&t.view()), t.iter().sum());
    slices_of_tiles(&t);
    number(&mut t);
    assert_eq!((t[(0, 0)], t[(1, 2)], t[(2, 3)], t[(3, 5)]), (0, 10, 7, 13));
    number_in_turn(&mut t);
    let tile = t.local_tile(tiler!(2, 3), (1, 1)).unwrap();
    assert_eq!(tile.iter().copied().collect::<Vec<_>>(), [13, 23, -1, -1, 3, 33]);
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

/// Whether parts of those of run time share an element is found out when they are made.
#[test]
fn one_bound_serves_layouts_of_run_time() {
    for text in ["(4,6):(6,1)", "((2,2),6):((1,2),4)"] {
        let layout: DynLayout = text.parse().unwrap();
        let t = Tensor::new((0..24).collect::<Vec<i32>>(), layout.clone()).unwrap();
        assert_eq!((total(&t), in_turn(&t)), (276, 276));
        slices_of_tiles(&t);
        assert_eq!(last_of_tile(&layout, 3), layout.index((3, 5)));
    }
    let swizzled: DynComposedLayout = "Sw<1,0,2> o 0 o (4,6):(1,4)".parse().unwrap();
    let t = Tensor::new((0..24).collect::<Vec<i32>>(), swizzled.clone()).unwrap();
    assert_eq!((total(&t), in_turn(&t)), (276, 276));
    slices_of_tiles(&t);
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
    assert_eq!(
        sums(&t.view().with_layout("24:1".parse::<DynLayout>().unwrap()).unwrap()),
        [6, 22, 38, 54, 70, 86]
    );
}

/// Tilers that are no blocks, with an entry that keeps its mode, of one mode and of three.
#[test]
fn one_bound_serves_every_kind_of_tiler() {
    fn sums<T: IsTiler + Copy, L: Tiled<T>>(layout: L, tiler: T) -> Vec<usize> {
        let t = Tensor::new((0..layout.reach().unwrap()).collect::<Vec<_>>(), layout).unwrap();
        let sums: Vec<usize> = t.tiles(tiler).map(|tile| tile.iter().sum()).collect();
        for (k, &sum) in sums.iter().enumerate() {
            assert_eq!(t.local_tile(tiler, k).unwrap().iter().sum::<usize>(), sum);
        }
        sums
    }
    let n = 6;
    assert_eq!(sums(layout!((4, 6)), tiler!(2:2, 3)), [30, 36, 102, 108]);
    assert_eq!(sums(layout!((4, n): right), tiler!(2:2, 3)), [42, 78, 60, 96]);
    assert_eq!(sums(layout!((4, 6)), tiler!(_, 3)), [66, 210]);
    assert_eq!(sums(layout!((4, 6)), layout!(12:2)), [132, 144]);
    assert_eq!(sums(layout!(24:1), tiler!(12)), [66, 210]);
    assert_eq!(sums(layout!((2, 2, 6)), tiler!(2, 2, 3)), [66, 210]);
    assert_eq!(sums("(2,2,6):(1,2,4)".parse::<DynLayout>().unwrap(), tiler!(2, 2, 3)), [66, 210]);
    assert_eq!(
        sums("(4,6):(1,4)".parse::<DynLayout>().unwrap(), tiler!(2:2, 3)),
        [30, 36, 102, 108]
    );
    let swizzled = Swizzle::<1, 0, 2>::new().compose(layout!((4, 6)));
    assert_eq!(sums(swizzled, tiler!(2:2, 3)).iter().sum::<usize>(), 276);

    fn rows<L: Tiled<Tiler!(1, 2, 3)>>(layout: L) -> Vec<usize> {
        let t = Tensor::new((0..layout.reach().unwrap()).collect::<Vec<_>>(), layout).unwrap();
        let tile = t.tiles(tiler!(1, 2, 3)).nth(1).unwrap();
        assert_eq!(tile.slice((0, .., ..))[(1, 2)], tile.slice((.., .., 2))[(0, 1)]);
        assert_eq!(tile.slice((.., .., 1..3))[(0, 1, 1)], tile[[0, 1, 2]]);
        tile.slice((0, .., ..)).iter().copied().collect()
    }
    assert_eq!(rows(layout!((2, 2, 6))), [1, 3, 5, 7, 9, 11]);
    assert_eq!(rows("(2,2,6):(1,2,4)".parse::<DynLayout>().unwrap()), [1, 3, 5, 7, 9, 11]);
}
