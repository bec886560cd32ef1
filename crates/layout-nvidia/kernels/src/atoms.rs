//! Each instruction as a kernel of a warp: loads its values, executes it and stores the result. The
//! example `atoms` launches the kernels and compares the results with the CPU's.

use layout_algebra::atom::{MmaAtom, Values, copy};
use layout_algebra::prelude::*;
use layout_algebra::tensor::space::Shared;
use layout_algebra::tensor::{Addressable, Storage, StorageMut, TileMut};
use layout_nvidia::copy as atom;
use layout_nvidia::device::{self, SharedTile, SharedTiles, kernel};
use layout_nvidia::{Atom, mma};

/// Thread `t` executes the instruction with values `t` of A, B and C, and writes value `t` of D.
///
/// # Safety
/// There is memory for the values of each thread of the warp, aligned to their size.
unsafe fn multiply_values<I: Atom>(a: *const u8, b: *const u8, c: *const u8, d: *mut u8) {
    let thread = device::thread_index();
    // SAFETY: the caller promises the memory, in which the host has written numbers.
    unsafe {
        let a = a.cast::<Values<<I as MmaAtom>::A, <I as MmaAtom>::ALayout>>().add(thread).read();
        let b = b.cast::<Values<<I as MmaAtom>::B, <I as MmaAtom>::BLayout>>().add(thread).read();
        let c = c.cast::<Values<<I as MmaAtom>::C, <I as MmaAtom>::CLayout>>().add(thread).read();
        d.cast::<Values<<I as MmaAtom>::C, <I as MmaAtom>::CLayout>>()
            .add(thread)
            .write(I::default().fma(&a, &b, c));
    }
}

/// A visitor of the kernels of the multiply instructions.
#[cfg(feature = "launch")]
pub trait Kernels {
    /// Visits one kernel.
    fn visit_kernel<K, I: Atom>(&mut self)
    where
        K: layout_nvidia::launch::Kernel<Parameters = (*const u8, *const u8, *const u8, *mut u8)>;
}

/// Defines the kernel of each instruction, and `visit_kernels`, which calls a visitor with each.
macro_rules! instructions {
    ($($name:ident)*) => {
        $(
            #[doc = concat!("[`", stringify!($name), "`](mma::", stringify!($name),
                ") of one warp.")]
            ///
            /// # Safety
            /// There is memory for the values of 32 threads, aligned to them.
            #[allow(non_snake_case, reason = "CuTe's name")]
            #[kernel(threads = Layout!(32))]
            pub unsafe fn $name(a: *const u8, b: *const u8, c: *const u8, d: *mut u8) {
                // SAFETY: the caller says that there is memory.
                unsafe { multiply_values::<mma::$name>(a, b, c, d) }
            }
        )*

        /// Calls the visitor with the kernel of each multiply instruction.
        #[cfg(feature = "launch")]
        pub fn visit_kernels(kernels: &mut impl Kernels) {
            $(kernels.visit_kernel::<$name, mma::$name>();)*
        }
    };
}
instructions! {
    SM61_DP4A SM61_DP2A SM70_8x8x4_F16F16F16F16_TN SM70_8x8x4_F16F16F16F16_NT
        SM70_8x8x4_F16F16F16F16_NN
    SM70_8x8x4_F16F16F16F16_TT SM70_8x8x4_F32F16F16F32_TN SM70_8x8x4_F32F16F16F32_NT
        SM70_8x8x4_F32F16F16F32_NN
    SM70_8x8x4_F32F16F16F32_TT SM75_16x8x8_F32F16F16F32_TN SM75_8x8x16_S32S8S8S32_TN
        SM80_16x8x8_F16F16F16F16_TN
    SM80_16x8x16_F16F16F16F16_TN SM80_16x8x8_F32F16F16F32_TN SM80_16x8x16_F32F16F16F32_TN
        SM80_16x8x8_F32BF16BF16F32_TN
    SM80_16x8x16_F32BF16BF16F32_TN SM80_16x8x4_F32TF32TF32F32_TN SM80_16x8x8_F32TF32TF32F32_TN
    SM80_8x8x4_F64F64F64F64_TN SM80_8x8x4_C64C64C64C64_TN SM80_8x8x4_GC64C64C64GC64_TN
        SM80_8x8x16_S32S8S8S32_TN
    SM80_8x8x16_S32S8S8S32_TN_SATURATE SM80_16x8x16_S32S8S8S32_TN
        SM80_16x8x16_S32S8S8S32_TN_SATURATE
    SM80_16x8x32_S32S8S8S32_TN SM80_16x8x32_S32S8S8S32_TN_SATURATE SM80_8x8x16_S32S8U8S32_TN
    SM80_8x8x16_S32S8U8S32_TN_SATURATE SM80_16x8x16_S32S8U8S32_TN
        SM80_16x8x16_S32S8U8S32_TN_SATURATE
    SM80_16x8x32_S32S8U8S32_TN SM80_16x8x32_S32S8U8S32_TN_SATURATE SM80_8x8x16_S32U8S8S32_TN
    SM80_8x8x16_S32U8S8S32_TN_SATURATE SM80_16x8x16_S32U8S8S32_TN
        SM80_16x8x16_S32U8S8S32_TN_SATURATE
    SM80_16x8x32_S32U8S8S32_TN SM80_16x8x32_S32U8S8S32_TN_SATURATE SM80_8x8x16_S32U8U8S32_TN
    SM80_8x8x16_S32U8U8S32_TN_SATURATE SM80_16x8x16_S32U8U8S32_TN
        SM80_16x8x16_S32U8U8S32_TN_SATURATE
    SM80_16x8x32_S32U8U8S32_TN SM80_16x8x32_S32U8U8S32_TN_SATURATE SM80_8x8x32_S32S4S4S32_TN
    SM80_8x8x32_S32S4S4S32_TN_SATURATE SM80_16x8x32_S32S4S4S32_TN
        SM80_16x8x32_S32S4S4S32_TN_SATURATE
    SM80_16x8x64_S32S4S4S32_TN SM80_16x8x64_S32S4S4S32_TN_SATURATE SM80_8x8x32_S32S4U4S32_TN
    SM80_8x8x32_S32S4U4S32_TN_SATURATE SM80_16x8x32_S32S4U4S32_TN
        SM80_16x8x32_S32S4U4S32_TN_SATURATE
    SM80_16x8x64_S32S4U4S32_TN SM80_16x8x64_S32S4U4S32_TN_SATURATE SM80_8x8x32_S32U4S4S32_TN
    SM80_8x8x32_S32U4S4S32_TN_SATURATE SM80_16x8x32_S32U4S4S32_TN
        SM80_16x8x32_S32U4S4S32_TN_SATURATE
    SM80_16x8x64_S32U4S4S32_TN SM80_16x8x64_S32U4S4S32_TN_SATURATE SM80_8x8x32_S32U4U4S32_TN
    SM80_8x8x32_S32U4U4S32_TN_SATURATE SM80_16x8x32_S32U4U4S32_TN
        SM80_16x8x32_S32U4U4S32_TN_SATURATE
    SM80_16x8x64_S32U4U4S32_TN SM80_16x8x64_S32U4U4S32_TN_SATURATE
        SM80_16x8x256_S32U1U1S32_TN_XORPOPC
    SM80_16x8x256_S32U1U1S32_TN_ANDPOPC SM80_8x8x128_S32U1U1S32_TN_XORPOPC
        SM80_8x8x128_S32U1U1S32_TN_ANDPOPC
    SM80_16x8x128_S32U1U1S32_TN_XORPOPC SM80_16x8x128_S32U1U1S32_TN_ANDPOPC
        SM89_16x8x32_F32E4M3E4M3F32_TN
    SM89_16x8x32_F32E4M3E5M2F32_TN SM89_16x8x32_F32E5M2E5M2F32_TN SM89_16x8x32_F32E5M2E4M3F32_TN
    SM89_16x8x32_F16E4M3E4M3F16_TN SM89_16x8x32_F16E4M3E5M2F16_TN SM89_16x8x32_F16E5M2E5M2F16_TN
    SM89_16x8x32_F16E5M2E4M3F16_TN SM90_16x8x4_F64F64F64F64_TN SM90_16x8x8_F64F64F64F64_TN
        SM90_16x8x16_F64F64F64F64_TN
    SM90_16x8x4_C64C64C64C64_TN SM90_16x8x8_C64C64C64C64_TN SM90_16x8x16_C64C64C64C64_TN
}

/// A row of 8 halves in shared memory, for each thread.
pub type Rows = (SharedTile<u16, Layout!((8, 32))>,);
/// The rows of all threads.
type AllRows = Tensor<TileMut<'static, u16, Shared>, Layout!((8, 32))>;

/// Writes the values of a thread from number `first` on.
///
/// # Safety
/// There is memory for the values.
unsafe fn write_values<S: Storage<Item = u16>, L: Addressable>(
    to: *mut u16,
    first: usize,
    values: &Tensor<S, L>,
) {
    for i in 0..values.size() {
        if let Some(value) = values.value(i) {
            // SAFETY: the caller promises the memory.
            unsafe { to.add(first + i).write(*value) };
        }
    }
}

/// Reads a thread's row from memory.
///
/// # Safety
/// The row is there.
unsafe fn read_row(from: *const u16, rows: &mut AllRows) {
    let thread = device::thread_index();
    for i in 0..8 {
        if let Some(place) = rows.value_mut(8 * thread + i) {
            // SAFETY: the caller promises the row.
            *place = unsafe { from.add(8 * thread + i).read() };
        }
    }
}
/// Reads a thread's values from memory.
///
/// # Safety
/// The values are there.
unsafe fn read_values<S: StorageMut<Item = u16>, L: Addressable>(
    from: *const u16,
    values: &mut Tensor<S, L>,
) {
    for i in 0..values.size() {
        if let Some(place) = values.value_mut(i) {
            // SAFETY: the caller promises the values.
            *place = unsafe { from.add(i).read() };
        }
    }
}

/// Defines the kernels of the copies: each row names a kernel and the values of a thread. The rows
/// of all threads are in shared memory; a warp loads matrices from them or stores matrices to them,
/// or exchanges registers, or each thread copies its row and waits for it.
macro_rules! copies {
    ($($kind:ident $name:ident $values:literal $($kernel:ident $access:ty, $there:expr)?;)*) => {
        $(copies! { @ $kind $name $values $($kernel $access, $there)? })*
    };
    (@ loads $name:ident $values:literal) => { copies! { = $name $name |from, to, thread, rows| {
        read_row(from, &mut rows);
        device::sync_threads();
        let mut mine = Tensor::fixed([0; $values], layout!($values)); // (V)
        let _ = copy(&atom::$name::<u16>::new(), &rows.slice_unchecked((.., thread)), &mut mine);
        write_values(to, $values * thread, &mine);
    } } };
    (@ stores $name:ident $values:literal) => { copies! { = $name $name |from, to, thread, rows| {
        let mut mine = Tensor::fixed([0; $values], layout!($values)); // (V)
        rows.slice_unchecked_mut((.., thread)).fill(u16::MAX);
        read_values(from.add($values * thread), &mut mine);
        device::sync_threads();
        let _ = copy(&atom::$name::<u16>::new(), &mine,
            &mut rows.slice_unchecked_mut((.., thread)));
        device::sync_threads();
        write_values(to, 8 * thread, &rows.slice_unchecked((.., thread)));
    } } };
    (@ moves $name:ident $values:literal) => { copies! { = $name $name |from, to, thread, _rows| {
        let mut mine = Tensor::fixed([0; $values], layout!($values)); // (V)
        read_values(from.add($values * thread), &mut mine);
        let mut moved = Tensor::fixed([0; $values], layout!($values)); // (V)
        let _ = copy(&atom::$name::<u16>::new(), &mine, &mut moved);
        write_values(to, $values * thread, &moved);
    } } };
    (@ fetches $name:ident $values:literal $kernel:ident $access:ty, $there:expr) => {
        copies! { = $name $kernel |from, to, thread, rows| {
            let row = Tensor::from_global_ref(from.add(8 * thread), layout!(8));
            // (8 halves of a row)
            let made: fn(atom::$name<$access, u16>, usize) -> atom::$name<$access, u16> = $there;
            let made = made(atom::$name::new(), thread);
            let _ = copy(&made, &row, &mut rows.slice_unchecked_mut((.., thread)));
            #[cfg(target_arch = "nvptx64")]
            core::arch::asm!("cp.async.wait_all;", options(nostack));
            device::sync_threads();
            write_values(to, 8 * thread, &rows.slice_unchecked((.., thread)));
        } }
    };
    (= $name:ident $kernel:ident |$from:ident, $to:ident, $thread:ident, $rows:ident| $body:block)
        => {
        #[doc = concat!("[`", stringify!($name), "`](layout_nvidia::copy::", stringify!($name),
            ").")]
        ///
        /// # Safety
        /// There is memory for all reads and writes of 32 threads.
        #[allow(non_snake_case, reason = "CuTe's name")]
        #[kernel(threads = Layout!(32), shared = Rows)]
        pub unsafe fn $kernel($from: *const u16, $to: *mut u16) {
            let $thread = device::thread_index();
            // SAFETY: the caller's promises; a barrier separates writes from reads by other
            // threads.
            unsafe {
                #[allow(unused_mut, reason = "what moves registers needs no rows")]
                let (mut $rows,) = Rows::make_tensors(); // (8 halves of a row, threads)
                $body
            }
        }
    };
}
copies! {
    loads SM75_U32x1_LDSM_N 2;
    loads SM75_U32x2_LDSM_N 4;
    loads SM75_U32x4_LDSM_N 8;
    loads SM75_U16x2_LDSM_T 2;
    loads SM75_U16x4_LDSM_T 4;
    loads SM75_U16x8_LDSM_T 8;
    stores SM90_U32x1_STSM_N 2;
    stores SM90_U32x2_STSM_N 4;
    stores SM90_U32x4_STSM_N 8;
    stores SM90_U16x2_STSM_T 2;
    stores SM90_U16x4_STSM_T 4;
    stores SM90_U16x8_STSM_T 8;
    moves SM75_U32x1_MOVM_T 2;
    moves SM50_Shuffle_U32_2x2Trans_XOR1 4;
    moves SM50_Shuffle_U32_2x2Trans_XOR4 4;
    fetches SM80_CP_ASYNC_CACHEALWAYS 8 SM80_CP_ASYNC_CACHEALWAYS_4 u32, |atom, _| atom;
    fetches SM80_CP_ASYNC_CACHEALWAYS 8 SM80_CP_ASYNC_CACHEALWAYS_8 u64, |atom, _| atom;
    fetches SM80_CP_ASYNC_CACHEALWAYS 8 SM80_CP_ASYNC_CACHEALWAYS_16 u128, |atom, _| atom;
    fetches SM80_CP_ASYNC_CACHEGLOBAL 8 SM80_CP_ASYNC_CACHEGLOBAL_16 u128, |atom, _| atom;
    fetches SM80_CP_ASYNC_CACHEALWAYS_ZFILL 8 SM80_CP_ASYNC_CACHEALWAYS_ZFILL_8 u64,
        |atom, thread| atom.with_predicate(thread % 3 != 0);
    fetches SM80_CP_ASYNC_CACHEGLOBAL_ZFILL 8 SM80_CP_ASYNC_CACHEGLOBAL_ZFILL_16 u128,
        |atom, thread| atom.with_predicate(thread % 3 != 0);
}
