//! Values that are neighbours in memory, copied at once.
//!
//! ```text
//! source(first + v) = source(first) + v  and  destination(first + v) = destination(first) + v        for v < run
//! ```

use crate::number::unroll::{Body, Turns};
use crate::tensor::storage::{Addressable, Storage, StorageMut, Tensor};

impl<S: StorageMut<Item: Copy>, L: Addressable> Tensor<S, L> {
    /// Whether vectors of `run` elements may begin where both tensors begin: `run` elements are 2, 4, 8 or 16 bytes,
    /// and both places are multiples of that.
    #[inline(always)]
    pub(in crate::tensor) fn aligned_with<R: Storage<Item = S::Item>, M>(
        &self,
        source: &Tensor<R, M>,
        run: usize,
    ) -> bool {
        let bytes = run * size_of::<S::Item>();
        matches!(bytes, 2 | 4 | 8 | 16)
            && (self.storage.base().addr() | source.storage.base().addr()) & (bytes - 1) == 0
    }

    /// Copies the values `first .. first + run`, the same numbers in both tensors: at once if they are neighbours in
    /// both, with one load and one store if both places are multiples of what they take.
    #[inline(always)]
    pub(crate) fn copy_run<R, M, N>(&mut self, source: &Tensor<R, M>, first: usize, run: N)
    where
        R: Storage<Item = S::Item>,
        M: Addressable,
        N: Turns,
    {
        let n = run.get();
        match first.checked_add(n) {
            Some(end) if n > 0 && end <= self.layout.size() && end <= source.layout.size() => {}
            _ => return,
        }
        let (to, from) = (self.layout.at(first), source.layout.at(first));
        let mut near = Near { to: &self.layout, from: &source.layout, first, places: (to, from), all: true };
        run.turns(&mut near);
        if near.all {
            // SAFETY: `first + v` with `v < n` is below both sizes, as has been checked above. So `at(first + v)` is an
            // offset of each layout (`Addressable`), where the storage of each may be read, and that of `self`, which
            // is borrowed mutably, written (the invariant of tensors). `Near` has found that `at(first + v)` is
            // `from + v` and `to + v`: `n` elements in a row in both. What is borrowed mutably nobody else reaches
            // (`StorageMut`), so that the two rows do not overlap.
            unsafe { move_values(source.storage.base().add(from), self.storage.base_mut().add(to), n) }
        } else {
            run.turns(&mut Each { to: self, from: source, first });
        }
    }
}

/// Moves `n` elements: with one load and one store if they are 2, 4, 8 or 16 bytes together and both places are
/// multiples of that, else as they come.
///
/// # Safety
/// They may be read and written, and do not overlap.
#[inline(always)]
unsafe fn move_values<T: Copy>(source: *const T, destination: *mut T, n: usize) {
    use core::mem::MaybeUninit;
    let bytes = n * size_of::<T>();
    let aligned = bytes.is_power_of_two() && (source.addr() | destination.addr()) & (bytes - 1) == 0;
    // SAFETY: the `bytes` bytes at both places may be read and written, and do not overlap: the caller's promise, and
    // all that the last line asks for. The others move an integer of `bytes` bytes as `MaybeUninit`, which carries
    // every byte, initialised or not. Its alignment is at most its size, and both addresses are multiples of that, as
    // `aligned` says of the very pointers that are used.
    unsafe {
        match bytes {
            16 if aligned => *destination.cast::<MaybeUninit<u128>>() = *source.cast(),
            8 if aligned => *destination.cast::<MaybeUninit<u64>>() = *source.cast(),
            4 if aligned => *destination.cast::<MaybeUninit<u32>>() = *source.cast(),
            2 if aligned => *destination.cast::<MaybeUninit<u16>>() = *source.cast(),
            _ => core::ptr::copy_nonoverlapping(source, destination, n),
        }
    }
}

/// Finds out whether values are neighbours in both layouts. Folded away where both are static.
struct Near<'t, L, M> {
    to: &'t L,
    from: &'t M,
    first: usize,
    places: (usize, usize),
    all: bool,
}
impl<L: Addressable, M: Addressable> Body for Near<'_, L, M> {
    #[inline(always)]
    fn turn(&mut self, v: usize) {
        let (to, from) = self.places;
        self.all &= self.to.at(self.first + v).wrapping_sub(to) == v;
        self.all &= self.from.at(self.first + v).wrapping_sub(from) == v;
    }
}

/// Copies value by value.
struct Each<'t, S, L, R, M> {
    to: &'t mut Tensor<S, L>,
    from: &'t Tensor<R, M>,
    first: usize,
}
impl<S: StorageMut<Item: Copy>, L: Addressable, R: Storage<Item = S::Item>, M: Addressable> Body
    for Each<'_, S, L, R, M>
{
    #[inline(always)]
    fn turn(&mut self, v: usize) {
        let i = self.first + v;
        // SAFETY: `copy_run` has checked that `i` is below both sizes: its offsets may be read and written.
        unsafe {
            *self.to.storage.base_mut().add(self.to.layout.at(i)) =
                *self.from.storage.base().add(self.from.layout.at(i));
        }
    }
}
