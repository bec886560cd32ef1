// error: the shape (65536,65536) has 4294967296 elements or more, and on a target of 32 bits the
// largest number is 4294967295
use layout_algebra::prelude::*;

fn main() {
    println!("{}", layout!((65536, 65536)).rank());
}
