//! Times of several programs by turns: medians over rounds, each the time of the slowest rank.

use std::time::Instant;

use mpi::collective::SystemOperation;
use mpi::topology::{Communicator, SimpleCommunicator};
use mpi::traits::CommunicatorCollectives;

/// The median seconds of each of `programs`, which run one after the other in each of `rounds` rounds.
pub fn medians<const N: usize>(
    world: &SimpleCommunicator,
    rounds: usize,
    mut programs: [&mut dyn FnMut(); N],
) -> [f64; N] {
    let mut times: [Vec<f64>; N] = std::array::from_fn(|_| Vec::new());
    // The first round finds memory and connections, and does not count.
    for round in 0..=rounds {
        for (program, times) in programs.iter_mut().zip(&mut times) {
            world.barrier();
            let start = Instant::now();
            program();
            let (own, mut slowest) = (start.elapsed().as_secs_f64(), 0.0);
            world.all_reduce_into(&own, &mut slowest, SystemOperation::max());
            if round > 0 {
                times.push(slowest);
            }
        }
    }
    times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    })
}

/// Says something once.
pub fn say(world: &SimpleCommunicator, text: &str) {
    if world.rank() == 0 {
        println!("{text}");
    }
}

/// Whether something holds on all ranks.
pub fn on_all(world: &SimpleCommunicator, holds: bool) -> bool {
    let mut all = false;
    world.all_reduce_into(&holds, &mut all, SystemOperation::logical_and());
    all
}

/// An argument of the program, or what it is without.
pub fn argument(number: usize, otherwise: usize) -> usize {
    std::env::args().nth(number).map_or(otherwise, |text| text.parse().expect("a number"))
}
