//! Three kernels that are a change of layout and nothing else: a blocked transpose, a convolution,
//! a batched product.
//!
//! A *transpose* is a copy between two layouts of one shape: the source is row-major, the
//! destination has the rows' stride 1. Cut into tiles of 32x32, source and destination stay in the
//! cache together. A *convolution* is a matrix product once each pixel's neighbourhood is a row of
//! a matrix. That matrix (`im2col`) is usually written out; here it is the image itself under a
//! layout whose pixel modes and filter modes have the same strides, so that the rows overlap in
//! memory, and nothing is copied. A *batch* of products with one matrix for all has the stride 0 in
//! that matrix's batch mode: it is broadcast. No line below computes an index.
//!
//! | here | CuTe |
//! |---|---|
//! | `to.tiles_mut(tiler!(32, 32))` | `zipped_divide(to, Shape<_32, _32>{})`, tile by tile |
//! | `tile.copy_from(&tiles.slice((.., block)))` | `copy(tiles(_, block), tile)` |
//! | `Tensor::new(image, layout!(((p, q), (s, r, c)):(..)))` | `make_tensor(ptr, im2col_layout)`, an implicit GEMM |
//! | `c.slice_mut((.., .., l)).gemm(&a, &b)` | `gemm(A(_, _, l), B(_, _, l), C(_, _, l))` |
//!
//! `cargo run --release --example 05_relayouts`

use layout_algebra::prelude::*;

/// The transpose of a matrix of `m` rows of `n`, both multiples of 32, tile by tile.
pub fn transpose(from: &[f32], (m, n): (usize, usize)) -> Result<Vec<f32>, LayoutError> {
    let from = Tensor::new(from, layout!((m, n):(n, 1)))?;
    let mut to = Tensor::new(vec![0.0; m * n], layout!((m, n):(1, m)))?;
    // An extent that 32 does not divide is an error here, so that the source's division below has
    // none.
    let tiles_mut = to.try_tiles_mut(tiler!(32, 32))?;
    let tiles = from.zipped_divide(tiler!(32, 32));
    for (block, mut tile) in tiles_mut.enumerate() {
        tile.copy_from(&tiles.slice((.., block)))?;
    }
    Ok(to.into_storage())
}

/// A convolution: its image of `channels` planes of `height` rows of `width`, its filters of
/// `channels` planes of `rows` rows of `columns`.
#[derive(Clone, Copy, Debug)]
pub struct Convolution {
    /// Planes of the image and of each filter.
    pub channels: usize,
    /// Rows of the image.
    pub height: usize,
    /// Columns of the image.
    pub width: usize,
    /// How many filters.
    pub filters: usize,
    /// Rows of a filter.
    pub rows: usize,
    /// Columns of a filter.
    pub columns: usize,
    /// Pixels from one output to the next.
    pub step: usize,
    /// Pixels from one element of the filter to the next.
    pub dilation: usize,
}

impl Convolution {
    /// Rows and columns of the output.
    pub fn output(&self) -> (usize, usize) {
        let along = |pixels: usize, filter: usize| {
            (pixels - (filter - 1) * self.dilation - 1) / self.step + 1
        };
        (along(self.height, self.rows), along(self.width, self.columns))
    }

    /// ```text
    /// out[filter, p, q] = sum over (channel, r, s) of
    ///     image[channel, p*step + r*dilation, q*step + s*dilation] * filters[filter, channel, r, s]
    /// ```
    pub fn run(&self, image: &[f32], filters: &[f32]) -> Result<Vec<f32>, LayoutError> {
        let Convolution {
            channels: c,
            height,
            width: x,
            filters: k,
            rows: r,
            columns: s,
            step,
            dilation,
        } = *self;
        let (p, q) = self.output();
        // Pixels by neighbourhoods: both move over the same image.
        let columns = layout!(
            ((q, p), (s, r, c)):((step, step * x), (dilation, dilation * x, height * x))
        );
        let image = Tensor::new(image, columns)?;
        let filters = Tensor::new(filters, layout!((k, (s, r, c)):(c * r * s, (1, s, r * s))))?;
        let mut out = Tensor::new(vec![0.0; k * p * q], layout!(((q, p), k):((1, q), p * q)))?;
        out.gemm(&image, &filters)?;
        Ok(out.into_storage())
    }
}

/// `c[l] = a[l] * b` for a batch of row-major matrices `a[l]` of `m` by `k` and one `b` of `k` by
/// `n`.
pub fn batched(
    a: &[f32],
    b: &[f32],
    batch: usize,
    (m, n, k): (usize, usize, usize),
) -> Result<Vec<f32>, LayoutError> {
    let a = Tensor::new(a, layout!((m, k, batch):(k, 1, m * k)))?;
    // (N, K, L): the stride 0 gives the same matrix to all of the batch.
    let b = Tensor::new(b, layout!((n, k, batch):(1, n, 0)))?;
    let mut c = Tensor::new(vec![0.0; batch * m * n], layout!((m, n, batch):(n, 1, m * n)))?;
    for l in 0..batch {
        c.slice_mut((.., .., l)).gemm(&a.slice((.., .., l)), &b.slice((.., .., l)))?;
    }
    Ok(c.into_storage())
}

#[allow(dead_code, reason = "the test of this example calls the functions above")]
fn main() -> Result<(), LayoutError> {
    let numbers = |count: usize| (0..count).map(|k| (k * 37 % 101) as f32).collect::<Vec<_>>();

    let (m, n) = (64, 96);
    let matrix = numbers(m * n);
    let transposed = transpose(&matrix, (m, n))?;
    println!(
        "transpose of {m} x {n}: element (5, 70) {} is (70, 5) {}",
        matrix[5 * n + 70],
        transposed[70 * m + 5]
    );

    let shape = Convolution {
        channels: 3,
        height: 17,
        width: 20,
        filters: 4,
        rows: 3,
        columns: 5,
        step: 2,
        dilation: 1,
    };
    let (image, filters) = (numbers(3 * 17 * 20), numbers(4 * 3 * 3 * 5));
    let out = shape.run(&image, &filters)?;
    println!("convolution to {:?}, 4 filters: first value {}", shape.output(), out[0]);

    let (batch, sizes) = (3, (8, 6, 5));
    let c = batched(&numbers(batch * 8 * 5), &numbers(5 * 6), batch, sizes)?;
    println!("batch of {batch} products: last value {}", c[c.len() - 1]);
    Ok(())
}
