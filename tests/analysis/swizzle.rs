//! Swizzles and composed layouts: their laws at run time, and the types against run time.

use std::collections::BTreeSet;

use layout_algebra::prelude::*;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use static_assertions::{assert_impl_all, assert_not_impl_any, assert_type_eq_all};

fn text<T: std::str::FromStr<Err = LayoutError>>(text: &str) -> T {
    text.parse().expect("an operand")
}

fn all_swizzles(most: u32) -> impl Iterator<Item = DynSwizzle> {
    let all = (0..=most)
        .flat_map(move |b| (0..=most).flat_map(move |m| (b..=most).map(move |s| (b, m, s as i32))));
    all.flat_map(|(b, m, s)| [DynSwizzle::new(b, m, s), DynSwizzle::new(b, m, -s)]).flatten()
}

// ---- swizzles -----------------------------------------------------------------------------------

/// All `B`, `M` and `|S|` up to 5, bit by bit.
#[test]
fn a_swizzle_xors_bits_and_is_an_involution() {
    for swizzle in all_swizzles(5) {
        let (bits, base, shift) = swizzle.parameters();
        for x in (0..1 << 16).step_by(7) {
            let bit = |x: usize, k: i32| x >> k & 1;
            let expected = (0..bits as i32).fold(x, |y, k| {
                let (low, apart) = (base as i32 + k, shift.abs());
                if shift >= 0 {
                    y ^ bit(x, low + apart) << low
                } else {
                    y ^ bit(x, low) << (low + apart)
                }
            });
            // No bits, or a distance of 0, which only no bits have.
            assert_eq!(swizzle.apply(x), expected, "{swizzle} of {x}");
            assert_eq!(swizzle.apply(swizzle.apply(x)), x);
        }
    }
}

/// Composition is what the functions say, and is refused only where no swizzle does it.
#[test]
fn swizzles_compose_exactly() {
    const X: usize = 1 << 9;
    let swizzles: Vec<_> =
        all_swizzles(2).chain(["Sw<1,0,4>", "Sw<2,1,3>", "Sw<3,0,3>"].map(text)).collect();
    let image = |f: &dyn Fn(usize) -> usize| (0..X).map(f).collect::<Vec<_>>();
    let known: BTreeSet<_> = all_swizzles(4).map(|swizzle| image(&|x| swizzle.apply(x))).collect();
    let (mut composed, mut refused) = (0, 0);
    for (a, b) in swizzles.iter().flat_map(|a| swizzles.iter().map(move |b| (a, b))) {
        let both = image(&|x| a.apply(b.apply(x)));
        match a.compose(b) {
            Ok(swizzle) => assert_eq!(image(&|x| swizzle.apply(x)), both, "{a} o {b} = {swizzle}"),
            Err(error) => {
                assert_eq!(error.fault(), Fault::NoSwizzle);
                assert!(!known.contains(&both), "{a} o {b} is a swizzle");
            }
        }
        if a.compose(b).is_ok() { composed += 1 } else { refused += 1 }
    }
    assert!(composed > 100 && refused > 100, "{composed} composed, {refused} refused");
}

#[test]
fn a_swizzle_in_other_units_moves_units() {
    for swizzle in all_swizzles(5) {
        for unit in [1usize, 2, 3, 4, 8, 32] {
            if let Ok(units) = swizzle.upcast(unit) {
                assert!(
                    (0..4096).all(|x| units.apply(x / unit) == swizzle.apply(x) / unit),
                    "{swizzle} by {unit}"
                );
            } else {
                assert!(!unit.is_power_of_two() || unit > 1 << swizzle.parameters().1);
            }
            if let Ok(parts) = swizzle.downcast(unit) {
                assert!(
                    (0..4096).all(|x| parts.apply(x) == unit * swizzle.apply(x / unit) + x % unit)
                );
            }
        }
    }
}

#[test]
fn types_are_what_run_time_is() {
    macro_rules! same {
        ($($b:literal $m:literal $s:literal;)*) => {$(
            let (fixed, free) = (Swizzle::<$b, $m, $s>::new(), DynSwizzle::new($b, $m, $s).unwrap());
            assert!((0..1 << 14).all(|x| fixed.apply(x) == free.apply(x)));
            assert_eq!((fixed.to_string(), DynSwizzle::from(fixed)), (free.to_string(), free));
            assert_eq!(size_of_val(&fixed), 0);
        )*};
    }
    same! { 0 0 0; 0 4 3; 1 4 3; 2 4 3; 3 4 3; 3 3 3; 3 3 -3; 2 0 -5; 5 0 5; 8 2 16; }
    const CONST: usize = Swizzle::<3, 4, 3>::new().apply(128);
    assert_eq!(CONST, 144);
}

#[test]
fn a_swizzle_is_read_as_it_is_printed() {
    for swizzle in all_swizzles(4) {
        assert_eq!(text::<DynSwizzle>(&swizzle.to_string()), swizzle);
    }
    for (wrong, kind) in [
        ("Sw<3,3>", "parse"),
        ("S<3,3,3>", "parse"),
        ("Sw<3,3,3", "parse"),
        ("Sw<3,3,3>4", "parse"),
        ("", "parse"),
        ("Sw<3,3,2>", "overlap"),
        ("Sw<3,3,99999999999>", "overflow"),
        ("Sw<3,70,3>", "overflow"),
        ("Sw<-3,3,3>", "parse"),
    ] {
        assert_eq!(wrong.parse::<DynSwizzle>().unwrap_err().kind().as_str(), kind, "{wrong}");
    }
}

// ---- composed layouts at run time ---------------------------------------------------------------

fn layout() -> impl Strategy<Value = DynLayout> {
    let mode =
        (select(vec![1usize, 2, 2, 3, 4, 4, 8]), select(vec![0usize, 1, 2, 4, 8, 16, 32, 3, 12]));
    vec(mode, 1..4).prop_map(|modes| {
        let (shape, stride): (Vec<_>, Vec<_>) = modes.into_iter().unzip();
        let tree = |leaves: Vec<usize>| {
            DynShape::tuple(leaves.into_iter().map(DynShape::from)).expect("a tuple")
        };
        DynLayout::new(tree(shape), tree(stride)).expect("a layout")
    })
}

fn swizzle() -> impl Strategy<Value = DynSwizzle> {
    (0u32..4, 0u32..4, 0u32..3, any::<bool>()).prop_map(|(bits, base, more, down)| {
        let shift = (bits + more) as i32;
        DynSwizzle::new(bits, base, if down { -shift } else { shift }).expect("a swizzle")
    })
}

fn composed() -> impl Strategy<Value = DynComposedLayout> {
    (swizzle(), prop_oneof![Just(0usize), 0usize..70], layout())
        .prop_map(|(s, f, l)| ComposedLayout::new(s, f, l))
}

fn image(layout: &impl Layout<Offset = usize>) -> Vec<usize> {
    (0..layout.size()).map(|i| layout.at(i)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_composed_layout_is_its_parts(c in composed()) {
        let expected = |i| c.outer().apply(c.offset() + c.inner().index(i));
        prop_assert!((0..c.size()).all(|i| c.at(i) == expected(i)));
        prop_assert_eq!(c.cosize(), image(&c).into_iter().max().map_or(0, |largest| largest + 1));
        prop_assert_eq!(text::<DynComposedLayout>(&c.to_string()), c.clone());
        prop_assert!(c.coords().zip(0..).all(|(coordinate, i)| c.index(&coordinate) == c.at(i)));
        prop_assert!(c.coords().zip(0..).all(|(coordinate, i)| c.locate(coordinate) == c.at(i)));
    }

    /// With modes long and short, with holes and without, under swizzles that go far.
    #[test]
    fn the_cosize_is_that_of_every_coordinate(
        shape in vec(1usize..40, 1..4),
        strides in vec(prop_oneof![0usize..9, select(vec![1, 2, 4, 8, 16, 32, 64, 128]), 0usize..200], 3),
        offset in 0usize..100,
        (bits, base, more) in (0u32..6, 0u32..6, 0u32..8),
        down in any::<bool>(),
    ) {
        prop_assume!(shape.iter().product::<usize>() <= 4000);
        let shift = (bits + more) as i32;
        let swizzle = DynSwizzle::new(bits, base, if down { -shift } else { shift }).expect("a swizzle");
        let tree = |numbers: &[usize]| DynShape::tuple(numbers.iter().map(|&n| n.into())).expect("a tuple");
        let inner = DynLayout::new(tree(&shape), tree(&strides[..shape.len()])).expect("a layout");
        let c = ComposedLayout::new(swizzle, offset, inner);
        prop_assert_eq!(c.cosize() - 1, image(&c).into_iter().max().unwrap(), "{}", c);
    }

    #[test]
    fn coalescing_keeps_the_function(c in composed()) {
        prop_assert_eq!(image(&c.coalesce()), image(&c));
        prop_assert_eq!(image(&c.flatten()), image(&c));
    }

    #[test]
    fn composition_is_exact(c in composed(), right in layout()) {
        if let Ok(result) = c.compose(&right) {
            prop_assert!((0..right.size()).all(|i| result.at(i) == c.at(right.index(i))));
        }
    }

    #[test]
    fn a_plain_layout_carries_a_swizzle_exactly_or_not_at_all(left in layout(), c in composed()) {
        if let Ok(result) = c.composed_under(&left) {
            prop_assert!((0..c.size()).all(|i| result.at(i) == left.index(c.at(i))), "{} o {} = {}", left, c, result);
        }
    }

    #[test]
    fn divides_and_products_keep_their_laws(c in composed(), tile in select(vec![1usize, 2, 4, 6])) {
        let sorted = |mut offsets: Vec<usize>| { offsets.sort_unstable(); offsets };
        let all = [c.logical_divide(tile), c.zipped_divide(tile), c.tiled_divide(tile), c.flat_divide(tile)];
        for divided in all.into_iter().flatten() {
            prop_assert_eq!(sorted(image(&divided)), sorted(image(&c)));
        }
        // Copies are disjoint where the layout and its copies are.
        if let (Ok(product), Ok(plain)) = (c.logical_product(tile), c.inner().logical_product(tile)) {
            let distinct = |offsets: Vec<usize>| offsets.into_iter().collect::<BTreeSet<_>>().len();
            prop_assert_eq!(distinct(image(&product)), distinct((0..plain.size()).map(|i| plain.index(i)).collect()));
        }
    }

    #[test]
    fn a_recast_is_of_the_same_memory(c in composed(), unit in select(vec![1usize, 2, 4, 8])) {
        if let Ok(units) = c.upcast(unit) {
            let expected: BTreeSet<_> = image(&c).into_iter().map(|offset| offset / unit).collect();
            prop_assert_eq!(image(&units).into_iter().collect::<BTreeSet<_>>(), expected);
        }
        if let Ok(parts) = c.downcast(unit) {
            let expected: BTreeSet<_> =
                image(&c).into_iter().flat_map(|offset| (0..unit).map(move |k| unit * offset + k)).collect();
            prop_assert_eq!(image(&parts).into_iter().collect::<BTreeSet<_>>(), expected);
            prop_assert_eq!(image(&parts.upcast(unit).unwrap()), image(&c));
        }
        // Sizes count by their ratio.
        if unit > 1 {
            prop_assert_eq!(c.recast(6, 6 * unit).ok(), c.upcast(unit).ok());
            prop_assert_eq!(c.recast(6 * unit, 6).ok(), c.downcast(unit).ok());
        }
    }

    #[test]
    fn inverses_undo(c in composed()) {
        if let Ok(inverse) = c.right_inverse() {
            prop_assert!((0..inverse.size()).all(|i| c.at(inverse.at(i)) == i), "{} of {}", inverse, c);
        }
        if let Ok(inverse) = c.left_inverse() {
            prop_assert!((0..c.size()).all(|i| c.at(inverse.at(c.at(i))) == c.at(i)));
            let injective = image(&c).into_iter().collect::<BTreeSet<_>>().len() == c.size();
            prop_assert!(!injective || (0..c.size()).all(|i| inverse.at(c.at(i)) == i));
        }
    }

    #[test]
    fn slices_are_what_they_keep(c in composed(), fixed in vec(any::<bool>(), 3), at in vec(0usize..8, 3)) {
        let (shape, rank) = (c.shape(), c.rank());
        let extent = |k: usize| shape.children().nth(k).map_or(1, |mode| mode.size());
        let coordinate: Vec<_> = (0..rank).map(|k| at[k] % extent(k)).collect();
        let slice =
            DynSlice::tuple((0..rank).map(|k| if fixed[k] { coordinate[k].into() } else { DynSlice::keep() })).unwrap();
        let (rest, offset) = c.slice(&slice).unwrap();
        let whole: Vec<_> = c.coords().filter(|x| {
            x.children().enumerate().all(|(k, number)| !fixed[k] || number.as_leaf() == Some(coordinate[k]))
        }).map(|x| c.index(&x)).collect();
        prop_assert_eq!(image(&rest).into_iter().map(|x| x + offset).collect::<Vec<_>>(), whole.clone());
        if let Some((plain, from)) = rest.plain() {
            prop_assert_eq!(image(&plain).into_iter().map(|x| x + from).collect::<Vec<_>>(), whole);
        }
    }
}

#[test]
fn what_is_no_composed_layout_is_refused() {
    for wrong in [
        "Sw<3,3,3> o (8,8):(8,1)",
        "Sw<3,3,3> 0 (8,8):(8,1)",
        "Sw<3,3,3> o 0 o (8,8)",
        "0 o (8,8):(8,1)",
    ] {
        let error = wrong.parse::<DynComposedLayout>().unwrap_err();
        assert_eq!(error.kind().as_str(), "parse", "{wrong}");
    }
    assert_eq!(
        text::<DynComposedLayout>(" Sw< 3,3,3 >o0o( 8,8):(8,1) ").to_string(),
        "Sw<3,3,3> o 0 o (8,8):(8,1)"
    );
    let composed: DynComposedLayout = text("Sw<2,1,2> o 3 o 16:1");
    assert!(matches!(
        composed.upcast(2).unwrap_err().fault(),
        Fault::OffsetUnit { offset: 3, unit: 2 }
    ));
    assert!(matches!(
        composed.upcast(4).unwrap_err().fault(),
        Fault::SwizzleUnit { block: 2, unit: 4 }
    ));
    assert!(matches!(composed.downcast(3).unwrap_err().fault(), Fault::SwizzleParts { parts: 3 }));
    assert!(matches!(
        composed.recast(4, 8).unwrap_err().fault(),
        Fault::OffsetUnit { offset: 3, unit: 2 }
    ));
    assert!(matches!(
        composed.recast(12, 8).unwrap_err().fault(),
        Fault::SwizzleParts { parts: 3 }
    ));
    assert!(matches!(composed.recast(0, 8).unwrap_err().fault(), Fault::ZeroUnit));
    assert!(matches!(
        composed.right_inverse().unwrap_err().fault(),
        Fault::SwizzleOffset { offset: 3 }
    ));
}

// ---- composed layouts as types ------------------------------------------------------------------

type Atom = ComposedLayout<Swizzle<3, 3, 3>, Int<0>, Layout!((8, 64):(64, 1))>;

/// The operations of the inner layout, as types; values are checked against the definition.
#[test]
fn operations_work_on_the_inner_layout() {
    let atom = Atom::default();
    let sw = |offset| Swizzle::<3, 3, 3>::new().apply(offset);
    macro_rules! same {
        ($($method:ident($($argument:expr),*);)*) => {$(
            let (result, inner) = (atom.$method($($argument),*), atom.inner().$method($($argument),*));
            assert_eq!(result.inner(), inner, stringify!($method));
            assert!((0..inner.size()).all(|i| result.at(i) == sw(inner.at(i))));
        )*};
    }
    same! {
        coalesce(); filter(); flatten(); reverse(); transpose(); coalesce_by((1, 1)); compose(tiler!(4, 8));
        compose(layout!((4, 2):(1, 8)));
        logical_divide(tiler!(2, 8)); zipped_divide(tiler!(2, 8)); tiled_divide(tiler!(2, 8));
        flat_divide(tiler!(2, 8));
        logical_product(layout!(2:1)); zipped_product(layout!(2:1)); tiled_product(layout!(2:1));
        flat_product(layout!(2:1));
        blocked_product(layout!((2, 2))); raked_product(layout!((2, 2))); tile_to_shape(shape!((16, 128)));
        round_up(tiler!(16, 64));
        select(shape!((1, 0)));
    }
    assert_eq!(atom.mode::<1>().to_string(), "Sw<3,3,3> o _0 o _64:_1");
    assert_eq!(atom.group::<0, 2>().rank(), 1);
    // A layout as the outer function has no products: it may fold copies onto one another.
    assert_not_impl_any!(ComposedLayout<Layout!(64:0), Int<0>, Layout!(8:1)>: LogicalProduct<Layout!(2:1)>);
    assert_impl_all!(Atom: LogicalProduct<Layout!(2:1)>);
}

/// The same at run time, where what may be refused is a `Result`, as the inner layout's is.
#[test]
fn operations_of_a_run_time_one_work_on_the_inner_layout() {
    let c: DynComposedLayout = text("Sw<2,0,2> o 3 o (4,4):(4,1)");
    let (tile, pair, shape) =
        (text::<DynTiler>("<2,2>"), text::<DynLayout>("(1,2):(0,1)"), text::<DynShape>("(8,8)"));
    macro_rules! same {
        ($($method:ident($($argument:expr),*);)*) => {$(
            let expected = c.inner().$method($($argument),*).map(|inner| ComposedLayout::new(c.outer(), 3, inner));
            assert_eq!(c.$method($($argument),*), expected, stringify!($method));
        )*};
    }
    same! {
        transpose(); coalesce_by(&text("(1,1)")); filter_by(&text("(1,1)")); select(&[1, 0]); select(&[2]);
        compose(&text::<DynLayout>("4:1")); compose(&text::<DynLayout>("3:3")); round_up(3);
        logical_divide(&tile); zipped_divide(&tile); tiled_divide(&tile); flat_divide(&tile); flat_divide(3);
        logical_product(2); zipped_product(&pair); tiled_product(&pair); flat_product(&pair);
        blocked_product(&pair); raked_product(&pair); tile_to_shape(&shape); tile_to_shape(&text("(5,8)"));
    }
    assert_eq!(
        c.zipped_divide(&tile).unwrap().to_string(),
        "Sw<2,0,2> o 3 o ((2,2),(2,2)):((4,1),(8,2))"
    );
    let through: [(DynComposedLayout, DynLayout); 5] = [
        (c.coalesce(), c.inner().coalesce()),
        (c.coalesce_z(), c.inner().coalesce_z()),
        (c.filter(), c.inner().filter()),
        (c.flatten(), c.inner().flatten()),
        (c.reverse(), c.inner().reverse()),
    ];
    for (result, inner) in through {
        assert_eq!(result, ComposedLayout::new(c.outer(), 3, inner));
    }
}

#[test]
fn everything_about_a_static_one_is_static() {
    const _: () =
        assert!(Atom::SIZE == 512 && Atom::COSIZE == 512 && Atom::RANK == 2 && Atom::DEPTH == 1);
    type Shifted = ComposedLayout<Swizzle<3, 3, 3>, Int<64>, Layout!((8, 64):(64, 1))>;
    const _: () = assert!(Shifted::COSIZE == 64 + 512);
    assert_eq!(size_of::<Shifted>(), 0);
    // What CuTe calls the cosize here is 2 + 1 = 3; offset 2 is swizzled to 3.
    const _: () = assert!(<ComposedLayout<Swizzle<1, 0, 1>, Int<0>, Layout!(2:2)>>::COSIZE == 4);
}

#[test]
fn a_slice_is_plain_where_the_swizzle_cannot_be_touched() {
    // 8 halves in a row: within the 3 bits below the swizzle, from a multiple of 8 on. Chunk 2 of
    // row 3 is swizzled to chunk 2 ^ 3 = 1.
    let (chunk, offset) = Atom::default().zipped_divide(tiler!(1, 8)).slice((.., (3, 2)));
    assert_eq!((chunk, offset), (layout!((1, 8):(0, 1)), 192 + 8));
    // A row touches it.
    let (row, offset) = Atom::default().slice((3, ..));
    let _: &ComposedLayout<Swizzle<3, 3, 3>, usize, Layout!(64:1)> = &row;
    assert!((0..64).all(|k| row.at(k) + offset == Atom::default().index((3, k))));
    // Stages lie above it.
    type Stages = ComposedLayout<Swizzle<3, 3, 3>, Int<0>, Layout!((8, 64, 4):(64, 1, 512))>;
    let (stages, offset) = Stages::default().slice((3, 17, ..));
    assert_eq!((stages, offset), (layout!(4:512), Atom::default().index((3, 17))));
    // A single element touches nothing.
    assert_eq!(Atom::default().slice((3, 17)), (layout!(1:0), Atom::default().index((3, 17))));
    // The same 8 halves from an odd offset on: the types do not know that it is a multiple of 8.
    let odd = ComposedLayout::new(Swizzle::<3, 3, 3>::new(), 4, layout!((8, 8):(64, 1)));
    let (chunk, offset) = odd.slice((1, ..));
    let _: &ComposedLayout<Swizzle<3, 3, 3>, usize, Layout!(8:1)> = &chunk;
    assert!((0..8).all(|k| chunk.at(k) + offset == odd.index((1, k))));
    // A dynamic stride of the row is not known to be a multiple; a `Multiple` is.
    let n = 72;
    let dynamic = Swizzle::<3, 3, 3>::new().compose(layout!((8, 8):(n, 1)));
    assert!((0..8).all(|k| dynamic.slice((5, ..)).0.at(k) == dynamic.index((5, k))));
    let known = Multiple::<Int<8>>::new(72).unwrap();
    let dynamic = Swizzle::<3, 3, 3>::new().compose(layout!((8, 8):(known, 1)));
    let (chunk, offset) = dynamic.slice((5, ..));
    assert_eq!((chunk, offset), (layout!(8:1), dynamic.index((5, 0))));
}

#[test]
fn recasts_are_of_all_three_parts() {
    // CUTLASS's K-major atom of 128 bytes, in bits, bytes, halves and floats.
    type Bits = ComposedLayout<Swizzle<3, 7, 3>, Int<0>, Layout!((8, 1024):(1024, 1))>;
    assert_type_eq_all!(Recasted<Bits, Shape!((1, 16))>, Upcasted<Bits, Int<16>>, Atom);
    assert_type_eq_all!(Downcasted<Atom, Int<2>>, ComposedLayout<Swizzle<3, 4, 3>, Int<0>, Layout!((8, 128):(128, 1))>);
    assert_type_eq_all!(
        Recasted<Atom, Shape!((16, 32))>,
        ComposedLayout<Swizzle<3, 2, 3>, Int<0>, Layout!((8, 32):(32, 1))>
    );
    // 16 halves are more than the 8 that the swizzle leaves together.
    assert_not_impl_any!(Atom: Upcast<Int<16>>);
    // The offset is cast too, and refused where a unit does not divide it.
    type Shifted<F> = ComposedLayout<Swizzle<3, 3, 3>, F, Layout!((8, 64):(64, 1))>;
    assert_type_eq_all!(
        Upcasted<Shifted<Int<64>>, Int<4>>,
        ComposedLayout<Swizzle<3, 1, 3>, Int<16>, Layout!((8, 16):(16, 1))>
    );
    assert_not_impl_any!(Shifted<Int<2>>: Upcast<Int<4>>);
    let shifted = ComposedLayout::new(Swizzle::<3, 3, 3>::new(), 6, layout!((8, 64):(64, 1)));
    assert_eq!(shifted.try_upcast(int!(4)).unwrap_err().kind().as_str(), "divisibility");
    assert_eq!(shifted.upcast(int!(2)).offset(), 3);
    // A swizzle and a layout of run time are cast like those of the types.
    let known = ComposedLayout::new(Swizzle::<3, 3, 3>::new(), int!(64), layout!((8, 64):(64, 1)));
    let swizzle =
        ComposedLayout::new(DynSwizzle::new(3, 3, 3).unwrap(), int!(64), layout!((8, 64):(64, 1)));
    let layout = ComposedLayout::new(
        Swizzle::<3, 3, 3>::new(),
        int!(64),
        text::<DynLayout>("(8,64):(64,1)"),
    );
    macro_rules! the_same {
        ($($cast:ident($by:expr)),*) => {$(
            let expected = format!("{:#}", known.$cast($by));
            assert_eq!(format!("{:#}", swizzle.$cast($by)), expected);
            assert_eq!(format!("{:#}", layout.$cast($by)), expected);
        )*};
    }
    the_same! { upcast(int!(4)), downcast(int!(8)), recast(shape!((8, 32))), recast(shape!((16, 8))) }
    assert_eq!(swizzle.try_upcast(int!(16)).unwrap_err().kind().as_str(), "divisibility");
}

#[test]
fn inverses_of_types_undo() {
    let atom = Atom::default();
    let (right, left) = (atom.right_inverse(), atom.left_inverse());
    assert_eq!(right.size(), 512);
    assert!((0..512).all(|i| atom.at(right.at(i)) == i && left.at(atom.at(i)) == i));
    // Only from offset 0.
    assert_not_impl_any!(ComposedLayout<Swizzle<3, 3, 3>, Int<8>, Layout!((8, 64):(64, 1))>: RightInverse, LeftInverse);
    // 48 numbers are no whole blocks of 32, and from 32 on the swizzle moves them.
    let ragged = Swizzle::<2, 3, 2>::new().compose(layout!(48:1));
    assert_eq!(ragged.try_right_inverse().unwrap_err().kind().as_str(), "divisibility");
}

#[test]
fn a_plain_layout_after_a_swizzled_one() {
    let atom = Atom::default();
    // 2^k carries the swizzle along.
    assert_type_eq_all!(
        Composition<Layout!(512:4), Atom>,
        ComposedLayout<Swizzle<3, 5, 3>, Int<0>, Layout!((8, 64):(256, 4))>
    );
    let wide = layout!(512:4).compose(atom);
    assert!((0..512).all(|i| wide.at(i) == 4 * atom.at(i)));
    // Others follow it as they are.
    let (three, pair) = (layout!(512:3).compose(atom), layout!((8, 64):(64, 1)).compose(atom));
    assert!(
        (0..512).all(|i| three.at(i) == 3 * atom.at(i)
            && pair.at(i) == layout!((8, 64):(64, 1)).at(atom.at(i)))
    );
    assert_eq!(format!("{pair:#}"), "(8,64):(64,1) o Sw<3,3,3> o 0 o (8,64):(64,1)");
    assert_eq!(pair.cosize(), 512);
}

#[test]
fn a_layout_can_be_the_outer_function() {
    let c = ComposedLayout::new(layout!((4, 8):(8, 1)), 3, layout!((2, 4):(4, 1)));
    assert!((0..8).all(|i| c.at(i) == layout!((4, 8):(8, 1)).at(3 + layout!((2, 4):(4, 1)).at(i))));
    assert_eq!(c.cosize(), (0..8).map(|i| c.at(i)).max().unwrap() + 1);
    let (rest, offset) = c.slice((1, ..));
    assert!((0..4).all(|k| rest.at(k) + offset == c.index((1, k))));
}

/// A chain of swizzles is what both do, its inverse undoes both, and it is recast like each.
#[test]
fn swizzles_follow_one_another() {
    let chain = Swizzle::<1, 3, 4>::new().compose(Swizzle::<2, 4, 2>::new());
    let c = ComposedLayout::new(chain, int!(0), layout!((16, 64):(64, 1)));
    assert!((0..1024).all(|i| c.right_inverse().at(c.at(i)) == i));
    let halves = c.upcast(int!(2));
    assert_eq!(format!("{halves:#}"), "Sw<1,2,4> o Sw<2,3,2> o 0 o (16,32):(32,1)");
    assert_eq!(c.cosize(), 1024);
}

/// The cosize of modes that nobody could walk along, for each engine.
#[cfg(target_pointer_width = "64")]
#[test]
fn the_cosize_of_long_modes() {
    const LONG: usize = u32::MAX as usize;
    let cosize = |layout: &str| text::<DynComposedLayout>(layout).cosize();
    // The last block of 64 is complete but for its last offset, and Sw<3,3,3> permutes its eighths.
    let most = |to: usize| {
        (to - 4096..to).map(|x| DynSwizzle::new(3, 3, 3).unwrap().apply(x)).max().unwrap() + 1
    };
    let wanted = most(LONG);
    assert_eq!(cosize("Sw<3,3,3> o 0 o 4294967295:1"), wanted);
    assert_eq!(
        ComposedLayout::new(Swizzle::<3, 3, 3>::new(), int!(0), layout!(4294967295)).cosize(),
        wanted
    );
    const STATIC: usize =
        <ComposedLayout<Swizzle<3, 3, 3>, Int!(0), Layout!(4294967295)> as StaticLayout>::COSIZE;
    assert_eq!(STATIC, wanted);
    assert_eq!(ComposedLayout::new(Swizzle::<3, 3, 3>::new(), 0, layout!(LONG)).cosize(), wanted);
    for length in [1 << 20, (1 << 20) + 1, (1 << 30) - 77, 999_999_999_999] {
        assert_eq!(cosize(&format!("Sw<3,3,3> o 0 o {length}:1")), most(length));
    }
    // Bit 0 is XORed into bit 31: 2^31 - 1 becomes 2^32 - 1, and 2^32 - 2 stays.
    assert_eq!(cosize("Sw<1,0,-31> o 0 o 4294967295:1"), 1 << 32);
    assert_eq!(cosize("Sw<1,0,-31> o 0 o (65535,65537):(65537,1)"), 1 << 32);
    assert_eq!(cosize("Sw<1,0,31> o 0 o 4294967295:1"), LONG + 1);
    assert_eq!(cosize("Sw<16,0,-16> o 0 o 4294967296:1"), 1 << 32);
    // Multiples of 3 alone, and rows with holes between them.
    let threes =
        (0..1usize << 22).map(|x| DynSwizzle::new(4, 1, -16).unwrap().apply(3 * x)).max().unwrap()
            + 1;
    assert_eq!(cosize("Sw<4,1,-16> o 0 o 4194304:3"), threes);
    let rows = (0..1usize << 11).flat_map(|i| (0..1usize << 10).map(move |j| i * 1030 + j));
    let rows = rows.map(|x| DynSwizzle::new(5, 0, -12).unwrap().apply(x)).max().unwrap() + 1;
    assert_eq!(cosize("Sw<5,0,-12> o 0 o (2048,1024):(1030,1)"), rows);
    assert!(cosize("Sw<5,0,-30> o 0 o (1000003,1009,1013):(3000001,7,1)") > 3_000_000_000_000);
    // The offset 2^64 - 1 is not there, and becomes one that is.
    assert!(std::panic::catch_unwind(|| cosize("Sw<3,3,3> o 0 o 18446744073709551615:1")).is_err());
}

// ---- offsets beyond usize -----------------------------------------------------------------------

/// What is added before the swizzle does not lead beyond `usize`: a layout of which it would is not
/// made.
#[test]
fn an_offset_that_leads_beyond_usize_is_refused() {
    let offset = usize::MAX - 5;
    let made =
        |extent: usize| ComposedLayout::new(Swizzle::<3, 3, 3>::new(), offset, layout!(extent:1));
    assert_eq!(made(6).at(5), Swizzle::<3, 3, 3>::new().apply(usize::MAX));
    assert_eq!(made(0).size(), 0);
    for extent in [7, 8, usize::MAX] {
        let panic = std::panic::catch_unwind(|| made(extent)).expect_err("it leaves usize");
        let text = panic.downcast_ref::<String>().expect("text");
        let expected = format!(
            "cannot add to the offset {offset} the offsets of a layout of cosize {extent}: a number grows beyond {}, \
             the largest there is",
            usize::MAX
        );
        assert_eq!(*text, expected);
    }
    let read = |text: String| text.parse::<DynComposedLayout>();
    assert_eq!(
        read(format!("Sw<3,3,3> o {offset} o 6:1")).unwrap().at(0),
        Swizzle::<3, 3, 3>::new().apply(offset)
    );
    let error = read(format!("Sw<3,3,3> o {offset} o 7:1")).expect_err("it leaves usize");
    assert_eq!(error.kind(), ErrorKind::Overflow);
    assert!(
        error
            .to_string()
            .starts_with(&format!("cannot add to the offset {offset} the offsets of 7:1: ")),
        "{error}"
    );
    // A cast makes the offset and the offsets larger, each of which fits, and not their sum.
    let half = 1usize << (usize::BITS - 1);
    let wide = read(format!("Sw<1,0,1> o {} o (2,2):(1,{})", half / 2 + 2, half / 2 - 1)).unwrap();
    assert_eq!(wide.downcast(2).unwrap_err().kind(), ErrorKind::Overflow);
    let mixed = ComposedLayout::new(
        Swizzle::<1, 0, 1>::new(),
        half / 2 + 2,
        layout!((2, 2):(1, half / 2 - 1)),
    );
    assert_eq!(mixed.try_downcast(int!(2)).unwrap_err().kind(), ErrorKind::Overflow);
}

/// A tensor under a layout whose reach leaves `usize` is refused, however the layout was made.
#[test]
fn a_tensor_under_a_layout_beyond_usize_is_refused() {
    type Behind = ComposedLayout<DynSwizzle, usize, StridedLayout<usize, usize>>;
    let swizzle = Swizzle::<1, 0, 1>::DYNAMIC;
    // The sum leaves usize; and it does not, but one past the largest offset does.
    let layouts: [Behind; 3] = [
        ComposedLayout::const_new(swizzle, usize::MAX - 5, StridedLayout::new(8, 1)),
        ComposedLayout::const_new(swizzle, usize::MAX, StridedLayout::new(2, 1)),
        ComposedLayout::const_new(swizzle, usize::MAX - 1, StridedLayout::new(1, 1)),
    ];
    for layout in layouts {
        assert!(Tensor::new(vec![0u8; 16], layout).is_err());
    }
    assert!(
        Tensor::new(vec![0u8; 16], ComposedLayout::const_new(swizzle, 8, StridedLayout::new(8, 1)))
            .is_ok()
    );
}

// ---- numbers at which arithmetic breaks ---------------------------------------------------------

#[test]
fn no_layout_is_composed_with_what_it_has_no_offset_for() {
    for (left, composed) in [
        ("0:0", "Sw<3,3,3> o 0 o (8,64):(64,1)"),
        ("(4,0):(1,4)", "Sw<0,0,0> o 7 o 8:1"),
        ("0:1", "Sw<2,0,2> o 0 o 0:1"),
        // An offset of 2 and the step of 2 are XORed to 0, and their sum is 4.
        ("2:^1", "Sw<0,0,0> o 2 o 2:2"),
        ("2:4", "Sw<8,2,53> o 0 o 1:0"),
        ("1:-1", "Sw<0,0,0> o 7 o 8:1"),
    ] {
        let error = text::<DynComposedLayout>(composed)
            .composed_under(&text(left))
            .expect_err("a refusal")
            .to_string();
        assert!(
            error.starts_with("cannot compose") || error.starts_with("cannot index"),
            "{error}"
        );
    }
}

/// Beyond the domain, and behind XOR strides.
#[test]
fn a_slice_and_an_inverse_have_the_offsets_of_the_layout() {
    let c: DynComposedLayout = text("Sw<0,0,0> o 0 o (1):(^1)");
    let (part, behind) = c.slice(1).expect("a slice");
    assert_eq!(part.at(0) + behind, c.at(1));
    assert!(text::<DynComposedLayout>("Sw<0,0,0> o 4 o (5,1):(^1,2)").slice(7).is_err());
    let inverse = text::<DynComposedLayout>("Sw<0,0,0> o 0 o 3:^3").left_inverse().unwrap();
    assert!(FlatLayout::try_of(&inverse).map_or(true, |flat| flat.at(4) == inverse.at(4)));
}

fn hostile_number() -> impl Strategy<Value = usize> {
    let at_a_power = (0..usize::BITS, 0usize..3).prop_map(|(bit, more)| (1 << bit) - 1 + more);
    prop_oneof![3 => 0usize..9, 2 => at_a_power, 1 => usize::MAX - 2..=usize::MAX]
}

/// The text of a layout with one to three modes, or with more than tables of the library hold.
fn hostile_text() -> impl Strategy<Value = String> {
    let mode = (hostile_number(), select(vec!["", "", "", "^", "^", "-"]), hostile_number());
    let few = vec(mode, 1..4).prop_map(|modes| {
        let strides: Vec<_> = modes.iter().map(|(_, sign, d)| format!("{sign}{d}")).collect();
        let shape: Vec<_> = modes.iter().map(|(extent, ..)| extent.to_string()).collect();
        format!("({}):({})", shape.join(","), strides.join(","))
    });
    let many = (30usize..42, select(vec!["", "^", "-"])).prop_map(|(modes, sign)| {
        let strides: Vec<_> = (0..modes).rev().map(|k| format!("{sign}{}", 1u64 << k)).collect();
        format!("({}):({})", ["2"].repeat(modes).join(","), strides.join(","))
    });
    prop_oneof![9 => few, 1 => many]
}

fn hostile_composed() -> impl Strategy<Value = DynComposedLayout> {
    let far = (0u32..20, 0u32..20, -60i32..60).prop_map(|(b, m, s)| format!("Sw<{b},{m},{s}>"));
    let swizzle = prop_oneof![4 => swizzle().prop_map(|swizzle| swizzle.to_string()), 1 => far];
    let parts = (swizzle, prop_oneof![Just(0usize), hostile_number()], hostile_text());
    parts
        .prop_filter_map("no layout", |(s, f, l)| format!("{s} o {f} o {l}").parse().ok())
        // Of up to 2^24 offsets behind XOR strides the largest is searched for, which takes long.
        .prop_filter("empty, or a long search", |c: &DynComposedLayout| {
            let is_xored = c.to_string().contains('^');
            c.size() > 0 && (!is_xored || c.size() < 1 << 10 || c.size() > 1 << 24)
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// What is answered obeys its law at the ends and in the middle; what is not is refused.
    #[test]
    fn numbers_at_which_arithmetic_breaks_are_answered_or_refused(
        c in hostile_composed(),
        left in hostile_text().prop_filter_map("no layout", |text| text.parse::<DynLayout>().ok()),
        number in hostile_number(),
    ) {
        let same = |size: usize, f: &dyn Fn(usize) -> usize, g: &dyn Fn(usize) -> usize| {
            let places = [0, 1, size / 2, size.wrapping_sub(1)];
            places.into_iter().filter(|&i| i < size).all(|i| f(i) == g(i))
        };
        if let Ok(r) = c.composed_under(&left) {
            let law = same(c.size(), &|i| r.at(i), &|i| left.index(c.at(i)));
            prop_assert!(law, "{} o {} = {}", left, c, r);
        }
        if let Ok(r) = c.compose(&left) {
            let law = same(left.size(), &|i| r.at(i), &|i| c.at(left.index(i)));
            prop_assert!(law, "{} o {} = {}", c, left, r);
        }
        if let Ok(r) = c.right_inverse() {
            prop_assert!(same(r.size(), &|i| c.at(r.at(i)), &|i| i), "of {}", c);
        }
        if let Ok(r) = c.left_inverse() {
            prop_assert!(same(c.size(), &|i| c.at(r.at(c.at(i))), &|i| c.at(i)), "of {}", c);
        }
        if let Ok(r) = c.linear() {
            prop_assert!(same(c.size(), &|i| r.at(i), &|i| c.at(i)), "{} is {}", c, r);
        }
        if let Some((r, offset)) = c.plain() {
            prop_assert!(same(c.size(), &|i| offset + r.index(i), &|i| c.at(i)), "{} is {}", c, r);
        }
        if let Ok(r) = c.downcast(number).and_then(|parts| parts.upcast(number)) {
            prop_assert!(same(c.size(), &|i| r.at(i), &|i| c.at(i)), "{} in {} parts", c, number);
        }
        let _ = (c.upcast(number), c.recast(number, 8), c.recast(8, number));
        let _ = (c.inner().flip(number), c.outer().upcast(number));
        for r in [c.logical_divide(number), c.zipped_divide(number)].into_iter().flatten() {
            prop_assert!(same(r.size(), &|i| r.at(i), &|i| r.index(i)), "{} by {}", c, number);
        }
        // The traits' methods are the same as those of the type.
        let composed = c.try_compose(left.clone()).ok();
        prop_assert_eq!(composed, c.compose(&left).ok(), "{} o {}", c, left);
        prop_assert_eq!(c.try_logical_product(number).ok(), c.logical_product(number).ok());
        if let Ok((part, behind)) = c.slice(number) {
            let law = same(part.size(), &|i| part.at(i) + behind, &|_| c.at(number));
            prop_assert!(law && text::<DynComposedLayout>(&part.to_string()) == part, "{}", part);
        }
        if let Ok(flat) = FlatLayout::try_of(&c) {
            prop_assert!(same(c.size(), &|i| flat.at(i), &|i| c.at(i)), "{}", c);
        }
        // A swizzle may take what no offset reaches beyond the end of a left inverse.
        let left_inverse = c.left_inverse().ok().filter(|_| c.outer() == DynSwizzle::IDENTITY);
        for r in c.right_inverse().into_iter().chain(left_inverse) {
            let most = (r.size() < 1 << 6).then(|| (0..r.size()).map(|i| r.at(i) + 1).max());
            prop_assert!(most.flatten().is_none_or(|most| r.cosize() == most), "of {}", c);
            if let Ok(flat) = FlatLayout::try_of(&r) {
                prop_assert!(same(r.size(), &|i| flat.at(i), &|i| r.at(i)), "of {}", c);
            }
        }
    }
}
