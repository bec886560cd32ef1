//! The bridge between Rust's tuples and lists of a head and a tail. It is the one place where an arity is written out;
//! everything else recurses over [`Cons`] and [`Nil`].

use core::marker::PhantomData;
use core::ops::RangeFull;

use typenum::{UInt, UTerm};

/// A list's end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Nil;

/// A list: its first item, and the rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cons<H, T> {
    pub head: H,
    pub tail: T,
}

/// A number where a tree could also have a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Leaf<N>(pub N);

/// A `..` or a `_` where a tree could also have a number or a list: the mode is left whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Whole;

/// One level of a nested tuple, taken apart: a [`Leaf`], [`Whole`], or a list of what the tuple holds.
#[diagnostic::on_unimplemented(
    message = "this is neither a number of a layout nor a tuple of at most 8 such",
    label = "`{Self}`: not an integer tuple",
    note = "a leaf is a static integer, `int!(4)`, or a `usize`: write `i as usize` for another integer; more than 8 modes go into nested tuples, or into a `DynLayout`"
)]
pub trait Nested {
    /// The level as a leaf or a list.
    type Node;
    /// Takes the level apart.
    fn node(self) -> Self::Node;
}

/// The way back: a leaf or a list as the tuple it came from. What is a number or a tuple already stays what it is.
pub trait Untangle {
    type Tree;
    fn tree(self) -> Self::Tree;
}

/// A list as the tuple it came from.
pub type TreeOf<L> = <L as Untangle>::Tree;

impl Nested for UTerm {
    type Node = Leaf<UTerm>;
    #[inline(always)]
    fn node(self) -> Self::Node {
        Leaf(self)
    }
}
impl<U, B> Nested for UInt<U, B> {
    type Node = Leaf<Self>;
    #[inline(always)]
    fn node(self) -> Self::Node {
        Leaf(self)
    }
}
impl Nested for usize {
    type Node = Leaf<usize>;
    #[inline(always)]
    fn node(self) -> Self::Node {
        Leaf(self)
    }
}
impl Nested for RangeFull {
    type Node = Whole;
    #[inline(always)]
    fn node(self) -> Whole {
        Whole
    }
}
impl Untangle for UTerm {
    type Tree = Self;
    #[inline(always)]
    fn tree(self) -> Self {
        self
    }
}
impl<U, B> Untangle for UInt<U, B> {
    type Tree = Self;
    #[inline(always)]
    fn tree(self) -> Self {
        self
    }
}
impl Untangle for usize {
    type Tree = Self;
    #[inline(always)]
    fn tree(self) -> Self {
        self
    }
}
impl<N> Untangle for Leaf<N> {
    type Tree = N;
    #[inline(always)]
    fn tree(self) -> N {
        self.0
    }
}

macro_rules! list {
    () => { Nil };
    ($first:ident $($rest:ident)*) => { Cons<$first, list!($($rest)*)> };
}
macro_rules! nine {
    (; $tail:ident) => { $tail };
    ($first:ident $($rest:ident)*; $tail:ident) => { Cons<$first, nine!($($rest)*; $tail)> };
}
macro_rules! pack {
    () => { Nil };
    ($first:ident $($rest:ident)*) => { Cons { head: $first, tail: pack!($($rest)*) } };
}
macro_rules! tuples {
    ($($Item:ident $item:ident)+) => {
        impl<$($Item),+> Nested for ($($Item,)+) {
            type Node = list!($($Item)+);
            #[inline(always)]
            fn node(self) -> Self::Node {
                let ($($item,)+) = self;
                pack!($($item)+)
            }
        }
        impl<$($Item),+> Untangle for ($($Item,)+) {
            type Tree = Self;
            #[inline(always)]
            fn tree(self) -> Self {
                self
            }
        }
        impl<$($Item),+> Untangle for list!($($Item)+) {
            type Tree = ($($Item,)+);
            #[inline(always)]
            fn tree(self) -> Self::Tree {
                let pack!($($item)+) = self;
                ($($item,)+)
            }
        }
    };
}

/// Calls a macro with the items of each tuple, from 1 to 8 of them: a name for the type, a name for the value.
macro_rules! each_arity {
    ($call:ident) => {
        $call!(A a);
        $call!(A a B b);
        $call!(A a B b C c);
        $call!(A a B b C c D d);
        $call!(A a B b C c D d E e);
        $call!(A a B b C c D d E e F f);
        $call!(A a B b C c D d E e F f G g);
        $call!(A a B b C c D d E e F f G g H h);
    };
}
each_arity!(tuples);

/// The first one, for each of a list of items.
macro_rules! instead_of {
    ($item:ident, $($this:tt)*) => { $($this)* };
}
/// An array is the tuple of its items.
macro_rules! arrays {
    ($($Item:ident $item:ident)+) => {
        #[diagnostic::do_not_recommend]
        impl<T> Nested for [T; [$(stringify!($Item)),+].len()] {
            type Node = <($(instead_of!($Item, T),)+) as Nested>::Node;
            #[inline(always)]
            fn node(self) -> Self::Node {
                let [$($item),+] = self;
                ($($item,)+).node()
            }
        }
    };
}
each_arity!(arrays);

/// More items than a tuple here has, as the list `L` of them: in place of a result that does not fit one level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Crowded<L>(PhantomData<L>);
impl<L> Crowded<L> {
    #[inline(always)]
    pub fn new() -> Self {
        Crowded(PhantomData)
    }
}
/// A list of 9 items or more.
impl<A, B, C, D, E, F, G, H, I, T> Untangle for nine!(A B C D E F G H I; T) {
    type Tree = Crowded<Self>;
    #[inline(always)]
    fn tree(self) -> Self::Tree {
        Crowded::new()
    }
}

impl<L> Untangle for Crowded<L> {
    type Tree = Self;
    #[inline(always)]
    fn tree(self) -> Self {
        self
    }
}

/// One list behind another.
pub trait Concat<L> {
    type Output;
    fn concat(self, other: L) -> Self::Output;
}
impl<L> Concat<L> for Nil {
    type Output = L;
    #[inline(always)]
    fn concat(self, other: L) -> L {
        other
    }
}
impl<H, T: Concat<L>, L> Concat<L> for Cons<H, T> {
    type Output = Cons<H, T::Output>;
    #[inline(always)]
    fn concat(self, other: L) -> Self::Output {
        Cons { head: self.head, tail: self.tail.concat(other) }
    }
}

/// `self` back to front, in front of `Onto`.
pub trait ReverseOnto<Onto> {
    type Output;
    fn reverse_onto(self, onto: Onto) -> Self::Output;
}
impl<Onto> ReverseOnto<Onto> for Nil {
    type Output = Onto;
    #[inline(always)]
    fn reverse_onto(self, onto: Onto) -> Onto {
        onto
    }
}
impl<H, T: ReverseOnto<Cons<H, Onto>>, Onto> ReverseOnto<Onto> for Cons<H, T> {
    type Output = T::Output;
    #[inline(always)]
    fn reverse_onto(self, onto: Onto) -> Self::Output {
        self.tail.reverse_onto(Cons { head: self.head, tail: onto })
    }
}

/// A list with `Fill` behind it, to be as long as `Other`; what is longer stays as it is.
pub trait PadTo<Other, Fill> {
    type Output;
    fn pad_to(self) -> Self::Output;
}
impl<Fill> PadTo<Nil, Fill> for Nil {
    type Output = Nil;
    #[inline(always)]
    fn pad_to(self) -> Nil {
        Nil
    }
}
impl<H, T, Fill> PadTo<Nil, Fill> for Cons<H, T> {
    type Output = Self;
    #[inline(always)]
    fn pad_to(self) -> Self {
        self
    }
}
impl<I, U, Fill: Default> PadTo<Cons<I, U>, Fill> for Nil
where
    Nil: PadTo<U, Fill>,
{
    type Output = Cons<Fill, <Nil as PadTo<U, Fill>>::Output>;
    #[inline(always)]
    fn pad_to(self) -> Self::Output {
        Cons { head: Fill::default(), tail: <Nil as PadTo<U, Fill>>::pad_to(Nil) }
    }
}
impl<H, T: PadTo<U, Fill>, I, U, Fill> PadTo<Cons<I, U>, Fill> for Cons<H, T> {
    type Output = Cons<H, T::Output>;
    #[inline(always)]
    fn pad_to(self) -> Self::Output {
        Cons { head: self.head, tail: self.tail.pad_to() }
    }
}
