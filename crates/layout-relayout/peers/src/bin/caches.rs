//! Permutations within the caches and beyond, beside the crate `strided-perm`, HPTT (both plan in
//! each call) and memcpy; and images beside a hand-written loop that is compiled for
//! AVX-512 with VBMI, and for AVX2.
//!
//! `cargo run --release --bin caches -- table`, `-- tenferro` (the permutations of its benchmark),
//! `-- ttc` (thirty of TTC's), `-- random 60 7` (60 draws of seed 7), `-- rows 60 7` (of rows of 128
//! bytes and more on both sides), `-- second 60 7` (that the second cache holds), or `-- images`: GB
//! read and written in a second of the thread's processor time, the best of repeats in turns for `MS=40`
//! milliseconds each; in brackets with AVX2. `ONLY=3,5` runs only these lines.

use std::cell::RefCell;
use std::env;
use std::hint::black_box;

use bytemuck::Pod;
use hptt::MemoryOrder::ColumnMajor;
use layout_algebra::prelude::*;
use layout_relayout::{InstructionSet, Relayout};
use layout_relayout_peers::{Draws, Way, best, compact, layout};
use num_complex::Complex64;
use strided_view::{StridedView, StridedViewMut};
use threadteam::Exec;

fn bytes_of<T: Pod>(count: usize) -> Vec<T> {
    let mut elements = vec![T::zeroed(); count];
    for (k, byte) in bytemuck::cast_slice_mut::<T, u8>(&mut elements).iter_mut().enumerate() {
        *byte = ((k as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as u8 & 0x3F;
    }
    elements
}

/// Element types, some of which HPTT has a function for.
trait Element: Pod + PartialEq + Send + Sync {
    fn hptt(_: &[usize], _: &[usize], _: &[Self], _: &mut [Self]) {}
}
impl Element for u8 {}
macro_rules! of_hptt {
    ($($element:ty: $function:ident, $zero:expr, $one:expr $(, $conjugate:literal)?;)*) => { $(
        impl Element for $element {
            fn hptt(permutation: &[usize], extents: &[usize], from: &[Self], to: &mut [Self]) {
                let order = ColumnMajor;
                hptt::$function(permutation, $one, from, extents, $zero, to, 1 $(, $conjugate)?, order)
                    .unwrap();
            }
        }
    )* };
}
of_hptt! {
    f32: transpose_f32, 0.0, 1.0;
    f64: transpose_f64, 0.0, 1.0;
    Complex64: transpose_c64, Complex64::new(0.0, 0.0), Complex64::new(1.0, 0.0), false;
}

/// The most modes of a permutation for HPTT.
const MODES_OF_HPTT: usize = 20;

/// `to[i0, i1, ..] = from[i_permutation[0], ..]`.
struct Line {
    bytes: usize,
    extents: Vec<usize>,
    permutation: Vec<usize>,
    strides: Vec<isize>,
    /// The first elements behind a line of both memories, if that matters.
    first: Option<[usize; 2]>,
}

impl Line {
    fn of(bytes: usize, extents: Vec<usize>, permutation: Vec<usize>) -> Self {
        let strides = compact(&extents);
        Line { bytes, extents, permutation, strides, first: None }
    }
}

/// The ratios to `strided-perm`, also with AVX2, to HPTT, and to memcpy, also with AVX2.
fn line<T: Element>(number: usize, line: &Line) -> [f64; 5] {
    let Line { extents, permutation, strides, first, .. } = line;
    let count: usize = extents.iter().product();
    let by_hptt =
        size_of::<T>() > 1 && extents.len() <= MODES_OF_HPTT && *strides == compact(extents);
    let shape: Vec<_> = permutation.iter().map(|&k| extents[k]).collect();
    let from_strides: Vec<_> = permutation.iter().map(|&k| strides[k]).collect();
    let to_strides = compact(&shape);
    let (from, mut to) =
        (bytes_of::<T>(count + 128), [(); 5].map(|()| vec![T::zeroed(); count + 128]));
    let place = |of: &[T], k: usize| first.map_or(0, |at| of.as_ptr().align_offset(64) + at[k]);
    let from = &from[place(&from, 0)..][..count];
    let [ours, narrow, theirs, copied, hptt] = to.each_mut().map(|to| {
        let at = place(to, 1);
        &mut to[at..at + count]
    });
    let layouts = [layout(&shape, &from_strides), layout(&shape, &to_strides)];
    let plan = || Relayout::plan(&layouts[0], &layouts[1], size_of::<T>()).unwrap();
    let (by_set, best_plan) = (plan().with_instruction_set(InstructionSet::Avx2).unwrap(), plan());
    let view = StridedView::new(from, &shape, &from_strides, 0).unwrap();
    let times = best(vec![
        Box::new(|| best_plan.run(black_box(from), black_box(ours)).unwrap()),
        Box::new(|| by_set.run(black_box(from), black_box(narrow)).unwrap()),
        Box::new(|| {
            let mut to = StridedViewMut::new(theirs, &shape, &to_strides, 0).unwrap();
            strided_perm::copy_into(&mut to, black_box(&view), Exec::serial()).unwrap();
        }),
        Box::new(|| black_box(&mut *copied).copy_from_slice(black_box(from))),
        Box::new(|| drop(black_box(plan()))),
        Box::new(|| {
            if by_hptt {
                T::hptt(permutation, extents, black_box(from), black_box(hptt));
            }
        }),
    ]);
    assert!(ours == theirs && narrow == theirs, "{extents:?} {permutation:?}");
    assert!(!by_hptt || ours == hptt, "HPTT: {extents:?} {permutation:?}");
    let of_hptt = if by_hptt { times[5] / times[0] } else { f64::INFINITY };
    let bytes = 2.0 * size_of_val(from) as f64 / 1e9;
    let rate = |k: usize| bytes / times[k];
    println!(
        "{number:>2}: {:>2} bytes {extents:?} {permutation:?}: {:.1} ({:.1}), strided-perm {:.1}, \
         memcpy {:.1}; {:.2} ({:.2}) and {:.2} ({:.2}) of them, {of_hptt:.2} of HPTT; a plan {:.1} us",
        size_of::<T>(),
        rate(0),
        rate(1),
        rate(2),
        rate(3),
        times[2] / times[0],
        times[2] / times[1],
        times[3] / times[0],
        times[3] / times[1],
        times[4] * 1e6
    );
    let of = |peer: usize, way: usize| times[peer] / times[way];
    [of(2, 0), of(2, 1), of_hptt, of(3, 0), of(3, 1)]
}

fn reversed(n: usize) -> Vec<usize> {
    Vec::from_iter((0..n).rev())
}

/// The permutation of a tensor network.
fn network() -> Vec<usize> {
    [0, 1, 2, 3, 22, 4, 23].into_iter().chain(5..22).collect()
}

/// The permutations of `data/instances/permutation_patterns.json` of tenferro-benchmark, without
/// the copy.
fn tenferro() -> Vec<Line> {
    let mut lines = Vec::from_iter([256, 1024, 2048].map(|n| Line::of(8, vec![n; 2], vec![1, 0])));
    lines.extend([
        Line::of(8, vec![256; 3], vec![2, 0, 1]),
        Line::of(8, vec![256; 3], vec![1, 0, 2]),
        Line::of(8, vec![32, 32, 32, 32, 16, 16], vec![5, 0, 4, 1, 3, 2]),
        Line::of(8, vec![2; 20], reversed(20)),
        Line::of(8, vec![2; 13], reversed(13)),
        Line::of(8, vec![2; 13], (1..13).chain([0]).collect()),
        Line::of(8, vec![2; 24], network()),
        Line::of(8, vec![2; 24], network()),
    ]);
    let scattered = [0, 1, 2, 3, 22, 4, 23].into_iter().chain(5..22).map(|k| 1 << k);
    lines[9].strides = scattered.collect();
    lines
}

/// TTC's permutations of f32, from the same file as in `main.rs`.
fn ttc() -> Vec<Line> {
    let line_of = |text: &str| {
        let numbers: Vec<usize> =
            text.split_whitespace().map(|word| word.parse().unwrap()).collect();
        let (permutation, extents) = numbers.split_at(numbers.len() / 2);
        Line::of(4, extents.to_vec(), permutation.to_vec())
    };
    include_str!("../../ttc.txt").lines().map(line_of).collect()
}

fn table() -> Vec<Line> {
    let mut lines = vec![
        (8, vec![2; 24], network()),
        (8, vec![4, 1000, 4, 250], vec![2, 1, 0, 3]),
        (8, vec![2; 13], (1..13).chain([0]).collect()),
        (8, vec![2; 13], reversed(13)),
        (8, vec![2; 20], reversed(20)),
        (8, vec![3; 14], reversed(14)),
        (8, vec![5; 9], reversed(9)),
        (8, vec![31, 33, 35, 37], reversed(4)),
    ];
    for side in [32, 64, 100, 128, 255, 256, 512, 1000, 1024, 2048] {
        lines.extend([4, 8].map(|bytes| (bytes, vec![side; 2], vec![1, 0])));
    }
    lines.into_iter().map(|(bytes, extents, order)| Line::of(bytes, extents, order)).collect()
}

/// Random permutations of ranks 2 to 24, extents up to 1,000, 4 KiB to 16 MiB; in the second cache
/// ranks 2 to 8, 64 KiB to 1 MiB of both memories.
fn random(lines: usize, seed: u64, in_second: bool) -> Vec<Line> {
    let mut draws = Draws::new(seed);
    let line = |_| {
        let (bytes, rank) =
            ([1, 4, 8, 16][draws.below(4)], 2 + draws.below(if in_second { 7 } else { 23 }));
        let elements =
            (1_usize << if in_second { 15 + draws.below(5) } else { 12 + draws.below(13) }) / bytes;
        let mut extents = draws.extents(rank, elements);
        let mut permutation = Vec::from_iter(0..rank);
        for k in 1..rank {
            extents.swap(k, draws.below(k + 1));
            permutation.swap(k, draws.below(k + 1));
        }
        Line::of(bytes, extents, permutation)
    };
    (0..lines).map(line).collect()
}

/// Random permutations of ranks 2 to 6 of rows of 128 bytes and more on both sides, 8 KiB to 32 MiB;
/// half of them begin at a line of both memories.
fn rows(lines: usize, seed: u64) -> Vec<Line> {
    let mut draws = Draws::new(seed);
    let line = |k: usize| {
        let (bytes, rank) = ([1, 4, 8, 16][draws.below(4)], 2 + draws.below(5));
        let row = (128 << draws.below(4)) / bytes + if k % 2 == 0 { 0 } else { draws.below(100) };
        let most = (1_usize << (13 + draws.below(13))) / (row * bytes);
        let mut extents = draws.extents(rank, most.max(1 << rank));
        let mut permutation = Vec::from_iter(1..=rank);
        for k in 1..rank {
            permutation.swap(k, draws.below(k + 1));
        }
        permutation.insert(0, 0);
        extents.insert(0, row);
        let first = if k % 2 == 0 { [0; 2] } else { [draws.below(64), draws.below(64)] };
        Line { first: Some(first), ..Line::of(bytes, extents, permutation) }
    };
    (0..lines).map(line).collect()
}

/// Pixels of `C` elements to planes, or planes to pixels, by a hand-written loop.
#[inline(always)]
fn by_hand<S: Copy, D, const C: usize>(
    from: &[S],
    to: &mut [D],
    apart: bool,
    f: impl Fn(S, usize) -> D,
) {
    let count = from.len() / C;
    if apart {
        let mut rows = to.chunks_exact_mut(count);
        let planes: [_; C] = std::array::from_fn(|_| rows.next().unwrap());
        for (k, pixel) in from.chunks_exact(C).enumerate() {
            for c in 0..C {
                planes[c][k] = f(pixel[c], c);
            }
        }
    } else {
        let mut rows = from.chunks_exact(count);
        let planes: [_; C] = std::array::from_fn(|_| rows.next().unwrap());
        for (k, pixel) in to.chunks_exact_mut(C).enumerate() {
            for c in 0..C {
                pixel[c] = f(planes[c][k], c);
            }
        }
    }
}

macro_rules! compiled {
    ($($name:ident $features:literal;)*) => { $(
        /// # Safety
        /// The processor has the instructions.
        #[target_feature(enable = $features)]
        unsafe fn $name<S: Copy, D>(
            channels: usize,
            from: &[S],
            to: &mut [D],
            apart: bool,
            f: impl Fn(S, usize) -> D,
        ) {
            match channels {
                1 => by_hand::<S, D, 1>(from, to, apart, f),
                2 => by_hand::<S, D, 2>(from, to, apart, f),
                3 => by_hand::<S, D, 3>(from, to, apart, f),
                _ => by_hand::<S, D, 4>(from, to, apart, f),
            }
        }
    )* };
}
compiled! {
    with_avx512 "avx2,bmi2,fma,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi";
    with_avx2 "avx2,bmi2,fma";
}

/// Ours with the best set of instructions and with AVX2, and the loops by hand.
///
/// `main` has asked for AVX-512, and every such processor has AVX2.
macro_rules! beside_loops {
    ($name:expr, $from:ident, $best:expr, $narrow:expr, $channels:expr, $apart:expr, $f:expr) => {
        beside(
            $name,
            $from.len(),
            [
                &mut $best,
                &mut $narrow,
                // SAFETY: `main` has asked.
                &mut |to| unsafe { with_avx512($channels, black_box($from), to, $apart, $f) },
                // SAFETY: as above.
                &mut |to| unsafe { with_avx2($channels, black_box($from), to, $apart, $f) },
            ],
        )
    };
}

fn images() {
    let (scale, bias) = ([0.5_f32, 0.25, 2.0, 1.5], [1.0_f32, -2.0, 3.0, 0.5]);
    for (height, width) in [(64, 64), (224, 224), (1080, 1920)] {
        for channels in 1..=4 {
            let (count, c) = (height * width, channels as isize);
            let shape = [channels, height, width];
            let pixels = layout(&shape, &[1, width as isize * c, c]);
            let planes = layout(&shape, &[count as isize, width as isize, 1]);
            let name = format!("{height} x {width} x {channels}");
            let from = &bytes_of::<u8>(count * channels)[..];
            let [best, narrow] = plans(&pixels, &planes, 1);
            beside_loops!(
                &format!("{name}, u8 to f32 planes"),
                from,
                |to| best.run_converted(black_box(from), to).unwrap(),
                |to| narrow.run_converted(black_box(from), to).unwrap(),
                channels,
                true,
                |x, _| f32::from(x)
            );
            let [a, b] = [&scale, &bias].map(|of| &of[..channels]);
            beside_loops!(
                &format!("{name}, u8 to f32 planes by channel"),
                from,
                |to| best.run_by_channel(black_box(from), 0, a, b, to).unwrap(),
                |to| narrow.run_by_channel(black_box(from), 0, a, b, to).unwrap(),
                channels,
                true,
                |x, c: usize| scale[c] * f32::from(x) + bias[c]
            );
            moves::<u8>(&name, channels, &[&pixels, &planes]);
            moves::<f32>(&name, channels, &[&pixels, &planes]);
        }
    }
}

fn moves<T: Pod + PartialEq>(name: &str, channels: usize, layouts: &[&DynLayout; 2]) {
    for apart in [true, false] {
        let [from, to] = if apart { *layouts } else { [layouts[1], layouts[0]] };
        let [best, narrow] = plans(from, to, size_of::<T>());
        let from = &bytes_of::<T>(from.size())[..];
        let what = if apart { "to planes" } else { "to pixels" };
        beside_loops!(
            &format!("{name}, {} bytes {what}", size_of::<T>()),
            from,
            |to| best.run(black_box(from), to).unwrap(),
            |to| narrow.run(black_box(from), to).unwrap(),
            channels,
            apart,
            |x: T, _| x
        );
    }
}

/// The plan with the best set of instructions, and with AVX2.
fn plans(from: &DynLayout, to: &DynLayout, bytes: usize) -> [Relayout; 2] {
    let plan = || Relayout::plan(from, to, bytes).unwrap();
    [plan(), plan().with_instruction_set(InstructionSet::Avx2).unwrap()]
}

/// Prints the ratios to the two last ways, the loops by hand. All ways write to memories that begin
/// at a page, and then 16 bytes behind it, as large vectors do: where a line is cut decides by up to
/// a half how fast a way is.
fn beside<T: Pod + PartialEq>(name: &str, count: usize, ways: [&mut dyn FnMut(&mut [T]); 4]) {
    const PAGE: usize = 4096;
    let places = RefCell::new(ways);
    let of = |bytes: usize| {
        let mut memories = [(); 4].map(|()| vec![T::zeroed(); count + 2 * PAGE / size_of::<T>()]);
        let mut targets = memories.each_mut().map(|memory| {
            let first = memory.as_ptr().align_offset(PAGE) + bytes / size_of::<T>();
            &mut memory[first..first + count]
        });
        let all = targets.iter_mut().enumerate().map(|(k, to)| {
            let places = &places;
            Box::new(move || (places.borrow_mut()[k])(black_box(&mut **to))) as Way
        });
        let times = best(Vec::from_iter(all));
        assert!(targets.iter().all(|to| *to == targets[0]), "{name}");
        (times[2] / times[0], times[3] / times[1])
    };
    let ((ratio, narrow), (cut, narrow_cut)) = (of(0), of(16));
    println!(
        "{name}: {ratio:.2} ({narrow:.2}) of the loop by hand; 16 bytes on {cut:.2} ({narrow_cut:.2})"
    );
}

fn main() {
    let words: Vec<String> = env::args().skip(1).collect();
    let number = |k: usize, usual: u64| words.get(k).map_or(usual, |word| word.parse().unwrap());
    assert!(is_x86_feature_detected!("avx512vbmi"), "a processor with AVX-512");
    let lines = match words.first().map(String::as_str) {
        Some("images") => return images(),
        Some("random") => random(number(1, 60) as usize, number(2, 7), false),
        Some("second") => random(number(1, 60) as usize, number(2, 7), true),
        Some("rows") => rows(number(1, 60) as usize, number(2, 7)),
        Some("tenferro") => tenferro(),
        Some("ttc") => ttc(),
        _ => table(),
    };
    let only = env::var("ONLY").ok();
    let is_asked = |number: &usize| {
        only.as_ref().is_none_or(|only| only.split(',').any(|word| word.parse() == Ok(*number)))
    };
    let ratios: Vec<_> = lines
        .iter()
        .enumerate()
        .filter(|(number, _)| is_asked(number))
        .map(|(number, of)| match of.bytes {
            1 => line::<u8>(number, of),
            4 => line::<f32>(number, of),
            8 => line::<f64>(number, of),
            _ => line::<Complex64>(number, of),
        })
        .collect();
    let sets = [
        ("the best set of strided-perm", 1.05),
        ("AVX2 of strided-perm", 1.05),
        ("the best set of HPTT", 1.05),
        (
            "the best set of memcpy",
            if words.first().is_some_and(|word| word == "rows") { 0.8 } else { 0.4 },
        ),
        (
            "AVX2 of memcpy",
            if words.first().is_some_and(|word| word == "rows") { 0.8 } else { 0.4 },
        ),
    ];
    for (k, (what, bar)) in sets.iter().enumerate() {
        let ratios = Vec::from_iter(ratios.iter().map(|ratio| ratio[k]).filter(|r| r.is_finite()));
        let logarithms = ratios.iter().map(|ratio| ratio.ln());
        let mean = (logarithms.sum::<f64>() / ratios.len() as f64).exp();
        let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
        let below = ratios.iter().filter(|&&ratio| ratio < *bar).count();
        let count = ratios.len();
        println!("{what}: {mean:.2}, {least:.2} at least, {below} of {count} below {bar}");
    }
}
