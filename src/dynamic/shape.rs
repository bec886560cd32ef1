//! `DynShape`: any nested tuple of integers.
//!
//! ```text
//! size(n) = n                 size((t0,..,tk)) = size(t0) * .. * size(tk)
//! rank(n) = 1                 rank((t0,..,tk)) = k + 1
//! depth(n) = 0                depth((t0,..,tk)) = 1 + max depth(ti)
//! ```

use smallvec::SmallVec;

use super::tree::{self, Arities, MAX_DEPTH, NumberList};
use crate::error::{Fault, LayoutError, expect};

/// A nested tuple of integers known at run time: a shape, a stride, a coordinate, a profile or an
/// order.
///
/// Law: `parse(print(s)) = s`. CuTe: `IntTuple`.
///
/// ```
/// # use layout_algebra::prelude::*;
/// let s: DynShape = "(4,(2,3))".parse()?;
/// assert_eq!((s.size(), s.rank(), s.depth()), (24, 2, 2));
/// assert_eq!(s.to_string(), "(4,(2,3))");
/// # Ok::<(), LayoutError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct DynShape {
    pub(crate) profile: Arities,
    pub(crate) leaves: NumberList,
}

/// The product of `extents` if it fits `usize`; one extent of 0 makes it 0, however large the
/// others are.
#[inline]
pub(crate) fn product(extents: &[usize]) -> Option<usize> {
    if extents.contains(&0) {
        return Some(0);
    }
    extents.iter().try_fold(1usize, |product, &extent| product.checked_mul(extent))
}

impl DynShape {
    /// The deepest nesting of tuples that text may have. Deeper text is refused with an error.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// let deep = "(".repeat(DynShape::MAX_DEPTH + 1) + "1" + &")".repeat(DynShape::MAX_DEPTH + 1);
    /// assert_eq!(deep.parse::<DynShape>().unwrap_err().byte(), Some(DynShape::MAX_DEPTH));
    /// ```
    pub const MAX_DEPTH: usize = MAX_DEPTH;

    /// The tuple of `elements`: `(t0,..,tk)`.
    ///
    /// # Errors
    /// `profile` if there are no elements, or if they are nested as deep as text may be.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// let inner = DynShape::tuple([DynShape::from(2), DynShape::from(3)])?;
    /// assert_eq!(DynShape::tuple([DynShape::from(4), inner])?.to_string(), "(4,(2,3))");
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn tuple(elements: impl IntoIterator<Item = DynShape>) -> Result<Self, LayoutError> {
        let parts = elements.into_iter().map(|element| (element.profile, element.leaves));
        let (profile, leaves) =
            tree::tuple(parts).map_err(|fault| LayoutError::new("tuple", fault))?;
        Ok(DynShape { profile, leaves })
    }

    /// The number of modes; 1 for an integer.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// assert_eq!("(4,(2,3),5)".parse::<DynShape>()?.rank(), 3);
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn rank(&self) -> usize {
        tree::rank(&self.profile)
    }

    /// How deep tuples are nested; 0 for an integer.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// assert_eq!("(4,(2,3))".parse::<DynShape>()?.depth(), 2);
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn depth(&self) -> usize {
        tree::depth(&self.profile)
    }

    /// The product of all leaves.
    ///
    /// # Panics
    /// If the product leaves `usize`; [`try_size`](Self::try_size) returns that as an error. The
    /// size of a layout's shape always fits.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// assert_eq!("(4,(2,3))".parse::<DynShape>()?.size(), 24);
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[track_caller]
    pub fn size(&self) -> usize {
        expect(self.try_size())
    }

    /// The product of all leaves.
    ///
    /// # Errors
    /// `overflow` if it leaves `usize`.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// let s: DynShape = "(4294967296,4294967296,4294967296)".parse()?;
    /// assert_eq!(s.try_size().unwrap_err().kind().as_str(), "overflow");
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn try_size(&self) -> Result<usize, LayoutError> {
        product(&self.leaves)
            .ok_or_else(|| LayoutError::new("size", Fault::Overflow).with_operand(self))
    }

    /// The integer, if this is one and no tuple.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// assert_eq!(DynShape::from(4).as_leaf(), Some(4));
    /// assert_eq!("(4)".parse::<DynShape>()?.as_leaf(), None);
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn as_leaf(&self) -> Option<usize> {
        if self.profile[0] == 0 { self.leaves.first().copied() } else { None }
    }

    /// All integers from left to right.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// assert_eq!("(4,(2,3))".parse::<DynShape>()?.leaves(), [4, 2, 3]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn leaves(&self) -> &[usize] {
        &self.leaves
    }

    /// The elements of a tuple; an integer is its own only element.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// let s: DynShape = "(4,(2,3))".parse()?;
    /// assert_eq!(s.children().map(|c| c.to_string()).collect::<Vec<_>>(), ["4", "(2,3)"]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn children(&self) -> impl Iterator<Item = DynShape> + '_ {
        let mut profile = if self.profile[0] == 0 { &self.profile[..] } else { &self.profile[1..] };
        let mut leaves = &self.leaves[..];
        (0..self.rank()).map(move |_| {
            let (nodes, count) = tree::first_tree(profile);
            let child = DynShape {
                profile: SmallVec::from_slice(&profile[..nodes]),
                leaves: SmallVec::from_slice(&leaves[..count]),
            };
            (profile, leaves) = (&profile[nodes..], &leaves[count..]);
            child
        })
    }

    /// All integers in one tuple; an integer stays as it is.
    ///
    /// Law and example: [`LayoutAlgebra::flatten`](crate::LayoutAlgebra::flatten).
    #[must_use]
    pub fn flatten(&self) -> DynShape {
        DynShape {
            profile: flat_profile(&self.profile, self.leaves.len()),
            leaves: self.leaves.clone(),
        }
    }
}

/// The profile of a flat tuple of `leaves` leaves that takes the place of `profile`; a leaf stays a
/// leaf, and so does a tuple of one.
pub(crate) fn flat_profile(profile: &[u32], leaves: usize) -> Arities {
    let mut flat = Arities::new();
    if profile[0] != 0 && leaves != 1 {
        flat.push(tree::arity(leaves));
    }
    flat.resize(flat.len() + leaves, 0);
    flat
}

impl From<usize> for DynShape {
    fn from(number: usize) -> Self {
        DynShape { profile: SmallVec::from_slice(&[0]), leaves: SmallVec::from_slice(&[number]) }
    }
}

impl From<&DynShape> for DynShape {
    fn from(shape: &DynShape) -> Self {
        shape.clone()
    }
}

/// A mode for each number, `(n0,..,nk)`; of no numbers the shape `1` of one element.
///
/// ```
/// # use layout_algebra::prelude::*;
/// let (shape, strides) = (vec![4, 6], DynShape::from_iter([6, 1]));
/// assert_eq!(DynLayout::new(&shape[..], strides)?.to_string(), "(4,6):(6,1)");
/// assert_eq!(DynLayout::new(shape, [6, 1])?.size(), 24);
/// assert_eq!(DynShape::from(&[][..]), DynShape::from(1));
/// # Ok::<(), LayoutError>(())
/// ```
impl FromIterator<usize> for DynShape {
    fn from_iter<I: IntoIterator<Item = usize>>(numbers: I) -> Self {
        Self::tuple(numbers.into_iter().map(Self::from)).unwrap_or(Self::from(1))
    }
}
impl From<&[usize]> for DynShape {
    fn from(numbers: &[usize]) -> Self {
        numbers.iter().copied().collect()
    }
}
impl From<alloc::vec::Vec<usize>> for DynShape {
    fn from(numbers: alloc::vec::Vec<usize>) -> Self {
        Self::from(&numbers[..])
    }
}

/// A right operand that has to be a shape: all types that convert into a [`DynShape`].
///
/// ```
/// use layout_algebra::prelude::*;
/// fn leaves(shape: impl IntoDynShape) -> Vec<usize> {
///     shape.into().leaves().to_vec()
/// }
/// assert_eq!((leaves((4, (2, 3))), leaves(shape!(7))), (vec![4, 2, 3], vec![7]));
/// ```
#[diagnostic::on_unimplemented(
    message = "this is no shape of a `DynLayout`",
    label = "`{Self}` does not convert into a `DynShape`",
    note = "a shape is a `DynShape`, a number or a tuple of numbers: `(4, 6)`, or `\"(4,6)\".parse::<DynShape>()?`"
)]
pub trait IntoDynShape: Into<DynShape> {}
#[diagnostic::do_not_recommend]
impl<T: Into<DynShape>> IntoDynShape for T {}
