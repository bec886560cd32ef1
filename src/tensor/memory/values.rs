//! Values by their number, and where they lie: what an atom does with a tensor.
//!
//! ```text
//! value i of t  =  t[c] with the i-th coordinate c        lies at  base + t.layout().at(i)
//! ```

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use generic_array::GenericArray;

use crate::layout::flat::Message;
use crate::number::int::StaticInt;
use crate::number::unroll::{Body, Unroll};
use crate::tensor::memory::{Addressable, Storage, StorageMut, Tensor, machine};
use crate::tensor::space::Space;

/// Refuses, when the program is built, vectors of `run` elements in memory of a GPU under a swizzle
/// that tears them.
#[doc(hidden)]
#[track_caller]
pub const fn assert_whole_vectors<P: Space, L: Addressable>(run: usize) {
    let Some(swizzle) = L::EXCHANGES else { return };
    let (bits, base, shift) = swizzle.parameters();
    if P::OF_A_GPU && bits > 0 && base < usize::BITS && run > 1 << base {
        let (sign, distance) = if shift < 0 { ("-", -shift) } else { ("", shift) };
        let message = Message::new()
            .text("Swizzle<")
            .number(bits as usize)
            .text(", ")
            .number(base as usize)
            .text(", ")
            .text(sign)
            .number(distance as usize)
            .text("> tears vectors of ")
            .number(run)
            .text(" elements: it leaves ")
            .number(1 << base)
            .text(" side by side, which its second number says");
        panic!("{}", message.as_str());
    }
}

/// # What an atom does with a tensor
///
/// A value has the number of its coordinate, the leftmost mode fastest: `t.value(i)` is `t[i]`
/// whatever the layout is. The numbers of an atom are constants once its loop is unrolled, and the
/// checks made here compile to nothing for a static layout.
impl<S: Storage, L: Addressable> Tensor<S, L> {
    /// The value with the number `i`, or `None` if there are not so many. CuTe's `tensor(i)`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::fixed([0, 1, 2, 3, 4, 5], layout!((2, 3): right));
    /// assert_eq!((t.value(1), t.value(6)), (Some(&3), None));
    /// ```
    #[inline(always)]
    pub fn value(&self, i: usize) -> Option<&S::Item> {
        if i >= self.layout.size() {
            return None;
        }
        // SAFETY: `i` is below the size, so that `at(i)` is one of the layout's offsets
        // (`Addressable`), which the storage has accepted; the reference borrows the tensor.
        Some(unsafe { &*self.storage.base().add(self.layout.unrolled_at(i)) })
    }

    /// The value with the number `i` to change, or `None` if there are not so many.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let mut t = Tensor::fixed([0; 6], layout!((2, 3): right));
    /// if let Some(value) = t.value_mut(1) {
    ///     *value = 5;
    /// }
    /// assert_eq!(t[(1, 0)], 5);
    /// ```
    #[inline(always)]
    pub fn value_mut(&mut self, i: usize) -> Option<&mut S::Item>
    where
        S: StorageMut,
    {
        if i >= self.layout.size() {
            return None;
        }
        let offset = self.layout.unrolled_at(i);
        // SAFETY: as in `value`; the storage is borrowed mutably, and no other path leads to the
        // element (`StorageMut`).
        Some(unsafe { &mut *self.storage.base_mut().add(offset) })
    }

    /// The address of the value with the number `i`, which an instruction takes, or `None` if there
    /// are not so many values. In [`Shared`](crate::tensor::space::Shared) memory of a GPU this is
    /// an address of 32 bits in that memory, and no pointer to dereference; elsewhere it is an
    /// ordinary pointer.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::fixed([0_u32, 1, 2, 3], layout!((2, 2): right));
    /// let (first, second) = (t.address(0).unwrap(), t.address(1).unwrap());
    /// assert_eq!(second.addr() - first.addr(), 2 * 4);
    /// assert_eq!(t.address(4), None);
    /// ```
    #[inline(always)]
    pub fn address(&self, i: usize) -> Option<*const S::Item> {
        if i < self.layout.size() {
            Some(self.storage.place().wrapping_add(self.layout.unrolled_at(i)))
        } else {
            None
        }
    }

    /// [`address`](Tensor::address) of a value to change.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let mut t = Tensor::fixed([0, 1, 2, 3], layout!((2, 2): right));
    /// assert!(t.address_mut(3).is_some() && t.address_mut(4).is_none());
    /// ```
    #[inline(always)]
    pub fn address_mut(&mut self, i: usize) -> Option<*mut S::Item>
    where
        S: StorageMut,
    {
        if i < self.layout.size() {
            Some(self.storage.place_mut().wrapping_add(self.layout.unrolled_at(i)))
        } else {
            None
        }
    }

    /// The address of the `N` values from the number `first` on, for an instruction that copies `N`
    /// elements at once: if the values are neighbours in memory, and the first one begins at a
    /// multiple of their total size. On a GPU, whoever made a tensor in shared or global memory has
    /// promised the latter, and it is not checked.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::fixed([0_u8; 8], layout!((4, 2)));
    /// assert_eq!(t.vector::<Int<1>>(3), t.address(3));
    /// assert_eq!(t.slice((1, ..)).vector::<Int<2>>(0), None); // 4 apart
    /// assert_eq!(t.vector::<Int<4>>(6), None); // 6, 7 and no more
    /// ```
    #[inline(always)]
    pub fn vector<N: Unroll>(&self, first: usize) -> Option<*const S::Item> {
        const { assert_whole_vectors::<S::Space, L>(N::VALUE) };
        match first.checked_add(N::VALUE) {
            Some(end) if N::VALUE > 0 && end <= self.layout.size() => {}
            _ => return None,
        }
        let from = self.layout.unrolled_at(first);
        let mut near = Near {
            layout: &self.layout,
            first,
            unit: promised_unit::<S::Space>(N::VALUE),
            all: true,
        };
        N::turns_of(&mut near);
        if !near.all {
            return None;
        }
        let place = self.storage.place().wrapping_add(from);
        let bytes = N::VALUE * size_of::<S::Item>();
        machine::tell::<S::Space>(place.addr(), bytes);
        let aligned =
            bytes.is_power_of_two() && (S::Space::ALIGNED || place.addr() & (bytes - 1) == 0);
        if aligned { Some(place) } else { None }
    }

    /// [`vector`](Tensor::vector) of values to change.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let mut t = Tensor::fixed([0_u8; 8], layout!((4, 2)));
    /// assert!(t.vector_mut::<Int<1>>(7).is_some() && t.vector_mut::<Int<2>>(7).is_none());
    /// ```
    #[inline(always)]
    pub fn vector_mut<N: Unroll>(&mut self, first: usize) -> Option<*mut S::Item>
    where
        S: StorageMut,
    {
        self.vector::<N>(first)?;
        self.address_mut(first)
    }

    /// `N` groups of `V` values, those from number `k * N * V` on, for a `k` below `K`; default
    /// values, if there are not so many. Each value is read once.
    #[inline(always)]
    pub(crate) fn groups_of_values<V: Unroll, N: Unroll, K: StaticInt>(
        &self,
        k: usize,
    ) -> GenericArray<GenericArray<S::Item, V>, N>
    where
        S::Item: Copy + Default,
    {
        let all = const { V::VALUE * N::VALUE * K::VALUE };
        // One check for all of them; a loop over `0..K` already implies it.
        let there = k < K::VALUE && all <= self.layout.size();
        let group = GroupOfValues {
            tensor: self,
            first: if there { k * N::VALUE * V::VALUE } else { 0 },
            there,
        };
        array_of(&mut Groups { group, values: PhantomData::<V> })
    }

    /// The values from the number `first` on; default values beyond the last one.
    #[inline(always)]
    pub(crate) fn values_from<V: Unroll>(&self, first: usize) -> GenericArray<S::Item, V>
    where
        S::Item: Copy + Default,
    {
        let there = first.checked_add(V::VALUE).is_some_and(|end| end <= self.layout.size());
        array_of(&mut GroupOfValues { tensor: self, first, there })
    }

    /// Writes values, from the number `first` on; writes nothing if the tensor has not so many.
    #[inline(always)]
    pub(crate) fn set_values_from<V: Unroll>(
        &mut self,
        first: usize,
        values: &GenericArray<S::Item, V>,
    ) where
        S: StorageMut<Item: Copy>,
    {
        if first.checked_add(V::VALUE).is_some_and(|end| end <= self.layout.size()) {
            V::turns_of(&mut SetGroup { tensor: self, first, values });
        }
    }
}

/// A promised divisor of the offset of `n` values that are copied at once.
#[inline(always)]
pub(super) fn promised_unit<P: Space>(n: usize) -> usize {
    if P::ALIGNED && n.is_power_of_two() { n } else { 1 }
}
/// Checks whether values are neighbours. Folded away where the layout is static.
pub(super) struct Near<'t, L> {
    pub(super) layout: &'t L,
    pub(super) first: usize,
    pub(super) unit: usize,
    pub(super) all: bool,
}
impl<L: Addressable> Body for Near<'_, L> {
    #[inline(always)]
    fn turn(&mut self, v: usize) {
        self.all &= self.layout.follows(self.first, v, self.unit);
    }
}

/// Makes the elements of an array, one by one.
pub(super) trait Make {
    type Item;
    fn make(&mut self, i: usize) -> Self::Item;
}
/// `array_of(make)[i] == make.make(i)`. Unrolled up to 256 elements: a loop would be one over
/// memory.
#[inline(always)]
pub(super) fn array_of<M: Make, N: Unroll>(make: &mut M) -> GenericArray<M::Item, N> {
    let mut array = MaybeUninit::<GenericArray<M::Item, N>>::uninit();
    N::few_turns_of(&mut Filling { make, to: array.as_mut_ptr().cast::<M::Item>() });
    // SAFETY: the array, `N` elements in a row, has been written by the turns `0 .. N`, each of
    // which comes once.
    unsafe { array.assume_init() }
}
struct Filling<'m, M: Make> {
    make: &'m mut M,
    to: *mut M::Item,
}
impl<M: Make> Body for Filling<'_, M> {
    #[inline(always)]
    fn turn(&mut self, i: usize) {
        let element = self.make.make(i);
        // SAFETY: `array_of` alone makes a `Filling`, for an array of as many elements as there are
        // turns.
        unsafe { self.to.add(i).write(element) }
    }
}

/// The values of a tensor from a number on, if they are there.
struct GroupOfValues<'t, S, L> {
    tensor: &'t Tensor<S, L>,
    first: usize,
    there: bool,
}
impl<S: Storage<Item: Copy + Default>, L: Addressable> Make for GroupOfValues<'_, S, L> {
    type Item = S::Item;
    #[inline(always)]
    fn make(&mut self, v: usize) -> S::Item {
        if !self.there {
            return S::Item::default();
        }
        // SAFETY: `values_from` and `groups_of_values` have asked whether the numbers `first + v`
        // are below the size: so `at` is one of the layout's offsets (`Addressable`), which the
        // storage has accepted.
        unsafe {
            machine::load::<S::Space, _>(
                self.tensor.storage.place().add(self.tensor.layout.unrolled_at(self.first + v)),
            )
        }
    }
}
/// Groups of `V` values.
struct Groups<'t, S, L, V> {
    group: GroupOfValues<'t, S, L>,
    values: PhantomData<V>,
}
impl<S: Storage<Item: Copy + Default>, L: Addressable, V: Unroll> Make for Groups<'_, S, L, V> {
    type Item = GenericArray<S::Item, V>;
    #[inline(always)]
    fn make(&mut self, n: usize) -> Self::Item {
        let GroupOfValues { tensor, first, there } = self.group;
        array_of(&mut GroupOfValues { tensor, first: first + n * V::VALUE, there })
    }
}
/// Writes the values of a tensor from a number on.
struct SetGroup<'t, S: Storage, L, V: Unroll> {
    tensor: &'t mut Tensor<S, L>,
    first: usize,
    values: &'t GenericArray<S::Item, V>,
}
impl<S: StorageMut<Item: Copy>, L: Addressable, V: Unroll> Body for SetGroup<'_, S, L, V> {
    #[inline(always)]
    fn turn(&mut self, v: usize) {
        let Some(value) = self.values.get(v) else { return };
        let offset = self.tensor.layout.unrolled_at(self.first + v);
        // SAFETY: `set_values_from` has asked whether the numbers `first + v` are below the size,
        // and the tensor is borrowed mutably.
        unsafe {
            machine::store::<S::Space, _>(self.tensor.storage.place_mut().add(offset), *value)
        }
    }
}

/// Default values.
pub(super) struct Defaults<T>(pub(super) PhantomData<T>);
impl<T: Default> Make for Defaults<T> {
    type Item = T;
    #[inline(always)]
    fn make(&mut self, _: usize) -> T {
        T::default()
    }
}
