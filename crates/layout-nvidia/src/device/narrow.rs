//! Rounds accumulators to numbers of 16 bits.

use layout_algebra::prelude::*;
use layout_algebra::tensor::{Addressable, Storage, StorageMut};

use crate::device::SharedElement;

/// The 16-bit numbers that accumulators are rounded to, two at a time.
pub trait Narrow: SharedElement + Copy + Default + core::fmt::Debug {
    /// Both numbers rounded to the nearest: `cvt.rn.f16x2.f32`, `cvt.rn.bf16x2.f32`.
    fn convert_pair(first: f32, second: f32) -> [Self; 2];
}
macro_rules! narrow {
    ($($half:ty: $text:literal;)*) => {$(
        impl Narrow for $half {
            #[inline]
            fn convert_pair(first: f32, second: f32) -> [Self; 2] {
                #[cfg(target_arch = "nvptx64")]
                {
                    let both: u32;
                    // SAFETY: reads and writes registers. The instruction keeps its position among
                    // products, so that the source registers are free after it.
                    unsafe {
                        core::arch::asm!(concat!($text, " {both}, {second}, {first};"),
                            both = lateout(reg32) both,
                            second = in(reg32) second, first = in(reg32) first,
                            options(nomem, nostack));
                    }
                    [Self::from_bits(both as u16), Self::from_bits((both >> 16) as u16)]
                }
                #[cfg(not(target_arch = "nvptx64"))]
                [Self::from_f32(first), Self::from_f32(second)]
            }
        }
    )*};
}
narrow! {
    half::f16: "cvt.rn.f16x2.f32";
    half::bf16: "cvt.rn.bf16x2.f32";
}

/// Rounds accumulators to 16-bit elements, two at a time: value `i` of one tensor to value `i` of
/// the other, whose shape may be that of an operand.
///
/// ```
/// use half::f16;
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::Fragment;
/// use layout_nvidia::device::narrow_fragment;
/// let sums = Fragment::<f32, Layout!((2, 4))>::from_fn(|(i, j)| (i + 2 * j) as f32);
/// let mut operand = Fragment::<f16, Layout!(((2, 2), 2))>::zeroed();
/// narrow_fragment(&sums, &mut operand);
/// assert_eq!(operand[((1, 0), 1)], f16::from_f32(5.0));
/// ```
#[inline(always)]
pub fn narrow_fragment<S, L, R, M>(from: &Tensor<S, L>, to: &mut Tensor<R, M>)
where
    S: Storage<Item = f32>,
    R: StorageMut<Item: Narrow>,
    L: Addressable + StaticLayout,
    M: Addressable + StaticLayout,
{
    const {
        assert!(
            L::SIZE == M::SIZE && L::SIZE % 2 == 0 && L::SIZE <= 256,
            "the values are narrowed in pairs"
        )
    };
    layout_algebra::for_static!(I in 0..128, {
        if const { 2 * I < L::SIZE } {
            let (Some(first), Some(second)) =
                (from.value(2 * I), from.value(2 * I + 1)) else { crate::hopper::out_of_bounds() };
            for (v, half) in R::Item::convert_pair(*first, *second).into_iter().enumerate() {
                match to.value_mut(2 * I + v) {
                    Some(value) => *value = half,
                    None => crate::hopper::out_of_bounds(),
                }
            }
        }
    });
}
