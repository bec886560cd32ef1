use layout_algebra::prelude::*;

fn main() {
    let tiler = Tiler::new((int!(2), "3"));
    let tiles = layout!((8, 6)).zipped_divide(tiler);
    println!("{}", tiles.index((1, 2)));
}
