//! The products of a warpgroup on the CPU: what the partitions of swizzled tiles multiply, and that the atoms have the
//! layouts of CuTe's rows.

use half::{bf16, f16};
use layout_algebra::atom::make_tiled_mma;
use layout_algebra::prelude::*;
use layout_algebra::tensor::space::Shared;
use layout_nvidia::hopper::{self, Going};
use layout_nvidia::{Instruction, host, mma};

#[test]
fn the_atoms_have_the_layouts_of_the_catalogue() {
    macro_rules! same {
        ($($name:ident)*) => {$(
            assert_eq!(<hopper::$name as Instruction>::PTX, <mma::$name as Instruction>::PTX);
            macro_rules! layouts {
                ($layout:ident) => {
                    assert_eq!(
                        <hopper::$name as Instruction>::$layout::default().to_string(),
                        <mma::$name as Instruction>::$layout::default().to_string(),
                        stringify!($name)
                    );
                };
            }
            layouts!(ThrId);
            layouts!(ALayout);
            layouts!(BLayout);
            layouts!(CLayout);
        )*};
    }
    same! {
        SM90_64x8x16_F32F16F16_SS SM90_64x8x16_F32BF16BF16_SS SM90_64x16x16_F32F16F16_SS SM90_64x16x16_F32BF16BF16_SS
        SM90_64x32x16_F32F16F16_SS SM90_64x32x16_F32BF16BF16_SS SM90_64x64x16_F32F16F16_SS SM90_64x64x16_F32BF16BF16_SS
        SM90_64x96x16_F32F16F16_SS SM90_64x96x16_F32BF16BF16_SS SM90_64x128x16_F32F16F16_SS
        SM90_64x128x16_F32BF16BF16_SS SM90_64x192x16_F32F16F16_SS SM90_64x192x16_F32BF16BF16_SS
        SM90_64x256x16_F32F16F16_SS SM90_64x256x16_F32BF16BF16_SS
    }
}

/// Multiplies a tile of `m` x `k` by one of `n` x `k` with the atom, under these layouts of shared memory.
macro_rules! multiplies {
    ($name:ident: $atom:ident $half:ident, $m:literal $n:literal $k:literal, $a:expr, $b:expr) => {
        #[test]
        fn $name() {
            let number = |i: usize| ((i * 7 + i / 13) % 9) as f32 - 4.0;
            let (la, lb) = ($a, $b);
            let (mut a, mut b) = (vec![$half::default(); la.cosize()], vec![$half::default(); lb.cosize()]);
            for (row, k) in (0..$m).flat_map(|row| (0..$k).map(move |k| (row, k))) {
                a[la.index((row, k))] = $half::from_f32(number(row * $k + k));
            }
            for (row, k) in (0..$n).flat_map(|row| (0..$k).map(move |k| (row, k))) {
                b[lb.index((row, k))] = $half::from_f32(number(row * 5 + k * 3 + 1));
            }
            let mma = make_tiled_mma(hopper::$atom, layout!((1, 1, 1)), tiler!(_, _, _));
            let of = layout!(($m, $n));
            let results = host::threads(128, |thread| {
                let (a, b) = (Tensor::new(a.as_slice(), la).unwrap(), Tensor::new(b.as_slice(), lb).unwrap());
                let (a, b) = (a.in_space::<Shared>(), b.in_space::<Shared>());
                let share = mma.get_slice(thread).unwrap();
                let (a, b) = (share.partition_a(&a).unwrap(), share.partition_b(&b).unwrap());
                let (zeros, numbers) = (vec![0.0_f32; $m * $n], (0..$m * $n).collect::<Vec<usize>>());
                let whole = Tensor::new(zeros.as_slice(), of).unwrap();
                let mut sums = Going::start(share.partition_fragment_c(&whole));
                // SAFETY: all threads of the warpgroup come here; nobody writes the tiles.
                unsafe {
                    sums.gemm(&mma, &a, &b, false);
                    sums.gemm(&mma, &a, &b, true);
                }
                let sums = sums.finish::<hopper::$atom>();
                let numbers = Tensor::new(numbers.as_slice(), of).unwrap();
                let places = share.partition_c(&numbers).unwrap();
                places.iter().copied().zip(sums.iter().copied()).collect::<Vec<_>>()
            });
            let mut seen = 0;
            for (place, sum) in results.into_iter().flatten() {
                let (row, column) = (place % $m, place / $m);
                let exact: f32 = (0..$k).map(|k| number(row * $k + k) * number(column * 5 + k * 3 + 1)).sum();
                assert_eq!(sum, 2.0 * exact, "({row}, {column})");
                seen += 1;
            }
            assert_eq!(seen, $m * $n);
        }
    };
}
multiplies! { rows_of_128_bytes: SM90_64x64x16_F32F16F16_SS f16, 64 64 64,
Swizzle::<3, 3, 3>::new().compose(layout!((64, 64):(64, 1))),
Swizzle::<3, 3, 3>::new().compose(layout!((64, 64):(64, 1))) }
multiplies! { rows_of_64_bytes_twice_along_m: SM90_64x16x16_F32BF16BF16_SS bf16, 128 32 32,
Swizzle::<2, 3, 3>::new().compose(layout!((128, 32):(32, 1))),
Swizzle::<2, 3, 3>::new().compose(layout!((32, 32):(32, 1))) }
multiplies! { rows_of_32_bytes_and_columns_first: SM90_64x32x16_F32F16F16_SS f16, 64 32 16,
Swizzle::<1, 3, 3>::new().compose(layout!((64, 16):(16, 1))),
Swizzle::<2, 3, 3>::new().compose(layout!((32, 16):(1, 32))) }
multiplies! { no_swizzle: SM90_64x8x16_F32F16F16_SS f16, 64 8 32,
layout!((64, (8, 4)):(8, (1, 512))), layout!((8, (8, 4)):(8, (1, 64))) }
