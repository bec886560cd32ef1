use layout_algebra::prelude::*;

fn main() {
    println!("{}", <Layout!((4, _):(1, 4))>::COSIZE);
}
