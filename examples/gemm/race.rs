//! Two contenders, timed by turns in one run, since the speed of a machine is not the same from one
//! second to the next.

use std::time::{Duration, Instant};

use layout_algebra::prelude::*;
use layout_arrays::foreign::MatrixMultiply;

use super::product::tiles::Matrix;

/// The outcome of a race: medians.
pub struct Outcome {
    pub ours: f64,
    pub theirs: f64,
    /// Their time divided by ours, round by round.
    pub ratio: f64,
    pub rounds: usize,
}

/// Times both by turns for at least `least` and at least three rounds, and returns billions of
/// operations per second.
pub fn race(
    operations: f64,
    least: Duration,
    mut ours: impl FnMut(),
    mut theirs: impl FnMut(),
) -> Outcome {
    let start = Instant::now();
    ours();
    theirs();
    // A round is long enough for the clock.
    let calls = (0.004 / (start.elapsed().as_secs_f64() / 2.0)).clamp(1.0, 1e5) as usize;
    let time = |f: &mut dyn FnMut()| {
        let start = Instant::now();
        (0..calls).for_each(|_| f());
        start.elapsed().as_secs_f64() / calls as f64
    };
    let mut times: Vec<(f64, f64)> = Vec::new();
    while times.len() < 3 || (start.elapsed() < least && times.len() < 1001) {
        if times.len() % 2 == 0 {
            let first = time(&mut ours);
            times.push((first, time(&mut theirs)));
        } else {
            let first = time(&mut theirs);
            times.push((time(&mut ours), first));
        }
    }
    let rate = |seconds: f64| operations / seconds / 1e9;
    Outcome {
        ours: rate(median(times.iter().map(|t| t.0))),
        theirs: rate(median(times.iter().map(|t| t.1))),
        ratio: median(times.iter().map(|t| t.1 / t.0)),
        rounds: times.len(),
    }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// C = A * B by matrixmultiply.
pub fn peer((a, la): (&[f32], Matrix), (b, lb): (&[f32], Matrix), (c, lc): (&mut [f32], Matrix)) {
    let tensor =
        |elements, layout| Tensor::new(elements, layout).expect("each layout fits its memory");
    let (a, b) = (tensor(a, la), tensor(b, lb));
    let mut c = Tensor::new(c, lc).expect("each layout fits its memory");
    c.matrixmultiply(1.0, &a, &b, 0.0).expect("A is (m, k), B is (k, n), C is (m, n)");
}

/// Numbers between -0.5 and 0.5, the same in every run.
pub fn random(length: usize) -> Vec<f32> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as f32 / (1 << 24) as f32 - 0.5
    };
    (0..length).map(|_| next()).collect()
}

/// The largest difference relative to the largest element; infinite where there is something that
/// is not a number.
pub fn relative_error(found: &[f32], expected: &[f32]) -> f32 {
    let largest = |values: &mut dyn Iterator<Item = f32>| {
        values.map(|x| if x.is_nan() { f32::INFINITY } else { x.abs() }).fold(0.0, f32::max)
    };
    let difference = largest(&mut found.iter().zip(expected).map(|(x, y)| x - y));
    if difference == 0.0 { 0.0 } else { difference / largest(&mut expected.iter().copied()) }
}
