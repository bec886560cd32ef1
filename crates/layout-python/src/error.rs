//! Errors as Python's exceptions: `LayoutError` if the algebra refuses, `TypeError` for an operand
//! of a wrong class. No input ends the process: a panic of the library becomes a `LayoutError` too.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use layout_algebra::{DynComposedLayout, LayoutError as Refusal};
use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

create_exception!(
    layout_algebra,
    LayoutError,
    PyValueError,
    "The algebra refuses: the operation has no result, or a text is no layout.\n\nThe message is \
     a sentence with the rule and the numbers; ``kind`` is the rule in a word (``divisibility``, \
     ``carry``, ``overlap``, ``rank``, ``unit-stride``, ``parse``, ``overflow``, ``profile``, \
     ``bounds``, ``stride``), ``operation`` the name of the operation, and ``byte`` the position \
     in a text at which parsing failed.\n\n>>> try:\n...     \
     Layout(\"(4,3):(1,8)\").compose(\"6:3\")\n... except LayoutError as error:\n...     \
     print(error.kind, error.operation)\ndivisibility compose\n"
);

/// Why a function that Python calls has no result.
pub(crate) enum Error {
    /// The library's reason.
    Refused(Refusal),
    /// A reason of this module: its kind and its sentence.
    Reason(&'static str, String),
    /// An exception that Python raised.
    Python(PyErr),
}

pub(crate) type Answer<T> = Result<T, Error>;

impl From<Refusal> for Error {
    fn from(error: Refusal) -> Self {
        Error::Refused(error)
    }
}
impl From<PyErr> for Error {
    fn from(error: PyErr) -> Self {
        Error::Python(error)
    }
}

impl From<Error> for PyErr {
    fn from(error: Error) -> PyErr {
        let (kind, operation, byte, sentence) = match error {
            Error::Python(error) => return error,
            Error::Reason(kind, sentence) => (kind, None, None, sentence),
            Error::Refused(error) => {
                (error.kind().as_str(), Some(error.operation()), error.byte(), error.to_string())
            }
        };
        Python::attach(|py| {
            let error = LayoutError::new_err(sentence);
            let value = error.value(py);
            let set = value
                .setattr("kind", kind)
                .and_then(|()| value.setattr("operation", operation))
                .and_then(|()| value.setattr("byte", byte));
            set.err().unwrap_or(error)
        })
    }
}

/// The refusal of a swizzled layout by an operation that takes none.
pub(crate) fn swizzled(what: &str, layout: &DynComposedLayout) -> Error {
    let help = "`linear()` gives the same function in XOR strides, if it has one";
    Error::Reason(
        "stride",
        format!("{what} takes a layout without a swizzle, and this is {layout}: {help}"),
    )
}

/// Keeps panics from printing: this module catches them.
pub(crate) fn keep_quiet() {
    std::panic::set_hook(Box::new(|_| {}));
}

/// Runs work that may panic: the analysis, whose `const` functions cannot return errors, and work
/// that allocates. The panic's text is the sentence of the error.
pub(crate) fn caught<T>(kind: &'static str, work: impl FnOnce() -> T) -> Answer<T> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| panicked(kind, panic))
}

#[cold]
fn panicked(kind: &'static str, panic: Box<dyn Any + Send>) -> Error {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    Error::Reason(kind, text.or(panic.downcast_ref::<&str>().copied()).unwrap_or_default().into())
}

/// Runs a method; a panic of the library becomes a `LayoutError`.
#[inline]
pub(crate) fn guarded<T>(work: impl FnOnce() -> Answer<T>) -> Answer<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(panicked("overflow", panic)))
}
