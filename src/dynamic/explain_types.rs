//! How the result of an operation on static layouts comes about, in plain text: the types as
//! [`DynLayout`]s, and the steps of those.

use crate::dynamic::{DynLayout, DynTiler, Explanation};

/// How the composition of two types comes about, or why there is none: what
/// [`explain!`](crate::explain!) prints for `Composition<A, B>`.
///
/// `A` and `B` have to be static; their composition need not exist.
///
/// ```
/// use layout_algebra::prelude::*;
/// let text = explain_compose::<Layout!((4, 6):(1, 8)), Layout!(3:2)>().to_string();
/// assert!(text.ends_with("2 does not divide 3"));
/// ```
pub fn explain_compose<A: Into<DynLayout> + Default, B: Into<DynTiler> + Default>() -> Explanation {
    A::default().into().explain_compose(B::default())
}

/// How the division of one type by another comes about, or why there is none: what
/// [`explain!`](crate::explain!) prints for `LogicalDivision<A, T>`.
///
/// ```
/// use layout_algebra::prelude::*;
/// let text = explain_logical_divide::<Layout!(12), Int!(5)>().to_string();
/// assert!(text.contains("refused, divisibility"));
/// ```
pub fn explain_logical_divide<A: Into<DynLayout> + Default, T: Into<DynTiler> + Default>()
-> Explanation {
    A::default().into().explain_logical_divide(T::default())
}

/// How the result of an operation on static layouts comes about, as an
/// [`Explanation`](crate::Explanation): both operands, each step of the rule, and the result or the
/// reason why there is none.
///
/// The result need not exist, so a refused type can be pasted here as it is, in a test or in
/// `main`:
///
/// ```
/// use layout_algebra::prelude::*;
/// type A = Layout!((4, 3):(1, 8));
/// println!("{}", explain!(Composition<A, Layout!(6:2)>));
/// assert_eq!(explain!(Composition<A, Layout!(6:2)>).to_string(), "\
/// (4,3):(1,8) o 6:2
///   left, coalesced: 4:1 *:8
///   right mode 6:2
///     stride 2 has the digits 2 in 4:1, 0 in *:8
///     2 of 6 steps stay linear: 2:2, and 3:4 is left
///     stride 4 has the digits 0 in 4:1, 1 in *:8
///     3 of 3 steps stay linear: 3:8
///   carry in 4:1: 2, below 4
/// result (2,3):(2,8)");
/// assert!(explain!(LogicalDivision<A, Int!(5)>).to_string().contains("refused, divisibility"));
/// ```
///
/// Layouts that are known at run time explain themselves:
/// [`DynLayout::explain_compose`](crate::DynLayout::explain_compose).
#[macro_export]
macro_rules! explain {
    (Composition<$left:ty, $right:ty $(,)?>) => {
        $crate::explain_compose::<$left, $right>()
    };
    (LogicalDivision<$left:ty, $tile:ty $(,)?>) => {
        $crate::explain_logical_divide::<$left, $tile>()
    };
}
