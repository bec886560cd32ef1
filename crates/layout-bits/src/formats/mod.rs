//! The formats that models are stored in.
//!
//! | format | elements and bytes of a block | a number is |
//! |---|---|---|
//! | [`q4_0`], [`q5_0`], [`q8_0`] | 32 in 18, 22, 34 | `d * q` |
//! | [`q4_1`], [`q5_1`] | 32 in 20, 24 | `d * q + m` |
//! | [`q2_k`], [`q4_k`], [`q5_k`] | 256 in 84, 144, 176 | `d * scale * q - dmin * min` |
//! | [`q3_k`], [`q6_k`] | 256 in 110, 210 | `d * scale * q` |
//! | [`iq4_nl`] | 32 in 18 | `d * q`, `q` from a table |
//! | [`mxfp4`], [`nvfp4`] | 32 in 17, 64 in 36 | `e * q`, `q` a float of 4 bits |
//! | [`gptq`], [`awq`], [`marlin_with_zeros`] | a matrix, in three tensors | `scale * (q - zero)` |
//! | [`compressed_tensors`], [`marlin`] | a matrix, in two tensors | `scale * q` |
//! | [`scaled`] | a matrix of floats of 8 bits, in two tensors | `d * q` |
//! | [`plain`] | 1 in 1, 2 or 4 | `x` |
//!
//! | [`interleaved`] | a matrix of ggml's blocks | as in the blocks |
//!
//! The first rows up to [`mxfp4`] and [`nvfp4`] are ggml's, with the elements of a block in order.
//! In a matrix of `k` rows and `n` columns, the element in row `r` and column `c` has the index
//! `r + k * c`: rows are inputs, columns are outputs, and the inputs of an output are contiguous,
//! as in the weight of a linear layer.

mod interleaved;

use layout_algebra::DynLayout;
use layout_relayout::Relayout;

use crate::format::{Field, Format, FormatError, Number, Part, Rule, zeroed};

pub use interleaved::interleaved;

const UNSIGNED: Number = Number::Unsigned { minus: 0 };

fn part(width: usize, at: usize, layout: &str) -> Part {
    Part::new(width, at, layout.parse().expect("layouts of this file are layouts"))
}
fn block(name: &str, elements: usize, bytes: usize, fields: &[Field], value: &str) -> Format {
    let format = Format::new(name, elements, &[("block", bytes)], fields, value);
    format.expect("formats of this file are formats")
}
fn minus(minus: i32) -> Number {
    Number::Unsigned { minus }
}
/// Blocks of 32 elements: the codes, and the fields that all elements share.
fn of_32(
    name: &str,
    bytes: usize,
    number: Number,
    codes: &[Part],
    others: &[(&str, usize)],
    value: &str,
) -> Format {
    let mut fields = vec![Field::new("q", number, codes)];
    fields.extend(
        others.iter().map(|&(name, at)| Field::new(name, Number::F16, [part(16, at, "32:0")])),
    );
    block(name, 32, bytes, &fields, value)
}

/// Adjacent numbers of `bits` bits, one in each block: floats and integers as stored in files.
///
/// # Errors
/// If there are no numbers of this kind with `bits` bits, or they are no whole bytes.
///
/// ```
/// use layout_bits::{Number, formats};
/// let halves = formats::plain(Number::F16, 16)?;
/// assert_eq!(halves.dequantize(&[0x00, 0x3c, 0x00, 0xc0])?, [1.0, -2.0]);
/// assert_eq!(halves.to_string(), "f16: 1 elements in 2 bytes, x\n  x: f16, bits 0..16 at 0 + 1:0\n");
/// assert!(formats::plain(Number::F32, 16).is_err());
/// # Ok::<(), layout_bits::FormatError>(())
/// ```
pub fn plain(number: Number, bits: usize) -> Result<Format, FormatError> {
    let name = match number {
        Number::Unsigned { minus: 0 } | Number::Signed => format!("{number}{bits}"),
        _ => number.to_string(),
    };
    if !bits.is_multiple_of(8) {
        return Err(FormatError::Invalid {
            format: name,
            why: format!("{bits} bits are no whole bytes"),
        });
    }
    Format::new(
        &name,
        1,
        &[("block", bits / 8)],
        [Field::new("x", number, [part(bits, 0, "1:0")])],
        "x",
    )
}

/// Nibbles less 8 and a scale. ggml's `Q4_0`.
///
/// ```
/// assert_eq!(layout_bits::formats::q4_0().bytes(), 18);
/// ```
pub fn q4_0() -> Format {
    let codes = [part(4, 16, "(16,2):(8,4)")];
    of_32("q4_0", 18, minus(8), &codes, &[("d", 0)], "d * q").with_rule(Rule::Largest { levels: 8 })
}
/// Nibbles, a scale and the least number. ggml's `Q4_1`.
///
/// ```
/// assert_eq!(layout_bits::formats::q4_1().bytes(), 20);
/// ```
pub fn q4_1() -> Format {
    let codes = [part(4, 32, "(16,2):(8,4)")];
    of_32("q4_1", 20, UNSIGNED, &codes, &[("d", 0), ("m", 16)], "d * q + m")
        .with_rule(Rule::Range { levels: 15 })
}
/// Codes of 5 bits less 16, their upper bits apart, and a scale. ggml's `Q5_0`.
///
/// ```
/// assert_eq!(layout_bits::formats::q5_0().bytes(), 22);
/// ```
pub fn q5_0() -> Format {
    let codes = [part(4, 48, "(16,2):(8,4)"), part(1, 16, "32:1")];
    of_32("q5_0", 22, minus(16), &codes, &[("d", 0)], "d * q")
        .with_rule(Rule::Largest { levels: 16 })
}
/// Codes of 5 bits, their upper bits apart, a scale and the least number. ggml's `Q5_1`.
///
/// ```
/// assert_eq!(layout_bits::formats::q5_1().bytes(), 24);
/// ```
pub fn q5_1() -> Format {
    let codes = [part(4, 64, "(16,2):(8,4)"), part(1, 32, "32:1")];
    of_32("q5_1", 24, UNSIGNED, &codes, &[("d", 0), ("m", 16)], "d * q + m")
        .with_rule(Rule::Range { levels: 31 })
}
/// Bytes with a sign and a scale. ggml's `Q8_0`.
///
/// ```
/// assert_eq!(layout_bits::formats::q8_0().bytes(), 34);
/// ```
pub fn q8_0() -> Format {
    of_32("q8_0", 34, Number::Signed, &[part(8, 16, "32:8")], &[("d", 0)], "d * q")
        .with_rule(Rule::Round)
}
/// Nibbles that are indices of a table, and a scale. ggml's `IQ4_NL`.
///
/// ```
/// assert_eq!(layout_bits::formats::iq4_nl().bytes(), 18);
/// ```
pub fn iq4_nl() -> Format {
    const TABLE: [i8; 16] =
        [-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113];
    of_32("iq4_nl", 18, Number::Table(&TABLE), &[part(4, 16, "(16,2):(8,4)")], &[("d", 0)], "d * q")
}

/// Codes of 2 bits in 16 groups, each with a scale and a least number of 4 bits. ggml's `Q2_K`.
///
/// ```
/// assert_eq!(layout_bits::formats::q2_k().bytes(), 84);
/// ```
pub fn q2_k() -> Format {
    let fields = [
        Field::new("q", UNSIGNED, [part(2, 128, "(32,4,2):(8,2,256)")]),
        Field::new("scale", UNSIGNED, [part(4, 0, "(16,16):(0,8)")]),
        Field::new("min", UNSIGNED, [part(4, 4, "(16,16):(0,8)")]),
        Field::new("d", Number::F16, [part(16, 640, "256:0")]),
        Field::new("dmin", Number::F16, [part(16, 656, "256:0")]),
    ];
    block("q2_K", 256, 84, &fields, "d * scale * q - dmin * min")
}
/// Codes of 3 bits less 4, their upper bits apart, in 16 groups, each with a scale of 6 bits less
/// 32: ggml's `Q3_K`.
///
/// ```
/// assert_eq!(layout_bits::formats::q3_k().bytes(), 110);
/// ```
pub fn q3_k() -> Format {
    let scale = [part(4, 768, "(16,(8,2)):(0,(8,4))"), part(2, 832, "(16,(4,4)):(0,(8,2))")];
    let fields = [
        Field::new("q", minus(4), [part(2, 256, "(32,4,2):(8,2,256)"), part(1, 0, "(32,8):(8,1)")]),
        Field::new("scale", minus(32), scale),
        Field::new("d", Number::F16, [part(16, 864, "256:0")]),
    ];
    block("q3_K", 256, 110, &fields, "d * scale * q")
}
/// The fields of [`q4_k`] and [`q5_k`]: the code, two floats, and for each of 8 groups a scale and
/// a least number of 6 bits.
fn k_scales(code: Field) -> [Field; 5] {
    let scale = [part(4, 32, "(32,(4,2)):(0,(8,64))"), part(2, 36, "(32,(4,2)):(0,(8,2))")];
    let min = [part(4, 64, "(32,(4,2)):(0,(8,36))"), part(2, 68, "(32,(4,2)):(0,(8,2))")];
    [
        code,
        Field::new("scale", UNSIGNED, scale),
        Field::new("min", UNSIGNED, min),
        Field::new("d", Number::F16, [part(16, 0, "256:0")]),
        Field::new("dmin", Number::F16, [part(16, 16, "256:0")]),
    ]
}
/// Nibbles in 8 groups, each with a scale and a least number of 6 bits. ggml's `Q4_K`.
///
/// ```
/// assert_eq!(layout_bits::formats::q4_k().bytes(), 144);
/// ```
pub fn q4_k() -> Format {
    let code = Field::new("q", UNSIGNED, [part(4, 128, "(32,2,4):(8,4,256)")]);
    block("q4_K", 256, 144, &k_scales(code), "d * scale * q - dmin * min")
}
/// Codes of 5 bits, their upper bits apart, in 8 groups, each with a scale and a least number of 6
/// bits. ggml's `Q5_K`.
///
/// ```
/// assert_eq!(layout_bits::formats::q5_k().bytes(), 176);
/// ```
pub fn q5_k() -> Format {
    let code = Field::new(
        "q",
        UNSIGNED,
        [part(4, 384, "(32,2,4):(8,4,256)"), part(1, 128, "(32,8):(8,1)")],
    );
    block("q5_K", 256, 176, &k_scales(code), "d * scale * q - dmin * min")
}
/// Codes of 6 bits less 32, their upper two apart, in 16 groups, each with a scale of a byte.
/// ggml's `Q6_K`.
///
/// ```
/// assert_eq!(layout_bits::formats::q6_k().bytes(), 210);
/// ```
pub fn q6_k() -> Format {
    let fields = [
        Field::new(
            "q",
            minus(32),
            [part(4, 0, "(64,2,2):(8,4,512)"), part(2, 1024, "(32,4,2):(8,2,256)")],
        ),
        Field::new("scale", Number::Signed, [part(8, 1536, "(16,16):(0,8)")]),
        Field::new("d", Number::F16, [part(16, 1664, "256:0")]),
    ];
    block("q6_K", 256, 210, &fields, "d * scale * q")
}

const TWICE_E2M1: Number = Number::Table(&crate::format::TWICE_E2M1);

/// Floats of 4 bits ([`E2m1`](crate::E2m1)) and a power of two ([`E8m0`](crate::E8m0)). ggml's
/// `MXFP4`, which takes twice the floats, as integers, and half of the scale: so no zero is below
/// zero, and the scale 255 is no NaN.
///
/// ```
/// assert_eq!(layout_bits::formats::mxfp4().bytes(), 17);
/// ```
pub fn mxfp4() -> Format {
    let fields = [
        Field::new("q", TWICE_E2M1, [part(4, 8, "(16,2):(8,4)")]),
        Field::new("e", Number::HalfE8m0, [part(8, 0, "32:0")]),
    ];
    block("mxfp4", 32, 17, &fields, "e * q").with_rule(Rule::PowerOfTwo)
}
/// Floats of 4 bits ([`E2m1`](crate::E2m1)) in 4 groups, each with a scale of 8 bits
/// ([`E4m3`](crate::E4m3)). ggml's `NVFP4`, which takes twice the floats, as integers, and half of
/// the scale, without its sign.
///
/// ```
/// assert_eq!(layout_bits::formats::nvfp4().bytes(), 36);
/// ```
pub fn nvfp4() -> Format {
    let fields = [
        Field::new("q", TWICE_E2M1, [part(4, 32, "(8,2,4):(8,4,64)")]),
        Field::new("scale", Number::HalfE4m3, [part(8, 0, "(16,4):(0,8)")]),
    ];
    block("nvfp4", 64, 36, &fields, "scale * q")
}

/// Checks the extents of a matrix: multiples of the tile, and a whole number of groups of rows.
fn matrix(name: &str, [k, n, group]: [usize; 3], tile: [usize; 2]) -> Result<(), FormatError> {
    let invalid = |why| Err(FormatError::Invalid { format: name.into(), why });
    if k == 0 || n == 0 {
        return invalid(format!("a matrix of {k} rows and {n} columns has no elements"));
    }
    for (count, of, tile) in [(k, "rows", tile[0]), (n, "columns", tile[1])] {
        if count % tile != 0 {
            return invalid(format!("{count} {of} are no multiple of {tile}"));
        }
    }
    if group == 0 || k % group != 0 {
        return invalid(format!("{k} rows are no whole number of groups of {group}"));
    }
    match k.checked_mul(n).and_then(|elements| elements.checked_mul(32)) {
        Some(bits) if bits <= isize::MAX as usize => Ok(()),
        _ => invalid(format!("a matrix of {k} by {n} elements has more bits than can be counted")),
    }
}

/// A matrix of nibbles, 8 rows of a column in a word, in groups of `group` rows with a zero and a
/// scale each: the tensors `qweight`, `qzeros` and `scales` of GPTQ's checkpoints, which store the
/// zero minus one. For a `g_idx` see [`act_order`].
///
/// # Errors
/// If `k` is no multiple of 8 and of the groups, or `n` none of 8.
///
/// ```
/// use layout_bits::formats;
/// let format = formats::gptq(128, 64, 64)?;
/// assert_eq!(format.fields()[0].parts()[0].layout().to_string(), "((8,16),64):((4,2048),32)");
/// assert!(formats::gptq(128, 60, 64).is_err());
/// # Ok::<(), layout_bits::FormatError>(())
/// ```
pub fn gptq(k: usize, n: usize, group: usize) -> Result<Format, FormatError> {
    gptq_of(4, k, n, group)
}

/// How many numbers of `bits` bits fit in a word of 32 bits.
fn in_a_word(name: &str, bits: usize) -> Result<usize, FormatError> {
    let invalid = FormatError::Invalid {
        format: name.into(),
        why: format!("a word has no numbers of {bits} bits"),
    };
    if (1..=8).contains(&bits) { Ok(32 / bits) } else { Err(invalid) }
}

/// [`gptq`] with 1, 2, 4 or 8 bits. Numbers of 3 bits straddle words: see [`gptq_across`].
///
/// # Errors
/// If a word has no whole number of elements of `bits` bits, and as [`gptq`].
///
/// ```
/// use layout_bits::formats;
/// assert_eq!(formats::gptq_of(8, 128, 64, 64)?.bytes(), 128 * 64 + 2 * 64 + 2 * 2 * 64);
/// let error = formats::gptq_of(3, 128, 64, 64).unwrap_err();
/// assert_eq!(error.to_string(), "no format gptq: its numbers of 3 bits go across words, see gptq_across");
/// # Ok::<(), layout_bits::FormatError>(())
/// ```
pub fn gptq_of(bits: usize, k: usize, n: usize, group: usize) -> Result<Format, FormatError> {
    let each = in_a_word("gptq", bits)?;
    if 32 % bits != 0 {
        let why = format!("its numbers of {bits} bits go across words, see gptq_across");
        return Err(FormatError::Invalid { format: "gptq".into(), why });
    }
    matrix("gptq", [k, n, group], [each, each])?;
    let columns = format!("({each},{}):({bits},32)", n / each);
    let codes = format!("(({each},{}),{n}):(({bits},{}),32)", k / each, 32 * n);
    of_gptq("gptq", bits, [k, n, group], codes, columns)
}

/// GPTQ's format with these layouts: of the codes over `[k, n]`, and of the zeros over `n`.
fn of_gptq(
    name: &str,
    bits: usize,
    [k, n, group]: [usize; 3],
    codes: String,
    columns: String,
) -> Result<Format, FormatError> {
    let (of_codes, groups) = (k * n / 8 * bits, k / group);
    let of_zeros = groups * n / 8 * bits;
    let (columns, strides) = columns.split_once(':').expect("a shape and strides");
    let zeros = format!("(({group},{groups}),{columns}):((0,{}),{strides})", bits * n);
    let scales = format!("(({group},{groups}),{n}):((0,{}),16)", 16 * n);
    let fields = [
        Field::new("q", UNSIGNED, [part(bits, 0, &codes)]),
        Field::new("zero", minus(-1), [part(bits, of_codes * 8, &zeros)]),
        Field::new("scale", Number::F16, [part(16, (of_codes + of_zeros) * 8, &scales)]),
    ];
    let planes = [("qweight", of_codes), ("qzeros", of_zeros), ("scales", groups * n * 2)];
    Format::new(name, k * n, &planes, fields, "scale * (q - zero)")
}

/// GPTQ with 3, 5, 6 or 7 bits: 32 numbers of a column are bit-packed in `bits` words, and some
/// straddle two words. A checkpoint stores the words of a column in different rows of `qweight`, so
/// that no layout has the bits of such a number; in this format the words of a column are
/// contiguous. [`turn_words`] converts a checkpoint's words.
///
/// # Errors
/// If `k` or `n` is no multiple of 32, if `k` is no multiple of `group`, or if numbers of `bits`
/// bits do not straddle words.
///
/// ```
/// use layout_bits::formats;
/// let (k, n) = (64, 32);
/// let format = formats::gptq_across(3, k, n, 32)?;
/// assert_eq!(format.fields()[0].parts()[0].layout().to_string(), "(64,32):(3,192)");
/// // Number 10 of column 0 has its last bit in the second row of words.
/// let mut qweight = vec![0; k * n / 8 * 3];
/// qweight[4 * n] = 1;
/// let mut turned = formats::turn_words(&qweight, k / 32 * 3, n)?;
/// turned.resize(format.bytes(), 0);
/// assert_eq!(format.fields()[0].get(&turned, 10)?, 0b100);
/// # Ok::<(), layout_bits::FormatError>(())
/// ```
pub fn gptq_across(bits: usize, k: usize, n: usize, group: usize) -> Result<Format, FormatError> {
    in_a_word("gptq", bits)?;
    if 32 % bits == 0 {
        let why = format!("its numbers of {bits} bits go across no words, see gptq_of");
        return Err(FormatError::Invalid { format: "gptq".into(), why });
    }
    matrix("gptq", [k, n, group], [32, 32])?;
    let (codes, columns) = (format!("({k},{n}):({bits},{})", bits * k), format!("{n}:{bits}"));
    of_gptq("gptq", bits, [k, n, group], codes, columns)
}

/// Transposes a row-major matrix of 32-bit words to column-major. With `rows` and `columns`
/// exchanged it is its own inverse.
///
/// # Errors
/// If the bytes are not those of `rows * columns` words, or there is no memory for them.
///
/// ```
/// use layout_bits::formats::turn_words;
/// let turned = turn_words(&[1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0], 2, 2)?;
/// assert_eq!(turned, [1, 0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0]);
/// assert!(turn_words(&[0; 15], 2, 2).is_err());
/// # Ok::<(), layout_bits::FormatError>(())
/// ```
pub fn turn_words(bytes: &[u8], rows: usize, columns: usize) -> Result<Vec<u8>, FormatError> {
    let needed = rows.saturating_mul(columns).saturating_mul(4);
    if needed != bytes.len() {
        return Err(FormatError::Room { needed, given: bytes.len(), of: "bytes" });
    }
    let mut turned = zeroed("words", rows * columns, (4, "bytes"))?;
    if !bytes.is_empty() {
        let layout = |text: String| text.parse().expect("layouts of this file are layouts");
        let from: DynLayout = layout(format!("({rows},{columns}):({columns},1)"));
        let to: DynLayout = layout(format!("({rows},{columns}):(1,{rows})"));
        let plan = Relayout::plan(&from, &to, 4).expect("two orders of the same words");
        let turned: &mut [u8] = &mut turned;
        let moved = plan.run(bytes.as_chunks::<4>().0, turned.as_chunks_mut::<4>().0);
        moved.expect("as many words as rows have");
    }
    Ok(turned)
}

/// The rows of a checkpoint with a `g_idx`, sorted by their groups.
///
/// `g_idx[order[j]] == j / group`: row `j` in this order is row `order[j]` of the checkpoint.
/// [`Format::reordered`] puts the codes into this order; the other factor of a product has to be
/// put into it too.
///
/// # Errors
/// If a group has not exactly `group` rows: no order of the rows fits a format then.
///
/// ```
/// use layout_bits::formats;
/// assert_eq!(formats::act_order(&[1, 0, 0, 1], 2)?, [1, 2, 0, 3]);
/// let error = formats::act_order(&[0, 0, 0, 1], 2).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "no format g_idx: row 2 is of group 0, and in the order of groups it is in group 1 of 2 rows"
/// );
/// # Ok::<(), layout_bits::FormatError>(())
/// ```
pub fn act_order(g_idx: &[usize], group: usize) -> Result<Vec<usize>, FormatError> {
    if group == 0 {
        return Err(FormatError::Invalid {
            format: "g_idx".into(),
            why: "its groups have 0 rows".into(),
        });
    }
    let mut order: Vec<_> = (0..g_idx.len()).collect();
    order.sort_by_key(|&row| g_idx[row]);
    match order.iter().enumerate().find(|&(j, &row)| j / group != g_idx[row]) {
        None => Ok(order),
        Some((j, &row)) => {
            let why = format!(
                "row {row} is of group {}, and in the order of groups it is in group {} of \
                 {group} rows",
                g_idx[row],
                j / group
            );
            Err(FormatError::Invalid { format: "g_idx".into(), why })
        }
    }
}

/// A matrix of nibbles, 8 columns of a row in a word, the even columns first, in groups of `group`
/// rows with a zero and a scale each: the tensors `qweight`, `qzeros` and `scales` of AWQ's
/// checkpoints.
///
/// # Errors
/// If `k` is no multiple of the groups, or `n` none of 8.
///
/// ```
/// use layout_bits::formats;
/// let format = formats::awq(128, 64, 64)?;
/// assert_eq!(format.fields()[0].parts()[0].layout().to_string(), "(128,((2,4),8)):(256,((16,4),32))");
/// # Ok::<(), layout_bits::FormatError>(())
/// ```
pub fn awq(k: usize, n: usize, group: usize) -> Result<Format, FormatError> {
    matrix("awq", [k, n, group], [1, 8])?;
    let (codes, zeros, groups) = (k * n / 2, k / group * n / 2, k / group);
    let columns = format!("((2,4),{})", n / 8);
    let fields = [
        Field::new(
            "q",
            UNSIGNED,
            [part(4, 0, &format!("({k},{columns}):({},((16,4),32))", 4 * n))],
        ),
        Field::new(
            "zero",
            UNSIGNED,
            [part(
                4,
                codes * 8,
                &format!("(({group},{groups}),{columns}):((0,{}),((16,4),32))", 4 * n),
            )],
        ),
        Field::new(
            "scale",
            Number::F16,
            [part(
                16,
                (codes + zeros) * 8,
                &format!("(({group},{groups}),{n}):((0,{}),16)", 16 * n),
            )],
        ),
    ];
    let planes = [("qweight", codes), ("qzeros", zeros), ("scales", groups * n * 2)];
    Format::new("awq", k * n, &planes, fields, "scale * (q - zero)")
}

/// A matrix of nibbles less 8, the rows of a column side by side, in groups of `group` rows with a
/// scale each: the tensors `weight_packed` and `weight_scale` of compressed-tensors'
/// `pack-quantized`, of symmetric weights of 4 bits and scales of 16. For PyTorch the matrix is
/// `[n, k]`, in rows.
///
/// # Errors
/// If `k` is no multiple of 8 and of the groups.
///
/// ```
/// use layout_bits::formats;
/// let format = formats::compressed_tensors(128, 64, 32)?;
/// assert_eq!(format.fields()[0].parts()[0].layout().to_string(), "(128,64):(4,512)");
/// # Ok::<(), layout_bits::FormatError>(())
/// ```
pub fn compressed_tensors(k: usize, n: usize, group: usize) -> Result<Format, FormatError> {
    compressed_tensors_of(4, k, n, group)
}

/// [`compressed_tensors`] with 1 to 8 bits: a word has as many numbers as fit whole, 10 of 3 bits.
///
/// # Errors
/// If `k` is no multiple of the numbers in a word and of `group`, or words and groups have no
/// common refinement.
///
/// ```
/// use layout_bits::formats;
/// assert_eq!(formats::compressed_tensors_of(8, 128, 64, 32)?.fields()[0].number().to_string(), "u - 128");
/// // Words of ten elements, and a scale for each column.
/// let format = formats::compressed_tensors_of(3, 160, 8, 160)?;
/// assert_eq!(format.fields()[0].parts()[0].layout().to_string(), "((10,16),8):((3,32),512)");
/// assert!(formats::compressed_tensors_of(3, 160, 8, 32).is_err());
/// # Ok::<(), layout_bits::FormatError>(())
/// ```
pub fn compressed_tensors_of(
    bits: usize,
    k: usize,
    n: usize,
    group: usize,
) -> Result<Format, FormatError> {
    let each = in_a_word("compressed-tensors", bits)?;
    matrix("compressed-tensors", [k, n, group], [each, 1])?;
    let (words, groups) = (k / each, k / group);
    let (codes, dense) = (words * n * 4, each * bits == 32);
    let layout = match dense {
        true => format!("({k},{n}):({bits},{})", 32 * words),
        false => format!("(({each},{words}),{n}):(({bits},32),{})", 32 * words),
    };
    let fields = [
        Field::new("q", minus(1 << (bits - 1)), [part(bits, 0, &layout)]),
        Field::new(
            "d",
            Number::F16,
            [part(16, codes * 8, &format!("(({group},{groups}),{n}):((0,16),{})", 16 * groups))],
        ),
    ];
    let planes = [("weight_packed", codes), ("weight_scale", groups * n * 2)];
    Format::new("compressed-tensors", k * n, &planes, fields, "d * q")
}

/// A matrix of numbers of 8 bits, the rows of a column side by side, in blocks of `block` rows and
/// columns with a scale each: DeepSeek's `weight` and `weight_scale_inv` of 128 x 128, scales of
/// columns, or one of all. For PyTorch the matrix is `[n, k]`, in rows, and its scales
/// `[n / block[1], k / block[0]]`.
///
/// # Errors
/// If `k` and `n` are no whole number of blocks (the scales of a last block that is smaller are no
/// layout), and if one of the numbers is of other bits than 8, or a scale none of 16 or 32.
///
/// ```
/// use layout_bits::{Number, formats};
/// let format = formats::scaled(Number::E4m3, 256, 384, [128, 128], Number::F32)?;
/// assert_eq!(format.fields()[1].parts()[0].layout().to_string(), "((128,2),(128,3)):((0,32),(0,64))");
/// let error = formats::scaled(Number::E4m3, 256, 576, [128, 128], Number::F32).unwrap_err();
/// assert_eq!(error.to_string(), "no format scaled: 576 columns are no whole number of blocks of 128");
/// # Ok::<(), layout_bits::FormatError>(())
/// ```
pub fn scaled(
    number: Number,
    k: usize,
    n: usize,
    block: [usize; 2],
    scale: Number,
) -> Result<Format, FormatError> {
    let invalid = |why| FormatError::Invalid { format: "scaled".into(), why };
    matrix("scaled", [k, n, k], [1, 1])?;
    for (count, of, block) in [(k, "rows", block[0]), (n, "columns", block[1])] {
        if block == 0 || count % block != 0 {
            return Err(invalid(format!("{count} {of} are no whole number of blocks of {block}")));
        }
    }
    let (down, across, [rows, columns]) = (k / block[0], n / block[1], block);
    let Some(bits) = scale.width().filter(|bits| matches!(bits, 16 | 32)) else {
        return Err(invalid(format!("a scale is a float of 16 or 32 bits, and no {scale}")));
    };
    let scales = format!("(({rows},{down}),({columns},{across})):((0,{bits}),(0,{}))", bits * down);
    let fields = [
        Field::new("q", number, [part(8, 0, &format!("({k},{n}):(8,{})", 8 * k))]),
        Field::new("d", scale, [part(bits, 8 * k * n, &scales)]),
    ];
    let planes = [("weight", k * n), ("weight_scale", down * across * bits / 8)];
    Format::new("scaled", k * n, &planes, fields, "d * q")
}

/// A matrix of nibbles less 8 in tiles of 16 rows and 64 columns, interleaved so that a thread of a
/// tensor core's instruction loads what it needs at once, in groups of `group` rows with a scale
/// each: the tensors `B` and `s` of Marlin. A single group has its scales in another order.
///
/// # Errors
/// If `k` is no multiple of 16 and of the groups, or `n` none of 64.
///
/// ```
/// use layout_bits::formats;
/// let format = formats::marlin(256, 256, 128)?;
/// assert_eq!(
///     format.fields()[0].parts()[0].layout().to_string(),
///     "(((2,4,2),16),((8,2,4),4)):(((16,128,4),16384),((512,8,32),4096))"
/// );
/// let scales = |format: &layout_bits::Format| format.fields()[1].parts()[0].layout().to_string();
/// assert_eq!(scales(&format), "((128,2),(8,8,4)):((0,4096),(128,16,1024))");
/// assert_eq!(scales(&formats::marlin(256, 64, 256)?), "((256,1),(2,4,4,2)):((0,1024),(16,128,32,512))");
/// # Ok::<(), layout_bits::FormatError>(())
/// ```
pub fn marlin(k: usize, n: usize, group: usize) -> Result<Format, FormatError> {
    let (codes, groups) = marlin_sizes("marlin", [k, n, group])?;
    let fields = [
        Field::new("q", minus(8), [part(4, 0, &marlin_tiles(k, n))]),
        Field::new("d", Number::F16, [part(16, codes * 8, &marlin_scales(k, n, group))]),
    ];
    Format::new("marlin", k * n, &[("B", codes), ("s", groups * n * 2)], fields, "d * q")
}

/// [`marlin`] with a zero for each group, of nibbles that are not less 8: what vLLM's kernel reads
/// of an AWQ checkpoint, its tensors `qweight`, `qzeros` and `scales` in memory.
///
/// # Errors
/// As [`marlin`].
///
/// ```
/// use layout_bits::{Repack, formats};
/// let (awq, tiles) = (formats::awq(128, 64, 64)?, formats::marlin_with_zeros(128, 64, 64)?);
/// assert_eq!(
///     tiles.fields()[1].parts()[0].layout().to_string(),
///     "((64,2),(8,(2,4),1)):((0,256),(32,(16,4),256))"
/// );
/// let checkpoint: Vec<u8> = (0..awq.bytes()).map(|i| (i % 120) as u8).collect();
/// let tiled = Repack::plan(&awq, &tiles)?.run(&checkpoint)?;
/// assert_eq!(tiles.dequantize(&tiled)?, awq.dequantize(&checkpoint)?);
/// # Ok::<(), layout_bits::FormatError>(())
/// ```
pub fn marlin_with_zeros(k: usize, n: usize, group: usize) -> Result<Format, FormatError> {
    let (codes, groups) = marlin_sizes("marlin with zeros", [k, n, group])?;
    let of_zeros = groups * n / 2;
    // 64 columns in the order of the scales, and of these each eight in the order of the codes.
    let zeros =
        format!("(({group},{groups}),(8,(2,4),{})):((0,{}),(32,(16,4),256))", n / 64, 4 * n);
    let scales = part(16, (codes + of_zeros) * 8, &marlin_scales(k, n, group));
    let fields = [
        Field::new("q", UNSIGNED, [part(4, 0, &marlin_tiles(k, n))]),
        Field::new("zero", UNSIGNED, [part(4, codes * 8, &zeros)]),
        Field::new("scale", Number::F16, [scales]),
    ];
    let planes = [("B", codes), ("zeros", of_zeros), ("s", groups * n * 2)];
    Format::new("marlin with zeros", k * n, &planes, fields, "scale * (q - zero)")
}

/// The bytes of the codes, and the groups.
fn marlin_sizes(name: &str, extents: [usize; 3]) -> Result<(usize, usize), FormatError> {
    matrix(name, extents, [16, 64])?;
    let [k, n, group] = extents;
    Ok((k * n / 2, k / group))
}
fn marlin_tiles(k: usize, n: usize) -> String {
    let (down, across) = (k / 16, n / 64);
    format!("(((2,4,2),{down}),((8,2,4),{across})):(((16,128,4),{}),((512,8,32),4096))", 64 * n)
}
fn marlin_scales(k: usize, n: usize, group: usize) -> String {
    let groups = k / group;
    match groups {
        1 => format!("(({group},1),(2,4,4,{})):((0,{}),(16,128,32,512))", n / 32, 16 * n),
        _ => format!("(({group},{groups}),(8,8,{})):((0,{}),(128,16,1024))", n / 64, 16 * n),
    }
}

/// A matrix of nibbles less 8 in pieces of 64 x 64, interleaved so that a thread of Hopper's
/// `wgmma` loads its operand in registers at once, two pieces of 128 columns of the product side by
/// side; behind each piece a scale for each of its rows: what the kernel `w4_sm90` of
/// `layout-nvidia` reads.
///
/// # Errors
/// If `k` or `n` is no multiple of 128.
///
/// ```
/// use layout_bits::{Number, formats};
/// let format = formats::wgmma(128, 256, Number::Bf16)?;
/// assert_eq!(
///     format.fields()[0].parts()[0].layout().to_string(),
///     "((2,4,2,4,2),((8,2,4,2),2)):((16,128,8,32,34816),((512,4,4096,17408),69632))"
/// );
/// # Ok::<(), layout_bits::FormatError>(())
/// ```
pub fn wgmma(k: usize, n: usize, scale: Number) -> Result<Format, FormatError> {
    matrix("wgmma", [k, n, 128], [64, 128])?;
    let piece = (64 * 64 / 2 + 64 * 2) * 8;
    let (steps, columns) = (k / 64, k / 64 * 2 * piece);
    let codes = format!(
        "((2,4,2,4,{steps}),((8,2,4,2),{})):((16,128,8,32,{}),((512,4,4096,{piece}),{columns}))",
        n / 128,
        2 * piece
    );
    let scales = format!(
        "((64,{steps}),((8,2,4,2),{})):((0,{}),((32,16,256,{piece}),{columns}))",
        n / 128,
        2 * piece
    );
    let fields = [
        Field::new("q", minus(8), [part(4, 0, &codes)]),
        Field::new("d", scale, [part(16, 64 * 64 * 4, &scales)]),
    ];
    Format::new("wgmma", k * n, &[("pieces", n / 128 * columns / 8)], fields, "d * q")
}
