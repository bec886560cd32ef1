//! What went wrong: the rule that an operation broke, and the numbers that broke it.
//!
//! ```text
//! LayoutError = operation + operands + Fault        cannot compose (4,6):(1,4) with 5:3: ...
//! kind(LayoutError) = kind(Fault)                   divisibility
//! ```
//!
//! [`Fault`] is the bare finding. It is `Copy`, needs no heap and is what the algorithms pass among
//! themselves. [`LayoutError`] is what a caller sees: the fault, the operation, and (with the
//! feature `alloc`) both operands.
//!
//! The faults are the rows of the file `fault`, each with its family and its sentence; what is here
//! is the error around them. `stop` is the end of a kernel, where nobody would read it.

use core::fmt;

#[cfg(feature = "alloc")]
use alloc::{boxed::Box, format, string::String};

use crate::pad::pad;

#[cfg(target_arch = "nvptx64")]
mod stop;
#[cfg(target_arch = "nvptx64")]
pub(crate) use stop::stop;

/// The rows of the file `fault`: [`Fault`], its families and its sentences. `$d` is a dollar sign.
macro_rules! faults {
    (
        $d:tt
        $(
            $(#[$about:meta])*
            $fault:ident $({ $($(#[$field_about:meta])* $field:ident: $number:ident,)* })? => $kind:ident
                $sentence:literal $(, $argument:expr)?;
        )*
    ) => {
        /// The rule that was broken, with the numbers at fault. Its text is a sentence with the
        /// numbers in decimals.
        ///
        /// ```
        /// # use layout_algebra::prelude::*;
        /// let fault = Fault::Span { extent: 25, span: 4 };
        /// assert_eq!(fault.kind(), ErrorKind::Divisibility);
        /// assert_eq!(fault.to_string(), "extent 25 is not a multiple of the span 4");
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Fault {
            $($(#[$about])* $fault $({ $($(#[$field_about])* $field: $number),* })?,)*
        }

        impl Fault {
            /// The family that the fault belongs to.
            ///
            /// ```
            /// # use layout_algebra::prelude::*;
            /// assert_eq!(Fault::TilerRank { tiler: 3, layout: 2 }.kind(), ErrorKind::Rank);
            /// ```
            pub const fn kind(&self) -> $crate::error::ErrorKind {
                match self {
                    $(Fault::$fault { .. } => $crate::error::ErrorKind::$kind,)*
                }
            }
        }

        /// The row of each fault.
        enum Row { $($fault,)* }

        impl Fault {
            /// Gives the row of the fault, and then its numbers in order: what a kernel can write
            /// where no `Fault` can go. [`Fault::from_numbers`] takes them.
            #[doc(hidden)]
            #[inline(always)]
            pub fn to_numbers(self, mut give: impl FnMut(u64)) {
                match self {
                    $(Fault::$fault $({ $($field),* })? => {
                        give(Row::$fault as u64);
                        $($(give(number!(to_u64 $number $field));)*)?
                    })*
                }
            }

            /// The fault that [`Fault::to_numbers`] has given, of the same version of this crate;
            /// `None` if there is no such row.
            #[doc(hidden)]
            pub fn from_numbers(mut next: impl FnMut() -> u64) -> Option<Self> {
                let row = next();
                $(if row == Row::$fault as u64 {
                    return Some(Fault::$fault $({ $($field: number!(of $number next())),* })?);
                })*
                None
            }
        }

        impl core::fmt::Display for Fault {
            #[allow(unused_variables, reason = "a sentence need not name all numbers")]
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                $crate::pad::pad(f, &|f| match *self {
                    $(Fault::$fault $({ $($field),* })? => write!(f, $sentence $(, $argument)?),)*
                })
            }
        }

        /// Calls the macro `then` with the sentence of a fault, between other arguments.
        macro_rules! sentence_of {
            $(($fault $d then:ident [$d($d before:tt)*] [$d($d behind:tt)*]) => {
                $d then! { $d($d before)* $sentence $d($d behind)* }
            };)*
        }
        pub(crate) use sentence_of;
    };
}

/// A text among the numbers of a fault.
type Text = &'static str;

/// A number of a fault as 64 bits, and back. A text is none: it becomes an empty one.
macro_rules! number {
    (to_u64 Text $text:ident) => {{
        let _ = $text;
        0
    }};
    (to_u64 $number:ident $field:ident) => {
        $field as u64
    };
    (of Text $next:expr) => {
        ($next, "").1
    };
    (of $number:ident $next:expr) => {
        $next as $number
    };
}

mod fault;

pub use fault::Fault;
pub(crate) use fault::sentence_of;

/// The family of a [`Fault`]: stable, and in the words of the executable specification.
///
/// ```
/// # use layout_algebra::prelude::*;
/// assert_eq!(ErrorKind::UnitStride.as_str(), "unit-stride");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A number had to divide another one and does not.
    Divisibility,
    /// Offsets add up across a mode, so that the result would not be linear there.
    Carry,
    /// Modes that must lie apart share offsets.
    Overlap,
    /// A tiler, a profile or a list of modes does not fit the rank.
    Rank,
    /// Exactly one mode of stride 1 was needed.
    UnitStride,
    /// Text that is not a layout, a shape or a tiler.
    Parse,
    /// A number left `usize`.
    Overflow,
    /// Two nested tuples whose profiles had to agree do not.
    Profile,
    /// A tensor: the storage is too short, or a coordinate lies outside of the shape. A slice: a
    /// range or a window reaches beyond its layout.
    Bounds,
    /// Strides whose kind has no meaning there: negative strides where offsets are coordinates, XOR
    /// strides beside negative ones.
    Stride,
}

impl ErrorKind {
    /// The kind in one word, as the specification writes it.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// assert_eq!(ErrorKind::Divisibility.as_str(), "divisibility");
    /// ```
    pub const fn as_str(self) -> &'static str {
        match self {
            ErrorKind::Divisibility => "divisibility",
            ErrorKind::Carry => "carry",
            ErrorKind::Overlap => "overlap",
            ErrorKind::Rank => "rank",
            ErrorKind::UnitStride => "unit-stride",
            ErrorKind::Parse => "parse",
            ErrorKind::Overflow => "overflow",
            ErrorKind::Profile => "profile",
            ErrorKind::Bounds => "bounds",
            ErrorKind::Stride => "stride",
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// An operation that has no exact answer for its operands, or text that says no layout.
///
/// Law: an operation returns the one right layout, or this; never an approximation. An operation
/// that panics does so with exactly this text.
///
/// ```
/// # use layout_algebra::prelude::*;
/// let fault = Fault::Steps { extent: 5, stride: 3, steps: 2, left_extent: 4, left_stride: 1 };
/// let error = LayoutError::new("compose", fault);
/// assert_eq!(error.kind().as_str(), "divisibility");
/// # #[cfg(feature = "alloc")]
/// assert_eq!(
///     error.with_operands(&"(4,6):(1,5)", &"5:3").to_string(),
///     "cannot compose (4,6):(1,5) with 5:3: the right mode 5:3 leaves the mode 4:1 of the left \
///      layout after 2 steps, and 2 does not divide 5",
/// );
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct LayoutError {
    operation: &'static str,
    fault: Fault,
    #[cfg(feature = "alloc")]
    context: Option<Box<Context>>,
}

/// What the fault was found in.
#[cfg(feature = "alloc")]
#[derive(Clone, PartialEq, Eq)]
enum Context {
    Operands(String, Option<String>),
    Excerpt { line: String, column: usize, operands: Option<(String, String)> },
}

#[cfg(feature = "alloc")]
impl Context {
    /// The texts, in a separate function: so the compiler sees that a result with a text is no
    /// success.
    #[cold]
    fn operands(left: &dyn fmt::Display, right: Option<&dyn fmt::Display>) -> Box<Self> {
        Box::new(Context::Operands(format!("{left:#}"), right.map(|right| format!("{right:#}"))))
    }
}

impl LayoutError {
    /// An error of `operation` (the name of the method), as yet without operands.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// let error = LayoutError::new("compose", Fault::Overflow);
    /// assert!(error.to_string().starts_with("cannot compose: "));
    /// ```
    #[inline]
    pub const fn new(operation: &'static str, fault: Fault) -> Self {
        LayoutError {
            operation,
            fault,
            #[cfg(feature = "alloc")]
            context: None,
        }
    }

    /// Names the one operand. Without the feature `alloc` the text is not kept.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// let error = LayoutError::new("left_inverse", Fault::Strides { stride: 7, below: 2 });
    /// let error = error.with_operand(&"(2,2):(2,7)");
    /// # #[cfg(feature = "alloc")]
    /// assert!(error.to_string().starts_with("cannot take the left inverse of (2,2):(2,7): "));
    /// ```
    #[must_use]
    #[inline(always)]
    pub fn with_operand(self, operand: &dyn fmt::Display) -> Self {
        self.with(operand, None)
    }

    /// Names both operands, printed by `{:#}`. Without the feature `alloc` the texts are not kept.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// let error =
    ///     LayoutError::new("complement", Fault::Span { extent: 25, span: 4 }).with_operands(&"4:1", &25);
    /// # #[cfg(feature = "alloc")]
    /// assert!(error.to_string().starts_with("cannot take the complement of 4:1 in 25: "));
    /// ```
    #[must_use]
    #[inline(always)]
    pub fn with_operands(self, left: &dyn fmt::Display, right: &dyn fmt::Display) -> Self {
        self.with(left, Some(right))
    }

    #[inline(always)]
    fn with(self, left: &dyn fmt::Display, right: Option<&dyn fmt::Display>) -> Self {
        #[cfg(feature = "alloc")]
        return LayoutError { context: Some(Context::operands(left, right)), ..self };
        #[cfg(not(feature = "alloc"))]
        {
            let _ = (left, right);
            self
        }
    }

    /// Shows the line of `text` that `byte` lies in, a window of it if it is long.
    #[cfg(feature = "alloc")]
    pub(crate) fn with_excerpt(
        self,
        text: &str,
        byte: usize,
        operands: Option<(String, String)>,
    ) -> Self {
        let (line, column) = excerpt(text, byte);
        LayoutError { context: Some(Box::new(Context::Excerpt { line, column, operands })), ..self }
    }

    /// The family of the fault.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// assert_eq!(LayoutError::new("compose", Fault::Overflow).kind(), ErrorKind::Overflow);
    /// ```
    pub const fn kind(&self) -> ErrorKind {
        self.fault.kind()
    }

    /// The rule that was broken, with the numbers at fault.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// assert_eq!(LayoutError::new("compose", Fault::Overflow).fault(), Fault::Overflow);
    /// ```
    pub const fn fault(&self) -> Fault {
        self.fault
    }

    /// The name of the operation that failed, as the method is called.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// assert_eq!(LayoutError::new("compose", Fault::Overflow).operation(), "compose");
    /// ```
    pub const fn operation(&self) -> &'static str {
        self.operation
    }

    /// The byte at which text could not be read, if this is about text.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// let fault = Fault::Syntax { byte: 7, expected: "a number" };
    /// assert_eq!(LayoutError::new("parse", fault).byte(), Some(7));
    /// ```
    pub const fn byte(&self) -> Option<usize> {
        match self.fault {
            Fault::Syntax { byte, .. }
            | Fault::SyntaxNumber { byte, .. }
            | Fault::SyntaxProfile { byte } => Some(byte),
            _ => None,
        }
    }
}

/// How an operation reads in a sentence: `cannot VERB left CONNECTIVE right`.
fn phrase(operation: &'static str) -> (&'static str, &'static str) {
    macro_rules! sentences {
        ($kind:tt $method:ident $trait:ident $alias:ident ($verb:literal $with:literal) $($row:tt)*) => {
            if operation == stringify!($method) {
                return ($verb, $with);
            }
        };
    }
    operations!(sentences);
    match operation {
        "new" => ("pair shape", "with stride"),
        "base" => ("find the least offset of", "with"),
        "bases" => ("write as the images of bits", "with"),
        "linear" => ("write with XOR strides", "with"),
        "natural" => ("write with natural strides", "with"),
        "swizzled" => ("write as a layout under a swizzle", "with"),
        "is_surjective" => ("decide which offsets are reached by", "with"),
        "compose_at" => ("add to the offset", "the offsets of"),
        "tuple" => ("build a tuple", "with"),
        "left" | "right" => ("lay out shape", "with"),
        "ordered" => ("lay out shape", "in the order"),
        "domain_distribute" => ("distribute over shape", "the number"),
        "greatest_common_domain" => ("take the common domain of", "and"),
        "layout_add" => ("add", "and"),
        "mutual_refinement" => ("refine together", "and"),
        "size" => ("count the elements of", "with"),
        "cosize" => ("count the offsets of", "with"),
        "index" => ("index", "at"),
        "coord" => ("find in shape", "the coordinate of"),
        "number" => ("find in shape", "the number of"),
        "slice" => ("slice", "at"),
        "mode" => ("take a mode of", "with"),
        "take" => ("take modes of", "with"),
        "group" => ("group modes of", "with"),
        "ungroup" => ("ungroup a mode of", "with"),
        "replace" => ("replace a mode of", "by"),
        "table" => ("print as a table", "with"),
        "draw" => ("draw", "in"),
        "banks" => ("draw the accesses to", "by the threads"),
        "parse" => ("read", "with"),
        "tensor" => ("make a tensor of layout", "on"),
        "with_layout" => ("give a tensor of layout", "the layout"),
        "retile" => ("see a fragment of layout", "as one of layout"),
        "copy_from" => ("copy to a tensor of layout", "from one of layout"),
        "zip" => ("zip a tensor of layout", "with one of layout"),
        "iter_mut" => ("borrow each element of a tensor of layout", "with"),
        "parts_mut" => ("hand out disjoint parts of a tensor of layout", "with"),
        "deal" => ("deal out to threads", "with"),
        "ragged_tiles" => ("cut into blocks", "by"),
        "from_dynamic" => ("turn into the static type the layout", "with"),
        other => (other, "with"),
    }
}

impl fmt::Display for LayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        pad(f, &|f| self.write(f))
    }
}
impl LayoutError {
    /// Writes the text, whatever the width of `f` is.
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (verb, connective) = phrase(self.operation);
        write!(f, "cannot {verb}")?;
        #[cfg(feature = "alloc")]
        match self.context.as_deref() {
            None => {}
            Some(Context::Operands(left, None)) => write!(f, " {left}")?,
            Some(Context::Operands(left, Some(right))) => {
                write!(f, " {left} {connective} {right}")?
            }
            Some(Context::Excerpt { line, column, operands }) => {
                write!(f, " this text: {}", self.fault)?;
                if let Some((shape, stride)) = operands {
                    write!(f, ": {stride} is not congruent to {shape}")?;
                }
                return write!(f, "\n  {line}\n  {:column$}^", "");
            }
        }
        #[cfg(not(feature = "alloc"))]
        let _ = connective;
        write!(f, ": {}", self.fault)
    }
}

// The sentence too, for `unwrap` and for a `main` that returns the error.
debug_as_display! { [] LayoutError; }

impl core::error::Error for LayoutError {}

/// The value, or a panic with the text of the error, at the caller of the caller that is
/// `#[track_caller]` too.
#[inline]
#[track_caller]
pub(crate) fn expect<T>(result: Result<T, LayoutError>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => fail(&error),
    }
}

/// A panic with the text of the error, at the caller of the caller that is `#[track_caller]` too.
/// On a GPU, where nobody would read it, the kernel ends with an error.
#[cfg(target_arch = "nvptx64")]
#[inline(always)]
pub(crate) fn fail(_: &LayoutError) -> ! {
    stop()
}
/// A panic with the text of the error, at the caller of the caller that is `#[track_caller]` too.
#[cfg(not(target_arch = "nvptx64"))]
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn fail(error: &LayoutError) -> ! {
    panic!("{error}")
}

/// The text around `byte` on one line, at most `2 * REACH` characters and two ellipses, and the
/// column of `byte` in it.
#[cfg(feature = "alloc")]
fn excerpt(text: &str, byte: usize) -> (String, usize) {
    const REACH: usize = 32;
    let at = (0..=byte.min(text.len())).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0);
    let (before, after) = text.split_at(at);
    let first = before.char_indices().rev().take(REACH).last().map_or(before.len(), |(i, _)| i);
    let last = after.char_indices().nth(REACH).map_or(after.len(), |(i, _)| i);
    let visible = |c: char| if c.is_control() { ' ' } else { c };
    let mut line = String::from(if first > 0 { "…" } else { "" });
    line.extend(before[first..].chars().map(visible));
    let column = line.chars().count();
    line.extend(after[..last].chars().map(visible));
    if last < after.len() {
        line.push('…');
    }
    (line, column)
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn an_excerpt_of_short_text_is_the_text() {
        assert_eq!(excerpt("(2,x)", 3), ("(2,x)".into(), 3));
        assert_eq!(excerpt("", 0), (String::new(), 0));
        assert_eq!(excerpt("(2\n,x)", 4), ("(2 ,x)".into(), 4));
    }

    #[test]
    fn an_excerpt_of_long_text_is_a_window() {
        let text = "é".repeat(1_000_000);
        let (line, column) = excerpt(&text, 1_000_000);
        assert_eq!((line.chars().count(), column), (66, 33));
    }

    #[test]
    fn the_caret_stands_under_the_byte() {
        let error = LayoutError::new("parse", Fault::Syntax { byte: 3, expected: "a number" });
        let text = error.with_excerpt("(2,x)", 3, None).to_string();
        assert_eq!(text, "cannot read this text: expected a number at byte 3\n  (2,x)\n     ^");
    }
}
