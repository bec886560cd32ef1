//! Scale factors in the order that Blackwell's tensor cores read.
//!
//! A row of a matrix has one scale factor for each `vector` elements: 16 for NVFP4, 32 for MXFP8
//! and MXFP4. A block of 128 rows with 4 scale factors each has 512 bytes; rows `r`, `r + 32`,
//! `r + 64` and `r + 96` are contiguous:
//!
//! ```text
//! ((32,4),(vector,4)):((16,4),(0,1))      CUTLASS's SfAtom
//! ```
//!
//! Blocks are whole: rows are padded to 128 and scale factors to 4. Blocks are stored along a row
//! of blocks first, then row by row, then matrix by matrix.
//!
//! DeepGEMM's words of four powers of two are another order: [`deep_gemm`].

use bytemuck::allocation::try_zeroed_vec;
use layout_algebra::{DynLayout, DynShape};

use crate::format::{FormatError, Number};

/// Rows of a block.
const ROWS: usize = 128;
/// Scale factors of a row in a block.
const FACTORS: usize = 4;

/// The layout of the scale factors of `batches` matrices of `rows` x `columns` elements: the
/// coordinate of an element, (row, column, batch), to the number of its scale factor. Rows and
/// columns are padded to whole blocks. CUTLASS:
/// `Sm1xxBlockScaledConfig<vector>::tile_atom_to_shape_SFA`, with M rows and K columns, and
/// `tile_atom_to_shape_SFB` with N rows; with a `vector` of 1, one coordinate for each scale
/// factor.
///
/// # Errors
/// [`FormatError::Invalid`] if `vector` is 0, or a padded extent or an offset is beyond `usize`.
///
/// ```
/// use layout_bits::scales;
/// // NVFP4: 200 x 100 elements, 7 scale factors a row.
/// let layout = scales::block_scaled(200, 100, 1, 16)?;
/// assert_eq!(layout.to_string(), "(((32,4),2),((16,4),2),(1,1)):(((16,4),1024),((0,1),512),(0,0))");
/// assert_eq!(layout.index((33, 2 * 16, 0)), 22); // row 33, scale factor 2
/// assert_eq!(scales::block_scaled(200, 7, 1, 1)?.index((33, 2, 0)), 22);
/// # Ok::<(), layout_bits::FormatError>(())
/// ```
pub fn block_scaled(
    rows: usize,
    columns: usize,
    batches: usize,
    vector: usize,
) -> Result<DynLayout, FormatError> {
    let invalid = |why: String| FormatError::Invalid { format: "of scale factors".into(), why };
    if vector == 0 {
        return Err(invalid("a scale factor is of 0 elements".into()));
    }
    let whole = |extent: usize, unit: Option<usize>| {
        unit.and_then(|unit| extent.checked_next_multiple_of(unit))
    };
    let padded = whole(rows, Some(ROWS)).zip(whole(columns, vector.checked_mul(FACTORS)));
    let (rows, columns) = padded.ok_or_else(|| {
        invalid(format!(
            "{rows} rows of {columns} elements, padded to whole blocks, are more than {}",
            usize::MAX
        ))
    })?;
    let nested = |a: usize, b: usize| DynShape::tuple([DynShape::from(a), DynShape::from(b)]);
    let blocked = || {
        let shape =
            DynShape::tuple([nested(32, ROWS / 32)?, nested(vector, FACTORS)?, DynShape::from(1)])?;
        let atom = DynLayout::with_strides(&shape, [4 * FACTORS, FACTORS, 0, 1, 0])?;
        let order = DynShape::from((1, 0, 2));
        atom.tile_to_shape_ordered(&DynShape::from((rows, columns, batches)), &order)
    };
    blocked().map_err(|error: layout_algebra::LayoutError| invalid(error.to_string()))
}

/// The scale factors of a row-major matrix of `rows` x `columns` in the order of [`block_scaled`],
/// a byte each; the padding is 0. PyTorch's torchao: `to_blocked`.
///
/// # Errors
/// As [`block_scaled`]; [`FormatError::Room`] if there are not `rows * columns` bytes,
/// [`FormatError::Memory`] if there is no memory for them.
///
/// ```
/// use layout_bits::scales;
/// let plain: Vec<u8> = (0..128 * 2).map(|k| (k % 251) as u8).collect();
/// let blocked = scales::to_blocked(&plain, 128, 2)?;
/// assert_eq!((blocked.len(), &blocked[..6]), (512, &[0, 1, 0, 0, 64, 65][..])); // rows 0 and 32
/// assert_eq!(scales::from_blocked(&blocked, 128, 2)?, plain);
/// # Ok::<(), layout_bits::FormatError>(())
/// ```
pub fn to_blocked(factors: &[u8], rows: usize, columns: usize) -> Result<Vec<u8>, FormatError> {
    let layout = block_scaled(rows, columns, 1, 1)?;
    has_length(factors, rows.saturating_mul(columns))?;
    let mut blocked = zeros(layout.cosize())?;
    for (number, &factor) in factors.iter().enumerate() {
        blocked[layout.index((number / columns, number % columns, 0))] = factor;
    }
    Ok(blocked)
}

/// Converts scale factors from the order of [`block_scaled`] to a row-major matrix of `rows` x
/// `columns`, a byte each. The padding is dropped.
///
/// # Errors
/// As [`block_scaled`]; [`FormatError::Room`] if the bytes are not those of whole blocks,
/// [`FormatError::Memory`] if there is no memory for them.
///
/// ```
/// use layout_bits::scales;
/// let blocked = scales::to_blocked(&[7; 130 * 5], 130, 5)?;
/// assert_eq!(blocked.len(), 2 * 2 * 512);
/// assert_eq!(scales::from_blocked(&blocked, 130, 5)?, [7; 130 * 5]);
/// # Ok::<(), layout_bits::FormatError>(())
/// ```
pub fn from_blocked(blocked: &[u8], rows: usize, columns: usize) -> Result<Vec<u8>, FormatError> {
    let layout = block_scaled(rows, columns, 1, 1)?;
    has_length(blocked, layout.cosize())?;
    let mut factors = zeros(rows * columns)?;
    for (number, factor) in factors.iter_mut().enumerate() {
        *factor = blocked[layout.index((number / columns, number % columns, 0))];
    }
    Ok(factors)
}

/// The layout of scale factors of a byte in the words that DeepGEMM reads: the coordinate of a
/// scale factor, (row, column, batch), to its byte. Four columns are a word, the words of a column
/// follow one another, and rows are padded to 4. DeepGEMM:
/// `get_mn_major_tma_aligned_packed_ue8m0_tensor`.
///
/// # Errors
/// [`FormatError::Invalid`] if an extent is 0, or a padded extent or an offset is beyond `usize`.
///
/// ```
/// use layout_bits::scales;
/// let layout = scales::deep_gemm(129, 5, 2)?;
/// assert_eq!(layout.to_string(), "(129,(4,2),2):(4,(1,528),1056)");
/// # Ok::<(), layout_bits::FormatError>(())
/// ```
pub fn deep_gemm(rows: usize, columns: usize, batches: usize) -> Result<DynLayout, FormatError> {
    let invalid = |why: String| FormatError::Invalid { format: "of scale factors".into(), why };
    if [rows, columns, batches].contains(&0) {
        return Err(invalid(format!("{batches} matrices of {rows} x {columns} have none")));
    }
    let words = columns.div_ceil(WORD);
    let padded = rows.checked_next_multiple_of(WORD).and_then(|rows| rows.checked_mul(WORD));
    let whole = padded.and_then(|column| Some((column, column.checked_mul(words)?)));
    let Some((column, matrix)) = whole.filter(|whole| whole.1.checked_mul(batches).is_some())
    else {
        let why = format!("{batches} matrices of {rows} x {columns}, padded, are more than");
        return Err(invalid(format!("{why} {}", usize::MAX)));
    };
    let shape = || {
        let of_columns = DynShape::tuple([DynShape::from(WORD), DynShape::from(words)])?;
        let shape = DynShape::tuple([DynShape::from(rows), of_columns, DynShape::from(batches)])?;
        DynLayout::with_strides(&shape, [WORD, 1, column, matrix])
    };
    shape().map_err(|error: layout_algebra::LayoutError| invalid(error.to_string()))
}

/// Scale factors of 32 bits, in rows, as bytes in the order of [`deep_gemm`]: `rows` rows of
/// `columns`, of which each `per` share a row of the factors, 1 of activations and 128 of weights.
/// The padding is 0.
///
/// # Errors
/// As [`deep_gemm`], and if `per` is 0; [`FormatError::Room`] if there are not
/// `rows.div_ceil(per) * columns` factors; [`FormatError::Undefined`] if one is no power of two
/// from 2^-127 to 2^127: DeepGEMM drops the other bits.
///
/// ```
/// use layout_bits::scales;
/// // 130 rows, in blocks of 128.
/// let bytes = scales::to_deep_gemm(&[1.0, 2.0, 4.0, 0.5], 130, 2, 128)?;
/// assert_eq!((bytes.len(), &bytes[..4], &bytes[4 * 129..][..4]), (528, &[127, 128, 0, 0][..], &[129, 126, 0, 0][..]));
/// assert_eq!(scales::from_deep_gemm(&bytes, 130, 2, 128)?, [1.0, 2.0, 4.0, 0.5]);
/// let error = scales::to_deep_gemm(&[3.0], 1, 1, 1).unwrap_err();
/// assert_eq!(error.to_string(), "the rule of e8m0 has no answer for the block at element 0: its number 3e0 is no power of two");
/// # Ok::<(), layout_bits::FormatError>(())
/// ```
pub fn to_deep_gemm(
    factors: &[f32],
    rows: usize,
    columns: usize,
    per: usize,
) -> Result<Vec<u8>, FormatError> {
    let layout = deep_gemm(rows, columns, 1)?;
    has_factors(factors.len(), rows, columns, per)?;
    let mut codes = Vec::with_capacity(factors.len());
    for (index, factor) in factors.iter().enumerate() {
        let code = (factor.to_bits() >> 23) as u8;
        if *factor <= 0.0 || Number::E8m0.decode(code.into(), 8) != *factor {
            let why = format!("its number {factor:e} is no power of two");
            return Err(FormatError::Undefined { format: "e8m0".into(), index, why });
        }
        codes.push(code);
    }
    let mut bytes = zeros(rows.next_multiple_of(WORD) * columns.next_multiple_of(WORD))?;
    for row in 0..rows {
        for column in 0..columns {
            bytes[layout.index((row, column, 0))] = codes[row / per * columns + column];
        }
    }
    Ok(bytes)
}

/// Converts bytes in the order of [`deep_gemm`] to scale factors of 32 bits, a row of `columns` for
/// each `per` rows. The padding is dropped.
///
/// # Errors
/// As [`deep_gemm`], and if `per` is 0; [`FormatError::Room`] if the bytes are not those of the
/// words that the sizes make; [`FormatError::Undefined`] if rows that share their factors have
/// others, or a byte is 255, which is no number.
///
/// ```
/// use layout_bits::scales;
/// assert_eq!(scales::from_deep_gemm(&[127, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 2, 1, 1)?, [1.0, 2.0_f32.powi(-126)]);
/// assert!(scales::from_deep_gemm(&[127, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 2, 1, 2).is_err());
/// # Ok::<(), layout_bits::FormatError>(())
/// ```
pub fn from_deep_gemm(
    bytes: &[u8],
    rows: usize,
    columns: usize,
    per: usize,
) -> Result<Vec<f32>, FormatError> {
    let layout = deep_gemm(rows, columns, 1)?;
    let words = rows.next_multiple_of(WORD) * columns.next_multiple_of(WORD);
    has_length(bytes, words)?;
    has_factors(rows.div_ceil(per.max(1)).saturating_mul(columns), rows, columns, per)?;
    let mut factors = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            let index = row / per * columns + column;
            let code = bytes[layout.index((row, column, 0))];
            let undefined = |why| Err(FormatError::Undefined { format: "e8m0".into(), index, why });
            if code == u8::MAX {
                return undefined("its code 255 is no number".into());
            }
            let factor = Number::E8m0.decode(code.into(), 8);
            match factors.get(index) {
                None => factors.push(factor),
                Some(&first) if first == factor => {}
                Some(first) => {
                    return undefined(format!("it is {first:e}, and {factor:e} in row {row}"));
                }
            }
        }
    }
    Ok(factors)
}

/// Codes of a word.
const WORD: usize = 4;

fn has_factors(given: usize, rows: usize, columns: usize, per: usize) -> Result<(), FormatError> {
    if per == 0 {
        let why = "no rows share their scale factors".into();
        return Err(FormatError::Invalid { format: "of scale factors".into(), why });
    }
    let needed = rows.div_ceil(per).saturating_mul(columns);
    if given == needed { Ok(()) } else { Err(FormatError::Room { needed, given, of: "elements" }) }
}

fn has_length(bytes: &[u8], needed: usize) -> Result<(), FormatError> {
    let given = bytes.len();
    if given == needed { Ok(()) } else { Err(FormatError::Room { needed, given, of: "bytes" }) }
}

fn zeros(bytes: usize) -> Result<Vec<u8>, FormatError> {
    let memory = || FormatError::Memory {
        format: "of scale factors".into(),
        blocks: bytes,
        each: 1,
        of: "bytes",
    };
    try_zeroed_vec(bytes).map_err(|()| memory())
}
