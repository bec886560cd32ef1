//! Explanations of operations: the steps or the law, the result, and the law at every coordinate.

use std::fmt::Write;

use layout_algebra::prelude::*;

use super::failure::Failure;
use super::operations::Operation;
use crate::proving::{prove, prove_complement, prove_divide};
use crate::{AnyLayout, Value};

/// The most coordinates at which to compute a law.
const COUNTED: usize = 1 << 16;

/// The offset at an index.
fn at(layout: &AnyLayout, number: usize) -> Option<i128> {
    match layout {
        AnyLayout::Plain(layout) => {
            layout.try_signed_index(number).ok().map(|offset| offset as i128)
        }
        AnyLayout::Swizzled(layout) => (number < layout.size()).then(|| layout.at(number) as i128),
    }
}

/// `left(right(i))`
fn after(left: &AnyLayout, right: &AnyLayout, number: usize) -> Option<i128> {
    at(left, usize::try_from(at(right, number)?).ok()?)
}

/// The offsets of a layout, sorted.
fn offsets(layout: &AnyLayout) -> Option<Vec<i128>> {
    let mut all = (0..layout.size()).map(|i| at(layout, i)).collect::<Option<Vec<_>>>()?;
    all.sort_unstable();
    Some(all)
}

/// The law of an operation, and whether it holds at each coordinate; `None` if the operation has no
/// such law, or there are too many coordinates.
fn law(name: &str, values: &[Value], result: &Value) -> Option<(&'static str, usize, bool)> {
    let layout = |value: &Value| match value {
        Value::Layout(layout) => Some(layout.clone()),
        Value::Tile(tiler) => tiler.as_layout().map(AnyLayout::Plain),
        _ => None,
    };
    let (a, r) = (layout(values.first()?)?, layout(result)?);
    let b = values.get(1).and_then(layout);
    let few = |layout: &AnyLayout| layout.size() <= COUNTED;
    if !few(&a) || !few(&r) || b.as_ref().is_some_and(|b| !few(b)) {
        return None;
    }
    let everywhere = |law, of: &AnyLayout, holds: &dyn Fn(usize) -> bool| {
        Some((law, of.size(), (0..of.size()).all(holds)))
    };
    let number = |i: usize| Some(i as i128);
    match name {
        "coalesce" | "coalesce_z" | "coalesce_by" | "flatten" | "with_shape" | "group"
        | "ungroup" => everywhere("R(i) = A(i)", &a, &|i| at(&r, i) == at(&a, i)),
        "compose" => {
            let b = b?;
            everywhere("R(i) = A(B(i))", &b, &|i| at(&r, i) == after(&a, &b, i))
        }
        "right_inverse" => everywhere("A(R(i)) = i", &r, &|i| after(&a, &r, i) == number(i)),
        "left_inverse" => everywhere("A(R(A(i))) = A(i)", &a, &|i| {
            let back = after(&r, &a, i).and_then(|back| usize::try_from(back).ok());
            back.and_then(|back| at(&a, back)) == at(&a, i)
        }),
        "nullspace" => everywhere("A(R(i)) = 0", &r, &|i| after(&a, &r, i) == Some(0)),
        "max_common_layout" => {
            let b = b?;
            everywhere("A(R(i)) = B(R(i)) = i", &r, &|i| {
                after(&a, &r, i) == number(i) && after(&b, &r, i) == number(i)
            })
        }
        "layout_add" => {
            let b = b?;
            everywhere("R(i) = A(i) + B(i)", &a, &|i| {
                at(&a, i).zip(at(&b, i)).map(|(a, b)| a + b) == at(&r, i)
            })
        }
        "logical_product" | "zipped_product" | "tiled_product" | "flat_product" => {
            everywhere("the first copy is A: R(i) = A(i)", &a, &|i| at(&r, i) == at(&a, i))
        }
        "filter" => {
            let mut distinct = [offsets(&a)?, offsets(&r)?];
            distinct.iter_mut().for_each(Vec::dedup);
            Some(("R has the offsets of A", a.size(), distinct[0] == distinct[1]))
        }
        "logical_divide" | "zipped_divide" | "tiled_divide" | "flat_divide" | "transpose"
        | "reverse" | "select"
            if a.size() == r.size() =>
        {
            Some(("R has each offset of A as often as A", a.size(), offsets(&a)? == offsets(&r)?))
        }
        _ => None,
    }
}

/// The derivation with the rules of the proof, if the proof has the operation; a divide that
/// regroups `logical_divide` has the derivation of that.
fn derived(name: &str, values: &[Value]) -> Option<Option<(String, bool)>> {
    let Value::Layout(AnyLayout::Plain(layout)) = values.first()? else { return None };
    Some(match (name, values.get(1)?) {
        ("compose", Value::Tile(tiler)) => prove(layout, &tiler.as_layout()?),
        (
            "logical_divide" | "zipped_divide" | "tiled_divide" | "flat_divide",
            Value::Tile(tiler),
        ) => prove_divide(layout, tiler),
        ("complement", Value::Number(extent)) => prove_complement(layout, *extent),
        _ => return None,
    })
}

/// The steps of an operation, and whether it has a result.
fn steps(name: &str, values: &[Value]) -> Option<String> {
    let Value::Layout(AnyLayout::Plain(layout)) = values.first()? else { return None };
    match (name, values.get(1)?) {
        ("compose", Value::Tile(tiler)) => Some(layout.explain_compose(tiler).to_string()),
        (
            "logical_divide" | "zipped_divide" | "tiled_divide" | "flat_divide",
            Value::Tile(tiler),
        ) => Some(layout.explain_logical_divide(tiler).to_string()),
        ("complement", Value::Number(extent)) => {
            let (text, _) = prove_complement(layout, *extent)?;
            let plain =
                text.lines().filter(|line| !line.starts_with("so ") && !line.starts_with("and "));
            let plain = plain.map(|line| line.split("  [").next().unwrap_or_default().trim_end());
            Some(plain.collect::<Vec<_>>().join("\n"))
        }
        _ => None,
    }
}

impl Operation {
    /// The result and its explanation: the steps, if there are any, or the law.
    pub fn explained(&self) -> Result<String, Failure> {
        let (name, result) = (self.name(), self.result());
        let mut text = match steps(name, self.operands()) {
            Some(steps) => steps.trim_end().to_string() + "\n",
            None => format!("{name} {}\n  {}\n", self.written(), self.law()),
        };
        // For a divide that regroups `logical_divide`, the result after regrouping.
        let is_said =
            matches!(name, "compose" | "logical_divide" | "complement") && text.contains("\nre");
        match result {
            Ok(result) => {
                if !is_said {
                    let _ = writeln!(text, "result {result}");
                }
                if let Some((law, count, holds)) = law(name, self.operands(), &result) {
                    let (verb, many) =
                        (if holds { "holds" } else { "FAILS" }, if count == 1 { "" } else { "s" });
                    if !is_said || !holds {
                        let _ = writeln!(
                            text,
                            "{law} {verb} at {count} coordinate{many}, each computed"
                        );
                    }
                }
                Ok(text)
            }
            Err(error) => {
                if !is_said {
                    let _ = writeln!(text, "refused, {}: {}", error.kind(), error.fault());
                }
                Err(Failure::Explained(text))
            }
        }
    }

    /// The derivation by the rules of the proof, or the law computed at every coordinate.
    pub fn proven(&self) -> Result<String, Failure> {
        let (name, result) = (self.name(), self.result());
        match derived(name, self.operands()) {
            Some(Some((text, true))) => return Ok(text),
            Some(Some((text, false))) => return Err(Failure::Explained(text)),
            Some(None) => {
                let beyond =
                    "the proof has natural strides, and extents and numbers from 1 alone\n";
                return Err(Failure::usage(beyond));
            }
            None => {}
        }
        let result = result?;
        let Some((law, count, holds)) = law(name, self.operands(), &result) else {
            let sentence = format!(
                "neither a theorem nor a law that is computed is about {name} of these operands: \
                 `layout explain` says what it does"
            );
            return Err(Failure::Usage(sentence));
        };
        let verb = if holds { "holds" } else { "does not hold" };
        Ok(format!(
            "{name} {} is R = {result}\n{law} {verb} at all {count} coordinates  [computed, by no \
             theorem]\n",
            self.written()
        ))
    }
}
