use layout_algebra::prelude::*;

fn main() {
    let l = StridedLayout::new("4", "1");
    println!("{}", l.coalesce().size());
}
