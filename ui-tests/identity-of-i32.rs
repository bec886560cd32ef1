use layout_algebra::prelude::*;

fn main() {
    println!("{:?}", identity((4i32, 6)));
}
