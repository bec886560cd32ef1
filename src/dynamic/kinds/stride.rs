//! One stride, and the kinds of a list of them.

use core::fmt;

use smallvec::SmallVec;

/// One stride of a [`DynLayout`](crate::DynLayout): how far a step goes in its mode.
///
/// ```
/// # use layout_algebra::prelude::*;
/// use layout_algebra::DynStride;
/// let l: DynLayout = "(8,8):(^1,^9)".parse()?;
/// assert_eq!(l.strides().collect::<Vec<_>>(), [DynStride::Xor(1), DynStride::Xor(9)]);
/// let strides = [DynStride::Natural(4), DynStride::Negative(4), DynStride::Xor(9)];
/// assert_eq!(strides.map(|stride| stride.to_string()), ["4", "-4", "^9"]);
/// # Ok::<(), LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum DynStride {
    /// `c` steps go `c * d` far.
    Natural(usize),
    /// `c` steps go `c * d` back.
    Negative(usize),
    /// `c` steps go as far as the product without carries of `c` and `d`, and the sum is XOR.
    Xor(usize),
}

impl From<usize> for DynStride {
    fn from(stride: usize) -> Self {
        DynStride::Natural(stride)
    }
}
/// The negative stride of a number below 0.
impl From<isize> for DynStride {
    fn from(stride: isize) -> Self {
        let distance = stride.unsigned_abs();
        if stride < 0 { DynStride::Negative(distance) } else { DynStride::Natural(distance) }
    }
}

impl DynStride {
    /// The XOR stride; 0 is the natural one.
    #[inline]
    pub(crate) fn xor(number: usize) -> Self {
        if number == 0 { DynStride::Natural(0) } else { DynStride::Xor(number) }
    }

    /// The natural or the negative stride, if it fits.
    pub(crate) fn signed(number: i128) -> Option<Self> {
        let distance = usize::try_from(number.unsigned_abs()).ok()?;
        Some(if number < 0 { DynStride::Negative(distance) } else { DynStride::Natural(distance) })
    }

    /// The stride of the kind.
    #[inline]
    pub(crate) fn of(kind: DynStrideKind, number: usize) -> Self {
        match kind {
            _ if number == 0 => DynStride::Natural(0),
            DynStrideKind::Natural => DynStride::Natural(number),
            DynStrideKind::Negative => DynStride::Negative(number),
            DynStrideKind::Xor => DynStride::Xor(number),
        }
    }

    /// The number, without its sign or its `^`.
    #[inline]
    pub(crate) fn number(self) -> usize {
        let (DynStride::Natural(number) | DynStride::Negative(number) | DynStride::Xor(number)) =
            self;
        number
    }

    /// The kind.
    #[inline]
    pub(crate) fn kind(self) -> DynStrideKind {
        match self {
            DynStride::Natural(_) => DynStrideKind::Natural,
            DynStride::Negative(_) => DynStrideKind::Negative,
            DynStride::Xor(_) => DynStrideKind::Xor,
        }
    }

    /// Whether it is an XOR stride.
    #[inline]
    pub(crate) fn is_xor(self) -> bool {
        matches!(self, DynStride::Xor(_))
    }

    /// The stride of the same kind with another number.
    #[inline]
    pub(crate) fn with_number(self, number: usize) -> Self {
        DynStride::of(self.kind(), number)
    }

    /// Whether a mode of the stride `next` continues a mode of `extent` steps of this stride.
    #[inline]
    pub(crate) fn continues(self, extent: usize, next: DynStride) -> bool {
        // For a power of two the product without carries is the usual product.
        let steps = self.kind() == next.kind() && (!self.is_xor() || extent.is_power_of_two());
        steps && extent.checked_mul(self.number()) == Some(next.number())
    }
}

impl fmt::Display for DynStride {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DynStride::Natural(number) => write!(f, "{number}"),
            DynStride::Negative(number) => write!(f, "-{number}"),
            DynStride::Xor(number) => write!(f, "^{number}"),
        }
    }
}

debug_as_display! { [] DynStride; }

/// The kind of a stride.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum DynStrideKind {
    #[default]
    Natural,
    Negative,
    Xor,
}

/// The kind of each leaf's stride; none if all are natural.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Kinds(SmallVec<[DynStrideKind; 8]>);

impl Kinds {
    /// The kinds, one for each leaf.
    pub(crate) fn as_slice(&self) -> &[DynStrideKind] {
        &self.0
    }

    /// Adds the kind of one more leaf behind `leaves` of them.
    #[inline]
    pub(crate) fn push(&mut self, leaves: usize, kind: DynStrideKind) {
        if kind != DynStrideKind::Natural || !self.0.is_empty() {
            self.0.resize(leaves, DynStrideKind::Natural);
            self.0.push(kind);
        }
    }

    /// Adds the kinds of `count` more leaves, none if all are natural, behind `leaves` of them.
    #[inline]
    pub(crate) fn append(&mut self, leaves: usize, kinds: &[DynStrideKind], count: usize) {
        if kinds.iter().any(|&kind| kind != DynStrideKind::Natural) || !self.0.is_empty() {
            self.0.resize(leaves, DynStrideKind::Natural);
            self.0.extend_from_slice(kinds);
            self.0.resize(leaves + count, DynStrideKind::Natural);
        }
    }

    /// Whether there are both XOR and negative strides.
    #[inline]
    pub(crate) fn are_mixed(&self) -> bool {
        self.0.contains(&DynStrideKind::Xor) && self.0.contains(&DynStrideKind::Negative)
    }

    /// Keeps the kind `kept`, and makes all others natural.
    pub(crate) fn keep(&mut self, kept: DynStrideKind) {
        self.0
            .iter_mut()
            .filter(|kind| **kind != kept)
            .for_each(|kind| *kind = DynStrideKind::Natural);
    }

    /// The same list as a layout has it: none where all are natural.
    #[inline]
    pub(crate) fn of_layout(self) -> Self {
        if self.0.iter().all(|&kind| kind == DynStrideKind::Natural) {
            Kinds::default()
        } else {
            self
        }
    }
}
