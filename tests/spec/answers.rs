//! Answers of the dynamic engine, a line for each question: an operation and its operands between
//! tabs, as `compose<TAB>(4,6):(1,4)<TAB>6:2`. `tests/spec/oracle.py` asks, and `by_mode.py` and
//! `operands.py` beside it.

use std::io::{BufRead, Write, stdin, stdout};

use layout_algebra::prelude::*;

fn answer(line: &str) -> Result<String, LayoutError> {
    let mut words = line.split('\t');
    let operation = words.next().unwrap_or_default();
    let left: DynLayout = words.next().unwrap_or_default().parse()?;
    let right = words.next().unwrap_or_default();
    let (layout, tiler) = (|| right.parse::<DynLayout>(), || right.parse::<DynTiler>());
    if operation == "swizzled" {
        return Ok(left.swizzled()?.to_string());
    }
    Ok(match operation {
        "compose" => left.compose(tiler()?)?,
        "left_inverse" => left.left_inverse()?,
        "right_inverse" => left.right_inverse(),
        "complement" => left.complement(layout()?.size())?,
        "coalesce" => left.coalesce(),
        "filter" => left.filter(),
        "nullspace" => left.nullspace(),
        "linear" => left.linear()?,
        "natural" => left.natural()?,
        "layout_add" => left.layout_add(&layout()?)?,
        "max_common_layout" => left.max_common_layout(&layout()?),
        "logical_divide" => left.logical_divide(tiler()?)?,
        "zipped_divide" => left.zipped_divide(tiler()?)?,
        "tiled_divide" => left.tiled_divide(tiler()?)?,
        "flat_divide" => left.flat_divide(tiler()?)?,
        "logical_product" => left.logical_product(tiler()?)?,
        "zipped_product" => left.zipped_product(tiler()?)?,
        "tiled_product" => left.tiled_product(tiler()?)?,
        "flat_product" => left.flat_product(tiler()?)?,
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
