//! A flip: one mode counted backwards, with its strides negated.
//!
//! ```text
//! flip(L)(c) = L(n - 1 - c) - L(n - 1)          of the numbers of one mode, of n elements
//! ```

use typenum::{Const, ToUInt, UInt, UTerm};

use crate::algebra::modes::by_number::{SplitAt, U};
use crate::layout::refused_layout::RefusedLayout;
use crate::layout::strided::StridedLayout;
use crate::layout::traits::Layout;
use crate::list::{Concat, Cons, Leaf, Nested, Nil, TreeOf, Untangle};
use crate::number::multiple::Multiple;
use crate::number::table::StrideKind;
use crate::strides::layout::SignedLayout;
use crate::strides::negative::Neg;
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::node::{Kind, Node};

/// `L: Flip<I>`: mode `I` of the layout can be counted backwards.
///
/// ```
/// use layout_algebra::operation::Flip;
/// use layout_algebra::prelude::*;
/// use static_assertions::assert_type_eq_all;
/// assert_type_eq_all!(<Layout!((4, 6)) as Flip<0>>::Output, Layout!((4, 6):(-1, 4)));
/// ```
#[diagnostic::on_unimplemented(
    message = "cannot flip: this layout has no mode {I} that can be counted backwards",
    label = "`{Self}`: a mode beyond the last one",
    note = "modes are counted from 0; generic code names what it needs as a bound: `L: Flip<0>`"
)]
pub trait Flip<const I: usize>: Layout {
    /// The layout with the strides of the mode negated.
    type Output: Layout;
    #[doc(hidden)]
    fn flipped(self) -> Self::Output;
    /// The offset of the last coordinate of the mode, 0 for an empty layout.
    #[doc(hidden)]
    fn last_of_mode(&self) -> isize;
}
/// The type of `L` with mode `I` counted backwards.
///
/// ```
/// use layout_algebra::operation::Flipped;
/// use layout_algebra::prelude::*;
/// use static_assertions::assert_type_eq_all;
/// assert_type_eq_all!(
///     Flipped<Layout!((4, (2, 3)):(-6, (3, 1))), 1>,
///     Layout!((4, (2, 3)):(-6, (-3, -1))),
/// );
/// ```
pub type Flipped<L, const I: usize> = <L as Flip<I>>::Output;

macro_rules! flips {
    ($($layout:ident $like:literal)*) => {
        $(impl<S: IntTuple, D: IntTuple> $layout<S, D> {
            /// The layout with mode `I` counted backwards, from the offset of its last number on.
            /// As the layout of a tensor it is moved: [`Tensor::flip`](crate::Tensor::flip),
            /// [`SignedLayout::moved`].
            ///
            /// `flip(L)(c) == L(n - 1 - c) - L(n - 1)` of the numbers of that mode, of `n` elements
            ///
            /// ```
            /// use layout_algebra::prelude::*;
            #[doc = $like]
            /// let offset = |i: usize| l.index((i, 1)) as isize - l.index((3, 0)) as isize;
            /// assert!((0..4).all(|i| flipped.index((i, 1)) == offset(3 - i)));
            /// ```
            ///
            /// ```compile_fail,E0277
            /// use layout_algebra::prelude::*;
            /// layout!((4, 6)).flip::<2>(); // modes are counted from 0
            /// ```
            #[inline(always)]
            pub fn flip<const I: usize>(&self) -> Flipped<Self, I>
            where
                Self: Flip<I>,
            {
                self.flipped()
            }
        }
        impl<S: IntTuple, D: IntTuple, const I: usize> Flip<I> for $layout<S, D>
        where
            Const<I>: ToUInt,
            D::Node: SplitAt<U<I>, Back: NegateFirst>,
            StridesBefore<D, I>: Concat<StridesFrom<D, I>, Output: Untangle<Tree: IntTuple>>,
        {
            type Output = SignedLayout<S, TreeOf<<StridesBefore<D, I> as Concat<StridesFrom<D, I>>>::Output>>;
            #[inline(always)]
            fn flipped(self) -> Self::Output {
                let (before, from) = self.stride().node().split_at();
                let stride = before.concat(from.negate_first()).tree();
                SignedLayout::assemble(StridedLayout::assemble(self.shape(), stride))
            }
            #[inline(always)]
            fn last_of_mode(&self) -> isize {
                match self.shape().node().product() {
                    Some(0) => 0,
                    _ => last_of_mode(I, self.shape().node(), self.stride().node()),
                }
            }
        })*
    };
}
flips! {
    StridedLayout "let (l, flipped) = (layout!((4, 6)), layout!((4, 6)).flip::<0>());\nassert_eq!(flipped, layout!((4, 6):(-1, 4)));"
    SignedLayout "let l = layout!((4, (2, 3)):(1, (-4, -8)));\nlet flipped = l.flip::<0>();\nassert_eq!(flipped, layout!((4, (2, 3)):(-1, (-4, -8))));"
}

/// The offset of the last coordinate of a mode of the first level, if it fits.
#[inline(always)]
fn last_of_mode<S: Node, D: Node>(mode: usize, shape: S, stride: D) -> isize {
    match S::KIND {
        Kind::Cons if mode > 0 => last_of_mode(mode - 1, shape.tail(), stride.tail()),
        Kind::Cons => last(shape.head(), stride.head()),
        _ => last(shape, stride),
    }
}
#[inline(always)]
fn last<S: Node, D: Node>(shape: S, stride: D) -> isize {
    match S::KIND {
        Kind::Nil => 0,
        Kind::Leaf => {
            let far = shape.leaf().saturating_sub(1).wrapping_mul(stride.leaf()) as isize;
            if D::STRIDE == StrideKind::Negative { far.wrapping_neg() } else { far }
        }
        Kind::Cons => {
            last(shape.head(), stride.head()).wrapping_add(last(shape.tail(), stride.tail()))
        }
    }
}

#[diagnostic::do_not_recommend]
impl<const I: usize> Flip<I> for RefusedLayout {
    type Output = Self;
    fn flipped(self) -> Self {
        self
    }
    fn last_of_mode(&self) -> isize {
        0
    }
}
// ---- strides with the other sign ----------------------------------------------------------------

/// The strides of the modes before mode `I`.
type StridesBefore<D, const I: usize> = <<D as Nested>::Node as SplitAt<U<I>>>::Front;
/// The strides from mode `I` on, with those of mode `I` negated.
type StridesFrom<D, const I: usize> =
    <<<D as Nested>::Node as SplitAt<U<I>>>::Back as NegateFirst>::Output;

/// The strides of the node `self`, with those of the first mode negated.
#[diagnostic::on_unimplemented(
    message = "cannot flip a mode that this layout does not have",
    label = "modes are counted from 0"
)]
pub trait NegateFirst {
    type Output;
    fn negate_first(self) -> Self::Output;
}
cases! { NegateFirst::negate_first -> Self::Output:
    [N: OtherSign] Leaf<N> => Leaf<N::Output>, (self) => Leaf(self.0.other_sign());
    [H: Nested<Node: Negate<Output: Untangle>>, T] Cons<H, T> => Cons<TreeOf<<H::Node as Negate>::Output>, T>,
        (self) => Cons { head: self.head.node().negate().tree(), tail: self.tail };
}

/// The strides of the node `self`, all negated.
pub trait Negate {
    type Output;
    fn negate(self) -> Self::Output;
}
cases! { Negate::negate -> Self::Output:
    [] Nil => Nil, (self) => self;
    [N: OtherSign] Leaf<N> => Leaf<N::Output>, (self) => Leaf(self.0.other_sign());
    [H: Nested<Node: Negate<Output: Untangle>>, T: Negate] Cons<H, T>
        => Cons<TreeOf<<H::Node as Negate>::Output>, T::Output>,
        (self) => Cons { head: self.head.node().negate().tree(), tail: self.tail.negate() };
}

/// A stride, negated.
pub trait OtherSign {
    type Output;
    fn other_sign(self) -> Self::Output;
}
cases! { OtherSign::other_sign -> Self::Output:
    [] UTerm => UTerm, (self) => self;
    [U, B] UInt<U, B> => Neg<Self>, (self) => Neg(self);
    [] usize => Neg<usize>, (self) => Neg(self);
    [F] Multiple<F> => Neg<Self>, (self) => Neg(self);
    [N] Neg<N> => N, (self) => self.0;
}
