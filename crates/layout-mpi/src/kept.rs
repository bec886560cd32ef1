//! What MPI keeps for this package, and takes back while it runs.

use std::ops::Deref;

use mpi::environment::{is_finalized, is_initialized};

use crate::error::Error;

/// Whether MPI can be called.
pub(crate) fn runs(what: &str) -> Result<(), Error> {
    if is_initialized() && !is_finalized() {
        Ok(())
    } else {
        Err(Error::NotRunning { what: what.into() })
    }
}

/// Something that MPI frees. Once MPI has ended, nothing is left of it to free, and to call MPI
/// would end the program.
pub(crate) struct Kept<T>(Option<T>);

impl<T> Kept<T> {
    pub(crate) fn new(kept: T) -> Self {
        Kept(Some(kept))
    }
}
impl<T> Deref for Kept<T> {
    type Target = T;
    fn deref(&self) -> &T {
        self.0.as_ref().expect("it is there until it is dropped")
    }
}
impl<T> Drop for Kept<T> {
    fn drop(&mut self) {
        if is_finalized() {
            std::mem::forget(self.0.take());
        }
    }
}
