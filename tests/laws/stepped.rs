//! XOR and negative strides in the types: the definitions by brute force, and the dynamic engine.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use layout_algebra::prelude::*;
use layout_algebra::{ErrorKind, Fault, Minus, SteppedLayout, Xor};
use proptest::prelude::*;

/// `a (x) b`, bit by bit.
fn without_carries(a: usize, b: usize) -> usize {
    (0..usize::BITS).filter(|bit| b >> bit & 1 == 1).fold(0, |product, bit| product ^ a << bit)
}

fn hash(value: &impl Hash) -> u64 {
    let mut state = DefaultHasher::new();
    value.hash(&mut state);
    state.finish()
}

/// The layout, and the dynamic one of the same offsets. Messages print that one: text of each type is code of its own.
macro_rules! agree {
    ($layout:expr) => {{
        let layout = $layout;
        let dynamic = layout.to_dynamic();
        assert_eq!((layout.size(), layout.cosize()), (dynamic.size(), dynamic.cosize()), "{dynamic}");
        equal(&dynamic, &|i| layout.at(i) as isize, &|i| dynamic.signed_index(i));
        (layout, dynamic)
    }};
}
/// Both functions have the same values for all elements of the layout.
fn equal(layout: &DynLayout, left: &dyn Fn(usize) -> isize, right: &dyn Fn(usize) -> isize) {
    for i in 0..layout.size() {
        assert_eq!(left(i), right(i), "element {i} of {layout}");
    }
}
/// The first offsets, as many as `size` says, from the least one on.
fn sorted(size: usize, at: &dyn Fn(usize) -> isize) -> Vec<isize> {
    let mut offsets: Vec<isize> = (0..size).map(at).collect();
    offsets.sort_unstable();
    offsets
}
/// No offset twice.
fn distinct(layout: &DynLayout) {
    let offsets = sorted(layout.size(), &|i| layout.signed_index(i));
    assert!(offsets.windows(2).all(|pair| pair[0] < pair[1]), "two elements of {layout} share an offset");
}

/// All that a layout says of itself is what `DynLayout` says, and what it reads is the layout again.
#[test]
fn layouts_say_of_themselves_what_the_dynamic_engine_says() {
    macro_rules! says {
        ($($layout:expr;)*) => {$({
            let (layout, dynamic) = agree!($layout);
            assert_eq!(format!("{layout:#}"), dynamic.to_string());
            assert_eq!(layout.to_string().parse::<DynLayout>().unwrap(), dynamic);
            assert_eq!((layout.rank(), layout.depth()), (dynamic.rank(), dynamic.depth()));
            assert_eq!(hash(&layout), hash(&dynamic), "{dynamic}");
            assert_eq!(read_as(&layout, &dynamic).unwrap(), layout);
        })*};
    }
    let (n, d, empty) = (6, 9, 0);
    says! {
        layout!((8, 8):(^1, ^9)); layout!((8, 8):(^1, ^d)); layout!((8, n):(^1, ^9)); layout!((8, n):(^d, 64));
        layout!((2, (2, 2), 2):(^1, (^2, ^4), ^24)); layout!((3, 2, 4):(^1, ^3, ^16)); layout!((6, 8):(0, ^9));
        layout!((2, 4, 8):(1, ^6, 16)); layout!((1, 8, 8):(^5, ^1, ^9)); layout!(64:^1); layout!((2, 4):(^0, ^1));
        layout!((4, 6):(-1, 4)); layout!((4, n):(-1, 4)); layout!((4, 6):(-d, 4)); layout!((4, n):(-n, -1));
        layout!((2, (2, 3)):(-1, (-2, -4))); layout!(1:-3); layout!((4, empty):(^1, ^4)); layout!((4, empty):(-1, 4));
        layout!((8, 8):(^1, ^9)).compose(layout!((2, 8, 2):(4, 8, 1))); layout!((4, 4):(1, ^4)).compose(layout!(4:5));
        layout!((8, 8)).zipped_divide(layout!((2, 2):(^1, ^3))); layout!((4, 6):(-1, 4)).zipped_divide(tiler!(2, 3));
        layout!((8, 8, 3, 2):(^1, ^9, 192, 64)).left_inverse();
    }
}
/// The dynamic layout as one of the same type.
fn read_as<L: for<'a> TryFrom<&'a DynLayout, Error = LayoutError>>(
    _: &L,
    dynamic: &DynLayout,
) -> Result<L, LayoutError> {
    L::try_from(dynamic)
}

/// `R(c) == A(B(c))`, and what `DynLayout` composes.
macro_rules! composes {
    ($($left:expr, $right:expr;)*) => {$({
        let ((left, of_left), right) = (agree!($left), $right);
        let (composed, of_composed) = agree!(left.compose(right));
        equal(&of_composed, &|i| composed.at(i) as isize, &|i| left.at(right.at(i)) as isize);
        assert_eq!(of_composed, of_left.compose(right.to_dynamic()).unwrap(), "composed with {of_left}");
        let (merged, of_merged) = agree!(left.coalesce());
        equal(&of_left, &|i| merged.at(i) as isize, &|i| left.at(i) as isize);
        // Leaves that only run time knows are not merged.
        if size_of_val(&left) == 0 {
            assert_eq!(of_merged, of_left.coalesce(), "{of_left}");
        }
    })*};
}

#[test]
fn compositions_are_those_of_functions_and_of_the_dynamic_engine() {
    let (n, d, m) = (6, 9, 3);
    composes! {
        layout!((8, 8):(^1, ^9)), layout!((4, 4):(2, 16));
        layout!((8, 8):(^1, ^9)), layout!((2, 8, 2):(4, 8, 1));
        layout!((8, 8):(^1, ^d)), layout!((2, 8, 2):(4, 8, 1));
        layout!((8, n):(^1, ^9)), layout!((4, n):(2, 8));
        layout!((8, 8):(^d, ^1)), layout!((2, 2):(3, 8));
        layout!((8, 8, n):(^1, ^9, 64)), layout!((8, 3):(8, 64));
        layout!((6, 8):(^1, ^9)), layout!((2, 8):(3, 6));
        layout!((6, 8):(^1, ^d)), layout!((3, 8):(2, 6));
        layout!((4, 4, 4):(^1, ^5, ^16)), layout!((2, (2, 2)):(5, (2, 16)));
        layout!((2, (2, 2), 2):(^1, (^2, ^4), ^24)), layout!((4, 2):(2, 8));
        layout!((3, 2, 4):(^1, ^3, ^16)), layout!((3, 4):(1, 6));
        layout!((16, 4):(^5, ^1)), layout!((3, 4):(3, 16));
        layout!((16, 4):(^5, ^1)), layout!((2, 2, 4):(5, 2, 16));
        layout!((4, 6):(-1, 4)), layout!((2, 6):(2, 4));
        layout!((4, 6):(-1, 4)), layout!((2, 3):(5, 8));
        layout!((4, n):(-1, 4)), layout!((2, m):(2, 8));
        layout!((4, 6):(-d, 4)), layout!((2, 6):(2, 4));
        layout!((4, 6):(-6, -1)), layout!(24:1);
        layout!((2, (2, 3)):(-1, (-2, -4))), layout!(12:1);
    }
}

/// Layouts whose strides are not all natural on the right: those that say the same as natural ones, and bits.
#[test]
fn compositions_with_every_kind_on_the_right_are_those_of_functions() {
    let n = 6;
    composes! {
        layout!((8, 8)), layout!((8, 8):(^1, ^9));
        layout!((8, 8): right), layout!((8, 8):(^9, ^1));
        layout!((8, 8):(^1, ^9)), layout!((8, 8):(^1, ^9));
        layout!((8, 8):(^9, ^1)), layout!((4, 2):(^3, ^24));
        layout!((4, 4, 4):(16, 1, 4)), layout!((2, (4, 2)):(^21, (^5, ^32)));
        layout!((4, 8):(1, 8)), layout!((4, 2):(^3, ^20));
        layout!((8, 6)), layout!((4, 3):(^1, ^8));
        layout!((8, n):(1, 8)), layout!((4, 2, 2):(^1, ^4, ^8));
        layout!((4, 6):(-1, 4)), layout!((2, 2):(^1, ^2));
        layout!((8, 4):(1, -8)), layout!((2, 4):(^1, ^3));
        layout!(64), layout!((8, 8):(^8, ^1));
        layout!(64:3), layout!(4:^16);
        layout!((2, 4, 8):(1, ^6, 16)), layout!((2, 2, 2, 2):(^1, ^3, ^5, 8));
    }
    assert_eq!(layout!((8, 8)).compose(layout!((4, 8):(^1, ^8))), layout!((4, 8):(1, 8)));
    assert_eq!(layout!((8, 8)).compose(&layout!((8, 8):(^1, ^9))), layout!((8, 8):(^1, ^9)));
}

/// Steps along natural and XOR modes at once: XOR strides of both parts, or natural ones where the XOR parts say the same.
#[test]
fn steps_along_both_kinds_at_once_have_one_stride() {
    let n = 6;
    composes! {
        layout!((4, 4):(1, ^4)), layout!(4:5);
        layout!((4, 4):(1, ^4)), layout!((4, 2):(5, 64));
        layout!((4, 4):(1, ^4)), layout!((2, (2, 2)):(5, (18, 64)));
        layout!((8, 8):(^1, 64)), layout!(2:9);
        layout!((8, 4, 4):(^9, 64, ^256)), layout!((2, 2, 2):(9, 34, 64));
        layout!((8, 4):(^3, 16)), layout!((2, 4):(25, 2));
        layout!((4, 4):(1, ^4)), layout!((2, 2):(5, 9));
        layout!((4, 4):(3, ^16)), layout!(4:5);
        layout!((4, 4):(^4, 1)), layout!((2, 2):(1, 18));
        layout!((2, 2):(^5, 16)), layout!(4:3);
        layout!((4, 4, n):(1, ^4, 16)), layout!((4, 3):(5, 16));
        layout!((8, 4):(^1, 8)), layout!((2, 2, 2):(9, ^2, ^6));
    }
    assert_eq!(layout!((4, 4):(1, ^4)).compose(layout!(4:5)), layout!(4:^5));
    assert_eq!(format!("{:#}", layout!((4, 4):(3, ^16)).compose(layout!(4:5))), "4:19");
    let by_mode = layout!(((4, 4), (4, 4)):((1, ^16), (4, ^64))).compose(tiler!(4:5, 4:5));
    assert_eq!(by_mode, layout!((4, 4):(^17, ^68)));
    let copies = layout!(16:^31).logical_product(layout!(2:17));
    assert_eq!(copies.to_dynamic(), layout!(16:^31).to_dynamic().logical_product(layout!(2:17).to_dynamic()).unwrap());
}

/// Where steps share bits in an XOR mode, or carry there, the mode may say the same as a natural one: as far as it is
/// reached, its products do not carry, and no other XOR mode has a bit of them.
#[test]
fn xor_modes_are_natural_ones_where_the_rule_refuses_them() {
    let n = 128;
    composes! {
        layout!((4, 6):(^2, 16)), layout!((2, 2):(17, 5));
        layout!((2, 3):(256, ^64)), layout!((2, 5, 2):(3, 4, 2));
        layout!((8, 2, 3):(0, 64, ^4)), layout!((2, 8, 6):(16, 24, 1));
        layout!((12, 2):(^1, 64)), layout!((4, 2):(50, 52));
        layout!((8, 8):(2, ^128)), layout!(8:20);
        layout!((4, 8, 2, 4):(512, ^1, 512, 32)), layout!((2, 3):(299, 260));
        layout!((6, 4, 4):(^8, 64, ^256)), layout!((3, 6):(12, 32));
        layout!((8, 4, 8, 12):(^256, ^2, 8, 16)), layout!((2, 2, 3):(1149, 1, 32));
        layout!((3, 4, 8):(^2, ^64, 256)), layout!(3:18);
        layout!((12, 2):(44, ^1)), layout!((8, 5):(18, 48));
        layout!((2, 8):(^16, 32)), layout!((4, 2, 5):(5, 1, 2));
        layout!((4, 8):(512, ^65)), layout!((4, 4):(4, 18));
        // The last mode goes on, and shares bits with the first one where it is not reached.
        layout!((4, 4):(^16, ^1)), layout!((2, 3):(4, 4));
        layout!(2:^1), layout!((4, 8):(9, 12));
        layout!((4, 2):(^1, 4)), layout!((6, 2):(1, 6));
        // One mode stays an XOR mode.
        layout!((4, 4, 4):(^1, ^64, ^80)), layout!((2, 2, 4):(1, 1, 16));
        // Beside a natural stride that only run time knows.
        layout!((4, 6, 2):(^2, 16, n)), layout!((2, 2):(17, 5));
    }
    assert_eq!(format!("{:#}", layout!((4, 6):(^2, 16)).compose(layout!((2, 2):(17, 5)))), "(2,2):(66,18)");
    let layout = layout!((4, 12):(^1, ^4));
    assert_eq!(layout.compose(5).to_dynamic(), layout.to_dynamic().compose(5).unwrap());
    assert_eq!(layout.compose(int!(5)).to_dynamic(), layout.to_dynamic().compose(5).unwrap());
}

/// Where no rule has an answer, each bit of a coordinate leads where it leads alone, if that is so at every coordinate:
/// XOR modes that carry where nothing leads, digits that overflow into a mode that fits, steps in two parts.
#[test]
fn compositions_are_looked_for_bit_by_bit() {
    composes! {
        // XORed.
        layout!((4, 4, 6):(2912, ^15, 0)), layout!(6:42);
        layout!((2, 2, 2, 8):(256, ^16, ^8, 0)), layout!((2, 2):(21, 6));
        layout!((12, 4, 4, 8):(^12, ^18, 0, 512)), layout!((3, 2, 2):(396, 24, 241));
        layout!((8, 2, 6):(^1, 128, 0)), layout!(4:12);
        layout!((2, 2, 8):(^4, 24, 0)), layout!((8, 2):(3, 4));
        layout!((8, 8, 2, 8):(64, ^11, ^10, 0)), layout!((4, 4):(66, 80));
        // Added.
        layout!((8, 2, 3):(^12, 128, 0)), layout!((2, 2):(25, 1));
        layout!((8, 4):(^5, 32)), layout!(6:21);
        layout!((8, 8, 3, 2):(512, 256, ^5, ^40)), layout!((2, 3, 2):(8, 393, 524));
        layout!((8, 2):(512, ^18)), layout!((2, 4):(33, 18));
        // Steps in two parts that no stride says.
        layout!((4, 2):(16, ^7)), layout!((3, 2):(17, 4));
        layout!((4, 8, 2):(64, 32, ^14)), layout!(5:36);
        layout!((4, 8, 6, 2):(32, ^2, 16, ^11)), layout!(4:240);
        layout!((2, 2, 4, 2):(16, ^14, 16, ^6)), layout!((2, 2, 2):(76, 2, 17));
        // XOR strides on the right.
        layout!((6, 2):(64, ^33)), layout!((2, 3, 2):(8, 6, ^1));
        layout!((4, 8, 8, 3):(^2, 8, 32, 0)), layout!((3, 2):(322, ^32));
        // On the right alone.
        layout!((6, 5):(1, 0)), layout!((2, 2):(^30, ^30));
        layout!(((1, 8), (5, 4)):((8, 1), (64, 2))), layout!((2, 2):(^160, ^480));
        // As many as 240 coordinates.
        layout!(((1, 3), 5):((^64, ^24), ^1)), layout!((4, 5, 12):(12, 24, 24));
    }
    // A negative stride that does not move.
    let (composed, of_composed) = agree!(layout!(1:^1).compose(layout!((1, 4, 8):(-2, 4, 4))));
    let by_hand = layout!(1:^1).to_dynamic().compose("(1,4,8):(-2,4,4)".parse::<DynLayout>().unwrap()).unwrap();
    assert_eq!((of_composed, composed.index((0, 3, 7))), (by_hand, 40));
    // As many coordinates as are looked at, and more.
    let (layout, of_layout) = agree!(layout!((2, 2, 8):(^4, 24, 0)));
    let right = layout!((8, 2, 16):(3, 4, 0));
    assert_eq!(layout.compose(right).to_dynamic(), of_layout.compose(right.to_dynamic()).unwrap());
    static_assertions::assert_not_impl_any!(Layout!((2, 2, 8):(^4, 24, 0)): Compose<Layout!((8, 2, 32):(3, 4, 0))>);
}

/// What is natural in one mode may be XORed with another: modes that share bits are not told in other words, each by
/// itself. Where all bits are apart, they are.
#[test]
fn modes_that_share_bits_are_told_in_no_other_words() {
    type Tiles = Tiler!((2, 2):(3, 5), (2, 2):(3, 5));
    static_assertions::assert_not_impl_any!(Layout!((8, 8):(^1, ^1)): Compose<Tiles>);
    static_assertions::assert_not_impl_any!(Layout!((48, 8):(^1, ^1)): ZippedDivide<Tiler!(6:5, 2)>);
    let of_tiles = <Tiles>::default().to_dynamic();
    let refused = "(8,8):(^1,^1)".parse::<DynLayout>().unwrap().compose(of_tiles).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Overlap);
    // A mode of one coordinate is one of XOR strides too: an entry leads beyond it.
    static_assertions::assert_not_impl_any!(Layout!((5, 1):(^1, ^1)): Compose<Tiler!(4:6, 6:^16)>);
    let refused = "(5,1):(^1,^1)".parse::<DynLayout>().unwrap().compose(tiler!(4:6, 6:^16).to_dynamic()).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Overlap);
    // An XOR mode beside a natural one that says more beyond it.
    static_assertions::assert_not_impl_any!(
        Layout!(((3, 1), 2):((^1, 3), ^1)): Compose<Tiler!((2, 5):(^1, ^2), 3:2)>
    );
    let refused = "((3,1),2):((^1,3),^1)".parse::<DynLayout>().unwrap();
    let refused = refused.compose(tiler!((2, 5):(^1, ^2), 3:2).to_dynamic()).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Overlap);
    // One of the modes alone has XOR strides.
    let (layout, dynamic) = agree!(layout!((8, 8):(^1, 64)));
    let tiler = tiler!((2, 2):(3, 5), 4);
    assert_eq!(layout.compose(tiler).to_dynamic(), dynamic.compose(tiler.to_dynamic()).unwrap());
}

/// Several modes with XOR strides, where their results have bits of their own: sum and XOR are the same.
#[test]
fn modes_with_bits_of_their_own_are_told_in_other_words() {
    macro_rules! by_mode {
        ($($left:expr, $tiler:expr;)*) => {$({
            let ((left, dynamic), tiler) = (agree!($left), $tiler);
            let (composed, of_tiler) = (left.compose(tiler), tiler.to_dynamic());
            assert_eq!(composed.to_dynamic(), dynamic.compose(&of_tiler).unwrap(), "{dynamic} o {of_tiler}");
        })*};
    }
    by_mode! {
        layout!((8, 8):(^1, ^8)), tiler!((2, 2):(3, 1), 8:1);
        layout!((4, 6):(^1, ^32)), tiler!((2, 2):(9, 9), (2, 2):(4, 9));
        layout!((8, (6, 4)):(^1, (^128, ^1))), tiler!(2:0, (4, 3):(7, 12));
        layout!((8, (8, 2), 4):(8, (^1, ^3), ^64)), tiler!(4:8, _, (3, 2):(8, 17));
        layout!(((4, 4), 3):((^12, ^16), ^32)), tiler!(2:^3, (4, 3):(9, 12));
        // The first two are XORed, and only the last one is told in other words.
        layout!((8, 5, 2):(^1, ^1, ^32)), tiler!(4:9, 2:6, 4:3);
    }
    let (layout, dynamic) = agree!(layout!(((2, 3), (8, 2)):((^1, 2), (4, ^64))));
    let tiler = tiler!((2, 1):(3, 6), 4);
    assert_eq!(layout.zipped_divide(tiler).to_dynamic(), dynamic.zipped_divide(tiler.to_dynamic()).unwrap());
    // The second mode goes on into the bits of the first one.
    static_assertions::assert_not_impl_any!(Layout!((8, 8):(^64, ^1)): Compose<Tiler!(8, (2, 2):(31, 33))>);
}

/// Sums of natural modes carry into bits that none of the modes has: XOR strides there are natural ones.
#[test]
fn natural_modes_carry_into_one_another() {
    composes! {
        layout!((2, 2, 2):(^8, 128, 32)), layout!((6, 2):(18, 17));
        layout!((4, 4):(^5, 128)), layout!((8, 2):(9, 4));
        layout!((2, 8):(^32, 128)), layout!((4, 4):(5, 8));
        layout!((4, 8):(^1, 256)), layout!((3, 2, 2):(17, 12, 4));
        layout!((8, 2, 12):(768, ^12, 512)), layout!((4, 2):(40, ^1));
    }
    let (layout, dynamic) = agree!(layout!((2, (8, 2), 4):(^64, (1, 16), 9)));
    let tiler = tiler!((2, 2):(4, 8), 2:2, (2, 2):(9, 24));
    assert_eq!(layout.compose(tiler).to_dynamic(), dynamic.compose(tiler.to_dynamic()).unwrap());
}

/// Natural and XOR strides of a result that share a bit: natural ones say it, or the types refuse it.
#[test]
fn results_of_both_kinds_have_bits_of_their_own() {
    let (layout, dynamic) = agree!(layout!((8, (2, 2)):(1, (4, 32))));
    let tiler = tiler!((2, 2):(^1, ^3));
    assert_eq!(layout.flat_divide(tiler).to_dynamic(), dynamic.flat_divide(tiler.to_dynamic()).unwrap());
    composes! { layout!((2, 4):(^4, 1)), layout!((2, 4):(1, 4)); }
    let (layout, dynamic) = agree!(layout!((2, 2):(^8, 4)));
    assert_eq!(
        layout.with_shape(shape!((2, 2, 2))).to_dynamic(),
        dynamic.with_shape(&"(2,2,2)".parse().unwrap()).unwrap()
    );
    static_assertions::assert_not_impl_any!(Layout!((8, 2):(1, 1)): FlatDivide<Tiler!((2, 2):(^1, ^3), _)>);
}

/// The natural parts of two modes add up: no XOR strides say that, but natural ones may.
#[test]
fn modes_whose_natural_parts_share_a_bit_are_refused() {
    let layout: DynLayout = "((4,4),(4,4)):((1,^16),(1,^64))".parse().unwrap();
    // All modes are looked at together, and natural strides say it.
    let of_composed = layout.compose("<4:5,4:5>".parse::<DynTiler>().unwrap()).unwrap();
    assert_eq!(of_composed.to_string(), "(4,4):(17,65)");
    let composed = layout!(((4, 4), (4, 4)):((1, ^16), (1, ^64))).compose(tiler!(4:5, 4:5));
    assert_eq!(format!("{composed:#}"), "(4,4):(17,65)");
    let layout: DynLayout = "((8,8),(8,8)):((1,8),(1,8))".parse().unwrap();
    for tiler in ["<(8,8):(^1,^9),(8,8):(^1,^9)>", "<(8,8):(^1,^9),8:1>", "<(2,2):(^1,^3),(2,2):(^1,^3)>"] {
        let tiler: DynTiler = tiler.parse().unwrap();
        for result in [layout.compose(&tiler), layout.logical_divide(&tiler), layout.zipped_divide(&tiler)] {
            assert_eq!(result.unwrap_err().kind(), ErrorKind::Overlap, "{tiler}");
        }
    }
    let layout = layout!(((8, 8), (8, 8)):((1, 8), (1, 8)));
    let error = layout.try_compose(tiler!((8, 8):(^1, ^9), (8, 8):(^1, ^9))).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Overlap, "{error}");
    let error = layout.try_logical_divide(tiler!((2, 2):(^1, ^3), (2, 2):(^1, ^3))).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Overlap, "{error}");
    let error = layout.try_zipped_divide(tiler!((2, 2):(^1, ^3), (2, 2):(^1, ^3))).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Overlap, "{error}");
}

#[test]
fn tiles_of_every_kind_are_those_of_the_dynamic_engine() {
    macro_rules! same {
        ($left:expr, $right:expr; $($method:ident)*) => {$({
            let ((left, of_left), right) = (agree!($left), $right);
            let (_, of_found) = agree!(left.$method(right));
            assert_eq!(of_found, of_left.$method(right.to_dynamic()).unwrap(), "{of_left}");
        })*};
    }
    macro_rules! divides {
        ($($left:expr, $right:expr;)*) => {$({
            same! { $left, $right; logical_divide zipped_divide tiled_divide flat_divide round_up }
            let (left, tiles) = ($left, $left.zipped_divide($right));
            // The tiles have the offsets of the layout, each as often.
            let of_tiles = sorted(left.size(), &|i| tiles.at(i) as isize);
            assert_eq!(of_tiles, sorted(left.size(), &|i| left.at(i) as isize), "{}", left.to_dynamic());
        })*};
    }
    divides! {
        layout!((8, 8)), layout!((2, 2):(^1, ^3));
        layout!((8, 8):(^1, ^9)), layout!((4, 2):(^3, ^24));
        layout!((8, 8): right), layout!((4, 2):(^9, ^1));
        layout!((8, 64)), tiler!(4, (8, 4):(^1, ^9));
        layout!((8, 64, 4)), tiler!((2, 2):(^1, ^3), (8, 4):(^1, ^9), _);
        layout!((8, 64)), tiler!((2, 2):(^1, ^4), 4);
        layout!((8, 8):(^1, ^9)), tiler!((2, 2):(^1, ^3), 4);
        layout!(((8, 4), 16)), tiler!(<(2, 2):(^1, ^3), 2>, _);
    }
    same! { layout!((8, 64)), tiler!(4, (8, 8):(^1, ^9)); compose }
    same! { layout!(64:4), layout!((4, 8):(3, ^16)); compose }
    same! { layout!(((8, 4), 16)), tiler!(<(2, 2):(^1, ^3), 2>, (2, 2):(^1, ^2)); compose }
    macro_rules! products {
        ($($left:expr, $right:expr;)*) => {$({
            same! { $left, $right; logical_product zipped_product tiled_product flat_product }
            let ((left, dynamic), tile) = (agree!($left), $right);
            let (_, of_blocked) = agree!(left.blocked_product(tile));
            assert_eq!(of_blocked, dynamic.blocked_product(&tile.to_dynamic()).unwrap(), "{dynamic}");
            let (_, of_raked) = agree!(left.raked_product(tile));
            assert_eq!(of_raked, dynamic.raked_product(&tile.to_dynamic()).unwrap(), "{dynamic}");
            distinct(&of_blocked);
        })*};
    }
    products! {
        layout!((8, 8):(1, 8)), layout!((2, 2):(^1, ^3));
        layout!((8, 8):(^1, ^9)), layout!((2, 4):(^3, ^4));
        layout!((4, 4):(^2, ^34)), layout!((2, 2):(^1, ^6));
        layout!((4, 6):(-1, 4)), layout!((2, 2):(^1, ^2));
        // Steps of 6 carry in the XOR mode that is free, and not in a natural one.
        layout!(8:^32), layout!(4:6);
        // One mode that goes on takes XOR and natural steps to multiples of them.
        layout!(1:1), layout!((8, (2, 4)):(48, (^1, ^6)));
        layout!(4:1), layout!((8, (2, 4)):(48, (^1, ^6)));
    }
    // Of the tile and the rest of a division, each is of the kind of both.
    let divided = layout!((8, 8)).zipped_divide(layout!((2, 2):(^1, ^3)));
    let (tile, rest) = <Layout!((8, 8)) as ZippedDivide<Layout!((2, 2):(^1, ^3))>>::tile_and_rest(divided);
    assert_eq!((tile, rest.to_string()), (layout!((2, 2):(^1, ^3)), "_16:^_4".to_string()));
}

/// `swizzled(L)(c) == L(c)`, the swizzle is that of `DynLayout`, and the way back gives the layout again.
#[test]
fn layouts_are_swizzled_as_by_the_dynamic_engine() {
    // As many bits as the types know, too many offsets to look at each.
    macro_rules! wide {
        ($($layout:expr => $swizzle:ty;)*) => {$({
            let swizzled = $layout.swizzled();
            assert_eq!(swizzled.outer(), <$swizzle>::new());
            assert_eq!(swizzled.to_dynamic(), $layout.to_dynamic().swizzled().unwrap());
        })*};
    }
    wide! {
        layout!((512, 512):(^1, ^513)) => Swizzle<9, 0, 9>;
    }
    #[cfg(target_pointer_width = "64")]
    wide! {
        layout!((65536, 65536):(^1, ^65537)) => Swizzle<16, 0, 16>;
        layout!((65536, 65536):(^65537, ^65536)) => Swizzle<16, 0, -16>;
        layout!((2, 2):(^65536, ^4295032832)) => Swizzle<1, 16, 16>;
    }
    macro_rules! swizzles {
        ($($layout:expr => $swizzle:literal;)*) => {$({
            let (layout, dynamic) = agree!($layout);
            let swizzled = layout.swizzled();
            equal(&dynamic, &|i| swizzled.at(i) as isize, &|i| layout.at(i) as isize);
            assert_eq!(swizzled.to_dynamic(), dynamic.swizzled().unwrap(), "{dynamic}");
            // Where natural strides carry, there are no XOR strides in their place.
            if let Ok(linear) = dynamic.linear() {
                assert_eq!(swizzled.to_dynamic().linear().unwrap(), linear, "{dynamic}");
            }
            assert_eq!(swizzled.outer().to_string(), $swizzle, "{dynamic}");
        })*};
    }
    swizzles! {
        layout!((8, 8):(^1, ^9)) => "Sw<3,0,3>";
        layout!((8, 8):(^9, ^1)) => "Sw<3,0,3>";
        layout!((8, 64):(^72, ^1)) => "Sw<3,3,3>";
        // Only one bit is shared, and yet two are moved: 4:^9 is to stay one stride.
        layout!((2, 4):(^1, ^9)) => "Sw<2,0,3>";
        layout!((2, (2, 2)):(^1, (^9, ^16))) => "Sw<1,0,3>";
        // Either bit could be read, of 3 or of 6: the one that leaves strides apart.
        layout!((2, 2):(^3, ^6)) => "Sw<1,0,-1>";
        layout!((2, 2):(^3, ^2)) => "Sw<1,0,-1>";
        layout!((8, 8, 3):(^1, ^9, 64)) => "Sw<3,0,3>";
        layout!((8, 8, 3):(^1, ^9, 192)) => "Sw<3,0,3>";
        layout!((4, 3):(^1, ^20)) => "Sw<0,0,0>";
        layout!((4, 4):(^1, ^4)) => "Sw<0,0,0>";
        layout!((3, 4):(^1, ^5)) => "Sw<2,0,2>";
        layout!((1, 8, 8):(^5, ^1, ^9)) => "Sw<3,0,3>";
        // Natural modes that carry stay, above the swizzle and below it, and beside natural ones that do not.
        layout!((8, 8, 5):(^1, ^9, 192)) => "Sw<3,0,3>";
        layout!((8, 8, 5, 5):(^1, ^9, 192, 8192)) => "Sw<3,0,3>";
        layout!((2, 2, 4):(^16, ^48, 3)) => "Sw<1,4,1>";
        layout!((2, 3, 2, 4):(^1, ^17, 8, 320)) => "Sw<2,0,4>";
    }
}

#[test]
fn tiles_are_those_of_the_dynamic_engine() {
    macro_rules! divides {
        ($($layout:expr, $tiler:expr;)*) => {$({
            let ((layout, dynamic), tiler) = (agree!($layout), $tiler);
            let (zipped, of_zipped) = agree!(layout.zipped_divide(tiler));
            assert_eq!(of_zipped, dynamic.zipped_divide(tiler.to_dynamic()).unwrap(), "{dynamic}");
            let (_, of_logical) = agree!(layout.logical_divide(tiler));
            assert_eq!(of_logical, dynamic.logical_divide(tiler.to_dynamic()).unwrap(), "{dynamic}");
            let of_tiles = sorted(layout.size(), &|i| zipped.at(i) as isize);
            assert_eq!(of_tiles, sorted(layout.size(), &|i| layout.at(i) as isize), "{dynamic}");
        })*};
    }
    let (n, d) = (12, 20);
    divides! {
        layout!((8, 8):(^1, ^9)), tiler!(2, 4);
        layout!((8, 8):(^d, ^1)), tiler!(4, _);
        layout!((8, n):(^1, ^9)), tiler!(4, 2);
        layout!(((2, 4), 8):((^1, ^2), ^9)), tiler!(4, (2, 2):(1, 4));
        layout!(((4, 12), 8):((^1, ^4), ^64)), tiler!(6, 2);
        layout!(((4, 12), 8):((^1, ^4), ^65)), tiler!((2, 2):(^1, ^2), 2);
        layout!((4, 6):(-1, 4)), tiler!(2, 3);
        layout!((4, n):(-n, -1)), tiler!(2, 3);
    }
}

#[test]
fn modes_that_entries_lead_beyond_are_asked_for_the_bits_there() {
    // 2 steps of 8 beyond the first mode: 16, which the other mode has as an XOR stride.
    let (layout, tiler) = (layout!((1, 2):(8, ^16)), tiler!((2, 2):(^2, ^2), _));
    let fault = layout.try_compose(tiler).unwrap_err().fault();
    assert_eq!(fault, layout.to_dynamic().compose(tiler.to_dynamic()).unwrap_err().fault());
    assert!(matches!(fault, Fault::PartsMeet { bit: 4 }), "{fault:?}");
    // Steps beyond an XOR mode are XORed in both layouts, as another mode's are.
    let (layout, tiler) = (layout!(((4, 3), (2, 3)):((1, ^8), (1, ^32))), tiler!((2, 2):(^12, ^36), _));
    let (composed, of_composed) = agree!(layout.compose(tiler));
    assert_eq!(of_composed, layout.to_dynamic().compose(tiler.to_dynamic()).unwrap());
    assert_eq!(composed, layout!(((2, 2), (2, 3)):((^24, ^72), (1, ^32))));
}

/// `(L, R)` reaches every offset of the range once, counted from the least one; and what `DynLayout` leaves free.
macro_rules! complements {
    ($($layout:expr, $extent:expr;)*) => {$({
        let ((layout, dynamic), extent) = (agree!($layout), Number::get($extent));
        let (_, of_free) = agree!(layout.complement($extent));
        assert_eq!(of_free, dynamic.complement(extent).unwrap(), "{dynamic}");
        let both = dynamic.filter().append(&of_free).unwrap();
        let offsets = sorted(both.size(), &|i| both.signed_index(i));
        assert!((-(both.base() as isize)..).zip(&offsets).all(|(i, &offset)| i == offset), "{dynamic} and {of_free}");
        assert_eq!(offsets.len(), extent, "{dynamic} and {of_free}");
        let (_, of_above) = agree!(layout.complement_ceil(extent - 1));
        // An extent that only run time knows is not dropped where it is 1.
        assert_eq!(of_above.coalesce(), dynamic.complement_ceil(extent - 1).unwrap().coalesce(), "{dynamic} and {of_above}");
        assert_eq!(
            layout.try_complement(extent + 1).unwrap_err().fault(),
            dynamic.complement(extent + 1).unwrap_err().fault()
        );
    })*};
}

#[test]
fn complements_are_what_is_left_free() {
    complements! {
        layout!((8, 8):(^1, ^9)), int!(64);
        layout!((8, 8):(^1, ^9)), int!(256);
        layout!((8, 8):(^1, ^9)), 192;
        layout!((4, 4):(^2, ^34)), int!(128);
        layout!((2, 2):(^3, ^24)), int!(96);
        layout!((2, (2, 2)):(^5, (^6, ^16))), int!(32);
        layout!((8, 8, 3):(^1, ^9, 64)), int!(384);
        layout!((8, 4, 3):(^1, ^9, 128)), int!(768);
        layout!((4, 2):(^32, 2)), int!(128);
        layout!((2, 4, 5):(1, ^16, 64)), int!(640);
        layout!((4, 6):(-1, 4)), int!(48);
        layout!((4, 6):(-1, 8)), int!(96);
        layout!((2, (3, 2)):(-12, (-2, 1))), int!(48);
    }
    let n = 6;
    let (free, of_free) = agree!(layout!((4, n):(-1, 4)).complement_ceil(100));
    assert_eq!((of_free.to_string().as_str(), free.size()), ("5:24", 5));
}

/// `L(R(i)) == i`, `L(R(L(i))) == L(i)`, `L(R(i)) == 0`; and what `DynLayout` has.
macro_rules! inverses {
    ($($layout:expr $(, $left:ident)?;)*) => {$({
        let (layout, dynamic) = agree!($layout);
        let (right, of_right) = agree!(layout.right_inverse());
        assert_eq!(of_right, dynamic.right_inverse(), "{dynamic}");
        equal(&of_right, &|i| layout.at(right.at(i) as usize) as isize, &|i| i as isize);
        let (still, of_still) = agree!(layout.nullspace());
        assert_eq!(of_still, dynamic.nullspace(), "{dynamic}");
        equal(&of_still, &|i| layout.at(still.at(i) as usize) as isize, &|_| 0);
        $(let (left, of_left) = agree!(layout.$left());
        assert_eq!(of_left, dynamic.left_inverse().unwrap(), "{dynamic}");
        let back = |i| layout.at(left.at(layout.at(i) as usize) as usize);
        equal(&dynamic, &|i| back(i) as isize, &|i| layout.at(i) as isize);)?
    })*};
}

#[test]
fn inverses_take_back() {
    inverses! {
        layout!((8, 8):(^1, ^9)), left_inverse;
        layout!((8, 8):(^9, ^1)), left_inverse;
        layout!((4, 4, 4):(^1, ^5, ^16)), left_inverse;
        layout!((2, (2, 4)):(^3, (^6, ^48))), left_inverse;
        layout!((8, 8):(^1, ^3)), left_inverse;
        layout!((2, 2, 2):(^3, ^5, ^6)), left_inverse;
        layout!((2, 2, 2, 2):(^1, ^1, ^2, ^3)), left_inverse;
        layout!((4, 3, 8):(^2, 0, ^1));
        layout!((8, 8, 3):(^1, ^9, 64)), left_inverse;
        layout!((8, 8, 3, 2):(^1, ^9, 192, 64)), left_inverse;
        layout!((8, 3, 8):(^1, 64, ^9));
        layout!((8, 3):(^1, ^9)), left_inverse;
        layout!((4, 4):(^4, 1)), left_inverse;
        layout!((2, 4, 2):(17, ^6, ^64)), left_inverse;
        // Natural modes among the bits that carry, or have the bits of one before them, are left out.
        layout!((8, (1, 6, 6)):(4, (2, ^64, 1)));
        layout!((6, 4, 2):(1, ^8, 32));
        layout!((2, 2, 4):(3, 1, ^8));
        layout!((2, 2, 4):(1, 3, ^8));
        layout!((4, 6):(-1, 4));
        layout!((4, 6, 2):(1, -8, 4));
        layout!((4, 6, 2):(-12, 0, 1));
    }
    // Natural strides of an inverse that have a bit of its XOR strides are no layout.
    let meets = layout!((8, 4, 4):(4, ^1, 36));
    let fault = meets.to_dynamic().left_inverse().unwrap_err().fault();
    assert_eq!(meets.try_left_inverse().unwrap_err().fault(), fault);
    // An odd step is refused, though its mode stands behind one that adds nothing.
    static_assertions::assert_not_impl_any!(Layout!((4, 3, 3):(^4, ^4, ^2)): LeftInverse);
    // What the least of its leaves hides: no coordinate goes back.
    let (right, _) = agree!(layout!((2, 4):(^0, ^1)).left_inverse());
    assert_eq!(right.to_string(), "_4:^_2");
}

#[test]
fn products_are_those_of_the_dynamic_engine() {
    macro_rules! products {
        ($($layout:expr, $tile:expr;)*) => {$({
            let ((layout, dynamic), tile) = (agree!($layout), $tile);
            let counts = tile.to_dynamic();
            let (_, of_logical) = agree!(layout.logical_product(tile));
            assert_eq!(of_logical, dynamic.logical_product(&counts).unwrap(), "{dynamic}");
            distinct(&of_logical);
            let (_, of_blocked) = agree!(layout.blocked_product(tile));
            assert_eq!(of_blocked, dynamic.blocked_product(&counts).unwrap(), "{dynamic}");
            let (_, of_raked) = agree!(layout.raked_product(tile));
            assert_eq!(of_raked, dynamic.raked_product(&counts).unwrap(), "{dynamic}");
            let (_, of_flat) = agree!(layout.flat_product(tile));
            assert_eq!(of_flat, dynamic.flat_product(&counts).unwrap(), "{dynamic}");
            let (_, of_zipped) = agree!(layout.zipped_product(tile));
            assert_eq!(of_zipped, dynamic.zipped_product(&counts).unwrap(), "{dynamic}");
        })*};
    }
    products! {
        layout!((8, 8):(^1, ^9)), layout!((2, 3));
        layout!((4, 2):(^2, ^24)), layout!((2, 2));
        layout!((2, 2):(^3, ^24)), layout!((2, 2):(4, 1));
        layout!((4, 4, 3):(^1, ^5, 32)), layout!((2, 5));
        layout!((4, 6):(-1, 4)), layout!((2, 3));
        layout!((4, 2):(1, -8)), layout!((2, 2):(2, 1));
    }
    // Copies that are looked for.
    let (layout, dynamic) = agree!(layout!((2, 4):(^5, ^1)));
    let tiler = tiler!(4:^5, (2, 2):(^4, ^4));
    assert_eq!(layout.logical_product(tiler).to_dynamic(), dynamic.logical_product(tiler.to_dynamic()).unwrap());
    // The block stays of its kind, by mode and as a whole.
    static_assertions::assert_not_impl_any!(Layout!(2:^8): LogicalProduct<Layout!((3, 8):(16, 17))>);
    let refused = layout!(2:^8).to_dynamic().logical_product(layout!((3, 8):(16, 17)).to_dynamic()).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Overlap);
    // Copies that meet natural strides are refused when they are made.
    let meets = layout!((4, (2, 4)):(^8, (6, ^64)));
    let fault = meets.to_dynamic().logical_product(32).unwrap_err().fault();
    assert_eq!(meets.try_logical_product(int!(32)).unwrap_err().fault(), fault);
    let (shaped, of_shaped) = agree!(layout!((8, 8):(^1, ^9)).tile_to_shape(shape!((16, 24))));
    let by_hand = layout!((8, 8):(^1, ^9)).to_dynamic().tile_to_shape(&"(16,24)".parse().unwrap()).unwrap();
    assert_eq!((shaped.size(), of_shaped), (384, by_hand));
    let (shaped, of_shaped) = agree!(layout!((4, 2):(-2, 1)).tile_to_shape(shape!((8, 8))));
    let by_hand = layout!((4, 2):(-2, 1)).to_dynamic().tile_to_shape(&"(8,8)".parse().unwrap()).unwrap();
    assert_eq!((shaped.size(), of_shaped), (64, by_hand));
}

#[test]
fn recasts_are_those_of_the_dynamic_engine() {
    macro_rules! recasts {
        ($($layout:expr, $unit:literal;)*) => {$({
            let (layout, dynamic) = agree!($layout);
            let (up, of_up) = agree!(layout.upcast(int!($unit)));
            assert_eq!(of_up, dynamic.upcast($unit).unwrap(), "{dynamic}");
            let mut units = sorted(layout.size(), &|i| (layout.at(i) as isize).div_euclid($unit));
            let mut of_units = sorted(up.size(), &|i| up.at(i) as isize);
            units.dedup();
            of_units.dedup();
            assert_eq!(units, of_units, "{dynamic} in units is {of_up}");
            let (_, of_down) = agree!(layout.downcast(int!($unit)));
            assert_eq!(of_down, dynamic.downcast($unit).unwrap(), "{dynamic}");
            let (_, of_other) = agree!(layout.recast((int!($unit), int!(2))));
            assert_eq!(of_other, dynamic.recast($unit, 2).unwrap(), "{dynamic}");
        })*};
    }
    recasts! {
        layout!((8, 8):(^1, ^72)), 4;
        layout!((8, 8, 3):(^1, ^72, 1024)), 8;
        layout!((4, (2, 2)):(1, (^4, ^24))), 4;
        layout!((8, 4):(1, -8)), 4;
        layout!((8, 4):(1, -24)), 8;
    }
    let d = 16;
    let (up, of_up) = agree!(layout!((8, 8):(^1, ^d)).upcast(int!(4)));
    assert_eq!((up.to_string().as_str(), of_up.to_string().as_str()), ("(_2,_8):(^_1,^4)", "(2,8):(^1,^4)"));
    let error = layout!((8, 8):(^1, ^(d + 4))).try_upcast(int!(8)).unwrap_err();
    assert!(error.to_string().ends_with("the mode 8:20 does not regroup into units of 8"), "{error}");
}

#[test]
fn an_empty_layout_is_of_either_kind() {
    for n in [0, 2] {
        let (a, b) = (layout!((n, 4, 4):(^1, ^1, ^3)), layout!((4, n, 4):(1, n, 3)));
        assert_eq!(a.natural().ok().map(|l| l.to_dynamic()), a.to_dynamic().natural().ok());
        assert_eq!(b.linear().ok().map(|l| l.to_dynamic()), b.to_dynamic().linear().ok());
        assert_eq!((a.natural().is_ok(), b.linear().is_ok()), (n == 0, n == 0));
    }
}

#[test]
fn what_layouts_have_in_common_counts_in_step() {
    let n = 8;
    macro_rules! common {
        ($($left:expr, $right:expr => $size:literal;)*) => {$({
            let ((left, of_left), right) = (agree!($left), $right);
            let (common, of_common) = agree!(left.max_common_layout(right));
            assert_eq!(of_common, of_left.max_common_layout(&right.to_dynamic()), "{of_left}");
            let steps = |i| (left.at(common.at(i) as usize) as usize, right.at(common.at(i) as usize) as usize);
            assert!((0..common.size()).all(|i| steps(i) == (i, i)), "{of_left}: {of_common}");
            assert_eq!((common.size(), left.max_common_vector(right)), ($size, $size), "{of_left}: {of_common}");
        })*};
    }
    common! {
        layout!((8, 8):(^1, ^9)), layout!((8, 8)) => 8;
        layout!((8, 8):(^9, ^1)), layout!((8, 8): right) => 8;
        layout!((8, 8):(^9, ^1)), layout!((8, 8)) => 1;
        layout!((4, 6):(1, -4)), layout!((4, 6)) => 4;
        layout!((4, 6):(-1, 4)), layout!((4, 6)) => 1;
        // Of every kind on the right.
        layout!((8, 8):(^1, ^9)), layout!((8, 8):(^1, ^9)) => 64;
        layout!((8, 8):(^9, ^1)), layout!((8, 8):(^9, ^1)) => 64;
        layout!((8, 8):(^1, ^9)), layout!((8, 8):(^1, ^8)) => 8;
        layout!((8, 8):(^1, ^9)), layout!((8, 8):(^1, ^11)) => 8;
        layout!((8, 8, 3):(^1, ^9, 64)), layout!((8, 8, 3):(^1, ^9, 64)) => 192;
        layout!((8, 8, 3):(^1, ^9, 64)), layout!((8, 8, 3):(^1, ^9, 128)) => 64;
        layout!((8, 8):(1, 10)), layout!((8, 8):(^1, ^9)) => 8;
        layout!((8, 8):(^1, ^9)), layout!((8, 8):(1, 10)) => 8;
        layout!((8, 8, 2):(^1, ^8, 64)), layout!(128:1) => 128;
        layout!((4, 5):(^5, ^1)), layout!((4, 5):(^5, ^1)) => 16;
        layout!((8, 8)), layout!((8, 8):(^1, ^9)) => 8;
        layout!((8, 8)), layout!((8, 8):(^1, ^8)) => 64;
        layout!((8, 8): right), layout!((8, 8):(^9, ^1)) => 8;
        layout!((8, 8)), layout!((8, 8):(^9, ^1)) => 1;
        layout!((2, 4):(1, 2)), layout!(8:^1) => 8;
        layout!((4, 6)), layout!((4, 6):(1, -4)) => 4;
        layout!((4, 6)), layout!((4, 6):(-1, 4)) => 1;
        layout!((4, 6):(1, -4)), layout!((4, 6):(1, -4)) => 4;
        layout!((16, 2):(1, -16)), layout!((8, 2):(^1, ^9)) => 8;
        layout!((8, 8):(^1, ^9)), layout!((4, 2):(1, -8)) => 4;
        // A part of a mode of the inverse.
        layout!((3, 2):(1, 1)), layout!((6, 3):(^1, ^7)) => 3;
        layout!((4, (5, 4), 2):(^1, (^1, ^5), ^24)), layout!(6:1) => 4;
        layout!((3, 4, 4, 2):(^1, ^64, ^6, ^17)), layout!((4, 3):(1, 5)) => 3;
        // Nothing beyond what is known at compile time is held in common.
        layout!((8, n):(^1, ^9)), layout!((8, 8):(^1, ^8)) => 8;
    }
}

#[test]
fn slices_are_sums_or_refused() {
    let (l, dynamic) = agree!(layout!((8, 8, 3):(^1, ^9, 64)));
    let mut sums = 0;
    for (j, k) in (0..8).flat_map(|j| (0..3).map(move |k| (j, k))) {
        let found = l.try_slice((.., j, k));
        match dynamic.slice((.., j, k)) {
            Ok((kept, offset)) => {
                let (row, at) = found.unwrap();
                assert_eq!((row.to_dynamic(), at), (kept, offset));
                assert!((0..8).all(|i| row.index(i) + at == l.index((i, j, k))));
                sums += 1;
            }
            Err(error) => assert_eq!(found.unwrap_err().fault(), error.fault()),
        }
    }
    assert_eq!(sums, 3);
    assert_eq!(l.try_slice((1..3, 0, 0)).unwrap_err().kind().as_str(), "divisibility");
    let f = layout!((4, 6):(-1, 4));
    for (i, j) in f.coords() {
        let (column, at) = f.slice((.., j));
        assert_eq!(column.index(i) + at, f.index((i, j)));
        let (part, at) = f.slice((i.., j));
        assert_eq!(part.index(0) + at, f.index((i, j)));
    }
}

#[test]
fn what_regroups_modes_takes_strides_as_they_are() {
    let l = layout!((2, (4, 3)):(^1, (^6, 32)));
    assert_eq!(l.flatten(), layout!((2, 4, 3):(^1, ^6, 32)));
    assert_eq!(l.reverse(), layout!(((4, 3), 2):((^6, 32), ^1)));
    assert_eq!(l.mode::<1>(), layout!((4, 3):(^6, 32)));
    assert_eq!(l.take::<0, 1>(), layout!((2):(^1)));
    assert_eq!(l.flatten().group::<0, 2>(), layout!(((2, 4), 3):((^1, ^6), 32)));
    assert_eq!(l.ungroup::<1>(), l.flatten());
    assert_eq!(l.select(shape!((1, 0))), layout!(((4, 3), 2):((^6, 32), ^1)));
    assert_eq!(layout!((4, 6):(-1, 4)).transpose(), layout!((6, 4):(4, -1)));
    assert_ne!(layout!((4, 6):(-1, 4)), layout!((4, 6):(1, -4)));
    assert_eq!(layout!((8, 8):(^1, ^0)), layout!((8, 8):(^1, 0)));
    let zero = 0;
    assert_eq!(layout!((8, 8):(^1, ^zero)), layout!((8, 8):(^1, 0)));
    assert_eq!(hash(&layout!((8, 8):(^1, ^zero))), hash(&layout!((8, 8):(^1, 0))));
    let _: Layout!(4:0) = layout!(4:-0);
}

#[test]
fn layouts_of_every_kind_are_modes_of_others() {
    let (n, empty) = (6, 0);
    macro_rules! put_together {
        ($($layout:expr, $mode:expr;)*) => {$({
            let ((layout, of_layout), (mode, of_mode)) = (agree!($layout), agree!($mode));
            let (appended, of_appended) = agree!(layout.append(mode));
            assert_eq!(of_appended, of_layout.append(&of_mode).unwrap());
            let (prepended, of_prepended) = agree!(layout.prepend(mode));
            assert_eq!(of_prepended, of_layout.prepend(&of_mode).unwrap());
            // The offset of the mode comes to that of the layout: by XOR, where one of them is one of XOR strides.
            let xor = of_layout.to_string().contains('^') || of_mode.to_string().contains('^');
            let add = |a: isize, b: isize| if xor { a ^ b } else { a + b };
            for (i, j) in (0..layout.size()).flat_map(|i| (0..mode.size()).map(move |j| (i, j))) {
                let offset = add(layout.at(i) as isize, mode.at(j) as isize);
                assert_eq!(appended.at(i + layout.size() * j) as isize, offset, "{of_layout} and {of_mode}");
                assert_eq!(prepended.at(j + mode.size() * i) as isize, offset, "{of_layout} and {of_mode}");
            }
            let (replaced, of_replaced) = agree!(layout.replace::<1, _>(mode));
            assert_eq!(of_replaced, of_layout.replace(1, &of_mode).unwrap());
            let kept = layout.mode::<0>();
            for (i, j) in (0..kept.size()).flat_map(|i| (0..mode.size()).map(move |j| (i, j))) {
                let offset = add(kept.at(i) as isize, mode.at(j) as isize);
                assert_eq!(replaced.at(i + kept.size() * j) as isize, offset, "{of_mode} in {of_layout}");
            }
        })*};
    }
    put_together! {
        layout!((8, 8):(^1, ^9)), layout!(4:64);
        layout!((8, 8):(^1, ^9)), layout!((2, 4):(^64, ^192));
        layout!((8, 8)), layout!(4:^64);
        layout!((8, 8)), layout!((2, n):(^64, ^128));
        layout!((8, n):(^1, ^8)), layout!(4:^256);
        layout!((4, 6):(-1, 4)), layout!(4:24);
        layout!((4, 6):(-1, 4)), layout!((2, 2):(-24, 48));
        layout!((4, 6)), layout!(4:-24);
        layout!((4, n):(n, -1)), layout!(1:3);
        layout!((8, 8)), layout!(1:^3);
        layout!((8, 8):(^1, ^9)), layout!(empty:^64);
        // What does not move is natural beside strides of another kind.
        layout!((4, 6):(-1, 4)), layout!(1:^64);
        layout!((8, 8):(^1, ^9)), layout!((1, 4):(-3, 64));
        layout!((1, 1):(-3, 1)), layout!(8:^9);
        layout!((1, 1):(^3, 1)), layout!((1, 1):(-9, 2));
        layout!((1, 1):(-3, -1)), layout!(1:^9);
    }
    assert_eq!(layout!((4, 6):(-1, 4)).append(layout!(1:^64)), layout!((4, 6, 1):(-1, 4, 64)));
    assert_eq!(layout!(1:-3).prepend(layout!(8:^9)), layout!((8, 1):(^9, 3)));
    assert_eq!(layout!((1, 1):(^3, 1)).replace::<1, _>(layout!(1:-9)), layout!((1, 1):(3, -9)));
    // Bits of natural strides that are bits of XOR strides: the sum would be no XOR.
    let (natural, xor) = (layout!((8, 8)), layout!(4:^32));
    let fault = natural.to_dynamic().append(&xor.to_dynamic()).unwrap_err().fault();
    assert_eq!(natural.try_append(xor).unwrap_err().fault(), fault);
    assert_eq!(natural.try_prepend(xor).unwrap_err().fault(), fault);
    let error = layout!((8, 8):(^1, ^9)).try_append(layout!(4:32)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot append to (8,8):(^1,^9): bit 5 is one of the offsets of natural strides and one of XOR strides', so \
         that sum and XOR differ"
    );
    let error = layout!((8, 8):(^1, ^9)).to_dynamic().append(&layout!(4:32).to_dynamic()).unwrap_err();
    assert_eq!(layout!((8, 8):(^1, ^9)).try_append(layout!(4:32)).unwrap_err().fault(), error.fault());
}

#[test]
#[should_panic(expected = "cannot replace a mode of (8,8):(^1,^9): bit 1 is one of the offsets")]
fn a_mode_that_meets_xor_strides_is_not_put_among_them() {
    let _ = layout!((8, 8):(^1, ^9)).replace::<1, _>(layout!(4:2));
}

#[test]
#[should_panic(expected = "cannot pair shape (8,4) with stride (1,^2): bit 1 is one of the offsets")]
fn an_xor_mode_that_meets_natural_strides_is_not_put_among_them() {
    let _ = layout!((8, 8)).replace::<1, _>(layout!(4:^2));
}

#[test]
fn other_shapes_and_compact_layouts_are_those_of_the_dynamic_engine() {
    macro_rules! with_shape {
        ($($layout:expr, $shape:tt;)*) => {$({
            let (layout, dynamic) = agree!($layout);
            let (shaped, of_shaped) = agree!(layout.with_shape(shape!($shape)));
            assert_eq!(of_shaped, dynamic.with_shape(&stringify!($shape).parse().unwrap()).unwrap(), "{dynamic}");
            equal(&dynamic, &|i| shaped.at(i) as isize, &|i| layout.at(i) as isize);
            let like = layout.layout_like();
            assert_eq!(like.to_dynamic(), dynamic.layout_like(), "{dynamic}");
            // Compact: as many offsets as there are, and no gap.
            let mut offsets: Vec<usize> = (0..like.size()).map(|i| like.at(i)).collect();
            offsets.sort_unstable();
            offsets.dedup();
            assert!(offsets.iter().copied().eq(0..like.cosize()), "{dynamic}");
        })*};
    }
    with_shape! {
        layout!((8, 8):(^1, ^9)), (4, 16);
        layout!((8, 8):(^9, ^1)), 64;
        layout!((8, (2, 4)):(^9, (0, ^1))), (16, 4);
        layout!((8, 8, 3):(^1, ^9, 64)), (64, 3);
        layout!((4, 6):(-1, 4)), (2, 12);
        layout!((4, 6):(6, -1)), (4, (2, 3));
    }
    let n = 3;
    assert_eq!(layout!((4, n):(^12, ^3)).layout_like(), layout!((4, n):(n, 1)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn xor_layouts_are_what_the_definition_says(
        s in (0..9usize, 1..9usize, 1..9usize), d in (0..40usize, 0..40usize, 0..200usize), natural: bool,
    ) {
        use layout_algebra::DynStride;
        let last = if natural { DynStride::Natural(d.2) } else { DynStride::Xor(d.2) };
        let dynamic = DynLayout::with_strides(s, [DynStride::Xor(d.0), DynStride::Xor(d.1), last]);
        let (x, y) = (Xor::new(d.0), Xor::new(d.1));
        macro_rules! check {
            ($made:expr) => {
                match ($made, &dynamic) {
                    (Ok(layout), Ok(dynamic)) => {
                        prop_assert_eq!(&layout.to_dynamic(), dynamic);
                        prop_assert_eq!((layout.size(), layout.cosize()), (dynamic.size(), dynamic.cosize()));
                        let offsets: Vec<usize> = layout.coords().map(|c| layout.index(c)).collect();
                        prop_assert_eq!(offsets.iter().max().map_or(0, |most| most + 1), layout.cosize());
                        for (i, j, k) in layout.coords() {
                            let part = if natural { k * d.2 } else { without_carries(k, d.2) };
                            let sum = without_carries(i, d.0) ^ without_carries(j, d.1) ^ part;
                            prop_assert_eq!(layout.index((i, j, k)), sum);
                        }
                    }
                    (Err(error), Err(same)) => prop_assert_eq!(error.kind(), same.kind()),
                    (made, same) => panic!("{made:?} in the types, {same:?} at run time"),
                }
            };
        }
        if natural {
            check!(XorLayout::try_new(s, (x, y, d.2)))
        } else {
            check!(XorLayout::try_new(s, (x, y, Xor::new(d.2))))
        }
    }

    #[test]
    fn negative_layouts_are_what_the_definition_says(
        s in (0..7usize, 1..7usize, 1..7usize), d in (0..40usize, 0..40usize, 0..40usize),
    ) {
        use layout_algebra::DynStride::{Natural, Negative};
        let layout = SignedLayout::new(s, (Minus::new(d.0), d.1, Minus::new(d.2)));
        let dynamic = DynLayout::with_strides(s, [Negative(d.0), Natural(d.1), Negative(d.2)]).unwrap();
        prop_assert_eq!(&layout.to_dynamic(), &dynamic);
        prop_assert_eq!((layout.cosize(), layout.base()), (dynamic.cosize(), dynamic.base()));
        for (i, j, k) in layout.coords() {
            let offset = (j * d.1) as isize - (i * d.0 + k * d.2) as isize;
            prop_assert_eq!(layout.index((i, j, k)), offset);
            prop_assert!((0..layout.cosize() as isize).contains(&(offset + layout.base() as isize)));
        }
    }
}

#[test]
fn linear_and_natural_are_those_of_the_dynamic_engine() {
    let (n, d) = (6, 40);
    macro_rules! converts {
        ($method:ident: $($layout:expr;)*) => {$({
            let (layout, dynamic) = agree!($layout);
            match (layout.$method(), dynamic.$method()) {
                (Ok(other), Ok(expected)) => {
                    assert_eq!(other.to_dynamic(), expected);
                    equal(&dynamic, &|i| other.at(i) as isize, &|i| layout.at(i) as isize);
                }
                (Err(error), Err(expected)) => assert_eq!(error.fault(), expected.fault(), "{dynamic}"),
                (found, expected) => panic!("{dynamic}: {found:?} in the types, {expected:?} at run time"),
            }
        })*};
    }
    converts! { linear:
        layout!((8, 8): right); layout!((8, 8):(1, 9)); layout!((4, n):(1, 4)); layout!((3, 5):(3, 16)); layout!(4:3);
        layout!((n, 2):(d, 1)); layout!((6, 6)); layout!((2, 4):(0, 5)); layout!((8, 8, 4):(^1, ^9, 64));
        layout!((8, 8, 4):(^1, ^9, 192)); layout!((2, (2, 3)):(8, (1, 2)));
    }
    converts! { natural:
        layout!((8, 8):(^8, ^1)); layout!((8, 8):(^1, ^9)); layout!((3, 2):(^3, ^8)); layout!(4:^3);
        layout!((n, 2):(^d, ^1)); layout!((8, 8, 4):(^1, ^8, 64));
    }
}

/// One code serves all kinds.
#[test]
fn generic_code_takes_every_kind() {
    fn offsets<T: layout_algebra::Semimodule, S: IntTuple, D: IntTuple>(l: SteppedLayout<T, S, D>) -> Vec<T::Offset> {
        (0..l.size()).map(|i| l.at(i)).collect()
    }
    assert_eq!(offsets(layout!(4:^3)), [0, 3, 6, 5]);
    assert_eq!(offsets(layout!(4:-3)), [0, -3, -6, -9]);
    assert_eq!(offsets(identity(shape!(4))), [0, 1, 2, 3]);
}

/// Steps along which a natural mode stands still, and a sum of XOR strides that is 0, with a bit in common: there is no
/// layout of both. Run time says the XOR strides as natural ones; types have no place for another answer.
#[test]
fn a_nullspace_whose_strides_meet_is_refused() {
    let l = layout!((8, 4, 3, 2):(^4, ^3, ^15, 0));
    assert_eq!(l.to_dynamic().nullspace().to_string(), "(2,2):(96,43)");
    let error = l.try_nullspace().unwrap_err();
    assert!(error.to_string().contains("bit 5 is one of the offsets of natural strides"), "{error}");
}

/// Sums of every kind, in the types and in the dynamic engine.
#[test]
fn sums_add_offsets() {
    macro_rules! adds {
        ($($left:expr, $right:expr => $sum:literal;)*) => {
            $({
                let (left, right) = ($left, $right);
                let (sum, of_sum) = agree!(left.layout_add(right));
                assert_eq!(of_sum.to_string(), $sum);
                assert_eq!(of_sum, left.to_dynamic().layout_add(&right.to_dynamic()).unwrap());
                assert_eq!(of_sum, right.layout_add(left).to_dynamic());
                equal(&of_sum, &|i| sum.at(i) as isize, &|i| left.at(i) as isize + right.at(i) as isize);
            })*
        };
    }
    let (n, d) = (6, 64);
    adds! {
        layout!((4, 6):(-1, 4)), layout!(24:4) => "(4,6):(3,20)";
        layout!((4, 6):(-1, 4)), layout!((4, 6):(-1, 4)) => "(4,6):(-2,8)";
        layout!((4, 6):(-1, 4)), layout!((4, 6):(1, -4)) => "24:0";
        layout!((4, 6):(1, 2)), layout!((2, 12):(-5, 1)) => "(2,2,6):(-4,3,4)";
        layout!((4, 6):(-5, 1)), layout!((4, n):(-1, 4)) => "(4,6):(-6,5)";
        layout!(1:-3), layout!(1:0) => "1:0";
        // XOR strides that say the same as natural ones, and negative ones.
        layout!((2, 4):(^1, ^2)), layout!(8:-24) => "8:-23";
        layout!(8:^9), layout!((1, 8, 1):(4, -3, 16)) => "8:6";
        layout!(8:^1), layout!(8:^8) => "8:9";
        layout!((8, 8):(^1, ^9)), layout!(64:64) => "(8,8):(^65,^521)";
        layout!((8, 8):(^1, ^9)), layout!((8, 8):(64, ^512)) => "(8,8):(^65,^521)";
        layout!((2, 8):(1, 2)), layout!((2, 8):(^16, ^48)) => "(2,8):(^17,^50)";
        // Steps of 1 and ^8, and of 4 and ^32, go on in one another once they have one stride each.
        layout!(8:1), layout!((4, 2):(^8, ^32)) => "8:9";
        layout!((2, 4, 2):(^1, ^3, 0)), layout!((2, 2, 4):(64, 128, 256)) => "(2,4,2):(^65,^131,512)";
        layout!((8, 8, 3):(^1, ^9, 0)), layout!((64, 3):(0, 192)) => "(8,8,3):(^1,^9,192)";
        layout!((8, 8, 4):(^1, ^9, 0)), layout!((64, 4):(0, d)) => "(8,8,4):(^1,^9,64)";
        layout!((8, 8, n):(^1, ^9, 64)), layout!((64, n):(0, 512)) => "(8,8,6):(^1,^9,576)";
    }
    let sum = |a: &str, b: &str| a.parse::<DynLayout>().unwrap().layout_add(&b.parse::<DynLayout>().unwrap());
    assert_eq!(sum("0:^1", "0:-1").unwrap().to_string(), "0:0");
    // A natural stride that only run time knows is asked then whether it meets the bits.
    let error = layout!((8, 8, 3):(^1, ^9, 0)).try_layout_add(layout!((64, 3):(0, d / 2))).unwrap_err();
    assert_eq!(error.fault(), Fault::PartsMeet { bit: 5 });
    let fault = |a: &str, b: &str| sum(a, b).unwrap_err().fault();
    assert_eq!(fault("(8,8):(^1,^9)", "(8,8):(^1,^9)"), Fault::XorSum { bit: 0 });
    assert_eq!(fault("(8,8):(^1,^9)", "64:1"), Fault::PartsMeet { bit: 0 });
    assert_eq!(fault("(8,8):(^1,^9)", "(8,8):(-64,0)"), Fault::TwoParts { steps: 8, natural: 64, without: 1 });
    assert_eq!(fault("(6,8):(^3,^8)", "(3,16):(64,512)"), Fault::NoPowerOfTwo { number: 3 });
    assert_eq!(fault("(8,8):(^1,^9)", "(8,7):(1,8)"), Fault::Sizes { left: 64, right: 56 });
}
