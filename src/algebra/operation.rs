//! What all operations share: a type that stands for each of them, the right operands that each
//! takes, and the way from its work to a layout or an error.

use core::fmt::{self, Formatter};
use core::marker::PhantomData;

use crate::algebra::outcome::{Apply, Evaluate, Outcome};
use crate::error::{Fault, LayoutError};
use crate::layout::display::{Notation, Text};
use crate::layout::ordered::Ordered;
use crate::layout::refused_layout::RefusedLayout;
use crate::layout::strided::StridedLayout;
use crate::layout::tiler::{Keep, Tiler};
use crate::number::multiple::Multiple;
use crate::reasons::{Place, Whole};
use crate::tuple::int_tuple::IntTuple;
use typenum::{UInt, UTerm};

/// An operation, as messages name it. This trait has the name.
pub trait Operation {
    /// The name of the method.
    const NAME: &'static str;
}

impl<Op: Operation> Place for Op {
    type At = Whole;
}

/// The operations whose right operand is a tile, so that a number `n` means the layout `n:1`.
pub trait OnTiles: Operation {}

/// The operations that apply a tuple of right operands mode by mode.
pub trait ByModeOperation: Operation {}
impl<Op: OnTiles> ByModeOperation for Op {}

/// The result of the operation `Op` on the layout `L`. The right operand `self` has the result as
/// an associated type: while the compiler resolves a method, the operand is still unknown, and the
/// method's own bound reports what is missing.
pub trait Gives<Op, L>: Sized {
    type Output;
    /// Whether each offset of a result is an offset of the layout.
    const STAYS: Stays<L, Self>;
    /// Computes the result.
    fn give(self, layout: &L) -> Result<Self::Output, LayoutError>;
}
/// Whether each offset of the result of the layout `L` and the operand `T` is an offset of `L`.
/// Only this crate can make such a value, because this crate proves the laws. Unsafe code relies on
/// it.
pub struct Stays<L, T>(bool, PhantomData<(L, T)>);
impl<L, T> Stays<L, T> {
    /// Not known from the types: run time checks it.
    pub(crate) const fn unknown() -> Self {
        Stays(false, PhantomData)
    }
    /// Proven by a law, if the condition holds.
    pub(crate) const fn shown_if(condition: bool) -> Self {
        Stays(condition, PhantomData)
    }
    /// Proven by the law of the operation: those of this list only regroup and join the modes of
    /// the layout.
    pub(crate) const fn by_law<Op: Operation>() -> Self {
        Stays::shown_if(matches!(
            Op::NAME.as_bytes(),
            b"coalesce"
                | b"coalesce_by"
                | b"flatten"
                | b"transpose"
                | b"logical_divide"
                | b"zipped_divide"
                | b"tiled_divide"
                | b"flat_divide"
        ))
    }
    pub(crate) const fn is_shown(&self) -> bool {
        self.0
    }
}
// ---- a type for each operation ------------------------------------------------------------------

/// The type that stands for an operation, and its name.
macro_rules! name {
    ($operation:ident $name:expr) => {
        #[doc = concat!("`", $name, "`")]
        pub struct $operation;
        impl Operation for $operation {
            const NAME: &'static str = $name;
        }
    };
}
/// The traits that follow from the kind of the right operand alone.
macro_rules! kind {
    ((tile) $operation:ident) => {
        impl OnTiles for $operation {}
    };
    ((profile) $operation:ident) => {
        impl ByModeOperation for $operation {}
    };
    ($kind:tt $operation:ident) => {};
}
macro_rules! names {
    ($kind:tt $method:ident $trait:ident $($row:tt)*) => {
        name! { $trait stringify!($method) }
        kind! { $kind $trait }
    };
}
operations!(names);
// The operations on a mode that a const parameter names.
name! { Ungroup "ungroup" }
name! { Replace "replace" }

// ---- right operands -----------------------------------------------------------------------------

/// A value that an operation takes. The error message, if there is one, holds a copy.
pub trait Operand: Notation + Copy {}
impl<T: Notation + Copy> Operand for T {}

/// The right operand of an operation that takes no tuple. A tuple becomes [`AnyTuple`], whatever
/// its items are, and the operation says what it takes instead.
#[diagnostic::on_unimplemented(
    message = "this is no right operand",
    label = "`{Self}` is neither a layout, nor a number, nor a tiler",
    note = "a number is a `usize` or, known at compile time, `int!(4)`; a tiler is written `tiler!(4, 8)`"
)]
pub trait Single {
    /// The operand itself. A type that is no operand has no `Accepted`, so that the compiler
    /// reports one error.
    type Accepted: Operand;
    fn accepted(self) -> Self::Accepted;
}
/// The right operand of an operation that takes a tuple of numbers.
#[diagnostic::on_unimplemented(
    message = "this is neither a number of a layout nor a tuple of at most 8 such",
    label = "`{Self}`: not an integer tuple",
    note = "a leaf is a static integer, `int!(4)`, or a `usize`; more than 8 modes go into nested tuples, or into a \
            `DynLayout`"
)]
pub trait Profiled {
    /// The operand itself. A type that is no operand has no `Accepted`, so that the compiler
    /// reports one error.
    type Accepted: Operand;
    fn accepted(self) -> Self::Accepted;
}
/// A tuple as the operand of an operation that takes none.
#[derive(Clone, Copy)]
pub struct AnyTuple;
impl Notation for AnyTuple {
    fn write(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("a tuple")
    }
}

macro_rules! accepted_operands {
    ($($trait:ident: $([$($generic:ident)*] $type:ty;)*)*) => {
        $($(impl<$($generic),*> $crate::algebra::operation::$trait for $type
        where
            Self: $crate::algebra::operation::Operand,
        {
            type Accepted = Self;
            #[inline]
            fn accepted(self) -> Self {
                self
            }
        })*)*
    };
}
pub(crate) use accepted_operands;
accepted_operands! {
    Single: [] UTerm; [U B] UInt<U, B>; [] usize; [F] Multiple<F>; [S D] StridedLayout<S, D>; [T] Tiler<T>; [] Keep;
        [] RefusedLayout;
    Profiled: [] UTerm; [U B] UInt<U, B>; [] usize; [F] Multiple<F>; [S D] StridedLayout<S, D>; [T] Tiler<T>; [] Keep;
        [] RefusedLayout; [S O] Ordered<S, O>;
}
impl<S: IntTuple, D: IntTuple> Single for &StridedLayout<S, D> {
    type Accepted = StridedLayout<S, D>;
    #[inline]
    fn accepted(self) -> StridedLayout<S, D> {
        *self
    }
}
/// A number or a tuple of numbers. A tuple with a leaf that is no number fails at that leaf, so
/// that the compiler reports one error.
pub trait Profile {
    /// The profile itself.
    type Accepted: IntTuple;
    /// `T`, if this type is a profile.
    type And<T: IntTuple>: IntTuple;
    fn and<T: IntTuple>(value: T) -> Self::And<T>;
    fn accepted(self) -> Self::Accepted;
}
macro_rules! leaf_profiles {
    ($([$($generic:ident)*] $type:ty;)*) => {
        $(impl<$($generic),*> Profile for $type
        where
            Self: IntTuple,
        {
            type Accepted = Self;
            type And<T: IntTuple> = T;
            #[inline]
            fn and<T: IntTuple>(value: T) -> T {
                value
            }
            #[inline]
            fn accepted(self) -> Self {
                self
            }
        })*
    };
}
leaf_profiles! { [] UTerm; [U B] UInt<U, B>; [] usize; [F] Multiple<F>; }
/// Implements [`Profile`], type and value, for a tuple whose items are all profiles.
macro_rules! all {
    ($tuple:ty;) => { $tuple };
    ($tuple:ty; $first:ident $($more:ident)*) => { $first::And<all!($tuple; $($more)*)> };
    (= $value:expr;) => { $value };
    (= $value:expr; $first:ident $($more:ident)*) => { $first::and(all!(= $value; $($more)*)) };
}
macro_rules! operand_tuples {
    ($($Item:ident $item:ident)+) => {
        impl<$($Item),+> Single for ($($Item,)+) {
            type Accepted = AnyTuple;
            #[inline]
            fn accepted(self) -> AnyTuple {
                AnyTuple
            }
        }
        impl<$($Item: Profile),+> Profile for ($($Item,)+) {
            type Accepted = all!(($($Item::Accepted,)+); $($Item)+);
            type And<All: IntTuple> = all!(All; $($Item)+);
            #[inline]
            fn and<All: IntTuple>(value: All) -> Self::And<All> {
                all!(= value; $($Item)+)
            }
            #[inline]
            fn accepted(self) -> Self::Accepted {
                let ($($item,)+) = self;
                all!(= ($($item.accepted(),)+); $($Item)+)
            }
        }
        #[diagnostic::do_not_recommend]
        impl<$($Item: Profile),+> Profiled for ($($Item,)+) {
            type Accepted = <Self as Profile>::Accepted;
            #[inline]
            fn accepted(self) -> Self::Accepted {
                Profile::accepted(self)
            }
        }
    };
}
each_arity!(operand_tuples);

/// The right operands of an operation: a trait with the operation's name, whose message says what
/// the operation takes.
///
/// The operand passes through [`Accepted`](right::Compose::Accepted) to the work. A type that is no
/// operand has no such type, so that the compiler reports one error.
macro_rules! right_operand {
    (shape $operation:ident $message:literal) => { right_operand! { @ Profiled $operation $message } };
    (profile $operation:ident $message:literal) => { right_operand! { @ Profiled $operation $message } };
    (modes $operation:ident $message:literal) => { right_operand! { @ Profiled $operation $message } };
    (sizes $operation:ident $message:literal) => { right_operand! { @ Profiled $operation $message } };
    (@ $operands:ident $operation:ident $message:literal) => {
        #[doc = concat!("A right operand of `", stringify!($operation), "`.")]
        #[diagnostic::on_unimplemented(
            message = $message,
            label = "`{Self}` is not one that the types can combine with",
            note = "a number is a `usize` or, known at compile time, `int!(4)`; a tiler is written `tiler!(4, 8)`; \
                    a `DynLayout` combines with its own kind alone, so convert the left operand: `DynLayout::from(l)`"
        )]
        pub trait $operation: Sized {
            /// The operand, once its type is known to be one.
            type Accepted: Operand;
            #[doc(hidden)]
            fn accepted(self) -> Self::Accepted;
        }
        #[diagnostic::do_not_recommend]
        impl<T: $operands> $operation for T {
            type Accepted = T::Accepted;
            #[inline]
            fn accepted(self) -> T::Accepted {
                $operands::accepted(self)
            }
        }
    };
    ($kind:ident $operation:ident $message:literal) => { right_operand! { @ Single $operation $message } };
}
macro_rules! right_operands {
    (
        ($($kind:ident)?) $method:ident $trait:ident $alias:ident $sentence:tt $bound:tt ($($message:literal)?)
        $($row:tt)*
    ) => {
        $(right_operand! { $kind $trait $message })?
    };
}
/// The right operands of each operation.
pub mod right {
    use super::{Operand, Profiled, Single};
    operations!(right_operands);
    right_operand! { layout Replace "cannot replace a mode: the new one has to be a layout" }
}

// ---- the work -----------------------------------------------------------------------------------

/// A layout, or an error that names the operation and the operands.
type Settled<Op, A, W> =
    Result<<<W as Operands<Op, A>>::Result as Outcome<Op>>::Output, LayoutError>;

/// The operands, and the way from them to a layout or an error. The work is [`Evaluate`] or
/// [`Apply`].
pub(crate) trait Operands<Op: Operation, A: Operand>: Copy {
    /// The result of the work.
    type Result: Outcome<Op>;
    fn work(self, left: A) -> Result<Self::Result, Fault>;
    /// The error for a fault: the operation, the operands, the rule.
    fn refuse(self, left: A, fault: Fault) -> LayoutError;

    /// How the result is computed. A static result of static operands is known from its type. The
    /// function is a constant, so that the compiler skips the work where the result is known.
    const WAY: fn(Self, A) -> Settled<Op, A, Self> =
        if size_of::<(Self, A)>() == 0 && Self::Result::KNOWN { known } else { worked };
}
#[inline]
fn known<Op: Operation, A: Operand, W: Operands<Op, A>>(_: W, _: A) -> Settled<Op, A, W> {
    Ok(W::Result::known())
}
#[inline]
fn worked<Op: Operation, A: Operand, W: Operands<Op, A>>(way: W, left: A) -> Settled<Op, A, W> {
    match way.work(left).and_then(W::Result::outcome) {
        Ok(layout) => Ok(layout),
        Err(fault) => Err(way.refuse(left, fault)),
    }
}

/// The result of the operation `Op` of one layout, or of a layout and a right operand: [`Alone`] or
/// [`With`].
#[inline]
pub(crate) fn settle<Op: Operation, A: Operand, W: Operands<Op, A>>(
    left: A,
    way: W,
) -> Settled<Op, A, W> {
    (W::WAY)(way, left)
}

/// An operation of one layout.
#[derive(Clone, Copy)]
pub struct Alone;
impl<Op: Operation, A: Operand + Evaluate<Op, Output: Outcome<Op>>> Operands<Op, A> for Alone {
    type Result = A::Output;
    #[inline]
    fn work(self, left: A) -> Result<A::Output, Fault> {
        left.evaluate()
    }
    #[cold]
    fn refuse(self, left: A, fault: Fault) -> LayoutError {
        LayoutError::new(Op::NAME, fault).with_operand(&Text(left))
    }
}
/// A right operand.
#[derive(Clone, Copy)]
pub(crate) struct With<B>(pub(crate) B);
impl<Op: Operation, A: Operand, B: Operand + Apply<Op, A, Output: Outcome<Op>>> Operands<Op, A>
    for With<B>
{
    type Result = B::Output;
    #[inline]
    fn work(self, left: A) -> Result<B::Output, Fault> {
        self.0.apply(left)
    }
    #[cold]
    fn refuse(self, left: A, fault: Fault) -> LayoutError {
        LayoutError::new(Op::NAME, fault).with_operands(&Text(left), &Text(self.0))
    }
}
