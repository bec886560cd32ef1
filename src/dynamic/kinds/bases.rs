//! A linear layout in Triton's notation: where each bit of each mode goes, with names.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use super::bits::coordinate_bits;
use super::modes::of_coordinate_bits;
use crate::dynamic::layout::DynLayout;
use crate::error::{Fault, LayoutError};
use crate::pad::pad;

/// The bases of a linear layout with named modes: for each bit of each mode, the coordinate that
/// the bit leads to. [`DynLayout::bases`] returns them. Triton's `LinearLayout`, in Triton's text.
#[derive(Clone, PartialEq, Eq)]
pub struct Bases {
    from: Vec<(String, Vec<Vec<usize>>)>,
    to: Vec<(String, usize)>,
}

impl Bases {
    /// Each mode's name, and for each bit of its coordinate, the lowest first, where that leads.
    /// Triton's `bases`.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// let l: DynLayout = "(4,8):(16,1)".parse()?;
    /// let bases = l.bases(&["register", "lane"], &[("row", 16), ("column", 4)])?;
    /// let (name, of_register) = bases.iter().next().unwrap();
    /// assert_eq!((name, of_register), ("register", [vec![0, 1], vec![0, 2]].as_slice()));
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[Vec<usize>])> {
        self.from.iter().map(|(name, bits)| (name.as_str(), bits.as_slice()))
    }
}

impl fmt::Display for Bases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        pad(f, &|f| {
            for (name, bits) in &self.from {
                if bits.is_empty() {
                    writeln!(f, " - {name} is a size 1 dimension")?;
                }
                for (place, leads_to) in bits.iter().enumerate() {
                    let begin = if place == 0 { " - " } else { "   " };
                    writeln!(
                        f,
                        "{begin}{name}={} -> ({})",
                        1u128 << place,
                        separated(leads_to.iter())
                    )?;
                }
            }
            let sizes = self.to.iter().map(|(name, size)| format!("{name} (size {size})"));
            write!(f, "where out dims are: [{}]", separated(sizes))
        })
    }
}
fn separated<T: ToString>(items: impl Iterator<Item = T>) -> String {
    items.map(|item| item.to_string()).collect::<Vec<_>>().join(", ")
}
debug_as_display! { [] Bases; }

impl DynLayout {
    /// This layout in the form of Triton's linear layouts: `from` names its modes, and `to` the
    /// modes that its offsets are split into, the first one fastest.
    ///
    /// Law: the offset of a coordinate is the XOR of what its bits lead to.
    ///
    /// # Errors
    /// `rank` if there are not as many names as modes; `carry` or `stride` if the layout is not
    /// [linear](DynLayout::linear); `divisibility` if a size is no power of two; `bounds` if
    /// offsets reach beyond `to`.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// // What a thread has of a tile of 16 x 8 that `mma.m16n8k16` adds up: registers, lanes -> row + 16 *
    /// // column.
    /// let l: DynLayout = "((2,2),(4,8)):((16,8),(32,1))".parse()?;
    /// let bases = l.bases(&["register", "lane"], &[("dim0", 16), ("dim1", 8)])?;
    /// let text = bases.to_string();
    /// let lines: Vec<&str> = text.lines().collect();
    /// assert_eq!(
    ///     lines[..3],
    ///     [" - register=1 -> (0, 1)", "   register=2 -> (8, 0)", " - lane=1 -> (0, 2)"]
    /// );
    /// assert_eq!(lines[7], "where out dims are: [dim0 (size 16), dim1 (size 8)]");
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn bases(&self, from: &[&str], to: &[(&str, usize)]) -> Result<Bases, LayoutError> {
        self.find_bases(from, to)
            .map_err(|fault| LayoutError::new("bases", fault).with_operand(self))
    }

    fn find_bases(&self, from: &[&str], to: &[(&str, usize)]) -> Result<Bases, Fault> {
        if from.len() != self.rank() {
            return Err(Fault::Rank { needed: from.len(), rank: self.rank() });
        }
        let linear = self.linear().map_err(|error| error.fault())?;
        if let Some(&(_, number)) = to.iter().find(|(_, size)| !size.is_power_of_two()) {
            return Err(Fault::NoPowerOfTwo { number });
        }
        let room = to
            .iter()
            .try_fold(1usize, |room, (_, size)| room.checked_mul(*size))
            .ok_or(Fault::Overflow)?;
        let split = |offset: u128| -> Vec<usize> {
            let mut place = 1;
            let digit = |&(_, size): &(&str, usize)| {
                let digit = offset as usize / place % size;
                place *= size;
                digit
            };
            to.iter().map(digit).collect()
        };
        let mut named = Vec::new();
        for (name, mode) in from.iter().zip(linear.modes()) {
            let mut bits = Vec::new();
            for leaf in mode.every_mode() {
                if !leaf.extent.is_power_of_two() {
                    return Err(Fault::NoPowerOfTwo { number: leaf.extent });
                }
                bits.extend(
                    of_coordinate_bits(leaf, 0, coordinate_bits(leaf.extent))
                        .map(|(offset, _)| offset),
                );
            }
            if bits.iter().any(|&offset| offset >= room as u128) {
                return Err(Fault::Tile { cosize: self.cosize(), size: room });
            }
            named.push((String::from(*name), bits.into_iter().map(split).collect()));
        }
        Ok(Bases {
            from: named,
            to: to.iter().map(|&(name, size)| (String::from(name), size)).collect(),
        })
    }
}
