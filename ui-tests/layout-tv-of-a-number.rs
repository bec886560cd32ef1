use layout_algebra::{prelude::*, tensor::make_layout_tv};

fn main() {
    let (tv, tile) = make_layout_tv(layout!((4, 8)), 4).unwrap();
    println!("{tv} {}", tile.0);
}
