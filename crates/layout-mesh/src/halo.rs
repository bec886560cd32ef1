//! Halos: the elements around the shard of a rank, and their owners.

use alloc::vec;
use alloc::vec::Vec;

use layout_algebra::prelude::*;

use crate::boxes::BoxCopy;
use crate::distribution::Distribution;
use crate::error::{Error, MOST_PIECES};
use crate::placed::PlacedMode;

/// The plan of a halo exchange: what a rank sends and receives so that each shard has a border of
/// its neighbours' elements, with edges and corners. Shards are intervals in each mode; a border
/// may be wider than the adjacent shards. Offsets are those in the memory of a shard with its
/// border, [`layout`](HaloPlan::layout).
///
/// ```
/// use layout_algebra::layout;
/// use layout_mesh::{Distribution, HaloPlan, Mesh, Shard};
/// let mesh = Mesh::on_paper(4, 0, layout!((2, 2): right))?;
/// let blocks = Distribution::new(&mesh, (8, 8), (Shard(0), Shard(1)))?;
/// let halo = HaloPlan::new(&blocks, &[1, 1], &[false, false])?;
/// assert_eq!(halo.layout().to_string(), "(6,6):(1,6)");
/// let sizes = halo.receives().iter().map(|(rank, boxes)| (*rank, boxes[0].size()));
/// assert_eq!(sizes.collect::<Vec<_>>(), [(2, 4), (1, 4), (3, 1)]); // below, beside, and the corner
/// # Ok::<(), layout_mesh::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct HaloPlan {
    distribution: Distribution,
    widths: Vec<usize>,
    sends: Vec<(usize, Vec<BoxCopy>)>,
    receives: Vec<(usize, Vec<BoxCopy>)>,
}

/// A contiguous run of a mode, within a shard and its border: the owner, the indices in the
/// memories with borders before and after, and the length.
#[derive(Clone, Copy)]
struct Strip {
    shard: usize,
    to: usize,
    from: usize,
    length: usize,
}

impl HaloPlan {
    /// Borders of `widths` elements on both sides of each mode. A periodic mode wraps around; in
    /// other modes nothing is received beyond the ends.
    ///
    /// # Errors
    /// If the number of widths is not that of the modes, shards of a mode are not intervals, the
    /// tensor is a sum over ranks, or a shard with its border exceeds `usize`.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::{BlockCyclic, Distribution, HaloPlan, Mesh, Shard};
    /// let mesh = Mesh::on_paper(4, 3, layout!(4))?;
    /// let halo = HaloPlan::new(&Distribution::new(&mesh, 5, [Shard(0)])?, &[1], &[true])?;
    /// assert_eq!((halo.receives().len(), halo.layout().size()), (0, 0)); // 2 of 5 each: nothing is left
    /// let cyclic = Distribution::new(&mesh, 5, [BlockCyclic(0, 1)])?;
    /// assert!(HaloPlan::new(&cyclic, &[1], &[true]).is_err());
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn new(
        distribution: &Distribution,
        widths: &[usize],
        periodic: &[bool],
    ) -> Result<HaloPlan, Error> {
        let (modes, needed) = (distribution.modes(), distribution.modes().len());
        for given in [widths.len(), periodic.len()] {
            if given != needed {
                return Err(Error::Modes { what: "widths", given, needed });
            }
        }
        if distribution.is_partial() {
            return Err(Error::ToPartial);
        }
        if modes.iter().any(|mode| mode.shards > MOST_PIECES) {
            return Err(Error::Transfers);
        }
        if let Some(mode) = modes.iter().position(|mode| !is_interval(mode)) {
            return Err(Error::NoInterval { mode });
        }
        // The largest shards are the first ones.
        let mut largest = modes
            .iter()
            .zip(widths)
            .map(|(mode, width)| width.checked_mul(2)?.checked_add(mode.count(0)));
        let size =
            largest.try_fold(1usize, |size, extent| size.checked_mul(extent?)).map(isize::try_from);
        if !matches!(size, Some(Ok(_))) {
            return Err(LayoutError::new("HaloPlan::new", Fault::Overflow).into());
        }
        let mut plan = HaloPlan {
            distribution: distribution.clone(),
            widths: widths.to_vec(),
            sends: Vec::new(),
            receives: Vec::new(),
        };
        let Some(own) = distribution.mesh().coordinates() else { return Ok(plan) };
        let extents = distribution.mesh().extents();
        let shards: Vec<usize> = modes.iter().map(|mode| mode.shard(&own, &extents)).collect();
        let strips = |k: usize, shard: usize| strips(&modes[k], shard, widths[k], periodic[k]);
        // The number of runs of a border: at most the shards, times the periods that the border
        // spans.
        for (mode, width) in modes.iter().zip(widths) {
            let turns = width.checked_div(mode.extent).unwrap_or(0).checked_mul(mode.shards);
            if turns.is_none_or(|turns| turns > MOST_PIECES) {
                return Err(Error::Border { width: *width, extent: mode.extent });
            }
        }
        // The elements of this rank's border, and their owners.
        let around: Vec<Vec<(usize, Vec<Strip>)>> =
            shards.iter().enumerate().map(|(k, &shard)| by_shard(strips(k, shard))).collect();
        plan.receives = plan.all(&own, &around, true);
        // The elements of this rank in the borders of others.
        let mine = |(k, &shard): (usize, &usize)| {
            let of = |other: usize| {
                let strips: Vec<Strip> =
                    strips(k, other).into_iter().filter(|strip| strip.shard == shard).collect();
                (!strips.is_empty()).then_some((other, strips))
            };
            (0..modes[k].shards).filter_map(of).collect()
        };
        let around: Vec<Vec<(usize, Vec<Strip>)>> = shards.iter().enumerate().map(mine).collect();
        plan.sends = plan.all(&own, &around, false);
        Ok(plan)
    }

    /// The boxes of each combination of shards, with one shard for each mode.
    fn all(
        &self,
        own: &[usize],
        around: &[Vec<(usize, Vec<Strip>)>],
        receives: bool,
    ) -> Vec<(usize, Vec<BoxCopy>)> {
        let (mesh, extents) = (self.distribution.mesh(), self.distribution.mesh().extents());
        let (own_strides, mut all) = (self.strides(own), Vec::new());
        let count: usize = around.iter().map(Vec::len).product();
        for mut number in 0..count {
            let mut at = own.to_vec();
            let mut chosen: Vec<&[Strip]> = Vec::new();
            for (mode, lists) in self.distribution.modes().iter().zip(around) {
                let (shard, strips) = &lists[number % lists.len()];
                number /= lists.len();
                mode.write_shard(*shard, &extents, &mut at);
                chosen.push(strips);
            }
            let other_strides = self.strides(&at);
            let (before, after) = if receives {
                (&other_strides, &own_strides)
            } else {
                (&own_strides, &other_strides)
            };
            let mut boxes = vec![BoxCopy { from: 0, to: 0, modes: Vec::new() }];
            for ((strips, &before), &after) in chosen.iter().zip(before).zip(after) {
                let with = |strip: &Strip, all: &BoxCopy| BoxCopy {
                    from: all.from + strip.from * before,
                    to: all.to + strip.to * after,
                    modes: all
                        .modes
                        .iter()
                        .copied()
                        .chain([(strip.length, before, after)])
                        .collect(),
                };
                boxes = strips
                    .iter()
                    .flat_map(|strip| boxes.iter().map(move |all| with(strip, all)))
                    .collect();
            }
            let rank = mesh.rank_at(&at).expect("a coordinate of the mesh");
            // Elements whose offset does not change are this rank's own shard.
            boxes.retain(|of| rank != mesh.rank() || of.from != of.to);
            if !boxes.is_empty() {
                all.push((rank, boxes));
            }
        }
        all
    }

    /// The extents of a shard with its border.
    fn shape_at(&self, coordinate: &[usize]) -> Vec<usize> {
        let shape = self.distribution.local_shape_at(coordinate);
        let is_empty = shape.contains(&0);
        shape
            .iter()
            .zip(&self.widths)
            .map(|(n, width)| if is_empty { 0 } else { n + 2 * width })
            .collect()
    }

    fn strides(&self, coordinate: &[usize]) -> Vec<usize> {
        self.distribution.local_strides(&self.shape_at(coordinate))
    }

    /// The layout of this rank's shard with its border; empty if the shard is.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::{Distribution, HaloPlan, Mesh, Replicate, Shard};
    /// let rows = Distribution::new(&Mesh::on_paper(2, 1, layout!(2))?, (5, 3), (Shard(0), Replicate))?;
    /// assert_eq!(HaloPlan::new(&rows, &[2, 0], &[false; 2])?.layout().to_string(), "(6,3):(1,6)");
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn layout(&self) -> DynLayout {
        let shape = match self.distribution.mesh().coordinates() {
            Some(own) => self.shape_at(&own),
            None => vec![0; self.widths.len()],
        };
        self.distribution.layout_of(&shape)
    }

    /// The layout of the shard without its border in that memory, and the offset of its start.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::{Distribution, HaloPlan, Mesh, Replicate, Shard};
    /// let rows = Distribution::new(&Mesh::on_paper(2, 1, layout!(2))?, (5, 3), (Shard(0), Replicate))?;
    /// let (offset, inner) = HaloPlan::new(&rows, &[2, 1], &[false; 2])?.inner();
    /// assert_eq!((offset, inner.to_string()), (2 + 6, "(2,3):(1,6)".into()));
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn inner(&self) -> (usize, DynLayout) {
        let (whole, shape) = (self.layout(), self.distribution.local_shape());
        let stride = whole.stride();
        let offset =
            stride.leaves().iter().zip(&self.widths).map(|(stride, width)| stride * width).sum();
        let tuple = |numbers: &[usize]| {
            DynShape::tuple(numbers.iter().map(|&number| DynShape::from(number)))
        };
        let inner = tuple(&shape).and_then(|shape| DynLayout::new(shape, tuple(stride.leaves())?));
        (
            if shape.contains(&0) { 0 } else { offset },
            inner.expect("the layout with its border holds the shard"),
        )
    }

    /// The distribution.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::{Distribution, HaloPlan, Mesh, Shard};
    /// let blocks = Distribution::new(&Mesh::on_paper(2, 1, layout!(2))?, 5, [Shard(0)])?;
    /// assert_eq!(HaloPlan::new(&blocks, &[2], &[false])?.distribution(), &blocks);
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn distribution(&self) -> &Distribution {
        &self.distribution
    }

    /// The width of the border in each mode.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::{Distribution, HaloPlan, Mesh, Shard};
    /// let blocks = Distribution::new(&Mesh::on_paper(2, 1, layout!(2))?, 5, [Shard(0)])?;
    /// assert_eq!(HaloPlan::new(&blocks, &[2], &[false])?.widths(), [2]);
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn widths(&self) -> &[usize] {
        &self.widths
    }

    /// The ranks whose borders contain elements of this rank (in a periodic mode also this rank),
    /// and the boxes: offsets before in this rank's memory, and after in theirs.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::{Distribution, HaloPlan, Mesh, Shard};
    /// let blocks = Distribution::new(&Mesh::on_paper(2, 0, layout!(2))?, 5, [Shard(0)])?;
    /// let halo = HaloPlan::new(&blocks, &[1], &[false])?;
    /// let [(rank, boxes)] = halo.sends() else { panic!("one neighbour") };
    /// assert_eq!((*rank, boxes[0].from, boxes[0].to), (1, 3, 0)); // the last of three
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn sends(&self) -> &[(usize, Vec<BoxCopy>)] {
        &self.sends
    }

    /// The ranks that own elements of this rank's border, and the boxes, which equal the sender's.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::{Distribution, HaloPlan, Mesh, Shard};
    /// let blocks = Distribution::new(&Mesh::on_paper(2, 1, layout!(2))?, 5, [Shard(0)])?;
    /// let halo = HaloPlan::new(&blocks, &[1], &[false])?;
    /// assert_eq!(halo.receives()[0].1, HaloPlan::new(&blocks, &[1], &[false])?.receives()[0].1);
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn receives(&self) -> &[(usize, Vec<BoxCopy>)] {
        &self.receives
    }
}

/// Whether each shard is one interval.
fn is_interval(mode: &PlacedMode) -> bool {
    (0..mode.shards).all(|shard| match mode.count(shard).checked_sub(1) {
        Some(last) => mode.global(shard, last) - mode.global(shard, 0) == last,
        None => true,
    })
}

/// The runs of a shard and its border.
fn strips(mode: &PlacedMode, shard: usize, width: usize, periodic: bool) -> Vec<Strip> {
    let (count, mut strips, mut to) = (mode.count(shard), Vec::new(), 0);
    if count == 0 {
        return strips;
    }
    let (start, end, extent) = (mode.global(shard, 0), count + 2 * width, mode.extent);
    while to < end {
        // The global index plus a number of periods that makes it positive.
        let (index, limit) = match (start + to).checked_sub(width) {
            Some(index) if index < extent => (index, extent - index),
            Some(index) if periodic => (index % extent, extent - index % extent),
            None if periodic => {
                let index = (extent - (width - start - to) % extent) % extent;
                (index, (width - start - to).min(extent - index))
            }
            // Nothing before the first or after the last element.
            None => {
                to = width - start;
                continue;
            }
            Some(_) => break,
        };
        let place = mode.locate(index);
        let length = place.run.min(limit).min(end - to);
        strips.push(Strip { shard: place.shard, to, from: place.local + width, length });
        to += length;
    }
    strips
}

/// The runs grouped by shard, in ascending order of the shards.
fn by_shard(mut strips: Vec<Strip>) -> Vec<(usize, Vec<Strip>)> {
    strips.sort_by_key(|strip| strip.shard);
    strips
        .chunk_by(|a, b| a.shard == b.shard)
        .map(|strips| (strips[0].shard, strips.to_vec()))
        .collect()
}
