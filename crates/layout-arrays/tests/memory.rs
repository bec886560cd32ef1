//! Random rows by bytes, frames and plans, byte by byte. `DRAWS=100000` and `SEED=1` as for
//! `layouts`.
//!
//! `cargo test --release -p layout-arrays --test memory -- --ignored --nocapture` prints the speed
//! of a copy beside that of `memcpy`.

mod random;

use std::hint::black_box;
use std::time::Instant;

use layout_arrays::{ArrayError, ArrayLayout, CopyPlan, Pitched, Yuv420};

use random::{Random, coordinates, draws};

/// Bytes that differ from their neighbours.
fn tagged(count: usize) -> Vec<u8> {
    (0..count).map(|i| (i * 89 + i / 256 * 7 + 3) as u8).collect()
}

/// Rows of this shape, mostly with bytes between, in either direction or with any strides.
fn draw_pitched(random: &mut Random, shape: &[usize], element: usize) -> Pitched {
    if random.one_in(3) {
        // Elements beside one another in any order of the axes, some of them longer than they need
        // be.
        let (mut strides, mut step, mut offset) = (vec![0; shape.len()], element as isize, 0);
        for axis in random.permutation(shape.len()) {
            strides[axis] = if random.one_in(4) { -step } else { step };
            let extent = shape[axis].max(1) as isize;
            offset -= strides[axis].min(0) * (extent - 1);
            step = step * extent + random.below(4) as isize;
        }
        let offset = offset as usize + random.below(5);
        return Pitched::from_byte_strides(shape, &strides, offset, element).expect("small");
    }
    let row = element * shape[1..].iter().product::<usize>();
    let pitch = (row + random.below(9)) as isize;
    let pitch = if random.one_in(3) { -pitch } else { pitch };
    Pitched::new(shape, element, pitch).expect("rows that fit")
}

#[test]
fn bytes_go_where_the_strides_lead() {
    let mut random = Random::of_this_run();
    let (mut planned, mut short) = (0, 0);
    for _ in 0..draws(3_000) {
        let shape: Vec<_> = (0..1 + random.below(4)).map(|_| random.below(6)).collect();
        let element = 1 + random.below(5);
        let (a, b) = (
            draw_pitched(&mut random, &shape, element),
            draw_pitched(&mut random, &shape, element),
        );
        let from = tagged(a.bytes_needed() + random.below(3));
        let mut to = vec![0; b.bytes_needed() + random.below(3)];
        let mut expected = to.clone();
        let mut last = 0;
        for c in coordinates(&shape) {
            let [read, written] = [&a, &b].map(|p| p.layout().offset_at(&c).expect("a coordinate"));
            expected[written..written + element].copy_from_slice(&from[read..read + element]);
            last = last.max(read + element);
        }
        assert_eq!(a.bytes_needed(), last, "{a:?}");
        a.copy_bytes(&from, &b, &mut to).expect("room");
        assert_eq!(to, expected, "{a:?} to {b:?}");
        let mut to = vec![0; to.len()];
        a.plan_bytes(&b).expect("one shape").run(&from, &mut to).expect("room");
        assert_eq!(to, expected, "{a:?} to {b:?}, by a plan");
        planned += 1;
        if last > 0 {
            short += 1;
            let error =
                a.copy_bytes(&from[..last - 1], &b, &mut to).expect_err("a byte is missing");
            assert_eq!(
                error.to_string(),
                format!("the array reaches {last} bytes, and there are {}", last - 1)
            );
            let room = b.bytes_needed() - 1;
            assert!(a.copy_bytes(&from, &b, &mut to[..room]).is_err(), "{b:?}");
        }
    }
    assert!(planned > 0 && short > planned / 3, "{short} of {planned}");
}

#[test]
fn elements_are_read_wherever_they_lie() {
    let mut random = Random::of_this_run();
    let (mut aligned, mut between) = (0, 0);
    for _ in 0..draws(2_000) {
        let shape = [random.below(4), 1 + random.below(4)];
        let p = draw_pitched(&mut random, &shape, 4);
        // Bytes that begin at a multiple of 4.
        let mut memory = vec![0_u32; p.bytes_needed().div_ceil(4) + 1];
        let tags = tagged(memory.len() * 4);
        bytemuck::cast_slice_mut(&mut memory).copy_from_slice(&tags);
        let bytes: &[u8] = bytemuck::cast_slice(&memory);
        let expected: Vec<_> = coordinates(&shape)
            .iter()
            .map(|c| {
                let at = p.layout().offset_at(c).expect("a coordinate");
                assert_eq!(
                    p.read_element::<u32>(bytes, c).ok(),
                    Some(bytemuck::pod_read_unaligned(&bytes[at..at + 4]))
                );
                u32::from_ne_bytes(bytes[at..at + 4].try_into().expect("4 bytes"))
            })
            .collect();
        assert_eq!(p.read_elements::<u32>(bytes).expect("bytes enough"), expected);
        assert!(p.read_elements::<u16>(bytes).is_err());
        let fits = p.layout().offsets().all(|offset| offset % 4 == 0);
        match p.tensor::<u32>(bytes) {
            Ok(t) => {
                aligned += 1;
                let l = p.in_elements().expect("aligned");
                let found: Vec<_> = l.offsets().map(|offset| memory[offset]).collect();
                assert!(
                    fits && found == expected && t.layout().to_string().contains(" o "),
                    "{p:?}"
                );
            }
            Err(error) => {
                between += 1;
                assert!(!fits && matches!(error, ArrayError::Divided { .. }), "{p:?}: {error}");
            }
        }
        // The same bytes one further on are aligned nowhere.
        if p.layout().size() > 0 {
            assert!(p.tensor::<u32>(&bytes[1..]).is_err(), "{p:?}");
        }
    }
    assert!(aligned > 100 && between > 100, "{aligned} aligned, {between} not");
}

#[test]
fn planes_lie_behind_one_another() {
    let mut random = Random::of_this_run();
    for _ in 0..draws(500) {
        let (width, height) = (random.below(9), random.below(9));
        let (columns, rows) = (width.div_ceil(2), height.div_ceil(2));
        let pitch = 2 * columns + random.below(5);
        let nv12 = Yuv420::nv12(width, height, pitch).expect("a pitch that is long enough");
        let chroma = columns + random.below(3);
        let i420 =
            Yuv420::i420(width, height, pitch, chroma).expect("pitches that are long enough");
        for (frame, [step, u, v, pitch_of_chroma]) in [
            (nv12, [2, pitch * height, pitch * height + 1, pitch]),
            (i420, [1, pitch * height, pitch * height + chroma * rows, chroma]),
        ] {
            let mut seen = std::collections::HashSet::new();
            let planes = [
                (&frame.y, 0, pitch, 1),
                (&frame.u, u, pitch_of_chroma, step),
                (&frame.v, v, pitch_of_chroma, step),
            ];
            for (plane, first, pitch, step) in planes {
                for c in coordinates(plane.shape()) {
                    let offset = plane.offset_at(&c).expect("a coordinate");
                    assert_eq!(offset, first + c[0] * pitch + c[1] * step);
                    assert!(seen.insert(offset) && offset < frame.bytes_needed());
                }
            }
            assert_eq!(seen.len(), width * height + 2 * columns * rows);
            assert_eq!(frame.bytes_needed(), seen.iter().max().map_or(0, |last| last + 1));
            let blocks = frame.y_beside(&frame.u);
            assert_eq!(blocks.is_ok(), width % 2 == 0 && height % 2 == 0, "{width} x {height}");
            if let Ok([luma, blue]) = blocks {
                for c in coordinates(luma.shape()) {
                    let (i, j) = (2 * c[0] + c[1], 2 * c[2] + c[3]);
                    assert_eq!(luma.offset_at(&c), frame.y.offset_at(&[i, j]));
                    assert_eq!(blue.offset_at(&c), frame.u.offset_at(&[i / 2, j / 2]));
                }
            }
        }
    }
}

#[test]
fn planned_copies_move_each_element() {
    let mut random = Random::of_this_run();
    for _ in 0..draws(3_000) {
        let shape = random.shape();
        let (a, b) = (random.layout_of(&shape), random.layout_of(&shape));
        let from: Vec<u32> = (0..a.span().end as u32).collect();
        let mut to = vec![u32::MAX; b.span().end];
        let mut expected = to.clone();
        // In the order of the coordinates: of two with one place the later one decides.
        a.offsets().zip(b.offsets()).for_each(|(read, written)| expected[written] = from[read]);
        let plan = CopyPlan::new(&a, &b, 4).expect("one shape");
        plan.run(&from, &mut to).expect("room");
        assert_eq!(to, expected, "{a} to {b}");
        if a.size() > 0 {
            let short = &from[..from.len() - 1];
            assert!(
                matches!(plan.run(short, &mut to), Err(ArrayError::Length { .. })),
                "{a} to {b}"
            );
            assert!(plan.run(&[0_u16; 9], &mut [0_u16; 9]).is_err());
        }
    }
}

/// What does not fit is refused with the numbers.
#[test]
fn rows_that_do_not_fit_are_refused() {
    let text =
        |result: Result<Pitched, ArrayError>| result.expect_err("it does not fit").to_string();
    assert_eq!(
        text(Pitched::new(&[2, 3], 4, 11)),
        "rows of 12 bytes do not fit a pitch of 11 bytes"
    );
    assert_eq!(
        text(Pitched::new(&[2, 3], 4, -11)),
        "rows of 12 bytes do not fit a pitch of -11 bytes"
    );
    assert!(Pitched::new(&[2, 0], 4, 0).is_ok_and(|p| p.bytes_needed() == 0));
    assert!(Pitched::new(&[1, 3], 4, 0).is_ok_and(|p| p.bytes_needed() == 12));
    assert!(Pitched::new(&[], 4, 4).is_err() && Pitched::new(&[2, 2], 0, 4).is_err());
    assert!(
        Pitched::new(&[3], 1, isize::MIN).is_err() && Pitched::new(&[2], 1, isize::MAX).is_err()
    );
    assert!(Pitched::new(&[1 << 40, 1 << 40], 1, 1 << 40).is_err());
    assert!(Pitched::with_alignment(&[2, 2], 1, 0).is_err());
    assert!(Pitched::with_alignment(&[2, 2], 1, usize::MAX).is_err());
    // A last element whose bytes leave `isize`.
    let most = isize::MAX as usize;
    assert!(
        Pitched::from_byte_strides(&[1], &[0], most - 1, 1).is_ok_and(|p| p.bytes_needed() == most)
    );
    assert!(Pitched::from_byte_strides(&[1], &[0], most - 1, 2).is_err());
    assert!(Yuv420::nv12(usize::MAX, 2, 2).is_err() && Yuv420::i420(2, usize::MAX, 2, 1).is_err());
}

#[test]
#[ignore = "times copies: for a release build"]
fn rows_at_the_speed_of_memcpy() {
    println!("of the speed of one memcpy: a loop of copy_from_slice, copy_bytes, a plan");
    for (rows, row, gap) in [
        (64, 1920, 128),
        (256, 1024, 64),
        (480, 1920, 128),
        (1080, 7680, 256),
        (2160, 15360, 128),
        (4320, 30720, 256),
    ] {
        let from = Pitched::new(&[rows, row], 1, (row + gap) as isize).expect("it fits");
        let to = Pitched::new(&[rows, row], 1, row as isize).expect("it fits");
        let (source, dense) = (tagged(from.bytes_needed()), tagged(rows * row));
        let mut found = vec![0; rows * row];
        let plan = from.plan_bytes(&to).expect("one shape");
        let by_rows = |source: &[u8], found: &mut [u8]| {
            let sources = source.chunks(row + gap);
            found.chunks_exact_mut(row).zip(sources).for_each(|(to, from)| {
                to.copy_from_slice(&from[..row]);
            });
        };
        // In turns, and the least times: others use the machine meanwhile.
        let repetitions = (4_usize << 20).div_ceil(rows * row).min(50);
        let mut least = [f64::INFINITY; 4];
        for _ in 0..100 {
            for (way, least) in least.iter_mut().enumerate() {
                let start = Instant::now();
                for _ in 0..repetitions {
                    let source = black_box(&source[..]);
                    match way {
                        0 => found.copy_from_slice(black_box(&dense)),
                        1 => by_rows(source, &mut found),
                        2 => from.copy_bytes(source, &to, &mut found).expect("room"),
                        _ => plan.run(source, &mut found).expect("room"),
                    }
                    black_box(&mut found);
                }
                *least = least.min(start.elapsed().as_secs_f64());
            }
        }
        let [copy, others @ ..] = least;
        let [by_rows, own, planned] = others.map(|time| copy / time);
        println!("{rows} x {row} (+{gap}): {by_rows:.2} {own:.2} {planned:.2}");
    }
}

#[test]
fn a_row_of_a_gpu_comes_back() {
    // 641 columns of f32 come to rows of 2,816 bytes, and the last row is not filled up.
    let p = Pitched::with_alignment(&[3, 641], 4, 256).expect("it fits");
    assert_eq!((p.layout().strides(), p.bytes_needed()), (&[2816, 4][..], 2 * 2816 + 641 * 4));
    let dense = ArrayLayout::row_major(&[3, 641]).expect("it fits");
    let values: Vec<f32> = (0..dense.size()).map(|i| i as f32).collect();
    let compact = Pitched::new(&[3, 641], 4, 641 * 4).expect("it fits");
    let mut buffer = vec![0; 3 * 2816];
    compact.copy_bytes(bytemuck::cast_slice(&values), &p, &mut buffer).expect("room");
    assert_eq!(p.read_elements::<f32>(&buffer).expect("bytes enough"), values);
}
