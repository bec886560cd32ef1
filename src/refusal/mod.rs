//! The reasons for which an operation has no answer, and the messages of the compiler for each.
//!
//! A reason names the rule and holds the numbers. For each operation that can meet it, alone or in one mode, there is a
//! trait that nothing implements; its message is what the compiler says. Numbers are its constants, so that they stand
//! there in bare decimals. A number that has no [`N`] of one part is shown as a type by the trait of the reason itself.
//!
//! Beside the reasons stand what they are about and what takes their place:
//!
//! - [`count`]: lists shown by their length
//! - [`undefined`]: what stands in place of a result
//! - `composition`, `memory`, `modes`, `operands`, `order`, `sums`, `units`: the reasons, by what they are about

// The names of constants stand in the messages, where they read better as words.
#![allow(non_upper_case_globals)]

use core::marker::PhantomData;

use typenum::{UInt, UTerm};

use crate::number::int::GcdInt;
use crate::number::multiple::Multiple;
use crate::number::show::{N, Show, Shown};
use crate::number::table::RoundTo;

/// A reason that the compiler can explain for the operation `Op`. Holds for no reason: its bounds are the messages.
pub trait Explain<Op> {}

/// An operand was refused before: that was said, and this is no second mistake.
pub struct Before;
impl<Op> Explain<Op> for Before {}

/// The operation `Op` in mode `K` of its left operand.
pub struct InMode<const K: usize, Op>(PhantomData<Op>);

/// A reason that arose in mode 0 of a list.
pub struct AtHead<R>(PhantomData<R>);
/// A reason that arose behind mode 0 of a list.
pub struct Behind<R>(PhantomData<R>);

/// Reasons in modes 0 to 7.
macro_rules! in_mode {
    ($reason:ty, $mode:expr;) => {};
    ($reason:ty, $mode:expr; * $($more:tt)*) => {
        impl<Op, R: Explain<InMode<{ $mode }, Op>>> Explain<Op> for $reason {}
        in_mode!(Behind<$reason>, $mode + 1; $($more)*);
    };
}
in_mode!(AtHead<R>, 0; * * * * * * * *);

// ---- operations by verb -------------------------------------------------------------------------------------------

/// What an operation does, for the messages: all divides divide.
pub trait Verb {
    type Verb;
}
/// A verb in mode `K`.
pub struct VerbInMode<const K: usize, V>(PhantomData<V>);
/// A verb in mode `K` of mode `J`.
pub struct VerbInModes<const J: usize, const K: usize, V>(PhantomData<V>);
impl<const K: usize, Op: VerbHere<K>> Verb for InMode<K, Op> {
    type Verb = Op::Verb;
}
/// [`Verb`] in mode `K`.
pub trait VerbHere<const K: usize> {
    type Verb;
}
impl<const K: usize, const J: usize, Op: VerbBelow<J, K>> VerbHere<K> for InMode<J, Op> {
    type Verb = Op::Verb;
}
/// [`Verb`] in mode `K` of mode `J`; in tilers nested deeper, the outermost two modes count.
pub trait VerbBelow<const J: usize, const K: usize> {
    type Verb;
}
impl<const I: usize, const J: usize, const K: usize, Op: VerbBelow<I, J>> VerbBelow<J, K> for InMode<I, Op> {
    type Verb = Op::Verb;
}
/// The families of operations: what is refused. The table of the operations says which one each belongs to.
macro_rules! verbs {
    ($($verb:ident)*) => {
        $(#[doc = concat!("What is refused: ", stringify!($verb))]
        pub struct $verb;)*
    };
}
verbs! {
    Add LayOut Flatten Filter Invert Common Select Ungroup Replace Append Prepend Reverse Compose Divide Multiply Tile
    Complement LeftInvert RoundUp Coalesce FilterBy Upcast Downcast Recast Make Part
}

// ---- reasons ------------------------------------------------------------------------------------------------------

/// A reason: its numbers, and a trait that goes on, for the verbs that follow, alone or in a mode, to the one with the message, its numbers
/// shown as types. That goes on to the same with its numbers as constants, where they are [`N`]s of one part. In a mode of a mode, the
/// message is the one behind `+`, or that of the outer mode.
macro_rules! reason {
    (
        $(#[$doc:meta])* $reason:ident $numbers:tt, $trait:ident: $message:literal;
        {
            $(
                $verb:ident $(in $mode:ident)?: $refusal:ident $message_here:literal;
                $(+ $inner:ident: $refusal_below:ident $message_below:literal;)?
            )*
        }
        label $label:literal; note $note:literal;
    ) => {
        reason! { @struct $numbers $(#[$doc])* $reason, $trait: $message $label $note }
        $(reason! {
            @here $numbers $reason $trait $verb $(in $mode)?: $refusal $message_here $label $note;
            $($inner $refusal_below $message_below)?
        })*
    };
    (@struct ($($number:ident),*) $(#[$doc:meta])* $reason:ident, $trait:ident: $message:literal $label:literal $note:literal) => {
        $(#[$doc])*
        pub struct $reason<$($number),*>(PhantomData<($($number,)*)>);
        impl<Op: Verb, $($number: Show),*> Explain<Op> for $reason<$($number),*> where
            (): $trait<Op::Verb, $(Shown<$number>),*>
        {
        }
        #[diagnostic::on_unimplemented(message = $message, label = $label, note = $note)]
        #[doc = concat!("Has no instance that a program needs: the messages of [`", stringify!($reason), "`].")]
        pub trait $trait<Verb, $($number),*> {}
    };
    (@here ($($number:ident),*) $reason:ident $trait:ident $verb:ident: $refusal:ident $message:literal $label:literal $note:literal;) => {
        #[diagnostic::on_unimplemented(message = $message, label = $label, note = $note)]
        #[doc = concat!("Implemented by nothing: the message of [`", stringify!($reason), "`].")]
        pub trait $refusal<$(const $number: u64),*> {}
        const _: () = {
            #[diagnostic::on_unimplemented(message = $message, label = $label, note = $note)]
            pub trait Typed<$($number),*> {}
            impl<This: Typed<$($number),*>, $($number),*> $trait<$verb, $($number),*> for This {}
            impl<This: $refusal<$($number),*>, $(const $number: u64),*> Typed<$(N<$number>),*> for This {}
        };
    };
    (
        @here ($($number:ident),*) $reason:ident $trait:ident $verb:ident in $mode:ident:
        $refusal:ident $message:literal $label:literal $note:literal; $($below:tt)*
    ) => {
        #[diagnostic::on_unimplemented(message = $message, label = $label, note = $note)]
        #[doc = concat!("Implemented by nothing: the message of [`", stringify!($reason), "`] in a mode.")]
        pub trait $refusal<const $mode: usize, $(const $number: u64),*> {}
        const _: () = {
            #[diagnostic::on_unimplemented(message = $message, label = $label, note = $note)]
            pub trait Typed<const $mode: usize, $($number),*> {}
            impl<This: Typed<$mode, $($number),*>, const $mode: usize, $($number),*>
                $trait<VerbInMode<$mode, $verb>, $($number),*> for This
            {
            }
            impl<This: $refusal<$mode, $($number),*>, const $mode: usize, $(const $number: u64),*>
                Typed<$mode, $(N<$number>),*> for This
            {
            }
            reason! { @below ($($number),*) $reason $trait $verb $mode $label $note; $($below)* }
        };
    };
    (@below ($($number:ident),*) $reason:ident $trait:ident $verb:ident $mode:ident $label:literal $note:literal;) => {
        impl<This: Typed<$mode, $($number),*>, const $mode: usize, const Inner: usize, $($number),*>
            $trait<VerbInModes<$mode, Inner, $verb>, $($number),*> for This
        {
        }
    };
    (
        @below ($($number:ident),*) $reason:ident $trait:ident $verb:ident $mode:ident $label:literal $note:literal;
        $inner:ident $refusal:ident $message:literal
    ) => {
        #[diagnostic::on_unimplemented(message = $message, label = $label, note = $note)]
        #[doc = concat!("Implemented by nothing: the message of [`", stringify!($reason), "`] in a mode of a mode.")]
        pub trait $refusal<const $mode: usize, const $inner: usize, $(const $number: u64),*> {}
        #[diagnostic::on_unimplemented(message = $message, label = $label, note = $note)]
        pub trait TypedBelow<const $mode: usize, const $inner: usize, $($number),*> {}
        impl<This: TypedBelow<$mode, $inner, $($number),*>, const $mode: usize, const $inner: usize, $($number),*>
            $trait<VerbInModes<$mode, $inner, $verb>, $($number),*> for This
        {
        }
        impl<This: $refusal<$mode, $inner, $($number),*>, const $mode: usize, const $inner: usize, $(const $number: u64),*>
            TypedBelow<$mode, $inner, $(N<$number>),*> for This
        {
        }
    };
}

pub mod count;
pub mod undefined;

mod composition;
mod memory;
mod modes;
mod operands;
mod order;
mod sums;
mod units;

pub use composition::*;
pub use memory::*;
pub use modes::*;
pub use operands::*;
pub use order::*;
pub use sums::*;
pub use units::*;
