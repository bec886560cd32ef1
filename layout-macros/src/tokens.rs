//! Where an item of the grammar ends: bare commas and colons, angle brackets, and items that stand
//! side by side.
//!
//! An item may be any Rust expression or type, and none of them is parsed here. It is enough to
//! know which commas and colons belong to the item (those in `f::<A, B>()` do) and which separate
//! it from the next.

use crate::error::{Result, SyntaxError};
use proc_macro::{Delimiter, Group, Spacing, TokenTree};

/// What a macro makes: it decides what `_` means, and whether `<` may be a comparison.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Face {
    Value,
    Type,
}

/// The indices of the commas and the colons that separate items.
pub(crate) struct Marks {
    pub(crate) commas: Vec<usize>,
    pub(crate) colons: Vec<usize>,
}

impl Marks {
    pub(crate) fn of(tokens: &[TokenTree], face: Face) -> Result<Marks> {
        let angles = Angles::of(tokens, face)?;
        let mut marks = Marks { commas: Vec::new(), colons: Vec::new() };
        let mut i = 0;
        while i < tokens.len() {
            if is_path_separator(tokens, i) {
                i += 2;
                continue;
            }
            if angles.depths[i] == 0 && is_punct(&tokens[i], ',') {
                marks.commas.push(i);
            } else if angles.depths[i] == 0 && is_punct(&tokens[i], ':') {
                marks.colons.push(i);
            }
            i += 1;
        }
        Ok(marks)
    }
}

/// The items that `marks` separate; one more than there are marks.
pub(crate) fn split<'a>(tokens: &'a [TokenTree], marks: &[usize]) -> Vec<&'a [TokenTree]> {
    let mut start = 0;
    let mut items = Vec::with_capacity(marks.len() + 1);
    for &mark in marks {
        items.push(&tokens[start..mark]);
        start = mark + 1;
    }
    items.push(&tokens[start..]);
    items
}

/// The inside of leading angle brackets, as a by-mode tiler has them, and what follows them. Those
/// of a path such as `<T as Trait>::N` do not count.
pub(crate) fn bracketed(
    tokens: &[TokenTree],
    face: Face,
) -> Result<Option<(&[TokenTree], &[TokenTree])>> {
    if !tokens.first().is_some_and(|first| is_punct(first, '<')) {
        return Ok(None);
    }
    let close = Angles::of(tokens, face)?.first_close;
    let path = is_path_separator(tokens, close + 1);
    Ok((!path).then(|| (&tokens[1..close], &tokens[close + 1..])))
}

/// How the angle brackets of an item pair up.
pub(crate) struct Angles {
    /// For each token, in how many pairs it stands; a bracket stands in its own pair.
    pub(crate) depths: Vec<usize>,
    /// The index of the `>` that closes the first outermost pair; 0 when there is no pair.
    first_close: usize,
}

impl Angles {
    /// In a type every `<` opens. In an expression a `<` after an operand compares, unless it
    /// belongs to a turbofish or stands within brackets already.
    pub(crate) fn of(tokens: &[TokenTree], face: Face) -> Result<Angles> {
        let mut open = Vec::new();
        let mut after_operand = false;
        let mut depths = Vec::with_capacity(tokens.len());
        let mut first_close = 0;
        for (i, token) in tokens.iter().enumerate() {
            let glued_to = |char| i > 0 && is_joint(&tokens[i - 1], char);
            let TokenTree::Punct(punct) = token else {
                after_operand = true;
                depths.push(open.len());
                continue;
            };
            let opens = face == Face::Type
                || !open.is_empty()
                || glued_to(':')
                || !(after_operand || glued_to('<'));
            match punct.as_char() {
                '<' if opens => {
                    after_operand = false;
                    open.push(i);
                    depths.push(open.len());
                }
                // The `>` of `->` and of `=>` closes nothing.
                '>' if !open.is_empty() && !glued_to('-') && !glued_to('=') => {
                    after_operand = true;
                    depths.push(open.len());
                    open.pop();
                    if open.is_empty() && first_close == 0 {
                        first_close = i;
                    }
                }
                char => {
                    after_operand = char == '?';
                    depths.push(open.len());
                }
            }
        }
        match open.first() {
            Some(&unclosed) => {
                Err(SyntaxError::new("this `<` has no matching `>`", &tokens[unclosed]))
            }
            None => Ok(Angles { depths, first_close }),
        }
    }
}

/// The first token that no number has outside of brackets: `;`, a label, an attribute, a `$`.
pub(crate) fn foreign(tokens: &[TokenTree], face: Face) -> Result<Option<&TokenTree>> {
    let angles = Angles::of(tokens, face)?;
    let is_foreign = |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if ";'#$@~".contains(punct.as_char()));
    Ok((0..tokens.len())
        .find(|&i| angles.depths[i] == 0 && is_foreign(&tokens[i]))
        .map(|i| &tokens[i]))
}

/// The operator that an expression ends with, its operand missing.
pub(crate) fn dangling(tokens: &[TokenTree], face: Face) -> Result<Option<&TokenTree>> {
    let angles = Angles::of(tokens, face)?;
    let outside = angles.depths.last() == Some(&0);
    Ok(tokens
        .last()
        .filter(|last| outside && matches!(last, TokenTree::Punct(_)) && !is_punct(last, '?')))
}

/// The first token that cannot belong to the item that `tokens` begin with, because no Rust
/// expression or type has it there: the `6` of `4 6`, the second group of `(4, 6) (1, 4)`.
pub(crate) fn stray(tokens: &[TokenTree], face: Face) -> Result<Option<&TokenTree>> {
    if let [TokenTree::Group(first), second, ..] = tokens {
        // A tuple is a whole item. Parentheses around one expression may open a longer one,
        // `(n + 1) * 4`; the call `(f)(4)` is refused all the same, for a missing comma is the
        // likelier reason.
        let another = match second {
            TokenTree::Group(group) => group.delimiter() == Delimiter::Parenthesis,
            _ => false,
        };
        if first.delimiter() == Delimiter::Parenthesis && (another || is_tuple(first, face)?) {
            return Ok(Some(second));
        }
    }
    let beside = |pair: &[TokenTree]| {
        let [left, right] = pair else { return false };
        let ends = match left {
            TokenTree::Literal(_) | TokenTree::Group(_) => true,
            TokenTree::Ident(ident) => !is_keyword(&ident.to_string()),
            TokenTree::Punct(_) => false,
        };
        let starts = match right {
            TokenTree::Literal(_) => true,
            TokenTree::Ident(ident) => !is_keyword(&ident.to_string()),
            TokenTree::Group(group) => match group.delimiter() {
                Delimiter::None => true,
                // Braces may follow anything: `if n < 4 { 1 } else { 2 }`.
                Delimiter::Brace => false,
                Delimiter::Parenthesis | Delimiter::Bracket => {
                    matches!(left, TokenTree::Literal(_))
                }
            },
            TokenTree::Punct(_) => false,
        };
        ends && starts
    };
    Ok(tokens.windows(2).find(|pair| beside(pair)).map(|pair| &pair[1]))
}

/// Whether `tokens` have the form of a path, a macro call, or a type from macro_rules, as every
/// type has that can be a number. Anything else would reach rustc as a type argument that it cannot
/// parse, to be met with four errors.
pub(crate) fn is_path(tokens: &[TokenTree], face: Face) -> Result<bool> {
    let angles = Angles::of(tokens, face)?;
    let is_part = |i: usize| match &tokens[i] {
        TokenTree::Ident(word) => word.to_string() != "as",
        TokenTree::Punct(punct) => matches!(punct.as_char(), ':' | '!'),
        TokenTree::Group(group) => {
            group.delimiter() == Delimiter::None || i > 0 && is_punct(&tokens[i - 1], '!')
        }
        TokenTree::Literal(_) => false,
    };
    let ends = !tokens.last().is_some_and(|last| is_punct(last, ':') || is_punct(last, '!'));
    Ok(ends && (0..tokens.len()).all(|i| angles.depths[i] > 0 || is_part(i)))
}

pub(crate) fn is_punct(token: &TokenTree, char: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == char)
}

/// Whether `token` is `char`, with the next character of an operator right behind it.
pub(crate) fn is_joint(token: &TokenTree, char: char) -> bool {
    match token {
        TokenTree::Punct(punct) => punct.as_char() == char && punct.spacing() == Spacing::Joint,
        _ => false,
    }
}

/// Whether parentheses hold a tuple in Rust's sense, too: nothing, or a bare comma.
fn is_tuple(group: &Group, face: Face) -> Result<bool> {
    let tokens: Vec<_> = group.stream().into_iter().collect();
    Ok(tokens.is_empty() || !Marks::of(&tokens, face)?.commas.is_empty())
}

/// Whether `::` begins at `i`.
fn is_path_separator(tokens: &[TokenTree], i: usize) -> bool {
    match tokens.get(i..) {
        Some([first, second, ..]) => is_joint(first, ':') && is_punct(second, ':'),
        _ => false,
    }
}

/// The words that stand beside an operand without a comma being missing.
pub(crate) fn is_keyword(word: &str) -> bool {
    #[rustfmt::skip]
    const WORDS: &[&str] = &[
        "as", "async", "await", "break", "const", "dyn", "else", "extern", "fn", "for", "if", "impl", "in", "let",
        "loop", "match", "move", "mut", "raw", "ref", "return", "static", "unsafe", "where", "while",
    ];
    WORDS.contains(&word)
}
