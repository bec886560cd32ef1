//! Contractions beside the sum that defines them, PyCuTe's examples, and NumPy's einsum, whose
//! answers `golden/einsum_answers.py` has written. All elements are small integers, so that every
//! order of summation gives the same.

mod random;

use std::collections::BTreeMap;

use layout_arrays::foreign::ContractionElement;
use layout_arrays::{ArrayError, ArrayLayout, Contraction, CopyReason, Operand};
use num_complex::Complex;
use random::{Random, coordinates, draws};

/// An element that a small integer is.
trait Small: ContractionElement + PartialEq + std::fmt::Debug {
    fn of(number: i64) -> Self;
}
impl Small for f32 {
    fn of(number: i64) -> Self {
        number as f32
    }
}
impl Small for f64 {
    fn of(number: i64) -> Self {
        number as f64
    }
}
impl<T: Small> Small for Complex<T>
where
    Complex<T>: ContractionElement,
{
    fn of(number: i64) -> Self {
        Complex::new(T::of(number), T::of(number % 3 - 1))
    }
}

/// The names of the three arrays, without `...`.
fn names(pattern: &str) -> [Vec<&str>; 3] {
    let (left, result) = pattern.split_once("->").expect("an arrow");
    let (left, right) = left.split_once(',').expect("a comma");
    [left, right, result].map(|names| names.split_whitespace().collect())
}

/// Memory that a layout fits in, with elements that differ.
fn memory<T: Small>(layout: &ArrayLayout, from: i64) -> Vec<T> {
    (0..layout.span().end as i64).map(|i| T::of((i * 7919 + from) % 13 - 6)).collect()
}

/// The result by its definition: each coordinate's sum, added to what stands there if `add`.
fn by_definition<T: Small>(
    pattern: &str,
    layouts: [&ArrayLayout; 3],
    [a, b, c]: [&[T]; 3],
    add: bool,
) -> Vec<T> {
    let names = names(pattern);
    let mut extents = BTreeMap::new();
    for (names, layout) in names.iter().zip(layouts) {
        extents.extend(names.iter().copied().zip(layout.shape().iter().copied()));
    }
    let all: Vec<&str> = extents.keys().copied().collect();
    let shape: Vec<usize> = extents.values().copied().collect();
    let mut found = c.to_vec();
    if !add {
        layouts[2].offsets().for_each(|at| found[at] = bytemuck::Zeroable::zeroed());
    }
    for numbers in coordinates(&shape) {
        let offset = |array: usize| {
            let number = |name| numbers[all.iter().position(|other| other == name).expect("named")];
            let coordinate: Vec<usize> = names[array].iter().map(number).collect();
            layouts[array].offset_at(&coordinate).expect("within the shape")
        };
        let at = offset(2);
        found[at] = found[at] + a[offset(0)] * b[offset(1)];
    }
    found
}

/// Runs a contraction both ways and compares it with the definition.
fn compare<T: Small>(pattern: &str, [a, b]: [&ArrayLayout; 2], c: &ArrayLayout) -> Contraction {
    let plan = Contraction::plan_into(pattern, a, b, c).unwrap_or_else(|e| panic!("{e}: {a} {b}"));
    let (left, right) = (memory::<T>(a, 1), memory::<T>(b, 5));
    let before = memory::<T>(c, 3);
    let mut room = Vec::new();
    for add in [false, true] {
        let wanted = by_definition(pattern, [a, b, c], [&left, &right, &before], add);
        let mut found = before.clone();
        let run = if add { Contraction::accumulate_in } else { Contraction::run_in };
        run(&plan, &left, &right, &mut found, &mut room).expect("long enough");
        assert!(found == wanted, "{plan}\n{a} {b} {c} {add}\n{found:?}\n{wanted:?}");
    }
    plan
}

/// Random names, extents and layouts of all three arrays.
fn random_contraction(random: &mut Random) -> (String, [ArrayLayout; 3]) {
    let pool = ["i", "jx", "k", "l", "m0", "n"];
    // Few terms, so that the definition is quick.
    let large = random.one_in(8);
    let (mut terms, mut extents) = (1, [1; 6]);
    for extent in &mut extents {
        *extent = match random.below(12) {
            0 if random.one_in(6) => 0,
            0 | 1 => 1,
            2 if large => 9 + random.below(31),
            _ => 2 + random.below(4),
        };
        if terms * *extent > 6000 {
            *extent = 1;
        }
        terms *= (*extent).max(1);
    }
    let mut operands = [Vec::new(), Vec::new(), Vec::new()];
    for (name, _) in pool.iter().enumerate() {
        // Of one, of both, and a diagonal at times.
        let of = random.pick(&[[true, true], [true, false], [false, true], [true, true]]);
        if random.one_in(5) {
            continue;
        }
        for (operand, _) in of.into_iter().enumerate().filter(|of| of.1) {
            let twice = random.one_in(14);
            operands[operand].extend(std::iter::repeat_n(name, 1 + usize::from(twice)));
        }
        if random.one_in(2) {
            operands[2].push(name);
        }
    }
    let mut layouts = Vec::new();
    for (array, operand) in operands.iter_mut().enumerate() {
        let order = random.permutation(operand.len());
        *operand = order.into_iter().map(|k| operand[k]).collect();
        let shape: Vec<usize> = operand.iter().map(|&name| extents[name]).collect();
        let mut layout = random.layout_of(&shape);
        while array == 2 && layout.overlaps() {
            layout = random.layout_of(&shape);
        }
        layouts.push(layout);
    }
    let text =
        operands.map(|names| names.iter().map(|&name| pool[name]).collect::<Vec<_>>().join(" "));
    let layouts = layouts.try_into().expect("three arrays");
    (format!("{}, {} -> {}", text[0], text[1], text[2]), layouts)
}

#[test]
fn random_contractions_are_their_definition() {
    let mut random = Random::of_this_run();
    let (mut copied, mut elements) = ([0; 3], 0);
    for draw in 0..draws(1500) {
        let (pattern, [a, b, c]) = random_contraction(&mut random);
        let plan = match draw % 4 {
            0 => compare::<f32>(&pattern, [&a, &b], &c),
            1 => compare::<Complex<f32>>(&pattern, [&a, &b], &c),
            2 => compare::<Complex<f64>>(&pattern, [&a, &b], &c),
            _ => compare::<f64>(&pattern, [&a, &b], &c),
        };
        plan.copies().iter().for_each(|copy| copied[copy.operand as usize] += 1);
        elements += c.size();
    }
    println!("{elements} elements, copies {copied:?}");
    assert!(copied.iter().all(|&count| count > 0), "every array is copied at times: {copied:?}");
}

/// Products of small matrices, batched, whose rows or columns lie side by side: tiles of registers,
/// and what is left of them.
#[test]
fn small_matrices_are_their_definition() {
    let mut random = Random::of_this_run();
    for draw in 0..draws(60) {
        let [m, k, n] = [1 + random.below(14), 1 + random.below(9), 1 + random.below(100)];
        let batch = 1 + random.below(3);
        // An axis that goes backwards at times, and gaps behind rows.
        let mut layout = |order: [usize; 3], shape: [usize; 3]| {
            let wide = order.map(|axis| shape[axis] + random.below(3));
            let whole = ArrayLayout::row_major(&wide).expect("small");
            let mut layout = whole;
            for (axis, place) in order.into_iter().enumerate() {
                layout = layout.slice(axis, 0..shape[place], 1).expect("within");
            }
            let mut back = [0; 3];
            order.into_iter().enumerate().for_each(|(axis, place)| back[place] = axis);
            let layout = layout.permute(&back).expect("three axes");
            if random.one_in(3) { layout.flip(random.below(3)).expect("an axis") } else { layout }
        };
        let [rows, columns] = [[0, 1, 2], [0, 2, 1]];
        let (of_b, of_c) = if draw % 3 == 0 { (columns, columns) } else { (rows, rows) };
        let a = layout(if draw % 2 == 0 { rows } else { columns }, [batch, m, k]);
        let (b, c) = (layout(of_b, [batch, k, n]), layout(of_c, [batch, m, n]));
        match draw % 5 {
            0 => compare::<Complex<f64>>("b i k, b k j -> b i j", [&a, &b], &c),
            1 | 2 => compare::<f32>("b i k, b k j -> b i j", [&a, &b], &c),
            _ => compare::<f64>("b i k, b k j -> b i j", [&a, &b], &c),
        };
    }
}

/// Rows longer than the caches, from any element on: what is written past them, and what is left.
#[test]
fn long_rows_are_products_of_elements() {
    fn compare_rows<T: Small>(random: &mut Random) {
        let n = (16 << 20) / size_of::<T>() + random.below(200);
        let row = |at| ArrayLayout::from_parts(&[n], &[1], at).expect("small");
        let [x, y, z] = [0; 3].map(|_| random.below(20));
        let (a, b) = (memory::<T>(&row(x), 1), memory::<T>(&row(y), 5));
        let before = memory::<T>(&row(z + 9), 3);
        let mut c = before.clone();
        let plan = Contraction::plan_into("i, i -> i", &row(x), &row(y), &row(z)).expect("rows");
        plan.run(&a, &b, &mut c).expect("long enough");
        let mut products = a[x..].iter().zip(&b[y..]).map(|(&x, &y)| x * y);
        assert!(c[z..z + n].iter().all(|&c| Some(c) == products.next()), "{n} {x} {y} {z}");
        assert!(c[..z] == before[..z] && c[z + n..] == before[z + n..], "{n} {z}");
    }
    let mut random = Random::of_this_run();
    compare_rows::<f32>(&mut random);
    compare_rows::<f64>(&mut random);
    compare_rows::<Complex<f32>>(&mut random);
    compare_rows::<Complex<f64>>(&mut random);
}

/// Matrices that the cost of a copy is decided for, each way.
#[test]
fn matrices_of_all_strides_are_their_definition() -> Result<(), ArrayError> {
    let l = |shape: &[usize], strides: &[isize]| ArrayLayout::from_parts(shape, strides, 0);
    let compact = ArrayLayout::row_major;
    let copies = |plan: Contraction| -> Vec<Operand> {
        plan.copies().iter().map(|copy| copy.operand).collect()
    };
    let batch_last = "i k b, k j b -> i j b";
    // The batch innermost: small arrays stay in the cache, large ones are copied.
    let (a, c) = (compact(&[20, 20, 16])?, compact(&[20, 20, 16])?);
    assert_eq!(copies(compare::<f64>(batch_last, [&a, &a], &c)), []);
    let (a, b, c) = (compact(&[48, 48, 16])?, compact(&[48, 3, 16])?, compact(&[48, 3, 16])?);
    let plan = compare::<f64>(batch_last, [&a, &b], &c);
    let scattered = CopyReason::Scattered { axis: "b".into(), stride: 1 };
    assert_eq!((&plan.copies()[0].reason, copies(plan.clone())), (&scattered, vec![Operand::Left]));
    // Rows with a gap: the outer axis of m is a loop, or the array is copied.
    let gaps = l(&[4, 50, 30], &[2000, 30, 1])?;
    let (b, c) = (compact(&[30, 2])?, compact(&[4, 50, 2])?);
    assert_eq!(copies(compare::<f64>("x i k, k j -> x i j", [&gaps, &b], &c)), []);
    let gaps = l(&[40, 2, 30], &[70, 30, 1])?;
    let (b, c) = (compact(&[30, 40])?, compact(&[40, 2, 40])?);
    assert_eq!(copies(compare::<f64>("x i k, k j -> x i j", [&gaps, &b], &c)), [Operand::Left]);
    // A result whose rows do not fold, and one whose columns come first.
    let c = l(&[40, 2, 40], &[100, 40, 1])?;
    let a = compact(&[40, 2, 30])?;
    assert_eq!(copies(compare::<f64>("x i k, k j -> x i j", [&a, &b], &c)), [Operand::Result]);
    let c = compact(&[40, 40, 2])?.permute(&[1, 2, 0])?;
    assert_eq!(copies(compare::<f32>("x i k, k j -> x i j", [&a, &b], &c)), []);
    // Both arrays backwards, and an array that is one number.
    let (a, b) = (compact(&[33, 17])?.flip(1)?, compact(&[17, 9])?.flip(0)?.flip(1)?);
    compare::<Complex<f64>>("i k, k j -> i j", [&a, &b], &compact(&[33, 9])?.flip(0)?);
    let one = compact(&[1])?.broadcast_to(&[33, 17])?;
    compare::<f64>("i k, k j -> i j", [&one, &b], &compact(&[33, 9])?);
    Ok(())
}

/// The examples of PyCuTe's `einsum`, whose operands are column-major; the last two of its errors
/// have a meaning here.
#[test]
fn the_examples_of_pycute() -> Result<(), ArrayError> {
    let examples = [
        ("m k, n k -> m n", "m3 n4 k5"),
        ("m k, n k -> n m", "m3 n4 k5"),
        ("b m k, b n k -> b m n", "b2 m3 n4 k5"),
        ("m k b, n k b -> m n b", "b2 m3 n4 k5"),
        ("i j p, n p -> i j n", "i2 j3 p4 n5"),
        ("s t u p r, q t r u -> s t q p", "s2 t3 u2 p2 r3 q2"),
        ("i, i ->", "i6"),
        ("i, j -> i j", "i3 j4"),
        ("i, i -> i", "i6"),
        ("i j, i j -> i j", "i3 j4"),
        ("i, -> i", "i5"),
        ("m n, -> m n", "m5 n6"),
        ("m n, -> n m", "m5 n6"),
        ("i j, j -> i", "i3 j4"),
        ("i, i j -> j", "i3 j4"),
        ("b i j, b j -> b i", "b2 i3 j4"),
        // A name of one array, and a name twice in one.
        ("m k x, n k -> m n", "m3 n4 k5 x2"),
        ("m m, n m -> m n", "m3 n4"),
    ];
    for (pattern, extents) in examples {
        let extent = |name: &&str| -> usize {
            let word = extents.split(' ').find(|word| word.starts_with(name)).expect("said");
            word[1..].parse().expect("a number")
        };
        let shapes = names(pattern).map(|names| names.iter().map(extent).collect::<Vec<_>>());
        for compact in [ArrayLayout::column_major, ArrayLayout::row_major] {
            let [a, b, c] = [0, 1, 2].map(|array| compact(&shapes[array]).expect("small"));
            compare::<f64>(pattern, [&a, &b], &c);
        }
    }
    // The folds of the white paper's contraction: m = s p, n = q, k = u r, batch = t.
    let [a, b] =
        [ArrayLayout::row_major(&[2, 3, 2, 4, 5])?, ArrayLayout::row_major(&[2, 3, 5, 2])?];
    let plan = Contraction::plan("s t u p r, q t r u -> s t q p", &a, &b)?;
    assert_eq!(plan.extents(), [3, 8, 2, 10]);
    Ok(())
}

/// Lines of `golden/einsum_answers.py`: pattern; shape, strides and offset of both arrays; the
/// result's shape; its elements.
#[test]
fn numpy_gives_the_same_sums() {
    let mut compared = 0;
    for line in include_str!("golden/einsum.txt").lines() {
        let fields: Vec<&str> = line.split(';').collect();
        let [pattern, arrays @ .., shape, elements] = &fields[..] else { panic!("{line}") };
        fn numbers<T: std::str::FromStr<Err: std::fmt::Debug>>(text: &str) -> Vec<T> {
            let words = text.split(',').filter(|word| !word.is_empty());
            words.map(|word| word.parse().expect("a number")).collect()
        }
        let layout = |k: usize| {
            let offset = arrays[k + 2].parse().expect("an offset");
            ArrayLayout::from_parts(&numbers(arrays[k]), &numbers(arrays[k + 1]), offset)
        };
        let (a, b) = (layout(0).expect("a layout"), layout(3).expect("a layout"));
        let plan = Contraction::plan(pattern, &a, &b).unwrap_or_else(|e| panic!("{line}: {e}"));
        assert_eq!(plan.shape(), numbers::<usize>(shape), "{line}");
        let elements: Vec<f64> = numbers(elements);
        let mut found = vec![f64::NAN; elements.len()];
        plan.run(&memory::<f64>(&a, 1), &memory::<f64>(&b, 5), &mut found).expect("long enough");
        assert_eq!(found, elements, "{line}");
        compared += 1;
    }
    assert!(compared >= 200, "{compared} lines");
}

/// Extents of 0: of the result, and of what is summed up.
#[test]
fn sums_of_nothing_are_zeros() -> Result<(), ArrayError> {
    let (a, b) = (ArrayLayout::row_major(&[2, 0])?, ArrayLayout::row_major(&[0, 3])?);
    let spread = ArrayLayout::from_parts(&[2, 3], &[8, 2], 1)?;
    let plan = Contraction::plan_into("i k, k j -> i j", &a, &b, &spread)?;
    let mut c = [7.0_f32; 14];
    plan.accumulate_in(&[], &[], &mut c, &mut Vec::new())?;
    assert_eq!(c, [7.0; 14]);
    plan.run(&[], &[], &mut c)?;
    assert_eq!(
        c.iter().enumerate().filter(|x| *x.1 == 0.0).map(|x| x.0).collect::<Vec<_>>(),
        [1, 3, 5, 9, 11, 13]
    );
    let plan = Contraction::plan("k i, k j -> i j", &a, &ArrayLayout::row_major(&[2, 3])?)?;
    assert_eq!(plan.shape(), [0, 3]);
    plan.run(&[], &[0.0_f64; 6], &mut [])
}

/// Extents that multiply to more than fits, of arrays that are one number, are planned as any.
#[test]
fn extents_beyond_usize_are_planned() -> Result<(), ArrayError> {
    let wide = ArrayLayout::row_major(&[])?.broadcast_to(&[1 << 31, 1 << 31])?;
    let plan = Contraction::plan("i k, k j -> i j", &wide, &wide)?;
    assert_eq!(plan.extents(), [1, 1 << 31, 1 << 31, 1 << 31]);
    let error = plan.run(&[1.0], &[1.0], &mut [0.0]).unwrap_err().to_string();
    assert_eq!(error, "the result reaches 4611686018427387904 elements, and there are 1");
    let (most, long) = (isize::MAX as usize, ArrayLayout::row_major(&[])?);
    let long = long.broadcast_to(&[most])?;
    assert!(Contraction::plan("i, j -> i j", &long, &long).is_err());
    let far = ArrayLayout::from_parts(&[0, 2, 2], &[1, isize::MAX, isize::MAX], 0)?;
    assert_eq!(
        Contraction::plan("x i i, -> x i", &far, &ArrayLayout::row_major(&[])?)?.shape(),
        [0, 2]
    );
    Ok(())
}

/// Each mistake has its sentence, with the place in the pattern.
#[test]
fn mistakes_are_named() -> Result<(), ArrayError> {
    let (a, b) = (ArrayLayout::row_major(&[2, 3])?, ArrayLayout::row_major(&[3, 4])?);
    for (pattern, sentence) in [
        ("i k, k j", "a contraction is `left, right -> result`, and there is no `->`\n"),
        (
            "i k -> i",
            "a contraction has two arrays on the left side, with one comma between them\n",
        ),
        (
            "i k, k j, j -> i",
            "a contraction has two arrays on the left side, with one comma between",
        ),
        (
            "ik, k j -> i j",
            "the left array has 1 axes here, names apart by spaces, and its layout 2\n",
        ),
        ("i k, k j l -> i j", "the right array has 3 axes here, and its layout 2\n"),
        ("i k, k j -> i x", "axis `x` is one of the result only\n"),
        ("i k, k j -> i i", "axis `i` stands twice in the result\n"),
        (
            "i k, (k j) -> i",
            "`(k` is no name of an axis: letters, then letters, digits and underscores\n",
        ),
        ("... k, k j -> j", "`...` is on the left side only\n"),
        ("... ... k, k j -> j", "a second `...` of one array\n"),
        ("i i, k j -> j", "axis `i` has the extent 3 in the left array, and 2 in the left array\n"),
        ("i k -> k j, j -> i", "a contraction has two arrays on the left side"),
        ("", "a contraction is `left, right -> result`, and there is no `->`\n"),
    ] {
        let error = Contraction::plan(pattern, &a, &b).expect_err(pattern).to_string();
        assert!(error.starts_with(sentence), "{pattern}: {error}");
    }
    let wrong = Contraction::plan_into("i k, k j -> i j", &a, &b, &a).unwrap_err();
    assert_eq!(wrong.to_string(), "the contraction has the shape [2, 4], and the result [2, 3]");
    let plan = Contraction::plan("i k, k j -> i j", &a, &b)?;
    for (lengths, sentence) in [
        ([5, 12, 8], "the left array reaches 6 elements, and there are 5"),
        ([6, 11, 8], "the right array reaches 12 elements, and there are 11"),
        ([6, 12, 7], "the result reaches 8 elements, and there are 7"),
    ] {
        let mut c = vec![9.0; lengths[2]];
        let error = plan.run(&vec![0.0; lengths[0]], &vec![0.0; lengths[1]], &mut c).unwrap_err();
        assert_eq!(error.to_string(), sentence);
        assert!(c.iter().all(|&c| c == 9.0), "nothing has been written");
    }
    Ok(())
}

/// `...` is counted from the last axis, as in NumPy, and need not be as long on both sides.
#[test]
fn an_ellipsis_is_counted_from_the_last_axis() -> Result<(), ArrayError> {
    let (a, b) = (ArrayLayout::row_major(&[5, 2, 3, 4])?, ArrayLayout::row_major(&[2, 4, 6])?);
    let plan = Contraction::plan("... i k, ... k j -> ... i j", &a, &b)?;
    assert_eq!((plan.shape(), plan.extents()), (&[5, 2, 3, 6][..], [2, 15, 6, 4]));
    let mut found = vec![0.0; plan.shape().iter().product()];
    let (left, right) = (memory::<f64>(&a, 1), memory::<f64>(&b, 5));
    plan.run(&left, &right, &mut found)?;
    let c = ArrayLayout::row_major(plan.shape())?;
    let wanted =
        by_definition("x y i k, y k j -> x y i j", [&a, &b, &c], [&left, &right, &found], false);
    assert_eq!(found, wanted);
    Ok(())
}
