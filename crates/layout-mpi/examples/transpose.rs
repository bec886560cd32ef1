//! The transpose of a distributed matrix: the same memory with its modes exchanged, redistributed.
//!
//! ```sh
//! mpirun -n 4 target/release/examples/transpose [size] [rounds]
//! ```

use layout_algebra::layout;
use layout_mpi::{
    DistributedTensor, Distribution, Mesh, MeshCommunicators, Redistribution, Replicate, Shard,
    abort_on_panic,
};
use mpi::topology::Communicator;

#[allow(dead_code, reason = "the times of two programs, and no ratio of them")]
mod side_by_side;

use side_by_side::{Race, argument, on_all, say};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let universe = mpi::initialize().ok_or("MPI does not start")?;
    let world = universe.world();
    abort_on_panic(&world);
    let (size, rounds) = (argument(1, 4096), argument(2, 11));
    let (rows, columns) = (size, size / 2 + 1);
    let ranks = world.size() as usize;
    let mesh = Mesh::new(&world, layout!(ranks))?;
    // A in blocks of columns, its transpose in blocks of columns again: each rank has something for
    // each other one.
    let before = Distribution::new(&mesh, (rows, columns), (Replicate, Shard(0)))?;
    let after = Distribution::new(&mesh, (columns, rows), (Replicate, Shard(0)))?;
    let transposed = before.select(&[1, 0])?;

    let value = |i: usize, j: usize| (i * columns + j) as f64;
    let shared =
        DistributedTensor::shared(&world, &before, |at| value(at[0], at[1]))?.select(&[1, 0])?;
    let apart = DistributedTensor::from_fn(&before, |at| value(at[0], at[1])).select(&[1, 0])?;
    let expected = DistributedTensor::from_fn(&after, |at| value(at[1], at[0]));
    let [mut by_reading, mut by_messages] =
        [(); 2].map(|()| DistributedTensor::from_fn(&after, |_| -1.0));

    let mut read = Redistribution::new(&world, &transposed, &after)?;
    let mut send = Redistribution::new(&world, &transposed, &after)?;
    let mut reading = || read.run(&shared, &mut by_reading).expect("planned for these");
    let mut messages = || send.run(&apart, &mut by_messages).expect("planned for these");
    let seconds = Race::of_all_ranks(&world, rounds, [&mut reading, &mut messages]).medians();
    for result in [&by_reading, &by_messages] {
        assert!(on_all(&world, result.local().as_slice() == expected.local().as_slice()));
    }
    let [read, sent] =
        seconds.map(|seconds| (rows * columns * size_of::<f64>()) as f64 / 1e9 / seconds);
    say(
        &world,
        &format!(
            "{rows} x {columns} transposed on {ranks} ranks: {read:.2} GB/s read, {sent:.2} sent"
        ),
    );
    Ok(())
}
