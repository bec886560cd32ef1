//! How a tensor is made: on existing memory, or with elements of its own.

use core::marker::PhantomData;

use generic_array::{ArrayLength, GenericArray};

#[cfg(feature = "alloc")]
use crate::error::Fault;
use crate::error::LayoutError;
use crate::error::expect;
use crate::layout::flat::Message;
use crate::layout::traits::Layout;
use crate::number::unroll::Unroll;
use crate::tensor::memory::cosize::FragmentLength;
use crate::tensor::memory::like::{FragmentLayout, FragmentShape, StaticShape};
use crate::tensor::memory::values::{Defaults, array_of};
use crate::tensor::memory::{
    Addressable, Contiguous, IntoMemory, StaticCosize, Storage, Tensor, Tile, TileMut, ends_within,
};
use crate::tensor::space::{Global, Shared};

/// A tensor of static size that owns its elements: on a GPU, registers. CuTe's
/// `make_tensor<T>(layout)`.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::Fragment;
/// let mut t: Fragment<f32, Layout!((4, 2):(2, 1))> = Fragment::zeroed();
/// t[(3, 1)] = 1.5;
/// assert_eq!(size_of_val(&t), 8 * size_of::<f32>());
/// assert_eq!(t.reduce(0.0, |sum, x| sum + x), 1.5);
/// ```
pub type Fragment<T, L> = Tensor<GenericArray<T, <L as FragmentLength>::Length>, L>;

/// # Making a tensor
///
/// On existing memory, or with elements of its own.
impl<S: Contiguous, L: Addressable> Tensor<S, L> {
    /// A tensor on storage that holds at least the layout's cosize. CuTe's `make_tensor`.
    ///
    /// # Errors
    /// `bounds` if the storage is too short, `overflow` if the layout reaches beyond `usize`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let error = Tensor::new([0; 23], layout!((4, 6):(1, 4))).unwrap_err();
    /// assert_eq!(error.kind().as_str(), "bounds");
    /// assert!(error.to_string().ends_with("the layout reaches 24 elements, and the storage holds 23"));
    /// ```
    ///
    /// A layout with negative strides is moved by its base, so that every element lies in the
    /// storage:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::new([0, 1, 2, 3, 4, 5], layout!((2, 3):(-3, 1)))?;
    /// assert_eq!((t[(0, 0)], t[(1, 0)]), (3, 0));
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline(always)]
    pub fn new<M: IntoMemory<InMemory = L>>(storage: S, layout: M) -> Result<Self, LayoutError> {
        let layout = layout.in_memory()?;
        match storage.accepts(None::<&L>, &layout) {
            Ok(()) => Ok(Tensor { storage, layout }),
            // A copy of the layout is printed, so that the layout itself can stay in registers.
            Err(fault) => Err(LayoutError::new("tensor", fault).with_operand(&layout.clone())),
        }
    }

    /// A tensor on storage of static length under a static layout, compared when the program is
    /// built.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::fixed([7; 24], layout!((4, 6):(1, 4)));
    /// assert_eq!(t[(3, 5)], 7);
    /// ```
    ///
    /// ```compile_fail,E0080
    /// use layout_algebra::prelude::*;
    /// // The layout reaches 24 elements, and the storage holds 23.
    /// let t = Tensor::fixed([7; 23], layout!((4, 6):(1, 4)));
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn fixed<M: IntoMemory<InMemory = L>>(storage: S, layout: M) -> Self {
        const { assert_room(S::LENGTH, M::REACH) };
        // `REACH` is what `IntoMemory` says of itself, so the layout that comes out is asked:
        // nothing is left of the question where that says the same. The elements stay where they
        // are meanwhile, on a GPU in registers.
        let layout = expect(layout.in_memory());
        match ends_within(S::LENGTH.unwrap_or(0), &layout) {
            Ok(()) => Tensor { storage, layout },
            Err(fault) => {
                expect(Err(LayoutError::new("tensor", fault).with_operand(&layout.clone())))
            }
        }
    }
}

/// Stops the build unless both are known, and the storage is long enough.
const fn assert_room(length: Option<usize>, reach: Option<usize>) {
    match (length, reach) {
        (Some(length), Some(reach)) if reach > length => {
            let text =
                Message::new().text("cannot make a tensor: the layout reaches ").number(reach);
            panic!("{}", text.text(" elements, and the storage holds ").number(length).as_str())
        }
        (Some(_), Some(_)) => {}
        (None, _) => panic!(
            "cannot make a tensor: the length of this storage is known only at run time, and `Tensor::new` compares it"
        ),
        (_, None) => panic!(
            "cannot make a tensor: how far this layout reaches is known only at run time, and `Tensor::new` compares it"
        ),
    }
}

#[cfg(feature = "alloc")]
impl<T, L: Addressable> Tensor<alloc::vec::Vec<T>, L> {
    /// A tensor in new memory, filled with one value.
    ///
    /// # Panics
    /// If the layout reaches beyond `usize`, or memory runs out.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let (m, n) = (3, 4);
    /// let t = Tensor::filled(layout!((m, n): right), 1);
    /// assert_eq!(t.iter().sum::<i32>(), 12);
    /// ```
    #[track_caller]
    pub fn filled<M: IntoMemory<InMemory = L>>(layout: M, value: T) -> Self
    where
        T: Clone,
    {
        let layout = expect(layout.in_memory());
        // More bytes than an allocation may have are rejected here, in the caller's line.
        let length =
            layout.reach().filter(|&length| core::alloc::Layout::array::<T>(length).is_ok());
        match length {
            Some(length) => expect(Tensor::new(alloc::vec![value; length], layout)),
            None => {
                // A layout with a reach has too many bytes.
                let fault =
                    if layout.reach().is_some() { Fault::Overflow } else { layout.no_reach() };
                expect(Err(LayoutError::new("tensor", fault).with_operand(&layout)))
            }
        }
    }
}

impl<T, N: ArrayLength, L: Layout> Tensor<GenericArray<T, N>, L> {
    /// A fragment whose every element is the default: zero for numbers.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_algebra::tensor::Fragment;
    /// let t: Fragment<i32, Layout!((2, 2))> = Fragment::zeroed();
    /// assert_eq!(t[3], 0);
    /// ```
    #[inline(always)]
    pub fn zeroed() -> Self
    where
        T: Default,
        N: Unroll,
        L: StaticCosize<Cosize = N>,
    {
        Tensor::fixed(array_of(&mut Defaults(PhantomData)), L::default())
    }

    /// A fragment whose element at each coordinate `c` is `f(c)`.
    ///
    /// `Fragment::from_fn(f)[c] == f(c)`; where several coordinates share an element, the last one
    /// decides.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_algebra::tensor::Fragment;
    /// let t: Fragment<usize, Layout!((2, 3): right)> = Fragment::from_fn(|(i, j)| 10 * i + j);
    /// assert_eq!(t.into_storage()[..], [0, 1, 2, 10, 11, 12]);
    /// ```
    #[inline(always)]
    pub fn from_fn(mut f: impl FnMut(L::Coordinate) -> T) -> Self
    where
        T: Default,
        N: Unroll,
        L: StaticCosize<Cosize = N>,
    {
        let mut fragment = Self::zeroed();
        fragment.for_each_mut(|coordinate, element| *element = f(coordinate));
        fragment
    }
}

impl<S: Storage, L: Addressable> Tensor<S, L> {
    /// A compact fragment of the same shape, every element the default. CuTe's
    /// `make_fragment_like`, always column-major.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::fixed([1, 2, 3, 4, 5, 6], layout!((2, 3): right));
    /// let mut copy = t.fragment_like::<i32>();
    /// copy.copy_from(&t)?;
    /// assert_eq!(copy.into_storage()[..], [1, 4, 2, 5, 3, 6]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    ///
    /// ```compile_fail,E0277
    /// use layout_algebra::prelude::*;
    /// let n = 3;
    /// let t = Tensor::new(vec![1; 6], layout!((2, n))).unwrap();
    /// t.fragment_like::<i32>(); // a fragment needs a shape whose every number is static
    /// ```
    #[inline(always)]
    pub fn fragment_like<T: Default>(&self) -> Fragment<T, FragmentLayout<L::Shape>>
    where
        L: Layout<Shape: FragmentShape>,
        (): StaticShape<L, FragmentLayout<L::Shape>, T>,
    {
        Tensor::zeroed()
    }
}

impl<'a, T, L: Addressable> Tensor<TileMut<'a, T>, L> {
    /// A tensor on memory that a pointer points to.
    ///
    /// # Safety
    /// For `'a`, every element `base + offset` with an offset of the layout may be read and
    /// written,
    /// and no other path leads to it.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let mut data = [1, 2, 3, 4];
    /// // SAFETY: 3 elements lie behind the pointer, and `data` is not used meanwhile.
    /// let mut t = unsafe { Tensor::from_raw(data.as_mut_ptr(), layout!(2:2)) };
    /// t[1] = 7;
    /// assert_eq!(data, [1, 2, 7, 4]);
    /// ```
    #[inline(always)]
    pub unsafe fn from_raw(base: *mut T, layout: L) -> Self {
        // SAFETY: the caller's promise is that of `TileMut::new`.
        Tensor { storage: unsafe { TileMut::new(base) }, layout }
    }
}

impl<'a, T, L: Addressable> Tensor<Tile<'a, T>, L> {
    /// A read-only tensor on memory that a pointer points to.
    ///
    /// # Safety
    /// For `'a`, every element `base + offset` with an offset of the layout may be read, and nobody
    /// writes it.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let data = [1, 2, 3, 4];
    /// // SAFETY: 4 elements lie behind the pointer, and nobody writes them.
    /// let t = unsafe { Tensor::from_raw_ref(data.as_ptr(), layout!((2, 2): right)) };
    /// assert_eq!(t[(0, 1)], 2);
    /// ```
    #[inline(always)]
    pub unsafe fn from_raw_ref(base: *const T, layout: L) -> Self {
        // SAFETY: the caller's promise is that of `Tile::new`.
        Tensor { storage: unsafe { Tile::new(base) }, layout }
    }
}

macro_rules! on_pointers {
    ($($space:ident $what:literal $cute:literal: $write:ident $read:ident;)*) => {$(
        impl<'a, T, L: Addressable> Tensor<TileMut<'a, T, $space>, L> {
            #[doc = concat!("A tensor on ", $what, " memory that a pointer leads to. CuTe's `make_tensor(", $cute)]
            /// layout)`.
            ///
            /// # Safety
            /// For `'a`, every element `base + offset` with an offset of the layout may be read and
            /// written, and no other path leads to it; what another thread writes is read behind a
            /// barrier.
            ///
            #[doc = concat!("On a GPU, `base` is a generic address in ", $what, " memory, and an atom that")]
            /// copies `N` elements at once begins at multiples of what they take, as `base` does
            /// under a swizzle.
            ///
            /// ```
            /// use layout_algebra::prelude::*;
            /// let mut data = [1, 2, 3, 4];
            /// // SAFETY: 3 elements lie behind the pointer, and `data` is not used meanwhile; on a CPU, memory is
            /// // one.
            #[doc = concat!("let mut t = unsafe { Tensor::", stringify!($write), "(data.as_mut_ptr(), layout!(2:2))")]
            /// };
            /// t[1] = 7;
            /// assert_eq!(data, [1, 2, 7, 4]);
            /// ```
            #[inline(always)]
            pub unsafe fn $write(base: *mut T, layout: L) -> Self {
                // SAFETY: the caller's promise is that of `TileMut::new`.
                Tensor { storage: unsafe { TileMut::new(base) }, layout }
            }
        }
        impl<'a, T, L: Addressable> Tensor<Tile<'a, T, $space>, L> {
            #[doc = concat!("[`", stringify!($write), "`](Tensor::", stringify!($write), "), to read.")]
            ///
            /// # Safety
            /// For `'a`, every element `base + offset` with an offset of the layout may be read,
            /// and nobody writes it.
            ///
            #[doc = concat!("On a GPU, `base` is a generic address in ", $what, " memory, and an atom that")]
            /// copies `N` elements at once begins at multiples of what they take, as `base` does
            /// under a swizzle.
            ///
            /// ```
            /// use layout_algebra::prelude::*;
            /// let data = [1, 2, 3, 4];
            /// // SAFETY: 4 elements lie behind the pointer, and nobody writes them; on a CPU, memory is one.
            #[doc = concat!("let t = unsafe { Tensor::", stringify!($read), "(data.as_ptr(), layout!(4)) };")]
            /// assert_eq!(t[1], 2);
            /// ```
            #[inline(always)]
            pub unsafe fn $read(base: *const T, layout: L) -> Self {
                // SAFETY: the caller's promise is that of `Tile::new`.
                Tensor { storage: unsafe { Tile::new(base) }, layout }
            }
        }
    )*};
}
on_pointers! {
    Shared "shared" "make_smem_ptr(pointer),": from_shared from_shared_ref;
    Global "global" "make_gmem_ptr(pointer),": from_global from_global_ref;
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::string::String;

    /// The build stops with these sentences.
    #[test]
    fn storage_that_is_too_short_has_a_sentence() {
        let message = |length, reach| {
            let panic = std::panic::catch_unwind(|| assert_room(length, reach)).err();
            panic.and_then(|message| message.downcast::<String>().ok()).map(|message| *message)
        };
        let short =
            "cannot make a tensor: the layout reaches 24 elements, and the storage holds 23";
        assert_eq!(
            (message(Some(24), Some(24)), message(Some(23), Some(24)).as_deref()),
            (None, Some(short))
        );
        assert!(std::panic::catch_unwind(|| assert_room(None, Some(1))).is_err());
        assert!(std::panic::catch_unwind(|| assert_room(Some(1), None)).is_err());
    }
}
