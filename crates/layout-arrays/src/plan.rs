//! Copies between arrays by the plans of `layout-relayout`.

use alloc::vec::Vec;

use bytemuck::Pod;
use core::ops::{Add, Range};
use layout_algebra::DynLayout;
use layout_relayout::{Relayout, RelayoutError};

use crate::error::ArrayError;
use crate::layout::ArrayLayout;
use crate::names::{Rearrange, Reduce, Repeat};

/// A planned copy from one array to another of the same shape, at the speed of memory, by
/// `layout-relayout`.
///
/// Law: after [`run`](Self::run), `to[T.offset_at(c)] == from[F.offset_at(c)]` for every coordinate
/// `c`, and nothing else has changed. If two coordinates of `to` share an element, the later
/// coordinate wins, with the last axis the fastest.
///
/// ```
/// use layout_arrays::{ArrayLayout, CopyPlan};
/// let picture = ArrayLayout::from_parts(&[2, 3, 2], &[8, 2, 1], 0)?; // rows of 8 bytes
/// let planes = ArrayLayout::row_major(&[2, 2, 3])?.permute(&[1, 2, 0])?;
/// let plan = CopyPlan::new(&picture, &planes, size_of::<u8>())?;
/// let bytes = [0, 1, 2, 3, 4, 5, 0, 0, 6, 7, 8, 9, 10, 11_u8];
/// let mut found = [0; 12];
/// plan.run(&bytes, &mut found)?;
/// assert_eq!(found, [0, 2, 4, 6, 8, 10, 1, 3, 5, 7, 9, 11]);
/// # Ok::<(), layout_arrays::ArrayError>(())
/// ```
#[derive(Clone, Debug)]
pub struct CopyPlan {
    plan: Relayout,
    shape: Vec<usize>,
    /// The elements that the plan reads and writes.
    spans: [Range<usize>; 2],
}

/// The layout relative to its least offset, transposed to the algebra's order of modes.
fn from_least_offset(layout: &ArrayLayout) -> Result<DynLayout, ArrayError> {
    let mut moved = layout.transpose();
    moved.offset -= layout.span().start;
    DynLayout::try_from(&moved)
}

impl CopyPlan {
    /// The plan for elements of `element` bytes.
    ///
    /// # Errors
    /// Two shapes, and bytes that leave `isize`.
    ///
    /// ```
    /// use layout_arrays::{ArrayLayout, CopyPlan};
    /// let (a, b) = (ArrayLayout::row_major(&[2, 3])?, ArrayLayout::row_major(&[3, 2])?);
    /// assert!(CopyPlan::new(&a, &b.transpose(), 4).is_ok());
    /// let error = CopyPlan::new(&a, &b, 4).unwrap_err();
    /// assert_eq!(error.to_string(), "no copy from the shape [2, 3] to the shape [3, 2]");
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn new(from: &ArrayLayout, to: &ArrayLayout, element: usize) -> Result<Self, ArrayError> {
        if from.shape() != to.shape() {
            return Err(ArrayError::Shapes { from: from.shape().into(), to: to.shape().into() });
        }
        let plan = Relayout::plan(&from_least_offset(from)?, &from_least_offset(to)?, element)?;
        Ok(CopyPlan { plan, shape: to.shape().into(), spans: [from.span(), to.span()] })
    }

    /// The shape of both arrays; for a reduction, the shape of the result.
    ///
    /// ```
    /// use layout_arrays::{ArrayLayout, Rearrange};
    /// let image = ArrayLayout::row_major(&[2, 3, 4])?;
    /// let plan = Rearrange::new("h w c -> c (h w)")?.plan(&image, 1)?;
    /// assert_eq!(plan.shape(), [4, 6]);
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The underlying plan, whose slices begin at the least offset of each array.
    ///
    /// ```
    /// use layout_arrays::{ArrayLayout, Rearrange};
    /// let plan = Rearrange::new("h w -> w h")?.plan(&ArrayLayout::row_major(&[64, 64])?, 4)?;
    /// assert!(plan.relayout().to_string().starts_with("transpose 64 x 64"));
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn relayout(&self) -> &Relayout {
        &self.plan
    }

    /// The parts of both slices that the plan uses.
    fn parts<'f, 't, T>(
        &self,
        from: &'f [T],
        to: &'t mut [T],
    ) -> Result<(&'f [T], &'t mut [T]), ArrayError> {
        let [read, written] = self.spans.clone();
        let (given, room) = (from.len(), to.len());
        let from = from.get(read.clone());
        let from = from.ok_or(ArrayError::Length { needed: read.end, given })?;
        let to = to.get_mut(written.clone());
        Ok((from, to.ok_or(ArrayError::Length { needed: written.end, given: room })?))
    }

    /// Copies every element.
    ///
    /// # Errors
    /// A slice that is too short, and elements of another size than the plan's; nothing has been
    /// written then.
    ///
    /// ```
    /// use layout_arrays::{ArrayLayout, Rearrange};
    /// let plan = Rearrange::new("h w -> w h")?.plan(&ArrayLayout::row_major(&[2, 3])?, 4)?;
    /// let mut to = [0_u32; 6];
    /// plan.run(&[0_u32, 1, 2, 3, 4, 5], &mut to)?;
    /// assert_eq!(to, [0, 3, 1, 4, 2, 5]);
    /// let error = plan.run(&[0_u32; 5], &mut to).unwrap_err();
    /// assert_eq!(error.to_string(), "the array reaches 6 elements, and there are 5");
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn run<T: Pod>(&self, from: &[T], to: &mut [T]) -> Result<(), ArrayError> {
        let (from, to) = self.parts(from, to)?;
        Ok(self.plan.run(from, to)?)
    }

    /// Reduces all elements into the result with `f`, which has to be associative and commutative;
    /// the old elements of the result are included.
    ///
    /// # Errors
    /// Those of [`run`](Self::run).
    ///
    /// ```
    /// use layout_arrays::{ArrayLayout, Reduce};
    /// let plan = Reduce::new("h w -> h")?.plan(&ArrayLayout::row_major(&[2, 3])?, 8)?;
    /// let mut products = [1, 10];
    /// plan.reduce(&[1_u64, 2, 3, 4, 5, 6], &mut products, |x, y| x * y)?;
    /// assert_eq!(products, [6, 1200]);
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn reduce<T: Pod>(
        &self,
        from: &[T],
        to: &mut [T],
        f: impl Fn(T, T) -> T,
    ) -> Result<(), ArrayError> {
        let (from, to) = self.parts(from, to)?;
        Ok(self.plan.reduce(from, to, f)?)
    }

    /// Sums all elements for each element of the result. The plan determines the order in which
    /// floating-point numbers are added.
    ///
    /// # Errors
    /// Those of [`run`](Self::run).
    ///
    /// ```
    /// use layout_arrays::{ArrayLayout, Reduce};
    /// let plan = Reduce::new("h w -> w")?.plan(&ArrayLayout::row_major(&[2, 3])?, 4)?;
    /// let mut sums = [0; 3];
    /// plan.sum(&[1, 2, 3, 4, 5, 6], &mut sums)?;
    /// assert_eq!(sums, [5, 7, 9]);
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn sum<T: Pod + Add<Output = T>>(
        &self,
        from: &[T],
        to: &mut [T],
    ) -> Result<(), ArrayError> {
        let (from, to) = self.parts(from, to)?;
        // Without elements the plan would write nothing.
        if from.is_empty() {
            to.fill(T::zeroed());
        }
        Ok(self.plan.sum(from, to)?)
    }

    /// The largest element for each element of the result; NaN is ignored unless it comes first.
    ///
    /// # Errors
    /// Those of [`run`](Self::run).
    ///
    /// ```
    /// use layout_arrays::{ArrayLayout, Reduce};
    /// let plan = Reduce::new("h (w 2) -> h w")?.plan(&ArrayLayout::row_major(&[1, 4])?, 4)?;
    /// let mut largest = [0; 2];
    /// plan.max(&[1, 5, 7, 3], &mut largest)?;
    /// assert_eq!(largest, [5, 7]);
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn max<T: Pod + PartialOrd>(&self, from: &[T], to: &mut [T]) -> Result<(), ArrayError> {
        let (from, to) = self.parts(from, to)?;
        Ok(self.plan.max(from, to)?)
    }
}

macro_rules! plans {
    ($($name:ident $pattern:literal $from:literal $to:literal;)*) => {$(
        impl $name {
            /// The plan of a copy to a compact array, the last axis the fastest, for elements of
            /// `element` bytes.
            ///
            /// # Errors
            /// A shape that does not fit the left side; more than 32 axes, names counted one by
            /// one.
            ///
            /// ```
            #[doc = concat!("use layout_arrays::{ArrayLayout, ", stringify!($name), "};")]
            #[doc = concat!("let pattern = ", stringify!($name), "::new(\"", $pattern, "\")?;")]
            #[doc = concat!("let plan = pattern.plan(&ArrayLayout::row_major(&", $from, ")?, 2)?;")]
            #[doc = concat!("assert_eq!(plan.shape(), ", $to, ");")]
            /// # Ok::<(), layout_arrays::ArrayError>(())
            /// ```
            pub fn plan(&self, layout: &ArrayLayout, element: usize) -> Result<CopyPlan, ArrayError> {
                let bound = self.bind(layout.shape())?;
                let (shape, (from, gone)) = (bound.shape()?, bound.elementary(layout)?);
                // The reduced axes have stride 0 in the result.
                let kept = from.rank() - gone;
                let to = ArrayLayout::row_major(&from.shape()[..kept])?;
                let to = [to.strides(), &[0; 32][..gone]].concat();
                let to = ArrayLayout::from_parts(from.shape(), &to, 0)?;
                let mut plan = CopyPlan::new(&from, &to, element)?;
                // The whole result, even if there are no elements to reduce.
                plan.spans[1] = 0..shape.iter().product();
                plan.shape = shape;
                Ok(plan)
            }
        }
    )*};
}
plans! {
    Rearrange "h w c -> c (h w)" "[2, 3, 4]" "[4, 6]";
    Repeat "h w -> h (w 2)" "[2, 3]" "[2, 6]";
    Reduce "h w c -> c" "[2, 3, 4]" "[4]";
}

impl From<RelayoutError> for ArrayError {
    fn from(error: RelayoutError) -> Self {
        ArrayError::Relayout(alloc::boxed::Box::new(error))
    }
}
