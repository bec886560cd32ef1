use layout_algebra::prelude::*;

type A = Layout!();

fn main() {
    let a = A::default();
    println!("{} {}", a.size(), a.index(1));
}
