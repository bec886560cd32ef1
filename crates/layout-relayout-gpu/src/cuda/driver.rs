//! The parameter of the general kernel, and queries of the driver.
#![allow(unsafe_code)]

use cudarc::driver::{DeviceRepr, DriverError};

use crate::axes::{Axes, Axis};
use crate::error::RelayoutError;

/// The most axes of the general kernel: no memory has the elements of more than 64 axes.
pub(super) const MOST_AXES: usize = 64;

/// The struct of this name in `general.cu`.
#[repr(C)]
pub(super) struct Numbers {
    elements: u64,
    first: i64,
    axes: u32,
    reserved: u32,
    extents: [u64; MOST_AXES],
    from: [i64; MOST_AXES],
    to: [i64; MOST_AXES],
}

// SAFETY: the fields are those of the kernel's parameter in their order, numbers of fixed widths
// without padding, 1,560 of the 4,096 bytes that parameters have; there is no pointer among them.
unsafe impl DeviceRepr for Numbers {}

impl Numbers {
    /// `None` if a number is too large or there are too many axes.
    pub fn new(axes: &Axes, list: &[Axis]) -> Option<Numbers> {
        let mut numbers = Numbers {
            elements: u64::try_from(axes.elements()).ok()?,
            first: i64::try_from(axes.first()).ok()?,
            axes: list.len() as u32,
            reserved: 0,
            extents: [1; MOST_AXES],
            from: [0; MOST_AXES],
            to: [0; MOST_AXES],
        };
        if list.len() > MOST_AXES {
            return None;
        }
        for (k, axis) in list.iter().enumerate() {
            numbers.extents[k] = axis.extent;
            (numbers.from[k], numbers.to[k]) = (axis.from, axis.to);
        }
        Some(numbers)
    }
}

/// Whether NVRTC can be loaded.
pub(super) fn has_nvrtc() -> bool {
    // SAFETY: loading a library runs its initializers; this library is NVIDIA's.
    unsafe { cudarc::nvrtc::sys::is_culib_present() }
}

pub(super) fn from_driver(error: DriverError) -> RelayoutError {
    RelayoutError::Device(format!("CUDA's driver: {error}"))
}
