//! Properties of run-time layouts, and searches for layouts.
//!
//! The crate `layout-algebra` computes by rules: an operation returns the layout of a rule, or an
//! error. This crate counts and searches. All functions take natural, negative and XOR strides.
//! Their answers are exact, and an error says whether there is no result or none was found
//! ([`Error::is_undecided`]).
//!
//! | question | method |
//! |---|---|
//! | the number of offsets, of coordinates that share one, of gaps | [`coverage`](Analysis::coverage) |
//! | the number of lines, sectors or words that the elements touch | [`segments`](Analysis::segments) |
//! | cycles, order, parity, fixed points | [`permutation`](Analysis::permutation) |
//! | `x` with `b o x = a` | [`find_solution`](Analysis::find_solution) |
//! | `a o b` where the rule refuses | [`find_composition`](Analysis::find_composition) |
//! | `a o b`, where the strides of `b` are steps along axes, `32@0` | [`compose_axes`](Analysis::compose_axes) |
//! | a range that starts or ends inside a block | [`find_range`](Analysis::find_range) |
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

/// Counts and searches for a [`DynLayout`] with natural, negative and XOR strides.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_analysis::Analysis;
/// assert_eq!("4:-1".parse::<DynLayout>()?.coverage()?.offsets, 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Analysis: sealed::Sealed {
    /// The number of offsets of the layout, the most coordinates that share one, and the number of
    /// gaps.
    ///
    /// `offsets = |{L(i)}|, sharing = max_o |{i : L(i) = o}|, gaps = cosize(L) - offsets`
    ///
    /// # Errors
    /// [`Error::TooMany`] if three or more natural modes that cannot be counted separately span
    /// more than 2^22 offsets, or dependent XOR modes whose extents are not powers of two have more
    /// than 2^22 coordinates.
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

    /// The number of segments (lines, sectors, words or pages) of `segment_bits` that the elements
    /// of `element_bits` touch. Offset 0 is the start of a segment.
    ///
    /// `|{s : an element L(i) has a bit in [s * segment_bits, (s + 1) * segment_bits)}|`
    ///
    /// # Errors
    /// [`Error::Number`] if either number is 0; [`Error::TooMany`] if the modes with a stride other
    /// than 0 have more than 2^22 coordinates.
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
    /// [`Error::NoPermutation`] with a missing or outside offset; [`Error::TooMany`] for more than
    /// 2^22 coordinates.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_analysis::Analysis;
    /// let swizzled: DynLayout = "(4,4):(^1,^5)".parse()?;
    /// assert_eq!(swizzled.permutation()?.order(), Some(2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn permutation(&self) -> Result<Permutation, Error>;

    /// The composition `self o right`, if there is one: by the rule of
    /// [`compose`](layout_algebra::LayoutAlgebra::compose), or where the rule does not apply, by a
    /// search over all coordinates.
    ///
    /// `R(c) = A(B(c)) for every coordinate c of B, and B's shape is compatible with R's`
    ///
    /// The search finds every composition whose strides are natural and negative, and every one
    /// whose strides are all XOR strides.
    ///
    /// # Errors
    /// [`Error::NoLayout`] if there is no composition, with the coordinate or the steps that prove
    /// it. [`Error::TooMany`] if `right` has more than 2^22 coordinates. The errors of the rule if
    /// offsets of `right` are not coordinates of `self`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_analysis::Analysis;
    /// let (a, b): (DynLayout, DynLayout) = ("(4,4):(4,1)".parse()?, "3:3".parse()?);
    /// assert_eq!(
    ///     a.find_composition(&b).unwrap_err().to_string(),
    ///     "no layout is (4,4):(4,1) o 3:3: in mode 0 the stride is constant for 2 steps, which do not divide the remaining 3"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn find_composition(&self, right: &DynLayout) -> Result<Composition, Error>;

    /// The composition with a layout whose strides are steps along the modes of this layout.
    ///
    /// `R(c) = A(x_0, x_1, ..) where (x_0, x_1, ..) = B(c), and B's shape is compatible with R's`
    ///
    /// As in `compose`, a mode extends beyond its size. Each mode is composed by
    /// [`find_composition`](Self::find_composition).
    ///
    /// # Errors
    /// [`Error::NoAxis`] if a stride names an axis that the layout does not have; the errors of
    /// `find_composition` for a mode.
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

    /// A layout `x` with `self o x = right`, or an error if there is none.
    ///
    /// `B(X(i)) = A(i) for i < size(A), and X(i) < size(B)`
    ///
    /// `x` has the shape of `right` or a refinement of it, if some such `x` has these values. The
    /// search tries all natural strides, and where both sides are linear in bits, all XOR strides.
    ///
    /// # Errors
    /// There is no solution: [`Error::NotReached`] with a coordinate of `right` whose offset no
    /// coordinate of `self` has, [`Error::NoSolution`] if all layouts were tried. Not decided:
    /// [`Error::GaveUp`] after 2^20 steps, [`Error::TooMany`] if the left inverse gives no solution
    /// and there are more than 2^20 coordinates.
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

    /// A range of a mode, which may start and end inside a block, and the offset of its start.
    ///
    /// `R(c) + offset = L(c'), where c' is c with range.start added to the index of mode `mode``
    ///
    /// # Errors
    /// [`Error::NoLayout`] if no layout has the offsets of the range; [`Error::Range`] if the range
    /// is outside the mode; [`Error::TooMany`] if it has more than 2^22 coordinates, and the rule
    /// of `slice` does not apply.
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
