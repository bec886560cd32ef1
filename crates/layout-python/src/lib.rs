//! The layout algebra for Python: the native part of the module `layout_algebra`.
//!
//! - `error`: Python's exceptions
//! - `classes`: the classes `Layout`, `Swizzle`, `Tiler` and `Xor`
//! - `convert`: conversions from and to Python's objects
//! - `by_name`: the operations by name
//! - `axes`: NumPy's row-major operations
//! - `layout`, `operations`: the methods of `Layout`; the operations of the algebra
//! - `index`, `call`: offsets of coordinates and of NumPy's arrays of coordinates
//! - `analysis`, `picture`: what accesses cost, and pictures
//! - `emit`: layouts as source code
//! - `parts`: the methods of the other classes
//! - `mma`: the instructions by name
//! - `formats`: the formats of quantised weights

mod error;

mod classes;

mod convert;

mod by_name;

mod axes;
mod layout;
mod operations;

mod call;
mod index;

mod analysis;

mod picture;
mod searches;

mod emit;

mod parts;

mod mma;

mod formats;

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs the command ``layout``: returns its exit code, standard output and standard error. The
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
    use super::analysis::best_shared_layout;
    #[pymodule_export]
    use super::by_name::{call_by_name, operations, read_operands};
    #[pymodule_export]
    use super::classes::{Layout, Swizzle, Tiler, Xor};
    #[pymodule_export]
    use super::command;
    #[pymodule_export]
    use super::emit::relayout;
    #[pymodule_export]
    use super::error::LayoutError;
    #[pymodule_export]
    use super::formats::{Format, format, format_names};
    #[pymodule_export]
    use super::mma::{CopyAtom, Mma, copy_atom, copy_atom_names, mma, mma_names};
    #[pymodule_export]
    use super::picture::Picture;
    #[pymodule_export]
    use super::searches::BankModel;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        super::error::keep_quiet();
        // Defaults for a `LayoutError` that Python code constructs.
        let error = module.getattr("LayoutError")?;
        ["kind", "operation", "byte"]
            .into_iter()
            .try_for_each(|name| error.setattr(name, module.py().None()))
    }
}
