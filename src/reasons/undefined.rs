//! What stands in place of a result where there is none, with the reason.

use core::marker::PhantomData;

/// In place of a result: there is none, for the reason `R`.
pub struct Undefined<R>(PhantomData<R>);
impl<R> Default for Undefined<R> {
    #[inline]
    fn default() -> Self {
        Undefined::new()
    }
}
impl<R> Clone for Undefined<R> {
    #[inline]
    fn clone(&self) -> Self {
        Undefined::new()
    }
}
impl<R> Undefined<R> {
    #[inline]
    pub(crate) fn new() -> Self {
        Undefined(PhantomData)
    }
}
