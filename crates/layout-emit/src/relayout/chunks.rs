//! A relayout of buffers larger than the limit of a binding, in chunks.

use layout_algebra::{DynLayout, DynStride};

use super::RelayoutKernel;
use crate::error::EmitError;
use crate::source::{NamedLayout, layout};

/// Bindings begin at multiples of this many bytes: the largest alignment that WebGPU may require.
const ALIGNMENT: u128 = 256;

/// The largest number of chunks.
const MOST_CHUNKS: u128 = 1 << 16;

/// A part of a relayout: a kernel, and the first bytes of its buffers within the whole buffers.
///
/// ```
/// use layout_emit::{NamedLayout, RelayoutKernel};
/// let from: NamedLayout = "(128,1024):(1024,1)".parse()?;
/// let kernel = RelayoutKernel::new(from, "(128,1024):(1,128)".parse::<NamedLayout>()?, 4)?;
/// let first: Vec<_> = kernel.chunks(256 << 10)?.iter().map(|chunk| chunk.first_bytes).collect();
/// assert_eq!(first, [[0, 0], [262_144, 256], [2048, 262_144], [264_192, 262_400]]);
/// # Ok::<(), layout_emit::EmitError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Chunk {
    /// The kernel. Chunks of equal layouts have equal kernels.
    pub kernel: RelayoutKernel,
    /// The first bytes of the source and of the target: multiples of 256.
    pub first_bytes: [u64; 2],
}

/// An axis of both layouts.
#[derive(Clone, Copy)]
struct Axis {
    extent: u128,
    strides: [u128; 2],
    /// The coordinates of the axis in a chunk.
    length: u128,
}

fn common(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { common(b, a % b) }
}

impl RelayoutKernel {
    /// The relayout in chunks; each side of a chunk has at most `limit` bytes. (A binding of WebGPU
    /// has at most 134,217,728 bytes unless the program requests more from the device.)
    ///
    /// Law: one chunk moves each element, to the same offset as the whole kernel. Chunks are boxes
    /// of the axes of both layouts; on each side, the axes with the largest strides are cut first.
    ///
    /// # Errors
    /// [`EmitError::Input`] if the limit is below 256; [`EmitError::Refused`] if the layouts have
    /// swizzles, XOR or negative strides or no common axes, if no cut at multiples of 256 bytes
    /// keeps the limit, or if there are more than 65,536 chunks.
    ///
    /// ```
    /// use layout_emit::{NamedLayout, RelayoutKernel};
    /// let rows: NamedLayout = "(65536,4096):(4096,1)".parse()?;
    /// let kernel = RelayoutKernel::new(rows, "(65536,4096):(1,65536)".parse::<NamedLayout>()?, 4)?;
    /// let chunks = kernel.chunks(128 << 20)?;
    /// assert_eq!(chunks.len(), 64);
    /// for chunk in &chunks {
    ///     let launch = chunk.kernel.launch(layout_emit::Language::Wgsl)?;
    ///     assert!(launch.buffer_bytes.iter().all(|&bytes| bytes <= 128 << 20));
    /// }
    /// # Ok::<(), layout_emit::EmitError>(())
    /// ```
    pub fn chunks(&self, limit: u64) -> Result<Vec<Chunk>, EmitError> {
        if u128::from(limit) < ALIGNMENT {
            return EmitError::input(format!("a binding has 256 bytes or more, not {limit}"));
        }
        // Sizes of buffers are multiples of 16.
        let (limit, bytes) = (u128::from(limit) / 16 * 16, self.bytes as u128);
        let mut axes = self.common_axes()?;
        let reach = |axes: &[Axis], side: usize| {
            let last = axes.iter().map(|axis| (axis.length - 1).saturating_mul(axis.strides[side]));
            last.fold(1_u128, u128::saturating_add).saturating_mul(bytes)
        };
        // The least number of coordinates whose steps are multiples of 256 bytes on both sides.
        let unit = |axis: &Axis| {
            let steps = axis.strides.map(|stride| {
                let step = stride.saturating_mul(bytes);
                ALIGNMENT / common(step % ALIGNMENT, ALIGNMENT)
            });
            steps[0].max(steps[1])
        };
        for side in [0, 1] {
            while reach(&axes, side) > limit {
                let moves = |axis: &Axis| axis.strides[side] > 0 && axis.length > unit(axis);
                let cut = (0..axes.len()).filter(|&k| moves(&axes[k]));
                let Some(k) = cut.max_by_key(|&k| axes[k].strides[side]) else {
                    let (over, of) = (reach(&axes, side), [&self.from, &self.to][side]);
                    return EmitError::refused(format!(
                        "chunks of {of} that begin at multiples of 256 bytes have {over} bytes or \
                         more, and a binding has {limit}"
                    ));
                };
                // As many coordinates as fit, or the fewest possible if none fit.
                let (step, length) = (axes[k].strides[side] * bytes, axes[k].length);
                let rest = reach(&axes, side) - (length - 1) * step;
                let most = if rest > limit { 0 } else { (limit - rest) / step + 1 };
                let unit = unit(&axes[k]);
                axes[k].length = (most.min(length - 1) / unit * unit).max(unit);
            }
        }
        self.boxes(&axes)
    }

    /// The common axes of both layouts.
    fn common_axes(&self) -> Result<Vec<Axis>, EmitError> {
        let plain = |named: &NamedLayout| -> Option<DynLayout> {
            let plain = named.plain.as_ref().filter(|_| named.outer.is_none())?;
            let natural = |stride| matches!(stride, DynStride::Natural(_));
            plain.strides().all(natural).then(|| plain.flatten())
        };
        let (Some(from), Some(to)) = (plain(&self.from), plain(&self.to)) else {
            return EmitError::refused(format!(
                "{} and {} are not both layouts of natural strides, which are cut into chunks",
                self.from, self.to
            ));
        };
        let refined = DynLayout::mutual_refinement(&[&from, &to])?;
        let strides = |layout: &DynLayout| -> Vec<u128> {
            let number = |stride| match stride {
                DynStride::Natural(stride) => stride as u128,
                _ => 0,
            };
            layout.strides().map(number).collect()
        };
        let (shape, [from, to]) =
            (refined[0].shape(), [strides(&refined[0]), strides(&refined[1])]);
        let axis = |(k, &extent): (usize, &usize)| {
            let extent = extent as u128;
            Axis { extent, strides: [from[k], to[k]], length: extent }
        };
        Ok(shape.leaves().iter().enumerate().map(axis).collect())
    }

    /// A chunk for each box of `axis.length` coordinates of each axis.
    fn boxes(&self, axes: &[Axis]) -> Result<Vec<Chunk>, EmitError> {
        let counts: Vec<_> = axes.iter().map(|axis| axis.extent.div_ceil(axis.length)).collect();
        let all = counts.iter().fold(1_u128, |all, &count| all.saturating_mul(count));
        if all > MOST_CHUNKS {
            return EmitError::refused(format!("{all} chunks are more than {MOST_CHUNKS}"));
        }
        let mut chunks = Vec::new();
        for number in 0..all {
            let (mut rest, mut first) = (number, [0_u128; 2]);
            let mut leaves = [Vec::new(), Vec::new()];
            for (axis, count) in axes.iter().zip(&counts) {
                let begin = rest % count * axis.length;
                rest /= count;
                let extent = axis.length.min(axis.extent - begin) as i128;
                for side in [0, 1] {
                    first[side] += begin * axis.strides[side] * self.bytes as u128;
                    leaves[side].push((extent, axis.strides[side] as i128));
                }
            }
            let [from, to] = [layout(&leaves[0])?, layout(&leaves[1])?];
            let kernel = RelayoutKernel::new(&from, &to, self.bytes)?.name(&self.name);
            let kernel = kernel.with_workgroup_bytes(self.workgroup_bytes);
            let fit = |byte: u128| {
                u64::try_from(byte).or_else(|_| {
                    EmitError::refused(format!("a chunk begins at byte {byte}, beyond 2^64"))
                })
            };
            chunks.push(Chunk { kernel, first_bytes: [fit(first[0])?, fit(first[1])?] });
        }
        Ok(chunks)
    }
}
