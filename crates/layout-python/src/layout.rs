//! The methods of `Layout`: the library's of the same names, each with its law and an example.

use layout_algebra::Layout as _;
use layout_algebra::prelude::*;
use layout_cli::{AnyLayout, either};
use pyo3::prelude::*;
use pyo3::types::{PySlice, PyTuple, PyType};

use crate::analysis;
use crate::classes::{Layout, Swizzle, hash_of};
use crate::convert::{self, int, number, plain, shape, to_strides, to_tuple};
use crate::emit;
use crate::error::{Answer, Error, caught, guarded};
use crate::index;
use crate::picture::Picture;

/// What an operation gives, as a layout for Python.
trait Operated {
    fn layout(self) -> Answer<Layout>;
}
impl Operated for DynLayout {
    fn layout(self) -> Answer<Layout> {
        Ok(Layout(AnyLayout::Plain(self)))
    }
}
impl Operated for DynComposedLayout {
    fn layout(self) -> Answer<Layout> {
        Ok(Layout(AnyLayout::Swizzled(self)))
    }
}
impl<T: Operated> Operated for Result<T, LayoutError> {
    fn layout(self) -> Answer<Layout> {
        self?.layout()
    }
}

/// Does the same to either kind of layout; a panic is a `LayoutError`.
macro_rules! each {
    ($self:ident, $layout:ident => $work:expr) => {
        guarded(|| either!(&$self.0, $layout => $work.layout()))
    };
}

/// A natural number.
fn count(object: &Bound<'_, PyAny>) -> Answer<usize> {
    number(object, "a natural number")
}

#[pymethods]
impl Layout {
    #[new]
    #[pyo3(signature = (shape, stride = None))]
    fn new(shape: &Bound<'_, PyAny>, stride: Option<&Bound<'_, PyAny>>) -> Answer<Self> {
        match stride {
            None => Ok(Layout(convert::layout(shape)?)),
            Some(stride) => Ok(Layout::new_plain(convert::of_strides(&convert::shape(shape)?, stride)?)),
        }
    }

    /// Strides from the left, column-major. CuTe's ``LayoutLeft``.
    ///
    /// >>> Layout.left((4, (2, 3)))
    /// Layout('(4,(2,3)):(1,(4,8))')
    #[classmethod]
    fn left(_class: &Bound<'_, PyType>, shape: &Bound<'_, PyAny>) -> Answer<Self> {
        Ok(Layout::new_plain(DynLayout::try_left(&convert::shape(shape)?)?))
    }

    /// Strides from the right, row-major. CuTe's ``LayoutRight``.
    ///
    /// >>> Layout.right((4, (2, 3)))
    /// Layout('(4,(2,3)):(6,(3,1))')
    #[classmethod]
    fn right(_class: &Bound<'_, PyType>, shape: &Bound<'_, PyAny>) -> Answer<Self> {
        Ok(Layout::new_plain(DynLayout::try_right(&convert::shape(shape)?)?))
    }

    /// Strides in the order given, the least first. CuTe's ``make_ordered_layout``.
    ///
    /// >>> Layout.ordered((4, 6, 2), (1, 2, 0))
    /// Layout('(4,6,2):(2,8,1)')
    #[classmethod]
    fn ordered(_class: &Bound<'_, PyType>, shape: &Bound<'_, PyAny>, order: &Bound<'_, PyAny>) -> Answer<Self> {
        Ok(Layout::new_plain(DynLayout::ordered(&convert::shape(shape)?, &convert::shape(order)?)?))
    }

    /// The layout whose modes are these layouts. CuTe's ``make_layout(a, b, ..)``.
    ///
    /// >>> Layout.of_modes("(2,2):(1,2)", 3)
    /// Layout('((2,2),3):((1,2),1)')
    #[classmethod]
    #[pyo3(signature = (*modes))]
    fn of_modes(_class: &Bound<'_, PyType>, modes: &Bound<'_, PyTuple>) -> Answer<Self> {
        let modes = modes.iter().map(|mode| plain(&mode)).collect::<Answer<Vec<_>>>()?;
        Ok(Layout::new_plain(DynLayout::tuple(&modes)?))
    }

    /// ``count`` elements of the domain, spread over the modes of the shape as far as their factors go. PyCuTe's
    /// ``domain_distribute``.
    ///
    /// >>> Layout.domain_distribute((15, 14), 6) # 3 rows, for 6 and 15 share 3, and 2 columns
    /// Layout('(3,2):(1,15)')
    #[classmethod]
    fn domain_distribute(_class: &Bound<'_, PyType>, shape: &Bound<'_, PyAny>, count: usize) -> Answer<Self> {
        Ok(Layout::new_plain(DynLayout::domain_distribute(&convert::shape(shape)?, count)?))
    }

    /// The shape, as a number or nested tuples.
    ///
    /// >>> Layout("(4,(2,3)):(1,(12,4))").shape
    /// (4, (2, 3))
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        either!(&self.0, layout => to_tuple(py, &layout.shape()))
    }

    /// The stride, as a number or nested tuples; of a swizzled layout that of the layout behind the swizzle.
    ///
    /// >>> Layout("(4,(2,3)):(1,(12,4))").stride, Layout("(8,8):(^1,^9)").stride
    /// ((1, (12, 4)), (Xor(1), Xor(9)))
    #[getter]
    fn stride<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_strides(py, &self.0.strided())
    }

    /// The number of coordinates.
    ///
    /// >>> Layout("(4,(2,3)):(1,(12,4))").size
    /// 24
    #[getter]
    fn size(&self) -> usize {
        self.0.size()
    }

    /// How many offsets there are from the least one to the largest: one past the largest where none is negative.
    ///
    /// >>> Layout("(4,6):(1,8)").cosize, Layout("Sw<3,0,3> o 0 o (8,8):(8,1)").cosize
    /// (44, 64)
    #[getter]
    fn cosize(&self) -> Answer<usize> {
        Ok(caught("overflow", || self.0.try_cosize())??)
    }

    /// The number of modes.
    ///
    /// >>> Layout("(4,(2,3))").rank, Layout(4).rank
    /// (2, 1)
    #[getter]
    fn rank(&self) -> usize {
        either!(&self.0, layout => layout.rank())
    }

    /// How deep modes are nested.
    ///
    /// >>> Layout("(4,(2,3))").depth, Layout(4).depth
    /// (2, 0)
    #[getter]
    fn depth(&self) -> usize {
        either!(&self.0, layout => layout.depth())
    }

    /// By how much the least offset is below that of coordinate 0.
    ///
    /// >>> Layout("(4,6):(-1,4)").base
    /// 3
    #[getter]
    fn base(&self) -> usize {
        match &self.0 {
            AnyLayout::Plain(layout) => layout.base(),
            AnyLayout::Swizzled(_) => 0,
        }
    }

    /// The swizzle in front of the layout, or None.
    ///
    /// >>> Layout("Sw<3,0,3> o 8 o (8,8):(8,1)").swizzle, Layout(4).swizzle
    /// (Swizzle(3, 0, 3), None)
    #[getter]
    fn swizzle(&self) -> Option<Swizzle> {
        match &self.0 {
            AnyLayout::Plain(_) => None,
            AnyLayout::Swizzled(layout) => Some(Swizzle(layout.outer())),
        }
    }

    /// What is added before the swizzle.
    ///
    /// >>> Layout("Sw<3,0,3> o 8 o (8,8):(8,1)").offset
    /// 8
    #[getter]
    fn offset(&self) -> usize {
        match &self.0 {
            AnyLayout::Plain(_) => 0,
            AnyLayout::Swizzled(layout) => layout.offset(),
        }
    }

    /// The layout without its swizzle and offset.
    ///
    /// >>> Layout("Sw<3,0,3> o 8 o (8,8):(8,1)").inner
    /// Layout('(8,8):(8,1)')
    #[getter]
    fn inner(&self) -> Self {
        Layout::new_plain(self.0.strided())
    }

    #[pyo3(signature = (*coordinate))]
    fn __call__<'py>(&self, py: Python<'py>, coordinate: &Bound<'py, PyTuple>) -> Answer<Bound<'py, PyAny>> {
        let object = match coordinate.len() {
            1 => coordinate.get_item(0)?,
            _ => coordinate.as_any().clone(),
        };
        // A refused conversion takes longer than an offset: tuples come first.
        if let Some(offset) = index::of_numbers_in_modes(&self.0, &object)? {
            return Ok(int(py, offset));
        }
        if let AnyLayout::Plain(layout) = &self.0 {
            if let Some(Ok(number)) = (!object.is_instance_of::<PyTuple>()).then(|| object.extract::<usize>()) {
                return Ok(int(py, index::one(layout, number)?));
            }
        }
        if index::is_array(&object) {
            return index::of_numbers(py, &self.0, &object);
        }
        if coordinate.len() > 1 && coordinate.iter().any(|mode| index::is_array(&mode)) {
            return index::of_coordinates(py, &self.0, coordinate);
        }
        if convert::keeps_something(&object)? {
            return Ok(self.slice(&object)?.0.into_pyobject(py)?.into_any());
        }
        Ok(int(py, index::offset(&self.0, &shape(&object)?)?))
    }

    fn __getitem__<'py>(&self, py: Python<'py>, modes: &Bound<'py, PyAny>) -> Answer<Bound<'py, PyAny>> {
        if let Ok(path) = modes.cast::<PyTuple>() {
            let mut at = Layout(self.0.clone()).into_pyobject(py)?.into_any();
            for mode in path.iter() {
                at = at.get_item(mode)?;
            }
            return Ok(at);
        }
        let rank = self.rank();
        if let Ok(range) = modes.cast::<PySlice>() {
            let range = range.indices(rank as isize)?;
            if range.step == 1 && range.slicelength > 0 {
                let taken = self.plain("modes")?.take(range.start as usize, range.stop as usize)?;
                return Ok(Layout::new_plain(taken).into_pyobject(py)?.into_any());
            }
            return Err(Error::Said("rank", format!("modes are taken one after the other, one at least of {rank}")));
        }
        let mode = modes.extract::<isize>()?;
        let mode = if mode < 0 { mode + rank as isize } else { mode };
        if mode < 0 || mode >= rank as isize {
            return Err(pyo3::exceptions::PyIndexError::new_err(format!("of {rank} modes there is none {mode}")).into());
        }
        guarded(|| Ok(Layout::new_plain(self.plain("modes")?.mode(mode as usize)?).into_pyobject(py)?.into_any()))
    }

    fn __len__(&self) -> usize {
        self.rank()
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
    fn __matmul__(&self, tiler: &Bound<'_, PyAny>) -> Answer<Self> {
        self.compose(tiler)
    }

    /// The layout of this shape from a coordinate on, and the offset where it begins.
    ///
    /// >>> Layout("(4,6):(1,4)").window((1, 2), (2, 3))
    /// (Layout('(2,3):(1,4)'), 9)
    fn window(&self, origin: &Bound<'_, PyAny>, shape: &Bound<'_, PyAny>) -> Answer<(Self, usize)> {
        let (origin, shape) = (convert::shape(origin)?, convert::shape(shape)?);
        Ok(match &self.0 {
            AnyLayout::Plain(layout) => {
                let (layout, offset) = layout.window(&origin, &shape)?;
                (Layout::new_plain(layout), offset)
            }
            AnyLayout::Swizzled(layout) => {
                let (layout, offset) = layout.window(&origin, &shape)?;
                (Layout(AnyLayout::Swizzled(layout)), offset)
            }
        })
    }

    /// One mode counted backwards: flip(L)(c) = L(n - 1 - c) - L(n - 1).
    ///
    /// >>> Layout("(4,6):(1,4)").flip(0)
    /// Layout('(4,6):(-1,4)')
    fn flip(&self, mode: usize) -> Answer<Self> {
        guarded(|| Ok(Layout::new_plain(self.plain("flip")?.flip(mode)?)))
    }

    /// ``filter`` within each leaf of a profile.
    ///
    /// >>> Layout("((2,2),(3,2)):((1,0),(2,0))").filter_by((1, 1))
    /// Layout('(2,3):(1,2)')
    fn filter_by(&self, profile: &Bound<'_, PyAny>) -> Answer<Self> {
        guarded(|| Ok(Layout::new_plain(self.plain("filter_by")?.filter_by(&shape(profile)?)?)))
    }

    /// The compact layout of the same shape whose strides have the same order. CuTe's ``make_layout_like``.
    ///
    /// >>> Layout("(4,6):(100,3)").layout_like()
    /// Layout('(4,6):(6,1)')
    fn layout_like(&self) -> Answer<Self> {
        guarded(|| Ok(Layout::new_plain(self.plain("layout_like")?.layout_like())))
    }

    /// ``tile_to_shape`` with the copies in the order given.
    ///
    /// >>> Layout("(2,2):(1,2)").tile_to_shape_ordered((4, 6), (1, 0))
    /// Layout('((2,2),(2,3)):((1,12),(2,4))')
    fn tile_to_shape_ordered(&self, shape: &Bound<'_, PyAny>, order: &Bound<'_, PyAny>) -> Answer<Self> {
        let (shape, order) = (convert::shape(shape)?, convert::shape(order)?);
        guarded(|| Ok(Layout::new_plain(self.plain("tile_to_shape_ordered")?.tile_to_shape_ordered(&shape, &order)?)))
    }

    /// Factors that both layouts have at the same place of their shapes. PyCuTe's ``greatest_common_domain``.
    ///
    /// >>> Layout("(4,6)").greatest_common_domain("(2,12)")
    /// Layout('(2,2,6):(1,2,4)')
    fn greatest_common_domain(&self, other: &Bound<'_, PyAny>) -> Answer<Self> {
        let layout = self.plain("greatest_common_domain")?;
        Ok(Layout::new_plain(layout.greatest_common_domain(&plain(other)?)))
    }

    /// The same function in XOR strides: a linear layout over F2, and of a swizzled layout one without its swizzle.
    ///
    /// >>> Layout("Sw<1,0,1> o 0 o (2,2):(2,1)").linear()
    /// Layout('(2,2):(^3,^1)')
    fn linear(&self) -> Answer<Self> {
        either!(&self.0, layout => Ok(Layout::new_plain(layout.linear()?)))
    }

    /// The same function in natural strides.
    ///
    /// >>> Layout("(4,6):(^1,4)").natural()
    /// Layout('(4,6):(1,4)')
    fn natural(&self) -> Answer<Self> {
        guarded(|| Ok(Layout::new_plain(self.plain("natural")?.natural()?)))
    }

    /// The same function as a swizzle and a layout of natural strides, found among all swizzles.
    ///
    /// >>> Layout("(8,8):(^1,^9)").swizzled()
    /// Layout('Sw<3,0,3> o 0 o (8,8):(1,8)')
    fn swizzled(&self) -> Answer<Self> {
        Ok(Layout(AnyLayout::Swizzled(self.plain("swizzled")?.swizzled()?)))
    }

    /// The left inverse, searched for where no rule gives one.
    ///
    /// >>> Layout("(4,6):(6,1)").find_left_inverse()
    /// Layout('(6,4):(4,1)')
    fn find_left_inverse(&self, py: Python<'_>) -> Answer<Self> {
        let layout = self.plain("find_left_inverse")?;
        Ok(Layout::new_plain(py.detach(|| layout.find_left_inverse())?))
    }

    /// Triton's linear layout of this one, as Triton prints it: ``names`` are those of the modes, ``sizes`` the
    /// dimensions that offsets are split into, the first the fastest. ``from_triton`` reads it.
    ///
    /// >>> print(Layout("(2,4):(4,1)").bases(["register", "lane"], {"row": 4, "column": 2}))
    ///  - register=1 -> (0, 1)
    ///  - lane=1 -> (1, 0)
    ///    lane=2 -> (2, 0)
    /// where out dims are: [row (size 4), column (size 2)]
    fn bases(&self, names: Vec<String>, sizes: &Bound<'_, PyAny>) -> Answer<String> {
        let sizes = match sizes.call_method0("items") {
            Ok(items) => items.try_iter()?.map(|item| item?.extract()).collect::<PyResult<Vec<(String, usize)>>>()?,
            Err(_) => sizes.extract()?,
        };
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let sizes: Vec<(&str, usize)> = sizes.iter().map(|(name, size)| (name.as_str(), *size)).collect();
        let linear = self.linear()?;
        Ok(linear.plain("bases")?.bases(&names, &sizes)?.to_string())
    }

    /// How ``compose`` comes to its result, step by step, or why there is none.
    ///
    /// >>> print(Layout("(4,3):(1,8)").explain_compose(6))
    /// (4,3):(1,8) o 6
    ///   left, coalesced: 4:1 *:8
    ///   right mode 6:1
    ///     stride 1 has the digits 1 in 4:1, 0 in *:8
    ///     4 of 6 steps stay linear, and 4 does not divide 6
    /// refused, divisibility: the right mode 6:1 leaves the mode 4:1 of the left layout after 4 steps, and 4 does not
    /// divide 6
    fn explain_compose(&self, tiler: &Bound<'_, PyAny>) -> Answer<String> {
        guarded(|| Ok(self.plain("explain_compose")?.explain_compose(&convert::tiler(tiler)?).to_string()))
    }

    /// How ``logical_divide`` comes to its result, step by step, or why there is none.
    ///
    /// >>> print(Layout("12:1").explain_logical_divide(4)) # doctest: +ELLIPSIS
    /// 12:1 / 4
    ///   rest: the complement of 4:1 in 12 is 3:4
    ///   left, coalesced: *:1
    /// ...
    /// result (4,3):(1,4)
    fn explain_logical_divide(&self, tiler: &Bound<'_, PyAny>) -> Answer<String> {
        guarded(|| {
            Ok(self.plain("explain_logical_divide")?.explain_logical_divide(&convert::tiler(tiler)?).to_string())
        })
    }

    /// R(c) = A(B(c)): the layout ``tiler`` first, then this one. CuTe's ``composition``.
    ///
    /// ``tiler`` is a layout, a number ``n`` for ``n:1``, or a tiler that goes mode by mode.
    ///
    /// >>> Layout("(4,6):(1,4)").compose("(2,3):(2,8)")
    /// Layout('(2,3):(2,8)')
    /// >>> Layout("(4,6):(1,4)").compose((2, 3))
    /// Layout('(2,3):(1,4)')
    fn compose(&self, tiler: &Bound<'_, PyAny>) -> Answer<Self> {
        each!(self, layout => layout.compose(convert::tiler(tiler)?))
    }
    /// R = A o (T, complement(T, size(A))): the tile, and which tile.
    ///
    /// >>> Layout("(4,6):(1,4)").logical_divide((2, 3))
    /// Layout('((2,2),(3,2)):((1,2),(4,12))')
    fn logical_divide(&self, tiler: &Bound<'_, PyAny>) -> Answer<Self> {
        each!(self, layout => layout.logical_divide(convert::tiler(tiler)?))
    }
    /// The division with the tile of all modes as mode 0; mode 1 says which tile.
    ///
    /// >>> Layout("(4,6):(1,4)").zipped_divide("<2,3>")
    /// Layout('((2,3),(2,2)):((1,4),(2,12))')
    fn zipped_divide(&self, tiler: &Bound<'_, PyAny>) -> Answer<Self> {
        each!(self, layout => layout.zipped_divide(convert::tiler(tiler)?))
    }
    /// ``zipped_divide`` with the rest as modes of its own.
    ///
    /// >>> Layout("(4,6):(1,4)").tiled_divide("<2,3>")
    /// Layout('((2,3),2,2):((1,4),2,12)')
    fn tiled_divide(&self, tiler: &Bound<'_, PyAny>) -> Answer<Self> {
        each!(self, layout => layout.tiled_divide(convert::tiler(tiler)?))
    }
    /// ``zipped_divide`` on one level.
    ///
    /// >>> Layout("(4,6):(1,4)").flat_divide("<2,3>")
    /// Layout('(2,3,2,2):(1,4,2,12)')
    fn flat_divide(&self, tiler: &Bound<'_, PyAny>) -> Answer<Self> {
        each!(self, layout => layout.flat_divide(convert::tiler(tiler)?))
    }
    /// Extents grown to whole tiles, strides kept: the only rounding, and it is asked for by name.
    ///
    /// >>> Layout("(5,6):(1,5)").round_up((4, 3))
    /// Layout('(8,6):(1,5)')
    fn round_up(&self, tiler: &Bound<'_, PyAny>) -> Answer<Self> {
        guarded(|| self.plain("round_up")?.round_up(convert::tiler(tiler)?).layout())
    }
    /// Disjoint copies of A, laid out by T.
    ///
    /// >>> Layout("(2,2):(1,2)").logical_product("3:1")
    /// Layout('((2,2),3):((1,2),4)')
    fn logical_product(&self, tiler: &Bound<'_, PyAny>) -> Answer<Self> {
        each!(self, layout => layout.logical_product(convert::tiler(tiler)?))
    }
    /// The product with A as mode 0; mode 1 says which copy.
    ///
    /// >>> Layout("(2,2):(1,2)").zipped_product("(2,3):(1,2)")
    /// Layout('((2,2),(2,3)):((1,2),(4,8))')
    fn zipped_product(&self, tiler: &Bound<'_, PyAny>) -> Answer<Self> {
        each!(self, layout => layout.zipped_product(convert::tiler(tiler)?))
    }
    /// ``zipped_product`` with the copies as modes of their own.
    ///
    /// >>> Layout("(2,2):(1,2)").tiled_product("(2,3):(1,2)")
    /// Layout('((2,2),2,3):((1,2),4,8)')
    fn tiled_product(&self, tiler: &Bound<'_, PyAny>) -> Answer<Self> {
        each!(self, layout => layout.tiled_product(convert::tiler(tiler)?))
    }
    /// ``zipped_product`` on one level.
    ///
    /// >>> Layout("(2,2):(1,2)").flat_product("(2,3):(1,2)")
    /// Layout('(2,2,2,3):(1,2,4,8)')
    fn flat_product(&self, tiler: &Bound<'_, PyAny>) -> Answer<Self> {
        each!(self, layout => layout.flat_product(convert::tiler(tiler)?))
    }
    /// Copies of A as blocks, mode by mode.
    ///
    /// >>> Layout("(2,2):(1,2)").blocked_product("(3,2):(1,3)")
    /// Layout('((2,3),(2,2)):((1,4),(2,12))')
    fn blocked_product(&self, grid: &Bound<'_, PyAny>) -> Answer<Self> {
        each!(self, layout => layout.blocked_product(&plain(grid)?))
    }
    /// Copies of A, interleaved, mode by mode.
    ///
    /// >>> Layout("(2,2):(1,2)").raked_product("(3,2):(1,3)")
    /// Layout('((3,2),(2,2)):((4,1),(12,2))')
    fn raked_product(&self, grid: &Bound<'_, PyAny>) -> Answer<Self> {
        each!(self, layout => layout.raked_product(&plain(grid)?))
    }
    /// A repeated until it fills a shape.
    ///
    /// >>> Layout("(2,2):(1,2)").tile_to_shape((4, 6))
    /// Layout('((2,2),(2,3)):((1,4),(2,8))')
    fn tile_to_shape(&self, shape: &Bound<'_, PyAny>) -> Answer<Self> {
        each!(self, layout => layout.tile_to_shape(&convert::shape(shape)?))
    }
    /// R(i) = A(i) for i < size(A), in the fewest modes.
    ///
    /// >>> Layout("(2,(1,6)):(1,(6,2))").coalesce()
    /// Layout('12:1')
    fn coalesce(&self) -> Answer<Self> {
        each!(self, layout => layout.coalesce())
    }
    /// R(i) = A(i) for all i: a last mode of extent 1 stays, for its stride extends the domain.
    ///
    /// >>> Layout("(4,2,1):(1,4,10)").coalesce_z()
    /// Layout('(8,1):(1,10)')
    fn coalesce_z(&self) -> Answer<Self> {
        guarded(|| self.plain("coalesce_z")?.coalesce_z().layout())
    }
    /// Coalesces within each leaf of a profile, of which only the parentheses matter.
    ///
    /// >>> Layout("((2,2),(3,2)):((1,2),(4,12))").coalesce_by((1, 1))
    /// Layout('(4,6):(1,4)')
    fn coalesce_by(&self, profile: &Bound<'_, PyAny>) -> Answer<Self> {
        each!(self, layout => layout.coalesce_by(&convert::shape(profile)?))
    }
    /// The same offsets, without modes of stride 0 and of extent 1.
    ///
    /// >>> Layout("(4,6,1):(1,0,3)").filter()
    /// Layout('4:1')
    fn filter(&self) -> Answer<Self> {
        guarded(|| self.plain("filter")?.filter().layout())
    }
    /// (A, R) is a bijection onto 0..extent: what A leaves free. CuTe's rounds up: ``complement_ceil``.
    ///
    /// >>> Layout("(2,4):(1,2)").complement(24)
    /// Layout('3:8')
    fn complement(&self, extent: &Bound<'_, PyAny>) -> Answer<Self> {
        guarded(|| self.plain("complement")?.complement(count(extent)?).layout())
    }
    /// The complement in ``extent`` rounded up to whole copies of what A spans.
    ///
    /// >>> Layout("4:2").complement_ceil(13)
    /// Layout('(2,2):(1,8)')
    fn complement_ceil(&self, extent: &Bound<'_, PyAny>) -> Answer<Self> {
        guarded(|| self.plain("complement_ceil")?.complement_ceil(count(extent)?).layout())
    }
    /// A(R(i)) = i for i < size(R).
    ///
    /// >>> Layout("(4,6):(6,1)").right_inverse()
    /// Layout('(6,4):(4,1)')
    fn right_inverse(&self) -> Answer<Self> {
        guarded(|| self.plain("right_inverse")?.right_inverse().layout())
    }
    /// R(A(i)) = i for i < size(A).
    ///
    /// >>> Layout("(4,6):(12,1)").left_inverse()
    /// Layout('(12,4):(4,1)')
    fn left_inverse(&self) -> Answer<Self> {
        guarded(|| self.plain("left_inverse")?.left_inverse().layout())
    }
    /// A(R(i)) = 0: the coordinates that do not move.
    ///
    /// >>> Layout("(4,6):(1,0)").nullspace()
    /// Layout('6:4')
    fn nullspace(&self) -> Answer<Self> {
        guarded(|| self.plain("nullspace")?.nullspace().layout())
    }
    /// The largest R with A(R(i)) = B(R(i)) = i.
    ///
    /// >>> Layout("(4,6):(1,4)").max_common_layout("(2,12):(1,2)")
    /// Layout('24:1')
    fn max_common_layout(&self, other: &Bound<'_, PyAny>) -> Answer<Self> {
        guarded(|| self.plain("max_common_layout")?.max_common_layout(&plain(other)?).layout())
    }
    /// The size of the ``max_common_layout``: how many elements lie next to one another in both.
    ///
    /// >>> Layout("(4,6):(1,4)").max_common_vector("(4,6):(1,8)")
    /// 4
    fn max_common_vector(&self, other: &Bound<'_, PyAny>) -> Answer<usize> {
        guarded(|| Ok(self.plain("max_common_vector")?.max_common_vector(&plain(other)?)))
    }
    /// R(i) = A(i) + B(i).
    ///
    /// >>> Layout("(4,6):(1,4)").layout_add("(4,6):(6,1)")
    /// Layout('(4,6):(7,5)')
    fn layout_add(&self, other: &Bound<'_, PyAny>) -> Answer<Self> {
        guarded(|| self.plain("layout_add")?.layout_add(&plain(other)?).layout())
    }
    /// The same memory in units of n elements.
    ///
    /// >>> Layout("(4,6):(1,4)").upcast(2)
    /// Layout('(2,6):(1,2)')
    fn upcast(&self, elements: &Bound<'_, PyAny>) -> Answer<Self> {
        each!(self, layout => layout.upcast(count(elements)?))
    }
    /// The same memory in n parts of each element.
    ///
    /// >>> Layout("(4,6):(1,4)").downcast(2)
    /// Layout('(8,6):(1,8)')
    fn downcast(&self, parts: &Bound<'_, PyAny>) -> Answer<Self> {
        each!(self, layout => layout.downcast(count(parts)?))
    }
    /// Elements of one size seen as elements of another. CuTe's ``recast_layout``.
    ///
    /// >>> Layout("(4,6):(1,4)").recast(16, 32)
    /// Layout('(2,6):(1,2)')
    fn recast(&self, old: &Bound<'_, PyAny>, new: &Bound<'_, PyAny>) -> Answer<Self> {
        each!(self, layout => layout.recast(count(old)?, count(new)?))
    }
    /// All modes on one level.
    ///
    /// >>> Layout("(4,(2,3)):(1,(4,8))").flatten()
    /// Layout('(4,2,3):(1,4,8)')
    fn flatten(&self) -> Answer<Self> {
        each!(self, layout => layout.flatten())
    }
    /// The two modes exchanged.
    ///
    /// >>> Layout("(4,6):(1,4)").transpose()
    /// Layout('(6,4):(4,1)')
    fn transpose(&self) -> Answer<Self> {
        guarded(|| self.plain("transpose")?.transpose().layout())
    }
    /// The modes from last to first, each as it is.
    ///
    /// >>> Layout("(4,(2,3)):(1,(4,8))").reverse()
    /// Layout('((2,3),4):((4,8),1)')
    fn reverse(&self) -> Answer<Self> {
        guarded(|| self.plain("reverse")?.reverse().layout())
    }
    /// These modes in this order.
    ///
    /// >>> Layout("(2,3,4)").select((2, 0))
    /// Layout('(4,2):(6,1)')
    fn select(&self, modes: &Bound<'_, PyAny>) -> Answer<Self> {
        guarded(|| self.plain("select")?.select(convert::shape(modes)?.leaves()).layout())
    }
    /// One mode, counted from 0. CuTe's ``get`` and ``layout<I>``.
    ///
    /// >>> Layout("(4,(2,3)):(1,(4,8))").mode(1)
    /// Layout('(2,3):(4,8)')
    fn mode(&self, mode: &Bound<'_, PyAny>) -> Answer<Self> {
        guarded(|| self.plain("mode")?.mode(count(mode)?).layout())
    }
    /// Modes ``first`` to ``last - 1``.
    ///
    /// >>> Layout("(2,3,4)").take(1, 3)
    /// Layout('(3,4):(2,6)')
    fn take(&self, first: &Bound<'_, PyAny>, last: &Bound<'_, PyAny>) -> Answer<Self> {
        guarded(|| self.plain("take")?.take(count(first)?, count(last)?).layout())
    }
    /// Modes ``first`` to ``last - 1`` as one. CuTe's ``group_modes``.
    ///
    /// >>> Layout("(2,3,4)").group(0, 2)
    /// Layout('((2,3),4):((1,2),6)')
    fn group(&self, first: &Bound<'_, PyAny>, last: &Bound<'_, PyAny>) -> Answer<Self> {
        guarded(|| self.plain("group")?.group(count(first)?, count(last)?).layout())
    }
    /// The modes of one mode in its place.
    ///
    /// >>> Layout("((2,3),4):((1,2),6)").ungroup(0)
    /// Layout('(2,3,4):(1,2,6)')
    fn ungroup(&self, mode: &Bound<'_, PyAny>) -> Answer<Self> {
        guarded(|| self.plain("ungroup")?.ungroup(count(mode)?).layout())
    }
    /// One more mode at the end.
    ///
    /// >>> Layout("(2,3)").append("4:6")
    /// Layout('(2,3,4):(1,2,6)')
    fn append(&self, mode: &Bound<'_, PyAny>) -> Answer<Self> {
        guarded(|| self.plain("append")?.append(&plain(mode)?).layout())
    }
    /// One more mode at the beginning.
    ///
    /// >>> Layout("(2,3)").prepend("4:6")
    /// Layout('(4,2,3):(6,1,2)')
    fn prepend(&self, mode: &Bound<'_, PyAny>) -> Answer<Self> {
        guarded(|| self.plain("prepend")?.prepend(&plain(mode)?).layout())
    }
    /// Another layout in the place of a mode.
    ///
    /// >>> Layout("(2,3)").replace(0, "4:6")
    /// Layout('(4,3):(6,2)')
    fn replace(&self, mode: &Bound<'_, PyAny>, layout: &Bound<'_, PyAny>) -> Answer<Self> {
        guarded(|| self.plain("replace")?.replace(count(mode)?, &plain(layout)?).layout())
    }
    /// A o left(shape): the same offsets under another shape.
    ///
    /// >>> Layout("(4,6):(1,4)").with_shape((12, 2))
    /// Layout('(12,2):(1,12)')
    fn with_shape(&self, shape: &Bound<'_, PyAny>) -> Answer<Self> {
        guarded(|| self.plain("with_shape")?.with_shape(&convert::shape(shape)?).layout())
    }
    /// (R, offset) with R(x) + offset = A(c), c being ``at`` with x in the place of None. CuTe's
    /// ``slice_and_offset``.
    ///
    /// >>> Layout("(4,6):(1,4)").slice((1, None))
    /// (Layout('6:4'), 1)
    /// >>> Layout("(4,6):(1,4)").slice("(1,2..4)")
    /// (Layout('2:4'), 9)
    fn slice(&self, at: &Bound<'_, PyAny>) -> Answer<(Self, usize)> {
        let at = convert::slice(at)?;
        Ok(match &self.0 {
            AnyLayout::Plain(layout) => {
                let (layout, offset) = layout.slice(&at)?;
                (Layout::new_plain(layout), offset)
            }
            AnyLayout::Swizzled(layout) => {
                let (layout, offset) = layout.slice(&at)?;
                (Layout(AnyLayout::Swizzled(layout)), offset)
            }
        })
    }
    /// No two coordinates share an offset.
    ///
    /// >>> Layout("(4,6):(1,4)").is_injective()
    /// True
    fn is_injective(&self, py: Python<'_>) -> Answer<bool> {
        let layout = self.plain("is_injective")?;
        Ok(py.detach(|| layout.is_injective()))
    }
    /// Every offset below the cosize is reached.
    ///
    /// >>> Layout("(4,6):(1,5)").is_surjective()
    /// False
    fn is_surjective(&self, py: Python<'_>) -> Answer<bool> {
        let layout = self.plain("is_surjective")?;
        Ok(py.detach(|| layout.try_is_surjective())?)
    }
    /// Injective and surjective.
    ///
    /// >>> Layout("(4,6):(6,1)").is_bijective()
    /// True
    fn is_bijective(&self, py: Python<'_>) -> Answer<bool> {
        let layout = self.plain("is_bijective")?;
        Ok(py.detach(|| layout.is_bijective()))
    }
    /// Bijective once modes of stride 0 are dropped.
    ///
    /// >>> Layout("(4,6):(1,0)").is_compact()
    /// True
    fn is_compact(&self, py: Python<'_>) -> Answer<bool> {
        let layout = self.plain("is_compact")?;
        Ok(py.detach(|| layout.is_compact()))
    }

    /// The offsets as a picture: mode 0 goes down, the others go across. ``by`` is what cells are coloured by,
    /// ``"offset"``, ``"thread"`` or ``"bank"``. In a notebook a layout is its picture.
    ///
    /// >>> Layout("(2,3):(3,1)").draw()
    /// (2,3):(3,1)
    ///       0   1   2
    ///     +---+---+---+
    ///  0  | 0 | 1 | 2 |
    ///     +---+---+---+
    ///  1  | 3 | 4 | 5 |
    ///     +---+---+---+
    #[pyo3(signature = (by = "offset", element_bits = 32))]
    fn draw(&self, by: &str, element_bits: usize) -> Answer<Picture> {
        Picture::of_layout(&self.0, by, element_bits)
    }

    /// Which thread has which element of a tile of this shape, of a thread-value layout; ``thread`` is outlined.
    ///
    /// >>> print(Layout("(2,2):(1,2)").draw_threads((2, 2), thread=1)) # doctest: +ELLIPSIS
    /// (2,2):(1,2) in (2,2)...
    #[pyo3(signature = (shape, thread = None))]
    fn draw_threads(&self, shape: &Bound<'_, PyAny>, thread: Option<usize>) -> Answer<Picture> {
        Picture::of_threads(self.plain("draw_threads")?, &convert::shape(shape)?, thread)
    }

    /// Memory as a line, and which coordinate lies where.
    ///
    /// >>> print(Layout("(2,3):(4,1)").draw_memory()) # doctest: +ELLIPSIS
    /// (2,3):(4,1) in memory...
    fn draw_memory(&self) -> Answer<Picture> {
        Picture::of_memory(&self.0)
    }

    /// How a warp's first access goes to the banks of shared memory of this layout; of a swizzled layout, without the
    /// swizzle and with it. ``accesses`` and the others are those of ``bank_conflicts``.
    ///
    /// >>> print(Layout("(32,32):(33,1)").draw_banks("(32,1):(1,0)")) # doctest: +ELLIPSIS
    /// (32,32):(33,1), 1 cycle, free of conflicts...
    #[pyo3(signature = (accesses, element_bits = 32, bits = None, ldmatrix = None))]
    fn draw_banks(
        &self,
        accesses: &Bound<'_, PyAny>,
        element_bits: usize,
        bits: Option<usize>,
        ldmatrix: Option<usize>,
    ) -> Answer<Picture> {
        Picture::of_banks(&self.0, &analysis::access(&plain(accesses)?, element_bits, bits, ldmatrix)?)
    }

    /// A, B and A o B side by side: an element has one colour in all three.
    ///
    /// >>> print(Layout("(4,6):(1,4)").draw_compose("(2,3):(2,8)")) # doctest: +ELLIPSIS
    /// A = (4,6):(1,4)...
    fn draw_compose(&self, tiler: &Bound<'_, PyAny>) -> Answer<Picture> {
        Picture::of_composition(self.plain("draw_compose")?, &convert::tiler(tiler)?)
    }

    /// A, the tile, and A in tiles: a tile has one colour in all of them.
    ///
    /// >>> print(Layout("(4,6):(1,4)").draw_divide("<2,3>")) # doctest: +ELLIPSIS
    /// A = (4,6):(1,4)...
    fn draw_divide(&self, tiler: &Bound<'_, PyAny>) -> Answer<Picture> {
        Picture::of_division(self.plain("draw_divide")?, &convert::tiler(tiler)?)
    }

    /// The picture of ``draw`` as SVG, a file of its own, in light and in dark colours.
    ///
    /// >>> Layout("(4,6)").svg()[:5]
    /// '<svg '
    #[pyo3(signature = (by = "offset", element_bits = 32))]
    fn svg(&self, by: &str, element_bits: usize) -> Answer<String> {
        Ok(self.draw(by, element_bits)?.svg(None))
    }

    /// Prints the picture of ``draw``, with colours in a terminal.
    ///
    /// >>> Layout("(1,2):(0,1)").show() # doctest: +ELLIPSIS
    /// (1,2):(0,1)...
    fn show(&self, py: Python<'_>) -> Answer<()> {
        self.draw("offset", 32)?.show(py)
    }

    /// The offset of a coordinate as a function in a language: ``"c"``, ``"cuda"``, ``"hip"``, ``"opencl"``,
    /// ``"wgsl"``, ``"glsl"``, ``"hlsl"``, ``"msl"``, ``"rust"`` or ``"python"``. ``back`` is the way from an offset to
    /// the coordinate; with ``bounds`` the function says too whether it is one of the layout.
    ///
    /// >>> print(Layout("(64,96):(96,1)").emit("c", "at"))
    /// // The offset of (i, j) in (64,96):(96,1): 64 x 96 coordinates, 6144 offsets.
    /// static inline uint32_t at(uint32_t i, uint32_t j) {
    ///     return i * 96u + j;
    /// }
    /// <BLANKLINE>
    #[pyo3(signature = (language, name = "offset_of", back = false, bounds = false))]
    fn emit(&self, language: &str, name: &str, back: bool, bounds: bool) -> Answer<String> {
        emit::index(&self.0, language, name, back, bounds)
    }

    /// The index function in CUDA C++, for CuPy's ``RawKernel`` and ``RawModule``.
    ///
    /// >>> "__device__" in Layout("(64,96):(96,1)").cuda("at")
    /// True
    #[pyo3(signature = (name = "offset_of"))]
    fn cuda(&self, name: &str) -> Answer<String> {
        emit::index(&self.0, "cuda", name, false, false)
    }

    /// The index function as a function of Triton, to be written to a file: Triton reads the source of its functions.
    ///
    /// >>> print(Layout("(64,96):(96,1)").triton("at"))
    /// import triton
    /// <BLANKLINE>
    /// <BLANKLINE>
    /// @triton.jit
    /// # The offset of (i, j) in (64,96):(96,1): 64 x 96 coordinates, 6144 offsets.
    /// def at(i, j):
    ///     return i * 96 + j
    /// <BLANKLINE>
    #[pyo3(signature = (name = "offset_of"))]
    fn triton(&self, name: &str) -> Answer<String> {
        Ok(format!("import triton\n\n\n@triton.jit\n{}", emit::index(&self.0, "python", name, false, false)?))
    }

    fn _repr_svg_(&self) -> Option<String> {
        if self.0.size() > 4096 { None } else { self.svg("offset", 32).ok() }
    }

    /// The bank conflicts of all accesses of all warps to shared memory of this layout: passes beyond the least number.
    ///
    /// ``accesses`` is a thread-value layout, (thread, value) to the number of a coordinate of this layout. An element
    /// has ``element_bits``; a thread moves ``bits`` at once, one element if they are not given; ``ldmatrix`` is the
    /// number of 8 x 8 matrices of such an instruction.
    ///
    /// >>> Layout("(32,32):(32,1)").bank_conflicts("(32,1):(1,0)")
    /// 31
    /// >>> Layout("Sw<5,0,5> o 0 o (32,32):(32,1)").bank_conflicts("(32,1):(1,0)")
    /// 0
    #[pyo3(signature = (accesses, element_bits = 32, bits = None, ldmatrix = None))]
    fn bank_conflicts(
        &self,
        py: Python<'_>,
        accesses: &Bound<'_, PyAny>,
        element_bits: usize,
        bits: Option<usize>,
        ldmatrix: Option<usize>,
    ) -> Answer<usize> {
        let access = analysis::access(&plain(accesses)?, element_bits, bits, ldmatrix)?;
        Ok(analysis::bank_conflicts(py, &self.0, &access)?.conflicts)
    }

    /// What the accesses of ``bank_conflicts`` cost: instructions, phases, passes, conflicts, ways, the worst phase.
    ///
    /// >>> Layout("(32,32):(32,1)").bank_costs("(32,1):(1,0)")["passes"]
    /// 32
    #[pyo3(signature = (accesses, element_bits = 32, bits = None, ldmatrix = None))]
    fn bank_costs<'py>(
        &self,
        py: Python<'py>,
        accesses: &Bound<'py, PyAny>,
        element_bits: usize,
        bits: Option<usize>,
        ldmatrix: Option<usize>,
    ) -> Answer<Bound<'py, PyAny>> {
        let access = analysis::access(&plain(accesses)?, element_bits, bits, ldmatrix)?;
        analysis::costs(py, &analysis::bank_conflicts(py, &self.0, &access)?)
    }

    /// The sectors of 32 bytes and lines of 128 that the accesses of all warps touch in global memory of this layout,
    /// and the fewest that could hold as much; ``ratio`` 1 is the best.
    ///
    /// >>> Layout("(64):(1)").coalescing("(32,1):(2,0)")["ratio"]
    /// 2.0
    #[pyo3(signature = (accesses, element_bits = 32, bits = None))]
    fn coalescing<'py>(
        &self,
        py: Python<'py>,
        accesses: &Bound<'py, PyAny>,
        element_bits: usize,
        bits: Option<usize>,
    ) -> Answer<Bound<'py, PyAny>> {
        analysis::coalescing(py, &self.0, &analysis::access(&plain(accesses)?, element_bits, bits, None)?)
    }

    /// How many bits each thread can move at once: values that are neighbours in memory of this layout, aligned.
    ///
    /// >>> Layout("(8,64):(64,1)").vector_width("(8,64):(1,8)", element_bits=16)
    /// 128
    #[pyo3(signature = (accesses, element_bits = 32, alignment = 16))]
    fn vector_width(
        &self,
        py: Python<'_>,
        accesses: &Bound<'_, PyAny>,
        element_bits: usize,
        alignment: usize,
    ) -> Answer<usize> {
        analysis::vector_width(py, &self.0, &plain(accesses)?, element_bits, alignment)
    }

    /// The swizzle of this layout of shared memory under which writes and reads take the fewest accesses, and of these
    /// the one with the fewest bank conflicts; all are tried.
    ///
    /// >>> Layout("(8,64):(64,1)").best_swizzle("((8,8),8):((64,1),8)", "((8,8),8):((1,64),8)", 16)["swizzle"]
    /// Swizzle(3, 3, 3)
    #[pyo3(signature = (writes, reads, element_bits = 32))]
    fn best_swizzle<'py>(
        &self,
        py: Python<'py>,
        writes: &Bound<'py, PyAny>,
        reads: &Bound<'py, PyAny>,
        element_bits: usize,
    ) -> Answer<Bound<'py, PyAny>> {
        analysis::best_swizzle(py, &self.0, &plain(writes)?, &plain(reads)?, element_bits)
    }
}

/// The best layout of shared memory for a tile that is written in one way and read in another, both thread-value
/// layouts to numbers of elements; proven the best of all linear layouts. A dictionary: ``layout``, ``write_bits``,
/// ``read_bits``, ``accesses``, ``conflicts``, ``is_optimal``.
///
/// >>> best = best_shared_layout("(32,32):(32,1)", "(32,32):(1,32)")
/// >>> best["write_bits"], best["read_bits"], best["conflicts"], best["is_optimal"]
/// (32, 128, 0, True)
#[pyfunction]
#[pyo3(signature = (writes, reads, element_bits = 32))]
pub(crate) fn best_shared_layout<'py>(
    py: Python<'py>,
    writes: &Bound<'py, PyAny>,
    reads: &Bound<'py, PyAny>,
    element_bits: usize,
) -> Answer<Bound<'py, PyAny>> {
    analysis::best_shared_layout(py, &plain(writes)?, &plain(reads)?, element_bits)
}
