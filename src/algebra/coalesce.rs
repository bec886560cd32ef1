//! `R = coalesce(L)`: `R(i) == L(i)` for all `i < size(L)`, in the fewest modes.
//!
//! `coalesce_z` preserves the function for all `i`: the last mode extends beyond the size, and
//! stays even if its extent is 1.
//!
//! Modes of extent 1 are dropped, and neighbours merge: `(s0:d0)(s1:s0*d0)` is `(s0*s1:d0)`.
//! Dynamic modes that are not known at compile time to merge stay apart, so that the form of the
//! result does not depend on a run-time value.

use typenum::{UInt, UTerm};

use crate::algebra::mode::{Mode, ModesOnto, Push};
use crate::algebra::operation;
use crate::algebra::outcome::{Apply, Evaluate};
use crate::algebra::trees::IntoResult;
use crate::error::Fault;
use crate::layout::strided::StridedLayout;
use crate::layout::tiler::Tiler;
use crate::list::{Cons, Nested, Nil};
use crate::number::int::{False, One, True};
use crate::number::multiple::Multiple;
use crate::number::table::{Number, Same, Times};
use crate::reasons::undefined::Undefined;
use crate::tuple::int_tuple::IntTuple;

impl<S: IntTuple, D: IntTuple> Evaluate<operation::Coalesce> for StridedLayout<S, D>
where
    S::Node: ModesOnto<D::Node, Nil, Merging, Output: IntoResult>,
{
    type Output = CoalescedLayout<S, D>;
    #[inline]
    fn evaluate(self) -> Result<Self::Output, Fault> {
        let (shape, stride) = self.into_parts();
        Ok(shape.node().modes_onto(stride.node(), Nil)?.into_result())
    }
}

/// The coalesced modes of the shape `S` and the stride `D` as a layout.
type CoalescedLayout<S, D> = <<<S as Nested>::Node as ModesOnto<
    <D as Nested>::Node,
    Nil,
    Merging,
>>::Output as IntoResult>::Output;

/// The same, but the last mode stays even if its extent is 1: its stride extends the domain.
impl<S: IntTuple, D: IntTuple> Evaluate<operation::CoalesceZ> for StridedLayout<S, D>
where
    S::Node: ModesOnto<D::Node, LastStays, Merging, Output: IntoResult>,
{
    type Output =
        <<S::Node as ModesOnto<D::Node, LastStays, Merging>>::Output as IntoResult>::Output;
    #[inline]
    fn evaluate(self) -> Result<Self::Output, Fault> {
        let (shape, stride) = self.into_parts();
        Ok(shape.node().modes_onto(stride.node(), LastStays)?.into_result())
    }
}

cases! { Apply::apply -> Result<Self::Output, Fault>:
    [N: Number, S: IntTuple, D: IntTuple] N, operation::CoalesceBy, StridedLayout<S, D>
        where (S::Node: ModesOnto<D::Node, Nil, Merging, Output: IntoResult>)
        => CoalescedLayout<S, D>,
        (self, left: StridedLayout<S, D>) => Evaluate::<operation::Coalesce>::evaluate(left);
}

macro_rules! coalesce_by_tuples {
    ($($Item:ident $item:ident)+) => {
        impl<Left, $($Item),+> Apply<operation::CoalesceBy, Left> for ($($Item,)+)
        where
            Tiler<Self>: Apply<operation::CoalesceBy, Left>,
        {
            type Output = <Tiler<Self> as Apply<operation::CoalesceBy, Left>>::Output;
            #[inline]
            fn apply(self, left: Left) -> Result<Self::Output, Fault> {
                Tiler::const_new(self).apply(left)
            }
        }
    };
}
each_arity!(coalesce_by_tuples);

// ---- merging ------------------------------------------------------------------------------------

/// The unbounded extent of a left operand's last mode: domains extend to the right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Unbounded;

/// Replaces the end of a list: the last mode in front of it becomes unbounded.
pub struct NoEnd;

/// Replaces the end of a list: the last mode in front of it stays, whatever its extent.
pub struct LastStays;

/// The strategy that merges modes: modes of extent 1 are dropped, and a mode that continues its
/// left neighbour is merged with it.
pub struct Merging;
cases! { Push::push -> Result<Self::Output, Fault>:
    [S, D] NoEnd, Merging, S, D => Cons<Mode<Unbounded, D>, Nil>,
        (self, mode: Mode<S, D>) => Ok(Cons { head: Mode { shape: Unbounded, stride: mode.stride }, tail: Nil });
    [S, D] LastStays, Merging, S, D => Cons<Mode<S, D>, Nil>,
        (self, mode: Mode<S, D>) => Ok(Cons { head: mode, tail: Nil });
    [D] Nil, Merging, Unbounded, D => Cons<Mode<Unbounded, D>, Nil>,
        (self, mode: Mode<Unbounded, D>) => Ok(Cons { head: mode, tail: Nil });
    [R, S, D] Undefined<R>, Merging, S, D => Self, (self, _: Mode<S, D>) => Ok(self);
    [D] Nil, Merging, One, D => Self, (self, _: Mode<One, D>) => Ok(self);
    [D, M, T] Cons<M, T>, Merging, One, D => Self, (self, _: Mode<One, D>) => Ok(self);
}
/// Extents that stay. One impl for each kind: a test of every extent against 1 costs more to
/// compile.
macro_rules! merge {
    ($([$($generic:ident)*] $extent:ty;)*) => {
        $(impl<D, $($generic),*> Push<Merging, $extent, D> for Nil {
            type Output = Cons<Mode<$extent, D>, Nil>;
            #[inline]
            fn push(self, mode: Mode<$extent, D>) -> Result<Self::Output, Fault> {
                Ok(Cons { head: mode, tail: Nil })
            }
        }
        impl<D, S1, D1, T, $($generic),*> Push<Merging, $extent, D> for Cons<Mode<S1, D1>, T>
        where
            $extent: Times<D>,
            D1: Same<<$extent as Times<D>>::Output, Output: Join<$extent, D, Self>>,
        {
            type Output = <D1::Output as Join<$extent, D, Self>>::Output;
            #[inline]
            fn push(self, mode: Mode<$extent, D>) -> Result<Self::Output, Fault> {
                D1::Output::join(mode, self)
            }
        }
        impl<S: Times<$extent>, D, D1, T, $($generic),*> Join<S, D, Cons<Mode<$extent, D1>, T>> for True {
            type Output = Cons<Mode<S::Output, D>, T>;
            #[inline]
            fn join(first: Mode<S, D>, behind: Cons<Mode<$extent, D1>, T>) -> Result<Self::Output, Fault> {
                let shape = first.shape.times(&behind.head.shape)?;
                Ok(Cons { head: Mode { shape, stride: first.stride }, tail: behind.tail })
            }
        })*
    };
}
merge! { [] UTerm; [U A B] UInt<UInt<U, A>, B>; [] usize; [Factor] Multiple<Factor>; }

/// The mode `S:D` before the merged modes `Behind`; `self` says whether the first of `Behind`
/// continues it.
pub trait Join<S, D, Behind> {
    type Output;
    fn join(first: Mode<S, D>, behind: Behind) -> Result<Self::Output, Fault>;
}
cases! { Join::join -> Result<Self::Output, Fault>:
    [S, D, Behind] False, S, D, Behind => Cons<Mode<S, D>, Behind>,
        (first: Mode<S, D>, behind: Behind) => Ok(Cons { head: first, tail: behind });
    // A last mode of extent 1 that stayed, and that continues the first mode.
    [S, D, D1, T] True, S, D, Cons<Mode<One, D1>, T> => Cons<Mode<S, D>, T>,
        (first: Mode<S, D>, behind: Cons<Mode<One, D1>, T>) => Ok(Cons { head: first, tail: behind.tail });
}
impl<S, D, D1, T> Join<S, D, Cons<Mode<Unbounded, D1>, T>> for True {
    type Output = Cons<Mode<Unbounded, D>, T>;
    #[inline]
    fn join(
        first: Mode<S, D>,
        behind: Cons<Mode<Unbounded, D1>, T>,
    ) -> Result<Self::Output, Fault> {
        Ok(Cons { head: Mode { shape: Unbounded, stride: first.stride }, tail: behind.tail })
    }
}

/// A list of modes, merged, in front of the merged modes `Tail`.
pub trait Merge<Tail = Nil> {
    type Output;
    fn merge(self, tail: Tail) -> Result<Self::Output, Fault>;
}
cases! { Merge::merge -> Result<Self::Output, Fault>:
    [Tail] Nil, Tail => Tail, (self, tail: Tail) => Ok(tail);
    [S, D, T: Merge<Tail, Output: Push<Merging, S, D>>, Tail] Cons<Mode<S, D>, T>, Tail
        => <T::Output as Push<Merging, S, D>>::Output,
        (self, tail: Tail) => self.tail.merge(tail)?.push(self.head);
}
