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
use super::flat::{DynMode, DynModes, MergedList};
use super::kinds::modes::{KindMode, KindModes, merged, push_merged};
use super::kinds::{DynStride, inverse as mixed};
use super::layout::{DynLayout, View, from_every, from_modes};
use super::short::{SHORT, ShortList};
use super::sorted::{DomainList, DomainMode, left_inverse, right_inverse};
use crate::error::{Fault, LayoutError};

/// The modes of extent other than 1, from left to right.
#[inline]
fn domain_modes(layout: View<'_>) -> DomainList {
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

/// For how many coordinates the offsets are 0, 1, 2, ..: the stride of each mode is the size of the
/// modes before it. For an XOR mode this size has to be a power of two.
fn in_step(modes: &[KindMode]) -> usize {
    let mut run = 1;
    for mode in modes.iter().filter(|mode| mode.extent != 1) {
        let continues = match mode.stride {
            DynStride::Natural(stride) => stride == run,
            DynStride::Xor(stride) => stride == run && run.is_power_of_two(),
            DynStride::Negative(_) => false,
        };
        if !continues {
            break;
        }
        run *= mode.extent;
    }
    run
}

/// Takes the first `count` coordinates of a list of modes, rounded down to whole steps of a mode.
fn take_first<S>(
    modes: impl IntoIterator<Item = (usize, S)>,
    mut count: usize,
    mut take: impl FnMut(usize, S),
) {
    for (extent, stride) in modes {
        if count < 2 {
            break;
        }
        take(extent.min(count), stride);
        count /= extent;
    }
}

/// Where the first mode of `A o inverse(B)` has stride 1, `A` and `B` agree, as far as both have
/// coordinates.
fn max_common_layout(a: View<'_>, b: View<'_>) -> Result<DynModes, Fault> {
    let (mut inverse, mut common) = (DynModes::new(), DynModes::new());
    right_inverse(domain_modes(b), 1, &mut inverse);
    if let Some(&DynMode { extent, stride: 1 }) = compose_modes(a.flat(), &inverse)?.first() {
        let modes = inverse.iter().map(|mode| (mode.extent, mode.stride));
        take_first(modes, extent.min(a.size()).min(b.size()), |extent, step| {
            common.push_merged(DynMode::new(extent, step))
        });
    }
    Ok(common)
}

/// The same for mixed strides: `A` is composed with as many of the first modes of the right inverse
/// of `B` as have a composition. The whole inverse may have none, because of the modes behind those
/// in step.
fn mixed_common(a: &DynLayout, b: &DynLayout) -> KindModes {
    let inverse = merged(b.right_inverse().view().every());
    let composed = |rank: usize| a.compose(&from_every(&inverse[..rank]).ok()?).ok();
    let common = (1..=inverse.len()).rev().find_map(composed);
    let count = common.map_or(1, |common| in_step(&common.every_mode())).min(a.size());
    let (modes, mut first) =
        (inverse.iter().map(|mode| (mode.extent, mode.stride)), KindModes::new());
    take_first(modes, count, |extent, step| push_merged(&mut first, KindMode::new(extent, step)));
    first
}

/// The layout of modes of any kind that are part of another layout's domain; `1:0` where they are
/// no layout.
fn mixed_part(modes: Result<KindModes, Fault>) -> DynLayout {
    modes.and_then(|modes| from_every(&modes)).unwrap_or_else(|_| part_of_domain(&DynModes::new()))
}

/// The layout of modes that are part of another layout's domain.
fn part_of_domain(modes: &DynModes) -> DynLayout {
    from_modes(modes).expect("part of a domain is no larger than the domain")
}

impl DynLayout {
    /// An `R` with `L(R(i)) = i`: follow the strides 1, s0, s0*s1, .., each mode whole, and skip
    /// all other modes. None is longer unless two modes overlap: `(2,3):(1,1)` gives `2:1`, and
    /// `(2,2):(1,4)` is longer.
    ///
    /// Law and example: [`LayoutAlgebra::right_inverse`](crate::LayoutAlgebra::right_inverse).
    pub fn right_inverse(&self) -> DynLayout {
        if !self.view().is_natural() {
            return mixed_part(mixed::right_inverse(&self.every_mode()));
        }
        if self.shape.len() <= SHORT {
            let mut inverse = ShortList::new();
            right_inverse(domain_modes(self.view()), 1, &mut inverse);
            inverse.end();
            let measure = inverse.measure().expect("part of a domain is no larger than the domain");
            return inverse.layout(measure);
        }
        let mut inverse = DynModes::new();
        right_inverse(domain_modes(self.view()), 1, &mut inverse);
        part_of_domain(&inverse)
    }

    /// An `R` with `R(L(i)) = i`. It is refused where strides do not divide one another, though
    /// `(2,2):(2,3)`, for one, has `(2,3):(1,1)`.
    ///
    /// Law and example: [`LayoutAlgebra::left_inverse`](crate::LayoutAlgebra::left_inverse).
    ///
    /// # Errors
    /// `overlap` if a stride lies within the offsets of the mode below it, `divisibility` if it is
    /// no multiple of the stride below it, `overflow` if the size leaves `usize`.
    pub fn left_inverse(&self) -> Result<DynLayout, LayoutError> {
        let explain = |fault| LayoutError::new("left_inverse", fault).with_operand(self);
        if !self.view().is_natural() {
            return mixed::left_inverse(&self.every_mode())
                .and_then(|modes| from_every(&modes))
                .map_err(explain);
        }
        // One digit more than modes: what lies below the least stride.
        if self.shape.len() < SHORT {
            let mut inverse = ShortList::new();
            let measured =
                left_inverse(domain_modes(self.view()), 1, &mut inverse).and_then(|()| {
                    inverse.end();
                    inverse.measure()
                });
            return match measured {
                Ok(measure) => Ok(inverse.layout(measure)),
                Err(fault) => Err(explain(fault)),
            };
        }
        let mut inverse = DynModes::new();
        left_inverse(domain_modes(self.view()), 1, &mut inverse)
            .and_then(|()| from_modes(&inverse))
            .map_err(explain)
    }

    /// The part of the domain that strides of 0, and XOR strides whose bits cancel, send to 0. If
    /// the two parts have no common layout, the result has as many of the XOR part as fit beside
    /// the other.
    ///
    /// Law: `L(nullspace(L)(i)) = 0`. CuTe: `nullspace`.
    ///
    /// Proven for natural strides: `nullspace_law`, `nullspace_all` in `crates/proof`.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// assert_eq!("(2,4,3):(1,0,2)".parse::<DynLayout>()?.nullspace().to_string(), "4:2");
    /// assert_eq!("(2,2):(^3,^3)".parse::<DynLayout>()?.nullspace().to_string(), "2:^3");
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn nullspace(&self) -> DynLayout {
        if self.shape.len() > SHORT || !self.view().is_natural() {
            return mixed_part(mixed::nullspace(&self.every_mode()));
        }
        let mut still = ShortList::new();
        let modes = domain_modes(self.view()).into_iter().filter(|mode| mode.stride == 0);
        modes.for_each(|mode| still.push_merged(DynMode::new(mode.extent, mode.step)));
        still.end();
        still.layout(still.measure().expect("part of a domain is no larger than the domain"))
    }

    /// An `R` along which both layouts count in step, no larger than either; `1:0` if the right
    /// inverse of `other` gives none, and `0:1` if a layout is empty.
    ///
    /// Law and example:
    /// [`LayoutAlgebra::max_common_layout`](crate::LayoutAlgebra::max_common_layout).
    pub fn max_common_layout(&self, other: &DynLayout) -> DynLayout {
        if self.size() == 0 || other.size() == 0 {
            return part_of_domain(&SmallVec::from_slice(&[DynMode::new(0, 1)]));
        }
        if !self.view().is_natural() || !other.view().is_natural() {
            return mixed_part(Ok(mixed_common(self, other)));
        }
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
