//! Quantizes numbers to any format with one scale: the largest absolute value of the elements that
//! share a scale is mapped to a given number, and each element to the nearest code.

use core::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use super::{Axes, Field, Format, FormatError, Number, Part, common_axes, zeroed};

/// Which of the two neighbouring numbers is taken.
///
/// ```
/// use layout_bits::{AbsoluteMaximum, Rounding, formats};
/// let format = formats::compressed_tensors(8, 1, 8)?;
/// let numbers = [7.0, 0.5, 1.5, -0.5, -1.25, 0.0, 0.75, -7.0];
/// let codes = |rounding| {
///     let rule = AbsoluteMaximum::becomes(7.0).with_codes(rounding);
///     format.dequantize(&format.quantize_by(rule, &numbers).unwrap()).unwrap()
/// };
/// assert_eq!(codes(Rounding::HalfToEven), [7.0, 0.0, 2.0, 0.0, -1.0, 0.0, 1.0, -7.0]);
/// assert_eq!(codes(Rounding::HalfAwayFromZero), [7.0, 1.0, 2.0, -1.0, -1.0, 0.0, 1.0, -7.0]);
/// assert_eq!(codes(Rounding::TowardZero), [7.0, 0.0, 1.0, 0.0, -1.0, 0.0, 0.0, -7.0]);
/// assert_eq!(codes(Rounding::AwayFromZero), [7.0, 1.0, 2.0, -1.0, -2.0, 0.0, 1.0, -7.0]);
/// # Ok::<(), layout_bits::FormatError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// The nearest number; a tie goes to the even integer, or to the float with an even last bit.
    HalfToEven,
    /// The nearest number; a tie goes to the larger absolute value.
    HalfAwayFromZero,
    /// The smaller absolute value.
    TowardZero,
    /// The larger absolute value.
    AwayFromZero,
}

/// The absolute-maximum rule: the largest absolute value among the elements that share a scale is
/// mapped to a given number, such as 7 or 7.5 for 4 bits, 448 for E4m3.
///
/// ```text
/// d = round(max |x| / becomes)      code = round(x / d), saturating
/// ```
///
/// Law: no code has a number nearer to `x / d` than the one taken, in exact arithmetic.
///
/// ```
/// use layout_bits::{AbsoluteMaximum, Number, formats};
/// // A scale of 2^k for two columns of 4 floats of 8 bits.
/// let format = formats::scaled(Number::E4m3, 4, 2, [4, 2], Number::F32)?;
/// let numbers = [896.0, 1.0, 2.0, 3.0, -4.0, 0.0, 0.5, 0.25];
/// let bytes = format.quantize_by(AbsoluteMaximum::becomes(448.0), &numbers)?;
/// assert_eq!(format.dequantize(&bytes)?, numbers);
/// # Ok::<(), layout_bits::FormatError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AbsoluteMaximum {
    becomes: f32,
    scale: Rounding,
    code: Rounding,
}
impl AbsoluteMaximum {
    /// The rule that maps the largest absolute value to this number. Scales and codes are rounded
    /// half to even.
    ///
    /// ```
    /// use layout_bits::{AbsoluteMaximum, Rounding};
    /// let rule = AbsoluteMaximum::becomes(6.0);
    /// assert_eq!(rule, rule.with_scales(Rounding::HalfToEven).with_codes(Rounding::HalfToEven));
    /// ```
    pub fn becomes(number: f32) -> Self {
        AbsoluteMaximum { becomes: number, scale: Rounding::HalfToEven, code: Rounding::HalfToEven }
    }
    /// The same rule with this rounding of scales: OCP's MX formats round scales toward zero to a
    /// power of two.
    ///
    /// ```
    /// use layout_bits::{AbsoluteMaximum, Rounding, formats};
    /// // Twice the floats of 4 bits and half of the scale: 4 is 8 there.
    /// let rule = AbsoluteMaximum::becomes(8.0).with_scales(Rounding::TowardZero);
    /// let numbers: Vec<f32> = (0..32).map(|i| i as f32 - 9.0).collect();
    /// let (block, by_ggml) =
    ///     (formats::mxfp4().quantize_by(rule, &numbers)?, formats::mxfp4().quantize(&numbers)?);
    /// assert_eq!(block[0], by_ggml[0]);
    /// # Ok::<(), layout_bits::FormatError>(())
    /// ```
    pub fn with_scales(self, scale: Rounding) -> Self {
        AbsoluteMaximum { scale, ..self }
    }
    /// The same rule with this rounding of codes.
    ///
    /// ```
    /// use layout_bits::{AbsoluteMaximum, Rounding};
    /// let rule = AbsoluteMaximum::becomes(127.0);
    /// assert_ne!(rule.with_codes(Rounding::HalfAwayFromZero), rule);
    /// ```
    pub fn with_codes(self, code: Rounding) -> Self {
        AbsoluteMaximum { code, ..self }
    }
}

/// The numbers of all codes of a field, minus a constant.
enum Numbers {
    /// Integers from the first to the last.
    Integers(f64, f64),
    /// Sorted, with their codes; equal numbers have only the first code.
    Listed(Vec<(f64, u32)>),
    /// Floats of 32 bits.
    Floats,
}
impl Numbers {
    fn new(field: &Field, less: f32) -> Self {
        let (number, width) = (field.number, field.width());
        if let Some(least) = field.least() {
            let least = f64::from(least) - f64::from(less);
            return Numbers::Integers(least, least + ((1_u64 << width) - 1) as f64);
        }
        if number == Number::F32 {
            return Numbers::Floats;
        }
        let coded = |code| (f64::from(number.decode(code, width)), code);
        let mut list: Vec<_> = (0..1 << width).map(coded).filter(|one| one.0.is_finite()).collect();
        list.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        // Of minus zero and zero, zero is kept.
        list.dedup_by(|next, before| {
            let same = next.0 == before.0;
            if same && before.0.is_sign_negative() && !next.0.is_sign_negative() {
                *before = *next;
            }
            same
        });
        Numbers::Listed(list)
    }

    /// The number for `x / d`, and its code if the numbers are listed. Products with an `f32` are
    /// exact in `f64`: no number here has more than 25 bits, and the middle of two has 26.
    fn round(&self, x: f64, d: f64, rounding: Rounding) -> (f64, u32) {
        let at = |list: &[(f64, u32)], k: usize| list[k.min(list.len() - 1)];
        let [below, above] = match self {
            Numbers::Floats => {
                let float = float(x, d, rounding);
                return (float.into(), float.to_bits());
            }
            Numbers::Integers(first, last) => {
                let mut below = (x / d).floor();
                while below * d > x {
                    below -= 1.0;
                }
                while (below + 1.0) * d <= x {
                    below += 1.0;
                }
                let above = if below * d == x { below } else { below + 1.0 };
                [below, above].map(|number| (number.clamp(*first, *last), 0))
            }
            Numbers::Listed(list) => {
                let next = list.partition_point(|number| number.0 * d < x);
                let above = at(list, next);
                let below = if above.0 * d == x { next } else { next.saturating_sub(1) };
                [at(list, below), above]
            }
        };
        if below == above {
            return below;
        }
        let (smaller, larger) =
            if below.0.abs() < above.0.abs() { (below, above) } else { (above, below) };
        let middle = (below.0 + above.0) / 2.0 * d;
        let even = |number: &(f64, u32)| match self {
            Numbers::Integers(..) => number.0 % 2.0 == 0.0,
            _ => number.1.is_multiple_of(2),
        };
        match rounding {
            Rounding::TowardZero if below.0 * above.0 >= 0.0 => smaller,
            Rounding::AwayFromZero if below.0 * above.0 >= 0.0 => larger,
            _ if x < middle => below,
            _ if x > middle => above,
            Rounding::HalfToEven if even(&below) != even(&above) => {
                if even(&below) {
                    below
                } else {
                    above
                }
            }
            Rounding::HalfToEven => smaller,
            _ => larger,
        }
    }
}

/// The `f32` for `x / d`, zero without a sign. No quotient of floats lies in the middle between two
/// floats, except subnormal ones.
fn float(x: f64, d: f64, rounding: Rounding) -> f32 {
    let nearest = (x.abs() / d) as f32;
    let size = match (f64::from(nearest) * d).partial_cmp(&x.abs()) {
        Some(Ordering::Greater) if rounding == Rounding::TowardZero => nearest.next_down(),
        Some(Ordering::Less) if rounding == Rounding::AwayFromZero => nearest.next_up(),
        _ => nearest,
    };
    if x < 0.0 && size > 0.0 { -size } else { size }
}

impl Format {
    /// Quantizes numbers by a rule, for formats with one scale: `d * q`, or `s * (q - z)`, whose
    /// zeros become the middle code.
    ///
    /// # Errors
    /// If the value has not exactly one scale, or more than a product; if the rule's number is not
    /// positive; if the numbers are not a whole number of blocks, or one is not finite; if a scale
    /// is beyond the largest scale, or rounded to zero although an element is not zero; and if
    /// elements share a code.
    ///
    /// ```
    /// use layout_bits::{AbsoluteMaximum, Field, Format, Number, Part};
    /// // Codes of 12 bits, four with a scale of 16.
    /// let fields = [
    ///     Field::new("q", Number::Signed, [Part::new(12, 16, "4:12".parse()?)]),
    ///     Field::new("s", Number::Bf16, [Part::new(16, 0, "4:0".parse()?)]),
    /// ];
    /// let format = Format::new("fours", 4, &[("fours", 8)], fields, "s * q")?;
    /// let bytes = format.quantize_by(AbsoluteMaximum::becomes(2047.0), &[1.0, -0.5, 0.0, 2047.0])?;
    /// assert_eq!(format.dequantize(&bytes)?, [1.0, 0.0, 0.0, 2047.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn quantize_by(
        &self,
        rule: AbsoluteMaximum,
        numbers: &[f32],
    ) -> Result<Vec<u8>, FormatError> {
        let invalid = |why| FormatError::Invalid { format: self.name.clone(), why };
        let (&[scale], None) = (&self.value.scale[..], &self.value.rest) else {
            return Err(invalid(format!(
                "the rule of the absolute maximum has one scale and a code, and its value is {}",
                self.text
            )));
        };
        if !(rule.becomes > 0.0 && rule.becomes.is_finite()) {
            let to = rule.becomes;
            return Err(invalid(format!("the absolute maximum becomes {to}, no positive number")));
        }
        if !numbers.len().is_multiple_of(self.elements) {
            let (format, block, given) = (self.name.clone(), self.elements, numbers.len());
            return Err(FormatError::Length { format, block, given, of: "elements" });
        }
        let (scale, code) = (&self.fields[scale], &self.fields[self.value.code]);
        let zero = self.value.zero.map(|zero| &self.fields[zero]);
        // The middle number: 0 for signed codes.
        let middle = match (zero, code.least()) {
            (None, _) => 0.0,
            (Some(_), Some(least)) => {
                let signed = code.number == Number::Signed;
                if signed { 0.0 } else { least + (1_u64 << (code.width() - 1)) as f32 }
            }
            (Some(_), None) => {
                return Err(invalid(format!("{} is no integer, and has a zero", code.name)));
            }
        };
        let zero = match zero {
            None => None,
            Some(zero) => Some((
                zero,
                zero.code_of(middle)
                    .ok_or_else(|| invalid(format!("{} has no code for {middle}", zero.name)))?,
            )),
        };
        let (scales, codes) = (Numbers::new(scale, 0.0), Numbers::new(code, middle));
        let (group, groups) = self.groups(scale).map_err(invalid)?;
        if !self.is_alone(code).map_err(invalid)? {
            return Err(invalid(format!("several elements share their {}", code.name)));
        }
        let mut bytes = zeroed(&self.name, numbers.len() / self.elements, (self.bytes(), "bytes"))?;
        let blocks = numbers.chunks_exact(self.elements).zip(bytes.chunks_exact_mut(self.bytes()));
        let mut largest = vec![(0.0_f32, 0); groups];
        for (k, (numbers, block)) in blocks.enumerate() {
            let undefined = |why| {
                let (format, index) = (self.name.clone(), k * self.elements);
                FormatError::Undefined { format, index, why }
            };
            if let Some(i) = numbers.iter().position(|x| !x.is_finite()) {
                return Err(undefined(format!("its element {i} is {}", numbers[i])));
            }
            largest.fill((0.0, 0));
            for (i, (x, &group)) in numbers.iter().zip(&group).enumerate() {
                let largest = &mut largest[group as usize];
                if x.abs() > largest.0 || largest.0 == 0.0 {
                    *largest = (x.abs(), i);
                }
            }
            let mut of_groups = Vec::with_capacity(groups);
            for &(size, i) in &largest {
                let by = f64::from(rule.becomes);
                let (d, scale_code) = scales.round(size.into(), by, rule.scale);
                let beyond = f64::from(size) / by;
                let last = match &scales {
                    Numbers::Integers(_, last) => *last,
                    Numbers::Listed(list) => list[list.len() - 1].0,
                    Numbers::Floats => f64::from(f32::MAX),
                };
                if beyond > last && d == last || !d.is_finite() {
                    let why = format!("its scale {:e} is beyond {last:e}", beyond as f32);
                    return Err(undefined(why));
                }
                if size > 0.0 && d <= 0.0 {
                    let why = format!("its scale {:e} is rounded to {d}", beyond as f32);
                    return Err(undefined(why));
                }
                let scale_code = match &scales {
                    Numbers::Integers(..) => scale.code_of(d as f32).unwrap_or(0),
                    _ => scale_code,
                };
                scale.put(block, i, scale_code);
                of_groups.push(d);
            }
            for (i, (&x, &group)) in numbers.iter().zip(&group).enumerate() {
                // A scale of zero: all numbers of the group are zero.
                let of_group = of_groups[group as usize];
                let d = if of_group == 0.0 { 1.0 } else { of_group };
                let (number, listed) = codes.round(x.into(), d, rule.code);
                let written = match &codes {
                    Numbers::Integers(..) => {
                        code.code_of((number + f64::from(middle)) as f32).unwrap_or(0)
                    }
                    _ => listed,
                };
                code.put(block, i, written);
                if let Some((zero, middle)) = zero {
                    zero.put(block, i, middle);
                }
            }
        }
        Ok(bytes)
    }

    /// For each element of a block its group, the elements that share the bits of this field; and
    /// the number of groups.
    ///
    /// # Errors
    /// If several groups share some bits of the field.
    fn groups(&self, field: &Field) -> Result<(Vec<u32>, usize), String> {
        let mut group = vec![0; self.elements];
        if let Some((axes, groups)) = steps(field) {
            // `at` has the index of the element and the index of its group.
            axes.each(0, axes.extents.len(), &mut [0, 0], &mut |at| group[at[0]] = at[1] as u32);
            return Ok((group, groups));
        }
        let mut counts = Vec::new();
        for part in &field.parts {
            let (mut numbers, mut alone) = (HashMap::new(), HashSet::new());
            for (i, group) in group.iter_mut().enumerate() {
                let next = numbers.len() as u32;
                *group = *numbers.entry((*group, part.bit(i))).or_insert(next);
                alone.insert(part.bit(i));
            }
            counts.extend([alone.len(), numbers.len()]);
        }
        let groups = counts.last().copied().unwrap_or(1);
        match counts.iter().step_by(2).all(|&count| count == groups) {
            true => Ok((group, groups)),
            false => Err(format!("elements share some bits of {} and not others", field.name)),
        }
    }

    /// Does each element have bits of its own in this field?
    fn is_alone(&self, field: &Field) -> Result<bool, String> {
        match steps(field) {
            Some((_, groups)) => Ok(groups == self.elements),
            None => Ok(self.groups(field)?.1 == self.elements),
        }
    }
}

/// The axes with strides for the element's index and for its group's, and the number of groups, if
/// each axis moves all bits of a field or none. That is so for all but unusual formats, and avoids
/// visiting each element.
fn steps(field: &Field) -> Option<(Axes, usize)> {
    let leaves: Vec<_> = field.parts.iter().map(Part::leaves).collect::<Option<_>>()?;
    let Axes { extents, strides } = common_axes(&leaves).ok()?;
    let moves: Vec<_> = strides.first()?.iter().map(|&stride| stride != 0).collect();
    for (strides, part) in strides.iter().zip(&field.parts) {
        if strides.iter().zip(&moves).any(|(&stride, &moves)| (stride != 0) != moves) {
            return None;
        }
        let mut sorted: Vec<_> =
            strides.iter().zip(&extents).filter(|(stride, _)| **stride != 0).collect();
        sorted.sort();
        let mut reach = part.width;
        for (stride, extent) in sorted {
            if *stride < reach {
                return None;
            }
            reach += stride * (extent - 1);
        }
    }
    let (mut elements, mut groups) = (1, 1);
    let (mut of_elements, mut of_groups) = (Vec::new(), Vec::new());
    for (extent, moves) in extents.iter().zip(moves) {
        of_elements.push(elements);
        of_groups.push(if moves { groups } else { 0 });
        elements *= extent;
        groups *= if moves { *extent } else { 1 };
    }
    let fits = u32::try_from(groups).is_ok();
    fits.then(|| (Axes { extents, strides: vec![of_elements, of_groups] }, groups))
}
