//! The buffers of a relayout: those of `cudarc`.

use cudarc::driver::{CudaSlice, CudaView, CudaViewMut, DevicePtr, DevicePtrMut};

mod sealed {
    pub trait Sealed {}
    impl<T> Sealed for super::CudaSlice<T> {}
    impl<T> Sealed for super::CudaView<'_, T> {}
    impl<T> Sealed for super::CudaViewMut<'_, T> {}
}

/// A buffer of `T` that a relayout reads: a [`CudaSlice`], a [`CudaView`] or a [`CudaViewMut`]. The
/// trait is sealed, because its address and size are trusted.
pub trait DeviceBuffer<T>: DevicePtr<T> + sealed::Sealed {}

impl<T> DeviceBuffer<T> for CudaSlice<T> {}
impl<T> DeviceBuffer<T> for CudaView<'_, T> {}
impl<T> DeviceBuffer<T> for CudaViewMut<'_, T> {}

/// A buffer of `T` that a relayout writes: a [`CudaSlice`] or a [`CudaViewMut`].
pub trait DeviceBufferMut<T>: DevicePtrMut<T> + sealed::Sealed {}

impl<T> DeviceBufferMut<T> for CudaSlice<T> {}
impl<T> DeviceBufferMut<T> for CudaViewMut<'_, T> {}

/// Device memory that is not owned by `cudarc`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeviceMemory {
    /// The address of the first byte.
    pub address: u64,
    /// The number of bytes.
    pub bytes: u64,
}
