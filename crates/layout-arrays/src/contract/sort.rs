//! The axes of a contraction sorted into the four groups of a batched product of matrices, each
//! folded to one stride.
//!
//! ```text
//!            left   right   result
//! batch       x       x       x        one product for each coordinate
//! m           x               x        rows
//! n                   x       x        columns
//! k           x       x                summed by the products
//! sums        x  or   x                summed before
//! ```

use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::kernel::{Kernel, Matrices, Products, Step, merge};
use super::pattern::Axis;
use super::reason::{CopyReason, LEFT, Operand, OperandCopy, RESULT, RIGHT};
use crate::error::NeedsCopy;

/// The cost of one more matrix product, in elements moved.
const CALL: f64 = 200.0;
/// The most terms that are multiplied one by one, without a matrix product.
const MAX_TERMS: usize = 64;
/// The most elements that stay in the L2 cache, so that a product with the batch innermost can
/// reread them.
const CACHED: usize = 1 << 15;
/// The shortest row that is worth a copy.
const ROW: usize = 8;
/// From this distance on, elements hardly share cache lines.
const APART: usize = 4;

/// The axes with more than one element, sorted into groups, and the copies that they need.
pub(super) struct Sorting {
    pub(super) batch: Vec<Axis>,
    pub(super) m: Vec<Axis>,
    pub(super) n: Vec<Axis>,
    pub(super) k: Vec<Axis>,
    /// The axes that only the left array has, or only the right one.
    pub(super) sums: [Vec<Axis>; 2],
    /// Which arrays are copied, and why.
    pub(super) copies: Vec<OperandCopy>,
    /// For each copied array, its axes in the order of the copy, the last one the fastest.
    pub(super) orders: [Option<Vec<Axis>>; 3],
}

/// The number of elements of a group, saturating: axes of several arrays may have too many.
fn product<'a>(axes: impl IntoIterator<Item = &'a Axis>) -> usize {
    axes.into_iter().fold(1, |product, axis| product.saturating_mul(axis.extent))
}

/// Sorts a group by the strides in an array, the largest first.
fn sort_by(group: &mut [Axis], array: usize) {
    group.sort_by_key(|axis| Reverse(axis.by[array].unsigned_abs()));
}

/// The first two axes of a group that do not fold to one stride in an array.
fn fault_of(group: &[Axis], array: usize) -> Option<NeedsCopy> {
    (1..group.len()).find_map(|inner| {
        let (x, y) = (&group[inner - 1], &group[inner]);
        let next = isize::try_from(y.extent).ok().and_then(|n| n.checked_mul(y.by[array]));
        (next != Some(x.by[array])).then(|| NeedsCopy {
            outer: inner - 1,
            inner,
            extents: [x.extent, y.extent],
            strides: [x.by[array], y.by[array]],
            names: Some([x.name.clone(), y.name.clone()].into()),
        })
    })
}

/// The stride to which a group folds.
fn folded(group: &[Axis], array: usize) -> isize {
    group.last().map_or(0, |axis| axis.by[array])
}

impl Sorting {
    pub(super) fn new(axes: impl Iterator<Item = Axis>) -> Self {
        let empty = Vec::new;
        let mut sorting = Sorting {
            batch: empty(),
            m: empty(),
            n: empty(),
            k: empty(),
            sums: [empty(), empty()],
            copies: Vec::new(),
            orders: [None, None, None],
        };
        for axis in axes {
            let group = match axis.of {
                [true, true, true] => &mut sorting.batch,
                [true, _, true] => &mut sorting.m,
                [_, _, true] => &mut sorting.n,
                [true, true, _] => &mut sorting.k,
                [true, ..] => &mut sorting.sums[0],
                _ => &mut sorting.sums[1],
            };
            group.push(axis);
        }
        for (operand, sums) in sorting.sums.clone().into_iter().enumerate() {
            if !sums.is_empty() {
                let names = sums.into_iter().map(|axis| axis.name).collect();
                sorting.copy(operand, CopyReason::Sum { names });
            }
        }
        sorting
    }

    fn copy(&mut self, array: usize, reason: CopyReason) {
        if !self.is_copied(array) {
            self.copies.push(OperandCopy { operand: Operand::ALL[array], reason });
        }
    }

    fn is_copied(&self, array: usize) -> bool {
        self.copies.iter().any(|copy| copy.operand == Operand::ALL[array])
    }

    /// The number of elements of an array, after its own axes have been summed.
    fn size(&self, array: usize) -> usize {
        let groups = [&self.batch, &self.m, &self.n, &self.k];
        product(groups.into_iter().flatten().filter(|axis| axis.of[array]))
    }

    /// The cost of a copy of an array.
    fn cost(&self, array: usize) -> f64 {
        if self.is_copied(array) {
            0.0
        } else {
            self.size(array) as f64 * if array == RESULT { 2.0 } else { 1.0 }
        }
    }

    /// Chooses the kernel.
    pub(super) fn kernel(mut self) -> (Self, Kernel) {
        let kernel = if self.is_elementwise() { self.products() } else { self.matrices() };
        (self, kernel)
    }

    /// Are single elements, or rows of the batch, multiplied instead of matrices?
    fn is_elementwise(&self) -> bool {
        let terms = product(self.m.iter().chain(&self.n).chain(&self.k));
        if terms <= MAX_TERMS || self.k.is_empty() {
            return true;
        }
        let result = [&self.batch, &self.m, &self.n].into_iter().flatten();
        let fastest = result.min_by_key(|axis| axis.by[RESULT].unsigned_abs());
        let sizes = [LEFT, RIGHT, RESULT].map(|array| self.size(array));
        let sizes = sizes.into_iter().fold(0, usize::saturating_add);
        fastest.is_some_and(|axis| {
            axis.of == [true; 3] && axis.by == [1; 3] && axis.extent >= ROW && sizes <= CACHED
        }) && self.copies.is_empty()
    }

    /// Products of elements, the result's fastest axis innermost.
    fn products(&mut self) -> Kernel {
        let mut out: Vec<Axis> = [&mut self.batch, &mut self.m, &mut self.n]
            .into_iter()
            .flat_map(|group| group.iter().cloned())
            .collect();
        sort_by(&mut out, RESULT);
        let mut k = self.k.clone();
        sort_by(&mut k, LEFT);
        if let Some(row) = out.last().filter(|row| row.by[RESULT] == 1 && row.extent >= ROW) {
            for array in [LEFT, RIGHT] {
                let stride = row.by[array];
                if row.of[array] && !matches!(stride, 0 | 1) {
                    let row = row.name.clone();
                    self.copy(array, CopyReason::Row { row, stride });
                }
            }
        }
        for array in [LEFT, RIGHT] {
            if self.is_copied(array) {
                let (k, out) = (&mut k, &mut out);
                self.orders[array] = Some(compact(array, k.iter_mut().chain(out.iter_mut())));
            }
        }
        let steps = |group: Vec<Axis>| merge(group.into_iter().map(Step::from));
        let mut loops = steps(out);
        let row = loops.pop().unwrap_or(Step { extent: 1, by: [1; 3] });
        let mut terms = alloc::vec![[0; 2]];
        for step in steps(k) {
            terms = terms
                .into_iter()
                .flat_map(|[a, b]| {
                    (0..step.extent as isize)
                        .map(move |i| [a + i * step.by[LEFT], b + i * step.by[RIGHT]])
                })
                .collect();
        }
        Kernel::Products(Products { loops, row, terms })
    }

    /// Products of matrices, one for each coordinate of the batch.
    fn matrices(&mut self) -> Kernel {
        let (mut m, mut n, mut k) = (self.m.clone(), self.n.clone(), self.k.clone());
        self.fold(&mut k, [LEFT, RIGHT], None);
        let of_k = product(&k) as f64;
        let rows = self.fold(&mut m, [RESULT, LEFT], Some(of_k * product(&n) as f64 + CALL));
        let columns = self.fold(&mut n, [RESULT, RIGHT], Some(of_k * product(&m) as f64 + CALL));
        let mut loops = self.batch.clone();
        loops.extend(rows.into_iter().chain(columns));
        sort_by(&mut loops, if self.is_copied(RESULT) { LEFT } else { RESULT });
        for (array, groups) in [[&m, &k], [&k, &n], [&m, &n]].into_iter().enumerate() {
            self.copy_scattered(array, groups, &loops);
        }
        let by_rows = self.is_copied(RESULT)
            || folded(&n, RESULT).unsigned_abs() <= folded(&m, RESULT).unsigned_abs();
        for array in [LEFT, RIGHT, RESULT] {
            if !self.is_copied(array) {
                continue;
            }
            let (outer, inner) = match (array, by_rows) {
                (LEFT, true) => (&mut m, &mut k),
                (LEFT, false) => (&mut k, &mut m),
                (RIGHT, true) => (&mut k, &mut n),
                (RIGHT, false) => (&mut n, &mut k),
                _ => (&mut m, &mut n),
            };
            let axes = loops.iter_mut().chain(outer.iter_mut()).chain(inner.iter_mut());
            self.orders[array] = Some(compact(array, axes));
        }
        let strides = |array, [x, y]: [&[Axis]; 2]| [folded(x, array), folded(y, array)];
        Kernel::Matrices(Matrices::new(
            merge(loops.iter().cloned().map(Step::from)),
            [product(&m), product(&k), product(&n)],
            [strides(LEFT, [&m, &k]), strides(RIGHT, [&k, &n]), strides(RESULT, [&m, &n])],
        ))
    }

    /// Orders a group so that it folds in both arrays, at the least cost: either an array is
    /// copied, or outer axes become loops, each iteration at the cost `call`. Returns these axes.
    fn fold(&mut self, group: &mut Vec<Axis>, arrays: [usize; 2], call: Option<f64>) -> Vec<Axis> {
        let mut best: Option<(f64, Vec<Axis>, usize)> = None;
        for first in arrays {
            let mut ordered = group.clone();
            sort_by(&mut ordered, first);
            for outer in 0..if call.is_some() { group.len().max(1) } else { 1 } {
                let faults = arrays.iter().filter(|&&array| {
                    !self.is_copied(array) && fault_of(&ordered[outer..], array).is_some()
                });
                let copies: f64 = faults.map(|&array| self.cost(array)).sum();
                let calls = (product(&ordered[..outer]) - 1) as f64 * call.unwrap_or(0.0);
                if best.as_ref().is_none_or(|best| copies + calls < best.0) {
                    best = Some((copies + calls, ordered.clone(), outer));
                }
            }
        }
        let Some((_, ordered, outer)) = best else { return Vec::new() };
        *group = ordered;
        let loops = group.drain(..outer).collect();
        for array in arrays {
            if let Some(fault) = fault_of(group, array) {
                self.copy(array, CopyReason::Fold(fault));
            }
        }
        loops
    }

    /// Copies an array whose matrices are not contiguous because a loop axis has the smallest
    /// stride.
    fn copy_scattered(&mut self, array: usize, groups: [&Vec<Axis>; 2], loops: &[Axis]) {
        let moving = groups.iter().filter(|group| !group.is_empty());
        let nearest = moving.map(|group| folded(group, array).unsigned_abs()).min();
        let has = |axis: &&Axis| axis.of[array] && axis.by[array] != 0;
        let fastest = loops.iter().filter(has).min_by_key(|axis| axis.by[array].unsigned_abs());
        if let (Some(nearest), Some(fastest)) = (nearest, fastest) {
            let stride = fastest.by[array];
            if nearest >= APART
                && stride.unsigned_abs() < nearest
                && fastest.extent >= APART
                && self.size(array) > CACHED
            {
                self.copy(array, CopyReason::Scattered { axis: fastest.name.clone(), stride });
            }
        }
    }
}

/// Gives an array's axes the strides of a compact copy, the last one the fastest. Returns the axes
/// with their old strides.
fn compact<'a>(array: usize, axes: impl Iterator<Item = &'a mut Axis>) -> Vec<Axis> {
    let mut axes: Vec<&mut Axis> = axes.filter(|axis| axis.of[array]).collect();
    let before = axes.iter().map(|axis| (**axis).clone()).collect();
    let mut stride = 1;
    for axis in axes.iter_mut().rev() {
        axis.by[array] = stride;
        // The extents of one array: their product fits.
        stride *= axis.extent as isize;
    }
    before
}

impl From<Axis> for Step {
    fn from(axis: Axis) -> Step {
        Step { extent: axis.extent, by: axis.by }
    }
}

/// The names of a group, for messages.
pub(super) fn names_of(group: &[Axis]) -> String {
    let names: Vec<&str> = group.iter().map(|axis| &axis.name[..]).collect();
    names.join(" ")
}
