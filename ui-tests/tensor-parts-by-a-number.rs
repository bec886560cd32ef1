use layout_algebra::prelude::*;
use layout_algebra::tensor::Rows;

fn main() {
    let mut t = Tensor::fixed([0; 24], layout!((4, 6)));
    println!("{}", t.try_parts_mut::<_, Rows>(24).unwrap().count());
}
