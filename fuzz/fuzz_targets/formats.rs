//! Formats of fields and values that are drawn: an answer or a sentence.
//! `cargo +nightly fuzz run formats`

#![no_main]

#[path = "../bodies/formats.rs"]
mod body;
#[path = "../bodies/draw.rs"]
mod draw;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    body::formats(bytes);
});
