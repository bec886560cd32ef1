//! An index into a `DynLayout` takes no memory from the heap, whatever the coordinate is written
//! as.

use std::alloc::{GlobalAlloc, Layout as Block, System};
use std::cell::Cell;

use layout_algebra::prelude::{DynLayout, DynShape};

/// The system's allocator, counting the calls of each thread.
struct Counting;

thread_local! {
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call goes on to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, block: Block) -> *mut u8 {
        CALLS.set(CALLS.get() + 1);
        // SAFETY: of the caller.
        unsafe { System.alloc(block) }
    }
    unsafe fn dealloc(&self, address: *mut u8, block: Block) {
        // SAFETY: of the caller.
        unsafe { System.dealloc(address, block) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The calls of the allocator while `f` runs.
fn allocations<T>(f: impl FnOnce() -> T) -> usize {
    let before = CALLS.get();
    std::hint::black_box(f());
    CALLS.get() - before
}

#[test]
fn an_index_takes_no_memory() {
    // Beyond 8 leaves, the layout itself lies on the heap; its index still takes nothing.
    for text in [
        "(64,64):(4096,1)",
        "((8,8),(4,16)):((1,32),(8,512))",
        "((2,2,2),(2,2,2),(2,2,(2,2))):((1,2,4),(8,16,32),(64,128,(256,512)))",
    ] {
        let layout: DynLayout = text.parse().unwrap();
        let coordinate: DynShape = layout.shape().coord(layout.size() - 1);
        let flat = layout.flatten();
        let digits = coordinate.leaves().to_vec();
        assert_eq!(
            allocations(|| (0..layout.size()).map(|i| layout.index(i)).sum::<usize>()),
            0,
            "{text}: numbers"
        );
        assert_eq!(allocations(|| layout.index(&coordinate)), 0, "{text}: a nested coordinate");
        assert_eq!(allocations(|| flat.index(&digits[..])), 0, "{text}: a flat coordinate");
        assert_eq!(flat.index(&digits[..]), layout.index(layout.size() - 1), "{text}");
        if layout.rank() == 2 {
            assert_eq!(allocations(|| layout.index([1, 1])), 0, "{text}: a pair");
        }
    }
    assert_ne!(allocations(|| vec![1]), 0, "the allocator does count");
}
