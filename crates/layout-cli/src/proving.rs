//! The derivation of a composition, a divide or a complement: its steps, each with its rule in the
//! proof, and the theorem that concludes it.

use layout_algebra::prelude::*;

use crate::value::is_natural;

/// A text that a step of the explanation begins with or contains, and the name of its rule in
/// `crates/proof`.
const RULES: &[(&str, &str)] = &[
    ("left, coalesced", "coalesce: coalesce_z_same_function"),
    ("right mode", "leaf"),
    ("extent 1 does not move", "leaf: extent 1"),
    ("has the digits", "run_digits"),
    ("does not divide", "split: Divisibility"),
    ("stay linear", "run: linear_without_carry"),
    ("carry in", "carry"),
    ("no rest", "complement_modes"),
    ("rest: the complement", "complement_modes: complement_bijection"),
];

/// The column of the rules.
const COLUMN: usize = 58;

/// The derivation of `A o B`, and whether the composition exists; `None` if the proof does not
/// cover the layouts: strides have to be natural and extents positive. A line by a rule of the
/// proof ends with the rule's name, `[carry]`.
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
    let mut text = with_rules(&explanation);
    match &result {
        Ok(result) => {
            text += &format!(
                "so R(c) = A(B(c)) for R = {result}, at every coordinate c of B  \
                 [composition_sound]\n"
            );
        }
        // The numbers of the proof are unbounded.
        Err(error) if error.kind() == ErrorKind::Overflow => {}
        Err(_) => {
            text += "so no cut of B into runs is without a carry  [composition_finds_runs]\n";
            text += &match theorem(left, right) {
                Some(name) => format!("and no layout is A o B  [{name}]\n"),
                None => "and no layout is A o B, unless strides of A cancel out  \
                         [refused_only_by_cancellation]\n"
                    .into(),
            };
        }
    }
    Some((text, result.is_ok()))
}

/// The steps of an explanation, each with its rule; the last line, the result, has none.
fn with_rules(explanation: &str) -> String {
    let mut lines: Vec<&str> = explanation.lines().collect();
    let last = lines.pop().unwrap_or_default();
    let with_rule = |line: &&str| match RULES.iter().find(|(words, _)| line.contains(words)) {
        Some((_, rule)) => format!("{line:COLUMN$}  [{rule}]\n"),
        None => format!("{line}\n"),
    };
    lines.iter().map(with_rule).collect::<String>() + last + "\n"
}

/// The theorem by which a refusal is exact for these layouts.
fn theorem(left: &DynLayout, right: &DynLayout) -> Option<&'static str> {
    let coalesced = left.coalesce_z();
    let (shape, stride) = (coalesced.shape(), coalesced.stride());
    let wide = |numbers: &[usize]| numbers.iter().map(|&number| number as u128).collect::<Vec<_>>();
    let (extents, strides) = (wide(shape.leaves()), wide(stride.leaves()));
    let ends =
        || extents.iter().zip(&strides).map(|(extent, stride)| extent * stride).zip(&strides[1..]);
    match () {
        () if strides.len() <= 2 => Some("composition_exact_two_modes"),
        () if ends().all(|(end, &next)| next > end) || ends().all(|(end, &next)| next < end) => {
            Some("composition_exact_monotone")
        }
        // The offsets of the right layout are all numbers below the size of the left one: none is
        // free.
        () if right.complement(left.size()).is_ok_and(|free| free.size() == 1) => {
            Some("composition_exact_reordering")
        }
        () => None,
    }
}

/// Does the proof cover the tiler? Its strides have to be natural, its extents positive.
fn in_proof(tiler: &DynTiler) -> bool {
    match tiler.as_layout() {
        Some(layout) => is_natural(&layout) && layout.size() > 0,
        None => tiler.children().all(|tiler| in_proof(&tiler)),
    }
}

/// The derivation of `logical_divide(A, T)`, and whether the result exists; `None` if the proof
/// does not cover the operands.
pub fn prove_divide(layout: &DynLayout, tiler: &DynTiler) -> Option<(String, bool)> {
    if !is_natural(layout) || layout.size() == 0 || !in_proof(tiler) {
        return None;
    }
    let result = layout.logical_divide(tiler);
    let explanation = layout.explain_logical_divide(tiler).to_string();
    let mut text = with_rules(&explanation);
    match &result {
        Ok(result) => {
            text += match tiler.as_layout() {
                Some(_) => "so mode 0 is A o T  [nested_divide_tile]\n",
                None => {
                    "so mode 0 of each mode that is cut is that mode o its tile  \
                     [nested_divide_tile]\n"
                }
            };
            text += match result.size() == layout.size() {
                true => {
                    "and each offset of A occurs as often as before  [logical_divide_offsets]\n"
                }
                false => {
                    "and each offset of A as often as before, times the extents at stride 0 in T  \
                     [divide_offsets]\n"
                }
            };
        }
        Err(error) if matches!(error.kind(), ErrorKind::Overflow | ErrorKind::Rank) => {}
        Err(_) if explanation.contains("no rest") => {
            text +=
                "so no layout and no other function is what T leaves free  [complement_exact]\n";
        }
        Err(_) => {
            text += "so no cut of T and the rest into runs is without a carry  \
                     [composition_finds_runs]\n";
            text += "and no layout is A o (T, rest)  [divide_exact]\n";
        }
    }
    Some((text, result.is_ok()))
}

/// The derivation of `complement(L, M)`, and whether it exists; `None` if the proof does not cover
/// `L`, or `M` is 0.
pub fn prove_complement(layout: &DynLayout, extent: usize) -> Option<(String, bool)> {
    if !is_natural(layout) || layout.size() == 0 || extent == 0 {
        return None;
    }
    let (shape, stride) = (layout.shape(), layout.stride());
    let leaves = shape.leaves().iter().zip(stride.leaves());
    let mut moving: Vec<(u128, u128)> =
        leaves.map(|(&extent, &stride)| (extent as u128, stride as u128)).collect();
    moving.retain(|&(extent, stride)| extent != 1 && stride != 0);
    moving.sort_by_key(|&(_, stride)| stride);

    let mut text = format!("complement of {layout} in {extent}\n");
    let mut step = |line: String, rule: &str| text += &format!("{line:COLUMN$}  [{rule}]\n");
    let sorted: String =
        moving.iter().map(|(extent, stride)| format!(" {extent}:{stride}")).collect();
    step(
        format!(
            "  modes that move, by stride:{}",
            if sorted.is_empty() { " none" } else { &sorted }
        ),
        "sort_by: moving",
    );
    let mut run = 1;
    let mut broken = false;
    for (extent, stride) in moving {
        let mode = format!("  mode {extent}:{stride}");
        broken = true;
        if stride < run {
            step(
                format!("{mode} begins below {run}, within the modes before it"),
                "gaps_of: Overlap",
            );
            break;
        }
        if stride % run != 0 {
            step(format!("{mode} begins at no multiple of {run}"), "gaps_of: Divisibility");
            break;
        }
        // The product may exceed 128 bits: the strides after it are then below it.
        let span = extent.saturating_mul(stride);
        step(
            format!(
                "{mode} leaves {} free, and with it {span} are spanned",
                steps(stride / run, run)
            ),
            "gaps_of",
        );
        (run, broken) = (span, false);
    }
    match (broken, extent as u128) {
        (true, _) => {}
        (_, all) if all % run != 0 => {
            step(format!("  {extent} is no multiple of {run}"), "complement_modes: Divisibility");
        }
        (_, all) => step(format!("  above, {} free", are(all / run, run)), "complement_modes"),
    }
    let result = layout.complement(extent);
    match &result {
        Ok(result) => {
            text += &format!(
                "result {result}\nso every number below {extent} is the sum of an offset of R = \
                 {result} and one of the modes that move, in one way only  \
                 [complement_bijection]\nand nothing else is free  [complement_only]\n"
            );
        }
        Err(error) => {
            text += &format!("refused, {}: {}\n", error.kind(), error.fault());
            if error.kind() != ErrorKind::Overflow {
                text += "so no layout and no other function is what L leaves free  \
                         [complement_exact]\n";
            }
        }
    }
    Some((text, result.is_ok()))
}

fn steps(count: u128, of: u128) -> String {
    format!("{count} {} of {of}", if count == 1 { "step" } else { "steps" })
}
fn are(count: u128, of: u128) -> String {
    format!("{} {}", steps(count, of), if count == 1 { "is" } else { "are" })
}
