//! The header of a GGUF file: an answer or a sentence. `cargo +nightly fuzz run gguf`

#![no_main]

#[path = "../bodies/gguf.rs"]
mod body;
#[path = "../bodies/draw.rs"]
mod draw;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    body::gguf(bytes);
});
