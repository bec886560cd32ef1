//! What the dynamic engine costs: the everyday operations on operands of a matrix product, and an index against a loop
//! written by hand.
//!
//! Aims: 200 ns for an operation; three times the hand-written loop for an index.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use layout_algebra::prelude::*;

fn layout(text: &str) -> DynLayout {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

fn tiler(text: &str) -> DynTiler {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

/// A 4096 x 4096 matrix, tiles of 128 x 64, and 256 threads of 8 elements each.
fn operations(c: &mut Criterion) {
    let matrix = layout("(4096,4096):(4096,1)");
    let tile = tiler("<128,64>");
    let nested = layout("((8,16),(4,16)):((1,32),(8,512))");
    let threads = layout("(32,8):(64,1)");
    let values = layout("((4,8,8),(2,4)):((16,1,256),(8,64))");
    let mut group = c.benchmark_group("dynamic");
    group.bench_function("compose: matrix with tile", |b| {
        b.iter(|| black_box(&matrix).compose(black_box(&tile)).unwrap())
    });
    group.bench_function("compose: tile with threads", |b| {
        b.iter(|| black_box(&nested).compose(black_box(&threads)).unwrap())
    });
    group.bench_function("compose: tile with threads and values", |b| {
        b.iter(|| black_box(&nested).compose(black_box(&values)).unwrap())
    });
    group
        .bench_function("complement: threads", |b| b.iter(|| black_box(&threads).complement(black_box(8192)).unwrap()));
    group.bench_function("logical_divide: matrix by tile", |b| {
        b.iter(|| black_box(&matrix).logical_divide(black_box(&tile)).unwrap())
    });
    group.bench_function("zipped_divide: matrix by tile", |b| {
        b.iter(|| black_box(&matrix).zipped_divide(black_box(&tile)).unwrap())
    });
    group.bench_function("coalesce: tile", |b| b.iter(|| black_box(&nested).coalesce()));
    group.bench_function("right_inverse: tile", |b| b.iter(|| black_box(&nested).right_inverse()));
    group.bench_function("logical_product: tile by tile", |b| {
        b.iter(|| black_box(&nested).logical_product(black_box(&threads)).unwrap())
    });
    group.finish();
}

/// `sum i_k * d_k` over slices whose length is known at run time only.
#[inline(never)]
fn by_hand(coordinate: &[usize], stride: &[usize]) -> usize {
    coordinate.iter().zip(stride).map(|(i, d)| i * d).sum()
}

/// The number split by the extents, then the same sum.
#[inline(never)]
fn number_by_hand(mut number: usize, shape: &[usize], stride: &[usize]) -> usize {
    let mut offset = 0;
    for (extent, step) in shape.iter().zip(stride) {
        offset += number % extent * step;
        number /= extent;
    }
    offset
}

const SIDE: usize = 64;

fn sum_of_pairs(offset: impl Fn(usize, usize) -> usize) -> usize {
    (0..SIDE).map(|i| (0..SIDE).map(|j| offset(i, j)).sum::<usize>()).sum()
}

fn sum_of_numbers(offset: impl Fn(usize) -> usize) -> usize {
    (0..SIDE * SIDE).map(offset).sum()
}

/// All 64 x 64 coordinates of a tile.
fn index(c: &mut Criterion) {
    let tile = layout("(64,64):(4096,1)");
    let nested = layout("((8,8),(4,16)):((1,32),(8,512))");
    let shape_and_stride = |l: &DynLayout| (l.shape().leaves().to_vec(), l.stride().leaves().to_vec());
    let (shape, stride) = shape_and_stride(&tile);
    let (nested_shape, nested_stride) = shape_and_stride(&nested);

    let mut group = c.benchmark_group("index, 4096 coordinates");
    group.bench_function("pair", |b| b.iter(|| sum_of_pairs(|i, j| black_box(&tile).index([i, j]))));
    group.bench_function("pair by hand", |b| b.iter(|| sum_of_pairs(|i, j| by_hand(&[i, j], black_box(&stride)))));
    group.bench_function("number", |b| b.iter(|| sum_of_numbers(|i| black_box(&tile).index(i))));
    group.bench_function("number by hand", |b| {
        b.iter(|| sum_of_numbers(|i| number_by_hand(i, black_box(&shape), black_box(&stride))))
    });
    group.bench_function("nested number", |b| b.iter(|| sum_of_numbers(|i| black_box(&nested).index(i))));
    group.bench_function("nested number by hand", |b| {
        b.iter(|| sum_of_numbers(|i| number_by_hand(i, black_box(&nested_shape), black_box(&nested_stride))))
    });
    group.finish();
}

criterion_group!(benches, operations, index);
criterion_main!(benches);
