//! Pictures of layouts: as SVG, and as tables in a terminal.
//!
//! A picture is one or more grids of cells. The coordinates stand along the sides of a grid, those of a nested mode on
//! several levels, and a thicker line shows where a mode ends; a cell says what is there, and its colour shows what
//! belongs together. [`Picture::svg`] is a file of its own, in light and in dark colours, whichever the reader has;
//! [`Picture::table`] is the same in a terminal. Static layouts and those of run time have the same pictures: drawing
//! is done at run time.
//!
//! | function | draws |
//! |---|---|
//! | [`layout`] | offsets, coloured by [offset, thread or bank](ColorBy) |
//! | [`thread_values`] | which thread has which element |
//! | [`tiled_copy`], [`tiled_mma`] | the same for what a copy reads and writes, and for A, B and C of a product |
//! | [`banks`], [`swizzle`] | how a warp goes to the banks of shared memory, and what a swizzle changes |
//! | [`composition`], [`division`] | operands beside the result, each element with one colour in all of them |
//! | [`memory`] | memory as a line, and which element lies where |
//!
//! ```
//! use layout_algebra::draw::{self, ColorBy};
//! use layout_algebra::prelude::*;
//! let picture = draw::layout(&layout!((4, (2, 3)):(2, (1, 8))), ColorBy::Offset)?;
//! assert!(picture.svg().starts_with("<svg "));
//! print!("{}", picture.table().colored());
//! # Ok::<(), LayoutError>(())
//! ```

// What can be drawn.
mod drawn;

// What all pictures are made of: colours, sides, grids of cells, and these beside one another.
mod axis;
mod color;

mod panel;

mod picture;

// From these to SVG: letters and lines, a panel in its place, and the whole file.
mod layers;

mod frame;

mod svg;

// The pictures.
mod grid;

mod algebra;
mod banks;
mod memory;
mod operands;
mod threads;

pub use algebra::{composition, division};
pub use banks::{banks, swizzle};
pub use drawn::{Drawn, Plain, Swizzled};
pub use grid::{ColorBy, layout};
pub use memory::memory;
pub use operands::{DealtOperand, tiled_copy, tiled_mma};
pub use picture::Picture;
pub use threads::thread_values;
