//! Loops over the extents of tensors, with safe indexing: `tensor_cost.rs` looks for panics in what
//! they compile to.

use layout_algebra::prelude::*;

/// Static extents.
#[unsafe(no_mangle)]
pub fn sum_of_static(data: &[f32; 24]) -> f32 {
    let t = Tensor::fixed(data, layout!((4, 6): right));
    let mut sum = 0.0;
    for i in 0..4 {
        for j in 0..6 {
            sum += t[(i, j)];
        }
    }
    sum
}

/// Extents known at run time.
#[unsafe(no_mangle)]
pub fn sum_of_dynamic(t: Tensor<&[f32], Layout!((_, _):(_, 1))>) -> f32 {
    let (m, n) = t.shape();
    let mut sum = 0.0;
    for i in 0..m {
        for j in 0..n {
            sum += t[(i, j)];
        }
    }
    sum
}

/// All tiles, each over its own extents.
#[unsafe(no_mangle)]
pub fn double_tiles(data: &mut [f32; 4096]) {
    let mut t = Tensor::fixed(data, layout!((64, 64): right));
    for mut tile in t.tiles_mut(tiler!(8, 8)) {
        for i in 0..8 {
            for j in 0..8 {
                tile[(i, j)] *= 2.0;
            }
        }
    }
}

/// What a check looks like that stays: the test has to find it.
#[unsafe(no_mangle)]
pub fn element(t: Tensor<&[f32], Layout!((_, _):(_, 1))>, i: usize, j: usize) -> f32 {
    t[(i, j)]
}

/// Columns of 16 bytes, 32 bytes apart, as many as run time says.
#[unsafe(no_mangle)]
pub fn copy_columns(
    to: &mut Tensor<&mut [u8], Layout!((16, _):(1, 32))>,
    from: &Tensor<&[u8], Layout!((16, _):(1, 32))>,
) -> usize {
    to.copy_vectors_from(from).unwrap_or(0)
}

/// A vector of 16 bytes.
#[derive(Clone, Copy)]
#[repr(align(16))]
pub struct Vector([u8; 16]);

/// The same loop, where both begin at a multiple of 16.
#[unsafe(no_mangle)]
pub unsafe fn copy_columns_by_hand(to: *mut Vector, from: *const Vector, n: usize) {
    for j in 0..n {
        // SAFETY: the caller's.
        unsafe { *to.add(2 * j) = *from.add(2 * j) };
    }
}
