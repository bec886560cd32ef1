//! `Layout` as a Python object: constructors, properties, hashing and pickling.

use layout_algebra::Layout as _;
use layout_algebra::prelude::*;
use layout_cli::{AnyLayout, either};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple, PyType};

use crate::classes::{Layout, Swizzle, hash_of};
use crate::convert::{self, natural, plain, to_strides, to_tuple};
use crate::error::{Answer, guarded};

impl Layout {
    /// The modes, from first to last or from last to first.
    fn listed<'py>(&self, py: Python<'py>, backwards: bool) -> Answer<Bound<'py, PyList>> {
        let mode = |mode: usize| convert::on_inner(&self.0, |layout| Ok(layout.mode(mode)?));
        let numbers = 0..self.rank();
        let modes: Answer<Vec<_>> =
            if backwards { numbers.rev().map(mode).collect() } else { numbers.map(mode).collect() };
        Ok(PyList::new(py, modes?)?)
    }
}

#[pymethods]
impl Layout {
    #[new]
    #[pyo3(signature = (shape, stride = None))]
    fn new(shape: &Bound<'_, PyAny>, stride: Option<&Bound<'_, PyAny>>) -> Answer<Self> {
        guarded(|| match stride {
            None => Ok(Layout(convert::layout(shape)?)),
            Some(stride) => match convert::of_tuples(shape, stride) {
                Some(layout) => Ok(layout.into()),
                None => Ok(convert::of_strides(&convert::shape(shape)?, stride)?.into()),
            },
        })
    }

    /// Strides from the left, column-major. CuTe's ``LayoutLeft``.
    ///
    /// >>> Layout.left((4, (2, 3)))
    /// Layout('(4,(2,3)):(1,(4,8))')
    #[classmethod]
    fn left(_class: &Bound<'_, PyType>, shape: &Bound<'_, PyAny>) -> Answer<Self> {
        guarded(|| Ok(DynLayout::try_left(&convert::shape(shape)?)?.into()))
    }

    /// Strides from the right, row-major. CuTe's ``LayoutRight``.
    ///
    /// >>> Layout.right((4, (2, 3)))
    /// Layout('(4,(2,3)):(6,(3,1))')
    #[classmethod]
    fn right(_class: &Bound<'_, PyType>, shape: &Bound<'_, PyAny>) -> Answer<Self> {
        guarded(|| Ok(DynLayout::try_right(&convert::shape(shape)?)?.into()))
    }

    /// The layout of a shape and a stride, as ``Layout(shape, stride)`` makes it.
    ///
    /// >>> Layout.with_strides((4, 6), (6, 1))
    /// Layout('(4,6):(6,1)')
    #[classmethod]
    fn with_strides(
        _class: &Bound<'_, PyType>,
        shape: &Bound<'_, PyAny>,
        stride: &Bound<'_, PyAny>,
    ) -> Answer<Self> {
        Layout::new(shape, Some(stride))
    }

    /// Strides in the order given, the least first. CuTe's ``make_ordered_layout``.
    ///
    /// >>> Layout.ordered((4, 6, 2), (1, 2, 0))
    /// Layout('(4,6,2):(2,8,1)')
    #[classmethod]
    fn ordered(
        _class: &Bound<'_, PyType>,
        shape: &Bound<'_, PyAny>,
        order: &Bound<'_, PyAny>,
    ) -> Answer<Self> {
        guarded(|| Ok(DynLayout::ordered(&convert::shape(shape)?, &convert::shape(order)?)?.into()))
    }

    /// The layout whose modes are these layouts. CuTe's ``make_layout(a, b, ..)``.
    ///
    /// >>> Layout.of_modes("(2,2):(1,2)", 3)
    /// Layout('((2,2),3):((1,2),1)')
    #[classmethod]
    #[pyo3(signature = (*modes))]
    fn of_modes(_class: &Bound<'_, PyType>, modes: &Bound<'_, PyTuple>) -> Answer<Self> {
        guarded(|| {
            let modes = modes
                .iter()
                .map(|mode| Ok(plain(&mode)?.into_owned()))
                .collect::<Answer<Vec<_>>>()?;
            Ok(DynLayout::tuple(&modes)?.into())
        })
    }

    /// Distributes ``count`` elements over the modes of a shape: each mode takes the factors that
    /// it shares with the rest of the count. PyCuTe's ``domain_distribute``.
    ///
    /// >>> Layout.domain_distribute((15, 14), 6) # 3 rows, for 6 and 15 share 3, and 2 columns
    /// Layout('(3,2):(1,15)')
    #[classmethod]
    fn domain_distribute(
        _class: &Bound<'_, PyType>,
        shape: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = natural)] count: usize,
    ) -> Answer<Self> {
        guarded(|| Ok(DynLayout::domain_distribute(&convert::shape(shape)?, count)?.into()))
    }

    /// The shape, as a number or nested tuples.
    ///
    /// >>> Layout("(4,(2,3)):(1,(12,4))").shape
    /// (4, (2, 3))
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> Answer<Bound<'py, PyAny>> {
        guarded(|| Ok(either!(&self.0, layout => to_tuple(py, &layout.shape()))?))
    }

    /// The stride, as a number or nested tuples; for a swizzled layout, the stride of the inner
    /// layout.
    ///
    /// >>> Layout("(4,(2,3)):(1,(12,4))").stride, Layout("(8,8):(^1,^9)").stride
    /// ((1, (12, 4)), (Xor(1), Xor(9)))
    #[getter]
    fn stride<'py>(&self, py: Python<'py>) -> Answer<Bound<'py, PyAny>> {
        guarded(|| Ok(to_strides(py, &self.0.strided())?))
    }

    /// The number of coordinates.
    ///
    /// >>> Layout("(4,(2,3)):(1,(12,4))").size
    /// 24
    #[getter]
    fn size(&self) -> usize {
        self.0.size()
    }

    /// The largest offset minus the least one, plus 1: one past the largest, if none is negative.
    ///
    /// >>> Layout("(4,6):(1,8)").cosize, Layout("Sw<3,0,3> o 0 o (8,8):(8,1)").cosize
    /// (44, 64)
    #[getter]
    fn cosize(&self) -> Answer<usize> {
        guarded(|| Ok(self.0.try_cosize()?))
    }

    /// The number of modes.
    ///
    /// >>> Layout("(4,(2,3))").rank, Layout(4).rank
    /// (2, 1)
    #[getter]
    fn rank(&self) -> usize {
        either!(&self.0, layout => layout.rank())
    }

    /// How deeply modes are nested.
    ///
    /// >>> Layout("(4,(2,3))").depth, Layout(4).depth
    /// (2, 0)
    #[getter]
    fn depth(&self) -> usize {
        either!(&self.0, layout => layout.depth())
    }

    /// How far the least offset lies below that of coordinate 0: more than 0 only with negative
    /// strides.
    ///
    /// >>> Layout("(4,6):(-1,4)").base
    /// 3
    #[getter]
    fn base(&self) -> usize {
        if let AnyLayout::Plain(layout) = &self.0 { layout.base() } else { 0 }
    }

    /// The swizzle in front of the layout, or None.
    ///
    /// >>> Layout("Sw<3,0,3> o 8 o (8,8):(8,1)").swizzle, Layout(4).swizzle
    /// (Swizzle(3, 0, 3), None)
    #[getter]
    fn swizzle(&self) -> Option<Swizzle> {
        if let AnyLayout::Swizzled(layout) = &self.0 { Some(Swizzle(layout.outer())) } else { None }
    }

    /// The offset that is added before the swizzle.
    ///
    /// >>> Layout("Sw<3,0,3> o 8 o (8,8):(8,1)").offset
    /// 8
    #[getter]
    pub(crate) fn offset(&self) -> usize {
        if let AnyLayout::Swizzled(layout) = &self.0 { layout.offset() } else { 0 }
    }

    /// The layout without its swizzle and offset.
    ///
    /// >>> Layout("Sw<3,0,3> o 8 o (8,8):(8,1)").inner
    /// Layout('(8,8):(8,1)')
    #[getter]
    fn inner(&self) -> Self {
        self.0.strided().into()
    }

    /// This layout as a linear layout in Triton's text: ``names`` are the names of the modes,
    /// ``sizes`` the dimensions of an offset, the first the fastest. ``from_triton`` reads the
    /// text.
    ///
    /// >>> print(Layout("(2,4):(4,1)").bases(["register", "lane"], {"row": 4, "column": 2}))
    ///  - register=1 -> (0, 1)
    ///  - lane=1 -> (1, 0)
    ///    lane=2 -> (2, 0)
    /// where out dims are: [row (size 4), column (size 2)]
    fn bases(&self, names: Vec<String>, sizes: &Bound<'_, PyAny>) -> Answer<String> {
        let sizes: Vec<(String, usize)> = match sizes.hasattr("items")? {
            true => sizes
                .call_method0("items")?
                .try_iter()?
                .map(|item| item?.extract())
                .collect::<PyResult<_>>()?,
            false => sizes.extract()?,
        };
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let sizes: Vec<(&str, usize)> =
            sizes.iter().map(|(name, size)| (name.as_str(), *size)).collect();
        guarded(|| {
            Ok(either!(&self.0, layout => layout.linear())?.bases(&names, &sizes)?.to_string())
        })
    }

    fn __len__(&self) -> usize {
        self.rank()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> Answer<Bound<'py, PyAny>> {
        Ok(self.listed(py, false)?.call_method0("__iter__")?)
    }

    fn __reversed__<'py>(&self, py: Python<'py>) -> Answer<Bound<'py, PyAny>> {
        Ok(self.listed(py, true)?.call_method0("__iter__")?)
    }

    fn __format__<'py>(&self, py: Python<'py>, format: &str) -> Answer<Bound<'py, PyAny>> {
        Ok(PyString::new(py, &self.__str__()).call_method1("__format__", (format,))?)
    }

    fn __eq__(&self, other: &Layout) -> bool {
        self == other
    }

    fn __hash__(&self) -> u64 {
        either!(&self.0, layout => hash_of(layout))
    }

    fn __repr__(&self) -> String {
        format!("Layout('{}')", self.0)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String,)) {
        (py.get_type::<Layout>(), (self.0.to_string(),))
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    #[pyo3(signature = (_memo = None))]
    fn __deepcopy__(&self, _memo: Option<&Bound<'_, PyAny>>) -> Self {
        self.clone()
    }

    /// ``a @ b`` is ``a.compose(b)``.
    fn __matmul__<'py>(
        &self,
        py: Python<'py>,
        tiler: &Bound<'py, PyAny>,
    ) -> Answer<Bound<'py, Layout>> {
        self.compose(py, tiler)
    }

    fn __rmatmul__<'py>(
        slf: &Bound<'py, Self>,
        left: &Bound<'py, PyAny>,
    ) -> Answer<Bound<'py, Layout>> {
        Layout(convert::layout(left)?).compose(slf.py(), slf.as_any())
    }
}
