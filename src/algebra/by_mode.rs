//! Operations whose right operand is a tile: a layout or a number works on the whole left
//! layout, a [`Tiler`] mode by mode.

use crate::algebra::mode::{End, LastFirst, Mode};
use crate::algebra::operation;
use crate::algebra::outcome::{Apply, Defined};
use crate::algebra::trees::{IntoModes, ListOf};
use crate::error::Fault;
use crate::layout::refused_layout::RefusedLayout;
use crate::layout::strided::StridedLayout;
use crate::layout::tiler::{Keep, Tiler};
use crate::list::{Cons, Nested, Nil};
use crate::number::int::{One, Zero};
use crate::number::multiple::Multiple;
use crate::reasons::count::Count;
use crate::reasons::undefined::Undefined;
use crate::reasons::{AtHead, Behind, Rank};
use crate::tuple::int_tuple::IntTuple;
use typenum::{UInt, UTerm};

impl<Op: operation::ByModeOperation, S, D> Apply<Op, StridedLayout<S, D>> for Keep {
    type Output = Defined<S, D>;
    #[inline]
    fn apply(self, left: StridedLayout<S, D>) -> Result<Self::Output, Fault> {
        let (shape, stride) = left.into_parts();
        Ok(Defined { shape, stride })
    }
}

// A number `n` is the layout `n:1`. One row for each kind of number: the compiler would try a
// single row for every other operand too, at a seventh of the cost of a composition.
cases! { Apply::apply -> Result<Self::Output, Fault>, for {
    [] UTerm; [U B] UInt<U, B>; [] usize; [Factor] Multiple<Factor>;
}:
    [Op: operation::OnTiles, A] Self, Op, A where (StridedLayout<Self, One>: Apply<Op, A>)
        => <StridedLayout<Self, One> as Apply<Op, A>>::Output,
        (self, left: A) => StridedLayout::assemble(self, One::default()).apply(left);
}

impl<
    Op: operation::ByModeOperation,
    S: IntTuple<Node: IntoModes>,
    D: IntTuple<Node: IntoModes>,
    T: Nested + Copy,
> Apply<Op, StridedLayout<S, D>> for Tiler<T>
where
    T::Node: ByMode<Op, ListOf<S>, ListOf<D>, End, Output: MisfitReason<T::Node, ListOf<S>>>,
{
    type Output = <<T::Node as ByMode<Op, ListOf<S>, ListOf<D>, End>>::Output as MisfitReason<
        T::Node,
        ListOf<S>,
    >>::Output;
    #[inline]
    fn apply(self, left: StridedLayout<S, D>) -> Result<Self::Output, Fault> {
        let (shape, stride) = left.into_parts();
        Ok(self
            .entries()
            .by_mode(shape.node().into_modes(), stride.node().into_modes(), End)?
            .misfit_reason())
    }
}

/// [`Apply`] for an operation whose results are pairs of a tile and a rest. The result is the pair
/// of all tiles and all rests: `((T0,R0),(T1,R1),L) -> ((T0,T1),(R0,R1,L))`.
pub trait ApplyZipped<Op, A> {
    type Output;
    fn apply_zipped(self, left: A) -> Result<Self::Output, Fault>;
}
impl<Op, S, D> ApplyZipped<Op, StridedLayout<S, D>> for Keep {
    type Output = Defined<(S, One), (D, Zero)>;
    #[inline]
    fn apply_zipped(self, left: StridedLayout<S, D>) -> Result<Self::Output, Fault> {
        let (shape, stride) = left.into_parts();
        Ok(Defined { shape: (shape, One::default()), stride: (stride, UTerm) })
    }
}
macro_rules! one_pair {
    ($([$($generic:ident),*] $tile:ty;)*) => {
        $(impl<Op, Left, $($generic),*> ApplyZipped<Op, Left> for $tile
        where
            Self: Apply<Op, Left>,
        {
            type Output = <Self as Apply<Op, Left>>::Output;
            #[inline]
            fn apply_zipped(self, left: Left) -> Result<Self::Output, Fault> {
                self.apply(left)
            }
        })*
    };
}
one_pair! {
    [] UTerm; [U, B] UInt<U, B>; [] usize; [Factor] Multiple<Factor>; [ST, DT] StridedLayout<ST, DT>; [] RefusedLayout;
    [] operation::AnyTuple;
}
/// A tuple is no tile: the operation says so.
macro_rules! no_tile {
    ($($Item:ident $item:ident)+) => { one_pair! { [$($Item),+] ($($Item,)+); } };
}
each_arity!(no_tile);
pub(crate) use one_pair;
impl<Op, S: IntTuple<Node: IntoModes>, D: IntTuple<Node: IntoModes>, T: Nested + Copy>
    ApplyZipped<Op, StridedLayout<S, D>> for Tiler<T>
where
    T::Node:
        ByMode<Op, ListOf<S>, ListOf<D>, Zip<End, End>, Output: MisfitReason<T::Node, ListOf<S>>>,
{
    type Output =
        <<T::Node as ByMode<Op, ListOf<S>, ListOf<D>, Zip<End, End>>>::Output as MisfitReason<
            T::Node,
            ListOf<S>,
        >>::Output;
    #[inline]
    fn apply_zipped(self, left: StridedLayout<S, D>) -> Result<Self::Output, Fault> {
        let (shape, stride) = left.into_parts();
        let out = Zip { tiles: End, rests: End };
        Ok(self
            .entries()
            .by_mode(shape.node().into_modes(), stride.node().into_modes(), out)?
            .misfit_reason())
    }
}

/// Replaces a result if the ranks of a tiler and a layout do not fit.
pub struct Misfit;

/// The tiles and the rests of the modes so far, the last ones first.
pub struct Zip<Tiles, Rests> {
    tiles: Tiles,
    rests: Rests,
}
impl<Tiles, Rests> Zip<Tiles, Rests> {
    /// Adds a tile and a rest.
    #[inline]
    fn with_pair<M, N>(self, tile: M, rest: N) -> Zip<Cons<M, Tiles>, Cons<N, Rests>> {
        Zip {
            tiles: Cons { head: tile, tail: self.tiles },
            rests: Cons { head: rest, tail: self.rests },
        }
    }
}

/// The entries `self` of a tiler applied to the modes `S:D`, one by one, onto the results `Out`, in
/// reverse order: [`Defined`], [`Undefined`] or [`Misfit`]. If `Out` is a [`Zip`], by
/// [`ApplyZipped`].
pub trait ByMode<Op, S, D, Out> {
    type Output;
    fn by_mode(self, shape: S, stride: D, out: Out) -> Result<Self::Output, Fault>;
}
impl<Op, Out: Collected> ByMode<Op, Nil, Nil, Out> for Nil {
    type Output = Out::Output;
    #[inline]
    fn by_mode(self, _: Nil, _: Nil, out: Out) -> Result<Self::Output, Fault> {
        Ok(out.collected())
    }
}
impl<Op, T, TT, Out> ByMode<Op, Nil, Nil, Out> for Cons<T, TT> {
    type Output = Misfit;
    #[inline]
    fn by_mode(self, _: Nil, _: Nil, _: Out) -> Result<Self::Output, Fault> {
        Ok(Misfit)
    }
}
/// A composition needs an entry for every mode.
impl<S, ST, D, DT, Out> ByMode<operation::Compose, Cons<S, ST>, Cons<D, DT>, Out> for Nil {
    type Output = Misfit;
    #[inline]
    fn by_mode(self, _: Cons<S, ST>, _: Cons<D, DT>, _: Out) -> Result<Self::Output, Fault> {
        Ok(Misfit)
    }
}
/// An operation whose tiler may have fewer entries than the layout has modes: the modes beyond stay
/// as they are.
pub trait ShorterTiler {}
impl ShorterTiler for operation::CoalesceBy {}
impl ShorterTiler for operation::FilterBy {}
impl ShorterTiler for operation::LogicalDivide {}
impl ShorterTiler for operation::LogicalProduct {}
impl ShorterTiler for operation::RoundUp {}
impl<Op: ShorterTiler, S, ST, D, DT, Out> ByMode<Op, Cons<S, ST>, Cons<D, DT>, Out> for Nil
where
    Out: Collect<S, D>,
    Nil: ByMode<Op, ST, DT, Out::Output>,
{
    type Output = <Nil as ByMode<Op, ST, DT, Out::Output>>::Output;
    #[inline]
    fn by_mode(
        self,
        shape: Cons<S, ST>,
        stride: Cons<D, DT>,
        out: Out,
    ) -> Result<Self::Output, Fault> {
        let mode = Mode { shape: shape.head, stride: stride.head };
        <Nil as ByMode<Op, ST, DT, Out::Output>>::by_mode(
            self,
            shape.tail,
            stride.tail,
            out.collect(mode),
        )
    }
}
macro_rules! modes_one_by_one {
    ($($apply:ident $function:ident: [$($generic:ident)*] $out:ty;)*) => {
        $(impl<Op, S, ST, D, DT, T, TT, $($generic),*> ByMode<Op, Cons<S, ST>, Cons<D, DT>, $out> for Cons<T, TT>
        where
            T: $apply<Op, StridedLayout<S, D>, Output: ModesBehind<Op, TT, ST, DT, $out>>,
        {
            type Output = <T::Output as ModesBehind<Op, TT, ST, DT, $out>>::Output;
            #[inline]
            fn by_mode(self, shape: Cons<S, ST>, stride: Cons<D, DT>, out: $out) -> Result<Self::Output, Fault> {
                let mode = self.head.$function(StridedLayout::assemble(shape.head, stride.head))?;
                mode.then_modes(self.tail, shape.tail, stride.tail, out)
            }
        })*
    };
}
modes_one_by_one! {
    Apply apply: [] End; Apply apply: [M L] Cons<M, L>; ApplyZipped apply_zipped: [Tiles Rests] Zip<Tiles, Rests>;
}

/// The result `self` of one mode; applies the entries `TT` to the modes behind it.
pub trait ModesBehind<Op, TT, ST, DT, Out> {
    type Output;
    fn then_modes(
        self,
        entries: TT,
        shape: ST,
        stride: DT,
        out: Out,
    ) -> Result<Self::Output, Fault>;
}
macro_rules! list_modes {
    ($([$($generic:ident)*] $out:ty;)*) => {
        $(impl<Op, S, D, TT, ST, DT, $($generic),*> ModesBehind<Op, TT, ST, DT, $out> for Defined<S, D>
        where
            TT: ByMode<Op, ST, DT, Cons<Mode<S, D>, $out>>,
        {
            type Output = TT::Output;
            #[inline]
            fn then_modes(self, entries: TT, shape: ST, stride: DT, out: $out) -> Result<Self::Output, Fault> {
                let head = Mode { shape: self.shape, stride: self.stride };
                entries.by_mode(shape, stride, Cons { head, tail: out })
            }
        }
        impl<S, D, $($generic),*> Collect<S, D> for $out {
            type Output = Cons<Mode<S, D>, Self>;
            #[inline]
            fn collect(self, mode: Mode<S, D>) -> Self::Output {
                Cons { head: mode, tail: self }
            }
        })*
    };
}
list_modes! { [] End; [M L] Cons<M, L>; }
cases! { ModesBehind::then_modes -> Result<Self::Output, Fault>:
    [Op, S0, S1, D0, D1, TT, ST, DT, Tiles, Rests] Defined<(S0, S1), (D0, D1)>, Op, TT, ST, DT, Zip<Tiles, Rests>
        where (TT: ByMode<Op, ST, DT, Zip<Cons<Mode<S0, D0>, Tiles>, Cons<Mode<S1, D1>, Rests>>>)
        => TT::Output, (self, entries: TT, shape: ST, stride: DT, out: Zip<Tiles, Rests>) => {
        let ((s0, s1), (d0, d1)) = (self.shape, self.stride);
        let out = out.with_pair(Mode { shape: s0, stride: d0 }, Mode { shape: s1, stride: d1 });
        entries.by_mode(shape, stride, out)
    };
    [Op, R, TT, ST, DT, Out: InPlace<AtHead<R>>] Undefined<R>, Op, TT, ST, DT, Out => Undefined<Out::Output>,
        (self, _: TT, _: ST, _: DT, _: Out) => Ok(Undefined::new());
}

/// The reason `R`, which arose behind the modes `self`.
pub trait InPlace<R> {
    type Output;
}
cases! { InPlace:
    [R] End, R => R;
    [R, M, L: InPlace<Behind<R>>] Cons<M, L>, R => L::Output;
    [R, Tiles: InPlace<R>, Rests] Zip<Tiles, Rests>, R => Tiles::Output;
}

/// The mode `S:D`, left alone, behind the results `self`: a rest, where they are a [`Zip`].
pub trait Collect<S, D> {
    type Output;
    fn collect(self, mode: Mode<S, D>) -> Self::Output;
}
impl<S, D, Tiles, Rests> Collect<S, D> for Zip<Tiles, Rests> {
    type Output = Zip<Tiles, Cons<Mode<S, D>, Rests>>;
    #[inline]
    fn collect(self, mode: Mode<S, D>) -> Self::Output {
        Zip { tiles: self.tiles, rests: Cons { head: mode, tail: self.rests } }
    }
}

/// The results of all modes as a layout.
pub trait Collected {
    type Output;
    fn collected(self) -> Self::Output;
}
cases! { Collected::collected -> Self::Output:
    [M, L] Cons<M, L> where (Self: LastFirst<End>) => <Self as LastFirst<End>>::Output, (self) => self.last_first();
    [Tiles: LastFirst<End, Output: Pair<Rests::Output>>, Rests: LastFirst<End>] Zip<Tiles, Rests>
        => <Tiles::Output as Pair<Rests::Output>>::Output,
        (self) => self.tiles.last_first().pair(self.rests.last_first());
}
/// Two layouts as two modes.
pub trait Pair<Rest> {
    type Output;
    fn pair(self, rest: Rest) -> Self::Output;
}
impl<S0, D0, S1, D1> Pair<Defined<S1, D1>> for Defined<S0, D0> {
    type Output = Defined<(S0, S1), (D0, D1)>;
    #[inline]
    fn pair(self, rest: Defined<S1, D1>) -> Self::Output {
        Defined { shape: (self.shape, rest.shape), stride: (self.stride, rest.stride) }
    }
}

/// A [`Misfit`] as the reason that it is: the ranks of the entries `T` of a tiler and of the modes
/// `M`.
pub trait MisfitReason<T, M> {
    type Output;
    fn misfit_reason(self) -> Self::Output;
}
cases! { MisfitReason::misfit_reason -> Self::Output:
    [S, D, T, M] Defined<S, D>, T, M => Self, (self) => self;
    [R, T, M] Undefined<R>, T, M => Self, (self) => self;
    [T, M] Misfit, T, M => Undefined<Rank<Count<T>, Count<M>>>, (self) => Undefined::new();
}
