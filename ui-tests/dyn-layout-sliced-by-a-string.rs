use layout_algebra::prelude::*;

fn main() {
    let layout = DynLayout::left(&DynShape::from((4, 6)));
    let t = Tensor::new(vec![0; 24], layout).unwrap();
    println!("{}", t.slice("1").size());
}
