//! Copies of whole tiles between global and shared memory, that one thread starts: TMA,
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

/// What the layout of a box says: its extents along the two modes of its tile, which of them has
/// its elements side by side, and its swizzle.
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
        // Memory order is the order of one mode after the other.
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
    /// Its bytes.
    #[must_use]
    pub const fn byte_count(&self) -> usize {
        self.extents[0] * self.extents[1] * self.bytes
    }
}

/// Where a box lies in its tensor of `MODES` modes: a coordinate tensor, cut as the data are; its
/// extents are those of the box, and 1 along a third mode.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_nvidia::hopper::Coordinates;
/// let whole = Tensor::coordinates(identity((1024, 512)));
/// let tile = whole.local_tile(tiler!(128, 64), (3, 2))?;
/// assert_eq!((tile.first_coordinate(), tile.tensor_extents()), ([384, 128], [128, 64]));
/// // Many matrices of one size.
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

/// Coordinates that count from another one on: what [`domain_offset`] returns.
#[derive(Clone, Copy, Debug)]
pub struct DomainOffset<C, const MODES: usize> {
    origin: [usize; MODES],
    coordinates: C,
}
/// The same box where `origin` is the first coordinate of the tensor: of matrices that lie one
/// below the other, the one that begins there. CuTe's `domain_offset`.
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

/// Where a box lies, of those that a tensor is cut into: what [`TensorMap::box_coordinates`]
/// returns.
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

/// A copy of a box: the instruction, with the number of modes and its coordinates where they
/// belong.
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

/// A tensor in global memory, of elements of the type `T`, and a box of it that lies in shared
/// memory under the layout `L`. CuTe's `make_tma_copy`. The box has the tensor's first two modes;
/// of a third mode it is one element: many matrices of one size, each with its own end.
///
/// It is made on the host, where it is encoded for the copy engine. A kernel's parameter is a
/// [`Map`] of it, or a [`MapMut`].
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
                // SAFETY: parameters alone are made of this type, and stay where they are while the
                // kernel runs.
                unsafe { &*self.0 }
            }
        }
    )*};
}
maps! {
    /// A tensor map that is a kernel's parameter, all 128 bytes: the copy engine finds it where
    /// parameters are. (One that lay in the device's memory would have to be made known to each
    /// block, which took a microsecond.)
    ///
    /// A launch is given the map of memory that is lent to be read: what `TensorMap::new` makes of
    /// `&memory`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_nvidia::device::{Entry, ParameterValue, kernel};
    /// use layout_nvidia::hopper::Map;
    /// type Rows = ComposedLayout<Swizzle<3, 2, 3>, Int<0>, Layout!((64, 32):(32, 1))>;
    /// /// # Safety
    /// /// There is nothing to promise: whatever the map is of, it is not read.
    /// #[kernel(threads = Layout!(32))]
    /// pub unsafe fn nothing(rows: u32, map: Map<f32, Rows>) {
    ///     map.prefetch_descriptor();
    /// }
    /// assert_eq!((<nothing as Entry>::THREADS, Map::<f32, Rows>::IN_PLACE), (32, 128));
    /// ```
    Map;
    /// The [`Map`] of a tensor that the kernel writes. A launch is given the map of memory that is
    /// lent to be written: what `TensorMap::new` makes of `&mut memory`.
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
    /// What the layout of the box says.
    pub const BOX: MapBox = match MapBox::of_layout::<T, L>() {
        Ok(known) => known,
        Err(because) => panic!("{}", because),
    };
    /// The bytes that a copy brings.
    pub const BYTES: u32 = Self::BOX.byte_count() as u32;

    /// Has the map brought near before the first copy: by one thread.
    #[inline]
    pub fn prefetch_descriptor(&self) {
        #[cfg(target_arch = "nvptx64")]
        // SAFETY: a hint.
        unsafe {
            core::arch::asm!("prefetch.tensormap [{map}];", map = in(reg64) &raw const self.words, options(nostack));
        }
    }

    /// The coordinates in the order of the map: that with its elements side by side first.
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
    /// Where a tile of shared memory begins, which is laid out as the box.
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

    /// Starts a copy of the box at these coordinates into a stage of a ring: it brings
    /// [`BYTES`](TensorMap::BYTES) to it. Beyond the tensor it writes zeros. The copy goes on when
    /// this returns.
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
    /// The tile is written by nothing else, and read by nobody, until the stage is full.
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
        // SAFETY: the map is one of this type, the tile has room for its box, and the stage is
        // reserved.
        unsafe {
            bulk!(self tile at "cp.async.bulk.tensor",
                ".shared::cluster.global.mbarrier::complete_tx::bytes [{tile}], [{map}, " at "], [{barrier}];",
                barrier = in(reg32) barrier,);
        }
        #[cfg(not(target_arch = "nvptx64"))]
        let _ = (at, tile, barrier);
    }
    /// [`load_tile`](TensorMap::load_tile) into the same place of all blocks of a cluster: each of
    /// them gets the bytes.
    ///
    /// # Safety
    /// That of `load_tile`, in all blocks of the cluster, in which the stage is empty.
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
    /// [`load_tile`](TensorMap::load_tile) into the same place of some blocks of a cluster, a bit
    /// each: `several`, or else this one.
    ///
    /// # Safety
    /// That of `load_tile`, in all of these blocks, in which the stage is empty.
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
        // SAFETY: as above; the stage is empty in these blocks, whose consumers arrive here too
        // (`Empty`).
        unsafe {
            bulk!(self tile at "cp.async.bulk.tensor",
                ".shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [{tile}], [{map}, " at
                "], [{barrier}], {blocks};", barrier = in(reg32) barrier,
                blocks = in(reg16) blocks,);
        }
        #[cfg(not(target_arch = "nvptx64"))]
        let _ = (at, tile, barrier, blocks);
    }

    /// Has the box at these coordinates brought near, to the second cache: whoever reads it soon
    /// waits less.
    #[inline]
    pub fn prefetch_tile(&self, coordinates: &impl Coordinates<MODES>) {
        let at = Self::map_coordinates(coordinates);
        #[cfg(target_arch = "nvptx64")]
        // SAFETY: the map is one of this type; nothing is written.
        unsafe {
            let tile = 0_u32;
            bulk!(self tile at "cp.async.bulk.prefetch.tensor", ".L2.global.tile [{map}, " at "]; // {tile}",);
        }
        #[cfg(not(target_arch = "nvptx64"))]
        let _ = at;
    }

    /// Starts a copy of a tile to these coordinates; what lies beyond the tensor is not written.
    /// The tile was written before [`fence_async`](crate::hopper::fence_async); [`tma_store_wait`]
    /// waits until it may be written again.
    ///
    /// # Safety
    /// The map is a parameter's of the type [`MapMut`]. The tile is not written until this thread
    /// has waited, and nothing else touches that part of the tensor until the store is over.
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
        // SAFETY: the map is one of this type, and the tile is its box.
        unsafe {
            bulk!(self tile at "cp.async.bulk.tensor", ".global.shared::cta.bulk_group [{map}, " at
                "], [{tile}]; cp.async.bulk.commit_group;",);
        }
        #[cfg(not(target_arch = "nvptx64"))]
        let _ = (at, tile);
    }
    /// [`store_tile`](TensorMap::store_tile) that adds to what is there:
    /// `cp.reduce.async.bulk.tensor .. .add`.
    ///
    /// # Safety
    /// That of `store_tile`; but others may add to the same part.
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
    /// Where box `(row, column)` lies, of those that the tensor is cut into: coordinates as those
    /// of a tensor that is cut by the box.
    ///
    /// `tile(i, j) == coordinates(identity(..)).local_tile(box, (i, j))`
    #[inline(always)]
    #[must_use]
    pub fn box_coordinates(&self, row: usize, column: usize) -> BoxAt {
        let extents = Self::BOX.extents;
        BoxAt { begin: [row * extents[0], column * extents[1]], extents }
    }
}

/// Starts a copy of two words from global memory into a tile of shared memory, of the number
/// `stage.stage_index()`: it brings 16 bytes to the stage. What a producer says of a stage comes as
/// its other copies do. `cp.async.bulk`.
///
/// # Safety
/// The words are there, at a multiple of 16 bytes, and the tile has two words for each stage.
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
/// Starts a copy of a tile whose elements lie one behind the other, in global memory as in shared
/// memory: it brings all of its bytes to the stage, and returns how many these are.
/// `cp.async.bulk`.
///
/// # Safety
/// The elements are there, at a multiple of 16 bytes in both, whole multiples of 16 bytes. The tile
/// is written by nothing else, and read by nobody, until the stage is full.
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
    // The span of the layout, which `Addressable` guarantees. (Anybody may implement a size.)
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
/// Waits until all stores of this thread are over.
#[inline]
pub fn tma_store_wait_all() {
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: waits.
    unsafe {
        core::arch::asm!("cp.async.bulk.wait_group 0;", options(nostack));
    }
}
