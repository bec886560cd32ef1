// error: the layout (2,2):(2147483648,2147483648) reaches 4294967297 elements or more, and on a
// target of 32 bits the largest number is 4294967295
use layout_algebra::prelude::*;

fn main() {
    println!("{}", layout!((2, 2):(2147483648, 2147483648)).index((1, 1)));
}
