//! The matrix product of the example `gemm` beside matrixmultiply, gemm, faer, and nano-gemm up to
//! 64: all column-major, one core, by turns in one run, with the FMA peak at the same moment,
//! measured by a loop of multiply-adds in registers.
//!
//! ```text
//! alias bench="cargo bench -p layout-algebra-benches --features avx512 --bench gemm --"
//! bench                            everything: some minutes
//! bench f32 64 100x20x30           one element, and these sizes, M x N x K
//! bench f64 square --on avx2       groups of sizes: small, square, shapes; an instruction set
//! bench 1024 --caches 32,1024      blocks for caches of 32 KiB and 1024 KiB, whatever this machine has
//! bench cores                      two cores against one
//! bench plot                       what has been measured so far as benches/gemm/gemm.svg, and as a table
//! ```
#![allow(
    clippy::incompatible_msrv,
    reason = "the example asks for a newer compiler than the library"
)]
#![allow(dead_code, reason = "the example uses what the bench does not")]

mod peers;
mod plot;
#[path = "../../examples/gemm/product/mod.rs"]
mod product;
#[path = "../progress.rs"]
mod progress;

use std::hint::black_box;
use std::time::{Duration, Instant};

use layout_algebra::prelude::*;
use peers::{Contestant, FIXED, NAMES, Operands, random, relative_error};
use product::caches::Caches;
use product::cores::product_on_cores;
use product::vector::{self, Holds, Task, Vector};
use product::{Blocking, InstructionSet, Workspace, product};
use progress::Progress;

/// The time for one line, and for one turn of a contender.
const LINE: Duration = Duration::from_millis(600);
const TURN: f64 = 0.002;

/// `SUMS` chains of dependent multiply-adds, enough to keep every unit busy.
struct Peak<V: Vector, const SUMS: usize> {
    isa: V::Isa,
    steps: usize,
    one: V::Element,
}
impl<V: Vector, const SUMS: usize> Task for Peak<V, SUMS> {
    #[inline(always)]
    fn run(self) {
        let one = V::splat(self.isa, self.one);
        let mut sums = [V::splat(self.isa, V::Element::default()); SUMS];
        for _ in 0..self.steps {
            for sum in &mut sums {
                *sum = sum.mul_add(one, one);
            }
        }
        black_box(sums);
    }
}

/// Billions of multiplications and additions per second.
fn peak_of<I: Holds<E>, E: Contestant, const SUMS: usize>() -> f64 {
    let isa = I::detect().expect("the instruction set is there");
    let steps = 100_000;
    let start = Instant::now();
    isa.run(Peak::<I::Whole, SUMS> { isa, steps, one: black_box(E::of(1.0)) });
    (2 * steps * SUMS * I::Whole::LEN) as f64 / start.elapsed().as_secs_f64() / 1e9
}

/// Where each instruction set has registers for the element.
trait Peaks: Contestant {
    fn peak(set: InstructionSet) -> f64;
}
macro_rules! peaks {
    ($($element:ident)*) => {$(
        impl Peaks for $element {
            fn peak(set: InstructionSet) -> f64 {
                match set {
                    #[cfg(target_arch = "x86_64")]
                    InstructionSet::Avx512 => peak_of::<vector::Avx512, $element, 24>(),
                    #[cfg(target_arch = "x86_64")]
                    InstructionSet::Avx2 => peak_of::<vector::Avx2, $element, 12>(),
                    _ => peak_of::<vector::Portable, $element, 12>(),
                }
            }
        }
    )*};
}
peaks!(f32 f64);

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// One line of the table.
fn line<E: Peaks>(
    progress: &Progress,
    set: InstructionSet,
    caches: Option<Caches>,
    size: [usize; 3],
) {
    let [m, n, k] = size;
    let (a, b) = (random::<E>(m * k, 1), random::<E>(k * n, 2));
    // Whatever stays unwritten will show.
    let mut c: [Vec<E>; NAMES.len()] = std::array::from_fn(|_| vec![E::of(f64::NAN); m * n]);
    let mut workspace = Workspace::default();
    let mut contenders = E::contenders(
        set,
        Operands { blocking: blocking::<E>(set, caches), size, a: &a, b: &b },
        &mut c,
        &mut workspace,
    );

    // As many calls as a turn takes, for each contender.
    let mut time = |i: usize, calls: usize| {
        let f = contenders[i].as_mut()?;
        let start = Instant::now();
        (0..calls).for_each(|_| f());
        Some(start.elapsed().as_secs_f64() / calls as f64)
    };
    let calls: Vec<usize> = (0..NAMES.len())
        .map(|i| {
            time(i, 1);
            let few = time(i, 2).unwrap_or(TURN);
            let more = time(i, (TURN / 10.0 / few).clamp(1.0, 1e6) as usize).unwrap_or(TURN);
            (TURN / more).clamp(1.0, 1e6) as usize
        })
        .collect();
    let mut peak = E::peak(set);
    let mut rounds: Vec<[Option<f64>; NAMES.len()]> = Vec::new();
    let start = Instant::now();
    while rounds.len() < 3 || start.elapsed() < LINE {
        let mut round = [None; NAMES.len()];
        for i in 0..NAMES.len() {
            let i = (i + rounds.len()) % NAMES.len();
            round[i] = time(i, calls[i]);
        }
        rounds.push(round);
        if rounds.len() % 8 == 0 {
            peak = peak.max(E::peak(set));
        }
    }
    peak = peak.max(E::peak(set));
    drop(contenders);

    for (name, c) in NAMES
        .iter()
        .zip(&c)
        .filter(|(name, _)| **name != "nano-gemm" || FIXED.contains(&n) && m == n && n == k)
    {
        let error = relative_error(c, &c_of(&a, &b, size, c));
        assert!(error < 100.0 * E::EPSILON, "{name} is wrong by {error}");
    }
    let operations = 2.0 * (m * n * k) as f64;
    let mut text = format!("{} {set:?} {:15}", E::NAME, format!("{m}x{n}x{k}"));
    let mut rates = [None; NAMES.len()];
    for i in 0..NAMES.len() {
        match rounds[0][i] {
            Some(_) => {
                let rate = operations / median(rounds.iter().filter_map(|round| round[i])) / 1e9;
                let ratio = median(rounds.iter().filter_map(|round| Some(round[i]? / round[0]?)));
                rates[i] = Some(rate);
                text += &format!("  {rate:7.1} {:5.1} % {ratio:6.3}", 100.0 * rate / peak);
            }
            None => text += &format!("  {:>22}", "-"),
        }
    }
    progress.advance(1);
    progress.aside(|| println!("{text}  peak {peak:.1}, {} rounds", rounds.len()));
    plot::Record { element: E::NAME.into(), set: format!("{set:?}"), size, peak, rates }.keep();
}

/// One core against several, at 1024, and what the machine has to give: a product of its own on
/// every core.
fn cores<E: Peaks>(set: InstructionSet, caches: Option<Caches>) {
    let (n, one, threads) = (1024, 1, rayon::current_num_threads());
    let l = layout!((n, n):(one, n));
    let (a, b) = (random::<E>(n * n, 1), random::<E>(n * n, 2));
    let (mut c, mut d) = (vec![E::of(f64::NAN); n * n], vec![E::of(f64::NAN); n * n]);
    let mut of_each: Vec<_> = (0..threads).map(|_| c.clone()).collect();
    let mut workspaces: Vec<_> = (0..threads).map(|_| Workspace::default()).collect();
    let mut workspace = Workspace::default();
    let blocking = blocking::<E>(set, caches);
    let (a, b) = ((&a[..], l), (&b[..], l));
    let seconds = |f: &mut dyn FnMut()| {
        let start = Instant::now();
        f();
        start.elapsed().as_secs_f64()
    };
    let mut rounds = Vec::new();
    const ROUNDS: usize = 100;
    let progress = Progress::new("rounds", ROUNDS);
    for _ in 0..ROUNDS {
        let alone = seconds(&mut || product(set, blocking, &mut workspace, a, b, (&mut c, l)));
        let shared =
            seconds(&mut || product_on_cores(set, blocking, &mut workspaces, a, b, (&mut d, l)));
        let own = seconds(&mut || {
            rayon::in_place_scope(|scope| {
                let mut pairs = workspaces.iter_mut().zip(&mut of_each);
                let (workspace, c) = pairs.next().expect("one core at least");
                pairs.for_each(|(workspace, c)| {
                    scope.spawn(move |_| product(set, blocking, workspace, a, b, (&mut c[..], l)))
                });
                product(set, blocking, workspace, a, b, (&mut c[..], l));
            })
        });
        rounds.push((alone / shared, threads as f64 * alone / own));
        progress.advance(1);
    }
    drop(progress);
    assert!(
        c == d && of_each.iter().all(|x| *x == c),
        "every element is the same sum in the same order"
    );
    let (shared, own) = (median(rounds.iter().map(|r| r.0)), median(rounds.iter().map(|r| r.1)));
    println!(
        "{} {set:?} 1024x1024x1024 on {threads} cores: {shared:.2} times as fast as on one; {own:.2} if each computes a product of its own",
        E::NAME
    );
}

/// A few elements of the product by plain loops, the others as they are.
fn c_of<E: Contestant>(a: &[E], b: &[E], [m, n, k]: [usize; 3], c: &[E]) -> Vec<E> {
    let mut expected = c.to_vec();
    let step = (m * n * k / 4_000_000).max(1) | 1;
    for at in (0..m * n).step_by(step) {
        let (i, j) = (at % m, at / m);
        expected[at] = E::of((0..k).map(|p| a[i + p * m].to() * b[p + j * k].to()).sum());
    }
    expected
}

/// `32,1024`: the KiB of the first- and of the second-level cache.
fn caches(text: &str) -> Option<Caches> {
    let (first, second) = text.split_once(',')?;
    let bytes = |kib: &str| kib.parse::<usize>().ok()?.checked_mul(1024);
    Some(Caches { first: bytes(first)?, second: bytes(second)? })
}

/// The blocks for some caches, or else those that the example takes.
fn blocking<E: Peaks>(set: InstructionSet, caches: Option<Caches>) -> Blocking {
    caches.map_or_else(|| Blocking::of::<E>(set), Blocking::within::<E>)
}

/// The processor, its caches, and for which others the blocks are made by hand.
fn machine(caches: Option<Caches>) -> String {
    let by_hand = caches.map_or(String::new(), |caches| format!(", blocks for {caches}"));
    format!("{}, caches of {}{by_hand}", processor(), Caches::of_this_machine())
}

/// The name of the processor.
fn processor() -> String {
    #[cfg(target_arch = "x86_64")]
    if let Some(brand) = raw_cpuid::CpuId::new().get_processor_brand_string() {
        return brand.as_str().trim().to_string();
    }
    std::env::consts::ARCH.to_string()
}

/// `64` or `100x20x30`.
fn size(text: &str) -> Option<[usize; 3]> {
    let sizes: Vec<usize> = text.split('x').map(|size| size.parse().ok()).collect::<Option<_>>()?;
    match sizes[..] {
        _ if sizes.contains(&0) => None,
        [n] => Some([n; 3]),
        [m, n, k] => Some([m, n, k]),
        _ => None,
    }
}

fn main() {
    let mut set = InstructionSet::available().next().expect("`Portable` is always there");
    let mut blocks_for = None;
    let mut elements = Vec::new();
    let mut sizes: Vec<[usize; 3]> = Vec::new();
    let small = FIXED.map(|n| [n; 3]);
    let square = [128, 256, 512, 1024, 2048].map(|n| [n; 3]);
    let shapes = [
        [100, 100, 100],
        [255, 255, 255],
        [1000, 1000, 1000],
        [1023, 1025, 1027],
        [777, 333, 999],
        [4096, 64, 64],
        [64, 4096, 64],
        [64, 64, 4096],
        [4096, 256, 256],
        [256, 4096, 256],
        [256, 256, 4096],
        [2000, 30, 500],
        [30, 2000, 500],
    ];
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            // Cargo adds this.
            "--bench" => {}
            "--on" => {
                let name = arguments.next().unwrap_or_default();
                set = InstructionSet::available()
                    .find(|set| format!("{set:?}").eq_ignore_ascii_case(&name))
                    .unwrap_or_else(|| panic!("this processor has no `{name}`"));
            }
            "--caches" => {
                let text = arguments.next().unwrap_or_default();
                let sizes = caches(&text);
                assert!(sizes.is_some(), "`{text}` is no two sizes in KiB: write 32,1024");
                blocks_for = sizes;
            }
            "f32" | "f64" => elements.push(argument),
            "plot" => return plot::draw(),
            "cores" => {
                println!("{}", machine(blocks_for));
                cores::<f32>(set, blocks_for);
                cores::<f64>(set, blocks_for);
                return;
            }
            "small" => sizes.extend(small),
            "square" => sizes.extend(square),
            "shapes" => sizes.extend(shapes),
            text => sizes.push(
                size(text)
                    .unwrap_or_else(|| panic!("`{text}` is not a size: write 64 or 100x20x30")),
            ),
        }
    }
    if sizes.is_empty() {
        sizes = [&small[..], &square, &shapes].concat();
    }
    if elements.is_empty() {
        elements = vec!["f32".into(), "f64".into()];
    }
    println!("{}", machine(blocks_for));
    println!("{NAMES:?}: GFLOP/s, percent of the FMA peak, and the time divided by ours");
    let progress = Progress::new("lines", elements.len() * sizes.len());
    for element in elements {
        for &size in &sizes {
            match element.as_str() {
                "f32" => line::<f32>(&progress, set, blocks_for, size),
                _ => line::<f64>(&progress, set, blocks_for, size),
            }
        }
    }
}
