use layout_algebra::prelude::*;

fn main() {
    layout!((1537, 6):(1, 2000)).compose(layout!(1538:1));
}
