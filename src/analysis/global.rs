//! Coalescing: which sectors and lines of global memory a warp's access touches.
//!
//! ```text
//! sectors(access) = |{byte / 32}|   lines(access) = |{byte / 128}|
//!         least = ceil(bytes / 32), ceil(bytes / 128)
//! ```

use super::access::{Access, WARP, WarpAccess};
use super::offsets::OffsetTables;
use super::total;
use crate::layout::flat::FlatLayout;
use crate::layout::traits::StaticLayout;

/// Bits of a sector and of a line.
const SECTOR: u128 = 32 * 8;
const LINE: u128 = 128 * 8;

/// What the accesses of all warps to global memory touch, added up over the accesses.
///
/// ```
/// use layout_algebra::analysis::WarpAccess;
/// use layout_algebra::prelude::*;
/// // Every other word of 4 bytes: 256 bytes are touched for 128.
/// let access = WarpAccess::new(&FlatLayout::of(&layout!((32, 1):(2, 0))), 32, 32);
/// let found = access.coalescing(&FlatLayout::of(&layout!(64:1)));
/// assert_eq!((found.sectors, found.least_sectors, found.lines, found.least_lines), (8, 4, 2, 1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coalescing {
    /// Instructions, each of one warp.
    pub instructions: usize,
    /// Sectors of 32 bytes.
    pub sectors: usize,
    /// Lines of 128 bytes.
    pub lines: usize,
    /// The fewest sectors that could hold as many different bytes.
    pub least_sectors: usize,
    /// The fewest lines that could hold as many different bytes.
    pub least_lines: usize,
}

impl Coalescing {
    /// `sectors / least_sectors`: 1 is the best.
    ///
    /// ```
    /// use layout_algebra::{analysis::WarpAccess, prelude::*};
    /// let strided = WarpAccess::new(&FlatLayout::of(&layout!((32, 1):(32, 0))), 32, 32);
    /// assert_eq!(strided.coalescing(&FlatLayout::of(&layout!(1024:1))).ratio(), 8.0);
    /// ```
    pub const fn ratio(&self) -> f64 {
        if self.least_sectors == 0 { 1.0 } else { self.sectors as f64 / self.least_sectors as f64 }
    }
}

/// A set of numbers.
struct Distinct {
    numbers: [u128; NUMBERS],
    count: usize,
}
/// Each of 32 threads moves at most 128 bytes, which is 4 sectors.
const NUMBERS: usize = WARP * 4;

impl Distinct {
    const fn new() -> Self {
        Distinct { numbers: [0; NUMBERS], count: 0 }
    }

    /// Adds `first` to `last`.
    const fn add(&mut self, first: u128, last: u128) {
        let mut number = first;
        while number <= last {
            // Neighbours for the most part: the last number first.
            let mut k = self.count;
            while k > 0 && self.numbers[k - 1] != number {
                k -= 1;
            }
            if k == 0 {
                self.numbers[self.count] = number;
                self.count += 1;
            }
            number += 1;
        }
    }
}

impl WarpAccess {
    /// The sectors and lines that the accesses to `memory` touch; it begins at a line. See the
    /// [module](super) for the model.
    ///
    /// # Panics
    /// If elements of an access are not neighbours in memory, or not aligned: the panic
    /// names the thread and its values.
    ///
    /// ```
    /// use layout_algebra::{analysis::WarpAccess, prelude::*};
    /// let access = WarpAccess::new(&FlatLayout::of(&layout!((32, 4):(4, 1))), 32, 128);
    /// let found = access.coalescing(&FlatLayout::of(&layout!(128:1)));
    /// assert_eq!((found.sectors, found.lines, found.ratio()), (16, 4, 1.0));
    /// ```
    #[track_caller]
    pub const fn coalescing(&self, memory: &FlatLayout) -> Coalescing {
        let mut all =
            Coalescing { instructions: 0, sectors: 0, lines: 0, least_sectors: 0, least_lines: 0 };
        let (warps, threads) = (self.warps(), self.threads.threads());
        let offsets = OffsetTables::new(memory, &self.threads);
        let (accesses, alike) = self.looked_at(&offsets);
        let mut warp = 0;
        while warp < warps {
            let mut access = 0;
            while access < accesses {
                let (mut sectors, mut lines, mut starts) =
                    (Distinct::new(), Distinct::new(), Distinct::new());
                let mut lane = 0;
                while lane < self.lanes && warp * WARP + lane < threads {
                    // Bits are counted in `u128`: there may be more of them than `usize` can count.
                    let start = self.start(&offsets, warp * WARP + lane, access);
                    let first = start as u128 * self.element_bits as u128;
                    let last = first + self.access_bits as u128 - 1;
                    sectors.add(first / SECTOR, last / SECTOR);
                    lines.add(first / LINE, last / LINE);
                    // Two aligned accesses of one size are equal or disjoint.
                    starts.add(first, first);
                    lane += 1;
                }
                let bits = starts.count * self.access_bits;
                all.sectors = total(all.sectors, sectors.count, alike);
                all.lines = total(all.lines, lines.count, alike);
                all.least_sectors = total(all.least_sectors, bits.div_ceil(SECTOR as usize), alike);
                all.least_lines = total(all.least_lines, bits.div_ceil(LINE as usize), alike);
                all.instructions = total(all.instructions, 1, alike);
                access += 1;
            }
            warp += 1;
        }
        all
    }
}

/// The sectors and lines of global memory that an [`Access`] to the layout `Gmem` touches.
///
/// ```
/// use layout_algebra::{analysis::*, prelude::*};
/// type Matrix = Layout!((64, 64):(64, 1));
/// type ByRow = SharedAccess<Layout!((32, 1):(64, 0)), 32, 32>; // 32 neighbours of a row
/// const FOUND: Coalescing = coalescing::<Matrix, ByRow>();
/// const _: () = assert!(FOUND.sectors == 4 && FOUND.lines == 1 && FOUND.least_sectors == 4);
/// ```
#[track_caller]
pub const fn coalescing<Gmem: StaticLayout, A: Access>() -> Coalescing {
    A::ACCESS.coalescing(&Gmem::FLAT)
}
