//! A chain of operations, each on the answer of the one before. Every answer must satisfy its law,
//! computed from the offsets of all coordinates without the engine. Refusals are fine, panics are
//! not.

use layout_algebra::prelude::*;

/// Layouts beyond this many coordinates or offsets are not taken further, so that all of them can
/// be counted.
const LARGEST: usize = 1 << 12;
const MOST_LEAVES: usize = 40;
const LONGEST: usize = 24;

/// Reads choices from the fuzzer's bytes; 0 when they are used up.
struct Choices<'a>(&'a [u8]);

impl Choices<'_> {
    fn byte(&mut self) -> usize {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first.into()
    }

    fn below(&mut self, end: usize) -> usize {
        self.byte() % end
    }

    /// Small numbers mostly, now and then a large one.
    fn number(&mut self) -> usize {
        match self.byte() {
            n @ 0..=239 => n % 17,
            n => usize::MAX >> (n % 16 * 4 % usize::BITS as usize),
        }
    }

    /// Extents of at least one, and an empty one now and then.
    fn extent(&mut self) -> usize {
        match self.byte() {
            255 => 0,
            n => 1 + n % 8,
        }
    }

    fn layout(&mut self) -> Option<DynLayout> {
        let modes = 1 + self.below(3);
        let mode = |choices: &mut Self| {
            let (extent, stride) =
                (DynShape::from(choices.extent()), DynShape::from(choices.number()));
            DynLayout::new(extent, stride).ok()
        };
        let list: Option<Vec<DynLayout>> = (0..modes).map(|_| mode(self)).collect();
        match self.below(3) {
            0 => mode(self),
            1 => DynLayout::tuple(&list?).ok(),
            _ => DynLayout::tuple(&list?).ok()?.append(&mode(self)?).ok()?.group(0, modes).ok(),
        }
    }

    fn tiler(&mut self, depth: usize) -> Option<DynTiler> {
        Some(match self.below(if depth > 2 { 3 } else { 5 }) {
            0 => DynTiler::from(self.extent()),
            1 => self.layout()?.into(),
            2 => DynTiler::keep(),
            _ => {
                let modes: Option<Vec<DynTiler>> =
                    (0..1 + self.below(3)).map(|_| self.tiler(depth + 1)).collect();
                DynTiler::tuple(modes?).ok()?
            }
        })
    }
}

/// The offsets of all coordinates, from extents and strides alone: those of the modes so far, once
/// for each number of the next mode.
fn offsets(layout: &DynLayout) -> Vec<usize> {
    let (shape, stride) = (layout.shape(), layout.stride());
    if shape.leaves().contains(&0) {
        return vec![];
    }
    let mut offsets = vec![0];
    for (&extent, &step) in shape.leaves().iter().zip(stride.leaves()) {
        let before = offsets.len();
        for number in 1..extent {
            for k in 0..before {
                offsets.push(offsets[k] + number * step);
            }
        }
    }
    offsets
}

fn sorted(mut list: Vec<usize>) -> Vec<usize> {
    list.sort_unstable();
    list
}

fn image(list: Vec<usize>) -> Vec<usize> {
    let mut list = sorted(list);
    list.dedup();
    list
}

fn is_injective(list: &[usize]) -> bool {
    image(list.to_vec()).len() == list.len()
}

/// Small enough to count.
fn is_small(layout: &DynLayout) -> bool {
    layout.size() <= LARGEST
        && layout.cosize() <= 1 << 24
        && layout.shape().leaves().len() <= MOST_LEAVES
}

/// Runs the chain, and returns how many answers were checked.
pub(crate) fn chain(bytes: &[u8]) -> usize {
    let mut choices = Choices(bytes);
    let mut checked = 0;
    let Some(mut layout) = choices.layout().filter(is_small) else { return 0 };
    for _ in 0..LONGEST {
        if choices.0.is_empty() {
            break;
        }
        let Some(next) = step(&layout, &mut choices) else { continue };
        checked += 1;
        // Every answer is a layout: it prints, and is read again; deeper nesting than text may have
        // is not.
        if next.depth() <= DynShape::MAX_DEPTH {
            assert_eq!(next.to_string().parse::<DynLayout>().as_ref(), Ok(&next));
        }
        if is_small(&next) {
            layout = next;
        }
    }
    checked
}

/// One operation, and its law. `None` if it was refused, or is too large to count.
fn step(l: &DynLayout, choices: &mut Choices<'_>) -> Option<DynLayout> {
    let values = offsets(l);
    assert_eq!(l.size(), values.len());
    assert_eq!(l.cosize(), values.iter().max().map_or(0, |last| last + 1));
    match choices.below(10) {
        0 => one_operand(l, &values, choices),
        1 => modes(l, &values, choices),
        2 => compose(l, &values, choices),
        3 => complement(l, &values, choices),
        4 => divide(l, &values, choices),
        5 => product(l, &values, choices),
        6 => by_mode(l, &values, choices),
        7 => recast(l, &values, choices),
        8 => inverse(l, &values),
        _ => questions(l, &values),
    }
}

fn one_operand(l: &DynLayout, values: &[usize], choices: &mut Choices<'_>) -> Option<DynLayout> {
    Some(match choices.below(4) {
        0 => {
            let r = l.coalesce();
            assert!(offsets(&r) == values && r.depth() <= 1, "coalesce {l} is not {r}");
            r
        }
        1 => {
            let r = l.filter();
            assert_eq!(image(offsets(&r)), image(values.to_vec()), "filter {l} is not {r}");
            r
        }
        2 => {
            let r = l.flatten();
            assert!(offsets(&r) == values && r.depth() <= 1, "flatten {l} is not {r}");
            r
        }
        _ => {
            let r = l.layout_like();
            assert!(r.is_compact() && r.shape() == l.shape(), "layout_like {l} is not {r}");
            r
        }
    })
}

fn modes(l: &DynLayout, values: &[usize], choices: &mut Choices<'_>) -> Option<DynLayout> {
    let (first, last) = (choices.below(4), choices.below(6));
    match choices.below(4) {
        0 => {
            let r = l.group(first, last).ok()?;
            assert_eq!(offsets(&r), values, "group {l} is not {r}");
            if l.depth() > 0 {
                assert_eq!(r.ungroup(first).as_ref(), Ok(l));
            }
            Some(r)
        }
        1 => {
            let r = l.ungroup(first).ok()?;
            assert_eq!(offsets(&r), values, "ungroup {l} is not {r}");
            Some(r)
        }
        2 => {
            let r = l.reverse();
            assert!(
                sorted(offsets(&r)) == sorted(values.to_vec()) && r.reverse() == *l,
                "reverse {l} is not {r}"
            );
            Some(r)
        }
        _ => {
            let x = choices.layout().filter(is_small)?;
            let r = l.append(&x).ok().filter(is_small)?;
            let sums = offsets(&x).into_iter().flat_map(|y| values.iter().map(move |v| v + y));
            assert!(offsets(&r).into_iter().eq(sums), "{l} with {x} is not {r}");
            Some(r)
        }
    }
}

fn compose(l: &DynLayout, values: &[usize], choices: &mut Choices<'_>) -> Option<DynLayout> {
    let b = choices.layout().filter(is_small)?;
    let r = l.compose(&b).ok()?;
    let inner = offsets(&b);
    // Inside the domain: the values are at hand. Beyond it: the last mode goes on, which index()
    // knows.
    let at = |i: usize| values.get(i).copied().or_else(|| l.try_index(i).ok());
    let expected: Option<Vec<usize>> = inner.into_iter().map(at).collect();
    if let Some(expected) = expected {
        assert_eq!(offsets(&r), expected, "{l} o {b} is not {r}");
    }
    assert!(b.shape().compatible(&r.shape()), "{l} o {b} is not compatible: {r}");
    Some(r)
}

fn complement(l: &DynLayout, values: &[usize], choices: &mut Choices<'_>) -> Option<DynLayout> {
    let extent = choices.number().checked_mul(l.cosize().max(1))?;
    let r = if choices.below(2) == 0 { l.complement(extent) } else { l.complement_ceil(extent) }
        .ok()?;
    let both = l.filter().append(&r).ok().filter(is_small)?;
    let size = image(values.to_vec()).len() * r.size();
    assert!(size >= extent, "the complement of {l} in {extent} is not {r}");
    assert_eq!(
        sorted(offsets(&both)),
        (0..size).collect::<Vec<_>>(),
        "the complement of {l} in {extent} is not {r}"
    );
    Some(r)
}

fn divide(l: &DynLayout, values: &[usize], choices: &mut Choices<'_>) -> Option<DynLayout> {
    let tile = choices.layout().filter(is_small)?;
    let r = l.logical_divide(&tile).ok().filter(is_small)?;
    let inner = offsets(&tile);
    let got = offsets(&r);
    if is_injective(&inner) {
        assert_eq!(sorted(got.clone()), sorted(values.to_vec()), "{l} / {tile} is not {r}");
    }
    assert!(
        l.size() == 0 || inner.iter().zip(&got).all(|(&i, &v)| l.index(i) == v),
        "{l} / {tile} is not {r}"
    );
    Some(r)
}

fn product(l: &DynLayout, values: &[usize], choices: &mut Choices<'_>) -> Option<DynLayout> {
    let tile = choices.layout().filter(is_small)?;
    let r = l.logical_product(&tile).ok().filter(is_small)?;
    let got = offsets(&r);
    assert_eq!(got.len(), values.len() * tile.size());
    assert!(got.starts_with(values) || got.is_empty(), "{l} * {tile} is not {r}");
    if is_injective(values) && is_injective(&offsets(&tile)) {
        assert!(is_injective(&got), "the copies of {l} * {tile} overlap: {r}");
    }
    let (blocked, raked) = (l.blocked_product(&tile).ok()?, l.raked_product(&tile).ok()?);
    let got = sorted(got);
    assert_eq!(sorted(offsets(&blocked)), got, "blocked {l} * {tile} is not {blocked}");
    assert_eq!(sorted(offsets(&raked)), got, "raked {l} * {tile} is not {raked}");
    Some(if choices.below(2) == 0 { blocked } else { raked })
}

fn by_mode(l: &DynLayout, values: &[usize], choices: &mut Choices<'_>) -> Option<DynLayout> {
    let tiler = choices.tiler(0)?;
    let printed = tiler.to_string();
    assert_eq!(printed.parse::<DynTiler>().as_ref(), Ok(&tiler));
    match choices.below(3) {
        0 => l.compose(&tiler).ok(),
        1 => {
            let r = l.round_up(&tiler).ok()?;
            // Every coordinate of the layout keeps its offset. A layout without parentheses
            // becomes a tuple under a tuple.
            if l.shape().congruent(&r.shape()) && is_small(&r) {
                for (coord, &value) in l.coords().zip(values) {
                    assert_eq!(r.index(&coord), value, "{l} rounded up to {printed} is not {r}");
                }
            }
            Some(r)
        }
        _ => {
            let logical = l.logical_divide(&tiler).ok().filter(is_small)?;
            let all = sorted(offsets(&logical));
            let forms = [l.zipped_divide(&tiler), l.tiled_divide(&tiler), l.flat_divide(&tiler)];
            for form in forms.iter().flatten() {
                assert_eq!(sorted(offsets(form)), all, "a form of {l} / {printed} is not {form}");
            }
            let [zipped, ..] = forms;
            Some(zipped.unwrap_or(logical))
        }
    }
}

fn recast(l: &DynLayout, values: &[usize], choices: &mut Choices<'_>) -> Option<DynLayout> {
    let n = choices.number();
    if choices.below(2) == 0 {
        let r = l.upcast(n).ok()?;
        assert_eq!(
            image(offsets(&r)),
            image(values.iter().map(|v| v / n).collect()),
            "{l} upcast by {n} is not {r}"
        );
        return Some(r);
    }
    let r = l.downcast(n).ok().filter(is_small)?;
    let parts = values.iter().flat_map(|v| (0..n).map(move |k| v * n + k)).collect();
    assert_eq!(image(offsets(&r)), image(parts), "{l} downcast by {n} is not {r}");
    assert_eq!(offsets(&r.upcast(n).ok()?), values, "{r} upcast by {n} is not {l}");
    Some(r)
}

fn inverse(l: &DynLayout, values: &[usize]) -> Option<DynLayout> {
    if l.size() == 0 {
        return None;
    }
    let right = l.right_inverse();
    assert!(
        offsets(&right).into_iter().enumerate().all(|(i, v)| values[v] == i),
        "right inverse of {l} is not {right}"
    );
    let null = l.nullspace();
    assert!(offsets(&null).into_iter().all(|v| values[v] == 0), "nullspace of {l} is not {null}");
    let common = l.max_common_layout(l);
    assert_eq!(common.size(), right.size(), "{l} has {common} in common with itself");
    let left = l.left_inverse().ok()?;
    assert!(
        values.iter().all(|&v| values.get(left.index(v)) == Some(&v)),
        "left inverse of {l} is not {left}"
    );
    Some(left)
}

fn questions(l: &DynLayout, values: &[usize]) -> Option<DynLayout> {
    let onto = image(values.to_vec()).len() == l.cosize();
    assert_eq!(l.try_is_surjective().ok(), Some(onto), "{l}");
    assert_eq!(l.is_bijective(), onto && is_injective(values), "{l}");
    // The search for two coordinates of one offset is exponential in interlocking modes at worst;
    // few of them are asked about.
    if l.coalesce().rank() <= 5 {
        assert_eq!(l.is_injective(), is_injective(values), "{l}");
    }
    None
}
