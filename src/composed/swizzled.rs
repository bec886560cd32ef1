//! A layout of XOR strides as a swizzled one, in the types.
//!
//! ```text
//! swizzled(L) = Sw o N with Sw(N(c)) = L(c)          linear(swizzled(L)) = linear(L)
//! ```

use crate::algebra::operation;
use crate::composed::ComposedLayout;
use crate::layout::stand_in::StandIn;
use crate::layout::strided::StridedLayout;
use crate::layout::traits::Layout;
use crate::list::Nested;
use crate::number::int::Zero;
use crate::refusal::Explain;
use crate::refusal::undefined::Undefined;
use crate::stepped::find_swizzle::{FindSwizzle, FoundSwizzle, NothingMoved, SwizzleAndStrides};
use crate::stepped::layout::XorLayout;
use crate::swizzle::Swizzle;
use crate::tuple::int_tuple::IntTuple;

/// `L: IntoSwizzled`: the layout of XOR strides `L` is a swizzle of natural strides.
///
/// ```
/// use layout_algebra::IntoSwizzled;
/// use layout_algebra::prelude::*;
/// use static_assertions::assert_not_impl_any;
/// assert_not_impl_any!(Layout!((2, 2):(^3, ^3)): IntoSwizzled);
/// ```
#[diagnostic::on_unimplemented(
    message = "cannot write as a swizzle: nothing says that this layout is one",
    label = "`{Self}` is not known to be a swizzle of natural strides",
    note = "generic code names what it needs as a bound: `L: IntoSwizzled`"
)]
pub trait IntoSwizzled: Layout {
    /// The swizzle over a layout of natural strides.
    type Output: Layout;
    #[doc(hidden)]
    fn into_swizzled(self) -> Self::Output;
}
/// The type of `l.swizzled()`.
///
/// ```
/// use layout_algebra::SwizzledOf;
/// use layout_algebra::prelude::*;
/// use static_assertions::assert_type_eq_all;
/// type Tile = ComposedLayout<Swizzle<3, 0, 3>, Int!(0), Layout!((8, 8):(8, 1))>;
/// assert_type_eq_all!(SwizzledOf<Layout!((8, 8):(^9, ^1))>, Tile);
/// ```
pub type SwizzledOf<L> = <L as IntoSwizzled>::Output;

impl<S: IntTuple, D: IntTuple> IntoSwizzled for XorLayout<S, D>
where
    S::Node: FindSwizzle<D::Node, Output: SwizzleOver<S, D>>,
{
    type Output = <<S::Node as FindSwizzle<D::Node>>::Output as SwizzleOver<S, D>>::Output;
    #[inline]
    fn into_swizzled(self) -> Self::Output {
        let (shape, stride) = self.into_parts();
        <S::Node as FindSwizzle<D::Node>>::Output::swizzle_over(shape, stride)
    }
}
/// Natural strides are swizzled by nothing.
impl<S: IntTuple, D: IntTuple> IntoSwizzled for StridedLayout<S, D> {
    type Output = ComposedLayout<Swizzle<0, 0, 0>, Zero, Self>;
    #[inline]
    fn into_swizzled(self) -> Self::Output {
        ComposedLayout::const_new(Swizzle, Zero::default(), self)
    }
}
impl IntoSwizzled for StandIn {
    type Output = Self;
    fn into_swizzled(self) -> Self {
        self
    }
}

/// What was found, `self`, over the shape `S` and the strides `D`: the gate.
pub trait SwizzleOver<S, D> {
    type Output: Layout;
    fn swizzle_over(shape: S, stride: D) -> Self::Output;
}
impl<R: Explain<operation::SwizzledForm>, S, D> SwizzleOver<S, D> for Undefined<R> {
    type Output = StandIn;
    fn swizzle_over(_: S, _: D) -> StandIn {
        StandIn
    }
}
macro_rules! found {
    ($([$($generic:ident)*] $found:ty;)*) => {
        $(impl<S: IntTuple, D: Nested, $($generic),*> SwizzleOver<S, D> for $found
        where
            Self: SwizzleAndStrides<D>,
            ComposedLayout<
                <Self as SwizzleAndStrides<D>>::Swizzle,
                Zero,
                StridedLayout<S, <Self as SwizzleAndStrides<D>>::Plain>,
            >: Layout,
        {
            type Output = ComposedLayout<
                <Self as SwizzleAndStrides<D>>::Swizzle,
                Zero,
                StridedLayout<S, <Self as SwizzleAndStrides<D>>::Plain>,
            >;
            #[inline]
            fn swizzle_over(shape: S, stride: D) -> Self::Output {
                let inner = StridedLayout::assemble(shape, Self::plain(stride));
                // The offsets are those of the layout, in another order: they fit.
                ComposedLayout { outer: Self::swizzle(), offset: Zero::default(), inner }
            }
        })*
    };
}
found! { [] NothingMoved; [W P L M R] FoundSwizzle<W, P, L, M, R>; }

/// The method of all layouts whose offsets are numbers: what a layout has of it, its trait [`IntoSwizzled`] says.
///
/// ```
/// use layout_algebra::prelude::*;
/// assert_eq!(layout!((8, 8)).swizzled(), Swizzle::<0, 0, 0>::new().compose(layout!((8, 8))));
/// ```
#[diagnostic::on_unimplemented(
    message = "this has no swizzle: a layout of natural strides or of XOR strides has one",
    label = "`{Self}` is neither",
    note = "generic code names what it needs as a bound: `L: IntoSwizzled`, which says what `swizzled()` gives"
)]
pub trait ToSwizzled: Layout {
    /// The same function as a swizzle of a layout of natural strides: of all there are, the one of the fewest bits; of
    /// these that of the lowest ones, then the nearest, then the one that changes lower bits. `Swizzle<0, 0, 0>` moves
    /// nothing: strides that share no bit are natural ones as they are. Beside XOR strides all numbers have to be
    /// static. Natural strides whose sums carry stay as they are, under a swizzle that reads none of their bits, though
    /// there be one that reads some; where two such modes share bits, nothing is looked for. Both are answered by
    /// `l.to_dynamic().swizzled()`.
    ///
    /// The types know the swizzles `Swizzle<B, M, S>` with `|S| <= 16`, which goes for `B` too, and `M <= 16`. Where
    /// the first one is another, as for `(2, 2):(^1, ^131073)`, it does not compile, and the message names that limit:
    /// `l.to_dynamic().swizzled()` has no limit but `usize`.
    ///
    /// `swizzled(L)(c) == L(c)`
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let tile = layout!((8, 8):(^9, ^1)).swizzled();
    /// assert_eq!(tile, Swizzle::<3, 0, 3>::new().compose(layout!((8, 8):(8, 1))));
    /// assert_eq!(tile.to_dynamic().linear()?.to_string(), "(8,8):(^9,^1)");
    /// # Ok::<(), LayoutError>(())
    /// ```
    ///
    /// Where no swizzle does that, it does not compile, and the message names two strides that share a bit:
    ///
    /// ```compile_fail,E0277
    /// use layout_algebra::prelude::*;
    /// layout!((2, 2):(^3, ^3)).swizzled(); // the strides 3 and 3 of two bits of the coordinate share bit 0
    /// ```
    #[inline]
    fn swizzled(&self) -> SwizzledOf<Self>
    where
        Self: IntoSwizzled,
    {
        self.clone().into_swizzled()
    }
}
impl<S: IntTuple, D: IntTuple> ToSwizzled for StridedLayout<S, D> {}
impl<S: IntTuple, D: IntTuple> ToSwizzled for XorLayout<S, D> {}
impl ToSwizzled for StandIn {}
