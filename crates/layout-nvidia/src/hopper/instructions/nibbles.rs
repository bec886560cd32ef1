//! Converts weights of 4 bits to halves in registers, for tensor cores, without a conversion
//! instruction.

use half::{bf16, f16};

use crate::hopper::Half;

/// The type of halves for weights of 4 bits.
///
/// A nibble with the right exponent is already a half: the lowest bits of the mantissa count ones.
/// The number that the exponent adds, and the bias 8 of a nibble, are subtracted exactly.
pub trait Nibbles: Half {
    /// `scale * (nibble - 8)` for the nibbles at bits 0 and 16 of a word, rounded once; both halves
    /// of `scale` are the scale.
    ///
    /// ```
    /// use half::{bf16, f16};
    /// use layout_nvidia::hopper::Nibbles;
    /// let scale = [f16::from_f32(0.5); 2];
    /// assert_eq!(f16::scale_nibbles(0x10_fff3, scale).map(f16::to_f32), [-2.5, -4.0]);
    /// let scale = [bf16::from_f32(-3.0); 2];
    /// assert_eq!(bf16::scale_nibbles(0x0f_0008, scale).map(bf16::to_f32), [0.0, -21.0]);
    /// ```
    fn scale_nibbles(word: u32, scale: [Self; 2]) -> [Self; 2];
    /// `nibble - 8` for the same nibbles, exactly.
    ///
    /// ```
    /// use half::bf16;
    /// use layout_nvidia::hopper::Nibbles;
    /// assert_eq!(bf16::center_nibbles(0x10_fff3).map(bf16::to_f32), [-5.0, -8.0]);
    /// ```
    fn center_nibbles(word: u32) -> [Self; 2];
    /// The number in 32 bits.
    fn widen_to_f32(self) -> f32;
    /// The number with these bits.
    fn half_from_bits(bits: u16) -> Self;
}
macro_rules! nibbles {
    ($($half:ty: $text:literal $bits:literal $less:literal $wide:expr;)*) => {$(
        impl Nibbles for $half {
            #[inline(always)]
            fn scale_nibbles(word: u32, scale: [Self; 2]) -> [Self; 2] {
                // The bits of the number whose lowest bit counts ones, and of this number plus 8.
                #[cfg(target_arch = "nvptx64")]
                {
                    let scale = u32::from(scale[0].to_bits()) | u32::from(scale[1].to_bits()) << 16;
                    let both: u32;
                    // SAFETY: reads and writes registers. The instruction keeps its position among
                    // products.
                    unsafe {
                        core::arch::asm!("{{ .reg .b32 x; lop3.b32 x, {word}, 0x000f000f, {bits}, 0xea;",
                            concat!("sub.", $text, " x, x, {less};"),
                            concat!("mul.", $text, " {both}, x, {scale}; }}"),
                            both = lateout(reg32) both, word = in(reg32) word,
                            scale = in(reg32) scale,
                            bits = in(reg32) $bits * 0x1_0001_u32,
                            less = in(reg32) $less * 0x1_0001_u32,
                            options(nomem, nostack));
                    }
                    [Self::from_bits(both as u16), Self::from_bits((both >> 16) as u16)]
                }
                #[cfg(not(target_arch = "nvptx64"))]
                [0, 16].map(|at| {
                    let x = Self::from_bits((word >> at) as u16 & 15 | $bits);
                    (x - Self::from_bits($less)) * scale[at / 16]
                })
            }
            #[inline(always)]
            fn center_nibbles(word: u32) -> [Self; 2] {
                #[cfg(target_arch = "nvptx64")]
                {
                    let both: u32;
                    // SAFETY: as above.
                    unsafe {
                        core::arch::asm!("{{ .reg .b32 x; lop3.b32 x, {word}, 0x000f000f, {bits}, 0xea;",
                            concat!("sub.", $text, " {both}, x, {less}; }}"),
                            both = lateout(reg32) both, word = in(reg32) word,
                            bits = in(reg32) $bits * 0x1_0001_u32,
                            less = in(reg32) $less * 0x1_0001_u32,
                            options(pure, nomem, nostack));
                    }
                    [Self::from_bits(both as u16), Self::from_bits((both >> 16) as u16)]
                }
                #[cfg(not(target_arch = "nvptx64"))]
                [0, 16].map(|at| Self::from_bits((word >> at) as u16 & 15 | $bits) - Self::from_bits($less))
            }
            #[inline(always)]
            fn widen_to_f32(self) -> f32 {
                let wide: fn(Self) -> f32 = $wide;
                wide(self)
            }
            #[inline(always)]
            fn half_from_bits(bits: u16) -> Self {
                Self::from_bits(bits)
            }
        }
    )*};
}
nibbles! {
    // 1024 and 1032.
    f16: "f16x2" 0x6400 0x6408 crate::device::widen_to_f32;
    // 128 and 136.
    bf16: "bf16x2" 0x4300 0x4308 |x: bf16| f32::from_bits(u32::from(x.to_bits()) << 16);
}
