//! Tensors that own their elements: fragments of static size, and vectors.

use generic_array::{ArrayLength, GenericArray};

use crate::layout::traits::Layout;
use crate::tensor::cosize::{FragmentLength, StaticCosize};
#[cfg(feature = "alloc")]
use crate::tensor::like::CompactLike;
use crate::tensor::like::{FragmentLayout, FragmentShape, StaticShape};
use crate::tensor::storage::{Addressable, Contiguous, Storage, Tensor};

/// A tensor of static size that owns its elements: on a GPU, registers. CuTe's `make_tensor<T>(layout)`.
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
        L: StaticCosize<Cosize = N>,
    {
        Tensor::fixed_when_built(GenericArray::default(), L::default())
    }

    /// A fragment whose element at every coordinate is what `f` says.
    ///
    /// `Fragment::from_fn(f)[c] == f(c)` where no two coordinates share an element; else the last one's.
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
        L: StaticCosize<Cosize = N>,
    {
        let mut fragment = Self::zeroed();
        fragment.for_each_mut(|coordinate, element| *element = f(coordinate));
        fragment
    }
}

impl<S: Storage, L: Addressable> Tensor<S, L> {
    /// A compact fragment of the same shape, every element the default. CuTe's `make_fragment_like`, always column-major.
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

#[cfg(feature = "alloc")]
impl<T, L: Addressable> Tensor<alloc::vec::Vec<T>, L> {
    /// A tensor in new memory, filled with one value.
    ///
    /// # Panics
    /// If the layout reaches beyond `usize`, or memory ends.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let (m, n) = (3, 4);
    /// let t = Tensor::filled(layout!((m, n): right), 1);
    /// assert_eq!(t.iter().sum::<i32>(), 12);
    /// ```
    pub fn filled(layout: L, value: T) -> Self
    where
        T: Clone,
    {
        let length = layout.reach().unwrap_or(usize::MAX);
        Tensor::new(alloc::vec![value; length], layout).unwrap_or_else(|error| panic!("{error}"))
    }
}

#[cfg(feature = "alloc")]
impl<S: Storage, L: Addressable> Tensor<S, L> {
    /// A compact tensor of the same shape whose elements are what `f` makes of this one's.
    ///
    /// `t.map(f)[c] == f(t[c])`
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::fixed([1, 2, 3, 4, 5, 6], layout!((2, 3): right));
    /// let squares = t.map(|x| x * x);
    /// assert_eq!((squares[(1, 0)], squares.into_storage()), (16, vec![1, 16, 4, 25, 9, 36]));
    /// ```
    pub fn map<U>(&self, f: impl FnMut(&S::Item) -> U) -> Tensor<alloc::vec::Vec<U>, L::Compact>
    where
        L: CompactLike,
    {
        let elements: alloc::vec::Vec<U> = self.iter().map(f).collect();
        Tensor::new(elements, self.layout().compact_like()).unwrap_or_else(|error| panic!("{error}"))
    }
}

impl<S: Contiguous, L: Addressable> Tensor<S, L> {
    /// The number of elements that the storage holds, those between the layout's included.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::fixed([0; 60], layout!((4, 6):(1, 10)));
    /// assert_eq!((t.size(), t.length()), (24, 60));
    /// ```
    #[inline(always)]
    pub fn length(&self) -> usize {
        self.storage().length()
    }
}
