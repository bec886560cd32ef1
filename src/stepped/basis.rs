//! Steps along the axes of a shape as strides: CuTe's basis elements.
//!
//! ```text
//! c * (k@j) = (c * k)@j          a@j + b@j = (a + b)@j          along two axes at once: a `Diagonal`
//! ```

use core::fmt::{self, Debug, Formatter};
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;

use typenum::{Equal, UInt, UTerm};

use crate::algebra::compose::composition::no_carries;
use crate::algebra::compose::one_mode::OfOneMode;
use crate::error::Fault;
use crate::list::{Cons, Leaf, Nested, Nil, Untangle};
use crate::number::int::{AddInt, False, One, StaticInt, True};
use crate::number::multiple::Multiple;
use crate::number::table::{Number, Order, Plus, Same, SealedNumber, StrideKind, Times};
use crate::refusal::undefined::Undefined;
use crate::refusal::{ByStride, Carry};

/// `K` steps along axis `J`, a stride of an identity layout. Axes count the leaves of the shape from the left.
pub struct Basis<J, K>(K, PhantomData<J>);

impl<J, K: Copy> Clone for Basis<J, K> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}
impl<J, K: Copy> Copy for Basis<J, K> {}
impl<J: StaticInt, K: Number> Debug for Basis<J, K> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.0.get(), J::VALUE)
    }
}
impl<J, K: PartialEq> PartialEq for Basis<J, K> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}
impl<J, K: Eq> Eq for Basis<J, K> {}
impl<J, K: Hash> Hash for Basis<J, K> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}
impl<J, K: Default> Default for Basis<J, K> {
    #[inline]
    fn default() -> Self {
        Basis(K::default(), PhantomData)
    }
}
leaves! { [J K] Basis<J, K>; }
impl<J, K> SealedNumber for Basis<J, K> {}
impl<J: StaticInt, K: Number> Number for Basis<J, K> {
    const STATIC: Option<usize> = K::STATIC;
    const STRIDE: StrideKind = StrideKind::Along(J::VALUE);
    #[inline]
    fn largest(least: usize) -> Option<Self> {
        Some(Basis(K::largest(least)?, PhantomData))
    }
    #[inline]
    fn get(self) -> usize {
        self.0.get()
    }
}

// `c * (k@j) = (c * k)@j`
cases! { Times::times -> Result<Self::Output, Fault>, for { [U B] UInt<U, B>; [] usize; [Factor] Multiple<Factor>; }:
    [J: StaticInt, K] Self, Basis<J, K> where (Self: Times<K>) => Basis<J, <Self as Times<K>>::Output>,
        (&self, right: &Basis<J, K>) => Ok(Basis(self.times(&right.0)?, PhantomData));
}

// `a@j + 0 = a@j`
cases! { Plus::plus -> Result<Self::Output, Fault>:
    [J: StaticInt, K: Number] Basis<J, K>, UTerm => Self, (&self, _: &UTerm) => Ok(*self);
    // `a@j + b@j = (a + b)@j`; along two axes it is a `Diagonal`.
    [J: Order<I, Output: SumAlong<J, K, I, M>>, K, I, M] Basis<J, K>, Basis<I, M>
        => <J::Output as SumAlong<J, K, I, M>>::Output,
        (&self, right: &Basis<I, M>) => J::Output::sum_along(self, right);
}
/// The sum of two steps; `self` is the order of their axes.
pub trait SumAlong<J, K, I, M> {
    type Output: Number;
    fn sum_along(left: &Basis<J, K>, right: &Basis<I, M>) -> Result<Self::Output, Fault>;
}
impl<J: StaticInt, K: Plus<M>, I, M> SumAlong<J, K, I, M> for Equal {
    type Output = Basis<J, K::Output>;
    #[inline]
    fn sum_along(left: &Basis<J, K>, right: &Basis<I, M>) -> Result<Self::Output, Fault> {
        Ok(Basis(left.0.plus(&right.0)?, PhantomData))
    }
}
#[diagnostic::on_unimplemented(
    message = "cannot compose: one step of the result would go along several axes of the identity layout at once, as far \
               as only run time knows",
    label = "a step along several axes has to be known at compile time",
    note = "divide the identity layout by a static tiler, or let each stride of the right layout stay within one mode of \
            the left one; where any coordinate will do, ask for each on its own: `identity.index(l.index(c))`"
)]
/// Implemented by nothing: the message of steps along several axes that run time knows.
pub trait StepAlong<A, B> {}

cases! { Same:
    [J, K] UTerm, Basis<J, K> => False;
    [J, K, U, B] UInt<U, B>, Basis<J, K> => False;
    [J, K] Basis<J, K>, UTerm => False;
    [J, K, U, B] Basis<J, K>, UInt<U, B> => False;
    [J, K] Basis<J, K>, usize => False;
    [J, K, Factor] Basis<J, K>, Multiple<Factor> => False;
}
/// Equal if the axis and the number of steps are.
impl<J: Same<I>, K, I, N> Same<Basis<I, N>> for Basis<J, K>
where
    J::Output: SameSteps<K, N>,
{
    type Output = <J::Output as SameSteps<K, N>>::Output;
}
/// Are the numbers of steps equal too? `self` says whether the axes are.
pub trait SameSteps<K, N> {
    type Output;
}
cases! { SameSteps:
    [K, N] False, K, N => False;
    [K: Same<N>, N] True, K, N => K::Output;
}

/// The basis elements for the leaves of the node `self`, the first one for axis `J`, and the axis behind the last.
pub trait BasisFrom<J> {
    type Stride;
    type Next;
    fn basis_from(self) -> Self::Stride;
}
impl<J> BasisFrom<J> for Nil {
    type Stride = Nil;
    type Next = J;
    #[inline]
    fn basis_from(self) -> Nil {
        Nil
    }
}
impl<J: AddInt<One>, N> BasisFrom<J> for Leaf<N> {
    type Stride = Basis<J, One>;
    type Next = J::Output;
    #[inline]
    fn basis_from(self) -> Self::Stride {
        Basis::default()
    }
}
impl<H, T, J> BasisFrom<J> for Cons<H, T>
where
    H: Nested<Node: BasisFrom<J, Stride: Untangle>>,
    T: BasisFrom<<H::Node as BasisFrom<J>>::Next>,
{
    type Stride = Cons<<<H::Node as BasisFrom<J>>::Stride as Untangle>::Tree, T::Stride>;
    type Next = T::Next;
    #[inline]
    fn basis_from(self) -> Self::Stride {
        Cons { head: self.head.node().basis_from().tree(), tail: self.tail.basis_from() }
    }
}

no_carries! { [J K] Basis<J, K>; }

cases! { OfOneMode::of_one_mode -> Self::Output:
    [A, N, E, Sum, S, J, K] Undefined<Carry<Sum, S, Basis<J, K>>>, A, N, E => Self, (self) => self;
}

/// Steps along an axis have no stride to name.
impl<At, In, J, K> ByStride<At, In> for Basis<J, K> {
    type Output = In;
}
