use layout_algebra::{analysis::*, prelude::*};

const _: BestSharedLayout = best_shared_layout::<Layout!((32, 4):(4, 1)), Layout!((32, 4):(1, 33))>(32);

fn main() {}
