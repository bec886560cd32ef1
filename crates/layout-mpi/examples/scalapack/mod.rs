//! The peer: ScaLAPACK, where the system has it (`libscalapack-openmpi-dev`). Loaded and not
//! linked, so that all else is built without it.

use libloading::Library;
use std::os::raw::{c_char, c_int};

/// The library, and a grid of processes for each mesh.
pub struct Scalapack {
    library: Library,
}

/// A matrix of f64 on a grid: its descriptor.
#[derive(Clone, Copy)]
pub struct Matrix {
    descriptor: [c_int; 9],
    context: c_int,
}

type Gemr2d = unsafe extern "C" fn(
    *const c_int,
    *const c_int,
    *const f64,
    *const c_int,
    *const c_int,
    *const c_int,
    *mut f64,
    *const c_int,
    *const c_int,
    *const c_int,
    *const c_int,
);
type Gemm = unsafe extern "C" fn(
    *const c_char,
    *const c_char,
    *const c_int,
    *const c_int,
    *const c_int,
    *const f64,
    *const f64,
    *const c_int,
    *const c_int,
    *const c_int,
    *const f64,
    *const c_int,
    *const c_int,
    *const c_int,
    *const f64,
    *mut f64,
    *const c_int,
    *const c_int,
    *const c_int,
);

impl Scalapack {
    /// The library, if it is there. MPI has been initialized.
    pub fn load() -> Option<Scalapack> {
        let names = [
            "libscalapack-openmpi.so",
            "libscalapack-openmpi.so.2.2",
            "libscalapack-openmpi.so.2.1",
        ];
        // SAFETY: what the library does when it is loaded is what MPI programs do.
        let library = names.iter().find_map(|name| unsafe { Library::new(name) }.ok())?;
        Some(Scalapack { library })
    }

    /// A function of the library.
    fn get<F: Copy>(&self, name: &str) -> F {
        // SAFETY: the callers name the type that the function has in ScaLAPACK's headers.
        unsafe { *self.library.get::<F>(name.as_bytes()).expect("a function of ScaLAPACK") }
    }

    /// A matrix of `shape` in blocks of `block`, on a grid of `grid` processes counted row by row.
    /// All ranks call it.
    pub fn matrix(&self, shape: [usize; 2], block: [usize; 2], grid: [usize; 2]) -> Matrix {
        let get: unsafe extern "C" fn(c_int, c_int, *mut c_int) = self.get("Cblacs_get");
        let init: unsafe extern "C" fn(*mut c_int, *const c_char, c_int, c_int) =
            self.get("Cblacs_gridinit");
        let info: unsafe extern "C" fn(c_int, *mut c_int, *mut c_int, *mut c_int, *mut c_int) =
            self.get("Cblacs_gridinfo");
        let mut context = 0;
        let (mut rows, mut columns, mut row, mut column) = (0, 0, 0, 0);
        // SAFETY: the numbers live as long as the calls, and the string ends in 0.
        unsafe {
            get(-1, 0, &mut context);
            init(&mut context, c"Row".as_ptr(), grid[0] as c_int, grid[1] as c_int);
            info(context, &mut rows, &mut columns, &mut row, &mut column);
        }
        let mut descriptor = [1, context, 0, 0, 0, 0, 0, 0, 1];
        for (k, &number) in [shape[0], shape[1], block[0], block[1]].iter().enumerate() {
            descriptor[2 + k] = number as c_int;
        }
        let local: unsafe extern "C" fn(
            *const c_int,
            *const c_int,
            *const c_int,
            *const c_int,
            *const c_int,
        ) -> c_int = self.get("numroc_");
        // SAFETY: the numbers live as long as the call.
        descriptor[8] = unsafe { local(&descriptor[2], &descriptor[4], &row, &0, &rows) }.max(1);
        Matrix { descriptor, context }
    }

    /// `pdgemr2d`: copies a whole matrix from one distribution to another.
    pub fn redistribute(&self, a: &[f64], from: &Matrix, b: &mut [f64], to: &Matrix) {
        let gemr2d: Gemr2d = self.get("pdgemr2d_");
        let (m, n) = (from.descriptor[2], from.descriptor[3]);
        // SAFETY: the slices are the local parts that the descriptors tell of, column by column.
        unsafe {
            gemr2d(
                &m,
                &n,
                a.as_ptr(),
                &1,
                &1,
                from.descriptor.as_ptr(),
                b.as_mut_ptr(),
                &1,
                &1,
                to.descriptor.as_ptr(),
                &from.context,
            );
        }
    }

    /// `pdgemm`: `c = a * b`.
    pub fn multiply(
        &self,
        a: &[f64],
        of_a: &Matrix,
        b: &[f64],
        of_b: &Matrix,
        c: &mut [f64],
        of_c: &Matrix,
    ) {
        let gemm: Gemm = self.get("pdgemm_");
        let (m, n, k) = (of_c.descriptor[2], of_c.descriptor[3], of_a.descriptor[3]);
        // SAFETY: as in `redistribute`.
        unsafe {
            gemm(
                c"N".as_ptr(),
                c"N".as_ptr(),
                &m,
                &n,
                &k,
                &1.0,
                a.as_ptr(),
                &1,
                &1,
                of_a.descriptor.as_ptr(),
                b.as_ptr(),
                &1,
                &1,
                of_b.descriptor.as_ptr(),
                &0.0,
                c.as_mut_ptr(),
                &1,
                &1,
                of_c.descriptor.as_ptr(),
            );
        }
    }
}
