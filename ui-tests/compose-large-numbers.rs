use layout_algebra::prelude::*;

fn main() {
    layout!((1537, 1600):(1, 4099)).compose(layout!(2051:1));
}
