//! Numbers of a product that have to be equal, compared by the types: `cargo check` says which are
//! not.

// The names of constants stand in the messages, where they read better as words.
#![allow(non_upper_case_globals)]

use typenum::{Equal, Greater, Less};

use crate::number::show::{Show, Shown};
use crate::number::table::Unknown;
use crate::reasons::message;

/// For each pair of numbers a trait of their order, which lets `Equal` pass, and one for each way
/// to write the numbers, whose message it is. Another bound reports a number that is known only at
/// run time.
macro_rules! agree {
    (note $note:literal; $($agree:ident $reports:ident $refusal:ident $message:literal $label:literal;)*) => {
        $(
            #[doc = "Lets equal numbers pass."]
            pub trait $agree<Left, Right> {}
            impl<Left, Right> $agree<Left, Right> for Equal {}
            impl<Left, Right> $agree<Left, Right> for Unknown {}
            impl<Left: Show, Right: Show> $agree<Left, Right> for Less where (): $reports<Shown<Left>, Shown<Right>> {}
            impl<Left: Show, Right: Show> $agree<Left, Right> for Greater where (): $reports<Shown<Left>, Shown<Right>> {}
            message! { $reports $refusal [] (Left, Right) $message $label $note }
        )*
    };
}
agree! {
    note "the fragments of one thread are (V,M,K), (V,N,K) and (V,M,N): V the values of the atom, M, N and K counted \
          in atoms; `partition_fragment_a` and its like have these shapes";
    AgreeInM DifferInM GemmDiffersInM
        "cannot multiply: the fragment of A has {Left} atoms along M, and that of C has {Right}"
        "M: {Left} is not {Right}";
    AgreeInN DifferInN GemmDiffersInN
        "cannot multiply: the fragment of B has {Left} atoms along N, and that of C has {Right}"
        "N: {Left} is not {Right}";
    AgreeInK DifferInK GemmDiffersInK
        "cannot multiply: the fragment of A has {Left} atoms along K, and that of B has {Right}"
        "K: {Left} is not {Right}";
    AgreeInA DifferInA GemmDiffersInA
        "cannot multiply: the fragment of A has {Left} values for an atom, and the atom takes {Right}"
        "V of A: {Left} is not {Right}";
    AgreeInB DifferInB GemmDiffersInB
        "cannot multiply: the fragment of B has {Left} values for an atom, and the atom takes {Right}"
        "V of B: {Left} is not {Right}";
    AgreeInC DifferInC GemmDiffersInC
        "cannot multiply: the fragment of C has {Left} values for an atom, and the atom takes {Right}"
        "V of C: {Left} is not {Right}";
}
