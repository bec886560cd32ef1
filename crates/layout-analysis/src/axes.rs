//! Layouts whose strides are CuTe's basis strides, steps along the axes of another layout: their
//! text, and their composition.
//!
//! ```text
//! axes   = shape ":" strides            strides: a tree of [number "@"] number, 32@0 or 0
//! R(c) = A(x_0, x_1, ..)                x_j = sum of digit_k(c) * steps_k over the leaves k along axis j
//! ```

use std::fmt;
use std::str::FromStr;

use layout_algebra::{DynLayout, DynShape, DynStride};

use crate::composition::find_composition;
use crate::error::Error;
use crate::function::in_place_of;

/// A layout whose strides are steps along axes, and whose offsets are coordinates: CuTe's basis
/// strides, `32@0`.
///
/// ```
/// use layout_analysis::AxisLayout;
/// let tile: AxisLayout = "(32,4):(1@1,8@0)".parse()?;
/// assert_eq!((tile.to_string().as_str(), tile.axes()), ("(32,4):(1@1,8@0)", 2));
/// assert_eq!(tile.at(33), [8, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct AxisLayout {
    /// The shape, with the number of steps of each leaf as its stride.
    layout: DynLayout,
    /// The axis of each leaf; 0 if its number of steps is 0.
    along: Vec<usize>,
}

impl AxisLayout {
    /// The layout of a shape with `(steps, axis)` for each leaf.
    ///
    /// # Errors
    /// [`Error::Layout`] if the numbers of steps and of leaves differ, or an offset exceeds
    /// `usize`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_analysis::AxisLayout;
    /// let shape: DynShape = "(8,(2,4))".parse()?;
    /// assert_eq!(AxisLayout::new(&shape, &[(1, 0), (8, 0), (1, 1)])?.to_string(), "(8,(2,4)):(1@0,(8@0,1@1))");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(shape: &DynShape, steps: &[(usize, usize)]) -> Result<Self, Error> {
        let layout = DynLayout::with_strides(shape, steps.iter().map(|&(steps, _)| steps))?;
        // A leaf of 0 steps has no axis.
        Ok(AxisLayout {
            layout,
            along: steps.iter().map(|&(steps, axis)| if steps == 0 { 0 } else { axis }).collect(),
        })
    }

    /// The shape.
    ///
    /// ```
    /// use layout_analysis::AxisLayout;
    /// assert_eq!("(4,6):(1@0,1@1)".parse::<AxisLayout>()?.shape().to_string(), "(4,6)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn shape(&self) -> DynShape {
        self.layout.shape()
    }

    /// The number of axes of the coordinates: one more than the last axis in the strides.
    ///
    /// ```
    /// use layout_analysis::AxisLayout;
    /// assert_eq!("4:2@2".parse::<AxisLayout>()?.axes(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn axes(&self) -> usize {
        self.along.iter().max().map_or(0, |last| last + 1)
    }

    /// The coordinate that index `i` maps to.
    ///
    /// # Panics
    /// If `i` is not below the size, as [`DynShape::coord`] does.
    ///
    /// ```
    /// use layout_analysis::AxisLayout;
    /// assert_eq!("(4,6):(1@1,2@0)".parse::<AxisLayout>()?.at(7), [2, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[track_caller]
    pub fn at(&self, i: usize) -> Vec<usize> {
        let coordinate = self.shape().coord(i);
        let mut at = vec![0; self.axes()];
        for ((digit, steps), &axis) in coordinate.leaves().iter().zip(self.steps()).zip(&self.along)
        {
            at[axis] += digit * steps;
        }
        at
    }

    fn steps(&self) -> impl Iterator<Item = usize> + '_ {
        self.layout.strides().map(|stride| match stride {
            DynStride::Natural(steps) | DynStride::Negative(steps) | DynStride::Xor(steps) => steps,
        })
    }
}

pub(crate) fn compose_axes(left: &DynLayout, right: &AxisLayout) -> Result<DynLayout, Error> {
    let shape = right.shape();
    let mut modes: Vec<Vec<(usize, DynStride)>> = vec![Vec::new(); right.along.len()];
    let leaves: Vec<(usize, usize)> = shape.leaves().iter().copied().zip(right.steps()).collect();
    for axis in 0..right.axes() {
        let own: Vec<usize> = (0..leaves.len()).filter(|&leaf| right.along[leaf] == axis).collect();
        let all_still = own.iter().all(|&leaf| leaves[leaf].1 == 0);
        if own.is_empty() || all_still && axis >= left.rank() {
            continue;
        }
        let mode = left.mode(axis).map_err(|_| Error::NoAxis {
            layout: left.to_string(),
            axis,
            rank: left.rank(),
        })?;
        let (extents, steps): (Vec<usize>, Vec<usize>) =
            own.iter().map(|&leaf| leaves[leaf]).unzip();
        let composed = find_composition(&mode, &DynLayout::with_strides(extents, steps)?)?;
        for (&leaf, found) in own.iter().zip(composed.layout().modes()) {
            let found = found.flatten();
            let extents = found.shape();
            modes[leaf] = extents.leaves().iter().copied().zip(found.strides()).collect();
        }
    }
    in_place_of(&shape, &modes)
}

impl FromStr for AxisLayout {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let refuse = |why: String| Error::AxisText { text: text.into(), why };
        let (shape, strides) = text
            .split_once(':')
            .ok_or_else(|| refuse("there is no `:` before its strides".into()))?;
        // `steps` is the text of the strides without the axes: a tuple of numbers.
        let (mut steps, mut axes, mut rest) = (String::new(), Vec::new(), strides);
        while let Some(begin) = rest.find(|c: char| c.is_ascii_digit()) {
            let number =
                |text: &str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
            let end = begin + number(&rest[begin..]);
            steps.push_str(&rest[..end]);
            let (own, behind) = (&rest[begin..end], &rest[end..]);
            let axis = behind.trim_start().strip_prefix('@').map(str::trim_start);
            let (axis, behind) = match axis {
                Some(axis) => axis.split_at(number(axis)),
                None if own.bytes().all(|digit| digit == b'0') => ("0", behind),
                None => {
                    return Err(refuse(format!("the stride {own} has no axis: write {own}@0")));
                }
            };
            let read = || format!("{own}@ is not followed by the number of an axis");
            axes.push(
                axis.parse::<usize>()
                    .ok()
                    .filter(|&axis| axis < 1 << 16)
                    .ok_or_else(|| refuse(read()))?,
            );
            rest = behind;
        }
        steps.push_str(rest);
        let of = |text: &str| text.parse::<DynShape>().map_err(|error| refuse(error.to_string()));
        let (shape, steps) = (of(shape)?, of(&steps)?);
        // An error of `new` says where the strides are not congruent with the shape.
        DynLayout::new(&shape, &steps).map(drop).map_err(|error| refuse(error.to_string()))?;
        AxisLayout::new(&shape, &steps.leaves().iter().copied().zip(axes).collect::<Vec<_>>())
    }
}

impl fmt::Display for AxisLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn write(shape: &DynShape, leaves: &mut dyn Iterator<Item = String>, text: &mut String) {
            if shape.as_leaf().is_some() {
                text.push_str(&leaves.next().unwrap_or_default());
                return;
            }
            for (k, child) in shape.children().enumerate() {
                text.push(if k == 0 { '(' } else { ',' });
                write(&child, leaves, text);
            }
            text.push(')');
        }
        let step = |(steps, axis): (usize, &usize)| match steps {
            0 => "0".into(),
            _ => format!("{steps}@{axis}"),
        };
        let mut text = format!("{}:", self.shape());
        write(&self.shape(), &mut self.steps().zip(&self.along).map(step), &mut text);
        f.pad(&text)
    }
}

impl fmt::Debug for AxisLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
