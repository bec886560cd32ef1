//! XOR and negative strides in the types: the definitions by brute force, and the dynamic engine.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use layout_algebra::prelude::*;
use layout_algebra::{Minus, SteppedLayout, Xor};
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

/// All that a layout says of itself is what `DynLayout` says, and what it reads is the layout again.
macro_rules! agree {
    ($layout:expr) => {{
        let layout = $layout;
        let dynamic = layout.to_dynamic();
        assert_eq!(format!("{layout:#}"), dynamic.to_string());
        assert_eq!(layout.to_string().parse::<DynLayout>().unwrap(), dynamic, "{layout}");
        assert_eq!((layout.size(), layout.cosize()), (dynamic.size(), dynamic.cosize()), "{layout}");
        assert_eq!((layout.rank(), layout.depth()), (dynamic.rank(), dynamic.depth()), "{layout}");
        assert_eq!(hash(&layout), hash(&dynamic), "{layout}");
        assert!((0..layout.size()).all(|i| layout.at(i) as isize == dynamic.signed_index(i)), "{layout}");
        assert_eq!(read_as(&layout, &dynamic).unwrap(), layout);
        (layout, dynamic)
    }};
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
        assert!((0..right.size()).all(|i| composed.at(i) == left.at(right.at(i))), "{left} o {right} is {composed}");
        assert_eq!(of_composed, of_left.compose(right.to_dynamic()).unwrap(), "{left} o {right}");
        let (merged, of_merged) = agree!(left.coalesce());
        assert!((0..left.size()).all(|i| merged.at(i) == left.at(i)), "{left} coalesced is {merged}");
        // Leaves that only run time knows are not merged.
        if size_of_val(&left) == 0 {
            assert_eq!(of_merged, of_left.coalesce(), "{left}");
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

#[test]
fn tiles_are_those_of_the_dynamic_engine() {
    macro_rules! divides {
        ($($layout:expr, $tiler:expr;)*) => {$({
            let ((layout, dynamic), tiler) = (agree!($layout), $tiler);
            let (zipped, of_zipped) = agree!(layout.zipped_divide(tiler));
            assert_eq!(of_zipped, dynamic.zipped_divide(tiler.to_dynamic()).unwrap(), "{layout}");
            let (logical, of_logical) = agree!(layout.logical_divide(tiler));
            assert_eq!(of_logical, dynamic.logical_divide(tiler.to_dynamic()).unwrap(), "{layout}");
            assert!((0..layout.size()).all(|i| zipped.coords().any(|c| zipped.index(c) == layout.at(i))), "{layout}");
            let _ = logical;
        })*};
    }
    let (n, d) = (12, 20);
    divides! {
        layout!((8, 8):(^1, ^9)), tiler!(2, 4);
        layout!((8, 8):(^d, ^1)), tiler!(4, _);
        layout!((8, n):(^1, ^9)), tiler!(4, 2);
        layout!(((2, 4), 8):((^1, ^2), ^9)), tiler!(4, (2, 2):(1, 4));
        layout!((4, 6):(-1, 4)), tiler!(2, 3);
        layout!((4, n):(-n, -1)), tiler!(2, 3);
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
    assert_eq!(l.try_slice((1..3, 0, 0)).unwrap_err().kind().as_str(), "stride");
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
                    assert!((0..layout.size()).all(|i| other.at(i) == layout.at(i)), "{layout}");
                }
                (Err(error), Err(expected)) => assert_eq!(error.fault(), expected.fault(), "{layout}"),
                (found, expected) => panic!("{layout}: {found:?} in the types, {expected:?} at run time"),
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
