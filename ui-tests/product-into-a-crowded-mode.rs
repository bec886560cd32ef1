use layout_algebra::prelude::*;

fn main() {
    let l = layout!((4, ((2, 2, 2, 2, 2), (2, 2, 2, 2))):(1, ((2, 8, 32, 128, 512), (2048, 8192, 32768, 131072))));
    println!("{}", l.logical_product(tiler!(_, 512)).rank());
}
