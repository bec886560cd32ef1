//! The index function of a layout: from a coordinate to the offset, and back.
//!
//! ```text
//! f(c_0, c_1, ..) = L(c_0, c_1, ..)       the coordinates of the top modes, each a number
//! f(i) = L(i)                                flat
//! g(L(c_0, c_1, ..)) = (c_0, c_1, ..)     if no two coordinates share an offset
//! ```

use super::expr::{Node, Op};
use super::function::{Function, Word, fit_narrowest};
use super::inverse::find_coordinates;
use super::offset::{offset, within};
use super::print::print_function;
use super::sum::Work;
use crate::error::EmitError;
use crate::language::Language;
use crate::source::NamedLayout;

/// The index function of a layout, for printing in a language.
///
/// Law: the function maps every coordinate of the layout to the offset that the layout gives.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_emit::{Index, Language};
/// let tile: DynLayout = "((4,8),(2,2)):((32,1),(16,8))".parse()?;
/// let code = Index::of(&tile).name("a_tile").emit(Language::Wgsl)?;
/// assert_eq!(code, "\
/// // The offset of (i, j) in ((4,8),(2,2)):((32,1),(16,8)): 32 x 4 coordinates, 128 offsets.
/// fn a_tile(i: u32, j: u32) -> u32 {
///     return ((i & 3u) << 5u) + (i >> 2u) + ((j & 1u) << 4u) + ((j & 2u) << 2u);
/// }
/// ");
/// // `to_dynamic()` converts a layout of types; a swizzle and its layout become one XOR.
/// let shared = Swizzle::<3, 3, 3>::new().compose(layout!((8, 64):(64, 1))).to_dynamic();
/// let code = Index::of(&shared).name("at").emit(Language::Rust)?;
/// assert!(code.contains("(i * 72) ^ j"), "{code}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Index {
    layout: NamedLayout,
    name: Option<String>,
    flat: bool,
    inverse: bool,
    bounds: bool,
    bits: Option<u32>,
    coordinates: Option<Vec<String>>,
}

impl Index {
    /// The index function of this layout: a `DynLayout`, a `DynComposedLayout`, or a layout
    /// with names for numbers.
    ///
    /// ```
    /// use layout_emit::{Index, Language, NamedLayout};
    /// let rows: NamedLayout = "(m,n):(ld,1)".parse()?;
    /// let code = Index::of(&rows).name("at").emit(Language::C)?;
    /// // Unused coordinates are omitted.
    /// assert!(code.contains("at(uint32_t i, uint32_t j, uint32_t ld)"), "{code}");
    /// # Ok::<(), layout_emit::EmitError>(())
    /// ```
    pub fn of(layout: impl Into<NamedLayout>) -> Self {
        Index {
            layout: layout.into(),
            name: None,
            flat: false,
            inverse: false,
            bounds: false,
            bits: None,
            coordinates: None,
        }
    }
    /// The name of the function; without one it is `offset_of`, or `coordinate_of`.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// use layout_emit::{Index, Language};
    /// let code = Index::of(&"4:1".parse::<DynLayout>()?).name("at").emit(Language::Python)?;
    /// assert!(code.contains("def at(i):"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn name(mut self, name: &str) -> Self {
        self.name = Some(name.into());
        self
    }
    /// Names of the coordinates, one for each mode, or one for all of a [`flat`](Self::flat)
    /// function. Without them the coordinates are `i`, `j` and `k`, or `c0`, `c1` and so on.
    ///
    /// ```
    /// use layout_emit::{Index, Language, NamedLayout};
    /// let image: NamedLayout = "(height,width,4):(pitch,4,1)".parse()?;
    /// let at = Index::of(image).coordinates(["y", "x", "channel"]).name("at");
    /// let code = at.emit(Language::C)?;
    /// assert!(code.contains("at(uint32_t y, uint32_t x, uint32_t channel, uint32_t pitch)"), "{code}");
    /// let error = at.coordinates(["y"]).emit(Language::C).unwrap_err();
    /// assert_eq!(error.to_string(), "1 names are given for 3 coordinates");
    /// # Ok::<(), layout_emit::EmitError>(())
    /// ```
    pub fn coordinates<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.coordinates = Some(names.into_iter().map(Into::into).collect());
        self
    }
    /// A function of one number, the 1-D coordinate, leftmost mode fastest.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// use layout_emit::{Index, Language};
    /// let code = Index::of(&"(4,6):(1,8)".parse::<DynLayout>()?).flat().emit(Language::Rust)?;
    /// assert!(code.contains("(i & 3) + ((i & 28) << 1)"), "{code}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn flat(mut self) -> Self {
        self.flat = true;
        self
    }
    /// The inverse: from an offset to the coordinate.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// use layout_emit::{Index, Language};
    /// let rows: DynLayout = "(4,6):(6,1)".parse()?;
    /// let code = Index::of(&rows).coordinate().emit(Language::Rust)?;
    /// assert!(code.contains("[offset / 6, offset % 6]"), "{code}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn coordinate(mut self) -> Self {
        self.inverse = true;
        self
    }
    /// The function also returns whether the coordinate is inside, or whether the layout has the
    /// offset.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// use layout_emit::{Index, Language};
    /// let code = Index::of(&"(5,7):(7,1)".parse::<DynLayout>()?).bounds().emit(Language::Rust)?;
    /// assert!(code.contains("-> Option<u32>") && code.contains("i < 5 && j < 7"), "{code}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bounds(mut self) -> Self {
        self.bounds = true;
        self
    }
    /// Numbers of 32 or 64 bits. By default numbers have 32 bits, or 64 if the layout needs them.
    /// Numbers of a layout with names have 32 bits by default, and the caller promises that every
    /// offset fits.
    ///
    /// For a loop on a CPU take 64 bits. Numbers of 32 bits wrap at 2^32: a compiler that cannot
    /// exclude a wrap does not know that elements are contiguous, and emits no vector instructions.
    /// `y[at(i, j + shift)] = x[at(i, j)] + 1` of `(m,n):(n,1)`, of words, takes 4.0 times as long
    /// with 32 bits as with 64 by gcc 12 under `-O3`, and 1.2 times by clang 14 (EPYC Zen 4);
    /// without the shift both take the same. On a GPU 32 bits are faster.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// use layout_emit::{Index, Language};
    /// let code = Index::of(&"(4,6):(1,4)".parse::<DynLayout>()?).bits(64).emit(Language::Rust)?;
    /// assert!(code.contains("(i: u64, j: u64) -> u64"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bits(mut self, bits: u32) -> Self {
        self.bits = Some(bits);
        self
    }

    /// The function in a language, with a comment that describes it.
    ///
    /// # Errors
    /// [`EmitError::Input`] if a name is a word of the language or not a valid name;
    /// [`EmitError::Refused`] if the layout is empty or has more than 1,000 extents, is not
    /// injective but needs an inverse, or if the layout needs numbers of 64 bits and the language
    /// has none.
    pub fn emit(&self, language: Language) -> Result<String, EmitError> {
        print_function(&self.function()?, language)
    }

    /// The function as operations, for any other language: each node and its operation, operands
    /// first; and the nodes of the results, followed with [`bounds`](Self::bounds) by the condition
    /// unless it always holds. Numbers wrap at their 32 or 64 [`bits`](Self::bits).
    ///
    /// # Errors
    /// The errors of [`emit`](Self::emit) that do not depend on the language.
    ///
    /// ```
    /// use layout_emit::{Index, NamedLayout, Op};
    /// let (operations, results) = Index::of("(m,n):(ld,1)".parse::<NamedLayout>()?).operations()?;
    /// let mut values = std::collections::HashMap::new();
    /// for (node, op) in operations {
    ///     let value: u32 = match op {
    ///         Op::Input(name) => match &name[..] { "i" => 3, "j" => 5, _ => 100 },
    ///         Op::Number(number) => number as u32,
    ///         Op::Add(a, b) => values[&a] + values[&b],
    ///         Op::Mul(a, b) => values[&a] * values[&b],
    ///         _ => unreachable!("no other here"),
    ///     };
    ///     values.insert(node, value);
    /// }
    /// assert_eq!(values[&results[0]], 305);
    /// # Ok::<(), layout_emit::EmitError>(())
    /// ```
    #[allow(clippy::type_complexity, reason = "two lists, which the example takes apart")]
    pub fn operations(&self) -> Result<(Vec<(Node, Op)>, Vec<Node>), EmitError> {
        let function = self.function()?;
        let (graph, roots) = (&function.graph, function.result_nodes());
        Ok((
            graph
                .nodes_reached(&roots)
                .into_iter()
                .map(|node| (node, graph.operation_of(node).clone()))
                .collect(),
            roots,
        ))
    }

    /// The function before it is printed.
    pub(crate) fn function(&self) -> Result<Function, EmitError> {
        self.layout.check_leaves()?;
        let layout = if self.flat { self.layout.clone().flat() } else { self.layout.clone() };
        if layout.leaves().any(|leaf| leaf.extent.factor == 0) {
            return EmitError::refused(format!(
                "{layout} has no coordinate, so there is no offset"
            ));
        }
        // The inverse takes every offset of the forward function.
        let mut bits = self.bits;
        if self.inverse {
            bits = Some(
                fit_narrowest(bits, &layout, |word| self.make_function(&layout, word, false))?
                    .word
                    .bits,
            );
        }
        fit_narrowest(bits, &layout, |word| self.make_function(&layout, word, self.inverse))
    }

    fn title_or_default(&self) -> &str {
        let own = if self.inverse { "coordinate_of" } else { "offset_of" };
        self.name.as_deref().unwrap_or(own)
    }

    /// Names for the coordinates: the given names, or names that the layout does not use.
    ///
    /// # Errors
    /// If the number of names differs from the number of coordinates, or a name is already used.
    fn name_coordinates(&self, layout: &NamedLayout) -> Result<Vec<String>, EmitError> {
        if let Some(names) = &self.coordinates {
            if names.len() != layout.modes.len() {
                let count = layout.modes.len();
                return EmitError::input(format!(
                    "{} names are given for {count} coordinates",
                    names.len()
                ));
            }
            let others = ["offset".to_string(), "inside".to_string()];
            for (k, name) in names.iter().enumerate() {
                let of_code = names[..k].contains(name) || *name == self.title_or_default();
                if of_code || layout.parameters().contains(name) || others.contains(name) {
                    return EmitError::input(format!(
                        "`{name}` is the name of a coordinate and of something else"
                    ));
                }
            }
            return Ok(names.clone());
        }
        let rank = layout.modes.len();
        let free = |names: &[String]| {
            !names.iter().any(|n| layout.parameters().contains(n) || *n == self.title_or_default())
        };
        let short = (rank <= 3)
            .then(|| ["i", "j", "k"][..rank].iter().map(|name| name.to_string()).collect());
        let long = |n: usize| (0..rank).map(|k| format!("c{k}{}", "_".repeat(n))).collect();
        let found = short.into_iter().chain((0..).map(long)).find(|names: &Vec<_>| free(names));
        Ok(found.unwrap_or_default())
    }

    /// The function in words of `bits` bits, forward or inverse.
    fn make_function(
        &self,
        layout: &NamedLayout,
        word: Word,
        inverse: bool,
    ) -> Result<Function, EmitError> {
        let names = self.name_coordinates(layout)?;
        let mut graph = super::expr::Graph::default();
        let limit = word.limit();
        let mut inputs = Vec::new();
        if inverse {
            let name = if layout.parameters().iter().any(|name| name == "offset") {
                "offset_"
            } else {
                "offset"
            };
            // With bounds the inverse takes any number.
            let (lo, hi) = match layout
                .reach()
                .filter(|_| layout.outer.is_none() && !layout.has_xor_strides())
            {
                Some(reach) if !self.bounds => reach,
                Some((lo, _)) if lo < 0 => (-limit / 2 - 1, limit / 2),
                None if layout.has_negative_strides() => (-limit / 2 - 1, limit / 2),
                _ => (0, limit),
            };
            inputs.push((name.to_string(), lo, hi));
        } else {
            let last = |mode| layout.extent(mode).as_number().map_or(limit, |size| size - 1);
            inputs
                .extend(names.iter().enumerate().map(|(mode, name)| (name.clone(), 0, last(mode))));
        }
        let nodes: Vec<Node> =
            inputs.iter().map(|(name, lo, hi)| graph.insert_input(name, *lo, *hi)).collect();
        let parameters: Vec<Node> =
            layout.parameters().iter().map(|name| graph.insert_input(name, 0, limit)).collect();
        let mut work = Work { graph: &mut graph, names: &parameters, limit };
        let tuple =
            if let [one] = &names[..] { one.clone() } else { format!("({})", names.join(", ")) };
        let described = describe_layout(layout, self.flat);
        let (title, values, signed, inside) = if inverse {
            let (values, inside) =
                find_coordinates(&mut work, nodes[0], inputs[0].1, layout, self.bounds)?;
            let values = names.into_iter().zip(values).collect();
            (
                format!("{tuple} of the offset in {described}."),
                values,
                false,
                self.bounds.then_some(inside),
            )
        } else {
            let (offset, signed) = offset(&mut work, &nodes, layout)?;
            let inside = self.bounds.then(|| Some(within(&mut work, &nodes, layout)));
            (
                format!("The offset of {tuple} in {described}."),
                vec![("offset".into(), offset)],
                signed,
                inside,
            )
        };
        let inputs = inputs.into_iter().map(|(name, lo, _)| (name, lo < 0)).collect();
        let name = self.title_or_default().into();
        let comment = std::iter::once(title)
            .chain(layout.describe_origin().map(|origin| origin + "."))
            .collect();
        let mut function = Function { name, comment, graph, word, inputs, values, signed, inside };
        // The parameters that the function uses follow its coordinates.
        let read = layout.parameters().iter().filter(|name| function.reads(name));
        let read: Vec<_> = read.map(|name| (name.clone(), false)).collect();
        function.inputs.extend(read);
        if inverse && layout.has_named_sums() {
            function.comment.push(
                "Whoever calls it promises that no name is 0, and that each stride is beyond what \
                 the modes of lesser strides reach."
                    .into(),
            );
        }
        if !parameters.is_empty() {
            let bits = word.bits;
            function.comment.push(match layout.describe_origin() {
                None => format!("Whoever calls it promises that every offset is below 2^{bits}."),
                Some(_) => {
                    let half = bits - 1;
                    format!(
                        "Whoever calls it promises that every offset is from -2^{half} to below \
                         2^{half}."
                    )
                }
            });
        }
        Ok(function)
    }
}

/// The layout with its extents and the number of its offsets.
fn describe_layout(layout: &NamedLayout, flat: bool) -> String {
    let extents: Option<Vec<String>> = (0..layout.modes.len())
        .map(|mode| layout.extent(mode).as_number().map(|n| n.to_string()))
        .collect();
    let Some(extents) = extents else { return layout.to_string() };
    let order = if flat { ", counted from the left" } else { "" };
    let cosize = match layout.reach() {
        Some((lo, hi)) if layout.outer.is_none() && !layout.has_xor_strides() => {
            format!(", {} offsets", hi - lo + 1)
        }
        _ => String::new(),
    };
    format!("{layout}: {} coordinates{order}{cosize}", extents.join(" x "))
}
