//! Kernels as functions: what is wrong with one, the host's compiler says.

/// A file has several mistakes, and one error for each. `TRYBUILD=overwrite` writes the messages
/// anew; read them before they are committed. They list what else could be there, which depends on
/// the feature. (That cargo itself is ended, trybuild calls *expected to fail to compile, but it
/// succeeded*.)
#[cfg(feature = "launch")]
#[test]
fn the_hosts_compiler_finds_mistakes() {
    trybuild::TestCases::new().compile_fail("tests/mistakes/*.rs");
}

/// What a macro makes may be a kernel.
mod made {
    use layout_algebra::prelude::*;
    use layout_nvidia::device::{self, kernel};

    macro_rules! fills {
        ($($name:ident $type:ty: $value:expr;)*) => {$(
            /// Writes a number.
            ///
            /// # Safety
            /// There is memory for 64 of them.
            #[kernel(threads = Layout!(64))]
            pub unsafe fn $name(to: *mut $type) {
                // SAFETY: the caller's promise.
                unsafe { *to.add(device::thread_index()) = $value }
            }
        )*};
    }
    fills! { ones f32: 1.0; twos u8: 2; }
}

#[test]
fn kernels_made_by_macros_run() {
    let (mut floats, mut bytes) = ([0.0; 64], [0; 64]);
    // SAFETY: 64 elements each.
    unsafe {
        layout_nvidia::host::launch::<made::ones>((1, 1), (&mut floats[..],));
        layout_nvidia::host::launch::<made::twos>((1, 1), (&mut bytes[..],));
    }
    assert_eq!((floats, bytes), ([1.0; 64], [2; 64]));
}

/// A grid without blocks is no launch, and a kernel that is ended says so.
#[test]
fn a_kernel_ends() {
    use layout_algebra::prelude::*;
    use layout_nvidia::device::{Trap, kernel};
    /// Takes multiples of 64 alone.
    ///
    /// # Safety
    /// Nothing is asked.
    #[kernel(threads = Layout!(32))]
    unsafe fn multiples(n: u32) -> Result<(), Trap> {
        Multiple::<Int<64>>::new(n as usize)?;
        Ok(())
    }
    let run = |blocks, n: u32| {
        // SAFETY: nothing is asked.
        std::panic::catch_unwind(|| unsafe {
            layout_nvidia::host::launch::<multiples>(blocks, (n,))
        })
    };
    assert!(run((2, 2), 128).is_ok());
    assert!(run((1, 1), 100).is_err());
    assert!(run((0, 1), 100).is_ok());
}

/// A kernel without parameters, and one of small numbers.
#[test]
fn kernels_of_nothing_and_of_small_numbers() {
    use layout_algebra::prelude::*;
    use layout_nvidia::device::{block_index, kernel, trap};
    /// Is in its place.
    ///
    /// # Safety
    /// Nothing is asked.
    #[kernel(threads = Layout!(2))]
    unsafe fn nothing() {
        if block_index().0 == 3 {
            trap()
        }
    }
    /// Adds them.
    ///
    /// # Safety
    /// There is memory for a number.
    #[kernel(threads = Layout!(1))]
    unsafe fn add(a: i8, b: u8, c: i16, d: isize, to: *mut isize) {
        // SAFETY: the caller's promise.
        unsafe { *to = isize::from(a) + isize::from(b) + isize::from(c) + d }
    }
    let mut sum = [0];
    // SAFETY: nothing is asked; there is memory for a number.
    unsafe {
        layout_nvidia::host::launch::<nothing>((3, 1), ());
        layout_nvidia::host::launch::<add>((1, 1), (-1_i8, 2_u8, -300_i16, 4_isize, &mut sum[..]));
    }
    assert_eq!(sum, [-295]);
    // SAFETY: nothing is asked.
    let fourth =
        std::panic::catch_unwind(|| unsafe { layout_nvidia::host::launch::<nothing>((4, 1), ()) });
    assert!(fourth.is_err());
}
