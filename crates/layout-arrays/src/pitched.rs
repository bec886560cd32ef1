//! Memory with padding: rows with a pitch in bytes, and the planes of a video frame.
//!
//! ```text
//! first byte of the element at c = offset + sum c_k * stride_k          all in bytes
//! ```

use alloc::vec::Vec;

#[cfg(feature = "bytemuck")]
use layout_algebra::{DynComposedLayout, Tensor};

use crate::error::ArrayError;
use crate::layout::ArrayLayout;

/// Elements with strides in bytes: rows with any pitch, in either direction.
///
/// Law: the element at `c` begins at byte `layout().offset_at(c)`, and `bytes_needed()` is one past
/// the last byte of all elements. An element need not be aligned.
///
/// ```
/// use layout_arrays::Pitched;
/// // A texture read back from wgpu: 10 rows of 10 pixels of 4 bytes, with a pitch of 256 bytes.
/// let texture = Pitched::with_alignment(&[10, 10, 4], 1, 256)?;
/// assert_eq!((texture.layout().strides(), texture.bytes_needed()), (&[256, 4, 1][..], 2344));
/// let buffer = vec![7; 2560];
/// let mut pixels = vec![0; 400];
/// texture.copy_bytes(&buffer, &Pitched::new(&[10, 10, 4], 1, 40)?, &mut pixels)?;
/// assert_eq!(pixels, [7; 400]);
/// let error = texture.copy_bytes(&buffer[..2343], &texture, &mut [0; 2344]).unwrap_err();
/// assert_eq!(error.to_string(), "the array reaches 2344 bytes, and there are 2343");
/// # Ok::<(), layout_arrays::ArrayError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pitched {
    layout: ArrayLayout,
    element: usize,
}

/// The compact row-major strides in bytes, and the total bytes.
fn compact_bytes(shape: &[usize], element: usize) -> Result<(Vec<isize>, usize), ArrayError> {
    let (mut strides, mut bytes) = (alloc::vec![0; shape.len()], element);
    for (stride, &extent) in strides.iter_mut().zip(shape).rev() {
        *stride = isize::try_from(bytes).map_err(|_| ArrayError::TooFar)?;
        bytes = bytes.checked_mul(extent.max(1)).ok_or(ArrayError::TooFar)?;
    }
    Ok((strides, bytes))
}

impl Pitched {
    /// Compact rows at a distance of `pitch` bytes: the first axis counts rows, and `element` is
    /// the size of an element in bytes. With a negative pitch the first row is the last in memory,
    /// as in a bottom-up picture.
    ///
    /// # Errors
    /// No axes; elements of zero size; a pitch shorter than a row, if there are several rows;
    /// numbers that do not fit `isize`.
    ///
    /// ```
    /// use layout_arrays::Pitched;
    /// let rgb = Pitched::new(&[2, 3, 3], 1, 11)?; // 9 bytes of 11
    /// assert_eq!(rgb.bytes_needed(), 20);
    /// let from_below = Pitched::new(&[2, 3, 3], 1, -12)?;
    /// assert_eq!(from_below.layout().to_string(), "12 o (2,3,3):(-12,3,1)");
    /// let error = Pitched::new(&[2, 3, 3], 1, 8).unwrap_err();
    /// assert_eq!(error.to_string(), "rows of 9 bytes do not fit a pitch of 8 bytes");
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn new(shape: &[usize], element: usize, pitch: isize) -> Result<Self, ArrayError> {
        let rows = *shape.first().ok_or(ArrayError::Axis { axis: 0, rank: 0 })?;
        let (mut strides, _) = compact_bytes(shape, element)?;
        let row = compact_bytes(&shape[1..], element)?.1;
        if rows > 1 && pitch.unsigned_abs() < row && !shape.contains(&0) {
            return Err(ArrayError::Pitch { row, pitch });
        }
        strides[0] = pitch;
        let first = match pitch < 0 && rows > 0 {
            true => (rows - 1).checked_mul(pitch.unsigned_abs()).ok_or(ArrayError::TooFar)?,
            false => 0,
        };
        Self::from_byte_strides(shape, &strides, first, element)
    }

    /// Rows with the least pitch that is a multiple of `alignment` bytes: 256 for wgpu's buffers.
    ///
    /// # Errors
    /// Those of [`new`](Self::new), and an alignment of 0.
    ///
    /// ```
    /// use layout_arrays::Pitched;
    /// assert_eq!(Pitched::with_alignment(&[4, 65], 4, 256)?.layout().strides(), [512, 4]);
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn with_alignment(
        shape: &[usize],
        element: usize,
        alignment: usize,
    ) -> Result<Self, ArrayError> {
        let row = compact_bytes(shape.get(1..).unwrap_or(&[]), element)?.1;
        let pitch = row.checked_next_multiple_of(alignment);
        let pitch = pitch.and_then(|pitch| isize::try_from(pitch).ok());
        Self::new(shape, element, pitch.ok_or(ArrayError::TooFar)?)
    }

    /// Any strides in bytes, as in NumPy.
    ///
    /// # Errors
    /// Those of [`ArrayLayout::from_parts`]; elements of zero size; a last byte beyond `isize`.
    ///
    /// ```
    /// use layout_arrays::Pitched;
    /// // Every second column of 3 rows of 16-bit numbers, from byte 1 on.
    /// let columns = Pitched::from_byte_strides(&[3, 2], &[9, 4], 1, 2)?;
    /// assert_eq!(columns.bytes_needed(), 1 + 2 * 9 + 4 + 2);
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn from_byte_strides(
        shape: &[usize],
        strides: &[isize],
        offset: usize,
        element: usize,
    ) -> Result<Self, ArrayError> {
        Self::of_bytes(ArrayLayout::from_parts(shape, strides, offset)?, element)
    }

    fn of_bytes(layout: ArrayLayout, element: usize) -> Result<Self, ArrayError> {
        // The end of the last element.
        match layout.span().end.saturating_sub(1).checked_add(element) {
            _ if element == 0 => Err(ArrayError::NoBytes),
            Some(end) if end <= isize::MAX as usize => Ok(Pitched { layout, element }),
            _ => Err(ArrayError::TooFar),
        }
    }

    /// The layout in bytes: the offset of each element's first byte.
    ///
    /// ```
    /// use layout_arrays::Pitched;
    /// assert_eq!(Pitched::new(&[2, 3], 4, 16)?.layout().to_string(), "(2,3):(16,4)");
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn layout(&self) -> &ArrayLayout {
        &self.layout
    }

    /// The bytes of an element.
    ///
    /// ```
    /// # use layout_arrays::Pitched;
    /// assert_eq!(Pitched::new(&[2, 3], 4, 16)?.element(), 4);
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn element(&self) -> usize {
        self.element
    }

    /// The bytes that a buffer needs: one past the last byte of all elements. The last row needs no
    /// padding.
    ///
    /// ```
    /// use layout_arrays::Pitched;
    /// assert_eq!(Pitched::new(&[10, 40], 1, 256)?.bytes_needed(), 9 * 256 + 40);
    /// assert_eq!(Pitched::new(&[0, 40], 1, 256)?.bytes_needed(), 0);
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn bytes_needed(&self) -> usize {
        match self.layout.span().end {
            0 => 0,
            end => end - 1 + self.element,
        }
    }

    /// The same memory under a view of the layout.
    ///
    /// # Errors
    /// Those of the view.
    ///
    /// ```
    /// use layout_arrays::Pitched;
    /// let picture = Pitched::new(&[480, 640, 3], 1, 2048)?;
    /// let part = picture.view(|l| l.slice(0, 100..200, 1)?.flip(0))?;
    /// assert_eq!(part.layout().to_string(), "407552 o (100,640,3):(-2048,3,1)");
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn view(
        &self,
        view: impl FnOnce(&ArrayLayout) -> Result<ArrayLayout, ArrayError>,
    ) -> Result<Self, ArrayError> {
        Self::of_bytes(view(&self.layout)?, self.element)
    }

    /// The layout in elements, if every element begins at a multiple of its size.
    ///
    /// # Errors
    /// A stride or an offset that is no multiple.
    ///
    /// ```
    /// use layout_arrays::Pitched;
    /// assert_eq!(Pitched::new(&[2, 3], 4, 16)?.in_elements()?.to_string(), "(2,3):(4,1)");
    /// let error = Pitched::new(&[2, 3], 4, 14)?.in_elements().unwrap_err();
    /// assert_eq!(error.to_string(), "14 bytes are no multiple of the 4 bytes of an element");
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn in_elements(&self) -> Result<ArrayLayout, ArrayError> {
        let (mut layout, element) = (self.layout.clone(), self.element);
        for (axis, stride) in layout.strides.as_mut_slice().iter_mut().enumerate() {
            let moves = self.layout.shape()[axis] > 1 && self.layout.size() > 0;
            if moves && stride.unsigned_abs() % element != 0 {
                return Err(ArrayError::Divided { bytes: stride.unsigned_abs(), element });
            }
            *stride /= element as isize;
        }
        if layout.size > 0 && layout.offset % element != 0 {
            return Err(ArrayError::Divided { bytes: layout.offset, element });
        }
        layout.offset /= element;
        Ok(layout)
    }

    /// Refuses a buffer that is too short.
    fn check_length(&self, given: usize) -> Result<(), ArrayError> {
        let needed = self.bytes_needed();
        if given < needed { Err(ArrayError::Bytes { needed, given }) } else { Ok(()) }
    }

    /// Copies every element to the same coordinate of another array, in the longest runs that are
    /// contiguous in both: row by row, or all at once without padding.
    ///
    /// With the feature `relayout`, `plan_bytes` makes a plan of this copy: for arrays whose axes
    /// have different orders, and for pictures larger than the caches.
    ///
    /// # Errors
    /// Two shapes, elements of different sizes, and buffers that are too short; nothing has been
    /// written then.
    ///
    /// ```
    /// use layout_arrays::Pitched;
    /// let (rows, from_below) = (Pitched::new(&[2, 3], 1, 3)?, Pitched::new(&[2, 3], 1, -4)?);
    /// let mut picture = [0; 7];
    /// rows.copy_bytes(&[1, 2, 3, 4, 5, 6], &from_below, &mut picture)?;
    /// assert_eq!(picture, [4, 5, 6, 0, 1, 2, 3]);
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn copy_bytes(
        &self,
        from: &[u8],
        other: &Pitched,
        to: &mut [u8],
    ) -> Result<(), ArrayError> {
        self.check_pair(other)?;
        self.check_length(from.len())?;
        other.check_length(to.len())?;
        let (mut run, mut rank) = (self.element, self.layout.rank());
        let strides = self.layout.strides().iter().zip(other.layout.strides());
        for ((&from, &to), &extent) in strides.zip(self.layout.shape()).rev() {
            let continues = from == run as isize && to == run as isize;
            if extent != 1 && !continues {
                break;
            }
            (run, rank) = (run * extent, rank - 1);
        }
        if run == 0 {
            return Ok(());
        }
        // The last of the remaining axes is the inner loop.
        let (shape, before) = (self.layout.shape(), rank.saturating_sub(1));
        let outer = |layout: &ArrayLayout| {
            let strides = &layout.strides()[..before];
            ArrayLayout::from_parts(&shape[..before], strides, layout.offset())
        };
        let (count, d, e) = match rank {
            0 => (1, 0, 0),
            _ => (shape[before], self.layout.strides()[before], other.layout.strides()[before]),
        };
        for pair in outer(&self.layout)?.offsets().zip(outer(&other.layout)?.offsets()) {
            let (mut read, mut written) = pair;
            for _ in 0..count {
                to[written..written + run].copy_from_slice(&from[read..read + run]);
                (read, written) = (read.wrapping_add_signed(d), written.wrapping_add_signed(e));
            }
        }
        Ok(())
    }

    fn check_pair(&self, other: &Pitched) -> Result<(), ArrayError> {
        if self.layout.shape() != other.layout.shape() {
            let (from, to) = (self.layout.shape().into(), other.layout.shape().into());
            return Err(ArrayError::Shapes { from, to });
        }
        if self.element != other.element {
            return Err(ArrayError::Element { wanted: self.element, given: other.element });
        }
        Ok(())
    }
}

#[cfg(feature = "relayout")]
impl Pitched {
    /// The layout with an additional axis for the bytes of an element.
    fn with_bytes(&self) -> Result<ArrayLayout, ArrayError> {
        let mut bytes = self.layout.with_room(self.layout.rank()..self.layout.rank(), 1)?;
        let last = self.layout.rank();
        (bytes.shape.as_mut_slice()[last], bytes.strides.as_mut_slice()[last]) = (self.element, 1);
        bytes.size = crate::layout::size_of_shape(bytes.shape())?;
        Ok(bytes)
    }

    /// The plan of [`copy_bytes`](Self::copy_bytes), in elements of one byte.
    ///
    /// # Errors
    /// Those of [`copy_bytes`](Self::copy_bytes), except for buffers, and of
    /// [`CopyPlan::new`](crate::CopyPlan::new).
    ///
    /// ```
    /// use layout_arrays::Pitched;
    /// let interleaved = Pitched::new(&[2, 2, 3], 1, 8)?;
    /// let planes = Pitched::from_byte_strides(&[2, 2, 3], &[2, 1, 4], 0, 1)?;
    /// let mut found = [0; 12];
    /// let plan = interleaved.plan_bytes(&planes)?;
    /// plan.run(&[1_u8, 2, 3, 4, 5, 6, 0, 0, 7, 8, 9, 10, 11, 12], &mut found)?;
    /// assert_eq!(found, [1, 4, 7, 10, 2, 5, 8, 11, 3, 6, 9, 12]);
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn plan_bytes(&self, other: &Pitched) -> Result<crate::CopyPlan, ArrayError> {
        self.check_pair(other)?;
        crate::CopyPlan::new(&self.with_bytes()?, &other.with_bytes()?, 1)
    }
}

#[cfg(feature = "bytemuck")]
impl Pitched {
    /// Refuses elements of another size, and a buffer that is too short.
    fn check<T>(&self, bytes: &[u8]) -> Result<(), ArrayError> {
        match size_of::<T>() {
            given if given == self.element => self.check_length(bytes.len()),
            given => Err(ArrayError::Element { wanted: self.element, given }),
        }
    }

    /// One element, which need not be aligned.
    ///
    /// # Errors
    /// A coordinate outside of the shape, a type of another size, and a buffer that is too short
    /// for the array.
    ///
    /// ```
    /// use layout_arrays::Pitched;
    /// let odd = Pitched::new(&[2, 2], 2, 5)?;
    /// let bytes = [1, 0, 2, 0, 9, 3, 0, 4, 0];
    /// assert_eq!(odd.read_element::<u16>(&bytes, &[1, 0])?, u16::from_le(3));
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn read_element<T: bytemuck::AnyBitPattern>(
        &self,
        bytes: &[u8],
        coordinate: &[usize],
    ) -> Result<T, ArrayError> {
        self.check::<T>(bytes)?;
        let at = self.layout.offset_at(coordinate)?;
        Ok(bytemuck::pod_read_unaligned(&bytes[at..at + self.element]))
    }

    /// Writes one element, which need not be aligned.
    ///
    /// # Errors
    /// Those of [`read_element`](Self::read_element); nothing has been written then.
    ///
    /// ```
    /// use layout_arrays::Pitched;
    /// let odd = Pitched::new(&[2, 2], 2, 5)?;
    /// let mut bytes = [0; 9];
    /// odd.write_element(&mut bytes, &[1, 0], 0x0303_u16)?;
    /// assert_eq!(bytes, [0, 0, 0, 0, 0, 3, 3, 0, 0]);
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn write_element<T: bytemuck::NoUninit>(
        &self,
        bytes: &mut [u8],
        coordinate: &[usize],
        element: T,
    ) -> Result<(), ArrayError> {
        self.check::<T>(bytes)?;
        let at = self.layout.offset_at(coordinate)?;
        bytes[at..at + self.element].copy_from_slice(bytemuck::bytes_of(&element));
        Ok(())
    }

    /// All elements, the last axis the fastest; they need not be aligned.
    ///
    /// # Errors
    /// A type of another size, and a buffer that is too short.
    ///
    /// ```
    /// use layout_arrays::Pitched;
    /// let odd = Pitched::new(&[2, 2], 2, -5)?;
    /// let bytes = [1, 1, 2, 2, 9, 3, 3, 4, 4];
    /// assert_eq!(odd.read_elements::<[u8; 2]>(&bytes)?, [[3; 2], [4; 2], [1; 2], [2; 2]]);
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn read_elements<T: bytemuck::AnyBitPattern>(
        &self,
        bytes: &[u8],
    ) -> Result<Vec<T>, ArrayError> {
        self.check::<T>(bytes)?;
        let read = |at| bytemuck::pod_read_unaligned(&bytes[at..at + self.element]);
        Ok(self.layout.offsets().map(read).collect())
    }

    /// A tensor over the bytes, without a copy.
    ///
    /// # Errors
    /// A type of another size, a buffer that is too short, and elements that are not aligned: those
    /// of [`in_elements`](Self::in_elements), or a buffer that begins in the middle of an element.
    ///
    /// ```
    /// use layout_arrays::Pitched;
    /// let picture = Pitched::new(&[2, 3], 1, 4)?;
    /// let t = picture.tensor::<u8>(&[0, 1, 2, 9, 3, 4, 5])?;
    /// assert_eq!((t[(0, 2)], t[(1, 0)]), (2, 3));
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn tensor<'a, T: bytemuck::AnyBitPattern>(
        &self,
        bytes: &'a [u8],
    ) -> Result<Tensor<&'a [T], DynComposedLayout>, ArrayError> {
        self.check::<T>(bytes)?;
        let whole = bytes.len() / self.element * self.element;
        let elements = bytemuck::try_cast_slice(&bytes[..whole]);
        let elements = elements.map_err(|_| ArrayError::Alignment { bytes: align_of::<T>() })?;
        self.in_elements()?.tensor(elements)
    }

    /// A mutable tensor over the bytes. See [`tensor`](Self::tensor).
    ///
    /// # Errors
    /// Those of [`tensor`](Self::tensor).
    ///
    /// ```
    /// use layout_arrays::Pitched;
    /// let mut bytes = [0; 7];
    /// Pitched::new(&[2, 3], 1, -4)?.tensor_mut::<u8>(&mut bytes)?[(0, 1)] = 7;
    /// assert_eq!(bytes, [0, 0, 0, 0, 0, 7, 0]);
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn tensor_mut<'a, T: bytemuck::Pod>(
        &self,
        bytes: &'a mut [u8],
    ) -> Result<Tensor<&'a mut [T], DynComposedLayout>, ArrayError> {
        self.check::<T>(bytes)?;
        let whole = bytes.len() / self.element * self.element;
        let elements = bytemuck::try_cast_slice_mut(&mut bytes[..whole]);
        let elements = elements.map_err(|_| ArrayError::Alignment { bytes: align_of::<T>() })?;
        self.in_elements()?.tensor(elements)
    }
}

/// The planes of a YUV 4:2:0 frame in one buffer of bytes: luma, and two chroma planes of half its
/// height and width, rounded up.
///
/// ```
/// use layout_arrays::{ArrayLayout, Yuv420};
/// let frame = Yuv420::nv12(4, 4, 4)?;
/// let bytes: Vec<u8> = (0..24).collect();
/// assert_eq!((frame.bytes_needed(), frame.u.offset_at(&[1, 1])?), (24, 22));
/// // The blue difference at every pixel, repeated by strides of 0.
/// let [y, u] = frame.y_beside(&frame.u)?;
/// assert_eq!(u.to_string(), "16 o (2,2,2,2):(4,0,2,0)");
/// assert_eq!(y.to_string(), "(2,2,2,2):(8,4,2,1)");
/// let t = u.tensor(&bytes[..])?;
/// assert_eq!((t[(1, 0, 1, 0)], t[(1, 1, 1, 1)]), (22, 22));
/// # Ok::<(), layout_arrays::ArrayError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Yuv420 {
    /// Luma, `height` rows of `width`.
    pub y: ArrayLayout,
    /// The blue difference.
    pub u: ArrayLayout,
    /// The red difference.
    pub v: ArrayLayout,
}

impl Yuv420 {
    /// NV12: rows of luma, then rows of alternating U and V, with a pitch of `pitch` bytes.
    ///
    /// # Errors
    /// A pitch shorter than a row, and numbers that do not fit `isize`.
    ///
    /// ```
    /// use layout_arrays::Yuv420;
    /// let frame = Yuv420::nv12(1920, 1080, 2048)?;
    /// assert_eq!(frame.u.to_string(), "2211840 o (540,960):(2048,2)");
    /// assert_eq!(frame.v.offset(), frame.u.offset() + 1);
    /// let odd = Yuv420::nv12(3, 3, 4)?;
    /// assert_eq!((odd.u.shape(), odd.bytes_needed()), (&[2, 2][..], 20));
    /// assert!(Yuv420::nv12(3, 3, 3).is_err()); // two pairs are 4 bytes
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn nv12(width: usize, height: usize, pitch: usize) -> Result<Self, ArrayError> {
        let (columns, rows) = (width.div_ceil(2), height.div_ceil(2));
        let luma = Self::plane([height, width], pitch, 1, 0)?;
        let behind = pitch.checked_mul(height).ok_or(ArrayError::TooFar)?;
        // A pair of one row is a pixel of two bytes.
        let pairs = Self::plane([rows, columns], pitch, 2, behind)?;
        let v = pairs.offset().checked_add(1).ok_or(ArrayError::TooFar)?;
        let v = ArrayLayout::from_parts(pairs.shape(), pairs.strides(), v)?;
        Ok(Yuv420 { y: luma, u: pairs, v })
    }

    /// I420: the rows of luma, of U and of V; luma and chroma have their own pitches.
    ///
    /// # Errors
    /// A pitch shorter than a row, and what does not fit `isize`.
    ///
    /// ```
    /// use layout_arrays::Yuv420;
    /// let frame = Yuv420::i420(6, 4, 8, 4)?;
    /// assert_eq!((frame.u.offset(), frame.v.offset(), frame.bytes_needed()), (32, 40, 47));
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn i420(
        width: usize,
        height: usize,
        pitch: usize,
        pitch_of_chroma: usize,
    ) -> Result<Self, ArrayError> {
        let (columns, rows) = (width.div_ceil(2), height.div_ceil(2));
        let behind = |offset: usize, pitch: usize, rows: usize| {
            let bytes = pitch.checked_mul(rows);
            bytes.and_then(|bytes| offset.checked_add(bytes)).ok_or(ArrayError::TooFar)
        };
        let first = behind(0, pitch, height)?;
        let second = behind(first, pitch_of_chroma, rows)?;
        Ok(Yuv420 {
            y: Self::plane([height, width], pitch, 1, 0)?,
            u: Self::plane([rows, columns], pitch_of_chroma, 1, first)?,
            v: Self::plane([rows, columns], pitch_of_chroma, 1, second)?,
        })
    }

    fn plane(
        shape: [usize; 2],
        pitch: usize,
        step: usize,
        offset: usize,
    ) -> Result<ArrayLayout, ArrayError> {
        let row = shape[1].checked_mul(step).ok_or(ArrayError::TooFar)?;
        let pitch = isize::try_from(pitch).map_err(|_| ArrayError::TooFar)?;
        if shape[0] > 1 && (pitch as usize) < row {
            return Err(ArrayError::Pitch { row, pitch });
        }
        ArrayLayout::from_parts(&shape, &[pitch, step as isize], offset)
    }

    /// The bytes that a buffer needs.
    ///
    /// ```
    /// # use layout_arrays::Yuv420;
    /// assert_eq!(Yuv420::i420(6, 4, 6, 3)?.bytes_needed(), 6 * 4 * 3 / 2);
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn bytes_needed(&self) -> usize {
        [&self.y, &self.u, &self.v].map(|plane| plane.span().end).into_iter().max().unwrap_or(0)
    }

    /// Luma in blocks of 2 x 2, and a chroma plane repeated over each block with strides of 0: both
    /// have the shape (rows / 2, 2, columns / 2, 2). In the second one, coordinates share elements.
    ///
    /// # Errors
    /// An odd width or height: slice luma first.
    ///
    /// ```
    /// use layout_arrays::Yuv420;
    /// let frame = Yuv420::i420(5, 4, 5, 3)?;
    /// assert!(frame.y_beside(&frame.v).is_err());
    /// let even = Yuv420 { y: frame.y.slice(1, ..4, 1)?, v: frame.v.slice(1, ..2, 1)?, ..frame };
    /// assert_eq!(even.y_beside(&even.v)?[1].shape(), [2, 2, 2, 2]);
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn y_beside(&self, chroma: &ArrayLayout) -> Result<[ArrayLayout; 2], ArrayError> {
        let [rows, columns] = *chroma.shape() else {
            return Err(ArrayError::CoordinateRank { numbers: 2, rank: chroma.rank() });
        };
        let luma = self.y.split(1, &[columns, 2])?.split(0, &[rows, 2])?;
        let blocks = chroma.unsqueeze(2)?.unsqueeze(1)?.broadcast_to(luma.shape())?;
        Ok([luma, blocks])
    }
}
