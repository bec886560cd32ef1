use layout_algebra::prelude::*;

type A = Layout!((4, (_, 3)):(1, (4, (8))));

fn main() {
    let a = A::default();
    println!("{} {}", a.size(), a.index(1));
}
