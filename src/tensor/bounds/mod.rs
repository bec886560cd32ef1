//! What has to hold before memory is touched: how far a layout reaches, which coordinates it
//! has, whether its offsets differ.
//!
//! ```text
//! span(L)  = 1 + sum (s_k - 1) * d_k          cosize, without overflow; 0 for an empty layout
//! image(L) = { sum c_k * d_k }                the offsets
//! image(M) within image(L)  <=>  each offset of M is one of L
//! L injective               <=>  no two coordinates share an offset
//! ```
//!
//! This is safe code, on which the unsafe code of the chapter relies. `sorted` compares images; for a
//! static layout it does so when the program is built.

use crate::error::Fault;
use crate::tuple::node::{Kind, Node};

mod sorted;

pub use sorted::SortedModes;

/// The cosize, or `None` if the cosize or the size exceeds `usize`. With an extent of 0 there is
/// nothing to reach, whatever the other numbers are.
#[inline]
pub(in crate::tensor) fn span<S: Node, D: Node>(s: S, d: D) -> Option<usize> {
    match s.product()? {
        0 => Some(0),
        _ => s.last_offset(d)?.checked_add(1),
    }
}

/// Whether each number of the coordinate `c` is below the extent that it counts in.
#[inline]
pub(in crate::tensor) fn within<C: Node, S: Node>(c: C, s: S) -> bool {
    outside(c, s).is_none()
}

/// The first number of the coordinate `c` that is not.
#[inline]
pub(in crate::tensor) fn outside<C: Node, S: Node>(c: C, s: S) -> Option<Fault> {
    match (C::KIND, S::KIND) {
        (Kind::Nil, Kind::Nil) => None,
        // If a mode has more elements than `usize` can count, every number is below its size.
        (Kind::Leaf, _) => {
            let (number, extent) = (c.leaf(), s.product()?);
            if number < extent { None } else { Some(Fault::Outside { number, extent }) }
        }
        (Kind::Cons, Kind::Cons) => match outside(c.head(), s.head()) {
            None => outside(c.tail(), s.tail()),
            found => found,
        },
        _ => Some(Fault::NotWeaklyCongruent),
    }
}

/// The product of `before` and the extents of `s`, if the stride of each leaf that moves is the
/// product of everything before it: the offsets of `before:1` and of these leaves are then 0, 1, 2
/// ..
#[inline]
pub(in crate::tensor) fn counts_up<S: Node, D: Node>(before: usize, s: S, d: D) -> Option<usize> {
    match S::KIND {
        Kind::Nil => Some(before),
        Kind::Leaf if s.leaf() == 1 => Some(before),
        Kind::Leaf if d.leaf() == before => before.checked_mul(s.leaf()),
        Kind::Leaf => None,
        Kind::Cons => counts_up(counts_up(before, s.head(), d.head())?, s.tail(), d.tail()),
    }
}

/// Adds the modes of the tree `s:d`.
pub(in crate::tensor) fn collect<S: Node, D: Node>(s: S, d: D, modes: &mut SortedModes) {
    match S::KIND {
        Kind::Nil => {}
        Kind::Leaf => modes.push(s.leaf(), d.leaf()),
        Kind::Cons => {
            collect(s.head(), d.head(), modes);
            collect(s.tail(), d.tail(), modes);
        }
    }
}

/// The modes of a tree without dynamic leaves; `None` if there is one.
pub(in crate::tensor) const fn static_modes<S: Node, D: Node>() -> Option<SortedModes> {
    let mut modes = SortedModes::new();
    if collect_static::<S, D>(&mut modes) { Some(modes) } else { None }
}

const fn collect_static<S: Node, D: Node>(modes: &mut SortedModes) -> bool {
    match S::KIND {
        Kind::Nil => true,
        Kind::Leaf => match (S::STATIC, D::STATIC) {
            (Some(extent), Some(stride)) => {
                modes.push(extent, stride);
                true
            }
            _ => false,
        },
        Kind::Cons => {
            collect_static::<S::Head, D::Head>(modes) && collect_static::<S::Tail, D::Tail>(modes)
        }
    }
}
