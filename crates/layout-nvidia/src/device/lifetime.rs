//! Parts of global memory that outlive their source views: their lifetime is extended.

use layout_algebra::prelude::*;
use layout_algebra::tensor::space::Global;
use layout_algebra::tensor::{Addressable, Storage, Tile};

/// A part of a tensor at `from` in global memory, as an independent tensor, which borrows only the
/// memory, so that a closure can keep it. Addresses that depend on the tensor, the block and the
/// thread are then computed once, not in each turn of a loop.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::space::Global;
/// let numbers: Vec<f32> = (0..24).map(|i| i as f32).collect();
/// let column = {
///     let all = Tensor::new(numbers.as_slice(), layout!((4, 6)))?;
///     let all = all.in_space::<Global>();
///     let column = all.slice((.., 2));
///     // SAFETY: the numbers are there.
///     unsafe { layout_nvidia::device::extend_lifetime(&column, numbers.as_ptr()) }
/// };
/// assert_eq!(column.iter().copied().collect::<Vec<_>>(), [8.0, 9.0, 10.0, 11.0]);
/// # Ok::<(), LayoutError>(())
/// ```
///
/// # Safety
/// The elements of the part may be read while it is used. (It is a part of the tensor at `from`; a
/// part without elements gets this address.)
#[inline(always)]
pub unsafe fn extend_lifetime<'m, T: 'm, S: Storage<Item = T, Space = Global>, L: Addressable>(
    part: &Tensor<S, L>,
    from: *const T,
) -> Tensor<Tile<'m, T, Global>, L> {
    // SAFETY: the first element of the part keeps its address, and the layout is the same; the rest
    // is the caller's promise.
    unsafe { Tensor::from_global_ref(part.address(0).unwrap_or(from), part.layout().clone()) }
}
