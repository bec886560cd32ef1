//! Pairs of functions that must compile to the same instructions: `ours_x` indexes with a layout,
//! `hand_x` with the arithmetic that a person would write: offsets alone, bounds checks, nested and
//! dynamic layouts. The twelve patterns of `benches/patterns` go through the same test.

use layout_algebra::atom::{UniversalFma, gemm, make_tiled_mma};
use layout_algebra::prelude::*;

/// Defines `ours_x` and `hand_x` with the same parameters.
macro_rules! pair {
    (
        $ours:ident, $hand:ident: fn($($name:ident: $type:ty),*) $(-> $result:ty)? { $by_layout:block $by_hand:block }
    ) => {
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

// Neither contiguous nor dense. A slice's length is unknown: bounds checks must be the same ones
// too.
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

// A negative stride is a subtraction.
pair!(ours_flipped, hand_flipped: fn(i: usize, j: usize, n: usize) -> isize {
    { layout!((100, n):(n, -1)).index((i, j)) }
    { (i * n) as isize - j as isize }
});

// A tensor under one, an element at each coordinate.
pair!(ours_flipped_sum, hand_flipped_sum: fn(x: &[u64; 64 * 128]) -> u64 {
    {
        let flipped = Tensor::fixed(x, layout!((64, 128): right)).flip::<0>();
        let mut sum = 0;
        for i in 0..64 {
            for j in 0..128 {
                sum += flipped[(i, j)];
            }
        }
        sum
    }
    {
        let mut sum = 0;
        for i in 0..64 {
            for j in 0..128 {
                sum += x[(63 - i) * 128 + j];
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

// Mixed: static extents, and a leading dimension known at run time only.
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

// All coordinates of a layout, drawn together: loops within loops, the leftmost mode inside.
pair!(ours_fold, hand_fold: fn(x: &[u64; 64 * 96]) -> u64 {
    {
        let l = layout!((64, 96));
        l.coords().fold(0, |sum, c| sum + x[l.index(c)])
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
});

// Called for each coordinate, of a nested mode too.
pair!(ours_for_each, hand_for_each: fn(x: &[u64; 16 * 16 * 24]) -> u64 {
    {
        let l = layout!(((16, 16), 24):((16, 1), 256));
        let mut sum = 0;
        l.coords().for_each(|c| sum += x[l.index(c)]);
        sum
    }
    {
        let mut sum = 0;
        for k in 0..24 {
            for j in 0..16 {
                for i in 0..16 {
                    sum += x[i * 16 + j + k * 256];
                }
            }
        }
        sum
    }
});
// The elements of a tensor, drawn together.
pair!(ours_elements, hand_elements: fn(x: &[u64; 64 * 128]) -> u64 {
    { Tensor::fixed(x, layout!((64, 128): right)).iter().sum() }
    {
        let mut sum = 0;
        for j in 0..128 {
            for i in 0..64 {
                sum += x[i * 128 + j];
            }
        }
        sum
    }
});

// A slice by a range: the number and the range are compared with the shape, no element is.
pair!(ours_range, hand_range: fn(x: &[u64; 64 * 128], i: usize, first: usize) -> u64 {
    {
        let t = Tensor::fixed(x, layout!((64, 128): right));
        t.get_slice((i, first..first + 16)).map_or(0, |part| part.iter().sum())
    }
    {
        if i >= 64 || first > 112 {
            return 0;
        }
        (0..16).map(|j| x[i * 128 + first + j]).sum()
    }
});

// Mixed, and every element's bounds checked.
pair!(ours_mixed_checked, hand_mixed_checked: fn(x: &[u64], ld: usize) -> u64 {
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
/// A pair whose instructions are counted, kind by kind: the compiler may take the factors
/// of a product in another order.
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

// The main loop of a tiled product: a thread's 8 x 8 part of a 128 x 128 tile, 8 steps along K; two
// rows at once, every other two from right to left, as in CuTe.
counted!(product_by_atoms, product_by_hand: fn(a: &[f32; 1024], b: &[f32; 1024], sum: &mut [f32; 64]) {
    {
        let fours = tiler!((16, 4):(4, 1), (16, 4):(4, 1), _);
        let mma = make_tiled_mma(UniversalFma::<f32>::new(), layout!((16, 16, 1)), fours);
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
                            // 16 elements of two rows: this is number 8 * ($m % 2) + $j of them.
                            let (m, i) = ($m / 2 * 2 + $j % 2, $m % 2 * 4 + $j / 2);
                            let n = if $m / 2 % 2 == 0 { i } else { 7 - i };
                            let (x, y) = (a[m % 4 + m / 4 * 64 + k * 128], b[n % 4 + n / 4 * 64 + k * 128]);
                            sum[m + 8 * n] = sum[m + 8 * n] + x * y;
                        };
                    }
                    each_of_8!(element!());
                };
            }
            each_of_8!(row!());
        }
    }
});
