//! Tiles of a matrix sent to another rank and back: as tensors, by a datatype written by hand with
//! raw MPI, and packed.
//!
//! ```sh
//! mpirun -n 2 target/release/examples/messages [rounds] [rows columns]
//! ```
//!
//! The last line is `ratio R`: our time divided by that of the datatype written by hand, the median
//! over all tiles. What is sent carries its type in its tag, and is looked at before it is
//! received, as `checked`.

use std::mem::MaybeUninit;
use std::time::Instant;

use layout_algebra::prelude::*;
use layout_mpi::{Messages, ReceiveChecked, SendChecked};
use mpi::ffi;
use mpi::raw::AsRaw;
use mpi::topology::{Communicator, Process, SimpleCommunicator};
use mpi::traits::*;

#[allow(dead_code, reason = "the time of a message is that of one rank")]
mod side_by_side;

use side_by_side::{Race, argument, on_all, say};

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
            ffi::MPI_Type_vector(
                columns as i32,
                rows as i32,
                ROWS as i32,
                element,
                tile.as_mut_ptr(),
            );
            ffi::MPI_Type_commit(tile.as_mut_ptr());
            tile.assume_init()
        };
        ByHand { tile, matrix, other: 1 - world.rank(), world: world.as_raw() }
    }
    fn send(&mut self) {
        // SAFETY: the datatype leads to `rows` elements in each of `columns` columns, which are in
        // the first half.
        unsafe {
            ffi::MPI_Send(self.matrix.as_ptr().cast(), 1, self.tile, self.other, 0, self.world)
        };
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

/// How many messages are timed as one: so few that both ranks are seldom interrupted meanwhile.
fn messages(elements: usize) -> usize {
    (1 << 15 >> elements.ilog2()).clamp(1, 30)
}

/// Messages to and fro: rank 0 sends first. The seconds of one.
fn to_and_fro<A>(
    rank: i32,
    count: usize,
    ends: &mut A,
    send: impl Fn(&mut A),
    receive: impl Fn(&mut A),
) -> f64 {
    let start = Instant::now();
    for _ in 0..count {
        if rank == 0 {
            send(ends);
            receive(ends);
        } else {
            receive(ends);
            send(ends);
        }
    }
    start.elapsed().as_secs_f64() / 2.0 / count as f64
}

/// The times of the four on tiles of some size: as tensors, as tensors that are checked, by hand,
/// and packed.
fn race(
    world: &SimpleCommunicator,
    rows: usize,
    columns: usize,
    rounds: usize,
) -> Result<Race<4>, layout_mpi::Error> {
    let (rank, count) = (world.rank(), messages(rows * columns));
    let other: Process<'_> = world.process_at_rank(1 - rank);
    let mut matrices = [(); 3]
        .map(|()| (0..2 * RECEIVED).map(|i| (i + rank as usize) as f64).collect::<Vec<f64>>());
    let mut race = Race::new(9);
    for round in 0..=rounds {
        // Each has each of the matrices in turns: where one lies in memory is no part of the
        // program.
        matrices.rotate_left(1);
        let [a, b, c] = &mut matrices;
        // What is sent and what is received are halves of one matrix.
        let mut matrix = Tensor::new(&mut a[..], layout!((ROWS, COLUMNS):(1, ROWS)))?;
        let (sent, mut received) = matrix.split_at_mut::<1>(COLUMNS / 2);
        let sent = sent.slice((0..rows, 0..columns));
        let mut received = received.slice_mut((0..rows, 0..columns));
        let tensors = &std::cell::RefCell::new((sent.message()?, received.message_mut()?));

        let mut by_hand = ByHand::new(world, b, rows, columns);

        let mut matrix = Tensor::new(&mut c[..], layout!((ROWS, COLUMNS):(1, ROWS)))?;
        let (sent, mut received) = matrix.split_at_mut::<1>(COLUMNS / 2);
        let sent = sent.slice((0..rows, 0..columns));
        let received = received.slice_mut((0..rows, 0..columns));
        let buffer = Tensor::new(vec![0.0; rows * columns], layout!((rows, columns)))?;
        let mut packed = (sent, received, buffer);

        let mut as_tensors = || {
            let receive = |t: &mut (_, _)| drop_status(other.receive_into(&mut t.1));
            to_and_fro(rank, count, &mut *tensors.borrow_mut(), |t| other.send(&t.0), receive)
        };
        let mut as_checked = || {
            let receive =
                |t: &mut (_, _)| drop_status(other.receive_checked(&mut t.1).expect("one type"));
            to_and_fro(
                rank,
                count,
                &mut *tensors.borrow_mut(),
                |t| other.send_checked(&t.0),
                receive,
            )
        };
        let mut as_by_hand =
            || to_and_fro(rank, count, &mut by_hand, ByHand::send, ByHand::receive);
        let mut as_packed = || {
            to_and_fro(
                rank,
                count,
                &mut packed,
                |(sent, _, buffer)| {
                    buffer.copy_from(sent).expect("one shape");
                    other.send(buffer.as_slice().expect("compact"));
                },
                |(_, received, buffer)| {
                    other.receive_into(buffer.as_mut_slice().expect("compact"));
                    received.copy_from(buffer).expect("one shape");
                },
            )
        };
        match round {
            // The first round finds memory and connections.
            0 => Race::new(1).round([
                &mut as_tensors,
                &mut as_checked,
                &mut as_by_hand,
                &mut as_packed,
            ]),
            _ => race.round([&mut as_tensors, &mut as_checked, &mut as_by_hand, &mut as_packed]),
        }
    }
    let expected = |at: usize| (at + 1 - rank as usize) as f64;
    let received = |matrix: &[f64]| {
        let right =
            |j: usize| (0..rows).all(|i| matrix[RECEIVED + i + ROWS * j] == expected(i + ROWS * j));
        (0..columns).all(right)
    };
    let [a, b, c] = &matrices;
    assert!(on_all(world, a == b && b == c && received(a)));
    Ok(race)
}

fn drop_status(_: mpi::point_to_point::Status) {}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let universe = mpi::initialize().ok_or("MPI does not start")?;
    let world = universe.world();
    if world.size() != 2 {
        return Err("this is for 2 ranks".into());
    }
    let rounds = argument(1, 15);
    let mut ratios = Vec::new();
    let all = [(1, 512), (8, 256), (64, 64), (64, 512), (512, 64), (512, 512), (2048, 512)];
    let one = (argument(2, 0), argument(3, 0));
    for &(rows, columns) in if one.0 > 0 { std::slice::from_ref(&one) } else { &all[..] } {
        let race = race(&world, rows, columns, rounds)?;
        let [ours, checked, theirs, packed] = race.medians().map(|seconds| seconds * 1e6);
        let text = format!(
            "{ours:.1} us a message, checked {checked:.1}, by hand {theirs:.1}, packed {packed:.1}"
        );
        let [ratio, checked] = [0, 1].map(|k| race.ratio(k, 2));
        say(
            &world,
            &format!(
                "{rows} x {columns} of {ROWS} x {COLUMNS}: {text}; {ratio}, checked {checked} \
                 times"
            ),
        );
        ratios.push(ratio.of);
    }
    ratios.sort_by(f64::total_cmp);
    say(&world, &format!("ratio {:.3}", ratios[ratios.len() / 2]));
    Ok(())
}
