//! Datatypes that MPI knows: committed, and freed with the last copy.
#![allow(unsafe_code)]

use std::mem::MaybeUninit;
use std::sync::Arc;

use mpi::Address;
use mpi::datatype::{Datatype, UncommittedDatatype, UncommittedUserDatatype, UserDatatype};
use mpi::ffi;
use mpi::raw::{AsRaw, FromRaw};

/// An MPI datatype made of a layout, committed, and freed with the last copy of it. Made by
/// [`datatype_of`](crate::datatype_of).
///
/// ```standalone_crate
/// use layout_algebra::layout;
/// use layout_mpi::datatype_of;
/// use mpi::traits::*;
/// let universe = mpi::initialize().unwrap();
/// let tile = datatype_of::<f64>(&layout!((2, 3):(1, 10)))?;
/// assert_eq!(universe.world().pack_size(1, &tile), 2 * 3 * 8);
/// # Ok::<(), layout_mpi::Error>(())
/// ```
#[derive(Clone)]
pub struct LayoutDatatype(Arc<UserDatatype>);

impl LayoutDatatype {
    pub(crate) fn commit(datatype: UncommittedUserDatatype) -> Self {
        LayoutDatatype(Arc::new(datatype.commit()))
    }
}
impl std::fmt::Debug for LayoutDatatype {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("LayoutDatatype")
    }
}
// SAFETY: the handle of a datatype that is freed with the last copy.
unsafe impl AsRaw for LayoutDatatype {
    type Raw = ffi::MPI_Datatype;
    fn as_raw(&self) -> ffi::MPI_Datatype {
        self.0.as_raw()
    }
}
impl UncommittedDatatype for LayoutDatatype {
    type DuplicatedDatatype = UserDatatype;
}
/// It is committed.
impl Datatype for LayoutDatatype {}

/// The datatype with its extent set: the next one of several begins `bytes` behind the first byte of this one.
pub(crate) fn resized(datatype: &UncommittedUserDatatype, bytes: Address) -> UncommittedUserDatatype {
    let mut raw = MaybeUninit::uninit();
    // SAFETY: the old datatype is alive, MPI writes the new one, which is owned by nobody else.
    unsafe {
        ffi::MPI_Type_create_resized(datatype.as_raw(), 0, bytes, raw.as_mut_ptr());
        UncommittedUserDatatype::from_raw(raw.assume_init())
    }
}
