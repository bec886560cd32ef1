//! The same memory seen as elements of another size, all safe: `bytemuck` casts the slice, and the layout is recast with it.
//!
//! ```text
//! recast(t, U) = slice of t as [U]  under  recast(layout, size of T, size of U)
//! ```

use bytemuck::{Pod, PodCastError};

use crate::algebra::LayoutAlgebra;
use crate::algebra::recast::{Recast, Recasted};
use crate::error::{Fault, LayoutError};
use crate::int::{Int, StaticInt};
use crate::tensor::storage::{Addressable, Contiguous, StorageMut, Tensor};

/// Plain data whose size is part of its type: the numbers of Rust.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::ByteSize;
/// use static_assertions::assert_type_eq_all;
/// assert_type_eq_all!(<f32 as ByteSize>::Bytes, Int<4>);
/// ```
#[diagnostic::on_unimplemented(
    message = "the size of `{Self}` is no type",
    label = "cannot be recast",
    note = "the integers and floats of Rust can be"
)]
pub trait ByteSize: Pod {
    /// Its size in bytes, `size_of::<Self>()`.
    type Bytes: StaticInt;
}
macro_rules! sizes {
    ($($bytes:literal: $($type:ty)*;)*) => {
        $($(impl ByteSize for $type {
            type Bytes = Int<$bytes>;
        })*)*
    };
}
sizes! {
    1: u8 i8;
    2: u16 i16;
    4: u32 i32 f32;
    8: u64 i64 f64;
    16: u128 i128;
}

/// The layout `L` of elements `T` as one of elements `U`.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::RecastOf;
/// use static_assertions::assert_type_eq_all;
/// assert_type_eq_all!(RecastOf<Layout!((8, 4)), u8, u32>, Layout!((2, 4)));
/// assert_type_eq_all!(RecastOf<Layout!((2, 4)), u32, u8>, Layout!((8, 4)));
/// ```
pub type RecastOf<L, T, U> = Recasted<L, (<T as ByteSize>::Bytes, <U as ByteSize>::Bytes)>;

/// What of a slice of elements of `from` bytes is whole elements of `to` bytes.
fn whole(length: usize, from: usize, to: usize) -> usize {
    if to <= from { length } else { length - length % (to / from) }
}

fn fault(error: PodCastError, bytes: usize) -> Fault {
    match error {
        PodCastError::TargetAlignmentGreaterAndInputNotAligned => Fault::Alignment { bytes },
        // Sizes are powers of two, and the slice ends with a whole element.
        _ => Fault::ZeroUnit,
    }
}

impl<S: Contiguous<Item: ByteSize> + AsRef<[S::Item]>, L: Addressable> Tensor<S, L> {
    /// The same memory as elements of type `U`, larger or smaller: the layout is upcast or downcast with them. CuTe's `recast<U>(tensor)`.
    ///
    /// # Errors
    /// `divisibility` if the storage does not begin where a `U` may; `bounds` if the last larger element is not all there; and what the layout's own
    /// `recast` finds.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let words = Tensor::fixed([0x0201_u16, 0x0403, 0x0605, 0x0807], layout!((2, 2):(1, 2)));
    /// let bytes = words.recast::<u8>()?;
    /// assert_eq!(bytes.layout().to_string(), "(_4,_2):(_1,_4)");
    /// # #[cfg(target_endian = "little")]
    /// assert_eq!((bytes[(0, 0)], bytes[(3, 1)]), (1, 8));
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[allow(clippy::type_complexity, reason = "a tensor or an error")]
    pub fn recast<U>(&self) -> Result<Tensor<&[U], RecastOf<L, S::Item, U>>, LayoutError>
    where
        U: ByteSize,
        L: Recast<(<S::Item as ByteSize>::Bytes, U::Bytes), Output: Addressable>,
    {
        let elements = self.storage().as_ref();
        let length = whole(elements.len(), size_of::<S::Item>(), size_of::<U>());
        let elements = bytemuck::try_cast_slice(&elements[..length]);
        let layout = self.layout().clone().try_recast(Default::default())?;
        match elements {
            Ok(elements) => Tensor::new(elements, layout),
            Err(error) => Err(LayoutError::new("recast", fault(error, align_of::<U>())).with_operand(self.layout())),
        }
    }
}

impl<S, L: Addressable> Tensor<S, L>
where
    S: Contiguous<Item: ByteSize> + StorageMut + AsMut<[S::Item]>,
{
    /// [`recast`](Tensor::recast), to change elements.
    ///
    /// # Errors
    /// As there.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let mut words = Tensor::fixed([0_u32; 4], layout!(4:1));
    /// words.recast_mut::<u8>()?.fill(0xff);
    /// assert_eq!(words.into_storage(), [u32::MAX; 4]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[allow(clippy::type_complexity, reason = "a tensor or an error")]
    pub fn recast_mut<U>(&mut self) -> Result<Tensor<&mut [U], RecastOf<L, S::Item, U>>, LayoutError>
    where
        U: ByteSize,
        L: Recast<(<S::Item as ByteSize>::Bytes, U::Bytes), Output: Addressable>,
    {
        let layout = self.layout().clone();
        let recast = layout.clone().try_recast(Default::default())?;
        let elements = self.storage_mut().as_mut();
        let length = whole(elements.len(), size_of::<S::Item>(), size_of::<U>());
        match bytemuck::try_cast_slice_mut(&mut elements[..length]) {
            Ok(elements) => Tensor::new(elements, recast),
            Err(error) => Err(LayoutError::new("recast", fault(error, align_of::<U>())).with_operand(&layout)),
        }
    }
}
