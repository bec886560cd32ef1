//! Layouts of [`layout_algebra`] as pictures: SVG, and tables in a terminal.
//!
//! A picture is one or more grids of cells. The coordinates are along the sides of a grid, those of
//! a nested mode on several levels, and a thicker line is the end of a mode. A cell has a label,
//! and elements that belong together have the same colour. [`Picture::svg`] is a self-contained
//! file with light and dark colours; [`Picture::table`] is the picture in a terminal. Static and
//! run-time layouts have the same pictures.
//!
//! | method | draws |
//! |---|---|
//! | [`draw`](Draw::draw), [`svg`](Draw::svg) | offsets, coloured by [offset, thread or bank](ColorBy) |
//! | [`draw_thread_values`](Draw::draw_thread_values) | the thread and value of each element |
//! | [`DrawTiled::draw`] | the threads and values of a tiled copy's source and destination, and of A, B and C of a tiled MMA |
//! | [`draw_banks`](Draw::draw_banks), [`draw_swizzle`](Draw::draw_swizzle) | a warp's accesses to the banks of shared memory, without and with a swizzle |
//! | [`draw_composition`](Draw::draw_composition), [`draw_division`](Draw::draw_division), [`draw_zipped_division`](Draw::draw_zipped_division) | operands and result; an element has the same colour in all of them |
//! | [`draw_memory`](Draw::draw_memory) | memory as a line, with the coordinate at each offset |
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

// Layouts that can be drawn.
mod drawn;

// The parts of all pictures: colours, sides, grids of cells, and their arrangement.
mod axis;
mod color;

mod panel;

mod picture;

// SVG: letters and lines, the geometry of a panel, and the file.
mod layers;

mod frame;

mod svg;

// Tables in a terminal.
mod table;

// The pictures.
mod grid;

mod algebra;
mod banks;
mod memory;
mod threads;

mod operands;

// The pictures as methods.
mod draw;

pub use draw::Draw;
pub use drawn::{Drawn, Plain, Swizzled};
pub use grid::ColorBy;
pub use operands::{DealtOperand, DrawTiled};
pub use picture::Picture;
pub use table::Table;
