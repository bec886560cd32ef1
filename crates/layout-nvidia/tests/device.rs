//! The functions of `device::` on the CPU: functions that read other threads' values answer as on
//! the card; functions of numbers stay within their documented error.

use half::{bf16, f16};
use layout_algebra::atom::{UniversalCopy, copy};
use layout_algebra::prelude::*;
use layout_nvidia::copy::SM80_CP_ASYNC_CACHEALWAYS;
use layout_nvidia::device::{self, SharedTile, SharedTiles, Trap, kernel};
use layout_nvidia::host;

/// Random numbers, others each day; the seed is printed.
struct Draws(u64);
impl Draws {
    fn new() -> Self {
        let now = std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .map_or(0, |t| t.as_secs() / 86400);
        let seed = std::env::var("LAYOUT_NVIDIA_SEED")
            .ok()
            .and_then(|seed| seed.parse().ok())
            .unwrap_or(now);
        println!("LAYOUT_NVIDIA_SEED={seed}");
        Draws(seed ^ 0x9e37_79b9_7f4a_7c15)
    }
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 16
    }
    /// A float whose sums are rounded.
    fn float(&mut self) -> f32 {
        (self.next() % 2001) as f32 / 7.0 - 142.0
    }
}

/// What threads of a warp whose numbers differ in these bits make of their values, one bit after
/// the other.
fn butterfly(values: &[f32], bits: &[usize], join: fn(f32, f32) -> f32) -> Vec<f32> {
    bits.iter().fold(values.to_vec(), |values, bit| {
        (0..values.len())
            .map(|lane| join(values[lane], values[lane / 32 * 32 + ((lane % 32) ^ bit)]))
            .collect()
    })
}

type Scratch = (SharedTile<f32, Layout!(4)>,);
/// # Safety
/// There are 128 elements of each.
#[kernel(threads = Layout!(128), shared = Scratch)]
unsafe fn over_block(from: *const f32, to: *mut f32) {
    let i = device::thread_index();
    // SAFETY: the caller's promise; all threads come here, twice with one scratch.
    unsafe {
        let (mut scratch,) = Scratch::make_tensors();
        let sum = device::reduce_block(*from.add(i), |a, b| a + b, &mut scratch);
        let most = device::reduce_block(*from.add(i), f32::max, &mut scratch);
        to.add(i).write(sum);
        to.add(128 + i).write(most);
    }
}
/// # Safety
/// There is a counter, and memory for a number of each thread.
#[kernel(threads = Layout!(64))]
unsafe fn take(counter: *mut u32, to: *mut u32) {
    // SAFETY: the caller's promise.
    unsafe {
        to.add(64 * device::block_index().0 + device::thread_index())
            .write(device::atomic_inc(counter, 199))
    }
}
/// # Safety
/// There is memory for as many numbers as threads.
#[kernel(threads = Layout!(32))]
unsafe fn places(to: *mut [usize; 8]) {
    let ((x, y, z), (a, b, c)) = (device::block_index(), device::blocks_per_grid());
    let here = x + a * (y + b * z);
    // SAFETY: the caller's promise; each thread of each block writes its own.
    unsafe {
        to.add(32 * here + device::thread_index()).write([
            x,
            y,
            z,
            a,
            b,
            c,
            device::threads_per_block(),
            device::thread_index(),
        ]);
    }
}
/// # Safety
/// There is memory for a number.
#[kernel(threads = Layout!(1))]
unsafe fn scalars(x: f16, y: bf16, to: *mut f32) {
    // SAFETY: the caller's promise.
    unsafe { to.write(x.to_f32() + y.to_f32()) }
}

/// What compares a function with the card by random draws.
type Check = fn(&mut Draws);
/// Each function of `device::` by its name: what is asked of other threads is compared with what
/// the card answers.
const FUNCTIONS: &[(&str, Option<Check>)] = &[
    ("reduce_warp", Some(reduces_warp)),
    ("reduce_quad", Some(reduces_quad)),
    ("reduce_lanes", Some(reduces_lanes)),
    ("first_of_warp", Some(finds_first)),
    ("reduce_block", Some(reduces_block)),
    ("sync_threads", Some(reduces_block)),
    ("sync_warp", Some(syncs_warp)),
    ("atomic_inc", Some(counts_with_atomic_inc)),
    ("thread_index", Some(stands)),
    ("threads_per_block", Some(stands)),
    ("block_index", Some(stands)),
    ("blocks_per_grid", Some(stands)),
    ("grid_stride", Some(strides)),
    // A number of one thread's own.
    ("divide", None),
    ("exp2", None),
    ("log2", None),
    ("multiply_add", None),
    ("narrow_to_f16", None),
    ("reciprocal", None),
    ("rsqrt", None),
    ("sqrt", None),
    ("tanh", None),
    ("widen_to_f32", None),
    ("black_box", None),
    ("extend_lifetime", None),
    // For the device alone: here, copies are over at once, launches run one after the other, and
    // hints to the compiler do nothing.
    ("grid_dependency_wait", None),
    ("min_blocks_per_multiprocessor", None),
    ("cp_async_wait_all", None),
    ("launch_dependents", None),
    ("trap", None),
    // The attribute.
    ("kernel", None),
    // Where the build stops.
    ("check_block", None),
];

fn reduces_warp(draws: &mut Draws) {
    let values: Vec<f32> = (0..96).map(|_| draws.float()).collect();
    for join in [(|a, b| a + b) as fn(f32, f32) -> f32, f32::max] {
        // SAFETY: all threads of three warps come here.
        let found =
            host::run_threads(96, |thread| unsafe { device::reduce_warp(values[thread], join) });
        assert_eq!(found, butterfly(&values, &[16, 8, 4, 2, 1], join));
    }
    // Outside of a block there is no other thread.
    // SAFETY: no thread of a block.
    assert_eq!(unsafe { device::reduce_warp(3.5, |a, b| a + b) }, 3.5);
}
fn reduces_quad(draws: &mut Draws) {
    let values: Vec<f32> = (0..64).map(|_| draws.float()).collect();
    // SAFETY: all threads of two warps come here.
    let found = host::run_threads(64, |thread| unsafe {
        device::reduce_quad(values[thread], |a, b| a + b)
    });
    assert_eq!(found, butterfly(&values, &[2, 1], |a, b| a + b));
    // SAFETY: no thread of a block.
    assert_eq!(unsafe { device::reduce_quad(3.5, |a, b| a + b) }, 3.5);
}
fn reduces_lanes(draws: &mut Draws) {
    fn of<const LANES: usize>(draws: &mut Draws, bits: &[usize]) {
        let values: Vec<f32> = (0..64).map(|_| draws.float()).collect();
        // SAFETY: all threads of two warps come here.
        let found = host::run_threads(64, |thread| unsafe {
            device::reduce_lanes::<LANES>(values[thread], |a, b| a + b)
        });
        assert_eq!(found, butterfly(&values, bits, |a, b| a + b), "{LANES} lanes");
    }
    of::<1>(draws, &[]);
    of::<2>(draws, &[1]);
    of::<8>(draws, &[4, 2, 1]);
    of::<16>(draws, &[8, 4, 2, 1]);
    of::<32>(draws, &[16, 8, 4, 2, 1]);
    // SAFETY: no thread of a block.
    assert_eq!(unsafe { device::reduce_lanes::<8>(3.5, |a, b| a + b) }, 3.5);
}
fn finds_first(draws: &mut Draws) {
    let values: Vec<u64> = (0..64).map(|_| draws.next() << 40 | draws.next()).collect();
    // SAFETY: all threads of two warps come here.
    let found = host::run_threads(64, |thread| unsafe { device::first_of_warp(values[thread]) });
    assert!((0..64).all(|thread| found[thread] == values[thread / 32 * 32]));
}
fn reduces_block(draws: &mut Draws) {
    let values: Vec<f32> = (0..128).map(|_| draws.float()).collect();
    let mut found = vec![0.0; 256];
    // SAFETY: 128 elements, and twice as many.
    unsafe { host::launch::<over_block>(1, (&values[..], &mut found[..])) };
    let warps = |join: fn(f32, f32) -> f32| {
        let each = butterfly(&values, &[16, 8, 4, 2, 1], join);
        (1..4).fold(each[0], |all, warp| join(all, each[32 * warp]))
    };
    assert_eq!(found[..128], [warps(|a, b| a + b); 128]);
    assert_eq!(found[128..], [warps(f32::max); 128]);
}
fn syncs_warp(_: &mut Draws) {
    use std::sync::atomic::{AtomicUsize, Ordering};
    let arrived = [(); 2].map(|()| AtomicUsize::new(0));
    let seen = host::run_threads(64, |thread| {
        arrived[thread / 32].fetch_add(1, Ordering::Relaxed);
        // SAFETY: all threads of the warp come here.
        unsafe { device::sync_warp() };
        arrived[thread / 32].load(Ordering::Relaxed)
    });
    assert_eq!(seen, [32; 64]);
}
fn counts_with_atomic_inc(_: &mut Draws) {
    let (mut counter, mut numbers) = ([150], vec![0; 128]);
    // SAFETY: a counter, and two blocks of 64.
    unsafe { host::launch::<take>(2, (&mut counter[..], &mut numbers[..])) };
    numbers.sort_unstable();
    // 150 .. 199, and then from 0 on.
    assert!(numbers.iter().copied().eq((0..78).chain(150..200)));
    assert_eq!(counter, [78]);
}
fn stands(_: &mut Draws) {
    let mut found = vec![[9; 8]; 32 * 24];
    // SAFETY: 2 x 3 x 4 blocks.
    unsafe { host::launch::<places>((2, 3, 4), (&mut found[..],)) };
    let at = |i: usize| [i / 32 % 2, i / 64 % 3, i / 192, 2, 3, 4, 32, i % 32];
    assert!(found.iter().enumerate().all(|(i, place)| *place == at(i)));
}
fn strides(draws: &mut Draws) {
    let count = draws.next() as usize % 100;
    let found: Vec<_> = device::grid_stride(count).collect();
    assert!(found.into_iter().eq(0..count));
    assert_eq!(device::grid_stride(usize::MAX).take(2).last(), Some(1));
}

#[test]
fn every_function_is_in_the_table() {
    let text = include_str!("../src/device/mod.rs");
    let code: String = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join(" ");
    let lists = code.split("pub use ").skip(1).filter_map(|rest| rest.split(';').next());
    let names = lists.flat_map(|list| {
        list.split(|c: char| !c.is_alphanumeric() && c != '_').collect::<Vec<_>>()
    });
    let modules = [
        "aligned",
        "arithmetic",
        "block_size",
        "entry",
        "fused",
        "lifetime",
        "pipeline",
        "place",
        "shared",
        "layout_nvidia_macros",
    ];
    let mut found = 0;
    for name in names.filter(|name| name.starts_with(char::is_lowercase) && !modules.contains(name))
    {
        assert!(
            FUNCTIONS.iter().any(|(known, _)| *known == name),
            "`device::{name}` is not in the table"
        );
        found += 1;
    }
    assert!(found >= FUNCTIONS.len(), "{found} names for {}", FUNCTIONS.len());
    let mut draws = Draws::new();
    for (name, check) in FUNCTIONS {
        println!("{name}");
        if let Some(check) = check {
            (0..3).for_each(|_| check(&mut draws));
        }
    }
}

/// A warp that is not whole has no answer, and says so.
#[test]
fn half_a_warp_has_a_sentence() {
    let said = std::panic::catch_unwind(|| {
        // SAFETY: it ends in a panic.
        host::run_threads(40, |_| unsafe { device::reduce_warp(1.0, |a, b| a + b) })
    });
    let said = said.unwrap_err().downcast::<String>().expect("a sentence");
    assert_eq!(
        *said,
        "`shfl.sync.bfly` is an instruction of a whole warp of 32 threads, and this one has 8"
    );
}

#[test]
fn halves_are_given_as_numbers() {
    let mut to = [0.0];
    // SAFETY: there is a number.
    unsafe { host::launch::<scalars>(1, (f16::from_f32(1.5), bf16::from_f32(-0.25), &mut to[..])) };
    assert_eq!(to, [1.25]);
}

/// Each function of numbers beside 64 bits, at random bits and at the ends: within the
/// instruction's documented error, and zero where the instruction flushes.
#[test]
fn numbers_are_within_their_error() {
    type Function = (&'static str, fn(f32) -> f32, fn(f64) -> f64, f64, bool);
    let functions: [Function; 6] = [
        ("exp2", device::exp2, f64::exp2, 2.0_f64.powi(-22), true),
        ("log2", device::log2, f64::log2, 2.0_f64.powi(-22), true),
        ("sqrt", device::sqrt, f64::sqrt, 2.0_f64.powi(-24), false),
        ("rsqrt", device::rsqrt, |x| 1.0 / x.sqrt(), 2.0_f64.powi(-22), true),
        ("reciprocal", device::reciprocal, |x| 1.0 / x, 2.0_f64.powi(-23), true),
        ("tanh", device::tanh, f64::tanh, 2.0_f64.powi(-11), false),
    ];
    let mut draws = Draws::new();
    let ends = [
        0.0,
        -0.0,
        1.0,
        1e-40,
        -1e-40,
        f32::MAX,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
        126.0,
        -126.5,
        -149.0,
    ];
    let flushed =
        |x: f32, does: bool| if does && x.is_subnormal() { 0.0_f32.copysign(x) } else { x };
    for i in 0..200_000 {
        let x = ends.get(i).copied().unwrap_or_else(|| f32::from_bits(draws.next() as u32));
        for (name, function, exact, most, ftz) in functions {
            let (found, exact) = (function(x), exact(f64::from(flushed(x, ftz))));
            let right = match flushed(exact as f32, ftz) {
                near if near.is_nan() => found.is_nan(),
                near if near.is_infinite() || near == 0.0 => found == near,
                _ => {
                    (f64::from(found) - exact).abs()
                        <= most
                            * exact
                                .abs()
                                .max(if name == "log2" { 1.0 } else { 0.0 })
                                .max(2.0_f64.powi(-149))
                }
            };
            assert!(right, "{name}({x}) is {found}, and exactly {exact}");
        }
        let y = f32::from_bits(draws.next() as u32);
        let (found, exact) =
            (device::divide(x, y), f64::from(flushed(x, true)) / f64::from(flushed(y, true)));
        let right = match flushed(exact as f32, true) {
            _ if y.is_finite() && y.abs() > 2.0_f32.powi(126) => {
                if x.is_finite() {
                    found == 0.0
                } else {
                    found.is_nan()
                }
            }
            near if near.is_nan() => found.is_nan(),
            near if near.is_infinite() || near == 0.0 => found == near,
            _ => (f64::from(found) - exact).abs() <= 2.0_f64.powi(-22) * exact.abs(),
        };
        assert!(right, "{x} / {y} is {found}, and exactly {exact}");
    }
}

/// # Safety
/// There are 8 elements of each behind the first one of `from`.
#[kernel(threads = Layout!(1))]
unsafe fn vectors(begin: u32, from: *const f32, to: *mut f32) {
    // SAFETY: the caller's promise.
    let (from, mut to) = unsafe {
        (
            Tensor::from_global_ref(from.add(begin as usize), layout!(4)),
            Tensor::from_global(to, layout!(4)),
        )
    };
    copy(&UniversalCopy::<f32, Int<4>>::new(), &from, &mut to).unwrap_or_else(|_| device::trap());
}

/// What a launch says that ends in a panic.
fn said(launch: impl FnOnce() + std::panic::UnwindSafe) -> String {
    let panic = std::panic::catch_unwind(launch).expect_err("it ends");
    panic.downcast::<String>().map_or_else(|_| "no sentence".into(), |said| *said)
}

/// The card ends a kernel whose vector lies at no multiple of its size; so does the CPU, with the
/// thread and the place. What a launch is given begins at a multiple of all of them, wherever Rust
/// has put it.
#[test]
fn a_vector_between_vectors_has_a_sentence() {
    let numbers: Vec<f32> = (0..16).map(|i| i as f32).collect();
    for begin in 0..4 {
        let mut to = [0.0; 4];
        // SAFETY: there are so many.
        unsafe { host::launch::<vectors>(1, (4_u32, &numbers[begin..], &mut to[..])) };
        assert!((0..4).all(|i| to[i] == (begin + 4 + i) as f32));
    }
    for (begin, bytes) in [(1, 4), (2, 8), (7, 28)] {
        let said = said(|| {
            let mut to = [0.0; 4];
            // SAFETY: as above.
            unsafe { host::launch::<vectors>(1, (begin, &numbers[..], &mut to[..])) }
        });
        assert_eq!(
            said,
            format!(
                "thread 0 of block (0, 0, 0) has a vector of 16 bytes at byte {bytes} of the \
                 slice number 0 that the kernel is given, which is no multiple of 16: the card \
                 ends the kernel there"
            )
        );
    }
}

type Whole = ComposedLayout<Swizzle<2, 2, 3>, Int<0>, Layout!((8, 32):(32, 1))>;
/// # Safety
/// There are 8 x 32 elements of each.
#[kernel(threads = Layout!(1), shared = (SharedTile<f32, Whole>,))]
unsafe fn through(from: *const f32, to: *mut f32) {
    // SAFETY: the caller's promise; one thread.
    let (from, (mut tile,), mut to) = unsafe {
        let whole = layout!((8, 32): right);
        (
            Tensor::from_global_ref(from, whole),
            <(SharedTile<f32, Whole>,)>::make_tensors(),
            Tensor::from_global(to, whole),
        )
    };
    for (row, column) in (0..8).flat_map(|row| (0..32).step_by(4).map(move |column| (row, column)))
    {
        let at = (row, column..column + 4);
        let (from, mut tile) = (from.slice(at.clone()), tile.slice_mut(at));
        let _ = copy(&SM80_CP_ASYNC_CACHEALWAYS::<u128, f32>::new(), &from, &mut tile);
    }
    to.for_each_mut(|at, x| *x = tile[at]);
}

/// A swizzle of whole vectors leaves them whole. (One that tears them does not compile: `copy`'s
/// documentation.)
#[test]
fn a_swizzle_of_vectors_leaves_them_whole() {
    let numbers: Vec<f32> = (0..256).map(|i| i as f32).collect();
    let mut to = vec![0.0; 256];
    // SAFETY: 8 x 32 elements of each.
    unsafe { host::launch::<through>(1, (&numbers[..], &mut to[..])) };
    assert_eq!(to, numbers);
}

/// # Safety
/// There are `m` numbers.
#[kernel(threads = Layout!(64))]
unsafe fn in_tiles(m: u32, to: *mut f32) -> Result<(), Trap> {
    let m = m as usize;
    // SAFETY: the caller's promise; each thread writes its own.
    let mut to = unsafe { Tensor::from_global(to, layout!((m, 1))) };
    let mut tile = to.local_tile_mut(tiler!(64, 1), (device::block_index().0, 0))?;
    tile[(device::thread_index(), 0)] = 1.0;
    Ok(())
}

/// An error of a kernel is the sentence of the algebra, with both numbers, once, and with the line
/// of the `?`.
#[test]
fn an_error_is_said_once() {
    let mut to = vec![0.0; 128];
    // SAFETY: 128 elements.
    unsafe { host::launch::<in_tiles>(2, (128_u32, &mut to[..])) };
    assert_eq!(to, [1.0; 128]);
    let line = include_str!("device.rs")
        .lines()
        .position(|line| line.contains("local_tile_mut(tiler!(64, 1)"))
        .unwrap()
        + 1;
    let count = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let (counted, before) = (count.clone(), std::panic::take_hook());
    std::panic::set_hook(Box::new(move |info| {
        if info
            .payload_as_str()
            .is_some_and(|said| said.contains("kernel was ended") || said.contains("local_tile"))
        {
            counted.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        }
    }));
    let said = said(|| {
        let mut to = vec![0.0; 128];
        // SAFETY: as above.
        unsafe { host::launch::<in_tiles>(1, (100_u32, &mut to[..])) }
    });
    std::panic::set_hook(before);
    assert!(said.contains(&format!("tests/device.rs:{line}:")), "{said}");
    assert!(said.contains("100") && said.contains("64"), "{said}");
    assert!(count.load(std::sync::atomic::Ordering::Relaxed) <= 1, "it is said more than once");
}
