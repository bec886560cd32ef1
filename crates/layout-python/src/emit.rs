//! Layouts as source code: the index function in a language, and kernels that move elements.

use layout_cli::{AnyLayout, either};
use layout_emit::{EmitError, Index, Language, NamedLayout, Relayout};
use pyo3::prelude::*;

use crate::convert;
use crate::error::{Answer, Error, caught};

impl From<EmitError> for Error {
    fn from(error: EmitError) -> Self {
        match error {
            EmitError::Input(text) => Error::Said("parse", text),
            EmitError::Refused(text) => Error::Said("bounds", text),
        }
    }
}

fn named(layout: &AnyLayout) -> NamedLayout {
    either!(layout, layout => layout.into())
}

/// The index function of a layout.
pub(crate) fn index(layout: &AnyLayout, language: &str, name: &str, back: bool, bounds: bool) -> Answer<String> {
    let index = Index::of(named(layout)).name(name);
    let index = if back { index.coordinate() } else { index };
    let index = if bounds { index.bounds() } else { index };
    let language: Language = language.parse()?;
    Ok(caught("overflow", || index.emit(language))??)
}

/// A kernel, in ``"cuda"`` or ``"wgsl"``, that moves all elements from one layout to another of the same size,
/// elements of so many bytes.
///
/// >>> "__global__" in relayout("(64,32):(32,1)", "(64,32):(1,64)", element_bytes=2, name="transpose")
/// True
#[pyfunction]
#[pyo3(signature = (source, target, element_bytes = 4, language = "cuda", name = "relayout"))]
pub(crate) fn relayout(
    source: &Bound<'_, PyAny>,
    target: &Bound<'_, PyAny>,
    element_bytes: usize,
    language: &str,
    name: &str,
) -> Answer<String> {
    let (source, target) = (named(&convert::layout(source)?), named(&convert::layout(target)?));
    let language: Language = language.parse()?;
    Ok(caught("overflow", || Relayout::new(source, target, element_bytes)?.name(name).emit(language))??)
}
