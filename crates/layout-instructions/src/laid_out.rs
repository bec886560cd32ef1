//! Instructions of one shape.

use layout_algebra::atom::MmaAtom;

/// `A: LaidOutAs<M>`: the atom `A` has the shape and the layouts of `M`, and may have other element
/// types. Facts about the layouts of `M` hold for `A`: a kernel with this bound is written once,
/// for elements of each type.
///
/// ```
/// use half::{bf16, f16};
/// use layout_algebra::atom::{MmaAtom, make_tiled_mma};
/// use layout_algebra::prelude::*;
/// use layout_instructions::LaidOutAs;
/// use layout_instructions::mma::{SM80_16x8x16_F32BF16BF16F32_TN, SM80_16x8x16_F32F16F16F32_TN};
/// fn values<A: MmaAtom + LaidOutAs<SM80_16x8x16_F32F16F16F32_TN>>(atom: A) -> usize {
///     let mma = make_tiled_mma(atom, layout!((2, 1, 1)), tiler!(_, _, _));
///     let tile = Tensor::fixed([0.0_f32; 1], layout!((32, 16):(0, 0)));
///     mma.get_slice(0).map_or(0, |thread| thread.partition_fragment_c(&tile).size())
/// }
/// assert_eq!(values(SM80_16x8x16_F32F16F16F32_TN), 8);
/// assert_eq!(values(SM80_16x8x16_F32BF16BF16F32_TN), 8);
/// ```
pub trait LaidOutAs<M: MmaAtom>:
    MmaAtom<
        ShapeMnk = M::ShapeMnk,
        ThrId = M::ThrId,
        ALayout = M::ALayout,
        BLayout = M::BLayout,
        CLayout = M::CLayout,
    >
{
}
impl<M: MmaAtom, A> LaidOutAs<M> for A where
    A: MmaAtom<
            ShapeMnk = M::ShapeMnk,
            ThrId = M::ThrId,
            ALayout = M::ALayout,
            BLayout = M::BLayout,
            CLayout = M::CLayout,
        >
{
}
