//! Every line of the golden files, the answers of the executable specification, through the dynamic
//! engine.
//!
//! A line is `{"op": .., "args": [..], "out": ..}`. Results are compared as printed text; where the
//! operation has no exact answer, the kind of the error is compared. No line is skipped, and every
//! operation has its lines.
//!
//! The specification computes with 64 bits. On a platform with fewer, overflow is the correct
//! answer if the result does not fit.

use std::collections::BTreeMap;

use layout_algebra::prelude::*;
use serde_json::{Value, json};

use crate::answers::{Args, answer};

/// The answer where numbers have as many bits as here.
fn expected(out: &Value) -> Value {
    let layout = out.as_str().filter(|_| usize::BITS < 64).map(str::parse::<DynLayout>);
    match layout {
        Some(Err(error)) if error.kind() == ErrorKind::Overflow => {
            json!({ "undefined": "overflow" })
        }
        _ => out.clone(),
    }
}

/// The lines of a file whose answer differs, and what is found, of at least so many lines of each
/// operation.
fn differing(file: &str, least: usize) -> Vec<(Value, Value)> {
    let mut lines: BTreeMap<String, usize> = BTreeMap::new();
    let mut all = Vec::new();
    for line in file.lines() {
        let case: Value = serde_json::from_str(line).expect("a line of JSON");
        let op = case["op"].as_str().expect("an operation");
        *lines.entry(op.into()).or_default() += 1;
        let found = answer(op, &Args(case["args"].as_array().expect("arguments")));
        if found != expected(&case["out"]) {
            all.push((case, found));
        }
    }
    assert!(
        !lines.is_empty() && lines.values().all(|&count| count >= least),
        "at least {least} each: {lines:?}"
    );
    all
}

fn assert_none(differing: &[(Value, Value)]) {
    let some =
        differing.iter().take(25).map(|(case, found)| format!("{case}\n  is {found} here\n"));
    assert!(
        differing.is_empty(),
        "{} lines differ, the first of them:\n{}",
        differing.len(),
        some.collect::<String>()
    );
}

/// Of natural strides; 150 lines of each of the first operations, 300 of each of the later ones.
#[test]
fn natural_strides() {
    assert_none(&differing(include_str!("golden.jsonl"), 150));
    assert_none(&differing(include_str!("golden-2.jsonl"), 300));
}

/// Of negative and of XOR strides, written by `tests/spec/golden.py`, whose specification
/// `tests/spec/laws.py` checks by brute force. It searches where no rule has an answer, and
/// operations do not: it may have an answer that is refused here, or more in common.
/// `refused-now.jsonl` lists exactly these lines, with what is answered; `GOLDEN=overwrite` writes
/// it.
#[test]
fn strides_of_other_kinds() {
    // A layout without parentheses counts as far as its extent says.
    let extent = |out: &Value| out.as_str()?.split_once(':')?.0.parse::<usize>().ok();
    let by_search_alone = |(case, found): &(Value, Value)| {
        let less = case["op"] == "max_common_layout" && extent(found) < extent(&case["out"]);
        less || found["undefined"].is_string()
    };
    let differing = differing(include_str!("golden-kinds.jsonl"), 148);
    let (refused, wrong): (Vec<_>, Vec<_>) = differing.into_iter().partition(by_search_alone);
    assert_none(&wrong);
    let line = |(case, out): &(Value, Value)| json!({ "op": case["op"], "args": case["args"], "out": out });
    let refused: String = refused.iter().map(|each| format!("{}\n", line(each))).collect();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/golden/refused-now.jsonl");
    if std::env::var("GOLDEN").is_ok_and(|value| value == "overwrite") {
        std::fs::write(path, &refused).expect("the file can be written");
    }
    let listed = std::fs::read_to_string(path).unwrap_or_default();
    assert!(listed == refused, "{path} differs from what is refused; GOLDEN=overwrite writes it");
}
