//! Memory under a layout: the one place where elements are reached through pointers. CuTe's engines.
//!
//! ```text
//! element at c  =  base + layout(c)            what makes it sound: layout(c) < span(layout) <= length
//! ```
//!
//! Two kinds of storage differ in what they may touch. A [`Contiguous`] one owns or borrows all of `0 .. length`, and takes any
//! layout that ends there. A tile ([`Tile`], [`TileMut`]) may touch the offsets of its layout and no others, since the elements in
//! between belong to other tiles; it takes no layout but one with the same image.

use core::marker::PhantomData;

use generic_array::{ArrayLength, GenericArray};

use crate::coord::Coordinates;
use crate::error::Fault;
use crate::int_tuple::IntTuple;
use crate::layout::{CoordinateOf, Layout};
use crate::profile::WeaklyCongruent;
use crate::slice::Slice;
use crate::strided::StridedLayout;
use crate::tensor::bounds::{self, Modes};
use crate::tensor::fixes::FixesWithin;
use crate::tuple::Nested;

// ---- what the layout promises -------------------------------------------------------------------------------------

/// A layout whose offsets are places in memory: it says how far it reaches, and which coordinates it has.
///
/// # Safety
/// Where `span()` is `Some(n)`, the following hold, now and for every clone: each `at(i)` with `i < size()`, each `locate(c)` with
/// `holds(&c)` and each `locate` of an item of `coords()` is below `n`; `size()` does not overflow; `modes()` and `MODES` hold every mode.
pub unsafe trait Addressable: Layout<Offset = usize, Coordinate: PartialEq> {
    /// All modes, where they are known at compile time.
    #[doc(hidden)]
    const MODES: Option<Modes> = None;
    /// [`span`](Addressable::span), where it is known at compile time.
    #[doc(hidden)]
    const SPAN: Option<usize> = None;
    /// All modes.
    #[doc(hidden)]
    fn modes(&self) -> Modes;
    /// One past the largest offset, 0 for an empty layout, `None` if that or the size leaves `usize`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let n = usize::MAX;
    /// assert_eq!(layout!((4, 6):(1, 4)).span(), Some(24));
    /// assert_eq!(layout!((4, n):(1, 4)).span(), None);
    /// ```
    fn span(&self) -> Option<usize>;
    /// Whether the coordinate is one of the layout's own.
    fn holds(&self, coordinate: &Self::Coordinate) -> bool;
    /// The shape as a coordinate: one past the last one in each mode.
    fn extents(&self) -> Self::Coordinate;
}

// SAFETY: `span` is 1 + sum (s-1)*d, or `None` on overflow of it or of the size. A coordinate with every number below its extent has
// the offset sum c*d <= sum (s-1)*d. `at(i)` splits `i < size` into such a coordinate, and `coords` counts through those. The leaves
// are numbers of this crate (`Number` is sealed), and what a tuple says of itself never changes.
unsafe impl<S: IntTuple<Dynamic: PartialEq>, D: IntTuple> Addressable for StridedLayout<S, D>
where
    Self: Layout<Offset = usize, Coordinate = S::Dynamic, Coordinates = Coordinates<S>, Shape = S, Stride = D>,
{
    const MODES: Option<Modes> = bounds::static_modes::<S::Node, D::Node>();
    const SPAN: Option<usize> = bounds::static_span::<S::Node, D::Node>();
    #[inline]
    fn modes(&self) -> Modes {
        let mut modes = Modes::new();
        bounds::collect(self.shape().node(), self.stride().node(), &mut modes);
        modes
    }
    #[inline(always)]
    fn span(&self) -> Option<usize> {
        match Self::SPAN {
            Some(span) => Some(span),
            None => bounds::span(self.shape().node(), self.stride().node()),
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

/// `C: CoordinateIn<L>`: a coordinate of the layout `L` of which can be said whether it lies within the shape.
///
/// # Safety
/// If `within(layout)`, then `offset_in(layout)` is the offset of one of the layout's coordinates: below its span.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a coordinate of this tensor",
    label = "neither a number nor a tuple that matches the shape",
    note = "a coordinate has the nesting of the shape, or a coarser one"
)]
pub unsafe trait CoordinateIn<L: Layout>: CoordinateOf<L> + Copy {
    /// Whether every number of the coordinate is below the extent that it counts in.
    fn within(self, layout: &L) -> bool;
}

// SAFETY: a number below the size of the tree that it counts in is split into a coordinate of that tree; see `Addressable`.
unsafe impl<S: IntTuple, D: IntTuple, C> CoordinateIn<StridedLayout<S, D>> for C
where
    C: IntTuple + WeaklyCongruent<S> + CoordinateOf<StridedLayout<S, D>>,
{
    #[inline(always)]
    fn within(self, layout: &StridedLayout<S, D>) -> bool {
        bounds::within(self.node(), layout.shape().node())
    }
}

/// `C: SliceIn<L>`: a coordinate with `..` that slices the layout `L`, and of which can be said whether it lies within the shape.
///
/// # Safety
/// If `within(layout)`, then the offsets of the sliced layout, moved by the slice's offset, are offsets of `layout`; and slices that differ
/// in what they fix share no coordinate of `layout`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not slice this tensor",
    label = "neither a coordinate of the tensor nor one with `..` for the modes to keep",
    note = "a slice has the nesting of the shape, or a coarser one: `t.slice((1, ..))`"
)]
pub unsafe trait SliceIn<L>: Copy {
    /// Whether every number that the slice fixes is below the extent that it counts in.
    fn within(self, layout: &L) -> bool;
}

// SAFETY: the slice's coordinates are those of `layout` with the fixed numbers in place, `R(x) + o == L(c with x in the place of ..)`,
// and the fixed numbers are within the shape.
unsafe impl<S: IntTuple, D: IntTuple, C> SliceIn<StridedLayout<S, D>> for C
where
    StridedLayout<S, D>: Slice<C>,
    C: Nested<Node: FixesWithin<S::Node>> + Copy,
{
    #[inline(always)]
    fn within(self, layout: &StridedLayout<S, D>) -> bool {
        self.node().fixes_within(layout.shape().node())
    }
}

// ---- what the memory promises -------------------------------------------------------------------------------------

/// Memory that holds the elements of a tensor.
///
/// # Safety
/// `base()` always gives the same place, and in a tensor whose layout the storage has accepted, what it points at may be read
/// at every offset of that layout while the storage is borrowed.
pub unsafe trait Storage {
    /// The element.
    type Item;
    /// A shared view of it.
    type View<'a>: Storage<Item = Self::Item> + Copy
    where
        Self: 'a;
    /// Where offset 0 lies.
    fn base(&self) -> *const Self::Item;
    /// A view from `offset` on, for a layout of the span `span`.
    ///
    /// # Safety
    /// Moved by `offset`, the offsets of the view's layout are among those of this storage's, and end before `offset + span`.
    unsafe fn view(&self, offset: usize, span: usize) -> Self::View<'_>;
    /// Ok if the storage, under the layout `from` or under none as yet, may come under the layout `to`.
    fn accepts<L: Addressable, M: Addressable>(&self, from: Option<&L>, to: &M) -> Result<(), Fault>;
}

/// Memory whose elements may be changed.
///
/// # Safety
/// As [`Storage`], for writing, while the storage is borrowed mutably; no other path leads to the elements meanwhile.
pub unsafe trait StorageMut: Storage {
    /// A mutable view of it.
    type ViewMut<'a>: StorageMut<Item = Self::Item>
    where
        Self: 'a;
    /// Where offset 0 lies: the same place as `base()`.
    fn base_mut(&mut self) -> *mut Self::Item;
    /// A mutable view from `offset` on, for a layout of the span `span`.
    ///
    /// # Safety
    /// As [`view`](Storage::view).
    unsafe fn view_mut(&mut self, offset: usize, span: usize) -> Self::ViewMut<'_>;
}

/// Memory without gaps, from offset 0 to its length, all of which belongs to the tensor: what a tensor is made on.
///
/// # Safety
/// All of `0 .. length()` is there, and the length does not change.
pub unsafe trait Contiguous: Storage {
    /// The length, where it is part of the type.
    const LENGTH: Option<usize> = None;
    /// The number of elements.
    fn length(&self) -> usize;
}

/// What `Contiguous` storage accepts: any layout that ends within it.
#[inline(always)]
fn ends_within<M: Addressable>(length: usize, to: &M) -> Result<(), Fault> {
    match to.span() {
        Some(span) if span <= length => Ok(()),
        Some(cosize) => Err(Fault::Storage { cosize, length }),
        None => Err(Fault::Overflow),
    }
}

/// Storage that derefs to a slice.
macro_rules! slices {
    ($([$($generic:tt)*] $type:ty, $item:ty, $length:expr, $shared:tt;)*) => {
        $(
            // SAFETY: the slice lies still while the storage is borrowed, and is all there.
            unsafe impl<$($generic)*> Storage for $type {
                type Item = $item;
                type View<'view> = &'view [$item] where Self: 'view;
                #[inline(always)]
                fn base(&self) -> *const $item {
                    self.as_ptr()
                }
                #[inline(always)]
                unsafe fn view(&self, offset: usize, span: usize) -> &[$item] {
                    // SAFETY: the caller says that `offset + span` ends within the slice, or that `span` is 0.
                    unsafe { core::slice::from_raw_parts(self.base().wrapping_add(offset), span) }
                }
                #[inline(always)]
                fn accepts<L: Addressable, M: Addressable>(&self, _: Option<&L>, to: &M) -> Result<(), Fault> {
                    ends_within(self.len(), to)
                }
            }
            // SAFETY: a slice has no gaps, and its length stays while it is in the tensor, which lends it out to nobody.
            unsafe impl<$($generic)*> Contiguous for $type {
                const LENGTH: Option<usize> = $length;
                #[inline(always)]
                fn length(&self) -> usize {
                    self.len()
                }
            }
            slices!($shared [$($generic)*] $type, $item);
        )*
    };
    (shared [$($generic:tt)*] $type:ty, $item:ty) => {};
    (mutable [$($generic:tt)*] $type:ty, $item:ty) => {
        // SAFETY: the slice is owned or borrowed mutably, so that a mutable borrow of the storage is the only way to it.
        unsafe impl<$($generic)*> StorageMut for $type {
            type ViewMut<'view> = &'view mut [$item] where Self: 'view;
            #[inline(always)]
            fn base_mut(&mut self) -> *mut $item {
                self.as_mut_ptr()
            }
            #[inline(always)]
            unsafe fn view_mut(&mut self, offset: usize, span: usize) -> &mut [$item] {
                // SAFETY: the caller says that `offset + span` ends within the slice, or that `span` is 0.
                unsafe { core::slice::from_raw_parts_mut(self.base_mut().wrapping_add(offset), span) }
            }
        }
    };
}
slices! {
    ['a, T] &'a [T], T, None, shared;
    ['a, T] &'a mut [T], T, None, mutable;
    ['a, T, const N: usize] &'a [T; N], T, Some(N), shared;
    ['a, T, const N: usize] &'a mut [T; N], T, Some(N), mutable;
    [T, const N: usize] [T; N], T, Some(N), mutable;
    [T, N: ArrayLength] GenericArray<T, N>, T, Some(N::USIZE), mutable;
}
#[cfg(feature = "alloc")]
slices! { [T] alloc::vec::Vec<T>, T, None, mutable; }

// ---- tiles --------------------------------------------------------------------------------------------------------

/// The elements that one layout reaches from a place on, shared: the storage of a view of a [`TileMut`].
#[derive(Debug)]
pub struct Tile<'a, T>(*const T, PhantomData<&'a T>);
/// The elements that one layout reaches from a place on, and none in between, borrowed mutably.
#[derive(Debug)]
pub struct TileMut<'a, T>(*mut T, PhantomData<&'a mut T>);

// SAFETY: a `Tile` is as good as `&'a T` for each of its elements.
unsafe impl<T: Sync> Send for Tile<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for Tile<'_, T> {}
// SAFETY: a `TileMut` is as good as `&'a mut T` for each of its elements.
unsafe impl<T: Send> Send for TileMut<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for TileMut<'_, T> {}

impl<T> Clone for Tile<'_, T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Tile<'_, T> {}

impl<'a, T> TileMut<'a, T> {
    /// The elements that a layout reaches from `base` on.
    ///
    /// # Safety
    /// For `'a` each of them may be read and written, and no other path leads to it.
    #[inline(always)]
    pub unsafe fn new(base: *mut T) -> Self {
        TileMut(base, PhantomData)
    }
}

/// What a tile accepts: a layout with the image of the one before.
#[inline(always)]
fn keeps_image<L: Addressable, M: Addressable>(from: Option<&L>, to: &M) -> Result<(), Fault> {
    let same = match (from, L::MODES, M::MODES) {
        (Some(_), Some(_), Some(_)) => const {
            match (L::MODES, M::MODES) {
                (Some(from), Some(to)) => from.same_image(&to),
                _ => false,
            }
        },
        (Some(from), ..) => from.modes().same_image(&to.modes()),
        (None, ..) => false,
    };
    if same && to.span().is_some() { Ok(()) } else { Err(Fault::Image) }
}

macro_rules! tiles {
    ($($type:ident)*) => {
        $(
            // SAFETY: whoever made the tile says that every offset of its layout may be read; a new layout has the same offsets.
            unsafe impl<T> Storage for $type<'_, T> {
                type Item = T;
                type View<'view> = Tile<'view, T> where Self: 'view;
                #[inline(always)]
                fn base(&self) -> *const T {
                    self.0
                }
                #[inline(always)]
                unsafe fn view(&self, offset: usize, _: usize) -> Tile<'_, T> {
                    Tile(self.0.wrapping_add(offset), PhantomData)
                }
                #[inline(always)]
                fn accepts<L: Addressable, M: Addressable>(&self, from: Option<&L>, to: &M) -> Result<(), Fault> {
                    keeps_image(from, to)
                }
            }
        )*
    };
}
tiles! { Tile TileMut }

// SAFETY: whoever made the tile says that every offset of its layout may be written, and that no other path leads there.
unsafe impl<T> StorageMut for TileMut<'_, T> {
    type ViewMut<'view>
        = TileMut<'view, T>
    where
        Self: 'view;
    #[inline(always)]
    fn base_mut(&mut self) -> *mut T {
        self.0
    }
    #[inline(always)]
    unsafe fn view_mut(&mut self, offset: usize, _: usize) -> TileMut<'_, T> {
        TileMut(self.0.wrapping_add(offset), PhantomData)
    }
}

