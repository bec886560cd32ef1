//! What a layout is: a shape and a stride, and the number that they make of a coordinate.
//!
//! `(4,6):(1,4)` takes `(i,j)` to `i*1 + j*4`. Shape and stride are tuples of one form; each leaf is a type or
//! a `usize`. In reading order:
//!
//! - [`flat`]: a layout as plain data, whatever its type: what constants and loops work on
//! - [`traits`]: [`Layout`](traits::Layout), what all layouts have in common
//! - [`strided`]: [`StridedLayout`](strided::StridedLayout), a shape and a stride
//! - [`display`]: how tuples and layouts are written
//! - [`compact`], [`ordered`]: strides that follow from a shape alone, or from a shape and an order
//! - [`in_constants`]: those that constants can make
//! - [`print`]: tables of offsets
//! - [`tiler`]: one tile for each mode
//! - [`placeholder`]: the layout with which the compiler goes on after an error

pub mod flat;
pub mod traits;

pub mod strided;

pub mod display;

pub mod compact;
pub mod in_constants;
pub mod ordered;
pub mod print;
pub mod tiler;

pub mod placeholder;
