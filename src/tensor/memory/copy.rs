//! Copies, in an order that suits memory.

use core::mem::needs_drop;

use crate::tensor::memory::order::{ExtentsAndStrides, Loop, LoopOrder};
use crate::tensor::memory::{Addressable, SameShape, Storage, StorageMut, Tensor};

/// Below this many elements, to compute an order at run time costs more than it saves.
const FEW: usize = 256;

/// A transposed copy goes block by block: 16 elements of 4 bytes are a line of the cache.
const BLOCK: usize = 16;

/// A row of a block goes part by part: 4 elements of 4 bytes are a register.
const PART: usize = 4;

impl<S: StorageMut, L: Addressable> Tensor<S, L> {
    /// Copies every element; `false` if the shapes differ.
    #[inline(always)]
    pub(in crate::tensor) fn copy_elements<R, M>(&mut self, source: &Tensor<R, M>) -> bool
    where
        R: Storage<Item = S::Item>,
        L: SameShape<M>,
        M: Addressable,
        S::Item: Clone,
    {
        if !self.layout.same_extents(&source.layout) {
            return false;
        }
        let (to, from) = (self.storage.base_mut(), source.storage.base());
        // SAFETY: an order is that of two layouts of the same extents, and leads to their offsets
        // and no others (`Addressable`), which both storages have accepted. The destination is
        // borrowed mutably, so that the source is other memory.
        unsafe {
            // Tested alone, so that the compiler drops the other ways.
            if const { static_order(&L::LEAVES, &M::LEAVES).is_some() } {
                if let Some(order) = const { static_order(&L::LEAVES, &M::LEAVES) } {
                    copy(&order, to, from);
                }
            } else if let Some(order) = order(&self.layout, &source.layout) {
                copy(&order, to, from);
            } else {
                source.layout.coords().fold((), |(), c| {
                    if let Some(own) = <L as SameShape<M>>::same_coordinate(c.clone()) {
                        let element = (*from.add(source.layout.locate(c))).clone();
                        *to.add(self.layout.locate(own)) = element;
                    }
                });
            }
        }
        true
    }
}

/// The order, if the types know all leaves.
pub(super) const fn static_order(
    to: &Option<ExtentsAndStrides>,
    from: &Option<ExtentsAndStrides>,
) -> Option<LoopOrder> {
    match (to, from) {
        (Some(to), Some(from)) if to.is_static() && from.is_static() => LoopOrder::new(to, from),
        _ => None,
    }
}

#[inline]
fn order<L: Addressable, M: Addressable>(to: &L, from: &M) -> Option<LoopOrder> {
    if to.size() < FEW { None } else { LoopOrder::new(&to.leaves()?, &from.leaves()?) }
}

/// # Safety
/// Every offset that the loops lead to may be written at `to`, and read at `from`; the two do not
/// overlap.
#[inline(always)]
unsafe fn copy<T: Clone>(order: &LoopOrder, to: *mut T, from: *const T) {
    let [a, b, ..] = order.loops;
    order.outer(|to_offset, from_offset| {
        // SAFETY: the caller's promise.
        unsafe {
            let (to, from) = (to.add(to_offset), from.add(from_offset));
            if order.transposes { transpose(a, b, to, from) } else { rows(a, b, to, from) }
        }
    });
}

/// Row after row, the loop `a` inside.
///
/// # Safety
/// As [`copy`].
#[inline(always)]
unsafe fn rows<T: Clone>(a: Loop, b: Loop, to: *mut T, from: *const T) {
    for j in 0..b.extent {
        // SAFETY: the caller's promise. Where both strides are 1, the elements of a row lie side by
        // side.
        unsafe {
            let (to, from) = (to.add(j * b.to), from.add(j * b.from));
            if a.to == 1 && a.from == 1 {
                let row = core::slice::from_raw_parts_mut(to, a.extent);
                row.clone_from_slice(core::slice::from_raw_parts(from, a.extent));
            } else {
                for i in 0..a.extent {
                    *to.add(i * a.to) = (*from.add(i * a.from)).clone();
                }
            }
        }
    }
}

/// Block after block: the stride of `a` is short in the destination and long in the source, that of
/// `b` the other way round. Within a block, row after row of the destination, so that its cache
/// lines are written whole.
///
/// # Safety
/// As [`copy`].
#[inline(always)]
unsafe fn transpose<T: Clone>(a: Loop, b: Loop, to: *mut T, from: *const T) {
    let mut j = 0;
    while j < b.extent {
        let height = if b.extent - j < BLOCK { b.extent - j } else { BLOCK };
        let mut i = 0;
        while i < a.extent {
            let width = if a.extent - i < BLOCK { a.extent - i } else { BLOCK };
            // SAFETY: the caller's promise; the block lies within the loops.
            unsafe {
                let to = to.add(i * a.to + j * b.to);
                let from = from.add(i * a.from + j * b.from);
                // The same call with a size and a stride that the compiler knows, also where the
                // order comes from run time.
                if width == BLOCK && height == BLOCK && a.to == 1 {
                    parts(
                        Loop { extent: BLOCK, to: 1, ..a },
                        Loop { extent: BLOCK, ..b },
                        to,
                        from,
                    );
                } else {
                    parts(Loop { extent: width, ..a }, Loop { extent: height, ..b }, to, from);
                }
            }
            i += BLOCK;
        }
        j += BLOCK;
    }
}

/// As [`rows`], each row part by part.
///
/// # Safety
/// As [`copy`].
#[inline(always)]
unsafe fn parts<T: Clone>(a: Loop, b: Loop, to: *mut T, from: *const T) {
    let whole = if needs_drop::<T>() { 0 } else { a.extent / PART * PART };
    for j in 0..b.extent {
        // SAFETY: the caller's promise; parts and rest are the row.
        unsafe {
            let (to, from) = (to.add(j * b.to), from.add(j * b.from));
            let mut i = 0;
            while i < whole {
                part(a, to.add(i * a.to), from.add(i * a.from));
                i += PART;
            }
            while i < a.extent {
                *to.add(i * a.to) = (*from.add(i * a.from)).clone();
                i += 1;
            }
        }
    }
}

/// All elements of a part are read before the first is written, so that the compiler may write them
/// as vectors.
///
/// # Safety
/// As [`copy`], for the first [`PART`] steps of the loop; `T` needs no drop.
#[inline(always)]
unsafe fn part<T: Clone>(a: Loop, to: *mut T, from: *const T) {
    // SAFETY: the caller's promise. What is overwritten needs no drop.
    unsafe {
        let elements: [T; PART] = core::array::from_fn(|i| (*from.add(i * a.from)).clone());
        for (i, element) in elements.into_iter().enumerate() {
            to.add(i * a.to).write(element);
        }
    }
}
