//! The macros: every form of the grammar, and that the value and the type of one text agree.

use layout_algebra::Number;
use layout_algebra::prelude::*;
use static_assertions::assert_type_eq_all;
use std::cell::RefCell;

/// Compiles only if the value has exactly this type.
macro_rules! has_type {
    ($value:expr, $type:ty) => {
        let _: $type = $value;
    };
}

/// The plain text of a layout.
macro_rules! text {
    ($layout:expr) => {
        format!("{:#}", $layout)
    };
}

#[test]
fn shape_and_stride() {
    assert_eq!(format!("{}", layout!((2, 4):(1, 2))), "(_2,_4):(_1,_2)");
    assert_eq!(text!(layout!((2, 4):(1, 2))), "(2,4):(1,2)");
    assert_eq!(text!(layout!(((2, 2), (2, 2)):((1, 4), (2, 8)))), "((2,2),(2,2)):((1,4),(2,8))");
    assert_eq!(text!(layout!(4:2)), "4:2");
    assert_eq!(text!(layout!((4, 6):(0, 0))), "(4,6):(0,0)");
    assert_eq!(
        text!(layout!((1, 2, 3, 4, 5, 6, 7, 8):(1, 1, 1, 1, 1, 1, 1, 1))),
        "(1,2,3,4,5,6,7,8):(1,1,1,1,1,1,1,1)"
    );
    let (n, d) = (6, 10);
    assert_eq!(format!("{}", layout!((4, n):(d, 1))), "(_4,6):(10,_1)");
    assert_eq!(layout!((4, n):(d, 1)).index((3, 5)), 35);
}

#[test]
fn value_and_type_agree() {
    let n = 6;
    has_type!(layout!((4, 6):(1, 4)), Layout!((4, 6):(1, 4)));
    has_type!(layout!((4, n):(1, 4)), Layout!((4, _):(1, 4)));
    has_type!(layout!((4, (n, 3)):(n, (1, n))), Layout!((4, (_, 3)):(_, (1, _))));
    has_type!(layout!(4:2), Layout!(4:2));
    has_type!(layout!(n:n), Layout!(_:_));
    has_type!(layout!((4, (2, 3))), Layout!((4, (2, 3))));
    has_type!(layout!((4, (2, 3)): left), Layout!((4, (2, 3)): left));
    has_type!(layout!((4, (2, 3)): right), Layout!((4, (2, 3)): right));
    has_type!(shape!((4, (n, 3))), Shape!((4, (_, 3))));
    has_type!(shape!(4), Int!(4));
    has_type!(shape!(n), usize);
    has_type!(int!(1536), Int!(1536));
    has_type!(
        tiler!(2, (2, 3):(1, 8), _, <4:2, _, <n>>, (2, n):(1, n)),
        Tiler!(2, (2, 3):(1, 8), _, <4:2, _, <usize>>, (2, _):(1, _))
    );
}

#[test]
fn parentheses_make_tuples() {
    assert_type_eq_all!(Layout!((4):(1)), Layout!((4,):(1,)));
    assert_type_eq_all!(Shape!((4)), (Int!(4),));
    assert_type_eq_all!(Shape!(((4, 2,),)), ((Int!(4), Int!(2)),));
    assert_type_eq_all!(Shape!(4), Int!(4));
    assert_eq!(layout!((4)).depth(), 1);
    assert_eq!(layout!(4).depth(), 0);
    has_type!(shape!((4)), Shape!((4,)));
    // As for every macro of Rust, the brackets around the whole are free.
    assert_type_eq_all!(Layout![(4, 6)], Layout! { (4, 6) }, Layout!((4, 6)));
}

#[test]
fn compact() {
    assert_type_eq_all!(
        Layout!((4, (2, 3))),
        Layout!((4, (2, 3)): left),
        Layout!((4, (2, 3)):(1, (4, 8)))
    );
    assert_type_eq_all!(Layout!((4, (2, 3)): right), Layout!((4, (2, 3)):(6, (3, 1))));
    assert_type_eq_all!(Layout!(4), Layout!(4: right), Layout!(4:1));
    // An extent of 1 gets stride 0.
    assert_type_eq_all!(Layout!(1), Layout!(1:0));
    assert_type_eq_all!(Layout!((4, 1, 6)), Layout!((4, 1, 6):(1, 0, 4)));
    assert_type_eq_all!(Layout!((4, 1, 6): right), Layout!((4, 1, 6):(6, 0, 1)));
    // A stride is static until a run-time extent has gone by, and 0 even then.
    assert_type_eq_all!(Layout!((4, _, 2, 1)), Layout!((4, _, 2, 1):(1, 4, _, 0)));
    assert_type_eq_all!(Layout!((4, _, 2, 1): right), Layout!((4, _, 2, 1):(_, 2, 1, 0)));
}

#[test]
fn compact_with_run_time_extents() {
    let n = 6;
    has_type!(layout!((4, n, (2, 1))), Layout!((4, _, (2, 1))));
    has_type!(layout!((4, n, (2, 1)): left), Layout!((4, _, (2, 1)):(1, 4, (_, 0))));
    has_type!(layout!((4, n, (2, 1)): right), Layout!((4, _, (2, 1)):(_, 2, (1, 0))));
    assert_eq!(text!(layout!((4, n, (2, 1)))), "(4,6,(2,1)):(1,4,(24,0))");
    assert_eq!(text!(layout!((4, n, (2, 1)): right)), "(4,6,(2,1)):(12,2,(1,0))");
    has_type!(layout!(n), Layout!(_));
    assert_eq!(text!(layout!(n)), "6:1");
}

#[test]
fn literals() {
    assert_type_eq_all!(Int!(0), typenum::U0);
    assert_type_eq_all!(Int!(1), typenum::U1);
    assert_type_eq_all!(Int!(1023), typenum::U1023);
    assert_type_eq_all!(Int!(1024), typenum::U1024);
    assert_type_eq_all!(Int!(1025), typenum::Sum<typenum::U1024, typenum::U1>);
    assert_type_eq_all!(Int!(1_000_000), typenum::U1000000);
    assert_type_eq_all!(
        Int!(0xFF),
        Int!(255),
        Int!(0b1111_1111),
        Int!(0o377),
        Int!(255usize),
        Int!(0xFFu64)
    );
}

/// Literals up to 2^63, which a `usize` of 32 bits does not hold: there they do not compile.
#[test]
#[cfg(target_pointer_width = "64")]
fn literals_of_64_bits() {
    assert_type_eq_all!(
        Int!(9223372036854775808),
        Int!(0x8000_0000_0000_0000),
        typenum::U9223372036854775808
    );
    assert_type_eq_all!(Int!(9223372036854775807), typenum::Sub1<typenum::U9223372036854775808>);
    assert_eq!(text!(layout!(9223372036854775808:1)), "9223372036854775808:1");
    assert_eq!(layout!(0x8000_0000_0000_0000).size(), 1 << 63);
    assert_eq!(text!(layout!((2, 4611686018427387904))), "(2,4611686018427387904):(1,2)");
    assert_eq!(text!(layout!((2, 2):(9223372036854775808, 0))), "(2,2):(9223372036854775808,0)");
    // On the path that numbers beyond 32 bits take, a macro makes the same types and values as on
    // any other.
    const LARGE: usize = 1 << 32;
    assert_type_eq_all!(Int!(4294967296), typenum::U4294967296);
    assert_type_eq_all!(Shape!((4, (4294967296, _))), (typenum::U4, (typenum::U4294967296, usize)));
    assert_type_eq_all!(Layout!((2, 2):(4294967295, 0)), Layout!((2, 2):(Int!(4294967295), 0)));
    assert_eq!((int!(4294967296).get(), layout!((65536, 65536)).size()), (LARGE, LARGE));
    has_type!(shape!((4, 4294967296)), Shape!((4, 4294967296)));
    let (n, tile) = (3, tiler!(2, (2, 2):(1, 4294967296), _));
    let tile: Tiler!(2, (2, 2):(1, 4294967296), _) = tile;
    assert_eq!(
        text!(layout!((4, 4, n):(1, 4294967296, 4)).logical_divide(tiler!(2))),
        "((2,2),4,3):((1,2),4294967296,4)"
    );
    assert_eq!(size_of_val(&tile), 0);
    assert_eq!(layout!((2, 2):(2147483648, 2147483648)).index((1, 1)), LARGE);
    assert_eq!(layout!((65536, 4):(65537, 1)).cosize(), 65535 * 65537 + 4);
}

/// A function, a constant and an associated type behind a comma in angle brackets.
trait Pair<A, B> {
    const N: usize;
    type Number;
    fn number() -> usize;
}

impl Pair<u8, u16> for () {
    const N: usize = 5;
    type Number = Int!(5);
    fn number() -> usize {
        5
    }
}

fn bytes<A, B>() -> usize {
    size_of::<A>() + size_of::<B>()
}

#[test]
fn expressions_as_leaves() {
    let (n, pair, list) = (6usize, (2usize, 3usize), [7usize, 8]);
    let (five, byte) = (|| 5, 6u8);
    assert_eq!(text!(layout!((n + 1, n * 2):(n, 1))), "(7,12):(6,1)");
    assert_eq!(text!(layout!((pair.0, list[1]):((n + 1) * 2, 1))), "(2,8):(14,1)");
    assert_eq!(
        text!(layout!((bytes::<u32, u16>(), <() as Pair<u8, u16>>::N):(1, 6))),
        "(6,5):(1,6)"
    );
    assert_eq!(
        text!(layout!((1 + <() as Pair<u8, u16>>::N, n):(<() as Pair<u8, u16>>::number(), 1))),
        "(6,6):(5,1)"
    );
    assert_eq!(text!(layout!((n << 1, n >> 1):(1, 12))), "(12,3):(1,12)");
    let two_pointers = format!("({},4):(1,1)", 2 * size_of::<usize>());
    assert_eq!(
        text!(layout!((bytes::<&'static u8, fn() -> u8>(), -(-4isize) as usize):(1, 1))),
        two_pointers
    );
    assert_eq!(text!(layout!((n + 1, five()):(if n < 4 { 1 } else { 2 }, 1))), "(7,5):(2,1)");
    assert_eq!(
        text!(layout!((core::cmp::max(n, 4), usize::from(n > 1)):(2.max(n), byte as usize))),
        "(6,1):(6,6)"
    );
    assert_eq!(
        text!(layout!((
            4,
            match pair {
                (a, 3) => a * 3,
                _ => 1,
            }
        ))),
        "(4,6):(1,4)"
    );
    // An expression whose value is a static integer is a static leaf.
    has_type!(layout!((int!(4), <Int!(6)>::default()):(1, 4)), Layout!((4, 6):(1, 4)));
}

#[test]
fn leaves_are_evaluated_once_and_in_order() {
    let order = RefCell::new(Vec::new());
    let next = |n: usize| {
        order.borrow_mut().push(n);
        n
    };
    let l = layout!((next(1), (next(2), 4), next(3)):(next(4), (1, next(5)), next(6)));
    assert_eq!(order.take(), [1, 2, 3, 4, 5, 6]);
    assert_eq!(text!(l), "(1,(2,4),3):(4,(1,5),6)");
    let _ = layout!((next(2), 3, next(4)));
    let _ = layout!((next(2), 3, next(4)): right);
    shape!((next(2), next(4)));
    tiler!(next(2), (next(3), 4):(1, next(8)), <next(5), _>);
    assert_eq!(order.take(), [2, 4, 2, 4, 2, 4, 2, 3, 8, 5]);
}

#[test]
fn types_as_leaves() {
    type Column<N> = Layout!((4, N):(1, 4));
    type Nested<A, B> = Layout!((A, (B, 3)):(<() as Pair<u8, u16>>::Number, (A, _)));
    assert_type_eq_all!(Column<Int!(6)>, Layout!((4, 6):(1, 4)));
    assert_type_eq_all!(Column<usize>, Layout!((4, _):(1, 4)));
    assert_type_eq_all!(Nested<usize, Int!(2)>, Layout!((_, (2, 3)):(5, (_, _))));
    assert_type_eq_all!(Shape!((typenum::U4, Int!(5))), Shape!((4, 5)));
    // Whole shapes and strides may be types as well, for a generic parameter may be a tuple.
    type Any<S, D> = Layout!(S:D);
    assert_type_eq_all!(Any<Shape!((4, 6)), Shape!((1, 4))>, Layout!((4, 6):(1, 4)));
}

/// Compact strides where only the caller of the generic code knows the extents.
#[test]
fn compact_types_of_generic_extents() {
    type Left<N> = Layout!((4, N, 2));
    type Right<N> = Layout!((4, N, 2): right);
    assert_type_eq_all!(Left<Int!(6)>, Layout!((4, 6, 2)));
    assert_type_eq_all!(Left<Int!(1)>, Layout!((4, 1, 2)));
    assert_type_eq_all!(Left<usize>, Layout!((4, _, 2)));
    assert_type_eq_all!(Right<Int!(6)>, Layout!((4, 6, 2): right));
    assert_type_eq_all!(Right<usize>, Layout!((4, _, 2): right));
    fn square<N: Number>(n: N) -> Layout!((N, N):(1, N))
    where
        Shape!((N, N)): Congruent<Shape!((1, N))>,
    {
        layout!((n, n):(1, n))
    }
    assert_eq!(square(int!(3)).size(), 9);
    assert_eq!(square(3).cosize(), 9);
}

macro_rules! of_expr {
    ($n:expr, $d:expr) => {
        layout!((4, $n):(1, $d))
    };
}
macro_rules! of_literal {
    ($n:literal) => {
        layout!((4, $n):(1, 4))
    };
}
macro_rules! of_trees {
    ($shape:tt, $stride:tt) => {
        layout!($shape:$stride)
    };
}
macro_rules! of_tokens {
    ($($token:tt)*) => {
        Layout!($($token)*)
    };
}
macro_rules! of_type {
    ($n:ty) => {
        Layout!((4, $n):(1, 4))
    };
}
macro_rules! of_order {
    ($order:ident) => {
        layout!((4, 6): $order)
    };
}
macro_rules! of_local {
    ($n:expr) => {{
        let n = 5usize;
        layout!((n, $n):(1, 2 * $n))
    }};
}

macro_rules! of_operators {
    ($n:expr) => {
        layout!(($n << 1, 1 + 2 * $n):(bytes::<[u8; 6], ()>() * $n, $n.max(5) + usize::from($n > 4)))
    };
}

#[test]
fn within_macro_rules() {
    let n = 6;
    has_type!(of_expr!(6, 4), Layout!((4, 6):(1, 4)));
    has_type!(of_expr!(n, 4), Layout!((4, _):(1, 4)));
    has_type!(of_literal!(6), Layout!((4, 6):(1, 4)));
    has_type!(of_trees!((4, (2, 3)), (1, (4, 8))), Layout!((4, (2, 3))));
    has_type!(of_trees!((4, (2, 3)), right), Layout!((4, (2, 3)): right));
    assert_type_eq_all!(of_tokens!((4, (2, 3)):(1, (4, 8))), Layout!((4, (2, 3))));
    assert_type_eq_all!(of_type!(usize), of_type!(Shape!(_)), Layout!((4, _):(1, 4)));
    has_type!(of_order!(left), Layout!((4, 6)));
    has_type!(of_order!(right), Layout!((4, 6): right));
    // An expression from outside keeps its own `n`, and its own precedence on either side and
    // below.
    assert_eq!(text!(of_expr!(n - 1, 2)), "(4,5):(1,2)");
    assert_eq!(text!(of_local!(n + 1)), "(5,7):(1,14)");
    assert_eq!(text!(of_operators!(n - 2)), "(8,9):(24,5)");
    assert_eq!(text!(of_operators!(n)), "(12,13):(36,7)");
}

/// The expansions name everything from the root, so nothing in scope gets in their way.
#[test]
fn names_in_scope_do_not_matter() {
    #![allow(non_camel_case_types, dead_code)]
    mod layout_algebra {}
    mod core {}
    struct usize;
    struct Tiler;
    struct Keep;
    struct StridedLayout;
    struct U4;
    fn leaf() {}
    fn static_int() {}
    let n = 6;
    has_type!(layout!((4, n):(1, 4)), Layout!((4, _):(1, 4)));
    has_type!(tiler!(2, _, n, (2, 3)), Tiler!(2, _, Shape!(_), (2, 3)));
}

#[test]
fn tilers() {
    assert_type_eq_all!(Tiler!(2, _), layout_algebra::Tiler<(Int!(2), layout_algebra::Keep)>);
    assert_type_eq_all!(
        Tiler!((2, 3), 4: right,),
        layout_algebra::Tiler<(Layout!((2, 3):(1, 2)), Layout!(4:1))>
    );
    assert_type_eq_all!(Tiler!((2, 3): right), layout_algebra::Tiler<(Layout!((2, 3):(3, 1)),)>);
    assert_type_eq_all!(Tiler!(<2, _>), layout_algebra::Tiler<(Tiler!(2, _),)>);
    assert_type_eq_all!(
        Tiler!(<<2, _>, 3>, <() as Pair<u8, u16>>::Number),
        layout_algebra::Tiler<(layout_algebra::Tiler<(Tiler!(2, _), Int!(3))>, Int!(5))>
    );
    let n = 16usize;
    has_type!(tiler!(<n, _>, n >> 1, <() as Pair<u8, u16>>::N), Tiler!(<usize, _>, usize, usize));
    has_type!(tiler!(<n:1, (2, 3):(1, bytes::<u8, u8>())>), Tiler!(<_:1, (2, 3):(1, _)>));
}

const TILE: usize = 32;
#[cfg(target_pointer_width = "64")]
const WIDE: usize = 0x43_0000_0405;
const fn larger(a: usize, b: usize) -> usize {
    if a < b { b } else { a }
}
struct Rows;
impl Rows {
    const COUNT: usize = 3;
    /// Compact, of a constant of the type itself.
    fn count() -> usize {
        layout!(({ Self::COUNT }, 4)).size()
    }
}
const COMPACT: Layout!(({ TILE }, 4): right) = layout!(({ TILE }, 4): right);

/// All seven digits of a constant count.
#[cfg(target_pointer_width = "64")]
#[test]
fn wide_constants_in_braces() {
    assert_type_eq_all!(Int!({ WIDE }), Int!(0x43_0000_0405));
    assert_type_eq_all!(Int!({ usize::MAX >> 1 }), Int!(0x7fff_ffff_ffff_ffff));
}

/// A constant in braces is the static number that it says, in types and in values.
#[test]
fn constants_in_braces() {
    assert_type_eq_all!(Int!({ TILE }), Int!(32));
    assert_type_eq_all!(Int!({ TILE - 32 }), Int!(0));
    assert_type_eq_all!(Int!({ 1023 }), Int!(1023));
    assert_type_eq_all!(Int!({ 1024 }), Int!(1024));
    assert_type_eq_all!(Layout!(({ TILE }, { 2 * TILE })), Layout!((32, 64)));
    assert_type_eq_all!(
        Layout!(({ TILE }, (_, { Rows::COUNT })): right),
        Layout!((32, (_, 3)): right)
    );
    assert_type_eq_all!(Tiler!({ TILE }, _, <{ TILE / 2 }, _>), Tiler!(32, _, <16, _>));
    assert_type_eq_all!(Layout!((4, { TILE }):(-{ Rows::COUNT }, 1)), Layout!((4, 32):(-3, 1)));
    let n = 5;
    has_type!(int!({ TILE + 1 }), Int!(33));
    has_type!(
        layout!(({ TILE }, n):({ Rows::COUNT }, { if TILE > 3 { 7 } else { 8 } })),
        Layout!((32, _):(3, 7))
    );
    has_type!(layout!(({ TILE }, { larger(TILE, 40) })), Layout!((32, 40)));
    has_type!(shape!(({ TILE }, n)), Shape!((32, _)));
    has_type!(tiler!({ TILE }, <_, { TILE }:2>), Tiler!(32, <_, 32:2>));
    has_type!(COMPACT, Layout!((32, 4): right));
    assert_eq!((COMPACT.index((1, 2)), Rows::count()), (6, 12));
}
