//! Sums of layouts.
//!
//! ```text
//! layout_add(A, B)(i) = A(i) + B(i)      for i < size(A) = size(B)
//! (4,6):(-1,4) and 24:4: (4,6):(3,20)    8:^1 and 8:^8: 8:9
//! ```
//!
//! Adds the strides of both over their mutual refinement. Natural and negative strides add up. XOR
//! strides do if the layouts are disjoint in bits: sum and XOR are equal then. An XOR mode with an
//! equivalent natural mode is replaced by that.

use super::kinds::DynStride;
use super::kinds::bits::{bits, carries};
use super::kinds::modes::{KindMode, KindModes, check, push_merged, xor_bits};
use super::layout::{DynLayout, View, from_every};
use super::refinement::{coalesced, refine};
use crate::error::{Fault, LayoutError};

/// The sum of two layouts of one size, which is not 0, as merged modes.
fn layout_add(a: View<'_>, b: View<'_>) -> Result<KindModes, Fault> {
    let (a, b) = (coalesced(a), coalesced(b));
    let shared = xor_bits(&a) & xor_bits(&b);
    if shared != 0 {
        return Err(Fault::XorSum { bit: shared.trailing_zeros() });
    }
    let (mut without, mut modes) = (xor_bits(&a) | xor_bits(&b), KindModes::new());
    let refined = refine(&[a, b])?;
    for (left, right) in refined[0].iter().zip(&refined[1]) {
        let stride = sum_of_strides(left.extent, left.stride, right.stride, &mut without)?;
        push_merged(&mut modes, KindMode::new(left.extent, stride));
    }
    check(&modes)?;
    Ok(modes)
}

/// The stride that goes as far as both in `extent` steps. XOR strides have no bit in common, and
/// `without` are the bits of all of them: a natural stride beside one becomes one with bits of its
/// own.
fn sum_of_strides(
    extent: usize,
    a: DynStride,
    b: DynStride,
    without: &mut u128,
) -> Result<DynStride, Fault> {
    if let (DynStride::Natural(a), DynStride::Natural(b)) = (a, b) {
        return a.checked_add(b).map(DynStride::Natural).ok_or(Fault::Overflow);
    }
    let (mut along, mut across) = (0i128, 0);
    for stride in [a, b] {
        match stride {
            DynStride::Natural(number) => along += number as i128,
            DynStride::Negative(number) => along -= number as i128,
            DynStride::Xor(number) => across |= number,
        }
    }
    let natural = DynStride::signed(along).ok_or(Fault::Overflow)?;
    if across == 0 {
        return Ok(natural);
    }
    let (steps, number) = (extent as u128, natural.number());
    let mine = bits(steps, number as u128);
    if along < 0 || carries(steps, number as u128) {
        return Err(Fault::TwoParts { steps: extent, natural: number, without: across });
    }
    if mine & *without != 0 {
        return Err(Fault::PartsOverlap { bit: (mine & *without).trailing_zeros() });
    }
    *without |= mine;
    Ok(DynStride::Xor(number | across))
}

impl DynLayout {
    /// The sum of two layouts of one size, coalesced.
    ///
    /// Law: `R(i) = A(i) + B(i)` for all `i < size(A) = size(B)`. It is defined if and only if the
    /// coalesced shapes have a common refinement: at each step one extent divides the other.
    /// Negative strides add up as others do; XOR strides do if the layouts are disjoint in bits,
    /// since sum and XOR are equal then. PyCuTe: `layout_add`.
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
    /// `profile` if the sizes differ, `divisibility` if of two modes at the same place no extent
    /// divides the other, or an XOR mode is split after steps that are no power of two, `overlap`
    /// or `stride` if XOR strides add up with carries, `overflow` if a number leaves `usize`.
    pub fn layout_add(&self, other: &DynLayout) -> Result<DynLayout, LayoutError> {
        let sum = || match (self.size(), other.size()) {
            (left, right) if left != right => Err(Fault::Sizes { left, right }),
            (0, 0) => from_every(&[KindMode::new(0, DynStride::Natural(0))]),
            _ => from_every(&layout_add(self.view(), other.view())?),
        };
        sum().map_err(|fault| LayoutError::new("layout_add", fault).with_operands(self, other))
    }
}
