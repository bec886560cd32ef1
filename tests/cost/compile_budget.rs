//! A limit on the compile time of an operation on types, so that a costly type-level function is
//! noticed: a multiple of rustc's time, in the same run, for an independent file of type-level
//! products. Both are measured in CPU time, which other load disturbs, and the limit allows for
//! that. With `COMPILE_BUDGET=count` in the environment valgrind counts instructions instead:
//! without that allowance, in ten times the time.
//!
//! `cargo bench -p layout-algebra-benches --bench compile_cost` shows the milliseconds.

#[path = "../../benches/compile_cost/operations.rs"]
#[allow(dead_code, reason = "the bench uses all of it")]
mod operations;

use std::env;
use std::fmt::Write;
use std::path::Path;

use crate::measure::Compiler;
use operations::{Draw, KINDS, Kind, Operation, draw, rust_operands, rust_results};

/// How many times the cost of a product of the reference an operation may cost, on operands of rank
/// 1 to 4: a twentieth more than measured.
const BUDGETS: [(Kind, f64); 5] = [
    (Kind::Compose, 0.201),
    (Kind::Complement, 0.262),
    (Kind::Coalesce, 0.075),
    (Kind::LogicalDivide, 0.363),
    (Kind::ZippedDivide, 0.29),
];

/// What processor time may take more than that.
const NOISE: f64 = 2.0;

/// One test, so that the two measurements follow one another, and others run beside them meanwhile.
#[test]
fn operations_keep_to_their_budget_and_a_costly_function_does_not() {
    let meter = Meter::new();
    keep_to_their_budget(&meter);
    is_over_budget(&meter);
}

fn keep_to_their_budget(meter: &Meter) {
    let within = |ratios: &[f64]| {
        ratios.iter().zip(BUDGETS).all(|(ratio, (_, budget))| *ratio <= budget * meter.noise)
    };
    let ratios =
        meter.ratios(&BUDGETS.map(|(kind, _)| (kind, rust_results(&operations(kind)))), within);
    let mut over = String::new();
    for ((kind, budget), ratio) in BUDGETS.into_iter().zip(ratios) {
        assert!(KINDS.contains(&kind));
        let budget = budget * meter.noise;
        let line = format!(
            "{:15} {ratio:6.3} times a product of the reference; budget {budget:.3}",
            kind.name()
        );
        println!("{line}");
        if ratio > budget {
            writeln!(over, "{line}").unwrap();
        }
    }
    assert!(over.is_empty(), "over budget:\n{over}");
}

/// The same measurement turns red where each operation comes with two greatest common divisors by
/// typenum, a type-level function of the costly kind that this test is to keep out: even under the
/// largest budget, which they go over by the least. One goes over it too, but by less than other
/// work may lift the reference.
fn is_over_budget(meter: &Meter) {
    let (kind, budget) = BUDGETS.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).expect("budgets");
    let budget = budget * meter.noise;
    // Other work may lift it above the budget, so that it is measured as often as one that is to
    // stay below.
    let never = |_: &[f64]| false;
    let ratio =
        meter.ratios(&[(kind, rust_results(&operations(kind)) + &divisors(2 * COUNT))], never)[0];
    println!("{:15} {ratio:6.3} times a product of the reference; budget {budget:.3}", kind.name());
    assert!(
        ratio > budget,
        "{} with two divisors each keeps to the budget: {ratio:.2} of {budget}",
        kind.name()
    );
}

/// How many operations of each kind.
const COUNT: usize = 12;
fn operations(kind: Kind) -> Vec<Operation> {
    draw(&mut Draw(7), &[kind], COUNT, &[1, 2, 3, 4], &[3, 5, 8, 12])
}

/// The operands of the operations of all kinds; of one kind what stands in their place.
fn operands_but(instead: Option<&(Kind, String)>) -> String {
    let text = |(kind, _)| match instead {
        Some((other, text)) if *other == kind => text.clone(),
        _ => rust_operands(&operations(kind)),
    };
    BUDGETS.into_iter().map(text).collect()
}

/// As many greatest common divisors, each of other numbers of the size that extents and strides
/// have.
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
    /// What the operands of all kinds cost, and a product of the reference.
    operands: f64,
    product: f64,
    /// How much more an operation may cost, for the noise of its measurement.
    noise: f64,
    /// Are instructions counted, by valgrind?
    counts: bool,
}

impl Meter {
    fn new() -> Self {
        const PRODUCTS: usize = 20;
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compile_budget");
        let (rust, plain) = (Compiler::rust(&folder), Compiler::plain_rust(&folder));
        let counts = env::var_os("COMPILE_BUDGET").is_some_and(|how| how == "count");
        let noise = if counts { 1.0 } else { NOISE };
        let enough = |_: &[f64]| true;
        let reference = costs(
            &plain,
            counts,
            &[("prelude", reference(0)), ("products", reference(PRODUCTS))],
            enough,
        );
        let operands = costs(&rust, counts, &[("operands", operands_but(None))], enough)[0];
        let product = (reference[1] - reference[0]) / PRODUCTS as f64;
        Meter { rust, operands, product, noise, counts }
    }

    /// What one of the operations of each kind costs above its operands, as a multiple of a product
    /// of the reference. The operands of all other kinds are in both files, so that one measurement
    /// of operands serves all.
    fn ratios(&self, results: &[(Kind, String)], enough: impl Fn(&[f64]) -> bool) -> Vec<f64> {
        let sources: Vec<_> =
            results.iter().map(|result| (result.0.name(), operands_but(Some(result)))).collect();
        let ratios = |costs: &[f64]| -> Vec<f64> {
            costs.iter().map(|cost| (cost - self.operands) / COUNT as f64 / self.product).collect()
        };
        ratios(&costs(&self.rust, self.counts, &sources, |costs| enough(&ratios(costs))))
    }
}

/// What sources cost: in instructions, or in processor time, the least of several runs, in turns,
/// since what disturbs a run only ever adds to it. There are four runs, and up to eight while these
/// are not `enough`: one whose machine was busy all the while is given time, and the others cost
/// half.
fn costs(
    compiler: &Compiler,
    counts: bool,
    sources: &[(&str, String)],
    enough: impl Fn(&[f64]) -> bool,
) -> Vec<f64> {
    const RUNS: std::ops::RangeInclusive<usize> = 4..=8;
    if counts {
        // Two side by side, which does not change the number of instructions.
        let pair = |pair: &[(&str, String)]| {
            let counting: Vec<_> =
                pair.iter().map(|(name, source)| compiler.instructions(name, source)).collect();
            counting.into_iter().map(|count| count()).collect::<Vec<_>>()
        };
        return sources.chunks(2).flat_map(pair).collect();
    }
    let mut least = vec![f64::INFINITY; sources.len()];
    for run in 1..=*RUNS.end() {
        for (least, (name, source)) in least.iter_mut().zip(sources) {
            let cost =
                compiler.once(name, source).unwrap_or_else(|errors| panic!("{name}: {errors}"));
            *least = least.min(cost.milliseconds);
        }
        if run >= *RUNS.start() && enough(&least) {
            break;
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
