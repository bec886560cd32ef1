//! Equations between layouts.
//!
//! ```text
//! B(X(i)) = A(i) for i < size(A), and X(i) < size(B)
//! ```
//!
//! If `B` is injective, its left inverse gives `X`. Otherwise an offset has several coordinates,
//! and the modes of `X` are searched from the left: the stride of a mode is any coordinate of the
//! next offset, and its extent any divisor of the remaining size. XOR strides are searched bit by
//! bit.

use std::collections::HashMap;

use layout_algebra::{DynLayout, DynStride};

use crate::composition::xor;
use crate::error::Error;
use crate::function::Function;

/// The most values that the search compares, in addition to two for each coordinate.
const STEPS: usize = 1 << 20;

pub(crate) fn find_solution(left: &DynLayout, right: &DynLayout) -> Result<DynLayout, Error> {
    if right.size() == 0 {
        return Ok(DynLayout::try_left(&right.shape())?);
    }
    if let Some(found) = by_inverse(left, right) {
        return Ok(found);
    }
    if let Some(large) = [left, right].into_iter().find(|layout| layout.size() > COORDINATES) {
        return Err(Error::TooMany {
            layout: large.to_string(),
            count: large.size() as u128,
            most: COORDINATES,
        });
    }
    let offsets = Function::new(right).table(right, right.size())?;
    let mut coordinates: HashMap<i128, Vec<usize>> = HashMap::new();
    for (coordinate, offset) in
        Function::new(left).table(left, left.size())?.into_iter().enumerate()
    {
        coordinates.entry(offset).or_default().push(coordinate);
    }
    let none = |coordinate: usize| Error::NotReached {
        left: left.to_string(),
        right: right.to_string(),
        coordinate,
        offset: offsets[coordinate],
    };
    if let Some(coordinate) = offsets.iter().position(|offset| !coordinates.contains_key(offset)) {
        return Err(none(coordinate));
    }
    let mut search = Search {
        coordinates: &coordinates,
        offsets: &offsets,
        values: vec![0],
        modes: vec![],
        steps: 0,
    };
    let natural = search.extend();
    if natural == Some(true) {
        return in_shape(&search.modes, right);
    }
    (search.values, search.modes) = (vec![0], vec![]);
    let linear = if offsets.len().is_power_of_two() { search.extend_by_bit() } else { Some(false) };
    match (natural, linear) {
        (_, Some(true)) => in_shape(&search.modes, right),
        (Some(false), Some(false)) => {
            Err(Error::NoSolution { left: left.to_string(), right: right.to_string() })
        }
        _ => Err(Error::GaveUp { what: format!("x with {left} o x = {right}"), steps: STEPS }),
    }
}

/// The solution by the left inverse. It is checked, for the inverse is arbitrary at numbers that
/// are not offsets of `left`.
fn by_inverse(left: &DynLayout, right: &DynLayout) -> Option<DynLayout> {
    let found = left.left_inverse().ok()?.compose(right).ok()?;
    let same =
        found.cosize() <= left.size() && left.compose(&found).ok()?.coalesce() == right.coalesce();
    same.then_some(found)
}

/// The most coordinates of either side.
const COORDINATES: usize = 1 << 20;

struct Search<'a> {
    /// The coordinates of each offset of the left layout.
    coordinates: &'a HashMap<i128, Vec<usize>>,
    /// The offsets of the right layout.
    offsets: &'a [i128],
    /// The values of the solution so far.
    values: Vec<usize>,
    modes: Vec<(usize, DynStride)>,
    steps: usize,
}

impl Search<'_> {
    /// Whether a solution begins with `modes`; `None` if the search gave up.
    fn extend(&mut self) -> Option<bool> {
        let (known, size) = (self.values.len(), self.offsets.len());
        if known == size {
            return Some(true);
        }
        for &next in &self.coordinates[&self.offsets[known]] {
            // This stride continues the previous mode: tried already as a larger extent of that
            // mode.
            if let Some(&(extent, DynStride::Natural(step))) = self.modes.last() {
                if step * extent == next {
                    continue;
                }
            }
            let most = self.run(next, known, size)?;
            for steps in (2..=most).rev().filter(|steps| (size / known) % steps == 0) {
                self.values.truncate(known);
                for step in 1..steps {
                    for within in 0..known {
                        self.values.push(step * next + self.values[within]);
                    }
                }
                self.modes.push((steps, DynStride::Natural(next)));
                if self.extend()? {
                    return Some(true);
                }
                self.modes.pop();
            }
            self.values.truncate(known);
        }
        Some(false)
    }

    /// The largest extent of a mode of stride `next` after the known values whose offsets equal
    /// those of the right layout.
    fn run(&mut self, next: usize, known: usize, size: usize) -> Option<usize> {
        let mut steps = 1;
        while steps < size / known {
            self.steps += known;
            if self.steps > STEPS + 2 * self.offsets.len() {
                return None;
            }
            let has = |within: usize| {
                let value = steps.checked_mul(next)?.checked_add(self.values[within])?;
                let all = &self.coordinates[&self.offsets[known * steps + within]];
                all.binary_search(&value).ok()
            };
            if (0..known).any(|within| has(within).is_none()) {
                break;
            }
            steps += 1;
        }
        Some(steps)
    }

    /// `extend` with XOR strides, bit by bit.
    fn extend_by_bit(&mut self) -> Option<bool> {
        let known = self.values.len();
        if known == self.offsets.len() {
            return Some(true);
        }
        for &next in &self.coordinates[&self.offsets[known]] {
            self.steps += known;
            if self.steps > STEPS + 2 * self.offsets.len() {
                return None;
            }
            let has = |within: usize| {
                let all = &self.coordinates[&self.offsets[known + within]];
                all.binary_search(&(next ^ self.values[within])).is_ok()
            };
            if (0..known).all(has) {
                let more: Vec<usize> = self.values.iter().map(|value| next ^ value).collect();
                self.values.extend(more);
                self.modes.push((2, xor(next)));
                if self.extend_by_bit()? {
                    return Some(true);
                }
                self.modes.pop();
                self.values.truncate(known);
            }
        }
        Some(false)
    }
}

/// The modes in the right layout's shape if they can have it, or else flat.
fn in_shape(modes: &[(usize, DynStride)], right: &DynLayout) -> Result<DynLayout, Error> {
    let (extents, strides) = match modes {
        [] => (vec![1], vec![DynStride::Natural(0)]),
        _ => modes.iter().copied().unzip(),
    };
    let flat = DynLayout::with_strides(extents, strides)?.coalesce();
    Ok(flat.with_shape(&right.shape()).unwrap_or(flat))
}
