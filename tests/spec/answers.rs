//! Answers of the dynamic engine, a line for each question: an operation and its operands between tabs, as
//! `compose<TAB>(4,6):(1,4)<TAB>6:2`. `tests/spec/oracle.py` asks.

use std::io::{BufRead, Write, stdin, stdout};

use layout_algebra::prelude::*;

fn answer(line: &str) -> Result<String, LayoutError> {
    let mut words = line.split('\t');
    let operation = words.next().unwrap_or_default();
    let mut layout = || words.next().unwrap_or_default().parse::<DynLayout>();
    let left = layout()?;
    if operation == "swizzled" {
        return Ok(left.swizzled()?.to_string());
    }
    Ok(match operation {
        "compose" => left.compose(layout()?)?,
        "left_inverse" => left.left_inverse()?,
        "right_inverse" => left.right_inverse(),
        "complement" => left.complement(layout()?.size())?,
        "coalesce" => left.coalesce(),
        "logical_divide" => left.logical_divide(layout()?)?,
        _ => panic!("the operation {operation} is not known here"),
    }
    .to_string())
}

fn main() {
    let mut out = stdout().lock();
    for line in stdin().lock().lines() {
        let line = line.expect("text");
        let said = answer(&line).unwrap_or_else(|error| format!("refused {}", error.kind()));
        writeln!(out, "{said}").expect("someone who reads");
    }
}
