//! Every line of `golden.jsonl`, the answers of the executable specification, through the dynamic engine.
//!
//! A line is `{"op": .., "args": [..], "out": ..}`. Results are compared as printed text; where the operation has no exact answer, the
//! kind of the error is compared. No line is skipped, and every operation has its 150 lines.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::str::FromStr;

use layout_algebra::prelude::*;
use serde_json::{Value, json};

/// The arguments of one line.
struct Args<'a>(&'a [Value]);

impl Args<'_> {
    fn parse<T: FromStr<Err = LayoutError>>(&self, index: usize) -> T {
        let text = match &self.0[index] {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            other => panic!("an argument is text or a number, and this is {other}"),
        };
        text.parse().unwrap_or_else(|error| panic!("{error}"))
    }

    fn layout(&self, index: usize) -> DynLayout {
        self.parse(index)
    }

    fn shape(&self, index: usize) -> DynShape {
        self.parse(index)
    }

    fn tiler(&self, index: usize) -> DynTiler {
        self.parse(index)
    }

    fn number(&self, index: usize) -> usize {
        usize::try_from(self.0[index].as_u64().expect("a number")).expect("a number that fits usize")
    }

    fn signed(&self, index: usize) -> i32 {
        i32::try_from(self.0[index].as_i64().expect("a number")).expect("a small number")
    }
}

/// An answer as the golden file writes it.
fn text(result: Result<impl Display, LayoutError>) -> Value {
    match result {
        Ok(value) => json!(value.to_string()),
        Err(error) => json!({ "undefined": error.kind().as_str() }),
    }
}

fn answer(op: &str, args: &Args<'_>) -> Value {
    let l = || args.layout(0);
    match op {
        "size" => json!(l().size()),
        "cosize" => json!(l().cosize()),
        "rank" => json!(l().rank()),
        "depth" => json!(l().depth()),
        "index" => json!(l().index(args.number(1))),
        "index_nested" => json!(l().index(&args.shape(1))),
        "idx2crd" => json!(args.shape(0).coord(args.number(1)).to_string()),
        "compact_left" => json!(DynLayout::left(&args.shape(0)).to_string()),
        "compact_right" => json!(DynLayout::right(&args.shape(0)).to_string()),
        "congruent" => json!(args.shape(0).congruent(&args.shape(1))),
        "weakly_congruent" => json!(args.shape(0).weakly_congruent(&args.shape(1))),
        "compatible" => json!(args.shape(0).compatible(&args.shape(1))),
        "coalesce" => json!(l().coalesce().to_string()),
        "coalesce_by_mode" => text(l().coalesce_by(&one_for_each_mode(&l()))),
        "filter" => json!(l().filter().to_string()),
        "flatten" => json!(l().flatten().to_string()),
        "compose" | "compose_by_mode" => text(l().compose(args.tiler(1))),
        "complement" => text(l().complement(args.number(1))),
        "complement_ceil" => text(l().complement_ceil(args.number(1))),
        "right_inverse" => json!(l().right_inverse().to_string()),
        "left_inverse" => text(l().left_inverse()),
        "nullspace" => json!(l().nullspace().to_string()),
        "max_common_layout" => json!(l().max_common_layout(&args.layout(1)).to_string()),
        "tile_to_shape" => text(l().tile_to_shape(&args.shape(1))),
        "upcast" => text(l().upcast(args.number(1))),
        "downcast" => text(l().downcast(args.number(1))),
        "swizzle" => {
            let (bits, base) = (args.signed(0).unsigned_abs(), args.signed(1).unsigned_abs());
            let swizzle = DynSwizzle::new(bits, base, args.signed(2)).expect("a swizzle");
            json!(swizzle.apply(args.number(3)))
        }
        "logical_divide" => text(l().logical_divide(args.tiler(1))),
        "zipped_divide" => text(l().zipped_divide(args.tiler(1))),
        "tiled_divide" => text(l().tiled_divide(args.tiler(1))),
        "flat_divide" => text(l().flat_divide(args.tiler(1))),
        "logical_product" => text(l().logical_product(args.tiler(1))),
        "zipped_product" => text(l().zipped_product(args.tiler(1))),
        "tiled_product" => text(l().tiled_product(args.tiler(1))),
        "flat_product" => text(l().flat_product(args.tiler(1))),
        "blocked_product" => text(l().blocked_product(&args.layout(1))),
        "raked_product" => text(l().raked_product(&args.layout(1))),
        other => panic!("an operation that this test does not know: {other}"),
    }
}

/// The profile of `coalesce_by_mode`: `(1,..,1)`, and `1` for a layout without parentheses.
fn one_for_each_mode(layout: &DynLayout) -> DynShape {
    match layout.depth() {
        0 => DynShape::from(1),
        _ => DynShape::tuple((0..layout.rank()).map(|_| DynShape::from(1))).expect("a mode"),
    }
}

#[test]
fn every_golden_line_is_answered_as_the_specification_does() {
    let mut lines: BTreeMap<String, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for line in include_str!("golden.jsonl").lines() {
        let case: Value = serde_json::from_str(line).expect("a line of JSON");
        let op = case["op"].as_str().expect("an operation");
        let args = Args(case["args"].as_array().expect("arguments"));
        *lines.entry(op.into()).or_default() += 1;
        let found = answer(op, &args);
        if found != case["out"] {
            wrong.push(format!("{line}\n  is {found} here"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} lines differ, the first of them:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(10)].join("\n")
    );
    assert!(lines.values().all(|&count| count == 150), "150 lines each: {lines:?}");
    assert_eq!((lines.len(), lines.values().sum::<usize>()), (38, 5700));
}
