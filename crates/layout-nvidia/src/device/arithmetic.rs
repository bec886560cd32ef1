//! Instructions on registers.

use half::f16;
use layout_algebra::prelude::*;
use layout_algebra::tensor::space::Shared;
use layout_algebra::tensor::{Addressable, StorageMut};

/// Flushes subnormal numbers to zero with their sign, as `.ftz` does for operands and results.
#[cfg(not(target_arch = "nvptx64"))]
fn flush_subnormal(x: f32) -> f32 {
    if x.is_subnormal() { 0.0_f32.copysign(x) } else { x }
}

/// Functions that are one instruction each on the device; on the CPU they return the nearest float,
/// which is within the instruction's documented error.
macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident($($x:ident),*) $ptx:literal $operands:literal => $exact:expr;)*) => {$(
        $(#[$doc])*
        #[inline]
        #[must_use]
        pub fn $name($($x: f32),*) -> f32 {
            #[cfg(target_arch = "nvptx64")]
            {
                let to: f32;
                // SAFETY: reads and writes registers.
                unsafe {
                    core::arch::asm!(concat!($ptx, $operands), to = lateout(reg32) to, $($x = in(reg32) $x,)*
                        options(pure, nomem, nostack));
                }
                to
            }
            #[cfg(not(target_arch = "nvptx64"))]
            $exact
        }
    )*};
}
functions! {
    /// `2^x`, with an error of two units in the last place: `ex2.approx.ftz.f32`.
    exp2(x) "ex2.approx.ftz.f32" " {to}, {x};" => flush_subnormal(f64::from(flush_subnormal(x)).exp2() as f32);
    /// The logarithm to base 2, with an error of `2^-22`, absolute between 1/2 and 2 and relative
    /// elsewhere: `lg2.approx.ftz.f32`.
    ///
    /// ```
    /// assert_eq!(layout_nvidia::device::log2(8.0), 3.0);
    /// ```
    log2(x) "lg2.approx.ftz.f32" " {to}, {x};" => f64::from(flush_subnormal(x)).log2() as f32;
    /// The square root, rounded correctly: `sqrt.rn.f32`.
    ///
    /// ```
    /// assert_eq!(layout_nvidia::device::sqrt(2.0), std::f32::consts::SQRT_2);
    /// ```
    sqrt(x) "sqrt.rn.f32" " {to}, {x};" => x.sqrt();
    /// `1 / sqrt(x)`, with an error of two units in the last place: `rsqrt.approx.ftz.f32`.
    ///
    /// ```
    /// assert_eq!(layout_nvidia::device::rsqrt(0.25), 2.0);
    /// ```
    rsqrt(x) "rsqrt.approx.ftz.f32" " {to}, {x};" => (1.0 / f64::from(flush_subnormal(x)).sqrt()) as f32;
    /// `1 / x`, with an error of one unit in the last place: `rcp.approx.ftz.f32`. (A division that
    /// rounds correctly calls a function.)
    reciprocal(x) "rcp.approx.ftz.f32" " {to}, {x};" => flush_subnormal(flush_subnormal(x).recip());
    /// `x / y`, with an error of two units in the last place: `div.approx.ftz.f32`, CUDA's
    /// `__fdividef`. For `y` beyond `2^126` the result is zero, or NaN for an infinite `x`. (A
    /// correctly rounded division calls a function.)
    ///
    /// ```
    /// assert_eq!(layout_nvidia::device::divide(3.0, 4.0), 0.75);
    /// ```
    divide(x, y) "div.approx.ftz.f32" " {to}, {x}, {y};" => {
        let (x, y) = (flush_subnormal(x), flush_subnormal(y));
        match y.abs() > f32::from_bits(0x7e80_0000) && y.is_finite() {
            true => x * 0.0_f32.copysign(y),
            false => flush_subnormal(x / y),
        }
    };
    /// The hyperbolic tangent, with a relative error of `2^-11`, the precision of halves:
    /// `tanh.approx.f32`.
    ///
    /// ```
    /// assert!((layout_nvidia::device::tanh(0.5) - 0.462_117).abs() < 5e-4);
    /// ```
    tanh(x) "tanh.approx.f32" " {to}, {x};" => f64::from(x).tanh() as f32;
}

/// `a b + c`, rounded once: `fma.rn.f32`.
#[inline]
#[must_use]
pub fn multiply_add(a: f32, b: f32, c: f32) -> f32 {
    #[cfg(target_arch = "nvptx64")]
    let sum = core::intrinsics::fmaf32(a, b, c);
    #[cfg(not(target_arch = "nvptx64"))]
    let sum = a.mul_add(b, c);
    sum
}

/// The nearest half: `cvt.rn.f16.f32`.
#[inline]
#[must_use]
pub fn narrow_to_f16(x: f32) -> f16 {
    #[cfg(target_arch = "nvptx64")]
    {
        let bits: u16;
        // SAFETY: reads and writes registers.
        unsafe {
            core::arch::asm!("cvt.rn.f16.f32 {bits}, {x};", bits = lateout(reg16) bits, x = in(reg32) x,
                options(pure, nomem, nostack));
        }
        f16::from_bits(bits)
    }
    #[cfg(not(target_arch = "nvptx64"))]
    f16::from_f32(x)
}

/// Converts a half to a float: `cvt.f32.f16`.
#[inline]
#[must_use]
pub fn widen_to_f32(x: f16) -> f32 {
    #[cfg(target_arch = "nvptx64")]
    {
        let wide: f32;
        // SAFETY: reads and writes registers.
        unsafe {
            core::arch::asm!("cvt.f32.f16 {wide}, {bits};", wide = lateout(reg32) wide, bits = in(reg16) x.to_bits(),
                options(pure, nomem, nostack));
        }
        wide
    }
    #[cfg(not(target_arch = "nvptx64"))]
    x.to_f32()
}

/// Reduces the values of the 32 threads of a warp by `join`; each thread gets the result. On the
/// CPU outside of a block a thread is alone, and its value is the result.
///
/// ```
/// use layout_nvidia::{device, host};
/// // SAFETY: all 64 threads call this.
/// let sums = host::run_threads(64, |thread| unsafe { device::reduce_warp(thread as f32, |a, b| a + b) });
/// assert_eq!((sums[0], sums[31], sums[32]), (496.0, 496.0, 1520.0));
/// ```
///
/// # Safety
/// All threads of the warp call this.
#[inline]
#[must_use]
pub unsafe fn reduce_warp(value: f32, join: impl Fn(f32, f32) -> f32) -> f32 {
    // SAFETY: the caller's promise.
    unsafe { reduce_lanes::<32>(value, join) }
}

/// Reduces by `join` the values of 4 neighbouring threads, which have parts of the same rows of a
/// product; each of them gets the result.
///
/// # Safety
/// All threads of the warp call this.
#[inline]
#[must_use]
pub unsafe fn reduce_quad(value: f32, join: impl Fn(f32, f32) -> f32) -> f32 {
    // SAFETY: the caller's promise.
    unsafe { reduce_lanes::<4>(value, join) }
}

/// Reduces by `join` the values of `LANES` neighbouring threads; each of them gets the result. With
/// 8, a warp reduces four short rows. `LANES` is 1, 2, 4, 8, 16 or 32.
///
/// ```
/// use layout_nvidia::{device, host};
/// // SAFETY: all 32 threads call this.
/// let sums = host::run_threads(32, |thread| unsafe {
///     device::reduce_lanes::<8>(thread as f32, |a, b| a + b)
/// });
/// assert_eq!((sums[0], sums[7], sums[8]), (28.0, 28.0, 92.0));
/// ```
///
/// # Safety
/// All threads of the warp call this.
#[inline]
#[must_use]
pub unsafe fn reduce_lanes<const LANES: usize>(
    mut value: f32,
    join: impl Fn(f32, f32) -> f32,
) -> f32 {
    const {
        assert!(LANES.is_power_of_two() && LANES <= 32, "LANES is 1, 2, 4, 8, 16 or 32");
    }
    #[cfg(not(target_arch = "nvptx64"))]
    if layout_instructions::block::is_outside_block() {
        return value;
    }
    // SAFETY: the caller's promise.
    unsafe {
        if LANES > 16 {
            value = join(value, shuffle_xor::<16>(value));
        }
        if LANES > 8 {
            value = join(value, shuffle_xor::<8>(value));
        }
        if LANES > 4 {
            value = join(value, shuffle_xor::<4>(value));
        }
        if LANES > 2 {
            value = join(value, shuffle_xor::<2>(value));
        }
        if LANES > 1 {
            value = join(value, shuffle_xor::<1>(value));
        }
    }
    value
}

/// Reduces by `join` the values of all threads of a block of whole warps; each thread gets the
/// result. `scratch` has a number for each warp, and may be reused when this returns.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_nvidia::device::{self, SharedTile, SharedTiles, kernel};
/// use layout_nvidia::host;
/// type Shared = (SharedTile<f32, Layout!(4)>,);
/// /// Adds up 128 elements.
/// ///
/// /// # Safety
/// /// There are 128 elements, and one to write.
/// #[kernel(threads = Layout!(128), shared = Shared)]
/// pub unsafe fn add_up(from: *const f32, to: *mut f32) {
///     // SAFETY: the caller's promise; all threads call this.
///     unsafe {
///         let (mut scratch,) = Shared::make_tensors();
///         let sum = device::reduce_block(*from.add(device::thread_index()), |a, b| a + b, &mut scratch);
///         if device::thread_index() == 0 {
///             *to = sum;
///         }
///     }
/// }
/// let (numbers, mut sum) = ([0.5; 128], [0.0]);
/// // SAFETY: 128 elements.
/// unsafe { host::launch::<add_up>((1, 1), (&numbers[..], &mut sum[..])) };
/// assert_eq!(sum, [64.0]);
/// ```
///
/// # Safety
/// All threads of the block call this, with the same scratch, which nothing else uses meanwhile.
#[inline]
#[must_use]
pub unsafe fn reduce_block<S: StorageMut<Item = f32, Space = Shared>, L: Addressable>(
    value: f32,
    join: impl Fn(f32, f32) -> f32,
    scratch: &mut Tensor<S, L>,
) -> f32 {
    let (thread, warps) =
        (crate::device::thread_index(), crate::device::threads_per_block().div_ceil(32));
    // SAFETY: the caller's promise; a barrier is between each write and the next read, and between
    // a read and the next write.
    unsafe {
        let value = reduce_warp(value, &join);
        crate::device::sync_threads();
        if thread % 32 == 0 {
            *scratch.value_mut(thread / 32).unwrap_or_else(|| crate::device::trap()) = value;
        }
        crate::device::sync_threads();
    }
    let of = |warp| *scratch.value(warp).unwrap_or_else(|| crate::device::trap());
    (1..warps).fold(of(0), |all, warp| join(all, of(warp)))
}

/// The value of the thread whose index differs in this bit: `shfl.sync.bfly`.
///
/// # Safety
/// All threads of the warp call this.
#[inline]
unsafe fn shuffle_xor<const BIT: u32>(value: f32) -> f32 {
    #[cfg(target_arch = "nvptx64")]
    {
        let other: f32;
        // SAFETY: reads and writes registers; the rest is the caller's promise.
        unsafe {
            core::arch::asm!("shfl.sync.bfly.b32 {other}, {value}, {bit}, 31, 0xffffffff;", other = lateout(reg32) other,
                value = in(reg32) value, bit = const BIT, options(nomem, nostack));
        }
        other
    }
    #[cfg(not(target_arch = "nvptx64"))]
    layout_instructions::block::value_of_lane("shfl.sync.bfly", value, |lane| lane ^ BIT as usize)
}

/// The value of the first thread of the warp, in all threads: the compilers know then that it is
/// uniform. `shfl.sync.idx`.
///
/// # Safety
/// All threads of the warp call this.
///
/// ```
/// use layout_nvidia::{device, host};
/// // SAFETY: all 64 threads call this.
/// let first = host::run_threads(64, |thread| unsafe { device::first_of_warp(10 + thread as u64) });
/// assert_eq!((first[1], first[33]), (10, 42));
/// ```
#[inline]
#[must_use]
pub unsafe fn first_of_warp(value: u64) -> u64 {
    #[cfg(target_arch = "nvptx64")]
    let value = {
        let (mut low, mut high) = (value as u32, (value >> 32) as u32);
        // SAFETY: reads and writes registers; the rest is the caller's promise.
        unsafe {
            core::arch::asm!("shfl.sync.idx.b32 {low}, {low}, 0, 31, 0xffffffff;",
                "shfl.sync.idx.b32 {high}, {high}, 0, 31, 0xffffffff;", low = inout(reg32) low,
                high = inout(reg32) high, options(nomem, nostack));
        }
        u64::from(low) | u64::from(high) << 32
    };
    #[cfg(not(target_arch = "nvptx64"))]
    let value = if layout_instructions::block::is_outside_block() {
        value
    } else {
        layout_instructions::block::value_of_lane("shfl.sync.idx", value, |_| 0)
    };
    value
}
