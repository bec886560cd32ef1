//! Binds a pattern to a shape: finds the extent of every axis.
//!
//! ```text
//! elementary axes: those of the left side one by one, then those that the right side adds
//! shape[k] = product of the parts of group k      at most one part of a group is unknown
//! ```

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::pattern::{ELLIPSIS, Group, Part, Pattern, check_name};
use crate::error::{ArrayError, NeedsCopy};
use crate::fold::continued;
use crate::layout::{ArrayLayout, size_of_shape};

/// The extents given through `with`, in order.
pub(crate) type Given = Vec<(String, usize)>;

/// A pattern bound to a shape.
pub(crate) struct Bound {
    /// The extents of the elementary axes: those of the left side in order, then those that are
    /// added.
    extents: Vec<usize>,
    /// Their names, for messages.
    names: Vec<String>,
    /// For each axis of the array, its number of elementary axes.
    left: Vec<usize>,
    /// For each axis of the result, its elementary axes.
    right: Vec<Vec<usize>>,
}

impl Pattern {
    /// Finds the extent of every axis of the pattern for this shape.
    pub(crate) fn bind(&self, shape: &[usize], given: &Given) -> Result<Bound, ArrayError> {
        let mut known: Vec<Option<usize>> = self.names.iter().map(|name| name.number).collect();
        for (name, extent) in given {
            let whole = 0..self.text.len();
            check_name(name).map_err(|why| self.error(whole.clone(), why))?;
            let is_this =
                |&axis: &usize| self.names[axis].number.is_none() && self.name(axis) == name;
            let Some(axis) = (0..self.names.len()).find(is_this) else {
                let why = format!(
                    "axis `{name}` has the extent {extent}, and the pattern does not name it"
                );
                return Err(self.error(whole, why).into());
            };
            if known[axis].replace(*extent).is_some_and(|before| before != *extent) {
                let at = self.names[axis].at.clone();
                return Err(self.error(at, format!("axis `{name}` has two extents")).into());
            }
        }

        let (groups, rank) = (&self.sides[0], shape.len());
        let spare = match (
            self.has_ellipsis(0),
            rank.checked_sub(groups.len() - usize::from(self.has_ellipsis(0))),
        ) {
            (true, Some(spare)) => spare,
            (false, Some(0)) => 0,
            (ellipsis, _) => {
                let named = groups.len() - usize::from(ellipsis);
                let least = if ellipsis { "at least " } else { "" };
                let why = format!("the left side has {least}{named} axes, and the array {rank}");
                return Err(self.error(0..self.text.find("->").unwrap_or(0), why).into());
            }
        };

        let mut bound =
            Bound { extents: Vec::new(), names: Vec::new(), left: Vec::new(), right: Vec::new() };
        // The elementary axis of each name, and those of the ellipsis.
        let (mut places, mut rest) = (vec![None; self.names.len()], 0..0);
        let mut axes = shape.iter().copied();
        for group in groups {
            let Group::Axis(at, parts) = group else {
                rest = bound.extents.len()..bound.extents.len() + spare;
                for extent in axes.by_ref().take(spare) {
                    bound.push(extent, ELLIPSIS);
                    bound.left.push(1);
                }
                continue;
            };
            let extent = axes.next().unwrap_or(1);
            self.infer(extent, at.clone(), parts, &mut known)?;
            for part in parts {
                if let Part::Axis(axis) = *part {
                    places[axis] = Some(bound.push(known[axis].unwrap_or(extent), self.name(axis)));
                }
            }
            bound.left.push(parts.len());
        }
        for (axis, place) in places.iter_mut().enumerate().filter(|place| place.1.is_none()) {
            let Some(extent) = known[axis] else {
                let why = format!(
                    "axis `{0}` is new: `with(\"{0}\", ..)` has to say its extent",
                    self.name(axis)
                );
                return Err(self.error(self.names[axis].at.clone(), why).into());
            };
            *place = Some(bound.push(extent, self.name(axis)));
        }
        for group in &self.sides[1] {
            match group {
                Group::Ellipsis => bound.right.extend(rest.clone().map(|axis| vec![axis])),
                Group::Axis(_, parts) => {
                    let mut axes = Vec::new();
                    for part in parts {
                        match *part {
                            Part::Axis(axis) => axes.extend(places[axis]),
                            Part::Ellipsis => axes.extend(rest.clone()),
                        }
                    }
                    bound.right.push(axes);
                }
            }
        }
        Ok(bound)
    }

    /// Infers the extent of an array axis's one unknown part.
    fn infer(
        &self,
        extent: usize,
        at: core::ops::Range<usize>,
        parts: &[Part],
        known: &mut [Option<usize>],
    ) -> Result<(), ArrayError> {
        let text = &self.text[at.clone()];
        let (mut product, mut open) = (1usize, None);
        for part in parts {
            let Part::Axis(axis) = *part else { continue };
            match (known[axis], open) {
                (Some(extent), _) => {
                    let Some(longer) = product.checked_mul(extent) else {
                        return Err(ArrayError::TooManyElements);
                    };
                    product = longer;
                }
                (None, None) => open = Some(axis),
                (None, Some(first)) => {
                    let why = format!(
                        "the extents of `{}` and `{}` do not follow from {extent}: `with` says one",
                        self.name(first),
                        self.name(axis)
                    );
                    return Err(self.error(at, why).into());
                }
            }
        }
        let why = match open {
            None if product == extent => return Ok(()),
            None => format!("`{text}` has {product} elements, and the axis of the array {extent}"),
            Some(axis) if product == 0 => {
                format!(
                    "the extent of `{}` does not follow: 0 elements times any number are 0",
                    self.name(axis)
                )
            }
            Some(axis) if extent % product == 0 => {
                known[axis] = Some(extent / product);
                return Ok(());
            }
            Some(_) => format!("`{text}`: {extent} elements do not divide into parts of {product}"),
        };
        Err(self.error(at, why).into())
    }
}

impl Bound {
    fn push(&mut self, extent: usize, name: &str) -> usize {
        self.extents.push(extent);
        self.names.push(name.into());
        self.extents.len() - 1
    }

    /// The elementary axes that a reduction removes, in order.
    fn gone(&self) -> Vec<usize> {
        (0..self.extents.len())
            .filter(|axis| !self.right.iter().any(|group| group.contains(axis)))
            .collect()
    }

    /// The shape of the result.
    pub(crate) fn shape(&self) -> Result<Vec<usize>, ArrayError> {
        let extent = |group: &Vec<usize>| {
            let extents: Vec<usize> = group.iter().map(|&axis| self.extents[axis]).collect();
            size_of_shape(&extents)
        };
        self.right.iter().map(extent).collect()
    }

    /// The array with an axis for each elementary axis, first those of the result, then those that
    /// are reduced, and the number of the latter. This is always a view.
    pub(crate) fn elementary(
        &self,
        layout: &ArrayLayout,
    ) -> Result<(ArrayLayout, usize), ArrayError> {
        // The strides of all elementary axes; repeated axes have stride 0.
        let mut all = vec![0; self.extents.len()];
        let mut axes = 0..0;
        for (&parts, &stride) in self.left.iter().zip(layout.strides()) {
            axes = axes.end..axes.end + parts;
            let mut step = stride;
            for axis in axes.clone().rev() {
                all[axis] = step;
                step = continued(self.extents[axis], step);
            }
        }
        let gone = self.gone();
        let mut view = ArrayLayout::zeros(all.len())?;
        let slots = view.shape.as_mut_slice().iter_mut().zip(view.strides.as_mut_slice());
        for ((extent, stride), &axis) in slots.zip(self.right.iter().flatten().chain(&gone)) {
            (*extent, *stride) = (self.extents[axis], all[axis]);
        }
        (view.size, view.offset) = (size_of_shape(view.shape())?, layout.offset());
        Ok((view, gone.len()))
    }

    /// The result as a view, followed by the axes that are reduced.
    pub(crate) fn view(&self, layout: &ArrayLayout) -> Result<ArrayLayout, ArrayError> {
        let (mut view, gone) = self.elementary(layout)?;
        let mut end = view.rank() - gone;
        for group in self.right.iter().rev() {
            let start = end - group.len();
            if group.len() != 1 {
                view = view.merge(start..end).map_err(|error| self.named(error))?;
            }
            end = start;
        }
        Ok(view)
    }

    /// The error with the axes' names, for an error on the elementary layout.
    fn named(&self, error: ArrayError) -> ArrayError {
        let ArrayError::NeedsCopy(fault) = error else { return error };
        let order: Vec<usize> = self.right.iter().flatten().copied().collect();
        let name =
            |axis: usize| order.get(axis).map_or(String::new(), |&axis| self.names[axis].clone());
        let names = Some([name(fault.outer), name(fault.inner)].into());
        NeedsCopy { names, ..fault }.into()
    }
}
