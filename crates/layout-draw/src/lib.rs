//! Layouts of [`layout_algebra`] as pictures: SVG, and tables in a terminal.
//!
//! A picture is one or more grids of cells. The coordinates stand along the sides of a grid, those
//! of a nested mode on several levels, and a thicker line shows where a mode ends; a cell says what
//! is there, and its colour shows what belongs together. [`Picture::svg`] is a file of its own, in
//! light and in dark colours, whichever the reader has; [`Picture::table`] is the same in a
//! terminal. Static layouts and those of run time have the same pictures: drawing is done at run
//! time.
//!
//! | method | draws |
//! |---|---|
//! | [`draw`](Draw::draw), [`svg`](Draw::svg) | offsets, coloured by [offset, thread or bank](ColorBy) |
//! | [`draw_thread_values`](Draw::draw_thread_values) | which thread has which element |
//! | [`DrawTiled::draw`] | the same for what a tiled copy reads and writes, and for A, B and C of a tiled product |
//! | [`draw_banks`](Draw::draw_banks), [`draw_swizzle`](Draw::draw_swizzle) | how a warp goes to the banks of shared memory, and what a swizzle changes |
//! | [`draw_composition`](Draw::draw_composition), [`draw_division`](Draw::draw_division), [`draw_zipped_division`](Draw::draw_zipped_division) | operands beside the result, each element with one colour in all of them |
//! | [`draw_memory`](Draw::draw_memory) | memory as a line, and which element lies where |
//!
//! ```
//! use layout_algebra::prelude::*;
//! use layout_draw::{ColorBy, Draw};
//! let layout = layout!((4, (2, 3)):(2, (1, 8)));
//! assert!(layout.svg()?.starts_with("<svg "));
//! print!("{}", layout.draw(ColorBy::Thread)?.table().colored());
//! # Ok::<(), LayoutError>(())
//! ```
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

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

// From these to a terminal.
mod table;

// The pictures.
mod grid;

mod algebra;
mod banks;
mod memory;
mod threads;

mod operands;

// All of them as methods.
mod draw;

pub use draw::Draw;
pub use drawn::{Drawn, Plain, Swizzled};
pub use grid::ColorBy;
pub use operands::{DealtOperand, DrawTiled};
pub use picture::Picture;
pub use table::Table;
