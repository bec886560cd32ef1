//! A block of threads on the CPU, each a thread of the operating system: what they hand each other,
//! and the memory that they share. `layout-nvidia` runs whole kernels on it.

use std::any::{Any, type_name};
use std::cell::{RefCell, UnsafeCell};
use std::ops::Range;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use layout_algebra::{FlatLayout, StaticLayout};

/// The threads of a warp.
const WARP: usize = 32;
/// The threads of a warpgroup.
const WARPGROUP: usize = 128;

/// What the threads of a warp, or of a block, hand each other: one round after the other.
struct Meeting {
    state: Mutex<State>,
    moved: Condvar,
}
struct State {
    /// What each thread has brought to this round.
    brought: Vec<Option<Arc<dyn Any + Send + Sync>>>,
    /// What all threads brought to the last full round, and how many are still to read it.
    full: Option<(Vec<Arc<dyn Any + Send + Sync>>, usize)>,
    /// Whether a thread has ended, so that no round can become full again.
    left: bool,
}
impl Meeting {
    fn new(threads: usize) -> Arc<Self> {
        let state = State { brought: vec![None; threads], full: None, left: false };
        Arc::new(Meeting { state: Mutex::new(state), moved: Condvar::new() })
    }
    fn lock_state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
    /// Waits until `done` gives something.
    fn wait_until<T>(&self, instruction: &str, mut done: impl FnMut(&mut State) -> Option<T>) -> T {
        let mut state = self.lock_state();
        loop {
            if let Some(value) = done(&mut state) {
                self.moved.notify_all();
                return value;
            }
            let ended = state.left;
            if ended {
                drop(state);
                panic!(
                    "`{instruction}` is an instruction of all threads, and one of them has ended"
                );
            }
            state = self.moved.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
    /// Brings `mine` and gives what all have brought.
    fn exchange_values<T: Any + Send + Sync + Clone>(
        &self,
        place: usize,
        instruction: &str,
        mine: T,
    ) -> Vec<T> {
        // The last round is over for all before the next one begins.
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
            panic!("`{instruction}` is an instruction of all threads, and one of them executes another one")
        })
    }
}

/// Numbers along the three modes of a grid.
pub type Grid = (usize, usize, usize);

/// Where a thread of a block stands.
struct Place {
    thread: usize,
    /// The threads of its block.
    of: usize,
    /// The place of its block in the grid, and the blocks of that.
    at: Grid,
    grid: Grid,
    /// Where the memory begins and ends that the kernel was given: of each argument that is a
    /// slice.
    given: Arc<[Range<usize>]>,
    /// What the first thread that ended the kernel has said.
    said: Arc<Mutex<Option<String>>>,
    memory: Arc<Memory>,
    warp: Arc<Meeting>,
    warpgroup: Arc<Meeting>,
    block: Arc<Meeting>,
}
/// A thread that ends, in a panic too, keeps nobody waiting.
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

/// Runs a block: its number of threads, its place in the grid and that, and the bytes of its shared
/// memory.
pub fn run_block<R: Send>(
    number: usize,
    (at, grid): (Grid, Grid),
    bytes: usize,
    given: &Arc<[Range<usize>]>,
    body: impl Fn(usize) -> R + Sync,
) -> Vec<R> {
    let (memory, said) = (&Arc::new(Memory::new(bytes)), &Arc::new(Mutex::new(None)));
    let block = Meeting::new(number);
    let parts = |of: usize| -> Vec<_> {
        (0..number).step_by(of).map(|first| Meeting::new(of.min(number - first))).collect()
    };
    let (warps, warpgroups) = (parts(WARP), parts(WARPGROUP));
    thread::scope(|scope| {
        let (body, block, warps, warpgroups) = (&body, &block, &warps, &warpgroups);
        let run = move |thread: usize| {
            let (warp, warpgroup) =
                (warps[thread / WARP].clone(), warpgroups[thread / WARPGROUP].clone());
            let (memory, block) = (memory.clone(), block.clone());
            let (given, said) = (given.clone(), said.clone());
            PLACE.set(Some(Place {
                thread,
                of: number,
                at,
                grid,
                given,
                said,
                memory,
                warp,
                warpgroup,
                block,
            }));
            let result = body(thread);
            PLACE.set(None);
            result
        };
        let all: Vec<_> = (0..number).map(|thread| scope.spawn(move || run(thread))).collect();
        let all: Vec<_> = all.into_iter().map(|thread| thread.join()).collect();
        if let Some(said) = said.lock().unwrap_or_else(PoisonError::into_inner).take() {
            panic!("{said}");
        }
        all.into_iter()
            .map(|result| result.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}

/// Ends a kernel: what the first thread says becomes the panic of whoever has launched it, and no
/// thread prints it.
#[track_caller]
pub fn end_kernel(sentence: String) -> ! {
    let said = PLACE.with_borrow(|place| place.as_ref().map(|place| place.said.clone()));
    match said {
        Some(said) => {
            said.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(sentence);
            std::panic::resume_unwind(Box::new("a kernel was ended"))
        }
        None => panic!("{sentence}"),
    }
}

/// A vector of `bytes` bytes is read or written at an address of memory that stands for the
/// device's: there it has to be a multiple of them. What was given to the launch begins at a
/// multiple of 256, as the device's memory does.
pub fn check_vector(address: usize, bytes: usize) {
    let wrong = PLACE.with_borrow(|place| {
        let place = place.as_ref()?;
        let given = place.given.iter().position(|range| range.contains(&address));
        let at = address - given.map_or(0, |argument| place.given[argument].start);
        let memory = match given {
            Some(argument) => format!("byte {at} of the slice number {argument} that the kernel is given"),
            None => format!("the address {at:#x}"),
        };
        let (thread, block) = (place.thread, place.at);
        (!at.is_multiple_of(bytes)).then(|| {
            format!(
                "thread {thread} of block {block:?} has a vector of {bytes} bytes at {memory}, which is no multiple of \
                 {bytes}: the card ends the kernel there"
            )
        })
    });
    if let Some(wrong) = wrong {
        end_kernel(wrong)
    }
}

/// Waits for all threads of the block: what `__syncthreads()` is to a kernel.
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

/// The shared memory of a block, in units of 1024 bytes, at whose multiples it begins.
struct Memory {
    units: Vec<Unit>,
    bytes: usize,
}
#[repr(align(1024))]
#[allow(dead_code, reason = "it is reached by pointers")]
struct Unit(UnsafeCell<[u8; 1024]>);
impl Memory {
    /// Nothing that a kernel has written: every byte is 0xff, every float no number.
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
        Some((_, there)) => panic!(
            "tiles of {bytes} bytes in shared memory, and the block has {there}: `#[kernel(.., shared = Shared)]` names them"
        ),
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
/// Is this no thread of a block?
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
        _ => panic!(
            "`{instruction}` is an instruction of a whole warp of {WARP} threads, and this one has {}",
            all.len()
        ),
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
        panic!("`{instruction}` is executed by many threads together: on the CPU within `host::run_threads`")
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
                let whole =
                    || panic!("`{name}` is an instruction of a whole warp of {WARP} threads");
                return (number, of_set.unwrap_or_else(whole));
            }
        }
    }
    unreachable!("each thread of a warp is in a set")
}
