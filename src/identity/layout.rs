//! Identity layouts: coordinates as strides. Their offsets are coordinates of the shape that they began with.
//!
//! ```text
//! identity((4,6)) = (4,6):(1@0,1@1)        1@k: one step along axis k, CuTe's basis element E<k>
//! identity(S)(c) = c                       (identity(S) o B)(c) = B(c) as a coordinate of S
//! ```
//!
//! What tiles and slices a tensor tiles and slices the identity of its shape alike, and then tells for each element
//! where in the whole tensor it lies: that is what predicates are built from.

use core::fmt::{self, Formatter};
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;

use crate::algebra::common_domain::GreatestCommonDomain;
use crate::algebra::divide::ZippedDivide;
use crate::algebra::modes::by_number::{Group, ModeOf, Take, Ungroup};
use crate::algebra::modes::slice::Slice;
use crate::algebra::traits::{
    Coalesce, CoalesceBy, Compose, FlatDivide, Flatten, LogicalDivide, Reverse, RoundUp, Select, TiledDivide, Transpose,
};
use crate::error::LayoutError;
use crate::identity::basis::BasisFrom;
use crate::layout::display::{Notation, display};
use crate::layout::print::HasTable;
use crate::layout::stand_in::StandIn;
use crate::layout::strided::StridedLayout;
use crate::layout::traits::{CoordinateOf, Layout};
use crate::list::{Nested, Untangle};
use crate::number::int::Zero;
use crate::tuple::bounds::InBounds;
use crate::tuple::coord::Coordinates;
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::interval::Beginning;
use crate::tuple::node::{Kind, Node};
use crate::tuple::profile::WeaklyCongruent;

/// A layout whose strides are steps along the axes of a shape `T`, and whose offsets are coordinates of `T`. Begins as
/// [`identity`], and is tiled, composed and sliced like any other layout. CuTe's layouts of `E<0>`, `E<1>`, ..
///
/// ```
/// use layout_algebra::prelude::*;
/// let (m, n) = (100, 60);
/// let tiles = identity((m, n)).round_up(tiler!(16, 8)).zipped_divide(tiler!(16, 8));
/// // Element (3, 5) of the tile in row 6 and column 2 of tiles is element (99, 21) of the whole: inside.
/// assert_eq!(tiles.index(((3, 5), (6, 2))), (99, 21));
/// assert_eq!(tiles.index(((4, 5), (6, 2))), (100, 21)); // one row beyond
/// let (tile, corner) = tiles.slice((.., (6, 2)));
/// assert_eq!((corner, tile.index((3, 5))), ((96, 16), (3, 5)));
/// ```
pub struct IdentityLayout<T, S, D> {
    layout: StridedLayout<S, D>,
    target: PhantomData<T>,
}

/// The type of the identity layout of the shape `S`.
///
/// ```
/// use layout_algebra::prelude::*;
/// let id: Identity<Shape!((4, 6))> = identity(shape!((4, 6)));
/// assert_eq!(id.index(7), (3, 1)); // 7 == 3 + 4 * 1
/// ```
pub type Identity<S> = IdentityLayout<S, S, <<<S as Nested>::Node as BasisFrom<Zero>>::Stride as Untangle>::Tree>;

/// The layout that maps every coordinate of a shape to itself. CuTe's `make_identity_layout`.
///
/// `identity(S)(c) == c`
///
/// ```
/// use layout_algebra::prelude::*;
/// let id = identity(shape!((4, (2, 3))));
/// assert_eq!(id.index((3, (1, 2))), (3, (1, 2)));
/// assert_eq!(id.index(23), (3, (1, 2)));
/// assert!(id.coords().all(|c| id.index(c) == c));
/// assert_eq!(format!("{id:#}"), "(4,(2,3)):(1@0,(1@1,1@2))");
/// ```
#[inline]
pub fn identity<S: HasIdentity>(shape: S) -> S::Identity {
    shape.identity()
}

/// `S: HasIdentity`: an integer tuple, the shape of an [`identity`] layout.
///
/// ```
/// use layout_algebra::HasIdentity;
/// use layout_algebra::prelude::*;
/// fn corner<S: HasIdentity<Identity: Layout>>(shape: S) -> usize {
///     identity(shape).size()
/// }
/// assert_eq!(corner((4, 6)), 24);
/// ```
#[diagnostic::on_unimplemented(
    message = "cannot make an identity layout: its shape is no integer tuple",
    label = "`{Self}` is neither a number nor a tuple of at most 8 such",
    note = "a shape is written `shape!((4, 6))`, and that of a layout is `l.shape()`; a leaf is a static integer, \
            `int!(4)`, or a `usize`"
)]
pub trait HasIdentity: IntTuple {
    /// The [`Identity`] layout.
    type Identity;
    #[doc(hidden)]
    fn identity(self) -> Self::Identity;
}
#[diagnostic::do_not_recommend]
impl<S: IntTuple<Node: BasisFrom<Zero, Stride: Untangle>>> HasIdentity for S {
    type Identity = Identity<Self>;
    #[inline]
    fn identity(self) -> Identity<Self> {
        IdentityLayout::of(self)
    }
}

impl<S> IdentityLayout<S, S, <<<S as Nested>::Node as BasisFrom<Zero>>::Stride as Untangle>::Tree>
where
    S: Nested<Node: BasisFrom<Zero, Stride: Untangle>> + Copy,
{
    /// [`identity`], of a shape that is generic.
    #[inline]
    pub(crate) fn of(shape: S) -> Self {
        IdentityLayout { layout: StridedLayout::assemble(shape, shape.node().basis_from().tree()), target: PhantomData }
    }
}

impl<T, S: IntTuple, D: IntTuple> Clone for IdentityLayout<T, S, D> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}
impl<T, S: IntTuple, D: IntTuple> Copy for IdentityLayout<T, S, D> {}
debug_as_display! { [T, S: IntTuple, D: IntTuple] IdentityLayout<T, S, D>; }
impl<T, S: IntTuple, D: IntTuple> PartialEq for IdentityLayout<T, S, D> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.layout == other.layout
    }
}
impl<T, S: IntTuple, D: IntTuple> Eq for IdentityLayout<T, S, D> {}
impl<T, S: IntTuple, D: IntTuple> Hash for IdentityLayout<T, S, D> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.layout.hash(state);
    }
}
/// What was refused is refused once.
impl<T, S: IntTuple, D: IntTuple> PartialEq<StandIn> for IdentityLayout<T, S, D> {
    fn eq(&self, _: &StandIn) -> bool {
        true
    }
}
impl<T, S: IntTuple, D: IntTuple> Notation for IdentityLayout<T, S, D> {
    fn write(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.layout.write(f)
    }
}
impl<T, S: IntTuple, D: IntTuple> fmt::Display for IdentityLayout<T, S, D> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        display(self, f)
    }
}
/// What other layouts have, so that the compiler says why this one has it not.
impl<T, S, D> IdentityLayout<T, S, D> {
    #[doc(hidden)]
    pub fn to_dynamic(&self) -> StandIn
    where
        (): AxesAtRunTime<T>,
    {
        StandIn
    }
}
/// Implemented by nothing: the message of an identity layout that only run time is to know.
#[diagnostic::on_unimplemented(
    message = "an identity layout has no form that only run time knows: its strides are steps along axes",
    label = "the strides of a `DynLayout` are numbers",
    note = "`l.shape().to_dynamic()` gives the extents"
)]
pub trait AxesAtRunTime<T> {}
#[doc(hidden)]
impl<T: IntTuple, S: IntTuple, D: IntTuple> HasTable for IdentityLayout<T, S, D>
where
    StridedLayout<S, D>: HasTable,
{
    type Answer<X> = <StridedLayout<S, D> as HasTable>::Answer<X>;
    fn if_flat<X>(&self, make: impl FnOnce() -> X) -> Self::Answer<X> {
        self.layout.if_flat(make)
    }
}

/// How far the coordinate `c` of a shape, with the strides `d`, goes along the axis `axis`.
#[inline]
fn along<C: Node, D: Node>(c: C, d: D, axis: usize) -> usize {
    match D::KIND {
        Kind::Nil => 0,
        Kind::Leaf if D::AXIS == Some(axis) => c.leaf() * d.leaf(),
        Kind::Leaf => 0,
        Kind::Cons => along(c.head(), d.head(), axis) + along(c.tail(), d.tail(), axis),
    }
}

impl<T: IntTuple, S: IntTuple, D: IntTuple> Layout for IdentityLayout<T, S, D> {
    type Shape = S;
    type Stride = D;
    type Coordinate = S::Dynamic;
    type Coordinates = Coordinates<S>;
    type Offset = T::Dynamic;
    #[inline]
    fn shape(&self) -> S {
        self.layout.shape()
    }
    #[inline]
    fn stride(&self) -> D {
        self.layout.stride()
    }
    #[inline]
    fn rank(&self) -> usize {
        S::RANK
    }
    #[inline]
    fn depth(&self) -> usize {
        S::DEPTH
    }
    fn mode_size(&self, mode: usize) -> usize {
        self.layout.mode_size(mode)
    }
    #[inline]
    fn size(&self) -> usize {
        self.layout.size()
    }
    /// One past the largest coordinate along the longest axis; 0 for an empty layout.
    #[inline]
    fn cosize(&self) -> usize {
        if self.size() == 0 {
            return 0;
        }
        let last = self.at(self.size() - 1);
        let mut cosize = 0;
        T::each(last, &mut |number| cosize = cosize.max(number + 1));
        cosize
    }
    #[inline]
    fn at(&self, i: usize) -> T::Dynamic {
        self.locate(self.shape().split(i))
    }
    #[inline]
    fn locate(&self, coordinate: S::Dynamic) -> T::Dynamic {
        let (c, d) = (coordinate.node(), self.stride().node());
        T::from_axes(&mut 0, &mut |axis| along(c, d, axis))
    }
    #[inline]
    fn coords(&self) -> Coordinates<S> {
        self.layout.coords()
    }
}

impl<T: IntTuple, S: IntTuple, D: IntTuple, C: IntTuple> CoordinateOf<IdentityLayout<T, S, D>> for C
where
    C::Accepted: WeaklyCongruent<S> + InBounds<S>,
{
    #[inline]
    fn offset_in(self, layout: &IdentityLayout<T, S, D>) -> T::Dynamic {
        layout.locate(layout.shape().complete(self.node()))
    }
}

// ---- operations ---------------------------------------------------------------------------------------------------

/// A result of the algebra as coordinates of `T` again.
#[diagnostic::on_unimplemented(
    message = "this result is not a layout of coordinates",
    label = "`{Self}` has no strides along axes",
    note = "only results of operations on identity layouts are"
)]
pub trait IntoIdentity<T>: Layout {
    /// The identity layout of the same shape and strides.
    type Output: Layout;
    #[doc(hidden)]
    fn into_identity(self) -> Self::Output;
}
#[doc(hidden)]
impl<T: IntTuple, S: IntTuple, D: IntTuple> IntoIdentity<T> for StridedLayout<S, D> {
    type Output = IdentityLayout<T, S, D>;
    #[inline]
    fn into_identity(self) -> Self::Output {
        IdentityLayout { layout: self, target: PhantomData }
    }
}

#[doc(hidden)]
impl<T> IntoIdentity<T> for StandIn {
    type Output = Self;
    fn into_identity(self) -> Self {
        self
    }
}
impl IntoStrided for StandIn {
    type Strided = Self;
    fn into_strided(self) -> Self {
        self
    }
}

macro_rules! binary_on_identities {
    ($($trait:ident)*) => {
        $(impl<T: IntTuple, S: IntTuple, D: IntTuple, B> $trait<B> for IdentityLayout<T, S, D>
        where
            StridedLayout<S, D>: $trait<B, Output: IntoIdentity<T>>,
        {
            type Output = <<StridedLayout<S, D> as $trait<B>>::Output as IntoIdentity<T>>::Output;
            #[inline]
            fn evaluated(left: Self, right: B) -> Result<Self::Output, LayoutError> {
                Ok($trait::evaluated(left.layout, right)?.into_identity())
            }
        })*
    };
}
binary_on_identities! { CoalesceBy Compose LogicalDivide TiledDivide FlatDivide RoundUp Select }

macro_rules! unary_on_identities {
    ($($trait:ident)*) => {
        $(impl<T: IntTuple, S: IntTuple, D: IntTuple> $trait for IdentityLayout<T, S, D>
        where
            StridedLayout<S, D>: $trait<Output: IntoIdentity<T>>,
        {
            type Output = <<StridedLayout<S, D> as $trait>::Output as IntoIdentity<T>>::Output;
            #[inline]
            fn evaluated(layout: Self) -> Result<Self::Output, LayoutError> {
                Ok($trait::evaluated(layout.layout)?.into_identity())
            }
        })*
    };
}
unary_on_identities! { Coalesce Flatten Reverse Transpose }

/// What shapes have in common is about the domain alone.
impl<T, S: IntTuple, D: IntTuple, B> GreatestCommonDomain<B> for IdentityLayout<T, S, D>
where
    StridedLayout<S, D>: GreatestCommonDomain<B>,
{
    type Output = <StridedLayout<S, D> as GreatestCommonDomain<B>>::Output;
    #[inline]
    fn evaluated(left: Self, right: B) -> Result<Self::Output, LayoutError> {
        GreatestCommonDomain::evaluated(left.layout, right)
    }
}

macro_rules! by_number_on_identities {
    ($($trait:ident $method:ident: $($mode:ident)*;)*) => {
        $(impl<T: IntTuple, S: IntTuple, D: IntTuple, $(const $mode: usize),*> $trait<$($mode),*>
            for IdentityLayout<T, S, D>
        where
            StridedLayout<S, D>: $trait<$($mode,)* Output: IntoIdentity<T>>,
        {
            type Output = <<StridedLayout<S, D> as $trait<$($mode),*>>::Output as IntoIdentity<T>>::Output;
            #[inline]
            fn $method(self) -> Self::Output {
                self.layout.$method().into_identity()
            }
        })*
    };
}
by_number_on_identities! { ModeOf mode_of: I; Take taken: B E; Group grouped: B E; Ungroup ungrouped: I; }

impl<T: IntTuple, S: IntTuple, D: IntTuple, B> ZippedDivide<B> for IdentityLayout<T, S, D>
where
    StridedLayout<S, D>: ZippedDivide<B, Output: IntoIdentity<T>, Tile: IntoIdentity<T>, Rest: IntoIdentity<T>>,
    <<StridedLayout<S, D> as ZippedDivide<B>>::Output as IntoIdentity<T>>::Output:
        IntoStrided<Strided = <StridedLayout<S, D> as ZippedDivide<B>>::Output>,
{
    type Output = <<StridedLayout<S, D> as ZippedDivide<B>>::Output as IntoIdentity<T>>::Output;
    type Tile = <<StridedLayout<S, D> as ZippedDivide<B>>::Tile as IntoIdentity<T>>::Output;
    type Rest = <<StridedLayout<S, D> as ZippedDivide<B>>::Rest as IntoIdentity<T>>::Output;
    #[inline]
    fn evaluated(layout: Self, tile: B) -> Result<Self::Output, LayoutError> {
        Ok(ZippedDivide::evaluated(layout.layout, tile)?.into_identity())
    }
    #[inline]
    fn tile_and_rest(divided: Self::Output) -> (Self::Tile, Self::Rest) {
        let (tile, rest) = <StridedLayout<S, D> as ZippedDivide<B>>::tile_and_rest(divided.into_strided());
        (tile.into_identity(), rest.into_identity())
    }
}

impl<T: IntTuple, S: IntTuple, D: IntTuple, C: Nested<Node: Beginning> + Clone> Slice<C> for IdentityLayout<T, S, D>
where
    StridedLayout<S, D>: Slice<C, Output: IntoIdentity<T>>,
{
    type Output = <<StridedLayout<S, D> as Slice<C>>::Output as IntoIdentity<T>>::Output;
    #[inline]
    fn sliced(layout: Self, coordinate: C) -> (Self::Output, T::Dynamic) {
        let offset = layout.locate(layout.shape().complete(coordinate.clone().node().beginning()));
        (Slice::sliced(layout.layout, coordinate).0.into_identity(), offset)
    }
    #[inline]
    fn try_sliced(layout: Self, coordinate: C) -> Result<(Self::Output, T::Dynamic), LayoutError> {
        let offset = layout.locate(layout.shape().complete(coordinate.clone().node().beginning()));
        match Slice::try_sliced(layout.layout, coordinate) {
            Ok((kept, _)) => Ok((kept.into_identity(), offset)),
            Err(error) => Err(LayoutError::new("slice", error.fault()).with_operand(&layout)),
        }
    }
}

/// The way back from [`IntoIdentity`].
pub trait IntoStrided {
    /// The shape and the strides alone.
    type Strided;
    #[doc(hidden)]
    fn into_strided(self) -> Self::Strided;
}
impl<T, S, D> IntoStrided for IdentityLayout<T, S, D> {
    type Strided = StridedLayout<S, D>;
    #[inline]
    fn into_strided(self) -> StridedLayout<S, D> {
        self.layout
    }
}
