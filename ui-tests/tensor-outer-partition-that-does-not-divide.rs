use layout_algebra::prelude::*;

fn main() {
    let t = Tensor::fixed([0; 24], layout!((4, 6)));
    let share = t.outer_partition(tiler!(2, 4), (1, 0)).unwrap();
    println!("{}", share[(0, 0)]);
}
