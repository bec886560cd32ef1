//! Layouts with XOR strides inside: what stands before them is XORed with their offsets, as a sum of theirs is.
//!
//! ```text
//! C(c) = outer(offset ^ L(c))
//! ```
//!
//! So a slice is exact, whatever bits what is fixed and what is kept have in common: what is fixed of XOR strides goes
//! into the offset, and what is fixed of natural ones is added behind. Where a range begins is fixed of its mode.

use super::ComposedLayout;
use super::outer::{InnerLayout, OffsetMap, Unswizzled, behind_itself};
use super::signed::{FlipInMemory, IsForwards};
use crate::algebra::modes::slice::Slice;
use crate::error::{Fault, LayoutError, expect};
use crate::layout::stand_in::StandIn;
use crate::layout::strided::StridedLayout;
use crate::layout::traits::Layout;
use crate::list::Nested;
use crate::number::int::{False, True};
use crate::number::table::{Number, StrideKind, without_carries};
use crate::stepped::layout::{SteppedLayout, XorLayout};
use crate::swizzle::{DynSwizzle, Swizzle};
use crate::tuple::bits::{cosize_from, natural_bits, parts_meet, xor_bits};
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::interval::Beginning;
use crate::tuple::node::{Kind, Node};
use crate::tuple::semimodule::{Bits, Semimodule};

#[doc(hidden)]
impl<S: IntTuple, D: IntTuple> InnerLayout for XorLayout<S, D> {
    behind_itself! {}
    #[inline]
    fn base_and_cosize(&self) -> Option<(usize, usize)> {
        match self.shape().node().product()? {
            0 => Some((0, 0)),
            _ => Bits::cosize(self.shape(), self.stride()).ok().map(|cosize| (0, cosize)),
        }
    }
    #[inline(always)]
    fn moved(from: usize, by: usize) -> usize {
        from ^ by
    }
    const ADDS: bool = false;
    #[inline(always)]
    fn xors(&self) -> bool {
        true
    }
    fn offset_bits(&self) -> u128 {
        let (shape, stride) = (self.shape().node(), self.stride().node());
        if shape.product() == Some(0) { 0 } else { natural_bits(shape, stride) | xor_bits(shape, stride) }
    }
    fn cosize_behind<O: OffsetMap>(&self, outer: &O, from: usize) -> usize {
        let (shape, stride) = (self.shape().node(), self.stride().node());
        if self.size() == 0 {
            0
        } else if O::IS_NONE && parts_meet(from, shape, stride).is_none() {
            match cosize_from(from, shape, stride) {
                Ok(cosize) => cosize,
                Err(fault) => panic!("{}", LayoutError::new("cosize", fault).with_operand(self)),
            }
        } else {
            (0..self.size()).map(|i| outer.map(self.at_from(from, i)) + 1).max().unwrap_or(0)
        }
    }
}

/// Behind each function of offsets: `$kept` says what is kept of the slice.
macro_rules! sliced_behind {
    ($([$($generic:tt)*] $outer:ty: $output:ty, $behind:ident;)*) => {$(
        impl<F: Number, S: IntTuple, D: IntTuple, C, $($generic)*> Slice<C>
            for ComposedLayout<$outer, F, XorLayout<S, D>>
        where
            C: Nested<Node: Beginning> + Clone,
            StridedLayout<S, D>: Slice<C, Output: SlicedOfXor>,
        {
            type Output = $output;
            #[inline(always)]
            fn sliced(layout: Self, coordinate: C) -> (Self::Output, usize) {
                let kept = Slice::kept(layout.inner().strided(), coordinate.clone());
                expect(kept.$behind(layout, coordinate.node().beginning()))
            }
            #[inline(always)]
            fn try_sliced(layout: Self, coordinate: C) -> Result<(Self::Output, usize), LayoutError> {
                match Slice::try_kept(layout.inner().strided(), coordinate.clone()) {
                    Ok(kept) => kept.$behind(layout, coordinate.node().beginning()),
                    Err(error) => Err(LayoutError::new("slice", error.fault()).with_operand(&layout)),
                }
            }
        }
    )*};
}
sliced_behind! {
    [] Unswizzled: <<StridedLayout<S, D> as Slice<C>>::Output as SlicedOfXor>::Output, behind_fixed;
    [] DynSwizzle: <<StridedLayout<S, D> as Slice<C>>::Output as SlicedOfXor>::Under<DynSwizzle>, under_fixed;
    [const B: u32, const M: u32, const W: i32] Swizzle<B, M, W>:
        <<StridedLayout<S, D> as Slice<C>>::Output as SlicedOfXor>::Under<Swizzle<B, M, W>>, under_fixed;
}

/// `n - 1 - c` is `c ^ (n - 1)` where `n` is a power of two: backwards, a mode has the same strides, from its last
/// number on.
impl<S: IntTuple, D: IntTuple, const I: usize> FlipInMemory<I> for XorLayout<S, D> {
    type InMemory = ComposedLayout<Unswizzled, usize, Self>;
    #[inline]
    fn flipped_in_memory(self) -> Result<Self::InMemory, Fault> {
        FlipInMemory::<I>::flipped_in_memory(ComposedLayout::const_new(Unswizzled, 0, self))
    }
}
impl<O: OffsetMap, F: Number, S: IntTuple, D: IntTuple, const I: usize> FlipInMemory<I>
    for ComposedLayout<O, F, XorLayout<S, D>>
{
    type InMemory = ComposedLayout<O, usize, XorLayout<S, D>>;
    #[inline]
    fn flipped_in_memory(self) -> Result<Self::InMemory, Fault> {
        let (outer, offset, inner) = self.into_parts();
        let from = offset.get();
        let last = match inner.shape().node().product() {
            Some(0) => 0,
            _ if I >= S::RANK => return Err(Fault::Rank { needed: I + 1, rank: S::RANK }),
            _ => last_of_mode(I, inner.shape().node(), inner.stride().node())?,
        };
        Ok(ComposedLayout::const_new(outer, from ^ last, inner))
    }
}
/// The offset of the last number of a mode of the first level, all of whose bits are ones.
fn last_of_mode<S: Node, D: Node>(mode: usize, shape: S, stride: D) -> Result<usize, Fault> {
    fn last<S: Node, D: Node>(shape: S, stride: D) -> Result<usize, Fault> {
        match S::KIND {
            Kind::Nil => Ok(0),
            Kind::Cons => Ok(last(shape.head(), stride.head())? ^ last(shape.tail(), stride.tail())?),
            Kind::Leaf => match (shape.leaf(), stride.leaf()) {
                (1, _) | (_, 0) => Ok(0),
                (extent, number) if D::STRIDE == StrideKind::Xor && extent.is_power_of_two() => {
                    Ok(without_carries(extent - 1, number))
                }
                (extent, stride) => Err(Fault::FlipOfBits { extent, stride }),
            },
        }
    }
    match S::KIND {
        Kind::Cons if mode > 0 => last_of_mode(mode - 1, shape.tail(), stride.tail()),
        Kind::Cons => last(shape.head(), stride.head()),
        _ => last(shape, stride),
    }
}

/// What a slice keeps of a layout with XOR strides.
pub trait SlicedOfXor {
    type Output: Layout<Offset = usize>;
    /// Behind what the slice fixes, the coordinate `fixed`.
    fn behind_fixed<F: Number, S: IntTuple, D: IntTuple>(
        self,
        layout: ComposedLayout<Unswizzled, F, XorLayout<S, D>>,
        fixed: impl Node,
    ) -> Result<(Self::Output, usize), LayoutError>;
    /// [`Output`](SlicedOfXor::Output) behind a swizzle, below which all that is fixed stays.
    type Under<O: OffsetMap>: Layout<Offset = usize>;
    /// Behind what the slice fixes, the coordinate `fixed`, and a swizzle.
    fn under_fixed<O: OffsetMap + Copy, F: Number, S: IntTuple, D: IntTuple>(
        self,
        layout: ComposedLayout<O, F, XorLayout<S, D>>,
        fixed: impl Node,
    ) -> Result<(Self::Under<O>, usize), LayoutError>;
}
impl SlicedOfXor for StandIn {
    type Output = StandIn;
    fn behind_fixed<F: Number, S: IntTuple, D: IntTuple>(
        self,
        _: ComposedLayout<Unswizzled, F, XorLayout<S, D>>,
        _: impl Node,
    ) -> Result<(StandIn, usize), LayoutError> {
        Ok((self, 0))
    }
    type Under<O: OffsetMap> = StandIn;
    fn under_fixed<O: OffsetMap + Copy, F: Number, S: IntTuple, D: IntTuple>(
        self,
        _: ComposedLayout<O, F, XorLayout<S, D>>,
        _: impl Node,
    ) -> Result<(StandIn, usize), LayoutError> {
        Ok((self, 0))
    }
}
impl<X: IntTuple, Y: IntTuple> SlicedOfXor for StridedLayout<X, Y>
where
    Y: Nested<Node: IsForwards<Output: KeptOfXor<X, Y>>>,
{
    type Output = <<Y::Node as IsForwards>::Output as KeptOfXor<X, Y>>::Output;
    #[inline(always)]
    fn behind_fixed<F: Number, S: IntTuple, D: IntTuple>(
        self,
        layout: ComposedLayout<Unswizzled, F, XorLayout<S, D>>,
        fixed: impl Node,
    ) -> Result<(Self::Output, usize), LayoutError> {
        let inner = layout.inner();
        // Nothing lies in an empty slice, wherever the numbers point: it begins at 0.
        if self.shape().node().product() == Some(0) {
            return Ok((<Y::Node as IsForwards>::Output::kept_of_xor(0, self).0, 0));
        }
        let (natural, xor) = inner.shape().complete(fixed).node().sum_of_products::<Bits, _>(inner.stride().node());
        let (kept, above) = <Y::Node as IsForwards>::Output::kept_of_xor(layout.offset().get() ^ xor, self);
        Ok((kept, natural + above))
    }
    type Under<O: OffsetMap> = <<Y::Node as IsForwards>::Output as KeptOfXor<X, Y>>::Under<O>;
    #[inline(always)]
    fn under_fixed<O: OffsetMap + Copy, F: Number, S: IntTuple, D: IntTuple>(
        self,
        layout: ComposedLayout<O, F, XorLayout<S, D>>,
        fixed: impl Node,
    ) -> Result<(Self::Under<O>, usize), LayoutError> {
        let (inner, outer) = (layout.inner(), layout.outer());
        if self.shape().node().product() == Some(0) {
            return Ok((<Y::Node as IsForwards>::Output::kept_under(outer, 0, self), 0));
        }
        let (natural, xor) = inner.shape().complete(fixed).node().sum_of_products::<Bits, _>(inner.stride().node());
        let from = layout.offset().get() ^ xor ^ natural;
        // What is kept of natural strides is added to what is fixed of them, and, where nothing else is kept, to all
        // of it.
        let plain = <Y::Node as IsForwards>::Output::IS_PLAIN;
        match natural_bits(self.shape().node(), self.stride().node()) & (if plain { from } else { natural }) as u128 {
            0 => Ok((<Y::Node as IsForwards>::Output::kept_under(outer, from, self), 0)),
            shared => {
                let fault = Fault::SliceMeets { bit: shared.trailing_zeros() };
                Err(LayoutError::new("slice", fault).with_operand(&layout))
            }
        }
    }
}

/// The layout `S:D`, kept of one with XOR strides, the offset `from` XORed with it: plain if `self` is [`True`].
pub trait KeptOfXor<S, D> {
    type Output: Layout<Offset = usize>;
    fn kept_of_xor(from: usize, kept: StridedLayout<S, D>) -> (Self::Output, usize);
    /// Whether no XOR stride is kept.
    const IS_PLAIN: bool;
    type Under<O: OffsetMap>: Layout<Offset = usize>;
    fn kept_under<O: OffsetMap>(outer: O, from: usize, kept: StridedLayout<S, D>) -> Self::Under<O>;
}
impl<S: IntTuple, D: IntTuple> KeptOfXor<S, D> for False {
    type Output = ComposedLayout<Unswizzled, usize, XorLayout<S, D>>;
    #[inline(always)]
    fn kept_of_xor(from: usize, kept: StridedLayout<S, D>) -> (Self::Output, usize) {
        (Self::kept_under(Unswizzled, from, kept), 0)
    }
    const IS_PLAIN: bool = false;
    type Under<O: OffsetMap> = ComposedLayout<O, usize, XorLayout<S, D>>;
    #[inline(always)]
    fn kept_under<O: OffsetMap>(outer: O, from: usize, kept: StridedLayout<S, D>) -> Self::Under<O> {
        ComposedLayout::const_new(outer, from, SteppedLayout::assemble(kept))
    }
}
impl<S: IntTuple, D: IntTuple> KeptOfXor<S, D> for True
where
    StridedLayout<S, D>: Layout<Offset = usize>,
{
    type Output = StridedLayout<S, D>;
    #[inline(always)]
    fn kept_of_xor(from: usize, kept: StridedLayout<S, D>) -> (Self::Output, usize) {
        (kept, from)
    }
    const IS_PLAIN: bool = true;
    type Under<O: OffsetMap> = ComposedLayout<O, usize, StridedLayout<S, D>>;
    #[inline(always)]
    fn kept_under<O: OffsetMap>(outer: O, from: usize, kept: StridedLayout<S, D>) -> Self::Under<O> {
        ComposedLayout::const_new(outer, from, kept)
    }
}
