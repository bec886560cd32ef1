use layout_algebra::prelude::*;

macro_rules! columns {
    ($n:expr) => { layout!((4, $n):(1, 4)) };
}

fn main() {
    let l = columns!(0);
    println!("{} {}", l.size(), l.index(1));
}
