//! The classes `Layout`, `Swizzle`, `Tiler` and `Xor`; their methods stand in `layout` and `parts`.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};

use layout_algebra::prelude::*;
use layout_cli::AnyLayout;
use pyo3::prelude::*;

use crate::error::{Answer, Error, swizzled};

/// Layout(shape, stride=None): a shape and a stride, a function from coordinates to offsets.
///
/// index(c) = sum c_k * d_k. A layout is written as a text, or as tuples; a shape alone gets
/// strides from the left. A stride may be negative, or an XOR stride, ``^9`` in texts and
/// ``Xor(9)`` in tuples; a layout may be composed with a swizzle, ``Sw<3,3,3> o 0 o
/// (8,64):(64,1)``. Layouts are immutable.
///
/// >>> l = Layout((4, 6), (1, 4))
/// >>> l
/// Layout('(4,6):(1,4)')
/// >>> l(2, 3), l(9), l == Layout("(4,6)"), len({l, Layout("(4,6):(1,4)")})
/// (14, 9, True, 1)
/// >>> l.shape, l.stride, l.rank, l.depth, l.size, l.cosize
/// ((4, 6), (1, 4), 2, 1, 24, 24)
///
/// A call gives the offset of a coordinate, which is an index or a number for each mode; NumPy's
/// arrays of coordinates give an array of offsets. With ``None`` or ``slice(a, b)`` in the
/// coordinate, a call gives the layout of the modes kept; ``slice`` returns the offset too. The
/// last mode has no end, as in CuTe.
///
/// >>> l = Layout("(4,(2,3)):(1,(12,4))")
/// >>> l(5), l(1, (1, 2)), l(1, 5), l((1, 5)), l(1, None)
/// (13, 21, 21, 21, Layout('(2,3):(12,4)'))
///
/// Brackets select modes: ``l[1]`` is one mode, ``l[-1]`` the last one, ``l[0:2]`` the first two,
/// ``l[1, 0]`` mode 0 of mode 1. ``a @ b`` is ``a.compose(b)``.
///
/// >>> l[1], l[-1, 0], l[0:1], [m.size for m in l], l @ 4
/// (Layout('(2,3):(12,4)'), Layout('2:12'), Layout('(4):(1)'), [4, 6], Layout('4:1'))
#[pyclass(frozen, module = "layout_algebra", freelist = 64)]
#[derive(Clone, PartialEq)]
pub(crate) struct Layout(pub(crate) AnyLayout);

impl Layout {
    /// The layout, if it is not swizzled.
    pub(crate) fn plain(&self, what: &str) -> Answer<&DynLayout> {
        match &self.0 {
            AnyLayout::Plain(layout) => Ok(layout),
            AnyLayout::Swizzled(layout) => Err(swizzled(what, layout)),
        }
    }
}

impl Layout {
    /// The layout; a swizzled one as the same function in XOR strides.
    pub(crate) fn in_bits(&self, what: &str) -> Answer<Cow<'_, DynLayout>> {
        self.0.in_bits().map_err(|error| {
            let sentence = format!("{what} of a swizzled layout uses its XOR strides: {error}");
            Error::Reason(error.kind().as_str(), sentence)
        })
    }
}

impl From<AnyLayout> for Layout {
    fn from(layout: AnyLayout) -> Self {
        match layout {
            AnyLayout::Plain(layout) => layout.into(),
            AnyLayout::Swizzled(layout) => layout.into(),
        }
    }
}
impl From<DynLayout> for Layout {
    fn from(layout: DynLayout) -> Self {
        Layout(AnyLayout::Plain(layout))
    }
}
impl From<DynComposedLayout> for Layout {
    /// A swizzle of no bits and an offset of 0 are dropped.
    fn from(layout: DynComposedLayout) -> Self {
        let is_none = layout.outer().parameters().0 == 0 && layout.offset() == 0;
        Layout(match is_none {
            true => AnyLayout::Plain(layout.inner()),
            false => AnyLayout::Swizzled(layout),
        })
    }
}

/// Swizzle(bits, base, shift): the bits of offsets exchanged, ``x ^ ((x >> shift) & mask)``; CuTe's
/// ``Swizzle<B,M,S>``.
///
/// >>> s = Swizzle(3, 0, 3)
/// >>> s(9), s == Swizzle("Sw<3,0,3>"), s.bits, s.base, s.shift
/// (8, True, 3, 0, 3)
/// >>> s.compose("(8,8):(8,1)")
/// Layout('Sw<3,0,3> o 0 o (8,8):(8,1)')
#[pyclass(frozen, module = "layout_algebra", eq, hash)]
#[derive(Clone, PartialEq, Hash)]
pub(crate) struct Swizzle(pub(crate) DynSwizzle);

/// Tiler(modes): a tiler that is applied mode by mode, ``<2,_>``. It has for each mode a number, a
/// layout, a tiler, or ``None``, which leaves the mode as it is.
///
/// >>> t = Tiler("<2,_>")
/// >>> t, t == Tiler((2, None)), t.rank, t[0]
/// (Tiler('<2,_>'), True, 2, Tiler('2'))
#[pyclass(frozen, module = "layout_algebra", eq)]
#[derive(Clone, PartialEq)]
pub(crate) struct Tiler(pub(crate) DynTiler);

/// Xor(number): an XOR stride, ``^9`` in texts: steps are multiplied without carries, and offsets
/// XORed.
///
/// >>> Layout((8, 8), (Xor(1), Xor(9)))
/// Layout('(8,8):(^1,^9)')
#[pyclass(frozen, module = "layout_algebra", eq, hash)]
#[derive(Clone, PartialEq, Hash)]
pub(crate) struct Xor(pub(crate) usize);

/// The hash for Python's dictionaries.
pub(crate) fn hash_of(it: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    it.hash(&mut hasher);
    hasher.finish()
}
