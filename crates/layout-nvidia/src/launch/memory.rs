//! Device memory under a layout.

use std::sync::Arc;

use cudarc::driver::{CudaSlice, CudaStream, DeviceRepr, ValidAsZeroBits};
use layout_algebra::prelude::*;
use layout_algebra::tensor::{Addressable, IntoMemory};

use crate::launch::{Argument, ArgumentList, LaunchError};

/// Elements in device memory under a layout: a [`Tensor`] over a [`CudaSlice`]. The host cannot
/// access an element; a kernel takes the tensor as the argument for a pointer, and a download
/// returns a tensor on the host.
///
/// `tensor[c]` is element `layout(c)` of the memory, which contains all of these elements.
#[derive(Debug)]
pub struct DeviceTensor<T, L> {
    /// `None` for a tensor without elements: the driver does not allocate 0 bytes.
    memory: Option<CudaSlice<T>>,
    layout: L,
}
impl<T: DeviceRepr, L: Addressable> DeviceTensor<T, L> {
    /// Device memory with these elements, under a layout. The copy is asynchronous, and precedes
    /// later work on the stream.
    ///
    /// # Errors
    /// A layout beyond the elements; the driver's.
    pub fn upload(
        stream: &Arc<CudaStream>,
        elements: &[T],
        layout: L,
    ) -> Result<Self, LaunchError> {
        required_length(&layout, elements.len())?;
        let memory = if elements.is_empty() { None } else { Some(stream.clone_htod(elements)?) };
        Ok(DeviceTensor { memory, layout })
    }
    /// Device memory with zeros, of the layout's span.
    ///
    /// # Errors
    /// A layout whose last offset exceeds `usize`; the driver's.
    pub fn zeroed(stream: &Arc<CudaStream>, layout: L) -> Result<Self, LaunchError>
    where
        T: ValidAsZeroBits,
    {
        // At most as many bytes as a pointer reaches: the driver's binding multiplies by their
        // size.
        let length = required_length(&layout, isize::MAX as usize / size_of::<T>().max(1))?;
        let memory = if length == 0 { None } else { Some(stream.alloc_zeros(length)?) };
        Ok(DeviceTensor { memory, layout })
    }
    /// Existing device memory, under a layout.
    ///
    /// # Errors
    /// A layout beyond the memory.
    pub fn new(memory: CudaSlice<T>, layout: L) -> Result<Self, LaunchError> {
        required_length(&layout, memory.len())?;
        Ok(DeviceTensor { memory: Some(memory), layout })
    }
    /// Copies the elements to the host, after the previous work on the stream.
    ///
    /// # Errors
    /// The driver's, also for a kernel that ended with an error.
    pub fn download(&self, stream: &Arc<CudaStream>) -> Result<Tensor<Vec<T>, L>, LaunchError>
    where
        L: IntoMemory<InMemory = L>,
    {
        let elements =
            self.memory.as_ref().map_or(Ok(Vec::new()), |memory| stream.clone_dtoh(memory))?;
        stream.synchronize()?;
        Ok(Tensor::new(elements, self.layout.clone())?)
    }
    /// Copies the elements of another tensor with the same length of memory, on the device.
    ///
    /// # Errors
    /// Memory of a different length; the driver's.
    pub fn copy_from(&mut self, stream: &Arc<CudaStream>, from: &Self) -> Result<(), LaunchError> {
        let length = |memory: &Option<CudaSlice<T>>| memory.as_ref().map_or(0, CudaSlice::len);
        let (here, there) = (length(&self.memory), length(&from.memory));
        match (&mut self.memory, &from.memory) {
            _ if here != there => Err(LaunchError::Lengths { from: there, to: here }),
            (Some(to), Some(from)) => Ok(stream.memcpy_dtod(from, to)?),
            _ => Ok(()),
        }
    }
    /// The layout.
    #[must_use]
    pub fn layout(&self) -> &L {
        &self.layout
    }
    /// The memory; `None` for a tensor without elements.
    #[must_use]
    pub fn device_memory(&self) -> Option<&CudaSlice<T>> {
        self.memory.as_ref()
    }
}

/// The span of a layout, if the memory contains it.
fn required_length<L: Addressable>(layout: &L, length: usize) -> Result<usize, LaunchError> {
    match layout.reach() {
        Some(reach) if reach <= length => Ok(reach),
        Some(reach) => Err(LaunchError::Memory { layout: format!("{layout:#}"), reach, length }),
        None => Err(LaunchError::Unbounded { layout: format!("{layout:#}") }),
    }
}

// SAFETY: the address of device memory; a shared borrow is the argument of a parameter to read.
unsafe impl<T: DeviceRepr, L> Argument<*const T> for &DeviceTensor<T, L> {
    fn push_argument<'a>(&'a mut self, list: &mut ArgumentList<'a>) {
        match &self.memory {
            Some(memory) => list.push_readable(memory),
            // No elements.
            None => list.push_word(0),
        }
    }
}
// SAFETY: as above.
unsafe impl<T: DeviceRepr, L> Argument<*mut T> for &mut DeviceTensor<T, L> {
    fn push_argument<'a>(&'a mut self, list: &mut ArgumentList<'a>) {
        match &mut self.memory {
            Some(memory) => list.push_writable(memory),
            // No elements.
            None => list.push_word(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layout_that_reaches_too_far_has_a_sentence() {
        let n = 4096;
        let said = |result: Result<usize, LaunchError>| result.map_err(|error| error.to_string());
        assert_eq!(said(required_length(&layout!((4, n)), 16384)), Ok(16384));
        let short = "the layout (4,4096):(1,4) reaches 16384 elements, and the memory has 16383";
        assert_eq!(said(required_length(&layout!((4, n)), 16383)), Err(short.to_string()));
        let none = 0;
        assert_eq!(said(required_length(&layout!((4, none)), 0)), Ok(0));
        let n = usize::MAX;
        let beyond = format!("the layout (4,{n}):(1,4) has offsets beyond `usize`");
        assert_eq!(said(required_length(&layout!((4, n):(1, 4)), 16)), Err(beyond));
    }
}
