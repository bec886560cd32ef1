//! Twelve index patterns with layouts, by hand and with ndarray: the file that
//! `tests/cost/static_cost.rs` compares, measured.
//!
//! `cargo bench -p layout-algebra-benches --bench patterns` times them with criterion;
//! `cargo bench -p layout-algebra-benches --bench patterns -- instructions` counts the instructions
//! of one call with valgrind's callgrind. The limits: at most as many as by hand, and fewer than
//! ndarray.

#[path = "patterns/patterns.rs"]
#[allow(clippy::needless_range_loop, reason = "an index is what is measured")]
mod patterns;

use std::hint::black_box;
use std::process::{Command, ExitCode};
use std::{env, fs};

use criterion::Criterion;
use patterns::*;

/// A pattern written in one way.
type Way = Box<dyn Fn(&mut Data)>;

/// A pattern on its data: each way gives what it made as bits, so that all can be compared.
struct Pattern {
    name: &'static str,
    ways: [Way; 3],
}

const WAYS: [&str; 3] = ["layout", "by hand", "ndarray"];

/// What patterns read and write.
struct Data {
    integers: Box<[u64; 64 * 96]>,
    floats: Box<[f32; 64 * 96]>,
    doubles: Box<[f64; 64 * 64]>,
    to: Box<[f32; 30 * 30 * 9]>,
    sums: [u64; 48],
}

impl Data {
    fn new() -> Self {
        Data {
            integers: Box::new(std::array::from_fn(|i| (i * i) as u64)),
            floats: Box::new(std::array::from_fn(|i| i as f32)),
            doubles: Box::new(std::array::from_fn(|i| i as f64)),
            to: Box::new([0.0; _]),
            sums: [0; 48],
        }
    }
    /// Everything that a pattern may have written.
    fn written(&self) -> (Vec<f32>, Vec<f32>, Vec<u64>) {
        (self.floats.to_vec(), self.to.to_vec(), self.sums.to_vec())
    }
}

/// The first `N` elements.
fn first<T, const N: usize>(slice: &[T]) -> &[T; N] {
    slice[..N].try_into().unwrap()
}
fn first_mut<T, const N: usize>(slice: &mut [T]) -> &mut [T; N] {
    (&mut slice[..N]).try_into().unwrap()
}

macro_rules! patterns {
    ($($name:literal: $ours:ident $hand:ident $ndarray:ident |$data:ident, $way:ident| $call:expr;)*) => {
        vec![$(Pattern {
            name: $name,
            ways: [
                Box::new(|$data: &mut Data| { let $way = $ours; $call; }),
                Box::new(|$data: &mut Data| { let $way = $hand; $call; }),
                Box::new(|$data: &mut Data| { let $way = $ndarray; $call; }),
            ],
        }),*]
    };
}

fn all() -> Vec<Pattern> {
    patterns! {
        "row-major sum": ours_row_major hand_row_major ndarray_row_major
            |data, way| data.sums[0] = way(&data.integers);
        "column-major sum": ours_column_major hand_column_major ndarray_column_major
            |data, way| data.sums[0] = way(&data.integers);
        "transposed copy": ours_transpose hand_transpose ndarray_transpose
            |data, way| way(&data.floats, first_mut(&mut data.to[..]));
        "tiles of tiles": ours_tiles hand_tiles ndarray_tiles
            |data, way| way(&data.integers, &mut data.sums);
        "thread-value gather": ours_thread_values hand_thread_values ndarray_thread_values
            |data, way| way(first(&data.floats[..]), black_box(21), first_mut(&mut data.to[..]));
        "swizzled transpose": ours_swizzle hand_swizzle ndarray_swizzle
            |data, way| way(&data.floats[..1024], &mut data.to[..1024]);
        "im2col": ours_im2col hand_im2col ndarray_im2col
            |data, way| way(first(&data.floats[..]), &mut data.to);
        "strided slice": ours_strided_slice hand_strided_slice ndarray_strided_slice
            |data, way| data.sums[0] = way(&data.integers);
        "5-d permute": ours_permute hand_permute ndarray_permute
            |data, way| way(first(&data.floats[..]), first_mut(&mut data.to[..]));
        "diagonal": ours_diagonal hand_diagonal ndarray_diagonal
            |data, way| data.sums[0] = way(&data.doubles).to_bits();
        "broadcast add": ours_broadcast hand_broadcast ndarray_broadcast
            |data, way| way(first_mut(&mut data.floats[..]), first(&data.to[..]));
        "run-time leading dimension": ours_mixed hand_mixed ndarray_mixed
            |data, way| data.sums[0] = way(&data.integers[..], black_box(100));
    }
}

/// What callgrind collects: it turns on when this function begins, off when it ends, and
/// writes what it has counted then.
#[unsafe(no_mangle)]
#[inline(never)]
fn patterns_measured(way: &dyn Fn(&mut Data), data: &mut Data) {
    way(black_box(data));
}

/// Runs every way of every pattern once: under callgrind.
fn run_each_once() {
    let mut data = Data::new();
    patterns_measured(&|_| {}, &mut data);
    for pattern in all() {
        pattern.ways.iter().for_each(|way| patterns_measured(way, &mut data));
    }
}

/// All ways of a pattern make the same.
fn check() {
    for pattern in all() {
        let made = pattern.ways.each_ref().map(|way| {
            let mut data = Data::new();
            way(&mut data);
            data.written()
        });
        assert!(made[0] == made[1] && made[1] == made[2], "{}: the ways differ", pattern.name);
    }
}

/// The instructions of each call in turn, the empty one's taken off; `None` without valgrind.
fn instructions() -> Option<Vec<u64>> {
    let out = env::temp_dir().join(format!("patterns.callgrind.{}", std::process::id()));
    let status = Command::new("valgrind")
        .args([
            "--tool=callgrind",
            "--quiet",
            "--toggle-collect=patterns_measured",
            "--dump-after=patterns_measured",
        ])
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg(env::current_exe().ok()?)
        .arg("run-each-once")
        .status()
        .ok()?;
    assert!(status.success(), "valgrind failed");
    let count = |part: usize| {
        let file = format!("{}.{part}", out.display());
        let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{file}: {error}"));
        drop(fs::remove_file(&file));
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix("summary:").or(line.strip_prefix("totals:")));
        line.and_then(|line| line.trim().parse::<u64>().ok())
            .unwrap_or_else(|| panic!("{file} has no total"))
    };
    let empty = count(1);
    let counts = (2..2 + 3 * all().len()).map(|part| count(part) - empty).collect();
    drop(fs::remove_file(&out));
    Some(counts)
}

fn table() -> ExitCode {
    let Some(counts) = instructions() else {
        println!("valgrind is not here: no instructions counted");
        return ExitCode::SUCCESS;
    };
    println!("instructions of one call, by callgrind");
    println!(
        "{:<28}{:>10}{:>10}{:>10}{:>12}{:>14}",
        "", WAYS[0], WAYS[1], WAYS[2], "of by hand", "of ndarray"
    );
    let mut holds = true;
    for (pattern, count) in all().iter().zip(counts.chunks(3)) {
        let (hand, ndarray) =
            (count[0] as f64 / count[1] as f64, count[0] as f64 / count[2] as f64);
        println!(
            "{:<28}{:>10}{:>10}{:>10}{hand:>12.2}{ndarray:>14.2}",
            pattern.name, count[0], count[1], count[2]
        );
        holds &= hand <= 1.0 && ndarray < 1.0;
    }
    println!(
        "{}",
        if holds {
            "the limits hold: at most by hand, below ndarray"
        } else {
            "a limit does not hold"
        }
    );
    if holds { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn times() {
    let mut criterion = Criterion::default()
        .warm_up_time(std::time::Duration::from_millis(200))
        .measurement_time(std::time::Duration::from_millis(600))
        .sample_size(30)
        .configure_from_args();
    for pattern in all() {
        let mut group = criterion.benchmark_group(pattern.name);
        for (way, name) in pattern.ways.iter().zip(WAYS) {
            let mut data = Data::new();
            group.bench_function(name, |b| b.iter(|| way(black_box(&mut data))));
        }
        group.finish();
    }
    criterion.final_summary();
}

fn main() -> ExitCode {
    check();
    let asks = |word: &str| env::args().any(|argument| argument == word);
    if asks("run-each-once") {
        run_each_once();
    } else if asks("instructions") {
        return table();
    } else {
        times();
    }
    ExitCode::SUCCESS
}
