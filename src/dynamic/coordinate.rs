//! Coordinates and offsets.
//!
//! ```text
//! crd2idx(c, s:d) = c * d
//!         crd2idx((c0,..), (s0,..):(d0,..)) = sum crd2idx(c_i, s_i:d_i)
//! idx2crd(i, (s0,..,sk)) = (i % s0, (i / s0) % s1, .., i / (s0 * .. * s(k-1)))
//! ```
//!
//! Colexicographic: the leftmost mode is the fastest. The last mode takes the whole quotient, so
//! domains extend to the right. In a nested shape that is the last leaf, and every other leaf gets
//! its digit, nested or not: one loop over the leaves does it.

use alloc::format;
use alloc::string::String;

use super::kinds::modes as mixed;
use super::layout::{DynLayout, View, ViewModes};
use super::relations::for_each_leaf;
use super::shape::{DynShape, product};
use super::tree::NumberList;
use crate::error::{Fault, LayoutError, expect};
use crate::number::table::Number;

/// What [`DynLayout::index`] takes: a number, a tuple `(i, j)` or an array `[i, j]` with one item
/// for each mode, nested as the shape is or less deep, or a `&DynShape`.
///
/// Law: a coordinate weakly matches the shape; a number in place of a tuple is split by `idx2crd`.
///
/// ```
/// # use layout_algebra::prelude::*;
/// let l: DynLayout = "(4,(2,3)):(1,(12,4))".parse()?;
/// let nested: DynShape = "(3,(1,1))".parse()?;
/// assert_eq!([l.index(15), l.index((3, 3)), l.index([3, 3])], [19, 19, 19]);
/// assert_eq!([l.index((3, (1, 1))), l.index(&nested)], [19, 19]);
/// # Ok::<(), LayoutError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "this is not a coordinate of a `DynLayout`",
    label = "`{Self}`: neither a number, nor a tuple or an array of such, nor a `&DynShape`",
    note = "write `5`, `(1, 2)`, `[1, 2]` or, nested, `(1, (0, 2))`; a number is a `usize`: write `i as usize` for \
            another integer"
)]
pub trait DynCoordinate: sealed::Offset {}

#[diagnostic::do_not_recommend]
impl<C: sealed::Offset> DynCoordinate for C {}

pub(crate) mod sealed {
    use super::*;

    pub trait Offset: Copy {
        /// Whether the coordinate is a number.
        const IS_NUMBER: bool = false;

        /// The number, if the coordinate is one.
        #[inline]
        fn number(self) -> usize {
            0
        }

        /// The offset of this coordinate; no extent of `layout` is 0.
        fn offset(self, layout: View<'_>) -> Result<usize, Fault>;

        /// The same without the reason of an error, which is larger than an offset: what loops over
        /// coordinates call.
        #[inline]
        fn quick_offset(self, layout: View<'_>) -> Option<usize> {
            self.offset(layout).ok()
        }

        /// Whether the coordinate matches the shape, and each number is below the size of the part
        /// that it counts in.
        fn within(self, layout: View<'_>) -> bool;

        /// The text of the coordinate, for an error.
        fn print(self) -> String;
    }
}
use sealed::Offset;

/// `idx2crd`, then the dot product with the strides; the last leaf takes the whole quotient.
#[inline]
pub(crate) fn offset_of_number(
    mut number: usize,
    shape: &[usize],
    stride: &[usize],
) -> Option<usize> {
    let last = shape.len() - 1;
    let mut offset = 0usize;
    for (&extent, &step) in shape[..last].iter().zip(stride) {
        if number == 0 {
            return Some(offset);
        }
        offset = offset.checked_add((number % extent).checked_mul(step)?)?;
        number /= extent;
    }
    offset.checked_add(number.checked_mul(stride[last])?)
}

/// The offset of one number for each mode.
#[inline]
fn offset_of_tuple(coordinate: &[usize], layout: View<'_>) -> Result<usize, Fault> {
    let rank = coordinate.len();
    if layout.profile[0] as usize != rank || rank == 0 {
        return Err(Fault::NotWeaklyCongruent);
    }
    let mut offset = 0usize;
    if layout.profile.len() == rank + 1 {
        for (&number, &step) in coordinate.iter().zip(layout.stride) {
            let term = number.checked_mul(step).ok_or(Fault::Overflow)?;
            offset = offset.checked_add(term).ok_or(Fault::Overflow)?;
        }
        return Ok(offset);
    }
    for (&number, mode) in coordinate.iter().zip(layout.modes()) {
        let term = offset_of_number(number, mode.shape, mode.stride).ok_or(Fault::Overflow)?;
        offset = offset.checked_add(term).ok_or(Fault::Overflow)?;
    }
    Ok(offset)
}

/// Whether a number counts an element of a mode. Checked, so that memory safety does not depend on
/// how the layout was made.
fn number_within(number: usize, mode: View<'_>) -> bool {
    product(mode.shape).is_some_and(|extent| number < extent)
}

/// The modes of a layout that a tuple of `rank` items is a coordinate of.
#[inline]
fn modes_of(layout: View<'_>, rank: usize) -> Option<ViewModes<'_>> {
    (rank > 0 && layout.profile[0] as usize == rank).then(|| layout.modes())
}

/// The offset of one coordinate for each mode.
fn offset_of_items(items: impl IntoIterator<Item = Result<usize, Fault>>) -> Result<usize, Fault> {
    items.into_iter().try_fold(0usize, |sum, term| sum.checked_add(term?).ok_or(Fault::Overflow))
}

/// A tuple in text.
fn print_items(items: impl IntoIterator<Item = String>) -> String {
    let mut text = String::from("(");
    for (k, item) in items.into_iter().enumerate() {
        if k > 0 {
            text.push(',');
        }
        text += &item;
    }
    text + ")"
}

impl<N: Number> Offset for N {
    const IS_NUMBER: bool = true;

    #[inline]
    fn number(self) -> usize {
        self.get()
    }

    #[inline]
    fn offset(self, layout: View<'_>) -> Result<usize, Fault> {
        offset_of_number(self.get(), layout.shape, layout.stride).ok_or(Fault::Overflow)
    }

    #[inline]
    fn quick_offset(self, layout: View<'_>) -> Option<usize> {
        offset_of_number(self.get(), layout.shape, layout.stride)
    }

    fn within(self, layout: View<'_>) -> bool {
        number_within(self.get(), layout)
    }

    fn print(self) -> String {
        format!("{}", self.get())
    }
}

impl Offset for &[usize] {
    #[inline]
    fn offset(self, layout: View<'_>) -> Result<usize, Fault> {
        offset_of_tuple(self, layout)
    }

    fn within(self, layout: View<'_>) -> bool {
        modes_of(layout, self.len()).is_some_and(|modes| {
            self.iter().zip(modes).all(|(&number, mode)| number_within(number, mode))
        })
    }

    fn print(self) -> String {
        print_items(self.iter().map(|number| number.print()))
    }
}

impl<C: Offset, const N: usize> Offset for [C; N] {
    #[inline]
    fn offset(self, layout: View<'_>) -> Result<usize, Fault> {
        if C::IS_NUMBER {
            return offset_of_tuple(&self.map(C::number), layout);
        }
        let modes = modes_of(layout, N).ok_or(Fault::NotWeaklyCongruent)?;
        offset_of_items(self.into_iter().zip(modes).map(|(item, mode)| item.offset(mode)))
    }

    #[inline]
    fn quick_offset(self, layout: View<'_>) -> Option<usize> {
        // As many leaves as numbers, and one node more: a flat tuple.
        match layout.stride.first_chunk::<N>() {
            Some(stride)
                if C::IS_NUMBER && layout.stride.len() == N && layout.profile.len() == N + 1 =>
            {
                let mut offset = 0usize;
                for (number, &step) in self.iter().zip(stride) {
                    offset = offset.checked_add(number.number().checked_mul(step)?)?;
                }
                Some(offset)
            }
            // The numbers stay in registers above, since it is a copy of them whose address is
            // taken.
            _ => core::array::from_fn::<C, N, _>(|k| self[k]).offset(layout).ok(),
        }
    }

    #[inline]
    fn within(self, layout: View<'_>) -> bool {
        match layout.shape.first_chunk::<N>() {
            Some(shape)
                if C::IS_NUMBER && layout.shape.len() == N && layout.profile.len() == N + 1 =>
            {
                self.iter().zip(shape).all(|(number, extent)| number.number() < *extent)
            }
            _ => modes_of(layout, N).is_some_and(|modes| {
                self.into_iter().zip(modes).all(|(item, mode)| item.within(mode))
            }),
        }
    }

    fn print(self) -> String {
        print_items(self.into_iter().map(C::print))
    }
}

macro_rules! coordinate_tuples {
    ($($Item:ident $item:ident)+) => {
        impl<$($Item: Offset),+> Offset for ($($Item,)+) {
            #[inline]
            fn offset(self, layout: View<'_>) -> Result<usize, Fault> {
                let ($($item,)+) = self;
                if $($Item::IS_NUMBER)&&+ {
                    return offset_of_tuple(&[$($item.number()),+], layout);
                }
                let mut modes = modes_of(layout, [$(stringify!($item)),+].len()).ok_or(Fault::NotWeaklyCongruent)?;
                offset_of_items([$($item.offset(modes.next().ok_or(Fault::NotWeaklyCongruent)?)),+])
            }

            #[inline]
            fn quick_offset(self, layout: View<'_>) -> Option<usize> {
                let ($($item,)+) = self;
                if $($Item::IS_NUMBER)&&+ {
                    return [$($item.number()),+].quick_offset(layout);
                }
                self.offset(layout).ok()
            }

            #[inline]
            fn within(self, layout: View<'_>) -> bool {
                let ($($item,)+) = self;
                if $($Item::IS_NUMBER)&&+ {
                    return [$($item.number()),+].within(layout);
                }
                let modes = modes_of(layout, [$(stringify!($item)),+].len());
                modes.is_some_and(|mut modes| $(modes.next().is_some_and(|mode| $item.within(mode)))&&+)
            }

            fn print(self) -> String {
                let ($($item,)+) = self;
                print_items([$($item.print()),+])
            }
        }
    };
}
each_arity!(coordinate_tuples);

impl Offset for &DynShape {
    fn offset(self, layout: View<'_>) -> Result<usize, Fault> {
        let mut offset = Some(0usize);
        let matches = for_each_leaf(&self.profile, layout.profile, |leaf, under| {
            let under = under.leaves;
            let term = offset_of_number(
                self.leaves[leaf],
                &layout.shape[under.clone()],
                &layout.stride[under],
            );
            offset = offset.zip(term).and_then(|(sum, term)| sum.checked_add(term));
        });
        if matches { offset.ok_or(Fault::Overflow) } else { Err(Fault::NotWeaklyCongruent) }
    }

    fn within(self, layout: View<'_>) -> bool {
        let mut within = true;
        let matches = for_each_leaf(&self.profile, layout.profile, |leaf, under| {
            within &= product(&layout.shape[under.leaves])
                .is_some_and(|extent| self.leaves[leaf] < extent);
        });
        matches && within
    }

    fn print(self) -> String {
        format!("{self}")
    }
}

/// `idx2crd` on leaves: of an extent of 0 every digit is 0.
pub(crate) fn digits(mut number: usize, extents: &[usize], digits: &mut [usize]) {
    for (digit, &extent) in digits.iter_mut().zip(extents) {
        *digit = number.checked_rem(extent).unwrap_or(0);
        number = number.checked_div(extent).unwrap_or(0);
    }
    // The last one takes the whole quotient.
    if let (Some(last), Some(&extent)) = (digits.last_mut(), extents.last()) {
        *last += number * extent;
    }
}

/// The coordinate of a number.
fn coordinate(number: usize, shape: &[usize]) -> Result<NumberList, Fault> {
    if product(shape) == Some(0) {
        return Err(Fault::NoIndex);
    }
    let mut coordinate = NumberList::from_elem(0, shape.len());
    digits(number, shape, &mut coordinate);
    Ok(coordinate)
}

/// By how much one step of each leaf raises the number: 1, s0, s0*s1, .. Unlike a compact stride,
/// this holds for an extent of 1 too.
fn steps(shape: &[usize]) -> Result<NumberList, Fault> {
    if product(shape) == Some(0) {
        return Err(Fault::NoIndex);
    }
    let (_, init) = shape.split_last().ok_or(Fault::EmptyTuple)?;
    let mut steps = NumberList::from_slice(&[1]);
    let mut run = 1usize;
    for &extent in init {
        run = run.checked_mul(extent).ok_or(Fault::Overflow)?;
        steps.push(run);
    }
    Ok(steps)
}

impl DynLayout {
    /// The offset of a coordinate.
    ///
    /// Law: `index(c) = sum c_k * d_k`, a number being split by `idx2crd`. Domains extend to the
    /// right: a number beyond the size counts on in the last mode. CuTe: `layout(coord)`,
    /// `crd2idx`.
    ///
    /// No memory is taken. A nested layout that is indexed often is best flattened once:
    /// [`flatten`](Self::flatten) keeps the offsets, and a flat coordinate, `[i, j, k]`, is one
    /// multiplication for each leaf.
    ///
    /// # Panics
    /// If the coordinate does not weakly match the shape, the layout is empty, or the coordinate
    /// lies so far outside the domain that its offset leaves `usize`.
    /// [`try_index`](Self::try_index) returns these as errors.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// let l: DynLayout = "(2,4):(1,2)".parse()?;
    /// assert_eq!([l.index(5), l.index([1, 2]), l.index(9)], [5, 5, 9]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    #[track_caller]
    pub fn index(&self, coordinate: impl DynCoordinate) -> usize {
        let view = self.view();
        if !view.is_natural() {
            return expect(self.try_index(coordinate));
        }
        let offset = if self.size() == 0 { None } else { coordinate.quick_offset(view) };
        match offset {
            Some(offset) => offset,
            None => index_panic(self, coordinate),
        }
    }

    /// [`index`](Self::index), with an error instead of a panic.
    ///
    /// # Errors
    /// `profile` if the coordinate does not weakly match the shape or the layout is empty,
    /// `overflow`
    /// if the offset leaves `usize`.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// let l: DynLayout = "(2,4):(1,2)".parse()?;
    /// assert_eq!(l.try_index([1, 2])?, 5);
    /// assert_eq!(l.try_index([1, 2, 3]).unwrap_err().kind().as_str(), "profile");
    /// assert_eq!(l.try_index(usize::MAX)?, usize::MAX);
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn try_index(&self, coordinate: impl DynCoordinate) -> Result<usize, LayoutError> {
        self.try_index_from(0, coordinate)
    }

    /// `from + index(c)`, which only as a sum has to be a `usize`.
    pub(super) fn try_index_from(
        &self,
        from: usize,
        coordinate: impl DynCoordinate,
    ) -> Result<usize, LayoutError> {
        self.offset_from(from, coordinate).map_err(|fault| {
            LayoutError::new("index", fault).with_operands(self, &coordinate.print())
        })
    }

    #[inline]
    fn offset_from(&self, from: usize, coordinate: impl DynCoordinate) -> Result<usize, Fault> {
        if self.view().is_natural() && self.size() > 0 {
            return coordinate.offset(self.view())?.checked_add(from).ok_or(Fault::Overflow);
        }
        let sum = self.mixed_offset(coordinate)?.saturating_add(from as i128);
        usize::try_from(sum).map_err(|_| match usize::try_from(sum.unsigned_abs()) {
            Ok(offset) => Fault::Below { offset },
            Err(_) => Fault::Overflow,
        })
    }

    /// The offset of a coordinate under strides of any kind: that of the coordinate with one number
    /// for each leaf.
    fn mixed_offset(&self, coordinate: impl DynCoordinate) -> Result<i128, Fault> {
        if self.size() == 0 {
            return Err(Fault::NoIndex);
        }
        let numbers = leaf_numbers(self.view(), coordinate)?;
        mixed::offset(numbers.iter().copied().zip(self.strides())).ok_or(Fault::Overflow)
    }

    /// The offset of a coordinate as a signed number, which those of layouts with negative strides
    /// may be.
    ///
    /// Law: `index(c)`, where that is not negative.
    ///
    /// # Panics
    /// Where [`try_signed_index`](Self::try_signed_index) returns an error.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// let flipped: DynLayout = "(4,6):(-1,4)".parse()?;
    /// assert_eq!((flipped.signed_index((3, 0)), flipped.signed_index((3, 2))), (-3, 5));
    /// assert!((0..24).all(|i| flipped.signed_index(i) + flipped.base() as isize >= 0));
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[track_caller]
    pub fn signed_index(&self, coordinate: impl DynCoordinate) -> isize {
        expect(self.try_signed_index(coordinate))
    }

    /// The offset of a coordinate as a signed number.
    ///
    /// # Errors
    /// `profile` if the coordinate does not weakly match the shape or the layout is empty,
    /// `overflow` if the offset leaves `isize`.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// let flipped: DynLayout = "(4,6):(-1,4)".parse()?;
    /// assert_eq!(flipped.try_signed_index((1, 0))?, -1);
    /// assert_eq!(flipped.try_index((1, 0)).unwrap_err().kind().as_str(), "stride");
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn try_signed_index(&self, coordinate: impl DynCoordinate) -> Result<isize, LayoutError> {
        self.mixed_offset(coordinate)
            .and_then(|offset| isize::try_from(offset).map_err(|_| Fault::Overflow))
            .map_err(|fault| {
                LayoutError::new("index", fault).with_operands(self, &coordinate.print())
            })
    }

    /// All coordinates of the domain, the leftmost mode fastest.
    ///
    /// Law: the i-th is `shape().coord(i)`, and its offset is `index(i)`.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// let l: DynLayout = "(2,(1,2)):(1,(0,2))".parse()?;
    /// let offsets: Vec<usize> = l.coords().map(|c| l.index(&c)).collect();
    /// assert_eq!(offsets, [0, 1, 2, 3]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn coords(&self) -> Coords {
        self.shape().coords()
    }

    /// Whether the coordinate matches the shape, and each of its numbers is below the extent that
    /// it counts in.
    #[inline]
    pub(crate) fn counts<C: DynCoordinate>(&self, coordinate: C) -> bool {
        if C::IS_NUMBER {
            coordinate.number() < self.size()
        } else {
            coordinate.within(self.view())
        }
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn index_panic(layout: &DynLayout, coordinate: impl DynCoordinate) -> ! {
    match layout.try_index(coordinate) {
        Ok(_) => unreachable!("what has an offset has it at once"),
        Err(error) => panic!("{error}"),
    }
}

/// The number of each leaf in a coordinate.
fn leaf_numbers(layout: View<'_>, coordinate: impl DynCoordinate) -> Result<NumberList, Fault> {
    (0..layout.shape.len())
        .map(|leaf| {
            // The offset under strides of 0 but for one of 1 is the number of that leaf.
            let mut stride = NumberList::from_elem(0, layout.shape.len());
            stride[leaf] = 1;
            coordinate.offset(View { stride: &stride, kinds: &[], ..layout })
        })
        .collect()
}

impl DynShape {
    /// The coordinate of number `index`.
    ///
    /// Law: `idx2crd` above; congruent to the shape. CuTe: `idx2crd`.
    ///
    /// # Panics
    /// If an extent is 0; [`try_coord`](Self::try_coord) returns that as an error.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// let s: DynShape = "(4,(2,3))".parse()?;
    /// assert_eq!(s.coord(7).to_string(), "(3,(1,0))");
    /// assert_eq!(s.coord(24).to_string(), "(0,(0,3))"); // beyond the size: the last mode has no end
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[track_caller]
    pub fn coord(&self, index: usize) -> DynShape {
        expect(self.try_coord(index))
    }

    /// [`coord`](Self::coord), with an error instead of a panic.
    ///
    /// # Errors
    /// `profile` if an extent is 0: an empty shape has no coordinate.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// assert_eq!("(4,0)".parse::<DynShape>()?.try_coord(0).unwrap_err().kind().as_str(), "profile");
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn try_coord(&self, index: usize) -> Result<DynShape, LayoutError> {
        let leaves = coordinate(index, &self.leaves)
            .map_err(|fault| LayoutError::new("coord", fault).with_operands(self, &index))?;
        Ok(DynShape { profile: self.profile.clone(), leaves })
    }

    /// The number of a coordinate of this shape.
    ///
    /// Law: `s.number(&s.coord(i)) = i`. CuTe: `crd2idx(coord, shape)`.
    ///
    /// # Errors
    /// `profile` if the coordinate does not weakly match the shape or the shape is empty,
    /// `overflow`
    /// if the number leaves `usize`.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// let s: DynShape = "(4,(2,3))".parse()?;
    /// assert_eq!(s.number([3, 1])?, 7);
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn number(&self, coordinate: impl DynCoordinate) -> Result<usize, LayoutError> {
        let offset = steps(&self.leaves).and_then(|stride| {
            coordinate.offset(View {
                profile: &self.profile,
                shape: &self.leaves,
                stride: &stride,
                kinds: &[],
            })
        });
        offset.map_err(|fault| {
            LayoutError::new("number", fault).with_operands(self, &coordinate.print())
        })
    }

    /// The coordinate in the shape `to` that has the same number as `coordinate` in this one.
    ///
    /// Law: `to.number(crd2crd(c, to)) = self.number(c)`. CuTe: `crd2crd`.
    ///
    /// # Errors
    /// Those of [`number`](Self::number) and [`try_coord`](Self::try_coord).
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// let (s, to): (DynShape, DynShape) = ("(4,6)".parse()?, "((2,2),(2,3))".parse()?);
    /// assert_eq!(s.crd2crd([3, 1], &to)?.to_string(), "((1,1),(1,0))");
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn crd2crd(
        &self,
        coordinate: impl DynCoordinate,
        to: &DynShape,
    ) -> Result<DynShape, LayoutError> {
        to.try_coord(self.number(coordinate)?)
    }

    /// All coordinates of the shape, the leftmost mode fastest; none if an extent is 0.
    ///
    /// Law: the i-th is `coord(i)`.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// let s: DynShape = "(2,(1,2))".parse()?;
    /// let all: Vec<String> = s.coords().map(|c| c.to_string()).collect();
    /// assert_eq!(all, ["(0,(0,0))", "(1,(0,0))", "(0,(0,1))", "(1,(0,1))"]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn coords(&self) -> Coords {
        let origin = DynShape {
            profile: self.profile.clone(),
            leaves: self.leaves.iter().map(|_| 0).collect(),
        };
        Coords { next: (!self.leaves.contains(&0)).then_some(origin), extents: self.leaves.clone() }
    }
}

/// The coordinates of a shape, the leftmost mode fastest. Made by [`DynShape::coords`].
///
/// ```
/// use layout_algebra::prelude::*;
/// let shape: DynShape = "(2,2)".parse()?;
/// assert_eq!(
///     shape.coords().map(|c| c.to_string()).collect::<Vec<_>>().join(" "),
///     "(0,0) (1,0) (0,1) (1,1)"
/// );
/// # Ok::<(), LayoutError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Coords {
    next: Option<DynShape>,
    extents: NumberList,
}

impl Iterator for Coords {
    type Item = DynShape;

    fn next(&mut self) -> Option<DynShape> {
        let mut successor = self.next.clone()?;
        for (digit, &extent) in successor.leaves.iter_mut().zip(&self.extents) {
            *digit += 1;
            if *digit < extent {
                return self.next.replace(successor);
            }
            *digit = 0;
        }
        self.next.take()
    }
}
