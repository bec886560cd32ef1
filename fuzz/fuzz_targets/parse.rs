//! Any bytes as text: read, or refused at a byte. `cargo +nightly fuzz run parse`

#![no_main]

#[path = "../bodies/parse.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| body::parse(bytes));
