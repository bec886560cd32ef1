//! Recast: the same memory in larger or smaller elements.
//!
//! ```text
//! upcast(L, n)      the offsets floor(L(i) / n)              stride d in units of n elements: d / n
//! downcast(L, n)    the offsets n * L(i) + k, k < n          the unit-stride mode grows n times
//! recast(L, p, q)   elements of size p seen as elements of size q
//! ```

use super::kinds::DynStride;
use super::kinds::modes::KindMode;
use super::layout::{Draft, DynLayout, View};
use crate::error::{Fault, LayoutError};
use crate::number::table::gcd;

/// The layout with every leaf mode replaced. With XOR strides the unit has to be a power of two.
fn map_modes(
    layout: View<'_>,
    unit: usize,
    map: impl Fn(KindMode) -> Result<KindMode, Fault>,
) -> Result<DynLayout, Fault> {
    if !unit.is_power_of_two() && layout.every().any(|mode| mode.moves() && mode.stride.is_xor()) {
        return Err(Fault::NoPowerOfTwo { number: unit });
    }
    let mut draft = Draft::new();
    draft.profile.extend_from_slice(layout.profile);
    for mode in layout.every().map(map) {
        draft.mode_of_open(mode?);
    }
    draft.finish()
}

/// How far the offsets of a mode reach within one unit. XOR and negative strides never add up to a
/// unit here.
fn reach_in_unit(KindMode { extent, stride }: KindMode, unit: usize) -> usize {
    match stride {
        DynStride::Natural(number @ 1..) if extent != 1 && number < unit && unit % number == 0 => {
            unit - number
        }
        _ => 0,
    }
}

fn upcast(layout: View<'_>, unit: usize) -> Result<DynLayout, Fault> {
    if unit == 0 {
        return Err(Fault::ZeroUnit);
    }
    // Within a unit, each mode below it reaches unit - d. If that adds up to a unit, floor(x +
    // y) is not floor(x) + floor(y).
    let mut reach = layout.every().map(|mode| reach_in_unit(mode, unit));
    let sum = reach.try_fold(0usize, usize::checked_add).ok_or(Fault::Overflow)?;
    if sum >= unit {
        return Err(Fault::UnitCarry { sum, unit });
    }
    map_modes(layout, unit, |KindMode { extent, stride }| {
        let number = stride.number();
        if number == 0 || extent == 1 {
            return Ok(KindMode::new(extent, DynStride::Natural(0)));
        }
        if number % unit == 0 {
            return Ok(KindMode::new(extent, stride.with_number(number / unit)));
        }
        let regroups = unit % number == 0 && extent % (unit / number) == 0;
        if regroups && !matches!(stride, DynStride::Negative(_)) {
            let units = extent / (unit / number);
            return Ok(KindMode::new(units, stride.with_number(usize::from(units != 1))));
        }
        Err(Fault::Regroup { extent, stride: number, unit })
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
    map_modes(layout, parts, |KindMode { extent, stride }| {
        let times = |number: usize| number.checked_mul(parts).ok_or(Fault::Overflow);
        Ok(match extent {
            1 => KindMode::new(1, DynStride::Natural(0)),
            _ if one(stride) => KindMode::new(times(extent)?, stride),
            _ => KindMode::new(extent, stride.with_number(times(stride.number())?)),
        })
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
        upcast(self.view(), unit)
            .map_err(|fault| LayoutError::new("upcast", fault).with_operands(self, &unit))
    }

    /// The layout in units of a `parts`-th of an element.
    ///
    /// Law and example: [`LayoutAlgebra::downcast`](crate::LayoutAlgebra::downcast).
    ///
    /// # Errors
    /// `unit-stride` if not exactly one mode has stride 1, `divisibility` if `parts` is 0,
    /// `overflow`.
    pub fn downcast(&self, parts: usize) -> Result<DynLayout, LayoutError> {
        downcast(self.view(), parts)
            .map_err(|fault| LayoutError::new("downcast", fault).with_operands(self, &parts))
    }

    /// The layout of elements of size `from` seen as elements of size `to`; only the ratio counts,
    /// so bits and bytes serve alike.
    ///
    /// Law and example: [`LayoutAlgebra::recast`](crate::LayoutAlgebra::recast).
    ///
    /// # Errors
    /// Those of [`upcast`](Self::upcast) and [`downcast`](Self::downcast).
    pub fn recast(&self, from: usize, to: usize) -> Result<DynLayout, LayoutError> {
        recast(self.view(), from, to).map_err(|fault| {
            LayoutError::new("recast", fault).with_operands(self, &format_args!("{from} to {to}"))
        })
    }
}
