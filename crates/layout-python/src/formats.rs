//! The formats of quantised weights, of `layout-bits`.

use layout_bits::{Format as Bits, FormatError, formats};
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::convert::natural;
use crate::error::{Answer, Error, caught};

impl From<FormatError> for Error {
    fn from(error: FormatError) -> Self {
        let kind = match error {
            FormatError::Length { .. } => "divisibility",
            _ => "bounds",
        };
        Error::Reason(kind, error.to_string())
    }
}

/// A format: each block has ``elements`` elements in ``bytes`` bytes. ``formats.q4_0()`` makes one.
///
/// >>> f = formats.q4_0()
/// >>> f.name, f.elements, f.bytes, f.decode(bytes(18)).shape
/// ('q4_0', 32, 18, (32,))
/// >>> print(f)
/// q4_0: 32 elements in 18 bytes, d * q
///   q: u - 8, bits 0..4 at 16 + (16,2):(8,4)
///   d: f16, bits 0..16 at 0 + 32:0
#[pyclass(frozen, module = "layout_algebra")]
pub(crate) struct Format(Bits);

/// An array of this type, or what NumPy converts to it: its elements in order C, and its shape.
fn rows<'py, T: numpy::Element>(
    raw: &Bound<'py, PyAny>,
    dtype: &str,
) -> Answer<(PyReadonlyArray1<'py, T>, Vec<usize>)> {
    let numpy = raw.py().import("numpy")?;
    let array = match raw.is_instance(&numpy.getattr("ndarray")?)? {
        true => numpy.call_method1("asarray", (raw,))?,
        false if dtype == "uint8" => numpy.call_method1("frombuffer", (raw, dtype))?,
        false => numpy.call_method1("asarray", (raw, dtype))?,
    };
    let found = array.getattr("dtype")?;
    if !found.eq(dtype)? {
        let sentence =
            format!("an array of {dtype} is needed, and this one is of {}", found.str()?);
        return Err(PyTypeError::new_err(sentence).into());
    }
    let shape: Vec<usize> = array.getattr("shape")?.extract()?;
    let copy = array.call_method1("astype", (dtype, "C"))?.call_method1("reshape", (-1,))?;
    Ok((copy.cast::<PyArray1<T>>().map_err(PyErr::from)?.readonly(), shape))
}

/// An array of the same shape, but with `to` elements in each row for each `from` of the old row.
fn shaped<'py, T: numpy::Element>(
    py: Python<'py>,
    numbers: Vec<T>,
    mut shape: Vec<usize>,
    [from, to]: [usize; 2],
) -> Answer<Bound<'py, PyAny>> {
    let row = shape.pop().unwrap_or(1);
    if !row.is_multiple_of(from) {
        let sentence = format!("a row of {row} elements is not a whole number of blocks of {from}");
        return Err(Error::Reason("divisibility", sentence));
    }
    shape.push(row / from * to);
    Ok(PyArray1::from_vec(py, numbers).call_method1("reshape", (shape,))?)
}

#[pymethods]
impl Format {
    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }

    #[getter]
    fn elements(&self) -> usize {
        self.0.elements()
    }

    #[getter]
    fn bytes(&self) -> usize {
        self.0.bytes()
    }

    /// Decodes whole blocks, given as bytes or as an array of bytes whose last axis is a row of
    /// blocks, to an array of float32.
    ///
    /// >>> formats.q8_0().decode(bytes([0, 60]) + bytes(range(32)))[:3].tolist() # d = 1
    /// [0.0, 1.0, 2.0]
    fn decode<'py>(&self, py: Python<'py>, raw: &Bound<'py, PyAny>) -> Answer<Bound<'py, PyAny>> {
        let (bytes, shape) = rows::<u8>(raw, "uint8")?;
        let bytes = bytes.as_slice().map_err(|error| PyTypeError::new_err(error.to_string()))?;
        let numbers = py.detach(|| caught("overflow", || self.0.dequantize(bytes)))??;
        shaped(py, numbers, shape, [self.0.bytes(), self.0.elements()])
    }

    /// Encodes numbers to the nearest blocks, an array of bytes, by ggml's rule; for the formats
    /// that have such a rule.
    ///
    /// >>> formats.q8_0().encode([1.0] * 32)[:4].tolist()
    /// [8, 32, 127, 127]
    fn encode<'py>(
        &self,
        py: Python<'py>,
        numbers: &Bound<'py, PyAny>,
    ) -> Answer<Bound<'py, PyAny>> {
        let (numbers, shape) = rows::<f32>(numbers, "float32")?;
        let numbers =
            numbers.as_slice().map_err(|error| PyTypeError::new_err(error.to_string()))?;
        let bytes = py.detach(|| caught("overflow", || self.0.quantize(numbers)))??;
        shaped(py, bytes, shape, [self.0.elements(), self.0.bytes()])
    }

    /// The number of one element.
    ///
    /// >>> formats.q8_0().get(bytes([0, 60]) + bytes(range(32)), 7)
    /// 7.0
    fn get(
        &self,
        raw: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = natural)] index: usize,
    ) -> Answer<f32> {
        let (bytes, _) = rows::<u8>(raw, "uint8")?;
        let bytes = bytes.as_slice().map_err(|error| PyTypeError::new_err(error.to_string()))?;
        Ok(self.0.get(bytes, index)?)
    }

    fn __str__(&self) -> String {
        self.0.to_string().trim_end().into()
    }

    fn __repr__(&self) -> String {
        format!("Format {}", self.0.name())
    }
}

macro_rules! named {
    ($($name:ident)*) => {
        const NAMED: &[(&str, fn() -> Bits)] = &[$((stringify!($name), formats::$name)),*];
    };
}
named! { q4_0 q4_1 q5_0 q5_1 q8_0 iq4_nl q2_k q3_k q4_k q5_k q6_k mxfp4 nvfp4 }

/// The names of the formats of blocks.
#[pyfunction]
pub(crate) fn format_names() -> Vec<&'static str> {
    NAMED.iter().map(|(name, _)| *name).collect()
}

/// The format of this name: of blocks, or of a matrix of ``k`` rows and ``n`` columns with a scale
/// for each ``group`` of rows.
#[pyfunction]
#[pyo3(signature = (name, *sides))]
pub(crate) fn format(name: &str, sides: Vec<Bound<'_, PyAny>>) -> Answer<Format> {
    let sides = sides.iter().map(natural).collect::<PyResult<Vec<_>>>()?;
    let format = match (name, &sides[..]) {
        ("gptq", &[k, n, group]) => formats::gptq(k, n, group)?,
        ("awq", &[k, n, group]) => formats::awq(k, n, group)?,
        ("marlin", &[k, n, group]) => formats::marlin(k, n, group)?,
        ("compressed_tensors", &[k, n, group]) => formats::compressed_tensors(k, n, group)?,
        _ => {
            let found = NAMED.iter().find(|(known, _)| *known == name && sides.is_empty());
            let none = || {
                Error::Reason(
                    "parse",
                    format!("there is no format {name} with {} parameters", sides.len()),
                )
            };
            found.ok_or_else(none)?.1()
        }
    };
    Ok(Format(format))
}
