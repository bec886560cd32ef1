//! Reading text: layouts, shapes, tilers and slices.
//!
//! ```text
//! tree   = number | "(" tree { "," tree } [","] ")"            number = ["_"] digit { digit }
//! layout = tree ":" strides                                    strides: a tree of ["-" | "^"] number
//! tiler  = number | "_" | layout | "<" tiler { "," tiler } [","] ">"
//! slice  = number | "_" | range | "(" slice { "," slice } [","] ")"
//! range  = [number] ".." [number] | [number] "..=" number
//! swizzle  = "Sw<" number "," number "," ["-"] number ">"
//! ```
//!
//! White space may stand between any two tokens. Nothing here recurses: a million parentheses are
//! one error, at the byte where nesting becomes too deep.

use core::str::FromStr;

use alloc::string::{String, ToString};
use smallvec::SmallVec;

use super::kinds::DynStride;
use super::layout::DynLayout;
use super::shape::DynShape;
use super::slice::{DynSlice, Kept};
use super::text::ProfileText;
use super::tiler::DynTiler;
use super::tree::{Arities, MAX_DEPTH, NumberList, TreeBuilder};
use crate::error::{Fault, LayoutError};
use crate::swizzle::DynSwizzle;
use crate::tuple::interval::Interval;

/// Reads tokens from left to right.
pub(crate) struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

/// A profile and its leaves.
type Tree<L> = (Arities, SmallVec<[L; 8]>);

const TOO_DEEP: &str = "less nesting: tuples may be nested 64 deep";
const _: () = assert!(MAX_DEPTH == 64, "TOO_DEEP says 64");

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        Reader { text: text.as_bytes(), at: 0 }
    }

    fn fail<T>(&self, expected: &'static str) -> Result<T, Fault> {
        Err(Fault::Syntax { byte: self.at, expected })
    }

    /// The first byte of the next token, 0 at the end of the text.
    fn peek(&mut self) -> u8 {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        self.text.get(self.at).copied().unwrap_or(0)
    }

    fn accept(&mut self, token: u8) -> bool {
        let found = self.peek() == token && self.at < self.text.len();
        self.at += usize::from(found);
        found
    }

    fn end(&mut self) -> Result<(), Fault> {
        self.peek();
        if self.at < self.text.len() { self.fail("the end of the text") } else { Ok(()) }
    }

    /// A number, or `None` for a bare `_`.
    fn leaf(&mut self, expected: &'static str) -> Result<Option<usize>, Fault> {
        let first = self.peek();
        let underscore = usize::from(first == b'_');
        let digits = &self.text[(self.at + underscore).min(self.text.len())..];
        let count = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if count == 0 {
            if underscore == 0 {
                return self.fail(expected);
            }
            self.at += 1;
            return Ok(None);
        }
        let number = digits[..count].iter().try_fold(0usize, |number, digit| {
            number.checked_mul(10)?.checked_add(usize::from(digit - b'0'))
        });
        if number.is_none() {
            return Err(Fault::SyntaxNumber { byte: self.at, largest: usize::MAX });
        }
        self.at += underscore + count;
        Ok(number)
    }

    /// A number.
    #[inline]
    fn integer(&mut self, expected: &'static str) -> Result<usize, Fault> {
        let start = self.at;
        if let Some(number) = self.leaf(expected)? {
            return Ok(number);
        }
        self.at = start;
        self.fail(expected)
    }

    /// A nested tuple.
    fn tree<L>(
        &mut self,
        mut leaf: impl FnMut(&mut Self) -> Result<L, Fault>,
    ) -> Result<Tree<L>, Fault> {
        let mut tree = TreeBuilder::new();
        loop {
            // One element: opening parentheses, then a leaf.
            while self.peek() == b'(' {
                if tree.depth() == MAX_DEPTH {
                    return self.fail(TOO_DEEP);
                }
                self.at += 1;
                tree.open();
            }
            tree.leaf(leaf(self)?);
            // What may follow it: a comma, or closing parentheses.
            loop {
                if tree.depth() == 0 {
                    return Ok(tree.into_parts());
                }
                let comma = self.accept(b',');
                if self.accept(b')') {
                    tree.close();
                } else if comma {
                    break;
                } else {
                    return self.fail("`,` or `)`");
                }
            }
        }
    }

    pub(crate) fn shape(&mut self) -> Result<DynShape, Fault> {
        let (profile, leaves) = self.tree(|reader| reader.integer("a number or `(`"))?;
        Ok(DynShape { profile, leaves })
    }

    /// A number, a bare `_`, or a range.
    fn slice_leaf(&mut self) -> Result<Kept, Fault> {
        let dots = |reader: &mut Self| {
            reader.peek() == b'.' && reader.text[reader.at..].starts_with(b"..")
        };
        let start = match dots(self) {
            true => 0,
            false => match self.leaf("a number, `_`, a range or `(`")? {
                None => return Ok(Kept::Whole),
                Some(number) if !dots(self) => return Ok(Kept::At(number)),
                Some(start) => start,
            },
        };
        self.at += 2;
        let with_end = self.accept(b'=');
        let end = if with_end || self.peek().is_ascii_digit() {
            Some(self.integer("a number")?)
        } else {
            None
        };
        Ok(Kept::Range(Interval::of_text(start, end, with_end)))
    }

    /// A layout after its shape: a colon and a tree of strides of the same profile.
    pub(crate) fn layout_of(&mut self, shape: &DynShape) -> Result<DynLayout, Unread> {
        if !self.accept(b':') {
            return Ok(self.fail("`:` and a stride")?);
        }
        self.peek();
        let start = self.at;
        let (profile, strides) = self.tree(|reader| {
            let of = match reader.peek() {
                b'-' => DynStride::Negative,
                b'^' => DynStride::Xor,
                _ => DynStride::Natural,
            };
            reader.at += usize::from(of(0) != DynStride::Natural(0));
            reader.integer("a number or `(`").map(of)
        })?;
        if shape.profile == profile {
            let number = |stride: &DynStride| match stride {
                DynStride::Natural(number) => Some(*number),
                _ => None,
            };
            // Natural numbers are a tuple, and errors show it.
            return match strides.iter().map(number).collect::<Option<NumberList>>() {
                Some(leaves) => DynLayout::new(shape, DynShape { profile, leaves }),
                None => DynLayout::with_strides(shape, strides),
            }
            .map_err(Unread::Layout);
        }
        let parting = shape.profile.iter().zip(&profile).take_while(|(a, b)| a == b).count();
        let byte = start + node_byte(&self.text[start..], parting);
        let text = |profile: &Arities| ProfileText(profile).to_string();
        Err(Unread::Profiles { byte, shape: text(&shape.profile), stride: text(&profile) })
    }

    /// A tiler: everything that is no tuple is a leaf, and the tuples around it wait in `open`.
    fn tiler(&mut self) -> Result<DynTiler, Unread> {
        let mut open: SmallVec<[SmallVec<[DynTiler; 4]>; 2]> = SmallVec::new();
        loop {
            while self.peek() == b'<' {
                if open.len() == MAX_DEPTH {
                    return Ok(self.fail(TOO_DEEP)?);
                }
                self.at += 1;
                open.push(SmallVec::new());
            }
            let mut tiler = self.tiler_leaf()?;
            loop {
                let Some(tuple) = open.last_mut() else { return Ok(tiler) };
                tuple.push(tiler);
                let comma = self.accept(b',');
                if self.accept(b'>') {
                    let modes = open.pop().unwrap_or_default();
                    tiler = DynTiler::tuple(modes).map_err(Unread::Layout)?;
                } else if comma {
                    break;
                } else {
                    return Ok(self.fail("`,` or `>`")?);
                }
            }
        }
    }

    fn tiler_leaf(&mut self) -> Result<DynTiler, Unread> {
        let first = self.peek();
        if first == b'(' {
            let shape = self.shape()?;
            return Ok(self.layout_of(&shape)?.into());
        }
        let Some(number) = self.leaf("a number, `_`, `(` or `<`")? else {
            return Ok(DynTiler::keep());
        };
        if self.peek() == b':' {
            return Ok(self.layout_of(&DynShape::from(number))?.into());
        }
        Ok(DynTiler::from(number))
    }
}

impl Reader<'_> {
    pub(crate) fn number<T: TryFrom<usize>>(&mut self, largest: T) -> Result<T, Fault>
    where
        usize: TryFrom<T>,
    {
        self.peek();
        let byte = self.at;
        let number = self.integer("a number")?;
        let largest = usize::try_from(largest).unwrap_or(usize::MAX);
        T::try_from(number).map_err(|_| Fault::SyntaxNumber { byte, largest })
    }

    pub(crate) fn expect(&mut self, token: u8, expected: &'static str) -> Result<(), Fault> {
        if self.accept(token) { Ok(()) } else { self.fail(expected) }
    }

    pub(crate) fn swizzle(&mut self) -> Result<DynSwizzle, Unread> {
        self.peek();
        if !self.text[self.at..].starts_with(b"Sw") {
            return Ok(self.fail("`Sw<`")?);
        }
        self.at += 2;
        self.expect(b'<', "`<`")?;
        let bits = self.number(u32::MAX)?;
        self.expect(b',', "`,`")?;
        let base = self.number(u32::MAX)?;
        self.expect(b',', "`,`")?;
        let sign = if self.accept(b'-') { -1 } else { 1 };
        let shift = sign * self.number(i32::MAX)?;
        self.expect(b'>', "`>`")?;
        DynSwizzle::new(bits, base, shift).map_err(Unread::Layout)
    }
}

/// Where in `text` node `index` of a tree's profile stands: nodes are numbers and opening
/// parentheses.
fn node_byte(text: &[u8], index: usize) -> usize {
    let starts = text.iter().enumerate().filter(|&(at, byte)| {
        *byte == b'(' || byte.is_ascii_digit() && !(at > 0 && text[at - 1].is_ascii_digit())
    });
    starts.map(|(at, _)| at).nth(index).unwrap_or(0)
}

/// Why text was not read.
pub(crate) enum Unread {
    /// The text is wrong.
    Fault(Fault),
    /// Shape and stride are trees, and not congruent.
    Profiles { byte: usize, shape: String, stride: String },
    /// The text is right, and says something that is no layout.
    Layout(LayoutError),
}

impl From<Fault> for Unread {
    fn from(fault: Fault) -> Self {
        Unread::Fault(fault)
    }
}

impl Unread {
    fn in_text(self, text: &str) -> LayoutError {
        match self {
            Unread::Layout(error) => error,
            Unread::Profiles { byte, shape, stride } => LayoutError::new(
                "parse",
                Fault::SyntaxProfile { byte },
            )
            .with_excerpt(text, byte, Some((shape, stride))),
            Unread::Fault(fault) => {
                let error = LayoutError::new("parse", fault);
                match error.byte() {
                    Some(byte) => error.with_excerpt(text, byte, None),
                    None => error,
                }
            }
        }
    }
}

/// Reads all of `text` with `read`.
pub(crate) fn whole<T>(
    text: &str,
    read: impl FnOnce(&mut Reader<'_>) -> Result<T, Unread>,
) -> Result<T, LayoutError> {
    let mut reader = Reader::new(text);
    let result = read(&mut reader).and_then(|value| Ok(reader.end().map(|()| value)?));
    result.map_err(|unread| unread.in_text(text))
}

macro_rules! read_from_text {
    ($($type:ty, |$reader:ident| $result:expr;)*) => {
        $(impl FromStr for $type {
            type Err = LayoutError;

            fn from_str(text: &str) -> Result<Self, LayoutError> {
                whole(text, |$reader| $result)
            }
        })*
    };
}
read_from_text! {
    DynShape, |reader| Ok(reader.shape()?);
    DynLayout, |reader| {
        let shape = reader.shape()?;
        reader.layout_of(&shape)
    };
    DynTiler, |reader| reader.tiler();
    DynSlice, |reader| {
        let (profile, leaves) = reader.tree(Reader::slice_leaf)?;
        Ok(DynSlice { profile, leaves })
    };
    DynSwizzle, |reader| reader.swizzle();
}
