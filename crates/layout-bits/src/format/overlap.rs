//! Do two numbers of a block share a bit?
//!
//! ```text
//! place(p, c) = at(p) + sum c_k * stride(p, k)      a number of part p has the bits place .. place + width(p)
//! parts p and q share a bit where   -width(p) < place(p, c) - place(q, d) < width(q)
//! ```
//!
//! Along axes of one stride, the difference of two coordinates is an integer between two bounds. So
//! the question is whether a sum of bounded multiples of strides can lie between two bounds: a
//! search answers it, with the largest stride first.

use super::Part;

/// The most steps of a search. Layouts whose strides divide one another take a few steps for each
/// mode.
const STEPS: usize = 1 << 16;

/// A stride with its multiples, from `-less` to `more`.
struct Axis {
    stride: i128,
    less: i128,
    more: i128,
}
/// The least and the greatest sum of some axes, and a divisor of all their sums.
#[derive(Clone, Copy)]
struct Sums {
    least: i128,
    greatest: i128,
    divisor: i128,
}

/// The first bits of a number of `a` and a number of `b` that share a bit. If both are the same
/// part, two numbers that begin at different bits.
///
/// # Errors
/// If the search takes too many steps.
pub(super) fn shared(a: &Part, b: &Part, is_same: bool) -> Result<Option<[usize; 2]>, String> {
    let mut axes: Vec<Axis> = Vec::new();
    for (part, of_a) in [(a, true), (b, false)] {
        for (extent, stride) in part.leaves().unwrap_or_default() {
            let (stride, last) = (stride as i128, extent as i128 - 1);
            if stride == 0 || last == 0 {
                continue;
            }
            let found = axes.iter().position(|axis| axis.stride == stride).unwrap_or_else(|| {
                axes.push(Axis { stride, less: 0, more: 0 });
                axes.len() - 1
            });
            *(if of_a { &mut axes[found].more } else { &mut axes[found].less }) += last;
        }
    }
    axes.sort_by_key(|axis| -axis.stride);
    let mut sums = vec![Sums { least: 0, greatest: 0, divisor: 0 }];
    for axis in axes.iter().rev() {
        let Sums { least, greatest, divisor } = sums[sums.len() - 1];
        sums.push(Sums {
            least: least - axis.less * axis.stride,
            greatest: greatest + axis.more * axis.stride,
            divisor: greatest_divisor(divisor, axis.stride),
        });
    }
    sums.reverse();
    let between = a.at as i128 - b.at as i128;
    let (low, high) =
        if is_same { (1, b.width as i128 - 1) } else { (1 - a.width as i128, b.width as i128 - 1) };
    let mut search = Search { axes: &axes, sums: &sums, steps: STEPS, chosen: Vec::new() };
    if !search.find(low - between, high - between)? {
        return Ok(None);
    }
    let place = |at: usize, coordinate: fn(i128) -> i128| {
        let sum: i128 =
            axes.iter().zip(&search.chosen).map(|(axis, &x)| coordinate(x) * axis.stride).sum();
        at + sum as usize
    };
    Ok(Some([place(a.at, |x| x.max(0)), place(b.at, |x| (-x).max(0))]))
}

fn greatest_divisor(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

struct Search<'a> {
    axes: &'a [Axis],
    sums: &'a [Sums],
    steps: usize,
    chosen: Vec<i128>,
}
impl Search<'_> {
    /// Do the remaining axes have a sum between these bounds?
    fn find(&mut self, low: i128, high: i128) -> Result<bool, String> {
        let next = self.chosen.len();
        let Sums { least, greatest, divisor } = self.sums[next];
        let (low, high) = (low.max(least), high.min(greatest));
        if low > high || divisor != 0 && high.div_euclid(divisor) * divisor < low {
            return Ok(false);
        }
        let Some(axis) = self.axes.get(next) else { return Ok(true) };
        let rest = self.sums[next + 1];
        let first = -(rest.greatest - low).div_euclid(axis.stride);
        let last = (high - rest.least).div_euclid(axis.stride);
        for x in first.max(-axis.less)..=last.min(axis.more) {
            self.steps = self
                .steps
                .checked_sub(1)
                .ok_or("its strides are too many to tell whether numbers share bits")?;
            self.chosen.push(x);
            if self.find(low - x * axis.stride, high - x * axis.stride)? {
                return Ok(true);
            }
            self.chosen.pop();
        }
        Ok(false)
    }
}
