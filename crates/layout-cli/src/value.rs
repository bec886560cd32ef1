//! Operands and results of operations.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use layout_algebra::DynStride;
use layout_algebra::prelude::*;

/// A layout, swizzled or not.
///
/// A plain layout is no composed one with the trivial swizzle: its offsets may be negative, and its
/// text has neither a swizzle nor an offset. If `4:-1` were `Sw<0,0,0> o 3 o 4:-1`, `layout show`
/// would print the offsets 3, 2, 1, 0 in place of 0, -1, -2, -3; `layout compose 4:-1 2:1` would
/// give `Sw<0,0,0> o 3 o 2:-1` in place of `2:-1`; and `layout slice 4:-1 2` would give an offset,
/// where it refuses a negative one.
///
/// ```
/// use layout_algebra::prelude::*;
/// let plain: DynLayout = "4:-1".parse()?;
/// assert_eq!(plain.signed_index(3), -3);
/// assert!("Sw<0,0,0> o 0 o 4:-1".parse::<DynComposedLayout>().is_err());
/// # Ok::<(), LayoutError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum AnyLayout {
    /// Strided.
    Plain(DynLayout),
    /// With a swizzle.
    Swizzled(DynComposedLayout),
}

/// Applies an expression to either kind of layout.
#[macro_export]
macro_rules! either {
    ($any:expr, $layout:ident => $work:expr) => {
        match $any {
            $crate::AnyLayout::Plain($layout) => $work,
            $crate::AnyLayout::Swizzled($layout) => $work,
        }
    };
}

/// The largest layout whose interlocking modes are searched for coordinates that share an offset.
const SEARCHED: usize = 1 << 14;

/// The most coordinates of a swizzled layout whose offsets are counted one by one: where it has XOR
/// strides and others, and is not linear.
const COUNTED: usize = 1 << 17;

/// The most modes of a swizzled layout whose offsets are counted.
const LEAVES: usize = 32;

impl AnyLayout {
    /// The number of coordinates.
    pub fn size(&self) -> usize {
        either!(self, layout => layout.size())
    }

    /// One past the largest offset. [`try_cosize`](AnyLayout::try_cosize) has to succeed.
    pub fn cosize(&self) -> usize {
        self.cosize_in_bits().unwrap_or_else(|| either!(self, layout => layout.cosize()))
    }

    /// The cosize of a linear swizzled layout with XOR strides, by Gaussian elimination instead of
    /// a search.
    fn cosize_in_bits(&self) -> Option<usize> {
        match self {
            AnyLayout::Swizzled(layout)
                if moves(&layout.inner(), |stride| matches!(stride, DynStride::Xor(_))) =>
            {
                Some(layout.linear().ok()?.cosize())
            }
            _ => None,
        }
    }

    /// One past the largest offset.
    ///
    /// # Errors
    /// `overflow` if it exceeds `usize`, or a swizzled layout with strides of several kinds has
    /// more than 2^17 coordinates; `rank` if a swizzled layout has more than 32 modes.
    pub fn try_cosize(&self) -> Result<usize, LayoutError> {
        let AnyLayout::Swizzled(layout) = self else { return Ok(self.cosize()) };
        let refused = |fault| Err(LayoutError::new("cosize", fault).with_operand(layout));
        let moving = layout.inner().filter();
        if moves(&moving, |stride| matches!(stride, DynStride::Xor(_))) {
            if moving.size() > COUNTED && self.cosize_in_bits().is_none() {
                return refused(Fault::CosizeUndecided { most: COUNTED });
            }
        } else if moving.shape().leaves().len() > LEAVES {
            return refused(Fault::Leaves { limit: LEAVES });
        }
        // A swizzle is its own inverse, so this offset is swizzled to `usize::MAX`, whose successor
        // does not fit.
        let last = layout.outer().apply(usize::MAX);
        let from = if is_natural(&moving) { layout.offset() } else { 0 };
        let reach = layout.offset().saturating_add(moving.cosize().saturating_sub(1));
        if layout.size() > 0 && (from..=reach).contains(&last) {
            return refused(Fault::Overflow);
        }
        Ok(self.cosize())
    }

    /// The layout without its swizzle, which has the same shape.
    pub fn strided(&self) -> DynLayout {
        match self {
            AnyLayout::Plain(layout) => layout.clone(),
            AnyLayout::Swizzled(layout) => layout.inner(),
        }
    }

    /// The offset at `index`, which is below the size.
    pub fn at(&self, index: usize) -> usize {
        either!(self, layout => layout.at(index))
    }

    /// Applies a function to the layout, or to the inner layout of a swizzled one.
    ///
    /// # Errors
    /// Those of the function; `overflow` if the result has no such swizzle.
    pub fn on_inner(
        &self,
        work: impl FnOnce(&DynLayout) -> Result<DynLayout, LayoutError>,
    ) -> Result<AnyLayout, LayoutError> {
        match self {
            AnyLayout::Plain(layout) => work(layout).map(AnyLayout::Plain),
            // By its text, which is checked as such.
            AnyLayout::Swizzled(layout) => {
                let inner = work(&layout.inner())?;
                format!("{} o {} o {inner}", layout.outer(), layout.offset()).parse()
            }
        }
    }

    /// The layout; a swizzled one is expressed in XOR strides.
    ///
    /// # Errors
    /// Those of [`DynComposedLayout::linear`].
    pub fn in_bits(&self) -> Result<Cow<'_, DynLayout>, LayoutError> {
        match self {
            AnyLayout::Plain(layout) => Ok(Cow::Borrowed(layout)),
            AnyLayout::Swizzled(layout) => layout.linear().map(Cow::Owned),
        }
    }

    /// `A(R(i)) = i`. The inverse of a swizzled layout is swizzled or has XOR strides.
    ///
    /// # Errors
    /// For a swizzled layout those of both forms.
    pub fn right_inverse(&self) -> Result<AnyLayout, LayoutError> {
        let AnyLayout::Swizzled(layout) = self else {
            return self.on_inner(|layout| Ok(layout.right_inverse()));
        };
        let inverse = layout.right_inverse().map(|_| layout.inner().right_inverse());
        under(inverse, layout).or_else(|_| Ok(AnyLayout::Plain(self.in_bits()?.right_inverse())))
    }

    /// `R(A(i)) = i` for an injective A. The inverse of a swizzled layout is swizzled or has XOR
    /// strides.
    ///
    /// # Errors
    /// Those of [`DynLayout::left_inverse`]; for a swizzled layout those of both forms.
    pub fn left_inverse(&self) -> Result<AnyLayout, LayoutError> {
        let AnyLayout::Swizzled(layout) = self else {
            return self.on_inner(DynLayout::left_inverse);
        };
        let inverse = layout.left_inverse().and_then(|_| layout.inner().left_inverse());
        under(inverse, layout).or_else(|_| Ok(AnyLayout::Plain(self.in_bits()?.left_inverse()?)))
    }

    /// No two coordinates share an offset. A swizzle does not change that.
    pub fn is_injective(&self) -> bool {
        self.strided().is_injective()
    }

    /// Every number below the cosize is an offset.
    ///
    /// # Errors
    /// Those of [`try_cosize`](AnyLayout::try_cosize); `overflow` where a swizzled layout has more
    /// than 2^17 coordinates that share offsets.
    pub fn try_is_surjective(&self) -> Result<bool, LayoutError> {
        let AnyLayout::Swizzled(layout) = self else {
            return self.strided().try_is_surjective();
        };
        let cosize = self.try_cosize()?;
        let moving = layout.inner().filter();
        if moving.is_injective() {
            return Ok(cosize == moving.size());
        }
        if moving.size() > COUNTED {
            let fault = Fault::CosizeUndecided { most: COUNTED };
            return Err(LayoutError::new("is_surjective", fault).with_operand(layout));
        }
        // Negative strides lead below the swizzle's offset; natural ones may lead beyond `isize`.
        let offset = |i: usize| match moving.try_signed_index(i) {
            Ok(offset) => Ok(offset as i128),
            Err(_) => moving.try_index(i).map(|offset| offset as i128),
        };
        let offsets = (0..moving.size()).map(offset).collect::<Result<BTreeSet<i128>, _>>()?;
        Ok(layout.size() == 0 || offsets.len() == cosize)
    }

    /// Injective and surjective.
    ///
    /// # Errors
    /// Those of [`try_cosize`](AnyLayout::try_cosize).
    pub fn try_is_bijective(&self) -> Result<bool, LayoutError> {
        match self {
            AnyLayout::Plain(layout) => Ok(layout.is_bijective()),
            AnyLayout::Swizzled(_) => Ok(self.try_cosize()? == self.size() && self.is_injective()),
        }
    }

    /// Bijective once modes of stride 0 are dropped.
    ///
    /// # Errors
    /// Those of [`try_cosize`](AnyLayout::try_cosize).
    pub fn try_is_compact(&self) -> Result<bool, LayoutError> {
        match self {
            AnyLayout::Plain(layout) => Ok(layout.is_compact()),
            _ => self.on_inner(|layout| Ok(layout.filter()))?.try_is_bijective(),
        }
    }

    /// The same offsets in another shape of the same size.
    ///
    /// # Errors
    /// `profile` if the sizes differ; those of [`DynLayout::with_shape`].
    pub fn with_shape(&self, shape: &DynShape) -> Result<AnyLayout, LayoutError> {
        let (left, right) = (self.size(), shape.try_size()?);
        if left != right {
            return Err(LayoutError::new("with_shape", Fault::Sizes { left, right })
                .with_operands(self, shape));
        }
        self.on_inner(|layout| layout.with_shape(shape))
    }

    /// The swizzled offset, of an offset of the layout without its swizzle.
    pub fn moved(&self, offset: usize) -> usize {
        match self {
            AnyLayout::Plain(_) => offset,
            AnyLayout::Swizzled(layout) => layout.outer().apply(layout.offset() + offset),
        }
    }

    /// Is injectivity quick to decide? If modes interlock, the library searches, in time
    /// exponential in the number of modes in the worst case.
    pub fn is_quick(&self) -> bool {
        let layout = self.strided();
        // With XOR strides the library counts coordinates: quick up to `SEARCHED` of them.
        if !is_natural(&layout) {
            return layout.size() <= SEARCHED;
        }
        let (shape, stride) = (layout.shape(), layout.stride());
        let mut modes: Vec<(usize, usize)> =
            stride.leaves().iter().copied().zip(shape.leaves().iter().copied()).collect();
        modes.retain(|&(stride, extent)| extent > 1 && stride > 0);
        modes.sort_unstable();
        let mut reach = 0;
        let apart = modes.iter().all(|&(stride, extent)| {
            let clear = stride > reach;
            reach += (extent - 1) * stride;
            clear
        });
        apart || layout.size() <= SEARCHED && modes.len() <= 8
    }

    /// Plain data for the analysis, which takes at most 32 leaves, no negative strides, and XOR
    /// strides only of a swizzle.
    pub fn flat(&self) -> Option<FlatLayout> {
        let layout = self.strided();
        let is_read = match self {
            AnyLayout::Plain(_)
                if moves(&layout, |stride| matches!(stride, DynStride::Negative(_))) =>
            {
                false
            }
            AnyLayout::Plain(_) => {
                !moves(&layout, |stride| matches!(stride, DynStride::Xor(_)))
                    || layout.swizzled().is_ok()
            }
            AnyLayout::Swizzled(_) => is_natural(&layout),
        };
        (is_read && layout.shape().leaves().len() <= 32)
            .then(|| either!(self, layout => FlatLayout::of(layout)))
    }
}

/// The composition of the inner layout's inverse with the swizzle.
fn under(
    inverse: Result<DynLayout, LayoutError>,
    layout: &DynComposedLayout,
) -> Result<AnyLayout, LayoutError> {
    let inverse = inverse?;
    let offsets = DynLayout::left(&DynShape::from(inverse.size()));
    let offsets = DynComposedLayout::new(layout.outer(), 0, offsets);
    offsets.composed_under(&inverse).map(AnyLayout::Swizzled)
}

/// Are all strides natural?
pub fn is_natural(layout: &DynLayout) -> bool {
    layout.strides().all(|stride| matches!(stride, DynStride::Natural(_)))
}

/// Has a mode of more than one element a stride of this kind?
fn moves(layout: &DynLayout, kind: impl Fn(DynStride) -> bool) -> bool {
    layout
        .strides()
        .zip(layout.shape().leaves())
        .any(|(stride, &extent)| extent > 1 && kind(stride))
}

/// Parses a layout; a shape alone is column-major.
///
/// # Errors
/// Those of parsing a layout; `overflow` for a shape whose size exceeds `usize`.
pub fn read_layout(text: &str) -> Result<DynLayout, LayoutError> {
    let shape = if text.contains(':') { None } else { text.parse::<DynShape>().ok() };
    shape.map_or_else(|| text.parse(), |shape| DynLayout::try_left(&shape))
}

impl FromStr for AnyLayout {
    type Err = LayoutError;
    fn from_str(text: &str) -> Result<Self, LayoutError> {
        match text.trim_start().starts_with('S') {
            true => text.parse().map(AnyLayout::Swizzled),
            false => read_layout(text).map(AnyLayout::Plain),
        }
    }
}

impl fmt::Display for AnyLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        either!(self, layout => layout.fmt(f))
    }
}

/// An operand or a result.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A layout, swizzled or not.
    Layout(AnyLayout),
    /// A layout and an offset: the result of a slice.
    Part(AnyLayout, usize),
    /// A layout, a number or a tiler.
    Tile(DynTiler),
    /// Numbers in parentheses: a shape, a coordinate, or numbers of modes.
    Shape(DynShape),
    /// A number.
    Number(usize),
    /// A slice: what is kept of each mode.
    Slice(DynSlice),
    /// A swizzle.
    Swizzle(DynSwizzle),
    /// A boolean.
    Bool(bool),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Layout(layout) => layout.fmt(f),
            Value::Part(layout, offset) => write!(f, "{layout} at offset {offset}"),
            Value::Tile(tile) => tile.fmt(f),
            Value::Shape(shape) => shape.fmt(f),
            Value::Number(number) => number.fmt(f),
            Value::Slice(slice) => slice.fmt(f),
            Value::Swizzle(swizzle) => swizzle.fmt(f),
            Value::Bool(answer) => answer.fmt(f),
        }
    }
}

/// Conversion of the results of methods, fallible or not, to a [`Value`].
pub(crate) trait Answer {
    fn answer(self) -> Result<Value, LayoutError>;
}
impl<T: Answer> Answer for Result<T, LayoutError> {
    fn answer(self) -> Result<Value, LayoutError> {
        self?.answer()
    }
}
macro_rules! answers {
    ($($type:ty, $found:ident => $value:expr;)*) => {
        $(impl Answer for $type {
            fn answer(self) -> Result<Value, LayoutError> {
                let $found = self;
                Ok($value)
            }
        })*
    };
}
answers! {
    Value, it => it;
    AnyLayout, it => Value::Layout(it);
    DynLayout, it => Value::Layout(AnyLayout::Plain(it));
    DynComposedLayout, it => Value::Layout(AnyLayout::Swizzled(it));
    (DynLayout, usize), it => Value::Part(AnyLayout::Plain(it.0), it.1);
    (DynComposedLayout, usize), it => Value::Part(AnyLayout::Swizzled(it.0), it.1);
    DynShape, it => Value::Shape(it);
    usize, it => Value::Number(it);
    bool, it => Value::Bool(it);
}

/// Conversion of a [`Value`] to the operand of a row, if it is of the right kind.
pub(crate) trait Part<'a>: Sized {
    fn of(value: &'a Value) -> Option<Self>;
}
macro_rules! parts {
    ($($type:ty, $pattern:pat => $part:expr;)*) => {
        $(impl<'a> Part<'a> for $type {
            fn of(value: &'a Value) -> Option<Self> {
                match value {
                    $pattern => Some($part),
                    _ => None,
                }
            }
        })*
    };
}
parts! {
    &'a AnyLayout, Value::Layout(it) => it;
    &'a DynLayout, Value::Layout(AnyLayout::Plain(it)) => it;
    &'a DynTiler, Value::Tile(it) => it;
    &'a DynShape, Value::Shape(it) => it;
    &'a DynSlice, Value::Slice(it) => it;
    usize, Value::Number(it) => *it;
    DynSwizzle, Value::Swizzle(it) => *it;
}
