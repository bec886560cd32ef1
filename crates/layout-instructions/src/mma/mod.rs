//! The instructions that multiply, CuTe's `MMA_Traits`: one row each.
//!
//! | here | CuTe's header | instructions |
//! |---|---|---:|
//! | [`sm61`] | `mma_traits_sm61.hpp` | 2 |
//! | [`sm70`] | `mma_traits_sm70.hpp` | 8 |
//! | [`sm75`] | `mma_traits_sm75.hpp` | 2 |
//! | [`sm80`] | `mma_traits_sm80.hpp` | 65 |
//! | [`sm89`] | `mma_traits_sm89.hpp` | 8 |
//! | [`sm90`] | `mma_traits_sm90.hpp` | 6 |
//! | [`gmma`] | `mma_traits_sm90_gmma.hpp` | 320, as layouts |

#[cfg(target_arch = "nvptx64")]
#[macro_use]
pub(crate) mod ptx;

#[cfg(not(target_arch = "nvptx64"))]
pub mod gmma;
pub mod sm61;
pub mod sm70;
pub mod sm75;
pub mod sm80;
pub mod sm89;
pub mod sm90;

#[cfg(not(target_arch = "nvptx64"))]
pub use gmma::*;
pub use sm61::*;
pub use sm70::*;
pub use sm75::*;
pub use sm80::*;
pub use sm89::*;
pub use sm90::*;

use crate::Visitor;

/// Visits each instruction that is an atom: all of sm61 to sm90 except wgmma.
///
/// ```
/// use layout_instructions::{Instruction, Visitor, mma};
/// struct Names(Vec<&'static str>);
/// impl Visitor for Names {
///     fn visit_instruction<I: Instruction>(&mut self) {
///         self.0.push(I::NAME);
///     }
/// }
/// let mut names = Names(Vec::new());
/// mma::visit_all(&mut names);
/// assert_eq!((names.0.len(), names.0[0]), (91, "SM61_DP4A"));
/// ```
pub fn visit_all(visitor: &mut impl Visitor) {
    sm61::visit_all(visitor);
    sm70::visit_all(visitor);
    sm75::visit_all(visitor);
    sm80::visit_all(visitor);
    sm89::visit_all(visitor);
    sm90::visit_all(visitor);
}
