//! Storage of tiles: the elements that a layout reaches, and none in between.

use core::fmt;
use core::marker::PhantomData;

use crate::error::Fault;
use crate::tensor::memory::{Addressable, Storage, StorageMut, machine};
use crate::tensor::space::{Generic, Space};

/// The elements that one layout reaches from a place on, shared: the storage of a view of a
/// [`TileMut`]. They lie in the space `P` of memory.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::Tile;
/// let mut t = Tensor::fixed([0; 24], layout!((4, 6)));
/// let tile = t.tiles_mut(tiler!(2, 3)).next().unwrap(); // (2,3):(1,4)
/// let view: Tensor<Tile<'_, i32>, _> = tile.view();
/// assert_eq!(view.with_layout(layout!((3, 2):(4, 1)))?.size(), 6); // the same in another order
/// assert_eq!(view.with_layout(layout!(2:5))?.size(), 2); // (0, 0) and (1, 1) of them
/// # Ok::<(), LayoutError>(())
/// ```
// The pointer is a place, in the sense of `machine`.
pub struct Tile<'a, T, P = Generic>(*const T, PhantomData<(&'a T, P)>);
/// The elements that one layout reaches from a place on, and none in between, borrowed mutably.
/// They lie in the space `P` of memory.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::TileMut;
/// let mut t = Tensor::fixed([0; 24], layout!((4, 6)));
/// let tile: Tensor<TileMut<'_, i32>, _> = t.tiles_mut(tiler!(2, 3)).next().unwrap(); // (2,3):(1,4)
/// assert!(tile.with_layout(layout!(6:1)).is_err()); // elements 2 and 3 belong to another tile
/// ```
pub struct TileMut<'a, T, P = Generic>(*mut T, PhantomData<(&'a mut T, P)>);

impl<T, P> fmt::Debug for Tile<'_, T, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Tile").field(&self.0).finish()
    }
}
impl<T, P> fmt::Debug for TileMut<'_, T, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TileMut").field(&self.0).finish()
    }
}

// SAFETY: a `Tile` is as good as `&'a T` for each of its elements.
unsafe impl<T: Sync, P: Space> Send for Tile<'_, T, P> {}
// SAFETY: as above.
unsafe impl<T: Sync, P: Space> Sync for Tile<'_, T, P> {}
// SAFETY: a `TileMut` is as good as `&'a mut T` for each of its elements.
unsafe impl<T: Send, P: Space> Send for TileMut<'_, T, P> {}
// SAFETY: as above.
unsafe impl<T: Sync, P: Space> Sync for TileMut<'_, T, P> {}

impl<T, P> Clone for Tile<'_, T, P> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<T, P> Copy for Tile<'_, T, P> {}

impl<T, P: Space> Tile<'_, T, P> {
    /// The elements that a layout reaches from `base` on.
    ///
    /// # Safety
    /// For the lifetime, each of them may be read, and nobody writes it. They lie in `P`: for
    /// `Shared` and `Global`, what [`Tensor::from_shared_ref`](crate::Tensor::from_shared_ref) asks
    /// for.
    #[inline(always)]
    pub unsafe fn new(base: *const T) -> Self {
        Tile(machine::place::<P, T>(base.cast_mut()), PhantomData)
    }
}
impl<'a, T, P: Space> TileMut<'a, T, P> {
    /// The elements that a layout reaches from `base` on.
    ///
    /// # Safety
    /// For `'a` each of them may be read and written, and no other path leads to it. They lie in
    /// `P`: for `Shared` and `Global`, what [`Tensor::from_shared`](crate::Tensor::from_shared)
    /// asks for.
    #[inline(always)]
    pub unsafe fn new(base: *mut T) -> Self {
        TileMut(machine::place::<P, T>(base), PhantomData)
    }
}

/// A tile accepts a layout whose offsets are all offsets of its present one.
#[inline(always)]
fn stays_within<L: Addressable, M: Addressable>(from: Option<&L>, to: &M) -> Result<(), Fault> {
    let Some(from) = from else { return Err(Fault::Image) };
    if to.reach().is_none() {
        return Err(to.no_reach());
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
            unsafe impl<T, P: Space> Storage for $type<'_, T, P> {
                type Item = T;
                type Space = P;
                type View<'view> = Tile<'view, T, P> where Self: 'view;
                #[inline(always)]
                fn base(&self) -> *const T {
                    machine::generic::<P, T>(self.0 as *mut T)
                }
                #[inline(always)]
                fn place(&self) -> *const T {
                    self.0
                }
                #[inline(always)]
                unsafe fn view(&self, offset: usize, _: Option<usize>) -> Tile<'_, T, P> {
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
unsafe impl<T, P: Space> StorageMut for TileMut<'_, T, P> {
    type ViewMut<'view>
        = TileMut<'view, T, P>
    where
        Self: 'view;
    #[inline(always)]
    fn base_mut(&mut self) -> *mut T {
        machine::generic::<P, T>(self.0)
    }
    #[inline(always)]
    fn place_mut(&mut self) -> *mut T {
        self.0
    }
    #[inline(always)]
    unsafe fn view_mut(&mut self, offset: usize, _: Option<usize>) -> TileMut<'_, T, P> {
        TileMut(self.0.wrapping_add(offset), PhantomData)
    }
}
