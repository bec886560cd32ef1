//! Axes in NumPy's order: `permute`, `reshape`, `broadcast_to` and other row-major operations.
//!
//! ```text
//! order C    the last mode is the fastest
//! order F    the first mode is the fastest, as everywhere else in this module
//! ```
//!
//! Within a mode of several leaves the first leaf is the fastest in both orders: a mode is one
//! axis, whose coordinates are numbers.

use layout_algebra::DynStride;
use layout_algebra::prelude::*;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::classes::Layout;
use crate::convert::{self, on_inner};
use crate::error::{Answer, Error, guarded};

/// Which mode is the fastest.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Order {
    C,
    F,
}

impl FromPyObject<'_, '_> for Order {
    type Error = PyErr;
    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        match convert::text(&object.to_owned()).as_deref() {
            Some("C" | "c") => Ok(Order::C),
            Some("F" | "f") => Ok(Order::F),
            _ => {
                let found = object.repr()?;
                let sentence =
                    format!("an order is 'C', the last mode the fastest, or 'F', not {found}");
                Err(Error::Reason("parse", sentence).into())
            }
        }
    }
}

/// A leaf: its extent, and its stride with a sign.
type Axis = (usize, i128);

/// The indices of the leaves, from the slowest to the fastest in order C, from the fastest to the
/// slowest in order F.
fn places(shape: &DynShape, order: Order) -> Vec<usize> {
    let mut first = 0;
    let mode = |mode: DynShape| {
        let leaves = first..first + mode.leaves().len();
        first = leaves.end;
        if order == Order::C { leaves.rev().collect() } else { leaves.collect::<Vec<_>>() }
    };
    match shape.as_leaf() {
        Some(_) => vec![0],
        None => shape.children().flat_map(mode).collect(),
    }
}

/// The leaves in this order; `None` if a stride is an XOR stride.
fn axes(layout: &DynLayout, order: Order) -> Option<Vec<Axis>> {
    let shape = layout.shape();
    let leaves: Option<Vec<Axis>> = shape
        .leaves()
        .iter()
        .zip(layout.strides())
        .map(|(&extent, stride)| match stride {
            DynStride::Natural(stride) => Some((extent, stride as i128)),
            DynStride::Negative(stride) => Some((extent, -(stride as i128))),
            DynStride::Xor(_) => None,
        })
        .collect();
    let leaves = leaves?;
    Some(places(&shape, order).into_iter().map(|place| leaves[place]).collect())
}

/// Do the offsets follow one another in this order? Extents of 1 have any stride.
fn is_contiguous(axes: &[Axis], order: Order) -> bool {
    let mut step = 1;
    let mut follows = |&(extent, stride): &Axis| {
        let is_next = extent == 1 || stride == step;
        step = step.saturating_mul(extent as i128);
        is_next
    };
    let is_empty = axes.iter().any(|axis| axis.0 == 0);
    is_empty
        || if order == Order::C {
            axes.iter().rev().all(follows)
        } else {
            axes.iter().all(&mut follows)
        }
}

/// The strides with which axes of the new extents have the same offsets in the same order, or
/// `None` if there are none. By NumPy's rule, an axis of extent 1 gets a stride too.
fn strides(old: &[Axis], new: &[usize], order: Order) -> Option<Vec<i128>> {
    let mut found = vec![0; new.len()];
    // Fills a group of new axes, beginning with the fastest.
    let fill = |found: &mut [i128], from: usize, to: usize, fastest: i128| {
        let mut step = fastest;
        let mut place = |k: usize| {
            found[k] = step;
            step = step.saturating_mul(new[k].max(1) as i128);
        };
        if order == Order::C {
            (from..to).rev().for_each(&mut place)
        } else {
            (from..to).for_each(&mut place)
        }
    };
    if is_contiguous(old, order) {
        fill(&mut found, 0, new.len(), 1);
        return Some(found);
    }
    let old: Vec<Axis> = old.iter().copied().filter(|axis| axis.0 != 1).collect();
    let (mut i, mut j) = (0, 0);
    while i < old.len() && j < new.len() {
        // The shortest groups of old and new axes with the same product.
        let (mut i_end, mut j_end) = (i + 1, j + 1);
        let (mut olds, mut news) = (old[i].0, new[j]);
        while olds != news {
            if news < olds {
                news *= new[j_end];
                j_end += 1;
            } else {
                olds *= old[i_end].0;
                i_end += 1;
            }
        }
        let continues = |pair: &[Axis]| {
            let (slow, fast) =
                if order == Order::C { (pair[0], pair[1]) } else { (pair[1], pair[0]) };
            slow.1 == fast.1 * fast.0 as i128
        };
        if !old[i..i_end].windows(2).all(continues) {
            return None;
        }
        let fastest = if order == Order::C { old[i_end - 1].1 } else { old[i].1 };
        fill(&mut found, j, j_end, fastest);
        (i, j) = (i_end, j_end);
    }
    // The remaining new axes have extent 1.
    let last = match j.checked_sub(1) {
        Some(last) if order == Order::F => found[last].saturating_mul(new[last] as i128),
        Some(last) => found[last],
        None => 1,
    };
    found[j..].fill(last);
    Some(found)
}

/// The layout of this shape and these signed strides.
fn signed(shape: &DynShape, strides: &[i128]) -> Answer<DynLayout> {
    let stride = |&stride: &i128| {
        let number = usize::try_from(stride.unsigned_abs());
        let number = number.map_err(|_| {
            LayoutError::new("new", layout_algebra::Fault::Overflow).with_operand(shape)
        })?;
        Ok(if stride < 0 { DynStride::Negative(number) } else { DynStride::Natural(number) })
    };
    let strides = strides.iter().map(stride).collect::<Result<Vec<_>, LayoutError>>()?;
    Ok(DynLayout::with_strides(shape, strides)?)
}

/// The shape with its modes reversed: order C of a shape is order F of the reversed one.
fn reversed(shape: &DynShape) -> Answer<DynShape> {
    let children: Vec<_> = shape.children().collect();
    Ok(if children.is_empty() {
        shape.clone()
    } else {
        DynShape::tuple(children.into_iter().rev())?
    })
}

/// `Layout.reshape`. As in NumPy, the strides stay if the shape is the same and written without -1.
fn reshape(
    layout: &DynLayout,
    (shape, is_open): &(DynShape, bool),
    order: Order,
) -> Answer<DynLayout> {
    if layout.shape() == *shape && !is_open {
        return Ok(layout.clone());
    }
    let (size, needed) = (layout.size(), shape.try_size()?);
    if size != needed {
        let sentence = format!("{shape} has {needed} elements, and {layout} has {size}");
        return Err(Error::Reason("bounds", sentence));
    }
    let Some(axes) = axes(layout, order) else {
        // XOR strides: by the rule of `with_shape`, which takes groups of powers of two.
        return Ok(match order {
            Order::F => layout.with_shape(shape)?,
            Order::C => layout.reverse().with_shape(&reversed(shape)?)?.reverse(),
        });
    };
    let places = places(shape, order);
    let extents: Vec<usize> = places.iter().map(|&place| shape.leaves()[place]).collect();
    let Some(found) = strides(&axes, &extents, order) else {
        let sentence = format!(
            "{layout} has no view of shape {shape} in the order of {}: an axis would need more \
             than one stride",
            if order == Order::C { "C" } else { "F" }
        );
        return Err(Error::Reason("divisibility", sentence));
    };
    let mut strides = vec![0; found.len()];
    places.iter().zip(found).for_each(|(&place, stride)| strides[place] = stride);
    signed(shape, &strides)
}

/// A shape in which one extent may be -1, which stands for what the others leave of `size`; and
/// whether there is a -1.
fn shape_of_size(object: &Bound<'_, PyAny>, size: usize) -> Answer<(DynShape, bool)> {
    if !object.is_instance_of::<PyTuple>() && !object.is_instance_of::<pyo3::types::PyList>() {
        return Ok((convert::shape(object)?, false));
    }
    let modes: Vec<Bound<'_, PyAny>> = object.try_iter()?.collect::<PyResult<_>>()?;
    let is_open = |mode: &Bound<'_, PyAny>| mode.extract::<i64>().is_ok_and(|extent| extent == -1);
    let Some(open) = modes.iter().position(is_open) else {
        return Ok((convert::shape(object)?, false));
    };
    let mut shapes = Vec::with_capacity(modes.len());
    for (k, mode) in modes.iter().enumerate() {
        shapes.push(if k == open { DynShape::from(1) } else { convert::shape(mode)? });
    }
    let others = shapes
        .iter()
        .try_fold(1usize, |product, shape| product.checked_mul(shape.try_size().ok()?));
    let left =
        others.filter(|&others| others > 0 && size.is_multiple_of(others)).ok_or_else(|| {
            Error::Reason(
                "divisibility",
                format!("no extent in the place of -1 gives {object} the size {size}"),
            )
        })?;
    shapes[open] = DynShape::from(size / left);
    Ok((DynShape::tuple(shapes)?, true))
}

#[pymethods]
impl Layout {
    /// The modes in another order, given as in PyTorch's ``permute`` and NumPy's ``transpose``:
    /// each mode once, -1 for the last.
    ///
    /// >>> Layout.right((2, 3, 4)).permute(2, 0, 1)
    /// Layout('(4,2,3):(1,12,4)')
    #[pyo3(signature = (*axes))]
    fn permute(&self, axes: &Bound<'_, PyTuple>) -> Answer<Self> {
        let axes = match axes.len() {
            1 if axes.get_item(0)?.is_instance_of::<PyTuple>() => axes.get_item(0)?,
            _ => axes.as_any().clone(),
        };
        let rank = self.0.strided().rank();
        let modes = convert::modes(&axes, rank)?;
        let mut sorted = modes.clone();
        sorted.sort_unstable();
        if !sorted.into_iter().eq(0..rank) {
            let sentence =
                format!("a permutation of {rank} modes has each of them once, and this is {axes}");
            return Err(Error::Reason("rank", sentence));
        }
        guarded(|| on_inner(&self.0, |layout| Ok(layout.select(&modes)?)))
    }

    /// The same offsets in the same order under another shape, if one stride for each new axis is
    /// enough, that is if NumPy's ``reshape`` makes no copy. In order ``"C"`` the last mode is the
    /// fastest, in order ``"F"`` the first; one extent may be -1. ``with_shape`` counts in order F,
    /// and splits a mode if one stride is not enough.
    ///
    /// >>> Layout.right((4, 6)).reshape((2, 12)), Layout((4, 6)).reshape((2, -1), order="F")
    /// (Layout('(2,12):(12,1)'), Layout('(2,12):(1,2)'))
    #[pyo3(signature = (shape, order = Order::C), text_signature = "($self, shape, order='C')")]
    fn reshape(&self, shape: &Bound<'_, PyAny>, order: Order) -> Answer<Self> {
        let shape = shape_of_size(shape, self.0.size())?;
        guarded(|| on_inner(&self.0, |layout| reshape(layout, &shape, order)))
    }

    /// The layout of a larger shape, by NumPy's rules: modes are added in front, and those of
    /// extent 1 repeat, with stride 0.
    ///
    /// >>> Layout("(6,1):(1,6)").broadcast_to((4, 6, 3))
    /// Layout('(4,6,3):(0,1,0)')
    fn broadcast_to(&self, shape: &Bound<'_, PyAny>) -> Answer<Self> {
        let shape = convert::shape(shape)?;
        guarded(|| {
            on_inner(&self.0, |layout| {
                let wanted: Vec<DynShape> = shape.children().collect();
                let wanted = if wanted.is_empty() { vec![shape.clone()] } else { wanted };
                let refused = || {
                    Error::Reason(
                        "profile",
                        format!("{layout} does not repeat to the shape {shape}"),
                    )
                };
                let added = wanted.len().checked_sub(layout.rank()).ok_or_else(refused)?;
                let repeated = |mode: &DynShape| {
                    DynLayout::with_strides(
                        mode,
                        mode.leaves().iter().map(|_| DynStride::Natural(0)),
                    )
                };
                let mut modes =
                    wanted[..added].iter().map(repeated).collect::<Result<Vec<_>, _>>()?;
                for (mode, wanted) in layout.modes().zip(&wanted[added..]) {
                    modes.push(match mode.size() {
                        1 => repeated(wanted)?,
                        _ if mode.shape() == *wanted => mode,
                        _ => return Err(refused()),
                    });
                }
                Ok(if shape.as_leaf().is_some() {
                    modes.remove(0)
                } else {
                    DynLayout::tuple(&modes)?
                })
            })
        })
    }

    /// Are the elements contiguous in order ``"C"`` or ``"F"``? As in NumPy's flags, the stride of
    /// a mode of extent 1 does not matter, and an empty layout is contiguous.
    ///
    /// >>> Layout.right((4, 6)).is_contiguous(), Layout((4, 6)).is_contiguous()
    /// (True, False)
    #[pyo3(signature = (order = Order::C), text_signature = "($self, order='C')")]
    fn is_contiguous(&self, order: Order) -> Answer<bool> {
        let layout = self.plain("is_contiguous")?;
        Ok(axes(layout, order).is_some_and(|axes| is_contiguous(&axes, order)))
    }

    /// R(i) = A(i) for i < size(A), in the fewest modes; ``order="C"`` counts elements with the
    /// last mode the fastest.
    ///
    /// >>> Layout("(2,(1,6)):(1,(6,2))").coalesce(), Layout.right((4, 6)).coalesce(order="C")
    /// (Layout('12:1'), Layout('24:1'))
    #[pyo3(signature = (order = Order::F), text_signature = "($self, order='F')")]
    fn coalesce(&self, py: Python<'_>, order: Order) -> Answer<Py<Layout>> {
        #[inline(never)]
        fn of(it: &layout_cli::AnyLayout) -> Layout {
            layout_cli::either!(it, layout => layout.coalesce().into())
        }
        if order == Order::F {
            return Ok(Py::new(py, of(&self.0))?);
        }
        guarded(|| {
            Ok(Py::new(py, on_inner(&self.0, |layout| Ok(layout.reverse().coalesce().reverse()))?)?)
        })
    }
}
