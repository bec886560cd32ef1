use layout_algebra::{analysis::*, prelude::*};

type Column = SharedAccess<Layout!((4, 1):(1, 0)), 32, 32>;
const _: () = assert!(bank_conflicts::<Layout!((4, 32):(32, 1)), Column>() == 0);

fn main() {}
