//! Boxes of elements copied: packed, unpacked, or from one layout to another.

use layout_algebra::prelude::*;

use crate::plan::BoxCopy;

/// Below this many elements, loops as they stand are faster than an order of the loops that has to be found.
const FEW: usize = 256;

/// The most modes that a copy of tensors puts in order.
const MODES: usize = 6;

/// Copies one box, offsets and strides of `BoxCopy` being those of the two slices.
pub(crate) fn copy_box<T: Copy>(to: &mut [T], from: &[T], of: &BoxCopy) {
    let mut modes: Vec<(usize, usize, usize)> = Vec::with_capacity(of.modes.len());
    for &(extent, before, after) in of.modes.iter().filter(|mode| mode.0 != 1) {
        match modes.last_mut() {
            Some(last) if before == last.0 * last.1 && after == last.0 * last.2 => last.0 *= extent,
            _ => modes.push((extent, before, after)),
        }
    }
    if of.size() > 0 {
        copy_modes(&mut to[of.to..], &from[of.from..], &modes);
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
            let size: usize = modes.iter().map(|mode| mode.0).product();
            if size >= FEW && modes.len() <= MODES && copy_tensor(to, from, modes) {
                return;
            }
            for i in 0..extent {
                copy_modes(&mut to[i * after..], &from[i * before..], inner);
            }
        }
    }
}

/// The library's copy, which takes the loops in the order that memory likes, and transposes in blocks.
fn copy_tensor<T: Copy>(to: &mut [T], from: &[T], modes: &[(usize, usize, usize)]) -> bool {
    let layout = |stride: fn(&(usize, usize, usize)) -> usize| {
        let tuple = |number: fn(&(usize, usize, usize)) -> usize, modes: &[(usize, usize, usize)]| {
            DynShape::tuple(modes.iter().map(|mode| DynShape::from(number(mode))))
        };
        DynLayout::new(tuple(|mode| mode.0, modes)?, tuple(stride, modes)?)
    };
    let copy = || -> Result<(), LayoutError> {
        Tensor::new(to, layout(|mode| mode.2)?)?.copy_from(&Tensor::new(from, layout(|mode| mode.1)?)?)
    };
    copy().is_ok()
}

/// Packs boxes side by side, in their order; the number of elements is that of `to`.
pub(crate) fn pack<T: Copy>(to: &mut [T], from: &[T], boxes: &[BoxCopy]) {
    let mut at = 0;
    for of in boxes {
        copy_box(to, from, &BoxCopy { to: at, from: of.from, modes: compact(of, |mode| mode.1, false) });
        at += of.size();
    }
}

/// The other way round.
pub(crate) fn unpack<T: Copy>(to: &mut [T], from: &[T], boxes: &[BoxCopy]) {
    let mut at = 0;
    for of in boxes {
        copy_box(to, from, &BoxCopy { from: at, to: of.to, modes: compact(of, |mode| mode.2, true) });
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
