//! The counts and searches of `layout-analysis`.

use layout_analysis::{Analysis, AxisLayout, BankModel as Model, Error as Undone};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};

use crate::classes::Layout;
use crate::convert::{self, maybe, natural, plain};
use crate::error::{Answer, Error, caught};

impl From<Undone> for Error {
    fn from(error: Undone) -> Self {
        let kind = match &error {
            Undone::Layout(refused) => return Error::Refused(refused.clone()),
            undecided if undecided.is_undecided() => "overflow",
            Undone::NoLayout { reason: layout_analysis::NoLayout::NotAdditive { .. }, .. } => {
                "carry"
            }
            Undone::NoLayout { .. } => "divisibility",
            Undone::NoAxis { .. } => "rank",
            Undone::AxisText { .. } => "parse",
            _ => "bounds",
        };
        Error::Reason(kind, error.to_string())
    }
}

#[pymethods]
impl Layout {
    /// For strides of any kind: ``offsets``, the number of distinct offsets; ``sharing``, the most
    /// coordinates with the same offset; ``gaps``, the number of offsets between that are not used.
    ///
    /// >>> Layout("(4,8):(-1,16)").coverage()["gaps"]
    /// 84
    fn coverage<'py>(&self, py: Python<'py>) -> Answer<Bound<'py, PyDict>> {
        let (layout, found) = (self.plain("coverage")?, PyDict::new(py));
        let coverage = py.detach(|| layout.coverage())?;
        found.set_item("offsets", coverage.offsets)?;
        found.set_item("sharing", coverage.sharing)?;
        found.set_item("gaps", coverage.gaps)?;
        Ok(found)
    }

    /// How many segments of ``segment_bits`` (lines, sectors, words, pages) the elements of
    /// ``element_bits`` touch.
    ///
    /// >>> Layout("32:-32").segments(32, 128 * 8)
    /// 32
    #[pyo3(signature = (element_bits = 32, segment_bits = 1024))]
    fn segments(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = natural)] element_bits: usize,
        #[pyo3(from_py_with = natural)] segment_bits: usize,
    ) -> Answer<usize> {
        let layout = self.plain("segments")?;
        Ok(py.detach(|| layout.segments(element_bits, segment_bits))?)
    }

    /// The layout as a permutation of 0..size: ``cycles``, ``order``, ``is_even``,
    /// ``fixed_points``.
    ///
    /// >>> Layout("(2,2):(2,1)").permutation()["cycles"]
    /// [[0], [1, 2], [3]]
    fn permutation<'py>(&self, py: Python<'py>) -> Answer<Bound<'py, PyDict>> {
        let (layout, found) = (self.plain("permutation")?, PyDict::new(py));
        let permutation = py.detach(|| layout.permutation())?;
        found.set_item("cycles", permutation.cycles().collect::<Vec<_>>())?;
        found.set_item("order", permutation.order())?;
        found.set_item("is_even", permutation.is_even())?;
        found.set_item("fixed_points", permutation.fixed_points().collect::<Vec<_>>())?;
        Ok(found)
    }

    /// The composition with ``right`` whenever it exists, even if ``compose`` refuses because of
    /// carries that cancel out.
    ///
    /// >>> Layout("(2,3,2):(1,3,8)").find_composition("(2,2):(1,5)")
    /// Layout('(2,2):(1,7)')
    fn find_composition(&self, py: Python<'_>, right: &Bound<'_, PyAny>) -> Answer<Layout> {
        let (left, right) = (self.plain("find_composition")?, plain(right)?);
        Ok(Layout::from(py.detach(|| left.find_composition(&right))?.layout().clone()))
    }

    /// The composition with a layout whose strides are steps along the modes of this one (``1@0``
    /// is a step along mode 0), given as text.
    ///
    /// >>> Layout("(4096,8192):(1,4096)").compose_axes("(32,1024,8,128):(1@0,8@1,1@1,32@0)")
    /// Layout('(32,1024,8,128):(1,32768,4096,32)')
    fn compose_axes(&self, py: Python<'_>, right: &str) -> Answer<Layout> {
        let (left, right) = (self.plain("compose_axes")?, right.parse::<AxisLayout>()?);
        Ok(Layout::from(py.detach(|| left.compose_axes(&right))?))
    }

    /// A layout ``x`` with ``self @ x == right``, or a ``LayoutError`` that says that there is
    /// none.
    ///
    /// >>> Layout("(4,6):(6,1)").find_solution("(6,4):(1,6)")
    /// Layout('(6,4):(4,1)')
    fn find_solution(&self, py: Python<'_>, right: &Bound<'_, PyAny>) -> Answer<Layout> {
        let (left, right) = (self.plain("find_solution")?, plain(right)?);
        Ok(Layout::from(py.detach(|| left.find_solution(&right))?))
    }

    /// The part of a mode from ``start`` to ``stop - 1``, which may begin and end within a block,
    /// and its offset.
    ///
    /// >>> Layout("((4,4),2):((1,16),100)").find_range(0, 6, 10)
    /// (Layout('((2,2),2):((1,14),100)'), 18)
    fn find_range(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = natural)] mode: usize,
        #[pyo3(from_py_with = natural)] start: usize,
        #[pyo3(from_py_with = natural)] stop: usize,
    ) -> Answer<(Layout, isize)> {
        let layout = self.plain("find_range")?;
        let (part, offset) = py.detach(|| layout.find_range(mode, start..stop))?;
        Ok((Layout::from(part), offset))
    }
}

/// BankModel(lanes, banks, bank_bits=32): shared memory of any vendor, for ``conflicts``.
///
/// >>> tile, column = Layout("(64,64):(64,1)"), Layout("(64,1):(1,0)")
/// >>> BankModel.gfx942().conflicts(tile, column)["ways"], BankModel(64, 64).conflicts(tile, column)["ways"]
/// (32, 64)
#[pyclass(frozen, module = "layout_algebra", eq)]
#[derive(Clone, PartialEq)]
pub(crate) struct BankModel(Model);

#[pymethods]
impl BankModel {
    #[new]
    #[pyo3(signature = (lanes, banks, bank_bits = 32))]
    fn new(
        #[pyo3(from_py_with = natural)] lanes: usize,
        #[pyo3(from_py_with = natural)] banks: usize,
        #[pyo3(from_py_with = natural)] bank_bits: usize,
    ) -> Answer<Self> {
        Ok(BankModel(Model::new(lanes, banks, bank_bits)?))
    }

    /// NVIDIA's: 32 lanes, 32 banks of 32 bits.
    ///
    /// >>> BankModel.sm_90().lanes
    /// 32
    #[classmethod]
    fn sm_90(_class: &Bound<'_, PyType>) -> Self {
        BankModel(Model::sm_90())
    }

    /// AMD's MI300: 64 lanes, 32 banks of 32 bits.
    ///
    /// >>> BankModel.gfx942().lanes_of_phase(128)
    /// 8
    #[classmethod]
    fn gfx942(_class: &Bound<'_, PyType>) -> Self {
        BankModel(Model::gfx942())
    }

    /// AMD's MI350: 64 lanes, 64 banks of 32 bits.
    ///
    /// >>> BankModel.gfx950().banks
    /// 64
    #[classmethod]
    fn gfx950(_class: &Bound<'_, PyType>) -> Self {
        BankModel(Model::gfx950())
    }

    /// The same banks, for an instruction whose phases serve the lanes in this order.
    ///
    /// >>> BankModel.sm_90().with_order(list(reversed(range(32)))).lanes
    /// 32
    fn with_order(&self, order: Vec<usize>) -> Answer<Self> {
        Ok(BankModel(self.0.clone().with_order(&order)?))
    }

    #[getter]
    fn lanes(&self) -> usize {
        self.0.lanes()
    }

    #[getter]
    fn banks(&self) -> usize {
        self.0.banks()
    }

    /// How many lanes are served at once if each accesses ``bits``.
    ///
    /// >>> BankModel.sm_90().lanes_of_phase(128)
    /// 8
    fn lanes_of_phase(&self, #[pyo3(from_py_with = natural)] bits: usize) -> usize {
        self.0.lanes_of_phase(bits)
    }

    /// The costs of accesses to memory of a layout, both as in ``Layout.bank_conflicts``:
    /// ``instructions``, ``phases``, ``passes``, ``conflicts``, ``ways``. A thread moves ``bits``
    /// at once, by default one element.
    ///
    /// >>> BankModel.gfx950().conflicts("(64,64):(64,1)", "(64,1):(1,0)")["conflicts"]
    /// 63
    #[pyo3(signature = (memory, accesses, element_bits = 32, bits = None))]
    fn conflicts<'py>(
        &self,
        py: Python<'py>,
        memory: &Bound<'py, PyAny>,
        accesses: &Bound<'py, PyAny>,
        #[pyo3(from_py_with = natural)] element_bits: usize,
        #[pyo3(from_py_with = maybe)] bits: Option<usize>,
    ) -> Answer<Bound<'py, PyDict>> {
        let (memory, accesses) = (Layout(convert::layout(memory)?), plain(accesses)?);
        let memory = memory.in_bits("conflicts")?;
        let count =
            || self.0.conflicts(&memory, &accesses, element_bits, bits.unwrap_or(element_bits));
        let costs = py.detach(|| caught("overflow", count))??;
        let found = PyDict::new(py);
        found.set_item("instructions", costs.instructions)?;
        found.set_item("phases", costs.phases)?;
        found.set_item("passes", costs.passes)?;
        found.set_item("conflicts", costs.conflicts)?;
        found.set_item("ways", costs.ways)?;
        Ok(found)
    }

    fn __repr__(&self) -> String {
        format!("BankModel of {} lanes and {} banks", self.0.lanes(), self.0.banks())
    }
}
