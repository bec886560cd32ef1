use layout_algebra::prelude::*;

fn main() {
    let predicates = Tensor::coordinates(identity(shape!((5, 6)))).predicates((2, (3, 4)));
    println!("{}", predicates[(1, 2)]);
}
