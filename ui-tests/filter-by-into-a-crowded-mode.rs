use layout_algebra::prelude::*;

fn main() {
    let l = layout!((4, ((2, 2, 2, 2, 2), (2, 2, 2, 2))):(1, ((7, 70, 9, 99, 13), (17, 211, 777, 1001))));
    println!("{}", l.filter_by((1, 1)).rank());
}
