//! The compile time of an operation on types, compared with CuTe C++ on the same operations.
//!
//! ```text
//! cargo bench -p layout-algebra-benches --bench compile_cost                  all tables
//! cargo bench -p layout-algebra-benches --bench compile_cost -- series        cost per operation, of 48 and up to 768
//! cargo bench -p layout-algebra-benches --bench compile_cost -- operations    cost by operation, rank and extent
//! ```
//!
//! Each figure is the median of several runs, less the median of a file that only mentions the
//! operands. The first table shows what is left above an empty file too, and what an operation
//! costs in a function's signature, where rustc works a type out more than once. Times are
//! processor time of `rustc --emit=metadata`, as `cargo check` calls it; no compilation is
//! incremental.

#[path = "compile_cost/measure.rs"]
#[allow(dead_code, reason = "tests/cost/compile_budget.rs uses the rest")]
mod measure;
#[path = "compile_cost/operations.rs"]
mod operations;
mod progress;

use std::collections::BTreeSet;
use std::env;
use std::path::{Path, PathBuf};

use measure::{Compiler, Cost};
use operations::{
    CUTE_HEAD, Draw, KINDS, Kind, Operation, cute_operands, cute_results, draw, rust_operands,
    rust_parameters, rust_results,
};
use progress::Progress;

const SEED: u64 = 20;

fn main() {
    let words: Vec<String> = env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let asked = |word: &str| words.is_empty() || words.iter().any(|it| it == word);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compile_cost");
    let rust = Compiler::rust(&folder);
    let packages = env::var_os("CUTE_PACKAGES").map(PathBuf::from);
    let cute = packages.and_then(|packages| Compiler::cute(&folder, &packages));
    match cute {
        Some(_) => {
            println!("CuTe C++: by g++ (or CXX) -std=c++17 -fsyntax-only, from CUTE_PACKAGES.")
        }
        None => println!(
            "CuTe C++ is not there. To see it beside ours, have g++ and its headers, and name their folder:\n  \
             pip install --no-deps --target cute nvidia-cutlass nvidia-cuda-runtime-cu12 nvidia-cuda-nvcc-cu12 nvidia-cuda-cccl-cu12\n  \
             CUTE_PACKAGES=$PWD/cute cargo bench -p layout-algebra-benches --bench compile_cost"
        ),
    }
    if asked("series") {
        series(&rust, cute.as_ref());
    }
    if asked("operations") {
        by_operation(&rust, cute.as_ref());
    }
}

// ---- more and more operations -------------------------------------------------------------------

/// Operands of everyday rank and size, the five operations in turns.
fn series(rust: &Compiler, cute: Option<&Compiler>) {
    const COUNTS: [usize; 5] = [48, 96, 192, 384, 768];
    // Beyond this CuTe takes gigabytes.
    const MOST_OF_CUTE: usize = 192;
    let mut all = draw(
        &mut Draw(SEED),
        &KINDS,
        COUNTS[4] + MOST_OF_CUTE,
        &[1, 2, 3, 4],
        &[3, 4, 5, 6, 7, 8, 10, 12],
    );
    if let Some(cute) = cute {
        let rest = all.split_off(MOST_OF_CUTE);
        all = accepted(cute, all);
        println!(
            "CuTe refuses {} of {MOST_OF_CUTE} operations that are defined; others take their place.",
            MOST_OF_CUTE - all.len()
        );
        let others = accepted(cute, rest[COUNTS[4] - MOST_OF_CUTE..].to_vec());
        all.extend(others.into_iter().take(MOST_OF_CUTE - all.len()));
        all.extend_from_slice(&rest);
    }
    println!("\nDistinct operations of five kinds on operands of rank 1 to 4.\n");
    println!(
        "                 ours, above operands   above empty   in signatures      CuTe C++, above operands"
    );
    println!(
        "operations        ms   ms/op    MB/op         ms/op           ms/op          ms   ms/op    MB/op"
    );
    let (mut ours, mut others) = (Vec::new(), Vec::new());
    let progress = Progress::new("operations", COUNTS.iter().sum());
    for count in COUNTS {
        let operations = &all[..count];
        let sources = [
            String::new(),
            rust_operands(operations),
            rust_results(operations),
            rust_parameters(operations),
        ];
        let runs = if count > 200 { 5 } else { 9 };
        let [empty, operands, results, parameters] =
            rust.costs("series", sources.each_ref().map(String::as_str), runs);
        let (cost, each) = (results - operands, (results - operands).per(count));
        let mut line = format!(
            "{count:10} {:9.0} {:7.2} {:8.3}",
            cost.milliseconds, each.milliseconds, each.megabytes
        );
        line += &format!(" {:13.2}", (results - empty).per(count).milliseconds);
        line += &format!(" {:15.2}", (parameters - operands).per(count).milliseconds);
        ours.push((count, cost));
        if let Some(cute) = cute.filter(|_| count <= MOST_OF_CUTE) {
            let cost = above_operands(cute, operations, if count > 100 { 1 } else { 3 });
            let each = cost.per(count);
            line += &format!(
                "{:12.0} {:7.1} {:8.2}",
                cost.milliseconds, each.milliseconds, each.megabytes
            );
            others.push((count, cost));
        }
        progress.advance(count);
        progress.aside(|| println!("{line}"));
    }
    drop(progress);
    summary(&ours[..4], &others);
}

/// Growth and budget, in words.
fn summary(ours: &[(usize, Cost)], others: &[(usize, Cost)]) {
    let (of_48, of_384) = (ours[0].1, ours[3].1);
    let one = slope(ours);
    println!(
        "\nFrom 48 to 384, ours grows by {:.2} ms and {:.3} MB an operation: 8 times the operations, {:.2} times the time.",
        one.milliseconds,
        one.megabytes,
        of_384.milliseconds / of_48.milliseconds
    );
    let each = of_384.per(384).milliseconds;
    let kept = if each <= 6.0 { "kept" } else { "NOT KEPT" };
    println!("The budget of 6 ms an operation is {kept}: {each:.2} ms at 384.");
    if let [_, .., (most, _)] = others {
        let other = slope(others);
        println!(
            "From 48 to {most}, CuTe C++ grows by {:.1} ms and {:.2} MB an operation: {:.1} times ours in time, {:.1} times in memory.",
            other.milliseconds,
            other.megabytes,
            other.milliseconds / one.milliseconds,
            other.megabytes / one.megabytes
        );
    }
}

/// What one more operation costs, between the first and the last row.
fn slope(rows: &[(usize, Cost)]) -> Cost {
    let ((few, first), (many, last)) = (rows[0], rows[rows.len() - 1]);
    (last - first).per(many - few)
}

// ---- each operation, by operands ----------------------------------------------------------------

/// Operations in a file, for a cell of the table.
const CELL: usize = 12;

/// Each operation alone, by rank of the left operand and by its largest extent.
fn by_operation(rust: &Compiler, cute: Option<&Compiler>) {
    const BITS: [u32; 5] = [4, 8, 16, 24, 32];
    // Fewer for CuTe: the table takes minutes with them as it is.
    const BITS_OF_CUTE: [u32; 3] = [4, 16, 32];
    println!(
        "\nMilliseconds and megabytes an operation above its operands, {CELL} distinct ones a file, by rank and by the largest"
    );
    println!("extent of the left operand; the megabytes are those of the largest one.");
    let of_cute = if cute.is_some() { BITS_OF_CUTE.len() } else { 0 };
    let progress = Progress::new("cells", KINDS.len() * 8 * (BITS.len() + of_cute));
    for kind in KINDS {
        progress.aside(|| {
            println!("\n{:14}{:>48}{:>36}", kind.name(), "ours", cute.map_or("", |_| "CuTe C++"));
            println!(
                "rank          {}    {}",
                head(&BITS),
                cute.map_or(String::new(), |_| head(&BITS_OF_CUTE))
            );
        });
        for rank in 1..=8 {
            let mut line = format!("{rank:4}          ");
            line += &row(&progress, kind, rank, &BITS, |operations| {
                let sources = [&rust_operands(&operations)[..], &rust_results(&operations)];
                let [operands, results] = rust.costs("cell", sources, 5);
                Some((results - operands).per(CELL))
            });
            if let Some(cute) = cute {
                line += "    ";
                line += &row(&progress, kind, rank, &BITS_OF_CUTE, |operations| {
                    let operations = accepted(cute, operations);
                    (!operations.is_empty())
                        .then(|| above_operands(cute, &operations, 1).per(operations.len()))
                });
            }
            progress.aside(|| println!("{line}"));
        }
    }
}

fn head(bits: &[u32]) -> String {
    bits.iter().map(|bits| format!("{:>8}", format!("2^{bits}"))).collect::<String>() + "      MB"
}

/// A cell for each number of bits, and the memory of the last one.
fn row(
    progress: &Progress,
    kind: Kind,
    rank: usize,
    bits: &[u32],
    cost: impl Fn(Vec<Operation>) -> Option<Cost>,
) -> String {
    let (mut last, mut line) = (None, String::new());
    for &bits in bits {
        last = cost(draw(&mut Draw(SEED), &[kind], CELL, &[rank], &[bits]));
        line +=
            &last.map_or(format!("{:>8}", "refused"), |cost| format!("{:8.2}", cost.milliseconds));
        progress.advance(1);
    }
    line + &format!("{:>8}", last.map_or("-".to_owned(), |cost| format!("{:.2}", cost.megabytes)))
}

// ---- CuTe C++ -----------------------------------------------------------------------------------

/// What the operations cost CuTe above their operands and its headers.
fn above_operands(cute: &Compiler, operations: &[Operation], runs: usize) -> Cost {
    let [operands, results] =
        cute.costs("cute", [&cute_operands(operations), &cute_results(operations)], runs);
    results - operands
}

/// The operations that compile in CuTe C++.
fn accepted(cute: &Compiler, mut operations: Vec<Operation>) -> Vec<Operation> {
    loop {
        let Err(errors) = cute.once("accepted", &cute_results(&operations)) else {
            return operations;
        };
        let lines: BTreeSet<usize> = errors.lines().filter_map(line_of_operation).collect();
        assert!(!lines.is_empty(), "CuTe does not compile:\n{errors}");
        let mut line = CUTE_HEAD;
        operations.retain(|_| {
            line += 1;
            !lines.contains(&line)
        });
    }
}

/// The line of the generated file that a line of g++'s errors names.
fn line_of_operation(error: &str) -> Option<usize> {
    let rest = error.split_once("accepted.cpp:")?.1;
    rest.split(':').next()?.parse().ok()
}
