//! Questions about any layout of run time, and searches for layouts.
//!
//! The crate `layout-algebra` computes by rules: an operation of its table has one right layout by
//! a rule, or it refuses. Here stand the questions that count, and the searches that try. Each
//! takes any strides, natural, negative and XOR ones, each is exact, and each says when it gave up
//! ([`Error::is_undecided`]): *there is none* and *none was found* are two sentences.
//!
//! | question | method |
//! |---|---|
//! | how many offsets, how many coordinates share one, how many are free | [`coverage`](Analysis::coverage) |
//! | how many lines, sectors or words the elements touch | [`segments`](Analysis::segments) |
//! | cycles, order, parity, fixed points | [`permutation`](Analysis::permutation) |
//! | `x` with `b o x = a` | [`find_solution`](Analysis::find_solution) |
//! | `a o b` where the rule refuses | [`find_composition`](Analysis::find_composition) |
//! | `a o b`, where the strides of `b` are steps along axes, `32@0` | [`compose_axes`](Analysis::compose_axes) |
//! | a range that begins or ends within a block | [`find_range`](Analysis::find_range) |
//! | bank conflicts of any vendor's shared memory | [`BankModel::conflicts`] |
//!
//! ```
//! use layout_algebra::prelude::*;
//! use layout_analysis::Analysis;
//! let back: DynLayout = "(4,8):(-1,16)".parse()?; // four elements backwards, of every 16
//! let coverage = back.coverage()?;
//! assert_eq!((coverage.offsets, coverage.sharing, coverage.gaps), (32, 1, 84));
//! assert_eq!(back.segments(32, 32 * 8)?, 16); // floats in sectors of 32 bytes
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod function;

mod coverage;
mod permutation;

mod axes;
mod composition;
mod range;
mod solve;

mod banks;

use std::ops::Range;

use layout_algebra::DynLayout;

pub use axes::AxisLayout;
pub use banks::{BankCosts, BankModel};
pub use composition::{Carries, Composition};
pub use coverage::Coverage;
pub use error::{Error, NoLayout};
pub use permutation::Permutation;

mod sealed {
    pub trait Sealed {}
    impl Sealed for layout_algebra::DynLayout {}
}

/// Counts and searches of a [`DynLayout`] with strides of any kind.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_analysis::Analysis;
/// assert_eq!("4:-1".parse::<DynLayout>()?.coverage()?.offsets, 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Analysis: sealed::Sealed {
    /// How many offsets the layout has, the most coordinates that share one, and how many offsets
    /// between are free.
    ///
    /// `offsets = |{L(i)}|, sharing = max_o |{i : L(i) = o}|, gaps = cosize(L) - offsets`
    ///
    /// # Errors
    /// [`Error::TooMany`] if three or more modes interlock over more than 2^22 offsets, or XOR
    /// strides overlap with extents that are no powers of two and more than 2^22 coordinates.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_analysis::Analysis;
    /// let coverage = "(1000000,1000000):(-3,5)".parse::<DynLayout>()?.coverage()?;
    /// assert_eq!((coverage.offsets, coverage.sharing, coverage.gaps), (7_999_985, 200_000, 8));
    /// assert_eq!("(8,8):(^1,^9)".parse::<DynLayout>()?.coverage()?.gaps, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn coverage(&self) -> Result<Coverage, Error>;

    /// How many segments of `segment_bits` the elements of `element_bits` touch: lines, sectors,
    /// words or pages. Offset 0 begins with a segment; negative offsets lie before it.
    ///
    /// `|{s : an element L(i) has a bit in [s * segment_bits, (s + 1) * segment_bits)}|`
    ///
    /// # Errors
    /// [`Error::Number`] if either number is 0, [`Error::TooMany`] of more than 2^22 coordinates
    /// that move.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_analysis::Analysis;
    /// let column: DynLayout = "32:-32".parse()?;
    /// assert_eq!((column.segments(32, 128 * 8)?, column.segments(32, 32 * 8)?), (32, 32));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn segments(&self, element_bits: usize, segment_bits: usize) -> Result<usize, Error>;

    /// The layout as a permutation of the numbers below its size.
    ///
    /// # Errors
    /// [`Error::NoPermutation`] with an offset if it is none, [`Error::TooMany`] of more than 2^22
    /// coordinates.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_analysis::Analysis;
    /// let swizzled: DynLayout = "(4,4):(^1,^5)".parse()?;
    /// assert_eq!(swizzled.permutation()?.order(), Some(2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn permutation(&self) -> Result<Permutation, Error>;

    /// The composition `self o right`, where there is any: by the rule of
    /// [`compose`](layout_algebra::LayoutAlgebra::compose), and where that refuses, by a search
    /// over all coordinates.
    ///
    /// `R(c) = A(B(c)) for every coordinate c of B, and B's shape is compatible with R's`
    ///
    /// The search finds every composition with natural and negative strides, and every one whose
    /// strides are XOR strides alone.
    ///
    /// # Errors
    /// [`Error::NoLayout`] with the coordinate or the steps where it fails: there is none.
    /// [`Error::TooMany`] if `right` has more than 2^22 coordinates. Those of the rule if offsets
    /// of `right` are no coordinates.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_analysis::Analysis;
    /// let (a, b): (DynLayout, DynLayout) = ("(4,4):(4,1)".parse()?, "3:3".parse()?);
    /// assert_eq!(
    ///     a.find_composition(&b).unwrap_err().to_string(),
    ///     "no layout is (4,4):(4,1) o 3:3: in mode 0 2 steps are even, and 2 does not divide the 3 that are left"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn find_composition(&self, right: &DynLayout) -> Result<Composition, Error>;

    /// The composition with a layout of coordinates, whose strides are steps along the modes of
    /// this one.
    ///
    /// `R(c) = A(x_0, x_1, ..) where (x_0, x_1, ..) = B(c), and B's shape is compatible with R's`
    ///
    /// As in a composition, a mode goes on beyond its size. What the rule refuses in a mode is
    /// searched, as by [`find_composition`](Self::find_composition).
    ///
    /// # Errors
    /// [`Error::NoAxis`] if steps go along an axis that there is not; those of `find_composition`,
    /// in a mode.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_analysis::Analysis;
    /// // CUTLASS #3470: 32 lanes along rows, 4 blocks of 8 columns, .., of a column-major matrix.
    /// let matrix: DynLayout = "(4096,8192):(1,4096)".parse()?;
    /// let tiles = "(32,1024,8,128):(1@0,8@1,1@1,32@0)".parse()?;
    /// assert_eq!(matrix.compose_axes(&tiles)?.to_string(), "(32,1024,8,128):(1,32768,4096,32)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn compose_axes(&self, right: &AxisLayout) -> Result<DynLayout, Error>;

    /// A layout `x` with `self o x = right`, or the statement that there is none.
    ///
    /// `B(X(i)) = A(i) for i < size(A), and X(i) < size(B)`
    ///
    /// `x` has the shape of `right`, or one that refines it, wherever such an `x` has these values.
    /// The search is over all natural strides, and where both sides are linear in bits, over all
    /// XOR strides.
    ///
    /// # Errors
    /// [`Error::NotReached`] with the coordinate of `right` whose offset no coordinate of `self`
    /// has, [`Error::NoSolution`] if all layouts were tried; [`Error::GaveUp`] after 2^20 steps and
    /// [`Error::TooMany`] of more than 2^20 coordinates that an inverse does not solve say that
    /// neither is known.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_analysis::Analysis;
    /// let (b, a): (DynLayout, DynLayout) = ("(4,6):(6,1)".parse()?, "(6,4):(1,6)".parse()?);
    /// let x = b.find_solution(&a)?;
    /// assert_eq!(x.to_string(), "(6,4):(4,1)");
    /// assert_eq!(b.compose(&x)?, a);
    /// let error = b.find_solution(&"4:7".parse()?).map(|x| x.to_string());
    /// assert_eq!(error?, "4:5");
    /// let error = "4:2".parse::<DynLayout>()?.find_solution(&"4:1".parse()?).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "there is no x with 4:2 o x = 4:1: coordinate 1 of 4:1 has the offset 1, which no coordinate \
    ///      of 4:2 has"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn find_solution(&self, right: &DynLayout) -> Result<DynLayout, Error>;

    /// A range of a mode, which may begin and end within a block, and the offset where it begins.
    ///
    /// `R(c) + offset = L(c'), where c' is c with range.start added to the number of mode `mode``
    ///
    /// # Errors
    /// [`Error::NoLayout`] if the range is no layout, [`Error::Range`] if there is no such range,
    /// [`Error::TooMany`] of more than 2^22 coordinates that the rule of `slice` refuses.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_analysis::Analysis;
    /// let blocks: DynLayout = "((4,4),2):((1,16),100)".parse()?;
    /// let (part, offset) = blocks.find_range(0, 6..10)?; // 18 19 32 33
    /// assert_eq!((part.to_string().as_str(), offset), ("((2,2),2):((1,14),100)", 18));
    /// assert!(blocks.find_range(0, 6..11).is_err()); // 18 19 32 33 34
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn find_range(&self, mode: usize, range: Range<usize>) -> Result<(DynLayout, isize), Error>;
}

impl Analysis for DynLayout {
    fn coverage(&self) -> Result<Coverage, Error> {
        coverage::coverage(self)
    }
    fn segments(&self, element_bits: usize, segment_bits: usize) -> Result<usize, Error> {
        coverage::segments(self, element_bits, segment_bits)
    }
    fn permutation(&self) -> Result<Permutation, Error> {
        Permutation::new(self)
    }
    fn find_composition(&self, right: &DynLayout) -> Result<Composition, Error> {
        composition::find_composition(self, right)
    }
    fn compose_axes(&self, right: &AxisLayout) -> Result<DynLayout, Error> {
        axes::compose_axes(self, right)
    }
    fn find_solution(&self, right: &DynLayout) -> Result<DynLayout, Error> {
        solve::find_solution(self, right)
    }
    fn find_range(&self, mode: usize, range: Range<usize>) -> Result<(DynLayout, isize), Error> {
        range::find_range(self, mode, range)
    }
}

// The programs of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
