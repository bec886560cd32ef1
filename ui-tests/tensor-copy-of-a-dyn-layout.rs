use layout_algebra::prelude::*;

fn main() {
    let a = Tensor::new(vec![0; 24], "(4,6):(1,4)".parse::<DynLayout>().unwrap()).unwrap();
    let mut b = Tensor::fixed([0; 24], layout!((4, 6)));
    b.copy_from(&a).unwrap();
}
