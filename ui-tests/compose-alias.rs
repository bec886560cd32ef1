use layout_algebra::prelude::*;

type C = Composition<Layout!((4, 6):(1, 8)), Layout!(3:2)>;

fn main() {
    println!("{}", C::SIZE + C::default().index(3));
}
