//! Instructions on registers.

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

/// What `join` makes of the values of the 32 threads of a warp: the same in each of them.
///
/// All threads of the warp come here.
#[inline]
#[must_use]
pub fn reduce_warp(mut value: f32, join: impl Fn(f32, f32) -> f32) -> f32 {
    value = join(value, across::<16>(value));
    value = join(value, across::<8>(value));
    value = join(value, across::<4>(value));
    value = join(value, across::<2>(value));
    join(value, across::<1>(value))
}

/// The value of the thread whose number differs in this bit: `shfl.sync.bfly`.
#[inline]
fn across<const BIT: u32>(value: f32) -> f32 {
    #[cfg(target_arch = "nvptx64")]
    {
        let other: f32;
        // SAFETY: reads and writes registers; all threads of the warp come here.
        unsafe {
            core::arch::asm!("shfl.sync.bfly.b32 {other}, {value}, {bit}, 31, 0xffffffff;", other = lateout(reg32) other,
                value = in(reg32) value, bit = const BIT, options(nomem, nostack));
        }
        other
    }
    #[cfg(not(target_arch = "nvptx64"))]
    value
}
