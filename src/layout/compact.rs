//! Compact strides, left and right: the offsets are `0 .. size`, each once.
//!
//! ```text
//! left:    d_k = s_0 * .. * s_(k-1)            right:   d_k = s_(k+1) * .. * s_(r-1)
//! ```
//!
//! A mode of extent 1 never moves, and gets stride 0.

use typenum::{UInt, UTerm};

use crate::error::{Fault, LayoutError, expect};
use crate::layout::display::notation;
use crate::layout::strided::StridedLayout;
use crate::list::{Cons, Leaf, Nested, Nil, Untangle};
use crate::number::int::{One, Zero};
use crate::number::multiple::Multiple;
use crate::number::table::Times;
use crate::tuple::int_tuple::IntTuple;

/// `S: CompactLeft`: the shape has left strides, the leftmost mode fastest.
///
/// ```
/// use layout_algebra::prelude::*;
/// fn columns<S: CompactLeft>(shape: S) -> LeftLayout<S> {
///     StridedLayout::left(shape)
/// }
/// assert_eq!(columns(shape!((4, 6))), layout!((4, 6):(1, 4)));
/// ```
#[diagnostic::on_unimplemented(
    message = "cannot lay out what is no shape",
    label = "neither a number of a layout nor a tuple of at most 8 such",
    note = "a leaf is a static integer, `int!(4)`, or a `usize`; generic code names what it needs as a bound: \
            `S: CompactLeft`"
)]
pub trait CompactLeft: IntTuple {
    /// The strides.
    type Stride: IntTuple;
    #[doc(hidden)]
    fn left_strides(self) -> Result<Self::Stride, Fault>;
}
/// `S: CompactRight`: the shape has right strides, the rightmost mode fastest.
///
/// ```
/// use layout_algebra::prelude::*;
/// fn rows<S: CompactRight>(shape: S) -> RightLayout<S> {
///     StridedLayout::right(shape)
/// }
/// assert_eq!(rows(shape!((4, 6))), layout!((4, 6):(6, 1)));
/// ```
#[diagnostic::on_unimplemented(
    message = "cannot lay out what is no shape",
    label = "neither a number of a layout nor a tuple of at most 8 such",
    note = "a leaf is a static integer, `int!(4)`, or a `usize`; generic code names what it needs as a bound: \
            `S: CompactRight`"
)]
pub trait CompactRight: IntTuple {
    /// The strides.
    type Stride: IntTuple;
    #[doc(hidden)]
    fn right_strides(self) -> Result<Self::Stride, Fault>;
}

/// The type of the compact layout of a shape, leftmost mode fastest: column-major. CuTe's
/// `LayoutLeft`.
///
/// ```
/// use layout_algebra::prelude::*;
/// static_assertions::assert_type_eq_all!(
///     LeftLayout<Shape!((4, (1, 3)))>,
///     Layout!((4, (1, 3)):(1, (0, 4)))
/// );
/// ```
pub type LeftLayout<S> = StridedLayout<S, <S as CompactLeft>::Stride>;
/// The type of the compact layout of a shape, rightmost mode fastest: row-major. CuTe's
/// `LayoutRight`.
///
/// ```
/// use layout_algebra::prelude::*;
/// static_assertions::assert_type_eq_all!(
///     RightLayout<Shape!((4, (1, 3)))>,
///     Layout!((4, (1, 3)):(3, (0, 1)))
/// );
/// ```
pub type RightLayout<S> = StridedLayout<S, <S as CompactRight>::Stride>;

#[diagnostic::do_not_recommend]
impl<S: IntTuple> CompactLeft for S
where
    S::Node: LeftFrom<One, Stride: Untangle<Tree: IntTuple>>,
{
    type Stride = <<S::Node as LeftFrom<One>>::Stride as Untangle>::Tree;
    #[inline(always)]
    fn left_strides(self) -> Result<Self::Stride, Fault> {
        Ok(self.node().left_from(One::default())?.0.tree())
    }
}
#[diagnostic::do_not_recommend]
impl<S: IntTuple> CompactRight for S
where
    S::Node: RightFrom<One, Stride: Untangle<Tree: IntTuple>>,
{
    type Stride = <<S::Node as RightFrom<One>>::Stride as Untangle>::Tree;
    #[inline(always)]
    fn right_strides(self) -> Result<Self::Stride, Fault> {
        Ok(self.node().right_from(One::default())?.0.tree())
    }
}

/// Left strides of the node `self`, from `Run` on, and the run behind it.
pub trait LeftFrom<Run> {
    type Stride;
    type Run;
    fn left_from(self, run: Run) -> Result<(Self::Stride, Self::Run), Fault>;
}
/// Right strides of the node `self`, from `Run` on, and the run before it.
pub trait RightFrom<Run> {
    type Stride;
    type Run;
    fn right_from(self, run: Run) -> Result<(Self::Stride, Self::Run), Fault>;
}

macro_rules! leaf_strides {
    ($trait:ident $method:ident) => {
        impl<Run> $trait<Run> for Leaf<One> {
            type Stride = Zero;
            type Run = Run;
            #[inline(always)]
            fn $method(self, run: Run) -> Result<(Zero, Run), Fault> {
                Ok((UTerm, run))
            }
        }
        leaf_strides! { $trait $method: [] UTerm; [U A B] UInt<UInt<U, A>, B>; [] usize; [Factor] Multiple<Factor>; }
    };
    ($trait:ident $method:ident: $([$($generic:ident)*] $extent:ty;)*) => {
        $(impl<Run: Times<$extent>, $($generic),*> $trait<Run> for Leaf<$extent> {
            type Stride = Run;
            type Run = Run::Output;
            #[inline(always)]
            fn $method(self, run: Run) -> Result<(Run, Run::Output), Fault> {
                let behind = run.times(&self.0)?;
                Ok((run, behind))
            }
        })*
        impl<Run> $trait<Run> for Nil {
            type Stride = Nil;
            type Run = Run;
            #[inline(always)]
            fn $method(self, run: Run) -> Result<(Nil, Run), Fault> {
                Ok((Nil, run))
            }
        }
    };
}
leaf_strides!(LeftFrom left_from);
leaf_strides!(RightFrom right_from);

impl<H: Nested<Node: LeftFrom<Run>>, T, Run> LeftFrom<Run> for Cons<H, T>
where
    <H::Node as LeftFrom<Run>>::Stride: Untangle,
    T: LeftFrom<<H::Node as LeftFrom<Run>>::Run>,
{
    type Stride = Cons<<<H::Node as LeftFrom<Run>>::Stride as Untangle>::Tree, T::Stride>;
    type Run = T::Run;
    #[inline(always)]
    fn left_from(self, run: Run) -> Result<(Self::Stride, Self::Run), Fault> {
        let (head, run) = self.head.node().left_from(run)?;
        let (tail, run) = self.tail.left_from(run)?;
        Ok((Cons { head: head.tree(), tail }, run))
    }
}
impl<H: Nested<Node: RightFrom<T::Run>>, T: RightFrom<Run>, Run> RightFrom<Run> for Cons<H, T>
where
    <H::Node as RightFrom<T::Run>>::Stride: Untangle,
{
    type Stride = Cons<<<H::Node as RightFrom<T::Run>>::Stride as Untangle>::Tree, T::Stride>;
    type Run = <H::Node as RightFrom<T::Run>>::Run;
    #[inline(always)]
    fn right_from(self, run: Run) -> Result<(Self::Stride, Self::Run), Fault> {
        let (tail, run) = self.tail.right_from(run)?;
        let (head, run) = self.head.node().right_from(run)?;
        Ok((Cons { head: head.tree(), tail }, run))
    }
}

// ---- construction -------------------------------------------------------------------------------

impl<S, D> StridedLayout<S, D> {
    /// The compact layout of a shape, the leftmost mode fastest: column-major. CuTe's `LayoutLeft`,
    /// the default.
    ///
    /// # Panics
    /// If a dynamic stride leaves `usize`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(StridedLayout::left(shape!((4, (2, 3)))), layout!((4, (2, 3)):(1, (4, 8))));
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn left(shape: S) -> LeftLayout<S>
    where
        S: CompactLeft<Stride = D>,
    {
        StridedLayout::assemble(shape, strides("left", shape, shape.left_strides()))
    }

    /// The compact layout of a shape, the rightmost mode fastest: row-major. CuTe's `LayoutRight`.
    ///
    /// # Panics
    /// If a dynamic stride leaves `usize`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(StridedLayout::right(shape!((4, (2, 3)))), layout!((4, (2, 3)):(6, (3, 1))));
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn right(shape: S) -> RightLayout<S>
    where
        S: CompactRight<Stride = D>,
    {
        StridedLayout::assemble(shape, strides("right", shape, shape.right_strides()))
    }
}

#[inline(always)]
#[track_caller]
pub(crate) fn strides<S: IntTuple, D>(
    operation: &'static str,
    shape: S,
    result: Result<D, Fault>,
) -> D {
    expect(
        result.map_err(|fault| LayoutError::new(operation, fault).with_operand(&notation(shape))),
    )
}
