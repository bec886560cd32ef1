use layout_algebra::prelude::*;

fn main() {
    layout!(((2, 2, 2, 2, 2), (2, 2, 2, 2)):((2, 8, 32, 128, 512), (2048, 8192, 32768, 131072))).complement(int!(524288));
}
