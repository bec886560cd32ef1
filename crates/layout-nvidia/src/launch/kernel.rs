//! What the host knows of a kernel, and what it may be called with.

use cudarc::driver::{
    CudaSlice, CudaStream, CudaView, CudaViewMut, DevicePtr, DevicePtrMut, DeviceRepr, SyncOnDrop,
};

use crate::device::{Entry, Parameters};

/// A kernel: its name, and what its layouts say about a launch. Made by
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

/// The name of an entry. The kernel is one for all entries, so that what is wrong with an entry is
/// one error.
///
/// # Safety
/// The program has an entry of this name, which is the kernel `Self`.
#[doc(hidden)]
pub unsafe trait EntryName: Entry {
    /// The name in the program.
    const NAME: &'static str;
}
// SAFETY: the name is promised, and the rest is the entry's.
unsafe impl<E: EntryName> Kernel for E {
    const NAME: &'static str = <E as EntryName>::NAME;
    const THREADS: usize = <E as Entry>::THREADS;
    const SHARED: usize = <E as Entry>::SHARED;
    type Parameters = <E as Entry>::Parameters;
}

/// The arguments of a launch, as the driver takes them: a word each, or several. Memory that
/// another stream uses is waited for when it is given, and marked as used when this is dropped,
/// behind the launch.
#[derive(Debug)]
pub struct ArgumentList<'a> {
    stream: &'a CudaStream,
    words: Vec<u64>,
    /// The first word of each.
    first: Vec<usize>,
    used: Vec<SyncOnDrop<'a>>,
    /// The layout of a tensor without an element that is read by a map, and whether one is written.
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
    /// Gives the low bytes of a word, as many as the parameter has.
    pub fn push_word(&mut self, word: u64) {
        self.push_words(&[word]);
    }
    /// Gives the bytes of a parameter of several words.
    pub fn push_words(&mut self, words: &[u64]) {
        self.first.push(self.words.len());
        self.words.extend(words);
    }
    /// Gives memory that is read.
    pub fn push_readable<T>(&mut self, memory: &'a impl DevicePtr<T>) {
        let address = self.record_read(memory);
        self.push_word(address);
    }
    /// Gives memory that may be written.
    pub fn push_writable<T>(&mut self, memory: &'a mut impl DevicePtrMut<T>) {
        let address = self.record_write(memory);
        self.push_word(address);
    }
    /// Says that memory is read which another argument leads to, and where it begins.
    pub(crate) fn record_read<T>(&mut self, memory: &'a impl DevicePtr<T>) -> u64 {
        let (address, used) = memory.device_ptr(self.stream);
        self.used.push(used);
        address
    }
    /// Says that memory may be written which another argument leads to, and where it begins.
    pub(crate) fn record_write<T>(&mut self, memory: &'a mut impl DevicePtrMut<T>) -> u64 {
        let (address, used) = memory.device_ptr_mut(self.stream);
        self.used.push(used);
        address
    }
    /// Says that a map is of a tensor without an element.
    pub(crate) fn record_empty_read(&mut self, layout: &str) {
        self.empty.0 = Some(layout.into());
    }
    /// Says that there is nothing to write.
    pub(crate) fn record_empty_write(&mut self) {
        self.empty.1 = true;
    }
    /// Is there nothing to write? A tensor to read that has no element is an error then, whose
    /// layout this is.
    pub(crate) fn nothing_to_write(&self) -> Result<bool, String> {
        match &self.empty {
            (_, true) => Ok(true),
            (None, false) => Ok(false),
            (Some(layout), false) => Err(layout.clone()),
        }
    }
    /// Where each of them is.
    pub(crate) fn argument_pointers(&mut self) -> Vec<*mut std::ffi::c_void> {
        let words = self.words.as_mut_ptr();
        // SAFETY: there is such a word.
        self.first.iter().map(|first| unsafe { words.add(*first).cast() }).collect()
    }
}

/// `A: Argument<P>`: what may be given for a parameter of the type `P`: a number, and for a pointer
/// the device's memory.
///
/// # Safety
/// What is pushed is what the parameter is on the device: a pointer that may be read, and if it is
/// one to mutable memory, be written too.
#[diagnostic::on_unimplemented(
    message = "a parameter `{P}` of a kernel is not given `{Self}`",
    label = "for `*const T` a `&CudaSlice<T>`, for `*mut T` a `&mut CudaSlice<T>`, for a number \
             that number"
)]
pub unsafe trait Argument<P> {
    /// Adds it to a launch.
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
// SAFETY: it is the address of the device's memory; a shared borrow goes to a parameter that is
// read.
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

/// `A: Arguments<P>`: the tuple `A` may be given for the parameters `P`, one for one.
///
/// ```compile_fail,E0200
/// use layout_nvidia::launch::{Arguments, ArgumentList};
/// struct Mine;
/// // The driver reads as many words as the kernel has parameters: a promise is asked for.
/// impl Arguments<(u64, u64)> for Mine {
///     fn push<'a>(&'a mut self, list: &mut ArgumentList<'a>) {
///         list.push_word(1);
///     }
/// }
/// ```
///
/// # Safety
/// `push_argument` gives one argument for each parameter, in order, each as [`Argument`] of that
/// parameter gives it.
#[diagnostic::on_unimplemented(
    message = "the parameters of this kernel, `{P}`, are not given by `{Self}`",
    label = "one argument for each parameter: for `*const T` a `&CudaSlice<T>`, for `*mut T` a \
             `&mut CudaSlice<T>`"
)]
pub unsafe trait Arguments<P> {
    /// Adds all of them to a launch.
    fn push_argument<'a>(&'a mut self, list: &mut ArgumentList<'a>);
}
macro_rules! tuples {
    ($($argument:ident $parameter:ident $number:tt;)*) => { tuples! { @ [] $($argument $parameter $number;)* } };
    (@ [$($a:ident $p:ident $n:tt;)*] $argument:ident $parameter:ident $number:tt; $($rest:tt)*) => {
        // SAFETY: each argument is of its parameter, in this order.
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
// SAFETY: what it is a borrow of.
unsafe impl<P, A: Arguments<P> + ?Sized> Arguments<P> for &mut A {
    fn push_argument<'a>(&'a mut self, list: &mut ArgumentList<'a>) {
        (**self).push_argument(list);
    }
}
// SAFETY: there is no parameter.
unsafe impl Arguments<()> for () {
    fn push_argument<'a>(&'a mut self, _: &mut ArgumentList<'a>) {}
}
tuples! { A P 0; B Q 1; C R 2; D S 3; E T 4; F U 5; G V 6; H W 7; I X 8; J Y 9; K Z 10; }
