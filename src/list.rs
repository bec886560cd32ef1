//! The bridge between Rust's tuples and lists of a head and a tail. It is the one place where an
//! arity is written out; everything else recurses over [`Cons`] and [`Nil`], in functions whose
//! cases stand in a table: see `cases`.

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

/// A function of types, given by its cases. Each row is one case and becomes one impl: its own
/// parameters stand in brackets, then the type that implements the trait, then the trait's
/// parameters, then the `Output`. If the trait has a method, the row also has the method's
/// arguments and its result. Similar types share a row: `for { .. }` lists them, each with
/// parameters of its own, and the row says `Self`.
///
/// ```text
/// cases! { Order:
///     [SoFar] UTerm, UTerm, SoFar => SoFar;              impl<SoFar> Order<UTerm, SoFar> for UTerm
///     [V, C, SoFar] UTerm, UInt<V, C>, SoFar => Less;
///         impl<V, C, SoFar> Order<UInt<V, C>, SoFar> for UTerm
/// }
/// cases! { Concat::concat -> Self::Output:
///     [L] Nil, L => L, (self, other: L) => other;
///     [H, T: Concat<L>, L] Cons<H, T>, L => Cons<H, T::Output>,
///         (self, other: L) => Cons { head: self.head, tail: self.tail.concat(other) };
/// }
/// ```
macro_rules! cases {
    ($trait:ident: $(
        [$($generic:tt)*] $of:ty $(, $parameter:ty)* $(where ($($bound:tt)*))? => $output:ty;
    )*) => {
        $(impl<$($generic)*> $trait<$($parameter),*> for $of $(where $($bound)*)? {
            type Output = $output;
        })*
    };
    ($trait:ident::$method:ident -> $result:ty: $(
        [$($generic:tt)*] $of:ty $(, $parameter:ty)* $(where ($($bound:tt)*))? => $output:ty,
            ($($argument:tt)*) => $value:expr;
    )*) => {
        $(impl<$($generic)*> $trait<$($parameter),*> for $of $(where $($bound)*)? {
            type Output = $output;
            #[inline(always)]
            fn $method($($argument)*) -> $result {
                $value
            }
        })*
    };
    // One row for several types, each with parameters of its own.
    ($trait:ident::$method:ident -> $result:ty, for {}: $($row:tt)*) => {};
    ($trait:ident::$method:ident -> $result:ty, for { [$($own:ident)*] $of:ty; $($more:tt)* }: $($row:tt)*) => {
        cases! { @alike $trait $method [$result] [$($own)*] [$of] $($row)* }
        cases! { $trait::$method -> $result, for { $($more)* }: $($row)* }
    };
    (@alike $trait:ident $method:ident [$result:ty] [$($own:ident)*] [$of:ty]
        [$($generic:tt)*] Self $(, $parameter:ty)* $(where ($($bound:tt)*))? => $output:ty,
            ($($argument:tt)*) => $value:expr;
    ) => {
        cases! { $trait::$method -> $result:
            [$($generic)*, $($own),*] $of $(, $parameter)* $(where ($($bound)*))? => $output, ($($argument)*) => $value;
        }
    };
}

/// A number where a tree could also have a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Leaf<N>(pub N);

/// A `..` or a `_` where a tree could also have a number or a list: the mode is left whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Whole;

/// One level of a nested tuple, taken apart: a [`Leaf`], [`Whole`], or a list of what the tuple
/// holds.
#[diagnostic::on_unimplemented(
    message = "this is neither a number of a layout nor a tuple of at most 8 such",
    label = "`{Self}`: not an integer tuple",
    note = "a leaf is a static integer, `int!(4)`, or a `usize`: write `i as usize` for another integer; more than 8 \
            modes go into nested tuples, or into a `DynLayout`"
)]
pub trait Nested {
    /// The level as a leaf or a list.
    type Node;
    /// Takes the level apart.
    fn node(self) -> Self::Node;
}

/// The way back: a leaf or a list as its tuple. A number or a tuple stays as it is.
pub trait Untangle {
    type Tree;
    fn tree(self) -> Self::Tree;
}

/// A list as the tuple it came from.
pub type TreeOf<L> = <L as Untangle>::Tree;

/// A type that is no tuple is a leaf, and stays as it is in a tree.
macro_rules! leaves {
    ($([$($generic:ident)*] $leaf:ty;)*) => {
        $(impl<$($generic),*> $crate::list::Nested for $leaf {
            type Node = $crate::list::Leaf<Self>;
            #[inline(always)]
            fn node(self) -> Self::Node {
                $crate::list::Leaf(self)
            }
        }
        impl<$($generic),*> $crate::list::Untangle for $leaf {
            type Tree = Self;
            #[inline(always)]
            fn tree(self) -> Self {
                self
            }
        })*
    };
}
leaves! { [] UTerm; [U B] UInt<U, B>; }
// By itself, since messages show it.
impl Nested for usize {
    type Node = Leaf<usize>;
    #[inline(always)]
    fn node(self) -> Self::Node {
        Leaf(self)
    }
}
impl Untangle for usize {
    type Tree = Self;
    #[inline(always)]
    fn tree(self) -> Self {
        self
    }
}
impl Nested for RangeFull {
    type Node = Whole;
    #[inline(always)]
    fn node(self) -> Whole {
        Whole
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
macro_rules! list_tuples {
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

/// Calls a macro with the items of each tuple, from 1 to 8 of them: a name for the type, a name for
/// the value.
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
each_arity!(list_tuples);

/// The first argument, once for each of a list of items.
macro_rules! instead_of {
    ($item:ident, $($this:tt)*) => { $($this)* };
}
/// An array of up to 8 items as the tuple of these.
pub trait AsTuple {
    type Tuple;
    fn tuple(self) -> Self::Tuple;
}
/// The tuple that an array stands for.
pub type TupleOf<A> = <A as AsTuple>::Tuple;
macro_rules! arrays {
    ($($Item:ident $item:ident)+) => {
        impl<T> AsTuple for [T; [$(stringify!($Item)),+].len()] {
            type Tuple = ($(instead_of!($Item, T),)+);
            #[inline(always)]
            fn tuple(self) -> Self::Tuple {
                let [$($item),+] = self;
                ($($item,)+)
            }
        }
    };
}
each_arity!(arrays);
#[diagnostic::do_not_recommend]
impl<T, const N: usize> Nested for [T; N]
where
    Self: AsTuple<Tuple: Nested>,
{
    type Node = <TupleOf<Self> as Nested>::Node;
    #[inline(always)]
    fn node(self) -> Self::Node {
        self.tuple().node()
    }
}

/// A list `L` of more items than a tuple here has. Replaces a result that does not fit one level.
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

/// Concatenates two lists.
pub trait Concat<L> {
    type Output;
    fn concat(self, other: L) -> Self::Output;
}
cases! { Concat::concat -> Self::Output:
    [L] Nil, L => L, (self, other: L) => other;
    [H, T: Concat<L>, L] Cons<H, T>, L => Cons<H, T::Output>,
        (self, other: L) => Cons { head: self.head, tail: self.tail.concat(other) };
}

/// `self` in reverse order, in front of `Onto`.
pub trait ReverseOnto<Onto> {
    type Output;
    fn reverse_onto(self, onto: Onto) -> Self::Output;
}
cases! { ReverseOnto::reverse_onto -> Self::Output:
    [Onto] Nil, Onto => Onto, (self, onto: Onto) => onto;
    [H, T: ReverseOnto<Cons<H, Onto>>, Onto] Cons<H, T>, Onto => T::Output,
        (self, onto: Onto) => self.tail.reverse_onto(Cons { head: self.head, tail: onto });
}

/// A list with `Fill` repeated behind it until it is as long as `Other`; a longer list stays as it
/// is.
pub trait PadTo<Other, Fill> {
    type Output;
    fn pad_to(self) -> Self::Output;
}
cases! { PadTo::pad_to -> Self::Output:
    [Fill] Nil, Nil, Fill => Nil, (self) => Nil;
    [H, T, Fill] Cons<H, T>, Nil, Fill => Self, (self) => self;
    [I, U, Fill: Default] Nil, Cons<I, U>, Fill where (Nil: PadTo<U, Fill>)
        => Cons<Fill, <Nil as PadTo<U, Fill>>::Output>,
        (self) => Cons { head: Fill::default(), tail: <Nil as PadTo<U, Fill>>::pad_to(Nil) };
    [H, T: PadTo<U, Fill>, I, U, Fill] Cons<H, T>, Cons<I, U>, Fill => Cons<H, T::Output>,
        (self) => Cons { head: self.head, tail: self.tail.pad_to() };
}
