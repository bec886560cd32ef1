//! Pictures: SVG in a notebook, a table in a terminal.

use layout_algebra::analysis::WarpAccess;
use layout_algebra::prelude::*;
use layout_cli::{AnyLayout, either};
use layout_draw::{ColorBy, Draw};
use pyo3::prelude::*;

use crate::error::{Answer, Error, caught};

/// A picture: SVG in a notebook, a table in a terminal.
///
/// >>> picture = Layout("(2,3):(3,1)").draw()
/// >>> picture.svg()[:5], picture.table().splitlines()[0]
/// ('<svg ', '(2,3):(3,1)')
#[pyclass(frozen, module = "layout_algebra")]
pub(crate) struct Picture(layout_draw::Picture);

/// A picture, or why there is none.
fn drawn(draw: impl FnOnce() -> Result<layout_draw::Picture, LayoutError>) -> Answer<Picture> {
    Ok(Picture(caught("bounds", draw)??))
}

/// The layout with all modes behind the first one as one.
fn across(layout: &DynLayout) -> Result<DynLayout, LayoutError> {
    if layout.rank() > 2 { layout.group(1, layout.rank()) } else { Ok(layout.clone()) }
}

impl Picture {
    pub(crate) fn of_layout(layout: &AnyLayout, by: &str, element_bits: usize) -> Answer<Self> {
        let by = match by {
            "offset" => ColorBy::Offset,
            "thread" => ColorBy::Thread,
            "bank" => ColorBy::Bank { element_bits },
            other => {
                return Err(Error::Said("parse", format!("cells are coloured by offset, thread or bank, not {other}")));
            }
        };
        drawn(|| match layout {
            AnyLayout::Plain(layout) => across(layout)?.draw(by),
            AnyLayout::Swizzled(layout) => {
                DynComposedLayout::new(layout.outer(), layout.offset(), across(&layout.inner())?).draw(by)
            }
        })
    }

    pub(crate) fn of_threads(threads: &DynLayout, tile: &DynShape, thread: Option<usize>) -> Answer<Self> {
        drawn(|| threads.draw_thread_values(tile, thread))
    }

    pub(crate) fn of_memory(layout: &AnyLayout) -> Answer<Self> {
        drawn(|| either!(layout, layout => layout.draw_memory()))
    }

    pub(crate) fn of_banks(layout: &AnyLayout, access: &WarpAccess) -> Answer<Self> {
        drawn(|| match layout {
            AnyLayout::Plain(layout) => layout.draw_banks(access),
            AnyLayout::Swizzled(layout) => layout.draw_swizzle(access),
        })
    }

    pub(crate) fn of_composition(layout: &DynLayout, tiler: &DynTiler) -> Answer<Self> {
        drawn(|| layout.draw_composition(tiler))
    }

    pub(crate) fn of_division(layout: &DynLayout, tiler: &DynTiler) -> Answer<Self> {
        drawn(|| layout.draw_division(tiler))
    }
}

#[pymethods]
impl Picture {
    /// The picture as SVG, a file of its own, in light and in dark colours; ``cell`` pixels for a cell.
    ///
    /// >>> Layout("(2,3)").draw().svg(cell=40).endswith("</svg>\n")
    /// True
    #[pyo3(signature = (cell = None))]
    pub(crate) fn svg(&self, cell: Option<usize>) -> String {
        match cell {
            Some(pixels) => self.0.clone().with_cell_size(pixels).svg(),
            None => self.0.svg(),
        }
    }

    /// The picture as a table of text, with the colours of a terminal if asked for.
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
        let color = !refused && out.call_method0("isatty").and_then(|is| is.extract()).unwrap_or(false);
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
