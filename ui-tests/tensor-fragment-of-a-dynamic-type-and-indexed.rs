use layout_algebra::prelude::*;
use layout_algebra::tensor::Fragment;

fn main() {
    let t: Fragment<u8, Layout!((2, _))> = Fragment::zeroed();
    println!("{} {}", t[(1, 2)], t.layout());
}
