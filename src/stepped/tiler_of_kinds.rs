//! Tilers with entries of XOR strides or negative ones: from the first such result on, the results of all modes
//! together are of whatever kind their strides are.

use crate::algebra::by_mode::{ApplyZipped, ByMode, Collect, Collected, InPlace, OrMisfit, ThenModes, Zip};
use crate::algebra::mode::{End, Mode};
use crate::algebra::operation::{Apply, Operation};
use crate::algebra::outcome::Defined;
use crate::error::Fault;
use crate::layout::display::Notation;
use crate::layout::strided::StridedLayout;
use crate::layout::tiler::{Keep, Tiler, TilerEntry};
use crate::list::{Cons, Nested, Nil};
use crate::number::multiple::Multiple;
use crate::number::table::Number;
use crate::stepped::layout::SteppedLayout;
use crate::stepped::of_kinds::{DefinedOfKinds, IntoKinds};
use crate::tuple::bits::{RANK, cosize_from, modes_meet, natural_bits_below};
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::node::Node;
use crate::tuple::semimodule::{Bits, Signed};
use core::fmt::{self, Formatter};
use typenum::{UInt, UTerm};

macro_rules! entries {
    ($($offsets:ident)*) => {
        $(impl<S: IntTuple, D: IntTuple> TilerEntry for SteppedLayout<$offsets, S, D> {
            fn write_entry(&self, f: &mut Formatter<'_>) -> fmt::Result {
                self.write(f)
            }
        })*
    };
}
entries! { Bits Signed }

/// The results `Out` of modes so far, of whatever kind.
pub struct OutOfKinds<Out>(Out);

impl<Out: Collected<Output: IntoKinds>> Collected for OutOfKinds<Out> {
    type Output = <Out::Output as IntoKinds>::Output;
    #[inline]
    fn collected(self) -> Self::Output {
        self.0.collected().into_kinds()
    }
}
impl<Out: Collect<S, D>, S, D> Collect<S, D> for OutOfKinds<Out> {
    type Output = OutOfKinds<Out::Output>;
    #[inline]
    fn collect(self, mode: Mode<S, D>) -> Self::Output {
        OutOfKinds(self.0.collect(mode))
    }
}
impl<Out: InPlace<R>, R> InPlace<R> for OutOfKinds<Out> {
    type Output = Out::Output;
}
/// The entries of a tiler: which bits of natural strides each may reach in its mode.
pub trait ReachedInModes {
    fn reached_in_modes<S: Node, D: Node>(&self, shape: S, stride: D, reached: &mut impl FnMut(u128));
}
impl ReachedInModes for Nil {
    fn reached_in_modes<S: Node, D: Node>(&self, _: S, _: D, _: &mut impl FnMut(u128)) {}
}
impl<H: ReachedInMode, T: ReachedInModes> ReachedInModes for Cons<H, T> {
    fn reached_in_modes<S: Node, D: Node>(&self, shape: S, stride: D, reached: &mut impl FnMut(u128)) {
        reached(self.head.reached_in_mode(shape.head(), stride.head()));
        self.tail.reached_in_modes(shape.tail(), stride.tail(), reached);
    }
}
/// An entry of a tiler: which bits of natural strides it may reach in its mode.
pub trait ReachedInMode {
    fn reached_in_mode<S: Node, D: Node>(&self, shape: S, stride: D) -> u128;
}
/// What is left alone tells nothing in other words.
impl ReachedInMode for Keep {
    fn reached_in_mode<S: Node, D: Node>(&self, _: S, _: D) -> u128 {
        0
    }
}
impl<T: Nested<Node: ReachedInModes> + Copy> ReachedInMode for Tiler<T> {
    fn reached_in_mode<S: Node, D: Node>(&self, shape: S, stride: D) -> u128 {
        let mut all = 0;
        self.entries().reached_in_modes(shape, stride, &mut |bits| all |= bits);
        all
    }
}
macro_rules! reached_by_layouts {
    ($([$($generic:tt)*] $entry:ty: $of:ident => $layout:expr;)*) => {
        $(impl<$($generic)*> ReachedInMode for $entry {
            fn reached_in_mode<S: Node, D: Node>(&self, shape: S, stride: D) -> u128 {
                let $of = *self;
                let (extents, strides) = $layout.into_parts();
                // What does not fit goes as far as can be, and an empty layout nowhere.
                let reach = match extents.node().product() {
                    Some(0) => 0,
                    _ => cosize_from(0, extents.node(), strides.node()).unwrap_or(usize::MAX),
                };
                natural_bits_below(reach, shape, stride)
            }
        })*
    };
}
reached_by_layouts! {
    [ST: IntTuple, DT: IntTuple] StridedLayout<ST, DT>: layout => layout;
    [K, ST: IntTuple, DT: IntTuple] SteppedLayout<K, ST, DT>: layout => layout;
}
/// The number `n` is the layout `n:1`.
macro_rules! reached_by_numbers {
    ($([$($generic:tt)*] $number:ty;)*) => {
        $(impl<$($generic)*> ReachedInMode for $number where Self: Number {
            fn reached_in_mode<S: Node, D: Node>(&self, shape: S, stride: D) -> u128 {
                natural_bits_below(self.get(), shape, stride)
            }
        })*
    };
}
reached_by_numbers! { [] UTerm; [U, B] UInt<U, B>; [] usize; [F] Multiple<F>; }

impl<S: IntTuple, D: IntTuple, T: ReachedInModes, M> OrMisfit<T, M> for DefinedOfKinds<S, D> {
    type Output = Self;
    #[inline]
    fn or_misfit(self) -> Self {
        self
    }
    /// Natural strides of the left operand that became XOR strides may share no bit with another mode.
    #[inline]
    fn modes_meet<Op: Operation, SL: IntTuple, DL: IntTuple>(
        &self,
        entries: T,
        left: StridedLayout<SL, DL>,
        zipped: bool,
    ) -> Option<Fault> {
        if !Op::KEEPS_OFFSETS {
            return None;
        }
        let ((shape, stride), mut naturals, mut mode) = (left.into_parts(), [0; RANK], 0);
        entries.reached_in_modes(shape.node(), stride.node(), &mut |bits| {
            naturals[mode] = bits;
            mode += 1;
        });
        modes_meet((self.shape.node(), self.stride.node()), naturals, zipped)
    }
}
macro_rules! modes_one_by_one_of_kinds {
    ($($apply:ident $function:ident: [$($generic:ident)*] $out:ty;)*) => {
        $(impl<Op, S, ST, D, DT, T, TT, $($generic),*> ByMode<Op, Cons<S, ST>, Cons<D, DT>, OutOfKinds<$out>>
            for Cons<T, TT>
        where
            T: $apply<Op, StridedLayout<S, D>, Output: ThenModes<Op, TT, ST, DT, OutOfKinds<$out>>>,
        {
            type Output = <T::Output as ThenModes<Op, TT, ST, DT, OutOfKinds<$out>>>::Output;
            #[inline]
            fn by_mode(
                self,
                shape: Cons<S, ST>,
                stride: Cons<D, DT>,
                out: OutOfKinds<$out>,
            ) -> Result<Self::Output, Fault> {
                let mode = self.head.$function(StridedLayout::assemble(shape.head, stride.head))?;
                mode.then_modes(self.tail, shape.tail, stride.tail, out)
            }
        })*
    };
}
modes_one_by_one_of_kinds! {
    Apply apply: [] End; Apply apply: [M L] Cons<M, L>; ApplyZipped apply_zipped: [Tiles Rests] Zip<Tiles, Rests>;
}
/// A natural result behind one of another kind.
macro_rules! natural_modes {
    ($([$($generic:ident)*] $out:ty;)*) => {
        $(impl<Op, S, D, TT, ST, DT, $($generic),*> ThenModes<Op, TT, ST, DT, OutOfKinds<$out>> for Defined<S, D>
        where
            TT: ByMode<Op, ST, DT, OutOfKinds<Cons<Mode<S, D>, $out>>>,
        {
            type Output = TT::Output;
            #[inline]
            fn then_modes(
                self,
                entries: TT,
                shape: ST,
                stride: DT,
                out: OutOfKinds<$out>,
            ) -> Result<Self::Output, Fault> {
                let head = Mode { shape: self.shape, stride: self.stride };
                entries.by_mode(shape, stride, OutOfKinds(Cons { head, tail: out.0 }))
            }
        }
        impl<Op, S, D, TT, ST, DT, $($generic),*> ThenModes<Op, TT, ST, DT, $out> for DefinedOfKinds<S, D>
        where
            Defined<S, D>: ThenModes<Op, TT, ST, DT, OutOfKinds<$out>>,
        {
            type Output = <Defined<S, D> as ThenModes<Op, TT, ST, DT, OutOfKinds<$out>>>::Output;
            #[inline]
            fn then_modes(self, entries: TT, shape: ST, stride: DT, out: $out) -> Result<Self::Output, Fault> {
                Defined { shape: self.shape, stride: self.stride }.then_modes(entries, shape, stride, OutOfKinds(out))
            }
        })*
    };
}
natural_modes! { [] End; [M L] Cons<M, L>; }
impl<Op, S0, S1, D0, D1, TT, ST, DT, Tiles, Rests> ThenModes<Op, TT, ST, DT, OutOfKinds<Zip<Tiles, Rests>>>
    for Defined<(S0, S1), (D0, D1)>
where
    TT: ByMode<Op, ST, DT, OutOfKinds<Zip<Cons<Mode<S0, D0>, Tiles>, Cons<Mode<S1, D1>, Rests>>>>,
{
    type Output = TT::Output;
    #[inline]
    fn then_modes(
        self,
        entries: TT,
        shape: ST,
        stride: DT,
        out: OutOfKinds<Zip<Tiles, Rests>>,
    ) -> Result<Self::Output, Fault> {
        let ((s0, s1), (d0, d1)) = (self.shape, self.stride);
        let out = out.0.with_pair(Mode { shape: s0, stride: d0 }, Mode { shape: s1, stride: d1 });
        entries.by_mode(shape, stride, OutOfKinds(out))
    }
}
impl<Op, S, D, TT, ST, DT, Tiles, Rests> ThenModes<Op, TT, ST, DT, Zip<Tiles, Rests>> for DefinedOfKinds<S, D>
where
    Defined<S, D>: ThenModes<Op, TT, ST, DT, OutOfKinds<Zip<Tiles, Rests>>>,
{
    type Output = <Defined<S, D> as ThenModes<Op, TT, ST, DT, OutOfKinds<Zip<Tiles, Rests>>>>::Output;
    #[inline]
    fn then_modes(self, entries: TT, shape: ST, stride: DT, out: Zip<Tiles, Rests>) -> Result<Self::Output, Fault> {
        Defined { shape: self.shape, stride: self.stride }.then_modes(entries, shape, stride, OutOfKinds(out))
    }
}
impl<Op, S, D, TT, ST, DT, Out> ThenModes<Op, TT, ST, DT, OutOfKinds<Out>> for DefinedOfKinds<S, D>
where
    Defined<S, D>: ThenModes<Op, TT, ST, DT, OutOfKinds<Out>>,
{
    type Output = <Defined<S, D> as ThenModes<Op, TT, ST, DT, OutOfKinds<Out>>>::Output;
    #[inline]
    fn then_modes(self, entries: TT, shape: ST, stride: DT, out: OutOfKinds<Out>) -> Result<Self::Output, Fault> {
        Defined { shape: self.shape, stride: self.stride }.then_modes(entries, shape, stride, out)
    }
}
