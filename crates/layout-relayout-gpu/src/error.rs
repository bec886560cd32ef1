//! Errors.

use std::fmt;

use layout_emit::EmitError;

/// An error of a relayout. Nothing was moved or encoded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RelayoutError {
    /// The layouts: shapes that do not have the same coordinates, two elements with one offset in
    /// the target, offsets beyond 32 bits.
    Layouts(EmitError),
    /// A buffer: too small, without the usage `STORAGE`, both source and target, or of another
    /// device.
    Buffer(String),
    /// A limit of the device: the limit to request when the device is created, and its value.
    Limit(String),
    /// An error of the driver or of the device's compiler.
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
