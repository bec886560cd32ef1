//! Values that are neighbours in memory, copied at once.
//!
//! ```text
//! source(first + v) = source(first) + v  and
//!         destination(first + v) = destination(first) + v   for v < run
//! ```

use core::mem::MaybeUninit;

use crate::number::unroll::{Body, Turns};
use crate::tensor::memory::copy::static_order;
use crate::tensor::memory::order::{LoopOrder, side_by_side};
use crate::tensor::memory::values::{Near, promised_unit};
use crate::tensor::memory::{Addressable, Storage, StorageMut, Tensor, machine};
use crate::tensor::space::Space;

impl<S: StorageMut<Item: Copy>, L: Addressable> Tensor<S, L> {
    /// Copies every element by the widest vectors, and returns how many elements one has; `None`,
    /// and nothing is copied, if the extents differ, or if a layout has no leaves, or too many.
    #[inline(always)]
    pub(in crate::tensor) fn copy_vectors<R, M>(&mut self, source: &Tensor<R, M>) -> Option<usize>
    where
        R: Storage<Item = S::Item>,
        M: Addressable,
    {
        let (to, to_offset, to_swizzle) = self.layout.below()?;
        let (from, from_offset, from_swizzle) = source.layout.below()?;
        // Tested alone, so that the compiler drops the other ways.
        let order = if const { static_order(&L::BELOW, &M::BELOW).is_some() } {
            const { static_order(&L::BELOW, &M::BELOW) }?
        } else {
            let known = const { side_by_side(&L::BELOW, &M::BELOW) };
            match known.and_then(|known| LoopOrder::along(&to, &from, known)) {
                Some(order) => order,
                None => LoopOrder::new(&to, &from)?,
            }
        };
        let [inner, outer @ ..] = order.loops;
        let apart = outer.iter().filter(|it| it.extent > 1);
        let apart = apart.fold(to_offset | from_offset, |bits, it| bits | it.to | it.from);
        let mut run = 1;
        if inner.to == 1 && inner.from == 1 {
            run <<= (inner.extent | apart).trailing_zeros().min(4);
            run = run.min(to_swizzle.unit()).min(from_swizzle.unit());
        }
        let (to, from) = (self.storage.place_mut(), source.storage.place());
        let aligned = |bytes| {
            let fits = matches!(bytes, 2 | 4 | 8 | 16) && is_aligned::<S::Space, _>(to, bytes);
            fits && is_aligned::<R::Space, _>(from, bytes)
        };
        while run > 1 && !aligned(run * size_of::<S::Item>()) {
            run /= 2;
        }
        let to = |offset| to.wrapping_add(to_swizzle.apply(to_offset + offset));
        let from = |offset| from.wrapping_add(from_swizzle.apply(from_offset + offset));
        // SAFETY: the loops of an order lead to the leaves' coordinates and to no others. The
        // offset of each is that of the layout, by what `below` says (`Addressable`), which the
        // storages have accepted: it may be read, and that of `self`, which is borrowed mutably,
        // written. `run` divides the extent of the innermost loop, whose strides are 1 unless `run`
        // is 1, all other strides and the offsets, and is no more than the swizzles leave side by
        // side: so `run` elements from each offset on are those of `run` coordinates, and their
        // place is a multiple of their bytes, since the tensors' is one. What is borrowed mutably
        // nobody else reaches (`StorageMut`), so that the two do not overlap.
        unsafe {
            match if run > 1 { run * size_of::<S::Item>() } else { 0 } {
                16 => copy_each::<u128, S::Space, R::Space, S::Item>(&order, to, from),
                8 => copy_each::<u64, S::Space, R::Space, S::Item>(&order, to, from),
                4 => copy_each::<u32, S::Space, R::Space, S::Item>(&order, to, from),
                2 => copy_each::<u16, S::Space, R::Space, S::Item>(&order, to, from),
                _ => order.each(1, |t, f| {
                    machine::store::<S::Space, _>(to(t), machine::load::<R::Space, _>(from(f)));
                }),
            }
        }
        Some(run)
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

/// Copies vectors that take as many bytes as `V`, from the place of each to its new one.
///
/// # Safety
/// Both places of each vector of the order may be read and written, are multiples of `V`'s size,
/// and hold whole elements `T`; the two memories do not overlap.
#[inline(always)]
unsafe fn copy_each<V: Copy, P: Space, Q: Space, T>(
    order: &LoopOrder,
    to: impl Fn(usize) -> *mut T,
    from: impl Fn(usize) -> *const T,
) {
    let run = const { size_of::<V>() / if size_of::<T>() == 0 { 1 } else { size_of::<T>() } };
    order.each(run, |t, f| {
        let (to, from) = (to(t).cast::<MaybeUninit<V>>(), from(f).cast::<MaybeUninit<V>>());
        machine::tell::<P>(to.addr(), size_of::<V>());
        machine::tell::<Q>(from.addr(), size_of::<V>());
        // SAFETY: the caller's promise. `MaybeUninit` carries every byte, initialised or not, and
        // is aligned for `V`, whose alignment is at most its size.
        unsafe { machine::store::<P, _>(to, machine::load::<Q, _>(from)) }
    });
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
