//! Layouts in files: written as their text, read back equal, and refused where the type knows
//! another number.

use layout_algebra::prelude::*;
use layout_algebra::tensor::Addressable;
use serde_json::{from_str, to_string};

/// Written and read back: the text, and whether it is the same.
macro_rules! round_trip {
    ($($value:expr => $text:literal: $type:ty;)*) => {
        $({
            let (value, text) = ($value, to_string(&$value).expect("text"));
            assert_eq!(text, concat!("\"", $text, "\""));
            assert!(from_str::<$type>(&text).expect("the same text") == value, "{text}");
        })*
    };
}
fn parsed<T: std::str::FromStr<Err = LayoutError>>(text: &str) -> T {
    text.parse().expect("a text")
}

#[test]
fn what_is_written_is_read_back() {
    let (n, eight) = (6, Multiple::<Int<8>>::new(24).expect("a multiple"));
    round_trip! {
        layout!((4, 6):(1, 4)) => "(4,6):(1,4)": Layout!((4, 6):(1, 4));
        layout!((4, (2, n)):(1, (n, 8))) => "(4,(2,6)):(1,(6,8))": Layout!((4, (2, _)):(1, (_, 8)));
        layout!(24) => "24:1": Layout!(24);
        parsed::<DynLayout>("(4,(2,3)):(1,(4,8))") => "(4,(2,3)):(1,(4,8))": DynLayout;
        parsed::<DynShape>("(4,(2,3))") => "(4,(2,3))": DynShape;
        parsed::<DynTiler>("<4,_,(2,2):(1,8)>") => "<4,_,(2,2):(1,8)>": DynTiler;
        parsed::<DynSlice>("(1,_)") => "(1,_)": DynSlice;
        parsed::<DynSwizzle>("Sw<3,3,-3>") => "Sw<3,3,-3>": DynSwizzle;
        Swizzle::<3, 3, -3>::new() => "Sw<3,3,-3>": Swizzle<3, 3, -3>;
        parsed::<DynComposedLayout>("Sw<3,3,3> o 5 o (8,64):(64,1)") => "Sw<3,3,3> o 5 o (8,64):(64,1)":
            DynComposedLayout;
        Swizzle::<3, 3, 3>::new().compose(layout!((8, n):(64, 1))) => "Sw<3,3,3> o 0 o (8,6):(64,1)":
            ComposedLayout<Swizzle<3, 3, 3>, Int!(0), Layout!((8, _):(64, 1))>;
        tiler!(2, (2, 3):(1, 8), _) => "<2,(2,3):(1,8),_>": Tiler!(2, (2, 3):(1, 8), _);
        tiler!(n, (2, n):(1, 8), <_, n>) => "<6,(2,6):(1,8),<_,6>>": Tiler!(usize, (2, _):(1, 8), <_, usize>);
        tiler!(eight, 3, _) => "<24,3,_>": Tiler!(Multiple<Int<8>>, 3, _);
    }
}

#[test]
fn a_multiple_is_its_number() {
    let eight = Multiple::<Int<8>>::new(24).expect("a multiple");
    assert_eq!(
        (to_string(&eight).expect("a number"), from_str("24").ok()),
        ("24".to_string(), Some(eight))
    );
    let layout = layout!((eight, 6):(1, eight));
    assert_eq!(to_string(&layout).expect("text"), "\"(24,6):(1,24)\"");
    let read: Layout!((Multiple<Int<8>>, 6):(1, Multiple<Int<8>>)) =
        from_str("\"(24,6):(1,24)\"").expect("a layout");
    assert_eq!(read, layout);
}

/// What reading says.
fn refused<T: serde::de::DeserializeOwned>(text: &str) -> String {
    match from_str::<T>(text) {
        Ok(_) => panic!("read: {text}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_type_that_knows_another_number_refuses() {
    let all = [
        (
            refused::<Layout!((4, 6):(1, 4))>("\"(4,6):(6,1)\""),
            "expected (4,6):(1,4), found (4,6):(6,1)",
        ),
        (
            refused::<Layout!((4, _):(_, 1))>("\"(4,6):(6,2)\""),
            "expected (4,_):(_,1), found (4,6):(6,2)",
        ),
        (
            refused::<Layout!((4, _):(_, 1))>("\"(4,(2,3)):(6,(1,2))\""),
            "expected (4,_):(_,1), found (4,(2,3)):(6,(1,2))",
        ),
        (refused::<Swizzle<3, 3, 3>>("\"Sw<2,3,3>\""), "expected Sw<3,3,3>, found Sw<2,3,3>"),
        (refused::<Tiler!(2, 3)>("\"<2,4>\""), "expected <2,3>, found <2,4>"),
        (refused::<Tiler!(2, usize)>("\"<3,4>\""), "expected <2,usize>, found <3,4>"),
        (refused::<Tiler!(2, usize)>("\"<2,4,5>\""), "expected <2,usize>, found <2,4,5>"),
        (refused::<Tiler!(2, usize)>("\"2\""), "expected <2,usize>, found 2"),
        (refused::<Tiler!(usize, _)>("\"<2,3>\""), "expected <usize,_>, found <2,3>"),
        (
            refused::<Tiler!(<usize, 3>, (2, _))>("\"<<2,_>,(2,3):(1,2)>\""),
            "expected <<usize,3>,(2,_):(1,2)>, found",
        ),
        (
            refused::<Tiler!(2, (2, _):(_, 1))>("\"<2,(2,3):(3,2)>\""),
            "expected <2,(2,_):(_,1)>, found <2,(2,3):(3,2)>",
        ),
        (refused::<Tiler!(2:1)>("\"<2>\""), "expected <2:1>, found <2>"),
        (refused::<Multiple<Int<8>>>("20"), "expected a multiple of 8, found 20"),
        (refused::<Tiler!(Multiple<Int<8>>)>("\"<20>\""), "expected <8*_>, found <20>"),
        (
            refused::<ComposedLayout<Swizzle<3, 3, 3>, Int!(0), Layout!((8, 8):(8, 1))>>(
                "\"Sw<3,3,3> o 1 o (8,8):(8,1)\"",
            ),
            "expected Sw<3,3,3> o 0 o (8,8):(8,1), found Sw<3,3,3> o 1 o (8,8):(8,1)",
        ),
        (refused::<DynLayout>("\"(4,6):(1\""), "cannot read this text: expected"),
        (refused::<DynLayout>("24"), "expected a layout, for example `(4,6):(1,4)`, as text"),
    ];
    for (said, wanted) in all {
        assert!(said.contains(wanted), "{said:?} does not say {wanted:?}");
    }
}

/// What is read from a file is as sound as what is parsed: its size and cosize fit.
#[test]
fn numbers_that_do_not_fit_are_refused() {
    let half = usize::MAX / 2;
    let said = refused::<Layout!((_, _):(1, _))>(&format!("\"({half},3):(1,{half})\""));
    assert!(said.contains("grows beyond") || said.contains("overflow"), "{said}");
    let read: Layout!((_, 6):(1, _)) = from_str("\"(4,6):(1,10)\"").expect("a layout");
    assert_eq!(read.reach(), Some(54));
}
