#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

// In reading order; a file imports only from those above it.
mod error;
mod list;

mod layout;

mod fold;
mod property;
mod view;

mod convert;

mod axes;

mod names;

#[cfg(feature = "relayout")]
mod plan;

mod typed;

mod pitched;

pub mod foreign;

#[cfg(feature = "gemm")]
mod contract;

pub use axes::{Elements, HasAxes};
#[cfg(feature = "gemm")]
pub use contract::{Contraction, CopyReason, Operand, OperandCopy};
#[cfg(feature = "dlpack")]
pub use error::DlpackFault;
pub use error::{ArrayError, NeedsCopy, PatternError};
pub use layout::{ArrayLayout, Offsets};
pub use pitched::{Pitched, Yuv420};
#[cfg(feature = "relayout")]
pub use plan::CopyPlan;

#[doc = include_str!("rearrange.md")]
pub use layout_macros::rearrange;

pub use names::{Mean, Pack, Rearrange, Reduce, Repeat, named_extents};

pub mod coming_from {
    #![doc = include_str!("coming_from.md")]
}

/// Used by the expansion of `rearrange!`.
#[doc(hidden)]
pub mod __private {
    pub use crate::typed::rearranged;
}
