//! Layouts as MPI datatypes.
//!
//! ```text
//! type map of L      (element, L(0)), (element, L(1)), ..      in the order of the coordinates
//! (n:1, m:d)         m blocks of n elements, d apart: MPI_Type_create_hvector, nested for each further mode
//! under a swizzle    contiguous runs: MPI_Type_create_hindexed
//! ```

use std::mem::size_of;

use bytemuck::Pod;
use layout_algebra::DynStride;
use layout_algebra::prelude::*;
use mpi::datatype::{Equivalence, UncommittedUserDatatype};
use mpi::{Address, Count};

use crate::committed::{LayoutDatatype, reach, repeats_structs, resized};
use crate::element::name;
use crate::error::{Error, MOST_RUNS};
use crate::kept::check_running;

mod sealed {
    use super::*;

    pub trait Sendable: Addressable {
        /// The layout as shape and strides; `None` for a composed layout.
        fn strided(&self) -> Option<DynLayout>;
    }
    impl<S: IntTuple, D: IntTuple> Sendable for StridedLayout<S, D>
    where
        Self: Addressable,
    {
        fn strided(&self) -> Option<DynLayout> {
            Some(DynLayout::from(*self))
        }
    }
    impl Sendable for DynLayout {
        fn strided(&self) -> Option<DynLayout> {
            Some(self.clone())
        }
    }
    impl<O, F, L> Sendable for ComposedLayout<O, F, L>
    where
        Self: Addressable,
    {
        fn strided(&self) -> Option<DynLayout> {
            None
        }
    }
}

/// `L: Sendable`: tensors under the layout `L` can be sent. Implemented for strided layouts,
/// static, mixed or dynamic, and for composed ones.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_mpi::Sendable;
/// fn sendable<L: Sendable>(_: &L) {}
/// sendable(&layout!((4, 6)));
/// sendable(&Swizzle::<2, 0, 2>::new().compose(layout!((4, 4))));
/// ```
pub trait Sendable: sealed::Sendable {
    #[doc(hidden)]
    fn check_injective(&self) -> Result<(), Error> {
        let injective = match self.strided() {
            Some(layout) => layout.is_injective(),
            None => {
                let mut offsets: Vec<_> = offsets(self).collect();
                offsets.sort_unstable();
                offsets.windows(2).all(|pair| pair[0] != pair[1])
            }
        };
        if injective { Ok(()) } else { Err(Error::NotInjective { layout: format!("{self:#}") }) }
    }
}
impl<L: sealed::Sendable> Sendable for L {}

/// All offsets, in the order of the coordinates.
fn offsets<L: Addressable>(layout: &L) -> impl Iterator<Item = usize> + '_ {
    layout.coords().map(|coordinate| layout.locate(coordinate))
}

/// The MPI datatype of a layout of elements `T`, committed: `MPI_Type_contiguous`,
/// `_create_hvector` and, under a swizzle, `_create_hindexed`. It is freed when its last copy is
/// dropped.
///
/// Sending a tensor does not need it: `process.send(&tensor.message()?)`. It is for MPI's other
/// uses of datatypes.
///
/// # Errors
/// `overflow` if an offset in bytes exceeds MPI's addresses; `stride` if a stride is negative or an
/// XOR stride. Also if a layout under a swizzle has more than 2^26 contiguous runs, if MPI is not
/// running, or if MPI's type of an element reaches bytes outside the element.
///
/// ```standalone_crate
/// use layout_algebra::prelude::*;
/// use layout_mpi::datatype_of;
/// use mpi::traits::*;
/// let universe = mpi::initialize().unwrap();
/// let n = 3;
/// let parsed: DynLayout = "(2,3):(1,10)".parse()?;
/// for tile in [datatype_of::<f32>(&layout!((2, n):(1, 10)))?, datatype_of::<f32>(&parsed)?] {
///     assert_eq!(universe.world().pack_size(1, &tile), 24);
/// }
/// # Ok::<(), layout_mpi::Error>(())
/// ```
pub fn datatype_of<T: Equivalence>(layout: &impl Sendable) -> Result<LayoutDatatype, Error> {
    Ok(LayoutDatatype::commit(uncommitted::<T>(layout, COUNTS)?))
}

/// [`datatype_of`] with an extent, so that consecutive ones are `extent` elements apart:
/// `MPI_Type_create_resized`. For collectives that scatter tiles.
///
/// # Errors
/// As for [`datatype_of`].
///
/// ```standalone_crate
/// use layout_algebra::layout;
/// use layout_mpi::datatype_of_every;
/// use mpi::traits::*;
/// let universe = mpi::initialize().unwrap();
/// // Columns of a row-major 2 x 8 matrix: the next column begins one element further.
/// let column = datatype_of_every::<i32>(&layout!(2:8), 1)?;
/// assert_eq!(universe.world().pack_size(8, &column), 64);
/// # Ok::<(), layout_mpi::Error>(())
/// ```
pub fn datatype_of_every<T: Equivalence>(
    layout: &impl Sendable,
    extent: usize,
) -> Result<LayoutDatatype, Error> {
    let datatype = uncommitted::<T>(layout, COUNTS)?;
    Ok(LayoutDatatype::commit(resized(&datatype, bytes::<T>(extent)?)))
}

/// The largest count in MPI.
const COUNTS: usize = Count::MAX as usize;

/// The datatype of a tensor's layout, and its count in a message: one, or zero for an empty layout.
pub(crate) fn of_layout<T: Equivalence>(
    layout: &impl Sendable,
) -> Result<(LayoutDatatype, Count), Error> {
    Ok((datatype_of::<T>(layout)?, Count::from(layout.size() > 0)))
}

/// The datatype of one element, on which all others are built. Its extent is the element's size:
/// MPI's own extent of a struct may be less (if it is aligned to 32 bytes) or more (if it is
/// packed).
pub(crate) fn element<T: Equivalence>() -> Result<UncommittedUserDatatype, Error> {
    check_running("a datatype")?;
    let (foreign, size) =
        (UncommittedUserDatatype::contiguous(1, &T::equivalent_datatype()), bytes::<T>(1)?);
    let (from, to, extent) = reach(&foreign);
    if to > from && (from < 0 || to > size) {
        return Err(Error::Reach { elements: name::<T>().into(), from, to, size: size_of::<T>() });
    }
    if extent == [0, size] {
        return Ok(foreign);
    }
    if repeats_structs(&foreign) {
        return Err(Error::Arrays {
            elements: name::<T>().into(),
            extent: extent[1],
            size: size_of::<T>(),
        });
    }
    Ok(resized(&foreign, size))
}

/// The datatype of contiguous elements, all of whose bytes are sent.
pub(crate) fn element_datatype<T: Equivalence + Pod>() -> Result<LayoutDatatype, Error> {
    let (datatype, size) = (LayoutDatatype::commit(element::<T>()?), size_of::<T>());
    if datatype.size() != size {
        return Err(Error::Bytes { elements: name::<T>().into(), bytes: datatype.size(), size });
    }
    Ok(datatype)
}

/// Ok if the span of these modes, and the size of the message, fit MPI's addresses.
fn check_span<T>(modes: impl Iterator<Item = (usize, usize)> + Clone) -> Result<(), Error> {
    let reach = modes.clone().try_fold(1usize, |sum, (extent, stride)| {
        extent.checked_sub(1)?.checked_mul(stride).and_then(|reach| sum.checked_add(reach))
    });
    let size = modes.into_iter().try_fold(1usize, |size, (extent, _)| size.checked_mul(extent));
    let overflow = || LayoutError::new("datatype_of", Fault::Overflow);
    bytes::<T>(reach.ok_or_else(overflow)?)?;
    bytes::<T>(size.ok_or_else(overflow)?)?;
    Ok(())
}

fn bytes<T>(elements: usize) -> Result<Address, Error> {
    let bytes =
        elements.checked_mul(size_of::<T>()).and_then(|bytes| Address::try_from(bytes).ok());
    bytes.ok_or_else(|| LayoutError::new("datatype_of", Fault::Overflow).into())
}

/// The datatype of a layout, made with counts of at most `counts`.
pub(crate) fn uncommitted<T: Equivalence>(
    layout: &impl Sendable,
    counts: usize,
) -> Result<UncommittedUserDatatype, Error> {
    let element = element::<T>()?;
    if layout.size() == 0 {
        return Ok(element);
    }
    let Some(strided) = layout.strided() else {
        return indexed::<T>(offsets(layout), &element, counts.min(MOST_RUNS));
    };
    let coalesced = strided.coalesce();
    if coalesced.strides().any(|stride| !matches!(stride, DynStride::Natural(_))) {
        return Err(LayoutError::new("datatype_of", Fault::NoNaturalStrides)
            .with_operand(&strided)
            .into());
    }
    let (shape, stride) = (coalesced.shape(), coalesced.stride());
    let modes = shape.leaves().iter().copied().zip(stride.leaves().iter().copied());
    check_span::<T>(modes.clone())?;
    let mut modes = modes.peekable();
    // A first mode of stride 1 becomes the block of the next mode.
    let block = modes
        .next_if(|&(extent, stride)| stride == 1 && extent <= counts)
        .map_or(1, |(extent, _)| extent);
    let mut datatype = match modes.next() {
        None => UncommittedUserDatatype::contiguous(block as Count, &element),
        Some((extent, stride)) if extent <= counts => {
            UncommittedUserDatatype::heterogeneous_vector(
                extent as Count,
                block as Count,
                bytes::<T>(stride)?,
                &element,
            )
        }
        Some((extent, stride)) => {
            let block = UncommittedUserDatatype::contiguous(block as Count, &element);
            repeated(extent, bytes::<T>(stride)?, block, counts)?
        }
    };
    for (extent, stride) in modes {
        datatype = repeated(extent, bytes::<T>(stride)?, datatype, counts)?;
    }
    Ok(datatype)
}

/// `extent` copies of a datatype, `stride` bytes apart; `extent` may exceed MPI's counts.
fn repeated(
    extent: usize,
    stride: Address,
    datatype: UncommittedUserDatatype,
    counts: usize,
) -> Result<UncommittedUserDatatype, Error> {
    if extent <= counts {
        return Ok(UncommittedUserDatatype::heterogeneous_vector(
            extent as Count,
            1,
            stride,
            &datatype,
        ));
    }
    let overflow = || LayoutError::new("datatype_of", Fault::Overflow);
    let (turns, rest) = (extent / counts, extent % counts);
    let turn = stride.checked_mul(counts as Address).ok_or_else(overflow)?;
    let end = turn.checked_mul(turns as Address).ok_or_else(overflow)?;
    let one = UncommittedUserDatatype::heterogeneous_vector(counts as Count, 1, stride, &datatype);
    let body = repeated(turns, turn, one, counts)?;
    if rest == 0 {
        return Ok(body);
    }
    let tail = UncommittedUserDatatype::heterogeneous_vector(rest as Count, 1, stride, &datatype);
    Ok(UncommittedUserDatatype::structured(&[1, 1], &[0, end], &[body.as_ref(), tail.as_ref()]))
}

/// The datatype of these offsets, as a list of contiguous runs.
fn indexed<T>(
    offsets: impl Iterator<Item = usize>,
    element: &UncommittedUserDatatype,
    most: usize,
) -> Result<UncommittedUserDatatype, Error> {
    let (mut lengths, mut places): (Vec<Count>, Vec<Address>) = (Vec::new(), Vec::new());
    let mut before = None;
    for offset in offsets {
        let is_full = lengths.len() == most;
        let is_neighbour = before.is_some_and(|before: usize| before + 1 == offset);
        before = Some(offset);
        match lengths.last_mut() {
            Some(length) if is_neighbour && *length < Count::MAX => *length += 1,
            _ if is_full => return Err(Error::Runs),
            _ => {
                lengths.push(1);
                places.push(bytes::<T>(offset)?);
            }
        }
    }
    Ok(UncommittedUserDatatype::heterogeneous_indexed(&lengths, &places, element))
}
