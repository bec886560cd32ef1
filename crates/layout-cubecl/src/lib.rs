//! Layouts in kernels of CubeCL: a view is indexed by a layout of the crate `layout-algebra`.
//!
//! The index function consists of the operations of `layout-emit`: shifts and masks for powers of
//! two, one XOR for a swizzle. Static numbers are constants of the kernel, run-time numbers are
//! arguments of its launch:
//!
//! ```
//! use cubecl::prelude::*;
//! use cubecl_std::tensor::{View, launch::ViewArg, layout::Coords2d};
//! use layout_algebra::prelude::*;
//! use layout_cubecl::{Argument, CubeLayout};
//!
//! #[cube(launch_unchecked)]
//! fn double(from: View<f32, Coords2d>, mut to: View<f32, Coords2d, ReadWrite>) {
//!     let place = (UNIT_POS_X, UNIT_POS_Y);
//!     to[place] = from[place] * 2.0;
//! }
//!
//! fn launch<R: Runtime>(
//!     client: &ComputeClient<R>,
//!     from: ArrayArg<R>,
//!     to: ArrayArg<R>,
//!     columns: usize,
//! ) -> Result<(), layout_cubecl::LayoutError> {
//!     // One kernel for each type of layout; `columns` is an argument of the kernel.
//!     let rows = Argument::of(&layout!((4, columns):(columns, 1)))?;
//!     let tile = Argument::of(&layout!((4, 6):(1, 4)))?;
//!     let from = ViewArg::new_array::<CubeLayout<Coords2d>>(from, rows);
//!     let to = ViewArg::new_array::<CubeLayout<Coords2d>>(to, tile);
//!     let (count, dim) = (CubeCount::new_single(), CubeDim::new_2d(4, 6));
//!     // SAFETY: both arrays are as long as the cosizes of their layouts.
//!     unsafe { double::launch_unchecked::<R>(client, count, dim, from, to) };
//!     Ok(())
//! }
//! # fn main() {}
//! ```

use std::collections::HashMap;
use std::fmt::{self, Display};
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::sync::Arc;

use cubecl::frontend::{add, bitand, bitxor, div, mul, rem, shl, shr, sub};
use cubecl::prelude::*;
use cubecl::{intrinsic, unexpanded};
use cubecl_std::tensor::layout::{Coordinates, Coords1d, Layout, LayoutExpand};
use layout_algebra::DynLayout;
pub use layout_emit::EmitError as LayoutError;
use layout_emit::{Index, NamedLayout, Node, Op};

/// Coordinates of a layout: one index, with the leftmost mode the fastest, or one number for each
/// top-level mode.
///
/// ```
/// use cubecl_std::tensor::layout::{Coords1d, Coords3d};
/// use layout_cubecl::Coordinate;
/// assert_eq!((Coords1d::RANK, Coords3d::RANK), (1, 3));
/// ```
pub trait Coordinate: Coordinates + 'static {
    /// The number of components.
    const RANK: usize;
    /// The numbers of a coordinate in a kernel.
    #[doc(hidden)]
    fn numbers(scope: &mut Scope, coordinate: Self::ExpandType) -> Vec<NativeExpand<u32>>;
    /// The coordinate of [`RANK`](Self::RANK) numbers in a kernel.
    #[doc(hidden)]
    fn of_numbers(scope: &mut Scope, numbers: Vec<NativeExpand<u32>>) -> Self::ExpandType;
}

impl Coordinate for Coords1d {
    const RANK: usize = 1;
    fn numbers(scope: &mut Scope, coordinate: Self::ExpandType) -> Vec<NativeExpand<u32>> {
        vec![u32::__expand_cast_from(scope, coordinate)]
    }
    fn of_numbers(scope: &mut Scope, mut numbers: Vec<NativeExpand<u32>>) -> Self::ExpandType {
        usize::__expand_cast_from(scope, numbers.remove(0))
    }
}

macro_rules! coordinate {
    ($rank:literal: $($name:ident $number:ident),+) => {
        impl Coordinate for ($($number,)+) {
            const RANK: usize = $rank;
            fn numbers(_: &mut Scope, ($($name,)+): Self::ExpandType) -> Vec<NativeExpand<u32>> {
                vec![$($name),+]
            }
            fn of_numbers(_: &mut Scope, numbers: Vec<NativeExpand<u32>>) -> Self::ExpandType {
                let mut numbers = numbers.into_iter();
                $(let $name = numbers.next().expect("as many as the rank");)+
                ($($name,)+)
            }
        }
    };
}
coordinate!(2: a u32, b u32);
coordinate!(3: a u32, b u32, c u32);
coordinate!(4: a u32, b u32, c u32, d u32);
coordinate!(5: a u32, b u32, c u32, d u32, e u32);

/// The index function of a layout, without its run-time numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Function {
    /// The layout as text, with a name for each run-time number.
    text: String,
    operations: Vec<(Node, Op)>,
    result: Node,
}

/// A layout as an argument of a kernel: a launch argument, for a view of memory, or a constant of
/// the kernel, for a tile in shared memory.
///
/// Offsets are relative to the element at coordinate 0. The memory starts at the element of the
/// least offset.
///
/// `C` is the type of the coordinates: a layout of another rank is an error when the argument is
/// made.
///
/// ```
/// use cubecl_std::tensor::layout::Coords2d;
/// use layout_algebra::prelude::*;
/// use layout_cubecl::Argument;
/// // A kernel for any number of columns, and a kernel for this layout alone.
/// let columns = 6;
/// let rows: Argument<Coords2d> = Argument::of(&layout!((4, columns):(columns, 1)))?;
/// let constant = Argument::constant(&layout!((4, columns):(columns, 1)))?;
/// assert_ne!(rows, constant);
/// # Ok::<(), layout_cubecl::LayoutError>(())
/// ```
pub struct Argument<C> {
    layout: Numbered,
    coordinate: PhantomData<fn() -> C>,
}

impl<C> Clone for Argument<C> {
    fn clone(&self) -> Self {
        Argument { layout: self.layout.clone(), coordinate: PhantomData }
    }
}
impl<C> fmt::Debug for Argument<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.layout.fmt(f)
    }
}
impl<C> PartialEq for Argument<C> {
    fn eq(&self, other: &Self) -> bool {
        self.layout == other.layout
    }
}
impl<C> Eq for Argument<C> {}
impl<C> Hash for Argument<C> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.layout.hash(state);
    }
}

/// The index function of a layout, and its run-time numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Numbered {
    /// The function of a view's coordinates: one index, or one number for each mode.
    function: Arc<Function>,
    /// The values of the names in the text, then the extents of the modes. If `constant`, the
    /// kernel is compiled for them.
    values: Vec<u32>,
    names: usize,
    constant: bool,
    base: u32,
}

impl<C: Coordinate> Argument<C> {
    /// A layout whose static numbers are constants of the kernel, and whose run-time numbers are
    /// arguments.
    ///
    /// A swizzle and its offset are constants, and so are all numbers of a layout with XOR or
    /// negative strides.
    ///
    /// # Errors
    /// If the layout is empty, its rank is not that of `C`, or numbers exceed 32 bits.
    ///
    /// ```
    /// use cubecl_std::tensor::layout::{Coords1d, Coords2d};
    /// use layout_algebra::prelude::*;
    /// use layout_cubecl::Argument;
    /// let error = Argument::<Coords2d>::of(&"(4,0):(1,4)".parse::<DynLayout>()?).unwrap_err();
    /// assert_eq!(error.to_string(), "(4,0):(1,4) has no coordinate, so a view of it has no element");
    /// let cube: DynLayout = "(4,6,2):(1,4,24)".parse()?;
    /// let error = Argument::<Coords2d>::of(&cube).unwrap_err();
    /// assert_eq!(error.to_string(), "(4,6,2):(1,4,24) has 3 modes, and a coordinate of the view 2 numbers");
    /// // A layout of any rank can be indexed by one number.
    /// assert!(Argument::<Coords1d>::of(&cube).is_ok());
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn of<L: layout_algebra::Layout + Display>(layout: &L) -> Result<Self, LayoutError> {
        let text = layout.to_string();
        Self::named(layout, text.contains(['^', '-']))
    }

    /// A layout whose numbers are all constants of the kernel.
    ///
    /// # Errors
    /// Those of [`of`](Self::of).
    ///
    /// ```
    /// use cubecl_std::tensor::layout::Coords2d;
    /// use layout_algebra::prelude::*;
    /// use layout_cubecl::Argument;
    /// // A static layout has no run-time numbers: both are equal.
    /// let tile = layout!((4, 6):(1, 4));
    /// assert_eq!(Argument::<Coords2d>::constant(&tile)?, Argument::of(&tile)?);
    /// # Ok::<(), layout_cubecl::LayoutError>(())
    /// ```
    pub fn constant<L: layout_algebra::Layout + Display>(layout: &L) -> Result<Self, LayoutError> {
        Self::named(layout, true)
    }

    fn named<L: layout_algebra::Layout + Display>(
        layout: &L,
        constant: bool,
    ) -> Result<Self, LayoutError> {
        let plain = format!("{layout:#}");
        let word = |number: usize| {
            let beyond =
                || LayoutError::Refused(format!("{plain} has numbers beyond 32 bits: {number}"));
            u32::try_from(number).map_err(|_| beyond())
        };
        let refused = |why: String| Err(LayoutError::Refused(format!("{plain} has {why}")));
        if ![1, layout.rank()].contains(&C::RANK) {
            let numbers = C::RANK;
            return refused(format!(
                "{} modes, and a coordinate of the view {numbers} numbers",
                layout.rank()
            ));
        }
        if layout.size() == 0 {
            return refused("no coordinate, so a view of it has no element".into());
        }
        // The index has to fit 32 bits.
        if C::RANK == 1 {
            word(layout.size())?;
        }
        word(layout.cosize().saturating_sub(1))?;
        let (text, numbers) = names(&layout.to_string(), constant);
        let index = Index::of(&text.parse::<NamedLayout>()?).bits(32);
        let index = if C::RANK == 1 { index.flat() } else { index };
        let (operations, results) = index.operations()?;
        let base = if plain.starts_with("Sw") { 0 } else { plain.parse::<DynLayout>()?.base() };
        let extents = (0..layout.rank()).map(|mode| word(layout.mode_size(mode)));
        let layout = Numbered {
            function: Arc::new(Function { text, operations, result: results[0] }),
            names: numbers.len(),
            // All offsets fit 32 bits. So a number that does not is a stride of extent 1, and may
            // be truncated.
            values: numbers
                .iter()
                .map(|&number| Ok(number as u32))
                .chain(extents)
                .collect::<Result<_, _>>()?,
            constant: numbers.is_empty(),
            base: word(base)?,
        };
        Ok(Argument { layout, coordinate: PhantomData })
    }

    /// The part that the kernel is compiled for: everything but the run-time numbers.
    fn kernel(&self) -> Self {
        let Numbered { values, constant, .. } = &self.layout;
        let layout = match constant {
            true => self.layout.clone(),
            false => Numbered { values: vec![0; values.len()], base: 0, ..self.layout.clone() },
        };
        Argument { layout, coordinate: PhantomData }
    }
}

/// The text with a name in place of each run-time number, and these numbers. Static numbers have an
/// underscore in `text`.
fn names(text: &str, constant: bool) -> (String, Vec<usize>) {
    let layout = text.rfind(" o ").map_or(0, |at| at + 3);
    let (mut named, mut numbers, mut rest) =
        (text[..layout].replace('_', ""), Vec::new(), &text[layout..]);
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let end =
            rest[at..].find(|c: char| !c.is_ascii_digit()).map_or(rest.len(), |length| at + length);
        let is_static = rest[..at].ends_with('_');
        named += rest[..at].trim_end_matches('_');
        match rest[at..end].parse() {
            Ok(number) if !constant && !is_static => {
                named += &format!("n{}", numbers.len());
                numbers.push(number);
            }
            _ => named += &rest[at..end],
        }
        rest = &rest[end..];
    }
    (named + rest, numbers)
}

/// The layout of a view: from coordinates of the layout's shape to offsets of an array.
///
/// In a kernel, [`CubeLayout::constant`] makes one from an argument.
///
/// ```
/// use cubecl::prelude::*;
/// use cubecl_std::tensor::{AsViewMut, AsViewMutExpand, View, layout::Coords2d};
/// use layout_cubecl::{Argument, CubeLayout};
/// // A transpose through a tile of shared memory, whose layout is a constant of the kernel.
/// #[cube(launch_unchecked)]
/// fn transpose(
///     from: View<f32, Coords2d>,
///     mut to: View<f32, Coords2d, ReadWrite>,
///     #[comptime] tile: Argument<Coords2d>,
/// ) {
///     let mut memory = SharedMemory::<f32>::new(1024usize);
///     let mut tile = memory.view_mut(CubeLayout::<Coords2d>::constant(tile));
///     let (x, y) = (UNIT_POS_X, UNIT_POS_Y);
///     tile[(y, x)] = from[(y, x)];
///     sync_cube();
///     to[(x, y)] = tile[(y, x)];
/// }
/// # fn main() {}
/// ```
#[derive(Clone)]
pub struct CubeLayout<C: Coordinate>(PhantomData<C>);

/// A [`CubeLayout`] during the expansion of its kernel.
#[doc(hidden)]
#[derive(Clone)]
pub struct CubeLayoutExpand<C: Coordinate> {
    argument: Argument<C>,
    /// The names and the extents.
    values: Vec<NativeExpand<u32>>,
    base: NativeExpand<u32>,
    coordinate: PhantomData<C>,
}

impl<C: Coordinate> CubeType for CubeLayout<C> {
    type ExpandType = CubeLayoutExpand<C>;
}
impl<C: Coordinate> IntoMut for CubeLayoutExpand<C> {
    fn into_mut(self, _: &mut Scope) -> Self {
        self
    }
}
impl<C: Coordinate> CubeDebug for CubeLayoutExpand<C> {}

impl<C: Coordinate + Send + Sync> LaunchArg for CubeLayout<C> {
    type RuntimeArg<R: Runtime> = Argument<C>;
    type CompilationArg = Argument<C>;

    fn register<R: Runtime>(
        argument: Argument<C>,
        launcher: &mut KernelLauncher<R>,
    ) -> Argument<C> {
        let kernel = argument.kernel();
        let Numbered { values, constant, base, .. } = argument.layout;
        if !constant {
            for value in values.into_iter().chain([base]) {
                <u32 as LaunchArg>::register(value, launcher);
            }
        }
        kernel
    }
    fn expand(argument: &Argument<C>, builder: &mut KernelBuilder) -> CubeLayoutExpand<C> {
        CubeLayoutExpand::new(argument.clone(), |value| match argument.layout.constant {
            true => NativeExpand::from_lit(&builder.scope, value),
            false => <u32 as LaunchArg>::expand(&(), builder),
        })
    }
}

impl<C: Coordinate> CubeLayout<C> {
    /// The layout of an argument whose numbers are all constants of the kernel, run-time numbers
    /// too: one kernel is compiled for each of their values.
    pub fn constant(_argument: Argument<C>) -> Self {
        unexpanded!()
    }
    #[doc(hidden)]
    pub fn __expand_constant(scope: &mut Scope, argument: Argument<C>) -> CubeLayoutExpand<C> {
        CubeLayoutExpand::new(argument, |value| NativeExpand::from_lit(scope, value))
    }
}

impl<C: Coordinate> CubeLayoutExpand<C> {
    fn new(argument: Argument<C>, mut value: impl FnMut(u32) -> NativeExpand<u32>) -> Self {
        let Numbered { values, base, .. } = &argument.layout;
        let (values, base) = (values.iter().map(|&number| value(number)).collect(), value(*base));
        CubeLayoutExpand { argument, values, base, coordinate: PhantomData }
    }

    /// Expands the offset into operations of the kernel.
    fn offset(&self, scope: &mut Scope, coordinate: C::ExpandType) -> NativeExpand<usize> {
        let coordinates = C::numbers(scope, coordinate);
        let Numbered { function, constant, base, .. } = &self.argument.layout;
        let mut values: HashMap<Node, NativeExpand<u32>> = HashMap::new();
        for (node, op) in &function.operations {
            let of = |node: &Node| values[node].clone();
            let number = |number: u32| NativeExpand::from_lit(scope, number);
            let value = match op {
                Op::Input(name) => match (name.strip_prefix('n'), name.strip_prefix('c')) {
                    (Some(name), _) => self.values[name.parse::<usize>().expect("a name")].clone(),
                    (_, Some(mode)) => coordinates[mode.parse::<usize>().expect("a mode")].clone(),
                    _ => coordinates
                        [["i", "j", "k"].iter().position(|known| known == name).expect("a mode")]
                    .clone(),
                },
                Op::Number(value) => number(*value as u32),
                Op::Add(a, b) => add::expand(scope, of(a), of(b)),
                Op::Sub(a, b) => sub::expand(scope, of(a), of(b)),
                Op::Mul(a, b) => mul::expand(scope, of(a), of(b)),
                Op::Div(a, b) => div::expand(scope, of(a), of(b)),
                Op::Rem(a, b) => rem::expand(scope, of(a), of(b)),
                Op::Xor(a, b) => bitxor::expand(scope, of(a), of(b)),
                Op::Shl(a, by) => shl::expand(scope, of(a), number(*by)),
                Op::Shr(a, by) => shr::expand(scope, of(a), number(*by)),
                Op::And(a, mask) => bitand::expand(scope, of(a), number(*mask as u32)),
                Op::Less(..) | Op::Equal(..) | Op::Both(..) => {
                    unreachable!("an offset without conditions")
                }
            };
            values.insert(*node, value);
        }
        let offset = values[&function.result].clone();
        let offset = if *constant && *base == 0 {
            offset
        } else {
            add::expand(scope, offset, self.base.clone())
        };
        usize::__expand_cast_from(scope, offset)
    }

    fn extents(&self, scope: &mut Scope) -> C::ExpandType {
        let extents = self.values[self.argument.layout.names..].to_vec();
        let extents = match C::RANK {
            1 => vec![extents.into_iter().reduce(|a, b| mul::expand(scope, a, b)).expect("a mode")],
            _ => extents,
        };
        C::of_numbers(scope, extents)
    }
}

#[cube]
impl<C: Coordinate> Layout for CubeLayout<C> {
    type Coordinates = C;
    type SourceCoordinates = Coords1d;

    fn to_source_pos(&self, _pos: C) -> Coords1d {
        intrinsic!(|scope| self.offset(scope, _pos))
    }
    fn to_source_pos_checked(&self, pos: C) -> (Coords1d, bool) {
        (self.to_source_pos(pos.clone()), self.is_in_bounds(pos))
    }
    fn shape(&self) -> C {
        intrinsic!(|scope| self.extents(scope))
    }
    fn is_in_bounds(&self, pos: C) -> bool {
        C::is_in_bounds(&pos, &self.shape())
    }
}
