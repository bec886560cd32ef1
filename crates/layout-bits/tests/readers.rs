//! What reads foreign bytes, as the fuzzer calls it: a fixed corpus, or each as long as
//! `FUZZ_SECONDS` says, from the seed `PROPTEST_RNG_SEED` on.

#[path = "../../../fuzz/bodies/draw.rs"]
mod draw;
#[path = "../../../fuzz/bodies/formats.rs"]
mod formats;
#[path = "../../../fuzz/bodies/gguf.rs"]
mod gguf;
#[cfg(feature = "safetensors")]
#[path = "../../../fuzz/bodies/safetensors.rs"]
mod safetensors;

use std::time::{Duration, Instant};

/// Bytes without pattern, the same in every run (xorshift64).
fn bytes(seed: u64, length: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    (0..length).map(|_| next()).collect()
}

fn variable(name: &str) -> Option<u64> {
    std::env::var(name)
        .ok()
        .map(|value| value.parse().unwrap_or_else(|_| panic!("{name} is a number, not {value}")))
}

/// Calls a body, which says how much was accepted: some of what it draws has to be.
fn hostile(name: &str, rounds: u64, body: fn(&[u8]) -> usize) {
    let (start, time) = (Instant::now(), variable("FUZZ_SECONDS").map(Duration::from_secs));
    let first = time.and_then(|_| variable("PROPTEST_RNG_SEED")).unwrap_or(0);
    let rounds = rounds / variable("FEWER_CASES").unwrap_or(1);
    let goes_on = |round: u64| time.map_or(round < rounds, |time| start.elapsed() < time);
    let (mut count, mut accepted) = (0, 0);
    for round in (0..).take_while(|&round| goes_on(round)) {
        accepted += body(&bytes(first.wrapping_add(round), 600));
        count += 1;
    }
    println!(
        "{name}: {accepted} of {count} accepted in {:?}, from the seed {first} on",
        start.elapsed()
    );
    assert!(accepted * 10 > count && accepted < 2 * count, "{accepted} of {count} prove little");
}

#[test]
fn hostile_gguf() {
    hostile("gguf", 10_000, gguf::gguf);
}
#[cfg(feature = "safetensors")]
#[test]
fn hostile_safetensors() {
    hostile("safetensors", 10_000, safetensors::safetensors);
}
#[test]
fn hostile_formats() {
    hostile("formats", 5000, formats::formats);
}
