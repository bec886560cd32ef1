//! Another layout for a tile: accepted exactly if it reaches only elements of the tile.

use layout_algebra::prelude::*;
use layout_arrays::foreign::NdarrayTensor;
use ndarray::ShapeBuilder;

use crate::judge::{Complaints, LARGE, QUARTER};

type Matrix = StridedLayout<(usize, usize), (usize, usize)>;

/// The offsets as a set of bits, by the formula.
fn image(((m, n), (d, e)): ((usize, usize), (usize, usize))) -> u64 {
    (0..m)
        .flat_map(|i| (0..n).map(move |j| 1 << (i * d + j * e)))
        .fold(0, |all, bit: u64| all | bit)
}

type Numbers = ((usize, usize), (usize, usize));

/// Every layout of rank 2 with extents up to 4 and strides up to 6.
fn layouts() -> impl Iterator<Item = Numbers> + Clone {
    let extents = (1..=4).flat_map(|m| (1..=4).map(move |n| (m, n)));
    extents.flat_map(|shape| (0..=6).flat_map(move |d| (0..=6).map(move |e| (shape, (d, e)))))
}

fn matrix((shape, stride): Numbers) -> Matrix {
    StridedLayout::new(shape, stride)
}

/// Every `step`-th pair of a tile and a layout, all of them in release.
const STEP: usize = if cfg!(debug_assertions) { 23 } else { 1 };

#[test]
fn a_tile_takes_exactly_the_layouts_of_its_elements() {
    let memory: Vec<usize> = (0..64).collect();
    let mut complaints = Complaints::default();
    let (mut accepted, mut refused) = (0, 0);
    for (t, tile) in layouts().enumerate() {
        // A view of an array is a tile, and may reach an element more than once.
        let ((m, n), (d, e)) = tile;
        let Ok(view) = ndarray::ArrayView2::from_shape((m, n).strides((d, e)), &memory) else {
            continue;
        };
        let whole = view.as_typed_tensor().unwrap();
        for numbers in layouts().skip(t % STEP).step_by(STEP) {
            let part = image(numbers) & !image(tile) == 0;
            let layout = matrix(numbers);
            let what = || format!("{} as {layout}", matrix(tile));
            let relaid = complaints.calm(what, || whole.with_layout(layout));
            let cut = complaints.calm(what, || {
                whole.cut(layout, (.., ..)).map(|cut| cut.iter().copied().sum::<usize>())
            });
            let (Some(relaid), Some(cut)) = (relaid, cut) else { continue };
            complaints.expect(relaid.is_ok() == part, || {
                format!("{}: {:?}", what(), relaid.as_ref().err())
            });
            complaints.expect(cut.is_ok() == part, || {
                format!("cut {}: {:?}", what(), cut.as_ref().err())
            });
            match relaid {
                Ok(relaid) => {
                    accepted += 1;
                    let right =
                        relaid.indexed().all(|((i, j), x)| *x == i * numbers.1.0 + j * numbers.1.1);
                    complaints.expect(right, || format!("{}: another element", what()));
                }
                Err(error) => {
                    refused += 1;
                    let text = error.to_string();
                    let says = text.contains("reaches elements that do not belong to this tile");
                    complaints.expect(!says || !part, || format!("not true: {text}"));
                    complaints.expect(says || text.contains("not decided"), || {
                        format!("no reason: {text}")
                    });
                }
            }
        }
    }
    complaints.expect(accepted > 1000 && refused > 1000, || {
        format!("{accepted} and {refused} prove little")
    });
    complaints.done();
}

/// Mutable tiles, which the parts of a tensor are: what is written lies in the tile.
#[test]
fn a_mutable_tile_writes_its_own_elements() {
    let mut complaints = Complaints::default();
    let mut accepted = 0;
    for (t, tile) in layouts().enumerate() {
        let ((m, n), _) = tile;
        if image(tile).count_ones() as usize != m * n {
            continue;
        }
        for numbers in layouts().skip(t % (2 * STEP)).step_by(2 * STEP) {
            let mut t = Tensor::new(vec![0u8; 64], layout!(64)).unwrap();
            let mut under = t.view_mut().with_layout(matrix(tile)).unwrap();
            let mut whole = under.as_tile_mut();
            let part = image(numbers) & !image(tile) == 0;
            let done = whole.cut_mut(matrix(numbers), (.., ..)).map(|mut cut| cut.fill(1)).is_ok();
            complaints.expect(done == part, || format!("{} as {}", matrix(tile), matrix(numbers)));
            let written = t.iter().enumerate().fold(0u64, |all, (i, x)| all | u64::from(*x) << i);
            complaints.expect(written == if done { image(numbers) } else { 0 }, || {
                format!("{written:b} was written")
            });
            accepted += usize::from(done);
        }
    }
    complaints.expect(accepted > 200, || format!("{accepted} prove little"));
    complaints.done();
}

/// Numbers that overflow, and more modes than are searched, are refused and do not panic.
#[test]
fn large_numbers_are_refused() {
    let mut t = Tensor::new(vec![0u8; 64], layout!((8, 8))).unwrap();
    let numbers = [
        0,
        1,
        2,
        7,
        8,
        9,
        LARGE / 4,
        LARGE / 2,
        QUARTER,
        usize::MAX / 2,
        usize::MAX - 1,
        usize::MAX,
    ];
    let mut complaints = Complaints::default();
    for mut tile in t.tiles_mut(tiler!(4, 4)) {
        for (m, n) in numbers.iter().flat_map(|m| numbers.iter().map(move |n| (*m, *n))) {
            for (d, e) in numbers.iter().flat_map(|d| numbers.iter().map(move |e| (*d, *e))) {
                let layout = layout!((m, n):(d, e));
                let own = m == 0 || n == 0 || {
                    let most = |extent: usize, stride: usize| (extent - 1).checked_mul(stride);
                    match most(m, d).zip(most(n, e)).and_then(|(a, b)| a.checked_add(b)) {
                        // Every offset is looked at where there are few of them; many are only in a
                        // tile that is repeated.
                        Some(last) if last < 64 && m < 64 && n < 64 => (0..m).all(|i| {
                            (0..n).all(|j| (i * d + j * e) % 8 < 4 && (i * d + j * e) / 8 < 4)
                        }),
                        Some(last) if last < 64 => continue,
                        _ => false,
                    }
                };
                let answer = complaints
                    .calm(|| layout.to_string(), || tile.view_mut().with_layout(layout).is_ok());
                complaints
                    .expect(answer != Some(!own), || format!("{layout} is taken for {answer:?}"));
            }
        }
    }
    complaints.done();
}
