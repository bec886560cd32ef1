//! Rows at any address, for access by aligned vectors.

use core::fmt::Debug;

use layout_algebra::atom::{AsCopyAtom, CopyAtom, StaticSize, UniversalCopy, copy_if};
use layout_algebra::prelude::*;
use layout_algebra::tensor::space::{Anywhere, DestinationIn, SourceIn};
use layout_algebra::tensor::{Addressable, StorageMut, StorageOf};

/// The values that an atom copies.
type Value<A> = <<A as AsCopyAtom>::Atom as CopyAtom>::Value;

/// A row at any address, seen from the previous multiple of 16 bytes, so that all vectors of 16
/// bytes are aligned; and the range of elements that belong to the row.
///
/// ```text
/// place       0 .. before     before .. end     end ..
/// element     another row's   the row's         another row's
/// ```
///
/// [`copy`](Self::copy) copies whole vectors, and of the first and the last vector the elements of
/// the row. Indices are below 2^32.
///
/// ```
/// use layout_algebra::atom::UniversalCopy;
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::Fragment;
/// use layout_nvidia::device::AlignedRow;
/// #[repr(align(16))]
/// struct Matrix([f32; 16]);
/// let matrix = Matrix(std::array::from_fn(|i| i as f32));
/// // Row 1 of rows of 5 elements: it begins one element after a multiple of 16 bytes.
/// let from = matrix.0[5..].as_ptr();
/// let row = AlignedRow::new(from, 5);
/// assert_eq!((row.before(), row.end()), (1, 6));
/// // SAFETY: elements outside the row are not touched.
/// let from = unsafe { Tensor::from_global_ref(row.begin(from), layout!(8)) };
/// let mut x = Fragment::<f32, Layout!(8)>::from_fn(|_| -1.0);
/// row.copy(&UniversalCopy::<f32, Int<4>>::new(), &from, &mut x, |v| v)?;
/// assert!(x.iter().copied().eq([-1.0, 5.0, 6.0, 7.0, 8.0, 9.0, -1.0, -1.0]));
/// # Ok::<(), LayoutError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlignedRow {
    before: u32,
    count: u32,
}
impl AlignedRow {
    /// The row of `count` elements at `row`. The size of an element divides 16.
    #[inline(always)]
    #[must_use]
    pub fn new<T>(row: *const T, count: u32) -> Self {
        const { assert!(16 % size_of::<T>() == 0, "16 bytes are no whole number of elements") }
        AlignedRow { before: (row.addr() % 16 / size_of::<T>()) as u32, count }
    }
    /// The number of elements before the row in its first vector.
    #[inline(always)]
    #[must_use]
    pub fn before(self) -> usize {
        self.before as usize
    }
    /// The index after the last element of the row.
    #[inline(always)]
    #[must_use]
    pub fn end(self) -> usize {
        self.before() + self.count as usize
    }
    /// The address of index 0 for the row at `row`: this row, or another one whose address differs
    /// by a multiple of 16.
    #[inline(always)]
    #[must_use]
    pub fn begin<T>(self, row: *const T) -> *const T {
        row.wrapping_sub(self.before())
    }
    /// [`begin`](Self::begin) for a row to write.
    #[inline(always)]
    #[must_use]
    pub fn begin_mut<T>(self, row: *mut T) -> *mut T {
        row.wrapping_sub(self.before())
    }
    /// Whether the element at `place` belongs to the row: one comparison of 32 bits, since each
    /// vector asks for all of its elements.
    #[inline(always)]
    #[must_use]
    pub fn contains(self, place: usize) -> bool {
        (place as u32).wrapping_sub(self.before) < self.count
    }
    /// Whether all of the `values` elements from `place` on belong to the row: one comparison, too.
    #[inline(always)]
    #[must_use]
    pub fn contains_all(self, place: usize, values: usize) -> bool {
        let places = self.count.saturating_sub((values as u32).saturating_sub(1));
        (place as u32).wrapping_sub(self.before) < places
    }
    /// Copies the elements of the row: by the atom if all of its values belong to the row, else one
    /// by one. `place` maps the number of a value to its index; the values of an atom are
    /// contiguous and aligned. Elements outside the row are not written.
    ///
    /// No load of a vector waits for a branch. Only one or two threads have the first and the last
    /// vector of a row: the others skip the second pass.
    ///
    /// # Errors
    /// The errors of [`copy`](fn@layout_algebra::atom::copy).
    #[inline(always)]
    pub fn copy<A, S, L, R, M>(
        self,
        atom: &A,
        source: &Tensor<S, L>,
        destination: &mut Tensor<R, M>,
        place: impl Fn(usize) -> usize,
    ) -> Result<(), LayoutError>
    where
        A: AsCopyAtom<Atom: CopyAtom<Value: Copy + Debug + 'static, SrcLayout: StaticLayout>>,
        S: StorageOf<Value<A>>,
        S::Space: SourceIn<<A::Atom as CopyAtom>::Source> + SourceIn<Anywhere>,
        L: Addressable + StaticSize,
        R: StorageMut + StorageOf<S::Item>,
        R::Space: DestinationIn<<A::Atom as CopyAtom>::Destination> + DestinationIn<Anywhere>,
        M: Addressable,
    {
        let values = const { <<A::Atom as CopyAtom>::SrcLayout as StaticLayout>::SIZE };
        // The vectors that are only partly in the row: at its begin and at its end.
        let edge = |at: usize| if at % values == 0 { u32::MAX } else { (at - at % values) as u32 };
        let (first, last) = (edge(self.before()), edge(self.end()));
        let mut has_edge = false;
        copy_if(atom, source, destination, |v| {
            let place = place(v);
            has_edge |= (place as u32 == first) | (place as u32 == last);
            self.contains_all(place, values)
        })?;
        if has_edge {
            let value = UniversalCopy::<Value<A>>::new();
            copy_if(&value, source, destination, |v| {
                self.contains(place(v)) && !self.contains_all(place(v - v % values), values)
            })?;
        }
        Ok(())
    }
}
