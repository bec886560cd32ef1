use layout_algebra::prelude::*;

type T = StridedLayout<Int<0>, Int<1>>;

fn main() {
    println!("{}", T::default().complement(int!(24)).size());
}
