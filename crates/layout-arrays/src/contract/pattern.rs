//! The names of a contraction: `left, right -> result`, names separated by spaces.
//!
//! ```text
//! pattern = operand "," operand "->" operand          operand = {" " | name | "..."}
//! ```

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::reason::OPERANDS;
use crate::error::{ArrayError, PatternError};
use crate::layout::ArrayLayout;
use crate::names::{ELLIPSIS, check_name};

/// An axis of the contraction: all axes with one name.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    pub(super) name: String,
    pub(super) extent: usize,
    /// The strides in the left array, the right array and the result; 0 in an array without the
    /// axis.
    pub(super) by: [isize; 3],
    /// Which of the three arrays have the axis.
    pub(super) of: [bool; 3],
}

/// The three lists of names, as ranges of the pattern, each with the range of the whole list.
type Words = [(Range<usize>, Vec<Range<usize>>); 3];

fn read_words(text: &str) -> Result<Words, PatternError> {
    let Some(arrow) = text.find("->") else {
        let why = "a contraction is `left, right -> result`, and there is no `->`";
        return Err(PatternError::new(text, 0..text.len(), why));
    };
    let mut commas = text[..arrow].match_indices(',').map(|(at, _)| at);
    let (Some(comma), None) = (commas.next(), commas.next()) else {
        let why = "a contraction has two arrays on the left side, with one comma between them";
        return Err(PatternError::new(text, 0..arrow, why));
    };
    let words = |side: Range<usize>| -> Result<_, PatternError> {
        let mut words: Vec<Range<usize>> = Vec::new();
        for word in text[side.clone()].split_whitespace() {
            let at = word.as_ptr() as usize - text.as_ptr() as usize;
            let at = at..at + word.len();
            match word {
                ELLIPSIS if words.iter().any(|at| &text[at.clone()] == ELLIPSIS) => {
                    return Err(PatternError::new(text, at, "a second `...` of one array"));
                }
                ELLIPSIS => {}
                _ => check_name(word).map_err(|why| PatternError::new(text, at.clone(), why))?,
            }
            words.push(at);
        }
        Ok((side, words))
    };
    Ok([words(0..comma)?, words(comma + 1..arrow)?, words(arrow + 2..text.len())?])
}

/// The axes of a contraction of these arrays, and those of its result in order.
///
/// # Errors
/// An invalid pattern; a wrong number of axes; one name with two extents.
pub(super) fn bind(
    text: &str,
    arrays: [&ArrayLayout; 2],
) -> Result<(Vec<Axis>, Vec<usize>), ArrayError> {
    let words = read_words(text)?;
    let mut axes: Vec<Axis> = Vec::new();
    for (operand, layout) in arrays.into_iter().enumerate() {
        let (side, words) = &words[operand];
        let is_ellipsis = |at: &Range<usize>| &text[at.clone()] == ELLIPSIS;
        let (rank, has_ellipsis) = (layout.rank(), words.iter().any(is_ellipsis));
        let named = words.len() - usize::from(has_ellipsis);
        let spare = match rank.checked_sub(named) {
            Some(spare) if has_ellipsis || spare == 0 => spare,
            _ => {
                let least = if has_ellipsis { "at least " } else { "" };
                let apart = if rank > named { ", names apart by spaces" } else { "" };
                let why = format!(
                    "the {} has {least}{named} axes here{apart}, and its layout {rank}",
                    OPERANDS[operand]
                );
                return Err(PatternError::new(text, side.clone(), why).into());
            }
        };
        let mut lasts = layout.shape().iter().copied().zip(layout.strides().iter().copied());
        for at in words {
            // The axes of `...` are counted from the last one.
            let names: Vec<String> = if is_ellipsis(at) {
                (1..=spare).rev().map(|from_last| format!("{ELLIPSIS}-{from_last}")).collect()
            } else {
                [text[at.clone()].into()].into()
            };
            for (name, (extent, stride)) in names.into_iter().zip(lasts.by_ref()) {
                let Some(axis) = axes.iter_mut().find(|axis| axis.name == name) else {
                    let mut axis = Axis { name, extent, by: [0; 3], of: [false; 3] };
                    (axis.by[operand], axis.of[operand]) = (stride, true);
                    axes.push(axis);
                    continue;
                };
                if axis.extent != extent {
                    let first = if axis.of[0] { OPERANDS[0] } else { OPERANDS[1] };
                    let why = format!(
                        "axis `{name}` has the extent {extent} in the {}, and {} in the {first}",
                        OPERANDS[operand], axis.extent
                    );
                    return Err(PatternError::new(text, at.clone(), why).into());
                }
                // A name twice in one array is its diagonal: the strides add up. The sum fits,
                // except for axes of one element and empty arrays, whose strides do not matter.
                axis.by[operand] =
                    if extent > 1 { axis.by[operand].wrapping_add(stride) } else { 0 };
                axis.of[operand] = true;
            }
        }
    }
    let (mut order, words) = (Vec::new(), &words[2].1);
    for at in words {
        let name = &text[at.clone()];
        let found: Vec<usize> = (0..axes.len())
            .filter(|&axis| match name {
                ELLIPSIS => axes[axis].name.starts_with(ELLIPSIS),
                _ => axes[axis].name == name,
            })
            .collect();
        if found.is_empty() && name != ELLIPSIS {
            let why = format!("axis `{name}` is one of the result only");
            return Err(PatternError::new(text, at.clone(), why).into());
        }
        if found.iter().any(|&axis| axes[axis].of[2]) {
            return Err(PatternError::new(
                text,
                at.clone(),
                format!("axis `{name}` stands twice in the result"),
            )
            .into());
        }
        let begin = order.len();
        order.extend(found);
        if name == ELLIPSIS {
            order[begin..].sort_by(|&x: &usize, &y| {
                let from_last = |axis: usize| (axes[axis].name.len(), axes[axis].name.clone());
                from_last(y).cmp(&from_last(x))
            });
        }
        order[begin..].iter().for_each(|&axis| axes[axis].of[2] = true);
    }
    if axes.iter().any(|axis| axis.name.starts_with(ELLIPSIS) && !axis.of[2]) {
        let at = text.find(ELLIPSIS).unwrap_or(0);
        let why = "`...` is on the left side only";
        return Err(PatternError::new(text, at..at + ELLIPSIS.len(), why).into());
    }
    Ok((axes, order))
}
