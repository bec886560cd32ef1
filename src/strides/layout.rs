//! `SteppedLayout<T, S, D>`: a shape, and strides whose sums are not natural numbers.
//!
//! A strided layout within multiplies and adds the strides by the tables of all numbers, and so
//! runs the algebra. The type is distinct from a strided layout: code that reads strides as natural
//! numbers, as tensors do, cannot take it by accident.

use core::fmt::{self, Formatter};
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;

use typenum::{UInt, UTerm};

use crate::error::{Fault, LayoutError};
use crate::layout::display::{Notation, display};
use crate::layout::print::HasTable;
use crate::layout::refused_layout::RefusedLayout;
use crate::layout::strided::StridedLayout;
use crate::layout::traits::{CoordinateOf, Layout};
use crate::list::Nested;
use crate::number::multiple::Multiple;
use crate::number::table::{Natural, Number, StrideKind};
use crate::strides::axes::{Basis, Diagonal};
use crate::strides::negative::{Neg, Signed};
use crate::tuple::bounds::InBounds;
use crate::tuple::coord::Coordinates;
use crate::tuple::int_tuple::{IntTuple, StaticTuple};
use crate::tuple::node::{Kind, Node, hash_kinds};
use crate::tuple::profile::{Congruent, WeaklyCongruent};
use crate::tuple::semimodule::Semimodule;

/// A layout whose strides are of another kind than natural numbers: a shape `S`, a stride `D`, and
/// where the offsets lie, the [`Semimodule`] `T`. [`SignedLayout`] and
/// [`IdentityLayout`](crate::IdentityLayout).
///
/// `index(c) = sum c_k * d_k`, with the products and the sum of `T`
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::{Semimodule, strides::SteppedLayout};
/// fn first<T: Semimodule, S: IntTuple, D: IntTuple>(layout: SteppedLayout<T, S, D>) -> T::Offset {
///     layout.at(1)
/// }
/// assert_eq!(first(layout!((4, 6):(-1, 4))), -1);
/// assert_eq!(first(identity(shape!((4, 6)))), (1, 0));
/// ```
///
/// XOR strides have no type: they are a `DynLayout`'s, or a [`Swizzle`](crate::Swizzle) of natural
/// ones.
#[must_use]
pub struct SteppedLayout<T, S, D> {
    layout: StridedLayout<S, D>,
    offsets: PhantomData<T>,
}

/// A layout with negative strides, `layout!((4, 6):(-1, 4))`. Its offsets are `isize`, and
/// [`base`](SteppedLayout::base) says how far above the least one the first one lies.
///
/// `index(c) = sum c_k * d_k`
///
/// ```
/// use layout_algebra::prelude::*;
/// let flipped: Layout!((4, 6):(-1, 4)) = layout!((4, 6):(-1, 4));
/// assert_eq!((flipped.index((3, 0)), flipped.index((0, 1)), flipped.base()), (-3, 4, 3));
/// let n = 10;
/// assert_eq!(layout!((4, n):(n, -1)).index((1, 9)), 1);
/// ```
///
/// It is indexed, sliced, coalesced, composed with layouts of natural strides, and divided by them.
/// What else the algebra has for it, inverses and complements, `to_dynamic` gives.
pub type SignedLayout<S, D> = SteppedLayout<Signed, S, D>;

/// `D: StridesIn<T>`: strides whose products with numbers lie in the semimodule `T`. Natural and
/// negative ones lie in [`Signed`], steps along axes in coordinates of a shape.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::{strides::Signed, strides::StridesIn};
/// fn backwards<D: StridesIn<Signed>>(stride: D) -> SignedLayout<(usize, usize), D>
/// where
///     (usize, usize): Congruent<D>,
/// {
///     SignedLayout::new((4, 6), stride)
/// }
/// assert_eq!(backwards((6, 1)).index((1, 1)), 7);
/// ```
#[diagnostic::on_unimplemented(
    message = "this stride is not of the kind of the layout",
    label = "`{Self}`: the offsets of this layout lie in `{T}`",
    note = "the strides of a `SignedLayout` are natural numbers and `Neg`, those of an identity layout steps along axes"
)]
pub trait StridesIn<T>: IntTuple {}
impl<T> StridesIn<T> for UTerm {}
impl<U, B> StridesIn<Signed> for UInt<U, B> where Self: Number {}
impl StridesIn<Signed> for usize {}
impl<F> StridesIn<Signed> for Multiple<F> where Self: Number {}
impl<N: Natural> StridesIn<Signed> for Neg<N> {}
impl<T: IntTuple, J, K> StridesIn<T> for Basis<J, K> where Self: Number {}
impl<T: IntTuple, A, B> StridesIn<T> for Diagonal<A, B> where Self: Number {}
impl<T, D: StridesIn<T>, const N: usize> StridesIn<T> for [D; N] where Self: IntTuple {}
macro_rules! tuples {
    ($($Item:ident $item:ident)+) => {
        impl<Offsets, $($Item: StridesIn<Offsets>),+> StridesIn<Offsets> for ($($Item,)+) {}
    };
}
each_arity!(tuples);

impl<T, S, D> SteppedLayout<T, S, D> {
    /// The strides of a strided layout, which lie in `T`, read as those of this one.
    #[inline(always)]
    pub(crate) const fn assemble(layout: StridedLayout<S, D>) -> Self {
        SteppedLayout { layout, offsets: PhantomData }
    }
    /// The shape and the strides alone.
    #[inline(always)]
    pub(crate) fn strided(self) -> StridedLayout<S, D> {
        self.layout
    }
    #[inline(always)]
    pub(crate) fn into_parts(self) -> (S, D) {
        self.layout.into_parts()
    }
}

impl<S: IntTuple, D: StridesIn<Signed>> SignedLayout<S, D> {
    /// A shape and a stride of the same profile, whose leaves are [`Neg`](crate::strides::Neg) and
    /// natural numbers.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_algebra::strides::Neg;
    /// let n = 10;
    /// let backwards = SignedLayout::new((4, n), (n, Neg::new(1)));
    /// assert_eq!((backwards.index((1, 9)), backwards.base()), (1, 9));
    /// ```
    #[inline]
    pub const fn new(shape: S, stride: D) -> Self
    where
        S: Congruent<D>,
    {
        SteppedLayout::assemble(StridedLayout::new(shape, stride))
    }
}
impl<S: IntTuple, D: IntTuple> SignedLayout<S, D> {
    /// How far the offset of the first coordinate lies above the least offset: what has to be added
    /// to every offset for all of them to lie in `0..cosize`; 0 for an empty layout.
    ///
    /// `min L(c) == -base(L)`
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let l = layout!((4, 6):(-1, 4));
    /// assert_eq!((l.base(), l.cosize()), (3, 24));
    /// assert!(l.coords().all(|c| (0..24).contains(&(l.index(c) + l.base() as isize))));
    /// ```
    ///
    /// # Panics
    /// If it leaves `usize`.
    #[inline]
    #[track_caller]
    pub fn base(&self) -> usize {
        fn base<S: Node, D: Node>(shape: S, stride: D) -> Option<usize> {
            match S::KIND {
                Kind::Leaf if D::STRIDE == StrideKind::Negative => {
                    shape.leaf().saturating_sub(1).checked_mul(stride.leaf())
                }
                Kind::Nil | Kind::Leaf => Some(0),
                Kind::Cons => base(shape.head(), stride.head())?
                    .checked_add(base(shape.tail(), stride.tail())?),
            }
        }
        if self.size() == 0 {
            return 0;
        }
        match base(self.shape().node(), self.stride().node()) {
            Some(base) => base,
            None => panic!("{}", LayoutError::new("base", Fault::Overflow).with_operand(self)),
        }
    }
}

impl<T, S: IntTuple, D: IntTuple> Clone for SteppedLayout<T, S, D> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<T, S: IntTuple, D: IntTuple> Copy for SteppedLayout<T, S, D> {}
impl<T, S: StaticTuple + Congruent<D>, D: StaticTuple + StridesIn<T>> Default
    for SteppedLayout<T, S, D>
{
    #[inline(always)]
    fn default() -> Self {
        SteppedLayout::assemble(StridedLayout::new(S::default(), D::default()))
    }
}
debug_as_display! { [T, S: IntTuple, D: IntTuple] SteppedLayout<T, S, D>; }
/// Equality ignores whether a number is static; a stride of 0 equals the 0 of every kind.
impl<T, S: IntTuple, D: IntTuple, Z: IntTuple, E: IntTuple> PartialEq<SteppedLayout<T, Z, E>>
    for SteppedLayout<T, S, D>
{
    #[inline]
    fn eq(&self, other: &SteppedLayout<T, Z, E>) -> bool {
        self.layout == other.layout
    }
}
impl<T, S: IntTuple, D: IntTuple> Eq for SteppedLayout<T, S, D> {}
/// Equal layouts hash alike; a `DynLayout` too.
impl<T, S: IntTuple, D: IntTuple> Hash for SteppedLayout<T, S, D> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.layout.hash(state);
        hash_kinds(self.layout.stride().node(), state);
    }
}
/// What was refused is refused once.
#[diagnostic::do_not_recommend]
impl<T, S: IntTuple, D: IntTuple> PartialEq<RefusedLayout> for SteppedLayout<T, S, D> {
    fn eq(&self, _: &RefusedLayout) -> bool {
        true
    }
}
impl<T, S: IntTuple, D: IntTuple> Notation for SteppedLayout<T, S, D> {
    fn write(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.layout.write(f)
    }
}
/// ```
/// use layout_algebra::prelude::*;
/// let n = 9;
/// assert_eq!(layout!((8, 8):(-1, n)).to_string(), "(_8,_8):(-_1,9)");
/// assert_eq!(format!("{:#}", layout!((8, (4, 2)):(-1, (8, 0)))), "(8,(4,2)):(-1,(8,0))");
/// ```
impl<T, S: IntTuple, D: IntTuple> fmt::Display for SteppedLayout<T, S, D> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        display(self, f)
    }
}
#[doc(hidden)]
impl<T: Semimodule<Offset: IntTuple>, S: IntTuple, D: IntTuple> HasTable for SteppedLayout<T, S, D>
where
    StridedLayout<S, D>: HasTable,
{
    type Answer<X> = <StridedLayout<S, D> as HasTable>::Answer<X>;
    fn if_flat<X>(&self, make: impl FnOnce() -> X) -> Self::Answer<X> {
        self.layout.if_flat(make)
    }
}

impl<T: Semimodule, S: IntTuple, D: IntTuple> Layout for SteppedLayout<T, S, D> {
    type Shape = S;
    type Stride = D;
    type Coordinate = S::Dynamic;
    type Coordinates = Coordinates<S>;
    type Offset = T::Offset;
    #[inline(always)]
    fn shape(&self) -> S {
        self.layout.shape()
    }
    #[inline(always)]
    fn stride(&self) -> D {
        self.layout.stride()
    }
    #[inline(always)]
    fn rank(&self) -> usize {
        S::RANK
    }
    #[inline(always)]
    fn depth(&self) -> usize {
        S::DEPTH
    }
    fn mode_size(&self, mode: usize) -> usize {
        self.layout.mode_size(mode)
    }
    #[inline(always)]
    fn size(&self) -> usize {
        self.layout.size()
    }
    /// How many offsets there are from the least one to the largest; of coordinates, one past the
    /// largest one along the longest axis; 0 for an empty layout.
    #[inline]
    #[track_caller]
    fn cosize(&self) -> usize {
        if self.size() == 0 {
            return 0;
        }
        let (shape, stride) = (self.shape(), self.stride());
        match T::cosize(shape.node().last_offset(stride.node()), self.at(self.size() - 1)) {
            Some(cosize) => cosize,
            None => panic!("{}", LayoutError::new("cosize", Fault::Overflow).with_operand(self)),
        }
    }
    #[inline(always)]
    fn at(&self, i: usize) -> T::Offset {
        self.locate(self.shape().split(i))
    }
    #[inline(always)]
    fn locate(&self, coordinate: S::Dynamic) -> T::Offset {
        coordinate.node().sum_of_products::<T, _>(self.stride().node())
    }
    #[inline(always)]
    fn coords(&self) -> Coordinates<S> {
        self.layout.coords()
    }
}

impl<T: Semimodule, S: IntTuple, D: IntTuple, C: IntTuple> CoordinateOf<SteppedLayout<T, S, D>>
    for C
where
    C::Accepted: WeaklyCongruent<S> + InBounds<S>,
{
    #[inline(always)]
    fn offset_in(self, layout: &SteppedLayout<T, S, D>) -> T::Offset {
        layout.locate(layout.shape().complete(self.node()))
    }
}
