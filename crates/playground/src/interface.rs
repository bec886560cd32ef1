//! The functions that the page calls, in C's calling convention: numbers in and out, text and cells
//! through memory.
//!
//! The page writes text to the address that `reserve` returns, and reads an answer at `answer`, of
//! the number of bytes or cells that the function returned. WebAssembly has one thread here, and so
//! does the engine of the page.
//!
//! This is the only file with unsafe code: `no_mangle`, which promises that no other function has
//! these names. Memory is passed as addresses only; no code here reads or writes through a raw
//! pointer, since the text is in the `Vec` whose address the page received.
//!
//! The engine computes in 64 bits, and its memory has addresses of 32 bits (see `build`): every
//! number for the page fits in 32 bits.
#![allow(unsafe_code)]

use std::cell::RefCell;

use crate::session::Session;

/// The memory through which the page and the engine exchange data.
#[derive(Default)]
struct Desk {
    session: Session,
    /// The memory where the page writes text.
    input: Vec<u8>,
    /// The last answer: text, or cells.
    text: String,
    cells: Vec<f64>,
    /// The address of the last answer.
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

/// Calls `work` with the desk. During the call no other function of this file takes the desk.
fn at_desk<T>(work: impl FnOnce(&mut Desk) -> T) -> T {
    DESK.with_borrow_mut(work)
}

/// The address where the page writes `length` bytes of text.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(length: u32) -> u32 {
    at_desk(|desk| {
        desk.input = vec![0; length as usize];
        desk.input.as_mut_ptr() as usize as u32
    })
}

/// Sets the arrangement of pictures: the modes along rows, a bit each, and whether memory is shown.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn arrange(down: u32, memory: u32) {
    at_desk(|desk| desk.session.arrange(down, memory != 0));
}

/// Evaluates the written text: returns the length of the answer in bytes.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn evaluate() -> u32 {
    at_desk(|desk| {
        let text = String::from_utf8_lossy(&desk.input).into_owned();
        let report = desk.session.evaluate(&text);
        desk.answer_text(report)
    })
}

/// The operations: returns the length of the answer in bytes.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn operations() -> u32 {
    at_desk(|desk| {
        let operations = desk.session.operations();
        desk.answer_text(operations)
    })
}

/// Cells of a picture: returns their number.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn cells(part: u32, row: u32, column: u32, rows: u32, columns: u32) -> u32 {
    at_desk(|desk| {
        let cells =
            desk.session.cells(part as usize, [row, column, rows, columns].map(|k| k as usize));
        desk.answer_cells(cells)
    })
}

/// Coordinates of cells: returns the length of the answer in bytes.
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

/// The address of the last answer.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> u32 {
    at_desk(|desk| desk.address)
}
