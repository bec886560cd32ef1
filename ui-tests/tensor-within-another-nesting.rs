use layout_algebra::prelude::*;
use layout_algebra::tensor::Predicates;

fn main() {
    let there = Tensor::coordinates(identity((5, 6))).within(7);
    println!("{} {}", there.count(), there.holds(3));
}
