//! Instructions whose operands are single elements, also where a register holds several.

use generic_array::sequence::GenericSequence;
use layout_algebra::atom::{MmaAtom, TvLayout, Values};

use crate::element::Packed;
use crate::{Atom, Instruction};

/// The instruction `I` with its operands in elements: the layouts are those of [`Instruction`], as
/// in CuTe, and a value is one element. In the atom `I` itself, a value of an operand of less than
/// a byte is a register.
///
/// The elements are packed into registers and multiplied by `I`: on the GPU, packing takes some
/// additional instructions.
///
/// ```
/// use layout_algebra::atom::MmaAtom;
/// use layout_instructions::Elements;
/// use layout_instructions::mma::SM80_16x8x64_S32S4S4S32_TN as Atom;
/// fn layout_of_b<A: MmaAtom<BLayout: std::fmt::Display>>(_: A) -> String {
///     format!("{:#}", A::BLayout::default())
/// }
/// assert_eq!(layout_of_b(Elements(Atom)), "((4,8),(8,2)):((64,1),(8,256))"); // of elements
/// assert_eq!(layout_of_b(Atom), "((4,8),2):((8,1),32)"); // of words of eight
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Elements<I>(pub I);

impl<I> MmaAtom for Elements<I>
where
    I: Atom + Instruction<A: Default, B: Default, C: Default>,
{
    type ShapeMnk = <I as Instruction>::ShapeMnk;
    type ThrId = <I as Instruction>::ThrId;
    type ALayout = <I as Instruction>::ALayout;
    type BLayout = <I as Instruction>::BLayout;
    type CLayout = <I as Instruction>::CLayout;
    type A = <I as Instruction>::A;
    type B = <I as Instruction>::B;
    type C = <I as Instruction>::C;

    #[inline]
    fn fma(
        &self,
        a: &Values<Self::A, Self::ALayout>,
        b: &Values<Self::B, Self::BLayout>,
        c: Values<Self::C, Self::CLayout>,
    ) -> Values<Self::C, Self::CLayout> {
        self.0.fma(
            &thread_words::<_, <I as MmaAtom>::ALayout>(a),
            &thread_words::<_, <I as MmaAtom>::BLayout>(b),
            c,
        )
    }
}

/// Word `w` of a thread holds its elements from `ELEMENTS * w` on: the tables of instructions check
/// this when they are compiled.
#[inline]
fn thread_words<W: Packed, L: TvLayout>(elements: &[W::Element]) -> Values<W, L> {
    Values::<W, L>::generate(|word| W::pack_elements(|i| elements[W::ELEMENTS * word + i]))
}
