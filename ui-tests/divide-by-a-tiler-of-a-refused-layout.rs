use layout_algebra::prelude::*;

fn main() {
    let tile = layout!((4, 6):(1, 10)).compose(layout!(5:2));
    println!("{}", layout!((4, 6)).zipped_divide(Tiler::new((tile, Keep))));
}
