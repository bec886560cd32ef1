//! ggml's interleaved blocks of several rows.

use layout_algebra::{DynLayout, DynShape, LayoutError};

use super::{Field, Format, FormatError, Number, Part, matrix};

/// How the rows of a block are interleaved.
struct Interleave {
    /// The format of one row, the number of rows, and the bytes of a chunk.
    of: fn() -> Format,
    rows: usize,
    turn: usize,
    /// The pieces of a row's block, in the order of the interleaved block: first byte, bytes, and
    /// the bytes of a chunk, where 0 stands for `turn`.
    pieces: &'static [(usize, usize, usize)],
}

const HALF_AND_CODES: &[(usize, usize, usize)] = &[(0, 2, 2), (2, 16, 0)];
const K_SCALES: usize = 4;

/// The interleaving with this name in ggml.
fn interleave(name: &str) -> Option<Interleave> {
    let (base, sizes) = name.rsplit_once('_')?;
    let (rows, turn) = match sizes {
        "4x4" => (4, 4),
        "4x8" => (4, 8),
        "8x4" => (8, 4),
        "8x8" => (8, 8),
        _ => return None,
    };
    let (of, pieces): (fn() -> Format, &'static [_]) = match (base, rows, turn) {
        ("q4_0", 4, _) | ("q4_0", 8, 8) => (super::q4_0, HALF_AND_CODES),
        ("q8_0", 4, _) => (super::q8_0, &[(0, 2, 2), (2, 32, 0)]),
        ("iq4_nl", 4, 4) | ("iq4_nl", 8, 8) => (super::iq4_nl, HALF_AND_CODES),
        ("mxfp4", 4, 4) | ("mxfp4", 8, 8) => (super::mxfp4, &[(0, 1, 1), (1, 16, 0)]),
        ("q2_K", 8, 8) => (super::q2_k, &[(80, 2, 2), (82, 2, 2), (0, 16, 2), (16, 64, 0)]),
        ("q4_K", 8, _) => (super::q4_k, &[(0, 2, 2), (2, 2, 2), (K_SCALES, 12, 12), (16, 128, 0)]),
        ("q5_K", 8, _) => {
            (super::q5_k, &[(0, 2, 2), (2, 2, 2), (K_SCALES, 12, 12), (16, 32, 0), (48, 128, 0)])
        }
        ("q6_K", 8, _) => (super::q6_k, &[(208, 2, 2), (192, 16, 1), (0, 128, 0), (128, 64, 0)]),
        _ => return None,
    };
    Some(Interleave { of, rows, turn, pieces })
}

/// A matrix whose blocks are interleaved as ggml does when it loads a model: the blocks of 4 or 8
/// rows of the file (columns here) alternate in chunks of 4 or 8 bytes. The name is ggml's, such as
/// `q4_0_8x8` for 8 rows and chunks of 8 bytes.
///
/// The nibbles of `q4_0` become signed: each byte is XORed with 0x88. The scales of `q4_K` and
/// `q5_K` are repacked: the scales of 8 rows are stored as the file stores those of 8 groups.
///
/// # Errors
/// If ggml has no such blocks, or `k` is no multiple of the elements of a block, or `n` none of the
/// rows.
///
/// ```
/// use layout_bits::{Repack, formats};
/// let tiles = formats::interleaved("q4_0_4x4", 64, 8)?;
/// assert_eq!(
///     tiles.fields()[0].to_string(),
///     "q: s, bits 0..4 at 64 + ((((4,4),2),2),(4,2)):((((8,128),4),576),(32,1152))"
/// );
/// let file = formats::q4_0().quantize(&vec![0.25; 64 * 8])?;
/// let loaded = Repack::plan(&formats::q4_0(), &tiles)?.run(&file)?;
/// assert_eq!((loaded[8], file[2]), (0x88, 0x00)); // -8 as a nibble with a sign
/// assert_eq!(tiles.dequantize(&loaded)?, formats::q4_0().dequantize(&file)?);
/// # Ok::<(), layout_bits::FormatError>(())
/// ```
pub fn interleaved(name: &str, k: usize, n: usize) -> Result<Format, FormatError> {
    let invalid = |why: String| FormatError::Invalid { format: name.into(), why };
    let Some(interleave) = interleave(name) else {
        return Err(invalid(
            "ggml interleaves q4_0 as 4x4, 4x8 and 8x8; q8_0 as 4x4 and 4x8; iq4_nl and mxfp4 as \
             4x4 and 8x8; q2_K as 8x8; q4_K, q5_K and q6_K as 8x4 and 8x8"
                .into(),
        ));
    };
    let (one, rows) = ((interleave.of)(), interleave.rows);
    matrix(name, [k, n, one.elements()], [one.elements(), rows])?;
    let places =
        Places { blocks: k / one.elements(), rows, groups: n / rows, bits: 8 * one.bytes() };
    let mut fields = Vec::new();
    for field in one.fields() {
        let number = match (one.name(), field.name()) {
            ("q4_0", "q") => Number::Signed,
            _ => field.number(),
        };
        let parts = match (one.name(), field.name()) {
            ("q4_K" | "q5_K", "scale") => places.of_scales([0, 4], "(4,2):(8,64)"),
            ("q4_K" | "q5_K", "min") => places.of_scales([32, 36], "(4,2):(8,36)"),
            _ => field.parts().iter().map(|part| interleave.place(part, &places)).collect(),
        };
        let parts: Vec<_> = parts.map_err(|error: LayoutError| invalid(error.to_string()))?;
        fields.push(Field::new(field.name(), number, parts));
    }
    Format::new(
        name,
        k * n,
        &[("blocks", k * n / one.elements() * one.bytes())],
        fields,
        one.text(),
    )
}

/// The blocks of a matrix: blocks in a row, interleaved rows, groups of such rows, bits of a block.
struct Places {
    blocks: usize,
    rows: usize,
    groups: usize,
    bits: usize,
}
impl Places {
    /// A part of a field, from its layout in the first row's block and the layout of the rows.
    fn part(
        &self,
        width: usize,
        at: usize,
        block: &DynLayout,
        rows: &DynLayout,
    ) -> Result<Part, LayoutError> {
        let step = self.bits * self.rows;
        let mode = |first: &DynLayout, extent: usize, stride: usize| {
            let next = DynLayout::new(DynShape::from(extent), DynShape::from(stride))?;
            DynLayout::tuple(&[first.clone(), next])
        };
        let [inner, outer] =
            [mode(block, self.blocks, step)?, mode(rows, self.groups, step * self.blocks)?];
        Ok(Part::new(width, at, DynLayout::tuple(&[inner, outer])?))
    }

    /// The scales of 8 rows, stored like the scales of 8 groups in a block: the lower 4 bits and
    /// the upper 2 bits of each, in 12 bytes for each group.
    fn of_scales(&self, first: [usize; 2], low: &str) -> Result<Vec<Part>, LayoutError> {
        let block = "(32,8):(0,96)".parse()?;
        let at = first.map(|bit| bit + 8 * K_SCALES * self.rows);
        Ok(vec![
            self.part(4, at[0], &block, &low.parse()?)?,
            self.part(2, at[1], &block, &"(4,2):(8,2)".parse()?)?,
        ])
    }
}

impl Interleave {
    /// A part of one row's block as a part of the interleaved block: the block's layout, composed
    /// with the layout of chunks, `(turn, turns):(1, turn * rows)`.
    fn place(&self, one: &Part, places: &Places) -> Result<Part, LayoutError> {
        let mut before = 0;
        for &(first, bytes, turn) in self.pieces {
            if (8 * first..8 * (first + bytes)).contains(&one.bit(0)) {
                let turn = 8 * if turn == 0 { self.turn } else { turn };
                let turns: DynLayout =
                    format!("({turn},{}):(1,{})", 8 * bytes / turn, turn * self.rows).parse()?;
                // Adding the first bit's position does not carry into the next chunk.
                let at = one.bit(0) - 8 * first;
                let rows = format!("{}:{turn}", self.rows).parse()?;
                let at = 8 * before * self.rows + turns.index(at);
                return places.part(one.width(), at, &turns.compose(one.layout())?, &rows);
            }
            before += bytes;
        }
        unreachable!("a block consists of its pieces")
    }
}
