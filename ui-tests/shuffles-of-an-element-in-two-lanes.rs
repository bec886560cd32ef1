use layout_algebra::{analysis::*, prelude::*};

const _: Shuffles = fewest_shuffles::<Layout!((32, 4):(4, 1)), Layout!((32, 4):(0, 1))>();

fn main() {}
