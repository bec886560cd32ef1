//! Why nothing was moved.

use std::fmt;

use layout_emit::EmitError;

/// Why nothing was moved: a sentence. Nothing is encoded then.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RelayoutError {
    /// The layouts: shapes that do not have the same coordinates, two elements that go to one
    /// place, offsets beyond 32 bits.
    Layouts(EmitError),
    /// A buffer: too small, without the usage `STORAGE`, source and target in one, of another
    /// device.
    Buffer(String),
    /// A limit of the device: the one to ask for where the device is made, and how much.
    Limit(String),
    /// What the driver or the compiler of the device says.
    Device(String),
}

impl fmt::Display for RelayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RelayoutError::Layouts(error) => error.fmt(f),
            RelayoutError::Buffer(text)
            | RelayoutError::Limit(text)
            | RelayoutError::Device(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for RelayoutError {}

impl From<EmitError> for RelayoutError {
    fn from(error: EmitError) -> Self {
        RelayoutError::Layouts(error)
    }
}
