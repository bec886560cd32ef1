//! Larger and smaller elements under strides of every kind.

use super::modes::KindMode;
use super::stride::DynStride;
use crate::error::Fault;

/// How a mode reads in units of `unit` elements. The offsets of XOR strides never add up to a unit.
pub(crate) fn upcast(mode: KindMode, unit: usize) -> Result<KindMode, Fault> {
    let KindMode { extent, stride } = mode;
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
}

/// How a mode reads in units of a `parts`-th of an element.
pub(crate) fn downcast(mode: KindMode, parts: usize) -> Result<KindMode, Fault> {
    let KindMode { extent, stride } = mode;
    Ok(match (extent, stride) {
        (1, _) => KindMode::new(1, DynStride::Natural(0)),
        (_, DynStride::Natural(1) | DynStride::Xor(1)) => {
            KindMode::new(extent.checked_mul(parts).ok_or(Fault::Overflow)?, stride)
        }
        _ => KindMode::new(extent, stride.with_number(stride.number().checked_mul(parts).ok_or(Fault::Overflow)?)),
    })
}
