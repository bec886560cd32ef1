//! Every line of the golden files, the answers of the executable specification, through the dynamic engine.
//!
//! A line is `{"op": .., "args": [..], "out": ..}`. Results are compared as printed text; where the operation has no
//! exact answer, the kind of the error is compared. No line is skipped, and every operation has its 150 lines or 300.
//!
//! The specification counts as far as 64 bits do. On fewer, an answer that does not fit is one: that it overflows.

use std::collections::BTreeMap;

use layout_algebra::prelude::*;
use serde_json::{Value, json};

use crate::operations::{Args, GOLDEN, OPERATIONS};

/// The answer where numbers have as many bits as here.
fn expected(out: &Value) -> Value {
    let layout = out.as_str().filter(|_| usize::BITS < 64).map(str::parse::<DynLayout>);
    match layout {
        Some(Err(error)) if error.kind() == ErrorKind::Overflow => json!({ "undefined": "overflow" }),
        _ => out.clone(),
    }
}

#[test]
fn every_golden_line_is_answered_as_the_specification_does() {
    let mut lines: BTreeMap<String, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for line in GOLDEN.iter().flat_map(|file| file.lines()) {
        let case: Value = serde_json::from_str(line).expect("a line of JSON");
        let op = case["op"].as_str().expect("an operation");
        let args = Args(case["args"].as_array().expect("arguments"));
        *lines.entry(op.into()).or_default() += 1;
        let (.., answer) = OPERATIONS.iter().find(|(name, ..)| *name == op).expect("an operation that the table knows");
        let found = answer(&args);
        if found != expected(&case["out"]) {
            wrong.push(format!("{line}\n  is {found} here"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} lines differ, the first of them:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(10)].join("\n")
    );
    assert!(lines.values().all(|&count| count == 150 || count == 300), "150 or 300 lines each: {lines:?}");
    assert_eq!(lines.len(), OPERATIONS.len());
}
