//! Plans on paper, drawn at random: every rank's plan against where each element is before and after.

mod draws;

use draws::{Drawn, Random, seed_and_draws, some_shape};
use layout_mpi::{BoxCopy, Plan};

/// The offsets of a box before and after, the first mode fastest.
fn offsets(of: &BoxCopy) -> Vec<(usize, usize)> {
    let mut all = vec![(of.from, of.to)];
    for &(extent, before, after) in of.modes.iter().rev() {
        all =
            all.iter().flat_map(|&(from, to)| (0..extent).map(move |i| (from + i * before, to + i * after))).collect();
    }
    all
}

#[test]
fn plans_move_each_element_once() {
    let (seed, draws) = seed_and_draws(1000);
    println!("seed {seed}: LAYOUT_SEED={seed} LAYOUT_DRAWS={draws} repeats it");
    let (mut random, mut transfers, mut moved) = (Random(seed), 0, 0);
    for draw in 0..draws {
        let ranks = 1 + random.below(8);
        let shape = some_shape(&mut random, 1500);
        let (from, to) = (Drawn::draw(&mut random, ranks, &shape), Drawn::draw(&mut random, ranks, &shape));
        let (before, after) = (from.elements(), to.elements());
        let what = || format!("seed {seed}, draw {draw}: {from:?} to {to:?}");
        let plans: Vec<Plan> =
            (0..ranks).map(|rank| Plan::new(&from.seen(rank), &to.seen(rank)).expect("one shape")).collect();
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
                    assert!(transfer.rank() == rank || !before[rank].contains(&element), "{}", what());
                    moved += usize::from(transfer.rank() != rank);
                }
                assert_eq!(boxes.iter().map(BoxCopy::size).sum::<usize>(), transfer.elements(), "{}", what());
                // The sender knows the same boxes, in the same order.
                let sender = &plans[transfer.rank()];
                let sent = sender.sends().iter().find(|sent| sent.rank() == rank).expect("both ends know of it");
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
