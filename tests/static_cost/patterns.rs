//! Pairs of functions that must compile to the same instructions: `ours_x` indexes with a layout, `hand_x` with the arithmetic
//! that a person would write. Generic functions stand in place of `ours_x` where a layout is an `L: Layout`.

use layout_algebra::atom::{UniversalFma, gemm, make_tiled_mma};
use layout_algebra::prelude::*;

/// Defines `ours_x` and `hand_x` with the same parameters.
macro_rules! pair {
    ($ours:ident, $hand:ident: fn($($name:ident: $type:ty),*) $(-> $result:ty)? { $by_layout:block $by_hand:block }) => {
        #[unsafe(no_mangle)]
        pub fn $ours($($name: $type),*) $(-> $result)? $by_layout
        #[unsafe(no_mangle)]
        pub fn $hand($($name: $type),*) $(-> $result)? $by_hand
    };
}

/// `sum x[l(i,j)]` over a matrix of any layout, `j` fastest.
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

// A static matrix, row by row and column by column. A slice's length is unknown: bounds checks must be the same ones too.
pair!(ours_row_major, hand_row_major: fn(x: &[u64]) -> u64 {
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
});
pair!(ours_column_major, hand_column_major: fn(x: &[u64; 64 * 96]) -> u64 {
    { sum(layout!((64, 96)), 64, 96, x) }
    {
        let mut sum = 0;
        for i in 0..64 {
            for j in 0..96 {
                sum += x[i + j * 64];
            }
        }
        sum
    }
});

// Neither contiguous nor dense.
pair!(ours_padded, hand_padded: fn(x: &[u64]) -> u64 {
    { sum(layout!((4, 6):(1, 7)), 4, 6, x) }
    {
        let mut sum = 0;
        for i in 0..4 {
            for j in 0..6 {
                sum += x[i + j * 7];
            }
        }
        sum
    }
});

// One offset at coordinates that are known at run time only.
pair!(ours_offset, hand_offset: fn(i: usize, j: usize) -> usize {
    { layout!((100, 60):(60, 1)).index((i, j)) }
    { i * 60 + j }
});

// A number against a tuple: one quotient and one remainder, and no more for the last mode.
pair!(ours_number, hand_number: fn(i: usize) -> usize {
    { layout!((7, 60):(60, 1)).at(i) }
    { i % 7 * 60 + i / 7 }
});
pair!(ours_number_nested, hand_number_nested: fn(i: usize) -> usize {
    { layout!(((2, 2), (2, 3)):((1, 8), (2, 16))).at(i) }
    { (i % 2 + i / 2 % 2 * 8) + (i / 4 % 2 * 2 + i / 8 * 16) }
});
pair!(ours_number_per_mode, hand_number_per_mode: fn(i: usize, j: usize) -> usize {
    { layout!(((2, 2), (2, 3)):((1, 8), (2, 16))).index((i, j)) }
    { (i % 2 + i / 2 * 8) + (j % 2 * 2 + j / 2 * 16) }
});

// A nested layout, over the leaves of its coordinates.
pair!(ours_nested, hand_nested: fn(x: &[u64; 64]) -> u64 {
    {
        let l = layout!(((2, 2), (2, 3)):((1, 8), (2, 16)));
        let mut sum = 0;
        for j1 in 0..3 {
            for j0 in 0..2 {
                for i1 in 0..2 {
                    for i0 in 0..2 {
                        sum += x[l.index(((i0, i1), (j0, j1)))];
                    }
                }
            }
        }
        sum
    }
    {
        let mut sum = 0;
        for j1 in 0..3 {
            for j0 in 0..2 {
                for i1 in 0..2 {
                    for i0 in 0..2 {
                        sum += x[i0 + i1 * 8 + j0 * 2 + j1 * 16];
                    }
                }
            }
        }
        sum
    }
});
// The same, over the number of a row and a column: quotients and remainders by constants.
pair!(ours_nested_rows, hand_nested_rows: fn(x: &[u64]) -> u64 {
    { sum(layout!(((2, 2), (2, 3)):((1, 8), (2, 16))), 4, 6, x) }
    {
        let mut sum = 0;
        for i in 0..4 {
            for j in 0..6 {
                sum += x[(i % 2 + i / 2 * 8) + (j % 2 * 2 + j / 2 * 16)];
            }
        }
        sum
    }
});

// A transposed copy: the same coordinate in two layouts.
pair!(ours_transpose, hand_transpose: fn(from: &[f32; 64 * 96], to: &mut [f32; 64 * 96]) {
    {
        let (source, target) = (layout!((64, 96): right), layout!((64, 96): left));
        for i in 0..64 {
            for j in 0..96 {
                to[target.index((i, j))] = from[source.index((i, j))];
            }
        }
    }
    {
        for i in 0..64 {
            for j in 0..96 {
                to[i + j * 64] = from[i * 96 + j];
            }
        }
    }
});

// Mixed: static extents, and a leading dimension known at run time only.
pair!(ours_mixed, hand_mixed: fn(x: &[u64], ld: usize) -> u64 {
    { sum(layout!((8, 6):(ld, 1)), 8, 6, x) }
    {
        let mut sum = 0;
        for i in 0..8 {
            for j in 0..6 {
                sum += x[i * ld + j];
            }
        }
        sum
    }
});
pair!(ours_mixed_copy, hand_mixed_copy: fn(from: &[f32], to: &mut [f32; 8 * 6], ld: usize) {
    {
        let (source, target) = (layout!((8, 6):(1, ld)), layout!((8, 6): right));
        for i in 0..8 {
            for j in 0..6 {
                to[target.index((i, j))] = from[source.index((i, j))];
            }
        }
    }
    {
        for i in 0..8 {
            for j in 0..6 {
                to[i * 6 + j] = from[i + j * ld];
            }
        }
    }
});
// All dynamic.
pair!(ours_dynamic, hand_dynamic: fn(x: &[u64], m: usize, n: usize, di: usize, dj: usize) -> u64 {
    { sum(layout!((m, n):(di, dj)), m, n, x) }
    {
        let mut sum = 0;
        for i in 0..m {
            for j in 0..n {
                sum += x[i * di + j * dj];
            }
        }
        sum
    }
});

// The results of the algebra: tile by tile, a static matrix and one of run-time size.
pair!(ours_tiles, hand_tiles: fn(x: &[u64; 64 * 96]) -> u64 {
    {
        let tiles = layout!((64, 96): right).zipped_divide(tiler!(8, 16));
        let mut sum = 0;
        for bi in 0..8 {
            for bj in 0..6 {
                for i in 0..8 {
                    for j in 0..16 {
                        sum += x[tiles.index(((i, j), (bi, bj)))];
                    }
                }
            }
        }
        sum
    }
    {
        let mut sum = 0;
        for bi in 0..8 {
            for bj in 0..6 {
                for i in 0..8 {
                    for j in 0..16 {
                        sum += x[(bi * 8 + i) * 96 + bj * 16 + j];
                    }
                }
            }
        }
        sum
    }
});
pair!(ours_strided_slice, hand_strided_slice: fn(x: &[u64]) -> u64 {
    {
        let (row, start) = layout!((64, 96): right).slice((3, ..));
        let every_fourth = row.compose(layout!(24:4));
        let mut sum = 0;
        for j in 0..24 {
            sum += x[start + every_fourth.at(j)];
        }
        sum
    }
    {
        let mut sum = 0;
        for j in 0..24 {
            sum += x[3 * 96 + j * 4];
        }
        sum
    }
});

// Five modes permuted, a diagonal, a broadcast.
pair!(ours_permute, hand_permute: fn(from: &[f32; 720], to: &mut [f32; 720]) {
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
});
pair!(ours_diagonal, hand_diagonal: fn(x: &[f64; 64 * 64]) -> f64 {
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
});
pair!(ours_broadcast, hand_broadcast: fn(x: &mut [f32; 32 * 64], row: &[f32; 64]) {
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
});

/// A pair whose instructions are counted, kind by kind: the compiler may take the factors of a product in another order.
macro_rules! counted {
    ($($pair:tt)*) => {
        pair!($($pair)*);
    };
}

/// Calls a macro with 0 to 7.
macro_rules! each_of_8 {
    ($call:ident!($($argument:expr),*)) => {
        $call!($($argument,)* 0); $call!($($argument,)* 1); $call!($($argument,)* 2); $call!($($argument,)* 3);
        $call!($($argument,)* 4); $call!($($argument,)* 5); $call!($($argument,)* 6); $call!($($argument,)* 7);
    };
}

// The main loop of a tiled product: a thread's 8 x 8 part of a 128 x 128 tile, 8 steps along K; every other row from right to left, as in CuTe.
counted!(product_by_atoms, product_by_hand: fn(a: &[f32; 1024], b: &[f32; 1024], sum: &mut [f32; 64]) {
    {
        let mma = make_tiled_mma(UniversalFma::<f32>::new(), layout!((16, 16, 1)), tiler!((16, 4):(4, 1), (16, 4):(4, 1), _));
        let (a, b) = (Tensor::fixed(a, layout!((128, 8))), Tensor::fixed(b, layout!((128, 8))));
        let mut sum = Tensor::fixed(sum, layout!((1, (4, 2), (4, 2))));
        if let Some(thread) = mma.get_slice(0) {
            if let (Ok(a), Ok(b)) = (thread.partition_a(&a), thread.partition_b(&b)) {
                gemm(&mma, &a, &b, &mut sum);
            }
        }
    }
    {
        for k in 0..8 {
            macro_rules! row {
                ($m:expr) => {
                    macro_rules! element {
                        ($j:expr) => {
                            let n = if $m % 2 == 0 { $j } else { 7 - $j };
                            let (x, y) = (a[$m % 4 + $m / 4 * 64 + k * 128], b[n % 4 + n / 4 * 64 + k * 128]);
                            sum[$m + 8 * n] = sum[$m + 8 * n] + x * y;
                        };
                    }
                    each_of_8!(element!());
                };
            }
            each_of_8!(row!());
        }
    }
});
