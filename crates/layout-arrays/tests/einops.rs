//! Patterns as Python's einops answers them: the examples of its documentation, and lines that
//! `golden/einops_answers.py` has written.

mod random;

use layout_algebra::{DynLayout, Tensor};
use layout_arrays::{ArrayError, ArrayLayout, Pack, Rearrange, Reduce, Repeat, named_extents};

type Array = Tensor<Vec<f64>, DynLayout>;

/// An array of this shape, with elements that differ.
fn array(shape: &[usize]) -> Array {
    let l = ArrayLayout::row_major(shape).expect("it fits");
    let elements = (0..l.size()).map(|i| (i * 7919 % 1009) as f64 - 500.0).collect();
    Tensor::new(elements, DynLayout::try_from(&l).expect("compact")).expect("as many elements")
}

/// All elements, the last axis fastest.
fn elements<T>(t: &Tensor<Vec<T>, DynLayout>) -> &[T] {
    t.view().into_storage()
}

/// The element at a coordinate.
fn at(t: &Array, c: &[usize]) -> f64 {
    let l = ArrayLayout::from(t.layout());
    elements(t)[l.offset_at(c).expect("a coordinate")]
}

fn shape(t: &Array) -> Vec<usize> {
    ArrayLayout::from(t.layout()).shape().to_vec()
}

/// The examples of `rearrange.__doc__`: a list of 32 images is stacked along `b` first.
#[test]
fn the_examples_of_rearrange() -> Result<(), ArrayError> {
    let image = array(&[30, 40, 3]);
    let list: Vec<_> = (0..32).map(|_| &image).collect();
    let (images, _) = Pack::new("* h w c")?.pack_tensors(&list)?;
    let rearrange = |pattern: &str, given: &[(&str, usize)]| -> Result<Array, ArrayError> {
        Rearrange::new(pattern)?.with_all(given.iter().copied()).copy_tensor(&images)
    };
    let images = |c: &[usize]| at(&image, &c[1..]);

    let same = rearrange("b h w c -> b h w c", &[])?;
    assert_eq!(
        (shape(&same), at(&same, &[31, 29, 5, 1])),
        (vec![32, 30, 40, 3], images(&[31, 29, 5, 1]))
    );
    let planes = rearrange("b h w c -> b c h w", &[])?;
    assert_eq!(
        (shape(&planes), at(&planes, &[9, 2, 7, 6])),
        (vec![32, 3, 30, 40], images(&[9, 7, 6, 2]))
    );
    let tall = rearrange("b h w c -> (b h) w c", &[])?;
    assert_eq!((shape(&tall), at(&tall, &[95, 3, 2])), (vec![960, 40, 3], images(&[3, 5, 3, 2])));
    let wide = rearrange("b h w c -> h (b w) c", &[])?;
    assert_eq!((shape(&wide), at(&wide, &[5, 83, 2])), (vec![30, 1280, 3], images(&[2, 5, 3, 2])));
    let flat = rearrange("b h w c -> b (c h w)", &[])?;
    assert_eq!((shape(&flat), at(&flat, &[1, 1201])), (vec![32, 3600], images(&[1, 0, 1, 1])));
    let quarters = rearrange("b (h1 h) (w1 w) c -> (b h1 w1) h w c", &[("h1", 2), ("w1", 2)])?;
    assert_eq!(
        (shape(&quarters), at(&quarters, &[7, 1, 2, 0])),
        (vec![128, 15, 20, 3], images(&[1, 16, 22, 0]))
    );
    let depth = rearrange("b (h h1) (w w1) c -> b h w (c h1 w1)", &[("h1", 2), ("w1", 2)])?;
    assert_eq!(
        (shape(&depth), at(&depth, &[4, 3, 5, 6])),
        (vec![32, 15, 20, 12], images(&[4, 7, 10, 1]))
    );
    Ok(())
}

/// The examples of `reduce.__doc__`.
#[test]
fn the_examples_of_reduce() -> Result<(), ArrayError> {
    let x = array(&[100, 32, 64]);
    let y = Reduce::new("t b c -> b c")?.max(&x)?;
    assert_eq!(shape(&y), [32, 64]);
    let largest = (0..100).map(|t| at(&x, &[t, 3, 5])).fold(f64::MIN, f64::max);
    assert_eq!(at(&y, &[3, 5]), largest);
    let verbose = Reduce::new("time batch channel -> batch channel")?.max(&x)?;
    assert_eq!(elements(&verbose), elements(&y));

    let x = array(&[10, 20, 30, 40]);
    let pooled =
        Reduce::new("b c (h1 h2) (w1 w2) -> b c h1 w1")?.with("h2", 2).with("w2", 2).max(&x)?;
    let anonymous = Reduce::new("b c (h1 2) (w1 2) -> b c h1 w1")?.max(&x)?;
    assert_eq!((shape(&pooled), elements(&pooled)), (vec![10, 20, 15, 20], elements(&anonymous)));
    let of_four = [[0, 0], [0, 1], [1, 0], [1, 1]].map(|[i, j]| at(&x, &[1, 2, 6 + i, 8 + j]));
    assert_eq!(at(&pooled, &[1, 2, 3, 4]), of_four.into_iter().fold(f64::MIN, f64::max));
    let adaptive =
        Reduce::new("b c (h1 h2) (w1 w2) -> b c h1 w1")?.with("h1", 3).with("w1", 4).max(&x)?;
    assert_eq!(shape(&adaptive), [10, 20, 3, 4]);
    let global = Reduce::new("b c h w -> b c")?.mean(&x)?;
    assert_eq!(shape(&global), [10, 20]);
    let mean = (0..1200).map(|i| at(&x, &[2, 3, i / 40, i % 40])).sum::<f64>() / 1200.0;
    assert_eq!(at(&global, &[2, 3]), mean);

    // x - reduce(x, ..): the mean is broadcast.
    let minus = |pattern: &str, kept: [usize; 4]| -> Result<(), ArrayError> {
        let means = Reduce::new(pattern)?.mean(&x)?;
        assert_eq!(shape(&means), kept);
        let (l, m) =
            ArrayLayout::from(x.layout()).broadcast_with(&ArrayLayout::from(means.layout()))?;
        assert_eq!((l.shape(), m.shape()), (&[10, 20, 30, 40][..], &[10, 20, 30, 40][..]));
        Ok(())
    };
    minus("b c h w -> 1 c 1 1", [1, 20, 1, 1])?;
    minus("b c h w -> b c 1 1", [10, 20, 1, 1])?;
    minus("b c h w -> b c () ()", [10, 20, 1, 1])
}

/// The examples of `repeat.__doc__`.
#[test]
fn the_examples_of_repeat() -> Result<(), ArrayError> {
    let image = array(&[30, 40]);
    let repeat = |pattern: &str, given: &[(&str, usize)]| -> Result<Array, ArrayError> {
        Repeat::new(pattern)?.with_all(given.iter().copied()).copy_tensor(&image)
    };
    let rgb = repeat("h w -> h w c", &[("c", 3)])?;
    assert_eq!((shape(&rgb), at(&rgb, &[7, 8, 2])), (vec![30, 40, 3], at(&image, &[7, 8])));
    let twice = repeat("h w -> (repeat h) w", &[("repeat", 2)])?;
    assert_eq!((shape(&twice), at(&twice, &[37, 8])), (vec![60, 40], at(&image, &[7, 8])));
    let both = repeat("h w -> (h2 h) (w3 w)", &[("h2", 2), ("w3", 3)])?;
    assert_eq!((shape(&both), at(&both, &[37, 88])), (vec![60, 120], at(&image, &[7, 8])));
    let squares = repeat("h w -> (h h2) (w w2)", &[("h2", 2), ("w2", 2)])?;
    assert_eq!((shape(&squares), at(&squares, &[15, 16])), (vec![60, 80], at(&image, &[7, 8])));
    let coarse = Reduce::new("(h h2) (w w2) -> h w")?.with("h2", 2).with("w2", 2).mean(&image)?;
    let pixels =
        Repeat::new("h w -> (h h2) (w w2)")?.with("h2", 2).with("w2", 2).copy_tensor(&coarse)?;
    assert_eq!((shape(&pixels), at(&pixels, &[1, 1])), (vec![30, 40], at(&coarse, &[0, 0])));
    Ok(())
}

/// The examples of `parse_shape.__doc__`, `pack.__doc__` and `unpack.__doc__`.
#[test]
fn the_examples_of_parse_shape_pack_and_unpack() -> Result<(), ArrayError> {
    let named = named_extents("batch _ h w", &[2, 3, 5, 7])?;
    assert_eq!(named, [("batch".into(), 2), ("h".into(), 5), ("w".into(), 7)]);
    let named = named_extents("b _ h w", &[2, 3, 5, 7])?;
    let y = Rearrange::new("(b c h w) -> b c h w")?.with_all(named).copy_tensor(&array(&[700]))?;
    assert_eq!(shape(&y), [2, 10, 5, 7]);
    assert!(named_extents("b _", &[1]).is_err() && named_extents("b 2 ... b", &[1, 2, 3]).is_err());
    assert_eq!(named_extents("... b ()", &[4, 5, 6, 1])?, [("b".into(), 6)]);

    let inputs = [array(&[2, 3, 5]), array(&[2, 3, 7, 5]), array(&[2, 3, 7, 9, 5])];
    let (packed, shapes) = Pack::new("i j * k")?.pack_tensors(&inputs.each_ref())?;
    assert_eq!(
        (shape(&packed), &shapes[..]),
        (vec![2, 3, 71, 5], &[vec![], vec![7], vec![7, 9]][..])
    );
    let parts = Pack::new("i j * k")?.unpack(&ArrayLayout::from(packed.layout()), &shapes)?;
    for (part, input) in parts.iter().zip(&inputs) {
        assert_eq!(part.shape(), shape(input));
        let part_elements: Vec<_> =
            part.offsets().map(|offset| elements(&packed)[offset]).collect();
        assert_eq!(part_elements, elements(input));
    }
    Ok(())
}

fn numbers(text: &str) -> Vec<usize> {
    text.split(',')
        .filter(|text| !text.is_empty())
        .map(|text| text.parse().expect("a number"))
        .collect()
}

/// Compares each line: how many there were, and how many of them were refused.
fn compare(lines: &str) -> [usize; 2] {
    let (mut compared, mut refusals) = (0, 0);
    for line in lines.lines() {
        let fields: Vec<_> = line.split(';').collect();
        let [operation, pattern, given, shape, answer @ ..] = &fields[..] else { panic!("{line}") };
        let given = given.split(',').filter_map(|text| text.split_once('='));
        let given: Vec<_> = given
            .map(|(name, extent)| (name, extent.parse::<usize>().expect("a number")))
            .collect();
        let layout = ArrayLayout::row_major(&numbers(shape)).expect("it fits");
        let x = Tensor::new(
            (0..layout.size()).collect::<Vec<_>>(),
            DynLayout::try_from(&layout).expect("compact"),
        );
        let x = x.expect("as many elements");
        let found = (|| match *operation {
            "rearrange" => Rearrange::new(pattern)?.with_all(given).copy_tensor(&x),
            "repeat" => Repeat::new(pattern)?.with_all(given).copy_tensor(&x),
            "sum" => Reduce::new(pattern)?.with_all(given).sum(&x),
            _ => Reduce::new(pattern)?.with_all(given).max(&x),
        })();
        compared += 1;
        match (answer, found) {
            (["refused"], Err(error)) => {
                refusals += 1;
                assert!(!error.to_string().is_empty());
            }
            ([shape, answer], Ok(y)) => {
                let layout = ArrayLayout::from(y.layout());
                // The algebra has no layout without modes.
                let own = if shape.is_empty() { &[1][..] } else { &numbers(shape)[..] };
                assert_eq!(layout.shape(), own, "{line}");
                let found = elements(&y);
                match answer.strip_prefix("checksum,") {
                    None => assert_eq!(found, numbers(answer), "{line}"),
                    Some(sum) => {
                        let own = found
                            .iter()
                            .fold(0, |sum: u128, &n| (sum * 31 + n as u128) % (1 << 61));
                        assert_eq!(sum, own.to_string(), "{line}");
                    }
                }
            }
            (_, found) => panic!("{line}: {:?}", found.map(|y| y.layout().to_string())),
        }
    }
    [compared, refusals]
}

#[test]
fn patterns_have_the_same_answers() {
    let [compared, refusals] = compare(include_str!("golden/einops.txt"));
    assert!(
        compared > 1000 && refusals > 200 && compared - refusals > 500,
        "{compared}, {refusals} refused"
    );
}

/// The patterns of the lines on arrays of any strides: a view is granted where strides exist, and
/// has the elements of the copy, as the plan has.
#[test]
fn views_and_plans_have_the_elements_of_the_copies() {
    let mut random = random::Random::of_this_run();
    let (mut granted, mut refused) = (0, 0);
    for line in include_str!("golden/einops.txt").lines() {
        let fields: Vec<_> = line.split(';').collect();
        let [operation, pattern, given, shape, answer @ ..] = &fields[..] else { panic!("{line}") };
        if answer == ["refused"] || !["rearrange", "repeat", "sum"].contains(operation) {
            continue;
        }
        let given = given.split(',').filter_map(|text| text.split_once('='));
        let given = given.map(|(name, extent)| (name, extent.parse().expect("a number")));
        let l = random.layout_of(&numbers(shape));
        let buffer: Vec<_> = (0..l.span().end).collect();
        let t = l.tensor(&buffer[..]).expect("as many elements");
        let (copy, view, plan) = match *operation {
            "rearrange" => {
                let pattern = Rearrange::new(pattern).expect("a pattern").with_all(given);
                (
                    pattern.copy_tensor(&t),
                    Some(pattern.view(&l)),
                    pattern.plan(&l, size_of::<usize>()),
                )
            }
            "repeat" => {
                let pattern = Repeat::new(pattern).expect("a pattern").with_all(given);
                (
                    pattern.copy_tensor(&t),
                    Some(pattern.view(&l)),
                    pattern.plan(&l, size_of::<usize>()),
                )
            }
            _ => {
                let pattern = Reduce::new(pattern).expect("a pattern").with_all(given);
                (pattern.sum(&t), None, pattern.plan(&l, size_of::<usize>()))
            }
        };
        // A tensor without axes has one of one element here, and the plan none.
        let (copy, plan) = (copy.expect("einops has one"), plan.expect("a plan"));
        let mut planned = vec![77; plan.shape().iter().product()];
        match view {
            None => plan.sum(&buffer, &mut planned).expect("room"),
            Some(_) => plan.run(&buffer, &mut planned).expect("room"),
        }
        assert_eq!(planned, elements(&copy), "{line} on {l}");
        match view {
            None => {}
            Some(Ok(view)) => {
                granted += 1;
                assert_eq!(view.shape(), plan.shape(), "{line} on {l}");
                assert!(view.offsets().eq(planned), "{line} on {l}");
            }
            Some(Err(error)) => {
                refused += 1;
                let exist = random::strides_by_enumeration(plan.shape(), &planned).is_some();
                assert!(
                    !exist && matches!(error, ArrayError::NeedsCopy(_)),
                    "{line} on {l}: {error}"
                );
            }
        }
    }
    println!("{granted} granted, {refused} refused");
    assert!(granted > 50 && refused > 50, "{granted} granted, {refused} refused");
}

/// Any number of lines: `EINOPS=file`.
#[test]
fn a_file_of_patterns_has_the_same_answers() {
    let Ok(file) = std::env::var("EINOPS") else { return };
    let [compared, refusals] = compare(&std::fs::read_to_string(&file).expect("readable"));
    println!("{compared} lines, {refusals} of them refused");
}
