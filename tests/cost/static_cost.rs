//! What layouts cost at run time: nothing. Static ones have no size, and an index compiles to the
//! instructions of the arithmetic that a person would have written.
//!
//! `benches/patterns/patterns.rs` and `static_cost/offsets.rs` hold pairs of functions. They are
//! compiled in release mode, and the assembly of each pair is compared: the same instructions in
//! the same order, registers aside. What they are on x86-64 stands in `benches/patterns/x86-64.s`,
//! to read and to see it change; the environment variable `STATIC_COST=overwrite` writes it anew.

#[path = "static_cost/assembly.rs"]
mod assembly;

use std::fmt::Write;
use std::{env, fs};

use assembly::Assembly;
use layout_algebra::prelude::*;

use crate::{released, root};

// ---- size ---------------------------------------------------------------------------------------

const WORD: usize = size_of::<usize>();

/// Only dynamic leaves take memory.
macro_rules! assert_dynamic_leaves {
    ($($layout:ty: $leaves:literal;)*) => {
        $(const _: () = assert!(size_of::<$layout>() == $leaves * WORD);)*
    };
}
assert_dynamic_leaves! {
    Layout!(8:1): 0;
    Layout!((4, 6):(1, 4)): 0;
    Layout!(((2, 2), (2, 3)):((1, 8), (2, 16))): 0;
    Layout!((1, 2, 3, 4, 5, 6, 7, 8)): 0;
    Layout!((4294967296, 65536):(1, 4294967296)): 0;
    Layout!(_:1): 1;
    Layout!((_, 6):(1, 4)): 1;
    Layout!((4, 6):(1, _)): 1;
    Layout!((_, _):(_, 1)): 3;
    Layout!((_, (2, _)):(1, (_, 4))): 3;
    Layout!((_, _):(_, _)): 4;
}
// The results of operations are layouts like any other.
assert_dynamic_leaves! {
    Composition<Layout!((4, 6):(1, 4)), Layout!((2, 3):(2, 4))>: 0;
    Composition<Layout!((4, 6):(1, _)), Layout!(2:2)>: 0;
    ZippedDivision<Layout!((64, 96)), Tiler!(8, 16)>: 0;
    ZippedDivision<Layout!((64, 96):(_, 1)), Tiler!(8, 16)>: 2;
    ComplementOf<Layout!((2, 4):(1, 2)), Int!(16)>: 0;
}
const _: () = assert!(size_of::<Tiler!(2, (2, 3):(1, 8), _)>() == 0);
const _: () = assert!(size_of::<Shape!((4, (2, _)))>() == WORD);

// ---- instructions -------------------------------------------------------------------------------

/// All that is asked of the one assembly.
pub fn instructions() {
    let assembly = Assembly::parse(&compile());
    an_index_costs_what_the_arithmetic_costs(&assembly);
    a_tiled_product_costs_what_the_loops_cost(&assembly);
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    they_are_those_committed(&assembly);
}

fn an_index_costs_what_the_arithmetic_costs(assembly: &Assembly) {
    let pairs = assembly.pairs();
    let written = include_str!("static_cost/offsets.rs").matches("\npair!(").count()
        + include_str!("../../benches/patterns/patterns.rs").matches("\npattern!(").count();
    assert_eq!(pairs.len(), written, "pairs of functions in the assembly, and in the source");
    let mut report = String::new();
    for pair in &pairs {
        if pair.ours != pair.hand {
            write!(report, "\n{}", pair.side_by_side()).unwrap();
        }
    }
    assert!(
        report.is_empty(),
        "a layout costs other instructions than the arithmetic written out:\n{report}"
    );
}

/// The main loop of a tiled product has the instructions of the one written by hand: as many of
/// each kind, which read and write the same addresses; of arithmetic on integers, no more than the
/// step of the counter and the frame of what registers do not hold. The order is the compiler's: at
/// present one load and the factors of one product, of 134 instructions, stand the other way round.
fn a_tiled_product_costs_what_the_loops_cost(assembly: &Assembly) {
    let (atoms, hand) = (assembly.kinds("product_by_atoms"), assembly.kinds("product_by_hand"));
    println!("{atoms:?}");
    assert!(
        atoms.values().sum::<usize>() > 64 && atoms == hand,
        "by atoms {atoms:?}\nby hand {hand:?}"
    );
    if cfg!(target_arch = "x86_64") {
        let (ours, theirs) =
            (assembly.addresses("product_by_atoms"), assembly.addresses("product_by_hand"));
        assert!(ours.len() > 32 && ours == theirs, "by atoms {ours:?}\nby hand {theirs:?}");
        let on_integers = |kind: &&str| {
            ["add", "sub", "imul", "mul", "lea", "shl", "shr", "and", "or", "inc", "dec"]
                .iter()
                .any(|it| {
                    kind.strip_prefix(it)
                        .is_some_and(|width| ["", "b", "w", "l", "q"].contains(&width))
                })
        };
        let counted: usize =
            atoms.iter().filter(|(kind, _)| on_integers(kind)).map(|(_, count)| count).sum();
        assert!(counted <= 3, "arithmetic on integers: {atoms:?}");
    }
}

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn they_are_those_committed(assembly: &Assembly) {
    let committed = root().join("benches/patterns/x86-64.s");
    let mut text =
        format!("# {}\n# What both functions of each pair compile to.\n", assembly.compiler);
    for pair in assembly.pairs() {
        write!(text, "\n{}:\n{}", pair.name, pair.text).unwrap();
    }
    if env::var_os("STATIC_COST").is_some_and(|value| value == "overwrite") {
        fs::write(&committed, text).unwrap();
        return;
    }
    let expected = fs::read_to_string(&committed).unwrap();
    if expected.lines().next() != text.lines().next() {
        println!(
            "skipped: {} is of another compiler than {}",
            committed.display(),
            assembly.compiler
        );
        return;
    }
    assert!(
        expected == text,
        "the instructions changed; STATIC_COST=overwrite writes {} anew\n{}",
        committed.display(),
        assembly::side_by_side(("committed", &expected), ("now", &text))
    );
}

/// The release assembly of `static_cost/lib.rs`, compiled by the cargo that runs this test, as a
/// package of its own in the target directory. Dependencies are those that building this test has
/// already fetched.
fn compile() -> String {
    released::assembly("static_cost", &root().join("tests/cost/static_cost/lib.rs"))
}
