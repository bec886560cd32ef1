//! Copies of whole tiles between global and shared memory, that one thread starts: TMA, `cp.async.bulk.tensor`.
//!
//! ```text
//! box        the tile in shared memory: a layout, swizzled or not. Walked in memory order it visits one mode of the
//!            tile after the other: `identity o right_inverse`, as (64,128):(1@1,1@0)
//! map        a tensor in global memory and a box: 128 bytes that the host makes
//! source     coordinates: a coordinate tensor that is cut as the data are
//! ```

use core::marker::PhantomData;

use layout_algebra::prelude::*;
use layout_algebra::tensor::space::Shared;
use layout_algebra::tensor::{CoordinateTensor, Storage, StorageMut};

use crate::hopper::{Cluster, Described, Full, Reserved, SwizzleMode, beyond};

/// What is known of a box by its layout: its extents along the two modes of its tile, which of them has its elements
/// side by side, and its swizzle.
///
/// ```
/// use half::f16;
/// use layout_algebra::prelude::*;
/// use layout_nvidia::hopper::{MapBox, SwizzleMode};
/// type Tile = ComposedLayout<Swizzle<3, 3, 3>, Int<0>, Layout!((128, 64):(64, 1))>;
/// let known = MapBox::of::<f16, Tile>().unwrap();
/// assert_eq!((known.extents, known.inner, known.swizzle), ([128, 64], 1, SwizzleMode::Bytes128));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapBox {
    /// The extents along mode 0 and 1.
    pub extents: [usize; 2],
    /// The mode with its elements side by side.
    pub inner: usize,
    /// The swizzle.
    pub swizzle: SwizzleMode,
    /// The bytes of an element.
    pub bytes: usize,
}
impl MapBox {
    /// That of a tile of elements of the type `T`.
    ///
    /// # Errors
    /// A sentence, if a box cannot be laid out so.
    ///
    /// ```
    /// use half::f16;
    /// use layout_algebra::prelude::*;
    /// use layout_nvidia::hopper::MapBox;
    /// type Wide = ComposedLayout<Swizzle<3, 3, 3>, Int<0>, Layout!((64, 128):(128, 1))>;
    /// assert_eq!(
    ///     MapBox::of::<f16, Wide>().unwrap_err(),
    ///     "no box: the inner mode has more bytes than a row of the swizzle"
    /// );
    /// ```
    pub const fn of<T, L: Described>() -> Result<MapBox, &'static str> {
        let (layout, (bits, base, shift), bytes) = (L::INNER, L::SWIZZLE, size_of::<T>());
        let extents = [layout.threads(), layout.values()];
        let Some(swizzle) = SwizzleMode::of_bits(bits) else {
            return Err("no box: the swizzle is none of 32, 64 and 128 bytes");
        };
        if bits != 0 && (shift != 3 || (bytes << base) != 16) {
            return Err("no box: the swizzle is none of 32, 64 and 128 bytes");
        }
        let [rows, columns] = extents;
        if rows == 0 || columns == 0 || rows > 256 || columns > 256 {
            return Err("no box: a mode has no element, or more than 256");
        }
        // Memory order is the order of one mode after the other.
        let inner = if columns > 1 && layout.of_thread(0, 1) == 1 { 1 } else { 0 };
        let (fast, slow) = if inner == 1 { (columns, rows) } else { (rows, columns) };
        let mut i = 0;
        while i < fast * slow {
            let offset =
                if inner == 1 { layout.of_thread(i / fast, i % fast) } else { layout.of_thread(i % fast, i / fast) };
            if offset != i {
                return Err("no box: in memory order the tile does not go through one mode after the other");
            }
            i += 1;
        }
        if fast * bytes % 16 != 0 {
            return Err("no box: the inner mode has no multiple of 16 bytes");
        }
        if bits != 0 && fast * bytes > swizzle.row() {
            return Err("no box: the inner mode has more bytes than a row of the swizzle");
        }
        Ok(MapBox { extents, inner, swizzle, bytes })
    }
    /// Its bytes.
    #[must_use]
    pub const fn size(&self) -> usize {
        self.extents[0] * self.extents[1] * self.bytes
    }
}

/// Where a box lies in its tensor: a coordinate tensor, cut as the data are; its extents are those of the box.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_nvidia::hopper::Coordinates;
/// let whole = Tensor::coordinates(identity((1024, 512)));
/// let tile = whole.local_tile(tiler!(128, 64), (3, 2))?;
/// assert_eq!((tile.begin(), tile.extents()), ((384, 128), [128, 64]));
/// # Ok::<(), LayoutError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say where a box lies",
    label = "not a coordinate tensor of two modes",
    note = "`Tensor::coordinates(identity((m, k)))`, cut by `local_tile` as the data would be"
)]
pub trait Coordinates {
    /// The first coordinate.
    fn begin(&self) -> (usize, usize);
    /// The extents of both modes.
    fn extents(&self) -> [usize; 2];
}
impl<T, S, D> Coordinates for CoordinateTensor<T, S, D>
where
    T: IntTuple<Dynamic = (usize, usize)>,
    S: IntTuple,
    D: IntTuple,
    IdentityLayout<T, S, D>: Layout,
{
    #[inline]
    fn begin(&self) -> (usize, usize) {
        self.corner()
    }
    #[inline]
    fn extents(&self) -> [usize; 2] {
        [self.layout().mode_size(0), self.layout().mode_size(1)]
    }
}

/// A tensor in global memory, of elements of the type `T`, and a box of it that lies in shared memory under the layout
/// `L`. CuTe's `make_tma_copy`.
///
/// It is made on the host, where it is encoded for the copy engine, and a kernel's parameter is a pointer to it.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct TensorMap<T, L> {
    words: [u64; 16],
    of: PhantomData<fn() -> (T, L)>,
}
impl<T, L: Described> TensorMap<T, L> {
    /// What is known of the box.
    pub const BOX: MapBox = match MapBox::of::<T, L>() {
        Ok(known) => known,
        Err(because) => panic!("{}", because),
    };
    /// The bytes that a copy brings.
    pub const BYTES: u32 = Self::BOX.size() as u32;

    #[cfg(feature = "launch")]
    pub(crate) fn of_words(words: [u64; 16]) -> Self {
        TensorMap { words, of: PhantomData }
    }
    #[cfg(feature = "launch")]
    pub(crate) fn words(&self) -> &[u64; 16] {
        &self.words
    }

    /// Makes what the host wrote known to the copy engine of this block: once, by one thread, before the first copy.
    #[inline]
    pub fn prepare(&self) {
        #[cfg(target_arch = "nvptx64")]
        // SAFETY: the map is there, 128 bytes of global memory.
        unsafe {
            core::arch::asm!("fence.proxy.tensormap::generic.acquire.gpu [{map}], 128;", "prefetch.tensormap [{map}];",
                map = in(reg64) &raw const self.words, options(nostack));
        }
    }

    /// The coordinates in the order of the map: that with its elements side by side first.
    #[inline]
    fn ordered(coordinates: &impl Coordinates) -> (u32, u32) {
        if coordinates.extents() != Self::BOX.extents {
            beyond();
        }
        let corner = coordinates.begin();
        if Self::BOX.inner == 1 { (corner.1 as u32, corner.0 as u32) } else { (corner.0 as u32, corner.1 as u32) }
    }
    /// Where a tile of shared memory begins, which is laid out as the box.
    #[inline]
    fn tile<S: Storage<Item = T, Space = Shared>, M: Described>(tile: &Tensor<S, M>) -> u32 {
        const {
            match MapBox::of::<T, M>() {
                Ok(known) => assert!(
                    known.extents[0] == Self::BOX.extents[0]
                        && known.extents[1] == Self::BOX.extents[1]
                        && known.inner == Self::BOX.inner
                        && known.swizzle as u32 == Self::BOX.swizzle as u32,
                    "the tile in shared memory is laid out otherwise than the box of the map"
                ),
                Err(because) => panic!("{}", because),
            }
        }
        match tile.address(0) {
            Some(address) => address.addr() as u32,
            None => beyond(),
        }
    }

    /// Starts a copy of the box at these coordinates into a stage of a ring: it brings [`BYTES`](TensorMap::BYTES) to
    /// it. Beyond the tensor it writes zeros.
    #[inline]
    pub fn load<S, M, const STAGES: u32>(
        &self,
        coordinates: &impl Coordinates,
        tile: &mut Tensor<S, M>,
        stage: &Reserved<'_, Full<STAGES>>,
    ) where
        S: StorageMut<Item = T, Space = Shared>,
        M: Described,
    {
        let ((x, y), tile, barrier) =
            (Self::ordered(coordinates), Self::tile(tile), stage.full().place(stage.number()));
        #[cfg(target_arch = "nvptx64")]
        // SAFETY: the map is one of this type, the tile has room for its box, and the stage is reserved.
        unsafe {
            core::arch::asm!(
                concat!("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes ",
                    "[{tile}], [{map}, {{{x}, {y}}}], [{barrier}];"),
                tile = in(reg32) tile, map = in(reg64) &raw const self.words, x = in(reg32) x, y = in(reg32) y,
                barrier = in(reg32) barrier, options(nostack));
        }
        #[cfg(not(target_arch = "nvptx64"))]
        let _ = (x, y, tile, barrier);
    }
    /// [`load`](TensorMap::load) into the same place of all blocks of a cluster: each of them gets the bytes.
    #[inline]
    pub fn load_to_all<S, M, const STAGES: u32, const BLOCKS: u32>(
        &self,
        cluster: Cluster<BLOCKS>,
        coordinates: &impl Coordinates,
        tile: &mut Tensor<S, M>,
        stage: &Reserved<'_, Full<STAGES>>,
    ) where
        S: StorageMut<Item = T, Space = Shared>,
        M: Described,
    {
        if BLOCKS == 1 {
            return self.load(coordinates, tile, stage);
        }
        let ((x, y), tile, barrier) =
            (Self::ordered(coordinates), Self::tile(tile), stage.full().place(stage.number()));
        #[cfg(target_arch = "nvptx64")]
        // SAFETY: as above; the stage is empty in all blocks, whose consumers arrive here too (`Empty`).
        unsafe {
            core::arch::asm!(
                concat!("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes",
                    ".multicast::cluster [{tile}], [{map}, {{{x}, {y}}}], [{barrier}], {all};"),
                tile = in(reg32) tile, map = in(reg64) &raw const self.words, x = in(reg32) x, y = in(reg32) y,
                barrier = in(reg32) barrier, all = in(reg16) cluster.all(), options(nostack));
        }
        #[cfg(not(target_arch = "nvptx64"))]
        let _ = (x, y, tile, barrier, cluster.all());
    }

    /// Starts a copy of a tile to these coordinates; what lies beyond the tensor is not written. The tile was written
    /// before [`fence_async`](crate::hopper::fence_async); [`stored`] waits until it may be written again.
    #[inline]
    pub fn store<S, M>(&self, coordinates: &impl Coordinates, tile: &Tensor<S, M>)
    where
        S: Storage<Item = T, Space = Shared>,
        M: Described,
    {
        let ((x, y), tile) = (Self::ordered(coordinates), Self::tile(tile));
        #[cfg(target_arch = "nvptx64")]
        // SAFETY: the map is one of this type, and the tile is its box.
        unsafe {
            core::arch::asm!("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [{map}, {{{x}, {y}}}], [{tile}];",
                "cp.async.bulk.commit_group;", tile = in(reg32) tile, map = in(reg64) &raw const self.words,
                x = in(reg32) x, y = in(reg32) y, options(nostack));
        }
        #[cfg(not(target_arch = "nvptx64"))]
        let _ = (x, y, tile);
    }
    /// [`store`](TensorMap::store) that adds to what is there: `cp.reduce.async.bulk.tensor .. .add`.
    #[inline]
    pub fn add<S, M>(&self, coordinates: &impl Coordinates, tile: &Tensor<S, M>)
    where
        S: Storage<Item = T, Space = Shared>,
        M: Described,
    {
        let ((x, y), tile) = (Self::ordered(coordinates), Self::tile(tile));
        #[cfg(target_arch = "nvptx64")]
        // SAFETY: as above.
        unsafe {
            core::arch::asm!(
                concat!("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group ",
                    "[{map}, {{{x}, {y}}}], [{tile}];"),
                "cp.async.bulk.commit_group;", tile = in(reg32) tile, map = in(reg64) &raw const self.words,
                x = in(reg32) x, y = in(reg32) y, options(nostack));
        }
        #[cfg(not(target_arch = "nvptx64"))]
        let _ = (x, y, tile);
    }
}

/// Waits until all but the last `LEFT` stores of this thread have read their tiles.
#[inline]
pub fn stored<const LEFT: u32>() {
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: waits.
    unsafe {
        core::arch::asm!("cp.async.bulk.wait_group.read {};", const LEFT, options(nostack));
    }
}
/// Waits until all stores of this thread are over.
#[inline]
pub fn stored_all() {
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: waits.
    unsafe {
        core::arch::asm!("cp.async.bulk.wait_group 0;", options(nostack));
    }
}
