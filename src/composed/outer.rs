//! What stands outside in a composed layout, a function of offsets, and what stands inside, a
//! layout.

use core::fmt::{self, Debug, Display, Formatter};

use crate::error::{Fault, LayoutError, expect};
use crate::layout::display::Notation;
use crate::layout::flat::{FlatLayout, MAPS, Map, Maps, ToFlat};
use crate::layout::refused_layout::RefusedLayout;
use crate::layout::strided::StridedLayout;
use crate::layout::traits::{Layout, StaticLayout};
use crate::number::int::{MulInt, StaticInt};
use crate::number::table::Number;
use crate::swizzle::{
    Apart, Distance, DynSwizzle, Exponent, PowerOfTwo, Swizzle, UnitOfSwizzle, Upwards,
};
use crate::tuple::int_tuple::{IntTuple, StaticTuple};
use crate::tuple::profile::Congruent;

/// A function of offsets: a swizzle, or a layout read as a function of numbers.
///
/// ```
/// use layout_algebra::prelude::*;
/// assert_eq!(OffsetMap::map(&Swizzle::<1, 0, 1>::new(), 2), 3);
/// assert_eq!(OffsetMap::map(&layout!((4, 8):(8, 1)), 5), 9);
/// ```
#[diagnostic::on_unimplemented(
    message = "the outer part of a composed layout is a function of offsets",
    label = "not a function of offsets",
    note = "a swizzle is written `Swizzle::<3, 4, 3>::new()`, a layout `layout!((4, 6))`"
)]
pub trait OffsetMap: Clone + Debug + Notation {
    /// Where an offset is moved to.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// // the upper two bits, 01, xor the lower two, 10
    /// assert_eq!(Swizzle::<2, 0, 2>::new().map(0b0110), 0b0111);
    /// ```
    #[track_caller]
    fn map(&self, offset: usize) -> usize;
    #[doc(hidden)]
    fn maps(&self) -> Result<Maps, LayoutError>;
    /// Whether it is [`Unswizzled`]: it leaves offsets as they are, and is not written.
    #[doc(hidden)]
    const IS_NONE: bool = false;
}

/// A function of offsets that is known at compile time.
///
/// ```
/// use layout_algebra::composed::StaticOffsetMap;
/// use layout_algebra::prelude::*;
/// fn swizzled<O: StaticOffsetMap>(x: usize) -> usize {
///     O::default().map(x)
/// }
/// assert_eq!(swizzled::<Swizzle<1, 0, 1>>(2), 3);
/// ```
#[diagnostic::on_unimplemented(
    message = "this is not a function of offsets that is known at compile time",
    label = "`{Self}`: neither a `Swizzle` nor a static layout",
    note = "a `DynSwizzle` and a layout with dynamic leaves are known only at run time"
)]
pub trait StaticOffsetMap: OffsetMap + Copy + Default {
    #[doc(hidden)]
    const MAPS: Maps;
}

/// A function of offsets that is a bijection: a swizzle, or a chain of swizzles. What is disjoint
/// stays so under it.
///
/// ```
/// use layout_algebra::composed::Bijection;
/// use layout_algebra::prelude::*;
/// fn there_and_back<O: Bijection>(outer: O, x: usize) -> usize {
///     outer.clone().inverse().map(outer.map(x))
/// }
/// assert_eq!(there_and_back(Swizzle::<1, 0, 1>::new().compose(Swizzle::<1, 1, 1>::new()), 6), 6);
/// ```
#[diagnostic::on_unimplemented(
    message = "this is not known to be a bijection of offsets",
    label = "`{Self}`: neither a swizzle nor a chain of swizzles",
    note = "what is disjoint stays so under a bijection; a layout is in general none"
)]
pub trait Bijection: OffsetMap {
    /// The inverse; of a swizzle it is the swizzle itself.
    type Inverse: OffsetMap;
    /// The inverse.
    #[doc(hidden)]
    fn inverse(self) -> Self::Inverse;
}

/// A layout that can stand inside a composed one: its offsets are numbers, or with negative strides
/// what moves numbers.
///
/// ```
/// use layout_algebra::composed::InnerLayout;
/// use layout_algebra::prelude::*;
/// fn swizzled<L: InnerLayout>(layout: L) -> ComposedLayout<Swizzle<1, 0, 1>, Int<0>, L> {
///     Swizzle::new().compose(layout)
/// }
/// assert_eq!(swizzled(layout!(4:1)).at(2), 3);
/// ```
#[diagnostic::on_unimplemented(
    message = "the inner part of a composed layout is a plain layout",
    label = "neither a strided layout nor a `DynLayout`",
    note = "compose the functions of offsets first: a swizzle after a swizzle is one function"
)]
pub trait InnerLayout: Layout + Notation {
    /// The layout behind the function `O` of offsets and the offset `F`. What was refused stays
    /// refused.
    type Behind<O: OffsetMap, F: Number>: Layout<Offset = usize>;
    #[doc(hidden)]
    fn behind<O: OffsetMap, F: Number>(self, outer: O, offset: F) -> Self::Behind<O, F>;
    #[doc(hidden)]
    fn take_apart<O: OffsetMap, F: Number>(behind: Self::Behind<O, F>) -> (O, F, Self);
    /// How far below 0 the least offset lies, and the cosize, if they fit `usize`.
    #[doc(hidden)]
    fn base_and_cosize(&self) -> Option<(usize, usize)>;
    /// The number `from`, moved by an offset of such a layout.
    #[doc(hidden)]
    fn moved(from: usize, by: Self::Offset) -> usize;
    /// Whether the types show that offsets are added to the number that they move.
    #[doc(hidden)]
    const ADDS: bool = true;
    /// Whether offsets are XORed with the number that they move; else they are added to it.
    #[doc(hidden)]
    #[inline(always)]
    fn xors(&self) -> bool {
        false
    }
    /// All bits that its offsets may have.
    #[doc(hidden)]
    #[inline(always)]
    fn offset_bits(&self) -> u128 {
        u128::MAX
    }
    /// May this layout replace one behind `offset`, whose offsets were XORed with `offset` or added
    /// to it? If one adds and the other XORs, no offset may share a bit with `offset`:
    /// `f + d == f ^ d`.
    #[doc(hidden)]
    #[inline(always)]
    fn stays_behind(&self, offset: usize, xored: bool) -> Result<(), Fault> {
        if self.xors() == xored || offset == 0 {
            return Ok(());
        }
        match self.offset_bits() & offset as u128 {
            0 => Ok(()),
            shared => Err(Fault::PartsOverlap { bit: shared.trailing_zeros() }),
        }
    }
    /// The number `from`, moved by the offset of the `i`-th coordinate.
    #[doc(hidden)]
    #[inline(always)]
    #[track_caller]
    fn at_from(&self, from: usize, i: usize) -> usize {
        Self::moved(from, self.at(i))
    }
    /// The number `from`, moved by the offset of a coordinate of this layout.
    #[doc(hidden)]
    #[inline(always)]
    #[track_caller]
    fn locate_from(&self, from: usize, coordinate: Self::Coordinate) -> usize {
        Self::moved(from, self.locate(coordinate))
    }
    /// One past the largest of the offsets, moved from `from` and put through `outer`; 0 for an
    /// empty layout.
    #[doc(hidden)]
    #[track_caller]
    fn cosize_behind<O: OffsetMap>(&self, outer: &O, from: usize) -> usize {
        (0..self.size()).map(|i| outer.map(self.at_from(from, i)) + 1).max().unwrap_or(0)
    }
}
/// What is the same for all plain layouts.
macro_rules! behind_itself {
    () => {
        type Behind<O: $crate::composed::OffsetMap, F: $crate::number::table::Number> =
            $crate::composed::ComposedLayout<O, F, Self>;
        #[inline(always)]
        fn behind<O: $crate::composed::OffsetMap, F: $crate::number::table::Number>(
            self,
            outer: O,
            offset: F,
        ) -> Self::Behind<O, F> {
            $crate::composed::ComposedLayout::const_new(outer, offset, self)
        }
        #[inline(always)]
        fn take_apart<O: $crate::composed::OffsetMap, F: $crate::number::table::Number>(
            behind: Self::Behind<O, F>,
        ) -> (O, F, Self) {
            behind.into_parts()
        }
    };
}
pub(crate) use behind_itself;
#[doc(hidden)]
impl<S: IntTuple, D: IntTuple> InnerLayout for StridedLayout<S, D> {
    behind_itself! {}
    #[inline(always)]
    fn base_and_cosize(&self) -> Option<(usize, usize)> {
        Some((0, self.span()?.1))
    }
    #[inline(always)]
    fn moved(from: usize, by: usize) -> usize {
        from + by
    }
    fn cosize_behind<O: OffsetMap>(&self, outer: &O, from: usize) -> usize {
        self.to_flat().then_all(from, &expect(outer.maps())).cosize()
    }
}
#[doc(hidden)]
#[diagnostic::do_not_recommend]
impl InnerLayout for RefusedLayout {
    type Behind<O: OffsetMap, F: Number> = RefusedLayout;
    fn behind<O: OffsetMap, F: Number>(self, _: O, _: F) -> RefusedLayout {
        self
    }
    fn take_apart<O: OffsetMap, F: Number>(_: RefusedLayout) -> (O, F, RefusedLayout) {
        unreachable!("no program that compiles has this layout")
    }
    fn base_and_cosize(&self) -> Option<(usize, usize)> {
        Some((0, Self::COSIZE))
    }
    fn moved(from: usize, _: usize) -> usize {
        from
    }
}
#[diagnostic::do_not_recommend]
impl ToFlat for RefusedLayout {
    fn to_flat(&self) -> FlatLayout {
        Self::FLAT
    }
}

/// What the swizzle `Sw` is composed with: a layout, which gives a
/// [`ComposedLayout`](crate::ComposedLayout), or another swizzle, which gives a
/// [`Chain`](crate::composed::Chain).
///
/// ```
/// use layout_algebra::composed::UnderSwizzle;
/// use layout_algebra::prelude::*;
/// fn third<R: UnderSwizzle<Swizzle<1, 0, 1>, Output: Layout<Offset = usize>>>(right: R) -> usize {
///     Swizzle::new().compose(right).at(2)
/// }
/// assert_eq!(third(layout!(4:1)), 3);
/// ```
#[diagnostic::on_unimplemented(
    message = "this does not stand under a swizzle",
    label = "neither a plain layout, strided or a `DynLayout`, nor another swizzle",
    note = "a swizzle composes with a layout, whose offsets it moves, or with a swizzle; what is swizzled already \
            takes another one before it: compose the swizzles first"
)]
pub trait UnderSwizzle<Sw> {
    /// The two composed.
    type Output;
    #[doc(hidden)]
    fn under_swizzle(self, swizzle: Sw) -> Self::Output;
}

// ---- no function at all -------------------------------------------------------------------------

/// The function of offsets that leaves them as they are: what stands outside of a layout that is
/// only moved, as one with negative strides has to be, of whose offsets none may lie below 0.
///
/// ```
/// use layout_algebra::composed::Unswizzled;
/// use layout_algebra::prelude::*;
/// let moved = ComposedLayout::new(Unswizzled, 3, layout!((4, 6):(-1, 4)));
/// assert_eq!(
///     (moved.index((0, 0)), moved.index((3, 5)), moved.to_string().as_str()),
///     (3, 20, "3 o (_4,_6):(-_1,_4)")
/// );
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Unswizzled;
impl Notation for Unswizzled {
    fn write(&self, _: &mut Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}
#[doc(hidden)]
impl OffsetMap for Unswizzled {
    const IS_NONE: bool = true;
    #[inline(always)]
    fn map(&self, offset: usize) -> usize {
        offset
    }
    fn maps(&self) -> Result<Maps, LayoutError> {
        Ok([None; MAPS])
    }
}
impl StaticOffsetMap for Unswizzled {
    const MAPS: Maps = [None; MAPS];
}
impl Bijection for Unswizzled {
    type Inverse = Self;
    #[inline(always)]
    fn inverse(self) -> Self {
        self
    }
}

// ---- swizzles -----------------------------------------------------------------------------------

impl<const B: u32, const M: u32, const S: i32> Notation for Swizzle<B, M, S> {
    fn write(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}
impl Notation for DynSwizzle {
    fn write(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

pub(super) const fn alone(map: Map) -> Maps {
    let mut maps = [None; MAPS];
    maps[0] = Some(map);
    maps
}

#[doc(hidden)]
impl<const B: u32, const M: u32, const S: i32> OffsetMap for Swizzle<B, M, S> {
    #[inline(always)]
    fn map(&self, offset: usize) -> usize {
        self.apply(offset)
    }
    fn maps(&self) -> Result<Maps, LayoutError> {
        Ok(alone(Map::Swizzle(Self::DYNAMIC)))
    }
}
impl<const B: u32, const M: u32, const S: i32> StaticOffsetMap for Swizzle<B, M, S>
where
    (): Apart<B, S>,
{
    const MAPS: Maps = alone(Map::Swizzle(Self::DYNAMIC));
}
impl<const B: u32, const M: u32, const S: i32> Bijection for Swizzle<B, M, S> {
    type Inverse = Self;
    #[inline(always)]
    fn inverse(self) -> Self {
        self
    }
}

#[doc(hidden)]
impl OffsetMap for DynSwizzle {
    #[inline(always)]
    fn map(&self, offset: usize) -> usize {
        self.apply(offset)
    }
    fn maps(&self) -> Result<Maps, LayoutError> {
        Ok(alone(Map::Swizzle(*self)))
    }
}
impl Bijection for DynSwizzle {
    type Inverse = Self;
    #[inline(always)]
    fn inverse(self) -> Self {
        self
    }
}

/// A swizzle that the types know all about: `Unit = 2^M` offsets stay together,
/// `Block = 2^(M + B + max(-S, 0))` are moved among themselves, and `Top = 2^(M + B + |S|)` is one
/// past the highest bit that it reads or changes, as a power of two.
pub trait KnownSwizzle: Bijection {
    type Unit: StaticInt;
    type Block: StaticInt;
    type Top: StaticInt;
}
impl<const B: u32, const M: u32, const S: i32> KnownSwizzle for Swizzle<B, M, S>
where
    Exponent<M>: PowerOfTwo,
    Exponent<B>:
        PowerOfTwo<Output: MulInt<UnitOfSwizzle<M>, Output: MulInt<Far<S>> + MulInt<UpBy<S>>>>,
    Distance<S>: PowerOfTwo + Upwards,
{
    type Unit = UnitOfSwizzle<M>;
    type Block = <Low<B, M> as MulInt<UpBy<S>>>::Output;
    type Top = <Low<B, M> as MulInt<Far<S>>>::Output;
}
type Low<const B: u32, const M: u32> =
    <<Exponent<B> as PowerOfTwo>::Output as MulInt<UnitOfSwizzle<M>>>::Output;
type Far<const S: i32> = <Distance<S> as PowerOfTwo>::Output;
type UpBy<const S: i32> = <Distance<S> as Upwards>::Output;

// ---- layouts ------------------------------------------------------------------------------------

#[doc(hidden)]
impl<S: IntTuple, D: IntTuple> OffsetMap for StridedLayout<S, D> {
    #[inline(always)]
    fn map(&self, offset: usize) -> usize {
        self.at(offset)
    }
    fn maps(&self) -> Result<Maps, LayoutError> {
        Ok(alone(Map::Layout(self.try_to_flat()?.modes)))
    }
}
impl<S: StaticTuple, D: StaticTuple> StaticOffsetMap for StridedLayout<S, D>
where
    S: Congruent<D>,
{
    const MAPS: Maps = alone(Map::Layout(Self::FLAT.modes));
}
