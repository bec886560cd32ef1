//! Rows that begin anywhere, as vectors see them.

use core::fmt::Debug;

use layout_algebra::atom::{AsCopyAtom, CopyAtom, StaticSize, UniversalCopy, copy_if};
use layout_algebra::prelude::*;
use layout_algebra::tensor::space::{Anywhere, DestinationIn, SourceIn};
use layout_algebra::tensor::{Addressable, StorageMut, StorageOf};

/// The values that an atom copies.
type Value<A> = <<A as AsCopyAtom>::Atom as CopyAtom>::Value;

/// A row that begins anywhere, seen from the multiple of 16 bytes before it on, so that all vectors
/// of 16 bytes are aligned; and which elements there are the row's.
///
/// ```text
/// place       0 .. before     before .. end     end ..
/// element     another row's   the row's         another row's
/// ```
///
/// [`copy`](Self::copy) copies the vectors inside at once, and what is the row's of the first and the
/// last one. Places are below 2^32.
///
/// ```
/// use layout_algebra::atom::UniversalCopy;
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::Fragment;
/// use layout_nvidia::device::AlignedRow;
/// #[repr(align(16))]
/// struct Matrix([f32; 16]);
/// let matrix = Matrix(std::array::from_fn(|i| i as f32));
/// // Row 1 of rows of 5 elements: it begins one element behind a multiple of 16 bytes.
/// let from = matrix.0[5..].as_ptr();
/// let row = AlignedRow::new(from, 5);
/// assert_eq!((row.before(), row.end()), (1, 6));
/// // SAFETY: elements that are not the row's are not touched.
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
    /// How many elements of others stand before the row in its first vector.
    #[inline(always)]
    #[must_use]
    pub fn before(self) -> usize {
        self.before as usize
    }
    /// The place behind the last element of the row.
    #[inline(always)]
    #[must_use]
    pub fn end(self) -> usize {
        self.before() + self.count as usize
    }
    /// Where place 0 is, of the row at `row`: of this one, or of another one whose address differs
    /// by a multiple of 16.
    #[inline(always)]
    #[must_use]
    pub fn begin<T>(self, row: *const T) -> *const T {
        row.wrapping_sub(self.before())
    }
    /// [`begin`](Self::begin) of a row that is written.
    #[inline(always)]
    #[must_use]
    pub fn begin_mut<T>(self, row: *mut T) -> *mut T {
        row.wrapping_sub(self.before())
    }
    /// Is the element at `place` the row's? One comparison of 32 bits, since each vector asks for
    /// all of its elements.
    #[inline(always)]
    #[must_use]
    pub fn contains(self, place: usize) -> bool {
        (place as u32).wrapping_sub(self.before) < self.count
    }
    /// Are all of the `values` elements from `place` on the row's? One comparison, too.
    #[inline(always)]
    #[must_use]
    pub fn contains_all(self, place: usize, values: usize) -> bool {
        let places = self.count.saturating_sub((values as u32).saturating_sub(1));
        (place as u32).wrapping_sub(self.before) < places
    }
    /// Copies what is the row's: by the atom where all of its values are, else one by one. `place`
    /// says for the number of a value where it is; the values of an atom follow one another, from a
    /// multiple of their number on. What is not the row's stays in the destination as it was.
    ///
    /// No load of a vector waits for a branch. The first and the last vector of a row are those of
    /// one or two threads: the others go on without a second pass.
    ///
    /// # Errors
    /// Those of [`copy`](fn@layout_algebra::atom::copy).
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
        // The vectors of which a part is the row's: where it begins, and where it ends.
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
