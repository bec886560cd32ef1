//! What the host knows of a kernel, and what it may be called with.

use cudarc::driver::{CudaSlice, CudaView, CudaViewMut, DeviceRepr, LaunchArgs, PushKernelArg};

/// A kernel: its name, and what its layouts say about a launch. Made by [`#[kernel]`](crate::device::kernel).
///
/// # Safety
/// The program has a kernel of this name with parameters of these types. A block of it has `THREADS` threads, and
/// reaches `SHARED` bytes of dynamic shared memory.
pub unsafe trait Kernel {
    /// The name in the program.
    const NAME: &'static str;
    /// The threads of a block.
    const THREADS: usize;
    /// The bytes of dynamic shared memory of a block.
    const SHARED: usize;
    /// The types of the parameters: `(u32, *const f32, *mut f32)`.
    type Parameters;
}

/// `A: Argument<P>`: what may be given for a parameter of the type `P`: a number, and for a pointer the device's
/// memory.
///
/// # Safety
/// What is pushed is what the parameter is on the device: a pointer that may be read, and if it is one to mutable
/// memory, be written too.
#[diagnostic::on_unimplemented(
    message = "a parameter `{P}` of a kernel is not given `{Self}`",
    label = "for `*const T` a `&CudaSlice<T>`, for `*mut T` a `&mut CudaSlice<T>`, for a number that number"
)]
pub unsafe trait Argument<P> {
    /// Adds it to a launch.
    fn push<'a>(&'a mut self, launch: &mut LaunchArgs<'a>);
}
macro_rules! numbers {
    ($($number:ty)*) => {$(
        // SAFETY: the number itself is the parameter.
        unsafe impl Argument<$number> for $number {
            fn push<'a>(&'a mut self, launch: &mut LaunchArgs<'a>) {
                launch.arg(&*self);
            }
        }
    )*};
}
numbers! { i8 u8 i16 u16 i32 u32 i64 u64 isize usize f32 f64 }
// SAFETY: cudarc pushes the address of the device's memory; a shared borrow goes to a parameter that is read.
unsafe impl<T: DeviceRepr> Argument<*const T> for &CudaSlice<T> {
    fn push<'a>(&'a mut self, launch: &mut LaunchArgs<'a>) {
        launch.arg(&**self);
    }
}
// SAFETY: as above.
unsafe impl<T: DeviceRepr> Argument<*mut T> for &mut CudaSlice<T> {
    fn push<'a>(&'a mut self, launch: &mut LaunchArgs<'a>) {
        launch.arg(&mut **self);
    }
}
// SAFETY: as above.
unsafe impl<T: DeviceRepr> Argument<*const T> for CudaView<'_, T> {
    fn push<'a>(&'a mut self, launch: &mut LaunchArgs<'a>) {
        launch.arg(&*self);
    }
}
// SAFETY: as above.
unsafe impl<T: DeviceRepr> Argument<*mut T> for CudaViewMut<'_, T> {
    fn push<'a>(&'a mut self, launch: &mut LaunchArgs<'a>) {
        launch.arg(self);
    }
}

/// `A: Arguments<P>`: the tuple `A` may be given for the parameters `P`, one for one.
#[diagnostic::on_unimplemented(
    message = "the parameters of this kernel, `{P}`, are not given by `{Self}`",
    label = "one argument for each parameter: for `*const T` a `&CudaSlice<T>`, for `*mut T` a `&mut CudaSlice<T>`"
)]
pub trait Arguments<P> {
    /// Adds all of them to a launch.
    fn push<'a>(&'a mut self, launch: &mut LaunchArgs<'a>);
}
macro_rules! tuples {
    ($($argument:ident $parameter:ident $number:tt;)*) => { tuples! { @ [] $($argument $parameter $number;)* } };
    (@ [$($a:ident $p:ident $n:tt;)*] $argument:ident $parameter:ident $number:tt; $($rest:tt)*) => {
        impl<$($a: Argument<$p>, $p,)* $argument: Argument<$parameter>, $parameter> Arguments<($($p,)* $parameter,)>
            for ($($a,)* $argument,)
        {
            fn push<'a>(&'a mut self, launch: &mut LaunchArgs<'a>) {
                $(self.$n.push(launch);)*
                self.$number.push(launch);
            }
        }
        tuples! { @ [$($a $p $n;)* $argument $parameter $number;] $($rest)* }
    };
    (@ [$($done:tt)*]) => {};
}
impl Arguments<()> for () {
    fn push<'a>(&'a mut self, _: &mut LaunchArgs<'a>) {}
}
tuples! { A P 0; B Q 1; C R 2; D S 3; E T 4; F U 5; G V 6; H W 7; I X 8; J Y 9; K Z 10; }
