//! The header of a safetensors file: an answer or a sentence. `cargo +nightly fuzz run safetensors`

#![no_main]

#[path = "../bodies/safetensors.rs"]
mod body;
#[path = "../bodies/draw.rs"]
mod draw;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    body::safetensors(bytes);
});
