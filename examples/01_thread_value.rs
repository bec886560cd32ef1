//! Who holds what: a layout of values, a layout of threads, and both as one thread-value layout.
//!
//! A tile of 24 elements is dealt out to 4 threads, 6 values each. The values of a thread lie at
//! `(2,3):(1,4)` from its first one, and the threads begin at `(2,2):(2,12)`. Side by side the two
//! are the thread-value layout `((2,2),(2,3)):((2,12),(1,4))`: mode 0 is the thread, mode 1 the
//! value. Composed with data and sliced at a thread it gives that thread's values; and since no two
//! coordinates share an element, all threads may write theirs at the same time.
//!
//! | here | CuTe |
//! |---|---|
//! | `make_layout(threads, values)` | `make_layout(thr_layout, val_layout)` |
//! | `tile.compose(tv)` | `composition(tile, tv)` |
//! | `tile.slice((thread, ..))` | `tile(thread, _)` |

use layout_algebra::prelude::*;
use layout_algebra::tensor::make_layout;

/// The values of every thread.
pub fn held_by_threads() -> Result<Vec<Vec<usize>>, LayoutError> {
    let (values, threads) = (layout!((2, 3):(1, 4)), layout!((2, 2):(2, 12)));
    let tv = make_layout(threads, values);
    assert_eq!(format!("{tv:#}"), "((2,2),(2,3)):((2,12),(1,4))");

    let elements: Vec<usize> = (0..24).collect();
    let tile = Tensor::new(&elements[..], layout!(24:1))?.try_compose(tv)?;
    Ok((0..threads.size())
        .map(|thread| tile.slice((thread, ..)).iter().copied().collect())
        .collect())
}

/// The owner of every element, written by 4 threads at once, each through a view of its own
/// elements.
pub fn owners() -> Result<Vec<usize>, LayoutError> {
    let mut tile = Tensor::new(vec![usize::MAX; 24], layout!(24:1))?;
    let tv = make_layout(layout!((2, 2):(2, 12)), layout!((2, 3):(1, 4)));
    let parts = tile.partitions_mut(tv)?;
    std::thread::scope(|scope| {
        for (thread, mut values) in parts.enumerate() {
            scope.spawn(move || values.fill(thread));
        }
    });
    Ok(tile.into_storage())
}

#[allow(dead_code, reason = "the test of this example calls the functions above")]
fn main() -> Result<(), LayoutError> {
    for (thread, values) in held_by_threads()?.iter().enumerate() {
        println!("thread {thread}: {values:?}");
    }
    println!("owners: {:?}", owners()?);
    Ok(())
}
