//! What an operation on types may cost the compiler, so that a costly type-level function is noticed: a multiple of
//! what rustc takes, in the same run, for a file of type-level products that has nothing to do with this crate.
//! Both are counted in instructions, by valgrind; where there is none, in processor time, which other work
//! disturbs, and with room for that.
//!
//! `cargo bench -p layout-algebra-benches --bench compile_cost` shows the milliseconds.

#[path = "../../benches/compile_cost/operations.rs"]
#[allow(dead_code, reason = "the bench uses all of it")]
mod operations;

use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::measure::Compiler;
use operations::{Draw, KINDS, Kind, Operation, draw, rust_operands, rust_results};

/// How many times the cost of a product of the reference an operation may cost, on operands of rank 1 to 4: a
/// twentieth more than measured.
const BUDGETS: [(Kind, f64); 5] = [
    (Kind::Compose, 0.201),
    (Kind::Complement, 0.262),
    (Kind::Coalesce, 0.075),
    (Kind::LogicalDivide, 0.363),
    (Kind::ZippedDivide, 0.29),
];

/// What processor time may take more than that.
const NOISE: f64 = 1.5;

#[test]
fn operations_keep_to_their_budget() {
    let meter = Meter::new("compile_budget");
    let mut over = String::new();
    for (kind, budget) in BUDGETS {
        assert!(KINDS.contains(&kind));
        let (ratio, budget) = (meter.ratio(kind, rust_results), budget * meter.noise);
        let line = format!("{:15} {ratio:6.3} times a product of the reference; budget {budget:.3}", kind.name());
        println!("{line}");
        if ratio > budget {
            writeln!(over, "{line}").unwrap();
        }
    }
    assert!(over.is_empty(), "over budget:\n{over}");
}

/// The same measurement turns red where each operation comes with one greatest common divisor by typenum, a
/// type-level function of the costly kind that this test is to keep out: even under the largest budget,
/// which it goes over by the least.
#[test]
fn a_costly_function_is_over_budget() {
    let meter = Meter::new("compile_budget");
    let (kind, budget) = BUDGETS.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).expect("budgets");
    let ratio = meter.ratio(kind, |operations| rust_results(operations) + &divisors(operations.len()));
    let budget = budget * meter.noise;
    println!("{:15} {ratio:6.3} times a product of the reference; budget {budget:.3}", kind.name());
    assert!(ratio > budget, "{} with a divisor each keeps to the budget: {ratio:.2} of {budget}", kind.name());
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
    /// What a product of the reference costs.
    product: f64,
    /// How much more an operation may cost, for the noise of its measurement.
    noise: f64,
    /// Is there valgrind, to count instructions?
    counts: bool,
    /// One at a time.
    _turn: MutexGuard<'static, ()>,
}
static TURN: Mutex<()> = Mutex::new(());

impl Meter {
    fn new(folder: &str) -> Self {
        const PRODUCTS: usize = 20;
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let rust = Compiler::rust(&folder);
        let counts = Command::new("valgrind").arg("--version").output().is_ok();
        let noise = if counts { 1.0 } else { NOISE };
        let sources = [("prelude", reference(0)), ("products", reference(PRODUCTS))];
        let [prelude, products] = costs(&Compiler::plain_rust(&folder), counts, &sources);
        let product = (products - prelude) / PRODUCTS as f64;
        Meter { rust, product, noise, counts, _turn: turn }
    }

    /// What one of several operations of a kind costs above its operands, as a multiple of a product of the reference.
    fn ratio(&self, kind: Kind, source: impl Fn(&[Operation]) -> String) -> f64 {
        const COUNT: usize = 12;
        let operations = draw(&mut Draw(7), &[kind], COUNT, &[1, 2, 3, 4], &[3, 5, 8, 12]);
        let sources = [("operands", rust_operands(&operations)), ("results", source(&operations))];
        let [operands, results] = costs(&self.rust, self.counts, &sources);
        (results - operands) / COUNT as f64 / self.product
    }
}

/// What two sources cost: in instructions, or in processor time, the least of several runs, in turns, since what
/// disturbs a run only ever adds to it.
fn costs(compiler: &Compiler, counts: bool, sources: &[(&str, String); 2]) -> [f64; 2] {
    const RUNS: usize = 4;
    if counts {
        // Side by side, which does not change the number of instructions.
        return sources.each_ref().map(|(name, source)| compiler.instructions(name, source)).map(|count| count());
    }
    let mut least = [f64::INFINITY; 2];
    for _ in 0..RUNS {
        for (least, (name, source)) in least.iter_mut().zip(sources) {
            let cost = compiler.once(name, source).unwrap_or_else(|errors| panic!("{name}: {errors}"));
            *least = least.min(cost.milliseconds);
        }
    }
    least
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
