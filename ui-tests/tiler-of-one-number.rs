use layout_algebra::prelude::*;

fn main() {
    let tiler = Tiler::new(int!(2));
    println!("{}", layout!((8, 6)).compose(tiler).size());
}
