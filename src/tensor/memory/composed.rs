//! What a swizzled layout promises to memory.
//!
//! ```text
//! reach(Sw o f o L) = 1 + max Sw(f + L(c))             exact: neither cosize(L) nor any power of two
//! ```

use core::fmt::{self, Formatter};

use crate::algebra::modes::slice::Slice;
use crate::composed::{ComposedLayout, InnerLayout, OffsetMap, Unswizzled};
use crate::error::Fault;
use crate::layout::display::Notation;
use crate::layout::flat::{FlatLayout, LEAVES, MAPS, Map, Maps, ToFlat};
use crate::layout::strided::StridedLayout;
use crate::layout::traits::{CoordinateOf, Layout};
use crate::list::Nested;
use crate::number::table::Number;
use crate::strides::layout::SignedLayout;
use crate::swizzle::{DynSwizzle, Swizzle};
use crate::tensor::bounds::{self, SortedModes};
use crate::tensor::memory::order::ExtentsAndStrides;
use crate::tensor::memory::{Addressable, CoordinateIn, SliceIn};
use crate::tuple::coord::Coordinates;
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::node::{leaves, static_span};

/// A swizzle, static or dynamic: a function of offsets. Unsafe code relies on what it says of
/// itself.
///
/// # Safety
/// `map` is `swizzle().apply`, a bijection, always the same; `KNOWN` is `swizzle()`, if it is
/// `Some`.
#[diagnostic::on_unimplemented(
    message = "this is no layout of memory: behind its coordinates is more than a swizzle",
    label = "`{Self}` is neither a `Swizzle` nor a `DynSwizzle`",
    note = "a layout of memory is a strided one, or one under a single swizzle"
)]
pub unsafe trait SwizzleOfMemory: OffsetMap {
    /// The swizzle, where the types know it.
    const KNOWN: Option<DynSwizzle>;
    /// The swizzle.
    fn swizzle(&self) -> DynSwizzle;
}
// SAFETY: `Swizzle::apply` is `DYNAMIC.apply`, and `OffsetMap::map` is `apply`.
unsafe impl<const B: u32, const M: u32, const S: i32> SwizzleOfMemory for Swizzle<B, M, S> {
    const KNOWN: Option<DynSwizzle> = Some(Self::DYNAMIC);
    #[inline(always)]
    fn swizzle(&self) -> DynSwizzle {
        Self::DYNAMIC
    }
}
// SAFETY: `OffsetMap::map` is `apply`.
unsafe impl SwizzleOfMemory for DynSwizzle {
    const KNOWN: Option<DynSwizzle> = None;
    #[inline(always)]
    fn swizzle(&self) -> DynSwizzle {
        *self
    }
}

// SAFETY: `OffsetMap::map` leaves offsets as they are, which `DynSwizzle::IDENTITY` does.
unsafe impl SwizzleOfMemory for Unswizzled {
    const KNOWN: Option<DynSwizzle> = Some(DynSwizzle::IDENTITY);
    #[inline(always)]
    fn swizzle(&self) -> DynSwizzle {
        DynSwizzle::IDENTITY
    }
}

const fn alone(swizzle: DynSwizzle) -> Maps {
    let mut maps = [None; MAPS];
    maps[0] = Some(Map::Swizzle(swizzle));
    maps
}

/// One past the largest offset of a non-empty swizzled layout with `leaves` leaves, `None` if that
/// exceeds `usize`. A search that skips what cannot be the largest, as far as it can; else it
/// visits all coordinates, if there are at most [`MOST_COORDINATES`].
pub(super) fn searched_reach<L: Layout<Offset = usize> + ToFlat>(
    layout: &L,
    leaves: usize,
) -> Option<usize> {
    if leaves <= LEAVES {
        return layout.to_flat().checked_cosize().ok();
    }
    if is_undecided(layout, leaves) {
        return None;
    }
    (0..layout.size()).map(|i| layout.at(i)).max()?.checked_add(1)
}
/// How many coordinates are looked at for the largest offset.
pub(super) const MOST_COORDINATES: usize = 1 << 20;

/// Whether a swizzled layout has no reach because it would have to be searched for among too many
/// coordinates.
pub(super) fn is_undecided<L: Layout<Offset = usize>>(layout: &L, leaves: usize) -> bool {
    leaves > LEAVES && layout.size() > MOST_COORDINATES
}

/// [`Addressable::SPAN`] of a swizzled layout.
const fn static_reach<O: SwizzleOfMemory, F: Number, S: IntTuple, D: IntTuple>() -> Option<usize> {
    if leaves::<S::Node>() > LEAVES {
        return None;
    }
    match (static_span::<S::Node, D::Node>(), O::KNOWN, F::STATIC) {
        (Some(0), ..) => Some(0),
        (Some(span), Some(swizzle), Some(offset)) if offset.checked_add(span).is_some() => {
            match FlatLayout::of_types::<S::Node, D::Node>()
                .then_all(offset, &alone(swizzle))
                .checked_cosize()
            {
                Ok(cosize) => Some(cosize),
                Err(_) => None,
            }
        }
        _ => None,
    }
}

/// `layout.at(i)`; the part that the swizzle leaves alone is added after it.
#[inline(always)]
fn added_last<O: SwizzleOfMemory, F: Number, L: InnerLayout<Offset = usize>>(
    layout: &ComposedLayout<O, F, L>,
    i: usize,
) -> usize {
    let inner = layout.inner().at(i);
    let below = O::KNOWN.map_or(inner, |swizzle| inner & swizzle.reached());
    layout.outer().map(layout.offset().get() + below) + (inner - below)
}

// SAFETY: every coordinate has the offset `Sw(f + L(c))`, and `reach` is one past the largest of
// them (`FlatLayout::cosize`, exact) or `None` if the size, `f + L(c)` or that leaves `usize`. What
// `L` promises of coordinates, this layout does: the coordinates are those of `L`. The modes are
// those of `L` with the swizzle and the offset noted; so are the leaves.
unsafe impl<O: SwizzleOfMemory, F: Number, S: IntTuple<Dynamic: PartialEq>, D: IntTuple> Addressable
    for ComposedLayout<O, F, StridedLayout<S, D>>
where
    StridedLayout<S, D>: Addressable
        + InnerLayout
        + Layout<
            Offset = usize,
            Coordinate = S::Dynamic,
            Coordinates = Coordinates<S>,
            Shape = S,
            Stride = D,
        >,
{
    type ShownShape = <StridedLayout<S, D> as Addressable>::ShownShape;
    const MODES: Option<SortedModes> =
        match (<StridedLayout<S, D> as Addressable>::MODES, O::KNOWN, F::STATIC) {
            (Some(modes), Some(swizzle), Some(offset)) => Some(modes.swizzled(swizzle, offset)),
            _ => None,
        };
    const EXCHANGES: Option<DynSwizzle> = O::KNOWN;
    const BELOW: Option<ExtentsAndStrides> = <StridedLayout<S, D> as Addressable>::BELOW;
    const SPAN: Option<usize> = static_reach::<O, F, S, D>();
    const MODE_SIZES: Option<(usize, [usize; 8])> =
        <StridedLayout<S, D> as Addressable>::MODE_SIZES;
    #[inline]
    fn modes(&self) -> SortedModes {
        self.inner().modes().swizzled(self.outer().swizzle(), self.offset().get())
    }
    #[inline(always)]
    fn below(&self) -> Option<(ExtentsAndStrides, usize, DynSwizzle)> {
        Some((self.inner().leaves()?, self.offset().get(), self.outer().swizzle()))
    }
    /// Exact: known to the types, or found by a search.
    #[inline]
    fn reach(&self) -> Option<usize> {
        match (Self::SPAN, self.inner().reach()?) {
            (Some(span), _) => Some(span),
            (None, 0) => Some(0),
            (None, span) => {
                self.offset().get().checked_add(span)?;
                searched_reach(self, leaves::<S::Node>())
            }
        }
    }
    fn no_reach(&self) -> Fault {
        match is_undecided(self, leaves::<S::Node>()) {
            true => Fault::ReachUndecided { most: MOST_COORDINATES },
            false => Fault::Overflow,
        }
    }
    #[inline(always)]
    fn reach_at_hand(&self) -> Option<usize> {
        match (Self::SPAN, self.inner().reach()) {
            (Some(span), _) => Some(span),
            (None, Some(0)) => Some(0),
            (None, _) => None,
        }
    }
    #[inline(always)]
    fn unrolled_at(&self, i: usize) -> usize {
        // Elsewhere an index is more often a run-time number than a constant, and two masks cost
        // instructions.
        if cfg!(target_arch = "nvptx64") { added_last(self, i) } else { self.at(i) }
    }
    #[inline(always)]
    fn follows(&self, first: usize, v: usize, unit: usize) -> bool {
        // The bits of `v` are 0 in the offset, and the swizzle leaves them alone.
        let passes = v < unit && O::KNOWN.is_some_and(|swizzle| unit <= swizzle.unit());
        let at = |i| if passes { self.inner().unrolled_at(i) } else { self.unrolled_at(i) };
        at(first + v).wrapping_sub(at(first)) == v
    }
    #[inline(always)]
    fn lift(self) -> (Self, usize) {
        let Some(swizzle) = O::KNOWN else { return (self, 0) };
        let offset = self.offset();
        let below = offset.masked(swizzle.reached());
        (ComposedLayout::const_new(self.outer(), below, self.inner()), offset.get() - below.get())
    }
    #[inline(always)]
    fn holds(&self, coordinate: &S::Dynamic) -> bool {
        self.inner().holds(coordinate)
    }
    #[inline(always)]
    fn extents(&self) -> S::Dynamic {
        self.inner().extents()
    }
}

// ---- with negative strides ----------------------------------------------------------------------

// SAFETY: a layout with negative strides has the offsets of the same layout with natural strides,
// `|d|` in place of `d`, moved by `-base`: in a mode of `s` elements, the number `c` with the
// stride `-d` is as far from the offset of the last number as `s - 1 - c` with the stride `d` is
// from that of the first. So the swizzle is applied to the numbers `least + N(c')`, where
// `least = f - base`, if that is not below 0, and `N` is that natural layout; each number comes
// once for each coordinate. `reach` and `modes` are those of `Sw o least o N`, for which the impl
// above makes the promises that are made here. `reach` is `None` if one of these numbers is below 0
// or beyond `isize`, so that no sum on the way overflows. Coordinates are those of the shape, as
// for each layout with that shape.
unsafe impl<O: SwizzleOfMemory, F: Number, S: IntTuple<Dynamic: PartialEq>, D: IntTuple> Addressable
    for ComposedLayout<O, F, SignedLayout<S, D>>
where
    StridedLayout<S, D>: Addressable + Layout<Coordinate = S::Dynamic>,
{
    type ShownShape = <StridedLayout<S, D> as Addressable>::ShownShape;
    #[inline]
    fn modes(&self) -> SortedModes {
        let modes = self.inner().strided().modes();
        let least = self.offset().get().wrapping_sub(self.inner().base());
        if O::IS_NONE && least == 0 { modes } else { modes.swizzled(self.outer().swizzle(), least) }
    }
    #[inline]
    fn reach(&self) -> Option<usize> {
        let (base, cosize) = self.inner().base_and_cosize()?;
        if cosize == 0 {
            return Some(0);
        }
        let least = self.offset().get().checked_sub(base)?;
        let end = least.checked_add(cosize).filter(|&end| end <= isize::MAX as usize)?;
        if O::IS_NONE {
            return Some(end);
        }
        let forwards = ComposedLayout::const_new(self.outer(), least, self.inner().strided());
        searched_reach(&forwards, leaves::<S::Node>())
    }
    fn no_reach(&self) -> Fault {
        if is_undecided(self, leaves::<S::Node>()) {
            return Fault::ReachUndecided { most: MOST_COORDINATES };
        }
        match self.inner().base_and_cosize() {
            Some((base, _)) if base > self.offset().get() => {
                Fault::Below { offset: base - self.offset().get() }
            }
            _ => Fault::Overflow,
        }
    }
    #[inline(always)]
    fn reach_at_hand(&self) -> Option<usize> {
        match (self.inner().base_and_cosize(), O::IS_NONE) {
            (Some((_, 0)), _) => Some(0),
            (Some((base, cosize)), true) => {
                self.offset().get().checked_sub(base)?.checked_add(cosize)
            }
            _ => None,
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

// ---- coordinates and slices, whatever the strides -----------------------------------------------

macro_rules! coordinates_and_slices {
    ($($inner:ty),*) => {$(
        // SAFETY: the offset is that of the inner layout's coordinate, moved and swizzled; see
        // `Addressable`.
        #[doc(hidden)]
        unsafe impl<O, F, S, D, C> CoordinateIn<ComposedLayout<O, F, $inner>> for C
        where
            O: SwizzleOfMemory,
            F: Number,
            S: IntTuple,
            D: IntTuple,
            C: IntTuple + CoordinateOf<ComposedLayout<O, F, $inner>>,
        {
            #[inline(always)]
            fn within(self, layout: &ComposedLayout<O, F, $inner>) -> bool {
                bounds::within(self.node(), layout.shape().node())
            }
            fn outside(self, layout: &ComposedLayout<O, F, $inner>) -> Option<Fault> {
                bounds::outside(self.node(), layout.shape().node())
            }
            fn write_coordinate(self, f: &mut Formatter<'_>) -> fmt::Result {
                self.write(f)
            }
        }

        // SAFETY: the slice's coordinates are those of `layout` with the fixed numbers in place,
        // and `a + x` in that of a range or a window from `a` on; `Slice::misfit` asks of each that
        // it is a part of its mode. `R(x) + o == C(c with x in the place of ..)`: what is fixed
        // moves the number below the swizzle that offsets are added to, or, where there is no
        // swizzle or the types show that it lets that through, is added behind it; and so is what
        // lies above the swizzle (`lift`).
        #[doc(hidden)]
        unsafe impl<O, F, S, D, C> SliceIn<ComposedLayout<O, F, $inner>> for C
        where
            O: SwizzleOfMemory,
            F: Number,
            S: IntTuple,
            D: IntTuple,
            ComposedLayout<O, F, $inner>: Slice<C, Output: Addressable> + Layout<Offset = usize, Shape = S>,
            $inner: Slice<C>,
            C: Nested + Clone,
        {
            type Output = <ComposedLayout<O, F, $inner> as Slice<C>>::Output;
            #[inline(always)]
            fn misfit(&self, layout: &ComposedLayout<O, F, $inner>) -> Option<Fault> {
                Slice::misfit(layout.inner(), self.clone())
            }
            #[inline(always)]
            fn slice_in(self, layout: ComposedLayout<O, F, $inner>) -> (Self::Output, usize) {
                let (slice, offset) = <ComposedLayout<O, F, $inner> as Slice<C>>::sliced(layout, self);
                let (slice, above) = slice.lift();
                (slice, offset + above)
            }
        }
    )*};
}
coordinates_and_slices! { StridedLayout<S, D>, SignedLayout<S, D> }

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use crate::number::int::Int;

    /// Where it is known what divides an offset, as many values follow as the swizzle leaves in
    /// their place.
    #[test]
    fn values_that_follow_one_another() {
        type Inner = StridedLayout<(Int<16>, Int<4>), (Int<1>, Int<16>)>;
        for offset in 0..200 {
            let layout =
                ComposedLayout::const_new(Swizzle::<2, 3, 3>::new(), offset, Inner::default());
            for first in 0..layout.size() - 8 {
                for v in 0..8 {
                    let follows = layout.at(first + v).wrapping_sub(layout.at(first)) == v;
                    assert_eq!(layout.follows(first, v, 1), follows, "{layout}, {first} + {v}");
                    for unit in [2, 4, 8, 16] {
                        if layout.at(first) % unit == 0 {
                            assert_eq!(
                                layout.follows(first, v, unit),
                                follows,
                                "{layout}, {first} + {v}, {unit}"
                            );
                        }
                    }
                }
            }
        }
    }

    /// `Sw(x + y) = Sw(x) + y` for a `y` above all that the swizzle reaches.
    #[test]
    fn what_a_swizzle_lets_through_comes_after_it() {
        fn check<O: SwizzleOfMemory + Copy>(swizzle: O) {
            type Inner = StridedLayout<
                (Int<4>, Int<8>, Int<2>, Int<4>),
                (Int<1>, Int<16>, Int<4>, Int<512>),
            >;
            for offset in (0..5000).step_by(7) {
                let layout = ComposedLayout::const_new(swizzle, offset, Inner::default());
                let (lifted, above) = layout.lift();
                if let Some(swizzle) = O::KNOWN {
                    assert!(
                        above == offset & !swizzle.reached()
                            && lifted.offset() <= swizzle.reached()
                    );
                }
                for i in 0..layout.size() {
                    assert_eq!(added_last(&layout, i), layout.at(i), "{layout} at {i}");
                    assert_eq!(lifted.at(i) + above, layout.at(i), "{layout} at {i}");
                }
            }
        }
        check(Swizzle::<3, 3, 3>::new());
        check(Swizzle::<2, 3, -4>::new());
        check(Swizzle::<1, 0, 1>::new());
        check(Swizzle::<0, 4, 3>::new());
        check(DynSwizzle::known(3, 3, 3));
    }
}
