use layout_algebra::prelude::*;

fn main() {
    let l = Swizzle::<3, 3, -3>.compose(shape!((8, 8)));
    println!("{}", l.size());
}
