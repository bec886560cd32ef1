//! Sums along modes beside `strided-kernel`, which plans once as we do, and NumPy.
//!
//! `cargo run --release --bin sums` runs the list, `-- random 60 7` 60 draws of seed 7: GB read in
//! a second of the thread's processor time, the best of repeats in turns for `MS=40` milliseconds
//! each. `LIST=1` prints the lines for `numpy_sums.py`, which measures NumPy.

use std::env;
use std::hint::black_box;

use bytemuck::Pod;
use layout_relayout::Relayout;
use layout_relayout_peers::{Draws, best, compact, layout};
use strided_basic::{
    ErasedRawStridedMut, ErasedRawStridedRef, ErasedReducePlan, Exec, KernelDType,
    KernelStorageElement, ReduceOp,
};

/// A tensor whose modes lie in memory in `order`, the fastest first, and the modes that are summed.
struct Line {
    bytes: usize,
    extents: Vec<usize>,
    order: Vec<usize>,
    summed: Vec<usize>,
}

impl Line {
    fn strides(&self) -> Vec<isize> {
        let ordered: Vec<_> = self.order.iter().map(|&k| self.extents[k]).collect();
        let mut strides = vec![0; self.order.len()];
        for (&k, stride) in self.order.iter().zip(compact(&ordered)) {
            strides[k] = stride;
        }
        strides
    }
}

/// The ratio to `strided-kernel`.
fn line<T>(number: usize, line: &Line, kind: KernelDType) -> f64
where
    T: KernelStorageElement + Pod + From<u8> + Into<f64> + std::ops::Add<Output = T>,
{
    let Line { extents, summed, .. } = line;
    let (strides, count) = (line.strides(), extents.iter().product::<usize>());
    let kept: Vec<_> = (0..extents.len()).filter(|k| !summed.contains(k)).collect();
    let kept_extents: Vec<_> = kept.iter().map(|&k| extents[k]).collect();
    let kept_strides = compact(&kept_extents);
    let mut sum_strides = vec![0; extents.len()];
    kept.iter().zip(&kept_strides).for_each(|(&k, &stride)| sum_strides[k] = stride);

    // Sums of small integers are exact in any order.
    let from: Vec<T> = (0..count).map(|k| T::from((k * 7 % 3) as u8)).collect();
    let mut ours = vec![T::from(0); kept_extents.iter().product()];
    let mut theirs = ours.clone();
    let plan =
        Relayout::plan(&layout(extents, &strides), &layout(extents, &sum_strides), size_of::<T>())
            .unwrap();
    let peer = ErasedReducePlan::compile_axes(
        kind,
        ReduceOp::Sum,
        extents,
        &strides,
        &kept_extents,
        &kept_strides,
        summed,
    )
    .unwrap();
    let times = best(vec![
        Box::new(|| plan.sum(black_box(&from), black_box(&mut ours)).unwrap()),
        Box::new(|| {
            let source = ErasedRawStridedRef::from_slice(&from, extents, &strides, 0).unwrap();
            let mut sums =
                ErasedRawStridedMut::from_slice_mut(&mut theirs, &kept_extents, &kept_strides, 0)
                    .unwrap();
            peer.execute(&mut sums, black_box(&source), Exec::serial()).unwrap();
        }),
    ]);
    let equal = ours.iter().zip(&theirs).all(|(&a, &b)| a.into() == b.into());
    assert!(equal, "{extents:?} {strides:?} {summed:?}");
    let rate = |k: usize| size_of_val(&from[..]) as f64 / 1e9 / times[k];
    println!(
        "{number:>2}: {} bytes {extents:?}:{strides:?} over {summed:?}: {:.1}, strided-kernel \
         {:.1}, {:.2} of it",
        size_of::<T>(),
        rate(0),
        rate(1),
        times[1] / times[0],
    );
    times[1] / times[0]
}

/// Sums that programs take: of rows, of columns, of images by channel, of all.
fn usual() -> Vec<Line> {
    let of = |extents: &[usize], summed: &[usize]| {
        let order = (0..extents.len()).rev().collect();
        Line { bytes: 4, extents: extents.to_vec(), order, summed: summed.to_vec() }
    };
    vec![
        of(&[1000, 1000], &[1]),
        of(&[1000, 1000], &[0]),
        of(&[4096, 4096], &[1]),
        of(&[4096, 4096], &[0]),
        of(&[200_000, 8], &[1]),
        of(&[200_000, 8], &[0]),
        of(&[8, 200_000], &[1]),
        of(&[8, 200_000], &[0]),
        of(&[32, 64, 56, 56], &[0, 2, 3]),
        of(&[32, 56, 56, 64], &[0, 1, 2]),
        of(&[32, 64, 56, 56], &[2, 3]),
        of(&[32, 56, 56, 64], &[1, 2]),
        of(&[100, 100, 100], &[1]),
        of(&[100, 100, 100], &[0, 2]),
        of(&[1080, 1920, 3], &[2]),
        of(&[1080, 1920, 3], &[0, 1]),
        of(&[64, 64], &[0]),
        of(&[64, 64], &[1]),
        of(&[1 << 20], &[0]),
    ]
}

/// Ranks 1 to 6, 4 KiB to 16 MiB, any modes summed, in any order in memory.
fn random(lines: usize, seed: u64) -> Vec<Line> {
    let mut draws = Draws::new(seed);
    let line = |_| {
        let (bytes, rank) = ([4, 8][draws.below(2)], 1 + draws.below(6));
        let count = (1 << (12 + draws.below(13))) / bytes;
        let extents = draws.extents(rank, count);
        let mut order = Vec::from_iter(0..rank);
        (1..rank).for_each(|k| order.swap(k, draws.below(k + 1)));
        let bits = 1 + draws.below((1 << rank) - 1);
        let summed = (0..rank).filter(|k| bits >> k & 1 == 1).collect();
        Line { bytes, extents, order, summed }
    };
    (0..lines).map(line).collect()
}

fn main() {
    let words: Vec<String> = env::args().skip(1).collect();
    let number = |k: usize, usual: u64| words.get(k).map_or(usual, |word| word.parse().unwrap());
    let lines = match words.first().map(String::as_str) {
        Some("random") => random(number(1, 60) as usize, number(2, 7)),
        _ => usual(),
    };
    if env::var_os("LIST").is_some() {
        for Line { bytes, extents, order, summed } in &lines {
            println!("{bytes}|{extents:?}|{order:?}|{summed:?}");
        }
        return;
    }
    let ratios = lines.iter().enumerate().map(|(number, of)| match of.bytes {
        4 => line::<f32>(number, of, KernelDType::F32),
        _ => line::<f64>(number, of, KernelDType::F64),
    });
    let ratios = Vec::from_iter(ratios);
    let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
    let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    let below = ratios.iter().filter(|&&ratio| ratio < 1.0).count();
    println!("{mean:.2} of strided-kernel, {least:.2} at least, {below} below 1.0");
}
