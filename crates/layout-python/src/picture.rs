//! Pictures: SVG in a notebook, a table in a terminal.

use layout_algebra::prelude::*;
use layout_cli::{AnyLayout, either};
use layout_draw::{ColorBy, Draw};
use pyo3::prelude::*;

use crate::analysis;
use crate::classes::Layout;
use crate::convert::{self, maybe, natural, plain};
use crate::error::{Answer, Error, caught};

/// A picture: SVG in a notebook, a table in a terminal.
///
/// >>> picture = Layout("(2,3):(3,1)").draw()
/// >>> picture.svg()[:5], picture.table().splitlines()[0]
/// ('<svg ', '(2,3):(3,1)')
#[pyclass(frozen, module = "layout_algebra")]
pub(crate) struct Picture(layout_draw::Picture);

/// A picture, or why there is none.
fn drawn(draw: impl FnOnce() -> Answer<layout_draw::Picture>) -> Answer<Picture> {
    Ok(Picture(caught("bounds", draw)??))
}

/// The layout with all modes after the first grouped as one.
fn across(layout: &DynLayout) -> Result<DynLayout, LayoutError> {
    if layout.rank() > 2 { layout.group(1, layout.rank()) } else { Ok(layout.clone()) }
}

impl Picture {
    pub(crate) fn of_threads(
        threads: &DynLayout,
        tile: &DynShape,
        thread: Option<usize>,
    ) -> Answer<Self> {
        drawn(|| Ok(threads.draw_thread_values(tile, thread)?))
    }
}

#[pymethods]
impl Layout {
    /// A picture of the offsets: mode 0 goes down, the other modes go across. Cells are coloured by
    /// ``"offset"``, ``"thread"`` or ``"bank"``. A notebook shows a layout as this picture.
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
    fn draw(
        &self,
        by: &str,
        #[pyo3(from_py_with = natural)] element_bits: usize,
    ) -> Answer<Picture> {
        let by = match by {
            "offset" => ColorBy::Offset,
            "thread" => ColorBy::Thread,
            "bank" => ColorBy::Bank { element_bits },
            _ => {
                return Err(Error::Reason(
                    "parse",
                    format!("cells are coloured by offset, thread or bank, not {by}"),
                ));
            }
        };
        drawn(|| {
            let grouped = self.0.on_inner(across)?;
            let picture = either!(&grouped, layout => layout.draw(by))?;
            Ok(picture.with_title(&self.0.to_string()))
        })
    }

    /// A picture of a thread-value layout: which thread has which element of a tile of this shape;
    /// ``thread`` is outlined.
    ///
    /// >>> print(Layout("(2,2):(1,2)").draw_threads((2, 2), thread=1)) # doctest: +ELLIPSIS
    /// (2,2):(1,2) in (2,2)...
    #[pyo3(signature = (shape, thread = None))]
    fn draw_threads(
        &self,
        shape: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = maybe)] thread: Option<usize>,
    ) -> Answer<Picture> {
        Picture::of_threads(&*self.in_bits("draw_threads")?, &convert::shape(shape)?, thread)
    }

    /// Memory as a line, and which coordinate lies where.
    ///
    /// >>> print(Layout("(2,3):(4,1)").draw_memory()) # doctest: +ELLIPSIS
    /// (2,3):(4,1) in memory...
    fn draw_memory(&self) -> Answer<Picture> {
        drawn(|| Ok(either!(&self.0, layout => layout.draw_memory())?))
    }

    /// The banks that a warp's first access touches in shared memory of this layout; a swizzled
    /// layout is drawn without its swizzle and with it. The arguments are those of
    /// ``bank_conflicts``.
    ///
    /// >>> print(Layout("(32,32):(33,1)").draw_banks("(32,1):(1,0)")) # doctest: +ELLIPSIS
    /// (32,32):(33,1), 1 cycle, free of conflicts...
    #[pyo3(signature = (accesses, element_bits = 32, bits = None, ldmatrix = None))]
    fn draw_banks(
        &self,
        accesses: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = natural)] element_bits: usize,
        #[pyo3(from_py_with = maybe)] bits: Option<usize>,
        #[pyo3(from_py_with = maybe)] ldmatrix: Option<usize>,
    ) -> Answer<Picture> {
        let access = analysis::access(&*plain(accesses)?, element_bits, bits, ldmatrix)?;
        drawn(|| match &self.0 {
            AnyLayout::Plain(layout) => Ok(layout.draw_banks(&access)?),
            AnyLayout::Swizzled(layout) => Ok(layout.draw_swizzle(&access)?),
        })
    }

    /// A, B and A o B side by side: an element has one colour in all three.
    ///
    /// >>> print(Layout("(4,6):(1,4)").draw_compose("(2,3):(2,8)")) # doctest: +ELLIPSIS
    /// A = (4,6):(1,4)...
    fn draw_compose(&self, tiler: &Bound<'_, PyAny>) -> Answer<Picture> {
        let tiler = convert::tiler(tiler)?;
        drawn(|| Ok(either!(&self.0, layout => layout.draw_composition(&tiler))?))
    }

    /// A, the tile, and A in tiles: a tile has one colour in all of them.
    ///
    /// >>> print(Layout("(4,6):(1,4)").draw_divide("<2,3>")) # doctest: +ELLIPSIS
    /// A = (4,6):(1,4)...
    fn draw_divide(&self, tiler: &Bound<'_, PyAny>) -> Answer<Picture> {
        let tiler = convert::tiler(tiler)?;
        drawn(|| Ok(either!(&self.0, layout => layout.draw_division(&tiler))?))
    }

    /// The picture of ``draw`` as a standalone SVG, in light and in dark colours.
    ///
    /// >>> Layout("(4,6)").svg()[:5]
    /// '<svg '
    #[pyo3(signature = (by = "offset", element_bits = 32))]
    fn svg(&self, by: &str, #[pyo3(from_py_with = natural)] element_bits: usize) -> Answer<String> {
        Ok(self.draw(by, element_bits)?.svg(None))
    }

    /// Prints the picture of ``draw``, with colours in a terminal.
    ///
    /// >>> Layout("(1,2):(0,1)").show() # doctest: +ELLIPSIS
    /// (1,2):(0,1)...
    fn show(&self, py: Python<'_>) -> Answer<()> {
        self.draw("offset", 32)?.show(py)
    }

    fn _repr_svg_(&self) -> Option<String> {
        if self.0.size() > 4096 { None } else { self.svg("offset", 32).ok() }
    }
}

#[pymethods]
impl Picture {
    /// The picture as a standalone SVG, in light and in dark colours; a cell has ``cell`` pixels.
    ///
    /// >>> Layout("(2,3)").draw().svg(cell=40).endswith("</svg>\n")
    /// True
    #[pyo3(signature = (cell = None))]
    pub(crate) fn svg(&self, #[pyo3(from_py_with = maybe)] cell: Option<usize>) -> String {
        match cell {
            Some(pixels) => self.0.clone().with_cell_size(pixels).svg(),
            None => self.0.svg(),
        }
    }

    /// The picture as a table of text; ``color`` adds the colours of a terminal.
    ///
    /// >>> Layout("(2,3)").draw().table(color=True) == Layout("(2,3)").draw().table()
    /// False
    #[pyo3(signature = (color = false))]
    fn table(&self, color: bool) -> String {
        let table = self.0.clone().table();
        if color { table.colored().to_string() } else { table.to_string() }
    }

    /// Prints the table, with colours in a terminal, unless NO_COLOR is set.
    pub(crate) fn show(&self, py: Python<'_>) -> Answer<()> {
        let out = py.import("sys")?.getattr("stdout")?;
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let color =
            !refused && out.hasattr("isatty")? && out.call_method0("isatty")?.is_truthy()?;
        out.call_method1("write", (self.table(color),))?;
        Ok(())
    }

    fn _repr_svg_(&self) -> String {
        self.svg(None)
    }

    fn __repr__(&self) -> String {
        self.table(false).trim_end().into()
    }
}
