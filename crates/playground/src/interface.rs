//! The functions that the page calls, in C's calling convention: numbers in and out, text and cells
//! through memory.
//!
//! The page writes text to what `reserve` returns, and reads what a function answered at `answer`,
//! as many bytes or cells as that function returned. WebAssembly has one thread here, and so has
//! the page's engine.
//!
//! This is the only file with unsafe code: `no_mangle`, which says that no other function has these
//! names. Memory is handed over as addresses alone; nothing here reads or writes through a raw
//! pointer, for text comes back in the very `Vec` whose address the page was given.
//!
//! The engine counts in 64 bits, and its memory is addressed by 32 (`build` says how): every number
//! that goes to the page fits in 32.
#![allow(unsafe_code)]

use std::cell::RefCell;

use crate::session::Session;

/// The memory through which the page and the engine exchange data.
#[derive(Default)]
struct Desk {
    session: Session,
    /// Where the page writes text.
    input: Vec<u8>,
    /// The last answer: text, or cells.
    text: String,
    cells: Vec<f64>,
    /// Where the last answer begins.
    address: u32,
}

thread_local! {
    static DESK: RefCell<Desk> = RefCell::default();
}

impl Desk {
    fn answer_text(&mut self, text: String) -> u32 {
        self.text = text;
        self.address = self.text.as_ptr() as usize as u32;
        self.text.len() as u32
    }

    fn answer_cells(&mut self, cells: Vec<f64>) -> u32 {
        self.cells = cells;
        self.address = self.cells.as_ptr() as usize as u32;
        self.cells.len() as u32
    }
}

/// Calls `work` with the desk. No function of this file calls another one while it has the desk.
fn at_desk<T>(work: impl FnOnce(&mut Desk) -> T) -> T {
    DESK.with_borrow_mut(work)
}

/// Where the page writes `length` bytes of text.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(length: u32) -> u32 {
    at_desk(|desk| {
        desk.input = vec![0; length as usize];
        desk.input.as_mut_ptr() as usize as u32
    })
}

/// How pictures are drawn from now on: the modes that rows count, a bit each, and whether memory is
/// shown.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn arrange(down: u32, memory: u32) {
    at_desk(|desk| desk.session.arrange(down, memory != 0));
}

/// Evaluates the text that was written: the length of the answer in bytes.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn evaluate() -> u32 {
    at_desk(|desk| {
        let text = String::from_utf8_lossy(&desk.input).into_owned();
        let report = desk.session.evaluate(&text);
        desk.answer_text(report)
    })
}

/// The operations that can be typed: the length of the answer in bytes.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn operations() -> u32 {
    at_desk(|desk| {
        let operations = desk.session.operations();
        desk.answer_text(operations)
    })
}

/// Cells of a picture: how many there are.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn cells(part: u32, row: u32, column: u32, rows: u32, columns: u32) -> u32 {
    at_desk(|desk| {
        let cells =
            desk.session.cells(part as usize, [row, column, rows, columns].map(|k| k as usize));
        desk.answer_cells(cells)
    })
}

/// Coordinates of cells: the length of the answer in bytes.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn coordinates(part: u32, row: u32, column: u32, rows: u32, columns: u32) -> u32 {
    at_desk(|desk| {
        let coordinates = desk
            .session
            .coordinates(part as usize, [row, column, rows, columns].map(|k| k as usize));
        desk.answer_text(coordinates)
    })
}

/// Where the last answer begins.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> u32 {
    at_desk(|desk| desk.address)
}
