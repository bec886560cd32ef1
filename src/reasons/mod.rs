//! The reasons for which an operation has no answer, and the message of the compiler for each.
//!
//! A reason is a type that holds the numbers, and has one sentence: that of the fault at run time,
//! where there is one. The compiler underlines the call, so the sentence does not name the
//! operation; in a mode, the label names the mode.
//!
//! - [`table`]: the table: for each reason its numbers, its sentence, a word at the call, and what
//!   helps
//! - [`either`]: reasons that are one of two, depending on their numbers
//! - [`count`]: lists shown by their length
//! - [`undefined`]: what stands in place of a result
//!
//! # Words of our own
//!
//! - *refused*: said of an operation that has no exact result for its operands; the crate never
//!   rounds instead
//! - *reason*: the rule that was broken, as a type with the numbers; a *fault* is the same as a
//!   value at run time
//! - *place*: the mode of the left operand that was refused, or the whole of it
//! - *gate*: the trait `Outcome`, which lets a result pass or asks for the message of a reason
//! - *refused layout*: what a refused operation gives all the same, so that one mistake is one
//!   error
//! - *leaf*: a number in a nested tuple, a static integer or a `usize`; *node*: a leaf, or a tuple
//!   as a list of nodes
//! - *carry*: two offsets of the right layout add up beyond a mode of the left one, as digits do
//!   beyond their place

// The names of numbers are those of the sentences, at compile time and at run time.
#![allow(non_camel_case_types, non_upper_case_globals)]

use core::marker::PhantomData;

use crate::error::sentence_of;
use crate::number::show::{Show, Shown};

/// A reason that the compiler explains for the operation `Op`. No reason implements it: the bounds
/// of its impls are the messages.
pub trait Explain<Op> {}

/// An operand was refused before. The compiler has said so, and reports no second mistake.
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

// ---- places -------------------------------------------------------------------------------------

/// The left operand as a whole.
pub struct Whole;
/// Mode `K` of the left operand.
pub struct Mode<const K: usize>;
/// Mode `K` of mode `J`; in tilers nested deeper, the outermost two modes count.
pub struct Inner<const J: usize, const K: usize>;

/// An operation, or one in a mode: the place in the left operand that it is about.
pub trait Place {
    type At;
}
impl<const K: usize, Op: Place<At: ModeIn<K>>> Place for InMode<K, Op> {
    type At = <Op::At as ModeIn<K>>::At;
}
/// Mode `K` of the place `self`.
pub trait ModeIn<const K: usize> {
    type At;
}
impl<const K: usize> ModeIn<K> for Whole {
    type At = Mode<K>;
}
impl<const J: usize, const K: usize> ModeIn<K> for Mode<J> {
    type At = Inner<J, K>;
}
impl<const I: usize, const J: usize, const K: usize> ModeIn<K> for Inner<I, J> {
    type At = Self;
}

// ---- reasons and their messages -----------------------------------------------------------------

/// A reason, its numbers for display, and the place `At`. The one impl requires that `This`
/// implements the trait with the message; nothing implements that trait.
pub trait Refuses<At, This> {}

/// A message with numbers: two traits that nothing implements. The compiler names the first trait
/// that it cannot prove, and writes that trait's message. `$refused` has the numbers as constants,
/// so that the message shows plain decimals. `$typed` leads to `$refused`; it is the one named
/// where a number is no `N` of one part.
macro_rules! message {
    (
        $typed:ident $refused:ident [$($mode:ident),*] ($($number:ident),*)
        $sentence:literal $label:literal $note:literal
    ) => {
        #[diagnostic::on_unimplemented(message = $sentence, label = $label, note = $note)]
        #[doc = concat!("The message of [`", stringify!($refused), "`].")]
        pub trait $typed<$(const $mode: usize,)* $($number),*> {}
        #[diagnostic::on_unimplemented(message = $sentence, label = $label, note = $note)]
        #[doc = "Implemented by nothing."]
        pub trait $refused<$(const $mode: usize,)* $(const $number: u64),*> {}
        impl<This: $refused<$($mode,)* $($number),*>, $(const $mode: usize,)* $(const $number: u64),*>
            $typed<$($mode,)* $($crate::number::show::N<$number>),*> for This
        {
        }
    };
}
pub(crate) use message;

/// The types of the reasons, and their messages.
macro_rules! reasons {
    ($(
        $(#[$about:meta])*
        $reason:ident($($number:ident),*) $(in $modes:ident)? { $($words:tt)* }
    )*) => { $(
        $(#[$about])*
        pub struct $reason<$($number),*>(PhantomData<($($number,)*)>);
        impl<Op: Place, $($number: Show),*> Explain<Op> for $reason<$($number),*>
        where
            $reason<$(Shown<$number>),*>: Refuses<Op::At, ()>,
        {
        }
        says! { $reason ($($number),*) [$($modes)?] $($words)* }
    )* };
}
/// The messages of a reason: one, or if it can arise `in modes`, one for each kind of place.
macro_rules! says {
    ($reason:ident $numbers:tt $modes:tt Fault::$fault:ident $label:literal $note:literal) => {
        sentence_of! { $fault says [$reason $numbers $modes] [$label $note] }
    };
    ($reason:ident $numbers:tt [] $sentence:literal $label:literal $note:literal) => {
        says! { @ $reason $numbers [At] [] At, $sentence $label $note }
    };
    ($reason:ident $numbers:tt [modes] $sentence:literal $label:literal $note:literal) => {
        says! { @ $reason $numbers [] [] Whole, $sentence $label $note }
        says! { @ $reason $numbers [] [mode] Mode<mode>, $sentence "in mode {mode}" $note }
        says! { @ $reason $numbers [] [mode, inner] Inner<mode, inner>, $sentence "in mode {mode}.{inner}" $note }
    };
    (
        @ $reason:ident ($($number:ident),*) [$($any:ident)?] [$($mode:ident),*] $at:ty,
        $sentence:literal $label:literal $note:literal
    ) => {
        const _: () = {
            message! { Typed Refused [$($mode),*] ($($number),*) $sentence $label $note }
            impl<This: Typed<$($mode,)* $($number),*>, $($any,)? $(const $mode: usize,)* $($number),*> Refuses<$at, This>
                for $reason<$($number),*>
            {
            }
        };
    };
}

pub mod count;
pub mod undefined;

mod either;
mod table;

pub use either::*;
pub use table::*;
