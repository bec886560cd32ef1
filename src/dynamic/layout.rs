//! `DynLayout`: a shape and a congruent stride, of any rank and nesting.
//!
//! ```text
//! L = S:D       L(c) = sum c_k * d_k       size(L) = size(S)       cosize(L) = 1 + sum (s_k - 1) * d_k
//! ```
//!
//! One profile serves both trees, so they are congruent by construction. Size and cosize are checked once, when a
//! layout is made: afterwards no coordinate of its domain can overflow.

use core::hash::{Hash, Hasher};

use smallvec::SmallVec;

use super::flat::{DynMode, DynModes};
use super::shape::{DynShape, IntoDynShape};
use super::text::ProfileText;
use super::tree::{self, Arities, NumberList};
use crate::error::{Fault, LayoutError};

/// A layout whose rank, shape and stride are known at run time only.
///
/// Law: `index(c) = sum c_k * d_k`, and `{}` prints what `parse` reads. CuTe: `Layout<Shape, Stride>`.
///
/// The product of the extents (zeros left out) and the largest offset fit `usize`; a layout that would not hold that is
/// an `overflow` error instead. An extent of 0 makes the layout empty: size and cosize are 0, and no index is valid.
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
/// A strided layout of types is one with `From`, and `TryFrom` is the way back, if the profile and every static number
/// are those of the type: what was read at run time is checked once, and known from there on.
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
pub struct DynLayout {
    pub(crate) profile: Arities,
    pub(crate) shape: NumberList,
    pub(crate) stride: NumberList,
    pub(super) size: usize,
    pub(super) cosize: usize,
}

impl DynLayout {
    /// The layout `shape:stride`.
    ///
    /// # Errors
    /// `profile` if they are not congruent, `overflow` if the size or the cosize leaves `usize`. CuTe: `make_layout`.
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

    /// The size and the cosize, which fit.
    #[inline]
    pub(crate) fn span(&self) -> Option<(usize, usize)> {
        Some((self.size, self.cosize))
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
        }
        .finish()
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

    /// One past the largest offset; 0 for an empty layout.
    ///
    /// Law: `1 + sum (s_k - 1) * d_k`. CuTe: `cosize`.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// assert_eq!("(4,6):(1,8)".parse::<DynLayout>()?.cosize(), 44);
    /// assert_eq!("(4,0):(1,8)".parse::<DynLayout>()?.cosize(), 0);
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
        DynShape { profile: SmallVec::from_slice(&self.profile), leaves: SmallVec::from_slice(&self.shape) }
    }

    /// The stride. CuTe: `stride`.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// assert_eq!("(4,(2,3)):(1,(12,4))".parse::<DynLayout>()?.stride().to_string(), "(1,(12,4))");
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn stride(&self) -> DynShape {
        DynShape { profile: SmallVec::from_slice(&self.profile), leaves: SmallVec::from_slice(&self.stride) }
    }

    /// The layout as the algebra reads it.
    #[inline]
    pub(crate) fn view(&self) -> View<'_> {
        View { profile: &self.profile, shape: &self.shape, stride: &self.stride }
    }
}

/// As a layout of the types hashes that is equal.
impl Hash for DynLayout {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.profile.iter().for_each(|&arity| state.write_usize(arity as usize));
        self.shape.iter().chain(&self.stride).for_each(|&number| state.write_usize(number));
    }
}

impl From<&DynLayout> for DynLayout {
    fn from(layout: &DynLayout) -> Self {
        layout.view().to_layout()
    }
}

/// A layout, or a mode of one, without a copy. Public in name only: the sealed part of `DynCoordinate` mentions it.
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub(crate) profile: &'a [u32],
    pub(crate) shape: &'a [usize],
    pub(crate) stride: &'a [usize],
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

    /// All leaf modes from left to right.
    #[inline]
    pub(crate) fn flat(self) -> impl Iterator<Item = DynMode> + Clone + 'a {
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
        let (profile, after) = self.rest.profile.split_at(nodes);
        let (shape, shape_after) = self.rest.shape.split_at(leaves);
        let (stride, stride_after) = self.rest.stride.split_at(leaves);
        self.rest = View { profile: after, shape: shape_after, stride: stride_after };
        Some(View { profile, shape, stride })
    }
}

/// A layout being written, in preorder.
#[derive(Default)]
pub(crate) struct Draft {
    pub(crate) profile: Arities,
    pub(crate) shape: NumberList,
    pub(crate) stride: NumberList,
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
        self.leaf_of_open(mode);
    }

    /// Adds the numbers of a leaf whose node is already in the profile.
    #[inline]
    pub(crate) fn leaf_of_open(&mut self, mode: DynMode) {
        self.shape.push(mode.extent);
        self.stride.push(mode.stride);
    }

    /// Adds a whole tree.
    #[inline]
    pub(crate) fn tree(&mut self, view: View<'_>) {
        tree::append(&mut self.profile, view.profile);
        tree::append(&mut self.shape, view.shape);
        tree::append(&mut self.stride, view.stride);
    }

    /// Adds a list of modes: none is `1:0`, one is itself, more are a tuple.
    #[inline]
    pub(crate) fn modes(&mut self, modes: &DynModes) {
        match modes[..] {
            [] => self.leaf(DynMode::new(1, 0)),
            [mode] => self.leaf(mode),
            _ => {
                self.open(modes.len());
                self.profile.resize(self.profile.len() + modes.len(), 0);
                self.shape.extend(modes.iter().map(|mode| mode.extent));
                self.stride.extend(modes.iter().map(|mode| mode.stride));
            }
        }
    }

    /// What is written so far, which is a whole tree.
    #[inline]
    pub(crate) fn view(&self) -> View<'_> {
        View { profile: &self.profile, shape: &self.shape, stride: &self.stride }
    }

    /// Size and cosize, if they fit `usize`.
    #[inline]
    fn measure(&self) -> Result<(usize, usize), Fault> {
        measure(self.shape.iter().zip(&self.stride).map(|(&extent, &stride)| DynMode::new(extent, stride)))
    }

    #[inline]
    fn measured(self, (size, cosize): (usize, usize)) -> DynLayout {
        DynLayout { profile: self.profile, shape: self.shape, stride: self.stride, size, cosize }
    }

    /// The layout, if its size and cosize fit `usize`.
    #[inline]
    pub(crate) fn finish(self) -> Result<DynLayout, Fault> {
        let measure = self.measure()?;
        Ok(self.measured(measure))
    }

    /// The layout that `write` writes, or the error that `explain` makes of the fault. A layout is some 250 bytes; this
    /// way it is moved once and not once for every `Result` on its way.
    #[inline]
    pub(crate) fn build(
        write: impl FnOnce(&mut Draft) -> Result<(), Fault>,
        explain: impl FnOnce(Fault) -> LayoutError,
    ) -> Result<DynLayout, LayoutError> {
        let mut draft = Draft::new();
        let written = write(&mut draft);
        match written.and_then(|()| draft.measure()) {
            Ok(measure) => Ok(draft.measured(measure)),
            Err(fault) => Err(explain(fault)),
        }
    }
}

/// Size and cosize of modes, if they fit `usize`.
#[inline]
pub(crate) fn measure(modes: impl Iterator<Item = DynMode>) -> Result<(usize, usize), Fault> {
    let (mut size, mut last, mut empty) = (1usize, 0usize, false);
    for DynMode { extent, stride } in modes {
        if extent == 0 {
            empty = true;
            continue;
        }
        size = size.checked_mul(extent).ok_or(Fault::Overflow)?;
        let reach = (extent - 1).checked_mul(stride).ok_or(Fault::Overflow)?;
        last = last.checked_add(reach).ok_or(Fault::Overflow)?;
    }
    let cosize = last.checked_add(1).ok_or(Fault::Overflow)?;
    Ok(if empty { (0, 0) } else { (size, cosize) })
}

/// The layout of a list of modes whose size and cosize are known.
#[inline]
pub(crate) fn from_measured_modes(modes: &DynModes, size: usize, cosize: usize) -> DynLayout {
    let mut draft = Draft::new();
    draft.modes(modes);
    draft.measured((size, cosize))
}

/// The layout of a list of modes.
pub(crate) fn from_modes(modes: &DynModes) -> Result<DynLayout, Fault> {
    let mut draft = Draft::new();
    draft.modes(modes);
    draft.finish()
}

/// What converts into a [`DynLayout`], and so stands to the right of a [`DynLayout`](crate::DynLayout) that wants one.
///
/// ```
/// use layout_algebra::prelude::*;
/// fn twice<L: Append<B>, B: IntoDynLayout>(layout: L, mode: B) -> L::Output {
///     layout.append(mode)
/// }
/// assert_eq!(twice("(4,6):(1,4)".parse::<DynLayout>()?, layout!(2:24)).to_string(), "(4,6,2):(1,4,24)");
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
