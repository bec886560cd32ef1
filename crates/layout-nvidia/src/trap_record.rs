//! The report of a kernel that traps: the error, its location and its numbers, in a page of the
//! host's memory, which survives the loss of the device's context.
//!
//! ```text
//! device   the first thread that ends the kernel writes the page, and the kernel traps
//! host     who asks the driver next gets an error, and finds the page written
//! ```
//!
//! A program has the address of the page in a global, which the host writes when it loads the
//! program. Without the page a kernel traps without a report.

#[cfg(any(target_arch = "nvptx64", test))]
use core::panic::Location;

#[cfg(not(target_arch = "nvptx64"))]
use layout_algebra::Fault;
use layout_algebra::LayoutError;

/// The longest name of an operation in the page, and the longest end of a file's path.
const OPERATION: usize = 32;
const FILE: usize = 192;
/// The row of a fault, and the largest number of its numbers.
const NUMBERS: usize = 6;
/// The row of a kernel that ended without an error.
#[cfg(any(target_arch = "nvptx64", test))]
const NO_FAULT: u64 = u64::MAX;
/// The state of a page that has been written.
const WRITTEN: u32 = 1;

/// The page, with the same bytes on host and device.
#[derive(Clone, Copy)]
#[repr(C, align(4096))]
struct TrapRecord {
    state: u32,
    line: u32,
    column: u32,
    block: [u32; 3],
    thread: u32,
    numbers: [u64; NUMBERS],
    operation_length: u32,
    file_length: u32,
    operation: [u8; OPERATION],
    file: [u8; FILE],
}

/// The row and the numbers of a fault.
#[cfg(any(target_arch = "nvptx64", test))]
#[inline(always)]
fn fault_numbers(error: Option<&LayoutError>) -> [u64; NUMBERS] {
    let (mut numbers, mut count) = ([0; NUMBERS], 0);
    let mut put = |number| {
        if let Some(place) = numbers.get_mut(count) {
            *place = number;
        }
        count += 1;
    };
    match error {
        Some(error) => error.fault().to_numbers(put),
        None => put(NO_FAULT),
    }
    numbers
}

/// Writes the page except its state.
///
/// # Safety
/// The page exists, and no other thread writes it.
#[cfg(any(target_arch = "nvptx64", test))]
#[inline(always)]
unsafe fn write_page(
    page: *mut TrapRecord,
    place: &'static Location<'static>,
    operation: &'static str,
    numbers: [u64; NUMBERS],
    (block, thread): ([u32; 3], u32),
) {
    let file = place.file().as_bytes();
    let file = &file[file.len().saturating_sub(FILE)..];
    let operation = operation.as_bytes();
    let operation = &operation[..operation.len().min(OPERATION)];
    // SAFETY: the caller's promise; the two texts are truncated to their fields.
    unsafe {
        (*page).line = place.line();
        (*page).column = place.column();
        (*page).block = block;
        (*page).thread = thread;
        (*page).numbers = numbers;
        (*page).operation_length = operation.len() as u32;
        (*page).file_length = file.len() as u32;
        let to = (&raw mut (*page).operation).cast::<u8>();
        operation.iter().enumerate().for_each(|(i, byte)| to.add(i).write(*byte));
        let to = (&raw mut (*page).file).cast::<u8>();
        file.iter().enumerate().for_each(|(i, byte)| to.add(i).write(*byte));
    }
}

#[cfg(target_arch = "nvptx64")]
pub(crate) use device::end_kernel;

#[cfg(target_arch = "nvptx64")]
mod device {
    use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};
    use core::sync::atomic::{AtomicU32, AtomicU64};

    use super::*;
    use crate::device::{block_index, thread_index};

    /// The address of the page, or 0.
    #[unsafe(export_name = "layout_nvidia_trap_record")]
    static PAGE: AtomicU64 = AtomicU64::new(0);
    /// 0: no thread writes; 1: a thread writes; 2: the page is written.
    static TURN: AtomicU32 = AtomicU32::new(0);

    /// Ends the kernel.
    #[cold]
    #[inline(always)]
    pub(crate) fn end_kernel(error: Option<&LayoutError>, place: &'static Location<'static>) -> ! {
        let [row, a, b, c, d, e] = fault_numbers(error);
        let operation = error.map_or("", LayoutError::operation);
        write_and_trap(place, operation, row, a, b, c, d, e)
    }

    /// Writes the page, unless another thread does, and traps. Kernels reach it from many places,
    /// each of which should cost only a call.
    #[cold]
    #[inline(never)]
    #[allow(clippy::too_many_arguments, reason = "an array is passed in local memory")]
    fn write_and_trap(
        place: &'static Location<'static>,
        operation: &'static str,
        row: u64,
        a: u64,
        b: u64,
        c: u64,
        d: u64,
        e: u64,
    ) -> ! {
        let page = PAGE.load(Relaxed) as *mut TrapRecord;
        if !page.is_null() {
            if TURN.compare_exchange(0, 1, Relaxed, Relaxed).is_ok() {
                let (x, y, z) = block_index();
                // SAFETY: the host has written the address of such a page, and only one thread gets
                // its turn. A fence makes the page visible to the host.
                unsafe {
                    let by = ([x as u32, y as u32, z as u32], thread_index() as u32);
                    write_page(page, place, operation, [row, a, b, c, d, e], by);
                    core::arch::asm!("fence.acq_rel.sys;", options(nostack));
                    (&raw mut (*page).state).write_volatile(WRITTEN);
                    core::arch::asm!("fence.acq_rel.sys;", options(nostack));
                }
                TURN.store(2, Release);
            } else {
                // A trap ends all threads, also the writing one: wait for it, but not forever.
                (0..1 << 16).any(|_| TURN.load(Acquire) == 2);
            }
        }
        // SAFETY: the instruction only traps.
        unsafe { core::arch::nvptx::trap() }
    }
}

#[cfg(all(feature = "launch", not(target_arch = "nvptx64")))]
pub(crate) use host::{attach_page, take_sentence};

#[cfg(all(feature = "launch", not(target_arch = "nvptx64")))]
mod host {
    use std::cell::UnsafeCell;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use cudarc::driver::{CudaContext, CudaModule, DriverError, sys};

    use super::*;

    /// The page of all programs: a static, so that it outlives every context.
    struct Page(UnsafeCell<TrapRecord>);
    // SAFETY: the page is read and written by volatile accesses only.
    unsafe impl Sync for Page {}
    static PAGE: Page = Page(UnsafeCell::new(TrapRecord {
        state: 0,
        line: 0,
        column: 0,
        block: [0; 3],
        thread: 0,
        numbers: [0; NUMBERS],
        operation_length: 0,
        file_length: 0,
        operation: [0; OPERATION],
        file: [0; FILE],
    }));

    /// The name of the global.
    const GLOBAL: &str = "layout_nvidia_trap_record";
    /// Whether a context has registered the page.
    static REGISTERED: AtomicBool = AtomicBool::new(false);

    /// The address of the page on the device, if the driver maps host memory to the device.
    fn find_address() -> Option<u64> {
        let (page, bytes) = (PAGE.0.get().cast(), size_of::<TrapRecord>());
        let flags = sys::CU_MEMHOSTREGISTER_PORTABLE | sys::CU_MEMHOSTREGISTER_DEVICEMAP;
        // SAFETY: the page is a static, which outlives every context.
        let register = || unsafe { sys::cuMemHostRegister_v2(page, bytes, flags) };
        let mut address = 0;
        // SAFETY: the driver writes an address.
        let mut find = || unsafe { sys::cuMemHostGetDevicePointer_v2(&raw mut address, page, 0) };
        if !REGISTERED.swap(true, Ordering::Relaxed) {
            register();
        }
        let mut found = find();
        if found != sys::CUresult::CUDA_SUCCESS {
            // The context that registered the page is gone.
            register();
            found = find();
        }
        (found == sys::CUresult::CUDA_SUCCESS).then_some(address)
    }

    /// Gives a program the address of the page, if one of its kernels can end with an error. If the
    /// driver does not map host memory to the device, kernels end without a message.
    pub(crate) fn attach_page(
        context: &Arc<CudaContext>,
        module: &Arc<CudaModule>,
        text: &str,
    ) -> Result<(), DriverError> {
        if !text.contains(GLOBAL) {
            return Ok(());
        }
        context.bind_to_thread()?;
        let stream = context.default_stream();
        let mut global = module.get_global(GLOBAL, &stream)?;
        if let (8, Some(address)) = (global.len(), find_address()) {
            stream.memcpy_htod(&address.to_le_bytes(), &mut global)?;
            stream.synchronize()?;
        }
        Ok(())
    }

    /// Takes the message of the kernel that trapped, once: its file and line, and its error.
    pub(crate) fn take_sentence() -> Option<String> {
        // SAFETY: the page is a static, and all bytes are numbers; the device does not write it
        // after the state says that it is written.
        let page = unsafe {
            let state = (&raw mut (*PAGE.0.get()).state).cast::<u32>();
            if state.read_volatile() != WRITTEN {
                return None;
            }
            state.write_volatile(0);
            PAGE.0.get().read_volatile()
        };
        Some(page.sentence())
    }

    impl TrapRecord {
        /// The message, for any bytes.
        pub(super) fn sentence(&self) -> String {
            let text = |bytes: &[u8], length: u32| {
                let bytes = bytes.get(..length as usize).unwrap_or_default();
                String::from_utf8_lossy(bytes).into_owned()
            };
            let (x, y, z) = (self.block[0], self.block[1], self.block[2]);
            let file = text(&self.file, self.file_length);
            let place = format!("{file}:{}:{}", self.line, self.column);
            let by = format!("thread {} of block ({x}, {y}, {z}) ended the kernel", self.thread);
            let mut numbers = self.numbers.iter().copied();
            match Fault::from_numbers(|| numbers.next().unwrap_or_default()) {
                Some(fault) => {
                    // The kernel traps once, and the context is lost: the leak happens once.
                    let operation = text(&self.operation, self.operation_length).leak();
                    format!("{place}: {}; {by}", LayoutError::new(operation, fault))
                }
                None => format!("{place}: {by}"),
            }
        }
    }
}

#[cfg(all(test, feature = "launch"))]
mod tests {
    use super::*;

    fn page() -> TrapRecord {
        // SAFETY: all fields are numbers.
        unsafe { core::mem::zeroed() }
    }

    #[test]
    fn the_host_reads_what_the_device_writes() {
        let mut page = page();
        let error = LayoutError::new("new", Fault::Multiple { number: 300, divisor: 128 });
        let place = Location::caller();
        let numbers = fault_numbers(Some(&error));
        // SAFETY: the page is this test's.
        unsafe { write_page(&mut page, place, "new", numbers, ([1, 2, 3], 4)) };

        assert_eq!(
            page.sentence(),
            format!("{place}: {error}; thread 4 of block (1, 2, 3) ended the kernel")
        );
        assert!(page.sentence().contains("300 is not a multiple of 128"));
        // SAFETY: as above.
        unsafe { write_page(&mut page, place, "", fault_numbers(None), ([0; 3], 31)) };
        assert_eq!(
            page.sentence(),
            format!("{place}: thread 31 of block (0, 0, 0) ended the kernel")
        );
    }
    /// A page of any bytes has a message.
    #[test]
    fn a_page_of_any_bytes_is_read() {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..10_000 {
            let mut draw = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                state >> (state >> 59)
            };
            let mut page = page();
            page.numbers = [(); NUMBERS].map(|()| draw());
            page.numbers[0] %= 120;
            page.file = [(); FILE].map(|()| draw() as u8);
            page.operation = [(); OPERATION].map(|()| draw() as u8);
            (page.file_length, page.operation_length) = (draw() as u32, draw() as u32 % 40);
            assert!(page.sentence().contains("ended the kernel"));
        }
    }
}
