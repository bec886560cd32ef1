//! `rearrange!`: einops' notation on layouts of types, as divisions, a selection and groups of
//! modes.
//!
//! ```text
//! rearrange!(t, "b (h p) w -> (b h) p w", p = 4)
//!     split     logical_divide(tiler!(_, 4, _)).ungroup::<1>()    the last part of an axis is a tile, the others the rest
//!               compose(tiler!(_, (__tile, 2), _)).ungroup::<1>() where the last part is open: `__tile` is the axis by 2
//!     permute   select(shape!((2, 0, 1, 3)))                      the parts of an axis from the last one, the fastest
//!     merge     group::<0, 2>()
//! ```

use crate::error::{Result, Spot, SyntaxError};
use crate::fragment::unwrapped;
use crate::tokens::is_punct;
use proc_macro::{Group, Span, TokenStream, TokenTree};
use std::ops::Range;

/// A name of the pattern, or a number as an axis without a name, and where it stands.
type Part = Range<usize>;

/// The string, and what is wrong at a place in it.
struct Pattern {
    text: String,
    token: TokenTree,
}

impl Pattern {
    fn error(&self, at: Part, why: impl std::fmt::Display) -> SyntaxError {
        let columns = |text: &str| text.chars().count();
        let (before, width) = (columns(&self.text[..at.start]), columns(&self.text[at]).max(1));
        let message = format!("{why}\n  {}\n  {:before$}{:^<width$}", self.text, "", "");
        SyntaxError::new(message, &self.token)
    }

    /// The axes of one side, each a list of its parts. A 1 has no part.
    fn side(&self, side: Range<usize>) -> Result<Vec<(Range<usize>, Vec<Part>)>> {
        let (mut axes, mut open, mut at) = (Vec::new(), None::<(usize, Vec<Part>)>, side.start);
        while let Some(char) = self.text[at..side.end].chars().next() {
            let here = at..at + char.len_utf8();
            at = here.end;
            match char {
                ' ' => {}
                '(' if open.is_some() => {
                    return Err(self.error(here, "parentheses inside parentheses"));
                }
                '(' => open = Some((here.start, Vec::new())),
                ')' => match open.take() {
                    Some((from, parts)) => axes.push((from..here.end, parts)),
                    None => return Err(self.error(here, "`)` without `(`")),
                },
                '.' => {
                    let why = "a macro does not see the rank of a type: name each axis in the \
                               place of `...`, or write `Rearrange::new(\"..\")`, which runs with \
                               the program";
                    let dots = self.text[here.start..side.end]
                        .bytes()
                        .take_while(|byte| *byte == b'.')
                        .count();
                    return Err(self.error(here.start..here.start + dots, why));
                }
                _ if char.is_alphanumeric() || char == '_' => {
                    let word = &self.text[here.start..side.end];
                    let word = &word[..word
                        .find(|c: char| !c.is_alphanumeric() && c != '_')
                        .unwrap_or(word.len())];
                    at = here.start + word.len();
                    let part = here.start..at;
                    let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
                    let wrong = word.starts_with('_')
                        || word.ends_with('_')
                        || (char.is_numeric() && !is_number);
                    if wrong {
                        return Err(self.error(part, format!("`{word}` is no name of an axis")));
                    }
                    if is_number && word != "1" {
                        let why = format!(
                            "an axis of {word} elements has a name here, and `name = {word}` says \
                             so"
                        );
                        return Err(self.error(part, why));
                    }
                    let parts = if is_number { Vec::new() } else { vec![part.clone()] };
                    match &mut open {
                        Some((_, group)) => group.extend(parts),
                        None => axes.push((part, parts)),
                    }
                }
                _ => {
                    return Err(
                        self.error(here, format!("the character {char:?} has no meaning here"))
                    );
                }
            }
        }
        match open {
            Some((from, _)) => Err(self.error(from..from + 1, "`(` without `)`")),
            None => Ok(axes),
        }
    }

    fn name(&self, part: &Part) -> &str {
        &self.text[part.clone()]
    }

    /// That each name stands once on each side.
    fn check_names(&self, sides: [&[(Range<usize>, Vec<Part>)]; 2]) -> Result<()> {
        let names = sides.map(|side| side.iter().flat_map(|axis| &axis.1).collect::<Vec<_>>());
        for (side, other, word) in [(1, 0, "right"), (0, 1, "left")] {
            for (k, part) in names[side].iter().enumerate() {
                let is_same = |other: &&Part| self.name(other) == self.name(part);
                let why = if names[side][..k].iter().any(is_same) {
                    format!("axis `{}` stands twice on the {word} side", self.name(part))
                } else if !names[other].iter().any(is_same) {
                    format!("axis `{}` is on the {word} side only", self.name(part))
                } else {
                    continue;
                };
                return Err(self.error((*part).clone(), why));
            }
        }
        Ok(())
    }
}

/// `t, "pattern", name = extent, ..`
pub(crate) fn rearranged(tokens: &[TokenTree]) -> Result<TokenStream> {
    let form = "the form is `rearrange!(tensor_or_layout, \"b (h p) w -> (b h) p w\", p = 4)`";
    let literal = |token: &TokenTree| match &unwrapped(std::slice::from_ref(token))[..] {
        [TokenTree::Literal(literal)] if literal.to_string().starts_with('"') => {
            Some(literal.to_string())
        }
        _ => None,
    };
    let place =
        (2..tokens.len()).find(|&k| is_punct(&tokens[k - 1], ',') && literal(&tokens[k]).is_some());
    let Some(place) = place else { return Err(SyntaxError::new(form, Spot::of(tokens))) };
    let text = literal(&tokens[place]).unwrap_or_default();
    let pattern = Pattern { text: text[1..text.len() - 1].into(), token: tokens[place].clone() };
    let Some(arrow) = pattern.text.find("->") else {
        return Err(
            pattern.error(0..pattern.text.len(), "a pattern has two sides with `->` between them")
        );
    };
    let (left, right) = (pattern.side(0..arrow)?, pattern.side(arrow + 2..pattern.text.len())?);
    pattern.check_names([&left, &right])?;
    let given = given_extents(&pattern, &tokens[place + 1..], form)?;
    for (at, parts) in &left {
        let [first, ..] = &parts[..] else {
            return Err(
                pattern.error(at.clone(), "an axis of one element has a name on the left side")
            );
        };
        let mut open =
            parts.iter().filter(|part| !given.iter().any(|(name, _)| name == pattern.name(part)));
        let (at, why) = match (open.next(), open.next()) {
            (Some(_), None) => continue,
            (None, _) => {
                let name = pattern.name(first);
                (
                    first,
                    format!("the extent of one part follows from the axis: without `{name} = ..`"),
                )
            }
            (_, Some(second)) => {
                let name = pattern.name(second);
                (
                    second,
                    format!(
                        "`{name} = ..` has to say the extent: that of one part alone follows from \
                         the axis"
                    ),
                )
            }
        };
        return Err(pattern.error(at.clone(), why));
    }
    if left.is_empty() || right.is_empty() {
        return Err(pattern
            .error(0..pattern.text.len(), "a layout of types has one mode or more on each side"));
    }
    Ok(expansion(&pattern, left, &right, &given, &tokens[..place - 1]))
}

/// The extents behind the pattern, each of a name.
fn given_extents(
    pattern: &Pattern,
    tokens: &[TokenTree],
    form: &str,
) -> Result<Vec<(String, Vec<TokenTree>)>> {
    let mut given: Vec<(String, Vec<TokenTree>)> = Vec::new();
    for words in tokens.split(|token| is_punct(token, ',')).filter(|words| !words.is_empty()) {
        let [TokenTree::Ident(name), equals, extent @ ..] = words else {
            return Err(SyntaxError::new(form, Spot::of(words)));
        };
        if !is_punct(equals, '=') || extent.is_empty() {
            return Err(SyntaxError::new(form, Spot::of(words)));
        }
        let text = name.to_string();
        let is_named = |word: &str| word == text;
        if !pattern.text.split(|c: char| !c.is_alphanumeric() && c != '_').any(is_named) {
            let why = format!("the pattern does not name an axis `{text}`");
            return Err(SyntaxError::new(why, Spot::of(words)));
        }
        if given.iter().any(|(name, _)| *name == text) {
            return Err(SyntaxError::new(
                format!("axis `{text}` has two extents"),
                Spot::of(words),
            ));
        }
        given.push((text, extent.to_vec()));
    }
    Ok(given)
}

/// The operations on the layout, one after the other.
fn expansion(
    pattern: &Pattern,
    left: Vec<(Range<usize>, Vec<Part>)>,
    right: &[(Range<usize>, Vec<Part>)],
    given: &[(String, Vec<TokenTree>)],
    value: &[TokenTree],
) -> TokenStream {
    let kept = |count: usize| "_, ".repeat(count);
    let numbers =
        |modes: &[usize]| modes.iter().map(|mode| format!("{mode}, ")).collect::<String>();
    // By mode, so that a layout of another rank is refused.
    let mut steps =
        format!("let __layout = __layout.compose(::layout_algebra::tiler!({}));", kept(left.len()));
    let mut modes: Vec<Vec<Part>> = left.into_iter().map(|(_, parts)| parts).collect();
    // Mode `k` becomes the modes of the result that the operation has in its place.
    let split = |operation: &str, k: usize, count: usize, tile: &str| {
        let tiler = format!("::layout_algebra::tiler!({}{tile}, {})", kept(k), kept(count - k - 1));
        format!("let __layout = __layout.{operation}({tiler}).ungroup::<{k}>();")
    };
    let of = |part: &Part| {
        given.iter().find(|(name, _)| name == pattern.name(part)).map(|found| found.1.clone())
    };
    let (mut extents, mut k) = (Vec::new(), 0);
    while k < modes.len() {
        let mut outer = std::mem::take(&mut modes[k]);
        modes[k].extend(outer.pop());
        match modes[k].first().and_then(of) {
            _ if outer.is_empty() => {}
            Some(extent) => {
                extents.push(extent);
                steps += &split("logical_divide", k, modes.len(), "EXTENT");
                modes.insert(k + 1, outer);
            }
            None => {
                let (compact, count) = ("::layout_algebra::StridedLayout::left", outer.len());
                let divided =
                    ".logical_divide(::layout_algebra::layout!(EXTENT)).mode::<1>()".repeat(count);
                steps += &format!("let __whole = {compact}(__layout.mode::<{k}>().shape());");
                steps += &format!("let __tile = __whole{divided}.shape();");
                extents.extend(outer.iter().chain(outer.iter().rev()).filter_map(of));
                steps += &split(
                    "compose",
                    k,
                    modes.len(),
                    &format!("(__tile, {})", "EXTENT, ".repeat(count)),
                );
                modes.splice(k + 1..k + 1, outer.into_iter().rev().map(|part| vec![part]));
            }
        }
        k += 1;
    }
    let mut order = Vec::new();
    for _ in right.iter().filter(|(_, parts)| parts.is_empty()) {
        steps += &split("logical_divide", 0, modes.len(), "1");
        modes.insert(0, Vec::new());
    }
    let mut units = 0..;
    for (_, parts) in right {
        let place = |part: &Part| {
            let name = pattern.name(part);
            modes.iter().position(|mode| mode.iter().any(|part| pattern.name(part) == name))
        };
        order.extend(parts.iter().rev().filter_map(place));
        order.extend(units.by_ref().take(usize::from(parts.is_empty())));
    }
    if !order.iter().copied().eq(0..modes.len()) {
        steps += &format!(
            "let __layout = __layout.select(::layout_algebra::shape!(({})));",
            numbers(&order)
        );
    }
    let mut end = order.len();
    for (_, parts) in right.iter().rev() {
        let begin = end - parts.len().max(1);
        if parts.len() > 1 {
            steps += &format!("let __layout = __layout.group::<{begin}, {end}>();");
        }
        end = begin;
    }
    let code = format!(
        "::layout_arrays::__private::rearranged(VALUE, |__layout| {{ #[allow(unused_imports)] use \
         ::layout_algebra::{{Layout as _, LayoutAlgebra as _}}; {steps} __layout }})"
    );
    let code = code.parse().unwrap_or_default();
    filled(code, pattern.token.span(), value, &mut extents.into_iter())
}

/// The code at the place of the pattern, with the tokens of the caller for the words in capitals.
fn filled(
    code: TokenStream,
    span: Span,
    value: &[TokenTree],
    extents: &mut dyn Iterator<Item = Vec<TokenTree>>,
) -> TokenStream {
    let mut tokens = Vec::new();
    for mut token in code {
        match &mut token {
            TokenTree::Ident(word) if word.to_string() == "VALUE" => {
                tokens.extend(value.iter().cloned())
            }
            TokenTree::Ident(word) if word.to_string() == "EXTENT" => {
                tokens.extend(extents.next().into_iter().flatten())
            }
            TokenTree::Group(group) => {
                let mut inner =
                    Group::new(group.delimiter(), filled(group.stream(), span, value, extents));
                inner.set_span(span);
                tokens.push(inner.into());
            }
            _ => {
                token.set_span(span);
                tokens.push(token);
            }
        }
    }
    tokens.into_iter().collect()
}
