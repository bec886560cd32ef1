//! A layout as a function onto offsets.
//!
//! ```text
//! footprint(L) = |{L(i)}|   aliasing(L) = max_o |{i : L(i) = o}|    gaps(L) = cosize(L) - footprint(L)
//! ```
//!
//! Let `g` be the greatest common divisor of the strides of some modes. If `g` exceeds all that the
//! modes of smaller stride reach, the two groups do not interact: `footprint` and `aliasing` are
//! products over such groups. In practice a group is one mode. Within a group offsets are counted,
//! one window of them at a time. A swizzle is a bijection and changes neither number. Offsets
//! beyond `usize`, which a layout with run-time numbers may have, are counted too.

use crate::layout::flat::{FlatLayout, LEAVES, Modes};
use crate::layout::traits::StaticLayout;
use crate::number::table::gcd;

/// Offsets that are counted at once.
const WINDOW: usize = 512;

/// How many different offsets there are, and the most coordinates that share one.
#[derive(Clone, Copy)]
struct OffsetCount {
    offsets: usize,
    sharing: usize,
}

/// Counters of the offsets `base` to `base + WINDOW - 1`, and the least offset beyond.
struct OffsetWindow {
    base: u128,
    counters: [usize; WINDOW],
    beyond: Option<u128>,
}

impl OffsetWindow {
    const fn new(base: u128) -> Self {
        OffsetWindow { base, counters: [0; WINDOW], beyond: None }
    }

    const fn visit(&mut self, offset: u128) {
        if offset < self.base {
            return;
        }
        if offset - self.base < WINDOW as u128 {
            self.counters[(offset - self.base) as usize] += 1;
        } else if self.beyond.is_none() || matches!(self.beyond, Some(least) if offset < least) {
            self.beyond = Some(offset);
        }
    }

    const fn add_to(&self, mut count: OffsetCount) -> OffsetCount {
        let mut k = 0;
        while k < WINDOW {
            let sharing = self.counters[k];
            count.offsets += (sharing > 0) as usize;
            if sharing > count.sharing {
                count.sharing = sharing;
            }
            k += 1;
        }
        count
    }
}

/// The modes `first` to `last - 1`, by descending stride, counted.
#[track_caller]
const fn count_group(modes: &Modes, first: usize, last: usize) -> OffsetCount {
    if last - first == 1 {
        return OffsetCount { offsets: modes.extents[first], sharing: 1 };
    }
    // What the modes behind each one reach.
    let (mut reach, mut k) = ([0u128; LEAVES + 1], last);
    while k > first {
        k -= 1;
        reach[k] = reached(reach[k + 1], modes.extents[k], modes.strides[k]);
    }
    let mut count = OffsetCount { offsets: 0, sharing: 0 };
    let mut base = Some(0);
    while let Some(start) = base {
        let mut window = OffsetWindow::new(start);
        let (mut digits, mut sums) = ([0usize; LEAVES + 1], [0u128; LEAVES + 1]);
        k = first;
        loop {
            // The digits of mode k in turn; those that end before the window are left out, and the
            // first one beyond it ends them.
            let inside = k < last && digits[k] < modes.extents[k];
            let sum =
                if inside { sums[k] + digits[k] as u128 * modes.strides[k] as u128 } else { 0 };
            if inside && (sum < start || sum - start < WINDOW as u128) {
                if sum + reach[k + 1] < start {
                    // No more steps than the mode has: the window begins at an offset that the
                    // modes from here on reach.
                    let steps = (start - sum - reach[k + 1]).div_ceil(modes.strides[k] as u128);
                    let left = modes.extents[k] - digits[k];
                    digits[k] += if steps < left as u128 { steps as usize } else { left };
                } else if k + 1 == last {
                    window.visit(sum);
                    digits[k] += 1;
                } else {
                    (digits[k + 1], sums[k + 1]) = (0, sum);
                    k += 1;
                }
                continue;
            }
            if inside {
                window.visit(sum);
            }
            if k == first {
                break;
            }
            k -= 1;
            digits[k] += 1;
        }
        count = window.add_to(count);
        base = window.beyond;
    }
    count
}

/// What a mode reaches above `reach`.
///
/// # Panics
/// If it is beyond 128 bits.
#[track_caller]
const fn reached(reach: u128, extent: usize, stride: usize) -> u128 {
    // A product of two numbers of 64 bits; it is the sum of many that may be beyond.
    match reach.checked_add((extent as u128 - 1) * stride as u128) {
        Some(reach) => reach,
        None => panic!("overflow: an offset of a layout is beyond 2^128"),
    }
}

impl FlatLayout {
    #[track_caller]
    const fn count(&self) -> OffsetCount {
        let size = self.size();
        if size == 0 {
            return OffsetCount { offsets: 0, sharing: 0 };
        }
        if self.only_swizzled() { self.count_modes(size) } else { self.count_all(size) }
    }

    /// All coordinates, once for each window.
    #[track_caller]
    const fn count_all(&self, size: usize) -> OffsetCount {
        let mut count = OffsetCount { offsets: 0, sharing: 0 };
        let mut base = Some(0);
        while let Some(start) = base {
            let (mut window, mut i) = (OffsetWindow::new(start), 0);
            while i < size {
                window.visit(self.at(i) as u128);
                i += 1;
            }
            count = window.add_to(count);
            base = window.beyond;
        }
        count
    }

    #[track_caller]
    const fn count_modes(&self, size: usize) -> OffsetCount {
        let modes = self.modes.moving();
        // Coordinates that differ in modes that do not move share their offset.
        let (mut moving, mut k) = (1, 0);
        let mut divisors = [0usize; LEAVES + 1];
        while k < modes.count {
            moving *= modes.extents[k];
            divisors[k + 1] = gcd(divisors[k], modes.strides[k]);
            k += 1;
        }
        let mut count = OffsetCount { offsets: 1, sharing: size / moving };
        // From the least stride up: a group ends where all strides above are multiples of more than
        // what is reached.
        let (mut last, mut reach) = (modes.count, 0);
        while k > 0 {
            k -= 1;
            reach = reached(reach, modes.extents[k], modes.strides[k]);
            if k == 0 || divisors[k] as u128 > reach {
                let group = count_group(&modes, k, last);
                count.offsets *= group.offsets;
                count.sharing *= group.sharing;
                last = k;
            }
        }
        count
    }

    /// See [`footprint`].
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(FlatLayout::of(&layout!((4, 6):(1, 2))).footprint(), 14);
    /// ```
    #[track_caller]
    pub const fn footprint(&self) -> usize {
        self.count().offsets
    }

    /// See [`aliasing`].
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(FlatLayout::of(&layout!((4, 6):(1, 2))).aliasing(), 2);
    /// ```
    #[track_caller]
    pub const fn aliasing(&self) -> usize {
        self.count().sharing
    }

    /// See [`gaps`].
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(FlatLayout::of(&layout!((4, 6):(1, 8))).gaps(), 20);
    /// ```
    #[track_caller]
    pub const fn gaps(&self) -> usize {
        self.cosize() - self.footprint()
    }

    /// See [`is_injective`].
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert!(FlatLayout::of(&layout!((2, 3):(3, 2))).is_injective());
    /// ```
    #[track_caller]
    pub const fn is_injective(&self) -> bool {
        self.aliasing() <= 1
    }

    /// See [`is_surjective`].
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert!(FlatLayout::of(&layout!((4, 6):(1, 2))).is_surjective());
    /// ```
    #[track_caller]
    pub const fn is_surjective(&self) -> bool {
        self.gaps() == 0
    }

    /// See [`is_bijective`].
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert!(FlatLayout::of(&layout!((4, 6):(6, 1))).is_bijective());
    /// ```
    #[track_caller]
    pub const fn is_bijective(&self) -> bool {
        self.is_injective() && self.is_surjective()
    }

    /// See [`is_compact`].
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert!(FlatLayout::of(&layout!((4, 3, 6):(6, 0, 1))).is_compact());
    /// ```
    #[track_caller]
    pub const fn is_compact(&self) -> bool {
        if self.size() == 0 {
            return true;
        }
        let (mut moving, mut mode) = (1, 0);
        while mode < self.modes.count {
            if self.modes.strides[mode] != 0 {
                moving *= self.modes.extents[mode];
            }
            mode += 1;
        }
        self.footprint() == moving && self.is_surjective()
    }
}

/// How many different offsets a layout has.
///
/// `footprint(L) == |{L(i)}|`
///
/// ```
/// use layout_algebra::{analysis::footprint, prelude::*};
/// const _: () = assert!(footprint::<Layout!((4, 6):(1, 8))>() == 24);
/// ```
#[track_caller]
pub const fn footprint<L: StaticLayout>() -> usize {
    L::FLAT.footprint()
}

/// The most coordinates that share one offset: 1 for an injective layout, 0 for an empty one.
///
/// ```
/// use layout_algebra::{analysis::aliasing, prelude::*};
/// const _: () = assert!(aliasing::<Layout!((4, 6):(0, 1))>() == 4);
/// ```
#[track_caller]
pub const fn aliasing<L: StaticLayout>() -> usize {
    L::FLAT.aliasing()
}

/// How many offsets below the cosize no coordinate has.
///
/// `gaps(L) == cosize(L) - footprint(L)`
///
/// ```
/// use layout_algebra::{analysis::gaps, prelude::*};
/// const _: () = assert!(gaps::<Layout!((4, 6):(1, 8))>() == 20);
/// ```
#[track_caller]
pub const fn gaps<L: StaticLayout>() -> usize {
    L::FLAT.gaps()
}

/// Have no two coordinates the same offset?
///
/// ```
/// use layout_algebra::{analysis::is_injective, prelude::*};
/// const _: () =
///     assert!(is_injective::<Layout!((4, 6):(1, 8))>() && !is_injective::<Layout!((4, 6):(1, 2))>());
/// ```
#[track_caller]
pub const fn is_injective<L: StaticLayout>() -> bool {
    L::FLAT.is_injective()
}

/// Has every offset below the cosize a coordinate?
///
/// ```
/// use layout_algebra::{analysis::is_surjective, prelude::*};
/// const _: () = assert!(
///     is_surjective::<Layout!((4, 6):(1, 2))>() && !is_surjective::<Layout!((4, 6):(1, 8))>()
/// );
/// ```
#[track_caller]
pub const fn is_surjective<L: StaticLayout>() -> bool {
    L::FLAT.is_surjective()
}

/// Has every offset below the cosize exactly one coordinate?
///
/// ```
/// use layout_algebra::{analysis::is_bijective, prelude::*};
/// const _: () = assert!(is_bijective::<ComposedLayout<Swizzle<2, 0, 2>, Int<0>, Layout!((4, 4))>>());
/// ```
#[track_caller]
pub const fn is_bijective<L: StaticLayout>() -> bool {
    L::FLAT.is_bijective()
}

/// Has every offset below the cosize exactly one coordinate, once the modes of stride 0 are
/// dropped?
///
/// ```
/// use layout_algebra::{analysis::is_compact, prelude::*};
/// const _: () = assert!(
///     is_compact::<Layout!((4, 3, 6):(6, 0, 1))>() && !is_compact::<Layout!((4, 6):(1, 8))>()
/// );
/// ```
#[track_caller]
pub const fn is_compact<L: StaticLayout>() -> bool {
    L::FLAT.is_compact()
}
