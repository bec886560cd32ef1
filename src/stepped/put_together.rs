//! Layouts of XOR strides and negative ones as modes of others, and with modes of others.
//!
//! ```text
//! (8,8):(1,8) and 4:^64       (8,8,4):(1,8,^64)    a layout of XOR strides with one of natural strides is one
//! (8,8):(1,8) and 4:^8        refused: bit 3 is one of both
//! (4,6):(-1,4) and 4:^64      refused: offsets with a sign have no XOR
//! ```

use crate::algebra::modes::by_number::Replace;
use crate::algebra::modes::named_modes::PutAt;
use crate::algebra::operation::{self, Apply};
use crate::algebra::reshape::StayStill;
use crate::algebra::traits::LayoutLike;
use crate::error::{Fault, LayoutError, expect};
use crate::layout::ordered::LeafInOrder;
use crate::layout::strided::StridedLayout;
use crate::list::Cons;
use crate::stepped::algebra::{IntoStepped, stepped};
use crate::stepped::layout::SteppedLayout;
use crate::stepped::minus::Minus;
use crate::stepped::of_kinds::IntoKinds;
use crate::stepped::xor::Xor;
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::semimodule::{Bits, Signed};

macro_rules! appended {
    ($($operation:ident)*) => {
        $(impl<A, T, S, D> Apply<operation::$operation, A> for SteppedLayout<T, S, D>
        where
            StridedLayout<S, D>: Apply<operation::$operation, A, Output: IntoKinds<T>>,
        {
            type Output =
                <<StridedLayout<S, D> as Apply<operation::$operation, A>>::Output as IntoKinds<T>>::Output;
            #[inline]
            fn apply(self, left: A) -> Result<Self::Output, Fault> {
                Ok(self.strided().apply(left)?.into_kinds())
            }
        })*
    };
}
appended! { Append Prepend }
impl<A, S, D> Apply<operation::LayoutAdd, A> for SteppedLayout<Signed, S, D>
where
    StridedLayout<S, D>: Apply<operation::LayoutAdd, A, Output: IntoKinds<Signed>>,
{
    type Output = <<StridedLayout<S, D> as Apply<operation::LayoutAdd, A>>::Output as IntoKinds<Signed>>::Output;
    #[inline]
    fn apply(self, left: A) -> Result<Self::Output, Fault> {
        Ok(self.strided().apply(left)?.into_kinds())
    }
}

impl<A, T, S, D, const I: usize> PutAt<A, I> for SteppedLayout<T, S, D>
where
    StridedLayout<S, D>: PutAt<A, I, Output: IntoKinds<T>>,
{
    type Output = <<StridedLayout<S, D> as PutAt<A, I>>::Output as IntoKinds<T>>::Output;
    #[inline]
    fn put_at(self, layout: A) -> Self::Output {
        self.strided().put_at(layout).into_kinds()
    }
}
macro_rules! of_kinds {
    ($($offsets:ident)*) => {
        $(impl<S: IntTuple, D: IntTuple, M, const I: usize> Replace<I, M> for SteppedLayout<$offsets, S, D>
        where
            StridedLayout<S, D>: Replace<I, M, Output: IntoStepped<$offsets>>,
        {
            type Output = <<StridedLayout<S, D> as Replace<I, M>>::Output as IntoStepped<$offsets>>::Output;
            #[inline]
            #[track_caller]
            fn replaced(self, mode: M) -> Self::Output {
                expect(stepped::<operation::Replace, $offsets, _>(&self, self.strided().replaced(mode)))
            }
        }
        impl<S: IntTuple, D: IntTuple> LayoutLike for SteppedLayout<$offsets, S, D>
        where
            StridedLayout<S, D>: LayoutLike,
        {
            type Output = <StridedLayout<S, D> as LayoutLike>::Output;
            #[inline]
            fn evaluated(layout: Self) -> Result<Self::Output, LayoutError> {
                LayoutLike::evaluated(layout.strided())
            }
        })*
    };
}
of_kinds! { Bits Signed }

// `layout_like` puts strides in the order of their numbers.
cases! { StayStill::stay_still -> Self::Output:
    [S, N, T] Cons<LeafInOrder<S, Xor<N>>, T> where (Cons<LeafInOrder<S, N>, T>: StayStill)
        => <Cons<LeafInOrder<S, N>, T> as StayStill>::Output,
        (self) => Cons { head: LeafInOrder(self.head.0, self.head.1.0), tail: self.tail }.stay_still();
    [S, N, T] Cons<LeafInOrder<S, Minus<N>>, T> where (Cons<LeafInOrder<S, N>, T>: StayStill)
        => <Cons<LeafInOrder<S, N>, T> as StayStill>::Output,
        (self) => Cons { head: LeafInOrder(self.head.0, self.head.1.0), tail: self.tail }.stay_still();
}
