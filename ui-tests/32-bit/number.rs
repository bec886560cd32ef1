// error: the number is 4294967296, and on a target of 32 bits the largest number is 4294967295
use layout_algebra::prelude::*;

fn main() {
    println!("{}", int!(4294967296));
}
