//! The product of two matrices by thread blocks, as a GPU computes it, on the CPU: C = alpha * A *
//! B + beta * C for any M, N and K.
//!
//! A block computes a 128 x 128 tile of C in steps of 8 along K. In each step its 256 threads copy
//! a 128 x 8 tile of A, threads in k-major order, and one of B, four values a thread along n, into
//! memory of the block; then each multiplies what its part of C needs, eight columns of A's tile
//! with eight of B's, into a fragment of 8 x 8. Tiles that reach beyond a matrix are filled with
//! zeros there, and not written back: an identity tensor, cut and dealt out like the matrix, says
//! where in it each value lies. A block is a loop over its threads, with the end of the loop as the
//! barrier; strips of blocks run in parallel. No line here computes an index.
//!
//! | here | CuTe's `sgemm_2` |
//! |---|---|
//! | `a.local_tile(tiler!(128, 8), (bm, k))` | `local_tile(mA, cta_tiler, cta_coord, Step<_1, X, _1>{})` |
//! | `make_tiled_copy(UniversalCopy::new(), threads, values)` | `make_tiled_copy(Copy_Atom<..>{}, Layout<..>{}, ..)` |
//! | `thread.partition_s(&tile)`, `partition_d` | `thr_copy_a.partition_S(gA)`, `partition_D(sA)` |
//! | `make_tiled_mma(UniversalFma::new(), layout!((16, 16, 1)), ..)` | `make_tiled_mma(UniversalFMA<..>{}, ..)` |
//! | `thread.partition_a(&sa)`, `partition_fragment_c` | `thr_mma.partition_A(sA)`, `make_fragment_C` |
//! | `gemm(&mma, &a, &b, &mut c)` | `gemm(mma, tCrA, tCrB, tCrC)` |
//! | `Tensor::coordinates(identity((m, k)))`, its `local_tile` | `make_identity_tensor(shape(mA))`, its `local_tile` |
//! | `thread.slice_s().coordinates(&tile)`, `slice_c` | `thr_copy_a.partition_S(cA)`, `thr_mma.partition_C(cC)` |
//! | `elem_less(at, (m, k))` | `elem_less(tAcA(i), shape(mA))` |
//!
//! ```text
//! cargo run --release --example 04_tiled_product                  1000 x 777 x 513
//! cargo run --release --example 04_tiled_product -- 640 512 96
//! ```

use std::process::ExitCode;
use std::time::Instant;

use layout_algebra::atom::{
    UniversalCopy, UniversalFma, copy, gemm, make_tiled_copy, make_tiled_mma,
};
use layout_algebra::prelude::*;
use layout_algebra::tensor::{Fragment, elem_less};
use layout_arrays::foreign::MatrixMultiply;
use rayon::prelude::*;

/// A tile of A or B in the memory of a block.
type Shared = Fragment<f32, Layout!((128, 8))>;
/// 128 rows of C, or fewer.
type Strip<'c> = Tensor<&'c mut [f32], Layout!((_, _):(_, 1))>;
/// A thread's part of a tile of C.
type Sum = Fragment<f32, Layout!((1, (4, 2), (4, 2)))>;

/// `c = alpha * a * b + beta * c` for row-major matrices of M x K, K x N and M x N elements. With
/// `beta` 0, what C holds is not read.
///
/// # Errors
/// `bounds` if a matrix is shorter than its shape says.
pub fn product(
    [m, n, k]: [usize; 3],
    (alpha, beta): (f32, f32),
    a: &[f32],
    b: &[f32],
    c: &mut [f32],
) -> Result<(), LayoutError> {
    let _ = Tensor::new(&*c, layout!((m, n):(n, 1)))?;
    if m * n == 0 {
        return Ok(());
    }
    // A strip is 128 rows of C; the last one may have fewer.
    c[..m * n].par_chunks_mut(128 * n).enumerate().try_for_each(|(bm, strip)| {
        let rows = strip.len() / n;
        let mut strip = Tensor::new(strip, layout!((rows, n):(n, 1)))?;
        (0..n.div_ceil(128))
            .try_for_each(|bn| block([m, n, k], (alpha, beta), (bm, bn), a, b, &mut strip))
    })
}

/// One thread block: the tile `(bm, bn)` of C, of which `strip` holds the rows of all tiles
/// `(bm, ..)`.
fn block(
    [m, n, k]: [usize; 3],
    (alpha, beta): (f32, f32),
    (bm, bn): (usize, usize),
    a: &[f32],
    b: &[f32],
    strip: &mut Strip<'_>,
) -> Result<(), LayoutError> {
    // The matrices, M x K and N x K, and as much of them as is whole tiles.
    let (whole_m, whole_n) =
        (Multiple::<Int<128>>::new(m / 128 * 128)?, Multiple::<Int<128>>::new(n / 128 * 128)?);
    let whole_k = Multiple::<Int<8>>::new(k / 8 * 8)?;
    let (whole_a, a) = (
        Tensor::new(a, layout!((whole_m, whole_k):(k, 1)))?,
        Tensor::new(a, layout!((m, k):(k, 1)))?,
    );
    let (whole_b, b) = (
        Tensor::new(b, layout!((whole_n, whole_k):(1, n)))?,
        Tensor::new(b, layout!((n, k):(1, n)))?,
    );

    // Threads of A side by side along k, four rows each; threads of B below one another along n,
    // four neighbours each.
    let copy_a =
        make_tiled_copy(UniversalCopy::<f32>::new(), layout!((32, 8): right), layout!((4, 1)))?;
    let copy_b =
        make_tiled_copy(UniversalCopy::<f32, Int<4>>::new(), layout!((32, 8)), layout!((4, 1)))?;
    let fma = UniversalFma::<f32>::new();
    let mma = make_tiled_mma(fma, layout!((16, 16, 1)), tiler!((16, 4):(4, 1), (16, 4):(4, 1), _));

    // Where in A, B and the strip each element lies: identity tensors, cut and dealt out below as
    // the matrices are.
    let in_a = Tensor::coordinates(identity((m, k)).round_up(tiler!(128, 8)));
    let in_b = Tensor::coordinates(identity((n, k)).round_up(tiler!(128, 8)));
    let in_c = Tensor::coordinates(identity(strip.shape()).round_up(tiler!(128, 128)));

    let (mut shared_a, mut shared_b) = (Shared::zeroed(), Shared::zeroed());
    let mut sums: Vec<Sum> = (0..mma.size()).map(|_| Sum::zeroed()).collect();
    for step in 0..k.div_ceil(8) {
        let whole_step = (step + 1) * 8 <= k;
        for thread in (0..copy_a.size()).filter_map(|thread| copy_a.get_slice(thread)) {
            let mut to = thread.partition_d_mut(&mut shared_a)?;
            if whole_step && (bm + 1) * 128 <= m {
                copy(
                    &copy_a,
                    &thread.partition_s(&whole_a.local_tile(tiler!(128, 8), (bm, step))?)?,
                    &mut to,
                )?;
            } else {
                let places =
                    thread.slice_s().coordinates(&in_a.local_tile(tiler!(128, 8), (bm, step))?)?;
                let mut values = Fragment::<f32, Layout!(4:1)>::zeroed();
                for i in 0..values.size() {
                    let at = places.index(i);
                    values[i] = if elem_less(at, (m, k)) { a[at] } else { 0.0 };
                }
                copy(&copy_a, &values, &mut to)?;
            }
        }
        for thread in (0..copy_b.size()).filter_map(|thread| copy_b.get_slice(thread)) {
            let mut to = thread.partition_d_mut(&mut shared_b)?;
            if whole_step && (bn + 1) * 128 <= n {
                copy(
                    &copy_b,
                    &thread.partition_s(&whole_b.local_tile(tiler!(128, 8), (bn, step))?)?,
                    &mut to,
                )?;
            } else {
                let places =
                    thread.slice_s().coordinates(&in_b.local_tile(tiler!(128, 8), (bn, step))?)?;
                let mut values = Fragment::<f32, Layout!(4:1)>::zeroed();
                for i in 0..values.size() {
                    let at = places.index(i);
                    values[i] = if elem_less(at, (n, k)) { b[at] } else { 0.0 };
                }
                copy(&copy_b, &values, &mut to)?;
            }
        }
        // Barrier: all threads have copied.
        for (thread, sum) in sums.iter_mut().enumerate() {
            let Some(thread) = mma.get_slice(thread) else { continue };
            gemm(&mma, &thread.partition_a(&shared_a)?, &thread.partition_b(&shared_b)?, sum);
        }
        // Barrier: all threads have multiplied.
    }
    for (thread, sum) in sums.iter().enumerate() {
        let Some(thread) = mma.get_slice(thread) else { continue };
        let places = thread.slice_c().coordinates(&in_c.local_tile(tiler!(128, 128), (0, bn))?)?;
        for i in 0..sum.size() {
            let at = places.index(i);
            if elem_less(at, strip.shape()) {
                let old = if beta == 0.0 { 0.0 } else { beta * strip[at] };
                strip[at] = alpha * sum[i] + old;
            }
        }
    }
    Ok(())
}

/// Whole numbers so small that every sum is exact, whatever the order.
pub fn matrix(elements: usize, seed: usize) -> Vec<f32> {
    (0..elements)
        .map(|i| ((i + seed).wrapping_mul(2_654_435_761) % 65536 / 4096) as f32 - 8.0)
        .collect()
}

/// The same product by matrixmultiply.
pub fn expected(
    [m, n, k]: [usize; 3],
    (alpha, beta): (f32, f32),
    a: &[f32],
    b: &[f32],
    c: &mut [f32],
) {
    let [a, b] = [(a, layout!((m, k): right)), (b, layout!((k, n): right))]
        .map(|(elements, layout)| Tensor::new(elements, layout).expect("as long as its layout"));
    let mut c = Tensor::new(c, layout!((m, n): right)).expect("as long as its layout");
    c.matrixmultiply(alpha, &a, &b, beta).expect("A is (m, k), B is (k, n), C is (m, n)");
}

#[allow(dead_code, reason = "the test of this example calls the functions above")]
fn main() -> ExitCode {
    let sizes: Vec<usize> = std::env::args().skip(1).filter_map(|x| x.parse().ok()).collect();
    let [m, n, k] = sizes.try_into().unwrap_or([1000, 777, 513]);
    let (a, b) = (matrix(m * k, 1), matrix(k * n, 2));
    let mut c = matrix(m * n, 3);
    let mut peer = c.clone();
    let start = Instant::now();
    if let Err(error) = product([m, n, k], (2.0, -1.0), &a, &b, &mut c) {
        eprintln!("{error}");
        return ExitCode::FAILURE;
    }
    let seconds = start.elapsed().as_secs_f64();
    println!("{m} x {n} x {k}: {:.1} GFLOP/s", 2e-9 * (m * n * k) as f64 / seconds);
    expected([m, n, k], (2.0, -1.0), &a, &b, &mut peer);
    let wrong = c.iter().zip(&peer).filter(|(c, peer)| c != peer).count();
    println!("elements unlike matrixmultiply's: {wrong} of {}", c.len());
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
