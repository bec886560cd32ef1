//! Random layouts against enumeration. `DRAWS=1000000 cargo test --release -p layout-arrays --test
//! layouts` draws as often; `SEED=1` and other numbers draw others.

mod random;

use std::ops::Range;

use layout_algebra::{DynComposedLayout, DynLayout, Layout};
use layout_arrays::{ArrayError, ArrayLayout};

use random::{Random, coordinates, draws, strides_by_enumeration};

#[test]
fn a_reshape_is_granted_where_strides_exist() {
    let mut random = Random::of_this_run();
    let (mut granted, mut refused) = (0, 0);
    for _ in 0..draws(4_000) {
        let shape = random.shape();
        let l = random.layout_of(&shape);
        let to = random.shape_of(l.size());
        let offsets: Vec<_> = l.offsets().collect();
        let exists =
            if l.size() == 0 { Some(Vec::new()) } else { strides_by_enumeration(&to, &offsets) };
        match (l.reshape(&to), exists) {
            (Ok(view), Some(strides)) => {
                granted += 1;
                assert_eq!(
                    (view.shape(), view.offset(), view.size()),
                    (&to[..], l.offset(), l.size())
                );
                assert!(view.offsets().eq(offsets), "{l} as {view}");
                let moving = view
                    .strides()
                    .iter()
                    .zip(&to)
                    .zip(&strides)
                    .filter(|((_, extent), _)| **extent > 1);
                assert!(
                    moving.into_iter().all(|((found, _), expected)| found == expected),
                    "{l} as {view}"
                );
                assert_eq!(
                    ArrayLayout::from_parts(view.shape(), view.strides(), view.offset()),
                    Ok(view)
                );
            }
            (Err(ArrayError::NeedsCopy(fault)), None) => {
                refused += 1;
                let (outer, inner) = (fault.outer, fault.inner);
                assert_eq!(fault.extents, [l.shape()[outer], l.shape()[inner]]);
                assert_eq!(fault.strides, [l.strides()[outer], l.strides()[inner]]);
                // Neighbours among the axes that move, which do not fold.
                assert!(
                    outer < inner && l.shape()[outer] > 1 && l.shape()[inner] > 1,
                    "{l} to {to:?}: {fault}"
                );
                assert!(
                    l.shape()[outer + 1..inner].iter().all(|&extent| extent == 1),
                    "{l} to {to:?}: {fault}"
                );
                assert_ne!(
                    fault.strides[0],
                    fault.extents[1] as isize * fault.strides[1],
                    "{l} to {to:?}"
                );
            }
            (found, exists) => panic!("{l} to {to:?}: {found:?}, and {exists:?} by enumeration"),
        }
    }
    println!("{granted} granted, {refused} refused");
    assert!(
        granted > refused / 5 && refused > granted / 20,
        "{granted} granted, {refused} refused"
    );
}

#[test]
fn merged_and_split_axes_are_those_of_a_reshape() {
    let mut random = Random::of_this_run();
    for _ in 0..draws(4_000) {
        let shape = random.shape();
        let l = random.layout_of(&shape);
        let (a, b) = (random.below(shape.len() + 1), random.below(shape.len() + 1));
        let axes = a.min(b)..a.max(b);
        let product: usize = shape[axes.clone()].iter().product();
        let to = [&shape[..axes.start], &[product], &shape[axes.end..]].concat();
        match (l.merge(axes.clone()), l.reshape(&to)) {
            (Ok(merged), Ok(view)) => {
                assert_eq!(merged.shape(), view.shape());
                assert!(merged.offsets().eq(view.offsets()), "{l}: {merged} and {view}");
                let outside = [&l.strides()[..axes.start], &l.strides()[axes.end..]].concat();
                assert_eq!(
                    [&merged.strides()[..axes.start], &merged.strides()[axes.start + 1..]].concat(),
                    outside
                );
            }
            (Err(ArrayError::NeedsCopy(merged)), Err(ArrayError::NeedsCopy(view))) => {
                assert_eq!(merged, view)
            }
            (merged, view) => panic!("{l} {axes:?}: {merged:?} and {view:?}"),
        }
        let Some(axis) = (!shape.is_empty()).then(|| random.below(shape.len())) else { continue };
        let parts = random.shape_of(shape[axis]);
        let split = l.split(axis, &parts).expect("every axis can be cut");
        assert_eq!(split.shape(), [&shape[..axis], &parts, &shape[axis + 1..]].concat());
        assert!(split.offsets().eq(l.offsets()), "{l} axis {axis} as {parts:?}");
        let back = split.merge(axis..axis + parts.len()).expect("one axis was there before");
        assert!(back.shape() == l.shape() && back.offsets().eq(l.offsets()));
    }
}

#[test]
fn views_are_what_their_laws_say() {
    let mut random = Random::of_this_run();
    for _ in 0..draws(4_000) {
        let shape = random.shape();
        let l = random.layout_of(&shape);
        let at = |c: &[usize]| l.offset_at(c).expect("a coordinate of the shape");
        let same = |view: &ArrayLayout, to: &dyn Fn(&[usize]) -> Vec<usize>| {
            let expected: Vec<_> = coordinates(view.shape()).iter().map(|c| at(&to(c))).collect();
            assert_eq!(view.offsets().collect::<Vec<_>>(), expected, "{l} viewed as {view}");
            assert_eq!(view.size(), expected.len());
            let sound = ArrayLayout::from_parts(view.shape(), view.strides(), view.offset());
            assert_eq!(sound.as_ref(), Ok(view), "{l} viewed as {view}");
        };
        same(&l, &|c| c.to_vec());

        let order = random.permutation(shape.len());
        same(&l.permute(&order).expect("a permutation"), &|c| {
            let mut to = vec![0; c.len()];
            order.iter().zip(c).for_each(|(&axis, &c)| to[axis] = c);
            to
        });
        same(&l.transpose(), &|c| c.iter().rev().copied().collect());
        let moving: Vec<_> = (0..shape.len()).filter(|&axis| shape[axis] != 1).collect();
        same(&l.squeeze(), &|c| {
            let mut to = vec![0; shape.len()];
            moving.iter().zip(c).for_each(|(&axis, &c)| to[axis] = c);
            to
        });
        let new = random.below(shape.len() + 1);
        same(&l.unsqueeze(new).expect("few axes"), &|c| [&c[..new], &c[new + 1..]].concat());

        let broad: Vec<_> =
            shape.iter().map(|&n| if n == 1 { random.below(4) } else { n }).collect();
        let broad = [&random.shape_of(6)[..], &broad].concat();
        let front = broad.len() - shape.len();
        let pick = |c: &[usize]| {
            c[front..].iter().zip(&shape).map(|(&c, &n)| if n == 1 { 0 } else { c }).collect()
        };
        same(&l.broadcast_to(&broad).expect("extents of 1 become longer"), &pick);

        let Some(axis) = (!shape.is_empty()).then(|| random.below(shape.len())) else { continue };
        let replaced = |c: &[usize], at: usize| [&c[..axis], &[at], &c[axis + 1..]].concat();
        same(&l.flip(axis).expect("an axis"), &|c| replaced(c, shape[axis] - 1 - c[axis]));
        let (a, b) = (random.below(shape[axis] + 1), random.below(shape[axis] + 1));
        let (range, step) = (a.min(b)..a.max(b), 1 + random.below(3));
        let forwards = l.slice(axis, range.clone(), step).expect("a range of the axis");
        same(&forwards, &|c| replaced(c, range.start + c[axis] * step));
        let backwards =
            l.slice(axis, range.clone(), -(step as isize)).expect("a range of the axis");
        same(&backwards, &|c| replaced(c, range.end - 1 - c[axis] * step));
        assert_eq!(forwards.shape()[axis], range.len().div_ceil(step));
        if shape[axis] > 0 {
            let at = random.below(shape[axis]);
            same(&l.index(axis, at).expect("an element"), &|c| {
                [&c[..axis], &[at], &c[axis..]].concat()
            });
        }
    }
}

#[test]
fn properties_are_those_of_the_offsets() {
    let mut random = Random::of_this_run();
    let (mut overlapping, mut apart) = (0, 0);
    for round in 0..draws(4_000) {
        let mut l = {
            let shape = random.shape();
            random.layout_of(&shape)
        };
        if round % 2 == 0 {
            // Strides that interleave.
            let rank = 1 + random.below(5);
            let shape: Vec<_> = (0..rank).map(|_| 2 + random.below(4)).collect();
            let strides: Vec<_> = (0..rank).map(|_| 1 + random.below(60) as isize).collect();
            l = ArrayLayout::from_parts(&shape, &strides, 0).expect("small");
        }
        let mut offsets: Vec<_> = l.offsets().collect();
        assert_eq!(l.offsets().len(), offsets.len());
        let contiguous = offsets.iter().enumerate().all(|(i, &offset)| offset == l.offset() + i);
        assert_eq!(l.is_contiguous(), contiguous, "{l}");
        offsets.sort_unstable();
        let span = offsets.first().map_or(0..0, |&first| first..offsets[offsets.len() - 1] + 1);
        assert_eq!(l.span(), span, "{l}");
        let twice = offsets.windows(2).any(|pair| pair[0] == pair[1]);
        assert_eq!(l.overlaps(), twice, "{l}");
        *if twice { &mut overlapping } else { &mut apart } += 1;
        let fits = offsets.iter().all(|&offset| u8::try_from(offset).is_ok());
        assert_eq!(l.offsets_fit::<u8>(), fits, "{l}");
    }
    println!("{overlapping} overlap, {apart} do not");
    assert!(
        overlapping > apart / 9 && apart > overlapping / 9,
        "{overlapping} overlap, {apart} do not"
    );
}

#[test]
fn layouts_of_the_algebra_have_the_same_offsets() {
    let mut random = Random::of_this_run();
    let mut exact = 0;
    for _ in 0..draws(4_000) {
        let shape = random.shape();
        let l = random.layout_of(&shape);
        let composed = DynComposedLayout::from(&l);
        // Number `i` of the algebra counts the first mode fastest.
        let reversed: Vec<_> = l.transpose().offsets().collect();
        assert_eq!(
            (0..l.size()).map(|i| composed.at(i)).collect::<Vec<_>>(),
            reversed,
            "{l} and {composed}"
        );
        let back = ArrayLayout::try_from(&composed).expect("no swizzle");
        match l.rank() {
            // The algebra has no layout without modes.
            0 => assert_eq!((back.shape(), back.offset()), (&[1][..], l.offset())),
            _ => assert_eq!(back, l),
        }
        let least = if l.size() == 0 { 0 } else { l.span().start };
        match DynLayout::try_from(&l) {
            Ok(modes) => {
                exact += 1;
                assert!(
                    least == 0 && modes.size() == l.size() && modes.cosize() == l.span().end,
                    "{l} and {modes}"
                );
                let back = ArrayLayout::from(&modes);
                assert!(
                    back.offsets().eq(l.offsets())
                        && (back.strides() == l.strides() || l.rank() == 0)
                );
            }
            Err(error) => {
                assert!(least > 0 && matches!(error, ArrayError::Offset { .. }), "{l}: {error}")
            }
        }
    }
    assert!(exact > 100, "only {exact} layouts begin at 0");
}

/// Numbers at the edges of what fits.
#[test]
fn what_does_not_fit_is_refused() {
    let most = isize::MAX as usize;
    let row_major = ArrayLayout::row_major;
    let text =
        |result: Result<ArrayLayout, ArrayError>| result.expect_err("it does not fit").to_string();
    assert_eq!(row_major(&[most - 1, 1]).map(|l| l.size()), Ok(most - 1));
    assert!(row_major(&[most]).is_ok_and(|l| l.span() == (0..most)));
    assert_eq!(
        text(row_major(&[most, 2])),
        format!("the extents that are not 0 multiply to more than {most} elements")
    );
    // Extents of 0 do not count, as in NumPy.
    assert!(
        row_major(&[0, most, 2]).is_err() && row_major(&[0, most]).is_ok_and(|l| l.size() == 0)
    );
    assert!(
        row_major(&[0])
            .is_ok_and(|l| l.reshape(&[0, most, 2]).is_err() && l.split(0, &[0, most, 2]).is_err())
    );
    assert!(row_major(&[2, 0]).is_ok_and(|l| l.split(1, &[0, most]).is_err()));
    assert!(
        row_major(&[1])
            .is_ok_and(|l| l.broadcast_to(&[most, 2]).is_err() && l.broadcast_to(&[most]).is_ok())
    );
    let far = format!("the last element lies beyond offset {}", most - 1);
    assert_eq!(text(ArrayLayout::from_parts(&[2], &[isize::MAX], 0)), far);
    assert_eq!(text(ArrayLayout::from_parts(&[3], &[isize::MIN], 0)), far);
    assert_eq!(text(ArrayLayout::from_parts(&[1], &[0], most)), far);
    assert!(
        ArrayLayout::from_parts(&[2], &[isize::MAX - 1], 0).is_ok_and(|l| l.span() == (0..most))
    );
    // A stride of an axis of one element says nothing, whatever it is.
    for stride in [isize::MIN, isize::MAX, -1] {
        let l =
            ArrayLayout::from_parts(&[3, 1], &[1, stride], 0).expect("no stride leads anywhere");
        assert!(l.flip(1).is_ok_and(|l| l.offsets().eq(0..3)) && l.slice(1, .., -3).is_ok());
        assert!(
            l.unsqueeze(0).is_ok() && l.is_contiguous() && !l.overlaps() && l.merge(..).is_ok()
        );
        assert!(DynLayout::try_from(&l).is_ok_and(|modes| ArrayLayout::from(&modes) == l), "{l}");
    }
    let backwards = Range { start: 1, end: 0 };
    let ranks = [1; 33];
    assert_eq!(text(row_major(&ranks)), "33 axes, and an array has at most 32");
    let l = row_major(&ranks[1..]).expect("32 axes");
    assert!(
        l.unsqueeze(0).is_err() && l.split(0, &[1, 1]).is_err() && l.broadcast_to(&ranks).is_err()
    );
    assert!(l.reshape(&ranks).is_err() && l.merge(3..3).is_err() && l.split(31, &[]).is_ok());
    let all: Vec<_> = (0..32).rev().collect();
    assert_eq!(l.permute(&all), Ok(l.transpose()));
    assert!(
        l.permute(&[31; 32]).is_err()
            && l.permute(&[32; 32]).is_err()
            && l.permute(&[0; 33]).is_err()
    );
    assert!(
        l.slice(0, backwards, 1).is_err()
            && l.slice(0, 0..2, 1).is_err()
            && l.slice(32, .., 1).is_err()
    );
    assert!(
        l.slice(0, .., 0).is_err()
            && l.slice(0, .., usize::MAX).is_err()
            && l.slice(0, ..=usize::MAX, 1).is_err()
    );
    assert!(l.slice(0, .., isize::MIN).is_ok() && l.slice(0, 1.., 1).is_ok_and(|l| l.size() == 0));
    assert!(
        ArrayLayout::try_from_dynamic(&"(2,3):(9223372036854775808,1)".parse().expect("a layout"))
            .is_err()
    );
    // Decided without a search that takes as long as there are elements.
    let wide = ArrayLayout::from_parts(&[1 << 30, 1 << 30], &[(1 << 30) + 1, 1 << 30], 0)
        .expect("it fits");
    assert!(!wide.overlaps());
    let longer = [1 << 31, (1 << 30) + 2];
    assert!(
        ArrayLayout::from_parts(&longer, &[(1 << 30) + 1, 1 << 30], 0).expect("it fits").overlaps()
    );
}
