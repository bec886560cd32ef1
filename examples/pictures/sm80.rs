//! An instruction of a tensor core by its layouts: what its threads hold, not what it computes. The
//! tests of atoms take it from here.

use std::fmt;
use std::marker::PhantomData;

use layout_algebra::atom::{MmaAtom, Values};
use layout_algebra::prelude::*;

/// The elements of A, B and C that the threads of a warp hold for
/// `mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32`. `AB` and `C` are what stands for an
/// element: of halves, their bits.
#[derive(Clone, Copy)]
pub struct Sm80_16x8x16<AB, C>(PhantomData<(AB, C)>);

impl<AB, C> Sm80_16x8x16<AB, C> {
    pub const fn new() -> Self {
        Sm80_16x8x16(PhantomData)
    }
}

impl<AB, C> fmt::Debug for Sm80_16x8x16<AB, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sm80_16x8x16")
    }
}

impl<AB: Copy + Default, C: Copy + Default> MmaAtom for Sm80_16x8x16<AB, C> {
    type ShapeMnk = (Int<16>, Int<8>, Int<16>);
    type ThrId = Layout!(32:1);
    type ALayout = Layout!(((4, 8), (2, 2, 2)):((32, 1), (16, 8, 128)));
    type BLayout = Layout!(((4, 8), (2, 2)):((16, 1), (8, 64)));
    type CLayout = Layout!(((4, 8), (2, 2)):((32, 1), (16, 8)));
    type A = AB;
    type B = AB;
    type C = C;
    fn fma(
        &self,
        _: &Values<AB, Self::ALayout>,
        _: &Values<AB, Self::BLayout>,
        _: Values<C, Self::CLayout>,
    ) -> Values<C, Self::CLayout> {
        unreachable!("a warp computes this, not a thread")
    }
}
