//! Blackwell's tensor memory and its `tcgen05` instructions, as run-time layouts.
//!
//! An address of tensor memory has a lane in its upper 16 bits and a column of 32 bits in its lower
//! ones, so that an accumulator of 128 rows and 160 columns of floats is `(128,160):(65536,1)`.
//! CuTe's strides are in elements: with 16 bits, a column has two, and the stride of a lane is
//! 131072.
//!
//! ```text
//! accumulator   (row, column, tiles ..) of a product     to the address of the element
//! umma          (SM, value) of an operand                to the element, columns first
//! tmem_copy     (thread, value) of `tcgen05.ld`          to a bit, and from there to the address in bits
//! ```
//!
//! These are CuTe's tables, of `mma_traits_sm100.hpp` and `copy_traits_sm100.hpp`.

use core::fmt;

use layout_algebra::{DynLayout, LayoutError};

/// Lanes of tensor memory.
const LANES: usize = 128;
/// Columns of tensor memory, of 32 bits.
const COLUMNS: usize = 512;
/// The bits from lane to lane.
const LANE_BITS: usize = 1 << 21;

/// An error: there is no such layout.
///
/// ```
/// use layout_instructions::blackwell::{BlackwellError, umma};
/// let error = umma(16, 1, 96, 64).unwrap_err();
/// assert_eq!(error.to_string(), "an instruction of 1 SM has 64 or 128 rows, not 96");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BlackwellError {
    /// The instruction has no such shape; the text lists its shapes.
    Shape(String),
    /// An error of the algebra.
    Layout(LayoutError),
}
impl fmt::Display for BlackwellError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shape(why) => f.write_str(why),
            Self::Layout(error) => error.fmt(f),
        }
    }
}
impl core::error::Error for BlackwellError {}
impl From<LayoutError> for BlackwellError {
    fn from(error: LayoutError) -> Self {
        Self::Layout(error)
    }
}
fn refused<T>(why: String) -> Result<T, BlackwellError> {
    Err(BlackwellError::Shape(why))
}

/// The instruction that writes an accumulator, and the arrangement of its tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accumulator {
    /// One SM, 64 or 128 rows. A tile of 64 rows is in half of the lanes, and the next tile in the
    /// other half. CuTe: `tmem_frg_1sm`.
    OneSm,
    /// One SM, with columns of its own for each tile. CuTe: `TmemAllocMode::NonInterleaved`.
    OneSmApart,
    /// The part of one of two SMs, 32, 64 or 128 rows. CuTe: `tmem_frg_2sm`.
    TwoSms,
    /// The part of one of two SMs, 64 rows, duplicated in all 128 lanes. CuTe:
    /// `TmemAllocMode::Duplicated`.
    TwoSmsDuplicated,
    /// One SM, weight-stationary, 32, 64 or 128 rows and 64, 128 or 256 columns. CuTe:
    /// `tmem_frg_ws_1sm`.
    WeightStationary,
}

/// The layout of an accumulator in tensor memory: `((rows, columns), tiles down, tiles across)` to
/// addresses of elements.
///
/// An element has `bits` bits, and takes `storage` bits of a column: 32, or its own.
///
/// # Errors
/// If the instruction has no such rows and columns, the tiles exceed tensor memory, an element does
/// not fit its storage, or the tiles do not divide evenly into the free lanes.
///
/// ```
/// use layout_instructions::blackwell::{Accumulator, accumulator};
/// let floats = accumulator(Accumulator::OneSm, [128, 160], [1, 1], [32, 32])?;
/// assert_eq!(floats.to_string(), "((128,160),1,1):((65536,1),0,0)");
/// // Two tiles of 64 rows: the second one is in the lanes 16 to 31, 48 to 63 and so on.
/// let halves = accumulator(Accumulator::OneSm, [64, 128], [2, 1], [32, 32])?;
/// assert_eq!(halves.to_string(), "(((16,4),128),2,1):(((65536,2097152),1),1048576,0)");
/// # Ok::<(), layout_instructions::blackwell::BlackwellError>(())
/// ```
pub fn accumulator(
    kind: Accumulator,
    [m, n]: [usize; 2],
    tiles: [usize; 2],
    [bits, storage]: [usize; 2],
) -> Result<DynLayout, BlackwellError> {
    let rows: &[usize] = match kind {
        Accumulator::OneSm | Accumulator::OneSmApart => &[64, 128],
        Accumulator::TwoSms | Accumulator::WeightStationary => &[32, 64, 128],
        Accumulator::TwoSmsDuplicated => &[64],
    };
    if !rows.contains(&m) {
        return refused(format!("an accumulator of {kind:?} has one of {rows:?} rows, not {m}"));
    }
    let folded = matches!(kind, Accumulator::TwoSms | Accumulator::WeightStationary);
    let parts = if folded { LANES / m } else { 1 };
    if n == 0 || n % parts != 0 {
        return refused(format!("{n} columns of an accumulator are not {parts} equal parts"));
    }
    if kind == Accumulator::WeightStationary && ![64, 128, 256].contains(&n) {
        return refused(format!("an accumulator of {kind:?} has 64, 128 or 256 columns, not {n}"));
    }
    if ![8, 16, 32].contains(&bits) || storage != 32 && storage != bits {
        return refused(format!("elements of {bits} bits do not lie in {storage} bits each"));
    }
    let needed =
        [m, n, storage].iter().chain(&tiles).try_fold(1_usize, |all, &one| all.checked_mul(one));
    let most = LANES * COLUMNS * 32;
    if needed.is_none_or(|needed| needed == 0 || needed > most) {
        return refused(format!(
            "{} x {} tiles of {m} x {n} elements in {storage} bits each are not 1 to {most} bits, \
             those of tensor memory",
            tiles[0], tiles[1]
        ));
    }
    // (row, column) to the index of the cell, lanes first, then columns.
    let atom: DynLayout = match (kind, m) {
        (Accumulator::OneSm | Accumulator::OneSmApart, 64) => format!("((16,4),{n}):((1,32),128)"),
        (Accumulator::TwoSmsDuplicated, _) => format!("(128,{n}):(1,128)"),
        _ if parts > 1 => format!("({m},({},{parts})):(1,(128,{m}))", n / parts),
        _ => format!("({m},{n}):(1,128)"),
    }
    .parse()?;
    let each = if kind == Accumulator::OneSmApart && m == 64 { 2 } else { 1 };
    let [down, across] = tiles;
    let side_by_side: DynLayout = format!("({down},{across}):({each},{})", each * down).parse()?;
    let cells = atom.tiled_product(&side_by_side)?;
    // Cells to addresses: of elements, of which a column of 32 bits has several.
    let lane = LANE_BITS / bits;
    let addresses: DynLayout = format!("(128,16384):({lane},{})", storage / bits).parse()?;
    Ok(addresses.compose(&cells)?)
}

/// The operands A, B and C of `tcgen05.mma` with elements of `bits` bits: (SM, value) to the
/// element, columns first. `m` and `n` are those of all `sms`, and K is 256 bits.
///
/// # Errors
/// If the instruction has no such shape, by CuTe's rules.
///
/// ```
/// use layout_instructions::blackwell::umma;
/// let [a, b, c] = umma(16, 2, 256, 160)?;
/// assert_eq!(a.to_string(), "(2,(128,16)):(128,(1,256))");
/// assert_eq!(b.to_string(), "(2,(80,16)):(80,(1,160))");
/// assert_eq!(c.to_string(), "(2,(128,160)):(128,(1,256))");
/// # Ok::<(), layout_instructions::blackwell::BlackwellError>(())
/// ```
pub fn umma(bits: usize, sms: usize, m: usize, n: usize) -> Result<[DynLayout; 3], BlackwellError> {
    let (rows, unit) = match (sms, bits) {
        (1, 8 | 16 | 32) => ([64, 128], if bits == 8 && n != 8 { 16 } else { 8 }),
        (2, 8) => ([128, 256], 32),
        (2, 16 | 32) => ([128, 256], 16),
        (1 | 2, _) => return refused(format!("elements of {bits} bits are none of 8, 16 or 32")),
        _ => return refused(format!("an instruction is of 1 or 2 SMs, not of {sms}")),
    };
    let of = if sms == 1 { "1 SM" } else { "2 SMs" };
    if !rows.contains(&m) {
        let [few, many] = rows;
        return refused(format!("an instruction of {of} has {few} or {many} rows, not {m}"));
    }
    if n == 0 || !n.is_multiple_of(unit) || n > 256 {
        return refused(format!(
            "an instruction of {of} has a multiple of {unit} columns up to 256, not {n}"
        ));
    }
    let k = 256 / bits;
    let layout = |extent: usize, other: usize| -> Result<DynLayout, BlackwellError> {
        let (part, step) = (extent / sms, if sms == 1 { 0 } else { extent / sms });
        Ok(format!("({sms},({part},{other})):({step},(1,{extent}))").parse()?)
    };
    Ok([layout(m, k)?, layout(n, k)?, layout(m, n)?])
}

/// The layouts of a warp's `tcgen05.ld` and `tcgen05.st`.
///
/// ```
/// use layout_instructions::blackwell::tmem_copy;
/// let copy = tmem_copy("32dp32b2x").expect("a shape");
/// // Bit 33 is of the second column, and bit 64 of the next lane.
/// let address = |bit: usize| copy.address.index(bit);
/// assert_eq!((address(33), address(64)), (33, 1 << 21));
/// assert_eq!(copy.values.to_string(), "(32,64):(64,1)");
/// ```
#[derive(Clone, Debug)]
pub struct TmemCopy {
    /// From the number of a bit to its address, in bits: a lane is 2^21 of them. CuTe: `ValID`.
    pub address: DynLayout,
    /// From (thread, bit of its registers) to the number of a bit. CuTe: the `DstLayout` of a load,
    /// the `SrcLayout` of a store.
    pub values: DynLayout,
}

/// The shapes of `tcgen05.ld`, and the most repetitions of each.
const SHAPES: [(&str, usize); 5] =
    [("16dp64b", 128), ("16dp128b", 64), ("16dp256b", 32), ("32dp32b", 128), ("16dp32b", 128)];

/// The names of all shapes, as in CuTe after `SM100_TMEM_LOAD_`: lanes, bits of a lane,
/// repetitions, and `_16b` if each column has 16 bits.
///
/// ```
/// use layout_instructions::blackwell::{tmem_copies, tmem_copy};
/// assert_eq!(tmem_copies().count(), 74);
/// assert!(tmem_copies().all(|name| tmem_copy(&name).is_some()));
/// ```
pub fn tmem_copies() -> impl Iterator<Item = String> {
    let times = |most: usize| (0..=most.ilog2()).map(|power| 1_usize << power);
    SHAPES.into_iter().flat_map(move |(shape, most)| {
        times(most).flat_map(move |times| ["", "_16b"].map(|half| format!("{shape}{times}x{half}")))
    })
}

/// The shape of this name, if there is one.
///
/// ```
/// use layout_instructions::blackwell::tmem_copy;
/// let copy = tmem_copy("16dp256b1x").expect("a shape");
/// assert_eq!(copy.values.to_string(), "((4,8),(64,2)):((64,256),(1,2048))");
/// assert!(tmem_copy("16dp256b64x").is_none());
/// ```
pub fn tmem_copy(name: &str) -> Option<TmemCopy> {
    let (name, half) = match name.strip_suffix("_16b") {
        Some(name) => (name, true),
        None => (name, false),
    };
    let (shape, most) = SHAPES.into_iter().find(|(shape, _)| name.starts_with(shape))?;
    let text = name[shape.len()..].strip_suffix('x')?;
    let times: usize = text.parse().ok()?;
    if !times.is_power_of_two() || times > most || times.to_string() != text {
        return None;
    }
    let (lanes, bits) = shape.split_once("dp")?;
    let bits: usize = bits.strip_suffix('b')?.parse().ok()?;
    // The lower 16 lanes have two halves of 32 bits, each of which belongs to 16 threads.
    let row = times * if shape == "16dp32b" { 64 } else { bits };
    let address = match half {
        true => format!("((16,{}),{lanes}):((1,32),{LANE_BITS})", row / 16),
        false => format!("({row},{lanes}):(1,{LANE_BITS})"),
    };
    let repeated = |modes: &str, strides: &str, step: usize| match times {
        1 => (modes.to_string(), strides.to_string()),
        _ => (format!("{modes},{times}"), format!("{strides},{step}")),
    };
    let values = match shape {
        "16dp256b" | "16dp128b" => {
            let each = bits / 4;
            let (modes, strides) = repeated(&format!("{each},2"), &format!("1,{}", 8 * row), bits);
            format!("((4,8),({modes})):(({each},{row}),({strides}))")
        }
        "16dp64b" => match times {
            1 => format!("((2,2,8),32):(({},32,{row}),1)", 8 * row),
            _ => format!("((2,2,8),(32,{times})):(({},32,{row}),(1,64))", 8 * row),
        },
        "16dp32b" => format!("((16,2),{}):(({row},{}),1)", row / 2, row / 2),
        _ => format!("(32,{row}):({row},1)"),
    };
    Some(TmemCopy { address: address.parse().ok()?, values: values.parse().ok()? })
}
