//! Multiply-add atoms laid out over threads, and repeated over values.
//!
//! ```text
//! thr_layout_vmnk = tiled_product(ThrId, atom layout)
//!         (ThrV, ThrM, ThrN, ThrK) -> thread
//! thrfrg_C(C)     = ((ThrV, (ThrM, ThrN)), (FrgV, (RestM, RestN, ..)))
//!         C permuted, in atoms, dealt to the threads
//! ```

use core::fmt::{self, Debug, Display, Formatter};
use core::marker::PhantomData;
use core::ops::RangeFull;

use typenum::UInt;

use crate::algebra::divide::ZippedDivide;
use crate::algebra::operation::Stays;
use crate::algebra::traits::{Compose, LogicalDivide, TiledProduct, TiledProductOf};
use crate::atom::bijective::{assert_fits, not_dealt_once, overlap};
use crate::atom::mma::MmaAtom;
use crate::error::LayoutError;
use crate::layout::display::Notation;
use crate::layout::flat::{FlatLayout, Message};
use crate::layout::refused_layout::RefusedLayout;
use crate::layout::strided::StridedLayout;
use crate::layout::tiler::{Keep, Tiler};
use crate::layout::traits::{Layout, StaticLayout};
use crate::list::Nested;
use crate::number::int::{MulInt, StaticInt};
use crate::pad::pad;
use crate::tensor::{
    Addressable, HasTile, KeepAll, Partition, SliceIn, ThreadValue, Threads, or_stop, within_tile,
};
use crate::tuple::profile::SizeOf;

/// Atoms laid out over threads by `H`, of modes M, N and K, over modes permuted by `P`. CuTe's
/// `TiledMMA`. Made by [`make_tiled_mma`](crate::atom::make_tiled_mma).
///
/// ```
/// use layout_algebra::atom::{TiledMma, UniversalFma};
/// use layout_algebra::prelude::*;
/// type Product = TiledMma<UniversalFma<f32>, Layout!((4, 2, 1)), Tiler!(_, _, _)>;
/// assert_eq!((Product::default().size(), size_of::<Product>()), (8, 0));
/// ```
#[derive(Clone, Copy, Default)]
#[must_use]
pub struct TiledMma<A, H, P> {
    atom: A,
    layout: PhantomData<(H, P)>,
}
/// The atom, the layout of atoms and the permutation, as the type is written.
///
/// ```
/// use layout_algebra::atom::{UniversalFma, make_tiled_mma};
/// use layout_algebra::prelude::*;
/// let mma = make_tiled_mma(UniversalFma::<f32>::new(), layout!((4, 2, 1)), tiler!(_, 8, _));
/// assert_eq!(format!("{mma:#}"), "TiledMma<UniversalFma<f32, f32, f32>, (4,2,1):(1,4,0), <_,8,_>>");
/// ```
impl<A: Debug, H: Notation + Default, P: Notation + Default> Display for TiledMma<A, H, P> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        display_tiled("TiledMma", &self.atom, H::default(), P::default(), f)
    }
}
debug_as_display! { [A: Debug, H: Notation + Default, P: Notation + Default] TiledMma<A, H, P>; }

/// An atom and what tiles it, as the type is written.
pub(super) fn display_tiled<V: Notation, T: Notation>(
    name: &str,
    atom: &impl Debug,
    layout: V,
    tile: T,
    f: &mut Formatter<'_>,
) -> fmt::Result {
    pad(f, &|f| {
        write!(f, "{name}<{atom:?}, ")?;
        layout.write(f)?;
        f.write_str(", ")?;
        tile.write(f)?;
        f.write_str(">")
    })
}

impl<A, H, P> TiledMma<A, H, P> {
    #[inline]
    pub(super) const fn new(atom: A) -> Self {
        TiledMma { atom, layout: PhantomData }
    }
    /// The atom.
    ///
    /// ```
    /// use layout_algebra::atom::{MmaAtom, UniversalFma, make_tiled_mma};
    /// use layout_algebra::prelude::*;
    /// let mma = make_tiled_mma(UniversalFma::<f32>::new(), layout!((4, 2, 1)), tiler!(_, _, _));
    /// assert_eq!(mma.atom().fma(&[2.0].into(), &[3.0].into(), [1.0].into())[0], 7.0);
    /// ```
    #[inline]
    pub const fn atom(&self) -> &A {
        &self.atom
    }
}

// ---- permutations -------------------------------------------------------------------------------

/// What can permute a mode: `_` for the order as it is, over `Whole` elements; a number; a layout.
///
/// ```
/// use layout_algebra::atom::Permutation;
/// use layout_algebra::prelude::*;
/// use static_assertions::{assert_impl_all, assert_not_impl_any, assert_type_eq_all};
/// assert_type_eq_all!(<Keep as Permutation<Int<8>>>::Output, Int<8>);
/// assert_impl_all!(Layout!((16, 4):(4, 1)): Permutation<Int<16>>);
/// assert_not_impl_any!(usize: Permutation<Int<16>>);
/// ```
#[diagnostic::on_unimplemented(
    message = "this is not a permutation of a mode",
    label = "neither `_` nor a number nor a layout, all static",
    note = "a permutation of a mode orders its elements: `(16, 4):(4, 1)`; `_` leaves them as they are"
)]
pub trait Permutation<Whole> {
    /// The permutation as a tiler's entry.
    type Output: TileMode;
}
#[doc(hidden)]
impl<Whole: TileMode> Permutation<Whole> for Keep {
    type Output = Whole;
}
#[doc(hidden)]
#[diagnostic::do_not_recommend]
impl<Whole: TileMode> Permutation<Whole> for RefusedLayout {
    type Output = Whole;
}
#[doc(hidden)]
impl<Whole, U, B> Permutation<Whole> for UInt<U, B>
where
    Self: TileMode,
{
    type Output = Self;
}
#[doc(hidden)]
impl<Whole, S, D> Permutation<Whole> for StridedLayout<S, D>
where
    Self: TileMode,
{
    type Output = Self;
}

/// A static entry of a tiler.
///
/// ```
/// use layout_algebra::atom::TileMode;
/// use layout_algebra::prelude::*;
/// use static_assertions::assert_type_eq_all;
/// assert_type_eq_all!(<Layout!((16, 4):(4, 1)) as TileMode>::Size, Int<64>);
/// ```
#[diagnostic::on_unimplemented(
    message = "this is no static entry of a tiler",
    label = "not a number and not a layout, both static",
    note = "a permutation is known at compile time: `tiler!((16, 4):(4, 1), 8, _)`"
)]
pub trait TileMode: Copy + Default + Debug {
    /// How many elements it spans.
    type Size: StaticInt;
    /// The layout, of an entry that is one.
    #[doc(hidden)]
    const LAYOUT: Option<FlatLayout> = None;
}
#[doc(hidden)]
impl<U, B> TileMode for UInt<U, B>
where
    Self: StaticInt,
{
    type Size = Self;
}
#[doc(hidden)]
impl<S: Nested<Node: SizeOf<Output = N>>, D, N: StaticInt> TileMode for StridedLayout<S, D>
where
    Self: StaticLayout,
{
    type Size = N;
    const LAYOUT: Option<FlatLayout> = Some(FlatLayout::of_type::<Self>());
}

// ---- the operands -------------------------------------------------------------------------------

/// How one operand is dealt out: its modes permuted by `P`, cut into atoms `A`, the elements of
/// each dealt by the thread-value layout `V`, the atoms dealt to threads by `H`.
///
/// ```
/// use layout_algebra::atom::{Operand, TiledMma, TiledOperands, UniversalFma};
/// use layout_algebra::prelude::*;
/// use static_assertions::assert_type_eq_all;
/// // Of A, atoms of 1 x 1 with one value of one thread each, over 4 x 1 threads.
/// type Product = TiledMma<UniversalFma<f32>, Layout!((4, 2, 1)), Tiler!(_, _, _)>;
/// type OfA = Operand<Tiler!(4, 1), Tiler!(1, 1), Layout!((1, 1):(0, 0)), Tiler!(4, 1)>;
/// assert_type_eq_all!(<Product as TiledOperands>::A, OfA);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Operand<P, A, V, H>(PhantomData<(P, A, V, H)>);
impl<P, A, V, H> Default for Operand<P, A, V, H> {
    #[inline]
    fn default() -> Self {
        Operand(PhantomData)
    }
}

/// Where a thread stands in an operand: number in the atom, numbers in the two modes of atoms.
#[derive(Clone, Copy, Debug)]
pub struct At(pub(crate) (usize, (usize, usize)));

#[doc(hidden)]
impl<S, D, P, A, V, H, Permuted, Cut> Partition<Operand<P, A, V, H>, At> for StridedLayout<S, D>
where
    Self: Addressable + LogicalDivide<P, Output = Permuted>,
    P: Default,
    A: Default,
    V: Default,
    Permuted: Layout + ZippedDivide<A, Output = Cut>,
    V: ThreadValue,
    Cut: Layout + HasTile + Compose<Tiler<(V, Keep)>, Output: AmongThreads<H>>,
{
    type Divided = <Cut::Output as AmongThreads<H>>::Output;
    type At = <Cut::Output as AmongThreads<H>>::At;
    type Part = <<Cut::Output as AmongThreads<H>>::At as SliceIn<
        <Cut::Output as AmongThreads<H>>::Output,
    >>::Output;
    // Two divisions keep the offsets; composition with numbers of elements of an atom adds none; a
    // third division keeps them.
    const STAYS: Stays<Self, (Operand<P, A, V, H>, At)> =
        Stays::shown_if(<Permuted as ZippedDivide<A>>::STAYS.is_shown() && within_tile::<Cut, V>());
    #[inline]
    fn partition(
        self,
        _: Operand<P, A, V, H>,
        at: At,
    ) -> Result<(Self::Divided, Self::At), LayoutError> {
        let permuted = or_stop!(LogicalDivide::evaluated(self, P::default()));
        let cut = or_stop!(ZippedDivide::evaluated(permuted, A::default()));
        or_stop!(Compose::evaluated(cut, Tiler::const_new((V::default(), Keep)))).among_threads(at)
    }
}

/// A layout `((ThrV, FrgV), atoms)`, whose atoms are dealt to the threads `H`.
pub trait AmongThreads<H> {
    /// `((ThrV, (Thr, Thr)), (FrgV, (Rest, Rest, ..)))`
    type Output: Addressable;
    /// The coordinate at which one thread's slice is taken.
    type At: SliceIn<Self::Output>;
    fn among_threads(self, at: At) -> Result<(Self::Output, Self::At), LayoutError>;
}
impl<H, ThrV, FrgV, Rest, DThrV, DFrgV, DRest, Z> AmongThreads<H>
    for StridedLayout<((ThrV, FrgV), Rest), ((DThrV, DFrgV), DRest)>
where
    H: Default,
    StridedLayout<Rest, DRest>: Layout + ZippedDivide<H, Output = Z>,
    Z: WithAtomModes<(ThrV, FrgV), (DThrV, DFrgV)>,
{
    type Output = Z::Output;
    type At = Z::At;
    #[inline]
    fn among_threads(self, at: At) -> Result<(Self::Output, Self::At), LayoutError> {
        let ((atom, rest), (d_atom, d_rest)) = self.into_parts();
        let atoms =
            or_stop!(ZippedDivide::evaluated(StridedLayout::assemble(rest, d_rest), H::default()));
        Ok(atoms.with_atom_modes(atom, d_atom, at))
    }
}
#[diagnostic::do_not_recommend]
impl<H> AmongThreads<H> for RefusedLayout {
    type Output = RefusedLayout;
    type At = ();
    fn among_threads(self, _: At) -> Result<(RefusedLayout, ()), LayoutError> {
        Ok((self, ()))
    }
}

/// A layout `(Thr, Rest)` of atoms, beside the two modes `S:D` of one atom.
pub trait WithAtomModes<S, D> {
    type Output: Addressable;
    type At: SliceIn<Self::Output>;
    fn with_atom_modes(self, shape: S, stride: D, at: At) -> (Self::Output, Self::At);
}
impl<ThrV, FrgV, DThrV, DFrgV, Thr, More, DThr, DMore> WithAtomModes<(ThrV, FrgV), (DThrV, DFrgV)>
    for StridedLayout<(Thr, More), (DThr, DMore)>
where
    StridedLayout<((ThrV, Thr), (FrgV, More)), ((DThrV, DThr), (DFrgV, DMore))>: Addressable,
    More: Nested<Node: KeepAll>,
    ((usize, (usize, usize)), (RangeFull, <More::Node as KeepAll>::Output)):
        SliceIn<StridedLayout<((ThrV, Thr), (FrgV, More)), ((DThrV, DThr), (DFrgV, DMore))>>,
{
    type Output = StridedLayout<((ThrV, Thr), (FrgV, More)), ((DThrV, DThr), (DFrgV, DMore))>;
    type At = ((usize, (usize, usize)), (RangeFull, <More::Node as KeepAll>::Output));
    #[inline]
    fn with_atom_modes(
        self,
        (thr_v, frg_v): (ThrV, FrgV),
        (d_thr_v, d_frg_v): (DThrV, DFrgV),
        at: At,
    ) -> (Self::Output, Self::At) {
        let ((thr, more), (d_thr, d_more)) = self.into_parts();
        let layout = StridedLayout::assemble(
            ((thr_v, thr), (frg_v, more)),
            ((d_thr_v, d_thr), (d_frg_v, d_more)),
        );
        (layout, (at.0, (.., More::Node::keep_all())))
    }
}
#[diagnostic::do_not_recommend]
impl<S, D> WithAtomModes<S, D> for RefusedLayout {
    type Output = RefusedLayout;
    type At = ();
    fn with_atom_modes(self, _: S, _: D, _: At) -> (RefusedLayout, ()) {
        (self, ())
    }
}

/// What a tiled product consists of, worked out: implemented for a [`TiledMma`] whose atom, layout
/// and permutation fit.
///
/// ```
/// use layout_algebra::atom::{TiledMma, TiledOperands, UniversalFma};
/// use layout_algebra::prelude::*;
/// use static_assertions::assert_type_eq_all;
/// type Product = TiledMma<UniversalFma<f32>, Layout!((4, 2, 1)), Tiler!(_, (2, 4):(4, 1), _)>;
/// assert_type_eq_all!(<Product as TiledOperands>::TileMnk, Shape!((4, 8, 1)));
/// ```
#[diagnostic::on_unimplemented(
    message = "this atom, this layout of atoms and this permutation make no tiled product",
    label = "not a tiled product",
    note = "the layout of atoms is static and has three modes, M, N and K; the permutation has an entry for each, `_` \
            for none"
)]
pub trait TiledOperands: Copy {
    /// The atom.
    type Atom: MmaAtom;
    /// `(ThrV, ThrM, ThrN, ThrK) -> thread`
    type ThrLayoutVmnk: Threads<Place = (usize, usize, usize, usize)> + Default;
    /// The extents of the tile that all threads compute with one atom each, permutations included.
    type TileMnk: Copy + Default;
    /// How A is dealt out.
    type A: Default;
    /// How B is dealt out.
    type B: Default;
    /// How C is dealt out.
    type C: Default;
    /// Stops the build unless each element of an operand is dealt once.
    #[doc(hidden)]
    const FITS: () = ();
}

impl<A, AM, AN, AK, HM, HN, HK, D, PM, PN, PK, TM, TN, TK> TiledOperands
    for TiledMma<A, StridedLayout<(HM, HN, HK), D>, Tiler<(PM, PN, PK)>>
where
    Self: Copy,
    A: MmaAtom<ShapeMnk = (AM, AN, AK), ThrId: TiledProduct<StridedLayout<(HM, HN, HK), D>>>,
    StridedLayout<(HM, HN, HK), D>: StaticLayout,
    TiledProductOf<A::ThrId, StridedLayout<(HM, HN, HK), D>>:
        Threads<Place = (usize, usize, usize, usize)> + StaticLayout,
    AM: TileMode + MulInt<TM, Output: TileMode>,
    AN: TileMode + MulInt<TN, Output: TileMode>,
    AK: TileMode + MulInt<TK, Output: TileMode>,
    HM: Nested<Node: SizeOf<Output = TM>>,
    HN: Nested<Node: SizeOf<Output = TN>>,
    HK: Nested<Node: SizeOf<Output = TK>>,
    PM: Permutation<<AM as MulInt<TM>>::Output>,
    PN: Permutation<<AN as MulInt<TN>>::Output>,
    PK: Permutation<<AK as MulInt<TK>>::Output>,
{
    type Atom = A;
    type ThrLayoutVmnk = TiledProductOf<A::ThrId, StridedLayout<(HM, HN, HK), D>>;
    type TileMnk = (
        <PM::Output as TileMode>::Size,
        <PN::Output as TileMode>::Size,
        <PK::Output as TileMode>::Size,
    );
    type A = Operand<Tiler<(PM::Output, PK::Output)>, Tiler<(AM, AK)>, A::ALayout, Tiler<(TM, TK)>>;
    type B = Operand<Tiler<(PN::Output, PK::Output)>, Tiler<(AN, AK)>, A::BLayout, Tiler<(TN, TK)>>;
    type C = Operand<Tiler<(PM::Output, PN::Output)>, Tiler<(AM, AN)>, A::CLayout, Tiler<(TM, TN)>>;
    const FITS: () = {
        let (m, n, k) = (
            <AM::Size as StaticInt>::VALUE,
            <AN::Size as StaticInt>::VALUE,
            <AK::Size as StaticInt>::VALUE,
        );
        assert_fits(&not_dealt_once(&FlatLayout::of_type::<A::ALayout>(), m * k, "A", true));
        assert_fits(&not_dealt_once(&FlatLayout::of_type::<A::BLayout>(), n * k, "B", true));
        assert_fits(&not_dealt_once(&FlatLayout::of_type::<A::CLayout>(), m * n, "C", false));
        let message = Message::new()
            .text("cannot make a tiled product: in the layout of the threads of all atoms");
        assert_fits(&overlap(&FlatLayout::of_type::<Self::ThrLayoutVmnk>(), message));
        // A permutation orders whole tiles of all atoms.
        let (mut mode, of) = (
            0,
            [
                (
                    <<AM as MulInt<TM>>::Output as TileMode>::Size::VALUE,
                    <PM::Output as TileMode>::Size::VALUE,
                    "M",
                ),
                (
                    <<AN as MulInt<TN>>::Output as TileMode>::Size::VALUE,
                    <PN::Output as TileMode>::Size::VALUE,
                    "N",
                ),
                (
                    <<AK as MulInt<TK>>::Output as TileMode>::Size::VALUE,
                    <PK::Output as TileMode>::Size::VALUE,
                    "K",
                ),
            ],
        );
        while mode < of.len() {
            let (atoms, permuted, name) = of[mode];
            if atoms == 0 || permuted % atoms != 0 {
                let message = Message::new()
                    .text("cannot make a tiled product: the permutation of ")
                    .text(name);
                let message = message
                    .text(" has ")
                    .number(permuted)
                    .text(" elements, no multiple of the ")
                    .number(atoms);
                assert_fits(&Some(message.text(" that all atoms have side by side")));
            }
            mode += 1;
        }
        let message = Message::new().text("cannot make a tiled product: in the permutation of ");
        let (mut mode, of) =
            (0, [(PM::Output::LAYOUT, "M"), (PN::Output::LAYOUT, "N"), (PK::Output::LAYOUT, "K")]);
        while mode < of.len() {
            if let (Some(layout), name) = &of[mode] {
                assert_fits(&overlap(layout, message.text(name)));
            }
            mode += 1;
        }
    };
}

impl<A, H, P> TiledMma<A, H, P>
where
    Self: TiledOperands,
{
    /// `(ThrV, ThrM, ThrN, ThrK) -> thread`. CuTe's `get_thr_layout_vmnk`.
    ///
    /// ```
    /// use layout_algebra::atom::{UniversalFma, make_tiled_mma};
    /// use layout_algebra::prelude::*;
    /// let mma = make_tiled_mma(UniversalFma::<f32>::new(), layout!((4, 2, 1)), tiler!(_, _, _));
    /// assert_eq!(format!("{:#}", mma.thr_layout_vmnk()), "(1,4,2,1):(0,1,4,0)");
    /// ```
    #[inline]
    pub fn thr_layout_vmnk(&self) -> <Self as TiledOperands>::ThrLayoutVmnk {
        Default::default()
    }

    /// The number of threads. CuTe's `size(mma)`.
    ///
    /// ```
    /// use layout_algebra::atom::{UniversalFma, make_tiled_mma};
    /// use layout_algebra::prelude::*;
    /// let mma = make_tiled_mma(UniversalFma::<f32>::new(), layout!((4, 2, 1)), tiler!(_, _, _));
    /// assert_eq!(mma.size(), 8);
    /// ```
    #[inline]
    pub fn size(&self) -> usize {
        self.thr_layout_vmnk().size()
    }

    /// The extents of the tile that all threads compute with one atom each. CuTe's `tile_shape`,
    /// `tile_size_mnk`.
    ///
    /// ```
    /// use layout_algebra::atom::{UniversalFma, make_tiled_mma};
    /// use layout_algebra::prelude::*;
    /// let mma = make_tiled_mma(UniversalFma::<f32>::new(), layout!((4, 2, 1)), tiler!(_, 8, _));
    /// assert_eq!(mma.tile_size_mnk(), shape!((4, 8, 1))); // two threads along N, over 8 columns
    /// ```
    #[inline]
    pub fn tile_size_mnk(&self) -> <Self as TiledOperands>::TileMnk {
        Default::default()
    }
}

macro_rules! thrfrg {
    ($($(#[$doc:meta])* $method:ident: $operand:ident;)*) => {
        impl<A, H, P> TiledMma<A, H, P>
        where
            Self: TiledOperands,
        {
            $(
                $(#[$doc])*
                ///
                /// # Errors
                /// Those of the divides, with dynamic leaves.
                #[inline]
                pub fn $method<L>(&self, layout: L) -> Result<L::Divided, LayoutError>
                where
                    L: Partition<<Self as TiledOperands>::$operand, At>,
                {
                    Ok(layout.partition(Default::default(), At((0, (0, 0))))?.0)
                }
            )*
        }
    };
}
thrfrg! {
    /// A layout of shape `(M, K, ..)` as `((ThrV, (ThrM, ThrK)), (FrgV, (RestM, RestK, ..)))`.
    /// CuTe's `thrfrg_A`.
    ///
    /// ```
    /// use layout_algebra::atom::{UniversalFma, make_tiled_mma};
    /// use layout_algebra::prelude::*;
    /// let mma = make_tiled_mma(UniversalFma::<f32>::new(), layout!((4, 2, 1)), tiler!(_, _, _));
    /// assert_eq!(
    ///     mma.thrfrg_a(layout!((8, 3)))?,
    ///     layout!(((1, (4, 1)), (1, (2, 3))):((0, (1, 0)), (0, (4, 8))))
    /// );
    /// # Ok::<(), LayoutError>(())
    /// ```
    thrfrg_a: A;
    /// A layout of shape `(N, K, ..)` as `((ThrV, (ThrN, ThrK)), (FrgV, (RestN, RestK, ..)))`.
    /// CuTe's `thrfrg_B`.
    ///
    /// ```
    /// use layout_algebra::atom::{UniversalFma, make_tiled_mma};
    /// use layout_algebra::prelude::*;
    /// let mma = make_tiled_mma(UniversalFma::<f32>::new(), layout!((4, 2, 1)), tiler!(_, _, _));
    /// assert_eq!(
    ///     mma.thrfrg_b(layout!((6, 3)))?,
    ///     layout!(((1, (2, 1)), (1, (3, 3))):((0, (1, 0)), (0, (2, 6))))
    /// );
    /// # Ok::<(), LayoutError>(())
    /// ```
    thrfrg_b: B;
    /// A layout of shape `(M, N, ..)` as `((ThrV, (ThrM, ThrN)), (FrgV, (RestM, RestN, ..)))`.
    /// CuTe's `thrfrg_C`.
    ///
    /// ```
    /// use layout_algebra::atom::{UniversalFma, make_tiled_mma};
    /// use layout_algebra::prelude::*;
    /// let mma = make_tiled_mma(UniversalFma::<f32>::new(), layout!((4, 2, 1)), tiler!(_, _, _));
    /// assert_eq!(
    ///     mma.thrfrg_c(layout!((8, 6)))?,
    ///     layout!(((1, (4, 2)), (1, (2, 3))):((0, (1, 8)), (0, (4, 16))))
    /// );
    /// # Ok::<(), LayoutError>(())
    /// ```
    thrfrg_c: C;
}
