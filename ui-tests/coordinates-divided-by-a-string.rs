use layout_algebra::prelude::*;

fn main() {
    let whole = Tensor::coordinates(identity(shape!((8, 6))));
    println!("{}", whole.zipped_divide("2").size());
}
