//! The refused division is the one mistake.

use layout_algebra::prelude::*;

fn main() {
    let tiles = layout!((4, 6)).zipped_divide(tiler!(2, 4));
    tiles.table().print();
    println!("{} {:?}", tiles.thread_value_table(), tiles.to_dynamic());
}
