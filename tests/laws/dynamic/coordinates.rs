//! Coordinates, offsets, compact strides, slices.

use proptest::prelude::*;

use super::brute::{Plain, Tree, compatible, crd2idx, idx2crd, weakly_congruent};
use super::generate::{layout, shape, small_layout};
use layout_algebra::prelude::*;

proptest! {
    #[test]
    fn size_and_cosize_count_offsets(a in layout(4)) {
        let l = a.to_layout();
        prop_assert_eq!(l.size(), a.offsets().len());
        prop_assert_eq!(l.cosize(), a.offsets().into_iter().max().unwrap() + 1);
        prop_assert_eq!(l.rank(), a.shape.children().len());
        prop_assert_eq!(l.depth(), a.shape.depth());
    }

    #[test]
    fn index_is_the_definition_also_beyond_the_domain(a in layout(4)) {
        let l = a.to_layout();
        for i in 0..2 * a.size() {
            prop_assert_eq!(l.index(i), a.at(i));
            prop_assert_eq!(l.index(&l.shape().coord(i)), a.at(i));
            prop_assert_eq!(Tree::of(&l.shape().coord(i)), idx2crd(i, &a.shape));
            prop_assert_eq!(l.shape().number(&l.shape().coord(i)).unwrap(), i);
        }
    }

    #[test]
    fn a_flat_coordinate_has_a_number_for_each_mode(a in layout(4)) {
        let l = a.to_layout();
        prop_assume!(a.shape.depth() > 0);
        let sizes: Vec<usize> = a.shape.children().iter().map(Tree::size).collect();
        for i in 0..a.size() {
            let mut rest = i;
            let flat: Vec<usize> = sizes.iter().map(|size| { let digit = rest % size; rest /= size; digit }).collect();
            prop_assert_eq!(l.index(&flat[..]), a.at(i));
        }
    }

    #[test]
    fn coords_are_all_coordinates_in_order(a in layout(4)) {
        let l = a.to_layout();
        let coords: Vec<Tree> = l.coords().map(|c| Tree::of(&c)).collect();
        prop_assert_eq!(coords, (0..a.size()).map(|i| idx2crd(i, &a.shape)).collect::<Vec<_>>());
    }

    #[test]
    fn crd2crd_keeps_the_number(s in shape(3), t in shape(3), i in 0usize..100) {
        let (from, to) = (s.to_shape(), t.to_shape());
        prop_assert_eq!(Tree::of(&from.crd2crd(&from.coord(i), &to).unwrap()), idx2crd(i, &t));
    }

    #[test]
    fn left_counts_up_and_right_is_left_from_behind(s in shape(4)) {
        let left = DynLayout::left(&s.to_shape());
        prop_assert_eq!(Plain::of(&left).offsets(), (0..s.size()).collect::<Vec<_>>());
        let right = Plain::of(&DynLayout::right(&s.to_shape()));
        let mut run = 1;
        for (extent, stride) in right.modes().into_iter().rev() {
            prop_assert_eq!(stride, if extent == 1 { 0 } else { run });
            run *= extent;
        }
        prop_assert_eq!(right.shape, s);
    }

    #[test]
    fn ordered_is_compact_in_the_order_asked_for(a in layout(4)) {
        // The strides of a random layout serve as an order.
        let l = DynLayout::ordered(&a.shape.to_shape(), &a.stride.to_shape()).unwrap();
        prop_assert!(l.is_bijective());
        let keys = a.stride.leaves();
        let modes = Plain::of(&l).modes();
        for (j, k) in (0..modes.len()).flat_map(|j| (0..modes.len()).map(move |k| (j, k))) {
            if (keys[j], j) < (keys[k], k) && modes[j].0 != 1 && modes[k].0 != 1 {
                prop_assert!(modes[j].1 < modes[k].1, "{}", l);
            }
        }
    }

    #[test]
    fn layout_like_has_the_order_of_the_strides(a in layout(4)) {
        let like = a.to_layout().layout_like();
        prop_assert!(like.is_compact());
        let (before, after) = (a.modes(), Plain::of(&like).modes());
        for j in 0..before.len() {
            prop_assert_eq!(after[j].0, before[j].0);
            prop_assert_eq!(after[j].1 == 0, before[j].1 == 0 || before[j].0 == 1);
            for k in 0..before.len() {
                if after[j].1 != 0 && after[k].1 != 0 && (before[j].1, j) < (before[k].1, k) {
                    prop_assert!(after[j].1 < after[k].1, "{}", like);
                }
            }
        }
    }

    #[test]
    fn domain_distribute_is_an_increasing_part_of_the_domain(s in shape(3), n in 1usize..100) {
        let spread = DynLayout::domain_distribute(&s.to_shape(), n).unwrap();
        let offsets = Plain::of(&spread).offsets();
        prop_assert_eq!(n % offsets.len(), 0);
        prop_assert!(offsets.windows(2).all(|w| w[0] < w[1]));
        prop_assert!(offsets.iter().all(|&o| o < s.size()));
        prop_assert!(DynLayout::left(&s.to_shape()).logical_divide(&spread).is_ok());
        // No common factor is left over: the rest of n is coprime to the rest of every extent.
        let (mut rest, mut expected) = (n, 1);
        for extent in s.leaves() {
            let factor = (1..=extent).rev().find(|f| extent % f == 0 && rest % f == 0).unwrap();
            rest /= factor;
            expected *= factor;
        }
        prop_assert_eq!(offsets.len(), expected);
    }

    #[test]
    fn the_relations_are_the_definitions(s in shape(3), t in shape(3), n in 1usize..50) {
        for (x, y) in [(&s, &t), (&t, &s), (&s, &s), (&Tree::Leaf(n), &t), (&Tree::Leaf(t.size()), &t)] {
            let (p, q) = (x.to_shape(), y.to_shape());
            prop_assert_eq!(p.weakly_congruent(&q), weakly_congruent(x, y));
            prop_assert_eq!(p.compatible(&q), compatible(x, y));
            prop_assert_eq!(p.congruent(&q), weakly_congruent(x, y) && weakly_congruent(y, x));
        }
        let coarse = Tree::Tuple(t.children().iter().map(|c| Tree::Leaf(c.size())).collect());
        prop_assert_eq!(coarse.to_shape().compatible(&t.to_shape()), t.depth() > 0);
    }

    #[test]
    fn a_slice_and_its_offset_are_the_layout_again(a in small_layout(4), keep in any::<u8>(), i in 0usize..96) {
        let l = a.to_layout();
        let c = idx2crd(i % a.size(), &a.shape);
        // Keep some leaves whole, fix the others at the coordinate of i.
        let mut leaf = 0;
        let kept: Vec<usize> = (0..c.leaves().len()).filter(|k| keep >> k & 1 == 1).collect();
        let at = slice_text(&c, &mut |number| {
            leaf += 1;
            if kept.contains(&(leaf - 1)) { "_".into() } else { number.to_string() }
        });
        let (sublayout, offset) = l.slice(&at.parse().unwrap()).unwrap();
        let modes: Vec<(usize, usize)> = kept.iter().map(|&k| a.modes()[k]).collect();
        prop_assert_eq!(Plain::of(&sublayout).modes(), if modes.is_empty() { vec![(1, 0)] } else { modes.clone() });
        // R(x) + offset = L(c with x)
        for x in 0..sublayout.size() {
            let mut rest = x;
            let mut leaves = c.leaves();
            for (&k, (extent, _)) in kept.iter().zip(&modes) {
                leaves[k] = rest % extent;
                rest /= extent;
            }
            let whole = a.shape.filled(&mut leaves.into_iter());
            prop_assert_eq!(sublayout.index(x) + offset, crd2idx(&whole, &a.shape, &a.stride));
        }
    }
}

fn slice_text(tree: &Tree, leaf: &mut impl FnMut(usize) -> String) -> String {
    match tree {
        Tree::Leaf(number) => leaf(*number),
        Tree::Tuple(ts) => {
            let parts: Vec<String> = ts.iter().map(|t| slice_text(t, leaf)).collect();
            format!("({})", parts.join(","))
        }
    }
}

#[test]
fn a_slice_keeps_whole_modes_and_splits_numbers() {
    let l: DynLayout = "((2,3),(4,5)):((1,2),(6,24))".parse().unwrap();
    for (at, expected, offset) in [
        ("_", "((2,3),(4,5)):((1,2),(6,24))", 0),
        ("(_,7)", "(2,3):(1,2)", 42),
        ("5", "1:0", 5),
        ("((_,1),_)", "(2,(4,5)):(1,(6,24))", 2),
    ] {
        let (sublayout, found) = l.slice(&at.parse().unwrap()).unwrap();
        assert_eq!((sublayout.to_string().as_str(), found), (expected, offset), "{at}");
    }
    assert_eq!(l.slice(&"(_,_,_)".parse().unwrap()).unwrap_err().kind(), ErrorKind::Profile);
}
