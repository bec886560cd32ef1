//! Memory under a layout: how a tensor is made on it, and its elements read, written, viewed and
//! copied. CuTe's engines.
//!
//! ```text
//! element at c  =  base + layout(c)            what makes it sound: layout(c) < span(layout) <= length
//! ```
//!
//! Two kinds of storage differ in what they may touch. A [`Contiguous`] storage owns or borrows all
//! of `0 .. length`, and accepts any layout that ends there. A tile ([`Tile`], [`TileMut`]) may
//! touch the offsets of its layout and no others, because the elements in between belong to other
//! tiles; it accepts only a layout whose offsets are all among these.
//!
//! What unsafe code relies on. No other trait matters to it, so that a safe trait that somebody
//! implements wrongly breaks nothing:
//!
//! - `unsafe` traits, whose implementor has made a promise: [`Storage`], [`StorageMut`],
//!   [`Contiguous`], [`Addressable`], [`CoordinateIn`], [`SliceIn`], and those of `parts`:
//!   `SplitMode`, `Numbering`, `PartsMemory`;
//! - sealed traits, which only this crate implements: numbers, tuples of numbers and their nodes,
//!   [`Space`], coordinates and slices of a `DynLayout`, `Unroll`, `HasTile`, and `Stays`, a value that only this crate makes.
//!
//! [`IntoMemory`], `ZippedDivide`, `Compose`, `Partition`, `Threads`, `RaggedDivide`,
//! `FlipInMemory`, `CompactLike` and `Recast` yield a layout that is `Addressable`. That layout
//! itself is checked before any element is reached: the storage has to accept it, and where parts
//! are mutable, its offsets have to differ. Text, shapes and tilers that convert into types of this
//! crate are converted once, and only the result is used.

use generic_array::{ArrayLength, GenericArray};

use crate::error::Fault;
use crate::tensor::space::{Registers, Space};

mod machine;

mod order;
mod promise;

mod cosize;
pub(super) mod like;
mod pair;
mod tile;

mod make;

mod access;
mod values;
mod view;

mod composed;
mod copy;
mod corner;
#[cfg(feature = "alloc")]
mod dynamic;
mod vector;

pub use access::{Elements, Tensor};
pub(in crate::tensor) use composed::SwizzleOfMemory;
pub use corner::Corner;
pub use cosize::{CosizeOf, StaticCosize};
pub use machine::{CopiedFragment, Watch, watch_kernels};
pub(crate) use machine::{is_of_a_gpu, tell_slice, watch};
pub use make::Fragment;
pub(in crate::tensor) use pair::SameNesting;
pub use pair::SameShape;
pub use promise::{Addressable, CoordinateIn, IntoMemory, SliceIn, WindowIn};
pub use tile::{Tile, TileMut};
pub use values::assert_whole_vectors;
pub(in crate::tensor) use view::{no_slice, sliced};

/// Memory that holds the elements of a tensor.
///
/// # Safety
/// While the storage is borrowed, `base()` always gives the same place, and in a tensor whose
/// layout the storage has accepted, what it points at may be read at every offset of that layout
/// while the storage is borrowed. All of it lies in `Space`; in
/// [`Shared`](crate::tensor::space::Shared) and [`Global`](crate::tensor::space::Global), on a GPU,
/// whoever made the storage promises what [`Tensor::from_shared`] asks for.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::{Addressable, Storage};
/// fn total<S: Storage<Item = i32>, L: Addressable>(t: &Tensor<S, L>) -> i32 {
///     t.iter().sum()
/// }
/// let t = Tensor::fixed([1, 2, 3, 4], layout!((2, 2))); // an array, and a view of its second column
/// assert_eq!((total(&t), total(&t.slice((.., 1)))), (10, 7));
/// ```
#[diagnostic::on_unimplemented(
    message = "this does not hold the elements of a tensor",
    label = "`{Self}`: not storage",
    note = "storage is an array, a slice, a tile of another tensor, or, with the feature `alloc`, a `Vec`: \
            `Tensor<Vec<f32>, L>`, in generic code `S: Storage<Item = f32>`"
)]
pub unsafe trait Storage {
    /// The element.
    type Item;
    /// Where the elements lie.
    type Space: Space;
    /// A shared view of it.
    type View<'a>: Storage<Item = Self::Item, Space = Self::Space> + Copy
    where
        Self: 'a;
    /// Where offset 0 lies.
    fn base(&self) -> *const Self::Item;
    /// The address of offset 0, in the form that the instructions of the space take:
    /// [`Tensor::address`].
    #[doc(hidden)]
    #[inline(always)]
    fn place(&self) -> *const Self::Item {
        machine::place::<Self::Space, _>(self.base().cast_mut())
    }
    /// A view from `offset` on, for a layout of the span `span`; `None` if the span would take a
    /// search.
    ///
    /// # Safety
    /// 1. Moved by `offset`, the offsets of the view's layout are offsets of a layout that this
    ///    storage accepts.
    /// 2. If there is a span, it is one past the largest offset of the view's layout; for a layout
    ///    without offsets, span and offset are 0.
    /// 3. If there is no span, the view's layout has an offset.
    unsafe fn view(&self, offset: usize, span: Option<usize>) -> Self::View<'_>;
    /// Ok if the storage may be put under the layout `to`; `from` is its present layout, if it has
    /// one.
    fn accepts<L: Addressable, M: Addressable>(
        &self,
        from: Option<&L>,
        to: &M,
    ) -> Result<(), Fault>;
}

/// `S: StorageOf<T>`: storage of elements of the type `T`, from which elements are copied or with
/// which they are multiplied.
///
/// ```
/// use layout_algebra::tensor::StorageOf;
/// use static_assertions::{assert_impl_all, assert_not_impl_any};
/// assert_impl_all!(Vec<f32>: StorageOf<f32>);
/// assert_not_impl_any!([f64; 24]: StorageOf<f32>);
/// ```
#[diagnostic::on_unimplemented(
    message = "the elements of one of these tensors would have to be `{T}`",
    label = "elements of another type",
    note = "`map` makes a tensor of other elements: `tensor.map(|x| f64::from(x))`"
)]
pub trait StorageOf<T>: Storage<Item = T> {}
#[diagnostic::do_not_recommend]
impl<T, S: Storage<Item = T>> StorageOf<T> for S {}

/// Memory whose elements may be changed.
///
/// # Safety
/// As [`Storage`], for writing, while the storage is borrowed mutably; no other path leads to the
/// elements meanwhile.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::{Addressable, StorageMut};
/// fn double<S: StorageMut<Item = i32>, L: Addressable>(t: &mut Tensor<S, L>) {
///     t.transform(|x| 2 * x);
/// }
/// let mut t = Tensor::new(vec![1, 2, 3, 4], layout!((2, 2)))?;
/// double(&mut t.slice_mut((.., 1)));
/// assert_eq!(t.into_storage(), [1, 2, 6, 8]);
/// # Ok::<(), LayoutError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "this holds elements that cannot be changed",
    label = "`{Self}`: not mutable storage",
    note = "mutable storage is an array, a mutable slice, a mutable tile of another tensor, or, with the feature \
            `alloc`, a `Vec`"
)]
pub unsafe trait StorageMut: Storage {
    /// A mutable view of it.
    type ViewMut<'a>: StorageMut<Item = Self::Item, Space = Self::Space>
    where
        Self: 'a;
    /// Where offset 0 lies: the same place as `base()`.
    fn base_mut(&mut self) -> *mut Self::Item;
    /// The address of offset 0, in the form that the instructions of the space take: the same place
    /// as `place()`.
    #[doc(hidden)]
    #[inline(always)]
    fn place_mut(&mut self) -> *mut Self::Item {
        machine::place::<Self::Space, _>(self.base_mut())
    }
    /// A mutable view from `offset` on, for a layout of the span `span`; `None` if the span would
    /// take a search.
    ///
    /// # Safety
    /// As [`view`](Storage::view).
    unsafe fn view_mut(&mut self, offset: usize, span: Option<usize>) -> Self::ViewMut<'_>;
}

/// Memory without gaps, from offset 0 to its length, all of which belongs to the tensor: what a
/// tensor is made on.
///
/// # Safety
/// All of `0 .. length()` is there, and the length does not change.
///
/// ```
/// use layout_algebra::tensor::Contiguous;
/// assert_eq!((<[i32; 24] as Contiguous>::LENGTH, <Vec<i32> as Contiguous>::LENGTH), (Some(24), None));
/// assert_eq!((Contiguous::length(&[0; 24]), Contiguous::length(&vec![0; 24])), (24, 24));
/// ```
#[cfg_attr(
    not(feature = "alloc"),
    diagnostic::on_unimplemented(
        note = "this build of layout-algebra is without its feature `alloc`, and so without storage that is a `Vec`"
    )
)]
#[diagnostic::on_unimplemented(
    message = "cannot make a tensor: this is not memory without gaps",
    label = "`{Self}`: not storage",
    note = "a tensor is made on an array, a slice, a reference to one of these, or, with the feature `alloc`, a \
            `Vec`; one on a raw pointer is `Tensor::from_raw`"
)]
pub unsafe trait Contiguous: Storage {
    /// The length, where it is part of the type.
    const LENGTH: Option<usize> = None;
    /// The number of elements.
    fn length(&self) -> usize;
}

/// What `Contiguous` storage accepts: any layout that ends within it.
#[inline(always)]
fn ends_within<M: Addressable>(length: usize, to: &M) -> Result<(), Fault> {
    match to.reach() {
        Some(span) if span <= length => Ok(()),
        Some(cosize) => Err(Fault::Storage { cosize, length }),
        None => Err(to.no_reach()),
    }
}

/// Storage that derefs to a slice.
macro_rules! slices {
    ($([$($generic:tt)*] $type:ty, $item:ty, $length:expr, $shared:tt;)*) => {
        $(
            // SAFETY: the slice lies still while the storage is borrowed, and is all there.
            unsafe impl<$($generic)*> Storage for $type {
                type Item = $item;
                type Space = Registers;
                type View<'view> = &'view [$item] where Self: 'view;
                #[inline(always)]
                fn base(&self) -> *const $item {
                    self.as_ptr()
                }
                #[inline(always)]
                unsafe fn view(&self, offset: usize, span: Option<usize>) -> &[$item] {
                    let end = match span {
                        Some(span) => offset + span,
                        // The view has all that follows, which the borrow covers.
                        None => self.len(),
                    };
                    // SAFETY: a layout that the slice accepts ends within it, so that each offset
                    // of the view's layout, moved by `offset`, is below `len` (1). With a span
                    // above 0, the largest of them is `offset + span - 1` (2):
                    // `offset <= end <= len`, and the sum does not overflow. With a span of 0,
                    // `offset` and `end` are 0 (2). Without a span there is one of them, which is
                    // at least `offset` (3): `offset < len`, and `end` is `len`.
                    unsafe { (&self[..]).get_unchecked(offset..end) }
                }
                #[inline(always)]
                fn accepts<L: Addressable, M: Addressable>(&self, _: Option<&L>, to: &M) -> Result<(), Fault> {
                    ends_within(self.len(), to)
                }
            }
            // SAFETY: a slice has no gaps, and its length stays while it is in the tensor,
            // which lends it out to nobody.
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
        // SAFETY: the slice is owned or borrowed mutably, so that a mutable borrow of the
        // storage is the only way to it.
        unsafe impl<$($generic)*> StorageMut for $type {
            type ViewMut<'view> = &'view mut [$item] where Self: 'view;
            #[inline(always)]
            fn base_mut(&mut self) -> *mut $item {
                self.as_mut_ptr()
            }
            #[inline(always)]
            unsafe fn view_mut(&mut self, offset: usize, span: Option<usize>) -> &mut [$item] {
                let end = match span {
                    Some(span) => offset + span,
                    None => self.len(),
                };
                // SAFETY: as in `view`: `offset <= end <= len`.
                unsafe { (&mut self[..]).get_unchecked_mut(offset..end) }
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
slices! {
    [T] alloc::vec::Vec<T>, T, None, mutable;
    ['a, T] &'a alloc::vec::Vec<T>, T, None, shared;
    ['a, T] &'a mut alloc::vec::Vec<T>, T, None, mutable;
}
