//! The text of layouts, shapes, tilers, swizzles and errors: in `{}`, in `{:?}`, within a width, as
//! tables; and their common properties as Rust values: constants, hashes, the run-time form.

use std::collections::HashSet;
use std::fmt::{Debug, Display};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hash};

use layout_algebra::prelude::*;
use layout_algebra::{Window, composed::Chain};

/// `{}` and `{:?}` are `text`, `{:#}` and `{:#?}`, which `dbg!` prints, `bare`; and a width is
/// kept.
#[track_caller]
fn reads(value: impl Display + Debug, text: &str, bare: &str) {
    assert_eq!((format!("{value}").as_str(), format!("{value:#}").as_str()), (text, bare));
    assert_eq!((format!("{value:?}").as_str(), format!("{value:#?}").as_str()), (text, bare));
    let width = text.chars().count() + 5;
    assert_eq!(format!("[{value:>width$}]"), format!("[{text:>width$}]"));
    assert_eq!(format!("[{value:<width$?}]"), format!("[{text:<width$}]"));
    assert_eq!(format!("[{value:*^width$}]"), format!("[{text:*^width$}]"));
    assert_eq!(format!("[{value:width$}]"), format!("[{text:width$}]"));
    assert_eq!(format!("[{value:2}]"), format!("[{text:2}]"));
    assert_eq!(format!("[{value:_>9.3}]"), format!("[{text:_>9.3}]"));
    assert_eq!(format!("[{value:#.0}]"), "[]");
}

#[test]
fn everything_reads_as_it_is_written() -> Result<(), LayoutError> {
    let n = 6;
    reads(layout!((4, 6):(1, 4)), "(_4,_6):(_1,_4)", "(4,6):(1,4)");
    reads(layout!((4, (2, n)):(1, (4, n))), "(_4,(_2,6)):(_1,(_4,6))", "(4,(2,6)):(1,(4,6))");
    reads(layout!(24), "_24:_1", "24:1");
    reads(layout!((1048576, 3)), "(_1048576,_3):(_1,_1048576)", "(1048576,3):(1,1048576)");
    reads("(4,6):(1,4)".parse::<DynLayout>()?, "(4,6):(1,4)", "(4,6):(1,4)");
    reads("(4,(2,3))".parse::<DynShape>()?, "(4,(2,3))", "(4,(2,3))");
    reads(
        "<4:1,_,<2,(2,2):(1,8)>>".parse::<DynTiler>()?,
        "<4:1,_,<2,(2,2):(1,8)>>",
        "<4:1,_,<2,(2,2):(1,8)>>",
    );
    reads("(_,3)".parse::<DynSlice>()?, "(_,3)", "(_,3)");
    reads(notation(shape!((4, (2, n)))), "(_4,(_2,6))", "(4,(2,6))");
    reads(notation(layout!((4, 6)).shape()), "(_4,_6)", "(4,6)");
    reads(notation(int!(1536)), "_1536", "1536");
    reads(notation(layout!((4, 6)).to_dynamic().shape()), "(4,6)", "(4,6)");
    reads(tiler!(2, (2, 3):(1, n), _), "<_2,(_2,_3):(_1,6),_>", "<2,(2,3):(1,6),_>");
    reads(tiler!(<2, _>, _), "<<_2,_>,_>", "<<2,_>,_>");
    reads(Keep, "_", "_");
    reads(Swizzle::<3, 3, -3>::new(), "Sw<3,3,-3>", "Sw<3,3,-3>");
    reads(DynSwizzle::new(3, 4, 3)?, "Sw<3,4,3>", "Sw<3,4,3>");
    let chain: Chain<_, _> = Swizzle::<1, 0, 3>::new().compose(Swizzle::<1, 1, 1>::new());
    reads(chain, "Sw<1,0,3> o Sw<1,1,1>", "Sw<1,0,3> o Sw<1,1,1>");
    let tile = Swizzle::<2, 0, 2>::new().compose(layout!((4, n):(4, 1)));
    reads(tile, "Sw<2,0,2> o _0 o (_4,6):(_4,_1)", "Sw<2,0,2> o 0 o (4,6):(4,1)");
    reads(tile.to_dynamic(), "Sw<2,0,2> o 0 o (4,6):(4,1)", "Sw<2,0,2> o 0 o (4,6):(4,1)");
    reads(
        identity(shape!((4, (2, 3)))),
        "(_4,(_2,_3)):(_1@0,(_1@1,_1@2))",
        "(4,(2,3)):(1@0,(1@1,1@2))",
    );
    let order = Ordered::new(shape!((4, 6)), shape!((1, 0)));
    reads(order, "(_4,_6) in the order (_1,_0)", "(4,6) in the order (1,0)");
    reads(FlatLayout::of(&tile), "Sw<2,0,2> o 0 o (4,6):(4,1)", "Sw<2,0,2> o 0 o (4,6):(4,1)");
    reads(FlatLayout::of(&layout!((4, (2, n)))), "(4,2,6):(1,4,8)", "(4,2,6):(1,4,8)");
    assert_eq!(format!("{:?}", Window::new((1, 2), shape!((2, n)))), "window of (_2,6) at (1,2)");
    let tiles = Tensor::fixed([0; 24], layout!((4, 6)));
    assert_eq!(
        format!("{:?}", tiles.tiles(tiler!(2, 3))),
        "4 parts of ((_2,_3),(_2,_2)):((_1,_4),(_2,_12))"
    );
    assert_eq!(format!("{:?} {0:>4}", Multiple::<Int<8>>::new(96)?), "96   96");
    assert_eq!(
        format!("{:?}", layout!((2, 3)).coords()),
        "Coordinates { shape: (2, 3), next: Some((0, 0)) }"
    );
    Ok(())
}

#[test]
fn an_error_reads_as_its_sentence() {
    let error = Multiple::<Int<8>>::new(100).unwrap_err();
    assert_eq!(format!("{error:?}"), "cannot assume a multiple: 100 is not a multiple of 8");
    let error = "(2,x):(1,2)".parse::<DynLayout>().unwrap_err();
    assert_eq!(format!("{error:?}"), error.to_string());
}

#[test]
fn what_went_wrong_keeps_a_width_too() {
    let error = Multiple::<Int<8>>::new(100).unwrap_err();
    let text = "cannot assume a multiple: 100 is not a multiple of 8";
    reads(&error, text, text);
    let explained = "(4,6):(1,8)"
        .parse::<DynLayout>()
        .unwrap()
        .explain_compose("3:2".parse::<DynLayout>().unwrap());
    let text = explained.to_string();
    reads(explained, &text, &text);
    for (kept, text) in [
        (format!("{:*^60}", error.fault()), format!("{:*^60}", error.fault().to_string())),
        (format!("{:>9.5}", error.fault()), format!("{:>9.5}", error.fault().to_string())),
        (format!("[{:<9}] [{0:.3}]", ErrorKind::Rank), "[rank     ] [ran]".to_string()),
    ] {
        assert_eq!(kept, text);
    }
}

#[test]
fn a_tile_of_nothing_is_named_with_the_extent_that_it_does_not_divide() {
    let (m, n, none) = (4, 6, 0);
    let sentence =
        "cannot round up (4,6):(1,4) to tiles of <0,6>: extent 4 is not a multiple of the span 0";
    assert_eq!(layout!((m, n)).try_round_up(tiler!(none, n)).unwrap_err().to_string(), sentence);
    assert_eq!(
        layout!((m, n)).to_dynamic().round_up(tiler!(none, n)).unwrap_err().to_string(),
        sentence
    );
    let t = Tensor::fixed([0; 24], layout!((4, 6)));
    let error = t.try_ragged_tiles(tiler!(none, 6)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot cut into blocks (4,6):(1,4) by <0,6>: extent 4 is not a multiple of the span 0"
    );
}

#[test]
fn shapes_compare_by_their_notation_where_a_test_shows_both() {
    assert_eq!(notation(layout!((4, 6)).shape()), notation(shape!((4, 6))));
}

const STATIC: Layout!((4, 6):(1, 4)) = layout!((4, 6):(1, 4));
const COMPACT: Layout!((4, (2, 3)): right) = layout!((4, (2, 3)): right);
const ROWS: usize = 100;
const MIXED: Layout!((_, 6):(6, 1)) = layout!((ROWS, 6):(6, 1));
const SHAPE: Shape!((4, (2, _))) = shape!((4, (2, ROWS + 1)));
const LARGE: Int!(2147483648) = int!(2147483648);
static TILER: Tiler!(2, (2, _):(1, 8), <_, 3>, _) = tiler!(2, (2, ROWS):(1, 8), <_, 3>, _);
const SWIZZLED: ComposedLayout<Swizzle<2, 0, 2>, Int!(0), Layout!((4, 4))> =
    ComposedLayout::const_new(Swizzle::new(), int!(0), layout!((4, 4)));
const ORDER: Ordered<Shape!((4, 6)), Shape!((1, 0))> = Ordered::new(shape!((4, 6)), shape!((1, 0)));

const COLUMNS: usize = 6;
/// Compact layouts whose extents have names: all of them, all but the slowest static, and pairs.
static NAMED: Layout!((_, _)) = layout!((ROWS, COLUMNS));
const FOUR: Layout!((_, _, _, _): right) = layout!((ROWS, COLUMNS, ROWS, COLUMNS): right);
const IMAGES: Layout!((_, 3, 224, 224): right) = layout!((COLUMNS, 3, 224, 224): right);
const BLOCKS: Layout!(((2, 3), 4, _)) = layout!(((2, 3), 4, COLUMNS));
const PAIRS: (Layout!((4, _)), Layout!((_, 4)), Layout!((4, _): right), Layout!((_, 4): right)) = (
    layout!((4, COLUMNS)),
    layout!((COLUMNS, 4)),
    layout!((4, COLUMNS): right),
    layout!((COLUMNS, 4): right),
);
const ONE: (Layout!(_), Layout!((_,): right)) = (layout!(ROWS), layout!((ROWS,): right));

#[test]
fn compact_layouts_of_named_extents_are_constants() {
    let text = |layout: &dyn Display| format!("{layout}");
    assert_eq!(text(&NAMED), "(100,6):(_1,100)");
    assert_eq!(text(&IMAGES), "(6,_3,_224,_224):(_150528,_50176,_224,_1)");
    assert_eq!(text(&BLOCKS), "((_2,_3),_4,6):((_1,_2),_6,_24)");
    assert_eq!([text(&PAIRS.0), text(&PAIRS.1)], ["(_4,6):(_1,_4)", "(6,_4):(_1,6)"]);
    assert_eq!([text(&PAIRS.2), text(&PAIRS.3)], ["(_4,6):(6,_1)", "(6,_4):(_4,_1)"]);
    assert_eq!([text(&ONE.0), text(&ONE.1)], ["100:_1", "(100):(_1)"]);
    const fn rows<const M: usize, const N: usize>() -> Layout!((_, _): right) {
        layout!((M, N): right)
    }
    assert_eq!(text(&rows::<4, 6>()), "(4,6):(6,_1)");
    // As those that are made at run time, whatever the extents are.
    for (m, n) in [(0, 3), (3, 0), (1, 1), (1, 5), (7, 1), (4, 6)] {
        assert_eq!(layout!((m, n)), StridedLayout::left((m, n)));
        assert_eq!(layout!((m, n, m): right), StridedLayout::right((m, n, m)));
        assert_eq!(layout!((m, n, 2, m)), StridedLayout::left((m, n, int!(2), m)));
        assert_eq!(layout!((1, n)), StridedLayout::left((int!(1), n)));
        assert_eq!(layout!((m, 1): right), StridedLayout::right((m, int!(1))));
    }
    assert_eq!(text(&FOUR), "(100,6,100,6):(3600,600,6,_1)");
}

#[test]
fn the_value_macros_make_constants() {
    assert_eq!((STATIC, COMPACT), (layout!((4, 6)), layout!((4, (2, 3)):(6, (3, 1)))));
    assert_eq!((MIXED.index((99, 5)), SHAPE.1.1, LARGE.to_dynamic()), (599, 101, 1 << 31));
    assert_eq!(TILER.to_string(), "<_2,(_2,100):(_1,_8),<_,_3>,_>");
    assert_eq!(SWIZZLED.to_string(), "Sw<2,0,2> o _0 o (_4,_4):(_1,_4)");
    assert_eq!(layout!((2, 2)).tile_to_shape(ORDER), layout!(((2, 2), (2, 3)):((1, 12), (2, 4))));
    const fn columns<const N: usize>() -> Layout!((4, _):(1, 4)) {
        layout!((4, N):(1, 4))
    }
    const SIX: Layout!((4, _):(1, 4)) = columns::<6>();
    assert_eq!(SIX, STATIC);
}

fn hash(value: &impl Hash) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(value)
}

#[test]
fn equal_layouts_hash_alike() -> Result<(), LayoutError> {
    let (m, n) = (4, 6);
    let alike = [
        hash(&layout!((4, 6))),
        hash(&layout!((m, 6):(1, m))),
        hash(&layout!((m, n))),
        hash(&layout!((Multiple::<Int<2>>::new(4)?, n))),
        hash(&layout!((4, 6)).to_dynamic()),
    ];
    assert_eq!(HashSet::from(alike).len(), 1);
    let others = [
        hash(&layout!((4, 6): right)),
        hash(&layout!((6, 4))),
        hash(&layout!((4, (6,)):(1, (4,)))),
        hash(&layout!((4, (2, 3)))),
        hash(&layout!(((4, 6)):((1, 4)))),
        hash(&layout!(24)),
        hash(&identity(shape!((4, 6)))),
        hash(&identity(shape!((4, (6,))))),
        hash(&"Sw<1,0,1> o 0 o (4,6):(1,4)".parse::<DynComposedLayout>()?),
        hash(&"Sw<1,0,2> o 0 o (4,6):(1,4)".parse::<DynComposedLayout>()?),
        alike[0],
    ];
    assert_eq!(HashSet::from(others).len(), others.len());
    assert_eq!(hash(&Swizzle::<2, 0, 2>::DYNAMIC), hash(&DynSwizzle::new(2, 0, 2)?));
    let mut seen = HashSet::from([layout!((m, n)), layout!((n, m))]);
    assert!(!seen.insert(layout!((m, n))));
    Ok(())
}

#[test]
fn what_only_run_time_knows_of_every_layout() -> Result<(), LayoutError> {
    let n = 6;
    let expected: DynLayout = "(4,6):(1,4)".parse()?;
    assert_eq!(
        (layout!((4, 6)).to_dynamic(), layout!((4, n)).to_dynamic()),
        (expected.clone(), expected.clone())
    );
    assert_eq!(expected.to_dynamic(), expected);
    assert_eq!(layout!(7:2).to_dynamic().to_string(), "7:2");
    let swizzled: DynComposedLayout = "Sw<2,0,2> o 3 o (4,6):(1,4)".parse()?;
    assert_eq!(
        ComposedLayout::new(Swizzle::<2, 0, 2>::new(), int!(3), layout!((4, n))).to_dynamic(),
        swizzled
    );
    assert_eq!(
        ComposedLayout::new(Swizzle::<2, 0, 2>::new(), 3, expected.clone()).to_dynamic(),
        swizzled
    );
    assert_eq!(swizzled.to_dynamic(), swizzled);
    let chain = Swizzle::<1, 0, 3>::new().compose(Swizzle::<1, 1, 1>::new());
    let chained = ComposedLayout::new(chain, int!(3), layout!((4, n):(6, 1)));
    assert_eq!(chained.to_dynamic().to_string(), "Sw<1,0,3> o Sw<1,1,1> o 3 o (4,6):(6,1)");
    assert_eq!(
        (chained.to_dynamic().cosize(), chained.to_dynamic().at(7)),
        (chained.cosize(), chained.at(7))
    );
    let inverse = Swizzle::<2, 0, 2>::new().compose(layout!((4, 4): right)).left_inverse();
    assert_eq!(
        inverse.to_dynamic(),
        "Sw<2,0,2> o 0 o (4,4):(4,1)".parse::<DynComposedLayout>()?.left_inverse()?
    );
    assert_eq!(inverse.to_dynamic().to_string(), format!("{inverse:#}"));
    assert_eq!(Swizzle::<2, 0, 2>::new().to_dynamic(), DynSwizzle::new(2, 0, 2)?);
    assert_eq!(tiler!(2, (2, 3):(1, 8), _).to_dynamic(), "<2,(2,3):(1,8),_>".parse()?);
    Ok(())
}

#[test]
fn tables_of_every_kind() -> Result<(), LayoutError> {
    let rows = "\
(2,3):(3,1)
      0   1   2
    +---+---+---+
 0  | 0 | 1 | 2 |
    +---+---+---+
 1  | 3 | 4 | 5 |
    +---+---+---+
";
    let n = 3;
    assert_eq!(layout!((2, 3): right).table().to_string(), rows);
    assert_eq!(layout!((2, n):(n, 1)).table().to_string(), rows);
    assert_eq!(layout!((2, n):(n, 1)).to_dynamic().table()?.to_string(), rows);
    assert_eq!(format!("{:?}", layout!((2, 3): right).table()), rows);
    let row = "\
(4):(5)
       0    1    2    3
    +----+----+----+----+
    |  0 |  5 | 10 | 15 |
    +----+----+----+----+
";
    assert_eq!(layout!((4,):(5,)).table().to_string(), row);
    assert_eq!(layout!(4:5).table().to_string(), row.replace(['(', ')'], ""));
    assert_eq!("(4):(5)".parse::<DynLayout>()?.table()?.to_string(), row);
    let swizzled = Swizzle::<1, 0, 1>::new().compose(layout!((2, 2): right));
    let table = "\
Sw<1,0,1> o 0 o (2,2):(2,1)
      0   1
    +---+---+
 0  | 0 | 1 |
    +---+---+
 1  | 3 | 2 |
    +---+---+
";
    assert_eq!(swizzled.table().to_string(), table);
    assert_eq!(swizzled.to_dynamic().table()?.to_string(), table);
    assert_eq!(
        identity(shape!((2, 2))).table().to_string(),
        "\
(2,2):(1@0,1@1)
          0       1
    +-------+-------+
 0  | (0,0) | (0,1) |
    +-------+-------+
 1  | (1,0) | (1,1) |
    +-------+-------+
"
    );
    // Modes of several modes are counted.
    assert_eq!(
        layout!(((2, 2), 1):((1, 4), 0)).table().to_string().lines().count(),
        1 + 1 + 1 + 4 * 2
    );
    let none = 0;
    assert_eq!(
        layout!((none, 2):(1, 1)).table().to_string(),
        "(0,2):(1,1)\n      0   1\n    +---+---+\n"
    );
    let error = "(2,3,4):(1,2,6)".parse::<DynLayout>()?.table().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Rank);
    Ok(())
}

#[test]
fn colours_only_where_they_are_asked_for() {
    let table = layout!((1, 2)).table();
    assert_eq!(
        table.colored().to_string(),
        "(1,2):(0,1)\n      0   1\n    +---+---+\n \
         0  |\x1b[30;48;5;153m 0 \x1b[0m|\x1b[30;48;5;228m 1 \x1b[0m|\n    +---+---+\n"
    );
    assert!(!table.to_string().contains('\x1b'));
}

#[test]
fn threads_and_values_of_a_tile() -> Result<(), LayoutError> {
    let (tile, tv) = make_layout_tv(layout!((2, 2): right), layout!((1, 2): right))?;
    assert_eq!(tile, tiler!(2, 4));
    assert_eq!(
        tv.thread_value_table().of_tile((2, 4)).to_string(),
        "\
((2,2),2):((4,1),2)
         0      1      2      3
    +------+------+------+------+
 0  | T0V0 | T0V1 | T1V0 | T1V1 |
    +------+------+------+------+
 1  | T2V0 | T2V1 | T3V0 | T3V1 |
    +------+------+------+------+
"
    );
    let row = "\
(2,2):(1,3)
         0      1   2      3      4
    +------+------+------+------+------+
    | T0V0 | T1V0 |      | T0V1 | T1V1 |
    +------+------+------+------+------+
";
    let shown = layout!((2, 2):(1, 3)).thread_value_table().to_string();
    assert_eq!(shown.replace(' ', ""), row.replace(' ', ""));
    assert_eq!(layout!((2, 2):(1, 3)).to_dynamic().thread_value_table()?.to_string(), shown);
    // A value that both threads have, and one thread with every value.
    assert!(
        layout!((2, 2):(0, 1))
            .thread_value_table()
            .to_string()
            .contains("| T0V0,T1V0 | T0V1,T1V1 |")
    );
    assert!(layout!(3).thread_value_table().to_string().contains("| T0V0 | T1V0 | T2V0 |"));
    assert!("(2,2,2):(1,2,4)".parse::<DynLayout>()?.thread_value_table().is_err());
    Ok(())
}
