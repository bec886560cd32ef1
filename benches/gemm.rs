//! The matrix product of the example `gemm` beside matrixmultiply: sizes from 4 to 2048, ragged ones, and every order. Each line is measured by turns,
//! with the FMA peak of the same moment: a loop that does nothing but multiply and add in registers.
//!
//! `cargo bench --bench gemm` runs all; `cargo bench --bench gemm -- 64 100x20x30` runs these sizes, M x N x K, in every order.
#![allow(clippy::incompatible_msrv, reason = "the example asks for a newer compiler than the library")]
#![allow(dead_code, reason = "the example uses what the bench does not")]

#[path = "../examples/gemm/command.rs"]
mod command;
#[path = "../examples/gemm/product/mod.rs"]
mod product;
#[path = "../examples/gemm/race.rs"]
mod race;

use std::hint::black_box;
use std::time::{Duration, Instant};

use command::Order::{self, Column, Row};
use layout_algebra::prelude::*;
use product::vector::{self, Isa, Task, Vector};
use product::{Blocking, InstructionSet, Workspace, product};
use race::{peer, race, random, relative_error};

/// The time for one line.
const LEAST: Duration = Duration::from_millis(300);

/// `SUMS` chains of dependent multiply-adds, enough to keep every unit busy.
struct Peak<V: Vector, const SUMS: usize> {
    isa: V::Isa,
    steps: usize,
    one: V::Element,
}
impl<V: Vector, const SUMS: usize> Task for Peak<V, SUMS> {
    #[inline(always)]
    fn run(self) {
        let one = V::splat(self.isa, self.one);
        let mut sums = [V::splat(self.isa, V::Element::default()); SUMS];
        for _ in 0..self.steps {
            for sum in &mut sums {
                *sum = sum.mul_add(one, one);
            }
        }
        black_box(sums);
    }
}

/// Billions of multiplications and additions per second.
fn peak_of<V: Vector, const SUMS: usize>(one: V::Element) -> f64 {
    let isa = V::Isa::detect().expect("the instruction set is there");
    let steps = 200_000;
    let start = Instant::now();
    isa.run(Peak::<V, SUMS> { isa, steps, one: black_box(one) });
    (2 * steps * SUMS * V::LEN) as f64 / start.elapsed().as_secs_f64() / 1e9
}

fn peak(set: InstructionSet) -> f64 {
    match set {
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx512 => peak_of::<vector::F32x16, 24>(1.0),
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx2 => peak_of::<vector::F32x8, 12>(1.0),
        _ => peak_of::<vector::Array<f32>, 12>(1.0),
    }
}

/// One line of the table.
fn line(set: InstructionSet, [m, n, k]: [usize; 3], orders: [Order; 3]) {
    let [la, lb, lc] = [orders[0].layout(m, k), orders[1].layout(k, n), orders[2].layout(m, n)];
    let (a, b) = (random(la.cosize()), random(lb.cosize()));
    let (mut c, mut expected) = (vec![f32::NAN; lc.cosize()], vec![0.0; lc.cosize()]);
    let mut workspace = Workspace::default();
    let mut ours = || product(set, Blocking::default(), &mut workspace, (&a, la), (&b, lb), (&mut c, lc));
    let mut theirs = || peer((&a, la), (&b, lb), (&mut expected, lc));
    let before = peak(set);
    let outcome = race(2.0 * (m * n * k) as f64, LEAST, &mut ours, &mut theirs);
    let peak = before.max(peak(set));
    let error = relative_error(&c, &expected);
    assert!(error < 1e-5, "the product is wrong by {error}");
    let letter = |order| if order == Row { 'r' } else { 'c' };
    println!(
        "{:15} {}  {:8.1} {:5.1} %  {:8.1} {:5.1} %  {:6.3}",
        format!("{m}x{n}x{k}"),
        orders.map(letter).iter().collect::<String>(),
        outcome.ours,
        100.0 * outcome.ours / peak,
        outcome.theirs,
        100.0 * outcome.theirs / peak,
        outcome.ratio,
    );
}

/// Each of the eight choices of an order for A, B and C, all in rows first.
fn orders() -> impl Iterator<Item = [Order; 3]> {
    (0..8).map(|bits| [1, 2, 4].map(|bit| if bits & bit == 0 { Row } else { Column }))
}

/// `64` or `100x20x30`.
fn size(text: &str) -> Option<[usize; 3]> {
    let sizes: Vec<usize> = text.split('x').map(|size| size.parse().ok()).collect::<Option<_>>()?;
    match sizes[..] {
        _ if sizes.contains(&0) => None,
        [n] => Some([n; 3]),
        [m, n, k] => Some([m, n, k]),
        _ => None,
    }
}

fn main() {
    // Cargo adds `--bench`.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let set = InstructionSet::available().next().expect("`Portable` is always there");
    println!("{set:?}, orders of A, B and C; GFLOP/s and percent of the FMA peak; ratio of the times");
    println!("size            ABC   layout-algebra     matrixmultiply      ratio");
    if !arguments.is_empty() {
        for argument in &arguments {
            match size(argument) {
                Some(size) => orders().for_each(|orders| line(set, size, orders)),
                None => panic!("`{argument}` is not a size: write 64 or 100x20x30"),
            }
        }
        return;
    }
    for n in [4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048] {
        line(set, [n; 3], [Row; 3]);
    }
    for n in [5, 7, 13, 31, 33, 63, 65, 100, 127, 255, 1000, 1023, 1025] {
        line(set, [n; 3], [Row; 3]);
    }
    for size in [[4096, 64, 64], [64, 4096, 64], [64, 64, 4096], [2000, 30, 500], [30, 2000, 500], [777, 333, 999]] {
        line(set, size, [Row; 3]);
    }
    for n in [64, 256, 1024] {
        orders().skip(1).for_each(|orders| line(set, [n; 3], orders));
    }
}
