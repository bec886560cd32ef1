//! Committed MPI datatypes, freed with their last copy.
#![allow(unsafe_code)]

use std::mem::MaybeUninit;
use std::sync::Arc;

use mpi::Address;
use mpi::datatype::{Datatype, UncommittedDatatype, UncommittedUserDatatype, UserDatatype};
use mpi::ffi;
use mpi::raw::{AsRaw, FromRaw};

use crate::kept::MpiHandle;

/// The committed MPI datatype of a layout, freed with its last copy. Made by
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
pub struct LayoutDatatype(Arc<MpiHandle<UserDatatype>>);

impl LayoutDatatype {
    pub(crate) fn commit(datatype: UncommittedUserDatatype) -> Self {
        LayoutDatatype(Arc::new(MpiHandle::new(datatype.commit())))
    }

    /// The bytes of one such datatype in a message.
    pub(crate) fn size(&self) -> usize {
        let mut bytes = 0;
        // SAFETY: the datatype is alive, and MPI writes the number.
        unsafe { ffi::MPI_Type_size_x(self.as_raw(), &mut bytes) };
        usize::try_from(bytes).expect("what was committed has a number of bytes")
    }
}
impl std::fmt::Debug for LayoutDatatype {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("LayoutDatatype")
    }
}
// SAFETY: the handle of a datatype that lives until the last copy is dropped.
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

/// The first byte and the end of a datatype, and its lower bound and extent.
pub(crate) fn reach(datatype: &UncommittedUserDatatype) -> (Address, Address, [Address; 2]) {
    let (mut from, mut bytes, mut lower, mut extent) = (0, 0, 0, 0);
    // SAFETY: the datatype is alive, and MPI writes the numbers.
    unsafe {
        ffi::MPI_Type_get_true_extent(datatype.as_raw(), &mut from, &mut bytes);
        ffi::MPI_Type_get_extent(datatype.as_raw(), &mut lower, &mut extent);
    }
    (from, from + bytes, [lower, extent])
}

/// Does the datatype contain an array of structs? MPI places its elements by the struct's extent,
/// Rust by its size.
pub(crate) fn repeats_structs(datatype: &UncommittedUserDatatype) -> bool {
    find_arrays(datatype.as_raw(), false).0
}

/// Whether there is an array of structs, and whether the datatype is one of MPI's own.
fn find_arrays(datatype: ffi::MPI_Datatype, repeated: bool) -> (bool, bool) {
    let (mut counts, mut places, mut types, mut combiner) = (0, 0, 0, 0);
    // SAFETY: the datatype is alive, and MPI writes the numbers.
    unsafe {
        ffi::MPI_Type_get_envelope(datatype, &mut counts, &mut places, &mut types, &mut combiner)
    };
    if combiner == ffi::MPI_COMBINER_NAMED as i32 {
        return (false, true);
    }
    let (mut numbers, mut addresses) = (vec![0; counts as usize], vec![0; places as usize]);
    // SAFETY: a constant of MPI.
    let mut all = vec![unsafe { ffi::RSMPI_DATATYPE_NULL }; types as usize];
    // SAFETY: the buffers have the lengths that `MPI_Type_get_envelope` returned.
    unsafe {
        let (numbers, addresses) = (numbers.as_mut_ptr(), addresses.as_mut_ptr());
        ffi::MPI_Type_get_contents(
            datatype,
            counts,
            places,
            types,
            numbers,
            addresses,
            all.as_mut_ptr(),
        );
    }
    let is_struct = combiner == ffi::MPI_COMBINER_STRUCT as i32;
    // The first number of a struct is its number of fields; the others are array lengths.
    let repeats = numbers[usize::from(is_struct)..].iter().any(|&number| number > 1);
    let mut found = is_struct && repeated;
    for mut inner in all {
        let (one, is_named) = find_arrays(inner, repeated || repeats);
        found |= one;
        if !is_named {
            // SAFETY: the caller of `MPI_Type_get_contents` has to free derived types.
            unsafe { ffi::MPI_Type_free(&mut inner) };
        }
    }
    (found, false)
}

/// The datatype with another extent: consecutive ones are `bytes` bytes apart.
pub(crate) fn resized(
    datatype: &UncommittedUserDatatype,
    bytes: Address,
) -> UncommittedUserDatatype {
    let mut raw = MaybeUninit::uninit();
    // SAFETY: the old datatype is alive; MPI writes the new one, which has no other owner.
    unsafe {
        ffi::MPI_Type_create_resized(datatype.as_raw(), 0, bytes, raw.as_mut_ptr());
        UncommittedUserDatatype::from_raw(raw.assume_init())
    }
}
