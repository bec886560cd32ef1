//! Matrices of `nalgebra` and pictures of `image` and `imgref` as tensors and back: the same
//! elements at the same coordinates and addresses, and nothing else.

mod random;

use image::flat::{FlatSamples, SampleLayout};
use layout_algebra::prelude::*;
use layout_arrays::foreign::{
    AsTensor, AsTensorMut, ToFlatSamples, ToFlatSamplesMut, ToImgref, ToImgrefMut, ToNalgebra,
    ToNalgebraMut,
};
use layout_arrays::{ArrayError, ArrayLayout};

use random::{Random, draws};

#[test]
fn matrices_are_tensors() {
    let mut random = Random::of_this_run();
    for _ in 0..draws(1_000) {
        let mut whole = nalgebra::SMatrix::<usize, 5, 4>::from_fn(|i, j| 10 * i + j);
        let (i, j) = (random.below(6), random.below(5));
        let (rows, columns) = (random.below(5 - i + 1), random.below(4 - j + 1));
        let step = if rows > 0 && i + 2 * rows - 1 <= 5 { random.below(2) } else { 0 };
        let expected: Vec<_> =
            whole.view_with_steps((i, j), (rows, columns), (step, 0)).iter().copied().collect();
        {
            let view = whole.view_with_steps((i, j), (rows, columns), (step, 0));
            let t = view.as_tensor();
            assert_eq!(t.size(), rows * columns);
            for (r, c) in (0..rows).flat_map(|r| (0..columns).map(move |c| (r, c))) {
                let (own, place) = (&t[(r, c)], &view[(r, c)]);
                assert_eq!((*own, std::ptr::from_ref(own)), (*place, std::ptr::from_ref(place)));
            }
            let back = t.to_nalgebra().expect("two axes forwards");
            assert_eq!((back.nrows(), back.ncols()), (rows, columns));
            assert!(back.iter().eq(&expected));
            if rows > 1 && columns > 0 {
                let backwards = t.flip::<0>();
                let error = backwards.to_nalgebra().expect_err("it goes backwards");
                assert!(matches!(error, ArrayError::Backwards { axis: 0, .. }), "{error}");
            }
        }
        let mut view = whole.view_with_steps_mut((i, j), (rows, columns), (step, 0));
        let mut t = view.as_tensor_mut();
        t.transform(|x| x + 1000);
        t.to_nalgebra_mut().expect("no element twice").iter_mut().for_each(|x| *x += 1000);
        assert!(view.iter().copied().eq(expected.iter().map(|x| x + 2000)));
        assert_eq!(whole.iter().filter(|&&x| x >= 1000).count(), rows * columns);
    }
    let cube = ArrayLayout::row_major(&[2, 2, 2]).and_then(|l| l.tensor([0; 8])).expect("it fits");
    let error = cube.to_nalgebra().expect_err("three axes");
    assert_eq!(error, ArrayError::Rank { needed: 2, rank: 3 });
    let mut twice = Tensor::fixed([0; 2], layout!((3, 2):(0, 1)));
    assert!(matches!(twice.to_nalgebra_mut(), Err(ArrayError::Overlap { .. })));
}

#[test]
fn samples_are_tensors() {
    let mut random = Random::of_this_run();
    let (mut fit, mut short) = (0, 0);
    for _ in 0..draws(2_000) {
        let [height, width, channels] = [5, 5, 4].map(|n| random.below(n));
        let layout = SampleLayout {
            channels: channels as u8,
            channel_stride: random.below(4),
            width: width as u32,
            width_stride: random.below(9),
            height: height as u32,
            height_stride: random.below(30),
        };
        let length = random.below(160);
        let samples: Vec<u16> = (0..length as u16).collect();
        let flat = FlatSamples { samples: &samples[..], layout, color_hint: None };
        let reaches = match height * width * channels {
            0 => 0,
            _ => {
                let last = (height - 1) * layout.height_stride + (width - 1) * layout.width_stride;
                last + (channels - 1) * layout.channel_stride + 1
            }
        };
        match flat.try_as_tensor() {
            Ok(t) => {
                fit += 1;
                assert!(reaches <= length);
                for (y, x, c) in (0..height).flat_map(|y| {
                    (0..width).flat_map(move |x| (0..channels).map(move |c| (y, x, c)))
                }) {
                    assert_eq!(flat.get_sample(c as u8, x as u32, y as u32), Some(&t[(y, x, c)]));
                }
            }
            Err(error) => {
                short += 1;
                assert_eq!(error, ArrayError::Length { needed: reaches, given: length });
            }
        }
    }
    assert!(fit > 100 && short > 100, "{fit} fit, {short} are too short");
    // A layout that lies about the end of its memory.
    let layout =
        SampleLayout { height_stride: usize::MAX, ..SampleLayout::row_major_packed(3, 2, 2) };
    assert!(
        FlatSamples { samples: vec![0_u8; 12], layout, color_hint: None }.try_as_tensor().is_err()
    );
}

#[test]
fn tensors_are_pictures() {
    let mut random = Random::of_this_run();
    let (mut pictures, mut refused) = (0, 0);
    for _ in 0..draws(2_000) {
        let shape = [random.below(4), random.below(4), random.below(4)];
        let l = random.layout_of(&shape);
        let mut t = l.tensor((0..l.span().end as u16).collect::<Vec<_>>()).expect("as long");
        let forwards =
            l.size() == 0 || (0..3).all(|axis| shape[axis] == 1 || l.strides()[axis] >= 0);
        match t.to_flat_samples() {
            Ok(samples) => {
                pictures += 1;
                assert!(forwards);
                let back: Vec<_> = random::coordinates(&shape)
                    .iter()
                    .map(|c| samples.get_sample(c[2] as u8, c[1] as u32, c[0] as u32).copied())
                    .collect();
                assert!(back.into_iter().eq(l.offsets().map(|offset| Some(offset as u16))), "{l}");
            }
            Err(error) => {
                refused += 1;
                assert!(!forwards && matches!(error, ArrayError::Backwards { .. }), "{l}: {error}");
            }
        }
        assert_eq!(t.to_flat_samples_mut().is_ok(), forwards);

        let plane = [shape[0], shape[1]];
        let l = random.layout_of(&plane);
        let mut t = l.tensor((0..l.span().end).collect::<Vec<_>>()).expect("as long");
        match t.to_imgref() {
            Ok(picture) => {
                assert_eq!((picture.height(), picture.width()), (plane[0], plane[1]));
                let rows: Vec<_> = picture.rows().flatten().copied().collect();
                assert!(rows.into_iter().eq(l.offsets()), "{l}");
                assert_eq!(picture.try_as_tensor().map(|t| t.size()), Ok(l.size()));
            }
            Err(error) => {
                let side_by_side = plane[1] <= 1 || l.strides()[1] == 1;
                let apart = plane[0] <= 1 || l.strides()[0] >= plane[1] as isize;
                assert!(l.size() > 0 && !(side_by_side && apart), "{l}: {error}");
            }
        }
        if let Ok(mut picture) = t.to_imgref_mut() {
            picture.rows_mut().for_each(|row| row.fill(usize::MAX));
            let changed = t.into_storage().into_iter().filter(|&x| x == usize::MAX).count();
            assert_eq!(changed, l.size(), "{l}");
        }
    }
    assert!(pictures > 100 && refused > 100, "{pictures} pictures, {refused} are none");
}

/// A picture whose memory ends within its last row: 14 elements of 15.
#[test]
fn a_picture_that_is_too_short_is_refused() {
    let picture = imgref::Img::new_stride(vec![0_u8; 14], 4, 3, 5);
    assert_eq!(picture.as_tensor().size(), 12); // the last row need not be filled up
    let layout = ArrayLayout::from_parts(&[3, 5], &[5, 1], 0).expect("it fits");
    let error = layout.tensor(&picture.buf()[..]).expect_err("an element is missing").to_string();
    assert!(error.contains("reaches 15") && error.contains("holds 14"), "{error}");
}
