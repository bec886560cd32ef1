//! Bank conflicts of shared memory, for the banks and lanes of any vendor.
//!
//! ```text
//! phase           lanes that are served at once: bits of all banks / bits of an access
//! passes          of a phase: the most different words of one bank
//! conflicts       sum over phases of (passes - 1)
//! ```
//!
//! A model is the number of lanes of an instruction, the number of banks, the bits of a bank, and
//! the order in which lanes are served. Sources: AMD's *CDNA3* and *CDNA4 Instruction Set
//! Architecture* (LDS: 32 and 64 banks of a word), the documentation of Composable Kernel,
//! *Understanding AMD GPU LDS and Bank Conflicts* (a phase of a 128-bit write is 8 consecutive
//! lanes), and Triton's `bankConflictsMemDesc`, whose counts equal those of these models.

use layout_algebra::DynLayout;

use crate::error::Error;
use crate::function::{Function, MOST};

/// The most bits of an access: far more than hardware has.
const WIDEST: usize = 4096;

/// The banks of shared memory, and the lanes of an instruction.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_analysis::BankModel;
/// // A wave of AMD reads a column of 64 floats: two phases of 32 lanes, or one of 64.
/// let (tile, column): (DynLayout, DynLayout) = ("(64,64):(64,1)".parse()?, "(64,1):(1,0)".parse()?);
/// let old = BankModel::gfx942().conflicts(&tile, &column, 32, 32)?;
/// assert_eq!((old.phases, old.passes, old.ways), (2, 64, 32));
/// let new = BankModel::gfx950().conflicts(&tile, &column, 32, 32)?;
/// assert_eq!((new.phases, new.passes, new.ways), (1, 64, 64));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BankModel {
    banks: usize,
    bank_bits: usize,
    /// The lanes in the order in which they are served.
    order: Vec<usize>,
}

/// The costs of the accesses of all lanes in a [`BankModel`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BankCosts {
    /// Instructions.
    pub instructions: usize,
    /// Phases of all instructions: the least possible number of passes.
    pub phases: usize,
    /// Passes of all phases.
    pub passes: usize,
    /// `passes - phases`
    pub conflicts: usize,
    /// The most passes of a phase: 1 without conflicts. Triton's `bank_conflicts` is one less.
    pub ways: usize,
}

impl BankModel {
    /// A model of `lanes` lanes and `banks` banks of `bank_bits` bits.
    ///
    /// # Errors
    /// [`Error::Number`] if a number is not a power of two, or there are more than 1,024 lanes.
    ///
    /// ```
    /// use layout_analysis::BankModel;
    /// assert_eq!(BankModel::new(64, 32, 32)?, BankModel::gfx942());
    /// assert!(BankModel::new(64, 24, 32).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(lanes: usize, banks: usize, bank_bits: usize) -> Result<Self, Error> {
        let numbers = [
            ("the number of lanes", lanes, lanes <= 1024),
            ("the number of banks", banks, banks <= 1 << 16),
            ("the bits of a bank", bank_bits, bank_bits <= 1 << 16),
        ];
        for (what, number, few) in numbers {
            if !number.is_power_of_two() || !few {
                return Err(Error::Number {
                    what,
                    number,
                    needed: "a power of two that hardware has",
                });
            }
        }
        Ok(BankModel::of(lanes, banks, bank_bits))
    }

    fn of(lanes: usize, banks: usize, bank_bits: usize) -> Self {
        BankModel { banks, bank_bits, order: (0..lanes).collect() }
    }

    /// NVIDIA's: 32 lanes, 32 banks of 32 bits. The model of `layout_algebra::analysis` also merges
    /// two phases of a load into one where the hardware does.
    ///
    /// ```
    /// use layout_analysis::BankModel;
    /// assert_eq!(BankModel::sm_90().lanes(), 32);
    /// ```
    pub fn sm_90() -> Self {
        BankModel::of(32, 32, 32)
    }

    /// AMD's MI300: 64 lanes, 32 banks of 32 bits.
    ///
    /// ```
    /// use layout_analysis::BankModel;
    /// assert_eq!((BankModel::gfx942().banks(), BankModel::gfx942().lanes_of_phase(128)), (32, 8));
    /// ```
    pub fn gfx942() -> Self {
        BankModel::of(64, 32, 32)
    }

    /// AMD's MI350: 64 lanes, 64 banks of 32 bits.
    ///
    /// ```
    /// use layout_analysis::BankModel;
    /// assert_eq!((BankModel::gfx950().banks(), BankModel::gfx950().lanes_of_phase(128)), (64, 16));
    /// ```
    pub fn gfx950() -> Self {
        BankModel::of(64, 64, 32)
    }

    /// The same banks, for an instruction that serves the lanes in this order.
    ///
    /// # Errors
    /// [`Error::Order`] if the order is not a permutation of the lanes.
    ///
    /// ```
    /// use layout_analysis::BankModel;
    /// // Phases of every other lane.
    /// let order: Vec<usize> = (0..64).step_by(2).chain((1..64).step_by(2)).collect();
    /// assert!(BankModel::gfx942().with_order(&order).is_ok());
    /// assert!(BankModel::gfx942().with_order(&[0; 64]).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_order(mut self, order: &[usize]) -> Result<Self, Error> {
        let mut sorted = order.to_vec();
        sorted.sort_unstable();
        if !sorted.iter().copied().eq(0..self.lanes()) {
            return Err(Error::Order { lanes: self.lanes() });
        }
        self.order = order.to_vec();
        Ok(self)
    }

    /// Lanes of an instruction.
    ///
    /// ```
    /// use layout_analysis::BankModel;
    /// assert_eq!(BankModel::gfx950().lanes(), 64);
    /// ```
    pub fn lanes(&self) -> usize {
        self.order.len()
    }

    /// The number of banks.
    ///
    /// ```
    /// use layout_analysis::BankModel;
    /// assert_eq!(BankModel::sm_90().banks(), 32);
    /// ```
    pub fn banks(&self) -> usize {
        self.banks
    }

    /// The number of lanes of a phase, with an access of `access_bits` bits each: at least one.
    ///
    /// `min(lanes, banks * bank_bits / access_bits)`
    ///
    /// ```
    /// use layout_analysis::BankModel;
    /// let phases = [32, 64, 128].map(|bits| 64 / BankModel::gfx942().lanes_of_phase(bits));
    /// assert_eq!(phases, [2, 4, 8]);
    /// ```
    pub fn lanes_of_phase(&self, access_bits: usize) -> usize {
        (self.banks * self.bank_bits / access_bits.max(self.bank_bits)).clamp(1, self.lanes())
    }

    /// The costs of the accesses of `threads`, a thread-value layout whose offsets are indices of
    /// `memory`: mode 0 is the thread, all other modes are values. An element has `element_bits`,
    /// and an access of a thread has `access_bits`. Both layouts may have XOR strides. The memory
    /// is aligned to the width of all banks.
    ///
    /// # Errors
    /// [`Error::Number`] if the number of elements of an access is not a power of two, does not
    /// divide the values of a thread, or exceeds 4,096 bits; [`Error::Access`] if the elements of
    /// an access are not contiguous, not aligned, or not in the memory; [`Error::TooMany`] for
    /// more than 2^22 elements.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_analysis::BankModel;
    /// // 64 lanes read 8 halves of a row each, in row-major order and with a swizzle.
    /// let threads: DynLayout = "((16,4),8):((1,128),16)".parse()?;
    /// let tile: DynLayout = "(16,64):(64,1)".parse()?;
    /// assert_eq!(BankModel::gfx942().conflicts(&tile, &threads, 16, 128)?.ways, 8);
    /// let swizzled: DynLayout = "(16,64):(^72,^1)".parse()?;
    /// assert_eq!(BankModel::gfx942().conflicts(&swizzled, &threads, 16, 128)?.conflicts, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn conflicts(
        &self,
        memory: &DynLayout,
        threads: &DynLayout,
        element_bits: usize,
        access_bits: usize,
    ) -> Result<BankCosts, Error> {
        let elements = access_bits.checked_div(element_bits).unwrap_or(0);
        let count = threads.mode(0)?.size();
        let values = threads.size().checked_div(count).unwrap_or(0);
        let fits = elements.is_power_of_two()
            && elements * element_bits == access_bits
            && values % elements == 0;
        if !fits || access_bits > WIDEST {
            let needed =
                "an element, or 2^k of them that divide the values of a thread, and 4,096 at most";
            return Err(Error::Number {
                what: "the bits of an access",
                number: access_bits,
                needed,
            });
        }
        if threads.size() == 0 {
            return Ok(BankCosts::default());
        }
        let numbers = Function::new(threads).table(threads, threads.size())?;
        if memory.size() > MOST {
            return Err(Error::TooMany {
                layout: memory.to_string(),
                count: memory.size() as u128,
                most: MOST,
            });
        }
        let of_memory = Function::new(memory);
        let offset = |thread: usize, value: usize| {
            let number = usize::try_from(numbers[thread + count * value])
                .ok()
                .filter(|&number| number < memory.size());
            let number = number.ok_or_else(|| Error::Access {
                reason: format!("value {value} of thread {thread} is no element of {memory}"),
            })?;
            of_memory.at(number).ok_or_else(|| Error::overflow(memory))
        };
        let mut costs = BankCosts::default();
        let lanes = self.lanes();
        for first in (0..count).step_by(lanes) {
            for value in (0..values).step_by(elements) {
                costs.instructions += 1;
                for phase in self.order.chunks(self.lanes_of_phase(access_bits)) {
                    let (mut words, mut any) = (Vec::new(), false);
                    for thread in
                        phase.iter().map(|lane| first + lane).filter(|&thread| thread < count)
                    {
                        any = true;
                        let start = offset(thread, value)?;
                        check_contiguous(thread, value, start, elements, &offset)?;
                        let begin = start * element_bits as i128;
                        let bank = self.bank_bits as i128;
                        let last = (begin + access_bits as i128 - 1).div_euclid(bank);
                        words.extend(begin.div_euclid(bank)..=last);
                    }
                    words.sort_unstable();
                    words.dedup();
                    let mut of_bank = vec![0; self.banks];
                    words.iter().for_each(|word| {
                        of_bank[word.rem_euclid(self.banks as i128) as usize] += 1
                    });
                    let passes = of_bank.into_iter().max().unwrap_or(0);
                    costs.phases += usize::from(any);
                    costs.passes += passes;
                    costs.ways = costs.ways.max(passes);
                }
            }
        }
        costs.conflicts = costs.passes - costs.phases;
        Ok(costs)
    }
}

/// Checks that the elements of an access are contiguous and aligned.
fn check_contiguous(
    thread: usize,
    value: usize,
    start: i128,
    elements: usize,
    offset: &impl Fn(usize, usize) -> Result<i128, Error>,
) -> Result<(), Error> {
    if start.rem_euclid(elements as i128) != 0 {
        let reason = format!(
            "value {value} of thread {thread} has offset {start}, no multiple of {elements}"
        );
        return Err(Error::Access { reason });
    }
    for k in 1..elements {
        let next = offset(thread, value + k)?;
        if next != start + k as i128 {
            let reason = format!(
                "values {value} and {} of thread {thread} are not contiguous: their offsets are \
                 {start} and {next}",
                value + k
            );
            return Err(Error::Access { reason });
        }
    }
    Ok(())
}
