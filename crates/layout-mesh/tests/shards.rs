//! Shards of shards beside PyTorch's own tests of them (`test/distributed/tensor/test_utils.py`):
//! how many rows a rank has, and which is its first; and what other ways there are to say where an
//! element is.

mod draws;

use draws::{Drawn, Random, seed_and_draws, some_shape};
use layout_algebra::prelude::*;
use layout_mesh::{
    BlockCyclic, Distribution, Error, Mesh, Placement, Plan, Replicate, Shard, StridedShard,
};

/// How many elements each rank of a mesh has, and its first one.
fn rows(mesh: &DynLayout, extent: usize, placement: &Placement) -> Vec<(usize, Option<usize>)> {
    let one = |rank| {
        let mesh = Mesh::on_paper(mesh.size(), rank, mesh.clone()).unwrap();
        let rows =
            Distribution::new(&mesh, (extent, 2), [placement.clone(), Replicate.into()]).unwrap();
        let count = rows.local_shape()[0];
        (count, (count > 0).then(|| rows.global_of(&[0, 0]).unwrap().unwrap()[0]))
    };
    (0..mesh.size()).map(one).collect()
}

/// `test_compute_local_shape_and_global_offset_uneven`.
#[test]
fn offsets_are_those_of_pytorch() {
    let mesh: DynLayout = layout!((4, 2): right).into();
    let both: Placement = Shard([0, 1]).into();
    let some = |list: &[(usize, usize)]| {
        list.iter().map(|&(count, first)| (count, (count > 0).then_some(first))).collect::<Vec<_>>()
    };
    // 18 rows, [Shard(0), Shard(0)]; 13, of which a rank has none.
    let expected = [(3, 0), (2, 3), (3, 5), (2, 8), (3, 10), (2, 13), (2, 15), (1, 17)];
    assert_eq!(rows(&mesh, 18, &both), some(&expected));
    let expected = [(2, 0), (2, 2), (2, 4), (2, 6), (2, 8), (2, 10), (1, 12), (0, 13)];
    assert_eq!(rows(&mesh, 13, &both), some(&expected));
    // [_StridedShard(0, split_factor=2), Shard(0)]: first over the second mode of the mesh.
    let strided: Placement = Shard([1, 0]).into();
    let expected = [(3, 0), (3, 9), (3, 3), (3, 12), (3, 6), (3, 15), (0, 18), (0, 18)];
    assert_eq!(rows(&mesh, 18, &strided), some(&expected));
    // `test_uneven_fsdp_tp_meta_compute`: 15 rows.
    let expected = [(2, 0), (2, 8), (2, 2), (2, 10), (2, 4), (2, 12), (2, 6), (1, 14)];
    assert_eq!(rows(&mesh, 15, &strided), some(&expected));
    // [_StridedShard(0, split_factor=3), _StridedShard(0, split_factor=4)] of 39.
    let two = Placement::from(StridedShard(0, 3)).then(StridedShard(1, 4));
    let expected = [(8, 0), (4, 2), (8, 4), (4, 6), (8, 8), (4, 10), (3, 12), (0, 39)];
    assert_eq!(rows(&mesh, 39, &two), some(&expected));
    // [Shard(0), _StridedShard(0, split_factor=2)] of 18: 5 over 2 in 2 chunks.
    let strided = Placement::from(Shard(0)).then(StridedShard(1, 2));
    let expected = [(3, 0), (2, 2), (3, 5), (2, 7), (3, 10), (2, 12), (2, 15), (1, 16)];
    assert_eq!(rows(&mesh, 18, &strided), some(&expected));
    // [Shard(0), _StridedShard(0, split_factor=2), Shard(0)] of 39 on (4, 2, 3).
    let mesh: DynLayout = layout!((4, 2, 3): right).into();
    let three = Placement::from(Shard(0)).then(StridedShard(1, 2)).then(Shard(2));
    let ten = |first: usize| {
        [(2, first), (2, first + 2), (2, first + 6), (2, first + 3), (2, first + 8), (0, 39)]
    };
    let last = [(2, 30), (2, 32), (1, 36), (2, 33), (2, 37), (0, 39)];
    let expected = [ten(0), ten(10), ten(20), last].concat();
    assert_eq!(rows(&mesh, 39, &three), some(&expected));
    // 4096 rows on (30, 8), of which most ranks have 18, some 8, and some none.
    let mesh: DynLayout = layout!((30, 8): right).into();
    for (rank, (count, first)) in rows(&mesh, 4096, &Shard([1, 0]).into()).into_iter().enumerate() {
        let (dp, tp) = (rank / 8, rank % 8);
        assert_eq!(
            count,
            match dp {
                29 => 0,
                28 => 8,
                _ => 18,
            }
        );
        assert_eq!(first, (dp < 29).then_some(tp * 512 + 18 * dp));
    }
}

/// Every way to say where an element is says the same, for all kinds of placements: drawn at
/// random.
#[test]
fn owners_have_what_they_own() {
    let (seed, draws) = seed_and_draws(150);
    println!("LAYOUT_SEED={seed} LAYOUT_DRAWS={draws} repeats it");
    let mut random = Random(seed ^ 1);
    for draw in 0..draws {
        let ranks = 1 + random.below(8);
        let shape = some_shape(&mut random, 600);
        let drawn = Drawn::draw(&mut random, ranks, &shape);
        let what = || format!("LAYOUT_SEED={seed}, draw {draw}: {drawn:?}");
        let number = |global: &[usize]| {
            global.iter().zip(&shape).rev().fold(0, |n, (c, extent)| n * extent + c)
        };
        let all = drawn.elements();
        let locals: Vec<DynLayout> =
            (0..ranks).map(|rank| drawn.seen(rank).local_layout()).collect();
        for (rank, elements) in all.iter().enumerate() {
            let seen = drawn.seen(rank);
            let own: Vec<(Vec<usize>, Vec<usize>)> = seen.coordinates().collect();
            assert_eq!(
                own.iter().map(|(_, global)| number(global)).collect::<Vec<_>>(),
                *elements,
                "{}",
                what()
            );
            let mut again = own.iter();
            seen.for_each_coordinate(|local, global| {
                let (expected, of) = again.next().expect("as many");
                assert_eq!((local, global), (&expected[..], &of[..]), "{}", what());
            });
            assert!(again.next().is_none(), "{}", what());
            let offset = |rank: usize, at: &[usize]| -> usize {
                at.iter().zip(locals[rank].stride().leaves()).map(|(c, stride)| c * stride).sum()
            };
            for (place, (at, global)) in own.iter().enumerate() {
                assert_eq!(seen.global_of(at).unwrap().as_ref(), Some(global), "{}", what());
                assert_eq!(offset(rank, at), place, "{}", what());
                let (owner, there) = seen.owner_of(global).unwrap();
                assert_eq!(all[owner][offset(owner, &there)], number(global), "{}", what());
            }
            // Where a distribution is a layout, that layout says it too.
            let Ok(layout) = seen.layout() else { continue };
            let padded = seen.padded_shape().unwrap();
            let Some(at) = seen.mesh().coordinates() else { continue };
            let extents: Vec<usize> =
                (0..at.len()).map(|k| seen.mesh().extent(k).unwrap()).collect();
            let first: usize =
                at.iter().zip(&extents).rev().fold(0, |n, (c, extent)| n * extent + c);
            for (local, global) in &own {
                let modes: Vec<DynLayout> = layout.mode(1).unwrap().modes().collect();
                let mut offset = layout.mode(0).unwrap().index(first);
                offset += modes.iter().zip(local).map(|(mode, &c)| mode.index(c)).sum::<usize>();
                assert_eq!(
                    offset,
                    global.iter().zip(&padded).rev().fold(0, |n, (c, extent)| n * extent + c),
                    "{}",
                    what()
                );
            }
        }
    }
}

#[test]
fn what_is_no_placement_is_refused() {
    let mesh = Mesh::on_paper(8, 0, layout!((4, 2): right)).unwrap().named(["a", "b"]).unwrap();
    let error = |placement: Placement| Distribution::new(&mesh, 18, [placement]).unwrap_err();
    assert_eq!(error(BlockCyclic("a", 0).into()), Error::EmptyBlock);
    assert_eq!(error(StridedShard("a", 0).into()), Error::NoChunks);
    assert_eq!(error(Shard(["a", "a"]).into()), Error::ModeTwice { mode: "a".into() });
    assert_eq!(
        error(Placement::from(Shard("a")).then(Shard("a"))),
        Error::ModeTwice { mode: "a".into() }
    );
    assert!(matches!(error(Shard("c").into()), Error::NoMode { .. }));
    let error = Distribution::new(&mesh, (18, 2), [Shard("a")]).unwrap_err();
    assert_eq!(error.to_string(), "1 placements are given for 2 modes");
    let shards = Distribution::new(&mesh, 18, [Shard(["a", "b"])]).unwrap();
    assert_eq!(shards.layout().unwrap_err(), Error::NoLayout);
    assert_eq!(
        Distribution::new(&mesh, 16, [Shard(["a", "b"])]).unwrap().layout().unwrap().to_string(),
        "((4,2),((2,1))):((4,2),((1,16)))"
    );
    let sums = Distribution::new(&mesh, 18, [Shard("a")]).unwrap();
    assert!(
        sums.clone().partial("a").is_err()
            && sums.clone().partial("b").unwrap().partial("b").is_err()
    );
    assert_eq!(
        Plan::new(&sums, &sums.clone().partial("b").unwrap()).unwrap_err(),
        Error::ToPartial
    );
}
