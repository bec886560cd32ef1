//! Products and tile_to_shape.

use proptest::prelude::*;
use proptest::sample::select;

use super::brute::{Plain, Tree, compatible, is_injective, offsets, sorted};
use super::generate::small_layout;
use layout_algebra::prelude::*;

proptest! {
    #[test]
    fn a_product_repeats_the_layout_in_disjoint_copies(a in small_layout(4), b in small_layout(3)) {
        let (l, t) = (a.to_layout(), b.to_layout());
        let Ok(x) = l.logical_product(&t) else {
            prop_assert!(l.blocked_product(&t).is_err() && l.raked_product(&t).is_err());
            return Ok(());
        };
        prop_assert_eq!(x.mode(0).unwrap(), l.clone());
        prop_assert!(compatible(&b.shape, &Plain::of(&x).mode(1).shape), "{}", x);
        if is_injective(&a.offsets()) && is_injective(&b.offsets()) {
            prop_assert!(is_injective(&offsets(&x)), "{}", x);
        }
        prop_assert_eq!(l.zipped_product(&t).unwrap(), x.clone());
        prop_assert_eq!(offsets(&l.tiled_product(&t).unwrap()), offsets(&x));
        prop_assert_eq!(offsets(&l.flat_product(&t).unwrap()), offsets(&x));

        let (blocked, raked) = (l.blocked_product(&t).unwrap(), l.raked_product(&t).unwrap());
        prop_assert_eq!(sorted(offsets(&blocked)), sorted(offsets(&x)), "{}", blocked);
        prop_assert_eq!(sorted(offsets(&raked)), sorted(offsets(&x)), "{}", raked);
        // Mode i is (A_i, C_i), and (C_i, A_i).
        for i in 0..blocked.rank() {
            let block = if i < l.rank() { l.mode(i).unwrap() } else { "1:0".parse().unwrap() };
            prop_assert_eq!(blocked.mode(i).unwrap().mode(0).unwrap(), block.clone());
            prop_assert_eq!(raked.mode(i).unwrap().mode(1).unwrap(), block);
            prop_assert_eq!(blocked.mode(i).unwrap().mode(1), raked.mode(i).unwrap().mode(0));
        }
    }

    #[test]
    fn tile_to_shape_covers_the_shape(
        a in small_layout(3),
        times in proptest::collection::vec(select(vec![1usize, 2, 3]), 3),
        order in Just(vec![0usize, 1, 2]).prop_shuffle(),
    ) {
        let l = a.to_layout();
        let rank = l.rank();
        let sizes: Vec<Tree> = a.shape.children().iter().zip(&times).map(|(c, t)| Tree::Leaf(c.size() * t)).collect();
        let shape = Tree::Tuple(sizes.clone()).to_shape();
        let order = Tree::Tuple(order[..rank].iter().map(|&o| Tree::Leaf(o)).collect()).to_shape();
        let counts = Tree::Tuple(times[..rank].iter().map(|&t| Tree::Leaf(t)).collect()).to_shape();
        // The copies of an ordered product.
        let copies = DynLayout::ordered(&counts, &order).unwrap();
        let expected = l.blocked_product(&copies);
        match l.tile_to_shape_ordered(&shape, &order) {
            Ok(x) => {
                prop_assert_eq!(&x, &expected.unwrap());
                for (k, size) in sizes.iter().enumerate() {
                    prop_assert_eq!(&Tree::Leaf(x.mode(k).unwrap().size()), size);
                }
            }
            Err(error) => prop_assert_eq!(error.kind(), expected.unwrap_err().kind()),
        }
        let left = l.blocked_product(&DynLayout::left(&counts));
        prop_assert_eq!(l.tile_to_shape(&shape).ok(), left.ok());
        // One more than a multiple is refused.
        if a.mode(0).size() > 1 {
            let ragged = Tree::Tuple(vec![Tree::Leaf(a.mode(0).size() * times[0] + 1)]).to_shape();
            prop_assert_eq!(l.tile_to_shape(&ragged).unwrap_err().kind(), ErrorKind::Divisibility);
        }
    }
}

#[test]
fn one_copy_counted_again_needs_no_room() {
    let (l, still): (DynLayout, DynLayout) =
        ("(2,2,4):(5,6,12)".parse().unwrap(), "6:0".parse().unwrap());
    assert_eq!(l.logical_product(&still).unwrap().to_string(), "((2,2,4),6):((5,6,12),0)");
    assert_eq!(
        l.blocked_product(&still).unwrap().to_string(),
        "((2,6),(2,1),(4,1)):((5,0),(6,0),(12,0))"
    );
    assert_eq!(l.logical_product(6).unwrap_err().kind(), ErrorKind::Overlap);
    // Types have the same answers where an extent of at least 2 is static.
    let of_types = layout!((2, 2, 4):(5, 6, 12));
    assert_eq!(
        of_types.logical_product(layout!((4, (1, 2)):(0, (0, 0)))),
        layout!(((2, 2, 4), (4, (1, 2))):((5, 6, 12), (0, (0, 0))))
    );
    let n = 3;
    assert_eq!(of_types.blocked_product(layout!((n, 2):(0, 0))).index((0, 3, 0)), 6);
    assert_eq!(
        l.logical_product("(6,2):(0,1)".parse::<DynLayout>().unwrap()).unwrap_err().kind(),
        ErrorKind::Overlap
    );
}

#[test]
fn an_order_is_a_permutation() {
    let block: DynLayout = "(2,4):(4,1)".parse().unwrap();
    let ordered = |order: &str| {
        block.tile_to_shape_ordered(&"(4,8)".parse().unwrap(), &order.parse().unwrap())
    };
    assert_eq!(ordered("(2,1)"), ordered("(1,0)"));
    assert_eq!(ordered("(0,1)"), block.tile_to_shape(&"(4,8)".parse().unwrap()));
    for order in ["0", "(0,0)", "(7,7)", "(0,1,2)", "(0,(1,2))"] {
        assert_eq!(ordered(order).unwrap_err().kind(), ErrorKind::Profile, "{order}");
    }
    let refused = ordered("(3,3)").unwrap_err();
    assert!(
        refused.to_string().ends_with("it has to have 2 different numbers, one for each mode"),
        "{refused}"
    );
}
