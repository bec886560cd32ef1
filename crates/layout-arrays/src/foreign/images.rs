//! `image` and `imgref`: pictures as tensors of rows, columns and channels.

use layout_algebra::Tensor;
use layout_algebra::tensor::{Contiguous, StorageMut};

use super::{AsTensor, AsTensorMut, TensorMut, TensorRef, axes_for_others};
use crate::axes::HasAxes;
use crate::error::ArrayError;
use crate::layout::ArrayLayout;

fn check_length(layout: &ArrayLayout, given: usize) -> Result<(), ArrayError> {
    let needed = layout.span().end;
    if given < needed { Err(ArrayError::Length { needed, given }) } else { Ok(()) }
}

/// A tensor over a slice, after a check of its length.
fn tile_of_slice<'a, T>(
    elements: &'a [T],
    layout: &ArrayLayout,
) -> Result<TensorRef<'a, T>, ArrayError> {
    check_length(layout, elements.len())?;
    // SAFETY: every offset of the layout is one of the slice, which is borrowed for `'a`.
    Ok(unsafe { Tensor::from_raw_ref(elements.as_ptr(), layout.into()) })
}

/// A mutable tensor over a slice, after a check of its length.
fn tile_of_slice_mut<'a, T>(
    elements: &'a mut [T],
    layout: &ArrayLayout,
) -> Result<TensorMut<'a, T>, ArrayError> {
    check_length(layout, elements.len())?;
    // SAFETY: every offset of the layout is one of the slice, which is borrowed mutably for `'a`.
    Ok(unsafe { Tensor::from_raw(elements.as_mut_ptr(), layout.into()) })
}

/// The slice from a tensor's base up to `end`.
fn slice_of<S: Contiguous, L: HasAxes>(tensor: &Tensor<S, L>, end: usize) -> &[S::Item] {
    let base = layout_algebra::tensor::Storage::base(&tensor.view().into_storage());
    // SAFETY: the storage has accepted the layout, which spans `end` elements, and a `Contiguous`
    // storage has no gaps: it has these elements from its base. They are borrowed with the tensor.
    unsafe { core::slice::from_raw_parts(base, end) }
}

/// The slice from a tensor's base up to `end`, mutable.
fn slice_of_mut<S: Contiguous + StorageMut, L: HasAxes>(
    tensor: &mut Tensor<S, L>,
    end: usize,
) -> &mut [S::Item] {
    let base = tensor.view_mut().into_storage().base_mut();
    // SAFETY: as in `slice_of`; the tensor is borrowed mutably.
    unsafe { core::slice::from_raw_parts_mut(base, end) }
}

/// Implements the traits for pictures in a slice or a vector, from their layout and elements.
macro_rules! pictures {
    ($picture:ident, |$it:ident| $layout:expr, $elements:expr, $elements_mut:expr) => {
        pictures! { @read $picture, |$it| $layout, $elements; &[T], &mut [T], alloc::vec::Vec<T> }
        pictures! { @write $picture, |$it| $layout, $elements_mut; &mut [T], alloc::vec::Vec<T> }
    };
    (@read $picture:ident, |$it:ident| $layout:expr, $elements:expr; $($buffer:ty),*) => {$(
        impl<T> AsTensor for $picture<$buffer> {
            type Element = T;

            fn try_as_tensor(&self) -> Result<TensorRef<'_, T>, ArrayError> {
                let $it = self;
                tile_of_slice(&$elements[..], &$layout?)
            }
        }
    )*};
    (@write $picture:ident, |$it:ident| $layout:expr, $elements:expr; $($buffer:ty),*) => {$(
        impl<T> AsTensorMut for $picture<$buffer> {
            fn try_as_tensor_mut(&mut self) -> Result<TensorMut<'_, T>, ArrayError> {
                let $it = self;
                let layout = $layout?;
                tile_of_slice_mut(&mut $elements[..], &layout)
            }
        }
    )*};
}

#[cfg(feature = "image")]
pub use of_image::{ToFlatSamples, ToFlatSamplesMut};

#[cfg(feature = "image")]
mod of_image {
    use super::*;
    use core::ops::{Deref, DerefMut};
    use image::flat::{FlatSamples, SampleLayout};
    use image::{ImageBuffer, Pixel};

    fn layout_of_samples(l: &SampleLayout) -> Result<ArrayLayout, ArrayError> {
        let number = |number: u32| usize::try_from(number).map_err(|_| ArrayError::TooFar);
        let shape = [number(l.height)?, number(l.width)?, l.channels.into()];
        let strides = [l.height_stride, l.width_stride, l.channel_stride];
        let mut signed = [0; 3];
        for (axis, (slot, stride)) in signed.iter_mut().zip(strides).enumerate() {
            *slot = isize::try_from(stride).map_err(|_| ArrayError::Stride { axis, stride })?;
        }
        ArrayLayout::from_parts(&shape, &signed, 0)
    }

    /// ```
    /// use layout_arrays::foreign::AsTensor;
    /// let picture = image::RgbImage::from_fn(4, 2, |x, y| image::Rgb([x as u8, y as u8, 7]));
    /// let t = picture.as_tensor(); // rows, columns, channels
    /// assert_eq!((t[(1, 3, 0)], t[(1, 3, 1)], t[(1, 3, 2)]), (3, 1, 7));
    /// ```
    impl<P: Pixel, C: Deref<Target = [P::Subpixel]>> AsTensor for ImageBuffer<P, C> {
        type Element = P::Subpixel;

        fn try_as_tensor(&self) -> Result<TensorRef<'_, P::Subpixel>, ArrayError> {
            tile_of_slice(self.as_raw(), &layout_of_samples(&self.sample_layout())?)
        }
    }
    /// ```
    /// use layout_arrays::foreign::AsTensorMut;
    /// let mut picture = image::GrayImage::new(4, 2);
    /// picture.as_tensor_mut()[(1, 3, 0)] = 7;
    /// assert_eq!(picture.get_pixel(3, 1), &image::Luma([7]));
    /// ```
    impl<P: Pixel, C: DerefMut<Target = [P::Subpixel]>> AsTensorMut for ImageBuffer<P, C> {
        fn try_as_tensor_mut(&mut self) -> Result<TensorMut<'_, P::Subpixel>, ArrayError> {
            let layout = layout_of_samples(&self.sample_layout())?;
            tile_of_slice_mut(self, &layout)
        }
    }

    pictures! { FlatSamples, |it| layout_of_samples(&it.layout), it.samples, it.samples }

    /// `image`'s layout for a tensor of rows, columns and channels, and the end of its span.
    fn sample_layout(axes: &ArrayLayout) -> Result<(SampleLayout, usize), ArrayError> {
        let (&[height, width, channels], &[d, e, f]) = (axes.shape(), axes.strides()) else {
            return Err(ArrayError::Rank { needed: 3, rank: axes.rank() });
        };
        let natural = |axis, stride: isize| {
            usize::try_from(stride).map_err(|_| ArrayError::Backwards { axis, stride })
        };
        let side = |extent| u32::try_from(extent).map_err(|_| ArrayError::TooManyElements);
        let layout = SampleLayout {
            channels: u8::try_from(channels).map_err(|_| ArrayError::TooManyElements)?,
            channel_stride: natural(2, f)?,
            width: side(width)?,
            width_stride: natural(1, e)?,
            height: side(height)?,
            height_stride: natural(0, d)?,
        };
        Ok((layout, axes.span().end))
    }

    /// Tensors as `FlatSamples` of `image`, from which `image` makes views.
    pub trait ToFlatSamples<T> {
        /// A tensor of rows, columns and channels as the samples of a picture.
        ///
        /// # Errors
        /// Another number of leaves than three, a negative stride, more than 255 channels, and a
        /// width or height beyond `u32`.
        ///
        /// ```
        /// use layout_arrays::{ArrayLayout, foreign::ToFlatSamples};
        /// let planes = ArrayLayout::row_major(&[3, 2, 4])?.permute(&[1, 2, 0])?;
        /// let t = planes.tensor((0..24).collect::<Vec<u8>>())?;
        /// let samples = t.to_flat_samples()?;
        /// assert_eq!(samples.get_sample(2, 3, 1), Some(&23)); // channel, x, y
        /// # Ok::<(), layout_arrays::ArrayError>(())
        /// ```
        fn to_flat_samples(&self) -> Result<FlatSamples<&[T]>, ArrayError>;
    }
    impl<S: Contiguous, L: HasAxes> ToFlatSamples<S::Item> for Tensor<S, L> {
        fn to_flat_samples(&self) -> Result<FlatSamples<&[S::Item]>, ArrayError> {
            let axes = axes_for_others(self.layout())?;
            let (layout, end) = sample_layout(&axes)?;
            let samples = &slice_of(self, end)[axes.offset().min(end)..];
            Ok(FlatSamples { samples, layout, color_hint: None })
        }
    }

    /// Tensors as mutable `FlatSamples` of `image`. See [`ToFlatSamples`].
    pub trait ToFlatSamplesMut<T> {
        /// A tensor of rows, columns and channels as the samples of a mutable picture.
        ///
        /// # Errors
        /// Those of [`to_flat_samples`](ToFlatSamples::to_flat_samples).
        ///
        /// ```
        /// use layout_arrays::{ArrayLayout, foreign::ToFlatSamplesMut};
        /// let mut t = ArrayLayout::row_major(&[2, 4, 1])?.tensor(vec![0_u8; 8])?;
        /// *t.to_flat_samples_mut()?.get_mut_sample(0, 3, 1).unwrap() = 7;
        /// assert_eq!(t.into_storage()[7], 7);
        /// # Ok::<(), layout_arrays::ArrayError>(())
        /// ```
        fn to_flat_samples_mut(&mut self) -> Result<FlatSamples<&mut [T]>, ArrayError>;
    }
    impl<S: Contiguous + StorageMut, L: HasAxes> ToFlatSamplesMut<S::Item> for Tensor<S, L> {
        fn to_flat_samples_mut(&mut self) -> Result<FlatSamples<&mut [S::Item]>, ArrayError> {
            let axes = axes_for_others(self.layout())?;
            let (layout, end) = sample_layout(&axes)?;
            let samples = &mut slice_of_mut(self, end)[axes.offset().min(end)..];
            Ok(FlatSamples { samples, layout, color_hint: None })
        }
    }
}

#[cfg(feature = "imgref")]
pub use of_imgref::{ToImgref, ToImgrefMut};

#[cfg(feature = "imgref")]
mod of_imgref {
    use super::super::{forwards, two_axes};
    use super::*;
    use imgref::{Img, ImgRef, ImgRefMut};

    pictures! { Img, |it| layout_of_rows(it), it.buf(), it.buf_mut() }

    fn layout_of_rows<C>(picture: &Img<C>) -> Result<ArrayLayout, ArrayError> {
        let stride = picture.stride();
        let rows = isize::try_from(stride).map_err(|_| ArrayError::Stride { axis: 0, stride })?;
        ArrayLayout::from_parts(&[picture.height(), picture.width()], &[rows, 1], 0)
    }

    /// The width, height and stride of a picture of `imgref`, and its range of elements.
    fn rows_of(axes: &ArrayLayout) -> Result<([usize; 3], core::ops::Range<usize>), ArrayError> {
        let ([height, width], strides) = two_axes(axes)?;
        let [stride, step] = forwards(strides)?;
        let stride = if height > 1 && axes.size() > 0 { stride } else { width.max(1) };
        if step != 1 || stride < width {
            return Err(ArrayError::Pitch { row: width, pitch: stride as isize });
        }
        Ok(([width, height, stride], axes.span()))
    }

    /// Tensors as pictures of `imgref`.
    pub trait ToImgref<T> {
        /// A tensor of rows and columns as a picture whose pixels are its elements.
        ///
        /// # Errors
        /// Another number of leaves than two, a column stride other than 1, and rows with a
        /// negative stride or that overlap.
        ///
        /// ```
        /// use layout_arrays::{ArrayLayout, foreign::ToImgref};
        /// let l = ArrayLayout::from_parts(&[2, 3], &[4, 1], 1)?;
        /// let t = l.tensor((0..8).collect::<Vec<_>>())?;
        /// assert_eq!(t.to_imgref()?.pixels().collect::<Vec<_>>(), [1, 2, 3, 5, 6, 7]);
        /// # Ok::<(), layout_arrays::ArrayError>(())
        /// ```
        fn to_imgref(&self) -> Result<ImgRef<'_, T>, ArrayError>;
    }
    impl<S: Contiguous, L: HasAxes> ToImgref<S::Item> for Tensor<S, L> {
        fn to_imgref(&self) -> Result<ImgRef<'_, S::Item>, ArrayError> {
            let ([width, height, stride], span) = rows_of(&axes_for_others(self.layout())?)?;
            Ok(Img::new_stride(&slice_of(self, span.end)[span], width, height, stride))
        }
    }

    /// Tensors as mutable pictures of `imgref`. See [`ToImgref`].
    pub trait ToImgrefMut<T> {
        /// A tensor of rows and columns as a mutable picture.
        ///
        /// # Errors
        /// Those of [`to_imgref`](ToImgref::to_imgref).
        ///
        /// ```
        /// use layout_arrays::{ArrayLayout, foreign::ToImgrefMut};
        /// let mut t = ArrayLayout::row_major(&[2, 3])?.tensor(vec![0; 6])?;
        /// t.to_imgref_mut()?.pixels_mut().for_each(|x| *x = 7);
        /// assert_eq!(t.into_storage(), [7; 6]);
        /// # Ok::<(), layout_arrays::ArrayError>(())
        /// ```
        fn to_imgref_mut(&mut self) -> Result<ImgRefMut<'_, T>, ArrayError>;
    }
    impl<S: Contiguous + StorageMut, L: HasAxes> ToImgrefMut<S::Item> for Tensor<S, L> {
        fn to_imgref_mut(&mut self) -> Result<ImgRefMut<'_, S::Item>, ArrayError> {
            let ([width, height, stride], span) = rows_of(&axes_for_others(self.layout())?)?;
            Ok(Img::new_stride(&mut slice_of_mut(self, span.end)[span], width, height, stride))
        }
    }
}
