//! What a layout with XOR strides promises, and one behind an offset that is XORed with all of its own, and a swizzle.
//!
//! ```text
//! C(c) = f ^ L(c) = sum c_k * d_k + (f ^ xor c_k (x) d_k)          natural strides share no bit with f or the others
//! C(c) = Sw(f ^ L(c)) = Sw(f) ^ xor Sw(c_k (x) d_k)                a swizzle is linear; no natural strides beside them
//! ```

use crate::algebra::modes::slice::Slice;
use crate::composed::{ComposedLayout, InnerLayout, Unswizzled};
use crate::error::{Fault, LayoutError};
use crate::layout::strided::StridedLayout;
use crate::layout::traits::{CoordinateOf, Layout};
use crate::list::Nested;
use crate::number::int::Zero;
use crate::number::table::{Number, StrideKind};
use crate::stepped::algebra::IntoStepped;
use crate::stepped::layout::{SteppedLayout, XorLayout, all_of};
use crate::swizzle::DynSwizzle;
use crate::tensor::bounds::{self, SortedModes};
use crate::tensor::fixes::FixesWithin;
use crate::tensor::partition::Partition;
use crate::tensor::storage::composed::SwizzleOfMemory;
use crate::tensor::storage::{Addressable, CoordinateIn, SliceIn};
use crate::tuple::bits::{cosize_from, natural_bits, parts_meet};
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::node::{Node, static_product};
use crate::tuple::semimodule::Bits;

/// The layout with nothing XORed.
type Bare<S, D> = ComposedLayout<Unswizzled, Zero, XorLayout<S, D>>;
#[inline(always)]
fn bare<S: IntTuple, D: IntTuple>(layout: XorLayout<S, D>) -> Bare<S, D> {
    ComposedLayout::const_new(Unswizzled, Zero::default(), layout)
}

/// The modes of a static layout, XORed with `from` and then swizzled; `None` if a number is one of run time, or natural
/// strides have no meaning there. `bare` is whether no swizzle stands there, be it one that moves nothing.
const fn static_modes<S: Node, D: Node>(
    from: Option<usize>,
    swizzle: Option<DynSwizzle>,
    bare: bool,
) -> Option<SortedModes> {
    match (bounds::static_modes::<S, D>(), from, swizzle) {
        (Some(modes), Some(from), Some(swizzle))
            if all_of::<D>(StrideKind::Xor) && !modes.parts_meet(from) && (bare || !modes.has_natural()) =>
        {
            Some(modes.xored_through(swizzle, from))
        }
        _ => None,
    }
}
const fn static_reach<S: Node, D: Node>(from: Option<usize>, swizzle: Option<DynSwizzle>, bare: bool) -> Option<usize> {
    match static_modes::<S, D>(from, swizzle, bare) {
        // Of a layout whose size is no number nothing is shown.
        Some(modes) if static_product::<S>().is_some() => modes.span(),
        _ => None,
    }
}

/// Why the strides and what is XORed have no meaning together, if so.
fn fault<S: Node, D: Node>(from: usize, bare: bool, shape: S, stride: D) -> Option<Fault> {
    if const { !all_of::<D>(StrideKind::Xor) } {
        Some(Fault::NoNaturalStrides)
    } else if !bare && natural_bits(shape, stride) != 0 {
        Some(Fault::NaturalUnderSwizzle)
    } else {
        parts_meet(from, shape, stride)
    }
}

fn reach<S: Node, D: Node>(from: usize, swizzle: DynSwizzle, bare: bool, shape: S, stride: D) -> Result<usize, Fault> {
    match shape.product() {
        None => Err(Fault::Overflow),
        Some(0) => Ok(0),
        Some(_) => match fault(from, bare, shape, stride) {
            None if bare => cosize_from(from, shape, stride),
            None => modes(from, swizzle, bare, shape, stride).reach_of_bits(),
            Some(fault) => Err(fault),
        },
    }
}

fn modes<S: Node, D: Node>(from: usize, swizzle: DynSwizzle, bare: bool, shape: S, stride: D) -> SortedModes {
    if fault(from, bare, shape, stride).is_some() {
        return SortedModes::unknown();
    }
    let mut modes = SortedModes::new();
    bounds::collect(shape, stride, &mut modes);
    modes.xored_through(swizzle, from)
}

macro_rules! of_xor {
    ($(
        [$($generic:ident: $bound:ident),*] $layout:ty, $from:expr, $known:expr, $bare:expr,
            $one:ident => $inner:expr, $offset:expr, $swizzle:expr;
    )*) => {$(
        // SAFETY: `reach` is `None` unless the strides are natural and XOR strides, and no bit of the sums of the
        // former is one of the latter's or of what is XORed; behind a swizzle, unless no natural mode moves. Without
        // one a coordinate with every number below its extent has an offset of `n + (f ^ x)`, `n` at most the last sum
        // of natural modes, and `f ^ x` at most the largest sum of `f` and XOR modes: `cosize_from` and
        // `SortedModes::span` are one past both together, or none if that leaves `usize`. Behind a swizzle the offset is
        // `Sw(f ^ x)`, which is `Sw(f)` XOR the swizzled products of the coordinate's bits, for a swizzle is linear, and
        // `reach_of_bits` is one past the largest of these sums. `at(i)` splits `i < size` into such a coordinate, and
        // `coords` counts through those. `modes` are those of both kinds, `f` and the swizzle, or none of which anything
        // is shown. The numbers are this crate's, and do not change.
        unsafe impl<$($generic: $bound,)* S: IntTuple<Dynamic: PartialEq>, D: IntTuple> Addressable for $layout
        where
            StridedLayout<S, D>: Addressable,
        {
            type ShownShape = <StridedLayout<S, D> as Addressable>::ShownShape;
            const MODES: Option<SortedModes> = static_modes::<S::Node, D::Node>($from, $known, $bare);
            const SPAN: Option<usize> = static_reach::<S::Node, D::Node>($from, $known, $bare);
            #[inline]
            fn modes(&self) -> SortedModes {
                let $one = self;
                modes($offset, $swizzle, $bare, $inner.shape().node(), $inner.stride().node())
            }
            #[inline]
            fn reach(&self) -> Option<usize> {
                let $one = self;
                match Self::SPAN {
                    Some(span) => Some(span),
                    None => reach($offset, $swizzle, $bare, $inner.shape().node(), $inner.stride().node()).ok(),
                }
            }
            fn no_reach(&self) -> Fault {
                let $one = self;
                let reach = reach($offset, $swizzle, $bare, $inner.shape().node(), $inner.stride().node());
                reach.err().unwrap_or(Fault::Overflow)
            }
            #[inline(always)]
            fn reach_at_hand(&self) -> Option<usize> {
                match Self::SPAN {
                    None if self.shape().node().product() == Some(0) => Some(0),
                    span => span,
                }
            }
            #[inline(always)]
            fn holds(&self, coordinate: &S::Dynamic) -> bool {
                bounds::within(coordinate.node(), self.shape().node())
            }
            #[inline(always)]
            fn extents(&self) -> S::Dynamic {
                self.shape().to_dynamic()
            }
        }
    )*};
}
of_xor! {
    [] SteppedLayout<Bits, S, D>, Some(0), Some(DynSwizzle::IDENTITY), true,
        layout => layout, 0, DynSwizzle::IDENTITY;
    [O: SwizzleOfMemory, F: Number] ComposedLayout<O, F, SteppedLayout<Bits, S, D>>, F::STATIC, O::KNOWN, O::IS_NONE,
        layout => layout.inner(), layout.offset().get(), layout.outer().swizzle();
}

// SAFETY: the offset is that of one of the layout's coordinates, each number of it below what it counts in; see
// `Addressable`.
#[doc(hidden)]
unsafe impl<S: IntTuple, D: IntTuple, C> CoordinateIn<XorLayout<S, D>> for C
where
    C: IntTuple + CoordinateOf<XorLayout<S, D>>,
{
    #[inline(always)]
    fn within(self, layout: &XorLayout<S, D>) -> bool {
        bounds::within(self.node(), layout.shape().node())
    }
}

// SAFETY: the layout has the offsets of `0 o layout`, and the slice is that of it.
#[doc(hidden)]
unsafe impl<S: IntTuple, D: IntTuple, C> SliceIn<XorLayout<S, D>> for C
where
    Bare<S, D>: Slice<C, Output: Addressable> + Layout<Offset = usize, Shape = S>,
    C: Nested<Node: FixesWithin<S, D>> + Clone,
{
    type Output = <Bare<S, D> as Slice<C>>::Output;
    #[inline(always)]
    fn within(&self, layout: &XorLayout<S, D>) -> bool {
        self.clone().node().fixes_within(layout.shape(), layout.stride())
    }
    fn misfit(self, layout: XorLayout<S, D>) -> Fault {
        Slice::try_sliced(bare(layout), self).err().map_or(Fault::Coordinate, |error| error.fault())
    }
    #[inline(always)]
    fn slice_in(self, layout: XorLayout<S, D>) -> (Self::Output, usize) {
        Slice::sliced(bare(layout), self)
    }
}

#[doc(hidden)]
impl<S: IntTuple, D: IntTuple, T, C, Z, A> Partition<T, C> for XorLayout<S, D>
where
    Self: Addressable,
    StridedLayout<S, D>: Partition<T, C, Divided = Z, At = A>,
    Z: IntoStepped<Bits, Output: InnerLayout<Behind<Unswizzled, Zero>: Addressable>>,
    A: SliceIn<Z> + SliceIn<<Z::Output as InnerLayout>::Behind<Unswizzled, Zero>>,
{
    type Divided = <Z::Output as InnerLayout>::Behind<Unswizzled, Zero>;
    type At = A;
    type Part = <A as SliceIn<<Z::Output as InnerLayout>::Behind<Unswizzled, Zero>>>::Output;
    #[inline(always)]
    fn partition(self, tiler: T, coordinate: C) -> Result<(Self::Divided, A), LayoutError> {
        let (divided, at) = Partition::<T, C>::partition(self.strided(), tiler, coordinate)?;
        match divided.fault() {
            None => Ok((divided.into_stepped().behind(Unswizzled, Zero::default()), at)),
            Some(fault) => Err(LayoutError::new("zipped_divide", fault).with_operand(&self)),
        }
    }
}
#[doc(hidden)]
impl<O, F, S, D, T, C, Z, A> Partition<T, C> for ComposedLayout<O, F, XorLayout<S, D>>
where
    O: SwizzleOfMemory,
    F: Number,
    Self: Addressable,
    S: IntTuple,
    D: IntTuple,
    StridedLayout<S, D>: Partition<T, C, Divided = Z, At = A>,
    Z: IntoStepped<Bits, Output: InnerLayout<Behind<O, F>: Addressable>>,
    A: SliceIn<Z> + SliceIn<<Z::Output as InnerLayout>::Behind<O, F>>,
{
    type Divided = <Z::Output as InnerLayout>::Behind<O, F>;
    type At = A;
    type Part = <A as SliceIn<<Z::Output as InnerLayout>::Behind<O, F>>>::Output;
    #[inline(always)]
    fn partition(self, tiler: T, coordinate: C) -> Result<(Self::Divided, A), LayoutError> {
        let (divided, at) = Partition::<T, C>::partition(self.inner().strided(), tiler, coordinate)?;
        match divided.fault() {
            None => Ok((divided.into_stepped().behind(self.outer(), self.offset()), at)),
            Some(fault) => Err(LayoutError::new("zipped_divide", fault).with_operand(&self)),
        }
    }
}
