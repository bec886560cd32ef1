//! A layout with any strides as a function of an index, and the layout of given values.
//!
//! ```text
//! values[i] = sum digit_k(i) * stride_k     natural and negative strides: one list of coalesced modes at most
//! values[i] = XOR of values[2^b]            XOR strides: a power of two of values
//! ```

use layout_algebra::{DynLayout, DynShape, DynStride};

use crate::error::{Error, NoLayout};

/// The most coordinates to compute one by one.
pub(crate) const MOST: usize = 1 << 22;

/// A mode: extent and stride.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leaf {
    pub(crate) extent: usize,
    pub(crate) stride: DynStride,
}

impl Leaf {
    /// The stride with its sign; of an XOR mode its number.
    pub(crate) fn signed(self) -> i128 {
        match self.stride {
            DynStride::Negative(number) => -(number as i128),
            DynStride::Natural(number) | DynStride::Xor(number) => number as i128,
        }
    }

    pub(crate) fn is_xor(self) -> bool {
        matches!(self.stride, DynStride::Xor(_))
    }

    /// Whether two coordinates have different offsets.
    pub(crate) fn moves(self) -> bool {
        self.extent > 1 && self.signed() != 0
    }
}

/// The leaves of a layout, from left to right.
pub(crate) fn leaves(layout: &DynLayout) -> Vec<Leaf> {
    let shape = layout.shape();
    shape
        .leaves()
        .iter()
        .zip(layout.strides())
        .map(|(&extent, stride)| Leaf { extent, stride })
        .collect()
}

/// A layout as a function of an index. The last mode is unbounded.
pub(crate) struct Function {
    leaves: Vec<Leaf>,
}

impl Function {
    pub(crate) fn new(layout: &DynLayout) -> Self {
        // Modes of extent 1 are dropped, except the last mode, whose stride extends the domain.
        let mut leaves = leaves(layout);
        let last = leaves.pop();
        leaves.retain(|leaf| leaf.extent != 1);
        leaves.extend(last);
        Function { leaves }
    }

    /// The offset at index `i`; `None` beyond 127 bits.
    pub(crate) fn at(&self, i: usize) -> Option<i128> {
        let (mut rest, mut sum, mut xor) = (i, 0i128, 0i128);
        let last = self.leaves.len() - 1;
        for (k, leaf) in self.leaves.iter().enumerate() {
            let digit = if k == last { rest } else { rest % leaf.extent };
            rest = if k == last { 0 } else { rest / leaf.extent };
            if leaf.is_xor() {
                xor ^= product_without_carries(digit, leaf.signed())?;
            } else {
                sum = sum.checked_add((digit as i128).checked_mul(leaf.signed())?)?;
            }
        }
        // Natural and XOR strides have no bit in common.
        sum.checked_add(xor)
    }

    /// The offsets at all indices below `size`.
    pub(crate) fn table(&self, layout: &DynLayout, size: usize) -> Result<Vec<i128>, Error> {
        if size > MOST {
            return Err(Error::TooMany {
                layout: layout.to_string(),
                count: size as u128,
                most: MOST,
            });
        }
        (0..size).map(|i| self.at(i)).collect::<Option<_>>().ok_or_else(|| Error::overflow(layout))
    }
}

fn product_without_carries(digit: usize, number: i128) -> Option<i128> {
    let (mut product, mut rest) = (0i128, digit);
    while rest != 0 {
        let bit = rest.trailing_zeros();
        product ^= number.checked_shl(bit).filter(|shifted| shifted >> bit == number)?;
        rest &= rest - 1;
    }
    Some(product)
}

/// A mode of a result.
pub(crate) type Mode = (usize, i128);

/// The coalesced modes with natural and negative strides that have these values, the first of
/// which is 0. They are unique.
///
/// The modes are read from the left: the first mode extends as far as its stride is constant, for
/// in coalesced modes the next one has another step. So no search is needed.
pub(crate) fn modes_of(values: &[i128], mode: usize) -> Result<Vec<Mode>, NoLayout> {
    let (mut modes, mut known) = (Vec::new(), 1);
    while known < values.len() {
        let (stride, left) = (values[known], values.len() / known);
        let even = |steps: &usize| values[known * steps] == stride * *steps as i128;
        let steps = (1..left).find(|steps| !even(steps)).unwrap_or(left);
        if left % steps != 0 {
            return Err(NoLayout::Steps { mode, steps, left });
        }
        // Each step repeats the values known so far, shifted.
        for coordinate in known..known * steps {
            let (step, within) = (coordinate / known, coordinate % known);
            let sum = values[known * step] + values[within];
            if values[coordinate] != sum {
                return Err(NoLayout::NotAdditive { coordinate, value: values[coordinate], sum });
            }
        }
        modes.push((steps, stride));
        known *= steps;
    }
    Ok(modes)
}

/// The values as XOR strides, with a mode for each bit of the index; `None` if the number of
/// values is not a power of two or the values are not linear.
pub(crate) fn bits_of(values: &[i128]) -> Option<Vec<usize>> {
    if !values.len().is_power_of_two() {
        return None;
    }
    let bits: Vec<usize> = (0..values.len().ilog2())
        .map(|bit| usize::try_from(values[1 << bit]).ok())
        .collect::<Option<_>>()?;
    let linear = |i: usize| {
        let highest = 1 << i.ilog2();
        values[i] == values[highest] ^ values[i - highest]
    };
    (values[0] == 0 && (1..values.len()).all(linear)).then_some(bits)
}

/// The stride of a signed number.
pub(crate) fn stride(number: i128) -> Option<DynStride> {
    let distance = usize::try_from(number.unsigned_abs()).ok()?;
    Some(if number < 0 { DynStride::Negative(distance) } else { DynStride::Natural(distance) })
}

/// The layout with the profile of `shape` in which each leaf is replaced by its modes: no mode is
/// `1:0`, one mode is a leaf, several are a tuple.
pub(crate) fn in_place_of(
    shape: &DynShape,
    modes: &[Vec<(usize, DynStride)>],
) -> Result<DynLayout, Error> {
    fn of(
        shape: &DynShape,
        modes: &mut std::slice::Iter<'_, Vec<(usize, DynStride)>>,
    ) -> Result<DynShape, Error> {
        if shape.as_leaf().is_none() {
            let children: Vec<_> =
                shape.children().map(|child| of(&child, modes)).collect::<Result<_, _>>()?;
            return Ok(DynShape::tuple(children)?);
        }
        let leaf = modes.next().map_or(&[][..], |modes| modes);
        Ok(match leaf {
            [] => DynShape::from(1),
            [(extent, _)] => DynShape::from(*extent),
            all => DynShape::tuple(all.iter().map(|(extent, _)| DynShape::from(*extent)))?,
        })
    }
    let strides = modes.iter().flat_map(|modes| match modes[..] {
        [] => vec![DynStride::Natural(0)],
        _ => modes.iter().map(|mode| mode.1).collect(),
    });
    Ok(DynLayout::with_strides(of(shape, &mut modes.iter())?, strides)?)
}
