//! Copies between two layouts, beside the loop written by hand, ndarray's `assign`, and memcpy of as many bytes, all in one run.
//!
//! `cargo bench --bench copies`. The limit: no slower than the loop by hand, and no slower than ndarray.

use std::hint::black_box;
use std::time::Instant;

use layout_algebra::prelude::*;
use ndarray::{ArrayView2, ArrayView5, ArrayViewMut2, ArrayViewMut5, ShapeBuilder};

/// A way to copy.
type Way = fn(&[f32], &mut [f32]);

/// One copy: its name, its elements, and the ways to make it.
struct Copy {
    name: &'static str,
    elements: usize,
    ways: [Way; 3],
}

/// A way is a function of its own, as it would be in a program.
macro_rules! copies {
    ($($name:literal, $elements:expr, |$from:ident, $to:ident| { $ours:expr; $hand:expr; $ndarray:expr; })*) => {
        [$({
            #[inline(never)]
            fn ours($from: &[f32], $to: &mut [f32]) {
                $ours;
            }
            #[inline(never)]
            fn hand($from: &[f32], $to: &mut [f32]) {
                let ($from, $to): (&[f32; $elements], &mut [f32; $elements]) = ($from.try_into().unwrap(), $to.try_into().unwrap());
                $hand;
            }
            #[inline(never)]
            fn ndarray($from: &[f32], $to: &mut [f32]) {
                $ndarray;
            }
            Copy { name: $name, elements: $elements, ways: [ours, hand, ndarray] }
        }),*]
    };
}

/// `to[c] = from[c]` for tensors under two layouts.
macro_rules! copy {
    ($from:ident $source:expr, $to:ident $target:expr) => {
        Tensor::new($to, $target).unwrap().copy_from(&Tensor::new($from, $source).unwrap()).unwrap()
    };
}

fn transpose<const N: usize>(from: &[f32], to: &mut [f32]) {
    let mut to = ArrayViewMut2::from_shape((N, N).f(), to).unwrap();
    to.assign(&ArrayView2::from_shape((N, N), from).unwrap());
}

fn main() {
    let copies = copies! {
        "contiguous 1024 x 1024", 1 << 20, |from, to| {
            copy!(from layout!((1024, 1024): right), to layout!((1024, 1024): right));
            for i in 0..1024 {
                for j in 0..1024 {
                    to[i * 1024 + j] = from[i * 1024 + j];
                }
            };
            ArrayViewMut2::from_shape((1024, 1024), to).unwrap().assign(&ArrayView2::from_shape((1024, 1024), from).unwrap());
        }
        "transpose 64 x 64", 64 * 64, |from, to| {
            copy!(from layout!((64, 64): right), to layout!((64, 64)));
            for i in 0..64 {
                for j in 0..64 {
                    to[i + j * 64] = from[i * 64 + j];
                }
            };
            transpose::<64>(from, to);
        }
        "transpose 1024 x 1024", 1 << 20, |from, to| {
            copy!(from layout!((1024, 1024): right), to layout!((1024, 1024)));
            for i in 0..1024 {
                for j in 0..1024 {
                    to[i + j * 1024] = from[i * 1024 + j];
                }
            };
            transpose::<1024>(from, to);
        }
        "transpose 1024 x 1024, run-time size", 1 << 20, |from, to| {
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
            transpose::<1024>(from, to);
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
                ArrayViewMut5::from_shape((24, 8, 12, 16, 20).f(), to).unwrap().assign(&from.permuted_axes([4, 0, 1, 2, 3]))
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
                ArrayViewMut5::from_shape((12, 20, 8, 24, 16).f(), to).unwrap().assign(&from.permuted_axes([1, 3, 0, 4, 2]))
            };
        }
        "pack panels of 16 rows, 256 x 256", 256 * 256, |from, to| {
            copy!(from layout!(((16, 16), 256):((256, 4096), 1)), to layout!(((16, 16), 256):((1, 4096), 16)));
            for p in 0..16 {
                for k in 0..256 {
                    for i in 0..16 {
                        to[i + k * 16 + p * 4096] = from[i * 256 + p * 4096 + k];
                    }
                }
            };
            {
                let from = ndarray::ArrayView3::from_shape((16, 16, 256), from).unwrap();
                let mut to = ndarray::ArrayViewMut3::from_shape((16, 256, 16), to).unwrap();
                to.assign(&from.permuted_axes([0, 2, 1]))
            };
        }
    };

    println!("copies of f32, GB/s read and written: the best of 40 turns");
    println!(
        "{:<42}{:>8}{:>8}{:>9}{:>8}{:>12}{:>12}",
        "", "ours", "hand", "ndarray", "memcpy", "ours/hand", "ours/ndarray"
    );
    let mut slower = Vec::new();
    for copy in &copies {
        let from: Vec<f32> = (0..copy.elements).map(|i| i as f32).collect();
        let mut to = vec![0.0; copy.elements];
        let mut results: Vec<Vec<f32>> = Vec::new();
        let mut best = [f64::INFINITY; 4];
        let calls = (4 << 20) / copy.elements;
        for turn in 0..41 {
            for (way, best) in best.iter_mut().enumerate() {
                let start = Instant::now();
                for _ in 0..calls {
                    match copy.ways.get(way) {
                        Some(way) => way(black_box(&from), black_box(&mut to)),
                        None => black_box(&mut to).copy_from_slice(black_box(&from)),
                    }
                }
                let seconds = start.elapsed().as_secs_f64() / calls as f64;
                if turn == 0 {
                    results.push(to.clone());
                } else {
                    *best = best.min(seconds);
                }
            }
        }
        assert!(results[0] == results[1] && results[1] == results[2], "{}: the ways differ", copy.name);
        let rate = best.map(|seconds| 2.0 * 4.0 * copy.elements as f64 / seconds / 1e9);
        let (hand, ndarray) = (rate[0] / rate[1], rate[0] / rate[2]);
        println!(
            "{:<42}{:>8.1}{:>8.1}{:>9.1}{:>8.1}{hand:>12.2}{ndarray:>12.2}",
            copy.name, rate[0], rate[1], rate[2], rate[3]
        );
        // Two runs of the same loop differ by this much.
        if hand < 0.95 || ndarray < 0.95 {
            slower.push(copy.name);
        }
    }
    if slower.is_empty() {
        println!("the limit holds: no copy is slower than by hand or by ndarray");
    } else {
        println!("the limit does not hold: {slower:?}");
    }
}
