use layout_algebra::prelude::*;

type A = Layout!((4, 0x0): right);

fn main() {
    let a = A::default();
    println!("{} {}", a.size(), a.index(1));
}
