//! Products of two arrays summed over axes: einsum, planned as products of matrices.

mod reason;

mod pattern;

mod kernel;
mod sort;

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use std::sync::OnceLock;

use self::kernel::{Arrays, Kernel};
use self::pattern::{Axis, bind};
use self::reason::{LEFT, OPERANDS, RESULT, RIGHT};
use self::sort::{Sorting, names_of};
use crate::error::ArrayError;
use crate::foreign::ContractionElement;
use crate::layout::ArrayLayout;
use crate::plan::CopyPlan;

pub use self::reason::{CopyReason, Operand, OperandCopy};

/// A product of two arrays, summed over the axes that the result lacks: a planned `einsum`.
///
/// Law: `c[i, j, ..] = sum of a[its names] * b[its names]` over all values of the names that the
/// result lacks.
///
/// Spaces separate the names of an array, a comma the two arrays; `...` stands for all remaining
/// axes, paired from the last one. An axis of all three arrays belongs to the batch, an axis of the
/// left array and the result to `m`, of the right array and the result to `n`, of the two arrays to
/// `k`: `run` multiplies (m, k) by (k, n) matrices with the crate `gemm`, on one thread. An axis of
/// one array alone is summed first. **A name twice in one array is its diagonal**; in the result it
/// is an error. Axes with one name have equal extents: an extent of 1 is not broadcast.
///
/// Each group of axes is folded to one stride if the layouts allow it; some outer axes become
/// loops; otherwise an array is copied by a plan of `layout-relayout`. [`copies`](Self::copies)
/// says which array and why.
///
/// ```
/// use layout_arrays::{ArrayLayout, Contraction};
/// let (a, b) = (ArrayLayout::row_major(&[2, 2, 3])?, ArrayLayout::row_major(&[2, 3, 2])?);
/// let plan = Contraction::plan("b i k, b k j -> b i j", &a, &b)?;
/// assert_eq!((plan.shape(), plan.copies()), (&[2, 2, 2][..], &[][..]));
///
/// let numbers: Vec<f64> = (0..12).map(f64::from).collect();
/// let mut c = [0.0; 8];
/// plan.run(&numbers, &numbers, &mut c)?;
/// assert_eq!(c, [10.0, 13.0, 28.0, 40.0, 172.0, 193.0, 244.0, 274.0]);
/// # Ok::<(), layout_arrays::ArrayError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Contraction {
    pattern: String,
    shape: Vec<usize>,
    /// The elements that each array spans.
    reached: [usize; 3],
    /// The names and the extents of batch, m, n and k.
    groups: [(String, usize); 4],
    reasons: Vec<OperandCopy>,
    copies: [Option<OperandPlan>; 3],
    result: ArrayLayout,
    /// The offset of the first element of each array, for the kernel.
    first: [usize; 3],
    kernel: Kernel,
}

/// The copy of an operand to a compact array, or of the result from one, with a plan for each
/// element size.
#[derive(Clone, Debug)]
struct OperandPlan {
    from: ArrayLayout,
    to: ArrayLayout,
    sums: bool,
    /// The elements of the compact copy.
    size: usize,
    plans: [OnceLock<CopyPlan>; 3],
}

impl OperandPlan {
    fn plan<T>(&self) -> Result<&CopyPlan, ArrayError> {
        let slot = &self.plans[size_of::<T>().trailing_zeros().saturating_sub(2).min(2) as usize];
        if let Some(plan) = slot.get() {
            return Ok(plan);
        }
        let plan = CopyPlan::new(&self.from, &self.to, size_of::<T>())?;
        Ok(slot.get_or_init(|| plan))
    }
}

impl Contraction {
    /// The plan for a compact result, the last axis the fastest.
    ///
    /// # Errors
    /// An invalid pattern, with the place; an array with another number of axes; one name with two
    /// extents; a result of more than 32 axes or more than `isize::MAX` elements.
    ///
    /// ```
    /// use layout_arrays::{ArrayLayout, Contraction};
    /// let (a, b) = (ArrayLayout::row_major(&[4, 5])?, ArrayLayout::row_major(&[6, 3])?);
    /// let error = Contraction::plan("i k, k j -> i j", &a, &b).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "axis `k` has the extent 6 in the right array, and 5 in the left array\n  \
    ///      i k, k j -> i j\n       ^"
    /// );
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn plan(
        pattern: &str,
        left: &ArrayLayout,
        right: &ArrayLayout,
    ) -> Result<Self, ArrayError> {
        Self::new(pattern, [left, right], None)
    }

    /// The plan for a result of any layout.
    ///
    /// # Errors
    /// Those of [`plan`](Self::plan); a result of another shape, or two of whose coordinates share
    /// an element.
    ///
    /// ```
    /// use layout_arrays::{ArrayLayout, Contraction};
    /// let (a, b) = (ArrayLayout::row_major(&[2])?, ArrayLayout::row_major(&[3])?);
    /// let columns = ArrayLayout::column_major(&[2, 3])?;
    /// let mut c = [0.0_f32; 6];
    /// Contraction::plan_into("i, j -> i j", &a, &b, &columns)?.run(
    ///     &[1.0, 10.0],
    ///     &[2.0, 3.0, 4.0],
    ///     &mut c,
    /// )?;
    /// assert_eq!(c, [2.0, 20.0, 3.0, 30.0, 4.0, 40.0]);
    ///
    /// let shared = ArrayLayout::from_parts(&[2, 3], &[1, 1], 0)?;
    /// let error = Contraction::plan_into("i, j -> i j", &a, &b, &shared).unwrap_err();
    /// assert_eq!(error.to_string(), "two coordinates of (2,3):(1,1) may share an element");
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn plan_into(
        pattern: &str,
        left: &ArrayLayout,
        right: &ArrayLayout,
        result: &ArrayLayout,
    ) -> Result<Self, ArrayError> {
        Self::new(pattern, [left, right], Some(result))
    }

    fn new(
        pattern: &str,
        inputs: [&ArrayLayout; 2],
        result: Option<&ArrayLayout>,
    ) -> Result<Self, ArrayError> {
        let (mut axes, order) = bind(pattern, inputs)?;
        let shape: Vec<usize> = order.iter().map(|&axis| axes[axis].extent).collect();
        let result = match result {
            None => ArrayLayout::row_major(&shape)?,
            Some(result) if result.shape() != shape => {
                return Err(ArrayError::ResultShape { shape, given: result.shape().into() });
            }
            Some(result) if result.overlaps() => {
                return Err(ArrayError::Overlap { layout: alloc::format!("{result}") });
            }
            Some(result) => result.clone(),
        };
        for (&axis, &stride) in order.iter().zip(result.strides()) {
            axes[axis].by[RESULT] = stride;
        }
        let arrays = [inputs[0], inputs[1], &result];
        let mut first = arrays.map(ArrayLayout::offset);
        let is_empty = axes.iter().any(|axis| axis.extent == 0);
        let moving = axes.into_iter().filter(|axis| axis.extent > 1 && !is_empty);
        // Axes are reversed so that the strides of the result are positive, or those of the left
        // array if the result does not have the axis.
        let forwards = moving.map(|mut axis| {
            let leading = if axis.of[RESULT] { RESULT } else { LEFT };
            if axis.by[leading] < 0 {
                for (first, by) in first.iter_mut().zip(&mut axis.by) {
                    let reach = by.wrapping_mul(axis.extent as isize - 1);
                    (*first, *by) = (first.wrapping_add_signed(reach), by.wrapping_neg());
                }
            }
            axis
        });
        let sorting = Sorting::new(forwards.collect::<Vec<Axis>>().into_iter());
        let groups = [&sorting.batch, &sorting.m, &sorting.n, &sorting.k]
            .map(|group| (names_of(group), group.iter().map(|axis| axis.extent).product()));
        let sums = sorting.sums.clone();
        let (sorting, kernel) = sorting.kernel();
        let kernel = if is_empty { Kernel::Zeros } else { kernel };
        let mut copies = [None, None, None];
        for (array, axes) in sorting.orders.into_iter().enumerate() {
            let Some(axes) = axes else { continue };
            let sums = sums.get(array).map_or(&[][..], |sums| sums);
            let own = |axis: &Axis| (axis.extent, axis.by[array]);
            let (extents, strides): (Vec<_>, Vec<_>) = axes.iter().chain(sums).map(own).unzip();
            let own = ArrayLayout::from_parts(&extents, &strides, first[array])?;
            let compact = ArrayLayout::row_major(&extents[..axes.len()])?;
            let compact = [compact.strides(), &alloc::vec![0; sums.len()]].concat();
            let compact = ArrayLayout::from_parts(&extents, &compact, 0)?;
            let (from, to) = if array == RESULT { (compact, own) } else { (own, compact) };
            let size = extents[..axes.len()].iter().product();
            let (sums, plans) = (!sums.is_empty(), Default::default());
            copies[array] = Some(OperandPlan { from, to, sums, size, plans });
            first[array] = 0;
        }
        Ok(Contraction {
            pattern: pattern.into(),
            shape,
            reached: arrays.map(|array| array.span().end),
            groups,
            reasons: sorting.copies,
            copies,
            result,
            first,
            kernel,
        })
    }

    /// The shape of the result.
    ///
    /// ```
    /// use layout_arrays::{ArrayLayout, Contraction};
    /// let (a, b) = (ArrayLayout::row_major(&[2, 3])?, ArrayLayout::row_major(&[3, 4])?);
    /// assert_eq!(Contraction::plan("i k, k j -> j i", &a, &b)?.shape(), [4, 2]);
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// How many products of matrices there are (the batch), and the extents m, n and k of each.
    ///
    /// ```
    /// use layout_arrays::{ArrayLayout, Contraction};
    /// let (a, b) = (ArrayLayout::row_major(&[2, 3, 5])?, ArrayLayout::row_major(&[2, 5, 7, 9])?);
    /// assert_eq!(Contraction::plan("b i k, b k x y -> b i x y", &a, &b)?.extents(), [2, 3, 63, 5]);
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn extents(&self) -> [usize; 4] {
        [0, 1, 2, 3].map(|group| self.groups[group].1)
    }

    /// The arrays that each run copies, and why.
    ///
    /// ```
    /// use layout_arrays::{ArrayLayout, Contraction};
    /// let square = ArrayLayout::row_major(&[64, 64])?;
    /// let plan = Contraction::plan("i j, j i -> i j", &square, &square)?;
    /// assert_eq!(
    ///     plan.copies()[0].to_string(),
    ///     "right array: along axis `j` its elements lie 64 apart, and those of the result side by \
    ///      side"
    /// );
    /// assert!(Contraction::plan("i k, j k -> i j", &square, &square)?.copies().is_empty());
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn copies(&self) -> &[OperandCopy] {
        &self.reasons
    }

    /// Multiplies, and writes every element of the result. The plan determines the order in which
    /// floating-point products are summed. Copies are made in newly allocated memory.
    ///
    /// # Errors
    /// A slice that is too short; nothing has been written then.
    ///
    /// ```
    /// use layout_arrays::{ArrayLayout, Contraction};
    /// let row = ArrayLayout::row_major(&[3])?;
    /// let plan = Contraction::plan("i, i ->", &row, &row)?;
    /// let mut c = [0.0];
    /// plan.run(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0], &mut c)?;
    /// assert_eq!(c, [32.0]);
    /// let error = plan.run(&[1.0, 2.0, 3.0], &[4.0, 5.0], &mut c).unwrap_err();
    /// assert_eq!(error.to_string(), "the right array reaches 3 elements, and there are 2");
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn run<T: ContractionElement>(
        &self,
        left: &[T],
        right: &[T],
        result: &mut [T],
    ) -> Result<(), ArrayError> {
        self.compute(left, right, result, &mut Vec::new(), false)
    }

    /// As [`run`](Self::run), with a buffer for copies, which is grown as needed: for repeated
    /// runs.
    ///
    /// # Errors
    /// Those of [`run`](Self::run).
    ///
    /// ```
    /// use layout_arrays::{ArrayLayout, Contraction};
    /// let square = ArrayLayout::row_major(&[64, 64])?;
    /// let plan = Contraction::plan("i j, j i -> i j", &square, &square)?;
    /// let (x, mut c, mut room) = (vec![2.0; 64 * 64], vec![0.0; 64 * 64], Vec::new());
    /// plan.run_in(&x, &x, &mut c, &mut room)?;
    /// assert!(c.iter().all(|&c| c == 4.0) && room.len() == 64 * 64);
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn run_in<T: ContractionElement>(
        &self,
        left: &[T],
        right: &[T],
        result: &mut [T],
        room: &mut Vec<T>,
    ) -> Result<(), ArrayError> {
        self.compute(left, right, result, room, false)
    }

    /// As [`run_in`](Self::run_in), but adds to the result.
    ///
    /// # Errors
    /// Those of [`run`](Self::run).
    ///
    /// ```
    /// use layout_arrays::{ArrayLayout, Contraction};
    /// let row = ArrayLayout::row_major(&[3])?;
    /// let mut c = [100.0];
    /// let plan = Contraction::plan("i, i ->", &row, &row)?;
    /// plan.accumulate_in(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0], &mut c, &mut Vec::new())?;
    /// assert_eq!(c, [132.0]);
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn accumulate_in<T: ContractionElement>(
        &self,
        left: &[T],
        right: &[T],
        result: &mut [T],
        room: &mut Vec<T>,
    ) -> Result<(), ArrayError> {
        self.compute(left, right, result, room, true)
    }

    fn compute<T: ContractionElement>(
        &self,
        left: &[T],
        right: &[T],
        result: &mut [T],
        room: &mut Vec<T>,
        add: bool,
    ) -> Result<(), ArrayError> {
        let lengths = [left.len(), right.len(), result.len()];
        for (operand, (given, needed)) in lengths.into_iter().zip(self.reached).enumerate() {
            if given < needed {
                return Err(ArrayError::Operand { operand: OPERANDS[operand], needed, given });
            }
        }
        let [for_left, for_right, for_result] = &self.copies;
        let sizes = [LEFT, RIGHT, RESULT]
            .map(|array| self.copies[array].as_ref().map_or(0, |copy| copy.size));
        room.resize(sizes.iter().sum::<usize>().max(room.len()), T::zeroed());
        let (a, room) = room.split_at_mut(sizes[LEFT]);
        let (b, room) = room.split_at_mut(sizes[RIGHT]);
        let (a, b) = (fetch(for_left, left, a)?, fetch(for_right, right, b)?);
        let Some(copy) = for_result else {
            self.multiply(a, b, result, add);
            return Ok(());
        };
        let (plan, c) = (copy.plan::<T>()?, &mut room[..sizes[RESULT]]);
        self.multiply(a, b, c, false);
        if add { plan.reduce(c, result, |x, y| x + y) } else { plan.run(c, result) }
    }

    fn multiply<T: ContractionElement>(&self, a: &[T], b: &[T], c: &mut [T], add: bool) {
        match &self.kernel {
            Kernel::Zeros if add => {}
            Kernel::Zeros => self.result.offsets().for_each(|at| c[at] = T::zeroed()),
            Kernel::Products(products) => products.run(Arrays { a, b, c, first: self.first, add }),
            Kernel::Matrices(matrices) => matrices.run(Arrays { a, b, c, first: self.first, add }),
        }
    }
}

/// The elements of an array, or of its copy in `room`.
fn fetch<'a, T: ContractionElement>(
    copy: &Option<OperandPlan>,
    from: &'a [T],
    room: &'a mut [T],
) -> Result<&'a [T], ArrayError> {
    let Some(copy) = copy else { return Ok(from) };
    let plan = copy.plan::<T>()?;
    if copy.sums {
        plan.sum(from, room)?
    } else {
        plan.run(from, room)?
    }
    Ok(room)
}

/// One line each: the pattern, the extents of the groups, and the copies.
impl fmt::Display for Contraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n ", self.pattern)?;
        for (group, (names, extent)) in ["batch", "m", "n", "k"].into_iter().zip(&self.groups) {
            write!(f, " {group} {extent}")?;
            if !names.is_empty() {
                write!(f, " ({names})")?;
            }
        }
        self.reasons.iter().try_for_each(|copy| write!(f, "\n  {copy}"))
    }
}
