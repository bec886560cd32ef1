//! Parts of modes in the coordinate of a slice: a range of numbers, and a window over all modes.
//!
//! ```text
//! range    R(x) + L(a) == L(a + x)      x < b - a
//!         for a..b: numbers of the mode, whatever its nesting
//! window   W(c) + L(o) == L(o + c)      c within shape(W), congruent with shape(L)
//! XOR      (a + x) (x) d == a (x) d ^ x (x) d     for all x < n   <=>
//!         d = 0, or n <= 2^k and 2^k | a for a k
//! ```
//!
//! A range keeps the nesting and the strides of its mode; its extents are known at run time. In a
//! mode of one leaf each range is a layout. In a nested mode a range is a layout if it lies within
//! one run of leaves that continue one another, or begins and ends with whole blocks of the leaves
//! below it; all others are refused. With an XOR stride, which a `DynLayout` may have, the first
//! number and the kept numbers are disjoint in bits: a range of `n` numbers begins at a multiple of
//! the least power of two that is at least `n`.

use core::ops::{Bound, Range, RangeBounds, RangeFrom, RangeInclusive, RangeTo, RangeToInclusive};

use crate::error::Fault;
use crate::list::{Cons, Leaf, Nested, Nil, Untangle, Whole};
use crate::number::show::{Show, ShowNode, Shown};
use crate::number::table::StrideKind;
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::node::{Form, Kind, Node};

/// A range in place of a number of a coordinate: the part of the mode that a slice keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Interval {
    start: usize,
    end: RangeEnd,
}

/// Where a range ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum RangeEnd {
    /// With the mode.
    Open,
    /// Before a number.
    Before(usize),
    /// With a number.
    With(usize),
}

impl Interval {
    #[inline(always)]
    pub(crate) fn new(range: &impl RangeBounds<usize>) -> Self {
        let start = match range.start_bound() {
            Bound::Included(&start) => start,
            Bound::Excluded(&before) => before.saturating_add(1),
            Bound::Unbounded => 0,
        };
        let end = match range.end_bound() {
            Bound::Included(&last) => RangeEnd::With(last),
            Bound::Excluded(&end) => RangeEnd::Before(end),
            Bound::Unbounded => RangeEnd::Open,
        };
        Interval { start, end }
    }

    /// The numbers `number * block ..` of a block, of a mode of `size` elements.
    #[inline(always)]
    pub(crate) fn block(number: usize, block: usize, size: usize) -> Self {
        let start = number * block;
        Interval { start, end: RangeEnd::Before(start + block.min(size - start)) }
    }

    /// Where it begins, and its length in a mode of `size` elements, `None` if they are more than
    /// `usize` can count.
    #[inline(always)]
    pub(crate) fn within(self, size: Option<usize>) -> Result<(usize, usize), Fault> {
        let start = self.start;
        let (end, beyond) = match self.end {
            RangeEnd::Open => match size {
                Some(size) if start <= size => (size, false),
                Some(_) => (start, true),
                None => return Err(Fault::Overflow),
            },
            RangeEnd::Before(end) => (end, size.is_some_and(|size| end > size)),
            RangeEnd::With(usize::MAX) if size.is_none() => return Err(Fault::Overflow),
            RangeEnd::With(last) => (last.saturating_add(1), size.is_some_and(|size| last >= size)),
        };
        match size {
            _ if start > end => Err(Fault::RangeOrder { start, end }),
            Some(extent) if beyond => Err(Fault::Range { start, end, extent }),
            _ => Ok((start, end - start)),
        }
    }

    /// The extents that the range leaves of the mode `shape:stride`, and whether the result is a
    /// layout. If not, the extents are arbitrary.
    #[inline(always)]
    pub(crate) fn cut<S: IntTuple, D: Node>(
        self,
        shape: S,
        stride: D,
    ) -> (S::Dynamic, Result<(), Fault>) {
        let within = self.within(shape.node().product());
        let (start, length) = within.unwrap_or((0, 0));
        if <S::Node as Node>::KIND == Kind::Leaf {
            return (shape.map_leaves(stride, &mut |_, _, _| length), within.map(|_| ()));
        }
        let mut cut = RangeCut::new(start, length);
        let extents =
            shape.map_leaves(stride, &mut |extent, stride, kind| cut.leaf(extent, stride, kind));
        (extents, within.and_then(|_| cut.finish()))
    }
}

#[cfg(feature = "alloc")]
impl Interval {
    /// The range `start..end`, or `start..` if there is no `end`; if `with_end`, `start..=end`.
    pub(crate) fn of_text(start: usize, end: Option<usize>, with_end: bool) -> Self {
        let end = match end {
            None => RangeEnd::Open,
            Some(last) if with_end => RangeEnd::With(last),
            Some(end) => RangeEnd::Before(end),
        };
        Interval { start, end }
    }
}
impl core::fmt::Display for Interval {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self.end {
            RangeEnd::Open => write!(f, "{}..", self.start),
            RangeEnd::Before(end) => write!(f, "{}..{end}", self.start),
            RangeEnd::With(last) => write!(f, "{}..={last}", self.start),
        }
    }
}

/// A range of a nested mode, on its way over the leaves, the fastest first.
pub(crate) struct RangeCut {
    /// The range, and its part in units of the next leaf.
    whole: (usize, usize),
    start: usize,
    length: usize,
    /// The range is within the leaves so far.
    done: bool,
    /// The stride, its kind, and the extent of the leaves that continue one another, with the range
    /// among them.
    run: Option<(usize, StrideKind, usize)>,
    /// The size of a block that the range does not begin and end with.
    broken: Option<usize>,
    below: usize,
    /// With XOR strides: the first number shares a bit with the kept numbers.
    carries: bool,
}
impl RangeCut {
    #[inline(always)]
    pub(crate) fn new(start: usize, length: usize) -> Self {
        RangeCut {
            whole: (start, length),
            start,
            length,
            done: false,
            run: None,
            broken: None,
            below: 1,
            carries: false,
        }
    }

    /// Whether the numbers from `start` on would carry, counted by the XOR stride `stride`.
    #[inline(always)]
    fn ends_at(&mut self, start: usize, stride: usize, kind: StrideKind) {
        self.done = true;
        self.carries = kind == StrideKind::Xor && bits_fit(start, self.length, stride).is_err();
    }

    /// The rest of the next leaf.
    #[inline(always)]
    pub(crate) fn leaf(&mut self, extent: usize, stride: usize, kind: StrideKind) -> usize {
        if self.done {
            return 1;
        }
        if self.length == 0 || extent == 0 {
            self.done = true;
            return 0;
        }
        match self.run {
            None if self.length <= extent - self.start % extent => {
                self.ends_at(self.start % extent, stride, kind);
                self.length
            }
            None if self.start % extent == 0 && self.length % extent == 0 => {
                (self.start, self.length) = (self.start / extent, self.length / extent);
                self.below = self.below.saturating_mul(extent);
                extent
            }
            None => {
                self.run = Some((stride, kind, extent));
                self.length
            }
            Some(_) if extent == 1 => 1,
            Some((first, kind_of_first, run)) => {
                // An XOR mode continues another one only after a power of two of steps.
                let continues =
                    kind_of_first == kind && (kind != StrideKind::Xor || run.is_power_of_two());
                match run.checked_mul(extent) {
                    Some(longer) if continues && run.checked_mul(first) == Some(stride) => {
                        self.run = Some((first, kind_of_first, longer));
                        if self.length <= longer - self.start % longer {
                            self.ends_at(self.start % longer, first, kind);
                        }
                    }
                    _ => {
                        self.done = true;
                        self.broken = Some(self.below.saturating_mul(run));
                    }
                }
                1
            }
        }
    }

    /// Whether the range is a layout.
    #[inline(always)]
    pub(crate) fn finish(self) -> Result<(), Fault> {
        let (start, end) = (self.whole.0, self.whole.0 + self.whole.1);
        match (self.broken, self.run) {
            (Some(block), _) => Err(Fault::RangeBlock { start, end, block }),
            (None, Some((.., run))) if !self.done => {
                Err(Fault::RangeBlock { start, end, block: self.below.saturating_mul(run) })
            }
            _ if self.carries => Err(Fault::RangeCarries {
                start,
                end,
                unit: self.below.saturating_mul(unit_of_bits(self.length)),
            }),
            _ => Ok(()),
        }
    }
}

macro_rules! ranges {
    ($($range:ty),*) => {
        $(impl Nested for $range {
            type Node = Interval;
            #[inline(always)]
            fn node(self) -> Interval {
                Interval::new(&self)
            }
        })*
    };
}
ranges!(
    Range<usize>,
    RangeInclusive<usize>,
    RangeFrom<usize>,
    RangeTo<usize>,
    RangeToInclusive<usize>
);
impl Nested for Interval {
    type Node = Interval;
    #[inline(always)]
    fn node(self) -> Interval {
        self
    }
}
impl Untangle for Interval {
    type Tree = Interval;
    #[inline(always)]
    fn tree(self) -> Interval {
        self
    }
}
impl ShowNode for Interval {
    type Output = Range<usize>;
}
/// A range in a coordinate stands for the number where it begins.
impl Node for Interval {
    const KIND: Kind = Kind::Leaf;
    const STATIC: Option<usize> = None;
    type Head = crate::list::Nil;
    type Tail = crate::list::Nil;
    #[inline(always)]
    fn head(self) -> Self::Head {
        crate::list::Nil
    }
    #[inline(always)]
    fn tail(self) -> Self::Tail {
        crate::list::Nil
    }
    #[inline(always)]
    fn leaf(self) -> usize {
        self.start
    }
}

/// The coordinate where a slice begins, of which `self` is the node: ranges are numbers in it, and
/// all of it is `Copy`.
pub trait Beginning {
    type Output: Node;
    fn beginning(self) -> Self::Output;
}
cases! { Beginning::beginning -> Self::Output:
    [] Nil => Nil, (self) => self;
    [] Whole => Whole, (self) => self;
    [] Interval => Interval, (self) => self;
    [N] Leaf<N> where (Self: Node) => Self, (self) => self;
    [C, W] Window<C, W> where (Self: Node) => Self, (self) => self;
    [H: Nested<Node: Beginning>, T: Beginning] Cons<H, T>
        => Cons<Begun<<H::Node as Beginning>::Output>, T::Output>,
        (self) => Cons { head: Begun(self.head.node().beginning()), tail: self.tail.beginning() };
}
/// The type with this node.
#[derive(Clone, Copy)]
pub struct Begun<N>(N);
impl<N> Nested for Begun<N> {
    type Node = N;
    #[inline(always)]
    fn node(self) -> N {
        self.0
    }
}

/// A window: the coordinate where it begins, and its shape, which is congruent with that of the
/// layout. What [`window`](crate::LayoutAlgebra::window) slices at.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::{Window, operation::Sliced};
/// use static_assertions::assert_type_eq_all;
/// type Part = Sliced<Layout!((4, 6):(1, 4)), Window<(usize, usize), Shape!((2, 3))>>;
/// assert_type_eq_all!(Part, Layout!((2, 3):(1, 4)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Window<C, W> {
    pub(crate) origin: C,
    pub(crate) shape: W,
}
impl<C, W> Window<C, W> {
    /// The window of the shape `shape` that begins at `origin`.
    ///
    /// ```
    /// use layout_algebra::Window;
    /// use layout_algebra::prelude::*;
    /// let (part, offset) = layout!((4, 6):(1, 4)).slice(Window::new((1, 2), shape!((2, 3))));
    /// assert_eq!((part, offset), (layout!((2, 3):(1, 4)), 9));
    /// ```
    #[inline(always)]
    pub const fn new(origin: C, shape: W) -> Self {
        Window { origin, shape }
    }
}
impl<C: Nested, W: Nested> Nested for Window<C, W> {
    type Node = Self;
    #[inline(always)]
    fn node(self) -> Self {
        self
    }
}
impl<C: Show, W: Show> ShowNode for Window<C, W> {
    type Output = Window<Shown<C>, Shown<W>>;
}
/// A window in a coordinate stands for the coordinate where it begins.
impl<C: IntTuple, W: Copy> Node for Window<C, W> {
    const KIND: Kind = <C::Node as Node>::KIND;
    const STATIC: Option<usize> = <C::Node as Node>::STATIC;
    const FORM: Form = <C::Node as Node>::FORM;
    type Head = <C::Node as Node>::Head;
    type Tail = <C::Node as Node>::Tail;
    #[inline(always)]
    fn head(self) -> Self::Head {
        self.origin.node().head()
    }
    #[inline(always)]
    fn tail(self) -> Self::Tail {
        self.origin.node().tail()
    }
    #[inline(always)]
    fn leaf(self) -> usize {
        self.origin.node().leaf()
    }
}

/// Whether a window of the shape `w` from `c` on is a part of the layout `s:d`, leaf by leaf.
#[inline(always)]
pub(crate) fn window_fits<C: Node, W: Node, S: Node, D: Node>(
    c: C,
    w: W,
    s: S,
    d: D,
) -> Result<(), Fault> {
    match (C::KIND, W::KIND, S::KIND) {
        (Kind::Leaf, Kind::Leaf, Kind::Leaf) => leaf_fits(c.leaf(), w.leaf(), s.leaf()),
        (Kind::Cons, Kind::Cons, Kind::Cons) => {
            window_fits(c.head(), w.head(), s.head(), d.head())?;
            window_fits(c.tail(), w.tail(), s.tail(), d.tail())
        }
        _ => Ok(()),
    }
}
/// Whether `length` numbers from `start` on are below `extent`.
#[inline(always)]
pub(crate) fn leaf_fits(start: usize, length: usize, extent: usize) -> Result<(), Fault> {
    match start.checked_add(length) {
        Some(end) if end <= extent => Ok(()),
        end => Err(Fault::Range { start, end: end.unwrap_or(usize::MAX), extent }),
    }
}
/// Whether the XOR stride `stride` counts `length` numbers from `start` on, whose end is no
/// overflow, as it counts those from 0 on: whether `start` shares no bit with them.
#[inline]
pub(crate) fn bits_fit(start: usize, length: usize, stride: usize) -> Result<(), Fault> {
    match start & (unit_of_bits(length) - 1) {
        0 => Ok(()),
        _ if stride == 0 => Ok(()),
        _ => Err(Fault::RangeCarries { start, end: start + length, unit: unit_of_bits(length) }),
    }
}
/// The least power of two that is no less than `length`, or the largest that there is.
#[inline]
fn unit_of_bits(length: usize) -> usize {
    // Of more than half of all numbers only 0 is followed by as many, and begins at a multiple of
    // either.
    length.checked_next_power_of_two().unwrap_or(1 << (usize::BITS - 1))
}
