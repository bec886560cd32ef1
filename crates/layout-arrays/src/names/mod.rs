//! Axes by their names: einops' notation.

mod bind;
mod pattern;

use alloc::format;
use alloc::string::String;

use self::bind::Given;
use self::pattern::Pattern;
use crate::error::{ArrayError, PatternError};
use crate::layout::ArrayLayout;

/// Axes split, permuted and merged by their names: einops' `rearrange`.
///
/// Law: the element at a coordinate of the right side is the element of the array at the coordinate
/// of the left side in which every name has the same number; parts in parentheses count the last
/// one fastest.
///
/// A name stands once on each side, `(h p)` is one axis of two parts, `...` as many axes as are
/// left, `1` and `()` an axis of one element. Extents that do not follow from the shape are said by
/// [`with`](Self::with).
///
/// ```
/// use layout_arrays::{ArrayLayout, Rearrange};
/// let images = ArrayLayout::row_major(&[8, 32, 48, 3])?;
/// let planes = Rearrange::new("b h w c -> b c h w")?.view(&images)?;
/// assert_eq!((planes.shape(), planes.strides()), (&[8, 3, 32, 48][..], &[4608, 1, 144, 3][..]));
///
/// let patches = Rearrange::new("b (h p) (w q) c -> b h w p q c")?.with("p", 16).with("q", 16);
/// assert_eq!(patches.view(&images)?.shape(), [8, 2, 3, 16, 16, 3]);
/// let rows = Rearrange::new("b (h p) (w q) c -> (b h w) (p q c)")?.with("p", 16).with("q", 16);
/// assert_eq!(
///     rows.view(&images).unwrap_err().to_string(),
///     "a copy is needed: axis `p` (extent 16, stride 144) and axis `q` (extent 16, stride 3) \
///      have one stride only if the stride of axis `p` is 16 * 3"
/// );
/// # Ok::<(), layout_arrays::ArrayError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Rearrange {
    pattern: Pattern,
    given: Given,
}

impl Rearrange {
    /// Reads a pattern.
    ///
    /// # Errors
    /// What is wrong in the pattern, and where: a name on one side only or twice on one,
    /// parentheses without their other half or inside others, a number other than 1.
    ///
    /// ```
    /// use layout_arrays::Rearrange;
    /// let error = Rearrange::new("b (h p w -> b h p w").unwrap_err();
    /// assert_eq!(error.to_string(), "`(` without `)`\n  b (h p w -> b h p w\n    ^");
    /// ```
    pub fn new(pattern: &str) -> Result<Self, PatternError> {
        let pattern = Pattern::read(pattern)?;
        for (axis, name) in pattern.names.iter().enumerate() {
            let why = match name.on {
                _ if name.number.is_some() => {
                    format!(
                        "an axis of {} elements without a name: `Repeat` adds it, `Reduce` drops it",
                        pattern.name(axis)
                    )
                }
                [true, false] => format!("axis `{}` is on the left side only", pattern.name(axis)),
                [false, true] => format!("axis `{}` is on the right side only", pattern.name(axis)),
                _ => continue,
            };
            return Err(pattern.error(name.at.clone(), why));
        }
        if let (false, Some(at)) = (pattern.has_ellipsis(1), pattern.text.find(pattern::ELLIPSIS)) {
            return Err(pattern.error(at..at + 3, "`...` is on the left side only".into()));
        }
        Ok(Rearrange { pattern, given: Given::new() })
    }

    /// Says the extent of a name. A name that the pattern does not have is an error of the calls
    /// that take a layout.
    ///
    /// ```
    /// use layout_arrays::{ArrayLayout, Rearrange};
    /// let split = Rearrange::new("(h p) -> h p")?.with("p", 4);
    /// assert_eq!(split.view(&ArrayLayout::row_major(&[12])?)?.shape(), [3, 4]);
    /// let error = split.view(&ArrayLayout::row_major(&[10])?).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "`(h p)`: 10 elements do not divide into parts of 4\n  (h p) -> h p\n  ^^^^^"
    /// );
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    #[must_use]
    pub fn with(mut self, name: &str, extent: usize) -> Self {
        self.given.push((String::from(name), extent));
        self
    }

    /// The rearranged array as a view: another layout for the same elements.
    ///
    /// # Errors
    /// [`NeedsCopy`](crate::NeedsCopy) with the names of two axes that do not fold; a shape that
    /// does not fit the left side; more than 32 axes.
    ///
    /// ```
    /// use layout_arrays::{ArrayLayout, Rearrange};
    /// let l = ArrayLayout::row_major(&[2, 3, 4])?;
    /// assert_eq!(Rearrange::new("a ... -> ... a")?.view(&l)?, l.permute(&[1, 2, 0])?);
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn view(&self, layout: &ArrayLayout) -> Result<ArrayLayout, ArrayError> {
        Ok(self.pattern.bind(layout.shape(), &self.given)?.view(layout)?.0)
    }
}
