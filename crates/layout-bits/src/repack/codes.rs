//! Maps between the codes of two formats for the same number.
//!
//! ```text
//! number(to, map(code)) = number(from, code)
//! ```

use std::fmt;

use crate::format::{Axes, Field, Format, Number, bits, common_axes, put};

/// How the codes of one field become codes of another.
#[derive(Debug)]
pub(super) enum Map {
    /// XORed with these bits, which are 0 if the codes are the same.
    Flip(u32),
    /// By a table of all codes.
    Table(Table),
    /// All codes have to be this one, and are not written.
    Expected(u32, Number),
    /// All codes become this one.
    Constant(u32),
}
#[derive(Debug)]
pub(super) struct Table {
    codes: Vec<Option<u32>>,
    from: (Number, usize),
    to: (Number, usize),
}
impl Map {
    /// The map from one field to another, in which each number is less by `less`.
    ///
    /// # Errors
    /// If there is none, in a sentence.
    pub(super) fn new(from: &Field, to: &Field, less: f32) -> Result<Self, String> {
        let sides = [from, to].map(|field| (field.number, field.width()));
        if sides[0] == sides[1] && less == 0.0 {
            return Ok(Map::Flip(0));
        }
        let text = |(number, width): (Number, usize)| format!("{number} of {width} bits");
        let none = || format!("{} is {}, and {} there", to.name, text(sides[0]), text(sides[1]));
        let codes = Number::code_map(sides[0], sides[1], less).ok_or_else(none)?;
        let integers = sides.iter().all(|side| side.0.is_integer());
        if !codes.iter().all(|code| integers && codes.iter().any(Option::is_some) || code.is_some())
        {
            return Err(none());
        }
        let mask = codes[0].unwrap_or(0);
        let flips = codes.iter().zip(0..).all(|(to, code): (_, u32)| *to == Some(code ^ mask));
        if flips && sides[0].1 == sides[1].1 {
            return Ok(Map::Flip(mask));
        }
        Ok(Map::Table(Table { codes, from: sides[0], to: sides[1] }))
    }
}

/// The correspondence between the fields of two formats.
pub(super) struct Roles<'a> {
    /// Pairs of fields, and by how much the second field's numbers are less.
    pub(super) pairs: Vec<(&'a Field, &'a Field, f32)>,
    /// A zero that only the first format has, and the code that it has to have.
    pub(super) expected: Option<(&'a Field, u32)>,
    /// A zero that only the second format has, and the code that it gets.
    pub(super) constant: Option<(&'a Field, u32)>,
}
impl<'a> Roles<'a> {
    /// # Errors
    /// If the values are different expressions, if a field of `to` has no counterpart in `from`, or
    /// if no constant can replace a zero.
    pub(super) fn new(from: &'a Format, to: &'a Format) -> Result<Self, String> {
        let other = || format!("{} is not {}", from.text(), to.text());
        let (mine, theirs) = (&from.value, &to.value);
        let rests = [mine, theirs].map(|value| match &value.rest {
            Some((plus, fields)) => (Some(*plus), &fields[..]),
            None => (None, &[][..]),
        });
        let same = rests[0].0 == rests[1].0
            && rests[0].1.len() == rests[1].1.len()
            && mine.scale.len() == theirs.scale.len();
        if !same {
            return Err(other());
        }
        let mut roles = Roles { pairs: Vec::new(), expected: None, constant: None };
        let (code, code_there) = (&from.fields[mine.code], &to.fields[theirs.code]);
        // The difference between the two formats' numbers for one code, if it is constant.
        let shift = || {
            let least = code.least().zip(code_there.least());
            least.filter(|_| code.width() == code_there.width()).map(|(a, b)| a - b)
        };
        let mut less = 0.0;
        match (mine.zero, theirs.zero) {
            (None, None) => {}
            (Some(zero), Some(there)) => {
                roles.add(&from.fields[zero], &to.fields[there], 0.0, other)?;
            }
            (Some(zero), None) => {
                let zero = &from.fields[zero];
                less = shift().ok_or_else(other)?;
                roles.expected = Some((zero, zero.code_of(less).ok_or_else(other)?));
            }
            (None, Some(there)) => {
                let zero = &to.fields[there];
                less = shift().ok_or_else(other)?;
                roles.constant = Some((zero, zero.code_of(-less).ok_or_else(other)?));
            }
        }
        roles.add(code, code_there, less, other)?;
        for (mine, theirs) in [(&mine.scale[..], &theirs.scale[..]), (rests[0].1, rests[1].1)] {
            // Factors with the same name correspond, in any order.
            let named = |&there: &usize| {
                let name = &to.fields[there].name;
                mine.iter().copied().find(|&field| from.fields[field].name == *name)
            };
            let by_name: Option<Vec<_>> = theirs.iter().map(named).collect();
            let first = by_name.unwrap_or_else(|| mine.to_vec());
            for (mine, &there) in first.into_iter().zip(theirs) {
                roles.add(&from.fields[mine], &to.fields[there], 0.0, other)?;
            }
        }
        // Fields that the value does not name.
        for field in &to.fields {
            let is = |one: &&Field| std::ptr::eq(*one, field);
            let written = roles.constant.iter().map(|one| one.0);
            if !roles.pairs.iter().map(|pair| pair.1).chain(written).any(|one| is(&one)) {
                let mine = from.fields.iter().find(|other| other.name == field.name);
                let mine = mine.ok_or_else(|| format!("there is no {}", field.name))?;
                roles.add(mine, field, 0.0, other)?;
            }
        }
        Ok(roles)
    }

    /// # Errors
    /// If the second field already corresponds to another field of the first format.
    fn add(
        &mut self,
        mine: &'a Field,
        there: &'a Field,
        less: f32,
        other: impl Fn() -> String,
    ) -> Result<(), String> {
        match self.pairs.iter().find(|pair| std::ptr::eq(pair.1, there)) {
            Some(pair) if std::ptr::eq(pair.0, mine) && pair.2 == less => {}
            Some(_) => return Err(other()),
            None => self.pairs.push((mine, there, less)),
        }
        Ok(())
    }
}

/// The parts of a code: first bit and width.
type Places = Vec<(usize, usize)>;
/// Extents and strides.
type Modes = Vec<(usize, usize)>;

/// A change of a field's codes, at every coordinate of the axes.
#[derive(Debug)]
pub(super) struct Codes {
    name: String,
    map: Map,
    /// The first bit and the width of each part, in the source and in the destination. The axes
    /// have the strides of the source's parts, then of the destination's, then of the elements'
    /// indices.
    places: [Places; 2],
    axes: Axes,
    /// The mask to XOR with, for `Map::Flip`.
    window: Vec<u8>,
}

impl Codes {
    /// Parts are given as first bit, width and modes.
    ///
    /// # Errors
    /// If the extents have no common refinement, or elements that share a code in the destination
    /// do not share it in the source.
    pub(super) fn new(
        name: &str,
        parts: [Vec<(usize, usize, Modes)>; 2],
        map: Map,
    ) -> Result<Self, String> {
        let counts = parts.each_ref().map(Vec::len);
        let places =
            parts.each_ref().map(|parts| parts.iter().map(|part| (part.0, part.1)).collect());
        let modes: Vec<_> = parts.into_iter().flatten().map(|part| part.2).collect();
        let mut axes = common_axes(&modes)?;
        let mut passed = 1;
        let step = |extent: &usize| {
            passed *= extent;
            passed / extent
        };
        axes.strides.push(axes.extents.iter().map(step).collect());
        // The parts that decide whether an axis belongs to the codes: the destination's, or the
        // source's if nothing is written.
        let of = if counts[1] == 0 { 0..counts[0] } else { counts[0]..counts[0] + counts[1] };
        let still = |axes: &Axes, k: usize| of.clone().all(|part| axes.strides[part][k] == 0);
        for k in (0..axes.extents.len()).rev() {
            if still(&axes, k) {
                if axes.strides[..counts[0]].iter().any(|strides| strides[k] != 0) {
                    return Err(format!("elements with a {name} of their own share one there"));
                }
                axes.extents.remove(k);
                for strides in &mut axes.strides {
                    strides.remove(k);
                }
            }
        }
        let mut codes = Codes { name: name.into(), map, places, axes, window: Vec::new() };
        if counts[1] > 0 {
            codes.check_disjoint(of)?;
        }
        if let Map::Flip(mask) = codes.map {
            codes.window(mask);
        }
        Ok(codes)
    }

    /// # Errors
    /// If two coordinates share bits of the destination.
    fn check_disjoint(&self, parts: std::ops::Range<usize>) -> Result<(), String> {
        for (strides, (_, width)) in self.axes.strides[parts].iter().zip(&self.places[1]) {
            let mut sorted: Vec<_> = strides.iter().zip(&self.axes.extents).collect();
            sorted.sort();
            sorted.iter().try_fold(*width, |reach, &(&stride, &extent)| match stride >= reach {
                true => Ok(reach + stride * (extent - 1)),
                false => Err(format!("bits of {} overlap there", self.name)),
            })?;
        }
        Ok(())
    }

    /// The bits of one part are XORed byte by byte: the axes with small strides become a mask, the
    /// other axes move the mask.
    fn window(&mut self, mask: u32) {
        /// The bits that an axis of a mask may reach.
        const MOST: usize = 1 << 15;
        let axes = &mut self.axes;
        for k in 0..axes.extents.len() {
            let (extent, stride) = (axes.extents[k], axes.strides[0][k]);
            let fits =
                |part: &usize| extent.is_multiple_of(*part) && (stride * part).is_multiple_of(8);
            if stride * extent > MOST
                && let Some(part) = (1..=(MOST / stride).min(extent)).rev().find(fits)
            {
                axes.cut(k, part);
            }
        }
        let loops = axes.extents.iter().zip(&axes.strides[0]);
        let moves: Vec<_> =
            loops.map(|(extent, stride)| stride % 8 == 0 && stride * extent > MOST).collect();
        let pick = |outer: bool| {
            let kept = |list: &Vec<usize>| -> Vec<usize> {
                let pairs = list.iter().zip(&moves).filter(|pair| *pair.1 == outer);
                pairs.map(|pair| *pair.0).collect()
            };
            let strides = axes.strides.iter().map(kept).collect();
            Axes { extents: kept(&axes.extents), strides }
        };
        let (inner, outer) = (pick(false), pick(true));
        let (at, width) = self.places[1][0];
        let window = &mut self.window;
        inner.each(0, inner.extents.len(), &mut [at % 8, 0], &mut |at| {
            window.resize(window.len().max((at[0] + width).div_ceil(8)), 0_u8);
            put(window, at[0], width, mask);
        });
        self.axes = outer;
        self.places[1][0].0 = at - at % 8;
    }

    /// The number of bits that are written, each once.
    pub(super) fn written(&self) -> usize {
        let widths = self.places[1].iter().map(|place| place.1).sum();
        self.axes.extents.iter().fold(widths, |count: usize, &extent| count.saturating_mul(extent))
    }

    fn each(&self, mut f: impl FnMut(&[usize])) {
        let places = self.places.iter().flatten().map(|place| place.0);
        let mut at: Vec<_> = places.chain([0]).collect();
        self.axes.each(0, self.axes.extents.len(), &mut at, &mut f);
    }
    fn code(&self, from: &[u8], at: &[usize]) -> u32 {
        let mut up = 0;
        self.places[0].iter().zip(at).fold(0, |code, (&(_, width), &at)| {
            up += width;
            code | bits(from, at, width) << (up - width)
        })
    }

    /// # Errors
    /// The first element whose number has no code in the destination, and a sentence with `{}` for
    /// the element.
    pub(super) fn check(&self, from: &[u8]) -> Result<(), (usize, String)> {
        let mut wrong = None;
        let name = &self.name;
        let mut see = |element: usize, why: &dyn Fn() -> String| {
            if wrong.as_ref().is_none_or(|(first, _)| element < *first) {
                wrong = Some((element, why()));
            }
        };
        match &self.map {
            Map::Table(table) if table.codes.iter().any(Option::is_none) => self.each(|at| {
                let code = self.code(from, at);
                if table.codes[code as usize].is_none() {
                    see(at[at.len() - 1], &|| {
                        let (number, (there, width)) = (table.from, table.to);
                        let number = number.0.decode(code, number.1);
                        format!(
                            "the {name} of element {{}} is {number}, and there it is {there} of \
                             {width} bits"
                        )
                    });
                }
            }),
            Map::Expected(expected, number) => self.each(|at| {
                let code = self.code(from, at);
                if code != *expected {
                    see(at[at.len() - 1], &|| {
                        let width = self.places[0].iter().map(|place| place.1).sum();
                        let [is, other] = [code, *expected].map(|code| number.decode(code, width));
                        format!(
                            "the {name} of element {{}} is {is}, and there is none there, so that \
                             all have to be {other}"
                        )
                    });
                }
            }),
            _ => {}
        }
        wrong.map_or(Ok(()), Err)
    }

    /// Writes the codes, after [`check`](Self::check) has passed.
    pub(super) fn run(&self, from: &[u8], to: &mut [u8]) {
        let parts = self.places[0].len();
        let mut write = |at: &[usize], code: u32| {
            let mut up = 0;
            for (&at, &(_, width)) in at[parts..].iter().zip(&self.places[1]) {
                put(to, at, width, code >> up);
                up += width;
            }
        };
        match &self.map {
            Map::Table(table) => self.each(|at| {
                let code = table.codes[self.code(from, at) as usize];
                write(at, code.expect("codes that have no other one are refused before"));
            }),
            Map::Constant(code) => self.each(|at| write(at, *code)),
            Map::Flip(_) => self.each(|at| {
                let bytes = &mut to[at[0] / 8..][..self.window.len()];
                bytes.iter_mut().zip(&self.window).for_each(|(byte, mask)| *byte ^= mask);
            }),
            Map::Expected(..) => {}
        }
    }
}

impl fmt::Display for Codes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.name)?;
        match &self.map {
            Map::Flip(mask) => write!(f, "codes with the bits {mask:#b} exchanged"),
            Map::Table(Table { from, to, .. }) => {
                write!(f, "codes of {} become codes of {}", from.0, to.0)
            }
            Map::Expected(code, _) => write!(f, "every code has to be {code}"),
            Map::Constant(code) => write!(f, "every code becomes {code}"),
        }
    }
}
