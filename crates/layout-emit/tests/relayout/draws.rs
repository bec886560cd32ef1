//! Random pairs of layouts of one size, and the bytes of an element.

use layout_algebra::DynStride;
use layout_algebra::prelude::*;

use super::layouts::{Oracle, Random, layout};

/// A relayout to test.
pub struct Job {
    pub name: String,
    pub from: Oracle,
    pub to: Oracle,
    pub bytes: usize,
}

/// The random relayout of this number: a permutation, planes, windows, or layouts of every kind.
pub fn draw_job(seed: u64, number: usize) -> Job {
    let mut random = Random(seed ^ (number as u64).wrapping_mul(0x2545_f491_4f6c_dd1d));
    let (from, to) = match number % 8 {
        0..5 => draw_permutation(&mut random),
        5 => draw_planes(&mut random),
        6 => draw_windows(&mut random),
        _ => draw_any(&mut random),
    };
    let widest = if random.chance(6) { 5 } else { 4 };
    let bytes = 1 << random.below(widest);
    Job { name: format!("draw{number}"), from, to, bytes }
}

/// Extents near 16, 32 and 64, odd extents, powers of two and small extents, of at most this many
/// elements.
fn draw_extents(random: &mut Random, rank: usize) -> Vec<usize> {
    let mut left = 1 << (6 + random.below(10));
    let mut extents: Vec<usize> = Vec::new();
    for _ in 0..rank {
        let extent = match random.below(6) {
            0 | 1 => random.one_of(&[16, 32, 64]) + random.below(5) - 2,
            2 => 1 + 2 * random.below(60),
            3 => 1 << random.below(8),
            4 => 1 + random.below(9),
            _ => 1 + random.below(300),
        };
        extents.push(extent.clamp(1, left));
        left /= extents[extents.len() - 1];
    }
    // Shuffles the extents: the last extents are the shortest otherwise.
    (1..rank).rev().for_each(|k| extents.swap(k, random.below(k + 1)));
    extents
}

/// The axes from the fastest to the slowest.
fn draw_order(random: &mut Random, rank: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..rank).collect();
    match random.below(6) {
        0 => {}
        1 | 2 => order.reverse(),
        3 => order.rotate_left(random.below(rank)),
        _ => (1..rank).rev().for_each(|k| order.swap(k, random.below(k + 1))),
    }
    order
}

/// Strides of these extents in this order: without gaps, with padded rows, or with gaps after any
/// axis.
fn draw_strides(random: &mut Random, extents: &[usize], order: &[usize]) -> Vec<usize> {
    let gaps = random.below(5);
    let pad = random.one_of(&[1, 2, 3, 4, 8, 12]);
    let (mut strides, mut next) = (vec![0; extents.len()], 1);
    for (at, &axis) in order.iter().enumerate() {
        strides[axis] = next;
        next *= extents[axis];
        next = match gaps {
            0 if at == 0 => next + pad,
            1 if at == 0 => next.next_multiple_of(4 * pad),
            2 => next + random.below(3),
            _ => next,
        };
    }
    strides
}

fn join(extents: &[usize], strides: Vec<DynStride>) -> DynLayout {
    let shape = DynShape::tuple(extents.iter().copied().map(DynShape::from)).expect("a shape");
    DynLayout::with_strides(&shape, strides).expect("a layout")
}

/// One tensor in two orders, sometimes with a stride of 0 in the source, or with a negative stride.
fn draw_permutation(random: &mut Random) -> (Oracle, Oracle) {
    loop {
        let rank = 1 + random.below(6);
        let extents = draw_extents(random, rank);
        let mut layouts = [0, 1].map(|side| {
            let order = draw_order(random, rank);
            let mut strides: Vec<_> = draw_strides(random, &extents, &order)
                .into_iter()
                .map(DynStride::Natural)
                .collect();
            if side == 0 && random.chance(12) {
                strides[random.below(rank)] = DynStride::Natural(0);
            }
            if random.chance(12) {
                let axis = random.below(rank);
                if let DynStride::Natural(stride @ 1..) = strides[axis] {
                    strides[axis] = DynStride::Negative(stride);
                }
            }
            join(&extents, strides)
        });
        // Another shape of the same size: one of its modes may be several modes of the first shape.
        let side = random.below(4);
        if side < 2 {
            layouts[side] = layouts[side].coalesce();
        }
        if layouts.iter().all(|layout| layout.cosize() < 1 << 17) {
            let [from, to] = layouts.map(Oracle::Plain);
            return (from, to);
        }
    }
}

/// Planes of long rows at any alignment, in any order, with or without gaps.
fn draw_planes(random: &mut Random) -> (Oracle, Oracle) {
    let mut side = || {
        if random.chance(2) {
            40 + random.below(100)
        } else {
            random.one_of(&[15, 16, 17, 31, 33, 63, 65])
        }
    };
    let [high, wide] = [side(), side()];
    let planes = 1 + random.below(4);
    let [x, y] = if random.chance(4) { [random.below(3), random.below(3)] } else { [0, 0] };
    let (row, column) = (wide + x, high + y);
    let from = format!("({wide},{high},{planes}):(1,{row},{})", row * high);
    let to = match random.below(4) {
        0 => format!("({wide},{high},{planes}):({},1,{column})", column * planes),
        // The axis after the target's row is not the source's fastest axis.
        1 => format!("({wide},{high},{planes}):({},1,{high})", high * planes),
        _ => format!("({wide},{high},{planes}):({column},1,{})", column * wide),
    };
    (Oracle::read(&from), Oracle::read(&to))
}

/// Overlapping windows of images with rows of any pitch, at each pixel or at every other pixel.
fn draw_windows(random: &mut Random) -> (Oracle, Oracle) {
    let [high, wide] = [1 + random.below(5), 1 + random.below(7)];
    let [rows, columns, images] = [1 + random.below(40), 1 + random.below(90), 1 + random.below(3)];
    let step = 1 + random.below(2);
    let reach = step * (columns - 1) + wide;
    let pitch = if random.chance(2) { (reach + 1).next_multiple_of(32) } else { reach };
    let image = pitch * (rows + high - 1);
    let [a, b, c, d] = [wide, wide * high, wide * high * columns, wide * high * columns * rows];
    let from =
        format!("({wide},{high},{columns},{rows},{images}):(1,{pitch},{step},{pitch},{image})");
    let to = format!("({wide},{high},{columns},{rows},{images}):(1,{a},{b},{c},{d})");
    (Oracle::read(&from), Oracle::read(&to))
}

/// Small layouts of every kind; the target has a distinct offset for each element.
fn draw_any(random: &mut Random) -> (Oracle, Oracle) {
    let mut of_size = |is_target: bool, size: Option<usize>| {
        for _ in 0..2000 {
            let found = layout(random);
            let inner = found.inner();
            if size.is_none_or(|size| inner.size() == size) && (!is_target || inner.is_injective())
            {
                let (lo, hi) = found.reach();
                if hi - lo < 1 << 20 {
                    return Some(found);
                }
            }
        }
        None
    };
    loop {
        let Some(to) = of_size(true, None) else { continue };
        if let Some(from) = of_size(false, Some(to.inner().size())) {
            return (from, to);
        }
    }
}
