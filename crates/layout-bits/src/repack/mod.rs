//! Repacks numbers from one format to another without decoding: moves of bits from layout to
//! layout.
//!
//! ```text
//! for each field and each i:   bits(to, field, i) = bits(from, field, i)
//! ```
//!
//! If the two formats have different codes for the same numbers, a map of codes replaces the
//! equation.
//!
//! In reading order: `permute`, `network`, `codes`, what is here.

mod codes;
mod network;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod permute;

use std::fmt;
use std::hint::black_box;

use layout_algebra::{DynLayout, DynShape};
use layout_relayout::Relayout;

use crate::format::{Axes, Field, Format, FormatError, bits, common_axes, put, zeroed};
use codes::{Codes, Map, Roles};
use network::{LINE, Network};

/// A plan to repack blocks of one format as blocks of another.
///
/// Law: each element keeps its number in each field, so that `to.dequantize` of the result equals
/// `from.dequantize`. The plan back restores the bytes, unless `to` stores a shared field more
/// often than `from`, or a number has two codes.
///
/// Fields correspond by their role in the value: code, zero, factors of the scale. Equal kinds of
/// numbers are moved as bits. If the formats have different codes for the same numbers
/// ([`Field::code_map`]), the codes are mapped. If only one format has a zero, and the codes have
/// equally many bits, all zeros have to be the number with which equal codes are equal numbers: 8
/// for `u` and `u - 8`.
///
/// `{}` prints the moves.
///
/// ```
/// use layout_bits::{Repack, formats};
/// let (ggml, tiles) = (formats::q4_0(), formats::marlin(128, 64, 32)?);
/// let weights: Vec<f32> = (0..128 * 64).map(|i| (i % 97) as f32 / 64.0 - 0.5).collect();
/// let blocks = ggml.quantize(&weights)?;
/// let tiled = Repack::plan(&ggml, &tiles)?.run(&blocks)?;
/// assert_eq!(tiles.dequantize(&tiled)?, ggml.dequantize(&blocks)?);
/// assert_eq!(Repack::plan(&tiles, &ggml)?.run(&tiled)?, blocks);
/// # Ok::<(), layout_bits::FormatError>(())
/// ```
#[derive(Debug)]
pub struct Repack {
    names: [String; 2],
    /// The bytes of a unit, in both formats: the least whole number of blocks of both.
    bytes: [usize; 2],
    /// The elements of a unit.
    elements: usize,
    moves: Vec<Move>,
    /// The changes of codes, which run after all moves.
    codes: Vec<Codes>,
    /// The chunks of a unit. All moves of a chunk are made before the next chunk, so that its bytes
    /// stay in the cache.
    chunks: usize,
    /// Whether the moves write every bit of the destination.
    covers: bool,
}

/// Moves some bits of a field for all elements.
#[derive(Debug)]
struct Move {
    text: String,
    /// The first bit in both formats, and the distance in bytes to the next chunk.
    at: [usize; 2],
    further: [usize; 2],
    method: Method,
}
#[derive(Debug)]
enum Method {
    /// Whole bytes, with the loops of `layout-relayout`.
    Bytes(Box<Relayout>),
    /// Words whose elements are permuted.
    Words(Box<Network>),
    /// This many bits at every coordinate.
    Bits(usize, Axes),
}

impl Repack {
    /// The plan from blocks of `from` to blocks of `to`.
    ///
    /// # Errors
    /// If the values of the formats are different expressions; if a field of `to` has no code for a
    /// number of `from` (for integers [`run`](Self::run) refuses, and only if such a number
    /// occurs); if elements that share a field in `to` do not share it in `from`; and if the
    /// layouts have no common refinement.
    ///
    /// ```
    /// use layout_bits::{Repack, formats};
    /// let error = Repack::plan(&formats::q4_0(), &formats::q4_1()).unwrap_err();
    /// assert_eq!(error.to_string(), "no repacking of q4_0 to q4_1: d * q is not d * q + m");
    /// let groups = formats::compressed_tensors(128, 8, 128)?;
    /// assert_eq!(
    ///     Repack::plan(&formats::q4_0(), &groups).unwrap_err().to_string(),
    ///     "no repacking of q4_0 to compressed-tensors: elements with a d of their own share one there"
    /// );
    /// # Ok::<(), layout_bits::FormatError>(())
    /// ```
    pub fn plan(from: &Format, to: &Format) -> Result<Self, FormatError> {
        let fail = |why: String| FormatError::Repack {
            from: from.name().into(),
            to: to.name().into(),
            why,
        };
        let roles = Roles::new(from, to).map_err(fail)?;
        let common = lcm(from.elements(), to.elements());
        let sizes = common.and_then(|n| {
            let bytes = |format: &Format| (n / format.elements()).checked_mul(format.bytes());
            Some((n, [bytes(from)?, bytes(to)?]))
        });
        let Some((elements, bytes)) =
            sizes.filter(|sizes| sizes.1.iter().all(|&bytes| bytes <= isize::MAX as usize / 8))
        else {
            return Err(fail(
                "what both have whole blocks of has more bits than can be counted".into(),
            ));
        };
        let repeated = |part: &crate::Part, format: &Format| {
            let mut leaves = part.leaves().unwrap_or_default();
            leaves.push((elements / format.elements(), format.bytes() * 8));
            leaves
        };
        let (mut found, mut codes, mut moved) = (Vec::new(), Vec::new(), 0_usize);
        let mut change = |fields: [&[crate::Part]; 2], name: &str, map: Map| {
            let parts = [(fields[0], from), (fields[1], to)].map(|(parts, format)| {
                let place = |part: &crate::Part| (part.at, part.width, repeated(part, format));
                parts.iter().map(place).collect::<Vec<_>>()
            });
            Codes::new(name, parts, map).map(|change| {
                let written = change.written();
                codes.push(change);
                written
            })
        };
        for (other, field, less) in &roles.pairs {
            let map = Map::new(other, field, *less).map_err(fail)?;
            if let Map::Table(_) = map {
                let written = change([&other.parts, &field.parts], &field.name, map);
                moved = moved.saturating_add(written.map_err(fail)?);
                continue;
            }
            let mut done = 0;
            while done < field.width() {
                let (mine, first) = part(other, done);
                let (theirs, there) = part(field, done);
                let width = (mine.width - first).min(theirs.width - there);
                let at = [mine.at + first, theirs.at + there];
                let axes =
                    common_axes(&[repeated(mine, from), repeated(theirs, to)]).map_err(fail)?;
                let axes = once(axes, width).map_err(|why| fail(why.replace("{}", &field.name)))?;
                moved = moved.saturating_add(axes.extents.iter().product::<usize>() * width);
                let text = format!("{} bits {done}..{}", field.name, done + width);
                found.push((text, at, width, axes));
                done += width;
            }
            if let Map::Flip(mut mask) = map {
                for part in &field.parts {
                    let of_part = mask & (u32::MAX >> (32 - part.width));
                    if of_part != 0 {
                        let part = std::slice::from_ref(part);
                        change([&[], part], &field.name, Map::Flip(of_part)).map_err(fail)?;
                    }
                    mask = mask.checked_shr(part.width as u32).unwrap_or(0);
                }
            }
        }
        if let Some((field, code)) = roles.expected {
            change([&field.parts, &[]], &field.name, Map::Expected(code, field.number))
                .map_err(fail)?;
        }
        if let Some((field, code)) = roles.constant {
            let written = change([&[], &field.parts], &field.name, Map::Constant(code));
            moved = moved.saturating_add(written.map_err(fail)?);
        }
        let last = |axes: &Axes, side: usize| axes.strides[side].last().copied().unwrap_or(0);
        let fits = |chunks: &usize| {
            found.iter().all(|(_, _, _, axes)| {
                let of = axes.extents.last().map_or(0, |extent| extent / chunks);
                axes.extents.last().is_some_and(|extent| extent % chunks == 0)
                    && [0, 1].iter().all(|&side| last(axes, side) * of % 8 == 0)
            })
        };
        // Splits the last axes of all moves into the most chunks of at least `least` bytes.
        let plan = |least: usize| {
            let chunks = (2..=(bytes[0] / least).min(MOST_CHUNKS)).rev().find(fits).unwrap_or(1);
            let moves = found.iter().cloned().map(|(text, at, width, mut axes)| {
                let mut further = [0; 2];
                if let Some(k) = axes.extents.len().checked_sub(1).filter(|_| chunks > 1) {
                    axes.extents[k] /= chunks;
                    further = [0, 1].map(|side| last(&axes, side) * axes.extents[k] / 8);
                }
                Move::new(text, at, further, width, axes)
            });
            (chunks, moves.collect::<Vec<_>>())
        };
        // Chunks of one MiB, or less if a move does not follow the order of the destination alone:
        // the chunk then stays in the cache until all moves have been made.
        let (mut chunks, mut moves) = plan(1 << 20);
        if moves.iter().any(
            |step| matches!(&step.method, Method::Words(words) if words.in_order != [false, true]),
        ) {
            (chunks, moves) = plan(1 << 18);
        }
        let names = [from.name().into(), to.name().into()];
        let covers = moved == bytes[1] * 8;
        Ok(Repack { names, bytes, elements, moves, codes, chunks, covers })
    }

    /// Repacks blocks.
    ///
    /// # Errors
    /// If the bytes are not a whole number of units (the least common multiple of both formats'
    /// blocks), if the other format has no code for a number, or there is no memory.
    ///
    /// ```
    /// use layout_bits::{Repack, formats};
    /// let plan = Repack::plan(&formats::q8_0(), &formats::q8_0())?;
    /// assert_eq!(plan.run(&[7; 68])?, [7; 68]);
    /// assert!(plan.run(&[7; 67]).is_err());
    ///
    /// // AWQ has zeros from 0 to 15, and GPTQ from 1 to 16, stored minus one.
    /// let (awq, gptq) = (formats::awq(8, 8, 8)?, formats::gptq(8, 8, 8)?);
    /// let plan = Repack::plan(&awq, &gptq)?;
    /// assert_eq!(plan.run(&[0x55; 52])?[32..36], [0x44; 4]);
    /// assert_eq!(
    ///     plan.run(&[0; 52]).unwrap_err().to_string(),
    ///     "no repacking of awq to gptq: the zero of element 0 is 0, and there it is u + 1 of 4 bits"
    /// );
    /// # Ok::<(), layout_bits::FormatError>(())
    /// ```
    pub fn run(&self, from: &[u8]) -> Result<Vec<u8>, FormatError> {
        self.room(from.len())?;
        let mut to = zeroed(&self.names[1], from.len() / self.bytes[0], (self.bytes[1], "bytes"))?;
        self.run_into(from, &mut to)?;
        Ok(to)
    }

    /// Ok if [`run`](Self::run) can repack these blocks, given memory for the result.
    ///
    /// # Errors
    /// If the bytes are not a whole number of units, or the other format has no code for a number:
    /// the error names the first such element of a field.
    ///
    /// ```
    /// use layout_bits::{Repack, formats};
    /// let plan = Repack::plan(&formats::gptq(8, 8, 8)?, &formats::compressed_tensors(8, 8, 8)?)?;
    /// assert!(plan.check(&[0x77; 52]).is_ok());
    /// assert_eq!(
    ///     plan.check(&[0x76; 52]).unwrap_err().to_string(),
    ///     "no repacking of gptq to compressed-tensors: the zero of element 0 is 7, and there is none there, \
    ///      so that all have to be 8"
    /// );
    /// # Ok::<(), layout_bits::FormatError>(())
    /// ```
    pub fn check(&self, from: &[u8]) -> Result<(), FormatError> {
        self.room(from.len())?;
        for (k, from) in from.chunks_exact(self.bytes[0]).enumerate() {
            self.codes.iter().try_for_each(|codes| codes.check(from)).map_err(|(i, why)| {
                let [from, to] = self.names.clone();
                let element = k * self.elements + i;
                FormatError::Repack { from, to, why: why.replace("{}", &element.to_string()) }
            })?;
        }
        Ok(())
    }

    /// The bytes of the result for `from` bytes.
    fn room(&self, from: usize) -> Result<usize, FormatError> {
        match from % self.bytes[0] {
            0 => Ok((from / self.bytes[0]).saturating_mul(self.bytes[1])),
            _ => {
                let (format, block) = (self.names[0].clone(), self.bytes[0]);
                Err(FormatError::Length { format, block, given: from, of: "bytes" })
            }
        }
    }

    /// [`run`](Self::run) into a slice.
    ///
    /// # Errors
    /// As [`run`](Self::run), and if the destination has another length. Nothing has been written
    /// then.
    ///
    /// ```
    /// use layout_bits::{Repack, formats};
    /// let plan = Repack::plan(&formats::q4_0(), &formats::compressed_tensors(32, 1, 32)?)?;
    /// let mut to = [0; 18];
    /// plan.run_into(&[1, 2, 0x10, 0x21, 0x32, 0x43, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], &mut to)?;
    /// assert_eq!((to[0], to[1], to[8], to[16]), (0x10, 0x32, 0x21, 1));
    /// # Ok::<(), layout_bits::FormatError>(())
    /// ```
    pub fn run_into(&self, from: &[u8], to: &mut [u8]) -> Result<(), FormatError> {
        let needed = self.room(from.len())?;
        if to.len() != needed {
            return Err(FormatError::Room { needed, given: to.len(), of: "bytes" });
        }
        self.check(from)?;
        if !self.covers {
            to.fill(0);
        }
        for (from, to) in from.chunks_exact(self.bytes[0]).zip(to.chunks_exact_mut(self.bytes[1])) {
            for chunk in 0..self.chunks {
                self.moves.iter().for_each(|step| step.run(chunk, from, to));
            }
            self.codes.iter().for_each(|codes| codes.run(from, to));
        }
        Ok(())
    }
}

impl fmt::Display for Repack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} to {}: {} bytes to {}",
            self.names[0], self.names[1], self.bytes[0], self.bytes[1]
        )?;
        self.moves.iter().try_for_each(|step| {
            let method = match &step.method {
                Method::Bytes(_) => "bytes".into(),
                Method::Words(network) => network.to_string(),
                Method::Bits(width, _) => format!("{width} bits at a time"),
            };
            writeln!(f, "  {}: {method}", step.text)
        })?;
        self.codes.iter().try_for_each(|codes| writeln!(f, "  {codes}"))
    }
}

/// The most chunks of a unit.
const MOST_CHUNKS: usize = 1 << 16;

fn lcm(a: usize, b: usize) -> Option<usize> {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    (a / x).checked_mul(b)
}

/// The part that has bit `bit` of a field, and the bit's position in the part.
fn part(field: &Field, mut bit: usize) -> (&crate::Part, usize) {
    for part in &field.parts {
        if bit < part.width {
            return (part, bit);
        }
        bit -= part.width;
    }
    unreachable!("a field has the bits of its parts")
}

/// The axes along which the destination moves.
///
/// # Errors
/// If the source moves along another axis, or two coordinates share bits of the destination; `{}`
/// stands for the field.
fn once(mut axes: Axes, width: usize) -> Result<Axes, String> {
    let kept: Vec<_> = (0..axes.extents.len()).filter(|&k| axes.strides[1][k] != 0).collect();
    if (0..axes.extents.len()).any(|k| axes.strides[1][k] == 0 && axes.strides[0][k] != 0) {
        return Err("elements with a {} of their own share one there".into());
    }
    let keep = |list: &[usize]| kept.iter().map(|&k| list[k]).collect::<Vec<_>>();
    axes = Axes {
        extents: keep(&axes.extents),
        strides: axes.strides.iter().map(|list| keep(list)).collect(),
    };
    let mut sorted: Vec<_> = axes.strides[1].iter().zip(&axes.extents).collect();
    sorted.sort();
    sorted.iter().try_fold(width, |reach, &(&stride, &extent)| {
        if stride >= reach {
            Ok(reach + stride * (extent - 1))
        } else {
            Err("bits of {} overlap there".to_string())
        }
    })?;
    Ok(axes)
}

impl Move {
    fn new(text: String, at: [usize; 2], further: [usize; 2], width: usize, axes: Axes) -> Self {
        let whole = |n: &usize| n.is_multiple_of(8);
        let method =
            if whole(&width) && at.iter().all(whole) && axes.strides.iter().flatten().all(whole) {
                let mut shape = vec![width / 8];
                shape.extend(&axes.extents);
                let tuple = |numbers: &[usize]| {
                    DynShape::tuple(numbers.iter().map(|&n| DynShape::from(n))).ok()
                };
                let layout = |strides: &[usize]| {
                    let mut bytes = vec![1];
                    bytes.extend(strides.iter().map(|stride| stride / 8));
                    DynLayout::new(tuple(&shape)?, tuple(&bytes)?).ok()
                };
                let plan = layout(&axes.strides[0]).zip(layout(&axes.strides[1]));
                let plan = plan.and_then(|(from, to)| Relayout::plan(&from, &to, 1).ok());
                plan.map(|plan| Method::Bytes(Box::new(plan)))
            } else {
                Network::plan(width, at, &axes).map(|network| Method::Words(Box::new(network)))
            };
        Move { text, at, further, method: method.unwrap_or(Method::Bits(width, axes)) }
    }

    fn run(&self, chunk: usize, from: &[u8], to: &mut [u8]) {
        let [first, there] = [0, 1].map(|side| self.at[side] + chunk * self.further[side] * 8);
        match &self.method {
            Method::Bytes(plan) => {
                let moved = plan.run(&from[first / 8..], &mut to[there / 8..]);
                moved.expect("bits of both formats lie within their blocks");
            }
            Method::Words(network) => {
                let (from, to) = (&from[first / 8..], &mut to[there / 8..]);
                if !network.in_order[1] {
                    // Loads the destination's cache lines in order: the loops write out of order.
                    black_box(
                        to[..self.further[1].min(to.len())]
                            .chunks(LINE)
                            .fold(0, |sum, line| sum ^ line[0]),
                    );
                }
                network.run(from, to);
            }
            Method::Bits(width, axes) => {
                axes.each(0, axes.extents.len(), &mut [first, there], &mut |at| {
                    put(to, at[1], *width, bits(from, at[0], *width));
                })
            }
        }
    }
}
