//! The threads of a block on the CPU, so that what is written for a GPU can be tested without one.
//!
//! An instruction of a warp takes something from each of 32 threads and gives each a part of the
//! result. Here these are threads of the operating system, which wait for each other at every such
//! instruction: the same code as on the GPU, much slower.

use std::any::{Any, TypeId, type_name};
use std::cell::{RefCell, UnsafeCell};
use std::ops::Range;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use layout_algebra::atom::{CopyAtom, MmaAtom, Values};
use layout_algebra::prelude::*;
use layout_algebra::tensor::assert_whole_vectors;
use layout_algebra::tensor::space::{Shared, Space};
use layout_algebra::tensor::{Addressable, Storage, StorageMut};

use crate::device::{Entry, Outcome, ParameterValue};
use crate::element::Packed;
use crate::{Atom, Instruction};

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
type Grid = (usize, usize, usize);

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

/// Runs `body` for each thread of a block at the same time, and gives what each returns. Within it
/// the instructions of a warp work: on each 32 threads from a multiple of 32 on.
///
/// # Panics
/// If a thread panics, or the threads of a warp do not execute the same instructions.
///
/// ```
/// use layout_algebra::atom::MmaAtom;
/// use layout_nvidia::host;
/// use layout_nvidia::mma::SM80_8x8x4_F64F64F64F64_TN as Atom;
/// // Each thread has an element of A and of B, 8 x 4 elements all in all, and two elements of the product.
/// let d = host::run_threads(32, |_| Atom.fma(&[1.0].into(), &[2.0].into(), [0.5, 0.0].into()));
/// assert!(d.iter().all(|d| d[..] == [8.5, 8.0]));
/// ```
pub fn run_threads<R: Send>(number: usize, body: impl Fn(usize) -> R + Sync) -> Vec<R> {
    run_block(number, ((0, 0, 0), (1, 1, 1)), 0, &Vec::new().into(), body)
}

/// Runs a block: its number of threads, its place in the grid and that, and the bytes of its shared
/// memory.
fn run_block<R: Send>(
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
pub(crate) fn end_kernel(sentence: String) -> ! {
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
fn check_vector(address: usize, bytes: usize) {
    let wrong = PLACE.with_borrow(|place| {
        let place = place.as_ref()?;
        let given = place.given.iter().position(|range| range.contains(&address));
        let at = address - given.map_or(0, |argument| place.given[argument].start);
        let memory = match given {
            Some(argument) => format!("byte {at} of the slice number {argument} that the kernel is given"),
            None => format!("the address {at:#x}"),
        };
        let (thread, block) = (place.thread, place.at);
        (at % bytes != 0).then(|| {
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
/// If a thread has ended, or outside of [`run_threads`].
///
/// ```
/// use std::sync::atomic::{AtomicUsize, Ordering};
/// use layout_nvidia::host;
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

/// The number of this thread in its block, 0 outside of [`run_threads`].
pub(crate) fn thread_index() -> u32 {
    PLACE.with_borrow(|place| place.as_ref().map_or(0, |place| place.thread as u32))
}
/// The threads of this thread's block, 1 outside of [`run_threads`].
pub(crate) fn threads_per_block() -> usize {
    PLACE.with_borrow(|place| place.as_ref().map_or(1, |place| place.of))
}
/// The place of this thread's block in the grid.
pub(crate) fn block_index() -> Grid {
    PLACE.with_borrow(|place| place.as_ref().map_or((0, 0, 0), |place| place.at))
}
/// The blocks of the grid.
pub(crate) fn blocks_per_grid() -> Grid {
    PLACE.with_borrow(|place| place.as_ref().map_or((1, 1, 1), |place| place.grid))
}
/// Where the shared memory of this thread's block begins, which has `bytes` bytes.
pub(crate) fn shared_memory(bytes: usize) -> *mut u8 {
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
pub(crate) fn sync_warp() {
    if PLACE.with_borrow(Option::is_some) {
        let (thread, warp) = find_place("sync_warp", |place| &place.warp);
        warp.exchange_values(thread % WARP, "sync_warp", ());
    }
}
/// Is this no thread of a block?
pub(crate) fn is_outside_block() -> bool {
    PLACE.with_borrow(Option::is_none)
}
/// The value of another thread of the warp, by its number there: all 32 of them ask at the same
/// time.
pub(crate) fn value_of_lane<T: Any + Send + Sync + Clone>(
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
pub(crate) fn sync_block() {
    if PLACE.with_borrow(Option::is_some) {
        sync_threads();
    }
}

/// Runs a kernel on the CPU: all blocks of a grid one after the other, each with its threads and
/// shared memory of its own. The same function as on the device, with the instructions of warps as
/// their layouts say; a thread of the device is one of the operating system here, so it is for
/// small sizes and for tests.
///
/// What stands for a pointer is a slice, mutable if the pointer is. The blocks of a grid are said
/// as [`Blocks`] are: `(2, 1)`, or `(2, 1, 3)`.
///
/// # Panics
/// If a thread panics, or stops the kernel ([`device::trap`](crate::device::trap)).
///
/// # Safety
/// The kernel's own contract: its sizes are those of the memory that it is given.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_nvidia::device::{self, SharedTile, SharedTiles, kernel};
/// use layout_nvidia::host;
/// type Shared = (SharedTile<u32, Layout!(64)>,);
/// /// Turns each block of 64 elements around.
/// ///
/// /// # Safety
/// /// There are 64 elements for each block.
/// #[kernel(threads = Layout!(64), shared = Shared)]
/// pub unsafe fn turn(numbers: *mut u32) {
///     let i = device::thread_index();
///     // SAFETY: the caller's promise; what is read was written before the barrier.
///     unsafe {
///         let number = numbers.add(64 * device::block_index().0 + i);
///         let (mut shared,) = Shared::make_tensors();
///         shared[i] = *number;
///         device::sync_threads();
///         *number = shared[63 - i];
///     }
/// }
/// let mut numbers: Vec<u32> = (0..128).collect();
/// // SAFETY: two blocks, 128 elements.
/// unsafe { host::launch::<turn>((2, 1), (&mut numbers[..],)) };
/// assert!(numbers.iter().copied().eq((0..64).rev().chain((64..128).rev())));
/// ```
pub unsafe fn launch<K: Entry>(
    blocks: impl Into<Blocks>,
    arguments: impl HostArguments<K::Parameters>,
) {
    /// What threads of the operating system take with them.
    struct Sent<P>(P);
    // SAFETY: numbers and pointers of a kernel; that its threads may follow them at the same time
    // is the caller's promise.
    unsafe impl<P> Sync for Sent<P> {}
    impl<P: Copy> Sent<P> {
        fn sent_value(&self) -> P {
            self.0
        }
    }
    static WATCH: fn(usize, usize) = check_vector;
    layout_algebra::tensor::watch_vectors(&WATCH);
    let mut given = Vec::new();
    arguments.memory_ranges(&mut given);
    let (parameters, given) = (Sent(arguments.into_parameters()), given.into());
    let Blocks(grid) = blocks.into();
    for i in 0..grid.0 * grid.1 * grid.2 {
        let at = (i % grid.0, i / grid.0 % grid.1, i / grid.0 / grid.1);
        run_block(K::THREADS, (at, grid), K::SHARED, &given, |_| {
            // SAFETY: the caller's promise.
            unsafe { K::run_thread(parameters.sent_value()) }.end_thread();
        });
    }
}

/// The blocks of a grid along one, two or three modes: a number, a pair, three numbers.
///
/// ```
/// use layout_nvidia::host::Blocks;
/// assert_eq!(Blocks::from((2, 3)), Blocks::from((2, 3, 1)));
/// assert_eq!(Blocks::from(2), Blocks::from([2, 1, 1])); // `Launch::grid_blocks` gives an array
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocks(Grid);
impl From<usize> for Blocks {
    fn from(x: usize) -> Self {
        Blocks((x, 1, 1))
    }
}
impl From<(usize, usize)> for Blocks {
    fn from((x, y): (usize, usize)) -> Self {
        Blocks((x, y, 1))
    }
}
impl From<Grid> for Blocks {
    fn from(all: Grid) -> Self {
        Blocks(all)
    }
}
impl From<[usize; 3]> for Blocks {
    fn from([x, y, z]: [usize; 3]) -> Self {
        Blocks((x, y, z))
    }
}

/// `A: HostArgument<P>`: what may be given on the CPU for a parameter of the type `P`: the number,
/// and for a pointer a slice of what it points to.
///
/// # Safety
/// A pointer leads to memory that `self` borrows, to be written if the pointer is mutable, until
/// the launch is over.
#[diagnostic::on_unimplemented(
    message = "a parameter `{P}` of a kernel is not given `{Self}`",
    label = "on the CPU for `*const T` a `&[T]`, for `*mut T` a `&mut [T]`, for a number that number"
)]
pub unsafe trait HostArgument<P> {
    /// The parameter.
    fn into_parameter(self) -> P;
    /// Where the memory that it leads to begins and ends.
    #[doc(hidden)]
    fn memory_range(&self) -> Option<Range<usize>> {
        None
    }
}
/// Where a slice begins and ends.
fn slice_range<T>(slice: &[T]) -> Option<Range<usize>> {
    let range = slice.as_ptr_range();
    Some(range.start.addr()..range.end.addr())
}
// SAFETY: the parameter itself.
unsafe impl<T: ParameterValue> HostArgument<T> for T {
    fn into_parameter(self) -> T {
        self
    }
}
// SAFETY: the slice's memory, lent to be read.
unsafe impl<T> HostArgument<*const T> for &[T] {
    fn into_parameter(self) -> *const T {
        self.as_ptr()
    }
    fn memory_range(&self) -> Option<Range<usize>> {
        slice_range(self)
    }
}
// SAFETY: the slice's memory, lent to be written.
unsafe impl<T> HostArgument<*mut T> for &mut [T] {
    fn into_parameter(self) -> *mut T {
        self.as_mut_ptr()
    }
    fn memory_range(&self) -> Option<Range<usize>> {
        slice_range(self)
    }
}
/// `A: HostArguments<P>`: the tuple `A` may be given on the CPU for the parameters `P`, one for
/// one.
///
/// # Safety
/// `into_parameters` gives for each parameter what [`HostArgument`] gives.
pub unsafe trait HostArguments<P> {
    /// The parameters.
    fn into_parameters(self) -> P;
    /// Where the memory of each slice begins and ends.
    #[doc(hidden)]
    fn memory_ranges(&self, to: &mut Vec<Range<usize>>);
}
macro_rules! given {
    ($($argument:ident $parameter:ident $number:tt;)*) => { given! { @ [] $($argument $parameter $number;)* } };
    (@ [$($a:ident $p:ident $n:tt;)*] $argument:ident $parameter:ident $number:tt; $($rest:tt)*) => {
        // SAFETY: one for one.
        unsafe impl<$($a: HostArgument<$p>, $p,)* $argument: HostArgument<$parameter>, $parameter> HostArguments<($($p,)* $parameter,)>
            for ($($a,)* $argument,)
        {
            fn into_parameters(self) -> ($($p,)* $parameter,) {
                ($(self.$n.into_parameter(),)* self.$number.into_parameter(),)
            }
            fn memory_ranges(&self, to: &mut Vec<Range<usize>>) {
                $(to.extend(self.$n.memory_range());)*
                to.extend(self.$number.memory_range());
            }
        }
        given! { @ [$($a $p $n;)* $argument $parameter $number;] $($rest)* }
    };
    (@ [$($done:tt)*]) => {};
}
// SAFETY: there is no parameter.
unsafe impl HostArguments<()> for () {
    fn into_parameters(self) {}
    fn memory_ranges(&self, _: &mut Vec<Range<usize>>) {}
}
given! { A P 0; B Q 1; C R 2; D S 3; E T 4; F U 5; G V 6; H W 7; I X 8; J Y 9; K Z 10; }

fn find_place(instruction: &str, of: impl Fn(&Place) -> &Arc<Meeting>) -> (usize, Arc<Meeting>) {
    let place = |place: &Option<Place>| place.as_ref().map(|p| (p.thread, of(p).clone()));
    PLACE.with_borrow(place).unwrap_or_else(|| {
        panic!("`{instruction}` is executed by many threads together: on the CPU within `layout_nvidia::host::run_threads`")
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

/// What one thread gets of a product that the threads of an instruction compute together, from its
/// own values.
pub(crate) fn multiply_values<I: Atom>(
    a: &Values<<I as MmaAtom>::A, <I as MmaAtom>::ALayout>,
    b: &Values<<I as MmaAtom>::B, <I as MmaAtom>::BLayout>,
    mut c: Values<<I as MmaAtom>::C, <I as MmaAtom>::CLayout>,
) -> Values<<I as MmaAtom>::C, <I as MmaAtom>::CLayout> {
    let (thread, all) =
        exchange_operands::<I, <I as Instruction>::ThrId, _>((a.to_vec(), b.to_vec()));
    let a = unpack_operand::<_, <I as Instruction>::ALayout>(I::M * I::K, |thread| &all[thread].0);
    let b = unpack_operand::<_, <I as Instruction>::BLayout>(I::N * I::K, |thread| &all[thread].1);
    let layout = FlatLayout::of_type::<<I as Instruction>::CLayout>();
    for (value, c) in c.iter_mut().enumerate() {
        let (m, n) =
            (layout.of_thread(thread, value) % I::M, layout.of_thread(thread, value) / I::M);
        *c = I::compute_element(*c, (0..I::K).map(|k| (a[m + I::M * k], b[n + I::N * k])));
    }
    c
}

/// All that the threads of an instruction compute, one value of one thread after the other: `c` is
/// replaced by D. For instructions that are layouts alone, without [`run_threads`].
///
/// ```
/// use layout_nvidia::host;
/// use layout_nvidia::amd::V_MFMA_I32_16X16X16_I8;
/// // Each element of A is 2 and each of B is 3: 16 products of 6.
/// let d = host::execute_threads::<V_MFMA_I32_16X16X16_I8>(|_, _| 2, |_, _| 3, |_, _| 1);
/// assert_eq!((d.len(), d[0].len()), (64, 4)); // of 64 threads 4 values each
/// assert!(d.iter().flatten().all(|d| *d == 97));
/// ```
pub fn execute_threads<I: Instruction>(
    a: impl Fn(usize, usize) -> I::A,
    b: impl Fn(usize, usize) -> I::B,
    c: impl Fn(usize, usize) -> I::C,
) -> Vec<Vec<I::C>> {
    let (a, b) = (
        collect_operand::<I::A, I::ALayout>(I::M * I::K, a),
        collect_operand::<I::B, I::BLayout>(I::N * I::K, b),
    );
    let layout = FlatLayout::of_type::<I::CLayout>();
    let value = |thread, value| {
        let (m, n) =
            (layout.of_thread(thread, value) % I::M, layout.of_thread(thread, value) / I::M);
        I::compute_element(c(thread, value), (0..I::K).map(|k| (a[m + I::M * k], b[n + I::N * k])))
    };
    (0..layout.threads())
        .map(|thread| (0..layout.values()).map(|v| value(thread, v)).collect())
        .collect()
}

/// The elements of an operand in order. Where threads have the same, it is the first one's.
fn collect_operand<T: Copy, L: StaticLayout>(
    size: usize,
    value: impl Fn(usize, usize) -> T,
) -> Vec<T> {
    let layout = FlatLayout::of_type::<L>();
    let mut tile = vec![None; size];
    for (thread, v) in
        (0..layout.threads()).flat_map(|thread| (0..layout.values()).map(move |v| (thread, v)))
    {
        if v == 0 && thread > 0 && layout.of_thread(thread, 0) == layout.of_thread(0, 0) {
            break;
        }
        tile[layout.of_thread(thread, v)].get_or_insert_with(|| value(thread, v));
    }
    tile.into_iter().map(|element| element.expect("every operand is covered")).collect()
}

/// The elements of an operand in order, from the words of the threads.
fn unpack_operand<'a, T: Packed + 'a, L: StaticLayout>(
    size: usize,
    words: impl Fn(usize) -> &'a Vec<T>,
) -> Vec<T::Element> {
    let layout = FlatLayout::of_type::<L>();
    let mut tile = vec![T::default().unpack_element(0); size];
    // Where all threads have the same elements, as of a tile in shared memory, it is the first
    // one's.
    let same =
        layout.threads() > 1 && layout.of_thread(layout.threads() - 1, 0) == layout.of_thread(0, 0);
    let threads = if same { 1 } else { layout.threads() };
    for (thread, value) in
        (0..layout.values()).flat_map(|value| (0..threads).map(move |thread| (thread, value)))
    {
        tile[layout.of_thread(thread, value)] =
            words(thread)[value / T::ELEMENTS].unpack_element(value % T::ELEMENTS);
    }
    tile
}

/// What one thread does of a copy that the threads of an instruction execute together: it gets the
/// values that its layouts say, from whoever has read them.
pub(crate) fn copy_values<A, S, L, R, M>(
    source: &Tensor<S, L>,
    destination: &mut Tensor<R, M>,
    first: usize,
) where
    A: CopyAtom<Value: Send + Sync + 'static>,
    S: Storage<Item = A::Value>,
    L: Addressable,
    R: StorageMut<Item = A::Value>,
    M: Addressable,
{
    const {
        if A::Source::OF_A_GPU {
            assert_whole_vectors::<S::Space, L>(FlatLayout::of_type::<A::SrcLayout>().values());
        }
        if A::Destination::OF_A_GPU {
            assert_whole_vectors::<R::Space, M>(FlatLayout::of_type::<A::DstLayout>().values());
        }
    }
    let (from, to) = (FlatLayout::of_type::<A::SrcLayout>(), FlatLayout::of_type::<A::DstLayout>());
    // The row of a matrix in shared memory.
    let name = type_name::<A>()
        .split('<')
        .next()
        .and_then(|path| path.rsplit("::").next())
        .unwrap_or_default();
    if TypeId::of::<A::Source>() == TypeId::of::<Shared>() {
        assert_side_by_side(source, first, from.values(), name);
    }
    if TypeId::of::<A::Destination>() == TypeId::of::<Shared>() {
        assert_side_by_side(destination, first / from.values() * to.values(), to.values(), name);
    }
    let value = |v| *source.value(first + v).expect("the values of an atom are there");
    let mine: Vec<_> = (0..from.values()).map(value).collect();
    let (thread, all) = exchange_operands::<A, A::ThrId, _>(mine);
    // Of threads that have the same row, the instruction takes the address of the first.
    if (0..thread).any(|before| to.of_thread(before, 0) == to.of_thread(thread, 0)) {
        return;
    }
    let written = first / from.values() * to.values();
    for v in 0..to.values() {
        let read = (0..from.size())
            .find(|i| from.at(*i) == to.of_thread(thread, v))
            .expect("what is written is read");
        let value = all[read % from.threads()][read / from.threads()];
        *destination.value_mut(written + v).expect("the values of an atom are there") = value;
    }
}

/// What an instruction copies at once lies side by side, and at a multiple of its size.
fn assert_side_by_side<S: Storage, L: Addressable>(
    tensor: &Tensor<S, L>,
    first: usize,
    count: usize,
    instruction: &str,
) {
    let at = |i| tensor.address(first + i).map(|address| address.addr());
    let bytes = count * size_of::<S::Item>();
    let apart = (1..count)
        .find(|i| at(*i) != at(0).and_then(|first| first.checked_add(i * size_of::<S::Item>())));
    if let Some(apart) = apart {
        end_kernel(format!(
            "`{instruction}` takes {count} elements side by side, and number {apart} of them is not behind the one before, \
             under the layout {:#}: the card ends the kernel there",
            tensor.layout()
        ))
    }
    if let Some(address) = at(0) {
        check_vector(address, bytes);
    }
}

/// What `cp.async` does, at once: it copies as much as an `Access`, or writes zeros.
pub(crate) fn copy_elements<Access, T, S, L, R, M>(
    source: &Tensor<S, L>,
    destination: &mut Tensor<R, M>,
    first: usize,
    read: bool,
) where
    T: Copy + Default,
    S: Storage<Item = T>,
    L: Addressable,
    R: StorageMut<Item = T>,
    M: Addressable,
{
    const { assert_whole_vectors::<R::Space, M>(size_of::<Access>() / size_of::<T>()) };
    let count = size_of::<Access>() / size_of::<T>();
    if read {
        assert_side_by_side(source, first, count, "cp.async");
    }
    assert_side_by_side(destination, first, count, "cp.async");
    for i in first..first + count {
        let value = if read {
            *source.value(i).expect("the values of an atom are there")
        } else {
            T::default()
        };
        *destination.value_mut(i).expect("the values of an atom are there") = value;
    }
}
