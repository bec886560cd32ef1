//! Tiles of global memory on their way to shared memory while others are multiplied.
//!
//! ```text
//! stage   0 .. STAGES          places for a tile in shared memory: the last mode of its layout
//! read    the stage whose tile is multiplied
//! write   the stage that is filled: the one read before
//! ```

use core::hint::assert_unchecked;

use crate::device::Ended;

/// The copies of a kernel's tiles, `STAGES - 1` of them ahead: `cp.async` in groups.
///
/// ```
/// use layout_nvidia::device::Pipeline;
/// let mut pipe = Pipeline::<3>::new(5); // 5 tiles through 3 stages
/// let mut fetched = Vec::new();
/// pipe.fill(|tile, stage| Ok(fetched.push((tile, stage))))?;
/// assert_eq!((fetched.as_slice(), pipe.read()), ([(0, 0), (1, 1)].as_slice(), 0));
/// let mut read = Vec::new();
/// while pipe.more() {
///     pipe.fetch(|tile, stage| Ok(fetched.push((tile, stage))))?;
///     pipe.commit();
///     read.push(pipe.read());
///     pipe.next();
/// }
/// assert_eq!(fetched, [(0, 0), (1, 1), (2, 2), (3, 0), (4, 1)]);
/// assert_eq!(read, [0, 1, 2, 0, 1]);
/// # Ok::<(), layout_nvidia::device::Ended>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Pipeline<const STAGES: usize> {
    left: u32,
    next: u32,
    tiles: usize,
    /// Below `STAGES`, as `write` is.
    read: u32,
    write: u32,
}
impl<const STAGES: usize> Pipeline<STAGES> {
    /// The pipeline of so many tiles.
    #[inline]
    #[must_use]
    pub fn new(tiles: usize) -> Self {
        const { assert!(STAGES >= 2, "a tile is fetched while another one is read") }
        Pipeline { left: tiles as u32, next: 0, tiles, read: 0, write: 0 }
    }
    /// Fetches the first tiles, and waits for the first one.
    #[inline]
    pub fn fill(&mut self, mut copy: impl FnMut(usize, usize) -> Result<(), Ended>) -> Result<(), Ended> {
        for _ in 1..STAGES {
            self.fetch(&mut copy)?;
            self.commit();
        }
        self.arrive();
        Ok(())
    }
    /// Are there tiles to multiply?
    #[inline]
    #[must_use]
    pub fn more(&self) -> bool {
        self.left != 0
    }
    /// The stage that is read.
    #[inline]
    #[must_use]
    pub fn read(&self) -> usize {
        Self::below_stages(self.read)
    }
    /// Starts copies of the next tile, if there is one, into the stage that is free: all of them, or a part, so that
    /// they are spread over the products of a tile.
    #[inline]
    pub fn fetch(&self, copy: impl FnOnce(usize, usize) -> Result<(), Ended>) -> Result<(), Ended> {
        if (self.next as usize) < self.tiles {
            copy(self.next as usize, Self::below_stages(self.write))?;
        }
        Ok(())
    }
    /// All copies of the next tile are started.
    #[inline]
    pub fn commit(&mut self) {
        self.next += 1;
        self.write = Self::after(self.write);
        #[cfg(target_arch = "nvptx64")]
        // SAFETY: closes a group of copies.
        unsafe {
            core::arch::asm!("cp.async.commit_group;", options(nostack));
        }
    }
    /// Goes on to the next tile: waits until its copies have arrived for all threads.
    #[inline]
    pub fn next(&mut self) {
        self.left -= 1;
        self.read = Self::after(self.read);
        self.arrive();
    }
    #[inline]
    fn after(stage: u32) -> u32 {
        if stage + 1 == STAGES as u32 { 0 } else { stage + 1 }
    }
    /// The compiler is told, so that a slice at a stage needs no check.
    #[inline]
    fn below_stages(stage: u32) -> usize {
        let stage = stage as usize;
        // SAFETY: both numbers are 0 at first, and then `after` makes them.
        unsafe { assert_unchecked(stage < STAGES) };
        stage
    }
    #[inline]
    fn arrive(&self) {
        #[cfg(target_arch = "nvptx64")]
        // SAFETY: waits.
        unsafe {
            core::arch::asm!("cp.async.wait_group {};", const STAGES - 2, options(nostack));
        }
        crate::device::barrier();
    }
}
