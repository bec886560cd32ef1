//! A swizzled layout as a layout of XOR strides, and back.
//!
//! ```text
//! linear(Sw o L)(c) = Sw(L(c))          swizzled(L) = Sw o N with Sw(N(c)) = L(c)
//! ```
//!
//! A swizzle is linear in the bits of an offset. If no sum of the inner layout carries, each bit of
//! a coordinate leads to bits of the inner offset, and the swizzle maps these to bits of the
//! offset.

use alloc::vec::Vec;

use crate::composed::{ComposedLayout, DynComposedLayout};
use crate::dynamic::DynLayout;
use crate::dynamic::kinds::bits::coordinate_bits;
use crate::dynamic::kinds::modes::{KindMode, KindModes};
use crate::dynamic::kinds::{compose::group, convert};
use crate::dynamic::layout::Draft;
use crate::error::{Fault, LayoutError};

/// The swizzled offsets of a layout; the modes that `keep` says lie above all that the swizzle
/// touches.
fn linear(
    layout: &DynComposedLayout,
    keep: impl Fn(&KindMode) -> bool,
) -> Result<DynLayout, Fault> {
    let swizzle = layout.outer();
    let inner = layout.inner();
    let mut low = inner.every_mode();
    low.retain(|mode| !keep(mode));
    let mut low = convert::linear(&low)?.into_iter();
    let mut draft = Draft::new();
    let mut modes = inner.every_mode().into_iter();
    for &children in &inner.profile {
        if children > 0 {
            draft.profile.push(children);
            continue;
        }
        let mut images = KindModes::new();
        match modes.next() {
            Some(mode) if keep(&mode) => images.push(mode),
            _ => {
                let Some(KindMode { extent, stride }) = low.next() else { break };
                // An offset of the inner layout, which fits.
                let of_bit = |place| swizzle.apply(stride.number() << place) as u128;
                let bits: Vec<u128> = (0..coordinate_bits(extent)).map(of_bit).collect();
                match bits.is_empty() {
                    true => images.push(KindMode::new(extent, stride)),
                    false => group(&bits, extent, |mode| images.push(mode))?,
                }
            }
        }
        draft.every(&images);
    }
    draft.finish()
}

impl DynComposedLayout {
    /// The same function as a layout of XOR strides. Modes that lie above all bits of the swizzle
    /// stay natural where they are not linear themselves.
    ///
    /// Law: `linear(C)(c) = C(c)`, and the shape is compatible with that of `C`.
    ///
    /// # Errors
    /// `carry` if sums of the inner layout carry, with the two strides that share a bit;
    /// `divisibility` if an offset is added before the swizzle, or a mode of an odd extent is cut
    /// by it.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// let c: DynComposedLayout = "Sw<3,0,3> o 0 o (8,8):(1,8)".parse()?;
    /// assert_eq!(c.linear()?.to_string(), "(8,8):(^1,^9)");
    /// let rows: DynComposedLayout = "Sw<3,3,3> o 0 o (8,64,3):(64,1,1536)".parse()?;
    /// assert_eq!(rows.linear()?.to_string(), "(8,64,3):(^72,^1,^1536)");
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn linear(&self) -> Result<DynLayout, LayoutError> {
        let refuse = |fault| LayoutError::new("linear", fault).with_operand(self);
        // There is nothing to swizzle in an empty layout, nor to add to.
        if self.inner().size() == 0 {
            return self.inner().linear();
        }
        if self.offset() != 0 {
            return Err(refuse(Fault::SwizzleOffset { offset: self.offset() }));
        }
        let top = self.outer().top();
        let above = |mode: &KindMode| top < usize::BITS && mode.stride.number() % (1 << top) == 0;
        linear(self, |_| false)
            .or_else(|fault| linear(self, above).map_err(|_| fault))
            .map_err(refuse)
    }
}

impl DynLayout {
    /// The same function as a swizzle of a layout without XOR strides: the swizzle with the fewest
    /// bits; among these the one with the lowest bits, then the shortest distance, then the one
    /// that changes lower bits. Natural strides whose sums carry are swizzled too; a swizzle that
    /// reads bits of more than 65,536 of their sums is skipped.
    ///
    /// Law: `swizzled(L)(c) = L(c)`.
    ///
    /// # Errors
    /// `carry` if no such swizzle is between this layout and natural strides, with the first two
    /// strides of bits of the coordinate that share one.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// assert_eq!(
    ///     "(8,8):(^1,^9)".parse::<DynLayout>()?.swizzled()?.to_string(),
    ///     "Sw<3,0,3> o 0 o (8,8):(1,8)"
    /// );
    /// let above = "(8,8,5):(^1,^9,192)".parse::<DynLayout>()?;
    /// assert_eq!(above.swizzled()?.to_string(), "Sw<3,0,3> o 0 o (8,8,5):(1,8,192)");
    /// let read = "(2,2,2,2,5):(^65,^1,^2080,^32,384)".parse::<DynLayout>()?;
    /// assert_eq!(read.swizzled()?.to_string(), "Sw<6,0,6> o 0 o (2,2,2,2,5):(64,1,2048,32,390)");
    /// let error = "(2,2):(^3,^3)".parse::<DynLayout>()?.swizzled().unwrap_err();
    /// assert!(
    ///     error.to_string().ends_with("the strides 3 and 3 of two bits of the coordinate share bit 0")
    /// );
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn swizzled(&self) -> Result<DynComposedLayout, LayoutError> {
        convert::swizzled(&self.every_mode())
            .and_then(|(swizzle, modes)| {
                ComposedLayout::checked(swizzle, 0, self.with_modes(&modes)?)
            })
            .map_err(|fault| LayoutError::new("swizzled", fault).with_operand(self))
    }
}
