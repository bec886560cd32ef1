//! Where offsets lie: what a sum of products of numbers and strides is, for each kind of strides.
//!
//! ```text
//! index(c) = sum c_k * d_k
//!
//! natural       c * d                          +
//! negative      -(c * d)                       +
//! XOR           c (x) d, without carries       XOR
//! along axes    (c * k)@j                      axis by axis
//! ```

use crate::error::Fault;
use crate::list::Nested;
use crate::number::int::{False, True};
use crate::number::table::StrideKind;
use crate::tuple::bits::{cosize_from, parts_meet, xor_bits};
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::node::Node;

/// Where the offsets of a [`SteppedLayout`](crate::SteppedLayout) lie: there are a zero, sums, and products of a number
/// and a stride. [`Bits`], [`Signed`], and each shape, for coordinates of that.
///
/// `index(c) = sum c_k * d_k`
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::{Bits, Semimodule, Signed};
/// fn is_offset<M: Semimodule<Offset = O>, O>(_: O) {}
/// is_offset::<Bits, usize>(9);
/// is_offset::<Signed, isize>(-3);
/// is_offset::<Shape!((4, 6)), (usize, usize)>((3, 5));
/// ```
#[diagnostic::on_unimplemented(
    message = "this is not where offsets lie",
    label = "`{Self}`: neither `Bits` nor `Signed` nor a shape",
    note = "offsets of XOR strides are `Bits`, of negative strides `Signed`, of steps along axes the shape with these axes"
)]
pub trait Semimodule: 'static {
    /// An offset.
    type Offset: Copy;
    /// A sum on the way to one.
    #[doc(hidden)]
    type Sum: Copy;
    /// Whether one step may go along strides of two kinds: `True` or `False`.
    #[doc(hidden)]
    type TwoKinds;
    #[doc(hidden)]
    fn zero() -> Self::Sum;
    /// `number * stride`, of a leaf.
    #[doc(hidden)]
    fn product<D: Node>(number: usize, stride: D) -> Self::Sum;
    #[doc(hidden)]
    fn sum(left: Self::Sum, right: Self::Sum) -> Self::Sum;
    #[doc(hidden)]
    fn offset(sum: Self::Sum) -> Self::Offset;
    /// How many offsets there are from the least one to the largest, of a layout that is not empty.
    #[doc(hidden)]
    fn cosize<S: IntTuple, D: IntTuple>(shape: S, stride: D) -> Result<usize, Fault>;
    /// Why the strides have no meaning together, if so.
    #[doc(hidden)]
    #[inline(always)]
    fn fault<S: Node, D: Node>(_shape: S, _stride: D) -> Option<Fault> {
        None
    }
    /// Why what is fixed by a slice is no offset of the layout that it keeps, if so.
    #[doc(hidden)]
    #[inline(always)]
    fn fault_of_slice<S: Node, D: Node>(_fixed: Self::Sum, _shape: S, _stride: D) -> Option<Fault> {
        None
    }
}

/// Coordinates of a shape, added axis by axis.
impl<T: IntTuple> Semimodule for T {
    type Offset = T::Dynamic;
    type Sum = T::Dynamic;
    type TwoKinds = False;
    #[inline(always)]
    fn zero() -> T::Dynamic {
        T::origin()
    }
    #[inline(always)]
    fn product<D: Node>(number: usize, stride: D) -> T::Dynamic {
        T::from_axes(&mut 0, &mut |axis| match D::STRIDE {
            StrideKind::Along(along) if along == axis => number * stride.leaf(),
            StrideKind::Diagonal(axes) => number * axes.along(axis),
            _ => 0,
        })
    }
    #[inline(always)]
    fn sum(left: T::Dynamic, right: T::Dynamic) -> T::Dynamic {
        T::moved(left, right)
    }
    #[inline(always)]
    fn offset(sum: T::Dynamic) -> T::Dynamic {
        sum
    }
    #[inline]
    fn cosize<S: IntTuple, D: IntTuple>(shape: S, stride: D) -> Result<usize, Fault> {
        let last = shape.split(shape.size() - 1).node().sum_of_products::<T, _>(stride.node());
        let mut cosize = 0;
        T::each(last, &mut |number| cosize = cosize.max(number + 1));
        Ok(cosize)
    }
}

/// Offsets as bits: products of XOR strides without carries, and sums that are XOR. Natural strides beside them have
/// bits of their own.
pub struct Bits;
impl Semimodule for Bits {
    type Offset = usize;
    /// The natural part, and that of XOR strides.
    type Sum = (usize, usize);
    type TwoKinds = True;
    #[inline(always)]
    fn zero() -> (usize, usize) {
        (0, 0)
    }
    #[inline(always)]
    fn product<D: Node>(number: usize, stride: D) -> (usize, usize) {
        match D::STRIDE {
            StrideKind::Xor => (0, stride.without_carries(number)),
            _ => (number * stride.leaf(), 0),
        }
    }
    #[inline(always)]
    fn sum(left: (usize, usize), right: (usize, usize)) -> (usize, usize) {
        (left.0 + right.0, left.1 ^ right.1)
    }
    #[inline(always)]
    fn offset((natural, without): (usize, usize)) -> usize {
        natural + without
    }
    fn cosize<S: IntTuple, D: IntTuple>(shape: S, stride: D) -> Result<usize, Fault> {
        cosize_from(0, shape.node(), stride.node())
    }
    #[inline]
    fn fault<S: Node, D: Node>(shape: S, stride: D) -> Option<Fault> {
        parts_meet(0, shape, stride)
    }
    #[inline]
    fn fault_of_slice<S: Node, D: Node>((_, fixed): (usize, usize), shape: S, stride: D) -> Option<Fault> {
        match fixed as u128 & xor_bits(shape, stride) {
            0 => None,
            shared => Some(Fault::SliceMeets { bit: shared.trailing_zeros() }),
        }
    }
}

/// Offsets with a sign: those of negative strides, and of natural ones beside them.
pub struct Signed;
impl Semimodule for Signed {
    type Offset = isize;
    type Sum = isize;
    type TwoKinds = False;
    #[inline(always)]
    fn zero() -> isize {
        0
    }
    #[inline(always)]
    fn product<D: Node>(number: usize, stride: D) -> isize {
        // What is fixed of an empty layout leads anywhere.
        let distance = number.wrapping_mul(stride.leaf()) as isize;
        match D::STRIDE {
            StrideKind::Negative => distance.wrapping_neg(),
            _ => distance,
        }
    }
    #[inline(always)]
    fn sum(left: isize, right: isize) -> isize {
        left.wrapping_add(right)
    }
    #[inline(always)]
    fn offset(sum: isize) -> isize {
        sum
    }
    #[inline]
    fn cosize<S: IntTuple, D: IntTuple>(shape: S, stride: D) -> Result<usize, Fault> {
        let reach = shape.node().last_offset(stride.node());
        reach.and_then(|reach| reach.checked_add(1)).ok_or(Fault::Overflow)
    }
}
