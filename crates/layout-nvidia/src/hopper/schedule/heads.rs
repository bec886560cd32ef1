//! The order of tiles and heads in attention.

/// A tile of 128 queries of a head, 8 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HeadTile {
    /// The index of the 128 rows of Q and O.
    pub row: u32,
    /// The number of tiles of 128 keys that the tile attends to.
    pub columns: u32,
    /// The head of Q and O.
    pub head: u32,
    /// The head of K and V, which several heads of Q may share.
    pub shared: u32,
}
impl HeadTile {
    /// The tile as a word: 16 bits each, since its numbers are below 65536.
    #[inline(always)]
    #[must_use]
    pub const fn pack_word(self) -> u64 {
        self.row as u64
            | (self.columns as u64) << 16
            | (self.head as u64) << 32
            | (self.shared as u64) << 48
    }
    /// A list of tiles in the device's format: two words with a counter, two for each tile with its
    /// word, and two of 0 after the last one.
    ///
    /// ```
    /// use layout_nvidia::hopper::HeadTile;
    /// let tile = HeadTile { row: 1, columns: 2, head: 3, shared: 4 };
    /// let list: Vec<_> = HeadTile::schedule_words([tile].into_iter()).collect();
    /// assert_eq!(list, [0, 0, 0x4_0003_0002_0001, 0, 0, 0]);
    /// ```
    pub fn schedule_words(tiles: impl Iterator<Item = HeadTile>) -> impl Iterator<Item = u64> {
        let words =
            core::iter::once(0).chain(tiles.map(HeadTile::pack_word)).chain(core::iter::once(0));
        words.flat_map(|word| [word, 0])
    }
    /// The tile of a word.
    #[inline(always)]
    #[must_use]
    pub const fn from_word(word: u64) -> Self {
        let (low, high) = (word as u32, (word >> 32) as u32);
        HeadTile { row: low & 0xffff, columns: low >> 16, head: high & 0xffff, shared: high >> 16 }
    }
}

/// All tiles of the heads of an attention, in the order in which blocks take them.
///
/// `together` heads are processed at a time, so that their keys and values are read from the cache;
/// among them the tiles with most keys come first, so that the last tiles are short. If some tiles
/// are short, the last heads, as many as have two tiles for each block, are processed all at once.
///
/// ```
/// use layout_nvidia::hopper::{HeadTile, HeadTiles};
/// // 256 queries and keys of 3 heads, which share one head of keys; each row sees the keys up to
/// its own.
/// let tiles = HeadTiles { queries: 256, keys: 256, heads: 3, group: 3, causal: true, together: 2, blocks: 1 };
/// let order: Vec<_> = tiles
///     .tiles_in_order()
///     .unwrap()
///     .map(|tile| (tile.head, tile.row, tile.columns))
///     .collect();
/// assert_eq!(order, [(0, 1, 2), (1, 1, 2), (0, 0, 1), (1, 0, 1), (2, 1, 2), (2, 0, 1)]);
/// let order_of = |tiles: HeadTiles| -> Vec<_> {
///     tiles.tiles_in_order().unwrap().map(|tile| (tile.head, tile.row)).collect()
/// };
/// // More blocks: all heads are last heads.
/// let order = order_of(HeadTiles { blocks: 2, ..tiles });
/// assert_eq!(order, [(0, 1), (1, 1), (2, 1), (0, 0), (1, 0), (2, 0)]);
/// // Tiles of equal length: the order does not matter.
/// let order = order_of(HeadTiles { causal: false, blocks: 2, ..tiles });
/// assert_eq!(order, [(0, 1), (1, 1), (0, 0), (1, 0), (2, 1), (2, 0)]);
/// let tile = tiles.tiles_in_order().unwrap().last().unwrap();
/// assert_eq!((tile.shared, HeadTile::from_word(tile.pack_word())), (0, tile));
/// // Without keys there is no softmax; heads share keys in whole groups.
/// assert!(HeadTiles { keys: 0, ..tiles }.tiles_in_order().is_none());
/// assert!(HeadTiles { group: 2, ..tiles }.tiles_in_order().is_none());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct HeadTiles {
    /// The rows of Q and O.
    pub queries: usize,
    /// The rows of K and V.
    pub keys: usize,
    /// The heads of Q and O.
    pub heads: usize,
    /// The number of heads that share a head of K and V.
    pub group: usize,
    /// Whether row `i` of Q attends only to the rows up to `i` of K.
    pub causal: bool,
    /// The heads whose tiles are computed at a time: see
    /// [`grouped_for_cache`](HeadTiles::grouped_for_cache).
    pub together: usize,
    /// The blocks that take the tiles.
    pub blocks: usize,
}
impl HeadTiles {
    /// Groups as many heads as have their keys and values, `width` bytes for a key and its value,
    /// in `bytes` of the device's cache.
    ///
    /// ```
    /// # use layout_nvidia::hopper::HeadTiles;
    /// let tiles = HeadTiles { queries: 1024, keys: 1024, heads: 64, group: 4, causal: false, together: 1, blocks:
    /// 132 }; // 512 KiB a head of keys and values, 4 MiB: 8 of them, which are of 32 heads of queries.
    /// assert_eq!(tiles.grouped_for_cache(2 * 128 * 2, 1 << 22).together, 32);
    /// ```
    #[must_use]
    pub fn grouped_for_cache(self, width: usize, bytes: usize) -> Self {
        let each = self.keys.saturating_mul(width).max(1);
        HeadTiles { together: (bytes / each).max(1).saturating_mul(self.group), ..self }
    }
    /// The tiles in order; `None` without keys, if the heads are not whole groups, or with more
    /// than 65535 heads or tiles of a head.
    #[must_use]
    pub fn tiles_in_order(self) -> Option<impl Iterator<Item = HeadTile>> {
        let HeadTiles { queries, keys, heads, group, causal, together, blocks } = self;
        let (rows, columns, most) =
            (queries.div_ceil(128), keys.div_ceil(128), usize::from(u16::MAX));
        let fits = heads <= most && rows <= most && (1..=most).contains(&columns) && together > 0;
        if !fits || group == 0 || heads % group != 0 {
            return None;
        }
        let tile = move |row: usize, head: usize| HeadTile {
            row: row as u32,
            columns: (if causal { columns.min(row + 1) } else { columns }) as u32,
            head: head as u32,
            shared: (head / group) as u32,
        };
        let last = if causal { (2 * blocks).div_ceil(rows.max(1)) } else { 0 };
        let mut left = 0..heads;
        let groups = core::iter::from_fn(move || {
            let all = left.len() < together.saturating_add(last);
            let group = left.start..if all { left.end } else { left.start + together };
            left.start = group.end;
            (!group.is_empty()).then_some(group)
        });
        Some(groups.flat_map(move |heads| {
            (0..rows).rev().flat_map(move |row| heads.clone().map(move |head| tile(row, head)))
        }))
    }
}
