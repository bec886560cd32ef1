//! `DynLayout`: a shape and a congruent stride, of any rank and nesting.
//!
//! ```text
//! L = S:D       L(c) = sum c_k * d_k       size(L) = size(S)       cosize(L) = 1 + sum (s_k - 1) * d_k
//! ```
//!
//! One profile serves both trees, so they are congruent by construction. Size and cosize are
//! checked once, when a layout is made: afterwards no coordinate of its domain can overflow.

use core::hash::{Hash, Hasher};

use smallvec::SmallVec;

use super::flat::{DynMode, DynModes, measure};
use super::kinds::modes::{self as mixed, KindMode, KindModes};
use super::kinds::parts::PartsOfModes;
use super::kinds::stride::{DynStride, DynStrideKind, Kinds};
use super::shape::{DynShape, IntoDynShape};
use super::text::ProfileText;
use super::tree::{self, Arities, NumberList};
use crate::error::{Fault, LayoutError};

/// A layout whose rank, shape and stride are known at run time only.
///
/// Law: `index(c) = sum c_k * d_k`, and `{}` prints what `parse` reads. CuTe:
/// `Layout<Shape, Stride>`.
///
/// The product of the extents (zeros left out) and the largest offset fit `usize`; a layout that
/// would not hold that is an `overflow` error instead. An extent of 0 makes the layout empty: size
/// and cosize are 0, and no index is valid.
///
/// ```
/// # use layout_algebra::prelude::*;
/// let l: DynLayout = "((2,2),3):((1,4),2)".parse()?;
/// assert_eq!((l.size(), l.cosize(), l.rank(), l.depth()), (12, 10, 2, 2));
/// assert_eq!(l.index(5), 3);
/// assert_eq!(l.to_string(), "((2,2),3):((1,4),2)");
/// # Ok::<(), LayoutError>(())
/// ```
///
/// Strides may be negative, `-4`, or XOR strides, `^9`: those of a linear layout over F2, whose
/// offset is the XOR of one number for each bit of the coordinate. Both are written in text, or
/// made with [`with_strides`](Self::with_strides); the types have no XOR strides.
///
/// ```
/// # use layout_algebra::prelude::*;
/// let l = "(8,8):(^1,^9)".parse::<DynLayout>()?; // (i, j) to i ^ 9 * j, without carries
/// assert_eq!((l.index((1, 1)), l.index((3, 5)), l.is_bijective()), (8, 3 ^ 45, true));
/// assert_eq!(l.swizzled()?.to_string(), "Sw<3,0,3> o 0 o (8,8):(1,8)");
/// # Ok::<(), LayoutError>(())
/// ```
///
/// `From` converts a strided layout of types into a `DynLayout`, and `TryFrom` converts back if the
/// profile and every static number are those of the type: a layout read at run time is checked
/// once.
///
/// ```
/// # use layout_algebra::prelude::*;
/// let read: DynLayout = "(4,6):(6,1)".parse()?;
/// let rows = <Layout!((4, _):(_, 1))>::try_from(&read)?;
/// assert_eq!((rows.index((1, 2)), DynLayout::from(rows)), (8, read.clone()));
/// let error = <Layout!((4, _):(1, _))>::try_from(read).unwrap_err();
/// assert!(error.to_string().ends_with("leaf 2 is 6, and the type says 1"));
/// # Ok::<(), LayoutError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
#[must_use]
pub struct DynLayout {
    pub(crate) profile: Arities,
    pub(crate) shape: NumberList,
    /// The numbers of the strides; `kinds` has their kinds.
    pub(super) stride: NumberList,
    pub(super) kinds: Kinds,
    pub(super) size: usize,
    pub(super) cosize: usize,
}

impl DynLayout {
    /// The layout `shape:stride`.
    ///
    /// # Errors
    /// `profile` if they are not congruent, `overflow` if the size or the cosize leaves `usize`.
    /// CuTe: `make_layout`.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// let (s, d): (DynShape, DynShape) = ("(4,(2,3))".parse()?, "(1,(12,4))".parse()?);
    /// assert_eq!(DynLayout::new(&s, &d)?.to_string(), "(4,(2,3)):(1,(12,4))");
    /// assert_eq!(DynLayout::new((4, (2, 3)), (1, (12, 4)))?, DynLayout::new(&s, &d)?);
    ///
    /// let error = DynLayout::new(s, DynShape::from(1)).unwrap_err();
    /// assert_eq!(error.kind().as_str(), "profile");
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn new(shape: impl IntoDynShape, stride: impl IntoDynShape) -> Result<Self, LayoutError> {
        let (shape, stride) = (&shape.into(), &stride.into());
        Self::from_congruent(shape, stride).map_err(|fault| {
            LayoutError::new("new", fault).with_operands(
                &format_args!("{shape} (profile {})", ProfileText(&shape.profile)),
                &format_args!("{stride} (profile {})", ProfileText(&stride.profile)),
            )
        })
    }

    /// The layout of a profile in preorder, `2 0 2 0 0` for `(4,(2,3))`, and its leaves: what
    /// Python's tuples are read as. Nothing where they are none, or too large.
    #[doc(hidden)]
    pub fn from_preorder(profile: &[u32], shape: &[usize], stride: &[usize]) -> Option<Self> {
        let leaves = profile.iter().filter(|&&children| children == 0).count();
        let children = profile.iter().map(|&children| children as usize).sum::<usize>();
        let is_tree = leaves == shape.len() && leaves == stride.len() && leaves > 0;
        // Each node but the first is a child of one before it.
        let is_one = children + 1 == profile.len() && tree::check_depth(profile).is_ok();
        if !is_tree || !is_one || tree::first_tree(profile).0 != profile.len() {
            return None;
        }
        let (profile, shape) = (SmallVec::from_slice(profile), SmallVec::from_slice(shape));
        Draft { profile, shape, stride: SmallVec::from_slice(stride), ..Draft::new() }.finish().ok()
    }

    /// `shape:stride`, with a bare fault.
    pub(crate) fn from_congruent(shape: &DynShape, stride: &DynShape) -> Result<Self, Fault> {
        if shape.profile != stride.profile {
            return Err(Fault::Incongruent);
        }
        Draft {
            profile: SmallVec::from_slice(&shape.profile),
            shape: SmallVec::from_slice(&shape.leaves),
            stride: SmallVec::from_slice(&stride.leaves),
            ..Draft::new()
        }
        .finish()
    }

    /// The layout with these strides, one for each leaf of the shape, from left to right.
    ///
    /// # Errors
    /// `profile` if there are more or fewer strides than leaves, `overflow` if the size or the
    /// cosize leaves `usize`, `overlap` and `stride` if strides of several kinds do not go
    /// together.
    ///
    /// ```
    /// use layout_algebra::DynStride::{Natural, Negative, Xor};
    /// # use layout_algebra::prelude::*;
    /// assert_eq!(DynLayout::with_strides((4, 6), [Negative(1), Natural(4)])?.to_string(), "(4,6):(-1,4)");
    /// assert_eq!(DynLayout::with_strides(vec![4, 6], [-1_isize, 4])?.to_string(), "(4,6):(-1,4)");
    /// assert_eq!(DynLayout::with_strides((8, 8), [Xor(1), Xor(9)])?.to_string(), "(8,8):(^1,^9)");
    /// assert_eq!(
    ///     DynLayout::with_strides((8, 8), [Natural(1), Xor(9)]).unwrap_err().kind().as_str(),
    ///     "overlap"
    /// );
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn with_strides(
        shape: impl IntoDynShape,
        strides: impl IntoIterator<Item: Into<DynStride>>,
    ) -> Result<Self, LayoutError> {
        let shape: DynShape = shape.into();
        let strides = strides.into_iter().take(shape.leaves.len() + 1).map(Into::into);
        let strides: SmallVec<[DynStride; 8]> = strides.collect();
        let modes = shape
            .leaves
            .iter()
            .zip(&strides)
            .map(|(&extent, &stride)| KindMode::new(extent, stride));
        let built = match strides.len() == shape.leaves.len() {
            true => from_profile(&shape.profile, modes),
            false => Err(Fault::Incongruent),
        };
        built.map_err(|fault| LayoutError::new("new", fault).with_operand(&shape))
    }

    /// The number of coordinates.
    ///
    /// Law: the product of all extents. CuTe: `size`.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// assert_eq!("(4,(2,3)):(1,(12,4))".parse::<DynLayout>()?.size(), 24);
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub fn size(&self) -> usize {
        self.size
    }

    /// How many offsets there are from the least one to the largest, one past the largest offset
    /// where none is negative; 0 for an empty layout.
    ///
    /// Law: `1 + sum (s_k - 1) * |d_k|`, and with XOR strides one past the largest offset. CuTe:
    /// `cosize`.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// assert_eq!("(4,6):(1,8)".parse::<DynLayout>()?.cosize(), 44);
    /// assert_eq!("(4,0):(1,8)".parse::<DynLayout>()?.cosize(), 0);
    /// assert_eq!("(4,6):(-1,4)".parse::<DynLayout>()?.cosize(), 24);
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub fn cosize(&self) -> usize {
        self.cosize
    }

    /// The number of modes; 1 for a layout without parentheses. CuTe: `rank`.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// assert_eq!("(4,(2,3)):(1,(12,4))".parse::<DynLayout>()?.rank(), 2);
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub fn rank(&self) -> usize {
        tree::rank(&self.profile)
    }

    /// How deep modes are nested; 0 for a layout without parentheses. CuTe: `depth`.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// assert_eq!("(4,(2,3)):(1,(12,4))".parse::<DynLayout>()?.depth(), 2);
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn depth(&self) -> usize {
        tree::depth(&self.profile)
    }

    /// The shape. CuTe: `shape`.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// assert_eq!("(4,(2,3)):(1,(12,4))".parse::<DynLayout>()?.shape().to_string(), "(4,(2,3))");
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn shape(&self) -> DynShape {
        DynShape {
            profile: SmallVec::from_slice(&self.profile),
            leaves: SmallVec::from_slice(&self.shape),
        }
    }

    /// The stride. CuTe: `stride`.
    ///
    /// # Panics
    /// If a stride is negative or an XOR stride: these are no numbers of a tuple, and
    /// [`strides`](Self::strides) has them.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// assert_eq!("(4,(2,3)):(1,(12,4))".parse::<DynLayout>()?.stride().to_string(), "(1,(12,4))");
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[track_caller]
    pub fn stride(&self) -> DynShape {
        self.view().assert_natural();
        DynShape {
            profile: SmallVec::from_slice(&self.profile),
            leaves: SmallVec::from_slice(&self.stride),
        }
    }

    /// The strides of all leaves from left to right, of whatever kind.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// use layout_algebra::DynStride::{Natural, Negative};
    /// let l: DynLayout = "(4,(2,3)):(1,(-12,4))".parse()?;
    /// assert_eq!(l.strides().collect::<Vec<_>>(), [Natural(1), Negative(12), Natural(4)]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn strides(&self) -> impl Iterator<Item = DynStride> + Clone + '_ {
        self.view().every().map(|mode| mode.stride)
    }

    /// Whether no stride is negative or an XOR stride.
    pub(crate) fn has_natural_strides(&self) -> bool {
        self.kinds.as_slice().is_empty()
    }

    /// Whether a stride of a mode that moves is an XOR stride. Beside one there is no negative
    /// stride that moves.
    pub(crate) fn has_xor_strides(&self) -> bool {
        self.has_moving(DynStrideKind::Xor)
    }

    /// Whether a stride of a mode that moves is negative.
    pub(crate) fn has_negative_strides(&self) -> bool {
        self.has_moving(DynStrideKind::Negative)
    }

    fn has_moving(&self, kind: DynStrideKind) -> bool {
        self.kinds.as_slice().iter().zip(&self.shape).any(|(&of, &extent)| of == kind && extent > 1)
    }

    /// Makes strides that do not move natural, if their kind is not that of the strides that move;
    /// if none moves, if their kind is not `put` and `put` is not natural.
    #[cold]
    pub(crate) fn in_one_kind(&mut self, put: DynStrideKind) {
        let kept = match (self.has_xor_strides(), self.has_negative_strides()) {
            (true, _) => DynStrideKind::Xor,
            (_, true) => DynStrideKind::Negative,
            _ if put == DynStrideKind::Natural => return,
            _ => put,
        };
        self.kinds.keep(kept);
    }

    /// The layout with the signs of its strides dropped; its offsets are those of this layout,
    /// moved by the base. `None` if there are XOR strides.
    pub(crate) fn forwards(&self) -> Option<DynLayout> {
        (!self.has_xor_strides()).then(|| DynLayout { kinds: Kinds::default(), ..self.clone() })
    }

    /// The layout with mode `I` of the first level counted backwards, from the offset of its last
    /// number on.
    ///
    /// Law: `flip(L)(c) = L(n - 1 - c) - L(n - 1)` of the numbers of that mode, of `n` elements.
    ///
    /// # Errors
    /// `rank` if there is no such mode; `stride` if it has XOR strides.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// let l: DynLayout = "(4,(2,3)):(6,(3,1))".parse()?;
    /// assert_eq!(l.flip(0)?.to_string(), "(4,(2,3)):(-6,(3,1))");
    /// assert_eq!(l.flip(1)?.flip(1)?, l);
    /// assert!(l.flip(2).is_err());
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn flip(&self, mode: usize) -> Result<DynLayout, LayoutError> {
        self.flipped(mode)
            .map_err(|fault| LayoutError::new("flip", fault).with_operands(self, &mode))
    }

    pub(crate) fn flipped(&self, mode: usize) -> Result<DynLayout, Fault> {
        let leaves = self.leaves_of_mode(mode)?;
        let strides = self.strides().enumerate().map(|(leaf, stride)| match stride {
            DynStride::Natural(number) if leaves.contains(&leaf) => DynStride::Negative(number),
            DynStride::Negative(number) if leaves.contains(&leaf) => DynStride::Natural(number),
            stride => stride,
        });
        from_profile(
            &self.profile,
            self.shape.iter().zip(strides).map(|(&extent, stride)| KindMode::new(extent, stride)),
        )
    }

    /// The places of the leaves of a mode of the first level, none of which has an XOR stride.
    fn leaves_of_mode(&self, mode: usize) -> Result<core::ops::Range<usize>, Fault> {
        let (rank, needed) = (self.rank(), mode.saturating_add(1));
        let before: usize = self.view().modes().take(mode).map(|mode| mode.shape.len()).sum();
        let found = self.view().modes().nth(mode).ok_or(Fault::Rank { needed, rank })?;
        match found.kinds.iter().position(|&kind| kind == DynStrideKind::Xor) {
            Some(leaf) => Err(Fault::LeafKind { leaf: before + leaf }),
            None => Ok(before..before + found.shape.len()),
        }
    }

    /// The number `from`, moved by the offset of the last number of a mode.
    pub(crate) fn last_of_mode_from(&self, from: usize, mode: usize) -> Result<usize, Fault> {
        let leaves = self.leaves_of_mode(mode)?;
        let moves = self
            .view()
            .every()
            .enumerate()
            .filter(|(leaf, _)| self.size != 0 && leaves.contains(leaf));
        Ok(moves.fold(from, |from, (_, KindMode { extent, stride })| {
            let far = (extent - 1) * stride.number();
            if stride.kind() == DynStrideKind::Negative {
                from.wrapping_sub(far)
            } else {
                from.wrapping_add(far)
            }
        }))
    }

    /// How far the offset of the first coordinate lies above the least offset. With the base added,
    /// all offsets lie in `0..cosize`.
    ///
    /// Law: `min L(c) = -base(L)`; 0 where no stride is negative.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// let l: DynLayout = "(4,6):(-1,4)".parse()?;
    /// assert_eq!((l.base(), l.signed_index((3, 0)), l.cosize()), (3, -3, 24));
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn base(&self) -> usize {
        let moves = self.size != 0 && !self.has_natural_strides();
        if moves { mixed::base(&self.every_mode()) } else { 0 }
    }

    /// The layout as the algebra reads it.
    #[inline]
    pub(crate) fn view(&self) -> View<'_> {
        View {
            profile: &self.profile,
            shape: &self.shape,
            stride: &self.stride,
            kinds: self.kinds.as_slice(),
        }
    }

    /// All leaf modes, of whatever kind.
    pub(crate) fn every_mode(&self) -> KindModes {
        self.view().every_mode()
    }
}

/// Hashes like an equal layout of types.
impl Hash for DynLayout {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.profile.iter().for_each(|&arity| state.write_usize(arity as usize));
        self.shape.iter().chain(&self.stride).for_each(|&number| state.write_usize(number));
        self.kinds.as_slice().iter().for_each(|kind| kind.hash(state));
    }
}

impl From<&DynLayout> for DynLayout {
    fn from(layout: &DynLayout) -> Self {
        layout.view().to_layout()
    }
}

/// A layout, or a mode of one, without a copy. Public in name only: the sealed part of
/// `DynCoordinate` mentions it.
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub(crate) profile: &'a [u32],
    pub(crate) shape: &'a [usize],
    /// The numbers of the strides.
    pub(crate) stride: &'a [usize],
    /// Their kinds; empty if all are natural.
    pub(crate) kinds: &'a [DynStrideKind],
}

impl<'a> View<'a> {
    /// The number of modes.
    #[inline]
    pub(crate) fn rank(self) -> usize {
        tree::rank(self.profile)
    }

    /// The product of the extents. It fits, since this is a mode of a layout.
    #[inline]
    pub(crate) fn size(self) -> usize {
        self.shape.iter().product()
    }

    /// Whether all strides are natural numbers.
    #[inline]
    pub(crate) fn is_natural(self) -> bool {
        self.kinds.is_empty()
    }

    /// Panics unless all strides are natural: code that reads strides as numbers would read others
    /// wrong.
    #[inline]
    #[track_caller]
    pub(crate) fn assert_natural(self) {
        assert!(self.is_natural(), "the strides of {self} are no natural numbers");
    }

    /// All leaf modes from left to right, of whatever kind.
    pub(crate) fn every(self) -> impl Iterator<Item = KindMode> + Clone + 'a {
        let kinds = self.kinds.iter().copied().chain(core::iter::repeat(DynStrideKind::Natural));
        let numbers = self.shape.iter().zip(self.stride);
        numbers
            .zip(kinds)
            .map(|((&extent, &number), kind)| KindMode::new(extent, DynStride::of(kind, number)))
    }

    /// The same as a list.
    pub(crate) fn every_mode(self) -> KindModes {
        self.every().collect()
    }

    /// The bits of its XOR strides, for a mode that is kept beside composed modes.
    #[inline]
    pub(crate) fn parts(self) -> PartsOfModes {
        if self.is_natural() {
            PartsOfModes::default()
        } else {
            PartsOfModes::kept(&self.every_mode())
        }
    }

    /// Splits off the first `leaves` leaves and `nodes` nodes.
    #[inline]
    pub(crate) fn split_at(self, nodes: usize, leaves: usize) -> (View<'a>, View<'a>) {
        let (profile, profile_after) = self.profile.split_at(nodes);
        let (shape, shape_after) = self.shape.split_at(leaves);
        let (stride, stride_after) = self.stride.split_at(leaves);
        // A part of natural strides alone has none.
        let (kinds, kinds_after) = self.kinds.split_at(leaves.min(self.kinds.len()));
        let natural = |kinds: &'a [DynStrideKind]| {
            if kinds.iter().all(|&kind| kind == DynStrideKind::Natural) { &[] } else { kinds }
        };
        (
            View { profile, shape, stride, kinds: natural(kinds) },
            View {
                profile: profile_after,
                shape: shape_after,
                stride: stride_after,
                kinds: kinds_after,
            },
        )
    }

    /// All leaf modes from left to right, which are natural ones.
    #[inline]
    #[track_caller]
    pub(crate) fn flat(self) -> impl Iterator<Item = DynMode> + Clone + 'a {
        self.assert_natural();
        self.shape.iter().zip(self.stride).map(|(&extent, &stride)| DynMode::new(extent, stride))
    }

    /// The modes: the elements of a tuple; a leaf is its own only mode.
    #[inline]
    pub(crate) fn modes(self) -> ViewModes<'a> {
        let profile = if self.profile[0] == 0 { self.profile } else { &self.profile[1..] };
        ViewModes { rest: View { profile, ..self }, left: self.rank() }
    }

    /// An owned copy. It is a mode of a layout, so that its size and cosize fit.
    pub(crate) fn to_layout(self) -> DynLayout {
        let mut draft = Draft::new();
        draft.tree(self);
        draft.finish().expect("a mode of a layout is a layout")
    }
}

/// See [`View::modes`].
pub(crate) struct ViewModes<'a> {
    rest: View<'a>,
    left: usize,
}

impl<'a> Iterator for ViewModes<'a> {
    type Item = View<'a>;

    #[inline]
    fn next(&mut self) -> Option<View<'a>> {
        self.left = self.left.checked_sub(1)?;
        let (nodes, leaves) = tree::first_tree(self.rest.profile);
        let (mode, rest) = self.rest.split_at(nodes, leaves);
        self.rest = rest;
        Some(mode)
    }
}

/// A layout being written, in preorder.
#[derive(Default)]
pub(crate) struct Draft {
    pub(crate) profile: Arities,
    pub(crate) shape: NumberList,
    pub(crate) stride: NumberList,
    pub(crate) kinds: Kinds,
    /// The XOR bits of the modes of a composition by mode.
    pub(crate) parts: PartsOfModes,
}

impl Draft {
    /// Nothing yet.
    #[inline]
    pub(crate) fn new() -> Self {
        Draft::default()
    }

    /// Begins a tuple of `rank` modes, which must follow.
    #[inline]
    pub(crate) fn open(&mut self, rank: usize) {
        self.profile.push(tree::arity(rank));
    }

    /// Adds the leaf `mode`.
    #[inline]
    pub(crate) fn leaf(&mut self, mode: DynMode) {
        self.profile.push(0);
        self.kinds.push(self.shape.len(), DynStrideKind::Natural);
        self.shape.push(mode.extent);
        self.stride.push(mode.stride);
    }

    /// Adds the numbers of a leaf of any kind whose node is already in the profile.
    pub(crate) fn mode_of_open(&mut self, mode: KindMode) {
        // `^0` and `-0` are 0.
        let stride = mode.stride.with_number(mode.stride.number());
        self.kinds.push(self.shape.len(), stride.kind());
        self.shape.push(mode.extent);
        self.stride.push(stride.number());
    }

    /// Adds a list of modes of any kind: none is `1:0`, one is itself, more are a tuple.
    pub(crate) fn every(&mut self, modes: &[KindMode]) {
        match modes {
            [] => self.leaf(DynMode::new(1, 0)),
            _ => {
                if modes.len() > 1 {
                    self.open(modes.len());
                }
                self.profile.resize(self.profile.len() + modes.len(), 0);
                modes.iter().for_each(|&mode| self.mode_of_open(mode));
            }
        }
    }

    /// Adds the modes of a composition in place of each leaf of `right`.
    pub(crate) fn in_place_of(
        &mut self,
        right: View<'_>,
        modes: &mut impl Iterator<Item = KindModes>,
    ) {
        for &children in right.profile {
            match children {
                0 => self.every(&modes.next().unwrap_or_default()),
                _ => self.profile.push(children),
            }
        }
    }

    /// Adds a whole tree.
    #[inline]
    pub(crate) fn tree(&mut self, view: View<'_>) {
        tree::append(&mut self.profile, view.profile);
        self.kinds.append(self.shape.len(), view.kinds, view.shape.len());
        tree::append(&mut self.shape, view.shape);
        tree::append(&mut self.stride, view.stride);
    }

    /// Adds a whole tree that stays as it is, beside modes that are composed.
    #[inline]
    pub(crate) fn kept(&mut self, view: View<'_>) {
        self.parts.join(view.parts());
        self.tree(view);
    }

    /// What is written so far, which is a whole tree.
    #[inline]
    pub(crate) fn view(&self) -> View<'_> {
        View {
            profile: &self.profile,
            shape: &self.shape,
            stride: &self.stride,
            kinds: self.kinds.as_slice(),
        }
    }

    /// Size and cosize, if they fit `usize`.
    #[inline]
    fn measure(&self) -> Result<(usize, usize), Fault> {
        tree::check_depth(&self.profile)?;
        if !self.view().is_natural() {
            return mixed::measure(&self.view().every_mode());
        }
        measure(
            self.shape
                .iter()
                .zip(&self.stride)
                .map(|(&extent, &stride)| DynMode::new(extent, stride)),
        )
    }

    #[inline]
    fn measured(self, (size, cosize): (usize, usize)) -> DynLayout {
        let Draft { profile, shape, stride, kinds, .. } = self;
        let mut layout =
            DynLayout { profile, shape, stride, kinds: kinds.of_layout(), size, cosize };
        if layout.kinds.are_mixed() {
            layout.in_one_kind(DynStrideKind::Natural);
        }
        layout
    }

    /// The layout, if its size and cosize fit `usize`.
    #[inline]
    pub(crate) fn finish(self) -> Result<DynLayout, Fault> {
        let measure = self.measure()?;
        Ok(self.measured(measure))
    }

    /// The layout that `write` writes, or the error that `explain` makes of the fault. A layout is
    /// some 250 bytes; this way it is moved once and not once for every `Result` on its way.
    #[inline]
    pub(crate) fn build(
        write: impl FnOnce(&mut Draft) -> Result<(), Fault>,
        explain: impl FnOnce(Fault) -> LayoutError,
    ) -> Result<DynLayout, LayoutError> {
        let mut draft = Draft::new();
        if let Err(fault) = write(&mut draft) {
            return Err(explain(fault));
        }
        match draft.measure().and_then(|measure| draft.parts.check().map(|()| measure)) {
            Ok(measure) => Ok(draft.measured(measure)),
            Err(fault) => Err(explain(fault)),
        }
    }
}

/// The layout of this profile with these modes as its leaves.
pub(crate) fn from_profile(
    profile: &[u32],
    modes: impl Iterator<Item = KindMode>,
) -> Result<DynLayout, Fault> {
    let mut draft = Draft::new();
    draft.profile.extend_from_slice(profile);
    modes.for_each(|mode| draft.mode_of_open(mode));
    draft.finish()
}

/// The layout of a list of natural modes.
pub(crate) fn from_modes(modes: &DynModes) -> Result<DynLayout, Fault> {
    let mut draft = Draft::new();
    match modes.len() {
        0 => draft.leaf(DynMode::new(1, 0)),
        1 => {}
        rank => draft.open(rank),
    }
    modes.iter().for_each(|&mode| draft.leaf(mode));
    draft.finish()
}

/// A right operand that has to be a layout: all types that convert into a [`DynLayout`].
///
/// ```
/// use layout_algebra::prelude::*;
/// fn twice<L: Append<B>, B: IntoDynLayout>(layout: L, mode: B) -> L::Output {
///     layout.append(mode)
/// }
/// assert_eq!(
///     twice("(4,6):(1,4)".parse::<DynLayout>()?, layout!(2:24)).to_string(),
///     "(4,6,2):(1,4,24)"
/// );
/// assert_eq!(twice(layout!((4, 6)), layout!(2:24)), layout!((4, 6, 2)));
/// # Ok::<(), LayoutError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "this is no layout to the right of a `DynLayout`",
    label = "`{Self}` does not convert into a `DynLayout`",
    note = "a layout is a `DynLayout` or a reference to one, or a layout of the types: `layout!(4:2)`"
)]
pub trait IntoDynLayout: Into<DynLayout> {}
#[diagnostic::do_not_recommend]
impl<T: Into<DynLayout>> IntoDynLayout for T {}

/// The layout of a list of modes of any kind.
pub(crate) fn from_every(modes: &[KindMode]) -> Result<DynLayout, Fault> {
    let mut draft = Draft::new();
    draft.every(modes);
    draft.finish()
}
