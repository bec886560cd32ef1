//! What a composed layout is made of, such that a wrong part is reported once, where the layout is made.

use crate::composed::outer::{InnerLayout, OffsetMap};
use crate::number::table::Number;
use crate::refusal::candidate::parts;

parts! {
    #[diagnostic::on_unimplemented(
        message = "the outer part of a composed layout is a function of offsets",
        label = "not a function of offsets",
        note = "a swizzle is written `Swizzle::<3, 4, 3>::new()`, a layout `layout!((4, 6))`"
    )]
    Outer outer: OffsetMap;
    #[diagnostic::on_unimplemented(
        message = "the offset of a composed layout is a number",
        label = "neither a static integer nor a `usize`",
        note = "a static integer is written `int!(4)`"
    )]
    Offset offset: Number, value -> usize;
    #[diagnostic::on_unimplemented(
        message = "the inner part of a composed layout is a plain layout",
        label = "neither a strided layout nor a `DynLayout`",
        note = "compose the functions of offsets first: a swizzle after a swizzle is one function"
    )]
    Inner inner: InnerLayout, checked_cosize -> Option<usize>;
}
