//! What a layout with XOR strides promises, and one behind an offset that is XORed with all of its own.
//!
//! ```text
//! C(c) = f ^ L(c) = sum c_k * d_k + (f ^ xor c_k (x) d_k)          natural strides share no bit with f or the others
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
use crate::tensor::bounds::{self, SortedModes};
use crate::tensor::fixes::FixesWithin;
use crate::tensor::partition::Partition;
use crate::tensor::storage::{Addressable, CoordinateIn, SliceIn};
use crate::tuple::bits::{cosize_from, parts_meet};
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::interval::Beginning;
use crate::tuple::node::Node;
use crate::tuple::semimodule::Bits;

/// The layout with nothing XORed.
type Bare<S, D> = ComposedLayout<Unswizzled, Zero, XorLayout<S, D>>;
fn bare<S: IntTuple, D: IntTuple>(layout: XorLayout<S, D>) -> Bare<S, D> {
    ComposedLayout::const_new(Unswizzled, Zero::default(), layout)
}

/// [`SteppedLayout`] with XOR strides, as its modes; `None` if there is one of run time, or a bit of natural ones is one
/// of what is XORed.
const fn static_modes<S: Node, D: Node>(from: Option<usize>) -> Option<SortedModes> {
    match (bounds::static_modes::<S, D>(), from) {
        (Some(modes), Some(from)) if all_of::<D>(StrideKind::Xor) && !modes.parts_meet(from) => Some(modes.xored(from)),
        _ => None,
    }
}
const fn static_reach<S: Node, D: Node>(from: Option<usize>) -> Option<usize> {
    match (static_modes::<S, D>(from), from) {
        (Some(modes), Some(0)) => modes.span(),
        _ => None,
    }
}

/// Why the strides and what is XORed have no meaning together, if so.
fn fault<S: Node, D: Node>(from: usize, shape: S, stride: D) -> Option<Fault> {
    if const { !all_of::<D>(StrideKind::Xor) } {
        Some(Fault::NoNaturalStrides)
    } else {
        parts_meet(from, shape, stride)
    }
}

fn reach<S: Node, D: Node>(from: usize, shape: S, stride: D) -> Result<usize, Fault> {
    match shape.product() {
        None => Err(Fault::Overflow),
        Some(0) => Ok(0),
        Some(_) => match fault(from, shape, stride) {
            None => cosize_from(from, shape, stride),
            Some(fault) => Err(fault),
        },
    }
}

fn modes<S: Node, D: Node>(from: usize, shape: S, stride: D) -> SortedModes {
    if fault(from, shape, stride).is_some() {
        return SortedModes::unknown();
    }
    let mut modes = SortedModes::new();
    bounds::collect(shape, stride, &mut modes);
    modes.xored(from)
}

macro_rules! of_xor {
    ($(
        [$($generic:ident: $bound:ident)?] $layout:ty, $from:expr, $one:ident => $inner:expr, $offset:expr, $bare:expr;
    )*) => {$(
        // SAFETY: `reach` is `None` unless the strides are natural and XOR strides, and no bit of the sums of the
        // former is one of the latter's or of what is XORed. Then a coordinate with every number below its extent has
        // an offset of `n + (f ^ x)`, `n` at most the last sum of natural modes, and `f ^ x` at most the largest sum of
        // `f` and XOR modes: `cosize_from` is one past both together, or an error if that leaves `usize`. `at(i)`
        // splits `i < size` into such a coordinate, and `coords` counts through those. `modes` are those of both kinds
        // and `f`, or none of which anything is shown. The numbers are this crate's, and do not change.
        unsafe impl<$($generic: $bound,)? S: IntTuple<Dynamic: PartialEq>, D: IntTuple> Addressable for $layout
        where
            StridedLayout<S, D>: Addressable,
        {
            type ShownShape = <StridedLayout<S, D> as Addressable>::ShownShape;
            const MODES: Option<SortedModes> = static_modes::<S::Node, D::Node>($from);
            const SPAN: Option<usize> = static_reach::<S::Node, D::Node>($from);
            #[inline]
            fn modes(&self) -> SortedModes {
                let $one = *self;
                modes($offset, $inner.shape().node(), $inner.stride().node())
            }
            #[inline]
            fn reach(&self) -> Option<usize> {
                let $one = *self;
                match Self::SPAN {
                    Some(span) => Some(span),
                    None => reach($offset, $inner.shape().node(), $inner.stride().node()).ok(),
                }
            }
            fn no_reach(&self) -> Fault {
                let $one = *self;
                reach($offset, $inner.shape().node(), $inner.stride().node()).err().unwrap_or(Fault::Overflow)
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

        // SAFETY: the offset is that of one of the layout's coordinates, each number of it below what it counts in; see
        // `Addressable`.
        #[doc(hidden)]
        unsafe impl<$($generic: $bound,)? S: IntTuple, D: IntTuple, C> CoordinateIn<$layout> for C
        where
            C: IntTuple + CoordinateOf<$layout>,
        {
            #[inline(always)]
            fn within(self, layout: &$layout) -> bool {
                bounds::within(self.node(), layout.shape().node())
            }
        }

        // SAFETY: the slice's coordinates are those of `layout` with the fixed numbers in place, and `a + x` in that of
        // a range or a window from `a` on. Of an offset `n + (f ^ x)`, what is fixed of natural strides, `a * d` of a
        // range too, is added behind, and what is fixed of XOR strides XORed with `f`: `R(x) + o == C(c with x in the
        // place of ..)`. `fixes_within` asks of each range and window that it lies within the shape, and of XOR strides
        // that `a` shares no bit with any `x`: then `a + x` is `a ^ x`, and its offset `a (x) d ^ x (x) d`.
        #[doc(hidden)]
        unsafe impl<$($generic: $bound,)? S: IntTuple, D: IntTuple, C> SliceIn<$layout> for C
        where
            ComposedLayout<Unswizzled, of_xor!(@offset $($generic)?), XorLayout<S, D>>:
                Slice<C, Output: Addressable> + Layout<Offset = usize, Shape = S>,
            C: Nested<Node: FixesWithin<S, D> + Beginning> + Clone,
        {
            type Output =
                <ComposedLayout<Unswizzled, of_xor!(@offset $($generic)?), XorLayout<S, D>> as Slice<C>>::Output;
            #[inline(always)]
            fn within(&self, layout: &$layout) -> bool {
                let $one = *layout;
                self.clone().node().fixes_within($inner.shape(), $inner.stride())
            }
            fn misfit(self, layout: $layout) -> Fault {
                let $one = layout;
                Slice::try_sliced($bare, self).err().map_or(Fault::Coordinate, |error| error.fault())
            }
            #[inline(always)]
            fn slice_in(self, layout: $layout) -> (Self::Output, usize) {
                let $one = layout;
                Slice::sliced($bare, self)
            }
        }

        #[doc(hidden)]
        impl<$($generic: $bound,)? S: IntTuple, D: IntTuple, T, C, Z, A> Partition<T, C> for $layout
        where
            Self: Addressable,
            StridedLayout<S, D>: Partition<T, C, Divided = Z, At = A>,
            Z: IntoStepped<Bits, Output: InnerLayout<Behind<Unswizzled, of_xor!(@offset $($generic)?)>: Addressable>>,
            A: SliceIn<Z>
                + SliceIn<<Z::Output as InnerLayout>::Behind<Unswizzled, of_xor!(@offset $($generic)?)>>,
        {
            type Divided = <Z::Output as InnerLayout>::Behind<Unswizzled, of_xor!(@offset $($generic)?)>;
            type At = A;
            type Part = <A as SliceIn<
                <Z::Output as InnerLayout>::Behind<Unswizzled, of_xor!(@offset $($generic)?)>,
            >>::Output;
            #[inline(always)]
            fn partition(self, tiler: T, coordinate: C) -> Result<(Self::Divided, A), LayoutError> {
                let $one = self;
                let (outer, offset) = ($bare.outer(), $bare.offset());
                let (divided, at) = Partition::<T, C>::partition($inner.strided(), tiler, coordinate)?;
                match divided.fault() {
                    None => Ok((divided.into_stepped().behind(outer, offset), at)),
                    Some(fault) => Err(LayoutError::new("zipped_divide", fault).with_operand(&self)),
                }
            }
        }
    )*};
    (@offset $generic:ident) => { $generic };
    (@offset) => { Zero };
}
of_xor! {
    [] SteppedLayout<Bits, S, D>, Some(0), layout => layout, 0, bare(layout);
    [F: Number] ComposedLayout<Unswizzled, F, SteppedLayout<Bits, S, D>>, F::STATIC,
        layout => layout.inner(), layout.offset().get(), layout;
}
