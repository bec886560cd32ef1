use layout_algebra::prelude::*;

fn main() {
    layout!((8, 8)).compose(Tiler::new((layout!(4:-2), Keep)));
}
