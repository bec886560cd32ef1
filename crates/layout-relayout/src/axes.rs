//! Two layouts as one list of loops.
//!
//! ```text
//! from(c) = sum c_k * f_k,  to(c) = sum c_k * t_k                            over extents that both layouts have
//! any order of the loops over c_k moves the same, if no two c share a to(c)
//! (s_0 : f_0, t_0)(s_1 : s_0 * f_0, s_0 * t_0) = s_0 * s_1 : f_0, t_0
//! ```

use layout_algebra::{
    DynComposedLayout, DynLayout, DynShape, DynStride, DynSwizzle, Fault, Layout, LayoutError,
};

use crate::error::RelayoutError;

/// One loop: `extent` steps of `from` in the source and of `to` in the destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Axis {
    pub(crate) extent: usize,
    pub(crate) from: isize,
    pub(crate) to: isize,
}

impl Axis {
    /// The loop as one of `part` steps, which divide it, and one around.
    pub(crate) fn cut(self, part: usize) -> Vec<Axis> {
        let (Axis { extent, from, to }, step) = (self, part as isize);
        vec![
            Axis { extent: part, from, to },
            Axis { extent: extent / part, from: from * step, to: to * step },
        ]
    }

    /// Whether `next` continues where this loop stops, in both.
    fn continues_in(self, next: Self) -> bool {
        let n = self.extent as isize;
        self.from.checked_mul(n) == Some(next.from) && self.to.checked_mul(n) == Some(next.to)
    }
}

/// A layout known at run time: what a plan reads offsets from.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_relayout::AnyLayout;
/// let swizzled: DynComposedLayout = "Sw<2,0,2> o 0 o (4,4):(1,4)".parse()?;
/// assert_eq!(AnyLayout::from(swizzled).at(5), 4); // 5 ^ 1
/// # Ok::<(), LayoutError>(())
/// ```
#[derive(Clone, Debug)]
pub enum AnyLayout {
    /// Shape and stride, of any kind of strides.
    Strided(DynLayout),
    /// Offsets under a swizzle.
    Composed(DynComposedLayout),
}

impl From<DynLayout> for AnyLayout {
    fn from(layout: DynLayout) -> Self {
        AnyLayout::Strided(layout)
    }
}
impl From<DynComposedLayout> for AnyLayout {
    fn from(layout: DynComposedLayout) -> Self {
        AnyLayout::Composed(layout)
    }
}

impl AnyLayout {
    /// The number of coordinates.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_relayout::AnyLayout;
    /// assert_eq!(AnyLayout::from(layout!((4, 6):(1, 8)).to_dynamic()).size(), 24);
    /// ```
    pub fn size(&self) -> usize {
        match self {
            AnyLayout::Strided(layout) => layout.size(),
            AnyLayout::Composed(layout) => layout.size(),
        }
    }

    /// How many elements a slice under the layout needs.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_relayout::AnyLayout;
    /// assert_eq!(AnyLayout::from(layout!((4, 6):(1, 8)).to_dynamic()).cosize(), 44);
    /// ```
    pub fn cosize(&self) -> usize {
        match self {
            AnyLayout::Strided(layout) => layout.cosize(),
            AnyLayout::Composed(layout) => layout.cosize(),
        }
    }

    /// The place of coordinate number `i` in a slice: its offset, moved by the base of negative
    /// strides.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_relayout::AnyLayout;
    /// let backwards: DynLayout = "4:-1".parse()?;
    /// assert_eq!(AnyLayout::from(backwards).at(0), 3);
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn at(&self, i: usize) -> usize {
        match self {
            AnyLayout::Strided(layout) => layout.base().wrapping_add_signed(layout.signed_index(i)),
            AnyLayout::Composed(layout) => layout.at(i),
        }
    }

    pub(crate) fn shape(&self) -> DynShape {
        match self {
            AnyLayout::Strided(layout) => layout.shape(),
            AnyLayout::Composed(layout) => layout.shape(),
        }
    }

    /// The sizes of its modes, and the strides of those that are one, and no XOR stride.
    pub(crate) fn sizes_and_steps(&self) -> Vec<(usize, Option<isize>)> {
        let shape = self.shape();
        let mut strides = match self {
            AnyLayout::Strided(layout) => leaves_of_strides(layout).unwrap_or_default(),
            AnyLayout::Composed(_) => Vec::new(),
        }
        .into_iter()
        .map(|(_, stride)| stride);
        let mut mode = |mode: &DynShape| match mode.as_leaf() {
            Some(size) => (size, strides.next()),
            None => {
                strides.by_ref().take(mode.leaves().len()).for_each(drop);
                (mode.try_size().unwrap_or(0), None)
            }
        };
        match shape.as_leaf() {
            Some(_) => vec![mode(&shape)],
            None => shape.children().map(|child| mode(&child)).collect(),
        }
    }

    /// The text of the layout.
    pub(crate) fn text(&self) -> String {
        match self {
            AnyLayout::Strided(layout) => layout.to_string(),
            AnyLayout::Composed(layout) => layout.to_string(),
        }
    }

    /// The layout without its swizzle, and an offset, where the swizzle touches nothing.
    pub(crate) fn plain(&self) -> Option<(DynLayout, usize)> {
        match self {
            AnyLayout::Strided(layout) => Some((layout.clone(), 0)),
            AnyLayout::Composed(layout) => layout.plain(),
        }
    }

    /// The layout without its modes of stride 0; of no other modes, one coordinate.
    pub(crate) fn without_zeros(&self) -> Result<AnyLayout, LayoutError> {
        let of = |layout: &DynLayout| {
            let (extents, strides): (Vec<_>, Vec<_>) =
                modes(layout).filter(|&(_, stride)| number(stride) != 0).unzip();
            if extents.is_empty() {
                return Ok(DynLayout::left(&DynShape::from(1)));
            }
            DynLayout::with_strides(
                DynShape::tuple(extents.into_iter().map(DynShape::from))?,
                strides,
            )
        };
        Ok(match self {
            AnyLayout::Strided(layout) => AnyLayout::Strided(of(layout)?),
            AnyLayout::Composed(layout) => {
                let kept = of(&layout.inner())?;
                // An empty layout need not be moved by its base.
                let offset = layout.offset().max(kept.base());
                AnyLayout::Composed(DynComposedLayout::const_new(layout.outer(), offset, kept))
            }
        })
    }

    /// How many elements a slice under the layout needs, where that is found.
    pub(crate) fn try_cosize(&self) -> Result<usize, LayoutError> {
        /// The most coordinates that are asked for their offsets, one by one.
        const COUNTED: usize = 1 << 24;
        /// The most leaves behind a swizzle whose offsets are counted.
        const LEAVES: usize = 32;
        let AnyLayout::Composed(layout) = self else { return Ok(self.cosize()) };
        let refused = |fault| Err(LayoutError::new("cosize", fault).with_operand(layout));
        if let Some((first, leaves)) = self.leaves() {
            let reach =
                |&(extent, stride): &(usize, isize)| (extent as i128 - 1) * stride.max(0) as i128;
            let most = first as i128 + leaves.iter().map(reach).sum::<i128>();
            return usize::try_from(most + 1).or_else(|_| refused(Fault::Overflow));
        }
        let moving = layout.inner().filter();
        if has_xor_strides(&moving) {
            if moving.size() > COUNTED {
                return refused(Fault::CosizeUndecided { most: COUNTED });
            }
        } else if moving.shape().leaves().len() > LEAVES {
            return refused(Fault::Leaves { limit: LEAVES });
        }
        // The offset that the swizzle, its own inverse, takes to the largest number, which has no
        // successor.
        let last = layout.outer().apply(usize::MAX);
        let reach = layout.offset().saturating_add(moving.cosize());
        if layout.size() > 0 && last <= reach {
            refused(Fault::Overflow)
        } else {
            Ok(self.cosize())
        }
    }

    /// The place of the first coordinate, and the leaves, where every offset is that place and a
    /// sum of strides: whatever kind of layout says so. `None` elsewhere, and of an empty layout.
    pub(crate) fn leaves(&self) -> Option<(usize, Vec<(usize, isize)>)> {
        if self.size() == 0 {
            return None;
        }
        let (outer, offset, inner) = match self {
            AnyLayout::Strided(layout) if has_xor_strides(layout) => {
                return Some((0, leaves_of_bits(layout, 0)?));
            }
            AnyLayout::Strided(layout) => return Some((layout.base(), leaves_of_strides(layout)?)),
            AnyLayout::Composed(layout) => (layout.outer(), layout.offset(), layout.inner()),
        };
        let first = outer.apply(offset);
        let behind = |offset, layout| DynComposedLayout::const_new(outer, offset, layout);
        if has_xor_strides(&inner) {
            return Some((first, leaves_of_bits(&behind(0, inner).linear().ok()?, first)?));
        }
        let least = offset.checked_sub(inner.base())?;
        let natural = DynLayout::with_strides(
            inner.shape(),
            inner.strides().map(|d| DynStride::Natural(number(d))),
        )
        .ok()?;
        if outer == DynSwizzle::IDENTITY || behind(least, natural.clone()).plain().is_some() {
            return Some((first, leaves_of_strides(&inner)?));
        }
        // Backwards, a power of two of numbers has the same bits, all of them turned.
        let mut turned =
            modes(&inner).filter(|(_, stride)| matches!(stride, DynStride::Negative(_)));
        let linear = natural.linear().ok()?;
        let bits = modes(&linear)
            .flat_map(|(extent, stride)| images(extent, number(stride)))
            .fold(0, |all, bit| all | bit);
        let is_linear = turned.all(|(extent, _)| extent.is_power_of_two()) && least & bits == 0;
        let linear = is_linear.then(|| behind(0, linear).linear().ok())??;
        Some((first, leaves_of_bits(&linear, first)?))
    }
}

fn number(stride: DynStride) -> usize {
    let (DynStride::Natural(number) | DynStride::Negative(number) | DynStride::Xor(number)) =
        stride;
    number
}

fn has_xor_strides(layout: &DynLayout) -> bool {
    modes(layout).any(|(extent, stride)| extent > 1 && matches!(stride, DynStride::Xor(_)))
}

/// The leaves of a layout, extents and strides.
fn modes(layout: &DynLayout) -> impl Iterator<Item = (usize, DynStride)> {
    let extents = layout.shape().leaves().to_vec();
    extents.into_iter().zip(layout.strides())
}

/// Natural and negative strides.
fn leaves_of_strides(layout: &DynLayout) -> Option<Vec<(usize, isize)>> {
    let leaf = |(extent, stride): (usize, DynStride)| match stride {
        _ if extent == 1 => Some((1, 0)),
        DynStride::Natural(stride) => Some((extent, isize::try_from(stride).ok()?)),
        DynStride::Negative(stride) => Some((extent, -isize::try_from(stride).ok()?)),
        DynStride::Xor(_) => None,
    };
    modes(layout).map(leaf).collect()
}

/// Where the bits of a coordinate below `extent` lead under an XOR stride.
fn images(extent: usize, stride: usize) -> impl Iterator<Item = usize> {
    (0..usize::BITS - extent.saturating_sub(1).leading_zeros()).map(move |bit| stride << bit)
}

/// The leaves of `first ^ L(c)` if that is a sum: no two bits of a coordinate lead to one bit. Bits
/// that `first` has are turned: their strides are negative, and a leaf that has some is a leaf for
/// each bit.
///
/// ```text
/// first ^ v = first + (v & !first) - (v & first)
/// ```
fn leaves_of_bits(layout: &DynLayout, first: usize) -> Option<Vec<(usize, isize)>> {
    let (mut leaves, mut seen, mut least) = (Vec::new(), 0, usize::MAX);
    for (extent, stride) in modes(layout) {
        let DynStride::Xor(stride) = stride else {
            if extent > 1 {
                least = least.min(1 << number(stride).trailing_zeros().min(usize::BITS - 1));
            }
            leaves.push((extent, isize::try_from(number(stride)).ok()?));
            continue;
        };
        let before = leaves.len();
        let mut is_turned = false;
        for image in images(extent, stride) {
            if seen & image != 0 {
                return None;
            }
            seen |= image;
            is_turned |= image & first != 0;
            leaves.push((2, (image & !first) as isize - (image & first) as isize));
        }
        if !is_turned || !extent.is_power_of_two() {
            leaves.truncate(before);
            leaves.push((extent, if extent == 1 { 0 } else { isize::try_from(stride).ok()? }));
        }
        if is_turned && !extent.is_power_of_two() {
            return None;
        }
    }
    // What natural strides add lies above all that is turned.
    (first == 0 || first | seen < least).then_some(leaves)
}

/// Whether the coordinates of two shapes are the same ones, mode by mode: a number counts through
/// any mode of its size.
fn share_coordinates(a: &DynShape, b: &DynShape) -> bool {
    match (a.as_leaf(), b.as_leaf()) {
        (None, None) => {
            a.rank() == b.rank()
                && a.children().zip(b.children()).all(|(a, b)| share_coordinates(&a, &b))
        }
        _ => a.try_size().ok() == b.try_size().ok(),
    }
}

/// # Errors
/// Shapes that do not have the same coordinates.
pub(crate) fn same_coordinates(from: &AnyLayout, to: &AnyLayout) -> Result<(), RelayoutError> {
    let (left, right) = (from.shape(), to.shape());
    if from.size() != to.size() || share_coordinates(&left, &right) {
        return Ok(());
    }
    let why = format!(
        "their shapes {left} and {right} have other coordinates; `plan_by_number` pairs those of one number"
    );
    Err(RelayoutError::Shapes { from: from.text(), to: to.text(), why })
}

/// The loops of two layouts of the same size in the order of their coordinates' numbers, the
/// innermost first, and the places of the first coordinate. `None` where offsets are no sums of
/// strides, and where none of two extents divides the other: those of `(4,6):(6,1)` and
/// `(6,4):(4,1)`.
pub(crate) fn common_axes(from: &AnyLayout, to: &AnyLayout) -> Option<(usize, usize, Vec<Axis>)> {
    let ((from_base, left), (to_base, right)) = (from.leaves()?, to.leaves()?);
    let layout = |leaves: Vec<(usize, isize)>| {
        let stride = |step: isize| match step {
            0.. => DynStride::Natural(step as usize),
            _ => DynStride::Negative(step.unsigned_abs()),
        };
        let shape = DynShape::tuple(leaves.iter().map(|leaf| DynShape::from(leaf.0)));
        DynLayout::with_strides(shape.ok()?, leaves.iter().map(|leaf| stride(leaf.1))).ok()
    };
    let refined = DynLayout::mutual_refinement(&[&layout(left)?, &layout(right)?]).ok()?;
    let [left, right] = [&refined[0], &refined[1]].map(leaves_of_strides);
    let axes = left?.into_iter().zip(right?).filter(|((extent, _), _)| *extent > 1);
    Some((
        from_base,
        to_base,
        axes.map(|((extent, from), (_, to))| Axis { extent, from, to }).collect(),
    ))
}

/// Sorts loops by their steps in the destination, turns those that go backwards there, and joins
/// what continues: the place of the first coordinate moves with them. `false` if two coordinates
/// might share a place of the destination, as they do not where each step exceeds all that the
/// smaller ones reach.
pub(crate) fn normalize(axes: &mut Vec<Axis>, from: &mut usize, to: &mut usize) -> bool {
    axes.retain(|axis| axis.extent != 1);
    for axis in axes.iter_mut().filter(|axis| axis.to < 0) {
        let last = axis.extent as isize - 1;
        *from = from.wrapping_add_signed(last * axis.from);
        *to = to.wrapping_add_signed(last * axis.to);
        (axis.from, axis.to) = (-axis.from, -axis.to);
    }
    axes.sort_by_key(|axis| axis.to);
    let mut reach = 0;
    for axis in axes.iter() {
        if axis.to <= reach {
            return false;
        }
        reach += (axis.extent as isize - 1) * axis.to;
    }
    join(axes);
    true
}

/// Joins each loop to the previous one if it continues that.
pub(crate) fn join(axes: &mut Vec<Axis>) {
    axes.dedup_by(|next, axis| {
        let joins = axis.continues_in(*next);
        if joins {
            axis.extent *= next.extent;
        }
        joins
    });
}
