//! Coordinates and offsets.
//!
//! ```text
//! crd2idx(c, S, D) = sum c_k * D_k          a number against a tuple is split by idx2crd first
//! idx2crd(i, S)    = (i % S_0, i / S_0 % S_1, .., i / (S_0 * S_1 * ..))
//! ```
//!
//! The leftmost mode is the fastest, and the last one takes the whole quotient: domains extend to
//! the right.

use core::fmt::{self, Debug, Formatter};

use crate::list::Nested;
use crate::tuple::int_tuple::{Call, IntTuple};
use crate::tuple::node::{Kind, Node, size};
use crate::tuple::profile::WeaklyCongruent;

/// The `i`-th coordinate of a shape, the leftmost mode fastest. CuTe's `idx2crd`.
///
/// `idx2crd(i, S) = (i % S_0, i / S_0 % S_1, ..)`, and the last mode takes the whole quotient.
///
/// ```
/// use layout_algebra::prelude::*;
/// assert_eq!(idx2crd(7, shape!((2, (3, 4)))), (1, (0, 1)));
/// assert_eq!(idx2crd(100, shape!((2, (3, 4)))), (0, (2, 16)));
/// // an empty shape has no coordinates: what there is of a number is 0
/// assert_eq!(idx2crd(7, (0, 4)), (0, 0));
/// ```
#[inline(always)]
#[track_caller]
pub fn idx2crd<S: IntTuple>(index: usize, shape: S) -> S::Dynamic {
    shape.split(index)
}

/// The number of a coordinate in a shape, the leftmost mode fastest; the inverse of [`idx2crd`].
///
/// `crd2idx(c, S) = c_0 + S_0 * (c_1 + S_1 * ..)`
///
/// ```
/// use layout_algebra::prelude::*;
/// assert_eq!(crd2idx((1, (0, 1)), shape!((2, (3, 4)))), 7);
/// assert_eq!(crd2idx((1, 3), shape!((2, (3, 4)))), 7);
/// ```
#[inline(always)]
#[track_caller]
pub fn crd2idx<C, S>(coordinate: C, shape: S) -> usize
where
    C: IntTuple + WeaklyCongruent<S>,
    S: IntTuple,
{
    number(coordinate.node(), shape.node())
}

/// A coordinate of one shape as the coordinate of another one with the same number. CuTe's
/// `crd2crd`.
///
/// `crd2crd(c, S, T) = idx2crd(crd2idx(c, S), T)`
///
/// ```
/// use layout_algebra::prelude::*;
/// assert_eq!(crd2crd((1, 3), shape!((2, 12)), shape!((2, (3, 4)))), (1, (0, 1)));
/// ```
#[inline(always)]
#[track_caller]
pub fn crd2crd<C, S, T>(coordinate: C, shape: S, target: T) -> T::Dynamic
where
    C: IntTuple + WeaklyCongruent<S>,
    S: IntTuple,
    T: IntTuple,
{
    idx2crd(crd2idx(coordinate, shape), target)
}

#[inline(always)]
#[track_caller]
fn number<C: Node, S: Node>(c: C, s: S) -> usize {
    match (C::KIND, S::KIND) {
        (Kind::Leaf, _) => c.leaf(),
        (Kind::Nil, _) | (_, Kind::Nil) => 0,
        _ => number(c.head(), s.head()) + size(s.head()) * number(c.tail(), s.tail()),
    }
}

/// The coordinates of a shape, the leftmost mode fastest: what
/// [`Layout::coords`](crate::Layout::coords) returns.
///
/// ```
/// use layout_algebra::prelude::*;
/// let mut coordinates = layout!((2, (1, 2))).coords();
/// assert_eq!(coordinates.len(), 4);
/// assert_eq!((coordinates.next(), coordinates.nth(1)), (Some((0, (0, 0))), Some((0, (0, 1)))));
/// ```
#[derive(Clone)]
pub struct Coordinates<S: IntTuple> {
    shape: S,
    /// The last coordinate; before the first one, the predecessor of that. There is no other
    /// counter.
    last: S::Dynamic,
}
impl<S: IntTuple> Coordinates<S> {
    #[inline(always)]
    pub(crate) fn new(shape: S) -> Self {
        Coordinates { shape, last: S::before_origin(shape.size() == 0) }
    }
    /// The coordinate that comes next.
    #[inline(always)]
    fn following(&self) -> Option<S::Dynamic> {
        let mut next = self.last;
        if self.shape.advance(&mut next) { None } else { Some(next) }
    }
}
impl<S: IntTuple> Debug for Coordinates<S> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Coordinates {{ shape: {:?}, next: {:?} }}",
            self.shape.to_dynamic(),
            self.following()
        )
    }
}
impl<S: IntTuple> Iterator for Coordinates<S> {
    type Item = S::Dynamic;
    #[inline(always)]
    fn next(&mut self) -> Option<S::Dynamic> {
        self.last = self.following()?;
        Some(self.last)
    }
    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self
            .following()
            .map_or(0, |next| self.shape.size() - number(next.node(), self.shape.node()));
        (left, Some(left))
    }
    /// Loops within loops, as written by hand: `for_each`, `sum`, `map(..).max()` and others come
    /// here, a `for` loop does not.
    #[inline(always)]
    fn fold<B, F: FnMut(B, S::Dynamic) -> B>(self, init: B, mut fold: F) -> B {
        match self.following() {
            None => init,
            Some(next) if number(next.node(), self.shape.node()) == 0 => {
                self.shape.fold_coords(init, &mut fold, Call)
            }
            Some(_) => {
                let mut sum = init;
                for coordinate in self {
                    sum = fold(sum, coordinate);
                }
                sum
            }
        }
    }
}
impl<S: IntTuple> ExactSizeIterator for Coordinates<S> {}
impl<S: IntTuple> core::iter::FusedIterator for Coordinates<S> {}
