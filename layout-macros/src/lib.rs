//! The macros of `layout-algebra`, which re-exports them: there is no reason to depend on this
//! crate directly.
//!
//! A macro call goes through three steps, `parse`, `check` and `emit`. The first mistake
//! ends it: one mistake, one error.
//!
//! The documentation of each macro is a file of `docs`, since its examples need what the macros
//! expand to: the tests of `layout-algebra` compile and run them.

mod error;

// What has to be known of Rust: its literals, where an expression or a type ends, what macro_rules
// hands on.
mod number;
mod tokens;

mod fragment;

// From tokens to trees, the rules between their numbers, and from trees to Rust.
mod parse;

mod check;

mod emit;

mod rearrange;
mod unrolled;

use crate::emit::Emitter;
use crate::error::{Result, SyntaxError};
use crate::parse::{Level, Place};
use crate::tokens::Face;
use proc_macro::{Span, TokenStream, TokenTree};

#[cfg_attr(not(doctest), doc = include_str!("../docs/layout.md"))]
#[proc_macro]
pub fn layout(input: TokenStream) -> TokenStream {
    expand(input, Face::Value, "layout!((4, 6):(1, 4))", layout_as)
}

#[cfg_attr(not(doctest), doc = include_str!("../docs/layout-type.md"))]
#[allow(non_snake_case)] // named as the type that it makes
#[proc_macro]
pub fn Layout(input: TokenStream) -> TokenStream {
    expand(input, Face::Type, "Layout!((4, 6):(1, 4))", layout_as)
}

#[cfg_attr(not(doctest), doc = include_str!("../docs/shape.md"))]
#[proc_macro]
pub fn shape(input: TokenStream) -> TokenStream {
    expand(input, Face::Value, "shape!((4, 6))", shape_as)
}

#[cfg_attr(not(doctest), doc = include_str!("../docs/shape-type.md"))]
#[allow(non_snake_case)] // named as the type that it makes
#[proc_macro]
pub fn Shape(input: TokenStream) -> TokenStream {
    expand(input, Face::Type, "Shape!((4, 6))", shape_as)
}

#[cfg_attr(not(doctest), doc = include_str!("../docs/tiler.md"))]
#[proc_macro]
pub fn tiler(input: TokenStream) -> TokenStream {
    expand(input, Face::Value, "tiler!(2, _)", tiler_as)
}

#[cfg_attr(not(doctest), doc = include_str!("../docs/tiler-type.md"))]
#[allow(non_snake_case)] // named as the type that it makes
#[proc_macro]
pub fn Tiler(input: TokenStream) -> TokenStream {
    expand(input, Face::Type, "Tiler!(2, _)", tiler_as)
}

#[cfg_attr(not(doctest), doc = include_str!("../docs/int.md"))]
#[proc_macro]
pub fn int(input: TokenStream) -> TokenStream {
    expand(input, Face::Value, "int!(1536)", int_as)
}

#[cfg_attr(not(doctest), doc = include_str!("../docs/int-type.md"))]
#[allow(non_snake_case)] // named as the type that it makes
#[proc_macro]
pub fn Int(input: TokenStream) -> TokenStream {
    expand(input, Face::Type, "Int!(1536)", int_as)
}

#[cfg_attr(not(doctest), doc = include_str!("../docs/for-static.md"))]
#[proc_macro]
pub fn for_static(input: TokenStream) -> TokenStream {
    expand(input, Face::Value, "for_static!(K in 0..4, { sum += K })", |tokens, _| {
        unrolled::unrolled(tokens)
    })
}

#[cfg_attr(not(doctest), doc = include_str!("../docs/rearrange.md"))]
#[proc_macro]
pub fn rearrange(input: TokenStream) -> TokenStream {
    expand(input, Face::Value, "rearrange!(t, \"b c h w -> b h w c\")", |tokens, _| {
        rearrange::rearranged(tokens)
    })
}

/// Runs one macro: its expansion, or the one error that it has to report.
fn expand(
    input: TokenStream,
    face: Face,
    example: &str,
    steps: fn(&[TokenTree], Face) -> Result<TokenStream>,
) -> TokenStream {
    let tokens: Vec<_> = input.into_iter().collect();
    let result = if tokens.is_empty() {
        let message = format!("nothing between the parentheses: write, for example, `{example}`");
        Err(SyntaxError::new(message, Span::call_site()))
    } else {
        steps(&tokens, face)
    };
    result.unwrap_or_else(|error| Emitter::emit(face, |e| e.error(&error)))
}

fn layout_as(tokens: &[TokenTree], face: Face) -> Result<TokenStream> {
    let layout = check::layout(parse::layout(tokens, Level::top(face), Place::Alone)?)?;
    Ok(Emitter::emit_unless(face, check::wide_layout(&layout), |e| e.layout(&layout)))
}

fn shape_as(tokens: &[TokenTree], face: Face) -> Result<TokenStream> {
    let tree = parse::shape(tokens, Level::top(face))?;
    Ok(Emitter::emit_unless(face, check::wide_tree(&tree), |e| e.tree(&tree)))
}

fn tiler_as(tokens: &[TokenTree], face: Face) -> Result<TokenStream> {
    let modes = check::tiler(parse::tiler(tokens, Level::top(face))?)?;
    Ok(Emitter::emit_unless(face, check::wide_tiler(&modes), |e| e.tiler(&modes)))
}

fn int_as(tokens: &[TokenTree], face: Face) -> Result<TokenStream> {
    let leaf = parse::integer(tokens)?;
    Ok(Emitter::emit_unless(face, check::wide_leaf(&leaf), |e| e.leaf(&leaf)))
}
