//! A side of a grid: the coordinates along it, nested ones on several levels.
//!
//! ```text
//! mode (2,3)       levels   extent 2, a cell each      0 1 0 1 0 1
//!                           extent 3, two cells each    0   1   2
//! ```

use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use layout_algebra::DynShape;

/// The coordinates along a side.
#[derive(Clone)]
pub(crate) struct Axis {
    /// The extents of the mode's leaves, the fastest first; those of 1 say nothing and are left
    /// out.
    extents: Vec<usize>,
    /// What is written for coordinate `i` is `i * step`.
    step: usize,
}

/// One leaf of a mode along a side.
#[derive(Clone, Copy)]
pub(crate) struct Level {
    pub(crate) extent: usize,
    /// How many cells each of its coordinates covers.
    pub(crate) run: usize,
}

impl Axis {
    /// The coordinates of a mode of this shape, whose size fits.
    pub(crate) fn of(mode: &DynShape) -> Self {
        let mut extents = mode.leaves().to_vec();
        if extents.contains(&0) {
            extents = vec![0];
        }
        extents.retain(|&extent| extent != 1);
        Axis { extents, step: 1 }
    }
    /// The numbers `0, step, 2 * step, ..`; a single one is not written.
    pub(crate) fn numbers(count: usize, step: usize) -> Self {
        Axis { extents: if count == 1 { Vec::new() } else { vec![count] }, step }
    }
    /// How many cells; more than there are numbers for are `usize::MAX`.
    pub(crate) fn count(&self) -> usize {
        self.extents.iter().fold(1, |count, &extent| count.saturating_mul(extent))
    }
    /// Its levels, from the cells outwards.
    pub(crate) fn levels(&self) -> impl Iterator<Item = Level> + '_ {
        let mut run = 1;
        self.extents.iter().map(move |&extent| {
            let level = Level { extent, run };
            run *= extent;
            level
        })
    }
    /// What is written for a coordinate.
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
