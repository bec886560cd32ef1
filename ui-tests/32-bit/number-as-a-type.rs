// error: the number is 8589934592, and on a target of 32 bits the largest number is 4294967295
use layout_algebra::prelude::*;

fn main() {
    println!("{}", <Int!(8589934592)>::default());
}
