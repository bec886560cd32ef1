use layout_algebra::prelude::*;

type A = Layout!((4, 9223372036854775809): right);

fn main() {
    let a = A::default();
    println!("{} {}", a.size(), a.index(1));
}
