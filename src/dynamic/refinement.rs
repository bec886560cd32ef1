//! Layouts over one shape.
//!
//! ```text
//! R_k = mutual_refinement(L_0, L_1, ..)
//! R_k(i) = L_k(i) for i < size; all R_k have one shape, of the fewest modes
//! ```
//!
//! Goes through the coalesced modes of all layouts: of the first ones, the shortest is a mode of
//! the result, and is cut off the others, whose rests are next. A mode that continues the one
//! before in every layout is joined to that.

use alloc::string::ToString;
use alloc::vec::Vec;

use super::kinds::DynStride;
use super::kinds::modes::{KindMode, KindModes, merged, plain};
use super::layout::{DynLayout, View, from_every};
use crate::error::{Fault, LayoutError};

/// The rest of a mode behind `n` of its steps.
fn behind(mode: KindMode, n: usize) -> Result<Option<KindMode>, Fault> {
    if mode.extent == n {
        return Ok(None);
    }
    if mode.stride.is_xor() && !n.is_power_of_two() {
        return Err(Fault::NoPowerOfTwo { number: n });
    }
    // The stride is that of an offset which the mode reaches; of XOR strides the product is one
    // without carries.
    Ok(Some(KindMode::new(mode.extent / n, mode.stride.with_number(mode.stride.number() * n))))
}

/// The modes of a layout that refine with those of others, the fewest.
pub(super) fn coalesced(layout: View<'_>) -> KindModes {
    if layout.is_natural() { merged(layout.every()) } else { plain(&layout.every_mode()) }
}

/// Modes of layouts of one size, which is not 0, over one shape: at each place one mode of each.
pub(super) fn refine(layouts: &[KindModes]) -> Result<Vec<KindModes>, Fault> {
    let mut rests: Vec<_> =
        layouts.iter().map(|modes| (modes.first().copied(), modes.iter().skip(1))).collect();
    let mut refined: Vec<KindModes> = layouts.iter().map(|_| KindModes::new()).collect();
    while let Some(firsts) = rests.iter().map(|(first, _)| *first).collect::<Option<KindModes>>() {
        let Some(short) = firsts.iter().copied().min_by_key(|mode| mode.extent) else { break };
        if let Some(long) = firsts.iter().find(|long| long.extent % short.extent != 0) {
            return Err(Fault::NoRefinement {
                extent: short.extent,
                stride: short.stride.number(),
                other_extent: long.extent,
                other_stride: long.stride.number(),
            });
        }
        let continues = |(modes, next): (&KindModes, &KindMode)| {
            modes.last().is_some_and(|last| last.stride.continues(last.extent, next.stride))
        };
        let joins = refined.iter().zip(&firsts).all(continues);
        for ((modes, first), (rest, others)) in refined.iter_mut().zip(firsts).zip(&mut rests) {
            match modes.last_mut() {
                Some(last) if joins => last.extent *= short.extent,
                _ => modes.push(KindMode::new(short.extent, first.stride)),
            }
            *rest = behind(first, short.extent)?.or_else(|| others.next().copied());
        }
    }
    Ok(refined)
}

impl DynLayout {
    /// The layouts over one flat shape of the fewest modes: what goes through several memories at
    /// once loops over that.
    ///
    /// Law: `R_k(i) = L_k(i)` for all `i` below the size, and all `R_k` have one shape. It is
    /// defined if and only if the coalesced shapes have a common refinement: at each step the least
    /// extent divides the others.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// let (a, b): (DynLayout, DynLayout) = ("(4,6):(6,1)".parse()?, "24:1".parse()?);
    /// let refined = DynLayout::mutual_refinement(&[&a, &b])?;
    /// assert_eq!([refined[0].to_string(), refined[1].to_string()], ["(4,6):(6,1)", "(4,6):(1,4)"]);
    /// let error = DynLayout::mutual_refinement(&[&a, &"(6,4):(4,1)".parse()?]).unwrap_err();
    /// assert_eq!(error.kind().as_str(), "divisibility");
    /// # Ok::<(), LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// `profile` if the sizes differ, `divisibility` if at one place an extent divides not all
    /// others, or an XOR mode is split after steps that are no power of two.
    pub fn mutual_refinement(layouts: &[&DynLayout]) -> Result<Vec<DynLayout>, LayoutError> {
        let refined = || {
            let size = layouts.first().map_or(0, |first| first.size());
            if let Some(other) = layouts.iter().find(|other| other.size() != size) {
                return Err(Fault::Sizes { left: size, right: other.size() });
            }
            let all: Vec<_> = match size {
                0 => layouts
                    .iter()
                    .map(|_| KindModes::from_elem(KindMode::new(0, DynStride::Natural(0)), 1))
                    .collect(),
                _ => refine(
                    &layouts.iter().map(|layout| coalesced(layout.view())).collect::<Vec<_>>(),
                )?,
            };
            all.iter().map(|modes| from_every(modes)).collect()
        };
        refined().map_err(|fault| {
            let texts: Vec<_> = layouts.iter().map(|layout| layout.to_string()).collect();
            LayoutError::new("mutual_refinement", fault).with_operand(&texts.join(" and "))
        })
    }
}
