//! Text: `{}` prints `(_2,_4):(_1,_2)`, static numbers marked as CuTe does; `{:#}` prints
//! `(2,4):(1,2)`.

use core::fmt::{self, Display, Formatter};

use crate::layout::strided::StridedLayout;
use crate::number::table::StrideKind;
use crate::pad::pad;
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::interval::Window;
use crate::tuple::node::{Form, Node, run_time_leaf};

/// Types that print in CuTe's notation.
///
/// ```
/// use layout_algebra::Notation;
/// use layout_algebra::prelude::*;
/// fn text(value: impl Notation) -> String {
///     notation(value).to_string()
/// }
/// assert_eq!((text(shape!((4, 6))), text(tiler!(2, _))), ("(_4,_6)".into(), "<_2,_>".into()));
/// ```
#[diagnostic::on_unimplemented(
    message = "this has no notation",
    label = "`{Self}`: neither a number, nor a tuple of numbers, a layout or a tiler",
    note = "a number is a `usize` or, known at compile time, `int!(4)`"
)]
pub trait Notation {
    /// Prints the value, without regard to a width; the alternate form leaves out the marks of
    /// static numbers.
    fn write(&self, f: &mut Formatter<'_>) -> fmt::Result;
}
impl<T: IntTuple> Notation for T {
    fn write(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let form = const { &<T::Node as Node>::FORM };
        if const { size_of::<T>() == 0 } {
            return tree(form, &mut no_number, f);
        }
        let (node, mut before) = (self.node(), 0);
        let mut next = || {
            let mut left = before;
            let number = run_time_leaf(node, &mut left);
            before += 1;
            number.unwrap_or_else(no_number)
        };
        tree(form, &mut next, f)
    }
}
impl<S: IntTuple, D: IntTuple> Notation for StridedLayout<S, D> {
    fn write(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (shape, stride) = self.into_parts();
        shape.write(f)?;
        f.write_str(":")?;
        stride.write(f)
    }
}

/// A value with a [`Notation`], as a `Display`. Returned by [`notation`].
///
/// ```
/// use layout_algebra::Text;
/// use layout_algebra::prelude::*;
/// let shape: Text<Shape!((4, 6))> = notation(shape!((4, 6)));
/// assert_eq!(format!("{shape} {shape:#}"), "(_4,_6) (4,6)");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Text<T>(pub(crate) T);
impl<T: Notation> Display for Text<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        display(&self.0, f)
    }
}

/// `Display` of a value with a notation: the text, padded to the width of `f`.
pub(crate) fn display(value: &dyn Notation, f: &mut Formatter<'_>) -> fmt::Result {
    pad(f, &|f| value.write(f))
}
debug_as_display! { [T: Notation] Text<T>; [S: IntTuple, D: IntTuple] StridedLayout<S, D>; }

/// An integer tuple, a layout or a tiler as text in CuTe's notation. Shapes, strides and
/// coordinates are tuples of Rust: this is how they are printed, and how a failed `assert_eq!` of
/// two of them can be read.
///
/// The result is padded to a width, and its `Debug` is the same text.
///
/// ```
/// use layout_algebra::prelude::*;
/// let n = 7;
/// assert_eq!(notation(shape!((4, (2, n)))).to_string(), "(_4,(_2,7))");
/// assert_eq!(format!("{:#}", notation(shape!((4, (2, n))))), "(4,(2,7))");
/// assert_eq!(notation(layout!((4, 6)).shape()), notation(shape!((4, 6))));
/// ```
pub fn notation<T: Notation>(value: T) -> Text<T> {
    Text(value)
}

/// ```
/// use layout_algebra::Window;
/// use layout_algebra::prelude::*;
/// assert_eq!(format!("{:?}", Window::new((1, 2), shape!((2, 3)))), "window of (_2,_3) at (1,2)");
/// ```
impl<C: IntTuple, W: IntTuple> fmt::Debug for Window<C, W> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        pad(f, &|f| {
            f.write_str("window of ")?;
            self.shape.write(f)?;
            f.write_str(" at ")?;
            self.origin.write(f)
        })
    }
}

/// ```
/// use layout_algebra::prelude::*;
/// let n = 7;
/// assert_eq!(layout!((2, n):(1, 2)).to_string(), "(_2,7):(_1,_2)");
/// assert_eq!(format!("{:#}", layout!((2, n):(1, 2))), "(2,7):(1,2)");
/// ```
impl<S: IntTuple, D: IntTuple> Display for StridedLayout<S, D> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        display(self, f)
    }
}

/// Writes a tree; `next` gives the numbers that are known at run time only, from left to right. One
/// function for all types, since nearly every layout is printed somewhere, if only by a panic that
/// never happens.
fn tree(form: &Form, next: &mut dyn FnMut() -> usize, f: &mut Formatter<'_>) -> fmt::Result {
    if let Form::Leaf { known, kind } = *form {
        return number(known.is_some(), known.unwrap_or_else(next), kind, f);
    }
    f.write_str("(")?;
    let mut list = form;
    while let Form::Cons { head, tail } = list {
        tree(head, next, f)?;
        if matches!(tail, Form::Cons { .. }) {
            f.write_str(",")?;
        }
        list = tail;
    }
    f.write_str(")")
}

/// The `next` of a static tree, which is never called.
fn no_number() -> usize {
    unreachable!("each number of run time is one of the tree's")
}

fn number(is_static: bool, number: usize, kind: StrideKind, f: &mut Formatter<'_>) -> fmt::Result {
    let known = if is_static && !f.alternate() { "_" } else { "" };
    f.write_str(match kind.of(number) {
        StrideKind::Diagonal(axes) => return write!(f, "{known}{axes}"),
        StrideKind::Natural | StrideKind::Along(_) => "",
        StrideKind::Xor => "^",
        StrideKind::Negative => "-",
    })?;
    write!(f, "{known}{number}")?;
    match kind {
        StrideKind::Along(axis) => write!(f, "@{axis}"),
        _ => Ok(()),
    }
}
