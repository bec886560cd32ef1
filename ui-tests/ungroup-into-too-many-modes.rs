use layout_algebra::prelude::*;

fn main() {
    println!("{}", layout!(((2, 2, 2, 2, 2), 2, 2, 2, 2)).ungroup::<0>().size());
}
