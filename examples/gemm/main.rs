//! The product of two matrices, C = A * B in single precision on one core, with layouts for
//! everything that says where an element lies: matrices in either order, cache blocks, packed
//! panels, the block of C that stays in registers. Each is cut out of the one before with
//! `zipped_divide` or `compose`, and a loop that runs over tiles asks a layout where the next one
//! begins. The result is checked against matrixmultiply and timed beside it.
//!
//! ```text
//! cargo run --release --example gemm                              1024 x 1024 x 1024
//! cargo run --release --example gemm -- 1000 300 77 --b column    M N K, and B column-major
//! ```
//!
//! `product` is the kernel, to be read from its `mod.rs` on. The register instructions of AVX-512
//! ask for Rust 1.89, where the library itself asks for 1.85.
#![allow(
    clippy::incompatible_msrv,
    reason = "an example may ask for a newer compiler than the library"
)]

mod product;

mod command;
mod progress;
mod race;

use std::process::ExitCode;
use std::time::Duration;

use command::{Command, USAGE};
use layout_algebra::prelude::*;
use product::cores::product_on_cores;
use product::fixed::fixed;
#[cfg(target_arch = "x86_64")]
use product::vector::Isa;
use product::{Blocking, InstructionSet, Workspace, describe, product, vector};
use progress::Progress;
use race::{peer, race, random, relative_error};

fn main() -> ExitCode {
    match Command::parse(std::env::args().skip(1)) {
        Ok(Some(command)) => run(command),
        Ok(None) => {
            println!("{USAGE}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("gemm: {error}\n\n{USAGE}");
            ExitCode::FAILURE
        }
    }
}

fn run(Command { m, n, k, a, b, c, set }: Command) -> ExitCode {
    // The matrices: where element (i, j) lies.
    let (la, lb, lc) = (a.layout(m, k), b.layout(k, n), c.layout(m, n));
    let blocking = Blocking::of::<f32>(set);
    println!("C = A * B in f32, M = {m}, N = {n}, K = {k}, {set:?}\n");
    let matrices =
        [("A", la), ("B", lb), ("C", lc)].map(|(name, layout)| (name, layout.to_string()));
    for (name, layout) in matrices.into_iter().chain(describe::<f32>(set, blocking, la, lb, lc)) {
        println!("{name:20} {layout}");
    }
    println!();

    let progress = Progress::start();
    progress.step("filling the matrices");
    let (a, b) = (random(la.cosize()), random(lb.cosize()));
    // Whatever stays unwritten will show.
    let (mut c, mut expected) = (vec![f32::NAN; lc.cosize()], vec![0.0; lc.cosize()]);

    progress.step("checking");
    let mut workspace = Workspace::default();
    product(set, blocking, &mut workspace, (&a, la), (&b, lb), (&mut c, lc));
    peer((&a, la), (&b, lb), (&mut expected, lc));
    let error = relative_error(&c, &expected);

    progress.step("timing");
    let operations = 2.0 * m as f64 * n as f64 * k as f64;
    let outcome = race(
        operations,
        Duration::from_millis(700),
        || product(set, blocking, &mut workspace, (&a, la), (&b, lb), (&mut c, lc)),
        || peer((&a, la), (&b, lb), (&mut expected, lc)),
    );
    let mut workspaces: Vec<_> =
        (0..rayon::current_num_threads()).map(|_| Workspace::default()).collect();
    let on_cores = race(
        operations,
        Duration::from_millis(400),
        || product_on_cores(set, blocking, &mut workspaces, (&a, la), (&b, lb), (&mut c, lc)),
        || product(set, blocking, &mut workspace, (&a, la), (&b, lb), (&mut expected, lc)),
    );
    drop(progress);

    println!("all {} elements against matrixmultiply: relative error {error:.1e}", lc.size());
    println!("layout-algebra {:8.1} GFLOP/s", outcome.ours);
    println!("matrixmultiply {:8.1} GFLOP/s", outcome.theirs);
    println!(
        "ratio          {:8.2}   (medians of {} rounds, by turns)",
        outcome.ratio, outcome.rounds
    );
    println!("on {} core(s)   {:8.1} GFLOP/s", workspaces.len(), on_cores.ours);
    println!("32 x 32 x 32   {:8.1} GFLOP/s   (static layouts)", static_sizes(set));
    if error < 1e-5 {
        ExitCode::SUCCESS
    } else {
        eprintln!("gemm: the result is wrong: the relative error has to be below 1e-5");
        ExitCode::FAILURE
    }
}

/// The speed of a product whose layouts are known at compile time, B as (n, k).
fn static_sizes(set: InstructionSet) -> f64 {
    let (la, lb, lc) = (layout!((32, 32)), layout!((32, 32): right), layout!((32, 32)));
    let (a, b) = (random(la.size()), random(lb.size()));
    let mut c = vec![0.0; lc.size()];
    let product = || match set {
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx512 => fixed(
            vector::Avx512::detect().expect("the instruction set is there"),
            (&a, la),
            (&b, lb),
            (&mut c, lc),
        ),
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx2 => fixed(
            vector::Avx2::detect().expect("the instruction set is there"),
            (&a, la),
            (&b, lb),
            (&mut c, lc),
        ),
        _ => fixed(vector::Portable, (&a, la), (&b, lb), (&mut c, lc)),
    };
    race(2.0 * (32.0_f64).powi(3), Duration::from_millis(50), product, || {}).ours
}
