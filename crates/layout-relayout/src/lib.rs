//! Any layout to any other, at the speed of memory.
//!
//! A relayout moves the element at coordinate `c` of one layout to coordinate `c` of another: a
//! transpose, NCHW to NHWC, a packing, a permutation of six axes. A [`Relayout`] is a plan, made
//! from the two layouts and the size of an element:
//!
//! ```text
//! to[T(i)] = from[F(i)]   for all i < size(F) = size(T)
//! ```
//!
//! ```
//! use layout_algebra::prelude::*;
//! use layout_relayout::Relayout;
//!
//! let plan = Relayout::plan(&layout!((2, 3): right), &layout!((2, 3)), size_of::<f32>())?;
//! let mut columns = [0.0_f32; 6];
//! plan.run(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &mut columns)?;
//! assert_eq!(columns, [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
//! # Ok::<(), layout_relayout::RelayoutError>(())
//! ```
//!
//! The page [Move data between two layouts](guide) has the other operations, and how a plan is
//! made.

// The files in reading order; a file imports only from the files above it.
mod machine;

mod error;

mod axes;

mod kernel;

mod arrange;

mod plan;

// Operations beyond a copy.
mod in_place;
mod pack;
mod reduce;
mod runs;

mod channels;
mod tensor;

pub use error::RelayoutError;
pub use in_place::transpose_in_place;
pub use machine::InstructionSet;
pub use pack::Packing;
pub use plan::Relayout;
pub use runs::ConvertFrom;
pub use tensor::RelayoutFrom;

pub mod guide {
    #![doc = include_str!("../README.md")]
}
