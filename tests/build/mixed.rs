//! Operands of golden lines with some of their leaves dynamic, for the test `static_laws`, which
//! has the macro.

use std::fmt::Write;

use serde_json::Value;

use crate::notation::{as_type, one_for_each_mode};
use crate::readings::Reading::{ByMode, Operation};
use crate::readings::reading;
use crate::{Line, facts};

/// How many lines of an operation serve.
const LINES: usize = 10;

/// Of each line: its operands as they are, with dynamic strides on the left, with a dynamic last
/// extent on the left, with some leaves of the left dynamic, and with some leaves of both.
pub fn cases(operations: &[(String, Vec<Line>)]) -> String {
    let mut out = String::new();
    for (op, lines) in operations {
        let Some(reading @ (Operation(..) | ByMode(..))) = reading(op) else { continue };
        let name = match op.as_str() {
            "coalesce_by_mode" => "coalesce_by",
            "compose_by_mode" => "compose",
            other => other,
        };
        let mut chance = chances(op);
        writeln!(out, "#[test]\nfn {op}() {{\n    cases! {{").expect("text");
        // Some whose left operand has several modes.
        let modes = |line: &&Line| {
            line.args[0].as_str().is_some_and(|layout| layout.matches(',').count() > 1)
        };
        for (index, Line { args, .. }) in
            lines[..facts::LINES].iter().filter(modes).step_by(4).take(LINES).enumerate()
        {
            let (shape, _) =
                args[0].as_str().and_then(|text| text.split_once(':')).expect("a layout");
            let extents = shape.split(',').count();
            for kind in 0..5 {
                let mut leaf = 0;
                let mut left = || {
                    leaf += 1;
                    match kind {
                        0 => false,
                        1 => leaf > extents,
                        2 => leaf == extents,
                        3 => chance(2),
                        _ => chance(3),
                    }
                };
                let mut operands = vec![operand(&args[0], &mut left)];
                let mut right = || kind > 1 && chance(if kind == 2 { 4 } else { 3 });
                match (reading, args.get(1)) {
                    (ByMode(..), _) => operands.push(one_for_each_mode(&args[0])),
                    (_, Some(arg)) => operands.push(operand(arg, &mut right)),
                    _ => {}
                }
                if index % 2 == 0 || kind != 0 {
                    writeln!(out, "        {name}({});", operands.join(", ")).expect("text");
                }
            }
        }
        out += "    }\n}\n";
    }
    out
}

/// One in so many, without pattern: of each operation its own, so that another one does not change
/// the cases of those behind it.
fn chances(op: &str) -> impl FnMut(u32) -> bool {
    let mut noise =
        op.bytes().fold(1u32, |noise, byte| noise.wrapping_mul(31).wrapping_add(byte.into()));
    move |one_in| {
        noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (noise >> 16) % one_in == 0
    }
}

/// An operand as a type, in which the leaves that `dynamic` picks by position are `usize`.
fn operand(value: &Value, dynamic: &mut dyn FnMut() -> bool) -> String {
    if value.is_number() {
        return if dynamic() { "usize".into() } else { as_type(value) };
    }
    let (text, mut out) = (as_type(value), String::new());
    let mut rest = text.as_str();
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let end = rest[start..]
            .find(|c: char| !c.is_ascii_digit())
            .map_or(rest.len(), |length| start + length);
        out += &rest[..start];
        out += if dynamic() { "usize" } else { &rest[start..end] };
        rest = &rest[end..];
    }
    out + rest
}
