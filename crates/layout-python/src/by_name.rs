//! The operations by their names, which are the rows of the table in `layout-cli`.

use layout_cli::{Operation, Value, find};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::convert::{self, result};
use crate::error::{Answer, Error, caught};

/// What a row makes of its operands. Questions may take long: other threads go on meanwhile.
fn call(py: Python<'_>, row: &Operation, values: &[Value]) -> Answer<Value> {
    let work = || caught("overflow", || (row.call)(values));
    let answer = if row.name.starts_with("is_") { py.detach(work) } else { work() };
    Ok(answer?.ok_or_else(|| {
        Error::Said("rank", format!("{} does not take these operands", row.name))
    })??)
}

/// The operation of this name on operands of any kind: what all functions of the module are made
/// of.
///
/// >>> call("compose", "(4,6):(1,4)", 8)
/// Layout('8:1')
/// >>> call("idx2crd", "(4,6)", 9)
/// (1, 2)
#[pyfunction]
#[pyo3(signature = (operation, *operands))]
pub(crate) fn call_by_name<'py>(
    py: Python<'py>,
    operation: &str,
    operands: &Bound<'py, PyTuple>,
) -> Answer<Bound<'py, PyAny>> {
    let row = find(operation)
        .ok_or_else(|| Error::Said("parse", format!("there is no operation `{operation}`")))?;
    if row.operands.len() != operands.len() {
        let names: Vec<_> = row.operands.iter().map(|operand| operand.name).collect();
        let sentence =
            format!("{} takes {}, and not {} operands", row.name, names.join(", "), operands.len());
        return Err(pyo3::exceptions::PyTypeError::new_err(sentence).into());
    }
    let values = row
        .operands
        .iter()
        .zip(operands)
        .map(|(operand, object)| convert::operand(operand.kind, &object));
    Ok(result(py, call(py, row, &values.collect::<Answer<Vec<_>>>()?)?)?)
}

/// The names of all operations, each with its other names, its operands, and its law.
#[pyfunction]
pub(crate) fn operations() -> Vec<(&'static str, Vec<&'static str>, Vec<&'static str>, &'static str)>
{
    let names = |row: &Operation| row.operands.iter().map(|operand| operand.name).collect();
    layout_cli::OPERATIONS
        .iter()
        .map(|row| (row.name, row.others.to_vec(), names(row), row.law))
        .collect()
}
