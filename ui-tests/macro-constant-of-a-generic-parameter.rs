use layout_algebra::prelude::*;

fn tile<const N: usize>() -> usize {
    layout!(({ N }, 4)).size()
}

fn main() {
    println!("{}", tile::<32>());
}
