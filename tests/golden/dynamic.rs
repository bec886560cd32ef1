//! Every line of the golden files, the answers of the executable specification, through the dynamic engine.
//!
//! A line is `{"op": .., "args": [..], "out": ..}`. Results are compared as printed text; where the operation has no
//! exact answer, the kind of the error is compared. No line is skipped, and every operation has its lines.
//!
//! The specification counts as far as 64 bits do. On fewer, an answer that does not fit is one: that it overflows.

use std::collections::BTreeMap;

use layout_algebra::prelude::*;
use serde_json::{Value, json};

use crate::answers::{Args, answer};

/// The answer where numbers have as many bits as here.
fn expected(out: &Value) -> Value {
    let layout = out.as_str().filter(|_| usize::BITS < 64).map(str::parse::<DynLayout>);
    match layout {
        Some(Err(error)) if error.kind() == ErrorKind::Overflow => json!({ "undefined": "overflow" }),
        _ => out.clone(),
    }
}

/// Compares the lines of a file, at least so many of each operation.
fn compare(file: &str, least: usize) {
    let mut lines: BTreeMap<String, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for line in file.lines() {
        let case: Value = serde_json::from_str(line).expect("a line of JSON");
        let op = case["op"].as_str().expect("an operation");
        *lines.entry(op.into()).or_default() += 1;
        let found = answer(op, &Args(case["args"].as_array().expect("arguments")));
        if found != expected(&case["out"]) {
            wrong.push(format!("{line}\n  is {found} here"));
        }
    }
    let some = wrong[..wrong.len().min(25)].join("\n");
    assert!(wrong.is_empty(), "{} lines differ, the first of them:\n{some}", wrong.len());
    assert!(!lines.is_empty() && lines.values().all(|&count| count >= least), "at least {least} each: {lines:?}");
}

/// Of natural strides; 150 lines of each of the first operations, 300 of each of the later ones.
#[test]
fn natural_strides() {
    compare(include_str!("golden.jsonl"), 150);
    compare(include_str!("golden-2.jsonl"), 300);
}

/// Of negative and of XOR strides, written by `tests/spec/golden.py`, whose specification `tests/spec/laws.py` checks by
/// brute force.
#[test]
fn strides_of_other_kinds() {
    compare(include_str!("golden-kinds.jsonl"), 100);
}
