//! A second candidate for a bound, so that the compiler looks at what the first one asks for before it believes it.
//!
//! ```text
//! impl<S: Contiguous> OnStorage<S, S> for ()          the result is S ..
//! impl<S: Never> OnStorage<S, Nothing> for ()         .. and stays open if S is no storage
//! ```
//!
//! An impl that is alone is taken as the answer even if its own bounds fail. The result then has a type, and all that is done with it fails as well:
//! one mistake is many errors. Of two, those whose bounds fail are dropped; where none is left, the result has no type, and the compiler is silent
//! about the rest.

/// What nothing has.
pub trait Never {}
/// The result that there never is.
pub enum Nothing {}
