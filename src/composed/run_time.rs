//! Swizzled layouts whose rank is known only at run time.
//!
//! ```text
//! op(Sw o f o L) = Sw o f o op(L)                        what regroups coordinates
//! cast(Sw o f o L) = cast(Sw) o cast(f) o cast(L)        what changes the unit
//! A o (Sw o 0 o L) = Sw' o 0 o (A o L)                   if A takes bits to bits: A(Sw(x)) = Sw'(A(x))
//! ```

use core::fmt;
use core::str::FromStr;

use super::ComposedLayout;
use super::chain::Chain;
use super::inverse::keeps;
use super::outer::{InnerLayout, OffsetMap, Unswizzled, alone, behind_itself};
use crate::algebra::modes::slice::Slice;
use crate::dynamic::kinds::modes::{sum_bits, xor_bits};
use crate::dynamic::parse::{Unread, whole};
use crate::dynamic::slice::{SliceOffset, slice, window};
use crate::dynamic::{
    DynLayout, DynShape, DynStride, IntoDynShape, IntoDynSlice, IntoDynTiler, SliceArgument,
    ToDynamic,
};
use crate::error::{Fault, LayoutError, expect};
use crate::layout::display::Notation;
use crate::layout::flat::{FlatLayout, LEAVES, Map, Maps, Modes, ToFlat};
use crate::layout::traits::CoordinateOf;
use crate::number::table::{Number, gcd};
use crate::swizzle::DynSwizzle;
use crate::tuple::interval::Window;

/// `Sw<B,M,S> o offset o layout`, known at run time only.
///
/// Law: `C(c) = Sw(offset + L(c))`, and `{}` prints what `parse` reads. CuTe:
/// `ComposedLayout<Swizzle, Offset, Layout>`.
///
/// ```
/// use layout_algebra::prelude::*;
/// let c: DynComposedLayout = "Sw<3,3,3> o 0 o (8,64):(64,1)".parse()?;
/// assert_eq!(c.to_string(), "Sw<3,3,3> o 0 o (8,64):(64,1)");
/// assert_eq!((c.at(1), c.size(), c.cosize()), (72, 512, 512));
/// # Ok::<(), LayoutError>(())
/// ```
pub type DynComposedLayout = ComposedLayout<DynSwizzle, usize, DynLayout>;

/// The inverse of a [`DynComposedLayout`].
type Inverse = ComposedLayout<Chain<DynLayout, DynSwizzle>, usize, DynLayout>;

#[doc(hidden)]
impl InnerLayout for DynLayout {
    behind_itself! {}
    #[inline]
    fn base_and_cosize(&self) -> Option<(usize, usize)> {
        // What is XORed does not leave `usize`.
        Some((self.base(), if self.has_xor_strides() { 1 } else { self.cosize() }))
    }
    #[inline]
    fn moved(from: usize, by: usize) -> usize {
        from + by
    }
    const ADDS: bool = false;
    #[inline]
    fn xors(&self) -> bool {
        self.has_xor_strides()
    }
    fn offset_bits(&self) -> u128 {
        if self.size() == 0 {
            return 0;
        }
        let modes = self.every_mode();
        sum_bits(&modes) | xor_bits(&modes)
    }
    #[inline]
    fn at_from(&self, from: usize, i: usize) -> usize {
        i.offset_from(from, self, Self::moved)
    }
    #[inline]
    fn locate_from(&self, from: usize, coordinate: DynShape) -> usize {
        (&coordinate).offset_from(from, self, Self::moved)
    }
    #[track_caller]
    fn cosize_behind<O: OffsetMap>(&self, outer: &O, from: usize) -> usize {
        let offset = format_args!("the offset {from} before its swizzle");
        let refuse = |fault| LayoutError::new("cosize", fault).with_operands(self, &offset);
        expect(checked_cosize(self, outer, from).map_err(refuse))
    }
}

/// One past the largest of the offsets of `layout`, moved from `from` and put through `outer`.
fn checked_cosize(layout: &DynLayout, outer: &impl OffsetMap, from: usize) -> Result<usize, Fault> {
    // What does not move leads to no other offset, and backwards it is the same ones from the
    // least one on.
    let moving = layout.filter();
    if let (Some(forwards), Ok(maps)) = (moving.forwards(), outer.maps()) {
        let flat = forwards.try_to_flat().map_err(|error| error.fault())?;
        let moved = flat.then_all(from.wrapping_sub(layout.base()), &maps);
        if moved.only_swizzled() {
            return moved.checked_cosize().map_err(|_| Fault::Overflow);
        }
    }
    const MOST: usize = 1 << 24;
    if moving.size() > MOST {
        return Err(Fault::CosizeUndecided { most: MOST });
    }
    let largest = (0..moving.size()).map(|i| outer.map(moving.at_from(from, i))).max();
    largest.map_or(Some(0), |largest| largest.checked_add(1)).ok_or(Fault::Overflow)
}

/// A layout without a swizzle. Its offsets are counted from the least one on, since a composed
/// layout has none below 0.
///
/// Law: `C(c) = base(L) + L(c)`.
///
/// ```
/// use layout_algebra::prelude::*;
/// let backwards: DynLayout = "4:-1".parse()?;
/// assert_eq!(DynComposedLayout::from(backwards).to_string(), "Sw<0,0,0> o 3 o 4:-1");
/// # Ok::<(), LayoutError>(())
/// ```
impl From<DynLayout> for DynComposedLayout {
    fn from(layout: DynLayout) -> Self {
        ComposedLayout::const_new(DynSwizzle::IDENTITY, layout.base(), layout)
    }
}
/// Reads `swizzle "o" number "o" layout`.
impl FromStr for DynComposedLayout {
    type Err = LayoutError;

    fn from_str(text: &str) -> Result<Self, LayoutError> {
        whole(text, |reader| {
            let swizzle = reader.swizzle()?;
            reader.expect(b'o', "`o` and an offset")?;
            let offset = reader.number(usize::MAX)?;
            reader.expect(b'o', "`o` and a layout")?;
            let shape = reader.shape()?;
            let inner = reader.layout_of(&shape)?;
            let refuse = |fault, inner: &DynLayout| {
                LayoutError::new("compose_at", fault).with_operands(&offset, inner)
            };
            ComposedLayout::checked(swizzle, offset, inner.clone())
                .map_err(|fault| Unread::Layout(refuse(fault, &inner)))
        })
    }
}
impl Notation for DynLayout {
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
impl ToFlat for DynLayout {
    fn to_flat(&self) -> FlatLayout {
        expect(self.try_to_flat())
    }
    fn try_to_flat(&self) -> Result<FlatLayout, LayoutError> {
        // The analysis has swizzles for XOR.
        if self.has_xor_strides() {
            return self.swizzled()?.try_to_flat();
        }
        let refuse = |fault| Err(LayoutError::new("analyse", fault).with_operand(self));
        let mut modes = Modes::NONE;
        for mode in self.view().every() {
            let stride = match mode.stride {
                _ if modes.count == LEAVES => return refuse(Fault::Leaves { limit: LEAVES }),
                DynStride::Natural(stride) => stride,
                // It does not move, whatever its kind.
                _ if mode.extent < 2 => 0,
                _ => return refuse(Fault::NoNaturalStrides),
            };
            modes = modes.push(mode.extent, stride);
        }
        Ok(FlatLayout::strided(
            modes,
            self.view().modes().next().map_or(0, |mode| mode.shape.len()),
        ))
    }
}
impl<O, F: Number, L> ToDynamic for ComposedLayout<O, F, L>
where
    O: OffsetMap + ToDynamic<Dynamic: OffsetMap>,
    L: InnerLayout + ToDynamic<Dynamic = DynLayout>,
{
    type Dynamic = ComposedLayout<O::Dynamic, usize, DynLayout>;
    #[track_caller]
    fn to_dynamic(&self) -> Self::Dynamic {
        ComposedLayout::const_new(
            self.outer.to_dynamic(),
            self.offset.get(),
            self.inner.to_dynamic(),
        )
    }
}
impl ToDynamic for Unswizzled {
    type Dynamic = DynSwizzle;
    fn to_dynamic(&self) -> DynSwizzle {
        DynSwizzle::IDENTITY
    }
}
impl<A: OffsetMap + ToDynamic, B: OffsetMap + ToDynamic> ToDynamic for Chain<A, B>
where
    A::Dynamic: OffsetMap,
    B::Dynamic: OffsetMap,
{
    type Dynamic = Chain<A::Dynamic, B::Dynamic>;
    #[track_caller]
    fn to_dynamic(&self) -> Self::Dynamic {
        Chain::new(self.outer.to_dynamic(), self.inner.to_dynamic())
    }
}
#[doc(hidden)]
impl OffsetMap for DynLayout {
    fn map(&self, offset: usize) -> usize {
        self.index(offset)
    }
    fn maps(&self) -> Result<Maps, LayoutError> {
        Ok(alone(Map::Layout(self.try_to_flat()?.strided_alone()?.modes)))
    }
}

impl<C: IntoDynSlice> Slice<C> for DynComposedLayout {
    type Output = DynComposedLayout;
    fn try_sliced(layout: Self, coordinate: C) -> Result<(Self, usize), LayoutError> {
        layout.slice(&coordinate.into_dyn_slice())
    }
}
impl<C: IntoDynShape, W: IntoDynShape> Slice<Window<C, W>> for DynComposedLayout {
    type Output = DynComposedLayout;
    fn try_sliced(layout: Self, window: Window<C, W>) -> Result<(Self, usize), LayoutError> {
        layout.window(window.origin, window.shape)
    }
}

/// The operations of the table in `operations.rs` that apply to the inner layout and that it may
/// refuse: they return an error in place of a panic, as the methods of `DynLayout` do.
macro_rules! on_inner {
    // What has no right operand is never refused, and a method of all layouts; but for one.
    (() transpose $trait:ident $($row:tt)*) => {
        on_inner! { @ transpose() }
    };
    (() $($row:tt)*) => {};
    (
        ($kind:ident) $method:ident $trait:ident $alias:ident $sentence:tt $bound:tt $operand:tt ($outer:ident)
        $try_method:ident($right:ident) $docs:tt
    ) => {
        on_inner! { $kind $method $right }
    };
    (($kind:ident) $($row:tt)*) => {};
    (tile $method:ident $right:ident) => { on_inner! { @ $method($right: impl IntoDynTiler) } };
    (arranged $method:ident $right:ident) => { on_inner! { @ $method($right: impl IntoDynTiler) } };
    (tile_and_rest $method:ident $right:ident) => { on_inner! { @ $method($right: impl IntoDynTiler) } };
    (paired $method:ident $right:ident) => { on_inner! { @ $method($right: &DynLayout) } };
    (shape $method:ident $right:ident) => { on_inner! { @ $method($right: &DynShape) } };
    (profile $method:ident $right:ident) => { on_inner! { @ $method($right: &DynShape) } };
    (modes $method:ident $right:ident) => { on_inner! { @ $method($right: &[usize]) } };
    (@ $method:ident($($right:ident: $type:ty)?)) => {
        #[doc = concat!("[`", stringify!($method), "`](crate::LayoutAlgebra::", stringify!($method), ") of the inner")]
        /// layout, behind the same swizzle.
        ///
        /// # Errors
        #[doc = concat!("Those of [`DynLayout::", stringify!($method), "`],")]
        /// and an offset below 0 or beyond `usize`.
        pub fn $method(&self, $($right: $type)?) -> Result<Self, LayoutError> {
            let inner = self.inner.$method($($right)?)?;
            inner
                .stays_behind(self.offset, self.inner.xors())
                .and_then(|()| ComposedLayout::checked(self.outer, self.offset, inner))
                .map_err(|fault| LayoutError::new(stringify!($method), fault).with_operand(self))
        }
    };
}

impl DynComposedLayout {
    operations!(with_docs on_inner);

    /// The layout of the modes that `at` keeps, from the new offset on; the offset beside it is 0,
    /// or, where there are XOR strides, what the slice fixes of natural ones.
    ///
    /// Law: `R(x) + offset = C(c)`, where `c` is `at` with `x` in the place of `_`.
    /// [`plain`](Self::plain) tells whether the swizzle still counts.
    ///
    /// # Errors
    /// Those of [`DynLayout::slice`]; `overflow`; and a refusal if the offset is XORed with natural
    /// numbers below XOR strides, and no offset of what is kept.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// // 3 ^ 2 is 1, and no layout of one mode adds that to 3 ^ 0.
    /// let xored: DynComposedLayout = "Sw<1,0,1> o 3 o (2,2):(^1,2)".parse()?;
    /// assert!(xored.slice((0, ..)).is_err());
    /// let identity: DynComposedLayout = "Sw<0,0,0> o 3 o (2,2):(^1,2)".parse()?;
    /// assert!(identity.slice((.., 1)).is_err());
    ///
    /// let c: DynComposedLayout = "Sw<3,3,3> o 0 o (8,64):(64,1)".parse()?;
    /// let (row, _) = c.slice((3, ..))?;
    /// assert_eq!((row.to_string().as_str(), row.plain()), ("Sw<3,3,3> o 192 o 64:1", None));
    /// let chunks = c.zipped_divide(&"<1,8>".parse::<DynTiler>()?)?;
    /// let (chunk, _) = chunks.slice(&"(_,(3,2))".parse()?)?;
    /// // 8 halves in a row, swizzled as one
    /// assert_eq!(chunk.plain(), Some(("(1,8):(0,1)".parse()?, 200)));
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn slice(&self, at: impl SliceArgument) -> Result<(Self, usize), LayoutError> {
        let at = at.into_dyn_slice();
        let failed = |fault| LayoutError::new("slice", fault).with_operands(self, &at);
        slice(&self.inner, &at)
            .and_then(|(part, by)| self.part(part, by, self.inner.fixes_within(&at)))
            .map_err(failed)
    }

    /// The window of the inner layout, from the new offset on; the offset beside it is 0.
    ///
    /// Law: `W(c) + offset = C(origin + c)` for each `c` within `shape`.
    ///
    /// # Errors
    /// Those of [`DynLayout::window`]; `overflow`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let c: DynComposedLayout = "Sw<3,3,3> o 0 o (8,64):(64,1)".parse()?;
    /// let (window, _) = c.window((3, 8), (2, 16))?;
    /// assert_eq!(window.to_string(), "Sw<3,3,3> o 200 o (2,16):(64,1)");
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn window(
        &self,
        origin: impl IntoDynShape,
        shape: impl IntoDynShape,
    ) -> Result<(Self, usize), LayoutError> {
        let (origin, shape) = (origin.into(), shape.into());
        let failed = |fault| LayoutError::new("slice", fault).with_operands(self, &origin);
        let window = window(&self.inner, &origin, &shape);
        window.and_then(|(part, by)| self.part(part, by, true)).map_err(failed)
    }

    /// A part of the inner layout, the offset where it begins below the swizzle. Where the numbers
    /// that a slice fixes are not `within` their extents, sums may have any bit.
    fn part(&self, part: DynLayout, by: SliceOffset, within: bool) -> Result<(Self, usize), Fault> {
        if part.size() == 0 {
            return Ok((ComposedLayout::const_new(self.outer, 0, part), 0));
        }
        let (from, behind) = by.from(self.offset, self.inner.has_xor_strides())?;
        if behind != 0 && self.outer != DynSwizzle::IDENTITY {
            return Err(Fault::NoNaturalStrides);
        }
        part.stays_behind(from, self.inner.xors())?;
        // `offset ^ (d + n) = (offset ^ n) + d` if the offset shares no bit with natural numbers.
        let sums = if within { sum_bits(&self.inner.every_mode()) } else { u128::MAX };
        let shared = sums & self.offset as u128;
        if behind != 0 && shared != 0 {
            return Err(Fault::PartsOverlap { bit: shared.trailing_zeros() });
        }
        Ok((ComposedLayout::checked(self.outer, from, part)?, behind))
    }

    /// A factor passes through XOR strides unchanged only if no natural offset is XORed with them.
    fn begins_at_natural_offset(&self) -> Result<(), Fault> {
        let is_natural = self.offset == 0 || !self.inner.has_xor_strides();
        is_natural.then_some(()).ok_or(Fault::NoNaturalStrides)
    }

    /// The inner layout and an offset, if the swizzle cannot be touched: `C(c) = offset + L(c)`.
    ///
    /// That is so where the modes are multiples of what lies above the swizzle, and what the others
    /// reach stays within the bits below it.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let c: DynComposedLayout = "Sw<3,3,3> o 72 o (8,2):(1,4096)".parse()?;
    /// assert_eq!(c.plain(), Some(("(8,2):(1,4096)".parse()?, 64)));
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn plain(&self) -> Option<(DynLayout, usize)> {
        if !self.inner.has_natural_strides() {
            return None;
        }
        let (bottom, top) = (self.outer.bottom(), self.outer.top());
        let unit = 1usize.checked_shl(bottom).unwrap_or(0);
        let above = |stride: usize| top < usize::BITS && stride % (1 << top) == 0;
        let low = self.inner.view().flat().filter(|mode| mode.extent > 1 && !above(mode.stride));
        let reach = low.fold(0, |sum, mode| sum + (mode.extent - 1) * mode.stride);
        let untouched = reach == 0 || unit == 0 || (self.offset % unit).checked_add(reach)? < unit;
        untouched.then(|| (self.inner.clone(), self.outer.apply(self.offset)))
    }

    /// The layout in units of `unit` elements. Law: the offsets are those of `floor(C(i) / unit)`.
    /// CuTe: `upcast`.
    ///
    /// # Errors
    /// Those of [`DynLayout::upcast`] and [`DynSwizzle::upcast`]; `divisibility` if `unit` does not
    /// divide the offset.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let bytes: DynComposedLayout = "Sw<3,4,3> o 0 o (8,128):(128,1)".parse()?;
    /// assert_eq!(bytes.upcast(2)?.to_string(), "Sw<3,3,3> o 0 o (8,64):(64,1)");
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn upcast(&self, unit: usize) -> Result<Self, LayoutError> {
        self.cast("upcast", self.inner.upcast(unit), unit, 1, &unit)
    }

    /// The layout in units of a `parts`-th of an element. CuTe: `downcast`.
    ///
    /// # Errors
    /// Those of [`DynLayout::downcast`] and [`DynSwizzle::downcast`]; `overflow`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let halves: DynComposedLayout = "Sw<3,3,3> o 8 o (8,64):(64,1)".parse()?;
    /// assert_eq!(halves.downcast(2)?.to_string(), "Sw<3,4,3> o 16 o (8,128):(128,1)");
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn downcast(&self, parts: usize) -> Result<Self, LayoutError> {
        self.cast("downcast", self.inner.downcast(parts), 1, parts, &parts)
    }

    /// The layout of elements of size `from` seen as elements of size `to`. CuTe: `recast_layout`.
    ///
    /// # Errors
    /// Those of [`upcast`](Self::upcast) and [`downcast`](Self::downcast), the one by `to / g` and
    /// then the other by `from / g`, `g = gcd(from, to)`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let bits: DynComposedLayout = "Sw<3,7,3> o 0 o (8,1024):(1024,1)".parse()?;
    /// assert_eq!(bits.recast(1, 16)?.to_string(), "Sw<3,3,3> o 0 o (8,64):(64,1)");
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn recast(&self, from: usize, to: usize) -> Result<Self, LayoutError> {
        let common = gcd(from, to).max(1);
        self.cast(
            "recast",
            self.inner.recast(from, to),
            to / common,
            from / common,
            &format_args!("{from} to {to}"),
        )
    }

    /// The cast inner layout behind the other two parts in units of `units` elements, and then in
    /// `parts` parts of these. What the inner layout is refused for comes first, as in the types.
    fn cast(
        &self,
        operation: &'static str,
        inner: Result<DynLayout, LayoutError>,
        units: usize,
        parts: usize,
        by: &impl fmt::Display,
    ) -> Result<Self, LayoutError> {
        let cast = || {
            self.begins_at_natural_offset()?;
            let inner = inner.map_err(|error| error.fault())?;
            let outer = self
                .outer
                .upcast(units)
                .and_then(|outer| outer.downcast(parts))
                .map_err(|error| error.fault())?;
            if self.offset % units != 0 {
                return Err(Fault::OffsetUnit { offset: self.offset, unit: units });
            }
            let offset = (self.offset / units).checked_mul(parts).ok_or(Fault::Overflow)?;
            ComposedLayout::checked(outer, offset, inner)
        };
        cast().map_err(|fault| LayoutError::new(operation, fault).with_operands(self, by))
    }

    fn begins_at_zero(&self, operation: &'static str) -> Result<(), LayoutError> {
        match self.offset {
            0 => Ok(()),
            offset => {
                Err(LayoutError::new(operation, Fault::SwizzleOffset { offset }).with_operand(self))
            }
        }
    }

    /// Law: `C(R(i)) = i` for `i < size(R)`. CuTe: `right_inverse`.
    ///
    /// # Errors
    /// `divisibility` if the layout does not begin at offset 0, or the swizzle leads out of the
    /// domain of the inner inverse.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let c: DynComposedLayout = "Sw<2,0,2> o 0 o (4,4):(4,1)".parse()?;
    /// let r = c.right_inverse()?;
    /// assert!((0..16).all(|i| c.at(r.at(i)) == i));
    /// assert_eq!(r.to_string(), "(4,4):(4,1) o Sw<2,0,2> o 0 o 16:1");
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn right_inverse(&self) -> Result<Inverse, LayoutError> {
        self.begins_at_zero("right_inverse")?;
        let inverse = self.inner.right_inverse();
        keeps(&self.outer.maps()?, inverse.size())
            .map_err(|fault| LayoutError::new("right_inverse", fault).with_operand(self))?;
        Ok(self.under(inverse))
    }

    /// Law: `R(C(i)) = i` where `C` is injective, and `C(R(C(i))) = C(i)` everywhere. CuTe:
    /// `left_inverse`.
    ///
    /// # Errors
    /// Those of [`DynLayout::left_inverse`]; `divisibility` if the layout does not begin at offset
    /// 0.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let c: DynComposedLayout = "Sw<2,0,2> o 0 o (4,3):(4,1)".parse()?;
    /// let r = c.left_inverse()?;
    /// assert!((0..12).all(|i| r.at(c.at(i)) == i));
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn left_inverse(&self) -> Result<Inverse, LayoutError> {
        self.begins_at_zero("left_inverse")?;
        Ok(self.under(self.inner.left_inverse()?))
    }

    fn under(&self, inverse: DynLayout) -> Inverse {
        let size = DynShape::from(inverse.size());
        let numbers = DynLayout::left(&size);
        ComposedLayout::const_new(Chain::new(inverse, self.outer), 0, numbers)
    }

    /// What the plain layout `left` makes of this one.
    ///
    /// Law: `R(c) = left(C(c))`. CuTe: `composition(layout, composed)`.
    ///
    /// # Errors
    /// Those of [`DynLayout::compose`]; `carry` if `left` does not take the bits of the swizzle to
    /// bits that a swizzle can swizzle; `divisibility` if the offset counts; `overflow` where the
    /// cosize of this layout is not found.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let c: DynComposedLayout = "Sw<2,0,2> o 0 o (4,4):(4,1)".parse()?;
    /// let wide = c.composed_under(&"16:8".parse()?)?;
    /// assert_eq!(wide.to_string(), "Sw<2,3,2> o 0 o (4,4):(32,8)");
    /// let swapped = c.composed_under(&"(4,4):(4,1)".parse()?)?;
    /// assert_eq!(swapped.to_string(), "Sw<2,0,-2> o 0 o (4,4):(1,4)");
    /// assert!(c.composed_under(&"16:3".parse()?).is_err());
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn composed_under(&self, left: &DynLayout) -> Result<Self, LayoutError> {
        let refuse = |fault| LayoutError::new("compose", fault).with_operands(left, self);
        let inner = left.compose(&self.inner)?;
        self.begins_at_natural_offset().map_err(refuse)?;
        if left.size() == 0 {
            return Err(refuse(Fault::NoIndex));
        }
        // The last mode continues behind the end of a layout; a mode of extent 1 does so with its
        // own stride.
        let cosize = checked_cosize(&self.inner, &self.outer, self.offset).map_err(refuse)?;
        let reached = cosize.max(self.offset.saturating_add(self.inner.cosize()));
        if left.shape.last() == Some(&1) && reached > left.size() {
            return Err(refuse(Fault::SwizzleBits));
        }
        // An offset goes through a single mode alone, and not through XOR.
        if self.offset != 0 && (left.has_xor_strides() || left.coalesce().rank() != 1) {
            return Err(refuse(Fault::SwizzleOffset { offset: self.offset }));
        }
        let outer = self.carried(left, cosize).ok_or_else(|| refuse(Fault::SwizzleBits))?;
        let offset = if self.offset == 0 { 0 } else { left.try_index(self.offset)? };
        ComposedLayout::checked(outer, offset, inner).map_err(refuse)
    }

    /// The swizzle `Sw'` with `left(Sw(x)) = Sw'(left(x))` for all offsets `x` of this layout, if
    /// there is one: every mode of `left` takes bits to bits, no two to the same.
    fn carried(&self, left: &DynLayout, cosize: usize) -> Option<DynSwizzle> {
        if self.outer.top() == 0 {
            return Some(DynSwizzle::IDENTITY);
        }
        if !left.has_natural_strides() {
            return None;
        }
        let coalesced = left.coalesce();
        let (_, extents) = coalesced.shape.split_last()?;
        let is_power = |number: &usize| number.is_power_of_two();
        let powers = extents.iter().chain(coalesced.stride().leaves()).all(is_power);
        let bits = (usize::BITS - cosize.saturating_sub(1).leading_zeros()).max(self.outer.top());
        let mut images = 0usize;
        for bit in 0..bits {
            let image = coalesced.try_index(1usize << bit).ok();
            images |= image.filter(|image| powers && image & images == 0)?;
        }
        let (count, base, shift) = self.outer.parameters();
        let distance = shift.unsigned_abs();
        let place = |bit: u32| coalesced.index(1usize << bit).trailing_zeros();
        let (read, changed) =
            if shift > 0 { (base + distance, base) } else { (base, base + distance) };
        let apart = place(read) as i32 - place(changed) as i32;
        let together = (1..count).all(|k| {
            place(read + k) == place(read) + k && place(changed + k) == place(changed) + k
        });
        let base = place(read).min(place(changed));
        if together { DynSwizzle::new(count, base, apart).ok() } else { None }
    }
}
