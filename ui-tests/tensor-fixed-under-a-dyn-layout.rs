use layout_algebra::prelude::*;

fn main() {
    let layout = DynLayout::left(&DynShape::from((4, 6)));
    println!("{}", Tensor::fixed([0; 24], layout).size());
}
