//! The nodes of a tree of numbers: what index code recurses over.

use core::hash::{Hash, Hasher};

use crate::error::{Fault, LayoutError};
use crate::list::{Cons, Leaf, Nested, Nil, Whole};
use crate::number::table::{Number, StrideKind};
use crate::tuple::semimodule::Semimodule;

/// What a [`Node`] is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A number.
    Leaf,
    /// A list with at least one item.
    Cons,
    /// The end of a list.
    Nil,
}

/// How a level is nested, and which of its numbers are static: what a loop needs to know about a
/// type, if the loop is compiled once for all types.
pub enum Form {
    /// A number, static or not, and what it is as a stride.
    Leaf { known: Option<usize>, kind: StrideKind },
    /// A list with at least one item.
    Cons { head: &'static Form, tail: &'static Form },
    /// The end of a list.
    Nil,
}

/// A level of an integer tuple, open to recursion at run time. Every kind has a head and a tail, so
/// that one function can ask for the kind, which is a constant, and go on; those of a leaf are
/// `Nil` and never looked at.
pub trait Node: Copy {
    const KIND: Kind;
    const STATIC: Option<usize>;
    const STRIDE: StrideKind = StrideKind::Natural;
    const FORM: Form = Form::Leaf { known: Self::STATIC, kind: Self::STRIDE };
    type Head: Node;
    type Tail: Node;
    fn head(self) -> Self::Head;
    fn tail(self) -> Self::Tail;
    #[inline(always)]
    fn leaf(self) -> usize {
        0
    }

    // The parts of index code. Each kind has functions of its own, and none calls itself: a
    // recursive function, if only with other types, is inlined too late for the loops around it.
    // Nodes that stand only in coordinates have none.

    /// The product of the leaves, if it fits.
    #[inline(always)]
    fn product(self) -> Option<usize> {
        Some(self.leaf())
    }
    /// `sum (leaf - 1) * stride` over all leaves, none of which is 0, if it fits.
    #[inline(always)]
    fn last_offset<D: Node>(self, _stride: D) -> Option<usize> {
        Some(0)
    }
    /// The offset of the `i`-th coordinate of this shape: the leftmost mode is the fastest, the
    /// last one has no end.
    #[inline(always)]
    #[track_caller]
    fn offset_of_number<D: Node>(self, _i: usize, _stride: D) -> usize {
        0
    }
    /// The offset of a coordinate of this shape; a number against a list is split by
    /// [`offset_of_number`](Node::offset_of_number).
    #[inline(always)]
    #[track_caller]
    fn offset<C: Node, D: Node>(self, _coordinate: C, _stride: D) -> usize {
        0
    }
    /// The sum of the products of this coordinate's numbers and the strides, in the semimodule `M`.
    #[inline(always)]
    #[track_caller]
    fn sum_of_products<M: Semimodule, D: Node>(self, _stride: D) -> M::Offset {
        M::zero()
    }
}
impl Node for Nil {
    const KIND: Kind = Kind::Nil;
    const STATIC: Option<usize> = None;
    const FORM: Form = Form::Nil;
    type Head = Nil;
    type Tail = Nil;
    #[inline(always)]
    fn head(self) -> Nil {
        Nil
    }
    #[inline(always)]
    fn tail(self) -> Nil {
        Nil
    }
    #[inline(always)]
    fn product(self) -> Option<usize> {
        Some(1)
    }
}
impl<N: Number> Node for Leaf<N> {
    const KIND: Kind = Kind::Leaf;
    const STATIC: Option<usize> = N::STATIC;
    const STRIDE: StrideKind = N::STRIDE;
    type Head = Nil;
    type Tail = Nil;
    #[inline(always)]
    fn head(self) -> Nil {
        Nil
    }
    #[inline(always)]
    fn tail(self) -> Nil {
        Nil
    }
    #[inline(always)]
    fn leaf(self) -> usize {
        self.0.get()
    }
    #[inline(always)]
    fn last_offset<D: Node>(self, stride: D) -> Option<usize> {
        (self.leaf() - 1).checked_mul(stride.leaf())
    }
    #[inline(always)]
    fn offset_of_number<D: Node>(self, i: usize, stride: D) -> usize {
        i * stride.leaf()
    }
    #[inline(always)]
    fn offset<C: Node, D: Node>(self, coordinate: C, stride: D) -> usize {
        coordinate.leaf() * stride.leaf()
    }
    #[inline(always)]
    fn sum_of_products<M: Semimodule, D: Node>(self, stride: D) -> M::Offset {
        M::product(self.leaf(), stride.leaf(), D::STRIDE)
    }
}
/// A `..` in a coordinate stands for the origin of the modes that it keeps.
impl Node for Whole {
    const KIND: Kind = Kind::Leaf;
    const STATIC: Option<usize> = Some(0);
    type Head = Nil;
    type Tail = Nil;
    #[inline(always)]
    fn head(self) -> Nil {
        Nil
    }
    #[inline(always)]
    fn tail(self) -> Nil {
        Nil
    }
}
impl<H: Nested<Node: Node> + Copy, T: Node> Node for Cons<H, T> {
    const KIND: Kind = Kind::Cons;
    const STATIC: Option<usize> = None;
    const FORM: Form = Form::Cons { head: &<H::Node as Node>::FORM, tail: &T::FORM };
    type Head = H::Node;
    type Tail = T;
    #[inline(always)]
    fn head(self) -> H::Node {
        self.head.node()
    }
    #[inline(always)]
    fn tail(self) -> T {
        self.tail
    }
    #[inline(always)]
    fn product(self) -> Option<usize> {
        if const { static_product::<Self>().is_some() } {
            return const { static_product::<Self>() };
        }
        let (head, tail) = (self.head().product(), self.tail.product());
        // An extent of 0 leaves nothing, however large the others are.
        if head == Some(0) || tail == Some(0) {
            return Some(0);
        }
        head?.checked_mul(tail?)
    }
    #[inline(always)]
    fn last_offset<D: Node>(self, stride: D) -> Option<usize> {
        if const { static_last::<Self, D>().is_some() } {
            return const { static_last::<Self, D>() };
        }
        self.head().last_offset(stride.head())?.checked_add(self.tail.last_offset(stride.tail())?)
    }
    #[inline(always)]
    fn offset_of_number<D: Node>(self, i: usize, stride: D) -> usize {
        if const { matches!(T::KIND, Kind::Nil) } {
            return self.head().offset_of_number(i, stride.head());
        }
        let extent = size(self.head());
        self.head().offset_of_number(digit(i, extent), stride.head())
            + self.tail.offset_of_number(behind(i, extent), stride.tail())
    }
    #[inline(always)]
    fn offset<C: Node, D: Node>(self, coordinate: C, stride: D) -> usize {
        if const { matches!(C::KIND, Kind::Leaf) } {
            return self.offset_of_number(coordinate.leaf(), stride);
        }
        self.head().offset(coordinate.head(), stride.head())
            + self.tail.offset(coordinate.tail(), stride.tail())
    }
    #[inline(always)]
    fn sum_of_products<M: Semimodule, D: Node>(self, stride: D) -> M::Offset {
        M::sum(
            self.head().sum_of_products::<M, _>(stride.head()),
            self.tail.sum_of_products::<M, _>(stride.tail()),
        )
    }
}

pub const fn rank<T: Node>() -> usize {
    match T::KIND {
        Kind::Leaf => 1,
        Kind::Nil => 0,
        Kind::Cons => length::<T>(),
    }
}

const fn length<T: Node>() -> usize {
    match T::KIND {
        Kind::Cons => 1 + length::<T::Tail>(),
        _ => 0,
    }
}

pub const fn depth<T: Node>() -> usize {
    match T::KIND {
        Kind::Cons => {
            let (head, tail) = (1 + depth::<T::Head>(), depth::<T::Tail>());
            if head > tail { head } else { tail }
        }
        _ => 0,
    }
}

/// The rank of a tuple of at most 8 modes, and the size of each, if all leaves are static and it
/// fits.
pub const fn static_mode_sizes<T: Node>() -> Option<(usize, [usize; 8])> {
    let mut sizes = [1; 8];
    match (T::KIND, rank::<T>()) {
        (Kind::Cons, rank @ 1..=8) if sizes_from::<T>(&mut sizes, 0) => Some((rank, sizes)),
        _ => None,
    }
}

/// Writes down the sizes of the modes, the first at `mode`; `false` if one is not known.
const fn sizes_from<T: Node>(sizes: &mut [usize; 8], mode: usize) -> bool {
    match (T::KIND, static_product::<T::Head>()) {
        (Kind::Cons, Some(size)) => {
            sizes[mode] = size;
            sizes_from::<T::Tail>(sizes, mode + 1)
        }
        (Kind::Cons, None) => false,
        _ => true,
    }
}

/// The product of the leaves, if all are static and it fits.
pub const fn static_product<T: Node>() -> Option<usize> {
    match T::KIND {
        Kind::Leaf => T::STATIC,
        Kind::Nil => Some(1),
        Kind::Cons => match (static_product::<T::Head>(), static_product::<T::Tail>()) {
            (Some(head), Some(tail)) => head.checked_mul(tail),
            _ => None,
        },
    }
}

/// The product of the leaves, if all are static; an error of the compiler where it does not fit.
pub const fn static_size<T: Node>() -> Option<usize> {
    let size = static_product::<T>();
    assert!(
        size.is_some() || size_of::<T>() > 0,
        "overflow: the size of a static shape is beyond usize"
    );
    size
}

/// The size without the modes of stride 0, along which an element repeats, if all leaves are static
/// and it fits.
pub const fn static_moving_size<S: Node, D: Node>() -> Option<usize> {
    match (S::KIND, D::KIND) {
        (Kind::Leaf, Kind::Leaf) => match (S::STATIC, D::STATIC) {
            (Some(1..), Some(0)) => Some(1),
            (extent, Some(_)) => extent,
            _ => None,
        },
        (Kind::Cons, Kind::Cons) => {
            match (
                static_moving_size::<S::Head, D::Head>(),
                static_moving_size::<S::Tail, D::Tail>(),
            ) {
                (Some(head), Some(tail)) => head.checked_mul(tail),
                _ => None,
            }
        }
        (Kind::Nil, Kind::Nil) => Some(1),
        _ => None,
    }
}

/// `1 + sum (extent - 1) * stride`, and 0 without elements, if all leaves are static and it fits.
pub const fn static_span<S: Node, D: Node>() -> Option<usize> {
    match static_size::<S>() {
        Some(0) => Some(0),
        Some(_) => match static_last::<S, D>() {
            Some(last) => last.checked_add(1),
            None => None,
        },
        None => None,
    }
}

const fn static_last<S: Node, D: Node>() -> Option<usize> {
    match (S::KIND, D::KIND) {
        (Kind::Nil, Kind::Nil) => Some(0),
        (Kind::Leaf, Kind::Leaf) => match (S::STATIC, D::STATIC) {
            (Some(extent @ 1..), Some(stride)) => (extent - 1).checked_mul(stride),
            _ => None,
        },
        (Kind::Cons, Kind::Cons) => {
            match (static_last::<S::Head, D::Head>(), static_last::<S::Tail, D::Tail>()) {
                (Some(head), Some(tail)) => head.checked_add(tail),
                _ => None,
            }
        }
        _ => None,
    }
}

/// `i % extent`: the number in a mode. In an empty mode there is none: 0 stands for it.
#[inline(always)]
pub const fn digit(i: usize, extent: usize) -> usize {
    if extent == 0 { 0 } else { i % extent }
}

/// `i / extent`: the number that the modes behind count; 0 behind an empty mode.
#[inline(always)]
pub const fn behind(i: usize, extent: usize) -> usize {
    match i.checked_div(extent) {
        Some(rest) => rest,
        None => 0,
    }
}

/// Of the numbers that are known at run time only, the one with `before` of them on its left;
/// counts `before` down.
pub fn run_time_leaf<T: Node>(tree: T, before: &mut usize) -> Option<usize> {
    match T::KIND {
        Kind::Nil => None,
        Kind::Leaf if T::STATIC.is_some() => None,
        Kind::Leaf if *before == 0 => Some(tree.leaf()),
        Kind::Leaf => {
            *before -= 1;
            None
        }
        Kind::Cons => match run_time_leaf(tree.head(), before) {
            Some(number) => Some(number),
            None => run_time_leaf(tree.tail(), before),
        },
    }
}

/// How many leaves there are.
pub const fn leaves<T: Node>() -> usize {
    match T::KIND {
        Kind::Nil => 0,
        Kind::Leaf => 1,
        Kind::Cons => leaves::<T::Head>() + leaves::<T::Tail>(),
    }
}

/// The product of the leaves.
#[inline(always)]
#[track_caller]
pub fn size<T: Node>(tree: T) -> usize {
    match tree.product() {
        Some(size) => size,
        None => panic!("{}", LayoutError::new("size", Fault::Overflow)),
    }
}

/// The size of mode `mode` of the first level; 1 behind the last one. A number is its own only
/// mode.
#[track_caller]
pub fn mode_size<T: Node>(tree: T, mode: usize) -> usize {
    match (T::KIND, mode) {
        (Kind::Nil, _) | (Kind::Leaf, 1..) => 1,
        (Kind::Leaf, 0) => tree.leaf(),
        (Kind::Cons, 0) => size(tree.head()),
        (Kind::Cons, _) => mode_size(tree.tail(), mode - 1),
    }
}

/// Hashes how a tree is nested: the arity of each node before those in it, 0 for a leaf.
pub fn hash_profile<T: Node>(tree: T, state: &mut impl Hasher) {
    match T::KIND {
        Kind::Leaf => state.write_usize(0),
        _ => {
            state.write_usize(rank::<T>());
            hash_profiles(tree, state);
        }
    }
}
fn hash_profiles<T: Node>(list: T, state: &mut impl Hasher) {
    if const { matches!(T::KIND, Kind::Cons) } {
        hash_profile(list.head(), state);
        hash_profiles(list.tail(), state);
    }
}

/// Hashes the leaves from left to right, static or not, and the axes of steps. [`hash_kinds`]
/// hashes the other kinds.
pub fn hash_numbers<T: Node>(tree: T, state: &mut impl Hasher) {
    match T::KIND {
        Kind::Nil => {}
        Kind::Leaf => {
            state.write_usize(tree.leaf());
            match T::STRIDE {
                StrideKind::Along(axis) => state.write_usize(axis),
                StrideKind::Diagonal(axes) => axes.hash(state),
                _ => {}
            }
        }
        Kind::Cons => {
            hash_numbers(tree.head(), state);
            hash_numbers(tree.tail(), state);
        }
    }
}

/// Hashes the kinds of strides as a [`DynLayout`](crate::DynLayout) does: nothing if all are
/// natural.
pub fn hash_kinds<T: Node>(tree: T, state: &mut impl Hasher) {
    fn each<T: Node>(tree: T, visit: &mut impl FnMut(isize)) {
        match T::KIND {
            Kind::Nil => {}
            Kind::Leaf => visit(match T::STRIDE.of(tree.leaf()) {
                StrideKind::Natural | StrideKind::Along(_) | StrideKind::Diagonal(_) => 0,
                StrideKind::Negative => 1,
                StrideKind::Xor => 2,
            }),
            Kind::Cons => {
                each(tree.head(), visit);
                each(tree.tail(), visit);
            }
        }
    }
    let mut other = false;
    each(tree, &mut |kind| other |= kind != 0);
    if other {
        each(tree, &mut |kind| state.write_isize(kind));
    }
}
