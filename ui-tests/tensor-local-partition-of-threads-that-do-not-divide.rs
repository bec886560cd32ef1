use layout_algebra::prelude::*;

fn main() {
    let t = Tensor::fixed([0; 24], layout!((4, 6)));
    let share = t.local_partition(layout!((2, 4)), 1).unwrap();
    println!("{}", share.iter().sum::<i32>());
}
