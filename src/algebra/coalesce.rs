//! `R = coalesce(L)`: `R(i) == L(i)` for all `i < size(L)`, in the fewest modes.
//!
//! Modes of extent 1 go, and neighbours merge: `(s0:d0)(s1:s0*d0)` is `(s0*s1:d0)`. With dynamic numbers, what is not known
//! at compile time to merge stays apart, so that the form of the result does not depend on a run-time value.

use typenum::{UInt, UTerm};

use crate::algebra::by_mode::Apply;
use crate::algebra::modes::{IntoTrees, Mode, ModesOnto};
use crate::algebra::operation::{self, Evaluate, binary, unary};
use crate::error::Fault;
use crate::int::{False, One, True};
use crate::multiple::Multiple;
use crate::number::{Same, Times};
use crate::strided::StridedLayout;
use crate::tiler::Tiler;
use crate::tuple::{Cons, Nested, Nil};
use crate::undefined::Defined;

// ---- the public face ----------------------------------------------------------------------------------------------

unary! {
    /// `L: Coalesce`: the layout in the fewest modes. CuTe's `coalesce`.
    ///
    /// `coalesce(L)(i) == L(i)` for all `i < size(L)`
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// assert_type_eq_all!(Coalesced<Layout!((2, (1, 6)):(1, (6, 2)))>, Layout!(12:1));
    /// assert_type_eq_all!(Coalesced<Layout!((2, 4):(4, 1))>, Layout!((2, 4):(4, 1)));
    /// ```
    #[diagnostic::on_unimplemented(
        message = "cannot coalesce: nothing says that this layout can",
        label = "`{Self}` is not known to have this operation",
        note = "generic code names what it needs as a bound: `L: Coalesce`"
    )]
    trait Coalesce;
    /// The type of `L` coalesced.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// assert_type_eq_all!(Coalesced<Layout!(((2, 2), 3):((1, 2), 8))>, Layout!((4, 3):(1, 8)));
    /// ```
    type Coalesced;
}

impl<S: Nested, D: Nested> Evaluate<operation::Coalesce> for StridedLayout<S, D>
where
    S::Node: ModesOnto<D::Node, Nil, Output: Merge<Output: IntoTrees>>,
{
    type Output = Whole<S, D>;
    #[inline(always)]
    fn evaluate(self) -> Result<Self::Output, Fault> {
        let (shape, stride) = self.into_parts();
        let (shape, stride) = shape.node().modes_onto(stride.node(), Nil).merge()?.into_trees();
        Ok(Defined { shape, stride })
    }
}

/// The coalesced modes of the shape `S` and the stride `D`.
type Merged<S, D> = <<<S as Nested>::Node as ModesOnto<<D as Nested>::Node, Nil>>::Output as Merge>::Output;
/// They as a layout.
type Whole<S, D> = Defined<<Merged<S, D> as IntoTrees>::Shape, <Merged<S, D> as IntoTrees>::Stride>;

binary! {
    /// `L: CoalesceBy<P>`: the layout coalesced within each leaf of the profile `P`, whose numbers do not matter. Modes beyond the rank of `P`
    /// are kept. CuTe's `coalesce` with a target profile.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// assert_type_eq_all!(CoalescedBy<Layout!((2, (1, 6)):(1, (6, 2))), Shape!((1, 1))>, Layout!((2, 6):(1, 2)));
    /// ```
    #[diagnostic::on_unimplemented(
        message = "cannot coalesce by a profile: nothing says that this layout can",
        label = "`{Self}` is not known to have this operation",
        note = "generic code names what it needs as a bound: `L: CoalesceBy<P>`"
    )]
    trait CoalesceBy;
    /// The type of `A` coalesced within each leaf of the profile `B`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// assert_type_eq_all!(CoalescedBy<Layout!(((2, 2), 3)), Shape!((1, 1))>, Layout!((4, 3)));
    /// ```
    type CoalescedBy;
}

macro_rules! profile_leaves {
    ($([$($generic:ident)*] $leaf:ty;)*) => {
        $(impl<S: Nested, D: Nested, $($generic),*> Apply<operation::CoalesceBy, StridedLayout<S, D>> for $leaf
        where
            S::Node: ModesOnto<D::Node, Nil, Output: Merge<Output: IntoTrees>>,
        {
            type Output = Whole<S, D>;
            #[inline(always)]
            fn apply(self, left: StridedLayout<S, D>) -> Result<Self::Output, Fault> {
                Evaluate::<operation::Coalesce>::evaluate(left)
            }
        })*
    };
}
profile_leaves! { [] UTerm; [U B] UInt<U, B>; [] usize; [Factor] Multiple<Factor>; }

macro_rules! profile_tuples {
    ($($Item:ident $item:ident)+) => {
        impl<Left, $($Item),+> Apply<operation::CoalesceBy, Left> for ($($Item,)+)
        where
            Tiler<Self>: Apply<operation::CoalesceBy, Left>,
        {
            type Output = <Tiler<Self> as Apply<operation::CoalesceBy, Left>>::Output;
            #[inline(always)]
            fn apply(self, left: Left) -> Result<Self::Output, Fault> {
                Tiler::new(self).apply(left)
            }
        }
    };
}
each_arity!(profile_tuples);

// ---- merging ------------------------------------------------------------------------------------------------------

/// Is this extent 1 for certain?
pub trait IsOne {
    type Output;
}
impl IsOne for UTerm {
    type Output = False;
}
impl IsOne for One {
    type Output = True;
}
impl<U, A, B> IsOne for UInt<UInt<U, A>, B> {
    type Output = False;
}
impl IsOne for usize {
    type Output = False;
}
impl<N> IsOne for Multiple<N> {
    type Output = False;
}

/// The extent of a left operand's last mode: it has no end, since domains extend to the right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Unbounded;

/// A list of modes whose last one is made unbounded.
pub trait Unbound {
    type Output;
    fn unbound(self) -> Self::Output;
}
impl<S, D> Unbound for Cons<Mode<S, D>, Nil> {
    type Output = Cons<Mode<Unbounded, D>, Nil>;
    #[inline(always)]
    fn unbound(self) -> Self::Output {
        Cons { head: Mode { shape: Unbounded, stride: self.head.stride }, tail: Nil }
    }
}
impl<M, N, T> Unbound for Cons<M, Cons<N, T>>
where
    Cons<N, T>: Unbound,
{
    type Output = Cons<M, <Cons<N, T> as Unbound>::Output>;
    #[inline(always)]
    fn unbound(self) -> Self::Output {
        Cons { head: self.head, tail: self.tail.unbound() }
    }
}

/// The extent of two merged modes.
pub trait JoinExtent<S1> {
    type Output;
    fn join_extent(self, second: S1) -> Result<Self::Output, Fault>;
}
impl<S> JoinExtent<Unbounded> for S {
    type Output = Unbounded;
    #[inline(always)]
    fn join_extent(self, second: Unbounded) -> Result<Unbounded, Fault> {
        Ok(second)
    }
}
macro_rules! join_extent {
    ($([$($generic:ident)*] $second:ty;)*) => {
        $(impl<S: Times<$second>, $($generic),*> JoinExtent<$second> for S {
            type Output = S::Output;
            #[inline(always)]
            fn join_extent(self, second: $second) -> Result<Self::Output, Fault> {
                self.times(&second)
            }
        })*
    };
}
join_extent! { [] UTerm; [U B] UInt<U, B>; [] usize; [Factor] Multiple<Factor>; }

/// A list of modes with the fewest modes: none of extent 1, no neighbours that merge.
pub trait Merge {
    type Output;
    fn merge(self) -> Result<Self::Output, Fault>;
}
impl Merge for Nil {
    type Output = Nil;
    #[inline(always)]
    fn merge(self) -> Result<Nil, Fault> {
        Ok(Nil)
    }
}
impl<D, T: Merge> Merge for Cons<Mode<One, D>, T> {
    type Output = T::Output;
    #[inline(always)]
    fn merge(self) -> Result<Self::Output, Fault> {
        self.tail.merge()
    }
}

/// [`Merge`] of the mode `S:D`, whose extent is not 1 for certain, and the list `self`.
pub trait MergeFrom<S, D> {
    type Output;
    fn merge_from(self, mode: Mode<S, D>) -> Result<Self::Output, Fault>;
}
impl<S, D> MergeFrom<S, D> for Nil {
    type Output = Cons<Mode<S, D>, Nil>;
    #[inline(always)]
    fn merge_from(self, mode: Mode<S, D>) -> Result<Self::Output, Fault> {
        Ok(Cons { head: mode, tail: Nil })
    }
}
impl<S, D, D1, T: MergeFrom<S, D>> MergeFrom<S, D> for Cons<Mode<One, D1>, T> {
    type Output = T::Output;
    #[inline(always)]
    fn merge_from(self, mode: Mode<S, D>) -> Result<Self::Output, Fault> {
        self.tail.merge_from(mode)
    }
}

/// Extents that stay: one impl for each kind of them, since to ask of every extent whether it is 1 costs more to compile.
macro_rules! merge_modes {
    ($([$($generic:ident)*] $extent:ty;)*) => {
        $(impl<D, T: MergeFrom<$extent, D>, $($generic),*> Merge for Cons<Mode<$extent, D>, T> {
            type Output = T::Output;
            #[inline(always)]
            fn merge(self) -> Result<Self::Output, Fault> {
                self.tail.merge_from(self.head)
            }
        }
        impl<S: Times<D>, D, D1: Same<S::Output>, T, $($generic),*> MergeFrom<S, D> for Cons<Mode<$extent, D1>, T>
        where
            D1::Output: Join<S, D, $extent, D1, T>,
        {
            type Output = <D1::Output as Join<S, D, $extent, D1, T>>::Output;
            #[inline(always)]
            fn merge_from(self, mode: Mode<S, D>) -> Result<Self::Output, Fault> {
                D1::Output::join(mode, self.head, self.tail)
            }
        })*
    };
}
merge_modes! { [] UTerm; [U A B] UInt<UInt<U, A>, B>; [] usize; [Factor] Multiple<Factor>; [] Unbounded; }

/// [`Merge`] of two modes and a list; `self` says whether the second mode goes on where the first ends.
pub trait Join<S, D, S1, D1, T> {
    type Output;
    fn join(first: Mode<S, D>, second: Mode<S1, D1>, tail: T) -> Result<Self::Output, Fault>;
}
impl<S: JoinExtent<S1>, D, S1, D1, T: MergeFrom<S::Output, D>> Join<S, D, S1, D1, T> for True {
    type Output = T::Output;
    #[inline(always)]
    fn join(first: Mode<S, D>, second: Mode<S1, D1>, tail: T) -> Result<Self::Output, Fault> {
        tail.merge_from(Mode { shape: first.shape.join_extent(second.shape)?, stride: first.stride })
    }
}
impl<S, D, S1, D1, T: MergeFrom<S1, D1>> Join<S, D, S1, D1, T> for False {
    type Output = Cons<Mode<S, D>, T::Output>;
    #[inline(always)]
    fn join(first: Mode<S, D>, second: Mode<S1, D1>, tail: T) -> Result<Self::Output, Fault> {
        Ok(Cons { head: first, tail: tail.merge_from(second)? })
    }
}
