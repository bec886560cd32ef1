//! What has to hold before memory is touched: how far a layout reaches, which coordinates it has, whether its offsets differ.
//!
//! ```text
//! span(L)  = 1 + sum (s_k - 1) * d_k          cosize, without overflow; 0 for an empty layout
//! image(L) = { sum c_k * d_k }                the same set for modes sorted by stride, those that go on where the last one stops joined
//! L injective  <=  d_k > sum_(j<k) (s_j - 1) * d_j          for the modes that move, sorted by stride
//! L injective <=>  no e != 0 with |e_k| < s_k and sum e_k * d_k = 0                        searched for, if the above does not hold
//! ```
//!
//! Safe code, which the unsafe code of `storage` relies on.

use crate::error::Fault;
use crate::node::{self, Kind, Node, static_size};
use crate::swizzle::DynSwizzle;

/// `cosize`, or `None` if it or the size leaves `usize`.
#[inline(always)]
pub(super) fn span<S: Node, D: Node>(s: S, d: D) -> Option<usize> {
    match size(s)? {
        0 => Some(0),
        _ => last_offset(s, d)?.checked_add(1),
    }
}

#[inline(always)]
fn size<S: Node>(s: S) -> Option<usize> {
    match S::KIND {
        Kind::Nil => Some(1),
        Kind::Leaf => Some(s.leaf()),
        Kind::Cons => size(s.head())?.checked_mul(size(s.tail())?),
    }
}

#[inline(always)]
fn last_offset<S: Node, D: Node>(s: S, d: D) -> Option<usize> {
    match (S::KIND, D::KIND) {
        (Kind::Nil, Kind::Nil) => Some(0),
        (Kind::Leaf, Kind::Leaf) => s.leaf().checked_sub(1)?.checked_mul(d.leaf()),
        (Kind::Cons, Kind::Cons) => last_offset(s.head(), d.head())?.checked_add(last_offset(s.tail(), d.tail())?),
        _ => None,
    }
}

/// Whether each number of the coordinate `c` is below the extent that it counts in.
#[inline(always)]
pub(super) fn within<C: Node, S: Node>(c: C, s: S) -> bool {
    match (C::KIND, S::KIND) {
        (Kind::Nil, Kind::Nil) => true,
        (Kind::Leaf, _) => c.leaf() < node::size(s),
        (Kind::Cons, Kind::Cons) => within(c.head(), s.head()) && within(c.tail(), s.tail()),
        _ => false,
    }
}

/// The most modes that a check takes on.
const CAPACITY: usize = 32;

/// The most steps of a search for two coordinates that share an offset.
const BUDGET: usize = 4096;

/// The modes of a layout that move, sorted by stride: what decides its image, and whether its offsets differ.
#[derive(Clone, Copy, Debug)]
pub struct Modes {
    list: [(usize, usize); CAPACITY],
    count: usize,
    empty: bool,
    broadcast: Option<usize>,
    overfull: bool,
    /// What the offsets go through, and what is added before.
    swizzle: Option<(DynSwizzle, usize)>,
}

impl Modes {
    /// No modes: the layout `1:0`.
    pub(super) const fn new() -> Self {
        Modes { list: [(1, 0); CAPACITY], count: 0, empty: false, broadcast: None, overfull: false, swizzle: None }
    }

    /// Puts the mode `extent:stride` in its place.
    pub(super) const fn push(&mut self, extent: usize, stride: usize) {
        if extent == 0 {
            self.empty = true;
        }
        if extent <= 1 {
            return;
        }
        if stride == 0 {
            self.broadcast = Some(extent);
            return;
        }
        if self.count == CAPACITY {
            self.overfull = true;
            return;
        }
        let mut place = self.count;
        while place > 0 && self.list[place - 1].1 > stride {
            self.list[place] = self.list[place - 1];
            place -= 1;
        }
        self.list[place] = (extent, stride);
        self.count += 1;
    }

    /// The same modes, their offsets moved and swizzled: a bijection, under which what is disjoint stays so.
    pub(super) const fn swizzled(mut self, swizzle: DynSwizzle, offset: usize) -> Self {
        self.swizzle = Some((swizzle, offset));
        self
    }

    /// Whether the offsets of both go through the same function.
    const fn same_swizzle(&self, other: &Self) -> bool {
        match (&self.swizzle, &other.swizzle) {
            (None, None) => true,
            (Some((a, i)), Some((b, j))) => {
                let ((bits, base, shift), (width, low, distance)) = (a.parameters(), b.parameters());
                *i == *j && bits == width && base == low && shift == distance
            }
            _ => false,
        }
    }

    /// Ok if no two coordinates share an offset. Exact within [`BUDGET`]: where the modes sorted by stride do not show it, two coordinates that do
    /// share one are searched for, and what is not decided when the budget is spent is refused.
    pub(super) const fn injective(&self) -> Result<(), Fault> {
        if self.empty {
            return Ok(());
        }
        if let Some(extent) = self.broadcast {
            return Err(Fault::Overlap { extent, stride: 0, below: 1 });
        }
        if self.overfull {
            return Err(Fault::Leaves { limit: CAPACITY });
        }
        // What the first `k` modes reach, and how many of them do not interleave.
        let (mut reach, mut apart, mut k) = ([0usize; CAPACITY + 1], 0, 0);
        while k < self.count {
            let (extent, stride) = self.list[k];
            if apart == k && stride > reach[k] {
                apart += 1;
            }
            reach[k + 1] = match (extent - 1).checked_mul(stride) {
                Some(here) => match reach[k].checked_add(here) {
                    Some(sum) => sum,
                    None => return Err(Fault::Overflow),
                },
                None => return Err(Fault::Overflow),
            };
            k += 1;
        }
        let mut budget = BUDGET;
        if apart == self.count || !self.may_collide(&reach, apart, self.count, 0, false, &mut budget) {
            return Ok(());
        }
        let (extent, stride) = self.list[apart];
        if budget == 0 {
            return Err(Fault::Undecided { extent, stride, steps: BUDGET });
        }
        Err(Fault::Overlap { extent, stride, below: reach[apart].saturating_add(1) })
    }

    /// Whether there are differences `|d_j| < s_j` for the first `k` modes, not all 0 if nothing `moved` yet, with `sum d_j * stride_j == -rest`: the
    /// difference of two coordinates that share an offset. `true` too once the budget is spent.
    #[cold]
    const fn may_collide(
        &self,
        reach: &[usize; CAPACITY + 1],
        apart: usize,
        k: usize,
        rest: i128,
        moved: bool,
        budget: &mut usize,
    ) -> bool {
        if k == 0 {
            return moved && rest == 0;
        }
        // Modes that do not interleave do not collide among themselves.
        if !moved && k <= apart {
            return false;
        }
        let (extent, stride) = (self.list[k - 1].0 as i128, self.list[k - 1].1 as i128);
        let below = reach[k - 1] as i128;
        // |rest + d * stride| <= below; of a difference and its opposite, one is enough.
        let first = if moved { -((rest + below).div_euclid(stride)) } else { 0 };
        let mut d = if first > 1 - extent { first } else { 1 - extent };
        while d < extent && rest + d * stride <= below {
            if *budget == 0 {
                return true;
            }
            *budget -= 1;
            if self.may_collide(reach, apart, k - 1, rest + d * stride, moved || d != 0, budget) {
                return true;
            }
            d += 1;
        }
        false
    }

    /// The same image in the fewest modes.
    const fn joined(&self) -> Self {
        let (mut joined, mut k) = (Modes::new(), 0);
        while k < self.count {
            let (extent, stride) = self.list[k];
            let goes_on = joined.count > 0 && {
                let (last, step) = joined.list[joined.count - 1];
                matches!(last.checked_mul(step), Some(end) if end == stride) && last.checked_mul(extent).is_some()
            };
            if goes_on {
                joined.list[joined.count - 1].0 *= extent;
            } else {
                joined.list[joined.count] = (extent, stride);
                joined.count += 1;
            }
            k += 1;
        }
        joined
    }

    /// Whether both reach the same offsets. Sufficient: two ways to write one image that no joining brings together are refused.
    pub(super) const fn same_image(&self, other: &Self) -> bool {
        if self.empty || other.empty {
            return self.empty == other.empty;
        }
        if self.overfull || other.overfull || !self.same_swizzle(other) {
            return false;
        }
        let (a, b) = (self.joined(), other.joined());
        let (mut same, mut k) = (a.count == b.count, 0);
        while same && k < a.count {
            same = a.list[k].0 == b.list[k].0 && a.list[k].1 == b.list[k].1;
            k += 1;
        }
        same
    }
}

/// Adds the modes of the tree `s:d`.
pub(super) fn collect<S: Node, D: Node>(s: S, d: D, modes: &mut Modes) {
    match S::KIND {
        Kind::Nil => {}
        Kind::Leaf => modes.push(s.leaf(), d.leaf()),
        Kind::Cons => {
            collect(s.head(), d.head(), modes);
            collect(s.tail(), d.tail(), modes);
        }
    }
}

/// The modes of a tree without dynamic leaves; `None` if there is one.
pub(super) const fn static_modes<S: Node, D: Node>() -> Option<Modes> {
    let mut modes = Modes::new();
    if collect_static::<S, D>(&mut modes) { Some(modes) } else { None }
}

const fn collect_static<S: Node, D: Node>(modes: &mut Modes) -> bool {
    match S::KIND {
        Kind::Nil => true,
        Kind::Leaf => match (S::STATIC, D::STATIC) {
            (Some(extent), Some(stride)) => {
                modes.push(extent, stride);
                true
            }
            _ => false,
        },
        Kind::Cons => collect_static::<S::Head, D::Head>(modes) && collect_static::<S::Tail, D::Tail>(modes),
    }
}

/// [`span`] of a tree without dynamic leaves; `None` if there is one, or if it leaves `usize`.
pub(super) const fn static_span<S: Node, D: Node>() -> Option<usize> {
    match static_size::<S>() {
        Some(0) => Some(0),
        Some(_) => match static_last::<S, D>() {
            Some(last) => last.checked_add(1),
            None => None,
        },
        None => None,
    }
}

const fn static_last<S: Node, D: Node>() -> Option<usize> {
    match (S::KIND, D::KIND) {
        (Kind::Nil, Kind::Nil) => Some(0),
        (Kind::Leaf, Kind::Leaf) => match (S::STATIC, D::STATIC) {
            (Some(extent), Some(stride)) => (extent - 1).checked_mul(stride),
            _ => None,
        },
        (Kind::Cons, Kind::Cons) => match static_last::<S::Head, D::Head>() {
            Some(head) => match static_last::<S::Tail, D::Tail>() {
                Some(tail) => head.checked_add(tail),
                None => None,
            },
            None => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;

    fn modes(list: &[(usize, usize)]) -> Modes {
        let mut modes = Modes::new();
        list.iter().for_each(|&(extent, stride)| modes.push(extent, stride));
        modes
    }

    /// The offsets of the layout, by brute force.
    fn image(list: &[(usize, usize)]) -> std::vec::Vec<usize> {
        let mut offsets = std::vec![0];
        for &(extent, stride) in list {
            offsets = offsets.iter().flat_map(|o| (0..extent).map(move |i| o + i * stride)).collect();
        }
        offsets.sort_unstable();
        offsets
    }

    /// Every layout of three modes with extents below 4 and strides below 9: injective is exact, and what `same_image` lets pass is true.
    #[test]
    fn the_checks_are_sound() {
        let all: std::vec::Vec<(usize, usize)> = (0..4).flat_map(|s| (0..9).map(move |d| (s, d))).collect();
        let (mut injective, mut same) = (0, 0);
        for &a in &all {
            for &b in &all {
                for &c in all.iter().step_by(3) {
                    let (list, offsets) = ([a, b, c], image(&[a, b, c]));
                    let mut set = offsets.clone();
                    set.dedup();
                    let disjoint = set.len() == offsets.len();
                    assert_eq!(modes(&list).injective().is_ok(), disjoint, "{list:?}");
                    injective += usize::from(disjoint);
                    let other = [c, (a.0, b.1), (b.0, a.1)];
                    if modes(&list).same_image(&modes(&other)) {
                        same += 1;
                        let mut image = image(&other);
                        image.dedup();
                        assert_eq!(set, image, "{list:?} {other:?}");
                    }
                }
            }
        }
        assert!(injective > 1000 && same > 1000, "{injective} {same}");
    }

    /// Modes that interleave: 3 and 5 steps of each other's size; and a search that ends with its budget, refused.
    #[test]
    fn interleaving_modes_are_searched() {
        assert!(modes(&[(5, 3), (3, 5)]).injective().is_ok());
        assert!(modes(&[(6, 3), (4, 5)]).injective().is_err());
        assert!(modes(&[(1000, 1001), (1001, 1000)]).injective().is_ok());
        assert!(modes(&[(1001, 1001), (1002, 1000)]).injective().is_err());
        // No two subsets of these strides have the same sum, and to find that out takes more steps than there are.
        let hard: std::vec::Vec<_> = (0..20).map(|k| (2, (1 << (usize::BITS / 2 + 8)) + (1 << k))).collect();
        assert!(matches!(modes(&hard).injective(), Err(Fault::Undecided { steps: BUDGET, .. })));
    }

    #[test]
    fn too_many_modes_are_refused() {
        let list: std::vec::Vec<_> = (0..40).map(|k| (2, 1 << k)).collect();
        assert!(modes(&list).injective().is_err() && !modes(&list).same_image(&modes(&list)));
    }
}
