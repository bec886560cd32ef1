//! `StridedLayout<S, D>`: a shape and a congruent stride, static and dynamic leaves in any mix.

use core::hash::{Hash, Hasher};

use crate::error::{Fault, LayoutError};
use crate::layout::flat::{FlatLayout, Modes, ToFlat};
use crate::layout::traits::{CoordinateOf, Layout, StaticLayout};
use crate::tuple::bounds::InBounds;
use crate::tuple::coord::Coordinates;
use crate::tuple::int_tuple::{IntTuple, StaticTuple};
use crate::tuple::node::{Kind, Node, hash_numbers, hash_profile, mode_size};
use crate::tuple::profile::{Congruent, WeaklyCongruent, equal};

/// A shape `S` and a stride `D` of the same profile; every leaf is a static integer or a `usize`.
/// CuTe's `Layout<Shape, Stride>`.
///
/// A static layout, without dynamic leaves, takes no memory: its type has all numbers. Written with
/// `layout!` and `Layout!`.
///
/// ```
/// use layout_algebra::prelude::*;
/// let a = layout!((2, 4):(1, 2));
/// assert_eq!((0..8).map(|i| a.at(i)).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5, 6, 7]);
/// assert_eq!(size_of_val(&a), 0);
/// let rows = 100;
/// let b = layout!((rows, 4):(1, rows));
/// assert_eq!(b.index((99, 3)), 399);
/// ```
///
/// From a `DynLayout` by `TryFrom`, which compares the profile and every static number.
///
/// ```
/// # use layout_algebra::prelude::*;
/// let read: DynLayout = "(4,6):(6,1)".parse()?;
/// assert_eq!(<Layout!((4, _):(_, 1))>::try_from(&read)?.index((1, 2)), 8);
/// assert!(<Layout!((4, 5))>::try_from(&read).is_err());
/// # Ok::<(), LayoutError>(())
/// ```
///
/// Two layouts are equal if shape and stride are, whether a number is static or not.
///
/// ```
/// # use layout_algebra::prelude::*;
/// # let rows = 100;
/// assert_eq!(layout!((rows, 4):(1, rows)), layout!((100, 4)));
/// assert_ne!(layout!((100, 4)), layout!((100, (2, 2)))); // the same function, another profile
/// ```
#[must_use]
pub struct StridedLayout<S, D> {
    shape: S,
    stride: D,
}
// Not derived: every integer tuple is `Copy`, and a derived bound would be proven for each bit of
// each number.
impl<S: IntTuple, D: IntTuple> Clone for StridedLayout<S, D> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<S: IntTuple, D: IntTuple> Copy for StridedLayout<S, D> {}
impl<S: IntTuple, D: IntTuple, T: IntTuple, E: IntTuple> PartialEq<StridedLayout<T, E>>
    for StridedLayout<S, D>
{
    #[inline(always)]
    fn eq(&self, other: &StridedLayout<T, E>) -> bool {
        equal(self.shape.node(), other.shape.node())
            && equal(self.stride.node(), other.stride.node())
    }
}
impl<S: IntTuple, D: IntTuple> Eq for StridedLayout<S, D> {}
/// Equal layouts hash alike, whether a number is static or not; a `DynLayout` too.
impl<S: IntTuple, D: IntTuple> Hash for StridedLayout<S, D> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        hash_profile(self.shape.node(), state);
        hash_numbers(self.shape.node(), state);
        hash_numbers(self.stride.node(), state);
    }
}

impl<S, D> StridedLayout<S, D> {
    /// A shape and a stride of the same profile. Generic code names the bounds
    /// `S: IntTuple + Congruent<D>, D: IntTuple`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let padded = StridedLayout::new((4, 6), (1, 10));
    /// assert_eq!((padded.index((3, 5)), padded.size(), padded.cosize()), (53, 24, 54));
    /// const SAME: StridedLayout<(usize, usize), (usize, usize)> = StridedLayout::new((4, 6), (1, 10));
    /// assert_eq!(SAME, padded);
    /// ```
    ///
    /// ```compile_fail,E0277
    /// use layout_algebra::prelude::*;
    /// // the shape (usize, usize) and the stride (usize, usize, usize) are not congruent
    /// let padded = StridedLayout::new((4, 6), (1, 10, 60));
    /// ```
    #[inline(always)]
    pub const fn new(shape: S, stride: D) -> Self
    where
        S: Congruent<D>,
    {
        StridedLayout { shape, stride }
    }
    /// [`new`](StridedLayout::new) under its earlier name for constants.
    #[doc(hidden)]
    #[inline(always)]
    pub const fn const_new(shape: S, stride: D) -> Self
    where
        S: Congruent<D>,
    {
        StridedLayout::new(shape, stride)
    }
    /// For the algebra, whose results are congruent.
    #[inline(always)]
    pub(crate) const fn assemble(shape: S, stride: D) -> Self {
        StridedLayout { shape, stride }
    }
    /// The shape and the stride.
    #[inline(always)]
    pub(crate) fn into_parts(self) -> (S, D) {
        (self.shape, self.stride)
    }
}

impl<S: IntTuple, D: IntTuple> StridedLayout<S, D> {
    /// The size and the cosize, if they fit.
    #[inline(always)]
    pub(crate) fn span(&self) -> Option<(usize, usize)> {
        let size = self.shape.node().product()?;
        if size == 0 {
            return Some((0, 0));
        }
        Some((size, self.shape.node().last_offset(self.stride.node())?.checked_add(1)?))
    }
}

impl<S: IntTuple, D: IntTuple> StridedLayout<S, D> {
    /// The layout of this static type: [`Default::default`]. This is a method of its own because
    /// its error for other types names what is dynamic.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(<Layout!((4, 6):(1, 4))>::default(), layout!((4, 6):(1, 4)));
    /// ```
    ///
    /// ```compile_fail
    /// use layout_algebra::prelude::*;
    /// let layout = <Layout!((4, _):(1, 4))>::default(); // this layout is not static
    /// ```
    #[inline(always)]
    #[allow(clippy::should_implement_trait, reason = "it is implemented too, and gives the same")]
    pub fn default() -> Self
    where
        Self: StaticLayout,
    {
        <Self as Default>::default()
    }
}

impl<S: StaticTuple, D: StaticTuple> Default for StridedLayout<S, D>
where
    S: Congruent<D>,
{
    #[inline(always)]
    fn default() -> Self {
        StridedLayout::new(S::default(), D::default())
    }
}

impl<S: IntTuple, D: IntTuple> Layout for StridedLayout<S, D> {
    type Shape = S;
    type Stride = D;
    type Coordinate = S::Dynamic;
    type Coordinates = Coordinates<S>;
    type Offset = usize;
    #[inline(always)]
    fn shape(&self) -> S {
        self.shape
    }
    #[inline(always)]
    fn stride(&self) -> D {
        self.stride
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
        mode_size(self.shape.node(), mode)
    }
    #[inline(always)]
    #[track_caller]
    fn size(&self) -> usize {
        match self.shape.node().product() {
            Some(size) => size,
            None => panic!("{}", LayoutError::new("size", Fault::Overflow).with_operand(self)),
        }
    }
    #[inline(always)]
    #[track_caller]
    fn cosize(&self) -> usize {
        match self.span() {
            Some((_, cosize)) => cosize,
            None => panic!("{}", LayoutError::new("cosize", Fault::Overflow).with_operand(self)),
        }
    }
    #[inline(always)]
    fn at(&self, i: usize) -> usize {
        self.shape.node().offset_of_number(i, self.stride.node())
    }
    #[inline(always)]
    fn locate(&self, coordinate: S::Dynamic) -> usize {
        coordinate.offset_under(self.shape.node(), self.stride.node())
    }
    #[inline(always)]
    fn coords(&self) -> Coordinates<S> {
        Coordinates::new(self.shape)
    }
}

impl<S: IntTuple, D: IntTuple, C: IntTuple> CoordinateOf<StridedLayout<S, D>> for C
where
    C::Accepted: WeaklyCongruent<S> + InBounds<S>,
{
    #[inline(always)]
    fn offset_in(self, layout: &StridedLayout<S, D>) -> usize {
        self.offset_under(layout.shape.node(), layout.stride.node())
    }
}

/// Every number of the layout is static. A trait of the layout itself, for the sake of the message:
/// if a constant such as `L::SIZE` is missing, the compiler prints the message of the first bound.
#[diagnostic::on_unimplemented(
    message = "this layout is not static: an extent or a stride of it is known only at run time",
    label = "every number of this layout has to be static",
    note = "write the number as a literal in `layout!`, or ask for `Layout`, which has the same as methods: `size()` \
            for `SIZE`"
)]
pub trait EveryLeafStatic: Default {}
#[diagnostic::do_not_recommend]
impl<S: StaticTuple + Congruent<D>, D: StaticTuple> EveryLeafStatic for StridedLayout<S, D> {}

#[diagnostic::do_not_recommend]
impl<S: IntTuple, D: IntTuple> StaticLayout for StridedLayout<S, D>
where
    Self: EveryLeafStatic,
{
    const SIZE: usize = match S::STATIC_SIZE {
        Some(size) => size,
        None => panic!("this layout has a dynamic extent"),
    };
    const COSIZE: usize =
        if Self::SIZE == 0 { 0 } else { 1 + static_last_offset::<S::Node, D::Node>() };
    const RANK: usize = S::RANK;
    const DEPTH: usize = S::DEPTH;
    const FLAT: FlatLayout = FlatLayout::of_types::<S::Node, D::Node>();
}

impl<S: IntTuple, D: IntTuple> ToFlat for StridedLayout<S, D> {
    fn to_flat(&self) -> FlatLayout {
        let (shape, stride) = (self.shape.node(), self.stride.node());
        let modes = Modes::NONE.of_values(shape, stride);
        let lead = match <S::Node as Node>::KIND {
            Kind::Cons => Modes::NONE.of_values(shape.head(), stride.head()).count,
            _ => modes.count,
        };
        FlatLayout::strided(modes, lead)
    }
}

/// `sum (extent - 1) * stride` of static trees.
const fn static_last_offset<S: Node, D: Node>() -> usize {
    match S::KIND {
        Kind::Nil => 0,
        Kind::Leaf => match (S::STATIC, D::STATIC) {
            (Some(extent), Some(stride)) => match (extent - 1).checked_mul(stride) {
                Some(offset) => offset,
                None => panic!("overflow: the cosize of a static layout is beyond usize"),
            },
            _ => panic!("this layout has a dynamic leaf"),
        },
        Kind::Cons => {
            let head = static_last_offset::<S::Head, D::Head>();
            match head.checked_add(static_last_offset::<S::Tail, D::Tail>()) {
                Some(offset) => offset,
                None => panic!("overflow: the cosize of a static layout is beyond usize"),
            }
        }
    }
}
