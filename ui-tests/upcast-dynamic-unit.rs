use layout_algebra::prelude::*;

fn main() {
    let unit = 4;
    layout!((32, 8)).upcast(unit);
}
