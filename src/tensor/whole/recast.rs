//! The same memory seen as elements of another size, all safe: `bytemuck` casts the slice, and
//! the layout is recast with it.
//!
//! ```text
//! recast(t, U) = slice of t as [U]  under  recast(layout, size of T, size of U)
//! ```

use bytemuck::{Pod, PodCastError};

use crate::algebra::LayoutAlgebra;
use crate::algebra::traits::{Recast, Recasted};
use crate::error::{Fault, LayoutError};
use crate::number::int::{Int, StaticInt};
use crate::number::table::gcd;
use crate::tensor::memory::{Addressable, Contiguous, StorageMut, Tensor};

/// Plain data whose size is part of its type: the numbers of Rust.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::ByteSize;
/// use static_assertions::assert_type_eq_all;
/// assert_type_eq_all!(<f32 as ByteSize>::Bytes, Int<4>);
/// ```
#[diagnostic::on_unimplemented(
    message = "cannot recast to elements of a type without a size known as a type",
    label = "`{Self}` has no such size",
    note = "the integers and floats of Rust have one, and what else is `ByteSize`"
)]
pub trait ByteSize: Pod {
    /// Its size in bytes, `size_of::<Self>()`; any other does not compile.
    type Bytes: StaticInt;
    /// The same size, compared with that of the type.
    #[doc(hidden)]
    const CHECKED: usize = {
        assert!(Self::Bytes::VALUE == size_of::<Self>(), "`Bytes` has to be the size of the type");
        Self::Bytes::VALUE
    };
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

/// `U: RecastFrom<T>`: elements `T` can be seen as elements `U`; both are plain data of known
/// sizes. The trait stands on the new type, which the caller names: so a tensor of any elements has
/// the method, and the message says what is wrong with the elements.
///
/// ```
/// use layout_algebra::tensor::RecastFrom;
/// use static_assertions::{assert_impl_all, assert_not_impl_any};
/// assert_impl_all!(u8: RecastFrom<f32>);
/// assert_not_impl_any!(u8: RecastFrom<String>);
/// ```
#[diagnostic::on_unimplemented(
    message = "cannot recast elements of a type without a size known as a type",
    label = "`{T}` as `{Self}`: not both have such a size",
    note = "the integers and floats of Rust have one, and what else is `ByteSize`"
)]
pub trait RecastFrom<T>: ByteSize {
    /// Both sizes in bytes.
    type Sizes: Default;
    /// The leading elements that make whole elements of the new type.
    #[doc(hidden)]
    fn cast(elements: &[T]) -> Result<&[Self], PodCastError>;
    /// The same, mutable.
    #[doc(hidden)]
    fn cast_mut(elements: &mut [T]) -> Result<&mut [Self], PodCastError>;
}
#[doc(hidden)]
impl<T: ByteSize, U: ByteSize> RecastFrom<T> for U {
    type Sizes = (T::Bytes, U::Bytes);
    fn cast(elements: &[T]) -> Result<&[U], PodCastError> {
        bytemuck::try_cast_slice(&elements[..whole::<T, U>(elements.len())])
    }
    fn cast_mut(elements: &mut [T]) -> Result<&mut [U], PodCastError> {
        let length = whole::<T, U>(elements.len());
        bytemuck::try_cast_slice_mut(&mut elements[..length])
    }
}

/// How many of `length` elements `T` make whole elements `U`, if the first begins with one.
fn whole<T: ByteSize, U: ByteSize>(length: usize) -> usize {
    length - length % (U::CHECKED / gcd(T::CHECKED, U::CHECKED))
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
pub type RecastOf<L, T, U> = Recasted<L, <U as RecastFrom<T>>::Sizes>;

fn fault(error: PodCastError, bytes: usize) -> Fault {
    match error {
        PodCastError::TargetAlignmentGreaterAndInputNotAligned => Fault::Alignment { bytes },
        // The slice ends with a whole element.
        _ => Fault::ZeroUnit,
    }
}

/// # As other elements
impl<S: Contiguous + AsRef<[S::Item]>, L: Addressable> Tensor<S, L> {
    /// The same memory as elements of type `U`, larger or smaller: the layout is upcast or downcast
    /// with them. CuTe's `recast<U>(tensor)`.
    ///
    /// # Errors
    /// `divisibility` if the storage does not begin where a `U` may; `bounds` if the last larger
    /// element is not complete; and the errors of the layout's own `recast`.
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
        U: RecastFrom<S::Item>,
        L: Recast<U::Sizes, Output: Addressable>,
    {
        let elements = U::cast(self.storage().as_ref());
        let layout = self.layout().clone().try_recast(Default::default())?;
        match elements {
            Ok(elements) => Tensor::new(elements, layout),
            Err(error) => Err(LayoutError::new("recast", fault(error, align_of::<U>()))
                .with_operand(self.layout())),
        }
    }
}

impl<S, L: Addressable> Tensor<S, L>
where
    S: Contiguous + StorageMut + AsMut<[S::Item]>,
{
    /// [`recast`](Tensor::recast), mutable.
    ///
    /// # Errors
    /// Those of [`recast`](Tensor::recast).
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let mut words = Tensor::fixed([0_u32; 4], layout!(4:1));
    /// words.recast_mut::<u8>()?.fill(0xff);
    /// assert_eq!(words.into_storage(), [u32::MAX; 4]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[allow(clippy::type_complexity, reason = "a tensor or an error")]
    pub fn recast_mut<U>(
        &mut self,
    ) -> Result<Tensor<&mut [U], RecastOf<L, S::Item, U>>, LayoutError>
    where
        U: RecastFrom<S::Item>,
        L: Recast<U::Sizes, Output: Addressable>,
    {
        let layout = self.layout().clone();
        let recast = layout.clone().try_recast(Default::default())?;
        match U::cast_mut(self.storage_mut().as_mut()) {
            Ok(elements) => Tensor::new(elements, recast),
            Err(error) => {
                Err(LayoutError::new("recast", fault(error, align_of::<U>())).with_operand(&layout))
            }
        }
    }
}
