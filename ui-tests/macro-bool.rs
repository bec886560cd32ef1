use layout_algebra::prelude::*;

type A = Layout!((4, true));

fn main() {
    let a = A::default();
    println!("{} {}", a.size(), a.index(1));
}
