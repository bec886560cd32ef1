//! The errors of code generation.

use std::fmt;

/// An error: there is no code. It displays as a sentence.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_emit::{EmitError, Index, Language};
/// let layout: DynLayout = "(4,6):(1,4)".parse()?;
/// let error = Index::of(&layout).name("while").emit(Language::C).unwrap_err();
/// assert_eq!(error.to_string(), "`while` is a word of C: another name, for instance `while_`");
/// assert!(matches!(error, EmitError::Input(_)));
/// # Ok::<(), LayoutError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EmitError {
    /// The input is malformed: a name, a number, a layout.
    Input(String),
    /// The input is well formed, but the code cannot exist: an inverse that does not exist, a
    /// number that does not fit a word.
    Refused(String),
}

impl EmitError {
    pub(crate) fn input<T>(text: impl fmt::Display) -> Result<T, EmitError> {
        Err(EmitError::Input(text.to_string()))
    }
    pub(crate) fn refused<T>(text: impl fmt::Display) -> Result<T, EmitError> {
        Err(EmitError::Refused(text.to_string()))
    }
}

impl fmt::Display for EmitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (EmitError::Input(text) | EmitError::Refused(text)) = self;
        f.write_str(text)
    }
}
impl std::error::Error for EmitError {}
impl From<layout_algebra::LayoutError> for EmitError {
    fn from(error: layout_algebra::LayoutError) -> Self {
        EmitError::Input(error.to_string())
    }
}
