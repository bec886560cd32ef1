//! A block of threads on the CPU, each a thread of the operating system, with exchange between
//! threads and shared memory. `layout-nvidia` runs whole kernels on it.

use std::any::{Any, type_name};
use std::backtrace::{Backtrace, BacktraceStatus};
use std::cell::{RefCell, UnsafeCell};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::panic::{self, AssertUnwindSafe, Location, PanicHookInfo};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, Once, PoisonError};
use std::thread;

use layout_algebra::tensor::CopiedFragment;
use layout_algebra::{FlatLayout, StaticLayout};

/// The threads of a warp.
const WARP: usize = 32;
/// The threads of a warpgroup.
const WARPGROUP: usize = 128;

/// The exchange of values between the threads of a warp or of a block, in rounds.
struct Meeting {
    state: Mutex<State>,
    moved: Condvar,
}
struct State {
    /// The value of each thread in this round.
    brought: Vec<Option<Arc<dyn Any + Send + Sync>>>,
    /// The values of the last complete round, and the number of threads that have not read them
    /// yet.
    full: Option<(Vec<Arc<dyn Any + Send + Sync>>, usize)>,
    /// Whether a thread has ended, so that no round can complete, and whether by a fault.
    left: bool,
    broken: bool,
}
impl Meeting {
    fn new(threads: usize) -> Arc<Self> {
        let state = State { brought: vec![None; threads], full: None, left: false, broken: false };
        Arc::new(Meeting { state: Mutex::new(state), moved: Condvar::new() })
    }
    fn lock_state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
    /// Waits until `done` returns a value.
    fn wait_until<T>(&self, instruction: &str, mut done: impl FnMut(&mut State) -> Option<T>) -> T {
        let mut state = self.lock_state();
        loop {
            if let Some(value) = done(&mut state) {
                self.moved.notify_all();
                return value;
            }
            if state.broken {
                // The other thread has reported the fault: this one does not.
                drop(state);
                panic::resume_unwind(Box::new(Ended));
            }
            if state.left {
                drop(state);
                end_kernel(format!(
                    "`{instruction}` is an instruction of all threads, and one of them has ended"
                ));
            }
            state = self.moved.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
    /// Adds `mine` to the round, and returns the values of all threads.
    fn exchange_values<T: Any + Send + Sync + Clone>(
        &self,
        place: usize,
        instruction: &str,
        mine: T,
    ) -> Vec<T> {
        // All threads have read the last round before the next one begins.
        self.wait_until(instruction, |state| state.full.is_none().then_some(()));
        {
            let mut state = self.lock_state();
            state.brought[place] = Some(Arc::new(mine));
            if state.brought.iter().all(Option::is_some) {
                let all: Vec<_> = state.brought.iter_mut().filter_map(Option::take).collect();
                let threads = all.len();
                state.full = Some((all, threads));
                self.moved.notify_all();
            }
        }
        let all = self.wait_until(instruction, |state| {
            let (all, readers) = state.full.as_mut()?;
            *readers -= 1;
            let (all, last) = (all.clone(), *readers == 0);
            if last {
                state.full = None;
            }
            Some(all)
        });
        let all = all.iter().map(|one| one.downcast_ref::<T>().cloned());
        all.collect::<Option<_>>().unwrap_or_else(|| {
            end_kernel(format!(
                "`{instruction}` is an instruction of all threads, and one of them executes \
                 another one"
            ))
        })
    }
}

/// Numbers for the three dimensions of a grid.
pub type Grid = (usize, usize, usize);

/// The payload of a panic without a message of its own.
struct Ended;

/// The state that all blocks of a launch share.
#[derive(Default)]
pub struct LaunchRecord {
    /// The address range of each argument that is a slice.
    pub given: Vec<Range<usize>>,
    /// The slices of operations with more threads than a block, by type.
    slices: Mutex<BTreeMap<&'static str, TakenSlices>>,
}
/// The threads of an operation and of a block, the location of the first request of a slice, and
/// the requested slices.
struct TakenSlices {
    threads: usize,
    of: usize,
    asked: &'static Location<'static>,
    taken: BTreeSet<usize>,
}
impl LaunchRecord {
    /// The error of an operation with more threads than a block, if some of its slices were never
    /// requested, so that their part of the operation is missing.
    pub fn missing_slices(&self) -> Option<String> {
        let slices = self.slices.lock().unwrap_or_else(PoisonError::into_inner);
        let missing = |slices: &TakenSlices| {
            (0..slices.threads).find(|thread| !slices.taken.contains(thread))
        };
        slices.iter().find_map(|(operation, slices)| {
            Some(format!(
                "{}: a `{}` of {} threads in a block of {}: nobody takes the slice of thread {}",
                slices.asked,
                short_name(operation),
                slices.threads,
                slices.of,
                missing(slices)?
            ))
        })
    }
}
/// `TiledCopy` of `layout_algebra::atom::tiled_copy::TiledCopy<..>`.
fn short_name(path: &str) -> &str {
    path.split('<').next().and_then(|path| path.rsplit("::").next()).unwrap_or(path)
}

/// The state of a thread of a block.
struct Place {
    thread: usize,
    /// The threads of its block.
    of: usize,
    /// The index of its block in the grid, and the dimensions of the grid.
    at: Grid,
    grid: Grid,
    launch: Arc<LaunchRecord>,
    /// The message of the first thread that ended the kernel.
    said: Arc<Mutex<Option<String>>>,
    /// The last panic of this thread, and the first operation that has no slice for it.
    panicked: Option<String>,
    /// Whether a thread of the block has panicked.
    has_panicked: Arc<AtomicBool>,
    no_slice: Option<String>,
    /// The fragments of this thread that were filled by a tiled copy.
    fragments: Vec<LoadedFragment>,
    memory: Arc<Memory>,
    warp: Arc<Meeting>,
    warpgroup: Arc<Meeting>,
    block: Arc<Meeting>,
}
impl Place {
    /// Ends the kernel because of a fault of this thread.
    fn say(&self, sentence: String) {
        self.said.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(sentence);
    }
    /// The body of this thread has panicked.
    fn fail(&self, panic: &(dyn Any + Send)) {
        if !panic.is::<Ended>()
            && let Some(panicked) = &self.panicked
        {
            let (thread, block) = (self.thread, self.at);
            let why = self.no_slice.as_ref().map(|why| format!("; {why}")).unwrap_or_default();
            self.say(format!("{panicked}; thread {thread} of block {block:?}{why}"));
        }
        for meeting in [&self.warp, &self.warpgroup, &self.block] {
            meeting.lock_state().broken = true;
        }
    }
}
/// At the end of a thread, also by a panic, other threads stop waiting for it.
impl Drop for Place {
    fn drop(&mut self) {
        for meeting in [&self.warp, &self.warpgroup, &self.block] {
            meeting.lock_state().left = true;
            meeting.moved.notify_all();
        }
    }
}

thread_local! {
    static PLACE: RefCell<Option<Place>> = const { RefCell::new(None) };
}

/// From now on a panic of a thread of a block is not printed: the launch panics instead, once. With
/// `RUST_BACKTRACE` the first panic of a block is printed too.
fn watch_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let noted = PLACE.try_with(|place| {
                let mut place = place.try_borrow_mut().ok()?;
                let place = place.as_mut()?;
                place.panicked = Some(panic_sentence(info));
                Some(!place.has_panicked.swap(true, Ordering::Relaxed))
            });
            let traced = || Backtrace::capture().status() == BacktraceStatus::Captured;
            match noted.ok().flatten() {
                Some(is_first) if !is_first || !traced() => {}
                _ => before(info),
            }
        }));
    });
}
fn panic_sentence(info: &PanicHookInfo<'_>) -> String {
    let place = info.location().map(|place| format!("{place}: ")).unwrap_or_default();
    let payload = info.payload();
    let said = payload.downcast_ref::<&str>().copied();
    let said = said.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    format!("{place}{}", said.unwrap_or("a panic without a sentence"))
}

/// Runs a block, with its number of threads, its index in the grid, the grid, the bytes of shared
/// memory, and the shared state of the launch.
///
/// # Panics
/// If a thread panics or ends the kernel: once, with the message of the first such thread.
#[track_caller]
pub fn run_block<R: Send>(
    number: usize,
    (at, grid): (Grid, Grid),
    bytes: usize,
    launch: &Arc<LaunchRecord>,
    body: impl Fn(usize) -> R + Sync,
) -> Vec<R> {
    watch_panics();
    let (memory, said) = (&Arc::new(Memory::new(bytes)), &Arc::new(Mutex::new(None)));
    let (block, has_panicked) = (Meeting::new(number), &Arc::new(AtomicBool::new(false)));
    let parts = |of: usize| -> Vec<_> {
        (0..number).step_by(of).map(|first| Meeting::new(of.min(number - first))).collect()
    };
    let (warps, warpgroups) = (parts(WARP), parts(WARPGROUP));
    let all: Vec<_> = thread::scope(|scope| {
        let (body, block, warps, warpgroups) = (&body, &block, &warps, &warpgroups);
        let run = move |thread: usize| {
            let (warp, warpgroup) =
                (warps[thread / WARP].clone(), warpgroups[thread / WARPGROUP].clone());
            let (memory, block) = (memory.clone(), block.clone());
            let (launch, said) = (launch.clone(), said.clone());
            let has_panicked = has_panicked.clone();
            PLACE.set(Some(Place {
                thread,
                of: number,
                at,
                grid,
                launch,
                said,
                panicked: None,
                has_panicked,
                no_slice: None,
                fragments: Vec::new(),
                memory,
                warp,
                warpgroup,
                block,
            }));
            let result = panic::catch_unwind(AssertUnwindSafe(|| body(thread)));
            let place = PLACE.take();
            result.unwrap_or_else(|panic| {
                place.iter().for_each(|place| place.fail(&*panic));
                drop(place);
                panic::resume_unwind(panic)
            })
        };
        let all: Vec<_> = (0..number).map(|thread| scope.spawn(move || run(thread))).collect();
        all.into_iter().map(|thread| thread.join()).collect()
    });
    if let Some(said) = said.lock().unwrap_or_else(PoisonError::into_inner).take() {
        panic!("{said}");
    }
    let mut results = Vec::new();
    let mut panics = Vec::new();
    for one in all {
        match one {
            Ok(result) => results.push(result),
            Err(panic) => panics.push(panic),
        }
    }
    // A hook other than that of `watch_panics` has printed the panic.
    let first = panics.iter().position(|panic| !panic.is::<Ended>()).unwrap_or(0);
    if first < panics.len() {
        panic::resume_unwind(panics.swap_remove(first));
    }
    results
}

/// Ends a kernel: the launch panics with the message of the first thread, and no thread prints it.
#[track_caller]
pub fn end_kernel(sentence: String) -> ! {
    let inside = PLACE.with_borrow(|place| place.as_ref().map(|place| place.say(sentence.clone())));
    match inside {
        Some(()) => panic::resume_unwind(Box::new(Ended)),
        None => panic!("{sentence}"),
    }
}
/// [`end_kernel`] without an error: the message is that an operation has no slice for this thread,
/// if there was one.
pub fn end_without_error(place: &Location<'_>) -> ! {
    let why = PLACE.with_borrow(|here| here.as_ref().and_then(|here| here.no_slice.clone()));
    end_kernel(why.unwrap_or_else(|| format!("{place}: a kernel was ended")))
}

/// Records that a thread requests its slice of an operation with this number of threads.
pub fn check_slice(
    operation: &'static str,
    threads: usize,
    thread: usize,
    asked: &'static Location<'static>,
) {
    PLACE.with_borrow_mut(|place| {
        let Some(place) = place else { return };
        if thread >= threads {
            place.no_slice.get_or_insert_with(|| {
                let (operation, of) = (short_name(operation), place.of);
                format!(
                    "{asked}: a `{operation}` of {threads} threads in a block of {of}: it has no \
                     slice for thread {thread}"
                )
            });
        } else if threads > place.of {
            let mut slices = place.launch.slices.lock().unwrap_or_else(PoisonError::into_inner);
            let new = || TakenSlices { threads, of: place.of, asked, taken: BTreeSet::new() };
            slices.entry(operation).or_insert_with(new).taken.insert(thread);
        }
    });
}

/// Checks the alignment of an access of `bytes` bytes to simulated device memory. The arguments of
/// the launch count as aligned to 256 bytes, as on the device.
pub fn check_vector(address: usize, bytes: usize) {
    let wrong = PLACE.with_borrow(|place| {
        let place = place.as_ref()?;
        let given = place.launch.given.iter().position(|range| range.contains(&address));
        let at = address - given.map_or(0, |argument| place.launch.given[argument].start);
        let memory = match given {
            Some(argument) => {
                format!("byte {at} of the slice number {argument} that the kernel is given")
            }
            None => format!("the address {at:#x}"),
        };
        let (thread, block) = (place.thread, place.at);
        (!at.is_multiple_of(bytes)).then(|| {
            format!(
                "thread {thread} of block {block:?} has a vector of {bytes} bytes at {memory}, \
                 which is no multiple of {bytes}: the card ends the kernel there"
            )
        })
    });
    if let Some(wrong) = wrong {
        end_kernel(wrong)
    }
}

/// The contents of a fragment after a tiled copy.
struct LoadedFragment {
    names: [&'static str; 3],
    order: FlatLayout,
    /// The address of each value, and its bytes.
    places: Vec<usize>,
    values: Vec<Vec<u8>>,
}
/// The types of elements whose bytes are looked at, and how many these are: numbers, all of whose
/// bytes are written.
const NUMBERS: [(&str, usize); 14] = [
    ("half::binary16::f16", 2),
    ("half::bfloat::bf16", 2),
    ("f32", 4),
    ("f64", 8),
    ("u8", 1),
    ("u16", 2),
    ("u32", 4),
    ("u64", 8),
    ("u128", 16),
    ("i8", 1),
    ("i16", 2),
    ("i32", 4),
    ("i64", 8),
    ("i128", 16),
];
/// Detects that an unchanged fragment of one tiled copy is written to memory by another one that
/// numbers the same elements of each thread differently, so that they would be permuted.
pub fn check_copy(copied: &CopiedFragment<'_>) {
    let [_, element, _] = copied.names;
    let Some((_, bytes)) = NUMBERS.iter().find(|(name, _)| *name == element) else { return };
    let wrong = PLACE.with_borrow_mut(|place| {
        let place = place.as_mut()?;
        let addresses: Vec<_> = (0..).map_while(|i| copied.value(i)).collect();
        // SAFETY: only `copy` makes a `CopiedFragment`, of a fragment that it has borrowed: a value
        // of that fragment, which is a number of so many bytes, lies there.
        let value = |at: &*const u8| unsafe { std::slice::from_raw_parts(*at, *bytes) }.to_vec();
        let values: Vec<_> = addresses.iter().map(value).collect();
        let places: Vec<_> = addresses.iter().map(|at| at.addr()).collect();
        if copied.is_read {
            let is_same = |fragment: &&LoadedFragment| {
                fragment.names == copied.names
                    && fragment.places == places
                    && fragment.values == values
            };
            let fragment = place.fragments.iter().find(is_same)?;
            let thread = place.thread;
            let (value, from, to) = first_moved(&fragment.order, &copied.order, thread, &values)?;
            return Some(format!(
                "{}: value {value} of thread {thread} is element {from} of the tile by the tiled \
                 copy that has brought it, and would become element {to} by this one: `retile_s` \
                 gives a fragment the order of another copy; where the order is meant to change, \
                 `tiled.atom()` copies",
                copied.asked
            ));
        }
        place.fragments.retain(|other| !other.places.iter().any(|at| places.contains(at)));
        let (names, order) = (copied.names, copied.order);
        place.fragments.push(LoadedFragment { names, order, places, values });
        None
    });
    if let Some(wrong) = wrong {
        end_kernel(wrong)
    }
}
/// The first value of a thread that would become another element of the tile, which it is and which
/// it would be. None if the two orders deal other elements to a thread, or the values are equal.
fn first_moved(
    from: &FlatLayout,
    to: &FlatLayout,
    thread: usize,
    values: &[Vec<u8>],
) -> Option<(usize, usize, usize)> {
    let (threads, count) = (from.threads(), from.values());
    let elements = |order: &FlatLayout, thread| -> Vec<_> {
        (0..count).map(|value| order.of_thread(thread, value)).collect()
    };
    let has_the_same = |thread| {
        let [mut before, mut after] = [from, to].map(|order| elements(order, thread));
        before.sort_unstable();
        after.sort_unstable();
        before == after
    };
    if (to.threads(), to.values()) != (threads, count)
        || count == 0
        || !(0..threads).all(has_the_same)
    {
        return None;
    }
    let (before, after) = (elements(from, thread % threads), elements(to, thread % threads));
    // In a tensor of several tiles, the values are in the order of the tiles.
    let moved = |value: &usize| {
        let right = before.iter().position(|element| *element == after[value % count]);
        right.is_some_and(|right| values[*value] != values[value - value % count + right])
    };
    let value = (0..values.len() / count * count).find(moved)? % count;
    Some((value, before[value], after[value]))
}

/// Waits for all threads of the block: `__syncthreads()`.
///
/// # Panics
/// If a thread has ended, or outside of [`run_threads`](crate::host::run_threads).
///
/// ```
/// use std::sync::atomic::{AtomicUsize, Ordering};
/// use layout_instructions::host;
/// let arrived = AtomicUsize::new(0);
/// let seen = host::run_threads(64, |_| {
///     arrived.fetch_add(1, Ordering::Relaxed);
///     host::sync_threads();
///     arrived.load(Ordering::Relaxed)
/// });
/// assert_eq!(seen, [64; 64]);
/// ```
pub fn sync_threads() {
    let (thread, block) = find_place("sync_threads", |place| &place.block);
    block.exchange_values(thread, "sync_threads", ());
}

/// The shared memory of a block, in units of 1024 bytes, which is its alignment.
struct Memory {
    units: Vec<Unit>,
    bytes: usize,
}
#[repr(align(1024))]
#[allow(dead_code, reason = "it is reached by pointers")]
struct Unit(UnsafeCell<[u8; 1024]>);
impl Memory {
    /// Uninitialized memory: every byte is 0xff, every float NaN.
    fn new(bytes: usize) -> Self {
        let units =
            (0..bytes.div_ceil(1024)).map(|_| Unit(UnsafeCell::new([0xff; 1024]))).collect();
        Memory { units, bytes }
    }
    fn first_byte(&self) -> *mut u8 {
        self.units.as_ptr().cast_mut().cast()
    }
}
// SAFETY: nothing here reads or writes it; whoever follows the pointer has promised what
// `SharedTiles::make_tensors` asks for.
unsafe impl Sync for Memory {}

/// The number of this thread in its block, 0 outside of [`run_threads`](crate::host::run_threads).
pub fn thread_index() -> u32 {
    PLACE.with_borrow(|place| place.as_ref().map_or(0, |place| place.thread as u32))
}
/// The threads of this thread's block, 1 outside of [`run_threads`](crate::host::run_threads).
pub fn threads_per_block() -> usize {
    PLACE.with_borrow(|place| place.as_ref().map_or(1, |place| place.of))
}
/// The place of this thread's block in the grid.
pub fn block_index() -> Grid {
    PLACE.with_borrow(|place| place.as_ref().map_or((0, 0, 0), |place| place.at))
}
/// The blocks of the grid.
pub fn blocks_per_grid() -> Grid {
    PLACE.with_borrow(|place| place.as_ref().map_or((1, 1, 1), |place| place.grid))
}
/// Where the shared memory of this thread's block begins, which has `bytes` bytes.
pub fn shared_memory(bytes: usize) -> *mut u8 {
    let place = |place: &Option<Place>| {
        place.as_ref().map(|place| (place.memory.first_byte(), place.memory.bytes))
    };
    match PLACE.with_borrow(place) {
        Some((begin, there)) if bytes <= there => begin,
        Some((_, there)) => end_kernel(format!(
            "tiles of {bytes} bytes in shared memory, and the block has {there}: `#[kernel(.., \
             shared = Shared)]` names them"
        )),
        None => panic!("a block has shared memory: on the CPU within `host::launch`"),
    }
}
/// Waits for all threads of the warp; outside of a block there are no others.
pub fn sync_warp() {
    if PLACE.with_borrow(Option::is_some) {
        let (thread, warp) = find_place("sync_warp", |place| &place.warp);
        warp.exchange_values(thread % WARP, "sync_warp", ());
    }
}
/// Whether this is not a thread of a block.
pub fn is_outside_block() -> bool {
    PLACE.with_borrow(Option::is_none)
}
/// The value of another thread of the warp, by its number there: all 32 of them ask at the same
/// time.
pub fn value_of_lane<T: Any + Send + Sync + Clone>(
    instruction: &str,
    mine: T,
    from: impl Fn(usize) -> usize,
) -> T {
    let (thread, warp) = find_place(instruction, |place| &place.warp);
    let all = warp.exchange_values(thread % WARP, instruction, mine);
    match all.get(from(thread % WARP)) {
        Some(value) if all.len() == WARP => value.clone(),
        _ => end_kernel(format!(
            "`{instruction}` is an instruction of a whole warp of {WARP} threads, and this one \
             has {}",
            all.len()
        )),
    }
}
/// Waits for all threads of the block; outside of a block there are no others.
pub fn sync_block() {
    if PLACE.with_borrow(Option::is_some) {
        sync_threads();
    }
}

fn find_place(instruction: &str, of: impl Fn(&Place) -> &Arc<Meeting>) -> (usize, Arc<Meeting>) {
    let place = |place: &Option<Place>| place.as_ref().map(|p| (p.thread, of(p).clone()));
    PLACE.with_borrow(place).unwrap_or_else(|| {
        panic!(
            "`{instruction}` is executed by many threads together: on the CPU within \
             `host::run_threads`"
        )
    })
}

/// What the threads of one instruction bring to it, by their numbers in it, and which of them this
/// one is.
pub(crate) fn exchange_operands<I, ThrId: StaticLayout, T: Any + Send + Sync + Clone>(
    mine: T,
) -> (usize, Vec<T>) {
    let ids = FlatLayout::of_type::<ThrId>();
    if ids.size() == 1 {
        return (0, vec![mine]);
    }
    let name = type_name::<I>().rsplit("::").next().unwrap_or_default();
    if ids.size() == WARPGROUP {
        let (thread, warpgroup) = find_place(name, |place| &place.warpgroup);
        let number = thread % WARPGROUP;
        return (number, warpgroup.exchange_values(number, name, mine));
    }
    let (thread, warp) = find_place(name, |place| &place.warp);
    let all = warp.exchange_values(thread % WARP, name, mine);
    // The threads of a warp fall into sets of those that `ThrId` numbers, each from its first
    // thread on.
    let mut taken = [false; WARP];
    for first in 0..WARP {
        if !taken[first] {
            let lanes: Vec<_> = (0..ids.size()).map(|i| first + ids.at(i)).collect();
            lanes.iter().for_each(|lane| taken[*lane] = true);
            if let Some(number) = lanes.iter().position(|lane| *lane == thread % WARP) {
                let of_set: Option<_> = lanes.iter().map(|lane| all.get(*lane).cloned()).collect();
                let whole = || {
                    end_kernel(format!(
                        "`{name}` is an instruction of a whole warp of {WARP} threads"
                    ))
                };
                return (number, of_set.unwrap_or_else(whole));
            }
        }
    }
    unreachable!("each thread of a warp is in a set")
}
