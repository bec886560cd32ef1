//! Copies tiles from global to shared memory while other tiles are multiplied.
//!
//! ```text
//! stage   0 .. STAGES          places for a tile in shared memory: the last mode of its layout
//! read    the stage whose tile is multiplied
//! write   the stage that is filled: the one read before
//! ```

use core::hint::assert_unchecked;

use crate::device::Trap;

/// Waits until all `cp.async` copies of this thread have arrived: other threads see the data after
/// a barrier.
#[inline]
pub fn cp_async_wait_all() {
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: waits.
    unsafe {
        core::arch::asm!("cp.async.wait_all;", options(nostack));
    }
}

/// The copies of a kernel's tiles, `STAGES - 1` tiles ahead: `cp.async` in groups.
///
/// ```
/// use layout_nvidia::device::Pipeline;
/// // SAFETY: a block of one thread.
/// let mut pipe = unsafe { Pipeline::<3>::new(5) }; // 5 tiles through 3 stages
/// let mut fetched = Vec::new();
/// pipe.load_prologue(|tile, stage| Ok(fetched.push((tile, stage))))?;
/// assert_eq!((fetched.as_slice(), pipe.read_stage()), ([(0, 0), (1, 1)].as_slice(), 0));
/// let mut read = Vec::new();
/// while pipe.has_tiles() {
///     pipe.fetch_next(|tile, stage| Ok(fetched.push((tile, stage))))?;
///     pipe.commit_group();
///     read.push(pipe.read_stage());
///     pipe.wait_next();
/// }
/// assert_eq!(fetched, [(0, 0), (1, 1), (2, 2), (3, 0), (4, 1)]);
/// assert_eq!(read, [0, 1, 2, 0, 1]);
/// # Ok::<(), layout_nvidia::device::Trap>(())
/// ```
///
/// With `WARP`, a single warp has the pipeline and its stages, and does not wait for other warps.
#[derive(Clone, Copy, Debug)]
pub struct Pipeline<const STAGES: usize, const WARP: bool = false> {
    left: u32,
    next: u32,
    tiles: usize,
    /// Below `STAGES`, like `write`.
    read: u32,
    write: u32,
}
impl<const STAGES: usize, const WARP: bool> Pipeline<STAGES, WARP> {
    /// The pipeline of `tiles` tiles.
    ///
    /// # Safety
    /// All threads of the block, or of the warp, make the pipeline with the same number of tiles,
    /// and call its methods in the same order.
    #[inline]
    #[must_use]
    pub unsafe fn new(tiles: usize) -> Self {
        const { assert!(STAGES >= 2, "a tile is fetched while another one is read") }
        Pipeline { left: tiles as u32, next: 0, tiles, read: 0, write: 0 }
    }
    /// Fetches the first tiles, and waits for the first one.
    #[inline]
    pub fn load_prologue(
        &mut self,
        mut copy: impl FnMut(usize, usize) -> Result<(), Trap>,
    ) -> Result<(), Trap> {
        for _ in 1..STAGES {
            self.fetch_next(&mut copy)?;
            self.commit_group();
        }
        self.wait_group();
        Ok(())
    }
    /// Whether there are tiles to multiply.
    #[inline]
    #[must_use]
    pub fn has_tiles(&self) -> bool {
        self.left != 0
    }
    /// The stage to read.
    #[inline]
    #[must_use]
    pub fn read_stage(&self) -> usize {
        Self::below_stages(self.read)
    }
    /// Starts copies of the next tile, if there is one, to the free stage: the whole tile, or a
    /// part, to spread copies over the products of a tile.
    #[inline]
    pub fn fetch_next(
        &self,
        copy: impl FnOnce(usize, usize) -> Result<(), Trap>,
    ) -> Result<(), Trap> {
        if (self.next as usize) < self.tiles {
            copy(self.next as usize, Self::below_stages(self.write))?;
        }
        Ok(())
    }
    /// The tile to fetch now, and the free stage for it; after the last tile the last tile again,
    /// so that a loop fetches without a branch. That copy is not read.
    ///
    /// ```
    /// # use layout_nvidia::device::Pipeline;
    /// // SAFETY: a block of one thread.
    /// let mut pipe = unsafe { Pipeline::<2>::new(2) };
    /// pipe.load_prologue(|_, _| Ok(()))?;
    /// assert_eq!(pipe.next_write(), (1, 1)); // tile 0 is there, tile 1 goes to stage 1
    /// pipe.commit_group();
    /// pipe.wait_next();
    /// assert_eq!(pipe.next_write(), (1, 0)); // tile 1 is the last one
    /// # Ok::<(), layout_nvidia::device::Trap>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn next_write(&self) -> (usize, usize) {
        let next = (self.next as usize).min(self.tiles.wrapping_sub(1));
        (next, Self::below_stages(self.write))
    }
    /// Commits the copies of the next tile.
    #[inline]
    pub fn commit_group(&mut self) {
        self.next += 1;
        self.write = Self::stage_after(self.write);
        #[cfg(target_arch = "nvptx64")]
        // SAFETY: closes a group of copies.
        unsafe {
            core::arch::asm!("cp.async.commit_group;", options(nostack));
        }
    }
    /// Advances to the next tile: waits until its copies have arrived for all threads.
    #[inline]
    pub fn wait_next(&mut self) {
        self.left -= 1;
        self.read = Self::stage_after(self.read);
        self.wait_group();
    }
    /// After the last whole tile: copies one more tile to stage 0, and waits for it. This tile is
    /// not whole, and only its copies check each element: the main loop does not.
    ///
    /// ```
    /// # use layout_nvidia::device::Pipeline;
    /// // SAFETY: a block of one thread.
    /// let mut pipe = unsafe { Pipeline::<2>::new(70 / 32) }; // 70 along K: two tiles of 32
    /// pipe.load_prologue(|_, _| Ok(()))?;
    /// while pipe.has_tiles() {
    ///     pipe.fetch_next(|_, _| Ok(()))?;
    ///     pipe.commit_group();
    ///     pipe.wait_next();
    /// }
    /// let mut fetched = None;
    /// pipe.load_residue(|stage| Ok(fetched = Some((70 - 70 % 32, stage))))?; // and the last 6 of them
    /// assert_eq!(fetched, Some((64, 0)));
    /// # Ok::<(), layout_nvidia::device::Trap>(())
    /// ```
    #[inline]
    pub fn load_residue(
        &mut self,
        copy: impl FnOnce(usize) -> Result<(), Trap>,
    ) -> Result<(), Trap> {
        self.wait_all_groups();
        copy(0)?;
        self.wait_all_groups();
        Ok(())
    }
    #[inline]
    fn stage_after(stage: u32) -> u32 {
        if stage + 1 == STAGES as u32 { 0 } else { stage + 1 }
    }
    /// A stage, with a hint to the compiler that it is below `STAGES`: a slice at it needs no
    /// check.
    #[inline]
    fn below_stages(stage: u32) -> usize {
        let stage = stage as usize;
        // SAFETY: both numbers are 0 at first, and then results of `stage_after`.
        unsafe { assert_unchecked(stage < STAGES) };
        stage
    }
    /// Waits until all copies have arrived for all threads, except those of tiles after the next.
    #[inline]
    fn wait_group(&self) {
        #[cfg(target_arch = "nvptx64")]
        // SAFETY: waits.
        unsafe {
            core::arch::asm!("cp.async.wait_group {};", const STAGES - 2, options(nostack));
        }
        self.sync_members();
    }
    #[inline]
    fn wait_all_groups(&self) {
        cp_async_wait_all();
        self.sync_members();
    }
    #[inline]
    fn sync_members(&self) {
        // SAFETY: all threads of the block or of the warp call this, as promised to `new`.
        unsafe {
            if WARP {
                crate::device::sync_warp();
            } else {
                crate::device::sync_threads();
            }
        }
    }
}
