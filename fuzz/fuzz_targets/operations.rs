//! The operations by name on hostile text: an answer or a sentence.
//! `cargo +nightly fuzz run operations`

#![no_main]

#[path = "../bodies/operations.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    body::operations(bytes);
});
