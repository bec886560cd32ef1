//! Modes by number: `take`, `group`, `ungroup`, `mode`, `replace`.

use typenum::{Const, ToUInt, UInt, UTerm};

use crate::algebra::mode::Mode;
use crate::algebra::modes::regroup::{TopModesOf, Tuple, tuple};
use crate::algebra::operation::{self};
use crate::algebra::outcome::Apply;
use crate::algebra::trees::{IntoTuple, TopModes};
use crate::error::Fault;
use crate::layout::traits::Layout;
use crate::list::{Cons, Nested, Nil};
use crate::number::int::{One, SubInt, Underflow};
use crate::reasons::count::{Count, Length};
use crate::reasons::undefined::Undefined;
use crate::reasons::{DynamicMode, NoMode};

/// The constant `N` as a static integer.
pub type U<const N: usize> = <Const<N> as ToUInt>::Output;

/// The list `self` cut before item `N`, or at its end if `N` is its length. This is the one
/// recursion by which types find mode `N`.
#[diagnostic::on_unimplemented(
    message = "there is no such mode: this layout has fewer",
    label = "there are fewer modes",
    note = "modes are counted from 0"
)]
pub trait SplitAt<N> {
    type Front;
    type Back;
    fn split_at(self) -> (Self::Front, Self::Back);
}
impl<L> SplitAt<UTerm> for L {
    type Front = Nil;
    type Back = L;
    #[inline]
    fn split_at(self) -> (Nil, L) {
        (Nil, self)
    }
}
impl<H, T, U, B> SplitAt<UInt<U, B>> for Cons<H, T>
where
    UInt<U, B>: SubInt<One>,
    T: SplitAt<<UInt<U, B> as SubInt<One>>::Output>,
{
    type Front = Cons<H, T::Front>;
    type Back = T::Back;
    #[inline]
    fn split_at(self) -> (Self::Front, Self::Back) {
        let (front, back) = self.tail.split_at();
        (Cons { head: self.head, tail: front }, back)
    }
}

/// A list that is not at its end.
pub trait FirstMode {
    type Shape;
    type Stride;
    type Tail;
    fn first(self) -> (Mode<Self::Shape, Self::Stride>, Self::Tail);
}
impl<S, D, T> FirstMode for Cons<Mode<S, D>, T> {
    type Shape = S;
    type Stride = D;
    type Tail = T;
    #[inline]
    fn first(self) -> (Mode<S, D>, T) {
        (self.head, self.tail)
    }
}

/// The items of the list `L` at the numbers of the list `self`: a list, or [`Undefined`].
pub trait PickFrom<L> {
    type Output;
    fn pick_from(list: &L) -> Self::Output;
}
cases! { PickFrom::pick_from -> Self::Output:
    [L] Nil, L => Nil, (_: &L) => Nil;
    [L: PickOne<N>, N, I: PickFrom<L, Output: InFront<L::Output>>] Cons<N, I>, L
        => <I::Output as InFront<L::Output>>::Output,
        (list: &L) => I::pick_from(list).in_front(list.pick_one());
}

/// The item of the list `self` at the number `N`: a [`Mode`], or [`Undefined`].
pub trait PickOne<N> {
    type Output;
    fn pick_one(&self) -> Self::Output;
}
impl<L> PickOne<usize> for L {
    type Output = Undefined<DynamicMode>;
    #[inline]
    fn pick_one(&self) -> Self::Output {
        Undefined::new()
    }
}
macro_rules! pick_one {
    ($([$($generic:ident)*] $number:ty;)*) => {
        $(impl<L: Length<Output: SubInt<$number>>, $($generic),*> PickOne<$number> for L
        where
            <L::Output as SubInt<$number>>::Output: PickedMode<L, $number>,
        {
            type Output = <<L::Output as SubInt<$number>>::Output as PickedMode<L, $number>>::Output;
            #[inline]
            fn pick_one(&self) -> Self::Output {
                <L::Output as SubInt<$number>>::Output::picked_mode(self)
            }
        })*
    };
}
pick_one! { [] UTerm; [U B] UInt<U, B>; }

/// [`PickOne`]; `self` is the number of items from item `N` on.
pub trait PickedMode<L, N> {
    type Output;
    fn picked_mode(list: &L) -> Self::Output;
}
impl<L: SplitAt<N, Back: FirstMode> + Clone, N, U, B> PickedMode<L, N> for UInt<U, B> {
    type Output = Mode<<L::Back as FirstMode>::Shape, <L::Back as FirstMode>::Stride>;
    #[inline]
    fn picked_mode(list: &L) -> Self::Output {
        list.clone().split_at().1.first().0
    }
}
macro_rules! no_such_mode {
    ($($left:ty)*) => {
        $(impl<L, N> PickedMode<L, N> for $left {
            type Output = Undefined<NoMode<N, Count<L>>>;
            #[inline]
            fn picked_mode(_: &L) -> Self::Output {
                Undefined::new()
            }
        })*
    };
}
no_such_mode! { UTerm Underflow }

/// The item `self` in front of the items picked so far; [`Undefined`] if either is.
pub trait InFront<M> {
    type Output;
    fn in_front(self, item: M) -> Self::Output;
}
impl<R, M> InFront<M> for Undefined<R> {
    type Output = Self;
    #[inline]
    fn in_front(self, _: M) -> Self {
        self
    }
}
macro_rules! in_front {
    ($([$($generic:ident)*] $list:ty;)*) => {
        $(impl<S, D, $($generic),*> InFront<Mode<S, D>> for $list {
            type Output = Cons<Mode<S, D>, Self>;
            #[inline]
            fn in_front(self, item: Mode<S, D>) -> Self::Output {
                Cons { head: item, tail: self }
            }
        }
        impl<R, $($generic),*> InFront<Undefined<R>> for $list {
            type Output = Undefined<R>;
            #[inline]
            fn in_front(self, item: Undefined<R>) -> Self::Output {
                item
            }
        })*
    };
}
in_front! { [] Nil; [H T] Cons<H, T>; }

/// The picked items as a layout.
pub trait Picked {
    type Output;
    fn picked(self) -> Self::Output;
}
cases! { Picked::picked -> Self::Output:
    [H, T] Cons<H, T> where (Self: IntoTuple) => Tuple<Self>, (self) => tuple(self);
    [R] Undefined<R> => Self, (self) => self;
}
macro_rules! select {
    ($($Item:ident $item:ident)+) => {
        impl<Left: TopModes, $($Item),+> Apply<operation::Select, Left> for ($($Item,)+)
        where
            Self: Nested<Node: PickFrom<TopModesOf<Left>, Output: Picked>>,
        {
            type Output = <<<Self as Nested>::Node as PickFrom<TopModesOf<Left>>>::Output as Picked>::Output;
            #[inline]
            fn apply(self, left: Left) -> Result<Self::Output, Fault> {
                Ok(<<Self as Nested>::Node as PickFrom<TopModesOf<Left>>>::pick_from(&left.top_modes()).picked())
            }
        }
    };
}
each_arity!(select);

/// `L: Take<B, E>`: the modes `B` to `E - 1`. CuTe's `take`.
///
/// ```
/// use layout_algebra::prelude::*;
/// use static_assertions::assert_type_eq_all;
/// assert_type_eq_all!(<Layout!((2, 3, 4)) as Take<1, 3>>::Output, Layout!((3, 4):(2, 6)));
/// ```
#[diagnostic::on_unimplemented(
    message = "cannot take modes: nothing says that this layout can",
    label = "`{Self}` is not known to have this operation",
    note = "generic code names what it needs as a bound: `L: Take<0, 2>`"
)]
pub trait Take<const B: usize, const E: usize>: Layout {
    /// The modes taken.
    type Output: Layout;
    #[doc(hidden)]
    #[track_caller]
    fn taken(self) -> Self::Output;
}
/// The type of the modes `B` to `E - 1` of `L`.
///
/// ```
/// use layout_algebra::prelude::*;
/// use static_assertions::assert_type_eq_all;
/// assert_type_eq_all!(Taken<Layout!((2, 3, 4)), 0, 2>, Layout!((2, 3):(1, 2)));
/// ```
pub type Taken<L, const B: usize, const E: usize> = <L as Take<B, E>>::Output;

/// `L: Group<B, E>`: the modes `B` to `E - 1` as one mode. CuTe's `group`.
///
/// ```
/// use layout_algebra::prelude::*;
/// use static_assertions::assert_type_eq_all;
/// assert_type_eq_all!(<Layout!((2, 3, 4)) as Group<0, 2>>::Output, Layout!(((2, 3), 4):((1, 2), 6)));
/// ```
#[diagnostic::on_unimplemented(
    message = "cannot group modes: nothing says that this layout can",
    label = "`{Self}` is not known to have this operation",
    note = "generic code names what it needs as a bound: `L: Group<0, 2>`"
)]
pub trait Group<const B: usize, const E: usize>: Layout {
    /// The layout with the modes grouped.
    type Output: Layout;
    #[doc(hidden)]
    #[track_caller]
    fn grouped(self) -> Self::Output;
}
/// The type of `L` with the modes `B` to `E - 1` as one mode.
///
/// ```
/// use layout_algebra::prelude::*;
/// use static_assertions::assert_type_eq_all;
/// assert_type_eq_all!(Grouped<Layout!((2, 3, 4)), 1, 3>, Layout!((2, (3, 4)):(1, (2, 6))));
/// ```
pub type Grouped<L, const B: usize, const E: usize> = <L as Group<B, E>>::Output;

/// `L: Ungroup<I>`: mode `I` replaced by its own modes.
///
/// ```
/// use layout_algebra::prelude::*;
/// use static_assertions::assert_type_eq_all;
/// assert_type_eq_all!(<Layout!(((2, 3), 4)) as Ungroup<0>>::Output, Layout!((2, 3, 4)));
/// ```
#[diagnostic::on_unimplemented(
    message = "cannot ungroup a mode: nothing says that this layout can",
    label = "`{Self}` is not known to have this operation",
    note = "generic code names what it needs as a bound: `L: Ungroup<0>`"
)]
pub trait Ungroup<const I: usize>: Layout {
    /// The layout with the mode ungrouped.
    type Output: Layout;
    #[doc(hidden)]
    #[track_caller]
    fn ungrouped(self) -> Self::Output;
}
/// The type of `L` with mode `I` replaced by its own modes.
///
/// ```
/// use layout_algebra::prelude::*;
/// use static_assertions::assert_type_eq_all;
/// assert_type_eq_all!(Ungrouped<Layout!((2, (3, 4))), 1>, Layout!((2, 3, 4)));
/// ```
pub type Ungrouped<L, const I: usize> = <L as Ungroup<I>>::Output;

/// `L: ModeOf<I>`: there is a mode `I`. CuTe's `layout<I>(l)`.
///
/// ```
/// use layout_algebra::prelude::*;
/// use static_assertions::assert_type_eq_all;
/// assert_type_eq_all!(<Layout!((2, (3, 4))) as ModeOf<1>>::Output, Layout!((3, 4):(2, 6)));
/// ```
#[diagnostic::on_unimplemented(
    message = "cannot take a mode: nothing says that this layout can",
    label = "`{Self}` is not known to have this operation",
    note = "generic code names what it needs as a bound: `L: ModeOf<0>`"
)]
pub trait ModeOf<const I: usize>: Layout {
    /// The mode.
    type Output: Layout;
    #[doc(hidden)]
    #[track_caller]
    fn mode_of(self) -> Self::Output;
}
/// The type of mode `I` of `L`.
///
/// ```
/// use layout_algebra::prelude::*;
/// use static_assertions::assert_type_eq_all;
/// assert_type_eq_all!(ModeAt<Layout!((4, 6): right), 0>, Layout!(4:6));
/// ```
pub type ModeAt<L, const I: usize> = <L as ModeOf<I>>::Output;

/// `L: Replace<I, M>`: the layout with mode `I` replaced by the layout `M`. CuTe's `replace`.
///
/// ```
/// use layout_algebra::prelude::*;
/// use static_assertions::assert_type_eq_all;
/// assert_type_eq_all!(
///     <Layout!((4, 6)) as Replace<1, Layout!(8:10)>>::Output,
///     Layout!((4, 8):(1, 10))
/// );
/// ```
#[diagnostic::on_unimplemented(
    message = "cannot replace a mode: nothing says that this layout can",
    label = "`{Self}` is not known to have this operation",
    note = "generic code names what it needs as a bound: `L: Replace<0, M>`"
)]
pub trait Replace<const I: usize, M>: Layout {
    /// The layout with the mode replaced.
    type Output: Layout;
    #[doc(hidden)]
    #[track_caller]
    fn replaced(self, mode: M) -> Self::Output;
}
/// The type of `L` with mode `I` replaced by `M`.
///
/// ```
/// use layout_algebra::prelude::*;
/// use static_assertions::assert_type_eq_all;
/// assert_type_eq_all!(
///     Replaced<Layout!((4, 6)), 0, Layout!((2, 2):(1, 8))>,
///     Layout!(((2, 2), 6):((1, 8), 4)),
/// );
/// ```
pub type Replaced<L, const I: usize, M> = <L as Replace<I, M>>::Output;
