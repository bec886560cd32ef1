//! What all operations share: a name for messages, the way from a fault to an error, and the public face, a trait and an
//! alias each.

use core::fmt::{self, Formatter};

use crate::algebra::outcome::Outcome;
use crate::error::{Fault, LayoutError};
use crate::layout::display::{Notation, notation};
use crate::layout::ordered::Ordered;
use crate::layout::stand_in::StandIn;
use crate::layout::strided::StridedLayout;
use crate::layout::tiler::{Keep, Tiler};
use crate::number::multiple::Multiple;
use crate::tuple::int_tuple::IntTuple;
use typenum::{UInt, UTerm};

pub use crate::refusal::operation::*;

/// The operations whose right operand is a tile, so that a number `n` means the layout `n:1`.
pub trait OnTiles {}
impl OnTiles for Compose {}
impl OnTiles for LogicalDivide {}
impl OnTiles for LogicalProduct {}
impl OnTiles for RoundUp {}

/// The operations that go mode by mode with a tuple of right operands.
pub trait GoesByMode {}
impl GoesByMode for CoalesceBy {}
impl GoesByMode for FilterBy {}
impl<Op: OnTiles> GoesByMode for Op {}

/// What an operation takes: it is copied for the error message, should there be one.
pub trait Operand: Notation + Copy {}
impl<T: Notation + Copy> Operand for T {}

/// The right operand of an operation that takes no tuple. One becomes [`AnyTuple`], whatever is in it, and the operation says what it wants instead.
#[diagnostic::on_unimplemented(
    message = "this is no right operand",
    label = "`{Self}` is neither a layout, nor a number, nor a tiler",
    note = "a number is a `usize` or, known at compile time, `int!(4)`; a tiler is written `tiler!(4, 8)`"
)]
pub trait Single {
    /// The operand itself. What is none has no such type, so that the compiler complains once.
    type Itself: Operand;
    fn itself(self) -> Self::Itself;
}
/// The right operand of an operation that takes a tuple of numbers.
#[diagnostic::on_unimplemented(
    message = "this is neither a number of a layout nor a tuple of at most 8 such",
    label = "`{Self}`: not an integer tuple",
    note = "a leaf is a static integer, `int!(4)`, or a `usize`; more than 8 modes go into nested tuples, or into a `DynLayout`"
)]
pub trait Profiled {
    /// The operand itself. What is none has no such type, so that the compiler complains once.
    type Itself: Operand;
    fn itself(self) -> Self::Itself;
}
/// A tuple where the operation takes none.
#[derive(Clone, Copy)]
pub struct AnyTuple;
impl Notation for AnyTuple {
    fn write(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("a tuple")
    }
}

macro_rules! operands {
    ($($trait:ident: $([$($generic:ident)*] $type:ty;)*)*) => {
        $($(impl<$($generic),*> $crate::algebra::operation::$trait for $type
        where
            Self: $crate::algebra::operation::Operand,
        {
            type Itself = Self;
            #[inline(always)]
            fn itself(self) -> Self {
                self
            }
        })*)*
    };
}
pub(crate) use operands;
operands! {
    Single: [] UTerm; [U B] UInt<U, B>; [] usize; [F] Multiple<F>; [S D] StridedLayout<S, D>; [T] Tiler<T>; [] Keep; [] StandIn;
    Profiled: [] UTerm; [U B] UInt<U, B>; [] usize; [F] Multiple<F>; [S D] StridedLayout<S, D>; [T] Tiler<T>; [] Keep; [] StandIn; [S O] Ordered<S, O>;
}
impl<S: IntTuple, D: IntTuple> Single for &StridedLayout<S, D> {
    type Itself = StridedLayout<S, D>;
    #[inline(always)]
    fn itself(self) -> StridedLayout<S, D> {
        *self
    }
}
/// A number or a tuple of numbers. What is none fails at the one leaf that is none, wherever it is asked for, so that the compiler complains once.
pub trait Profile {
    /// The profile itself.
    type Itself: IntTuple;
    /// `T`, if this is one.
    type And<T: IntTuple>: IntTuple;
    fn and<T: IntTuple>(value: T) -> Self::And<T>;
    fn itself(self) -> Self::Itself;
}
macro_rules! leaves {
    ($([$($generic:ident)*] $type:ty;)*) => {
        $(impl<$($generic),*> Profile for $type
        where
            Self: IntTuple,
        {
            type Itself = Self;
            type And<T: IntTuple> = T;
            #[inline(always)]
            fn and<T: IntTuple>(value: T) -> T {
                value
            }
            #[inline(always)]
            fn itself(self) -> Self {
                self
            }
        })*
    };
}
leaves! { [] UTerm; [U B] UInt<U, B>; [] usize; [F] Multiple<F>; }
/// A tuple of profiles, if all of them are: the type, and the value.
macro_rules! all {
    ($tuple:ty;) => { $tuple };
    ($tuple:ty; $first:ident $($more:ident)*) => { $first::And<all!($tuple; $($more)*)> };
    (= $value:expr;) => { $value };
    (= $value:expr; $first:ident $($more:ident)*) => { $first::and(all!(= $value; $($more)*)) };
}
macro_rules! operand_tuples {
    ($($Item:ident $item:ident)+) => {
        impl<$($Item),+> Single for ($($Item,)+) {
            type Itself = AnyTuple;
            #[inline(always)]
            fn itself(self) -> AnyTuple {
                AnyTuple
            }
        }
        impl<$($Item: Profile),+> Profile for ($($Item,)+) {
            type Itself = all!(($($Item::Itself,)+); $($Item)+);
            type And<All: IntTuple> = all!(All; $($Item)+);
            #[inline(always)]
            fn and<All: IntTuple>(value: All) -> Self::And<All> {
                all!(= value; $($Item)+)
            }
            #[inline(always)]
            fn itself(self) -> Self::Itself {
                let ($($item,)+) = self;
                all!(= ($($item.itself(),)+); $($Item)+)
            }
        }
        #[diagnostic::do_not_recommend]
        impl<$($Item: Profile),+> Profiled for ($($Item,)+) {
            type Itself = <Self as Profile>::Itself;
            #[inline(always)]
            fn itself(self) -> Self::Itself {
                Profile::itself(self)
            }
        }
    };
}
each_arity!(operand_tuples);

/// What stands to the right of each operation: one trait each, of the operation's name, whose message says what it takes.
///
/// The operand goes through [`Itself`](right::Compose::Itself) to the work: what is no operand at all has no such type, so that the
/// compiler complains once.
macro_rules! right_operands {
    ($($kind:ident: { $($operation:ident $message:literal;)* })*) => {
        /// What stands to the right of each operation.
        pub mod right {
            $($(
                #[doc = concat!("A right operand of `", stringify!($operation), "`.")]
                #[diagnostic::on_unimplemented(
                    message = $message,
                    label = "`{Self}` is not one that the types can combine with",
                    note = "a number is a `usize` or, known at compile time, `int!(4)`; a tiler is written `tiler!(4, 8)`; \
                            a `DynLayout` combines with its own kind alone, so convert the left operand: `DynLayout::from(l)`"
                )]
                pub trait $operation: Sized {
                    /// The operand, once it is known to be one.
                    type Itself: super::Operand;
                    #[doc(hidden)]
                    fn itself(self) -> Self::Itself;
                }
                #[diagnostic::do_not_recommend]
                impl<T: super::$kind> $operation for T {
                    type Itself = T::Itself;
                    #[inline(always)]
                    fn itself(self) -> T::Itself {
                        super::$kind::itself(self)
                    }
                }
            )*)*
        }
    };
}
right_operands! {
    Single: {
        Compose "cannot compose: the right operand has to be a layout, a number or a tiler";
        Complement "cannot take the complement: the range has to be a number";
        ComplementCeil "cannot take the complement: the range has to be a number";
        MaxCommonLayout "cannot take the common layout: the right operand has to be a layout";
        LogicalDivide "cannot divide: the right operand has to be a layout, a number or a tiler";
        ZippedDivide "cannot divide: the right operand has to be a layout, a number or a tiler";
        TiledDivide "cannot divide: the right operand has to be a layout, a number or a tiler";
        FlatDivide "cannot divide: the right operand has to be a layout, a number or a tiler";
        LogicalProduct "cannot multiply: the right operand has to be a layout, a number or a tiler";
        ZippedProduct "cannot multiply: the right operand has to be a layout, a number or a tiler";
        TiledProduct "cannot multiply: the right operand has to be a layout, a number or a tiler";
        FlatProduct "cannot multiply: the right operand has to be a layout, a number or a tiler";
        BlockedProduct "cannot take the blocked product: the right operand has to be a layout or a number";
        RakedProduct "cannot take the raked product: the right operand has to be a layout or a number";
        RoundUp "cannot round up: the right operand has to be a layout, a number or a tiler";
        Upcast "cannot upcast: the unit has to be a static number";
        Downcast "cannot downcast: the number of parts has to be a static number";
        Replace "cannot replace a mode: the new one has to be a layout";
        Append "cannot append: the mode has to be a layout";
        Prepend "cannot prepend: the mode has to be a layout";
    }
    Profiled: {
        CoalesceBy "cannot coalesce: a profile has to be a number or a tuple of numbers";
        FilterBy "cannot filter: a profile has to be a number or a tuple of numbers";
        TileToShape "cannot tile the shape: a shape has to be a number or a tuple of numbers, in an order if it is `Ordered`";
        WithShape "cannot take the shape: a shape has to be a number or a tuple of numbers";
        Recast "cannot recast: the sizes have to be a pair of static numbers";
        Select "cannot select modes: the modes have to be a tuple of static numbers";
    }
}

/// Makes a layout of the result of an operation, and an error of a fault: the operation, both operands, the rule.
#[inline(always)]
pub(crate) fn settle<Op, A, B, R>(left: A, right: B, result: Result<R, Fault>) -> Result<R::Output, LayoutError>
where
    Op: Operation,
    A: Operand,
    B: Operand,
    R: Outcome<Op>,
{
    match result.and_then(R::outcome) {
        Ok(layout) => Ok(layout),
        Err(fault) => Err(refuse::<Op, A, B>(left, right, fault)),
    }
}

#[cold]
fn refuse<Op: Operation, A: Operand, B: Operand>(left: A, right: B, fault: Fault) -> LayoutError {
    LayoutError::new(Op::NAME, fault).with_operands(&notation(left), &notation(right))
}

/// [`settle`] for an operation of one layout.
#[inline(always)]
pub(crate) fn settle_one<Op, A, R>(layout: A, result: Result<R, Fault>) -> Result<R::Output, LayoutError>
where
    Op: Operation,
    A: Operand,
    R: Outcome<Op>,
{
    match result.and_then(R::outcome) {
        Ok(layout) => Ok(layout),
        Err(fault) => Err(LayoutError::new(Op::NAME, fault).with_operand(&notation(layout))),
    }
}

/// The public face of an operation of one layout: the trait, whose bound says that the result exists, and its alias. The
/// work is `StridedLayout: Evaluate<Op>`.
macro_rules! unary {
    ($(#[$doc:meta])* trait $trait:ident; $(#[$alias_doc:meta])* type $alias:ident;) => {
        $(#[$doc])*
        pub trait $trait: $crate::layout::traits::Layout {
            /// The result.
            type Output: $crate::layout::traits::Layout;
            #[doc(hidden)]
            fn evaluated(layout: Self) -> Result<Self::Output, $crate::error::LayoutError>;
        }
        $(#[$alias_doc])*
        pub type $alias<L> = <L as $trait>::Output;
        impl<S: $crate::tuple::int_tuple::IntTuple, D: $crate::tuple::int_tuple::IntTuple> $trait for $crate::layout::strided::StridedLayout<S, D>
        where
            Self: $crate::algebra::operation::Evaluate<
                    $crate::algebra::operation::$trait,
                    Output: $crate::algebra::outcome::Outcome<$crate::algebra::operation::$trait>,
                >,
        {
            type Output = <<Self as $crate::algebra::operation::Evaluate<
                $crate::algebra::operation::$trait,
            >>::Output as $crate::algebra::outcome::Outcome<$crate::algebra::operation::$trait>>::Output;
            #[inline(always)]
            fn evaluated(layout: Self) -> Result<Self::Output, $crate::error::LayoutError> {
                let result = $crate::algebra::operation::Evaluate::evaluate(layout);
                $crate::algebra::operation::settle_one::<$crate::algebra::operation::$trait, _, _>(layout, result)
            }
        }
        impl $trait for $crate::layout::stand_in::StandIn {
            type Output = Self;
            fn evaluated(layout: Self) -> Result<Self, $crate::error::LayoutError> {
                Ok(layout)
            }
        }
    };
}
pub(crate) use unary;

/// The operation `Op` of the layout `self`: [`Defined`](crate::algebra::outcome::Defined) or [`Undefined`](crate::refusal::undefined::Undefined).
pub trait Evaluate<Op> {
    type Output;
    fn evaluate(self) -> Result<Self::Output, Fault>;
}

/// The operation `Op` with the left operand `A` and the right operand `self`: [`Defined`](crate::algebra::outcome::Defined) or
/// [`Undefined`](crate::refusal::undefined::Undefined).
///
/// It stands on the right operand: on the left one, the compiler would try all that `A` may be combined with while the
/// right operand is still unknown.
#[diagnostic::on_unimplemented(
    message = "these operands do not combine in this operation",
    label = "`{Self}` is no right operand here",
    note = "a bound names what is needed: `fn f<A: Compose<B>, B>(a: A, b: B)`"
)]
pub trait Apply<Op, A> {
    type Output;
    fn apply(self, left: A) -> Result<Self::Output, Fault>;
}

/// The public face of an operation of two operands: the trait, whose bound says that the result exists, and its alias.
/// The work is `B: Apply<Op, StridedLayout>`.
macro_rules! binary {
    ($(#[$doc:meta])* trait $trait:ident; $(#[$alias_doc:meta])* type $alias:ident;) => {
        $(#[$doc])*
        pub trait $trait<B>: $crate::layout::traits::Layout {
            /// The result.
            type Output: $crate::layout::traits::Layout;
            #[doc(hidden)]
            fn evaluated(left: Self, right: B) -> Result<Self::Output, $crate::error::LayoutError>;
        }
        $(#[$alias_doc])*
        pub type $alias<A, B> = <A as $trait<B>>::Output;
        impl<S: $crate::tuple::int_tuple::IntTuple, D: $crate::tuple::int_tuple::IntTuple, B> $trait<B>
            for $crate::layout::strided::StridedLayout<S, D>
        where
            B: $crate::algebra::operation::right::$trait<
                    Itself: $crate::algebra::operation::Apply<
                        $crate::algebra::operation::$trait,
                        Self,
                        Output: $crate::algebra::outcome::Outcome<$crate::algebra::operation::$trait>,
                    >,
                >,
        {
            type Output = <<B::Itself as $crate::algebra::operation::Apply<
                $crate::algebra::operation::$trait,
                Self,
            >>::Output as $crate::algebra::outcome::Outcome<$crate::algebra::operation::$trait>>::Output;
            #[inline(always)]
            fn evaluated(left: Self, right: B) -> Result<Self::Output, $crate::error::LayoutError> {
                let right = $crate::algebra::operation::right::$trait::itself(right);
                let result = $crate::algebra::operation::Apply::apply(right, left);
                $crate::algebra::operation::settle::<$crate::algebra::operation::$trait, _, _, _>(left, right, result)
            }
        }
        impl<B> $trait<B> for $crate::layout::stand_in::StandIn {
            type Output = Self;
            fn evaluated(left: Self, _: B) -> Result<Self, $crate::error::LayoutError> {
                Ok(left)
            }
        }
    };
}
pub(crate) use binary;
