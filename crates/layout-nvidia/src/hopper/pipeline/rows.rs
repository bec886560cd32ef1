//! The rows of an accumulator in a thread.

use layout_algebra::FlatLayout;
use layout_algebra::for_static;
use layout_algebra::prelude::*;
use layout_algebra::tensor::{Addressable, StorageMut};

use crate::device;

/// The row of a thread's value of an accumulator of `wgmma`, where row 1 is 8 below row 0: number
/// of the value -> 0 or 1.
pub type RowOf = Layout!((2, 2, 32):(0, 1, 0));
/// The same as a table: computing the layout 700 times takes the compiler long.
const ROW: [usize; 128] = {
    let (rows, mut table, mut value) = (FlatLayout::of_type::<RowOf>(), [0; 128], 0);
    while value < table.len() {
        table[value] = rows.at(value);
        value += 1;
    }
    table
};

/// The column of a thread's value of an accumulator, counted from the thread's first column.
pub type ColumnOf = Layout!((2, 2, 32):(1, 0, 8));
/// The same as a table.
const COLUMN: [usize; 128] = {
    let (columns, mut table, mut value) = (FlatLayout::of_type::<ColumnOf>(), [0; 128], 0);
    while value < table.len() {
        table[value] = columns.at(value);
        value += 1;
    }
    table
};

/// The state of the online softmax of a thread's two rows: the largest score so far, and the
/// thread's part of the sum of powers. Four threads of a warp share the rows.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::Fragment;
/// use layout_nvidia::hopper::SoftmaxRows;
/// let mut rows = SoftmaxRows::new();
/// let mut scores = Fragment::<f32, Layout!((2, 2))>::from_fn(|(i, row)| (i + 4 * row) as f32);
/// // SAFETY: on the CPU a thread is alone.
/// let _ = unsafe { rows.exponentiate(&mut scores, 1.0) };
/// // 2^(score - the maximum of its row).
/// assert_eq!(scores.iter().copied().collect::<Vec<_>>(), [0.5, 1.0, 0.5, 1.0]);
/// // Larger scores: results from earlier scores are scaled down.
/// let mut scores = Fragment::<f32, Layout!((2, 2))>::from_fn(|_| 6.0);
/// // SAFETY: as above.
/// assert_eq!(unsafe { rows.exponentiate(&mut scores, 1.0) }, [1.0 / 32.0, 0.5]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SoftmaxRows {
    most: [f32; 2],
    sum: [f32; 2],
}
impl SoftmaxRows {
    /// Before the first score.
    #[inline(always)]
    #[must_use]
    #[allow(clippy::new_without_default, reason = "no rows at all are no default")]
    pub fn new() -> Self {
        SoftmaxRows { most: [f32::NEG_INFINITY; 2], sum: [0.0; 2] }
    }
    /// Replaces up to 64 scores by powers of 2, `2^(scale (s - most))`, and adds them; returns the
    /// factors that scale down results from earlier scores.
    ///
    /// # Safety
    /// All threads of the warp call this.
    #[inline(always)]
    #[must_use]
    pub unsafe fn exponentiate<S: StorageMut<Item = f32>, L: Addressable>(
        &mut self,
        scores: &mut Tensor<S, L>,
        scale: f32,
    ) -> [f32; 2] {
        let before = self.most;
        for_static!(I in 0..64, {
            if let Some(score) = scores.value(I) {
                self.most[ROW[I]] = f32::max(self.most[ROW[I]], *score);
            }
        });
        // SAFETY: the caller's promise.
        self.most = self.most.map(|most| unsafe { device::reduce_quad(most, f32::max) });
        let shrink = [0, 1].map(|row| device::exp2((before[row] - self.most[row]) * scale));
        let top = self.most.map(|most| -most * scale);
        for_static!(R in 0..2, {
            self.sum[R] *= shrink[R];
        });
        for_static!(I in 0..64, {
            if let Some(score) = scores.value_mut(I) {
                *score = device::exp2(device::multiply_add(*score, scale, top[ROW[I]]));
                self.sum[ROW[I]] += *score;
            }
        });
        shrink
    }
    /// The largest score of each row and the sum of its powers.
    ///
    /// # Safety
    /// All threads of the warp call this.
    #[inline(always)]
    #[must_use]
    pub unsafe fn max_and_sum(&self) -> ([f32; 2], [f32; 2]) {
        // SAFETY: the caller's promise.
        (self.most, self.sum.map(|sum| unsafe { device::reduce_quad(sum, core::ops::Add::add) }))
    }
    /// The reciprocal of the sum of each row's powers.
    ///
    /// # Safety
    /// All threads of the warp call this.
    #[inline(always)]
    #[must_use]
    pub unsafe fn reciprocal_sums(&self) -> [f32; 2] {
        // SAFETY: the caller's promise.
        self.sum
            .map(|sum| device::reciprocal(unsafe { device::reduce_quad(sum, core::ops::Add::add) }))
    }
}

/// The row, 0 or 1, of value `i` of a thread.
///
/// ```
/// assert_eq!([0, 1, 2, 3, 4].map(layout_nvidia::hopper::row_of_value), [0, 0, 1, 1, 0]);
/// ```
#[inline(always)]
#[must_use]
pub const fn row_of_value(i: usize) -> usize {
    ROW[i]
}
/// Multiplies each of up to 64 sums by the factor of its row.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::Fragment;
/// let mut sums = Fragment::<f32, Layout!(4)>::from_fn(|i| i as f32);
/// layout_nvidia::hopper::scale_rows(&mut sums, [2.0, 3.0]);
/// assert_eq!(sums.iter().copied().collect::<Vec<_>>(), [0.0, 2.0, 6.0, 9.0]);
/// ```
#[inline(always)]
pub fn scale_rows<S: StorageMut<Item = f32>, L: Addressable>(
    sums: &mut Tensor<S, L>,
    factors: [f32; 2],
) {
    for_static!(I in 0..64, {
        if let Some(sum) = sums.value_mut(I) {
            *sum *= factors[ROW[I]];
        }
    });
}
/// Masks up to 64 scores: those from column `visible` of their row on, counted from the thread's
/// first column, become the least finite number. (Not minus infinity: in a row that is masked
/// completely, differences are numbers.)
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::Fragment;
/// let mut scores = Fragment::<f32, Layout!(8)>::from_fn(|i| i as f32);
/// // Two columns of each row, and two columns 8 to the right.
/// layout_nvidia::hopper::mask_columns(&mut scores, [9, 0]);
/// let hidden = f32::MIN;
/// assert_eq!(scores.iter().copied().collect::<Vec<_>>(), [0.0, 1.0, hidden, hidden, 4.0, hidden, hidden, hidden]);
/// ```
#[inline(always)]
pub fn mask_columns<S: StorageMut<Item = f32>, L: Addressable>(
    scores: &mut Tensor<S, L>,
    visible: [i32; 2],
) {
    for_static!(I in 0..64, {
        if let Some(score) = scores.value_mut(I) {
            *score = if COLUMN[I] as i32 >= visible[ROW[I]] { f32::MIN } else { *score };
        }
    });
}
