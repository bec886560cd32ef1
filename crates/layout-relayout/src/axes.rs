//! Two layouts as one list of loops.
//!
//! ```text
//! from(c) = sum c_k * f_k,  to(c) = sum c_k * t_k                            over extents that both layouts have
//! any order of the loops over c_k moves the same, if no two c share a to(c)
//! (s_0 : f_0, t_0)(s_1 : s_0 * f_0, s_0 * t_0) = s_0 * s_1 : f_0, t_0
//! ```

use layout_algebra::{DynComposedLayout, DynLayout, DynStride, Layout};

use crate::error::RelayoutError;

/// One loop: `extent` steps of `from` in the source and of `to` in the destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Axis {
    pub(crate) extent: usize,
    pub(crate) from: isize,
    pub(crate) to: isize,
}

impl Axis {
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

    /// The place of coordinate number `i` in a slice: its offset, moved by the base of negative strides.
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

    /// The text of the layout.
    pub(crate) fn text(&self) -> String {
        match self {
            AnyLayout::Strided(layout) => layout.to_string(),
            AnyLayout::Composed(layout) => layout.to_string(),
        }
    }

    /// The place of the first coordinate, and the leaves that move; `None` where offsets are not sums of strides.
    pub(crate) fn leaves(&self) -> Option<(usize, Vec<(usize, isize)>)> {
        let AnyLayout::Strided(layout) = self else { return None };
        let leaf = |(&extent, stride): (&usize, DynStride)| match stride {
            _ if extent == 1 => Some((1, 0)),
            DynStride::Natural(stride) => Some((extent, isize::try_from(stride).ok()?)),
            DynStride::Negative(stride) => Some((extent, -isize::try_from(stride).ok()?)),
            DynStride::Xor(_) => None,
        };
        let shape = layout.shape();
        Some((layout.base(), shape.leaves().iter().zip(layout.strides()).map(leaf).collect::<Option<_>>()?))
    }
}

/// The loops of two layouts in the order of their coordinates, the innermost first, and the places of the first
/// coordinate. `None` where offsets are not sums of strides.
///
/// # Errors
/// Shapes of other sizes, or of which none cuts the other's extents into factors: `(4,6)` and `(6,4)`.
#[allow(clippy::type_complexity)]
pub(crate) fn common_axes(
    from: &AnyLayout,
    to: &AnyLayout,
) -> Result<Option<(usize, usize, Vec<Axis>)>, RelayoutError> {
    let differ = |why: String| Err(RelayoutError::Shapes { from: from.text(), to: to.text(), why });
    if from.size() != to.size() {
        return differ(format!("their sizes are {} and {}", from.size(), to.size()));
    }
    let (Some((from_base, left)), Some((to_base, right))) = (from.leaves(), to.leaves()) else { return Ok(None) };
    let mut axes = Vec::new();
    if from.size() == 0 {
        return Ok(Some((0, 0, vec![Axis { extent: 0, from: 0, to: 0 }])));
    }
    let moving = |leaves: Vec<(usize, isize)>| leaves.into_iter().filter(|leaf| leaf.0 > 1);
    let (mut left, mut right) = (moving(left), moving(right));
    let (mut f, mut t) = (left.next(), right.next());
    while let (Some((n, from_step)), Some((m, to_step))) = (f, t) {
        let extent = n.min(m);
        if n % extent != 0 || m % extent != 0 {
            return differ(format!("their extents {n} and {m} divide into no common ones"));
        }
        axes.push(Axis { extent, from: from_step, to: to_step });
        // Steps fit: the leaf goes on, so that its reach, which fits, is larger.
        f = if n == extent { left.next() } else { Some((n / extent, from_step * extent as isize)) };
        t = if m == extent { right.next() } else { Some((m / extent, to_step * extent as isize)) };
    }
    Ok(Some((from_base, to_base, axes)))
}

/// Sorts loops by their steps in the destination, turns those that go backwards there, and joins what continues: the
/// place of the first coordinate moves with them. `false` if two coordinates might share a place of the destination, as
/// they do not where each step exceeds all that the smaller ones reach.
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
