//! The host's side of TMA: encodes a tensor and a box in the 128 bytes of a tensor map.

use std::fmt::{self, Display, Formatter};
use std::mem::MaybeUninit;

use cudarc::driver::sys::{self, CUtensorMap, CUtensorMapDataType};
use cudarc::driver::{CudaSlice, CudaStream, DevicePtr, DriverError};
use half::{bf16, f16};
use layout_algebra::DynLayout;

use crate::element::{E4m3, E5m2, Tf32};
use crate::hopper::{HasDescriptor, Map, MapBox, MapMut, SwizzleMode, TensorMap};
use crate::launch::{Argument, ArgumentList};

/// An element type of tensor maps.
///
/// ```compile_fail,E0200
/// impl layout_nvidia::hopper::MapElement for bool {
///     const TYPE: cudarc::driver::sys::CUtensorMapDataType =
///         cudarc::driver::sys::CUtensorMapDataType::CU_TENSOR_MAP_DATA_TYPE_UINT8;
/// }
/// ```
///
/// # Safety
/// The type has the width of the driver's type, and every bit pattern is valid: the copy engine
/// writes arbitrary bits.
pub unsafe trait MapElement: Copy + 'static {
    /// The driver's name of the type.
    const TYPE: CUtensorMapDataType;
}
macro_rules! elements {
    ($($element:ty: $name:ident;)*) => {$(
        // SAFETY: numbers of the driver's width, for which every bit pattern is valid.
        unsafe impl MapElement for $element {
            const TYPE: CUtensorMapDataType = CUtensorMapDataType::$name;
        }
    )*};
}
elements! {
    u8: CU_TENSOR_MAP_DATA_TYPE_UINT8;
    E4m3: CU_TENSOR_MAP_DATA_TYPE_UINT8;
    E5m2: CU_TENSOR_MAP_DATA_TYPE_UINT8;
    u16: CU_TENSOR_MAP_DATA_TYPE_UINT16;
    u32: CU_TENSOR_MAP_DATA_TYPE_UINT32;
    i32: CU_TENSOR_MAP_DATA_TYPE_INT32;
    f16: CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
    bf16: CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
    f32: CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
    Tf32: CU_TENSOR_MAP_DATA_TYPE_TFLOAT32;
    f64: CU_TENSOR_MAP_DATA_TYPE_FLOAT64;
}

/// The reason why a tensor has no map.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum MapError {
    /// The tensor does not have the modes of the map, with one stride each.
    Rank {
        /// The layout of the tensor.
        layout: String,
        /// The modes of the map.
        modes: usize,
    },
    /// A mode is empty, or has more than 2^32 elements.
    Extent {
        /// The layout of the tensor.
        layout: String,
        /// The mode.
        mode: usize,
        /// Its elements.
        extent: usize,
    },
    /// The contiguous mode of the box is not contiguous in the tensor.
    Inner {
        /// The layout of the tensor.
        layout: String,
        /// The mode.
        mode: usize,
        /// Its stride.
        stride: usize,
    },
    /// A stride is not a multiple of 16 bytes, or not below 2^40.
    Stride {
        /// The layout of the tensor.
        layout: String,
        /// The mode.
        mode: usize,
        /// Its bytes.
        bytes: usize,
    },
    /// The tensor's address is not a multiple of 16 bytes.
    Address(u64),
    /// The memory ends before the tensor.
    Short {
        /// The layout of the tensor.
        layout: String,
        /// The elements that it reaches.
        reached: usize,
        /// The elements of the memory.
        elements: usize,
    },
    /// The driver refuses.
    Driver(DriverError),
}
impl Display for MapError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            MapError::Rank { layout, modes } => {
                write!(
                    f,
                    "no map of {layout}: it takes {modes} modes of one stride each, and the \
                     tensor has others"
                )
            }
            MapError::Extent { layout, mode, extent } => {
                write!(
                    f,
                    "no map of {layout}: mode {mode} has {extent} elements, and it takes 1 to \
                     4294967296"
                )
            }
            MapError::Inner { layout, mode, stride } => {
                write!(
                    f,
                    "no map of {layout}: mode {mode} is side by side in the box, and has stride \
                     {stride} here"
                )
            }
            MapError::Stride { layout, mode, bytes } => write!(
                f,
                "no map of {layout}: mode {mode} has a stride of {bytes} bytes, and it takes a \
                 multiple of 16 below 2^40"
            ),
            MapError::Address(address) => {
                write!(
                    f,
                    "no map: the tensor begins at {address:#x}, and it takes a multiple of 16"
                )
            }
            MapError::Short { layout, reached, elements } => {
                write!(
                    f,
                    "no map of {layout}: it reaches {reached} elements, and the memory has \
                     {elements}"
                )
            }
            MapError::Driver(error) => write!(f, "no map: the driver: {error:?}"),
        }
    }
}
impl std::error::Error for MapError {}
impl From<DriverError> for MapError {
    fn from(error: DriverError) -> Self {
        MapError::Driver(error)
    }
}

impl MapBox {
    /// The extents of a tensor of `MODES` modes and its strides in bytes, in the order of a map
    /// with this box: the driver's arguments, apart from the first stride, which is the size of an
    /// element. The memory has `elements` elements.
    ///
    /// # Errors
    /// The driver's rule that is broken, with its numbers.
    ///
    /// ```
    /// use half::f16;
    /// use layout_algebra::prelude::*;
    /// use layout_nvidia::hopper::MapBox;
    /// type Tile = ComposedLayout<Swizzle<3, 3, 3>, Int<0>, Layout!((128, 64):(64, 1))>;
    /// let rows = MapBox::of_layout::<f16, Tile>().unwrap();
    /// // K is contiguous: it is the first mode.
    /// let (m, k) = (1000, 520);
    /// assert_eq!(rows.extents_and_strides(&layout!((m, k):(k, 1)).to_dynamic(), m * k)?, ([520, 1000], [2, 1040]));
    /// // Seven such matrices, with a row between them that belongs to none.
    /// let many = layout!((m, k, 7):(k, 1, (m + 1) * k)).to_dynamic();
    /// assert_eq!(rows.extents_and_strides(&many, 7 * (m + 1) * k)?, ([520, 1000, 7], [2, 1040, 1041040]));
    /// let refused = |layout: DynLayout, elements| rows.extents_and_strides::<2>(&layout, elements).unwrap_err().to_string();
    /// assert_eq!(
    ///     refused(layout!((m, 515):(515, 1)).to_dynamic(), m * k),
    ///     "no map of (1000,515):(515,1): mode 0 has a stride of 1030 bytes, and it takes a multiple of 16 below 2^40"
    /// );
    /// assert_eq!(
    ///     refused(layout!((m, k):(1, m)).to_dynamic(), m * k),
    ///     "no map of (1000,520):(1,1000): mode 1 is side by side in the box, and has stride 1000 here"
    /// );
    /// assert_eq!(
    ///     refused(layout!((m, k):(k, 1)).to_dynamic(), 100),
    ///     "no map of (1000,520):(520,1): it reaches 520000 elements, and the memory has 100"
    /// );
    /// assert_eq!(
    ///     refused(layout!((2, 3, k):(k, k, 1)).to_dynamic(), m * k),
    ///     "no map of (2,3,520):(520,520,1): it takes 2 modes of one stride each, and the tensor has others"
    /// );
    /// # Ok::<(), layout_nvidia::hopper::MapError>(())
    /// ```
    pub fn extents_and_strides<const MODES: usize>(
        &self,
        layout: &DynLayout,
        elements: usize,
    ) -> Result<([u64; MODES], [u64; MODES]), MapError> {
        let (inner, bytes) = (self.inner, self.bytes);
        let said = || format!("{layout:#}");
        let rank = || MapError::Rank { layout: said(), modes: MODES };
        if layout.rank() != MODES {
            return Err(rank());
        }
        let (mut extents, mut strides) = ([0; MODES], [0; MODES]);
        // The stride of a mode of extent 1 is arbitrary: this number of bytes.
        let mut row = 0;
        for place in 0..MODES {
            let mode = match place {
                0 => inner,
                1 => 1 - inner,
                _ => place,
            };
            let one = layout.mode(mode).map_err(|_| rank())?.coalesce();
            // A mode of one stride.
            let (Some(extent), Some(step)) = (one.shape().as_leaf(), one.stride().as_leaf()) else {
                return Err(rank());
            };
            if extent == 0 || extent > 1 << 32 {
                return Err(MapError::Extent { layout: said(), mode, extent });
            }
            if place == 0 && extent > 1 && step != 1 {
                return Err(MapError::Inner { layout: said(), mode, stride: step });
            }
            let stride = match place {
                0 => bytes,
                _ if extent > 1 => step.saturating_mul(bytes),
                _ => row,
            };
            if place > 0 && (stride % 16 != 0 || stride == 0 || stride >= 1 << 40) {
                return Err(MapError::Stride { layout: said(), mode, bytes: stride });
            }
            row = row.max(stride.saturating_mul(extent)).next_multiple_of(16);
            (extents[place], strides[place]) = (extent as u64, stride as u64);
        }
        let reached = layout.cosize();
        if reached > elements {
            return Err(MapError::Short { layout: said(), reached, elements });
        }
        Ok((extents, strides))
    }
}

mod sealed {
    pub trait Sealed<T> {
        fn device_memory(&self) -> &cudarc::driver::CudaSlice<T>;
    }
}
/// Device memory that is borrowed by a map: `&CudaSlice<T>` to read, `&mut CudaSlice<T>` to write.
#[diagnostic::on_unimplemented(
    message = "a tensor map is not made of `{Self}`",
    label = "`&CudaSlice<{T}>` for a kernel that reads it, `&mut CudaSlice<{T}>` for one that \
             writes it"
)]
pub trait LentMemory<T>: sealed::Sealed<T> {}
macro_rules! lent {
    ($($memory:ty;)*) => {$(
        impl<T> sealed::Sealed<T> for $memory {
            fn device_memory(&self) -> &CudaSlice<T> {
                self
            }
        }
        impl<T> LentMemory<T> for $memory {}
    )*};
}
lent! { &CudaSlice<T>; &mut CudaSlice<T>; }

/// A [`TensorMap`] on the host, and its memory, which it borrows. A launch with the map as argument
/// waits for earlier copies and launches that use the memory, and later ones wait for the launch.
///
/// ```compile_fail,E0505
/// use layout_algebra::prelude::*;
/// use layout_nvidia::hopper::{Map, TensorMap};
/// use layout_nvidia::launch::{Device, Launch, Loaded, Kernel};
/// type Rows = Layout!((64, 32):(32, 1));
/// fn after_the_free<K>(device: &Device, kernel: &Loaded<K>, launch: &Launch) -> Result<(), Box<dyn std::error::Error>>
/// where
///     K: Kernel<Parameters = (Map<f32, Rows>,)>,
/// {
///     let stream = device.create_stream()?;
///     let memory = stream.alloc_zeros::<f32>(64 * 32)?;
///     let map = TensorMap::<f32, Rows>::new(&stream, &memory, &layout!((64, 32):(32, 1)).to_dynamic())?;
///     drop(memory); // it is borrowed
///     unsafe { kernel.launch(&stream, launch, (&map,))? };
///     Ok(())
/// }
/// ```
#[derive(Debug)]
pub struct LentMap<M, T, L, const MODES: usize = 2> {
    map: TensorMap<T, L, MODES>,
    memory: M,
    address: u64,
    /// The layout of a tensor without elements, for which the copy engine has no map.
    empty: Option<String>,
}
impl<M, T, L, const MODES: usize> LentMap<M, T, L, MODES> {
    /// The tensor's address on the device, for a kernel that takes the map and a pointer: an
    /// [`Argument`] of your own pushes it next to the map, which borrows the memory.
    #[must_use]
    pub fn device_address(&self) -> u64 {
        self.address
    }
}

impl<T: MapElement, L: HasDescriptor, const MODES: usize> TensorMap<T, L, MODES> {
    /// The map of a tensor in device memory under a layout of `MODES` modes: from `&memory` for a
    /// parameter [`Map`], from `&mut memory` for a [`MapMut`]. The map of a tensor without elements
    /// is valid if nothing is launched: for an empty grid, or if the tensor is written.
    ///
    /// # Errors
    /// The driver's rules, a message each, before the driver is called; the driver's errors.
    #[allow(
        clippy::new_ret_no_self,
        reason = "a map and its memory: the map alone is a parameter's"
    )]
    pub fn new<M: LentMemory<T>>(
        stream: &CudaStream,
        memory: M,
        layout: &DynLayout,
    ) -> Result<LentMap<M, T, L, MODES>, MapError> {
        let known = Self::BOX;
        let found = known.extents_and_strides::<MODES>(layout, memory.device_memory().len());
        if let Err(MapError::Extent { layout, extent: 0, .. }) = found {
            return Ok(LentMap {
                map: TensorMap::from_words([0; 16]),
                memory,
                address: 0,
                empty: Some(layout),
            });
        }
        let (extents, strides) = found?;
        let (address, guard) = memory.device_memory().device_ptr(stream);
        drop(guard);
        if address % 16 != 0 {
            return Err(MapError::Address(address));
        }
        let mut of = [1; MODES];
        of[..2].copy_from_slice(&[
            known.extents[known.inner] as u32,
            known.extents[1 - known.inner] as u32,
        ]);
        let swizzle = match known.swizzle {
            SwizzleMode::None => sys::CUtensorMapSwizzle::CU_TENSOR_MAP_SWIZZLE_NONE,
            SwizzleMode::Bytes32 => sys::CUtensorMapSwizzle::CU_TENSOR_MAP_SWIZZLE_32B,
            SwizzleMode::Bytes64 => sys::CUtensorMapSwizzle::CU_TENSOR_MAP_SWIZZLE_64B,
            SwizzleMode::Bytes128 => sys::CUtensorMapSwizzle::CU_TENSOR_MAP_SWIZZLE_128B,
        };
        // The second cache fetches 256 bytes at a time, or 128 if the rest would belong to another
        // row: with 256, rows of 4112 bytes lose a tenth.
        let promotion = if (known.bytes as u64 * extents[0]).is_multiple_of(256) {
            sys::CUtensorMapL2promotion::CU_TENSOR_MAP_L2_PROMOTION_L2_256B
        } else {
            sys::CUtensorMapL2promotion::CU_TENSOR_MAP_L2_PROMOTION_L2_128B
        };
        // The driver requires alignment to 64 bytes.
        #[repr(align(64))]
        struct Place(MaybeUninit<CUtensorMap>);
        let mut map = Place(MaybeUninit::zeroed());
        // SAFETY: all arrays have the length of the rank, and the map has its size.
        unsafe {
            sys::cuTensorMapEncodeTiled(
                map.0.as_mut_ptr(),
                T::TYPE,
                MODES as u32,
                address as *mut _,
                extents.as_ptr(),
                strides[1..].as_ptr(),
                of.as_ptr(),
                [1; MODES].as_ptr(),
                sys::CUtensorMapInterleave::CU_TENSOR_MAP_INTERLEAVE_NONE,
                swizzle,
                promotion,
                sys::CUtensorMapFloatOOBfill::CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE,
            )
            .result()?;
        }
        const { assert!(size_of::<CUtensorMap>() == 128) };
        // SAFETY: 128 bytes, for which every bit pattern is a number.
        let map = TensorMap::from_words(unsafe { std::mem::transmute_copy(&map.0) });
        Ok(LentMap { map, memory, address, empty: None })
    }
}
// SAFETY: the parameter is the map, of this type, and its memory is borrowed for reading.
unsafe impl<T, L, const MODES: usize> Argument<Map<T, L, MODES>>
    for &LentMap<&CudaSlice<T>, T, L, MODES>
{
    fn push_argument<'a>(&'a mut self, list: &mut ArgumentList<'a>) {
        list.record_read(self.memory);
        list.push_words(self.map.as_words());
        if let Some(layout) = &self.empty {
            list.record_empty_read(layout);
        }
    }
}
// SAFETY: as above, and its memory is borrowed for writing.
unsafe impl<T, L, const MODES: usize> Argument<MapMut<T, L, MODES>>
    for &mut LentMap<&mut CudaSlice<T>, T, L, MODES>
{
    fn push_argument<'a>(&'a mut self, list: &mut ArgumentList<'a>) {
        list.record_write(&mut *self.memory);
        list.push_words(self.map.as_words());
        if self.empty.is_some() {
            list.record_empty_write();
        }
    }
}
