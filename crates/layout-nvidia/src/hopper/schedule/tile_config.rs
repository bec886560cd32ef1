//! How a result is divided into the tiles of clusters, so that few multiprocessors are idle.

/// The tiles and clusters of a product, for one of the instances of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TileConfig {
    /// The columns of a tile, in units of 128.
    pub wide: usize,
    /// The blocks of a cluster that share their operands, two above one another.
    pub blocks: usize,
}
impl TileConfig {
    /// The configurations of the kernels.
    pub const ALL: [TileConfig; 3] = [
        TileConfig { wide: 2, blocks: 2 },
        TileConfig { wide: 1, blocks: 4 },
        TileConfig { wide: 1, blocks: 1 },
    ];
    /// The index in [`ALL`](TileConfig::ALL) of the fastest configuration for a result of `m` rows
    /// and `n` columns, on a device of `processors` multiprocessors.
    ///
    /// Clusters go through the tiles in rounds. A stage of a wide tile takes as long as 16/9 stages
    /// of a narrow one, or as two of narrow tiles in a cluster of four, which fetches least:
    /// measured on an H100 for five shapes.
    ///
    /// ```
    /// use layout_nvidia::hopper::TileConfig;
    /// // 32 wide tiles leave half of 66 clusters idle, 128 narrow tiles do not.
    /// assert_eq!(TileConfig::fastest_for(2048, 1024, 132), 2);
    /// // 24 tiles, for 66 clusters of two or 30 of four blocks.
    /// assert_eq!(TileConfig::fastest_for(1000, 1520, 132), 1);
    /// // 256 wide tiles in 4 rounds, or 1024 narrow tiles in 8.
    /// assert_eq!(TileConfig::fastest_for(4096, 4096, 132), 0);
    /// ```
    #[must_use]
    pub const fn fastest_for(m: usize, n: usize, processors: usize) -> usize {
        let (mut best, mut least, mut i) = (0, usize::MAX, 0);
        while i < TileConfig::ALL.len() {
            let config = TileConfig::ALL[i];
            let (rows, columns, _) = config.launch_sizes(m, n, processors);
            let rounds =
                (rows as usize * columns as usize).div_ceil(config.concurrent_clusters(processors));
            let takes = rounds
                * if config.wide == 2 {
                    16
                } else if config.blocks == 4 {
                    8
                } else {
                    9
                };
            if takes < least {
                (best, least) = (i, takes);
            }
            i += 1;
        }
        best
    }
    /// The number of concurrent clusters. Multiprocessors come in groups of 16 or 18, and a cluster
    /// has to fit into one group: on 132 multiprocessors, 30 clusters of four run.
    const fn concurrent_clusters(self, processors: usize) -> usize {
        let concurrent_clusters =
            if self.blocks == 4 { processors * 10 / 44 } else { processors / self.blocks };
        if concurrent_clusters > 0 { concurrent_clusters } else { 1 }
    }
    /// The arguments of a kernel for a product on a device of `processors` multiprocessors: the
    /// tiles of a cluster along M and along N, and the number of clusters.
    #[must_use]
    pub const fn launch_sizes(self, m: usize, n: usize, processors: usize) -> (u32, u32, u32) {
        let (high, across) = if self.blocks == 1 { (1, 1) } else { (2, self.blocks / 2) };
        let (rows, columns) = (m.div_ceil(128 * high), n.div_ceil(128 * self.wide * across));
        let (tiles, concurrent_clusters) = (rows * columns, self.concurrent_clusters(processors));
        (
            rows as u32,
            columns as u32,
            if tiles < concurrent_clusters { tiles } else { concurrent_clusters } as u32,
        )
    }
}
