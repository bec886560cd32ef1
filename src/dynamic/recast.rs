//! Recast: the same memory in larger or smaller elements.
//!
//! ```text
//! upcast(L, n)      the offsets floor(L(i) / n)              stride d in units of n elements: d / n
//! downcast(L, n)    the offsets n * L(i) + k, k < n          the unit-stride mode grows n times
//! recast(L, p, q)   elements of size p seen as elements of size q
//! ```

use super::flat::DynMode;
use super::kinds::modes::KindMode;
use super::kinds::{DynStride, DynStrideKind, recast as of_kinds};
use super::layout::{Draft, DynLayout, View};
use crate::error::{Fault, LayoutError};
use crate::number::table::gcd;

/// The layout with every leaf mode replaced.
fn map_modes(layout: View<'_>, map: impl FnMut(DynMode) -> Result<DynMode, Fault>) -> Result<DynLayout, Fault> {
    let mut draft = Draft::new();
    draft.profile.extend_from_slice(layout.profile);
    for mode in layout.flat().map(map) {
        draft.leaf_of_open(mode?);
    }
    draft.finish()
}

/// The same for modes of any kind, where XOR strides are of bits.
fn map_every(
    layout: View<'_>,
    unit: usize,
    mut map: impl FnMut(KindMode) -> Result<KindMode, Fault>,
) -> Result<DynLayout, Fault> {
    if layout.every().any(|mode| mode.moves() && mode.stride.is_xor()) && !unit.is_power_of_two() {
        return Err(Fault::NoPowerOfTwo { number: unit });
    }
    let mut draft = Draft::new();
    draft.profile.extend_from_slice(layout.profile);
    for mode in layout.every() {
        draft.mode_of_open(map(mode)?);
    }
    draft.finish()
}

/// Whether offsets of the mode can fall within one unit.
fn is_below(mode: DynMode, unit: usize) -> bool {
    mode.extent != 1 && 0 < mode.stride && mode.stride < unit && unit % mode.stride == 0
}

fn upcast(layout: View<'_>, unit: usize) -> Result<DynLayout, Fault> {
    if unit == 0 {
        return Err(Fault::ZeroUnit);
    }
    // Within a unit, each mode below it reaches unit - d. If that adds up to a unit, floor(x +
    // y) is not floor(x) + floor(y).
    let mut sum = 0usize;
    // XOR strides never add up, and those of negative ones are refused below.
    let natural = layout.every().filter(|mode| mode.stride.kind() == DynStrideKind::Natural);
    for mode in natural.map(|mode| DynMode::new(mode.extent, mode.stride.number())).filter(|&mode| is_below(mode, unit))
    {
        sum = sum.checked_add(unit - mode.stride).ok_or(Fault::Overflow)?;
    }
    if sum >= unit {
        return Err(Fault::UnitCarry { sum, unit });
    }
    if !layout.is_natural() {
        return map_every(layout, unit, |mode| of_kinds::upcast(mode, unit));
    }
    map_modes(layout, |DynMode { extent, stride }| {
        if stride == 0 || extent == 1 {
            return Ok(DynMode::new(extent, 0));
        }
        if stride % unit == 0 {
            return Ok(DynMode::new(extent, stride / unit));
        }
        if unit % stride == 0 && extent % (unit / stride) == 0 {
            let units = extent / (unit / stride);
            return Ok(DynMode::new(units, usize::from(units != 1)));
        }
        Err(Fault::Regroup { extent, stride, unit })
    })
}

fn downcast(layout: View<'_>, parts: usize) -> Result<DynLayout, Fault> {
    if parts == 0 {
        return Err(Fault::ZeroUnit);
    }
    let one = |stride| matches!(stride, DynStride::Natural(1) | DynStride::Xor(1));
    let units = layout.every().filter(|mode| one(mode.stride) && mode.extent != 1).count();
    if units != 1 {
        return Err(Fault::UnitStride { modes: units });
    }
    if !layout.is_natural() {
        return map_every(layout, parts, |mode| of_kinds::downcast(mode, parts));
    }
    map_modes(layout, |DynMode { extent, stride }| match (extent, stride) {
        (1, _) => Ok(DynMode::new(1, 0)),
        (_, 1) => Ok(DynMode::new(extent.checked_mul(parts).ok_or(Fault::Overflow)?, 1)),
        _ => Ok(DynMode::new(extent, stride.checked_mul(parts).ok_or(Fault::Overflow)?)),
    })
}

fn recast(layout: View<'_>, from: usize, to: usize) -> Result<DynLayout, Fault> {
    let common = gcd(from, to);
    if from == 0 || to == 0 {
        return Err(Fault::ZeroUnit);
    }
    match (to / common, from / common) {
        (1, 1) => Ok(layout.to_layout()),
        (1, parts) => downcast(layout, parts),
        (unit, 1) => upcast(layout, unit),
        (unit, parts) => downcast(upcast(layout, unit)?.view(), parts),
    }
}

impl DynLayout {
    /// The layout in units of `unit` elements.
    ///
    /// Law and example: [`LayoutAlgebra::upcast`](crate::LayoutAlgebra::upcast).
    ///
    /// # Errors
    /// `carry` if offsets within a unit add up to one, `divisibility` if a mode does not regroup
    /// into whole units or `unit` is 0.
    pub fn upcast(&self, unit: usize) -> Result<DynLayout, LayoutError> {
        upcast(self.view(), unit).map_err(|fault| LayoutError::new("upcast", fault).with_operands(self, &unit))
    }

    /// The layout in units of a `parts`-th of an element.
    ///
    /// Law and example: [`LayoutAlgebra::downcast`](crate::LayoutAlgebra::downcast).
    ///
    /// # Errors
    /// `unit-stride` if not exactly one mode has stride 1, `divisibility` if `parts` is 0, `overflow`.
    pub fn downcast(&self, parts: usize) -> Result<DynLayout, LayoutError> {
        downcast(self.view(), parts).map_err(|fault| LayoutError::new("downcast", fault).with_operands(self, &parts))
    }

    /// The layout of elements of size `from` seen as elements of size `to`; only the ratio counts,
    /// so bits and bytes serve alike.
    ///
    /// Law and example: [`LayoutAlgebra::recast`](crate::LayoutAlgebra::recast).
    ///
    /// # Errors
    /// Those of [`upcast`](Self::upcast) and [`downcast`](Self::downcast).
    pub fn recast(&self, from: usize, to: usize) -> Result<DynLayout, LayoutError> {
        recast(self.view(), from, to)
            .map_err(|fault| LayoutError::new("recast", fault).with_operands(self, &format_args!("{from} to {to}")))
    }
}
