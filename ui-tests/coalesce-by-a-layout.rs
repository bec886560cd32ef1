use layout_algebra::prelude::*;

fn main() {
    layout!((2, 6)).coalesce_by(layout!((2, 6)));
}
