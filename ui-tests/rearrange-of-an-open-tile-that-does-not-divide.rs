use layout_algebra::prelude::*;
use layout_arrays::rearrange;

fn main() {
    rearrange!(layout!((2, 8, 5): right), "b (h p) w -> (b h) p w", h = 3);
}
