//! The fused multiply-add of one thread.

use layout_algebra::atom::{MmaAtom, Values};
use layout_algebra::prelude::*;

/// One thread, one number: `c + a b`, rounded once: `fma.rn.f32`. CuTe's `UniversalFMA<float>`,
/// which CUDA's compiler fuses and Rust's must not.
///
/// ```
/// use layout_algebra::atom::MmaAtom;
/// use layout_nvidia::device::Fma;
/// // Rounded twice, the sum would be 0.
/// let c = Fma.fma(&[1.0 + f32::EPSILON].into(), &[1.0 - f32::EPSILON].into(), [-1.0].into());
/// assert_eq!(c[0], -f32::EPSILON * f32::EPSILON);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Fma;
impl MmaAtom for Fma {
    type ShapeMnk = (Int<1>, Int<1>, Int<1>);
    type ThrId = Layout!(1:0);
    type ALayout = Layout!((1, 1):(0, 0));
    type BLayout = Layout!((1, 1):(0, 0));
    type CLayout = Layout!((1, 1):(0, 0));
    type A = f32;
    type B = f32;
    type C = f32;
    #[inline]
    fn fma(
        &self,
        a: &Values<f32, Self::ALayout>,
        b: &Values<f32, Self::BLayout>,
        c: Values<f32, Self::CLayout>,
    ) -> Values<f32, Self::CLayout> {
        [crate::device::multiply_add(a[0], b[0], c[0])].into()
    }
}
