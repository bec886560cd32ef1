//! Numbers of 16 bits, and their `wgmma` instructions.

use half::{bf16, f16};

use crate::LaidOutAs;
use crate::device::Narrow;
use crate::hopper::{Wgmma, WgmmaRegisters};

/// `f16` and `bf16`: the instruction with these elements for each shape of `wgmma` that kernels
/// use. A kernel of halves is written once: the layouts are those of `f16`.
pub trait Half: Narrow {
    /// 64 x 128, both operands in shared memory.
    type Shared128: Wgmma<A = Self, B = Self>
        + LaidOutAs<crate::hopper::SM90_64x128x16_F32F16F16_SS>
        + Default;
    /// 64 x 256.
    type Shared256: Wgmma<A = Self, B = Self>
        + LaidOutAs<crate::hopper::SM90_64x256x16_F32F16F16_SS>
        + Default;
    /// 64 x 8, A in registers.
    type Registers8: WgmmaRegisters<A = Self, B = Self>
        + LaidOutAs<crate::hopper::SM90_64x8x16_F32F16F16_RS>
        + Default;
    /// 64 x 16.
    type Registers16: WgmmaRegisters<A = Self, B = Self>
        + LaidOutAs<crate::hopper::SM90_64x16x16_F32F16F16_RS>
        + Default;
    /// 64 x 32.
    type Registers32: WgmmaRegisters<A = Self, B = Self>
        + LaidOutAs<crate::hopper::SM90_64x32x16_F32F16F16_RS>
        + Default;
    /// 64 x 64.
    type Registers64: WgmmaRegisters<A = Self, B = Self>
        + LaidOutAs<crate::hopper::SM90_64x64x16_F32F16F16_RS>
        + Default;
    /// 64 x 128.
    type Registers128: WgmmaRegisters<A = Self, B = Self>
        + LaidOutAs<crate::hopper::SM90_64x128x16_F32F16F16_RS>
        + Default;
    /// 64 x 256.
    type Registers256: WgmmaRegisters<A = Self, B = Self>
        + LaidOutAs<crate::hopper::SM90_64x256x16_F32F16F16_RS>
        + Default;
}
impl Half for f16 {
    type Shared128 = crate::hopper::SM90_64x128x16_F32F16F16_SS;
    type Shared256 = crate::hopper::SM90_64x256x16_F32F16F16_SS;
    type Registers8 = crate::hopper::SM90_64x8x16_F32F16F16_RS;
    type Registers16 = crate::hopper::SM90_64x16x16_F32F16F16_RS;
    type Registers32 = crate::hopper::SM90_64x32x16_F32F16F16_RS;
    type Registers64 = crate::hopper::SM90_64x64x16_F32F16F16_RS;
    type Registers128 = crate::hopper::SM90_64x128x16_F32F16F16_RS;
    type Registers256 = crate::hopper::SM90_64x256x16_F32F16F16_RS;
}
impl Half for bf16 {
    type Shared128 = crate::hopper::SM90_64x128x16_F32BF16BF16_SS;
    type Shared256 = crate::hopper::SM90_64x256x16_F32BF16BF16_SS;
    type Registers8 = crate::hopper::SM90_64x8x16_F32BF16BF16_RS;
    type Registers16 = crate::hopper::SM90_64x16x16_F32BF16BF16_RS;
    type Registers32 = crate::hopper::SM90_64x32x16_F32BF16BF16_RS;
    type Registers64 = crate::hopper::SM90_64x64x16_F32BF16BF16_RS;
    type Registers128 = crate::hopper::SM90_64x128x16_F32BF16BF16_RS;
    type Registers256 = crate::hopper::SM90_64x256x16_F32BF16BF16_RS;
}
