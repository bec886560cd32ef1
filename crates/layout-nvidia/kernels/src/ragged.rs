//! `sgemm` of any sizes: elements of a tile outside the matrix are zero in shared memory, and are
//! not written.
//!
//! Numbers are copied one by one, each under a predicate; the last tile along K has its own
//! predicates, so that the main loop checks rows only.

use layout_algebra::atom::{CopyAtom, UniversalCopy, copy_if, make_tiled_copy, make_tiled_mma};
use layout_algebra::for_static;
use layout_algebra::prelude::*;
use layout_nvidia::copy::SM80_CP_ASYNC_CACHEALWAYS_ZFILL;
use layout_nvidia::device::{self, Fma, Trap, kernel};

use crate::sgemm::form::{nn, nt, tn, tt};
use crate::sgemm::{
    Form, KMajor, MnMajor, Operand, Order, Part, Shared, Threads, Tile, Tiles, multiply_tile,
};

/// The majorness of an operand of any size, and its copies.
pub trait RaggedOperand {
    /// Returns a closure that copies a part of a tile of rows `128 block ..`, of an operand with
    /// `rows` rows and K; the stride of its other mode is `along`.
    ///
    /// # Safety
    /// The matrix exists.
    unsafe fn make_predicated_fetch(
        from: *const f32,
        sizes: [usize; 3],
        block: usize,
    ) -> Result<impl Fn(&mut Tiles, Part) -> Result<(), Trap>, Trap>;
}
impl RaggedOperand for MnMajor {
    #[inline(always)]
    unsafe fn make_predicated_fetch(
        from: *const f32,
        [rows, k, along]: [usize; 3],
        block: usize,
    ) -> Result<impl Fn(&mut Tiles, Part) -> Result<(), Trap>, Trap> {
        // 64 x 2 threads: few columns need few addresses, few rows need few predicates.
        let number = SM80_CP_ASYNC_CACHEALWAYS_ZFILL::<u32, f32>::new();
        let tiled = make_tiled_copy(number, layout!((64, 2)), layout!((1, 1)))?;
        let Some(thread) = tiled.get_slice(device::thread_index()) else { device::trap() };
        // SAFETY: the caller's promise; elements outside the matrix are not accessed.
        let all = unsafe {
            Tensor::from_global_ref(
                from,
                layout!((rows, k):(1, along)).try_round_up(Operand::default())?,
            )
        }; // (rows, k), both rounded up
        let all = all.local_tile(Operand::default(), (block, ..))?; // (M, K, tiles)
        let mine = thread.partition_s(&all)?; // (V, M, K, tiles)
        // SAFETY: as above.
        let mine = unsafe { device::extend_lifetime(&mine, from) };
        // The predicates of a thread's elements: for a tile that is whole along K, and for the last
        // tile.
        let places = Tensor::coordinates(identity((rows, 16)).try_round_up(Operand::default())?);
        // (rows, 16), the rows rounded up
        let places = places.local_tile(Operand::default(), (block, 0))?; // (M, K)
        let whole = thread.slice_s().coordinates(&places)?.within((rows, 16)); // (V, M, K)
        let last = thread.slice_s().coordinates(&places)?.within((rows, k % 16)); // (V, M, K)
        Ok(move |to: &mut Tiles, at: Part| {
            // SAFETY: the pipeline requests tiles that exist.
            let from = unsafe { mine.slice_unchecked((.., .., .., at.tile)) }; // (V, M, K)
            let mut to = thread.partition_d_mut(to)?; // (V, M, K, stages)
            let mut to = to.slice_mut((.., .., .., at.stage)); // (V, M, K)
            for_static!(I in 0..2, {
                let there = if at.last { last.holds(2 * at.part + I) } else {
                    whole.holds(2 * at.part + I) };
                number.with_predicate(there).copy(&from, &mut to, 2 * at.part + I);
            });
            Ok(())
        })
    }
}
impl RaggedOperand for KMajor {
    #[inline(always)]
    unsafe fn make_predicated_fetch(
        from: *const f32,
        [rows, k, along]: [usize; 3],
        block: usize,
    ) -> Result<impl Fn(&mut Tiles, Part) -> Result<(), Trap>, Trap> {
        // 4 threads along K and 32 down: a thread has fewer rows, and so fewer predicates.
        let number = SM80_CP_ASYNC_CACHEALWAYS_ZFILL::<u32, f32>::new();
        let tiled = make_tiled_copy(number, layout!((32, 4):(4, 1)), layout!((1, 1)))?;
        let Some(thread) = tiled.get_slice(device::thread_index()) else { device::trap() };
        // SAFETY: the caller's promise; elements outside the matrix are not accessed.
        let all = unsafe {
            Tensor::from_global_ref(
                from,
                layout!((rows, k):(along, 1)).try_round_up(Operand::default())?,
            )
        }; // (rows, k), both rounded up
        let all = all.local_tile(Operand::default(), (block, ..))?; // (M, K, tiles)
        let mine = thread.partition_s(&all)?; // (V, M, K, tiles)
        // SAFETY: as above.
        let mine = unsafe { device::extend_lifetime(&mine, from) };
        // The predicates of a thread's elements: for a tile that is whole along K, and for the last
        // tile.
        let places = Tensor::coordinates(identity((rows, 16)).try_round_up(Operand::default())?);
        // (rows, 16), the rows rounded up
        let places = places.local_tile(Operand::default(), (block, 0))?; // (M, K)
        let whole = thread.slice_s().coordinates(&places)?.within((rows, 16)); // (V, M, K)
        let last = thread.slice_s().coordinates(&places)?.within((rows, k % 16)); // (V, M, K)
        Ok(move |to: &mut Tiles, at: Part| {
            // SAFETY: the pipeline requests tiles that exist.
            let from = unsafe { mine.slice_unchecked((.., .., .., at.tile)) }; // (V, M, K)
            let mut to = thread.partition_d_mut(to)?; // (V, M, K, stages)
            let mut to = to.slice_mut((.., .., .., at.stage)); // (V, M, K)
            for_static!(I in 0..2, {
                let there = if at.last { last.holds(2 * at.part + I) } else {
                    whole.holds(2 * at.part + I) };
                number.with_predicate(there).copy(&from, &mut to, 2 * at.part + I);
            });
            Ok(())
        })
    }
}

/// Any sizes. `a_along` and `b_along` are the strides of the other mode. C is column-major.
/// Elements of tiles outside the matrices are zero, and are not written.
///
/// # Safety
/// The matrices exist.
#[kernel(threads = Threads, shared = Shared, instances(<nt>, <nn>, <tn>, <tt>))]
pub unsafe fn ragged<F: Form<A: RaggedOperand, B: RaggedOperand>>(
    m: u32,
    n: u32,
    k: u32,
    a: *const f32,
    a_along: u32,
    b: *const f32,
    b_along: u32,
    c: *mut f32,
) -> Result<(), Trap> {
    let [m, n, k, a_along, b_along] = [m, n, k, a_along, b_along].map(|number| number as usize);
    let (bm, bn, _) = device::block_index();
    // SAFETY: the caller's promises; elements outside the matrices are not accessed; each block has
    // its tile of C; shared memory is written by copies that the pipeline waits for, and read after
    // its barriers.
    let (fetch_a, fetch_b, mut c, tiles) = unsafe {
        let (a, b) = (
            F::A::make_predicated_fetch(a, [m, k, a_along], bm)?,
            F::B::make_predicated_fetch(b, [n, k, b_along], bn)?,
        );
        (
            a,
            b,
            Tensor::from_global(c, layout!((m, n):(1, m)).try_round_up(Tile::default())?),
            F::shared_stages(),
        )
    }; // (m, n), both rounded up; (M, K, stages), (N, K, stages)
    let mut c = c.local_tile_mut(Tile::default(), (bm, bn))?; // (M, N)
    let mma = make_tiled_mma(Fma, Threads::default(), Order::default());
    let Some(thread) = mma.get_slice(device::thread_index()) else { device::trap() };
    let sum = multiply_tile(&thread, tiles, k / 16, k % 16 != 0, |sa, sb, part| {
        fetch_b(sb, part)?;
        fetch_a(sa, part)
    })?; // (V, M, N)
    let there = Tensor::coordinates(identity((m, n)).try_round_up(Tile::default())?);
    // (m, n), both rounded up
    let there = there.local_tile(Tile::default(), (bm, bn))?; // (M, N)
    let there = thread.slice_c().coordinates(&there)?.within((m, n)); // (V, M, N)
    copy_if(&UniversalCopy::<f32>::new(), &sum, &mut thread.partition_c_mut(&mut c)?, |i| {
        there.holds(i)
    })?;
    Ok(())
}
