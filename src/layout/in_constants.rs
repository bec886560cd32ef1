//! Compact layouts in constants: the functions that `layout!((M, N))` calls.
//!
//! ```text
//! const fn: (usize, .., usize)   left: (S, .., S, usize), (usize, S)
//!         right: (usize, S, .., S), (S, usize)   S
//! static
//! ```
//!
//! Compact strides are computed by functions of traits, and constants cannot call these. So some
//! shapes have const functions of their own: shapes with only `usize` extents, shapes with only
//! static strides, and any two extents. The compiler prefers them, and calls the trait's function
//! for every other shape.

#![allow(missing_docs, reason = "only the macros name what is here")]

use typenum::UInt;

use crate::layout::compact::{CompactLeft, CompactRight, LeftLayout, RightLayout};
#[cfg(not(target_arch = "nvptx64"))]
use crate::layout::flat::Message;
use crate::layout::strided::StridedLayout;
use crate::number::int::{One, StaticInt};
use crate::tuple::constant::{constant, static_int};
use crate::tuple::int_tuple::{IntTuple, StaticTuple};

/// A shape, before it has strides.
#[derive(Clone, Copy)]
pub struct Compact<S>(pub S);

/// The functions of [`Compact`] where no constant can call them.
pub trait CompactAtRunTime<S> {
    fn left(self) -> LeftLayout<S>
    where
        S: CompactLeft;
    fn right(self) -> RightLayout<S>
    where
        S: CompactRight;
}
impl<S> CompactAtRunTime<S> for Compact<S> {
    #[inline(always)]
    #[track_caller]
    fn left(self) -> LeftLayout<S>
    where
        S: CompactLeft,
    {
        StridedLayout::left(self.0)
    }
    #[inline(always)]
    #[track_caller]
    fn right(self) -> RightLayout<S>
    where
        S: CompactRight,
    {
        StridedLayout::right(self.0)
    }
}

/// The product of the extents before each one.
///
/// # Panics
/// If the product of all leaves `usize`.
#[inline(always)]
#[track_caller]
const fn products<const R: usize>(extents: [usize; R]) -> [usize; R] {
    let (mut before, mut product, mut k) = ([1; R], 1usize, 0);
    while k < R {
        before[k] = product;
        product = match product.checked_mul(extents[k]) {
            Some(product) => product,
            None => beyond_usize(&extents),
        };
        k += 1;
    }
    before
}
/// The product of the extents behind each one.
#[inline(always)]
#[track_caller]
const fn products_behind<const R: usize>(extents: [usize; R]) -> [usize; R] {
    let (mut behind, mut product, mut k) = ([1; R], 1usize, R);
    while k > 0 {
        k -= 1;
        behind[k] = product;
        product = match product.checked_mul(extents[k]) {
            Some(product) => product,
            None => beyond_usize(&extents),
        };
    }
    behind
}
/// Says that the size of a shape is beyond `usize`. On a GPU, where nobody would read it, the
/// kernel ends with an error.
#[cfg(target_arch = "nvptx64")]
#[inline(always)]
const fn beyond_usize(extents: &[usize]) -> ! {
    const fn in_a_constant(_: &[usize]) -> ! {
        panic!("cannot lay out a shape: a number grows beyond the largest there is")
    }
    fn at_run_time(_: &[usize]) -> ! {
        crate::error::stop()
    }
    core::intrinsics::const_eval_select((extents,), in_a_constant, at_run_time)
}
/// Says that the size of a shape is beyond `usize`.
#[cfg(not(target_arch = "nvptx64"))]
#[cold]
#[track_caller]
const fn beyond_usize(extents: &[usize]) -> ! {
    let (mut message, mut k) = (Message::new().text("cannot lay out shape ("), 0);
    while k < extents.len() {
        message = message.text(if k > 0 { "," } else { "" }).number(extents[k]);
        k += 1;
    }
    let message =
        message.text("): a number grows beyond ").number(usize::MAX).text(", the largest there is");
    panic!("{}", message.as_str());
}

/// The layout of a static type: that of constants in braces.
pub const fn static_layout<S: IntTuple, D: IntTuple>() -> StridedLayout<S, D> {
    StridedLayout::assemble(constant(), constant())
}

impl Compact<usize> {
    #[inline(always)]
    pub const fn left(self) -> LeftLayout<usize> {
        StridedLayout::assemble(self.0, static_int())
    }
    #[inline(always)]
    pub const fn right(self) -> RightLayout<usize> {
        self.left()
    }
}

/// A static number that is not 1, which would have stride 0.
type Several<U, A, B> = UInt<UInt<U, A>, B>;
/// The compact layout of two extents.
type LayoutOfTwo<S0, S1, D0, D1> = StridedLayout<(S0, S1), (D0, D1)>;

// Of two extents, of which the first or the last is static.
impl<U, A, B> Compact<(usize, Several<U, A, B>)>
where
    Several<U, A, B>: StaticInt,
{
    #[inline(always)]
    #[track_caller]
    pub const fn left(self) -> LayoutOfTwo<usize, Several<U, A, B>, One, usize> {
        let extent = self.0.0;
        products([extent, Several::<U, A, B>::VALUE]);
        StridedLayout::assemble(self.0, (static_int(), extent))
    }
}
impl<U, A, B> Compact<(Several<U, A, B>, usize)>
where
    Several<U, A, B>: StaticInt,
{
    #[inline(always)]
    #[track_caller]
    pub const fn right(self) -> LayoutOfTwo<Several<U, A, B>, usize, usize, One> {
        let extent = self.0.1;
        products([Several::<U, A, B>::VALUE, extent]);
        StridedLayout::assemble(self.0, (extent, static_int()))
    }
}

macro_rules! flat {
    ($First:ident $first:ident $($Item:ident $item:ident)*) => {
        impl Compact<(usize, $(instead_of!($Item, usize),)*)> {
            #[inline(always)]
            #[track_caller]
            pub const fn left(self) -> LeftLayout<(usize, $(instead_of!($Item, usize),)*)> {
                let ($first, $($item,)*) = self.0;
                let [_, $($item),*] = products([$first, $($item),*]);
                StridedLayout::assemble(self.0, (static_int(), $($item,)*))
            }
            #[inline(always)]
            #[track_caller]
            pub const fn right(self) -> RightLayout<(usize, $(instead_of!($Item, usize),)*)> {
                let ($first, $($item,)*) = self.0;
                let [$($item,)* _] = products_behind([$first, $($item),*]);
                StridedLayout::assemble(self.0, ($($item,)* static_int(),))
            }
        }
    };
}
each_arity!(flat);

/// All but the slowest extent are static, and so are all strides.
macro_rules! static_strides {
    ($First:ident $first:ident) => {};
    ($First:ident $first:ident $($Item:ident $item:ident)+) => {
        impl<$($Item: StaticTuple),+> Compact<($($Item,)+ usize)> {
            #[inline(always)]
            #[track_caller]
            pub const fn left(self) -> LeftLayout<($($Item,)+ usize)>
            where
                ($($Item,)+ usize): CompactLeft,
            {
                let (.., slowest) = self.0;
                products([$(static_size::<$Item>(),)+ slowest]);
                StridedLayout::assemble(self.0, constant())
            }
        }
        impl<$($Item: StaticTuple),+> Compact<(usize, $($Item,)+)> {
            #[inline(always)]
            #[track_caller]
            pub const fn right(self) -> RightLayout<(usize, $($Item,)+)>
            where
                (usize, $($Item,)+): CompactRight,
            {
                let (slowest, ..) = self.0;
                products([slowest, $(static_size::<$Item>()),+]);
                StridedLayout::assemble(self.0, constant())
            }
        }
    };
}
each_arity!(static_strides);

/// The size of a static tuple, which the types have found to fit.
const fn static_size<T: StaticTuple>() -> usize {
    match T::STATIC_SIZE {
        Some(size) => size,
        None => usize::MAX,
    }
}
