//! What goes wrong, as Python's exceptions: `LayoutError` where the algebra refuses, `TypeError`
//! for an operand of no use. Nothing that a caller can write ends the process: a panic of the
//! library is a `LayoutError` too.

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
    "The algebra refuses: there is no such layout, or what was written is none.\n\nThe text is a sentence with the \
     rule and the numbers; ``kind`` is the rule in a word (``divisibility``, ``carry``, ``overlap``, ``rank``, \
     ``unit-stride``, ``parse``, ``overflow``, ``profile``, ``bounds``, ``stride``), ``operation`` the name of the \
     operation, and ``byte`` where a text stopped being one.\n\n\
     >>> try:\n\
     ...     Layout(\"(4,3):(1,8)\").compose(\"6:3\")\n\
     ... except LayoutError as error:\n\
     ...     print(error.kind, error.operation)\n\
     divisibility compose\n"
);

/// Why a function for Python returns nothing.
pub(crate) enum Error {
    /// The library's reason.
    Refused(Refusal),
    /// A reason that only Python can give: its kind and its sentence.
    Said(&'static str, String),
    /// An exception.
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
            Error::Said(kind, sentence) => (kind, None, None, sentence),
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

/// What a swizzled layout is refused for.
pub(crate) fn swizzled(what: &str, layout: &DynComposedLayout) -> Error {
    let help = "`linear()` gives XOR strides where there are some";
    Error::Said(
        "stride",
        format!("{what} takes a layout without a swizzle, and this is {layout}: {help}"),
    )
}

/// Panics of this module are caught, and print nothing.
pub(crate) fn keep_quiet() {
    std::panic::set_hook(Box::new(|_| {}));
}

/// Does what may panic: the analysis, whose functions are constants and have no other way to
/// refuse, and what takes memory. The text of a panic is the sentence.
pub(crate) fn caught<T>(kind: &'static str, work: impl FnOnce() -> T) -> Answer<T> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| panicked(kind, panic))
}

#[cold]
fn panicked(kind: &'static str, panic: Box<dyn Any + Send>) -> Error {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    Error::Said(kind, text.or(panic.downcast_ref::<&str>().copied()).unwrap_or_default().into())
}

/// Does what a method does; a panic of the library is a `LayoutError`.
#[inline]
pub(crate) fn guarded<T>(work: impl FnOnce() -> Answer<T>) -> Answer<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(panicked("overflow", panic)))
}
