//! Identity layouts: coordinates as strides. Their offsets are coordinates of the shape that they
//! began with.
//!
//! ```text
//! identity((4,6)) = (4,6):(1@0,1@1)        1@k: one step along axis k, CuTe's basis element E<k>
//! identity(S)(c) = c                       (identity(S) o B)(c) = B(c) as a coordinate of S
//! ```
//!
//! Tile or slice the identity of a tensor's shape like the tensor itself. The result gives, for
//! each element, its coordinate in the whole tensor: predicates are built from that.

use crate::layout::refused_layout::RefusedLayout;
use crate::layout::strided::StridedLayout;
use crate::list::{Cons, Leaf, Nested, Nil, Untangle};
use crate::number::int::{AddInt, One, Zero};
use crate::strides::axes::Basis;
use crate::strides::layout::SteppedLayout;
use crate::tuple::int_tuple::IntTuple;

/// A layout whose strides are steps along the axes of a shape `T`, and whose offsets are
/// coordinates of `T`. Begins as [`identity`], and is tiled, composed and sliced like any other
/// layout. CuTe's layouts of `E<0>`, `E<1>`, ..
///
/// ```
/// use layout_algebra::prelude::*;
/// let (m, n) = (100, 60);
/// let tiles = identity((m, n)).round_up(tiler!(16, 8)).zipped_divide(tiler!(16, 8));
/// // Element (3, 5) of the tile in row 6 and column 2 of tiles is element (99, 21) of the whole:
/// // inside.
/// assert_eq!(tiles.index(((3, 5), (6, 2))), (99, 21));
/// assert_eq!(tiles.index(((4, 5), (6, 2))), (100, 21)); // one row beyond
/// let (tile, corner) = tiles.slice((.., (6, 2)));
/// assert_eq!((corner, tile.index((3, 5))), ((96, 16), (3, 5)));
/// ```
pub type IdentityLayout<T, S, D> = SteppedLayout<T, S, D>;

/// The type of the identity layout of the shape `S`.
///
/// ```
/// use layout_algebra::prelude::*;
/// let id: Identity<Shape!((4, 6))> = identity(shape!((4, 6)));
/// assert_eq!(id.index(7), (3, 1)); // 7 == 3 + 4 * 1
/// ```
pub type Identity<S> =
    IdentityLayout<S, S, <<<S as Nested>::Node as BasisFrom<Zero>>::Stride as Untangle>::Tree>;

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
/// // Steps along several axes at once are a diagonal.
/// let diagonal = identity(shape!((4, 4))).compose(layout!(4:5));
/// assert_eq!((format!("{diagonal:#}").as_str(), diagonal.index(3)), ("4:1@0+1@1", (3, 3)));
/// ```
#[inline]
pub fn identity<S: HasIdentity>(shape: S) -> S::Identity {
    shape.identity()
}

/// `S: HasIdentity`: an integer tuple, the shape of an [`identity`] layout.
///
/// ```
/// use layout_algebra::strides::HasIdentity;
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
        SteppedLayout::assemble(StridedLayout::assemble(shape, shape.node().basis_from().tree()))
    }
}

/// The items of other layouts, so that the compiler says why this layout lacks them.
impl<T: IntTuple, S, D> IdentityLayout<T, S, D> {
    #[doc(hidden)]
    pub fn to_dynamic(&self) -> RefusedLayout
    where
        (): AxesAtRunTime<T>,
    {
        RefusedLayout
    }
}
/// Implemented by nothing: the message of an identity layout that only run time is to know.
#[diagnostic::on_unimplemented(
    message = "an identity layout has no form that only run time knows: its strides are steps along axes",
    label = "the strides of a `DynLayout` are numbers",
    note = "`l.shape().to_dynamic()` gives the extents"
)]
pub trait AxesAtRunTime<T> {}

// ---- strides ------------------------------------------------------------------------------------

/// The basis elements for the leaves of the node `self`, the first one for axis `J`, and the axis
/// behind the last.
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
        Basis::one_step()
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
