//! Concatenation of arrays along the axis `*`, and named extents of a shape.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use layout_algebra::tensor::Storage;
use layout_algebra::{DynLayout, Tensor};

use super::pattern::{ELLIPSIS, check_name};
use crate::axes::{HasAxes, read_elements, row_major_tensor};
use crate::error::{ArrayError, PatternError};
use crate::layout::ArrayLayout;

/// Concatenates arrays along the axis `*`, and returns views of the parts: einops' `pack` and
/// `unpack`.
///
/// Law: `unpack` with the shapes that `pack_tensors` returns gives each array's elements.
///
/// The pattern names the axes before and after `*`, which all arrays have; the axes of an array in
/// between, none or several, become its part of the axis `*`.
///
/// ```
/// use layout_arrays::{ArrayLayout, Pack};
/// let image = ArrayLayout::row_major(&[2, 2])?.tensor(vec![1, 2, 3, 4])?;
/// let images = Pack::new("* h w")?.pack_tensors(&[&image, &image])?.0;
/// assert_eq!(images.layout().to_string(), "(2,2,2):(4,2,1)");
///
/// let row = ArrayLayout::row_major(&[2])?.tensor(vec![5, 6])?;
/// let (packed, shapes) = Pack::new("* w")?.pack_tensors(&[&image, &row])?;
/// assert_eq!(shapes, [vec![2], vec![]]);
/// assert_eq!(packed.into_storage(), [1, 2, 3, 4, 5, 6]);
/// # Ok::<(), layout_arrays::ArrayError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pack {
    text: String,
    /// The number of axes before `*`, and after it.
    sides: [usize; 2],
}

impl Pack {
    /// Reads a pattern: names and one `*`, separated by spaces.
    ///
    /// # Errors
    /// No `*` or two, a name twice, and an invalid name.
    ///
    /// ```
    /// use layout_arrays::Pack;
    /// let error = Pack::new("i j k").unwrap_err();
    /// assert_eq!(error.to_string(), "one axis has to be `*`\n  i j k\n  ^^^^^");
    /// ```
    pub fn new(pattern: &str) -> Result<Self, PatternError> {
        let error = |message: String| PatternError::new(pattern, 0..pattern.len(), message);
        let axes: Vec<&str> = pattern.split_whitespace().collect();
        let Some(star) = axes.iter().position(|&axis| axis == "*") else {
            return Err(error("one axis has to be `*`".into()));
        };
        for (k, axis) in axes.iter().enumerate() {
            if axes[..k].contains(axis) {
                return Err(error(format!("axis `{axis}` stands there twice")));
            }
            if k != star {
                check_name(axis).map_err(error)?;
            }
        }
        Ok(Pack { text: pattern.into(), sides: [star, axes.len() - star - 1] })
    }

    fn refuse(&self, message: String) -> ArrayError {
        PatternError::new(&self.text, 0..self.text.len(), message).into()
    }

    /// The concatenated array, in new memory, and the shape that each array has in place of `*`.
    ///
    /// # Errors
    /// No arrays; an array with too few axes, or whose named axes differ from the first array's.
    ///
    /// ```
    /// use layout_arrays::{ArrayLayout, Pack};
    /// let t = ArrayLayout::row_major(&[2])?.tensor([1, 2])?;
    /// let (columns, _) = Pack::new("h *")?.pack_tensors(&[&t, &t])?;
    /// assert_eq!(columns.into_storage(), [1, 1, 2, 2]);
    /// assert!(Pack::new("a b *")?.pack_tensors(&[&t]).is_err());
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    #[allow(clippy::type_complexity, reason = "a tensor, and a shape for each array")]
    pub fn pack_tensors<S: Storage<Item: Clone>, L: HasAxes>(
        &self,
        tensors: &[&Tensor<S, L>],
    ) -> Result<(Tensor<Vec<S::Item>, DynLayout>, Vec<Vec<usize>>), ArrayError> {
        let [before, behind] = self.sides;
        let (mut shape, mut shapes, mut parts) = (Vec::new(), Vec::new(), Vec::new());
        for (number, tensor) in tensors.iter().enumerate() {
            let axes = tensor.layout().axes()?;
            let Some(end) = axes.rank().checked_sub(behind).filter(|&end| end >= before) else {
                return Err(self.refuse(format!(
                    "array {number} has {} axes, and the pattern names {}",
                    axes.rank(),
                    before + behind
                )));
            };
            let packed = axes.shape()[before..end].to_vec();
            let part = axes.shape()[before..].iter().product::<usize>();
            let whole = [&axes.shape()[..before], &[packed.iter().product()], &axes.shape()[end..]];
            let whole = whole.concat();
            if number == 0 {
                shape = whole;
            } else {
                let same = whole[..before] == shape[..before]
                    && whole[before + 1..] == shape[before + 1..];
                let longer = shape[before].checked_add(whole[before]);
                if !same {
                    return Err(self.refuse(format!(
                        "array {number} is {whole:?}, and those before are {shape:?} in one"
                    )));
                }
                shape[before] = longer.ok_or(ArrayError::TooManyElements)?;
            }
            shapes.push(packed);
            // SAFETY: these are the axes of the tensor's layout.
            parts.push((unsafe { read_elements(*tensor, &axes) }, part));
        }
        if tensors.is_empty() {
            return Err(self.refuse("there are no arrays to pack".into()));
        }
        let mut elements = Vec::new();
        for _ in 0..shape[..before].iter().product() {
            for (part, count) in &mut parts {
                part.begin_part(*count);
                elements.extend(part.cloned());
            }
        }
        Ok((row_major_tensor(&shape, elements)?, shapes))
    }

    /// The parts of an array along the axis `*`, each with its shape in place of `*`.
    ///
    /// # Errors
    /// Another number of axes, and shapes whose sizes do not add up to the extent of the axis `*`.
    ///
    /// ```
    /// use layout_arrays::{ArrayLayout, Pack};
    /// let packed = ArrayLayout::row_major(&[7, 3])?;
    /// let parts = Pack::new("* w")?.unpack(&packed, &[vec![2, 3], vec![]])?;
    /// assert_eq!(parts[0].to_string(), "(2,3,3):(9,3,1)");
    /// assert_eq!(parts[1].to_string(), "18 o (3):(1)");
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn unpack(
        &self,
        layout: &ArrayLayout,
        shapes: &[Vec<usize>],
    ) -> Result<Vec<ArrayLayout>, ArrayError> {
        let ([before, behind], rank) = (self.sides, layout.rank());
        if rank != before + 1 + behind {
            let named = before + 1 + behind;
            return Err(self.refuse(format!("the array has {rank} axes, and the pattern {named}")));
        }
        let (extent, mut end, mut parts) = (layout.shape()[before], 0usize, Vec::new());
        for shape in shapes {
            let (start, length) = (end, crate::layout::size_of_shape(shape)?);
            end = start.checked_add(length).ok_or(ArrayError::TooManyElements)?;
            if end <= extent {
                parts.push(layout.slice(before, start..end, 1)?.split(before, shape)?);
            }
        }
        match end == extent {
            true => Ok(parts),
            false => Err(self.refuse(format!(
                "the shapes have {end} elements, and the axis `*` of the array {extent}"
            ))),
        }
    }
}

/// The named extents of a shape: einops' `parse_shape`. `_` skips an axis, `...` all remaining
/// axes, and a number has to be equal to the extent.
///
/// # Errors
/// Another number of axes, a name twice, and an extent that differs from its number.
///
/// ```
/// use layout_arrays::{Rearrange, named_extents};
/// let named = named_extents("batch _ h w", &[2, 3, 5, 7])?;
/// assert_eq!(named, [("batch".into(), 2), ("h".into(), 5), ("w".into(), 7)]);
/// let like = Rearrange::new("(batch c h w) -> batch c h w")?.with_all(named);
/// assert_eq!(like.shape(&[700])?, [2, 10, 5, 7]);
/// # Ok::<(), layout_arrays::ArrayError>(())
/// ```
pub fn named_extents(pattern: &str, shape: &[usize]) -> Result<Vec<(String, usize)>, ArrayError> {
    let axes: Vec<&str> = pattern.split_whitespace().collect();
    let refuse =
        |message: String| ArrayError::from(PatternError::new(pattern, 0..pattern.len(), message));
    let (named, rank) = (axes.iter().filter(|&&axis| axis != ELLIPSIS).count(), shape.len());
    match axes.len() - named {
        0 if named == rank => {}
        1 if named <= rank => {}
        0 | 1 => return Err(refuse(format!("the pattern has {named} axes, and the shape {rank}"))),
        _ => return Err(refuse("a second `...`".into())),
    }
    let (mut found, mut extents) = (Vec::<(String, usize)>::new(), shape.iter());
    for axis in axes {
        if axis == ELLIPSIS {
            extents.by_ref().take(rank - named).for_each(drop);
            continue;
        }
        let extent = *extents.next().unwrap_or(&1);
        let number = if axis == "()" { Some(1) } else { axis.parse::<usize>().ok() };
        match number {
            Some(number) if number == extent => {}
            Some(number) => return Err(refuse(format!("the extent {extent} is not {number}"))),
            None if axis == "_" => {}
            None => {
                check_name(axis).map_err(refuse)?;
                if found.iter().any(|(name, _)| name == axis) {
                    return Err(refuse(format!("axis `{axis}` stands there twice")));
                }
                found.push((axis.to_string(), extent));
            }
        }
    }
    Ok(found)
}
