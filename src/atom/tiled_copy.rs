//! Copy atoms laid out over threads and values.
//!
//! ```text
//! tv           = right_inverse(raked_product(threads, values)) with shape (threads, values)
//!                (thread, value) -> element of the tile
//! source tv
//!         = (zipped_divide(tv, atom) o <ref^-1 o src, _>) as (thread, (value of an atom, which atom))
//! partition_S  = (zipped_divide(S, tile) o <source tv, _>)((thread, ..), (.., ..))
//!                ((V, X), RestM, RestN, ..)
//! ```

use core::any::type_name;
use core::fmt::{self, Debug, Display, Formatter};
use core::marker::PhantomData;

#[cfg(feature = "alloc")]
use alloc::{format, string::ToString};

use crate::algebra::divide::ZippedDivide;
use crate::algebra::traits::{CoalesceBy, Compose, Composition, RightInverse, RightInverseOf};
use crate::atom::copy::{AsCopyAtom, CopyAtom};
use crate::atom::mma::TvLayout;
use crate::atom::tiled_mma::display_tiled;
#[cfg(feature = "alloc")]
use crate::dynamic::DynTiler;
use crate::error::LayoutError;
use crate::layout::display::Notation;
use crate::layout::flat::FlatLayout;
#[cfg(feature = "alloc")]
use crate::layout::print::{Draw, Table, ThreadValues};
use crate::layout::refused_layout::RefusedLayout;
use crate::layout::strided::StridedLayout;
use crate::layout::tiler::Tiler;
#[cfg(feature = "alloc")]
use crate::layout::traits::Layout;
use crate::layout::traits::StaticLayout;
use crate::number::int::{One, StaticInt};
use crate::tensor::{
    Dealt, MakeLayoutTv, Partition, PartitionOf, Storage, StorageMut, Tensor, tell_slice,
};

/// Copy atoms over a tile `T` whose elements the layout `V` deals to threads. CuTe's `TiledCopy`.
/// Made by [`make_tiled_copy`].
///
/// ```
/// use layout_algebra::atom::{TiledCopy, UniversalCopy};
/// use layout_algebra::prelude::*;
/// // 2 threads below one another with 2 elements each: a tile of 2 x 2, whose row t is thread t's.
/// type Rows = TiledCopy<UniversalCopy<i32, Int<2>>, Layout!((2, 2):(1, 2)), Tiler!(2, 2)>;
/// let t = Tensor::fixed([0, 1, 2, 3], layout!((2, 2): right));
/// assert_eq!(Rows::default().get_slice(1).unwrap().partition_s(&t)?.iter().sum::<i32>(), 2 + 3);
/// # Ok::<(), LayoutError>(())
/// ```
#[derive(Clone, Copy, Default)]
#[must_use]
pub struct TiledCopy<A, V, T> {
    atom: A,
    layout: PhantomData<(V, T)>,
}
/// The atom, the thread-value layout and the tile, as the type is written.
///
/// ```
/// use layout_algebra::atom::{UniversalCopy, make_tiled_copy};
/// use layout_algebra::prelude::*;
/// let tiled = make_tiled_copy(UniversalCopy::<i32, Int<2>>::new(), layout!((4, 1)), layout!((1, 2)))?;
/// assert_eq!(format!("{tiled:#}"), "TiledCopy<UniversalCopy<i32, 2>, (4,2):(1,4), <4,2>>");
/// # Ok::<(), LayoutError>(())
/// ```
impl<A: Debug, V: Notation + Default, T: Notation + Default> Display for TiledCopy<A, V, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        display_tiled("TiledCopy", &self.atom, V::default(), T::default(), f)
    }
}
debug_as_display! { [A: Debug, V: Notation + Default, T: Notation + Default] TiledCopy<A, V, T>; }

/// A tiled copy of an atom, a layout of threads and a layout of each thread's values. CuTe's
/// `make_tiled_copy`.
///
/// # Errors
/// `bounds` if the threads or the values are no permutation of `0 .. size`.
///
/// ```
/// use layout_algebra::atom::{UniversalCopy, make_tiled_copy};
/// use layout_algebra::prelude::*;
/// // 32 x 8 threads, each with four elements below one another.
/// let tiled =
///     make_tiled_copy(UniversalCopy::<f32, Int<4>>::new(), layout!((32, 8)), layout!((4, 1)))?;
/// assert_eq!((tiled.size(), tiled.tiler()), (256, tiler!(128, 8)));
/// let a = Tensor::filled(layout!((128, 24)), 0.0_f32);
/// let mine = tiled.get_slice(33).unwrap().partition_s(&a)?;
/// assert_eq!(format!("{:#}", mine.layout()), "((4,1),1,3):((1,0),0,1024)");
/// # Ok::<(), LayoutError>(())
/// ```
#[inline]
pub fn make_tiled_copy<A, H, V>(
    atom: A,
    threads: H,
    values: V,
) -> Result<TiledCopyOf<A, H, V>, LayoutError>
where
    H: StaticLayout,
    V: StaticLayout,
    A: CopyAtom + MakeTiledCopy<H, V>,
{
    atom.tiled_copy(threads, values)
}

/// The [`TiledCopy`] that [`make_tiled_copy`] makes of an atom, a layout of threads and a layout of
/// values.
///
/// ```
/// use layout_algebra::atom::{TiledCopy, TiledCopyOf, UniversalCopy};
/// use layout_algebra::prelude::*;
/// use static_assertions::assert_type_eq_all;
/// type Pair = UniversalCopy<i32, Int<2>>;
/// // 2 threads with 2 values side by side
/// type Rows = TiledCopyOf<Pair, Layout!((2, 1)), Layout!((1, 2))>;
/// assert_type_eq_all!(Rows, TiledCopy<Pair, Layout!((2, 2):(1, 2)), Tiler!(2, 2)>);
/// ```
pub type TiledCopyOf<A, H, V> = <A as MakeTiledCopy<H, V>>::Output;

/// `A: MakeTiledCopy<H, V>`: the threads `H`, each with the values `V`, copy by the atom `A`: what
/// [`make_tiled_copy`] asks for.
#[diagnostic::on_unimplemented(
    message = "cannot make a tiled copy of these threads and these values",
    label = "the layouts of threads and of values have to be static, and to cover a tile",
    note = "both are layouts of the tile's rank: `make_tiled_copy(atom, layout!((4, 8)), layout!((2, 2)))`"
)]
pub trait MakeTiledCopy<H, V>: Sized {
    /// The [`TiledCopy`].
    type Output;
    #[doc(hidden)]
    fn tiled_copy(self, threads: H, values: V) -> Result<Self::Output, LayoutError>;
}
#[doc(hidden)]
impl<A, H, V> MakeTiledCopy<H, V> for A
where
    H: MakeLayoutTv<V>,
    TiledCopy<A, H::Tv, H::Tile>: TiledTv<Source: CheckedTiledCopy<A, H::Tv, H::Tile>>,
{
    type Output =
        <SourceTv<TiledCopy<A, H::Tv, H::Tile>> as CheckedTiledCopy<A, H::Tv, H::Tile>>::Output;
    #[inline]
    fn tiled_copy(self, threads: H, values: V) -> Result<Self::Output, LayoutError> {
        H::layout_tv(threads, values)?;
        Ok(SourceTv::<TiledCopy<A, H::Tv, H::Tile>>::copy_or_refused(self))
    }
}
/// The tiled copy whose threads read by the layout `Self`, or a rejected one.
pub trait CheckedTiledCopy<A, V, T> {
    type Output;
    fn copy_or_refused(atom: A) -> Self::Output;
}
impl<S, D, A, V, T> CheckedTiledCopy<A, V, T> for StridedLayout<S, D> {
    type Output = TiledCopy<A, V, T>;
    #[inline]
    fn copy_or_refused(atom: A) -> Self::Output {
        TiledCopy::new(atom)
    }
}
#[diagnostic::do_not_recommend]
impl<A, V, T> CheckedTiledCopy<A, V, T> for RefusedLayout {
    type Output = TiledCopy<A, RefusedLayout, RefusedLayout>;
    fn copy_or_refused(atom: A) -> Self::Output {
        TiledCopy::new(atom)
    }
}
/// What a tiled copy consists of, worked out: implemented for a [`TiledCopy`] whose atom and
/// layouts fit.
///
/// ```
/// use layout_algebra::atom::{TiledCopy, TiledTv, UniversalCopy};
/// use layout_algebra::prelude::*;
/// use static_assertions::assert_type_eq_all;
/// type Rows = TiledCopy<UniversalCopy<i32, Int<2>>, Layout!((2, 4):(1, 2)), Tiler!(2, 4)>;
/// assert_type_eq_all!(<Rows as TiledTv>::Threads, Int<2>);
/// // two atoms of two values each
/// assert_type_eq_all!(<Rows as TiledTv>::Source, Layout!((2, (2, 2)):(1, (2, 4))));
/// ```
#[diagnostic::on_unimplemented(
    message = "this atom and this thread-value layout make no tiled copy",
    label = "not a tiled copy",
    note = "the threads and the values of the tile are multiples of the atom's"
)]
pub trait TiledTv: Copy {
    /// The tile, as a tiler.
    type Tile: Default;
    /// `(thread, (V, X)) -> element of the tile`, for what a thread reads.
    type Source: StaticLayout;
    /// `(thread, (V, X)) -> element of the tile`, for what a thread writes.
    type Destination: StaticLayout;
    /// The number of threads.
    type Threads: StaticInt;
}
/// `(thread, (V, X)) -> element of the tile`, for what a thread of the tiled copy `C` reads.
///
/// ```
/// use layout_algebra::atom::{SourceTv, TiledCopy, UniversalCopy};
/// use layout_algebra::prelude::*;
/// use static_assertions::assert_type_eq_all;
/// type Rows = TiledCopy<UniversalCopy<i32, Int<2>>, Layout!((2, 4):(1, 2)), Tiler!(2, 4)>;
/// assert_type_eq_all!(SourceTv<Rows>, Layout!((2, (2, 2)):(1, (2, 4))));
/// ```
pub type SourceTv<C> = <C as TiledTv>::Source;
/// `(thread, (V, X)) -> element of the tile`, for what a thread of the tiled copy `C` writes.
///
/// ```
/// use layout_algebra::atom::{DestinationTv, TiledCopy, UniversalCopy};
/// use layout_algebra::prelude::*;
/// use static_assertions::assert_type_eq_all;
/// type Rows = TiledCopy<UniversalCopy<i32, Int<2>>, Layout!((2, 4):(1, 2)), Tiler!(2, 4)>;
/// assert_type_eq_all!(DestinationTv<Rows>, Layout!((2, (2, 2)):(1, (2, 4))));
/// ```
pub type DestinationTv<C> = <C as TiledTv>::Destination;

/// The thread-value layout `Self`, in which the atom `(Ref, To)` repeats, for what a thread of the
/// atom has by `To`.
pub trait DealtBy<Ref, To> {
    type Output: StaticLayout;
}
impl<S, D, Ref, To> DealtBy<Ref, To> for StridedLayout<S, D>
where
    Ref: TvLayout + RightInverse,
    RightInverseOf<Ref>: Compose<To>,
    Self: ZippedDivide<
            Tiler<(Ref::Threads, Ref::Values)>,
            Output: Atomwise<Composition<RightInverseOf<Ref>, To>>,
        >,
{
    type Output =
        <<Self as ZippedDivide<Tiler<(Ref::Threads, Ref::Values)>>>::Output as Atomwise<
            Composition<RightInverseOf<Ref>, To>,
        >>::Output;
}

/// A thread-value layout divided by an atom, in which `Target` says what each thread has.
pub trait Atomwise<Target> {
    type Output: StaticLayout;
}
impl<Target, AS, RT, RV, AD, DRT, DRV, TT, TV, DTT, DTV, Joined> Atomwise<Target>
    for StridedLayout<(AS, (RT, RV)), (AD, (DRT, DRV))>
where
    StridedLayout<AS, AD>: Compose<Target, Output = StridedLayout<(TT, TV), (DTT, DTV)>>,
    StridedLayout<((TT, RT), (TV, RV)), ((DTT, DRT), (DTV, DRV))>:
        CoalesceBy<(One, (One, One)), Output = Joined>,
    Joined: StaticLayout,
{
    type Output = Joined;
}
#[diagnostic::do_not_recommend]
impl<Target> Atomwise<Target> for RefusedLayout {
    type Output = RefusedLayout;
}

impl<A: Copy, V: DealtOver<A> + Copy, T: Copy + Default> TiledTv for TiledCopy<A, V, T> {
    type Tile = T;
    type Source = V::Source;
    type Destination = V::Destination;
    type Threads = V::Threads;
}

/// The thread-value layout `Self`, by which copies of the atom `A` are dealt out.
pub trait DealtOver<A> {
    type Source: StaticLayout;
    type Destination: StaticLayout;
    type Threads: StaticInt;
}
impl<A: CopyAtom<RefLayout: RefersTo<A, Self>>, S, D> DealtOver<A> for StridedLayout<S, D>
where
    Self: TvLayout,
{
    type Source = <A::RefLayout as RefersTo<A, Self>>::Source;
    type Destination = <A::RefLayout as RefersTo<A, Self>>::Destination;
    type Threads = <Self as TvLayout>::Threads;
}
/// The layout that the thread-value layout `V` of copies of the atom `A` speaks of.
#[diagnostic::on_unimplemented(
    message = "cannot make a tiled copy: nothing says that `{A}` makes one of these threads and values",
    label = "`{A}`: its threads and values are not known",
    note = "generic code names what it needs as a bound: `A: CopyAtom + MakeTiledCopy<H, V>`, `H` the layout of threads, \
            `V` that of values"
)]
pub trait RefersTo<A, V> {
    type Source: StaticLayout;
    type Destination: StaticLayout;
}
impl<A: CopyAtom, S, D, V> RefersTo<A, V> for StridedLayout<S, D>
where
    V: DealtBy<Self, A::SrcLayout> + DealtBy<Self, A::DstLayout>,
{
    type Source = <V as DealtBy<Self, A::SrcLayout>>::Output;
    type Destination = <V as DealtBy<Self, A::DstLayout>>::Output;
}
#[diagnostic::do_not_recommend]
impl<A> DealtOver<A> for RefusedLayout {
    type Source = RefusedLayout;
    type Destination = RefusedLayout;
    type Threads = One;
}

#[doc(hidden)]
impl<A: CopyAtom, V: StaticLayout, T> AsCopyAtom for TiledCopy<A, V, T> {
    type Atom = A;
    const ORDER: Option<FlatLayout> = Some(V::FLAT);
    const TILE: fn() -> &'static str = type_name::<T>;
    #[inline]
    fn as_copy_atom(&self) -> &A {
        &self.atom
    }
}

impl<A, V, T> TiledCopy<A, V, T> {
    #[inline]
    pub(super) const fn new(atom: A) -> Self {
        TiledCopy { atom, layout: PhantomData }
    }
}
impl<A, V, T> TiledCopy<A, V, T>
where
    Self: TiledTv,
{
    /// The atom.
    ///
    /// ```
    /// use layout_algebra::atom::{UniversalCopy, copy, make_tiled_copy};
    /// use layout_algebra::prelude::*;
    /// // 4 threads down, 2 values each side by side.
    /// let tiled = make_tiled_copy(UniversalCopy::<i32, Int<2>>::new(), layout!((4, 1)), layout!((1, 2)))?;
    /// let source = Tensor::fixed([0, 1, 2, 3], layout!(4));
    /// let mut t = Tensor::fixed([0; 4], layout!(4));
    /// copy(tiled.atom(), &source, &mut t)?; // one thread alone, twice two values
    /// assert_eq!(t.into_storage(), [0, 1, 2, 3]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub const fn atom(&self) -> &A {
        &self.atom
    }
    /// The number of threads. CuTe's `size(tiled_copy)`.
    ///
    /// ```
    /// use layout_algebra::atom::{UniversalCopy, make_tiled_copy};
    /// use layout_algebra::prelude::*;
    /// let tiled = make_tiled_copy(UniversalCopy::<i32, Int<2>>::new(), layout!((4, 1)), layout!((1, 2)))?;
    /// assert_eq!(tiled.size(), 4);
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub fn size(&self) -> usize {
        <<Self as TiledTv>::Threads as StaticInt>::VALUE
    }
    /// The tile that all threads copy, as a tiler. CuTe's `Tiler_MN`.
    ///
    /// ```
    /// use layout_algebra::atom::{UniversalCopy, make_tiled_copy};
    /// use layout_algebra::prelude::*;
    /// // 4 threads down, 2 values each side by side.
    /// let tiled = make_tiled_copy(UniversalCopy::<i32, Int<2>>::new(), layout!((4, 1)), layout!((1, 2)))?;
    /// assert_eq!(tiled.tiler(), tiler!(4, 2));
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub fn tiler(&self) -> <Self as TiledTv>::Tile {
        Default::default()
    }
    /// `(thread, (V, X)) -> element of the tile`, for what a thread reads. CuTe's `get_layoutS_TV`.
    ///
    /// ```
    /// use layout_algebra::atom::{UniversalCopy, make_tiled_copy};
    /// use layout_algebra::prelude::*;
    /// // 4 threads down, 2 values each side by side.
    /// let tiled = make_tiled_copy(UniversalCopy::<i32, Int<2>>::new(), layout!((4, 1)), layout!((1, 2)))?;
    /// // Value 1 is one column on: 4 elements of the tile.
    /// assert_eq!(tiled.layout_s_tv(), layout!((4, (2, 1)):(1, (4, 0))));
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub fn layout_s_tv(&self) -> SourceTv<Self> {
        Default::default()
    }
    /// `(thread, (V, X)) -> element of the tile`, for what a thread writes. CuTe's
    /// `get_layoutD_TV`.
    ///
    /// ```
    /// use layout_algebra::atom::{UniversalCopy, make_tiled_copy};
    /// use layout_algebra::prelude::*;
    /// // 4 threads down, 2 values each side by side.
    /// let tiled = make_tiled_copy(UniversalCopy::<i32, Int<2>>::new(), layout!((4, 1)), layout!((1, 2)))?;
    /// // Value 1 is one column on: 4 elements of the tile.
    /// assert_eq!(tiled.layout_d_tv(), layout!((4, (2, 1)):(1, (4, 0))));
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub fn layout_d_tv(&self) -> DestinationTv<Self> {
        Default::default()
    }
    /// Which thread's which value each element of the tile is: for what the threads read, and for
    /// what they write if that differs. `T3V1` is value 1 of thread 3. CuTe's `print_latex`.
    ///
    /// ```
    /// use layout_algebra::atom::{UniversalCopy, make_tiled_copy};
    /// use layout_algebra::prelude::*;
    /// // 2 threads down, 2 values each side by side.
    /// let tiled = make_tiled_copy(UniversalCopy::<i32, Int<2>>::new(), layout!((2, 1)), layout!((1, 2)))?;
    /// assert_eq!(tiled.thread_value_table().to_string(), "\
    /// source and destination (2,(2,1)):(1,(2,0)) in <2,2>
    ///          0      1
    ///     +------+------+
    ///  0  | T0V0 | T0V1 |
    ///     +------+------+
    ///  1  | T1V0 | T1V1 |
    ///     +------+------+
    /// ");
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn thread_value_table(&self) -> Table<SourceAndDestination>
    where
        Self: TiledTv<
                Tile: Into<DynTiler> + Display,
                Source: Layout<Offset = usize> + Display,
                Destination: Layout<Offset = usize> + Display,
            >,
    {
        let (source, destination) = (self.layout_s_tv(), self.layout_d_tv());
        let same = source.to_string() == destination.to_string();
        let spans = self.tiler().into().spans();
        let title =
            |side: &str, layout: &dyn Display| format!("{side} {layout:#} in {:#}", self.tiler());
        let name = if same { "source and destination" } else { "source" };
        let read = ThreadValues::of(&source, title(name, &source)).in_tile(spans.clone());
        let written =
            || ThreadValues::of(&destination, title("destination", &destination)).in_tile(spans);
        let written = if same { None } else { Some(written()) };
        Table(SourceAndDestination(read, written))
    }

    /// One thread's slice of the copy, or `None` if there is no such thread. CuTe's `get_slice`,
    /// `get_thread_slice`.
    ///
    /// ```
    /// use layout_algebra::atom::{UniversalCopy, make_tiled_copy};
    /// use layout_algebra::prelude::*;
    /// let tiled = make_tiled_copy(UniversalCopy::<i32, Int<2>>::new(), layout!((4, 1)), layout!((1, 2)))?;
    /// assert_eq!(tiled.get_slice(3).map(|thread| thread.thread()), Some(3));
    /// assert!(tiled.get_slice(4).is_none());
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    #[track_caller]
    pub fn get_slice(&self, thread: usize) -> Option<ThrCopy<Self>> {
        tell_slice::<Self>(self.size(), thread);
        if thread < self.size() { Some(ThrCopy { copy: *self, thread }) } else { None }
    }
}

/// What the threads of a tiled copy read, and what they write if that differs: what
/// [`TiledCopy::thread_value_table`] shows.
#[cfg(feature = "alloc")]
#[derive(Clone)]
pub struct SourceAndDestination(ThreadValues, Option<ThreadValues>);
#[cfg(feature = "alloc")]
impl Draw for SourceAndDestination {
    fn draw(&self, colours: bool, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.draw(colours, f)?;
        self.1.iter().try_for_each(|written| written.draw(colours, f))
    }
}

/// One thread's part in the tiled copy `C`. CuTe's `ThrCopy`. Made by [`TiledCopy::get_slice`].
///
/// ```
/// use layout_algebra::atom::{ThrCopy, UniversalCopy, make_tiled_copy};
/// use layout_algebra::prelude::*;
/// let tiled = make_tiled_copy(UniversalCopy::<i32, Int<2>>::new(), layout!((4, 1)), layout!((1, 2)))?;
/// let mut t = Tensor::fixed([0; 8], layout!((4, 2): right));
/// for i in 0..tiled.size() {
///     let thread: ThrCopy<_> = tiled.get_slice(i).unwrap();
///     thread.partition_d_mut(&mut t)?.fill(i as i32);
/// }
/// assert_eq!(t.into_storage(), [0, 0, 1, 1, 2, 2, 3, 3]);
/// # Ok::<(), LayoutError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ThrCopy<C> {
    copy: C,
    thread: usize,
}

/// The layout of what one thread has of a tensor of layout `L` in tiles `T` dealt out by `V`.
///
/// ```
/// use layout_algebra::atom::PartitionedBy;
/// use layout_algebra::prelude::*;
/// use static_assertions::assert_type_eq_all;
/// // 2 threads with 2 values each side by side: rows 0 and 1 of tiles of 2 x 2, of which a matrix of 4
/// // x 4 has 2 x 2.
/// type Mine = PartitionedBy<Layout!((4, 4)), Tiler!(2, 2), Layout!((2, 2):(1, 2))>;
/// assert_type_eq_all!(Mine, Layout!((2, 2, 2):(4, 2, 8)));
/// ```
pub type PartitionedBy<L, T, V> = PartitionOf<L, T, Dealt<V>>;

impl<C> ThrCopy<C> {
    /// The tiled copy.
    ///
    /// ```
    /// use layout_algebra::atom::{UniversalCopy, make_tiled_copy};
    /// use layout_algebra::prelude::*;
    /// let tiled = make_tiled_copy(UniversalCopy::<i32, Int<2>>::new(), layout!((4, 1)), layout!((1, 2)))?;
    /// assert_eq!(tiled.get_slice(1).unwrap().tiled_copy().size(), 4);
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub const fn tiled_copy(&self) -> &C {
        &self.copy
    }
    /// The thread.
    ///
    /// ```
    /// use layout_algebra::atom::{UniversalCopy, make_tiled_copy};
    /// use layout_algebra::prelude::*;
    /// let tiled = make_tiled_copy(UniversalCopy::<i32, Int<2>>::new(), layout!((4, 1)), layout!((1, 2)))?;
    /// assert_eq!(tiled.get_slice(2).unwrap().thread(), 2);
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub const fn thread(&self) -> usize {
        self.thread
    }
}

macro_rules! partitions {
    ($($side:ident; $(#[$doc:meta])* $partition:ident; $partition_mut:ident;)*) => {
        impl<C: TiledTv> ThrCopy<C> {
            $(
                $(#[$doc])*
                ///
                /// # Errors
                /// Those of the divides, with dynamic leaves.
                #[inline]
                #[allow(clippy::type_complexity, reason = "a view under the layout of a partition, or an error")]
                pub fn $partition<'t, S, L>(
                    &self,
                    tensor: &'t Tensor<S, L>,
                ) -> Result<Tensor<S::View<'t>, PartitionedBy<L, C::Tile, C::$side>>, LayoutError>
                where
                    S: Storage,
                    L: Partition<C::Tile, Dealt<C::$side>>,
                {
                    tensor.part(C::Tile::default(), Dealt::new(C::$side::default(), self.thread))
                }

                #[doc = concat!("[`", stringify!($partition), "`](ThrCopy::", stringify!($partition), "), mutable.")]
                ///
                /// # Errors
                /// Those of the divides, with dynamic leaves.
                ///
                /// ```
                /// use layout_algebra::atom::{UniversalCopy, make_tiled_copy};
                /// use layout_algebra::prelude::*;
                /// let tiled = make_tiled_copy(UniversalCopy::<i32>::new(), layout!((2, 2)), layout!((1, 1)))?;
                /// let mut t = Tensor::fixed([0; 16], layout!((4, 4)));
                /// // Thread 3 stands at (1, 1): rows and columns 1 and 3.
                #[doc = concat!("tiled.get_slice(3).unwrap().", stringify!($partition_mut), "(&mut t)?.fill(1);")]
                /// assert_eq!(t.into_storage(), [0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1, 0, 1]);
                /// # Ok::<(), LayoutError>(())
                /// ```
                #[inline]
                #[allow(clippy::type_complexity, reason = "a view under the layout of a partition, or an error")]
                pub fn $partition_mut<'t, S, L>(
                    &self,
                    tensor: &'t mut Tensor<S, L>,
                ) -> Result<Tensor<S::ViewMut<'t>, PartitionedBy<L, C::Tile, C::$side>>, LayoutError>
                where
                    S: StorageMut,
                    L: Partition<C::Tile, Dealt<C::$side>>,
                {
                    tensor.part_mut(C::Tile::default(), Dealt::new(C::$side::default(), self.thread))
                }
            )*
        }
    };
}
partitions! {
    Source;
    /// What the thread reads of a tensor of shape `(M, N, ..)`: modes `((V, X), RestM, RestN, ..)`,
    /// V the values of an atom, X the atoms of a tile. CuTe's `partition_S`.
    ///
    /// ```
    /// use layout_algebra::atom::{UniversalCopy, make_tiled_copy};
    /// use layout_algebra::prelude::*;
    /// let tiled = make_tiled_copy(UniversalCopy::<i32, Int<2>>::new(), layout!((4, 1)), layout!((1, 4)))?;
    /// let a = Tensor::fixed(core::array::from_fn::<i32, 48, _>(|i| i as i32), layout!((4, 12): right));
    /// let mine = tiled.get_slice(2).unwrap().partition_s(&a)?;
    /// assert_eq!(*mine.layout(), layout!(((2, 2), 1, 3):((1, 2), 0, 4)));
    /// assert_eq!(mine.slice((.., 0, 1)).iter().copied().collect::<Vec<_>>(), [28, 29, 30, 31]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    partition_s; partition_s_mut;
    Destination;
    /// What the thread writes of a tensor of shape `(M, N, ..)`: modes
    /// `((V, X), RestM, RestN, ..)`. CuTe's `partition_D`.
    ///
    /// ```
    /// use layout_algebra::atom::{UniversalCopy, make_tiled_copy};
    /// use layout_algebra::prelude::*;
    /// // 4 threads down, 2 values each side by side.
    /// let tiled = make_tiled_copy(UniversalCopy::<i32, Int<2>>::new(), layout!((4, 1)), layout!((1, 2)))?;
    /// let t = Tensor::fixed(core::array::from_fn::<i32, 16, _>(|i| i as i32), layout!((4, 4): right));
    /// // row 1, columns 0 and 1 of two tiles of 4 x 2
    /// let mine = tiled.get_slice(1).unwrap().partition_d(&t)?;
    /// assert_eq!(mine.iter().copied().collect::<Vec<_>>(), [4, 5, 6, 7]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    partition_d; partition_d_mut;
}
