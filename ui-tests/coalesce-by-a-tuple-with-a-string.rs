use layout_algebra::prelude::*;

fn main() {
    println!("{}", layout!((8, 6)).coalesce_by((int!(2), "3")).size());
}
