//! Thread-value layouts: which element of a tile is value `v` of thread `t`.
//!
//! ```text
//! tv(t, v) = the number of an element of the tile          tile o tv = the tile, dealt out
//! ```

use crate::algebra::traits::{Compose, Composition, RakedProduct, RightInverse};
use crate::error::{Fault, LayoutError};
use crate::layout::compact::{CompactLeft, LeftLayout};
use crate::layout::refused_layout::RefusedLayout;
use crate::layout::strided::StridedLayout;
use crate::layout::tiler::Tiler;
use crate::layout::traits::{Layout, StaticLayout};
use crate::list::{Nested, Untangle};
use crate::tensor::parts::threads::ThreadModes;
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::profile::{Congruent, SizeOf};

/// Two layouts as the modes of one. CuTe's `make_layout(a, b)`; with a layout of threads and one of
/// values, their thread-value layout.
///
/// `make_layout(A, B)(a, b) == A(a) + B(b)`
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::make_layout;
/// let (values, threads) = (layout!((2, 3):(1, 4)), layout!((2, 2):(2, 12)));
/// assert_eq!(make_layout(threads, values), layout!(((2, 2), (2, 3)):((2, 12), (1, 4))));
/// ```
#[inline]
pub fn make_layout<S, D, T, E>(
    a: StridedLayout<S, D>,
    b: StridedLayout<T, E>,
) -> StridedLayout<(S, T), (D, E)>
where
    (S, T): Congruent<(D, E)>,
{
    let ((s, d), (t, e)) = (a.into_parts(), b.into_parts());
    StridedLayout::new((s, t), (d, e))
}

/// `T: MakeLayoutTv<V>`: the threads `T`, each with the values `V`, cover a tile. What
/// [`make_layout_tv`] asks for.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::MakeLayoutTv;
/// use static_assertions::assert_type_eq_all;
/// type Threads = Layout!((4, 8));
/// assert_type_eq_all!(<Threads as MakeLayoutTv<Layout!((2, 2))>>::Tile, Tiler!(8, 16));
/// ```
#[diagnostic::on_unimplemented(
    message = "cannot deal a tile to these threads with these values",
    label = "the layouts of threads and of values have to be static, and to cover a tile",
    note = "both are layouts of the tile's rank: `make_layout_tv(layout!((4, 8)), layout!((2, 2)))`"
)]
pub trait MakeLayoutTv<V>: StaticLayout {
    /// The tile, as a tiler.
    type Tile: Default;
    /// `(thread, value) -> number of an element`.
    type Tv: Layout;
    #[doc(hidden)]
    fn layout_tv(threads: Self, values: V) -> Result<Self::Tv, LayoutError>;
}

#[diagnostic::do_not_recommend]
#[doc(hidden)]
impl<S, D, T, E, P, Q, N, M, Sizes, Inverse> MakeLayoutTv<StridedLayout<T, E>>
    for StridedLayout<S, D>
where
    Self: StaticLayout + RakedProduct<StridedLayout<T, E>, Output = StridedLayout<P, Q>>,
    StridedLayout<P, Q>: RightInverse<Output = Inverse>,
    P: IntTuple<Node: ThreadModes<Q::Node, Sizes = Sizes>>,
    Q: IntTuple,
    Sizes: Untangle<Tree: Default>,
    S: Nested<Node: SizeOf<Output = N>>,
    T: Nested<Node: SizeOf<Output = M>>,
    (N, M): CompactLeft + Default + IntTuple,
    Inverse: Compose<LeftLayout<(N, M)>>,
{
    type Tile = Tiler<Sizes::Tree>;
    type Tv = Composition<Inverse, LeftLayout<(N, M)>>;
    #[inline]
    fn layout_tv(threads: Self, values: StridedLayout<T, E>) -> Result<Self::Tv, LayoutError> {
        let elements = <Self as RakedProduct<StridedLayout<T, E>>>::evaluated(threads, values)?;
        let size = elements.size();
        let inverse = <StridedLayout<P, Q> as RightInverse>::evaluated(elements)?;
        if inverse.size() != size {
            let fault = Fault::Storage { cosize: elements.cosize(), length: size };
            return Err(LayoutError::new("make_layout_tv", fault).with_operand(&elements));
        }
        Compose::evaluated(inverse, StridedLayout::left(<(N, M)>::default()))
    }
}

/// The values were rejected. With a single impl, rustc would take any type in this place for a
/// layout.
#[doc(hidden)]
#[diagnostic::do_not_recommend]
impl<S, D> MakeLayoutTv<RefusedLayout> for StridedLayout<S, D>
where
    Self: StaticLayout,
{
    type Tile = ();
    type Tv = RefusedLayout;
    fn layout_tv(_: Self, values: RefusedLayout) -> Result<RefusedLayout, LayoutError> {
        Ok(values)
    }
}

/// The tile that threads cover with some values each, and the layout that says which:
/// `layout_tv(t, v)` is the number, in the tile, of value `v` of thread `t`. CuTe's
/// `make_layout_tv`.
///
/// Each thread's values are a block of the shape of `values`, and the blocks lie as the threads do
/// in `threads`. Both layouts are permutations of `0 .. size`.
///
/// # Errors
/// `bounds` if the threads or the values are no permutation of `0 .. size`.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::make_layout_tv;
/// // 4 x 8 threads, row-major, with 2 x 4 values each: a tile of 8 x 32.
/// let (tile, tv) = make_layout_tv(layout!((4, 8): right), layout!((2, 4): right))?;
/// assert_eq!(tile, tiler!(8, 32));
/// assert_eq!(tv.shape().size(), 256);
/// // Value 3 of thread 1 is in row 0, column 4 + 3 of the tile.
/// assert_eq!(tv.index((1, 3)), 0 + 8 * 7);
/// # Ok::<(), LayoutError>(())
/// ```
#[inline]
pub fn make_layout_tv<T, V>(threads: T, values: V) -> Result<(T::Tile, T::Tv), LayoutError>
where
    T: MakeLayoutTv<V>,
{
    Ok((T::Tile::default(), T::layout_tv(threads, values)?))
}
