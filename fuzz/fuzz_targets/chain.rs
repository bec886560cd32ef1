//! A random chain of operations, every answer checked against its law.
//! `cargo +nightly fuzz run chain`

#![no_main]

#[path = "../bodies/chain.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    body::chain(bytes);
});
