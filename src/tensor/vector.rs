//! Copies with the widest vector that both layouts and the alignment allow.
//!
//! ```text
//! R = max_common_layout(source, destination)        what both hold contiguously, in the same order
//! copy: source o (R, R*) to destination o (R, R*), vector by vector          R* = complement(R, size)
//! ```

use crate::algebra::traits::{Complement, Compose, Composition, MaxCommonLayout};
use crate::error::LayoutError;
use crate::layout::strided::StridedLayout;
use crate::layout::traits::Layout;
use crate::tensor::storage::{Addressable, SameShape, StorageMut, StorageOf, Tensor};
use crate::tensor::whole::same_shape;
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::node::{Kind, Node, size};
use crate::tuple::profile::SizeOf;

/// `L: CopyVectors<M>`: what the layouts `L` and `M` both hold contiguously is known, and so is the
/// rest.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::CopyVectors;
/// use static_assertions::assert_type_eq_all;
/// // Both hold the four rows of a column contiguously: eight vectors of four elements.
/// type Order = <Layout!((4, 8):(1, 4)) as CopyVectors<Layout!((4, 8):(1, 10))>>::Order;
/// assert_type_eq_all!(Order, Layout!((4, 8):(1, 4)));
/// ```
#[diagnostic::on_unimplemented(
    message = "what these layouts hold in common is not known at compile time",
    label = "not two layouts of one static shape",
    note = "`copy_from` copies element by element, whatever the layouts are"
)]
pub trait CopyVectors<M>: Addressable {
    /// `(R, R*)`
    type Order: Copy;
    /// `L o (R, R*)`
    type Source: Addressable;
    /// `M o (R, R*)`
    type Destination: Addressable;
    /// Both layouts in the order of vectors, and the power of two that divides the length of `R`
    /// and
    /// all that lies between vectors.
    #[doc(hidden)]
    fn in_vectors(
        self,
        destination: M,
    ) -> Result<(Self::Source, Self::Destination, usize), LayoutError>;
}

#[doc(hidden)]
impl<S, D, T, E, RS, RD, CS, CD, N, SR, DR, TR, ER> CopyVectors<StridedLayout<T, E>>
    for StridedLayout<S, D>
where
    Self: Addressable + MaxCommonLayout<StridedLayout<T, E>, Output = StridedLayout<RS, RD>>,
    S: IntTuple<Node: SizeOf<Output = N>>,
    D: IntTuple,
    T: IntTuple,
    E: IntTuple,
    RS: IntTuple,
    RD: IntTuple,
    CS: IntTuple,
    CD: IntTuple,
    (RS, CS): IntTuple,
    (RD, CD): IntTuple,
    StridedLayout<RS, RD>: Complement<N, Output = StridedLayout<CS, CD>>,
    Self: Compose<StridedLayout<(RS, CS), (RD, CD)>, Output = StridedLayout<SR, DR>>,
    StridedLayout<T, E>: Compose<StridedLayout<(RS, CS), (RD, CD)>, Output = StridedLayout<TR, ER>>,
    StridedLayout<SR, DR>: Addressable,
    StridedLayout<TR, ER>: Addressable,
    SR: IntTuple,
    DR: IntTuple,
    TR: IntTuple,
    ER: IntTuple,
{
    type Order = StridedLayout<(RS, CS), (RD, CD)>;
    type Source = Composition<Self, Self::Order>;
    type Destination = Composition<StridedLayout<T, E>, Self::Order>;
    #[inline]
    fn in_vectors(
        self,
        destination: StridedLayout<T, E>,
    ) -> Result<(Self::Source, Self::Destination, usize), LayoutError> {
        let common = <Self as MaxCommonLayout<_>>::evaluated(self, destination)?;
        let elements = self
            .into_parts()
            .0
            .node()
            .size_of()
            .map_err(|fault| LayoutError::new("copy", fault))?;
        let rest = <StridedLayout<RS, RD> as Complement<N>>::evaluated(common, elements)?;
        let width = common.size();
        let ((rs, rd), (cs, cd)) = (common.into_parts(), rest.into_parts());
        let order = StridedLayout::assemble((rs, cs), (rd, cd));
        let source = <Self as Compose<_>>::evaluated(self, order)?;
        let destination = <StridedLayout<T, E> as Compose<_>>::evaluated(destination, order)?;
        let ((s, d), (t, e)) = (source.into_parts(), destination.into_parts());
        let apart = bits_apart(s.node().tail(), d.node().tail())
            | bits_apart(t.node().tail(), e.node().tail());
        Ok((source, destination, (width | apart).trailing_zeros() as usize))
    }
}

/// The bits of all strides of a tree's modes that move.
#[inline]
fn bits_apart<S: Node, D: Node>(s: S, d: D) -> usize {
    match S::KIND {
        Kind::Nil => 0,
        Kind::Leaf if size(s) == 1 => 0,
        Kind::Leaf => d.leaf(),
        Kind::Cons => bits_apart(s.head(), d.head()) | bits_apart(s.tail(), d.tail()),
    }
}

impl<S: StorageMut<Item: Copy>, L: Addressable> Tensor<S, L> {
    /// Copies every element of a tensor of the same shape, as many at once as both layouts and both
    /// alignments allow, up to 16 bytes. Returns how many that is. CuTe's `copy` with
    /// `AutoVectorizingCopy`.
    ///
    /// `after: self[c] == source[c]`
    ///
    /// # Errors
    /// `profile` if the shapes differ.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let source = Tensor::filled(layout!((8, 4): right), 1_u8);
    /// let mut rows = Tensor::filled(layout!((8, 4):(4, 1)), 0_u8);
    /// assert!(rows.copy_vectors_from(&source)? >= 1);
    /// assert_eq!(rows.iter().map(|x| *x as u32).sum::<u32>(), 32);
    /// let mut columns = Tensor::filled(layout!((8, 4)), 0_u8);
    /// assert_eq!(columns.copy_vectors_from(&source)?, 1); // no two neighbours in both
    /// assert_eq!(columns.iter().map(|x| *x as u32).sum::<u32>(), 32);
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub fn copy_vectors_from<R, M>(&mut self, source: &Tensor<R, M>) -> Result<usize, LayoutError>
    where
        R: StorageOf<S::Item>,
        L: SameShape<M>,
        M: CopyVectors<L>,
    {
        same_shape("copy", self.layout(), source.layout())?;
        if source.size() == 0 {
            return Ok(1);
        }
        let (from, to, most) = source.layout().clone().in_vectors(self.layout().clone())?;
        // The same elements in another order: the storages accept it.
        let source = source.view().with_layout(from)?;
        let mut destination = self.view_mut().with_layout(to)?;
        let mut run = 1 << most.min(4);
        while run > 1 && !destination.aligned_with(&source, run) {
            run /= 2;
        }
        (0..source.size()).step_by(run).for_each(|first| destination.copy_run(&source, first, run));
        Ok(run)
    }
}
