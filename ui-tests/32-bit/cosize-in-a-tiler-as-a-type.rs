// error: the layout (2,2):(1,4294967295) reaches 4294967297 elements or more, and on a target of 32
// bits the largest number is 4294967295
use layout_algebra::prelude::*;

fn main() {
    println!("{}", size_of::<Tiler!(4, (2, 2):(1, 4294967295))>());
}
