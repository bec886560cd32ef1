//! Composition, exact.
//!
//! ```text
//! R = A o B        R(c) = A(B(c)) for every coordinate c of B, and B's shape is compatible with R's
//! ```
//!
//! 1. Coalesce `A` into modes `(s_0:d_0) .. (s_k:d_k)`. The last is unbounded; a trailing extent 1
//!    is kept, for its stride says how the domain continues.
//! 2. Write the stride `e` of a leaf `n:e` of `B` in the mixed radix of `A`'s extents:
//!    `e = sum c_j * s_0..s_(j-1)`. Steps of `e` stay linear until a digit overflows, for
//!    `t = min(n, min_j ceil(s_j / c_j))` steps. Emit `t : A(e)`. If `t < n`, then `t` must divide
//!    `n` (else *divisibility*), and `n/t : t*e` is next.
//! 3. Over all modes emitted for all of `B`, for every `j` but the last, `sum (t-1) * c_j < s_j`.
//!    Else (*carry*) two offsets of `B` add up across a mode of `A`, where `A(x + y) = A(x) + A(y)`
//!    fails.
//! 4. A leaf of extent 1 becomes `1:0`.

use alloc::format;
use alloc::string::{String, ToString};

use smallvec::SmallVec;

use super::compact;
use super::complement::fill;
use super::flat::{DynMode, DynModes, merged};
use super::kinds::compose as mixed;
use super::kinds::inverse::gaps;
use super::kinds::modes::KindModes;
use super::layout::{Draft, DynLayout, View, from_every, from_modes};
use super::shape::DynShape;
use super::sorted::Rounded;
use super::tiler::{DynTiler, IntoDynTiler, Item, Items};
use super::tree;
use crate::error::{Fault, LayoutError};

/// The left operand of a composition, with the digits that the right operand has reached so far.
pub(crate) struct Composer {
    /// All modes but the last, which is unbounded.
    bounded: SmallVec<[Bounded; 8]>,
    /// `None` if it is beyond `usize`.
    last_stride: Option<usize>,
    /// The first digits that add up across a mode; reported after all right modes.
    carry: Option<Fault>,
}

/// A mode of the left operand that offsets may not leave.
struct Bounded {
    mode: DynMode,
    /// The digit that the stride under way has here.
    digit: usize,
    /// The largest digit reached so far over all modes of the right operand.
    reached: usize,
}

impl Composer {
    /// The left operand `modes`, which are at least one.
    #[inline]
    pub(crate) fn new(modes: impl Iterator<Item = DynMode>) -> Self {
        let mut bounded: SmallVec<[Bounded; 8]> = SmallVec::new();
        let mut last = DynMode::new(1, 0);
        for (index, mode) in modes.enumerate() {
            // What was last until now is bounded by what comes after it; a mode of extent 1 is
            // nothing.
            if index > 0 && last.extent != 1 {
                bounded.push(Bounded { mode: last, digit: 0, reached: 0 });
            }
            last = mode;
            // A mode that continues the one before is joined to that, which is the last again.
            if let Some(&Bounded { mode: before, .. }) = bounded.last() {
                if before.continues_in(mode) {
                    bounded.pop();
                    last = DynMode::new(before.extent * mode.extent, before.stride);
                }
            }
        }
        Composer { bounded, last_stride: Some(last.stride), carry: None }
    }

    /// The left operand `modes`, none of which continues the one before. Behind them stands an
    /// unbounded mode whose stride is beyond `usize`.
    pub(crate) fn all_bounded(modes: impl Iterator<Item = DynMode>) -> Self {
        let bounded = modes.map(|mode| Bounded { mode, digit: 0, reached: 0 }).collect();
        Composer { bounded, last_stride: None, carry: None }
    }

    /// The modes that offsets may not leave.
    pub(super) fn bounded(&self) -> impl Iterator<Item = DynMode> + '_ {
        self.bounded.iter().map(|left| left.mode)
    }

    /// For each bounded mode, the sum of the digits of all runs so far.
    pub(super) fn reached(&self) -> impl Iterator<Item = usize> + '_ {
        self.bounded.iter().map(|left| left.reached)
    }

    /// The stride of the mode without an end, if it fits `usize`.
    pub(super) fn last_stride(&self) -> Option<usize> {
        self.last_stride
    }

    /// Composes with the layout `right`, appending the result to `draft`.
    #[inline]
    pub(crate) fn tree(&mut self, right: View<'_>, draft: &mut Draft) -> Result<(), Fault> {
        let mut leaves = right.flat();
        for &children in right.profile {
            if children > 0 {
                draft.profile.push(children);
            } else if let Some(mode) = leaves.next() {
                self.leaf(mode, draft)?;
            }
        }
        Ok(())
    }

    /// Composes with a list of modes: none is `1:0`, one is itself, more are a tuple.
    #[inline]
    pub(crate) fn modes(&mut self, right: &DynModes, draft: &mut Draft) -> Result<(), Fault> {
        if right.is_empty() {
            draft.leaf(DynMode::new(1, 0));
        } else if right.len() > 1 {
            draft.open(right.len());
        }
        right.iter().try_for_each(|&mode| self.leaf(mode, draft))
    }

    /// Composes with one mode.
    #[inline]
    fn leaf(&mut self, right: DynMode, draft: &mut Draft) -> Result<(), Fault> {
        if right.extent == 1 {
            draft.leaf(DynMode::new(1, 0));
            return Ok(());
        }
        let first = self.run(right)?;
        draft.leaf(first);
        if first.extent == right.extent { Ok(()) } else { self.split(right, first, draft) }
    }

    /// Composes with the rest of `right` after its first run, which stands in `draft` as a leaf: it
    /// becomes a tuple.
    fn split(&mut self, right: DynMode, first: DynMode, draft: &mut Draft) -> Result<(), Fault> {
        let node = draft.profile.len() - 1;
        draft.profile.push(0);
        let (mut right, mut run, mut count) = (right, first, 1);
        while run.extent < right.extent {
            if right.extent % run.extent != 0 {
                return Err(self.steps(right, run.extent));
            }
            // It has at least two steps, so that the product is an offset of the right layout, and
            // fits.
            right = DynMode::new(right.extent / run.extent, right.stride * run.extent);
            run = self.run(right)?;
            draft.leaf(run);
            count += 1;
        }
        draft.profile[node] = tree::arity(count);
        Ok(())
    }

    /// The digits of `stride` in the modes that offsets may not leave.
    fn digits(&self, stride: usize) -> impl Iterator<Item = (DynMode, usize)> + '_ {
        let mut rest = stride;
        self.bounded().map(move |mode| {
            let digit = rest.checked_rem(mode.extent).unwrap_or(0);
            rest = rest.checked_div(mode.extent).unwrap_or(0);
            (mode, digit)
        })
    }

    /// The fault of `right`, of which `steps` steps stay linear and do not divide it: it names the
    /// first mode that they leave.
    #[cold]
    pub(super) fn steps(&self, right: DynMode, steps: usize) -> Fault {
        let leaves =
            |&(mode, digit): &(DynMode, usize)| digit != 0 && mode.extent.div_ceil(digit) == steps;
        let left =
            self.digits(right.stride).find(leaves).map_or(DynMode::new(1, 0), |(mode, _)| mode);
        Fault::Steps {
            extent: right.extent,
            stride: right.stride,
            steps,
            left_extent: left.extent,
            left_stride: left.stride,
        }
    }

    /// The longest run of `right` that stays linear in the left layout.
    #[inline]
    pub(super) fn run(&mut self, right: DynMode) -> Result<DynMode, Fault> {
        let mut steps = right.extent;
        let mut stride = 0usize;
        let mut rest = right.stride;
        let mut used = 0;
        for (index, left) in self.bounded.iter_mut().enumerate() {
            if rest == 0 {
                break;
            }
            used = index + 1;
            let extent = left.mode.extent;
            if extent == 0 {
                return Err(Fault::Carry {
                    sum: rest,
                    mode: index,
                    extent,
                    stride: left.mode.stride,
                });
            }
            if rest < extent {
                (left.digit, rest) = (rest, 0);
            } else {
                (left.digit, rest) = (rest % extent, rest / extent);
            }
            if left.digit != 0 {
                // All steps stay inside if the last one does; only a mode that is left needs the
                // division.
                let inside = left
                    .digit
                    .checked_mul(steps.saturating_sub(1))
                    .is_some_and(|reached| reached < extent);
                if !inside {
                    steps = extent.div_ceil(left.digit);
                }
                let term = left.digit.checked_mul(left.mode.stride).ok_or(Fault::Overflow)?;
                stride = stride.checked_add(term).ok_or(Fault::Overflow)?;
            }
        }
        if rest != 0 {
            let term = self
                .last_stride
                .and_then(|stride| stride.checked_mul(rest))
                .ok_or(Fault::Overflow)?;
            stride = stride.checked_add(term).ok_or(Fault::Overflow)?;
        }
        for (index, left) in self.bounded[..used].iter_mut().enumerate() {
            // Digits of offsets of the right layout: their sum is at most the largest of these, and
            // fits.
            left.reached += steps.saturating_sub(1) * left.digit;
            let DynMode { extent, stride, .. } = left.mode;
            if left.reached >= extent && self.carry.is_none() {
                self.carry = Some(Fault::Carry { sum: left.reached, mode: index, extent, stride });
            }
        }
        Ok(DynMode::new(steps, stride))
    }

    /// The rule *carry*, over all that was composed.
    #[inline]
    pub(crate) fn finish(&self) -> Result<(), Fault> {
        if let Some(carry) = self.carry {
            return Err(carry);
        }
        // An extent of 0 has no digit, not even 0.
        for (index, left) in self.bounded.iter().enumerate() {
            if left.mode.extent == 0 {
                let DynMode { extent, stride, .. } = left.mode;
                return Err(Fault::Carry { sum: left.reached, mode: index, extent, stride });
            }
        }
        Ok(())
    }
}

/// `A o B`, appended to `draft`.
#[inline]
pub(crate) fn compose(left: View<'_>, right: View<'_>, draft: &mut Draft) -> Result<(), Fault> {
    if !left.is_natural() || !right.is_natural() {
        let (mut composed, parts) = mixed::compose(&left.every_mode(), &right.every_mode())?;
        draft.in_place_of(right, &mut composed);
        draft.parts.join(parts);
        return Ok(());
    }
    let mut composer = Composer::new(left.flat());
    composer.tree(right, draft)?;
    composer.finish()
}

/// The modes of `A o B` for two lists of modes.
pub(crate) fn compose_modes(
    left: impl Iterator<Item = DynMode>,
    right: &DynModes,
) -> Result<DynModes, Fault> {
    let mut draft = Draft::new();
    let mut composer = Composer::new(left);
    composer.modes(right, &mut draft)?;
    composer.finish()?;
    Ok(merged(
        draft
            .shape
            .into_iter()
            .zip(draft.stride)
            .map(|(extent, stride)| DynMode::new(extent, stride)),
    ))
}

/// Mode by mode where the tiler is a tuple. It recurses with the tiler, whose nesting is limited.
fn compose_by(left: View<'_>, tiler: &mut Items<'_>, draft: &mut Draft) -> Result<(), Fault> {
    match tiler.node() {
        Item::Keep => draft.kept(left),
        // One mode with another, as most tiles of matrices are: nothing is crossed.
        Item::Number(right) | Item::Layout(right)
            if left.shape.len() == 1
                && right.profile == [0]
                && left.is_natural()
                && right.is_natural() =>
        {
            let (extent, stride) = (right.shape[0], right.stride[0]);
            let stride = if extent == 1 { Some(0) } else { stride.checked_mul(left.stride[0]) };
            draft.leaf(DynMode::new(extent, stride.ok_or(Fault::Overflow)?));
        }
        Item::Number(right) | Item::Layout(right) => compose(left, right, draft)?,
        Item::Tuple(rank) => {
            if rank != left.rank() {
                return Err(Fault::TilerRank { tiler: rank, layout: left.rank() });
            }
            draft.open(rank);
            for mode in left.modes() {
                compose_by(mode, tiler, draft)?;
            }
        }
    }
    Ok(())
}

/// The error of an operation that composes: what a refused composition says is of modes that nobody
/// may have written, so its operands are named too.
#[cold]
pub(crate) fn refused(
    operation: &'static str,
    fault: Fault,
    layout: &DynLayout,
    tiler: &DynTiler,
) -> LayoutError {
    let (error, mut free) = (LayoutError::new(operation, fault), DynModes::new());
    let modes =
        matches!(fault, Fault::Steps { .. } | Fault::Carry { .. } | Fault::XorAcross { .. });
    let (true, Item::Number(tile) | Item::Layout(tile)) = (modes, tiler.items().node()) else {
        return error.with_operands(layout, tiler);
    };
    let coalesced = layout.coalesce_z();
    let left = match operation.ends_with("product") {
        true => and_free(layout),
        false if coalesced.every_mode() == layout.every_mode() => layout.to_string(),
        false => format!("{layout}, coalesced {coalesced},"),
    };
    let rest = operation
        .ends_with("divide")
        .then(|| fill(tile, layout.size(), Rounded::No, &mut free).ok())
        .flatten();
    let rest = rest.and_then(|()| from_modes(&free).ok());
    let mut right = rest
        .as_ref()
        .map_or_else(|| tiler.to_string(), |rest| format!("{tiler} with the rest {rest}"));
    if let Fault::Steps { extent, stride, .. } = fault {
        let tile = tile.every().map(|mode| (mode.extent, mode.stride.number()));
        let modes = free.iter().map(|mode| (mode.extent, mode.stride)).chain(tile);
        // Steps that stayed linear are no longer in the mode that the fault names.
        let taken = modes
            .filter(|&(n, d)| n.checked_mul(d) == stride.checked_mul(extent))
            .map(|(n, _)| n / extent);
        if let Some(taken) = taken.min().filter(|&taken| taken > 1) {
            right += &format!(", of which {extent}:{stride} is left after {taken} steps");
        }
    }
    error.with_operands(&left, &right)
}

/// A layout, and what it leaves free for the copies of a product.
pub(crate) fn and_free(layout: &DynLayout) -> String {
    let mut free = KindModes::new();
    let gaps = gaps(&layout.every_mode(), false, &mut free).and_then(|_| from_every(&free)).ok();
    gaps.map_or_else(|| layout.to_string(), |free| format!("{layout}, which leaves {free} free,"))
}

impl DynLayout {
    /// The composition `A o B`; with an integer `n`, `A o n:1`; with a tuple, mode by mode,
    /// where `_` leaves a mode alone.
    ///
    /// Law and example: [`LayoutAlgebra::compose`](crate::LayoutAlgebra::compose).
    ///
    /// # Errors
    /// `divisibility` or `carry` if no layout is `A o B`, `rank` if a tuple does not have the rank
    /// of the layout, `overflow` if an offset leaves `usize`.
    pub fn compose(&self, tiler: impl IntoDynTiler) -> Result<DynLayout, LayoutError> {
        let tiler = tiler.into();
        Draft::build(
            |draft| compose_by(self.view(), &mut tiler.items(), draft),
            |fault| refused("compose", fault, self, &tiler),
        )
    }

    /// The same layout under another shape: coordinates of `shape` count through this layout's
    /// domain, and beyond it where there are more.
    ///
    /// Law and example: [`LayoutAlgebra::with_shape`](crate::LayoutAlgebra::with_shape).
    ///
    /// # Errors
    /// Those of [`compose`](Self::compose), and `overflow` if the size of `shape` leaves `usize`.
    pub fn with_shape(&self, shape: &DynShape) -> Result<DynLayout, LayoutError> {
        Draft::build(
            |draft| compose(self.view(), compact::left(shape)?.view(), draft),
            |fault| LayoutError::new("with_shape", fault).with_operands(self, shape),
        )
    }
}
