//! A tensor as text: its layout, and under it its elements in rows and columns.

use core::fmt::{self, Debug, Display, Formatter, Write};

use crate::layout::display::notation;
use crate::layout::print::{Draw, HasTable, RuledCells, Table};
use crate::layout::traits::Layout;
use crate::pad::{length_of, within};
use crate::tensor::{Addressable, CoordinateTensor, Storage, Tensor};
use crate::tuple::int_tuple::IntTuple;

/// The layout, and under it the elements: a row for each number of mode 0, or one row if there is
/// no other mode. With more than two modes there is such a picture for each coordinate of the modes
/// behind the second. CuTe's `print_tensor`.
///
/// Precision and sign, `{:.1}` and `{:+}`, apply to each element. The width is the least width of a
/// column; elements are aligned to the right unless the format says otherwise, `{:<8}`.
///
/// ```
/// use layout_algebra::prelude::*;
/// let t = Tensor::fixed([1.0, 2.25, 30.5, 4.0, 5.0, 6.0], layout!((2, 3): right));
/// assert_eq!(t.to_string(), "\
/// (2,3):(3,1)
///      1  2.25  30.5
///      4     5     6
/// ");
/// assert_eq!(format!("{t:.1}"), "\
/// (2,3):(3,1)
///    1.0   2.2  30.5
///    4.0   5.0   6.0
/// ");
/// let t = Tensor::fixed([1, 2, 3, 4, 5, 6, 7, 8], layout!((2, 2, 2)));
/// assert_eq!(t.to_string(), "\
/// (2,2,2):(1,2,4)
/// (_,_,0)
///   1  3
///   2  4
/// (_,_,1)
///   5  7
///   6  8
/// ");
/// ```
impl<S: Storage<Item: Display>, L: Addressable> Display for Tensor<S, L> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        columns(self.layout(), f, &|i, form, out| self.write_element(i, form, out))
    }
}
/// As `Display`, with each element in its `Debug` form, so that `dbg!` and a failed `assert_eq!`
/// show the elements.
impl<S: Storage<Item: Debug>, L: Addressable> Debug for Tensor<S, L> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let write = |i: usize, form: ElementForm, out: &mut dyn Write| {
            self.value(i).map_or(Ok(()), |x| form.debug(x, out))
        };
        columns(self.layout(), f, &write)
    }
}
/// The layout, and under it the coordinates that it yields.
///
/// ```
/// use layout_algebra::prelude::*;
/// let tile = Tensor::coordinates(identity((4, 6))).local_tile(tiler!(2, 3), (1, 1))?;
/// assert_eq!(tile.to_string(), "\
/// (2,3):(1@0,1@1)
///   (2,3)  (2,4)  (2,5)
///   (3,3)  (3,4)  (3,5)
/// ");
/// # Ok::<(), LayoutError>(())
/// ```
impl<T: IntTuple, S: IntTuple, D: IntTuple> Display for CoordinateTensor<T, S, D> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        columns(self.layout(), f, &|i, form, out| self.write_element(i, form, out))
    }
}
debug_as_display! { [T: IntTuple, S: IntTuple, D: IntTuple] CoordinateTensor<T, S, D>; }

/// A tensor whose elements can be written.
pub trait WriteElement {
    /// Writes the element with the number `i`.
    fn write_element(&self, i: usize, form: ElementForm, out: &mut dyn Write) -> fmt::Result;
}
impl<S: Storage<Item: Display>, L: Addressable> WriteElement for Tensor<S, L> {
    fn write_element(&self, i: usize, form: ElementForm, out: &mut dyn Write) -> fmt::Result {
        self.value(i).map_or(Ok(()), |element| form.display(element, out))
    }
}
impl<T: IntTuple, S: IntTuple, D: IntTuple> WriteElement for CoordinateTensor<T, S, D> {
    fn write_element(&self, i: usize, _: ElementForm, out: &mut dyn Write) -> fmt::Result {
        write!(out, "{:#}", notation(self.locate(self.shape().split(i))))
    }
}

/// Writes an element, by its number.
type Element<'a> = &'a dyn Fn(usize, ElementForm, &mut dyn Write) -> fmt::Result;

/// How an element is written, apart from its width.
#[derive(Clone, Copy)]
pub struct ElementForm {
    precision: Option<usize>,
    plus: bool,
    /// The width that is filled with zeros behind the sign; 0 for none.
    zeros: usize,
}
macro_rules! element {
    ($form:expr, $element:expr, $out:expr, $kind:literal) => {{
        let (x, width) = ($element, $form.zeros);
        match ($form.precision, $form.plus) {
            (None, false) => write!($out, concat!("{:0width$", $kind, "}"), x, width = width),
            (None, true) => write!($out, concat!("{:+0width$", $kind, "}"), x, width = width),
            (Some(p), false) => {
                write!($out, concat!("{:0width$.p$", $kind, "}"), x, width = width, p = p)
            }
            (Some(p), true) => {
                write!($out, concat!("{:+0width$.p$", $kind, "}"), x, width = width, p = p)
            }
        }
    }};
}
impl ElementForm {
    const PLAIN: Self = ElementForm { precision: None, plus: false, zeros: 0 };
    fn of(f: &Formatter<'_>) -> Self {
        let zeros = if f.sign_aware_zero_pad() { f.width().unwrap_or(0) } else { 0 };
        ElementForm { precision: f.precision(), plus: f.sign_plus(), zeros }
    }
    fn display(self, element: &impl Display, out: &mut dyn Write) -> fmt::Result {
        element!(self, element, out, "")
    }
    fn debug(self, element: &impl Debug, out: &mut dyn Write) -> fmt::Result {
        element!(self, element, out, "?")
    }
}

/// The layout, and under it the elements in columns of one width.
fn columns<L: Layout + Display>(
    layout: &L,
    f: &mut Formatter<'_>,
    element: Element<'_>,
) -> fmt::Result {
    let form = ElementForm::of(f);
    let grid = RuledCells {
        rank: layout.rank(),
        extent: &|mode| layout.mode_size(mode),
        colour: &|_| None,
    };
    let width = grid.widest(&|i, out| element(i, form, out))?.max(f.width().unwrap_or(0));
    writeln!(f, "{layout:#}")?;
    grid.bare(f, |f, i| {
        let length = length_of(|out| element(i, form, out))?;
        within(f, width, length, fmt::Alignment::Right, |f| element(i, form, f))
    })
}

/// The elements of a tensor, as they stand in its [`Table`].
#[derive(Clone, Copy)]
pub struct ElementTable<'a, S, L>(&'a Tensor<S, L>);
impl<S, L: HasTable + Display> Draw for ElementTable<'_, S, L>
where
    Tensor<S, L>: WriteElement,
{
    fn draw(&self, _: bool, f: &mut Formatter<'_>) -> fmt::Result {
        let layout = self.0.layout();
        writeln!(f, "{layout:#}")?;
        let grid = RuledCells {
            rank: layout.rank(),
            extent: &|mode| layout.mode_size(mode),
            colour: &|_| None,
        };
        grid.ruled(f, &|i, out| self.0.write_element(i, ElementForm::PLAIN, out))
    }
}

impl<S, L: HasTable> Tensor<S, L> {
    /// The elements as a table whose rows and columns are numbered; [`Display`] prints no such
    /// numbers.
    ///
    /// Row i, column j shows `t[(i, j)]`.
    ///
    /// # Errors
    /// Under a `DynLayout` this is a `Result`: `rank` if it has more than two modes. Under any
    /// other layout that does not compile.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::fixed([1, 2, 30, 4, 5, 6], layout!((2, 3): right));
    /// assert_eq!(t.table().to_string(), "\
    /// (2,3):(3,1)
    ///        0    1    2
    ///     +----+----+----+
    ///  0  |  1 |  2 | 30 |
    ///     +----+----+----+
    ///  1  |  4 |  5 |  6 |
    ///     +----+----+----+
    /// ");
    /// ```
    pub fn table(&self) -> L::Answer<Table<ElementTable<'_, S, L>>> {
        self.layout().if_flat(|| Table(ElementTable(self)))
    }
}
