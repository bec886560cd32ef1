//! The source of the kernel, compiled for the CPU and run there, on random pairs of distributions,
//! compared with the expected part of each rank. `KERNEL_DRAWS` is the number of pairs, `SEED` the
//! seed.

use std::process::Command;

use crate::draws::{Draw, number_of};
use crate::piece::Piece;
use crate::push_plan::{MOST_RANKS, PushPlan};
use crate::redistribution::Launch;

/// Bytes aligned to 16, as in `Memory`, with unused bytes after them.
struct Part {
    words: Vec<u128>,
    bytes: usize,
}

impl Part {
    const FREE: u8 = 0xa5;

    fn new(bytes: &[u8]) -> Part {
        let mut words = vec![u128::from_ne_bytes([Part::FREE; 16]); bytes.len().div_ceil(16) + 2];
        bytemuck::cast_slice_mut(&mut words)[..bytes.len()].copy_from_slice(bytes);
        Part { words, bytes: bytes.len() }
    }
    fn address(&mut self) -> u64 {
        self.words.as_mut_ptr() as u64
    }
}

#[test]
fn the_kernel_is_right_on_the_processor() {
    let library = std::env::temp_dir().join(format!("layout-gpus-{}.so", std::process::id()));
    let compiled = Command::new("g++")
        .args(["-std=c++17", "-O1", "-w", "-fno-strict-aliasing", "-shared", "-fPIC", "-pthread"])
        .args([concat!(env!("CARGO_MANIFEST_DIR"), "/src/host.cpp"), "-o"])
        .arg(&library)
        .status();
    let Ok(status) = compiled else { return println!("NOT RUN: there is no g++") };
    assert!(status.success(), "the kernel compiles for the processor");
    // SAFETY: what was compiled here from `host.cpp` runs nothing when it is loaded.
    let loaded = unsafe { libloading::Library::new(&library) }.expect("a library");
    std::fs::remove_file(&library).expect("the library is loaded");
    // SAFETY: `host.cpp` has this function, with these arguments.
    let run: libloading::Symbol<'_, unsafe extern "C" fn(*const Launch, u32)> =
        unsafe { loaded.get(b"run_on_host") }.expect("its function");
    let (seed, count) = (number_of("SEED", 1), number_of("KERNEL_DRAWS", 40));
    println!("SEED={seed} KERNEL_DRAWS={count}");
    for draw in seed..seed + count {
        let ranks = 2 + (draw % 3) as usize;
        let of = Draw::new(draw, ranks, 1 << 14).expect("a draw");
        let plan = PushPlan::new(&of.from, &of.to, of.element).expect("a plan");
        let expected = of.expected(true);
        let mut from: Vec<Part> = of.parts(true).iter().map(|part| Part::new(part)).collect();
        let free = |part: &Vec<u8>| Part::new(&vec![Part::FREE; part.len()]);
        let mut to: Vec<Part> = expected.iter().map(free).collect();
        let addresses = |parts: &mut [Part]| {
            let mut all = [0; MOST_RANKS];
            all.iter_mut().zip(parts).for_each(|(at, part)| *at = part.address());
            all
        };
        for (rank, table) in plan.tables().iter().enumerate() {
            let launch = Launch {
                from: addresses(&mut from),
                to: addresses(&mut to),
                flags: [0; MOST_RANKS],
                pieces: table.pieces.as_ptr() as u64,
                ends: table.ends.as_ptr() as u64,
                list: table.list.as_ptr() as u64,
                failed: 0,
                limit: 0,
                piece_count: table.pieces.len() as u32,
                tiles: table.tiles(),
                lanes: table.lanes,
                rank: rank as u32,
                ranks: ranks as u32,
                epoch: 0,
            };
            // SAFETY: the addresses are those of parts and tables that live, with the bytes that
            // the plan was made for and room behind them.
            unsafe { run(&launch, table.tiles().clamp(1, 3)) };
        }
        for (rank, (part, expected)) in to.iter().zip(&expected).enumerate() {
            let (own, behind) = bytemuck::cast_slice::<_, u8>(&part.words).split_at(part.bytes);
            let wrong = own.iter().zip(expected).position(|(a, b)| a != b);
            let is_free = behind.iter().all(|&byte| byte == Part::FREE);
            assert!(
                wrong.is_none() && is_free,
                "SEED={draw}: rank {rank} of {ranks}, byte {wrong:?}: {} to {}",
                of.from,
                of.to
            );
        }
    }
    assert_eq!(size_of::<Piece>() % 8, 0);
}
