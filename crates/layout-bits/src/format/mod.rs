//! Formats as data: fields, layouts from an element's index to bits, and how the fields combine.
//!
//! ```text
//! code(field, i) = sum over parts p of bits(at(p) + layout(p)(i), width(p)) << (widths of the parts before p)
//! value(i)       = scale(i) * .. * (code(i) - zero(i)) + product(i)
//! ```
//!
//! In reading order: `error`, `number`, what is here, `overlap`, `plan`, `simd`, `neon`, `kernel`,
//! `quantize`, `absolute_maximum`.

mod absolute_maximum;
mod error;
mod kernel;
mod number;
mod overlap;
mod plan;
mod quantize;
mod simd;

#[cfg(target_arch = "aarch64")]
mod neon;

use core::fmt;

use bytemuck::Zeroable;
use bytemuck::allocation::try_zeroed_vec;
use layout_algebra::{DynLayout, DynStride};

pub use absolute_maximum::{AbsoluteMaximum, Rounding};
pub use error::FormatError;
pub use kernel::Output;
pub use number::Number;
pub(crate) use number::TWICE_E2M1;
pub(crate) use plan::{Axes, common_axes};
pub(crate) use quantize::{Rule, put};

/// A part of a field: `width` adjacent bits, which begin at bit `at + layout(i)` for element `i`.
///
/// ```
/// use layout_bits::Part;
/// // Of 32 elements, 16 in the low halves of the bytes 2 to 17, and 16 in the high halves.
/// let part = Part::new(4, 16, "(16,2):(8,4)".parse()?);
/// assert_eq!((part.bit(0), part.bit(1), part.bit(16)), (16, 24, 20));
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Part {
    pub(crate) width: usize,
    pub(crate) at: usize,
    pub(crate) layout: DynLayout,
}
impl Part {
    /// The bits of this layout.
    ///
    /// ```
    /// use layout_bits::Part;
    /// assert_eq!(Part::new(1, 32, "32:1".parse()?).bit(31), 63);
    /// # Ok::<(), layout_algebra::LayoutError>(())
    /// ```
    pub fn new(width: usize, at: usize, layout: DynLayout) -> Self {
        Part { width, at, layout }
    }
    /// How many bits.
    ///
    /// ```
    /// assert_eq!(layout_bits::formats::q6_k().fields()[0].parts()[1].width(), 2);
    /// ```
    pub fn width(&self) -> usize {
        self.width
    }
    /// The lowest bit of element `i`.
    ///
    /// # Panics
    /// If the bit is beyond `usize`, or the layout has no such element. A part of a [`Format`] does
    /// not panic for the format's elements.
    ///
    /// ```
    /// assert_eq!(layout_bits::formats::q8_0().fields()[0].parts()[0].bit(3), 16 + 3 * 8);
    /// ```
    pub fn bit(&self, i: usize) -> usize {
        self.at.checked_add(self.layout.index(i)).expect("the bit of an element is a usize")
    }
    /// The layout from an element's index to bits, from [`bit(0)`](Self::bit) on.
    ///
    /// ```
    /// assert_eq!(layout_bits::formats::q4_0().fields()[0].parts()[0].layout().to_string(), "(16,2):(8,4)");
    /// ```
    pub fn layout(&self) -> &DynLayout {
        &self.layout
    }
    /// The leaves, if all strides are natural numbers.
    pub(crate) fn leaves(&self) -> Option<Vec<(usize, usize)>> {
        let leaf = |(&extent, stride)| match stride {
            DynStride::Natural(stride) => Some((extent, stride)),
            _ if extent == 1 => Some((1, 0)),
            _ => None,
        };
        self.layout.shape().leaves().iter().zip(self.layout.strides()).map(leaf).collect()
    }
}

/// A number that each element has: its bits, the lowest part first, and what they mean.
///
/// ```
/// use layout_bits::formats;
/// assert_eq!(
///     formats::q4_k().fields()[1].to_string(),
///     "scale: u, bits 0..4 at 32 + (32,(4,2)):(0,(8,64)), bits 4..6 at 36 + (32,(4,2)):(0,(8,2))"
/// );
/// ```
#[derive(Clone, Debug)]
pub struct Field {
    pub(crate) name: String,
    pub(crate) number: Number,
    pub(crate) parts: Vec<Part>,
}
impl Field {
    /// The field of these parts.
    ///
    /// ```
    /// use layout_bits::{Field, Number, Part};
    /// let d = Field::new("d", Number::F16, [Part::new(16, 0, "32:0".parse()?)]);
    /// assert_eq!(d.to_string(), "d: f16, bits 0..16 at 0 + 32:0");
    /// # Ok::<(), layout_algebra::LayoutError>(())
    /// ```
    pub fn new(name: &str, number: Number, parts: impl Into<Vec<Part>>) -> Self {
        Field { name: name.into(), number, parts: parts.into() }
    }
    /// Its name.
    ///
    /// ```
    /// assert_eq!(layout_bits::formats::q4_0().fields()[1].name(), "d");
    /// ```
    pub fn name(&self) -> &str {
        &self.name
    }
    /// What its bits mean.
    ///
    /// ```
    /// use layout_bits::{Number, formats};
    /// assert_eq!(formats::q4_0().fields()[1].number(), Number::F16);
    /// ```
    pub fn number(&self) -> Number {
        self.number
    }
    /// Its parts, that of the lowest bits first.
    ///
    /// ```
    /// assert_eq!(layout_bits::formats::q5_0().fields()[0].parts().len(), 2);
    /// ```
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }
    /// How many bits it has.
    ///
    /// ```
    /// assert_eq!(layout_bits::formats::q5_0().fields()[0].width(), 5);
    /// ```
    pub fn width(&self) -> usize {
        self.parts.iter().fold(0, |sum, part| sum.saturating_add(part.width))
    }
    /// Its bits for element `i` of a block.
    ///
    /// # Errors
    /// If there is no such element, or its bits lie beyond the block.
    ///
    /// ```
    /// let format = layout_bits::formats::q4_0();
    /// let q = &format.fields()[0];
    /// assert_eq!((q.get(&[0x98; 18], 0)?, q.get(&[0x98; 18], 16)?), (8, 9));
    /// assert_eq!(q.get(&[0x98; 2], 0).unwrap_err().to_string(), "3 bytes are needed, and the slice has 2");
    /// # Ok::<(), layout_bits::FormatError>(())
    /// ```
    pub fn get(&self, block: &[u8], i: usize) -> Result<u32, FormatError> {
        self.inside(block.len(), i)?;
        Ok(self.code(block, i))
    }
    /// Sets its bits for element `i` of a block, and so for all elements that share them.
    ///
    /// # Errors
    /// As [`get`](Self::get), and if the code has more bits than the field. Nothing has been
    /// written then.
    ///
    /// ```
    /// let (format, mut block) = (layout_bits::formats::q5_0(), [0; 22]);
    /// let q = &format.fields()[0];
    /// q.set(&mut block, 3, 0b10110)?; // the upper bit lies apart
    /// assert_eq!((block[6 + 3], block[2]), (0b0110, 1 << 3));
    /// assert_eq!(q.set(&mut block, 0, 32).unwrap_err().to_string(), "q has 5 bits, and 32 has more");
    /// # Ok::<(), layout_bits::FormatError>(())
    /// ```
    pub fn set(&self, block: &mut [u8], i: usize, code: u32) -> Result<(), FormatError> {
        let width = self.inside(block.len(), i)?;
        if width < 32 && code >> width != 0 {
            return Err(FormatError::Code { field: self.name.clone(), width, code });
        }
        self.put(block, i, code);
        Ok(())
    }
    /// For each code of this field, the code of the same number in `other`: `None` if `other` lacks
    /// the number, the first code if `other` has two.
    ///
    /// `other.number().decode(code_map[c], ..) == self.number().decode(c, ..)`
    ///
    /// # Errors
    /// If this field has more than 16 bits, or either field has 0 bits or more than 32.
    ///
    /// ```
    /// use layout_bits::{Field, Number, Part};
    /// let layout: layout_algebra::DynLayout = "8:4".parse()?;
    /// let nibbles = |number| Field::new("q", number, [Part::new(4, 0, layout.clone())]);
    /// let (offset, signed) = (nibbles(Number::Unsigned { minus: 8 }), nibbles(Number::Signed));
    /// // ggml's interleaving XORs all codes with 8.
    /// let map = offset.code_map(&signed).unwrap();
    /// assert!((0..16).all(|code| map[code as usize] == Some(code ^ 8)));
    /// // GPTQ stores zero - 1, so the zero 0 has no code.
    /// let [awq, gptq] = [0, -1].map(|minus| nibbles(Number::Unsigned { minus }));
    /// assert_eq!(awq.code_map(&gptq).unwrap()[..3], [None, Some(0), Some(1)]);
    /// # Ok::<(), layout_algebra::LayoutError>(())
    /// ```
    pub fn code_map(&self, other: &Field) -> Result<Vec<Option<u32>>, FormatError> {
        let sides = [self, other].map(|field| (field.number, field.width()));
        for (field, (number, width)) in [self, other].into_iter().zip(sides) {
            let fits = number.width().is_none_or(|needed| needed == width);
            if width == 0 || width > 32 || !fits {
                let why = format!("its {width} bits are no {number}");
                return Err(FormatError::Invalid { format: field.name.clone(), why });
            }
        }
        if let (Number::Unsigned { minus }, _) = sides[0]
            && minus.unsigned_abs() > 1 << 23
        {
            let why = format!("{} are more than 2^23, and not all are floats", sides[0].0);
            return Err(FormatError::Invalid { format: self.name.clone(), why });
        }
        Number::code_map(sides[0], sides[1], 0.0).ok_or_else(|| {
            let why = format!("its {} bits are more than 16, whose codes are mapped", sides[0].1);
            FormatError::Invalid { format: self.name.clone(), why }
        })
    }
    /// The least number of an integer field.
    pub(crate) fn least(&self) -> Option<f32> {
        match self.number {
            Number::Unsigned { minus } => Some(-(minus as f32)),
            Number::Signed => Some(-((1_u64 << (self.width() - 1)) as f32)),
            _ => None,
        }
    }
    /// The code of a number in an integer field.
    pub(crate) fn code_of(&self, number: f32) -> Option<u32> {
        self.number.code_of(number, self.width()).filter(|_| self.number.is_integer())
    }
    /// The width of the field, if its bits of element `i` lie within `bytes` bytes.
    fn inside(&self, bytes: usize, i: usize) -> Result<usize, FormatError> {
        let invalid = |why| FormatError::Invalid { format: self.name.clone(), why };
        let width = self.width();
        if width == 0 || width > 32 {
            return Err(invalid(format!("a field of {width} bits is none: it has 1 to 32")));
        }
        for part in &self.parts {
            if part.leaves().is_none() {
                return Err(invalid(format!(
                    "{} has strides that are no natural numbers",
                    part.layout
                )));
            }
            let elements = part.layout.size();
            if i >= elements {
                return Err(FormatError::Index { index: i, elements });
            }
            let end = part
                .layout
                .index(i)
                .checked_add(part.at)
                .and_then(|bit| bit.checked_add(part.width));
            let needed = end.map_or(usize::MAX, |end| end.div_ceil(8));
            if needed > bytes {
                return Err(FormatError::Room { needed, given: bytes, of: "bytes" });
            }
        }
        Ok(width)
    }
    fn code(&self, block: &[u8], i: usize) -> u32 {
        let mut shift = 0;
        self.parts.iter().fold(0, |code, part| {
            let bits = bits(block, part.bit(i), part.width) << shift;
            shift += part.width;
            code | bits
        })
    }
    fn decode(&self, block: &[u8], i: usize) -> f32 {
        self.number.decode(self.code(block, i), self.width())
    }
}
impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.number)?;
        let mut first = 0;
        self.parts.iter().try_for_each(|part| {
            let end = part.width.saturating_add(first);
            write!(f, ", bits {first}..{end} at {} + {}", part.at, part.layout)?;
            first = end;
            Ok(())
        })
    }
}

/// Zeros for `blocks` blocks of `each` elements or bytes; `of` says which of the two.
///
/// # Errors
/// If there is no memory for them.
pub(crate) fn zeroed<T: Zeroable>(
    format: &str,
    blocks: usize,
    (each, of): (usize, &'static str),
) -> Result<Vec<T>, FormatError> {
    let made = blocks.checked_mul(each).and_then(|count| try_zeroed_vec(count).ok());
    made.ok_or_else(|| FormatError::Memory { format: format.into(), blocks, each, of })
}

/// Decodes little-endian numbers of `N` bytes.
fn plain<T: Output, const N: usize>(number: Number, bytes: &[[u8; N]], numbers: &mut [T]) {
    let decode = |bytes: &[u8; N]| {
        let mut bits = [0; 4];
        bits[..N].copy_from_slice(bytes);
        T::OF(number.decode(u32::from_le_bytes(bits), 8 * N))
    };
    numbers.iter_mut().zip(bytes).for_each(|(to, bytes)| *to = decode(bytes));
}

/// The `width` bits, at most 32, that begin at bit `at`.
#[inline]
pub(crate) fn bits(bytes: &[u8], at: usize, width: usize) -> u32 {
    let end = (at + width).div_ceil(8);
    let word =
        bytes[at / 8..end].iter().rev().fold(0_u64, |word, &byte| word << 8 | u64::from(byte));
    (word >> (at % 8)) as u32 & ((1_u64 << width) - 1) as u32
}

/// The expression of an element's value; fields are given by their indices.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Value {
    pub(crate) scale: Vec<usize>,
    pub(crate) code: usize,
    pub(crate) zero: Option<usize>,
    /// Added or subtracted.
    pub(crate) rest: Option<(bool, Vec<usize>)>,
}

/// How quantised weights are stored, as data: the fields of an element and where their bits lie in
/// a block.
///
/// `{}` prints it:
///
/// ```
/// use layout_bits::formats;
/// assert_eq!(
///     formats::q4_0().to_string(),
///     "q4_0: 32 elements in 18 bytes, d * q\n\
///      \x20 q: u - 8, bits 0..4 at 16 + (16,2):(8,4)\n\
///      \x20 d: f16, bits 0..16 at 0 + 32:0\n"
/// );
/// ```
///
/// A custom format:
///
/// ```
/// use layout_bits::{Field, Format, Number, Part};
/// // Pairs of elements of 12 bits, and a float of 32 bits for both.
/// let fields = [
///     Field::new("q", Number::Signed, [Part::new(12, 32, "2:12".parse()?)]),
///     Field::new("s", Number::F32, [Part::new(32, 0, "2:0".parse()?)]),
/// ];
/// let format = Format::new("pairs", 2, &[("pairs", 7)], fields, "s * q")?;
/// let mut bytes = 0.5_f32.to_le_bytes().to_vec();
/// bytes.extend([0xff, 0x1f, 0x00]); // 0xfff and 0x001
/// assert_eq!(format.dequantize(&bytes)?, [-0.5, 0.5]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Format {
    name: String,
    elements: usize,
    planes: Vec<(String, usize)>,
    pub(crate) fields: Vec<Field>,
    text: String,
    pub(crate) value: Value,
    rule: Option<Rule>,
    plan: plan::Plan,
}

impl Format {
    /// A format with blocks of `elements` elements; a block is the concatenation of these planes,
    /// given by name and bytes.
    ///
    /// `value` says how the fields combine: a product whose last factor is the code, or in
    /// parentheses the code less another field; a second product may be added or subtracted.
    /// `d * scale * q - dmin * min`, `s * (q - z)`.
    ///
    /// # Errors
    /// If the size of a layout is not `elements`, or its bits lie beyond the block; if two numbers
    /// share some bits but not all; if the layouts have no common refinement; if `value` has
    /// another form, or a name that is no field; if a field's width does not fit its number, or it
    /// has integers beyond 2^24, which `f32` cannot all represent; and if two fields have one name,
    /// or a name contains one of `*+-()`.
    ///
    /// ```
    /// use layout_bits::{Field, Format, Number, Part};
    /// let q = Field::new("q", Number::Signed, [Part::new(4, 8, "4:4".parse()?)]);
    /// let error = Format::new("short", 4, &[("block", 2)], [q], "q").unwrap_err();
    /// assert_eq!(error.to_string(), "no format short: q has bits up to 24, and a block has 16");
    /// # Ok::<(), layout_algebra::LayoutError>(())
    /// ```
    pub fn new(
        name: &str,
        elements: usize,
        planes: &[(&str, usize)],
        fields: impl Into<Vec<Field>>,
        value: &str,
    ) -> Result<Self, FormatError> {
        let invalid = |why: String| FormatError::Invalid { format: name.into(), why };
        let (fields, bytes) = (
            fields.into(),
            planes.iter().try_fold(0, |sum: usize, plane| sum.checked_add(plane.1)),
        );
        let Some(bits) = bytes
            .and_then(|bytes| bytes.checked_mul(8))
            .filter(|&bits| bits <= isize::MAX as usize)
        else {
            return Err(invalid("its bits are more than can be counted".into()));
        };
        if elements == 0 || bits == 0 {
            return Err(invalid(format!("a block has {elements} elements and {bits} bits")));
        }
        for (k, field) in fields.iter().enumerate() {
            let (of, width) = (&field.name, field.width());
            if of.is_empty() || of.trim() != of || of.contains(['*', '+', '-', '(', ')']) {
                return Err(invalid(format!(
                    "{of:?} is no name of a field: a name is text without any of * + - ( )"
                )));
            }
            if fields[..k].iter().any(|other| other.name == *of) {
                return Err(invalid(format!("two fields have the name {of}")));
            }
            let is_integer = matches!(field.number, Number::Unsigned { .. } | Number::Signed);
            // Integers up to 2^24 are floats of 32 bits.
            if width == 0
                || width > if is_integer { 24 } else { 32 }
                || field.number.width().is_some_and(|needed| needed != width)
            {
                return Err(invalid(format!(
                    "{of} has {width} bits, which are no {}",
                    field.number
                )));
            }
            if let Number::Unsigned { minus } = field.number {
                let [least, greatest] = [0, (1 << width) - 1].map(|code| code - i64::from(minus));
                if least < -(1 << 24) || greatest > 1 << 24 {
                    let why =
                        format!("{of} is {} of {width} bits, {least} to {greatest}", field.number);
                    return Err(invalid(format!(
                        "{why}, and floats have all integers up to {} only",
                        1 << 24
                    )));
                }
            }
            for part in &field.parts {
                let Some(leaves) = part.leaves() else {
                    return Err(invalid(format!(
                        "{of} lies at {}, whose strides are no natural numbers",
                        part.layout
                    )));
                };
                let size = leaves.iter().try_fold(1_usize, |size, leaf| size.checked_mul(leaf.0));
                if size != Some(elements) {
                    let why =
                        format!("{of} lies at {} for {} elements", part.layout, text_of(size));
                    return Err(invalid(format!("{why}, and a block has {elements}")));
                }
                if part.width == 0 {
                    return Err(invalid(format!("{of} has a part of 0 bits")));
                }
                let last =
                    leaves.iter().map(|&(extent, stride)| (extent as u128 - 1) * stride as u128);
                let end = last.fold(
                    (part.at as u128).saturating_add(part.width as u128),
                    u128::saturating_add,
                );
                if end > bits as u128 {
                    return Err(invalid(format!(
                        "{of} has bits up to {end}, and a block has {bits}"
                    )));
                }
            }
        }
        check_disjoint(&fields).map_err(invalid)?;
        let combined = parse(value, &fields).map_err(invalid)?;
        let leaves: Vec<_> =
            fields.iter().flat_map(|field| &field.parts).filter_map(Part::leaves).collect();
        let axes = common_axes(&leaves).map_err(invalid)?;
        let plan = plan::Plan::new(&axes, &fields, &combined, elements, bits / 8);
        let planes = planes.iter().map(|&(name, bytes)| (name.to_string(), bytes)).collect();
        Ok(Format {
            name: name.into(),
            elements,
            planes,
            fields,
            text: value.into(),
            value: combined,
            rule: None,
            plan,
        })
    }

    pub(crate) fn with_rule(mut self, rule: Rule) -> Self {
        self.rule = Some(rule);
        self
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Its name.
    ///
    /// ```
    /// assert_eq!(layout_bits::formats::q2_k().name(), "q2_K");
    /// ```
    pub fn name(&self) -> &str {
        &self.name
    }
    /// The elements of a block.
    ///
    /// ```
    /// assert_eq!(layout_bits::formats::q2_k().elements(), 256);
    /// ```
    pub fn elements(&self) -> usize {
        self.elements
    }
    /// The bytes of a block.
    ///
    /// ```
    /// assert_eq!(layout_bits::formats::q2_k().bytes(), 84);
    /// ```
    pub fn bytes(&self) -> usize {
        self.planes.iter().map(|plane| plane.1).sum()
    }
    /// The names and bytes of a block's planes, in order: some formats are stored in several
    /// tensors.
    ///
    /// ```
    /// let planes = layout_bits::formats::gptq(64, 16, 32)?.planes().to_vec();
    /// assert_eq!(planes, [("qweight".into(), 512), ("qzeros".into(), 16), ("scales".into(), 64)]);
    /// # Ok::<(), layout_bits::FormatError>(())
    /// ```
    pub fn planes(&self) -> &[(String, usize)] {
        &self.planes
    }
    /// The fields.
    ///
    /// ```
    /// assert_eq!(layout_bits::formats::q2_k().fields().len(), 5);
    /// ```
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// The number of blocks in `bytes` bytes.
    pub(crate) fn blocks(&self, bytes: usize) -> Result<usize, FormatError> {
        let block = self.bytes();
        match bytes % block {
            0 => Ok(bytes / block),
            _ => Err(FormatError::Length {
                format: self.name.clone(),
                block,
                given: bytes,
                of: "bytes",
            }),
        }
    }

    /// All numbers of the blocks `bytes`.
    ///
    /// # Errors
    /// If the bytes are no whole number of blocks, or there is no memory for the numbers.
    ///
    /// ```
    /// use layout_bits::formats;
    /// let mut block = [0x98; 18];
    /// (block[0], block[1]) = (0x00, 0x3c); // d = 1
    /// let numbers = formats::q4_0().dequantize(&block)?;
    /// assert_eq!((numbers[0], numbers[16]), (0.0, 1.0)); // 8 - 8, 9 - 8
    /// # Ok::<(), layout_bits::FormatError>(())
    /// ```
    pub fn dequantize(&self, bytes: &[u8]) -> Result<Vec<f32>, FormatError> {
        let blocks = self.blocks(bytes.len())?;
        let mut numbers = zeroed(&self.name, blocks, (self.elements, "elements"))?;
        self.dequantize_into(bytes, &mut numbers)?;
        Ok(numbers)
    }

    /// [`dequantize`](Self::dequantize) into a slice of `f32` or `f16`.
    ///
    /// # Errors
    /// If the bytes are not a whole number of blocks, or the slice's length is not the number of
    /// elements.
    ///
    /// ```
    /// use layout_bits::formats;
    /// let mut halves = [half::f16::ONE; 32];
    /// formats::q8_0().dequantize_into(&[0; 34], &mut halves)?;
    /// assert_eq!(halves, [half::f16::ZERO; 32]);
    /// # Ok::<(), layout_bits::FormatError>(())
    /// ```
    pub fn dequantize_into<T: Output>(
        &self,
        bytes: &[u8],
        numbers: &mut [T],
    ) -> Result<(), FormatError> {
        let needed = self.blocks(bytes.len())?.saturating_mul(self.elements);
        if needed != numbers.len() {
            return Err(FormatError::Room { needed, given: numbers.len(), of: "elements" });
        }
        match self.plan.fast() {
            Some(fast) => kernel::run(fast, bytes, numbers),
            None if self.is_plain() => match self.bytes() {
                1 => plain(self.fields[0].number, bytes.as_chunks::<1>().0, numbers),
                2 => plain(self.fields[0].number, bytes.as_chunks::<2>().0, numbers),
                _ => plain(self.fields[0].number, bytes.as_chunks::<4>().0, numbers),
            },
            None => {
                let blocks =
                    bytes.chunks_exact(self.bytes()).zip(numbers.chunks_exact_mut(self.elements));
                blocks.for_each(|(block, numbers)| {
                    self.plan.each(self, block, |i, x| numbers[i] = T::OF(x))
                });
            }
        }
        Ok(())
    }

    /// Whether a block is one number, of 8, 16 or 32 bits.
    fn is_plain(&self) -> bool {
        let [field] = &self.fields[..] else { return false };
        let alone =
            self.value == Value::default() && matches!(&field.parts[..], [part] if part.at == 0);
        alone && self.elements == 1 && field.width() == self.bytes() * 8 && field.width() != 24
    }

    /// The same format with another kind of number, of the same width, in a field.
    #[cfg(feature = "safetensors")]
    pub(crate) fn with_number(&self, field: &str, number: Number) -> Result<Self, FormatError> {
        let mut fields = self.fields.clone();
        fields.iter_mut().filter(|one| one.name == field).for_each(|one| one.number = number);
        let planes: Vec<_> = self.planes.iter().map(|(name, bytes)| (&**name, *bytes)).collect();
        Format::new(&self.name, self.elements, &planes, fields, &self.text)
    }

    /// The number of one element.
    ///
    /// `get(bytes, i) == dequantize(bytes)[i]`
    ///
    /// # Errors
    /// If the bytes are no whole number of blocks, or there is no such element.
    ///
    /// ```
    /// use layout_bits::formats;
    /// let mut blocks = [0; 68];
    /// blocks[34..38].copy_from_slice(&[0x00, 0x3c, 0x00, 0xff]); // d = 1, 0, -1
    /// assert_eq!(formats::q8_0().get(&blocks, 33)?, -1.0);
    /// # Ok::<(), layout_bits::FormatError>(())
    /// ```
    pub fn get(&self, bytes: &[u8], index: usize) -> Result<f32, FormatError> {
        let elements = self.blocks(bytes.len())?.saturating_mul(self.elements);
        if index >= elements {
            return Err(FormatError::Index { index, elements });
        }
        let (block, i) = (index / self.elements, index % self.elements);
        Ok(self.at(&bytes[block * self.bytes()..][..self.bytes()], i))
    }

    /// The number of element `i` of a block.
    fn at(&self, block: &[u8], i: usize) -> f32 {
        let number = |&field: &usize| self.fields[field].decode(block, i);
        let Value { scale, code, zero, rest } = &self.value;
        let code = number(code) - zero.as_ref().map_or(0.0, number);
        let value =
            scale.iter().map(number).reduce(|a, b| a * b).map_or(code, |scale| scale * code);
        match rest {
            None => value,
            Some((plus, rest)) => {
                let rest = rest.iter().map(number).reduce(|a, b| a * b).unwrap_or(0.0);
                if *plus { value + rest } else { value - rest }
            }
        }
    }

    /// The same blocks, but element `i` has the bits of this field that element `from(i)` had.
    ///
    /// # Errors
    /// If the bytes are no whole number of blocks, or there is no such element or no such field.
    ///
    /// ```
    /// use layout_bits::formats;
    /// // A checkpoint with `g_idx`: row `i` belongs to group `g_idx[i]`, not to group `i / group`.
    /// let (format, group) = (formats::gptq(8, 8, 4)?, 4);
    /// let order = formats::act_order(&[1, 0, 1, 0, 1, 0, 1, 0], group)?;
    /// let bytes: Vec<u8> = (0..format.bytes()).map(|i| i as u8).collect();
    /// let sorted = format.reordered(&bytes, "q", |i| order[i % 8] + i / 8 * 8)?;
    /// // Row 0 is now the former row 1, whose group is 0.
    /// assert_eq!((sorted[0] & 15, bytes[0] >> 4), (0, 0));
    /// assert_eq!((sorted[4] & 15, bytes[4] >> 4), (0, 0));
    /// # Ok::<(), layout_bits::FormatError>(())
    /// ```
    pub fn reordered(
        &self,
        bytes: &[u8],
        field: &str,
        from: impl Fn(usize) -> usize,
    ) -> Result<Vec<u8>, FormatError> {
        let elements = self.blocks(bytes.len())?.saturating_mul(self.elements);
        let none = || FormatError::Field { format: self.name.clone(), field: field.into() };
        let field = self.fields.iter().find(|one| one.name == field).ok_or_else(none)?;
        let mut to = bytes.to_vec();
        for i in 0..elements {
            let index = from(i);
            if index >= elements {
                return Err(FormatError::Index { index, elements });
            }
            let code =
                field.code(&bytes[index / self.elements * self.bytes()..], index % self.elements);
            field.put(&mut to[i / self.elements * self.bytes()..], i % self.elements, code);
        }
        Ok(to)
    }

    /// Quantizes numbers by ggml's rule: the blocks equal those of the package `gguf` bit for bit.
    ///
    /// # Errors
    /// If the format has no rule (see [`quantize_by`](Self::quantize_by)), or the numbers are not a
    /// whole number of blocks. And if the rule has no result: for numbers that are not finite, or
    /// if a scale is too small to have an inverse or too large for `f16`, where ggml writes
    /// infinities.
    ///
    /// ```
    /// use layout_bits::formats;
    /// let numbers: Vec<f32> = (0..32).map(|i| i as f32 - 16.0).collect();
    /// let block = formats::q4_0().quantize(&numbers)?;
    /// assert_eq!((block.len(), formats::q4_0().dequantize(&block)?[0]), (18, -16.0));
    /// assert!(formats::q4_k().quantize(&[0.0; 256]).is_err());
    /// # Ok::<(), layout_bits::FormatError>(())
    /// ```
    pub fn quantize(&self, numbers: &[f32]) -> Result<Vec<u8>, FormatError> {
        let Some(rule) = self.rule else {
            return Err(FormatError::NoRule { format: self.name.clone() });
        };
        if !numbers.len().is_multiple_of(self.elements) {
            let (block, given) = (self.elements, numbers.len());
            return Err(FormatError::Length {
                format: self.name.clone(),
                block,
                given,
                of: "elements",
            });
        }
        let mut bytes = zeroed(&self.name, numbers.len() / self.elements, (self.bytes(), "bytes"))?;
        let blocks = numbers.chunks_exact(self.elements).zip(bytes.chunks_exact_mut(self.bytes()));
        for (k, (numbers, block)) in blocks.enumerate() {
            let undefined = |why| FormatError::Undefined {
                format: self.name.clone(),
                index: k * self.elements,
                why,
            };
            rule.quantize(self, numbers, block).map_err(undefined)?;
        }
        Ok(bytes)
    }
}

fn text_of(count: Option<usize>) -> String {
    count.map_or("uncounted".into(), |count| count.to_string())
}

/// Ok if no two numbers share a bit, unless they share all bits.
fn check_disjoint(fields: &[Field]) -> Result<(), String> {
    let parts: Vec<_> = fields
        .iter()
        .enumerate()
        .flat_map(|(k, f)| f.parts.iter().map(move |part| (k, part)))
        .collect();
    for (p, &(k, a)) in parts.iter().enumerate() {
        for (q, &(other, b)) in parts.iter().enumerate().skip(p) {
            if let Some([x, y]) = overlap::shared(a, b, p == q)? {
                let name = &fields[other].name;
                let another = match (p == q, k == other) {
                    (true, _) => format!("another {name}"),
                    (_, true) => format!("another part of {name}"),
                    _ => name.clone(),
                };
                let (first, end, second) = (&fields[k].name, x + a.width, y + b.width);
                return Err(format!(
                    "{first} has the bits {x}..{end}, and {another} has the bits {y}..{second}"
                ));
            }
        }
    }
    Ok(())
}

/// Parses a value's text: `s * q` or `s * (q - z)`, optionally followed by `+ d * m` or `- d * m`.
fn parse(text: &str, fields: &[Field]) -> Result<Value, String> {
    let field = |name: &str| match name.trim() {
        "" => Err(format!("{text:?} lacks a field beside one of its signs")),
        name => {
            let found = fields.iter().position(|field| field.name == name);
            found.ok_or_else(|| format!("{text:?} names {name:?}, which is no field"))
        }
    };
    let product = |text: &str| text.split('*').map(field).collect::<Result<Vec<_>, _>>();
    let (before, pair, behind) = match text.split_once('(') {
        None => ("", None, text),
        Some((before, rest)) => match rest.split_once(')') {
            Some((pair, behind)) => (before.trim(), Some(pair), behind),
            None => return Err(format!("{text:?} has a ( without a )")),
        },
    };
    let (first, rest) = match behind.find(['+', '-']) {
        Some(at) => {
            (&behind[..at], Some((behind[at..].starts_with('+'), product(&behind[at + 1..])?)))
        }
        None => (behind, None),
    };
    let Some(pair) = pair else {
        let mut scale = product(first)?;
        let code = scale.pop().ok_or_else(|| format!("{text:?} has no factor"))?;
        return Ok(Value { scale, code, zero: None, rest });
    };
    if !first.trim().is_empty() {
        return Err(format!(
            "{text:?} has {:?} behind its parentheses, where + or - may stand",
            first.trim()
        ));
    }
    let scale = match (before, before.strip_suffix('*')) {
        ("", _) => Vec::new(),
        (_, Some(before)) => product(before)?,
        (before, None) => {
            return Err(format!(
                "{text:?} has {before:?} before its parentheses, and no * between them"
            ));
        }
    };
    let (code, zero) = pair
        .split_once('-')
        .ok_or_else(|| format!("{text:?} has no difference in its parentheses"))?;
    Ok(Value { scale, code: field(code)?, zero: Some(field(zero)?), rest })
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{}: {} elements in {} bytes, {}",
            self.name,
            self.elements,
            self.bytes(),
            self.text
        )?;
        if self.planes.len() > 1 {
            self.planes
                .iter()
                .try_for_each(|(name, bytes)| writeln!(f, "  {bytes} bytes {name}"))?;
        }
        self.fields.iter().try_for_each(|field| writeln!(f, "  {field}"))
    }
}
