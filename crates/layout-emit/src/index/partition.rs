//! Thread-value layouts as code: the coordinate of a thread's value in a tile; layouts of tensor
//! cores by name.
//!
//! ```text
//! f(thread, value) = the coordinate in the tile of element TV(thread, value)
//! ```

use layout_algebra::prelude::*;

use super::expr::{Graph, Node};
use super::function::{Function, Word, fit_narrowest};
use super::offset::offset;
use super::print::{print_file, print_header, wrap_lines};
use super::sum::Work;
use crate::error::EmitError;
use crate::language::Language;
use crate::source::{NamedLayout, layout};

/// The atoms, a row each: name, M, N, K, and the thread-value layouts of A, B and C. A test of
/// `layout-instructions` compares them with its own.
///
/// ```
/// let mut rows = layout_emit::ATOMS.lines();
/// let row = rows.find(|row| row.starts_with("SM80_16x8x16_F32F16F16F32_TN 16 8 16 ")).unwrap();
/// assert!(row.ends_with(" ((4,8),(2,2)):((32,1),(16,8))"));
/// ```
pub const ATOMS: &str = include_str!("../atoms.txt");

/// An operand of a product.
///
/// ```
/// use layout_emit::Operand;
/// assert_eq!("c".parse::<Operand>()?, Operand::C);
/// # Ok::<(), layout_emit::EmitError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// The left factor, M x K.
    A,
    /// The right factor, N x K.
    B,
    /// The result, M x N.
    C,
}
impl std::str::FromStr for Operand {
    type Err = EmitError;
    fn from_str(text: &str) -> Result<Self, EmitError> {
        match text {
            "a" | "A" => Ok(Operand::A),
            "b" | "B" => Ok(Operand::B),
            "c" | "C" => Ok(Operand::C),
            _ => EmitError::input(format!("no operand `{text}`: a, b or c")),
        }
    }
}

/// The coordinate of a thread's value in a tile, for printing as a function.
///
/// Law: the function returns the coordinate, in the shape of the tile, of the index that the
/// thread-value layout gives.
///
/// ```
/// use layout_emit::{Language, Operand, Partition};
/// let fragment = Partition::of_atom("SM80_16x8x16_F32F16F16F32_TN", Operand::C)?;
/// assert_eq!(fragment.name("c_element").emit(Language::Wgsl)?, "\
/// // The element (m, n) that a thread's value is in the tile of 16 x 8 of C of SM80_16x8x16_F32F16F16F32_TN: 32 threads
/// // with 4 values each, ((4,8),(2,2)):((32,1),(16,8)).
/// struct c_element_t {
///     m: u32,
///     n: u32,
/// }
/// fn c_element(thread: u32, value: u32) -> c_element_t {
///     return c_element_t((thread >> 2u) + ((value & 2u) << 2u), ((thread & 3u) << 1u) + (value & 1u));
/// }
/// ");
/// # Ok::<(), layout_emit::EmitError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Partition {
    threads: NamedLayout,
    tile: Vec<usize>,
    what: String,
    coordinates: Vec<String>,
    name: String,
}

impl Partition {
    /// The partition of a thread-value layout, which maps (thread, value) to the index of an
    /// element of the tile, leftmost mode fastest. A `TiledCopy` has two such layouts,
    /// `layout_s_tv()` and `layout_d_tv()`, to be converted by `to_dynamic()`.
    ///
    /// # Errors
    /// [`EmitError::Input`] if the layout does not have two modes, or an offset of the layout is
    /// outside the tile.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_emit::{Language, Partition};
    /// let threads: DynLayout = "((4,8),(2,2)):((32,1),(16,8))".parse()?;
    /// let tile: DynShape = "(16,8)".parse()?;
    /// let code = Partition::of(&threads, &tile)?.emit(Language::Rust)?;
    /// assert!(code.contains("pub const fn element_of(thread: u32, value: u32) -> [u32; 2]"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(threads: &DynLayout, tile: &DynShape) -> Result<Self, EmitError> {
        let named = NamedLayout::from(threads);
        named.check_leaves()?;
        if threads.rank() != 2 || threads.size() == 0 {
            return EmitError::input(format!(
                "{threads} has not two modes with coordinates, threads and values"
            ));
        }
        let extents: Vec<usize> =
            tile.children().map(|mode| mode.try_size()).collect::<Result<_, _>>()?;
        let size = tile.try_size()?;
        if threads.base() != 0 || threads.cosize() > size {
            return EmitError::input(format!(
                "{threads} has offsets beyond a tile of {tile}, {size} elements"
            ));
        }
        let coordinates = match extents.len() {
            1 => vec!["element".into()],
            rank => (0..rank).map(|k| format!("c{k}")).collect(),
        };
        Ok(Partition {
            threads: named,
            tile: extents,
            what: String::new(),
            coordinates,
            name: "element_of".into(),
        })
    }

    /// The partition of a fragment of a tensor-core instruction, by CuTe's name.
    ///
    /// # Errors
    /// [`EmitError::Input`] if no instruction has this name.
    ///
    /// ```
    /// use layout_emit::{Operand, Partition};
    /// assert!(Partition::of_atom("SM90_64x128x16_F32F16F16_SS", Operand::C).is_ok());
    /// let error = Partition::of_atom("SM80_16x8x16", Operand::C).unwrap_err().to_string();
    /// assert!(error.contains("SM80_16x8x16_F32F16F16F32_TN"), "{error}");
    /// ```
    pub fn of_atom(name: &str, operand: Operand) -> Result<Self, EmitError> {
        let rows = || ATOMS.lines().map(|line| line.split(' ').collect::<Vec<_>>());
        let Some(row) = rows().find(|row| row[0] == name) else {
            let near: Vec<_> = rows()
                .map(|row| row[0])
                .filter(|n| !name.is_empty() && n.starts_with(name))
                .collect();
            let near = near[..near.len().min(8)].join(", ");
            let near = if near.is_empty() { near } else { format!(": is it {near}?") };
            return EmitError::input(format!("no instruction `{name}`{near}"));
        };
        let (layout, tile, modes) = match operand {
            Operand::A => (row[4], [row[1], row[3]], ["m", "k"]),
            Operand::B => (row[5], [row[2], row[3]], ["n", "k"]),
            Operand::C => (row[6], [row[1], row[2]], ["m", "n"]),
        };
        let tile: DynShape = format!("({},{})", tile[0], tile[1]).parse()?;
        let mut partition = Partition::of(&layout.parse()?, &tile)?;
        partition.coordinates = modes.map(String::from).to_vec();
        partition.what = format!(" of {operand:?} of {name}");
        Ok(partition)
    }

    /// The partition of a copy by these threads and values, as by `make_tiled_copy`: the tile is
    /// the raked product.
    ///
    /// # Errors
    /// The errors of [`DynLayout::raked_product`] and [`Partition::of`]; [`EmitError::Refused`] if
    /// a layout has more than 1,000 extents.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_emit::{Language, Partition};
    /// let threads: DynLayout = "(32,8):(8,1)".parse()?;
    /// let values: DynLayout = "(1,4):(4,1)".parse()?;
    /// let code = Partition::of_copy(&threads, &values)?.emit(Language::Python)?;
    /// assert!(code.contains("return thread >> 3, ((thread & 7) << 2) + value"), "{code}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_copy(threads: &DynLayout, values: &DynLayout) -> Result<Self, EmitError> {
        [threads, values]
            .iter()
            .try_for_each(|layout| NamedLayout::from(*layout).check_leaves())?;
        let tile = threads.raked_product(values)?;
        let dealt = tile.right_inverse().with_shape(&[threads.size(), values.size()].into())?;
        let extents = tile.modes().map(|mode| DynShape::from(mode.size()));
        Partition::of(&dealt, &DynShape::tuple(extents)?)
    }

    /// The name of the function.
    ///
    /// ```
    /// use layout_emit::{Language, Operand, Partition};
    /// let a = Partition::of_atom("SM80_16x8x16_F32F16F16F32_TN", Operand::A)?.name("a_element");
    /// assert!(a.emit(Language::Glsl)?.contains("a_element_t a_element(uint thread, uint value)"));
    /// # Ok::<(), layout_emit::EmitError>(())
    /// ```
    pub fn name(mut self, name: &str) -> Self {
        self.name = name.into();
        self
    }

    /// The function in a language, with a comment that describes it, after the common definitions.
    ///
    /// # Errors
    /// [`EmitError::Input`] if the name is a word of the language or not a valid name.
    pub fn emit(&self, language: Language) -> Result<String, EmitError> {
        print_file(&[self.narrowest(language)?], language)
    }

    /// A header with the function, as [`Module::header`](crate::Module::header).
    ///
    /// # Errors
    /// The errors of [`emit`](Self::emit); [`EmitError::Refused`] for languages without headers.
    ///
    /// ```
    /// use layout_emit::{Language, Operand, Partition};
    /// let c = Partition::of_atom("SM80_16x8x16_F32F16F16F32_TN", Operand::C)?;
    /// assert!(c.header(Language::Hip)?.contains("LAYOUT_FUNCTION element_of_t element_of("));
    /// # Ok::<(), layout_emit::EmitError>(())
    /// ```
    pub fn header(&self, language: Language) -> Result<String, EmitError> {
        print_header(&[self.narrowest(language)?], language)
    }

    fn narrowest(&self, language: Language) -> Result<Function, EmitError> {
        fit_narrowest(None, &self.threads, |word| self.function(word, language))
    }

    fn function(&self, word: Word, language: Language) -> Result<Function, EmitError> {
        let mut graph = Graph::default();
        let [threads, each] = [0, 1].map(|mode| self.threads.extent(mode).factor);
        // `thread` is a word of Metal.
        let free = |name: &str| {
            if language.check_argument(name).is_ok() { name.into() } else { format!("{name}_") }
        };
        let arguments = ["thread", "value"].map(free);
        let inputs = [0, 1].map(|k| graph.insert_input(&arguments[k], 0, [threads, each][k] - 1));
        let mut work = Work { graph: &mut graph, names: &[], limit: word.limit() };
        let values = self.values(&mut work, &inputs)?;
        let extents =
            self.tile.iter().map(|extent| extent.to_string()).collect::<Vec<_>>().join(" x ");
        let names = self.coordinates.join(", ");
        let element =
            if self.coordinates.len() == 1 { names.clone() } else { format!("element ({names})") };
        let text = format!(
            "The {element} that a thread's value is in the tile of {extents}{}: {threads} threads \
             with {each} values \
             each, {}.",
            self.what, self.threads
        );
        Ok(Function {
            name: self.name.clone(),
            comment: wrap_lines(&text),
            graph,
            word,
            inputs: arguments.map(|name| (name, false)).to_vec(),
            values: self.coordinates.iter().cloned().zip(values).collect(),
            signed: false,
            inside: None,
        })
    }

    /// The coordinates of the element: layouts of thread and value, if the strides do not carry
    /// from one mode of the tile into the next; otherwise the digits of the element's index.
    fn values(&self, work: &mut Work<'_>, inputs: &[Node]) -> Result<Vec<Node>, EmitError> {
        let of_mode = |mode: usize| -> Option<NamedLayout> {
            let leaves = self
                .tile
                .iter()
                .enumerate()
                .map(|(k, &extent)| (extent as i128, i128::from(k == mode)));
            let coordinate = layout(&leaves.collect::<Vec<_>>()).ok()?;
            Some(NamedLayout::from(&coordinate.compose(self.threads.plain.as_ref()?).ok()?))
        };
        if let Some(modes) = (0..self.tile.len()).map(of_mode).collect::<Option<Vec<_>>>() {
            return modes.iter().map(|mode| Ok(offset(work, inputs, mode)?.0)).collect();
        }
        let (mut rest, _) = offset(work, inputs, &self.threads)?;
        let mut values = Vec::new();
        for (at, &extent) in self.tile.iter().enumerate() {
            let is_last = at + 1 == self.tile.len();
            values.push(if is_last {
                rest
            } else {
                work.graph.remainder_number(rest, extent as i128)
            });
            rest = work.graph.divide_number(rest, extent as i128);
        }
        Ok(values)
    }
}
