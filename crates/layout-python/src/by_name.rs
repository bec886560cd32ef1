//! The operations by name: the rows of `layout-cli`'s table.

use layout_cli::{Operation, Value, find};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyDictMethods, PyTuple};

use crate::convert::{self, result};
use crate::error::{Answer, Error, caught};

/// Applies a row to its operands. An `is_..` question may take long and releases the GIL.
fn call(py: Python<'_>, row: &Operation, values: &[Value]) -> Answer<Value> {
    let work = || caught("overflow", || (row.call)(values));
    let answer = if row.name.starts_with("is_") { py.detach(work) } else { work() };
    Ok(answer?.ok_or_else(|| {
        Error::Reason("rank", format!("{} does not take these operands", row.name))
    })??)
}

/// The row of an operation, and its operands: positional ones, then keywords.
fn read(
    operation: &str,
    operands: &Bound<'_, PyTuple>,
    named: Option<&Bound<'_, PyDict>>,
) -> Answer<(&'static Operation, Vec<Value>)> {
    let row = find(operation).ok_or_else(|| {
        let near = layout_cli::nearest(operation);
        let sentence = format!("there is no operation `{operation}`; near it is `{near}`");
        Error::Reason("parse", sentence)
    })?;
    let names: Vec<_> = row.operands.iter().map(|operand| operand.name).collect();
    let given = operands.len() + named.map_or(0, PyDictMethods::len);
    let refused = |what: String| {
        Error::from(PyTypeError::new_err(format!(
            "{} takes {}, and {what}",
            row.name,
            names.join(", ")
        )))
    };
    if given != names.len() {
        return Err(refused(format!("not {given} operands")));
    }
    let mut values = Vec::with_capacity(given);
    for (k, operand) in row.operands.iter().enumerate() {
        let object = match operands.get_item(k) {
            Ok(object) => object,
            Err(_) => {
                let object = named.map_or(Ok(None), |named| named.get_item(operand.name))?;
                object.ok_or_else(|| refused(format!("{} is not given", operand.name)))?
            }
        };
        values.push(convert::operand(operand.kind, &object)?);
    }
    Ok((row, values))
}

/// Applies the operation of this name to operands of any kind.
///
/// >>> call("compose", "(4,6):(1,4)", 8), call("compose", "(4,6):(1,4)", tiler=8)
/// (Layout('8:1'), Layout('8:1'))
/// >>> call("idx2crd", "(4,6)", 9)
/// (1, 2)
#[pyfunction]
#[pyo3(signature = (operation, *operands, **named))]
pub(crate) fn call_by_name<'py>(
    py: Python<'py>,
    operation: &str,
    operands: &Bound<'py, PyTuple>,
    named: Option<&Bound<'py, PyDict>>,
) -> Answer<Bound<'py, PyAny>> {
    let (row, values) = read(operation, operands, named)?;
    Ok(result(py, call(py, row, &values)?)?)
}

/// The operands of an operation, converted to this module's classes.
#[pyfunction]
#[pyo3(signature = (operation, *operands))]
pub(crate) fn read_operands<'py>(
    py: Python<'py>,
    operation: &str,
    operands: &Bound<'py, PyTuple>,
) -> Answer<Vec<Bound<'py, PyAny>>> {
    let (_, values) = read(operation, operands, None)?;
    Ok(values.into_iter().map(|value| result(py, value)).collect::<PyResult<_>>()?)
}

/// An operation's name, its other names, its operands, and its law.
type Description = (&'static str, Vec<&'static str>, Vec<&'static str>, &'static str);

/// The names of all operations, each with its other names, its operands, and its law.
#[pyfunction]
pub(crate) fn operations() -> Vec<Description> {
    let names = |row: &Operation| row.operands.iter().map(|operand| operand.name).collect();
    layout_cli::OPERATIONS
        .iter()
        .map(|row| (row.name, row.others.to_vec(), names(row), row.law))
        .collect()
}
