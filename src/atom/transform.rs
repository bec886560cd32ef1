//! Loops over the values of fragments, unrolled: an element-wise operation that leaves its
//! fragments in registers.
//!
//! ```text
//! zip_values_mut(d, a, f)            f(d[i], a[i])                 for each i below the size of both
//! zip_values_mut(d, (a, b), f)       f(d[i], (a[i], b[i]))
//! transform(a, d, f)          d[i] = f(a[i])
//! ```

use crate::layout::flat::Message;
use crate::layout::traits::Layout;
use crate::list::Nested;
use crate::number::int::StaticInt;
use crate::number::unroll::{Body, Turns, Unroll};
use crate::tensor::{Addressable, Storage, StorageMut, Tensor};
use crate::tuple::profile::SizeOf;

/// A layout whose size is static.
#[diagnostic::on_unimplemented(
    message = "the size of this layout is not known at compile time",
    label = "its values are visited in a loop that is unrolled",
    note = "a fragment has a static size: `mine.fragment_like::<f32>()`; tensors of any size have `map` and `transform`"
)]
pub trait StaticSize: Layout<Shape: Nested<Node: SizeOf<Output = Self::Size>>> {
    #[doc(hidden)]
    type Size: Unroll + Turns;
}
impl<N: Unroll + Turns, L: Layout<Shape: Nested<Node: SizeOf<Output = N>>>> StaticSize for L {
    type Size = N;
}

/// One tensor, or a pair of them, whose values are read by their numbers: `&a` or `(&a, &b)`.
#[diagnostic::on_unimplemented(
    message = "this is neither a tensor nor a pair of tensors",
    label = "its values are read one by one: `&a` or `(&a, &b)`",
    note = "`d.zip_values_mut((&a, &b), |d, (a, b)| *d = a + b)`"
)]
pub trait ZipOperand {
    /// The values with one number.
    type Item;
    /// The size of each tensor, 0 where two differ.
    #[doc(hidden)]
    const SIZE: usize;
    #[doc(hidden)]
    fn item(&self, i: usize) -> Option<Self::Item>;
}
impl<'t, S: Storage, L: Addressable + StaticSize> ZipOperand for &'t Tensor<S, L> {
    type Item = &'t S::Item;
    const SIZE: usize = <L::Size as StaticInt>::VALUE;
    #[inline(always)]
    fn item(&self, i: usize) -> Option<&'t S::Item> {
        self.value(i)
    }
}
impl<A: ZipOperand, B: ZipOperand> ZipOperand for (A, B) {
    type Item = (A::Item, B::Item);
    const SIZE: usize = if A::SIZE == B::SIZE { A::SIZE } else { 0 };
    #[inline(always)]
    fn item(&self, i: usize) -> Option<Self::Item> {
        Some((self.0.item(i)?, self.1.item(i)?))
    }
}

/// One turn for each value.
struct Zip<'d, S, L, O, F> {
    to: &'d mut Tensor<S, L>,
    operand: O,
    f: F,
}
impl<S: StorageMut, L: Addressable, O: ZipOperand, F: FnMut(&mut S::Item, O::Item)> Body
    for Zip<'_, S, L, O, F>
{
    #[inline(always)]
    fn turn(&mut self, i: usize) {
        if let (Some(to), Some(item)) = (self.to.value_mut(i), self.operand.item(i)) {
            (self.f)(to, item);
        }
    }
}

/// # Fragments, value by value
impl<S: StorageMut, L: Addressable + StaticSize> Tensor<S, L> {
    /// Calls `f` with value `i` of this tensor and value `i` of another one, or of a pair of
    /// others, for each `i`. The loop is unrolled: fragments stay in registers. Shapes may differ,
    /// sizes may not:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_algebra::tensor::Fragment;
    /// let a = Fragment::<i32, Layout!((2, 3))>::from_fn(|(i, j)| (i + 2 * j) as i32);
    /// let b = Fragment::<i32, Layout!(6)>::from_fn(|i: usize| 10 * i as i32);
    /// let mut d = Fragment::<i32, Layout!((3, 2))>::zeroed();
    /// d.zip_values_mut(&a, |d, a| *d += a);
    /// d.zip_values_mut((&a, &b), |d, (a, b)| *d += a + b);
    /// assert!((0..6).all(|i| d.value(i) == Some(&(12 * i as i32))));
    /// ```
    ///
    /// ```compile_fail,E0080
    /// use layout_algebra::prelude::*;
    /// use layout_algebra::tensor::Fragment;
    /// let a = Fragment::<i32, Layout!(5)>::zeroed();
    /// let mut d = Fragment::<i32, Layout!(6)>::zeroed();
    /// d.zip_values_mut(&a, |d, a| *d += a); // a value of `d` has no partner
    /// ```
    #[inline(always)]
    pub fn zip_values_mut<O: ZipOperand>(
        &mut self,
        operand: O,
        f: impl FnMut(&mut S::Item, O::Item),
    ) {
        const {
            let (own, other) = (<L::Size as StaticInt>::VALUE, O::SIZE);
            let words = [
                "a tensor of ",
                " values is zipped with an operand of ",
                ": 0 stands for a pair of two sizes",
            ];
            Message::require(own == other, &words, &[own, other]);
        }
        L::Size::few_turns_of(&mut Zip { to: self, operand, f });
    }
}

/// `d[i] = f(a[i])`, or `f((a[i], b[i]))`, for each value, unrolled as in
/// [`Tensor::zip_values_mut`]. CuTe's `transform`.
///
/// ```
/// use layout_algebra::atom::transform;
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::Fragment;
/// let a = Fragment::<i32, Layout!(4)>::from_fn(|i: usize| i as i32);
/// let mut halves = Fragment::<f32, Layout!(4)>::zeroed();
/// transform(&a, &mut halves, |a| *a as f32 / 2.0);
/// assert_eq!(halves[3], 1.5);
/// transform((&a, &a), &mut halves, |(a, b)| (a * b) as f32);
/// assert_eq!(halves[3], 9.0);
/// ```
#[inline(always)]
pub fn transform<O: ZipOperand, S: StorageMut, L: Addressable + StaticSize>(
    operand: O,
    to: &mut Tensor<S, L>,
    mut f: impl FnMut(O::Item) -> S::Item,
) {
    to.zip_values_mut(operand, |to, item| *to = f(item));
}
