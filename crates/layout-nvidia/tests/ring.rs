//! A ring of stages with threads in the place of warps, in every order in which they may arrive:
//! loom runs them all.
//!
//! The barriers are `mbarrier`s in words: a phase is over when all have arrived and all bytes have
//! come.

use layout_nvidia::hopper::{Barriers, Consumer, Producer};
use loom::cell::UnsafeCell;
use loom::sync::{Condvar, Mutex};
use loom::thread;

const BYTES: u32 = 16;

struct Phase {
    number: u32,
    pending: u32,
    bytes: i64,
}
struct Barrier {
    arrivals: u32,
    phase: Mutex<Phase>,
    over: Condvar,
}
impl Barrier {
    fn new(arrivals: u32) -> Self {
        let phase = Mutex::new(Phase { number: 0, pending: arrivals, bytes: 0 });
        Barrier { arrivals, phase, over: Condvar::new() }
    }
    fn change(&self, arrivals: u32, bytes: i64) {
        let mut phase = self.phase.lock().unwrap();
        phase.pending =
            phase.pending.checked_sub(arrivals).expect("more arrive than the barrier was made for");
        phase.bytes += bytes;
        if phase.pending == 0 && phase.bytes == 0 {
            phase.number += 1;
            phase.pending = self.arrivals;
            self.over.notify_all();
        }
    }
    fn wait(&self, parity: u32) {
        let mut phase = self.phase.lock().unwrap();
        while phase.number % 2 == parity {
            phase = self.over.wait(phase).unwrap();
        }
    }
}

/// A block: the barriers of its stages, and what lies in them.
struct Block<const STAGES: usize> {
    full: [Barrier; STAGES],
    empty: [Barrier; STAGES],
    stages: [[UnsafeCell<u32>; 2]; STAGES],
}
impl<const STAGES: usize> Block<STAGES> {
    fn new(consumers: u32) -> &'static Self {
        Box::leak(Box::new(Block {
            full: std::array::from_fn(|_| Barrier::new(1)),
            empty: std::array::from_fn(|_| Barrier::new(consumers)),
            stages: std::array::from_fn(|_| [UnsafeCell::new(0), UnsafeCell::new(0)]),
        }))
    }
}
/// The full side of a block.
#[derive(Clone)]
struct Full<const STAGES: usize>(&'static Block<STAGES>);
// SAFETY: `wait_parity` returns when the phase is over, under the lock that whoever arrived has
// held.
unsafe impl<const STAGES: usize> Barriers for Full<STAGES> {
    const STAGES: u32 = STAGES as u32;
    fn wait_parity(&self, stage: u32, parity: u32) {
        self.0.full[stage as usize].wait(parity);
    }
    fn arrive_expect_tx(&self, stage: u32, bytes: u32) {
        self.0.full[stage as usize].change(1, bytes.into());
    }
}
/// The empty side: that of its own block is waited at, and those of all blocks are arrived at.
#[derive(Clone)]
struct Empty<const STAGES: usize>(&'static Block<STAGES>, Vec<&'static Block<STAGES>>);
// SAFETY: as above.
unsafe impl<const STAGES: usize> Barriers for Empty<STAGES> {
    const STAGES: u32 = STAGES as u32;
    fn wait_parity(&self, stage: u32, parity: u32) {
        self.0.empty[stage as usize].wait(parity);
    }
    fn arrive_expect_tx(&self, stage: u32, _: u32) {
        self.1.iter().for_each(|block| block.empty[stage as usize].change(1, 0));
    }
}

/// What a tile holds.
fn value(tile: u32, part: usize) -> u32 {
    10 * (tile + 1) + part as u32
}
/// What the copy engine does: it writes one part of a stage of a block, and its bytes have come.
fn deliver<const STAGES: usize>(block: &Block<STAGES>, stage: u32, part: usize, tile: u32) {
    // SAFETY: it points to the cell; loom sees whoever reads or writes that meanwhile.
    block.stages[stage as usize][part].with_mut(|cell| unsafe { *cell = value(tile, part) });
    block.full[stage as usize].change(0, -i64::from(BYTES));
}
/// Consumes all tiles, and releases each stage as soon as `late` later ones are there.
fn consume<const STAGES: usize>(
    own: &'static Block<STAGES>,
    all: &[&'static Block<STAGES>],
    tiles: u32,
    parts: usize,
    late: bool,
) {
    let mut ring = Consumer::new(Full(own), Empty(own, all.to_vec()));
    let read = |stage: u32, tile| {
        for part in 0..parts {
            // SAFETY: as in `deliver`.
            let found = own.stages[stage as usize][part].with(|cell| unsafe { *cell });
            assert_eq!(found, value(tile, part), "tile {tile}, part {part}");
        }
    };
    let mut before = ring.consumer_wait();
    for tile in 1..tiles {
        read(before.stage_index(), tile - 1);
        if late {
            let stage = ring.consumer_wait();
            read(before.stage_index(), tile - 1); // products still run
            before.consumer_release();
            before = stage;
        } else {
            before.consumer_release();
            before = ring.consumer_wait();
        }
    }
    read(before.stage_index(), tiles - 1);
    before.consumer_release();
}

/// Two tiles, whose copies come after the producer has said so.
fn produce_two(block: &'static Block<1>, all: Vec<&'static Block<1>>) {
    let mut ring = Producer::new(Full(block), Empty(block, all));
    for tile in 0..2 {
        let reserved = ring.producer_acquire();
        let stage = reserved.stage_index();
        reserved.arrive_and_expect_tx(BYTES);
        deliver(block, stage, 0, tile);
    }
}

/// One block: a producer whose copies come before or after it says so, and `consumers` of them.
fn one_block<const STAGES: usize>(consumers: u32, tiles: u32, early: bool, late: bool) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(move || {
        let block = Block::<STAGES>::new(consumers);
        let all = vec![block];
        let threads: Vec<_> = (0..consumers)
            .map(|_| {
                let all = all.clone();
                thread::spawn(move || consume(block, &all, tiles, 1, late))
            })
            .collect();
        let mut ring = Producer::new(Full(block), Empty(block, all));
        for tile in 0..tiles {
            let reserved = ring.producer_acquire();
            let stage = reserved.stage_index();
            if early {
                deliver(block, stage, 0, tile);
                reserved.arrive_and_expect_tx(BYTES);
            } else {
                reserved.arrive_and_expect_tx(BYTES);
                deliver(block, stage, 0, tile);
            }
        }
        ring.producer_tail();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
}

#[test]
fn one_consumer_in_every_order() {
    one_block::<1>(1, 3, false, false);
    one_block::<2>(1, 5, false, true);
    one_block::<2>(1, 3, true, true);
    one_block::<3>(1, 4, false, true);
}
#[test]
fn two_consumers_in_every_order() {
    one_block::<1>(2, 2, false, false);
    one_block::<2>(2, 2, true, true);
}

/// Two blocks of a cluster: each producer fetches one part of a stage for both of them.
#[test]
fn the_copies_of_a_cluster_in_every_order() {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(2);
    builder.check(|| {
        const TILES: u32 = 2;
        // A consumer of each block arrives at both.
        let blocks = vec![Block::<1>::new(2), Block::<1>::new(2)];
        let produce = |part: usize| {
            let blocks = blocks.clone();
            move || {
                let own = blocks[part];
                let mut ring = Producer::new(Full(own), Empty(own, blocks.clone()));
                for tile in 0..TILES {
                    let reserved = ring.producer_acquire();
                    let stage = reserved.stage_index();
                    // The other block's barrier gets bytes, too, which its producer may not have
                    // announced yet.
                    blocks.iter().for_each(|block| deliver(block, stage, part, tile));
                    reserved.arrive_and_expect_tx(2 * BYTES);
                }
                ring.producer_tail();
            }
        };
        let consumer = |part: usize| {
            let blocks = blocks.clone();
            move || consume(blocks[part], &blocks, TILES, 2, false)
        };
        let threads =
            [thread::spawn(produce(1)), thread::spawn(consumer(0)), thread::spawn(consumer(1))];
        produce(0)();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
}

/// The model sees what is wrong: a stage that is released before it is read.
#[test]
#[should_panic]
fn a_stage_that_is_released_too_early_is_seen() {
    loom::model(|| {
        let block = Block::<1>::new(1);
        let all = vec![block];
        let consumer = {
            let all = all.clone();
            thread::spawn(move || {
                let mut ring = Consumer::new(Full(block), Empty(block, all));
                for tile in 0..2 {
                    let stage = ring.consumer_wait();
                    let number = stage.stage_index() as usize;
                    stage.consumer_release();
                    assert_eq!(
                        // SAFETY: it points to the cell, and that others write it meanwhile is what
                        // loom is to see.
                        block.stages[number][0].with(|cell| unsafe { *cell }),
                        value(tile, 0)
                    );
                }
            })
        };
        produce_two(block, all);
        consumer.join().unwrap();
    });
}
/// .. and a ring whose consumers are fewer than its barriers were made for: nobody goes on.
#[test]
#[should_panic(expected = "deadlock")]
fn a_consumer_that_never_comes_is_a_deadlock() {
    loom::model(|| {
        let block = Block::<1>::new(2);
        let all = vec![block];
        let consumer = {
            let all = all.clone();
            thread::spawn(move || consume(block, &all, 2, 1, false))
        };
        produce_two(block, all);
        consumer.join().unwrap();
    });
}

#[test]
#[should_panic(expected = "a stage that was reserved is not filled")]
fn a_reserved_stage_that_is_forgotten_is_a_panic() {
    loom::model(|| {
        let block = Block::<1>::new(1);
        let mut ring = Producer::new(Full(block), Empty(block, vec![block]));
        let _ = ring.producer_acquire();
    });
}
