//! Negative strides in the types: the definitions by brute force, and the dynamic engine.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use layout_algebra::prelude::*;
use layout_algebra::{strides::Neg, strides::SteppedLayout};
use proptest::prelude::*;
use static_assertions::{assert_not_impl_any, assert_type_eq_all};

fn hash(value: &impl Hash) -> u64 {
    let mut state = DefaultHasher::new();
    value.hash(&mut state);
    state.finish()
}

/// The layout, and the dynamic one of the same offsets. Messages print that one: text of each type
/// is code of its own.
macro_rules! agree {
    ($layout:expr) => {{
        let layout = $layout;
        let dynamic = layout.to_dynamic();
        assert_eq!(
            (layout.size(), layout.cosize()),
            (dynamic.size(), dynamic.cosize()),
            "{dynamic}"
        );
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

/// All that a layout says of itself is what `DynLayout` says, and what it reads is the layout
/// again.
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
        layout!((4, 6):(-1, 4)); layout!((4, n):(-1, 4)); layout!((4, 6):(-d, 4)); layout!((4, n):(-n, -1));
        layout!((2, (2, 3)):(-1, (-2, -4))); layout!(1:-3); layout!((4, empty):(-1, 4)); layout!((6, 4):(0, -1));
        layout!((2, 4):(-0, 1)); layout!((4, 6):(-1, 4)).zipped_divide(tiler!(2, 3));
        layout!((4, 6):(-1, 4)).compose(layout!((2, 3):(5, 8)));
    }
}
/// The dynamic layout as one of the same type.
fn read_as<L: for<'a> TryFrom<&'a DynLayout, Error = LayoutError>>(
    _: &L,
    dynamic: &DynLayout,
) -> Result<L, LayoutError> {
    L::try_from(dynamic)
}
#[test]
fn a_layout_is_read_as_the_type_that_it_is() {
    type Flipped = Layout!((4, _):(-1, 4));
    let read = |text: &str| Flipped::try_from(text.parse::<DynLayout>().unwrap());
    assert_eq!(read("(4,6):(-1,4)").unwrap(), layout!((4, 6):(-1, 4)));
    for text in [
        "(4,6):(1,4)",
        "(4,6):(-1,-4)",
        "(4,6):(^1,4)",
        "(4,6):(-2,4)",
        "(3,6):(-1,4)",
        "(4,(2,3)):(-1,(4,8))",
    ] {
        assert_eq!(read(text).unwrap_err().kind().as_str(), "profile", "{text}");
    }
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
        layout!((4, 6):(-1, 4)), layout!((2, 6):(2, 4));
        layout!((4, 6):(-1, 4)), layout!((2, 3):(5, 8));
        layout!((4, 6):(-1, 4)), layout!((4, 2):(1, 0));
        layout!((4, n):(-1, 4)), layout!((2, m):(2, 8));
        layout!((4, 6):(-d, 4)), layout!((2, 6):(2, 4));
        layout!((4, 6):(-6, -1)), layout!(24:1);
        layout!((4, 6):(-6, -24)), layout!(24:1);
        layout!((2, (2, 3)):(-1, (-2, -4))), layout!(12:1);
        // One step goes forwards in one mode and backwards in another: the sum has the sign of the
        // longer one, or is 0.
        layout!((4, 6):(-1, 4)), layout!(3:5);
        layout!((4, 6):(-9, 4)), layout!(3:5);
        layout!((4, 6):(4, -4)), layout!(3:5);
        layout!((4, 4, 2):(1, -6, 64)), layout!((2, (2, 2)):(5, (10, 16)));
        // Beyond the last mode, which has no end.
        layout!((4, 2):(3, -1)), layout!((2, 8):(2, 4));
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
            let (_, of_tiled) = agree!(layout.tiled_divide(tiler));
            assert_eq!(of_tiled, dynamic.tiled_divide(tiler.to_dynamic()).unwrap(), "{dynamic}");
            let (_, of_flat) = agree!(layout.flat_divide(tiler));
            assert_eq!(of_flat, dynamic.flat_divide(tiler.to_dynamic()).unwrap(), "{dynamic}");
            let (_, rounded) = agree!(layout.round_up(tiler));
            assert_eq!(rounded, dynamic.round_up(tiler.to_dynamic()).unwrap(), "{dynamic}");
            let of_tiles = sorted(layout.size(), &|i| zipped.at(i) as isize);
            assert_eq!(of_tiles, sorted(layout.size(), &|i| layout.at(i) as isize), "{dynamic}");
        })*};
    }
    let n = 12;
    divides! {
        layout!((4, 6):(-1, 4)), tiler!(2, 3);
        layout!((4, 6):(-1, 4)), tiler!((2, 2):(2, 1), _);
        layout!((4, 6):(-1, 4)), layout!((2, 3):(2, 8));
        layout!((4, n):(-n, -1)), tiler!(2, 3);
        layout!(((2, 4), 8):((-1, -2), 9)), tiler!(4, (2, 2):(1, 4));
    }
    // The tile and the rest of a division are layouts of its kind.
    type Divided = <Layout!((4, 6):(-1, 4)) as ZippedDivide<Tiler!(2, 3)>>::Tile;
    assert_type_eq_all!(Divided, Layout!((2, 3):(-1, 4)));
}

/// `W(c) + offset == L(c with what is fixed)`, also of ranges and windows; and what `DynLayout`
/// slices.
#[test]
fn slices_are_sums_or_refused() {
    let (f, dynamic) = agree!(layout!((4, 6):(-1, 4)));
    for (i, j) in f.coords() {
        let (column, at) = f.slice((.., j));
        assert_eq!(column.index(i) + at, f.index((i, j)));
        let (part, at) = f.slice((i.., j));
        assert_eq!(part.index(0) + at, f.index((i, j)));
        let (window, at) = f.window((i, j), (4 - i, 6 - j));
        assert_eq!(window.index((3 - i, 5 - j)) + at, f.index((3, 5)));
    }
    let (rows, at) = f.slice((1..3, ..));
    assert_eq!((rows.to_string().as_str(), at), ("(2,_6):(-_1,_4)", -1));
    let error = f.try_slice((2..5, 0)).unwrap_err();
    assert_eq!(error.fault(), dynamic.slice((2..5, 0)).unwrap_err().fault());
    assert_eq!(
        error.to_string(),
        "cannot slice (4,6):(-1,4): the range 2..5 reaches beyond the extent 4"
    );
}

#[test]
fn what_regroups_modes_takes_strides_as_they_are() {
    let l = layout!((2, (4, 3)):(-1, (-6, 32)));
    assert_eq!(l.flatten(), layout!((2, 4, 3):(-1, -6, 32)));
    assert_eq!(l.reverse(), layout!(((4, 3), 2):((-6, 32), -1)));
    assert_eq!(l.mode::<1>(), layout!((4, 3):(-6, 32)));
    assert_eq!(l.take::<0, 1>(), layout!((2):(-1)));
    assert_eq!(l.flatten().group::<0, 2>(), layout!(((2, 4), 3):((-1, -6), 32)));
    assert_eq!(l.ungroup::<1>(), l.flatten());
    assert_eq!(l.select(shape!((1, 0))), layout!(((4, 3), 2):((-6, 32), -1)));
    assert_eq!(layout!((4, 6):(-1, 4)).transpose(), layout!((6, 4):(4, -1)));
    assert_eq!(layout!((4, 6):(-1, -4)).coalesce_by(shape!(1)), layout!(24:-1));
    assert_eq!(layout!((4, 6, 1):(-1, 0, 3)).filter(), layout!(4:-1));
    assert_ne!(layout!((4, 6):(-1, 4)), layout!((4, 6):(1, -4)));
    assert_eq!(layout!((8, 8):(-1, -0)), layout!((8, 8):(-1, 0)));
    let zero = 0;
    assert_eq!(layout!((8, 8):(-1, -zero)), layout!((8, 8):(-1, 0)));
    assert_eq!(hash(&layout!((8, 8):(-1, -zero))), hash(&layout!((8, 8):(-1, 0))));
    let _: Layout!(4:0) = layout!(4:-0);
}

#[test]
fn other_shapes_and_compact_layouts_are_those_of_the_dynamic_engine() {
    macro_rules! with_shape {
        ($($layout:expr, $shape:tt;)*) => {$({
            let (layout, dynamic) = agree!($layout);
            let (shaped, of_shaped) = agree!(layout.with_shape(shape!($shape)));
            assert_eq!(of_shaped, dynamic.with_shape(&stringify!($shape).parse().unwrap()).unwrap(), "{dynamic}");
            equal(&dynamic, &|i| shaped.at(i) as isize, &|i| layout.at(i) as isize);
        })*};
    }
    with_shape! {
        layout!((4, 6):(-1, 4)), (2, 12);
        layout!((4, 6):(6, -1)), (4, (2, 3));
    }
}

/// What orders strides, or leads back from offsets, takes natural strides in the types. `DynLayout`
/// has it of all.
#[test]
fn what_asks_more_of_strides_is_the_dynamic_engines() {
    type Signed = Layout!((4, 6):(-1, 4));
    assert_not_impl_any!(Signed: RightInverse, LeftInverse, LayoutLike, Complement<Int<24>>, ComplementCeil<Int<24>>);
    assert_not_impl_any!(Signed: LogicalProduct<Int<2>>, ZippedProduct<Int<2>>, TiledProduct<Int<2>>, FlatProduct<Int<2>>);
    assert_not_impl_any!(Signed: BlockedProduct<Int<2>>, RakedProduct<Int<2>>, TileToShape<Shape!((8, 12))>);
    assert_not_impl_any!(Signed: Upcast<Int<2>>, Downcast<Int<2>>, Recast<(Int<8>, Int<4>)>, MaxCommonLayout<Signed>);
    assert_not_impl_any!(Signed: Append<Layout!(2:24)>, Prepend<Layout!(2:24)>);
    // On the right of what takes a layout.
    type Plain = Layout!((4, 6));
    assert_not_impl_any!(Plain: Compose<Signed>, LogicalDivide<Signed>, ZippedDivide<Signed>, TiledDivide<Signed>);
    assert_not_impl_any!(Plain: LogicalProduct<Signed>, BlockedProduct<Signed>, MaxCommonLayout<Signed>, Append<Signed>);
    assert_not_impl_any!(Signed: Compose<Signed>, Compose<Identity<Shape!((4, 6))>>);
    let dynamic = layout!((4, 6):(-1, 4)).to_dynamic();
    assert_eq!(dynamic.complement(48).unwrap().to_string(), "2:24");
    assert_eq!(
        dynamic.append(&layout!(2:24).to_dynamic()).unwrap().to_string(),
        "(4,6,2):(-1,4,24)"
    );
}

/// A layout has no strides of another kind than its own, whichever way it is made.
#[test]
fn strides_are_those_of_the_layout() {
    type Axes = <Identity<Shape!((4, 6))> as Layout>::Stride;
    assert_not_impl_any!(SignedLayout<Shape!((4, 6)), Axes>: Default);
    assert_not_impl_any!(IdentityLayout<Shape!(4), Shape!(4), Neg<Int<1>>>: Default);
    assert_not_impl_any!(IdentityLayout<Shape!(4), Shape!(4), Int<1>>: Default);
    assert_eq!(
        <SignedLayout<Shape!((4, 6)), (Neg<Int<1>>, Int<4>)>>::default(),
        layout!((4, 6):(-1, 4))
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn negative_layouts_are_what_the_definition_says(
        s in (0..7usize, 1..7usize, 1..7usize), d in (0..40usize, 0..40usize, 0..40usize),
    ) {
        use layout_algebra::DynStride::{Natural, Negative};
        let layout = SignedLayout::new(s, (Neg::new(d.0), d.1, Neg::new(d.2)));
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

/// One code serves all kinds.
#[test]
fn generic_code_takes_every_kind() {
    fn offsets<T: layout_algebra::Semimodule, S: IntTuple, D: IntTuple>(
        l: SteppedLayout<T, S, D>,
    ) -> Vec<T::Offset> {
        (0..l.size()).map(|i| l.at(i)).collect()
    }
    assert_eq!(offsets(layout!(4:-3)), [0, -3, -6, -9]);
    assert_eq!(offsets(identity(shape!(4))), [0, 1, 2, 3]);
}
