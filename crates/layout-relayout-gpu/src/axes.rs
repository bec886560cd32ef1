//! The axes of two layouts: numbers that one kernel takes for every pair.

use layout_algebra::prelude::*;

/// One loop over both layouts.
struct Axis {
    extent: usize,
    from: i128,
    to: i128,
}

/// What the general kernel loops over, and the room that both sides take.
pub(crate) struct Axes {
    axes: Vec<Axis>,
    /// Elements from the least offset to the greatest, on both sides.
    pub room: [u128; 2],
    first: [i128; 2],
    pub elements: u128,
}

impl Axes {
    /// The axes of two layouts of one size, the target's fastest first. `None` if they have no
    /// common axes, or a stride is an XOR stride.
    pub fn new(from: &DynLayout, to: &DynLayout) -> Option<Axes> {
        let [from, to]: [DynLayout; 2] =
            DynLayout::mutual_refinement(&[from, to]).ok()?.try_into().ok()?;
        let natural = |stride: DynStride| match stride {
            DynStride::Natural(stride) => Some(stride as i128),
            DynStride::Negative(stride) => Some(-(stride as i128)),
            DynStride::Xor(_) => None,
        };
        let mut axes = Vec::new();
        let strides = from.strides().zip(to.strides());
        for (&extent, (from, to)) in from.shape().leaves().iter().zip(strides) {
            axes.push(Axis { extent, from: natural(from)?, to: natural(to)? });
        }
        let elements = axes.iter().map(|axis| axis.extent as u128).product();
        let (mut room, mut first) = ([1, 1], [0, 0]);
        for (side, of) in [|axis: &Axis| axis.from, |axis: &Axis| axis.to].into_iter().enumerate() {
            for axis in &axes {
                let span = of(axis).checked_mul(axis.extent as i128 - 1)?;
                room[side] += span.unsigned_abs();
                first[side] -= span.min(0);
            }
        }
        axes.sort_by_key(|axis| axis.to.unsigned_abs());
        Some(Axes { axes, room, first, elements })
    }

    /// The numbers of the general kernel; `None` if one of them is beyond 32 bits.
    pub fn numbers(&self) -> Option<Vec<u32>> {
        let mut numbers =
            vec![u32::try_from(self.elements).ok()?, u32::try_from(self.axes.len()).ok()?];
        let is_narrow = |room: &u128| *room <= 1 << 32;
        if !self.room.iter().all(is_narrow) {
            return None;
        }
        numbers.extend(self.first.map(|first| first as u32));
        for axis in &self.axes {
            // Steps backwards wrap around 2^32, as the sums of the kernel do.
            numbers.extend([axis.extent as u32, axis.from as u32, axis.to as u32]);
        }
        Some(numbers)
    }
}
