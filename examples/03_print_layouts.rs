//! Three layouts of one 2 x 4 matrix: column-major, row-major, and row-major with rows 8 apart,
//! `(2,4):(8,1)`.
//!
//! A layout is a function from coordinates to offsets, and small ones are best understood by
//! writing the function out: every coordinate with its offset, and the offsets as a table. CuTe's
//! `print(layout)` and `print_layout(layout)`.

use std::fmt::Write;

use layout_algebra::prelude::*;

/// A layout, each coordinate with its offset, and the table of offsets.
fn describe(
    text: &mut String,
    layout: impl Layout<Coordinate = (usize, usize), Offset = usize> + Into<DynLayout>,
) {
    let table: DynLayout = layout.clone().into();
    writeln!(text, "{table}").expect("writing to a string");
    for (i, j) in layout.coords() {
        writeln!(text, "  ({i},{j}) -> {}", layout.locate((i, j))).expect("writing to a string");
    }
    // A tensor whose elements are the offsets prints as the table.
    let columns = layout.size() / 2;
    let offsets: Vec<usize> = (0..layout.size()).map(|i| layout.at(i)).collect();
    let tensor =
        Tensor::new(offsets, layout!((2, columns))).expect("as many offsets as coordinates");
    tensor
        .to_string()
        .lines()
        .skip(1)
        .for_each(|line| writeln!(text, "{line}").expect("writing to a string"));
}

/// All three.
pub fn text() -> String {
    let mut text = String::new();
    describe(&mut text, layout!((2, 4)));
    describe(&mut text, layout!((2, 4): right));
    describe(&mut text, layout!((2, 4):(8, 1)));
    text
}

#[allow(dead_code, reason = "the test of this example calls the function above")]
fn main() {
    print!("{}", text());
}
