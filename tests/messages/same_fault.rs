//! The types and the run-time engine find the same fault with the same numbers, and a panic is the
//! error word for word, at the place of the call. No test compares the words: each sentence occurs
//! once in the sources. If two rules are broken, the types report the rule that they check first.
//!
//! The compiler's messages are those beside the programs of `ui-tests`, which
//! `ui-tests/tests/ui.rs` holds to be true.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Mutex;

use layout_algebra::prelude::*;

fn read<T: std::str::FromStr<Err: std::fmt::Debug>>(text: &str) -> T {
    text.parse().expect("an operand")
}

/// The first line of what the compiler says about a program of `ui-tests`.
fn compiled(program: &str) -> String {
    let path = format!("{}/../ui-tests/{program}.stderr", env!("CARGO_MANIFEST_DIR"));
    let message = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let first = message.lines().next().expect("a first line");
    first.strip_prefix("error[E0277]: ").expect("an operation that is refused").to_owned()
}

/// The mistakes of `ui-tests` with their operands at run time.
fn mistakes() -> Vec<(&'static str, LayoutError, Vec<&'static str>)> {
    let mut all = Vec::new();
    macro_rules! mistakes {
        ($($program:literal: $left:literal as $Left:ident, $method:ident($($operand:literal as $type:ty),*);)*) => {
            $(all.push((
                $program,
                read::<$Left>($left).$method($(&read::<$type>($operand)),*).map(drop).unwrap_err(),
                vec![$left $(, $operand)*],
            ));)*
        };
    }
    mistakes! {
        "compose-steps-do-not-divide": "(4,6):(1,8)" as DynLayout, compose("3:2" as DynLayout);
        "compose-steps-in-a-mode": "((4,6),5):((1,8),48)" as DynLayout, compose("<3:2,_>" as DynTiler);
        "compose-carry": "(4,2):(1,8)" as DynLayout, compose("(2,2):(2,2)" as DynLayout);
        "compose-large-numbers": "(1537,1600):(1,4099)" as DynLayout, compose("2051:1" as DynLayout);
        "compose-tiler-of-too-high-rank": "(4,6):(1,4)" as DynLayout, compose("<2,3,2>" as DynTiler);
        "compose-tiler-of-too-low-rank": "(4,6,8):(1,4,24)" as DynLayout, compose("<2,3>" as DynTiler);
        "coalesce-by-profile-of-too-high-rank": "(2,6):(1,2)" as DynLayout, coalesce_by("(1,1,1)" as DynShape);
        "divide-span-in-a-mode": "(4,6):(1,4)" as DynLayout, logical_divide("<_,4>" as DynTiler);
        "divide-zipped": "12:1" as DynLayout, zipped_divide("8:1" as DynLayout);
        "product-overlap": "(4,4):(1,2)" as DynLayout, logical_product("6" as DynTiler);
        "tile-to-shape-block-does-not-divide": "(4,3):(1,4)" as DynLayout, tile_to_shape("(8,10)" as DynShape);
        "left-inverse-within": "(4,3):(1,2)" as DynLayout, left_inverse();
    }
    let mut also = |program, refused: Option<LayoutError>, operands| {
        all.push((program, refused.expect("a mistake"), operands));
    };
    let layout = read::<DynLayout>;
    also("complement-of-extent-0", layout("0:1").complement(24).err(), vec!["0:1", "24"]);
    also("complement-span", layout("8:2").complement(33).err(), vec!["8:2", "33"]);
    also(
        "complement-overlap",
        layout("(4,4):(1,2)").complement(32).err(),
        vec!["(4,4):(1,2)", "32"],
    );
    also("complement-gap", layout("(4,4):(1,6)").complement(48).err(), vec!["(4,4):(1,6)", "48"]);
    also("upcast-carry", layout("(2,2):(1,1)").upcast(2).err(), vec!["(2,2):(1,1)", "2"]);
    also("upcast-regroup", layout("(6,8):(1,6)").upcast(4).err(), vec!["(6,8):(1,6)", "4"]);
    also("upcast-by-0", layout("(32,8):(1,32)").upcast(0).err(), vec!["(32,8):(1,32)", "0"]);
    also(
        "downcast-unit-stride",
        layout("(8,8):(2,16)").downcast(4).err(),
        vec!["(8,8):(2,16)", "4"],
    );
    let tile = "Sw<3,3,3> o 0 o (8,64):(64,1)";
    let shifted = "Sw<3,3,3> o 4 o (8,64):(64,1)";
    let composed = read::<DynComposedLayout>;
    also("upcast-swizzle-within-a-unit", composed(tile).upcast(16).err(), vec![tile, "16"]);
    also("downcast-swizzle-to-three-parts", composed(tile).downcast(3).err(), vec![tile, "3"]);
    also("upcast-offset-within-a-unit", composed(shifted).upcast(8).err(), vec![shifted, "8"]);
    // The swizzle or the offset known only at run time, the rest known to the types.
    let known = layout!((8, 64):(64, 1));
    let swizzle = ComposedLayout::new(DynSwizzle::new(3, 3, 3).unwrap(), int!(0), known);
    also("upcast-swizzle-within-a-unit", swizzle.try_upcast(int!(16)).err(), vec![tile, "16"]);
    let offset = ComposedLayout::new(Swizzle::<3, 3, 3>::new(), 4, known);
    also("upcast-offset-within-a-unit", offset.try_upcast(int!(8)).err(), vec![shifted, "8"]);
    let matrix = "(4,6):(1,4)";
    also("mode-beyond-the-rank", layout(matrix).mode(2).err(), vec![matrix]);
    also("take-beyond-the-rank", layout(matrix).take(1, 3).err(), vec![matrix]);
    also("select-beyond-the-rank", layout(matrix).select(&[1, 2]).err(), vec![matrix]);
    also("replace-beyond-the-rank", layout(matrix).replace(2, &layout("8:1")).err(), vec![matrix]);
    all
}

#[test]
fn the_compiler_and_the_error_find_the_same() {
    let mut faults = Vec::new();
    for (program, error, operands) in mistakes() {
        let (compiler, run_time) = (compiled(program), error.to_string());
        for operand in operands {
            assert!(run_time.contains(operand), "{operand} is missing in: {run_time}");
        }
        if !run_time.ends_with(&format!(": {compiler}")) {
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
        let line = info
            .location()
            .filter(|place| place.file().ends_with("same_fault.rs"))
            .map_or(0, |place| place.line());
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
    assert_eq!(
        text,
        "cannot divide (4,6):(1,4) by <2,4>: extent 6 is not a multiple of the span 4"
    );

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
