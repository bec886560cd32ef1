use layout_algebra::prelude::*;

fn main() {
    layout!((11008, 5000)).zipped_divide(tiler!(128, 1537));
}
