use layout_algebra::prelude::*;

fn main() {
    println!("{}", OrderedLayout::<Shape!((4, 6)), Shape!((0, 1, 2))>::default().size());
}
