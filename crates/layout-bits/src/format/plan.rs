//! A format as loops: the common axes of all its layouts, and runs of 16 elements along them.
//!
//! ```text
//! bit(p, i) = at(p) + sum i_k * stride(p, k)      over extents common to all parts p
//! run: 16 elements whose codes are adjacent bytes or adjacent bits, and which share their other fields
//! ```

use layout_algebra::{DynLayout, DynShape, DynStride, Fault};

use super::{Field, Format, Number, Value, bits};

/// Loops that several layouts have in common, the innermost first: their extents, and the strides
/// of each layout.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Axes {
    pub(crate) extents: Vec<usize>,
    pub(crate) strides: Vec<Vec<usize>>,
}

/// The common refinement of layouts of one size, given by their extents and strides, in the fewest
/// axes.
///
/// # Errors
/// If two extents have no common refinement.
pub(crate) fn common_axes(layouts: &[Vec<(usize, usize)>]) -> Result<Axes, String> {
    let layout = |leaves: &Vec<(usize, usize)>| {
        let shape = DynShape::tuple(leaves.iter().map(|leaf| DynShape::from(leaf.0)))?;
        DynLayout::with_strides(shape, leaves.iter().map(|leaf| DynStride::Natural(leaf.1)))
    };
    let layouts = layouts.iter().map(layout).collect::<Result<Vec<_>, _>>();
    let refined = layouts
        .and_then(|layouts| DynLayout::mutual_refinement(&layouts.iter().collect::<Vec<_>>()));
    let refined = refined.map_err(|error| match error.fault() {
        Fault::NoRefinement { extent, other_extent, .. } => {
            format!(
                "the extents {other_extent} and {extent} of its layouts divide into no common ones"
            )
        }
        _ => error.to_string(),
    })?;
    // A size of 1 or 0 needs no loop.
    let moving = refined.first().filter(|first| first.size() > 1);
    let extents = moving.map_or(Vec::new(), |first| first.shape().leaves().to_vec());
    let number = |stride| match stride {
        DynStride::Natural(stride) | DynStride::Negative(stride) | DynStride::Xor(stride) => stride,
    };
    let strides = refined
        .iter()
        .map(|layout| layout.strides().map(number).take(extents.len()).collect())
        .collect();
    Ok(Axes { extents, strides })
}

impl Axes {
    /// Splits an axis in two; the first gets this extent, a divisor of the old one.
    pub(crate) fn cut(&mut self, axis: usize, extent: usize) {
        if self.extents[axis] != extent {
            let rest = self.extents[axis] / extent;
            self.extents[axis] = extent;
            self.extents.insert(axis + 1, rest);
            self.strides
                .iter_mut()
                .for_each(|strides| strides.insert(axis + 1, strides[axis] * extent));
        }
    }
    /// Calls `f` with the offset of each layout at every coordinate of the axes `first..end`, in
    /// order.
    pub(crate) fn each(
        &self,
        first: usize,
        end: usize,
        at: &mut [usize],
        f: &mut impl FnMut(&[usize]),
    ) {
        if first == end {
            return f(at);
        }
        let last = end - 1;
        for _ in 0..self.extents[last] {
            self.each(first, last, at, f);
            at.iter_mut().zip(&self.strides).for_each(|(at, strides)| *at += strides[last]);
        }
        at.iter_mut()
            .zip(&self.strides)
            .for_each(|(at, strides)| *at -= strides[last] * self.extents[last]);
    }
}

/// A part of a field that a run shares; its bits lie in up to four bytes.
#[derive(Clone, Debug)]
pub(super) struct Bits {
    /// Its index among all parts of the format, or 0 if all parts move together.
    pub(super) part: usize,
    pub(super) mask: u32,
    /// Its lowest bit within the field.
    pub(super) up: u32,
    /// How many bytes to read.
    pub(super) bytes: usize,
    /// For each run, the first of these bytes, and the shift of the bits within it.
    pub(super) byte: [u32; RUNS],
    pub(super) shifts: [u32; RUNS],
    /// A window of 16 bytes of the block that has the bytes of all runs, and the position of each
    /// run's byte in it.
    pub(super) window: Option<(usize, [u8; RUNS])>,
}

/// A field that the elements of a run share.
#[derive(Clone, Debug)]
pub(super) struct Scalar {
    pub(super) number: Number,
    pub(super) width: usize,
    pub(super) parts: Vec<Bits>,
    /// Whether all runs share the field.
    pub(super) same: bool,
    /// Whether moreover the field is an `f16` or an E8m0 in whole bytes.
    pub(super) whole: bool,
}

/// How the codes of a run are arranged, for one part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Arrangement {
    /// Each code in a byte of its own, 16 adjacent bytes.
    Bytes,
    /// As `Bytes`, in two groups of 8 adjacent bytes.
    Halves,
    /// Eight codes in a word: their distance in bits, and the bytes of the word.
    Words(u32, usize),
}

/// One part of the codes.
#[derive(Clone, Debug)]
pub(super) struct Codes {
    pub(super) part: usize,
    pub(super) arrangement: Arrangement,
    pub(super) mask: u8,
    pub(super) up: u32,
    /// For each half of each run, the first byte, and the shift of the bits within it.
    pub(super) places: [[(u32, u32); 2]; RUNS],
    /// For each pair of runs with adjacent bytes: their first bytes, and the shifts for groups of
    /// four bytes.
    pub(super) pairs: [([u32; 2], [u32; 8]); RUNS / 2],
}

/// How a code becomes a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    /// A byte, minus this one, as a signed byte.
    Byte(u8),
    /// The table's entry at this index.
    Table([u8; 16]),
    /// `x ^ flip - y`
    Integer { flip: u32, minus: u32 },
}

/// The plan for a format with runs: 16 elements that share all fields but the code.
#[derive(Clone, Debug)]
pub(super) struct Fast {
    /// The runs of one step of the outer loops.
    pub(super) runs: usize,
    pub(super) codes: Vec<Codes>,
    pub(super) kind: Kind,
    pub(super) scale: Vec<Scalar>,
    pub(super) zero: Option<Scalar>,
    pub(super) rest: Option<(bool, Vec<Scalar>)>,
    /// The loops around the runs: extents, and strides in bytes for each part of the format.
    pub(super) outer: Axes,
    pub(super) block_bytes: usize,
    /// Whether one step is a whole block of at most 256 bytes, so that positions have 8 bits.
    pub(super) small: bool,
    /// Whether moreover the runs form pairs, and their codes are adjacent bytes in one or two
    /// parts.
    pub(super) beside: bool,
    /// Whether a small block has only codes, one scale in whole bytes, and possibly one more such
    /// number that is added or subtracted.
    pub(super) one: bool,
    /// Whether the runs `2 * k` and `2 * k + 1` share their fields.
    pub(super) pairs: bool,
}

/// The most runs of a step, and the most parts of a format with runs.
pub(super) const RUNS: usize = 16;
pub(super) const PARTS: usize = 16;
/// The most outer loops.
pub(super) const AROUND: usize = 8;

#[derive(Clone, Debug)]
pub(super) struct Plan {
    axes: Axes,
    fast: Option<Box<Fast>>,
}

impl Plan {
    pub(super) fn new(
        axes: &Axes,
        fields: &[Field],
        value: &Value,
        elements: usize,
        bytes: usize,
    ) -> Self {
        let fast = Fast::new(axes.clone(), fields, value, bytes).map(Box::new);
        debug_assert!(axes.extents.iter().product::<usize>() == elements);
        Plan { axes: axes.clone(), fast }
    }
    pub(super) fn fast(&self) -> Option<&Fast> {
        self.fast.as_deref()
    }

    /// Decodes a block element by element.
    pub(super) fn each(&self, format: &Format, block: &[u8], mut f: impl FnMut(usize, f32)) {
        let parts: Vec<_> = format.fields.iter().flat_map(|field| &field.parts).collect();
        let mut at: Vec<_> = parts.iter().map(|part| part.at).collect();
        let (mut i, mut numbers) = (0, vec![0.0; format.fields.len()]);
        let Value { scale, code, zero, rest } = &format.value;
        self.axes.each(0, self.axes.extents.len(), &mut at, &mut |at| {
            let mut at = at.iter();
            for (field, number) in format.fields.iter().zip(&mut numbers) {
                let (mut code, mut width) = (0, 0);
                for (part, &at) in field.parts.iter().zip(&mut at) {
                    code |= bits(block, at, part.width) << width;
                    width += part.width;
                }
                *number = field.number.decode(code, width);
            }
            let product =
                |fields: &[usize]| fields.iter().map(|&field| numbers[field]).reduce(|a, b| a * b);
            let code = numbers[*code] - zero.map_or(0.0, |zero| numbers[zero]);
            let value = product(scale).map_or(code, |scale| scale * code);
            let value = match rest {
                None => value,
                Some((true, rest)) => value + product(rest).unwrap_or(0.0),
                Some((false, rest)) => value - product(rest).unwrap_or(0.0),
            };
            f(i, value);
            i += 1;
        });
    }
}

impl Fast {
    /// `None` if the elements form no runs.
    fn new(mut axes: Axes, fields: &[Field], value: &Value, bytes: usize) -> Option<Self> {
        let parts: Vec<_> = fields
            .iter()
            .enumerate()
            .flat_map(|(k, field)| field.parts.iter().map(move |p| (k, p)))
            .collect();
        let of = |field: usize| {
            parts.iter().enumerate().filter(move |(_, part)| part.0 == field).map(|(p, _)| p)
        };
        let mut others: Vec<_> = value.scale.iter().chain(&value.zero).copied().collect();
        others.extend(value.rest.iter().flat_map(|rest| &rest.1));
        if parts.len() > PARTS || others.contains(&value.code) || bytes > u32::MAX as usize / 8 {
            return None;
        }
        // A run is two groups of eight elements.
        if *axes.extents.first()? % 8 != 0 {
            return None;
        }
        axes.cut(0, 8);
        if axes.extents.get(1)? % 2 != 0 {
            return None;
        }
        axes.cut(1, 2);
        if others.iter().flat_map(|&field| of(field)).any(|part| axes.strides[part][..2] != [0, 0])
        {
            return None;
        }
        // The inner axes, whose runs make up one step, and the outer ones.
        let (mut runs, mut inner) = (1, 2);
        while inner < axes.extents.len() && runs * axes.extents[inner] <= RUNS {
            runs *= axes.extents[inner];
            inner += 1;
        }
        if inner < axes.extents.len() {
            let most = (1..=RUNS / runs).rev().find(|&n| axes.extents[inner].is_multiple_of(n))?;
            axes.cut(inner, most);
            (runs, inner) = (runs * most, inner + 1);
        }
        let outer = Axes {
            extents: axes.extents[inner..].to_vec(),
            strides: axes.strides.iter().map(|strides| strides[inner..].to_vec()).collect(),
        };
        if outer.extents.len() > AROUND
            || outer.strides.iter().flatten().any(|stride| stride % 8 != 0)
        {
            return None;
        }
        let is_block = outer.extents.is_empty();
        // The parts of a block move together.
        let row = |part: usize| if is_block { 0 } else { part };
        let outer = Axes {
            strides: outer
                .strides
                .iter()
                .map(|list| list.iter().map(|n| n / 8).collect())
                .collect(),
            ..outer
        };
        let mut listed = vec![Vec::new(); parts.len()];
        let mut at: Vec<_> = parts.iter().map(|part| part.1.at).collect();
        axes.each(1, inner, &mut at, &mut |at| {
            listed.iter_mut().zip(at).for_each(|(list, &at)| list.push(at))
        });
        let lifted = |field: usize| {
            of(field).scan(0, |up, part| {
                *up += parts[part].1.width;
                Some((part, (*up - parts[part].1.width) as u32))
            })
        };
        let small = is_block && bytes <= 256;
        // Do `read` bytes at every position of a part lie within the block? Small blocks are
        // padded.
        let inside = |part: usize, list: &[usize], read: usize| {
            let steps = outer
                .extents
                .iter()
                .zip(&outer.strides[part])
                .map(|(extent, stride)| (extent - 1) * stride);
            let last = list.iter().max().map_or(0, |at| at / 8) + steps.sum::<usize>();
            small || last + read <= bytes
        };
        let scalar = |&field: &usize| {
            let bits = |(part, up): (usize, u32)| {
                let (list, width) = (
                    listed[part].iter().step_by(2).copied().collect::<Vec<_>>(),
                    parts[part].1.width,
                );
                let needed = list.iter().map(|at| (at % 8 + width).div_ceil(8)).max()?;
                let (mut byte, mut shifts) = ([(list[0] / 8) as u32; RUNS], [0; RUNS]);
                byte.iter_mut().zip(&list).for_each(|(byte, at)| *byte = (at / 8) as u32);
                shifts
                    .iter_mut()
                    .zip(list.iter().cycle())
                    .for_each(|(shift, at)| *shift = (at % 8) as u32);
                let (low, high) = (list.iter().min()? / 8, list.iter().max()? / 8);
                let start = low.min(bytes.saturating_sub(16));
                let fits = is_block && needed == 1 && high < start + 16 && bytes >= 16;
                let window = fits
                    .then(|| (start, byte.map(|byte| (byte as usize).saturating_sub(start) as u8)));
                Some(Bits {
                    part: row(part),
                    mask: ((1_u64 << width) - 1) as u32,
                    up,
                    bytes: (needed <= 4 && inside(part, &list, needed)).then_some(needed)?,
                    byte,
                    shifts,
                    window,
                })
            };
            let parts = lifted(field).map(bits).collect::<Option<Vec<_>>>()?;
            let same = of(field).all(|part| listed[part].iter().all(|at| *at == listed[part][0]));
            let (number, width) = (fields[field].number, fields[field].width());
            let is_half = matches!(number, Number::F16 | Number::HalfE8m0);
            let whole = same && is_half && matches!(&parts[..], [one] if one.bytes == width / 8);
            Some(Scalar { number, width, parts, same, whole })
        };
        let scalars = |fields: &[usize]| fields.iter().map(scalar).collect::<Option<Vec<_>>>();
        let arrangement = |part: usize| {
            let (width, stride) = (parts[part].1.width, axes.strides[part][0]);
            match stride {
                8 if axes.strides[part][1] == 64 => Some(Arrangement::Bytes),
                8 => Some(Arrangement::Halves),
                1..=4 if width <= stride => Some(Arrangement::Words(stride as u32, 0)),
                _ => None,
            }
        };
        let codes = |(part, up): (usize, u32)| {
            let (list, width) = (&listed[part], parts[part].1.width);
            let arrangement = match arrangement(part)? {
                // Eight codes are read at once, with the bits below them in the first byte.
                Arrangement::Words(apart, _) => {
                    let reach = list.iter().map(|at| at % 8).max()? + 7 * apart as usize + width;
                    let read = (reach <= 32).then_some(reach.div_ceil(8))?;
                    Arrangement::Words(apart, inside(part, list, read).then_some(read)?)
                }
                // A code must not cross the end of its byte.
                arrangement => {
                    (list.iter().all(|at| at % 8 + width <= 8)).then_some(arrangement)?
                }
            };
            let mut places = [[(0, 0); 2]; RUNS];
            let found = list.iter().map(|at| ((at / 8) as u32, (at % 8) as u32));
            places
                .as_flattened_mut()
                .iter_mut()
                .zip(found)
                .for_each(|(place, found)| *place = found);
            let pairs = std::array::from_fn(|p| {
                let ([first, _], [second, _]) = (places[2 * p], places[2 * p + 1]);
                (
                    [first.0, second.0],
                    std::array::from_fn(|j| if j < 4 { first.1 } else { second.1 }),
                )
            });
            Some(Codes {
                part: row(part),
                arrangement,
                mask: ((1_u32 << width) - 1) as u8,
                up,
                places,
                pairs,
            })
        };
        let codes = lifted(value.code).map(codes).collect::<Option<Vec<_>>>()?;
        let (number, width) = (fields[value.code].number, fields[value.code].width());
        let in_bytes = width <= 8
            && codes.iter().all(|codes| !matches!(codes.arrangement, Arrangement::Words(..)));
        let kind = match number {
            Number::Table(table) if in_bytes => Kind::Table(table.map(|x| x as u8)),
            Number::Unsigned { minus } if in_bytes && width <= 4 && minus.abs() <= 64 => {
                Kind::Table(std::array::from_fn(|x| (x as i32 - minus) as u8))
            }
            Number::Signed if in_bytes && width == 8 => Kind::Byte(0),
            Number::Unsigned { minus }
                if in_bytes && minus >= (1 << width) - 128 && minus <= 128 =>
            {
                Kind::Byte(minus as u8)
            }
            Number::Unsigned { minus } => Kind::Integer { flip: 0, minus: minus as u32 },
            Number::Signed => Kind::Integer { flip: 1 << (width - 1), minus: 1 << (width - 1) },
            _ => return None,
        };
        let zero = value.zero.as_ref().map(|zero| scalar(zero).ok_or(())).transpose().ok()?;
        let rest = value
            .rest
            .as_ref()
            .map(|(plus, rest)| Ok((*plus, scalars(rest).ok_or(())?)))
            .transpose();
        let rest: Option<(bool, Vec<Scalar>)> = rest.map_err(|(): ()| ()).ok()?;
        let scale = scalars(&value.scale)?;
        let alike =
            |list: &Vec<usize>| list.chunks(4).all(|runs| runs.len() == 4 && runs[0] == runs[2]);
        let pairs = others.iter().flat_map(|&field| of(field)).all(|part| alike(&listed[part]));
        let beside = small
            && runs % 2 == 0
            && codes.len() <= 2
            && codes.iter().all(|codes| codes.arrangement == Arrangement::Bytes);
        let beside = beside && zero.is_none() && !matches!(kind, Kind::Integer { .. });
        let one = |fields: &[Scalar]| matches!(fields, [one] if one.whole);
        let one = small && zero.is_none() && one(&scale) && rest.iter().all(|rest| one(&rest.1));
        Some(Fast {
            small,
            beside,
            one,
            pairs,
            runs,
            codes,
            kind,
            scale,
            zero,
            rest,
            outer,
            block_bytes: bytes,
        })
    }
}
