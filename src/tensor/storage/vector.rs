//! Values that are neighbours in memory, copied at once.
//!
//! ```text
//! source(first + v) = source(first) + v  and
//!         destination(first + v) = destination(first) + v   for v < run
//! ```

use core::mem::MaybeUninit;

use crate::number::unroll::{Body, Turns};
use crate::tensor::space::Space;
use crate::tensor::storage::values::{Near, promised_unit};
use crate::tensor::storage::{Addressable, Storage, StorageMut, Tensor, machine};

impl<S: StorageMut<Item: Copy>, L: Addressable> Tensor<S, L> {
    /// Whether vectors of `run` elements may begin where both tensors begin: `run` elements are 2,
    /// 4, 8 or 16 bytes, and both places are multiples of that.
    #[inline(always)]
    pub(in crate::tensor) fn aligned_with<R: Storage<Item = S::Item>, M>(
        &self,
        source: &Tensor<R, M>,
        run: usize,
    ) -> bool {
        let bytes = run * size_of::<S::Item>();
        matches!(bytes, 2 | 4 | 8 | 16)
            && is_aligned::<S::Space, _>(self.storage.place(), bytes)
            && is_aligned::<R::Space, _>(source.storage.place(), bytes)
    }

    /// Copies the values `first .. first + run`, the same numbers in both tensors: at once if they
    /// are neighbours in memory, with one load and one store if both places are multiples of their
    /// total size. Values in registers have no neighbours and no address: only the side in memory
    /// has to be a vector.
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
        let (to, from) = (self.layout.unrolled_at(first), source.layout.unrolled_at(first));
        let mut near_to =
            Near { layout: &self.layout, first, unit: promised_unit::<S::Space>(n), all: true };
        let mut near_from =
            Near { layout: &source.layout, first, unit: promised_unit::<R::Space>(n), all: true };
        if S::Space::ADDRESSED {
            run.turns(&mut near_to);
        }
        if R::Space::ADDRESSED {
            run.turns(&mut near_from);
        }
        let bytes = n * size_of::<S::Item>();
        let aligned = bytes.is_power_of_two()
            && is_aligned::<S::Space, _>(self.storage.place_mut().wrapping_add(to), bytes)
            && is_aligned::<R::Space, _>(source.storage.place().wrapping_add(from), bytes);
        let in_memory = S::Space::ADDRESSED && R::Space::ADDRESSED;
        if near_to.all && near_from.all && (S::Space::ADDRESSED || R::Space::ADDRESSED) {
            if matches!(bytes, 2 | 4 | 8 | 16) {
                machine::tell::<S::Space>(self.storage.place().wrapping_add(to).addr(), bytes);
                machine::tell::<R::Space>(source.storage.place().wrapping_add(from).addr(), bytes);
            }
            // SAFETY: `first + v` with `v < n` is below both sizes, as has been checked above. So
            // `at(first + v)` is an offset of each layout (`Addressable`), where the storage of
            // each may be read, and that of `self`, which is borrowed mutably, written (the
            // invariant of tensors). Where a space has addresses, `Near` has found that
            // `at(first + v)` is `at(first) + v`: `n` elements in a row, at a multiple of `bytes`,
            // if `aligned` says so. What is borrowed mutably nobody else reaches (`StorageMut`), so
            // that the two do not overlap.
            unsafe {
                match bytes {
                    16 if aligned => return self.copy_vector::<u128, _, _, _>(source, first, run),
                    8 if aligned => return self.copy_vector::<u64, _, _, _>(source, first, run),
                    4 if aligned => return self.copy_vector::<u32, _, _, _>(source, first, run),
                    2 if aligned => return self.copy_vector::<u16, _, _, _>(source, first, run),
                    _ if in_memory && S::Space::PLAIN && R::Space::PLAIN => {
                        let (source, destination) =
                            (source.storage.base().add(from), self.storage.base_mut().add(to));
                        return core::ptr::copy_nonoverlapping(source, destination, n);
                    }
                    _ => {}
                }
            }
        }
        run.turns(&mut Each { to: self, from: source, first });
    }

    /// Copies the values `first .. first + run`, which take as many bytes as `V`.
    ///
    /// # Safety
    /// They are below both sizes. In a space with addresses they are neighbours, the first at a
    /// multiple of what all of them take.
    #[inline(always)]
    unsafe fn copy_vector<V: Copy, R, M, N>(&mut self, source: &Tensor<R, M>, first: usize, run: N)
    where
        R: Storage<Item = S::Item>,
        M: Addressable,
        N: Turns,
    {
        let mut vector = MaybeUninit::<V>::uninit();
        // SAFETY: the caller's promises. The vector has room for all values; it is moved as
        // `MaybeUninit`, which carries every byte, initialised or not, and is aligned for `V`,
        // whose alignment is at most its size. Where there are no addresses, the turns read and
        // write it value by value.
        unsafe {
            if R::Space::ADDRESSED {
                let from = source.storage.place().add(source.layout.unrolled_at(first));
                vector = machine::load::<R::Space, _>(from.cast::<MaybeUninit<V>>());
            } else {
                let to = vector.as_mut_ptr().cast::<S::Item>();
                run.turns(&mut Gather { from: source, first, to });
            }
            if S::Space::ADDRESSED {
                let to = self.storage.place_mut().add(self.layout.unrolled_at(first));
                machine::store::<S::Space, _>(to.cast::<MaybeUninit<V>>(), vector);
            } else {
                let from = vector.as_ptr().cast::<S::Item>();
                run.turns(&mut Scatter { to: self, first, from });
            }
        }
    }
}

/// Whether a vector of `bytes` bytes may begin at this place.
#[inline(always)]
fn is_aligned<P: Space, T>(place: *const T, bytes: usize) -> bool {
    !P::ADDRESSED || P::ALIGNED || place.addr() & (bytes - 1) == 0
}

/// Reads values into a row of them.
struct Gather<'t, R: Storage, M> {
    from: &'t Tensor<R, M>,
    first: usize,
    to: *mut R::Item,
}
impl<R: Storage<Item: Copy>, M: Addressable> Body for Gather<'_, R, M> {
    #[inline(always)]
    fn turn(&mut self, v: usize) {
        // SAFETY: `copy_vector` has promised that the number is below the size, and that the row
        // has room for it.
        unsafe {
            let value = machine::load::<R::Space, _>(
                self.from.storage.place().add(self.from.layout.unrolled_at(self.first + v)),
            );
            self.to.add(v).write_unaligned(value);
        }
    }
}

/// Writes values of a row of them.
struct Scatter<'t, S: Storage, L> {
    to: &'t mut Tensor<S, L>,
    first: usize,
    from: *const S::Item,
}
impl<S: StorageMut<Item: Copy>, L: Addressable> Body for Scatter<'_, S, L> {
    #[inline(always)]
    fn turn(&mut self, v: usize) {
        let offset = self.to.layout.unrolled_at(self.first + v);
        // SAFETY: as in `Gather`; the destination is borrowed mutably.
        unsafe {
            machine::store::<S::Space, _>(
                self.to.storage.place_mut().add(offset),
                self.from.add(v).read_unaligned(),
            )
        }
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
        // SAFETY: `copy_run` has checked that `i` is below both sizes: its offsets may be read and
        // written.
        unsafe {
            let value = machine::load::<R::Space, _>(
                self.from.storage.place().add(self.from.layout.unrolled_at(i)),
            );
            machine::store::<S::Space, _>(
                self.to.storage.place_mut().add(self.to.layout.unrolled_at(i)),
                value,
            );
        }
    }
}
