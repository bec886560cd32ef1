//! The matrix product of the example `gemm` against three plain loops: ragged sizes, every order,
//! every instruction set that this processor has; and its command line.
#![allow(
    clippy::incompatible_msrv,
    reason = "the example asks for a newer compiler than the library"
)]
#![allow(dead_code, reason = "the example uses what the tests do not")]

#[path = "../../examples/gemm/command.rs"]
mod command;
#[path = "../../examples/gemm/product/mod.rs"]
mod product;

use command::{Command, Order};
use layout_algebra::prelude::*;
use product::cores::product_on_cores;
use product::fixed::fixed;
use product::tiles::{Matrix, Tiles, fits};
#[cfg(target_arch = "x86_64")]
use product::vector::{Avx2, Avx512};
use product::vector::{Isa, Portable};
use product::{Blocking, Blocks, InstructionSet, Workspace, describe};

/// Blocks so small that every loop of the product turns more than once, and both matrices are
/// packed.
const SMALL: Blocking = Blocking { mc: 32, kc: 8, nc: 12, reads: 0 };

/// Each of the eight choices of an order for A, B and C.
fn orders() -> impl Iterator<Item = [Order; 3]> + Clone {
    (0..8).map(|bits| [1, 2, 4].map(|bit| if bits & bit == 0 { Order::Row } else { Order::Column }))
}

/// The layout of a matrix within a larger one: `apart` more elements from one row, or column, to
/// the next.
fn matrix(order: Order, rows: usize, columns: usize, apart: usize) -> Matrix {
    match order {
        Order::Row => order.layout(rows, columns + apart),
        Order::Column => order.layout(rows + apart, columns),
    }
    .compose(tiler!(rows, columns))
}

/// Small whole numbers, whose sums are exact in any order.
fn whole_numbers<E: From<i8>>(length: usize, seed: usize) -> Vec<E> {
    (0..length).map(|i| E::from(((i * 7 + seed) * 2_654_435_761 % 4096 / 256) as i8 - 8)).collect()
}

/// What three loops say.
fn expected<E: Blocks + From<i8>>(
    c: &mut [E],
    (a, la): (&[E], Matrix),
    (b, lb): (&[E], Matrix),
    lc: Matrix,
) {
    for (i, j) in lc.coords() {
        c[lc.index((i, j))] = (0..la.shape().1)
            .fold(E::default(), |sum, p| sum + a[la.index((i, p))] * b[lb.index((p, j))]);
    }
}

/// The product, gaps between rows and columns included, is exactly what three loops say: in both
/// elements, on one core and on three.
fn check(
    set: InstructionSet,
    blocking: Blocking,
    size: [usize; 3],
    orders: [Order; 3],
    apart: usize,
) {
    check_in::<f32>(set, blocking, size, orders, apart);
    check_in::<f64>(set, blocking, size, orders, apart);
}

fn check_in<E: Blocks + From<i8>>(
    set: InstructionSet,
    blocking: Blocking,
    [m, n, k]: [usize; 3],
    [a, b, c]: [Order; 3],
    apart: usize,
) {
    let (la, lb, lc) = (matrix(a, m, k, apart), matrix(b, k, n, apart), matrix(c, m, n, apart));
    let (a, b) = (whole_numbers::<E>(la.cosize(), 1), whole_numbers::<E>(lb.cosize(), 2));
    // One element behind the last.
    let mut found = vec![E::from(99); lc.cosize() + 1];
    let (mut right, mut on_cores) = (found.clone(), found.clone());
    expected(&mut right, (&a, la), (&b, lb), lc);
    let mut workspaces = [Workspace::default(), Workspace::default(), Workspace::default()];
    product::product(set, blocking, &mut workspaces[0], (&a, la), (&b, lb), (&mut found, lc));
    assert_eq!(found, right, "{set:?}: {la} * {lb} = {lc}, {blocking:?}");
    product_on_cores(set, blocking, &mut workspaces, (&a, la), (&b, lb), (&mut on_cores, lc));
    assert_eq!(on_cores, right, "three cores, {set:?}: {la} * {lb} = {lc}, {blocking:?}");
}

/// Static layouts, every tail of rows and columns in registers of every kind: what lies beyond C
/// stays untouched.
macro_rules! fixed_sizes {
    ($element:ident: $(($m:literal, $n:literal, $k:literal))*) => {$({
        let (la, lb, lc) = (layout!(($m, $k)), layout!(($n, $k): right), layout!(($m, $n)));
        let (a, b) = (whole_numbers::<$element>(la.size(), 1), whole_numbers::<$element>(lb.size(), 2));
        let mut right = vec![99.0; lc.size() + 1];
        for (i, j) in lc.coords() {
            right[lc.index((i, j))] = (0..$k).map(|p| a[la.index((i, p))] * b[lb.index((j, p))]).sum();
        }
        let mut found = vec![99.0; lc.size() + 1];
        fixed(Portable, (&a, la), (&b, lb), (&mut found, lc));
        assert_eq!(found, right, "portable: {la} * {lb} = {lc}");
        #[cfg(target_arch = "x86_64")]
        {
            if let Some(isa) = Avx2::detect() {
                let mut found = vec![99.0; lc.size() + 1];
                fixed(isa, (&a, la), (&b, lb), (&mut found, lc));
                assert_eq!(found, right, "AVX2: {la} * {lb} = {lc}");
            }
            if let Some(isa) = Avx512::detect() {
                let mut found = vec![99.0; lc.size() + 1];
                fixed(isa, (&a, la), (&b, lb), (&mut found, lc));
                assert_eq!(found, right, "AVX-512: {la} * {lb} = {lc}");
            }
        }
    })*};
}

#[test]
fn sizes_known_at_compile_time() {
    fixed_sizes!(f32: (1, 1, 1) (4, 4, 4) (3, 5, 2) (8, 8, 8) (7, 17, 3) (16, 31, 5));
    fixed_sizes!(f32: (33, 7, 4) (80, 13, 2) (77, 37, 3));
    fixed_sizes!(f64: (1, 1, 1) (4, 4, 4) (3, 5, 2) (8, 8, 8) (7, 17, 3) (16, 31, 5));
    fixed_sizes!(f64: (33, 7, 4) (40, 13, 2) (77, 37, 3));
}

#[test]
#[should_panic(expected = "each layout fits its memory")]
fn a_static_layout_that_leaves_its_memory() {
    let l = layout!((4, 4));
    fixed(Portable, (&[0.0_f32; 16], l), (&[0.0; 15], layout!((4, 4): right)), (&mut [0.0; 16], l));
}

#[test]
fn every_order_in_small_blocks() {
    for set in InstructionSet::available() {
        for size in [[1, 1, 1], [37, 29, 21], [70, 13, 17], [33, 26, 40]] {
            orders().for_each(|orders| check(set, SMALL, size, orders, 3));
        }
    }
}

#[test]
fn every_order_without_packing() {
    for set in InstructionSet::available() {
        for size in [[5, 7, 3], [33, 13, 9], [67, 11, 5]] {
            orders().for_each(|orders| check(set, Blocking::of::<f32>(set), size, orders, 1));
        }
    }
}

/// Every tail of rows and of columns, around the sizes of all register blocks.
#[test]
fn every_tail() {
    for set in InstructionSet::available() {
        for m in 1..=66 {
            check(set, Blocking::of::<f32>(set), [m, 1 + m % 7, 3], [Order::Column; 3], 0);
            check(set, SMALL, [m, 2, 9], [Order::Column, Order::Row, Order::Column], 2);
        }
        for n in 1..=13 {
            check(set, Blocking::of::<f32>(set), [31, n, 2], [Order::Column; 3], 0);
            check(set, Blocking::of::<f32>(set), [n, 65, 2], [Order::Row; 3], 0);
        }
    }
}

#[test]
fn random_sizes() {
    let mut state = 1_usize;
    let mut below = |end: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) % end
    };
    for set in InstructionSet::available() {
        for orders in orders().cycle().take(48) {
            let size = [0; 3].map(|_| 1 + below(50));
            let blocking = Blocking {
                mc: 1 + below(80),
                kc: 1 + below(30),
                nc: 1 + below(40),
                reads: below(6),
            };
            check(set, blocking, size, orders, below(3));
        }
    }
}

/// The packing of long panels goes by squares of 16.
#[test]
fn long_k() {
    for set in InstructionSet::available() {
        orders().for_each(|orders| {
            check(set, Blocking { reads: 0, ..Blocking::of::<f32>(set) }, [66, 14, 83], orders, 0)
        });
    }
}

#[test]
fn nothing_to_sum_and_nothing_to_compute() {
    for set in InstructionSet::available() {
        for size in [[3, 4, 0], [0, 4, 3], [3, 0, 4], [0, 0, 0]] {
            check(set, Blocking::of::<f32>(set), size, [Order::Column; 3], 0);
        }
    }
}

#[test]
#[should_panic(expected = "each layout fits its memory")]
fn a_layout_that_leaves_its_memory() {
    let l = Order::Column.layout(4, 4);
    let (a, mut c) = (vec![0.0_f32; 16], vec![0.0; 15]);
    product::product(
        InstructionSet::Portable,
        SMALL,
        &mut Workspace::default(),
        (&a, l),
        (&a, l),
        (&mut c, l),
    );
}

#[test]
fn a_cosize_beyond_usize_fits_nothing() {
    let (rows, columns, huge) = (5, 5, 1 << (usize::BITS - 1));
    assert!(!fits(layout!((rows, columns):(huge, huge)), 100));
    assert!(fits(Order::Row.layout(4, 5), 20) && !fits(Order::Row.layout(4, 5), 19));
}

/// The tiles of a ragged matrix hold each of its elements once.
#[test]
fn tiles_partition_a_matrix() {
    let whole = Order::Row.layout(10, 7);
    let tiles = Tiles::new(whole, 4, 3);
    assert_eq!(tiles.layout.to_string(), "((4,3),(3,3)):((7,1),(28,3))");
    let mut seen = [0; 70];
    let (down, across) = tiles.count();
    for (i, j) in (0..down).flat_map(|i| (0..across).map(move |j| (i, j))) {
        let (tile, offset) = tiles.tile(i, j);
        tile.coords().for_each(|at| seen[offset + tile.index(at)] += 1);
    }
    assert_eq!(seen, [1; 70]);
}

#[test]
fn the_layouts_as_text() {
    let l = Order::Column.layout(100, 100);
    let text: Vec<String> = describe::<f32>(InstructionSet::Portable, SMALL, l, l, l)
        .into_iter()
        .map(|(name, l)| format!("{name} {l}"))
        .collect();
    assert!(
        text.contains(&"panels of A ((12,8),(1,1)):((1,100),(12,800))".to_string()),
        "{text:#?}"
    );
    assert!(text.contains(&"packed ((_12,8),(1,_1)):((_1,_12),(96,_0))".to_string()), "{text:#?}");
    assert!(
        text.contains(&"register block of C ((_4,_3),_4):((_1,_4),100)".to_string()),
        "{text:#?}"
    );
}

// ---- the command line ---------------------------------------------------------------------------

fn parse(text: &str) -> Result<Option<Command>, String> {
    Command::parse(text.split_whitespace().map(str::to_string))
}

#[test]
fn commands() {
    let command = parse("").unwrap().unwrap();
    assert_eq!((command.m, command.n, command.k), (1024, 1024, 1024));
    let command = parse("30 --b column 20 10 --c column --on portable").unwrap().unwrap();
    assert_eq!((command.m, command.n, command.k), (30, 20, 10));
    assert_eq!([command.a, command.b, command.c], [Order::Row, Order::Column, Order::Column]);
    assert_eq!(command.set, InstructionSet::Portable);
    assert_eq!(parse("3 --help"), Ok(None));
}

#[test]
fn mistakes_in_commands() {
    for (text, message) in [
        ("1 2", "three sizes, M N K, or none; here are 2"),
        ("1 2 3 4", "three sizes, M N K, or none; here are 4"),
        ("1 0 3", "a size is at least 1, not 0"),
        ("1 -2 3", "`-2` is not a size: invalid digit found in string"),
        ("1 2.5 3", "`2.5` is not a size: invalid digit found in string"),
        (
            "1 2 99999999999999999999",
            "`99999999999999999999` is not a size: number too large to fit in target type",
        ),
        (
            "9999999999 2 9999999999",
            "matrices for 9999999999 x 2 x 9999999999 do not fit into memory",
        ),
        ("--a", "`--a` needs a value"),
        ("--a diagonal", "`diagonal` is not an order: `row` or `column`"),
        ("--on sse", "`sse` is not an instruction set: `avx512`, `avx2` or `portable`"),
        ("--fast", "`--fast` is not an option"),
    ] {
        assert_eq!(parse(text), Err(message.to_string()), "{text}");
    }
}
