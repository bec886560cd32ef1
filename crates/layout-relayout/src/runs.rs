//! What is more than a move: the elements of a source, brought together in the order of the
//! destination, and a function of both.

use std::ops::{Add, Mul};

use bytemuck::Pod;
use half::slice::HalfFloatSliceExt;
use half::{bf16, f16};

use crate::axes::Axis;
use crate::error::RelayoutError;
use crate::kernel::{Nest, compiled_for};
use crate::machine::InstructionSet;
use crate::plan::{Relayout, Way, in_order, nest};

/// A block of the source that is gathered: `LONG` elements along the destination, up to `LONGEST`
/// where the source has fewer rows, by `WIDE` along the source.
const LONG: usize = 256;
const WIDE: usize = 64;
const LONGEST: usize = 2048;

impl Relayout {
    /// Calls `f` with elements of the destination that lie side by side, and with those of the
    /// source at the same coordinates. Every coordinate is in one call; the destination's elements
    /// may be of another type and size.
    ///
    /// Law: `after: to[T(i)] = f(to[T(i)], from[F(i)])` for all `i < size(F)`. If two coordinates
    /// of the destination share an element, `f` is called in the order of the coordinates.
    ///
    /// # Errors
    /// As [`run`](Self::run), before the first call.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_relayout::Relayout;
    /// let plan = Relayout::plan(&layout!((2, 3): right), &layout!((2, 3)), size_of::<u8>())?;
    /// let mut columns = [0.5_f64; 6];
    /// plan.run_with(&[1_u8, 2, 3, 4, 5, 6], &mut columns, |to, from| {
    ///     to.iter_mut().zip(from).for_each(|(to, &from)| *to += f64::from(from));
    /// })?;
    /// assert_eq!(columns, [1.5, 4.5, 2.5, 5.5, 3.5, 6.5]);
    /// # Ok::<(), layout_relayout::RelayoutError>(())
    /// ```
    pub fn run_with<S: Pod, D>(
        &self,
        from: &[S],
        to: &mut [D],
        mut f: impl FnMut(&mut [D], &[S]),
    ) -> Result<(), RelayoutError> {
        self.check(from, to)?;
        match &self.way {
            Way::Loops { nest: loops, axes, from: first, to: target }
                if axes.first().is_some_and(|i| i.to == 1) =>
            {
                let (i, mut outer) = (axes[0], axes[1..].to_vec());
                // What is inlined of the function takes the registers of this processor.
                let mut f = |to: &mut [D], from: &[S]| compiled_for(loops.set, || f(to, from));
                if i.from == 1 {
                    in_order(&outer, *first, *target, &mut |s, t| {
                        f(&mut to[t..t + i.extent], &from[s..s + i.extent])
                    });
                    return Ok(());
                }
                let moving = outer.iter().enumerate().filter(|(_, axis)| axis.from != 0);
                let j = moving.min_by_key(|(_, axis)| axis.from.unsigned_abs()).map(|(k, _)| k);
                let j = j.map_or(Axis { extent: 1, from: 0, to: 0 }, |k| outer.remove(k));
                // Few rows are longer ones.
                let long = (LONG * WIDE / j.extent.max(1)).clamp(LONG, LONGEST).min(i.extent);
                let (mut made, mut block) = ((0, 0), loops.clone());
                let mut gathered = vec![S::zeroed(); long * WIDE.min(j.extent)];
                in_order(&outer, *first, *target, &mut |s, t| {
                    for first_j in (0..j.extent).step_by(WIDE) {
                        for first_i in (0..i.extent).step_by(long) {
                            let (n, m) =
                                (long.min(i.extent - first_i), WIDE.min(j.extent - first_j));
                            let place =
                                |a: usize, b: usize, at: usize, i_step: isize, j_step: isize| {
                                    at.wrapping_add_signed(
                                        a as isize * i_step + b as isize * j_step,
                                    )
                                };
                            if made != (n, m) {
                                let i = Axis { extent: n, from: i.from, to: 1 };
                                let j = Axis { extent: m, from: j.from, to: n as isize };
                                (made, block) = ((n, m), gathering::<S>(i, j, loops.set));
                            }
                            block.from =
                                place(first_i, first_j, s, i.from, j.from) * size_of::<S>();
                            block.copy(
                                bytemuck::cast_slice(from),
                                bytemuck::cast_slice_mut(&mut gathered),
                            );
                            for (k, row) in gathered[..n * m].chunks_exact(n).enumerate() {
                                let t = place(first_i, first_j + k, t, 1, j.to);
                                f(&mut to[t..t + n], row);
                            }
                        }
                    }
                });
            }
            Way::Loops { axes, from: first, to: target, .. } => {
                in_order(axes, *first, *target, &mut |s, t| f(&mut to[t..=t], &from[s..=s]));
            }
            _ => self.each_pair(|s, t| f(&mut to[t..=t], &from[s..=s])),
        }
        Ok(())
    }

    /// Adds multiples: `to = alpha * from + beta * to`. Where `beta` is 0, the destination is not
    /// read.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_relayout::Relayout;
    /// let plan = Relayout::plan(&layout!((2, 2): right), &layout!((2, 2)), size_of::<f32>())?;
    /// let mut to = [1.0_f32, 1.0, 1.0, f32::NAN];
    /// plan.run_scaled(2.0, &[1.0, 2.0, 3.0, 4.0], 0.0, &mut to)?;
    /// assert_eq!(to, [2.0, 6.0, 4.0, 8.0]);
    /// plan.run_scaled(1.0, &[1.0, 2.0, 3.0, 4.0], -1.0, &mut to)?;
    /// assert_eq!(to, [-1.0, -3.0, -2.0, -4.0]);
    /// # Ok::<(), layout_relayout::RelayoutError>(())
    /// ```
    pub fn run_scaled<T>(
        &self,
        alpha: T,
        from: &[T],
        beta: T,
        to: &mut [T],
    ) -> Result<(), RelayoutError>
    where
        T: Pod + Mul<Output = T> + Add<Output = T> + PartialEq,
    {
        if beta == T::zeroed() {
            return self.run_with(from, to, |to, from| {
                to.iter_mut().zip(from).for_each(|(y, &x)| *y = alpha * x)
            });
        }
        self.run_with(from, to, |to, from| {
            to.iter_mut().zip(from).for_each(|(y, &x)| *y = alpha * x + beta * *y)
        })
    }

    /// Converts the elements on the way: f32 to f16 and bf16 and back, rounded to nearest, ties to
    /// even.
    ///
    /// # Errors
    /// As [`run`](Self::run); the plan's elements are those of the source.
    ///
    /// ```
    /// use half::bf16;
    /// use layout_algebra::prelude::*;
    /// use layout_relayout::Relayout;
    /// let plan = Relayout::plan(&layout!((2, 2): right), &layout!((2, 2)), size_of::<f32>())?;
    /// let mut to = [bf16::ZERO; 4];
    /// plan.run_converted(&[1.0_f32, 2.0, 0.5, 3.0], &mut to)?;
    /// assert_eq!(to.map(bf16::to_f32), [1.0, 0.5, 2.0, 3.0]);
    /// # Ok::<(), layout_relayout::RelayoutError>(())
    /// ```
    pub fn run_converted<S: Pod, D: ConvertFrom<S>>(
        &self,
        from: &[S],
        to: &mut [D],
    ) -> Result<(), RelayoutError> {
        self.run_with(from, to, D::convert_from)
    }

    /// Bytes as multiples of a scale: `to = scale * from`.
    ///
    /// # Errors
    /// As [`run`](Self::run); the plan's elements are bytes.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_relayout::Relayout;
    /// // Pixels of three bytes as three planes.
    /// let plan = Relayout::plan(&layout!((2, 3): right), &layout!((2, 3)), 1)?;
    /// let mut planes = [0.0; 6];
    /// plan.run_bytes_scaled(&[2, 4, 6, 8, 10, 12], 0.5, &mut planes)?;
    /// assert_eq!(planes, [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
    /// # Ok::<(), layout_relayout::RelayoutError>(())
    /// ```
    pub fn run_bytes_scaled(
        &self,
        from: &[u8],
        scale: f32,
        to: &mut [f32],
    ) -> Result<(), RelayoutError> {
        self.run_with(from, to, |to, from| {
            to.iter_mut().zip(from).for_each(|(y, &x)| *y = scale * f32::from(x))
        })
    }
}

/// The loops that move a block together: `i` beside `i`, row after row of `j`.
fn gathering<S>(i: Axis, j: Axis, set: InstructionSet) -> Nest {
    let axes: Vec<_> = [i, j].into_iter().filter(|axis| axis.extent > 1).collect();
    nest(&axes, size_of::<S>(), [0, 0], set, false)
}

/// `D: ConvertFrom<S>`: slices of `S` convert into slices of `D`.
///
/// ```
/// use half::f16;
/// use layout_relayout::ConvertFrom;
/// let mut halves = [f16::ZERO; 2];
/// f16::convert_from(&mut halves, &[1.0_f32, -2.0]);
/// assert_eq!(halves.map(f16::to_f32), [1.0, -2.0]);
/// ```
pub trait ConvertFrom<S>: Sized {
    /// Writes the values of `from` to `to`, which is as long.
    ///
    /// ```
    /// use layout_relayout::ConvertFrom;
    /// let mut wide = [0.0_f64; 2];
    /// f64::convert_from(&mut wide, &[1.0_f32, -2.0]);
    /// assert_eq!(wide, [1.0, -2.0]);
    /// ```
    fn convert_from(to: &mut [Self], from: &[S]);
}
macro_rules! halves {
    ($($half:ident)*) => { $(
        impl ConvertFrom<f32> for $half {
            fn convert_from(to: &mut [Self], from: &[f32]) {
                to.convert_from_f32_slice(from);
            }
        }
        impl ConvertFrom<$half> for f32 {
            fn convert_from(to: &mut [Self], from: &[$half]) {
                from.convert_to_f32_slice(to);
            }
        }
    )* };
}
halves! { f16 bf16 }
macro_rules! exact {
    ($($from:ident $to:ident)*) => { $(
        impl ConvertFrom<$from> for $to {
            fn convert_from(to: &mut [Self], from: &[$from]) {
                to.iter_mut().zip(from).for_each(|(to, &from)| *to = from.into());
            }
        }
    )* };
}
exact! { u8 f32 i8 f32 u16 f32 i16 f32 f32 f64 u8 u16 u8 u32 i8 i32 }
