use layout_algebra::prelude::*;

fn main() {
    let words = Tensor::new(vec![String::new(); 8], layout!((4, 2))).unwrap();
    println!("{}", words.recast::<u8>().unwrap().size());
}
