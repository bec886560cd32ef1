use layout_algebra::prelude::*;

fn main() {
    layout!(12:1).zipped_divide(layout!(8:1));
}
