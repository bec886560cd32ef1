//! A stencil of five points on a mesh: each rank has a block and a border of its neighbours'
//! elements. The borders are tiles of the same tensor, rows and columns alike, received where they
//! lie and sent from where they lie.
//!
//! ```sh
//! mpirun -n 4 target/release/examples/halo [size] [steps]
//! ```

use std::time::Instant;

use layout_algebra::prelude::*;
use layout_mpi::{
    DistributedTensor, Distribution, Mesh, MeshCommunicators, Messages, ReceiveChecked,
    SendChecked, Shard, abort_on_panic, on_all_ranks,
};
use mpi::topology::{Communicator, Process, SimpleCommunicator};
use mpi::traits::*;

#[allow(
    dead_code,
    reason = "steps follow one another, and are not repeated by turns with another program"
)]
mod side_by_side;

use side_by_side::{argument, on_all, say};

/// A block with a border of one element.
type Block = Tensor<Vec<f64>, Layout!((_, _):(1, _))>;

fn block(rows: usize, columns: usize) -> Result<Block, LayoutError> {
    let pitch = rows + 2;
    Tensor::new(vec![0.0; pitch * (columns + 2)], layout!((pitch, columns + 2):(1, pitch)))
}

/// The neighbours in the mesh: north, south, west, east; none beyond its edges.
fn neighbours<'a>(
    world: &'a SimpleCommunicator,
    mesh: &Mesh,
) -> Result<[Option<Process<'a>>; 4], layout_mpi::Error> {
    let at = mesh.coordinates().expect("all ranks are in the mesh");
    let step = |mode: usize, forward: bool| {
        let mut to = at.clone();
        to[mode] = if forward { at[mode] + 1 } else { at[mode].wrapping_sub(1) };
        mesh.rank_at(&to).ok().map(|rank| world.process_at_rank(rank as i32))
    };
    Ok([step(0, false), step(0, true), step(1, false), step(1, true)])
}

/// Sends the outermost rows and columns of the block, and receives the border.
fn exchange(t: &mut Block, neighbours: &[Option<Process<'_>>; 4]) -> Result<(), layout_mpi::Error> {
    let (rows, columns) = (t.shape().0 - 2, t.shape().1 - 2);
    // What is received and what is sent are other elements: four strips of the border, and what is
    // within.
    let (mut west, mut rest) = t.split_at_mut::<1>(1);
    let (mut middle, mut east) = rest.split_at_mut::<1>(columns);
    let (mut north, mut rest) = middle.split_at_mut::<0>(1);
    let (inner, mut south) = rest.split_at_mut::<0>(rows);
    let sent = [inner.slice((0, ..)), inner.slice((rows - 1, ..))];
    let also = [inner.slice((.., 0)), inner.slice((.., columns - 1))];
    let [up, down] = [sent[0].message()?, sent[1].message()?];
    let [left, right] = [also[0].message()?, also[1].message()?];
    let (mut north, mut south) = (north.slice_mut((0, ..)), south.slice_mut((0, ..)));
    let (mut west, mut east) = (west.slice_mut((1..rows + 1, 0)), east.slice_mut((1..rows + 1, 0)));
    let mut borders =
        [north.message_mut()?, south.message_mut()?, west.message_mut()?, east.message_mut()?];
    let messages = [up, down, left, right];
    mpi::request::scope(|scope| {
        let (mut sends, mut received) = (Vec::new(), Ok(()));
        for (process, message) in neighbours.iter().zip(&messages) {
            sends.extend(
                process.as_ref().map(|process| process.immediate_send_checked(scope, message)),
            );
        }
        for (process, border) in neighbours.iter().zip(&mut borders) {
            if let Some(process) = process {
                // All are received, whatever one of them is.
                let one = process.receive_checked(border);
                received = received.and(one.map(|_| ()));
            }
        }
        sends.into_iter().for_each(|request| request.wait_without_status());
        received
    })
}

/// The mean of the four neighbours of each element within.
fn step(to: &mut Block, from: &Block) {
    let (rows, columns) = (to.shape().0 - 2, to.shape().1 - 2);
    for j in 1..=columns {
        let column = |j: usize, from_row: usize| from.slice((from_row..from_row + rows, j));
        let [north, south] = [column(j, 0), column(j, 2)];
        let [west, east] = [column(j - 1, 1), column(j + 1, 1)];
        let mut middle = to.slice_mut((1..rows + 1, j));
        let lines = [&north, &south, &west, &east].map(|line| line.as_slice().expect("a column"));
        let [north, south, west, east] = lines.map(|line| &line[..rows]);
        let middle = &mut middle.as_mut_slice().expect("a column")[..rows];
        for i in 0..rows {
            middle[i] = 0.25 * (north[i] + south[i] + west[i] + east[i]);
        }
    }
}

/// Some steps from some start: the block of this rank, and the seconds in all and for borders.
fn run(
    world: &SimpleCommunicator,
    mesh: &Mesh,
    placed: &Distribution,
    steps: usize,
) -> Result<(DistributedTensor<f64>, [f64; 2]), Box<dyn std::error::Error>> {
    let start = DistributedTensor::from_fn(placed, |at| ((at[0] * 7 + at[1] * 13) % 101) as f64);
    let [rows, columns] = placed.local_shape()[..] else {
        return Err("a matrix has two modes".into());
    };
    let (mut now, mut next) = (block(rows, columns)?, block(rows, columns)?);
    let inner = start.local();
    (0..columns).for_each(|j| (0..rows).for_each(|i| now[(i + 1, j + 1)] = inner[[i, j]]));
    let neighbours = neighbours(world, mesh)?;
    world.barrier();
    let (begin, mut border) = (Instant::now(), 0.0);
    for number in 0..steps {
        let before = Instant::now();
        let exchanged = exchange(&mut now, &neighbours);
        // What a rank sends is the same in each step: an error is one of the first, and ends all
        // ranks.
        match number {
            0 => on_all_ranks(world, "the exchange of borders", exchanged)?,
            _ => exchanged?,
        }
        border += before.elapsed().as_secs_f64();
        step(&mut next, &now);
        std::mem::swap(&mut now, &mut next);
    }
    world.barrier();
    let seconds = [begin.elapsed().as_secs_f64(), border];
    let mut result = DistributedTensor::from_fn(placed, |_| 0.0);
    result.local_mut().for_each_mut(|at, x| *x = now[(at.leaves()[0] + 1, at.leaves()[1] + 1)]);
    Ok((result, seconds))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let universe = mpi::initialize().ok_or("MPI does not start")?;
    let world = universe.world();
    abort_on_panic(&world);
    let (size, steps) = (argument(1, 2048), argument(2, 100));
    let ranks = world.size() as usize;
    let high = (1..=ranks).rfind(|rows| ranks % rows == 0 && rows * rows <= ranks).unwrap_or(1);
    let mesh =
        Mesh::new(&world, layout!((high, ranks / high): right))?.named(["rows", "columns"])?;
    let on =
        |size: usize| Distribution::new(&mesh, (size, size), [Shard("rows"), Shard("columns")]);

    // A small one, beside the same on one rank.
    let (small, few) = (61, 9);
    let (result, _) = run(&world, &mesh, &on(small)?, few)?;
    let whole = result.gather(&world, 0)?;
    let mut right = true;
    if let Some(whole) = whole {
        let (mut now, mut next) = (block(small, small)?, block(small, small)?);
        let start = |i: usize, j: usize| ((i * 7 + j * 13) % 101) as f64;
        (0..small).for_each(|j| (0..small).for_each(|i| now[(i + 1, j + 1)] = start(i, j)));
        for _ in 0..few {
            step(&mut next, &now);
            std::mem::swap(&mut now, &mut next);
        }
        right = (0..small).all(|j| (0..small).all(|i| whole[[i, j]] == now[(i + 1, j + 1)]));
    }
    assert!(on_all(&world, right), "the blocks are those of one rank");

    let (_, [all, border]) = run(&world, &mesh, &on(size)?, steps)?;
    let points = (size * size * steps) as f64 / all / 1e9;
    let text = format!(
        "{points:.2} G points/s, {:.1} us a step for the borders",
        border / steps as f64 * 1e6
    );
    say(
        &world,
        &format!("{size} x {size} on a mesh of {high} x {}, {steps} steps: {text}", ranks / high),
    );
    Ok(())
}
