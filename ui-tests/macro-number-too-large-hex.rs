use layout_algebra::prelude::*;

fn main() {
    let n = int!(0xFFFF_FFFF_FFFF_FFFF);
    println!("{}", layout!((4, 6)).index((n, 5)));
}
