use layout_algebra::prelude::*;

fn main() {
    let mut t = Tensor::fixed([0; 24], layout!((4, 6)));
    t.try_parts_mut::<_, usize>(layout!((4, 6))).unwrap();
}
