//! Descriptions of memory that are passed to MPI.
//!
//! ```text
//! message of a tensor    MPI reads or writes at base + offset for the offsets of the layout, and nowhere else
//! ```
//!
//! The unsafe blocks here rely only on traits that are unsafe to implement (`Storage`,
//! `Addressable`, `AnyBitPattern`, `AsRaw`) or sealed (`Sendable`), and on `Equivalence` after
//! checking the bytes that its datatype reaches (`datatype`). Methods of rsmpi's safe traits, such
//! as `Communicator`, are called outside unsafe blocks.
#![allow(unsafe_code)]

use std::marker::PhantomData;
use std::mem::{align_of, size_of};
use std::os::raw::c_void;

use bytemuck::AnyBitPattern;
use layout_algebra::prelude::*;
use mpi::Count;
use mpi::attribute::traits::CommAttribute;
use mpi::datatype::{AsDatatype, Buffer, BufferMut, Collection, Equivalence, Pointer, PointerMut};
use mpi::ffi;
use mpi::point_to_point::Status;
use mpi::raw::AsRaw;
use mpi::topology::Communicator;

use crate::committed::LayoutDatatype;
use crate::datatype::{Sendable, of_layout};

// ---- messages -----------------------------------------------------------------------------------

/// The elements of a tensor as something that MPI sends:
/// `world.process_at_rank(1).send(&tensor.message()?)`. Made by [`message`](Messages::message).
///
/// It is a [`Buffer`], which rsmpi takes in sends, blocking and immediate, and in collectives. To
/// let the receiver compare types, send it with [`send_checked`](crate::SendChecked::send_checked).
///
/// ```no_run
/// use layout_algebra::prelude::*;
/// use layout_mpi::Messages;
/// use mpi::traits::*;
/// let universe = mpi::initialize().unwrap();
/// let t = Tensor::new(vec![0.0; 24], layout!((4, 6)))?;
/// universe.world().process_at_rank(1).send(&t.slice((1, ..)).message()?); // a row: every fourth element
/// # Ok::<(), layout_mpi::Error>(())
/// ```
#[derive(Debug)]
pub struct Message<'a, T> {
    base: *const T,
    count: Count,
    datatype: LayoutDatatype,
    elements: PhantomData<&'a [T]>,
}

/// The elements of a tensor as something that MPI receives into. Made by
/// [`message_mut`](Messages::message_mut).
///
/// ```no_run
/// use layout_algebra::prelude::*;
/// use layout_mpi::{Messages, ReceiveChecked};
/// use mpi::traits::*;
/// let universe = mpi::initialize().unwrap();
/// let mut t = Tensor::new(vec![0.0; 24], layout!((4, 6)))?;
/// universe.world().process_at_rank(0).receive_checked(&mut t.slice_mut((.., 1)).message_mut()?)?;
/// # Ok::<(), layout_mpi::Error>(())
/// ```
///
/// It is a [`BufferMut`], which rsmpi takes as the destination of collectives and of its own
/// receives, `process.receive_into(&mut tensor.message_mut()?)`. These are MPI's receives, which do
/// not compare types:
///
/// | the message | a raw receive | `receive_checked` |
/// |---|---|---|
/// | other elements, as many bytes | their bits are taken as the tensor's elements; [`check`](MessageMut::check) the status, if it was sent checked | error |
/// | fewer bytes | writes the first elements; the status has their number | error |
/// | more bytes | MPI ends the program on all ranks (`MPI_ERR_TRUNCATE`) | error |
///
/// Before it ends the program, Open MPI 4.1 writes beyond the end of a receiver's compact buffer if
/// the message has 4096 bytes or more. This is a defect of Open MPI, which affects C programs and
/// slices too. If a message may be too long, only
/// [`receive_checked`](crate::ReceiveChecked::receive_checked) is safe.
#[derive(Debug)]
pub struct MessageMut<'a, T> {
    base: *mut T,
    count: Count,
    datatype: LayoutDatatype,
    elements: PhantomData<&'a mut [T]>,
}

/// Tensors as messages: [`message`](Messages::message) and [`message_mut`](Messages::message_mut).
///
/// The two ends need not have the same layout: elements are sent in the order of the sender's
/// coordinates, and received in that of the receiver's.
///
/// ```no_run
/// use layout_algebra::prelude::*;
/// use layout_mpi::{Messages, ReceiveChecked, SendChecked};
/// use mpi::traits::*;
/// let universe = mpi::initialize().unwrap();
/// let world = universe.world();
/// if world.rank() == 0 {
///     let rows = Tensor::new(vec![1, 2, 3, 4, 5, 6], layout!((2, 3): right))?;
///     world.process_at_rank(1).send_checked(&rows.message()?);
/// } else {
///     let mut columns = Tensor::new(vec![0; 6], layout!((2, 3)))?;
///     world.process_at_rank(0).receive_checked(&mut columns.message_mut()?)?;
///     assert_eq!(columns.into_storage(), [1, 4, 2, 5, 3, 6]);
/// }
/// # Ok::<(), layout_mpi::Error>(())
/// ```
pub trait Messages {
    /// The storage.
    type Storage: Storage;
    /// The elements as one message to send, which may have more than 2^31 bytes. MPI copies
    /// contiguous runs at once, and other elements one by one: with Open MPI 4.1, 2^31 elements of
    /// one byte with stride 2 take 50 seconds.
    ///
    /// # Errors
    /// Those of [`datatype_of`](crate::datatype_of).
    fn message(&self) -> Result<Message<'_, <Self::Storage as Storage>::Item>, crate::Error>;
    /// The elements as a buffer to receive into. The received bits are taken as elements, so any
    /// bits have to be valid: numbers and structs of numbers are [`AnyBitPattern`], `bool` and
    /// `char` are not.
    ///
    /// ```compile_fail,E0277
    /// use layout_algebra::prelude::*;
    /// use layout_mpi::Messages;
    /// let mut t = Tensor::fixed([true; 2], layout!(2));
    /// t.message_mut(); // a rank that sends bytes would make invalid values of `bool`
    /// ```
    ///
    /// # Errors
    /// If two coordinates share an element, and those of [`datatype_of`](crate::datatype_of).
    fn message_mut(
        &mut self,
    ) -> Result<MessageMut<'_, <Self::Storage as Storage>::Item>, crate::Error>
    where
        Self::Storage: StorageMut<Item: AnyBitPattern>;
}

impl<S: Storage<Item: Equivalence>, L: Sendable> Messages for Tensor<S, L> {
    type Storage = S;
    fn message(&self) -> Result<Message<'_, S::Item>, crate::Error> {
        let (datatype, count) = of_layout::<S::Item>(self.layout())?;
        // Relative to `base`, the datatype reaches exactly the layout's offsets, which may be read
        // while the tensor is borrowed (`Storage`).
        Ok(Message {
            base: self.view().into_storage().base(),
            count,
            datatype,
            elements: PhantomData,
        })
    }
    fn message_mut(&mut self) -> Result<MessageMut<'_, S::Item>, crate::Error>
    where
        S: StorageMut<Item: AnyBitPattern>,
    {
        let (datatype, count) = of_layout::<S::Item>(self.layout())?;
        self.layout().check_injective()?;
        // As above, for writing; no two offsets are equal.
        let base = self.view_mut().into_storage().base_mut();
        Ok(MessageMut { base, count, datatype, elements: PhantomData })
    }
}

impl<'a, T: Equivalence> Message<'a, T> {
    /// Contiguous elements to send.
    pub(crate) fn of_slice(elements: &'a [T], datatype: &LayoutDatatype) -> Self {
        let count = Count::try_from(elements.len())
            .expect("messages are cut at a limit below that of MPI's counts");
        Message {
            base: elements.as_ptr(),
            count,
            datatype: datatype.clone(),
            elements: PhantomData,
        }
    }
}

impl<'a, T: Equivalence + AnyBitPattern> MessageMut<'a, T> {
    /// Contiguous elements to receive into.
    pub(crate) fn of_slice_mut(elements: &'a mut [T], datatype: &LayoutDatatype) -> Self {
        let count = Count::try_from(elements.len())
            .expect("messages are cut at a limit below that of MPI's counts");
        MessageMut {
            base: elements.as_mut_ptr(),
            count,
            datatype: datatype.clone(),
            elements: PhantomData,
        }
    }
}

impl<T> MessageMut<'_, T> {
    /// The bytes of a message that fills it, without padding bytes of the elements.
    pub(crate) fn bytes(&self) -> usize {
        self.count as usize * self.datatype.size()
    }
}

/// The bytes of a message by its status, even if they exceed MPI's counts.
pub(crate) fn bytes(status: &Status) -> usize {
    // A `Status` is a struct whose only field is an `MPI_Status` of the same size.
    const { assert!(size_of::<Status>() == size_of::<ffi::MPI_Status>()) };
    const { assert!(align_of::<Status>() == align_of::<ffi::MPI_Status>()) };
    let mut bytes = 0;
    // SAFETY: a `Status` is just an `MPI_Status`, which MPI has written; MPI writes the number.
    unsafe {
        let status = std::ptr::from_ref(status).cast();
        ffi::MPI_Get_elements_x(status, u8::equivalent_datatype().as_raw(), &mut bytes);
    }
    usize::try_from(bytes).expect("a message has a number of bytes")
}

// SAFETY: the address of the elements, which are borrowed as long as the message lives.
unsafe impl<T> Pointer for Message<'_, T> {
    fn pointer(&self) -> *const c_void {
        self.base.cast()
    }
}
// SAFETY: the count is one for a datatype that reaches exactly the layout's offsets from `base`,
// zero for an empty layout, and the number of elements for a slice; all of them may be read.
unsafe impl<T> Collection for Message<'_, T> {
    fn count(&self) -> Count {
        self.count
    }
}
// SAFETY: a committed datatype, kept alive by the returned value.
unsafe impl<T> AsDatatype for Message<'_, T> {
    type Out = LayoutDatatype;
    fn as_datatype(&self) -> LayoutDatatype {
        self.datatype.clone()
    }
}
// SAFETY: the three above.
unsafe impl<T> Buffer for Message<'_, T> {}
// SAFETY: the address of the elements, which are borrowed mutably as long as the message lives.
// `message_mut` requires elements for which any bits are valid, so that any received bits are.
unsafe impl<T> PointerMut for MessageMut<'_, T> {
    fn pointer_mut(&mut self) -> *mut c_void {
        self.base.cast()
    }
}
// SAFETY: as for `Message`, to be written.
unsafe impl<T> Collection for MessageMut<'_, T> {
    fn count(&self) -> Count {
        self.count
    }
}
// SAFETY: as for `Message`.
unsafe impl<T> AsDatatype for MessageMut<'_, T> {
    type Out = LayoutDatatype;
    fn as_datatype(&self) -> LayoutDatatype {
        self.datatype.clone()
    }
}
// SAFETY: the three above.
unsafe impl<T> BufferMut for MessageMut<'_, T> {}

// ---- attributes ---------------------------------------------------------------------------------

/// Attaches a value to a communicator, until the communicator is freed.
pub(crate) fn attach<A: CommAttribute>(world: &impl Communicator, value: A) {
    let value = Box::into_raw(Box::new(value)).cast();
    // SAFETY: as in `AnyCommunicator::set_attr`, which needs a mutable borrow: the handle belongs
    // to a live communicator (`AsRaw`), and the callback of this key drops the box.
    unsafe { ffi::MPI_Comm_set_attr(world.as_raw(), A::get_key().as_raw(), value) };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datatype::uncommitted;

    /// Extents beyond MPI's counts, with artificial limits of 2, 3 and 5.
    #[test]
    fn large_extents_are_split() {
        let universe = mpi::initialize().expect("MPI");
        let world = universe.world();
        for text in [
            "(100):(1)",
            "(7,4):(1,9)",
            "(1,50):(1,2)",
            "(6,11):(13,1)",
            "(3,4,30):(1,100,3)",
            "(40):(0)",
        ] {
            let layout: DynLayout = text.parse().expect("a layout");
            let data: Vec<u16> = (0..layout.cosize() as u16).collect();
            let tensor = Tensor::new(&data[..], layout).expect("long enough");
            let expected: Vec<u8> = tensor.iter().flat_map(|x| x.to_ne_bytes()).collect();
            for counts in [2, 3, 5] {
                let datatype = uncommitted::<u16>(tensor.layout(), counts).expect("small");
                let whole = tensor.message().expect("natural strides");
                let message = Message { datatype: LayoutDatatype::commit(datatype), ..whole };
                assert_eq!(world.pack(&message), expected, "{text} by {counts}");
            }
        }
        // A swizzled layout is a list of contiguous runs, whose number is limited.
        let swizzled = Swizzle::<1, 0, 2>::new().compose(layout!((4, 4)));
        assert!(uncommitted::<u16>(&swizzled, 16).is_ok());
        assert_eq!(uncommitted::<u16>(&swizzled, 3).err(), Some(crate::Error::Runs));
    }
}
