//! The order in which attention goes through the tiles of its heads.

/// A tile of 128 queries of a head, 8 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HeadTile {
    /// Which 128 rows of Q and O.
    pub row: u32,
    /// The tiles of 128 keys that it sees.
    pub columns: u32,
    /// Its head of Q and O.
    pub head: u32,
    /// That of K and V, which neighbours may share.
    pub shared: u32,
}
impl HeadTile {
    /// The tile as a word: 16 bits each, for its numbers are below 65536.
    #[inline(always)]
    #[must_use]
    pub const fn pack_word(self) -> u64 {
        self.row as u64
            | (self.columns as u64) << 16
            | (self.head as u64) << 32
            | (self.shared as u64) << 48
    }
    /// A list of tiles, as the device takes it: two words of which the first one is a counter, two
    /// for each tile, of which the first one is the tile's, and two of 0 behind the last.
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

/// All tiles of the heads of an attention, in the order in which blocks take them, one after the
/// other.
///
/// Heads come `together` at a time, so that their keys and values are read from the cache; and
/// among them the tiles that see most keys first: those that are begun last are short. Where some
/// tiles are short, the last heads come all together, as many as have two tiles for each block.
///
/// ```
/// use layout_nvidia::hopper::{HeadTile, HeadTiles};
/// // 256 queries and keys of 3 heads, which share one head of keys; each row sees the keys up to it.
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
/// // More blocks: all heads are the last ones.
/// let order = order_of(HeadTiles { blocks: 2, ..tiles });
/// assert_eq!(order, [(0, 1), (1, 1), (2, 1), (0, 0), (1, 0), (2, 0)]);
/// // All tiles as long: none is better begun last.
/// let order = order_of(HeadTiles { causal: false, blocks: 2, ..tiles });
/// assert_eq!(order, [(0, 1), (1, 1), (0, 0), (1, 0), (2, 1), (2, 0)]);
/// let tile = tiles.tiles_in_order().unwrap().last().unwrap();
/// assert_eq!((tile.shared, HeadTile::from_word(tile.pack_word())), (0, tile));
/// // Of no key there is no softmax; heads share keys in whole groups.
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
    /// How many of them share a head of K and V.
    pub group: usize,
    /// Row `i` of Q sees the rows up to `i` of K.
    pub causal: bool,
    /// The heads whose tiles are computed at a time: see
    /// [`grouped_for_cache`](HeadTiles::grouped_for_cache).
    pub together: usize,
    /// The blocks that take the tiles.
    pub blocks: usize,
}
impl HeadTiles {
    /// As many heads together as have their keys and values, `width` bytes for a key and its value,
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
    /// The tiles in order; `None` if there is no key, if the heads are no whole groups, or if there
    /// are more than 65535 heads or tiles of a head.
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
