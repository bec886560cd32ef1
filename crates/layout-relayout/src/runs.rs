//! Functions of two layouts: the elements of the source, gathered in the order of the destination,
//! and a function of both.

use std::any::TypeId;
use std::ops::{Add, Mul};
use std::slice;

use bytemuck::Pod;
use half::slice::HalfFloatSliceExt;
use half::{bf16, f16};

use crate::arrange::nest;
use crate::axes::{Axis, Blocks};
use crate::error::RelayoutError;
use crate::kernel::{Checked, Floats, Register, Task, compiled_for, floats};
use crate::machine::InstructionSet;
use crate::plan::{Relayout, Way, in_order};

/// A block of the source to gather: `LONG` elements along the destination by `WIDE` along the
/// source, and up to `LONGEST` along one side if the other side is short.
const LONG: usize = 256;
const WIDE: usize = 64;
const LONGEST: usize = 2048;

impl Relayout {
    /// Calls `f` with contiguous elements of the destination, and with the elements of the source
    /// at the same coordinates. Every coordinate is in one call; the destination's elements may
    /// have another type and size.
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
        f: impl FnMut(&mut [D], &[S]),
    ) -> Result<(), RelayoutError> {
        self.run_each(from, to, &mut Calls(f))
    }

    /// [`run_with`](Self::run_with) with a function that is compiled for the processor's registers.
    fn run_each<S: Pod, D>(
        &self,
        from: &[S],
        to: &mut [D],
        each: &mut impl Each<S, D>,
    ) -> Result<(), RelayoutError> {
        self.check(from, to)?;
        match &self.way {
            Way::Loops { nest, blocks: Some(blocks), .. } => {
                blocks.each_row(nest, from, to, each, &OneThread)
            }
            Way::Loops { axes, from: first, to: target, .. } => {
                in_order(axes, *first, *target, &mut |s, t| {
                    each.row(0, &mut to[t..=t], &from[s..=s])
                });
            }
            _ => self.each_pair(|s, t| each.row(0, &mut to[t..=t], &from[s..=s])),
        }
        Ok(())
    }

    /// [`run_each`](Self::run_each) on all threads of `rayon`, if there is enough to do.
    #[cfg(feature = "rayon")]
    fn run_each_parallel<S: Pod + Sync, D: Send, E: Each<S, D> + Copy + Send + Sync>(
        &self,
        from: &[S],
        to: &mut [D],
        mut each: E,
    ) -> Result<(), RelayoutError> {
        let (Way::Loops { nest, blocks: Some(blocks), .. }, Some(part)) =
            (&self.way, self.part(size_of::<D>()))
        else {
            return self.run_each(from, to, &mut each);
        };
        self.check(from, to)?;
        let keeps_j = E::SINGLY && blocks.are_pixels();
        blocks.run_parts([0; 2], (part, keeps_j), to, &|blocks, _, to| {
            blocks.each_row(nest, from, to, &mut { each }, &AllThreads(part));
        });
        Ok(())
    }

    /// Adds multiples: `to = alpha * from + beta * to`. If `beta` is 0, the destination is not
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
            return self.run_each(from, to, &mut Multiples(alpha));
        }
        self.run_each(from, to, &mut Sums(alpha, beta))
    }

    /// Moves and converts the elements: f32 to f16 and bf16 and back, rounded to nearest, ties to
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
        self.run_each(from, to, &mut Converted)
    }

    /// [`run_converted`](Self::run_converted) on all threads of `rayon`; on this thread alone where
    /// [`run_parallel`](Self::run_parallel) is.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_relayout::Relayout;
    /// // Pixels of 1000 x 800 x 3 bytes as planes of f32.
    /// let (hwc, chw) = (layout!((3, 800000)), layout!((3, 800000): right));
    /// let (pixels, mut planes) = (vec![7_u8; 2400000], vec![0.0_f32; 2400000]);
    /// Relayout::plan(&hwc, &chw, 1)?.run_converted_parallel(&pixels, &mut planes)?;
    /// assert!(planes.iter().all(|&x| x == 7.0));
    /// # Ok::<(), layout_relayout::RelayoutError>(())
    /// ```
    #[cfg(feature = "rayon")]
    pub fn run_converted_parallel<S: Pod + Sync, D: ConvertFrom<S> + Send>(
        &self,
        from: &[S],
        to: &mut [D],
    ) -> Result<(), RelayoutError> {
        self.run_each_parallel(from, to, Converted)
    }

    /// Converts bytes to multiples of a scale: `to = scale * from`.
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
        self.run_each(from, to, &mut ScaledBytes(scale))
    }

    /// [`run_bytes_scaled`](Self::run_bytes_scaled) on all threads of `rayon`; on this thread alone
    /// where [`run_parallel`](Self::run_parallel) is.
    ///
    /// # Errors
    /// As [`run_bytes_scaled`](Self::run_bytes_scaled).
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_relayout::Relayout;
    /// let plan = Relayout::plan(&layout!((2, 3): right), &layout!((2, 3)), 1)?;
    /// let (plan, mut planes) = (plan.with_parallel_from(0), [0.0; 6]);
    /// plan.run_bytes_scaled_parallel(&[2, 4, 6, 8, 10, 12], 0.5, &mut planes)?;
    /// assert_eq!(planes, [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
    /// # Ok::<(), layout_relayout::RelayoutError>(())
    /// ```
    #[cfg(feature = "rayon")]
    pub fn run_bytes_scaled_parallel(
        &self,
        from: &[u8],
        scale: f32,
        to: &mut [f32],
    ) -> Result<(), RelayoutError> {
        self.run_each_parallel(from, to, ScaledBytes(scale))
    }
}

/// The operation on an element of the destination and its element of the source, in row `j`; or on
/// rows of elements.
pub(crate) trait Each<S, D> {
    /// Whether single elements are as fast as rows: the operation is inlined.
    const SINGLY: bool = true;
    /// The elements of row `j` as numbers, if those become `scale * x + bias`, with the scale and
    /// the bias, or `x` itself: bytes have a kernel of their own.
    fn floats<'t>(&self, _j: usize, _to: &'t mut [D]) -> Option<Floats<'t>> {
        None
    }
    fn one(&self, j: usize) -> impl Fn(&mut D, &S) + Copy;

    #[inline(always)]
    fn row(&mut self, j: usize, to: &mut [D], from: &[S]) {
        let one = self.one(j);
        to.iter_mut().zip(from).for_each(|(y, x)| one(y, x));
    }
}
struct Calls<F>(F);
impl<S, D, F: FnMut(&mut [D], &[S])> Each<S, D> for Calls<F> {
    const SINGLY: bool = false;
    fn one(&self, _: usize) -> impl Fn(&mut D, &S) + Copy {
        |_, _| unreachable!("a function of rows")
    }
    #[inline(always)]
    fn row(&mut self, _: usize, to: &mut [D], from: &[S]) {
        self.0(to, from);
    }
}
#[derive(Clone, Copy)]
struct Converted;
impl<S, D: ConvertFrom<S>> Each<S, D> for Converted {
    const SINGLY: bool = D::SINGLY;
    #[inline(always)]
    fn floats<'t>(&self, _: usize, to: &'t mut [D]) -> Option<Floats<'t>> {
        D::floats_of_bytes(to).map(|to| (to, None))
    }
    #[inline(always)]
    fn one(&self, _: usize) -> impl Fn(&mut D, &S) + Copy {
        |y, x| D::convert_from(slice::from_mut(y), slice::from_ref(x))
    }
    #[inline(always)]
    fn row(&mut self, _: usize, to: &mut [D], from: &[S]) {
        D::convert_from(to, from);
    }
}
struct Multiples<T>(T);
impl<T: Pod + Mul<Output = T>> Each<T, T> for Multiples<T> {
    #[inline(always)]
    fn one(&self, _: usize) -> impl Fn(&mut T, &T) + Copy {
        let alpha = self.0;
        move |y, &x| *y = alpha * x
    }
}
struct Sums<T>(T, T);
impl<T: Pod + Mul<Output = T> + Add<Output = T>> Each<T, T> for Sums<T> {
    #[inline(always)]
    fn one(&self, _: usize) -> impl Fn(&mut T, &T) + Copy {
        let (alpha, beta) = (self.0, self.1);
        move |y, &x| *y = alpha * x + beta * *y
    }
}
#[derive(Clone, Copy)]
struct ScaledBytes(f32);
impl Each<u8, f32> for ScaledBytes {
    #[inline(always)]
    fn floats<'t>(&self, _: usize, to: &'t mut [f32]) -> Option<Floats<'t>> {
        Some((to, Some((self.0, -0.0))))
    }
    #[inline(always)]
    fn one(&self, _: usize) -> impl Fn(&mut f32, &u8) + Copy {
        let scale = self.0;
        move |y, &x| *y = scale * f32::from(x)
    }
}

/// One row.
struct Row<'a, E, S, D>(&'a mut E, usize, &'a mut [D], &'a [S]);
impl<E: Each<S, D>, S, D> Task for Row<'_, E, S, D> {
    #[inline(always)]
    fn run<V: Register>(self) {
        self.0.row(self.1, self.2, self.3);
    }
}

/// Moves pixels of `C` elements, each element to the row of its channel; the first channel.
pub(crate) struct Pixels<'a, E, S, D, const C: usize>(&'a E, usize, [&'a mut [D]; C], &'a [S]);
impl<E: Each<S, D>, S: Pod, D, const C: usize> Pixels<'_, E, S, D, C> {
    fn run_for(self, nest: &Checked) {
        // Narrower registers are as fast for pixels, and faster where lines are cut.
        let is_narrow = C > 1 && self.0.floats(self.1, &mut []).is_none();
        let widest = if is_narrow { InstructionSet::Avx2 } else { InstructionSet::Avx512 };
        compiled_for(nest, widest, self);
    }
}
/// The threads that run pixels.
pub(crate) trait Threads<E, S, D> {
    fn run<const C: usize>(&self, nest: &Checked, pixels: Pixels<'_, E, S, D, C>);
}
/// This thread.
pub(crate) struct OneThread;
impl<E: Each<S, D>, S: Pod, D> Threads<E, S, D> for OneThread {
    fn run<const C: usize>(&self, nest: &Checked, pixels: Pixels<'_, E, S, D, C>) {
        pixels.run_for(nest);
    }
}
/// All threads of `rayon`, in parts of at most as many elements.
#[cfg(feature = "rayon")]
pub(crate) struct AllThreads(pub(crate) usize);
#[cfg(feature = "rayon")]
impl<E: Each<S, D> + Sync, S: Pod + Sync, D: Send> Threads<E, S, D> for AllThreads {
    fn run<const C: usize>(&self, nest: &Checked, pixels: Pixels<'_, E, S, D, C>) {
        let Pixels(each, channel, mut planes, pixels) = pixels;
        // Parts of a plane are whole lines of memory.
        let at = (pixels.len() / C / 2).next_multiple_of(64);
        if pixels.len() <= self.0 || at * C >= pixels.len() {
            return Pixels(each, channel, planes, pixels).run_for(nest);
        }
        let (first, second) = pixels.split_at(at * C);
        let behind = planes.each_mut().map(|plane| plane.split_off_mut(at..).expect("a part"));
        rayon::join(
            || self.run(nest, Pixels(each, channel, planes, first)),
            || self.run(nest, Pixels(each, channel, behind, second)),
        );
    }
}
impl<E: Each<S, D>, S: Pod, D, const C: usize> Task for Pixels<'_, E, S, D, C> {
    #[inline(always)]
    fn run<V: Register>(self) {
        let Pixels(each, channel, mut planes, pixels) = self;
        let (pixels, _) = pixels.as_chunks::<C>();
        for plane in &mut planes {
            *plane = &mut std::mem::take(plane)[..pixels.len()];
        }
        let are_bytes = V::LANES > 1 && TypeId::of::<S>() == TypeId::of::<u8>();
        if are_bytes && pixels.len() >= 16 && each.floats(channel, &mut []).is_some() {
            let mut rows = channel..;
            let planes = planes.map(|plane| {
                each.floats(rows.next().expect("a row"), plane).expect("numbers of each row")
            });
            return floats::<V, C>(bytemuck::cast_slice(pixels.as_flattened()), planes);
        }
        let ones: [_; C] = std::array::from_fn(|c| each.one(channel + c));
        for (k, pixel) in pixels.iter().enumerate() {
            for c in 0..C {
                ones[c](&mut planes[c][k], &pixel[c]);
            }
        }
    }
}

impl Blocks {
    /// Runs the operation on all rows along `i`, compiled for the instruction set of the loops.
    pub(crate) fn each_row<S: Pod, D, E: Each<S, D>>(
        &self,
        nest: &Checked,
        from: &[S],
        to: &mut [D],
        each: &mut E,
        threads: &impl Threads<E, S, D>,
    ) {
        let Blocks { i, j, outer, first } = self;
        let channels = j.extent;
        if !(E::SINGLY && self.are_pixels()) {
            return self.each(nest.set, from, &mut |t, [_, b], n, rows| {
                for (k, row) in rows.chunks_exact(n).enumerate() {
                    let t = t.wrapping_add_signed(k as isize * j.to);
                    let to = &mut to[t..t + n];
                    if E::SINGLY {
                        Pixels(each, b + k, [to], row).run_for(nest);
                    } else {
                        compiled_for(nest, InstructionSet::Avx512, Row(each, b + k, to, row));
                    }
                }
            });
        }
        let plane = i.extent.max(j.to as usize);
        in_order(outer, first[0], first[1], &mut |s, t| {
            let pixels = &from[s..s + i.extent * channels];
            let mut planes = to[t..].chunks_mut(plane).map(|plane| &mut plane[..i.extent]);
            let mut next = || planes.next().expect("the destination has a row for each channel");
            match channels {
                1 => threads.run(nest, Pixels(each, 0, [next()], pixels)),
                2 => threads.run(nest, Pixels(each, 0, [next(), next()], pixels)),
                3 => threads.run(nest, Pixels(each, 0, [next(), next(), next()], pixels)),
                _ => threads.run(nest, Pixels(each, 0, [next(), next(), next(), next()], pixels)),
            }
        });
    }

    /// Calls `f` with elements of the source in the order of the destination, row after row of `j`:
    /// the offset of the first element in the destination, its coordinates in `i` and `j`, the
    /// length of a row, and the rows.
    pub(crate) fn each<S: Pod>(
        &self,
        set: InstructionSet,
        from: &[S],
        f: &mut impl FnMut(usize, [usize; 2], usize, &[S]),
    ) {
        let Blocks { i, j, outer, first: [first, target] } = self;
        let place = |at: usize, [a, b]: [usize; 2], i_step: isize, j_step: isize| {
            at.wrapping_add_signed(a as isize * i_step + b as isize * j_step)
        };
        if i.from == 1 {
            // Rows of the source, adjacent to one another or not.
            let n = i.extent as isize;
            let many = if j.from == n && j.to == n { j.extent } else { 1 };
            return in_order(outer, *first, *target, &mut |s, t| {
                for b in (0..j.extent).step_by(many) {
                    let s = place(s, [0, b], i.from, j.from);
                    let row = &from[s..s + i.extent * many];
                    f(place(t, [0, b], i.to, j.to), [0, b], i.extent, row);
                }
            });
        }
        let long = (LONG * WIDE / j.extent).clamp(LONG, LONGEST).min(i.extent);
        let wide = (LONG * WIDE / long).clamp(WIDE, LONGEST).min(j.extent);
        let mut gathered = vec![S::zeroed(); long * wide];
        let mut made: Option<([usize; 2], Checked)> = None;
        in_order(outer, *first, *target, &mut |s, t| {
            for b in (0..j.extent).step_by(wide) {
                for a in (0..i.extent).step_by(long) {
                    let (n, m) = (long.min(i.extent - a), wide.min(j.extent - b));
                    let (_, block) = match &mut made {
                        Some(made) if made.0 == [n, m] => made,
                        made => made.insert(([n, m], gathering::<S>(*i, *j, [n, m], set))),
                    };
                    let place_of = place(s, [a, b], i.from, j.from) * size_of::<S>();
                    let part = bytemuck::cast_slice_mut(&mut gathered);
                    block.copy_at(place_of, bytemuck::cast_slice(from), part);
                    f(place(t, [a, b], i.to, j.to), [a, b], n, &gathered[..n * m]);
                }
            }
        });
    }
}

/// The loops that gather a block: rows of `n` steps of `i`, one row for each of `m` steps of `j`.
fn gathering<S>(i: Axis, j: Axis, [n, m]: [usize; 2], set: InstructionSet) -> Checked {
    let axes =
        [Axis { extent: n, from: i.from, to: 1 }, Axis { extent: m, from: j.from, to: n as isize }];
    let axes: Vec<_> = axes.into_iter().filter(|axis| axis.extent > 1).collect();
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
    /// Whether single elements convert as fast as a slice: the conversion is inlined.
    ///
    /// ```
    /// use layout_relayout::ConvertFrom;
    /// assert!(<f32 as ConvertFrom<u8>>::SINGLY);
    /// ```
    const SINGLY: bool = false;

    /// Writes the values of `from` to `to`, which has the same length.
    ///
    /// ```
    /// use layout_relayout::ConvertFrom;
    /// let mut wide = [0.0_f64; 2];
    /// f64::convert_from(&mut wide, &[1.0_f32, -2.0]);
    /// assert_eq!(wide, [1.0, -2.0]);
    /// ```
    fn convert_from(to: &mut [Self], from: &[S]);

    /// The destination of a conversion of bytes to numbers, which a kernel of its own does.
    #[doc(hidden)]
    fn floats_of_bytes(_: &mut [Self]) -> Option<&mut [f32]> {
        None
    }
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
    ($($from:ident $to:ident $(by $floats:ident)?,)*) => { $(
        impl ConvertFrom<$from> for $to {
            const SINGLY: bool = true;
            $(fn $floats(to: &mut [Self]) -> Option<&mut [f32]> {
                Some(to)
            })?
            #[inline(always)]
            fn convert_from(to: &mut [Self], from: &[$from]) {
                to.iter_mut().zip(from).for_each(|(to, &from)| *to = from.into());
            }
        }
    )* };
}
exact! {
    u8 f32 by floats_of_bytes, i8 f32, u16 f32, i16 f32, f32 f64, u8 u16, u8 u32, i8 i32,
}
