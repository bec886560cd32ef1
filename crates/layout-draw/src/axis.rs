//! A side of a grid: the coordinates along it, with a level for each nested mode.
//!
//! ```text
//! mode 1, (2,3)    levels   1.0, extent 2, a cell each      0 1 0 1 0 1
//!                           1.1, extent 3, two cells each    0   1   2
//! ```

use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use layout_algebra::DynShape;

/// The coordinates along a side.
#[derive(Clone)]
pub(crate) struct Axis {
    /// The extents of the mode's leaves, the fastest first, without those of 1.
    extents: Vec<usize>,
    /// The label of coordinate `i` is `i * step`.
    step: usize,
    /// The names of the leaves of a nested mode: `1.0` is the first mode within mode 1.
    names: Vec<String>,
}

/// One leaf of a mode along a side.
#[derive(Clone, Copy)]
pub(crate) struct Level {
    pub(crate) extent: usize,
    /// The number of cells of each coordinate.
    pub(crate) run: usize,
}

impl Axis {
    /// The coordinates of a mode of this shape, whose size fits, and of this number.
    pub(crate) fn of(mode: &DynShape, number: usize) -> Self {
        let extents = mode.leaves().to_vec();
        if extents.contains(&0) {
            return Axis { extents: vec![0], step: 1, names: Vec::new() };
        }
        let mut names = Vec::new();
        named(mode, &number.to_string(), &mut names);
        let moving = |&extent: &usize| extent != 1;
        let names = extents.iter().zip(names).filter(|(extent, _)| moving(extent));
        let names: Vec<_> = names.map(|(_, name)| name).collect();
        let names = if names.len() > 1 { names } else { Vec::new() };
        Axis { extents: extents.into_iter().filter(moving).collect(), step: 1, names }
    }
    /// The numbers `0, step, 2 * step, ..`; a single one is not written.
    pub(crate) fn numbers(count: usize, step: usize) -> Self {
        let extents = if count == 1 { Vec::new() } else { vec![count] };
        Axis { extents, step, names: Vec::new() }
    }
    /// The names of the levels, if there are several.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }
    /// The number of cells, at most `usize::MAX`.
    pub(crate) fn count(&self) -> usize {
        self.extents.iter().fold(1, |count, &extent| count.saturating_mul(extent))
    }
    /// The levels, from the cells outwards.
    pub(crate) fn levels(&self) -> impl Iterator<Item = Level> + '_ {
        let mut run = 1;
        self.extents.iter().map(move |&extent| {
            let level = Level { extent, run };
            run *= extent;
            level
        })
    }
    /// The label of a coordinate.
    pub(crate) fn text(&self, coordinate: usize) -> String {
        (coordinate * self.step).to_string()
    }
    /// The coordinate of cell `i`, nested ones in parentheses.
    pub(crate) fn head(&self, i: usize) -> String {
        let texts: Vec<_> =
            self.levels().map(|level| self.text(i / level.run % level.extent)).collect();
        match &texts[..] {
            [] => "0".into(),
            [one] => one.clone(),
            _ => alloc::format!("({})", texts.join(",")),
        }
    }
}

/// The names of the leaves of a mode, from the first to the last.
fn named(mode: &DynShape, name: &str, names: &mut Vec<String>) {
    if mode.as_leaf().is_some() {
        names.push(name.into());
        return;
    }
    for (k, child) in mode.children().enumerate() {
        named(&child, &alloc::format!("{name}.{k}"), names);
    }
}
