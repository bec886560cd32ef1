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
    /// Splits the loop into an inner loop of `part` steps, which divide the extent, and an outer
    /// one.
    pub(crate) fn cut(self, part: usize) -> [Axis; 2] {
        let (Axis { extent, from, to }, step) = (self, part as isize);
        [
            Axis { extent: part, from, to },
            Axis { extent: extent / part, from: from * step, to: to * step },
        ]
    }

    /// Whether `next` continues this loop in both layouts, so that one loop can replace both.
    fn continues_in(self, next: Self) -> bool {
        let n = self.extent as isize;
        self.from.checked_mul(n) == Some(next.from) && self.to.checked_mul(n) == Some(next.to)
    }
}

/// Loops over elements: `i` steps by one element of the destination, `j` by the least in the source.
#[derive(Clone, Debug)]
pub(crate) struct Blocks {
    pub(crate) i: Axis,
    pub(crate) j: Axis,
    pub(crate) outer: Vec<Axis>,
    /// The offsets of the first coordinate.
    pub(crate) first: [usize; 2],
}

impl Blocks {
    /// The loops, sorted by their steps in the destination, if the first one steps by one element.
    pub(crate) fn of(axes: &[Axis], first: [usize; 2]) -> Option<Self> {
        let (&i, outer) = axes.split_first().filter(|(i, _)| i.to == 1)?;
        let moving = outer.iter().enumerate().filter(|(_, axis)| axis.from != 0);
        let mut outer = outer.to_vec();
        let j = moving.min_by_key(|(_, axis)| axis.from.unsigned_abs()).map(|(k, _)| k);
        let j = j.map_or(ONE, |k| outer.remove(k));
        Some(Blocks { i, j, outer, first })
    }

    /// Whether the source has pixels of up to four channels `j`, and the destination a plane of each
    /// channel, or both have rows without a gap.
    pub(crate) fn are_pixels(&self) -> bool {
        let Blocks { i, j, .. } = self;
        let are_planes = j.extent == 1 || j.from == 1 && j.to >= i.extent as isize;
        are_planes && i.from == j.extent as isize && j.extent <= 4
    }

    #[cfg(feature = "rayon")]
    fn axis(&mut self, k: usize) -> &mut Axis {
        match k {
            0 => &mut self.i,
            1 => &mut self.j,
            _ => &mut self.outer[k - 2],
        }
    }

    /// The loop with the longest step in the destination, and the half of its steps, where the loops
    /// are cut in two: the steps within it stay below its step.
    #[cfg(feature = "rayon")]
    fn cut(&self, part: usize, keeps_j: bool) -> Option<(usize, usize)> {
        let all = || [self.i, self.j].into_iter().chain(self.outer.iter().copied());
        let (k, axis) = all().enumerate().max_by_key(|(_, axis)| (axis.extent > 1, axis.to))?;
        // Parts of a row are whole lines of memory.
        let at = (axis.extent / 2).next_multiple_of(if k == 0 { 64 } else { 1 });
        let is_long = all().map(|axis| axis.extent).product::<usize>() > part;
        (is_long && (1..axis.extent).contains(&at) && !(k == 1 && keeps_j)).then_some((k, at))
    }

    /// Runs the loops in parts of at most `part` elements on all threads of `rayon`: each part with
    /// its own elements of the destination, and the coordinates in `i` and `j` where it begins.
    #[cfg(feature = "rayon")]
    pub(crate) fn run_parts<D: Send>(
        &self,
        begin: [usize; 2],
        (part, keeps_j): (usize, bool),
        to: &mut [D],
        run: &(impl Fn(&Blocks, [usize; 2], &mut [D]) + Sync),
    ) {
        let Some((k, at)) = self.cut(part, keeps_j) else { return run(self, begin, to) };
        let (mut first, mut second, mut middle) = (self.clone(), self.clone(), begin);
        let axis = *first.axis(k);
        first.axis(k).extent = at;
        second.axis(k).extent = axis.extent - at;
        middle.get_mut(k).into_iter().for_each(|number| *number += at);
        second.first = [self.first[0].wrapping_add_signed(at as isize * axis.from), 0];
        let (below, above) =
            to.split_at_mut(self.first[1].wrapping_add_signed(at as isize * axis.to));
        rayon::join(
            || first.run_parts(begin, (part, keeps_j), below, run),
            || second.run_parts(middle, (part, keeps_j), above, run),
        );
    }
}

/// A loop of one step.
pub(crate) const ONE: Axis = Axis { extent: 1, from: 0, to: 0 };

/// A mode whose coordinates are channels.
#[derive(Clone, Debug)]
pub(crate) struct Channels {
    /// The number of channels, if the source has the mode, and of coordinates within one.
    pub(crate) size: Option<usize>,
    pub(crate) within: usize,
    /// The loops, one of which goes over the channels: `i` where these are adjacent in the
    /// destination, and `j` otherwise.
    pub(crate) loops: Option<Blocks>,
    pub(crate) are_adjacent: bool,
    /// Whether the loop begins with the last channel.
    pub(crate) is_turned: bool,
}

/// Whether the layout has no swizzle and no offset but its base, as `From<DynLayout>` makes it.
fn is_plain(layout: &DynComposedLayout) -> bool {
    layout.outer() == DynSwizzle::IDENTITY && layout.offset() == layout.inner().base()
}

/// The text of the layout; a swizzle that changes nothing is left out.
pub(crate) fn text(layout: &DynComposedLayout) -> String {
    if is_plain(layout) { layout.inner().to_string() } else { layout.to_string() }
}

/// The layout without its swizzle, and an offset, if the swizzle changes no offset.
pub(crate) fn plain(layout: &DynComposedLayout) -> Option<(DynLayout, usize)> {
    if is_plain(layout) { Some((layout.inner(), 0)) } else { layout.plain() }
}

/// The layout without its modes of stride 0; if it has no other modes, a layout of one coordinate.
pub(crate) fn without_zeros(layout: &DynComposedLayout) -> Result<DynComposedLayout, LayoutError> {
    let inner = layout.inner();
    let (extents, strides): (Vec<_>, Vec<_>) =
        modes(&inner).filter(|&(_, stride)| number(stride) != 0).unzip();
    let kept = if extents.is_empty() {
        DynLayout::left(&DynShape::from(1))
    } else {
        let shape = DynShape::tuple(extents.into_iter().map(DynShape::from))?;
        DynLayout::with_strides(shape, strides)?
    };
    // The base of an empty layout does not matter.
    let offset = layout.offset().max(kept.base());
    Ok(DynComposedLayout::const_new(layout.outer(), offset, kept))
}

/// The least length of a slice for the layout, if the length can be computed.
pub(crate) fn cosize(layout: &DynComposedLayout) -> Result<usize, LayoutError> {
    /// The most coordinates for which each offset is computed.
    const COUNTED: usize = 1 << 24;
    /// The most leaves after a swizzle for which the offsets are counted.
    const LEAVES: usize = 32;
    if is_plain(layout) {
        return Ok(layout.inner().cosize());
    }
    let refused = |fault| Err(LayoutError::new("cosize", fault).with_operand(layout));
    if let Some((first, leaves)) = leaves(layout) {
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
    // The swizzle is its own inverse: it maps this offset to the largest number, which has no
    // successor.
    let last = layout.outer().apply(usize::MAX);
    let reach = layout.offset().saturating_add(moving.cosize());
    if layout.size() > 0 && last <= reach { refused(Fault::Overflow) } else { Ok(layout.cosize()) }
}

/// The sizes of the modes of a layout.
pub(crate) fn sizes(layout: &DynComposedLayout) -> Vec<usize> {
    let shape = layout.shape();
    let sizes =
        |shape: &DynShape| shape.children().map(|mode| mode.try_size().unwrap_or(0)).collect();
    shape.as_leaf().map_or_else(|| sizes(&shape), |size| vec![size])
}

/// The offset of the first coordinate, and the leaves, if every offset is the first one plus a sum
/// of strides, for any kind of layout. Otherwise `None`; also for an empty layout.
pub(crate) fn leaves(layout: &DynComposedLayout) -> Option<(usize, Vec<(usize, isize)>)> {
    if layout.size() == 0 {
        return None;
    }
    let (outer, offset, inner) = (layout.outer(), layout.offset(), layout.inner());
    let first = outer.apply(offset);
    let behind = |offset, layout| DynComposedLayout::const_new(outer, offset, layout);
    if has_xor_strides(&inner) {
        let linear = if is_plain(layout) { inner } else { behind(0, inner).linear().ok()? };
        return Some((first, leaves_of_bits(&linear, first)?));
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
    // Below a power of two, reversing the order of the numbers flips each bit.
    let mut turned = modes(&inner).filter(|(_, stride)| matches!(stride, DynStride::Negative(_)));
    let linear = natural.linear().ok()?;
    let bits = modes(&linear)
        .flat_map(|(extent, stride)| images(extent, number(stride)))
        .fold(0, |all, bit| all | bit);
    let is_linear = turned.all(|(extent, _)| extent.is_power_of_two()) && least & bits == 0;
    let linear = is_linear.then(|| behind(0, linear).linear().ok())??;
    Some((first, leaves_of_bits(&linear, first)?))
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

/// The offsets of the single bits of a coordinate below `extent`, under an XOR stride.
fn images(extent: usize, stride: usize) -> impl Iterator<Item = usize> {
    (0..usize::BITS - extent.saturating_sub(1).leading_zeros()).map(move |bit| stride << bit)
}

/// The leaves of `first ^ L(c)` if this is a sum: no two bits of a coordinate change the same bit
/// of the offset. Bits that are set in `first` are flipped: their strides are negative, and a leaf
/// with such bits is split into one leaf for each bit.
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
    // Natural strides are sums only above the flipped bits.
    (first == 0 || first | seen < least).then_some(leaves)
}

/// Whether two shapes have the same coordinates, mode by mode: an integer mode matches any mode of
/// the same size.
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
/// If the shapes do not have the same coordinates.
pub(crate) fn same_coordinates(
    from: &DynComposedLayout,
    to: &DynComposedLayout,
) -> Result<(), RelayoutError> {
    let (left, right) = (from.shape(), to.shape());
    if from.size() != to.size() || share_coordinates(&left, &right) {
        return Ok(());
    }
    let why = format!(
        "their shapes {left} and {right} have other coordinates; `plan_by_number` pairs those of one number"
    );
    Err(RelayoutError::Shapes { from: text(from), to: text(to), why })
}

/// The loops of two layouts of the same size in the order of the coordinate numbers, the innermost
/// first, and the offsets of the first coordinate. `None` if an offset is not a sum of strides, or
/// if neither of two extents divides the other, as in `(4,6):(6,1)` and `(6,4):(4,1)`.
pub(crate) fn common_axes(
    from: &DynComposedLayout,
    to: &DynComposedLayout,
) -> Option<(usize, usize, Vec<Axis>)> {
    let ((from_base, left), (to_base, right)) = (leaves(from)?, leaves(to)?);
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

/// Sorts the loops by their steps in the destination, reverses loops with negative steps there
/// (which moves the first offset), and joins loops that continue one another. `false` if two
/// coordinates might share an offset in the destination; they do not if each step exceeds the reach
/// of all smaller steps.
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

/// Joins each loop to the previous one if it continues that loop.
pub(crate) fn join(axes: &mut Vec<Axis>) {
    axes.dedup_by(|next, axis| {
        let joins = axis.continues_in(*next);
        if joins {
            axis.extent *= next.extent;
        }
        joins
    });
}
