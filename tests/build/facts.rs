//! Golden lines as facts about types: that these compile is the proof. Their macros are in
//! `golden/types.rs`.
//!
//! A line becomes one assertion. A result is an equality of types; where the operation has no exact
//! answer, the type does not implement it. Every line that is taken is asserted, or the build
//! fails.

use std::fmt::Write;

use serde_json::Value;

use crate::Line;
use crate::notation::{as_type, as_value, bare, one_for_each_mode};
use crate::readings::Reading::{self, *};
use crate::readings::reading;

/// How many lines of an operation are facts about types.
pub const LINES: usize = 150;

/// The first lines of each operation that the types have.
pub fn natural(operations: &[(String, Vec<Line>)]) -> String {
    let mut text = String::new();
    for (op, lines) in operations {
        let Some(reading) = reading(op) else { continue };
        assert!(
            lines.len() >= LINES,
            "{} lines of {op}, and there should be {LINES} at least",
            lines.len()
        );
        let facts = lines[..LINES]
            .iter()
            .map(|Line { args, out, .. }| fact(reading, args, out, as_type(out)));
        text += &module(op, reading, facts);
    }
    text
}

/// What the types have for negative strides: these on the left, natural ones on the right.
const OF_NEGATIVE_STRIDES: [&str; 10] = [
    "index",
    "base",
    "cosize",
    "compose",
    "compose_by_mode",
    "logical_divide",
    "logical_divide_by_mode",
    "zipped_divide",
    "tiled_divide",
    "flat_divide",
];

/// All lines of these operations that have negative strides on the left alone, and no XOR strides.
pub fn negative(operations: &[(String, Vec<Line>)]) -> String {
    let of_negative = |Line { args, .. }: &&Line| {
        let has = |arg: &Value, sign: char| arg.as_str().is_some_and(|text| text.contains(sign));
        has(&args[0], '-')
            && !args[1..].iter().any(|arg| has(arg, '-'))
            && !args.iter().any(|arg| has(arg, '^'))
    };
    let mut text = String::new();
    for op in OF_NEGATIVE_STRIDES {
        let (_, lines) =
            operations.iter().find(|(name, _)| name == op).expect("lines of the operation");
        let reading = if matches!(op, "base" | "cosize") { Some(Number(op)) } else { reading(op) };
        let reading = reading.expect("an operation that the types have");
        let facts = lines.iter().filter(of_negative);
        let facts: Vec<_> =
            facts.map(|Line { args, out, .. }| fact(reading, args, out, signed(out))).collect();
        assert!(
            facts.len() > 10,
            "{} facts of {op} about negative strides, which prove little",
            facts.len()
        );
        text += &module(&format!("negative_{op}"), reading, facts.into_iter());
    }
    text
}

/// A result whose left operand has negative strides: of the kind of that, also where no stride is
/// negative.
fn signed(out: &Value) -> String {
    match out.as_str().and_then(|text| text.split_once(':')) {
        Some((shape, stride)) if !stride.contains('-') => {
            format!("SignedLayout<{}, {}>", as_type(&shape.into()), as_type(&stride.into()))
        }
        _ => as_type(out),
    }
}

/// A module of facts; of what is a value, in a test.
fn module(name: &str, reading: Reading, facts: impl Iterator<Item = String>) -> String {
    let mut text = format!("mod {name} {{\n    use super::*;\n\n");
    let runs = matches!(reading, Constant(..) | Number(_) | Offset | Coordinate);
    text += if runs { "    #[test]\n    fn lines() {\n" } else { "" };
    facts.for_each(|fact| writeln!(text, "    {fact}").expect("text"));
    text + if runs { "    }\n}\n" } else { "}\n" }
}

/// The assertion of one line, whose result as a type is `result`.
fn fact(reading: Reading, args: &[Value], out: &Value, result: String) -> String {
    let types = || args.iter().map(as_type).collect::<Vec<_>>();
    let operation = |name: &str, alias: &str, operands: Vec<String>| match out {
        Value::Object(_) if operands.len() == 1 => format!("undefined!({}: {name});", operands[0]),
        Value::Object(_) => {
            format!("undefined!({}: {name}<{}>);", operands[0], operands[1..].join(", "))
        }
        _ => format!("equal!({alias}<{}>, {result});", operands.join(", ")),
    };
    match reading {
        Operation(name, alias) => operation(name, alias, types()),
        ByMode(name, alias) => {
            operation(name, alias, [types(), vec![one_for_each_mode(&args[0])]].concat())
        }
        Alias(alias) => operation("", alias, types()),
        Relation(name) => {
            let verb = if out.as_bool().expect("yes or no") { "related" } else { "unrelated" };
            format!("{verb}!({}: {name}<{}>);", as_type(&args[0]), as_type(&args[1]))
        }
        Constant(constant, method) => {
            format!("constant!({}, {constant}, {method} => {out});", as_type(&args[0]))
        }
        Number(method) => format!("assert_eq!({}.{method}(), {out});", as_value(&args[0])),
        Offset => {
            let coordinate = bare(&args[1]);
            let number = if args[1].is_number() {
                as_value(&args[1])
            } else {
                format!("shape!({coordinate})")
            };
            format!("offset!({}, {coordinate}, {number} => {out});", as_value(&args[0]))
        }
        Coordinate => {
            format!("coordinate!({}, {} => {});", as_value(&args[0]), bare(&args[1]), bare(out))
        }
        Swizzled => {
            format!("swizzled!({}, {}, {}, {} => {out});", args[0], args[1], args[2], args[3])
        }
    }
}
