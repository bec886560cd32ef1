//! Times of several programs side by side, so that their ratio is right on a machine that has other
//! work too.
//!
//! The programs run by turns, each the first in some turns, and a round takes the least of some
//! tries of each: what interrupts a try is no part of the program. Times are medians over rounds,
//! and a ratio is the median of the rounds' ratios, between their quartiles.

use std::time::Instant;

use mpi::collective::SystemOperation;
use mpi::topology::{Communicator, SimpleCommunicator};
use mpi::traits::CommunicatorCollectives;

/// Seconds of `N` programs in each round.
pub struct Race<const N: usize> {
    tries: usize,
    rounds: Vec<[f64; N]>,
}

impl<const N: usize> Race<N> {
    /// With so many tries of each in a round: the more, the shorter they are.
    pub fn new(tries: usize) -> Self {
        Race { tries, rounds: Vec::new() }
    }

    /// One more round of programs that tell their own time.
    pub fn round(&mut self, programs: [&mut dyn FnMut() -> f64; N]) {
        let mut least = [f64::INFINITY; N];
        for turn in 0..self.tries {
            for k in 0..N {
                let which = (self.rounds.len() + turn + k) % N;
                least[which] = least[which].min(programs[which]());
            }
        }
        self.rounds.push(least);
    }

    /// The rounds of programs that all ranks run, whose time is that of the slowest rank. What
    /// comes before the first one finds memory and connections, and does not count.
    pub fn of_all_ranks(
        world: &SimpleCommunicator,
        rounds: usize,
        mut programs: [&mut dyn FnMut(); N],
    ) -> Self {
        programs.iter_mut().for_each(|program| program());
        let mut race = Race::new(3);
        let mut timed = programs.map(|program| move || slowest(world, program));
        for _ in 0..rounds {
            race.round(timed.each_mut().map(|program| program as &mut dyn FnMut() -> f64));
        }
        race
    }

    /// The median seconds of each.
    pub fn medians(&self) -> [f64; N] {
        std::array::from_fn(|k| quartiles(self.rounds.iter().map(|round| round[k]))[1])
    }

    /// The time of one program divided by that of another, round by round: the quartiles.
    pub fn ratio(&self, one: usize, other: usize) -> Ratio {
        let [low, of, high] = quartiles(self.rounds.iter().map(|round| round[one] / round[other]));
        Ratio { of, low, high }
    }
}

/// How many times one program takes what another does.
#[derive(Clone, Copy)]
pub struct Ratio {
    pub of: f64,
    low: f64,
    high: f64,
}

/// The ratio, and between what the middle half of the rounds is.
impl std::fmt::Display for Ratio {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.3} ({:.3} to {:.3})", self.of, self.low, self.high)
    }
}

/// The quartiles of some numbers.
fn quartiles(numbers: impl Iterator<Item = f64>) -> [f64; 3] {
    let mut numbers: Vec<f64> = numbers.collect();
    numbers.sort_by(f64::total_cmp);
    [1, 2, 3].map(|k| numbers[(numbers.len() - 1) * k / 4])
}

/// The seconds that the slowest rank takes.
fn slowest(world: &SimpleCommunicator, program: &mut dyn FnMut()) -> f64 {
    world.barrier();
    let start = Instant::now();
    program();
    let (own, mut slowest) = (start.elapsed().as_secs_f64(), 0.0);
    world.all_reduce_into(&own, &mut slowest, SystemOperation::max());
    slowest
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
