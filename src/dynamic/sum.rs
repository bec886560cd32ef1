//! Sums of layouts.
//!
//! ```text
//! layout_add(A, B)(i) = A(i) + B(i)      for i < size(A) = size(B)
//! ```

use super::flat::{DynMode, DynModes, MergedList, merged};
use super::kinds::sum::sum as sum_of_kinds;
use super::layout::{DynLayout, View, from_every, from_modes};
use crate::error::{Fault, LayoutError};

/// Goes through the coalesced modes of both: of the first two, the shorter one meets as many steps of the
/// other, which goes on behind.
fn layout_add(a: View<'_>, b: View<'_>) -> Result<DynModes, Fault> {
    let (mut sum, a, b) = (DynModes::new(), merged(a.flat()), merged(b.flat()));
    let (mut a, mut b) = (a.into_iter(), b.into_iter());
    let (mut first, mut second) = (a.next(), b.next());
    while let (Some(left), Some(right)) = (first, second) {
        let (short, long) = if left.extent <= right.extent { (left, right) } else { (right, left) };
        if long.extent % short.extent != 0 {
            return Err(Fault::NoRefinement {
                extent: short.extent,
                stride: short.stride,
                other_extent: long.extent,
                other_stride: long.stride,
            });
        }
        let n = short.extent;
        sum.push_merged(DynMode::new(n, left.stride.checked_add(right.stride).ok_or(Fault::Overflow)?));
        // What is left of a mode, or the next one. The stride is that of an offset which the mode reaches.
        let rest = |mode: DynMode| (mode.extent > n).then(|| DynMode::new(mode.extent / n, mode.stride * n));
        first = rest(left).or_else(|| a.next());
        second = rest(right).or_else(|| b.next());
    }
    Ok(sum)
}

impl DynLayout {
    /// The sum of two layouts of one size, coalesced.
    ///
    /// Law: `R(i) = A(i) + B(i)` for all `i < size(A) = size(B)`. It is defined if and only if the coalesced shapes have
    /// a common refinement: at each step one extent divides the other. Negative strides add up as others do; XOR strides
    /// do where no bit is one of both layouts, for sum and XOR are the same then. PyCuTe: `layout_add`.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// let (rows, columns): (DynLayout, DynLayout) = ("(4,6):(10,0)".parse()?, "(4,6):(0,1)".parse()?);
    /// assert_eq!(rows.layout_add(&columns)?.to_string(), "(4,6):(10,1)");
    /// let (a, b): (DynLayout, DynLayout) = ("(2,6):(8,1)".parse()?, "12:3".parse()?);
    /// let r = a.layout_add(&b)?;
    /// assert_eq!(r.to_string(), "(2,6):(11,7)");
    /// assert!((0..12).all(|i| r.at(i) == a.at(i) + b.at(i)));
    /// let error = a.layout_add(&rows).unwrap_err();
    /// assert_eq!(error.to_string(), "cannot add (2,6):(8,1) and (4,6):(10,0): sizes 12 and 24 differ");
    /// # Ok::<(), LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// `profile` if the sizes differ, `divisibility` if of two modes that meet no extent divides the other, or an XOR mode
    /// goes on after steps that are no power of two, `overlap` or `stride` if XOR strides add up with carries,
    /// `overflow` if a number leaves `usize`.
    pub fn layout_add(&self, other: &DynLayout) -> Result<DynLayout, LayoutError> {
        let sum = || match (self.size(), other.size()) {
            (left, right) if left != right => Err(Fault::Sizes { left, right }),
            (0, 0) => from_modes(&DynModes::from_slice(&[DynMode::new(0, 0)])),
            _ if !self.view().is_natural() || !other.view().is_natural() => {
                from_every(&sum_of_kinds(&self.every_mode(), &other.every_mode())?)
            }
            _ => from_modes(&layout_add(self.view(), other.view())?),
        };
        sum().map_err(|fault| LayoutError::new("layout_add", fault).with_operands(self, other))
    }
}
