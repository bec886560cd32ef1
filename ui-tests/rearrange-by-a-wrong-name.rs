use layout_arrays::rearrange;

fn main() {
    rearrange!(layout_algebra::layout!((2, 8, 5): right), "b (h p) w -> (b h) q w", p = 4);
}
