//! Compact strides, and layouts made from a shape.
//!
//! ```text
//! left(S)          d_k = product of s_j, j < k                the first mode is the fastest
//! right(S)         d_k = product of s_j, j > k                the last mode is the fastest
//! ordered(S, o)    d_k = product of s_j, (o_j, j) < (o_k, k)   the mode of least order is the fastest
//! s_k = 1  =>  d_k = 0: a mode of extent 1 never moves
//! ```

use smallvec::SmallVec;

use super::flat::{DynMode, merged, sort_by_stride};
use super::layout::{Draft, DynLayout, from_modes};
use super::relations::for_each_leaf;
use super::shape::DynShape;
use super::tree::NumberList;
use crate::error::{Fault, LayoutError, expect};
use crate::number::table::gcd;

/// The compact layout of `shape`, its leaves taken in `sequence`, fastest first.
fn compact(shape: &DynShape, sequence: impl Iterator<Item = usize>) -> Result<DynLayout, Fault> {
    let extents = &shape.leaves;
    let mut stride: NumberList = SmallVec::from_elem(0, extents.len());
    // The next stride; `None` once it left `usize`, which matters only if another mode needs it.
    let mut run = Some(1usize);
    for leaf in sequence.filter(|&leaf| extents[leaf] != 1) {
        let step = run.ok_or(Fault::Overflow)?;
        stride[leaf] = step;
        run = step.checked_mul(extents[leaf]);
    }
    Draft { profile: shape.profile.clone(), shape: shape.leaves.clone(), stride, ..Draft::new() }
        .finish()
}

/// `left` with a bare fault.
pub(crate) fn left(shape: &DynShape) -> Result<DynLayout, Fault> {
    compact(shape, 0..shape.leaves.len())
}

/// `ordered` with a bare fault.
pub(crate) fn ordered(shape: &DynShape, order: &DynShape) -> Result<DynLayout, Fault> {
    let mut keys: SmallVec<[(usize, usize); 8]> = SmallVec::new();
    if !for_each_leaf(&order.profile, &shape.profile, |leaf, under| {
        keys.extend(under.leaves.map(|position| (order.leaves[leaf], position)));
    }) {
        return Err(Fault::NotWeaklyCongruent);
    }
    sort_by_stride(&mut keys, |&(order, _)| order);
    compact(shape, keys.iter().map(|&(_, position)| position))
}

impl DynLayout {
    /// The compact layout of `shape` whose first mode is the fastest: column-major.
    ///
    /// Law: `left(S)(i) = i` for `i < size(S)`. CuTe: `make_layout(shape, LayoutLeft{})`.
    ///
    /// # Panics
    /// If the size leaves `usize`; [`try_left`](Self::try_left) returns that as an error.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// assert_eq!(DynLayout::left(&"(4,(1,3))".parse()?).to_string(), "(4,(1,3)):(1,(0,4))");
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[track_caller]
    pub fn left(shape: &DynShape) -> DynLayout {
        expect(Self::try_left(shape))
    }

    /// [`left`](Self::left), with an error instead of a panic.
    ///
    /// # Errors
    /// `overflow` if the size leaves `usize`.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// let s: DynShape = "(4294967296,4294967296)".parse()?;
    /// assert_eq!(DynLayout::try_left(&s).unwrap_err().kind().as_str(), "overflow");
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn try_left(shape: &DynShape) -> Result<DynLayout, LayoutError> {
        left(shape).map_err(|fault| LayoutError::new("left", fault).with_operand(shape))
    }

    /// The compact layout of `shape` whose last mode is the fastest: row-major.
    ///
    /// Law: `right(S) = left(S reversed) reversed`. CuTe: `make_layout(shape, LayoutRight{})`.
    ///
    /// # Panics
    /// If the size leaves `usize`; [`try_right`](Self::try_right) returns that as an error.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// assert_eq!(DynLayout::right(&"(4,(1,3))".parse()?).to_string(), "(4,(1,3)):(3,(0,1))");
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[track_caller]
    pub fn right(shape: &DynShape) -> DynLayout {
        expect(Self::try_right(shape))
    }

    /// [`right`](Self::right), with an error instead of a panic.
    ///
    /// # Errors
    /// `overflow` if the size leaves `usize`.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// assert_eq!(DynLayout::try_right(&"(4,6)".parse()?)?.to_string(), "(4,6):(6,1)");
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn try_right(shape: &DynShape) -> Result<DynLayout, LayoutError> {
        compact(shape, (0..shape.leaves.len()).rev())
            .map_err(|fault| LayoutError::new("right", fault).with_operand(shape))
    }

    /// The compact layout of `shape` whose modes follow one another in `order`: the least is the
    /// fastest. Equal ones go from left to right; one number for a tuple orders all of it.
    ///
    /// Law: compact, and `d_j < d_k` where `o_j < o_k` and no extent is 1. CuTe:
    /// `make_ordered_layout`.
    ///
    /// # Errors
    /// `profile` if `order` does not weakly match `shape`, `overflow` if the size leaves `usize`.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// let (s, order) = ("(4,(2,3))".parse()?, "(1,(2,0))".parse()?);
    /// assert_eq!(DynLayout::ordered(&s, &order)?.to_string(), "(4,(2,3)):(3,(12,1))");
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn ordered(shape: &DynShape, order: &DynShape) -> Result<DynLayout, LayoutError> {
        ordered(shape, order)
            .map_err(|fault| LayoutError::new("ordered", fault).with_operands(shape, order))
    }

    /// The compact layout of the same shape with the modes in the order of this layout's
    /// strides. A stride of 0 stays 0.
    ///
    /// Law and example: [`LayoutAlgebra::layout_like`](crate::LayoutAlgebra::layout_like).
    pub fn layout_like(&self) -> DynLayout {
        let leaves = self.stride.iter().copied().zip(0..);
        let mut moving: SmallVec<[(usize, usize); 8]> =
            leaves.filter(|&(stride, _)| stride != 0).collect();
        sort_by_stride(&mut moving, |&(stride, _)| stride);
        let shape = self.shape();
        compact(&shape, moving.iter().map(|&(_, leaf)| leaf))
            .expect("compact strides are at most the size, which fits")
    }

    /// Spreads `count` over `shape` by common factors: as many of them as the first mode
    /// can take evenly, then the next.
    ///
    /// Law: `R(i) < R(j)` for `i < j`; `size(R)` divides `count`, and `left(S)` divides by `R`.
    /// Factors that no mode has are left out, so compare `size(R)` with `count`. CuTe:
    /// `domain_distribute`.
    ///
    /// # Errors
    /// `overflow` if the size of `shape` leaves `usize`, `profile` if `shape` is empty.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// // 6 elements of a 15 x 14 matrix: 3 rows, for 6 and 15 share 3, and 2 columns.
    /// assert_eq!(DynLayout::domain_distribute(&"(15,14)".parse()?, 6)?.to_string(), "(3,2):(1,15)");
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn domain_distribute(shape: &DynShape, count: usize) -> Result<DynLayout, LayoutError> {
        let spread = || {
            let whole = left(shape)?;
            if whole.size() == 0 {
                return Err(Fault::NoIndex);
            }
            let mut rest = count;
            from_modes(&merged(whole.view().flat().map(|mode| {
                let part = gcd(mode.extent, rest);
                rest /= part;
                DynMode::new(part, mode.stride)
            })))
        };
        spread().map_err(|fault| {
            LayoutError::new("domain_distribute", fault).with_operands(shape, &count)
        })
    }
}
