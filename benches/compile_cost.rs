//! What an operation on types costs the compiler, beside CuTe C++ on the same operations.
//!
//! ```text
//! cargo bench --bench compile_cost --features alloc                   both tables
//! cargo bench --bench compile_cost --features alloc -- series         cost per operation, and its growth from 48 operations to 768
//! cargo bench --bench compile_cost --features alloc -- operations     cost per operation, operand rank and extent
//! ```
//!
//! Each figure is the median of several runs, less the median of a file that only mentions the operands. The first table shows what is
//! left above an empty file too, and what an operation costs in a function's signature, where rustc works a type out more than once.
//! Times are processor time of `rustc --emit=metadata`, as `cargo check` calls it; no compilation is incremental.

#[path = "compile_cost/measure.rs"]
mod measure;
#[path = "compile_cost/operations.rs"]
mod operations;

use std::collections::BTreeSet;
use std::env;
use std::path::{Path, PathBuf};

use measure::{Compiler, Cost};
use operations::{
    CUTE_HEAD, Draw, KINDS, Operation, cute_operands, cute_results, draw, rust_operands, rust_parameters, rust_results,
};

const SEED: u64 = 20;

fn main() {
    let words: Vec<String> = env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let asked = |word: &str| words.is_empty() || words.iter().any(|it| it == word);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compile_cost");
    let rust = Compiler::rust(&folder);
    let packages = env::var_os("CUTE_PACKAGES").map(PathBuf::from);
    let cute = packages.and_then(|packages| Compiler::cute(&folder, &packages));
    match cute {
        Some(_) => println!("CuTe C++: with g++ (or CXX), -std=c++17 -fsyntax-only, from CUTE_PACKAGES."),
        None => println!(
            "CuTe C++ is not there. To see it beside ours, have g++ and its headers, and name their folder:\n  \
             pip install --no-deps --target cute nvidia-cutlass nvidia-cuda-runtime-cu12 nvidia-cuda-nvcc-cu12 nvidia-cuda-cccl-cu12\n  \
             CUTE_PACKAGES=$PWD/cute cargo bench --bench compile_cost --features alloc"
        ),
    }
    if asked("series") {
        series(&rust, cute.as_ref());
    }
    if asked("operations") {
        by_operation(&rust, cute.as_ref());
    }
}

/// Operands of everyday rank and size, all operations in turns.
fn series(rust: &Compiler, cute: Option<&Compiler>) {
    const LONGEST: usize = 768;
    // CuTe takes some 10 MB an operation.
    const LONGEST_CUTE: usize = 192;
    let mut all = draw(&mut Draw(SEED), &KINDS, LONGEST + LONGEST / 4, &[1, 2, 3, 4], &[3, 4, 5, 6, 7, 8, 10, 12]);
    if let Some(cute) = cute {
        let drawn = all.len();
        all = accepted(cute, all);
        println!("CuTe refuses {} of {drawn} operations that are defined; they are left out.", drawn - all.len());
    }
    all.truncate(LONGEST);
    println!(
        "\nMilliseconds and megabytes of the compiler, for distinct operations of five kinds on operands of rank 1 to 4.\n"
    );
    println!("                 ours, above operands   above empty   in signatures      CuTe C++, above operands");
    println!("operations        ms   ms/op    MB/op         ms/op           ms/op          ms   ms/op    MB/op");
    let (mut ours, mut others) = (Vec::new(), Vec::new());
    for count in [48, 96, 192, 384, 768] {
        let operations = &all[..count];
        let sources = [String::new(), rust_operands(operations), rust_results(operations), rust_parameters(operations)];
        let runs = if count > 200 { 5 } else { 9 };
        let [empty, operands, results, parameters] = rust.costs("series", sources.each_ref().map(String::as_str), runs);
        let (marginal, per) = (results - operands, count as f64);
        print!(
            "{count:10} {:9.0} {:7.2} {:8.3} {:13.2} {:15.2}",
            marginal.milliseconds,
            marginal.milliseconds / per,
            marginal.megabytes / per,
            (results - empty).milliseconds / per,
            (parameters - operands).milliseconds / per,
        );
        flush();
        ours.push((per, marginal));
        if let Some(cute) = cute.filter(|_| count <= LONGEST_CUTE) {
            let cost = cute_marginal(cute, operations, if count > 100 { 1 } else { 3 });
            print!("{:12.0} {:7.1} {:8.2}", cost.milliseconds, cost.milliseconds / per, cost.megabytes / per);
            others.push((per, cost));
        }
        println!();
    }
    let (of_48, of_384) = (ours[0].1, ours[3].1);
    let growth = slope(&ours[..4]);
    println!(
        "\nFrom 48 to 384, ours grows by {:.2} ms and {:.3} MB an operation: 8 times the operations, {:.2} times the time.",
        growth.milliseconds,
        growth.megabytes,
        of_384.milliseconds / of_48.milliseconds
    );
    let per_operation = of_384.milliseconds / 384.0;
    println!(
        "The budget of 6 ms an operation is {}: {per_operation:.2} ms at 384.",
        if per_operation <= 6.0 { "kept" } else { "NOT KEPT" }
    );
    if !others.is_empty() {
        let other = slope(&others);
        println!(
            "From 48 to {LONGEST_CUTE}, CuTe C++ grows by {:.1} ms and {:.2} MB an operation: {:.1} times ours in time, {:.1} times in memory.",
            other.milliseconds,
            other.megabytes,
            other.milliseconds / growth.milliseconds,
            other.megabytes / growth.megabytes
        );
    }
}

/// What one more operation costs, between the first and the last row.
fn slope(rows: &[(f64, Cost)]) -> Cost {
    let ((few, first), (many, last)) = (rows[0], rows[rows.len() - 1]);
    let cost = last - first;
    Cost { milliseconds: cost.milliseconds / (many - few), megabytes: cost.megabytes / (many - few) }
}

/// Each kind of operation alone, by rank of the left operand and by size of its largest extent.
fn by_operation(rust: &Compiler, cute: Option<&Compiler>) {
    const COUNT: usize = 12;
    const BITS: [u32; 5] = [4, 8, 16, 24, 32];
    println!(
        "\nMilliseconds an operation above its operands ({COUNT} distinct ones a file), by rank, and by the largest extent of the left operand."
    );
    for kind in KINDS {
        println!(
            "\n{:15} {:>40}{}",
            kind.name(),
            "ours",
            if cute.is_some() { format!("{:>46}", "CuTe C++") } else { String::new() }
        );
        print!("rank            ");
        let header = || BITS.iter().for_each(|bits| print!("{:>9}", format!("2^{bits}")));
        header();
        if cute.is_some() {
            print!(" ");
            header();
        }
        println!();
        for rank in 1..=8 {
            print!("{rank:4}            ");
            let cells = BITS.map(|bits| draw(&mut Draw(SEED), &[kind], COUNT, &[rank], &[bits]));
            for (cell, bits) in cells.iter().zip(BITS) {
                let (operands, results) = (rust_operands(cell), rust_results(cell));
                let [operands, results] = rust.costs(&format!("cell_{bits}"), [&operands, &results], 5);
                print!("{:9.2}", (results - operands).milliseconds / COUNT as f64);
                flush();
            }
            if let Some(cute) = cute {
                print!(" ");
                for cell in cells {
                    let cell = accepted(cute, cell);
                    match cell.len() {
                        0 => print!("  refused"),
                        per => print!("{:9.1}", cute_marginal(cute, &cell, 1).milliseconds / per as f64),
                    }
                    flush();
                }
            }
            println!();
        }
    }
}

fn flush() {
    use std::io::Write;
    std::io::stdout().flush().expect("standard output");
}

fn cute_marginal(cute: &Compiler, operations: &[Operation], runs: usize) -> Cost {
    let [operands, results] = cute.costs("cute", [&cute_operands(operations), &cute_results(operations)], runs);
    results - operands
}

/// The operations that compile in CuTe C++.
fn accepted(cute: &Compiler, mut operations: Vec<Operation>) -> Vec<Operation> {
    loop {
        let Err(errors) = cute.once("accepted", &cute_results(&operations)) else { return operations };
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
