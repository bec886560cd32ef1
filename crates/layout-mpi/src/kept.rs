//! Handles of MPI's objects, which are freed only while MPI is running.

use std::ops::Deref;

use mpi::environment::{is_finalized, is_initialized};

use crate::error::Error;

/// Ok if MPI can be called.
pub(crate) fn check_running(what: &str) -> Result<(), Error> {
    if is_initialized() && !is_finalized() {
        Ok(())
    } else {
        Err(Error::NotRunning { what: what.into() })
    }
}

/// An object that MPI frees on drop. After MPI has ended it is not freed: the call would end the
/// program.
pub(crate) struct MpiHandle<T>(Option<T>);

impl<T> MpiHandle<T> {
    pub(crate) fn new(kept: T) -> Self {
        MpiHandle(Some(kept))
    }
}
impl<T> Deref for MpiHandle<T> {
    type Target = T;
    fn deref(&self) -> &T {
        self.0.as_ref().expect("it is there until it is dropped")
    }
}
impl<T> Drop for MpiHandle<T> {
    fn drop(&mut self) {
        if is_finalized() {
            std::mem::forget(self.0.take());
        }
    }
}
