use layout_algebra::atom::{CopyAtom, copy};
use layout_algebra::prelude::*;
use layout_algebra::tensor::space::{Registers, Shared};

fn load<A: CopyAtom<Value = f32, Source = Shared, Destination = Registers>>(atom: &A) {
    let source: Fragment<f32, Layout!(8)> = Fragment::zeroed();
    copy(atom, &source, &mut source.clone()).unwrap();
}
fn main() {}
