//! A format as loops: axes that all its layouts have, and of these runs of elements that lie alike.
//!
//! ```text
//! bit(p, i) = at(p) + sum i_k * stride(p, k)      over extents common to all parts p
//! run: 8, 16 or 32 elements along the first axis, whose codes are bytes side by side, or bits side by side, and whose
//!      other fields are the same
//! ```

use super::{Field, Format, Number, TWICE_E2M1, Value, bits};

/// Loops that several layouts have in common, the innermost first: their extents, and the strides of each layout.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Axes {
    pub(crate) extents: Vec<usize>,
    pub(crate) strides: Vec<Vec<usize>>,
}

/// The common loops of layouts of one size, as few as there are.
///
/// # Errors
/// If the extents divide into no common ones: the two.
pub(crate) fn common_axes(layouts: &[Vec<(usize, usize)>]) -> Result<Axes, String> {
    let mut leaves: Vec<_> = layouts.iter().map(|leaves| leaves.iter().copied().filter(|leaf| leaf.0 != 1)).collect();
    let mut current: Vec<_> = leaves.iter_mut().map(Iterator::next).collect();
    let mut axes = Axes { extents: Vec::new(), strides: vec![Vec::new(); layouts.len()] };
    // Sizes are equal, so that all layouts end at once.
    while let Some(extent) = current.iter().flatten().map(|leaf| leaf.0).min() {
        for (k, (leaf, rest)) in current.iter_mut().zip(&mut leaves).enumerate() {
            let Some((n, stride)) = *leaf else { return Err("its layouts have different sizes".into()) };
            if extent == 0 || n % extent != 0 {
                return Err(format!("the extents {n} and {extent} of its layouts divide into no common ones"));
            }
            axes.strides[k].push(stride);
            *leaf = if n == extent { rest.next() } else { Some((n / extent, stride * extent)) };
        }
        axes.extents.push(extent);
        axes.join();
    }
    Ok(axes)
}

impl Axes {
    /// Joins the last axis to the one before if it continues that in every layout.
    fn join(&mut self) {
        let n = self.extents.len();
        if n < 2 {
            return;
        }
        let before = self.extents[n - 2];
        if self.strides.iter().all(|strides| strides[n - 1] == strides[n - 2] * before) {
            self.extents[n - 2] = before * self.extents.remove(n - 1);
            self.strides.iter_mut().for_each(|strides| strides.truncate(n - 1));
        }
    }
    /// Cuts an axis in two, of which the first has this extent, a divisor.
    pub(crate) fn cut(&mut self, axis: usize, extent: usize) {
        if self.extents[axis] != extent {
            let rest = self.extents[axis] / extent;
            self.extents[axis] = extent;
            self.extents.insert(axis + 1, rest);
            self.strides.iter_mut().for_each(|strides| strides.insert(axis + 1, strides[axis] * extent));
        }
    }
    /// Calls `f` with what each layout adds at every coordinate of the axes from `first` to `end`, in their order.
    pub(crate) fn each(&self, first: usize, end: usize, at: &mut [usize], f: &mut impl FnMut(&[usize])) {
        if first == end {
            return f(at);
        }
        let last = end - 1;
        for _ in 0..self.extents[last] {
            self.each(first, last, at, f);
            at.iter_mut().zip(&self.strides).for_each(|(at, strides)| *at += strides[last]);
        }
        at.iter_mut().zip(&self.strides).for_each(|(at, strides)| *at -= strides[last] * self.extents[last]);
    }
}

/// One part of a field whose bits lie in one byte, two or four.
#[derive(Clone, Debug)]
pub(super) struct Bits {
    /// Its number among all parts of the format.
    pub(super) part: usize,
    pub(super) mask: u32,
    /// By how much it lies above the field's lowest bit.
    pub(super) up: u32,
    /// How many bytes are read.
    pub(super) bytes: usize,
    /// For each run the first of these bytes, and how far above its lowest bit the bits lie.
    pub(super) byte: [u32; RUNS],
    /// The shifts again and again, as often as runs are looked at together.
    pub(super) shifts: [u32; TOGETHER],
    /// Whether they lie in one place for all runs.
    pub(super) same: bool,
}

/// A field that is the same for a run.
#[derive(Clone, Debug)]
pub(super) struct Scalar {
    pub(super) number: Number,
    pub(super) width: usize,
    pub(super) parts: Vec<Bits>,
}

/// How the codes of a run lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Codes {
    /// Each in a byte of its own, the bytes side by side.
    Bytes,
    /// As `Bytes`, and the upper bits too.
    TwoBytes,
    /// As `Bytes`, and the upper bits side by side in one word, so many bits apart.
    ByteAndWord(u32),
    /// Side by side in one word, so many bits apart.
    Word(u32),
    /// As `Bytes`, and each is twice an E2m1.
    Floats,
    /// As `Bytes`, and each is a place in a table.
    Table(&'static [i8; 16]),
}
impl Codes {
    /// How long its runs may be: each length is one more loop to compile, for every processor.
    fn runs(self) -> &'static [usize] {
        match self {
            Codes::Bytes => &[32, 16],
            Codes::Floats => &[16, 8],
            Codes::Word(_) => &[8],
            _ => &[16],
        }
    }
}

/// Runs of elements that lie alike.
#[derive(Clone, Debug)]
pub(super) struct Fast {
    /// The elements of a run, the runs that are listed, and the codes of each.
    pub(super) run: usize,
    pub(super) runs: usize,
    pub(super) codes: Codes,
    pub(super) parts: Vec<Bits>,
    /// What is exchanged in a code and taken off it: the sign's bit, and a constant.
    pub(super) flip: u32,
    pub(super) minus: f32,
    pub(super) scale: Vec<Scalar>,
    pub(super) zero: Option<Scalar>,
    pub(super) rest: Option<(bool, Vec<Scalar>)>,
    /// Loops around the runs: extents, and for each part of the format how far it moves, in bytes.
    pub(super) outer: Axes,
    pub(super) block_bytes: usize,
}

/// The most runs that are listed, and the most parts of a format with runs.
pub(super) const RUNS: usize = 32;
pub(super) const PARTS: usize = 12;
/// The most runs whose scales are found together: what they write drains while the next scales are found.
pub(super) const TOGETHER: usize = RUNS;
/// The most loops around them.
pub(super) const AROUND: usize = 8;

#[derive(Clone, Debug)]
pub(super) struct Plan {
    axes: Axes,
    fast: Option<Box<Fast>>,
}

impl Plan {
    pub(super) fn new(axes: &Axes, fields: &[Field], value: &Value, elements: usize, bytes: usize) -> Self {
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
            let product = |fields: &[usize]| fields.iter().map(|&field| numbers[field]).reduce(|a, b| a * b);
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
        let parts: Vec<_> =
            fields.iter().enumerate().flat_map(|(k, field)| field.parts.iter().map(move |p| (k, p))).collect();
        let of = |field: usize| parts.iter().enumerate().filter(move |(_, part)| part.0 == field).map(|(p, _)| p);
        let mut others: Vec<_> = value.scale.iter().chain(&value.zero).copied().collect();
        others.extend(value.rest.iter().flat_map(|rest| &rest.1));
        let first = *axes.extents.first()?;
        let same = others.iter().flat_map(|&field| of(field)).all(|part| axes.strides[part][0] == 0);
        if !same || parts.len() > PARTS || others.contains(&value.code) || bytes > u32::MAX as usize / 8 {
            return None;
        }
        let codes: Vec<_> = of(value.code).collect();
        let along: Vec<_> = axes.strides.iter().map(|strides| strides[0]).collect();
        let word = |part: usize, run: usize| {
            let stride = along[part];
            (parts[part].1.width <= stride && stride < 8 && stride * run <= 32).then_some(stride as u32)
        };
        let is_bytes = |part: usize| along[part] == 8;
        let number = fields[value.code].number;
        let fits = |run: usize| match (&codes[..], number) {
            _ if first % run != 0 => None,
            (&[part], Number::Table(&TWICE_E2M1)) if is_bytes(part) => Some(Codes::Floats),
            (&[part], Number::Table(table)) if is_bytes(part) => Some(Codes::Table(table)),
            (_, number) if !matches!(number, Number::Unsigned { .. } | Number::Signed) => None,
            (&[part], _) if is_bytes(part) => Some(Codes::Bytes),
            (&[part], _) => word(part, run).map(Codes::Word),
            (&[low, high], _) if is_bytes(low) && is_bytes(high) => Some(Codes::TwoBytes),
            (&[low, high], _) if is_bytes(low) => word(high, run).map(Codes::ByteAndWord),
            _ => None,
        };
        let (run, kind) = [32, 16, 8]
            .into_iter()
            .find_map(|run| Some((run, fits(run).filter(|codes| codes.runs().contains(&run))?)))?;
        axes.cut(0, run);
        // The axes whose runs are listed, and those around them.
        let (mut runs, mut inner) = (1, 1);
        while inner < axes.extents.len() && runs * axes.extents[inner] <= RUNS {
            runs *= axes.extents[inner];
            inner += 1;
        }
        if inner < axes.extents.len() {
            let most = (1..=RUNS / runs).rev().find(|&n| axes.extents[inner].is_multiple_of(n))?;
            axes.cut(inner, most);
            (runs, inner) = (runs * most, inner + 1);
        }
        if axes.extents.len() - inner > AROUND
            || axes.strides.iter().any(|strides| strides[inner..].iter().any(|stride| stride % 8 != 0))
        {
            return None;
        }
        let mut listed = vec![Vec::new(); parts.len()];
        let mut at: Vec<_> = parts.iter().map(|part| part.1.at).collect();
        axes.each(1, inner, &mut at, &mut |at| listed.iter_mut().zip(at).for_each(|(list, &at)| list.push(at)));
        let bits_of = |part: usize, up: usize, span: usize| {
            let (list, width): (&Vec<usize>, _) = (&listed[part], parts[part].1.width);
            // The bytes that hold the bits at every place.
            let bytes = list.iter().map(|at| (at % 8 + span).div_ceil(8)).max()?;
            let bytes = [1, 2, 4].into_iter().find(|&n| n >= bytes)?;
            let (mut byte, mut shifts) = ([0; RUNS], [0; TOGETHER]);
            byte.iter_mut().zip(list).for_each(|(byte, at)| *byte = (at / 8) as u32);
            shifts.iter_mut().zip(list.iter().cycle()).for_each(|(shift, at)| *shift = (at % 8) as u32);
            let same = list.iter().all(|at| at == &list[0]);
            Some(Bits { part, mask: ((1_u64 << width) - 1) as u32, up: up as u32, bytes, byte, shifts, same })
        };
        let all = |field: usize, span: &dyn Fn(usize) -> usize| {
            let mut up = 0;
            let of = of(field).map(|part| {
                let bits = bits_of(part, up, span(part));
                up += parts[part].1.width;
                bits
            });
            of.collect::<Option<Vec<_>>>()
        };
        let scalar = |&field: &usize| {
            let parts = all(field, &|part| parts[part].1.width)?;
            Some(Scalar { number: fields[field].number, width: fields[field].width(), parts })
        };
        let scalars = |fields: &[usize]| fields.iter().map(scalar).collect::<Option<Vec<_>>>();
        // A code in a byte has to end in it; those in words are read at once.
        let span = |part: usize| word(part, run).map_or(parts[part].1.width, |stride| stride as usize * run);
        let codes = all(value.code, &span)?;
        if codes.iter().any(|bits| is_bytes(bits.part) && bits.bytes > 1) {
            return None;
        }
        let outer = Axes {
            extents: axes.extents[inner..].to_vec(),
            strides: axes
                .strides
                .iter()
                .map(|strides| strides[inner..].iter().map(|stride| stride / 8).collect())
                .collect(),
        };
        let width = fields[value.code].width();
        let (flip, minus) = match number {
            Number::Unsigned { minus } => (0, minus as f32),
            Number::Signed => (1 << (width - 1), (1 << (width - 1)) as f32),
            _ => (0, 0.0),
        };
        let zero = value.zero.as_ref().map(|zero| scalar(zero).ok_or(())).transpose().ok()?;
        let rest = value.rest.as_ref().map(|(plus, rest)| Ok((*plus, scalars(rest).ok_or(())?))).transpose();
        let rest: Option<(bool, Vec<Scalar>)> = rest.map_err(|(): ()| ()).ok()?;
        let scale = scalars(&value.scale)?;
        Some(Fast { run, runs, codes: kind, parts: codes, flip, minus, scale, zero, rest, outer, block_bytes: bytes })
    }
}
