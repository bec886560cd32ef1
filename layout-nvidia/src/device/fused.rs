//! The product of one thread's rows and columns, in the order that keeps its registers' ports apart.

use layout_algebra::atom::{MmaAtom, Values};
use layout_algebra::prelude::*;

/// 8 rows by 8 columns of one thread at one `k`, by `fma.rn.f32`: two columns at a time, and the rows of those down and
/// up in turn, so that each multiply-add has an operand of the one before.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fma8x8;
impl MmaAtom for Fma8x8 {
    type ShapeMnk = (Int<8>, Int<8>, Int<1>);
    type ThrId = Layout!(1:0);
    type ALayout = Layout!((1, 8):(0, 1));
    type BLayout = Layout!((1, 8):(0, 1));
    type CLayout = Layout!((1, (8, 8)):(0, (1, 8)));
    type A = f32;
    type B = f32;
    type C = f32;
    #[inline]
    fn fma(
        &self,
        a: &Values<f32, Self::ALayout>,
        b: &Values<f32, Self::BLayout>,
        mut c: Values<f32, Self::CLayout>,
    ) -> Values<f32, Self::CLayout> {
        macro_rules! at {
            ($i:literal, $j:expr) => {
                c[$i + 8 * $j] = fused(a[$i], b[$j], c[$i + 8 * $j]);
            };
        }
        macro_rules! columns {
            ($j:literal: $($i:literal $next:literal),*) => {$(
                at!($i, $j); at!($i, $j + 1);
                at!($next, $j + 1); at!($next, $j);
            )*};
        }
        columns!(0: 0 1, 2 3, 4 5, 6 7);
        columns!(2: 7 6, 5 4, 3 2, 1 0);
        columns!(4: 0 1, 2 3, 4 5, 6 7);
        columns!(6: 7 6, 5 4, 3 2, 1 0);
        c
    }
}

/// `a b + c`, rounded once.
#[inline]
fn fused(a: f32, b: f32, c: f32) -> f32 {
    #[cfg(target_arch = "nvptx64")]
    {
        core::intrinsics::fmaf32(a, b, c)
    }
    #[cfg(not(target_arch = "nvptx64"))]
    {
        a.mul_add(b, c)
    }
}
