//! Named axes, in einops' notation.

mod bind;
mod pack;
mod pattern;

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::iter::{Product, Sum};

use layout_algebra::tensor::{Storage, StorageMut};
use layout_algebra::{DynComposedLayout, DynLayout, Tensor};

use self::bind::{Bound, Given};
use self::pattern::Pattern;
use crate::axes::{
    Elements, HasAxes, read_elements, row_major_tensor, view_elements, view_elements_mut,
};
use crate::error::{ArrayError, PatternError};
use crate::layout::ArrayLayout;

pub use pack::{Pack, named_extents};
pub(crate) use pattern::ELLIPSIS;
#[cfg(feature = "gemm")]
pub(crate) use pattern::check_name;

/// Common parts of [`Rearrange`], [`Repeat`] and [`Reduce`].
macro_rules! patterns {
    ($($(#[$about:meta])* $name:ident, $may_be_alone:expr, $(#[$errors:meta])*;)*) => {$(
        $(#[$about])*
        #[derive(Clone, Debug)]
        pub struct $name {
            pattern: Pattern,
            given: Given,
        }

        impl $name {
            $(#[$errors])*
            pub fn new(pattern: &str) -> Result<Self, PatternError> {
                let pattern = Pattern::read(pattern)?;
                check_sides(&pattern, $may_be_alone)?;
                Ok($name { pattern, given: Given::new() })
            }

            /// Gives the extent of a name. A name that is not in the pattern is an error later, in
            /// a call with a shape, a layout or a tensor.
            ///
            /// ```
            #[doc = concat!("use layout_arrays::", stringify!($name), ";")]
            #[doc = concat!("let pattern = ", stringify!($name), "::new(\"(h p) -> (p h)\")?;")]
            /// let of_two = pattern.with("p", 4);
            /// assert_eq!(of_two.shape(&[12])?, [12]);
            /// let error = of_two.shape(&[10]).unwrap_err();
            /// assert_eq!(
            ///     error.to_string(),
            ///     "`(h p)`: 10 elements do not divide into parts of 4\n  (h p) -> (p h)\n  ^^^^^"
            /// );
            /// # Ok::<(), layout_arrays::ArrayError>(())
            /// ```
            #[must_use]
            pub fn with(self, name: &str, extent: usize) -> Self {
                self.with_all([(name, extent)])
            }

            /// Gives the extents of several names, for example those of [`named_extents`].
            ///
            /// ```
            #[doc = concat!("use layout_arrays::", stringify!($name), ";")]
            #[doc = concat!("let named = ", stringify!($name), "::new(\"(h w p) -> p w h\")?;")]
            /// assert_eq!(named.with_all([("p", 4), ("w", 2)]).shape(&[24])?, [4, 2, 3]);
            /// # Ok::<(), layout_arrays::ArrayError>(())
            /// ```
            #[must_use]
            pub fn with_all<N: Into<String>>(
                mut self,
                extents: impl IntoIterator<Item = (N, usize)>,
            ) -> Self {
                self.given.extend(extents.into_iter().map(|(name, extent)| (name.into(), extent)));
                self
            }

            /// The shape of the result for an array of this shape.
            ///
            /// # Errors
            /// A shape that does not fit the left side, or extents that cannot be inferred.
            ///
            /// ```
            #[doc = concat!("use layout_arrays::", stringify!($name), ";")]
            #[doc = concat!("let turned = ", stringify!($name), "::new(\"a ... -> ... a\")?;")]
            /// assert_eq!(turned.shape(&[2, 3, 4])?, [3, 4, 2]);
            /// # Ok::<(), layout_arrays::ArrayError>(())
            /// ```
            pub fn shape(&self, shape: &[usize]) -> Result<Vec<usize>, ArrayError> {
                self.bind(shape)?.shape()
            }

            /// The pattern bound to a shape.
            pub(crate) fn bind(&self, shape: &[usize]) -> Result<Bound, ArrayError> {
                self.pattern.bind(shape, &self.given)
            }
        }
    )*};
}

patterns! {
    /// Splits, permutes and merges named axes: einops' `rearrange`.
    ///
    /// Law: the element at a coordinate of the right side is the array's element at the coordinate
    /// of the left side in which every name has the same value; the last part in parentheses is the
    /// fastest.
    ///
    /// A name occurs once on each side, `(h p)` is one axis of two parts, `...` all remaining axes,
    /// `1` and `()` an axis of one element. Extents that cannot be inferred from the shape are
    /// given by [`with`](Self::with).
    ///
    /// ```
    /// use layout_arrays::{ArrayLayout, Rearrange};
    /// let images = ArrayLayout::row_major(&[8, 32, 48, 3])?;
    /// let planes = Rearrange::new("b h w c -> b c h w")?.view(&images)?;
    /// assert_eq!(planes.to_string(), "(8,3,32,48):(4608,1,144,3)");
    ///
    /// let patches = Rearrange::new("b (h p) (w q) c -> b h w p q c")?.with("p", 16).with("q", 16);
    /// assert_eq!(patches.view(&images)?.shape(), [8, 2, 3, 16, 16, 3]);
    /// let rows = Rearrange::new("b (h p) (w q) c -> (b h w) (p q c)")?;
    /// assert_eq!(
    ///     rows.with("p", 16).with("q", 16).view(&images).unwrap_err().to_string(),
    ///     "a copy is needed: axis `p` (extent 16, stride 144) and axis `q` (extent 16, stride 3) \
    ///      have one stride only if the stride of axis `p` is 16 * 3"
    /// );
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    Rearrange, [false, false],
    /// Reads a pattern.
    ///
    /// # Errors
    /// An invalid pattern, with the place: a name on one side only or twice on one side, unmatched
    /// or nested parentheses, a number other than 1.
    ///
    /// ```
    /// use layout_arrays::Rearrange;
    /// let error = Rearrange::new("b (h p w -> b h p w").unwrap_err();
    /// assert_eq!(error.to_string(), "`(` without `)`\n  b (h p w -> b h p w\n    ^");
    /// ```
    ;
    /// Repeats and rearranges named axes: einops' `repeat`.
    ///
    /// Law: that of [`Rearrange`]; names on the right side only do not affect the element. Their
    /// extents are given by [`with`](Self::with), or by a number in place of the name.
    ///
    /// ```
    /// use layout_arrays::{ArrayLayout, Repeat};
    /// let grey = ArrayLayout::row_major(&[30, 40])?;
    /// let rgb = Repeat::new("h w -> h w c")?.with("c", 3).view(&grey)?;
    /// assert_eq!(rgb.to_string(), "(30,40,3):(40,1,0)");
    ///
    /// let t = ArrayLayout::row_major(&[2])?.tensor([1, 2])?;
    /// let each_twice = Repeat::new("w -> (w 2)")?.copy_tensor(&t)?;
    /// assert_eq!(each_twice.into_storage(), [1, 1, 2, 2]);
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    Repeat, [false, true],
    /// Reads a pattern.
    ///
    /// # Errors
    /// Those of [`Rearrange::new`]; a name on the left side only.
    ///
    /// ```
    /// use layout_arrays::Repeat;
    /// let error = Repeat::new("h w -> h").unwrap_err();
    /// assert_eq!(error.to_string(), "axis `w` is on the left side only\n  h w -> h\n    ^");
    /// ```
    ;
    /// Reduces some named axes and rearranges the others: einops' `reduce`.
    ///
    /// Law: the element at a coordinate of the right side is reduced from all elements of the array
    /// whose remaining names have the same values, in the order of the left side.
    ///
    /// ```
    /// use layout_arrays::{ArrayLayout, Reduce};
    /// let t = ArrayLayout::row_major(&[2, 4])?.tensor([1, 5, 2, 2, 0, 1, 9, 3])?;
    /// let pooled = Reduce::new("h (w 2) -> h w")?.max(&t)?; // the larger of each two
    /// assert_eq!(pooled.into_storage(), [5, 2, 1, 9]);
    /// assert_eq!(Reduce::new("h w -> w")?.sum(&t)?.into_storage(), [1, 6, 11, 5]);
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    Reduce, [true, false],
    /// Reads a pattern.
    ///
    /// # Errors
    /// Those of [`Rearrange::new`]; a name on the right side only.
    ///
    /// ```
    /// use layout_arrays::Reduce;
    /// let error = Reduce::new("h w -> h c").unwrap_err();
    /// let why = "axis `c` is on the right side only\n  h w -> h c\n           ^";
    /// assert_eq!(error.to_string(), why);
    /// ```
    ;
}

/// Refuses names, and `...`, that are on one side only, unless `may_be_alone` allows it.
fn check_sides(pattern: &Pattern, may_be_alone: [bool; 2]) -> Result<(), PatternError> {
    const SIDES: [&str; 2] = ["left", "right"];
    for (axis, name) in pattern.names.iter().enumerate() {
        let Some(side) = (0..2).find(|&side| name.on[side] && !name.on[1 - side]) else { continue };
        if !may_be_alone[side] {
            let (text, side) = (pattern.name(axis), SIDES[side]);
            let why = match name.number {
                Some(number) => format!("an axis of {number} elements has no name to find it by"),
                None => format!("axis `{text}` is on the {side} side only"),
            };
            return Err(pattern.error(name.at.clone(), why));
        }
    }
    match pattern.text.find(ELLIPSIS) {
        Some(at) if !pattern.has_ellipsis(1) && !may_be_alone[0] => {
            Err(pattern.error(at..at + ELLIPSIS.len(), "`...` is on the left side only"))
        }
        _ => Ok(()),
    }
}

/// Common parts of [`Rearrange`] and [`Repeat`].
macro_rules! views {
    ($($name:ident)*) => {$(
        impl $name {
            /// The result as a view: another layout for the same elements.
            ///
            /// # Errors
            /// [`NeedsCopy`](crate::NeedsCopy) with the names of two axes that do not fold; a shape
            /// that does not fit the left side; more than 32 axes.
            ///
            /// ```
            #[doc = concat!("use layout_arrays::{ArrayLayout, ", stringify!($name), "};")]
            /// let l = ArrayLayout::row_major(&[2, 3, 4])?;
            #[doc = concat!("let turned = ", stringify!($name), "::new(\"a ... -> ... a\")?;")]
            /// assert_eq!(turned.view(&l)?, l.permute(&[1, 2, 0])?);
            /// # Ok::<(), layout_arrays::ArrayError>(())
            /// ```
            pub fn view(&self, layout: &ArrayLayout) -> Result<ArrayLayout, ArrayError> {
                self.bind(layout.shape())?.view(layout)
            }

            /// The result as a view of a tensor; each leaf of the tensor's layout is an axis.
            ///
            /// # Errors
            /// Those of [`view`](Self::view) and of [`HasAxes::axes`].
            ///
            /// ```
            /// use layout_algebra::prelude::*;
            #[doc = concat!("use layout_arrays::", stringify!($name), ";")]
            /// let t = Tensor::fixed([0, 1, 2, 3, 4, 5], layout!((2, 3): right));
            #[doc = concat!("let turn = ", stringify!($name), "::new(\"a b -> b a\")?;")]
            /// let turned = turn.view_tensor(&t)?;
            /// assert_eq!((turned[(0, 1)], turned[(2, 0)]), (3, 2));
            /// # Ok::<(), layout_arrays::ArrayError>(())
            /// ```
            pub fn view_tensor<'a, S: Storage, L: HasAxes>(
                &self,
                tensor: &'a Tensor<S, L>,
            ) -> Result<Tensor<S::View<'a>, DynComposedLayout>, ArrayError> {
                let view = self.view(&tensor.layout().axes()?)?;
                // SAFETY: each coordinate of the view has the offset of a coordinate of the axes,
                // which are those of the tensor's layout.
                Ok(unsafe { view_elements(tensor, &view) })
            }

            /// The result in new memory, the last axis the fastest: the elements of the view, even
            /// if no view exists.
            ///
            /// # Errors
            /// A shape that does not fit the left side; more than 32 axes, names counted one by
            /// one.
            ///
            /// ```
            /// use layout_algebra::prelude::*;
            #[doc = concat!("use layout_arrays::", stringify!($name), ";")]
            /// let t = Tensor::fixed([0, 1, 2, 3, 4, 5], layout!((2, 3): right));
            #[doc = concat!("let turn = ", stringify!($name), "::new(\"a b -> (b a)\")?;")]
            /// let turned = turn.copy_tensor(&t)?;
            /// assert_eq!(turned.into_storage(), [0, 3, 1, 4, 2, 5]);
            /// # Ok::<(), layout_arrays::ArrayError>(())
            /// ```
            pub fn copy_tensor<S: Storage<Item: Clone>, L: HasAxes>(
                &self,
                tensor: &Tensor<S, L>,
            ) -> Result<Tensor<Vec<S::Item>, DynLayout>, ArrayError> {
                let axes = tensor.layout().axes()?;
                let bound = self.bind(axes.shape())?;
                let (elementary, _) = bound.elementary(&axes)?;
                // SAFETY: as in `view_tensor`.
                let elements = unsafe { read_elements(tensor, &elementary) };
                row_major_tensor(&bound.shape()?, elements.cloned().collect())
            }
        }
    )*};
}
views! { Rearrange Repeat }

impl Rearrange {
    /// The result as a mutable view of a tensor.
    ///
    /// # Errors
    /// Those of [`view_tensor`](Self::view_tensor).
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_arrays::Rearrange;
    /// let mut t = Tensor::filled(layout!((2, 6): right), 0);
    /// let pairs = Rearrange::new("h (w p) -> p h w")?.with("p", 2);
    /// pairs.view_tensor_mut(&mut t)?.slice_mut((1, .., ..)).fill(7);
    /// assert_eq!(t.into_storage(), [0, 7, 0, 7, 0, 7, 0, 7, 0, 7, 0, 7]);
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn view_tensor_mut<'a, S: StorageMut, L: HasAxes>(
        &self,
        tensor: &'a mut Tensor<S, L>,
    ) -> Result<Tensor<S::ViewMut<'a>, DynComposedLayout>, ArrayError> {
        let view = self.view(&tensor.layout().axes()?)?;
        // SAFETY: as in `view_tensor`.
        Ok(unsafe { view_elements_mut(tensor, &view) })
    }
}

/// Elements that have a mean: `f32` and `f64`.
///
/// ```
/// use layout_arrays::Mean;
/// assert_eq!(f32::mean_of(6.0, 4), 1.5);
/// ```
#[diagnostic::on_unimplemented(
    message = "elements of this type have no mean",
    label = "`{Self}`: neither `f32` nor `f64`",
    note = "`map` makes a tensor of other elements: `tensor.map(|x| x as f64)`"
)]
pub trait Mean: Copy + for<'a> Sum<&'a Self> {
    /// A sum divided by the number of its terms.
    fn mean_of(sum: Self, count: usize) -> Self;
}
impl Mean for f32 {
    fn mean_of(sum: f32, count: usize) -> f32 {
        sum / count as f32
    }
}
impl Mean for f64 {
    fn mean_of(sum: f64, count: usize) -> f64 {
        sum / count as f64
    }
}

/// `y` if it comes ahead of `x` or is NaN; `x` if `x` is NaN.
fn later_if<T: PartialOrd + Copy>(x: T, y: T, ahead: impl Fn(&T, &T) -> bool) -> T {
    let is_number = |x: &T| x.partial_cmp(x).is_some();
    if !is_number(&x) || (is_number(&y) && !ahead(&y, &x)) { x } else { y }
}

impl Reduce {
    /// The layout with the axes of the result, followed by the reduced axes in the order of the
    /// left side.
    ///
    /// # Errors
    /// Those of [`Rearrange::view`].
    ///
    /// ```
    /// use layout_arrays::{ArrayLayout, Reduce};
    /// let image = ArrayLayout::row_major(&[4, 6])?;
    /// let blocks = Reduce::new("(h 2) (w 3) -> h w")?.view(&image)?;
    /// assert_eq!(blocks.to_string(), "(2,2,2,3):(12,3,6,1)");
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn view(&self, layout: &ArrayLayout) -> Result<ArrayLayout, ArrayError> {
        self.bind(layout.shape())?.view(layout)
    }

    /// Computes each element of the result by `f`, from an iterator over the elements to reduce.
    ///
    /// # Errors
    /// A shape that does not fit the left side; more than 32 axes, names counted one by one.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_arrays::Reduce;
    /// let t = Tensor::fixed([3, 1, 2, 4, 6, 5], layout!((2, 3): right));
    /// let columns = Reduce::new("h w -> w")?.reduce_by(&t, |column| column.is_sorted())?;
    /// assert_eq!(columns.into_storage(), [true, true, true]);
    /// let rows = Reduce::new("h w -> h")?.reduce_by(&t, |row| row.is_sorted())?;
    /// assert_eq!(rows.into_storage(), [false, false]);
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn reduce_by<S: Storage, L: HasAxes, U>(
        &self,
        tensor: &Tensor<S, L>,
        mut f: impl FnMut(&mut Elements<'_, S::Item>) -> U,
    ) -> Result<Tensor<Vec<U>, DynLayout>, ArrayError> {
        let axes = tensor.layout().axes()?;
        let bound = self.bind(axes.shape())?;
        let (shape, (elementary, gone)) = (bound.shape()?, bound.elementary(&axes)?);
        let kept = elementary.rank() - gone;
        let count: usize = elementary.shape()[kept..].iter().product();
        // SAFETY: each coordinate has the offset of a coordinate of the axes, which are those of
        // the tensor's layout.
        let mut elements = unsafe { read_elements(tensor, &elementary) };
        let mut reduced = Vec::new();
        for _ in 0..elementary.shape()[..kept].iter().product() {
            elements.begin_part(count);
            reduced.push(f(&mut elements));
            // Skips the elements that `f` has not consumed.
            elements.by_ref().for_each(drop);
        }
        row_major_tensor(&shape, reduced)
    }

    /// Reduces with a function of two elements, from the first element on.
    ///
    /// # Errors
    /// Those of [`reduce_by`](Self::reduce_by), and a reduction of no elements.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_arrays::Reduce;
    /// let t = Tensor::fixed([7, 1, 2, 4], layout!((2, 2): right));
    /// let differences = Reduce::new("h w -> h")?.reduce(&t, |x, y| x - y)?;
    /// assert_eq!(differences.into_storage(), [6, -2]);
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn reduce<S: Storage<Item: Copy>, L: HasAxes>(
        &self,
        tensor: &Tensor<S, L>,
        f: impl Fn(S::Item, S::Item) -> S::Item,
    ) -> Result<Tensor<Vec<S::Item>, DynLayout>, ArrayError> {
        let axes = tensor.layout().axes()?;
        let bound = self.bind(axes.shape())?;
        let (shape, (elementary, gone)) = (bound.shape()?, bound.elementary(&axes)?);
        if elementary.shape()[elementary.rank() - gone..].contains(&0) {
            let text = &self.pattern.text;
            let why = format!("`{text}` reduces no elements to one");
            return Err(self.pattern.error(0..text.len(), why).into());
        }
        let reduced = self.reduce_by(tensor, |part| part.copied().reduce(&f))?;
        // Every part has an element.
        row_major_tensor(&shape, reduced.into_storage().into_iter().flatten().collect())
    }

    /// The sums; 0 for no elements.
    ///
    /// # Errors
    /// Those of [`reduce_by`](Self::reduce_by).
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_arrays::Reduce;
    /// let t = Tensor::fixed([1, 2, 3, 4], layout!((2, 2): right));
    /// assert_eq!(Reduce::new("h w -> h")?.sum(&t)?.into_storage(), [3, 7]);
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn sum<T: for<'a> Sum<&'a T>, S: Storage<Item = T>, L: HasAxes>(
        &self,
        tensor: &Tensor<S, L>,
    ) -> Result<Tensor<Vec<T>, DynLayout>, ArrayError> {
        self.reduce_by(tensor, |part| part.sum())
    }

    /// The products; 1 for no elements.
    ///
    /// # Errors
    /// Those of [`reduce_by`](Self::reduce_by).
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_arrays::Reduce;
    /// let t = Tensor::fixed([1, 2, 3, 4], layout!((2, 2): right));
    /// assert_eq!(Reduce::new("h w -> w")?.product(&t)?.into_storage(), [3, 8]);
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn product<T: for<'a> Product<&'a T>, S: Storage<Item = T>, L: HasAxes>(
        &self,
        tensor: &Tensor<S, L>,
    ) -> Result<Tensor<Vec<T>, DynLayout>, ArrayError> {
        self.reduce_by(tensor, |part| part.product())
    }

    /// The means of floating-point numbers; NaN for no elements.
    ///
    /// # Errors
    /// Those of [`reduce_by`](Self::reduce_by).
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_arrays::Reduce;
    /// let t = Tensor::fixed([1.0, 2.0, 3.0, 4.0], layout!((2, 2): right));
    /// assert_eq!(Reduce::new("h w -> h 1")?.mean(&t)?.into_storage(), [1.5, 3.5]);
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn mean<S: Storage<Item: Mean>, L: HasAxes>(
        &self,
        tensor: &Tensor<S, L>,
    ) -> Result<Tensor<Vec<S::Item>, DynLayout>, ArrayError> {
        self.reduce_by(tensor, |part| {
            let mut count = 0;
            let sum = part.inspect(|_| count += 1).sum();
            S::Item::mean_of(sum, count)
        })
    }

    /// The largest elements; NaN if an element is NaN, as in NumPy.
    ///
    /// # Errors
    /// Those of [`reduce`](Self::reduce).
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_arrays::Reduce;
    /// let t = Tensor::fixed([1, 2, 4, 3], layout!((2, 2): right));
    /// assert_eq!(Reduce::new("h w -> h")?.max(&t)?.into_storage(), [2, 4]);
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn max<S: Storage<Item: PartialOrd + Copy>, L: HasAxes>(
        &self,
        tensor: &Tensor<S, L>,
    ) -> Result<Tensor<Vec<S::Item>, DynLayout>, ArrayError> {
        self.reduce(tensor, |x, y| later_if(x, y, |y, x| y > x))
    }

    /// The least elements; NaN if an element is NaN, as in NumPy.
    ///
    /// # Errors
    /// Those of [`reduce`](Self::reduce).
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_arrays::Reduce;
    /// let t = Tensor::fixed([1.0, 2.0, 4.0, f64::NAN], layout!((2, 2): right));
    /// let least = Reduce::new("h w -> h")?.min(&t)?;
    /// assert!(least[0] == 1.0 && least[1].is_nan());
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn min<S: Storage<Item: PartialOrd + Copy>, L: HasAxes>(
        &self,
        tensor: &Tensor<S, L>,
    ) -> Result<Tensor<Vec<S::Item>, DynLayout>, ArrayError> {
        self.reduce(tensor, |x, y| later_if(x, y, |y, x| y < x))
    }

    /// Whether any element is true.
    ///
    /// # Errors
    /// Those of [`reduce_by`](Self::reduce_by).
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_arrays::Reduce;
    /// let t = Tensor::fixed([true, false, false, false], layout!((2, 2): right));
    /// assert_eq!(Reduce::new("h w -> h")?.any(&t)?.into_storage(), [true, false]);
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn any<S: Storage<Item = bool>, L: HasAxes>(
        &self,
        tensor: &Tensor<S, L>,
    ) -> Result<Tensor<Vec<bool>, DynLayout>, ArrayError> {
        self.reduce_by(tensor, |part| part.any(|&x| x))
    }

    /// Whether all elements are true.
    ///
    /// # Errors
    /// Those of [`reduce_by`](Self::reduce_by).
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_arrays::Reduce;
    /// let t = Tensor::fixed([true, false, true, true], layout!((2, 2): right));
    /// assert_eq!(Reduce::new("h w -> h")?.all(&t)?.into_storage(), [false, true]);
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn all<S: Storage<Item = bool>, L: HasAxes>(
        &self,
        tensor: &Tensor<S, L>,
    ) -> Result<Tensor<Vec<bool>, DynLayout>, ArrayError> {
        self.reduce_by(tensor, |part| part.all(|&x| x))
    }
}
