//! A range of a mode, which may start and end inside a block.
//!
//! ```text
//! R(c) + offset = L(c'), where c' is c with range.start added to the index of mode `mode`
//! ```

use std::ops::Range;

use layout_algebra::{DynLayout, DynShape};

use crate::error::Error;
use crate::function::{Function, MOST, leaves, modes_of, stride};

pub(crate) fn find_range(
    layout: &DynLayout,
    mode: usize,
    range: Range<usize>,
) -> Result<(DynLayout, isize), Error> {
    let fault =
        |size| Error::Range { layout: layout.to_string(), mode, range: range.clone(), size };
    let whole = layout.mode(mode).map_err(|_| fault(None))?;
    if range.start > range.end || range.end > whole.size() {
        return Err(fault(Some(whole.size())));
    }
    if leaves(&whole).iter().any(|leaf| leaf.is_xor() && leaf.moves()) {
        return by_rule(layout, mode, &range);
    }
    if range.len() > MOST {
        // A long range is only cut at block boundaries, by the rule.
        return by_rule(layout, mode, &range).map_err(|_| Error::TooMany {
            layout: format!("{}..{} of {layout}", range.start, range.end),
            count: range.len() as u128,
            most: MOST,
        });
    }
    let of_mode = Function::new(&whole);
    let overflow = || Error::overflow(layout);
    // An empty range has offset 0.
    let first = if range.is_empty() { 0 } else { of_mode.at(range.start).ok_or_else(overflow)? };
    let step = |i: usize| of_mode.at(i).map(|offset| offset - first);
    let values: Vec<i128> = range.clone().map(step).collect::<Option<_>>().ok_or_else(overflow)?;
    let what = || format!("{}..{} of mode {mode} of {layout}", range.start, range.end);
    let modes =
        modes_of(&values, mode).map_err(|reason| Error::NoLayout { what: what(), reason })?;
    let (extents, strides): (Vec<usize>, Vec<i128>) = match (values.is_empty(), &modes[..]) {
        (true, _) => (vec![0], vec![0]),
        (_, []) => (vec![1], vec![0]),
        _ => modes.into_iter().unzip(),
    };
    let strides =
        strides.into_iter().map(stride).collect::<Option<Vec<_>>>().ok_or_else(overflow)?;
    let shape = match extents[..] {
        [extent] => DynShape::from(extent),
        _ => DynShape::tuple(extents.into_iter().map(DynShape::from))?,
    };
    let part = DynLayout::with_strides(shape, strides)?;
    let offset = isize::try_from(first).map_err(|_| overflow())?;
    Ok((if layout.depth() == 0 { part } else { layout.replace(mode, &part)? }, offset))
}

/// The range by the rule of `slice`, which cuts at block boundaries.
fn by_rule(
    layout: &DynLayout,
    mode: usize,
    range: &Range<usize>,
) -> Result<(DynLayout, isize), Error> {
    let one =
        |k: usize| if k == mode { format!("{}..{}", range.start, range.end) } else { "_".into() };
    let text = match layout.depth() {
        0 => one(0),
        _ => format!("({})", (0..layout.rank()).map(|k| one(k) + ",").collect::<String>()),
    };
    let slice: layout_algebra::DynSlice = text.parse()?;
    let (part, offset) = layout.slice(&slice)?;
    let offset = isize::try_from(offset).map_err(|_| Error::overflow(layout))?;
    Ok((part, offset))
}
