//! Questions about a layout as a function from its domain to `[0, cosize)`.
//!
//! ```text
//! injective     L(x) = L(y) only if x = y
//! surjective    every offset below the cosize is reached
//! bijective     both: size(L) = cosize(L), and surjective
//! compact       bijective once the stride-0 modes are dropped
//! ```

use alloc::collections::BTreeSet;

use smallvec::SmallVec;

use super::flat::{DynMode, DynModes, sort_by_stride};
use super::kinds::modes::{KindMode, KindModes, at, parts_of_sums};
use super::kinds::{DynStride, linear as mixed};
use super::layout::{DynLayout, View, from_every};
use crate::error::{Fault, LayoutError, expect};
use crate::number::table::gcd;

/// The modes that move; `None` for an empty layout.
fn moving(layout: View<'_>) -> Option<DynModes> {
    let modes = || layout.flat().filter(|mode| mode.extent != 1 && mode.stride != 0);
    (!layout.shape.contains(&0)).then(|| modes().collect())
}

/// Whether the modes reach every offset from 0 to their sum. Sorted by stride, they do if each
/// stride is at most one past the reach of the modes below. A larger stride leaves that offset out,
/// and so do all later modes.
fn is_filled(mut modes: DynModes) -> bool {
    sort_by_stride(&mut modes, |mode| mode.stride);
    let mut reach = 0;
    modes.iter().all(|mode| {
        let near = mode.stride <= reach + 1;
        reach += (mode.extent - 1) * mode.stride;
        near
    })
}

/// What the modes before each one can reach, and the greatest common divisor of their strides.
struct ModesBefore {
    mode: DynMode,
    reach: usize,
    divisor: usize,
}

/// Is there a combination of steps `x_k`, `|x_k| < extent_k`, of the modes of `below` with
/// `sum x_k * stride_k = target`?
///
/// Depth first, from the largest stride down. A step is tried only if the modes below can reach the
/// rest, and their common divisor divides it; the least mode is solved by a division. The layouts
/// of practice are decided in one step per mode. The question contains subset sum, so contrived
/// strides can take time exponential in the number of modes.
fn reaches(below: &[ModesBefore], target: usize) -> bool {
    let Some((top, below)) = below.split_last() else { return target == 0 };
    let DynMode { extent, stride } = top.mode;
    // |target - x * stride| <= reach of the modes below, for 0 <= target:
    // x from ceil((target - reach) / stride) on.
    let least = target.saturating_sub(top.reach).div_ceil(stride);
    let most = (target / stride + 1 + top.reach / stride).min(extent - 1);
    let lowest_negative = (top.reach.saturating_sub(target) / stride).min(extent - 1);
    let rest_is_reached = |rest: usize| {
        rest <= top.reach
            && (if top.divisor == 0 { rest == 0 } else { rest % top.divisor == 0 })
            && reaches(below, rest)
    };
    (least..=most).any(|steps| rest_is_reached(target.abs_diff(steps * stride)))
        || (1..=lowest_negative).any(|steps| rest_is_reached(target + steps * stride))
}

fn is_injective(layout: View<'_>) -> bool {
    let Some(mut sorted) = moving(layout) else { return true };
    sort_by_stride(&mut sorted, |mode| mode.stride);
    if layout.flat().any(|mode| mode.extent != 1 && mode.stride == 0) {
        return false;
    }
    let (mut reach, mut divisor) = (0, 0);
    let mut below: SmallVec<[ModesBefore; 8]> = SmallVec::new();
    for mode in sorted {
        below.push(ModesBefore { mode, reach, divisor });
        reach += (mode.extent - 1) * mode.stride;
        divisor = gcd(divisor, mode.stride);
    }
    // Two coordinates share an offset if their difference, a combination that is not all zero, has
    // offset 0. Let mode k be its largest one: `x_k * stride_k`, x_k > 0 without loss, is reached
    // by the modes below with the sign turned.
    (0..below.len()).rev().all(|index| {
        let ModesBefore { mode, reach, divisor } = below[index];
        let most = (reach / mode.stride).min(mode.extent - 1);
        !(1..=most).any(|steps| {
            let target = steps * mode.stride;
            divisor != 0 && target % divisor == 0 && reaches(&below[..index], target)
        })
    })
}

impl DynLayout {
    /// Whether no two coordinates share an offset.
    ///
    /// Law: `L(x) = L(y)` only if `x = y`. Exact. One pass where every stride clears what lies
    /// below it, as in the layouts of practice; else a search over differences of coordinates,
    /// which takes no memory, but time exponential in the number of interlocking modes at worst.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// assert!("(4,6):(1,8)".parse::<DynLayout>()?.is_injective());
    /// assert!("(2,3):(3,2)".parse::<DynLayout>()?.is_injective()); // 0 3 2 5 4 7
    /// assert!(!"(4,6):(1,2)".parse::<DynLayout>()?.is_injective());
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn is_injective(&self) -> bool {
        if self.view().is_natural() {
            // More coordinates than offsets: two must share one.
            return self.size() <= self.cosize() && is_injective(self.view());
        }
        // The two parts are disjoint in bits, so each is tested alone.
        let (natural, linear) = self.parts();
        let (bits, rank) = mixed::ranks(&linear);
        self.size() == 0 || bits == rank && natural.is_injective()
    }

    /// Whether every offset below the cosize is reached.
    ///
    /// Law: `image(L) = [0, cosize(L))`. Exact, in one pass over the sorted modes.
    ///
    /// # Panics
    /// Where [`try_is_surjective`](Self::try_is_surjective) returns an error.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// assert!("(4,6):(1,2)".parse::<DynLayout>()?.is_surjective());
    /// assert!(!"(4,6):(1,8)".parse::<DynLayout>()?.is_surjective());
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[track_caller]
    pub fn is_surjective(&self) -> bool {
        match self.view().is_natural() {
            true => moving(self.view()).is_none_or(is_filled),
            false => expect(self.try_is_surjective()),
        }
    }

    /// [`is_surjective`](Self::is_surjective), with an error where the question is not decided.
    ///
    /// # Errors
    /// `overflow` if XOR strides overlap, with extents that are no powers of two, and more than
    /// 2^20 coordinates.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// assert!("(3,4):(^1,^1)".parse::<DynLayout>()?.try_is_surjective()?);
    /// let large: DynLayout = "(3000000,4):(^1,^1)".parse()?;
    /// assert!(large.try_is_surjective().unwrap_err().to_string().contains("was not decided"));
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn try_is_surjective(&self) -> Result<bool, LayoutError> {
        if self.size() == 0 {
            return Ok(true);
        }
        let (natural, linear) = self.parts();
        // If an offset is reached, its bits in each part of the natural modes are an offset of that
        // part.
        let mut offsets = 1;
        for part in parts_of_sums(&natural.every_mode()) {
            let unit = |mode: &KindMode| {
                DynMode::new(mode.extent, mode.stride.number() >> part.lowest.trailing_zeros())
            };
            if !is_filled(part.modes.iter().map(unit).collect()) {
                return Ok(false);
            }
            offsets *= part.reach / part.lowest + 1;
        }
        let counted = count_of_xor(&linear)
            .map_err(|fault| LayoutError::new("is_surjective", fault).with_operand(self))?;
        Ok(offsets * counted as u128 == self.cosize() as u128)
    }

    /// Whether every offset below the cosize is reached exactly once.
    ///
    /// Law: `is_injective` and `is_surjective`; as many offsets as coordinates, all of them
    /// reached. Exact, in one pass over the sorted modes.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// assert!("(4,6):(6,1)".parse::<DynLayout>()?.is_bijective());
    /// assert!(!"(4,6):(0,1)".parse::<DynLayout>()?.is_bijective());
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn is_bijective(&self) -> bool {
        self.size() == self.cosize()
            && if self.view().is_natural() { self.is_surjective() } else { self.is_injective() }
    }

    /// Whether the strides leave no gaps and no overlaps, broadcast modes (stride 0) left out:
    /// [`layout_like`](Self::layout_like) gives such.
    ///
    /// Law: bijective once the stride-0 modes are dropped. Exact, in one pass over the sorted
    /// modes.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// assert!("(4,6):(0,1)".parse::<DynLayout>()?.is_compact());
    /// assert!(!"(4,6):(1,8)".parse::<DynLayout>()?.is_compact());
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn is_compact(&self) -> bool {
        if !self.view().is_natural() {
            return self.filter().is_bijective();
        }
        moving(self.view()).is_none_or(|modes| {
            let elements: usize = modes.iter().map(|mode| mode.extent).product();
            elements == self.cosize() && is_filled(modes)
        })
    }

    /// The natural modes, with those of negative strides without their signs, which have as many
    /// offsets; and the XOR modes.
    fn parts(&self) -> (DynLayout, KindModes) {
        let (linear, natural): (KindModes, KindModes) =
            self.view().every().partition(|mode| mode.stride.is_xor());
        let forwards =
            |mode: &KindMode| KindMode::new(mode.extent, DynStride::Natural(mode.stride.number()));
        let natural = from_every(&natural.iter().map(forwards).collect::<KindModes>())
            .expect("a part of a layout");
        (natural, linear)
    }
}

/// How many offsets XOR modes have. If they overlap and an extent is no power of two, the offsets
/// are counted one by one.
fn count_of_xor(modes: &[KindMode]) -> Result<usize, Fault> {
    const MOST: usize = 1 << 20;
    let moving: KindModes = modes.iter().copied().filter(|mode| mode.moves()).collect();
    let size = moving.iter().map(|mode| mode.extent).product();
    match mixed::ranks(&moving) {
        (bits, rank) if bits == rank => Ok(size),
        (_, rank) if moving.iter().all(|mode| mode.extent.is_power_of_two()) => Ok(1 << rank),
        _ if size > MOST => Err(Fault::CountUndecided { most: MOST }),
        _ => {
            let mut found = BTreeSet::new();
            found.extend((0..size).filter_map(|i| at(&moving, i)).map(|offset| offset as u128));
            Ok(found.len())
        }
    }
}
