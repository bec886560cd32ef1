use layout_algebra::atom::{CopyAtom, copy};
use layout_algebra::prelude::*;
use layout_algebra::tensor::space::{Registers, Shared};

#[derive(Clone, Copy, Debug)]
struct LoadShared;
impl CopyAtom for LoadShared {
    type Value = f32;
    type ThrId = Layout!(1:0);
    type SrcLayout = Layout!((1, 4):(0, 1));
    type DstLayout = Layout!((1, 4):(0, 1));
    type RefLayout = Layout!((1, 4):(0, 1));
    type Source = Shared;
    type Destination = Registers;
    fn copy<S: Storage<Item = f32>, L: Addressable, R: StorageMut<Item = f32>, M: Addressable>(
        &self,
        _: &Tensor<S, L>,
        _: &mut Tensor<R, M>,
        _: usize,
    ) {
    }
}

fn kernel(a: *const f32) {
    let a = unsafe { Tensor::from_global_ref(a, layout!(4)) };
    let mut registers: Fragment<f32, Layout!(4)> = Fragment::zeroed();
    copy(&LoadShared, &a, &mut registers).unwrap();
}

fn main() {
    kernel([0.0; 4].as_ptr());
}
