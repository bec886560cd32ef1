//! The plan: the loops, their order, and the kind of stores.

use std::fmt;
use std::sync::OnceLock;

use bytemuck::Pod;
use layout_algebra::{DynComposedLayout, Layout, ToDynamic};

use crate::arrange::nest;
use crate::axes::{Axis, Blocks, Channels, common_axes, cosize, normalize, same_coordinates, text};
use crate::error::RelayoutError;
use crate::kernel::{Checked, Inner, LINE, Reduction};
use crate::machine::{Caches, InstructionSet};

/// The most bytes to keep in a last cache of any size: many cores share this cache. On a Xeon with
/// 300 MiB, a limit of 150 MiB lowered the mean of the peers' table from 2.25 of HPTT to 1.33.
const LARGEST_KEPT: usize = 16 << 20;

/// From this number of bytes read and written on, all threads run a plan. The best of rounds, three
/// times, of squares of f32 on two cores of an EPYC (Zen 4), GB/s (`peers side`; waking threads
/// takes 12 microseconds and more):
///
/// | read and written | 64 KiB | 256 KiB | 1 MiB | 2 MiB | 4 MiB | 8 MiB | 16 MiB | 32 MiB | 64 MiB | 128 MiB |
/// |---|---|---|---|---|---|---|---|---|---|---|
/// | one thread | 49 to 60 | 62 to 66 | 50 to 63 | 39 to 44 | 51 to 66 | 23 | 29 to 43 | 17 to 19 | 25 to 36 | 17 to 18 |
/// | two threads | 5 | 14 to 17 | 25 to 31 | 31 to 33 | 54 to 55 | 21 to 35 | 33 to 40 | 28 | 32 to 37 | 22 to 24 |
#[cfg(feature = "rayon")]
const PARALLEL_FROM: usize = 4 << 20;
/// A part of less than a 32nd of these bytes does not pay for a thread.
#[cfg(feature = "rayon")]
const PARTS: usize = 32;

/// A plan to move all elements from one layout to another.
///
/// Law: after [`run`](Self::run), `to[T(i)] == from[F(i)]` for all `i < size(F)`, and no other
/// element of `to` has changed. If two coordinates of `T` share an element, the coordinate of the
/// larger number decides, as in [`copy_from`](layout_algebra::Tensor::copy_from).
///
/// A plan serves all slices under its two layouts. `{}` prints the loops:
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_relayout::{InstructionSet, Relayout};
/// // 8 images of 64 channels of 112 x 112, NCHW to NHWC: coordinates (n, c, h, w).
/// let (nchw, nhwc) = (layout!((8, 64, 112, 112): right), layout!((8, 64, 112, 112):(802816, 1, 7168, 64)));
/// let plan = Relayout::plan(&nchw, &nhwc, size_of::<f32>())?;
/// let text = plan.with_instruction_set(InstructionSet::Portable)?.with_streaming(false).to_string();
/// assert_eq!(
///     text,
///     "for 8: +3211264 from, +3211264 to\n\
///      \x20 transpose 64 x 12544 of 4 bytes in registers: +50176 from, +256 to; with no instruction set\n"
/// );
/// # Ok::<(), layout_relayout::RelayoutError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Relayout {
    pub(crate) from: DynComposedLayout,
    pub(crate) to: DynComposedLayout,
    /// The elements that a slice under either layout needs.
    pub(crate) cosizes: [usize; 2],
    /// The bytes of an element.
    element: usize,
    /// The bytes read and written from which on all threads run.
    #[cfg(feature = "rayon")]
    parallel_from: usize,
    pub(crate) way: Way,
    /// The first mode of channels that was asked for.
    pub(crate) channels: OnceLock<(usize, Channels)>,
    /// The loops of a reduction, computed at the first use.
    pub(crate) reduction: OnceLock<Option<Reduction>>,
}

#[derive(Clone, Debug)]
pub(crate) enum Way {
    /// There are no bytes to move.
    Nothing,
    /// The loops may run in any order: the loops over bytes, and the loops over elements, the
    /// shortest step in the destination first, with the offsets of the first coordinate.
    Loops { nest: Box<Checked>, axes: Vec<Axis>, blocks: Option<Blocks>, from: usize, to: usize },
    /// The order of the coordinates matters: two of the destination may share an element.
    InOrder { from: usize, to: usize, axes: Vec<Axis>, set: InstructionSet },
    /// Each offset is computed: the offsets are not sums of strides.
    EachCoordinate,
}

impl Relayout {
    /// The plan from the layout `from` to the layout `to`, of elements of `element` bytes.
    ///
    /// The layouts may be static, dynamic or swizzled. Their shapes must have the same coordinates,
    /// mode by mode: an integer mode `n` matches any mode of size `n`, as in `(12,5)` and
    /// `((4,3),5)`. A layout that equals an offset and strides is planned by these strides,
    /// whatever its kind.
    ///
    /// The layout of a view counts from the view's first element: its plan runs on a slice that
    /// begins there, not on the whole buffer. [`relayout_from`](crate::RelayoutFrom::relayout_from)
    /// takes views themselves.
    ///
    /// # Errors
    /// If the shapes do not have the same coordinates, if the bytes of a layout exceed `isize`, and
    /// if the number of bytes to move exceeds `isize`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_relayout::Relayout;
    /// let panels = layout!(((4, 3), 5):((1, 20), 4)); // panels of 4 rows
    /// let plan = Relayout::plan(&layout!((12, 5): right), &panels, size_of::<u16>())?;
    /// let (from, mut to) = (Vec::from_iter(0..60_u16), [0; 60]);
    /// plan.run(&from, &mut to)?;
    /// assert_eq!(to[..8], [0, 5, 10, 15, 1, 6, 11, 16]);
    /// assert!(Relayout::plan(&layout!((12, 5)), &layout!((5, 12)), 2).is_err());
    ///
    /// // Columns 4 and 5 of 12 rows begin at element 3 of the buffer.
    /// let rows = Tensor::new(&from[..], layout!((12, 5): right))?;
    /// let window = rows.window((0, 3), (12, 2));
    /// Relayout::plan(window.layout(), &layout!((12, 2)), 2)?.run(&from[3..], &mut to)?;
    /// assert_eq!(to[..4], [3, 8, 13, 18]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn plan<F, T>(from: &F, to: &T, element: usize) -> Result<Self, RelayoutError>
    where
        F: ToDynamic<Dynamic: Into<DynComposedLayout>>,
        T: ToDynamic<Dynamic: Into<DynComposedLayout>>,
    {
        let (from, to) = (from.to_dynamic().into(), to.to_dynamic().into());
        same_coordinates(&from, &to)?;
        Self::of(from, to, element)
    }

    /// The plan of a reshape: coordinates are paired by their numbers, the leftmost mode the
    /// fastest, whatever the shapes are. If the extents have no common refinement, as those of
    /// `(4,6):(6,1)` and `(6,4):(4,1)`, the plan computes each offset.
    ///
    /// Law: `to[T(i)] == from[F(i)]` for all `i < size(F)`. Equal to [`plan`](Self::plan) where
    /// `plan` has a result.
    ///
    /// # Errors
    /// If the sizes differ; and as [`plan`](Self::plan), except for the shapes.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_relayout::Relayout;
    /// let plan = Relayout::plan_by_number(&layout!((2, 6): right), &layout!((4, 3)), size_of::<u8>())?;
    /// let mut to = [0; 12];
    /// plan.run(b"abcdefghijkl", &mut to)?;
    /// assert_eq!(&to, b"agbhcidjekfl");
    /// assert!(Relayout::plan_by_number(&layout!(12), &layout!(13), 2).is_err());
    /// # Ok::<(), layout_relayout::RelayoutError>(())
    /// ```
    pub fn plan_by_number<F, T>(from: &F, to: &T, element: usize) -> Result<Self, RelayoutError>
    where
        F: ToDynamic<Dynamic: Into<DynComposedLayout>>,
        T: ToDynamic<Dynamic: Into<DynComposedLayout>>,
    {
        Self::of(from.to_dynamic().into(), to.to_dynamic().into(), element)
    }

    fn of(
        from: DynComposedLayout,
        to: DynComposedLayout,
        element: usize,
    ) -> Result<Self, RelayoutError> {
        if from.size() != to.size() {
            let why = format!("their sizes are {} and {}", from.size(), to.size());
            return Err(RelayoutError::Shapes { from: text(&from), to: text(&to), why });
        }
        let cosizes = [few_enough(&from, element)?, few_enough(&to, element)?];
        let moved = cosizes[0].saturating_add(cosizes[1]).saturating_mul(element);
        let way = match common_axes(&from, &to) {
            _ if from.size() == 0 || element == 0 => Way::Nothing,
            None => Way::EachCoordinate,
            Some((first, second, axes)) => {
                let (mut place, mut target, mut sorted) = (first, second, axes.clone());
                if normalize(&mut sorted, &mut place, &mut target) {
                    let stream = moved > (Caches::of_this_machine().last / 2).min(LARGEST_KEPT);
                    let nest =
                        nest(&sorted, element, [place, target], InstructionSet::detect(), stream);
                    let blocks = Blocks::of(&sorted, [place, target]);
                    Way::Loops {
                        nest: Box::new(nest),
                        axes: sorted,
                        blocks,
                        from: place,
                        to: target,
                    }
                } else {
                    Way::InOrder { from: first, to: second, axes, set: InstructionSet::detect() }
                }
            }
        };
        Ok(Relayout {
            from,
            to,
            cosizes,
            element,
            #[cfg(feature = "rayon")]
            parallel_from: PARALLEL_FROM,
            way,
            channels: OnceLock::new(),
            reduction: OnceLock::new(),
        })
    }

    /// The plan with the instructions of `set`, for tests.
    ///
    /// # Errors
    /// If this processor does not have the instruction set.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_relayout::{InstructionSet, Relayout};
    /// let plan = Relayout::plan(&layout!((8, 8)), &layout!((8, 8): right), 4)?;
    /// assert!(plan.with_instruction_set(InstructionSet::Portable).is_ok());
    /// # Ok::<(), layout_relayout::RelayoutError>(())
    /// ```
    pub fn with_instruction_set(mut self, set: InstructionSet) -> Result<Self, RelayoutError> {
        if !set.is_available() {
            return Err(RelayoutError::Unavailable(set));
        }
        match &mut self.way {
            Way::Loops { nest, .. } => **nest = nest.with(|nest| nest.set = set),
            Way::InOrder { set: own, .. } => *own = set,
            Way::Nothing | Way::EachCoordinate => {}
        }
        Ok(self)
    }

    /// The plan with stores that bypass the cache, or without. By default, stores bypass the cache
    /// if the elements of both slices together exceed half of the last cache, or 16 MiB.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_relayout::Relayout;
    /// let plan = Relayout::plan(&layout!((8, 256)), &layout!((8, 256): right), 4)?.with_streaming(true);
    /// assert!(plan.to_string().contains("streamed"));
    /// # Ok::<(), layout_relayout::RelayoutError>(())
    /// ```
    pub fn with_streaming(mut self, stream: bool) -> Self {
        if let Way::Loops { nest, .. } = &mut self.way {
            **nest = nest.with(|nest| nest.stream = stream);
        }
        self
    }

    /// The plan, with a threshold: [`run_parallel`](Self::run_parallel) and its like use all threads
    /// if they read and write at least this many bytes together, in parts of at least a 32nd of
    /// these bytes. The default is 4 MiB: for less, waking threads takes longer than they save.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_relayout::Relayout;
    /// let plan = Relayout::plan(&layout!((256, 64): right), &layout!((256, 64)), 4)?.with_parallel_from(0);
    /// let (from, mut to) = (vec![7; 256 * 64], vec![0; 256 * 64]);
    /// plan.run_parallel(&from, &mut to)?;
    /// assert_eq!(from, to);
    /// # Ok::<(), layout_relayout::RelayoutError>(())
    /// ```
    #[cfg(feature = "rayon")]
    pub fn with_parallel_from(self, bytes: usize) -> Self {
        Relayout { parallel_from: bytes, ..self }
    }

    /// Moves the elements.
    ///
    /// # Errors
    /// If the size of an element is not the plan's, or a slice is shorter than the cosize of its
    /// layout. Nothing has been written then.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_relayout::Relayout;
    /// let plan = Relayout::plan(&layout!((2, 3): right), &layout!((2, 3):(1, 4)), 1)?;
    /// let mut to = [9_u8; 10];
    /// plan.run(b"abcdef", &mut to)?;
    /// assert_eq!(to, [b'a', b'd', 9, 9, b'b', b'e', 9, 9, b'c', b'f']);
    /// assert!(plan.run(b"abcde", &mut to).is_err());
    /// # Ok::<(), layout_relayout::RelayoutError>(())
    /// ```
    pub fn run<T: Pod>(&self, from: &[T], to: &mut [T]) -> Result<(), RelayoutError> {
        self.check(from, to)?;
        match &self.way {
            Way::Nothing => {}
            Way::Loops { nest, .. } => {
                nest.copy(bytemuck::cast_slice(from), bytemuck::cast_slice_mut(to))
            }
            _ => self.each_pair(|f, t| to[t] = from[f]),
        }
        Ok(())
    }

    /// [`run`](Self::run) on all threads of `rayon`; on this thread alone if the plan reads and
    /// writes less than 4 MiB together (or less than
    /// [`with_parallel_from`](Self::with_parallel_from) sets), and if coordinates of the
    /// destination might share elements.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_relayout::Relayout;
    /// let plan = Relayout::plan(&layout!((512, 512): right), &layout!((512, 512)), 4)?;
    /// let (from, mut to) = (Vec::from_iter(0..512 * 512), vec![0; 512 * 512]);
    /// plan.run_parallel(&from, &mut to)?;
    /// assert!((0..512 * 512).all(|at| to[at] == (at % 512 * 512 + at / 512) as i32));
    /// # Ok::<(), layout_relayout::RelayoutError>(())
    /// ```
    #[cfg(feature = "rayon")]
    pub fn run_parallel<T: Pod>(&self, from: &[T], to: &mut [T]) -> Result<(), RelayoutError> {
        let (Way::Loops { nest, .. }, Some(part)) = (&self.way, self.part(self.element)) else {
            return self.run(from, to);
        };
        self.check(from, to)?;
        let (from, to) = (bytemuck::cast_slice(from), bytemuck::cast_slice_mut(to));
        nest.copy_parallel(from, to, part * self.element);
        Ok(())
    }

    /// The most elements of a part that a thread runs, if each has `written` bytes in the
    /// destination; `None` if there are too few for threads.
    #[cfg(feature = "rayon")]
    pub(crate) fn part(&self, written: usize) -> Option<usize> {
        let (size, bytes) = (self.from.size(), (self.element + written).max(1));
        let is_long = size.saturating_mul(bytes) >= self.parallel_from;
        let least = (self.parallel_from / PARTS / bytes).max(1);
        is_long.then(|| (size / (2 * rayon::current_num_threads())).max(least))
    }

    pub(crate) fn check<S, T>(&self, from: &[S], to: &[T]) -> Result<(), RelayoutError> {
        if size_of::<S>() != self.element {
            return Err(RelayoutError::Element { planned: self.element, given: size_of::<S>() });
        }
        enough("source", self.cosizes[0], from.len())?;
        enough("destination", self.cosizes[1], to.len())
    }

    /// Calls `f` with both offsets of every coordinate, in the order of the coordinates.
    pub(crate) fn each_pair(&self, mut f: impl FnMut(usize, usize)) {
        match &self.way {
            Way::Nothing if self.element != 0 => {}
            Way::InOrder { from, to, axes, .. } => in_order(axes, *from, *to, &mut f),
            _ => (0..self.from.size()).for_each(|i| f(self.from.at(i), self.to.at(i))),
        }
    }
}

/// The cosize of a layout of the plan.
///
/// # Errors
/// If the bytes of the layout exceed `isize`, or the bytes to move, which a stride of 0 repeats.
pub(crate) fn few_enough(
    layout: &DynComposedLayout,
    element: usize,
) -> Result<usize, RelayoutError> {
    let fits = |count: usize| {
        count.checked_mul(element.max(1)).is_some_and(|bytes| isize::try_from(bytes).is_ok())
    };
    let cosize = cosize(layout)?;
    match (fits(cosize), fits(layout.size())) {
        (true, true) => Ok(cosize),
        (true, false) => {
            Err(RelayoutError::Count { layout: text(layout), size: layout.size(), element })
        }
        (false, _) => Err(RelayoutError::Overflow { layout: text(layout), element }),
    }
}

#[inline]
pub(crate) fn enough(of: &'static str, cosize: usize, length: usize) -> Result<(), RelayoutError> {
    if length < cosize { Err(RelayoutError::Length { of, cosize, length }) } else { Ok(()) }
}

/// All steps of the given loops; the first loop is the innermost.
pub(crate) fn in_order(axes: &[Axis], from: usize, to: usize, f: &mut impl FnMut(usize, usize)) {
    let Some((last, within)) = axes.split_last() else { return f(from, to) };
    for at in 0..last.extent as isize {
        in_order(
            within,
            from.wrapping_add_signed(at * last.from),
            to.wrapping_add_signed(at * last.to),
            f,
        );
    }
}

/// The loops, the outermost first, with their steps in bytes.
impl fmt::Display for Relayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nest = match &self.way {
            Way::Nothing => return writeln!(f, "nothing to move"),
            Way::InOrder { .. } => {
                return writeln!(
                    f,
                    "{} elements in the order of coordinates, which may share places",
                    self.from.size()
                );
            }
            Way::EachCoordinate => {
                return writeln!(f, "{} elements, one offset after the other", self.from.size());
            }
            Way::Loops { nest, .. } => nest,
        };
        let mut depth = 0;
        let mut line = |f: &mut fmt::Formatter<'_>, axis: &Axis| {
            let Axis { extent, from, to } = axis;
            depth += 2;
            writeln!(f, "{:1$}for {extent}: {from:+} from, {to:+} to", "", depth - 2)
        };
        for axis in nest.outer.iter().rev() {
            line(f, axis)?;
        }
        let streams = if nest.stream {
            format!(", streamed by lines of {LINE} bytes")
        } else {
            String::new()
        };
        let what = match nest.inner {
            Inner::Transpose { unit, i, j } => {
                let times = |first: usize, longer: &[Axis]| {
                    let more: Vec<_> =
                        longer.iter().map(|axis| format!(" * {}", axis.extent)).collect();
                    format!("{first}{}", more.concat())
                };
                let (rows, columns) =
                    (times(i.extent, &nest.longer[0]), times(j.extent, &nest.longer[1]));
                let (from, to) = (i.from, j.to);
                format!(
                    "transpose {rows} x {columns} of {unit} bytes in registers: {from:+} from, {to:+} to{streams}; with {}",
                    nest.set
                )
            }
            Inner::Rows { bytes: row, i, j } | Inner::Elements { unit: row, i, j } => {
                for axis in [j, i].iter().filter(|axis| axis.extent > 1) {
                    line(f, axis)?;
                }
                match nest.inner {
                    Inner::Rows { .. } => format!("{row} bytes side by side{streams}"),
                    _ => format!("an element of {row} bytes"),
                }
            }
        };
        writeln!(f, "{:1$}{what}", "", depth)
    }
}
