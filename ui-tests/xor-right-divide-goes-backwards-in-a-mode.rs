use layout_algebra::prelude::*;

fn main() {
    layout!((8, 8)).zipped_divide(Tiler::new((layout!(4:-2), Keep)));
}
