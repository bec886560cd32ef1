//! Writes `types/*.rs`: 150 golden lines of each operation as facts about types; and `static_laws/mixed.rs`: operands
//! of some of the lines, leaves here and there made dynamic, for the test `static_laws`.
//!
//! A line becomes one assertion. A result is an equality of types; where the operation has no exact answer, the
//! type does not implement it. A line whose trees do not fit the types, which have at most 8 modes a level, is
//! counted as such; so every line is accounted for. The files are committed, and compared here with what the
//! generator writes; to write them anew:
//!
//! ```text
//! STATIC_GOLDEN=write cargo test -p layout-algebra-tests --test golden files
//! ```

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

use serde_json::Value;

use crate::operations::*;

/// What became of the lines of an operation: assertions, trees too wide for the types, operations not yet there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Count {
    asserted: usize,
    too_wide: usize,
}

/// A layout, a shape or a tiler of the golden file as a macro reads it: a tuple of one with its comma, which tools that
/// tidy up parentheses leave alone. Nothing if a level has more than 8 modes.
fn tokens(text: &str) -> Option<String> {
    let (mut out, mut commas) = (String::new(), vec![0]);
    for c in text.chars() {
        match c {
            '(' => commas.push(0),
            ',' => *commas.last_mut()? += 1,
            ')' if commas.pop()? == 0 => out.push(','),
            _ => {}
        }
        if *commas.last()? == 8 {
            return None;
        }
        out.push(c);
        if c == ',' {
            out.push(' ');
        }
    }
    Some(out)
}

/// An operand as a macro call, `Layout!(..)`, `Tiler!(..)`, `Shape!(..)` or `Int!(..)`; with
/// `lower`, the macro for values.
pub(crate) fn operand(value: &Value, lower: bool) -> Option<String> {
    let (name, inner) = match value {
        Value::String(text) => match text.strip_prefix('<').and_then(|text| text.strip_suffix('>')) {
            Some(entries) => ("Tiler", tokens(entries)?),
            None => (if text.contains(':') { "Layout" } else { "Shape" }, tokens(text)?),
        },
        number => ("Int", number.to_string()),
    };
    Some(format!("{}!({inner})", if lower { name.to_lowercase() } else { name.into() }))
}

/// The number or the tree itself, as a coordinate of dynamic numbers is written.
fn bare(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => tokens(text),
        number => Some(number.to_string()),
    }
}

/// `(1, .., 1)` with as many modes as the layout, and `1` for a layout without parentheses.
fn one_for_each_mode(layout: &Value) -> Option<String> {
    let text = layout.as_str()?;
    if !text.starts_with('(') {
        return Some("Shape!(1)".into());
    }
    let (mut level, mut rank) = (0, 1);
    for c in text.split(':').next()?.chars() {
        match c {
            '(' => level += 1,
            ')' => level -= 1,
            ',' if level == 1 => rank += 1,
            _ => {}
        }
    }
    Some(format!("Shape!(({}))", "1, ".repeat(rank).trim_end_matches(if rank == 1 { " " } else { ", " })))
}

/// The assertion of one line; nothing if it does not fit the types.
fn assertion(reading: Reading, args: &[Value], out: &Value) -> Option<String> {
    if reading == Swizzled {
        return Some(format!("swizzled!({}, {}, {}, {} => {out});", args[0], args[1], args[2], args[3]));
    }
    let types: Vec<String> = args.iter().map(|arg| operand(arg, false)).collect::<Option<_>>()?;
    let value = |index: usize| operand(&args[index], true);
    Some(match reading {
        Operation(..) | OfShapes(..) | ByMode(..) | Alias(_) => {
            let (mut operands, mut name, mut alias) = (types, "", "");
            match reading {
                Operation(n, a) | OfShapes(n, a) => (name, alias) = (n, a),
                ByMode(n, a) => {
                    (name, alias) = (n, a);
                    operands.push(one_for_each_mode(&args[0])?);
                }
                Alias(a) => alias = a,
                _ => {}
            }
            let (left, others) = operands.split_first()?;
            match out {
                Value::Object(_) if others.is_empty() => format!("undefined!({left}: {name});"),
                Value::Object(_) => format!("undefined!({left}: {name}<{}>);", others.join(", ")),
                result => format!("equal!({alias}<{}>, {});", operands.join(", "), operand(result, false)?),
            }
        }
        Relation(name) => {
            let verb = if out.as_bool()? { "related" } else { "unrelated" };
            format!("{verb}!({}: {name}<{}>);", types[0], types[1])
        }
        Constant(constant, method) => format!("constant!({}, {constant}, {method} => {out});", types[0]),
        Offset => {
            let number = if args[1].is_number() { value(1)? } else { format!("shape!({})", bare(&args[1])?) };
            format!("offset!({}, {}, {number} => {out});", value(0)?, bare(&args[1])?)
        }
        Coordinate => format!("coordinate!({}, {} => {});", value(0)?, bare(&args[1])?, bare(out)?),
        Swizzled => return None,
    })
}

/// The files, by operation, and what became of the lines.
fn generate(golden: &str) -> (BTreeMap<String, String>, BTreeMap<String, Count>) {
    let (mut files, mut counts) = (BTreeMap::new(), BTreeMap::<String, Count>::new());
    for line in golden.lines() {
        let case: Value = serde_json::from_str(line).expect("a line of JSON");
        let op = case["op"].as_str().expect("an operation");
        let args = case["args"].as_array().expect("arguments");
        let (_, reading, _) =
            *OPERATIONS.iter().find(|(name, ..)| *name == op).expect("an operation that the table knows");
        let count = counts.entry(op.into()).or_default();
        let Some(assertion) = assertion(reading, args, &case["out"]) else {
            count.too_wide += 1;
            continue;
        };
        count.asserted += 1;
        let runs = matches!(reading, Constant(..) | Offset | Coordinate);
        let (indent, open) = if runs { ("    ", String::from("#[test]\nfn lines() {\n")) } else { ("", String::new()) };
        let file = files.entry(op.to_string()).or_insert_with(|| {
            format!("//! `{op}`, from `golden.jsonl`; written by `golden/files.rs`.\n\nuse super::*;\n\n{open}")
        });
        writeln!(file, "{indent}{assertion}").expect("text");
    }
    for file in files.values_mut().filter(|file| file.contains("#[test]")) {
        file.push_str("}\n");
    }
    (files, counts)
}

/// How many lines of an operation serve as mixed layouts.
const MIXED_LINES: usize = 10;

/// The text with the leaves that `dynamic` picks by position made `usize`.
fn mixed(text: &str, dynamic: &mut dyn FnMut() -> bool) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let end = rest[start..].find(|c: char| !c.is_ascii_digit()).map_or(rest.len(), |length| start + length);
        out += &rest[..start];
        out += if dynamic() { "usize" } else { &rest[start..end] };
        rest = &rest[end..];
    }
    out + rest
}

/// An operand as a type that may have dynamic leaves.
fn mixed_operand(value: &Value, dynamic: &mut dyn FnMut() -> bool) -> Option<String> {
    match value {
        Value::String(_) => Some(mixed(&operand(value, false)?, dynamic)),
        number => Some(if dynamic() { "usize".into() } else { format!("Int!({number})") }),
    }
}

/// Cases for the test `static_laws`: operands of the golden lines as they are, with dynamic strides on the left, with a
/// dynamic last extent on the left, with some leaves of the left dynamic, and with some leaves of both.
fn mixed_cases(golden: &str) -> String {
    let mut out = String::from(
        "//! Operands from `golden.jsonl`, some of their leaves dynamic; written by `golden/files.rs`.\n\n\
         use super::*;\n",
    );
    for &(op, reading, _) in OPERATIONS.iter() {
        if !matches!(reading, Operation(..) | ByMode(..)) {
            continue;
        }
        let name = match op {
            "coalesce_by_mode" => "coalesce_by",
            "compose_by_mode" => "compose",
            other => other,
        };
        // Of each operation its own, so that another one does not change the cases of those behind it.
        let mut noise = op.bytes().fold(1u32, |noise, byte| noise.wrapping_mul(31).wrapping_add(byte.into()));
        let mut chance = move |one_in: u32| {
            noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (noise >> 16) % one_in == 0
        };
        writeln!(out, "\n#[test]\nfn {op}() {{\n    cases! {{").expect("text");
        let lines = golden.lines().map(|line| serde_json::from_str::<Value>(line).expect("a line of JSON"));
        let of_rank = |case: &Value| case["args"][0].as_str().is_some_and(|text| text.matches(',').count() >= 2);
        for (index, case) in
            lines.filter(|case| case["op"] == op && of_rank(case)).step_by(4).take(MIXED_LINES).enumerate()
        {
            let args = case["args"].as_array().expect("arguments");
            let shape = args[0].as_str().and_then(|text| text.split(':').next()).expect("a layout");
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
                let Some(left) = mixed_operand(&args[0], &mut left) else { continue };
                let mut operands = vec![left];
                let mut right = || kind > 1 && chance(if kind == 2 { 4 } else { 3 });
                match (reading, args.get(1)) {
                    (ByMode(..), _) => operands.extend(one_for_each_mode(&args[0])),
                    (_, Some(arg)) => operands.extend(mixed_operand(arg, &mut right)),
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

/// How many lines of an operation are facts about types.
const LINES: usize = 150;

/// The first lines of each operation.
fn golden() -> String {
    let (mut counts, mut out) = (BTreeMap::<String, usize>::new(), String::new());
    for line in GOLDEN.iter().flat_map(|file| file.lines()) {
        let case: Value = serde_json::from_str(line).expect("a line of JSON");
        let count = counts.entry(case["op"].as_str().expect("an operation").into()).or_default();
        *count += 1;
        if *count <= LINES {
            out += line;
            out.push('\n');
        }
    }
    out
}

/// The line before the modules in `types/mod.rs`.
const MODULES: &str = "// The facts, a file for each operation; written by `files.rs`.\n";

/// The text of a file under `tests`, which is written first, if that is what was asked for.
pub(crate) fn compare(file: &str, text: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(file);
    if std::env::var("STATIC_GOLDEN").is_ok_and(|value| value == "write") {
        std::fs::write(&path, text).expect("the file can be written");
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == text, "{} differs; STATIC_GOLDEN=write writes it", path.display());
}

#[test]
fn the_files_are_what_the_golden_lines_say() {
    let golden = golden();
    let (before, _) = include_str!("types/mod.rs").split_once(MODULES).expect("the line before the modules");
    let mut modules = format!("{before}{MODULES}");
    for (op, ..) in OPERATIONS.iter() {
        write!(modules, "#[rustfmt::skip]\nmod {op};\n").expect("text");
    }
    modules += "#[rustfmt::skip]\nmod kinds;\n";
    compare("golden/types/mod.rs", &modules);
    for (op, text) in &generate(&golden).0 {
        compare(&format!("golden/types/{op}.rs"), text);
    }
    compare("static_laws/mixed.rs", &mixed_cases(&golden));
}

#[test]
fn every_line_is_accounted_for() {
    let (_, counts) = generate(&golden());
    for &(op, ..) in OPERATIONS.iter() {
        let Count { asserted, too_wide } = counts[op];
        assert_eq!((asserted, too_wide), (LINES, 0), "lines of {op} that are facts about types, and too wide for them");
    }
}
