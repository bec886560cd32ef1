//! Modes of a mesh, by number or by name.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

/// A mode of a mesh, by its number or its name. Made by `from`.
///
/// ```
/// use layout_mesh::MeshMode;
/// assert_eq!((MeshMode::from(0).to_string(), MeshMode::from("rows").to_string()), ("0".into(), "rows".into()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MeshMode {
    /// The mode of this number.
    Number(usize),
    /// The mode of this name.
    Name(String),
}
impl From<usize> for MeshMode {
    fn from(number: usize) -> Self {
        MeshMode::Number(number)
    }
}
impl From<&str> for MeshMode {
    fn from(name: &str) -> Self {
        MeshMode::Name(name.into())
    }
}
impl fmt::Display for MeshMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MeshMode::Number(number) => number.fmt(f),
            MeshMode::Name(name) => name.fmt(f),
        }
    }
}

/// Some modes of a mesh: one, `"rows"` or `0`, or several, `["rows", "columns"]`. Made by `from`.
///
/// ```
/// use layout_mesh::MeshModes;
/// assert_eq!(MeshModes::from(["rows", "columns"]).0.len(), 2);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeshModes(pub Vec<MeshMode>);
impl<M: Into<MeshMode>> From<M> for MeshModes {
    fn from(mode: M) -> Self {
        MeshModes(vec![mode.into()])
    }
}
impl<M: Into<MeshMode>, const N: usize> From<[M; N]> for MeshModes {
    fn from(modes: [M; N]) -> Self {
        MeshModes(modes.into_iter().map(Into::into).collect())
    }
}
