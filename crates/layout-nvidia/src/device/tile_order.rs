//! The order in which blocks go through the tiles of a result.

use core::num::NonZeroU32;

/// `rows` x `columns` tiles by number, in groups of `HIGH` rows: down a column of a group, then to
/// the next column. Tiles that are computed concurrently share operands, which are then read from
/// the cache.
///
/// Each tile has one number from 0 to `rows * columns - 1`.
///
/// ```
/// use layout_nvidia::device::GroupedTileOrder;
/// // Three rows, two at a time: the last group has one row.
/// let tiles = GroupedTileOrder::<2>::new(3, 2).unwrap();
/// let places: Vec<_> = (0..).map_while(|number| tiles.tile_coordinate(number)).collect();
/// assert_eq!(places, [(0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (2, 1)]);
/// // A result without columns has no tiles.
/// assert!(GroupedTileOrder::<2>::new(3, 0).is_none());
/// // More tiles than numbers.
/// assert!(GroupedTileOrder::<2>::new(1 << 16, 1 << 16).is_none());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct GroupedTileOrder<const HIGH: u32> {
    rows: u32,
    columns: u32,
    group: NonZeroU32,
}
impl<const HIGH: u32> GroupedTileOrder<HIGH> {
    const HIGH: NonZeroU32 = NonZeroU32::new(HIGH).expect("a group has a row");

    /// The tiles of a result; `None` if it has no column, or if a number overflows.
    #[inline(always)]
    #[must_use]
    pub fn new(rows: u32, columns: u32) -> Option<Self> {
        let group = NonZeroU32::new(HIGH.checked_mul(columns)?)?;
        rows.checked_mul(columns)?;
        Some(GroupedTileOrder { rows, columns, group })
    }
    /// The row and column of the tile with this number; `None` beyond the last one.
    #[inline(always)]
    #[must_use]
    pub fn tile_coordinate(&self, number: u32) -> Option<(usize, usize)> {
        if number >= self.rows * self.columns {
            return None;
        }
        let (group, rest) = (number / self.group, number % self.group);
        let high = NonZeroU32::new(self.rows - HIGH * group).unwrap_or(Self::HIGH).min(Self::HIGH);
        Some(((HIGH * group + rest % high) as usize, (rest / high) as usize))
    }
}
