use layout_algebra::prelude::*;

fn main() {
    let layout = <Layout!((4, _))>::default();
    println!("{}", layout.size());
}
