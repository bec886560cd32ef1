use layout_algebra::prelude::*;

fn main() {
    let l = StridedLayout::left((4i32, 6));
    println!("{}", l.coalesce().size());
}
