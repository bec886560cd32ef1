//! What accesses to memory cost: the analysis of the library, with a sentence where it would panic.

use layout_algebra::analysis::{BankConflicts, WarpAccess};
use layout_algebra::prelude::*;
use layout_algebra::{DynStride, Fault};
use layout_cli::AnyLayout;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::classes::{Layout, Swizzle};
use crate::error::{Answer, Error, caught};

/// The most coordinates that are counted one by one.
pub(crate) const MOST: usize = 1 << 24;

/// Of thread-value layouts too large to be counted. A mode is counted even if another one is empty.
fn few_enough(layout: &DynLayout) -> Answer<()> {
    match layout.size() > MOST || layout.modes().any(|mode| mode.size() > MOST) {
        true => Err(Error::Said("bounds", format!("{layout} has more than {MOST} coordinates: they are counted"))),
        false => Ok(()),
    }
}

/// A layout as the analysis takes it.
fn flat(layout: &AnyLayout) -> Answer<FlatLayout> {
    let flat = caught("stride", || layout.flat())?;
    flat.ok_or_else(|| {
        let what = "up to 32 leaves, no negative strides, and XOR strides only if they are a swizzle";
        Error::Said("stride", format!("the analysis takes layouts of {what}: this is {layout}"))
    })
}

/// A thread-value layout as the analysis takes it.
fn thread_values(threads: &DynLayout) -> Answer<FlatLayout> {
    few_enough(threads)?;
    // Within its two modes, modes that continue one another are fewer.
    match threads.rank() {
        2 => flat(&AnyLayout::Plain(threads.coalesce_by(&DynShape::from((1, 1)))?)),
        rank => Err(LayoutError::new("thread_value", Fault::Rank { needed: 2, rank }).with_operand(threads).into()),
    }
}

/// Accesses to memory: who goes where, and how much at once.
pub(crate) fn access(
    threads: &DynLayout,
    element_bits: usize,
    bits: Option<usize>,
    ldmatrix: Option<usize>,
) -> Answer<WarpAccess> {
    let threads = thread_values(threads)?;
    caught("divisibility", || match ldmatrix {
        Some(matrices) => WarpAccess::ldmatrix(&threads, element_bits, matrices),
        None => WarpAccess::new(&threads, element_bits, bits.unwrap_or(element_bits)),
    })
}

/// Memory, if it has all elements that are accessed.
fn memory(layout: &AnyLayout, threads: &FlatLayout) -> Answer<FlatLayout> {
    match threads.cosize() > layout.size() {
        true => {
            let fault = Fault::Tile { cosize: threads.cosize(), size: layout.size() };
            Err(LayoutError::new("banks", fault).with_operands(layout, threads).into())
        }
        false => flat(layout),
    }
}

pub(crate) fn bank_conflicts(py: Python<'_>, layout: &AnyLayout, access: &WarpAccess) -> Answer<BankConflicts> {
    let memory = memory(layout, access.threads())?;
    py.detach(|| caught("divisibility", || access.bank_conflicts(&memory)))
}

/// A dictionary of what is named.
macro_rules! dictionary {
    ($py:ident: $($name:literal: $value:expr),* $(,)?) => {{
        let dictionary = PyDict::new($py);
        $(dictionary.set_item($name, $value)?;)*
        Ok(dictionary.into_any())
    }};
}

pub(crate) fn costs<'py>(py: Python<'py>, found: &BankConflicts) -> Answer<Bound<'py, PyAny>> {
    dictionary! { py:
        "instructions": found.instructions, "phases": found.phases, "passes": found.passes,
        "conflicts": found.conflicts, "ways": found.ways, "worst": found.worst.map(|worst| worst.to_string()),
    }
}

pub(crate) fn coalescing<'py>(py: Python<'py>, layout: &AnyLayout, access: &WarpAccess) -> Answer<Bound<'py, PyAny>> {
    let memory = memory(layout, access.threads())?;
    let found = py.detach(|| caught("divisibility", || access.coalescing(&memory)))?;
    dictionary! { py:
        "instructions": found.instructions, "sectors": found.sectors, "lines": found.lines,
        "least_sectors": found.least_sectors, "least_lines": found.least_lines, "ratio": found.ratio(),
    }
}

pub(crate) fn vector_width(
    py: Python<'_>,
    layout: &AnyLayout,
    threads: &DynLayout,
    element_bits: usize,
    alignment: usize,
) -> Answer<usize> {
    let threads = thread_values(threads)?;
    let memory = memory(layout, &threads)?;
    py.detach(|| caught("divisibility", || memory.vector_width(&threads, element_bits, alignment)))
}

pub(crate) fn best_swizzle<'py>(
    py: Python<'py>,
    layout: &AnyLayout,
    writes: &DynLayout,
    reads: &DynLayout,
    element_bits: usize,
) -> Answer<Bound<'py, PyAny>> {
    let (writes, reads) = (thread_values(writes)?, thread_values(reads)?);
    memory(layout, &reads)?;
    let memory = memory(layout, &writes)?;
    let best = py.detach(|| caught("divisibility", || memory.best_swizzle(&writes, &reads, element_bits)))?;
    dictionary! { py:
        "swizzle": Swizzle(best.swizzle), "write_bits": best.write_bits, "read_bits": best.read_bits,
        "conflicts": best.conflicts,
    }
}

pub(crate) fn best_shared_layout<'py>(
    py: Python<'py>,
    writes: &DynLayout,
    reads: &DynLayout,
    element_bits: usize,
) -> Answer<Bound<'py, PyAny>> {
    let (writes, reads) = (thread_values(writes)?, thread_values(reads)?);
    let best = py.detach(|| caught("divisibility", || writes.best_shared_layout(&reads, element_bits)))?;
    let bits = best.basis().iter().map(|&offset| DynStride::Xor(offset));
    // A tile of one element has no bits.
    let layout = match DynShape::tuple(bits.clone().map(|_| DynShape::from(2))) {
        Ok(shape) => DynLayout::with_strides(shape, bits)?.coalesce(),
        Err(_) => DynLayout::left(&DynShape::from(1)),
    };
    dictionary! { py:
        "layout": Layout(AnyLayout::Plain(layout)), "write_bits": best.write_bits, "read_bits": best.read_bits,
        "accesses": best.accesses, "conflicts": best.conflicts(), "is_optimal": best.is_optimal(),
    }
}
