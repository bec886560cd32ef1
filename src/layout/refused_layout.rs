//! The result of a refused operation, with which the compiler continues.
//!
//! One mistake is one error. So a refused operation still has a result, a refused layout: every
//! operation on a refused layout, with any operand, gives a refused layout. A program that compiles
//! never makes a value of this type.

use core::fmt::{self, Display, Formatter};
use core::iter::Empty;

use crate::layout::display::Notation;
use crate::layout::flat::{FlatLayout, Modes};
use crate::layout::strided::StridedLayout;
use crate::layout::tiler::TilerEntry;
use crate::layout::traits::{CoordinateOf, Layout, StaticLayout};
use crate::tuple::int_tuple::IntTuple;

/// The layout in place of a refused one. The traits of the operations are implemented for it where
/// they are declared.
#[derive(Clone, Copy, Default)]
#[doc(hidden)]
pub struct RefusedLayout;

#[diagnostic::do_not_recommend]
impl Layout for RefusedLayout {
    type Shape = usize;
    type Stride = usize;
    type Coordinate = usize;
    type Coordinates = Empty<usize>;
    type Offset = usize;
    fn shape(&self) -> usize {
        0
    }
    fn stride(&self) -> usize {
        0
    }
    fn rank(&self) -> usize {
        1
    }
    fn depth(&self) -> usize {
        0
    }
    fn mode_size(&self, _: usize) -> usize {
        0
    }
    fn size(&self) -> usize {
        0
    }
    fn cosize(&self) -> usize {
        0
    }
    fn at(&self, _: usize) -> usize {
        0
    }
    fn locate(&self, _: usize) -> usize {
        0
    }
    fn coords(&self) -> Empty<usize> {
        core::iter::empty()
    }
}
#[diagnostic::do_not_recommend]
impl StaticLayout for RefusedLayout {
    const SIZE: usize = 0;
    const COSIZE: usize = 0;
    const RANK: usize = 1;
    const DEPTH: usize = 0;
    const FLAT: FlatLayout = FlatLayout::strided(Modes::NONE, 0);
}
#[diagnostic::do_not_recommend]
impl<C> CoordinateOf<RefusedLayout> for C {
    fn offset_in(self, _: &RefusedLayout) -> usize {
        0
    }
}
/// A refused layout equals everything: the comparison is no second mistake.
#[diagnostic::do_not_recommend]
impl<T> PartialEq<T> for RefusedLayout {
    fn eq(&self, _: &T) -> bool {
        true
    }
}
#[diagnostic::do_not_recommend]
impl<S: IntTuple, D: IntTuple> PartialEq<RefusedLayout> for StridedLayout<S, D> {
    fn eq(&self, _: &RefusedLayout) -> bool {
        true
    }
}
#[diagnostic::do_not_recommend]
impl Notation for RefusedLayout {
    fn write(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("refused")
    }
}
#[diagnostic::do_not_recommend]
impl TilerEntry for RefusedLayout {
    fn write_entry(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.write(f)
    }
}
#[diagnostic::do_not_recommend]
impl Display for RefusedLayout {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.write(f)
    }
}
debug_as_display! { [] RefusedLayout; }
