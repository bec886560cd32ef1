//! Makes a tiled product of an atom, a layout of atoms and a permutation that fit.
//!
//! Operands that do not fit are reported here, at the first place, and a tiled product of one atom
//! stands in for the result.

use typenum::UInt;

use crate::atom::mma::MmaAtom;
use crate::atom::tiled_mma::{TiledMma, TiledOperands};
use crate::layout::refused_layout::RefusedLayout;
use crate::layout::strided::StridedLayout;
use crate::layout::tiler::{Keep, Tiler};
use crate::layout::traits::StaticLayout;
use crate::list::Nested;
use crate::number::int::{One, Zero};
use crate::number::multiple::Multiple;
use crate::number::show::N;
use crate::tensor::Ranked;
use crate::tuple::profile::{SizeIn, SizeOf};

/// A tiled product of an atom, a layout of atoms over the modes M, N and K, and a permutation of
/// each of these modes (`_` for none). CuTe's `make_tiled_mma`.
///
/// The build stops where an element of an operand is not dealt once: where the atom's layout of A,
/// of B or of C, the layout of atoms or a permutation is not injective. Threads may have the same
/// values of A and of B, by stride 0.
///
/// ```
/// use layout_algebra::atom::{UniversalFma, make_tiled_mma};
/// use layout_algebra::prelude::*;
/// // 16 x 16 threads; the rows of C in the order 0, 4, 8, .. 60, 1, 5, .. , and its columns too:
/// // a thread has 4 x 4 neighbours.
/// let order = tiler!((16, 4):(4, 1), (16, 4):(4, 1), _);
/// let mma = make_tiled_mma(UniversalFma::<f32>::new(), layout!((16, 16, 1)), order);
/// assert_eq!(mma.size(), 256);
/// assert_eq!(mma.tile_size_mnk(), shape!((64, 64, 1)));
/// let c = Tensor::filled(layout!((128, 128): right), 0.0);
/// let thread = mma.get_slice(17).unwrap(); // (tm, tn) = (1, 1)
/// let mine = thread.partition_c(&c)?;
/// assert_eq!(*mine.layout(), layout!((1, (4, 2), (4, 2)):(0, (128, 8192), (1, 64))));
/// # Ok::<(), LayoutError>(())
/// ```
///
/// ```compile_fail,E0080
/// use layout_algebra::atom::{UniversalFma, make_tiled_mma};
/// use layout_algebra::prelude::*;
/// // Rows 0, 1, 1 and 2: the mode 2:1 overlaps the 2 numbers that the modes below it span.
/// let rows = tiler!((2, 2):(1, 1), _, _);
/// let mma = make_tiled_mma(UniversalFma::<f32>::new(), layout!((4, 1, 1)), rows);
/// ```
///
/// A permutation has whole tiles of all atoms:
///
/// ```compile_fail,E0080
/// use layout_algebra::atom::{UniversalFma, make_tiled_mma};
/// use layout_algebra::prelude::*;
/// // the permutation of M has 6 elements, no multiple of the 4 that all atoms have side by side
/// let mma = make_tiled_mma(UniversalFma::<f32>::new(), layout!((4, 1, 1)), tiler!(6, _, _));
/// ```
#[inline]
pub fn make_tiled_mma<A, H, P>(atom: A, atoms: H, permutation: P) -> TiledMmaOf<A, H, P>
where
    A: MmaAtom + MakeTiledMma<H, P>,
{
    let _ = (atoms, permutation);
    const { <A as MakeTiledMma<H, P>>::FITS }
    A::Output::made_of(atom)
}

/// The [`TiledMma`] that [`make_tiled_mma`] makes of an atom, a layout of atoms and a permutation.
///
/// ```
/// use layout_algebra::atom::{TiledMma, TiledMmaOf, UniversalFma};
/// use layout_algebra::prelude::*;
/// use static_assertions::assert_type_eq_all;
/// type Atoms = Layout!((2, 2, 1));
/// type Mma = TiledMmaOf<UniversalFma<f32>, Atoms, Tiler!(_, _, _)>;
/// assert_type_eq_all!(Mma, TiledMma<UniversalFma<f32>, Atoms, Tiler!(_, _, _)>);
/// ```
pub type TiledMmaOf<A, H, P> = <A as MakeTiledMma<H, P>>::Output;

/// `A: MakeTiledMma<H, P>`: the atom `A`, the layout of atoms `H` and the permutation `P` make a
/// tiled product: what [`make_tiled_mma`] asks for.
#[diagnostic::on_unimplemented(
    message = "cannot make a tiled product: a static layout of atoms and a tiler are wanted",
    label = "not a layout of atoms over M, N and K, and a tiler that permutes these modes",
    note = "`make_tiled_mma(atom, layout!((16, 16, 1)), tiler!(_, _, _))`"
)]
pub trait MakeTiledMma<H, P>: Sized {
    /// [`TiledMma<A, H, P>`](TiledMma)
    type Output: MadeOf<Self>;
    /// Stops the build unless each element of an operand is dealt once.
    #[doc(hidden)]
    const FITS: () = ();
}
/// A tiled product of the atom `A`.
pub trait MadeOf<A> {
    fn made_of(atom: A) -> Self;
}
impl<A, H, P> MadeOf<A> for TiledMma<A, H, P> {
    #[inline]
    fn made_of(atom: A) -> Self {
        TiledMma::new(atom)
    }
}
#[doc(hidden)]
impl<A, S, D, P> MakeTiledMma<StridedLayout<S, D>, Tiler<P>> for A
where
    S: Ranked<Rank: CompareRank>,
    P: Ranked<Rank: CompareRank>,
    ComparedRank<S>:
        CompareBothRanks<ComparedRank<P>, Output: TiledBy<A, StridedLayout<S, D>, Tiler<P>>>,
{
    type Output = <<ComparedRank<S> as CompareBothRanks<ComparedRank<P>>>::Output as TiledBy<
        A,
        StridedLayout<S, D>,
        Tiler<P>,
    >>::Output;
    const FITS: () = <<ComparedRank<S> as CompareBothRanks<ComparedRank<P>>>::Output as TiledBy<
        A,
        StridedLayout<S, D>,
        Tiler<P>,
    >>::FITS;
}
/// An operand was rejected, and that is the mistake. With a single impl, rustc would take any type
/// in this place for a layout, and for a tiler.
macro_rules! refused {
    ($([$($generic:ident)*] $atoms:ty, $permutation:ty;)*) => {
        $(#[doc(hidden)]
        impl<A, $($generic),*> MakeTiledMma<$atoms, $permutation> for A {
            type Output = OneAtom<A>;
        })*
    };
}
refused! { [P] RefusedLayout, P; [S D] StridedLayout<S, D>, RefusedLayout; }
/// The refused layout in place of a rejected tiled product.
type OneAtom<A> =
    TiledMma<A, StridedLayout<(One, One, One), (Zero, Zero, Zero)>, Tiler<(Keep, Keep, Keep)>>;

/// The rank of the tuple `S`, compared with 3: [`RankThree`] or [`OtherRank`]. Functions whose bounds
/// cannot fail come first, and then the messages: as long as rustc does not know an operand, it
/// would take the only impl left for the answer.
type ComparedRank<S> = <<S as Ranked>::Rank as CompareRank>::Output;
/// A rank, compared with 3.
pub trait CompareRank {
    type Output;
}
/// The rank 3.
pub struct RankThree;
/// The rank `K`, which is not 3.
pub struct OtherRank<const K: usize>;
impl CompareRank for N<3> {
    type Output = RankThree;
}
macro_rules! wrong {
    ($($k:literal)*) => { $(impl CompareRank for N<$k> { type Output = OtherRank<$k>; })* };
}
wrong! { 1 2 4 5 6 7 8 }

/// Are both ranks 3? [`RankThree`], or what is wrong.
pub trait CompareBothRanks<J> {
    type Output;
}
cases! { CompareBothRanks:
    [] RankThree, RankThree => RankThree;
    [const K: usize] RankThree, OtherRank<K> => WrongPermutation<K>;
    [const K: usize] OtherRank<K>, RankThree => WrongAtoms<K>;
    [const K: usize, const L: usize] OtherRank<K>, OtherRank<L> => WrongAtoms<K>;
}
/// The layout of atoms has rank `K`.
pub struct WrongAtoms<const K: usize>;
/// The permutation has `K` entries.
pub struct WrongPermutation<const K: usize>;

/// The tiled product of an atom, a layout of atoms and a permutation.
pub trait TiledBy<A, H, P> {
    type Output: MadeOf<A>;
    const FITS: () = ();
}
macro_rules! wrong_ranks {
    ($($wrong:ident: $refusal:ident $message:literal $label:literal $note:literal;)*) => {
        $(
            impl<A, H, P, const K: usize> TiledBy<A, H, P> for $wrong<K>
            where
                (): $refusal<K>,
            {
                type Output = OneAtom<A>;
            }
            #[diagnostic::on_unimplemented(message = $message, label = $label, note = $note)]
            #[doc = "Implemented by nothing."]
            pub trait $refusal<const K: usize> {}
        )*
    };
}
wrong_ranks! {
    WrongAtoms: AtomsOfRank
        "cannot make a tiled product: the layout of atoms has rank {K}, and there are 3 modes, M, N and K"
        "rank: {K} modes for 3"
        "a mode of one atom is written 1: `make_tiled_mma(atom, layout!((16, 16, 1)), tiler!(_, _, _))`";
    WrongPermutation: PermutationOfRank
        "cannot make a tiled product: the permutation has {K} entries, and there are 3 modes, M, N and K"
        "rank: {K} entries for 3 modes"
        "a mode that is not permuted is written `_`: `make_tiled_mma(atom, layout!((16, 16, 1)), tiler!(_, _, _))`";
}
/// A type that is no atom has no threads, so that the compiler complains once.
impl<A, S, D, P> TiledBy<A, StridedLayout<S, D>, P> for RankThree
where
    A: MmaAtom<ThrId: TiledOver<A, SizeIn<S>, StridedLayout<S, D>, P>>,
    S: Nested<Node: SizeOf>,
{
    type Output = <A::ThrId as TiledOver<A, SizeIn<S>, StridedLayout<S, D>, P>>::Output;
    const FITS: () = <A::ThrId as TiledOver<A, SizeIn<S>, StridedLayout<S, D>, P>>::FITS;
}
/// The atom `A`, whose threads are `Self`, tiled over `Size` atoms. The impls are for every `Self`,
/// so that rustc lists none of them below another message.
pub trait TiledOver<A, Size, H, P> {
    type Output: MadeOf<A>;
    const FITS: () = ();
}
impl<I: ThreadsOf<A, H, P>, A, U, B, H, P> TiledOver<A, UInt<U, B>, H, P> for I {
    type Output = I::Output;
    const FITS: () = <I as ThreadsOf<A, H, P>>::FITS;
}
/// The atom `A`, whose threads are `Self`, makes a tiled product of these atoms and this
/// permutation.
#[diagnostic::on_unimplemented(
    message = "cannot make a tiled product: nothing says that `{A}` makes one of these atoms",
    label = "`{A}`: its shape and its threads are not known",
    note = "generic code names what it needs as a bound: `A: MmaAtom + MakeTiledMma<H, P>`, `H` the layout of atoms, \
            `P` the permutation"
)]
pub trait ThreadsOf<A, H, P> {
    type Output: MadeOf<A>;
    const FITS: ();
}
impl<T, E, A, H, P> ThreadsOf<A, H, P> for StridedLayout<T, E>
where
    TiledMma<A, H, P>: TiledOperands,
{
    type Output = TiledMma<A, H, P>;
    const FITS: () = <TiledMma<A, H, P> as TiledOperands>::FITS;
}
/// The number of atoms is known only at run time: the one error says that the layout is not static.
macro_rules! dynamic_sizes {
    ($([$($generic:ident)*] $size:ty;)*) => {
        $(impl<I, A, H: StaticLayout, P, $($generic),*> TiledOver<A, $size, H, P> for I {
            type Output = OneAtom<A>;
        })*
    };
}
dynamic_sizes! { [] usize; [F] Multiple<F>; }
