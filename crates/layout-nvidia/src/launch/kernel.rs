//! The host's description of a kernel, and its arguments.

use cudarc::driver::{
    CudaSlice, CudaStream, CudaView, CudaViewMut, DevicePtr, DevicePtrMut, DeviceRepr, SyncOnDrop,
};

use crate::device::{Entry, Parameters};

/// A kernel: its name, and the sizes of a launch by its layouts. Made by
/// [`#[kernel]`](crate::device::kernel).
///
/// # Safety
/// The program has a kernel of this name with parameters of these types. A block of it has
/// `THREADS` threads, and reaches `SHARED` bytes of dynamic shared memory.
pub unsafe trait Kernel {
    /// The name in the program.
    const NAME: &'static str;
    /// The threads of a block.
    const THREADS: usize;
    /// The bytes of dynamic shared memory of a block.
    const SHARED: usize;
    /// The types of the parameters: `(u32, *const f32, *mut f32)`.
    type Parameters: Parameters;
}

/// The name of an entry. The kernel is the same type for all entries, so that a mistake in an entry
/// is one error.
///
/// # Safety
/// The program has an entry of this name, which is the kernel `Self`.
#[doc(hidden)]
pub unsafe trait EntryName: Entry {
    /// The name in the program.
    const NAME: &'static str;
}
// SAFETY: `EntryName` promises the name, and `Entry` the rest.
unsafe impl<E: EntryName> Kernel for E {
    const NAME: &'static str = <E as EntryName>::NAME;
    const THREADS: usize = <E as Entry>::THREADS;
    const SHARED: usize = <E as Entry>::SHARED;
    type Parameters = <E as Entry>::Parameters;
}

/// The arguments of a launch, in the driver's form: one or several words each. A launch waits for
/// other streams that use the memory of an argument, and dropping the list after the launch marks
/// the memory as used.
#[derive(Debug)]
pub struct ArgumentList<'a> {
    stream: &'a CudaStream,
    words: Vec<u64>,
    /// The first word of each argument.
    first: Vec<usize>,
    used: Vec<SyncOnDrop<'a>>,
    /// The layout of an empty tensor that is read through a map, and whether an empty tensor is
    /// written.
    empty: (Option<String>, bool),
}
impl<'a> ArgumentList<'a> {
    pub(crate) fn new(stream: &'a CudaStream) -> Self {
        ArgumentList {
            stream,
            words: Vec::new(),
            first: Vec::new(),
            used: Vec::new(),
            empty: (None, false),
        }
    }
    /// Appends the low bytes of a word, as many as the parameter has.
    pub fn push_word(&mut self, word: u64) {
        self.push_words(&[word]);
    }
    /// Appends the bytes of a parameter of several words.
    pub fn push_words(&mut self, words: &[u64]) {
        self.first.push(self.words.len());
        self.words.extend(words);
    }
    /// Appends memory to read.
    pub fn push_readable<T>(&mut self, memory: &'a impl DevicePtr<T>) {
        let address = self.record_read(memory);
        self.push_word(address);
    }
    /// Appends memory to write.
    pub fn push_writable<T>(&mut self, memory: &'a mut impl DevicePtrMut<T>) {
        let address = self.record_write(memory);
        self.push_word(address);
    }
    /// Records that another argument leads to this memory, to read it, and returns its address.
    pub(crate) fn record_read<T>(&mut self, memory: &'a impl DevicePtr<T>) -> u64 {
        let (address, used) = memory.device_ptr(self.stream);
        self.used.push(used);
        address
    }
    /// Records that another argument leads to this memory, to write it, and returns its address.
    pub(crate) fn record_write<T>(&mut self, memory: &'a mut impl DevicePtrMut<T>) -> u64 {
        let (address, used) = memory.device_ptr_mut(self.stream);
        self.used.push(used);
        address
    }
    /// Records that the tensor of a map to read is empty.
    pub(crate) fn record_empty_read(&mut self, layout: &str) {
        self.empty.0 = Some(layout.into());
    }
    /// Records that the tensor of a map to write is empty.
    pub(crate) fn record_empty_write(&mut self) {
        self.empty.1 = true;
    }
    /// Whether there is nothing to write. If not, an empty tensor to read is an error, with its
    /// layout.
    pub(crate) fn nothing_to_write(&self) -> Result<bool, String> {
        match &self.empty {
            (_, true) => Ok(true),
            (None, false) => Ok(false),
            (Some(layout), false) => Err(layout.clone()),
        }
    }
    /// The address of each argument.
    pub(crate) fn argument_pointers(&mut self) -> Vec<*mut std::ffi::c_void> {
        let words = self.words.as_mut_ptr();
        // SAFETY: the word exists.
        self.first.iter().map(|first| unsafe { words.add(*first).cast() }).collect()
    }
}

/// `A: Argument<P>`: a value of type `A` is an argument for a parameter of type `P`: a number for a
/// number, device memory for a pointer.
///
/// # Safety
/// The pushed bytes are the parameter on the device: a pointer to readable memory, or writable
/// memory if the pointer is mutable.
#[diagnostic::on_unimplemented(
    message = "a parameter `{P}` of a kernel is not given `{Self}`",
    label = "for `*const T` a `&CudaSlice<T>`, for `*mut T` a `&mut CudaSlice<T>`, for a number \
             that number"
)]
pub unsafe trait Argument<P> {
    /// Appends the argument to a list.
    fn push_argument<'a>(&'a mut self, list: &mut ArgumentList<'a>);
}
macro_rules! numbers {
    ($($number:ty)*) => {$(
        // SAFETY: the number itself is the parameter.
        unsafe impl Argument<$number> for $number {
            fn push_argument<'a>(&'a mut self, list: &mut ArgumentList<'a>) {
                let mut word = [0; 8];
                let bytes = self.to_le_bytes();
                word[..bytes.len()].copy_from_slice(&bytes);
                list.push_word(u64::from_le_bytes(word));
            }
        }
    )*};
}
numbers! { i8 u8 i16 u16 i32 u32 i64 u64 isize usize f32 f64 half::f16 half::bf16 }
// SAFETY: the address of device memory; a shared borrow is the argument of a parameter to read.
unsafe impl<T: DeviceRepr> Argument<*const T> for &CudaSlice<T> {
    fn push_argument<'a>(&'a mut self, list: &mut ArgumentList<'a>) {
        list.push_readable(*self);
    }
}
// SAFETY: as above.
unsafe impl<T: DeviceRepr> Argument<*mut T> for &mut CudaSlice<T> {
    fn push_argument<'a>(&'a mut self, list: &mut ArgumentList<'a>) {
        list.push_writable(*self);
    }
}
// SAFETY: as above.
unsafe impl<T: DeviceRepr> Argument<*const T> for CudaView<'_, T> {
    fn push_argument<'a>(&'a mut self, list: &mut ArgumentList<'a>) {
        list.push_readable(self);
    }
}
// SAFETY: as above.
unsafe impl<T: DeviceRepr> Argument<*mut T> for CudaViewMut<'_, T> {
    fn push_argument<'a>(&'a mut self, list: &mut ArgumentList<'a>) {
        list.push_writable(self);
    }
}

/// `A: Arguments<P>`: the tuple `A` is a list of arguments for the parameters `P`, one for each.
///
/// ```compile_fail,E0200
/// use layout_nvidia::launch::{Arguments, ArgumentList};
/// struct Mine;
/// // The driver reads as many words as the kernel has parameters: the impl is unsafe.
/// impl Arguments<(u64, u64)> for Mine {
///     fn push<'a>(&'a mut self, list: &mut ArgumentList<'a>) {
///         list.push_word(1);
///     }
/// }
/// ```
///
/// # Safety
/// `push_argument` appends one argument for each parameter, in order, each as by [`Argument`] of
/// that parameter.
#[diagnostic::on_unimplemented(
    message = "the parameters of this kernel, `{P}`, are not given by `{Self}`",
    label = "one argument for each parameter: for `*const T` a `&CudaSlice<T>`, for `*mut T` a \
             `&mut CudaSlice<T>`"
)]
pub unsafe trait Arguments<P> {
    /// Appends all arguments to a list.
    fn push_argument<'a>(&'a mut self, list: &mut ArgumentList<'a>);
}
macro_rules! tuples {
    ($($argument:ident $parameter:ident $number:tt;)*) => { tuples! { @ [] $($argument $parameter $number;)* } };
    (@ [$($a:ident $p:ident $n:tt;)*] $argument:ident $parameter:ident $number:tt; $($rest:tt)*) => {
        // SAFETY: one argument for each parameter, in this order.
        unsafe impl<$($a: Argument<$p>, $p,)* $argument: Argument<$parameter>, $parameter> Arguments<($($p,)* $parameter,)>
            for ($($a,)* $argument,)
        {
            fn push_argument<'a>(&'a mut self, list: &mut ArgumentList<'a>) {
                $(self.$n.push_argument(list);)*
                self.$number.push_argument(list);
            }
        }
        tuples! { @ [$($a $p $n;)* $argument $parameter $number;] $($rest)* }
    };
    (@ [$($done:tt)*]) => {};
}
// SAFETY: the same arguments.
unsafe impl<P, A: Arguments<P> + ?Sized> Arguments<P> for &mut A {
    fn push_argument<'a>(&'a mut self, list: &mut ArgumentList<'a>) {
        (**self).push_argument(list);
    }
}
// SAFETY: no parameters.
unsafe impl Arguments<()> for () {
    fn push_argument<'a>(&'a mut self, _: &mut ArgumentList<'a>) {}
}
tuples! { A P 0; B Q 1; C R 2; D S 3; E T 4; F U 5; G V 6; H W 7; I X 8; J Y 9; K Z 10; }
