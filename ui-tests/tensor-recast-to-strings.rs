use layout_algebra::prelude::*;

fn main() {
    let t = Tensor::new(vec![0u8; 64], layout!((8, 8))).unwrap();
    let words = t.recast::<String>().unwrap();
    println!("{}", words.layout());
}
