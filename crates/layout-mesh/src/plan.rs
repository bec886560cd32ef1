//! Plans of redistributions: the elements that each pair of ranks exchanges.
//!
//! ```text
//! to.left_inverse() o from    (rank, element) before  ->  (rank, element) after        mode by mode
//! message from p to q         the product over the modes of the overlap of p before and q after
//! ```
//!
//! The plan of a rank has the transfers from it and to it. Where there are copies, a rank that has
//! an element copies its own, and any other rank has one sender: no element is sent to a rank
//! twice, or to a rank that has it.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;
use core::mem::size_of_val;

use crate::boxes::{BoxCopy, boxes};
use crate::distribution::Distribution;
use crate::error::{Error, MOST_RANKS, tuple};
use crate::pieces::{Overlap, OverlapsWith, overlap};
use crate::placed::PlacedMode;

/// What one rank sends and receives when a tensor is redistributed. A plan needs no communication
/// and no data, and its size does not grow with the data. It can be made for another machine, and
/// used for many redistributions.
///
/// ```
/// use layout_algebra::layout;
/// use layout_mesh::{BlockCyclic, Distribution, Mesh, Plan};
/// // Rank 0 of a million: from 64 x 64 blocks to 128 x 128.
/// let mesh = Mesh::on_paper(1_000_000, 0, layout!((1000, 1000): right))?;
/// let n = 8 * 128_000;
/// let from = Distribution::new(&mesh, (n, n), [BlockCyclic(0, 64), BlockCyclic(1, 64)])?;
/// let to = Distribution::new(&mesh, (n, n), [BlockCyclic(0, 128), BlockCyclic(1, 128)])?;
/// let plan = Plan::new(&from, &to)?;
/// assert_eq!((plan.sends().len(), plan.pieces()), (4, 4));
/// # Ok::<(), layout_mesh::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Plan {
    from: Distribution,
    to: Distribution,
    pieces: usize,
    sending: Vec<Vec<OverlapsWith>>,
    receiving: Vec<Vec<OverlapsWith>>,
    sends: Vec<Transfer>,
    receives: Vec<Transfer>,
    /// The boxes of an enumeration of elements, for each of `sends` and of `receives`.
    listed: Option<[Vec<Vec<BoxCopy>>; 2]>,
}

/// A transfer to or from one rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transfer {
    rank: usize,
    elements: usize,
    /// The index of the overlap in each mode.
    overlaps: Vec<u32>,
}

impl Transfer {
    /// The other rank, or this one for elements that stay.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::{BlockCyclic, Distribution, Mesh, Plan, Shard};
    /// let mesh = Mesh::on_paper(2, 0, layout!(2))?;
    /// let from = Distribution::new(&mesh, 8, [Shard(0)])?;
    /// let to = Distribution::new(&mesh, 8, [BlockCyclic(0, 1)])?;
    /// let to_ranks: Vec<usize> = Plan::new(&from, &to)?.sends().iter().map(|transfer| transfer.rank()).collect();
    /// assert_eq!(to_ranks, [0, 1]);
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// The number of elements.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::{BlockCyclic, Distribution, Mesh, Plan, Shard};
    /// let mesh = Mesh::on_paper(2, 0, layout!(2))?;
    /// let from = Distribution::new(&mesh, 9, [Shard(0)])?;
    /// let to = Distribution::new(&mesh, 9, [BlockCyclic(0, 1)])?;
    /// let plan = Plan::new(&from, &to)?; // 0 1 2 3 4 becomes 0 2 4 and 1 3
    /// assert_eq!(plan.sends().iter().map(|transfer| transfer.elements()).collect::<Vec<_>>(), [3, 2]);
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn elements(&self) -> usize {
        self.elements
    }
}

impl Plan {
    /// The plan of this rank of the meshes.
    ///
    /// # Errors
    /// If the shapes differ, or the meshes are those of different ranks.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::{BlockCyclic, Distribution, Mesh, Plan, Shard};
    /// let mesh = Mesh::on_paper(2, 0, layout!(2))?;
    /// let from = Distribution::new(&mesh, 8, [Shard(0)])?;
    /// let to = Distribution::new(&mesh, 9, [BlockCyclic(0, 1)])?;
    /// let error = Plan::new(&from, &to).unwrap_err();
    /// assert_eq!(error.to_string(), "a tensor of the shape (8) is not redistributed to one of the shape (9)");
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn new(from: &Distribution, to: &Distribution) -> Result<Plan, Error> {
        if from.shape() != to.shape() {
            return Err(Error::Shapes { from: tuple(&from.shape()), to: tuple(&to.shape()) });
        }
        let (mut plan, rank) = (Plan::empty(from, to)?, from.mesh().rank());
        let mut count = 0;
        let mut shards = |side: &Distribution, is_from: bool| {
            let Some(coordinate) = side.mesh().coordinates() else { return Ok(Vec::new()) };
            let extents = side.mesh().extents();
            let one = |((from, to), own): ((&PlacedMode, &PlacedMode), &PlacedMode)| {
                let shard = own.shard(&coordinate, &extents);
                let (pieces, overlaps) = overlap(from, to, shard, is_from)?;
                count += pieces;
                Ok::<_, Error>(overlaps)
            };
            from.modes().iter().zip(to.modes()).zip(side.modes()).map(one).collect()
        };
        let (receiving, sending) = (shards(to, false)?, shards(from, true)?);
        (plan.pieces, plan.sending, plan.receiving) = (count, sending, receiving);
        plan.sends = plan.find_sends(rank)?;
        plan.receives = plan.find_receives(rank)?;
        Ok(plan)
    }

    /// The two distributions of one rank, without the transfers.
    pub(crate) fn empty(from: &Distribution, to: &Distribution) -> Result<Plan, Error> {
        let seen = [from.mesh().seen(), to.mesh().seen()];
        if seen[0] != seen[1] {
            return Err(Error::OtherMeshes { from: seen[0], to: seen[1] });
        }
        if to.is_partial() {
            return Err(Error::ToPartial);
        }
        let (sends, receives) = (Vec::new(), Vec::new());
        let (sending, receiving) = (Vec::new(), Vec::new());
        let (from, to) = (from.clone(), to.clone());
        Ok(Plan { from, to, pieces: 0, sending, receiving, sends, receives, listed: None })
    }

    /// Offsets before and after, in the order of the message, for each rank that this rank sends to
    /// or receives from.
    pub(crate) fn list(
        &mut self,
        sends: BTreeMap<usize, Vec<(usize, usize)>>,
        receives: BTreeMap<usize, Vec<(usize, usize)>>,
    ) {
        let (mesh, rank) = (self.from.mesh(), self.from.mesh().rank());
        let lists = |found: BTreeMap<usize, Vec<(usize, usize)>>, is_send: bool| {
            let mut all: Vec<(usize, Vec<(usize, usize)>)> = found.into_iter().collect();
            all.sort_by_key(|&(other, _)| {
                if is_send { mesh.steps(rank, other) } else { mesh.steps(other, rank) }
            });
            let one = |(k, (rank, pairs)): (usize, (usize, Vec<(usize, usize)>))| {
                (Transfer { rank, elements: pairs.len(), overlaps: vec![k as u32] }, boxes(&pairs))
            };
            all.into_iter().enumerate().map(one).unzip::<_, _, Vec<_>, Vec<_>>()
        };
        let (sends, sent) = lists(sends, true);
        let (receives, received) = lists(receives, false);
        self.pieces = sent.iter().chain(&received).map(Vec::len).sum();
        (self.sends, self.receives, self.listed) = (sends, receives, Some([sent, received]));
    }

    /// Whether the rank at a coordinate of the mesh before sends to a receiver: one of the copies
    /// does, and all summands.
    pub(crate) fn sends_to(&self, own: &[usize], receiver: usize) -> bool {
        let copies = self.from.copied();
        let sender = self.copy_for(receiver, &copies);
        copies
            .iter()
            .zip(&sender)
            .all(|(mode, &at)| self.from.summed().contains(mode) || own[*mode] == at)
    }

    /// Calls `f` with the coordinates of the ranks that send to a receiver, in the modes of copies
    /// and summands.
    pub(crate) fn for_each_sender(&self, receiver: usize, mut f: impl FnMut(&mut [usize])) {
        let (copies, extents) = (self.from.copied(), self.from.mesh().extents());
        let sender = self.copy_for(receiver, &copies);
        let summed = self.from.summed();
        for mut number in 0..summed.iter().map(|&mode| extents[mode]).product() {
            let mut coordinate = vec![0; extents.len()];
            copies.iter().zip(&sender).for_each(|(&mode, &at)| coordinate[mode] = at);
            for &mode in summed {
                coordinate[mode] = number % extents[mode];
                number /= extents[mode];
            }
            f(&mut coordinate);
        }
    }

    /// All ranks that this rank sends to, starting at the next rank.
    fn find_sends(&self, rank: usize) -> Result<Vec<Transfer>, Error> {
        let Some(own) = self.from.mesh().coordinates() else { return Ok(Vec::new()) };
        let (mesh, extents) = (self.to.mesh(), self.to.mesh().extents());
        let all = self.to.copied();
        let mut sends = Vec::new();
        // All copies of the receiver whose sender is this rank.
        let count: usize = all.iter().map(|&mode| extents[mode]).product();
        few(&self.sending, count)?;
        for_each_product(&self.sending, |overlaps, elements| {
            let mut coordinate = vec![0; extents.len()];
            for ((mode, list), &overlap) in self.to.modes().iter().zip(&self.sending).zip(overlaps)
            {
                mode.write_shard(list[overlap as usize].0, &extents, &mut coordinate);
            }
            for mut number in 0..count {
                for &mode in &all {
                    coordinate[mode] = number % extents[mode];
                    number /= extents[mode];
                }
                let receiver = mesh.rank_at(&coordinate).expect("a coordinate of the mesh");
                if self.sends_to(&own, receiver) {
                    sends.push(Transfer { rank: receiver, elements, overlaps: overlaps.to_vec() });
                }
            }
        });
        sends.sort_by_key(|transfer| mesh.steps(rank, transfer.rank));
        Ok(sends)
    }

    /// All ranks that this rank receives from, starting at the previous rank.
    fn find_receives(&self, rank: usize) -> Result<Vec<Transfer>, Error> {
        let (mesh, extents) = (self.from.mesh(), self.from.mesh().extents());
        let mut receives = Vec::new();
        few(&self.receiving, self.from.summed().iter().map(|&mode| extents[mode]).product())?;
        self.for_each_sender(rank, |coordinate| {
            for_each_product(&self.receiving, |overlaps, elements| {
                for ((mode, list), &overlap) in
                    self.from.modes().iter().zip(&self.receiving).zip(overlaps)
                {
                    mode.write_shard(list[overlap as usize].0, &extents, coordinate);
                }
                let rank = mesh.rank_at(coordinate).expect("a coordinate of the mesh");
                receives.push(Transfer { rank, elements, overlaps: overlaps.to_vec() });
            });
        });
        receives.sort_by_key(|transfer| mesh.steps(transfer.rank, rank));
        Ok(receives)
    }

    /// The copy that a rank receives from: its own if it has one, so that the elements stay;
    /// otherwise one chosen by its rank, so that the copies share the work.
    fn copy_for(&self, receiver: usize, copies: &[usize]) -> Vec<usize> {
        let mesh = self.from.mesh();
        let (extents, mut number) = (mesh.extents(), receiver);
        let own = mesh.coordinates_of(receiver);
        let coordinate = |&mode: &usize| match &own {
            Some(own) => own[mode],
            None => {
                let digit = number % extents[mode];
                number /= extents[mode];
                digit
            }
        };
        copies.iter().map(coordinate).collect()
    }

    /// The distribution that the elements come from.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::{BlockCyclic, Distribution, Mesh, Plan, Shard};
    /// let mesh = Mesh::on_paper(2, 0, layout!(2))?;
    /// let from = Distribution::new(&mesh, 8, [Shard(0)])?;
    /// let to = Distribution::new(&mesh, 8, [BlockCyclic(0, 1)])?;
    /// let plan = Plan::new(&from, &to)?;
    /// assert_eq!((plan.from(), plan.to()), (&from, &to));
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn from(&self) -> &Distribution {
        &self.from
    }

    /// The distribution that the elements go to.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::{Distribution, Mesh, Plan, Replicate, Shard};
    /// let mesh = Mesh::on_paper(2, 0, layout!(2))?;
    /// let rows = Distribution::new(&mesh, (8, 8), (Shard(0), Replicate))?;
    /// assert_eq!(Plan::new(&rows, &rows.select(&[1, 0])?)?.to().local_layout().to_string(), "(8,4):(4,1)");
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn to(&self) -> &Distribution {
        &self.to
    }

    /// The transfers from this rank to others, and to itself.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::{BlockCyclic, Distribution, Mesh, Plan, Shard};
    /// let mesh = Mesh::on_paper(3, 2, layout!(3))?;
    /// let from = Distribution::new(&mesh, 9, [Shard(0)])?;
    /// let to = Distribution::new(&mesh, 9, [BlockCyclic(0, 1)])?;
    /// let plan = Plan::new(&from, &to)?;
    /// let sends: Vec<_> = plan.sends().iter().map(|transfer| (transfer.rank(), transfer.elements())).collect();
    /// assert_eq!(sends, [(2, 1), (0, 1), (1, 1)]); // 6 7 8
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn sends(&self) -> &[Transfer] {
        &self.sends
    }

    /// The transfers from others, and from this rank, to this rank.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::{BlockCyclic, Distribution, Mesh, Plan, Shard};
    /// let mesh = Mesh::on_paper(3, 2, layout!(3))?;
    /// let from = Distribution::new(&mesh, 9, [Shard(0)])?;
    /// let to = Distribution::new(&mesh, 9, [BlockCyclic(0, 1)])?;
    /// let plan = Plan::new(&from, &to)?;
    /// let receives: Vec<_> = plan.receives().iter().map(|transfer| (transfer.rank(), transfer.elements())).collect();
    /// assert_eq!(receives, [(2, 1), (1, 1), (0, 1)]); // 2 5 8
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn receives(&self) -> &[Transfer] {
        &self.receives
    }

    /// The number of elements that this rank sends to others. The total of all ranks is minimal:
    /// each element goes once to each rank that needs it and does not have it.
    ///
    /// # Panics
    /// If the number exceeds `usize`, as with many copies of a large tensor.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::{BlockCyclic, Distribution, Mesh, Plan, Shard};
    /// let mesh = Mesh::on_paper(2, 0, layout!(2))?;
    /// let from = Distribution::new(&mesh, 8, [Shard(0)])?;
    /// let to = Distribution::new(&mesh, 8, [BlockCyclic(0, 1)])?;
    /// assert_eq!(Plan::new(&from, &to)?.elements_sent(), 2); // of 0 1 2 3, those that are odd
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn elements_sent(&self) -> usize {
        let rank = self.from.mesh().rank();
        let mut sent = self
            .sends
            .iter()
            .filter(|transfer| transfer.rank != rank)
            .map(|transfer| transfer.elements);
        sent.try_fold(0usize, usize::checked_add)
            .expect("the elements that a rank sends are a number of `usize`")
    }

    /// The number of pieces on which the composition `to.left_inverse() o from` is a layout, summed
    /// over all modes, for sends and for receives: one each if the blocks and the ranks divide one
    /// another and the extent, and at most the cuts through this rank's blocks in a common period.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::{BlockCyclic, Distribution, Mesh, Plan};
    /// let mesh = Mesh::on_paper(4, 0, layout!(4))?;
    /// let placed = |size| Distribution::new(&mesh, 4096, [BlockCyclic(0, size)]);
    /// assert_eq!(Plan::new(&placed(64)?, &placed(128)?)?.pieces(), 2);
    /// assert_eq!(Plan::new(&placed(3)?, &placed(4)?)?.pieces(), 14);
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn pieces(&self) -> usize {
        self.pieces
    }

    /// The memory of the plan, in bytes.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::{BlockCyclic, Distribution, Mesh, Plan};
    /// let mesh = Mesh::on_paper(4, 0, layout!(4))?;
    /// let bytes = |n| {
    ///     let from = Distribution::new(&mesh, n, [BlockCyclic(0, 64)])?;
    ///     let to = Distribution::new(&mesh, n, [BlockCyclic(0, 128)])?;
    ///     Ok::<_, layout_mesh::Error>(Plan::new(&from, &to)?.bytes())
    /// };
    /// assert_eq!(bytes(1 << 10)?, bytes(1 << 40)?); // whatever the size of the data
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn bytes(&self) -> usize {
        let overlaps = |list: &Vec<OverlapsWith>| {
            let overlap =
                |overlap: &Overlap| size_of_val(overlap) + size_of_val(&overlap.modes[..]);
            list.iter()
                .map(|with| size_of_val(with) + with.1.iter().map(overlap).sum::<usize>())
                .sum::<usize>()
        };
        let transfer =
            |transfer: &Transfer| size_of_val(transfer) + size_of_val(&transfer.overlaps[..]);
        size_of_val(self)
            + self.sending.iter().chain(&self.receiving).map(overlaps).sum::<usize>()
            + self.sends.iter().chain(&self.receives).map(transfer).sum::<usize>()
            + self
                .listed
                .iter()
                .flatten()
                .flatten()
                .flatten()
                .map(|of| size_of_val(of) + size_of_val(&of.modes[..]))
                .sum::<usize>()
    }

    /// The boxes of one of [`sends`](Plan::sends): offsets before in this rank's memory, and after
    /// in the receiver's. A message has the elements of one box after the other, the first mode
    /// fastest.
    ///
    /// # Panics
    /// If it is a transfer of another plan.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::{BlockCyclic, Distribution, Mesh, Plan, Shard};
    /// let mesh = Mesh::on_paper(2, 0, layout!(2))?;
    /// let from = Distribution::new(&mesh, 8, [Shard(0)])?;
    /// let to = Distribution::new(&mesh, 8, [BlockCyclic(0, 1)])?;
    /// let plan = Plan::new(&from, &to)?;
    /// assert_eq!(plan.sends().iter().map(|one| plan.boxes_sent(one)[0].size()).sum::<usize>(), 4);
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn boxes_sent(&self, transfer: &Transfer) -> Vec<BoxCopy> {
        self.boxes(transfer, true)
    }

    /// The boxes of one of [`receives`](Plan::receives), equal to the sender's: offsets before in
    /// its memory, and after in this rank's.
    ///
    /// # Panics
    /// If it is a transfer of another plan.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::{BlockCyclic, Distribution, Mesh, Plan, Shard};
    /// let mesh = Mesh::on_paper(2, 1, layout!(2))?;
    /// let from = Distribution::new(&mesh, 8, [Shard(0)])?;
    /// let to = Distribution::new(&mesh, 8, [BlockCyclic(0, 1)])?;
    /// let plan = Plan::new(&from, &to)?;
    /// let boxes = plan.boxes_received(&plan.receives()[1]); // from rank 0
    /// assert_eq!((boxes[0].from, boxes[0].to), (1, 0));
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn boxes_received(&self, transfer: &Transfer) -> Vec<BoxCopy> {
        self.boxes(transfer, false)
    }

    fn boxes(&self, transfer: &Transfer, is_send: bool) -> Vec<BoxCopy> {
        if let Some(listed) = &self.listed {
            return listed[usize::from(!is_send)][transfer.overlaps[0] as usize].clone();
        }
        let strides = |side: &Distribution, rank: usize| {
            let coordinate = side.mesh().coordinates_of(rank).expect("a rank of the mesh");
            side.local_strides(&side.local_shape_at(&coordinate))
        };
        let rank = self.from.mesh().rank();
        let (sender, receiver) =
            if is_send { (rank, transfer.rank) } else { (transfer.rank, rank) };
        let (before, after) = (strides(&self.from, sender), strides(&self.to, receiver));
        let lists = if is_send { &self.sending } else { &self.receiving };
        let mut boxes = vec![BoxCopy { from: 0, to: 0, modes: Vec::new() }];
        for (k, (list, &overlap)) in lists.iter().zip(&transfer.overlaps).enumerate() {
            let overlap = &list[overlap as usize].1;
            let with = |overlap: &Overlap, all: &BoxCopy| {
                let modes = overlap
                    .modes
                    .iter()
                    .map(|&(extent, s, t)| (extent, s * before[k], t * after[k]));
                BoxCopy {
                    from: all.from + overlap.from * before[k],
                    to: all.to + overlap.to * after[k],
                    modes: all.modes.iter().copied().chain(modes).collect(),
                }
            };
            boxes = overlap
                .iter()
                .flat_map(|overlap| boxes.iter().map(move |all| with(overlap, all)))
                .collect();
        }
        boxes
    }
}

/// Checks that the combinations of overlaps, times `copies`, do not exceed the limit of transfers.
fn few(lists: &[Vec<OverlapsWith>], copies: usize) -> Result<(), Error> {
    let count = lists.iter().try_fold(copies, |count, list| count.checked_mul(list.len()));
    if count.is_some_and(|count| count <= MOST_RANKS) { Ok(()) } else { Err(Error::Transfers) }
}

/// Calls `f` with each combination of overlaps, one for each mode, and the number of its elements.
/// An empty `lists`, of a rank outside of the mesh, has no combination.
fn for_each_product(lists: &[Vec<OverlapsWith>], mut f: impl FnMut(&[u32], usize)) {
    let sizes: Vec<Vec<usize>> = lists.iter().map(|list| list.iter().map(size).collect()).collect();
    let count: usize = if lists.is_empty() { 0 } else { lists.iter().map(Vec::len).product() };
    let mut overlaps = vec![0u32; lists.len()];
    for _ in 0..count {
        f(
            &overlaps,
            sizes.iter().zip(&overlaps).map(|(sizes, &overlap)| sizes[overlap as usize]).product(),
        );
        for (overlap, list) in overlaps.iter_mut().zip(lists) {
            *overlap += 1;
            if (*overlap as usize) < list.len() {
                break;
            }
            *overlap = 0;
        }
    }
}

fn size(overlap: &OverlapsWith) -> usize {
    overlap.1.iter().map(Overlap::size).sum()
}
