//! Errors of formats, one sentence for each.

use core::fmt;

/// Why a format is invalid, or why bytes do not fit it. Nothing has been written if it is returned.
///
/// ```
/// use layout_bits::formats;
/// let error = formats::q4_k().dequantize(&[0; 143]).unwrap_err();
/// assert_eq!(error.to_string(), "q4_K has blocks of 144 bytes: 143 bytes are no whole number of them");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FormatError {
    /// The bytes or the elements are no whole number of blocks.
    Length {
        /// The format.
        format: String,
        /// The length of a block.
        block: usize,
        /// The length given.
        given: usize,
        /// `bytes` or `elements`.
        of: &'static str,
    },
    /// A slice has a wrong length.
    Room {
        /// The length needed.
        needed: usize,
        /// The length given.
        given: usize,
        /// `bytes` or `elements`.
        of: &'static str,
    },
    /// There is no element of this number.
    Index {
        /// The number.
        index: usize,
        /// How many elements there are.
        elements: usize,
    },
    /// The parts of a format do not fit together.
    Invalid {
        /// The format.
        format: String,
        /// Which parts, and the numbers.
        why: String,
    },
    /// A format has no field of this name.
    Field {
        /// The format.
        format: String,
        /// The name.
        field: String,
    },
    /// A code has more bits than the field.
    Code {
        /// The field.
        field: String,
        /// How many bits it has.
        width: usize,
        /// The code.
        code: u32,
    },
    /// There is no memory for the result.
    Memory {
        /// The format.
        format: String,
        /// How many blocks there are.
        blocks: usize,
        /// The elements or bytes that each becomes.
        each: usize,
        /// `bytes` or `elements`.
        of: &'static str,
    },
    /// The format has no rule for quantizing.
    NoRule {
        /// The format.
        format: String,
    },
    /// The rule of the format has no result for a block.
    Undefined {
        /// The format.
        format: String,
        /// The first element of the block.
        index: usize,
        /// Why.
        why: String,
    },
    /// One format cannot be repacked as the other.
    Repack {
        /// The source format.
        from: String,
        /// The destination format.
        to: String,
        /// Why.
        why: String,
    },
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { format, block, given, of } => {
                write!(
                    f,
                    "{format} has blocks of {block} {of}: {given} {of} are no whole number of them"
                )
            }
            Self::Room { needed, given, of } => {
                write!(f, "{needed} {of} are needed, and the slice has {given}")
            }
            Self::Index { index, elements } => {
                write!(f, "there is no element {index}: there are {elements}")
            }
            Self::Invalid { format, why } => write!(f, "no format {format}: {why}"),
            Self::Field { format, field } => write!(f, "{format} has no field {field}"),
            Self::Code { field, width, code } => {
                write!(f, "{field} has {width} bits, and {code} has more")
            }
            Self::Memory { format, blocks, each, of } => {
                write!(
                    f,
                    "{blocks} blocks of {format}, each of {each} {of}, are more than there is \
                     memory for"
                )
            }
            Self::NoRule { format } => {
                let have =
                    "q4_0, q4_1, q5_0, q5_1, q8_0 and mxfp4 of layout_bits::formats have one";
                write!(
                    f,
                    "{format} has no rule that quantizes: {have}, and quantize_by takes a rule"
                )
            }
            Self::Undefined { format, index, why } => {
                write!(
                    f,
                    "the rule of {format} has no answer for the block at element {index}: {why}"
                )
            }
            Self::Repack { from, to, why } => write!(f, "no repacking of {from} to {to}: {why}"),
        }
    }
}
impl std::error::Error for FormatError {}
