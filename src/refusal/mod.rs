//! The reasons for which an operation has no answer, and the messages of the compiler for each.
//!
//! A reason is a type that holds the numbers. It has one sentence, and so has a verb: what cannot be done. The messages
//! are put together of the two, for each verb that can meet the reason, alone or in one mode.
//!
//! - [`reasons`]: the table of verbs and reasons: what is worded, is worded there or in `error/fault.rs`
//! - [`messages`]: the messages, written from the table by a test
//! - [`either`]: reasons that are one of two, as their numbers say
//! - [`count`]: lists shown by their length
//! - [`undefined`]: what stands in place of a result
//!
//! # Words of our own
//!
//! - *refused*: said of an operation that has no exact result for its operands; the crate never rounds instead
//! - *reason*: the rule that was broken, as a type with the numbers; a *fault* is the same as a value at run time
//! - *verb*: what cannot be done, in the words of a message; all divides divide
//! - *gate*: the trait `Outcome`, which lets a result pass or asks for the message of a reason
//! - *stand-in*: what a refused operation gives all the same, so that one mistake is one error
//! - *leaf*: a number in a nested tuple, a static integer or a `usize`; *node*: a leaf, or a tuple as a list of nodes
//! - *carry*: two offsets of the right layout add up beyond a mode of the left one, as digits do beyond their place

// The names of numbers are those of the sentences, at compile time and at run time.
#![allow(non_camel_case_types, non_upper_case_globals)]

use core::marker::PhantomData;

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
/// The families of operations.
macro_rules! verbs {
    ($($verb:ident $words:literal;)*) => { $(
        #[doc = concat!("What is refused: ", $words)]
        pub struct $verb;
    )* };
}

// ---- reasons and their messages -----------------------------------------------------------------------------------

/// A reason, its numbers as they are shown, that an operation of the verb `V` was refused for. Each message is one impl
/// for all `This`: it asks of `This` the trait that has the message, and which nothing implements.
#[diagnostic::on_unimplemented(
    message = "there is no exact result: {Self}",
    label = "undefined for these operands",
    note = "`DynLayout` has the same operations at run time, and its errors name the operands too"
)]
pub trait Refuses<V, This> {}

/// The types of the reasons.
macro_rules! reasons {
    ($(
        $(#[$about:meta])*
        $reason:ident($($number:ident),*) { $($sentences:tt)* }
        label $label:literal;
        note $($note:literal)? $(of $other:ident)?;
    )*) => { $(
        $(#[$about])*
        pub struct $reason<$($number),*>(core::marker::PhantomData<($($number,)*)>);
        impl<Op: $crate::refusal::Verb, $($number: $crate::number::show::Show),*> $crate::refusal::Explain<Op>
            for $reason<$($number),*>
        where
            $reason<$($crate::number::show::Shown<$number>),*>: $crate::refusal::Refuses<Op::Verb, ()>,
        {
        }
    )* };
}

/// The messages of a reason, which the compiler gives for a trait that nothing implements: one for each verb, alone or
/// in a mode. Numbers are its constants, so that they stand there in bare decimals. The trait `Typed` leads to it and
/// has the same message, for numbers that are no [`N`] of one part. A row says the verb, and where: `at mode` alone,
/// `in mode` and whatever is within it, or `in modes`, a mode of a mode.
macro_rules! messages {
    ($reason:ident $numbers:tt $label:literal $note:literal $(
        $refusal:ident $verb:ident $($at:ident $mode:ident)?: $message:literal;
    )*) => {
        $(messages! { @place [$($at $mode)?] $verb, $message, $reason $numbers $label $note $refusal })*
    };
    (@place [] $verb:ident, $message:literal, $($row:tt)*) => {
        messages! { @one $($row)* [] [$verb] [] $message }
    };
    (@place [at mode] $verb:ident, $message:literal, $($row:tt)*) => {
        messages! { @one $($row)* [mode] [VerbInMode<mode, $verb>] [] $message }
    };
    (@place [in mode] $verb:ident, $message:literal, $($row:tt)*) => {
        messages! {
            @one $($row)* [mode] [VerbInMode<mode, $verb>] [inner VerbInModes<mode, inner, $verb>] $message
        }
    };
    (@place [in modes] $verb:ident, $message:literal, $($row:tt)*) => {
        messages! { @one $($row)* [mode, inner] [VerbInModes<mode, inner, $verb>] [] $message }
    };
    (
        @one $reason:ident ($($number:ident),*) $label:literal $note:literal
        $refusal:ident [$($mode:ident),*] [$verb:ty] [$($below:tt)*] $message:literal
    ) => {
        #[diagnostic::on_unimplemented(message = $message, label = $label, note = $note)]
        #[doc = concat!("Implemented by nothing: a message of [`", stringify!($reason), "`].")]
        pub trait $refusal<$(const $mode: usize,)* $(const $number: u64),*> {}
        const _: () = {
            #[diagnostic::on_unimplemented(message = $message, label = $label, note = $note)]
            pub trait Typed<$(const $mode: usize,)* $($number),*> {}
            impl<This: Typed<$($mode,)* $($number),*>, $(const $mode: usize,)* $($number),*> Refuses<$verb, This>
                for $reason<$($number),*>
            {
            }
            messages! { @below $reason ($($number),*) ($($mode),*) $($below)* }
            impl<This: $refusal<$($mode,)* $($number),*>, $(const $mode: usize,)* $(const $number: u64),*>
                Typed<$($mode,)* $($crate::number::show::N<$number>),*> for This
            {
            }
        };
    };
    (@below $reason:ident $numbers:tt $modes:tt) => {};
    (@below $reason:ident ($($number:ident),*) ($($mode:ident),*) $inner:ident $below:ty) => {
        impl<This: Typed<$($mode,)* $($number),*>, $(const $mode: usize,)* const $inner: usize, $($number),*>
            Refuses<$below, This> for $reason<$($number),*>
        {
        }
    };
}

/// Implements no trait with a message. It is another type than that of the traits which lead to them: of several traits
/// of one type, rustc names the first.
pub struct Numbers;

/// The traits of modes that are not there. [`messages`] has what they say.
macro_rules! absent_modes {
    ($($rows:tt)*) => {};
}
/// A message about numbers, without a reason: the trait that is asked for, by the numbers as they are shown, and the
/// one that nothing implements, by the numbers themselves.
macro_rules! message {
    (
        $asked:ident $refusal:ident [$($mode:ident),*] ($($number:ident),*)
        $label:literal $note:literal $message:literal
    ) => {
        #[diagnostic::on_unimplemented(message = $message, label = $label, note = $note)]
        #[doc = concat!("The message of [`", stringify!($refusal), "`].")]
        pub trait $asked<$(const $mode: usize,)* $($number),*> {}
        impl<$(const $mode: usize,)* $(const $number: u64),*>
            $asked<$($mode,)* $($crate::number::show::N<$number>),*> for ()
        where
            $crate::refusal::Numbers: $refusal<$($mode,)* $($number),*>,
        {
        }
        #[diagnostic::on_unimplemented(message = $message, label = $label, note = $note)]
        #[doc = "Implemented by nothing."]
        pub trait $refusal<$(const $mode: usize,)* $(const $number: u64),*> {}
    };
}

pub(crate) use message;

pub mod count;
pub mod undefined;

mod either;
mod messages;
mod reasons;

pub use either::*;
pub use messages::*;
pub use reasons::*;
