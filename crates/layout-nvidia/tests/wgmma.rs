//! The products of a warpgroup on the CPU: what the partitions of swizzled tiles multiply, and that
//! the atoms have the layouts of CuTe's rows.

use half::{bf16, f16};
use layout_algebra::atom::make_tiled_mma;
use layout_algebra::prelude::*;
use layout_algebra::tensor::Fragment;
use layout_algebra::tensor::space::Shared;
use layout_nvidia::device;
use layout_nvidia::element::{E4m3, E5m2};
use layout_nvidia::hopper::{self, InFlight};
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
        SM90_64x8x16_F32F16F16_RS SM90_64x8x16_F32BF16BF16_RS SM90_64x16x16_F32F16F16_RS SM90_64x16x16_F32BF16BF16_RS
        SM90_64x32x16_F32F16F16_RS SM90_64x32x16_F32BF16BF16_RS SM90_64x64x16_F32F16F16_RS SM90_64x64x16_F32BF16BF16_RS
        SM90_64x96x16_F32F16F16_RS SM90_64x96x16_F32BF16BF16_RS SM90_64x128x16_F32F16F16_RS
        SM90_64x128x16_F32BF16BF16_RS SM90_64x192x16_F32F16F16_RS SM90_64x192x16_F32BF16BF16_RS
        SM90_64x256x16_F32F16F16_RS SM90_64x256x16_F32BF16BF16_RS
        SM90_64x8x32_F32E4M3E4M3_SS_TN SM90_64x8x32_F32E4M3E5M2_SS_TN SM90_64x8x32_F32E5M2E4M3_SS_TN
        SM90_64x8x32_F32E5M2E5M2_SS_TN SM90_64x16x32_F32E4M3E4M3_SS_TN SM90_64x16x32_F32E4M3E5M2_SS_TN
        SM90_64x16x32_F32E5M2E4M3_SS_TN SM90_64x16x32_F32E5M2E5M2_SS_TN SM90_64x32x32_F32E4M3E4M3_SS_TN
        SM90_64x32x32_F32E4M3E5M2_SS_TN SM90_64x32x32_F32E5M2E4M3_SS_TN SM90_64x32x32_F32E5M2E5M2_SS_TN
        SM90_64x64x32_F32E4M3E4M3_SS_TN SM90_64x64x32_F32E4M3E5M2_SS_TN SM90_64x64x32_F32E5M2E4M3_SS_TN
        SM90_64x64x32_F32E5M2E5M2_SS_TN SM90_64x96x32_F32E4M3E4M3_SS_TN SM90_64x96x32_F32E4M3E5M2_SS_TN
        SM90_64x96x32_F32E5M2E4M3_SS_TN SM90_64x96x32_F32E5M2E5M2_SS_TN SM90_64x128x32_F32E4M3E4M3_SS_TN
        SM90_64x128x32_F32E4M3E5M2_SS_TN SM90_64x128x32_F32E5M2E4M3_SS_TN SM90_64x128x32_F32E5M2E5M2_SS_TN
        SM90_64x192x32_F32E4M3E4M3_SS_TN SM90_64x192x32_F32E4M3E5M2_SS_TN SM90_64x192x32_F32E5M2E4M3_SS_TN
        SM90_64x192x32_F32E5M2E5M2_SS_TN SM90_64x256x32_F32E4M3E4M3_SS_TN SM90_64x256x32_F32E4M3E5M2_SS_TN
        SM90_64x256x32_F32E5M2E4M3_SS_TN SM90_64x256x32_F32E5M2E5M2_SS_TN
    }
}

/// Multiplies a tile of `m` x `k` by one of `n` x `k` with the atom, under these layouts of shared
/// memory.
macro_rules! multiplies {
    ($name:ident: $atom:ident $of_a:ident::$a_new:ident $of_b:ident::$b_new:ident, $m:literal $n:literal $k:literal, $a:expr, $b:expr) => {
        #[test]
        fn $name() {
            let number = |i: usize| ((i * 7 + i / 13) % 9) as f32 - 4.0;
            let (la, lb) = ($a, $b);
            let (mut a, mut b) =
                (vec![$of_a::default(); la.cosize()], vec![$of_b::default(); lb.cosize()]);
            for (row, k) in (0..$m).flat_map(|row| (0..$k).map(move |k| (row, k))) {
                a[la.index((row, k))] = $of_a::$a_new(number(row * $k + k));
            }
            for (row, k) in (0..$n).flat_map(|row| (0..$k).map(move |k| (row, k))) {
                b[lb.index((row, k))] = $of_b::$b_new(number(row * 5 + k * 3 + 1));
            }
            let mma = make_tiled_mma(hopper::$atom, layout!((1, 1, 1)), tiler!(_, _, _));
            let of = layout!(($m, $n));
            let results = host::run_threads(128, |thread| {
                let (a, b) = (
                    Tensor::new(a.as_slice(), la).unwrap(),
                    Tensor::new(b.as_slice(), lb).unwrap(),
                );
                let (a, b) = (a.in_space::<Shared>(), b.in_space::<Shared>());
                let share = mma.get_slice(thread).unwrap();
                let (a, b) = (share.partition_a(&a).unwrap(), share.partition_b(&b).unwrap());
                let (zeros, numbers) =
                    (vec![0.0_f32; $m * $n], (0..$m * $n).collect::<Vec<usize>>());
                let whole = Tensor::new(zeros.as_slice(), of).unwrap();
                let mut sums = InFlight::from_accumulators(share.partition_fragment_c(&whole));
                // SAFETY: all threads of the warpgroup come here; nobody writes the tiles.
                unsafe {
                    sums.gemm(&mma, &a, &b, false);
                    sums.gemm(&mma, &a, &b, true);
                }
                // SAFETY: all threads of the warpgroup come here.
                let sums = unsafe { sums.into_accumulators::<hopper::$atom>() };
                let numbers = Tensor::new(numbers.as_slice(), of).unwrap();
                let places = share.partition_c(&numbers).unwrap();
                places.iter().copied().zip(sums.iter().copied()).collect::<Vec<_>>()
            });
            let mut seen = 0;
            for (place, sum) in results.into_iter().flatten() {
                let (row, column) = (place % $m, place / $m);
                let exact: f32 =
                    (0..$k).map(|k| number(row * $k + k) * number(column * 5 + k * 3 + 1)).sum();
                assert_eq!(sum, 2.0 * exact, "({row}, {column})");
                seen += 1;
            }
            assert_eq!(seen, $m * $n);
        }
    };
}
multiplies! { rows_of_128_bytes: SM90_64x64x16_F32F16F16_SS f16::from_f32 f16::from_f32, 64 64 64,
Swizzle::<3, 3, 3>::new().compose(layout!((64, 64):(64, 1))),
Swizzle::<3, 3, 3>::new().compose(layout!((64, 64):(64, 1))) }
multiplies! { rows_of_64_bytes_twice_along_m: SM90_64x16x16_F32BF16BF16_SS bf16::from_f32 bf16::from_f32, 128 32 32,
Swizzle::<2, 3, 3>::new().compose(layout!((128, 32):(32, 1))),
Swizzle::<2, 3, 3>::new().compose(layout!((32, 32):(32, 1))) }
multiplies! { rows_of_32_bytes_and_columns_first: SM90_64x32x16_F32F16F16_SS f16::from_f32 f16::from_f32, 64 32 16,
Swizzle::<1, 3, 3>::new().compose(layout!((64, 16):(16, 1))),
Swizzle::<2, 3, 3>::new().compose(layout!((32, 16):(1, 32))) }
multiplies! { no_swizzle: SM90_64x8x16_F32F16F16_SS f16::from_f32 f16::from_f32, 64 8 32,
layout!((64, (8, 4)):(8, (1, 512))), layout!((8, (8, 4)):(8, (1, 64))) }

/// `(X Y^T) Z` of whole numbers: the sums of the first product, narrowed, are the operand of the
/// second one as they stand, and the rows of Z are its K.
macro_rules! chained {
    ($name:ident: $first:ident $second:ident $half:ident $n:literal $units:literal $below:literal) => {
        #[test]
        fn $name() {
            let number = |i: usize, seed: usize| ((i * seed + i / 11) % 5) as f32 - 2.0;
            let halves = |count: usize, seed| -> Vec<$half> {
                (0..count).map(|i| $half::from_f32(number(i, seed))).collect()
            };
            // 64 x 16, 32 x 16 (K first), and n x 32 with its rows first.
            let (x, y, z) = (halves(64 * 16, 3), halves(32 * 16, 7), halves(32 * $n, 13));
            let first = make_tiled_mma(hopper::$first, layout!((1, 1, 1)), tiler!(_, _, _));
            let second = make_tiled_mma(hopper::$second, layout!((1, 1, 1)), tiler!(_, _, _));
            let of = layout!((64, $n));
            let results = host::run_threads(128, |thread| {
                // Units of 8 halves, 8 rows of them side by side.
                let x = Tensor::new(x.as_slice(), layout!((64, (8, 2)):(8, (1, 512)))).unwrap();
                let y = Tensor::new(y.as_slice(), layout!((32, (8, 2)):(8, (1, 256)))).unwrap();
                let z = Tensor::new(z.as_slice(), layout!(((8, $units), (8, 4)):((1, 64), (8, $below)))).unwrap();
                let (x, y, z) = (x.in_space::<Shared>(), y.in_space::<Shared>(), z.in_space::<Shared>());
                let (one, two) = (first.get_slice(thread).unwrap(), second.get_slice(thread).unwrap());
                let (zeros, numbers) = (vec![0.0_f32; 64 * 256], (0..64 * $n).collect::<Vec<usize>>());
                let mut sums = InFlight::from_accumulators(
                    one.partition_fragment_c(&Tensor::new(zeros.as_slice(), layout!((64, 32))).unwrap()),
                );
                let mut out = InFlight::from_accumulators(two.partition_fragment_c(&Tensor::new(zeros.as_slice(), of).unwrap()));
                let mut operand = Fragment::<$half, Layout!(((2, 2, 2), 1, 2))>::zeroed();
                // SAFETY: all threads of the warpgroup come here; nobody writes the tiles.
                unsafe {
                    sums.gemm(&first, &one.partition_a(&x).unwrap(), &one.partition_b(&y).unwrap(), false);
                    device::narrow_fragment(&sums.wait_group::<0>(), &mut operand);
                    out.gemm_registers(&second, &operand, &two.partition_b(&z).unwrap(), false);
                    out.gemm_registers(&second, &operand, &two.partition_b(&z).unwrap(), true);
                }
                // SAFETY: all threads of the warpgroup come here.
                let out = unsafe { out.wait_group::<0>() };
                let numbers = Tensor::new(numbers.as_slice(), of).unwrap();
                let places = two.partition_c(&numbers).unwrap();
                places.iter().copied().zip(out.iter().copied()).collect::<Vec<_>>()
            });
            let at = |x: &[$half], i: usize| x[i].to_f32();
            let (of_x, of_y) = (layout!((64, (8, 2)):(8, (1, 512))), layout!((32, (8, 2)):(8, (1, 256))));
            let of_z = layout!(((8, $units), (8, 4)):((1, 64), (8, $below)));
            let product = |row: usize, key: usize| -> f32 {
                (0..16).map(|k| at(&x, of_x.index((row, k))) * at(&y, of_y.index((key, k)))).sum()
            };
            let mut seen = 0;
            for (place, sum) in results.into_iter().flatten() {
                let (row, column) = (place % 64, place / 64);
                let exact: f32 = (0..32).map(|key| product(row, key) * at(&z, of_z.index((column, key)))).sum();
                assert_eq!(sum, 2.0 * exact, "({row}, {column})");
                seen += 1;
            }
            assert_eq!(seen, 64 * $n);
        }
    };
}
chained! {
    sums_are_the_next_operand:
    SM90_64x32x16_F32F16F16_SS SM90_64x16x16_F32F16F16_RS f16 16 2 128
}
chained! {
    sums_are_the_next_operand_in_bf16:
    SM90_64x32x16_F32BF16BF16_SS SM90_64x64x16_F32BF16BF16_RS bf16 64 8 512
}
multiplies! { bytes_in_rows_of_128: SM90_64x64x32_F32E4M3E4M3_SS_TN E4m3::new E4m3::new, 64 64 128,
Swizzle::<3, 4, 3>::new().compose(layout!((64, 128):(128, 1))),
Swizzle::<3, 4, 3>::new().compose(layout!((64, 128):(128, 1))) }
multiplies! { bytes_of_two_kinds: SM90_64x16x32_F32E5M2E4M3_SS_TN E5m2::new E4m3::new, 128 32 64,
Swizzle::<1, 4, 3>::new().compose(layout!((128, (32, 2)):(32, (1, 4096)))),
layout!((32, (16, 4)):(16, (1, 512))) }
