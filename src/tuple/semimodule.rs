//! Offsets that are no natural numbers: the sums of products of numbers and strides.
//!
//! ```text
//! index(c) = sum c_k * d_k
//!
//! natural       c * d                          +
//! negative      -(c * d)                       +
//! along axes    (c * k)@j                      axis by axis
//! ```

use crate::number::table::StrideKind;

/// The set of offsets of a [`SteppedLayout`](crate::strides::SteppedLayout), with a zero, sums, and
/// products of a number and a stride: [`Signed`](crate::strides::Signed), and each shape, for its
/// coordinates.
///
/// `index(c) = sum c_k * d_k`
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::{Semimodule, strides::Signed};
/// fn is_offset<M: Semimodule<Offset = O>, O>(_: O) {}
/// is_offset::<Signed, isize>(-3);
/// is_offset::<Shape!((4, 6)), (usize, usize)>((3, 5));
/// ```
#[diagnostic::on_unimplemented(
    message = "this is not where offsets lie",
    label = "`{Self}`: neither `Signed` nor a shape",
    note = "offsets of negative strides are `Signed`, those of steps along axes the shape with these axes"
)]
pub trait Semimodule: 'static {
    /// An offset.
    type Offset: Copy;
    #[doc(hidden)]
    fn zero() -> Self::Offset;
    /// `number * stride`, of a stride of this kind.
    #[doc(hidden)]
    fn product(number: usize, stride: usize, kind: StrideKind) -> Self::Offset;
    #[doc(hidden)]
    fn sum(left: Self::Offset, right: Self::Offset) -> Self::Offset;
    /// How many offsets there are from the least one to the largest, if they fit, of a layout that
    /// is not empty: `reach` is how far its strides lead together, whatever their signs, and `last`
    /// where its last coordinate leads.
    #[doc(hidden)]
    fn cosize(reach: Option<usize>, last: Self::Offset) -> Option<usize>;
}
