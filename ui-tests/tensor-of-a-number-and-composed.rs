use layout_algebra::prelude::*;

fn main() {
    let t = Tensor::new(5, layout!((2, 4))).unwrap();
    let part = t.compose(layout!(4:2));
    println!("{} {}", t[(1, 1)], part.iter().count());
}
