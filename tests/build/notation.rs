//! Operands of the golden lines as the macros of the crate read them.

use serde_json::Value;

/// A layout, a shape or a tiler of the golden file as a macro reads it: a tuple of one with its
/// comma, which tools that tidy up parentheses leave alone.
fn tokens(text: &str) -> String {
    let (mut out, mut commas) = (String::new(), vec![0]);
    for c in text.chars() {
        match c {
            '(' => commas.push(0),
            ',' => *commas.last_mut().expect("a level") += 1,
            ')' if commas.pop() == Some(0) => out.push(','),
            _ => {}
        }
        assert!(
            commas.last().is_some_and(|&commas| commas < 8),
            "more than the 8 modes of a type: {text}"
        );
        out.push(c);
        if c == ',' {
            out.push(' ');
        }
    }
    out
}

/// The name of the macro for an operand, and what stands in its parentheses.
fn macro_call(value: &Value) -> (&'static str, String) {
    match value {
        Value::String(text) => match text.strip_prefix('<').and_then(|text| text.strip_suffix('>'))
        {
            Some(entries) => ("Tiler", tokens(entries)),
            None => (if text.contains(':') { "Layout" } else { "Shape" }, tokens(text)),
        },
        number => ("Int", number.to_string()),
    }
}

/// An operand as a type: `Layout!(..)`, `Tiler!(..)`, `Shape!(..)` or `Int!(..)`.
pub fn as_type(value: &Value) -> String {
    let (name, inner) = macro_call(value);
    format!("{name}!({inner})")
}

/// An operand as a value: `layout!(..)`, `tiler!(..)`, `shape!(..)` or `int!(..)`.
pub fn as_value(value: &Value) -> String {
    let (name, inner) = macro_call(value);
    format!("{}!({inner})", name.to_lowercase())
}

/// The number or the tree itself, as a coordinate of dynamic numbers is written.
pub fn bare(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), tokens)
}

/// `(1, .., 1)` with as many modes as the layout, and `1` for a layout without parentheses.
pub fn one_for_each_mode(layout: &Value) -> String {
    let text = layout.as_str().expect("a layout");
    if !text.starts_with('(') {
        return "Shape!(1)".into();
    }
    let (mut level, mut rank) = (0, 1);
    for c in text.split(':').next().unwrap_or_default().chars() {
        match c {
            '(' => level += 1,
            ')' => level -= 1,
            ',' if level == 1 => rank += 1,
            _ => {}
        }
    }
    format!("Shape!(({}))", "1, ".repeat(rank).trim_end_matches(if rank == 1 { " " } else { ", " }))
}
