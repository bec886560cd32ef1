//! How a result is cut into the tiles of clusters, so that few multiprocessors are idle.

/// How a product is cut, for one of the instances of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The columns of a tile, in units of 128.
    pub wide: usize,
    /// The blocks of a cluster that share their operands, two above one another.
    pub blocks: usize,
}
impl Cut {
    /// Those that there are kernels of.
    pub const ALL: [Cut; 3] = [Cut { wide: 2, blocks: 2 }, Cut { wide: 1, blocks: 4 }, Cut { wide: 1, blocks: 1 }];
    /// The number in [`ALL`](Cut::ALL) of the one that takes least time for a result of so many rows and columns, on a
    /// device of so many multiprocessors.
    ///
    /// Clusters go through the tiles in rounds. A stage of a wide tile takes as long as 16/9 stages of a narrow one, or as
    /// two of narrow tiles in a cluster of four, which fetches least: figures of an H100 at five shapes.
    ///
    /// ```
    /// use layout_nvidia::hopper::Cut;
    /// // 32 wide tiles leave half of 66 clusters idle, 128 narrow ones do not.
    /// assert_eq!(Cut::of(2048, 1024, 132), 2);
    /// // 24 tiles, for 66 clusters of two or 30 of four blocks.
    /// assert_eq!(Cut::of(1000, 1520, 132), 1);
    /// // 256 wide tiles in 4 rounds, or 1024 narrow ones in 8.
    /// assert_eq!(Cut::of(4096, 4096, 132), 0);
    /// ```
    #[must_use]
    pub const fn of(m: usize, n: usize, processors: usize) -> usize {
        let (mut best, mut least, mut i) = (0, usize::MAX, 0);
        while i < Cut::ALL.len() {
            let cut = Cut::ALL[i];
            let (rows, columns, _) = cut.sizes(m, n, processors);
            let rounds = (rows as usize * columns as usize).div_ceil(cut.at_once(processors));
            let takes = rounds
                * if cut.wide == 2 {
                    16
                } else if cut.blocks == 4 {
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
    /// How many clusters run at a time. Multiprocessors come in groups of 16 or 18, and a cluster has to fit into one: of
    /// clusters of four 30 run on 132 of them.
    const fn at_once(self, processors: usize) -> usize {
        let at_once = if self.blocks == 4 { processors * 10 / 44 } else { processors / self.blocks };
        if at_once > 0 { at_once } else { 1 }
    }
    /// Of a product, on a device of so many multiprocessors: the tiles of a cluster along M and along N, and the clusters, as a
    /// kernel is told.
    #[must_use]
    pub const fn sizes(self, m: usize, n: usize, processors: usize) -> (u32, u32, u32) {
        let (high, across) = if self.blocks == 1 { (1, 1) } else { (2, self.blocks / 2) };
        let (rows, columns) = (m.div_ceil(128 * high), n.div_ceil(128 * self.wide * across));
        let (tiles, at_once) = (rows * columns, self.at_once(processors));
        (rows as u32, columns as u32, if tiles < at_once { tiles } else { at_once } as u32)
    }
}
