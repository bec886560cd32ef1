//! Properties of a layout: contiguous, span, overlaps.

use core::ops::Range;

use crate::layout::ArrayLayout;
use crate::list::List;

impl ArrayLayout {
    /// Are the elements contiguous in the order of their coordinates? NumPy's `C_CONTIGUOUS`. The
    /// strides of axes of extent 1 do not matter, and an empty layout is contiguous.
    ///
    /// `is_contiguous()` if and only if `offsets() == offset()..offset() + size()`
    ///
    /// ```
    /// use layout_arrays::ArrayLayout;
    /// assert!(ArrayLayout::from_parts(&[1, 2, 3], &[100, 3, 1], 0)?.is_contiguous());
    /// assert!(!ArrayLayout::row_major(&[2, 3])?.transpose().is_contiguous());
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    #[inline]
    pub fn is_contiguous(&self) -> bool {
        let mut next = 1;
        let mut axes = self.shape().iter().zip(self.strides()).rev().filter(|axis| *axis.0 != 1);
        self.size == 0
            || axes.all(|(&extent, &stride)| {
                let continues = stride == next;
                next = next.wrapping_mul(extent as isize);
                continues
            })
    }

    /// The range from the least offset to one past the largest; `0..0` for an empty layout.
    ///
    /// A slice holds all elements if and only if it has `span().end` elements.
    ///
    /// ```
    /// use layout_arrays::ArrayLayout;
    /// let data = [0, 1, 2, 3, 4, 5, 6, 7];
    /// let l = ArrayLayout::from_parts(&[2, 3], &[-4, 1], 5)?;
    /// assert_eq!((l.span(), &data[l.span()]), (1..8, &[1, 2, 3, 4, 5, 6, 7][..]));
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    #[inline]
    pub fn span(&self) -> Range<usize> {
        match self.reach() {
            Some((below, above)) if self.size != 0 => self.offset - below..self.offset + above + 1,
            _ => 0..0,
        }
    }

    /// Does every offset fit the type, so that it can be used as an index?
    ///
    /// ```
    /// use layout_arrays::ArrayLayout;
    /// let l = ArrayLayout::row_major(&[257])?;
    /// assert!(l.offsets_fit::<u32>() && !l.offsets_fit::<u8>());
    /// assert!(l.slice(0, ..256, 1)?.offsets_fit::<u8>());
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    #[inline]
    pub fn offsets_fit<T: TryFrom<usize>>(&self) -> bool {
        let span = self.span();
        // All offsets lie between these two.
        span.is_empty() || (T::try_from(span.start).is_ok() && T::try_from(span.end - 1).is_ok())
    }

    /// Do two coordinates share an element?
    ///
    /// `overlaps()` if and only if `offsets()` has an offset twice. The answer is exact. If more
    /// than three axes interleave, as those of windows do, it takes a search with up to as many
    /// steps as the product of all extents except those of the two least strides.
    ///
    /// ```
    /// use layout_arrays::ArrayLayout;
    /// let windows = ArrayLayout::from_parts(&[6, 3], &[1, 1], 0)?; // of 3 elements
    /// assert!(windows.overlaps());
    /// assert!(ArrayLayout::row_major(&[1, 3])?.broadcast_to(&[2, 3])?.overlaps());
    /// assert!(!ArrayLayout::from_parts(&[3, 2], &[2, 3], 0)?.overlaps()); // 0 3 2 5 4 7
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn overlaps(&self) -> bool {
        let (extents, strides) = self.sorted_axes();
        let (extents, strides) = (extents.as_slice(), strides.as_slice());
        if self.size == 0 || strides_apart(extents, strides) {
            return false;
        }
        if strides.contains(&0) {
            return true;
        }
        // There are more coordinates than possible offsets, or a search finds two equal offsets.
        let reach: usize = extents.iter().zip(strides).map(|(n, d)| (n - 1) * d).sum();
        let divisor = strides.iter().fold(0, |divisor, &stride| gcd(divisor, stride));
        self.size > reach / divisor + 1 || differs_by(extents, strides, 0, true)
    }

    /// Does the stride of each axis exceed the span of all axes with smaller strides?
    #[cfg(feature = "ndarray")]
    pub(crate) fn is_apart(&self) -> bool {
        let (extents, strides) = self.sorted_axes();
        self.size == 0 || strides_apart(extents.as_slice(), strides.as_slice())
    }

    /// The axes of several elements with absolute strides, the smallest stride first.
    #[inline]
    fn sorted_axes(&self) -> (List<usize>, List<usize>) {
        let moving = self.squeeze();
        let (mut extents, count) = (moving.shape, moving.strides.as_slice().len());
        let mut strides = List::zeros(count);
        for (slot, stride) in strides.as_mut_slice().iter_mut().zip(moving.strides.as_slice()) {
            *slot = stride.unsigned_abs();
        }
        // Few axes, and mostly in order already.
        let (n, d) = (extents.as_mut_slice(), strides.as_mut_slice());
        for k in 1..count {
            let mut j = k;
            while j > 0 && d[j - 1] > d[j] {
                d.swap(j - 1, j);
                n.swap(j - 1, j);
                j -= 1;
            }
        }
        (extents, strides)
    }
}

/// Does each stride exceed the span of the smaller ones? The smallest comes first.
#[inline]
fn strides_apart(extents: &[usize], strides: &[usize]) -> bool {
    let mut reach = 0;
    extents.iter().zip(strides).all(|(&extent, &stride)| {
        let apart = stride > reach;
        reach += (extent.saturating_sub(1)) * stride;
        apart
    })
}

fn gcd(mut a: usize, mut b: usize) -> usize {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Is there an `x` with `|x_k| < extents[k]` and `rest + sum x_k * strides[k] = 0`? `all_zero`
/// excludes `x = 0`. The strides are sorted, and none is 0.
fn differs_by(extents: &[usize], strides: &[usize], rest: i128, all_zero: bool) -> bool {
    let most = |axis: usize| extents[axis] as i128 - 1;
    let stride = |axis: usize| strides[axis] as i128;
    match strides.len() {
        0 => rest == 0 && !all_zero,
        1 => {
            rest % stride(0) == 0 && (rest / stride(0)).abs() <= most(0) && !(all_zero && rest == 0)
        }
        2 => two_differ_by([most(0), most(1)], [stride(0), stride(1)], rest, all_zero),
        rank => {
            let (last, before) = (rank - 1, rank - 1);
            let reach: i128 = (0..before).map(|axis| most(axis) * stride(axis)).sum();
            let divisor =
                strides[..before].iter().fold(0, |divisor, &stride| gcd(divisor, stride)) as i128;
            // The values for which the other axes can still make the sum 0.
            let least = (-rest - reach).div_euclid(stride(last)).max(-most(last));
            let largest = (reach - rest).div_euclid(stride(last)).min(most(last));
            // By symmetry, one of `x` and `-x` is enough.
            let least = if all_zero { 0 } else { least };
            (least..=largest).any(|x| {
                let rest = rest + x * stride(last);
                rest % divisor == 0
                    && differs_by(&extents[..before], &strides[..before], rest, all_zero && x == 0)
            })
        }
    }
}

/// `differs_by` for two axes, by the extended Euclidean algorithm.
fn two_differ_by(most: [i128; 2], [a, b]: [i128; 2], rest: i128, all_zero: bool) -> bool {
    // a * x + b * y = divisor
    let (mut divisor, mut next, mut x, mut x_next) = (a, b, 1, 0);
    while next != 0 {
        let quotient = divisor / next;
        (divisor, next) = (next, divisor - quotient * next);
        (x, x_next) = (x_next, x - quotient * x_next);
    }
    if rest % divisor != 0 {
        return false;
    }
    let (a, b, rest) = (a / divisor, b / divisor, rest / divisor);
    if all_zero && rest == 0 {
        return b <= most[0] && a <= most[1];
    }
    // All solutions are x + t * b, y - t * a.
    let x = (x.rem_euclid(b) * (-rest).rem_euclid(b)).rem_euclid(b);
    let y = (-rest - a * x) / b;
    let ceil = |n: i128, d: i128| -(-n).div_euclid(d);
    let least = ceil(-most[0] - x, b).max(ceil(y - most[1], a));
    let largest = (most[0] - x).div_euclid(b).min((y + most[1]).div_euclid(a));
    least <= largest
}
