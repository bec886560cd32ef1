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

fn kernel(a: *const f32, c: *mut f32) {
    let a = unsafe { Tensor::from_shared_ref(a, layout!(4)) };
    let mut c = unsafe { Tensor::from_global(c, layout!(4)) };
    copy(&LoadShared, &a, &mut c).unwrap();
}

fn main() {
    kernel([0.0; 4].as_ptr(), [0.0; 4].as_mut_ptr());
}
