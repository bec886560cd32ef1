use layout_algebra::prelude::*;

fn main() {
    layout!(8:2).complement(int!(33));
}
