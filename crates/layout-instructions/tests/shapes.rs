//! The instructions that are layouts only: each computes the product, and its elements are where
//! the vendors' figures show them.

use layout_algebra::{FlatLayout, StaticLayout};
use layout_instructions::mma::gmma;
use layout_instructions::{Instruction, Visitor, amd, host, intel};

mod sample;
use sample::{Numbers, expected, number, word};

/// Compares element (row, column) of a tile of `rows` rows for each thread and value.
fn check<L: StaticLayout>(name: &str, rows: usize, place: impl Fn(usize, usize) -> (usize, usize)) {
    let layout = FlatLayout::of_type::<L>();
    for (thread, value) in
        (0..layout.threads()).flat_map(|t| (0..layout.values()).map(move |v| (t, v)))
    {
        let (row, column) = place(thread, value);
        assert_eq!(
            layout.of_thread(thread, value),
            row + rows * column,
            "{name}: thread {thread}, value {value}"
        );
    }
}

/// The product of small whole numbers by the layouts, and by hand.
fn multiplies<I: Instruction>() {
    let mut numbers = Numbers::new(I::NAME);
    let a: Vec<I::A> = (0..I::M * I::K).map(|_| word(&mut numbers)).collect();
    let b: Vec<I::B> = (0..I::N * I::K).map(|_| word(&mut numbers)).collect();
    let c: Vec<I::C> = (0..I::M * I::N).map(|_| numbers.sum()).collect();
    let (of_a, of_b) = (FlatLayout::of_type::<I::ALayout>(), FlatLayout::of_type::<I::BLayout>());
    let of_c = FlatLayout::of_type::<I::CLayout>();
    let d = host::execute_threads::<I>(
        |t, v| a[of_a.of_thread(t, v)],
        |t, v| b[of_b.of_thread(t, v)],
        |t, v| c[of_c.of_thread(t, v)],
    );
    assert_eq!(d.iter().flatten().count(), I::M * I::N);
    // Only some elements: the plain loop takes longer.
    for i in (0..I::M * I::N).step_by(if I::M * I::N > 1024 { 41 } else { 1 }) {
        let (thread, value) = (i % of_c.threads(), i / of_c.threads());
        let element = of_c.of_thread(thread, value);
        let (m, n) = (element % I::M, element / I::M);
        let row: Vec<_> =
            (0..I::K).map(|k| (number(a[m + I::M * k]), number(b[n + I::N * k]))).collect();
        let sum = expected::<I::C>(I::NAME, number(c[element]), &row);
        assert_eq!(number(d[thread][value]), sum, "{}: ({m}, {n})", I::NAME);
    }
}

/// PTX's figures of `wgmma`: D, and A in registers, where a register is filled with elements.
struct Wgmma(usize);
impl Visitor for Wgmma {
    fn visit_instruction<I: Instruction>(&mut self) {
        self.0 += 1;
        assert!(
            I::NAME.starts_with(&format!("SM90_64x{}x{}_", I::N, I::K)) && I::M == 64,
            "{}",
            I::NAME
        );
        assert!(I::PTX.contains(&format!(".m64n{}k{}.", I::N, I::K)), "{}", I::PTX);
        let row = |t: usize| 16 * (t / 32) + t % 32 / 4;
        check::<I::CLayout>(I::NAME, 64, |t, v| {
            (row(t) + 8 * (v / 2 % 2), 8 * (v / 4) + 2 * (t % 4) + v % 2)
        });
        if I::NAME.contains("_RS") {
            let each = 4 / size_of::<I::A>();
            let column = |t, v| 4 * each * (v / (2 * each)) + each * (t % 4) + v % each;
            check::<I::ALayout>(I::NAME, 64, |t, v| (row(t) + 8 * (v / each % 2), column(t, v)));
        }
        multiplies::<I>();
    }
}
#[test]
fn wgmma() {
    let mut all = Wgmma(0);
    gmma::visit_all(&mut all);
    assert_eq!(all.0, 320);
}

/// The formulas of AMD's matrix instruction calculator: a lane has elements contiguous along K of
/// one row, and runs of four rows of D, or single rows with floats of 64 bits.
struct Mfma;
impl Visitor for Mfma {
    fn visit_instruction<I: Instruction>(&mut self) {
        let near = I::K * I::M / 64;
        check::<I::ALayout>(I::NAME, I::M, |lane, v| (lane % I::M, near * (lane / I::M) + v));
        check::<I::BLayout>(I::NAME, I::N, |lane, v| (lane % I::N, near * (lane / I::N) + v));
        let run = if size_of::<I::C>() == 8 { 1 } else { 4 };
        let row = |lane, v| run * (64 / I::N) * (v / run) + run * (lane / I::N) + v % run;
        check::<I::CLayout>(I::NAME, I::M, |lane, v| (row(lane, v), lane % I::N));
        multiplies::<I>();
    }
}
#[test]
fn mfma() {
    amd::visit_all(&mut Mfma);
}

/// Intel's tiles: rows of 64 bytes; a row of B has groups of 4 bytes along K, column by column.
struct Amx;
impl Visitor for Amx {
    fn visit_instruction<I: Instruction>(&mut self) {
        let near = 4 / size_of::<I::A>();
        check::<I::ALayout>(I::NAME, 16, |_, v| (v / I::K, v % I::K));
        check::<I::BLayout>(I::NAME, 16, |_, v| (v / near % 16, near * (v / near / 16) + v % near));
        check::<I::CLayout>(I::NAME, 16, |_, v| (v / 16, v % 16));
        multiplies::<I>();
    }
}
#[test]
fn amx() {
    intel::visit_all(&mut Amx);
}
