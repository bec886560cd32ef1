//! The multiply-add of one thread.

use layout_algebra::atom::{MmaAtom, Values};
use layout_algebra::prelude::*;

/// `a b + c` rounded once: `fma.rn.f32`, FFMA. (Rust's `a * b + c`, which `UniversalFma` computes, rounds twice.)
#[derive(Clone, Copy, Debug, Default)]
pub struct Ffma;
/// One thread with one value.
type One = Layout!((1, 1):(0, 0));
impl MmaAtom for Ffma {
    type ShapeMnk = (Int<1>, Int<1>, Int<1>);
    type ThrId = Layout!(1:0);
    type ALayout = One;
    type BLayout = One;
    type CLayout = One;
    type A = f32;
    type B = f32;
    type C = f32;
    #[inline]
    fn fma(&self, a: &Values<f32, One>, b: &Values<f32, One>, c: Values<f32, One>) -> Values<f32, One> {
        #[cfg(target_arch = "nvptx64")]
        let sum = core::intrinsics::fmaf32(a[0], b[0], c[0]);
        #[cfg(not(target_arch = "nvptx64"))]
        let sum = a[0].mul_add(b[0], c[0]);
        [sum].into()
    }
}
