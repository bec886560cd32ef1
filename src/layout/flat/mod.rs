//! A layout as plain data, for const functions: const evaluation cannot call traits, but can
//! compute with data.
//!
//! ```text
//! L(i) = map_n(.. map_1(offset + sum digit_k(i) * stride_k))
//!         the maps: swizzles, or layouts read as functions
//! ```
//!
//! The modes themselves are in `modes`, the search for the largest offset in `largest`, and `bits`
//! is for layouts that are linear in the bits of their coordinates.

use core::fmt;

use crate::error::{Fault, LayoutError};
use crate::pad::pad;
use crate::swizzle::DynSwizzle;
use crate::tuple::node::{Kind, Node};

mod message;
mod modes;

mod largest;

mod bits;

pub(crate) use bits::CoordinateBits;
pub(crate) use message::Message;
pub(crate) use modes::{LEAVES, Modes, multiple_added, sum};

/// The most maps one after the other.
pub(crate) const MAPS: usize = 3;

/// A map of offsets.
#[derive(Clone, Copy)]
#[allow(clippy::large_enum_variant, reason = "const evaluation has no heap")]
pub enum Map {
    /// Swizzles the bits of the offset.
    Swizzle(DynSwizzle),
    /// Reads the offset as the number of a coordinate of a layout.
    Layout(Modes),
}

/// The maps that an offset goes through, from first to last; the first `None` ends the list.
pub type Maps = [Option<Map>; MAPS];

/// The maps `first`, and then the maps `then`.
#[track_caller]
pub(crate) const fn chained(then: &Maps, first: &Maps) -> Maps {
    let (mut maps, mut count, mut k) = (*first, 0, 0);
    while count < MAPS && maps[count].is_some() {
        count += 1;
    }
    while k < MAPS && then[k].is_some() {
        assert!(count < MAPS, "more than three functions of offsets one after the other");
        maps[count] = then[k];
        (count, k) = (count + 1, k + 1);
    }
    maps
}

/// Whether each swizzle maps `[0, size)` onto itself: `None` if so, else a number that would have
/// to divide the size.
pub(crate) const fn maps_keep(maps: &Maps, size: usize) -> Option<usize> {
    let mut k = 0;
    while k < MAPS {
        if let Some(Map::Swizzle(swizzle)) = &maps[k] {
            if let Some(block) = swizzle.block_beyond(size) {
                return Some(block);
            }
        }
        k += 1;
    }
    None
}

/// A layout of at most 32 leaves as plain data, for the functions of [`analysis`](crate::analysis):
/// each is const for a static layout, and the same at run time for any other one.
///
/// `FlatLayout::of(&l).at(i) == l.at(i)`
///
/// ```
/// use layout_algebra::prelude::*;
/// const A: FlatLayout = FlatLayout::of_type::<Layout!((4, 6):(1, 4))>();
/// const _: () = assert!(A.at(7) == 7 && A.size() == 24 && A.cosize() == 24);
/// let n = 10;
/// assert_eq!(FlatLayout::of(&layout!((4, n):(n, 1))).at(5), 11);
/// ```
#[derive(Clone, Copy)]
pub struct FlatLayout {
    pub(crate) modes: Modes,
    /// Leaves of the first mode.
    pub(crate) lead: usize,
    pub(crate) offset: usize,
    maps: Maps,
}

/// The leaves, and the maps of their offsets.
///
/// ```
/// use layout_algebra::prelude::*;
/// let tile = ComposedLayout::new(Swizzle::<2, 0, 2>::new(), 3, layout!((4, (2, 2))));
/// assert_eq!(FlatLayout::of(&tile).to_string(), "Sw<2,0,2> o 3 o (4,2,2):(1,4,8)");
/// assert_eq!(format!("{:?}", FlatLayout::of(&layout!((4, 6)))), "(4,6):(1,4)");
/// ```
impl fmt::Display for FlatLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        pad(f, &|f| {
            for map in self.maps.iter().rev().flatten() {
                match map {
                    Map::Swizzle(swizzle) => write!(f, "{swizzle} o ")?,
                    Map::Layout(modes) => write!(f, "{modes} o ")?,
                }
            }
            if self.maps[0].is_some() {
                write!(f, "{} o ", self.offset)?;
            }
            write!(f, "{}", self.modes)
        })
    }
}
debug_as_display! { [] FlatLayout; }

impl FlatLayout {
    /// A strided layout; its first mode has `lead` leaves.
    pub(crate) const fn strided(modes: Modes, lead: usize) -> Self {
        FlatLayout { modes, lead, offset: 0, maps: [None; MAPS] }
    }

    /// A static strided layout.
    pub(crate) const fn of_types<S: Node, D: Node>() -> Self {
        let modes = Modes::NONE.of_types::<S, D>();
        let lead = match S::KIND {
            Kind::Cons => Modes::NONE.of_types::<S::Head, D::Head>().count,
            _ => modes.count,
        };
        FlatLayout::strided(modes, lead)
    }

    /// The layout, if no swizzle follows the modes.
    pub(crate) fn strided_alone(self) -> Result<Self, LayoutError> {
        let refused = LayoutError::new("analyse", Fault::NoNaturalStrides);
        if self.maps[0].is_none() { Ok(self) } else { Err(refused) }
    }

    /// `maps(offset + L)`
    #[must_use]
    #[track_caller]
    pub(crate) const fn then_all(mut self, offset: usize, maps: &Maps) -> Self {
        assert!(self.maps[0].is_none(), "the inner layout of a composed one is a plain one");
        self.offset = offset;
        self.maps = *maps;
        self
    }

    /// The data of any layout.
    ///
    /// # Panics
    /// If it has more than 32 leaves; of a `DynLayout`, if strides are negative, or XOR strides
    /// that no swizzle makes.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let n = 6;
    /// assert_eq!(FlatLayout::of(&layout!((4, n):(1, 8))).cosize(), 44);
    /// let linear: DynLayout = "(8,8):(^1,^9)".parse()?;
    /// assert_eq!(FlatLayout::of(&linear).at(9), 8); // `Sw<3,0,3> o 0 o (8,8):(1,8)`
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[track_caller]
    pub fn of(layout: &impl ToFlat) -> Self {
        layout.to_flat()
    }

    /// [`of`](Self::of), with an error for a `DynLayout` that has no such data, swizzled or not.
    ///
    /// # Errors
    /// `stride` if a stride is negative, `carry` of XOR strides that no swizzle makes, `rank` of
    /// more than 32 leaves.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let backwards: DynLayout = "4:-1".parse()?;
    /// assert_eq!(FlatLayout::try_of(&backwards).unwrap_err().kind().as_str(), "stride");
    /// assert_eq!(FlatLayout::try_of(&layout!(4:1))?.cosize(), 4);
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn try_of(layout: &impl ToFlat) -> Result<Self, LayoutError> {
        layout.try_to_flat()
    }

    /// The number of coordinates.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(FlatLayout::of(&layout!((4, 6):(1, 8))).size(), 24);
    /// ```
    #[track_caller]
    pub const fn size(&self) -> usize {
        self.modes.size_of(0, self.modes.count)
    }

    /// The size of the first mode: how many threads a thread-value layout has.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(FlatLayout::of(&layout!(((4, 8), 2))).threads(), 32);
    /// ```
    #[track_caller]
    pub const fn threads(&self) -> usize {
        self.modes.size_of(0, self.lead)
    }

    /// The size of all modes but the first: how many values each thread has; 1 where there is one
    /// mode.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(FlatLayout::of(&layout!(((4, 8), 2))).values(), 2);
    /// ```
    #[track_caller]
    pub const fn values(&self) -> usize {
        self.modes.size_of(self.lead, self.modes.count)
    }

    /// The offset to which the maps take an inner offset.
    #[track_caller]
    pub(crate) const fn map(&self, mut offset: usize) -> usize {
        let mut k = 0;
        while k < MAPS {
            offset = match &self.maps[k] {
                Some(Map::Swizzle(swizzle)) => swizzle.apply(offset),
                Some(Map::Layout(modes)) => modes.offset(0, modes.count, offset),
                None => return offset,
            };
            k += 1;
        }
        offset
    }

    /// The offset of the `i`-th coordinate. The last mode has no end.
    ///
    /// # Panics
    /// If the layout is empty, or the offset is beyond `usize`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(FlatLayout::of(&layout!((4, 6):(6, 1))).at(5), 7);
    /// ```
    #[track_caller]
    pub const fn at(&self, i: usize) -> usize {
        self.map(sum(self.offset, self.modes.offset(0, self.modes.count, i)))
    }

    /// The offset of value `value` of thread `thread`: the coordinate of rank 2 of a thread-value
    /// layout.
    ///
    /// # Panics
    /// If the layout is empty, or the offset is beyond `usize`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(FlatLayout::of(&layout!((4, 6):(6, 1))).of_thread(1, 5), 11);
    /// ```
    #[track_caller]
    pub const fn of_thread(&self, thread: usize, value: usize) -> usize {
        self.map(sum(sum(self.offset, self.thread_part(thread)), self.value_part(value)))
    }

    /// What a thread adds to the inner offset.
    #[track_caller]
    pub(crate) const fn thread_part(&self, thread: usize) -> usize {
        self.modes.offset(0, self.lead, thread)
    }

    /// What a value adds to the inner offset.
    #[track_caller]
    pub(crate) const fn value_part(&self, value: usize) -> usize {
        self.modes.offset(self.lead, self.modes.count, value)
    }

    /// Whether there are no maps.
    pub(crate) const fn is_plain(&self) -> bool {
        self.maps[0].is_none()
    }

    /// Whether all maps are swizzles, and so bijections.
    pub(crate) const fn only_swizzled(&self) -> bool {
        let mut k = 0;
        while k < MAPS {
            if let Some(Map::Layout(_)) = self.maps[k] {
                return false;
            }
            k += 1;
        }
        true
    }

    /// One past the largest offset, 0 for an empty layout. Exact: the swizzle and the offset count.
    ///
    /// Swizzled layouts are searched by intervals of offsets, without those that cannot hold the
    /// largest offset. If one of the maps is a layout, the search is a linear scan over all
    /// coordinates.
    ///
    /// # Panics
    /// If it is beyond `usize`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let l = Swizzle::<1, 0, 1>::new().compose(layout!(2:2)); // 0 and 2 become 0 and 3
    /// assert_eq!(FlatLayout::of(&l).cosize(), 4);
    /// ```
    #[track_caller]
    pub const fn cosize(&self) -> usize {
        match self.checked_cosize() {
            Ok(cosize) => cosize,
            Err(cosize) => beyond_usize(cosize),
        }
    }

    /// The cosize, or a number beyond `usize` that it is at least.
    #[track_caller]
    pub(crate) const fn checked_cosize(&self) -> Result<usize, u128> {
        let size = self.size();
        if size == 0 {
            return Ok(0);
        }
        let largest =
            if self.only_swizzled() { self.largest() } else { Ok(self.largest_of_all(size)) };
        match largest {
            Ok(usize::MAX) => Err(usize::MAX as u128 + 1),
            Ok(largest) => Ok(largest + 1),
            Err(cosize) => Err(cosize),
        }
    }

    #[track_caller]
    const fn largest_of_all(&self, size: usize) -> usize {
        let (mut largest, mut i) = (0, 0);
        while i < size {
            let offset = self.at(i);
            if offset > largest {
                largest = offset;
            }
            i += 1;
        }
        largest
    }
}

/// Says that a cosize, which is at least `cosize`, is beyond `usize`.
#[cold]
#[track_caller]
const fn beyond_usize(cosize: u128) -> ! {
    let message = Message::new()
        .text("overflow: the cosize of a layout is ")
        .wide(cosize)
        .text(" or more, and the largest number is ")
        .number(usize::MAX);
    panic!("{}", message.as_str());
}

/// A layout that can be read as a [`FlatLayout`].
///
/// ```
/// use layout_algebra::prelude::*;
/// fn offsets(layout: &impl ToFlat) -> usize {
///     FlatLayout::of(layout).cosize()
/// }
/// assert_eq!(
///     (offsets(&layout!((4, 6):(1, 10))), offsets(&"(4,6):(1,10)".parse::<DynLayout>()?)),
///     (54, 54)
/// );
/// # Ok::<(), LayoutError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "this is not a layout that can be analysed",
    label = "`{Self}`: neither strided, nor swizzled, nor a `DynLayout`",
    note = "a layout is written `layout!((4, 6))`"
)]
pub trait ToFlat {
    #[doc(hidden)]
    #[track_caller]
    fn to_flat(&self) -> FlatLayout;
    #[doc(hidden)]
    fn try_to_flat(&self) -> Result<FlatLayout, LayoutError> {
        Ok(self.to_flat())
    }
}
