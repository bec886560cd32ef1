//! The lines of `golden.jsonl` as facts about types: that this file compiles is the proof.
//!
//! The modules are written by the test `files`, which also counts the lines.

#![allow(dead_code, unused_imports, reason = "a module uses what its operation needs")]

use std::marker::PhantomData;

use layout_algebra::prelude::*;
use layout_algebra::{IntoSwizzled, SwizzledOf};
use static_assertions::{
    assert_impl_all as related, assert_not_impl_any as undefined, assert_not_impl_any as unrelated,
};

/// The two types are one.
trait Is<T> {}
impl<T> Is<T> for T {}
const fn is<A: Is<B>, B>() {}

/// The result of an operation is this type.
macro_rules! equal {
    ($result:ty, $expected:ty) => {
        const _: () = is::<$result, $expected>();
    };
}

/// A constant of a layout, and what the method of the same meaning returns.
macro_rules! constant {
    ($layout:ty, $constant:ident, $method:ident => $value:literal) => {
        const _: () = assert!(<$layout as StaticLayout>::$constant == $value);
        assert_eq!(<$layout>::default().$method(), $value, stringify!($layout));
    };
}

/// The offset of a coordinate, written in dynamic and in static numbers.
macro_rules! offset {
    ($layout:expr, $coordinate:expr, $number:expr => $value:literal) => {
        assert_eq!(($layout.index($coordinate), $layout.index($number)), ($value, $value), stringify!($layout));
    };
}

/// What a swizzle makes of an offset.
macro_rules! swizzled {
    ($bits:literal, $base:literal, $shift:expr, $offset:literal => $value:literal) => {
        const _: () = assert!(Swizzle::<$bits, $base, { $shift }>::new().apply($offset) == $value);
    };
}

/// The coordinate of a number in a shape, and back.
macro_rules! coordinate {
    ($shape:expr, $number:literal => $coordinate:expr) => {
        assert_eq!(idx2crd($number, $shape), $coordinate);
        assert_eq!(crd2idx($coordinate, $shape), $number);
    };
}

/// The result of an operation is this type, and its value is found.
macro_rules! gives {
    ($left:ty, $right:ty, $alias:ident, $method:ident => $expected:ty) => {
        const _: () = is::<$alias<$left, $right>, $expected>();
        let found = <$left>::default().$method(<$right>::default());
        assert_eq!(found.map_err(|error| error.kind().as_str()), Ok(<$expected>::default()), stringify!($left));
    };
}

/// An operation is refused: by the types, or with an error of this kind where the numbers say so.
macro_rules! refused {
    ($left:ty, $right:ty, $trait:ident, $method:ident => $kind:literal) => {{
        struct Pair<A, B>(PhantomData<(A, B)>);
        trait ByTypes {
            fn kind(&self) -> &'static str {
                $kind
            }
        }
        impl<A, B> ByTypes for Pair<A, B> {}
        impl<A: Default + $trait<B>, B: Default> Pair<A, B> {
            fn kind(&self) -> &'static str {
                A::default().$method(B::default()).map_or_else(|error| error.kind().as_str(), |_| "an answer")
            }
        }
        assert_eq!(Pair::<$left, $right>(PhantomData).kind(), $kind, stringify!($left, $right));
    }};
}

// The facts, a file for each operation; written by `files.rs`.
#[rustfmt::skip]
mod size;
#[rustfmt::skip]
mod cosize;
#[rustfmt::skip]
mod rank;
#[rustfmt::skip]
mod depth;
#[rustfmt::skip]
mod index;
#[rustfmt::skip]
mod index_nested;
#[rustfmt::skip]
mod idx2crd;
#[rustfmt::skip]
mod compact_left;
#[rustfmt::skip]
mod compact_right;
#[rustfmt::skip]
mod congruent;
#[rustfmt::skip]
mod weakly_congruent;
#[rustfmt::skip]
mod compatible;
#[rustfmt::skip]
mod coalesce;
#[rustfmt::skip]
mod coalesce_by_mode;
#[rustfmt::skip]
mod filter;
#[rustfmt::skip]
mod flatten;
#[rustfmt::skip]
mod compose;
#[rustfmt::skip]
mod compose_by_mode;
#[rustfmt::skip]
mod complement;
#[rustfmt::skip]
mod complement_ceil;
#[rustfmt::skip]
mod right_inverse;
#[rustfmt::skip]
mod left_inverse;
#[rustfmt::skip]
mod nullspace;
#[rustfmt::skip]
mod max_common_layout;
#[rustfmt::skip]
mod tile_to_shape;
#[rustfmt::skip]
mod upcast;
#[rustfmt::skip]
mod downcast;
#[rustfmt::skip]
mod swizzle;
#[rustfmt::skip]
mod logical_divide;
#[rustfmt::skip]
mod zipped_divide;
#[rustfmt::skip]
mod tiled_divide;
#[rustfmt::skip]
mod flat_divide;
#[rustfmt::skip]
mod logical_product;
#[rustfmt::skip]
mod zipped_product;
#[rustfmt::skip]
mod tiled_product;
#[rustfmt::skip]
mod flat_product;
#[rustfmt::skip]
mod blocked_product;
#[rustfmt::skip]
mod raked_product;
#[rustfmt::skip]
mod coalesce_z;
#[rustfmt::skip]
mod layout_add;
#[rustfmt::skip]
mod greatest_common_domain;
#[rustfmt::skip]
mod kinds;
