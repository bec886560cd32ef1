use layout_algebra::prelude::*;

fn main() {
    let (m, n) = (5, 6);
    let predicates = Tensor::coordinates(identity((m, n))).predicates((4, 4));
    println!("{}", predicates[(1, 2)]);
}
