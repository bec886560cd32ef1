//! The operations by name on hostile text, as the fuzzer calls them: a fixed corpus, or as long as
//! `FUZZ_SECONDS` says, from the seed `PROPTEST_RNG_SEED` on.

#[path = "../../../fuzz/bodies/operations.rs"]
mod operations;

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

#[test]
fn operations_on_hostile_text() {
    let (start, time) = (Instant::now(), variable("FUZZ_SECONDS").map(Duration::from_secs));
    let first = time.and_then(|_| variable("PROPTEST_RNG_SEED")).unwrap_or(0);
    let goes_on = |round: u64| time.map_or(round < 2000, |time| start.elapsed() < time);
    let rounds = (0u64..).take_while(|&round| goes_on(round));
    let called: usize =
        rounds.map(|round| operations::operations(&bytes(first.wrapping_add(round), 400))).sum();
    println!("{called} calls in {:?}", start.elapsed());
    assert!(called > 5000, "only {called} operations were called, which proves little");
}
