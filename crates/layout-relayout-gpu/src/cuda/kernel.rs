//! CUDA kernels: their source, and the arguments of a launch without the buffers.

use cudarc::driver::CudaFunction;
use layout_emit::{Language, RelayoutKernel};

use super::driver::{MOST_AXES, Numbers};
use crate::axes::{Axes, Axis};
use crate::error::RelayoutError;
use crate::pairs::without_comments;

/// Threads of a block of the general kernel.
const THREADS: u32 = 256;

/// The side of a square of the general kernel: 128 bytes, between 32 and 64 elements.
fn square_side(bytes: usize) -> u64 {
    (128 / bytes as u64).clamp(32, 64)
}

/// The name of the kernel with squares.
const BY_SQUARES: &str = "by_squares";

/// The shortest axes that squares pay for.
const SQUARE_FROM: u64 = 8;

/// The most blocks of a launch.
const MOST_BLOCKS: u128 = i32::MAX as u128;

/// A specialized kernel moves aligned vectors of this number of bytes.
pub(super) const VECTOR: u64 = 16;

/// A kernel before its compilation.
pub(super) struct Plan {
    pub text: String,
    pub name: &'static str,
    blocks: u32,
    threads: u32,
    numbers: Option<Box<Numbers>>,
}

/// A kernel of a pair of layouts.
pub(super) struct Kernel {
    pub function: CudaFunction,
    pub blocks: u32,
    pub threads: u32,
    /// The numbers that the general kernel takes.
    pub numbers: Option<Box<Numbers>>,
}

fn fit_blocks(blocks: u128) -> Result<u32, RelayoutError> {
    let fits = u32::try_from(blocks).ok().filter(|_| blocks <= MOST_BLOCKS);
    fits.ok_or_else(|| {
        RelayoutError::Limit(format!("a launch of {blocks} blocks, and CUDA has {MOST_BLOCKS}"))
    })
}

/// The general kernels for elements of this number of bytes: one program for all pairs.
fn write_general(bytes: usize) -> String {
    let element = ["unsigned char", "unsigned short", "unsigned int", "uint2", "uint4"];
    include_str!("general.cu")
        .replace("$element$", element[bytes.ilog2() as usize])
        .replace("$axes$", &MOST_AXES.to_string())
        .replace("$threads$", &THREADS.to_string())
        .replace("$side$", &square_side(bytes).to_string())
}

/// The fastest axes of the source and of the target, if squares of both pay.
fn find_square(axes: &[Axis]) -> Option<[usize; 2]> {
    let moving = (0..axes.len()).filter(|&k| axes[k].from != 0);
    let source = moving.min_by_key(|&k| axes[k].from.unsigned_abs())?;
    let is_long = |k: usize| axes[k].extent >= SQUARE_FROM;
    let is_narrow = axes.iter().all(|axis| axis.extent <= u32::MAX.into());
    (source != 0 && is_long(source) && is_long(0) && is_narrow).then_some([source, 0])
}

impl Plan {
    /// The general kernel, with extents and strides as arguments, and vectors of up to `most`
    /// elements.
    ///
    /// # Errors
    /// [`RelayoutError::Limit`] if there are more blocks than a launch has.
    pub fn general(axes: &Axes, bytes: usize, most: u64) -> Result<Option<Plan>, RelayoutError> {
        let (times, axes) = axes.widened(most);
        let (axes, bytes) = (&axes, bytes * times as usize);
        let mut list = axes.list().to_vec();
        let square = find_square(&list);
        let (name, blocks) = match square {
            Some(square) => {
                let side = |k: &usize| list[*k].extent;
                let whole: u128 = square.iter().map(|k| u128::from(side(k))).product();
                let squares: u128 = square
                    .iter()
                    .map(|k| u128::from(side(k).div_ceil(square_side(bytes))))
                    .product();
                (BY_SQUARES, axes.elements() / whole * squares)
            }
            None => {
                // The indices of threads beyond the last element have to fit, too.
                let is_narrow = axes.reach() < 1 << 32 && axes.elements() <= 1 << 31;
                let name = if is_narrow { "one_by_one" } else { "one_by_one_wide" };
                (name, axes.elements().div_ceil(THREADS.into()))
            }
        };
        if let Some([source, target]) = square {
            let pair = [list[source], list[target]];
            list.remove(source);
            list.splice(target..=target, pair);
        }
        let Some(numbers) = Numbers::new(axes, &list) else { return Ok(None) };
        Ok(Some(Plan {
            text: write_general(bytes),
            name,
            blocks: fit_blocks(blocks)?,
            threads: THREADS,
            numbers: Some(Box::new(numbers)),
        }))
    }

    /// The specialized kernel of the pair.
    ///
    /// # Errors
    /// Those of `layout-emit`; [`RelayoutError::Limit`] if there are more blocks than a launch has.
    pub fn own(relayout: &RelayoutKernel) -> Result<Plan, RelayoutError> {
        let (text, launch) = (relayout.emit(Language::Cuda)?, relayout.launch(Language::Cuda)?);
        Ok(Plan {
            text: without_comments(&text),
            name: "relayout",
            blocks: fit_blocks(launch.groups[0].into())?,
            // A block has at most 1,024.
            threads: launch.threads as u32,
            numbers: None,
        })
    }

    /// The kernel with its compiled function.
    pub fn with_function(self, function: CudaFunction) -> Kernel {
        let Plan { blocks, threads, numbers, .. } = self;
        Kernel { function, blocks, threads, numbers }
    }
}
