use layout_algebra::{analysis::*, prelude::*};

const _: BestSharedLayout = best_shared_layout::<Layout!((24, 4)), Layout!((32, 4))>(32);

fn main() {}
