//! `R = filter(L)`: the same image, `{R(i)} == {L(i)}`, without the modes that do not move: those
//! of stride 0 and of extent 1.

use typenum::{UInt, UTerm};

use crate::algebra::coalesce::Merge;
use crate::algebra::mode::{AllModes, Mode, ModesOnto};
use crate::algebra::operation;
use crate::algebra::outcome::{Apply, Evaluate};
use crate::algebra::trees::IntoResult;
use crate::error::Fault;
use crate::layout::strided::StridedLayout;
use crate::layout::tiler::Tiler;
use crate::list::{Cons, Nested, Nil};
use crate::number::table::{Number, RunTimeNumber};

/// A list of modes without those of stride 0.
pub trait Moving {
    type Output;
    fn moving(self) -> Result<Self::Output, Fault>;
}
cases! { Moving::moving -> Result<Self::Output, Fault>:
    [] Nil => Nil, (self) => Ok(Nil);
    // A mode of stride 0 is dropped. An extent of 0 is refused: the rest would no longer be empty.
    [S: Number, T: Moving] Cons<Mode<S, UTerm>, T> => T::Output,
        (self) => if self.head.shape.get() == 0 { Err(Fault::NoIndex) } else { self.tail.moving() };
    [S, T: Moving, U, B] Cons<Mode<S, UInt<U, B>>, T> => Cons<Mode<S, UInt<U, B>>, T::Output>,
        (self) => Ok(Cons { head: self.head, tail: self.tail.moving()? });
    [S, T: Moving, N: RunTimeNumber] Cons<Mode<S, N>, T> => Cons<Mode<S, N>, T::Output>,
        (self) => Ok(Cons { head: self.head, tail: self.tail.moving()? });
}

impl<S: Nested, D: Nested> Evaluate<operation::Filter> for StridedLayout<S, D>
where
    S::Node: ModesOnto<D::Node, Nil, Output: Moving<Output: Merge<Output: IntoResult>>>,
{
    type Output = <MovingModes<S, D> as IntoResult>::Output;
    #[inline]
    fn evaluate(self) -> Result<Self::Output, Fault> {
        let (shape, stride) = self.into_parts();
        Ok(shape.node().modes_onto(stride.node(), Nil)?.moving()?.merge(Nil)?.into_result())
    }
}

/// The modes of the shape `S` and the stride `D` that move, merged.
type MovingModes<S, D> = <<AllModes<S, D> as Moving>::Output as Merge>::Output;

cases! { Apply::apply -> Result<Self::Output, Fault>:
    [N: Number, A: Evaluate<operation::Filter>] N, operation::FilterBy, A => A::Output,
        (self, left: A) => left.evaluate();
}

macro_rules! filter_by_tuples {
    ($($Item:ident $item:ident)+) => {
        impl<Left, $($Item),+> Apply<operation::FilterBy, Left> for ($($Item,)+)
        where
            Tiler<Self>: Apply<operation::FilterBy, Left>,
        {
            type Output = <Tiler<Self> as Apply<operation::FilterBy, Left>>::Output;
            #[inline]
            fn apply(self, left: Left) -> Result<Self::Output, Fault> {
                Tiler::const_new(self).apply(left)
            }
        }
    };
}
each_arity!(filter_by_tuples);
