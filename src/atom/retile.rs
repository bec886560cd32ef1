//! The registers of one thread in the order of a tiled copy.
//!
//! ```text
//! order(m, n)  = upcast(right_inverse(tv) with the shape of the tile, threads * V)          (m, n) -> number of V values
//! retile(F)    = (zipped_divide(F, <V, M, N>) o <zipped_divide((V, order^-1), atom), _>)(.., (0, .., ..))
//! ```
//!
//! A fragment of a tiled product has the modes `(V, RestM, RestN)` of its atom; a tiled copy counts in values of its own atom. Both hold the same
//! elements where the copy has the thread-value layout of the product.

use core::ops::RangeFull;

use crate::algebra::LayoutAlgebra;
use crate::algebra::composition::Compose;
use crate::algebra::divide::ZippedDivide;
use crate::algebra::inverse::{RightInverse, RightInverseOf};
use crate::algebra::product::LogicalProduct;
use crate::algebra::recast::Upcast;
use crate::algebra::reshape::WithShape;
use crate::atom::copy::CopyAtom;
use crate::atom::mma::TvLayout;
use crate::atom::tiled_copy::{ThrCopy, TiledCopy};
use crate::error::LayoutError;
use crate::int::{MulInt, One};
use crate::layout::{Layout, StaticLayout};
use crate::profile::SizeOf;
use crate::strided::StridedLayout;
use crate::tensor::{Addressable, Partition, PartitionOf, SliceIn, Storage, StorageMut, Tensor};
use crate::tiler::{Keep, Tiler};
use crate::tuple::Nested;

/// The tiled copy `C` in whose order registers are put.
#[derive(Clone, Copy, Debug)]
pub struct Retile<C>(core::marker::PhantomData<C>);
/// All of them.
#[derive(Clone, Copy, Debug)]
pub struct All;
/// The layout `L` of registers in the order of the tiled copy `C`.
pub type RetiledOf<L, C> = PartitionOf<L, Retile<C>, All>;

/// The tiled copy `self`, for registers whose first mode has `V` values.
pub trait OrderOf<V> {
    /// How many of them lie along the modes of a tile, as a tiler.
    type Tile: Default;
    /// `(value of an atom, which atom) -> (v, m, n)`
    type Order: StaticLayout;
}
impl<A, TV, S, V, W, F0, F1, D, N0, N1, P> OrderOf<V> for TiledCopy<A, TV, Tiler<S>>
where
    A: CopyAtom,
    TV: TvLayout + RightInverse,
    TV::Threads: MulInt<V>,
    RightInverseOf<TV>: WithShape<S, Output = W>,
    W: Layout + Upcast<<TV::Threads as MulInt<V>>::Output, Output = StridedLayout<(F0, F1), D>>,
    F0: Nested<Node: SizeOf<Output = N0>>,
    F1: Nested<Node: SizeOf<Output = N1>>,
    Tiler<(V, N0, N1)>: Default,
    StridedLayout<(F0, F1), D>: RightInverse,
    StridedLayout<V, One>: Layout + LogicalProduct<RightInverseOf<StridedLayout<(F0, F1), D>>, Output = P>,
    P: Layout + ZippedDivide<<A::RefLayout as TvLayout>::Values, Output: StaticLayout>,
{
    type Tile = Tiler<(V, N0, N1)>;
    type Order = <P as ZippedDivide<<A::RefLayout as TvLayout>::Values>>::Output;
}

impl<C, V, M, N, D, W, Z, Values, X, RM, RN, DV, DX, DM, DN> Partition<Retile<C>, All> for StridedLayout<(V, M, N), D>
where
    Self: Addressable + ZippedDivide<C::Tile, Output = Z>,
    V: Nested<Node: SizeOf<Output = W>>,
    C: OrderOf<W>,
    Z: Layout + Compose<Tiler<(C::Order, Keep)>, Output = StridedLayout<(Values, (X, RM, RN)), (DV, (DX, DM, DN))>>,
    StridedLayout<(Values, (X, RM, RN)), (DV, (DX, DM, DN))>: Addressable,
    (RangeFull, (usize, RangeFull, RangeFull)): SliceIn<StridedLayout<(Values, (X, RM, RN)), (DV, (DX, DM, DN))>>,
{
    type Divided = StridedLayout<(Values, (X, RM, RN)), (DV, (DX, DM, DN))>;
    type At = (RangeFull, (usize, RangeFull, RangeFull));
    #[inline(always)]
    fn partition(self, _: Retile<C>, _: All) -> Result<(Self::Divided, Self::At), LayoutError> {
        let cut = self.try_zipped_divide(C::Tile::default())?;
        Ok((cut.try_compose(Tiler::new((C::Order::default(), Keep)))?, (.., (0, .., ..))))
    }
}

impl<C> ThrCopy<C> {
    /// A thread's registers of modes `(V, M, N)` in the order in which it reads them: modes `((V, X), RestM, RestN)`. CuTe's `retile_S`.
    ///
    /// # Errors
    /// `image` if the registers are a part of a larger tensor that the order would leave.
    ///
    /// ```
    /// use layout_algebra::atom::{UniversalCopy, make_tiled_copy};
    /// use layout_algebra::prelude::*;
    /// use layout_algebra::tensor::Fragment;
    /// // A thread holds 4 x 2 values one by one; the copy takes them four at a time.
    /// let tiled = make_tiled_copy(UniversalCopy::<f32, Int<4>>::new(), layout!((2, 2)), layout!((4, 2)))?;
    /// let registers: Fragment<f32, Layout!((1, 4, 2))> = Fragment::zeroed();
    /// let retiled = tiled.get_slice(0).unwrap().retile_s(&registers)?;
    /// assert_eq!(retiled.shape(), shape!(((4, 2), 1, 1)));
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline(always)]
    #[allow(clippy::type_complexity, reason = "a view in another order, or an error")]
    pub fn retile_s<'t, S: Storage, L: Partition<Retile<C>, All>>(
        &self,
        registers: &'t Tensor<S, L>,
    ) -> Result<Tensor<S::View<'t>, RetiledOf<L, C>>, LayoutError> {
        let (order, at) = registers.layout().clone().partition(Retile(core::marker::PhantomData), All)?;
        registers.cut(order, at)
    }

    /// A thread's registers of modes `(V, M, N)` in the order in which it writes them: modes `((V, X), RestM, RestN)`. CuTe's `retile_D`.
    ///
    /// # Errors
    /// Those of [`retile_s`](ThrCopy::retile_s).
    #[inline(always)]
    #[allow(clippy::type_complexity, reason = "a view in another order, or an error")]
    pub fn retile_d<'t, S: StorageMut, L: Partition<Retile<C>, All>>(
        &self,
        registers: &'t mut Tensor<S, L>,
    ) -> Result<Tensor<S::ViewMut<'t>, RetiledOf<L, C>>, LayoutError> {
        let (order, at) = registers.layout().clone().partition(Retile(core::marker::PhantomData), All)?;
        registers.cut_mut(order, at)
    }
}
