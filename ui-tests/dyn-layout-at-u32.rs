use layout_algebra::prelude::*;

fn main() {
    let (layout, i) = (DynLayout::left(&DynShape::from((4, 6))), 1u32);
    println!("{}", layout.index((i, 2)));
}
