//! The command line.

use layout_algebra::prelude::*;

use super::product::{InstructionSet, tiles::Matrix};

pub const USAGE: &str = "\
Usage: gemm [M N K] [--a ORDER] [--b ORDER] [--c ORDER] [--on SET]

C = A * B with A of M rows and K columns, B of K rows and N columns; 1024 each by default.
ORDER is `row` (the default) or `column`, SET is `avx512`, `avx2` or `portable`; by default the first of these that is there.";

/// How a matrix lies in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    Row,
    Column,
}
impl Order {
    /// The layout of a matrix in this order.
    pub fn layout(self, rows: usize, columns: usize) -> Matrix {
        let one = 1;
        match self {
            Order::Row => layout!((rows, columns):(columns, one)),
            Order::Column => layout!((rows, columns):(one, rows)),
        }
    }
}

/// What to compute, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Command {
    pub m: usize,
    pub n: usize,
    pub k: usize,
    pub a: Order,
    pub b: Order,
    pub c: Order,
    pub set: InstructionSet,
}

impl Command {
    /// Reads the arguments; `None` if they ask for help.
    pub fn parse(arguments: impl IntoIterator<Item = String>) -> Result<Option<Self>, String> {
        let fastest = InstructionSet::available().next().expect("`Portable` is always there");
        let [a, b, c] = [Order::Row; 3];
        let mut command = Command { m: 1024, n: 1024, k: 1024, a, b, c, set: fastest };
        let mut sizes = Vec::new();
        let mut arguments = arguments.into_iter();
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or(format!("`{argument}` needs a value"));
            match argument.as_str() {
                "--help" | "-h" => return Ok(None),
                "--a" => command.a = order(&value()?)?,
                "--b" => command.b = order(&value()?)?,
                "--c" => command.c = order(&value()?)?,
                "--on" => command.set = instruction_set(&value()?)?,
                option if option.starts_with("--") => {
                    return Err(format!("`{option}` is not an option"));
                }
                number => sizes.push(size(number)?),
            }
        }
        match sizes[..] {
            [] => {}
            [m, n, k] => (command.m, command.n, command.k) = (m, n, k),
            _ => return Err(format!("three sizes, M N K, or none; here are {}", sizes.len())),
        }
        command.check_memory()?;
        Ok(Some(command))
    }

    /// A, B and C, the last one twice, have to fit into memory.
    fn check_memory(&self) -> Result<(), String> {
        let Command { m, n, k, .. } = *self;
        let elements = [(m, k), (k, n), (m, n), (m, n)]
            .iter()
            .try_fold(0_usize, |sum, (rows, columns)| sum.checked_add(rows.checked_mul(*columns)?));
        let fits = elements.is_some_and(|elements| {
            // The compiler must not take the success of this for granted.
            std::hint::black_box(Vec::<f32>::new())
                .try_reserve_exact(std::hint::black_box(elements))
                .is_ok()
        });
        if fits {
            Ok(())
        } else {
            Err(format!("matrices for {m} x {n} x {k} do not fit into memory"))
        }
    }
}

fn size(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("a size is at least 1, not 0".to_string()),
        Ok(size) => Ok(size),
        Err(error) => Err(format!("`{text}` is not a size: {error}")),
    }
}

fn order(text: &str) -> Result<Order, String> {
    match text {
        "row" => Ok(Order::Row),
        "column" => Ok(Order::Column),
        _ => Err(format!("`{text}` is not an order: `row` or `column`")),
    }
}

fn instruction_set(text: &str) -> Result<InstructionSet, String> {
    let set = match text {
        "avx512" => InstructionSet::Avx512,
        "avx2" => InstructionSet::Avx2,
        "portable" => InstructionSet::Portable,
        _ => {
            return Err(format!(
                "`{text}` is not an instruction set: `avx512`, `avx2` or `portable`"
            ));
        }
    };
    if set.is_available() { Ok(set) } else { Err(format!("this processor has no {text}")) }
}
