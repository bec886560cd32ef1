//! Why the command has no answer.

use layout_algebra::LayoutError;

/// Why there is no answer.
pub enum Failure {
    /// The algebra refuses.
    Refused(String),
    /// It refuses, and all that was asked is why.
    Explained(String),
    /// The arguments do not go together.
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
