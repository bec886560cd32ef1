use layout_algebra::prelude::*;

fn main() {
    let tile = Swizzle::<3, 3, 3>::new().compose(layout!(((8, 8), (2, 4)):((64, 8), (1, 2))));
    println!("{}", Tensor::fixed([0; 511], tile)[1]);
}
