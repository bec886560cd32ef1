//! Instructions on registers.

use half::f16;

/// `2^x`, with an error of two units in the last place: `ex2.approx.ftz.f32`.
#[inline]
#[must_use]
pub fn exp2(x: f32) -> f32 {
    #[cfg(target_arch = "nvptx64")]
    {
        let power: f32;
        // SAFETY: reads and writes registers.
        unsafe {
            core::arch::asm!("ex2.approx.ftz.f32 {power}, {x};", power = lateout(reg32) power, x = in(reg32) x,
                options(pure, nomem, nostack));
        }
        power
    }
    #[cfg(not(target_arch = "nvptx64"))]
    x.exp2()
}

/// `1 / x`, with an error of one unit in the last place: `rcp.approx.ftz.f32`. (A division that rounds correctly calls
/// a function.)
#[inline]
#[must_use]
pub fn reciprocal(x: f32) -> f32 {
    #[cfg(target_arch = "nvptx64")]
    {
        let part: f32;
        // SAFETY: reads and writes registers.
        unsafe {
            core::arch::asm!("rcp.approx.ftz.f32 {part}, {x};", part = lateout(reg32) part, x = in(reg32) x,
                options(pure, nomem, nostack));
        }
        part
    }
    #[cfg(not(target_arch = "nvptx64"))]
    x.recip()
}

/// The hyperbolic tangent, with a relative error of `2^-11`, as much as halves have: `tanh.approx.f32`.
///
/// ```
/// assert!((layout_nvidia::device::tanh(0.5) - 0.462_117).abs() < 5e-4);
/// ```
#[inline]
#[must_use]
pub fn tanh(x: f32) -> f32 {
    #[cfg(target_arch = "nvptx64")]
    {
        let tanh: f32;
        // SAFETY: reads and writes registers.
        unsafe {
            core::arch::asm!("tanh.approx.f32 {tanh}, {x};", tanh = lateout(reg32) tanh, x = in(reg32) x,
                options(pure, nomem, nostack));
        }
        tanh
    }
    #[cfg(not(target_arch = "nvptx64"))]
    x.tanh()
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
pub fn narrow(x: f32) -> f16 {
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

/// The number that a half is: `cvt.f32.f16`.
#[inline]
#[must_use]
pub fn widen(x: f16) -> f32 {
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

/// What `join` makes of the values of the 32 threads of a warp: the same in each of them.
///
/// # Safety
/// All threads of the warp come here.
#[inline]
#[must_use]
pub unsafe fn reduce_warp(mut value: f32, join: impl Fn(f32, f32) -> f32) -> f32 {
    // SAFETY: the caller's promise.
    unsafe {
        value = join(value, across::<16>(value));
        value = join(value, across::<8>(value));
        value = join(value, across::<4>(value));
        value = join(value, across::<2>(value));
        join(value, across::<1>(value))
    }
}

/// What `join` makes of the values of 4 neighbouring threads, which have parts of the same rows of a product: the same
/// in each of them.
///
/// # Safety
/// All threads of the warp come here.
#[inline]
#[must_use]
pub unsafe fn reduce_quad(mut value: f32, join: impl Fn(f32, f32) -> f32) -> f32 {
    // SAFETY: the caller's promise.
    unsafe {
        value = join(value, across::<2>(value));
        join(value, across::<1>(value))
    }
}

/// The value of the thread whose number differs in this bit: `shfl.sync.bfly`.
///
/// # Safety
/// All threads of the warp come here.
#[inline]
unsafe fn across<const BIT: u32>(value: f32) -> f32 {
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
    value
}

/// The value of the first thread of the warp, in all of them: the compilers know then that they have the same.
/// `shfl.sync.idx`.
///
/// # Safety
/// All threads of the warp come here.
///
/// ```
/// // On the CPU a warp has one thread.
/// assert_eq!(unsafe { layout_nvidia::device::first_of_warp(7) }, 7);
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
    value
}
