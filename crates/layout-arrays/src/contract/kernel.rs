//! The kernels of a plan: products of elements, or of matrices with the crate `gemm`.
//!
//! ```text
//! C[c + i * c_i] = sum of A[a + i * a_i + t_a] * B[b + i * b_i + t_b] over the terms t
//! ```

use alloc::vec::Vec;
use core::iter::once;

use pulp::{Arch, Simd, WithSimd};

use super::reason::{LEFT, RESULT, RIGHT};
use crate::error::MAX_RANK;
use crate::foreign::gemm::{ContractionElement, Place, multiply};

/// The sums that are kept in registers.
const LANES: usize = 16;
/// The columns of a tile of a small product of matrices.
const COLUMNS: usize = 32;
/// The rows of such a tile, which fill half of the AVX-512 registers.
const fn rows_of_tile<T>() -> usize {
    32 / size_of::<T>()
}
/// The most elements of the three matrices of a small product.
const SMALL: usize = 1 << 18;
/// Rows at a multiple of this distance in bytes evict one another from the L1 cache: `gemm` packs
/// them.
const ALIASING: usize = 4096;
/// Rows of at least this many bytes are written with non-temporal stores.
const STREAMED: usize = 16 << 20;

/// An axis of loops: its extent, and its strides in the left array, the right one and the result.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) extent: usize,
    pub(super) by: [isize; 3],
}

/// Folds axes that follow one another in all three arrays.
pub(super) fn merge(steps: impl Iterator<Item = Step>) -> Vec<Step> {
    let mut merged: Vec<Step> = Vec::new();
    for step in steps {
        match merged.last_mut() {
            // Strides of axes that move fit `isize`, and so does the product if it equals one.
            Some(outer)
                if (0..3).all(|array| {
                    step.by[array].checked_mul(step.extent as isize) == Some(outer.by[array])
                }) =>
            {
                *outer = Step { extent: outer.extent * step.extent, by: step.by };
            }
            _ => merged.push(step),
        }
    }
    merged
}

/// Calls `f` with the offsets at each coordinate of the loops, the last axis the fastest.
#[inline(always)]
fn for_each(loops: &[Step], first: [usize; 3], mut f: impl FnMut([usize; 3])) {
    let (mut at, mut counts) = (first, [0; MAX_RANK]);
    loop {
        f(at);
        let mut axis = loops.len();
        loop {
            if axis == 0 {
                return;
            }
            axis -= 1;
            let Step { extent, by } = loops[axis];
            counts[axis] += 1;
            let is_within = counts[axis] < extent;
            // The offsets of coordinates fit; intermediate sums may wrap.
            let steps = if is_within { 1 } else { 1isize.wrapping_sub(extent as isize) };
            for (at, by) in at.iter_mut().zip(by) {
                *at = at.wrapping_add_signed(by.wrapping_mul(steps));
            }
            if is_within {
                break;
            }
            counts[axis] = 0;
        }
    }
}

#[derive(Clone, Debug)]
pub(super) enum Kernel {
    /// Sums without terms.
    Zeros,
    Products(Products),
    Matrices(Matrices),
}

/// Products of elements, row by row.
#[derive(Clone, Debug)]
pub(super) struct Products {
    pub(super) loops: Vec<Step>,
    /// The axis within a row.
    pub(super) row: Step,
    /// The offsets of all terms of an element, in the left and in the right array.
    pub(super) terms: Vec<[isize; 2]>,
}

/// Products of matrices, one for each coordinate of the loops.
#[derive(Clone, Debug)]
pub(super) struct Matrices {
    loops: Vec<Step>,
    /// m, k and n.
    extents: [usize; 3],
    /// The strides of rows and columns of the three matrices.
    by: [[isize; 2]; 3],
    /// Whether all matrices are transposed, so that the left array is the right factor.
    is_transposed: bool,
}

/// The memory of the three arrays, and the offset of each array's first element.
pub(super) struct Arrays<'a, T> {
    pub(super) a: &'a [T],
    pub(super) b: &'a [T],
    pub(super) c: &'a mut [T],
    pub(super) first: [usize; 3],
    /// Whether products are added to the result.
    pub(super) add: bool,
}

impl Matrices {
    /// The products, transposed if that makes the rows of the result contiguous.
    pub(super) fn new(mut loops: Vec<Step>, [m, k, n]: [usize; 3], by: [[isize; 2]; 3]) -> Self {
        if by[RESULT][0] != 1 {
            return Matrices { loops, extents: [m, k, n], by, is_transposed: false };
        }
        loops.iter_mut().for_each(|step| step.by.swap(LEFT, RIGHT));
        let by = [by[RIGHT], by[LEFT], by[RESULT]].map(|[x, y]| [y, x]);
        Matrices { loops, extents: [n, k, m], by, is_transposed: true }
    }

    pub(super) fn run<T: ContractionElement>(&self, mut arrays: Arrays<'_, T>) {
        if self.is_transposed {
            core::mem::swap(&mut arrays.a, &mut arrays.b);
            arrays.first.swap(LEFT, RIGHT);
        }
        let ([m, k, n], [_, right, result]) = (self.extents, self.by);
        let elements = [(m, k), (k, n), (m, n)].map(|(x, y)| x.saturating_mul(y));
        let is_small = elements.into_iter().fold(0, usize::saturating_add) <= SMALL;
        let has_aliasing = right[0].unsigned_abs() % (ALIASING / size_of::<T>()) == 0;
        let has_tiles = m >= rows_of_tile::<T>() && n >= COLUMNS && right[1] == 1 && result[1] == 1;
        let (in_tiles, arch) = (T::IS_FUSED && is_small && has_tiles && !has_aliasing, Arch::new());
        let Arrays { a, b, c, first, add } = arrays;
        for_each(&self.loops, first, |at| {
            let place = |array: usize| Place { first: at[array], by: self.by[array] };
            let (left, right) = ((a, place(LEFT)), (b, place(RIGHT)));
            let result = (&mut *c, place(RESULT));
            let product = Product { extents: self.extents, left, right, result, add };
            if in_tiles { arch.dispatch(product) } else { product.by_gemm() }
        });
    }
}

/// One product of matrices.
struct Product<'a, T> {
    /// m, k and n.
    extents: [usize; 3],
    left: (&'a [T], Place),
    right: (&'a [T], Place),
    result: (&'a mut [T], Place),
    add: bool,
}

impl<T: ContractionElement> WithSimd for Product<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        // Only AVX-512 has enough registers for a tile.
        match rows_of_tile::<T>() {
            8 if size_of::<S::f64s>() == 64 => self.in_tiles::<8>(),
            4 if size_of::<S::f64s>() == 64 => self.in_tiles::<4>(),
            _ => self.by_gemm(),
        }
    }
}

impl<T: ContractionElement> Product<'_, T> {
    fn by_gemm(self) {
        multiply(self.extents, self.left, self.right, self.result, self.add);
    }

    /// Computes the result in register tiles. If the extents do not divide, the last tiles overlap
    /// the ones before.
    #[inline(always)]
    fn in_tiles<const ROWS: usize>(self) {
        let Product { extents: [m, k, n], left: (a, of_a), right: (b, of_b), result, add } = self;
        let (c, of_c) = result;
        for column in (0..n).step_by(COLUMNS) {
            let j = column.min(n - COLUMNS);
            for row in (0..m).step_by(ROWS) {
                let i = row.min(m - ROWS);
                let first = step(of_a.first, i as isize * of_a.by[0]);
                let right = (b, of_b.first + j, of_b.by[0]);
                let sums: Tile<T, ROWS> = sums_of_tile(k, (a, first, of_a.by), right);
                let first = step(of_c.first, i as isize * of_c.by[0]) + j;
                if add && [i, j] != [row, column] {
                    add_rest(sums, [row - i, column - j], c, first, of_c.by[0]);
                    continue;
                }
                for (r, sums) in sums.iter().enumerate() {
                    let first = step(first, r as isize * of_c.by[0]);
                    put(&mut c[first..first + COLUMNS], sums.iter().copied(), add);
                }
            }
        }
    }
}

type Tile<T, const ROWS: usize> = [[T; COLUMNS]; ROWS];

/// Adds a tile without its first rows and columns, which overlap another tile.
#[inline(never)]
fn add_rest<T: ContractionElement, const ROWS: usize>(
    sums: Tile<T, ROWS>,
    [rows, columns]: [usize; 2],
    c: &mut [T],
    first: usize,
    by: isize,
) {
    for (r, sums) in sums.iter().enumerate().skip(rows) {
        let first = step(first, r as isize * by);
        put(&mut c[first + columns..first + COLUMNS], sums[columns..].iter().copied(), true);
    }
}

#[inline(always)]
fn sums_of_tile<T: ContractionElement, const ROWS: usize>(
    k: usize,
    (a, mut x, [to_row, to_column]): (&[T], usize, [isize; 2]),
    (b, mut y, to_next): (&[T], usize, isize),
) -> Tile<T, ROWS> {
    let mut sums = [[T::zeroed(); COLUMNS]; ROWS];
    for _ in 0..k {
        let row = &b[y..y + COLUMNS];
        for (i, sums) in sums.iter_mut().enumerate() {
            let a = a[step(x, i as isize * to_row)];
            for (sum, &b) in sums.iter_mut().zip(row) {
                *sum = sum.add_product(a, b);
            }
        }
        (x, y) = (step(x, to_column), step(y, to_next));
    }
    sums
}

impl Products {
    pub(super) fn run<T: ContractionElement>(&self, arrays: Arrays<'_, T>) {
        Arch::new().dispatch(ProductsOf { products: self, arrays });
    }
}

/// Products and their arrays, for dispatch to an instruction set.
struct ProductsOf<'p, 'a, T> {
    products: &'p Products,
    arrays: Arrays<'a, T>,
}

impl<T: ContractionElement> WithSimd for ProductsOf<'_, '_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Products { loops, row, terms } = self.products;
        let Arrays { a, b, c, first, add } = self.arrays;
        let n = row.extent;
        let one_term = terms.len() == 1;
        match row.by {
            [1, 1, 1] if one_term => for_each(loops, first, |[x, y, z]| {
                multiply_rows(&a[x..x + n], &b[y..y + n], &mut c[z..z + n], add);
            }),
            [1, 0, 1] if one_term => for_each(loops, first, |[x, y, z]| {
                let y = b[y];
                put(&mut c[z..z + n], a[x..x + n].iter().map(|&x| x * y), add);
            }),
            [0, 1, 1] if one_term => for_each(loops, first, |[x, y, z]| {
                let x = a[x];
                put(&mut c[z..z + n], b[y..y + n].iter().map(|&y| x * y), add);
            }),
            [1, 1, 1] if n >= LANES => for_each(loops, first, |[x, y, z]| {
                for from in (0..n - n % LANES).step_by(LANES) {
                    let mut sums = [T::zeroed(); LANES];
                    for &[s, t] in terms {
                        let (x, y) = (step(x + from, s), step(y + from, t));
                        let pairs = a[x..x + LANES].iter().zip(&b[y..y + LANES]);
                        for (sum, (&x, &y)) in sums.iter_mut().zip(pairs) {
                            *sum = *sum + x * y;
                        }
                    }
                    put(&mut c[z + from..z + from + LANES], sums.into_iter(), add);
                }
                for i in n - n % LANES..n {
                    put(&mut c[z + i..=z + i], once(sum_of(terms, a, b, [x + i, y + i])), add);
                }
            }),
            _ => for_each(loops, first, |[mut x, mut y, mut z]| {
                for _ in 0..n {
                    put(&mut c[z..=z], once(sum_of(terms, a, b, [x, y])), add);
                    x = step(x, row.by[LEFT]);
                    y = step(y, row.by[RIGHT]);
                    z = step(z, row.by[RESULT]);
                }
            }),
        }
    }
}

/// Products of two rows, in vectors of 16 bytes: wider unaligned vectors cross cache lines, and for
/// rows that come from memory the width does not matter.
#[inline(never)]
fn multiply_rows<T: ContractionElement>(a: &[T], b: &[T], c: &mut [T], add: bool) {
    #[cfg(target_arch = "x86_64")]
    if !add && size_of_val(c) >= STREAMED {
        return crate::foreign::gemm::stream_products(a, b, c);
    }
    put(c, a.iter().zip(b).map(|(&x, &y)| x * y), add);
}

/// A step from an offset. The step beyond the end of a row may wrap; its result is not used.
#[inline(always)]
fn step(at: usize, by: isize) -> usize {
    at.wrapping_add_signed(by)
}

/// Writes values to a row, or adds them to it.
#[inline(always)]
fn put<T: ContractionElement>(row: &mut [T], values: impl Iterator<Item = T>, add: bool) {
    let places = row.iter_mut().zip(values);
    if add {
        places.for_each(|(place, value)| *place = *place + value);
    } else {
        places.for_each(|(place, value)| *place = value);
    }
}

/// The sum of all terms of an element.
#[inline(always)]
fn sum_of<T: ContractionElement>(terms: &[[isize; 2]], a: &[T], b: &[T], [x, y]: [usize; 2]) -> T {
    terms.iter().fold(T::zeroed(), |sum, &[s, t]| sum + a[step(x, s)] * b[step(y, t)])
}
