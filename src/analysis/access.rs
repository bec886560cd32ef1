//! How threads access memory: which elements each thread has, and how many bits it moves at once.

use core::marker::PhantomData;

use super::offsets::OffsetTables;
use crate::layout::flat::{FlatLayout, Message};
use crate::layout::traits::StaticLayout;

/// Threads of a warp.
pub(super) const WARP: usize = 32;

/// How the warps of a block access memory: a thread-value layout, the size of an element, the size
/// of an access, and the banks.
///
/// ```
/// use layout_algebra::analysis::WarpAccess;
/// use layout_algebra::prelude::*;
/// let smem: DynLayout = "(32,32):(32,1)".parse()?;
/// let column: DynLayout = "(32,32):(1,32)".parse()?; // thread i has row i, element by element
/// let access = WarpAccess::new(&FlatLayout::of(&column), 32, 32);
/// let found = access.bank_conflicts(&FlatLayout::of(&smem));
/// assert_eq!((found.ways, found.conflicts), (32, 32 * 31));
/// # Ok::<(), LayoutError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct WarpAccess {
    pub(super) threads: FlatLayout,
    pub(super) element_bits: usize,
    pub(super) access_bits: usize,
    /// Threads of each warp that take part.
    pub(super) lanes: usize,
    /// Threads of a phase, for an `ldmatrix` those of a matrix.
    pub(super) phase: usize,
    pub(super) matrix: bool,
    pub(super) banks: usize,
    pub(super) bank_bits: usize,
}

impl WarpAccess {
    /// Accesses of `access_bits` for each thread, of elements of `element_bits`; 32 banks of 4
    /// bytes.
    ///
    /// # Panics
    /// If an access is not of whole elements or whole bytes, or does not divide what a thread has.
    ///
    /// ```
    /// use layout_algebra::{analysis::WarpAccess, prelude::*};
    /// let access = WarpAccess::new(&FlatLayout::of(&layout!((32, 4):(4, 1))), 32, 128);
    /// assert_eq!(access.bank_conflicts(&FlatLayout::of(&layout!(128:1))).conflicts, 0);
    /// ```
    #[track_caller]
    pub const fn new(threads: &FlatLayout, element_bits: usize, access_bits: usize) -> Self {
        let whole = element_bits > 0 && access_bits > 0 && access_bits % element_bits == 0;
        let words = [
            "an access is of whole elements, and of one at least: it is of ",
            " bits, and an element of ",
        ];
        Message::require(whole, &words, &[access_bits, element_bits]);
        let words = ["an access is of whole bytes, and of 128 of them at most: it is of ", " bits"];
        Message::require(access_bits % 8 == 0 && access_bits <= 1024, &words, &[access_bits]);
        let (values, at_once) = (threads.values(), access_bits / element_bits);
        let words = [
            "what a thread has is no whole number of accesses: it has ",
            " values, and an access is of ",
        ];
        Message::require(values % at_once == 0, &words, &[values, at_once]);
        WarpAccess {
            threads: *threads,
            element_bits,
            access_bits,
            lanes: WARP,
            phase: WARP,
            matrix: false,
            banks: 32,
            bank_bits: 32,
        }
        .with_banks(32, 4)
    }

    /// An `ldmatrix` or `stmatrix` of 1, 2 or 4 matrices: thread `i` of a warp addresses row
    /// `i % 8` of matrix `i / 8`, 16 bytes that are its values; threads beyond the matrices take no
    /// part.
    ///
    /// ```
    /// use layout_algebra::{analysis::WarpAccess, prelude::*};
    /// // Four 8x8 matrices of halves side by side in rows of 64 bytes: every other row begins in the same
    /// // bank.
    /// let rows = layout!(((8, 4), 8):((32, 8), 1));
    /// let access = WarpAccess::ldmatrix(&FlatLayout::of(&rows), 16, 4);
    /// assert_eq!(access.bank_conflicts(&FlatLayout::of(&layout!(256:1))).ways, 4);
    /// ```
    #[track_caller]
    pub const fn ldmatrix(threads: &FlatLayout, element_bits: usize, matrices: usize) -> Self {
        let held = matrices == 1 || matrices == 2 || matrices == 4;
        Message::require(held, &["an ldmatrix loads 1, 2 or 4 matrices, and not "], &[matrices]);
        let access = WarpAccess::new(threads, element_bits, 128);
        WarpAccess { lanes: 8 * matrices, phase: 8, matrix: true, ..access }
    }

    /// The same accesses to `banks` banks of `bank_bytes`, both powers of two.
    ///
    /// ```
    /// use layout_algebra::{analysis::WarpAccess, prelude::*};
    /// let column = WarpAccess::new(&FlatLayout::of(&layout!((32, 1):(1, 0))), 32, 32).with_banks(16, 4);
    /// // two phases of 16 threads
    /// assert_eq!(column.bank_conflicts(&FlatLayout::of(&layout!(32:1))).ways, 1);
    /// ```
    #[must_use]
    #[track_caller]
    pub const fn with_banks(mut self, banks: usize, bank_bytes: usize) -> Self {
        let words = ["the banks are a power of two, and 64 at most: these are "];
        Message::require(banks.is_power_of_two() && banks <= 64, &words, &[banks]);
        let words = ["a bank is a power of two of bytes wide, and 16 at most: this is ", " wide"];
        Message::require(bank_bytes.is_power_of_two() && bank_bytes <= 16, &words, &[bank_bytes]);
        self.banks = banks;
        self.bank_bits = 8 * bank_bytes;
        // As many threads as all banks together can serve.
        if !self.matrix {
            let served = banks * self.bank_bits / self.access_bits;
            self.phase = if served > WARP {
                WARP
            } else if served == 0 {
                1
            } else {
                served
            };
        }
        self
    }

    /// The thread-value layout: (thread, value) -> number of a coordinate.
    ///
    /// ```
    /// use layout_algebra::{analysis::WarpAccess, prelude::*};
    /// let access = WarpAccess::new(&FlatLayout::of(&layout!((32, 4):(4, 1))), 16, 64);
    /// assert_eq!((access.threads().threads(), access.threads().values()), (32, 4));
    /// assert_eq!((access.element_bits(), access.access_bits()), (16, 64));
    /// assert_eq!((access.banks(), access.bank_bytes()), (32, 4));
    /// ```
    pub const fn threads(&self) -> &FlatLayout {
        &self.threads
    }
    /// The bits of an element; the example of [`threads`](Self::threads) has all parts.
    pub const fn element_bits(&self) -> usize {
        self.element_bits
    }
    /// The bits that a thread moves at once.
    pub const fn access_bits(&self) -> usize {
        self.access_bits
    }
    /// The number of banks.
    pub const fn banks(&self) -> usize {
        self.banks
    }
    /// The bytes of a bank's word.
    pub const fn bank_bytes(&self) -> usize {
        self.bank_bits / 8
    }

    /// Elements of an access.
    pub(super) const fn elements(&self) -> usize {
        self.access_bits / self.element_bits
    }

    /// Accesses of each thread.
    #[track_caller]
    pub(super) const fn accesses(&self) -> usize {
        self.threads.values() / self.elements()
    }

    /// Warps, the last one perhaps in part.
    #[track_caller]
    pub(super) const fn warps(&self) -> usize {
        self.threads.threads().div_ceil(WARP)
    }

    /// How many accesses of each warp are examined, and how many each of them stands for. If bits
    /// of threads and of values do not mix, the offsets of any access are those of the first one
    /// XORed with one number, which permutes banks, sectors and lines; thread 0 then shows whether
    /// elements are neighbours.
    #[track_caller]
    pub(super) const fn looked_at(&self, offsets: &OffsetTables<'_>) -> (usize, usize) {
        let accesses = self.accesses();
        if !(offsets.bitwise
            && self.element_bits.is_power_of_two()
            && self.access_bits.is_power_of_two()
            && accesses > 0)
        {
            return (accesses, 1);
        }
        let mut access = 1;
        while access < accesses && self.threads.threads() > 0 {
            self.start(offsets, 0, access);
            access += 1;
        }
        (1, accesses)
    }

    /// How many lanes the phase that begins at `lane` has. Two phases of a load of 64 or 128 bits
    /// are one, if in both together every thread has the address of its neighbour `lane ^ 1`, or
    /// every thread that of `lane ^ 2`; a missing neighbour sets no condition.
    #[track_caller]
    pub(super) const fn phase_at(
        &self,
        memory: &OffsetTables<'_>,
        warp: usize,
        access: usize,
        lane: usize,
    ) -> usize {
        let both = 2 * self.phase;
        if !self.merges() || lane % both != 0 {
            return self.phase;
        }
        let (mut by_one, mut by_two, mut k) = (true, true, lane);
        let at = access * self.elements();
        while k < lane + both && (by_one || by_two) {
            let thread = warp * WARP + k;
            if k & 1 == 0 && thread + 1 < self.threads.threads() {
                by_one = by_one && memory.get(thread, at) == memory.get(thread + 1, at);
            }
            if k & 2 == 0 && thread + 2 < self.threads.threads() {
                by_two = by_two && memory.get(thread, at) == memory.get(thread + 2, at);
            }
            k += 1;
        }
        if by_one || by_two { both } else { self.phase }
    }

    pub(super) const fn merges(&self) -> bool {
        !self.matrix
            && 2 * self.phase <= WARP
            && (self.access_bits == 64 || self.access_bits == 128)
    }

    /// The offset of the first element of access `access` of thread `thread`, whose elements
    /// have to be neighbours, aligned.
    #[track_caller]
    pub(super) const fn start(
        &self,
        memory: &OffsetTables<'_>,
        thread: usize,
        access: usize,
    ) -> usize {
        let elements = self.elements();
        let start = memory.get(thread, access * elements);
        let mut k = 1;
        while k < elements {
            let offset = memory.get(thread, access * elements + k);
            if offset < start || offset - start != k {
                let message = Message::new()
                    .number(self.access_bits)
                    .text(" bits at once: values ")
                    .number(access * elements)
                    .text(" and ")
                    .number(access * elements + k)
                    .text(" of thread ")
                    .number(thread)
                    .text(" are at offsets ")
                    .number(start)
                    .text(" and ")
                    .number(offset);
                panic!("{}", message.as_str());
            }
            k += 1;
        }
        // An access is of whole elements: it begins at a multiple of its own size where its
        // elements do.
        if start % elements != 0 {
            let message = Message::new()
                .number(self.access_bits)
                .text(" bits at once: value ")
                .number(access * elements)
                .text(" of thread ")
                .number(thread)
                .text(" is at offset ")
                .number(start)
                .text(", which is no multiple of ")
                .number(elements);
            panic!("{}", message.as_str());
        }
        start
    }
}

/// A [`WarpAccess`] as a type, for const functions: [`SharedAccess`] or [`Ldmatrix`].
///
/// ```
/// use layout_algebra::{analysis::*, prelude::*};
/// type Row = SharedAccess<Layout!((32, 1):(1, 0)), 32, 32>;
/// assert_eq!(Row::ACCESS.bank_conflicts(&FlatLayout::of(&layout!(32:1))).conflicts, 0);
/// ```
#[diagnostic::on_unimplemented(
    message = "this does not say how threads go to memory",
    label = "`{Self}`: not an access",
    note = "write `SharedAccess<ThreadValue, ELEMENT_BITS, ACCESS_BITS>` or `Ldmatrix<ThreadValue, ELEMENT_BITS>`, of \
            a static layout"
)]
pub trait Access {
    /// The access as data.
    const ACCESS: WarpAccess;
}

/// Accesses of `ACCESS_BITS` for each thread, of elements of `ELEMENT_BITS`, as the thread-value
/// layout `TV` says. See [`WarpAccess::new`].
///
/// ```
/// use layout_algebra::{analysis::*, prelude::*};
/// // thread i has the floats 4 i to 4 i + 3, all at once
/// type Quads = SharedAccess<Layout!((32, 4):(4, 1)), 32, 128>;
/// const _: () = assert!(bank_conflicts::<Layout!(128:1), Quads>() == 0);
/// ```
pub struct SharedAccess<
    TV,
    const ELEMENT_BITS: usize,
    const ACCESS_BITS: usize,
    const BANKS: usize = 32,
    const BANK_BYTES: usize = 4,
>(PhantomData<TV>);
impl<TV: StaticLayout, const E: usize, const A: usize, const BANKS: usize, const BANK_BYTES: usize>
    Access for SharedAccess<TV, E, A, BANKS, BANK_BYTES>
{
    const ACCESS: WarpAccess = WarpAccess::new(&TV::FLAT, E, A).with_banks(BANKS, BANK_BYTES);
}

/// An `ldmatrix` or `stmatrix` of `MATRICES` matrices, whose rows the threads of the layout `TV`
/// address. See [`WarpAccess::ldmatrix`].
///
/// ```
/// use layout_algebra::{analysis::*, prelude::*};
/// // CUTLASS's K-major tile of 128 bytes, and the first 16x16 of it in one ldmatrix.
/// type Smem = ComposedLayout<Swizzle<3, 3, 3>, Int<0>, Layout!(((8, 2), 64):((64, 512), 1))>;
/// type Rows = Ldmatrix<Layout!(((16, 2), 8):((1, 128), 16)), 16>;
/// const _: () = assert!(bank_conflicts::<Smem, Rows>() == 0);
/// ```
pub struct Ldmatrix<
    TV,
    const ELEMENT_BITS: usize,
    const MATRICES: usize = 4,
    const BANKS: usize = 32,
    const BANK_BYTES: usize = 4,
>(PhantomData<TV>);
impl<
    TV: StaticLayout,
    const E: usize,
    const MATRICES: usize,
    const BANKS: usize,
    const BANK_BYTES: usize,
> Access for Ldmatrix<TV, E, MATRICES, BANKS, BANK_BYTES>
{
    const ACCESS: WarpAccess =
        WarpAccess::ldmatrix(&TV::FLAT, E, MATRICES).with_banks(BANKS, BANK_BYTES);
}

impl FlatLayout {
    /// See [`vector_width`].
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let (rows, threads) =
    ///     (FlatLayout::of(&layout!((8, 64):(64, 1))), FlatLayout::of(&layout!((8, 64):(1, 8))));
    /// assert_eq!(rows.vector_width(&threads, 16, 16), 128);
    /// ```
    #[track_caller]
    pub const fn vector_width(
        &self,
        threads: &FlatLayout,
        element_bits: usize,
        alignment: usize,
    ) -> usize {
        let (count, values, offsets) =
            (threads.threads(), threads.values(), OffsetTables::new(self, threads));
        // The most elements: a power of two that divides what a thread has, and no larger than the
        // alignment.
        let mut most = if values == 0 { 1 } else { 1 << values.trailing_zeros() };
        while most > 1 && most as u128 * element_bits as u128 > 8 * alignment as u128 {
            most /= 2;
        }
        let mut thread = 0;
        while thread < count {
            let (mut before, mut value) = (0, 0);
            // Where bits of threads and of values do not mix, the other threads have one vector to
            // add.
            let values = if offsets.bitwise && thread > 0 { most } else { values };
            while value < values && most > 1 {
                let offset = offsets.get(thread, value);
                if value % most != 0 && (offset == 0 || offset - 1 != before) {
                    // A vector has to begin here.
                    most = 1 << value.trailing_zeros();
                }
                if value % most == 0 && offset % most != 0 {
                    most = 1 << offset.trailing_zeros();
                }
                before = offset;
                value += 1;
            }
            thread += 1;
        }
        match most.checked_mul(element_bits) {
            Some(bits) => bits,
            None => panic!("overflow: the bits of a vector are beyond usize"),
        }
    }
}

/// The widest load in bits that the values of every thread allow: `2^k` values that are neighbours
/// in memory and begin at a multiple of their own size, in memory aligned to `alignment` bytes,
/// which no load exceeds.
///
/// ```
/// use layout_algebra::{analysis::vector_width, prelude::*};
/// type Tile = Layout!((32, 32):(32, 1));
/// // a thread has a row
/// const _: () = assert!(vector_width::<Tile, Layout!((32, 32):(1, 32))>(32, 16) == 128);
/// // a thread has a column
/// const _: () = assert!(vector_width::<Tile, Layout!((32, 32):(32, 1))>(32, 16) == 32);
/// type Padded = Layout!((32, 32):(34, 1)); // rows begin at even offsets
/// const _: () = assert!(vector_width::<Padded, Layout!((32, 32):(1, 32))>(32, 16) == 64);
/// ```
#[track_caller]
pub const fn vector_width<Memory: StaticLayout, ThreadValue: StaticLayout>(
    element_bits: usize,
    alignment: usize,
) -> usize {
    Memory::FLAT.vector_width(&ThreadValue::FLAT, element_bits, alignment)
}
