//! Pieces: the boxes of the kernel.
//!
//! ```text
//! rows contiguous on both sides        vectors, as wide as all offsets and strides allow
//! long rows without common alignment   aligned vectors of the target, from two of the source
//! contiguous in different modes        tiles, transposed in shared memory
//! anything else                        element by element
//! ```

use bytemuck::{Pod, Zeroable};
use layout_mesh::BoxCopy;

use crate::element::Element;

/// The modes of a piece, as in `kernel.cu`.
pub(crate) const MODES: usize = 6;
/// The threads of a block.
pub(crate) const THREADS: u32 = 256;
/// The vectors of a thread in one tile, of a piece without sums.
const UNROLL: u32 = 4;
/// A piece has fewer bytes than this.
const MOST_BYTES: u64 = 1 << 31;
/// Rows with fewer bytes are not shifted: they are moved with the vectors that their alignment
/// allows.
const LONG_ROW: u64 = 128;
/// With smaller extents, tiles in shared memory do not pay.
const SHORT: u64 = 16;

/// How the kernel moves a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Vectors of this number of bytes.
    Vectors(u32),
    /// Rows of elements of this number of bytes.
    Rows(u32),
    /// A transpose of elements of this number of bytes.
    Transpose(u32),
    /// Sums of vectors of this number of bytes.
    Sums(Element, u32),
}

impl Form {
    /// The number of the form in the kernel.
    fn number(self) -> u32 {
        let halvings = |of: u32, bytes: u32| (of / bytes).trailing_zeros();
        match self {
            Form::Vectors(bytes) => halvings(16, bytes),
            Form::Rows(bytes) => 5 + halvings(4, bytes),
            Form::Transpose(bytes) => 8 + halvings(8, bytes),
            Form::Sums(Element::F32, bytes) => 12 + halvings(16, bytes),
            Form::Sums(Element::F16, bytes) => 15 + halvings(16, bytes),
            Form::Sums(_, bytes) => 19 + halvings(16, bytes),
        }
    }

    fn of(number: u32) -> Form {
        match number {
            0..=4 => Form::Vectors(16 >> number),
            5..=7 => Form::Rows(4 >> (number - 5)),
            8..=11 => Form::Transpose(8 >> (number - 8)),
            12..=14 => Form::Sums(Element::F32, 16 >> (number - 12)),
            15..=18 => Form::Sums(Element::F16, 16 >> (number - 15)),
            _ => Form::Sums(Element::Bf16, 16 >> (number - 19)),
        }
    }
}

/// The extent of a tile of a transpose in both directions.
pub(crate) fn tile_extent(unit: u32) -> u64 {
    match unit {
        1 => 128,
        2 | 4 => 64,
        _ => 32,
    }
}

/// A piece, with the fields of `kernel.cu`. Offsets and strides are in bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub(crate) struct Piece {
    form: u32,
    modes: u32,
    /// The first vector or slot, and their number.
    pub(crate) first: u32,
    pub(crate) units: u32,
    /// The bytes of a row.
    row: u32,
    /// Whether a transpose uses vectors in the source, and in the target.
    wide: u32,
    pub(crate) sources: u32,
    pub(crate) first_source: u32,
    pub(crate) targets: u32,
    pub(crate) first_target: u32,
    from: u64,
    to: u64,
    extent: [u32; MODES],
    magic: [u32; MODES],
    shift: [u32; MODES],
    from_step: [u64; MODES],
    to_step: [u64; MODES],
}

/// Extent, stride before, stride after, in bytes.
type Mode = (u64, u64, u64);

/// A number and a shift, so that `n / divisor` is the upper word of `n * number`, shifted, for all
/// `n` below 2^31. No number for 1.
pub(crate) fn division(divisor: u32) -> (u32, u32) {
    if divisor < 2 {
        return (0, 0);
    }
    let bits = 32 - (divisor - 1).leading_zeros();
    ((1u64 << (31 + bits)).div_ceil(divisor.into()) as u32, bits - 1)
}

fn divide((number, shift): (u32, u32), n: u32) -> u32 {
    if number == 0 { n } else { ((u64::from(n) * u64::from(number)) >> 32) as u32 >> shift }
}

/// The pieces of a box, sums if `is_sum`. Sources and targets are not set.
pub(crate) fn pieces_of(of: &BoxCopy, element: Element, is_sum: bool) -> Vec<Piece> {
    let (bytes, unit) = (element.bytes() as u64, element.unit() as u64);
    let mut modes: Vec<Mode> = vec![(bytes / unit, unit, unit)];
    let scaled = |&(extent, before, after): &(usize, usize, usize)| {
        (extent as u64, before as u64 * bytes, after as u64 * bytes)
    };
    modes.extend(of.modes.iter().map(scaled));
    if modes.iter().any(|mode| mode.0 == 0) {
        return Vec::new();
    }
    modes.retain(|mode| mode.0 > 1);
    modes.sort_by_key(|mode| mode.2);
    modes.dedup_by(|next, last| {
        let goes_on = next.1 == last.0 * last.1 && next.2 == last.0 * last.2;
        if goes_on {
            last.0 *= next.0;
        }
        goes_on
    });
    let mut pieces = Vec::new();
    let (from, to) = (of.from as u64 * bytes, of.to as u64 * bytes);
    split(from, to, &modes, unit, &mut |from, to, modes| {
        pieces.push(Piece::new(from, to, modes, unit, element, is_sum));
    });
    pieces
}

/// Splits a box into boxes that fit a piece's modes and bytes, and calls `f` with each.
fn split(from: u64, to: u64, modes: &[Mode], unit: u64, f: &mut impl FnMut(u64, u64, &[Mode])) {
    let bytes = modes.iter().fold(unit, |bytes, mode| bytes.saturating_mul(mode.0));
    let mut parts = |mode: usize, length: u64| {
        let (extent, before, after) = modes[mode];
        for at in (0..extent).step_by(length as usize) {
            let mut part = modes.to_vec();
            part[mode].0 = length.min(extent - at);
            part.retain(|mode| mode.0 > 1);
            split(from + at * before, to + at * after, &part, unit, f);
        }
    };
    if modes.len() > MODES {
        // Rows are not split.
        let least = (1..modes.len()).min_by_key(|&mode| modes[mode].0).expect("many modes");
        parts(least, 1);
    } else if bytes >= MOST_BYTES {
        let largest = (0..modes.len()).max_by_key(|&mode| modes[mode].0).expect("many elements");
        // Split at a multiple of a vector's elements, if possible.
        let half = modes[largest].0.div_ceil(2);
        parts(largest, if half > 64 { half.next_multiple_of(64) } else { half });
    } else {
        f(from, to, modes);
    }
}

impl Piece {
    fn new(from: u64, to: u64, modes: &[Mode], unit: u64, element: Element, is_sum: bool) -> Piece {
        let mut modes = modes.to_vec();
        let is_row = modes.first().is_some_and(|mode| (mode.1, mode.2) == (unit, unit));
        let row = if is_row { modes.remove(0).0 * unit } else { unit };
        let steps = modes.iter().fold(from | to | row, |all, mode| all | mode.1 | mode.2);
        let vector = 1 << steps.trailing_zeros().min(4);
        let neighbours = |step: fn(&Mode) -> u64| {
            let is_long = |mode: &Mode| step(mode) == unit && mode.0 >= SHORT;
            modes.iter().position(is_long).filter(|_| !is_row && !is_sum && unit < 16)
        };
        let transposed = neighbours(|mode| mode.1).zip(neighbours(|mode| mode.2));
        let mut piece = Piece { from, to, ..Piece::zeroed() };
        let form = if !is_sum && vector < 8 && row >= LONG_ROW {
            // The most slots that a row of this number of bytes touches, at any alignment.
            piece.row = row as u32;
            modes.insert(0, ((row + 30) / 16, 0, 0));
            Form::Rows(unit as u32)
        } else if let Some((before, after)) = transposed {
            let outer = (0..modes.len()).filter(|&mode| mode != before && mode != after);
            modes = [before, after].into_iter().chain(outer).map(|mode| modes[mode]).collect();
            let is_wide = |steps: u64, own: usize, step: fn(&Mode) -> u64| {
                let others = modes.iter().enumerate().filter(|(mode, _)| *mode != own);
                others.fold(steps, |all, (_, mode)| all | step(mode)) % 16 == 0
            };
            let (source, target) = (is_wide(from, 0, |m| m.1), is_wide(to, 1, |m| m.2));
            piece.wide = u32::from(source) + 2 * u32::from(target);
            Form::Transpose(unit as u32)
        } else {
            if row > vector || modes.is_empty() {
                modes.insert(0, (row / vector, vector, vector));
            }
            let vector = vector as u32;
            if is_sum { Form::Sums(element, vector) } else { Form::Vectors(vector) }
        };
        piece.form = form.number();
        piece.modes = modes.len() as u32;
        let mut units = 1;
        for (k, &(extent, before, after)) in modes.iter().enumerate() {
            piece.extent[k] = extent as u32;
            (piece.from_step[k], piece.to_step[k]) = (before, after);
            let counted = match form {
                Form::Transpose(unit) if k < 2 => extent.div_ceil(tile_extent(unit)),
                _ => extent,
            };
            (piece.magic[k], piece.shift[k]) = division(counted as u32);
            units *= counted;
        }
        piece.units = units as u32;
        piece
    }

    pub(crate) fn form(&self) -> Form {
        Form::of(self.form)
    }

    /// The bit of the piece's form in `FORMS`.
    pub(crate) fn form_bit(&self) -> u32 {
        1 << self.form
    }

    /// The bytes of the piece's elements.
    pub(crate) fn bytes(&self) -> usize {
        let extents = self.extent[..self.modes as usize].iter().map(|&extent| extent as usize);
        match self.form() {
            Form::Vectors(bytes) | Form::Sums(_, bytes) => (self.units * bytes) as usize,
            Form::Rows(_) => self.row as usize * extents.skip(1).product::<usize>(),
            Form::Transpose(bytes) => bytes as usize * extents.product::<usize>(),
        }
    }

    /// The number of tiles.
    pub(crate) fn tiles(&self) -> u32 {
        match self.form() {
            Form::Vectors(_) | Form::Rows(_) => self.units.div_ceil(THREADS * UNROLL),
            Form::Transpose(_) => self.units,
            Form::Sums(..) => self.units.div_ceil(THREADS),
        }
    }

    /// The copies of the kernel for one vector, slot or tile: contiguous runs, each with its offset
    /// before and after and its bytes.
    pub(crate) fn for_each_run(&self, number: u32, mut f: impl FnMut(usize, usize, usize)) {
        let (mut n, mut digits) = (number, [0u64; MODES]);
        let modes = self.modes as usize;
        for (k, digit) in digits[..modes].iter_mut().enumerate() {
            let rest = if k + 1 == modes && !matches!(self.form(), Form::Transpose(_)) {
                0
            } else {
                divide((self.magic[k], self.shift[k]), n)
            };
            let counted = match self.form() {
                Form::Transpose(unit) if k < 2 => self.extent[k].div_ceil(tile_extent(unit) as u32),
                _ => self.extent[k],
            };
            *digit = u64::from(n - rest * counted);
            n = rest;
        }
        let place = |digits: &[u64]| {
            let steps = self.from_step.iter().zip(&self.to_step);
            digits.iter().zip(steps).fold((self.from, self.to), |(from, to), (digit, steps)| {
                (from + digit * steps.0, to + digit * steps.1)
            })
        };
        let mut run =
            |from: u64, to: u64, bytes: u64| f(from as usize, to as usize, bytes as usize);
        match self.form() {
            Form::Vectors(bytes) | Form::Sums(_, bytes) => {
                let (from, to) = place(&digits);
                run(from, to, bytes.into());
            }
            Form::Rows(_) => {
                let (from, to) = place(&digits);
                let begin = to / 16 * 16 + 16 * digits[0];
                let (first, end) = (begin.max(to), (begin + 16).min(to + u64::from(self.row)));
                if first < end {
                    run(from + first - to, first, end - first);
                }
            }
            Form::Transpose(unit) => {
                let extent = tile_extent(unit);
                let begin = [digits[0] * extent, digits[1] * extent];
                let end = [0, 1].map(|k| (begin[k] + extent).min(self.extent[k].into()));
                for u in begin[0]..end[0] {
                    for v in begin[1]..end[1] {
                        (digits[0], digits[1]) = (u, v);
                        let (from, to) = place(&digits);
                        run(from, to, unit.into());
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_and_a_shift_divide() {
        for divisor in (1..2000).chain([4096, 65_535, 1 << 20, (1 << 30) + 1, (1 << 31) - 1]) {
            let by = division(divisor);
            let near = [1, 2, 3, 1000, (1 << 31) / divisor].map(|k: u32| k.saturating_mul(divisor));
            let edges = near.into_iter().flat_map(|n| [n.wrapping_sub(1), n, n.wrapping_add(1)]);
            for n in edges.chain([0, 1, 12345, (1 << 31) - 1]).filter(|n| *n < 1 << 31) {
                assert_eq!(divide(by, n), n / divisor, "{n} / {divisor}");
            }
        }
    }

    #[test]
    fn numbers_of_forms_lead_back() {
        for number in 0..23 {
            assert_eq!(Form::of(number).number(), number);
        }
    }

    fn forms(of: BoxCopy, element: Element) -> Vec<Form> {
        pieces_of(&of, element, false).iter().map(Piece::form).collect()
    }

    /// Pieces are as wide as both sides allow; transposes start at their limits.
    #[test]
    fn boxes_have_the_forms_that_fit() {
        let of = |from, to, modes| BoxCopy { from, to, modes };
        let rows = vec![(64, 1, 1), (5, 128, 64)];
        assert_eq!(forms(of(0, 0, rows.clone()), Element::F16), [Form::Vectors(16)]);
        assert_eq!(forms(of(4, 0, rows.clone()), Element::F16), [Form::Vectors(8)]);
        assert_eq!(forms(of(1, 0, rows), Element::F16), [Form::Rows(2)]);
        let long = vec![(1 << 17, 1, 1), (1 << 17, 1 << 17, 1 << 18)];
        assert_eq!(forms(of(0, 0, long), Element::F16), [Form::Vectors(16); 32]);
        let turned = vec![(64, 1, 100), (64, 100, 1)];
        assert_eq!(forms(of(0, 0, turned.clone()), Element::U8), [Form::Transpose(1)]);
        assert_eq!(pieces_of(&of(0, 0, turned), Element::F32, false)[0].wide, 3);
        assert_eq!(forms(of(0, 0, vec![(8, 1, 8), (8, 8, 1)]), Element::U8), [Form::Vectors(1)]);
        assert_eq!(forms(of(0, 0, vec![(9, 3, 1)]), Element::Bytes(12)), [Form::Vectors(4)]);
        assert_eq!(forms(of(0, 0, vec![(9, 3, 1), (0, 1, 1)]), Element::U8), []);
        assert_eq!(forms(of(7, 9, vec![]), Element::U8), [Form::Vectors(1)]);
    }
}
