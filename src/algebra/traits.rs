//! The public trait and the alias of each operation, made from the table in `operations.rs`.
//!
//! Each trait has one impl for all strided layouts, which delegates to [`Evaluate`] of the layout
//! or [`Apply`] of the right operand, and one impl for [`RefusedLayout`], the output of an
//! operation that was refused before.

use crate::algebra::operation::{self, Alone, Stays, With, right, settle};
use crate::algebra::outcome::{Apply, Evaluate, Outcome};
use crate::error::LayoutError;
use crate::layout::refused_layout::RefusedLayout;
use crate::layout::strided::StridedLayout;
use crate::layout::traits::Layout;
use crate::tuple::int_tuple::IntTuple;

macro_rules! traits {
    ($($row:tt)*) => {
        public! { $($row)* }
    };
}
#[rustfmt::skip] // which would indent the attributes a little more each time
macro_rules! public {
    // An operation of one layout.
    (() $method:ident $trait:ident $alias:ident $sentence:tt ($message:literal, $note:literal) $($row:tt)*) => {
        #[doc = concat!("`L: ", stringify!($trait), "` says that `l.", stringify!($method), "()` has a result: see")]
        #[doc = concat!("[`", stringify!($method), "`](crate::LayoutAlgebra::", stringify!($method), ").")]
        #[diagnostic::on_unimplemented(
            message = $message,
            label = "`{Self}` is not known to have this operation",
            note = $note
        )]
        pub trait $trait: Layout {
            /// The result.
            type Output: Layout;
            #[doc(hidden)]
            fn evaluated(layout: Self) -> Result<Self::Output, LayoutError>;
            /// Whether each offset of the result is an offset of this layout.
            #[doc(hidden)]
            const STAYS: Stays<Self, Alone> = Stays::unknown();
        }
        #[doc = concat!("The type of `l.", stringify!($method), "()`: see")]
        #[doc = concat!("[`", stringify!($method), "`](crate::LayoutAlgebra::", stringify!($method), ").")]
        pub type $alias<L> = <L as $trait>::Output;
        impl<S: IntTuple, D: IntTuple> $trait for StridedLayout<S, D>
        where
            Self: Evaluate<operation::$trait, Output: Outcome<operation::$trait>>,
        {
            type Output = <<Self as Evaluate<operation::$trait>>::Output as Outcome<operation::$trait>>::Output;
            #[inline]
            fn evaluated(layout: Self) -> Result<Self::Output, LayoutError> {
                settle::<operation::$trait, _, _>(layout, Alone)
            }
            const STAYS: Stays<Self, Alone> = Stays::by_law::<operation::$trait>();
        }
        #[diagnostic::do_not_recommend]
        impl $trait for RefusedLayout {
            type Output = Self;
            fn evaluated(layout: Self) -> Result<Self, LayoutError> {
                Ok(layout)
            }
        }
    };
    // Not here: an operation whose result has two named parts has a trait with a type for each
    // part, in `divide.rs`.
    ((tile_and_rest) $($row:tt)*) => {};
    // An operation of two operands.
    (
        ($kind:ident) $method:ident $trait:ident $alias:ident $sentence:tt ($message:literal, $note:literal)
        $($row:tt)*
    ) => {
        #[doc = concat!("`A: ", stringify!($trait), "<B>` says that `a.", stringify!($method), "(b)` has a result:")]
        /// see
        #[doc = concat!("[`", stringify!($method), "`](crate::LayoutAlgebra::", stringify!($method), ").")]
        #[diagnostic::on_unimplemented(
            message = $message,
            label = "no bound of `{Self}` has this operation for this operand",
            note = $note
        )]
        pub trait $trait<B>: Layout {
            /// The result.
            type Output: Layout;
            #[doc(hidden)]
            fn evaluated(left: Self, right: B) -> Result<Self::Output, LayoutError>;
            /// Whether each offset of a result is an offset of this layout.
            #[doc(hidden)]
            const STAYS: Stays<Self, B> = Stays::unknown();
        }
        #[doc = concat!("The type of `a.", stringify!($method), "(b)`: see")]
        #[doc = concat!("[`", stringify!($method), "`](crate::LayoutAlgebra::", stringify!($method), ").")]
        pub type $alias<A, B> = <A as $trait<B>>::Output;
        impl<S: IntTuple, D: IntTuple, B> $trait<B> for StridedLayout<S, D>
        where
            B: right::$trait<Accepted: Apply<operation::$trait, Self, Output: Outcome<operation::$trait>>>,
        {
            type Output =
                <<B::Accepted as Apply<operation::$trait, Self>>::Output as Outcome<operation::$trait>>::Output;
            #[inline]
            fn evaluated(left: Self, right: B) -> Result<Self::Output, LayoutError> {
                settle::<operation::$trait, _, _>(left, With(right.accepted()))
            }
            const STAYS: Stays<Self, B> = Stays::by_law::<operation::$trait>();
        }
        impl<B> $trait<B> for RefusedLayout {
            type Output = Self;
            fn evaluated(left: Self, _: B) -> Result<Self, LayoutError> {
                Ok(left)
            }
        }
    };
}
operations!(traits);
