//! In which order a copy goes through memory: that of the strides, not that of the coordinates.
//!
//! ```text
//! to(c) = sum c_k * t_k,  from(c) = sum c_k * f_k
//! any order of the loops over c_k copies the same, if no two c share a to(c)
//! (s_0:t_0,f_0)(s_1:s_0*t_0,s_0*f_0) = s_0*s_1:t_0,f_0
//! ```
//!
//! Where both layouts are static, the order is computed when the program is built. The refinement of
//! `dynamic/` cannot stand here: it allocates and is no const function; and no leaf is split here,
//! since both layouts have the same extents.

use crate::tuple::node::{Kind, Node};

/// The most leaves that are put in order; a layout of more is copied in the order of its
/// coordinates.
const LEAVES: usize = 16;

/// What the types do not know of a leaf. No leaf of a layout of memory is as long or as wide.
const UNKNOWN: usize = usize::MAX;

/// The most loops within loops.
pub(super) const LOOPS: usize = 6;

/// Extents and strides of a layout, the leftmost first.
#[derive(Clone, Copy, Debug)]
pub struct ExtentsAndStrides {
    extents: [usize; LEAVES],
    strides: [usize; LEAVES],
    count: usize,
}

impl ExtentsAndStrides {
    #[inline(always)]
    pub(super) const fn new() -> Self {
        ExtentsAndStrides { extents: [1; LEAVES], strides: [0; LEAVES], count: 0 }
    }

    /// Appends a leaf; `false` if there are too many.
    #[inline(always)]
    pub(super) const fn push(&mut self, extent: usize, stride: usize) -> bool {
        if self.count == LEAVES {
            return false;
        }
        self.extents[self.count] = extent;
        self.strides[self.count] = stride;
        self.count += 1;
        true
    }

    /// Whether the types know all of the leaves.
    pub(super) const fn is_static(&self) -> bool {
        let mut k = 0;
        while k < self.count && self.extents[k] != UNKNOWN && self.strides[k] != UNKNOWN {
            k += 1;
        }
        k == self.count
    }
}

/// What the types know of the leaves of a shape and a stride; `None` if there are too many.
pub(super) const fn known_leaves<S: Node, D: Node>() -> Option<ExtentsAndStrides> {
    let mut leaves = ExtentsAndStrides::new();
    if push_known::<S, D>(&mut leaves) { Some(leaves) } else { None }
}

const fn push_known<S: Node, D: Node>(leaves: &mut ExtentsAndStrides) -> bool {
    const fn known(number: Option<usize>) -> usize {
        if let Some(number) = number { number } else { UNKNOWN }
    }
    match S::KIND {
        Kind::Nil => true,
        Kind::Leaf => leaves.push(known(S::STATIC), known(D::STATIC)),
        Kind::Cons => {
            push_known::<S::Head, D::Head>(leaves) && push_known::<S::Tail, D::Tail>(leaves)
        }
    }
}

/// The leaves that lie side by side in both memories, as far as the types know: those of the
/// strides 1, `s_0`, `s_0 * s_1`, ... `None` if there are none.
pub(super) const fn side_by_side(
    to: &Option<ExtentsAndStrides>,
    from: &Option<ExtentsAndStrides>,
) -> Option<[bool; LEAVES]> {
    let (Some(to), Some(from)) = (to, from) else { return None };
    let (mut taken, mut run, mut k) = ([false; LEAVES], 1usize, 0);
    while k < to.count && k < from.count && run != UNKNOWN {
        let extent = if to.extents[k] == UNKNOWN { from.extents[k] } else { to.extents[k] };
        k = if !taken[k] && extent != 1 && to.strides[k] == run && from.strides[k] == run {
            taken[k] = true;
            run = run.saturating_mul(extent);
            0
        } else {
            k + 1
        };
    }
    if run == 1 { None } else { Some(taken) }
}

/// Appends the leaves of the tree `s:d`; `false` if there are too many.
#[inline(always)]
pub(super) fn push_leaves<S: Node, D: Node>(s: S, d: D, leaves: &mut ExtentsAndStrides) -> bool {
    match S::KIND {
        Kind::Nil => true,
        Kind::Leaf => leaves.push(s.leaf(), d.leaf()),
        Kind::Cons => {
            push_leaves(s.head(), d.head(), leaves) && push_leaves(s.tail(), d.tail(), leaves)
        }
    }
}

/// One loop: `extent` steps of `to` elements in the destination, of `from` elements in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loop {
    pub(super) extent: usize,
    pub(super) to: usize,
    pub(super) from: usize,
}

impl Loop {
    const ONCE: Self = Loop { extent: 1, to: 0, from: 0 };

    /// Whether `next` continues where this loop stops, in both tensors.
    #[inline(always)]
    const fn continues_in(self, next: Self) -> bool {
        matches!(self.extent.checked_mul(self.to), Some(to) if to == next.to)
            && matches!(self.extent.checked_mul(self.from), Some(from) if from == next.from)
            && self.extent.checked_mul(next.extent).is_some()
    }

    /// The smaller of the two steps; the step 0 of a source that does not move does not count.
    const fn nearer(self) -> usize {
        if 0 < self.from && self.from < self.to { self.from } else { self.to }
    }
}

/// Loops within loops, the innermost first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoopOrder {
    pub(super) loops: [Loop; LOOPS],
    /// The two innermost loops run along the destination and along the source: they are cut into
    /// blocks.
    pub(super) transposes: bool,
}

/// The statements for each of these numbers, one after the other: the compiler sees the numbers
/// before it unrolls loops, and keeps no array where all of them are known.
macro_rules! in_turn {
    ($k:ident in $($number:literal)*: $body:block) => {
        $({
            let $k = $number;
            $body
        })*
    };
}

impl LoopOrder {
    /// The order for two layouts of the same extents; `None` if these differ, or if there are too
    /// many loops.
    pub(super) const fn new(to: &ExtentsAndStrides, from: &ExtentsAndStrides) -> Option<Self> {
        let Some((mut loops, mut count)) = paired(to, from) else { return None };
        let mut transposes = false;
        if is_injective_once_sorted(&mut loops, count) {
            count = joined(&mut loops, count);
            transposes = count > 1 && bring_near_forward(&mut loops, count);
        } else {
            // If two coordinates write one element, the last one decides its value: the order of
            // the coordinates has to be kept.
            match paired(to, from) {
                Some(unsorted) => (loops, _) = unsorted,
                None => return None,
            }
        }
        if count > LOOPS {
            return None;
        }
        let (mut first, mut k) = ([Loop::ONCE; LOOPS], 0);
        while k < count {
            first[k] = loops[k];
            k += 1;
        }
        Some(LoopOrder { loops: first, transposes })
    }

    /// The leaves that lie `side_by_side` as the innermost loop, the others in their order; `None`
    /// if the extents differ, or if there are too many loops.
    #[inline(always)]
    pub(super) fn along(
        to: &ExtentsAndStrides,
        from: &ExtentsAndStrides,
        side_by_side: [bool; LEAVES],
    ) -> Option<Self> {
        let (mut loops, mut count) = ([Loop::ONCE; LOOPS], 1);
        loops[0] = Loop { extent: 1, to: 1, from: 1 };
        in_turn!(k in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15: {
            if k >= to.count {
            } else if to.extents[k] != from.extents[k] {
                return None;
            } else if side_by_side[k] {
                loops[0].extent *= to.extents[k];
            } else {
                *loops.get_mut(count)? =
                    Loop { extent: to.extents[k], to: to.strides[k], from: from.strides[k] };
                count += 1;
            }
        });
        // What goes on where only run time knows that it does.
        in_turn!(_round in 1 2 3 4 5: {
            in_turn!(k in 1 2 3 4 5: {
                if loops[0].continues_in(loops[k]) {
                    loops[0].extent *= loops[k].extent;
                    loops[k] = Loop::ONCE;
                }
            });
        });
        let fits = to.count == from.count && count <= LOOPS;
        fits.then_some(LoopOrder { loops, transposes: false })
    }

    /// Calls `f` with both offsets of each turn of the loops around the two innermost ones.
    #[inline(always)]
    pub(super) fn outer(&self, mut f: impl FnMut(usize, usize)) {
        let [_, _, c, d, e, last] = self.loops;
        for n in 0..last.extent {
            for m in 0..e.extent {
                for l in 0..d.extent {
                    for k in 0..c.extent {
                        let to = n * last.to + m * e.to + l * d.to + k * c.to;
                        f(to, n * last.from + m * e.from + l * d.from + k * c.from);
                    }
                }
            }
        }
    }

    /// Calls `f` with both offsets of each vector of `run` elements; `run` divides the extent of
    /// the innermost loop.
    #[inline(always)]
    pub(super) fn each(&self, run: usize, mut f: impl FnMut(usize, usize)) {
        let [a, b, ..] = self.loops;
        self.outer(|to, from| {
            for j in 0..b.extent {
                let mut i = 0;
                while i < a.extent {
                    f(to + j * b.to + i * a.to, from + j * b.from + i * a.from);
                    i += run;
                }
            }
        });
    }
}

/// A loop for each leaf that moves, joined to the previous loop if the leaf continues that loop in
/// both tensors.
const fn paired(
    to: &ExtentsAndStrides,
    from: &ExtentsAndStrides,
) -> Option<([Loop; LEAVES], usize)> {
    if to.count != from.count {
        return None;
    }
    let (mut loops, mut count, mut k) = ([Loop::ONCE; LEAVES], 0, 0);
    while k < to.count {
        let next = Loop { extent: to.extents[k], to: to.strides[k], from: from.strides[k] };
        if next.extent != from.extents[k] {
            return None;
        }
        if next.extent == 0 {
            loops[0] = next;
            return Some((loops, 1));
        }
        if next.extent > 1 {
            loops[count] = next;
            count += 1;
        }
        k += 1;
    }
    let count = joined(&mut loops, count);
    Some((loops, count))
}

/// Joins the loops to as few as possible.
const fn joined(loops: &mut [Loop; LEAVES], count: usize) -> usize {
    if count == 0 {
        return 0;
    }
    let (mut last, mut k) = (0, 1);
    while k < count {
        if loops[last].continues_in(loops[k]) {
            loops[last].extent *= loops[k].extent;
        } else {
            last += 1;
            loops[last] = loops[k];
        }
        k += 1;
    }
    last += 1;
    k = last;
    while k < count {
        loops[k] = Loop::ONCE;
        k += 1;
    }
    last
}

/// Sorts the loops by the destination's stride. Returns whether each stride then exceeds all that
/// the smaller ones reach, so that no element is written twice.
const fn is_injective_once_sorted(loops: &mut [Loop; LEAVES], count: usize) -> bool {
    let mut k = 1;
    while k < count {
        let mut place = k;
        while place > 0 && loops[place - 1].to > loops[k].to {
            place -= 1;
        }
        bring_forward(loops, k, place);
        k += 1;
    }
    let (mut below, mut k) = (0usize, 0);
    while k < count {
        if loops[k].to <= below || loops[k].extent == 0 {
            return loops[k].extent == 0;
        }
        below = below.saturating_add((loops[k].extent - 1).saturating_mul(loops[k].to));
        k += 1;
    }
    true
}

/// Moves the loop with the source's smallest stride to the second place, unless that loop is the
/// first. The loops behind follow by the smaller of their two strides, so that each step stays
/// close to the last one in one memory or the other. Returns whether the first two loops differ,
/// and both are long.
const fn bring_near_forward(loops: &mut [Loop; LEAVES], count: usize) -> bool {
    let (mut nearest, mut k) = (0, 1);
    while k < count {
        if loops[k].from > 0 && loops[k].from < loops[nearest].from {
            nearest = k;
        }
        k += 1;
    }
    let mut sorted = 1;
    if nearest > 0 {
        bring_forward(loops, nearest, 1);
        sorted = 2;
    }
    k = sorted;
    while k < count {
        let mut place = k;
        while place > sorted && loops[place - 1].nearer() > loops[k].nearer() {
            place -= 1;
        }
        bring_forward(loops, k, place);
        k += 1;
    }
    nearest > 0 && loops[0].extent >= 4 && loops[1].extent >= 4
}

/// Moves a loop forward; those that it passes stay in order.
const fn bring_forward(loops: &mut [Loop; LEAVES], mut from: usize, to: usize) {
    while from > to {
        (loops[from - 1], loops[from]) = (loops[from], loops[from - 1]);
        from -= 1;
    }
}
