//! Copies between two layouts, beside the loop written by hand, ndarray's `assign`, and memcpy of
//! as many bytes, all in one run.
//!
//! `cargo bench -p layout-algebra-benches --bench copies`, and after `--` words that select lines:
//! `pack`, `f64`. The limit: no slower than the loop by hand, and no slower than ndarray.

mod progress;

use std::env;
use std::fmt::Debug;
use std::hint::black_box;
use std::time::Instant;

use layout_algebra::prelude::*;
use ndarray::{
    ArrayView2, ArrayView3, ArrayView4, ArrayView5, ArrayViewMut2, ArrayViewMut3, ArrayViewMut4,
    ArrayViewMut5, ShapeBuilder,
};
use progress::Progress;

/// How often a copy is measured; of each time, the best of as many turns counts.
const ROUNDS: usize = 5;
const TURNS: usize = 8;

/// Two runs of the same loop differ by this much.
const NOISE: f64 = 0.05;

/// The elements of every source, which few copies read whole.
const READ: usize = 1024 * 1024;

/// A way to copy.
type Way<T> = fn(&[T], &mut [T]);

/// One copy: its name, its elements, and the ways to make it.
struct Copying<T> {
    name: &'static str,
    elements: usize,
    ways: [Way<T>; 3],
}

/// A way is a function of its own, as it would be in a program.
macro_rules! copies {
    ($T:ty; $($name:expr, $elements:expr, |$from:ident, $to:ident| { $ours:expr; $hand:expr; $ndarray:expr; })*) => {
        vec![$({
            #[inline(never)]
            fn ours($from: &[$T], $to: &mut [$T]) {
                $ours;
            }
            #[inline(never)]
            fn hand($from: &[$T], $to: &mut [$T]) {
                let ($from, $to): (&[$T; READ], &mut [$T; $elements]) = ($from.try_into().unwrap(), $to.try_into().unwrap());
                $hand;
            }
            #[inline(never)]
            fn ndarray($from: &[$T], $to: &mut [$T]) {
                $ndarray;
            }
            Copying { name: $name, elements: $elements, ways: [ours, hand, ndarray] }
        }),*]
    };
}

/// `to[c] = from[c]` for tensors under two layouts.
macro_rules! copy {
    ($from:ident $source:expr, $to:ident $target:expr) => {
        Tensor::new($to, $target).unwrap().copy_from(&Tensor::new($from, $source).unwrap()).unwrap()
    };
}

/// A square matrix, rows into columns.
macro_rules! transposes {
    ($T:ty; $($n:tt)*) => {
        copies! { $T; $(
            concat!("transpose ", $n, " x ", $n), $n * $n, |from, to| {
                copy!(from layout!(($n, $n): right), to layout!(($n, $n)));
                for i in 0..$n {
                    for j in 0..$n {
                        to[i + j * $n] = from[i * $n + j];
                    }
                };
                ndarray_transpose(from, to, $n);
            }
        )* }
    };
}

/// Panels of 16 rows of a square matrix of rows, each as a column of 16 after the other: what a
/// matrix product packs.
macro_rules! packs {
    ($T:ty; $($panels:tt of $panel:tt for $n:tt)*) => {
        copies! { $T; $(
            concat!("pack panels of 16 rows, ", $n, " x ", $n), $n * $n, |from, to| {
                copy!(from layout!(((16, $panels), $n):(($n, $panel), 1)), to layout!(((16, $panels), $n):((1, $panel), 16)));
                for p in 0..$panels {
                    for k in 0..$n {
                        for i in 0..16 {
                            to[i + k * 16 + p * $panel] = from[i * $n + p * $panel + k];
                        }
                    }
                };
                {
                    let from = ArrayView3::from_shape(($panels, 16, $n), from).unwrap();
                    ArrayViewMut3::from_shape(($panels, $n, 16), to).unwrap().assign(&from.permuted_axes([0, 2, 1]))
                };
            }
        )* }
    };
}

fn ndarray_transpose<T: Clone>(from: &[T], to: &mut [T], n: usize) {
    ArrayViewMut2::from_shape((n, n).f(), to)
        .unwrap()
        .assign(&ArrayView2::from_shape((n, n), from).unwrap());
}

/// All copies of elements of one type.
macro_rules! all {
    ($T:ty) => {{
        let mut all = copies! { $T;
            "contiguous 1024 x 1024", 1024 * 1024, |from, to| {
                copy!(from layout!((1024, 1024): right), to layout!((1024, 1024): right));
                for i in 0..1024 {
                    for j in 0..1024 {
                        to[i * 1024 + j] = from[i * 1024 + j];
                    }
                };
                ArrayViewMut2::from_shape((1024, 1024), to).unwrap().assign(&ArrayView2::from_shape((1024, 1024), from).unwrap());
            }
            "transpose 1024 x 1024, run-time size", 1024 * 1024, |from, to| {
                {
                    let n = black_box(1024);
                    copy!(from layout!((n, n): right), to layout!((n, n)))
                };
                {
                    let n = black_box(1024);
                    for i in 0..n {
                        for j in 0..n {
                            to[i + j * n] = from[i * n + j];
                        }
                    }
                };
                ndarray_transpose(from, to, 1024);
            }
            "pack panels of 16 rows, run-time 256 x 256", 256 * 256, |from, to| {
                {
                    let (n, panel) = (black_box(256), black_box(4096));
                    copy!(
                        from layout!(((16, n / 16), n):((n, panel), 1)),
                        to layout!(((16, n / 16), n):((1, panel), 16))
                    )
                };
                {
                    let (n, panel) = (black_box(256), black_box(4096));
                    for p in 0..n / 16 {
                        for k in 0..n {
                            for i in 0..16 {
                                to[i + k * 16 + p * panel] = from[i * n + p * panel + k];
                            }
                        }
                    }
                };
                {
                    let n = black_box(256);
                    let from = ArrayView3::from_shape((n / 16, 16, n), from).unwrap();
                    ArrayViewMut3::from_shape((n / 16, n, 16), to).unwrap().assign(&from.permuted_axes([0, 2, 1]))
                };
            }
            "permute (8,12,16,20,24) by (4,0,1,2,3)", 8 * 12 * 16 * 20 * 24, |from, to| {
                copy!(from layout!((8, 12, 16, 20, 24)), to layout!((8, 12, 16, 20, 24):(24, 192, 2304, 36864, 1)));
                for e in 0..24 {
                    for d in 0..20 {
                        for c in 0..16 {
                            for b in 0..12 {
                                for a in 0..8 {
                                    to[e + a * 24 + b * 192 + c * 2304 + d * 36864] =
                                        from[a + b * 8 + c * 96 + d * 1536 + e * 30720];
                                }
                            }
                        }
                    }
                };
                {
                    let from = ArrayView5::from_shape((8, 12, 16, 20, 24).f(), from).unwrap();
                    let mut to = ArrayViewMut5::from_shape((24, 8, 12, 16, 20).f(), to).unwrap();
                    to.assign(&from.permuted_axes([4, 0, 1, 2, 3]))
                };
            }
            "permute (8,12,16,20,24) by (1,3,0,4,2)", 8 * 12 * 16 * 20 * 24, |from, to| {
                copy!(from layout!((8, 12, 16, 20, 24)), to layout!((8, 12, 16, 20, 24):(240, 1, 46080, 12, 1920)));
                for e in 0..24 {
                    for d in 0..20 {
                        for c in 0..16 {
                            for b in 0..12 {
                                for a in 0..8 {
                                    to[b + d * 12 + a * 240 + e * 1920 + c * 46080] =
                                        from[a + b * 8 + c * 96 + d * 1536 + e * 30720];
                                }
                            }
                        }
                    }
                };
                {
                    let from = ArrayView5::from_shape((8, 12, 16, 20, 24).f(), from).unwrap();
                    let mut to = ArrayViewMut5::from_shape((12, 20, 8, 24, 16).f(), to).unwrap();
                    to.assign(&from.permuted_axes([1, 3, 0, 4, 2]))
                };
            }
            "gather every 4th of 1024 x 1024", 1024 * 256, |from, to| {
                copy!(from layout!((1024, 256):(1024, 4)), to layout!((1024, 256): right));
                for i in 0..1024 {
                    for j in 0..256 {
                        to[i * 256 + j] = from[i * 1024 + j * 4];
                    }
                };
                {
                    let from = ArrayView2::from_shape((1024, 256).strides((1024, 4)), from).unwrap();
                    ArrayViewMut2::from_shape((1024, 256), to).unwrap().assign(&from)
                };
            }
            "gather tiles of 8 x 4 of 256 x 256", 256 * 256, |from, to| {
                copy!(
                    from layout!(((8, 4), (32, 64)):((256, 1), (2048, 4))),
                    to layout!(((8, 4), (32, 64)):((4, 1), (2048, 32)))
                );
                for bi in 0..32 {
                    for bj in 0..64 {
                        for i in 0..8 {
                            for j in 0..4 {
                                to[j + i * 4 + bj * 32 + bi * 2048] = from[i * 256 + j + bi * 2048 + bj * 4];
                            }
                        }
                    }
                };
                {
                    let from = ArrayView4::from_shape((32, 8, 64, 4), from).unwrap();
                    ArrayViewMut4::from_shape((32, 64, 8, 4), to).unwrap().assign(&from.permuted_axes([0, 2, 1, 3]))
                };
            }
        };
        all.extend(transposes! { $T; 64 256 1024 });
        all.extend(packs! { $T; 4 of 1024 for 64 16 of 4096 for 256 64 of 16384 for 1024 });
        all
    }};
}

/// The least and the most of some numbers, and the one in the middle.
fn spread(numbers: impl Iterator<Item = f64>) -> [f64; 3] {
    let mut numbers: Vec<f64> = numbers.collect();
    numbers.sort_by(f64::total_cmp);
    [numbers[0], numbers[numbers.len() / 2], numbers[numbers.len() - 1]]
}

/// Measures the copies whose line holds one of the words; the names of those that are
/// slower than by hand or by ndarray.
fn measure<T: Copy + PartialEq + Debug + From<u16>>(
    of: &str,
    copies: &[Copying<T>],
    words: &[String],
) -> Vec<String> {
    let mut slower = Vec::new();
    let named = copies.iter().map(|copy| (format!("{of} {}", copy.name), copy));
    let asked: Vec<_> = named
        .filter(|(name, _)| words.is_empty() || words.iter().any(|word| name.contains(word)))
        .collect();
    let progress = Progress::new("turns", asked.len() * (1 + ROUNDS * TURNS));
    for (name, copy) in asked {
        let from: Vec<T> = (0..READ).map(|i| T::from((i % 65521) as u16)).collect();
        let mut to = vec![T::from(0); copy.elements];
        let mut results: Vec<Vec<T>> = Vec::new();
        let calls = (2 << 20) / copy.elements;
        // The seconds of each way in each round.
        let mut rounds = [[f64::INFINITY; ROUNDS]; 4];
        for turn in 0..=ROUNDS * TURNS {
            for (way, best) in rounds.iter_mut().enumerate() {
                let start = Instant::now();
                for _ in 0..calls {
                    match copy.ways.get(way) {
                        Some(way) => way(black_box(&from), black_box(&mut to)),
                        None => {
                            black_box(&mut to).copy_from_slice(black_box(&from[..copy.elements]))
                        }
                    }
                }
                let seconds = start.elapsed().as_secs_f64() / calls as f64;
                match turn.checked_sub(1) {
                    // The first turn is for the caches, and for what the ways make.
                    None => results.push(to.clone()),
                    Some(turn) => best[turn / TURNS] = best[turn / TURNS].min(seconds),
                }
            }
            progress.advance(1);
        }
        assert!(results[0] == results[1] && results[1] == results[2], "{name}: the ways differ");
        let bytes = 2.0 * (size_of::<T>() * copy.elements) as f64;
        let rate = [0, 1, 2, 3]
            .map(|way| spread(rounds[way].iter().map(|seconds| bytes / seconds / 1e9))[1]);
        let [hand, ndarray] = [1, 2]
            .map(|way| spread((0..ROUNDS).map(|round| rounds[way][round] / rounds[0][round])));
        progress.aside(|| {
            print!("{name:<44}{:>8.1}{:>8.1}{:>9.1}{:>8.1}", rate[0], rate[1], rate[2], rate[3]);
            for [least, middle, most] in [hand, ndarray] {
                print!("{middle:>8.2} ({least:.2} to {most:.2})");
            }
            println!();
        });
        if hand[1] < 1.0 - NOISE || ndarray[1] < 1.0 - NOISE {
            slower.push(name);
        }
    }
    slower
}

fn main() {
    let words: Vec<String> = env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    println!(
        "GB/s read and written, the median of {ROUNDS} rounds, of each the best of {TURNS} turns; ratios with their spread"
    );
    println!(
        "{:<44}{:>8}{:>8}{:>9}{:>8}{:>23}{:>23}",
        "", "ours", "hand", "ndarray", "memcpy", "ours/hand", "ours/ndarray"
    );
    let mut slower = measure("f32", &all!(f32), &words);
    slower.extend(measure("f64", &all!(f64), &words));
    if slower.is_empty() {
        println!("the limit holds: no copy is slower than by hand or by ndarray");
    } else {
        println!("the limit does not hold: {slower:?}");
    }
}
