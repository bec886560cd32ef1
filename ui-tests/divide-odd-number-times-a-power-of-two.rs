use layout_algebra::prelude::*;

fn main() {
    layout!((5, 62464)).logical_divide(tiler!(_, 63488));
}
