//! One mistake, one message, on the tokens at fault.

use proc_macro::{Span, TokenTree};

pub(crate) type Result<T> = std::result::Result<T, SyntaxError>;

/// A stretch of source, from its first token to its last. Two spans rather than one: stable Rust
/// cannot join spans, but rustc underlines an expansion from its first token to its last.
#[derive(Clone, Copy)]
pub(crate) struct Spot {
    pub(crate) first: Span,
    pub(crate) last: Span,
}

impl Spot {
    /// The stretch of `tokens`, or the whole macro call when there are none.
    pub(crate) fn of(tokens: &[TokenTree]) -> Spot {
        match tokens {
            [] => Span::call_site().into(),
            [first, .., last] => Spot { first: first.span(), last: last.span() },
            [only] => only.into(),
        }
    }
}

impl From<Span> for Spot {
    fn from(span: Span) -> Spot {
        Spot { first: span, last: span }
    }
}

impl From<&TokenTree> for Spot {
    fn from(token: &TokenTree) -> Spot {
        token.span().into()
    }
}

/// The one error that a macro call reports.
pub(crate) struct SyntaxError {
    pub(crate) message: String,
    pub(crate) spot: Spot,
}

impl SyntaxError {
    pub(crate) fn new(message: impl Into<String>, spot: impl Into<Spot>) -> SyntaxError {
        SyntaxError { message: message.into(), spot: spot.into() }
    }
}
