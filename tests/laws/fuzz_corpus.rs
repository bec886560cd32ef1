//! The bodies of the fuzz targets on a fixed corpus, so that they are tested without a fuzzer.

#[path = "../../fuzz/bodies/chain.rs"]
mod chain;
#[path = "../../fuzz/bodies/mutable.rs"]
mod mutable;
#[path = "../../fuzz/bodies/parse.rs"]
mod parse;

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

#[test]
fn parse_on_a_fixed_corpus() {
    const ALPHABET: &[u8] = b"((()))<>,,::__0123456789 \n\xc3\xa9";
    for seed in 0..4000 {
        parse::parse(&bytes(seed, 40));
        let text: Vec<u8> = bytes(seed, (seed % 60) as usize)
            .iter()
            .map(|b| ALPHABET[*b as usize % ALPHABET.len()])
            .collect();
        parse::parse(&text);
    }
    for text in [
        "((2,2),3):((1,4),2)",
        "<4:1,_,(2,2):(1,8)>",
        "(1,(_,3))",
        "18446744073709551615:1",
        "(_2,_4):(_1,_2)",
    ] {
        (0..=text.len()).for_each(|cut| parse::parse(&text.as_bytes()[..cut]));
    }
}

/// A quarter of the corpus: the longest test of this program, in parts that run side by side.
fn chains(quarter: u64) {
    let checked: usize =
        (500 * quarter..500 * (quarter + 1)).map(|seed| chain::chain(&bytes(seed, 160))).sum();
    assert!(checked > 1250, "only {checked} answers were checked, which proves little");
}
#[test]
fn chain_on_a_fixed_corpus_0() {
    chains(0);
}
#[test]
fn chain_on_a_fixed_corpus_1() {
    chains(1);
}
#[test]
fn chain_on_a_fixed_corpus_2() {
    chains(2);
}
#[test]
fn chain_on_a_fixed_corpus_3() {
    chains(3);
}

#[test]
fn mutable_on_a_fixed_corpus() {
    let written: usize = (0..800).map(|seed| mutable::mutable(&bytes(seed, 120))).sum();
    assert!(written > 50_000, "only {written} elements were written, which proves little");
}
