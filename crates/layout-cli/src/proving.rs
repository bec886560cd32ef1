//! The derivation of a composition: its steps, each with its rule in the proof, and the theorem that ends it.

use layout_algebra::prelude::*;

/// What a step of the explanation begins with or has in it, and the rule by its name in `crates/proof`.
const RULES: &[(&str, &str)] = &[
    ("left, coalesced", "coalesce: coalesce_z_same_function"),
    ("right mode", "leaf"),
    ("extent 1 does not move", "leaf: extent 1"),
    ("has the digits", "digits"),
    ("does not divide", "divisibility"),
    ("stay linear", "run: linear_without_carry"),
    ("carry in", "carry"),
];

/// Where the rules begin in a line.
const COLUMN: usize = 58;

/// The derivation of `A o B`, and whether there is such a layout; nothing where the proof has no such layouts: its
/// strides are natural and its extents from 1. A line that a rule of the proof makes ends with its name, `[carry]`.
///
/// ```
/// use layout_algebra::prelude::*;
/// let (a, b): (DynLayout, DynLayout) = ("(4,6):(6,1)".parse()?, "8:2".parse()?);
/// let (derivation, is_there) = layout_cli::prove(&a, &b).expect("natural strides");
/// assert!(is_there && derivation.contains("for R = (2,4):(12,1), at every coordinate c of B"));
/// # Ok::<(), LayoutError>(())
/// ```
pub fn prove(left: &DynLayout, right: &DynLayout) -> Option<(String, bool)> {
    let tiler = DynTiler::from(right.clone());
    let result = left.compose(&tiler);
    let explanation = left.explain_compose(&tiler).to_string();
    if left.size() == 0 || right.size() == 0 || !explanation.contains("left, coalesced") {
        return None;
    }
    // The last line is the result: the theorem follows instead.
    let mut lines: Vec<&str> = explanation.lines().collect();
    let last = lines.pop().unwrap_or_default();
    let mut text = String::new();
    for line in lines {
        match RULES.iter().find(|(words, _)| line.contains(words)) {
            Some((_, rule)) => text += &format!("{line:COLUMN$}  [{rule}]\n"),
            None => text += &format!("{line}\n"),
        }
    }
    text += &format!("{last}\n");
    match &result {
        Ok(result) => {
            text += &format!("so R(c) = A(B(c)) for R = {result}, at every coordinate c of B  [composition_sound]\n");
        }
        // The proof's numbers have no bound.
        Err(error) if error.kind() == ErrorKind::Overflow => {}
        Err(_) => {
            text += "so no cut of B into runs is without a carry  [composition_finds_runs]\n";
            text += &match theorem(left) {
                Some(name) => format!("and no layout is A o B  [{name}]\n"),
                None => "and no layout is A o B, unless strides of A cancel out  [composition_complete]\n".into(),
            };
        }
    }
    Some((text, result.is_ok()))
}

/// The theorem by which a refusal is exact for this left layout, whatever the right one is.
fn theorem(left: &DynLayout) -> Option<&'static str> {
    let coalesced = left.coalesce_z();
    let (shape, stride) = (coalesced.shape(), coalesced.stride());
    let wide = |numbers: &[usize]| numbers.iter().map(|&number| number as u128).collect::<Vec<_>>();
    let (extents, strides) = (wide(shape.leaves()), wide(stride.leaves()));
    let ends = || extents.iter().zip(&strides).map(|(extent, stride)| extent * stride).zip(&strides[1..]);
    match () {
        () if strides.len() <= 2 => Some("composition_exact_two_modes"),
        () if ends().all(|(end, &next)| next > end) || ends().all(|(end, &next)| next < end) => {
            Some("composition_exact_monotone")
        }
        () => None,
    }
}
