//! The errors of the command.

use layout_algebra::LayoutError;

/// An error of the command.
pub enum Failure {
    /// An error of the algebra.
    Refused(String),
    /// An error of the algebra, after the explanation that was asked for.
    Explained(String),
    /// Arguments that exclude each other.
    Usage(String),
}
impl Failure {
    pub fn usage(text: &str) -> Self {
        Failure::Usage(text.into())
    }
}
impl From<LayoutError> for Failure {
    fn from(error: LayoutError) -> Self {
        Failure::Refused(format!("{error}\n"))
    }
}
