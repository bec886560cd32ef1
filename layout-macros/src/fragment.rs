//! What macro_rules hands on: `$n:expr` arrives as a group without delimiters.

use crate::tokens::{Angles, Face, is_joint, is_keyword};
use proc_macro::{Delimiter, Group, Span, TokenStream, TokenTree};
use std::borrow::Cow;

/// The contents of a fragment, when it is all there is.
pub(crate) fn unwrapped(tokens: &[TokenTree]) -> Cow<'_, [TokenTree]> {
    let mut tokens = Cow::Borrowed(tokens);
    while let [TokenTree::Group(group)] = &tokens[..] {
        if group.delimiter() != Delimiter::None {
            break;
        }
        tokens = Cow::Owned(group.stream().into_iter().collect());
    }
    tokens
}

/// An expression with parentheses around the fragments that need them.
///
/// `2 * $n` with `n + 1` for `$n` is `2 * (n + 1)`. But rustc forgets a group without delimiters
/// that comes out of a procedural macro (rust-lang/rust#67062), and would compute `2 * n + 1`.
pub(crate) fn parenthesized(tokens: &[TokenTree]) -> TokenStream {
    let token = |i: usize| {
        let TokenTree::Group(group) = &tokens[i] else { return tokens[i].clone() };
        let contents: Vec<_> = group.stream().into_iter().collect();
        let (delimiter, span) = match group.delimiter() {
            // With the span of the macro, lest rustc warn that the parentheses are unnecessary.
            Delimiter::None if is_joined(tokens, i) && is_compound(&contents) => {
                (Delimiter::Parenthesis, Span::mixed_site().located_at(group.span()))
            }
            delimiter => (delimiter, group.span()),
        };
        let mut group = Group::new(delimiter, parenthesized(&contents));
        group.set_span(span);
        TokenTree::Group(group)
    };
    (0..tokens.len()).map(token).collect()
}

/// Whether an operator, a call or an index stands beside token `i`.
fn is_joined(tokens: &[TokenTree], i: usize) -> bool {
    let operator = |token: &TokenTree| match token {
        TokenTree::Punct(punct) => !matches!(punct.as_char(), ',' | ';'),
        _ => false,
    };
    let left = i > 0 && operator(&tokens[i - 1]);
    let right = tokens.get(i + 1).is_some_and(|next| match next {
        TokenTree::Group(group) => {
            matches!(group.delimiter(), Delimiter::Parenthesis | Delimiter::Bracket)
        }
        TokenTree::Ident(word) => word.to_string() == "as",
        other => operator(other),
    });
    left || right
}

/// Whether an operator in the fragment may bind less tightly than one beside it: everything but
/// paths, literals, calls, fields and the like.
pub(crate) fn is_compound(tokens: &[TokenTree]) -> bool {
    let Ok(angles) = Angles::of(tokens, Face::Value) else { return true };
    let loose = |i: usize| match &tokens[i] {
        TokenTree::Ident(word) => is_keyword(&word.to_string()),
        TokenTree::Punct(punct) => match punct.as_char() {
            '+' | '-' | '*' | '/' | '%' | '^' | '&' | '|' | '=' | '<' | '>' => true,
            '.' => is_joint(&tokens[i], '.'),
            '!' => i == 0,
            _ => false,
        },
        _ => false,
    };
    (0..tokens.len()).any(|i| angles.depths[i] == 0 && loose(i))
}
