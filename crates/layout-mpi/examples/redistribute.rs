//! A matrix goes from one block-cyclic distribution to another, beside ScaLAPACK's `pdgemr2d` where
//! that is there.
//!
//! ```sh
//! mpirun -n 4 target/release/examples/redistribute [size] [rounds]
//! ```
//!
//! The last line is `ratio R`: the time of `pdgemr2d` divided by ours, the median over the rounds,
//! blocks of 64 on a 2 x 2 mesh to blocks of 128 on 4 x 1. The other ratios come with the quartiles
//! over the rounds.

use layout_algebra::prelude::*;
use layout_mpi::{
    BlockCyclic, DistributedTensor, Distribution, Mesh, MeshCommunicators, Redistribution,
};
use mpi::topology::Communicator;

#[allow(dead_code, reason = "`summa` calls the product, and this example the copy")]
mod scalapack;
mod side_by_side;

use scalapack::Scalapack;
use side_by_side::{Race, argument, on_all, say};

/// Blocks on a grid of processes.
struct Side {
    block: [usize; 2],
    grid: [usize; 2],
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let universe = mpi::initialize().ok_or("MPI does not start")?;
    let world = universe.world();
    let (size, rounds) = (argument(1, 4096), argument(2, 11));
    let peer = Scalapack::load();
    let quarter = size.div_ceil(4);
    let side = |block, grid| Side { block, grid };
    let cases = [
        ("cyclic on 2 x 2 to blocks of 64 on 2 x 2", side([1, 1], [2, 2]), side([64, 64], [2, 2])),
        (
            "blocks of 32 on 2 x 2 to blocks of columns",
            side([32, 32], [2, 2]),
            side([size, quarter], [1, 4]),
        ),
        ("blocks of 64 on 2 x 2 to 128 on 4 x 1", side([64, 64], [2, 2]), side([128, 128], [4, 1])),
    ];
    let mut ratio = None;
    for (name, from, to) in cases {
        let placed = |side: &Side| {
            let [rows, columns] = side.grid;
            let mesh = Mesh::new(&world, layout!((rows, columns): right))?;
            let [rows, columns] = [0, 1].map(|mode| BlockCyclic(mode, side.block[mode]));
            Distribution::new(&mesh, (size, size), [rows, columns])
        };
        let (before, after) = (placed(&from)?, placed(&to)?);
        let value = |global: &[usize]| (global[0] * size + global[1]) as f64;
        let shared = DistributedTensor::shared(&world, &before, value)?;
        let apart = DistributedTensor::from_fn(&before, value);
        let nothing = || DistributedTensor::from_fn(&after, |_| -1.0);
        let (mut by_reading, mut by_messages) = (nothing(), nothing());
        let expected = DistributedTensor::from_fn(&after, value);
        let right = |result: &DistributedTensor<f64>| {
            on_all(&world, result.local().as_slice() == expected.local().as_slice())
        };

        let [mut read, mut send] =
            [(); 2].map(|()| Redistribution::new(&world, &before, &after).expect("equal shapes"));
        let mut ours = || read.run(&shared, &mut by_reading).expect("planned for these");
        let mut messages = || send.run(&apart, &mut by_messages).expect("planned for these");
        let bytes = (size * size * size_of::<f64>()) as f64 / 1e9;
        let speed = |seconds: f64| bytes / seconds;
        let line = match &peer {
            None => {
                let [read, sent] = Race::of_all_ranks(&world, rounds, [&mut ours, &mut messages])
                    .medians()
                    .map(speed);
                format!("{name}: {read:.2} GB/s read, {sent:.2} sent")
            }
            Some(peer) => {
                let [a, b] = [&from, &to].map(|side| peer.matrix([size; 2], side.block, side.grid));
                let mut target = vec![-1.0; expected.local().size()];
                let (source, result) = (apart.local().into_storage(), &mut target[..]);
                let mut theirs = || peer.redistribute(source, &a, result, &b);
                let race =
                    Race::of_all_ranks(&world, rounds, [&mut ours, &mut messages, &mut theirs]);
                assert!(
                    on_all(&world, Some(&target[..]) == expected.local().as_slice()),
                    "pdgemr2d: {name}"
                );
                let [read, sent, theirs] = race.medians().map(speed);
                let [by_reading, by_messages] = [0, 1].map(|k| race.ratio(2, k));
                ratio = Some(by_reading.of);
                let text =
                    format!("{name}: {read:.2} GB/s read, {sent:.2} sent, pdgemr2d {theirs:.2}");
                format!("{text}; {by_reading} and {by_messages} times")
            }
        };
        assert!(right(&by_reading) && right(&by_messages), "{name}");
        say(&world, &line);
    }
    say(
        &world,
        &match ratio {
            Some(ratio) => format!("ratio {ratio:.2}"),
            None => format!(
                "no ratio: ScaLAPACK is not there (libscalapack-openmpi-dev); {} ranks",
                world.size()
            ),
        },
    );
    Ok(())
}
