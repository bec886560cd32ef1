//! Errors of reading files, one sentence for each.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::format::FormatError;

/// Why a file is not read.
///
/// ```
/// use layout_bits::gguf;
/// let error = gguf::Header::read(&b""[..], 0).unwrap_err();
/// assert_eq!(error.to_string(), "the file has 0 bytes, and the 4 bytes of GGUF end at byte 4");
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum FileError {
    /// The system cannot read the bytes.
    Io(io::Error),
    /// A file cannot be opened.
    File {
        /// Its path.
        path: PathBuf,
        /// Why.
        why: Box<FileError>,
    },
    /// The header is invalid or contradicts the file.
    Header {
        /// What, and the numbers.
        why: String,
    },
    /// A tensor does not exist, or has no format.
    Tensor {
        /// Its name.
        name: String,
        /// Why.
        why: String,
    },
    /// The bytes of a tensor do not fit its format.
    Format(FormatError),
}

impl FileError {
    pub(super) fn header(why: impl Into<String>) -> Self {
        FileError::Header { why: why.into() }
    }
    pub(super) fn tensor(name: &str, why: impl Into<String>) -> Self {
        FileError::Tensor { name: name.into(), why: why.into() }
    }
    /// The result of `open`, with the path in its error.
    pub(super) fn of<T>(
        path: &Path,
        open: impl FnOnce(&Path) -> Result<T, Self>,
    ) -> Result<T, Self> {
        open(path).map_err(|why| FileError::File { path: path.into(), why: why.into() })
    }
    /// The error with the tensor's name, unless it has a name or a path already.
    pub(super) fn of_tensor(self, name: &str) -> Self {
        match self {
            Self::Tensor { .. } | Self::File { .. } => self,
            other => Self::tensor(name, other.to_string()),
        }
    }
    /// The error that none of a file's `tensors` tensors has this name.
    pub(super) fn none(name: &str, tensors: usize) -> Self {
        Self::tensor(name, format!("the file has no tensor of this name among its {tensors}"))
    }
}
impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::File { path, why } => write!(f, "{}: {why}", path.display()),
            Self::Header { why } => f.write_str(why),
            Self::Tensor { name, why } => write!(f, "{name}: {why}"),
            Self::Format(error) => error.fmt(f),
        }
    }
}
impl std::error::Error for FileError {}
impl From<io::Error> for FileError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
impl From<FormatError> for FileError {
    fn from(error: FormatError) -> Self {
        Self::Format(error)
    }
}
