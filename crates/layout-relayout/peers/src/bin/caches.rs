//! Permutations that the caches hold, and beyond, beside the crate `strided-perm` and memcpy; and
//! images beside a loop by hand that is compiled for the processor's registers.
//!
//! `cargo run --release --bin caches -- table`, `-- random 60 7` (60 draws of seed 7), or
//! `-- images`: GB read and written in a second of the thread's processor time, the best of repeats
//! in turns for `MS=40` milliseconds each; in brackets with AVX2.

use std::env;
use std::hint::black_box;
use std::time::{Duration, Instant};

use bytemuck::Pod;
use layout_algebra::prelude::*;
use layout_relayout::{InstructionSet, Relayout};
use strided_view::{StridedView, StridedViewMut};
use threadteam::Exec;

type Way<'a> = Box<dyn FnMut() + 'a>;

/// The seconds that this thread has run.
fn processor_time() -> f64 {
    cpu_time::ThreadTime::now().as_duration().as_secs_f64()
}

/// The best time of each way.
fn best(mut ways: Vec<Way>) -> Vec<f64> {
    let of_lines = env::var("MS").map_or(40, |text| text.parse().expect("milliseconds"));
    let timed = |way: &mut Way, repeats: usize| {
        let begin = processor_time();
        (0..repeats).for_each(|_| way());
        (processor_time() - begin) / repeats as f64
    };
    let repeats = |way: &mut Way| {
        way();
        ((60e-6 / timed(way, 1).max(1e-8)) as usize).clamp(1, 100_000)
    };
    let repeats: Vec<_> = ways.iter_mut().map(repeats).collect();
    let (mut best, begin) = (vec![f64::INFINITY; ways.len()], Instant::now());
    for round in 0.. {
        if round >= 5 && begin.elapsed() > Duration::from_millis(of_lines) {
            break;
        }
        for (k, way) in ways.iter_mut().enumerate() {
            best[k] = best[k].min(timed(way, repeats[k]));
        }
    }
    best
}

fn layout(extents: &[usize], strides: &[isize]) -> DynLayout {
    let shape = DynShape::tuple(extents.iter().map(|&extent| DynShape::from(extent))).unwrap();
    DynLayout::with_strides(shape, strides.iter().map(|&d| DynStride::Natural(d as usize))).unwrap()
}

/// Column-major strides.
fn compact(extents: &[usize]) -> Vec<isize> {
    let mut next = 1;
    let stride = |&extent: &usize| {
        next *= extent as isize;
        next / extent as isize
    };
    extents.iter().map(stride).collect()
}

fn bytes_of<T: Pod>(count: usize) -> Vec<T> {
    let mut elements = vec![T::zeroed(); count];
    for (k, byte) in bytemuck::cast_slice_mut::<T, u8>(&mut elements).iter_mut().enumerate() {
        *byte = ((k as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as u8 & 0x3F;
    }
    elements
}

/// `to[i0, i1, ..] = from[i_permutation[0], ..]`: the ratios to `strided-perm`.
fn line<T: Pod + PartialEq + Send + Sync>(extents: &[usize], permutation: &[usize]) -> [f64; 2] {
    let count: usize = extents.iter().product();
    let strides = compact(extents);
    let shape: Vec<_> = permutation.iter().map(|&k| extents[k]).collect();
    let from_strides: Vec<_> = permutation.iter().map(|&k| strides[k]).collect();
    let to_strides = compact(&shape);
    let (from, mut ours) = (bytes_of::<T>(count), vec![T::zeroed(); count]);
    let [mut narrow, mut theirs, mut copied] = [(); 3].map(|()| ours.clone());
    let layouts = [layout(&shape, &from_strides), layout(&shape, &to_strides)];
    let plan = || Relayout::plan(&layouts[0], &layouts[1], size_of::<T>()).unwrap();
    let (by_set, best_plan) = (plan().with_instruction_set(InstructionSet::Avx2).unwrap(), plan());
    let view = StridedView::new(&from, &shape, &from_strides, 0).unwrap();
    let times = best(vec![
        Box::new(|| best_plan.run(black_box(&from), black_box(&mut ours)).unwrap()),
        Box::new(|| by_set.run(black_box(&from), black_box(&mut narrow)).unwrap()),
        Box::new(|| {
            let mut to = StridedViewMut::new(&mut theirs, &shape, &to_strides, 0).unwrap();
            strided_perm::copy_into(&mut to, black_box(&view), Exec::serial()).unwrap();
        }),
        Box::new(|| black_box(&mut copied).copy_from_slice(black_box(&from))),
        Box::new(|| drop(black_box(plan()))),
    ]);
    assert!(ours == theirs && narrow == theirs, "{extents:?} {permutation:?}");
    let bytes = 2.0 * size_of_val(&from[..]) as f64 / 1e9;
    let rate = |k: usize| bytes / times[k];
    println!(
        "{:>2} bytes {extents:?} {permutation:?}: {:.1} ({:.1}), strided-perm {:.1}, memcpy {:.1}; \
         {:.2} ({:.2}) and {:.2} ({:.2}) of them; a plan {:.1} us",
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
    [times[2] / times[0], times[2] / times[1]]
}

fn table() -> Vec<(usize, Vec<usize>, Vec<usize>)> {
    let reversed = |n: usize| Vec::from_iter((0..n).rev());
    let network = [0, 1, 2, 3, 22, 4, 23].into_iter().chain(5..22);
    let mut lines = vec![
        (8, vec![2; 24], network.collect()),
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
    lines
}

/// Ranks 2 to 24, extents up to 1,000, 4 KiB to 16 MiB.
fn random(lines: usize, seed: u64) -> Vec<(usize, Vec<usize>, Vec<usize>)> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut below = move |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as usize % n
    };
    let line = |_| {
        let (bytes, rank) = ([1, 4, 8, 16][below(4)], 2 + below(23));
        let (mut left, mut extents) = ((1_usize << (12 + below(13))) / bytes, Vec::new());
        for rest in (0..rank).rev() {
            let usual = (left as f64).powf(1.0 / (rest + 1) as f64);
            let extent = (2.0 * usual * below(1000) as f64 / 1000.0) as usize + 2;
            let extent = if rest == 0 { left } else { extent }.min(left >> rest).clamp(2, 1000);
            extents.push(extent);
            left = (left / extent).max(1);
        }
        let mut permutation = Vec::from_iter(0..rank);
        for k in 1..rank {
            extents.swap(k, below(k + 1));
            permutation.swap(k, below(k + 1));
        }
        (bytes, extents, permutation)
    };
    (0..lines).map(line).collect()
}

/// Pixels of `C` elements to planes, or planes to pixels, as one writes it by hand.
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

/// # Safety
/// The processor has AVX-512.
#[target_feature(enable = "avx2,bmi2,fma,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn compiled<S: Copy, D>(
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

fn images() {
    let (scale, bias) = ([0.5_f32, 0.25, 2.0, 1.5], [1.0_f32, -2.0, 3.0, 0.5]);
    for (height, width) in [(64, 64), (224, 224), (1080, 1920)] {
        for channels in 1..=4 {
            let (count, c) = (height * width, channels as isize);
            let shape = [channels, height, width];
            let pixels = layout(&shape, &[1, width as isize * c, c]);
            let planes = layout(&shape, &[count as isize, width as isize, 1]);
            let name = format!("{height} x {width} x {channels}");
            let from = bytes_of::<u8>(count * channels);
            let [mut ours, mut narrow, mut theirs] = [(); 3].map(|()| vec![0.0_f32; from.len()]);
            let plan = || Relayout::plan(&pixels, &planes, 1).unwrap();
            let (by_set, best_plan) =
                (plan().with_instruction_set(InstructionSet::Avx2).unwrap(), plan());
            let [a, b] = [&scale, &bias].map(|of| &of[..channels]);
            let times = best(vec![
                Box::new(|| best_plan.run_converted(black_box(&from[..]), &mut ours).unwrap()),
                Box::new(|| by_set.run_converted(black_box(&from[..]), &mut narrow).unwrap()),
                Box::new(|| {
                    let f = |x, _| f32::from(x);
                    // SAFETY: `main` has asked.
                    unsafe { compiled(channels, black_box(&from), &mut theirs, true, f) }
                }),
            ]);
            assert!(ours == theirs && narrow == theirs);
            println!("{name}, u8 to f32 planes: {}", said(&times));
            let times = best(vec![
                Box::new(|| {
                    best_plan.run_by_channel(black_box(&from), 0, a, b, &mut ours).unwrap()
                }),
                Box::new(|| by_set.run_by_channel(black_box(&from), 0, a, b, &mut narrow).unwrap()),
                Box::new(|| {
                    let f = |x, c: usize| scale[c] * f32::from(x) + bias[c];
                    // SAFETY: `main` has asked.
                    unsafe { compiled(channels, black_box(&from), &mut theirs, true, f) }
                }),
            ]);
            assert!(ours == theirs && narrow == theirs);
            println!("{name}, u8 to f32 planes by channel: {}", said(&times));
            moves::<u8>(&name, channels, &[&pixels, &planes]);
            moves::<f32>(&name, channels, &[&pixels, &planes]);
        }
    }
}

fn moves<T: Pod + PartialEq>(name: &str, channels: usize, layouts: &[&DynLayout; 2]) {
    for apart in [true, false] {
        let [from, to] = if apart { *layouts } else { [layouts[1], layouts[0]] };
        let plan = || Relayout::plan(from, to, size_of::<T>()).unwrap();
        let (by_set, best_plan) =
            (plan().with_instruction_set(InstructionSet::Avx2).unwrap(), plan());
        let from = bytes_of::<T>(from.size());
        let [mut ours, mut narrow, mut theirs] = [(); 3].map(|()| vec![T::zeroed(); from.len()]);
        let times = best(vec![
            Box::new(|| best_plan.run(black_box(&from), &mut ours).unwrap()),
            Box::new(|| by_set.run(black_box(&from), &mut narrow).unwrap()),
            // SAFETY: `main` has asked.
            Box::new(|| unsafe {
                compiled(channels, black_box(&from), &mut theirs, apart, |x, _| x)
            }),
        ]);
        assert!(ours == theirs && narrow == theirs);
        let what = if apart { "to planes" } else { "to pixels" };
        println!("{name}, {} bytes {what}: {}", size_of::<T>(), said(&times));
    }
}

fn said(times: &[f64]) -> String {
    format!("{:.2} ({:.2}) of the loop by hand", times[2] / times[0], times[2] / times[1])
}

fn main() {
    let words: Vec<String> = env::args().skip(1).collect();
    let number = |k: usize, usual: u64| words.get(k).map_or(usual, |word| word.parse().unwrap());
    assert!(is_x86_feature_detected!("avx512vbmi"), "a processor with AVX-512");
    let lines = match words.first().map(String::as_str) {
        Some("images") => return images(),
        Some("random") => random(number(1, 60) as usize, number(2, 7)),
        _ => table(),
    };
    let ratios: Vec<_> = lines
        .iter()
        .map(|(bytes, extents, permutation)| match bytes {
            1 => line::<u8>(extents, permutation),
            4 => line::<f32>(extents, permutation),
            8 => line::<f64>(extents, permutation),
            _ => line::<[f64; 2]>(extents, permutation),
        })
        .collect();
    for (k, set) in [InstructionSet::detect(), InstructionSet::Avx2].iter().enumerate() {
        let logarithms = ratios.iter().map(|ratio| ratio[k].ln());
        let mean = (logarithms.sum::<f64>() / ratios.len() as f64).exp();
        let least = ratios.iter().map(|ratio| ratio[k]).fold(f64::INFINITY, f64::min);
        let below = ratios.iter().filter(|ratio| ratio[k] < 1.05).count();
        println!("{set}: {mean:.2} of strided-perm, {least:.2} at least, {below} below 1.05");
    }
}
