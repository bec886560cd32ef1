//! Layouts whose strides are no natural numbers: steps along axes, XOR strides, negative ones.
//!
//! What a layout asks of strides is little: a product with a number, and a sum. The tables of numbers have these for
//! each kind of them, and one layout serves all kinds. In reading order:
//!
//! - [`basis`], [`diagonal`], [`xor`], [`minus`]: the strides, and their rows in the tables of numbers
//! - [`two_parts`]: a step along natural and XOR strides at once
//! - [`layout`]: the layout of a shape and such strides
//! - [`xor_modes`]: where XOR modes go on in one another, and what they carry in a composition
//! - [`elimination`]: vectors of bits, and what Gaussian elimination says of them
//! - [`parts`]: a layout taken apart into modes that are linear in their bits, and natural ones above
//! - [`vectors`]: which vectors of these are eliminated
//! - [`inverses`]: what that answers: complement, products and inverses
//! - [`offsets`]: the largest offset of XOR modes, and whether two coordinates share one
//! - [`convert`]: from natural strides to XOR strides and back
//! - [`as_swizzle`]: which bits XOR strides share, so that they are no natural ones
//! - [`find_swizzle`]: the swizzle that is between them
//! - [`right_modes`]: which XOR modes of a right operand say the same as natural ones
//! - [`meet`]: the left layout of a composition where XOR strides reach it
//! - [`two_modes`]: tiles and rests of a divided layout
//! - [`one_stride`]: the one stride that says as much as a step in two parts
//! - [`of_kinds`]: compositions with these, and what kind of layout they are
//! - [`right_operand`]: the operations with such operands on the right
//! - [`sums`]: sums of layouts of XOR strides
//! - [`bit_by_bit`]: compositions looked for, each bit of a coordinate by itself
//! - [`left_as_natural`]: compositions and divides of a left layout of XOR strides, where the rule refuses
//! - [`tiler_on_bits`]: the same mode by mode, and which modes may be told in other words
//! - [`algebra`]: the operations
//! - [`common`]: what a layout has in common with one of them
//! - [`one_by_one`]: and on, one coordinate after the other
//! - [`put_together`]: such layouts as modes of others
//! - [`tiler_of_kinds`]: tilers with such entries
//! - [`recast`]: larger and smaller elements
//! - [`flip`]: one mode counted backwards
//! - [`identity`]: coordinates as offsets: a layout that takes a coordinate to itself, so that a tile of it says where
//!   it lies in the whole
//! - [`run_time`]: from these layouts to those of which run time knows the rank, and back

pub mod basis;
pub mod diagonal;
pub mod minus;
pub mod xor;

pub mod two_parts;

pub mod layout;

pub mod xor_modes;

pub mod elimination;
pub mod inverses;
pub mod offsets;
pub mod parts;
pub mod vectors;

pub mod algebra;
pub mod as_swizzle;
pub mod bit_by_bit;
pub mod common;
pub mod convert;
pub mod find_swizzle;
pub mod left_as_natural;
pub mod meet;
pub mod of_kinds;
pub mod one_by_one;
pub mod one_stride;
pub mod put_together;
pub mod recast;
pub mod right_modes;
pub mod right_operand;
pub mod sums;
pub mod tiler_of_kinds;
pub mod tiler_on_bits;
pub mod two_modes;

pub mod flip;

pub mod identity;

#[cfg(feature = "alloc")]
pub mod run_time;
