//! Layouts as source code: the index function in a language, and kernels that move elements.

use layout_cli::{AnyLayout, either};
use layout_emit::{EmitError, Index, Language, NamedLayout, RelayoutKernel};
use pyo3::prelude::*;

use crate::classes::Layout;
use crate::convert::{self, natural};
use crate::error::{Answer, Error, caught};

impl From<EmitError> for Error {
    fn from(error: EmitError) -> Self {
        match error {
            EmitError::Input(text) if text.starts_with("no language `triton`") => Error::Reason(
                "parse",
                format!("{text}; the method `triton` gives a function of Triton"),
            ),
            EmitError::Input(text) => Error::Reason("parse", text),
            EmitError::Refused(text) => Error::Reason("bounds", text),
        }
    }
}

fn named(layout: &AnyLayout) -> NamedLayout {
    either!(layout, layout => layout.into())
}

/// A kernel, in ``"cuda"`` or ``"wgsl"``, that moves elements of ``element_bytes`` from one layout
/// to the other, at the same coordinates. With ``by_number`` the two shapes need only one size:
/// coordinates with the same index are paired, with the leftmost mode the fastest (a reshape).
///
/// >>> "__global__" in relayout("(64,32):(32,1)", "(64,32):(1,64)", element_bytes=2, name="transpose")
/// True
/// >>> "__global__" in relayout("(64,32):(32,1)", "(32,64)", by_number=True)
/// True
#[pyfunction]
#[pyo3(signature = (
    source, target, element_bytes = 4, language = "cuda", name = "relayout", by_number = false
))]
pub(crate) fn relayout(
    source: &Bound<'_, PyAny>,
    target: &Bound<'_, PyAny>,
    #[pyo3(from_py_with = natural)] element_bytes: usize,
    language: &str,
    name: &str,
    by_number: bool,
) -> Answer<String> {
    let (source, target) = (named(&convert::layout(source)?), named(&convert::layout(target)?));
    let language: Language = language.parse()?;
    let make = if by_number { RelayoutKernel::by_number } else { RelayoutKernel::new };
    Ok(caught("overflow", || make(source, target, element_bytes)?.name(name).emit(language))??)
}

#[pymethods]
impl Layout {
    /// The offset of a coordinate as a function in a language: ``"c"``, ``"cpp"``, ``"cuda"``, ``"hip"``,
    /// ``"opencl"``, ``"wgsl"``, ``"glsl"``, ``"hlsl"``, ``"msl"``, ``"rust"`` or ``"python"``.
    /// With ``back`` the function goes from an offset to its coordinate; with ``bounds`` it also
    /// returns whether its argument belongs to the layout.
    ///
    /// >>> print(Layout("(64,96):(96,1)").emit("c", "at"))
    /// #include <stdint.h>
    /// <BLANKLINE>
    /// // The offset of (i, j) in (64,96):(96,1): 64 x 96 coordinates, 6144 offsets.
    /// static inline uint32_t at(uint32_t i, uint32_t j) {
    ///     return i * 96u + j;
    /// }
    /// <BLANKLINE>
    #[pyo3(signature = (language, name = "offset_of", back = false, bounds = false))]
    fn emit(&self, language: &str, name: &str, back: bool, bounds: bool) -> Answer<String> {
        let index = Index::of(named(&self.0)).name(name);
        let index = if back { index.coordinate() } else { index };
        let index = if bounds { index.bounds() } else { index };
        let (language, header) = match language {
            "c" | "cpp" if bounds => (Language::C, "#include <stdbool.h>\n#include <stdint.h>\n\n"),
            "c" | "cpp" => (Language::C, "#include <stdint.h>\n\n"),
            _ => (language.parse()?, ""),
        };
        let code = caught("overflow", || index.emit(language))??;
        let header = if code.starts_with("#include") { "" } else { header };
        Ok(header.to_string() + &code)
    }

    /// The index function in CUDA C++, for CuPy's ``RawKernel`` and ``RawModule``.
    ///
    /// >>> "__device__" in Layout("(64,96):(96,1)").cuda("at")
    /// True
    #[pyo3(signature = (name = "offset_of"))]
    fn cuda(&self, name: &str) -> Answer<String> {
        self.emit("cuda", name, false, false)
    }

    /// The index function as a Triton function that kernels can call; Triton has to be installed.
    /// Coordinates are widened to 64 bits where offsets may need more than 32.
    ///
    /// >>> try:
    /// ...     print(type(Layout("(64,96):(96,1)").triton("at")).__name__)
    /// ... except ImportError: # no Triton here
    /// ...     print("JITFunction")
    /// JITFunction
    #[pyo3(signature = (name = "offset_of"))]
    fn triton<'py>(&self, py: Python<'py>, name: &str) -> Answer<Bound<'py, PyAny>> {
        let source = self.emit("python", name, false, false)?;
        let most = self.0.try_cosize()?.max(self.0.size());
        Ok(py.import("layout_algebra._triton")?.getattr("function")?.call1((
            source,
            name,
            most > 1 << 30,
        ))?)
    }
}
