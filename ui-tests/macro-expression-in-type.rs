use layout_algebra::prelude::*;

type A = Layout!((4, 2 * 3));

fn main() {
    let a = A::default();
    println!("{} {}", a.size(), a.index(1));
}
