//! Integer tuples: a number, or a tuple of integer tuples. Shapes, strides and coordinates are
//! integer tuples.

use core::fmt::Debug;
use core::hash::Hash;

use typenum::{UInt, UTerm};

use crate::list::{AsTuple, Cons, Leaf, Nested, Nil, TupleOf, Untangle};
use crate::number::int::{False, StaticInt, True};
use crate::number::table::{Number, RunTimeNumber, StrideKind};
use crate::tuple::node::{Kind, Node, behind, depth, digit, rank, size, static_size};

/// A number, or a tuple of up to 8 integer tuples, nested to any depth; static and dynamic numbers
/// in any mix. An array stands for the tuple of its items. CuTe's `IntTuple`.
///
/// `size = product of the leaves`; `rank` counts the modes of the first level, `depth` the levels.
///
/// ```
/// use layout_algebra::prelude::*;
/// let s = shape!((4, (2, 3)));
/// assert_eq!((s.size(), s.rank(), s.depth()), (24, 2, 2));
/// assert_eq!(size_of_val(&s), 0);
/// ```
#[diagnostic::on_unimplemented(
    message = "this is neither a number of a layout nor a tuple of at most 8 such",
    label = "`{Self}`: not an integer tuple",
    note = "a leaf is a static integer, `int!(4)`, or a `usize`: write `i as usize` for another integer; more than 8 \
            modes go into nested tuples, or into a `DynLayout`"
)]
pub trait IntTuple: Nested<Node: Node> + Copy + Debug + PartialEq + Hash + 'static {
    /// The integer tuple of the same profile with `usize` at every leaf: a shape's coordinates are
    /// of this type.
    type Dynamic: IntTuple;
    /// The integer tuple itself. Any other type lacks this one, so that the compiler complains
    /// once.
    #[doc(hidden)]
    type Accepted: IntTuple;
    /// The number of modes of the first level; 1 for a number.
    const RANK: usize = rank::<Self::Node>();
    /// The number of levels; 0 for a number.
    const DEPTH: usize = depth::<Self::Node>();
    /// The size where all leaves are static.
    const STATIC_SIZE: Option<usize> = static_size::<Self::Node>();

    /// The same numbers with `usize` at every leaf.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(shape!((4, (2, 3))).to_dynamic(), (4, (2, 3)));
    /// ```
    fn to_dynamic(self) -> Self::Dynamic;

    /// The coordinate whose every number is 0.
    #[doc(hidden)]
    fn origin() -> Self::Dynamic;

    /// The predecessor of the origin for [`advance`](IntTuple::advance); for an empty shape,
    /// `advance` ends there at once.
    #[doc(hidden)]
    fn before_origin(empty: bool) -> Self::Dynamic;

    /// The `index`-th coordinate of the shape, the last mode without an end.
    #[doc(hidden)]
    #[track_caller]
    fn split(self, index: usize) -> Self::Dynamic;

    /// Advances a coordinate of the shape by one; `true` if the last coordinate wraps to the
    /// origin.
    #[doc(hidden)]
    fn advance(self, coordinate: &mut Self::Dynamic) -> bool;

    /// Folds all coordinates of the shape, the leftmost mode fastest: as loops within loops, one
    /// for each leaf, with `inside` in the innermost one.
    #[doc(hidden)]
    fn fold_coords<B, F>(
        self,
        init: B,
        fold: &mut F,
        inside: impl LoopBody<Self::Dynamic, B, F>,
    ) -> B;

    /// The coordinate of the shape that the node `C` of a coarser one stands for.
    #[doc(hidden)]
    fn complete<C: Node>(self, coordinate: C) -> Self::Dynamic;

    /// The offset of this coordinate of a shape, as [`Node::offset`], which knows `..` too; here
    /// the numbers come straight from the tuple, so that no function is shared by two modes (see
    /// [`Number::scaled`](crate::Number)).
    #[doc(hidden)]
    #[track_caller]
    fn offset_under<S: Node, D: Node>(self, shape: S, stride: D) -> usize;

    /// The coordinate with `of(axis)` along each axis, axes counted from `next` on.
    #[doc(hidden)]
    fn from_axes(next: &mut usize, of: &mut impl FnMut(usize) -> usize) -> Self::Dynamic;

    /// The tuple with `of(extent, stride, kind)` in the place of each extent of the shape, the
    /// leftmost first; the kind is what the stride is besides its number.
    #[doc(hidden)]
    fn map_leaves<D: Node>(
        self,
        stride: D,
        of: &mut impl FnMut(usize, usize, StrideKind) -> usize,
    ) -> Self::Dynamic;

    /// The sum of two coordinates, number by number.
    #[doc(hidden)]
    fn moved(coordinate: Self::Dynamic, by: Self::Dynamic) -> Self::Dynamic;

    /// Calls `visit` with every number of a coordinate.
    #[doc(hidden)]
    fn each(coordinate: Self::Dynamic, visit: &mut impl FnMut(usize));

    /// The product of the leaves.
    ///
    /// # Panics
    /// If it leaves `usize`, in release builds too.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!((shape!((4, (2, 3))).size(), (4, (2, 3)).size()), (24, 24));
    /// ```
    #[inline(always)]
    #[track_caller]
    fn size(self) -> usize {
        size(self.node())
    }
    /// The number of modes of the first level; 1 for a number.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!((shape!((4, (2, 3))).rank(), int!(24).rank()), (2, 1));
    /// ```
    #[inline(always)]
    fn rank(self) -> usize {
        Self::RANK
    }
    /// The number of levels; 0 for a number.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!((shape!((4, (2, 3))).depth(), int!(24).depth()), (2, 0));
    /// ```
    #[inline(always)]
    fn depth(self) -> usize {
        Self::DEPTH
    }
}

impl<N: Number> IntTuple for N {
    type Dynamic = usize;
    type Accepted = <N::Node as Untangle>::Tree;
    #[inline(always)]
    fn to_dynamic(self) -> usize {
        self.get()
    }
    #[inline(always)]
    fn origin() -> usize {
        0
    }
    #[inline(always)]
    fn before_origin(empty: bool) -> usize {
        if empty { usize::MAX - 1 } else { usize::MAX }
    }
    #[inline(always)]
    fn split(self, index: usize) -> usize {
        index
    }
    #[inline(always)]
    fn advance(self, coordinate: &mut usize) -> bool {
        *coordinate = coordinate.wrapping_add(1);
        let end = *coordinate >= self.get();
        if end {
            *coordinate = 0;
        }
        end
    }
    #[inline(always)]
    fn fold_coords<B, F>(self, init: B, fold: &mut F, inside: impl LoopBody<usize, B, F>) -> B {
        let mut sum = init;
        for number in 0..self.get() {
            sum = inside.step(sum, number, fold);
        }
        sum
    }
    #[inline(always)]
    fn complete<C: Node>(self, coordinate: C) -> usize {
        coordinate.leaf()
    }
    #[inline(always)]
    fn offset_under<S: Node, D: Node>(self, shape: S, stride: D) -> usize {
        if const { matches!(S::KIND, Kind::Leaf) } {
            return self.scaled::<S, D>(stride.leaf());
        }
        shape.offset_of_number(self.get(), stride)
    }
    #[inline(always)]
    fn from_axes(next: &mut usize, of: &mut impl FnMut(usize) -> usize) -> usize {
        *next += 1;
        of(*next - 1)
    }
    #[inline(always)]
    fn map_leaves<D: Node>(
        self,
        stride: D,
        of: &mut impl FnMut(usize, usize, StrideKind) -> usize,
    ) -> usize {
        of(self.get(), stride.leaf(), D::STRIDE)
    }
    #[inline(always)]
    fn moved(coordinate: usize, by: usize) -> usize {
        coordinate + by
    }
    #[inline(always)]
    fn each(coordinate: usize, visit: &mut impl FnMut(usize)) {
        visit(coordinate);
    }
}

/// The body of a loop over coordinates. A closure is not certain to be inlined, since the compiler
/// unrolls loops before it inlines what they call.
pub trait LoopBody<C, B, F>: Copy {
    fn step(self, sum: B, coordinate: C, fold: &mut F) -> B;
}

/// The innermost body, which calls the closure.
#[derive(Clone, Copy)]
pub struct Call;
impl<C, B, F: FnMut(B, C) -> B> LoopBody<C, B, F> for Call {
    #[inline(always)]
    fn step(self, sum: B, coordinate: C, fold: &mut F) -> B {
        fold(sum, coordinate)
    }
}

/// In the loop over one mode: loops over the `modes` before it, the last one first, and then
/// `inside`. The modes behind it are where the `outer` loops are.
#[derive(Clone, Copy)]
pub struct Loops<M, O, I> {
    modes: M,
    outer: O,
    inside: I,
}
impl<C, O: Copy, B, F, I> LoopBody<C, B, F> for Loops<Nil, O, I>
where
    Cons<C, O>: Untangle,
    I: LoopBody<<Cons<C, O> as Untangle>::Tree, B, F>,
{
    #[inline(always)]
    fn step(self, sum: B, coordinate: C, fold: &mut F) -> B {
        self.inside.step(sum, Cons { head: coordinate, tail: self.outer }.tree(), fold)
    }
}
impl<C, H: IntTuple, T: Copy, O: Copy, B, F, I: Copy> LoopBody<C, B, F> for Loops<Cons<H, T>, O, I>
where
    Loops<T, Cons<C, O>, I>: LoopBody<H::Dynamic, B, F>,
{
    #[inline(always)]
    fn step(self, sum: B, coordinate: C, fold: &mut F) -> B {
        let Cons { head, tail } = self.modes;
        let outer = Cons { head: coordinate, tail: self.outer };
        head.fold_coords(sum, fold, Loops { modes: tail, outer, inside: self.inside })
    }
}

/// The loop over the last mode, with those over the others in it: the modes are turned round first,
/// into the brackets.
macro_rules! loops {
    ($sum:ident $fold:ident $inside:ident [$($turned:ident)*] $first:ident $($mode:ident)*) => {
        loops!($sum $fold $inside [$first $($turned)*] $($mode)*)
    };
    ($sum:ident $fold:ident $inside:ident [$last:ident $($before:ident)*]) => {
        $last.fold_coords($sum, $fold, Loops { modes: pack!($($before)*), outer: Nil, inside: $inside })
    };
}

macro_rules! int_tuples {
    ($($Item:ident $item:ident)+) => {
        impl<$($Item: IntTuple),+> IntTuple for ($($Item,)+) {
            type Dynamic = ($($Item::Dynamic,)+);
            type Accepted = ($($Item::Accepted,)+);
            #[inline(always)]
            fn to_dynamic(self) -> Self::Dynamic {
                let ($($item,)+) = self;
                ($($item.to_dynamic(),)+)
            }
            #[inline(always)]
            fn origin() -> Self::Dynamic {
                ($($Item::origin(),)+)
            }
            #[inline(always)]
            #[allow(unused_assignments, reason = "nothing is left to say behind the last mode")]
            fn before_origin(empty: bool) -> Self::Dynamic {
                let mut first = true;
                ($({
                    let item = if first || empty { $Item::before_origin(empty) } else { $Item::origin() };
                    first = false;
                    item
                },)+)
            }
            #[inline(always)]
            #[allow(unused_assignments, reason = "nothing is left to divide behind the last mode")]
            fn split(self, index: usize) -> Self::Dynamic {
                let ($($item,)+) = self;
                let (mut rest, mut modes) = (index, Self::RANK);
                ($({
                    modes -= 1;
                    let part = if modes == 0 { rest } else { digit(rest, $item.size()) };
                    if modes > 0 {
                        rest = behind(rest, $item.size());
                    }
                    $item.split(part)
                },)+)
            }
            #[inline(always)]
            fn advance(self, coordinate: &mut Self::Dynamic) -> bool {
                #[allow(non_snake_case, reason = "one name serves as type and as variable")]
                let ($($Item,)+) = coordinate;
                let ($($item,)+) = self;
                $($item.advance($Item))&&+
            }
            #[inline(always)]
            fn fold_coords<X, Y>(self, init: X, fold: &mut Y, inside: impl LoopBody<Self::Dynamic, X, Y>) -> X {
                let ($($item,)+) = self;
                loops!(init fold inside [] $($item)+)
            }
            #[inline(always)]
            fn complete<X: Node>(self, coordinate: X) -> Self::Dynamic {
                if const { matches!(X::KIND, Kind::Leaf) } {
                    return self.split(coordinate.leaf());
                }
                let ($($item,)+) = self;
                let rest = coordinate;
                $(
                    let $item = $item.complete(rest.head());
                    #[allow(unused_variables, reason = "nothing follows the last mode")]
                    let rest = rest.tail();
                )+
                ($($item,)+)
            }
            #[inline(always)]
            fn offset_under<X: Node, Y: Node>(self, shape: X, stride: Y) -> usize {
                let ($($item,)+) = self;
                let offset = 0;
                $(
                    let offset = offset + $item.offset_under(shape.head(), stride.head());
                    #[allow(unused_variables, reason = "nothing follows the last mode")]
                    let (shape, stride) = (shape.tail(), stride.tail());
                )+
                offset
            }
            #[inline(always)]
            fn from_axes(next: &mut usize, of: &mut impl FnMut(usize) -> usize) -> Self::Dynamic {
                ($($Item::from_axes(next, of),)+)
            }
            #[inline(always)]
            fn map_leaves<X: Node>(
                self,
                stride: X,
                of: &mut impl FnMut(usize, usize, StrideKind) -> usize,
            ) -> Self::Dynamic {
                let ($($item,)+) = self;
                $(
                    let $item = $item.map_leaves(stride.head(), of);
                    #[allow(unused_variables, reason = "nothing follows the last mode")]
                    let stride = stride.tail();
                )+
                ($($item,)+)
            }
            #[inline(always)]
            #[allow(non_snake_case, reason = "one name serves as type and as variable")]
            fn moved(coordinate: Self::Dynamic, by: Self::Dynamic) -> Self::Dynamic {
                let (($($item,)+), ($($Item,)+)) = (coordinate, by);
                ($($Item::moved($item, $Item),)+)
            }
            #[inline(always)]
            fn each(coordinate: Self::Dynamic, visit: &mut impl FnMut(usize)) {
                let ($($item,)+) = coordinate;
                $($Item::each($item, visit);)+
            }
        }
    };
}
each_arity!(int_tuples);

/// An array stands for the tuple of its items: `[i, j]` is the coordinate `(i, j)`.
#[diagnostic::do_not_recommend]
impl<T: IntTuple, const N: usize> IntTuple for [T; N]
where
    Self: AsTuple<Tuple: IntTuple>,
{
    type Dynamic = <TupleOf<Self> as IntTuple>::Dynamic;
    type Accepted = <TupleOf<Self> as IntTuple>::Accepted;
    #[inline(always)]
    fn to_dynamic(self) -> Self::Dynamic {
        self.tuple().to_dynamic()
    }
    #[inline(always)]
    fn origin() -> Self::Dynamic {
        TupleOf::<Self>::origin()
    }
    #[inline(always)]
    fn before_origin(empty: bool) -> Self::Dynamic {
        TupleOf::<Self>::before_origin(empty)
    }
    #[inline(always)]
    fn split(self, index: usize) -> Self::Dynamic {
        self.tuple().split(index)
    }
    #[inline(always)]
    fn advance(self, coordinate: &mut Self::Dynamic) -> bool {
        self.tuple().advance(coordinate)
    }
    #[inline(always)]
    fn fold_coords<B, F>(
        self,
        init: B,
        fold: &mut F,
        inside: impl LoopBody<Self::Dynamic, B, F>,
    ) -> B {
        self.tuple().fold_coords(init, fold, inside)
    }
    #[inline(always)]
    fn complete<C: Node>(self, coordinate: C) -> Self::Dynamic {
        self.tuple().complete(coordinate)
    }
    #[inline(always)]
    fn offset_under<S: Node, D: Node>(self, shape: S, stride: D) -> usize {
        self.tuple().offset_under(shape, stride)
    }
    #[inline(always)]
    fn from_axes(next: &mut usize, of: &mut impl FnMut(usize) -> usize) -> Self::Dynamic {
        TupleOf::<Self>::from_axes(next, of)
    }
    #[inline(always)]
    fn map_leaves<D: Node>(
        self,
        stride: D,
        of: &mut impl FnMut(usize, usize, StrideKind) -> usize,
    ) -> Self::Dynamic {
        self.tuple().map_leaves(stride, of)
    }
    #[inline(always)]
    fn moved(coordinate: Self::Dynamic, by: Self::Dynamic) -> Self::Dynamic {
        TupleOf::<Self>::moved(coordinate, by)
    }
    #[inline(always)]
    fn each(coordinate: Self::Dynamic, visit: &mut impl FnMut(usize)) {
        TupleOf::<Self>::each(coordinate, visit);
    }
}

/// An integer tuple of static leaves alone: a type without data.
///
/// ```
/// use layout_algebra::prelude::*;
/// use static_assertions::{assert_impl_all, assert_not_impl_any};
/// assert_impl_all!(Shape!((4, (2, 3))): StaticTuple);
/// assert_not_impl_any!(Shape!((4, (2, _))): StaticTuple);
/// ```
#[diagnostic::on_unimplemented(
    message = "this has a leaf that is known only at run time",
    label = "`{Self}`: every leaf has to be a static integer",
    note = "write the number as a literal in `layout!`, or `int!(4)`"
)]
pub trait StaticTuple: IntTuple + Default {}
impl<T: IntTuple<Node: StaticNode> + Default> StaticTuple for T {}

/// A node whose leaves are static.
pub trait StaticNode {}
impl StaticNode for Nil {}
impl<N: StaticInt> StaticNode for Leaf<N> {}
impl<H: Nested<Node: StaticNode>, T: StaticNode> StaticNode for Cons<H, T> {}

/// Whether all leaves of the node are static: [`True`] or [`False`].
pub trait IsStatic {
    type Output;
}
cases! { IsStatic:
    [] Nil => True;
    [] Leaf<UTerm> => True;
    [U, B] Leaf<UInt<U, B>> => True;
    [N: RunTimeNumber] Leaf<N> => False;
    [H: Nested<Node: IsStatic<Output: StaticTail<T>>>, T] Cons<H, T>
        => <<H::Node as IsStatic>::Output as StaticTail<T>>::Output;
}
/// Whether the leaves of a list are static, given that of those before.
pub trait StaticTail<T> {
    type Output;
}
cases! { StaticTail:
    [T: IsStatic] True, T => T::Output;
    [T] False, T => False;
}
