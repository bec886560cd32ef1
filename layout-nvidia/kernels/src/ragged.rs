//! `C = A B` in fp32 of any sizes and strides: the tiles of [`sgemm`](crate::sgemm), and predicates at the edges.

use layout_algebra::atom::{CopyAtom, UniversalCopy, copy, copy_if, gemm, make_tiled_copy, make_tiled_mma};
use layout_algebra::for_static;
use layout_algebra::prelude::*;
use layout_nvidia::device::{self, Fma8x8, Pipeline, SharedTile, SharedTiles};
use layout_nvidia::kernel;

use crate::sgemm::{FetchLast, Last, Numbers, Operand, Order, Threads, Tile};

/// The tiles of both operands.
pub type SharedRagged = (SharedTile<f32, Last>, SharedTile<f32, Last>);
kernel! {
    /// Any sizes, and operands of any strides: `a_m` and `a_k` are those of A, `b_n` and `b_k` those of B. C is
    /// column-major. What is beyond an edge is zero in the tiles, and is not written.
    ///
    /// # Safety
    /// The matrices are there.
    pub fn sgemm_ragged(
        m: u32, n: u32, k: u32, a: *const f32, a_m: u32, a_k: u32, b: *const f32, b_n: u32, b_k: u32, c: *mut f32,
    )
    threads: Threads, shared: SharedRagged;
    {
        let [m, n, k, a_m, a_k, b_n, b_k] = [m, n, k, a_m, a_k, b_n, b_k].map(|number| number as usize);
        let number = Numbers::new();
        let Ok(fetch) = make_tiled_copy(number, <FetchLast>::default().0, <FetchLast>::default().1) else { return };
        let vectors = UniversalCopy::<f32, Int<4>>::new();
        let mma = make_tiled_mma(Fma8x8, Threads::default(), Order::default());
        let id = device::thread();
        let (Some(mine), Some(thread)) = (fetch.get_slice(id), mma.get_slice(id)) else { return };
        let (bm, bn) = device::block();
        // Where the elements of the block's tiles lie in the matrices, and beyond their edges.
        let (Ok(whole_a), Ok(whole_b), Ok(whole_c)) = (
            identity((m, k)).try_round_up(Operand::default()),
            identity((n, k)).try_round_up(Operand::default()),
            identity((m, n)).try_round_up(Tile::default()),
        ) else {
            return;
        };
        let [whole_a, whole_b] = [whole_a, whole_b].map(Tensor::coordinates);
        let Ok(places_c) = Tensor::coordinates(whole_c).local_tile(Tile::default(), (bm, bn)) else { return };
        let Ok(places_c) = thread.share_c().coordinates(&places_c) else { return };
        // SAFETY: the caller's promises, and what is beyond an edge is not touched; each block has its tile of C;
        // shared memory is written by copies that the pipeline waits for, and read behind its barriers.
        unsafe {
            let (Ok(layout_a), Ok(layout_b), Ok(layout_c)) = (
                layout!((m, k):(a_m, a_k)).try_round_up(Operand::default()),
                layout!((n, k):(b_n, b_k)).try_round_up(Operand::default()),
                layout!((m, n):(1, m)).try_round_up(Tile::default()),
            ) else {
                return;
            };
            let (a, b) = (Tensor::from_global_ref(a, layout_a), Tensor::from_global_ref(b, layout_b));
            let mut c = Tensor::from_global(c, layout_c);
            let (mut sa, mut sb) = SharedRagged::tensors();
            let ga = a.local_tile_unchecked(Operand::default(), (bm, ..));
            let gb = b.local_tile_unchecked(Operand::default(), (bn, ..));
            let mut c = c.local_tile_unchecked_mut(Tile::default(), (bm, bn));
            let (ga, gb) = (mine.partition_s_unchecked(&ga), mine.partition_s_unchecked(&gb));

            macro_rules! fetch {
                () => {
                    |tile, stage| {
                        let mut da = mine.partition_d_unchecked_mut(&mut sa);
                        let mut db = mine.partition_d_unchecked_mut(&mut sb);
                        let from_a = ga.slice_unchecked((.., .., .., tile));
                        let from_b = gb.slice_unchecked((.., .., .., tile));
                        let mut to_a = da.slice_unchecked_mut((.., .., .., stage));
                        let mut to_b = db.slice_unchecked_mut((.., .., .., stage));
                        let (Ok(places_a), Ok(places_b)) = (
                            whole_a.local_tile(Operand::default(), (bm, tile)),
                            whole_b.local_tile(Operand::default(), (bn, tile)),
                        ) else {
                            return;
                        };
                        let (Ok(places_a), Ok(places_b)) =
                            (mine.share_s().coordinates(&places_a), mine.share_s().coordinates(&places_b))
                        else {
                            return;
                        };
                        let (there_a, there_b) = (places_a.within((m, k)), places_b.within((n, k)));
                        for_static!(I in 0..8, {
                            number.with(there_a.holds(I)).copy(&from_a, &mut to_a, I);
                            number.with(there_b.holds(I)).copy(&from_b, &mut to_b, I);
                        });
                    }
                };
            }
            let mut pipe = Pipeline::<3>::new(k.div_ceil(16));
            pipe.fill(fetch!());

            let mut sum = thread.partition_fragment_c(&c);
            let mut fa = [(); 2].map(|()| {
                thread.partition_a_unchecked(&sa).slice_unchecked((.., .., 0, 0)).fragment_like::<f32>()
            });
            let mut fb = [(); 2].map(|()| {
                thread.partition_b_unchecked(&sb).slice_unchecked((.., .., 0, 0)).fragment_like::<f32>()
            });
            macro_rules! load {
                ($k:expr) => {
                    let (pa, pb) = (thread.partition_a_unchecked(&sa), thread.partition_b_unchecked(&sb));
                    let _ = copy(&vectors, &pa.slice_unchecked((.., .., $k, pipe.read())), &mut fa[$k % 2]);
                    let _ = copy(&vectors, &pb.slice_unchecked((.., .., $k, pipe.read())), &mut fb[$k % 2]);
                };
            }
            load!(0);
            while pipe.more() {
                for_static!(K in 0..16, {
                    const NEXT: usize = (K + 1) % 16;
                    if NEXT == 0 {
                        pipe.next();
                    }
                    load!(NEXT);
                    if K == 0 {
                        pipe.fetch(fetch!());
                        pipe.commit();
                    }
                    gemm(&mma, &fa[K % 2], &fb[K % 2], &mut sum);
                });
            }
            let there = places_c.within((m, n));
            let mut c = thread.partition_c_unchecked_mut(&mut c);
            let _ = copy_if(&UniversalCopy::<f32>::new(), &sum, &mut c, |i| there.holds(i));
        }
    }
}
