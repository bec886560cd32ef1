//! Tensors given to NumPy and taken from it, as functions of a library that `arrays.py` loads.
#![allow(
    clippy::undocumented_unsafe_blocks,
    clippy::missing_safety_doc,
    missing_docs,
    reason = "each function is called by `arrays.py` alone, with what another one returned or \
              NumPy made"
)]

use std::alloc::{GlobalAlloc, Layout as Memory, System};
use std::ffi::c_void;
use std::ptr::{NonNull, null_mut};
use std::sync::atomic::{AtomicUsize, Ordering};

use layout_algebra::prelude::*;
use layout_arrays::foreign::ffi::{DLManagedTensor, DLManagedTensorVersioned};
use layout_arrays::foreign::{
    DlpackElement, IntoDlpack, IntoDlpackReadOnly, Managed, ManagedMut, ManagedTensor, from_dlpack,
    from_dlpack_mut,
};
use layout_arrays::{ArrayError, HasAxes};

// ---- what is alive ------------------------------------------------------------------------------

/// Counts the bytes that this library has, and Python's own memory not.
struct Counted;
static LIVE: AtomicUsize = AtomicUsize::new(0);
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, memory: Memory) -> *mut u8 {
        LIVE.fetch_add(memory.size(), Ordering::SeqCst);
        unsafe { System.alloc(memory) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, memory: Memory) {
        LIVE.fetch_sub(memory.size(), Ordering::SeqCst);
        unsafe { System.dealloc(pointer, memory) }
    }
}
#[global_allocator]
static ALLOCATOR: Counted = Counted;

#[unsafe(no_mangle)]
pub extern "C" fn live() -> usize {
    LIVE.load(Ordering::SeqCst)
}

// ---- given --------------------------------------------------------------------------------------

/// The elements 0, 1, 2, .. under a layout; writes where the first one lies.
fn numbered<T: DlpackElement + Send, L: HasAxes, M: ManagedTensor>(
    layout: L,
    number: impl Fn(usize) -> T,
    first: &mut *const c_void,
) -> *mut c_void {
    let elements: Vec<T> = (0..layout.reach().unwrap()).map(number).collect();
    let tensor = Tensor::new(elements, layout).unwrap();
    *first = tensor.iter().next().map_or(null_mut(), |x| std::ptr::from_ref(x).cast_mut().cast());
    tensor.into_dlpack::<M>().unwrap().as_ptr().cast()
}

/// One tensor of each kind. `arrays.py` knows what they are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn give(kind: usize, first: *mut *const c_void) -> *mut c_void {
    static FIXED: [u8; 6] = [0, 1, 2, 3, 4, 5];
    type Versioned = DLManagedTensorVersioned;
    let (n, none) = (6, 0);
    let first = unsafe { &mut *first };
    match kind {
        0 => numbered::<f32, _, Versioned>(layout!((4, 6): right), |i| i as f32, first),
        1 => numbered::<i64, _, Versioned>(layout!((4, (2, 3)):(1, (5, 11))), |i| i as i64, first),
        2 => numbered::<f64, _, Versioned>(layout!((4, n):(10, 1)), |i| i as f64, first),
        3 => numbered::<u16, _, Versioned>(
            "(3,(2,2)):(4,(1,2))".parse::<DynLayout>().unwrap(),
            |i| i as u16,
            first,
        ),
        4 => numbered::<bool, _, Versioned>(layout!(5:2), |i| i % 3 == 0, first),
        5 => numbered::<f32, _, Versioned>(layout!((none, 3)), |i| i as f32, first),
        6 => numbered::<i32, _, DLManagedTensor>(layout!((2, 3): right), |i| i as i32, first),
        7 => {
            *first = FIXED.as_ptr().cast();
            let tensor = Tensor::new(&FIXED, layout!((2, 3): right)).unwrap();
            tensor.into_dlpack_read_only().unwrap().as_ptr().cast()
        }
        8 => numbered::<f32, _, Versioned>(layout!((4, 6):(-6, 1)).moved(), |i| i as f32, first),
        9 => numbered::<i64, _, DLManagedTensor>(
            layout!((4, (2, 3)):(-1, (5, -11))).moved(),
            |i| i as i64,
            first,
        ),
        10 => {
            let backwards: DynComposedLayout = "Sw<0,0,0> o 7 o (3,2):(-2,-3)".parse().unwrap();
            numbered::<i16, _, Versioned>(backwards, |i| i as i16, first)
        }
        // Where nothing moves, nothing goes backwards.
        11 => numbered::<f64, _, Versioned>(layout!((1, 5):(-7, -1)).moved(), |i| i as f64, first),
        _ => null_mut(),
    }
}

// ---- taken --------------------------------------------------------------------------------------

/// What was taken from NumPy.
pub enum Taken {
    Read(Tensor<Managed<f32>, DynComposedLayout>),
    Write(Tensor<ManagedMut<f32>, DynComposedLayout>),
}
/// The same of each of them.
macro_rules! of_each {
    ($taken:expr, $tensor:ident => $value:expr) => {
        match $taken {
            Taken::Read($tensor) => $value,
            Taken::Write($tensor) => $value,
        }
    };
}

fn write_text(text: &str, to: *mut u8, length: usize) {
    let bytes = &text.as_bytes()[..text.len().min(length - 1)];
    unsafe {
        to.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
        to.add(bytes.len()).write(0);
    }
}

fn take_as<M: ManagedTensor>(managed: NonNull<M>, to_write: bool) -> Result<Taken, ArrayError> {
    Ok(match to_write {
        true => Taken::Write(unsafe { from_dlpack_mut(managed) }?),
        false => Taken::Read(unsafe { from_dlpack(managed) }?),
    })
}

/// Takes an array of `f32`, whichever way its axes go; if it is refused, null, and why stands in
/// `text`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn take(
    managed: *mut c_void,
    versioned: bool,
    to_write: bool,
    text: *mut u8,
    length: usize,
) -> *mut Taken {
    let managed = NonNull::new(managed).unwrap();
    let taken = match versioned {
        true => take_as(managed.cast::<DLManagedTensorVersioned>(), to_write),
        false => take_as(managed.cast::<DLManagedTensor>(), to_write),
    };
    let (text_of, taken) = match taken {
        Ok(taken) => (
            of_each!(&taken, tensor => tensor.layout().to_string()),
            Box::into_raw(Box::new(taken)),
        ),
        Err(error) => (error.to_string(), null_mut()),
    };
    write_text(&text_of, text, length);
    taken
}

/// Writes the elements to `to`, the leftmost mode fastest, and returns their number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elements(taken: *const Taken, to: *mut f32, length: usize) -> usize {
    let elements: Vec<f32> =
        of_each!(unsafe { &*taken }, tensor => tensor.iter().copied().collect());
    let count = elements.len().min(length);
    unsafe { to.copy_from_nonoverlapping(elements.as_ptr(), count) };
    elements.len()
}

/// The address of the first element.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn address(taken: *const Taken) -> *const c_void {
    of_each!(unsafe { &*taken }, tensor => {
        tensor.iter().next().map_or(null_mut(), |x| std::ptr::from_ref(x).cast_mut().cast())
    })
}

/// Adds the number of its tile of 2 x 3 to each element of a matrix.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn number_tiles(taken: *mut Taken) -> bool {
    macro_rules! number {
        ($tensor:ident) => {{
            let Ok(tiles) = $tensor.try_tiles_mut(tiler!(2, 3)) else { return false };
            for (number, mut tile) in tiles.enumerate() {
                tile.iter_mut().for_each(|element| *element += number as f32);
            }
            true
        }};
    }
    match unsafe { &mut *taken } {
        Taken::Write(tensor) => number!(tensor),
        Taken::Read(_) => false,
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn give_back(taken: *mut Taken) {
    drop(unsafe { Box::from_raw(taken) });
}
