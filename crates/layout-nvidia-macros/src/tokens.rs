//! Tokens: the end of a type, templates, and errors with their spans.

use proc_macro::{Delimiter, Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};

/// An error message, and its span from the first to the last token.
pub(crate) struct Mistake {
    message: String,
    first: Span,
    last: Span,
    /// Whether rustc also reports an error for the function.
    pub(crate) alone: bool,
}
pub(crate) type Result<T> = std::result::Result<T, Mistake>;

impl Mistake {
    pub(crate) fn new(message: impl Into<String>, at: &[TokenTree]) -> Self {
        let whole = Span::call_site();
        let (first, last) =
            (at.first().map_or(whole, TokenTree::span), at.last().map_or(whole, TokenTree::span));
        Mistake { message: message.into(), first, last, alone: false }
    }
    /// An error that rustc also reports: the function is omitted, so that there is one error.
    pub(crate) fn alone(self) -> Self {
        Mistake { alone: true, ..self }
    }
    /// `compile_error!` with the message.
    pub(crate) fn tokens(&self) -> TokenStream {
        let name = TokenTree::Ident(Ident::new("compile_error", self.first));
        let mut bang = Punct::new('!', Spacing::Alone);
        bang.set_span(self.first);
        let mut message = proc_macro::Literal::string(&self.message);
        message.set_span(self.last);
        let mut group = Group::new(Delimiter::Brace, TokenTree::Literal(message).into());
        group.set_span(self.last);
        [name, TokenTree::Punct(bang), TokenTree::Group(group)].into_iter().collect()
    }
}

pub(crate) fn is_punct(token: &TokenTree, char: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == char)
}
pub(crate) fn is_word(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident.to_string() == word)
}
pub(crate) fn group(token: &TokenTree, delimiter: Delimiter) -> Option<&Group> {
    match token {
        TokenTree::Group(group) if group.delimiter() == delimiter => Some(group),
        _ => None,
    }
}

/// The tokens of a stream; groups without delimiters, which `macro_rules!` puts around
/// `$name:ident`, opened.
pub(crate) fn opened(stream: TokenStream) -> Vec<TokenTree> {
    let single = |group: &Group| group.stream().into_iter().count() == 1;
    let open = |token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::None && single(&group) => {
            opened(group.stream())
        }
        token => vec![token],
    };
    stream.into_iter().flat_map(open).collect()
}

/// For each token of a type, the number of pairs of angle brackets around it; a bracket counts its
/// own pair. The `>` of `->` is no bracket.
pub(crate) fn depths(tokens: &[TokenTree]) -> Vec<usize> {
    let mut depth = 0_usize;
    let mut arrow = false;
    let of = |token: &TokenTree| {
        let closes = is_punct(token, '>') && !arrow;
        arrow = matches!(token, TokenTree::Punct(p) if "-=".contains(p.as_char()) && p.spacing() == Spacing::Joint);
        depth += usize::from(is_punct(token, '<'));
        let here = depth;
        depth = depth.saturating_sub(usize::from(closes));
        here
    };
    tokens.iter().map(of).collect()
}

/// The items between the commas outside of angle brackets; a trailing comma adds none.
pub(crate) fn between_commas(tokens: &[TokenTree]) -> Vec<&[TokenTree]> {
    let depths = depths(tokens);
    let comma = |i: usize| depths[i] == 0 && is_punct(&tokens[i], ',');
    let mut items = Vec::new();
    let mut start = 0;
    for i in (0..tokens.len()).filter(|&i| comma(i)) {
        items.push(&tokens[start..i]);
        start = i + 1;
    }
    if start < tokens.len() {
        items.push(&tokens[start..]);
    }
    items
}

/// The index of the first `char` outside of angle brackets. The colons of `::` do not count.
pub(crate) fn position(tokens: &[TokenTree], char: char) -> Option<usize> {
    let depths = depths(tokens);
    let joint =
        |i: usize| matches!(&tokens[i], TokenTree::Punct(p) if p.spacing() == Spacing::Joint);
    let path = |i: usize| {
        char == ':' && (joint(i) && tokens.get(i + 1).is_some_and(|next| is_punct(next, ':')))
            || char == ':' && i > 0 && is_punct(&tokens[i - 1], ':') && joint(i - 1)
    };
    (0..tokens.len()).find(|&i| depths[i] == 0 && is_punct(&tokens[i], char) && !path(i))
}

pub(crate) fn stream(tokens: &[TokenTree]) -> TokenStream {
    tokens.iter().cloned().collect()
}

/// A template of Rust code, in which words such as `THE_NAME` are replaced by tokens.
pub(crate) fn filled(template: &str, holes: &[(&str, TokenStream)]) -> TokenStream {
    fn fill(template: TokenStream, holes: &[(&str, TokenStream)]) -> TokenStream {
        let fill_in = |token| match token {
            TokenTree::Group(group) => {
                let mut filled = Group::new(group.delimiter(), fill(group.stream(), holes));
                filled.set_span(group.span());
                TokenTree::Group(filled).into()
            }
            token => match holes.iter().find(|(hole, _)| is_word(&token, hole)) {
                Some((_, tokens)) => tokens.clone(),
                None => token.into(),
            },
        };
        template
            .into_iter()
            .flat_map(|token: TokenTree| -> TokenStream { fill_in(token) })
            .collect()
    }
    fill(template.parse().expect("the template is Rust"), holes)
}
