//! What an operation on types may cost the compiler, so that a costly type-level function is noticed: a multiple of what rustc takes,
//! in the same run, for a file of type-level products that has nothing to do with this crate. A slow machine slows both.
//!
//! `cargo bench --bench compile_cost --features alloc` shows the milliseconds.
#![cfg(feature = "alloc")]

#[path = "../benches/compile_cost/measure.rs"]
#[allow(dead_code, reason = "the bench uses all of it")]
mod measure;
#[path = "../benches/compile_cost/operations.rs"]
#[allow(dead_code, reason = "the bench uses all of it")]
mod operations;

use std::fmt::Write;
use std::path::Path;

use measure::{Compiler, Cost};
use operations::{Draw, KINDS, Kind, draw, rust_operands, rust_results};

/// How many times the cost of a product of the reference an operation may cost, on operands of rank 1 to 4: half as much again as measured.
const BUDGETS: [(Kind, f64); 5] = [
    (Kind::Compose, 0.5),
    (Kind::Complement, 0.55),
    (Kind::Coalesce, 0.2),
    (Kind::LogicalDivide, 1.15),
    (Kind::ZippedDivide, 0.95),
];

#[test]
fn operations_keep_to_their_budget() {
    const COUNT: usize = 24;
    const PRODUCTS: usize = 20;
    const RUNS: usize = 4;
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compile_budget");
    let (rust, plain) = (Compiler::rust(&folder), Compiler::plain_rust(&folder));
    let (prelude, products) = (reference(0), reference(PRODUCTS));
    let mut over = String::new();
    for (kind, budget) in BUDGETS {
        assert!(KINDS.contains(&kind));
        let operations = draw(&mut Draw(7), &[kind], COUNT, &[1, 2, 3, 4], &[3, 5, 8, 12]);
        let (operands, results) = (rust_operands(&operations), rust_results(&operations));
        // The least of several runs, in turns: what disturbs a run only ever adds to it.
        let mut least = [Cost { milliseconds: f64::INFINITY, megabytes: 0.0 }; 4];
        for _ in 0..RUNS {
            let costs = [
                plain.once("prelude", &prelude),
                plain.once("products", &products),
                rust.once("operands", &operands),
                rust.once("results", &results),
            ];
            for (least, cost) in least.iter_mut().zip(costs) {
                let cost = cost.unwrap_or_else(|errors| panic!("{}: {errors}", kind.name()));
                least.milliseconds = least.milliseconds.min(cost.milliseconds);
            }
        }
        let [prelude, products, operands, results] = least;
        let (one, unit) = ((results - operands).per(COUNT), (products - prelude).per(PRODUCTS));
        let ratio = one.milliseconds / unit.milliseconds;
        let line = format!(
            "{:15} {:6.2} ms, {ratio:5.2} times a product of {:.2} ms; budget {budget}",
            kind.name(),
            one.milliseconds,
            unit.milliseconds
        );
        println!("{line}");
        if ratio > budget {
            writeln!(over, "{line}").unwrap();
        }
    }
    assert!(over.is_empty(), "over budget:\n{over}");
}

/// The reference with as many products, each of other numbers.
fn reference(products: usize) -> String {
    let mut text = include_str!("compile_budget/reference.rs").to_owned();
    for i in 0..products {
        let (a, b) = (binary(1_000_003 + 7919 * i), binary(800_011 + 104_729 * i));
        writeln!(text, "const _: usize = size_of::<<{a} as Times<{b}>>::Product>();").unwrap();
    }
    text
}

/// A number as a type of the reference, the lowest bit outermost.
fn binary(number: usize) -> String {
    match number {
        0 => "End".to_owned(),
        _ => format!("{}<{}>", if number % 2 == 0 { "Zero" } else { "One" }, binary(number / 2)),
    }
}
