//! Twelve index patterns, each written three times: with a layout, with the arithmetic that a
//! person would write, and with ndarray.
//!
//! `tests/cost/static_cost.rs` compiles this file and compares the first two, instruction by
//! instruction; `benches/patterns.rs` counts and times all three. Where a pattern walks over a
//! matrix, a generic function takes the layout as `L: Layout`.

use layout_algebra::prelude::*;
use ndarray::{
    ArrayView1, ArrayView2, ArrayView4, ArrayView5, ArrayViewMut2, ArrayViewMut3, ArrayViewMut5,
    ShapeBuilder, s,
};

/// Defines `ours_x`, `hand_x` and `ndarray_x` with the same parameters.
macro_rules! pattern {
    (
        $ours:ident, $hand:ident, $ndarray:ident: fn($($name:ident: $type:ty),*) $(-> $result:ty)?
        { $by_layout:block $by_hand:block $by_ndarray:block }
    ) => {
        #[unsafe(no_mangle)]
        #[inline(never)]
        pub fn $ours($($name: $type),*) $(-> $result)? $by_layout
        #[unsafe(no_mangle)]
        #[inline(never)]
        pub fn $hand($($name: $type),*) $(-> $result)? $by_hand
        #[unsafe(no_mangle)]
        #[inline(never)]
        pub fn $ndarray($($name: $type),*) $(-> $result)? $by_ndarray
    };
}

/// An ndarray view of a slice; its length is the shape's.
macro_rules! view {
    ($View:ident, $shape:expr, $slice:expr) => {
        $View::from_shape($shape, &$slice[..]).unwrap()
    };
    (mut $View:ident, $shape:expr, $slice:expr) => {
        $View::from_shape($shape, &mut $slice[..]).unwrap()
    };
}

/// `sum x[l(i,j)]` over a matrix of any layout, row by row.
#[inline(always)]
fn sum<L: Layout<Offset = usize>>(l: L, rows: usize, columns: usize, x: &[u64]) -> u64
where
    (usize, usize): CoordinateOf<L>,
{
    let mut sum = 0;
    for i in 0..rows {
        for j in 0..columns {
            sum += x[l.index((i, j))];
        }
    }
    sum
}

/// `to[l(i,j)] = from[m(i,j)]` for two layouts of one shape, row by row.
#[inline(always)]
fn copy<L, M>(l: L, to: &mut [f32], m: M, from: &[f32], rows: usize, columns: usize)
where
    L: Layout<Offset = usize>,
    M: Layout<Offset = usize>,
    (usize, usize): CoordinateOf<L> + CoordinateOf<M>,
{
    for i in 0..rows {
        for j in 0..columns {
            to[l.index((i, j))] = from[m.index((i, j))];
        }
    }
}

/// Exclusive or of the row of a matrix of 32 columns into the column.
#[inline(always)]
fn swizzled(offset: usize) -> usize {
    offset ^ (offset >> 5 & 31)
}

pattern!(ours_row_major, hand_row_major, ndarray_row_major: fn(x: &[u64; 64 * 96]) -> u64 {
    { sum(layout!((64, 96): right), 64, 96, x) }
    {
        let mut sum = 0;
        for i in 0..64 {
            for j in 0..96 {
                sum += x[i * 96 + j];
            }
        }
        sum
    }
    { view!(ArrayView2, (64, 96), x).sum() }
});

pattern!(ours_column_major, hand_column_major, ndarray_column_major: fn(x: &[u64; 64 * 96]) -> u64 {
    {
        let l = layout!((64, 96));
        let mut sum = 0;
        for j in 0..96 {
            for i in 0..64 {
                sum += x[l.index((i, j))];
            }
        }
        sum
    }
    {
        let mut sum = 0;
        for j in 0..96 {
            for i in 0..64 {
                sum += x[i + j * 64];
            }
        }
        sum
    }
    { view!(ArrayView2, (64, 96).f(), x).sum() }
});

pattern!(ours_transpose, hand_transpose, ndarray_transpose: fn(from: &[f32; 64 * 96], to: &mut [f32; 64 * 96]) {
    {
        copy(layout!((64, 96): left), to, layout!((64, 96): right), from, 64, 96);
    }
    {
        for i in 0..64 {
            for j in 0..96 {
                to[i + j * 64] = from[i * 96 + j];
            }
        }
    }
    { view!(mut ArrayViewMut2, (64, 96).f(), to).assign(&view!(ArrayView2, (64, 96), from)) }
});

// Tile by tile: 8 x 6 tiles of 8 x 16.
pattern!(ours_tiles, hand_tiles, ndarray_tiles: fn(x: &[u64; 64 * 96], sums: &mut [u64; 8 * 6]) {
    {
        let tiles = layout!((64, 96): right).zipped_divide(tiler!(8, 16));
        for bi in 0..8 {
            for bj in 0..6 {
                let mut sum = 0;
                for i in 0..8 {
                    for j in 0..16 {
                        sum += x[tiles.index(((i, j), (bi, bj)))];
                    }
                }
                sums[bi * 6 + bj] = sum;
            }
        }
    }
    {
        for bi in 0..8 {
            for bj in 0..6 {
                let mut sum = 0;
                for i in 0..8 {
                    for j in 0..16 {
                        sum += x[(bi * 8 + i) * 96 + bj * 16 + j];
                    }
                }
                sums[bi * 6 + bj] = sum;
            }
        }
    }
    {
        let tiles = view!(ArrayView2, (64, 96), x);
        sums.iter_mut().zip(tiles.exact_chunks((8, 16))).for_each(|(sum, tile)| *sum = tile.sum());
    }
});

// The 4 x 8 values of one of 8 x 4 threads, out of a tile of 32 x 32.
pattern!(ours_thread_values, hand_thread_values, ndarray_thread_values: fn(x: &[f32; 32 * 32], thread: usize, values: &mut [f32; 32]) {
    {
        let tv = layout!((32, 32): right).compose(layout!(((8, 4), (4, 8)):((4, 256), (1, 32))));
        for value in 0..32 {
            values[value] = x[tv.index((thread, value))];
        }
    }
    {
        for value in 0..32 {
            values[value] = x[(thread % 8 * 128 + thread / 8 * 8) + (value % 4 * 32 + value / 4)];
        }
    }
    {
        let tile = ArrayView4::from_shape((8, 4, 4, 8), &x[..]).unwrap();
        let share = tile.slice(s![thread % 8, .., thread / 8, ..]);
        view!(mut ArrayViewMut2, (4, 8).f(), values).assign(&share);
    }
});

// A transposed copy into a tile whose columns are permuted in every row, as shared memory likes it.
pattern!(ours_swizzle, hand_swizzle, ndarray_swizzle: fn(from: &[f32], to: &mut [f32]) {
    {
        let target = Swizzle::<5, 0, 5>::new().compose(layout!((32, 32): right));
        copy(target, to, layout!((32, 32)), from, 32, 32);
    }
    {
        for i in 0..32 {
            for j in 0..32 {
                to[swizzled(i * 32 + j)] = from[i + j * 32];
            }
        }
    }
    {
        let (from, mut to) = (view!(ArrayView2, (32, 32).f(), from), view!(mut ArrayViewMut2, (32, 32), to));
        from.indexed_iter().for_each(|((i, j), &x)| to[[i, i ^ j]] = x);
    }
});

// The windows of 3 x 3 in an image of 32 x 32, each as a row.
pattern!(ours_im2col, hand_im2col, ndarray_im2col: fn(image: &[f32; 32 * 32], rows: &mut [f32; 30 * 30 * 9]) {
    {
        let (row, window) = (layout!((3, 3, 30, 30)), layout!((3, 3, 30, 30):(1, 32, 1, 32)));
        for y in 0..30 {
            for x in 0..30 {
                for dy in 0..3 {
                    for dx in 0..3 {
                        rows[row.index((dx, dy, x, y))] = image[window.index((dx, dy, x, y))];
                    }
                }
            }
        }
    }
    {
        for y in 0..30 {
            for x in 0..30 {
                for dy in 0..3 {
                    for dx in 0..3 {
                        rows[dx + dy * 3 + x * 9 + y * 270] = image[dx + dy * 32 + x + y * 32];
                    }
                }
            }
        }
    }
    {
        let image = view!(ArrayView2, (32, 32), image);
        let mut rows = view!(mut ArrayViewMut3, (900, 3, 3), rows);
        rows.outer_iter_mut().zip(image.windows((3, 3))).for_each(|(mut row, window)| row.assign(&window));
    }
});

// Every fourth column. One addition waits for the one before, here as by hand, also where each row
// has a sum of its own, for the compiler makes one of them; ndarray's loop has strides of run time,
// and its rows stay apart. Sums of two rows at a time take half the time.
pattern!(ours_strided_slice, hand_strided_slice, ndarray_strided_slice: fn(x: &[u64; 64 * 96]) -> u64 {
    { sum(layout!((64, 96): right).compose(tiler!(_, 24:4)), 64, 24, x) }
    {
        let mut sum = 0;
        for i in 0..64 {
            for j in 0..24 {
                sum += x[i * 96 + j * 4];
            }
        }
        sum
    }
    { view!(ArrayView2, (64, 96), x).slice(s![.., ..;4]).sum() }
});

pattern!(ours_permute, hand_permute, ndarray_permute: fn(from: &[f32; 720], to: &mut [f32; 720]) {
    {
        let (source, target) = (layout!((2, 3, 4, 5, 6)), layout!((2, 3, 4, 5, 6):(60, 20, 5, 1, 120)));
        for e in 0..6 {
            for d in 0..5 {
                for c in 0..4 {
                    for b in 0..3 {
                        for a in 0..2 {
                            to[target.index((a, b, c, d, e))] = from[source.index((a, b, c, d, e))];
                        }
                    }
                }
            }
        }
    }
    {
        for e in 0..6 {
            for d in 0..5 {
                for c in 0..4 {
                    for b in 0..3 {
                        for a in 0..2 {
                            to[a * 60 + b * 20 + c * 5 + d + e * 120] = from[a + b * 2 + c * 6 + d * 24 + e * 120];
                        }
                    }
                }
            }
        }
    }
    {
        let from = ArrayView5::from_shape((2, 3, 4, 5, 6).f(), &from[..]).unwrap();
        view!(mut ArrayViewMut5, (6, 2, 3, 4, 5), to).assign(&from.permuted_axes([4, 0, 1, 2, 3]));
    }
});

pattern!(ours_diagonal, hand_diagonal, ndarray_diagonal: fn(x: &[f64; 64 * 64]) -> f64 {
    {
        let diagonal = layout!((64, 64)).compose(layout!(64:65));
        let mut sum = 0.0;
        for i in 0..64 {
            sum += x[diagonal.at(i)];
        }
        sum
    }
    {
        let mut sum = 0.0;
        for i in 0..64 {
            sum += x[i * 65];
        }
        sum
    }
    { view!(ArrayView2, (64, 64), x).diag().sum() }
});

pattern!(ours_broadcast, hand_broadcast, ndarray_broadcast: fn(x: &mut [f32; 32 * 64], row: &[f32; 64]) {
    {
        let (matrix, repeated) = (layout!((32, 64): right), layout!((32, 64):(0, 1)));
        for i in 0..32 {
            for j in 0..64 {
                x[matrix.index((i, j))] += row[repeated.index((i, j))];
            }
        }
    }
    {
        for i in 0..32 {
            for j in 0..64 {
                x[i * 64 + j] += row[j];
            }
        }
    }
    {
        let mut x = view!(mut ArrayViewMut2, (32, 64), x);
        x += &view!(ArrayView1, 64, row);
    }
});

// Static extents, and a leading dimension known at run time only: each row's bounds are checked
// once.
pattern!(ours_mixed, hand_mixed, ndarray_mixed: fn(x: &[u64], ld: usize) -> u64 {
    {
        let l = layout!((32, 48):(ld, 1));
        let mut sum = 0;
        for i in 0..32 {
            let (row, start) = l.slice((i, ..));
            let x = &x[start..start + row.cosize()];
            for j in 0..48 {
                sum += x[row.at(j)];
            }
        }
        sum
    }
    {
        let mut sum = 0;
        for i in 0..32 {
            let x = &x[i * ld..i * ld + 48];
            for j in 0..48 {
                sum += x[j];
            }
        }
        sum
    }
    { view!(ArrayView2, (32, 48).strides((ld, 1)), x).sum() }
});
