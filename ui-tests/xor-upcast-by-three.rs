use layout_algebra::prelude::*;

fn main() {
    layout!((8, 8):(^3, ^24)).upcast(int!(3));
}
