//! Copies of boxes of elements: packed, unpacked, or from one layout to another.

use bytemuck::Pod;
use layout_algebra::prelude::*;
use layout_mesh::BoxCopy;
use layout_relayout::Relayout;

/// Below this many elements, plain loops are faster than making a plan.
const LEAST_PLANNED: usize = 256;

/// Copies boxes. It keeps the plan of the last box, since most boxes have the modes of the one
/// before.
#[derive(Default)]
pub(crate) struct Copier {
    modes: Vec<(usize, usize, usize)>,
    plan: Option<Relayout>,
    next: Vec<(usize, usize, usize)>,
}

impl Copier {
    /// Copies one box, with the offsets and strides of `BoxCopy` in the two slices.
    pub(crate) fn copy<T: Pod>(&mut self, to: &mut [T], from: &[T], of: &BoxCopy) {
        self.next.clear();
        for &(extent, before, after) in of.modes.iter().filter(|mode| mode.0 != 1) {
            match self.next.last_mut() {
                Some(last) if before == last.0 * last.1 && after == last.0 * last.2 => {
                    last.0 *= extent
                }
                _ => self.next.push((extent, before, after)),
            }
        }
        let size = of.size();
        if size == 0 {
            return;
        }
        let (to, from) = (&mut to[of.to..], &from[of.from..]);
        if self.next.len() < 2 || size < LEAST_PLANNED {
            return copy_modes(to, from, &self.next);
        }
        if self.modes != self.next {
            self.plan = plan(&self.next, size_of::<T>());
            self.modes.clone_from(&self.next);
        }
        let is_copied = self.plan.as_ref().is_some_and(|plan| plan.run(from, to).is_ok());
        if !is_copied {
            copy_modes(to, from, &self.next);
        }
    }
}

fn copy_modes<T: Copy>(to: &mut [T], from: &[T], modes: &[(usize, usize, usize)]) {
    match *modes {
        [] => to[0] = from[0],
        [(extent, 1, 1)] => to[..extent].copy_from_slice(&from[..extent]),
        [(extent, before, after)] => {
            let to = to.iter_mut().step_by(after);
            to.zip(from.iter().step_by(before)).take(extent).for_each(|(to, from)| *to = *from);
        }
        [ref inner @ .., (extent, before, after)] => {
            for i in 0..extent {
                copy_modes(&mut to[i * after..], &from[i * before..], inner);
            }
        }
    }
}

/// The relayout plan of a box, which orders its loops for the caches, and transposes in registers.
fn plan(modes: &[(usize, usize, usize)], element: usize) -> Option<Relayout> {
    let layout = |stride: fn(&(usize, usize, usize)) -> usize| {
        let tuple = |number: fn(&(usize, usize, usize)) -> usize| {
            DynShape::tuple(modes.iter().map(|mode| DynShape::from(number(mode))))
        };
        DynLayout::new(tuple(|mode| mode.0).ok()?, tuple(stride).ok()?).ok()
    };
    Relayout::plan(&layout(|mode| mode.1)?, &layout(|mode| mode.2)?, element).ok()
}

/// Packs boxes one after the other into `to`, which has as many elements as the boxes.
pub(crate) fn pack<T: Pod>(to: &mut [T], from: &[T], boxes: &[BoxCopy], copier: &mut Copier) {
    let mut at = 0;
    for of in boxes {
        copier.copy(
            to,
            from,
            &BoxCopy { to: at, from: of.from, modes: compact(of, |mode| mode.1, false) },
        );
        at += of.size();
    }
}

/// Unpacks boxes that `pack` has packed.
pub(crate) fn unpack<T: Pod>(to: &mut [T], from: &[T], boxes: &[BoxCopy], copier: &mut Copier) {
    let mut at = 0;
    for of in boxes {
        copier.copy(
            to,
            from,
            &BoxCopy { from: at, to: of.to, modes: compact(of, |mode| mode.2, true) },
        );
        at += of.size();
    }
}

/// Adds packed boxes, element by element.
pub(crate) fn add<T: Copy>(to: &mut [T], from: &[T], boxes: &[BoxCopy], add: fn(&mut T, T)) {
    fn modes<T: Copy>(to: &mut [T], from: &[T], of: &[(usize, usize, usize)], add: fn(&mut T, T)) {
        match *of {
            [] => add(&mut to[0], from[0]),
            [ref inner @ .., (extent, before, after)] => {
                (0..extent)
                    .for_each(|i| modes(&mut to[i * after..], &from[i * before..], inner, add));
            }
        }
    }
    let mut at = 0;
    for of in boxes.iter().filter(|of| of.size() > 0) {
        modes(&mut to[of.to..], &from[at..], &compact(of, |mode| mode.2, true), add);
        at += of.size();
    }
}

/// The modes of a box with compact strides on one side.
fn compact(
    of: &BoxCopy,
    stride: impl Fn(&(usize, usize, usize)) -> usize,
    packed_before: bool,
) -> Vec<(usize, usize, usize)> {
    let mut step = 1;
    let mode = |mode: &(usize, usize, usize)| {
        let packed = step;
        step *= mode.0;
        if packed_before { (mode.0, packed, stride(mode)) } else { (mode.0, stride(mode), packed) }
    };
    of.modes.iter().map(mode).collect()
}
