//! The modes of a layout sorted by stride: what decides whether its offsets differ, and which they
//! are.
//!
//! ```text
//! image(L) = { sum c_k * d_k }                the same set for modes sorted by stride,
//!                                             modes that continue the last one are joined
//! image(M) within image(L)  <=>  each offset of M is one of L
//!         searched for, if the digits of M do not show it
//! L injective  <=  d_k > sum_(j<k) (s_j - 1) * d_j          for the modes that move, sorted by stride
//! L injective <=>  no e != 0 with |e_k| < s_k and sum e_k * d_k = 0
//!         searched for, if the above does not hold
//! ```

use crate::error::Fault;
use crate::swizzle::DynSwizzle;

/// The most modes that a check accepts.
const CAPACITY: usize = 32;

/// The most steps of a search: for two coordinates that share an offset, or for the coordinate of
/// an offset.
const BUDGET: usize = 4096;

/// The modes of a layout that move, sorted by stride: what decides its image, and whether its
/// offsets differ.
#[derive(Clone, Copy, Debug)]
pub struct SortedModes {
    list: [(usize, usize); CAPACITY],
    count: usize,
    empty: bool,
    broadcast: Option<usize>,
    overfull: bool,
    /// The swizzle of the offsets, and the offset that is added before it.
    swizzle: Option<(DynSwizzle, usize)>,
}

impl SortedModes {
    /// No modes: the layout `1:0`.
    pub(in crate::tensor) const fn new() -> Self {
        SortedModes {
            list: [(1, 0); CAPACITY],
            count: 0,
            empty: false,
            broadcast: None,
            overfull: false,
            swizzle: None,
        }
    }

    /// Modes of which nothing is known: every check of them fails.
    #[cfg(feature = "alloc")]
    pub(in crate::tensor) const fn unknown() -> Self {
        SortedModes { overfull: true, ..SortedModes::new() }
    }

    /// Puts the mode `extent:stride` in its place.
    pub(in crate::tensor) const fn push(&mut self, extent: usize, stride: usize) {
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

    /// The same modes, their offsets moved and swizzled. Both steps are injective: what is disjoint
    /// stays disjoint.
    pub(in crate::tensor) const fn swizzled(mut self, swizzle: DynSwizzle, offset: usize) -> Self {
        self.swizzle = Some((swizzle, offset));
        self
    }

    /// Ok if no two coordinates share an offset. Exact within [`BUDGET`]: if the modes sorted by
    /// stride do not show it, a search for two such coordinates decides. If the budget is spent
    /// first, the answer is an error.
    pub(in crate::tensor) const fn injective(&self) -> Result<(), Fault> {
        if self.empty {
            return Ok(());
        }
        if let Some(extent) = self.broadcast {
            return Err(Fault::Overlap { extent, stride: 0, below: 1 });
        }
        if self.overfull {
            return Err(Fault::Leaves { limit: CAPACITY });
        }
        let reach = match self.reaches() {
            Ok(reach) => reach,
            Err(fault) => return Err(fault),
        };
        // How many modes do not interleave.
        let mut apart = 0;
        while apart < self.count && self.list[apart].1 > reach[apart] {
            apart += 1;
        }
        let mut budget = BUDGET;
        if apart == self.count
            || !self.may_collide(&reach, apart, self.count, 0, false, &mut budget)
        {
            return Ok(());
        }
        let (extent, stride) = self.list[apart];
        if budget == 0 {
            return Err(Fault::Undecided { extent, stride, steps: BUDGET });
        }
        Err(Fault::Overlap { extent, stride, below: reach[apart].saturating_add(1) })
    }

    /// Ok if every offset of `other` is one of these: `image(other)` is a part of `image(self)`.
    /// Exact within
    /// [`BUDGET`]: if neither the modes nor the steps of `other` show it, a search for each offset decides. If the
    /// budget is spent first, the answer is an error.
    pub(in crate::tensor) const fn covers(&self, other: &Self) -> Result<(), Fault> {
        if other.empty {
            return Ok(());
        }
        if self.empty {
            return Err(Fault::Image);
        }
        if self.overfull || other.overfull {
            return Err(Fault::Leaves { limit: CAPACITY });
        }
        let (image, part) = (self.joined(), other.joined());
        let reach = match image.reaches() {
            Ok(reach) => reach,
            Err(fault) => return Err(fault),
        };
        let mut budget = BUDGET;
        if self.same_swizzle(other) {
            if image.holds_sums(&reach, &part, false) || image.holds_sums(&reach, &part, true) {
                return Ok(());
            }
            // One step along each mode, and the last: each is an offset of `other`.
            let mut k = 0;
            while k < part.count {
                let (extent, stride) = part.list[k];
                if let (Some(false), _) | (_, Some(false)) = (
                    image.reached(&reach, image.count, stride, &mut budget),
                    match stride.checked_mul(extent - 1) {
                        Some(last) => image.reached(&reach, image.count, last, &mut budget),
                        None => Some(false),
                    },
                ) {
                    return Err(Fault::Image);
                }
                k += 1;
            }
        }
        match self.reached_one_by_one(&image, &reach, other, &part, budget) {
            Some(true) => Ok(()),
            Some(false) => Err(Fault::Image),
            None => Err(Fault::ImageUndecided { steps: BUDGET }),
        }
    }

    /// Whether there are differences `|d_j| < s_j` for the first `k` modes, not all 0 if nothing
    /// `moved` yet, with `sum d_j * stride_j == -rest`: the difference of two coordinates that
    /// share an offset. Also `true` once the budget is spent.
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
        let (mut joined, mut k) = (SortedModes::new(), 0);
        while k < self.count {
            let (extent, stride) = self.list[k];
            let continues = joined.count > 0 && {
                let (last, step) = joined.list[joined.count - 1];
                matches!(last.checked_mul(step), Some(end) if end == stride)
                    && last.checked_mul(extent).is_some()
            };
            if continues {
                joined.list[joined.count - 1].0 *= extent;
            } else {
                joined.list[joined.count] = (extent, stride);
                joined.count += 1;
            }
            k += 1;
        }
        joined
    }

    /// What the first `k` modes reach, for each `k`.
    const fn reaches(&self) -> Result<[usize; CAPACITY + 1], Fault> {
        let (mut reach, mut k) = ([0usize; CAPACITY + 1], 0);
        while k < self.count {
            let (extent, stride) = self.list[k];
            reach[k + 1] = match (extent - 1).checked_mul(stride) {
                Some(here) => match reach[k].checked_add(here) {
                    Some(sum) => sum,
                    None => return Err(Fault::Overflow),
                },
                None => return Err(Fault::Overflow),
            };
            k += 1;
        }
        Ok(reach)
    }

    /// Whether both have the same swizzle and the same offset before it.
    const fn same_swizzle(&self, other: &Self) -> bool {
        match (&self.swizzle, &other.swizzle) {
            (None, None) => true,
            (Some((a, i)), Some((b, j))) => {
                let ((bits, base, shift), (width, low, distance)) =
                    (a.parameters(), b.parameters());
                *i == *j && bits == width && base == low && shift == distance
            }
            _ => false,
        }
    }

    /// Whether sums of the steps of `part` stay within these modes digit by digit; then all offsets
    /// of `part` are here. Sufficient, and exact in most cases: `e_j = sum_k c_jk * d_k` and
    /// `sum_j (n_j - 1) * c_jk < s_k` for each `k`. Where modes overlap, a step has several such
    /// expansions: one with the `most` of the large strides, and one with the least.
    const fn holds_sums(&self, reach: &[usize; CAPACITY + 1], part: &Self, most: bool) -> bool {
        let (mut sums, mut j) = ([0usize; CAPACITY], 0);
        while j < part.count {
            let (steps, mut rest) = (part.list[j].0 - 1, part.list[j].1);
            let mut k = self.count;
            while k > 0 {
                k -= 1;
                let (extent, stride) = self.list[k];
                // The least is what the modes below cannot reach.
                let digit = if most {
                    rest / stride
                } else {
                    rest.saturating_sub(reach[k]).div_ceil(stride)
                };
                sums[k] = match digit.checked_mul(steps) {
                    Some(sum) => match sums[k].checked_add(sum) {
                        Some(sum) if sum < extent => sum,
                        _ => return false,
                    },
                    None => return false,
                };
                // `digit < extent`, since there is a step: the product is one of the offsets.
                rest = match rest.checked_sub(digit * stride) {
                    Some(rest) => rest,
                    None => return false,
                };
            }
            if rest != 0 {
                return false;
            }
            j += 1;
        }
        true
    }

    /// Whether `offset` is an offset of the first `k` modes: `sum c_j * d_j` with `c_j < s_j`.
    /// `None` once the budget is spent.
    const fn reached(
        &self,
        reach: &[usize; CAPACITY + 1],
        k: usize,
        offset: usize,
        budget: &mut usize,
    ) -> Option<bool> {
        if offset == 0 {
            return Some(true);
        }
        if offset > reach[k] {
            return Some(false);
        }
        let (extent, stride) = self.list[k - 1];
        let least = offset.saturating_sub(reach[k - 1]).div_ceil(stride);
        let (mut digit, mut most) = (least, offset / stride);
        if most > extent - 1 {
            most = extent - 1;
        }
        while digit <= most {
            if *budget == 0 {
                return None;
            }
            *budget -= 1;
            match self.reached(reach, k - 1, offset - digit * stride, budget) {
                Some(false) => digit += 1,
                known => return known,
            }
        }
        Some(false)
    }

    /// Whether each offset of `other`, whose modes joined are `part`, is one of these, whose modes
    /// joined are `image`; `None` once the budget is spent.
    const fn reached_one_by_one(
        &self,
        image: &Self,
        reach: &[usize; CAPACITY + 1],
        other: &Self,
        part: &Self,
        mut budget: usize,
    ) -> Option<bool> {
        let (mut digits, mut sum, plain) = ([0usize; CAPACITY], 0usize, self.same_swizzle(other));
        loop {
            if budget == 0 {
                return None;
            }
            budget -= 1;
            let here =
                if plain { Some(sum) } else { self.before_swizzle(other.after_swizzle(sum)) };
            match here {
                None => return Some(false),
                Some(offset) => match image.reached(reach, image.count, offset, &mut budget) {
                    Some(true) => {}
                    unlike => return unlike,
                },
            }
            // The next coordinate of `part`.
            let mut k = 0;
            while k < part.count && digits[k] + 1 == part.list[k].0 {
                sum -= digits[k] * part.list[k].1;
                digits[k] = 0;
                k += 1;
            }
            if k == part.count {
                return Some(true);
            }
            digits[k] += 1;
            sum = match sum.checked_add(part.list[k].1) {
                Some(sum) => sum,
                None => return Some(false),
            };
        }
    }

    /// The offset of a sum of the modes: moved and swizzled.
    const fn after_swizzle(&self, sum: usize) -> usize {
        match &self.swizzle {
            None => sum,
            Some((swizzle, offset)) => swizzle.apply(sum.wrapping_add(*offset)),
        }
    }

    /// The sum of the modes whose offset is `offset`, if that sum is not negative; a swizzle is its
    /// own inverse.
    const fn before_swizzle(&self, offset: usize) -> Option<usize> {
        match &self.swizzle {
            None => Some(offset),
            Some((swizzle, moved)) => swizzle.apply(offset).checked_sub(*moved),
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use crate::swizzle::DynSwizzle;

    fn modes(list: &[(usize, usize)]) -> SortedModes {
        let mut modes = SortedModes::new();
        list.iter().for_each(|&(extent, stride)| modes.push(extent, stride));
        modes
    }

    /// The offsets of the layout, by brute force.
    fn image(list: &[(usize, usize)]) -> std::vec::Vec<usize> {
        let mut offsets = std::vec![0];
        for &(extent, stride) in list {
            offsets =
                offsets.iter().flat_map(|o| (0..extent).map(move |i| o + i * stride)).collect();
        }
        offsets.sort_unstable();
        offsets
    }

    /// Every layout of three modes with extents below 4 and strides below 9: `injective` and
    /// `covers` are exact.
    #[test]
    fn the_checks_are_exact() {
        let all: std::vec::Vec<(usize, usize)> =
            (0..4).flat_map(|s| (0..9).map(move |d| (s, d))).collect();
        let (mut injective, mut covered) = (0, 0);
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
                    let part = image(&other).iter().all(|offset| set.contains(offset));
                    assert_eq!(
                        modes(&list).covers(&modes(&other)),
                        if part { Ok(()) } else { Err(Fault::Image) }
                    );
                    covered += usize::from(part);
                }
            }
        }
        assert!(injective > 1000 && covered > 1000, "{injective} {covered}");
    }

    /// Two layouts of two modes, through the same swizzle or not, moved or not: `covers` is exact.
    #[test]
    fn parts_under_swizzles_are_found() {
        let all: std::vec::Vec<(usize, usize)> =
            (1..4).flat_map(|s| (1..6).map(move |d| (s, d))).collect();
        let through = [
            None,
            Some((DynSwizzle::known(1, 0, 2), 0)),
            Some((DynSwizzle::known(1, 0, 2), 3)),
            Some((DynSwizzle::known(2, 0, -2), 1)),
        ];
        let (mut covered, mut count) = (0, 0);
        for &a in &all {
            for &b in &all {
                for (whole, part) in
                    through.iter().flat_map(|w| through.iter().map(move |p| (w, p)))
                {
                    let swizzled =
                        |list: &[(usize, usize)], through: &Option<(DynSwizzle, usize)>| {
                            match *through {
                                None => (modes(list), image(list)),
                                Some((swizzle, offset)) => (
                                    modes(list).swizzled(swizzle, offset),
                                    image(list)
                                        .iter()
                                        .map(|sum| swizzle.apply(sum + offset))
                                        .collect(),
                                ),
                            }
                        };
                    let ((whole, set), (part, offsets)) =
                        (swizzled(&[a, (4, 4)], whole), swizzled(&[b, (2, 3)], part));
                    let within = offsets.iter().all(|offset| set.contains(offset));
                    assert_eq!(
                        whole.covers(&part),
                        if within { Ok(()) } else { Err(Fault::Image) },
                        "{whole:?} {part:?}"
                    );
                    covered += usize::from(within);
                    count += 1;
                }
            }
        }
        assert!(covered > 100 && covered < count / 2, "{covered} of {count}");
    }

    /// Large layouts are decided by the digits of their steps; a layout that is both large and
    /// irregular is rejected as undecided.
    #[test]
    fn large_parts_are_decided_by_their_steps() {
        let tile = modes(&[(64, 1), (64, 1024), (1 << 10, 1 << 17)]);
        // 62 + 63 are beyond 63.
        assert_eq!(tile.covers(&modes(&[(32, 2), (64, 1025 + (1 << 17))])), Err(Fault::Image));
        assert_eq!(
            tile.covers(&modes(&[(2, 32), (32, 1025 + (1 << 17)), (1 << 4, 1 << 22)])),
            Ok(())
        );
        assert_eq!(tile.covers(&modes(&[(65, 1)])), Err(Fault::Image));
        assert_eq!(tile.covers(&modes(&[(2, 512)])), Err(Fault::Image));
        // Two modes that overlap, and together leave nothing out: the digits of 1 do not show it,
        // and 900,000 offsets are too many for the search.
        let overlapping = modes(&[(1000, 1), (1000, 999)]);
        assert_eq!(
            overlapping.covers(&modes(&[(900_000, 1)])),
            Err(Fault::ImageUndecided { steps: BUDGET })
        );
        assert_eq!(overlapping.covers(&modes(&[(1000, 1), (990, 999)])), Ok(()));
    }

    /// Modes that interleave: 3 and 5 steps of each other's size; and a search that spends its
    /// budget, which is rejected.
    #[test]
    fn interleaving_modes_are_searched() {
        assert!(modes(&[(5, 3), (3, 5)]).injective().is_ok());
        assert!(modes(&[(6, 3), (4, 5)]).injective().is_err());
        assert!(modes(&[(1000, 1001), (1001, 1000)]).injective().is_ok());
        assert!(modes(&[(1001, 1001), (1002, 1000)]).injective().is_err());
        // No two subsets of these strides have the same sum, and to prove that takes more steps
        // than the budget has.
        let hard: std::vec::Vec<_> =
            (0..20).map(|k| (2, (1 << (usize::BITS / 2 + 8)) + (1 << k))).collect();
        assert!(matches!(modes(&hard).injective(), Err(Fault::Undecided { steps: BUDGET, .. })));
    }

    #[test]
    fn too_many_modes_are_refused() {
        let list: std::vec::Vec<_> = (0..40).map(|k| (2, k + 1)).collect();
        assert_eq!(modes(&list).covers(&modes(&list)), Err(Fault::Leaves { limit: CAPACITY }));
        assert!(modes(&list).injective().is_err());
    }
}
