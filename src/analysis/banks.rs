//! Bank conflicts of a warp's access to shared memory, phase by phase.
//!
//! ```text
//! passes of a phase = max over banks of the different words that its threads need there
//! conflicts         = sum over phases of (passes - 1)
//! ```

use super::access::{Access, WARP, WarpAccess};
use super::offsets::OffsetTables;
use super::total;
use crate::layout::flat::{FlatLayout, Message};
use crate::layout::traits::StaticLayout;

/// The words of one phase, each once, by bank.
pub(super) struct Phase {
    words: [u128; WORDS],
    lanes: [usize; WORDS],
    /// The word before in the same bank, counted from 1; 0 for none.
    before: [usize; WORDS],
    last: [usize; BANKS],
    counts: [usize; BANKS],
    count: usize,
    /// The bank with the most words, and how many.
    pub(super) bank: usize,
    pub(super) ways: usize,
}
const BANKS: usize = 64;
/// A phase has at most as many words as lanes, or as all banks together, or as one access.
const WORDS: usize = 128;

impl Phase {
    pub(super) const fn new() -> Self {
        Phase {
            words: [0; WORDS],
            lanes: [0; WORDS],
            before: [0; WORDS],
            last: [0; BANKS],
            counts: [0; BANKS],
            count: 0,
            bank: 0,
            ways: 0,
        }
    }

    const fn add_word(&mut self, lane: usize, word: u128, banks: usize) {
        // The banks are a power of two.
        let bank = word as usize & (banks - 1);
        let mut k = self.last[bank];
        while k > 0 {
            if self.words[k - 1] == word {
                return;
            }
            k = self.before[k - 1];
        }
        self.words[self.count] = word;
        self.lanes[self.count] = lane;
        self.before[self.count] = self.last[bank];
        self.count += 1;
        self.last[bank] = self.count;
        self.counts[bank] += 1;
        if self.counts[bank] > self.ways {
            (self.bank, self.ways) = (bank, self.counts[bank]);
        }
    }

    /// The words of the access of `lane` that begins with the element `start`.
    pub(super) const fn add(&mut self, access: &WarpAccess, lane: usize, start: usize) {
        let (mut word, last) = access.words_at(start);
        while word <= last {
            self.add_word(lane, word, access.banks);
            word += 1;
        }
    }
}

/// What the accesses of all warps to shared memory cost.
///
/// ```
/// use layout_algebra::analysis::WarpAccess;
/// use layout_algebra::prelude::*;
/// // A warp reads a column of 32 words of 4 bytes: all of them lie in one bank.
/// let column = WarpAccess::new(&FlatLayout::of(&layout!((32, 1):(32, 0))), 32, 32);
/// let found = column.bank_conflicts(&FlatLayout::of(&layout!(1024:1)));
/// assert_eq!((found.instructions, found.passes, found.conflicts, found.ways), (1, 32, 31, 32));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BankConflicts {
    /// Instructions, each of one warp.
    pub instructions: usize,
    /// Phases of all instructions: the least number of passes.
    pub phases: usize,
    /// Passes of all phases: NVIDIA's wavefronts.
    pub passes: usize,
    /// `passes - phases`
    pub conflicts: usize,
    /// The most passes of a phase: 1 is free of conflicts, 32 the worst.
    pub ways: usize,
    /// Where the first phase of that many passes is, if there are conflicts.
    pub worst: Option<BankConflict>,
}

/// A phase of an access, and a bank that many of its threads need.
///
/// ```
/// use layout_algebra::analysis::WarpAccess;
/// use layout_algebra::prelude::*;
/// // 16 rows of 2 words, 32 words apart: banks 0 and 1 are needed by 16 threads each.
/// let rows = WarpAccess::new(&FlatLayout::of(&layout!(((2, 16), 1):((1, 32), 0))), 32, 32);
/// let worst = rows.bank_conflicts(&FlatLayout::of(&layout!(512:1))).worst.unwrap();
/// assert_eq!((worst.bank, worst.count, &worst.threads[..3]), (0, 16, &[0, 2, 4][..]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BankConflict {
    /// The warp.
    pub warp: usize,
    /// The access of each of its threads, counted from 0.
    pub access: usize,
    /// The bank.
    pub bank: usize,
    /// Threads that each need a different word of the bank, the first `count` of these.
    pub threads: [usize; WARP],
    /// How many.
    pub count: usize,
}

impl WarpAccess {
    /// The bank conflicts of the accesses to `memory`. See the [module](super) for the model.
    ///
    /// # Panics
    /// If elements of an access are not neighbours in memory, or not aligned: the panic
    /// names the thread and its values.
    ///
    /// ```
    /// use layout_algebra::{analysis::WarpAccess, prelude::*};
    /// // 128 bits for each thread, 512 bytes in all: four phases, free of conflicts.
    /// let access = WarpAccess::new(&FlatLayout::of(&layout!((32, 4):(4, 1))), 32, 128);
    /// let found = access.bank_conflicts(&FlatLayout::of(&layout!(128:1)));
    /// assert_eq!((found.phases, found.passes, found.conflicts, found.worst), (4, 4, 0, None));
    /// ```
    #[track_caller]
    pub const fn bank_conflicts(&self, memory: &FlatLayout) -> BankConflicts {
        let mut all = BankConflicts {
            instructions: 0,
            phases: 0,
            passes: 0,
            conflicts: 0,
            ways: 0,
            worst: None,
        };
        let (warps, threads) = (self.warps(), self.threads.threads());
        let offsets = OffsetTables::new(memory, &self.threads);
        let (accesses, alike) = self.looked_at(&offsets);
        let mut warp = 0;
        while warp < warps {
            let mut access = 0;
            while access < accesses {
                let mut lane = 0;
                while lane < self.lanes && warp * WARP + lane < threads {
                    let (mut phase, end) =
                        (Phase::new(), lane + self.phase_at(&offsets, warp, access, lane));
                    while lane < end && warp * WARP + lane < threads {
                        phase.add(self, lane, self.start(&offsets, warp * WARP + lane, access));
                        lane += 1;
                    }
                    all.phases = total(all.phases, 1, alike);
                    all.passes = total(all.passes, phase.ways, alike);
                    if phase.ways > all.ways {
                        all.ways = phase.ways;
                        all.worst =
                            if phase.ways > 1 { Some(phase.conflict(warp, access)) } else { None };
                    }
                }
                all.instructions = total(all.instructions, 1, alike);
                access += 1;
            }
            warp += 1;
        }
        all.conflicts = all.passes - all.phases;
        all
    }

    /// The first and the last word of the access that begins with the element `start`.
    const fn words_at(&self, start: usize) -> (u128, u128) {
        // Bits are counted in `u128`: there may be more of them than `usize` can count. A bank has
        // a power of two of bits.
        let first = start as u128 * self.element_bits as u128;
        let last = first + self.access_bits as u128 - 1;
        (first >> self.bank_bits.trailing_zeros(), last >> self.bank_bits.trailing_zeros())
    }

    /// The phases of access `access` of warp `warp`: for each its passes, and the words of its
    /// threads.
    ///
    /// # Panics
    /// As [`bank_conflicts`](Self::bank_conflicts).
    ///
    /// ```
    /// use layout_algebra::{analysis::WarpAccess, prelude::*};
    /// // 64 bits for each thread: a phase for each half of the warp, in which a thread has two words.
    /// let access = WarpAccess::new(&FlatLayout::of(&layout!((32, 2):(2, 1))), 32, 64);
    /// let phases = access.phases(&FlatLayout::of(&layout!(64:1)), 0, 0);
    /// assert_eq!((phases.len(), phases[1].passes, phases[1].words.len()), (2, 1, 32));
    /// assert_eq!(phases[1].words[..3], [(16, 32), (16, 33), (17, 34)]);
    /// ```
    #[cfg(feature = "alloc")]
    #[track_caller]
    pub fn phases(
        &self,
        memory: &FlatLayout,
        warp: usize,
        access: usize,
    ) -> alloc::vec::Vec<AccessPhase> {
        let (offsets, threads) = (OffsetTables::new(memory, &self.threads), self.threads.threads());
        let (mut phases, mut lane) = (alloc::vec::Vec::new(), 0);
        while lane < self.lanes && warp * WARP + lane < threads {
            let (mut phase, end) =
                (Phase::new(), lane + self.phase_at(&offsets, warp, access, lane));
            let mut words = alloc::vec::Vec::new();
            while lane < end && warp * WARP + lane < threads {
                let start = self.start(&offsets, warp * WARP + lane, access);
                phase.add(self, lane, start);
                let (first, last) = self.words_at(start);
                words.extend((first..=last).map(|word| (warp * WARP + lane, word)));
                lane += 1;
            }
            phases.push(AccessPhase { passes: phase.ways, words });
        }
        phases
    }
}

/// A phase of an access: what it costs, and which words its threads need. [`WarpAccess::phases`]
/// has an example.
#[cfg(feature = "alloc")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccessPhase {
    /// How many passes the phase takes: as many as the worst bank has different words to give.
    pub passes: usize,
    /// Each thread with each of its words; word `w` lies in bank `w % banks`.
    pub words: alloc::vec::Vec<(usize, u128)>,
}

impl Phase {
    const fn conflict(&self, warp: usize, access: usize) -> BankConflict {
        let mut conflict =
            BankConflict { warp, access, bank: self.bank, threads: [0; WARP], count: self.ways };
        let (mut k, mut at) = (self.last[self.bank], self.ways);
        while k > 0 && at > 0 {
            at -= 1;
            conflict.threads[at] = warp * WARP + self.lanes[k - 1];
            k = self.before[k - 1];
        }
        conflict
    }
}

impl BankConflict {
    const fn message(&self) -> Message {
        let mut message = Message::new().number(self.count).text("-way bank conflict: threads ");
        let mut k = 0;
        while k < self.count {
            // Three and more that follow one another are a range: `0-31`.
            let mut last = k;
            while last + 1 < self.count && self.threads[last + 1] == self.threads[last] + 1 {
                last += 1;
            }
            if last < k + 2 {
                last = k;
            }
            let between = if k == 0 {
                ""
            } else if last + 1 == self.count {
                " and "
            } else {
                ", "
            };
            message = message.text(between).number(self.threads[k]);
            if last > k {
                message = message.text("-").number(self.threads[last]);
            }
            k = last + 1;
        }
        message
            .text(" each need another word of bank ")
            .number(self.bank)
            .text(" in access ")
            .number(self.access)
    }
}
/// ```
/// use layout_algebra::{analysis::WarpAccess, prelude::*};
/// let access = WarpAccess::new(&FlatLayout::of(&layout!((32, 1):(16, 0))), 32, 32);
/// let worst = access.bank_conflicts(&FlatLayout::of(&layout!(512:1))).worst;
/// assert_eq!(
///     worst.map(|conflict| conflict.to_string()).unwrap_or_default(),
///     "16-way bank conflict: threads 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28 and 30 \
///      each need another word of bank 0 in access 0",
/// );
/// ```
impl core::fmt::Display for BankConflict {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(self.message().as_str())
    }
}

/// The number of bank conflicts of an [`Access`] to the layout `Smem` of shared memory: how many
/// passes its phases take beyond one each.
///
/// ```
/// use layout_algebra::{analysis::*, prelude::*};
/// type Column = SharedAccess<Layout!((32, 32):(1, 32)), 32, 32>;
/// const _: () = assert!(bank_conflict_count::<Layout!((32, 32):(32, 1)), Column>() == 32 * 31);
/// const _: () = assert!(bank_conflict_count::<Layout!((32, 32):(33, 1)), Column>() == 0);
/// ```
#[track_caller]
pub const fn bank_conflict_count<Smem: StaticLayout, A: Access>() -> usize {
    A::ACCESS.bank_conflicts(&Smem::FLAT).conflicts
}

/// 0 where an [`Access`] to the layout `Smem` of shared memory is free of bank conflicts; where it
/// is not, a panic that names the threads and their bank, which in a const is the compiler's
/// message. [`bank_conflict_count`] counts.
///
/// ```
/// use layout_algebra::{analysis::*, prelude::*};
/// type Column = SharedAccess<Layout!((32, 32):(1, 32)), 32, 32>;
/// const _: () = assert!(bank_conflicts::<Layout!((32, 32):(33, 1)), Column>() == 0);
/// ```
///
/// ```compile_fail
/// use layout_algebra::{analysis::*, prelude::*};
/// type Column = SharedAccess<Layout!((32, 32):(1, 32)), 32, 32>;
/// // 32-way bank conflict: threads 0-31 each need another word of bank 0 in access 0
/// const _: () = assert!(bank_conflicts::<Layout!((32, 32):(32, 1)), Column>() == 0);
/// ```
#[track_caller]
pub const fn bank_conflicts<Smem: StaticLayout, A: Access>() -> usize {
    let found = A::ACCESS.bank_conflicts(&Smem::FLAT);
    if let Some(conflict) = &found.worst {
        panic!("{}", conflict.message().as_str());
    }
    found.conflicts
}
