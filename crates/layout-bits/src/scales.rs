//! Scale factors in the order in which the tensor cores of Blackwell read them.
//!
//! A row of a matrix has one scale factor for each `vector` elements: NVFP4 has 16, MXFP8 and MXFP4
//! have 32. A block of 128 rows and 4 scale factors of each is 512 bytes; rows `r`, `r + 32`,
//! `r + 64` and `r + 96` follow one another:
//!
//! ```text
//! ((32,4),(vector,4)):((16,4),(0,1))      CUTLASS's SfAtom
//! ```
//!
//! Blocks are whole, so rows are padded to 128 and scale factors to 4. They follow one another
//! along a row of blocks, then from row to row, then from matrix to matrix.

use bytemuck::allocation::try_zeroed_vec;
use layout_algebra::{DynLayout, DynShape};

use crate::format::FormatError;

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
/// a byte each; what is padded is 0. PyTorch's torchao: `to_blocked`.
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

/// The row-major matrix of `rows` x `columns` scale factors, a byte each, of those in the order of
/// [`block_scaled`]. What is padded is left out.
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
