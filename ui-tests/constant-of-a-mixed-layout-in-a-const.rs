use layout_algebra::prelude::*;

fn main() {
    type L = Layout!((4, _):(1, 4));
    const SIZE: usize = L::SIZE;
    println!("{SIZE}");
}
