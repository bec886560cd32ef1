//! `DynTiler`: what composition, divides and products take on their right side.
//!
//! ```text
//! n            the layout n:1
//! S:D          a layout, applied to the whole
//! <t0,..,tk>   by mode: t_i is applied to mode i
//! _            leave it alone
//! ```
//!
//! A tiler is a list of nodes in preorder, and the leaves of its layouts stand in lists beside it,
//! as those of a [`DynLayout`] do: a copy of a small tiler takes no heap.

use smallvec::SmallVec;

use super::kinds::Kinds;
use super::layout::{DynLayout, View};
use super::tree::{self, Arities, MAX_DEPTH, NumberList};
use crate::error::{Fault, LayoutError};

/// One node of a tiler, as it is stored.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum TilerNode {
    Tuple(u32),
    Keep,
    Number,
    Layout,
}

/// One node of a tiler, as it is read.
#[derive(Clone, Copy)]
pub(crate) enum Item<'a> {
    /// A by-mode tiler; this number of tilers follows.
    Tuple(usize),
    /// `_`: leaves a mode alone.
    Keep,
    /// The layout `n:1`, written `n`.
    Number(View<'a>),
    /// A layout.
    Layout(View<'a>),
}

/// An integer, a layout, `_`, or a tuple `<t0,..,tk>` of these: how to cut each mode.
///
/// Law: `parse(print(t)) = t`. CuTe: `Tiler`.
///
/// ```
/// # use layout_algebra::prelude::*;
/// let t: DynTiler = "<4:1,_,(2,2):(1,8)>".parse()?;
/// assert_eq!((t.rank(), t.depth()), (3, 1));
/// let l: DynLayout = "(8,5,16):(1,8,40)".parse()?;
/// assert_eq!(l.compose(&t)?.to_string(), "(4,5,(2,2)):(1,8,(40,320))");
/// # Ok::<(), LayoutError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct DynTiler {
    nodes: SmallVec<[TilerNode; 8]>,
    profile: Arities,
    shape: NumberList,
    stride: NumberList,
    kinds: Kinds,
}

impl DynTiler {
    /// The deepest nesting of tuples that a tiler may have.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// let deepest =
    ///     (0..DynTiler::MAX_DEPTH).try_fold(DynTiler::from(2), |tiler, _| DynTiler::tuple([tiler]))?;
    /// assert_eq!(DynTiler::tuple([deepest]).unwrap_err().kind().as_str(), "profile");
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub const MAX_DEPTH: usize = MAX_DEPTH;

    fn empty() -> Self {
        DynTiler {
            nodes: SmallVec::new(),
            profile: SmallVec::new(),
            shape: SmallVec::new(),
            stride: SmallVec::new(),
            kinds: Kinds::default(),
        }
    }

    /// `_`: leaves a mode alone.
    ///
    /// Law: `l.compose(DynTiler::keep()) = l`. CuTe: `_`.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// assert_eq!(DynTiler::keep().to_string(), "_");
    /// ```
    pub fn keep() -> Self {
        DynTiler { nodes: SmallVec::from_slice(&[TilerNode::Keep]), ..Self::empty() }
    }

    /// `<t0,..,tk>`: a tiler for every mode.
    ///
    /// # Errors
    /// `profile` if there is no mode, or if tuples are nested more than
    /// [`MAX_DEPTH`](Self::MAX_DEPTH) deep.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// assert_eq!(DynTiler::tuple([DynTiler::from(4), DynTiler::keep()])?.to_string(), "<4,_>");
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn tuple<T: Into<DynTiler>>(
        modes: impl IntoIterator<Item = T>,
    ) -> Result<Self, LayoutError> {
        let mut tuple = Self::empty();
        tuple.nodes.push(TilerNode::Keep);
        let (mut rank, mut depth) = (0, 0);
        for mode in modes {
            let mode = mode.into();
            depth = depth.max(mode.depth());
            rank += 1;
            tuple.nodes.extend_from_slice(&mode.nodes);
            tuple.profile.extend_from_slice(&mode.profile);
            tuple.kinds.append(tuple.shape.len(), mode.kinds.as_slice(), mode.shape.len());
            tuple.shape.extend_from_slice(&mode.shape);
            tuple.stride.extend_from_slice(&mode.stride);
        }
        let refuse = |fault| Err(LayoutError::new("tuple", fault));
        if rank == 0 {
            return refuse(Fault::EmptyTuple);
        }
        if depth >= MAX_DEPTH {
            return refuse(Fault::Depth { limit: MAX_DEPTH });
        }
        tuple.nodes[0] = TilerNode::Tuple(tree::arity(rank));
        Ok(tuple)
    }

    /// The number of modes of a tuple; 1 for everything else.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// assert_eq!("<4,_>".parse::<DynTiler>()?.rank(), 2);
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn rank(&self) -> usize {
        match self.nodes[0] {
            TilerNode::Tuple(rank) => rank as usize,
            _ => 1,
        }
    }

    /// How deep `<..>` are nested; 0 for what is no tuple.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// assert_eq!("<<2,_>,3>".parse::<DynTiler>()?.depth(), 2);
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn depth(&self) -> usize {
        let arities =
            self.nodes.iter().map(|node| if let TilerNode::Tuple(rank) = node { *rank } else { 0 });
        tree::depth(&arities.collect::<SmallVec<[u32; 16]>>())
    }

    /// How many elements each mode spans; `_` spans none.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// assert_eq!("<4,_,<2,(2,2):(1,8)>>".parse::<DynTiler>()?.spans(), [4, 0, 8]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn spans(&self) -> alloc::vec::Vec<usize> {
        fn span(items: &mut Items<'_>) -> usize {
            match items.node() {
                Item::Tuple(rank) => (0..rank).map(|_| span(items)).product(),
                Item::Keep => 0,
                Item::Number(layout) | Item::Layout(layout) => layout.size(),
            }
        }
        let mut items = self.items();
        if matches!(self.nodes[0], TilerNode::Tuple(_)) {
            items.node();
        }
        (0..self.rank()).map(|_| span(&mut items)).collect()
    }

    /// The tilers of the modes of a tuple; none of what is no tuple.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// let t: DynTiler = "<<2,_>,3>".parse()?;
    /// assert_eq!(t.children().map(|child| child.to_string()).collect::<Vec<_>>(), ["<2,_>", "3"]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn children(&self) -> impl Iterator<Item = DynTiler> + '_ {
        fn tiler(items: &mut Items<'_>) -> DynTiler {
            match items.node() {
                Item::Tuple(rank) => DynTiler::tuple((0..rank).map(|_| tiler(items)))
                    .expect("a part of a tuple is one"),
                Item::Keep => DynTiler::keep(),
                Item::Number(layout) => DynTiler::from(layout.shape[0]),
                Item::Layout(layout) => DynTiler::from(layout.to_layout()),
            }
        }
        let mut items = self.items();
        let rank = match items.node() {
            Item::Tuple(rank) => rank,
            _ => 0,
        };
        (0..rank).map(move |_| tiler(&mut items))
    }

    /// The layout that this is, `n:1` for a number `n`; `None` for `_` and for a tuple.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// let [number, tuple] = ["4", "<4,_>"].map(|text| text.parse::<DynTiler>().unwrap().as_layout());
    /// assert_eq!((number, tuple), (Some("4:1".parse()?), None));
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn as_layout(&self) -> Option<DynLayout> {
        match self.items().node() {
            Item::Number(layout) | Item::Layout(layout) => Some(layout.to_layout()),
            Item::Tuple(_) | Item::Keep => None,
        }
    }

    /// The numbers of the entries, `None` for `_`, if they are nothing else; and whether they are
    /// those of a tuple.
    pub(crate) fn blocks(&self) -> Option<(SmallVec<[Option<usize>; 8]>, bool)> {
        let tuple = matches!(self.nodes[0], TilerNode::Tuple(_));
        let entries = self.items().skip(usize::from(tuple)).map(|item| match item {
            Item::Keep => Some(None),
            Item::Number(layout) => Some(Some(layout.shape[0])),
            Item::Layout(layout) => {
                (layout.profile == [0] && layout.stride[0] == 1 && layout.is_natural())
                    .then(|| Some(layout.shape[0]))
            }
            Item::Tuple(_) => None,
        });
        Some((entries.collect::<Option<_>>()?, tuple))
    }

    /// Whether all strides of its layouts are natural numbers.
    pub(crate) fn is_natural(&self) -> bool {
        self.kinds.as_slice().is_empty()
    }

    /// The nodes in preorder.
    #[inline]
    pub(crate) fn items(&self) -> Items<'_> {
        let (profile, shape, stride, kinds) =
            (&self.profile, &self.shape, &self.stride, self.kinds.as_slice());
        Items { nodes: &self.nodes, layouts: View { profile, shape, stride, kinds } }
    }
}

/// See [`DynTiler::items`]. A by-mode operation that recurses with the tiler takes the nodes from
/// here, one by one.
pub(crate) struct Items<'a> {
    nodes: &'a [TilerNode],
    layouts: View<'a>,
}

impl<'a> Iterator for Items<'a> {
    type Item = Item<'a>;

    #[inline]
    fn next(&mut self) -> Option<Item<'a>> {
        let (&node, rest) = self.nodes.split_first()?;
        self.nodes = rest;
        Some(match node {
            TilerNode::Tuple(rank) => Item::Tuple(rank as usize),
            TilerNode::Keep => Item::Keep,
            TilerNode::Number => Item::Number(self.layout()),
            TilerNode::Layout => Item::Layout(self.layout()),
        })
    }
}

impl<'a> Items<'a> {
    /// The next node; a loop over the tree asks for no more than there are.
    #[inline]
    pub(crate) fn node(&mut self) -> Item<'a> {
        self.next().expect("a tiler has a node for every mode of its tuples")
    }

    #[inline]
    fn layout(&mut self) -> View<'a> {
        let (nodes, leaves) = tree::first_tree(self.layouts.profile);
        let (first, after) = self.layouts.split_at(nodes, leaves);
        self.layouts = after;
        first
    }
}

/// What a [`DynLayout`] can be composed with and divided by: all that converts into a [`DynTiler`].
///
/// ```
/// use layout_algebra::prelude::*;
/// fn halves(l: &DynLayout, tiler: impl IntoDynTiler) -> Result<DynLayout, LayoutError> {
///     l.zipped_divide(tiler)
/// }
/// let l: DynLayout = "(4,6):(1,4)".parse()?;
/// assert_eq!(halves(&l, tiler!(2, 3))?.to_string(), "((2,3),(2,2)):((1,4),(2,12))");
/// # Ok::<(), LayoutError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "this is no right operand of a `DynLayout`",
    label = "`{Self}`: neither a layout nor a number nor a tiler",
    note = "a tiler that goes mode by mode is written `tiler!(2, 3)`, or read from text: \
            `\"<2,3>\".parse::<DynTiler>()?`"
)]
pub trait IntoDynTiler: Into<DynTiler> {}
#[diagnostic::do_not_recommend]
impl<T: Into<DynTiler>> IntoDynTiler for T {}

impl DynTiler {
    #[inline]
    fn one(node: TilerNode, View { profile, shape, stride, kinds }: View<'_>) -> Self {
        let mut of_layout = Kinds::default();
        of_layout.append(0, kinds, shape.len());
        DynTiler {
            nodes: SmallVec::from_slice(&[node]),
            profile: SmallVec::from_slice(profile),
            shape: SmallVec::from_slice(shape),
            stride: SmallVec::from_slice(stride),
            kinds: of_layout,
        }
    }
}

impl From<usize> for DynTiler {
    #[inline]
    fn from(number: usize) -> Self {
        DynTiler::one(
            TilerNode::Number,
            View { profile: &[0], shape: &[number], stride: &[1], kinds: &[] },
        )
    }
}

impl From<&DynLayout> for DynTiler {
    #[inline]
    fn from(layout: &DynLayout) -> Self {
        DynTiler::one(TilerNode::Layout, layout.view())
    }
}

impl From<DynLayout> for DynTiler {
    #[inline]
    fn from(layout: DynLayout) -> Self {
        DynTiler::from(&layout)
    }
}

impl From<&DynTiler> for DynTiler {
    #[inline]
    fn from(tiler: &DynTiler) -> Self {
        DynTiler {
            nodes: SmallVec::from_slice(&tiler.nodes),
            profile: SmallVec::from_slice(&tiler.profile),
            shape: SmallVec::from_slice(&tiler.shape),
            stride: SmallVec::from_slice(&tiler.stride),
            kinds: tiler.kinds.clone(),
        }
    }
}
