use layout_algebra::prelude::*;

type T = Tiler!(1, 2, 3, 4, 5, 6, 7, 8, 9);

fn main() {
    let a = layout!((4, 6)).zipped_divide(T::default());
    println!("{}", a.size());
}
