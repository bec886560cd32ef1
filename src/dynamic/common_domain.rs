//! What two shapes have in common.
//!
//! ```text
//! G = greatest_common_domain(X, Y)      left(X) o G and left(Y) o G exist; the same for Y and X
//! ```

use super::flat::{DynMode, DynModes};
use super::layout::{DynLayout, from_modes};
use super::shape::DynShape;
use crate::error::{Fault, LayoutError};
use crate::number::table::gcd;

/// The extents of a shape above 1, one by one: the rest of the first one, and the place where this
/// rest begins, which is the product of all extents before.
struct RestOfShape<'a> {
    extents: &'a [usize],
    first: Option<usize>,
    place: usize,
}
impl<'a> RestOfShape<'a> {
    fn new(extents: &'a [usize]) -> Self {
        let mut rest = RestOfShape { extents, first: None, place: 1 };
        rest.go_on(1, 1);
        rest
    }

    /// Advances to `place`, where `rest` of the first extent is left.
    fn go_on(&mut self, place: usize, mut rest: usize) {
        while let (true, [next, behind @ ..]) = (rest <= 1, self.extents) {
            (rest, self.extents) = (*next, behind);
        }
        (self.first, self.place) = ((rest > 1).then_some(rest), place);
    }
}

fn greatest_common_domain(x: &[usize], y: &[usize]) -> Result<DynModes, Fault> {
    let (mut x, mut y, mut common) = (RestOfShape::new(x), RestOfShape::new(y), DynModes::new());
    while let (Some(s), Some(t)) = (x.first, y.first) {
        // Both advance to the least common multiple of their places, if their extents divide there.
        let shared = gcd(x.place, y.place);
        let (i, j) = (y.place / shared, x.place / shared);
        let factor = if s % i == 0 && t % j == 0 { gcd(s / i, t / j) } else { 1 };
        let ends = (
            x.place.checked_mul(s).ok_or(Fault::Overflow)?,
            y.place.checked_mul(t).ok_or(Fault::Overflow)?,
        );
        if factor > 1 {
            let place = x.place * i;
            common.push(DynMode::new(factor, place));
            x.go_on(place * factor, s / i / factor);
            y.go_on(place * factor, t / j / factor);
        } else if ends.0 <= ends.1 {
            x.go_on(ends.0, 1);
        } else {
            y.go_on(ends.1, 1);
        }
    }
    Ok(common)
}

impl DynShape {
    /// The factors that this shape and another one have at the same place.
    ///
    /// Law: `left(X) o G` and `left(Y) o G` exist for the shapes `X` and `Y`, and `G` is the same
    /// for `Y` and `X`. PyCuTe: `greatest_common_domain`.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// // Both count 5 elements in a row; both have a factor 2 at place 30: 30 = 2 * 15 = 3 * 10.
    /// let (x, y): (DynShape, DynShape) = ("(5,3,4)".parse()?, "(10,6)".parse()?);
    /// assert_eq!(x.greatest_common_domain(&y)?.to_string(), "(5,2):(1,30)");
    /// # Ok::<(), LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// `overflow` if a size leaves `usize`.
    pub fn greatest_common_domain(&self, other: &DynShape) -> Result<DynLayout, LayoutError> {
        greatest_common_domain(&self.leaves, &other.leaves)
            .and_then(|modes| from_modes(&modes))
            .map_err(|fault| {
                LayoutError::new("greatest_common_domain", fault).with_operands(self, other)
            })
    }
}

impl DynLayout {
    /// The factors that the shapes of both layouts have at the same place: see
    /// [`DynShape::greatest_common_domain`].
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// let (a, b): (DynLayout, DynLayout) = ("(5,3,4):(12,4,1)".parse()?, "(10,6):(1,10)".parse()?);
    /// let g = a.greatest_common_domain(&b);
    /// assert_eq!(g.to_string(), "(5,2):(1,30)");
    /// assert_eq!(a.compose(&g)?.size(), b.compose(&g)?.size());
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn greatest_common_domain(&self, other: &DynLayout) -> DynLayout {
        greatest_common_domain(&self.shape, &other.shape)
            .and_then(|modes| from_modes(&modes))
            .expect("the domain of a layout fits")
    }
}
