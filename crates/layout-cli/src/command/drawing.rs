//! The pictures, in the terminal or as SVG.

use crate::{AnyLayout, either, read_layout};
use clap::{ArgMatches, Command};
use layout_algebra::analysis::WarpAccess;
use layout_algebra::prelude::*;
use layout_draw::{ColorBy, Draw, Picture};

use super::arguments::{Arguments, arguments, subcommands, values};
use super::failure::Failure;

/// The picture: a layout as a grid, or the picture that a word before the operands names.
pub struct Drawn {
    drawing: Option<Drawing>,
    grid: Option<Grid>,
}
impl Arguments for Drawn {
    fn added(command: Command) -> Command {
        let drawings =
            Drawing::added(command).subcommand_required(false).arg_required_else_help(false);
        let name = drawings.get_name().to_string();
        Grid::added(drawings).subcommand_negates_reqs(true).override_usage(format!(
            "layout {name} [OPTIONS] <LAYOUT>\n       layout {name} [OPTIONS] <COMMAND> \
             <OPERANDS>.."
        ))
    }
    fn read(matches: &ArgMatches) -> Option<Self> {
        Some(Drawn { drawing: Drawing::read(matches), grid: Grid::read(matches) })
    }
}
impl Drawn {
    pub fn picture(&self) -> Result<Picture, Failure> {
        match (&self.drawing, &self.grid) {
            (Some(_), Some(grid)) => Err(Failure::Usage(format!(
                "a word stands before its operands, and {} stands before the word",
                grid.layout
            ))),
            (Some(drawing), None) => drawing.picture(),
            (None, Some(grid)) => Ok(grid.picture()?),
            (None, None) => {
                Err(Failure::usage("a layout is drawn, or what a word before its operands names\n"))
            }
        }
    }
}

subcommands! {
    enum Drawing {
        /// The offsets of a layout as a grid
        Layout(Grid) = "layout";
        /// A thread-value layout in its tile: (thread, value) -> element
        ///
        /// The result of an mma.m16n8k16, thread 6 outlined:
        ///     layout draw threads '((4,8),(2,2)):((32,1),(16,8))' '(16,8)' --thread 6
        Threads(ThreadValues) = "threads";
        /// Memory as a line, with the coordinate at each offset
        Memory(Memory) = "memory";
        /// A swizzled layout with and without its swizzle, coloured by banks
        Swizzle(Swizzled) = "swizzle";
        /// The banks of a warp's first access; for a swizzled layout, with and without the swizzle
        Banks(BankAccess) = "banks";
        /// A, B and A o B: an element has one colour in all three
        Compose(Composed) = "compose";
        /// A, the tile, and A in tiles: a tile has one colour in all of them
        Divide(Divided) = "divide".visible_alias("logical-divide").alias("logical_divide");
        /// The same, a row for each coordinate in the tile and a column for each tile
        Zipped(Divided) = "zipped-divide".alias("zipped_divide");
        /// A, the grid of its copies, and the product: a copy has one colour in all of them
        Product(Copies) = "product";
        /// The same, each copy a block
        Blocked(Copies) = "blocked-product".alias("blocked_product");
        /// The same, the copies interleaved
        Raked(Copies) = "raked-product".alias("raked_product");
    }
}

arguments! {
    struct ThreadValues {
        /// The thread-value layout
        threads: DynLayout = one.value_name("THREADS").value_parser(read_layout);
        /// The tile's shape; elements are numbered leftmost mode fastest
        tile: DynShape = one.value_name("SHAPE");
        /// Highlights a thread: outlined in SVG, with * in a table
        thread: usize = maybe.long("thread").value_name("NUMBER");
    }
}

arguments! {
    struct Memory {
        /// The layout of memory: coordinate -> offset
        layout: AnyLayout = one.value_name("LAYOUT");
    }
}

arguments! {
    struct Swizzled {
        /// A swizzled layout
        layout: AnyLayout = one.value_name("LAYOUT");
        /// Bits of an element
        element: usize = preset.long("element").value_name("BITS").default_value("32").value_parser(bits);
    }
}

arguments! {
    struct Composed {
        /// The left layout, A
        left: DynLayout = one.value_name("LAYOUT").value_parser(read_layout);
        /// The right operand, B: a layout, a number, or a by-mode tiler
        right: DynTiler = one.value_name("TILER");
    }
}

arguments! {
    struct Divided {
        /// The layout to divide
        layout: DynLayout = one.value_name("LAYOUT").value_parser(read_layout);
        /// The tile: a by-mode tiler, a layout or a number
        tiler: DynTiler = one.value_name("TILER");
    }
}

arguments! {
    struct Copies {
        /// The layout to repeat
        layout: DynLayout = one.value_name("LAYOUT").value_parser(read_layout);
        /// The layout of its copies
        grid: DynLayout = one.value_name("GRID").value_parser(read_layout);
    }
}

arguments! {
    pub struct Grid {
        /// A layout: mode 0 goes down, the others go across; a shape alone is column-major
        layout: AnyLayout = one.value_name("LAYOUT");
        /// The colouring of cells
        by: By = preset.long("by").value_name("BY").default_value("offset");
        /// Bits of an element, for banks
        element: usize = preset.long("element").value_name("BITS").default_value("32").value_parser(bits);
    }
}

values! {
    pub enum By {
        Offset = "offset";
        /// The offset as the index of a thread
        Thread = "thread";
        /// The bank of shared memory, of 32 banks of 4 bytes
        Bank = "bank";
    }
}

arguments! {
    pub struct BankAccess {
        /// The layout of shared memory: coordinate -> offset
        memory: AnyLayout = one.value_name("LAYOUT");
        /// The accesses: (thread, value) -> index of a coordinate of the layout
        threads: DynLayout = one.value_name("THREADS").value_parser(read_layout);
        /// Bits of an element
        element: usize = preset.long("element").value_name("BITS").default_value("32").value_parser(bits);
        /// Bits of an access of a thread [default: one element]
        access: usize = maybe.long("access").value_name("BITS").value_parser(bits);
        /// An ldmatrix or stmatrix of this number of 8 x 8 matrices with 16 bytes a row
        ldmatrix: usize = maybe.long("ldmatrix").value_name("MATRICES").value_parser(matrices).conflicts_with("access");
    }
}

/// Bits of an element or of an access.
pub fn bits(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(bits @ (8 | 16 | 32 | 64 | 128)) => Ok(bits),
        _ => Err("8, 16, 32, 64 or 128 bits".into()),
    }
}

fn matrices(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(matrices @ (1 | 2 | 4)) => Ok(matrices),
        _ => Err("1, 2 or 4 matrices".into()),
    }
}

impl Drawing {
    fn picture(&self) -> Result<Picture, Failure> {
        Ok(match self {
            Drawing::Layout(grid) => grid.picture()?,
            Drawing::Threads(ThreadValues { threads, tile, thread }) => {
                threads.draw_thread_values(tile, *thread)?
            }
            Drawing::Memory(Memory { layout }) => either!(layout, layout => layout.draw_memory()?),
            Drawing::Swizzle(Swizzled { layout, element }) => {
                let grid = |layout| Grid { layout, by: By::Bank, element: *element };
                let AnyLayout::Swizzled(_) = layout else {
                    let sentence = format!(
                        "a swizzled layout is drawn without its swizzle and with it, and this is \
                         {layout}"
                    );
                    return Err(Failure::Usage(sentence));
                };
                grid(AnyLayout::Plain(layout.strided()))
                    .picture()?
                    .beside(grid(layout.clone()).picture()?)
            }
            Drawing::Banks(access) => access.picture()?,
            Drawing::Compose(Composed { left, right }) => left.draw_composition(right)?,
            Drawing::Divide(Divided { layout, tiler }) => layout.draw_division(tiler)?,
            Drawing::Zipped(Divided { layout, tiler }) => layout.draw_zipped_division(tiler)?,
            Drawing::Product(Copies { layout, grid }) => layout.draw_product(grid)?,
            Drawing::Blocked(Copies { layout, grid }) => layout.draw_blocked_product(grid)?,
            Drawing::Raked(Copies { layout, grid }) => layout.draw_raked_product(grid)?,
        })
    }
}

/// The layout with all modes after the first one grouped into one.
fn across(layout: &DynLayout) -> Result<DynLayout, LayoutError> {
    if layout.rank() > 2 { layout.group(1, layout.rank()) } else { Ok(layout.clone()) }
}

impl Grid {
    pub fn picture(&self) -> Result<Picture, LayoutError> {
        let by = match self.by {
            By::Offset => ColorBy::Offset,
            By::Thread => ColorBy::Thread,
            By::Bank => ColorBy::Bank { element_bits: self.element },
        };
        let grouped = self.layout.on_inner(across)?;
        let picture = either!(&grouped, layout => layout.draw(by))?;
        Ok(picture.with_title(&self.layout.to_string()))
    }
    /// Notes on the layout.
    pub fn facts(&self) -> String {
        let cosize = match self.layout.try_cosize() {
            Ok(cosize) => format!("cosize {cosize}"),
            Err(error) => error.to_string(),
        };
        match &self.layout {
            AnyLayout::Plain(layout) => {
                let yes = |is: bool, what: &'static str| if is { what } else { "" };
                let facts = [
                    yes(layout.is_injective(), ", injective"),
                    yes(layout.is_compact(), ", compact"),
                ]
                .concat();
                let (size, rank, depth) = (layout.size(), layout.rank(), layout.depth());
                format!("size {size}, {cosize}, rank {rank}, depth {depth}{facts}\n")
            }
            AnyLayout::Swizzled(layout) => {
                format!("size {}, {cosize}\n{}", layout.size(), unmoved(layout))
            }
        }
    }
}

/// A note if a swizzle changes no offset.
fn unmoved(layout: &DynComposedLayout) -> String {
    let (swizzle, few) = (layout.outer(), layout.size() <= 1 << 20);
    let inner = layout.inner();
    let stays = |i: usize| {
        let before = inner.try_index(i).ok().and_then(|offset| offset.checked_add(layout.offset()));
        before.is_some_and(|before| swizzle.apply(before) == before)
    };
    match few && layout.size() > 0 && (0..layout.size()).all(stays) {
        true => format!("{swizzle} changes no offset of this layout\n"),
        false => String::new(),
    }
}

impl BankAccess {
    /// The access in the form that the analysis takes.
    fn access(&self) -> Result<WarpAccess, Failure> {
        // Coalescing within the two modes removes extents of 1 and merges modes.
        let threads = match self.threads.rank() {
            2 => self.threads.coalesce_by(&DynShape::from((1, 1)))?,
            _ => return Err(Failure::usage("THREADS is a layout of two modes: (thread, value)")),
        };
        if threads.shape().leaves().len() > 32 {
            return Err(Failure::usage("THREADS has more than 32 leaves"));
        }
        let Some(flat) = AnyLayout::Plain(threads).flat() else {
            return Err(Failure::usage(
                "THREADS has natural strides, or XOR strides that are a swizzle of these",
            ));
        };
        if flat.size() == 0 {
            return Err(Failure::usage("THREADS has no thread or no value"));
        }
        let access =
            if self.ldmatrix.is_some() { 128 } else { self.access.unwrap_or(self.element) };
        if access % self.element != 0 {
            return Err(Failure::usage("an access is of whole elements"));
        }
        if flat.values() % (access / self.element) != 0 {
            return Err(Failure::usage("what a thread has is no whole number of accesses"));
        }
        Ok(match self.ldmatrix {
            Some(matrices) => WarpAccess::ldmatrix(&flat, self.element, matrices),
            None => WarpAccess::new(&flat, self.element, access),
        })
    }
    fn picture(&self) -> Result<Picture, Failure> {
        let access = self.access()?;
        Ok(match &self.memory {
            AnyLayout::Plain(layout) => layout.draw_banks(&access)?,
            AnyLayout::Swizzled(layout) => layout.draw_swizzle(&access)?,
        })
    }
    /// The cost of all accesses.
    pub fn costs(&self) -> Result<String, Failure> {
        let access = self.access()?;
        // A layout that cannot be drawn cannot be analysed either; the analysis returns the reason.
        self.picture()?;
        let costs = |flat: FlatLayout| {
            let found = access.bank_conflicts(&flat);
            let worst =
                found.worst.map_or("free of bank conflicts".to_string(), |worst| worst.to_string());
            let count = |number: usize, one: &str, many: &str| {
                format!("{number} {}", if number == 1 { one } else { many })
            };
            let accesses = count(found.instructions, "access", "accesses");
            let cycles = count(found.passes, "cycle", "cycles");
            format!("{accesses} in {cycles}, {} at best\n{worst}\n", found.phases)
        };
        Ok(match &self.memory {
            AnyLayout::Plain(layout) => costs(FlatLayout::of(layout)),
            AnyLayout::Swizzled(layout) => {
                let plain = costs(FlatLayout::of(&layout.inner()));
                let swizzled = costs(FlatLayout::of(layout));
                format!("without the swizzle: {plain}with it: {swizzled}{}", unmoved(layout))
            }
        })
    }
}
