//! Asynchronous copies of whole tiles between global and shared memory, started by one thread: TMA,
//! `cp.async.bulk.tensor`.
//!
//! ```text
//! box        the tile in shared memory: a layout, swizzled or not. Walked in memory order it visits one mode of the
//!            tile after the other: `identity o right_inverse`, as (64,128):(1@1,1@0)
//! map        a tensor in global memory and a box: 128 bytes that the host makes
//! source     coordinates: a coordinate tensor that is cut as the data are
//! ```

use core::marker::PhantomData;

use layout_algebra::StaticLayout;
use layout_algebra::prelude::*;
use layout_algebra::tensor::space::Shared;
use layout_algebra::tensor::{Addressable, CoordinateTensor, Storage, StorageMut};

use crate::hopper::{Cluster, Full, HasDescriptor, Reserved, SwizzleMode, out_of_bounds};

/// The box of a layout: its extents along the two modes of its tile, its contiguous mode, and its
/// swizzle.
///
/// ```
/// use half::f16;
/// use layout_algebra::prelude::*;
/// use layout_nvidia::hopper::{MapBox, SwizzleMode};
/// type Tile = ComposedLayout<Swizzle<3, 3, 3>, Int<0>, Layout!((128, 64):(64, 1))>;
/// let known = MapBox::of_layout::<f16, Tile>().unwrap();
/// assert_eq!((known.extents, known.inner, known.swizzle), ([128, 64], 1, SwizzleMode::Bytes128));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapBox {
    /// The extents of mode 0 and 1.
    pub extents: [usize; 2],
    /// The contiguous mode.
    pub inner: usize,
    /// The swizzle.
    pub swizzle: SwizzleMode,
    /// The bytes of an element.
    pub bytes: usize,
}
impl MapBox {
    /// The box of a tile with elements of type `T`.
    ///
    /// # Errors
    /// A message, if a box cannot have this layout.
    ///
    /// ```
    /// use half::f16;
    /// use layout_algebra::prelude::*;
    /// use layout_nvidia::hopper::MapBox;
    /// type Wide = ComposedLayout<Swizzle<3, 3, 3>, Int<0>, Layout!((64, 128):(128, 1))>;
    /// assert_eq!(
    ///     MapBox::of_layout::<f16, Wide>().unwrap_err(),
    ///     "no box: the inner mode has more bytes than a row of the swizzle"
    /// );
    /// ```
    pub const fn of_layout<T, L: HasDescriptor>() -> Result<MapBox, &'static str> {
        let (layout, (bits, base, shift), bytes) = (L::INNER, L::SWIZZLE, size_of::<T>());
        let extents = [layout.threads(), layout.values()];
        let Some(swizzle) = SwizzleMode::from_bits(bits) else {
            return Err("no box: the swizzle is none of 32, 64 and 128 bytes");
        };
        if bits != 0 && (shift != 3 || (bytes << base) != 16) {
            return Err("no box: the swizzle is none of 32, 64 and 128 bytes");
        }
        let [rows, columns] = extents;
        if rows == 0 || columns == 0 || rows > 256 || columns > 256 {
            return Err("no box: a mode has no element, or more than 256");
        }
        // The modes are contiguous in memory, one after the other.
        let inner = if columns > 1 && layout.of_thread(0, 1) == 1 { 1 } else { 0 };
        let (fast, slow) = if inner == 1 { (columns, rows) } else { (rows, columns) };
        let mut i = 0;
        while i < fast * slow {
            let offset = if inner == 1 {
                layout.of_thread(i / fast, i % fast)
            } else {
                layout.of_thread(i % fast, i / fast)
            };
            if offset != i {
                return Err(
                    "no box: in memory order the tile does not go through one mode after the other",
                );
            }
            i += 1;
        }
        if fast * bytes % 16 != 0 {
            return Err("no box: the inner mode has no multiple of 16 bytes");
        }
        if bits != 0 && fast * bytes > swizzle.row_bytes() {
            return Err("no box: the inner mode has more bytes than a row of the swizzle");
        }
        Ok(MapBox { extents, inner, swizzle, bytes })
    }
    /// The bytes of the box.
    #[must_use]
    pub const fn byte_count(&self) -> usize {
        self.extents[0] * self.extents[1] * self.bytes
    }
}

/// The coordinates of a box in a tensor of `MODES` modes: a coordinate tensor, tiled as the data
/// are; its extents are those of the box, and 1 for a third mode.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_nvidia::hopper::Coordinates;
/// let whole = Tensor::coordinates(identity((1024, 512)));
/// let tile = whole.local_tile(tiler!(128, 64), (3, 2))?;
/// assert_eq!((tile.first_coordinate(), tile.tensor_extents()), ([384, 128], [128, 64]));
/// // Several matrices of one size.
/// let whole = Tensor::coordinates(identity((1024, 512, 16)));
/// let tile = whole.local_tile(tiler!(128, 64, 1), (3, 2, 7))?;
/// assert_eq!((tile.first_coordinate(), tile.tensor_extents()), ([384, 128, 7], [128, 64, 1]));
/// # Ok::<(), LayoutError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say where a box lies",
    label = "not a coordinate tensor of {MODES} modes",
    note = "`Tensor::coordinates(identity((m, k)))`, cut by `local_tile` as the data would be"
)]
pub trait Coordinates<const MODES: usize> {
    /// The first coordinate.
    fn first_coordinate(&self) -> [usize; MODES];
    /// The extents of all modes.
    fn tensor_extents(&self) -> [usize; MODES];
}
macro_rules! coordinates {
    ($($modes:literal $($mode:literal)*: $numbers:ty;)*) => {$(
        impl<T, S, D> Coordinates<$modes> for CoordinateTensor<T, S, D>
        where
            T: IntTuple<Dynamic = $numbers>,
            S: IntTuple,
            D: IntTuple,
            IdentityLayout<T, S, D>: Layout,
        {
            #[inline]
            fn first_coordinate(&self) -> [usize; $modes] {
                self.corner().into()
            }
            #[inline]
            fn tensor_extents(&self) -> [usize; $modes] {
                [$(self.layout().mode_size($mode)),*]
            }
        }
    )*};
}
coordinates! {
    2 0 1: (usize, usize);
    3 0 1 2: (usize, usize, usize);
}

/// Coordinates plus an offset: the result of [`domain_offset`].
#[derive(Clone, Copy, Debug)]
pub struct DomainOffset<C, const MODES: usize> {
    origin: [usize; MODES],
    coordinates: C,
}
/// The same box in a tensor that begins at `origin`: for matrices one below the other, the box in
/// one of them. CuTe's `domain_offset`.
///
/// `domain_offset(o, c).first_coordinate() == o + c.first_coordinate()`
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_nvidia::hopper::{Coordinates, domain_offset};
/// let tile = Tensor::coordinates(identity((1024, 512))).local_tile(tiler!(128, 64), (3, 2))?;
/// let tile = domain_offset([77, 0], tile);
/// assert_eq!((tile.first_coordinate(), tile.tensor_extents()), ([77 + 384, 128], [128, 64]));
/// # Ok::<(), LayoutError>(())
/// ```
#[inline]
pub fn domain_offset<C: Coordinates<MODES>, const MODES: usize>(
    origin: [usize; MODES],
    coordinates: C,
) -> DomainOffset<C, MODES> {
    DomainOffset { origin, coordinates }
}
impl<C: Coordinates<MODES>, const MODES: usize> Coordinates<MODES> for DomainOffset<C, MODES> {
    #[inline]
    fn first_coordinate(&self) -> [usize; MODES] {
        let mut begin = self.coordinates.first_coordinate();
        let mut mode = 0;
        while mode < MODES {
            begin[mode] += self.origin[mode];
            mode += 1;
        }
        begin
    }
    #[inline]
    fn tensor_extents(&self) -> [usize; MODES] {
        self.coordinates.tensor_extents()
    }
}

/// The coordinates of a box in a tensor: the result of [`TensorMap::box_coordinates`].
#[derive(Clone, Copy, Debug)]
pub struct BoxAt {
    begin: [usize; 2],
    extents: [usize; 2],
}
impl Coordinates<2> for BoxAt {
    #[inline]
    fn first_coordinate(&self) -> [usize; 2] {
        self.begin
    }
    #[inline]
    fn tensor_extents(&self) -> [usize; 2] {
        self.extents
    }
}

/// The copy of a box: the instruction for the number of modes, with its coordinates.
#[cfg(target_arch = "nvptx64")]
macro_rules! bulk {
    ($map:ident $tile:ident $at:ident $name:literal, $before:literal at $after:literal,
        $($operand:tt)*) => {
        if MODES == 3 {
            core::arch::asm!(concat!($name, ".3d", $before, "{{{x}, {y}, {z}}}", $after),
                tile = in(reg32) $tile,
                map = in(reg64) &raw const $map.words, x = in(reg32) $at.0, y = in(reg32) $at.1,
                z = in(reg32) $at.2,
                $($operand)* options(nostack))
        } else {
            core::arch::asm!(concat!($name, ".2d", $before, "{{{x}, {y}}}", $after),
                tile = in(reg32) $tile,
                map = in(reg64) &raw const $map.words, x = in(reg32) $at.0, y = in(reg32) $at.1,
                $($operand)* options(nostack))
        }
    };
}

/// A tensor in global memory, with elements of type `T`, and a box of it in shared memory under the
/// layout `L`. CuTe's `make_tma_copy`. The box has the tensor's first two modes, and extent 1 in a
/// third mode: several matrices of one size, each with its own end.
///
/// It is encoded on the host. A kernel's parameter is a [`Map`] of it, or a [`MapMut`].
#[derive(Debug)]
#[repr(C, align(64))]
pub struct TensorMap<T, L, const MODES: usize = 2> {
    words: [u64; 16],
    of: PhantomData<fn() -> (T, L)>,
}
macro_rules! maps {
    ($($(#[$doc:meta])* $map:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug)]
        #[repr(transparent)]
        pub struct $map<T, L, const MODES: usize = 2>(*const TensorMap<T, L, MODES>);
        impl<T, L, const MODES: usize> Clone for $map<T, L, MODES> {
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<T, L, const MODES: usize> Copy for $map<T, L, MODES> {}
        // SAFETY: the bytes of a map, and on the device their address.
        unsafe impl<T, L, const MODES: usize> crate::device::ParameterValue for $map<T, L, MODES> {
            const IN_PLACE: usize = size_of::<TensorMap<T, L, MODES>>();
        }
        impl<T, L, const MODES: usize> core::ops::Deref for $map<T, L, MODES> {
            type Target = TensorMap<T, L, MODES>;
            #[inline(always)]
            fn deref(&self) -> &TensorMap<T, L, MODES> {
                // SAFETY: only parameters have this type, and they keep their address while the
                // kernel runs.
                unsafe { &*self.0 }
            }
        }
    )*};
}
maps! {
    /// A tensor map as a kernel's parameter, all 128 bytes: the copy engine reads it from the
    /// parameters. (A map in device memory would need a fence in each block, which took a
    /// microsecond.)
    ///
    /// The argument is a map of memory borrowed for reading: `TensorMap::new` with `&memory`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_nvidia::device::{Entry, ParameterValue, kernel};
    /// use layout_nvidia::hopper::Map;
    /// type Rows = ComposedLayout<Swizzle<3, 2, 3>, Int<0>, Layout!((64, 32):(32, 1))>;
    /// /// No promises: the kernel does not read the tensor of the map.
    /// /// There is nothing to promise: whatever the map is of, it is not read.
    /// #[kernel(threads = Layout!(32))]
    /// pub unsafe fn nothing(rows: u32, map: Map<f32, Rows>) {
    ///     map.prefetch_descriptor();
    /// }
    /// assert_eq!((<nothing as Entry>::THREADS, Map::<f32, Rows>::IN_PLACE), (32, 128));
    /// ```
    Map;
    /// The [`Map`] of a tensor that the kernel writes. The argument is a map of memory borrowed for
    /// writing: `TensorMap::new` with `&mut memory`.
    MapMut;
}
#[cfg(feature = "launch")]
impl<T, L, const MODES: usize> TensorMap<T, L, MODES> {
    pub(crate) fn from_words(words: [u64; 16]) -> Self {
        TensorMap { words, of: PhantomData }
    }
    pub(crate) fn as_words(&self) -> &[u64; 16] {
        &self.words
    }
}
impl<T, L: HasDescriptor, const MODES: usize> TensorMap<T, L, MODES> {
    /// The box of the layout.
    pub const BOX: MapBox = match MapBox::of_layout::<T, L>() {
        Ok(known) => known,
        Err(because) => panic!("{}", because),
    };
    /// The bytes of a copy.
    pub const BYTES: u32 = Self::BOX.byte_count() as u32;

    /// Prefetches the map before the first copy: by one thread.
    #[inline]
    pub fn prefetch_descriptor(&self) {
        #[cfg(target_arch = "nvptx64")]
        // SAFETY: a hint.
        unsafe {
            core::arch::asm!("prefetch.tensormap [{map}];", map = in(reg64) &raw const self.words, options(nostack));
        }
    }

    /// The coordinates in the order of the map: the contiguous mode first.
    #[inline]
    fn map_coordinates(coordinates: &impl Coordinates<MODES>) -> (u32, u32, u32) {
        const { assert!(MODES == 2 || MODES == 3, "a map is of a tensor of 2 or 3 modes") };
        let (corner, extents) = (coordinates.first_coordinate(), coordinates.tensor_extents());
        let (inner, outer) = (Self::BOX.inner, 1 - Self::BOX.inner);
        if extents[..2] != Self::BOX.extents || extents[2..].iter().any(|extent| *extent != 1) {
            out_of_bounds();
        }
        (corner[inner] as u32, corner[outer] as u32, if MODES == 3 { corner[2] as u32 } else { 0 })
    }
    /// The address of a tile in shared memory with the layout of the box.
    #[inline]
    fn tile_address<S: Storage<Item = T, Space = Shared>, M: HasDescriptor>(
        tile: &Tensor<S, M>,
    ) -> u32 {
        const {
            match MapBox::of_layout::<T, M>() {
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
            None => out_of_bounds(),
        }
    }

    /// Starts an asynchronous copy of the box at these coordinates to a stage of a ring, which gets
    /// [`BYTES`](TensorMap::BYTES). Elements outside the tensor are zeros.
    ///
    /// ```compile_fail,E0133
    /// use layout_algebra::prelude::*;
    /// use layout_algebra::tensor::space::Shared;
    /// use layout_algebra::tensor::TileMut;
    /// use layout_nvidia::hopper::{Full, Reserved, TensorMap};
    /// type Box = Layout!((64, 32):(32, 1));
    /// fn fetch(map: &TensorMap<f32, Box>, to: &mut Tensor<TileMut<'_, f32, Shared>, Box>, stage: &Reserved<'_,
    /// Full<1>>) {
    ///     // Whoever lends the tile may read it too early: a promise is asked for.
    ///     map.load(&Tensor::coordinates(identity((64, 32))), to, stage);
    /// }
    /// ```
    ///
    /// # Safety
    /// Nothing else accesses the tile until the stage is full.
    #[inline]
    pub unsafe fn load_tile<S, M, const STAGES: u32>(
        &self,
        coordinates: &impl Coordinates<MODES>,
        tile: &mut Tensor<S, M>,
        stage: &Reserved<'_, Full<STAGES>>,
    ) where
        S: StorageMut<Item = T, Space = Shared>,
        M: HasDescriptor,
    {
        let (at, tile, barrier) = (
            Self::map_coordinates(coordinates),
            Self::tile_address(tile),
            stage.full_barriers().stage_address(stage.stage_index()),
        );
        #[cfg(target_arch = "nvptx64")]
        // SAFETY: the map has this type, the tile has the size of its box, and the stage is
        // reserved.
        unsafe {
            bulk!(self tile at "cp.async.bulk.tensor",
                ".shared::cluster.global.mbarrier::complete_tx::bytes [{tile}], [{map}, " at "], [{barrier}];",
                barrier = in(reg32) barrier,);
        }
        #[cfg(not(target_arch = "nvptx64"))]
        let _ = (at, tile, barrier);
    }
    /// [`load_tile`](TensorMap::load_tile) to the same offset in all blocks of a cluster: each of
    /// them gets the bytes.
    ///
    /// # Safety
    /// Those of `load_tile`, in all blocks of the cluster, in which the stage is empty.
    #[inline]
    pub unsafe fn load_multicast<S, M, const STAGES: u32, const BLOCKS: u32>(
        &self,
        cluster: Cluster<BLOCKS>,
        coordinates: &impl Coordinates<MODES>,
        tile: &mut Tensor<S, M>,
        stage: &Reserved<'_, Full<STAGES>>,
    ) where
        S: StorageMut<Item = T, Space = Shared>,
        M: HasDescriptor,
    {
        // SAFETY: the caller's promise.
        unsafe {
            self.load_multicast_if(BLOCKS > 1, cluster.multicast_mask(), coordinates, tile, stage)
        };
    }
    /// [`load_tile`](TensorMap::load_tile) to the same offset in some blocks of a cluster, a bit
    /// each: `several`, or else this block.
    ///
    /// # Safety
    /// Those of `load_tile`, in all of these blocks, in which the stage is empty.
    #[inline]
    pub unsafe fn load_multicast_if<S, M, const STAGES: u32>(
        &self,
        several: bool,
        blocks: u16,
        coordinates: &impl Coordinates<MODES>,
        tile: &mut Tensor<S, M>,
        stage: &Reserved<'_, Full<STAGES>>,
    ) where
        S: StorageMut<Item = T, Space = Shared>,
        M: HasDescriptor,
    {
        if !several {
            // SAFETY: the caller's promise.
            return unsafe { self.load_tile(coordinates, tile, stage) };
        }
        let (at, tile, barrier) = (
            Self::map_coordinates(coordinates),
            Self::tile_address(tile),
            stage.full_barriers().stage_address(stage.stage_index()),
        );
        #[cfg(target_arch = "nvptx64")]
        // SAFETY: as above; the stage is empty in these blocks, whose consumers arrive at this
        // block too (`Empty`).
        unsafe {
            bulk!(self tile at "cp.async.bulk.tensor",
                ".shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [{tile}], [{map}, " at
                "], [{barrier}], {blocks};", barrier = in(reg32) barrier,
                blocks = in(reg16) blocks,);
        }
        #[cfg(not(target_arch = "nvptx64"))]
        let _ = (at, tile, barrier, blocks);
    }

    /// Prefetches the box at these coordinates to the second cache.
    #[inline]
    pub fn prefetch_tile(&self, coordinates: &impl Coordinates<MODES>) {
        let at = Self::map_coordinates(coordinates);
        #[cfg(target_arch = "nvptx64")]
        // SAFETY: the map has this type; nothing is written.
        unsafe {
            let tile = 0_u32;
            bulk!(self tile at "cp.async.bulk.prefetch.tensor", ".L2.global.tile [{map}, " at "]; // {tile}",);
        }
        #[cfg(not(target_arch = "nvptx64"))]
        let _ = at;
    }

    /// Starts an asynchronous store of a tile to these coordinates; elements outside the tensor are
    /// not written. A [`fence_async`](crate::hopper::fence_async) is between the writes of the tile
    /// and this call; [`tma_store_wait`] waits until the tile may be overwritten.
    ///
    /// # Safety
    /// The map is a parameter of type [`MapMut`]. The tile is not written until this thread has
    /// waited, and nothing else accesses that part of the tensor until the store completes.
    #[inline]
    pub unsafe fn store_tile<S, M>(
        &self,
        coordinates: &impl Coordinates<MODES>,
        tile: &Tensor<S, M>,
    ) where
        S: Storage<Item = T, Space = Shared>,
        M: HasDescriptor,
    {
        let (at, tile) = (Self::map_coordinates(coordinates), Self::tile_address(tile));
        #[cfg(target_arch = "nvptx64")]
        // SAFETY: the map has this type, and the tile is its box.
        unsafe {
            bulk!(self tile at "cp.async.bulk.tensor", ".global.shared::cta.bulk_group [{map}, " at
                "], [{tile}]; cp.async.bulk.commit_group;",);
        }
        #[cfg(not(target_arch = "nvptx64"))]
        let _ = (at, tile);
    }
    /// [`store_tile`](TensorMap::store_tile) that adds to the tensor: `cp.reduce.async.bulk.tensor
    /// .. .add`.
    ///
    /// # Safety
    /// Those of `store_tile`; but others may add to the same part.
    #[inline]
    pub unsafe fn reduce_add<S, M>(
        &self,
        coordinates: &impl Coordinates<MODES>,
        tile: &Tensor<S, M>,
    ) where
        S: Storage<Item = T, Space = Shared>,
        M: HasDescriptor,
    {
        let (at, tile) = (Self::map_coordinates(coordinates), Self::tile_address(tile));
        #[cfg(target_arch = "nvptx64")]
        // SAFETY: as above.
        unsafe {
            bulk!(self tile at "cp.reduce.async.bulk.tensor",
                ".global.shared::cta.add.tile.bulk_group [{map}, " at "], [{tile}]; cp.async.bulk.commit_group;",);
        }
        #[cfg(not(target_arch = "nvptx64"))]
        let _ = (at, tile);
    }
}

impl<T, L: HasDescriptor> TensorMap<T, L> {
    /// The coordinates of box `(row, column)` of the tensor: those of a coordinate tensor that is
    /// tiled by the box.
    ///
    /// `tile(i, j) == coordinates(identity(..)).local_tile(box, (i, j))`
    #[inline(always)]
    #[must_use]
    pub fn box_coordinates(&self, row: usize, column: usize) -> BoxAt {
        let extents = Self::BOX.extents;
        BoxAt { begin: [row * extents[0], column * extents[1]], extents }
    }
}

/// Starts an asynchronous copy of two words from global memory to the words of stage
/// `stage.stage_index()` in a tile of shared memory: the stage gets 16 bytes. A producer sends the
/// description of a stage with its other copies. `cp.async.bulk`.
///
/// # Safety
/// The words exist, aligned to 16 bytes, and the tile has two words for each stage.
#[inline]
pub unsafe fn load_word_pair<S, L, const STAGES: u32>(
    from: *const [u64; 2],
    tile: &mut Tensor<S, L>,
    stage: &Reserved<'_, Full<STAGES>>,
) where
    S: StorageMut<Item = u64, Space = Shared>,
    L: Addressable,
{
    let barrier = stage.full_barriers().stage_address(stage.stage_index());
    // SAFETY: the caller's promise.
    let to =
        unsafe { tile.address(2 * stage.stage_index() as usize).unwrap_unchecked() }.addr() as u32;
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: the caller's promise, and the stage is reserved.
    unsafe {
        core::arch::asm!("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [{to}], [{from}], 16, [{barrier}];",
            to = in(reg32) to, from = in(reg64) from, barrier = in(reg32) barrier,
            options(nostack));
    }
    #[cfg(not(target_arch = "nvptx64"))]
    let _ = (to, from, barrier);
}
/// Starts an asynchronous copy of a contiguous tile from global to shared memory: the stage gets
/// all of its bytes, whose number is returned. `cp.async.bulk`.
///
/// # Safety
/// The elements exist, aligned to 16 bytes on both sides, and their bytes are a multiple of 16.
/// Nothing else accesses the tile until the stage is full.
#[inline]
pub unsafe fn load_bulk<T, S, L, const STAGES: u32>(
    from: *const T,
    tile: &mut Tensor<S, L>,
    stage: &Reserved<'_, Full<STAGES>>,
) -> u32
where
    S: StorageMut<Item = T, Space = Shared>,
    L: Addressable + StaticLayout,
{
    // The span of the layout, which `Addressable` guarantees. (Implementations of a size are not
    // trusted.)
    let bytes = const {
        match L::SPAN {
            Some(span) if span == L::SIZE && span * size_of::<T>() % 16 == 0 => {
                (span * size_of::<T>()) as u32
            }
            _ => panic!("the tile is no run of 16 bytes each"),
        }
    };
    let barrier = stage.full_barriers().stage_address(stage.stage_index());
    let to = match tile.address(0) {
        Some(to) => to.addr() as u32,
        None => out_of_bounds(),
    };
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: the caller's promise, and the stage is reserved.
    unsafe {
        core::arch::asm!(
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [{to}], [{from}], {bytes}, [{barrier}];",
            to = in(reg32) to, from = in(reg64) from, bytes = in(reg32) bytes,
            barrier = in(reg32) barrier,
            options(nostack));
    }
    #[cfg(not(target_arch = "nvptx64"))]
    let _ = (to, from, barrier);
    bytes
}
/// Waits until all but the last `LEFT` stores of this thread have read their tiles.
#[inline]
pub fn tma_store_wait<const LEFT: u32>() {
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: waits.
    unsafe {
        core::arch::asm!("cp.async.bulk.wait_group.read {};", const LEFT, options(nostack));
    }
}
/// Waits until all stores of this thread have completed.
#[inline]
pub fn tma_store_wait_all() {
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: waits.
    unsafe {
        core::arch::asm!("cp.async.bulk.wait_group 0;", options(nostack));
    }
}
