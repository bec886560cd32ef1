use layout_algebra::prelude::*;

fn main() {
    layout!(12:1).logical_divide(int!(5));
}
