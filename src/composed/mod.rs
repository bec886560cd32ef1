//! Composed layouts: a layout whose offsets go through one more function, a swizzle for the most
//! part.
//!
//! ```text
//! C(c) = outer(offset + inner(c))
//! ```
//!
//! The coordinates are those of the inner layout, so that whatever regroups coordinates
//! works on the inner layout alone.
//!
//! An index is not checked, as in a plain layout. The constructor checks once, for all coordinates,
//! that `offset + inner(c)` does not overflow `usize`: `offset + cosize(inner) - 1` fits.
//!
//! This file has the type; in reading order behind it:
//!
//! - `outer`: the functions that may stand outside, the layouts that may stand inside
//! - `chain`: one such function after another
//! - `slice`, `algebra`, `inverse`, `recast`: the operations on it
//! - `signed`: negative strides inside
//! - `run_time`: the same with a rank known only at run time
//! - `linear`: as layouts of XOR strides, and back

use core::fmt::{self, Display, Formatter};

use crate::error::{Fault, LayoutError, expect};
use crate::layout::display::{Notation, display};
use crate::layout::flat::{FlatLayout, ToFlat};
use crate::layout::print::HasTable;
use crate::layout::refused_layout::RefusedLayout;
use crate::layout::traits::{CoordinateOf, Layout, StaticLayout};
use crate::number::int::{StaticInt, Zero};
use crate::number::table::Number;
use crate::swizzle::Swizzle;

mod outer;

mod chain;

mod slice;

mod algebra;
mod inverse;

mod recast;

mod signed;

pub use chain::Chain;
pub use outer::{Bijection, InnerLayout, OffsetMap, StaticOffsetMap, UnderSwizzle, Unswizzled};
pub use signed::{FlipInMemory, MovedLayout};

/// `C(c) = outer(offset + inner(c))`: the outer function is a [`Swizzle`], a
/// [`DynSwizzle`](crate::DynSwizzle), a layout read as a function of numbers, or a [`Chain`] of
/// such; the inner layout has the shape. CuTe's `ComposedLayout`.
///
/// Its strides are `()`: there are none.
///
/// ```
/// use layout_algebra::prelude::*;
/// // A tile of 8 rows of 64 halves, as CUTLASS swizzles it: rows of 128 bytes, in chunks of 16.
/// let tile = Swizzle::<3, 3, 3>::new().compose(layout!((8, 64):(64, 1)));
/// assert_eq!((tile.index((0, 0)), tile.index((1, 0)), tile.index((2, 9))), (0, 64 + 8, 128 + 24 + 1));
/// assert_eq!((tile.size(), tile.cosize(), size_of_val(&tile)), (512, 512, 0));
/// assert_eq!(format!("{tile:#}"), "Sw<3,3,3> o 0 o (8,64):(64,1)");
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
#[must_use]
pub struct ComposedLayout<Outer, Offset, Inner> {
    outer: Outer,
    offset: Offset,
    inner: Inner,
}

impl<O: OffsetMap, F: Number, L: InnerLayout> ComposedLayout<O, F, L> {
    /// The layout `outer(offset + inner(c))`. In constants,
    /// [`const_new`](ComposedLayout::const_new).
    ///
    /// # Panics
    /// If the offset and the largest offset of the inner layout add up to more than `usize` holds,
    /// or the offset and the least one to less than 0.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let c = ComposedLayout::new(layout!((4, 8):(8, 1)), 3, layout!(8:4)); // a plain outer layout
    /// assert_eq!((0..8).map(|i| c.at(i)).collect::<Vec<_>>(), (0..8).map(|i| 24 + i).collect::<Vec<_>>());
    /// ```
    ///
    /// ```should_panic
    /// use layout_algebra::prelude::*;
    /// // cannot add to the offset 18446744073709551610 the offsets of a layout of cosize 8: a number grows
    /// // beyond ..
    /// ComposedLayout::new(Swizzle::<3, 3, 3>::new(), usize::MAX - 5, layout!(8:1));
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn new(outer: O, offset: F, inner: L) -> Self {
        let (begin, span) = (offset.get(), inner.base_and_cosize());
        if in_range(begin, span).is_err() {
            beyond_usize(begin, span);
        }
        ComposedLayout { outer, offset, inner }
    }
}

/// Refused if `offset + x` leaves `usize` for an offset `x` of a layout of this base and cosize.
/// `None` is one that does not fit itself.
#[inline(always)]
fn in_range(offset: usize, span: Option<(usize, usize)>) -> Result<(), Fault> {
    let largest = |(base, cosize): (usize, usize)| {
        offset.checked_sub(base)?.checked_add(cosize.saturating_sub(1))
    };
    span.and_then(largest).map(drop).ok_or_else(|| misfit(offset, span))
}

/// Why an offset and a layout do not fit together.
#[cold]
fn misfit(offset: usize, span: Option<(usize, usize)>) -> Fault {
    match span {
        Some((base, _)) if base > offset => Fault::Below { offset: base - offset },
        _ => Fault::Overflow,
    }
}
#[cold]
#[inline(never)]
#[track_caller]
fn beyond_usize(offset: usize, span: Option<(usize, usize)>) -> ! {
    let error = LayoutError::new("compose_at", misfit(offset, span));
    match span {
        Some((_, cosize)) => {
            panic!("{}", error.with_operands(&offset, &format_args!("a layout of cosize {cosize}")))
        }
        None => panic!("{}", error.with_operands(&offset, &"a layout")),
    }
}

impl<O: OffsetMap, F: Number, L: InnerLayout> ComposedLayout<O, F, L> {
    /// The layout, if no sum of the offset and an offset of the inner layout leaves `usize`.
    #[inline(always)]
    pub(crate) fn checked(outer: O, offset: F, inner: L) -> Result<Self, Fault> {
        in_range(offset.get(), inner.base_and_cosize())?;
        Ok(ComposedLayout { outer, offset, inner })
    }

    /// [`new`](ComposedLayout::new), for constants.
    ///
    /// A const function cannot ask the parts for their numbers: of an offset known only at run time
    /// it is believed that it and the largest offset of the inner layout add up to no more than
    /// `usize` holds, as of the numbers in [`StridedLayout::new`](crate::StridedLayout::new).
    /// `cosize` and a tensor refuse such a layout.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// const MOVED: ComposedLayout<DynSwizzle, usize, StridedLayout<usize, usize>> =
    ///     ComposedLayout::const_new(Swizzle::<2, 0, 2>::DYNAMIC, 5, StridedLayout::new(16, 1));
    /// assert_eq!(MOVED.at(0), 4);
    /// ```
    #[inline(always)]
    pub const fn const_new(outer: O, offset: F, inner: L) -> Self {
        ComposedLayout { outer, offset, inner }
    }

    /// The outer function. CuTe's `layout_a`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(Swizzle::<2, 0, 2>::new().compose(layout!(16:1)).outer(), Swizzle::<2, 0, 2>::new());
    /// ```
    #[inline(always)]
    pub fn outer(&self) -> O {
        self.outer.clone()
    }

    /// What is added before the outer function. CuTe's `offset`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(ComposedLayout::new(Swizzle::<2, 0, 2>::new(), 5, layout!(16:1)).offset(), 5);
    /// ```
    #[inline(always)]
    pub fn offset(&self) -> F {
        self.offset
    }

    /// The inner layout. CuTe's `layout_b`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(Swizzle::<2, 0, 2>::new().compose(layout!(16:1)).inner(), layout!(16:1));
    /// ```
    #[inline(always)]
    pub fn inner(&self) -> L {
        self.inner.clone()
    }

    /// [`inner`](ComposedLayout::inner), not cloned.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub(crate) fn inner_ref(&self) -> &L {
        &self.inner
    }

    #[inline(always)]
    fn into_parts(self) -> (O, F, L) {
        (self.outer, self.offset, self.inner)
    }
}

impl<const B: u32, const M: u32, const S: i32> Swizzle<B, M, S> {
    /// A layout swizzled, or another swizzle followed by this one. CuTe's `composition`.
    ///
    /// `R(c) == self(right(c))`
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let tile = Swizzle::<2, 0, 2>::new().compose(layout!((4, 4):(4, 1)));
    /// assert_eq!((0..4).map(|row| tile.index((row, 0))).collect::<Vec<_>>(), [0, 5, 10, 15]);
    /// let both = Swizzle::<1, 0, 3>::new().compose(Swizzle::<1, 1, 1>::new());
    /// assert_eq!((both.apply(0b1100), both.to_string()), (0b1111, "Sw<1,0,3> o Sw<1,1,1>".to_string()));
    /// ```
    #[inline(always)]
    pub fn compose<R: UnderSwizzle<Self>>(self, right: R) -> R::Output {
        right.under_swizzle(self)
    }
}

impl<O: OffsetMap, F: Number, L: InnerLayout> Layout for ComposedLayout<O, F, L> {
    type Shape = L::Shape;
    type Stride = ();
    type Coordinate = L::Coordinate;
    type Coordinates = L::Coordinates;
    type Offset = usize;
    #[inline(always)]
    fn shape(&self) -> L::Shape {
        self.inner.shape()
    }
    #[inline(always)]
    fn stride(&self) {}
    #[inline(always)]
    fn rank(&self) -> usize {
        self.inner.rank()
    }
    #[inline(always)]
    fn depth(&self) -> usize {
        self.inner.depth()
    }
    fn mode_size(&self, mode: usize) -> usize {
        self.inner.mode_size(mode)
    }
    #[inline(always)]
    fn size(&self) -> usize {
        self.inner.size()
    }
    /// One past the largest offset; 0 for an empty layout. Exact: the swizzle and the offset count.
    ///
    /// # Panics
    /// If the inner layout has more than 32 leaves.
    fn cosize(&self) -> usize {
        self.inner.cosize_behind(&self.outer, self.offset.get())
    }
    #[inline(always)]
    fn at(&self, i: usize) -> usize {
        self.outer.map(self.inner.at_from(self.offset.get(), i))
    }
    #[inline(always)]
    fn locate(&self, coordinate: L::Coordinate) -> usize {
        self.outer.map(self.inner.locate_from(self.offset.get(), coordinate))
    }
    #[inline(always)]
    fn coords(&self) -> L::Coordinates {
        self.inner.coords()
    }
}

impl<O: OffsetMap, F: Number, L: InnerLayout, C: CoordinateOf<L>>
    CoordinateOf<ComposedLayout<O, F, L>> for C
{
    #[inline(always)]
    fn offset_in(self, layout: &ComposedLayout<O, F, L>) -> usize {
        layout.outer.map(self.offset_from(layout.offset.get(), &layout.inner, L::moved))
    }
}

/// Every number of the outer function, the offset and the inner layout is static. A trait of the
/// composed layout itself, for the sake of the message, as that of a strided one.
#[diagnostic::on_unimplemented(
    message = "this layout is not static: a number of its swizzle, its offset or its inner layout is known only at \
               run time",
    label = "every number of this layout has to be static",
    note = "write the offset as `int!(0)` and the extents as literals, or ask for `Layout`, which has the same as \
            methods: `size()` for `SIZE`"
)]
pub trait EveryPartStatic: Default + Copy {
    /// The inner layout.
    type Inner: StaticLayout;
    /// All of it as plain data.
    const ALL: FlatLayout;
}
#[diagnostic::do_not_recommend]
impl<O: StaticOffsetMap, F: StaticInt, L: InnerLayout + StaticLayout> EveryPartStatic
    for ComposedLayout<O, F, L>
{
    type Inner = L;
    const ALL: FlatLayout = L::FLAT.then_all(F::VALUE, &O::MAPS);
}
#[diagnostic::do_not_recommend]
impl<O: OffsetMap, F: Number, L: InnerLayout> StaticLayout for ComposedLayout<O, F, L>
where
    Self: EveryPartStatic,
{
    const SIZE: usize = <Self as EveryPartStatic>::Inner::SIZE;
    const COSIZE: usize = Self::FLAT.cosize();
    const RANK: usize = <Self as EveryPartStatic>::Inner::RANK;
    const DEPTH: usize = <Self as EveryPartStatic>::Inner::DEPTH;
    const FLAT: FlatLayout = Self::ALL;
}
impl<O: OffsetMap, F: Number, L: InnerLayout + ToFlat> ToFlat for ComposedLayout<O, F, L> {
    fn to_flat(&self) -> FlatLayout {
        expect(self.try_to_flat())
    }
    fn try_to_flat(&self) -> Result<FlatLayout, LayoutError> {
        let flat = self.inner.try_to_flat()?.strided_alone()?;
        Ok(flat.then_all(self.offset.get(), &self.outer.maps()?))
    }
}

// ---- text ---------------------------------------------------------------------------------------

impl<O: OffsetMap, F: Number, L: InnerLayout> Notation for ComposedLayout<O, F, L> {
    fn write(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if !O::IS_NONE {
            self.outer.write(f)?;
            f.write_str(" o ")?;
        }
        self.offset.write(f)?;
        f.write_str(" o ")?;
        self.inner.write(f)
    }
}
/// ```
/// use layout_algebra::prelude::*;
/// let c = ComposedLayout::new(Swizzle::<3, 3, 3>::new(), 5, layout!((8, 8):(8, 1)));
/// assert_eq!(c.to_string(), "Sw<3,3,3> o 5 o (_8,_8):(_8,_1)");
/// assert_eq!(format!("{c:#}"), "Sw<3,3,3> o 5 o (8,8):(8,1)");
/// ```
impl<O: OffsetMap, F: Number, L: InnerLayout> Display for ComposedLayout<O, F, L> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        display(self, f)
    }
}
debug_as_display! { [O: OffsetMap, F: Number, L: InnerLayout] ComposedLayout<O, F, L>; }

#[doc(hidden)]
impl<O: OffsetMap, F: Number, L: InnerLayout + HasTable> HasTable for ComposedLayout<O, F, L> {
    type Answer<T> = L::Answer<T>;
    fn if_flat<T>(&self, make: impl FnOnce() -> T) -> L::Answer<T> {
        self.inner.if_flat(make)
    }
}

/// What was refused is refused once.
#[diagnostic::do_not_recommend]
impl<O, F, L> PartialEq<RefusedLayout> for ComposedLayout<O, F, L> {
    fn eq(&self, _: &RefusedLayout) -> bool {
        true
    }
}

/// A layout right under a swizzle.
#[diagnostic::do_not_recommend]
#[doc(hidden)]
impl<const B: u32, const M: u32, const S: i32, L: InnerLayout> UnderSwizzle<Swizzle<B, M, S>>
    for L
{
    type Output = ComposedLayout<Swizzle<B, M, S>, Zero, L>;
    #[inline(always)]
    fn under_swizzle(self, swizzle: Swizzle<B, M, S>) -> ComposedLayout<Swizzle<B, M, S>, Zero, L> {
        ComposedLayout::const_new(swizzle, Zero::default(), self)
    }
}

// Here, so that its methods stand behind those of all composed layouts.
#[cfg(feature = "alloc")]
mod run_time;

#[cfg(feature = "alloc")]
mod linear;

#[cfg(feature = "alloc")]
pub use run_time::DynComposedLayout;
