// error: the layout (65536,4):(65537,1) reaches 4294967296 elements or more, and on a target of 32
// bits the largest number is 4294967295
use layout_algebra::prelude::*;

fn main() {
    println!("{}", layout!((65536, 4):(65537, 1)).index((65535, 3)));
}
