use layout_arrays::rearrange;

fn main() {
    rearrange!(layout_algebra::layout!((2, 8, 5): right), "b ... w -> w b ...");
}
