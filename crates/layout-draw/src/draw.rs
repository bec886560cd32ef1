//! The pictures of a layout as its methods.

use alloc::string::String;

use layout_algebra::analysis::WarpAccess;
use layout_algebra::{IntoDynShape, IntoDynTiler, LayoutError};

use crate::drawn::{Divided, Drawn, Plain, Swizzled};
use crate::grid::ColorBy;
use crate::picture::Picture;
use crate::{algebra, banks, grid, memory, threads};

/// Pictures of layouts.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_draw::{ColorBy, Draw};
/// let nested: DynLayout = "((2,2),3):((1,6),2)".parse()?;
/// assert_eq!(nested.draw(ColorBy::Offset)?.table().to_string(), "\
/// ((2,2),3):((1,6),2)
///           0    1    2
///        +----+----+----+
/// (0,0)  |  0 |  2 |  4 |
///        +----+----+----+
/// (1,0)  |  1 |  3 |  5 |
///        +----+----+----+
/// (0,1)  |  6 |  8 | 10 |
///        +----+----+----+
/// (1,1)  |  7 |  9 | 11 |
///        +----+----+----+
/// ");
/// # Ok::<(), LayoutError>(())
/// ```
pub trait Draw: Drawn {
    /// The offsets of a layout of one mode or two, as a grid: a row for each coordinate of mode 0,
    /// a column for each of mode 1; a single mode is one row. CuTe's `print_latex`.
    ///
    /// # Errors
    /// `rank` for more modes than two, `bounds` for more than 262,144 cells, `stride` if offsets
    /// are negative.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_draw::{ColorBy, Draw};
    /// assert!(layout!((4, 6)).draw(ColorBy::Offset)?.table().to_string().starts_with("(4,6):(1,4)\n"));
    /// let error = layout!((2, 3, 4)).draw(ColorBy::Offset).unwrap_err();
    /// assert_eq!(error.to_string(), "cannot draw (2,3,4):(1,2,6): rank 2 is needed, and this is rank 3");
    /// # Ok::<(), LayoutError>(())
    /// ```
    fn draw(&self, by: ColorBy) -> Result<Picture, LayoutError> {
        grid::layout(self, by)
    }

    /// The same as SVG, coloured by offset: [`draw`](Self::draw), and of the picture
    /// [`svg`](Picture::svg).
    ///
    /// # Errors
    /// Those of [`draw`](Self::draw).
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_draw::Draw;
    /// assert!(layout!((4, 6)).svg()?.contains("<title>(4,6):(1,4)</title>"));
    /// # Ok::<(), LayoutError>(())
    /// ```
    fn svg(&self) -> Result<String, LayoutError> {
        Ok(self.draw(ColorBy::Offset)?.svg())
    }

    /// Memory as a line, in rows of 16 cells, or of 8 if coordinates are long: each cell has the
    /// coordinate of its offset. It is empty if no coordinate has the offset; if several have it,
    /// the label is the first one and the number of the others. Colours are by the index of the
    /// coordinate, the leftmost mode the fastest.
    ///
    /// # Errors
    /// `bounds` for more than 262,144 coordinates or offsets, `stride` if offsets are negative.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_draw::Draw;
    /// // Rows of 3 elements with a stride of 4.
    /// assert_eq!(layout!((2, 3):(4, 1)).draw_memory()?.table().to_string(), "\
    /// (2,3):(4,1) in memory
    ///           0       1       2       3       4       5       6
    ///     +-------+-------+-------+-------+-------+-------+-------+
    ///     | (0,0) | (0,1) | (0,2) |       | (1,0) | (1,1) | (1,2) |
    ///     +-------+-------+-------+-------+-------+-------+-------+
    /// ");
    /// # Ok::<(), LayoutError>(())
    /// ```
    fn draw_memory(&self) -> Result<Picture, LayoutError> {
        memory::memory(self)
    }

    /// The first warp's first access to shared memory of this layout: a column for each bank, a row
    /// for each word of the banks, and in each cell the thread that accesses the word. Conflicting
    /// words are outlined: different words of one bank, accessed in one phase. The title has the
    /// number of passes (cycles) of the access by [`analysis`](layout_algebra::analysis).
    ///
    /// # Errors
    /// `divisibility` if the elements of an access are not contiguous or not aligned to their size;
    /// `bounds` if a thread has elements beyond the layout, or for more than 262,144 elements or
    /// words; `rank` for more than 32 leaves; `stride` if offsets are negative; `carry` if XOR
    /// strides are not a swizzle of natural ones.
    ///
    /// ```
    /// use layout_algebra::{analysis::WarpAccess, prelude::*};
    /// use layout_draw::Draw;
    /// // A warp reads a column of a tile of 32 x 32 words.
    /// let column = WarpAccess::new(&FlatLayout::of(&layout!((32, 1):(1, 0))), 32, 32);
    /// let picture = layout!((32, 32): right).draw_banks(&column)?;
    /// assert!(picture.svg().contains("32 cycles, 1 at best"));
    /// let padded = layout!((32, 32):(33, 1)).draw_banks(&column)?;
    /// assert!(padded.svg().contains("1 cycle, free of conflicts"));
    /// # Ok::<(), LayoutError>(())
    /// ```
    fn draw_banks(&self, access: &WarpAccess) -> Result<Picture, LayoutError> {
        banks::banks(self, access)
    }

    /// The first warp's first access to the layout without its swizzle, and with it, as in
    /// [`draw_banks`](Self::draw_banks).
    ///
    /// # Errors
    /// Those of [`draw_banks`](Self::draw_banks).
    ///
    /// ```
    /// use layout_algebra::{analysis::WarpAccess, prelude::*};
    /// use layout_draw::Draw;
    /// let column = WarpAccess::new(&FlatLayout::of(&layout!((32, 1):(1, 0))), 32, 32);
    /// let tile = Swizzle::<5, 0, 5>::new().compose(layout!((32, 32): right));
    /// let svg = tile.draw_swizzle(&column)?.svg();
    /// assert!(svg.contains("32 cycles, 1 at best") && svg.contains("1 cycle, free of conflicts"));
    /// # Ok::<(), LayoutError>(())
    /// ```
    fn draw_swizzle(&self, access: &WarpAccess) -> Result<Picture, LayoutError>
    where
        Self: Swizzled,
    {
        banks::swizzle(self, access)
    }

    /// The thread and value of each element of a tile, for a thread-value layout
    /// `(thread, value) -> element`. Elements are indexed with the leftmost mode of the tile the
    /// fastest. `T3` above `V1` is value 1 of thread 3. A thread has a hue, with a paler shade for
    /// each value, and thread `chosen` is outlined. If several threads have an element, the label
    /// is the first one and the number of the others, `T0+3`. CuTe's `print_latex` of thread-value
    /// layouts.
    ///
    /// # Errors
    /// `rank` if the layout does not have two modes, or the tile has more than two; `bounds` if the
    /// layout has elements beyond the tile, if there is no thread `chosen`, or for more than
    /// 262,144 cells; `stride` if offsets are negative.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_draw::Draw;
    /// // The elements of each thread in the result of an `mma.m16n8k16`, thread 6 outlined.
    /// let tv = layout!(((4, 8), (2, 2)):((32, 1), (16, 8)));
    /// let picture = tv.draw_thread_values((16, 8), Some(6))?;
    /// assert!(picture.svg().contains(">T6<"));
    /// assert!(tv.draw_thread_values((8, 8), None).is_err());
    /// # Ok::<(), LayoutError>(())
    /// ```
    fn draw_thread_values(
        &self,
        tile: impl IntoDynShape,
        chosen: Option<usize>,
    ) -> Result<Picture, LayoutError>
    where
        Self: Plain,
    {
        threads::thread_values(self, tile.into(), chosen)
    }

    /// The layout, `right`, and their composition. An element has the same colour in the
    /// composition, in `right` and in the layout; elements of the layout that `right` does not
    /// reach are blank.
    ///
    /// # Errors
    /// Those of [`DynLayout::compose`](layout_algebra::DynLayout::compose); `rank` if one of the
    /// three has more than two modes; `bounds` if an entry of a tiler exceeds its mode, or for more
    /// than 262,144 cells.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_draw::Draw;
    /// let picture = layout!((4, 6):(1, 4)).draw_composition(layout!((2, 3):(2, 8)))?;
    /// assert!(picture.table().to_string().contains("\nA o B = (2,3):(2,8)\n"));
    /// let error = layout!((4, 6):(1, 5)).draw_composition(layout!(5:3)).unwrap_err();
    /// assert_eq!(error.operation(), "compose");
    /// # Ok::<(), LayoutError>(())
    /// ```
    fn draw_composition(&self, right: impl IntoDynTiler) -> Result<Picture, LayoutError>
    where
        Self: Drawn<Dynamic: Divided>,
    {
        algebra::composition(self, right.into())
    }

    /// The layout, the tile, and
    /// [`DynLayout::logical_divide`](layout_algebra::DynLayout::logical_divide) of both: each mode
    /// is (tile, rest). Each tile has a hue, in the layout and in the result.
    ///
    /// # Errors
    /// Those of [`DynLayout::logical_divide`](layout_algebra::DynLayout::logical_divide); `rank`
    /// if the layout or the tile has more than two modes, `bounds` for more than 262,144 cells.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_draw::Draw;
    /// let picture = layout!((4, 6):(1, 4)).draw_division(tiler!(2, 3))?;
    /// assert!(picture.table().to_string().contains("\nlogical_divide = ((2,2),(3,2)):((1,2),(4,12))\n"));
    /// # Ok::<(), LayoutError>(())
    /// ```
    fn draw_division(&self, tiler: impl IntoDynTiler) -> Result<Picture, LayoutError>
    where
        Self: Drawn<Dynamic: Divided>,
    {
        algebra::logical_division(self, tiler.into())
    }

    /// [`draw_division`](Self::draw_division) for
    /// [`DynLayout::zipped_divide`](layout_algebra::DynLayout::zipped_divide): a row for each
    /// coordinate in the tile, a column for each tile.
    ///
    /// # Errors
    /// Those of [`DynLayout::zipped_divide`](layout_algebra::DynLayout::zipped_divide), and of
    /// [`draw_division`](Self::draw_division).
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_draw::Draw;
    /// let picture = layout!((4, 6):(1, 4)).draw_zipped_division(tiler!(2, 3))?;
    /// assert!(picture.table().to_string().contains("\nzipped_divide = ((2,3),(2,2)):((1,4),(2,12))\n"));
    /// # Ok::<(), LayoutError>(())
    /// ```
    fn draw_zipped_division(&self, tiler: impl IntoDynTiler) -> Result<Picture, LayoutError>
    where
        Self: Drawn<Dynamic: Divided>,
    {
        algebra::zipped_division(self, tiler.into())
    }

    /// The layout, the layout of its copies, and their
    /// [`DynLayout::zipped_product`](layout_algebra::DynLayout::zipped_product): a row for each
    /// element, a column for each copy. Each copy has the hue of its cell in the layout of copies.
    ///
    /// # Errors
    /// Those of [`DynLayout::zipped_product`](layout_algebra::DynLayout::zipped_product); `rank`
    /// if one of the three has more than two modes, `bounds` for more than 262,144 cells or
    /// offsets, `stride` if offsets are negative.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_draw::Draw;
    /// let picture = layout!((2, 2)).draw_product(&layout!((2, 3)))?;
    /// assert!(picture.table().to_string().contains("\nzipped_product = ((2,2),(2,3)):((1,2),(4,8))\n"));
    /// assert_eq!(layout!((2, 2):(1, 1)).draw_product(&layout!(3)).unwrap_err().operation(), "zipped_product");
    /// # Ok::<(), LayoutError>(())
    /// ```
    fn draw_product(&self, grid: &(impl Plain + ?Sized)) -> Result<Picture, LayoutError>
    where
        Self: Plain,
    {
        algebra::zipped_product(self, grid)
    }

    /// [`draw_product`](Self::draw_product) for
    /// [`DynLayout::blocked_product`](layout_algebra::DynLayout::blocked_product): each copy is a
    /// block.
    ///
    /// # Errors
    /// Those of [`DynLayout::blocked_product`](layout_algebra::DynLayout::blocked_product), and of
    /// [`draw_product`](Self::draw_product).
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_draw::Draw;
    /// let picture = layout!((2, 2)).draw_blocked_product(&layout!((2, 3)))?;
    /// assert!(picture.table().to_string().contains("\nblocked_product = ((2,2),(2,3)):((1,4),(2,8))\n"));
    /// # Ok::<(), LayoutError>(())
    /// ```
    fn draw_blocked_product(&self, grid: &(impl Plain + ?Sized)) -> Result<Picture, LayoutError>
    where
        Self: Plain,
    {
        algebra::blocked_product(self, grid)
    }

    /// [`draw_product`](Self::draw_product) for
    /// [`DynLayout::raked_product`](layout_algebra::DynLayout::raked_product): the copies are
    /// interleaved.
    ///
    /// # Errors
    /// Those of [`DynLayout::raked_product`](layout_algebra::DynLayout::raked_product), and of
    /// [`draw_product`](Self::draw_product).
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_draw::Draw;
    /// let picture = layout!((2, 2)).draw_raked_product(&layout!((2, 3)))?;
    /// assert!(picture.table().to_string().contains("\nraked_product = ((2,2),(3,2)):((4,1),(8,2))\n"));
    /// # Ok::<(), LayoutError>(())
    /// ```
    fn draw_raked_product(&self, grid: &(impl Plain + ?Sized)) -> Result<Picture, LayoutError>
    where
        Self: Plain,
    {
        algebra::raked_product(self, grid)
    }
}
impl<L: Drawn> Draw for L {}
