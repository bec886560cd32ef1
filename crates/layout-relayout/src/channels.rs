//! Conversions with a scale and a bias for each channel.
//!
//! ```text
//! to[T(c)] = scale[c_k] * from[F(c)] + bias[c_k]
//! ```

use bytemuck::Pod;
use layout_algebra::prelude::*;

use crate::axes::{Axis, Blocks, Channels, ONE, sizes, text};
use crate::error::RelayoutError;
use crate::kernel::{Checked, Floats, Register, Task, compiled_for};
use crate::machine::InstructionSet;
use crate::plan::{Relayout, Way, in_order};
#[cfg(feature = "rayon")]
use crate::runs::AllThreads;
use crate::runs::{Each, OneThread, Threads};

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
        self.run_normalized(from, (mode, scale, bias), to, |nest, by, blocks, to| {
            by.run(nest, blocks, from, to, &OneThread);
        })
    }

    /// [`run_by_channel`](Self::run_by_channel) on all threads of `rayon`; on this thread alone
    /// where [`run_parallel`](Self::run_parallel) is.
    ///
    /// # Errors
    /// As [`run_by_channel`](Self::run_by_channel).
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_relayout::Relayout;
    /// // Pixels of 1000 x 800 x 3 bytes as planes of f32.
    /// let (hwc, chw) = (layout!((3, 800000)), layout!((3, 800000): right));
    /// let plan = Relayout::plan(&hwc, &chw, 1)?;
    /// let (pixels, mut planes) = (vec![2_u8; 2400000], vec![0.0; 2400000]);
    /// plan.run_by_channel_parallel(&pixels, 0, &[1.0, 2.0, 3.0], &[0.0, 0.5, 0.0], &mut planes)?;
    /// assert!([0, 1, 2].map(|c| planes[c * 800000]) == [2.0, 4.5, 6.0]);
    /// # Ok::<(), layout_relayout::RelayoutError>(())
    /// ```
    #[cfg(feature = "rayon")]
    pub fn run_by_channel_parallel<S: Pod + Into<f32> + Sync>(
        &self,
        from: &[S],
        mode: usize,
        scale: &[f32],
        bias: &[f32],
        to: &mut [f32],
    ) -> Result<(), RelayoutError> {
        let Some(part) = self.part(size_of::<f32>()) else {
            return self.run_by_channel(from, mode, scale, bias, to);
        };
        self.run_normalized(from, (mode, scale, bias), to, |nest, by, blocks, to| {
            let keeps_j = !by.are_adjacent && blocks.i.to == 1 && blocks.are_pixels();
            blocks.run_parts([0; 2], (part, keeps_j), to, &|blocks, [a, b], to| {
                let (first, axis) = if by.are_adjacent { (a, blocks.i) } else { (b, blocks.j) };
                let channels = first..first + axis.extent;
                let (scale, bias) = (&by.scale[channels.clone()], &by.bias[channels]);
                let by = ByChannel { scale, bias, ..by };
                by.run(nest, blocks, from, to, &AllThreads(part));
            });
        })
    }

    /// Calls `run` with the loops and the numbers of their channels; where there are no loops over
    /// the channels, goes from coordinate to coordinate.
    fn run_normalized<S: Pod + Into<f32>>(
        &self,
        from: &[S],
        (mode, scale, bias): (usize, &[f32], &[f32]),
        to: &mut [f32],
        run: impl FnOnce(&Checked, ByChannel<'_>, &Blocks, &mut [f32]),
    ) -> Result<(), RelayoutError> {
        self.check(from, to)?;
        let made;
        let channels = match self.channels.get_or_init(|| (mode, self.channels_of(mode))) {
            (kept, channels) if *kept == mode => channels,
            _ => {
                made = self.channels_of(mode);
                &made
            }
        };
        let Channels { size, within, loops, are_adjacent, is_turned } = channels;
        if *size != Some(scale.len()) || scale.len() != bias.len() {
            let (size, given) = (*size, [scale.len(), bias.len()]);
            return Err(RelayoutError::Channels { from: text(&self.from), mode, size, given });
        }
        let (Some(blocks), Way::Loops { nest, .. }) = (loops, &self.way) else {
            for i in 0..self.from.size() {
                let c = i / within % scale.len();
                to[self.to.at(i)] = scale[c] * from[self.from.at(i)].into() + bias[c];
            }
            return Ok(());
        };
        let reversed;
        let [scale, bias] = if *is_turned {
            reversed = [scale, bias].map(|of| Vec::from_iter(of.iter().rev().copied()));
            [&reversed[0][..], &reversed[1]]
        } else {
            [scale, bias]
        };
        run(nest, ByChannel { scale, bias, are_adjacent: *are_adjacent }, blocks, to);
        Ok(())
    }

    /// A mode of the source as channels.
    fn channels_of(&self, mode: usize) -> Channels {
        let sizes = sizes(&self.from);
        let within = sizes.iter().take(mode).product();
        let size = sizes.get(mode).copied();
        let mut channels =
            Channels { size, within, loops: None, are_adjacent: false, is_turned: false };
        channels.loops = self.channel_loops(&mut channels);
        channels
    }

    /// The loops, if one of them is the loop over the channels or contains it.
    fn channel_loops(&self, channels: &mut Channels) -> Option<Blocks> {
        let Way::Loops { axes, from, to, .. } = &self.way else { return None };
        let (count, within) = (channels.size?, channels.within);
        let (mut channel, mut rest) = (ONE, axes.clone());
        if count > 1 {
            let place = |c: usize| [&self.from, &self.to].map(|of| of.at(c * within) as isize);
            let first = place(0);
            let away = |c: usize| {
                let place = place(c);
                [place[0] - first[0], place[1] - first[1]]
            };
            let [from, to] = away(1);
            let is_even = |c: usize| away(c) == [from, to].map(|step| step * c as isize);
            if !(2..count).all(is_even) {
                return None;
            }
            channel = Axis { extent: count, from: from * to.signum(), to: to.abs() };
            channels.is_turned = to < 0;
            // How many steps of a loop make one step of the channels.
            let part = |within: &Axis| {
                let part = channel.to / within.to.max(1);
                let is_part = part * within.to == channel.to && part * within.from == channel.from;
                let divides = part > 0 && within.extent.is_multiple_of(part as usize * count);
                (is_part && divides).then_some(part as usize)
            };
            let (k, part) = axes.iter().enumerate().find_map(|(k, axis)| Some((k, part(axis)?)))?;
            let parts = [axes[k].cut(part)[0], axes[k].cut(part * count)[1]];
            rest.splice(k..=k, parts.into_iter().filter(|axis| axis.extent > 1));
        }
        // The channels are adjacent in the destination, or each row has one channel.
        let are_adjacent = channel.to == 1;
        channels.are_adjacent = are_adjacent;
        let has_next = are_adjacent && !rest.is_empty() || rest.first().is_some_and(|i| i.to == 1);
        let next = if has_next { rest.remove(0) } else { ONE };
        let (i, j) = if are_adjacent { (channel, next) } else { (next, channel) };
        Some(Blocks { i, j, outer: rest, first: [*from, *to] })
    }
}

/// The scales and the biases of the channels, which are adjacent in the destination or not.
#[derive(Clone, Copy)]
struct ByChannel<'a> {
    scale: &'a [f32],
    bias: &'a [f32],
    are_adjacent: bool,
}
impl<'a> ByChannel<'a> {
    fn run<S: Pod + Into<f32>>(
        self,
        nest: &Checked,
        blocks: &Blocks,
        from: &[S],
        to: &mut [f32],
        threads: &impl Threads<OfOne<'a>, S, f32>,
    ) {
        let ByChannel { scale, bias, are_adjacent } = self;
        let Blocks { i, j, outer, first } = blocks;
        if i.to != 1 {
            in_order(outer, first[0], first[1], &mut |s, t| {
                for (c, (a, b)) in scale.iter().zip(bias).enumerate() {
                    let place = |at: usize, step| at.wrapping_add_signed(c as isize * step);
                    to[place(t, j.to)] = a * from[place(s, j.from)].into() + b;
                }
            });
            return;
        }
        if !are_adjacent {
            blocks.each_row(nest, from, to, &mut OfOne(scale, bias), threads);
            return;
        }
        let times = REPEATED.div_ceil(i.extent);
        let [scales, biases] = [scale.repeat(times), bias.repeat(times)];
        blocks.each(nest.set, from, &mut |t, [a, _], n, rows| {
            let joined = n == i.extent && j.to == n as isize;
            let (n, end) = if joined { (rows.len(), scales.len()) } else { (n, a + n) };
            for (k, row) in rows.chunks_exact(n).enumerate() {
                let t = t.wrapping_add_signed(k as isize * j.to);
                compiled_for(
                    nest,
                    InstructionSet::Avx512,
                    ByElement(&mut to[t..t + n], row, &scales[a..end], &biases[a..end]),
                );
            }
        });
    }
}

/// Moves rows of one channel.
struct OfOne<'a>(&'a [f32], &'a [f32]);
impl<S: Pod + Into<f32>> Each<S, f32> for OfOne<'_> {
    #[inline(always)]
    fn floats<'t>(&self, c: usize, to: &'t mut [f32]) -> Option<Floats<'t>> {
        Some((to, Some((self.0[c], self.1[c]))))
    }
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
    fn run<V: Register>(self) {
        let ByElement(to, from, scales, biases) = self;
        for (to, from) in to.chunks_mut(scales.len()).zip(from.chunks(scales.len())) {
            for (((y, &x), a), b) in to.iter_mut().zip(from).zip(scales).zip(biases) {
                *y = a * x.into() + b;
            }
        }
    }
}
