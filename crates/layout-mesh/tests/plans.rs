//! Plans on paper, drawn at random: every rank's plan against where each element is before and
//! after.

mod draws;

use draws::{Drawn, Random, seed_and_draws, some_shape};
use layout_algebra::prelude::*;
use layout_mesh::{
    BlockCyclic, BoxCopy, Distribution, Error, HaloPlan, Mesh, Plan, Replicate, Shard, StridedShard,
};

/// The offsets of a box before and after, the first mode fastest.
fn offsets(of: &BoxCopy) -> Vec<(usize, usize)> {
    let mut all = vec![(of.from, of.to)];
    for &(extent, before, after) in of.modes.iter().rev() {
        all = all
            .iter()
            .flat_map(|&(from, to)| (0..extent).map(move |i| (from + i * before, to + i * after)))
            .collect();
    }
    all
}

#[test]
fn plans_move_each_element_once() {
    let (seed, draws) = seed_and_draws(300);
    println!("seed {seed}: LAYOUT_SEED={seed} LAYOUT_DRAWS={draws} repeats it");
    let (mut random, mut transfers, mut moved) = (Random(seed), 0, 0);
    for draw in 0..draws {
        let ranks = 1 + random.below(8);
        let shape = some_shape(&mut random, 1500);
        let (from, to) =
            (Drawn::draw(&mut random, ranks, &shape), Drawn::draw(&mut random, ranks, &shape));
        let (before, after) = (from.elements(), to.elements());
        let what = || format!("seed {seed}, draw {draw}: {from:?} to {to:?}");
        let plans: Vec<Plan> = (0..ranks)
            .map(|rank| Plan::new(&from.seen(rank), &to.seen(rank)).expect("one shape"))
            .collect();
        for (rank, plan) in plans.iter().enumerate() {
            assert_eq!(plan.from().local_layout().size(), before[rank].len(), "{}", what());
            let mut written = vec![false; after[rank].len()];
            for transfer in plan.receives() {
                let boxes = plan.boxes_received(transfer);
                for (there, here) in boxes.iter().flat_map(offsets) {
                    let element = before[transfer.rank()][there];
                    assert_eq!(element, after[rank][here], "{}", what());
                    assert!(!std::mem::replace(&mut written[here], true), "{}", what());
                    // The least: nobody is sent what he has.
                    assert!(
                        transfer.rank() == rank || !before[rank].contains(&element),
                        "{}",
                        what()
                    );
                    moved += usize::from(transfer.rank() != rank);
                }
                assert_eq!(
                    boxes.iter().map(BoxCopy::size).sum::<usize>(),
                    transfer.elements(),
                    "{}",
                    what()
                );
                // The sender knows the same boxes, in the same order.
                let sender = &plans[transfer.rank()];
                let sent = sender
                    .sends()
                    .iter()
                    .find(|sent| sent.rank() == rank)
                    .expect("both ends know of it");
                assert_eq!(sender.boxes_sent(sent), boxes, "{}", what());
                transfers += 1;
            }
            assert!(written.iter().all(|&is| is), "{}", what());
        }
        let (sent, received): (usize, usize) = plans
            .iter()
            .map(|plan| (plan.sends().len(), plan.receives().len()))
            .fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
        assert_eq!(sent, received, "{}", what());
    }
    println!("{draws} draws, {transfers} transfers, {moved} elements sent");
    assert!(draws < 100 || moved > draws);
}

/// Every element of the target, where it comes from: through a reshape, and of a slice.
fn moves_all(
    plans: &[Plan],
    before: &[Vec<usize>],
    after: &[Vec<usize>],
    back: impl Fn(usize) -> usize,
    what: &str,
) -> usize {
    let mut moved = 0;
    for (rank, plan) in plans.iter().enumerate() {
        let mut written = vec![false; after[rank].len()];
        for transfer in plan.receives() {
            let boxes = plan.boxes_received(transfer);
            for (there, here) in boxes.iter().flat_map(offsets) {
                assert_eq!(before[transfer.rank()][there], back(after[rank][here]), "{what}");
                assert!(!std::mem::replace(&mut written[here], true), "{what}");
            }
            assert_eq!(
                boxes.iter().map(BoxCopy::size).sum::<usize>(),
                transfer.elements(),
                "{what}"
            );
            let sender = &plans[transfer.rank()];
            let sent = sender
                .sends()
                .iter()
                .find(|sent| sent.rank() == rank)
                .expect("both ends know of it");
            assert_eq!(sender.boxes_sent(sent), boxes, "{what}");
        }
        assert!(written.iter().all(|&is| is), "{what}");
        moved += plan.elements_sent();
    }
    let sent: usize = plans.iter().map(|plan| plan.sends().len()).sum();
    assert_eq!(sent, plans.iter().map(|plan| plan.receives().len()).sum::<usize>(), "{what}");
    moved
}

/// The same elements in two shapes, and slices in steps.
#[test]
fn plans_go_through_reshapes_and_slices() {
    let (seed, draws) = seed_and_draws(300);
    println!("seed {seed}: LAYOUT_SEED={seed} LAYOUT_DRAWS={draws} repeats it");
    let (mut random, mut moved) = (Random(seed ^ 2), 0);
    for draw in 0..draws {
        let ranks = 1 + random.below(8);
        let shape = some_shape(&mut random, 800);
        // Another shape of as many elements: its prime factors put together in another way.
        let mut factors = Vec::new();
        for &extent in &shape {
            let mut rest = extent;
            (2..=extent).for_each(|p| {
                while rest > 1 && rest % p == 0 {
                    factors.push(p);
                    rest /= p
                }
            });
        }
        let mut other = vec![1; 1 + random.below(4)];
        for factor in factors {
            let k = random.below(other.len());
            other[k] *= factor;
        }
        if shape.contains(&0) {
            other[0] = 0;
        }
        let (from, to) =
            (Drawn::draw(&mut random, ranks, &shape), Drawn::draw(&mut random, ranks, &other));
        let what = format!("LAYOUT_SEED={seed}, draw {draw}: {from:?} to {to:?}");
        let plans: Vec<Plan> = (0..ranks)
            .map(|rank| Plan::reshaped(&from.seen(rank), &to.seen(rank)).expect(&what))
            .collect();
        moved += moves_all(&plans, &from.elements(), &to.elements(), |number| number, &what);
        // A slice of it.
        let slice = |&extent: &usize| {
            let start = random.below(extent + 1);
            [start, start + random.below(extent - start + 1), 1 + random.below(3)]
        };
        let slices: Vec<[usize; 3]> = shape.iter().map(slice).collect();
        let sliced: Vec<usize> =
            slices.iter().map(|&[start, end, step]| (end - start).div_ceil(step)).collect();
        let to = Drawn::draw(&mut random, ranks, &sliced);
        let what = format!("LAYOUT_SEED={seed}, draw {draw}: {slices:?} of {from:?} to {to:?}");
        let plans: Vec<Plan> = (0..ranks)
            .map(|rank| Plan::sliced(&from.seen(rank), &slices, &to.seen(rank)).expect(&what))
            .collect();
        let back = |mut number: usize| {
            let (mut of, mut pitch) = (0, 1);
            for ((&[start, _, step], &extent), &whole) in slices.iter().zip(&sliced).zip(&shape) {
                of += (start + number % extent * step) * pitch;
                number /= extent;
                pitch *= whole;
            }
            of
        };
        moved += moves_all(&plans, &from.elements(), &to.elements(), back, &what);
    }
    assert!(draws < 100 || moved > draws);
}

/// (12,8) to (16,6) by rows on four ranks: 24 of the 96 elements stay.
#[test]
fn a_reshape_keeps_what_it_can() {
    let sent = |rank| {
        let mesh = Mesh::on_paper(4, rank, layout!(4)).unwrap();
        let from = Distribution::new(&mesh, (12, 8), (Shard(0), Replicate)).unwrap();
        let to = Distribution::new(&mesh, (16, 6), (Shard(0), Replicate)).unwrap();
        Plan::reshaped(&from, &to).unwrap().elements_sent()
    };
    assert_eq!((0..4).map(sent).sum::<usize>(), 72);
    let mesh = Mesh::on_paper(4, 0, layout!(4)).unwrap();
    let of =
        |shape: (usize, usize)| Distribution::new(&mesh, shape, (Shard(0), Replicate)).unwrap();
    let error = Plan::reshaped(&of((12, 8)), &of((16, 7))).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a tensor of the shape (12,8) is not redistributed to one of the shape (16,7)"
    );
    let error = Plan::sliced(&of((12, 8)), &[[0, 13, 1], [0, 8, 1]], &of((12, 8))).unwrap_err();
    assert_eq!(error.to_string(), "0..13 in steps of 1 is no slice of mode 0, whose extent is 12");
    assert!(Plan::sliced(&of((12, 8)), &[[0, 12, 0], [0, 8, 1]], &of((12, 8))).is_err());
    assert!(Plan::sliced(&of((12, 8)), &[[0, 12, 1]], &of((12, 8))).is_err());
    assert!(Plan::sliced(&of((12, 8)), &[[1, 12, 1], [0, 8, 1]], &of((12, 8))).is_err());
}

/// What is summed comes from each rank along the modes of the sum, once.
#[test]
fn sums_come_from_all_summands() {
    let (seed, draws) = seed_and_draws(200);
    let mut random = Random(seed ^ 3);
    for draw in 0..draws {
        let extents = [1 + random.below(3), 1 + random.below(3), 1 + random.below(2)];
        let ranks = extents.iter().product();
        let [a, b, c] = extents;
        let mesh = |rank| Mesh::on_paper(ranks, rank, layout!((a, b, c): right)).unwrap();
        let shape = (1 + random.below(9), 1 + random.below(9));
        let summed = random.below(3);
        let (one, other) = ((summed + 1) % 3, (summed + 2) % 3);
        let from = |rank| {
            let placed = Distribution::new(&mesh(rank), shape, (Shard(one), Replicate)).unwrap();
            placed.partial(summed).unwrap()
        };
        let cyclic = random.below(2) == 0;
        let to = |rank| match cyclic {
            true => {
                Distribution::new(&mesh(rank), shape, (Replicate, BlockCyclic([summed, other], 2)))
                    .unwrap()
            }
            false => Distribution::new(&mesh(rank), shape, [Replicate; 2]).unwrap(),
        };
        for rank in 0..ranks {
            let plan = Plan::new(&from(rank), &to(rank)).unwrap();
            let size = to(rank).local_layout().size();
            let mut seen = vec![Vec::new(); size];
            for transfer in plan.receives() {
                let at = mesh(rank).coordinates_of(transfer.rank()).unwrap();
                for (_, here) in plan.boxes_received(transfer).iter().flat_map(offsets) {
                    seen[here].push(at[summed]);
                }
                let sender = Plan::new(&from(transfer.rank()), &to(transfer.rank())).unwrap();
                let sent = sender
                    .sends()
                    .iter()
                    .find(|sent| sent.rank() == rank)
                    .expect("both ends know of it");
                assert_eq!(sender.boxes_sent(sent), plan.boxes_received(transfer));
            }
            let all: Vec<usize> = (0..extents[summed]).collect();
            for mut of in seen {
                of.sort_unstable();
                assert_eq!(of, all, "LAYOUT_SEED={seed}, draw {draw}");
            }
        }
    }
}

/// Borders hold what the neighbours have, corners too, of every width, and senders know the same
/// boxes.
#[test]
fn halos_are_what_is_around() {
    let (seed, draws) = seed_and_draws(200);
    println!("seed {seed}: LAYOUT_SEED={seed} LAYOUT_DRAWS={draws} repeats it");
    let (mut random, mut received) = (Random(seed ^ 4), 0);
    for draw in 0..draws {
        let (a, b) = (1 + random.below(4), 1 + random.below(3));
        let shape = [random.below(9), 1 + random.below(7)];
        let (widths, periodic) =
            ([random.below(4), random.below(4)], [random.below(2) == 0, random.below(2) == 0]);
        let kind = random.below(4);
        let seen = |rank| {
            let mesh = Mesh::on_paper(a * b + 1, rank, layout!((a, b): right)).unwrap();
            let shape = (shape[0], shape[1]);
            let distribution = match kind {
                0 => Distribution::new(&mesh, shape, [Shard(0), Shard(1)]),
                1 => Distribution::new(&mesh, shape, (Shard([1, 0]), Replicate)),
                2 => Distribution::new(&mesh, shape, (Replicate, Shard(0))),
                _ => Distribution::new(&mesh, shape, [Shard(1), Shard(0)])
                    .and_then(|d| d.select(&[1, 0])?.select(&[1, 0])),
            };
            HaloPlan::new(&distribution.unwrap(), &widths, &periodic).unwrap()
        };
        let what = format!(
            "LAYOUT_SEED={seed}, draw {draw}: {shape:?} {a} x {b}, kind {kind}, {widths:?} \
             {periodic:?}"
        );
        // The global index of each element of a rank's memory, or none.
        let memory = |plan: &HaloPlan| {
            let (first, inner) = plan.inner();
            let mut memory = vec![None; plan.layout().size()];
            for (local, global) in plan.distribution().coordinates() {
                let offset: usize =
                    local.iter().zip(inner.stride().leaves()).map(|(c, stride)| c * stride).sum();
                memory[first + offset] = Some(global);
            }
            memory
        };
        let plans: Vec<HaloPlan> = (0..=a * b).map(seen).collect();
        let memories: Vec<Vec<Option<Vec<usize>>>> = plans.iter().map(memory).collect();
        for (rank, plan) in plans.iter().enumerate() {
            let mut own = memories[rank].clone();
            for (sender, boxes) in plan.receives() {
                for (there, here) in boxes.iter().flat_map(offsets) {
                    assert!(own[here].is_none(), "{what}");
                    own[here].clone_from(&memories[*sender][there]);
                    assert!(own[here].is_some(), "{what}");
                    received += 1;
                }
                let sent = plans[*sender]
                    .sends()
                    .iter()
                    .find(|sent| sent.0 == rank)
                    .expect("both ends know of it");
                assert_eq!(&sent.1, boxes, "{what}");
            }
            // What it should be, by the coordinate of each element.
            let layout = plan.layout();
            let Some(start) = plan.distribution().coordinates().next() else { continue };
            let (shape_here, strides) = (layout.shape(), layout.stride());
            for number in 0..layout.size() {
                let (m, n) = (shape_here.leaves()[0], shape_here.leaves()[1]);
                let (i, j) = (number % m, number / m);
                assert!(j < n);
                let index = |k: usize, c: usize| {
                    let g = (start.1[k] + c) as isize - widths[k] as isize;
                    let extent = shape[k] as isize;
                    let g = if periodic[k] { g.rem_euclid(extent) } else { g };
                    (0..extent).contains(&g).then_some(g as usize)
                };
                let expected = index(0, i).and_then(|i| Some(vec![i, index(1, j)?]));
                assert_eq!(
                    own[i * strides.leaves()[0] + j * strides.leaves()[1]],
                    expected,
                    "{what}"
                );
            }
        }
    }
    assert!(draws < 100 || received > draws);
}

/// Numbers of any size: an answer or a sentence, and soon.
#[test]
fn plans_of_any_numbers_end() {
    let (seed, draws) = seed_and_draws(20);
    println!("seed {seed}: LAYOUT_SEED={seed} LAYOUT_DRAWS={draws} repeats it");
    let (mut random, mut planned) = (Random(seed ^ 5), 0);
    for draw in 0..draws {
        let mut any = || {
            let power = 1usize << random.below(64);
            let near = [
                power,
                power.wrapping_add(random.below(5)),
                power.wrapping_sub(random.below(5)),
                random.below(40),
                usize::MAX,
            ];
            random.of(&near)
        };
        // Meshes of a few ranks in a world of many, and of any.
        let (ranks, rank, few) = (any(), any(), draw % 2 == 0);
        let (a, b) = if few { (1 + any() % 6, 1 + any() % 6) } else { (any(), any()) };
        let strides = [any(), any()];
        let (m, n, block, other, at, chunks) = (any(), any(), any(), any(), any(), any());
        let Ok(layout) = DynLayout::new((a, b), (strides[0], strides[1])) else { continue };
        let compact =
            a.checked_mul(b).filter(|&size| size <= 1 << 40).map(|_| layout!((a, b): right).into());
        for layout in [Some(layout), compact].into_iter().flatten() {
            let Ok(mesh) = Mesh::on_paper(ranks, rank % ranks.max(1), layout) else { continue };
            let _ = (
                mesh.coordinates_of(at),
                mesh.rank_at(&[at, 0]),
                mesh.slice(0, at),
                mesh.split(0, [2, a / 2], ["x", "y"]),
            );
            let made = [
                Distribution::new(&mesh, (m, n), (BlockCyclic(0, block), Shard(1))),
                Distribution::new(&mesh, (m, n), (BlockCyclic([0, 1], other), Replicate)),
                Distribution::new(&mesh, (m, n), (StridedShard(1, chunks), BlockCyclic(0, block))),
                Distribution::new(&mesh, (m, n), (Replicate, Shard([1, 0]))),
            ];
            for from in made.iter().flatten() {
                assert_eq!(from.shape(), [m, n]);
                let local = from.local_shape();
                let _ = (
                    from.owner_of(&[at, 0]),
                    from.global_of(&[at, 0]),
                    from.layout(),
                    from.padded_shape(),
                );
                if m > 0 && n > 0 {
                    let (owner, there) = from.owner_of(&[at % m, at % n]).unwrap();
                    assert!(
                        owner < ranks
                            && (owner != mesh.rank()
                                || there.iter().zip(&local).all(|(c, extent)| c < extent))
                    );
                }
                // One of the others: what is refused has taken a million steps.
                for to in made.iter().flatten().skip(draw % 4).take(1) {
                    match Plan::new(from, to) {
                        Ok(plan) => planned += usize::from(plan.bytes() > 0),
                        Err(error) => assert!(
                            matches!(error, Error::Pieces { .. } | Error::Transfers),
                            "{error}"
                        ),
                    }
                }
                let _ = HaloPlan::new(from, &[at, block], &[true, false])
                    .map_err(|error| error.to_string());
            }
        }
    }
    println!("{planned} plans");
    assert!(draws < 20 || planned > 0);
}
