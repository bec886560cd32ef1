//! DLPack: Python's arrays as tensors, and tensors as Python's arrays, without copies.
//!
//! ```text
//! from_dlpack(a)[(i, j)] == a[i, j]
//! a.from_dlpack(t.into_dlpack())[i, j, k] == t[(i, (j, k))]
//! ```
//!
//! DLPack's strides are signed, and its address is that of the element at coordinate 0, whatever
//! the signs. A tensor of this crate begins at the element with the least address.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ffi::c_void;
use core::fmt;
use core::ptr::{NonNull, null_mut};

use dlpack_rs::ffi::{
    DLDataType, DLDataTypeCode, DLDevice, DLDeviceType, DLManagedTensor, DLManagedTensorVersioned,
    DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION, DLPackVersion, DLTensor,
};

use super::{axes_for_others, layout_of};
use crate::axes::HasAxes;
use crate::error::{ArrayError, DlpackFault};
use crate::layout::{ArrayLayout, fill_row_major, size_of_shape};
use layout_algebra::tensor::space::Generic;
use layout_algebra::tensor::{Addressable, Storage, StorageMut, Tile, TileMut};
use layout_algebra::{DynComposedLayout, Fault, Tensor};

const READ_ONLY: u64 = dlpack_rs::ffi::DLPACK_FLAG_BITMASK_READ_ONLY;

/// An element type of DLPack: `bool`, and integers and floating-point numbers of fixed widths; with
/// the feature `half`, also `half::f16` and `half::bf16`.
///
/// # Safety
/// Memory with DLPack's type `TYPE` contains valid elements of `Self`.
///
/// ```
/// use layout_arrays::foreign::DlpackElement;
/// assert_eq!((<f32 as DlpackElement>::TYPE.bits, <u8 as DlpackElement>::TYPE.bits), (32, 8));
/// ```
#[diagnostic::on_unimplemented(
    message = "DLPack does not know this type of elements",
    label = "`{Self}`: neither `bool`, nor `i8` to `i64`, `u8` to `u64`, `f16` to `f64` or `bf16`",
    note = "`map` makes a tensor of other elements: `tensor.map(|x| x as f64)`"
)]
pub unsafe trait DlpackElement: 'static {
    /// DLPack's type.
    const TYPE: DLDataType;
}
macro_rules! elements {
    ($($code:ident: $($type:ident)*;)*) => {
        $($(
            // SAFETY: the code and the number of bits are those of the type, and there is one of it
            // in an element.
            unsafe impl DlpackElement for $type {
                const TYPE: DLDataType =
                    DLDataType { code: DLDataTypeCode::$code as u8, bits: 8 * size_of::<$type>() as u8, lanes: 1 };
            }
        )*)*
    };
}
elements! { kDLInt: i8 i16 i32 i64; kDLUInt: u8 u16 u32 u64; kDLFloat: f32 f64; kDLBool: bool; }
#[cfg(feature = "half")]
mod halves {
    use super::{DLDataType, DLDataTypeCode, DlpackElement};
    use half::{bf16, f16};
    elements! { kDLFloat: f16; kDLBfloat: bf16; }
}

/// The two forms of a managed tensor that are exchanged: `DLManagedTensorVersioned`, and
/// `DLManagedTensor` from before DLPack 1.0.
///
/// # Safety
/// The methods read and write the fields of these names, and nothing else.
///
/// ```
/// use layout_arrays::foreign::{ManagedTensor, ffi::DLManagedTensor};
/// use static_assertions::assert_impl_all;
/// assert_impl_all!(DLManagedTensor: ManagedTensor);
/// ```
#[diagnostic::on_unimplemented(
    message = "this is no managed tensor of DLPack",
    label = "neither `DLManagedTensorVersioned` nor `DLManagedTensor`",
    note = "name the one that the other side takes: `t.into_dlpack::<DLManagedTensorVersioned>()`"
)]
pub unsafe trait ManagedTensor: Sized + 'static {
    /// The version, if there is one, and the flags.
    #[doc(hidden)]
    fn version_and_flags(&self) -> (Option<DLPackVersion>, u64);
    #[doc(hidden)]
    fn tensor(&self) -> &DLTensor;
    #[doc(hidden)]
    fn deleter(&self) -> Option<unsafe extern "C" fn(*mut Self)>;
    #[doc(hidden)]
    fn manager(&self) -> *mut c_void;
    #[doc(hidden)]
    fn make(
        tensor: DLTensor,
        manager: *mut c_void,
        flags: u64,
        deleter: unsafe extern "C" fn(*mut Self),
    ) -> Self;
}
// SAFETY: as the names say.
unsafe impl ManagedTensor for DLManagedTensorVersioned {
    fn version_and_flags(&self) -> (Option<DLPackVersion>, u64) {
        (Some(self.version), self.flags)
    }
    fn tensor(&self) -> &DLTensor {
        &self.dl_tensor
    }
    fn deleter(&self) -> Option<unsafe extern "C" fn(*mut Self)> {
        self.deleter
    }
    fn manager(&self) -> *mut c_void {
        self.manager_ctx
    }
    fn make(
        dl_tensor: DLTensor,
        manager: *mut c_void,
        flags: u64,
        deleter: unsafe extern "C" fn(*mut Self),
    ) -> Self {
        let version = DLPackVersion { major: DLPACK_MAJOR_VERSION, minor: DLPACK_MINOR_VERSION };
        DLManagedTensorVersioned {
            version,
            manager_ctx: manager,
            deleter: Some(deleter),
            flags,
            dl_tensor,
        }
    }
}
// SAFETY: as the names say.
unsafe impl ManagedTensor for DLManagedTensor {
    fn version_and_flags(&self) -> (Option<DLPackVersion>, u64) {
        (None, 0)
    }
    fn tensor(&self) -> &DLTensor {
        &self.dl_tensor
    }
    fn deleter(&self) -> Option<unsafe extern "C" fn(*mut Self)> {
        self.deleter
    }
    fn manager(&self) -> *mut c_void {
        self.manager_ctx
    }
    fn make(
        dl_tensor: DLTensor,
        manager: *mut c_void,
        _: u64,
        deleter: unsafe extern "C" fn(*mut Self),
    ) -> Self {
        DLManagedTensor { dl_tensor, manager_ctx: manager, deleter: Some(deleter) }
    }
}

// ---- managed tensors of other libraries -------------------------------------------------------

/// A managed tensor whose deleter is called on drop.
struct Owner {
    managed: *mut c_void,
    give_back: unsafe fn(*mut c_void),
}
impl Owner {
    /// # Safety
    /// The caller owns the managed tensor, and passes it to this owner.
    unsafe fn new<M: ManagedTensor>(managed: NonNull<M>) -> Self {
        unsafe fn give_back<M: ManagedTensor>(managed: *mut c_void) {
            let managed = managed.cast::<M>();
            // SAFETY: `Owner::new` received a managed tensor of this type, and `drop` runs once.
            if let Some(deleter) = unsafe { (*managed).deleter() } {
                // SAFETY: as above; nobody uses it afterwards.
                unsafe { deleter(managed) }
            }
        }
        Owner { managed: managed.as_ptr().cast(), give_back: give_back::<M> }
    }
}
impl Drop for Owner {
    fn drop(&mut self) {
        // SAFETY: `new` received the ownership of the managed tensor.
        unsafe { (self.give_back)(self.managed) }
    }
}

macro_rules! managed {
    ($($(#[$doc:meta])* $name:ident: $tile:ident;)*) => {
        $(
            $(#[$doc])*
            pub struct $name<T: 'static> {
                elements: $tile<'static, T>,
                _owner: Owner,
            }
            impl<T> fmt::Debug for $name<T> {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.debug_struct(stringify!($name)).finish_non_exhaustive()
                }
            }
            // SAFETY: the elements are those of a tile that the owner keeps alive as long as this
            // storage; a view borrows this storage.
            unsafe impl<T> Storage for $name<T> {
                type Item = T;
                type Space = Generic;
                type View<'view> = Tile<'view, T>;
                #[inline(always)]
                fn base(&self) -> *const T {
                    self.elements.base()
                }
                #[inline(always)]
                unsafe fn view(&self, offset: usize, span: Option<usize>) -> Tile<'_, T> {
                    // SAFETY: as the caller has promised.
                    unsafe { self.elements.view(offset, span) }
                }
                fn accepts<L: Addressable, M: Addressable>(&self, from: Option<&L>, to: &M) -> Result<(), Fault> {
                    self.elements.accepts(from, to)
                }
            }
        )*
    };
}
managed! {
    /// Read-only memory received through DLPack: the storage of the tensor that [`from_dlpack`]
    /// returns. Dropping it calls the deleter.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_arrays::foreign::{IntoDlpack, Managed, ffi::DLManagedTensor, from_dlpack};
    /// let given = Tensor::filled(layout!((2, 3)), 1.5).into_dlpack::<DLManagedTensor>()?;
    /// // SAFETY: it was made here, and nobody else has it.
    /// let t: Tensor<Managed<f64>, _> = unsafe { from_dlpack(given) }?;
    /// assert_eq!((t[(1, 2)], t.layout().to_string().as_str()), (1.5, "Sw<0,0,0> o 0 o (2,3):(1,2)"));
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    Managed: Tile;
    /// Mutable memory received through DLPack: the storage of the tensor that [`from_dlpack_mut`]
    /// returns. Dropping it calls the deleter.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_arrays::foreign::{IntoDlpack, ManagedMut, from_dlpack_mut};
    /// use layout_arrays::foreign::ffi::DLManagedTensorVersioned;
    /// let given = Tensor::filled(layout!((2, 3)), 0).into_dlpack::<DLManagedTensorVersioned>()?;
    /// // SAFETY: it was made here, and nobody else has it.
    /// let mut t: Tensor<ManagedMut<i32>, _> = unsafe { from_dlpack_mut(given) }?;
    /// t[(1, 2)] = 7;
    /// assert_eq!(t.iter().sum::<i32>(), 7);
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    ManagedMut: TileMut;
}
// SAFETY: as for `Storage`; the tile may be written.
unsafe impl<T> StorageMut for ManagedMut<T> {
    type ViewMut<'view> = TileMut<'view, T>;
    #[inline(always)]
    fn base_mut(&mut self) -> *mut T {
        self.elements.base_mut()
    }
    #[inline(always)]
    unsafe fn view_mut(&mut self, offset: usize, span: Option<usize>) -> TileMut<'_, T> {
        // SAFETY: as the caller has promised.
        unsafe { self.elements.view_mut(offset, span) }
    }
}

/// The address of offset 0, and the layout of a managed tensor.
///
/// # Safety
/// The managed tensor is valid: its shape and strides have `ndim` numbers.
unsafe fn base_and_layout<T: DlpackElement, M: ManagedTensor>(
    managed: &M,
) -> Result<(*mut T, ArrayLayout), ArrayError> {
    let refuse = |fault| Err(ArrayError::Dlpack(fault));
    if let (Some(version), _) = managed.version_and_flags() {
        if version.major != DLPACK_MAJOR_VERSION {
            return refuse(DlpackFault::Version { major: version.major });
        }
    }
    let DLTensor { data, device, ndim, dtype, shape, strides, byte_offset } = *managed.tensor();
    if device.device_type != DLDeviceType::kDLCPU {
        return refuse(DlpackFault::Device { device: device.device_type });
    }
    let wanted = T::TYPE;
    if (dtype.code, dtype.bits, dtype.lanes) != (wanted.code, wanted.bits, wanted.lanes) {
        let found = [dtype.code.into(), dtype.bits.into(), dtype.lanes];
        let wanted = [wanted.code.into(), wanted.bits.into()];
        return refuse(DlpackFault::ElementType { found, wanted });
    }
    let number = ArrayError::Dlpack(DlpackFault::Number);
    let rank = usize::try_from(ndim).map_err(|_| number.clone())?;
    let (mut extents, mut steps) = (Vec::with_capacity(rank.min(64)), Vec::new());
    for axis in 0..rank {
        // SAFETY: the shape has `ndim` numbers, as the caller has promised.
        let extent = unsafe { *shape.add(axis) };
        extents.push(usize::try_from(extent).map_err(|_| number.clone())?);
    }
    size_of_shape(&extents)?;
    if strides.is_null() {
        // Before version 1.2, a null pointer means the strides of a compact row-major array.
        steps.resize(rank, 0);
        fill_row_major(&extents, &mut steps);
    } else {
        for axis in 0..rank {
            // SAFETY: the strides, if there are any, are `ndim` numbers, as the caller has
            // promised.
            let step = unsafe { *strides.add(axis) };
            steps.push(isize::try_from(step).map_err(|_| number.clone())?);
        }
    }
    let layout = layout_of(&extents, &steps)?;
    let offset = usize::try_from(byte_offset).map_err(|_| number)?;
    let place = data.cast::<u8>().wrapping_add(offset).cast::<T>();
    match layout.size() {
        0 => Ok((NonNull::dangling().as_ptr(), layout)),
        needed if data.is_null() => refuse(DlpackFault::NoMemory { needed }),
        _ if !place.is_aligned() => Err(ArrayError::Alignment { bytes: align_of::<T>() }),
        _ => Ok((place.wrapping_sub(layout.offset()), layout)),
    }
}

/// A read-only tensor over another library's DLPack tensor: a mode for each axis, with strides of
/// either sign; one mode of extent 1 if there are no axes. The tensor begins at the element with
/// the least address.
///
/// `from_dlpack(a)[(i, j)] == a[i, j]`
///
/// The tensor takes ownership of the managed tensor, and calls its deleter on drop. After an error
/// the caller still owns the managed tensor.
///
/// # Safety
/// `managed` is a valid managed tensor of DLPack, which nobody else deletes. As long as the tensor
/// lives, its memory may be read from the threads that have the tensor, and nobody writes to it;
/// its elements are valid values of `T`.
///
/// # Errors
/// Another version; another device than the CPU; elements of another type; unaligned elements or a
/// null pointer; more than 32 axes; numbers that do not fit `isize`.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_arrays::foreign::{IntoDlpack, from_dlpack, ffi::DLManagedTensorVersioned};
/// let turned = Tensor::new(vec![0, 1, 2, 3, 4, 5], layout!((2, 3):(3, -1)))?;
/// let given = turned.into_dlpack::<DLManagedTensorVersioned>()?;
/// // SAFETY: it was made here, and nobody else has it.
/// let error = unsafe { from_dlpack::<f32, _>(given) }.unwrap_err().to_string();
/// assert_eq!(error, "elements of type code 0 of 32 bits, 1 in one, and not 2 of 32");
/// // SAFETY: as above, and an error leaves it as it is.
/// let t = unsafe { from_dlpack::<i32, _>(given) }?;
/// assert_eq!(t.layout().to_string(), "Sw<0,0,0> o 2 o (2,3):(3,-1)");
/// assert_eq!(t.iter().copied().collect::<Vec<_>>(), [2, 5, 1, 4, 0, 3]);
/// # Ok::<(), layout_arrays::ArrayError>(())
/// ```
pub unsafe fn from_dlpack<T: DlpackElement, M: ManagedTensor>(
    managed: NonNull<M>,
) -> Result<Tensor<Managed<T>, DynComposedLayout>, ArrayError> {
    // SAFETY: it is a managed tensor, as the caller has promised.
    let (base, layout) = unsafe { base_and_layout::<T, M>(managed.as_ref()) }?;
    // SAFETY: the caller has promised the elements to be readable as long as the managed tensor is
    // kept, which the owner does. Each lies at `first + sum c_k * d_k`, and `base` is `first` less
    // the offset of the layout, which has these extents and strides: at `base` and an offset of the
    // layout.
    let tile = unsafe { Tensor::from_raw_ref(base, DynComposedLayout::from(&layout)) };
    let layout = tile.layout().clone();
    // SAFETY: as above.
    let storage = Managed { elements: tile.into_storage(), _owner: unsafe { Owner::new(managed) } };
    // SAFETY: the tile has accepted the layout, and the storage has its elements.
    Ok(unsafe { Tensor::from_storage_unchecked(storage, layout) })
}

/// [`from_dlpack`], mutable.
///
/// # Safety
/// As [`from_dlpack`]; and as long as the tensor lives, nobody else reads its memory either.
///
/// # Errors
/// Those of [`from_dlpack`], and a managed tensor that is marked as read-only.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_arrays::foreign::{IntoDlpackReadOnly, from_dlpack, from_dlpack_mut};
/// let given = Tensor::new(vec![0.5; 6], layout!((2, 3)))?.into_dlpack_read_only()?;
/// // SAFETY: it was made here, and nobody else has it.
/// let error = unsafe { from_dlpack_mut::<f64, _>(given) }.unwrap_err();
/// assert_eq!(error.to_string(), "the memory may be read and not written");
/// // SAFETY: as above, and an error leaves it as it is.
/// assert_eq!(unsafe { from_dlpack::<f64, _>(given) }?[5], 0.5);
/// # Ok::<(), layout_arrays::ArrayError>(())
/// ```
pub unsafe fn from_dlpack_mut<T: DlpackElement, M: ManagedTensor>(
    managed: NonNull<M>,
) -> Result<Tensor<ManagedMut<T>, DynComposedLayout>, ArrayError> {
    // SAFETY: it is a managed tensor, as the caller has promised.
    let (base, layout) = unsafe { base_and_layout::<T, M>(managed.as_ref()) }?;
    // SAFETY: as above.
    if unsafe { managed.as_ref() }.version_and_flags().1 & READ_ONLY != 0 {
        return Err(ArrayError::Dlpack(DlpackFault::ReadOnly));
    }
    // SAFETY: as in `from_dlpack`, for writing.
    let tile = unsafe { Tensor::from_raw(base, DynComposedLayout::from(&layout)) };
    let layout = tile.layout().clone();
    // SAFETY: as above.
    let owner = unsafe { Owner::new(managed) };
    let storage = ManagedMut { elements: tile.into_storage(), _owner: owner };
    // SAFETY: the tile has accepted the layout, and the storage has its elements.
    Ok(unsafe { Tensor::from_storage_unchecked(storage, layout) })
}

// ---- tensors passed to other libraries --------------------------------------------------------

/// The memory that our managed tensors point to.
struct Given<S> {
    storage: S,
    extents: Vec<i64>,
    strides: Vec<i64>,
}

/// Makes a managed tensor; `first` returns the base address.
fn give<S: Storage + 'static, L: HasAxes, M: ManagedTensor>(
    tensor: Tensor<S, L>,
    flags: u64,
    first: impl FnOnce(&mut S) -> *mut S::Item,
) -> Result<NonNull<M>, ArrayError>
where
    S::Item: DlpackElement,
{
    unsafe extern "C" fn delete<S, M: ManagedTensor>(managed: *mut M) {
        // SAFETY: `give` made both boxes, of these types; the deleter is called once.
        unsafe {
            drop(Box::from_raw((*managed).manager().cast::<Given<S>>()));
            drop(Box::from_raw(managed));
        }
    }
    let axes = axes_for_others(tensor.layout())?;
    let (empty, count, begin) = (axes.size() == 0, axes.rank(), axes.offset());
    let extents = axes.shape().iter().map(|&extent| extent as i64).collect();
    let strides = axes.strides().iter().map(|&stride| stride as i64).collect();
    let given = Given { extents, strides, storage: tensor.into_storage() };
    let manager = Box::into_raw(Box::new(given));
    // SAFETY: our own box, which nobody else has yet; pointers into it stay valid until `delete`
    // frees it.
    let given = unsafe { &mut *manager };
    let tensor = DLTensor {
        data: if empty { null_mut() } else { first(&mut given.storage).wrapping_add(begin).cast() },
        device: DLDevice { device_type: DLDeviceType::kDLCPU, device_id: 0 },
        ndim: count as i32,
        dtype: S::Item::TYPE,
        shape: given.extents.as_mut_ptr(),
        strides: given.strides.as_mut_ptr(),
        byte_offset: 0,
    };
    let managed = M::make(tensor, manager.cast(), flags, delete::<S, M>);
    // It is not null.
    Ok(NonNull::from(Box::leak(Box::new(managed))))
}

/// Tensors as read-only DLPack tensors.
pub trait IntoDlpackReadOnly: Sized {
    /// [`into_dlpack`](IntoDlpack::into_dlpack) for read-only storage.
    ///
    /// # Errors
    /// Those of [`into_dlpack`](IntoDlpack::into_dlpack).
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_arrays::foreign::{IntoDlpackReadOnly, from_dlpack};
    /// static DATA: [u8; 6] = [0, 1, 2, 3, 4, 5];
    /// let given = Tensor::new(&DATA, layout!((2, 3): right))?.into_dlpack_read_only()?;
    /// // SAFETY: it was made here, and nobody else has it.
    /// assert_eq!(unsafe { from_dlpack::<u8, _>(given) }?[(1, 2)], 5);
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    fn into_dlpack_read_only(self) -> Result<NonNull<DLManagedTensorVersioned>, ArrayError>;
}
impl<S: Storage<Item: DlpackElement> + Send + 'static, L: HasAxes> IntoDlpackReadOnly
    for Tensor<S, L>
{
    fn into_dlpack_read_only(self) -> Result<NonNull<DLManagedTensorVersioned>, ArrayError> {
        give(self, READ_ONLY, |storage| storage.base().cast_mut())
    }
}

/// Tensors as DLPack tensors.
pub trait IntoDlpack: Sized {
    /// The tensor as a managed tensor of DLPack: an axis for each leaf, and the storage, which
    /// lives until the deleter is called. The receiver may write to it. `M` is
    /// `DLManagedTensorVersioned`, or `DLManagedTensor` for libraries from before DLPack 1.0.
    /// Strides may be negative; the address is that of the element at coordinate 0. NumPy accepts
    /// such arrays; other libraries may report an error.
    ///
    /// # Errors
    /// A swizzle, and more than 32 leaves.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_arrays::foreign::{IntoDlpack, from_dlpack, ffi::DLManagedTensorVersioned};
    /// let t = Tensor::new(vec![1.0f32; 24], layout!((4, (2, 3))))?;
    /// let given = t.into_dlpack::<DLManagedTensorVersioned>()?;
    /// // SAFETY: it was made here, and nobody else has it.
    /// let t = unsafe { from_dlpack::<f32, _>(given) }?;
    /// assert_eq!(t.layout().inner().to_string(), "(4,2,3):(1,4,8)");
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    fn into_dlpack<M: ManagedTensor>(self) -> Result<NonNull<M>, ArrayError>;
}
impl<S: StorageMut<Item: DlpackElement> + Send + 'static, L: HasAxes> IntoDlpack for Tensor<S, L> {
    fn into_dlpack<M: ManagedTensor>(self) -> Result<NonNull<M>, ArrayError> {
        give(self, 0, S::base_mut)
    }
}
