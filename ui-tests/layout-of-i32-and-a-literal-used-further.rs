use layout_algebra::prelude::*;

fn main() {
    let layout = StridedLayout::new((4_i32, 6), (1, 4));
    println!("{} {}", layout.size(), layout.coalesce());
}
