//! What ends a kernel on the CPU is said once, by whoever has launched it, whatever the other
//! threads are doing: waiting at a barrier that no longer fills, or failing in the same line.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::panic::{Location, catch_unwind, set_hook, take_hook};
use std::sync::atomic::{AtomicUsize, Ordering};

use layout_algebra::atom::{UniversalCopy, UniversalFma, copy, make_tiled_copy, make_tiled_mma};
use layout_algebra::prelude::*;
use layout_nvidia::device::{self, Trap, kernel};
use layout_nvidia::host;

/// Copies 64 x 64 elements by a tiled copy of `$threads` threads, in a block of `$block`, where
/// `$slice` is what a thread does with its slice.
macro_rules! copies {
    ($($kernel:ident: $block:literal, $threads:tt, |$tiled:ident, $id:ident| $slice:expr;)*) => {$(
        /// # Safety
        /// 64 x 64 elements lie behind each pointer.
        #[kernel(threads = Layout!($block))]
        unsafe fn $kernel(from: *const f32, to: *mut f32) -> Result<(), Trap> {
            // SAFETY: the caller's promise; each thread writes its own part.
            let (from, mut to) = unsafe {
                (Tensor::from_global_ref(from, layout!((64, 64))), Tensor::from_global(to, layout!((64, 64))))
            };
            let $tiled =
                make_tiled_copy(UniversalCopy::<f32>::new(), layout!($threads), layout!((1, 1)))?;
            let $id = device::thread_index();
            for thread in $slice {
                copy(&$tiled, &thread.partition_s(&from)?, &mut thread.partition_d_mut(&mut to)?)?;
            }
            // SAFETY: all threads come here, if none of them ends the kernel.
            unsafe { device::sync_threads() };
            Ok(())
        }
    )*};
}
copies! {
    traps: 256, (16, 8), |tiled, id| {
        let Some(thread) = tiled.get_slice(id) else { device::trap() };
        [thread]
    };
    unwraps: 256, (16, 8), |tiled, id| [tiled.get_slice(id).unwrap()];
    half: 128, (16, 16), |tiled, id| tiled.get_slice(id).into_iter();
    // These are right: a warpgroup of two copies, and each thread has two slices.
    one_of_two: 256, (16, 8), |tiled, id| tiled.get_slice(id).into_iter();
    twice: 128, (16, 16), |tiled, id| [id, id + 128].into_iter().filter_map(|i| tiled.get_slice(i));
}
/// # Safety
/// Nothing is asked.
#[kernel(threads = Layout!(64))]
unsafe fn product() {
    let mma = make_tiled_mma(UniversalFma::<f32>::new(), layout!((4, 8, 1)), tiler!(_, _, _));
    let Some(_) = mma.get_slice(device::thread_index()) else { device::trap() };
    // SAFETY: all threads come here.
    unsafe { device::sync_threads() };
}
/// # Safety
/// Nothing is asked.
#[kernel(threads = Layout!(64))]
unsafe fn index(length: u32) {
    let numbers = vec![0; length as usize];
    let _ = std::hint::black_box(numbers[device::thread_index()]);
    // SAFETY: all threads come here, if none of them ends the kernel.
    unsafe { device::sync_threads() };
}
/// # Safety
/// Nothing is asked.
#[kernel(threads = Layout!(64))]
unsafe fn leaves() {
    if device::thread_index() > 0 {
        // SAFETY: thread 0 does not come here: this is the mistake.
        unsafe { device::sync_threads() };
    }
}

/// Copies 64 x 64 elements through fragments: brought by columns of 4 x 4 values, and written as
/// `$write` says with the threads' parts by columns and by rows.
macro_rules! through_fragments {
    ($($kernel:ident: |$columns:ident, $rows:ident, $values:ident, $to:ident, $id:ident| $write:expr;)*) => {$(
        /// # Safety
        /// 64 x 64 elements lie behind each pointer.
        #[kernel(threads = Layout!(256))]
        unsafe fn $kernel(from: *const f32, to: *mut f32) -> Result<(), Trap> {
            // SAFETY: the caller's promise; each thread writes its own part.
            let (from, mut $to) = unsafe {
                (Tensor::from_global_ref(from, layout!((64, 64))), Tensor::from_global(to, layout!((64, 64))))
            };
            let (four, one) = (UniversalCopy::<f32, Int<4>>::new(), UniversalCopy::<f32>::new());
            let threads = layout!((16, 16));
            let $columns = make_tiled_copy(four, threads, layout!((4, 4)))?;
            let $rows = make_tiled_copy(one, threads, layout!((4, 4): right))?;
            let $id = device::thread_index();
            let Some(read) = $columns.get_slice($id) else { device::trap() };
            let part = read.partition_s(&from)?;
            let mut $values = part.fragment_like::<f32>();
            copy(&$columns, &part, &mut $values)?;
            $write;
            Ok(())
        }
    )*};
}
/// The thread's part of a tiled copy.
macro_rules! slice {
    ($tiled:ident, $id:ident) => {
        $tiled.get_slice($id).unwrap_or_else(|| device::trap())
    };
}
through_fragments! {
    forgotten: |_columns, rows, values, to, id| {
        copy(&rows, &values, &mut slice!(rows, id).partition_d_mut(&mut to)?)?
    };
    retiled: |columns, rows, values, to, id| {
        let values = slice!(rows, id).retile_s(&values, slice!(columns, id).slice_d())?;
        copy(&rows, &values, &mut slice!(rows, id).partition_d_mut(&mut to)?)?
    };
    // The order of the values is that of the columns, by another atom.
    by_values: |_columns, _rows, values, to, id| {
        let same =
            make_tiled_copy(UniversalCopy::<f32>::new(), layout!((16, 16)), layout!((4, 4)))?;
        copy(&same, &values, &mut slice!(same, id).partition_d_mut(&mut to)?)?
    };
    // Each block of 4 x 4 is transposed where it is.
    meant: |_columns, rows, values, to, id| {
        copy(rows.atom(), &values, &mut slice!(rows, id).partition_d_mut(&mut to)?)?
    };
}

/// How many panics are printed.
static PRINTED: AtomicUsize = AtomicUsize::new(0);
/// What a launch says, which nothing else is printed beside.
#[track_caller]
fn said_once(launch: impl FnOnce() + std::panic::UnwindSafe) -> String {
    let before = PRINTED.load(Ordering::Relaxed);
    let panic = catch_unwind(launch).expect_err("it ends");
    let (printed, place) = (PRINTED.load(Ordering::Relaxed) - before, Location::caller());
    let said = panic.downcast::<String>().map_or_else(|_| "no sentence".into(), |said| *said);
    // That of the thread, if backtraces are asked for, is printed too.
    let traced = Backtrace::capture().status() == BacktraceStatus::Captured;
    assert!((1..=1 + usize::from(traced)).contains(&printed), "{place}: {printed} panics: {said}");
    said
}

// One test: the hook is the process's.
#[test]
#[cfg_attr(not(debug_assertions), ignore = "slices are watched with debug assertions alone")]
fn a_fault_is_said_once() {
    let default = take_hook();
    set_hook(Box::new(move |info| {
        PRINTED.fetch_add(1, Ordering::Relaxed);
        default(info);
    }));
    let numbers: Vec<f32> = (0..4096).map(|i| i as f32).collect();
    macro_rules! said {
        ($kernel:ident) => {
            said_once(|| {
                let mut to = vec![0.0; 4096];
                // SAFETY: 64 x 64 elements each.
                unsafe { host::launch::<$kernel>(1, (&numbers[..], &mut to[..])) }
            })
        };
    }
    macro_rules! copied {
        ($kernel:ident) => {
            let mut to = vec![0.0; 4096];
            // SAFETY: 64 x 64 elements each.
            unsafe { host::launch::<$kernel>(1, (&numbers[..], &mut to[..])) };
            assert_eq!(to, numbers);
        };
    }
    let here = |said: String| {
        let (place, said) = said.split_once(": ").expect("a place");
        let (file, line) = place.split_once(".rs:").expect("a file");
        assert!(file.ends_with("faults") && line.contains(':'), "{place}");
        said.to_string()
    };
    let said = here(said!(traps));
    let (before, thread) = said.rsplit_once(' ').expect("words");
    assert_eq!(
        before,
        "a `TiledCopy` of 128 threads in a block of 256: it has no slice for thread"
    );
    assert!((128..256).contains(&thread.parse().expect("a number")), "{thread}");

    let said = here(said!(unwraps));
    assert!(said.starts_with("called `Option::unwrap()` on a `None` value; thread "), "{said}");
    assert!(said.contains(" of block (0, 0, 0); "), "{said}");
    assert!(said.contains("a `TiledCopy` of 128 threads in a block of 256: it has no"), "{said}");

    assert_eq!(
        here(said!(half)),
        "a `TiledCopy` of 256 threads in a block of 128: nobody takes the slice of thread 128"
    );
    copied!(one_of_two);
    copied!(twice);

    let said = here(said!(forgotten));
    assert!(said.starts_with("value 1 of thread "), "{said}");
    assert!(said.contains(": `retile_s` gives a fragment the order of another copy"), "{said}");
    copied!(retiled);
    copied!(by_values);
    let mut to = vec![0.0; 4096];
    // SAFETY: as above.
    unsafe { host::launch::<meant>(1, (&numbers[..], &mut to[..])) };
    let transposed = |i: usize| {
        let (row, column) = (i % 64, i / 64);
        row / 4 * 4 + column % 4 + 64 * (column / 4 * 4 + row % 4)
    };
    assert!((0..4096).all(|i| to[i] == numbers[transposed(i)]));
    // Of one number everywhere no value moves.
    let ones = vec![1.0; 4096];
    // SAFETY: as above.
    unsafe { host::launch::<forgotten>(1, (&ones[..], &mut to[..])) };
    assert_eq!(to, ones);

    // SAFETY: nothing is asked.
    let said = here(said_once(|| unsafe { host::launch::<product>(1, ()) }));
    assert!(said.starts_with("a `TiledMma` of 32 threads in a block of 64: it has no"), "{said}");
    // SAFETY: as above.
    let said = here(said_once(|| unsafe { host::launch::<index>(1, (63_u32,)) }));
    assert_eq!(
        said,
        "index out of bounds: the len is 63 but the index is 63; thread 63 of block (0, 0, 0)"
    );
    // SAFETY: as above.
    let said = said_once(|| unsafe { host::launch::<leaves>(1, ()) });
    assert_eq!(said, "`sync_threads` is an instruction of all threads, and one of them has ended");
}
