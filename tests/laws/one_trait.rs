//! Static, mixed and dynamic layouts under one trait, and the ways between them.

use std::fmt::Display;

use layout_algebra::Number;
use layout_algebra::prelude::*;

/// Code for any layout: all that it knows is the trait.
fn offsets<L: Layout<Offset = usize>>(layout: &L) -> Vec<usize> {
    let by_number: Vec<_> = (0..layout.size()).map(|i| layout.at(i)).collect();
    let by_coordinate: Vec<_> = layout.coords().map(|c| layout.locate(c)).collect();
    assert_eq!(by_number, by_coordinate);
    assert_eq!(layout.cosize(), by_number.iter().max().map_or(0, |most| most + 1));
    by_number
}

/// One bound is enough to cut a layout into tiles, whatever it is.
fn tiles<L: ZippedDivide<T, Tile: Layout<Offset = usize>, Rest: Layout<Offset = usize>>, T>(
    layout: &L,
    tile: T,
) -> Vec<Vec<usize>> {
    let (tile, rest) = L::tile_and_rest(layout.zipped_divide(tile));
    offsets(&rest)
        .into_iter()
        .map(|start| offsets(&tile).into_iter().map(|x| start + x).collect())
        .collect()
}

/// Code for any number as a leaf, without a bound on what the leaf is put into.
fn square<N: Number>(n: N) -> Layout!((N, N):(1, N)) {
    layout!((n, n):(1, n))
}

#[test]
fn one_function_takes_all_three_kinds() {
    let (m, d) = (4, 10);
    let expected: Vec<_> = (0..6).flat_map(|j| (0..4).map(move |i| i * 10 + j)).collect();
    assert_eq!(offsets(&layout!((4, 6):(10, 1))), expected);
    assert_eq!(offsets(&layout!((m, 6):(d, 1))), expected);
    assert_eq!(offsets(&"(4,6):(10,1)".parse::<DynLayout>().unwrap()), expected);
    assert_eq!(offsets(&layout!((m, (2, 3)):(d, (3, 1)))).len(), 24);
}

#[test]
fn one_bound_cuts_all_three_kinds() {
    let expected = [
        [0, 1, 4, 5, 8, 9],
        [2, 3, 6, 7, 10, 11],
        [12, 13, 16, 17, 20, 21],
        [14, 15, 18, 19, 22, 23],
    ];
    let (m, n) = (4, 6);
    assert_eq!(tiles(&layout!((4, 6)), tiler!(2, 3)), expected);
    assert_eq!(tiles(&layout!((m, n):(1, m)), tiler!(2, 3)), expected);
    let dynamic: DynLayout = "(4,6):(1,4)".parse().unwrap();
    assert_eq!(tiles(&dynamic, "<2,3>".parse::<DynTiler>().unwrap()), expected);
}

#[test]
fn generic_leaves_need_no_further_bound() {
    assert_eq!(square(5).size() + square(int!(5)).size(), 50);
    assert_eq!(size_of_val(&square(int!(5))), 0);
    assert_eq!(square(int!(5)).index((1, 1)), 6);
}

#[test]
fn every_layout_turns_dynamic_and_back() {
    let n = 6;
    let eight = Multiple::<Int<8>>::new(24).unwrap();
    macro_rules! there_and_back {
        ($($layout:expr, $type:ty, $text:literal;)*) => {$({
            let layout: $type = $layout;
            let dynamic = DynLayout::from(layout);
            assert_eq!(dynamic.to_string(), $text);
            assert_eq!(format!("{layout:#}").parse::<DynLayout>().unwrap(), dynamic);
            assert_eq!(format!("{layout}").parse::<DynLayout>().unwrap(), dynamic);
            assert_eq!(<$type>::try_from(&dynamic).unwrap(), layout);
            assert_eq!(<$type>::try_from(dynamic).unwrap(), layout);
        })*};
    }
    there_and_back! {
        layout!(6:2), Layout!(6:2), "6:2";
        layout!((4, (2, 3)):(1, (12, 4))), Layout!((4, (2, 3)):(1, (12, 4))), "(4,(2,3)):(1,(12,4))";
        layout!((4, n):(n, 1)), Layout!((4, _):(_, 1)), "(4,6):(6,1)";
        layout!(((4,), n):((n,), 1)), Layout!(((4,), _):((_,), 1)), "((4),6):((6),1)";
        layout!((eight, n):(1, eight)), Layout!((Multiple<Int<8>>, _):(1, Multiple<Int<8>>)), "(24,6):(1,24)";
    }
}

#[test]
fn layouts_of_all_types_are_equal_if_their_numbers_are() {
    let (zero, four, six) = (0, 4, 6);
    let eight = Multiple::<Int<8>>::new(24).unwrap();
    macro_rules! compare {
        ($($left:expr),* $(,)?) => {
            // Each with each: equal if their texts are, which is how the dynamic ones compare.
            $(compare!(@ $left; layout!((4, 6)), layout!((four, 6):(1, 4)), layout!((4, six):(1, four)),
                layout!((4, 6):(6, 1)), layout!((4, (2, 3))), layout!((4, (6,))), layout!(24),
                layout!((eight, 1):(1, 0)), layout!((24, 1)), layout!((zero, 6):(1, zero)), layout!((4, 6, 1)));)*
        };
        (@ $left:expr; $($right:expr),*) => {$({
            let (left, right) = ($left, $right);
            let [a, b] = [DynLayout::from(left), DynLayout::from(right)];
            let expected = a == b;
            assert_eq!((left == right, right == left), (expected, expected), "{left} and {right}");
        })*};
    }
    compare!(
        layout!((4, 6)),
        layout!((four, six):(1, four)),
        layout!((4, 6):(6, 1)),
        layout!((4, (2, 3))),
        layout!((four, (2, 3)):(1, (four, 8))),
        layout!((4, (6,))),
        layout!(24),
        layout!((24, 1)),
        layout!((zero, 6):(1, zero)),
        layout!((4, 6, 1)),
    );
}

#[test]
fn the_way_back_checks_profile_and_static_leaves() {
    let dynamic: DynLayout = "(4,6):(6,1)".parse().unwrap();
    let error = |text: Result<(), LayoutError>| text.unwrap_err().to_string();
    assert_eq!(
        error(<Layout!((4, 7):(_, 1))>::try_from(&dynamic).map(drop)),
        "cannot turn into the static type the layout (4,6):(6,1): leaf 1 is 6, and the type says 7",
    );
    assert!(<Layout!((4, (6,)):(_, (1,)))>::try_from(&dynamic).is_err());
    assert!(<Layout!((_, _, _):(_, _, _))>::try_from(&dynamic).is_err());
    assert!(<Layout!(_:_)>::try_from(&dynamic).is_err());
    assert!(<Layout!((_, Multiple<Int<4>>):(_, _))>::try_from(&dynamic).is_err());
}

#[test]
fn tilers_and_shapes_turn_dynamic_too() {
    let n = 3;
    assert_eq!(
        DynTiler::from(tiler!(4, <2, _>, (2, n):(1, 8))).to_string(),
        "<4,<2,_>,(2,3):(1,8)>"
    );
    assert_eq!(DynShape::from(shape!((4, (2, n)))).to_string(), "(4,(2,3))");
}

#[test]
fn sizes_that_leave_usize_are_errors_in_release_builds_too() {
    let huge = usize::MAX / 2;
    let layout = layout!((huge, huge):(1, huge));
    let message = std::panic::catch_unwind(|| layout.size()).unwrap_err();
    assert!(message.downcast_ref::<String>().unwrap().contains("beyond"));
    let error = layout!(huge:1).try_compose(layout!((huge, 3):(huge, 1))).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Overflow);
}

#[test]
fn empty_layouts_are_legal_at_run_time() {
    let n = 0;
    let empty = layout!((4, n):(1, 4));
    assert_eq!((empty.size(), empty.cosize(), empty.coords().count()), (0, 0, 0));
    assert_eq!(empty.zipped_divide(tiler!(2, 1)).size(), 0);
}

/// Every operation of the algebra as generic code calls it, in the notation of the results.
fn algebra<L, T, S, M>(layout: &L, tile: T, profile: S, mode: M) -> Vec<String>
where
    T: Copy,
    S: Copy,
    M: Copy,
    L: Coalesce<Output: Display>
        + Filter<Output: Display>
        + Flatten<Output: Display>
        + LayoutLike<Output: Display>,
    L: LeftInverse<Output: Display> + RightInverse<Output: Display>,
    L: Reverse<Output: Display> + Transpose<Output: Display>,
    L: Compose<T, Output: Display>
        + LogicalDivide<T, Output: Display>
        + TiledDivide<T, Output: Display>,
    L: FlatDivide<T, Output: Display>
        + RoundUp<T, Output: Display>
        + ZippedDivide<T, Output: Display>,
    L: LogicalProduct<M, Output: Display>
        + ZippedProduct<M, Output: Display>
        + TiledProduct<M, Output: Display>,
    L: FlatProduct<M, Output: Display>
        + BlockedProduct<M, Output: Display>
        + RakedProduct<M, Output: Display>,
    L: Append<M, Output: Display>
        + Prepend<M, Output: Display>
        + MaxCommonLayout<M, Output: Display>,
    L: CoalesceBy<S, Output: Display>
        + FilterBy<S, Output: Display>
        + TileToShape<S, Output: Display>,
    L: WithShape<S, Output: Display>
        + Complement<usize, Output: Display>
        + Replace<1, M, Output: Display>,
    L: Upcast<Int!(2), Output: Display>
        + Downcast<Int!(2), Output: Display>
        + Recast<Shape!((16, 8)), Output: Display>,
    L: Select<Shape!((1, 0)), Output: Display>
        + Group<0, 2, Output: Display>
        + Take<0, 1, Output: Display>,
    L: Layout<Offset = usize>
        + ModeOf<1, Output: Display>
        + Slice<(usize, core::ops::RangeFull), Output: Display>,
{
    macro_rules! texts {
        ($($method:ident $(::<$($mode:literal),*>)? ($($operand:expr),*)),*) => {
            vec![$(format!("{}: {:#}", stringify!($method),
                LayoutAlgebra::$method $(::<$($mode),*>)? (layout $(, $operand)*))),*]
        };
    }
    let mut all = texts![
        coalesce(),
        filter(),
        flatten(),
        layout_like(),
        left_inverse(),
        right_inverse(),
        reverse(),
        transpose(),
        compose(tile),
        logical_divide(tile),
        tiled_divide(tile),
        flat_divide(tile),
        round_up(tile),
        zipped_divide(tile),
        logical_product(mode),
        zipped_product(mode),
        tiled_product(mode),
        flat_product(mode),
        blocked_product(mode),
        raked_product(mode),
        append(mode),
        prepend(mode),
        max_common_layout(mode),
        coalesce_by(profile),
        filter_by(profile),
        tile_to_shape(profile),
        with_shape(profile),
        upcast(int!(2)),
        downcast(int!(2)),
        recast(shape!((16, 8))),
        select(shape!((1, 0))),
        group::<0, 2>(),
        take::<0, 1>(),
        mode::<1>()
    ];
    all.push(format!("complement: {:#}", layout.complement(96)));
    all.push(format!("replace: {:#}", layout.replace::<1, M>(mode)));
    let (row, offset) = LayoutAlgebra::slice(layout, (1, ..));
    all.push(format!("slice: {row:#} at {offset}"));
    all
}

#[test]
fn one_function_does_the_whole_algebra_on_both() {
    let known = layout!((4, 6));
    let found = algebra(&DynLayout::from(known), tiler!(2, 3), shape!((4, 6)), layout!(2:1));
    assert_eq!(found, algebra(&known, tiler!(2, 3), shape!((4, 6)), layout!(2:1)));
}

/// Layouts are copied as they are taken, so that a borrowed one will do.
#[test]
fn a_layout_to_the_right_may_be_borrowed() {
    let (a, b) = (layout!((4, 6)), layout!(2:2));
    assert_eq!(
        (a.compose(&b), a.logical_divide(&b), a.append(&b)),
        (a.compose(b), a.logical_divide(b), a.append(b))
    );
    let (dynamic, right) = (DynLayout::from(a), DynLayout::from(b));
    assert_eq!((dynamic.compose(&right), right.size()), (dynamic.compose(b), 2));
}
