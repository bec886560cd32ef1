//! Reductions along modes: the stride of the destination is 0 in the reduced modes.

use std::ops::Add;

use bytemuck::Pod;

use layout_algebra::Layout;

use crate::axes::{text, without_zeros};
use crate::error::RelayoutError;
use crate::kernel::Reduction;
use crate::machine::InstructionSet;
use crate::plan::{Relayout, Way, enough, few_enough};

/// The most bytes of an element of which several are reduced at once: they are on the stack.
const LARGEST: usize = 64;

impl Relayout {
    /// Reduces the elements of each coordinate of the destination with `f`, from the destination's
    /// value on. The reduced modes have the stride 0 in the destination.
    ///
    /// Law: `after: to[t] = f(.. f(f(to[t], from[F(i)]), from[F(j)]) ..)` over all `i, j, ..` with
    /// `T(i) = t`, in any order and with any parentheses: `f` is to be associative and commutative.
    /// Sums of floating-point numbers are rounded in another order than that of the coordinates,
    /// and in the same order each time.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_relayout::Relayout;
    /// let plan = Relayout::plan(&layout!((2, 3): right), &layout!((2, 3):(1, 0)), size_of::<u64>())?;
    /// let mut products = [1, 10];
    /// plan.reduce(&[1_u64, 2, 3, 4, 5, 6], &mut products, |x, y| x * y)?;
    /// assert_eq!(products, [6, 1200]);
    /// # Ok::<(), layout_relayout::RelayoutError>(())
    /// ```
    pub fn reduce<T: Pod>(
        &self,
        from: &[T],
        to: &mut [T],
        f: impl Fn(T, T) -> T,
    ) -> Result<(), RelayoutError> {
        self.check(from, to)?;
        match self.reduction().filter(|_| size_of::<T>() <= LARGEST) {
            Some(reduction) => reduction.run(self.set(), from, to, f),
            None => self.each_pair(|s, t| to[t] = f(to[t], from[s])),
        }
        Ok(())
    }

    /// The sums of the elements of each coordinate of the destination: [`reduce`](Self::reduce)
    /// with `+` from 0. The sum over an empty mode, whose stride is 0 in the destination, is 0.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_relayout::Relayout;
    /// let rows = layout!((2, 3): right);
    /// let (mut of_rows, mut of_columns) = ([0; 2], [0; 3]);
    /// Relayout::plan(&rows, &layout!((2, 3):(1, 0)), 4)?.sum(&[1, 2, 3, 4, 5, 6], &mut of_rows)?;
    /// Relayout::plan(&rows, &layout!((2, 3):(0, 1)), 4)?.sum(&[1, 2, 3, 4, 5, 6], &mut of_columns)?;
    /// assert_eq!((of_rows, of_columns), ([6, 15], [5, 7, 9]));
    /// let n = 0;
    /// Relayout::plan(&layout!((2, n): right), &layout!((2, n):(1, 0)), 4)?.sum(&[], &mut of_rows)?;
    /// assert_eq!(of_rows, [0, 0]);
    /// # Ok::<(), layout_relayout::RelayoutError>(())
    /// ```
    pub fn sum<T: Pod + Add<Output = T>>(
        &self,
        from: &[T],
        to: &mut [T],
    ) -> Result<(), RelayoutError> {
        self.check(from, to)?;
        if self.to.size() == 0 {
            let kept = without_zeros(&self.to)?;
            enough("destination", few_enough(&kept, size_of::<T>())?, to.len())?;
            (0..kept.size()).for_each(|i| to[kept.at(i)] = T::zeroed());
            return Ok(());
        }
        self.begin(to, |_| T::zeroed());
        self.reduce(from, to, |x, y| x + y)
    }

    /// The largest element of each coordinate of the destination. An element that does not compare
    /// with itself, as NaN, is passed over: NaN remains where a coordinate has nothing else.
    ///
    /// # Errors
    /// As [`run`](Self::run), and if the reduced mode is empty: an empty set has no largest
    /// element.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_relayout::Relayout;
    /// let mut largest = [0.0_f32; 2];
    /// let plan = Relayout::plan(&layout!((2, 3): right), &layout!((2, 3):(1, 0)), 4)?;
    /// plan.max(&[-3.0, -1.0, -2.0, 5.0, 7.0, 6.0], &mut largest)?;
    /// assert_eq!(largest, [-1.0, 7.0]);
    /// # Ok::<(), layout_relayout::RelayoutError>(())
    /// ```
    pub fn max<T: Pod + PartialOrd>(&self, from: &[T], to: &mut [T]) -> Result<(), RelayoutError> {
        self.check(from, to)?;
        if self.to.size() == 0 && without_zeros(&self.to)?.size() > 0 {
            return Err(RelayoutError::Empty { to: text(&self.to) });
        }
        self.begin(to, |s| from[s]);
        self.reduce(from, to, |x, y| if y > x || x.partial_cmp(&x).is_none() { y } else { x })
    }

    /// Writes a first value to each coordinate of the destination: a function of the offset of one
    /// of its elements in the source.
    fn begin<T: Copy>(&self, to: &mut [T], value: impl Fn(usize) -> T) {
        match self.reduction() {
            Some(reduction) => reduction.each_result(|s, t| to[t] = value(s)),
            None => self.each_pair(|s, t| to[t] = value(s)),
        }
    }

    /// The loops, computed at the first use; `None` if two kept coordinates might share an element
    /// of the destination.
    fn reduction(&self) -> Option<&Reduction> {
        let of = || match &self.way {
            Way::Loops { axes, from, to, .. } | Way::InOrder { axes, from, to, .. } => {
                Reduction::of(axes, [*from, *to])
            }
            Way::Nothing | Way::EachCoordinate => None,
        };
        self.reduction.get_or_init(of).as_ref()
    }

    fn set(&self) -> InstructionSet {
        match &self.way {
            Way::Loops { nest, .. } => nest.set,
            Way::InOrder { set, .. } => *set,
            Way::Nothing | Way::EachCoordinate => InstructionSet::detect(),
        }
    }
}
