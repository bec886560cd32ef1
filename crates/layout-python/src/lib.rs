//! The layout algebra for Python: what is native of the module `layout_algebra`.
//!
//! - `error`: Python's exceptions
//! - `convert`: layouts, shapes and tilers as Python writes them
//! - `index`: offsets, of NumPy's arrays of coordinates too
//! - `analysis`, `picture`: what accesses cost, and pictures
//! - `classes`: the layouts themselves
//! - `mma`: the instructions by name

mod error;

mod classes;
mod convert;

mod index;

mod analysis;
mod picture;

mod mma;

use std::ffi::OsString;

use pyo3::prelude::*;

/// The command ``layout``: its exit code, and what it writes to the standard output and to the standard error. The
/// first argument is the name of the program.
///
/// >>> command(["layout", "divide", "(4,6):(1,4)", "<2,3>"])
/// (0, '((2,2),(3,2)):((1,2),(4,12))\n', '')
#[pyfunction]
fn command(arguments: Vec<OsString>) -> error::Answer<(u8, String, String)> {
    let answer = error::caught("bounds", || layout_cli::command::answer(arguments))?;
    Ok((answer.code, answer.output, answer.error))
}

#[pymodule]
mod _native {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::classes::{Layout, Swizzle, Tiler, Xor, best_shared_layout, call_by_name, operations};
    #[pymodule_export]
    use super::command;
    #[pymodule_export]
    use super::error::LayoutError;
    #[pymodule_export]
    use super::mma::{Mma, mma, mma_names};
    #[pymodule_export]
    use super::picture::Picture;

    #[pymodule_init]
    fn init(_module: &Bound<'_, PyModule>) -> PyResult<()> {
        super::error::keep_quiet();
        Ok(())
    }
}
