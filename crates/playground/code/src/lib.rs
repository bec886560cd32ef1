//! Index functions for the page's tab *Code*, in C's calling convention: numbers in and out, text
//! through memory.
//!
//! The page writes a layout to the address that `reserve` returns, and reads the answer of `emit`
//! at `answer`. As in the engine, `no_mangle` is the only unsafe feature, memory is passed as
//! addresses only, and addresses fit in 32 bits.
#![allow(unsafe_code)]

use std::cell::RefCell;

use layout_emit::{Index, Language, Module, NamedLayout};

thread_local! {
    static INPUT: RefCell<Vec<u8>> = RefCell::default();
    static ANSWER: RefCell<String> = RefCell::default();
}

/// The function of a layout in a language, by its index in [`Language::ALL`], or the error: the
/// offset of a coordinate, of an index, or the coordinate of an offset.
///
/// ```
/// use layout_algebra_playground_code::code;
/// assert!(code("(4,6):(1,4)", 0, 0).contains("uint32_t offset_of(uint32_t i, uint32_t j)"));
/// assert_eq!(code("(4,6):(1,0)", 0, 2).lines().count(), 1);
/// ```
pub fn code(layout: &str, language: usize, what: u32) -> String {
    let written = layout.parse::<NamedLayout>().and_then(|layout| {
        let index = Index::of(layout);
        let index = match what {
            0 => index,
            1 => index.flat(),
            _ => index.coordinate(),
        };
        Module::new(Language::ALL[language % Language::ALL.len()]).with(index).emit()
    });
    written.unwrap_or_else(|error| error.to_string())
}

/// The address where the page writes `length` bytes of text.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(length: u32) -> u32 {
    INPUT.with_borrow_mut(|input| {
        *input = vec![0; length as usize];
        input.as_mut_ptr() as usize as u32
    })
}

/// Evaluates [`code`] on the written text: returns the length of the answer in bytes.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn emit(language: u32, what: u32) -> u32 {
    let layout = INPUT.with_borrow(|input| String::from_utf8_lossy(input).into_owned());
    let text = code(&layout, language as usize, what);
    let length = text.len() as u32;
    ANSWER.set(text);
    length
}

/// The address of the last answer.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> u32 {
    ANSWER.with_borrow(|text| text.as_ptr() as usize as u32)
}
