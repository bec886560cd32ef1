//! Relayouts beside HPTT, the crate `transpose`, ndarray, faer and memcpy: GB read and written in a
//! second, the best of all rounds. In each round every way runs once, in turns, so that other work
//! of the machine slows all ways alike; the ratio to HPTT is the median of the rounds, with the
//! quartiles.
//!
//! `ROUNDS=30 cargo run --release -- 4096 ttc`: runs the lines that contain one of the words.
//! `THREADS=2` also runs the ways with two threads, and memcpy in two parts; `ALL=1` adds ndarray,
//! and for matrices faer and `transpose`; `LIST=1` prints the lines for `numpy_torch.py`; `PLAN=1`
//! prints the loops.

use std::env;
use std::hint::black_box;
use std::thread;
use std::time::{Duration, Instant};

use hptt::MemoryOrder;
use layout_algebra::prelude::*;
use layout_relayout::Relayout;
use ndarray::{ArrayView, ArrayViewMut, IxDyn};

/// A row-major source of this shape; axis `permutation[k]` becomes axis `k` of a row-major
/// destination.
struct Line {
    name: String,
    shape: Vec<usize>,
    permutation: Vec<usize>,
}

fn line(name: &str, shape: &[usize], permutation: &[usize]) -> Line {
    Line { name: name.to_string(), shape: shape.to_vec(), permutation: permutation.to_vec() }
}

/// The permutations for which `copy_from` was measured at 0.87 of HPTT.
fn table() -> Vec<Line> {
    vec![
        line("4096 x 4096", &[4096, 4096], &[1, 0]),
        line("4000 x 4000", &[4000, 4000], &[1, 0]),
        line("4001 x 4003", &[4001, 4003], &[1, 0]),
        line("200000 x 8", &[200000, 8], &[1, 0]),
        line("NCHW to NHWC", &[8, 64, 112, 112], &[0, 2, 3, 1]),
        line("NHWC to NCHW", &[8, 112, 112, 64], &[0, 3, 1, 2]),
        line("256^3 (2,1,0)", &[256, 256, 256], &[2, 1, 0]),
        line("256^3 (0,2,1)", &[256, 256, 256], &[0, 2, 1]),
        line("256^3 (1,0,2)", &[256, 256, 256], &[1, 0, 2]),
        line("16^6 (5,3,1,4,2,0)", &[16; 6], &[5, 3, 1, 4, 2, 0]),
        line("27 x 21 x 33 x 29 x 7 (3,0,4,1,2)", &[27, 21, 33, 29, 7], &[3, 0, 4, 1, 2]),
        line("1024 x 1024", &[1024, 1024], &[1, 0]),
        line("64 x 64", &[64, 64], &[1, 0]),
        line("32 x 2 x 64 x 128 x 8 (0,2,1,4,3)", &[32, 2, 64, 128, 8], &[0, 2, 1, 4, 3]),
    ]
}

/// Squares from 64 KiB to 128 MiB of both matrices, named `side`: they give the least bytes of
/// `run_parallel`.
fn sides() -> Vec<Line> {
    let sides = [90, 181, 362, 512, 724, 1024, 1448, 2048, 2896, 4096];
    sides.iter().map(|&n| line(&format!("side {n}"), &[n, n], &[1, 0])).collect()
}

/// Thirty of the 57 permutations of TTC's benchmark, in HPTT's sizes: all matrices, which come
/// first, and every other one after them: permutation and extents, the leftmost axis contiguous.
fn ttc() -> Vec<Line> {
    let line_of = |text: &str| {
        let numbers: Vec<usize> =
            text.split_whitespace().map(|word| word.parse().unwrap()).collect();
        let (permutation, shape) = numbers.split_at(numbers.len() / 2);
        let rank = shape.len();
        let rows = |k: usize| rank - 1 - k;
        let words: Vec<_> = shape.iter().map(|n| n.to_string()).collect();
        let order: Vec<_> = permutation.iter().map(|k| k.to_string()).collect();
        line(
            &format!("ttc {} ({})", words.join(" x "), order.join(",")),
            &shape.iter().rev().copied().collect::<Vec<_>>(),
            &(0..rank).map(|k| rows(permutation[rows(k)])).collect::<Vec<_>>(),
        )
    };
    include_str!("../ttc.txt").lines().map(line_of).collect()
}

/// The two layouts of a line, over the coordinates of the source.
fn layouts(line: &Line) -> (DynLayout, DynLayout) {
    let rank = line.shape.len();
    let tuple = |of: &[usize]| DynShape::tuple(of.iter().map(|&n| DynShape::from(n))).unwrap();
    let shape = tuple(&line.shape);
    let mut strides = vec![0; rank];
    let mut next = 1;
    for &axis in line.permutation.iter().rev() {
        strides[axis] = next;
        next *= line.shape[axis];
    }
    (DynLayout::right(&shape), DynLayout::new(&shape, tuple(&strides)).unwrap())
}

type Way<'w> = (&'static str, Box<dyn FnMut(&[f32], &mut [f32]) + 'w>);

fn ways<'w>(line: &'w Line, plan: &'w Relayout, threads: usize) -> Vec<Way<'w>> {
    let (shape, permutation) = (&line.shape, &line.permutation);
    let rows_to = |k: usize| permutation.iter().map(|&axis| shape[axis]).nth(k).unwrap();
    let mut ways: Vec<Way<'w>> = vec![
        ("ours", Box::new(move |from, to| plan.run(from, to).unwrap())),
        (
            "HPTT",
            Box::new(move |from, to| {
                hptt::transpose_f32(
                    permutation,
                    1.0,
                    from,
                    shape,
                    0.0,
                    to,
                    1,
                    MemoryOrder::RowMajor,
                )
                .unwrap();
            }),
        ),
        ("memcpy", Box::new(|from, to| to.copy_from_slice(from))),
    ];
    if threads > 1 {
        ways.push((
            "ours, threads",
            Box::new(move |from, to| plan.run_parallel(from, to).unwrap()),
        ));
        ways.push((
            "memcpy, threads",
            Box::new(move |from, to| {
                let part = from.len().div_ceil(threads);
                rayon::scope(|scope| {
                    for (from, to) in from.chunks(part).zip(to.chunks_mut(part)) {
                        scope.spawn(|_| to.copy_from_slice(from));
                    }
                });
            }),
        ));
        ways.push((
            "HPTT, threads",
            Box::new(move |from, to| {
                let threads = threads as u32;
                hptt::transpose_f32(
                    permutation,
                    1.0,
                    from,
                    shape,
                    0.0,
                    to,
                    threads as _,
                    MemoryOrder::RowMajor,
                )
                .unwrap();
            }),
        ));
    }
    if env::var_os("ALL").is_some() {
        ways.push((
            "ndarray",
            Box::new(move |from, to| {
                let from = ArrayView::from_shape(IxDyn(shape), from)
                    .unwrap()
                    .permuted_axes(IxDyn(permutation));
                ArrayViewMut::from_shape(from.raw_dim(), to).unwrap().assign(&from);
            }),
        ));
        if shape.len() == 2 {
            ways.push((
                "faer",
                Box::new(move |from, to| {
                    let from = faer::MatRef::from_row_major_slice(from, rows_to(1), rows_to(0))
                        .transpose();
                    let mut to = faer::MatMut::from_row_major_slice_mut(to, rows_to(0), rows_to(1));
                    to.copy_from(from);
                }),
            ));
            ways.push((
                "transpose",
                Box::new(move |from, to| transpose::transpose(from, to, rows_to(0), rows_to(1))),
            ));
        }
    }
    ways
}

fn quantile(sorted: &[f64], q: f64) -> f64 {
    sorted[((sorted.len() - 1) as f64 * q).round() as usize]
}

fn main() {
    let words: Vec<String> = env::args().skip(1).collect();
    let number = |name: &str, usual: usize| {
        env::var(name).map_or(usual, |text| text.parse().expect("a number"))
    };
    let (rounds, threads) = (number("ROUNDS", 15), number("THREADS", 1));
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global().expect("threads");
    let cpu = raw_cpuid::CpuId::new();
    eprintln!(
        "{}, {}",
        cpu.get_processor_brand_string().map_or("?".into(), |b| b.as_str().trim().to_string()),
        layout_relayout::InstructionSet::detect()
    );
    let (mut ratios, mut least) = (Vec::new(), f64::INFINITY);
    let sides = sides().into_iter().filter(|_| words.iter().any(|word| word.starts_with("side")));
    for line in table().into_iter().chain(ttc()).chain(sides) {
        if !words.is_empty() && !words.iter().any(|word| line.name.contains(word.as_str())) {
            continue;
        }
        if env::var_os("LIST").is_some() {
            let words =
                |of: &[usize]| of.iter().map(|n| n.to_string()).collect::<Vec<_>>().join(" ");
            println!("{}|{}|{}", line.name, words(&line.shape), words(&line.permutation));
            continue;
        }
        let elements: usize = line.shape.iter().product();
        let from: Vec<f32> = (0..elements).map(|k| k as f32).collect();
        let mut to = vec![0.0_f32; elements];
        let (rows, columns) = layouts(&line);
        let plan = Relayout::plan(&rows, &columns, 4).unwrap();
        let mut ways = ways(&line, &plan, threads);
        let bytes = 8.0 * elements as f64;
        // A small relayout is repeated until the clock can measure the time.
        let repeats = ((4e6 / bytes) as usize).max(1);
        let mut times = vec![Vec::new(); ways.len()];
        let mut expected = vec![0.0_f32; elements];
        ways[1].1(&from, &mut expected);
        // Ways with many threads have separate rounds: OpenMP's threads spin for some time after a
        // call.
        for on_threads in [false, true] {
            for round in 0..=rounds {
                for ((name, way), times) in ways.iter_mut().zip(&mut times) {
                    if name.ends_with("threads") != on_threads {
                        continue;
                    }
                    if on_threads {
                        thread::sleep(Duration::from_millis(20));
                    }
                    if round == 0 {
                        to.fill(-1.0);
                    }
                    let begin = Instant::now();
                    for _ in 0..repeats {
                        way(black_box(&from), black_box(&mut to));
                    }
                    let time = begin.elapsed().as_secs_f64() / repeats as f64;
                    if round > 0 {
                        times.push(time);
                    } else if !name.starts_with("memcpy") {
                        assert!(to == expected, "{name}: {}", line.name);
                    }
                }
            }
        }
        let best: Vec<f64> =
            times.iter().map(|times| times.iter().copied().fold(f64::INFINITY, f64::min)).collect();
        let mut beside: Vec<f64> =
            times[1].iter().zip(&times[0]).map(|(hptt, ours)| hptt / ours).collect();
        beside.sort_by(f64::total_cmp);
        let rates: Vec<_> = ways
            .iter()
            .zip(&best)
            .map(|((name, _), time)| format!("{name} {:.1}", bytes / time / 1e9))
            .collect();
        println!(
            "{:<48} {}; {:.2} of HPTT ({:.2} {:.2} {:.2}), {:.2} of memcpy",
            line.name,
            rates.join(", "),
            best[1] / best[0],
            quantile(&beside, 0.25),
            quantile(&beside, 0.5),
            quantile(&beside, 0.75),
            best[2] / best[0],
        );
        if env::var_os("PLAN").is_some() {
            print!("{plan}");
        }
        ratios.push(best[1] / best[0]);
        least = least.min(best[1] / best[0]);
    }
    if ratios.is_empty() {
        return;
    }
    let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
    println!(
        "{:.2} of HPTT on the geometric mean of {} lines, {least:.2} at worst",
        mean,
        ratios.len()
    );
}
