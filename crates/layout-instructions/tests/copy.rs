//! The copy instructions, among 32 threads of the CPU: each thread gets the values that PTX
//! documents, and a product whose operands pass through them is correct.

use std::sync::Mutex;

use half::f16;
use layout_algebra::atom::{
    CopyAtom, copy, gemm, make_tiled_copy_a, make_tiled_copy_b, make_tiled_mma,
};
use layout_algebra::prelude::*;
use layout_algebra::tensor::space::{Global, Registers, Shared};
use layout_instructions::copy::*;
use layout_instructions::host;
use layout_instructions::mma::SM80_16x8x16_F32F16F16F32_TN;

/// Shared memory, aligned to 16 bytes as copies of 16 bytes require.
#[repr(align(16))]
struct Aligned<T>(T);

/// Element (row, column) of matrix `j`: all values are distinct.
fn element(j: usize, row: usize, column: usize) -> u16 {
    (64 * j + 8 * row + column) as u16
}

/// `ldmatrix` as PTX documents it: thread `t` addresses row `t % 8` of matrix `t / 8`, and gets
/// from each matrix two contiguous elements of row `t / 4`; transposed, two of column `t / 4`.
macro_rules! ldmatrix {
    ($($name:ident $test:ident: $matrices:literal, |$t:ident, $v:ident| $at:expr;)*) => { $(
        #[test]
        fn $test() {
            let got = host::run_threads(32, |t| {
                // The addresses of threads beyond the rows of all matrices are not read.
                let row: Aligned<[u16; 8]> = Aligned(std::array::from_fn(|i| match t / 8 {
                    j if j < $matrices => element(j, t % 8, i),
                    _ => u16::MAX,
                }));
                let row = Tensor::new(&row.0[..], layout!(8)).unwrap();
                let mut mine = Tensor::fixed([0; 2 * $matrices], layout!((2, $matrices)));
                copy(&$name::<u16>::new(), &row.in_space::<Shared>(), &mut mine).unwrap();
                mine.into_storage()
            });
            for ($t, mine) in got.into_iter().enumerate() {
                for ($v, value) in mine.into_iter().enumerate() {
                    let (row, column) = $at;
                    assert_eq!(value, element($v / 2, row, column), "thread {}, value {}", $t, $v);
                }
            }
        }
    )* };
}
ldmatrix! {
    SM75_U32x1_LDSM_N ldmatrix_x1: 1, |t, v| (t / 4, 2 * (t % 4) + v % 2);
    SM75_U32x2_LDSM_N ldmatrix_x2: 2, |t, v| (t / 4, 2 * (t % 4) + v % 2);
    SM75_U32x4_LDSM_N ldmatrix_x4: 4, |t, v| (t / 4, 2 * (t % 4) + v % 2);
    SM75_U16x2_LDSM_T ldmatrix_x1_trans: 1, |t, v| (2 * (t % 4) + v % 2, t / 4);
    SM75_U16x4_LDSM_T ldmatrix_x2_trans: 2, |t, v| (2 * (t % 4) + v % 2, t / 4);
    SM75_U16x8_LDSM_T ldmatrix_x4_trans: 4, |t, v| (2 * (t % 4) + v % 2, t / 4);
}

/// `stmatrix` as PTX documents it: the reverse.
macro_rules! stmatrix {
    ($($name:ident $test:ident: $matrices:literal, |$t:ident, $v:ident| $at:expr;)*) => { $(
        #[test]
        fn $test() {
            let rows = host::run_threads(32, |$t| {
                let mine: [u16; 2 * $matrices] = std::array::from_fn(|$v| {
                    let (row, column) = $at;
                    element($v / 2, row, column)
                });
                let mut row = Aligned([u16::MAX; 8]);
                let mut to = Tensor::new(&mut row.0[..], layout!(8)).unwrap();
                let mine = Tensor::fixed(mine, layout!((2, $matrices)));
                copy(&$name::<u16>::new(), &mine, &mut to.in_space_mut::<Shared>()).unwrap();
                row.0
            });
            for (t, row) in rows.into_iter().enumerate() {
                match t / 8 {
                    j if j < $matrices => {
                        assert_eq!(row, std::array::from_fn(|i| element(j, t % 8, i)), "thread {t}")
                    }
                    _ => assert_eq!(row, [u16::MAX; 8],
                        "thread {t} names a row that is not written"),
                }
            }
        }
    )* };
}
stmatrix! {
    SM90_U32x1_STSM_N stmatrix_x1: 1, |t, v| (t / 4, 2 * (t % 4) + v % 2);
    SM90_U32x2_STSM_N stmatrix_x2: 2, |t, v| (t / 4, 2 * (t % 4) + v % 2);
    SM90_U32x4_STSM_N stmatrix_x4: 4, |t, v| (t / 4, 2 * (t % 4) + v % 2);
    SM90_U16x2_STSM_T stmatrix_x1_trans: 1, |t, v| (2 * (t % 4) + v % 2, t / 4);
    SM90_U16x4_STSM_T stmatrix_x2_trans: 2, |t, v| (2 * (t % 4) + v % 2, t / 4);
    SM90_U16x8_STSM_T stmatrix_x4_trans: 4, |t, v| (2 * (t % 4) + v % 2, t / 4);
}

#[test]
fn movmatrix_transposes() {
    let got = host::run_threads(32, |t| {
        let mine = Tensor::fixed([0, 1].map(|v| element(0, t / 4, 2 * (t % 4) + v)), layout!(2));
        let mut moved = Tensor::fixed([0; 2], layout!(2));
        copy(&SM75_U32x1_MOVM_T::<u16>::new(), &mine, &mut moved).unwrap();
        moved.into_storage()
    });
    for (t, moved) in got.into_iter().enumerate() {
        assert_eq!(moved, [0, 1].map(|v| element(0, 2 * (t % 4) + v, t / 4)), "thread {t}");
    }
}

#[test]
fn shuffles_transpose_two_registers() {
    fn shuffled<A>(atom: A) -> Vec<[u32; 2]>
    where
        A: CopyAtom<Value = u32, Source = Registers, Destination = Registers> + Sync,
    {
        host::run_threads(32, |t| {
            let mine = Tensor::fixed([10 * t as u32, 10 * t as u32 + 1], layout!(2));
            let mut moved = Tensor::fixed([0; 2], layout!(2));
            atom.copy(&mine, &mut moved, 0);
            moved.into_storage()
        })
    }
    for (mask, got) in [
        (1, shuffled(SM50_Shuffle_U32_2x2Trans_XOR1::new())),
        (4, shuffled(SM50_Shuffle_U32_2x2Trans_XOR4::new())),
    ] {
        for (t, moved) in got.into_iter().enumerate() {
            let (mine, theirs) = (10 * t as u32, 10 * (t ^ mask) as u32);
            // The lower thread exchanges its second register for the first register of the other.
            assert_eq!(
                moved,
                if t & mask == 0 { [mine, theirs] } else { [theirs + 1, mine + 1] },
                "thread {t}"
            );
        }
    }
}

#[test]
fn asynchronous_copies() -> Result<(), LayoutError> {
    let source = Aligned(std::array::from_fn::<u16, 16, _>(|i| i as u16));
    let source = Tensor::new(&source.0[..], layout!(16))?;
    let source = source.in_space::<Global>();
    let mut to = Aligned([7_u16; 16]);
    let mut to = Tensor::new(&mut to.0[..], layout!(16))?;
    copy(&SM80_CP_ASYNC_CACHEALWAYS::<u64, u16>::new(), &source, &mut to.in_space_mut::<Shared>())?;
    assert_eq!(to[15], 15);
    let zfill = SM80_CP_ASYNC_CACHEGLOBAL_ZFILL::<u128, u16>::new();
    copy(&zfill.with_predicate(false), &source, &mut to.in_space_mut::<Shared>())?;
    assert!(to.iter().all(|x| *x == 0));
    copy(&zfill.with_predicate(true), &source, &mut to.in_space_mut::<Shared>())?;
    assert_eq!(to[15], 15);
    Ok(())
}

/// A warp: two tiles of halves in swizzled shared memory, `ldmatrix`, `mma.sync`.
#[test]
fn a_product_through_ldmatrix() -> Result<(), LayoutError> {
    let half = |i: usize| f16::from_f32((i % 7) as f32 - 3.0);
    let swizzled = Swizzle::<2, 3, 3>::new().compose(layout!((32, 32): right));
    let (mut a, mut b) = (Aligned([f16::ZERO; 1024]), Aligned([f16::ZERO; 1024]));
    let (mut a, mut b) =
        (Tensor::new(&mut a.0[..], swizzled)?, Tensor::new(&mut b.0[..], swizzled)?);
    for (m, k) in (0..32).flat_map(|m| (0..32).map(move |k| (m, k))) {
        (a[(m, k)], b[(m, k)]) = (half(m + 3 * k), half(2 * m + 5 * k));
    }
    let mma = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, layout!((1, 1, 1)), tiler!(_, 16, _));
    let load = SM75_U32x4_LDSM_N::<f16>::new();
    let (load_a, load_b) = (make_tiled_copy_a(load, &mma)?, make_tiled_copy_b(load, &mma)?);
    let c = Mutex::new(Tensor::fixed([0.0_f32; 1024], layout!((32, 32))));
    let done = host::run_threads(32, |id| {
        let (thread, la) = (mma.get_slice(id).unwrap(), load_a.get_slice(id).unwrap());
        let lb = load_b.get_slice(id).unwrap();
        let (mut fa, mut fb) = (thread.partition_fragment_a(&a), thread.partition_fragment_b(&b));
        let (sa, sb) = (a.in_space::<Shared>(), b.in_space::<Shared>());
        copy(&load_a, &la.partition_s(&sa)?, &mut la.retile_d_mut(&mut fa, thread.slice_a())?)?;
        copy(&load_b, &lb.partition_s(&sb)?, &mut lb.retile_d_mut(&mut fb, thread.slice_b())?)?;
        let mut sum = thread.partition_fragment_c(&*c.lock().unwrap());
        gemm(&mma, &fa, &fb, &mut sum);
        thread.partition_c_mut(&mut *c.lock().unwrap())?.copy_from(&sum)
    });
    done.into_iter().collect::<Result<(), _>>()?;
    let c = c.into_inner().unwrap();
    for (m, n) in (0..32).flat_map(|m| (0..32).map(move |n| (m, n))) {
        let sum: f32 = (0..32).map(|k| a[(m, k)].to_f32() * b[(n, k)].to_f32()).sum();
        assert_eq!(c[(m, n)], sum, "({m}, {n})");
    }
    Ok(())
}
