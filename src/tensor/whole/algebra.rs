//! The algebra on tensors: the same elements under the layout that an operation gives.
//!
//! ```text
//! op(storage, L) = (storage, op(L))
//! ```
//!
//! Operations that keep the image never reach other elements. A composition may reach fewer;
//! whether it reaches more is checked.

use crate::algebra::LayoutAlgebra;
use crate::algebra::divide::ZippedDivide;
use crate::algebra::modes::by_number::{Group, Grouped};
use crate::algebra::operation::{self, Alone, Gives, Stays};
use crate::algebra::traits::{
    Coalesce, CoalesceBy, Coalesced, Compose, FlatDivide, Flatten, Flattened, LogicalDivide,
    TiledDivide, Transpose, Transposed,
};
use crate::composed::FlipInMemory;
use crate::error::{LayoutError, expect};
use crate::tensor::memory::{Addressable, Storage, Tensor};

macro_rules! binary_on_tensors {
    ($($(#[$doc:meta])* $method:ident; $(#[$try_doc:meta])* $try_method:ident($right:ident): $trait:ident;)*) => {
        $(
            $(#[$doc])*
            #[inline]
            #[track_caller]
            pub fn $method<B>(self, $right: B) -> Tensor<S, <B as Gives<operation::$trait, L>>::Output>
            where
                L: $trait<B, Output: Addressable>,
            {
                expect(self.$try_method($right))
            }
            #[doc = concat!(
                "[`", stringify!($method), "`](Tensor::", stringify!($method), "), with an error in place of a panic."
            )]
            ///
            /// # Errors
            /// Those of the operation on layouts, and `bounds` if the result reaches beyond the
            /// storage.
            $(#[$try_doc])*
            #[inline]
            pub fn $try_method<B>(
                self,
                $right: B,
            ) -> Result<Tensor<S, <B as Gives<operation::$trait, L>>::Output>, LayoutError>
            where
                L: $trait<B, Output: Addressable>,
            {
                self.under::<operation::$trait, B>($right)
            }
        )*
    };
}
macro_rules! gives {
    ($($trait:ident<$($right:ident)?> for $self:ident $operand:ident: $operands:tt;)*) => {
        $(impl<$($right,)? L: $trait$(<$right>)? + Clone> Gives<operation::$trait, L> for $operand {
            type Output = L::Output;
            const STAYS: Stays<L, Self> = L::STAYS;
            #[inline(always)]
            fn give($self, layout: &L) -> Result<L::Output, LayoutError> {
                let left = layout.clone();
                gives!(@ L left $operands)
            }
        })*
    };
    (@ $layout:ident $left:ident ($($right:tt)*)) => { $layout::evaluated($left $(, $right)*) };
}
gives! {
    Coalesce<> for self Alone: ();
    CoalesceBy<B> for self B: (self);
    Compose<B> for self B: (self);
    FlatDivide<B> for self B: (self);
    Flatten<> for self Alone: ();
    LogicalDivide<B> for self B: (self);
    TiledDivide<B> for self B: (self);
    Transpose<> for self Alone: ();
    ZippedDivide<B> for self B: (self);
}
macro_rules! unary_on_tensors {
    ($($(#[$doc:meta])* $method:ident: $trait:ident -> $alias:ident;)*) => {
        $(
            $(#[$doc])*
            #[inline]
            #[track_caller]
            pub fn $method(self) -> Tensor<S, $alias<L>>
            where
                L: $trait<Output: Addressable>,
            {
                expect(self.under::<operation::$trait, Alone>(Alone))
            }
        )*
    };
}

/// # The algebra of layouts, on tensors
///
/// Each method puts the tensor under another layout: the result of the same operation on the
/// tensor's layout. `t.view().coalesce()` does so with a view and leaves `t` as it is.
///
/// What the types know is checked at compile time. With dynamic leaves a method panics with the
/// text of a [`LayoutError`]; its `try_` twin returns the error.
impl<S: Storage, L: Addressable> Tensor<S, L> {
    unary_on_tensors! {
        /// The tensor in the fewest modes. CuTe's `coalesce`.
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// let t = Tensor::fixed([0, 1, 2, 3, 4, 5], layout!((2, 3)));
        /// assert_eq!(*t.coalesce().layout(), layout!(6:1));
        /// ```
        coalesce: Coalesce -> Coalesced;
        /// The tensor with all modes on one level. CuTe's `flatten`.
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// let t = Tensor::fixed([0, 1, 2, 3, 4, 5], layout!(((2, 3), 1)));
        /// assert_eq!(*t.flatten().layout(), layout!((2, 3, 1)));
        /// ```
        flatten: Flatten -> Flattened;
        /// The tensor of rank 2 with its modes swapped: `t.transpose()[(i, j)] == t[(j, i)]`.
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// let t = Tensor::fixed([0, 1, 2, 3, 4, 5], layout!((2, 3)));
        /// assert_eq!(t.transpose()[(2, 1)], 5);
        /// ```
        transpose: Transpose -> Transposed;
    }
    binary_on_tensors! {
        /// The tensor coalesced within each leaf of a profile. CuTe's `coalesce` with a target
        /// profile.
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// let t = Tensor::fixed([0, 1, 2, 3, 4, 5], layout!(((2, 1), 3)));
        /// assert_eq!(*t.coalesce_by((1, 1)).layout(), layout!((2, 3)));
        /// ```
        coalesce_by; try_coalesce_by(profile): CoalesceBy;
        /// The elements that a layout or a tiler names by coordinate:
        /// `t.compose(b)[c] == t[b(c)]`. CuTe's `composition`.
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// let t = Tensor::fixed([0, 1, 2, 3, 4, 5], layout!((2, 3): right));
        /// assert_eq!(t.compose(layout!(2:2)).iter().copied().collect::<Vec<_>>(), [0, 1]);
        /// ```
        compose;
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// let n = 6;
        /// // `n` is the last mode, which has no end: the storage has
        /// let t = Tensor::new(vec![0; 6], layout!(n:1))?;
        /// assert_eq!(t.try_compose(layout!(8:1)).unwrap_err().kind().as_str(), "bounds");
        /// # Ok::<(), LayoutError>(())
        /// ```
        try_compose(right): Compose;
        /// The tensor cut into tiles, mode by mode with a tiler. CuTe's `logical_divide`, but
        /// exact.
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// let t = Tensor::fixed([0, 1, 2, 3, 4, 5], layout!((2, 3): right));
        /// assert_eq!(t.logical_divide(tiler!(1, 3)).shape(), shape!(((1, 2), (3, 1))));
        /// ```
        logical_divide;
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// let n = 6;
        /// let t = Tensor::new(vec![0; 6], layout!(n:1))?;
        /// assert_eq!(t.view().try_logical_divide(int!(3))?.size(), 6);
        /// assert_eq!(t.try_logical_divide(int!(4)).unwrap_err().kind().as_str(), "divisibility");
        /// # Ok::<(), LayoutError>(())
        /// ```
        try_logical_divide(tile): LogicalDivide;
        /// The tensor cut into tiles: mode 0 is a tile, mode 1 counts the tiles. CuTe's
        /// `zipped_divide`, but exact.
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// let t = Tensor::fixed([0, 1, 2, 3, 4, 5, 6, 7], layout!((2, 4)));
        /// let tiles = t.zipped_divide(tiler!(2, 2));
        /// assert_eq!(tiles.slice((.., 1)).iter().copied().collect::<Vec<_>>(), [4, 5, 6, 7]);
        /// ```
        zipped_divide;
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// let n = 6;
        /// let t = Tensor::new(vec![0; 12], layout!((2, n)))?;
        /// assert_eq!(t.view().try_zipped_divide(tiler!(2, 3))?.size(), 12);
        /// assert_eq!(t.try_zipped_divide(tiler!(2, 4)).unwrap_err().kind().as_str(), "divisibility");
        /// # Ok::<(), LayoutError>(())
        /// ```
        try_zipped_divide(tile): ZippedDivide;
        /// [`zipped_divide`](Tensor::zipped_divide) with the rest as modes of its own. CuTe's
        /// `tiled_divide`.
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// let t = Tensor::fixed([0, 1, 2, 3, 4, 5, 6, 7], layout!((2, 4)));
        /// assert_eq!(t.tiled_divide(tiler!(2, 2)).shape(), shape!(((2, 2), 1, 2)));
        /// ```
        tiled_divide;
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// let n = 6;
        /// let t = Tensor::new(vec![0; 12], layout!((2, n)))?;
        /// assert_eq!(t.view().try_tiled_divide(tiler!(2, 3))?.size(), 12);
        /// assert_eq!(t.try_tiled_divide(tiler!(2, 4)).unwrap_err().kind().as_str(), "divisibility");
        /// # Ok::<(), LayoutError>(())
        /// ```
        try_tiled_divide(tile): TiledDivide;
        /// [`zipped_divide`](Tensor::zipped_divide) with all modes on one level. CuTe's
        /// `flat_divide`.
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// let t = Tensor::fixed([0, 1, 2, 3, 4, 5, 6, 7], layout!((2, 4)));
        /// assert_eq!(t.flat_divide(tiler!(2, 2)).shape(), shape!((2, 2, 1, 2)));
        /// ```
        flat_divide;
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// let n = 6;
        /// let t = Tensor::new(vec![0; 12], layout!((2, n)))?;
        /// assert_eq!(t.view().try_flat_divide(tiler!(2, 3))?.size(), 12);
        /// assert_eq!(t.try_flat_divide(tiler!(2, 4)).unwrap_err().kind().as_str(), "divisibility");
        /// # Ok::<(), LayoutError>(())
        /// ```
        try_flat_divide(tile): FlatDivide;
    }

    /// The tensor with mode `I` reversed: the same elements, nothing is copied. The mode may be
    /// nested. Its strides become negative, and the layout begins at the last element of the mode.
    /// A tensor that is flipped twice has its elements where they were.
    ///
    /// `t.flip::<0>()[(i, j)] == t[(n - 1 - i, j)]` where mode 0 has `n` elements
    ///
    /// An image upside down, and turned by a quarter; its rows stay the same slices:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let mut image = Tensor::fixed([1, 2, 3, 4, 5, 6], layout!((2, 3): right));
    /// let upside_down = image.view().flip::<0>();
    /// assert_eq!(upside_down.layout().to_string(), "3 o (_2,_3):(-_3,_1)");
    /// assert_eq!(upside_down.slice((0, ..)).as_slice(), Some(&[4, 5, 6][..]));
    /// let turned = image.view().transpose().flip::<1>(); // clockwise
    /// assert_eq!((turned[(0, 0)], turned[(0, 1)], turned[(2, 1)]), (4, 1, 3));
    /// image.view_mut().flip::<1>().slice_mut((.., 0)).fill(0);
    /// assert_eq!(image.into_storage(), [1, 2, 0, 4, 5, 0]);
    /// ```
    ///
    /// ```compile_fail,E0277
    /// use layout_algebra::prelude::*;
    /// Tensor::fixed([0; 6], layout!((2, 3))).flip::<2>(); // modes are counted from 0
    /// ```
    #[inline]
    #[track_caller]
    pub fn flip<const I: usize>(self) -> Tensor<S, L::InMemory>
    where
        L: FlipInMemory<I, InMemory: Addressable>,
    {
        let flipped = self.layout().clone().flipped_in_memory();
        let flipped =
            flipped.map_err(|fault| LayoutError::new("flip", fault).with_operand(self.layout()));
        expect(self.with_layout(expect(flipped)))
    }

    /// The tensor with the modes `B` to `E - 1` as one mode. CuTe's `group_modes`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::fixed([0, 1, 2, 3, 4, 5, 6, 7], layout!((2, 2, 2)));
    /// assert_eq!(t.group::<0, 2>()[((1, 0), 1)], 5);
    /// ```
    #[inline]
    #[track_caller]
    pub fn group<const B: usize, const E: usize>(self) -> Tensor<S, Grouped<L, B, E>>
    where
        L: Group<B, E, Output: Addressable>,
    {
        let layout = self.layout().group::<B, E>();
        expect(self.with_layout(layout))
    }
}
