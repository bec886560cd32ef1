//! The loops, compiled for each instruction set: the one file with unsafe code.
//!
//! A [`Nest`] is a list of loops over bytes. [`Nest::copy`] is safe: it proves by the extents and the steps that no
//! loop leaves the two slices, whatever made the nest, and then runs code that believes nothing else. All elements
//! are moved as bytes, of which any are a value: the slices are `[u8]`.
//!
//! ```text
//! transposed in registers: N = 16 / E rows of 16 bytes, log2 N times
//!     r'[2k], r'[2k+1] = the elements of r[k] and r[k + N/2] in turns
//! ```
//!
//! Wider registers do this in each lane of 16 bytes, and then exchange lanes.

use std::mem::MaybeUninit;

use crate::axes::Axis;
use crate::machine::InstructionSet;

/// The bytes of a line of the cache.
pub(crate) const LINE: usize = 64;
/// The bytes of a block of a transpose, along the destination and along the source.
const BLOCK_TO: usize = 256;
const BLOCK_FROM: usize = 1024;
/// The bytes of a panel's row in the destination that are gathered before they are streamed, and those of a panel along
/// the source.
const CHUNK: usize = 256;
const PANEL: usize = 512;
/// The columns of a panel at most, and the bytes from one to the next in the buffer: an odd number of lines.
const COLUMNS: usize = 128;
const PITCH: usize = LINE + CHUNK;
/// Rows shorter than this are moved register by register, longer ones streamed, or by the `memcpy` of the system.
const STREAMED_ROW: usize = 1024;
/// Rows of a transpose shorter than this are streamed only if they are whole lines.
const STREAMED_PANEL: usize = 512;

/// Loops over bytes: those around, the outermost last, and what is done in each step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Nest {
    pub(crate) outer: Vec<Axis>,
    pub(crate) inner: Inner,
    /// Of a transpose, the loops by which its rows go on in the destination, and its columns in the source.
    pub(crate) longer: [Vec<Axis>; 2],
    /// The place of the first byte in the source and in the destination.
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// Whether whole lines of the destination bypass the cache.
    pub(crate) stream: bool,
    pub(crate) set: InstructionSet,
}

/// What is done in each step of the loops around.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inner {
    /// Rows of bytes that lie side by side in both.
    Rows { bytes: usize, i: Axis, j: Axis },
    /// Elements of `unit` bytes, side by side in the destination along `i`, and in the source along `j`.
    Transpose { unit: usize, i: Axis, j: Axis },
    /// Elements of `unit` bytes one by one.
    Elements { unit: usize, i: Axis, j: Axis },
}

/// The kinds of a kernel: [`Inner`] as a constant.
const ROWS: u8 = 0;
const TRANSPOSE: u8 = 1;
const ELEMENTS: u8 = 2;

/// Calls one of the functions that are compiled for an instruction set, a kernel each: all kernels in one function would
/// take more of the stack than a thread has, where nothing is optimized.
macro_rules! each_kernel {
    ($nest:ident, $from:ident, $to:ident, $compiled:ident) => {
        match $nest.inner {
            Inner::Rows { .. } => $compiled::<ROWS, 16>($nest, $from, $to),
            Inner::Transpose { unit: 1, .. } => $compiled::<TRANSPOSE, 1>($nest, $from, $to),
            Inner::Transpose { unit: 2, .. } => $compiled::<TRANSPOSE, 2>($nest, $from, $to),
            Inner::Transpose { unit: 4, .. } => $compiled::<TRANSPOSE, 4>($nest, $from, $to),
            Inner::Transpose { unit: 8, .. } => $compiled::<TRANSPOSE, 8>($nest, $from, $to),
            Inner::Transpose { .. } => $compiled::<TRANSPOSE, 16>($nest, $from, $to),
            Inner::Elements { unit: 1, .. } => $compiled::<ELEMENTS, 1>($nest, $from, $to),
            Inner::Elements { unit: 2, .. } => $compiled::<ELEMENTS, 2>($nest, $from, $to),
            Inner::Elements { unit: 4, .. } => $compiled::<ELEMENTS, 4>($nest, $from, $to),
            Inner::Elements { unit: 8, .. } => $compiled::<ELEMENTS, 8>($nest, $from, $to),
            Inner::Elements { .. } => $compiled::<ELEMENTS, 16>($nest, $from, $to),
        }
    };
}
impl Nest {
    /// The loops within, as axes of bytes.
    fn inner_axes(&self) -> [Axis; 3] {
        match self.inner {
            Inner::Rows { bytes, i, j } => [Axis { extent: bytes, from: 1, to: 1 }, i, j],
            Inner::Transpose { unit, i, j } => {
                let e = unit as isize;
                [Axis { extent: unit, from: 1, to: 1 }, Axis { to: e, ..i }, Axis { from: e, ..j }]
            }
            Inner::Elements { unit, i, j } => [Axis { extent: unit, from: 1, to: 1 }, i, j],
        }
    }

    fn axes(&self) -> impl Iterator<Item = Axis> + '_ {
        self.inner_axes().into_iter().chain(self.longer.iter().flatten().copied()).chain(self.outer.iter().copied())
    }

    /// Whether every byte that the loops lead to lies in slices of these lengths.
    fn lies_within(&self, from: usize, to: usize) -> bool {
        let within = |base: usize, length: usize, step: fn(&Axis) -> isize| {
            let (mut least, mut most) = (base as i128, base as i128);
            for axis in self.axes() {
                // A product of 64 bits by 64 fits, and the sum of two may not.
                let reach = (axis.extent as i128 - 1) * step(&axis) as i128;
                let end = if reach < 0 { &mut least } else { &mut most };
                let Some(sum) = end.checked_add(reach) else { return false };
                *end = sum;
            }
            0 <= least && most < length as i128
        };
        within(self.from, from, |axis| axis.from) && within(self.to, to, |axis| axis.to)
    }

    /// Whether no byte of the destination is written twice: each step exceeds what the smaller ones reach.
    fn is_disjoint(&self) -> bool {
        let mut axes: Vec<_> = self.axes().filter(|axis| axis.extent > 1).collect();
        axes.sort_by_key(|axis| axis.to.unsigned_abs());
        let mut reach = 0u128;
        axes.iter().all(|axis| {
            let apart = axis.to.unsigned_abs() as u128 > reach;
            let end = reach.checked_add((axis.extent as u128 - 1) * axis.to.unsigned_abs() as u128);
            reach = end.unwrap_or(u128::MAX);
            apart
        })
    }

    fn is_empty(&self) -> bool {
        self.axes().any(|axis| axis.extent == 0)
    }

    /// Checks all that the code below believes.
    #[track_caller]
    fn check(&self, from: &[u8], to: &[u8]) {
        assert!(self.lies_within(from.len(), to.len()), "loops that leave their slices: {self:?}");
        assert!(self.set.is_available(), "loops for {}, which this processor does not have", self.set);
        // What is streamed may not be written again before a fence.
        assert!(!self.stream || self.is_disjoint(), "streamed loops that write a byte twice: {self:?}");
        if let Inner::Transpose { unit, .. } | Inner::Elements { unit, .. } = self.inner {
            assert!(matches!(unit, 1 | 2 | 4 | 8 | 16), "elements of {unit} bytes");
        }
        if let Inner::Transpose { unit, i, j } = self.inner {
            let goes_on = |run: isize, longer: &[Axis], step: fn(&Axis) -> isize| {
                let next = |run, axis: &Axis| (step(axis) == run).then_some(run * axis.extent as isize);
                longer.iter().try_fold(run, next).is_some()
            };
            let row = goes_on((unit * i.extent) as isize, &self.longer[0], |axis| axis.to);
            let column = goes_on((unit * j.extent) as isize, &self.longer[1], |axis| axis.from);
            assert!(row && column, "rows or columns with gaps: {self:?}");
        }
    }

    /// Runs the loops.
    ///
    /// # Panics
    /// If a loop would leave a slice, or the processor does not have the instruction set: no plan is such.
    pub(crate) fn copy(&self, from: &[u8], to: &mut [u8]) {
        if !self.is_empty() {
            self.check(from, to);
            // SAFETY: just checked; the two slices are borrowed, one of them mutably, and do not overlap.
            unsafe { self.run(from.as_ptr(), to.as_mut_ptr()) }
        }
    }

    /// Runs the loops on all threads of `rayon`, in parts of at least `least` bytes; on this thread alone, if two parts
    /// might write one byte.
    ///
    /// # Panics
    /// As [`copy`](Self::copy).
    #[cfg(feature = "rayon")]
    pub(crate) fn copy_parallel(&self, from: &[u8], to: &mut [u8], least: usize) {
        #[derive(Clone, Copy)]
        struct Places(*const u8, *mut u8);
        // SAFETY: two pointers into slices of bytes, which may be read and written on any thread; that threads do not
        // write what others touch is the promise at `parts`.
        unsafe impl Send for Places {}
        // SAFETY: as above.
        unsafe impl Sync for Places {}
        fn parts(nest: Nest, places: Places, least: usize) {
            if let Some([first, second]) = (nest.bytes() > least).then(|| nest.halves()).flatten() {
                rayon::join(|| parts(first, places, least), || parts(second, places, least));
            } else {
                let Places(from, to) = places;
                // SAFETY: a part's loops are some of the loops that were checked. No byte is written in two steps of
                // these (`is_disjoint`), and the parts share no step.
                unsafe { nest.run(from, to) }
            }
        }
        if self.is_empty() || !self.is_disjoint() {
            return self.copy(from, to);
        }
        self.check(from, to);
        parts(self.clone(), Places(from.as_ptr(), to.as_mut_ptr()), least);
    }

    /// The bytes that are moved.
    #[cfg(feature = "rayon")]
    fn bytes(&self) -> usize {
        self.axes().map(|axis| axis.extent).product()
    }

    /// The two halves of the loops, cut in the axis that reaches furthest in the destination.
    #[cfg(feature = "rayon")]
    fn halves(&self) -> Option<[Nest; 2]> {
        let axes: Vec<_> = self.axes().collect();
        // Whole lines and whole tiles stay together, and an element does.
        let least = |k: usize| match (self.inner, k) {
            (Inner::Rows { .. }, 0) => 4096,
            (Inner::Transpose { unit, .. }, 1) => CHUNK / unit,
            (Inner::Transpose { unit, .. }, 2) => LINE / unit,
            (_, 0) => usize::MAX,
            _ => 1,
        };
        let longer = self.longer[0].len() + self.longer[1].len();
        // What goes on behind its end is not cut.
        let is_whole = |k: usize| if longer > 0 { k < 3 + longer } else { false };
        let cuts = |&k: &usize| !is_whole(k) && axes[k].extent / 2 >= least(k);
        let k = (0..axes.len()).filter(cuts).max_by_key(|&k| axes[k].extent as i128 * axes[k].to as i128)?;
        let at = (axes[k].extent / 2).next_multiple_of(least(k));
        let part = |extent: usize, first: usize| {
            let mut part = self.clone();
            part.from = part.from.wrapping_add_signed(first as isize * axes[k].from);
            part.to = part.to.wrapping_add_signed(first as isize * axes[k].to);
            match (&mut part.inner, k) {
                (Inner::Rows { bytes, .. }, 0) => *bytes = extent,
                (Inner::Rows { i, .. } | Inner::Transpose { i, .. } | Inner::Elements { i, .. }, 1) => {
                    i.extent = extent
                }
                (Inner::Rows { j, .. } | Inner::Transpose { j, .. } | Inner::Elements { j, .. }, 2) => {
                    j.extent = extent
                }
                _ => part.outer[k - 3 - longer].extent = extent,
            }
            part
        };
        Some([part(at, 0), part(axes[k].extent - at, at)])
    }

    /// Runs the loops, compiled for their instruction set.
    ///
    /// # Safety
    /// From `from` and `to` on, every byte that the loops lead to may be read and written, the two do not overlap, no
    /// extent is 0, and the processor has the instruction set.
    unsafe fn run(&self, from: *const u8, to: *mut u8) {
        // SAFETY: the caller's promise; the first bytes are among those.
        unsafe {
            let (from, to) = (from.add(self.from), to.add(self.to));
            match self.set {
                #[cfg(target_arch = "x86_64")]
                InstructionSet::Avx512 => each_kernel!(self, from, to, with_avx512),
                #[cfg(target_arch = "x86_64")]
                InstructionSet::Avx2 => each_kernel!(self, from, to, with_avx2),
                #[cfg(target_arch = "x86_64")]
                InstructionSet::Sse2 => each_kernel!(self, from, to, with_sse2),
                #[cfg(target_arch = "aarch64")]
                InstructionSet::Neon => each_kernel!(self, from, to, with_neon),
                _ => each_kernel!(self, from, to, with_bytes),
            }
        }
    }
}

/// A function compiled for an instruction set: with its widest registers, and others for elements of one and two bytes.
macro_rules! compiled {
    ($($(#[$attribute:meta])* $name:ident: $wide:ty, $narrow:ty;)*) => { $(
        /// # Safety
        /// As [`Nest::run`]; `from` and `to` are the places of the first byte, and the kernel is that of the nest.
        $(#[$attribute])*
        #[inline(never)]
        unsafe fn $name<const KIND: u8, const E: usize>(nest: &Nest, from: *const u8, to: *mut u8) {
            // SAFETY: the caller's promise.
            unsafe {
                if const { E <= 2 } {
                    loops::<$narrow, KIND, E>(nest, from, to);
                } else {
                    loops::<$wide, KIND, E>(nest, from, to);
                }
            }
        }
    )* };
}
compiled! {
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,avx512f,avx512bw,avx512vl")]
    with_avx512: x86::Z, x86::Y;
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    with_avx2: x86::Y, x86::Y;
    #[cfg(target_arch = "x86_64")]
    with_sse2: x86::X, x86::X;
    #[cfg(target_arch = "aarch64")]
    with_neon: neon::Q, neon::Q;
    with_bytes: Bytes, Bytes;
}

// ---- registers ----------------------------------------------------------------------------------------------------

/// A register of `LANES` lanes of 16 bytes.
///
/// # Safety
/// Whoever calls a function of it has the instruction set. A load reads all bytes of the register, a store writes them;
/// a stream writes them too, to a place that is a multiple of their number.
trait Register: Copy {
    const LANES: usize;
    const BYTES: usize = 16 * Self::LANES;
    unsafe fn load(from: *const u8) -> Self;
    unsafe fn store(self, to: *mut u8);
    /// Stores around the cache, where the processor can.
    unsafe fn stream(self, to: *mut u8);
    /// The elements of `E` bytes of the lower halves of the lanes of two registers, in turns.
    unsafe fn low<const E: usize>(self, other: Self) -> Self;
    /// Those of the upper halves.
    unsafe fn high<const E: usize>(self, other: Self) -> Self;
    /// Of `LANES` registers from `at` on, every `step`-th: lane `l` of register `k` becomes lane `k` of register `l`.
    unsafe fn exchange(registers: &mut [Self; 16], at: usize, step: usize);
    /// Stores lane `l`.
    unsafe fn store_lane(self, l: usize, to: *mut u8);
    /// What was streamed is seen before what is stored later.
    unsafe fn fence();
}

/// 16 bytes that the compiler keeps where it likes.
#[derive(Clone, Copy)]
struct Bytes([u8; 16]);

impl Bytes {
    #[inline(always)]
    fn in_turns<const E: usize>(self, other: Self, first: usize) -> Self {
        Bytes(std::array::from_fn(|k| {
            let (element, byte) = (k / E, k % E);
            let at = first + element / 2 * E + byte;
            if element % 2 == 0 { self.0[at] } else { other.0[at] }
        }))
    }
}

impl Register for Bytes {
    const LANES: usize = 1;
    #[inline(always)]
    unsafe fn load(from: *const u8) -> Self {
        // SAFETY: the caller's promise: 16 bytes may be read.
        unsafe { from.cast::<Self>().read() }
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut u8) {
        // SAFETY: the caller's promise: 16 bytes may be written.
        unsafe { to.cast::<Self>().write(self) }
    }
    #[inline(always)]
    unsafe fn stream(self, to: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { self.store(to) }
    }
    #[inline(always)]
    unsafe fn low<const E: usize>(self, other: Self) -> Self {
        self.in_turns::<E>(other, 0)
    }
    #[inline(always)]
    unsafe fn high<const E: usize>(self, other: Self) -> Self {
        self.in_turns::<E>(other, 8)
    }
    #[inline(always)]
    unsafe fn exchange(_: &mut [Self; 16], _: usize, _: usize) {}
    #[inline(always)]
    unsafe fn store_lane(self, _: usize, to: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { self.store(to) }
    }
    #[inline(always)]
    unsafe fn fence() {}
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::Register;
    use std::arch::x86_64::*;

    #[derive(Clone, Copy)]
    pub(super) struct X(__m128i);
    #[derive(Clone, Copy)]
    pub(super) struct Y(__m256i);
    #[derive(Clone, Copy)]
    pub(super) struct Z(__m512i);

    macro_rules! register {
        ($name:ident, $lanes:literal, $load:ident $store:ident $stream:ident,
         $($low:ident $high:ident $e:tt),*; $exchange:expr; $lane:expr) => {
            impl Register for $name {
                const LANES: usize = $lanes;
                #[inline(always)]
                unsafe fn load(from: *const u8) -> Self {
                    // SAFETY: the caller's promise: the instruction is there, and the bytes may be read.
                    $name(unsafe { $load(from.cast()) })
                }
                #[inline(always)]
                unsafe fn store(self, to: *mut u8) {
                    // SAFETY: the caller's promise: the instruction is there, and the bytes may be written.
                    unsafe { $store(to.cast(), self.0) }
                }
                #[inline(always)]
                unsafe fn stream(self, to: *mut u8) {
                    // SAFETY: as in `store`; the place is aligned.
                    unsafe { $stream(to.cast(), self.0) }
                }
                #[inline(always)]
                unsafe fn low<const E: usize>(self, other: Self) -> Self {
                    // SAFETY: the instruction is there.
                    $name(unsafe { match E { $($e => $low(self.0, other.0),)* } })
                }
                #[inline(always)]
                unsafe fn high<const E: usize>(self, other: Self) -> Self {
                    // SAFETY: the instruction is there.
                    $name(unsafe { match E { $($e => $high(self.0, other.0),)* } })
                }
                #[inline(always)]
                unsafe fn exchange(registers: &mut [Self; 16], at: usize, step: usize) {
                    // SAFETY: the instruction is there.
                    unsafe { $exchange(registers, at, step) }
                }
                #[inline(always)]
                unsafe fn store_lane(self, l: usize, to: *mut u8) {
                    // SAFETY: the instructions are there, and 16 bytes may be written.
                    unsafe { _mm_storeu_si128(to.cast(), $lane(self.0, l)) }
                }
                #[inline(always)]
                unsafe fn fence() {
                    // SAFETY: every x86-64 has the instruction.
                    unsafe { _mm_sfence() }
                }
            }
        };
    }
    register! { X, 1, _mm_loadu_si128 _mm_storeu_si128 _mm_stream_si128,
        _mm_unpacklo_epi8 _mm_unpackhi_epi8 1, _mm_unpacklo_epi16 _mm_unpackhi_epi16 2,
        _mm_unpacklo_epi32 _mm_unpackhi_epi32 4, _mm_unpacklo_epi64 _mm_unpackhi_epi64 _;
        no_exchange; whole
    }
    register! { Y, 2, _mm256_loadu_si256 _mm256_storeu_si256 _mm256_stream_si256,
        _mm256_unpacklo_epi8 _mm256_unpackhi_epi8 1, _mm256_unpacklo_epi16 _mm256_unpackhi_epi16 2,
        _mm256_unpacklo_epi32 _mm256_unpackhi_epi32 4, _mm256_unpacklo_epi64 _mm256_unpackhi_epi64 _;
        exchange_two; lane_of_two
    }
    register! { Z, 4, _mm512_loadu_si512 _mm512_storeu_si512 _mm512_stream_si512,
        _mm512_unpacklo_epi8 _mm512_unpackhi_epi8 1, _mm512_unpacklo_epi16 _mm512_unpackhi_epi16 2,
        _mm512_unpacklo_epi32 _mm512_unpackhi_epi32 4, _mm512_unpacklo_epi64 _mm512_unpackhi_epi64 _;
        exchange_four; lane_of_four
    }

    #[inline(always)]
    unsafe fn no_exchange(_: &mut [X; 16], _: usize, _: usize) {}
    #[inline(always)]
    unsafe fn whole(register: __m128i, _: usize) -> __m128i {
        register
    }
    #[inline(always)]
    unsafe fn exchange_two(r: &mut [Y; 16], at: usize, step: usize) {
        let (a, b) = (r[at].0, r[at + step].0);
        // SAFETY: the caller's promise: the instruction is there.
        unsafe {
            r[at] = Y(_mm256_permute2x128_si256::<0x20>(a, b));
            r[at + step] = Y(_mm256_permute2x128_si256::<0x31>(a, b));
        }
    }
    #[inline(always)]
    unsafe fn exchange_four(r: &mut [Z; 16], at: usize, step: usize) {
        let [a, b, c, d] = [0, 1, 2, 3].map(|k| r[at + k * step].0);
        // SAFETY: the caller's promise: the instruction is there.
        unsafe {
            // Lanes 0 and 1 of a and b, lanes 2 and 3 of them; the same of c and d.
            let (low, high) = (_mm512_shuffle_i64x2::<0x44>(a, b), _mm512_shuffle_i64x2::<0xEE>(a, b));
            let (lower, higher) = (_mm512_shuffle_i64x2::<0x44>(c, d), _mm512_shuffle_i64x2::<0xEE>(c, d));
            r[at] = Z(_mm512_shuffle_i64x2::<0x88>(low, lower));
            r[at + step] = Z(_mm512_shuffle_i64x2::<0xDD>(low, lower));
            r[at + 2 * step] = Z(_mm512_shuffle_i64x2::<0x88>(high, higher));
            r[at + 3 * step] = Z(_mm512_shuffle_i64x2::<0xDD>(high, higher));
        }
    }
    #[inline(always)]
    unsafe fn lane_of_two(register: __m256i, l: usize) -> __m128i {
        // SAFETY: the caller's promise: the instruction is there.
        unsafe { if l == 0 { _mm256_castsi256_si128(register) } else { _mm256_extracti128_si256::<1>(register) } }
    }
    #[inline(always)]
    unsafe fn lane_of_four(register: __m512i, l: usize) -> __m128i {
        // SAFETY: the caller's promise: the instruction is there.
        unsafe {
            match l {
                0 => _mm512_castsi512_si128(register),
                1 => _mm512_extracti32x4_epi32::<1>(register),
                2 => _mm512_extracti32x4_epi32::<2>(register),
                _ => _mm512_extracti32x4_epi32::<3>(register),
            }
        }
    }
}

#[cfg(target_arch = "aarch64")]
mod neon {
    use super::Register;
    use std::arch::aarch64::*;

    /// NEON is part of every AArch64 that Rust's targets for it describe.
    #[derive(Clone, Copy)]
    pub(super) struct Q(uint8x16_t);

    macro_rules! zip {
        ($a:expr, $b:expr, $zip8:ident $zip16:ident $zip32:ident $zip64:ident) => {
            // SAFETY: the instruction is there.
            Q(unsafe {
                match E {
                    1 => $zip8($a, $b),
                    2 => vreinterpretq_u8_u16($zip16(vreinterpretq_u16_u8($a), vreinterpretq_u16_u8($b))),
                    4 => vreinterpretq_u8_u32($zip32(vreinterpretq_u32_u8($a), vreinterpretq_u32_u8($b))),
                    _ => vreinterpretq_u8_u64($zip64(vreinterpretq_u64_u8($a), vreinterpretq_u64_u8($b))),
                }
            })
        };
    }

    impl Register for Q {
        const LANES: usize = 1;
        #[inline(always)]
        unsafe fn load(from: *const u8) -> Self {
            // SAFETY: the caller's promise: 16 bytes may be read.
            Q(unsafe { vld1q_u8(from) })
        }
        #[inline(always)]
        unsafe fn store(self, to: *mut u8) {
            // SAFETY: the caller's promise: 16 bytes may be written.
            unsafe { vst1q_u8(to, self.0) }
        }
        #[inline(always)]
        unsafe fn stream(self, to: *mut u8) {
            // SAFETY: as in `store`.
            unsafe { vst1q_u8(to, self.0) }
        }
        #[inline(always)]
        unsafe fn low<const E: usize>(self, other: Self) -> Self {
            zip!(self.0, other.0, vzip1q_u8 vzip1q_u16 vzip1q_u32 vzip1q_u64)
        }
        #[inline(always)]
        unsafe fn high<const E: usize>(self, other: Self) -> Self {
            zip!(self.0, other.0, vzip2q_u8 vzip2q_u16 vzip2q_u32 vzip2q_u64)
        }
        #[inline(always)]
        unsafe fn exchange(_: &mut [Self; 16], _: usize, _: usize) {}
        #[inline(always)]
        unsafe fn store_lane(self, _: usize, to: *mut u8) {
            // SAFETY: as in `store`.
            unsafe { vst1q_u8(to, self.0) }
        }
        #[inline(always)]
        unsafe fn fence() {}
    }
}

// ---- loops --------------------------------------------------------------------------------------------------------

/// The steps of the loops around, as the bytes that each is away from the first one.
struct Steps<'n> {
    axes: &'n [Axis],
    counts: Vec<usize>,
    next: Option<(isize, isize)>,
}

impl<'n> Steps<'n> {
    #[inline(always)]
    fn new(axes: &'n [Axis]) -> Self {
        // No memory is taken for no loops.
        Steps { axes, counts: vec![0; axes.len()], next: Some((0, 0)) }
    }

    #[inline(always)]
    fn next(&mut self) -> Option<(isize, isize)> {
        let (mut from, mut to) = self.next?;
        self.next = None;
        let now = (from, to);
        for (axis, count) in self.axes.iter().zip(&mut self.counts) {
            *count += 1;
            if *count < axis.extent {
                self.next = Some((from + axis.from, to + axis.to));
                break;
            }
            from -= (*count as isize - 1) * axis.from;
            to -= (*count as isize - 1) * axis.to;
            *count = 0;
        }
        Some(now)
    }
}

/// All loops of a nest, with registers `V`.
///
/// # Safety
/// As [`Nest::run`]; `from` and `to` are the places of the first byte. The kernel is that of the nest.
#[inline(always)]
unsafe fn loops<V: Register, const KIND: u8, const E: usize>(nest: &Nest, from: *const u8, to: *mut u8) {
    // SAFETY: the caller's promise.
    unsafe {
        match (KIND, nest.inner) {
            (ROWS, Inner::Rows { bytes, i, j }) => rows::<V>(nest, bytes, i, j, from, to),
            (TRANSPOSE, Inner::Transpose { i, j, .. }) => transposes::<V, E>(nest, i, j, from, to),
            (ELEMENTS, Inner::Elements { i, j, .. }) => elements::<V, E>(nest, i, j, from, to),
            _ => unreachable!("the kernel of another nest"),
        }
        if nest.stream {
            V::fence();
        }
    }
}

/// The coordinates of two loops in blocks, so that what lies near in either memory is touched soon again.
struct Blocks {
    extents: [usize; 2],
    first: [usize; 2],
    at: [usize; 2],
}

impl Blocks {
    const SIDE: usize = 32;

    #[inline(always)]
    fn new(i: Axis, j: Axis) -> Self {
        Blocks { extents: [i.extent, j.extent], first: [0; 2], at: [0; 2] }
    }

    /// The first coordinates of a row of a block, and how many are in it.
    #[inline(always)]
    fn next_row(&mut self) -> Option<(usize, usize, usize)> {
        let ([i, j], [_, at]) = (self.first, self.at);
        let [rows, columns] = self.extents;
        if j >= columns {
            return None;
        }
        let row = (i, at, Self::SIDE.min(rows - i));
        if at + 1 < columns.min(j + Self::SIDE) {
            self.at[1] += 1;
        } else if i + Self::SIDE < rows {
            (self.first[0], self.at[1]) = (i + Self::SIDE, j);
        } else {
            (self.first, self.at[1]) = ([0, j + Self::SIDE], j + Self::SIDE);
        }
        Some(row)
    }
}

/// # Safety
/// As [`loops`].
#[inline(always)]
unsafe fn rows<V: Register>(nest: &Nest, bytes: usize, i: Axis, j: Axis, from: *const u8, to: *mut u8) {
    let mut steps = Steps::new(&nest.outer);
    while let Some((f, t)) = steps.next() {
        let mut blocks = Blocks::new(i, j);
        while let Some((first, at, count)) = blocks.next_row() {
            for i_at in first as isize..(first + count) as isize {
                // SAFETY: the caller's promise: `(i, j)` is a step of the two loops, and all bytes of a row are its.
                unsafe {
                    let from = from.offset(f + i_at * i.from + at as isize * j.from);
                    let to = to.offset(t + i_at * i.to + at as isize * j.to);
                    if bytes < STREAMED_ROW {
                        short_row::<V>(from, to, bytes);
                    } else if nest.stream {
                        stream_row::<V>(from, to, bytes);
                    } else {
                        to.copy_from_nonoverlapping(from, bytes);
                    }
                }
            }
        }
    }
}

/// # Safety
/// So many bytes may be read at `from` and written at `to`.
#[inline(always)]
unsafe fn short_row<V: Register>(from: *const u8, to: *mut u8, bytes: usize) {
    // SAFETY: the caller's promise. Each part lies within the bytes: the last one of each size may overlap the one
    // before.
    unsafe {
        if bytes >= V::BYTES {
            let mut at = 0;
            while at + V::BYTES <= bytes {
                V::load(from.add(at)).store(to.add(at));
                at += V::BYTES;
            }
            if at < bytes {
                V::load(from.add(bytes - V::BYTES)).store(to.add(bytes - V::BYTES));
            }
        } else if bytes >= 32 {
            two_ends::<[u8; 32]>(from, to, bytes);
        } else if bytes >= 16 {
            two_ends::<[u8; 16]>(from, to, bytes);
        } else if bytes >= 8 {
            two_ends::<[u8; 8]>(from, to, bytes);
        } else if bytes >= 4 {
            two_ends::<[u8; 4]>(from, to, bytes);
        } else {
            for at in 0..bytes {
                to.add(at).write(from.add(at).read());
            }
        }
    }
}

/// # Safety
/// As [`short_row`], of at least as many bytes as a `W` has, which is an array of bytes, and at most twice as many.
#[inline(always)]
unsafe fn two_ends<W>(from: *const u8, to: *mut u8, bytes: usize) {
    let last = bytes - size_of::<W>();
    // SAFETY: the caller's promise.
    unsafe {
        let (first, second) = (from.cast::<W>().read_unaligned(), from.add(last).cast::<W>().read_unaligned());
        to.cast::<W>().write_unaligned(first);
        to.add(last).cast::<W>().write_unaligned(second);
    }
}

/// # Safety
/// As [`short_row`].
#[inline(always)]
unsafe fn stream_row<V: Register>(from: *const u8, to: *mut u8, bytes: usize) {
    let head = (to.addr().wrapping_neg() % LINE).min(bytes);
    // SAFETY: the caller's promise: head, whole lines and tail are the row, and lines begin at multiples of their size.
    unsafe {
        to.copy_from_nonoverlapping(from, head);
        let mut at = head;
        while at + LINE <= bytes {
            stream_line::<V>(from.add(at), to.add(at));
            at += LINE;
        }
        to.add(at).copy_from_nonoverlapping(from.add(at), bytes - at);
    }
}

/// # Safety
/// A line may be read at `from`, and written at `to`, which is a multiple of a line.
#[inline(always)]
unsafe fn stream_line<V: Register>(from: *const u8, to: *mut u8) {
    let mut at = 0;
    while at < LINE {
        // SAFETY: the caller's promise; a line is one or more registers.
        unsafe { V::load(from.add(at)).stream(to.add(at)) };
        at += V::BYTES;
    }
}

/// Element by element, in blocks.
///
/// # Safety
/// As [`loops`].
#[inline(always)]
unsafe fn elements<V: Register, const E: usize>(nest: &Nest, i: Axis, j: Axis, from: *const u8, to: *mut u8) {
    let mut steps = Steps::new(&nest.outer);
    while let Some((f, t)) = steps.next() {
        // SAFETY: the caller's promise: `(i, j)` is a step of the two inner loops, and all bytes of an element are its.
        unsafe {
            let (from, to) = (from.offset(f), to.offset(t));
            if i.from == 0 && i.to == E as isize {
                for at in 0..j.extent as isize {
                    fill::<V, E>(from.offset(at * j.from), to.offset(at * j.to), i.extent);
                }
                continue;
            }
            let mut blocks = Blocks::new(i, j);
            while let Some((first, at, count)) = blocks.next_row() {
                for i_at in first as isize..(first + count) as isize {
                    let from = from.offset(i_at * i.from + at as isize * j.from).cast::<[u8; E]>();
                    let to = to.offset(i_at * i.to + at as isize * j.to).cast::<[u8; E]>();
                    to.write(from.read());
                }
            }
        }
    }
}

/// The same element `count` times.
///
/// # Safety
/// An element may be read at `from`, and `count` written at `to`.
#[inline(always)]
unsafe fn fill<V: Register, const E: usize>(from: *const u8, to: *mut u8, count: usize) {
    // SAFETY: the caller's promise; a register holds whole elements.
    unsafe {
        let element = from.cast::<[u8; E]>().read();
        let mut pattern = [0; LINE];
        for at in 0..V::BYTES / E {
            pattern[at * E..at * E + E].copy_from_slice(&element);
        }
        let register = V::load(pattern.as_ptr());
        let whole = count * E / V::BYTES * V::BYTES;
        for at in (0..whole).step_by(V::BYTES) {
            register.store(to.add(at));
        }
        for at in (whole..count * E).step_by(E) {
            to.add(at).cast::<[u8; E]>().write(element);
        }
    }
}

// ---- transposes ---------------------------------------------------------------------------------------------------

/// The elements in 16 bytes.
const fn lane(e: usize) -> usize {
    16 / e
}

/// The rows of a tile: as many as fill a register of the destination if there are registers for them, else a lane.
const fn tile_rows<V: Register>(e: usize) -> usize {
    if V::LANES * lane(e) <= 16 { V::LANES * lane(e) } else { lane(e) }
}

/// The columns of a tile: a register of the source.
const fn tile_columns<V: Register>(e: usize) -> usize {
    V::LANES * lane(e)
}

/// Where the rows of a matrix begin.
trait Begins: Copy {
    /// How far row `k` lies behind the first one.
    ///
    /// # Safety
    /// There is a row `k`.
    unsafe fn at(self, k: usize) -> isize;
    /// The rows from `k` on, and how far the place moves from which they are counted. There are at least `k` rows.
    fn from(self, k: usize) -> (Self, isize);
    /// The step from each row to the next, if there is one.
    fn step(self) -> Option<isize>;
    /// Whether rows lie whole lines from one another.
    fn lies_by_lines(self) -> bool;
}

/// So many bytes from a row to the next.
#[derive(Clone, Copy)]
struct Even(isize);

impl Begins for Even {
    #[inline(always)]
    unsafe fn at(self, k: usize) -> isize {
        k as isize * self.0
    }
    #[inline(always)]
    fn from(self, k: usize) -> (Self, isize) {
        (self, k as isize * self.0)
    }
    #[inline(always)]
    fn step(self) -> Option<isize> {
        Some(self.0)
    }
    #[inline(always)]
    fn lies_by_lines(self) -> bool {
        self.0 % LINE as isize == 0
    }
}

/// A list, and whether all of it are whole lines.
#[derive(Clone, Copy)]
struct Listed(*const isize, bool);

impl Listed {
    fn new(list: &[isize]) -> Self {
        Listed(list.as_ptr(), list.iter().all(|at| at % LINE as isize == 0))
    }
}

impl Begins for Listed {
    #[inline(always)]
    unsafe fn at(self, k: usize) -> isize {
        // SAFETY: the caller's promise: the list has an entry for each row.
        unsafe { self.0.add(k).read() }
    }
    #[inline(always)]
    fn from(self, k: usize) -> (Self, isize) {
        (Listed(self.0.wrapping_add(k), self.1), 0)
    }
    #[inline(always)]
    fn step(self) -> Option<isize> {
        None
    }
    #[inline(always)]
    fn lies_by_lines(self) -> bool {
        self.1
    }
}

/// The offsets of some loops, the first of which is the innermost.
fn listed(first: Axis, longer: &[Axis], step: fn(&Axis) -> isize) -> Vec<isize> {
    let mut list = vec![0];
    for axis in [first].iter().chain(longer) {
        list = (0..axis.extent as isize).flat_map(|k| list.iter().map(move |at| at + k * step(axis))).collect();
    }
    list
}

/// One matrix of elements of `E` bytes: `to[j][i] = from[i][j]`, and where the rows of both begin.
#[derive(Clone, Copy)]
struct Matrix<R, C> {
    from: *const u8,
    from_rows: R,
    to: *mut u8,
    to_rows: C,
    rows: usize,
    columns: usize,
}

impl<R: Begins, C: Begins> Matrix<R, C> {
    /// The part from `(i, j)` on, of so many rows and columns.
    #[inline(always)]
    fn part<const E: usize>(self, i: usize, j: usize, rows: usize, columns: usize) -> Self {
        // No pointer of an empty part is used: it may lie outside.
        let ((from_rows, down), (to_rows, right)) = (self.from_rows.from(i), self.to_rows.from(j));
        let from = self.from.wrapping_offset(down + (j * E) as isize);
        let to = self.to.wrapping_offset(right + (i * E) as isize);
        Matrix { from, from_rows, to, to_rows, rows, columns }
    }

    /// Row `i` of the source.
    ///
    /// # Safety
    /// There is a row `i`.
    #[inline(always)]
    unsafe fn source(self, i: usize) -> *const u8 {
        // SAFETY: the caller's promise: its first element may be read.
        unsafe { self.from.offset(self.from_rows.at(i)) }
    }

    /// Row `j` of the destination.
    ///
    /// # Safety
    /// There is a column `j`.
    #[inline(always)]
    unsafe fn target(self, j: usize) -> *mut u8 {
        // SAFETY: the caller's promise: its first element may be written.
        unsafe { self.to.offset(self.to_rows.at(j)) }
    }
}

/// # Safety
/// As [`loops`].
#[inline(always)]
unsafe fn transposes<V: Register, const E: usize>(nest: &Nest, i: Axis, j: Axis, from: *const u8, to: *mut u8) {
    // SAFETY: the caller's promise. A list has as many entries as there are rows or columns.
    unsafe {
        if nest.longer.iter().all(Vec::is_empty) {
            return matrices::<V, E, _, _>(nest, from, to, Even(i.from), Even(j.to), i.extent, j.extent);
        }
        let rows = listed(i, &nest.longer[0], |axis| axis.from);
        let columns = listed(j, &nest.longer[1], |axis| axis.to);
        let (from_rows, to_rows) = (Listed::new(&rows), Listed::new(&columns));
        matrices::<V, E, _, _>(nest, from, to, from_rows, to_rows, rows.len(), columns.len());
    }
}

/// # Safety
/// As [`loops`], of matrices of so many rows and columns.
#[inline(always)]
unsafe fn matrices<V: Register, const E: usize, R: Begins, C: Begins>(
    nest: &Nest,
    from: *const u8,
    to: *mut u8,
    from_rows: R,
    to_rows: C,
    rows: usize,
    columns: usize,
) {
    let mut buffer = nest.stream.then(Buffer::new);
    let mut steps = Steps::new(&nest.outer);
    while let Some((f, t)) = steps.next() {
        // SAFETY: the caller's promise: of a step, all elements of its matrix.
        unsafe {
            let mut matrix = Matrix { from: from.offset(f), from_rows, to: to.offset(t), to_rows, rows, columns };
            // Rows that lie by lines, of which none begins one: what stands before the first line is moved alone.
            let before = matrix.to.addr().wrapping_neg() % LINE;
            if before > 0 && before.is_multiple_of(E) && rows * E >= STREAMED_PANEL && to_rows.lies_by_lines() {
                edge::<E, R, C>(matrix.part::<E>(0, 0, before / E, columns));
                matrix = matrix.part::<E>(before / E, 0, rows - before / E, columns);
            }
            let rows = matrix.rows;
            match &mut buffer {
                Some(_) if lines_are_tiles::<V, E, R, C>(matrix) => stream_tiles::<V, E, R, C>(matrix),
                Some(buffer) if rows * E >= STREAMED_PANEL => stream_panels::<V, E, R, C>(matrix, buffer),
                Some(buffer) if to_rows.step() == Some((rows * E) as isize) => {
                    stream_side_by_side::<V, E, R, C>(matrix, buffer);
                }
                _ => blocks::<V, E, R, C>(matrix),
            }
        }
    }
}

/// Block after block, down the columns of the source.
///
/// # Safety
/// All elements of the matrix may be read and written, and the instructions of `V` are there.
#[inline(always)]
unsafe fn blocks<V: Register, const E: usize, R: Begins, C: Begins>(matrix: Matrix<R, C>) {
    let (height, width) = (BLOCK_TO / E, BLOCK_FROM / E);
    for j in (0..matrix.columns).step_by(width) {
        for i in (0..matrix.rows).step_by(height) {
            let (rows, columns) = (height.min(matrix.rows - i), width.min(matrix.columns - j));
            // SAFETY: the caller's promise: the block is a part.
            unsafe { block::<V, E, R, C>(matrix.part::<E>(i, j, rows, columns)) }
        }
    }
}

/// Whole tiles, tiles of one lane at the edges, and elements in the corner.
///
/// # Safety
/// As [`blocks`].
#[inline(always)]
unsafe fn block<V: Register, const E: usize, R: Begins, C: Begins>(matrix: Matrix<R, C>) {
    let (height, width) = (const { tile_rows::<V>(E) }, const { tile_columns::<V>(E) });
    let (rows, columns) = (matrix.rows, matrix.columns);
    let (whole_rows, whole_columns) = (rows / height * height, columns / width * width);
    // SAFETY: the caller's promise: each tile and each edge is a part.
    unsafe {
        for i in (0..whole_rows).step_by(height) {
            for j in (0..whole_columns).step_by(width) {
                tile::<V, E, false, R, C>(matrix.part::<E>(i, j, height, width));
            }
        }
        edge::<E, R, C>(matrix.part::<E>(whole_rows, 0, rows - whole_rows, whole_columns));
        edge::<E, R, C>(matrix.part::<E>(0, whole_columns, rows, columns - whole_columns));
    }
}

/// Tiles of 16 bytes by as many, and elements beside them.
///
/// # Safety
/// As [`blocks`].
#[inline(always)]
unsafe fn edge<const E: usize, R: Begins, C: Begins>(matrix: Matrix<R, C>) {
    #[cfg(target_arch = "x86_64")]
    type Narrow = x86::X;
    #[cfg(target_arch = "aarch64")]
    type Narrow = neon::Q;
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    type Narrow = Bytes;
    let n = const { lane(E) };
    let (whole_rows, whole_columns) = (matrix.rows / n * n, matrix.columns / n * n);
    // SAFETY: the caller's promise: each tile is a part, and each element beside them.
    unsafe {
        for i in (0..whole_rows).step_by(n) {
            for j in (0..whole_columns).step_by(n) {
                tile::<Narrow, E, false, R, C>(matrix.part::<E>(i, j, n, n));
            }
        }
        singly::<E, R, C>(matrix.part::<E>(whole_rows, 0, matrix.rows - whole_rows, whole_columns));
        singly::<E, R, C>(matrix.part::<E>(0, whole_columns, matrix.rows, matrix.columns - whole_columns));
    }
}

/// # Safety
/// As [`blocks`].
#[inline(always)]
unsafe fn singly<const E: usize, R: Begins, C: Begins>(matrix: Matrix<R, C>) {
    for j in 0..matrix.columns {
        for i in 0..matrix.rows {
            // SAFETY: the caller's promise: `(i, j)` is an element of both.
            unsafe {
                let (from, to) = (matrix.source(i).add(j * E), matrix.target(j).add(i * E));
                to.cast::<[u8; E]>().write(from.cast::<[u8; E]>().read());
            }
        }
    }
}

/// One tile, in registers.
///
/// # Safety
/// As [`blocks`], of a matrix of `tile_rows` by `tile_columns`. Where `STREAM` holds, the rows of the destination are
/// whole registers at multiples of their size.
#[inline(always)]
unsafe fn tile<V: Register, const E: usize, const STREAM: bool, R: Begins, C: Begins>(matrix: Matrix<R, C>) {
    let n = const { lane(E) };
    let (height, groups) = (const { tile_rows::<V>(E) }, const { tile_rows::<V>(E) / lane(E) });
    // SAFETY: the caller's promise: each row of the source is a register, and each row of the destination `groups`
    // lanes.
    unsafe {
        // A register that no row is loaded to is the first one again, and is not used.
        let mut r: [V; 16] = [V::load(matrix.source(0)); 16];
        for (i, row) in r.iter_mut().enumerate().take(height) {
            *row = V::load(matrix.source(i));
        }
        let mut rest = n;
        while rest > 1 {
            let before = r;
            for g in (0..height).step_by(n) {
                for k in 0..n / 2 {
                    let (a, b) = (before[g + k], before[g + k + n / 2]);
                    (r[g + 2 * k], r[g + 2 * k + 1]) = (a.low::<E>(b), a.high::<E>(b));
                }
            }
            rest /= 2;
        }
        if groups == V::LANES {
            for c in 0..n {
                V::exchange(&mut r, c, n);
            }
            for (j, &column) in r.iter().enumerate().take(height) {
                let to = matrix.target(j);
                if STREAM { column.stream(to) } else { column.store(to) }
            }
        } else {
            for l in 0..V::LANES {
                for (c, &column) in r.iter().enumerate().take(n) {
                    column.store_lane(l, matrix.target(l * n + c));
                }
            }
        }
    }
}

/// Whether the rows of the destination are whole lines, and those of a tile one line each: then tiles are streamed
/// straight from registers.
#[inline(always)]
fn lines_are_tiles<V: Register, const E: usize, R: Begins, C: Begins>(matrix: Matrix<R, C>) -> bool {
    let fits = const { V::BYTES == LINE && tile_rows::<V>(E) * E == LINE };
    fits && matrix.to.addr().is_multiple_of(LINE) && matrix.to_rows.lies_by_lines()
}

/// Tiles streamed from registers, panel by panel: all rows of as many columns as a part of the source's pages.
///
/// # Safety
/// As [`blocks`], and [`lines_are_tiles`] holds.
#[inline(always)]
unsafe fn stream_tiles<V: Register, const E: usize, R: Begins, C: Begins>(matrix: Matrix<R, C>) {
    let (height, width) = (const { tile_rows::<V>(E) }, const { tile_columns::<V>(E) });
    let (rows, columns) = (matrix.rows, matrix.columns);
    let (whole_rows, whole_columns) = (rows / height * height, columns / width * width);
    let panel = BLOCK_FROM / E;
    // SAFETY: the caller's promise: each tile and each edge is a part.
    unsafe {
        for first in (0..whole_columns).step_by(panel) {
            for i in (0..whole_rows).step_by(height) {
                for j in (first..whole_columns.min(first + panel)).step_by(width) {
                    tile::<V, E, true, R, C>(matrix.part::<E>(i, j, height, width));
                }
            }
        }
        edge::<E, R, C>(matrix.part::<E>(whole_rows, 0, rows - whole_rows, whole_columns));
        edge::<E, R, C>(matrix.part::<E>(0, whole_columns, rows, columns - whole_columns));
    }
}

/// A row for each column of a panel: a line of what was not streamed yet, and a chunk.
#[repr(align(64))]
struct Buffer([MaybeUninit<u8>; COLUMNS * PITCH]);

impl Buffer {
    #[inline(always)]
    fn new() -> Self {
        Buffer([MaybeUninit::new(0); COLUMNS * PITCH])
    }
}

/// Panels of columns through a buffer in the cache, from which whole lines of the destination are streamed. What is
/// left of a line waits in the buffer for the next rows.
///
/// # Safety
/// As [`blocks`].
#[inline(always)]
unsafe fn stream_panels<V: Register, const E: usize, R: Begins, C: Begins>(matrix: Matrix<R, C>, buffer: &mut Buffer) {
    let (height, width) = (const { CHUNK / E }, const { if PANEL / E < COLUMNS { PANEL / E } else { COLUMNS } });
    let buffer = buffer.0.as_mut_ptr().cast::<u8>();
    for first in (0..matrix.columns).step_by(width) {
        let columns = width.min(matrix.columns - first);
        for i in (0..matrix.rows).step_by(height) {
            let rows = height.min(matrix.rows - i);
            let last = i + rows == matrix.rows;
            // SAFETY: the caller's promise for the part of the matrix. The buffer has `COLUMNS` rows of a line and a
            // chunk; of them, `columns` rows are used, and `rows * E` bytes behind the line. In a row of the buffer,
            // `LINE` stands for the place of element `i` in the destination. Of the first chunk, bytes from there on
            // are written; later ones begin with those since the last whole line, at most a line, which the first chunk
            // has filled up: a chunk that is not the last one is larger than a line.
            unsafe {
                let part = matrix.part::<E>(i, first, rows, columns);
                let Matrix { from, from_rows, rows, columns, .. } = part;
                let (to, to_rows) = (buffer.add(LINE), Even(PITCH as isize));
                block::<V, E, R, Even>(Matrix { from, from_rows, to, to_rows, rows, columns });
                let end = LINE + rows * E;
                for j in 0..columns {
                    let row = buffer.add(j * PITCH);
                    let to = part.target(j);
                    let behind = to.addr() % LINE;
                    let mut at = LINE - behind;
                    if i == 0 {
                        let head = (to.addr().wrapping_neg() % LINE).min(end - LINE);
                        to.copy_from_nonoverlapping(row.add(LINE), head);
                        at = LINE + head;
                    }
                    let place = |at: usize| to.offset(at as isize - LINE as isize);
                    while at + LINE <= end {
                        stream_line::<V>(row.add(at), place(at));
                        at += LINE;
                    }
                    if last {
                        place(at).copy_from_nonoverlapping(row.add(at), end - at);
                    } else {
                        row.copy_from_nonoverlapping(row.add(end - LINE), LINE);
                    }
                }
            }
        }
    }
}

/// Columns whose rows in the destination lie side by side, as many as fit in the buffer: from there they are streamed
/// as one row.
///
/// # Safety
/// As [`blocks`]; the rows of the destination lie side by side, and one of them fits in the buffer.
#[inline(always)]
unsafe fn stream_side_by_side<V: Register, const E: usize, R: Begins, C: Begins>(
    matrix: Matrix<R, C>,
    buffer: &mut Buffer,
) {
    let row = matrix.rows * E;
    // Whole tiles, if more than one fits.
    let fitting = COLUMNS * PITCH / row;
    let width = if fitting > 64 { fitting / 64 * 64 } else { fitting };
    let buffer = buffer.0.as_mut_ptr().cast::<u8>();
    for first in (0..matrix.columns).step_by(width) {
        let columns = width.min(matrix.columns - first);
        // SAFETY: the caller's promise for the part; `columns` rows fit in the buffer, and are side by side in both.
        unsafe {
            let Matrix { from, from_rows, rows, to, .. } = matrix.part::<E>(0, first, matrix.rows, columns);
            let to_rows = Even(row as isize);
            block::<V, E, R, Even>(Matrix { from, from_rows, to: buffer, to_rows, rows, columns });
            stream_row::<V>(buffer, to, columns * row);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The reach of one loop fits in 128 bits, that of two may not: such loops leave every slice.
    #[test]
    fn reaches_that_overflow_lie_nowhere() {
        let far = Axis { extent: usize::MAX, from: isize::MIN, to: isize::MIN };
        for outer in [vec![far], vec![far; 2], vec![far; 4]] {
            let inner = Inner::Elements { unit: 1, i: far, j: far };
            let set = InstructionSet::Portable;
            let nest = Nest { outer, inner, longer: [vec![], vec![]], from: 0, to: 0, stream: false, set };
            assert!(!nest.lies_within(usize::MAX, usize::MAX), "{nest:?}");
            assert!(!nest.is_disjoint(), "{nest:?}");
        }
    }
}
