//! Tiles of a matrix sent to another rank and back: as tensors, by a datatype written by hand with raw MPI, and packed.
//!
//! ```sh
//! mpirun -n 2 target/release/examples/messages [rounds] [rows columns]
//! ```
//!
//! The last line is `ratio R`: our median time divided by that of the datatype written by hand, over all tiles.

use std::mem::MaybeUninit;
use std::time::Instant;

use layout_algebra::prelude::*;
use layout_mpi::Messages;
use mpi::ffi;
use mpi::raw::AsRaw;
use mpi::topology::{Communicator, Process, SimpleCommunicator};
use mpi::traits::*;

#[allow(dead_code)]
mod side_by_side;

use side_by_side::{argument, on_all, say};

/// A matrix of so many rows, columns behind one another.
const ROWS: usize = 2048;
const COLUMNS: usize = 1024;

/// Where the tile begins that is received; the one that is sent begins the matrix.
const RECEIVED: usize = ROWS * COLUMNS / 2;

/// `MPI_Type_vector` and raw sends, as a C program has them.
struct ByHand<'a> {
    tile: ffi::MPI_Datatype,
    matrix: &'a mut [f64],
    other: i32,
    world: ffi::MPI_Comm,
}

impl<'a> ByHand<'a> {
    fn new(world: &SimpleCommunicator, matrix: &'a mut [f64], rows: usize, columns: usize) -> Self {
        assert!((columns - 1) * ROWS + rows <= RECEIVED && matrix.len() == 2 * RECEIVED);
        let mut tile = MaybeUninit::uninit();
        // SAFETY: MPI writes the handle before it is read.
        let tile = unsafe {
            let element = f64::equivalent_datatype().as_raw();
            ffi::MPI_Type_vector(columns as i32, rows as i32, ROWS as i32, element, tile.as_mut_ptr());
            ffi::MPI_Type_commit(tile.as_mut_ptr());
            tile.assume_init()
        };
        ByHand { tile, matrix, other: 1 - world.rank(), world: world.as_raw() }
    }
    fn send(&mut self) {
        // SAFETY: the datatype leads to `rows` elements in each of `columns` columns, which are in the first half.
        unsafe { ffi::MPI_Send(self.matrix.as_ptr().cast(), 1, self.tile, self.other, 0, self.world) };
    }
    fn receive(&mut self) {
        // SAFETY: as in `send`, in the second half.
        unsafe {
            let to = self.matrix.as_mut_ptr().add(RECEIVED).cast();
            ffi::MPI_Recv(to, 1, self.tile, self.other, 0, self.world, ffi::RSMPI_STATUS_IGNORE);
        }
    }
}
impl Drop for ByHand<'_> {
    fn drop(&mut self) {
        // SAFETY: the datatype is used by nobody any more.
        unsafe { ffi::MPI_Type_free(&mut self.tile) };
    }
}

/// To and fro: rank 0 sends first. The microseconds of one way.
fn to_and_fro<A>(rank: i32, ends: &mut A, send: impl Fn(&mut A), receive: impl Fn(&mut A)) -> f64 {
    let start = Instant::now();
    if rank == 0 {
        send(ends);
        receive(ends);
    } else {
        receive(ends);
        send(ends);
    }
    start.elapsed().as_secs_f64() / 2.0 * 1e6
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// The median times of the three on tiles of some size.
fn race(world: &SimpleCommunicator, rows: usize, columns: usize, rounds: usize) -> Result<[f64; 3], layout_mpi::Error> {
    let rank = world.rank();
    let other: Process<'_> = world.process_at_rank(1 - rank);
    let new = || (0..2 * RECEIVED).map(|i| (i + rank as usize) as f64).collect::<Vec<f64>>();
    let [mut a, mut b, mut c] = [new(), new(), new()];
    let mut times = [(); 3].map(|()| Vec::new());
    {
        // What is sent and what is received are halves of one matrix.
        let mut matrix = Tensor::new(&mut a[..], layout!((ROWS, COLUMNS):(1, ROWS)))?;
        let (sent, mut received) = matrix.split_at_mut::<1>(COLUMNS / 2);
        let sent = sent.slice((0..rows, 0..columns));
        let mut received = received.slice_mut((0..rows, 0..columns));
        let mut tensors = (sent.message(), received.message_mut()?);

        let mut by_hand = ByHand::new(world, &mut b, rows, columns);

        let mut matrix = Tensor::new(&mut c[..], layout!((ROWS, COLUMNS):(1, ROWS)))?;
        let (sent, mut received) = matrix.split_at_mut::<1>(COLUMNS / 2);
        let sent = sent.slice((0..rows, 0..columns));
        let received = received.slice_mut((0..rows, 0..columns));
        let buffer = Tensor::new(vec![0.0; rows * columns], layout!((rows, columns)))?;
        let mut packed = (sent, received, buffer);

        // Each is the first of the three in turns, for what was sent before may still be in the caches.
        for round in 0..3 * rounds {
            for k in 0..3 {
                let which = (round + k) % 3;
                let time = match which {
                    0 => to_and_fro(
                        rank,
                        &mut tensors,
                        |t| other.send(&t.0),
                        |t| drop_status(other.receive_into(&mut t.1)),
                    ),
                    1 => to_and_fro(rank, &mut by_hand, ByHand::send, ByHand::receive),
                    _ => to_and_fro(
                        rank,
                        &mut packed,
                        |(sent, _, buffer)| {
                            buffer.copy_from(sent).expect("one shape");
                            other.send(buffer.as_slice().expect("compact"));
                        },
                        |(_, received, buffer)| {
                            other.receive_into(buffer.as_mut_slice().expect("compact"));
                            received.copy_from(buffer).expect("one shape");
                        },
                    ),
                };
                times[which].push(time);
            }
        }
    }
    let expected = |at: usize| (at + 1 - rank as usize) as f64;
    let right = |j: usize| (0..rows).all(|i| a[RECEIVED + i + ROWS * j] == expected(i + ROWS * j));
    assert!(on_all(world, a == b && b == c && (0..columns).all(right)));
    Ok(times.map(median))
}

fn drop_status(_: mpi::point_to_point::Status) {}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let universe = mpi::initialize().ok_or("MPI does not start")?;
    let world = universe.world();
    if world.size() != 2 {
        return Err("this is for 2 ranks".into());
    }
    let rounds = argument(1, 67);
    let mut ratios = Vec::new();
    let all = [(1, 512), (8, 256), (64, 64), (64, 512), (512, 64), (512, 512), (2048, 512)];
    let one = (argument(2, 0), argument(3, 0));
    for &(rows, columns) in if one.0 > 0 { std::slice::from_ref(&one) } else { &all[..] } {
        let [ours, theirs, packed] = race(&world, rows, columns, rounds)?;
        let text = format!("{ours:.1} us a message, by hand {theirs:.1}, packed {packed:.1}; {:.3}", ours / theirs);
        say(&world, &format!("{rows} x {columns} of {ROWS} x {COLUMNS}: {text}"));
        ratios.push(ours / theirs);
    }
    say(&world, &format!("ratio {:.3}", median(ratios)));
    Ok(())
}
