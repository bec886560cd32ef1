//! The parser of einops' notation: two lists of named axes.
//!
//! ```text
//! pattern = side "->" side          side = {" " | axis | "..." | "(" {" " | axis | "..."} ")"}
//! axis    = name | number           1 and () are axes of one element without a name
//! ```

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use crate::error::PatternError;

/// An axis of the pattern: a name, or a number above 1.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    /// The bytes of the pattern where it occurs first.
    pub(crate) at: Range<usize>,
    /// The extent, if it is written as a number.
    pub(crate) number: Option<usize>,
    /// Whether it is on the left side, and on the right side.
    pub(crate) on: [bool; 2],
}

/// A part of an axis: in parentheses, or the whole axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// The axis with this index in `names`.
    Axis(usize),
    /// All remaining axes.
    Ellipsis,
}

/// One axis of an array, or as many as are left.
#[derive(Clone, Debug)]
pub(crate) enum Group {
    /// An axis that consists of these parts: where it stands, and the parts.
    Axis(Range<usize>, Vec<Part>),
    /// All remaining axes.
    Ellipsis,
}

#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    pub(crate) text: String,
    pub(crate) names: Vec<Name>,
    /// The left side and the right one.
    pub(crate) sides: [Vec<Group>; 2],
}

pub(crate) const ELLIPSIS: &str = "...";

fn is_of_name(char: char) -> bool {
    char.is_alphanumeric() || char == '_'
}
/// Characters that may not touch `...`.
fn joins_on(char: char) -> bool {
    is_of_name(char) || char == '.'
}

/// Checks a name of an axis: Python's identifiers, without underscores at the ends.
pub(crate) fn check_name(name: &str) -> Result<(), String> {
    let mut chars = name.chars();
    let is_name = chars.next().is_some_and(|first| first.is_alphabetic() || first == '_')
        && chars.all(is_of_name);
    if !is_name {
        return Err(format!(
            "`{name}` is no name of an axis: letters, then letters, digits and underscores"
        ));
    }
    if name.starts_with('_') || name.ends_with('_') {
        return Err(format!("the name `{name}` of an axis begins or ends with an underscore"));
    }
    Ok(())
}

impl Pattern {
    /// Reads a pattern of two sides.
    pub(crate) fn read(text: &str) -> Result<Self, PatternError> {
        let mut pattern =
            Pattern { text: text.into(), names: Vec::new(), sides: [Vec::new(), Vec::new()] };
        let Some(arrow) = text.find("->") else {
            return Err(
                pattern.error(0..text.len(), "a pattern has two sides with `->` between them")
            );
        };
        if let Some(second) = text[arrow + 2..].find("->") {
            let at = arrow + 2 + second;
            return Err(pattern.error(at..at + 2, "a pattern has one `->`"));
        }
        pattern.sides[0] = pattern.side(0..arrow, 0)?;
        pattern.sides[1] = pattern.side(arrow + 2..text.len(), 1)?;
        if let (false, Some(at)) = (pattern.has_ellipsis(0), text[arrow..].find(ELLIPSIS)) {
            let at = arrow + at..arrow + at + ELLIPSIS.len();
            return Err(pattern.error(at, "`...` is on the right side only"));
        }
        Ok(pattern)
    }

    pub(crate) fn error(&self, at: Range<usize>, message: impl Into<String>) -> PatternError {
        PatternError::new(&self.text, at, message)
    }

    /// The text of an axis.
    pub(crate) fn name(&self, axis: usize) -> &str {
        &self.text[self.names[axis].at.clone()]
    }

    /// Does a side have `...`?
    pub(crate) fn has_ellipsis(&self, side: usize) -> bool {
        self.sides[side].iter().any(|group| match group {
            Group::Ellipsis => true,
            Group::Axis(_, parts) => parts.contains(&Part::Ellipsis),
        })
    }

    /// Reads one side, and adds its names.
    fn side(&mut self, within: Range<usize>, side: usize) -> Result<Vec<Group>, PatternError> {
        let (mut groups, mut ellipsis) = (Vec::new(), false);
        // The open parenthesis: its position, and the parts so far.
        let mut open: Option<(usize, Vec<Part>)> = None;
        let mut at = within.start;
        while let Some(char) = self.text[at..within.end].chars().next() {
            let here = at..at + char.len_utf8();
            let rest = &self.text[at..within.end];
            let width = match char {
                ' ' => 1,
                '(' if open.is_some() => {
                    return Err(self.error(here, "parentheses inside parentheses"));
                }
                '(' => {
                    open = Some((at, Vec::new()));
                    1
                }
                ')' => {
                    let Some((from, parts)) = open.take() else {
                        return Err(self.error(here, "`)` without `(`"));
                    };
                    groups.push(Group::Axis(from..here.end, parts));
                    1
                }
                '.' if rest.starts_with(ELLIPSIS) && !rest[3..].starts_with(joins_on) => {
                    if ellipsis {
                        return Err(self.error(at..at + 3, "a second `...` on one side"));
                    }
                    ellipsis = true;
                    match &mut open {
                        Some(_) if side == 0 => {
                            return Err(
                                self.error(at..at + 3, "`...` in parentheses on the left side")
                            );
                        }
                        Some((_, parts)) => parts.push(Part::Ellipsis),
                        None => groups.push(Group::Ellipsis),
                    }
                    3
                }
                '.' => return Err(self.error(here, "dots other than `...` between spaces")),
                _ if is_of_name(char) => {
                    let width = rest.find(|char| !is_of_name(char)).unwrap_or(rest.len());
                    if rest[width..].starts_with('.') {
                        let at = at + width..at + width + 1;
                        return Err(self.error(at, "no space before the dots"));
                    }
                    let part = self.axis(at..at + width, side)?;
                    match (&mut open, part) {
                        // A 1 in parentheses changes nothing.
                        (Some((_, parts)), part) => parts.extend(part.map(Part::Axis)),
                        (None, part) => {
                            groups.push(Group::Axis(
                                at..at + width,
                                part.map(Part::Axis).into_iter().collect(),
                            ));
                        }
                    }
                    width
                }
                _ => {
                    return Err(
                        self.error(here, format!("the character {char:?} has no meaning here"))
                    );
                }
            };
            at += width;
        }
        match open {
            Some((from, _)) => Err(self.error(from..from + 1, "`(` without `)`")),
            None => Ok(groups),
        }
    }

    /// The axis written here; `None` for a 1.
    fn axis(&mut self, at: Range<usize>, side: usize) -> Result<Option<usize>, PatternError> {
        let text = &self.text[at.clone()];
        if text.bytes().all(|byte| byte.is_ascii_digit()) {
            let number = match text.parse::<usize>() {
                Ok(0) => return Err(self.error(at, "an axis of 0 elements by number")),
                Ok(1) => return Ok(None),
                Ok(number) => number,
                Err(_) => return Err(self.error(at, format!("{text} elements are too many"))),
            };
            self.names.push(Name { at, number: Some(number), on: [side == 0, side == 1] });
            return Ok(Some(self.names.len() - 1));
        }
        check_name(text).map_err(|why| self.error(at.clone(), why))?;
        let is_this = |name: &Name| name.number.is_none() && self.text[name.at.clone()] == *text;
        match self.names.iter().position(is_this) {
            Some(axis) if self.names[axis].on[side] => {
                let side = ["left", "right"][side];
                Err(self
                    .error(at.clone(), format!("axis `{text}` stands twice on the {side} side")))
            }
            Some(axis) => {
                self.names[axis].on[side] = true;
                Ok(Some(axis))
            }
            None => {
                self.names.push(Name { at, number: None, on: [side == 0, side == 1] });
                Ok(Some(self.names.len() - 1))
            }
        }
    }
}
