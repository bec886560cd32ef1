//! Softmax of short rows, of any length: 4 to 32 neighbouring threads have a row in registers, and
//! a block has as many rows as fit.
//!
//! A row of 1,000 floats is too short for a block: its threads would wait at barriers for one
//! another most of the time. A warp needs none: `reduce_lanes` exchanges registers.

use layout_algebra::atom::UniversalCopy;
use layout_algebra::prelude::*;
use layout_algebra::tensor::Fragment;
use layout_nvidia::device::{self, AlignedRow, Trap, kernel};

/// The threads of a block.
pub type Threads = Layout!(256);

/// Softmax for the lanes of a row, the vectors of 4 of a lane, and the blocks on a multiprocessor.
macro_rules! softmax {
    (
        $(#[$about:meta])* $name:ident, $lanes:literal, $vectors:literal, $values:literal,
        $blocks:literal
    ) => {
        $(#[$about])*
        ///
        /// # Safety
        /// `rows n` elements lie behind both pointers, whose addresses differ by a multiple of 16.
        #[kernel(threads = Threads)]
        pub unsafe fn $name(
            rows: u32,
            n: u32,
            from: *const f32,
            to: *mut f32,
        ) -> Result<(), Trap> {
            device::min_blocks_per_multiprocessor::<$blocks>();
            let (lane, row) = (device::thread_index() % $lanes, device::thread_index() / $lanes);
            let row = 256 / $lanes * device::block_index().0 + row;
            let begin = n as usize * row;
            let (from, to) = (from.wrapping_add(begin), to.wrapping_add(begin));
            // Lanes without a row continue too: `reduce_lanes` needs all lanes of the warp.
            let here = AlignedRow::new(from, if row < rows as usize { n } else { 0 });
            let all = layout!((4, $lanes, $vectors)); // neighbours, lanes, vectors
            if here.end() > all.size() {
                device::trap()
            }
            // SAFETY: the caller's promise; what is outside of the row is not touched.
            let (from, mut to) = unsafe {
                let from = Tensor::from_global_ref(here.begin(from), all);
                (from, Tensor::from_global(here.begin_mut(to), all))
            };
            let (four, at) = (UniversalCopy::<f32, Int<4>>::new(), (.., lane, ..));
            let place = |v: usize| all.index((v % 4, lane, v / 4));
            // What is outside of the row adds nothing: exp(-inf) = 0.
            let mut x = Fragment::<f32, Layout!((4, $vectors))>::from_fn(|_| f32::NEG_INFINITY);
            here.copy(&four, &from.slice(at), &mut x, place)?;
            let mut largest = f32::NEG_INFINITY;
            for_static!(I in 0..$values, {
                largest = largest.max(x[I]);
            });
            // SAFETY: all threads of the warp come here.
            let largest = unsafe { device::reduce_lanes::<$lanes>(largest, f32::max) };
            let shift = -largest * core::f32::consts::LOG2_E;
            let mut sum = 0.0;
            for_static!(I in 0..$values, {
                x[I] = device::exp2(device::multiply_add(x[I], core::f32::consts::LOG2_E, shift));
                sum += x[I];
            });
            // SAFETY: as above.
            let sum = unsafe { device::reduce_lanes::<$lanes>(sum, |a, b| a + b) };
            let factor = device::reciprocal(sum);
            for_static!(I in 0..$values, {
                x[I] *= factor;
            });
            here.copy(&four, &x, &mut to.slice_mut(at), place)?;
            Ok(())
        }
    };
}
softmax! {
    /// Softmax of rows of up to 13 elements: 4 lanes have one, a block 64.
    softmax_13, 4, 1, 4, 8
}
softmax! {
    /// Softmax of rows of up to 61 elements: 16 lanes have one, a block 16.
    softmax_61, 16, 1, 4, 8
}
softmax! {
    /// Softmax of rows of up to 253 elements: a warp has one, a block 8.
    softmax_253, 32, 2, 8, 8
}
softmax! {
    /// Softmax of rows of up to 1,021 elements: a warp has one, a block 8.
    softmax_1021, 32, 8, 32, 4
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use layout_nvidia::host;

    /// Random rows of every length of a kernel, and the ends of each range; elements after the rows
    /// are not written.
    #[test]
    fn rows_of_any_length() {
        let mut random = Random::from_clock();
        let mut lengths = vec![0, 1, 2, 3, 13, 31, 61, 127, 251, 253, 1000, 1009, 1021];
        lengths.extend((0..12).map(|_| random.below(1022)));
        for n in lengths {
            let rows = 1 + random.below(11);
            let from: Vec<f32> =
                (0..rows * n + 4).map(|_| random.below(2000) as f32 / 100.0 - 10.0).collect();
            let mut to = vec![f32::NAN; rows * n + 4];
            let arguments = (rows as u32, n as u32, &from[..], &mut to[..]);
            // SAFETY: as many rows of `n` elements.
            unsafe {
                match n {
                    0..=13 => host::launch::<softmax_13>(rows.div_ceil(64), arguments),
                    14..=61 => host::launch::<softmax_61>(rows.div_ceil(16), arguments),
                    62..=253 => host::launch::<softmax_253>(rows.div_ceil(8), arguments),
                    _ => host::launch::<softmax_1021>(rows.div_ceil(8), arguments),
                }
            }
            let said = format!("{rows} rows of {n}, seed {}", random.seed());
            assert!(to[rows * n..].iter().all(|x| x.is_nan()), "{said}");
            for row in 0..rows {
                let row = n * row..n * (row + 1);
                let exact: Vec<f64> =
                    from[row.clone()].iter().map(|x| f64::from(*x).exp()).collect();
                let sum: f64 = exact.iter().sum();
                for (x, exact) in to[row].iter().zip(exact) {
                    assert!((f64::from(*x) - exact / sum).abs() <= 1e-5 * exact / sum, "{said}");
                }
            }
        }
    }
}
