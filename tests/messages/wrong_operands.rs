//! Any operand for any operation on any layout gives at most one error, in words and decimals, also
//! if the result is used later. For some constructors and functions this holds for the first error.
//!
//! Two programs hold all of it, a function for each operation on each receiver and each operand,
//! and are compiled side by side; the errors of the compiler are counted by line. Every second
//! operand is given, and with `OPERANDS=all` each.

use std::collections::BTreeSet;
use std::path::Path;

use super::errors_by_line;
use crate::measure::Compiler;

const LAYOUTS: &[&str] = &[
    "layout!((8, 8))",
    "layout!((n, 8):(1, n))",
    "swizzled()",
    "ComposedLayout::new(DynSwizzle::new(3, 3, 3).unwrap(), 0, layout!((8, 64):(64, 1)))",
    r#"Swizzle::<3, 3, 3>::new().compose("(8,64):(64,1)".parse::<DynLayout>().unwrap())"#,
    "identity(shape!((8, 8)))",
];
/// Operations with an operand that give a layout: those of the table in `src/operations.rs`.
fn of_layouts() -> Vec<&'static str> {
    let mut names = Vec::new();
    macro_rules! name {
        (() $($row:tt)*) => {};
        (($kind:ident) $method:ident $($row:tt)*) => {
            names.push(stringify!($method));
        };
    }
    operations!(name);
    names
}

const TENSORS: &[&str] = &[
    "Tensor::fixed([0_u8; 64], layout!((8, 8)))",
    "Tensor::new(vec![0_u8; 512], swizzled()).unwrap()",
    r#"Tensor::new(vec![0_u8; 64], "(8,8):(8,1)".parse::<DynLayout>().unwrap()).unwrap()"#,
    "Tensor::coordinates(identity(shape!((8, 8))))",
];
/// Operations that all tensors have, with an operand, `$`, and what is done with the result.
const OF_TENSORS: &[(&str, &str)] = &[
    ("compose($)", ".size()"),
    ("logical_divide($)", ".size()"),
    ("zipped_divide($)", ".size()"),
    ("slice($)", ".size()"),
    ("get($)", ".is_some()"),
    ("local_tile($, (0, 0))", ".unwrap().size()"),
    ("outer_partition($, (0, 0))", ".unwrap().size()"),
    ("local_partition($, 0)", ".unwrap().size()"),
    ("partition_tv(tiler!(2, 2), $, 0)", ".unwrap().size()"),
];

/// Functions and constructors with an operand, `$`, and what is done with the result: one error.
const CALLS: &[(&str, &str)] = &[
    ("layout!((4, 6)).replace::<1, _>($)", ".coalesce().size()"),
    ("Tensor::coordinates($)", ".size()"),
    (
        "Tensor::fixed([0_u8; 24], layout!((4, 6))).local_tile_by(tiler!(2, 2), $, tiler!(1, 1))",
        ".unwrap().size()",
    ),
    ("DynLayout::new($, (1, 4))", ".unwrap().size()"),
    ("DynLayout::left(&DynShape::from((4, 6))).compose($)", ".unwrap().size()"),
    ("DynLayout::left(&DynShape::from((4, 6))).index($)", ""),
];
/// Those whose signatures say what they give, so that the compiler goes on with a result of a wrong
/// operand, and may say more: the first error is ours.
const FOLLOWED: &[(&str, &str)] = &[
    ("StridedLayout::new($, (1, 4))", ".coalesce().size()"),
    ("StridedLayout::new((4, 6), $)", ".coalesce().size()"),
    ("StridedLayout::left($)", ".coalesce().size()"),
    ("StridedLayout::right($)", ".coalesce().size()"),
    ("StridedLayout::ordered((4, 6), $)", ".size()"),
    ("StridedLayout::ordered($, shape!((1, 0)))", ".size()"),
    ("identity($)", ".coalesce().size()"),
    ("ComposedLayout::new($, 0, layout!((4, 6)))", ".coalesce().size()"),
    ("ComposedLayout::new(Swizzle::<2, 0, 2>::new(), $, layout!((4, 6)))", ".coalesce().size()"),
    ("ComposedLayout::new(Swizzle::<2, 0, 2>::new(), 0, $)", ".coalesce().size()"),
    ("Tensor::new($, layout!((4, 6)))", ".unwrap().size()"),
    ("Tensor::new([0_u8; 24], $)", ".unwrap().size()"),
    ("Tensor::fixed($, layout!((4, 6)))", ".size()"),
    ("Tensor::fixed([0_u8; 24], $)", ".size()"),
    ("Tensor::filled($, 0_u8)", ".size()"),
    ("Tensor::coordinates(identity(shape!((4, 6)))).predicates($)", ".size()"),
    ("Tensor::fixed([0_u8; 24], layout!((4, 6))).with_layout($)", ".unwrap().size()"),
    (
        "Tensor::fixed([0_u8; 24], layout!((4, 6))).local_tile_by($, (0, 0), tiler!(1, 1))",
        ".unwrap().size()",
    ),
    ("Tensor::fixed([0_u8; 24], layout!((4, 6))).partitions_mut($)", ".unwrap().count()"),
    (
        "Tensor::fixed([0_u8; 24], layout!((4, 6))).ragged_tile(tiler!(3, 4), $)",
        ".unwrap().shape()",
    ),
    (
        "Tensor::coordinates(identity(shape!((4, 6)))).local_tile(tiler!(2, 3), $)",
        ".unwrap().size()",
    ),
    ("crd2idx($, (4, 6))", ""),
    ("crd2idx((1, 2), $)", ""),
    ("crd2crd($, (4, 6), 24)", ""),
    ("idx2crd(3, $)", ""),
    ("elem_less($, (4, 6))", ""),
    ("elem_less((1, 2), $)", ""),
    ("make_layout_tv($, layout!((2, 2)))", ".unwrap()"),
    ("make_layout_tv(layout!((2, 2)), $)", ".unwrap()"),
    ("make_tiled_copy($, layout!((2, 2)), layout!((1, 2)))", ".unwrap().size()"),
    ("make_tiled_copy(UniversalCopy::<u8>::new(), $, layout!((1, 2)))", ".unwrap().size()"),
    ("make_tiled_copy(UniversalCopy::<u8>::new(), layout!((2, 2)), $)", ".unwrap().size()"),
    ("make_tiled_mma($, layout!((2, 2, 1)), tiler!(_, _, _))", ".size()"),
    ("make_tiled_mma(UniversalFma::<f32>::new(), $, tiler!(_, _, _))", ".size()"),
    ("make_tiled_mma(UniversalFma::<f32>::new(), layout!((2, 2, 1)), $)", ".size()"),
];
/// One of the operations of tensors is among them.
const FOLLOWED_OF_TENSORS: &str = "partition_tv(tiler!(2, 2), $, 0)";
/// A composition of a plain tensor with a swizzled layout is no layout of memory, which the
/// signature says too.
const NO_MEMORY: &str = "Tensor::fixed([0_u8; 64], layout!((8, 8))).compose(swizzled())";

/// Good ones for some operations, wrong ones for most.
const OPERANDS: &[&str] = &[
    "int!(3)",
    "0",
    "shape!((2, 3))",
    "shape!((2, 2, 2, 2))",
    "layout!(4:2)",
    "layout!(5:3)",
    "layout!(n:2)",
    "&layout!(4:2)",
    "tiler!(2, 3)",
    "tiler!(2, 2, 2)",
    "Tiler::new((int!(2), shape!(((2, 2), 3))))",
    "Keep",
    "[0_u8; 23]",
    "\"a\"",
    "3_u32",
    "(int!(2), \"a\")",
    "(int!(1), ..)",
    "(int!(2), layout!(2:1))",
    "vec![2, 2]",
    "\"4:1\".parse::<DynLayout>().unwrap()",
    "swizzled()",
    "Swizzle::<2, 0, 2>::new()",
    "identity(shape!(4))",
];

#[test]
fn every_operand_gives_at_most_one_error() {
    let every = if std::env::var("OPERANDS").is_ok_and(|which| which == "all") { 1 } else { 2 };
    let operands: Vec<&str> = OPERANDS.iter().copied().step_by(every).collect();
    let (some, others) = operands.split_at(operands.len() / 2);
    let faults = std::thread::scope(|scope| {
        let (some, others) =
            (scope.spawn(|| faults("some", some)), scope.spawn(|| faults("others", others)));
        [some, others].map(|faults| faults.join().expect("the compiler's errors are read")).concat()
    });
    assert!(faults.is_empty(), "{faults}");
}

/// What the compiler says of these operands that it should not.
fn faults(name: &str, operands: &[&str]) -> String {
    let mut program = vec![
        "#![allow(unused)]".to_owned(),
        "use layout_algebra::atom::*;".to_owned(),
        "use layout_algebra::prelude::*;".to_owned(),
        "use layout_algebra::tensor::{elem_less, make_layout_tv};".to_owned(),
        "fn swizzled() -> ComposedLayout<Swizzle<3, 3, 3>, Int<0>, Layout!((8, 64):(64, 1))> { Default::default() }"
            .to_owned(),
    ];
    let mut followed = BTreeSet::new();
    let mut function = |pattern: &str, call: &str, further: &str| {
        let name = program.len();
        let follows =
            FOLLOWED.iter().any(|(call, _)| *call == pattern) || pattern == FOLLOWED_OF_TENSORS;
        if follows || call == NO_MEMORY {
            followed.insert(name + 1);
        }
        program.push(format!(
            "fn f{name}(n: usize) {{ let result = {call}; let _ = result{further}; }}"
        ));
    };
    for operand in operands {
        for layout in LAYOUTS {
            for operation in of_layouts() {
                function(
                    operation,
                    &format!("{layout}.{operation}({operand})"),
                    ".coalesce().size()",
                );
            }
            function("slice", &format!("{layout}.slice({operand})"), ".0.coalesce().size()");
            function("index", &format!("{layout}.index({operand})"), "");
        }
        for tensor in TENSORS {
            for (call, further) in OF_TENSORS {
                function(call, &format!("{tensor}.{}", call.replace('$', operand)), further);
            }
        }
        for (call, further) in CALLS.iter().chain(FOLLOWED) {
            function(call, &call.replace('$', operand), further);
        }
    }

    let rust = Compiler::rust(
        &Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("wrong_operands_{name}")),
    );
    let Some(text) = rust.errors(name, &program.join("\n")) else {
        panic!("most of the operands are wrong")
    };
    let errors = errors_by_line(&text);
    assert!(
        errors.len() * 2 > program.len(),
        "{} of {} are too few: is this the program?",
        errors.len(),
        program.len()
    );
    let mut faults = String::new();
    for (line, errors) in errors {
        let foreign = ["UInt<", "UTerm", "B0", "B1", "the trait bound", "type mismatch"];
        if errors.len() > 1 && !followed.contains(&line)
            || foreign.iter().any(|word| errors[0].contains(word))
        {
            faults.push_str(&format!("{}\n    {}\n", program[line - 1], errors.join("\n    ")));
        }
    }
    faults
}
