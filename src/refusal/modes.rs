//! Modes that a layout does not have.

use super::*;

/// Implements no trait with a message. It is another type than that of the traits which lead to them: of several traits of one type,
/// rustc names the first.
pub struct Numbers;

/// A trait that nothing implements, about modes that a layout does not have: the one that is asked for, by the rank as it is shown, and
/// the one with the message, by the rank as a number.
macro_rules! no_modes {
    ($($asked:ident $refusal:ident [$($n:ident)*] $message:literal;)*) => {
        $(
            #[diagnostic::on_unimplemented(message = $message, label = "rank: there are {Count} modes")]
            #[doc = concat!("The message of [`", stringify!($refusal), "`].")]
            pub trait $asked<$(const $n: usize,)* Count> {}
            impl<$(const $n: usize,)* const Count: u64> $asked<$($n,)* N<Count>> for () where
                Numbers: $refusal<$($n,)* Count>
            {
            }

            #[diagnostic::on_unimplemented(
                message = $message,
                label = "rank: there are {Count} modes",
                note = "modes are counted from 0, and a range of them ends before its second number"
            )]
            #[doc = "Implemented by nothing."]
            pub trait $refusal<$(const $n: usize,)* const Count: u64> {}
        )*
    };
}
no_modes! {
    NoModesToTake TakeModes [First Last] "cannot take modes: modes {First} to {Last} are no range in rank {Count}";
    NoModesToGroup GroupModes [First Last] "cannot group modes: modes {First} to {Last} are no range in rank {Count}";
    NoModeToUngroup UngroupMode [Mode] "cannot ungroup a mode: there is no mode {Mode} in rank {Count}";
    NoModeToFind FindMode [Mode] "cannot take a mode: there is no mode {Mode} in rank {Count}";
    NoModeToReplace ReplaceMode [Mode] "cannot replace a mode: there is no mode {Mode} in rank {Count}";
}
