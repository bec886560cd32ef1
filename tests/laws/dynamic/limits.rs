//! The ends of `usize`, and empty layouts.

use std::panic::catch_unwind;

use proptest::prelude::*;
use proptest::sample::select;

use layout_algebra::prelude::*;

fn layout(text: &str) -> DynLayout {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

fn overflows<T: core::fmt::Debug>(result: Result<T, LayoutError>) {
    assert_eq!(result.expect_err("it cannot fit").kind(), ErrorKind::Overflow);
}

const HALF: usize = 1 << (usize::BITS - 1);
/// The square root of what `usize` has numbers.
const MIDDLE: usize = 1 << (usize::BITS / 2);

#[test]
fn what_leaves_usize_is_an_overflow() {
    overflows(format!("(2,{HALF}):(1,2)").parse::<DynLayout>());
    overflows(format!("3:{HALF}").parse::<DynLayout>());
    // The largest offset fits, and one past it does not.
    overflows(format!("2:{}", usize::MAX).parse::<DynLayout>());
    overflows(format!("(2,2):({HALF},{HALF})").parse::<DynLayout>());
    // The zero does not hide what the other modes would be.
    overflows(format!("(0,2,{HALF}):(1,1,1)").parse::<DynLayout>());
    overflows(format!("(2,{HALF})").parse::<DynShape>().unwrap().try_size());
    overflows(DynLayout::try_left(&format!("(2,{HALF})").parse().unwrap()));
    overflows(DynLayout::try_right(&format!("(2,{HALF})").parse().unwrap()));

    let tall = layout(&format!("{HALF}:1"));
    overflows(tall.append(&tall));
    overflows(tall.prepend(&tall));
    overflows(tall.replace(0, &tall).and_then(|l| l.append(&tall)));
    overflows(tall.select(&[0, 0]));
    overflows(tall.downcast(2));
    overflows(tall.logical_product(2));
    overflows(tall.blocked_product(&tall));
    overflows(layout(&format!("{}:1", usize::MAX)).round_up(HALF));
    overflows(layout("(4,4):(1,1000)").compose(layout(&format!("2:{HALF}"))));
    overflows(layout(&format!("2:{HALF}")).left_inverse());
    overflows(layout("2:1").tile_to_shape(&format!("(2,{HALF},{HALF})").parse().unwrap()));
    overflows(tall.try_index(usize::MAX).and_then(|_| layout("4:4").try_index(HALF)));
    assert_eq!(tall.size(), HALF);
    assert_eq!(layout(&format!("2:{}", usize::MAX - 1)).cosize(), usize::MAX);
}

/// What a layout spans, extent times stride of its last mode, may leave `usize` where no offset
/// does.
#[test]
fn a_span_beyond_usize_is_no_overflow() {
    // On 64 bits 2^61:8, whose largest offset is 2^64 - 8.
    let extent = HALF / 4;
    let comb = layout(&format!("{extent}:8"));
    assert_eq!(comb.logical_product(2).unwrap(), layout(&format!("({extent},2):(8,1)")));
    assert_eq!(comb.logical_product(7).unwrap(), layout(&format!("({extent},7):(8,1)")));
    assert_eq!(
        comb.blocked_product(&layout("2:1")).unwrap(),
        layout(&format!("(({extent},2)):((8,1))"))
    );
    assert_eq!(
        comb.raked_product(&layout("2:1")).unwrap(),
        layout(&format!("((2,{extent})):((1,8))"))
    );
    assert_eq!(comb.complement_ceil(1).unwrap(), layout("8:1"));
    assert_eq!(comb.complement_ceil(usize::MAX).unwrap(), layout("8:1"));
    // The extent is rounded up to one beyond `usize`, and the offsets fit.
    let tall = layout(&format!("{HALF}:1"));
    assert_eq!(tall.complement_ceil(HALF + 1).unwrap(), layout(&format!("2:{HALF}")));
    assert_eq!(
        layout("4:1").complement_ceil(usize::MAX).unwrap(),
        layout(&format!("{extent_of_4}:4", extent_of_4 = HALF / 2))
    );
    // The same of a number of run time in the types.
    let n = usize::MAX;
    assert_eq!(
        DynLayout::from(layout!(4:1).complement_ceil(n)),
        layout("4:1").complement_ceil(n).unwrap()
    );
    // What begins beyond the span does not fit; nor does the span itself, where it is a stride of
    // the result.
    overflows(comb.logical_product(16));
    overflows(comb.complement(HALF));
    overflows(comb.complement_ceil(0));
    overflows(layout("3:1").round_up(&comb));
    assert_eq!(layout("0:1").round_up(&comb).unwrap(), layout("0:1"));
}

/// The same in the types: what the comb spans is no number of this target, and nothing asks for it.
#[test]
fn a_span_beyond_usize_is_no_overflow_in_the_types() {
    #[cfg(target_pointer_width = "64")]
    let comb = layout!(2305843009213693952:8);
    #[cfg(not(target_pointer_width = "64"))]
    let comb = layout!(536870912:8);
    let dynamic = DynLayout::from(comb);
    assert_eq!(DynLayout::from(comb.logical_product(int!(2))), dynamic.logical_product(2).unwrap());
    assert_eq!(DynLayout::from(comb.complement_ceil(int!(5))), dynamic.complement_ceil(5).unwrap());
}

#[test]
fn modes_are_not_joined_where_their_product_wraps() {
    // 2 * HALF is 0 in usize.
    let l = layout(&format!("(2,3):({HALF},0)"));
    assert_eq!(l.coalesce(), l);
    assert_eq!(l.compose(3).unwrap_err().kind(), ErrorKind::Divisibility);
}

#[test]
fn a_swizzle_of_bits_that_overlap_or_are_not_there_is_refused() {
    let kind = |bits, base, shift| DynSwizzle::new(bits, base, shift).map_err(|error| error.kind());
    assert_eq!(kind(3, 0, 2), Err(ErrorKind::Overlap));
    assert_eq!(kind(3, 0, -2), Err(ErrorKind::Overlap));
    assert_eq!(kind(3, usize::BITS - 5, 3), Err(ErrorKind::Overflow));
    assert_eq!(kind(u32::MAX, u32::MAX, i32::MIN), Err(ErrorKind::Overlap));
    assert_eq!(kind(1 << 31, u32::MAX, i32::MIN), Err(ErrorKind::Overflow));
    let widest = DynSwizzle::new(usize::BITS / 2, 0, (usize::BITS / 2) as i32).unwrap();
    assert_eq!(widest.apply(HALF), HALF | HALF >> (usize::BITS / 2));
    let none = DynSwizzle::new(0, 0, usize::BITS as i32).unwrap();
    assert_eq!(none.apply(usize::MAX), usize::MAX);
}

#[test]
fn an_index_that_cannot_be_panics_with_the_text_of_the_error() {
    let l = layout("4:4");
    let message = |l: DynLayout, i: usize| {
        *catch_unwind(move || l.index(i)).unwrap_err().downcast::<String>().unwrap()
    };
    assert_eq!(message(l.clone(), HALF), l.try_index(HALF).unwrap_err().to_string());
    let empty = layout("(4,0):(1,4)");
    assert_eq!(message(empty.clone(), 0), empty.try_index(0).unwrap_err().to_string());
    assert_eq!(
        message(empty, 0),
        "cannot index (4,0):(1,4) at 0: an empty layout has no valid index"
    );
}

#[test]
fn an_empty_layout_has_size_0_cosize_0_and_no_index() {
    let l = layout("(4,0):(1,4)");
    assert_eq!((l.size(), l.cosize(), l.coords().count()), (0, 0, 0));
    assert_eq!(l.try_index([0, 0]).unwrap_err().kind(), ErrorKind::Profile);
    assert_eq!(l.slice(&"(_,0)".parse().unwrap()).unwrap_err().kind(), ErrorKind::Profile);
    assert!(l.shape().try_coord(0).is_err());
    assert!(l.is_injective() && l.is_surjective() && l.is_bijective() && l.is_compact());
    assert_eq!(l.coalesce().size(), 0);
    assert_eq!(layout("(4,0):(1,0)").filter().size(), 0);
    assert_eq!(l.complement(0).unwrap().to_string(), "1:0");
    assert_eq!(l.complement(4).unwrap_err().kind(), ErrorKind::Divisibility);
    // A matrix without columns, tiled: no tiles.
    let tiled = l.zipped_divide("<2,8>".parse::<DynTiler>().unwrap()).unwrap();
    assert_eq!(tiled.to_string(), "((2,8),(2,0)):((1,4),(2,32))");
    assert_eq!((tiled.size(), tiled.cosize()), (0, 0));
    assert_eq!(
        layout("(5,0):(1,5)").round_up("<4,8>".parse::<DynTiler>().unwrap()).unwrap().to_string(),
        "(8,0):(1,5)"
    );
    assert_eq!(l.table().unwrap().to_string().lines().count(), 1 + 1 + 1 + 4 * 2);
}

#[test]
fn units_of_nothing_are_refused() {
    for error in [
        layout("4:1").upcast(0),
        layout("4:1").downcast(0),
        layout("4:1").recast(0, 8),
        layout("4:1").recast(8, 0),
    ] {
        assert_eq!(error.unwrap_err().kind(), ErrorKind::Divisibility);
    }
    assert_eq!(layout("4:1").complement(0).unwrap().size(), 0);
    assert_eq!(layout("4:1").logical_divide(0).unwrap_err().kind(), ErrorKind::Divisibility);
}

/// Numbers at which something may go wrong.
fn number() -> impl Strategy<Value = usize> {
    let edges = vec![
        0,
        1,
        2,
        3,
        4,
        8,
        1 << 16,
        MIDDLE - 1,
        MIDDLE,
        HALF - 1,
        HALF,
        HALF + 1,
        usize::MAX - 1,
        usize::MAX,
    ];
    prop_oneof![3 => 0usize..9, 2 => select(edges), 1 => any::<usize>()]
}

fn layout_at_the_edge() -> impl Strategy<Value = String> {
    proptest::collection::vec((number(), number()), 1..4).prop_map(|modes| {
        let join = |numbers: Vec<usize>| {
            numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(",")
        };
        let (shape, stride): (Vec<_>, Vec<_>) = modes.into_iter().unzip();
        format!("({}):({})", join(shape), join(stride))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2048))]

    /// No operation panics, whatever the numbers; in this build arithmetic that overflows would.
    /// Every layout that comes back fits.
    #[test]
    fn nothing_panics_at_the_ends_of_usize(
        a in layout_at_the_edge(),
        b in layout_at_the_edge(),
        n in number(),
        m in number(),
    ) {
        let (Ok(l), Ok(t)) = (a.parse::<DynLayout>(), b.parse::<DynLayout>()) else { return Ok(()) };
        let tiler = DynTiler::tuple([DynTiler::from(n), DynTiler::keep()]).unwrap();
        let order = t.shape();
        let results = [
            l.compose(&t), l.compose(n), l.compose(&tiler), l.with_shape(&t.shape()),
            l.complement(n), l.complement_ceil(n), l.left_inverse(), l.coalesce_by(&t.shape()), l.filter_by(&t.shape()),
            l.logical_divide(&t), l.logical_divide(n), l.zipped_divide(&tiler), l.tiled_divide(&t),
            l.flat_divide(&tiler),
            l.logical_product(&t), l.logical_product(n), l.zipped_product(&tiler), l.tiled_product(&t),
            l.flat_product(&tiler),
            l.blocked_product(&t), l.raked_product(&t), l.tile_to_shape(&t.shape()),
            l.tile_to_shape_ordered(&t.shape(), &order),
            l.round_up(n), l.round_up(&t), l.round_up(&tiler), l.upcast(n), l.downcast(n), l.recast(n, m),
            l.append(&t), l.prepend(&t), l.replace(0, &t), l.group(0, 1), l.ungroup(0), l.transpose(),
            l.select(&[0, 0]),
            DynLayout::ordered(&l.shape(), &order), DynLayout::try_left(&l.stride()), DynLayout::try_right(&l.stride()),
            DynLayout::domain_distribute(&l.shape(), n), DynLayout::domain_distribute(&l.stride(), n),
            Ok(l.coalesce()), Ok(l.filter()), Ok(l.flatten()), Ok(l.right_inverse()), Ok(l.nullspace()),
            Ok(l.layout_like()),
            Ok(l.max_common_layout(&t)), Ok(l.reverse()),
        ];
        for x in results.into_iter().flatten() {
            prop_assert_eq!(x.to_string().parse::<DynLayout>().unwrap(), x);
        }
        let _ = (l.is_surjective(), l.is_bijective(), l.is_compact());
        let _ = (l.try_index(n), l.try_index([n, m]), l.shape().number([n, m]), l.stride().try_size());
        let _ = l.shape().try_coord(n).map(|c| l.try_index(&c));
        let _ = l.slice(&DynSlice::tuple([DynSlice::from(n), DynSlice::keep()]).unwrap());
        // A valid coordinate always has an index.
        if l.size() > 0 {
            prop_assert!(l.index(n % l.size()) < l.cosize());
            prop_assert_eq!(l.index(l.size() - 1), l.cosize() - 1);
        }
    }
}

/// Text that anyone can type: an answer, or an error in words; no panic of arithmetic, and no time
/// or memory without end.
#[test]
fn hostile_text_is_answered_or_refused() {
    let refused = |text: &str, kind: &str| {
        let error = text.parse::<DynLayout>().unwrap_err();
        assert_eq!(error.kind().as_str(), kind, "{error}");
    };
    // An empty layout has modes, and these are layouts: their strides go together, and their
    // offsets fit.
    refused("((2,2),0):((^1,1),1)", "overlap");
    refused("((2,2),0):((^1,-1),1)", "stride");
    if usize::BITS == 64 {
        refused("(2,2,0):(-18446744073709551615,^1,1)", "stride");
        refused("(2,0):(-18446744073709551615,1)", "overflow");
        refused("(0,2,2):(1,^18446744073709551615,^9223372036854775808)", "overflow");
        // The largest offset is no `isize`, and fits.
        let high = layout("(5,4,2):(^1,^6,^9223372036854775808)");
        assert_eq!(
            (high.is_surjective(), high.is_injective(), high.index(20)),
            (false, false, isize::MAX as usize + 1)
        );
        assert!(high.try_signed_index(20).is_err());
    }
    for mode in layout("((2,2),0):((^1,^1),-1)").modes() {
        assert_eq!(
            (mode.to_string().parse().as_ref(), mode.is_injective()),
            (Ok(&mode), mode.size() == 0),
            "{mode}"
        );
    }
    // Decided by a rule and not by a count of twelve billion offsets.
    assert!(layout("(1048576,3):(-2,4)").coalesce().size() == 3 << 20);
    if usize::BITS == 64 {
        let wide = layout("(4294967296,3):(-2,4)");
        assert_eq!(
            (wide.is_surjective(), wide.is_bijective(), wide.is_compact()),
            (false, false, false)
        );
        assert!(layout("(4294967296,3):(-1,4)").is_surjective());
        assert!(layout("(2,4294967296,3):(^1,2,4)").is_surjective());
        assert!(!layout("(2,4294967296,3):(^1,2,17179869184)").is_surjective());
        assert!(!layout("(2,4294967296,3):(^1,2,8589934596)").is_surjective());
        // Nor is this counted.
        let error = layout("(5000000000,4):(^1,^6)").try_is_surjective().unwrap_err();
        assert!(matches!(error.fault(), Fault::CountUndecided { .. }), "{error}");
    }
    // `round_up` keeps the stride of a mode that has not moved until now.
    let up = layout("1:-3").round_up(7).unwrap();
    assert_eq!((up.to_string().as_str(), up.base(), up.cosize()), ("7:-3", 18, 19));
}

#[test]
fn a_cosize_is_found_without_the_coordinates_that_stand_still() {
    let list = |number: &str| vec![number; usize::BITS as usize / 2 + 1].join(",");
    let still: DynComposedLayout =
        format!("Sw<1,0,1> o 0 o ({}):({})", list("2"), list("0")).parse().unwrap();
    assert_eq!(still.cosize(), 1);
    let bits: DynComposedLayout =
        format!("Sw<1,0,1> o 0 o ({},3):({},^2)", list("2"), list("0")).parse().unwrap();
    assert_eq!(bits.cosize(), 5);
    let backwards: DynComposedLayout =
        format!("Sw<1,0,1> o 5 o ({},3):({},-2)", list("2"), list("0")).parse().unwrap();
    assert_eq!(
        backwards.cosize(),
        1 + [5, 3, 1].map(|x: usize| x ^ x >> 1 & 1).into_iter().max().unwrap()
    );
    let panics = |text: String| {
        let composed: DynComposedLayout = text.parse().unwrap();
        *catch_unwind(move || composed.cosize()).unwrap_err().downcast::<String>().unwrap()
    };
    assert!(panics(format!("Sw<0,0,0> o {} o 1:-1", usize::MAX)).contains("count the offsets"));
    assert!(
        panics(String::from("Sw<1,0,1> o 0 o (5000000,8):(^1,^3)"))
            .contains("is searched for among")
    );
}
