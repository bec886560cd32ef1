//! What code is made of: a layout of any kind whose numbers may be names.
//!
//! ```text
//! layout = [ "Sw<" B "," M "," S "> o" offset "o" ] shape ":" stride
//! leaf   = product, "-" product, "^" number        product = factor { "*" factor }       factor = number, name
//! ```

use std::fmt;
use std::str::FromStr;

use layout_algebra::DynStride;
use layout_algebra::prelude::*;

use crate::error::EmitError;

/// A product of a number and of names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Product {
    pub factor: i128,
    /// Which names, sorted; one that occurs twice is squared.
    pub names: Vec<usize>,
}

impl Product {
    pub fn number(factor: i128) -> Self {
        Product { factor, names: Vec::new() }
    }
    /// The number, if no name is in it.
    pub fn as_number(&self) -> Option<i128> {
        self.names.is_empty().then_some(self.factor)
    }
    pub fn times(&self, other: &Product) -> Product {
        let mut names = [&self.names[..], &other.names].concat();
        names.sort_unstable();
        Product { factor: self.factor.saturating_mul(other.factor), names }
    }
    pub fn is_zero(&self) -> bool {
        self.factor == 0
    }
}

/// How far a step goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Forwards, or backwards if the factor is negative.
    Sum(Product),
    /// A product without carries, and sums are XOR.
    Xor(u64),
}

impl Step {
    pub fn is_zero(&self) -> bool {
        matches!(self, Step::Sum(Product { factor: 0, .. }) | Step::Xor(0))
    }
}

/// One mode of one extent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    pub extent: Product,
    pub step: Step,
}

/// A layout whose extents and strides are numbers or names: names become parameters of the code.
///
/// ```
/// use layout_emit::NamedLayout;
/// let rows: NamedLayout = "(m,n):(n,1)".parse()?;
/// assert_eq!(rows.to_string(), "(m,n):(n,1)");
/// assert_eq!(rows.parameters(), ["m", "n"]);
/// // Every layout without names is one too, swizzled or not.
/// "Sw<3,3,3> o 0 o (8,64):(64,1)".parse::<NamedLayout>()?;
/// # Ok::<(), layout_emit::EmitError>(())
/// ```
#[derive(Clone, Debug)]
pub struct NamedLayout {
    text: String,
    names: Vec<String>,
    pub(crate) modes: Vec<Vec<Leaf>>,
    /// The swizzle and the offset before it.
    pub(crate) outer: Option<(DynSwizzle, usize)>,
}

impl NamedLayout {
    /// The names, in the order in which they occur.
    ///
    /// ```
    /// use layout_emit::NamedLayout;
    /// assert_eq!("(4,n):(ld,4*k)".parse::<NamedLayout>()?.parameters(), ["n", "ld", "k"]);
    /// # Ok::<(), layout_emit::EmitError>(())
    /// ```
    pub fn parameters(&self) -> &[String] {
        &self.names
    }
    /// All modes as one.
    pub(crate) fn flat(mut self) -> Self {
        self.modes = vec![self.modes.concat()];
        self
    }
    /// The number of coordinates of a mode.
    pub(crate) fn extent(&self, mode: usize) -> Product {
        self.modes[mode].iter().fold(Product::number(1), |size, leaf| size.times(&leaf.extent))
    }
    pub(crate) fn leaves(&self) -> impl Iterator<Item = &Leaf> {
        self.modes.iter().flatten()
    }
    pub(crate) fn has_xor(&self) -> bool {
        self.leaves().any(|leaf| matches!(leaf.step, Step::Xor(_)))
    }
    /// The least and the largest sum of the natural and negative strides, if no name is in them.
    pub(crate) fn reach(&self) -> Option<(i128, i128)> {
        let (mut lo, mut hi) = (0i128, 0i128);
        for leaf in self.leaves() {
            if let Step::Sum(stride) = &leaf.step {
                let far = (leaf.extent.as_number()? - 1).saturating_mul(stride.as_number()?);
                (lo, hi) = (lo + far.min(0), hi + far.max(0));
            }
        }
        Some((lo, hi))
    }

    /// A layout of these modes, which is not printed.
    pub(crate) fn of_modes(modes: Vec<Vec<Leaf>>) -> Self {
        NamedLayout { text: String::new(), names: Vec::new(), modes, outer: None }
    }

    fn of_layout(layout: &DynLayout, text: String, outer: Option<(DynSwizzle, usize)>) -> Self {
        let step = |stride| match stride {
            DynStride::Natural(number) => Step::Sum(Product::number(number as i128)),
            DynStride::Negative(number) => Step::Sum(Product::number(-(number as i128))),
            DynStride::Xor(number) => Step::Xor(number as u64),
        };
        let leaves = |mode: DynLayout| {
            let extents = mode.shape().leaves().to_vec();
            let leaf = |(extent, stride)| Leaf { extent: Product::number(extent as i128), step: step(stride) };
            extents.into_iter().zip(mode.strides()).map(leaf).collect()
        };
        NamedLayout { text, names: Vec::new(), modes: layout.modes().map(leaves).collect(), outer }
    }
}

impl From<&DynLayout> for NamedLayout {
    fn from(layout: &DynLayout) -> Self {
        NamedLayout::of_layout(layout, layout.to_string(), None)
    }
}
impl From<&DynComposedLayout> for NamedLayout {
    fn from(layout: &DynComposedLayout) -> Self {
        NamedLayout::of_layout(&layout.inner(), layout.to_string(), Some((layout.outer(), layout.offset())))
    }
}
impl From<&NamedLayout> for NamedLayout {
    fn from(layout: &NamedLayout) -> Self {
        layout.clone()
    }
}
impl fmt::Display for NamedLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl FromStr for NamedLayout {
    type Err = EmitError;

    fn from_str(text: &str) -> Result<Self, EmitError> {
        let text = text.trim();
        let is_swizzled = text.starts_with("Sw<");
        let (before, layout) = match is_swizzled {
            true => text.rsplit_once(" o ").unwrap_or(("", text)),
            false => ("", text),
        };
        if layout.contains(|c: char| c.is_ascii_alphabetic() || c == '_') && !layout.starts_with("Sw<") {
            let outer = match is_swizzled {
                // The swizzle and its offset as they stand before a layout.
                true => {
                    let read: DynComposedLayout = format!("{before} o 1:0").parse()?;
                    Some((read.outer(), read.offset()))
                }
                false => None,
            };
            return Reader { text: layout, at: 0, names: Vec::new() }.layout(text, outer);
        }
        if is_swizzled {
            return Ok(NamedLayout::from(&text.parse::<DynComposedLayout>()?));
        }
        let shape = if text.contains(':') { None } else { text.parse::<DynShape>().ok() };
        let layout = shape.map_or_else(|| text.parse(), |shape| DynLayout::try_left(&shape))?;
        Ok(NamedLayout::from(&layout))
    }
}

/// A tree of leaves as it is written.
enum Tree {
    Leaf(Step),
    Modes(Vec<Tree>),
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    names: Vec<String>,
}

impl<'a> Reader<'a> {
    fn layout(mut self, whole: &str, outer: Option<(DynSwizzle, usize)>) -> Result<NamedLayout, EmitError> {
        let shape = self.tree(0)?;
        let stride = if self.take(':') { Some(self.tree(0)?) } else { None };
        if self.peek().is_some() {
            return self.wrong("the end");
        }
        let mut next = Product::number(1);
        let pairs = |reader: &Self, shape: &Tree, stride: Option<&Tree>, next: &mut Product| {
            let mut leaves = Vec::new();
            reader.pair(shape, stride, next, &mut leaves).map(|()| leaves)
        };
        let modes = match (&shape, &stride) {
            (Tree::Modes(shapes), Some(Tree::Modes(strides))) if shapes.len() == strides.len() => {
                let modes = shapes.iter().zip(strides);
                modes.map(|(shape, stride)| pairs(&self, shape, Some(stride), &mut next)).collect::<Result<_, _>>()?
            }
            (Tree::Modes(shapes), None) => {
                shapes.iter().map(|shape| pairs(&self, shape, None, &mut next)).collect::<Result<_, _>>()?
            }
            _ => vec![pairs(&self, &shape, stride.as_ref(), &mut next)?],
        };
        Ok(NamedLayout { text: whole.into(), names: self.names, modes, outer })
    }

    /// The leaves of a mode; without strides they are compact, the leftmost the fastest.
    fn pair(
        &self,
        shape: &Tree,
        stride: Option<&Tree>,
        next: &mut Product,
        leaves: &mut Vec<Leaf>,
    ) -> Result<(), EmitError> {
        match (shape, stride) {
            (Tree::Leaf(Step::Sum(extent)), stride) => {
                if extent.factor < 1 {
                    return EmitError::input(format!("an extent of {} is below 1", self.text));
                }
                let step = match stride {
                    None => Step::Sum(next.clone()),
                    Some(Tree::Leaf(Step::Xor(_))) => {
                        return EmitError::input(format!("XOR strides have numbers, and {} has names", self.text));
                    }
                    Some(Tree::Leaf(step)) => step.clone(),
                    Some(Tree::Modes(_)) => return self.incongruent(),
                };
                *next = next.times(extent);
                leaves.push(Leaf { extent: extent.clone(), step });
                Ok(())
            }
            (Tree::Leaf(Step::Xor(_)), _) => EmitError::input(format!("an extent of {} begins with `^`", self.text)),
            (Tree::Modes(shapes), Some(Tree::Modes(strides))) if shapes.len() == strides.len() => {
                shapes.iter().zip(strides).try_for_each(|(shape, stride)| self.pair(shape, Some(stride), next, leaves))
            }
            (Tree::Modes(shapes), None) => shapes.iter().try_for_each(|shape| self.pair(shape, None, next, leaves)),
            _ => self.incongruent(),
        }
    }
    fn incongruent(&self) -> Result<(), EmitError> {
        EmitError::input(format!("the shape and the stride of {} are not congruent", self.text))
    }

    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text[self.at..].chars().next()
    }
    fn take(&mut self, c: char) -> bool {
        let is_next = self.peek() == Some(c);
        self.at += if is_next { c.len_utf8() } else { 0 };
        is_next
    }
    fn wrong<T>(&mut self, expected: &str) -> Result<T, EmitError> {
        self.peek();
        EmitError::input(format!("expected {expected} at byte {} of `{}`", self.at, self.text))
    }

    fn tree(&mut self, depth: usize) -> Result<Tree, EmitError> {
        const DEEPEST: usize = 64;
        if depth > DEEPEST {
            return EmitError::input(format!("modes are nested more than {DEEPEST} deep"));
        }
        if !self.take('(') {
            return self.leaf().map(Tree::Leaf);
        }
        let mut modes = vec![self.tree(depth + 1)?];
        while self.take(',') {
            if self.peek() == Some(')') {
                break;
            }
            modes.push(self.tree(depth + 1)?);
        }
        if self.take(')') { Ok(Tree::Modes(modes)) } else { self.wrong("`,` or `)`") }
    }

    fn leaf(&mut self) -> Result<Step, EmitError> {
        if self.take('^') {
            let text = self.word();
            return match text.parse() {
                Ok(number) => Ok(Step::Xor(number)),
                Err(_) => self.wrong("a number"),
            };
        }
        let sign = if self.take('-') { -1 } else { 1 };
        let mut product = Product::number(sign);
        loop {
            let word = self.word();
            product = match (word.parse::<u64>(), word.chars().next()) {
                (Ok(number), _) => product.times(&Product::number(number.into())),
                (Err(_), Some(first)) if !first.is_ascii_digit() => {
                    let known = self.names.iter().position(|name| name == word);
                    let name = known.unwrap_or(self.names.len());
                    if known.is_none() {
                        self.names.push(word.into());
                    }
                    product.times(&Product { factor: 1, names: vec![name] })
                }
                _ => return self.wrong("a number below 2^64 or a name"),
            };
            if !self.take('*') {
                break;
            }
        }
        // Nothing is as large as that, and no product with it overflows.
        if product.factor.unsigned_abs() > u64::MAX as u128 {
            return EmitError::input(format!("a product of `{}` is beyond 2^64", self.text));
        }
        if product.is_zero() {
            product.names.clear();
        }
        Ok(Step::Sum(product))
    }

    /// The letters, digits and underscores from here on.
    fn word(&mut self) -> &'a str {
        self.peek();
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        self.at += end;
        &self.text[self.at - end..self.at]
    }
}
