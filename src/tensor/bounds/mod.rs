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
//! What of this is decided is decided for natural and for XOR strides by themselves, which have no bit in common:
//! `natural` searches, where the modes sorted by stride do not show it, and `bits` is linear algebra.
//!
//! Safe code, which the unsafe code of `storage` relies on.

use crate::error::Fault;
use crate::number::table::StrideKind;
use crate::swizzle::DynSwizzle;
use crate::tuple::node::{Kind, Node};

mod natural;

mod bits;

/// `cosize`, or `None` if it or the size leaves `usize`. An extent of 0 leaves nothing to
/// reach, whatever else there is.
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
    match (C::KIND, S::KIND) {
        (Kind::Nil, Kind::Nil) => true,
        // Where a mode has more elements than `usize` can count, each number is below.
        (Kind::Leaf, _) => s.product().is_none_or(|extent| c.leaf() < extent),
        (Kind::Cons, Kind::Cons) => within(c.head(), s.head()) && within(c.tail(), s.tail()),
        _ => false,
    }
}

/// The product of `before` and the extents of `s`, where each leaf that moves has the product of those before it as
/// stride: the offsets of `before:1` and of these leaves are 0, 1, 2 .. then.
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

/// The most modes that a check takes on.
const CAPACITY: usize = 32;

/// The most steps of a search: for two coordinates that share an offset, or for the coordinate of an offset.
const BUDGET: usize = 4096;

/// The modes of a layout that move, sorted by stride: what decides its image, and whether its offsets differ. Those of
/// natural strides and those of XOR strides have no bit of their offsets in common.
#[derive(Clone, Copy, Debug)]
pub struct SortedModes {
    /// Those of natural strides from the front on, and those of XOR strides from the back.
    list: [(usize, usize); CAPACITY],
    count: usize,
    xor_count: usize,
    /// What is XORed with all offsets, where there are XOR strides.
    from: usize,
    /// The swizzle that the offsets of XOR strides go through, before they are XORed with that.
    through: DynSwizzle,
    empty: bool,
    broadcast: Option<usize>,
    overfull: bool,
    /// What the offsets go through, and what is added before.
    swizzle: Option<(DynSwizzle, usize)>,
}

impl SortedModes {
    /// No modes: the layout `1:0`.
    pub(in crate::tensor) const fn new() -> Self {
        SortedModes {
            list: [(1, 0); CAPACITY],
            count: 0,
            xor_count: 0,
            from: 0,
            through: DynSwizzle::IDENTITY,
            empty: false,
            broadcast: None,
            overfull: false,
            swizzle: None,
        }
    }

    /// Modes of which nothing is shown: what asks is refused.
    pub(in crate::tensor) const fn unknown() -> Self {
        SortedModes { overfull: true, ..SortedModes::new() }
    }

    /// Puts the mode `extent:stride` in its place.
    pub(in crate::tensor) const fn push(&mut self, extent: usize, stride: usize) {
        if extent == 0 {
            self.empty = true;
        }
        if extent <= 1 {
            return;
        }
        if stride == 0 {
            self.broadcast = Some(extent);
            return;
        }
        if self.count + self.xor_count == CAPACITY {
            self.overfull = true;
            return;
        }
        let mut place = self.count;
        while place > 0 && self.list[place - 1].1 > stride {
            self.list[place] = self.list[place - 1];
            place -= 1;
        }
        self.list[place] = (extent, stride);
        self.count += 1;
    }

    /// Puts the mode `extent:^number` in its place.
    pub(in crate::tensor) const fn push_xor(&mut self, extent: usize, number: usize) {
        if extent <= 1 || number == 0 {
            return self.push(extent, 0);
        }
        if self.count + self.xor_count == CAPACITY {
            self.overfull = true;
            return;
        }
        let mut place = CAPACITY - 1 - self.xor_count;
        self.xor_count += 1;
        while place + 1 < CAPACITY && {
            let (n, d) = self.list[place + 1];
            d > number || (d == number && n > extent)
        } {
            self.list[place] = self.list[place + 1];
            place += 1;
        }
        self.list[place] = (extent, number);
    }

    /// The same modes, their offsets XORed with `from`, which has no bit of those of natural strides.
    pub(in crate::tensor) const fn xored(mut self, from: usize) -> Self {
        match self.xor_count {
            0 if from == 0 => self,
            0 => self.swizzled(DynSwizzle::IDENTITY, from),
            _ => {
                self.from = from;
                self
            }
        }
    }

    /// The XOR modes behind a swizzle, their offsets XORed with `from` before; where there are natural modes too,
    /// nothing is shown.
    pub(in crate::tensor) const fn xored_through(mut self, swizzle: DynSwizzle, from: usize) -> Self {
        let (bits, ..) = swizzle.parameters();
        if bits != 0 {
            self.overfull |= self.count > 0;
            self.through = swizzle;
        }
        // A swizzle is linear: `Sw(f ^ x) = Sw(f) ^ Sw(x)`.
        self.xored(swizzle.apply(from))
    }

    /// Whether a natural mode moves.
    pub(in crate::tensor) const fn has_natural(&self) -> bool {
        self.count > 0
    }

    /// The same modes, their offsets moved and swizzled: a bijection, under which what is disjoint stays so.
    pub(in crate::tensor) const fn swizzled(mut self, swizzle: DynSwizzle, offset: usize) -> Self {
        self.swizzle = Some((swizzle, offset));
        self
    }

    /// Ok if no two coordinates share an offset. Exact within [`BUDGET`]: where the modes sorted by stride
    /// do not show it, two coordinates that do share one are searched for, and what is not decided when
    /// the budget is spent is refused.
    pub(in crate::tensor) const fn injective(&self) -> Result<(), Fault> {
        if self.empty {
            return Ok(());
        }
        if let Some(extent) = self.broadcast {
            return Err(Fault::Overlap { extent, stride: 0, below: 1 });
        }
        if self.overfull {
            return Err(Fault::Leaves { limit: CAPACITY });
        }
        match self.injective_sums() {
            Ok(()) => self.independent(),
            refused => refused,
        }
    }

    /// Ok if every offset of `other` is one of these: `image(other)` is a part of `image(self)`. Exact
    /// within [`BUDGET`]: where neither the modes nor the steps of `other` show it, its offsets are looked for one by
    /// one, and what is not decided when the budget is spent is refused.
    pub(in crate::tensor) const fn covers(&self, other: &Self) -> Result<(), Fault> {
        if other.empty {
            return Ok(());
        }
        if self.empty {
            return Err(Fault::Image);
        }
        if self.overfull || other.overfull {
            return Err(Fault::Leaves { limit: CAPACITY });
        }
        if self.xor_count + other.xor_count > 0 { self.covers_bits(other) } else { self.covers_sums(other) }
    }
}

/// Adds the modes of the tree `s:d`.
pub(in crate::tensor) fn collect<S: Node, D: Node>(s: S, d: D, modes: &mut SortedModes) {
    match S::KIND {
        Kind::Nil => {}
        Kind::Leaf if D::STRIDE == StrideKind::Xor => modes.push_xor(s.leaf(), d.leaf()),
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
                match D::STRIDE {
                    StrideKind::Xor => modes.push_xor(extent, stride),
                    _ => modes.push(extent, stride),
                }
                true
            }
            _ => false,
        },
        Kind::Cons => collect_static::<S::Head, D::Head>(modes) && collect_static::<S::Tail, D::Tail>(modes),
    }
}
