//! The golden lines as facts about types, a module for each operation: that this file compiles is
//! the proof. The build script makes them, `build/facts.rs`, and counts the lines.

#![allow(dead_code, unused_imports, reason = "a module uses what its operation needs")]

use layout_algebra::prelude::*;
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
        assert_eq!(
            ($layout.index($coordinate), $layout.index($number)),
            ($value, $value),
            stringify!($layout)
        );
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

include!(concat!(env!("OUT_DIR"), "/facts.rs"));
