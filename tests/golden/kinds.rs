//! The golden answers for strides of other kinds, negative ones and XOR ones, through the dynamic engine. They are
//! written by `tests/spec/golden.py`, whose specification `tests/spec/laws.py` checks by brute force.

use std::collections::BTreeMap;
use std::fmt::Display;

use layout_algebra::DynStride;
use layout_algebra::prelude::*;
use serde_json::{Value, json};

use crate::files::{compare, operand};
use crate::operations::Args;

const GOLDEN: &str = include_str!("golden-kinds.jsonl");

fn text(result: Result<impl Display, LayoutError>) -> Value {
    match result {
        Ok(layout) => json!(layout.to_string()),
        // No swizzle: the specification says which two strides share which bit.
        Err(error) if error.operation() == "swizzled" => {
            let Fault::SharedBit { first, second, bit } = error.fault() else { panic!("{error}") };
            json!({ "undefined": error.kind().as_str(), "strides": [first, second], "bit": bit })
        }
        Err(error) => json!({ "undefined": error.kind().as_str() }),
    }
}

fn answer(op: &str, a: &Args<'_>) -> Value {
    let l = a.layout(0);
    match op {
        "cosize" => json!(l.cosize()),
        "base" => json!(l.base()),
        "index" => json!(l.signed_index(a.number(1))),
        "coalesce" => text(Ok(l.coalesce())),
        "coalesce_z" => text(Ok(l.coalesce_z())),
        "filter" => text(Ok(l.filter())),
        "compose" | "looked_for" => text(l.compose(a.layout(1))),
        "complement" => text(l.complement(a.number(1))),
        "complement_ceil" => text(l.complement_ceil(a.number(1))),
        "right_inverse" => text(Ok(l.right_inverse())),
        "left_inverse" => text(l.left_inverse()),
        "nullspace" => text(Ok(l.nullspace())),
        "max_common_layout" => text(Ok(l.max_common_layout(&a.layout(1)))),
        "logical_divide" => text(l.logical_divide(a.layout(1))),
        "logical_product" => text(l.logical_product(a.layout(1))),
        "blocked_product" => text(l.blocked_product(&a.layout(1))),
        "layout_add" => text(l.layout_add(&a.layout(1))),
        "upcast" => text(l.upcast(a.number(1))),
        "downcast" => text(l.downcast(a.number(1))),
        "linear" => text(l.linear()),
        "natural" => text(l.natural()),
        "swizzled" => text(l.swizzled()),
        "compose_by_mode" | "looked_for_by_mode" => text(l.compose(a.tiler(1))),
        "logical_divide_by_mode" => text(l.logical_divide(a.tiler(1))),
        "zipped_divide" => text(l.zipped_divide(a.tiler(1))),
        "tiled_divide" => text(l.tiled_divide(a.tiler(1))),
        "flat_divide" => text(l.flat_divide(a.tiler(1))),
        "logical_product_by_mode" => text(l.logical_product(a.tiler(1))),
        "zipped_product" => text(l.zipped_product(a.tiler(1))),
        "tiled_product" => text(l.tiled_product(a.tiler(1))),
        "flat_product" => text(l.flat_product(a.tiler(1))),
        _ => panic!("the operation {op} is not known here"),
    }
}

/// The specification searches where no rule has an answer, and operations do not: it may have an answer that is refused
/// here, more in common, or another reason. `refused-now.jsonl` lists exactly these lines, with what is answered.
#[test]
fn every_golden_line_of_other_kinds_is_answered_as_the_specification_does() {
    let mut lines = BTreeMap::<String, usize>::new();
    let (mut wrong, mut refused) = (Vec::new(), String::new());
    for line in GOLDEN.lines() {
        let mut case: Value = serde_json::from_str(line).expect("a line of JSON");
        let op = case["op"].as_str().expect("an operation");
        *lines.entry(op.into()).or_default() += 1;
        let found = answer(op, &Args(case["args"].as_array().expect("arguments")));
        if found == case["out"] {
            continue;
        }
        // A layout without parentheses counts as far as its extent says.
        let extent = |out: &Value| out.as_str()?.split_once(':')?.0.parse::<usize>().ok();
        let less = op == "max_common_layout" && extent(&found) < extent(&case["out"]);
        if less || found["undefined"].is_string() {
            case["out"] = found;
            refused += &format!("{case}\n");
        } else {
            wrong.push(format!("{line}\n  is {found} here"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} lines differ, the first of them:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(25)].join("\n")
    );
    compare("golden/refused-now.jsonl", &refused);
    assert!(lines.len() == 33 && lines.values().all(|&count| count >= 148), "150 lines each or nearly: {lines:?}");
}

/// The operations that the types have for such strides: the alias of the result, and the trait.
const IN_TYPES: [(&str, &str, &str); 16] = [
    ("coalesce", "Coalesced", "Coalesce"),
    ("coalesce_z", "CoalescedZ", "CoalesceZ"),
    ("filter", "Filtered", "Filter"),
    ("compose", "Composition", "Compose"),
    ("complement", "ComplementOf", "Complement"),
    ("complement_ceil", "ComplementCeilOf", "ComplementCeil"),
    ("right_inverse", "RightInverseOf", "RightInverse"),
    ("left_inverse", "LeftInverseOf", "LeftInverse"),
    ("nullspace", "NullspaceOf", "Nullspace"),
    ("max_common_layout", "MaxCommonLayoutOf", "MaxCommonLayout"),
    ("logical_divide", "LogicalDivision", "LogicalDivide"),
    ("layout_add", "LayoutSumOf", "LayoutAdd"),
    ("logical_product", "LogicalProductOf", "LogicalProduct"),
    ("blocked_product", "BlockedProductOf", "BlockedProduct"),
    ("upcast", "Upcasted", "Upcast"),
    ("downcast", "Downcasted", "Downcast"),
];

/// The operations that go mode by mode: the alias of the result, the trait, and the method. The values are asked too:
/// whether modes share bits, these say.
const BY_MODE: [(&str, &str, &str, &str); 9] = [
    ("compose_by_mode", "Composition", "Compose", "try_compose"),
    ("logical_divide_by_mode", "LogicalDivision", "LogicalDivide", "try_logical_divide"),
    ("zipped_divide", "ZippedDivision", "ZippedDivide", "try_zipped_divide"),
    ("tiled_divide", "TiledDivision", "TiledDivide", "try_tiled_divide"),
    ("flat_divide", "FlatDivision", "FlatDivide", "try_flat_divide"),
    ("logical_product_by_mode", "LogicalProductOf", "LogicalProduct", "try_logical_product"),
    ("zipped_product", "ZippedProductOf", "ZippedProduct", "try_zipped_product"),
    ("tiled_product", "TiledProductOf", "TiledProduct", "try_tiled_product"),
    ("flat_product", "FlatProductOf", "FlatProduct", "try_flat_product"),
];

/// The operations that take layouts of other kinds on the right. Facts about these are counted by themselves.
const WITH_KINDS: [&str; 6] =
    ["compose", "logical_divide", "layout_add", "logical_product", "blocked_product", "max_common_layout"];

/// Is an operand on the right of another kind?
fn has_kinds(args: &[Value]) -> bool {
    args[1..].iter().any(|arg| arg.as_str().is_some_and(|text| text.contains(['^', '-'])))
}

/// How many lines of an operation are facts about types, spread evenly over those that can be. All lines are compared
/// with the dynamic engine above, and types with that and with brute force in `tests/laws/stepped.rs`.
const FACTS: usize = 20;

/// The result of an operation whose left operand is `left` as a type: of one kind with that, also where no stride is.
fn result(left: &str, result: &Value) -> Option<String> {
    let text = result.as_str()?;
    let signed = |text: &str| text.contains(['^', '-']);
    if signed(text) || !signed(left) {
        return operand(result, false);
    }
    let layout = if left.contains('^') { "XorLayout" } else { "SignedLayout" };
    let (shape, stride) = text.split_once(':')?;
    Some(format!("{layout}<{}, {}>", operand(&json!(shape), false)?, operand(&json!(stride), false)?))
}

/// Does the layout without XOR strides have others in the place of natural ones that move?
fn changes_natural_strides(layout: &str, plain: &str) -> bool {
    let [layout, plain]: [DynLayout; 2] = [layout, plain].map(|text| text.parse().expect("a layout"));
    let natural = |stride| matches!(stride, DynStride::Natural(_));
    layout.strides().zip(plain.strides()).any(|(before, after)| natural(before) && before != after)
}

/// A line as a fact about types; nothing if an operand on the right is of another kind, where the types do not take it.
fn fact(op: &str, args: &[Value], out: &Value) -> Option<String> {
    let left = args[0].as_str()?;
    let tiler = args.get(1).and_then(Value::as_str).filter(|text| text.starts_with('<'));
    // The macros do not write a negative stride of a tiler, though it be one of extent 1.
    if tiler.is_some_and(|text| text.contains('-')) {
        return None;
    }
    if has_kinds(args) && tiler.is_none() && !WITH_KINDS.contains(&op) {
        return None;
    }
    // A sum of XOR strides is of the kind of its strides; one of a natural layout and a negative one, of that.
    let of_kind = match op {
        "layout_add" if left.contains('^') || !left.contains('-') => args[1].as_str()?.replace('^', ""),
        _ => left.to_string(),
    };
    // The macros do not write a negative stride beside XOR strides, though it be one of extent 1.
    if out.as_str().is_some_and(|text| text.contains('^') && text.contains('-')) {
        return None;
    }
    let value = operand(&args[0], true)?;
    Some(match op {
        "cosize" => format!("    assert_eq!({value}.cosize(), {out});"),
        "base" if left.contains('-') => format!("    assert_eq!({value}.base(), {out});"),
        "index" => format!("    assert_eq!({value}.at({}) as isize, {out});", args[1]),
        // Which strides there are, the types say; whether they share a bit, their numbers. Negative ones have none.
        "linear" | "natural" if left.contains('-') => return None,
        "linear" | "natural" => {
            let expected = match out {
                Value::Object(error) => format!("Err({})", error["undefined"]),
                out if op == "linear" => format!("Ok(<{}>::default())", result("^", out)?),
                out => format!("Ok({})", operand(out, true)?),
            };
            format!("    assert_eq!({value}.{op}().map_err(|error| error.kind().as_str()), {expected});")
        }
        "swizzled" => {
            let layout = operand(&args[0], false)?;
            match out.as_str().and_then(|text| text.split_once(" o 0 o ")) {
                None => format!("undefined!({layout}: IntoSwizzled);"),
                // The types read no bits of natural strides whose sums carry.
                Some((_, plain)) if changes_natural_strides(left, plain) => return None,
                Some((swizzle, plain)) => {
                    let swizzle = swizzle.replace("Sw", "Swizzle").replace(',', ", ");
                    let plain = operand(&json!(plain), false)?;
                    format!("equal!(SwizzledOf<{layout}>, ComposedLayout<{swizzle}, Int!(0), {plain}>);")
                }
            }
        }
        _ if BY_MODE.iter().any(|(name, ..)| *name == op) => {
            let (_, alias, name, method) = BY_MODE.iter().find(|(name, ..)| *name == op)?;
            let operands = format!("{}, {}", operand(&args[0], false)?, operand(&args[1], false)?);
            match out {
                Value::Object(error) => {
                    format!("    refused!({operands}, {name}, {method} => {});", error["undefined"])
                }
                out => format!("    gives!({operands}, {alias}, {method} => {});", result(left, out)?),
            }
        }
        _ => {
            let (_, alias, name) = IN_TYPES.iter().find(|(name, ..)| *name == op)?;
            let operands: Vec<String> = args.iter().map(|arg| operand(arg, false)).collect::<Option<_>>()?;
            match out {
                Value::Object(_) => format!("undefined!({}: {name}<{}>);", operands[0], operands[1..].join(", ")),
                out => format!("equal!({alias}<{}>, {});", operands.join(", "), result(&of_kind, out)?),
            }
        }
    })
}

#[test]
fn facts_about_types_are_what_the_golden_lines_say() {
    let mut facts = BTreeMap::<String, Vec<String>>::new();
    let lines: Vec<Value> = GOLDEN.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect();
    for case in &lines {
        let (op, args) = (case["op"].as_str().expect("an operation"), case["args"].as_array().expect("arguments"));
        let name = match has_kinds(args) {
            true if BY_MODE.iter().any(|(name, ..)| *name == op) => format!("{op}_with_kinds"),
            true => format!("{op}, with other kinds on the right"),
            false => op.into(),
        };
        facts.entry(name).or_default().extend(fact(op, args, &case["out"]));
    }
    for of_op in facts.values_mut().filter(|of_op| !of_op.is_empty()) {
        *of_op = (0..FACTS).map(|k| of_op[k * of_op.len() / FACTS].clone()).collect();
    }
    let mut text = String::from(
        "//! Strides of other kinds, from `golden-kinds.jsonl`; written by `golden/kinds.rs`.\n\nuse super::*;\n\n",
    );
    for (op, lines) in &facts {
        let lines = lines.join("\n");
        match op.as_str() {
            _ if lines.starts_with(' ') => text += &format!("#[test]\nfn {op}() {{\n{lines}\n}}\n"),
            _ if !lines.is_empty() => text += &format!("// {op}\n{lines}\n"),
            _ => {}
        }
    }
    let counts: Vec<usize> = facts.values().map(Vec::len).filter(|&count| count > 0).collect();
    assert_eq!(counts, [FACTS; 46], "facts of each operation");
    compare("golden/types/kinds.rs", &text);
}
