//! Inverses.
//!
//! ```text
//! right_inverse    L(R(i)) = i for i < size(R)
//! left_inverse     L(R(L(i))) = L(i), so that R(L(i)) = i where L is injective
//! nullspace        L(R(i)) = 0 for i < size(R)
//! max_common       A(R(i)) = B(R(i)) = i for i < size(R)
//! ```

use smallvec::SmallVec;

use super::composition::compose_modes;
use super::flat::{DynMode, DynModes, MergedList, sort_by_stride};
use super::layout::{DynLayout, View, from_modes, measure};
use super::short::{SHORT, ShortList};
use crate::error::{Fault, LayoutError};

/// A mode, and how far one step of it goes in the domain.
#[derive(Clone, Copy)]
struct DomainMode {
    extent: usize,
    stride: usize,
    step: usize,
}

/// The modes of extent other than 1, from left to right.
#[inline]
fn domain_modes(layout: View<'_>) -> SmallVec<[DomainMode; 8]> {
    let mut step = 1;
    let mut modes = SmallVec::new();
    for DynMode { extent, stride } in layout.flat() {
        if extent != 1 {
            modes.push(DomainMode { extent, stride, step });
        }
        step *= extent;
    }
    modes
}

#[inline]
fn sorted_domain_modes(layout: View<'_>) -> SmallVec<[DomainMode; 8]> {
    let mut modes = domain_modes(layout);
    sort_by_stride(&mut modes, |mode| mode.stride);
    modes
}

/// Follows the strides 1, s0, s0*s1, .. as far as they go.
#[inline]
fn right_inverse(layout: View<'_>, inverse: &mut impl MergedList) {
    let mut run = 1;
    for mode in sorted_domain_modes(layout) {
        if mode.stride == run {
            // At most the size of the layout, which fits.
            run *= mode.extent;
            inverse.push_merged(DynMode::new(mode.extent, mode.step));
        }
    }
}

/// Reads an offset in the mixed radix of the sorted strides: each digit goes back to its step in the domain.
#[inline]
fn left_inverse(layout: View<'_>, inverse: &mut impl MergedList) -> Result<(), Fault> {
    let mut modes = sorted_domain_modes(layout);
    modes.retain(|mode| mode.stride != 0);
    let mut digits = DynModes::new();
    // What lies below the least stride is ignored.
    digits.extend(modes.first().map(|least| DynMode::new(least.stride, 0)));
    for pair in modes.windows(2) {
        let (mode, up) = (pair[0], pair[1].stride);
        if mode.extent.checked_mul(mode.stride).is_none_or(|span| up < span) {
            return Err(Fault::Within { stride: up, extent: mode.extent, below: mode.stride });
        }
        if up % mode.stride != 0 {
            return Err(Fault::Strides { stride: up, below: mode.stride });
        }
        digits.push(DynMode::new(up / mode.stride, mode.step));
    }
    digits.extend(modes.last().map(|top| DynMode::new(top.extent, top.step)));
    // No layout vouches for these extents.
    measure(digits.iter().copied())?;
    digits.into_iter().for_each(|digit| inverse.push_merged(digit));
    Ok(())
}

/// The steps along which the layout stands still.
fn nullspace(layout: View<'_>, still: &mut DynModes) {
    let modes = domain_modes(layout).into_iter().filter(|mode| mode.stride == 0);
    modes.for_each(|mode| still.push_merged(DynMode::new(mode.extent, mode.step)));
}

/// The first mode of `A o inverse(B)`, if it has stride 1, is where `A` and `B` agree.
fn max_common_layout(a: View<'_>, b: View<'_>) -> Result<DynModes, Fault> {
    let mut inverse = DynModes::new();
    right_inverse(b, &mut inverse);
    let inverse_or_one =
        |modes: &DynModes| if modes.is_empty() { SmallVec::from_slice(&[DynMode::new(1, 0)]) } else { modes.clone() };
    match compose_modes(a.flat(), &inverse)?.first() {
        Some(&DynMode { extent, stride: 1 }) => {
            let common: DynModes = SmallVec::from_slice(&[DynMode::new(extent, 1)]);
            compose_modes(inverse_or_one(&inverse).into_iter(), &common)
        }
        _ => Ok(DynModes::new()),
    }
}

/// The layout of modes that are part of another layout's domain.
fn part_of_domain(modes: &DynModes) -> DynLayout {
    from_modes(modes).expect("part of a domain is no larger than the domain")
}

impl DynLayout {
    /// The longest `R` that this layout takes back: follow the strides 1, s0, s0*s1, .. and skip all other modes.
    ///
    /// Law and example: [`LayoutAlgebra::right_inverse`](crate::LayoutAlgebra::right_inverse).
    #[must_use]
    pub fn right_inverse(&self) -> DynLayout {
        if self.shape.len() <= SHORT {
            let mut inverse = ShortList::new();
            right_inverse(self.view(), &mut inverse);
            inverse.end();
            let measure = inverse.measure().expect("part of a domain is no larger than the domain");
            return inverse.layout(measure);
        }
        let mut inverse = DynModes::new();
        right_inverse(self.view(), &mut inverse);
        part_of_domain(&inverse)
    }

    /// An `R` that takes this layout back.
    ///
    /// Law and example: [`LayoutAlgebra::left_inverse`](crate::LayoutAlgebra::left_inverse).
    ///
    /// # Errors
    /// `overlap` if a stride lies within the offsets of the mode below it, `divisibility` if it is no multiple of the
    /// stride below it, `overflow` if the size leaves `usize`.
    pub fn left_inverse(&self) -> Result<DynLayout, LayoutError> {
        let explain = |fault| LayoutError::new("left_inverse", fault).with_operand(self);
        // One digit more than modes: what lies below the least stride.
        if self.shape.len() < SHORT {
            let mut inverse = ShortList::new();
            let measured = left_inverse(self.view(), &mut inverse).and_then(|()| {
                inverse.end();
                inverse.measure()
            });
            return match measured {
                Ok(measure) => Ok(inverse.layout(measure)),
                Err(fault) => Err(explain(fault)),
            };
        }
        let mut inverse = DynModes::new();
        left_inverse(self.view(), &mut inverse).and_then(|()| from_modes(&inverse)).map_err(explain)
    }

    /// The part of the domain that this layout sends to 0 by strides of 0.
    ///
    /// Law and example: [`LayoutAlgebra::nullspace`](crate::LayoutAlgebra::nullspace).
    #[must_use]
    pub fn nullspace(&self) -> DynLayout {
        let mut still = DynModes::new();
        nullspace(self.view(), &mut still);
        part_of_domain(&still)
    }

    /// The largest `R` along which both layouts count in step; `1:0` if there is none.
    ///
    /// Law and example: [`LayoutAlgebra::max_common_layout`](crate::LayoutAlgebra::max_common_layout).
    #[must_use]
    pub fn max_common_layout(&self, other: &DynLayout) -> DynLayout {
        let modes = max_common_layout(self.view(), other.view()).unwrap_or_default();
        part_of_domain(&modes)
    }

    /// How many elements both layouts have in step: what one wide copy can move.
    ///
    /// Law: `size(max_common_layout(a, b))`. CuTe: `max_common_vector`.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// let (a, b) = ("(4,6):(1,8)".parse::<DynLayout>()?, "(4,6):(1,4)".parse::<DynLayout>()?);
    /// assert_eq!(a.max_common_vector(&b), 4);
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn max_common_vector(&self, other: &DynLayout) -> usize {
        self.max_common_layout(other).size()
    }
}
