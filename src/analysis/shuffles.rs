//! Redistributes the registers of a warp with the fewest shuffles.
//!
//! ```text
//! from, to: (lane, register) -> element, bijections, linear in bits           M = from^-1 o to
//! M(lane, register) = (lane it comes from, register it comes from)
//!                   = (A lane ^ B register, C lane ^ D register)
//! ```
//!
//! A shuffle (`shfl.idx`, 32 bits) takes one register of every lane, chosen by the lane, and gives
//! every lane one of these, from a lane of its choice. Which register it is may differ from lane to
//! lane: selects are not counted.
//!
//! **No less.** A lane receives one register in a shuffle, so there are at least as many shuffles
//! as there are registers that some lane needs and does not have. The registers of lane l come from
//! the lanes `A l ^ B u`, as many from each as the kernel of B has elements; lane l itself may be
//! one of these lanes.
//!
//! **And no more.** Let N take lanes to registers such that `A ^ B N` is invertible; there is such
//! an N, because M is invertible. In round c, lane l receives its register `N l ^ c`, which comes
//! from the lane `(A ^ B N) l ^ B c`, a different one for each lane: so every lane gives one
//! register. Over all c every register is received. If every lane has some of its own, then `A ^ 1`
//! has its image in that of B, N can be such that `A ^ B N = 1`, and the rounds in which `B c = 0`
//! are no shuffles.

use super::access::WARP;
use crate::layout::flat::{CoordinateBits, FlatLayout, Message};
use crate::layout::traits::StaticLayout;
use crate::swizzle::BitBasis;

/// The most bits of lanes, and of registers.
const LANE_BITS: usize = 5;
const REGISTER_BITS: usize = 8;
/// The bits of both.
const BITS: usize = LANE_BITS + REGISTER_BITS;

/// A plan of shuffles that redistributes the registers of a warp, and the fewest shuffles that any
/// plan has.
///
/// ```
/// use layout_algebra::prelude::*;
/// // Four lanes of four registers: each lane has a row of a matrix, and is to have a column.
/// let (rows, columns) =
///     (FlatLayout::of(&layout!((4, 4):(4, 1))), FlatLayout::of(&layout!((4, 4):(1, 4))));
/// let plan = rows.fewest_shuffles(&columns);
/// assert_eq!((plan.rounds, plan.least, plan.is_optimal()), (3, 3, true));
/// // In every lane, one register stays.
/// assert_eq!([0, 1, 2, 3].map(|lane| plan.kept(lane, lane)), [Some(0), Some(1), Some(2), Some(3)]);
/// // In the first round lane 0 gives lane 1 its register 1, and gets that of lane 1 which becomes its
/// // register 1.
/// assert_eq!((plan.gives(0, 0), plan.source(0, 0), plan.takes(0, 0)), (1, 1, 1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shuffles {
    /// Shuffles of 32 bits.
    pub rounds: usize,
    /// The most registers that a lane has to get from other lanes: no plan has fewer shuffles.
    pub least: usize,
    lane_bits: usize,
    register_bits: usize,
    /// Where each bit of (lane, register) comes from: lanes in the lowest bits, then registers.
    columns: [usize; BITS],
    /// N: a register for each bit of the lane.
    firsts: [usize; LANE_BITS],
    /// For each bit of the lane that is read from, the lane that reads it in a round `B c = 0`.
    readers: [usize; LANE_BITS],
    /// The register that each bit of a round's number stands for: those of the kernel of B first.
    rounds_of: [usize; REGISTER_BITS],
    /// Rounds that are no shuffles, the first ones.
    skipped: usize,
}

const fn combined(vectors: &[usize], bits: usize) -> usize {
    let (mut sum, mut k) = (0, 0);
    while k < vectors.len() {
        if bits >> k & 1 == 1 {
            sum ^= vectors[k];
        }
        k += 1;
    }
    sum
}

impl Shuffles {
    /// Lanes of the warp.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let rows = FlatLayout::of(&layout!((32, 4):(4, 1)));
    /// assert_eq!(rows.fewest_shuffles(&rows).lanes(), 32);
    /// ```
    pub const fn lanes(&self) -> usize {
        1 << self.lane_bits
    }

    /// Registers of a lane.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let rows = FlatLayout::of(&layout!((32, 4):(4, 1)));
    /// assert_eq!(rows.fewest_shuffles(&rows).registers(), 4);
    /// ```
    pub const fn registers(&self) -> usize {
        1 << self.register_bits
    }

    /// Has no plan fewer shuffles? True of every result.
    ///
    /// `rounds == least`
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let (rows, columns) =
    ///     (FlatLayout::of(&layout!((32, 4):(4, 1))), FlatLayout::of(&layout!((32, 4):(1, 32))));
    /// assert!(rows.fewest_shuffles(&columns).is_optimal());
    /// ```
    pub const fn is_optimal(&self) -> bool {
        self.rounds == self.least
    }

    /// Where a register of a lane comes from: the lane, and the register it has there.
    const fn origin(&self, lane: usize, register: usize) -> (usize, usize) {
        let from = combined(&self.columns, lane | register << self.lane_bits);
        (from & (self.lanes() - 1), from >> self.lane_bits)
    }

    #[track_caller]
    const fn check(&self, round: usize, lane: usize) {
        Message::require(
            round < self.rounds,
            &["there is no round ", " among "],
            &[round, self.rounds],
        );
        self.check_lane(lane);
    }
    #[track_caller]
    const fn check_lane(&self, lane: usize) {
        Message::require(
            lane < self.lanes(),
            &["there is no lane ", " among "],
            &[lane, self.lanes()],
        );
    }

    /// The register in which lane `lane` puts what it gets in round `round`.
    ///
    /// # Panics
    /// If there is no such round or lane.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let (rows, columns) =
    ///     (FlatLayout::of(&layout!((4, 4):(4, 1))), FlatLayout::of(&layout!((4, 4):(1, 4))));
    /// let plan = rows.fewest_shuffles(&columns);
    /// assert_eq!([0, 1, 2].map(|round| plan.takes(round, 3)), [2, 1, 0]); // 3 stays
    /// ```
    #[track_caller]
    pub const fn takes(&self, round: usize, lane: usize) -> usize {
        self.check(round, lane);
        combined(&self.firsts, lane) ^ combined(&self.rounds_of, round + self.skipped)
    }

    /// The lane from which lane `lane` reads in round `round`.
    ///
    /// # Panics
    /// If there is no such round or lane.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let (rows, columns) =
    ///     (FlatLayout::of(&layout!((4, 4):(4, 1))), FlatLayout::of(&layout!((4, 4):(1, 4))));
    /// let plan = rows.fewest_shuffles(&columns);
    /// assert_eq!([0, 1, 2, 3].map(|lane| plan.source(2, lane)), [3, 2, 1, 0]);
    /// ```
    #[track_caller]
    pub const fn source(&self, round: usize, lane: usize) -> usize {
        self.origin(lane, self.takes(round, lane)).0
    }

    /// The register that lane `lane` gives in round `round`.
    ///
    /// `from(source(k, l), gives(k, source(k, l))) == to(l, takes(k, l))` for all rounds k and
    /// lanes l
    ///
    /// # Panics
    /// If there is no such round or lane.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let (rows, columns) = (layout!((4, 4):(4, 1)), layout!((4, 4):(1, 4)));
    /// let plan = FlatLayout::of(&rows).fewest_shuffles(&FlatLayout::of(&columns));
    /// for (round, lane) in [(0, 0), (1, 2), (2, 3)] {
    ///     let source = plan.source(round, lane);
    ///     let given = rows.index((source, plan.gives(round, source)));
    ///     assert_eq!(given, columns.index((lane, plan.takes(round, lane))));
    /// }
    /// ```
    #[track_caller]
    pub const fn gives(&self, round: usize, lane: usize) -> usize {
        self.check(round, lane);
        // Who reads it: the lane from which `B c` leads here.
        let lead = combined(&self.rounds_of, round + self.skipped);
        let reader = combined(&self.readers, lane ^ self.origin(0, lead).0);
        self.origin(reader, self.takes(round, reader)).1
    }

    /// The register of its own that lane `lane` keeps as its register `register`; `None` if it
    /// comes by a shuffle.
    ///
    /// # Panics
    /// If there is no such lane or register.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let rows = FlatLayout::of(&layout!((4, 2):(2, 1)));
    /// let plan = rows.fewest_shuffles(&rows);
    /// assert_eq!((plan.rounds, plan.kept(3, 1)), (0, Some(1)));
    /// ```
    #[track_caller]
    pub const fn kept(&self, lane: usize, register: usize) -> Option<usize> {
        self.check_lane(lane);
        let numbers = [register, self.registers()];
        Message::require(
            register < self.registers(),
            &["there is no register ", " among "],
            &numbers,
        );
        let (source, from) = self.origin(lane, register);
        if self.skipped > 0 && source == lane { Some(from) } else { None }
    }
}

/// The bits of a layout of registers, which is a bijection of numbers.
#[track_caller]
const fn registers(layout: &FlatLayout, name: &str) -> CoordinateBits {
    let message = Message::new().text("the registers ").text(name);
    let bits = match layout.coordinate_bits() {
        Ok(bits) => bits,
        Err(reason) => {
            panic!("{}", reason.describe(message.text(" are not linear in bits: ")).as_str())
        }
    };
    if layout.threads() > WARP || bits.count - bits.lead > REGISTER_BITS {
        let message =
            message.text(": ").number(layout.threads()).text(" lanes of ").number(layout.values());
        panic!("{}", message.text(" registers, and 32 lanes of 256 are the most").as_str());
    }
    let (mut span, mut k) = (BitBasis::NONE, 0);
    while k < bits.count {
        span.insert(bits.vectors[k] as u128);
        k += 1;
    }
    if bits.origin != 0 || span.count != bits.count || bits.reach() as usize != bits.count {
        let message = message
            .text(" are no bijection of ")
            .number(layout.size())
            .text(" elements: each of them has to be in one ");
        panic!("{}", message.text("register of one lane").as_str());
    }
    bits
}

impl FlatLayout {
    /// See [`fewest_shuffles`]. The layout itself is that of the registers before.
    ///
    /// # Panics
    /// If an extent of either layout is no power of two, or the sums of its strides carry; if it is
    /// no bijection; if the two have different numbers of lanes or registers, or more than 32 lanes
    /// of 256.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// // Accumulators of tensor cores become operands: floats of two columns, by four lanes, and of four.
    /// let from: DynLayout = "((4,8),(2,2)):((16,1),(8,64))".parse()?;
    /// let to: DynLayout = "((4,8),4):((32,1),8)".parse()?;
    /// let plan = FlatLayout::of(&from).fewest_shuffles(&FlatLayout::of(&to));
    /// assert_eq!((plan.rounds, plan.is_optimal()), (4, true));
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[track_caller]
    pub const fn fewest_shuffles(&self, to: &FlatLayout) -> Shuffles {
        let (before, after) = (registers(self, "before"), registers(to, "after"));
        let (lane_bits, register_bits) = (before.lead, before.count - before.lead);
        if after.lead != before.lead || after.count != before.count {
            let message =
                Message::new().number(self.threads()).text(" lanes of ").number(self.values());
            let message = message
                .text(" registers become ")
                .number(to.threads())
                .text(" of ")
                .number(to.values());
            panic!("{}", message.text(": they have to be as many").as_str());
        }
        let mut plan = Shuffles {
            rounds: 0,
            least: 0,
            lane_bits,
            register_bits,
            columns: [0; BITS],
            firsts: [0; LANE_BITS],
            readers: [0; LANE_BITS],
            rounds_of: [0; REGISTER_BITS],
            skipped: 0,
        };
        // M.
        let (mut inverse, mut bit) = (BitBasis::NONE, 0);
        while bit < before.count {
            inverse.insert((before.vectors[bit] as u128) << BITS | 1 << bit);
            bit += 1;
        }
        bit = 0;
        while bit < after.count {
            plan.columns[bit] = inverse.reduced((after.vectors[bit] as u128) << BITS) as usize;
            bit += 1;
        }
        // The image of B, with a register for each lane of it; the kernel's go to the lowest bits
        // of a round's number.
        let (mut image, mut kernel, mut others) = (BitBasis::NONE, 0, [0; REGISTER_BITS]);
        bit = 0;
        while bit < register_bits {
            let rest = image.reduced((plan.origin(0, 1 << bit).0 as u128) << BITS | 1 << bit);
            if rest >> BITS == 0 {
                plan.rounds_of[kernel] = rest as usize;
                kernel += 1;
            } else {
                others[image.count] = 1 << bit;
                image.insert(rest);
            }
            bit += 1;
        }
        bit = 0;
        while bit < image.count {
            plan.rounds_of[kernel + bit] = others[bit];
            bit += 1;
        }
        // Has each lane some registers of its own? And how many must one receive?
        let (mut lane, mut all) = (0, true);
        while lane < plan.lanes() {
            let other = plan.origin(lane, 0).0 ^ lane;
            let own = image.reduced((other as u128) << BITS) >> BITS == 0;
            let missing = plan.registers() - if own { 1 << kernel } else { 0 };
            if missing > plan.least {
                plan.least = missing;
            }
            all &= own;
            lane += 1;
        }
        // N, and the inverse of A ^ B N.
        let (mut read, mut bit) = (BitBasis::NONE, 0);
        if all {
            plan.skipped = 1 << kernel;
            while bit < lane_bits {
                let other = plan.origin(1 << bit, 0).0 ^ 1 << bit;
                plan.firsts[bit] = image.reduced((other as u128) << BITS) as usize;
                bit += 1;
            }
        } else {
            // Lanes that lead to a lane already read from lead on to one that is not.
            let mut twice = [false; LANE_BITS];
            while bit < lane_bits {
                twice[bit] = !read.insert(plan.origin(1 << bit, 0).0 as u128);
                bit += 1;
            }
            let (mut register, mut bit) = (0, 0);
            while bit < lane_bits {
                if twice[bit] {
                    while !read.insert(plan.origin(0, 1 << register).0 as u128) {
                        register += 1;
                    }
                    plan.firsts[bit] = 1 << register;
                }
                bit += 1;
            }
        }
        let (mut readers, mut bit) = (BitBasis::NONE, 0);
        while bit < lane_bits {
            readers.insert((plan.origin(1 << bit, plan.firsts[bit]).0 as u128) << BITS | 1 << bit);
            bit += 1;
        }
        bit = 0;
        while bit < lane_bits {
            plan.readers[bit] = readers.reduced(1 << (BITS + bit)) as usize;
            bit += 1;
        }
        plan.rounds = plan.registers() - plan.skipped;
        plan
    }
}

/// The fewest shuffles of 32 bits that redistribute the registers of a warp: from one layout (lane,
/// register) -> element to another, with a plan, and a proof that no plan has fewer. Selects among
/// a lane's own registers are not counted.
///
/// Both layouts are bijections. A register is an element of 32 bits: of narrower ones, let an
/// element be what a register holds.
///
/// ```
/// use layout_algebra::{analysis::*, prelude::*};
/// // From rows of four registers to registers that lie 32 elements apart: one of four stays.
/// const PLAN: Shuffles =
///     fewest_shuffles::<Layout!((32, 4):(4, 1)), Layout!(((4, 8), 4):((1, 16), 4))>();
/// const _: () = assert!(PLAN.rounds == 3 && PLAN.is_optimal());
/// ```
///
/// ```compile_fail
/// use layout_algebra::{analysis::*, prelude::*};
/// // the registers after are no bijection of 128 elements: each of them has to be in one register of
/// // one lane
/// const PLAN: Shuffles = fewest_shuffles::<Layout!((32, 4):(4, 1)), Layout!((32, 4):(0, 1))>();
/// ```
#[track_caller]
pub const fn fewest_shuffles<From: StaticLayout, To: StaticLayout>() -> Shuffles {
    From::FLAT.fewest_shuffles(&To::FLAT)
}
