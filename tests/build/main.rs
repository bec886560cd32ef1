//! Makes the parts of the tests that follow from the golden lines: facts about types, for the test
//! `golden`, and operands with dynamic leaves, for the test `static_laws`. Both are Rust in
//! `OUT_DIR`, included where they are used.

use std::path::Path;
use std::{env, fs};

use serde_json::Value;

#[macro_use]
#[path = "../../src/operations.rs"]
mod table;

mod facts;
mod mixed;
mod notation;
mod readings;

/// A golden line: `{"op": .., "args": [..], "out": ..}`.
struct Line {
    op: String,
    args: Vec<Value>,
    out: Value,
}

/// The lines of a file in `tests/golden`, in their order.
fn lines(file: &str) -> Vec<Line> {
    let path = Path::new("golden").join(file);
    let text =
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let line = |line: &str| {
        let case: Value =
            serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        let op = case["op"].as_str().expect("an operation").to_string();
        Line {
            op,
            args: case["args"].as_array().expect("arguments").clone(),
            out: case["out"].clone(),
        }
    };
    text.lines().map(line).collect()
}

/// The operations of the lines in the order in which they first appear, each with its lines.
fn by_operation(lines: Vec<Line>) -> Vec<(String, Vec<Line>)> {
    let mut all = Vec::<(String, Vec<Line>)>::new();
    for line in lines {
        match all.iter_mut().find(|(op, _)| *op == line.op) {
            Some((_, of_op)) => of_op.push(line),
            None => all.push((line.op.clone(), vec![line])),
        }
    }
    all
}

fn main() {
    for read in ["build", "golden", "../src/operations.rs"] {
        println!("cargo::rerun-if-changed={read}");
    }
    let natural = by_operation(
        [lines("golden.jsonl"), lines("golden-2.jsonl")].into_iter().flatten().collect(),
    );
    let kinds = by_operation(lines("golden-kinds.jsonl"));
    let folder = env::var_os("OUT_DIR").expect("a folder for what is made");
    let write = |file: &str, text: String| {
        fs::write(Path::new(&folder).join(file), text).expect("a file is written")
    };
    write("facts.rs", facts::natural(&natural) + &facts::negative(&kinds));
    write("mixed.rs", mixed::cases(&natural));
}
