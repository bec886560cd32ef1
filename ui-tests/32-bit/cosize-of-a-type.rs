// error: the shape (65537,65537) has 4295098369 elements or more, and on a target of 32 bits the
// largest number is 4294967295
use layout_algebra::prelude::*;

fn main() {
    println!("{}", <Layout!((65537, 65537):(1, 65536))>::default());
}
