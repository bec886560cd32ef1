//! What a layout is: a shape and a stride, which map a coordinate to an offset.
//!
//! `(4,6):(1,4)` takes `(i,j)` to `i*1 + j*4`. Shape and stride are tuples of the same profile;
//! each leaf is a type or a `usize`. In reading order:
//!
//! - [`flat`]: a layout of any type as plain data, for constants and loops
//! - [`traits`]: [`Layout`](traits::Layout), the trait of all layouts
//! - [`strided`]: [`StridedLayout`](strided::StridedLayout), a shape and a stride
//! - [`display`]: how tuples and layouts are written
//! - [`compact`], [`ordered`]: strides that follow from a shape alone, or from a shape and an order
//! - [`in_constants`]: compact layouts in constants
//! - [`print`]: tables of offsets
//! - [`tiler`]: one tile for each mode
//! - [`refused_layout`]: the layout in place of a refused result, so that one mistake is one error

pub mod flat;
pub mod traits;

pub mod strided;

pub mod display;

pub mod compact;
pub mod in_constants;
pub mod ordered;
pub mod print;
pub mod tiler;

pub mod refused_layout;
