use layout_algebra::prelude::*;

type Overlapping = Swizzle<3, 4, 2>;

fn apply(_: Overlapping) {}

fn main() {}
