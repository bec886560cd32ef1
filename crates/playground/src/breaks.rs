//! The place in the operands where a rule breaks: the mode, the numbers in the text, and the cells.
//!
//! The library reports the broken rule and its numbers; this file finds the numbers in the text.

use std::ops::Range;

use layout_algebra::prelude::*;
use layout_cli::AnyLayout;

use crate::evaluate::Evaluated;
use crate::operation::Operation;
use crate::value::{Operand, Value};

/// Cells of the picture of a part: those with `(index / before) % extent >= from`.
#[derive(Debug, Clone, PartialEq)]
pub struct Cells {
    /// The part.
    pub part: usize,
    /// The number of coordinates of the modes before this one.
    pub before: usize,
    /// The extent of this mode.
    pub extent: usize,
    /// The first coordinate that breaks the rule.
    pub from: usize,
}

/// The place where the rule breaks.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Breaks {
    /// The mode of the left operand, from the outermost level on.
    pub path: Vec<usize>,
    /// Places in the text.
    pub marks: Vec<Range<usize>>,
    /// Cells of an operand.
    pub cells: Option<Cells>,
}

/// The top-level entries of a tuple in these brackets, each with its span.
fn entries(text: &str, open: char, close: char) -> Option<Vec<Range<usize>>> {
    let start = text.len() - text.trim_start().len();
    let inner = text.trim().strip_prefix(open)?.strip_suffix(close)?;
    let (mut depth, mut first, mut found) = (0usize, start + 1, Vec::new());
    for (at, c) in inner.char_indices() {
        match c {
            '(' | '<' => depth += 1,
            ')' | '>' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                found.push(first..start + 1 + at);
                first = start + 2 + at;
            }
            _ => {}
        }
    }
    found.push(first..start + 1 + inner.len());
    Some(found)
}

/// The error of the operation on one mode.
fn of_mode(
    row: &Operation,
    layout: &DynLayout,
    tiler: &DynTiler,
) -> Option<Result<DynLayout, LayoutError>> {
    Some(match row.verb {
        "compose" => layout.compose(tiler),
        "divide" => layout.logical_divide(tiler),
        "multiply" => layout.logical_product(tiler),
        "round up" => layout.round_up(tiler),
        _ => return None,
    })
}

/// The modes that lead to the fault through the tuples of a tiler, and the span of its last entry.
fn path(
    row: &Operation,
    layout: &DynLayout,
    tiler: &str,
    fault: Fault,
) -> (Vec<usize>, Range<usize>) {
    let whole = (Vec::new(), 0..tiler.len());
    let Some(entries) = entries(tiler, '<', '>') else { return whole };
    for (index, entry) in entries.into_iter().enumerate() {
        let (Ok(mode), Ok(item)) =
            (layout.mode(index), tiler[entry.clone()].trim().parse::<DynTiler>())
        else {
            return whole;
        };
        let refused = of_mode(row, &mode, &item).and_then(Result::err);
        if refused.is_some_and(|error| error.fault() == fault) {
            let (mut deeper, place) = path(row, &mode, &tiler[entry.clone()], fault);
            deeper.insert(0, index);
            return (deeper, entry.start + place.start..entry.start + place.end);
        }
    }
    whole
}

/// The leaves of a layout's text: extents and strides with their spans.
fn leaves(text: &str) -> Vec<(usize, usize, Range<usize>, Range<usize>)> {
    let Some(colon) = text.find(':') else { return Vec::new() };
    let numbers = |range: Range<usize>| {
        let bytes = text.as_bytes();
        let digit = |at: usize| range.contains(&at) && bytes[at].is_ascii_digit();
        let starts = range.clone().filter(|&at| digit(at) && (at == 0 || !digit(at - 1)));
        starts
            .map(|start| start..(start..).find(|&at| !digit(at)).unwrap_or(range.end))
            .collect::<Vec<_>>()
    };
    let (extents, strides) = (numbers(0..colon), numbers(colon + 1..text.len()));
    let value = |place: &Range<usize>| text[place.clone()].parse().unwrap_or(0);
    extents
        .into_iter()
        .zip(strides)
        .map(|(extent, stride)| (value(&extent), value(&stride), extent, stride))
        .collect()
}

/// The spans of the leaf `extent:stride` in the text of an operand, if it is unique.
fn leaf(operand: &Operand, extent: usize, stride: usize) -> Option<(usize, [Range<usize>; 2])> {
    let start = operand.span.start;
    let leaves = leaves(operand.literal.as_deref()?);
    let mut found =
        leaves.iter().enumerate().filter(|(_, leaf)| (leaf.0, leaf.1) == (extent, stride));
    let (index, (.., shape, steps)) = found.next().filter(|_| found.next().is_none())?;
    Some((index, [shape, steps].map(|place| start + place.start..start + place.end)))
}

/// The place where `evaluated` was refused.
pub fn breaks(evaluated: &Evaluated) -> Breaks {
    let mut breaks = Breaks::default();
    let (Some((row, ids)), Some(error)) = (
        &evaluated.refused,
        evaluated.trouble.as_ref().and_then(|trouble| trouble.refusal.as_ref()),
    ) else {
        return breaks;
    };
    let operands: Vec<&Operand> = ids.iter().map(|&id| &evaluated.parts[id].operand).collect();
    let Some(left) =
        operands.first().and_then(|operand| operand.memory().ok()).map(|memory| memory.strided())
    else {
        return breaks;
    };
    let right = operands.get(1);
    if let Some((right, literal)) = right.and_then(|right| Some((right, right.literal.as_deref()?)))
    {
        if matches!(right.value, Value::Tiler(_)) {
            let (path, place) = path(row, &left, literal, error.fault());
            if !path.is_empty() {
                breaks.marks.push(right.span.start + place.start..right.span.start + place.end);
            }
            breaks.path = path;
        }
    }
    // The number of coordinates before the mode at fault, and this mode.
    let (mut before, mut mode) = (1, left.clone());
    for &index in &breaks.path {
        before *= mode.modes().take(index).map(|mode| mode.size()).product::<usize>();
        mode = mode.mode(index).unwrap_or(mode);
    }
    let mut mark = |operand: Option<&&Operand>, extent, stride| {
        let found = operand.and_then(|operand| leaf(operand, extent, stride));
        breaks.marks.extend(found.iter().flat_map(|(_, places)| places.clone()));
        found.map(|(index, _)| index)
    };
    match error.fault() {
        Fault::Span { extent, span }
            if row.verb == "divide" && span > 0 && mode.size() == extent =>
        {
            breaks.cells = Some(Cells { part: ids[0], before, extent, from: extent / span * span });
        }
        Fault::Steps { extent, stride, steps, left_extent, left_stride } => {
            mark(operands.first(), left_extent, left_stride);
            if let (Some(index), Some(Value::Memory(AnyLayout::Plain(layout)))) =
                (mark(right, extent, stride), right.map(|right| &right.value))
            {
                let before = layout.shape().leaves()[..index].iter().product();
                breaks.cells = Some(Cells { part: ids[1], before, extent, from: steps });
            }
        }
        Fault::Carry { extent, stride, .. } => {
            mark(operands.first(), extent, stride);
        }
        Fault::Regroup { extent, stride, .. } => {
            mark(operands.first(), extent, stride);
        }
        Fault::NoRefinement { extent, stride, other_extent, other_stride } => {
            for operand in [operands.first(), right] {
                mark(operand, extent, stride);
                mark(operand, other_extent, other_stride);
            }
        }
        _ => {}
    }
    breaks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::evaluate;

    fn shown(text: &str) -> (Vec<usize>, Vec<&str>, Option<Cells>) {
        let breaks = breaks(&evaluate(text));
        (breaks.path, breaks.marks.into_iter().map(|place| &text[place]).collect(), breaks.cells)
    }

    #[test]
    fn the_mode_the_numbers_and_the_cells() {
        let cells = |part, before, extent, from| Some(Cells { part, before, extent, from });
        assert_eq!(
            shown("(4,6):(1,4).zipped_divide(<2,4>)"),
            (vec![1], vec!["4"], cells(0, 4, 6, 4))
        );
        assert_eq!(
            shown("((4,6),8).tiled_divide( < <2,4>, 2> )"),
            (vec![0, 1], vec!["4"], cells(0, 4, 6, 4))
        );
        assert_eq!(shown("12:1.logical_divide(5)"), (vec![], vec![], cells(0, 1, 12, 10)));
        assert_eq!(
            shown("(4,6):(1,10) o 5:2"),
            (vec![], vec!["4", "1", "5", "2"], cells(1, 1, 5, 2))
        );
        assert_eq!(shown("(4,6).zipped_divide(<2,3>)"), (vec![], vec![], None));
        assert_eq!(shown("(4,6"), (vec![], vec![], None));
    }
}
