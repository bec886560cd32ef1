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
use std::sync::{Mutex, MutexGuard, PoisonError};

use measure::{Compiler, Cost};
use operations::{Draw, KINDS, Kind, Operation, draw, rust_operands, rust_results};

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
    let meter = Meter::new("compile_budget");
    let mut over = String::new();
    for (kind, budget) in BUDGETS {
        assert!(KINDS.contains(&kind));
        let ratio = meter.ratio(kind, rust_results);
        let line = format!("{:15} {ratio:5.2} times a product of the reference; budget {budget}", kind.name());
        println!("{line}");
        if ratio > budget {
            writeln!(over, "{line}").unwrap();
        }
    }
    assert!(over.is_empty(), "over budget:\n{over}");
}

/// The same measurement turns red where each operation comes with one greatest common divisor by typenum, a type-level function of the
/// costly kind that this test is to keep out.
#[test]
fn a_costly_function_is_over_budget() {
    let meter = Meter::new("compile_budget_costly");
    for (kind, budget) in BUDGETS {
        let ratio = meter.ratio(kind, |operations| rust_results(operations) + &divisors(operations.len()));
        println!("{:15} {ratio:5.2} times a product of the reference; budget {budget}", kind.name());
        assert!(ratio > budget, "{} with a divisor each keeps to the budget: {ratio:.2} of {budget}", kind.name());
    }
}

/// As many greatest common divisors, each of other numbers of the size that extents and strides have.
fn divisors(count: usize) -> String {
    let line = |i| {
        let (a, b) = (6720 + 48 * i, 1001 + 13 * i);
        format!("const _: usize = size_of::<typenum::Gcf<Int!({a}), Int!({b})>>();\n")
    };
    (0..count).map(line).collect()
}

/// Compiles files, and says what they cost in products of the reference.
struct Meter {
    rust: Compiler,
    plain: Compiler,
    /// One at a time.
    _turn: MutexGuard<'static, ()>,
}
static TURN: Mutex<()> = Mutex::new(());

impl Meter {
    fn new(folder: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        Meter { rust: Compiler::rust(&folder), plain: Compiler::plain_rust(&folder), _turn: turn }
    }

    /// What one of several operations of a kind costs above its operands, as a multiple of a product of the reference: processor time,
    /// the least of several runs, in turns, since what disturbs a run only ever adds to it.
    fn ratio(&self, kind: Kind, source: impl Fn(&[Operation]) -> String) -> f64 {
        const COUNT: usize = 24;
        const PRODUCTS: usize = 20;
        const RUNS: usize = 4;
        let operations = draw(&mut Draw(7), &[kind], COUNT, &[1, 2, 3, 4], &[3, 5, 8, 12]);
        let sources = [
            (&self.plain, "prelude", reference(0)),
            (&self.plain, "products", reference(PRODUCTS)),
            (&self.rust, "operands", rust_operands(&operations)),
            (&self.rust, "results", source(&operations)),
        ];
        let mut least = [Cost { milliseconds: f64::INFINITY, megabytes: 0.0 }; 4];
        for _ in 0..RUNS {
            for (least, (compiler, name, source)) in least.iter_mut().zip(&sources) {
                let cost = compiler.once(name, source).unwrap_or_else(|errors| panic!("{}: {errors}", kind.name()));
                least.milliseconds = least.milliseconds.min(cost.milliseconds);
            }
        }
        let [prelude, products, operands, results] = least;
        (results - operands).per(COUNT).milliseconds / (products - prelude).per(PRODUCTS).milliseconds
    }
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
