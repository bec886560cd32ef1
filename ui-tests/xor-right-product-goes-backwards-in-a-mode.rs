use layout_algebra::prelude::*;

fn main() {
    layout!((8, 8)).logical_product(Tiler::new((layout!(4:-2), Keep)));
}
