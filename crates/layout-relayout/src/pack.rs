//! Packing with padding: each mode of the destination is at least as large as in the source, and
//! the rest is filled.
//!
//! ```text
//! to[T(c)] = from[F(c)] where c < shape(F) in every mode, and fill elsewhere
//! ```

use bytemuck::Pod;
use layout_algebra::{DynComposedLayout, DynLayout, ToDynamic};

use crate::arrange::nest;
use crate::axes::{Axis, leaves, normalize, plain, text};
use crate::error::RelayoutError;
use crate::kernel::Checked;
use crate::machine::InstructionSet;
use crate::plan::{enough, few_enough};

/// A plan to pack a matrix, or any other source, into a layout of whole tiles. The rest of the last
/// tiles is filled.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_relayout::Packing;
/// // 5 rows of 3 elements as two panels of 4 rows.
/// let packing = Packing::plan(&layout!((5, 3): right), &layout!(((4, 2), 3):((1, 12), 4)), size_of::<u8>())?;
/// let mut panels = [9; 24];
/// packing.run(b"abcdefghijklmno", &mut panels, b'.')?;
/// assert_eq!(&panels, b"adgjbehkcfilm...n...o...");
/// # Ok::<(), layout_relayout::RelayoutError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Packing {
    /// The least length of a slice for each layout.
    cosizes: [usize; 2],
    element: usize,
    moved: Vec<Checked>,
    filled: Vec<Checked>,
}

/// A range of coordinates of a mode: the loops, and the first offsets.
#[derive(Clone, Default)]
struct Part {
    axes: Vec<Axis>,
    from: usize,
    to: usize,
}

impl Packing {
    /// The plan from `from` to `to`, which has the same number of modes, each at least as large.
    /// Within a mode, elements of the same number are paired.
    ///
    /// # Errors
    /// If the modes do not fit, if a mode of the source has several strides, if a stride is
    /// negative or an XOR stride, and if two coordinates of the destination may share an element.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_relayout::Packing;
    /// let error = Packing::plan(&layout!((5, 3)), &layout!((4, 3)), 1).unwrap_err();
    /// assert!(error.to_string().ends_with("mode 0 has 5 in the source and 4 in the destination"));
    /// ```
    pub fn plan<F, T>(from: &F, to: &T, element: usize) -> Result<Self, RelayoutError>
    where
        F: ToDynamic<Dynamic: Into<DynComposedLayout>>,
        T: ToDynamic<Dynamic: Into<DynComposedLayout>>,
    {
        let [from, to]: [DynComposedLayout; 2] = [from.to_dynamic().into(), to.to_dynamic().into()];
        let refused = |why: String| RelayoutError::Shapes { from: text(&from), to: text(&to), why };
        let cosizes = [few_enough(&from, element)?, few_enough(&to, element)?];
        let (Some((source, first)), Some((target, there))) = (plain(&from), plain(&to)) else {
            return Err(refused("a swizzled layout is not packed".to_string()));
        };
        if source.rank() != target.rank() {
            return Err(refused(format!(
                "they have {} and {} modes",
                source.rank(),
                target.rank()
            )));
        }
        let overlaps = || RelayoutError::Overlap { to: text(&to) };
        let all = leaves(&target.clone().into()).unwrap_or_default().1.into_iter();
        let mut all: Vec<_> = all.map(|(extent, to)| Axis { extent, from: 0, to }).collect();
        if target.size() > 0 && !normalize(&mut all, &mut 0, &mut 0) {
            return Err(overlaps());
        }
        let (mut moved, mut filled) =
            (vec![Part { axes: Vec::new(), from: first, to: there }], Vec::new());
        for (k, (s, t)) in source.modes().zip(target.modes()).enumerate() {
            let (count, size) = (s.size(), t.size());
            if count > size {
                return Err(refused(format!(
                    "mode {k} has {count} in the source and {size} in the destination"
                )));
            }
            let leaves = |layout: DynLayout| match layout.size() {
                0 => Some((0, vec![(0, 0)])),
                _ => leaves(&layout.into()).filter(|(base, _)| *base == 0),
            };
            let (Some((_, from_leaves)), Some((_, to_leaves))) =
                (leaves(s.coalesce()), leaves(t.clone()))
            else {
                return Err(refused(format!("strides of mode {k} are not natural")));
            };
            let step = match from_leaves[..] {
                [(_, step)] => step,
                _ => return Err(refused(format!("mode {k} of the source is not one stride"))),
            };
            let inside = boxes(&to_leaves, 0, count, step);
            let outside = boxes(&to_leaves, count, size, 0);
            let whole = boxes(&to_leaves, 0, size, 0);
            let beyond: Vec<_> =
                moved.iter().map(|part: &Part| Part { from: 0, ..part.clone() }).collect();
            filled = products(&filled, &whole);
            filled.extend(products(&beyond, &outside));
            moved = products(&moved, &inside);
        }
        let nests = |parts: Vec<Part>, fills: bool| {
            let nest_of = |mut part: Part| {
                if fills {
                    part.axes.iter_mut().for_each(|axis| axis.from = 0);
                }
                let sorted = normalize(&mut part.axes, &mut part.from, &mut part.to);
                let place = [part.from, part.to];
                let loops = || nest(&part.axes, element, place, InstructionSet::detect(), false);
                sorted.then(loops).ok_or_else(overlaps)
            };
            parts.into_iter().map(nest_of).collect::<Result<Vec<_>, _>>()
        };
        let has_bytes = element != 0;
        let (moved, filled) = if has_bytes {
            (nests(moved, false)?, nests(filled, true)?)
        } else {
            Default::default()
        };
        Ok(Packing { moved, filled, element, cosizes })
    }

    /// Moves the elements, and fills the rest.
    ///
    /// # Errors
    /// As [`Relayout::run`](crate::Relayout::run).
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_relayout::Packing;
    /// let mut padded = [0; 8];
    /// Packing::plan(&layout!((2, 3)), &layout!((2, 4)), 4)?.run(&[1, 2, 3, 4, 5, 6], &mut padded, -1)?;
    /// assert_eq!(padded, [1, 2, 3, 4, 5, 6, -1, -1]);
    /// # Ok::<(), layout_relayout::RelayoutError>(())
    /// ```
    pub fn run<T: Pod>(&self, from: &[T], to: &mut [T], fill: T) -> Result<(), RelayoutError> {
        if size_of::<T>() != self.element {
            return Err(RelayoutError::Element { planned: self.element, given: size_of::<T>() });
        }
        enough("source", self.cosizes[0], from.len())?;
        enough("destination", self.cosizes[1], to.len())?;
        let to: &mut [u8] = if self.element == 0 { &mut [] } else { bytemuck::cast_slice_mut(to) };
        self.moved.iter().for_each(|nest| nest.copy(bytemuck::cast_slice(from), to));
        self.filled.iter().for_each(|nest| nest.copy(bytemuck::bytes_of(&fill), to));
        Ok(())
    }
}

/// Every pair of parts, one of each list, joined into one part.
fn products(parts: &[Part], modes: &[Part]) -> Vec<Part> {
    let pair = |part: &Part, mode: &Part| Part {
        axes: part.axes.iter().chain(&mode.axes).copied().collect(),
        from: part.from + mode.from,
        to: part.to + mode.to,
    };
    parts.iter().flat_map(|part| modes.iter().map(move |mode| pair(part, mode))).collect()
}

/// The coordinates `first..end` of a mode with these leaves, as loops; `step` is the source's
/// stride.
fn boxes(leaves: &[(usize, isize)], first: usize, end: usize, step: isize) -> Vec<Part> {
    if first >= end {
        return Vec::new();
    }
    let Some((&(_, stride), below)) = leaves.split_last() else { return vec![Part::default()] };
    let unit: usize = below.iter().map(|leaf| leaf.0).product();
    // The whole steps of the last leaf, and the cut parts before and after them.
    let (whole, last) = (first.div_ceil(unit), end / unit);
    let at = |number: usize, mut part: Part| {
        part.from += number * unit * step as usize;
        part.to += number * stride as usize;
        part
    };
    let cut = |number: usize, first: usize, end: usize| {
        boxes(below, first, end, step).into_iter().map(move |p| (number, p))
    };
    let mut parts: Vec<(usize, Part)> = Vec::new();
    if first / unit == end / unit && !first.is_multiple_of(unit) {
        parts.extend(cut(first / unit, first % unit, end % unit));
    } else {
        if !first.is_multiple_of(unit) {
            parts.extend(cut(first / unit, first % unit, unit));
        }
        if whole < last {
            let mut part = Part::default();
            let mut number = 1;
            for &(extent, to) in below {
                part.axes.push(Axis { extent, from: number * step, to });
                number *= extent as isize;
            }
            // The step of a single tile leads nowhere, and may have any number.
            let from = (unit as isize).wrapping_mul(step);
            part.axes.push(Axis { extent: last - whole, from, to: stride });
            parts.push((whole, part));
        }
        if !end.is_multiple_of(unit) {
            parts.extend(cut(end / unit, 0, end % unit));
        }
    }
    parts.into_iter().map(|(number, part)| at(number, part)).collect()
}
