//! The operations by name on hostile text: an answer or a sentence, in time, and never a panic.
//! What is read here is what the command `layout` reads and the page in `crates/playground` calls.

use std::time::{Duration, Instant};

use layout_algebra::prelude::*;
use layout_cli::{AnyLayout, Kind, OPERATIONS, Value};

/// How long a call may take: an operation is asked on one line of text, and built without
/// optimisation here.
const LIMIT: Duration = Duration::from_secs(20);

/// Bytes as choices; 0 once they are used up.
struct Choices<'a>(&'a [u8]);

impl Choices<'_> {
    fn below(&mut self, bound: usize) -> usize {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        usize::from(first) % bound
    }

    /// A number: small ones for the most part, and those at which arithmetic breaks.
    fn number(&mut self) -> usize {
        match self.below(10) {
            0 => 0,
            1 => 1 << self.below(64),
            2 => (1 << self.below(64)) + 1,
            3 => usize::MAX >> self.below(64),
            4 => usize::MAX - self.below(3),
            5 => isize::MAX as usize + self.below(3),
            _ => self.below(9),
        }
    }

    /// One item, or a few in parentheses, nested a little.
    fn tree(&mut self, depth: usize, leaf: &mut impl FnMut(&mut Self) -> String) -> String {
        match self.below(4) {
            0 | 1 if depth > 0 => {
                let items: Vec<_> =
                    (0..1 + self.below(4)).map(|_| self.tree(depth - 1, leaf)).collect();
                format!("({})", items.join(","))
            }
            _ => leaf(self),
        }
    }

    fn stride(&mut self) -> String {
        let sign = ["", "", "", "^", "^", "-"][self.below(6)];
        format!("{sign}{}", self.number())
    }

    /// A layout: a stride for each leaf of the shape, now and then for another shape.
    fn layout(&mut self) -> String {
        let shape = match self.below(16) {
            // More modes than tables of the library hold.
            0 => format!("({})", ["2"; 40].join(",")),
            _ => self.tree(2, &mut |it| it.number().to_string()),
        };
        match self.below(12) {
            0 => shape,
            1 => format!("{shape}:{}", self.tree(2, &mut |it| it.stride())),
            _ => {
                let mut strides = String::new();
                let mut digits = false;
                for char in shape.chars() {
                    match (char.is_ascii_digit(), digits) {
                        (true, true) => continue,
                        (true, false) => strides += &self.stride(),
                        _ => strides.push(char),
                    }
                    digits = char.is_ascii_digit();
                }
                format!("{shape}:{strides}")
            }
        }
    }

    fn swizzle(&mut self) -> String {
        let mut small = || if self.below(8) == 0 { self.below(70) } else { self.below(5) };
        format!("Sw<{},{},{}>", small(), small(), small())
    }

    fn text(&mut self, kind: Kind) -> String {
        match kind {
            Kind::AnyLayout if self.below(3) == 0 => {
                format!("{} o {} o {}", self.swizzle(), self.number(), self.layout())
            }
            Kind::AnyLayout | Kind::Layout => self.layout(),
            Kind::Tile => match self.below(3) {
                0 => {
                    let items: Vec<_> = (0..1 + self.below(4))
                        .map(|_| match self.below(4) {
                            0 => "_".to_string(),
                            1 => self.layout(),
                            _ => self.number().to_string(),
                        })
                        .collect();
                    format!("<{}>", items.join(","))
                }
                1 => self.layout(),
                _ => self.number().to_string(),
            },
            Kind::Shape | Kind::Modes => self.tree(2, &mut |it| it.number().to_string()),
            Kind::Number => self.number().to_string(),
            Kind::Slice => self.tree(2, &mut |it| match it.below(4) {
                0 => "_".to_string(),
                1 => format!("{}..{}", it.number(), it.number()),
                _ => it.number().to_string(),
            }),
            Kind::Swizzle => self.swizzle(),
        }
    }
}

/// Whether a question about two coordinates of one offset is answered without a search that may not
/// end: the page asks the same before it calls the operation.
fn is_quick(values: &[Value]) -> bool {
    values.iter().all(|value| match value {
        Value::Layout(layout @ AnyLayout::Plain(_)) => layout.is_quick(),
        _ => true,
    })
}

/// Calls operations on operands that the bytes choose; returns how many had operands that can be
/// read.
pub(crate) fn operations(bytes: &[u8]) -> usize {
    let mut choices = Choices(bytes);
    let mut called = 0;
    while !choices.0.is_empty() {
        let row = &OPERATIONS[choices.below(OPERATIONS.len())];
        let texts: Vec<String> =
            row.operands.iter().map(|operand| choices.text(operand.kind)).collect();
        let read = row.operands.iter().zip(&texts).map(|(operand, text)| operand.kind.read(text));
        let Ok(values) = read.collect::<Result<Vec<_>, String>>() else { continue };
        if matches!(row.name, "is_injective" | "is_bijective" | "is_compact") && !is_quick(&values)
        {
            continue;
        }
        called += 1;
        let call = format!("{}({})", row.name, texts.join(" ; "));
        // What panics here says of which call it was.
        let named = Named(&call);
        let start = Instant::now();
        match (row.call)(&values).expect("operands of the kinds of the row") {
            // A result is printed, and read again if it is a layout that text holds.
            Ok(value) => {
                let printed = value.to_string();
                if let Value::Layout(AnyLayout::Plain(layout)) = &value {
                    let again = printed.parse::<DynLayout>();
                    assert!(
                        again.as_ref() == Ok(layout) || again.is_err(),
                        "{call} prints {printed}, which is read as another layout"
                    );
                }
            }
            Err(error) => {
                assert!(!error.to_string().is_empty(), "{call} is refused without a sentence")
            }
        }
        let took = start.elapsed();
        assert!(took < LIMIT, "{call} took {took:?}");
        std::mem::forget(named);
    }
    called
}

/// Says which call it was if it panics.
struct Named<'a>(&'a str);

impl Drop for Named<'_> {
    fn drop(&mut self) {
        eprintln!("a panic in {}", self.0);
    }
}
