//! Mutable paths to the elements of a tensor, every element compared after every step.
//! `cargo +nightly fuzz run mutable`

#![no_main]

#[path = "../bodies/mutable.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    body::mutable(bytes);
});
