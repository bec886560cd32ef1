//! The methods of `Swizzle`, `Tiler` and `Xor`.

use layout_cli::{AnyLayout, Value};
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::classes::{Layout, Swizzle, Tiler, Xor, hash_of};
use crate::convert::{self, natural, number, plain, result, tiler};
use crate::error::{Answer, caught};

#[pymethods]
impl Swizzle {
    #[new]
    #[pyo3(signature = (bits, base = None, shift = None))]
    fn new(
        bits: &Bound<'_, PyAny>,
        base: Option<&Bound<'_, PyAny>>,
        shift: Option<&Bound<'_, PyAny>>,
    ) -> Answer<Self> {
        Ok(Swizzle(match (base, shift) {
            (Some(base), Some(shift)) => convert::swizzle_of(bits, base, shift)?,
            (None, None) => convert::swizzle(bits)?,
            _ => {
                let sentence = "a swizzle is its text or three numbers: bits, base, shift";
                return Err(PyTypeError::new_err(sentence).into());
            }
        }))
    }

    #[getter]
    fn bits(&self) -> u32 {
        self.0.parameters().0
    }

    #[getter]
    fn base(&self) -> u32 {
        self.0.parameters().1
    }

    #[getter]
    fn shift(&self) -> i32 {
        self.0.parameters().2
    }

    /// The swizzled offset.
    fn __call__(&self, offset: &Bound<'_, PyAny>) -> Answer<usize> {
        Ok(self.0.apply(number(offset, "an offset")?))
    }

    /// The layout composed with the swizzle, ``offset`` being added in between; or, given another
    /// swizzle, the composition of both.
    ///
    /// >>> Swizzle(3, 0, 3).compose("(8,8):(8,1)", offset=8)
    /// Layout('Sw<3,0,3> o 8 o (8,8):(8,1)')
    /// >>> Swizzle(2, 0, 3).compose(Swizzle(1, 2, 3))
    /// Swizzle(3, 0, 3)
    #[pyo3(signature = (layout, offset = 0))]
    fn compose<'py>(
        &self,
        py: Python<'py>,
        layout: &Bound<'py, PyAny>,
        #[pyo3(from_py_with = natural)] offset: usize,
    ) -> Answer<Bound<'py, PyAny>> {
        if let Ok(other) = layout.cast::<Swizzle>() {
            return Ok(result(py, Value::Swizzle(self.0.compose(&other.get().0)?))?);
        }
        // Built from its text, so that the parser's checks apply.
        let text = format!("{} o {offset} o {}", self.0, plain(layout)?);
        Ok(result(py, Value::Layout(AnyLayout::Swizzled(text.parse()?)))?)
    }

    /// The same swizzle, for offsets in units of ``unit`` elements.
    ///
    /// >>> Swizzle(3, 4, 3).upcast(2)
    /// Swizzle(3, 3, 3)
    fn upcast(&self, #[pyo3(from_py_with = natural)] unit: usize) -> Answer<Self> {
        Ok(Swizzle(self.0.upcast(unit)?))
    }

    /// The same swizzle, for offsets in units of an element's ``parts`` parts.
    ///
    /// >>> Swizzle(3, 3, 3).downcast(2)
    /// Swizzle(3, 4, 3)
    fn downcast(&self, #[pyo3(from_py_with = natural)] parts: usize) -> Answer<Self> {
        Ok(Swizzle(self.0.downcast(parts)?))
    }

    fn __repr__(&self) -> String {
        let (bits, base, shift) = self.0.parameters();
        format!("Swizzle({bits}, {base}, {shift})")
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (u32, u32, i32)) {
        (py.get_type::<Swizzle>(), self.0.parameters())
    }
}

#[pymethods]
impl Tiler {
    #[new]
    fn new(modes: &Bound<'_, PyAny>) -> Answer<Self> {
        Ok(Tiler(tiler(modes)?))
    }

    #[getter]
    fn rank(&self) -> usize {
        self.0.rank()
    }

    #[getter]
    fn depth(&self) -> usize {
        self.0.depth()
    }

    /// How many elements each mode spans; None spans 0.
    ///
    /// >>> Tiler("<4,_,(2,2):(1,8)>").spans
    /// [4, 0, 4]
    #[getter]
    fn spans(&self) -> Answer<Vec<usize>> {
        caught("overflow", || self.0.spans())
    }

    /// The tiler as a layout, ``n:1`` for a number; None for a tiler of several modes.
    ///
    /// >>> Tiler(4).layout, Tiler("<4>").layout
    /// (Layout('4:1'), None)
    #[getter]
    fn layout(&self) -> Option<Layout> {
        self.0.as_layout().map(Layout::from)
    }

    fn __len__(&self) -> usize {
        self.0.children().count()
    }

    fn __getitem__(&self, mode: &Bound<'_, PyAny>) -> Answer<Self> {
        let modes = self.__len__();
        let mode = convert::mode(mode, modes)?;
        let none = || PyIndexError::new_err(format!("there is no mode {mode} among {modes} modes"));
        Ok(self.0.children().nth(mode).map(Tiler).ok_or_else(none)?)
    }

    fn __hash__(&self) -> u64 {
        hash_of(&self.0.to_string())
    }

    fn __repr__(&self) -> String {
        format!("Tiler('{}')", self.0)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String,)) {
        (py.get_type::<Tiler>(), (self.0.to_string(),))
    }
}

#[pymethods]
impl Xor {
    #[new]
    fn new(number: &Bound<'_, PyAny>) -> Answer<Self> {
        Ok(Xor(convert::number(number, "a natural number")?))
    }

    #[getter]
    fn number(&self) -> usize {
        self.0
    }

    fn __repr__(&self) -> String {
        format!("Xor({})", self.0)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (usize,)) {
        (py.get_type::<Xor>(), (self.0,))
    }
}
