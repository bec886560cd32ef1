//! The macros of `layout-algebra`, which re-exports them: there is no reason to depend on this crate directly.
//!
//! A macro call goes through three steps, `parse`, `check` and `emit`. The first mistake
//! ends it: one mistake, one error.

mod error;

// What has to be known of Rust: its literals, where an expression or a type ends, what macro_rules hands on.
mod number;
mod tokens;

mod fragment;

// From tokens to trees, the rules between their numbers, and from trees to Rust.
mod parse;

mod check;

mod emit;

use crate::emit::Emitter;
use crate::error::{Result, SyntaxError};
use crate::parse::{Level, Place};
use crate::tokens::Face;
use proc_macro::{Span, TokenStream, TokenTree};

/// A layout as a value: `layout!(SHAPE : STRIDE)`, or `layout!(SHAPE)` for a compact one.
///
/// | form | layout |
/// |---|---|
/// | `layout!((4, 6):(1, 10))` | this shape with this stride |
/// | `layout!((4, 6))`, `layout!((4, 6): left)` | compact, the first mode fastest: `(4,6):(1,4)` |
/// | `layout!((4, 6): right)` | compact, the last mode fastest: `(4,6):(6,1)` |
///
/// Parentheses always make a tuple, `(4)` no less than `(4,)`, and a tuple has 1 to 8 modes. (rustfmt, which does not
/// know this, makes `((4))` of `(((4)))` when that is all there is; `((4,),)` it leaves alone.) A leaf is
///
/// - an integer literal: a static integer, part of the type, 1 to 2^63 in a shape and 0 to 2^63 in a stride (on a
///   target of 32 bits, to 2^32 - 1; so are the size and the cosize there);
/// - any other expression of type `usize` or of a static integer's type, evaluated once, in the order written. One with
///   a bare comma or colon stands in braces; parentheses around the whole would make it a tuple.
///
/// It stands in constants and statics too, with constants for the expressions. A compact layout does so if its extents
/// are literals, if none of them is, if only the slowest one is not, or if there are two; else its strides are written
/// out, `layout!((4, M, N):(1, 4, 4 * M))`.
///
/// A mode of extent 1 gets stride 0 in a compact layout. Shape and stride must be congruent, that is, of one tree
/// profile; if they are not, the error is here and gives both profiles.
///
/// ```
/// use layout_algebra::prelude::*;
///
/// let a = layout!((4, (2, 3)):(6, (3, 1)));
/// assert_eq!(a, layout!((4, (2, 3)): right));
/// assert_eq!(format!("{a}"), "(_4,(_2,_3)):(_6,(_3,_1))");
///
/// let n = 6;
/// let b = layout!((4, n):(1, 4)); // the last extent is known at run time only
/// assert_eq!(format!("{b}"), "(_4,6):(_1,_4)");
///
/// const C: Layout!((4, 6):(1, 4)) = layout!((4, 6):(1, 4));
/// assert_eq!(b, C);
/// const N: usize = 6;
/// const D: Layout!((4, _): right) = layout!((4, N): right);
/// assert_eq!(D.index((1, 0)), N);
/// ```
///
/// ```compile_fail
/// # use layout_algebra::prelude::*;
/// let a = layout!((4, (2, 3)):(1, 4)); // not congruent: profiles (*,(*,*)) and (*,*)
/// ```
#[proc_macro]
pub fn layout(input: TokenStream) -> TokenStream {
    expand(input, Face::Value, "layout!((4, 6):(1, 4))", layout_as)
}

/// The type of a layout: the grammar of [`layout!`], with `_` for a number known at run time.
///
/// A leaf is an integer literal, `_` (which is `usize`), or a type, such as a generic parameter.
///
/// ```
/// use layout_algebra::prelude::*;
///
/// fn columns(n: usize) -> Layout!((4, _):(1, 4)) {
///     layout!((4, n):(1, 4))
/// }
///
/// type Tile<N> = Layout!((4, N):(1, 4));
///
/// let tile: Tile<Int!(6)> = layout!((4, 6));
/// assert_eq!(tile.size(), columns(6).size());
/// ```
///
/// ```compile_fail
/// # use layout_algebra::prelude::*;
/// type Tile = Layout!((4, 0)); // an extent of 0
/// ```
#[allow(non_snake_case)] // named as the type that it makes
#[proc_macro]
pub fn Layout(input: TokenStream) -> TokenStream {
    expand(input, Face::Type, "Layout!((4, 6):(1, 4))", layout_as)
}

/// An integer tuple as a value: a shape, a stride, or a coordinate.
///
/// The grammar is that of a shape in [`layout!`], save that 0 is allowed. A leaf alone, `shape!(4)`, is the number.
///
/// It is a tuple of Rust, which has no `Display`, and whose `Debug` shows the types of its numbers; `notation` writes
/// it.
///
/// ```
/// use layout_algebra::prelude::*;
///
/// let l = layout!((4, (2, 3)));
/// assert_eq!(l.shape(), shape!((4, (2, 3))));
/// assert_eq!(format!("{:#}", notation(l.shape())), "(4,(2,3))");
/// assert_eq!(l.index(shape!((3, (0, 2)))), 19);
/// ```
#[proc_macro]
pub fn shape(input: TokenStream) -> TokenStream {
    expand(input, Face::Value, "shape!((4, 6))", shape_as)
}

/// The type of an integer tuple: the grammar of [`shape!`], with `_` for a number known at run time.
///
/// ```
/// use layout_algebra::prelude::*;
///
/// let n = 3;
/// let s: Shape!((4, (2, _))) = shape!((4, (2, n)));
/// ```
#[allow(non_snake_case)] // named as the type that it makes
#[proc_macro]
pub fn Shape(input: TokenStream) -> TokenStream {
    expand(input, Face::Type, "Shape!((4, 6))", shape_as)
}

/// A by-mode tiler as a value: `tiler!(2, (2, 3):(1, 8), _)` is `<2:1, (2,3):(1,8), _>`.
///
/// | mode | what it does to its mode of the layout |
/// |---|---|
/// | `2` | tiles with `2:1`; any leaf of [`layout!`] will do |
/// | `(2, 3):(1, 8)`, `(2, 3)`, `(2, 3): right`, `4:2` | tiles with this layout |
/// | `_` | leaves it alone |
/// | `<2, _>` | tiles its sub-modes one by one |
///
/// A tiler has 1 to 8 modes. Within angle brackets an expression with `<` or `>` stands in braces: `<{ n >> 1 }, _>`.
///
/// ```
/// use layout_algebra::prelude::*;
///
/// let a = layout!((4, 6));
/// let divided = a.zipped_divide(tiler!(2, 3));
/// assert_eq!(divided, layout!(((2, 3), (2, 2)):((1, 4), (2, 12))));
/// ```
#[proc_macro]
pub fn tiler(input: TokenStream) -> TokenStream {
    expand(input, Face::Value, "tiler!(2, _)", tiler_as)
}

/// The type of a by-mode tiler: the grammar of [`tiler!`].
///
/// `_` as a whole mode leaves that mode alone; within a layout it is a number known at run time.
///
/// ```
/// use layout_algebra::prelude::*;
///
/// let n = 8;
/// let t: Tiler!(2, (2, 3):(1, _), _) = tiler!(2, (2, 3):(1, n), _);
/// ```
#[allow(non_snake_case)] // named as the type that it makes
#[proc_macro]
pub fn Tiler(input: TokenStream) -> TokenStream {
    expand(input, Face::Type, "Tiler!(2, _)", tiler_as)
}

/// A static integer as a value: `int!(1536)`, any literal from 0 to 2^63.
///
/// ```
/// use layout_algebra::prelude::*;
///
/// assert_eq!(layout!((4, 6)).index((int!(3), int!(5))), 23);
/// ```
#[proc_macro]
pub fn int(input: TokenStream) -> TokenStream {
    expand(input, Face::Value, "int!(1536)", int_as)
}

/// A static integer as a type: `Int!(1536)`, any literal from 0 to 2^63.
///
/// It is typenum's type of that number. `Int<N>`, with a const parameter, reaches as far as typenum's table does; this
/// macro has no table.
///
/// ```
/// use layout_algebra::prelude::*;
///
/// let n: Int!(1_000_003) = int!(1_000_003);
/// ```
#[allow(non_snake_case)] // named as the type that it makes
#[proc_macro]
pub fn Int(input: TokenStream) -> TokenStream {
    expand(input, Face::Type, "Int!(1536)", int_as)
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
