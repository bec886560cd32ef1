//! The matrix product of the example `gemm` against three plain loops: ragged sizes, every order, every instruction set that this processor
//! has; and its command line.
#![allow(clippy::incompatible_msrv, reason = "the example asks for a newer compiler than the library")]
#![allow(dead_code, reason = "the example uses what the tests do not")]

#[path = "../examples/gemm/command.rs"]
mod command;
#[path = "../examples/gemm/product/mod.rs"]
mod product;

use command::{Command, Order};
use layout_algebra::prelude::*;
use product::tiles::{Matrix, Tiles, fits};
use product::{Blocking, InstructionSet, Workspace, describe};

/// Blocks so small that every loop of the product turns more than once, and both matrices are packed.
const SMALL: Blocking = Blocking { mc: 32, kc: 8, nc: 12, reads: 0 };

/// Each of the eight choices of an order for A, B and C.
fn orders() -> impl Iterator<Item = [Order; 3]> + Clone {
    (0..8).map(|bits| [1, 2, 4].map(|bit| if bits & bit == 0 { Order::Row } else { Order::Column }))
}

/// The layout of a matrix within a larger one: `apart` more elements from one row, or column, to the next.
fn matrix(order: Order, rows: usize, columns: usize, apart: usize) -> Matrix {
    match order {
        Order::Row => order.layout(rows, columns + apart),
        Order::Column => order.layout(rows + apart, columns),
    }
    .compose(tiler!(rows, columns))
}

/// Small whole numbers, whose sums are exact in any order.
fn whole_numbers(length: usize, seed: usize) -> Vec<f32> {
    (0..length).map(|i| ((i * 7 + seed) * 2_654_435_761 % 4096 / 256) as f32 - 8.0).collect()
}

/// The product, gaps between rows and columns included, is exactly what three loops say.
fn check(set: InstructionSet, blocking: Blocking, [m, n, k]: [usize; 3], [a, b, c]: [Order; 3], apart: usize) {
    const UNTOUCHED: f32 = 12345.0;
    let (la, lb, lc) = (matrix(a, m, k, apart), matrix(b, k, n, apart), matrix(c, m, n, apart));
    let (a, b) = (whole_numbers(la.cosize(), 1), whole_numbers(lb.cosize(), 2));
    // One element behind the last.
    let mut found = vec![UNTOUCHED; lc.cosize() + 1];
    let mut expected = found.clone();
    for (i, j) in lc.coords() {
        expected[lc.index((i, j))] = (0..k).map(|p| a[la.index((i, p))] * b[lb.index((p, j))]).sum();
    }
    let mut workspace = Workspace::default();
    product::product(set, blocking, &mut workspace, (&a, la), (&b, lb), (&mut found, lc));
    assert_eq!(found, expected, "{set:?}: {la} * {lb} = {lc}, {blocking:?}");
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
            orders().for_each(|orders| check(set, Blocking::default(), size, orders, 1));
        }
    }
}

/// Every tail of rows and of columns, around the sizes of all register blocks.
#[test]
fn every_tail() {
    for set in InstructionSet::available() {
        for m in 1..=66 {
            check(set, Blocking::default(), [m, 1 + m % 7, 3], [Order::Column; 3], 0);
            check(set, SMALL, [m, 2, 9], [Order::Column, Order::Row, Order::Column], 2);
        }
        for n in 1..=13 {
            check(set, Blocking::default(), [31, n, 2], [Order::Column; 3], 0);
            check(set, Blocking::default(), [n, 65, 2], [Order::Row; 3], 0);
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
            let blocking = Blocking { mc: 1 + below(80), kc: 1 + below(30), nc: 1 + below(40), reads: below(6) };
            check(set, blocking, size, orders, below(3));
        }
    }
}

/// The packing of long panels goes by squares of 16.
#[test]
fn long_k() {
    for set in InstructionSet::available() {
        orders().for_each(|orders| check(set, Blocking { reads: 0, ..Blocking::default() }, [66, 14, 83], orders, 0));
    }
}

#[test]
fn nothing_to_sum_and_nothing_to_compute() {
    for set in InstructionSet::available() {
        for size in [[3, 4, 0], [0, 4, 3], [3, 0, 4], [0, 0, 0]] {
            check(set, Blocking::default(), size, [Order::Column; 3], 0);
        }
    }
}

#[test]
#[should_panic(expected = "each layout fits its memory")]
fn a_layout_that_leaves_its_memory() {
    let l = Order::Column.layout(4, 4);
    let (a, mut c) = (vec![0.0; 16], vec![0.0; 15]);
    product::product(InstructionSet::Portable, SMALL, &mut Workspace::default(), (&a, l), (&a, l), (&mut c, l));
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
    let text: Vec<String> =
        describe(InstructionSet::Portable, SMALL, l, l, l).into_iter().map(|(name, l)| format!("{name} {l}")).collect();
    assert!(text.contains(&"panels of A ((12,8),(1,1)):((1,100),(12,800))".to_string()), "{text:#?}");
    assert!(text.contains(&"packed ((_12,8),(1,_1)):((_1,_12),(96,_0))".to_string()), "{text:#?}");
    assert!(text.contains(&"register block of C ((_4,_3),_4):((_1,_4),100)".to_string()), "{text:#?}");
}

// ---- the command line ---------------------------------------------------------------------------------------------

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
        ("1 2 99999999999999999999", "`99999999999999999999` is not a size: number too large to fit in target type"),
        ("9999999999 2 9999999999", "matrices for 9999999999 x 2 x 9999999999 do not fit into memory"),
        ("--a", "`--a` needs a value"),
        ("--a diagonal", "`diagonal` is not an order: `row` or `column`"),
        ("--on sse", "`sse` is not an instruction set: `avx512`, `avx2` or `portable`"),
        ("--fast", "`--fast` is not an option"),
    ] {
        assert_eq!(parse(text), Err(message.to_string()), "{text}");
    }
}
