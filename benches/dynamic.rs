//! The cost of the dynamic engine: the everyday operations on operands of a matrix product, and an
//! index against a loop written by hand.
//!
//! Limits: 200 ns for an operation; three times the hand-written loop for an index.
//! `cargo bench -p layout-algebra-benches --bench dynamic -- limits` prints a table of them.

use std::env;
use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

use criterion::Criterion;
use layout_algebra::prelude::*;

fn layout(text: &str) -> DynLayout {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

fn tiler(text: &str) -> DynTiler {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

/// Something to time, by name.
type Case = (&'static str, Box<dyn Fn()>);

/// A case whose result is kept from the optimizer.
fn case<T>(name: &'static str, f: impl Fn() -> T + 'static) -> Case {
    (name, Box::new(move || drop(black_box(f()))))
}

/// A 4096 x 4096 matrix, tiles of 128 x 64, and 256 threads of 8 elements each.
fn operations() -> Vec<Case> {
    let matrix = layout("(4096,4096):(4096,1)");
    let tile = tiler("<128,64>");
    let nested = layout("((8,16),(4,16)):((1,32),(8,512))");
    let threads = layout("(32,8):(64,1)");
    let values = layout("((4,8,8),(2,4)):((16,1,256),(8,64))");
    macro_rules! case {
        ($name:literal, |$($operand:ident),*| $result:expr) => {{
            $(let $operand = $operand.clone();)*
            case($name, move || {
                $(let $operand = black_box(&$operand);)*
                $result
            })
        }};
    }
    vec![
        case!("compose: matrix with tile", |matrix, tile| matrix.compose(tile).unwrap()),
        case!("compose: tile with threads", |nested, threads| nested.compose(threads).unwrap()),
        case!("compose: tile with threads and values", |nested, values| nested
            .compose(values)
            .unwrap()),
        case!("complement: threads", |threads| threads.complement(black_box(8192)).unwrap()),
        case!("logical_divide: matrix by tile", |matrix, tile| matrix
            .logical_divide(tile)
            .unwrap()),
        case!("zipped_divide: matrix by tile", |matrix, tile| matrix.zipped_divide(tile).unwrap()),
        case!("coalesce: tile", |nested| nested.coalesce()),
        case!("right_inverse: tile", |nested| nested.right_inverse()),
        case!("logical_product: tile by tile", |nested, threads| nested
            .logical_product(threads)
            .unwrap()),
    ]
}

/// `sum i_k * d_k` over slices whose length is known at run time only.
#[inline(never)]
fn by_hand(coordinate: &[usize], stride: &[usize]) -> usize {
    coordinate.iter().zip(stride).map(|(i, d)| i * d).sum()
}

/// The number split by the extents, then the same sum.
#[inline(never)]
fn number_by_hand(mut number: usize, shape: &[usize], stride: &[usize]) -> usize {
    let mut offset = 0;
    for (extent, step) in shape.iter().zip(stride) {
        offset += number % extent * step;
        number /= extent;
    }
    offset
}

const SIDE: usize = 64;

fn sum_of_pairs(offset: impl Fn(usize, usize) -> usize) -> usize {
    (0..SIDE).map(|i| (0..SIDE).map(|j| offset(i, j)).sum::<usize>()).sum()
}

fn sum_of_numbers(offset: impl Fn(usize) -> usize) -> usize {
    (0..SIDE * SIDE).map(offset).sum()
}

/// All 64 x 64 coordinates of a tile: through the layout, and through the loop by hand.
fn indexes() -> Vec<(&'static str, Case, Case)> {
    let tile = layout("(64,64):(4096,1)");
    let nested = layout("((8,8),(4,16)):((1,32),(8,512))");
    let shape_and_stride =
        |l: &DynLayout| (l.shape().leaves().to_vec(), l.stride().leaves().to_vec());
    let (shape, stride) = shape_and_stride(&tile);
    let (nested_shape, nested_stride) = shape_and_stride(&nested);
    // Flattened once, a nested layout takes flat coordinates: no tree is walked any more.
    let (flat, flat_stride) = (nested.flatten(), nested_stride.clone());
    let sum_of_fours = |offset: &dyn Fn(&[usize; 4]) -> usize| {
        let mut sum = 0;
        for d in 0..16 {
            for c in 0..4 {
                for b in 0..8 {
                    for a in 0..8 {
                        sum += offset(&[a, b, c, d]);
                    }
                }
            }
        }
        sum
    };
    let pairs = tile.clone();
    vec![
        (
            "pair",
            case("pair", move || sum_of_pairs(|i, j| black_box(&pairs).index([i, j]))),
            case("pair by hand", {
                let stride = stride.clone();
                move || sum_of_pairs(|i, j| by_hand(&[i, j], black_box(&stride)))
            }),
        ),
        (
            "number",
            case("number", move || sum_of_numbers(|i| black_box(&tile).index(i))),
            case("number by hand", move || {
                sum_of_numbers(|i| number_by_hand(i, black_box(&shape), black_box(&stride)))
            }),
        ),
        (
            "nested number",
            case("nested number", move || sum_of_numbers(|i| black_box(&nested).index(i))),
            case("nested number by hand", move || {
                sum_of_numbers(|i| {
                    number_by_hand(i, black_box(&nested_shape), black_box(&nested_stride))
                })
            }),
        ),
        (
            "nested, flattened once",
            case("nested, flattened once", move || sum_of_fours(&|c| black_box(&flat).index(*c))),
            case("nested, flattened once, by hand", move || {
                sum_of_fours(&|c| by_hand(c, black_box(&flat_stride)))
            }),
        ),
    ]
}

fn measure(c: &mut Criterion) {
    let mut group = c.benchmark_group("dynamic");
    for (name, f) in operations() {
        group.bench_function(name, |b| b.iter(&f));
    }
    group.finish();
    let mut group = c.benchmark_group("index, 4096 coordinates");
    for (_, ours, hand) in indexes() {
        for (name, f) in [ours, hand] {
            group.bench_function(name, |b| b.iter(&f));
        }
    }
    group.finish();
}

/// Nanoseconds of one call: the least of 20 turns of about 2 ms.
fn nanoseconds(f: &dyn Fn()) -> f64 {
    let time = |calls: u32| {
        let start = Instant::now();
        (0..calls).for_each(|_| f());
        start.elapsed().as_nanos() as f64 / f64::from(calls)
    };
    let calls = (2e6 / time(100).max(1.0)).max(1.0) as u32;
    (0..20).map(|_| time(calls)).fold(f64::INFINITY, f64::min)
}

/// Every case beside its limit; whether all hold.
fn limits() -> ExitCode {
    const OPERATION: f64 = 200.0;
    const INDEX: f64 = 3.0;
    let mut hold = true;
    println!("{:<42}{:>10}{:>10}", "an operation, ns", "measured", "limit");
    for (name, f) in operations() {
        let time = nanoseconds(&f);
        hold &= time <= OPERATION;
        println!("{name:<42}{time:>10.0}{OPERATION:>10.0}");
    }
    println!(
        "\n{:<42}{:>10}{:>10}{:>10}{:>10}",
        "an index, ns", "measured", "by hand", "ratio", "limit"
    );
    for (name, (_, ours), (_, hand)) in indexes() {
        let (ours, hand) = (nanoseconds(&ours) / 4096.0, nanoseconds(&hand) / 4096.0);
        hold &= ours <= INDEX * hand;
        println!("{name:<42}{ours:>10.2}{hand:>10.2}{:>10.2}{INDEX:>10.1}", ours / hand);
    }
    println!("\n{}", if hold { "all limits hold" } else { "a limit does not hold" });
    if hold { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn main() -> ExitCode {
    if env::args().any(|argument| argument == "limits") {
        return limits();
    }
    let mut criterion = Criterion::default().configure_from_args();
    measure(&mut criterion);
    criterion.final_summary();
    ExitCode::SUCCESS
}
