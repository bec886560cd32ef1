//! Conversions with a scale and a bias for each channel.
//!
//! ```text
//! to[T(c)] = scale[c_k] * from[F(c)] + bias[c_k]
//! ```

use bytemuck::Pod;
use layout_algebra::prelude::*;

use crate::axes::{Axis, text};
use crate::error::RelayoutError;
use crate::kernel::{Task, compiled_for};
use crate::plan::{Relayout, Way, in_order};
use crate::runs::{Blocks, Each, ONE};

/// For short rows, the scales are repeated up to this number.
const REPEATED: usize = 64;

impl Relayout {
    /// Converts to f32 with a scale and a bias for each coordinate `c` of a mode, as images are
    /// normalized by their channels: `to = scale[c] * from + bias[c]`. The product is rounded, and
    /// then the sum.
    ///
    /// # Errors
    /// As [`run`](Self::run); and if the source's layout has no such mode, or if the numbers of
    /// scales and of biases differ from its size.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_relayout::Relayout;
    /// // Pixels of three bytes as planes of f32, with ImageNet's mean and deviation.
    /// let (mean, deviation) = ([0.485, 0.456, 0.406], [0.229, 0.224, 0.225]);
    /// let scale: [f32; 3] = std::array::from_fn(|c| 1.0 / (255.0 * deviation[c]));
    /// let bias: [f32; 3] = std::array::from_fn(|c| -mean[c] / deviation[c]);
    ///
    /// // 4 rows of 5 pixels: coordinates (c, h, w), of which mode 0 is the channel.
    /// let (hwc, chw) = (layout!((3, 4, 5):(1, 15, 3)), layout!((3, 4, 5): right));
    /// let pixels = Vec::from_iter(0..60_u8);
    /// let mut planes = [0.0; 60];
    /// Relayout::plan(&hwc, &chw, 1)?.run_by_channel(&pixels, 0, &scale, &bias, &mut planes)?;
    /// assert_eq!(planes[20 + 7], scale[1] * 22.0 + bias[1]); // pixel 7
    /// # Ok::<(), layout_relayout::RelayoutError>(())
    /// ```
    pub fn run_by_channel<S: Pod + Into<f32>>(
        &self,
        from: &[S],
        mode: usize,
        scale: &[f32],
        bias: &[f32],
        to: &mut [f32],
    ) -> Result<(), RelayoutError> {
        let [modes, _] = self.modes();
        let size = modes.get(mode).map(|&(size, _)| size);
        if size != Some(scale.len()) || scale.len() != bias.len() {
            let given = [scale.len(), bias.len()];
            return Err(RelayoutError::Channels { from: text(&self.from), mode, size, given });
        }
        self.check(from, to)?;
        // The numbers of the coordinates that differ only in this mode.
        let step: usize = modes[..mode].iter().map(|&(size, _)| size).product();
        let loops = match &self.way {
            Way::Loops { nest, axes, from, to } => self
                .channels_apart(axes, mode)
                .map(|(channel, outer)| (nest.set, channel, outer, [*from, *to])),
            _ => None,
        };
        let Some((set, channel, mut outer, first)) = loops else {
            for i in 0..self.from.size() {
                let c = i / step % scale.len();
                to[self.to.at(i)] = scale[c] * from[self.from.at(i)].into() + bias[c];
            }
            return Ok(());
        };
        let Channels { axis: channel, turned } = channel;
        let reversed = [scale, bias].map(|of| match turned {
            true => Vec::from_iter(of.iter().rev().copied()),
            false => Vec::new(),
        });
        let [scale, bias] = if turned { [&reversed[0][..], &reversed[1]] } else { [scale, bias] };
        // The channels are adjacent in the destination, or each row has one channel.
        let beside = channel.to == 1;
        if !beside && outer.first().is_none_or(|axis| axis.to != 1) {
            in_order(&outer, first[0], first[1], &mut |s, t| {
                for (c, (a, b)) in scale.iter().zip(bias).enumerate() {
                    let place = |at: usize, step| at.wrapping_add_signed(c as isize * step);
                    to[place(t, channel.to)] = a * from[place(s, channel.from)].into() + b;
                }
            });
            return Ok(());
        }
        let next = if outer.is_empty() { ONE } else { outer.remove(0) };
        if !beside {
            let blocks = Blocks { i: next, j: channel, outer, first, set };
            blocks.each_row(from, to, &mut OfOne(scale, bias));
            return Ok(());
        }
        let times = REPEATED.div_ceil(channel.extent);
        let [scales, biases] = [scale.repeat(times), bias.repeat(times)];
        Blocks { i: channel, j: next, outer, first, set }.each(from, &mut |t, [a, _], n, rows| {
            let joined = n == channel.extent && next.to == n as isize;
            let (n, end) = if joined { (rows.len(), scales.len()) } else { (n, a + n) };
            for (k, row) in rows.chunks_exact(n).enumerate() {
                let t = t.wrapping_add_signed(k as isize * next.to);
                compiled_for(
                    set,
                    ByElement(&mut to[t..t + n], row, &scales[a..end], &biases[a..end]),
                );
            }
        });
        Ok(())
    }

    /// The loop over the channels, a mode of the source, and the other loops; `None` if no loop is
    /// the loop over the channels or contains it.
    fn channels_apart(&self, axes: &[Axis], mode: usize) -> Option<(Channels, Vec<Axis>)> {
        let [modes, there] = self.modes();
        let count = modes[mode].0;
        if count == 1 {
            return Some((Channels { axis: ONE, turned: false }, axes.to_vec()));
        }
        let numbers =
            |modes: &[(usize, Option<isize>)]| modes.iter().map(|mode| mode.0).product::<usize>();
        let step = numbers(&modes[..mode]);
        let is_mode = there.len() > mode && numbers(&there[..mode]) == step;
        let steps = match there.get(mode) {
            Some(&(size, Some(to))) if is_mode && size == count => modes[mode].1.map(|f| (f, to)),
            _ => None,
        };
        let (from, to) = steps.or_else(|| {
            let place = |c: usize| [&self.from, &self.to].map(|to| to.at(c * step) as isize);
            let first = place(0);
            let away = |c: usize| (place(c)[0] - first[0], place(c)[1] - first[1]);
            let (from, to) = away(1);
            let is_even = (2..count).all(|c| away(c) == (from * c as isize, to * c as isize));
            is_even.then_some((from, to))
        })?;
        let axis = Axis { extent: count, from: from * to.signum(), to: to.abs() };
        // How many steps of a loop make one step of the channels.
        let part = |within: &Axis| {
            let part = axis.to / within.to.max(1);
            let is_part = part * within.to == axis.to && part * within.from == axis.from;
            let divides = part > 0 && within.extent.is_multiple_of(part as usize * count);
            (is_part && divides).then_some(part as usize)
        };
        let (k, part) = axes.iter().enumerate().find_map(|(k, axis)| Some((k, part(axis)?)))?;
        let ([inner, _], [_, outer]) = (axes[k].cut(part), axes[k].cut(part * count));
        let parts = [inner, outer].into_iter().filter(|axis| axis.extent > 1);
        let rest = axes[..k].iter().copied().chain(parts).chain(axes[k + 1..].iter().copied());
        let rest = rest.collect();
        Some((Channels { axis, turned: to < 0 }, rest))
    }
}

/// The loop over the channels, in the order of the destination: from the last channel if the order
/// is reversed.
struct Channels {
    axis: Axis,
    turned: bool,
}

/// Moves rows of one channel.
struct OfOne<'a>(&'a [f32], &'a [f32]);
impl<S: Pod + Into<f32>> Each<S, f32> for OfOne<'_> {
    #[inline(always)]
    fn one(&self, c: usize) -> impl Fn(&mut f32, &S) + Copy {
        let (a, b) = (self.0[c], self.1[c]);
        move |y, &x| *y = a * x.into() + b
    }
}

/// Moves pixels: one element of each channel in turn, repeatedly.
struct ByElement<'a, S>(&'a mut [f32], &'a [S], &'a [f32], &'a [f32]);
impl<S: Pod + Into<f32>> Task for ByElement<'_, S> {
    #[inline(always)]
    fn run(self) {
        let ByElement(to, from, scales, biases) = self;
        for (to, from) in to.chunks_mut(scales.len()).zip(from.chunks(scales.len())) {
            for (((y, &x), a), b) in to.iter_mut().zip(from).zip(scales).zip(biases) {
                *y = a * x.into() + b;
            }
        }
    }
}
