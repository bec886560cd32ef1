//! DLPack: Python's arrays as tensors, and tensors as Python's arrays. The elements are the same; nothing is copied.
//!
//! ```text
//! from_dlpack(a)[(i, j)] == a[i, j]          a.from_dlpack(t.into_dlpack())[i, j, k] == t[(i, (j, k))]
//! ```
//!
//! Strides in DLPack are signed, and its address is that of the first element, in whichever direction the axes go. A
//! tensor begins at the element that lies first in memory.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ffi::c_void;
use core::fmt;
use core::ptr::{NonNull, null_mut};

use dlpack_rs::ffi::{
    DLDataType, DLDataTypeCode, DLDevice, DLDeviceType, DLManagedTensor, DLManagedTensorVersioned,
    DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION, DLPackVersion, DLTensor,
};

use super::{HasAxes, axes, forwards, signed};
use crate::composed::DynComposedLayout;
use crate::dynamic::{DynLayout, DynShape};
use crate::error::{Fault, LayoutError};
use crate::tensor::space::Generic;
use crate::tensor::storage::{Addressable, Storage, StorageMut, Tensor, Tile, TileMut};

const READ_ONLY: u64 = dlpack_rs::ffi::DLPACK_FLAG_BITMASK_READ_ONLY;

/// An element that DLPack knows: `bool`, and the integers and floating-point numbers of fixed widths.
///
/// # Safety
/// `TYPE` is what DLPack says of memory whose elements are valid as `Self`.
///
/// ```
/// use layout_algebra::tensor::DlpackElement;
/// assert_eq!((<f32 as DlpackElement>::TYPE.bits, <u8 as DlpackElement>::TYPE.bits), (32, 8));
/// ```
#[diagnostic::on_unimplemented(
    message = "DLPack does not know this type of elements",
    label = "`{Self}`: neither `bool`, nor `i8` to `i64`, `u8` to `u64`, `f32` or `f64`",
    note = "`map` makes a tensor of other elements: `tensor.map(|x| x as f64)`"
)]
pub unsafe trait DlpackElement: 'static {
    /// DLPack's number of the type.
    const TYPE: DLDataType;
}
macro_rules! elements {
    ($($code:ident: $($type:ident)*;)*) => {
        $($(
            // SAFETY: the code and the number of bits are those of the type, and there is one of it in an element.
            unsafe impl DlpackElement for $type {
                const TYPE: DLDataType =
                    DLDataType { code: DLDataTypeCode::$code as u8, bits: 8 * size_of::<$type>() as u8, lanes: 1 };
            }
        )*)*
    };
}
elements! { kDLInt: i8 i16 i32 i64; kDLUInt: u8 u16 u32 u64; kDLFloat: f32 f64; kDLBool: bool; }

/// The two forms of a managed tensor that are exchanged: `DLManagedTensorVersioned`, and `DLManagedTensor` from before
/// DLPack 1.0.
///
/// # Safety
/// The methods read and write the fields of these names, and nothing else.
///
/// ```
/// use layout_algebra::tensor::{ManagedTensor, dlpack::DLManagedTensor};
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
    fn make(tensor: DLTensor, manager: *mut c_void, flags: u64, deleter: unsafe extern "C" fn(*mut Self)) -> Self;
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
    fn make(dl_tensor: DLTensor, manager: *mut c_void, flags: u64, deleter: unsafe extern "C" fn(*mut Self)) -> Self {
        let version = DLPackVersion { major: DLPACK_MAJOR_VERSION, minor: DLPACK_MINOR_VERSION };
        DLManagedTensorVersioned { version, manager_ctx: manager, deleter: Some(deleter), flags, dl_tensor }
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
    fn make(dl_tensor: DLTensor, manager: *mut c_void, _: u64, deleter: unsafe extern "C" fn(*mut Self)) -> Self {
        DLManagedTensor { dl_tensor, manager_ctx: manager, deleter: Some(deleter) }
    }
}

// ---- what another library holds -----------------------------------------------------------------------------------

/// A managed tensor that is given back when this is dropped.
struct Owner {
    managed: *mut c_void,
    give_back: unsafe fn(*mut c_void),
}
impl Owner {
    /// # Safety
    /// The managed tensor is the owner's, with its deleter.
    unsafe fn new<M: ManagedTensor>(managed: NonNull<M>) -> Self {
        unsafe fn give_back<M: ManagedTensor>(managed: *mut c_void) {
            let managed = managed.cast::<M>();
            // SAFETY: `Owner::new` was given a managed tensor of this type, and `drop` comes once.
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
        // SAFETY: `new` was promised the managed tensor.
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
            // SAFETY: the elements are those of a tile that the owner keeps alive as long as this; a view of it borrows
            // this.
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
    /// Read-only memory that came through DLPack: the storage of the tensor that [`Tensor::from_dlpack`] returns. To
    /// drop it gives the memory back.
    ///
    /// ```
    /// use layout_algebra::{prelude::*, tensor::{Managed, dlpack::DLManagedTensor}};
    /// let given = Tensor::filled(layout!((2, 3)), 1.5).into_dlpack::<DLManagedTensor>()?;
    /// // SAFETY: it was made here, and nobody else has it.
    /// let t: Tensor<Managed<f64>, DynLayout> = unsafe { Tensor::from_dlpack(given) }?;
    /// assert_eq!((t[(1, 2)], t.layout().to_string().as_str()), (1.5, "(2,3):(1,2)"));
    /// # Ok::<(), LayoutError>(())
    /// ```
    Managed: Tile;
    /// Memory that came through DLPack, to read and write: the storage of the tensor that [`Tensor::from_dlpack_mut`]
    /// returns. To drop it gives the memory back.
    ///
    /// ```
    /// use layout_algebra::{prelude::*, tensor::{ManagedMut, dlpack::DLManagedTensorVersioned}};
    /// let given = Tensor::filled(layout!((2, 3)), 0).into_dlpack::<DLManagedTensorVersioned>()?;
    /// // SAFETY: it was made here, and nobody else has it.
    /// let mut t: Tensor<ManagedMut<i32>, DynLayout> = unsafe { Tensor::from_dlpack_mut(given) }?;
    /// t[(1, 2)] = 7;
    /// assert_eq!(t.iter().sum::<i32>(), 7);
    /// # Ok::<(), LayoutError>(())
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

/// The address of offset 0, and the layout of a managed tensor. `of_axes` makes the layout of the extents and strides
/// of the axes, and says the offset of the first element.
///
/// # Safety
/// The managed tensor is one, and its shape and strides have as many numbers as it says.
unsafe fn base_and_layout<T: DlpackElement, M: ManagedTensor, L: Addressable>(
    managed: &M,
    of_axes: impl FnOnce(&[usize], &[isize]) -> Result<(L, usize), Fault>,
) -> Result<(*mut T, L), Fault> {
    if let (Some(version), _) = managed.version_and_flags() {
        if version.major != DLPACK_MAJOR_VERSION {
            return Err(Fault::DlpackVersion { major: version.major as usize });
        }
    }
    let DLTensor { data, device, ndim, dtype, shape, strides, byte_offset } = *managed.tensor();
    if device.device_type != DLDeviceType::kDLCPU {
        return Err(Fault::Device { device: device.device_type as usize });
    }
    let wanted = T::TYPE;
    if (dtype.code, dtype.bits, dtype.lanes) != (wanted.code, wanted.bits, wanted.lanes) {
        let [code, bits, wanted_code, wanted_bits] =
            [dtype.code, dtype.bits, wanted.code, wanted.bits].map(usize::from);
        return Err(Fault::ElementType { code, bits, lanes: dtype.lanes.into(), wanted_code, wanted_bits });
    }
    let rank = usize::try_from(ndim).map_err(|_| Fault::Overflow)?;
    let (mut extents, mut steps) = (Vec::with_capacity(rank), Vec::with_capacity(rank));
    for axis in 0..rank {
        // SAFETY: the shape has `ndim` numbers, as the caller has promised.
        extents.push(usize::try_from(unsafe { *shape.add(axis) }).map_err(|_| Fault::Overflow)?);
    }
    // Before version 1.2, no strides mean those of a compact array, the last axis fastest.
    let mut compact = extents.iter().try_fold(1usize, |size, &extent| size.checked_mul(extent.max(1)));
    for (axis, &extent) in extents.iter().enumerate() {
        let step = if strides.is_null() {
            compact = compact.map(|size| size / extent.max(1));
            compact.and_then(|step| isize::try_from(step).ok())
        } else {
            // SAFETY: the strides, if there are any, are `ndim` numbers, as the caller has promised.
            isize::try_from(unsafe { *strides.add(axis) }).ok()
        };
        steps.push(step.ok_or(Fault::Overflow)?);
    }
    let (layout, first) = of_axes(&extents, &steps)?;
    let offset = usize::try_from(byte_offset).map_err(|_| Fault::Overflow)?;
    let place = data.cast::<u8>().wrapping_add(offset).cast::<T>();
    match layout.size() {
        0 => Ok((NonNull::dangling().as_ptr(), layout)),
        _ if data.is_null() => Err(Fault::Storage { cosize: layout.reach().unwrap_or(usize::MAX), length: 0 }),
        _ if !place.is_aligned() => Err(Fault::Alignment { bytes: align_of::<T>() }),
        _ => Ok((place.wrapping_sub(first), layout)),
    }
}
/// The layout of axes that go forwards.
fn forwards_alone(extents: &[usize], steps: &[isize]) -> Result<(DynLayout, usize), Fault> {
    let (shape, mut strides) = (extents.iter().map(|&extent| DynShape::from(extent)), Vec::new());
    for (axis, (&extent, &step)) in extents.iter().zip(steps).enumerate() {
        strides.push(DynShape::from(forwards(axis, extent, step)?));
    }
    let layout = match extents {
        [] => DynLayout::new(DynShape::from(1), DynShape::from(0)),
        _ => DynShape::tuple(shape).and_then(|shape| DynLayout::new(shape, DynShape::tuple(strides)?)),
    };
    Ok((layout.map_err(|error| error.fault())?, 0))
}
/// The layout of axes that go either way.
fn either_way(extents: &[usize], steps: &[isize]) -> Result<(DynComposedLayout, usize), Fault> {
    let layout = match extents {
        // Without axes there is one element.
        [] => signed("from_dlpack", &[1], &[0]),
        _ => signed("from_dlpack", extents, steps),
    };
    let layout = layout.map_err(|error| error.fault())?;
    let first = layout.offset();
    Ok((layout, first))
}

fn refuse(fault: Fault) -> LayoutError {
    LayoutError::new("from_dlpack", fault)
}

/// # In other libraries: DLPack
impl<T: DlpackElement> Tensor<Managed<T>, DynLayout> {
    /// A read-only tensor on what another library hands over through DLPack: a mode for each axis. `relayout` with a
    /// typed layout, `Layout::try_from(t.layout())?`, gives the tensor a layout that the types know.
    ///
    /// The tensor owns the managed tensor, and calls its deleter when the tensor is dropped. After an error the managed
    /// tensor still belongs to the caller.
    ///
    /// # Safety
    /// `managed` is a managed tensor as DLPack defines it, which nobody else deletes. As long as the tensor lives, its
    /// memory may be read from the threads that have the tensor, and nobody writes to it; its elements are values of `T`.
    ///
    /// # Errors
    /// `bounds` if an axis goes backwards, which [`from_dlpack_signed`](Tensor::from_dlpack_signed) takes, the memory
    /// is not the CPU's, the elements are of another type or not there; `divisibility` if they are not aligned;
    /// `overflow` if the size leaves `usize`.
    ///
    /// ```
    /// use layout_algebra::{prelude::*, tensor::dlpack::DLManagedTensorVersioned};
    /// let rows = layout!((2, 3): right);
    /// let given = Tensor::new(vec![0, 1, 2, 3, 4, 5], rows)?.into_dlpack::<DLManagedTensorVersioned>()?;
    /// // SAFETY: it was made here, and nobody else has it.
    /// let error = unsafe { Tensor::<_, DynLayout>::from_dlpack(given) }
    ///     .map(|t: Tensor<tensor::Managed<f32>, _>| t);
    /// assert!(error.unwrap_err().to_string().contains("type code 0 of 32 bits, and not 2 of 32"));
    /// // SAFETY: as above, and an error leaves it as it is.
    /// let t = unsafe { Tensor::<tensor::Managed<i32>, _>::from_dlpack(given) }?;
    /// let rows = <Layout!((_, _):(_, 1))>::try_from(t.layout())?;
    /// assert_eq!(t.relayout(rows)?[(1, 2)], 5);
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub unsafe fn from_dlpack<M: ManagedTensor>(managed: NonNull<M>) -> Result<Self, LayoutError> {
        // SAFETY: as the caller has promised.
        unsafe { to_read(managed, forwards_alone) }
    }
}
impl<T: DlpackElement> Tensor<Managed<T>, DynComposedLayout> {
    /// [`from_dlpack`](Tensor::from_dlpack) of an array with axes in either direction, such as NumPy's `a[::-1]`. The
    /// tensor begins at the element that lies first in memory.
    ///
    /// `from_dlpack_signed(a)[(i, j)] == a[i, j]`
    ///
    /// # Safety
    /// As [`from_dlpack`](Tensor::from_dlpack).
    ///
    /// # Errors
    /// Those of [`from_dlpack`](Tensor::from_dlpack), except `bounds` of an axis that goes backwards.
    ///
    /// ```
    /// use layout_algebra::{prelude::*, tensor::dlpack::DLManagedTensorVersioned};
    /// let turned = Tensor::new(vec![0, 1, 2, 3, 4, 5], layout!((2, 3):(3, -1)))?;
    /// let given = turned.into_dlpack::<DLManagedTensorVersioned>()?;
    /// // SAFETY: it was made here, and nobody else has it.
    /// let t = unsafe { Tensor::<tensor::Managed<i32>, _>::from_dlpack_signed(given) }?;
    /// assert_eq!(t.layout().to_string(), "Sw<0,0,0> o 2 o (2,3):(3,-1)");
    /// assert_eq!(t.iter().copied().collect::<Vec<_>>(), [2, 5, 1, 4, 0, 3]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub unsafe fn from_dlpack_signed<M: ManagedTensor>(managed: NonNull<M>) -> Result<Self, LayoutError> {
        // SAFETY: as the caller has promised.
        unsafe { to_read(managed, either_way) }
    }
}
impl<T: DlpackElement> Tensor<ManagedMut<T>, DynLayout> {
    /// [`from_dlpack`](Tensor::from_dlpack), to read and to write.
    ///
    /// # Safety
    /// As [`from_dlpack`](Tensor::from_dlpack); and as long as the tensor lives, nobody else reads its memory either.
    ///
    /// # Errors
    /// Those of [`from_dlpack`](Tensor::from_dlpack), and `bounds` if the managed tensor is marked as read-only.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let given = Tensor::new(vec![0.5; 6], layout!((2, 3)))?.into_dlpack_read_only()?;
    /// // SAFETY: it was made here, and nobody else has it.
    /// let error = unsafe { Tensor::<tensor::ManagedMut<f64>, _>::from_dlpack_mut(given) }.unwrap_err();
    /// assert!(error.to_string().contains("may be read and not written"));
    /// // SAFETY: as above, and an error leaves it as it is.
    /// assert_eq!(unsafe { Tensor::<tensor::Managed<f64>, _>::from_dlpack(given) }?[5], 0.5);
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub unsafe fn from_dlpack_mut<M: ManagedTensor>(managed: NonNull<M>) -> Result<Self, LayoutError> {
        // SAFETY: as the caller has promised.
        unsafe { to_write(managed, forwards_alone) }
    }
}
impl<T: DlpackElement> Tensor<ManagedMut<T>, DynComposedLayout> {
    /// [`from_dlpack_signed`](Tensor::from_dlpack_signed), to read and to write.
    ///
    /// # Safety
    /// As [`from_dlpack_mut`](Tensor::from_dlpack_mut).
    ///
    /// # Errors
    /// Those of [`from_dlpack_mut`](Tensor::from_dlpack_mut), except `bounds` of an axis that goes backwards.
    ///
    /// ```
    /// use layout_algebra::{prelude::*, tensor::dlpack::DLManagedTensor};
    /// let given = Tensor::new(vec![0, 1, 2], layout!(3:-1))?.into_dlpack::<DLManagedTensor>()?;
    /// // SAFETY: it was made here, and nobody else has it.
    /// let mut t = unsafe { Tensor::<tensor::ManagedMut<i32>, _>::from_dlpack_signed_mut(given) }?;
    /// t[0] = 7;
    /// assert_eq!(t.iter().copied().collect::<Vec<_>>(), [7, 1, 0]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub unsafe fn from_dlpack_signed_mut<M: ManagedTensor>(managed: NonNull<M>) -> Result<Self, LayoutError> {
        // SAFETY: as the caller has promised.
        unsafe { to_write(managed, either_way) }
    }
}

/// What is handed over, to read.
///
/// # Safety
/// As [`Tensor::from_dlpack`]; `of_axes` gives a layout whose offsets are those of the axes, from that of the first
/// element on.
unsafe fn to_read<T: DlpackElement, M: ManagedTensor, L: Addressable>(
    managed: NonNull<M>,
    of_axes: impl FnOnce(&[usize], &[isize]) -> Result<(L, usize), Fault>,
) -> Result<Tensor<Managed<T>, L>, LayoutError> {
    // SAFETY: it is a managed tensor, as the caller has promised.
    let (base, layout) = unsafe { base_and_layout::<T, M, L>(managed.as_ref(), of_axes) }.map_err(refuse)?;
    // SAFETY: the caller has promised the elements to be readable as long as the managed tensor is kept, which the
    // owner does. Each lies at `first + sum c_k * d_k`, and `base` is `first` less the first offset of the layout,
    // which has these extents and strides: at `base` and an offset of the layout.
    Ok(unsafe { Tensor::on_accepted(Managed { elements: Tile::new(base), _owner: Owner::new(managed) }, layout) })
}
/// What is handed over, to read and write.
///
/// # Safety
/// As [`Tensor::from_dlpack_mut`], and as [`to_read`].
unsafe fn to_write<T: DlpackElement, M: ManagedTensor, L: Addressable>(
    managed: NonNull<M>,
    of_axes: impl FnOnce(&[usize], &[isize]) -> Result<(L, usize), Fault>,
) -> Result<Tensor<ManagedMut<T>, L>, LayoutError> {
    // SAFETY: it is a managed tensor, as the caller has promised.
    let (base, layout) = unsafe { base_and_layout::<T, M, L>(managed.as_ref(), of_axes) }.map_err(refuse)?;
    // SAFETY: as above.
    if unsafe { managed.as_ref() }.version_and_flags().1 & READ_ONLY != 0 {
        return Err(refuse(Fault::ReadOnly));
    }
    // SAFETY: as in `to_read`, for writing.
    let storage = unsafe { ManagedMut { elements: TileMut::new(base), _owner: Owner::new(managed) } };
    // SAFETY: as above.
    Ok(unsafe { Tensor::on_accepted(storage, layout) })
}

// ---- what another library is given --------------------------------------------------------------------------------

/// What a managed tensor of ours points into.
struct Given<S> {
    storage: S,
    extents: Vec<i64>,
    strides: Vec<i64>,
}

/// Gives a tensor away: `first` says where it begins.
fn give<S: Storage + 'static, L: HasAxes, M: ManagedTensor>(
    tensor: Tensor<S, L>,
    flags: u64,
    first: impl FnOnce(&mut S) -> *mut S::Item,
) -> Result<NonNull<M>, LayoutError>
where
    S::Item: DlpackElement,
{
    unsafe extern "C" fn delete<S, M: ManagedTensor>(managed: *mut M) {
        // SAFETY: `give` made both boxes, of these types; whoever calls the deleter does it once.
        unsafe {
            drop(Box::from_raw((*managed).manager().cast::<Given<S>>()));
            drop(Box::from_raw(managed));
        }
    }
    let refuse = |fault| LayoutError::new("into_dlpack", fault).with_operand(tensor.layout());
    let axes = axes(tensor.layout()).map_err(refuse)?;
    let (empty, count) = (tensor.size() == 0, axes.modes.count);
    let begin = if empty { 0 } else { axes.first() };
    let extents = axes.modes.extents[..count].iter().map(|&extent| extent as i64).collect();
    let strides = (0..count).map(|axis| axes.stride(axis) as i64).collect();
    let given = Given { extents, strides, storage: tensor.into_storage() };
    let manager = Box::into_raw(Box::new(given));
    // SAFETY: it is a box of ours, which nobody else has yet; what is made of it stays valid until `delete` takes it back.
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

/// # In other libraries: DLPack
impl<S: Storage<Item: DlpackElement> + Send + 'static, L: HasAxes> Tensor<S, L> {
    /// The tensor in the form that other libraries take through DLPack: an axis for each leaf, and the storage, which
    /// lives until its deleter is called. The receiver may write to it. `M` is `DLManagedTensorVersioned`, or
    /// `DLManagedTensor` for libraries from before DLPack 1.0. Strides may be negative: the address is that of the
    /// first element. NumPy takes such arrays; a library that does not reports an error itself.
    ///
    /// # Errors
    /// `overflow` if a number leaves `isize`, `rank` if there are more than 32 leaves.
    ///
    /// ```
    /// use layout_algebra::{prelude::*, tensor::dlpack::DLManagedTensorVersioned};
    /// let t = Tensor::new(vec![1.0f32; 24], layout!((4, (2, 3))))?;
    /// let given = t.into_dlpack::<DLManagedTensorVersioned>()?;
    /// // SAFETY: it was made here, and nobody else has it.
    /// let t = unsafe { Tensor::<tensor::Managed<f32>, _>::from_dlpack(given) }?;
    /// assert_eq!(t.layout().to_string(), "(4,2,3):(1,4,8)");
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn into_dlpack<M: ManagedTensor>(self) -> Result<NonNull<M>, LayoutError>
    where
        S: StorageMut,
    {
        give(self, 0, S::base_mut)
    }

    /// [`into_dlpack`](Tensor::into_dlpack) of what may be read and not written.
    ///
    /// # Errors
    /// Those of [`into_dlpack`](Tensor::into_dlpack).
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// static DATA: [u8; 6] = [0, 1, 2, 3, 4, 5];
    /// let given = Tensor::new(&DATA, layout!((2, 3): right))?.into_dlpack_read_only()?;
    /// // SAFETY: it was made here, and nobody else has it.
    /// assert_eq!(unsafe { Tensor::<tensor::Managed<u8>, _>::from_dlpack(given) }?[(1, 2)], 5);
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn into_dlpack_read_only(self) -> Result<NonNull<DLManagedTensorVersioned>, LayoutError> {
        give(self, READ_ONLY, |storage| storage.base().cast_mut())
    }
}
