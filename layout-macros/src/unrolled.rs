//! `for_static!`: a loop written out.

use crate::error::{Result, Spot, SyntaxError};
use crate::fragment::unwrapped;
use crate::number;
use crate::tokens::is_punct;
use proc_macro::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

/// The most turns: each is written out, and compiled.
const MOST: u64 = 1024;

/// `K in A..B, { body }`
pub(crate) fn unrolled(tokens: &[TokenTree]) -> Result<TokenStream> {
    let (name, rest) = match tokens {
        [TokenTree::Ident(name), TokenTree::Ident(word), rest @ ..] if word.to_string() == "in" => {
            (name, rest)
        }
        _ => return Err(misformed(tokens)),
    };
    let Some(comma) = rest.iter().position(|token| is_punct(token, ',')) else {
        return Err(misformed(tokens));
    };
    let Some(dots) =
        rest[..comma].windows(2).position(|two| two.iter().all(|token| is_punct(token, '.')))
    else {
        return Err(misformed(tokens));
    };
    let (first, mut last) = (&rest[..dots], &rest[dots + 2..comma]);
    let closed = last.first().is_some_and(|token| is_punct(token, '='));
    if closed {
        last = &last[1..];
    }
    let body = match &rest[comma + 1..] {
        [TokenTree::Group(body)] if body.delimiter() == Delimiter::Brace => body,
        [TokenTree::Group(body), comma]
            if body.delimiter() == Delimiter::Brace && is_punct(comma, ',') =>
        {
            body
        }
        _ => return Err(misformed(tokens)),
    };
    let (first, end) = (bound(first)?, bound(last)? + u64::from(closed));
    let turns = end.saturating_sub(first);
    if turns > MOST {
        let message =
            format!("{turns} turns are too many: each is written out, and {MOST} are the most");
        return Err(SyntaxError::new(message, Spot::of(last)));
    }
    let all: TokenStream = (first..end)
        .flat_map(|turn| {
            braces(written_out(name, turn, if turn + 1 < end { turn + 1 } else { first }, body))
        })
        .collect();
    Ok(braces(all).collect())
}

/// A bound of the loop, a literal.
fn bound(tokens: &[TokenTree]) -> Result<u64> {
    let plain = unwrapped(tokens);
    let [TokenTree::Literal(literal)] = &plain[..] else {
        let message = "the bounds of a loop that is written out are integer literals, or a \
                       `$n:literal` of macro_rules";
        return Err(SyntaxError::new(message, Spot::of(tokens)));
    };
    number::value(&literal.to_string())
        .map_err(|message| SyntaxError::new(message, Spot::of(tokens)))
}

fn misformed(tokens: &[TokenTree]) -> SyntaxError {
    SyntaxError::new(
        "a loop that is written out has the form `for_static!(K in 0..4, { .. })`",
        Spot::of(tokens),
    )
}

/// `#[allow(..)] macro_rules! next { (K) => { next } } #[allow(..)] const K: usize = turn; body`
fn written_out(name: &Ident, turn: u64, next: u64, body: &Group) -> TokenStream {
    let word = |text: &str| TokenTree::Ident(Ident::new(text, Span::mixed_site()));
    let sign = |char: char| TokenTree::Punct(Punct::new(char, Spacing::Alone));
    let group = |delimiter, tokens: &[TokenTree]| {
        TokenTree::Group(Group::new(delimiter, tokens.iter().cloned().collect()))
    };
    let allowed = |lints: &[TokenTree]| {
        group(Delimiter::Bracket, &[word("allow"), group(Delimiter::Parenthesis, lints)])
    };
    let tokens = [
        sign('#'),
        allowed(&[word("unused_macros")]),
        word("macro_rules"),
        sign('!'),
        // Found where the name of the turn is.
        TokenTree::Ident(Ident::new("next", name.span())),
        group(
            Delimiter::Brace,
            &[
                group(Delimiter::Parenthesis, &[TokenTree::Ident(name.clone())]),
                TokenTree::Punct(Punct::new('=', Spacing::Joint)),
                sign('>'),
                group(Delimiter::Brace, &[TokenTree::Literal(Literal::u64_unsuffixed(next))]),
            ],
        ),
        sign('#'),
        allowed(&[word("dead_code"), sign(','), word("non_upper_case_globals")]),
        word("const"),
        TokenTree::Ident(name.clone()),
        sign(':'),
        word("usize"),
        sign('='),
        TokenTree::Literal(Literal::u64_unsuffixed(turn)),
        sign(';'),
    ];
    tokens.into_iter().chain(body.stream()).collect()
}

fn braces(tokens: TokenStream) -> impl Iterator<Item = TokenTree> {
    [TokenTree::Group(Group::new(Delimiter::Brace, tokens))].into_iter()
}
