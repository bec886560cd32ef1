use layout_algebra::{prelude::*, tensor::Fragment};

fn main() {
    let t = Fragment::<f32, Layout!((4, _))>::zeroed();
    println!("{}", t.size());
}
