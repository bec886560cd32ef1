//! What a call costs: no heap up to 8 axes, and its time.
//!
//! `cargo test --release -p layout-arrays --test calls -- --ignored --nocapture` prints the
//! nanoseconds of each call.

mod random;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;
use std::time::Instant;

use layout_arrays::{ArrayError, ArrayLayout};

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

/// The system's memory, counted.
struct Counted;

// SAFETY: the system's allocator does all of it.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTED: Counted = Counted;

/// A named call on a layout.
type Call = (&'static str, fn(&ArrayLayout) -> Result<ArrayLayout, ArrayError>);

/// Calls on a layout of four axes, of which the last two are cropped: (8,6,10,12).
const CALLS: [Call; 16] = [
    ("row_major", |_| ArrayLayout::row_major(&[8, 6, 10, 12])),
    ("from_parts", |_| ArrayLayout::from_parts(&[8, 6, 10, 12], &[840, 140, -14, 1], 126)),
    ("reshape", |l| l.reshape(&[2, 4, 3, 2, 10, 3, 4])),
    ("reshape, a copy", |l| l.reshape(&[8, 60, 12])),
    ("broadcast_to", |l| l.broadcast_to(&[3, 8, 6, 10, 12])),
    ("permute", |l| l.permute(&[3, 0, 2, 1])),
    ("transpose", |l| Ok(l.transpose())),
    ("flip", |l| l.flip(2)),
    ("slice", |l| l.slice(2, 1..9, 2)),
    ("index", |l| l.index(1, 4)),
    ("squeeze", |l| Ok(l.squeeze())),
    ("unsqueeze", |l| l.unsqueeze(2)),
    ("merge", |l| l.merge(0..2)),
    ("split", |l| l.split(3, &[3, 4])),
    ("is_contiguous, span, offsets_fit", |l| {
        black_box((l.is_contiguous(), l.span(), l.offsets_fit::<u32>()));
        Err(ArrayError::NoStrides)
    }),
    ("overlaps", |l| {
        black_box(l.overlaps());
        Err(ArrayError::NoStrides)
    }),
];

fn cropped() -> ArrayLayout {
    ArrayLayout::from_parts(&[8, 6, 10, 12], &[840, 140, -14, 1], 126).expect("it fits")
}

#[test]
fn few_axes_take_no_heap() {
    let mut random = random::Random::of_this_run();
    let l = cropped();
    for (name, call) in CALLS {
        let before = ALLOCATIONS.get();
        let _ = black_box(call(&l));
        assert_eq!(ALLOCATIONS.get(), before, "{name} takes heap");
    }
    for _ in 0..2_000 {
        let shape = random.shape();
        let l = random.layout_of(&shape);
        let to = random.shape_of(l.size());
        let order = random.permutation(shape.len());
        let before = ALLOCATIONS.get();
        let _ = black_box((
            l.reshape(&to),
            l.permute(&order),
            l.merge(..),
            l.unsqueeze(0),
            l.overlaps(),
            l.clone(),
        ));
        assert_eq!(ALLOCATIONS.get(), before, "{l} to {to:?}");
    }
    // The ninth axis is counted, so counting works.
    let before = ALLOCATIONS.get();
    let _ = black_box(ArrayLayout::row_major(&[1; 8]));
    assert_eq!(ALLOCATIONS.get(), before);
    let _ = black_box(ArrayLayout::row_major(&[1; 9]));
    assert!(ALLOCATIONS.get() > before);
}

#[test]
#[ignore = "times calls: for a release build"]
fn nanoseconds_of_each_call() {
    let l = cropped();
    let mut slowest = 0.0_f64;
    for (name, call) in CALLS {
        // The best of many rounds: others use the processor meanwhile.
        let round = || {
            let start = Instant::now();
            (0..1000).for_each(|_| {
                let _ = black_box(call(black_box(&l)));
            });
            start.elapsed().as_secs_f64() * 1e6
        };
        let best = (0..200).map(|_| round()).fold(f64::INFINITY, f64::min);
        println!("{best:6.1} ns  {name}");
        slowest = slowest.max(best);
    }
    assert!(slowest < 60.0, "{slowest:.1} ns");
}
