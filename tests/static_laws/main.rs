//! The static engine against the dynamic one: types with dynamic leaves in all places,
//! filled with all sorts of numbers.
//!
//! ```text
//! DynLayout::from(op(A, B)) = op(DynLayout::from(A), DynLayout::from(B))    as functions; if static, to the letter
//! ```
//!
//! Whether an operation is defined for a pair of types is asked of the compiler; where it is, the
//! engines are compared for every combination of numbers, those of errors included.

#![allow(unused_parens, reason = "`()` is the right operand of an operation that has none")]

use std::collections::BTreeSet;
use std::marker::PhantomData;

use layout_algebra::prelude::*;

#[macro_use]
#[path = "../../src/operations.rs"]
mod table;

mod sweep;

use sweep::Agreement::{self, Form, Function, Law};
use sweep::{Engine, Fill, Outcome, Tally, places, sweep};

fn text<T: std::str::FromStr<Err = LayoutError>>(text: &str) -> T {
    text.parse().expect("an operand")
}

fn number(text: &str) -> usize {
    text.parse().expect("a number")
}

/// The offsets of the layout as a set: sorted, each once.
fn image(l: &DynLayout) -> Vec<usize> {
    let offsets = (0..l.size()).map(|i| l.index(i));
    if l.cosize() > 1 << 16 {
        return offsets.collect::<BTreeSet<_>>().into_iter().collect();
    }
    let mut is_offset = vec![false; l.cosize()];
    offsets.for_each(|offset| is_offset[offset] = true);
    (0..l.cosize()).filter(|&offset| is_offset[offset]).collect()
}

/// `{R(i)} == {L(i)}`
fn same_image(l: &DynLayout, _: &str, r: &DynLayout) -> bool {
    l.size().max(r.size()) > 5000 || image(l) == image(r)
}

/// `L(R(i)) == i`
fn right_inverse_law(l: &DynLayout, _: &str, r: &DynLayout) -> bool {
    l.size() == 0 || places(r.size()).all(|i| l.index(r.index(i)) == i)
}

/// `L(R(L(i))) == L(i)`, and `R` has coordinates if `L` has.
fn left_inverse_law(l: &DynLayout, _: &str, r: &DynLayout) -> bool {
    l.size() == 0
        || (r.size() > 0 && places(l.size()).all(|i| l.index(r.index(l.index(i))) == l.index(i)))
}

/// `A(R(i)) == B(R(i)) == i`, and `R` is no larger than either.
fn common_law(a: &DynLayout, b: &str, r: &DynLayout) -> bool {
    let other: DynLayout = text(b);
    right_inverse_law(a, b, r)
        && right_inverse_law(&other, b, r)
        && r.size() <= a.size().min(other.size())
}

/// `{R(i)} == {n * L(i) + k, k < n}`
fn downcast_law(l: &DynLayout, n: &str, r: &DynLayout) -> bool {
    let n = number(n);
    let expected = || image(l).into_iter().flat_map(|offset| (0..n).map(move |k| n * offset + k));
    r.size() > 5000 || expected().eq(image(r))
}

/// How the results of an operation compare.
fn agreement(operation: &str) -> Agreement {
    match operation {
        "filter" => Law(same_image),
        "left_inverse" => Law(left_inverse_law),
        "max_common_layout" => Law(common_law),
        "downcast" => Law(downcast_law),
        "coalesce_by" | "compose" | "logical_divide" | "zipped_divide" | "logical_product"
        | "zipped_product" => Form,
        "flat_product" | "blocked_product" | "raked_product" | "tile_to_shape" | "upcast"
        | "round_up" => Form,
        _ => Function,
    }
}

/// Each operation of the table in `src/operations.rs`, with a right operand as its kind is.
macro_rules! engines {
    (
        ($($kind:ident)?) $method:ident $trait:ident $alias:ident $sentence:tt $bound:tt $operand:tt $composed:tt
        $try_method:ident $($docs:tt)*
    ) => {
        engines! { @ $($kind)? $method $trait $try_method }
    };
    (@ $method:ident $trait:ident $try_method:ident) => {
        engine! { $method, |l, _t| l.$try_method();
            impl<A: Fill + $trait<Output: Outcome + 'static> + 'static> Pair<A, ()> {
                pub fn answer(&self) -> Option<&'static Engine> {
                    Some(&|numbers| Ok(Box::new(A::fill(&mut numbers.iter().copied()).$try_method()?)))
                }
            }
        }
    };
    (@ tile $($row:tt)*) => { engines! { @ |t| text::<DynTiler>(t); $($row)* } };
    (@ arranged $($row:tt)*) => { engines! { @ |t| text::<DynTiler>(t); $($row)* } };
    (@ tile_and_rest $($row:tt)*) => { engines! { @ |t| text::<DynTiler>(t); $($row)* } };
    (@ number $($row:tt)*) => { engines! { @ |t| number(t); $($row)* } };
    (@ unit $($row:tt)*) => { engines! { @ |t| number(t); $($row)* } };
    (@ paired $($row:tt)*) => { engines! { @ |t| text::<DynLayout>(t); $($row)* } };
    (@ layout $($row:tt)*) => { engines! { @ |t| text::<DynLayout>(t); $($row)* } };
    (@ shape $($row:tt)*) => { engines! { @ |t| text::<DynShape>(t); $($row)* } };
    (@ profile $($row:tt)*) => { engines! { @ |t| text::<DynShape>(t); $($row)* } };
    // All of these is static.
    (@ sizes $($row:tt)*) => {};
    (@ modes $($row:tt)*) => {};
    (@ domain $($row:tt)*) => {};
    (@ |$t:ident| $right:expr; $method:ident $trait:ident $try_method:ident) => {
        engine! { $method, |l, $t| l.$try_method($right);
            impl<A, B: Fill + 'static> Pair<A, B>
            where
                A: Fill + $trait<B, Output: Outcome + 'static> + 'static,
            {
                pub fn answer(&self) -> Option<&'static Engine> {
                    Some(&|numbers| {
                        let numbers = &mut numbers.iter().copied();
                        let (a, b) = (A::fill(numbers), B::fill(numbers));
                        Ok(Box::new(a.$try_method(b)?))
                    })
                }
            }
        }
    };
}
/// A module for an operation: the dynamic call, and the static one.
macro_rules! engine {
    ($name:ident, |$l:ident, $t:ident| $dynamic:expr; $($answer:tt)*) => {
        #[allow(dead_code, reason = "of some operations no cases are written")]
        mod $name {
            use super::*;

            /// A pair of operands: has `answer` by itself where the operation is defined, and
            /// otherwise from the trait.
            pub struct Pair<A, B>(pub PhantomData<(A, B)>);

            pub trait Refused {
                fn answer(&self) -> Option<&'static Engine> {
                    None
                }
            }
            impl<A, B> Refused for Pair<A, B> {}

            $($answer)*

            pub fn compare(tally: &mut Tally, written: (&str, &str), answer: Option<&Engine>) {
                let name = stringify!($name);
                sweep(tally, name, agreement(name), written, &|$l: &DynLayout, $t: &str| $dynamic, answer);
            }
        }
    };
}
operations!(engines);

macro_rules! cases {
    ($($name:ident($left:ty $(, $right:ty)?);)*) => {
        check(|tally| {$({
            #[allow(unused_imports, reason = "the trait is asked where the operation is not defined")]
            use $name::Refused as _;
            $name::compare(
                tally,
                (stringify!($left), concat!($(stringify!($right))?)),
                $name::Pair::<$left, ($($right)?)>(PhantomData).answer(),
            );
        })*})
    };
}

/// Cases chosen by hand.
#[test]
fn hand_written_cases() {
    cases! {
        coalesce(Layout!((2, usize):(1, 2)));
        coalesce(Layout!((usize, 4):(0, 0)));
        coalesce(Layout!((usize, (1, 4), 1):(usize, (7, 0), 3)));
        coalesce(Layout!((usize, usize, 2):(0, 0, usize)));
        coalesce_by(Layout!((2, (usize, 3)):(1, (2, 6))), Shape!((1, 1)));
        coalesce_by(Layout!(((2, 2), (usize, 3, 2)):((1, 2), (0, 0, 4))), Shape!((1, 1)));
        compose(Layout!((6, 4):(1, usize)), Layout!(4:5));
        compose(Layout!((6, 4):(usize, usize)), Layout!(4:5));
        compose(Layout!((6, 4):(1, 100)), Layout!((3, 2):(5, 1)));
        compose(Layout!((6, 4):(usize, 100)), Layout!(3:9));
        compose(Layout!((6, usize):(1, 100)), Layout!(4:9));
        compose(Layout!((6, usize):(1, usize)), Layout!((2, 3):(15, 2)));
        compose(Layout!((4, usize):(usize, usize)), Layout!((usize, 2):(4, 2)));
        compose(Layout!((4, 6, usize):(usize, usize, usize)), Layout!((2, 2, 3, usize):(1, 2, 4, 24)));
        compose(Layout!((4, 6, usize):(usize, usize, usize)), Layout!((2, 4, 3, usize):(2, 4, 16, 24)));
        compose(Layout!((4, 6, usize):(usize, 5, usize)), Layout!(16:3));
        compose(Layout!((4, 6, usize):(usize, 5, usize)), Layout!(8:10));
        compose(Layout!((4, 6, usize):(usize, 5, usize)), Layout!(6:20));
        compose(Layout!((4, 6, 5, usize):(usize, usize, 5, usize)), Layout!((2, 2, 3):(30, 61, 7)));
        compose(Layout!(usize:usize), Layout!((usize, usize):(usize, usize)));
        compose(Layout!(usize:1), Layout!((usize, (usize, 3)):(usize, (0, usize))));
        compose(Layout!((1, usize):(7, usize)), Layout!((usize, 3):(usize, 2)));
        compose(Layout!((usize, 1):(usize, usize)), Layout!(1:usize));
        compose(Layout!((usize, 1):(usize, usize)), Layout!(usize:0));
        compose(Layout!((4, 1):(1, usize)), Layout!(8:1));
        compose(Layout!((4, 1):(usize, 9)), Layout!(8:3));
        compose(Layout!((4, usize, 2):(usize, 9, 4)), Layout!((2, usize):(2, 0)));
        compose(Layout!((4, usize):(1, 4)), Layout!((usize, usize):(usize, 1)));
        compose(Layout!((4, 3):(1, 4)), Layout!((usize, usize):(usize, 1)));
        compose(Layout!((usize, usize):(1, usize)), Tiler!(4:2, 3));
        compose(Layout!((usize, usize):(1, usize)), Tiler!(usize:2, usize));
        compose(Layout!((usize, (4, usize)):(1, (usize, 3))), Tiler!(_, (4, usize):(2, 4)));
        compose(Layout!((6, (4, usize)):(1, (usize, 3))), Tiler!(3:5, 6:6));
        complement(Layout!(usize:1), usize);
        complement(Layout!(usize:usize), usize);
        complement(Layout!(4:usize), usize);
        complement(Layout!((4, usize):(1, 8)), usize);
        complement(Layout!((4, usize):(1, 8)), Int!(64));
        complement(Layout!((4, usize):(8, 1)), Int!(64));
        complement(Layout!((2, usize):(0, 3)), usize);
        complement(Layout!((2, usize, 4):(1, 0, 6)), usize);
        complement(Layout!((usize, usize):(1, 0)), usize);
        complement(Layout!((1, 4):(usize, 2)), usize);
        complement(Layout!((4, usize):(usize, 2)), usize);
        complement(Layout!((2, usize, 4):(1, 4, 64)), usize);
        complement(Layout!((2, usize, 4):(64, 4, 1)), usize);
        complement_ceil(Layout!(usize:1), usize);
        complement_ceil(Layout!(usize:usize), usize);
        complement_ceil(Layout!(4:usize), Int!(30));
        complement_ceil(Layout!((4, usize):(1, 8)), usize);
        complement_ceil(Layout!((2, 3):(1, 6)), usize);
        logical_divide(Layout!(usize:1), Layout!(4:1));
        logical_divide(Layout!(usize:usize), Layout!(4:3));
        logical_divide(Layout!(usize:usize), Layout!(usize:1));
        logical_divide(Layout!(usize:usize), usize);
        logical_divide(Layout!(24:usize), usize);
        logical_divide(Layout!(usize:3), Layout!((2, 3):(1, 4)));
        logical_divide(Layout!(usize:3), Layout!((2, 3):(0, 2)));
        logical_divide(Layout!(usize:3), Layout!((2, usize):(1, 4)));
        logical_divide(Layout!(usize:3), Layout!((usize, 2):(1, usize)));
        logical_divide(Layout!((4, usize):(1, 5)), Layout!(8:1));
        logical_divide(Layout!((4, usize):(1, 5)), Layout!(4:1));
        logical_divide(Layout!((4, usize):(usize, usize)), Layout!((4, 2):(1, 8)));
        logical_divide(Layout!((4, usize):(1, 5)), Tiler!(2, 6));
        logical_divide(Layout!((4, usize):(usize, 5)), Tiler!(2));
        logical_divide(Layout!((4, usize):(usize, 5)), Tiler!(_, 4:2));
        zipped_divide(Layout!((usize, usize):(usize, 1)), Tiler!(16, 8));
        zipped_divide(Layout!((usize, usize):(1, usize)), Tiler!(usize, usize));
        zipped_divide(Layout!((usize, usize, usize):(1, usize, usize)), Tiler!(4, _, 2));
        zipped_divide(Layout!((usize, usize, usize):(1, usize, usize)), Tiler!(4:2));
        zipped_divide(Layout!(((2, usize), usize):((1, usize), 7)), Tiler!(4, (2, 2):(1, 4)));
        zipped_divide(Layout!(((2, 3, usize), usize):((1, usize, 9), 7)), Tiler!(6, 12));
        zipped_divide(Layout!(((2, 3, usize), usize):((1, usize, 9), 7)), Tiler!(12:2, 3));
        round_up(Layout!((usize, usize):(usize, 1)), Tiler!(16, 8));
        round_up(Layout!((usize, usize):(usize, 1)), Tiler!(16:2, usize));
        round_up(Layout!((6, usize):(usize, 1)), Layout!(8:1));
        round_up(Layout!(((4, 6), (2, usize)):((1, 4), (24, 48))), Tiler!(10, 12));
        round_up(Layout!(((usize, 6), (2, usize)):((1, 4), (24, 48))), Tiler!(10, 12));
        round_up(Layout!((usize, 6):(usize, 1)), Tiler!(4));
    }
}

type By2 = Multiple<Int<2>>;
type By6 = Multiple<Int<6>>;
type By8 = Multiple<Int<8>>;

/// Numbers known to be multiples.
#[test]
fn multiples() {
    cases! {
        coalesce(Layout!((By8, 4, By2):(1, By8, By6)));
        coalesce(Layout!((By8, 4, By2):(0, 0, 0)));
        compose(Layout!(By8:By6), Layout!((By2, 3):(By8, 2)));
        compose(Layout!((4, By8):(By2, By6)), Layout!((2, By6):(2, 4)));
        compose(Layout!((By8, By8):(1, By8)), Tiler!(4:2, By2));
        complement(Layout!(By8:1), By8);
        complement(Layout!(4:By6), By8);
        complement(Layout!((4, By2):(1, 8)), By8);
        complement(Layout!((4, usize):(1, 8)), By8);
        complement_ceil(Layout!(By8:1), By6);
        complement_ceil(Layout!(8:1), By6);
        complement_ceil(Layout!(4:By2), usize);
        logical_divide(Layout!(By8:usize), Layout!(4:1));
        logical_divide(Layout!(By8:By2), Layout!(6:1));
        logical_divide(Layout!(By8:By2), Layout!((2, 2):(1, 4)));
        logical_divide(Layout!(By8:By2), Layout!(By2:1));
        logical_divide(Layout!((4, By6):(1, By8)), Layout!(8:1));
        zipped_divide(Layout!((By8, By6):(By8, 1)), Tiler!(4, 3));
        zipped_divide(Layout!((By8, By6):(By8, 1)), Tiler!(4:2, By2));
        zipped_divide(Layout!((By8, (2, By6)):(By8, (1, By2))), Tiler!(16, 6));
        tiled_divide(Layout!((By8, By6, usize):(By8, 1, By2)), Tiler!(4, 3));
        flat_divide(Layout!((By8, By6, usize):(By8, 1, By2)), Tiler!(8, 6));
        logical_product(Layout!(By8:1), Layout!((2, By6):(By2, 1)));
        logical_product(Layout!((2, By8):(1, 6)), Layout!(By6:1));
        logical_product(Layout!((2, 3):(1, By8)), Layout!(4:1));
        blocked_product(Layout!((2, By8):(1, 2)), Layout!((By6, 2):(1, By6)));
        raked_product(Layout!((2, By8):(1, 2)), Layout!((By6, 2):(1, By6)));
        tile_to_shape(Layout!((2, 4):(1, 2)), Shape!((By8, By8)));
        tile_to_shape(Layout!((2, 3):(1, 2)), Shape!((By8, By6)));
        upcast(Layout!((By8, By2):(1, By8)), Int!(8));
        upcast(Layout!((By8, By2):(2, By8)), Int!(4));
        upcast(Layout!((8, usize):(1, By6)), Int!(4));
        downcast(Layout!((By8, By2):(1, By8)), Int!(4));
        right_inverse(Layout!((By8, 4):(4, 1)));
        left_inverse(Layout!((By8, 4):(4, 1)));
        left_inverse(Layout!((By8, 4):(By8, 1)));
        filter(Layout!((By8, 4, By2):(0, By6, 1)));
        round_up(Layout!((usize, By6):(By8, 1)), Tiler!(16, 6));
        round_up(Layout!((usize, By6):(By8, 1)), Tiler!(By2, 12));
        round_up(Layout!(((By2, usize), By6):((1, By2), By8)), Tiler!(12, By6:2));
    }
}

/// Runs the cases, says how they went, and fails if the engines differ.
fn check(cases: impl FnOnce(&mut Tally)) {
    let mut tally = Tally::default();
    cases(&mut tally);
    let Tally { defined, refused, same, same_error, cautious, no_operand, .. } = tally;
    println!(
        "{defined} pairs of types, {refused} refused: {same} results and {same_error} errors alike, \
         {cautious} cautious, {no_operand} no operands"
    );
    let mut failed = false;
    for (name, cases) in [
        ("wrong", tally.wrong),
        ("beyond usize", tally.unchecked),
        ("refused without need", tally.shy),
        ("refused for another reason", tally.other_kind),
        ("refused with other numbers", tally.other_numbers),
    ] {
        if !cases.is_empty() {
            failed = true;
            println!("{} {name}, such as", cases.len());
            cases.iter().step_by(cases.len().div_ceil(30)).for_each(|case| println!("  {case}"));
        }
    }
    assert!(!failed, "the engines differ");
}

/// Operands of golden lines, some of their leaves dynamic: made by the build script,
/// `build/mixed.rs`.
mod mixed {
    use super::*;

    include!(concat!(env!("OUT_DIR"), "/mixed.rs"));
}
