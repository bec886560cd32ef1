use layout_algebra::prelude::*;

fn main() {
    let stride: Multiple<Int!(6)> = Multiple::new(12).unwrap();
    layout!((4, 6):(1, 8)).compose(layout!(2:stride));
}
