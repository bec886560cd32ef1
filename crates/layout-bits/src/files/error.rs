//! What can go wrong with files, a sentence each.

use std::fmt;
use std::io;

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
    /// The system does not give the bytes.
    Io(io::Error),
    /// The header says what cannot be.
    Header {
        /// What, and the numbers.
        why: String,
    },
    /// A tensor is not there, or has no format.
    Tensor {
        /// Its name.
        name: String,
        /// Why.
        why: String,
    },
    /// The bytes of a tensor are none of its format.
    Format(FormatError),
}

impl FileError {
    pub(super) fn header(why: impl Into<String>) -> Self {
        FileError::Header { why: why.into() }
    }
}
impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
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
