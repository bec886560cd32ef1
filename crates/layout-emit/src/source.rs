//! The input of code generation: a layout of any kind whose numbers may be names.
//!
//! ```text
//! layout = [ "Sw<" B "," M "," S "> o" offset "o" ] shape ":" stride
//! leaf   = product, "-" product, "^" number
//! product = factor { "*" factor }       factor = number, name
//! ```

use std::fmt;
use std::str::FromStr;

use layout_algebra::DynStride;
use layout_algebra::prelude::*;

use crate::error::EmitError;

/// The most extents of a layout: generating a function takes time quadratic in their number.
pub const MOST_LEAVES: usize = 1000;

/// A product of a number and of names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Product {
    pub factor: i128,
    /// The indices of the names, sorted; a name that occurs twice is squared.
    pub names: Vec<usize>,
}

impl Product {
    pub fn number(factor: i128) -> Self {
        Product { factor, names: Vec::new() }
    }
    /// The number, if the product has no name.
    pub fn as_number(&self) -> Option<i128> {
        self.names.is_empty().then_some(self.factor)
    }
    /// This product divided by another one, if each factor and each name of `other` occurs in it.
    pub fn divided_by(&self, other: &Product) -> Option<Product> {
        let mut names = self.names.clone();
        for name in &other.names {
            names.remove(names.iter().position(|own| own == name)?);
        }
        let is_whole = other.factor != 0 && self.factor % other.factor == 0;
        is_whole.then(|| Product { factor: self.factor / other.factor, names })
    }
    pub fn times(&self, other: &Product) -> Product {
        let mut names = [&self.names[..], &other.names].concat();
        names.sort_unstable();
        Product { factor: self.factor.saturating_mul(other.factor), names }
    }
}

/// A stride.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A natural stride, or a negative one if the factor is negative.
    Sum(Product),
    /// An XOR stride: a carry-less product, added by XOR.
    Xor(u64),
}

impl Step {
    pub fn is_zero(&self) -> bool {
        matches!(self, Step::Sum(Product { factor: 0, .. }) | Step::Xor(0))
    }
}

/// One extent and its stride.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    pub extent: Product,
    pub step: Step,
}

/// A layout whose extents and strides are numbers or names. Names become parameters of the code.
///
/// ```
/// use layout_emit::NamedLayout;
/// let rows: NamedLayout = "(m,n):(n,1)".parse()?;
/// assert_eq!(rows.to_string(), "(m,n):(n,1)");
/// assert_eq!(rows.parameters(), ["m", "n"]);
/// // Every layout without names converts, swizzled or not.
/// "Sw<3,3,3> o 0 o (8,64):(64,1)".parse::<NamedLayout>()?;
/// # Ok::<(), layout_emit::EmitError>(())
/// ```
#[derive(Clone, Debug)]
pub struct NamedLayout {
    text: String,
    names: Vec<String>,
    pub(crate) modes: Vec<Vec<Leaf>>,
    /// The swizzle, and the offset before it.
    pub(crate) outer: Option<(DynSwizzle, usize)>,
    /// The layout before the swizzle, if it has no names.
    pub(crate) plain: Option<DynLayout>,
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
    /// The layout, if there is neither a name nor a swizzle in it.
    ///
    /// ```
    /// use layout_emit::NamedLayout;
    /// let rows: NamedLayout = "(4,6):(6,1)".parse()?;
    /// assert_eq!(rows.as_dynamic().map(|layout| layout.size()), Some(24));
    /// assert!("(m,n):(n,1)".parse::<NamedLayout>()?.as_dynamic().is_none());
    /// # Ok::<(), layout_emit::EmitError>(())
    /// ```
    pub fn as_dynamic(&self) -> Option<&DynLayout> {
        self.plain.as_ref().filter(|_| self.outer.is_none())
    }
    /// Refuses a layout with more extents than code generation allows.
    pub(crate) fn check_leaves(&self) -> Result<(), EmitError> {
        let leaves = self.leaves().count();
        if leaves > MOST_LEAVES {
            return EmitError::refused(format!(
                "a layout of {leaves} numbers and as many strides has more than {MOST_LEAVES}"
            ));
        }
        Ok(())
    }
    /// All modes joined to one.
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
    pub(crate) fn has_xor_strides(&self) -> bool {
        self.leaves().any(|leaf| matches!(leaf.step, Step::Xor(_)))
    }
    /// The least and the largest sum of the natural and negative strides, if they have no names.
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

    /// The elements of memory that a layout without names spans, from the least offset on; 0 for a
    /// layout with names.
    pub(crate) fn cosize(&self) -> i128 {
        match (&self.plain, self.outer) {
            (Some(plain), Some((swizzle, from))) => {
                ComposedLayout::new(swizzle, from, plain.clone()).cosize() as i128
            }
            (Some(plain), None) => plain.cosize() as i128,
            (None, _) => 0,
        }
    }

    /// Whether an extent or a stride is a name.
    pub(crate) fn has_named_sums(&self) -> bool {
        self.reach().is_none()
    }

    /// Whether offsets may be negative. (A stride of extent 1 does not count: its coordinate is 0.)
    pub(crate) fn has_negative_strides(&self) -> bool {
        self.leaves().any(|leaf| {
            let is_below = matches!(&leaf.step, Step::Sum(Product { factor, .. }) if *factor < 0);
            is_below && leaf.extent.as_number() != Some(1)
        })
    }

    /// The element that offsets count from, if a stride is negative.
    pub(crate) fn describe_origin(&self) -> Option<String> {
        let least = self.least_offset()?;
        Some(format!(
            "Offsets count from the element of coordinate 0, and the least of them is {least}"
        ))
    }

    /// The least offset as text, if a stride is negative.
    fn least_offset(&self) -> Option<String> {
        let name = |product: &Product| {
            let names = product.names.iter().map(|&name| self.names[name].clone());
            let number =
                Some(product.factor).filter(|&factor| factor != 1 || product.names.is_empty());
            number
                .map(|number| number.to_string())
                .into_iter()
                .chain(names)
                .collect::<Vec<_>>()
                .join("*")
        };
        let (mut number, mut text) = (0i128, String::new());
        for leaf in self.leaves().filter(|leaf| leaf.extent.as_number() != Some(1)) {
            let Step::Sum(stride) = &leaf.step else { continue };
            if stride.factor >= 0 {
                continue;
            }
            let stride = Product { factor: -stride.factor, names: stride.names.clone() };
            let far =
                leaf.extent.as_number().map(|extent| stride.times(&Product::number(extent - 1)));
            match far {
                Some(far) if far.names.is_empty() => number = number.saturating_add(far.factor),
                Some(far) => text += &format!(" - {}", name(&far)),
                None if stride.as_number() == Some(1) => {
                    text += &format!(" - ({} - 1)", name(&leaf.extent))
                }
                None => text += &format!(" - ({} - 1)*{}", name(&leaf.extent), name(&stride)),
            }
        }
        if number > 0 {
            text += &format!(" - {number}");
        }
        text.strip_prefix(" - ").map(|text| format!("-{text}"))
    }

    /// A layout of these modes, without a text.
    pub(crate) fn with_modes(modes: Vec<Vec<Leaf>>) -> Self {
        NamedLayout { text: String::new(), names: Vec::new(), modes, outer: None, plain: None }
    }

    fn from_layout(layout: &DynLayout, text: String, outer: Option<(DynSwizzle, usize)>) -> Self {
        let step = |stride| match stride {
            DynStride::Natural(number) => Step::Sum(Product::number(number as i128)),
            DynStride::Negative(number) => Step::Sum(Product::number(-(number as i128))),
            DynStride::Xor(number) => Step::Xor(number as u64),
        };
        let leaves = |mode: DynLayout| {
            let extents = mode.shape().leaves().to_vec();
            let leaf = |(extent, stride)| Leaf {
                extent: Product::number(extent as i128),
                step: step(stride),
            };
            extents.into_iter().zip(mode.strides()).map(leaf).collect()
        };
        let modes = layout.modes().map(leaves).collect();
        NamedLayout { text, names: Vec::new(), modes, outer, plain: Some(layout.clone()) }
    }
}

/// A layout with a mode for each leaf, a pair of extent and stride.
pub fn layout(leaves: &[(i128, i128)]) -> Result<DynLayout, EmitError> {
    let tuple = |part: &dyn Fn(&(i128, i128)) -> i128| {
        DynShape::tuple(leaves.iter().map(|leaf| DynShape::from(part(leaf) as usize)))
    };
    Ok(DynLayout::new(tuple(&|leaf| leaf.0)?, tuple(&|leaf| leaf.1)?)?)
}

impl From<&DynLayout> for NamedLayout {
    fn from(layout: &DynLayout) -> Self {
        NamedLayout::from_layout(layout, layout.to_string(), None)
    }
}
impl From<&DynComposedLayout> for NamedLayout {
    fn from(layout: &DynComposedLayout) -> Self {
        NamedLayout::from_layout(
            &layout.inner(),
            layout.to_string(),
            Some((layout.outer(), layout.offset())),
        )
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
        // The text stands in comments, which end at the end of a line.
        let text = &text.split_whitespace().collect::<Vec<_>>().join(" ")[..];
        let swizzled = text.starts_with("Sw<").then(|| text.rsplit_once(" o ")).flatten();
        let layout = swizzled.map_or(text, |(_, layout)| layout);
        if layout.contains(|c: char| c.is_ascii_alphabetic() || c == '_')
            && !layout.starts_with("Sw<")
        {
            // The swizzle and its offset as printed before a layout.
            let outer = swizzled
                .map(|(before, _)| format!("{before} o 1:0").parse::<DynComposedLayout>())
                .transpose()?;
            let outer = outer.map(|read| (read.outer(), read.offset()));
            return Reader { text: layout, names: Vec::new(), leaves: Vec::new() }
                .layout(text, outer);
        }
        if text.starts_with("Sw<") {
            return Ok(NamedLayout::from(&text.parse::<DynComposedLayout>()?));
        }
        let shape = if text.contains(':') { None } else { text.parse::<DynShape>().ok() };
        let layout = shape.map_or_else(|| text.parse(), |shape| DynLayout::try_left(&shape))?;
        Ok(NamedLayout::from(&layout))
    }
}

/// Reads leaves: numbers, names and products of them.
struct Reader<'a> {
    text: &'a str,
    names: Vec<String>,
    leaves: Vec<Step>,
}

impl Reader<'_> {
    fn layout(
        mut self,
        whole: &str,
        outer: Option<(DynSwizzle, usize)>,
    ) -> Result<NamedLayout, EmitError> {
        let (shape, stride) =
            self.text.split_once(':').map_or((self.text, None), |(a, b)| (a, Some(b)));
        let shape = self.read_tree(shape)?;
        let stride = stride.map(|stride| self.read_tree(stride)).transpose()?;
        if stride.as_ref().is_some_and(|stride| !stride.congruent(&shape)) {
            return EmitError::input(format!(
                "the shape and the stride of {} are not congruent",
                self.text
            ));
        }
        let leaves = std::mem::take(&mut self.leaves);
        let mut extents = leaves.iter();
        let mut strides = extents.clone().skip(shape.leaves().len());
        // Without strides the modes are compact, leftmost fastest.
        let (mut next, mut modes) = (Product::number(1), Vec::new());
        for mode in shape.children() {
            let mut leaves = Vec::new();
            for extent in extents.by_ref().take(mode.leaves().len()) {
                let Step::Sum(extent) = extent.clone() else {
                    return EmitError::input(format!("an extent of {} begins with `^`", self.text));
                };
                if extent.factor < 1 {
                    return EmitError::input(format!("an extent of {} is below 1", self.text));
                }
                let step = strides.next().cloned();
                if let Some(Step::Xor(_)) = step {
                    return EmitError::input(format!(
                        "XOR strides have numbers, and {} has names",
                        self.text
                    ));
                }
                let after = next.times(&extent);
                leaves.push(Leaf { extent, step: step.unwrap_or(Step::Sum(next)) });
                next = after;
            }
            modes.push(leaves);
        }
        Ok(NamedLayout { text: whole.into(), names: self.names, modes, outer, plain: None })
    }

    /// A tree of zeros, whose leaves are read in this order.
    fn read_tree(&mut self, text: &str) -> Result<DynShape, EmitError> {
        let mut zeros = String::new();
        for part in text.split_inclusive(['(', ')', ',']) {
            let leaf = part.trim_end_matches(['(', ')', ',']);
            let is_blank = leaf.trim().is_empty();
            zeros += &if is_blank { leaf.to_string() } else { "0".repeat(leaf.len()) };
            zeros += &part[leaf.len()..];
            if !is_blank {
                let leaf = self.leaf(leaf.trim())?;
                self.leaves.push(leaf);
            }
        }
        zeros.parse().or_else(|error: LayoutError| {
            let at =
                error.byte().unwrap_or(0) + text.as_ptr() as usize - self.text.as_ptr() as usize;
            EmitError::input(format!(
                "expected a tree of numbers and names, as (m,(4,n)) is, at byte {at} of `{}`",
                self.text
            ))
        })
    }

    fn leaf(&mut self, text: &str) -> Result<Step, EmitError> {
        let wrong = || {
            EmitError::input(format!(
                "`{text}` in `{}` is no number below 2^64 and no name",
                self.text
            ))
        };
        if let Some(number) = text.strip_prefix('^') {
            return number.parse().map_or_else(|_| wrong(), |number| Ok(Step::Xor(number)));
        }
        let (sign, factors) = text.strip_prefix('-').map_or((1, text), |factors| (-1, factors));
        let mut product = Product::number(sign);
        for word in factors.split('*').map(str::trim) {
            let is_word = word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            product = match (word.parse::<u64>(), word.chars().next()) {
                (Ok(number), _) if is_word => product.times(&Product::number(number.into())),
                (Err(_), Some(first)) if is_word && !first.is_ascii_digit() => {
                    let known = self.names.iter().position(|name| name == word);
                    let name = known.unwrap_or(self.names.len());
                    if known.is_none() {
                        self.names.push(word.into());
                    }
                    product.times(&Product { factor: 1, names: vec![name] })
                }
                _ => return wrong(),
            };
        }
        // No product with a larger number fits, so the limit excludes overflow.
        if product.factor.unsigned_abs() > u64::MAX as u128 {
            return EmitError::input(format!("a product of `{}` is beyond 2^64", self.text));
        }
        if product.factor == 0 {
            product.names.clear();
        }
        Ok(Step::Sum(product))
    }
}
