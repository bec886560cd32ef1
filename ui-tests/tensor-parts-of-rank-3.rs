use layout_algebra::{prelude::*, tensor::Rows};

fn main() {
    let mut t = Tensor::fixed([0; 24], layout!((4, 6)));
    t.try_parts_mut::<_, Rows>(layout!((2, 3, 4))).unwrap();
}
