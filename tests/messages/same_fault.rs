//! The types and the run-time engine find the same fault with the same numbers, and a panic is the error word for word,
//! at the place of the call. That both word it alike needs no test: each sentence stands once in the sources.
//!
//! The compiler's messages are those beside the programs of `ui-tests`, which `ui-tests/tests/ui.rs` holds to be true.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Mutex;

use layout_algebra::prelude::*;

fn layout(text: &str) -> DynLayout {
    text.parse().expect("a layout")
}
fn composed(text: &str) -> DynComposedLayout {
    text.parse().expect("a composed layout")
}
fn tiler(text: &str) -> DynTiler {
    text.parse().expect("a tiler")
}
fn shape(text: &str) -> DynShape {
    text.parse().expect("a shape")
}

/// What the compiler says about a program of `ui-tests`, behind what it cannot do.
fn compiled(program: &str) -> String {
    let path = format!("{}/../ui-tests/{program}.stderr", env!("CARGO_MANIFEST_DIR"));
    let message = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let first = message.lines().next().expect("a first line");
    let first = first.strip_prefix("error[E0277]: cannot ").expect("an operation that is refused");
    first.split_once(": ").expect("a sentence").1.to_owned()
}

/// What the error says, behind what cannot be done to the operands; these are printed in full.
fn said(error: &LayoutError, operands: &[&str]) -> String {
    let text = error.to_string();
    for operand in operands {
        assert!(text.contains(operand), "{operand} is missing in: {text}");
    }
    text.strip_prefix("cannot ")
        .expect("an operation that is refused")
        .split_once(": ")
        .expect("a sentence")
        .1
        .to_owned()
}

/// The mistakes of `ui-tests` with their operands at run time.
fn mistakes() -> Vec<(&'static str, LayoutError, Vec<&'static str>)> {
    let mut all = Vec::new();
    macro_rules! mistakes {
        ($($program:literal: $left:literal $method:ident $right:literal $read:ident;)*) => {
            $(all.push(($program, layout($left).$method(&$read($right)).unwrap_err(), vec![$left, $right]));)*
        };
    }
    // Where several sums of digits are too large, the compiler names the first and the error
    // the last: those are left out.
    mistakes! {
        "compose-steps-do-not-divide": "(4,6):(1,8)" compose "3:2" layout;
        "compose-steps-in-a-mode": "((4,6),5):((1,8),48)" compose "<3:2,_>" tiler;
        "compose-carry": "(4,2):(1,8)" compose "(2,2):(2,2)" layout;
        "compose-carry-in-a-mode": "(5,(4,2)):(8,(1,40))" compose "<_,(2,2):(2,2)>" tiler;
        "compose-tiler-of-too-high-rank": "(4,6):(1,4)" compose "<2,3,2>" tiler;
        "compose-tiler-of-too-low-rank": "(4,6,8):(1,4,24)" compose "<2,3>" tiler;
        "compose-carry-within-one-mode": "(6,5):(1,10)" compose "(2,2):(3,5)" layout;
        "compose-overshoot": "(20,3):(1,40)" compose "6:8" layout;
        "compose-overshoot-in-a-mode": "((20,3),5):((1,40),200)" compose "<6:8,_>" tiler;
        "compose-nested-overshoot": "(5,((20,3),7)):(1,((10,400),10000))" compose "<_,<6:8,_>>" tiler;
        "compose-large-numbers": "(1537,1600):(1,4099)" compose "2051:1" layout;
        "divide-overshoot": "(20,3):(1,40)" logical_divide "4:15" layout;
        "divide-overshoot-in-a-mode": "(5,(20,3)):(1,(10,400))" logical_divide "<_,4:15>" tiler;
        "divide-span-in-a-mode": "(4,6):(1,4)" logical_divide "<_,4>" tiler;
        "divide-zipped": "12:1" zipped_divide "8:1" layout;
        "divide-tiled": "(12,8):(1,12)" tiled_divide "<5,4>" tiler;
        "divide-flat": "(12,8):(1,12)" flat_divide "<5,4>" tiler;
        "divide-steps": "(4,6):(1,8)" logical_divide "3:2" layout;
        "divide-overlap": "64:1" logical_divide "(4,4):(1,2)" layout;
        "divide-gap": "48:1" logical_divide "(4,2):(1,6)" layout;
        "divide-tiler-of-too-high-rank": "(4,6):(1,4)" logical_divide "<2,3,2>" tiler;
        "product-overlap": "(4,4):(1,2)" logical_product "6" tiler;
        "product-steps": "(2,2):(1,6)" logical_product "5:2" layout;
        "product-carry": "(2,2):(1,6)" logical_product "(2,2):(2,2)" layout;
        "product-overshoot": "(2,2):(1,6)" logical_product "4:2" layout;
        "product-overshoot-in-a-mode": "(3,(2,2)):(20,(1,8))" logical_product "<_,4:3>" tiler;
        "product-blocked": "(4,4):(1,2)" blocked_product "(2,3):(1,2)" layout;
        "product-raked": "(4,4):(1,2)" raked_product "(2,3):(1,2)" layout;
        "tile-to-shape-block-does-not-divide": "(4,3):(1,4)" tile_to_shape "(8,10)" shape;
        "tile-to-shape-overlap": "(4,4):(1,2)" tile_to_shape "(8,8)" shape;
        "tile-to-shape-steps": "(2,2):(1,6)" tile_to_shape "(10,2)" shape;
        "tile-to-shape-overshoot": "(2,2):(1,6)" tile_to_shape "(4,8)" shape;
        "round-up-overlap": "60:1" round_up "(4,4):(1,2)" layout;
        "round-up-gap": "60:1" round_up "(4,2):(1,6)" layout;
        "layout-add-of-another-size": "(2,3):(1,2)" layout_add "(2,4):(1,2)" layout;
        "layout-add-without-a-common-refinement": "(3,4):(1,5)" layout_add "(2,6):(2,1)" layout;
        "coalesce-by-profile-of-too-high-rank": "(2,6):(1,2)" coalesce_by "(1,1,1)" shape;
    }
    all.push(("complement-of-extent-0", layout("0:1").complement(24).unwrap_err(), vec!["0:1", "24"]));
    let gapped = "(4,4):(1,6)";
    all.push(("complement-span", layout("8:2").complement(33).unwrap_err(), vec!["8:2", "33"]));
    all.push(("complement-overlap", layout("(4,4):(1,2)").complement(32).unwrap_err(), vec!["(4,4):(1,2)", "32"]));
    all.push(("complement-gap", layout(gapped).complement(48).unwrap_err(), vec![gapped, "48"]));
    all.push(("left-inverse-within", layout("(4,3):(1,2)").left_inverse().unwrap_err(), vec!["(4,3):(1,2)"]));
    all.push(("left-inverse-strides", layout("(2,2):(2,7)").left_inverse().unwrap_err(), vec!["(2,2):(2,7)"]));
    all.push(("upcast-carry", layout("(2,2):(1,1)").upcast(2).unwrap_err(), vec!["(2,2):(1,1)", "2"]));
    all.push(("upcast-regroup", layout("(6,8):(1,6)").upcast(4).unwrap_err(), vec!["(6,8):(1,6)", "4"]));
    all.push(("upcast-by-0", layout("(32,8):(1,32)").upcast(0).unwrap_err(), vec!["(32,8):(1,32)", "0"]));
    all.push(("downcast-unit-stride", layout("(8,8):(2,16)").downcast(4).unwrap_err(), vec!["(8,8):(2,16)", "4"]));
    let tile = "Sw<3,3,3> o 0 o (8,64):(64,1)";
    let shifted = "Sw<3,3,3> o 4 o (8,64):(64,1)";
    all.push(("upcast-swizzle-within-a-unit", composed(tile).upcast(16).unwrap_err(), vec![tile, "16"]));
    all.push(("recast-swizzle-within-a-unit", composed(tile).recast(8, 128).unwrap_err(), vec![tile, "8 to 128"]));
    all.push(("downcast-swizzle-to-three-parts", composed(tile).downcast(3).unwrap_err(), vec![tile, "3"]));
    all.push(("recast-swizzle-to-three-parts", composed(tile).recast(24, 8).unwrap_err(), vec![tile, "24 to 8"]));
    all.push(("upcast-offset-within-a-unit", composed(shifted).upcast(8).unwrap_err(), vec![shifted, "8"]));
    all.push(("recast-offset-within-a-unit", composed(shifted).recast(8, 64).unwrap_err(), vec![shifted, "8 to 64"]));
    // The swizzle or the offset known only at run time, the rest known to the types.
    let known = layout!((8, 64):(64, 1));
    let swizzle = ComposedLayout::new(DynSwizzle::new(3, 3, 3).unwrap(), int!(0), known);
    all.push(("upcast-swizzle-within-a-unit", swizzle.try_upcast(int!(16)).unwrap_err(), vec![tile, "16"]));
    all.push(("downcast-swizzle-to-three-parts", swizzle.try_downcast(int!(3)).unwrap_err(), vec![tile, "3"]));
    let offset = ComposedLayout::new(Swizzle::<3, 3, 3>::new(), 4, known);
    all.push(("upcast-offset-within-a-unit", offset.try_upcast(int!(8)).unwrap_err(), vec![shifted, "8"]));
    all.push(("recast-offset-within-a-unit", offset.try_recast(shape!((8, 64))).unwrap_err(), vec![shifted, "(8,64)"]));
    let matrix = "(4,6):(1,4)";
    all.push(("mode-beyond-the-rank", layout(matrix).mode(2).unwrap_err(), vec![matrix]));
    all.push(("take-beyond-the-rank", layout(matrix).take(1, 3).unwrap_err(), vec![matrix]));
    all.push(("group-beyond-the-rank", layout(matrix).group(1, 3).unwrap_err(), vec![matrix]));
    all.push(("ungroup-beyond-the-rank", layout(matrix).ungroup(2).unwrap_err(), vec![matrix]));
    all.push(("select-beyond-the-rank", layout(matrix).select(&[1, 2]).unwrap_err(), vec![matrix]));
    all.push(("replace-beyond-the-rank", layout(matrix).replace(2, &layout("8:1")).unwrap_err(), vec![matrix]));
    all
}

#[test]
fn the_compiler_and_the_error_find_the_same() {
    let mut faults = Vec::new();
    for (program, error, operands) in mistakes() {
        let (compiler, run_time) = (compiled(program), said(&error, &operands));
        if compiler != run_time {
            faults.push(format!("{program}:\n  compiler: {compiler}\n  run time: {run_time}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Panics of `call`: the text, and the line where it is said to have happened.
fn panic_of<R>(call: impl FnOnce() -> R) -> (String, u32) {
    static HOOK: Mutex<()> = Mutex::new(());
    static SEEN: Mutex<Option<(String, u32)>> = Mutex::new(None);
    let _alone = HOOK.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let before = panic::take_hook();
    panic::set_hook(Box::new(|info| {
        let text = info.payload().downcast_ref::<String>().cloned().unwrap_or_default();
        let line =
            info.location().filter(|place| place.file().ends_with("same_fault.rs")).map_or(0, |place| place.line());
        *SEEN.lock().expect("one panic at a time") = Some((text, line));
    }));
    let result = panic::catch_unwind(AssertUnwindSafe(call));
    panic::set_hook(before);
    assert!(result.is_err(), "no panic");
    SEEN.lock().expect("the panic is over").take().expect("a panic")
}

/// The method of a mixed layout panics with the text of the error that its `try_` twin
/// returns, at the line of the call.
macro_rules! panics_as_it_is_tried {
    ($($left:expr, $method:ident $try_method:ident ($($right:expr)?);)*) => {
        $(
            let error = $left.$try_method($($right)?).unwrap_err();
            let (text, line) = panic_of(|| $left.$method($($right)?)); let here = line!();
            assert_eq!(text, error.to_string());
            assert_eq!(line, here, "{text}");
        )*
    };
}

#[test]
fn panics_are_word_for_word_and_at_the_call() {
    let (two, five, six, ten) = (2, 5, 6, 10);
    panics_as_it_is_tried! {
        layout!((4, six):(1, 4)), logical_divide try_logical_divide(tiler!(2, 4));
    }
    let (text, _) = panic_of(|| layout!((4, six):(1, 4)).logical_divide(tiler!(2, 4)));
    assert_eq!(text, "cannot divide (4,6):(1,4) by <2,4>: extent 6 is not a multiple of 4, what the tile spans");

    panics_as_it_is_tried! { layout!((4, six):(1, 4)), zipped_divide try_zipped_divide(tiler!(2, 4)); }
    panics_as_it_is_tried! { layout!((4, six):(1, 4)), tiled_divide try_tiled_divide(tiler!(2, 4)); }
    panics_as_it_is_tried! { layout!((4, six):(1, 4)), flat_divide try_flat_divide(tiler!(2, 4)); }
    panics_as_it_is_tried! { layout!(4:1), complement try_complement(five); }
    panics_as_it_is_tried! { layout!(4:two), complement try_complement(five); }
    panics_as_it_is_tried! { layout!((4, 3)), tile_to_shape try_tile_to_shape((8, ten)); }
    panics_as_it_is_tried! { layout!((4, six):(six, 1)), upcast try_upcast(int!(4)); }
    let huge = usize::MAX;
    panics_as_it_is_tried! { layout!(4:huge), compose try_compose(layout!(2:2)); }
}

#[test]
fn sizes_that_overflow_panic_at_the_call() {
    let huge = usize::MAX;
    let here = line!() + 1;
    let (text, line) = panic_of(|| layout!((2, huge):(1, 1)).size());
    assert!(text.contains(&format!("beyond {}", usize::MAX)), "{text}");
    assert_eq!(line, here);
    let here = line!() + 1;
    let (_, line) = panic_of(|| layout!((2, huge):(1, 3)).cosize());
    assert_eq!(line, here);
}
