//! An open file, and a tensor of it.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;
#[cfg(feature = "mmap")]
use std::sync::Arc;
use std::sync::{Mutex, PoisonError};

use super::FileError;
use crate::format::{Format, FormatError, zeroed};

/// Where the bytes of tensors come from.
#[derive(Debug)]
pub(super) enum Source {
    /// Read when requested.
    Read(Mutex<File>),
    #[cfg(feature = "mmap")]
    Mapped(Arc<memmap2::Mmap>),
}
impl Source {
    /// The file and its length.
    pub(super) fn open(path: &Path) -> Result<(File, u64), FileError> {
        // Opening a pipe would wait for its other end.
        if !fs::metadata(path)?.is_file() {
            return Err(FileError::header("it is no file with a length of its own"));
        }
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        Ok((file, length))
    }

    /// # Safety
    /// As long as the map exists, no process may change or truncate the file.
    #[cfg(feature = "mmap")]
    pub(super) unsafe fn map(path: &Path) -> Result<Arc<memmap2::Mmap>, FileError> {
        let (file, _) = Source::open(path)?;
        // SAFETY: as this function's.
        Ok(Arc::new(unsafe { memmap2::Mmap::map(&file)? }))
    }

    pub(super) fn bytes(&self, range: Range<u64>) -> Result<StoredBytes, FileError> {
        self.concatenated(&[range])
    }

    /// The concatenation of these ranges, each of which lies within the file by its header.
    pub(super) fn concatenated(&self, ranges: &[Range<u64>]) -> Result<StoredBytes, FileError> {
        #[cfg(feature = "mmap")]
        if let (Source::Mapped(map), [range]) = (self, ranges) {
            let range = range.start as usize..range.end as usize;
            return Ok(StoredBytes::Mapped(map.clone(), range));
        }
        let length = ranges.iter().map(|range| range.end - range.start).sum::<u64>();
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        let mut bytes: Vec<u8> = zeroed("bytes", length, (1, "bytes"))?;
        let mut left = &mut bytes[..];
        for range in ranges {
            let part;
            (part, left) = left.split_at_mut((range.end - range.start) as usize);
            match self {
                Source::Read(file) => {
                    let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                    file.seek(SeekFrom::Start(range.start))?;
                    file.read_exact(part)?;
                }
                #[cfg(feature = "mmap")]
                Source::Mapped(map) => {
                    part.copy_from_slice(&map[range.start as usize..range.end as usize])
                }
            }
        }
        Ok(StoredBytes::Read(bytes))
    }
}

/// Bytes of a file.
#[derive(Clone, Debug)]
pub(super) enum StoredBytes {
    Read(Vec<u8>),
    #[cfg(feature = "mmap")]
    Mapped(Arc<memmap2::Mmap>, Range<usize>),
}
impl StoredBytes {
    pub(super) fn into_vec(self) -> Vec<u8> {
        match self {
            StoredBytes::Read(bytes) => bytes,
            #[cfg(feature = "mmap")]
            StoredBytes::Mapped(map, range) => map[range].to_vec(),
        }
    }
    pub(super) fn as_slice(&self) -> &[u8] {
        match self {
            StoredBytes::Read(bytes) => bytes,
            #[cfg(feature = "mmap")]
            StoredBytes::Mapped(map, range) => &map[range.clone()],
        }
    }
}

/// A tensor of a file: its format, its shape and its bytes, which are whole blocks of the format.
///
/// Law: `format().dequantize(bytes())` has a number for each element of the shape, the last extent
/// the fastest.
///
/// ```
/// use layout_bits::{FileError, gguf};
/// fn weights(path: &str, name: &str) -> Result<Vec<f32>, FileError> {
///     let tensor = gguf::open(path)?.tensor(name)?;
///     println!("{} of the shape {:?}", tensor.format().name(), tensor.shape());
///     Ok(tensor.dequantize()?)
/// }
/// assert!(weights("there is no such file", "blk.0.attn_q.weight").is_err());
/// ```
#[derive(Clone, Debug)]
pub struct StoredTensor {
    name: String,
    format: Format,
    shape: Vec<usize>,
    bytes: StoredBytes,
}
impl StoredTensor {
    /// A tensor of these bytes.
    ///
    /// # Errors
    /// If they are no whole number of blocks, or have other elements than the shape.
    pub(super) fn new(
        name: &str,
        format: Format,
        shape: Vec<usize>,
        bytes: StoredBytes,
    ) -> Result<Self, FileError> {
        let elements = format.blocks(bytes.as_slice().len())?.checked_mul(format.elements());
        let of_shape = shape.iter().try_fold(1_usize, |n, &extent| n.checked_mul(extent));
        if elements.is_none() || of_shape != elements {
            let why = format!(
                "its {} bytes are not {} of the shape {shape:?}",
                bytes.as_slice().len(),
                format.name()
            );
            return Err(FileError::tensor(name, why));
        }
        Ok(StoredTensor { name: name.into(), format, shape, bytes })
    }
    /// Its name.
    ///
    /// ```
    /// fn is_norm(tensor: &layout_bits::StoredTensor) -> bool {
    ///     tensor.name().ends_with("norm.weight")
    /// }
    /// ```
    pub fn name(&self) -> &str {
        &self.name
    }
    /// The format of its bytes.
    ///
    /// ```
    /// fn size(tensor: &layout_bits::StoredTensor) -> f64 {
    ///     tensor.format().bytes() as f64 * 8.0 / tensor.format().elements() as f64
    /// }
    /// ```
    pub fn format(&self) -> &Format {
        &self.format
    }
    /// The extents, the fastest last, as in NumPy.
    ///
    /// ```
    /// fn rows(tensor: &layout_bits::StoredTensor) -> Option<usize> {
    ///     tensor.shape().first().copied()
    /// }
    /// ```
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }
    /// Its bytes: whole blocks of the format.
    ///
    /// ```
    /// fn first(tensor: &layout_bits::StoredTensor) -> Result<f32, layout_bits::FormatError> {
    ///     tensor.format().get(tensor.bytes(), 0)
    /// }
    /// ```
    pub fn bytes(&self) -> &[u8] {
        self.bytes.as_slice()
    }
    /// Its numbers, the last extent the fastest: `format().dequantize(bytes())`.
    ///
    /// # Errors
    /// If there is no memory for them.
    ///
    /// ```
    /// fn sum(tensor: &layout_bits::StoredTensor) -> Result<f32, layout_bits::FormatError> {
    ///     Ok(tensor.dequantize()?.iter().sum())
    /// }
    /// ```
    pub fn dequantize(&self) -> Result<Vec<f32>, FormatError> {
        self.format.dequantize(self.bytes())
    }
}
