use layout_algebra::prelude::*;

fn main() {
    let t = Tensor::fixed([0; 44], layout!((4, 6):(1, 8)));
    let rows = t.compose(layout!(3:2));
    println!("{}", rows.iter().sum::<i32>());
}
