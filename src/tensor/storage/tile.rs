//! Storage of tiles: the elements that a layout reaches, and none in between.

use core::marker::PhantomData;

use crate::error::Fault;
use crate::tensor::storage::{Addressable, Storage, StorageMut};

/// The elements that one layout reaches from a place on, shared: the storage of a view of a [`TileMut`].
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::Tile;
/// let mut t = Tensor::fixed([0; 24], layout!((4, 6)));
/// let tile = t.tiles_mut(tiler!(2, 3)).next().unwrap(); // (2,3):(1,4)
/// let view: Tensor<Tile<'_, i32>, _> = tile.view();
/// assert_eq!(view.relayout(layout!((3, 2):(4, 1)))?.size(), 6); // the same elements in another order
/// assert_eq!(view.relayout(layout!(2:5))?.size(), 2); // (0, 0) and (1, 1) of them
/// # Ok::<(), LayoutError>(())
/// ```
#[derive(Debug)]
pub struct Tile<'a, T>(*const T, PhantomData<&'a T>);
/// The elements that one layout reaches from a place on, and none in between, borrowed mutably.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::TileMut;
/// let mut t = Tensor::fixed([0; 24], layout!((4, 6)));
/// let tile: Tensor<TileMut<'_, i32>, _> = t.tiles_mut(tiler!(2, 3)).next().unwrap(); // (2,3):(1,4)
/// assert!(tile.relayout(layout!(6:1)).is_err()); // elements 2 and 3 belong to another tile
/// ```
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

impl<T> Tile<'_, T> {
    /// The elements that a layout reaches from `base` on.
    ///
    /// # Safety
    /// For the lifetime, each of them may be read, and nobody writes it.
    #[inline(always)]
    pub unsafe fn new(base: *const T) -> Self {
        Tile(base, PhantomData)
    }
}
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

/// What a tile accepts: a layout whose offsets are all offsets of the one before.
#[inline(always)]
fn stays_within<L: Addressable, M: Addressable>(from: Option<&L>, to: &M) -> Result<(), Fault> {
    let Some(from) = from else { return Err(Fault::Image) };
    if to.reach().is_none() {
        return Err(Fault::Overflow);
    }
    let known = const {
        match (L::MODES, M::MODES) {
            (Some(from), Some(to)) => Some(from.covers(&to)),
            _ => None,
        }
    };
    match known {
        Some(checked) => checked,
        None => from.modes().covers(&to.modes()),
    }
}

macro_rules! tiles {
    ($($type:ident)*) => {
        $(
            // SAFETY: whoever made the tile says that every offset of its layout may be
            // read; a new layout has no others.
            unsafe impl<T> Storage for $type<'_, T> {
                type Item = T;
                type View<'view> = Tile<'view, T> where Self: 'view;
                #[inline(always)]
                fn base(&self) -> *const T {
                    self.0
                }
                #[inline(always)]
                unsafe fn view(&self, offset: usize, _: Option<usize>) -> Tile<'_, T> {
                    Tile(self.0.wrapping_add(offset), PhantomData)
                }
                #[inline(always)]
                fn accepts<L: Addressable, M: Addressable>(&self, from: Option<&L>, to: &M) -> Result<(), Fault> {
                    stays_within(from, to)
                }
            }
        )*
    };
}
tiles! { Tile TileMut }

// SAFETY: whoever made the tile says that every offset of its layout may be written, and
// that no other path leads there.
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
    unsafe fn view_mut(&mut self, offset: usize, _: Option<usize>) -> TileMut<'_, T> {
        TileMut(self.0.wrapping_add(offset), PhantomData)
    }
}
