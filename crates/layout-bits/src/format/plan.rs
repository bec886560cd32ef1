//! A format as loops: axes that all its layouts have, and of these runs of elements that lie alike.
//!
//! ```text
//! bit(p, i) = at(p) + sum i_k * stride(p, k)      over extents common to all parts p
//! run: 16 elements, whose codes are bytes side by side, or bits side by side, and whose other fields are the same
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

/// The common loops of layouts of one size, given by their extents and strides, as few as there
/// are.
///
/// # Errors
/// If the extents divide into no common ones: the two.
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
    // One element, or none, takes no loop.
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
    /// Cuts an axis in two, of which the first has this extent, a divisor.
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
    /// Calls `f` with what each layout adds at every coordinate of the axes from `first` to `end`,
    /// in their order.
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

/// One part of a field that is the same for a run, whose bits lie in one byte, two or four.
#[derive(Clone, Debug)]
pub(super) struct Bits {
    /// Its number among all parts of the format, or 0 if these move together.
    pub(super) part: usize,
    pub(super) mask: u32,
    /// By how much it lies above the field's lowest bit.
    pub(super) up: u32,
    /// How many bytes are read.
    pub(super) bytes: usize,
    /// For each run the first of these bytes, and how far above its lowest bit the bits lie.
    pub(super) byte: [u32; RUNS],
    pub(super) shifts: [u32; RUNS],
    /// Where 16 bytes of the block have those of all runs, and the place of each among them.
    pub(super) window: Option<(usize, [u8; RUNS])>,
}

/// A field that is the same for a run.
#[derive(Clone, Debug)]
pub(super) struct Scalar {
    pub(super) number: Number,
    pub(super) width: usize,
    pub(super) parts: Vec<Bits>,
    /// Whether it is the same for all runs.
    pub(super) same: bool,
    /// Whether that is so, and it is a half, or an E8m0, of whole bytes.
    pub(super) whole: bool,
}

/// How the bits of a part lie for the codes of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Lie {
    /// Each in a byte of its own, the bytes side by side.
    Bytes,
    /// As `Bytes`, eight by eight.
    Halves,
    /// Side by side, so many bits apart, eight by eight: in so many bytes.
    Words(u32, usize),
}

/// One part of the codes.
#[derive(Clone, Debug)]
pub(super) struct Codes {
    pub(super) part: usize,
    pub(super) lie: Lie,
    pub(super) mask: u8,
    pub(super) up: u32,
    /// For each run and each half of it the first byte, and how far above its lowest bit the bits
    /// lie.
    pub(super) places: [[(u32, u32); 2]; RUNS],
    /// For two runs each, whose codes are bytes side by side: their first bytes, and the shifts of
    /// four bytes at once.
    pub(super) pairs: [([u32; 2], [u32; 8]); RUNS / 2],
}

/// What is made of a code.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    /// A byte with a sign, less this one.
    Byte(u8),
    /// The number at this place.
    Table([u8; 16]),
    /// `x ^ flip - y`
    Integer { flip: u32, minus: u32 },
}

/// Runs of 16 elements whose other fields are the same.
#[derive(Clone, Debug)]
pub(super) struct Fast {
    /// The runs that are listed.
    pub(super) runs: usize,
    pub(super) codes: Vec<Codes>,
    pub(super) kind: Kind,
    pub(super) scale: Vec<Scalar>,
    pub(super) zero: Option<Scalar>,
    pub(super) rest: Option<(bool, Vec<Scalar>)>,
    /// Loops around the runs: extents, and for each part of the format how far it moves, in bytes.
    pub(super) outer: Axes,
    pub(super) block_bytes: usize,
    /// Whether the runs listed are a block, each byte of which has a number of eight bits.
    pub(super) small: bool,
    /// Whether that is so, runs are two by two, and their codes bytes side by side, in one part or
    /// two.
    pub(super) beside: bool,
    /// Whether a small block has nothing but codes, a scale in whole bytes, and perhaps another one
    /// that is added.
    pub(super) one: bool,
    /// Whether two runs, of which the first has an even number, have the same fields.
    pub(super) pairs: bool,
}

/// The most runs that are listed, and the most parts of a format with runs.
pub(super) const RUNS: usize = 16;
pub(super) const PARTS: usize = 16;
/// The most loops around them.
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

    /// All numbers of a block, element by element.
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
    /// `None` where elements do not lie in runs.
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
        // A run is twice eight elements.
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
        // The axes whose runs are listed, and those around them.
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
        // So many bytes are read at each place of a part: those behind a small block are there,
        // behind others not.
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
        let lie = |part: usize| {
            let (width, stride) = (parts[part].1.width, axes.strides[part][0]);
            match stride {
                8 if axes.strides[part][1] == 64 => Some(Lie::Bytes),
                8 => Some(Lie::Halves),
                1..=4 if width <= stride => Some(Lie::Words(stride as u32, 0)),
                _ => None,
            }
        };
        let codes = |(part, up): (usize, u32)| {
            let (list, width) = (&listed[part], parts[part].1.width);
            let lie = match lie(part)? {
                // Eight codes are read at once, with what lies below them in the first byte.
                Lie::Words(apart, _) => {
                    let reach = list.iter().map(|at| at % 8).max()? + 7 * apart as usize + width;
                    let read = (reach <= 32).then_some(reach.div_ceil(8))?;
                    Lie::Words(apart, inside(part, list, read).then_some(read)?)
                }
                // A code in a byte has to end in it.
                lie => (list.iter().all(|at| at % 8 + width <= 8)).then_some(lie)?,
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
                lie,
                mask: ((1_u32 << width) - 1) as u8,
                up,
                places,
                pairs,
            })
        };
        let codes = lifted(value.code).map(codes).collect::<Option<Vec<_>>>()?;
        let (number, width) = (fields[value.code].number, fields[value.code].width());
        let in_bytes = width <= 8 && codes.iter().all(|codes| !matches!(codes.lie, Lie::Words(..)));
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
            && codes.iter().all(|codes| codes.lie == Lie::Bytes);
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
