use layout_algebra::prelude::*;

fn main() {
    let swizzled = Swizzle::<3, 3, 2>::new().compose(layout!((8, 64):(64, 1)));
    let (row, offset) = swizzled.slice((1, ..));
    println!("{} {} {}", row.at(3), offset, swizzled.upcast(int!(2)).size());
}
