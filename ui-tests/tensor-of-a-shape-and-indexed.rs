use layout_algebra::prelude::*;

fn main() {
    let t = Tensor::new([0u8; 8], shape!((2, 4))).unwrap();
    let column = t.slice((.., 1));
    println!("{} {} {}", t[(1, 1)], column.layout(), t.compose(layout!(4))[3]);
}
